package quicksand

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// The acts of a hostile guest or a clumsy host which are more than one program.

func TestAwaitingWhatNothingSettlesFailsAtOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, code := range []string{
			"await new Promise(() => {}); return 1",
			"await sleep(1); await new Promise(() => {})",
			"const p = new Promise(() => {}); await Promise.all([p, sleep(1)])",
			"for await (const x of { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) });",
			"await { then() {} }",
		} {
			start := time.Now()
			_, e := fails(t, s, code, Options{}, KindStalled)
			if !strings.Contains(e.Message, "nothing can settle") || time.Since(start) > 10*time.Second {
				t.Errorf("%s: got %v after %v", code, e, time.Since(start))
			}
		}
		// A promise that is pending but not awaited holds nothing up.
		must(t, s, "new Promise(() => {}).then(() => 1); return 1", Options{})
	})
}

func TestAwaitingInALoopMeetsTheDeadline(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		l := Limits{Timeout: 200 * time.Millisecond}
		for _, code := range []string{"for (;;) await sleep(1)", "for (;;) await sleep(1000)", "for (;;) await tick()", "for (;;) await Promise.all([tick(), sleep(3)])"} {
			var e *Error
			inTime(t, l.Timeout, func() {
				_, e = fails(t, s, code, Options{Limits: l, Globals: map[string]any{"tick": func() {}}}, KindTimeout)
			})
			if e.Limit != "Timeout" || e.Value != int64(l.Timeout) || e.Used < e.Value || e.Name != "ExecutionTimeout" {
				t.Errorf("%s: got %q, %d, %d, %s", code, e.Limit, e.Value, e.Used, e.Name)
			}
		}
		alive(t, s)
	})
}

func TestFloodsOfMemory(t *testing.T) {
	long(t, "fills 64 MB several times")
	programs := map[string]string{
		"many small buffers": "const keep = []; for (let i = 0; i < 4000; i++) keep.push(new Uint8Array(1 << 18)); return keep.length",
		"object flood":       "const keep = []; for (let i = 0; ; i++) keep.push({ i })",
		"string flood":       "const keep = []; for (let i = 0; ; i++) keep.push('text number ' + i)",
		"closure flood":      "const keep = []; for (let i = 0; ; i++) keep.push(() => i)",
		"bigint flood":       "const keep = []; for (let i = 1n; ; i++) keep.push(i << 400n)",
		"regexp flood":       "const keep = []; for (let i = 0; ; i++) keep.push(new RegExp('a' + i + '+(b|c)'))",
		"promise flood":      "const keep = []; for (let i = 0; ; i++) keep.push(new Promise(() => {}))",
	}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		box := own(t, s, Config{Isolates: 1})
		alive(t, box)
		for _, name := range sortedKeys(programs) {
			for _, mb := range []int64{1, 2, 4, 8, 16, 32, 64} {
				if name != "object flood" && mb != 4 && (mb != 64 || name != "many small buffers") {
					continue
				}
				measured, before := resetPeak(), residentSet(t)
				_, err := box.Run(context.Background(), programs[name], Options{Limits: Limits{Memory: mb << 20, Timeout: time.Minute}})
				e := wantKind(t, err, KindMemory)
				if e.Limit != "Memory" || e.Value != mb<<20 || e.Used < mb<<19 || e.Used > mb<<20 {
					t.Errorf("%s in %d MB: got limit %s of %d, used %d", name, mb, e.Limit, e.Value, e.Used)
				}
				if grown := peakSet(t) - before; measured && !raceEnabled && grown > mb<<20+32<<20 {
					t.Errorf("%s in %d MB: resident memory grew by %d MB", name, mb, grown>>20)
				}
				alive(t, box)
			}
		}
	})
}

