package enginetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"quicksand/engine"
)

func contextWithTimeout(d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), d)
}

func testCompile(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	compile := func(code string, header int) error {
		_, err := e.Compile(context.Background(), engine.Source{Name: "main.js", Code: code, HeaderLines: header})
		return err
	}
	// Column is asked of an engine that knows columns; another one says 0. QuickJS-NG
	// does not know the line of the rows with column -1: it says 1.
	rows := []struct {
		name, code   string
		line, column int
	}{
		{"a missing value", `let a = ;`, 1, 9},
		{"on a later line", "\n\nlet b = 1;\n  foo(;\n", 4, 7},
		{"two names in a row", "a b", 1, 3},
		{"after an astral character", "\"😀\"; a b", 1, 9},
		{"after other characters", "\"é€\"; a b", 1, 9},
		{"with CRLF", "\r\n\r\nfoo(;", 3, 5},
		{"an unexpected end", "if (a) {\n  b();\n", 3, 1},
		{"a string without end", "let s = 'abc\n", 1, 0},
		{"a template without end", "let s = `abc\n\n", 0, 0},
		{"a comment without end", "/* abc\n\n", 0, 0},
		{"a regular expression without end", "let r = /abc\n", 1, 0},
		{"an invalid regular expression", "\nlet r = /(/;", 2, -1},
		{"a name declared twice", "let a;\nlet a;", 2, 0},
		{"return at top level", "\nreturn 1;", 2, 0},
		{"a reserved word", "\nlet await = 1;", 2, 0},
		{"strict mode", "\nwith (a) {}", 2, 0},
		{"an octal number", "\n\nlet a = 017;", 3, 0},
		{"break outside a loop", "\nbreak;", 2, 0},
		{"an export that does not exist", "\nexport { nothing };", 0, 0},
		{"two default exports", "export default 1;\nexport default 2;", 0, 0},
		{"NUL", "let a = 1;\n\x00", 2, 0},
		{"an invalid escape", "\n'\\u{110000}'", 2, 0},
		{"a stray backslash", "a\\b", 1, 0},
		{"a private name outside a class", "\na.#b", 2, -1},
	}
	for _, r := range rows {
		t.Run("syntax: "+r.name, func(t *testing.T) {
			for header := range 3 {
				err := compile(headers(header)+r.code, header)
				var se *engine.SyntaxError
				if !errors.As(err, &se) {
					t.Fatalf("got %v, want a SyntaxError", err)
				}
				if se.Name != "main.js" || se.Message == "" || se.Line < 1 || r.line != 0 && se.Line != r.line && (r.column >= 0 || e.Name() != "cgo") {
					t.Errorf("%d header lines: got %v, want line %d", header, se, r.line)
				}
				if r.column > 0 && se.Column != r.column && (e.Name() == "pure" || se.Column != 0) {
					t.Errorf("%d header lines: got %v, want column %d", header, se, r.column)
				}
				if strings.Contains(se.Message, "\n") || strings.Contains(se.Message, "main.js") {
					t.Errorf("message %q", se.Message)
				}
			}
		})
	}
	fine := []struct{ name, code, want string }{
		{"nothing", "", "= undefined"},
		{"white space", " \n\t\r\n", "= undefined"},
		{"a comment", "// nothing", "= undefined"},
		{"a byte order mark", "\ufeffexport default 1;", "*"},
		{"NUL in a string", "export default 'a\x00b'.length;", "= 3"},
		{"malformed UTF-8 in a string", "export default '\xff'.length;", "*"},
		{"malformed UTF-8 in a comment", "// \xff\xfe\nexport default 1;", "*"},
		{"an encoded surrogate", "export default '\xed\xa0\x80'.length;", "*"},
		{"line separators in a string", "export default 'a\u2028b'.length;", "= 3"},
		{"a long line", "export default [" + strings.Repeat("1,", 50000) + "].length;", "= 50000"},
		{"many lines", strings.Repeat("\n", 200000) + "export default 1;", "= 1"},
		{"a long string", "export default '" + strings.Repeat("é", 1<<20) + "'.length;", "= 1048576"},
		{"a long operator chain", "export default 0" + strings.Repeat("+1", 100000) + ";", "*"},
		{"many functions", strings.Repeat("(function () { return 1; });", 20000) + "export default 1;", "= 1"},
	}
	for _, r := range fine {
		t.Run("accepted: "+r.name, func(t *testing.T) {
			o := w.Eval(t, r.code, nil)
			if got := o.String(); got != r.want && (r.want != "*" || o.Status != engine.Done && got != "syntax") {
				t.Errorf("got %.200s, want %s", got, r.want)
			}
		})
	}
	nestings := []struct{ name, before, open, middle, end string }{
		{"parentheses", "", "(", "1", ")"}, {"arrays", "", "[", "", "]"}, {"blocks", "", "{", "", "}"}, {"objects", "a = ", "{a:", "1", "}"},
		{"negations", "", "!", "1", ""}, {"conditions", "", "1?", "1", ":1"}, {"templates", "", "`${", "1", "}`"}, {"arrows", "", "()=>", "1", ""},
		{"functions", "", "function f(){", "", "}"}, {"awaits", "", "await ", "1", ""}, {"classes", "", "class A{x=", "1", "}"}, {"calls", "", "f(", "", ")"},
		{"members", "", "a[", "1", "]"}, {"patterns", "let ", "[", "a", "] = 1"}, {"ifs", "", "if(1)", ";", ""}, {"labels", "", "a:", "1", ""}, {"news", "", "new ", "a", ""},
		{"spreads", "", "[...", "a", "]"}, {"regular expressions", "/", "(", "", ")"}, {"try blocks", "", "try{", "", "}catch{}"}, {"exponents", "", "1**", "1", ""},
		{"assignments", "", "a=", "1", ""}, {"commas in parentheses", "", "(1,", "1", ")"}, {"optional chains", "a", "?.a", "", ""}, {"imports", "", "import(", "1", ")"},
	}
	for _, n := range nestings {
		t.Run("deeply nested "+n.name, func(t *testing.T) {
			code := n.before + strings.Repeat(n.open, 100000/slower) + n.middle + strings.Repeat(n.end, 100000/slower)
			ctx, cancel := contextWithTimeout(20 * time.Second)
			defer cancel()
			_, err := e.Compile(ctx, engine.Source{Name: "main.js", Code: code})
			var se *engine.SyntaxError
			var ce *engine.CompileError
			if err != nil && !errors.As(err, &se) && (!errors.As(err, &ce) || ce.Kind != engine.Memory) {
				t.Errorf("got %v", err)
			}
			if err := compile("export default 1", 0); err != nil {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
	t.Run("garbage", func(t *testing.T) {
		const alphabet = " \n{}()[];,.`'\"/\\abc=>?:!+-*&|<>10nxu#@$%^~"
		r := rand.New(rand.NewPCG(1, 2))
		for i := range 200 {
			b := make([]byte, r.IntN(2000))
			for j := range b {
				if b[j] = byte(r.Uint32()); i&1 == 0 {
					b[j] = alphabet[int(b[j])%len(alphabet)]
				}
			}
			err := compile(string(b), 0)
			var se *engine.SyntaxError
			if err != nil && !errors.As(err, &se) {
				t.Errorf("%q: %v", b, err)
			}
		}
		if err := compile("\x7fELF\x02\x01\x01\x00\x00\x00\x00", 0); err == nil {
			t.Error("binary is a program")
		}
	})
	t.Run("10 MB of statements", func(t *testing.T) {
		if testing.Short() {
			t.Skip("takes seconds")
		}
		before := residentSet()
		for _, unit := range []string{"x=1;\n", "// a comment\n", "'a string that is long enough to be one';\n"} {
			err := compile(strings.Repeat(unit, 10<<20/len(unit)), 0)
			var ce *engine.CompileError
			if err != nil && (!errors.As(err, &ce) || ce.Kind != engine.Memory) {
				t.Errorf("%q: %v", unit, err)
			}
		}
		if grown := residentSet() - before; grown > 256<<20 {
			t.Errorf("the resident set grew by %d MB", grown>>20)
		}
	})
	t.Run("the compiler's memory is limited", func(t *testing.T) {
		if testing.Short() {
			t.Skip("takes seconds")
		}
		before := residentSet()
		err := compile("export default ["+strings.Repeat("()=>0,", 2<<20)+"]", 0)
		var ce *engine.CompileError
		if !errors.As(err, &ce) || ce.Kind != engine.Memory {
			t.Errorf("got %v, want a CompileError of kind memory", err)
		}
		if grown := residentSet() - before; grown > 600<<20 {
			t.Errorf("the resident set grew by %d MB", grown>>20)
		}
		if err := compile("export default 1", 0); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	})
	t.Run("from many goroutines", func(t *testing.T) {
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				for j := range 20 {
					if err := compile(fmt.Sprintf("export default %d * %d;", i, j), 0); err != nil {
						t.Error(err)
					}
					if err := compile("let a = ;", 0); err == nil {
						t.Error("no error")
					}
				}
			})
		}
		wg.Wait()
	})
	t.Run("a script gives its last expression", func(t *testing.T) {
		// The suite's units are scripts: what they return is tested with the operations.
		_, err := e.Compile(context.Background(), engine.Source{Name: "s", Code: "export default 1", Kind: engine.Script})
		if err == nil {
			t.Error("a script exports")
		}
	})
	t.Run("sources stay out of the guest's reach", func(t *testing.T) {
		o := w.Eval(t, `function secretName() { return "secret text"; } export default String(secretName);`, nil)
		if o.Status != engine.Done {
			t.Errorf("got %v", o)
		}
	})
	w.check(t)
}

// headers are lines in front of the user's text.
func headers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "const header%d = () => { };\n", i)
	}
	return b.String()
}

