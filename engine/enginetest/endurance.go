package enginetest

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"quicksand/engine"
)

func testClose(t *testing.T, e engine.Engine) {
	img := testImage(t, e)
	program := func(code string) engine.Program { return MustCompile(t, e, "main.js", code) }
	states := []struct {
		name string
		act  func(*World)
	}{
		{"unused", func(w *World) {}},
		{"reset", func(w *World) { w.reset(t) }},
		{"done", func(w *World) { w.Run(t, program("export default 1"), nil) }},
		{"failed", func(w *World) { w.Run(t, program("throw 1"), nil) }},
		{"waiting with calls", func(w *World) {
			w.reset(t)
			w.Iso.Start(program("for (let i = 0; i < 10; i++) hold(new Uint8Array(70000)); await hold(1);"), &Host{})
			w.Iso.Pump()
		}},
		{"waiting for itself", func(w *World) { w.Run(t, program("await new Promise((r) => { globalThis.r = r; });"), nil) }},
		{"interrupted", func(w *World) {
			w.reset(t)
			w.Iso.Interrupt()
			w.Iso.Start(program("for (;;);"), &Host{})
		}},
		{"killed", func(w *World) {
			w.Deadline = 10 * time.Millisecond
			w.Run(t, program("[].indexOf.call({ length: 2 ** 53 - 1 }, 1)"), nil)
		}},
		{"out of memory", func(w *World) {
			w.Settings.Memory = 4 << 20
			w.Run(t, program("const a = []; for (;;) a.push({});"), nil)
		}},
		{"interrupted and never run", func(w *World) { w.Iso.Interrupt(); w.Iso.Kill() }},
	}
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			for range 3 {
				iso, err := e.NewIsolate(img)
				if err != nil {
					t.Fatal(err)
				}
				w := &World{Engine: e, Iso: iso}
				s.act(w)
				if err := iso.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
			}
		})
	}
	t.Run("many isolates", func(t *testing.T) {
		before := measure()
		for range 60 {
			iso, err := e.NewIsolate(img)
			if err != nil {
				t.Fatal(err)
			}
			w := &World{Engine: e, Iso: iso}
			expect(t, w.Eval(t, "export default 1", nil), "= 1")
			iso.Close()
		}
		measure().flat(t, before, 24<<20)
	})
	t.Run("a prelude that throws", func(t *testing.T) {
		p, err := e.Compile(t.Context(), engine.Source{Name: "bad", Code: "throw new Error('no prelude')", Kind: engine.Script})
		if err != nil {
			t.Fatal(err)
		}
		if iso, err := e.NewIsolate(engine.Image{Prelude: p}); err == nil {
			iso.Close()
			t.Error("no error")
		}
	})
}

func testParallel(t *testing.T, e engine.Engine) {
	p := MustCompile(t, e, "main.js", checkProgram)
	rounds := 400
	if testing.Short() {
		rounds = 100 / slower
	}
	for g := range 4 {
		t.Run(fmt.Sprintf("goroutine %d", g), func(t *testing.T) {
			t.Parallel()
			a, b := NewWorld(t, e), NewWorld(t, e)
			a.Settings.Memory, b.Settings.Memory = 8<<20, 8<<20
			for i := range rounds {
				expect(t, a.Run(t, p, nil), checkAnswer)
				expect(t, b.Eval(t, fmt.Sprintf(`const u = new Uint8Array(70000).fill(%d); export default [await work(u), %d].length;`, i, g), nil), "= 2")
				if i%20 == g {
					b.Deadline = 5 * time.Millisecond
					b.Run(t, p, nil)
					if got := b.Eval(t, `for (;;);`, nil).String(); got != "interrupted" {
						t.Errorf("got %s", got)
					}
					b.Eval(t, `const a = []; for (;;) a.push([1]);`, nil)
					b.Eval(t, `[].indexOf.call({ length: 2 ** 53 - 1 }, 1);`, nil)
					b.Deadline = 0
					b.check(t)
				}
				if t.Failed() {
					return
				}
			}
		})
	}
	t.Run("one isolate on many goroutines in turn", func(t *testing.T) {
		t.Parallel()
		w := NewWorld(t, e)
		for range rounds / 4 {
			done := make(chan Outcome)
			go func() { done <- w.Run(t, p, nil) }() // ends with its run
			expect(t, <-done, checkAnswer)
		}
	})
}