func TestNoFunctionIsMadeOfText(t *testing.T) {
	kinds := []string{"Function", "(() => 1).constructor", "(async () => 1).constructor", "(function* () {}).constructor", "(async function* () {}).constructor",
		"class {}.constructor", "sleep.constructor", "host.constructor", "Object.getPrototypeOf(async () => 1).constructor", "(class { static async *m() {} }).m.constructor"}
	// Each of them as a call, with new, through Reflect.construct, as a base class, and bound.
	try := `const made = [], kinds = [` + strings.Join(kinds, ", ") + `];
for (const F of kinds) {
  for (const make of [() => F("return 7"), () => new F("return 7"), () => Reflect.construct(F, ["return 7"]), () => new (class extends F {})("return 7"),
      () => F.bind(null, "return 7")(), () => F.call(null, "return 7"), () => Reflect.construct(Object, ["return 7"], F)]) {
    try { const f = make(); made.push(typeof f === "function" ? f() : f instanceof Object && !(f instanceof F) ? "?" : 0); }
    catch (e) { if (!/code generation|not a constructor/.test(e.message)) made.push(e.message); }
  }
}
`
	places := map[string]string{
		"at the top":                   try + "return made",
		"in a callback of a promise":   "return await Promise.resolve().then(() => {" + try + "return made })",
		"after a host call":            "await host(); " + try + "return made",
		"inside of a host callback":    "return await host().then(() => {" + try + "return made })",
		"in a getter during encoding":  "const out = []; await host({ get a() { " + try + " out.push(...made); return 1 } }); return out",
		"from an imported module":      `import { run } from "m"; return run()`,
		"in the body of a module":      `import { top } from "m"; return top`,
		"in an error's getter":         "const out = []; class E extends Error { get message() { " + try + " out.push(...made); return 'x' } } console.log(new E()); return out",
		"in a valueOf during sleep":    "const out = []; await sleep({ valueOf() { " + try + " out.push(...made); return 0 } }); return out",
		"in a sort comparator":         "const out = []; [2, 1].sort(() => { " + try + " out.push(...made); return 0 }); return out",
		"in a job after the first":     "let out; await new Promise((r) => queueMicrotask(() => { " + try + " out = made; r() })); return out",
		"in a class's static block":    "let out; class A { static { " + try + " out = made } } return out",
		"in a generator":               "function* g() { " + try + " yield made } return [...g()][0]",
		"in a tagged template's tag":   "const tag = () => { " + try + " return made }; return tag`x`",
		"in a proxy's trap":            "const p = new Proxy({}, { get() { " + try + " return made } }); return p.x",
		"in a setter of a global name": "let out; Object.defineProperty(globalThis, 'zz', { set() { " + try + " out = made } }); zz = 1; return out",
	}
	o := Options{
		Globals: map[string]any{"host": func(Value) {}},
		Modules: map[string]Module{"m": {Code: try + "export const top = made; export function run() { " + try + " return made }"}},
	}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, place := range sortedKeys(places) {
			t.Run(place, func(t *testing.T) {
				res := must(t, s, places[place], o)
				for _, v := range res.Value.Elements() {
					if text := v.String(); text != "0" && text != "?" {
						t.Errorf("got %s", text)
					}
				}
			})
		}
		for _, code := range []string{"return eval('7')", "return globalThis['ev' + 'al']('7')", "return (0, eval)('7')", "setTimeout('7')", "new (class A { static x = eval('7') })()"} {
			_, err := s.Run(context.Background(), code, Options{})
			if err == nil || strings.Contains(kindOf(err), "internal") {
				t.Errorf("%s: got %v", code, err)
			}
		}
	})
}

func TestDynamicImportIsRefused(t *testing.T) {
	o := Options{Modules: map[string]Module{"m": {Code: "export const x = 1; export const load = (s) => import(s);"}}, Globals: map[string]any{"host": func() {}}}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, code := range []string{
			`return await import("m")`,
			`import { x } from "m"; return await import("m")`,
			`import { load } from "m"; return await load("m")`,
			`return await host().then(() => import("m"))`,
			`const f = async () => { await null; return import("m") }; return await f()`,
		} {
			_, e := fails(t, s, code, o, KindGuest)
			if !strings.Contains(e.Message, "dynamic import()") || !strings.Contains(e.Message, "m") {
				t.Errorf("%s: got %v", code, e)
			}
			leaks(t, e)
		}
		must(t, s, `try { await import("m") } catch (e) { return e.message }`, o)
		must(t, s, `for (let i = 0; i < 1000; i++) import("x" + i).catch(() => 0); return 1`, o)
	})
}

