package entry

import "testing"

func TestLocate(t *testing.T) {
	tests := []struct {
		name, code, message string
		line, col           int // from the engine
		sameLine            bool
		wantLine, wantCol   int
	}{
		{"a missing name is found", "const a = 1\nreturn a + foo", "foo is not defined", 0, 0, false, 2, 12},
		{"the other lineage quotes the name", "return foo", "'foo' is not defined", 0, 0, false, 1, 8},
		{"a property of the same name is not meant", "return {}.foo + foo", "foo is not defined", 0, 0, false, 1, 17},
		{"text in strings and comments is not meant", "/* foo */ 'foo'; return foo", "foo is not defined", 0, 0, false, 1, 25},
		{"a name in its temporal dead zone", "\n x; let x", "x is not initialized", 0, 0, false, 2, 2},
		{"columns count UTF-16", "'😀'; foo", "foo is not defined", 0, 0, false, 1, 7},
		{"a name that only generated code holds gives the first token", "\n  for (const x of 5) {}", "value is not iterable", 0, 0, false, 2, 3},
		{"a name that is nowhere gives the first token", " return 1", "foo is not defined", 0, 0, false, 1, 2},
		{"nothing but comments has no place", "// foo", "foo is not defined", 0, 0, false, 0, 0},
		{"a property is found without a position", "const o = null;\nreturn o.total;", "cannot read property 'total' of null", 0, 0, false, 2, 10},
		{"a property after the position of a call before", "f();\nlet a = o.x;\nreturn o.total.y", "cannot read property 'y' of undefined", 1, 1, false, 3, 16},
		{"an optional property", "return o?.a.b", "cannot read property 'b' of undefined", 0, 0, false, 1, 13},
		{"a variable of a property's name is not meant", "total; o.total", "cannot read property 'total' of null", 0, 0, false, 1, 10},
		{"a use before the position is not meant", "o.x;\nf(o.x)", "cannot read property 'x' of null", 2, 1, false, 2, 5},
		{"exact lines are kept", "f(o[k]);\no.x", "cannot read property 'x' of null", 1, 4, true, 1, 4},
		{"on an exact line the column is refined", "null.x", "cannot read property 'x' of null", 1, 5, true, 1, 6},
		{"other messages keep their position", "a.b\nc.d", "not a function", 2, 3, false, 2, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			line, col := Locate(tt.code, tt.message, tt.line, tt.col, tt.sameLine, false)
			if line != tt.wantLine || col != tt.wantCol {
				t.Errorf("Locate(%q, %q, %d, %d) = %d:%d, want %d:%d", tt.code, tt.message, tt.line, tt.col, line, col, tt.wantLine, tt.wantCol)
			}
		})
	}
}
