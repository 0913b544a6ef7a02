package enginetest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"quicksand/engine"
	"quicksand/internal/marshal"
)

func testSyncCalls(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	rows := []struct{ name, code, want string }{
		{"without a payload", `export default native(64);`, "= undefined"},
		{"undefined", `export default native(64, undefined);`, "= undefined"},
		{"further arguments are ignored", `export default native(64, 1, 2, 3);`, "= 1"},
		{"a call in a getter of a call", `export default echo({ get a() { return echo({ get b() { return echo(2); } }); } });`, "= {a: {b: 2}}"},
		{"many calls", `let n = 0; for (let i = 0; i < 20000; i++) n += echo(i) - echo(i - 1); export default n;`, "= 20000"},
		{"many calls with strings", `let n = 0; const s = "x".repeat(100); for (let i = 0; i < 5000; i++) n += echo(s).length; export default n;`, "= 500000"},
		{"a thrown error", `let r; try { raise(new RangeError("no")); } catch (e) { r = [e instanceof RangeError, e.name, e.message]; } export default r;`, `= [true, "RangeError", "no"]`},
		{"a thrown error keeps its properties", `let r; try { raise(Object.assign(new Error("no"), { code: "E_NO", detail: [1] })); } catch (e) { r = [e.code, e.detail]; } export default r;`, `= ["E_NO", [1]]`},
		{"a thrown string", `let r; try { raise("no"); } catch (e) { r = e; } export default r;`, `= "no"`},
		{"a thrown error that nobody catches", `raise(new TypeError("no"));`, "! TypeError: no"},
		{"a throw inside an asynchronous function", `export default await (async () => raise(new Error("no")))().catch((e) => e.message);`, `= "no"`},
		{"a throw in a job", `await null; raise(new Error("no"));`, "! Error: no"},
		{"the prelude's name is gone", `export default typeof __native;`, `= "undefined"`},
		{"native cannot be constructed into harm", `export default typeof caught(() => new native(64, 1));`, "*"},
		{"native with an odd receiver", `export default native.call(null, 64, 5);`, "= 5"},
		{"native through apply and bind", `export default [native.apply(1, [64, 6]), native.bind(null, 64)(7), Reflect.apply(native, {}, [64, 8])];`, "= [6, 7, 8]"},
		{"the operation is converted once", `let n = 0; native({ valueOf() { n++; return 64; } }, 1); export default n;`, "*"},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			o := w.Eval(t, r.code, nil)
			if r.want == "*" {
				if o.Status != engine.Done && o.Failure.Kind != engine.Thrown {
					t.Errorf("got %v", o)
				}
				return
			}
			expect(t, o, r.want)
		})
	}
	t.Run("the host sees operation and order", func(t *testing.T) {
		var seen []string
		record := func(op uint32) func(marshal.Message) engine.Reply {
			return func(m marshal.Message) engine.Reply {
				seen = append(seen, fmt.Sprintf("%d %s", op, Dump(m)))
				return engine.Reply{Value: marshal.Message{Wire: []byte{marshal.TagTrue}}}
			}
		}
		h := &Host{Sync: map[uint32]func(marshal.Message) engine.Reply{}}
		for _, op := range []uint32{68, 100, 65535} {
			h.Sync[op] = record(op)
		}
		expect(t, w.Eval(t, `native(65535, "a"); native(68); native(100, [1]); await null; native(68, 2); export default native(68, 3);`, h), "= true")
		if got := strings.Join(seen, "; "); got != `65535 "a"; 68 undefined; 100 [1]; 68 2; 68 3` {
			t.Error(got)
		}
	})
	t.Run("a hostile argument is the guest's error, not a call", func(t *testing.T) {
		h := &Host{}
		expect(t, w.Eval(t, `let r; try { note({ get a() { throw new RangeError("g"); } }); } catch (e) { r = e.message; } export default r;`, h), `= "g"`)
		if len(h.Notes) != 0 {
			t.Errorf("notes %q", h.Notes)
		}
	})
}