func TestPoisonedIntrinsics(t *testing.T) {
	poison := `
const names = { Array: ["map", "push", "join", "forEach", "slice", "concat"], String: ["slice", "indexOf", "startsWith"], Promise: ["then", "catch", "finally"],
  Map: ["get", "set", "forEach", "entries"], Set: ["add", "forEach", "values"], Function: ["call", "apply", "bind"], Object: ["hasOwnProperty", "valueOf"] };
const bad = () => { throw new Error("poisoned"); };
for (const c in names) for (const n of names[c]) globalThis[c].prototype[n] = bad;
Object.prototype.toJSON = () => "poisoned";
Array.prototype.toJSON = () => "poisoned";
JSON.stringify = JSON.parse = Object.keys = Object.defineProperty = Reflect.ownKeys = Reflect.apply = Array.isArray = Array.from = bad;
for (const n of ["Map", "Set", "Date", "Error", "TypeError", "Uint8Array", "RegExp", "BigInt", "Number", "String", "Promise"]) { const C = globalThis[n]; globalThis[n] = bad; keep[n] = C; }
Array.prototype[Symbol.iterator] = bad;
`
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		var got any
		o := Options{Globals: map[string]any{
			"host": func(v Value) (map[string]any, error) {
				got = v.Ordered()
				return map[string]any{"n": 1, "list": []any{1, "b"}}, nil
			},
			"wrong": func() error { return &GuestError{Name: "RangeError", Message: "no"} },
			"state": map[string]any{"a": []any{1.0}},
		}, Seed: 3}
		res := must(t, s, `const keep = {}; const m = new Map([["k", new Set([1])]]), d = new Date(5);`+poison+`
const r = await host({ a: [1, m], d });
state.a[1] = 2;
console.log("printed", { a: 1, m });
await emit("e", [r.n]);
await output("o", { list: r.list });
progress(5, "x");
let rejected;
try { await wrong(); } catch (e) { rejected = e.name + ":" + e.message; }
const u = new URL("http://a.test/?q=1");
return { r, m, d, rejected, hex: toHex(await crypto.digest("SHA-1", "abc")), u: u.searchParams.get("q"), b: fromBase64("aGk="), id: crypto.randomUUID().length, big: 5n };`, o)
		wantJSON(t, "result", res.Value, `{"r":{"list":[1,"b"],"n":1},"m":[["k",[1]]],"d":"1970-01-01T00:00:00.005Z","rejected":"RangeError:no","hex":"a9993e364706816aba3e25717850c26c9cd0d89d","u":"1","b":"aGk=","id":36,"big":"5"}`)
		if fmt.Sprint(res.Outputs["o"].Field("list")) != `[1,"b"]` || res.Emitted[0].Value.Index(0).String() != "1" {
			t.Errorf("got outputs %v, emitted %v", res.Outputs, res.Emitted)
		}
		wantJSON(t, "global", res.Globals["state"], `{"a":[1,2]}`)
		if lines := logText(res); !strings.Contains(lines, "printed { a: 1, m: Map(1) { 'k' => Set(1) { 1 } } }") {
			t.Errorf("got logs %q", lines)
		}
		obj, _ := got.(*Object)
		if obj == nil || len(obj.Entries) != 2 || obj.Entries[0].Key != "a" {
			t.Errorf("the host got %v", got)
		}
		if res := must(t, s, "return [[1].map((x) => x + 1), JSON.stringify({ a: new Map().size })]", Options{}); res.Value.String() != `[[2],"{\"a\":0}"]` {
			t.Errorf("the next run sees %v", res.Value)
		}
		// The failure of a poisoned run is described with the guest's real values, too.
		_, e := fails(t, s, "const keep = {}, E = TypeError;"+poison+"throw new E('real')", Options{Globals: o.Globals}, KindGuest)
		if e.Name != "TypeError" || e.Message != "real" || e.Position.Line == 0 {
			t.Errorf("got %#v", e)
		}
	})
}