// ordinary are programs as people write them. The sweep runs each at every limit: it
// gives its answer or ends for want of memory, whatever was being allocated.
var ordinary = []struct{ name, code, want string }{
	{"objects", `const a = []; for (let i = 0; i < 300; i++) a.push({ id: i, name: "n" + i }); export default a.filter((x) => x.id % 2).length;`, "= 150"},
	{"keys of objects", `const o = {}; for (let i = 0; i < 300; i++) o["key" + i] = i; export default Object.keys(o).length + Object.entries(o).length;`, "= 600"},
	{"deleting keys", `const o = {}; for (let i = 0; i < 200; i++) o["k" + i] = i; for (let i = 0; i < 200; i += 2) delete o["k" + i]; export default Object.keys(o).length;`, "= 100"},
	{"strings", `let s = ""; for (let i = 0; i < 500; i++) s += i + ","; export default s.split(",").map(Number).reduce((a, b) => a + b);`, "= 124750"},
	{"templates and slices", "let s = ''; for (let i = 0; i < 200; i++) s = `${s}${i % 10}`.slice(-50); export default s.length;", "= 50"},
	{"wide strings", `const a = []; for (let i = 0; i < 200; i++) a.push("é€😀".repeat(i % 5) + i); export default a.join("").length;`, "= 2090"},
	{"JSON", `const t = JSON.stringify(Array.from({ length: 100 }, (_, i) => ({ i, s: "x" + i, a: [i] }))); export default JSON.parse(t).length;`, "= 100"},
	{"maps and sets", `const m = new Map(), s = new Set(); for (let i = 0; i < 300; i++) { m.set("k" + i, i); s.add(i % 7); } m.delete("k1"); export default [m.size, s.size];`, "= [299, 7]"},
	{"weak maps", `const w = new WeakMap(), k = []; for (let i = 0; i < 200; i++) { const o = {}; k.push(o); w.set(o, i); } export default w.get(k[150]);`, "= 150"},
	{"classes", `class A { #n = 0; static made = 0; constructor() { A.made++; } inc() { return ++this.#n; } } class B extends A { inc() { return super.inc() + 1; } } let n = 0; for (let i = 0; i < 200; i++) n += new B().inc(); export default [n, A.made];`, "= [400, 200]"},
	{"closures", `const f = []; for (let i = 0; i < 300; i++) f.push((x) => x + i); export default f.reduce((a, g) => g(a), 0);`, "= 44850"},
	{"generators", `function* g(n) { for (let i = 0; i < n; i++) yield i; } export default [...g(300)].length + Array.from(g(10)).length;`, "= 310"},
	{"promises", `const r = await Promise.all(Array.from({ length: 100 }, async (_, i) => { await null; return i; })); export default r.length;`, "= 100"},
	{"host calls", `let n = 0; for (let i = 0; i < 50; i++) n += await later(i); export default n;`, "= 1225"},
	{"host calls at once", `export default (await Promise.all(Array.from({ length: 50 }, (_, i) => later({ i, s: "x".repeat(i) })))).reduce((a, b) => a + b.i, 0);`, "= 1225"},
	{"values to the host and back", `const rows = Array.from({ length: 80 }, (_, i) => ({ i, d: new Date(i), m: new Map([[i, "x"]]), b: BigInt(i) ** 5n, u: new Uint8Array(i) })); export default echo(rows).length;`, "= 80"},
	{"clones", `const rows = Array.from({ length: 60 }, (_, i) => ({ i, r: /a/g, e: new Error("e" + i), f: [1.5, "s"] })); export default native(4, rows)[59].e.message;`, `= "e59"`},
	{"errors", `let n = 0; for (let i = 0; i < 100; i++) { try { null.x; } catch (e) { n += e.stack.length > 0; } } export default n;`, "= 100"},
	{"regular expressions", `let n = 0; for (let i = 0; i < 100; i++) { const m = /(\w+)-(?<d>\d+)/.exec("ab" + i + "-" + i); n += +m.groups.d; } export default n + "a-b-c".replace(/-/g, "").length + [..."x1y2".matchAll(/\d/g)].length;`, "= 4955"},
	{"made regular expressions", `let n = 0; for (let i = 0; i < 40; i++) n += new RegExp("(a|b)+" + i + "[^x]*$", "iu").test("ab" + i); export default n;`, "= 40"},
	{"bigints", `let a = 1n; for (let i = 1n; i < 120n; i++) a *= i; export default a.toString().length;`, "= 197"},
	{"typed arrays", `const a = []; for (let i = 0; i < 100; i++) a.push(new Float64Array(i).fill(1.5)); export default a.reduce((n, x) => n + x.length, 0);`, "= 4950"},
	{"growing buffers", `const b = new ArrayBuffer(10, { maxByteLength: 5000 }); for (let i = 10; i < 5000; i += 500) b.resize(i); export default b.transfer().byteLength;`, "= 4510"},
	{"sorting", `const a = Array.from({ length: 300 }, (_, i) => (i * 7919) % 300); export default a.sort((x, y) => x - y)[299] + a.toSorted().length;`, "= 599"},
	{"destructuring and spreading", `let n = 0; for (let i = 0; i < 200; i++) { const { a, ...rest } = { a: i, b: 1, c: [1, ...[2, 3]] }; const [x, , y = 5] = rest.c; n += a + x + y; } export default n;`, "= 20700"},
	{"proxies", `let n = 0; for (let i = 0; i < 100; i++) { const p = new Proxy({ a: i }, { get: (t, k) => t[k] + 1, ownKeys: () => ["a"] }); n += p.a + Object.keys(p).length; } export default n;`, "= 5150"},
	{"symbols", `const o = {}; for (let i = 0; i < 200; i++) o[Symbol("s" + i)] = i; export default Object.getOwnPropertySymbols(o).length;`, "= 200"},
	{"array methods", `const a = Array.from({ length: 200 }, (_, i) => i); export default a.map((x) => [x, x]).flat().concat(a).slice(10).splice(5, 500).reverse().length + a.flatMap((x) => [x]).length;`, "= 700"},
	{"asynchronous generators", `async function* g() { for (let i = 0; i < 50; i++) yield i; } let n = 0; for await (const x of g()) n += x; export default n;`, "= 1225"},
	{"units and text", `const u = native(1, 1), b = native(2, "é".repeat(500)); export default u(native(3, b).length);`, "= 501"},
	{"dates and numbers", `let s = ""; for (let i = 0; i < 100; i++) s += new Date(i * 1e9).toISOString() + (i / 3).toFixed(5) + i.toString(36); export default s.length;`, "= 3334"},
	{"failing", `throw Object.assign(new RangeError("wanted " + "x".repeat(300).length), { list: Array.from({ length: 200 }, (_, i) => ({ i })) });`, "! RangeError: wanted 300"},
	{"a large literal", `export default [` + strings.Repeat(`{ a: 1, b: "x", c: [1, 2] }, `, 100) + `].length;`, "= 100"},
}