func testAsyncCalls(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	rows := []struct{ name, code, want string }{
		{"a value", `export default await later({ a: [1] });`, "= {a: [1]}"},
		{"without a payload", `export default await native(65536);`, "= undefined"},
		{"the call gives a promise", `const p = later(1); export default [p instanceof Promise, native(6, p)[0], await p, native(6, p)];`, "= [true, 0, 1, [1, 1]]"},
		{"an error", `let r; try { await reject(new RangeError("no")); } catch (e) { r = [e instanceof RangeError, e.message]; } export default r;`, `= [true, "no"]`},
		{"an error with properties", `let r; try { await reject(Object.assign(new Error("no"), { name: "Odd", code: 7, cause: "c" })); } catch (e) { r = [e.name, e.code, e.cause]; } export default r;`, `= ["Odd", 7, "c"]`},
		{"a rejection that is no error", `export default await reject(5).catch((e) => e);`, "= 5"},
		{"a rejection that nobody catches", `await reject(new TypeError("no"));`, "! TypeError: no"},
		{"a rejection that nobody awaits", `reject(new TypeError("no")); export default await later(1);`, "= 1"},
		{"many at once", `export default (await Promise.all(Array.from({ length: 1000 }, (_, i) => later(i)))).reduce((a, b) => a + b);`, "= 499500"},
		{"many from goroutines", `export default (await Promise.all(Array.from({ length: 1000 }, (_, i) => work(i)))).reduce((a, b) => a + b);`, "= 499500"},
		{"one after the other", `let n = 0; for (let i = 0; i < 1000; i++) n += await later(i); export default n;`, "= 499500"},
		{"a race", `export default await Promise.race([hold(1), work(2)]);`, "= 2"},
		{"a call that is never settled", `await hold(1);`, "stuck"},
		{"nothing to wait for", `await new Promise(() => {});`, "stuck"},
		{"calls of a call's continuation", `export default await later(1).then((x) => later(x + 1)).then((x) => work(x + 1));`, "= 3"},
		{"asynchronous iteration", `async function* g() { for (let i = 0; i < 5; i++) yield later(i); } let n = 0; for await (const x of g()) n += x; export default n;`, "= 10"},
		{"work left undone", `later(1); work(2); export default 3;`, "= 3"},
		{"a synchronous call in between", `const p = later(1); const q = echo(2); export default [await p, q];`, "= [1, 2]"},
		{"the largest operation number", `let r; try { r = await Promise.race([native(2 ** 32, 1), later("ignored")]); } catch { r = "refused"; } export default typeof r;`, `= "string"`},
		{"a thenable as the result", `const o = await later({ then: 1 }); export default o;`, "= {then: 1}"},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) { expect(t, w.Eval(t, r.code, nil), r.want) })
	}
	t.Run("calls are in order and carry their arguments", func(t *testing.T) {
		var seen []string
		ids := map[engine.CallID]bool{}
		h := &Host{Async: func(w *World, c engine.Call) bool {
			seen = append(seen, fmt.Sprintf("%d %s", c.Op, Dump(c.Arg)))
			if ids[c.ID] {
				t.Errorf("id %d twice", c.ID)
			}
			ids[c.ID] = true
			w.Iso.Settle(c.ID, engine.Reply{Value: c.Arg})
			return true
		}}
		expect(t, w.Eval(t, `native(70000, "a"); native(65536); export default await native(2147483647, [1]);`, h), "= [1]")
		if got := strings.Join(seen, "; "); got != `70000 "a"; 65536 undefined; 2147483647 [1]` {
			t.Error(got)
		}
	})
	t.Run("an argument is owned by the receiver", func(t *testing.T) {
		var calls []engine.Call
		h := &Host{Async: func(w *World, c engine.Call) bool {
			calls = append(calls, c)
			if len(calls) == 3 {
				for _, c := range calls {
					w.Iso.Settle(c.ID, engine.Reply{})
				}
			}
			return true
		}}
		expect(t, w.Eval(t, `const u = new Uint8Array(70000); const ps = []; for (let i = 1; i < 4; i++) { u.fill(i); ps.push(hold([i, u])); } await Promise.all(ps); export default 1;`, h), "= 1")
		w.check(t)
		for i, c := range calls {
			if c.Arg.Blobs[0][0] != byte(i+1) || c.Arg.Blobs[0][69999] != byte(i+1) || c.Arg.Wire[3] != byte(2*i+2) {
				t.Errorf("call %d: %x %d", i, c.Arg.Wire, c.Arg.Blobs[0][0])
			}
		}
	})
	t.Run("continuations run in the order of settlement", func(t *testing.T) {
		var held []engine.Call
		h := &Host{Async: func(w *World, c engine.Call) bool {
			if held = append(held, c); len(held) == 4 {
				for _, i := range []int{2, 0, 3, 1} {
					w.Iso.Settle(held[i].ID, engine.Reply{Value: held[i].Arg})
				}
			}
			return true
		}}
		expect(t, w.Eval(t, `const order = []; await Promise.all([0, 1, 2, 3].map((i) => hold(i).then((x) => order.push(x)))); export default order;`, h), "= [2, 0, 3, 1]")
	})
	t.Run("only the first settlement counts", func(t *testing.T) {
		h := &Host{Async: func(w *World, c engine.Call) bool {
			two := engine.Reply{Value: marshal.Message{Wire: []byte{marshal.TagInt, 4}}}
			for _, r := range []engine.Reply{{Value: c.Arg}, two, {Value: c.Arg, Throw: true}} {
				if err := w.Iso.Settle(c.ID, r); err != nil {
					t.Errorf("Settle: %v", err)
				}
			}
			for _, id := range []engine.CallID{c.ID + 1, c.ID + 1000, 1<<32 - 1} {
				if err := w.Iso.Settle(id, two); err != nil {
					t.Errorf("Settle of the unknown id %d: %v", id, err)
				}
			}
			return true
		}}
		expect(t, w.Eval(t, `const a = await hold(7), b = await hold(8), c = await hold(9); export default [a, b, c];`, h), "= [7, 8, 9]")
	})
	t.Run("settled after the end and after Reset", func(t *testing.T) {
		h := &Host{}
		expect(t, w.Eval(t, `hold(1).then(() => { globalThis.late = 1; }); hold(2); await later(0); export default 3;`, h), "= 3")
		if len(h.held) == 0 {
			t.Fatal("no call arrived")
		}
		for _, c := range h.held {
			if err := w.Iso.Settle(c.ID, engine.Reply{}); err != nil {
				t.Errorf("after the end: %v", err)
			}
		}
		w.reset(t)
		for _, c := range h.held {
			if err := w.Iso.Settle(c.ID, engine.Reply{}); err != nil {
				t.Errorf("after Reset: %v", err)
			}
		}
		w.check(t)
	})
	t.Run("too many unsettled calls", func(t *testing.T) {
		w.Settings.MaxCalls = 10
		defer func() { w.Settings.MaxCalls = 0 }()
		h := &Host{}
		expect(t, w.Eval(t, `let n = 0; try { for (;;) { hold(n); n++; } } catch (e) { globalThis.e = e; } export default [n, e instanceof Error, e.message.includes("10")];`, h), "= [10, true, true]")
		expect(t, w.Eval(t, `let n = 0; for (let i = 0; i < 100; i++) { await Promise.all([later(1), later(2), later(3)]); n++; } export default n;`, nil), "= 100")
	})
	t.Run("calls in the getters of a call count too", func(t *testing.T) {
		w.Settings.MaxCalls = 4
		defer func() { w.Settings.MaxCalls = 0 }()
		const nest = `const nest = (n) => n === 0 ? 0 : { get v() { return (hold(nest(n - 1)), n); } };`
		expect(t, w.Eval(t, nest+`hold(1); let r; try { hold(nest(6)); } catch (e) { r = e.message.includes("4"); } export default r;`, nil), "= true")
		if n := len(w.Iso.Calls(nil)); n != 4 {
			t.Errorf("%d calls are queued, want 4", n)
		}
	})
	t.Run("the default of unsettled calls", func(t *testing.T) {
		h := &Host{Async: func(*World, engine.Call) bool { return true }}
		expect(t, w.Eval(t, `let n = 0; try { for (;;) { hold(); n++; } } catch { } export default n;`, h), "= 10000")
		w.check(t)
	})
	t.Run("requests of a long-running guest are flushed", func(t *testing.T) {
		const spin = `const end = native(7) + 15; while (native(7) < end);`
		var early []string
		h := &Host{OnFlush: func(w *World) {
			for _, c := range w.Iso.Calls(nil) {
				early = append(early, Dump(c.Arg))
			}
		}, Async: func(w *World, c engine.Call) bool {
			early = append(early, "late "+Dump(c.Arg))
			return true
		}}
		expect(t, w.Eval(t, spin+` hold("first"); note("after first"); hold("second"); export default 1;`, h), "= 1")
		if h.flushes == 0 || len(early) < 1 || early[0] != `"first"` {
			t.Errorf("%d flushes, calls %q", h.flushes, early)
		}
		h.flushes, early = 0, nil
		expect(t, w.Eval(t, `hold("first");`+spin+` hold("second"); await later(1); export default 1;`, h), "stuck")
		if h.flushes == 0 || strings.ReplaceAll(strings.Join(early, " "), "late ", "") != `"first" "second" 1` || early[1] != `"second"` {
			t.Errorf("%d flushes, calls %q", h.flushes, early)
		}
	})
	t.Run("waiting takes no calls of Pump to stay waiting", func(t *testing.T) {
		w.reset(t)
		s, err := w.Iso.Start(MustCompile(t, e, "main.js", `export default await hold(1);`), &Host{})
		for range 5 {
			if err != nil || s != engine.Waiting {
				t.Fatalf("%v %v", s, err)
			}
			s, err = w.Iso.Pump()
		}
		calls := w.Iso.Calls(nil)
		if len(calls) != 1 || len(w.Iso.Calls(nil)) != 0 {
			t.Fatalf("calls %v", calls)
		}
		if err := w.Iso.Settle(calls[0].ID, engine.Reply{}); err != nil {
			t.Fatal(err)
		}
		if s, err = w.Iso.Pump(); err != nil || s != engine.Done {
			t.Errorf("%v %v", s, err)
		}
	})
	t.Run("Calls appends", func(t *testing.T) {
		w.reset(t)
		if _, err := w.Iso.Start(MustCompile(t, e, "main.js", `hold(1); hold(2); await hold(3);`), &Host{}); err != nil {
			t.Fatal(err)
		}
		w.Iso.Pump()
		got := w.Iso.Calls([]engine.Call{{Op: 1}})
		if len(got) != 4 || got[0].Op != 1 || Dump(got[3].Arg) != "3" {
			t.Errorf("calls %v", got)
		}
	})
	t.Run("one wait of a second is not a stop", func(t *testing.T) {
		if testing.Short() {
			t.Skip("takes a second")
		}
		h := &Host{}
		h.Async = func(w *World, c engine.Call) bool {
			h.open++
			time.AfterFunc(time.Second, func() { h.results <- settlement{c.ID, engine.Reply{Value: c.Arg}} })
			return true
		}
		expect(t, w.Eval(t, `export default await hold("late");`, h), `= "late"`)
	})
}