func TestErrorsSayNothingAboutTheHost(t *testing.T) {
	var nilMap map[string]int
	o := Options{Globals: map[string]any{
		"panics":  func() { nilMap["x"] = 1 },
		"index":   func() int { var a []int; return a[len(nilMap)] },
		"pointer": func() int { var p *Config; return p.Isolates },
		"typed":   func(n int, list []string) {},
		"channel": func() any { return make(chan int) },
		"nested":  map[string]any{"f": func(struct{ A time.Duration }) {}},
	}}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		codes := []string{
			"await panics()", "await index()", "await pointer()", "await typed('x')", "await typed(1.5)", "await typed(1, [2])", "await typed(1, { a: 1 })", "await channel()",
			"await nested.f(1)", "await nested.f({ A: 'x' })", "await typed(() => 1)", "await typed(Symbol('s'))", "await typed(new Proxy({}, { ownKeys() { throw 1 } }))",
			"emit(1)", "await emit(1)", "await output(2)", "await emit('x', () => 1)", "await output('x', { a: Symbol() }), await output('x')",
			"crypto.getRandomValues(-1)", "crypto.getRandomValues(new Uint8Array(70000))", "await crypto.digest('md4', 'x')", "await crypto.digest()", "await crypto.hmac('SHA-1')", "await crypto.digest('SHA-1', 5)",
			"atob('*')", "btoa('日')", "toHex(5)", "structuredClone(() => 1)", "new URL('x')", "new URL('http://[')", "new TextDecoder('nope')",
			"new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255]))", "await parallelMap(5)", "await parallelMap([1], 5)", "console.log(new Proxy({}, { get() { throw 1 } })); null.x",
			"import x from 'nope'", "import x from '../x'", "import x from '/etc/passwd'", "import x from 'node:fs'", "await import('x')", "return 1 +", "export const a = 1", "const a = 1; const a = 2",
			"Function('x')", "null.x", "undefinedName", "throw undefined", "throw null", "throw Symbol('x')", "throw { a: 1 }", "throw new Proxy(new Error('x'), {})", "await new Promise(() => {})",
			"throw Object.assign(new Error('x'), { stack: 5, name: {}, message: null })", "throw new AggregateError([new Error('a')], 'many')", "function f() { f() } f()",
		}
		for _, code := range codes {
			_, err := s.Run(context.Background(), code, o)
			var e *Error
			if !errors.As(err, &e) {
				if !strings.HasPrefix(code, "emit(") && !strings.Contains(code, "() => 1)") {
					t.Errorf("%s: no error", code)
				}
				continue
			}
			leaks(t, e)
			if strings.Contains(e.Message, "nilMap") || strings.Contains(e.Message, "Config") || e.Text() == "" {
				t.Errorf("%s: got %v", code, e)
			}
			// What the guest sees is no more than that.
			if e.Kind != KindSyntax && e.Kind != KindDenied && e.Kind != KindStalled {
				res, err := s.Run(context.Background(), "try { "+code+" } catch (e) { return [e?.name, e?.message, e?.stack, e?.code, e?.cause].map(String).join('\\n') }", o)
				if err == nil {
					// Its own stack may name the prelude, which is no secret.
					leaks(t, &Error{Message: strings.ReplaceAll(res.Value.String(), "quicksand:prelude", "prelude")})
				}
			}
		}
	})
}

func TestDroppedWorkIsCancelled(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		before := runtime.NumGoroutine()
		var ended sync.WaitGroup
		ended.Add(3)
		o := Options{Globals: map[string]any{"slow": func(ctx context.Context) error {
			defer ended.Done()
			<-ctx.Done()
			return ctx.Err()
		}}}
		start := time.Now()
		res := must(t, s, "slow(); slow(); slow(); return 'done'", o)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("back after %v", took)
		}
		ended.Wait()
		if n := strings.Count(logText(res), "\n"); n != 1 || !strings.Contains(logText(res), "slow (3)") || res.Logs[0].Level != "warn" {
			t.Errorf("got logs %q, want one warning", logText(res))
		}
		if res.Usage.Abandoned != 0 {
			t.Errorf("%d host functions were abandoned", res.Usage.Abandoned)
		}
		settleGoroutines(t, before)
	})
}

