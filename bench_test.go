package quicksand

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quicksand/bridges/stream"
)

// Each benchmark runs on both engines. Figures and their conditions are in DESIGN.md.
func eachEngineBench(b *testing.B, f func(b *testing.B, s *Sandbox)) {
	for _, name := range engineNames {
		b.Run(name, func(b *testing.B) {
			s := open(b, Config{Engine: name})
			b.Cleanup(func() { s.Close() })
			must(b, s, "return 1+1", Options{})
			b.ReportAllocs()
			f(b, s)
		})
	}
}

// BenchmarkRunCached is a whole run of a program that is in the cache.
func BenchmarkRunCached(b *testing.B) {
	eachEngineBench(b, func(b *testing.B, s *Sandbox) {
		for b.Loop() {
			if _, err := s.Run(context.Background(), "return 1+1", Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkRunFirst is a whole run of a program that was never seen.
func BenchmarkRunFirst(b *testing.B) {
	eachEngineBench(b, func(b *testing.B, s *Sandbox) {
		i := 0
		for b.Loop() {
			i++
			if _, err := s.Run(context.Background(), fmt.Sprintf("return 1+%d", i), Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// inGuest runs code once, which loops inputs.n times, and reports the time of one turn.
func inGuest(b *testing.B, s *Sandbox, code string, o Options) {
	const turns = 5000
	o.Inputs = map[string]any{"n": turns}
	for b.Loop() {
		must(b, s, code, o)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/turns, "ns/call")
}

// BenchmarkSyncCall is a synchronous call through the prelude to the host and back.
func BenchmarkSyncCall(b *testing.B) {
	eachEngineBench(b, func(b *testing.B, s *Sandbox) {
		inGuest(b, s, "for (let i = 0; i < inputs.n; i++) crypto.randomUUID()", Options{})
	})
}

// BenchmarkLog is a console line that the host collects.
func BenchmarkLog(b *testing.B) {
	eachEngineBench(b, func(b *testing.B, s *Sandbox) {
		inGuest(b, s, "for (let i = 0; i < inputs.n; i++) console.log('a line')", Options{})
	})
}

// BenchmarkAsyncCall is an awaited call of a Go function on a goroutine of its own.
func BenchmarkAsyncCall(b *testing.B) {
	eachEngineBench(b, func(b *testing.B, s *Sandbox) {
		f := Func(func(context.Context, []Value) (any, error) { return nil, nil })
		inGuest(b, s, "for (let i = 0; i < inputs.n; i++) await f(i)", Options{Globals: map[string]any{"f": f}})
	})
}

// BenchmarkAsyncCallsAtOnce are calls of a Go function that are awaited together.
func BenchmarkAsyncCallsAtOnce(b *testing.B) {
	eachEngineBench(b, func(b *testing.B, s *Sandbox) {
		f := Func(func(context.Context, []Value) (any, error) { return nil, nil })
		inGuest(b, s, "const p = []; for (let i = 0; i < inputs.n; i++) p.push(f(i)); await Promise.all(p)", Options{Globals: map[string]any{"f": f}})
	})
}

// BenchmarkRows takes 5 000 rows of 8 fields from Go maps to the guest and back to Go maps.
func BenchmarkRows(b *testing.B) {
	rows := make([]any, 5000)
	for i := range rows {
		rows[i] = map[string]any{"id": i, "customer": fmt.Sprintf("Customer %d", i%700), "city": "Zürich", "amount": float64(i) * 1.25, "paid": i%3 == 0,
			"note": nil, "code": fmt.Sprintf("A-%05d", i), "quantity": i % 17}
	}
	o := Options{Inputs: map[string]any{"rows": rows}, Limits: Limits{OutputSize: 10 << 20}}
	eachEngineBench(b, func(b *testing.B, s *Sandbox) {
		for b.Loop() {
			res := must(b, s, "return inputs.rows", o)
			if got := res.Value.Any().([]any); len(got) != len(rows) || len(got[4999].(map[string]any)) != 8 {
				b.Fatalf("got %d rows", len(got))
			}
		}
	})
}

// BenchmarkBytes takes 16 MB into the guest and out again.
func BenchmarkBytes(b *testing.B) {
	data := make([]byte, 16<<20)
	o := Options{Inputs: map[string]any{"data": data}}
	eachEngineBench(b, func(b *testing.B, s *Sandbox) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			res := must(b, s, "return inputs.data", o)
			if got, ok := res.Value.Bytes(); !ok || len(got) != len(data) {
				b.Fatal("lost bytes")
			}
		}
	})
}

// BenchmarkParallel is how many times the runs per second of one goroutine two of them do,
// by the length of a run and the number of Ps: "scaling" is the ratio of the medians of
// samples that alternate, so that a change of the machine's speed meets both. See "Why does
// the cgo engine want one spare P?" in DESIGN.md.
func BenchmarkParallel(b *testing.B) {
	programs := []struct{ name, code string }{
		{"20us", "return 1+1"},
		{"100us", "let n = 0; for (let i = 0; i < 2000; i++) n = (n * 31 + i) % 65521; return n"},
		{"10ms", "let n = 0; for (let i = 0; i < 250000; i++) n = (n * 31 + i) % 65521; return n"},
	}
	for _, procs := range []int{2, 3} {
		for _, p := range programs {
			b.Run(fmt.Sprintf("procs=%d/%s", procs, p.name), func(b *testing.B) {
				before := runtime.GOMAXPROCS(procs)
				b.Cleanup(func() { runtime.GOMAXPROCS(before) })
				eachEngineBench(b, func(b *testing.B, s *Sandbox) { parallel(b, s, p.code) })
			})
		}
	}
}

func parallel(b *testing.B, s *Sandbox, code string) {
	const sample = 20 * time.Millisecond
	must(b, s, code, Options{})
	start := time.Now()
	must(b, s, code, Options{})
	runs := max(2, int(sample/time.Since(start)))
	// each is the time per run when n goroutines do runs of them each.
	each := func(n int) float64 {
		var wg sync.WaitGroup
		start := time.Now()
		for range n {
			wg.Go(func() {
				for range runs {
					if _, err := s.Run(context.Background(), code, Options{}); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		return float64(time.Since(start)) / float64(n*runs)
	}
	var one, two []float64
	for b.Loop() {
		one, two = append(one, each(1)), append(two, each(2))
	}
	slices.Sort(one)
	slices.Sort(two)
	b.ReportMetric(0, "ns/op") // an iteration is a pair of samples
	b.ReportMetric(one[len(one)/2]/two[len(two)/2], "scaling")
	b.ReportMetric(one[len(one)/2]/1e3, "µs/run")
}

// BenchmarkInput is one step of a loop over an input stream.
func BenchmarkInput(b *testing.B) {
	sources := map[string]func(n int) stream.Source{
		"lines": func(n int) stream.Source { return stream.Lines("a", strings.NewReader(strings.Repeat("1\n", n))) },
		"channel": func(n int) stream.Source {
			c := make(chan any, n)
			for i := range n {
				c <- i
			}
			close(c)
			return stream.Channels(map[string]<-chan any{"a": c}, nil)
		},
		"sequence": func(n int) stream.Source { return stream.Values("a", make([]int, n)...) },
	}
	for _, name := range engineNames {
		for _, kind := range sortedKeys(sources) {
			b.Run(name+"/"+kind, func(b *testing.B) {
				s := sharedSandbox(b, name)
				o := Options{Input: sources[kind](b.N), Limits: Limits{Timeout: time.Hour}}
				b.ReportAllocs()
				b.ResetTimer()
				must(b, s, "for await (const v of stream('a'));", o)
			})
		}
	}
}

// BenchmarkIterate is one value on its way from an awaited emit to the host's loop.
func BenchmarkIterate(b *testing.B) {
	for _, name := range engineNames {
		b.Run(name, func(b *testing.B) {
			s := sharedSandbox(b, name)
			b.ReportAllocs()
			for n := 0; n < b.N; {
				for _, err := range s.Iterate(context.Background(), "for (let i = 0; i < 10000; i++) await emit('a', i)", Options{}).All() {
					if err != nil {
						b.Fatal(err)
					}
					if n++; n == b.N {
						break
					}
				}
			}
		})
	}
}
