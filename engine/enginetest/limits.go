package enginetest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quicksand/engine"
	"quicksand/internal/marshal"
)

func testMemory(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	floods := []struct{ name, code string }{
		{"objects", `const a = []; for (let i = 0; ; i++) a.push({ i });`},
		{"linked objects", `let a = null; for (;;) a = { a };`},
		{"arrays", `const a = []; for (;;) a.push([1, 2, 3]);`},
		{"one array", `const a = []; for (;;) a.push(1);`},
		{"strings", `const a = []; for (let i = 0; ; i++) a.push("string number " + i + "!");`},
		{"one string", `let s = "x"; for (;;) { s += s; s.charCodeAt(s.length - 1); }`},
		{"small typed arrays", `const a = []; for (;;) a.push(new Uint8Array(100));`},
		{"typed arrays of a page", `const a = []; for (;;) a.push(new Uint8Array(4096));`},
		{"typed arrays of 256 KB", `const a = []; for (;;) a.push(new Uint8Array(1 << 18));`},
		{"maps", `const m = new Map(); for (let i = 0; ; i++) m.set(i, {});`},
		{"sets", `const m = new Set(); for (let i = 0; ; i++) m.add("k" + i);`},
		{"symbols", `const a = []; for (let i = 0; ; i++) a.push(Symbol("s" + i));`},
		{"registered symbols", `const a = []; for (let i = 0; ; i++) a.push(Symbol.for("s" + i));`},
		{"properties", `const o = {}; for (let i = 0; ; i++) o["k" + i] = i;`},
		{"closures", `let f = () => 0; for (;;) { const g = f; f = () => g; }`},
		{"promises", `const a = []; for (;;) a.push(new Promise(() => {}));`},
		{"jobs", `(function f() { Promise.resolve().then(f); Promise.resolve().then(f); })(); await new Promise(() => {});`},
		{"asynchronous functions", `const a = [], f = async () => { await new Promise(() => {}); }; for (;;) a.push(f());`},
		{"generators", `const a = []; function* g() { yield 1; } for (;;) { const x = g(); x.next(); a.push(x); }`},
		{"regular expressions", `const a = []; for (let i = 0; ; i++) a.push(new RegExp("(a|b)*" + i));`},
		{"bigints", `const a = []; for (let i = 0n; ; i++) a.push(2n ** 2000n + i);`},
		{"errors", `const a = []; for (;;) a.push(new Error("m"));`},
		{"dates", `const a = []; for (;;) a.push(new Date());`},
		{"proxies", `let p = {}; for (;;) p = new Proxy(p, {});`},
		{"bound functions", `let f = () => 1; for (;;) f = f.bind(null);`},
		{"splitting", `const s = "x,".repeat(5000), a = []; for (;;) a.push(s.split(","));`},
		{"JSON", `const s = JSON.stringify(Array.from({ length: 500 }, (_, i) => ({ i }))), a = []; for (;;) a.push(JSON.parse(s));`},
		{"caught and tried again", `const a = []; for (;;) { try { for (;;) a.push(new Array(100).fill(1)); } catch { } }`},
		{"values from the host", `const a = []; for (;;) a.push(echo([1, 2, { x: "y" }]));`},
		{"clones", `const a = []; for (;;) a.push(native(4, [1, 2, 3, { x: 1 }]));`},
	}
	sizes := []int64{1, 4}
	switch {
	case testing.Short() && raceEnabled:
		sizes = sizes[:1]
	case !testing.Short():
		sizes = []int64{1, 2, 4, 8, 16, 32, 64}
	}
	for _, f := range floods {
		t.Run(f.name, func(t *testing.T) {
			for _, mb := range sizes {
				w.Settings.Memory = mb << 20
				o := w.Eval(t, f.code, nil)
				u := o.Usage
				if got := o.String(); got != "memory" {
					t.Errorf("%d MB: got %.200s", mb, got)
				}
				if u.HeapPeak > mb<<20 || u.HeapUsed > u.HeapPeak {
					t.Errorf("%d MB: heap used %d, peak %d", mb, u.HeapUsed, u.HeapPeak)
				}
				if !u.Refused && u.HeapPeak < mb<<19 {
					t.Errorf("%d MB: stopped at a peak of %d", mb, u.HeapPeak)
				}
				w.check(t)
			}
			w.Settings.Memory = 0
		})
	}
	w.Settings.Memory = 16 << 20
	singles := []struct {
		name, code, want string
		refused          bool
	}{
		{"a large allocation that fits", `export default new Uint8Array(4 << 20).length;`, "= 4194304", false},
		{"a refused allocation that is caught", `let r; try { new Uint8Array(32 << 20); r = "made"; } catch (e) { r = e instanceof Error; } export default r;`, "= true", true},
		{"work goes on after a refused allocation", `try { new Uint8Array(32 << 20); } catch { } const a = []; for (let i = 0; i < 1000; i++) a.push({ i }); export default [a.length, await later(new Uint8Array(2))];`, "= [1000, Uint8Array<0000>]", true},
		{"a refused string", `let r; try { "x".repeat(40 << 20); r = "made"; } catch (e) { r = e instanceof Error; } export default r;`, "= true", true},
		{"a refused array", `let r; try { new Array(8 << 20).fill(0); r = "made"; } catch (e) { r = e instanceof Error; } export default r;`, "= true", true},
		{"a refused allocation that is not caught", `new Uint8Array(32 << 20);`, "memory", true},
		{"a failure after a refused allocation", `try { new Uint8Array(32 << 20); } catch { } throw new TypeError("other");`, "memory", true},
		{"a refused allocation in a job", `await null; new Uint8Array(32 << 20);`, "memory", true},
		{"many refused allocations", `let n = 0; for (let i = 0; i < 1000; i++) { try { new Uint8Array(32 << 20); } catch { n++; } } export default n;`, "= 1000", true},
	}
	for _, s := range singles {
		t.Run(s.name, func(t *testing.T) {
			o := w.Eval(t, s.code, nil)
			expect(t, o, s.want)
			if o.Usage.Refused != s.refused {
				t.Errorf("Refused = %v", o.Usage.Refused)
			}
			if o.Usage.HeapPeak > 16<<20 {
				t.Errorf("peak %d", o.Usage.HeapPeak)
			}
			w.check(t)
		})
	}
	t.Run("freed memory can be used again", func(t *testing.T) {
		o := w.Eval(t, `let n = 0; for (let i = 0; i < 300; i++) { const u = new Uint8Array((i % 7 + 1) << 20); n += u.length > 0; } let s; for (let i = 0; i < 200; i++) { s = []; for (let j = 0; j < 500; j++) s.push({ j, t: "x" + j }); } export default n;`, nil)
		expect(t, o, "= 300")
	})
	t.Run("the reply of a call counts", func(t *testing.T) {
		h := &Host{Given: marshal.Message{Wire: []byte{marshal.TagBlob, 0, 0}, Blobs: [][]byte{make([]byte, 1<<20)}}}
		o := w.Eval(t, `const a = []; for (;;) a.push(given());`, h)
		expect(t, o, "memory")
		if o.Usage.HeapPeak > 16<<20 {
			t.Errorf("peak %d", o.Usage.HeapPeak)
		}
		w.check(t)
	})
	t.Run("a limit below the image", func(t *testing.T) {
		w.Settings.Memory = 1
		if err := w.Iso.Reset(w.Settings); err == nil {
			expect(t, w.Eval(t, `export default [1, 2].map((x) => ({ x }));`, nil), "memory")
		}
		w.check(t)
	})
	t.Run("the peak is of this run", func(t *testing.T) {
		w.Settings.Memory = 0
		big := w.Eval(t, `let a = new Uint8Array(3 << 20); a = null; export default 1;`, nil).Usage
		small := w.Eval(t, `export default 1;`, nil).Usage
		if big.HeapPeak < 3<<20 || big.HeapUsed > 1<<20 || small.HeapPeak > 1<<20 {
			t.Errorf("big run: %+v, small run after it: %+v", big, small)
		}
	})
}