// settleGoroutines fails when goroutines stay beyond what there were.
func settleGoroutines(t testing.TB, before int) {
	t.Helper()
	deadline := time.Now().Add(5 * time.Second)
	for runtime.NumGoroutine() > before+1 {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<16)
			t.Errorf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
			return
		}
		runtime.Gosched()
	}
}

func TestHostFunctionsThatIgnoreTheirContextAreCounted(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		release := make(chan struct{})
		done := make(chan struct{})
		res := must(t, s, "deaf(); return 1", Options{Globals: map[string]any{"deaf": func() { <-release; close(done) }}})
		if res.Usage.Abandoned != 1 || s.Stats().Abandoned < 1 {
			t.Errorf("got %d abandoned in the run, %d in the sandbox", res.Usage.Abandoned, s.Stats().Abandoned)
		}
		// It settles long after its run, while others go on; nobody listens.
		close(release)
		<-done
		alive(t, s)
	})
}

// TestLateSettles lets calls end at the same time as their run, again and again.
func TestLateSettles(t *testing.T) {
	runs := 200
	if testing.Short() {
		runs = 30
	}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		var wg sync.WaitGroup
		for i := range runs {
			o := Options{Globals: map[string]any{"work": func(ctx context.Context) int {
				n := i
				for range i * 10 {
					n++
				}
				return n
			}}}
			wg.Go(func() {
				res, err := s.Run(context.Background(), "const p = [work(), work(), work(), sleep(0)]; await Promise.race(p); return 7", o)
				if err != nil || res.Value.String() != "7" {
					t.Errorf("got %v, %v", res, err)
				}
			})
		}
		wg.Wait()
	})
}

func TestPanicsOfHostFunctions(t *testing.T) {
	type secret struct{ password string }
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Globals: map[string]any{
			"panics": func() { panic(secret{"hunter2"}) },
			"goexit": func() { runtime.Goexit() },
		}}
		for _, code := range []string{"await panics()", "await sleep(1); await panics()"} {
			_, err := s.Run(context.Background(), code, o)
			e := wantKind(t, err, KindGuest)
			var p *PanicError
			if e.Message != "internal error in a host function" || !errors.As(err, &p) || p.Value != (secret{"hunter2"}) || len(p.Stack) == 0 {
				t.Errorf("%s: got %v with %v", code, e, e.Err)
			}
			if strings.Contains(e.Message+e.Stack+e.Frame, "hunter2") {
				t.Errorf("%s: the guest sees the panic: %v", code, e)
			}
			alive(t, s)
		}
		// A guest that goes on does not hide it from the host.
		_, err := s.Run(context.Background(), "try { await panics() } catch (e) { return e.message }", o)
		e := wantKind(t, err, KindInternal)
		var p *PanicError
		if !errors.As(err, &p) || strings.Contains(e.Message, "hunter2") {
			t.Errorf("got %v", err)
		}
		_, err = s.Run(context.Background(), "await goexit()", o)
		wantKind(t, err, KindGuest)
		// Synchronous: a sink, and a method that runs while a value is encoded.
		res, err := s.Run(context.Background(), "console.log('a'); progress(1); return 1", Options{
			OnLog: func(string, string) { panic("sink") }, OnProgress: func(float64, string) { panic("sink") }})
		if err != nil || res.Value.String() != "1" || len(res.Logs) != 1 {
			t.Errorf("got %v, %v", res, err)
		}
		_, err = s.Run(context.Background(), "await emit('a', 1)", Options{OnEmit: func(context.Context, string, Value) error { panic("sink") }})
		if e := wantKind(t, err, KindGuest); e.Message != "internal error in a host function" {
			t.Errorf("got %v", e)
		}
		if _, err := s.Run(context.Background(), "return 1", Options{Globals: map[string]any{"w": jsonPanics{}}}); err == nil {
			t.Error("a value that panics while it is encoded gave no error")
		} else {
			wantKind(t, err, KindUsage)
		}
		alive(t, s)
	})
}

