//go:build cgo && linux && (amd64 || arm64) && !purego

package qjscgo

import (
	"fmt"
	"testing"

	"quicksand/engine"
	"quicksand/internal/marshal"
)

// One run of a module, prelude included: what every Sandbox.Run pays at least.
func BenchmarkTrivialRun(b *testing.B) {
	e := newEngine(b)
	is := newIsolate(b, e)
	p := compile(b, e, engine.Module, "main.js", "export default 1 + 1")
	for b.Loop() {
		is.Reset(engine.Settings{Seed: 1})
		status, _ := is.Start(p, nil)
		if status != engine.Done {
			b.Fatal(status, is.Failure())
		}
		is.Pump()
		if _, status, _ := is.Result(engine.Strict); status != engine.Done {
			b.Fatal(status)
		}
	}
}

func BenchmarkReset(b *testing.B) {
	e := newEngine(b)
	is := newIsolate(b, e)
	b.ReportMetric(float64(is.image.Len()), "image-bytes")
	for b.Loop() {
		is.Reset(engine.Settings{Seed: 1})
	}
}

func BenchmarkStart(b *testing.B) {
	e := newEngine(b)
	is := newIsolate(b, e)
	p := compile(b, e, engine.Module, "main.js", "export default 1 + 1")
	for b.Loop() {
		b.StopTimer()
		is.Reset(engine.Settings{Seed: 1})
		b.StartTimer()
		is.Start(p, nil)
	}
}

// loop runs a body b.N times inside of one run and reports the time of one turn.
func loop(b *testing.B, h engine.Host, setup, body string) {
	e := newEngine(b)
	is := newIsolate(b, e)
	p := compile(b, e, engine.Module, "main.js", fmt.Sprintf("%s; for (let i = 0; i < %d; i++) { %s } export default 'ok'", setup, b.N, body))
	is.Reset(engine.Settings{Memory: 512 << 20})
	b.ResetTimer()
	status, err := is.Start(p, h)
	for err == nil && status == engine.Waiting {
		for _, c := range is.Calls(nil) {
			is.Settle(c.ID, engine.Reply{Value: c.Arg})
		}
		status, err = is.Pump()
	}
	b.StopTimer()
	if err != nil || status != engine.Done {
		b.Fatal(err, status, is.Failure())
	}
}

func echo(op uint32, arg marshal.Message) engine.Reply { return engine.Reply{Value: arg} }

func BenchmarkLoop(b *testing.B) { loop(b, nil, "const f = () => {}", "f()") }

func BenchmarkSyncCall(b *testing.B) {
	b.Run("NoArgument", func(b *testing.B) { loop(b, fakeHost{}, "", "native(64)") })
	b.Run("Text100", func(b *testing.B) {
		loop(b, fakeHost{call: echo}, "const s = 'x'.repeat(100)", "native(64, s)")
	})
}

func BenchmarkAsyncCall(b *testing.B) {
	b.Run("NoArgument", func(b *testing.B) { loop(b, fakeHost{}, "", "await native(65536)") })
	b.Run("Text100", func(b *testing.B) {
		loop(b, fakeHost{}, "const s = 'x'.repeat(100)", "await native(65536, s)")
	})
}

const rowsModule = `
const rows = [];
for (let i = 0; i < 5000; i++)
	rows.push({ id: i, name: "customer " + i, region: ["north", "south", "east"][i % 3], amount: i * 1.37,
		paid: i % 2 === 0, note: "some words about row " + i, date: "2026-01-0" + (i % 9 + 1), rate: i / 7 });
export default rows;`

// 5 000 rows of 8 fields out of the guest.
func BenchmarkRowsOut(b *testing.B) {
	e := newEngine(b)
	is := newIsolate(b, e)
	p := compile(b, e, engine.Module, "main.js", rowsModule)
	is.Reset(engine.Settings{})
	if s := run(b, is, p, nil); s != engine.Done {
		b.Fatal(s)
	}
	n := 0
	for b.Loop() {
		m, status, err := is.Result(engine.Strict)
		if err != nil || status != engine.Done {
			b.Fatal(err, status, is.Failure())
		}
		n = len(m.Wire)
	}
	b.ReportMetric(float64(n), "wire-bytes")
}

// The same rows into a guest that was just reset.
func BenchmarkRowsIn(b *testing.B) {
	e := newEngine(b)
	is := newIsolate(b, e)
	p := compile(b, e, engine.Module, "main.js", rowsModule)
	is.Reset(engine.Settings{})
	if s := run(b, is, p, nil); s != engine.Done {
		b.Fatal(s)
	}
	m, _, err := is.Result(engine.Strict)
	if err != nil {
		b.Fatal(err)
	}
	globals := marshal.Message{Wire: append([]byte("\x0a\x0arows"), append(m.Wire, 0)...)}
	for b.Loop() {
		b.StopTimer()
		is.Reset(engine.Settings{})
		b.StartTimer()
		if _, status, err := is.Invoke("defineGlobals", globals, engine.Strict, nil); err != nil || status != engine.Done {
			b.Fatal(err, status, string(is.Failure().Thrown.Wire))
		}
	}
}

// 16 MB into a guest and out again.
func BenchmarkBytes16MB(b *testing.B) {
	e := newEngine(b)
	is := newIsolate(b, e)
	data := make([]byte, 16<<20)
	host := fakeHost{call: func(uint32, marshal.Message) engine.Reply {
		return engine.Reply{Value: marshal.Message{Wire: []byte{marshal.TagBlob, byte(marshal.Uint8Array), 0}, Blobs: [][]byte{data}}}
	}}
	p := compile(b, e, engine.Module, "main.js", "export default native(64)")
	for b.Loop() {
		is.Reset(engine.Settings{})
		if s := run(b, is, p, host); s != engine.Done {
			b.Fatal(s, is.Failure())
		}
		m, status, err := is.Result(engine.Strict)
		if err != nil || status != engine.Done || len(m.Blobs[0]) != len(data) {
			b.Fatal(err, status)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	e := newEngine(b)
	b.Run("OneLine", func(b *testing.B) {
		for b.Loop() {
			compile(b, e, engine.Module, "main.js", "export default 1 + 1")
		}
	})
	b.Run("Rows", func(b *testing.B) {
		for b.Loop() {
			compile(b, e, engine.Module, "main.js", rowsModule)
		}
	})
}
