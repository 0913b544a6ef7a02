package enginetest

import (
	"strings"
	"testing"
	"time"

	"quicksand/engine"
)

// spoil leaves something in every place where a heap can hold it.
const spoil = `
globalThis.leak = 1; globalThis.array = [1, 2, 3];
Object.prototype.bad = 1; Array.prototype.bad = 2; Function.prototype.bad = 3;
Map.prototype.get = () => "bad"; JSON.stringify = () => "bad"; Promise.prototype.then = function () { return this; };
Symbol.for("leak").description; globalThis.sym = Symbol.for("leak");
globalThis.pending = [later(1), hold(2), new Promise((r) => { globalThis.release = r; })];
Promise.reject(new Error("nobody looks"));
/a(b)/.exec("ab"); globalThis.re = /x/g; re.lastIndex = 5;
delete globalThis.native; delete Object.keys; delete globalThis.Set;
Object.freeze(Array.prototype); Object.preventExtensions(Object.prototype);
globalThis.wild = new Uint8Array(1 << 20).fill(0xaa);
globalThis.kept = []; for (let i = 0; i < 20000; i++) kept.push({ i, s: "s" + i });
Object.defineProperty(globalThis, "stuck", { value: 1 });
Error.stackTraceLimit = 1; Math.random = () => 4; Date.now = () => 4;
`

const pristine = `export default [typeof leak, typeof array, {}.bad, [].bad, (() => 1).bad, new Map([[1, 2]]).get(1), JSON.stringify({ a: 1 }),
  typeof sym, typeof pending, typeof release, typeof re, /a(b)/.exec("ab")[1], typeof native, typeof Object.keys, typeof Set, Object.isFrozen(Array.prototype),
  Object.isExtensible(Object.prototype), typeof wild, typeof stuck, await Promise.resolve(1).then((x) => x + 1), typeof Math.random(), Date.now() > 1e12, new Uint8Array(4096).every((x) => x === 0)];`

const pristineAnswer = `= ["undefined", "undefined", undefined, undefined, undefined, 2, "{\"a\":1}", "undefined", "undefined", "undefined", "undefined", "b", "function", "function", "function", false, true, "undefined", "undefined", 2, "number", true, true]`

