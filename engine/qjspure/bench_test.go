package qjspure

import (
	"fmt"
	"testing"
	"time"

	"modernc.org/libc"
	lib "modernc.org/libquickjs"

	"quicksand/engine"
	"quicksand/internal/marshal"
)

func BenchmarkRestore(b *testing.B) {
	_, v := newWorld(b)
	b.SetBytes(int64(v.image.Len()))
	for b.Loop() {
		reset(b, v)
	}
}

// BenchmarkRun is a whole run of a compiled program.
func BenchmarkRun(b *testing.B) {
	e, v := newWorld(b)
	for _, r := range []struct{ name, code string }{
		{"trivial", `export default 1 + 1;`},
		{"awaits", `export default await (async () => { await 1; return 1 + 1; })();`},
	} {
		b.Run(r.name, func(b *testing.B) {
			p := module(b, e, r.code)
			for b.Loop() {
				reset(b, v)
				if s := finish(b, v, p, &host{}); s != engine.Done {
					b.Fatal(s)
				}
				if _, _, err := v.Result(engine.Strict); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCall is one synchronous call, the loop around it included.
func BenchmarkCall(b *testing.B) {
	e, v := newWorld(b)
	for _, r := range []struct{ name, call string }{
		{"nothing", "0"},
		{"no argument", "native(64)"},
		{"100 byte string both ways", "native(64, s)"},
		{"small object both ways", "native(64, o)"},
	} {
		b.Run(r.name, func(b *testing.B) {
			const n = 10_000
			p := module(b, e, fmt.Sprintf(`const s = "x".repeat(100), o = { id: 1, name: "x", ok: true }; for (let i = 0; i < %d; i++) %s;`, n, r.call))
			var total time.Duration
			rounds := 0
			for b.Loop() {
				reset(b, v)
				begin := time.Now()
				if s := finish(b, v, p, &host{}); s != engine.Done {
					b.Fatal(s)
				}
				total += time.Since(begin)
				rounds++
			}
			b.ReportMetric(float64(total.Nanoseconds())/float64(rounds*n), "ns/call")
		})
	}
}

// BenchmarkAsyncCall is one awaited call, settled by the owner.
func BenchmarkAsyncCall(b *testing.B) {
	e, v := newWorld(b)
	for _, r := range []struct{ name, call string }{{"plain", "native(65536, s)"}, {"stack kept", "native(65536, s, true)"}} {
		b.Run(r.name, func(b *testing.B) { benchmarkAsync(b, e, v, r.call) })
	}
}

func benchmarkAsync(b *testing.B, e engine.Engine, v *isolate, call string) {
	const n = 1000
	p := module(b, e, fmt.Sprintf(`const s = "x".repeat(100); for (let i = 0; i < %d; i++) await %s;`, n, call))
	var calls []engine.Call
	var total time.Duration
	rounds := 0
	for b.Loop() {
		reset(b, v)
		begin := time.Now()
		s, err := v.Start(p, &host{})
		for err == nil && s == engine.Waiting {
			for _, c := range v.Calls(calls[:0]) {
				err = v.Settle(c.ID, engine.Reply{Value: c.Arg})
			}
			if err == nil {
				s, err = v.Pump()
			}
		}
		if err != nil || s != engine.Done {
			b.Fatal(s, err)
		}
		total += time.Since(begin)
		rounds++
	}
	b.ReportMetric(float64(total.Nanoseconds())/float64(rounds*n), "ns/call")
}

const rowsCode = `const rows = Array.from({ length: 5000 }, (_, i) => ({ id: i, name: "customer " + i, city: "city " + i % 50,
	amount: i * 1.25, active: i % 3 === 0, note: null, tag: "tag-" + i % 7, when: "2026-01-" + (10 + i % 20) }));`

// BenchmarkRows crosses 5,000 rows of 8 fields; the two ways are measured apart.
func BenchmarkRows(b *testing.B) {
	e, v := newWorld(b)
	reset(b, v)
	p := module(b, e, rowsCode+` export default rows;`)
	finish(b, v, p, &host{})
	rows, _, err := v.Result(engine.Strict)
	if err != nil || len(rows.Wire) == 0 {
		b.Fatal(err, v.Failure())
	}
	b.Run("out", func(b *testing.B) {
		b.SetBytes(int64(len(rows.Wire)))
		for b.Loop() {
			if _, s, err := v.Result(engine.Strict); s != engine.Done || err != nil {
				b.Fatal(s, err)
			}
		}
	})
	b.Run("in", func(b *testing.B) {
		p := module(b, e, `globalThis.take = native(64);`)
		var begin time.Time
		var total time.Duration
		h := &host{call: func(uint32, marshal.Message) engine.Reply {
			begin = time.Now()
			return engine.Reply{Value: rows}
		}}
		rounds := 0
		for b.Loop() {
			reset(b, v)
			if s := finish(b, v, p, h); s != engine.Done {
				b.Fatal(s, v.Failure())
			}
			total += time.Since(begin)
			rounds++
		}
		b.ReportMetric(float64(total.Microseconds())/float64(rounds)/1000, "ms/in")
	})
}

func BenchmarkBytes16MB(b *testing.B) {
	e, v := newWorld(b)
	p := module(b, e, `export default native(64);`)
	h := &host{call: func(uint32, marshal.Message) engine.Reply {
		return engine.Reply{Value: marshal.Message{Wire: []byte{marshal.TagBlob, 0, 0}, Blobs: [][]byte{bytes16}}}
	}}
	for b.Loop() {
		reset(b, v)
		finish(b, v, p, h)
		if _, s, err := v.Result(engine.Strict); s != engine.Done || err != nil {
			b.Fatal(s, err)
		}
	}
}

var bytes16 = make([]byte, 16<<20)

// BenchmarkCPU compares loops with the same source in a plain runtime of libquickjs, on
// its own allocator and without this package.
func BenchmarkCPU(b *testing.B) {
	e, v := newWorld(b)
	for _, r := range []struct{ name, code string }{
		{"fib", `function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } fib(23);`},
		{"objects", `const a = []; for (let i = 0; i < 50000; i++) a.push({ i, s: "x" + i }); a.sort((x, y) => y.i - x.i);`},
		{"JSON", `const o = Array.from({ length: 300 }, (_, i) => ({ i, s: "x" + i })); for (let i = 0; i < 20; i++) JSON.parse(JSON.stringify(o));`},
		{"regexp", `let n = 0; for (let i = 0; i < 5000; i++) n += "the quick brown fox".replace(/o(.)/g, "$1").length;`},
	} {
		p := module(b, e, r.code)
		b.Run(r.name+"/isolate", func(b *testing.B) {
			for b.Loop() {
				reset(b, v)
				if s := finish(b, v, p, &host{}); s != engine.Done {
					b.Fatal(s)
				}
			}
		})
		b.Run(r.name+"/plain", func(b *testing.B) {
			tls := libc.NewTLS()
			defer tls.Close()
			rt := lib.XJS_NewRuntime(tls)
			defer lib.XJS_FreeRuntime(tls, rt)
			src, _ := libc.CString(r.code)
			name, _ := libc.CString("main.js")
			for b.Loop() {
				ctx := lib.XJS_NewContext(tls, rt)
				x := lib.XJS_Eval(tls, ctx, src, lib.Tsize_t(len(r.code)), name, lib.MJS_EVAL_TYPE_MODULE)
				lib.XFreeValue(tls, ctx, x)
				lib.XJS_FreeContext(tls, ctx)
			}
		})
	}
}
