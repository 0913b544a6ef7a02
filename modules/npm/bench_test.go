package npm

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"quicksand/modules"
)

// popular is where the root package's test has its packages installed.
const popular = "../../testdata/packs/npm-popular"

func BenchmarkCompile(b *testing.B) {
	if _, err := os.Stat(popular + "/node_modules"); err != nil {
		b.Skip("run npm ci in testdata/packs/npm-popular")
	}
	for _, npm := range []string{"ms", "lodash", "zod", "rxjs"} {
		for _, cached := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/cached=%v", npm, cached), func(b *testing.B) {
				o := Options{Cache: modules.NewCache(b.TempDir())}
				if _, err := Bundle(b.Context(), popular, npm, o); err != nil {
					b.Fatal(err)
				}
				o.Force = !cached
				for b.Loop() {
					if _, err := Bundle(b.Context(), popular, npm, o); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkScan(b *testing.B) {
	line := "export const f%d = (a = {}) => typeof window !== \"undefined\" && window.x ? a.process : [a, \"text\", 1];\n"
	var code strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&code, line, i)
	}
	b.SetBytes(int64(code.Len()))
	for b.Loop() {
		if _, err := scan(code.String()); err != nil {
			b.Fatal(err)
		}
	}
}
