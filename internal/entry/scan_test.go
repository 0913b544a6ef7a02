package entry

import (
	"os"
	"strings"
	"testing"
)

// regexps scans code and returns the regular expression literals found.
func regexps(code string) (found []string, f *fault) {
	var s scanner
	s.module = true
	s.init(code)
	for {
		s.nl = s.pos == 0
		if f := s.skip(); f != nil {
			return found, f
		}
		if s.pos >= len(s.src) {
			return found, s.finish()
		}
		start := s.pos
		if f := s.token(); f != nil {
			return found, f
		}
		if code[start] == '/' && s.pos > start+1 && s.st == stOperand {
			found = append(found, code[start:s.pos])
		}
	}
}

func TestRegularExpressionOrDivision(t *testing.T) {
	tests := []struct {
		name string
		code string
		want string // the regular expressions, separated by spaces
	}{
		{"a name divides", "a /b/ c", ""},
		{"a number divides", "1 /b/ c", ""},
		{"a number with a dot at its end divides", "1. /b/ c", ""},
		{"a string divides", "'s' /b/ c", ""},
		{"a template divides", "`t` /b/ c", ""},
		{"a regular expression divides", "/a/ /b/ c", "/a/"},
		{"a closing parenthesis of a group divides", "(a) /b/ c", ""},
		{"a closing parenthesis of a call divides", "f(a) /b/ c", ""},
		{"a closing square bracket divides", "a[0] /b/ c", ""},
		{"this divides", "this /b/ c", ""},
		{"null divides", "null /b/ c", ""},
		{"super divides", "super /b/ c", ""},
		{"postfix increment divides", "a++ /b/ c", ""},
		{"postfix decrement divides", "a-- /b/ c", ""},
		{"increment after a line break is a prefix", "a\n++/b/.c", "/b/"},
		{"increment at a start is a prefix", "++/b/.c", "/b/"},
		{"a keyword as property divides", "a.return /b/ c", ""},
		{"a keyword as optional property divides", "a?.typeof /b/ c", ""},
		{"a private name divides", "a.#b /c/ d", ""},
		{"new.target divides", "new.target /b/ c", ""},
		{"import.meta divides", "import.meta /b/ c", ""},
		{"a dynamic import divides", "import('a') /b/ c", ""},
		{"a name that starts like a keyword divides", "returned /b/ c", ""},
		{"an escaped keyword is a name", `r\u0065turn /b/ c`, ""},
		{"a non-ASCII name divides", "größe /b/ c", ""},
		{"an astral name divides", "𝒳 /b/ c", ""},
		{"division assignment", "a /= b / c", ""},
		{"the head of if does not divide", "if (a) /b/.c", "/b/"},
		{"the head of while does not divide", "while (a) /b/.c", "/b/"},
		{"the head of for does not divide", "for (;;) /b/.c", "/b/"},
		{"the head of for await does not divide", "for await (a of b) /b/.c", "/b/"},
		{"the head of with does not divide", "with (a) /b/.c", "/b/"},
		{"a method called if divides", "a.if(b) /c/ d", ""},
		{"the end of do while does not divide", "do a; while (b) /c/.d", "/c/"},
		{"a block does not divide", "{} /b/.c", "/b/"},
		{"an object literal divides", "a = {} /b/ c", ""},
		{"an object literal in parentheses divides", "({} /b/ c)", ""},
		{"an object literal as argument divides", "f({} /b/ c)", ""},
		{"an object literal in an array divides", "[{} /b/ c]", ""},
		{"an object literal in a template divides", "`${{} /b/ c}`", ""},
		{"an object literal after return divides", "return {} /b/ c", ""},
		{"a block after return and a line break", "return\n{} /b/.c", "/b/"},
		{"a block after a label", "a: {} /b/.c", "/b/"},
		{"a block after case", "switch (a) { case 1: {} /b/.c }", "/b/"},
		{"a case with a conditional", "switch (a) { case b ? /c/ : d: {} /e/.f }", "/c/ /e/"},
		{"an object literal in a conditional divides", "a ? {} /b/ c : {} /d/ e", ""},
		{"a block after an operand and a line break", "a\n{} /b/.c", "/b/"},
		{"a block after else", "if (a) b; else {} /c/.d", "/c/"},
		{"a block after try, catch and finally", "try {} catch {} finally {} /a/.b", "/a/"},
		{"a block after catch with a pattern", "try {} catch ({a}) {} /b/.c", "/b/"},
		{"a switch does not divide", "switch (a) {} /b/.c", "/b/"},
		{"a function declaration does not divide", "function f() {} /b/.c", "/b/"},
		{"a function expression divides", "a = function () {} /b/ c", ""},
		{"an async function declaration does not divide", "async function f() {} /b/.c", "/b/"},
		{"an async function expression divides", "a = async function () {} /b/ c", ""},
		{"a line break after async makes a declaration", "a = async\nfunction f() {} /b/.c", "/b/"},
		{"a function after an operand and a line break", "a\nfunction f() {} /b/.c", "/b/"},
		{"a class declaration does not divide", "class A {} /b/.c", "/b/"},
		{"a class expression divides", "a = class {} /b/ c", ""},
		{"a class that extends an object literal", "class A extends {}.b {} /c/.d", "/c/"},
		{"a class that extends a class", "class A extends class {} {} /c/.d", "/c/"},
		{"an exported default function does not divide", "export default function () {} /b/.c", "/b/"},
		{"an exported default object divides", "export default {} /b/ c", ""},
		{"an export list does not divide", "export {a}\n/b/.c", "/b/"},
		{"a decorated class does not divide", "@a class B {} /c/.d", "/c/"},
		{"a decorated class expression divides", "x = @a class {} /c/ d", ""},
		{"an arrow body ends its statement", "a = () => {}\n/b/.c", "/b/"},
		{"an arrow function with an expression body", "a => /b/", "/b/"},
		{"a method body ends in an object literal", "x = {a() {}} /b/ c", ""},
		{"a key of an object literal", "x = {if: /a/, get /* no */ b() { return /c/ }}", "/a/ /c/"},
		{"a computed key", "x = {[/]/.a]: 1}", "/]/"},
		{"a class field", "class A { a = /b/\nc = d\n/e/ f; static g = /h/ }", "/b/ /h/"},
		{"a static block", "class A { static { /a/.b } }", "/a/"},
		{"a field called static", "class A { static = 1\n/b/ c }", ""},
		{"typeof, void, delete, in and instanceof", "typeof /a/; void /b/; delete /c/.x; d in /e/; f instanceof /g/", "/a/ /b/ /c/ /e/ /g/"},
		{"throw, case and new", "throw /a/; switch (b) { case /c/: new /d/.e }", "/a/ /c/ /d/"},
		{"await does not divide", "await /a/", "/a/"},
		{"yield does not divide", "function* f() { yield /a/ }", "/a/"},
		{"yield and a line break do not divide", "function* f() { yield\n/a/.b }", "/a/"},
		{"of in a head does not divide", "for (const a of /b/.c) ;", "/b/"},
		{"of as a name divides", "of /b/ c", ""},
		{"of as variable in a head", "for (of of of /b/ c) ;", ""},
		{"of after await using in a head", "for (await using of of /b/.c) ;", "/b/"},
		{"async as a name divides", "async /b/ c", ""},
		{"get, set and static as names divide", "get /a/ set /b/ static", ""},
		{"break with a label ends its statement", "a: for (;;) { break a\n/b/.c }", "/b/"},
		{"debugger ends its statement", "debugger\n/a/.b", "/a/"},
		{"a declaration without value ends its statement", "let a, b\n/c/.d", "/c/"},
		{"a declaration with value divides", "let a = b\n/c/ d", ""},
		{"operators do not divide", "a + /b/ - !/c/ && /d/ ?? /e/ >>> /f/ ** /g/", "/b/ /c/ /d/ /e/ /f/ /g/"},
		{"a comma and a semicolon do not divide", "a, /b/; /c/", "/b/ /c/"},
		{"optional chaining is no conditional", "a?.[0] /b/ c", ""},
		{"a conditional with a decimal", "a?.5:/b/", "/b/"},
		{"spread does not divide", "[.../a/]", "/a/"},
		{"a class in an expression hides a slash", "/[/]/ /b", "/[/]/"},
		{"a slash after a backslash", `/\// /b`, `/\//`},
		{"flags end the expression", "/a/dgimsuy /b/ c", "/a/dgimsuy"},
		{"an expression that starts like an assignment", "a = /=b/", "/=b/"},
		{"comments do not change the context", "a /* ) */ /b/ c; ( /* x */ /d/ )", "/d/"},
		{"an HTML comment is operators", "a-->/b/; c<!--/d/.e", "/b/ /d/"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, f := regexps(tt.code)
			if f != nil {
				t.Fatalf("refused: %s at offset %d", f.msg, f.off)
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("regular expressions %q, want %q", s, tt.want)
			}
		})
	}
}

