package enginetest_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"quicksand/engine"
	"quicksand/engine/enginetest"
	"quicksand/internal/marshal"
	"quicksand/internal/prelude"
)

// raw runs a script on the same engine code through the wrapper that others use, or
// through the bare C API where there is none: no arena, no image, no limits.
type raw func(tb testing.TB, code string) (run func() error)

// raws are by the name of the engine.
var raws = map[string]raw{}

func benchEngines(b *testing.B, f func(*testing.B, engine.Engine)) {
	for _, o := range engines {
		e := open(b, o)
		b.Run(e.Name(), func(b *testing.B) { f(b, e) })
	}
}

// quietHost answers every call with the same message and takes no copies.
type quietHost struct{ reply engine.Reply }

func (h quietHost) Call(uint32, marshal.Message) engine.Reply { return h.reply }
func (quietHost) Flush()                                      {}
func (quietHost) Resolve(_, s string) (engine.Import, error) {
	return engine.Import{}, fmt.Errorf("no module %q", s)
}

// finish pumps a started run to its end; calls are settled with reply.
func finish(b *testing.B, iso engine.Isolate, status engine.Status, err error, reply engine.Reply) {
	var calls []engine.Call
	for err == nil && status == engine.Waiting {
		if status, err = iso.Pump(); err == nil && status == engine.Waiting {
			calls = iso.Calls(calls[:0])
			for _, c := range calls {
				iso.Settle(c.ID, reply)
			}
		}
	}
	if err != nil || status != engine.Done {
		b.Fatal(status, err, iso.Failure().Kind, enginetest.Dump(iso.Failure().Thrown))
	}
}

// fullIsolate has the whole prelude, as a sandbox has it.
func fullIsolate(b *testing.B, e engine.Engine) engine.Isolate {
	compile := func(name, code string) engine.Program {
		p, err := e.Compile(context.Background(), engine.Source{Name: name, Code: code, Kind: engine.Script})
		if err != nil {
			b.Fatal(err)
		}
		return p
	}
	img := engine.Image{Prelude: compile(prelude.Name, prelude.Source(nil))}
	for _, u := range prelude.Units(nil) {
		img.Units = append(img.Units, compile(u.Name, u.Code))
	}
	iso, err := e.NewIsolate(img)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { iso.Close() })
	return iso
}

// BenchmarkRestore is Reset of an isolate with the whole prelude.
func BenchmarkRestore(b *testing.B) {
	benchEngines(b, func(b *testing.B, e engine.Engine) {
		iso := fullIsolate(b, e)
		iso.Reset(engine.Settings{})
		heap := iso.Usage().HeapUsed
		for b.Loop() {
			iso.Reset(engine.Settings{})
		}
		b.ReportMetric(float64(heap), "heap-bytes")
	})
}

// BenchmarkTrivialRun is a run of a compiled "export default 1 + 1" from Reset to
// Result: with the hooks alone, and with the whole prelude.
func BenchmarkTrivialRun(b *testing.B) {
	benchEngines(b, func(b *testing.B, e engine.Engine) {
		p := enginetest.MustCompile(b, e, "main.js", "export default 1 + 1")
		for name, iso := range map[string]engine.Isolate{"hooks": enginetest.NewWorld(b, e).Iso, "full": fullIsolate(b, e)} {
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					iso.Reset(engine.Settings{})
					s, err := iso.Start(p, quietHost{})
					finish(b, iso, s, err, engine.Reply{})
					if _, s, err := iso.Result(engine.Strict); err != nil || s != engine.Done {
						b.Fatal(s, err)
					}
				}
			})
		}
	})
}

