package qjspure

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	lib "modernc.org/libquickjs"

	"quicksand/engine"
	"quicksand/internal/marshal"
)

// guestStack runs a program and returns the stack that the guest itself reads.
func guestStack(t *testing.T, src engine.Source) string {
	t.Helper()
	e, v := newWorld(t)
	reset(t, v)
	return result(t, v, compile(t, e, src), &host{})
}

func TestHeaderLinesAreTakenOffBytecode(t *testing.T) {
	const body = "function f() {\n  throw new Error('x');\n}\nlet s;\ntry { f(); } catch (e) { s = e.stack; }\n"
	far := strings.Repeat("\n", 300) + body
	for _, r := range []struct {
		name, body string
		header     int
		lines      []string
	}{
		{"no header", body, 0, []string{"f (main.js:2:", "main.js:5:"}},
		{"one line", body, 1, []string{"f (main.js:2:", "main.js:5:"}},
		{"as many as one byte of the table holds", body, 127, []string{"f (main.js:2:", "main.js:5:"}},
		{"more than one byte holds", body, 128, []string{"f (main.js:2:", "main.js:5:"}},
		{"many lines", body, 20000, []string{"f (main.js:2:", "main.js:5:"}},
		{"a function far down", far, 3, []string{"f (main.js:302:", "main.js:305:"}},
		{"nested functions", "const g = () => {\n class A { static m() {\n  return (() => {\n   throw new Error('x'); })(); } }\n A.m(); };\nlet s;\ntry { g(); } catch (e) { s = e.stack; }\n", 200,
			[]string{"main.js:4:", "m (main.js:3:", "g (main.js:5:", "main.js:7:"}},
		{"fields and static blocks", "let s;\nclass A {\n x = (() => { try { null.y } catch (e) { s = e.stack; } })();\n static {\n  new A(); }\n}\n", 2, []string{"main.js:3:", "main.js:5:"}},
		{"generators and async functions", "function* g() {\n yield 1;\n throw new Error('x'); }\nlet s;\ntry { [...g()]; } catch (e) { s = e.stack; }\n", 9, []string{"g (main.js:3:", "main.js:5:"}},
	} {
		t.Run(r.name, func(t *testing.T) {
			header := strings.Repeat("/* generated */ let x; {}\n", min(r.header, 1)) + strings.Repeat("\n", max(r.header-1, 0))
			stack := guestStack(t, engine.Source{Name: "main.js", Code: header + r.body + "export default s;", HeaderLines: r.header})
			rest := stack
			for _, want := range r.lines {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Errorf("no %q in\n%s", want, stack)
					continue
				}
				rest = after
			}
		})
	}
	t.Run("the text of functions stays", func(t *testing.T) {
		got := guestStack(t, engine.Source{Name: "main.js", Code: "\n\nfunction f(a) { return a; }\nexport default String(f);", HeaderLines: 2})
		if got != "function f(a) { return a; }" {
			t.Errorf("got %q", got)
		}
	})
}

func TestLEB128KeepsItsWidth(t *testing.T) {
	for _, r := range []struct {
		n     uint32
		width int
	}{{0, 1}, {5, 1}, {5, 2}, {127, 1}, {0, 3}, {300, 2}, {1<<32 - 1, 5}, {1<<32 - 7, 5}} {
		b := make([]byte, r.width)
		putLEB128(b, r.n)
		if n, w := leb128(append(b, 1)); n != r.n || w != r.width {
			t.Errorf("%d in %d bytes reads as %d in %d", r.n, r.width, n, w)
		}
	}
	for _, b := range [][]byte{nil, {0x80}, {0x80, 0x80, 0x80, 0x80, 0x80}} {
		if _, w := leb128(b); w != 0 {
			t.Errorf("% x has width %d", b, w)
		}
	}
}

