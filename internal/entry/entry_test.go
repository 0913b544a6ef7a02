package entry

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestBuildGolden(t *testing.T) {
	const open = "export default await (async () => {\n"
	const end = "\n})();\n"
	tests := []struct {
		name, code string
		header     string // without the wrapper's opening
		body       string
	}{
		{"no imports", "return 1", "", "return 1"},
		{"a bare import", "import 'a'\nreturn 1", `import "a"; `, ";         \nreturn 1"},
		{"a default import", "import a from 'a'; a", `import a from "a"; `, ";                  a"},
		{"a namespace import", "import * as a from 'a'", `import * as a from "a"; `, ";                     "},
		{"named imports", "import {a, b as c, default as d,} from 'a';", `import { a , b as c , default as d , } from "a"; `, ";" + strings.Repeat(" ", 42)},
		{"an empty list", "import {} from 'a'", `import { } from "a"; `, ";                 "},
		{"default and named", "import a, {b} from 'a'", `import a , { b } from "a"; `, ";                     "},
		{"default and namespace", "import a, * as b from 'a'", `import a , * as b from "a"; `, ";                        "},
		{"a name in quotes", "import {'x y' as z} from 'a'", `import { "x y" as z } from "a"; `, ";                           "},
		{"attributes", "import a from 'a' with {type: 'json', 'b': \"c\"}", `import a from "a" with { type : "json" , "b" : "c" }; `, ";" + strings.Repeat(" ", 46)},
		{"several lines and comments", "import /* a\nb */ a // c\nfrom\n'a'\nx", `import a from "a"; `, ";          \n           \n    \n   \nx"},
		{"two on one line", "import 'a'; import 'b'; c", `import "a"; import "b"; `, ";           ;           c"},
		{"an import in the middle", "a = b\nimport 'c'\n(d)", `import "c"; `, "a = b\n;         \n(d)"},
		{"a semicolon on the next line", "import 'a'\n;b", `import "a"; `, ";         \n b"},
		{"an import without spaces", "import{a}from'b';c", `import { a } from "b"; `, ";                c"},
		{"CR LF stays", "import 'a'\r\nb\r\n", `import "a"; `, ";         \r\nb\r\n"},
		{"CR alone becomes LF", "a\rb\rimport\r'c'\rd", `import "c"; `, "a\nb\n;     \n   \nd"},
		{"separators become LF between tokens", "a\u2028b // c\u2029d", "", "a  \nb // c  \nd"},
		{"separators stay in strings", "'\u2028'", "", "'\u2028'"},
		{"a separator in an import", "import\u2028'a'", `import "a"; `, ";     \n   "},
		{"a hashbang", "#!/usr/bin/x\nimport 'a'", `import "a"; `, "///usr/bin/x\n;         "},
		{"a byte order mark is dropped", "\ufeffreturn 1", "", "return 1"},
		{"wide characters keep columns", "import '😀é'; a", `import "😀é"; `, ";             a"},
		{"a line continuation and escapes in a specifier", "import 'a\\\nb\\x41\\u0042\\u{43}\\n'", `import "abABC\u000a"; `, ";         \n                    "},
		{"a quote in a specifier", `import 'a"b\\'`, `import "a\"b\\"; `, ";             "},
		{"a lone surrogate in a specifier", `import '\ud800'`, `import "\ud800"; `, ";              "},
		{"a NUL in a string", "'\x00'", "", "'\x00'"},
		{"dynamic import stays", "await import('a'); import.meta", "", "await import('a'); import.meta"},
		{"dynamic import over lines stays", "import /* a */\n('a')", "", "import /* a */\n('a')"},
		{"imports in nested code stay", "{ import 'a' }", "", "{ import 'a' }"},
		{"an import as body of if stays", "if (a) import 'a'", "", "if (a) import 'a'"},
		{"a property called import stays", "a.import\nb", "", "a.import\nb"},
		{"words that name phases and types", "import type from 'a'; import defer from 'b'; import source from 'c'", `import type from "a"; import defer from "b"; import source from "c"; `, ";" + strings.Repeat(" ", 21) + ";" + strings.Repeat(" ", 22) + ";" + strings.Repeat(" ", 21)},
		{"from as a name", "import from from 'a'", `import from from "a"; `, ";                   "},
		{"a comment at the end", "return 1 // done", "", "return 1 // done"},
		{"strict mode directive", "'use strict'\nreturn this", "", "'use strict'\nreturn this"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := Build(t.Context(), tt.code)
			if err != nil {
				t.Fatal(err)
			}
			if want := tt.header + open + tt.body + end; e.Source != want {
				t.Errorf("source\n%q, want\n%q", e.Source, want)
			}
			if e.HeaderLines != 1 {
				t.Errorf("HeaderLines %d, want 1", e.HeaderLines)
			}
		})
	}
}

