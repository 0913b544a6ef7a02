//go:build cgo && linux && (amd64 || arm64) && !purego

package qjscgo

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"quicksand/engine"
	"quicksand/internal/marshal"
)

// Faults are made by destroying what the engine relies on.
func TestFaultsOfTheEngineAreContained(t *testing.T) {
	e := newEngine(t)
	unit := compile(t, e, engine.Script, "unit", "1")
	for _, c := range []struct {
		name, code string
		breakIt    func(*isolate) // in a host call
		detail     string
	}{
		{"a pointer near zero", "native(64); native(1, 0)", func(is *isolate) {
			*(*uintptr)(unsafe.Pointer(is.q.units)) = 8
		}, "address 0x"},
		{"a pointer to nowhere", "native(64); native(1, 0)", func(is *isolate) {
			*(*uintptr)(unsafe.Pointer(is.q.units)) = 1 << 45
		}, "address 0x"},
		{"an arena that is gone", "native(64)", func(is *isolate) {
			if err := is.region.Protect(); err != nil {
				t.Error(err)
			}
		}, fmt.Sprintf("signal %d", 11)},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := newIsolate(t, e, unit)
			p := compile(t, e, engine.Module, "main.js", c.code)
			status := run(t, is, p, fakeHost{call: func(uint32, marshal.Message) engine.Reply {
				c.breakIt(is)
				return engine.Reply{}
			}})
			f := is.Failure()
			if status != engine.Stopped || f.Kind != engine.Fault || !strings.Contains(f.Detail, c.detail) {
				t.Errorf("got %v %v %q, want a fault with %q", status, f.Kind, f.Detail, c.detail)
			}
			if _, err := is.Pump(); !errors.Is(err, errDead) {
				t.Errorf("Pump after a fault: %v", err)
			}
			if err := is.Reset(engine.Settings{}); !errors.Is(err, errDead) {
				t.Errorf("Reset after a fault: %v", err)
			}
			is.region.Unprotect()
			if err := is.Close(); err != nil {
				t.Errorf("Close after a fault: %v", err)
			}
			if got := eval(t, newIsolate(t, e), nil, "export default 'fine'"); got != "fine" {
				t.Errorf("another isolate: %s", got)
			}
		})
	}
}

// The handlers must leave Go's own faults to Go, inside and outside of a guest.
func TestNilDereferencesInGoStillPanic(t *testing.T) {
	var nothing *int
	deref := func() (r any) {
		defer func() { r = recover() }()
		return *nothing
	}
	isNil := func(r any) bool {
		err, ok := r.(runtime.Error)
		return ok && strings.Contains(err.Error(), "nil pointer")
	}
	e := newEngine(t)
	if r := deref(); !isNil(r) {
		t.Errorf("outside: recovered %v", r)
	}
	is := newIsolate(t, e)
	var inside any
	got := eval(t, is, fakeHost{call: func(uint32, marshal.Message) engine.Reply {
		inside = deref()
		return engine.Reply{}
	}}, "native(64); export default 'on'")
	if !isNil(inside) || got != "on" {
		t.Errorf("recovered in a host method: %v, then %s", inside, got)
	}
	// Not recovered by the host: it goes on from Start, after the guest saw an error.
	p := compile(t, e, engine.Module, "main.js", "try { native(64) } catch (e) { globalThis.seen = e.name + ': ' + e.message } export default seen")
	is.Reset(engine.Settings{})
	func() {
		defer func() {
			if r := recover(); !isNil(r) {
				t.Errorf("Start panicked with %v", r)
			}
		}()
		is.Start(p, fakeHost{call: func(uint32, marshal.Message) engine.Reply {
			*nothing = 1
			return engine.Reply{}
		}})
		t.Error("Start did not panic")
	}()
	m, status, err := is.Result(engine.Strict)
	if err != nil || status != engine.Done || text(m) != "InternalError: internal error" {
		t.Errorf("the guest saw %s, %v %v", text(m), status, err)
	}
}

