package entry

import (
	"os"
	"strings"
	"testing"
)

func BenchmarkBuild(b *testing.B) {
	unit, err := os.ReadFile("testdata/sample.js")
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		code string
	}{
		{"tiny", "return 1+1"},
		{"1KB", string(unit)},
		{"10KB", strings.Repeat(string(unit), 10)},
		{"1MB", strings.Repeat(string(unit), 1<<20/len(unit))},
		{"1KB/imports", "import yaml from \"yaml\";\nimport { parse } from \"csv\";\n" + string(unit)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.code)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Build(b.Context(), c.code); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