func TestImportList(t *testing.T) {
	code := "import a from 'a'\nconst 😀 = 1; /* é */ import * as b\n  from \"./b\" with { type: 'json' };\nimport 'c'; import 'a'"
	want := []Import{
		{"a", 1, 15, nil},
		{"./b", 3, 8, map[string]string{"type": "json"}},
		{"c", 4, 8, nil},
		{"a", 4, 20, nil},
	}
	e, err := Build(t.Context(), code)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(e.Imports, want) {
		t.Errorf("got %+v, want %+v", e.Imports, want)
	}
}

func TestImportsOfModule(t *testing.T) {
	code := `#!x
import a from "a"
export { b } from "b"; export * from 'c'
export * as d from "d"; export * as "e f" from "e"
export { g as default, "h" as "i" } from "g" with { type: "json" }
export { a }; export default function () {} /}/.test("import 'no'")
export const x = await import("dynamic"), y = import.meta
function f() { return "import 'no'" } // import 'no'
export class A { import() {} }
import "z"`
	got, err := Imports(code)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, i := range got {
		names = append(names, i.Specifier)
	}
	if s := strings.Join(names, " "); s != "a b c d e g z" {
		t.Errorf("specifiers %q", s)
	}
	if got[5].Attributes["type"] != "json" || got[6].Line != 10 || got[6].Column != 8 {
		t.Errorf("got %+v", got[5:])
	}
	if got, err := Imports(" \n"); got != nil || err != nil {
		t.Errorf("blank module: %v, %v", got, err)
	}
}

func TestNoCode(t *testing.T) {
	for _, code := range []string{"", " ", "\n\t\r\n", "\ufeff", "\ufeff \u2028\u00a0\u3000"} {
		if _, err := Build(t.Context(), code); err != ErrNoCode {
			t.Errorf("Build(%q) = %v, want ErrNoCode", code, err)
		}
	}
	if _, err := Build(t.Context(), "// nothing"); err != nil {
		t.Errorf("a comment alone: %v", err)
	}
	if ErrNoCode.Error() != "No code provided" {
		t.Errorf("text %q", ErrNoCode)
	}
}

