package entry

import (
	"strings"
	"testing"
)

func TestOutlines(t *testing.T) {
	for _, tt := range []struct{ name, code, exports string }{
		{"an empty module has no exports", "", ""},
		{"declarations are exported by name", "export const a = 1, b = [2, c], d = {e: 3};\nexport function f(x) { const y = 1 }\nexport class G {}\nexport async function* h() {}\nlet z = 1", "G a b d f h"},
		{"a statement after a list without semicolon is not of it", "export let a = 1\nlet b = 2, c = 3\nx, y", "a"},
		{"a list after an exported one is not exported", "export const a = () => { let i = 1, j = 2 }, b = 2; var c = 1", "a b"},
		{"lists export what they say", `const a = 1, b = 2; export { a, b as c, b as "d-e", a as default }`, "a c d-e default"},
		{"default exports are default", "export default class X {}", "default"},
		{"a default expression is default", "export default (a, b)", "default"},
		{"names of re-exports count", `export { x, y as z } from "./a.js"; export * as ns from "./b.js"`, "ns x z"},
		{"a star may be anything", `export const a = 1; export * from "./b.js"`, "a …"},
		{"simple patterns are taken apart", "export const { a, b: { c, d: [e, , f] }, ...g } = o, [h, [i]] = p, { 'x y': j, 12: k } = q, l = 1", "a c e f g h i j k l"},
		{"patterns with defaults are in part", "export const { a, b = f({ c: 1 }), d } = o", "a b …"},
		{"computed keys are in part", "export const { a, [k]: b } = o", "a …"},
		{"words in strings, comments and templates are none", "// export const a = 1\n`${'export const b = 1'}`; 'import(1)'; /* require(2) */ /export const c/", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o, err := ReadModule(tt.code)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(o.Exports, " ")
			if !o.Complete {
				got += " …"
			}
			if got != tt.exports {
				t.Errorf("exports %q, want %q", got, tt.exports)
			}
			if o.DynamicLine != 0 || o.RequireLine != 0 {
				t.Errorf("import() on line %d, require() on line %d, want none", o.DynamicLine, o.RequireLine)
			}
		})
	}
}

func TestOutlinesFindCalls(t *testing.T) {
	for _, tt := range []struct {
		name, code       string
		dynamic, require int
	}{
		{"import() anywhere", "let a = 1\nfunction f() { return import('x') }\nimport('y')", 2, 0},
		{"import() as a statement", "import\n('y')", 1, 0},
		{"import() with a comment between", "a = import /* x */ ('y')", 1, 0},
		{"import.meta is no call", "a = import.meta.url; b.import('x'); c = { import(x) {} }", 0, 0},
		{"require() anywhere", "\n\nconst x = require('fs')", 0, 3},
		{"require() in a call", "f(() => { require ('fs') })", 0, 1},
		{"require() inside of a template", "`${require('fs')}`", 0, 1},
		{"methods and members named require are no call of it", "a.require('x'); a?.require(1); b = { require(x) {} }; class C { require(x) {} }", 0, 0},
		{"a function may be called require until it is called", "function require(x) {}; typeof require", 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o, err := ReadModule(tt.code)
			if err != nil {
				t.Fatal(err)
			}
			if o.DynamicLine != tt.dynamic || o.RequireLine != tt.require {
				t.Errorf("import() on line %d, require() on line %d, want %d and %d", o.DynamicLine, o.RequireLine, tt.dynamic, tt.require)
			}
		})
	}
}

func TestOutlinesOfBrokenModules(t *testing.T) {
	for _, code := range []string{"export const {", "export { a as", "import {", "a = `", "export const [", "\xff"} {
		if _, err := ReadModule(code); err == nil {
			t.Errorf("%q has an outline", code)
		}
	}
}

func FuzzReadModule(f *testing.F) {
	f.Add("export const { a, b: [c] } = import('x'), d = 1; export * from 'y'; export { d as \"e\" }; require(1)")
	f.Add("export const [")
	f.Add("export async function* a() {} export class")
	f.Fuzz(func(t *testing.T, code string) {
		o, err := ReadModule(code)
		plain, perr := Imports(code)
		if (err == nil) != (perr == nil) {
			t.Fatalf("ReadModule: %v, Imports: %v", err, perr)
		}
		if err == nil && len(o.Imports) != len(plain) {
			t.Fatalf("%d imports in the outline, %d without it", len(o.Imports), len(plain))
		}
	})
}
