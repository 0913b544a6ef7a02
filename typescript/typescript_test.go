package typescript

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"quicksand/internal/entry"
)

func TestRegisters(t *testing.T) {
	if entry.Registered() == nil {
		t.Fatal("importing the package does not register a front end")
	}
}

func TestTypeScriptPrograms(t *testing.T) {
	tests := []struct {
		name, code string
		contains   string // in the built source
		lacks      string
		imports    string
	}{
		{"annotations are erased", "const a: number = 1; return a", "const a = 1;", "number", ""},
		{"return and await at the top level", "return await (f() as Promise<string>)", "return await f();", "Promise", ""},
		{"an import stays", "import a from 'a'\nreturn a as A", `import a from "a";`, " as ", "a"},
		{"an unused import stays", "import { a } from 'a'", `import { a } from "a";`, "", "a"},
		{"import type is erased", "import type { A } from 'a'\nreturn 1 as A", "return 1;", "import", ""},
		{"import type with a default is erased", "import type A from 'a'; let b: A", "let b;", "import", ""},
		{"import type of a namespace is erased", "import type * as A from 'a'; let b: A.B", "let b;", "import", ""},
		{"import type of from is erased", "import type from from 'a'; return 1", "return 1", "import", ""},
		{"a default import called type stays", "import type from 'a'", `import type from "a";`, "", "a"},
		{"types in a list are erased", "import { type A, b, type C as D, c } from 'a'", `import { b , c } from "a";`, "", "a"},
		{"a list of types keeps the import", "import { type A } from 'a'", `import { } from "a";`, "", "a"},
		{"names that look like type", "import { type, type as a, type as, type as as, type as as b } from 'a'", `import { type , type as a , type as as , } from "a";`, "", "a"},
		{"attributes stay", "import a from 'a' with { type: 'json' }", `with { type : "json" }`, "", "a"},
		{"interfaces are erased", "interface A<T> { if(a: T): void; b?: { c: string }, d: `x${string}` }\nreturn 1", "return 1;", "interface", ""},
		{"type aliases are erased", "type A<T> = T extends { a: infer U } ? U[] : keyof T | 'b'\nimport b from 'b'", "", "type", "b"},
		{"generics", "const f = <T,>(a: T): T => a; function g<T extends {}>(a: T): T { return a }\nreturn f<string>(g<string>('a'))", `return f(g("a"));`, "<", ""},
		{"casts in angle brackets", "const a = <{ b: number }>c; return a / 2", "return a / 2;", "<", ""},
		{"satisfies and as const", "return { a: [1] as const } satisfies A", "return { a: [1] };", "satisfies", ""},
		{"the non-null assertion divides", "return a! / b! / c", "return a / b / c;", "!", ""},
		{"regular expressions after types", "let a: RegExp = /[/}]/\nconst b: A<B> = /}/; return /[)(]/.source", "", "", ""},
		{"enums", "enum A { B = 1, C = 'c'.length }\nconst enum D { E = 2 }\nreturn A.B + D.E", "A2[A2[", "enum", ""},
		{"declare is erased", "declare const a: number; declare function f(): { b: 1 }\ndeclare global { interface A {} }\nreturn a", "return a;", "declare", ""},
		{"overloads", "function f(a: string): void\nfunction f(a: number): void\nfunction f(a: any) { return {} / a }\nimport b from 'b'", "function f(a)", "number", "b"},
		{"return types that are object types", "function f(): { a: 1 } { return { a: 1 } }\nconst g = (): { a: 1 } => ({ a: 1 })\nimport b from 'b'", "function f()", ": 1;", "b"},
		{"abstract classes, modifiers, index signatures", "abstract class A<T> extends B<{ a: T }> implements C, D<{}> { private readonly a: string = 'a'; b?: number; c!: string; [key: string]: any; abstract d(): void; constructor(public e: T) { super() } }\nimport f from 'f'", "class A extends B", "private", "f"},
		{"decorators are lowered", "function d(v: any, c: any) {}\n@d class A { @d b() {} }\nreturn new A", "__decorate", "@d", ""},
		{"using is lowered", "using a = b; await using c = d", "__using", "using a", ""},
		{"optional parameters and this types", "function f(this: A, a?: number, ...b: string[]): asserts a is number {}", "function f(a, ...b) {", "asserts", ""},
		{"import() in types", "let a: import('x').A<typeof import('y')>\nreturn import.meta", "return import.meta;", `"x"`, ""},
		{"assertion functions and unique symbols", "declare const s: unique symbol\nlet a: readonly string[], b: keyof typeof c", "let a, b;", "keyof", ""},
		{"tuples and function types", "let a: [b: string, c?: number], d: new (e: string) => F, g: (h: { i: 1 }) => void\nimport j from 'j'\nlet k: A<B>\nimport l from 'l'\nlet m = 1 as const\nimport n from 'n'", "let a, d, g;", "void", "j l n"},
		{"accessors with types", "class A { get b(): { c: 1 } { return { c: 1 } } set b(v: { c: 1 }) {} static async *d(): AsyncGenerator<{}> {} }", "get b()", "Async", ""},
		{"a trailing comment", "return 1 // done", "return 1;", "", ""},
		{"a hashbang", "#!/usr/bin/env x\nreturn 1 as number", "return 1;", "#!", ""},
	}
	if len(tests) < 30 {
		t.Fatal("table too small")
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := entry.BuildTypeScript(t.Context(), "main.ts", tt.code)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(e.Source, tt.contains) {
				t.Errorf("no %q in\n%s", tt.contains, e.Source)
			}
			if tt.lacks != "" && strings.Contains(e.Source, tt.lacks) {
				t.Errorf("%q in\n%s", tt.lacks, e.Source)
			}
			var names []string
			for _, i := range e.Imports {
				names = append(names, i.Specifier)
			}
			if got := strings.Join(names, " "); got != tt.imports {
				t.Errorf("imports %q, want %q", got, tt.imports)
			}
			if ok, message := parse(e.Source); !ok {
				t.Errorf("built source is refused: %s\n%s", message, e.Source)
			}
		})
	}
}

