package entry

import (
	"strings"
	"testing"
)

func TestCleanStack(t *testing.T) {
	lines := func(l ...string) string { return "    at " + strings.Join(l, "\n    at ") }
	tests := []struct {
		name, stack string
		want        string
	}{
		{"empty", "", ""},
		{"frames with a column stay", "    at f (main.js:2:1)\n    at g (main.js:3)\n", lines("f (main.js:2:1)", "g (main.js:3)")},
		{"a frame without function", "    at main.js:2:1\n", lines("main.js:2:1")},
		{"an anonymous function stays", "    at <anonymous> (main.js:3:11)\n", lines("<anonymous> (main.js:3:11)")},
		{"a header is dropped", "Error: at f (main.js:1:1)\n    at f (main.js:2:1)\n", lines("f (main.js:2:1)")},
		{"native functions are dropped", "    at map (native)\n    at f (main.js:2:1)\n", lines("f (main.js:2:1)")},
		{"the wrapper is dropped", "    at f (main.js:2:1)\n    at <anonymous> (main.js:0:30)\n    at <anonymous> (main.js)\n    at <anonymous> (main.js:-1:2)", lines("f (main.js:2:1)")},
		{"the host's scripts are dropped", "    at f (<prelude>:2:1)\n    at g (node:vm:1:1)\n    at h (/a/node_modules/b.js:1:1)\n    at f (main.js:2:1)\n", lines("f (main.js:2:1)")},
		{"other modules stay", "    at f (lib:2:1)\n    at g (main.js:3:4)\n", lines("f (lib:2:1)", "g (main.js:3:4)")},
		{"five at most", strings.Repeat("    at f (main.js:2:1)\n", 9), lines("f (main.js:2:1)", "f (main.js:2:1)", "f (main.js:2:1)", "f (main.js:2:1)", "f (main.js:2:1)")},
		{"the user's frames take precedence", strings.Repeat("    at f (lib:2:1)\n", 9) + "    at g (main.js:3:4)\n    at h (mine:1:1)\n", lines("f (lib:2:1)", "f (lib:2:1)", "f (lib:2:1)", "g (main.js:3:4)", "h (mine:1:1)")},
		{"a function name with parentheses", "    at a (b) (main.js:2:1)\n", lines("a (b) (main.js:2:1)")},
		{"a very long line is dropped", "    at " + strings.Repeat("f", 1000) + " (main.js:2:1)\n    at g (main.js:3:4)", lines("g (main.js:3:4)")},
		{"text that is no stack", "hello\nat nothing\n at (\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := CleanStack(tt.stack, "main.js", "mine"); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
	if got := CleanStack(strings.Repeat("x\n", 1<<20), "main.js"); got != "" {
		t.Errorf("huge stack: %q", got)
	}
}

func TestCleanStackOfEntry(t *testing.T) {
	e, err := Build(t.Context(), "f()\ng()")
	if err != nil {
		t.Fatal(err)
	}
	stack := "    at <anonymous> (main.js:3:3)\n    at g (main.js:2:1)\n    at <anonymous> (main.js:0:5)\n"
	if got := e.CleanStack(stack, "main.js"); got != "    at g (main.js:2:1)" {
		t.Errorf("got %q: a frame behind the program is the wrapper's", got)
	}
	if line, col := e.StackPosition(stack, "main.js"); line != 2 || col != 1 {
		t.Errorf("StackPosition = %d:%d, want 2:1", line, col)
	}
}

func TestPosition(t *testing.T) {
	stack := "    at map (native)\n    at f (lib:9:9)\n    at g (main.js:0:1)\n    at h (main.js:4:2)\n    at i (main.js:5:2)\n"
	if line, col := Position(stack, "main.js"); line != 4 || col != 2 {
		t.Errorf("got %d:%d, want 4:2", line, col)
	}
	if line, col := Position(stack, "other.js"); line != 0 || col != 0 {
		t.Errorf("got %d:%d, want 0:0", line, col)
	}
	if line, col := Position("    at f (main.js:7)", "main.js"); line != 7 || col != 0 {
		t.Errorf("got %d:%d, want 7:0", line, col)
	}
}

func TestFrame(t *testing.T) {
	code := "one\ntwo\n\tthree(\n\x1b[31mfour😀;\nfive\n"
	long := strings.Repeat("x", 500) + "HERE" + strings.Repeat("y", 500)
	tests := []struct {
		name, code string
		line, col  int
		want       string
	}{
		{"the first line", code, 1, 1, "> 1 | one\n    | ^\n  2 | two\n  3 |     three(\n"},
		{"a tab before the caret", code, 3, 7, "  1 | one\n  2 | two\n> 3 |     three(\n    |          ^\n  4 | \\x1b[31mfour😀;\n  5 | five\n"},
		{"control characters and wide characters", code, 4, 12, "  2 | two\n  3 |     three(\n> 4 | \\x1b[31mfour😀;\n    |              ^\n  5 | five\n"},
		{"no column", "a", 1, 0, "> 1 | a\n"},
		{"a column behind the line", "ab", 1, 99, "> 1 | ab\n    |   ^\n"},
		{"CR LF and U+2028", "a\r\nb\u2028c", 3, 1, "  1 | a\n  2 | b\n> 3 | c\n    | ^\n"},
		{"line numbers are aligned", strings.Repeat("\n", 8) + "a\nb", 9, 1, "   7 |\n   8 |\n>  9 | a\n     | ^\n  10 | b\n"},
		{"a line that does not exist", "a", 3, 1, ""},
		{"line 0", "a", 0, 1, ""},
		{"the end of a program that ends in a line feed", "a\n", 2, 1, "  1 | a\n> 2 |\n    | ^\n"},
		{"an empty program", "", 1, 1, "> 1 |\n    | ^\n"},
		{"a long line is cut", long, 1, 501, "> 1 | …" + strings.Repeat("x", 69) + "HERE" + strings.Repeat("y", 25) + "…\n    | " + strings.Repeat(" ", 70) + "^\n"},
		{"a long line is cut at its end", long, 1, 1, "> 1 | " + strings.Repeat("x", 99) + "…\n    | ^\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Frame(tt.code, tt.line, tt.col); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestLevelMessage(t *testing.T) {
	for in, want := range map[string]string{
		"'x' is not defined":         "x is not defined",
		"x is not defined":           "x is not defined",
		"'größe' is not initialized": "größe is not initialized",
		"'x' and 'y' is not defined": "'x' and 'y' is not defined",
		"stack overflow":             "Maximum call stack size exceeded",
		"not a function":             "not a function",
		"":                           "",
		"'":                          "'",
		"' is not defined":           "' is not defined",
	} {
		if got := LevelMessage(in); got != want {
			t.Errorf("LevelMessage(%q) = %q, want %q", in, got, want)
		}
	}
}