func testSweep(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	step, extent := int64(24<<10), int64(400<<10)
	if !testing.Short() {
		step = 1 << 10
		if slowed(e) {
			step = 4 << 10
		}
	}
	w.reset(t)
	idle := w.Iso.Usage().HeapUsed
	mods := map[string]string{"m": "export const a = 1;"}
	total := 0
	for _, o := range ordinary {
		t.Run(o.name, func(t *testing.T) {
			p := MustCompile(t, e, "main.js", `import { a as imported } from "m";`+o.code)
			// An odd offset, so that the steps do not always meet the same size class.
			for limit := idle + 13; limit < idle+extent; limit += step {
				w.Settings.Memory = limit
				got := w.Run(t, p, &Host{Modules: mods})
				switch got.String() {
				case o.want:
				case "memory":
					total++
				default:
					t.Errorf("%d bytes above the idle heap: got %.200s, want %s or memory", limit-idle, got, o.want)
				}
				if got.Usage.HeapPeak > limit {
					t.Errorf("limit %d, peak %d", limit, got.Usage.HeapPeak)
				}
			}
			w.Settings.Memory = 0
			expect(t, w.Run(t, p, &Host{Modules: mods}), o.want)
			w.check(t)
		})
	}
	if total < len(ordinary) {
		t.Errorf("%d runs of %d programs reached the limit", total, len(ordinary))
	}
}