func TestTemplates(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		ok         bool
	}{
		{"a plain template", "`a`", true},
		{"a dollar without brace", "`$ $$ $a`", true},
		{"a substitution", "`a${b}c`", true},
		{"a template in a substitution", "`a${`b${`c`}`}`", true},
		{"an object in a substitution", "`${{a: {b: 1}}}`", true},
		{"a function in a substitution", "`${(() => { return `}` })()}`", true},
		{"a closing brace in a string of a substitution", "`${'}'}`", true},
		{"a closing brace in a comment of a substitution", "`${/* } */ a}`", true},
		{"a closing brace in a regular expression of a substitution", "`${/}/}`", true},
		{"an escaped backquote", "`\\``", true},
		{"an escaped substitution", "`\\${`", true},
		{"an escaped backslash before the end", "`\\\\`", true},
		{"several lines", "`a\n\r\n\u2028${\n}\n`", true},
		{"two substitutions", "`${a}${b}`", true},
		{"a tagged template that is called", "a`${b}`(c)`d`", true},
		{"an open template", "`a", false},
		{"an open template after a substitution", "`a${b}", false},
		{"an open substitution", "`a${b", false},
		{"a backslash at the end", "`\\", false},
		{"a bracket that closes a substitution", "`${a)}`", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Build(t.Context(), tt.code)
			if (err == nil) != tt.ok {
				t.Errorf("error %v, want accepted %v", err, tt.ok)
			}
		})
	}
}

func TestCorpusIsAccepted(t *testing.T) {
	data, err := os.ReadFile("testdata/programs.js")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for code := range strings.SplitSeq(string(data), "\n---\n") {
		n++
		if _, err := Imports(code); err != nil {
			t.Errorf("%v\n%s", err, code)
		}
	}
	if n < 80 {
		t.Errorf("only %d programs", n)
	}
}

// Every beginning of a valid program is either accepted or refused with a position,
// and scanning it does not read beyond its end.
func TestBeginnings(t *testing.T) {
	data, err := os.ReadFile("testdata/programs.js")
	if err != nil {
		t.Fatal(err)
	}
	for code := range strings.SplitSeq(string(data), "\n---\n") {
		for i := range len(code) {
			for _, build := range []func(string) error{
				func(s string) error { _, err := Build(t.Context(), s); return err },
				func(s string) error { _, err := Imports(s); return err },
			} {
				if se, ok := build(code[:i]).(*SyntaxError); ok && (se.Line < 1 || se.Column < 1) {
					t.Fatalf("no position in %+v\n%s", se, code[:i])
				}
			}
			Nesting(code[:i])
		}
	}
}