func testCompileStopped(t *testing.T, e engine.Engine) {
	var b strings.Builder
	b.WriteString("(function () {\n")
	for i := range 60000 {
		fmt.Fprintf(&b, "var a%d = a%d;\n", i, i/2)
	}
	b.WriteString("});\n")
	slow := b.String()
	cause := errors.New("the caller's cause")
	stop := func(t *testing.T, ctx context.Context, want error) {
		t.Helper()
		_, err := e.Compile(ctx, engine.Source{Name: "slow.js", Code: slow})
		if err == nil {
			t.Skip("the engine compiled it in time")
		}
		var ce *engine.CompileError
		if !errors.As(err, &ce) || ce.Kind != engine.Interrupted && ce.Kind != engine.Killed || ce.Name != "slow.js" || !errors.Is(err, want) {
			t.Errorf("got %#v %v, want a CompileError that wraps %v", err, err, want)
		}
		if _, err := e.Compile(context.Background(), engine.Source{Name: "a.js", Code: "export default 1"}); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	}
	t.Run("before it begins", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(cause)
		stop(t, ctx, cause)
	})
	for _, after := range []time.Duration{time.Millisecond, 10 * time.Millisecond, 40 * time.Millisecond} {
		t.Run(fmt.Sprintf("after %v", after), func(t *testing.T) {
			var late time.Duration
			for range 3 {
				ctx, cancel := context.WithCancelCause(context.Background())
				var at time.Time
				timer := time.AfterFunc(after, func() { at = time.Now(); cancel(cause) })
				stop(t, ctx, cause)
				if timer.Stop() {
					t.Skip("the engine compiled it in time")
				}
				if late = time.Since(at); late < 110*time.Millisecond {
					return
				}
			}
			t.Errorf("back %v after the end of the context", late)
		})
	}
	t.Run("by its deadline", func(t *testing.T) {
		ctx, cancel := contextWithTimeout(20 * time.Millisecond)
		defer cancel()
		stop(t, ctx, context.DeadlineExceeded)
	})
	t.Run("many times", func(t *testing.T) {
		for i := range 30 {
			ctx, cancel := contextWithTimeout(time.Duration(i) * 500 * time.Microsecond)
			e.Compile(ctx, engine.Source{Name: "slow.js", Code: slow})
			cancel()
		}
		p := MustCompile(t, e, "main.js", "export default 6 * 7")
		expect(t, NewWorld(t, e).Run(t, p, nil), "= 42")
	})
}