// jsonPanics panics while it is encoded.
type jsonPanics struct{}

func (jsonPanics) MarshalJSON() ([]byte, error) { panic("in MarshalJSON") }

func TestCancelWhileBusy(t *testing.T) {
	programs := map[string]string{
		"in a CPU loop":          "started(); for (;;);",
		"in a loop that catches": "started(); for (;;) { try { for (;;); } catch {} finally { continue } }",
		"in a native builtin":    "started(); await null; [].indexOf.call({ length: 2 ** 53 - 1 }, 1)",
		"in a regular expression": `started(); await null;
			/^(a+)+$/.test("a".repeat(40) + "!")`,
		"in a host function":    "await waits()",
		"in a sleep":            "started(); await sleep(5000)",
		"in microtasks":         "started(); for (;;) await null",
		"in a sleeping loop":    "started(); for (;;) await sleep(1)",
		"in a getter of result": "started(); return { get a() { for (;;); } }",
		"in a printed value":    "started(); const p = new Proxy({}, { ownKeys() { for (;;); } }); console.log(p); for (;;);",
		"in a finally block":    "try { started(); await waits() } finally { for (;;); }",
	}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, name := range sortedKeys(programs) {
			t.Run(name, func(t *testing.T) {
				why := errors.New("the user left")
				var e *Error
				// 20 ms until the guest is in its loop.
				inTime(t, 20*time.Millisecond, func() {
					ctx, cancel := context.WithCancelCause(context.Background())
					stop := func() { time.AfterFunc(20*time.Millisecond, func() { cancel(why) }) }
					_, err := s.Run(ctx, programs[name], Options{Globals: map[string]any{
						"started": stop,
						"waits":   func(ctx context.Context) { stop(); <-ctx.Done() },
					}})
					e = wantKind(t, err, KindCancelled)
				})
				if !errors.Is(e, why) || e.Message != "Execution cancelled" {
					t.Errorf("got %v with %v", e, e.Err)
				}
				alive(t, s)
			})
		}
		t.Run("while compiling", func(t *testing.T) {
			source := "return [" + strings.Repeat("{a:[1,2,3],b:'x'},", 100_000) + "].length"
			inTime(t, 20*time.Millisecond, func() {
				ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
				defer cancel()
				_, err := s.Run(ctx, source, Options{})
				if e := wantKind(t, err, KindCancelled); !errors.Is(e, context.DeadlineExceeded) {
					t.Errorf("got %v with %v", e, e.Err)
				}
			})
			alive(t, s)
		})
	})
}

func TestTwoDeadlines(t *testing.T) {
	l := Limits{CPUTime: 100 * time.Millisecond, Timeout: 5 * time.Second}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for name, code := range map[string]string{
			"a loop after a sleep":   "await sleep(500); for (;;);",
			"many short stretches":   "for (;;) { await sleep(1); const end = Date.now() + 5; while (Date.now() < end); }",
			"a native builtin":       "await sleep(500); [].indexOf.call({ length: 2 ** 53 - 1 }, 1)",
			"a getter of the result": "await sleep(500); return { get a() { for (;;); } }",
		} {
			t.Run(name, func(t *testing.T) {
				var e *Error
				d := 600 * time.Millisecond
				if name == "many short stretches" {
					d = 3 * time.Second // the sleeps take as long as the machine likes
				}
				took := inTime(t, d, func() { _, e = fails(t, s, code, Options{Limits: l}, KindCPU) })
				if took < 100*time.Millisecond || e.Limit != "CPUTime" || e.Value != int64(l.CPUTime) || e.Used < e.Value {
					t.Errorf("after %v: got %q, %d, %d", took, e.Limit, e.Value, e.Used)
				}
			})
		}
		// Sleeping costs no CPU time.
		res := must(t, s, "await sleep(200); return 1", Options{Limits: l})
		if res.Usage.CPU > 100*time.Millisecond || res.Usage.Wall < 200*time.Millisecond || res.Usage.Calls["sleep"].Count != 1 {
			t.Errorf("got usage %+v", res.Usage)
		}
		alive(t, s)
	})
}