// testErrorHooks is a guest that waits for the engine to make an error. What other engines
// ask then, for the frames and their number, would run guest code in the middle of a call.
func testErrorHooks(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	const guest = `let asked = 0;
const limit = { valueOf() { asked++; native(65538); throw new RangeError("asked"); } };
for (const k of ["stackTraceLimit", "prepareStackTrace"]) {
  globalThis[k] = [Object.hasOwn(Error, k), k in TypeError];
  Error[k] = limit;
  Object.defineProperty(Error, k, { get() { asked++; native(65538); return k === "stackTraceLimit" ? limit : () => { asked++; return [1]; }; }, configurable: true });
}
`
	rows := []struct{ name, code, want string }{
		{"they are not there", `export default [stackTraceLimit, prepareStackTrace];`, "[[false, false], [false, false]]"},
		{"an error of the guest", `const e = new Error("x"); export default [asked, typeof e.stack];`, `[0, "string"]`},
		{"an error of the engine", `let r; try { null.x; } catch (e) { r = typeof e.stack; } export default [asked, r];`, `[0, "string"]`},
		{"a call", `const r = await later(1); export default [asked, r];`, "[0, 1]"},
		{"a call that keeps its stack", `const r = await native(65536, 1, true); export default [asked, r];`, "[0, 1]"},
		{"a rejected call that keeps its stack", `let r; try { await native(65537, new RangeError("no"), true); } catch (e) { r = [e.message, e.stack.includes("main.js")]; } export default [asked, r];`, `[0, ["no", true]]`},
		{"a rejected call from elsewhere", `const r = await reject(new Error("no")).catch((e) => e.message); export default [asked, r];`, `[0, "no"]`},
		{"a decoded error", `const e = echo(new TypeError("t", { cause: new Error("c") })); export default [asked, e.message, e.cause.message];`, `[0, "t", "c"]`},
		{"a thrown reply", `let r; try { raise(new RangeError("r")); } catch (e) { r = e.message; } export default [asked, r];`, `[0, "r"]`},
		{"a refused value", `let r; try { echo(() => 1); } catch (e) { r = e.name; } export default [asked, r];`, `[0, "DataCloneError"]`},
		{"a refused argument of a call", `let r; try { later(Symbol()); } catch (e) { r = e.name; } export default [asked, r];`, `[0, "DataCloneError"]`},
		{"captureStackTrace", `const o = {}; Error.captureStackTrace?.(o); export default [asked, typeof (o.stack ?? "")];`, `[0, "string"]`},
		{"the stack of a caller", `export default [asked, typeof native(8)];`, `[0, "string"]`},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			h := &Host{}
			expect(t, w.Eval(t, guest+r.code, h), "= "+r.want)
			if len(h.held) != 0 {
				t.Errorf("%d calls came from the making of an error", len(h.held))
			}
		})
	}
	t.Run("an error that nobody catches", func(t *testing.T) {
		h := &Host{}
		expect(t, w.Eval(t, guest+`await native(65537, new RangeError("no"), true);`, h), "! RangeError: no")
		if len(h.held) != 0 {
			t.Errorf("%d calls", len(h.held))
		}
	})
	w.check(t)
}

