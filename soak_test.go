package quicksand

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// soakHostile are programs that end badly in every way there is, quickly.
var soakHostile = []struct {
	code  string
	kinds []string
}{
	{"for (;;);", []string{"timeout"}},
	{"[].indexOf.call({ length: 2 ** 53 - 1 }, 1)", []string{"timeout"}},
	{"const a = []; for (;;) a.push({})", []string{"memory", "timeout"}},
	{"const a = []; for (;;) a.push(new Uint8Array(1 << 16))", []string{"memory", "timeout"}},
	{"function f() { f() } f()", []string{"stack", "timeout"}},
	{"await new Promise(() => {})", []string{"stalled"}},
	{"throw new Error('x'.repeat(1000))", []string{"guest"}},
	{"return 1 +", []string{"syntax"}},
	{"for (let i = 0; i < 50; i++) wait(); return 1", []string{"value"}},
	{"for (;;) await null", []string{"timeout"}},
	{"await boom()", []string{"guest"}},
	{"import 'nope'", []string{"denied"}},
	{"for (;;) console.log('x'.repeat(10000))", []string{"timeout", "memory"}},
	{"const o = {}; o.o = o; const m = new Map([[o, o]]); await output('x', m); return m", []string{"value"}},
	{"let s = 'x'; for (;;) s += s", []string{"guest", "memory", "timeout"}},
	{"for (;;) emit('x', new Uint8Array(1000))", []string{"guest", "memory", "timeout"}},
}

// process is what a leak shows in.
type process struct {
	resident                 int64
	goroutines, threads, fds int
}

func processNow(t testing.TB) process {
	t.Helper()
	runtime.GC()
	debug.FreeOSMemory()
	p := process{resident: residentSet(t), goroutines: runtime.NumGoroutine(), threads: int(status(t, "Threads:"))}
	if list, err := os.ReadDir("/proc/self/fd"); err == nil {
		p.fds = len(list)
	}
	return p
}

// TestSoak runs many programs, a tenth of them hostile, on four goroutines.
func TestSoak(t *testing.T) {
	runs := 10_000
	if testing.Short() {
		runs = 300
	}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		box := own(t, s, Config{Isolates: 2, CacheSize: 1 << 20})
		good := func(i int) error {
			o := Options{
				Inputs:  map[string]any{"i": i, "rows": []any{map[string]any{"n": i}, []byte("bytes")}},
				Globals: map[string]any{"twice": func(n int) int { return 2 * n }, "state": map[string]any{"n": i}},
			}
			code := "state.n++; console.log(inputs.i); return [await twice(inputs.i), inputs.rows[0].n, toHex(inputs.rows[1]), typeof leak, globalThis.leak = 1]"
			if i%5 == 0 {
				code += fmt.Sprintf(" // %d", i) // not in the cache
			}
			res, err := box.Run(context.Background(), code, o)
			if err != nil {
				return err
			}
			if got, want := res.Value.String(), fmt.Sprintf(`[%d,%d,"6279746573","undefined",1]`, 2*i, i); got != want {
				return fmt.Errorf("got %s, want %s", got, want)
			}
			if got := res.Globals["state"].Field("n").String(); got != fmt.Sprint(i+1) {
				return fmt.Errorf("global state.n is %s, want %d", got, i+1)
			}
			return nil
		}
		bad := func(i int) error {
			h := soakHostile[i%len(soakHostile)]
			o := Options{Limits: Limits{Timeout: 25 * time.Millisecond, Memory: 8 << 20}, Globals: map[string]any{
				"wait": func(ctx context.Context) { <-ctx.Done() },
				"boom": func() { panic("boom") },
			}}
			_, err := box.Run(context.Background(), h.code, o)
			kind := kindOf(err)
			for _, k := range append(h.kinds, "timeout") { // a run may wait for the machine for longer than its budget
				if k == kind {
					return nil
				}
			}
			return fmt.Errorf("%s: got %v, want %v", h.code, err, h.kinds)
		}
		batch := func(from, to int) {
			var next atomic.Int64
			next.Store(int64(from))
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					for {
						i := int(next.Add(1)) - 1
						if i >= to || t.Failed() {
							return
						}
						err := error(nil)
						if i%10 == 3 {
							err = bad(i / 10)
						} else {
							err = good(i)
						}
						if err != nil {
							t.Errorf("run %d: %v", i, err)
						}
					}
				})
			}
			wg.Wait()
		}
		warm := runs / 5
		batch(0, warm)
		before := processNow(t)
		batch(warm, runs)
		after := processNow(t)
		st := box.Stats()
		t.Logf("%d runs: resident %d → %d KB, goroutines %d → %d, threads %d → %d, files %d → %d; %+v", runs, before.resident>>10, after.resident>>10,
			before.goroutines, after.goroutines, before.threads, after.threads, before.fds, after.fds, st)
		if grown := after.resident - before.resident; grown > 16<<20 && !raceEnabled {
			t.Errorf("resident memory grew by %d KB", grown>>10)
		}
		if after.goroutines > before.goroutines+2 || after.threads > before.threads+6 || after.fds > before.fds+1 {
			t.Errorf("grew from %+v to %+v", before, after)
		}
		if st.Faults != 0 || st.Isolates > 2 || st.Runs != int64(runs) {
			t.Errorf("got %+v", st)
		}
	})
}

// TestManyAtOnce is for the race detector: everything that runs share, at the same time.
func TestManyAtOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		shared := map[string]any{"list": []any{1, 2, 3}, "bytes": make([]byte, 1<<17)}
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Go(func() {
				for i := range 10 {
					var lines atomic.Int64
					ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
					res, err := s.Run(ctx, "console.log(g.list.length); progress(1); await emit('e', g.bytes.length); const r = await Promise.all([1, 2, 3].map((n) => f(n, g.bytes))); await sleep(1); return r", Options{
						Globals:    map[string]any{"g": shared, "f": func(ctx context.Context, n int, b []byte) int { defer SuspendClock(ctx)(); return n * len(b) }},
						OnLog:      func(string, string) { lines.Add(1) },
						OnProgress: func(float64, string) {},
						OnEmit:     func(context.Context, string, Value) error { return nil },
					})
					cancel()
					if err != nil || res.Value.String() != "[131072,262144,393216]" || lines.Load() != 1 {
						t.Errorf("goroutine %d, run %d: %v, %v", g, i, res, err)
					}
				}
			})
		}
		for range 3 {
			wg.Go(func() {
				for range 20 {
					s.Stats()
					ctx, cancel := context.WithCancel(context.Background())
					time.AfterFunc(time.Millisecond, cancel)
					if _, err := s.Run(ctx, "for (;;) await sleep(0)", Options{}); kindOf(err) != "cancelled" {
						t.Errorf("got %v", err)
					}
				}
			})
		}
		wg.Wait()
	})
}