// overflows are recursions of all kinds. Each is an expression.
var overflows = []struct{ name, setup, expr string }{
	{"a function", `function f() { return f() + 1; }`, `f()`},
	{"an arrow with many locals", `const f = (a, b, c) => { const d = typeof a, e = [d], g = { e }; return f(d, e, g) + 1; };`, `f(1, 2, 3)`},
	{"a method", `class C { m() { return this.m() + 1; } }`, `new C().m()`},
	{"a constructor", `class C { constructor() { this.x = new C(); } }`, `new C()`},
	{"a chain of classes", `let C = class {}; for (let i = 0; i < 1e4; i++) C = class extends C {};`, `new C()`},
	{"a getter", `const o = { get x() { return this.x; } };`, `o.x`},
	{"a setter", `const o = { set x(v) { this.x = v; } };`, `o.x = 1`},
	{"toString", `const o = { toString() { return "" + o; } };`, `"" + o`},
	{"Symbol.toPrimitive", `const o = { [Symbol.toPrimitive]() { return +o; } };`, `+o`},
	{"map", `const f = () => [1].map(f);`, `f()`},
	{"sort", `const f = () => [2, 1].sort(f);`, `f()`},
	{"replace", `const f = () => "a".replace(/a/, f);`, `f()`},
	{"Reflect.apply", `const f = () => Reflect.apply(f, null, []);`, `f()`},
	{"call", `function f() { return f.call(null) + 1; }`, `f()`},
	{"a bound function", `let f = () => g() + 1; const g = (() => f()).bind(null);`, `f()`},
	{"JSON.parse", ``, `JSON.parse("[".repeat(100000) + "]".repeat(100000))`},
	{"JSON.parse of objects", ``, `JSON.parse('{"a":'.repeat(100000) + "1" + "}".repeat(100000))`},
	{"JSON.stringify", `let a = []; for (let i = 0; i < 1e5; i++) a = [a];`, `JSON.stringify(a)`},
	{"toJSON", `const o = { toJSON() { return JSON.stringify(o); } };`, `JSON.stringify(o)`},
	{"a reviver", `const f = () => JSON.parse("[1]", f);`, `f()`},
	{"join", `let a = [1]; for (let i = 0; i < 1e5; i++) a = [a];`, `String(a)`},
	{"flat", `const a = []; a.push(a);`, `a.flat(Infinity)`},
	{"a proxy that asks itself", `const p = new Proxy({}, { get(t, k, r) { return r[k]; } });`, `p.x`},
	{"a chain of proxies", `let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {});`, `p.x`},
	{"getPrototypeOf of a proxy", `const p = new Proxy({}, { getPrototypeOf() { return Object.getPrototypeOf(p); } });`, `p instanceof Object`},
	{"a prototype that is a proxy of itself", `const q = new Proxy({}, {}); Object.setPrototypeOf(q, Object.create(q));`, `q.x`},
	{"construct of a proxy", `const p = new Proxy(function () {}, { construct(t, a, n) { return Reflect.construct(p, a, n); } });`, `new p()`},
	{"an iterator", `const o = { [Symbol.iterator]() { return [...o]; } };`, `[...o]`},
	{"closing iterators", `const o = { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }), return() { const [x] = o; return {}; } }) };`, `(() => { const [x] = o; })()`},
	{"a generator", `function* g() { yield* g(); }`, `g().next()`},
	{"destructuring defaults", `const f = ({ a = f({}) } = {}) => a;`, `f()`},
	{"a tagged template", "const f = () => f`x` + 1;", `f()`},
	{"instanceof", `const o = { [Symbol.hasInstance](x) { return x instanceof o; } };`, `1 instanceof o`},
	{"Array.from", `const f = () => Array.from([1], f);`, `f()`},
	{"defineProperty of a proxy", `const p = new Proxy({}, { defineProperty(t, k, d) { return Reflect.defineProperty(p, k, d); } });`, `Object.defineProperty(p, "x", { value: 1 })`},
	{"a species", `class A extends Array { static get [Symbol.species]() { return new A(1, 2).map((x) => x).constructor; } }`, `new A(1, 2).map((x) => x)`},
	{"a host call in a getter", `const o = { get a() { return echo(o); } };`, `echo(o)`},
	{"a clone in a getter", `const o = { get a() { return native(4, o); } };`, `native(4, o)`},
	{"a regular expression", ``, `new RegExp("(?:".repeat(100000) + ")".repeat(100000))`},
}