// runtime.Goexit cannot be held back: the isolate is lost, nothing else.
func TestGoexitInAHostMethodLosesTheIsolateOnly(t *testing.T) {
	e := newEngine(t)
	is := newIsolate(t, e)
	p := compile(t, e, engine.Module, "main.js", "native(64)")
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		is.Start(p, fakeHost{call: func(uint32, marshal.Message) engine.Reply {
			runtime.Goexit()
			return engine.Reply{}
		}})
		t.Error("Start returned")
	}()
	wg.Wait()
	if err := is.Reset(engine.Settings{}); !errors.Is(err, errDead) {
		t.Errorf("Reset: %v", err)
	}
	is.Kill()
	for range 100 {
		if got := eval(t, newIsolate(t, e), nil, "export default 'fine'"); got != "fine" {
			t.Fatalf("another isolate: %s", got)
		}
	}
}

// A host method may run another isolate on the same thread.
func TestIsolatesNestOnOneThread(t *testing.T) {
	e := newEngine(t)
	outer, inner := newIsolate(t, e), newIsolate(t, e)
	loop := compile(t, e, engine.Module, "loop.js", "[].indexOf.call({ length: 2 ** 53 - 1 }, 1)")
	host := fakeHost{call: func(uint32, marshal.Message) engine.Reply {
		inner.Reset(engine.Settings{})
		joined := make(chan struct{})
		time.AfterFunc(20*time.Millisecond, func() { inner.Kill(); close(joined) })
		status, err := inner.Start(loop, nil)
		<-joined
		if err != nil || status != engine.Stopped || inner.Failure().Kind != engine.Killed {
			t.Errorf("inner: %v %v %v", status, inner.Failure().Kind, err)
		}
		return engine.Reply{Value: marshal.Message{Wire: []byte("\x07\x02in")}}
	}}
	if got := eval(t, outer, host, "export default native(64) + 'side'"); got != "inside" {
		t.Errorf("outer: %s", got)
	}
}

// While Go code runs, Kill only marks the run; the guest never gets the reply.
func TestKillDuringAHostCallStopsTheGuestWhenItReturns(t *testing.T) {
	e := newEngine(t)
	is := newIsolate(t, e)
	p := compile(t, e, engine.Module, "main.js", "native(64); native(65)")
	calls := 0
	status := run(t, is, p, fakeHost{call: func(op uint32, _ marshal.Message) engine.Reply {
		calls++
		is.Kill()
		if is.Usage().HeapUsed == 0 { // the heap is still there
			t.Error("no heap")
		}
		return engine.Reply{}
	}})
	if status != engine.Stopped || is.Failure().Kind != engine.Killed || calls != 1 {
		t.Errorf("got %v %v after %d calls", status, is.Failure().Kind, calls)
	}
}

// Encoding an array of nothing but holes runs no guest code that would poll.
func TestInterruptEndsEncoding(t *testing.T) {
	e := newEngine(t)
	is := newIsolate(t, e)
	p := compile(t, e, engine.Module, "main.js", "export default new Array(1e8)")
	if s := run(t, is, p, nil); s != engine.Done {
		t.Fatal(s)
	}
	joined := make(chan struct{})
	time.AfterFunc(20*time.Millisecond, func() { is.Interrupt(); close(joined) })
	_, status, err := is.Result(engine.Strict)
	<-joined
	if err != nil || status != engine.Stopped || is.Failure().Kind != engine.Interrupted {
		t.Errorf("got %v %v %v", status, is.Failure().Kind, err)
	}
}

func TestKillOutsideOfAGuestIsAnInterrupt(t *testing.T) {
	e := newEngine(t)
	is := newIsolate(t, e)
	p := compile(t, e, engine.Module, "main.js", "export default 'ran'")
	is.Kill()
	if status := run(t, is, p, nil); status != engine.Stopped || is.Failure().Kind != engine.Interrupted {
		t.Errorf("got %v %v", status, is.Failure().Kind)
	}
	if got := eval(t, is, nil, "export default 'ran'"); got != "ran" {
		t.Errorf("after Reset: %s", got)
	}
}