func TestSuspendedClock(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		wait := func(ctx context.Context) {
			resume, again := SuspendClock(ctx), SuspendClock(ctx)
			time.Sleep(300 * time.Millisecond) // what the test is about
			resume()
			resume()
			again()
		}
		o := Options{Limits: Limits{Timeout: 200 * time.Millisecond}, Globals: map[string]any{"wait": wait}}
		if raceEnabled || testing.Short() {
			o.Limits.Timeout = 280 * time.Millisecond
		}
		res := must(t, s, "await wait(); return 'in time'", o)
		if sus := res.Usage.Suspended; sus < 290*time.Millisecond || sus > res.Usage.Wall {
			t.Errorf("suspended for %v of %v", sus, res.Usage.Wall)
		}
		// The budget goes on after it, neither longer nor shorter.
		var e *Error
		inTime(t, o.Limits.Timeout+300*time.Millisecond, func() { _, e = fails(t, s, "await wait(); for (;;);", o, KindTimeout) })
		if e.Limit != "Timeout" || e.Used < e.Value {
			t.Errorf("got %q, %d, %d", e.Limit, e.Value, e.Used)
		}
		// A clock that nobody lets go on still ends with the context.
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		defer cancel()
		o.Globals["hang"] = func(ctx context.Context) { SuspendClock(ctx); <-ctx.Done() }
		_, err := s.Run(ctx, "await hang()", o)
		wantKind(t, err, KindCancelled)
		SuspendClock(context.Background())()
		alive(t, s)
	})
}

func TestFanOut(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		box := own(t, s, Config{Isolates: 2})
		alive(t, box)
		measured, before := resetPeak(), residentSet(t)
		var wg sync.WaitGroup
		var mu sync.Mutex
		var queued int
		for i := range 200 {
			wg.Go(func() {
				o := Options{Inputs: map[string]any{"i": i}, Globals: map[string]any{"twice": func(n int) int { return 2 * n }}}
				res, err := box.Run(context.Background(), "await sleep(1); const a = Array.from({ length: 1000 }, (_, k) => k + inputs.i); return [await twice(inputs.i), a[999], globalThis.left = 1]", o)
				if err != nil {
					t.Errorf("run %d: %v", i, err)
					return
				}
				if got, want := res.Value.String(), fmt.Sprintf("[%d,%d,1]", 2*i, i+999); got != want {
					t.Errorf("run %d: got %s, want %s", i, got, want)
				}
				if res.Usage.Queue > res.Usage.Wall {
					t.Errorf("queued for %v of %v", res.Usage.Queue, res.Usage.Wall)
				}
				if res.Usage.Queue > time.Millisecond {
					mu.Lock()
					queued++
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		if queued < 100 {
			t.Errorf("only %d of 200 runs report that they queued", queued)
		}
		if st := box.Stats(); st.Isolates > 2 || st.Runs != 201 {
			t.Errorf("got %+v", st)
		}
		if grown := peakSet(t) - before; measured && !raceEnabled && grown > 64<<20 {
			t.Errorf("resident memory grew by %d MB", grown>>20)
		}
	})
}

// A guest that waits for a person on the side and computes meanwhile gets no time for it.
func TestComputingIsNotSuspended(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Limits: Limits{Timeout: 300 * time.Millisecond}, Globals: map[string]any{
			"ask": func(ctx context.Context) { SuspendClock(ctx); <-ctx.Done() },
		}}
		for _, code := range []string{"ask(); await null; for (;;);", "ask(); await sleep(10); for (;;);", "ask(); for (;;) await null"} {
			inTime(t, o.Limits.Timeout+10*time.Millisecond, func() { fails(t, s, code, o, KindTimeout) })
		}
	})
}
