package npm

import (
	"os"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

func TestMatchGlob(t *testing.T) {
	for _, tt := range []struct {
		pattern, path string
		want          bool
	}{
		{"a.js", "a.js", true},
		{"a.js", "b.js", false},
		{"*.css", "a.css", true},
		{"*.css", "x/a.css", false},
		{"**/*.css", "x/y/a.css", true},
		{"**/*.css", "a.css", true},
		{"**/a.css", "xa.css", false},
		{"src/**", "src/a/b.js", true},
		{"src/**/b.js", "src/b.js", true},
		{"src/**/b.js", "src/a/c/b.js", true},
		{"src/**/b.js", "src/ab.js", false},
		{"src/*", "src/a/b.js", false},
		{"?.js", "a.js", true},
		{"?.js", "/.js", false},
		{"", "", true},
		{"*", "", true},
		{"{a,b}.js", "c.js", true}, // not understood
		{strings.Repeat("*a", 200), strings.Repeat("a", 2000) + "b", false},
	} {
		if got := matchGlob(tt.pattern, tt.path); got != tt.want {
			t.Errorf("%q matches %q: got %v", cut(tt.pattern, 40), cut(tt.path, 40), got)
		}
	}
}

func TestTame(t *testing.T) {
	for _, tt := range []struct{ name, code, want string }{
		{"literals stay", `require("a"); import("b"); import('c'); require(` + "`d`)", ""},
		{"a name", `require(x)`, `__quicksand_require(x)`},
		{"a pattern", `a = require("../../" + x + "/y")`, `a = __quicksand_require("../../" + x + "/y")`},
		{"a template", "import(`./${x}.js`)", "__quicksand_import(`./${x}.js`)"},
		{"with a comment in between", `require/* ( */("./" + x)`, `__quicksand_require/* ( */("./" + x)`},
		{"in escapes", `r\u0065quire("./" + x)`, `__quicksand_require("./" + x)`},
		{"after other lines, of all kinds", "\r\n\u2028\"ü😀\"; import(x);\nrequire(y)", "\r\n\u2028\"ü😀\"; __quicksand_import(x);\n__quicksand_require(y)"},
		{"several in a line", `[require(x), "é", import(y), require("z")]`, `[__quicksand_require(x), "é", __quicksand_import(y), require("z")]`},
		{"one in another", `require(require(x))`, `__quicksand_require(__quicksand_require(x))`},
		{"a variable of that name", `function f(require) { return require("./" + x) }`, ""},
		{"text is text", `"require(x) import(y)"`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want == "" {
				want = tt.code
			}
			got, err := tame(tt.code, api.LoaderJS)
			if err != nil || got != want {
				t.Errorf("got %q, %v, want %q", got, err, want)
			}
		})
	}
}

func TestSourceMap(t *testing.T) {
	m := parseSourceMap([]byte(`{"version":3,"sources":["a.js","b.js"],"mappings":"AAAA,IAAI;;ACEJ,CAAgB"}`))
	for _, tt := range []struct {
		line, column     int
		source           string
		toLine, toColumn int
		ok               bool
	}{
		{0, 0, "a.js", 0, 0, true},
		{0, 3, "a.js", 0, 0, true},
		{0, 4, "a.js", 0, 4, true},
		{0, 99, "a.js", 0, 4, true},
		{1, 0, "", 0, 0, false},
		{2, 0, "b.js", 2, 0, true},
		{2, 5, "b.js", 2, 16, true},
		{3, 0, "", 0, 0, false},
	} {
		source, line, column, ok := m.find(tt.line, tt.column)
		if source != tt.source || line != tt.toLine || column != tt.toColumn || ok != tt.ok {
			t.Errorf("%d:%d is %s:%d:%d %v", tt.line, tt.column, source, line, column, ok)
		}
	}
	for _, bad := range []string{"", "{", `{"mappings":"!!!"}`, `{"mappings":"AAAA"}`, `{"sources":["a"],"mappings":"gggggggggggggggggggA,AC"}`} {
		broken := parseSourceMap([]byte(bad))
		if _, _, _, ok := broken.find(0, 0); ok {
			t.Errorf("%q leads somewhere", bad)
		}
	}
}

func TestBundlerIsTheOneInUse(t *testing.T) {
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if _, version, _ := strings.Cut(Bundler, " "); !strings.Contains(string(text), "github.com/evanw/esbuild v"+version+"\n") {
		t.Errorf("Bundler is %s, which go.mod does not require", Bundler)
	}
}