func testStack(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	w.Deadline = 20 * time.Second
	for _, r := range overflows {
		t.Run(r.name, func(t *testing.T) {
			o := w.Eval(t, r.setup+"\nlet r; try { "+r.expr+"; r = 'returned'; } catch (e) { r = e instanceof Error; } export default [r, 6 * 7];", nil)
			expect(t, o, "= [true, 42]")
			o = w.Eval(t, r.setup+"\n"+r.expr+"; export default 1;", nil)
			const want = "! RangeError: Maximum call stack size exceeded"
			// An encoder may have a limit of its own on values that call the host in getters.
			own := r.name == "a regular expression" || strings.HasSuffix(r.name, "in a getter")
			if got := o.String(); got != want && !own || !strings.HasPrefix(got, "! ") {
				t.Errorf("got %.200s, want %s", got, want)
			}
			if v, err := Read(o.Failure.Thrown); err == nil && !own && v.Get("stackOverflow") == nil {
				t.Error("the failure does not say stackOverflow")
			}
			w.check(t)
		})
	}
	t.Run("an asynchronous function", func(t *testing.T) {
		expect(t, w.Eval(t, `async function f() { await f(); } export default await f().catch((e) => e instanceof Error);`, nil), "= true")
		w.check(t)
	})
	t.Run("catching and trying again ends at the deadline", func(t *testing.T) {
		w.Deadline = 200 * time.Millisecond
		o := w.Eval(t, `function f() { try { return f() + 1; } catch { return f(); } } f();`, nil)
		if got := o.String(); got != "interrupted" && got != "killed" {
			t.Errorf("got %s", got)
		}
		w.Deadline = 0
		w.check(t)
	})
	t.Run("the limit is a setting", func(t *testing.T) {
		depth := func(stack int64) float64 {
			w.Settings.Stack = stack
			o := w.Eval(t, `let n = 0; function f() { n++; f(); } try { f(); } catch { } export default n;`, nil)
			v, err := Read(o.Value)
			if err != nil || o.Status != engine.Done {
				t.Fatalf("stack %d: %v %v", stack, o, err)
			}
			return v.Num
		}
		small, normal, zero, large := depth(128<<10), depth(512<<10), depth(0), depth(1<<20)
		if !(small < normal && normal == zero && zero <= large) || normal < 300 || normal > 20000 || small < 50 {
			t.Errorf("depth with 128 KB %v, 512 KB %v, default %v, 1 MB %v", small, normal, zero, large)
		}
		w.Settings.Stack = 0
	})
	t.Run("on a goroutine whose own stack is deep", func(t *testing.T) {
		var down func(n int) Outcome
		down = func(n int) Outcome {
			var pad [256]byte
			if pad[n&255] = byte(n); n == 0 {
				return w.Eval(t, `function f(n) { return n && 1 + f(n - 1); } export default f(100);`, nil)
			}
			o := down(n - 1)
			runtime.KeepAlive(&pad)
			return o
		}
		expect(t, down(5000), "= 100")
	})
	t.Run("on another thread at each call", func(t *testing.T) {
		for range 20 {
			done := make(chan string)
			go func() { // ends when its run does
				runtime.LockOSThread()
				done <- w.Eval(t, `function f(n) { return n && 1 + f(n - 1); } export default [f(100), await later(1)];`, nil).String()
			}()
			if got := <-done; got != "= [100, 1]" {
				t.Fatal(got)
			}
		}
	})
}