// perCall runs a program that makes n calls and reports the time of one.
func perCall(b *testing.B, e engine.Engine, n int, code string, reply engine.Reply) {
	iso := enginetest.NewWorld(b, e).Iso
	p := enginetest.MustCompile(b, e, "main.js", code)
	for b.Loop() {
		iso.Reset(engine.Settings{})
		s, err := iso.Start(p, quietHost{reply})
		finish(b, iso, s, err, reply)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/call")
}

var string100 = marshal.Message{Wire: append([]byte{marshal.TagString, 100}, make([]byte, 100)...)}

func init() {
	for i := range 100 {
		string100.Wire[2+i] = 'x'
	}
}

// BenchmarkSyncCall is one synchronous host call; its loop in the guest counts.
func BenchmarkSyncCall(b *testing.B) {
	benchEngines(b, func(b *testing.B, e engine.Engine) {
		b.Run("none", func(b *testing.B) {
			perCall(b, e, 10000, `const n = native; (() => { for (let i = 0; i < 10000; i++) n(64); })(); export default 1`, engine.Reply{})
		})
		b.Run("string100", func(b *testing.B) {
			perCall(b, e, 10000, `const n = native, s = "x".repeat(100); (() => { for (let i = 0; i < 10000; i++) n(64, s); })(); export default 1`, engine.Reply{Value: string100})
		})
	})
}

// BenchmarkAsyncCall is one awaited asynchronous call, with a string of 100 bytes out and in.
func BenchmarkAsyncCall(b *testing.B) {
	benchEngines(b, func(b *testing.B, e engine.Engine) {
		b.Run("awaited", func(b *testing.B) {
			perCall(b, e, 2000, `const n = native, s = "x".repeat(100); for (let i = 0; i < 2000; i++) await n(65536, s); export default 1`, engine.Reply{Value: string100})
		})
		b.Run("all", func(b *testing.B) {
			perCall(b, e, 2000, `const n = native, s = "x".repeat(100), p = []; for (let i = 0; i < 2000; i++) p.push(n(65536, s)); await Promise.all(p); export default 1`, engine.Reply{Value: string100})
		})
	})
}

func rows5000() []any {
	rows := make([]any, 5000)
	for i := range rows {
		rows[i] = map[string]any{"id": i, "customer": fmt.Sprintf("Customer %d", i%700), "region": []string{"north", "south", "east", "west"}[i%4],
			"amount": float64(i%1000) * 1.25, "quantity": i % 17, "date": "2026-01-15T10:00:00Z", "paid": i%3 == 0, "note": fmt.Sprintf("order number %d of the year", i)}
	}
	return rows
}

// BenchmarkRows5000x8 sends 5 000 rows of 8 fields from Go maps to the guest and back
// to Go maps.
func BenchmarkRows5000x8(b *testing.B) {
	benchEngines(b, func(b *testing.B, e engine.Engine) {
		iso := enginetest.NewWorld(b, e).Iso
		p := enginetest.MustCompile(b, e, "main.js", `export default native(64);`)
		rows := rows5000()
		b.ReportAllocs()
		for b.Loop() {
			m, err := marshal.Encode(rows, marshal.EncodeOptions{})
			if err != nil {
				b.Fatal(err)
			}
			iso.Reset(engine.Settings{})
			s, err := iso.Start(p, quietHost{engine.Reply{Value: m}})
			finish(b, iso, s, err, engine.Reply{})
			out, s, err := iso.Result(engine.Strict)
			if err != nil || s != engine.Done {
				b.Fatal(s, err)
			}
			v, err := marshal.Decode(out)
			if err != nil {
				b.Fatal(err)
			}
			if list, ok := v.Any().([]any); !ok || len(list) != 5000 {
				b.Fatalf("%T", v.Any())
			}
		}
	})
}

// BenchmarkBytes16MB sends 16 MB to the guest and back.
func BenchmarkBytes16MB(b *testing.B) {
	benchEngines(b, func(b *testing.B, e engine.Engine) {
		iso := enginetest.NewWorld(b, e).Iso
		in := engine.Reply{Value: marshal.Message{Wire: []byte{marshal.TagBlob, 0, 0}, Blobs: [][]byte{make([]byte, 16<<20)}}}
		for name, code := range map[string]string{"in": `native(64); export default 1`, "out": `export default new Uint8Array(16 << 20)`, "both": `export default native(64)`} {
			p := enginetest.MustCompile(b, e, "main.js", code)
			b.Run(name, func(b *testing.B) {
				b.SetBytes(16 << 20)
				for b.Loop() {
					iso.Reset(engine.Settings{})
					s, err := iso.Start(p, quietHost{in})
					finish(b, iso, s, err, engine.Reply{})
					if _, s, err := iso.Result(engine.Strict); err != nil || s != engine.Done {
						b.Fatal(s, err)
					}
				}
			})
		}
	})
}

var loops = []struct{ name, code string }{
	{"fib27", `function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } return fib(27);`},
	{"json", `const o = { list: Array.from({ length: 200 }, (_, i) => ({ id: i, name: "item " + i, price: i * 1.5, tags: ["a", "b"] })) }; let n = 0; for (let i = 0; i < 30; i++) n += JSON.parse(JSON.stringify(o)).list.length; return n;`},
	{"regex", `const s = "the quick brown fox 12345 jumps over 67 lazy dogs and mail@example.com ".repeat(40); let n = 0; for (let i = 0; i < 15; i++) { n += s.match(/\w+@\w+\.\w+/g).length + s.replace(/(\d+)/g, "<$1>").length; } return n;`},
	{"strings", `let n = 0; for (let k = 0; k < 20; k++) { let s = ""; for (let i = 0; i < 5000; i++) s += "part " + i + ","; n += s.split(",").length; } return n;`},
	{"sort", `let x = 12345; const a = Array.from({ length: 20000 }, () => (x = (x * 1103515245 + 12345) % 2147483648)); a.sort((p, q) => p - q); return a[100] + a[19999];`},
}

// BenchmarkCPU runs loops that compute, by turns in an isolate and raw. The metric
// raw/own is the median of the raw times over the median of ours: 1 means that the
// arena and the stops cost nothing.
func BenchmarkCPU(b *testing.B) {
	benchEngines(b, func(b *testing.B, e engine.Engine) {
		for _, l := range loops {
			b.Run(l.name, func(b *testing.B) {
				iso := enginetest.NewWorld(b, e).Iso
				p := enginetest.MustCompile(b, e, "main.js", "export default (function () { "+l.code+" })();")
				var run func() error
				if r := raws[e.Name()]; r != nil {
					run = r(b, "(function () { "+l.code+" })()")
				}
				var own, bare []time.Duration
				for b.Loop() {
					begin := time.Now()
					iso.Reset(engine.Settings{})
					s, err := iso.Start(p, quietHost{})
					finish(b, iso, s, err, engine.Reply{})
					own = append(own, time.Since(begin))
					if run != nil {
						begin = time.Now()
						if err := run(); err != nil {
							b.Fatal(err)
						}
						bare = append(bare, time.Since(begin))
					}
				}
				b.ReportMetric(float64(median(own).Microseconds())/1000, "own-ms")
				if run != nil {
					b.ReportMetric(float64(median(bare).Microseconds())/1000, "raw-ms")
					b.ReportMetric(float64(median(bare))/float64(median(own)), "raw/own")
				}
			})
		}
	})
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}