func TestTypeScriptErrors(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		line, col  int
		message    string
	}{
		{"a syntax error", "const a: number = 1\nconst b: = 2", 2, 10, "Unexpected"},
		{"after an import", "import a from 'a'\nreturn (a as B", 2, 15, `expected ")"`},
		{"a missing operand", "return a as A +", 1, 16, "unexpected end of the program"},
		{"an open bracket type", "let a: Array<string = 1", 1, 21, "Expected"},
		{"a namespace", "const a = 1\n  namespace N { export const b = 1 }", 2, 3, "namespace is not possible"},
		{"a module", "module N { }", 1, 1, "module is not possible"},
		{"import =", "import a = require('a')", 1, 1, "is not possible"},
		{"import type =", "import type a = require('a')", 1, 1, "is not possible"},
		{"export", "export const a = 1", 1, 1, "export is not possible"},
		{"export of a type", "export type A = 1", 1, 1, "export is not possible"},
		{"declared twice", "let 𝒳 = 1, a = 1; let a = 2", 1, 24, "already been declared"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := entry.BuildTypeScript(t.Context(), "main.ts", tt.code)
			var se *entry.SyntaxError
			if !errors.As(err, &se) {
				t.Fatalf("error %v, want a syntax error", err)
			}
			if se.Line != tt.line || se.Column != tt.col || !strings.Contains(se.Message, tt.message) {
				t.Errorf("got %d:%d %q, want %d:%d %q", se.Line, se.Column, se.Message, tt.line, tt.col, tt.message)
			}
		})
	}
}

// at is the line and column of the first marker in text.
func at(t *testing.T, text, marker string) (line, col int) {
	t.Helper()
	i := strings.Index(text, marker)
	if i < 0 {
		t.Fatalf("no %q in\n%s", marker, text)
	}
	line = strings.Count(text[:i], "\n") + 1
	start := strings.LastIndexByte(text[:i], '\n') + 1
	return line, column(text[start:], i-start)
}