func TestKillGivesANewThread(t *testing.T) {
	e, v := newWorld(t)
	loop := module(t, e, `native(64); [].indexOf.call({ length: 2 ** 53 - 1 }, 1);`)
	fine := module(t, e, `export default String([1, 2].map((x) => x + 1));`)
	for range 3 {
		reset(t, v)
		before := v.tls
		done := make(chan struct{})
		h := &host{call: func(uint32, marshal.Message) engine.Reply {
			go func() { // ends after the Kill
				defer close(done)
				for v.state.Load() != running { // the call has not returned yet
					runtime.Gosched()
				}
				v.Kill()
			}()
			return engine.Reply{}
		}}
		s := finish(t, v, loop, h)
		<-done
		if k := v.Failure().Kind; s != engine.Stopped || k != engine.Killed {
			t.Fatalf("run is %s: %+v", s, v.Failure())
		}
		if v.tls == before {
			t.Error("the emulated thread is the one that was cut off")
		}
		if n := v.tls.StackSlots(); n > 1 {
			t.Errorf("the new thread has %d frames", n)
		}
		reset(t, v)
		if got := result(t, v, fine, &host{}); got != "2,3" {
			t.Errorf("after the kill: %q", got)
		}
	}
}

func TestKillWaitsForTheHost(t *testing.T) {
	e, v := newWorld(t)
	p := module(t, e, `native(64); globalThis.after = native(65); for (;;);`)
	reset(t, v)
	calls := 0
	h := &host{call: func(op uint32, _ marshal.Message) engine.Reply {
		calls++
		v.Kill()
		if s := v.state.Load(); s != condemned {
			t.Errorf("state is %d, want condemned", s)
		}
		return engine.Reply{}
	}}
	if s := finish(t, v, p, h); s != engine.Stopped || v.Failure().Kind != engine.Killed {
		t.Fatalf("run is %s: %+v", s, v.Failure())
	}
	if calls != 1 {
		t.Errorf("the guest went on and made %d calls", calls)
	}
}

// A fault inside the engine is contained: the isolate is lost, the process is not.
func TestFaultIsContained(t *testing.T) {
	for _, r := range []struct {
		name  string
		fault func(v *isolate)
	}{
		{"a nil pointer", func(v *isolate) { v.hooks["x"] = *(*value)(at(uintptr(len(v.units)))) }},
		{"a wild pointer", func(v *isolate) { *(*uint32)(at(0x7000_0000_0000)) = 1 }},
		{"an index", func(v *isolate) { s := []int{}; _ = s[len(v.hooks)] }},
		{"a panic of libc", func(v *isolate) { panic("TODO") }},
		{"a broken object", func(v *isolate) { lib.XJS_GetPropertyUint32(v.tls, v.ctx, object(0x8000), 0) }},
	} {
		t.Run(r.name, func(t *testing.T) {
			e, v := newWorld(t)
			reset(t, v)
			if v.guarded(nil, func() { r.fault(v) }) {
				t.Fatal("no fault")
			}
			f := v.Failure()
			if f.Kind != engine.Fault || f.Detail == "" {
				t.Errorf("failure is %+v", f)
			}
			if s, err := v.Start(module(t, e, "export default 1"), &host{}); err != nil || s != engine.Stopped {
				t.Errorf("start after a fault: %v %v", s, err)
			}
			if err := v.Reset(engine.Settings{}); err == nil {
				t.Error("reset after a fault succeeded")
			}
			if err := v.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		})
	}
}

