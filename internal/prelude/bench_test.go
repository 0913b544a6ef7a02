package prelude_test

import (
	"testing"

	"quicksand/engine"
	"quicksand/internal/prelude"
)

// BenchmarkGuest runs programs that repeat one act; the unit is one act, the run's own
// cost spread over them.
func BenchmarkGuest(b *testing.B) {
	acts := []struct {
		name, act string
		n         int
	}{
		{"log of a string and a number", `console.log("row", i);`, 2000},
		{"log of an object", `console.log({ id: i, name: "two", tags: ["a", "b"], more: { x: null } });`, 200},
		{"first log of an object", `console.log({ id: i });`, 1},
		{"toBase64 of a short string", `toBase64("hello world");`, 2000},
		{"host function awaited", `await lookup(i);`, 500},
		{"URL parsed", `new URL("https://example.com/path?x=1");`, 500},
		{"TextDecoder decode of 1 KB", `d.decode(bytes);`, 2000},
		{"parallelMap item", `await parallelMap(rows, f);`, 20},
	}
	for _, open := range engines {
		eng := open(b)
		w := newWorld(b, eng)
		lookup := hookCall{"defineGlobals", encode(object("lookup", hostFunc))}
		for _, a := range acts {
			b.Run(eng.Name()+"/"+a.name, func(b *testing.B) {
				body := `const bytes = new Uint8Array(1024).fill(65), d = new TextDecoder(), rows = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], f = async (x) => x;
					for (let i = 0; i < n; i++) { ` + a.act + ` }`
				for done := 0; done < b.N; done += a.n {
					b.StopTimer()
					n := encode(object("n", float64(a.n)))
					b.StartTimer()
					w.run(b, body, lookup, hookCall{"defineGlobals", n})
				}
			})
		}
	}
}

// BenchmarkReset copies the image back, the prelude in it.
func BenchmarkReset(b *testing.B) {
	for _, open := range engines {
		eng := open(b)
		w := newWorld(b, eng)
		b.Run(eng.Name(), func(b *testing.B) {
			for b.Loop() {
				if err := w.iso.Reset(engine.Settings{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(w.iso.Usage().HeapUsed), "image-bytes")
		})
	}
}

// TestImageIsSmall holds the image to the size that a reset can copy in its time.
func TestImageIsSmall(t *testing.T) {
	onEngines(t, func(t *testing.T, w *world) {
		if err := w.iso.Reset(engine.Settings{}); err != nil {
			t.Fatal(err)
		}
		const limit = 330 << 10
		used := w.iso.Usage().HeapUsed
		t.Logf("%s: %d bytes with a prelude of %d bytes of source", w.eng.Name(), used, len(prelude.Source(nil)))
		if used > limit {
			t.Errorf("the image holds %d bytes, want at most %d", used, limit)
		}
	})
}