func testIsolation(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	expect(t, w.Eval(t, pristine, nil), pristineAnswer)
	w.reset(t)
	idle := w.Iso.Usage()
	if idle.HeapUsed <= 0 || idle.HeapPeak != idle.HeapUsed || idle.Refused {
		t.Errorf("usage after Reset: %+v", idle)
	}
	if idle.HeapUsed > 600<<10 {
		t.Errorf("an idle heap with the hooks alone uses %d bytes", idle.HeapUsed)
	}
	rows := []struct {
		name, end string
		want      string
		memory    int64
	}{
		{"after a value", `export default 1;`, "= 1", 0},
		{"after a throw", `throw new Error("x");`, "! Error: x", 0},
		{"with work left", `export default 1; later(1); hold(2); (async () => { for (;;) await later(1); })();`, "= 1", 0},
		{"after an interrupt", `for (;;);`, "interrupted", 0},
		{"after an interrupt in an async function", `(async () => { for (;;); })(); export default 1;`, "interrupted", 0},
		{"after an interrupt in a job", `await null; for (;;);`, "interrupted", 0},
		{"after the end of memory", `for (;;) kept.push({});`, "memory", 16 << 20},
		{"after the end of memory in a job", `await null; for (;;) kept.push([1]);`, "memory", 16 << 20},
		{"after a kill", `[].indexOf.call({ length: 2 ** 53 - 1 }, 1);`, "killed", 0},
		{"after a kill in a job", `await null; [].indexOf.call({ length: 2 ** 53 - 1 }, 1);`, "killed", 0},
		{"after a stack overflow", `(function f() { return f() + 1; })();`, "! RangeError: Maximum call stack size exceeded", 0},
		{"when stuck", `await new Promise(() => {});`, "stuck", 0},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			w.Settings.Memory, w.Deadline = r.memory, 10*time.Second
			if r.want == "interrupted" || r.want == "killed" {
				w.Deadline = 100 * time.Millisecond * slower
			}
			if r.want == "interrupted" {
				w.Grace = 5 * time.Second
			}
			o := w.Eval(t, spoil+r.end, nil)
			if got := o.String(); got != r.want && (r.want != "killed" || got != "interrupted") { // it may not get there in time
				t.Errorf("got %s, want %s", got, r.want)
			}
			w.Settings.Memory, w.Deadline, w.Grace = 0, 0, 0
			w.reset(t)
			if u := w.Iso.Usage(); u != idle {
				t.Errorf("usage after Reset %+v, want %+v", u, idle)
			}
			if c := w.Iso.Calls(nil); len(c) != 0 {
				t.Errorf("%d calls after Reset", len(c))
			}
			expect(t, w.Eval(t, pristine, nil), pristineAnswer)
			expect(t, w.Eval(t, `export default Symbol.for("leak") === Symbol.for("leak");`, nil), "= true")
			w.check(t)
		})
	}
	t.Run("modules are instantiated anew", func(t *testing.T) {
		h := &Host{Modules: map[string]string{"m.js": `export let n = 0; export const inc = () => ++n;`}}
		for range 3 {
			expect(t, w.Eval(t, `import { inc, n } from "m.js"; inc(); export default [inc(), n];`, h), "= [2, 2]")
		}
		expect(t, w.Eval(t, `import { n } from "m.js"; export default n;`, &Host{Modules: map[string]string{"m.js": "export const n = 'other'"}}), `= "other"`)
	})
	t.Run("a module of an earlier run is not there", func(t *testing.T) {
		o := w.Eval(t, `import { n } from "m.js"; export default n;`, nil)
		if o.Failure.Kind != engine.Link {
			t.Errorf("got %v, want a link failure", o)
		}
	})
	t.Run("Reset twice and unused", func(t *testing.T) {
		w.reset(t)
		w.reset(t)
		w.check(t)
	})
	t.Run("the same program on two isolates", func(t *testing.T) {
		v := NewWorld(t, e)
		p := MustCompile(t, e, "main.js", `globalThis.n = (globalThis.n ?? 0) + 1; export default n;`)
		for range 3 {
			expect(t, w.Run(t, p, nil), "= 1")
			expect(t, v.Run(t, p, nil), "= 1")
		}
	})
}

func testRandom(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	const program = `export default [Math.random(), Math.random(), Math.random()].join();`
	draw := func(w *World, seed uint64) string {
		w.Settings.Seed = seed
		o := w.Eval(t, program, nil)
		if o.Status != engine.Done {
			t.Fatalf("got %v", o)
		}
		return Dump(o.Value)
	}
	seen := map[string]uint64{}
	for _, seed := range []uint64{0, 1, 2, 3, 1 << 32, 1 << 63, 1<<64 - 1, 12345} {
		v := draw(w, seed)
		if other, ok := seen[v]; ok {
			t.Errorf("seeds %d and %d draw the same numbers %s", seed, other, v)
		}
		seen[v] = seed
		if again := draw(w, seed); again != v {
			t.Errorf("seed %d draws %s, then %s", seed, v, again)
		}
		parts := strings.Split(strings.Trim(v, `"`), ",")
		if len(parts) != 3 || parts[0] == parts[1] || parts[1] == parts[2] {
			t.Errorf("seed %d draws %s", seed, v)
		}
	}
	if a, b := draw(w, 7), draw(NewWorld(t, e), 7); a != b {
		t.Errorf("one seed on two isolates: %s and %s", a, b)
	}
	w.Settings.Seed = 99
	o := w.Eval(t, `let n = 0, lo = 0; for (let i = 0; i < 20000; i++) { const x = Math.random(); if (!(x >= 0 && x < 1)) n++; if (x < 0.5) lo++; } export default [n, lo > 9500 && lo < 10500];`, nil)
	expect(t, o, "= [0, true]")
}
