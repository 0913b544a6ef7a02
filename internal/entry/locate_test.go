package entry

import "testing"

func TestLocate(t *testing.T) {
	tests := []struct {
		name, code, message string
		line, col           int
	}{
		{"a missing name is found", "const a = 1\nreturn a + foo", "foo is not defined", 2, 12},
		{"the other lineage quotes the name", "return foo", "'foo' is not defined", 1, 8},
		{"a property of the same name is not meant", "return {}.foo + foo", "foo is not defined", 1, 17},
		{"text in strings and comments is not meant", "/* foo */ 'foo'; return foo", "foo is not defined", 1, 25},
		{"a name in its temporal dead zone", "\n x; let x", "x is not initialized", 2, 2},
		{"columns count UTF-16", "'😀'; foo", "foo is not defined", 1, 7},
		{"a name that only generated code holds gives the first token", "\n  for (const x of 5) {}", "value is not iterable", 2, 3},
		{"a name that is nowhere gives the first token", " return 1", "foo is not defined", 1, 2},
		{"nothing but comments has no place", "// foo", "foo is not defined", 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if line, col := Locate(tt.code, tt.message, false); line != tt.line || col != tt.col {
				t.Errorf("Locate(%q, %q) = %d:%d, want %d:%d", tt.code, tt.message, line, col, tt.line, tt.col)
			}
		})
	}
}