func TestHostPanicPassesThrough(t *testing.T) {
	e, v := newWorld(t)
	boom := errors.New("boom")
	p := module(t, e, `let seen; try { native(64); } catch (e) { seen = e.name + ": " + e.message; } native(65, seen);`)
	for _, r := range []struct {
		name string
		host func(seen *string) *host
	}{
		{"in a call", func(seen *string) *host {
			return &host{call: func(op uint32, arg marshal.Message) engine.Reply {
				if op == 64 {
					panic(boom)
				}
				*seen = text(arg)
				return engine.Reply{}
			}}
		}},
	} {
		t.Run(r.name, func(t *testing.T) {
			reset(t, v)
			var seen string
			func() {
				defer func() {
					if r := recover(); r != boom {
						t.Errorf("recovered %v", r)
					}
				}()
				v.Start(p, r.host(&seen))
				t.Error("no panic")
			}()
			if seen != "InternalError: internal error of the host" {
				t.Errorf("the guest saw %q", seen)
			}
			reset(t, v)
			if got := result(t, v, module(t, e, `export default "fine"`), &host{}); got != "fine" {
				t.Errorf("afterwards: %q", got)
			}
		})
	}
	t.Run("in Resolve", func(t *testing.T) {
		reset(t, v)
		defer func() {
			if r := recover(); r != boom {
				t.Errorf("recovered %v", r)
			}
		}()
		v.Start(module(t, e, `import "x";`), &host{resolve: func(string, string) (engine.Import, error) { panic(boom) }})
		t.Error("no panic")
	})
}

// t.FailNow inside of a host function ends the goroutine in the middle of the guest.
func TestGoexitInTheHost(t *testing.T) {
	e, v := newWorld(t)
	p := module(t, e, `try { native(64); } finally { native(65); } export default "no";`)
	for range 3 {
		reset(t, v)
		went := false
		done := make(chan struct{})
		go func() { // ends itself
			defer close(done)
			v.Start(p, &host{call: func(op uint32, _ marshal.Message) engine.Reply {
				if op == 65 {
					went = true
				}
				runtime.Goexit()
				return engine.Reply{}
			}})
		}()
		<-done
		if went {
			t.Error("the guest went on")
		}
		if s, err := v.Pump(); err != nil || s != engine.Stopped || v.Failure().Kind != engine.Interrupted {
			t.Errorf("the run is %v %v %+v", s, err, v.Failure())
		}
		reset(t, v)
		if got := result(t, v, module(t, e, `export default "fine"`), &host{}); got != "fine" {
			t.Errorf("afterwards: %q", got)
		}
	}
}

func TestHostCannotReenter(t *testing.T) {
	e, v := newWorld(t)
	reset(t, v)
	var errs []error
	h := &host{call: func(uint32, marshal.Message) engine.Reply {
		_, err := v.Pump()
		errs = append(errs, err, v.Reset(engine.Settings{}), v.Settle(1, engine.Reply{}))
		_, _, err = v.Invoke("describe", marshal.Message{}, engine.Strict, nil)
		errs = append(errs, err)
		return engine.Reply{}
	}}
	if got := result(t, v, module(t, e, `native(64); export default "fine"`), h); got != "fine" {
		t.Errorf("got %q", got)
	}
	for i, err := range errs {
		if err == nil {
			t.Errorf("method %d may be called while the guest runs", i)
		}
	}
}

func TestNoSourceIsCompiledInAnIsolate(t *testing.T) {
	e, v := newWorld(t)
	p := module(t, e, `const out = [];
for (const make of [() => eval("1"), () => (0, eval)("1"), () => Function("1"), () => new Function("a", "1"), () => (() => 1).constructor("1"),
	() => (async () => 1).constructor("1"), () => (function* () {}).constructor("1"), () => (async function* () {}).constructor("1"),
	() => Reflect.construct(Function, ["1"]), () => new (class extends Function {})("1")]) {
	try { make(); out.push("made"); } catch (e) { out.push(e instanceof TypeError ? "no" : String(e)); }
}
export default out.join() + /a+/.test("aa") + new RegExp("b+").test("bb");`)
	reset(t, v)
	if got, want := result(t, v, p, &host{}), strings.Repeat("no,", 9)+"no"+"truetrue"; got != want {
		t.Errorf("got %s", got)
	}
}

// Bytecode must reach the isolates of other goroutines while the collector frees
// programs that nobody holds.
func TestProgramsAreFreedAfterUse(t *testing.T) {
	e, v := newWorld(t)
	for i := range 50 {
		reset(t, v)
		if got, want := result(t, v, module(t, e, fmt.Sprintf(`export default "n%d"`, i)), &host{}), fmt.Sprintf("n%d", i); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
		if i%10 == 9 {
			runtime.GC()
		}
	}
}