// Guest code that runs while a value crosses may make calls of its own.
func TestCrossingsNestInGetters(t *testing.T) {
	e := newEngine(t)
	is := newIsolate(t, e)
	host := fakeHost{call: echo}
	if got := eval(t, is, host, `
		const nest = (n) => n === 0 ? "0" : ({ get v() { return native(64, nest(n - 1)).v ?? native(64, String(n)); } });
		export default native(64, nest(6)).v`); got != "1" {
		t.Errorf("six levels: %s", got)
	}
	got := eval(t, is, host, `
		const nest = (n) => ({ get v() { return native(64, nest(n + 1)).v; } });
		let r; try { native(64, nest(0)); } catch (e) { r = e.name; }
		export default r + native(64, "!")`)
	if got != "RangeError!" {
		t.Errorf("without end: %s", got)
	}
}

// A guest that got at a function of the prelude could reach the native function.
func TestStacksAreTextOnly(t *testing.T) {
	e := newEngine(t)
	is := newIsolate(t, e)
	got := eval(t, is, fakeHost{}, `
		Error.prepareStackTrace = (e, sites) => sites;
		let stack; try { native(64, () => 0); } catch (e) { stack = e.stack; }
		const o = {}; Error.captureStackTrace?.(o);
		export default typeof stack + " " + typeof (o.stack ?? "")`)
	if got != "string string" {
		t.Errorf("got %s", got)
	}
}

func TestReplyBlobsAreReleased(t *testing.T) {
	e := newEngine(t)
	is := newIsolate(t, e)
	const size = 1 << 20
	host := fakeHost{call: func(op uint32, arg marshal.Message) engine.Reply {
		b := make([]byte, size)
		b[size-1] = 7
		return engine.Reply{Value: marshal.Message{Wire: []byte{marshal.TagBlob, byte(marshal.Uint8Array), 0}, Blobs: [][]byte{b}}}
	}}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	got := eval(t, is, host, "let n = 0; for (let i = 0; i < 200; i++) n += native(64)[1048575]; export default String(n)")
	if got != "1400" {
		t.Errorf("got %s", got)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 8*size {
		t.Errorf("%d bytes of replies are still held", grown)
	}
}

func TestBuffersOfAnIsolateShrinkAgain(t *testing.T) {
	e := newEngine(t)
	is := newIsolate(t, e)
	if got := eval(t, is, fakeHost{call: echo}, `
		const a = Array.from({ length: 20000 }, (_, i) => ["x".repeat(20)]), o = {};
		for (let i = 0; i < 10000; i++) o["k" + i] = i;
		native(64, [a, o]); native(65536, "y".repeat(3e6)); export default "ok"`); got != "ok" {
		t.Fatal(got)
	}
	if is.q.encs[0] == nil || is.q.queue_wire.cap < 3e6 {
		t.Fatal("the message did not go through the buffers that this test looks at")
	}
	is.Reset(engine.Settings{})
	if is.q.encs[0] != nil || is.q.decs[0] != nil || is.q.queue_wire.cap != 0 || is.q.replies[0].wire.cap > 1<<20 {
		t.Errorf("kept: encoder %v, decoder %v, queue %d, reply %d", is.q.encs[0], is.q.decs[0], is.q.queue_wire.cap, is.q.replies[0].wire.cap)
	}
}

func TestACompilerIsReplacedOrReusedAfterEveryOutcome(t *testing.T) {
	e := newEngine(t)
	ok := func() {
		t.Helper()
		p := compile(t, e, engine.Module, "main.js", "export default 'ok'")
		is := newIsolate(t, e)
		if run(t, is, p, nil) != engine.Done {
			t.Error("a program compiled afterwards does not run")
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	big := "export default [" + strings.Repeat("[1,2,{a:3}],", 400_000) + "]"
	began := time.Now()
	_, err := e.Compile(ctx, engine.Source{Name: "big.js", Code: big})
	var ce *engine.CompileError
	if !errors.As(err, &ce) || (ce.Kind != engine.Killed && ce.Kind != engine.Interrupted) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
	ok()
	if _, err := e.Compile(context.Background(), engine.Source{Name: "x.js", Code: "let let = 1"}); err == nil {
		t.Error("compiled")
	}
	ok()
	if n := len(e.idle); n < 1 || n > runtime.GOMAXPROCS(0) {
		t.Errorf("%d idle compilers", n)
	}
}