func TestSyntaxErrors(t *testing.T) {
	tests := []struct {
		name, code string
		line, col  int
		message    string // a part of it
	}{
		{"a brace that closes the wrapper", "}); evil(); (async () => {", 1, 1, `unexpected "}"`},
		{"a brace that closes the wrapper later", "a;\n  } )(); {", 2, 3, `unexpected "}"`},
		{"a parenthesis that closes the wrapper", "a)", 1, 2, `unexpected ")"`},
		{"a square bracket that closes nothing", "a\n]", 2, 1, `unexpected "]"`},
		{"a brace after a regular expression", "x = /}/ }", 1, 9, `unexpected "}"`},
		{"a brace after a template", "`${a}` }", 1, 8, `unexpected "}"`},
		{"a brace after wide characters", "'😀é' }", 1, 7, `unexpected "}"`},
		{"a brace after CR LF", "a\r\nb }", 2, 3, `unexpected "}"`},
		{"a brace after CR", "a\rb }", 2, 3, `unexpected "}"`},
		{"a brace after U+2028", "a\u2028b }", 2, 3, `unexpected "}"`},
		{"a brace after a byte order mark", "\ufeff}", 1, 1, `unexpected "}"`},
		{"a brace after a hashbang", "#!x\n}", 2, 1, `unexpected "}"`},
		{"crossed brackets", "f([1)", 1, 5, `expected "]" but found ")"`},
		{"a brace in a parenthesis", "f(a}", 1, 4, `expected ")" but found "}"`},
		{"a parenthesis in a block", "{ a )", 1, 5, `expected "}" but found ")"`},
		{"a parenthesis in a template", "`${a)}`", 1, 5, `expected "}" but found ")"`},
		{"an open brace", "if (a) {\n  b", 2, 4, `"{" of line 1, column 8 is not closed`},
		{"an open parenthesis", "f(a\n", 2, 1, `expected ")" before the end`},
		{"an open square bracket", "[1, 2", 1, 6, `expected "]" before the end`},
		{"an open substitution", "`a${b", 1, 6, `"${" of line 1, column 3`},
		{"an open class", "class A { b() {}", 1, 17, `expected "}"`},
		{"an open string", "a = 'b\nc'", 1, 5, "string is not closed on its line"},
		{"an open string at the end", "a = \"b", 1, 5, "string is not closed"},
		{"a string that ends in a backslash", `"a\`, 1, 1, "string is not closed"},
		{"an open template", "a\n `b", 2, 2, "template literal is not closed"},
		{"an open template after a substitution", "`a${b}c", 1, 6, "template literal is not closed"},
		{"an open comment", "a /* b", 1, 3, "comment is not closed"},
		{"an open comment over lines", "a\n\n /* b\n", 3, 2, "comment is not closed"},
		{"an open regular expression", "a = /b\n/", 1, 5, "regular expression is not closed"},
		{"an open regular expression with a class", "a = /[/]", 1, 5, "regular expression is not closed"},
		{"an escaped line break in a regular expression", "/a\\\n/", 1, 1, "regular expression is not closed"},
		{"export", "export const a = 1", 1, 1, "export is not possible"},
		{"export default", "a\n  export default a", 2, 3, "export is not possible"},
		{"export after an import", "import 'a'; export {}", 1, 13, "export is not possible"},
		{"import without anything", "import", 1, 7, "expected a name"},
		{"import of a number", "import 5", 1, 8, "expected a name"},
		{"import without from", "import a 'b'", 1, 10, `expected "from"`},
		{"import from a name", "import a from b", 1, 15, "expected a specifier in quotes"},
		{"import from a template", "import a from `b`", 1, 15, "expected a specifier in quotes"},
		{"import of a namespace without name", "import * from 'a'", 1, 10, `expected "as"`},
		{"import with an open list", "import {a, b from 'a'", 1, 14, `expected "," or "}"`},
		{"import of a quoted name without as", "import {'a'} from 'b'", 1, 12, `expected "as"`},
		{"import with two defaults", "import a, b from 'c'", 1, 11, `expected "*" or "{"`},
		{"import that something follows", "import 'a' b", 1, 12, `expected ";"`},
		{"import with a bad attribute", "import 'a' with {b}", 1, 19, `expected ":"`},
		{"import with a bad attribute value", "import 'a' with {b: c}", 1, 21, "expected a value in quotes"},
		{"import assertions", "import a from 'a' assert {type: 'json'}", 1, 19, "import assertions"},
		{"import defer", "import defer * as a from 'a'", 1, 8, "import defer is not supported"},
		{"import source", "import source a from 'a'", 1, 8, "import source is not supported"},
		{"import source from from", "import source from from 'a'", 1, 8, "import source is not supported"},
		{"import type in JavaScript", "import type {A} from 'a'", 1, 8, "import type is TypeScript"},
		{"a type in a list in JavaScript", "import {a, type A} from 'a'", 1, 12, "import type is TypeScript"},
		{"import =", "import a = require('a')", 1, 1, "is not possible"},
		{"an octal escape in a specifier", `import "a\01"`, 1, 10, "octal"},
		{"a bad escape in a specifier", `import "\xg1"`, 1, 9, `\x needs`},
		{"a bad code point in a specifier", `import "\u{110000}"`, 1, 9, `\u{…} needs`},
		{"a lone surrogate in a name", `import {"\ud800" as a} from "b"`, 1, 9, "surrogate"},
		{"invalid UTF-8", "a\n\xff", 2, 1, "not valid UTF-8: byte 0xFF at offset 2"},
		{"a surrogate in UTF-8", "'😀\xed\xa0\x80'", 1, 4, "not valid UTF-8"},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00", 1, 1, "control character U+007F"},
		{"a NUL", "a\x00b", 1, 2, "control character U+0000"},
		{"a stray hash", "a # b", 1, 3, `unexpected character "#"`},
		{"a stray backslash", `a \ b`, 1, 3, `unexpected character "\\"`},
		{"a hashbang in the second line", "\n#!a", 2, 1, `unexpected character "#"`},
	}
	if len(tests) < 40 {
		t.Fatal("table too small")
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Build(t.Context(), tt.code)
			var se *SyntaxError
			if !errors.As(err, &se) {
				t.Fatalf("error %v, want a syntax error", err)
			}
			if se.Line != tt.line || se.Column != tt.col || !strings.Contains(se.Message, tt.message) {
				t.Errorf("got %d:%d %q, want %d:%d %q", se.Line, se.Column, se.Message, tt.line, tt.col, tt.message)
			}
		})
	}
}