func testStop(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	loops := []struct{ name, code string }{
		{"a loop", `for (;;);`},
		{"a loop that catches", `for (;;) { try { for (;;); } catch { note("caught"); } finally { note("finally"); } }`},
		{"a loop in a function that catches", `function f() { try { for (;;); } catch { note("caught"); } finally { note("finally"); } } for (;;) f();`},
		{"a loop in an asynchronous function", `await (async () => { for (;;); })();`},
		{"a loop in an asynchronous function that catches", `(async () => { try { for (;;); } catch { note("caught"); } })().catch(() => note("rejected")).then(() => note("then")); export default 1;`},
		{"awaiting in a loop", `for (;;) await null;`},
		{"awaiting and catching in a loop", `for (;;) try { await null; } catch { note("caught"); } finally { }`},
		{"a chain of jobs", `const f = () => Promise.resolve().then(f); await f();`},
		{"a chain of native jobs", `const p = Promise.resolve(); const th = { then(r) { Promise.resolve(th).then(r); } }; await th;`},
		{"a generator", `function* g() { for (;;) yield 1; } for (const x of g());`},
		{"an asynchronous generator", `async function* g() { for (;;) yield 1; } for await (const x of g());`},
		{"a regular expression", `/^(a+)+$/.test("a".repeat(40) + "!");`},
		{"a callback of sort", `[3, 2, 1].sort(() => { for (;;); });`},
		{"a callback of a native function that catches", `Promise.resolve().then(() => { for (;;); }).catch(() => note("caught")); await new Promise(() => {});`},
		{"an executor", `new Promise(() => { for (;;); }).catch(() => note("caught")); export default 1;`},
		{"a getter of the result", `export default { get a() { for (;;); } };`},
		{"a getter of an argument", `caught(() => echo({ get a() { for (;;); } })); note("caught");`},
		{"a getter of a clone", `caught(() => native(4, { get a() { for (;;); } })); note("caught");`},
		{"a trap of a proxy", `caught(() => new Proxy({}, { get() { for (;;); } }).x); note("caught");`},
		{"host calls in a loop", `for (;;) echo(1);`},
		{"asynchronous calls in a loop", `for (;;) await later(1);`},
		{"asynchronous calls of goroutines in a loop", `for (;;) await work(1);`},
		{"a module that is imported", `import "loop.js";`},
		{"a toString of a thrown error", `throw { get stack() { for (;;); }, message: "m" };`},
		{"recursion that catches", `function f() { try { f(); } finally { for (;;) f(); } } f();`},
	}
	for _, r := range loops {
		t.Run(r.name, func(t *testing.T) {
			// A long grace, so that it is the interrupt which ends the run.
			w.Deadline, w.Grace = 60*time.Millisecond, 5*time.Second
			if r.name == "recursion that catches" {
				w.Grace = 0
			}
			h := &Host{Modules: map[string]string{"loop.js": "for (;;);"}}
			o := w.Eval(t, r.code, h)
			w.Grace = 0
			if got := o.String(); got != "interrupted" && (got != "killed" || r.name != "recursion that catches") {
				t.Errorf("got %.200s, want interrupted", got)
			}
			if len(h.Notes) > 0 {
				t.Errorf("the guest went on: %.200q", h.Notes)
			}
			w.Deadline = 0
			w.check(t)
		})
	}

	loop := MustCompile(t, e, "main.js", `for (;;);`)
	wait := MustCompile(t, e, "main.js", `await hold(1); export default 5;`)
	quick := MustCompile(t, e, "main.js", `export default { get a() { return 1; } };`)
	start := func(t *testing.T, p engine.Program, h engine.Host) engine.Status {
		t.Helper()
		s, err := w.Iso.Start(p, h)
		if err != nil {
			t.Fatalf("Start: %v", err)
		}
		return s
	}
	stopped := func(t *testing.T, s engine.Status, want engine.FailureKind) {
		t.Helper()
		if k := w.Iso.Failure().Kind; s != engine.Stopped || k != want {
			t.Errorf("got %v, %v, want stopped, %v", s, k, want)
		}
		w.Iso.Usage()
		w.Iso.Calls(nil)
		w.check(t)
	}
	for name, stop := range map[string]func(){"Interrupt": w.Iso.Interrupt, "Kill": w.Iso.Kill} {
		t.Run(name+" before Start", func(t *testing.T) {
			w.reset(t)
			stop()
			stopped(t, start(t, loop, &Host{}), engine.Interrupted)
		})
		t.Run(name+" before Invoke", func(t *testing.T) {
			w.reset(t)
			stop()
			_, s, err := w.Iso.Invoke("readGlobals", marshal.Message{Wire: []byte("\x09\x00")}, engine.Strict, nil)
			if err != nil {
				t.Fatal(err)
			}
			stopped(t, s, engine.Interrupted)
		})
		t.Run(name+" while idle", func(t *testing.T) {
			w.reset(t)
			if s := start(t, wait, &Host{}); s != engine.Waiting {
				t.Fatalf("Start: %v", s)
			}
			stop()
			s, err := w.Iso.Pump()
			if err != nil {
				t.Fatal(err)
			}
			stopped(t, s, engine.Interrupted)
		})
		t.Run(name+" before Result", func(t *testing.T) {
			w.reset(t)
			s := start(t, quick, &Host{})
			for s == engine.Waiting {
				s, _ = w.Iso.Pump()
			}
			stop()
			m, s, err := w.Iso.Result(engine.Strict)
			if err != nil || s != engine.Stopped && (s != engine.Done || Dump(m) != "{a: 1}") {
				t.Errorf("got %v %v %s", s, err, Dump(m))
			}
			w.check(t)
		})
		t.Run(name+" twice", func(t *testing.T) {
			w.reset(t)
			stop()
			stop()
			stopped(t, start(t, loop, &Host{}), engine.Interrupted)
		})
		t.Run(name+" during a host call", func(t *testing.T) {
			w.reset(t)
			n := 0
			h := &Host{Sync: map[uint32]func(marshal.Message) engine.Reply{opTest: func(marshal.Message) engine.Reply {
				n++
				done := make(chan bool)
				go func() { stop(); close(done) }() // ends at once: the guest is in the host
				<-done
				return engine.Reply{}
			}}}
			p := MustCompile(t, e, "main.js", `try { native(68); for (;;) native(68); } catch { native(68); } export default 1;`)
			s := start(t, p, h)
			want := engine.Killed
			if name == "Interrupt" || !w.Iso.CanKill() {
				want = engine.Interrupted
			}
			if want == engine.Killed && n != 1 {
				t.Errorf("%d calls, want 1", n)
			}
			stopped(t, s, want)
		})
		t.Run(name+" during Resolve", func(t *testing.T) {
			w.reset(t)
			s := start(t, MustCompile(t, e, "main.js", `import "x"; for (;;);`), resolver{&Host{w: w}, func(base, spec string) (engine.Import, error) {
				done := make(chan bool)
				go func() { stop(); close(done) }() // ends at once
				<-done
				return engine.Import{ID: "x", Program: quick}, nil
			}})
			if k := w.Iso.Failure().Kind; s != engine.Stopped || k != engine.Killed && k != engine.Interrupted {
				t.Errorf("got %v, %v", s, k)
			}
			w.check(t)
		})
		t.Run(name+" has no effect after Reset", func(t *testing.T) {
			w.reset(t)
			stop()
			w.check(t)
		})
	}
	t.Run("both at once, from many goroutines", func(t *testing.T) {
		w.Deadline = 30 * time.Millisecond // for the stops that come while nothing runs
		for i := range 60 {
			w.reset(t)
			var wg sync.WaitGroup
			for j := range 4 {
				wg.Go(func() {
					time.Sleep(time.Duration(i*37%500) * time.Microsecond) // spreads the stops over the run, waits for nothing
					if j&1 == 0 {
						w.Iso.Interrupt()
					} else {
						w.Iso.Kill()
					}
				})
			}
			o := w.continueRun(t, []engine.Program{loop, wait, quick}[i%3], &Host{Keep: true})
			wg.Wait()
			if got := o.String(); got != "interrupted" && got != "killed" && (got != "= {a: 1}" || i%3 != 2) {
				t.Fatalf("got %s", got)
			}
			w.check(t)
		}
	})
	t.Run("methods after a stop do not run the guest", func(t *testing.T) {
		w.reset(t)
		w.Iso.Interrupt()
		start(t, wait, &Host{})
		if s, err := w.Iso.Pump(); err == nil && s != engine.Stopped {
			t.Errorf("Pump: %v", s)
		}
		w.check(t)
	})
}

