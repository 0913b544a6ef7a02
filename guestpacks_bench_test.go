package quicksand

import (
	"context"
	"testing"

	"quicksand/modules"
)

// BenchmarkGuestPacks is a run that imports one pack and does nothing with it: first in a
// program that has never seen it, which compiles it; then from its bytecode; then in a heap
// that has it evaluated. An empty run is to be subtracted. packs/README.md has the figures.
func BenchmarkGuestPacks(b *testing.B) {
	guestPacks(b)
	catalog, err := modules.Open()
	if err != nil {
		b.Fatal(err)
	}
	set := catalog.Set()
	for _, engine := range engineNames {
		for _, id := range []string{"", "chrono", "color", "dates", "decimal", "diff", "docx", "expr", "gif", "ics", "jmespath", "mammoth", "markdown", "pdflib", "pptxgen", "qr", "rrule", "stats", "yaml"} {
			code, name := "return 1;", "none"
			if id != "" {
				name = id
				code = `import * as m from "@nodetool-ai/sandbox-` + id + `"; return 1;`
			}
			run := func(b *testing.B, s *Sandbox) {
				b.Helper()
				if _, err := s.Run(context.Background(), code, Options{Packs: set}); err != nil {
					b.Fatal(err)
				}
			}
			b.Run(engine+"/"+name+"/first", func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					s := open(b, Config{Engine: engine})
					must(b, s, "return 0;", Options{})
					b.StartTimer()
					run(b, s)
					b.StopTimer()
					s.Close()
					b.StartTimer()
				}
			})
			b.Run(engine+"/"+name+"/cached", func(b *testing.B) {
				s := open(b, Config{Engine: engine})
				defer s.Close()
				run(b, s)
				for b.Loop() {
					run(b, s)
				}
			})
			if id == "" {
				continue
			}
			b.Run(engine+"/"+name+"/warm", func(b *testing.B) {
				s := open(b, Config{Engine: engine, Warm: catalog.Set("@nodetool-ai/sandbox-" + id)})
				defer s.Close()
				run(b, s)
				for b.Loop() {
					run(b, s)
				}
			})
		}
	}
}