func TestPositionsOfAnEngine(t *testing.T) {
	e, err := Build(t.Context(), "import a from 'a'\nimport {\n  eval } from 'b'\nreturn a +\n\n")
	if err != nil {
		t.Fatal(err)
	}
	eval := strings.Index(e.Source, "eval") + 1
	for _, tt := range []struct {
		name                string
		line, col           int
		wantLine, wantCol   int
		message, wantReason string
	}{
		{"a position in the program stays", 4, 8, 4, 8, "x", "x"},
		{"an unknown column stays unknown", 4, 0, 4, 0, "x", "x"},
		{"a token of the header is where it came from", 0, eval, 3, 3, "x", "x"},
		{"the start of the header is the first import", 0, 1, 1, 1, "x", "x"},
		{"the header without column is the first import", 0, 0, 1, 1, "x", "x"},
		{"behind the program is its end", 7, 1, 4, 11, "unexpected token in expression: '}'", "unexpected end of the program"},
		{"messages are levelled", 4, 1, 4, 1, "'a' is not defined", "a is not defined"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			se := e.SyntaxError(tt.message, tt.line, tt.col)
			if se.Line != tt.wantLine || se.Column != tt.wantCol || se.Message != tt.wantReason {
				t.Errorf("got %d:%d %q, want %d:%d %q", se.Line, se.Column, se.Message, tt.wantLine, tt.wantCol, tt.wantReason)
			}
		})
	}
}

func TestDeepNestingEnds(t *testing.T) {
	for _, s := range []string{"(", "[", "{", "`${", "a=>{", "class A{b(){"} {
		_, err := Build(t.Context(), strings.Repeat(s, 3*maxDepth))
		var se *SyntaxError
		if !errors.As(err, &se) || !strings.Contains(se.Message, "nested more than") {
			t.Errorf("%q: %v", s, err)
		}
	}
}

func TestBuildEndsWithItsContext(t *testing.T) {
	why := errors.New("the run was cancelled")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	for _, tt := range []struct{ name, code string }{
		{"many statements", strings.Repeat("f(a / b);\n", 1<<20/10)},
		{"one long string and more", "a = '" + strings.Repeat("x", 1<<20) + "'; b"},
		{"one long comment and more", "/*" + strings.Repeat("x", 1<<20) + "*/ b; c"},
		{"a text that does not parse at its end", strings.Repeat("f(a / b);\n", 1<<20/10) + ")"},
		{"imports", strings.Repeat("import 'a'\n", 1<<20/11)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Build(ctx, tt.code); err != why {
				t.Errorf("got %.200v, want the cause", err)
			}
			if _, err := BuildTypeScript(ctx, "main.ts", tt.code); err != why {
				t.Errorf("TypeScript: got %.200v, want the cause", err)
			}
		})
	}
	if _, err := Build(ctx, "return 1"); err != nil {
		t.Errorf("a short program is built at once: %v", err)
	}
}