func TestCompilerIsRestored(t *testing.T) {
	e := newEngine(t)
	c, err := newCompiler()
	if err != nil {
		t.Fatal(err)
	}
	defer c.iso.Close()
	big := "export default [" + strings.Repeat("1.5,", 1<<20) + "].length;"
	if _, err := c.compile(context.Background(), engine.Source{Name: "big.js", Code: big}); err != nil {
		t.Fatal(err)
	}
	if n := c.iso.heap.HighWater(); n > keepCompiler {
		t.Errorf("an idle compiler holds %d bytes", n)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	cancel(why)
	_, err = e.Compile(ctx, engine.Source{Name: "a.js", Code: "1"})
	var ce *engine.CompileError
	if !errors.As(err, &ce) || !errors.Is(err, why) {
		t.Errorf("cancelled: %v", err)
	}
}

// A getter that calls native while a value is being encoded uses another encoder.
func TestEncodingNests(t *testing.T) {
	e, v := newWorld(t)
	p := module(t, e, `const inner = () => JSON.stringify(native(64, { a: { b: [native(4, { c: 1 })] }, get d() { return native(64, "x"); } }));
const out = native(64, [{ first: 1, get x() { return inner(); }, last: 2 }, { first: 3, get x() { return 4; }, last: 5 }]);
export default JSON.stringify(out);`)
	reset(t, v)
	want := `[{"first":1,"x":"{\"a\":{\"b\":[{\"c\":1}]},\"d\":\"x\"}","last":2},{"first":3,"x":4,"last":5}]`
	if got := result(t, v, p, &host{}); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Objects that share a shape after decoding are objects of their own.
func TestDecodedObjectsDoNotShare(t *testing.T) {
	e, v := newWorld(t)
	p := module(t, e, `const rows = native(64, [{ a: 1, b: 2 }, { a: 3, b: 4 }, { a: 5, b: 6 }, { b: 7, a: 8 }, {}]);
rows[1].c = 9; delete rows[0].a; rows[2].a = "x"; Object.freeze(rows[3]);
Object.defineProperty(rows[2], "b", { get: () => 10, enumerable: true });
rows.push({ a: 11, b: 12 });
for (let i = 0; i < 20000; i++) ({ a: i, b: [i] });
export default JSON.stringify(rows) + Object.isFrozen(rows[0]);`)
	reset(t, v)
	want := `[{"b":2},{"a":3,"b":4,"c":9},{"a":"x","b":10},{"b":7,"a":8},{},{"a":11,"b":12}]false`
	if got := result(t, v, p, &host{}); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestStackMapsToFrames(t *testing.T) {
	_, v := newWorld(t)
	for _, r := range []struct {
		stack int64
		want  uint64
	}{{0, 1024}, {1, 64}, {64 << 10, 128}, {512 << 10, 1024}, {1 << 20, 2000}, {64 << 20, 2000}} {
		if err := v.Reset(engine.Settings{Stack: r.stack}); err != nil {
			t.Fatal(err)
		}
		if got := uint64((*lib.TJSRuntime)(at(v.rt)).Fstack_size); got != r.want {
			t.Errorf("%d bytes are %d frames, want %d", r.stack, got, r.want)
		}
	}
}

func TestMemoryBelowTheImageIsRefused(t *testing.T) {
	e, v := newWorld(t)
	if err := v.Reset(engine.Settings{Memory: 1000}); err == nil || !strings.Contains(err.Error(), "limit 1000 is below") {
		t.Errorf("got %v", err)
	}
	if s, err := v.Start(module(t, e, "1"), &host{}); s != engine.Stopped || err != nil || v.Failure().Kind != engine.Memory {
		t.Errorf("start: %v %v %+v", s, err, v.Failure())
	}
	reset(t, v)
	if got := result(t, v, module(t, e, `export default "fine"`), &host{}); got != "fine" {
		t.Errorf("afterwards: %q", got)
	}
}