// panicker panics in the method that it is told.
type panicker struct {
	*Host
	value any
	where string
}

func (p panicker) Call(op uint32, arg marshal.Message) engine.Reply {
	if p.where == "Call" && op == opTest {
		panic(p.value)
	}
	return p.Host.Call(op, arg)
}

func (p panicker) Flush() {
	if p.where == "Flush" {
		panic(p.value)
	}
}

func (p panicker) Resolve(base, specifier string) (engine.Import, error) {
	if p.where == "Resolve" {
		panic(p.value)
	}
	return p.Host.Resolve(base, specifier)
}

func testPanics(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	failure := errors.New("secret failure")
	rows := []struct{ name, where, code string }{
		{"in Call", "Call", `native(68);`},
		{"in Call, caught by the guest", "Call", `try { native(68); } catch (e) { note(String(e)); }`},
		{"in Call, deep in native frames", "Call", `[3, 2, 1].sort(() => "a".replace(/a/, () => native(68)));`},
		{"in Call, in a job", "Call", `await null; native(68);`},
		{"in Call, in an asynchronous function", "Call", `(async () => { native(68); })().catch((e) => note(String(e))); export default 1;`},
		{"in Call, in a getter of a call", "Call", `echo({ get a() { native(68); } });`},
		{"in Call, in a getter of the result", "Call", `export default { get a() { return native(68); } };`},
		{"in Call, in an imported module", "Call", `import "call.js";`},
		{"in Call, in a trap of a proxy", "Call", `new Proxy({}, { get() { native(68); } }).x;`},
		{"in Call, and then a loop", "Call", `try { native(68); } catch { } for (;;);`},
		{"in Resolve", "Resolve", `import "x";`},
		{"in Resolve of a module's import", "Resolve", `import "x";`},
		{"in Flush", "Flush", `const end = native(7) + 15; while (native(7) < end); hold(1); hold(2); export default 1;`},
	}
	for _, r := range rows {
		for _, value := range []any{failure, "secret text", 42} {
			t.Run(fmt.Sprintf("%s of a %T", r.name, value), func(t *testing.T) {
				w.Deadline = 100 * time.Millisecond * slower
				defer func() { w.Deadline = 0 }()
				h := &Host{Modules: map[string]string{"call.js": "native(68);"}}
				got := func() (panicked any) {
					defer func() { panicked = recover() }()
					p := MustCompile(t, e, "main.js", r.code)
					w.reset(t)
					w.dog.start(w.Iso, w.Deadline, w.Grace)
					defer w.dog.join()
					h.w, h.t = w, t
					host := panicker{h, value, r.where}
					s, err := w.Iso.Start(p, host)
					for err == nil && s == engine.Waiting {
						if s, err = w.Iso.Pump(); err != nil || s == engine.Waiting && len(w.Iso.Calls(nil)) == 0 {
							break
						}
					}
					if err == nil && s == engine.Done {
						_, s, err = w.Iso.Result(engine.Strict)
					}
					t.Errorf("no panic: %v %v %v", s, err, w.Iso.Failure().Kind)
					return nil
				}()
				if got != value {
					t.Errorf("panic %v, want %v", got, value)
				}
				for _, n := range h.Notes {
					if strings.Contains(n, "secret") || strings.Contains(n, "42") || strings.Contains(n, ".go") {
						t.Errorf("the guest saw %s", n)
					}
				}
				w.check(t)
			})
		}
	}
	t.Run("a run-time error of Go", func(t *testing.T) {
		h := &Host{Sync: map[uint32]func(marshal.Message) engine.Reply{opTest: func(marshal.Message) engine.Reply {
			var p *marshal.Message
			return engine.Reply{Value: *p}
		}}}
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "nil pointer") {
					t.Errorf("recovered %v", r)
				}
			}()
			w.Eval(t, `native(68);`, h)
		}()
		w.check(t)
	})
	t.Run("in Call of a hook", func(t *testing.T) {
		w.reset(t)
		expect(t, w.Eval(t, `Object.defineProperty(globalThis, "x", { get() { return native(68); } }); export default 1`, nil), "= 1")
		func() {
			defer func() {
				if r := recover(); r != "hook" {
					t.Errorf("recovered %v", r)
				}
			}()
			w.Iso.Invoke("readGlobals", marshal.Message{Wire: []byte("\x09\x01\x07\x01x")}, engine.Strict, panicker{&Host{}, "hook", "Call"})
		}()
		w.check(t)
	})
}