// resolver replaces one method of the suite's host.
type resolver struct {
	*Host
	resolve func(base, specifier string) (engine.Import, error)
}

func (r resolver) Resolve(base, specifier string) (engine.Import, error) {
	return r.resolve(base, specifier)
}

// natives never poll for an interrupt.
var natives = []string{
	`[].indexOf.call({ length: 2 ** 53 - 1 }, 1)`,
	`[].includes.call({ length: 2 ** 53 - 1 }, 1)`,
	`[].lastIndexOf.call({ length: 2 ** 53 - 1 }, 1)`,
	`[].reverse.call({ length: 2 ** 53 - 1 })`,
	`[].forEach.call({ length: 2 ** 53 - 1 }, () => {})`,
	`[].copyWithin.call({ length: 2 ** 53 - 1 }, 0, 1)`,
	`[].sort.call({ length: 2 ** 32 - 1 })`,
	`[].splice.call({ length: 2 ** 53 - 1 }, 0, 1)`,
	`[].unshift.call({ length: 2 ** 53 - 2 }, 1)`,
	`Array(2 ** 32 - 1).indexOf(1)`,
	`Array(2 ** 32 - 1).join("")`,
	`[].concat({ length: 2 ** 32 - 1, [Symbol.isConcatSpreadable]: true })`,
	`(2n ** 1000000n).toString()`,
	`String.raw({ raw: { length: 2 ** 53 - 1 } })`,
}

