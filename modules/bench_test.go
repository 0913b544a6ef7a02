package modules

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// BenchmarkOpen reads 50 packs of three files with 60 KB of code each.
func BenchmarkOpen(b *testing.B) {
	packs := make(map[string]fstest.MapFS)
	code := strings.Repeat("export function f(a, b) { return a / b + `${a}` }\n", 400)
	for i := range 50 {
		name := fmt.Sprint("p", i)
		packs[name] = with(geo(), map[string]string{
			"package.json":   strings.Replace(string(geo()["package.json"].Data), "@acme/geo", name, 1),
			"sandbox/geo.js": "import './in/round.js'\n" + code, "sandbox/extra.js": code, "sandbox/in/round.js": code,
		})
	}
	root := install(b, packs)
	for b.Loop() {
		cat, err := Config{Dirs: []string{root}, Bare: true, Compiled: artifacts{}}.Open()
		if err != nil || len(cat.specs) != 100 {
			b.Fatal(err, len(cat.specs))
		}
	}
	b.SetBytes(int64(50 * 3 * len(code)))
}

// BenchmarkSetLookup is what a run pays for each import.
func BenchmarkSetLookup(b *testing.B) {
	root := b.TempDir()
	if err := os.CopyFS(root, geo()); err != nil {
		b.Fatal(err)
	}
	set := bare(b, Config{Dirs: []string{root}}).Set()
	for b.Loop() {
		if set.Lookup("@acme/geo/extra") == nil {
			b.Fatal("not found")
		}
	}
}
