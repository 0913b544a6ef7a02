package npm

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"quicksand/modules"
)

// TestLimitsPage compares LIMITS.md with the code.
func TestLimitsPage(t *testing.T) {
	page, err := os.ReadFile("../../LIMITS.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		fmt.Sprintf("\n| `maxFiles`, `maxTotal` | %d files, %d bytes | What an npm dependency is bundled of; one file is at most %d bytes (`maxFile`) |\n", maxFiles, maxTotal, maxFile),
		fmt.Sprintf("\n| `maxNesting` | %d levels |", maxNesting),
		fmt.Sprintf("\n| `maxNames` | %d exports |", maxNames),
		fmt.Sprintf("\n| `probeLimits` | 5s, %d bytes | Evaluating an npm dependency when it is compiled; its stack is %d bytes |\n", probeLimits.Memory, probeLimits.Stack),
		fmt.Sprintf("\n| `defaultTimeout` | %s |", strings.TrimSuffix(defaultTimeout.String(), "0s")),
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("LIMITS.md has no row that begins %q", want[1:])
		}
	}
}

func TestLimitsOfADependency(t *testing.T) {
	if testing.Short() {
		t.Skip("writes some thousand files")
	}
	many := func(n int) string {
		var text, index strings.Builder
		for i := range n {
			fmt.Fprintf(&index, "import \"./f%d.js\";\n", i)
			fmt.Fprintf(&text, "-- node_modules/dep/f%d.js --\n", i)
		}
		return "-- node_modules/dep/index.js --\n" + index.String() + text.String()
	}
	heavy := func(n int) string {
		var text, index strings.Builder
		for i := range n {
			fmt.Fprintf(&index, "import \"./f%d.js\";\n", i)
			fmt.Fprintf(&text, "-- node_modules/dep/f%d.js --\n//%s\n", i, strings.Repeat("x", maxFile-4))
		}
		return "-- node_modules/dep/index.js --\n" + index.String() + text.String()
	}
	for _, tt := range []struct{ name, files, want string }{
		{"files", many(maxFiles - 1), ""},
		{"one file more", many(maxFiles), "the dependency is too large: it has more than 5000 files"},
		{"bytes of all files", heavy(3), ""},
		{"one file more of that size", heavy(4), "the dependency is too large: its files have more than 33554432 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := bundleOf(t, write(t, t.TempDir(), tt.files), "dep")
			got := ""
			if a.Skip != nil {
				got = a.Skip.Message
			}
			if tt.want == "" && got != "" || !strings.HasSuffix(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestCommonJSHasSoManyNames(t *testing.T) {
	dir := write(t, t.TempDir(), fmt.Sprintf("-- node_modules/dep/index.js --\nfor (let i = 0; i < %d; i++) exports[\"n\" + i] = i\n", maxNames+1))
	a := bundleOf(t, dir, "dep")
	if len(a.Exports) != maxNames+1 { // and the default
		t.Errorf("%d exports", len(a.Exports))
	}
	if got := run(t, a, `import all, { n0 } from "dep"; return [n0, Object.keys(all).length]`); got != fmt.Sprintf("[0,%d]", maxNames+1) {
		t.Errorf("got %s", got)
	}
}

func TestAWrongManifestIsAnError(t *testing.T) {
	dir := write(t, t.TempDir(), "-- package.json --\n{\"name\": \"p\", \"nodetool\": {\"sandboxModules\": [{\"kind\": \"js\", \"npm\": \"dep\"}]}}\n")
	if _, err := Compile(t.Context(), dir, Options{Cache: modules.NewCache(t.TempDir())}); err == nil || strings.Contains(err.Error(), dir) {
		t.Errorf("got %v, want an error that does not tell the directory", err)
	}
	if _, err := Compile(t.Context(), dir+"/absent", Options{}); err == nil || strings.Contains(err.Error(), dir) {
		t.Errorf("got %v", err)
	}
}