func testKillNative(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	if !w.Iso.CanKill() {
		t.Skip("no kill on this platform")
	}
	forms := map[string]string{"": "%s; export default 1;", "caught: ": "try { %s; } catch { note(1); } finally { note(2); } note(3);"}
	if !testing.Short() {
		forms["in a job: "] = "await null; %s;"
		forms["in a getter: "] = "echo({ get a() { %s; } });"
		forms["in an asynchronous function: "] = "(async () => { %s; })().catch(() => note(1)); export default 1;"
		forms["in a proxy: "] = "new Proxy({}, { get() { %s; } }).x;"
	}
	for form, code := range forms {
		for _, n := range natives {
			t.Run(form+n, func(t *testing.T) {
				h := &Host{}
				w.Deadline = 40 * time.Millisecond
				o := w.timely(t, 3, func() Outcome { return w.Eval(t, fmt.Sprintf(code, n), h) })
				if got := o.String(); got != "killed" && got != "interrupted" && got != "memory" || len(h.Notes) > 0 {
					t.Errorf("got %.200s, notes %v", got, h.Notes)
				}
				w.Deadline = 0
				w.check(t)
			})
		}
	}
}

// testRopes is text that costs its guest nothing before somebody reads it. Reading must
// not take memory that the guest does not have, on either side.
func testRopes(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	w.Settings.Memory = 16 << 20
	const rope = `let s = "x".repeat(1 << 16); for (let i = 0; i < 13; i++) s = s + s;` // 512 MB
	for _, r := range []struct{ name, code string }{
		{"as UTF-8", `export default native(2, s).length;`},
		{"as the result", `export default [s];`},
		{"as an argument", `note(s); export default 1;`},
		{"as the message of an error", `throw new Error(s);`},
		{"as the message of an error of the engine", `try { (function f() { f(); })(); } catch (e) { e.message = s; throw e; }`},
		{"wide, as UTF-8", `s = s + "€"; export default native(2, s).length;`},
		{"as wide text that makes longer UTF-8", `s = "é".repeat(9 << 20); export default native(2, s).length;`},
	} {
		t.Run(r.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			o := w.Eval(t, rope+r.code, nil)
			runtime.ReadMemStats(&after)
			if got := o.String(); got != "memory" && !strings.HasPrefix(got, "! ") {
				t.Errorf("got %.200s", got)
			}
			if grown := after.TotalAlloc - before.TotalAlloc; grown > 64<<20 {
				t.Errorf("the host took %d MB", grown>>20)
			}
			w.check(t)
		})
	}
}