func testPositions(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	const self = "export default (() => { try { %s } catch (e) { return e.stack; } })();"
	rows := []struct {
		name, code string
		has        []string // in this order, each in a frame of its own
	}{
		{"a throw", "\nthrow new Error('x');", []string{"main.js:2"}},
		{"a throw in a function", "function f() {\n  throw new Error('x');\n}\n\nf();", []string{"f (main.js:2", "main.js:5"}},
		{"a chain of functions", "const a = () => {\n  null.x;\n};\nfunction b() {\n  a();\n}\nclass C {\n  m() {\n    b();\n  }\n}\nnew C().m();", []string{"a (main.js:2", "b (main.js:5", "m (main.js:9", "main.js:12"}},
		{"a function of many lines", "function f(a,\n  b) {\n  const x = [\n    1,\n    2,\n  ];\n  if (a) {\n    b.c.d;\n  }\n}\nf(1, {});", []string{"f (main.js:8", "main.js:11"}},
		{"an error of the engine", "let a = 1;\n\n  undefinedName;\n", []string{"main.js:3"}},
		{"through native functions", "[1].map(function each() {\n  throw new Error('x');\n});", []string{"each (main.js:2", "main.js:1"}},
		{"after an await", "async function f() {\n  await later(1);\n  throw new Error('x');\n}\nawait f();", []string{"f (main.js:3"}},
		{"in a continuation", "await later(1).then(function next() {\n  throw new Error('x');\n});", []string{"next (main.js:2"}},
		{"in a generator", "function* g() {\n  yield 1;\n  throw new Error('x');\n}\nconst i = g();\ni.next();\ni.next();", []string{"g (main.js:3", "main.js:7"}},
		{"in a getter", "const o = {\n  get a() {\n    throw new Error('x');\n  },\n};\no.a;", []string{"main.js:3", "main.js:6"}},
		{"in a constructor", "class A {\n  constructor() {\n    throw new Error('x');\n  }\n}\nclass B extends A {\n}\nnew B();", []string{"main.js:3", "main.js:8"}},
		{"far down", strings.Repeat("\n", 70000) + "throw new Error('x');", []string{"main.js:70001"}},
		{"far down in a function", "function f() {\n" + strings.Repeat("  1;\n", 5000) + "  throw new Error('x');\n}\nf();", []string{"f (main.js:5002", "main.js:5004"}},
		{"with other characters before it", "const s = '😀é€';\nconst t = `\n\n${s}`;\nthrow new Error(s);", []string{"main.js:5"}},
		{"with CRLF", "const a = 1;\r\n\r\nthrow new Error('x');", []string{"main.js:3"}},
		{"a host call that throws", "function f() {\n  raise(new Error('x'));\n}\nf();", nil},
		{"a refused value", "function f() {\n  echo(() => 1);\n}\nf();", []string{"f (main.js:2", "main.js:4"}},
		{"in an imported module", "import 'lib/m.js';", []string{"lib/m.js:2"}},
		{"in a function of an imported module", "import { fail } from 'lib/n.js';\n\nfail();", []string{"fail (lib/n.js:2", "main.js:3"}},
	}
	mods := map[string]string{"lib/m.js": "\nthrow new Error('x');", "lib/n.js": "export function fail() {\n  throw new Error('x');\n}"}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			for _, header := range []int{0, 1, 3} {
				p, err := e.Compile(context.Background(), engine.Source{Name: "main.js", Code: headers(header) + r.code, HeaderLines: header})
				if err != nil {
					t.Fatal(err)
				}
				o := w.Run(t, p, &Host{Modules: mods})
				if o.Status != engine.Failed {
					t.Fatalf("got %v", o)
				}
				stack := o.Stack()
				rest := stack
				for _, h := range r.has {
					i := strings.Index(rest, h)
					if i < 0 || i+len(h) < len(rest) && rest[i+len(h)] >= '0' && rest[i+len(h)] <= '9' {
						t.Errorf("%d header lines: no %q at its place in\n%s", header, h, stack)
						break
					}
					rest = rest[i+len(h):]
				}
				if strings.Contains(stack, "quicksand:") || strings.Contains(stack, ".go:") {
					t.Errorf("stack of others:\n%s", stack)
				}
			}
		})
	}
	t.Run("the guest reads the same lines", func(t *testing.T) {
		for _, header := range []int{0, 1, 2} {
			code := headers(header) + "function f() {\n  throw new Error('x');\n}\n" + fmt.Sprintf(self, "f();")
			p, err := e.Compile(context.Background(), engine.Source{Name: "main.js", Code: code, HeaderLines: header})
			if err != nil {
				t.Fatal(err)
			}
			v, _ := Read(w.Run(t, p, nil).Value)
			s := v.Str()
			if !strings.Contains(s, "f (main.js:2") || !strings.Contains(s, "main.js:4") {
				t.Errorf("%d header lines:\n%s", header, s)
			}
		}
	})
	t.Run("columns", func(t *testing.T) {
		if e.Name() != "pure" {
			t.Skip("the engine knows the column of a statement at best")
		}
		o := w.Eval(t, "function f() {\n  const a = 1; throw new Error('x');\n}\n  f();", nil)
		if s := o.Stack(); !strings.Contains(s, "main.js:2:31") || !strings.Contains(s, "main.js:4:4") {
			t.Errorf("stack:\n%s", s)
		}
	})
}