func TestPositionsLeadBack(t *testing.T) {
	code := `import data from 'data'
interface Row {
  a: string
}
enum Kind { One = 1, Two }
type T = Row[]

function first(rows: T): Row {
  return mark1(rows[0] as Row)
}
const 𝒳 = '😀', wide: string = mark2<string>(𝒳)
class A<T> {
  constructor(private readonly x: T) {
    mark3(x)
  }
  private m(): void { throw mark4 }
}
return [mark5, first(data as unknown as T)] satisfies unknown`
	e, err := entry.BuildTypeScript(t.Context(), "main.ts", code)
	if err != nil {
		t.Fatal(err)
	}
	for _, marker := range []string{"mark1", "mark2", "mark3", "mark4", "mark5", "first(data"} {
		line, col := at(t, e.Source, marker)
		wantLine, wantCol := at(t, code, marker)
		if l, c := e.Position(line-e.HeaderLines, col); l != wantLine || c != wantCol {
			t.Errorf("%s: %d:%d, want %d:%d", marker, l, c, wantLine, wantCol)
		}
		if l, c := e.Position(line-e.HeaderLines, 0); l != wantLine || c != 0 {
			t.Errorf("%s without column: %d:%d, want %d:0", marker, l, c, wantLine)
		}
	}
	line, col := at(t, e.Source, "mark4")
	frame := entry.Location{Function: "m", Module: "main.ts", Line: line - e.HeaderLines, Column: col}
	stack := "    " + frame.String() + "\n    at <anonymous> (main.ts:1:1)\n    at <anonymous> (main.ts:99:1)\n"
	if got := e.CleanStack(stack, "main.ts"); got != "    at m (main.ts:16:29)" {
		t.Errorf("stack %q", got)
	}
	if l, c := e.StackPosition(stack, "main.ts"); l != 16 || c != 29 {
		t.Errorf("position %d:%d, want 16:29", l, c)
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		line, col  int // 0 when the program is accepted
		message    string
		hint       string
	}{
		{"a good program", "return await 1", 0, 0, "", ""},
		{"a wrong bracket is the scanner's", "f(1]", 1, 4, `expected ")" but found "]"`, ""},
		{"a missing operator", "const a = 1\nreturn a b", 2, 10, `Expected ";" but found "b"`, `write ";" here`},
		{"declared twice", "const a = 1\nconst a = 2", 2, 7, `The symbol "a" has already been declared`, `The symbol "a" was originally declared here in line 1`},
		{"after wide characters", "'😀é'; a b", 1, 10, `Expected ";" but found "b"`, `write ";" here`},
		{"a missing operand", "return 1 +\n\n", 1, 11, "unexpected end of the program", ""},
		{"in an import", "\nimport { a as if } from 'a'\nreturn 1", 2, 15, `Expected identifier but found "if"`, ""},
		{"after an import on the line", "import a from 'a'; const = 1", 1, 26, `Expected identifier but found "="`, ""},
		{"JSX", "return <a />", 1, 8, "JSX is not possible", ""},
		{"a bad regular expression flag", "return /a/xx", 1, 11, `"x"`, ""},
		{"await in a function", "function f() {\n  await g()\n}", 2, 3, `"await"`, ""},
		{"no code", " ", 0, 0, "", ""},
		{"a large program is not looked at", "a b;" + strings.Repeat(" ", MaxSource), 0, 0, "", ""},
		{"a deep program is not looked at", strings.Repeat("!", 100000) + "a b", 0, 0, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			se := entry.Registered().Check(t.Context(), "main.js", tt.code)
			if se == nil {
				if tt.line != 0 {
					t.Error("accepted")
				}
				return
			}
			if se.Line != tt.line || se.Column != tt.col || !strings.Contains(se.Message, tt.message) || tt.hint != "" && se.Hint != tt.hint {
				t.Errorf("got %d:%d %q (%s), want %d:%d %q (%s)", se.Line, se.Column, se.Message, se.Hint, tt.line, tt.col, tt.message, tt.hint)
			}
		})
	}
}

func TestExplainPrefersTheFrontend(t *testing.T) {
	code := "return a b"
	e, err := entry.Build(t.Context(), code)
	if err != nil {
		t.Fatal(err)
	}
	if se := entry.Explain(t.Context(), &e, "main.js", code, "expecting ';'", 1, 1); se.Column != 10 || !strings.HasPrefix(se.Message, "Expected") {
		t.Errorf("got %+v", se)
	}
	// What only the engine refuses keeps the engine's words.
	good, _ := entry.Build(t.Context(), "return 1")
	if se := entry.Explain(t.Context(), &good, "main.js", "return 1", "no such syntax here", 1, 3); se.Message != "no such syntax here" || se.Column != 3 {
		t.Errorf("got %+v", se)
	}
}

func TestHostileTypeScriptIsRefused(t *testing.T) {
	for name, code := range map[string]string{
		"parentheses": strings.Repeat("(", 50000) + strings.Repeat(")", 50000),
		"arrows":      strings.Repeat("a=>", 50000) + "1",
		"members":     "a" + strings.Repeat(".b", 50000),
		"types":       "let a: " + strings.Repeat("keyof\n", 50000) + "b",
		"size":        strings.Repeat("a;", MaxSource),
	} {
		if _, err := entry.BuildTypeScript(t.Context(), "main.ts", code); err == nil || !strings.Contains(err.Error(), "limit") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			e, err := entry.BuildTypeScript(t.Context(), "main.ts", "const a: number = 1\nreturn a")
			if err != nil || !strings.Contains(e.Source, "const a = 1") {
				t.Errorf("%v %s", err, e.Source)
			}
			if se := entry.Registered().Check(t.Context(), "main.js", "a b"); se == nil {
				t.Error("accepted")
			}
		})
	}
	wg.Wait()
}

func TestBrokenMaps(t *testing.T) {
	for _, text := range []string{"", "{", `{"mappings": "!"}`, `{"mappings": "AAAAAAAAAA"}`, `{"mappings": "gggggggggggggggg"}`, `{"mappings": "g"}`} {
		if _, err := parseMap([]byte(text)); err == nil {
			t.Errorf("parseMap(%q) succeeds", text)
		}
	}
}

func BenchmarkTypeScript(b *testing.B) {
	code := strings.Repeat("function f(rows: Row[]): number { return rows.map((r: Row) => r.a / 2).length }\n", 128)
	b.SetBytes(int64(len(code)))
	for b.Loop() {
		if _, err := entry.BuildTypeScript(b.Context(), "main.ts", code); err != nil {
			b.Fatal(err)
		}
	}
}