// timely runs f up to n times until the run comes back within 110 ms of its
// deadline: the machine may be busy, the engine may not be late three times.
func (w *World) timely(t testing.TB, n int, f func() Outcome) Outcome {
	t.Helper()
	var late time.Duration
	for range n {
		o := f()
		if late = o.Elapsed - w.Deadline; late <= 110*time.Millisecond {
			return o
		}
	}
	o := f()
	if late = o.Elapsed - w.Deadline; late > 110*time.Millisecond {
		t.Errorf("back %v after the deadline", late)
	}
	return o
}

//go:embed hostile.json
var hostileJSON []byte

// A HostileProgram is a small program that means harm: the body of a function, which may
// return and await. The root package runs the same table through a whole sandbox.
type HostileProgram struct {
	Name, Code string
	// Gen makes the code of nested or repeated parts. %d in one of them is its number.
	Gen *struct {
		Prefix, Open, Middle, Close string
		N                           int
	}
	// End is the one right outcome on both engines with 64 MiB of memory: "value",
	// "guest" for an error that it throws, "syntax", "memory", or "timeout" when it would go
	// on for more than any deadline.
	End string
}

// Patience is the deadline for a program that comes to its own end: so late that only a
// program which hangs meets it. Programs that must be stopped get a second.
const Patience = 90 * time.Second