// testCycles stops runs at random moments in random ways; a check run follows each.
func testCycles(t *testing.T, e engine.Engine) {
	cycles := 300 / slower
	if !testing.Short() {
		cycles = 20000
		if slowed(e) {
			cycles = 1000
		}
	}
	w := NewWorld(t, e)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	endless := []string{
		`for (;;) { const a = []; for (let i = 0; i < 100; i++) a.push({ i, s: "x" + i }); a.sort((x, y) => y.i - x.i); }`,
		`const m = new Map(); for (let i = 0; ; i++) { m.set(i % 1000, [i]); if (i % 7 === 0) m.delete(i % 500); }`,
		`for (;;) JSON.parse(JSON.stringify({ a: [1, 2, { b: "c" }], d: 1.5 }));`,
		`let s = ""; for (;;) { s += "abc"; if (s.length > 10000) s = s.replace(/b/g, "").slice(100); }`,
		`for (;;) await null;`,
		`for (;;) await later({ a: [1, 2] });`,
		`for (;;) echo([1, "two", { three: 3 }, new Uint8Array(100)]);`,
		`for (;;) native(4, new Map([[1, { a: new Date(0) }]]));`,
		`function f() { try { return f() + 1; } catch { return 0; } } for (;;) f();`,
		`for (;;) { try { null.x; } catch (e) { e.stack; } }`,
		`for (;;) new Uint8Array(2 << 20).fill(1);`,
		`for (let n = 1n; ; n = n * 3n) if (n > 2n ** 2000n) n = 1n;`,
		`class A { x = [1]; } for (;;) new (class extends A { y = new A(); })();`,
		`function* g() { for (;;) yield {}; } for (const x of g()) if (x === 1) break;`,
		`for (;;) /(\w+)\s(\w+)/.exec("hello world and more".repeat(3));`,
		`const a = []; for (;;) a.push({}, [], "x" + a.length);`,
		`const o = {}; for (let i = 0; ; i++) o["k" + i] = {};`,
		`const p = []; for (;;) p.push(new Promise(() => {}), later(1));`,
		`[].indexOf.call({ length: 2 ** 53 - 1 }, 1);`,
		`[].sort.call({ length: 2 ** 32 - 1 });`,
		`for (;;) [].concat(new Array(100000).fill(1)).join("").split("1");`,
		`const a = []; for (;;) { try { for (;;) a.push(new Array(1000).fill(1)); } catch { } }`,
		`import("x").catch(() => 0); for (;;) new Proxy({}, { get: () => 1 }).x;`,
		`import "loop";`,
		`export default { get a() { for (;;) ({}); } };`,
	}
	if !w.Iso.CanKill() {
		endless = slices.DeleteFunc(endless, func(code string) bool { return strings.HasPrefix(code, "[].") })
	}
	programs := make([]engine.Program, len(endless))
	for i, code := range endless {
		programs[i] = MustCompile(t, e, "main.js", code)
	}
	check := MustCompile(t, e, "main.js", checkProgram)
	host := func() *Host {
		return &Host{Keep: true, Modules: map[string]string{"loop": "for (;;) [{}];"}}
	}
	canKill := w.Iso.CanKill()
	counts := map[string]int{}
	for i := range cycles {
		n := r.IntN(len(programs))
		w.Settings.Memory = []int64{0, 0, 1 << 20, 2 << 20, 8 << 20, int64(400<<10 + r.IntN(2<<20))}[r.IntN(6)]
		w.reset(t)
		var wg sync.WaitGroup
		ended := make(chan struct{})
		delay := time.Duration(r.IntN(1500)) * time.Microsecond
		how := r.IntN(4)
		wg.Go(func() {
			time.Sleep(delay) // the random moment of the stop
			switch how {
			case 0:
				w.Iso.Interrupt()
			case 1:
				w.Iso.Kill()
			case 2:
				w.Iso.Interrupt()
				w.Iso.Kill()
			case 3:
				w.Iso.Kill()
				w.Iso.Interrupt()
			}
			if canKill {
				// Idle at the first kill: the flag alone does not stop a native loop.
				for range 100 {
					time.Sleep(2 * time.Millisecond)
					w.Iso.Kill()
					select {
					case <-ended:
						return
					default:
					}
				}
			}
		})
		o := w.continueRun(t, programs[n], host())
		close(ended)
		wg.Wait()
		got := o.String()
		counts[got]++
		if got != "interrupted" && got != "killed" && got != "memory" {
			t.Fatalf("cycle %d: %q ends as %.200s", i, endless[n], got)
		}
		w.Settings.Memory = 0
		if got := w.Run(t, check, nil).String(); got != checkAnswer {
			t.Fatalf("cycle %d: after %q, which was %s: check run %s", i, endless[n], o, got)
		}
	}
	t.Logf("%v", counts)
}