// The time for ten times the text is about ten times as long. The bound is loose
// enough for a busy machine: quadratic behaviour is a factor of 100.
func TestTimeIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 10 MB texts")
	}
	for _, unit := range []string{
		"import 'a';", "import 'a'\n", "`${a}`\n", "a\u2028", "a\r", "a /b/ c;", "f(a, {b: [c]});\n", "😀", "import.meta;", "let a\n", "/* */",
	} {
		measure := func(n int) time.Duration {
			code := strings.Repeat(unit, n/len(unit))
			best := time.Hour
			for range 3 {
				start := time.Now()
				if _, err := Build(t.Context(), code); err != nil {
					t.Fatalf("%q: %v", unit, err)
				}
				best = min(best, time.Since(start))
			}
			return best
		}
		small, large := measure(300<<10), measure(3<<20)
		if large > 40*small+50*time.Millisecond {
			t.Errorf("%q: %v for 300 KB, %v for 3 MB", unit, small, large)
		}
	}
	code := strings.Repeat("f(a / b, `c${d}`, /e/);\n", 10<<20/24)
	e, err := Build(t.Context(), code)
	if err != nil || len(e.Source) < len(code) {
		t.Errorf("10 MB: %v", err)
	}
}

func TestNesting(t *testing.T) {
	r := strings.Repeat
	for _, tt := range []struct {
		name, code string
		min, max   int
	}{
		{"statements side by side", r("a = f(b.c);\n", 1000), 1, 10},
		{"statements without semicolons", r("a = f(b.c)\n", 1000), 1, 10},
		{"a long list", "[" + r("a.b, !c, ", 1000) + "]", 1, 10},
		{"many cases", "switch (a) {" + r("case b: case c.d: e(); break\n", 1000) + "}", 1, 12},
		{"a long sum", "a" + r(" + b * c - d / e", 1000), 0, 10},
		{"many members of an interface", "interface A {" + r("a: string, b?: number\n", 1000) + "}", 1, 12},
		{"parentheses", r("(", 500), 500, 600},
		{"prefix operators", r("!", 500) + "a", 500, 600},
		{"prefix operators over lines", r("-\n", 500) + "a", 500, 600},
		{"typeof", r("typeof ", 500) + "a", 500, 600},
		{"assignments", r("a = ", 500) + "a", 500, 600},
		{"arrows", r("a => ", 500) + "a", 500, 600},
		{"conditionals", r("a ? b : ", 500) + "c", 500, 1100},
		{"members", "a" + r(".b", 500), 500, 600},
		{"members over lines", "a" + r("\n.b", 500), 500, 600},
		{"calls", "a" + r("()", 500), 500, 600},
		{"else if", r("if (a) b; else ", 500) + "c", 500, 1600},
		{"else if with blocks", r("if (a) { b } else ", 500) + "c", 500, 1600},
		{"if", r("if (a) ", 500) + "b", 500, 600},
		{"labels", r("a: ", 500) + ";", 500, 600},
		{"powers", r("a ** ", 500) + "a", 500, 600},
		{"keyof", "let a: " + r("keyof ", 500) + "b", 500, 1100},
		{"keyof over lines", "let a: " + r("keyof\n", 500) + "b", 500, 1100},
		{"types", "let a: " + r("A<", 500) + "b", 500, 600},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if n := Nesting(tt.code); n < tt.min || n > tt.max {
				t.Errorf("nesting %d, want %d to %d", n, tt.min, tt.max)
			}
		})
	}
}

func TestTypeScriptNeedsAFrontend(t *testing.T) {
	_, err := BuildTypeScript(t.Context(), "main.ts", "const a: number = 1")
	var se *SyntaxError
	if !errors.As(err, &se) || !strings.Contains(se.Message, `import _ "quicksand/typescript"`) {
		t.Errorf("error %v does not name the package", err)
	}
}

func TestExplainWithoutFrontend(t *testing.T) {
	e, err := Build(t.Context(), "a b")
	if err != nil {
		t.Fatal(err)
	}
	if se := Explain(t.Context(), &e, "main.js", "a b", "expecting ';'", 1, 0); se.Message != "expecting ';'" || se.Line != 1 || se.Column != 0 {
		t.Errorf("got %+v", se)
	}
}