// HostilePrograms is the table.
func HostilePrograms() []HostileProgram {
	var list []HostileProgram
	d := json.NewDecoder(bytes.NewReader(hostileJSON))
	d.DisallowUnknownFields()
	if err := d.Decode(&list); err != nil {
		panic(err) // the file is embedded
	}
	for i := range list {
		p := &list[i]
		if g := p.Gen; g != nil {
			p.Code = g.Prefix + repeated(g.Open, g.N) + g.Middle + repeated(g.Close, g.N)
		}
		if p.Code == "" || !slices.Contains([]string{"value", "guest", "syntax", "memory", "timeout"}, p.End) {
			panic(fmt.Sprintf("hostile.json: %q ends with %q", p.Name, p.End))
		}
	}
	return list
}

func repeated(part string, n int) string {
	if !strings.Contains(part, "%d") {
		return strings.Repeat(part, n)
	}
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, part, i)
	}
	return b.String()
}

// kind is the outcome in the words of HostileProgram.End.
func (o Outcome) kind() string {
	var stopped *engine.CompileError
	kind := o.Failure.Kind
	switch {
	case o.Status == engine.Done:
		return "value"
	case o.String() == "syntax":
		return "syntax"
	case errors.As(o.Compile, &stopped):
		kind = stopped.Kind
	}
	switch kind {
	case engine.Interrupted, engine.Killed:
		return "timeout"
	case engine.Memory:
		return "memory"
	case engine.Thrown:
		return "guest"
	}
	return o.String()
}

func testHostile(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	for _, p := range HostilePrograms() {
		t.Run(p.Name, func(t *testing.T) {
			w.Deadline = Patience
			hurried := testing.Short()
			if hurried {
				w.Deadline = 100 * time.Millisecond
			} else if p.End == "timeout" {
				w.Deadline = time.Second
			}
			before := residentSet()
			o := w.timely(t, 2, func() Outcome { return w.hostileRun(t, p) })
			if got := o.kind(); got != p.End && !(got == "timeout" && hurried) {
				t.Errorf("got %s (%.200s), want %s", got, o, p.End)
			}
			if grown := residentSet() - before; grown > 96<<20 {
				t.Errorf("the resident set grew by %d MB", grown>>20)
			}
			w.Deadline = 0
			w.check(t)
		})
	}
}

// hostileRun compiles under the deadline too, and then runs.
func (w *World) hostileRun(t testing.TB, p HostileProgram) Outcome {
	o, prog := w.compile(Body(p.Code))
	if prog == nil {
		return o
	}
	return w.Run(t, prog, nil)
}