// A census is what the process holds.
type census struct{ rss, goroutines, threads, files int64 }

func measure() census {
	runtime.GC()
	return census{residentSet(), int64(runtime.NumGoroutine()), entries("/proc/self/task"), entries("/proc/self/fd")}
}

// flat fails when there is clearly more now than before.
func (c census) flat(t *testing.T, before census, rss int64) {
	t.Helper()
	if c.rss-before.rss > rss || c.goroutines > before.goroutines+1 || c.threads > before.threads+6 || c.files > before.files+2 {
		t.Errorf("before %+v, after %+v", before, c)
	}
}

func entries(dir string) int64 {
	list, err := os.ReadDir(dir)
	if err != nil {
		return 0
	}
	return int64(len(list))
}

// residentSet is the resident set of the process in bytes, 0 where it cannot be read.
func residentSet() int64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for s := bufio.NewScanner(bytes.NewReader(b)); s.Scan(); {
		if rest, ok := strings.CutPrefix(s.Text(), "VmRSS:"); ok {
			n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return n << 10
		}
	}
	return 0
}

func testMixed(t *testing.T, e engine.Engine) {
	runs := 10000
	if testing.Short() {
		runs = 300 / slower
	} else if slowed(e) {
		runs = 2000
	}
	w := NewWorld(t, e)
	w.Settings.Memory = 8 << 20
	var hostile []engine.Program
	for _, p := range HostilePrograms() {
		if o, prog := w.compile(Body(p.Code)); prog != nil && o.Compile == nil {
			hostile = append(hostile, prog)
		}
	}
	good := make([]engine.Program, len(ordinary))
	for i, o := range ordinary {
		good[i] = MustCompile(t, e, "main.js", o.code)
	}
	r := rand.New(rand.NewPCG(7, 7))
	var before census
	for i := range runs {
		if i == runs/5 {
			before = measure()
		}
		if r.IntN(10) == 0 {
			w.Deadline = time.Duration(1+r.IntN(6)) * time.Millisecond
			w.Run(t, hostile[r.IntN(len(hostile))], nil)
			w.Deadline = 0
			continue
		}
		n := r.IntN(len(good))
		if got := w.Run(t, good[n], nil).String(); got != ordinary[n].want {
			t.Fatalf("run %d, %s: got %.200s, want %s", i, ordinary[n].name, got, ordinary[n].want)
		}
	}
	after := measure()
	t.Logf("before %+v, after %+v", before, after)
	after.flat(t, before, 16<<20)
}
