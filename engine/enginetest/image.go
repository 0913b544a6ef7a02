package enginetest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"quicksand/engine"
)

// imageModules are evaluated into the image of testWarm.
var imageModules = map[string]string{
	"counter": `let n = 0; export const next = () => ++n; export let live = 0; export const bump = () => { live++; };`,
	"things": `import { next } from "./parts/deep";
		export const list = [1, 2, 3], map = new Map([["a", 1]]), bytes = new Uint8Array([1, 2, 3]), re = /a/g, o = { inner: { x: 1 } };
		export class Point { #x = 1; static made = 0; constructor() { Point.made++; } get x() { return this.#x; } set x(v) { this.#x = v; } }
		export const point = new Point(), weak = new WeakMap([[o, "kept"]]), symbol = Symbol("s");
		const memo = new Map();
		export const cached = (k) => { if (!memo.has(k)) memo.set(k, memo.size); return memo.get(k); };
		export default function* counting() { for (;;) yield next(); }
		export const running = counting();`,
	"parts/deep": `export { next } from "counter";`,
	"awaits":     `export const answer = await Promise.resolve(42); export const pending = new Promise((f) => { globalThis.settle = f; });`,
	"patches":    `Array.prototype.last = function () { return this[this.length - 1]; }; globalThis.shared = { n: 0 }; export {};`,
}

var imageOrder = []string{"things", "counter", "awaits", "patches"}

// look tells all that a run can see of the modules.
const look = `import { next, live } from "counter"; import counting, * as t from "things"; import { answer, pending } from "awaits"; import "patches";
	import { next as again } from "counter";
	export default [next(), again(), live, t.list, [...t.map], t.list.last(), Object.keys(t.o), t.o.inner.x, new t.Point().x, t.point.x, t.Point.made, t.weak.get(t.o),
		t.cached("a"), t.cached("b"), t.running.next().value, t.re.lastIndex, [...t.bytes], answer, shared.n, String(Object.keys(t)),
		await Promise.race([pending, later("still pending")]), String(Object.getOwnPropertyNames(t.Point.prototype)), typeof t.added, t.point instanceof t.Point, Math.max(1, 2), [3, 1].sort()];`
const looks = `= [1, 2, 0, [1, 2, 3], [["a", 1]], 3, ["inner"], 1, 1, 1, 2, "kept", 0, 1, 3, 0, [1, 2, 3], 42, 0, "Point,bytes,cached,default,list,map,o,point,re,running,symbol,weak", "still pending", "constructor,x", "undefined", true, 2, [1, 3]]`

var spoilers = []struct {
	name, code string
	settings   engine.Settings
	deadline   time.Duration
	kind       engine.FailureKind
}{
	{"nothing", ``, engine.Settings{}, 0, 0},
	{"a counter", `for (let i = 0; i < 100; i++) next(), bump();`, engine.Settings{}, 0, 0},
	{"objects", `t.list.push(4); t.map.set("b", 2).delete("a"); t.bytes.fill(9); t.re.lastIndex = 7; t.o.inner.x = t.o; t.o.more = 1; t.point.x = 5; t.weak.delete(t.o); shared.n = 1;`, engine.Settings{}, 0, 0},
	{"frozen objects", `Object.freeze(t.o); Object.freeze(t.list); Object.preventExtensions(t.Point.prototype); Object.freeze(t.Point);`, engine.Settings{}, 0, 0},
	{"prototypes of the module", `t.Point.prototype.extra = 1; Object.defineProperty(t.Point.prototype, "x", { get() { return "spoilt"; } }); Object.setPrototypeOf(t.point, null);`, engine.Settings{}, 0, 0},
	{"prototypes of the language", `Array.prototype.last = () => "spoilt"; Array.prototype.sort = null; Map.prototype.get = () => 9; Object.prototype.added = 1; Math.max = () => 0; globalThis.shared = null;`, engine.Settings{}, 0, 0},
	{"closures", `for (let i = 0; i < 50; i++) t.cached("k" + i);`, engine.Settings{}, 0, 0},
	{"a generator", `t.running.next(); t.running.return();`, engine.Settings{}, 0, 0},
	{"a promise", `settle("settled"); pending.then(() => next());`, engine.Settings{}, 0, 0},
	{"collected garbage", `native(9); const a = []; for (let i = 0; i < 30000; i++) a.push({ i, a }); native(9);`, engine.Settings{}, 0, 0},
	{"a throw", `next(); t.list.length = 0; throw 1;`, engine.Settings{}, 0, engine.Thrown},
	{"the memory limit", `next(); t.list.length = 0; const a = []; for (;;) a.push({ a, n: "x".repeat(100) + next() });`, engine.Settings{Memory: 8 << 20}, 0, engine.Memory},
	{"an interrupt", `for (;;) { next(); t.list.push(t.cached(next())); t.list.length = 0; }`, engine.Settings{}, 30 * time.Millisecond, engine.Interrupted},
	{"a kill", `next(); t.list.length = 0; [].indexOf.call({ length: 2 ** 53 - 1 });`, engine.Settings{}, 30 * time.Millisecond, engine.Killed},
}

func testWarm(t *testing.T, e engine.Engine) {
	compiled := map[string]engine.Program{}
	for id, code := range imageModules {
		compiled[id] = MustCompile(t, e, id, code)
	}
	img := testImage(t, e)
	for _, id := range imageOrder {
		img.Modules = append(img.Modules, engine.Import{ID: id, Program: compiled[id]})
	}
	img.Resolve = func(base, specifier string) (engine.Import, error) {
		id := resolvePath(base, specifier)
		if compiled[id] == nil {
			return engine.Import{}, fmt.Errorf("no module %q", id)
		}
		return engine.Import{ID: id, Program: compiled[id]}, nil
	}
	iso, err := e.NewIsolate(img)
	if err != nil {
		t.Fatal(err)
	}
	w := &World{Engine: e, Iso: iso}
	t.Cleanup(func() { w.Iso.Close() })
	loaded := func() *Host {
		h := &Host{Facades: map[string]engine.Import{}}
		for id := range imageModules {
			h.Facades[id] = engine.Import{ID: id}
		}
		return h
	}
	expect(t, w.Eval(t, look, loaded()), looks)
	const all = `import { next, bump } from "counter"; import * as t from "things"; import { pending } from "awaits"; import "patches"; `
	for _, s := range spoilers {
		t.Run("no run sees what one before did: "+s.name, func(t *testing.T) {
			w.Settings, w.Deadline = s.settings, s.deadline
			if s.kind == engine.Interrupted {
				w.Grace = time.Minute
			}
			o := w.Eval(t, all+s.code+" export default 1;", loaded())
			w.Settings, w.Deadline, w.Grace = engine.Settings{}, 0, 0
			if o.Failure.Kind != s.kind && !(s.kind == engine.Killed && o.Failure.Kind == engine.Interrupted && !w.Iso.CanKill()) {
				t.Errorf("the run ended with %v, want %v", o, s.kind)
			}
			expect(t, w.Eval(t, look, loaded()), looks)
		})
	}
	t.Run("after trimming", func(t *testing.T) {
		w.Eval(t, all+spoilers[2].code, loaded())
		if err := w.Iso.Trim(); err != nil {
			t.Fatal(err)
		}
		expect(t, w.Eval(t, look, loaded()), looks)
	})
	t.Run("a program that imports nothing sees no exports", func(t *testing.T) {
		expect(t, w.Eval(t, `export default [typeof next, typeof counting, await import("counter").catch(() => "refused")];`, loaded()), `= ["undefined", "undefined", "refused"]`)
	})
	t.Run("what modules of the image import is not asked again", func(t *testing.T) {
		h := loaded()
		expect(t, w.Eval(t, `import { next } from "parts/deep"; import { next as same } from "counter"; export default next === same;`, h), "= true")
		if got := strings.Join(h.resolved, "; "); got != "main.js parts/deep; main.js counter" {
			t.Errorf("the host was asked for %s", got)
		}
	})
	t.Run("a module of the run imports one of the image", func(t *testing.T) {
		h := loaded()
		h.Modules = map[string]string{"mine": `import { next } from "counter"; next(); export { next };`}
		expect(t, w.Eval(t, `import { next } from "mine"; export default next();`, h), "= 2")
	})
	t.Run("a name that a module of the image does not export", func(t *testing.T) {
		got := w.Eval(t, `import { nope } from "counter"; export default 1;`, loaded()).String()
		if !strings.HasPrefix(got, "link: ") || !strings.Contains(got, "nope") {
			t.Errorf("got %s", got)
		}
		expect(t, w.Eval(t, look, loaded()), looks)
	})
	t.Run("a host cannot take an identity of the image for another module", func(t *testing.T) {
		for _, imp := range []engine.Import{
			{ID: "counter", Program: MustCompile(t, e, "counter", `export const next = () => "other";`)},
			{ID: "counter", Exports: []engine.Export{{Name: "next", Op: opLater}}},
		} {
			h := &Host{Facades: map[string]engine.Import{"counter": imp}}
			if got := w.Eval(t, `import { next } from "counter"; export default next();`, h).String(); !strings.HasPrefix(got, "link: ") || !strings.Contains(got, "counter") {
				t.Errorf("got %s", got)
			}
		}
	})
	t.Run("another version under another identity", func(t *testing.T) {
		h := loaded()
		h.Facades["counter"] = engine.Import{ID: "counter2", Program: MustCompile(t, e, "counter2", `export const next = () => "other";`)}
		expect(t, w.Eval(t, `import { next } from "counter"; import counting from "things"; export default [next(), counting().next().value];`, h), `= ["other", 1]`)
	})
	t.Run("a stack shows the modules", func(t *testing.T) {
		h := loaded()
		o := w.Eval(t, `import { cached } from "things"; const m = Map.prototype; m.has = () => { throw new Error("e"); }; cached(1);`, h)
		if !strings.Contains(o.Stack(), "things:") {
			t.Errorf("stack %q", o.Stack())
		}
	})
	w.check(t)
}

var imageFailures = []struct{ name, code, reason string }{
	{"throws", `throw new RangeError("no");`, "RangeError: no"},
	{"throws in what it imports", `import "throws";`, "RangeError: inner"},
	{"rejects later", `await Promise.resolve(); throw new TypeError("late");`, "TypeError: late"},
	{"waits for ever", `await new Promise(() => {});`, engine.ImageWaits},
	{"imports what there is not", `import "nowhere";`, "nowhere"},
	{"imports a name that there is not", `import { nope } from "fine";`, "nope"},
	{"asks the host", `native(64, 1);`, engine.ImageAsks},
	{"asks the host and does not care", `try { native(64, 1); } catch {}`, engine.ImageAsks},
	{"asks the host for a promise and does not care", `try { native(65536, 1).catch(() => 0); } catch {}`, engine.ImageAsks},
	{"draws a random number", `export const id = Math.random();`, engine.ImageRandom},
	{"takes all memory", `const a = []; for (;;) a.push({ a });`, engine.ImageLarge},
	{"imports dynamically", `await import("fine");`, "dynamic import"},
	{"never ends", `for (;;);`, engine.ImageSlow},
	{"never polls", `[].indexOf.call({ length: 2 ** 53 - 1 });`, engine.ImageSlow},
}

func testImageFailures(t *testing.T, e engine.Engine) {
	others := map[string]engine.Program{"throws": MustCompile(t, e, "throws", `throw new RangeError("inner");`), "fine": MustCompile(t, e, "fine", `export const a = 1;`)}
	for _, r := range imageFailures {
		t.Run("a module that "+r.name, func(t *testing.T) {
			if r.reason == engine.ImageSlow && testing.Short() {
				t.Skip("takes as long as modules may")
			}
			if r.reason == engine.ImageLarge && slowed(e) {
				t.Skip("with the race detector it takes longer than modules may")
			}
			img := testImage(t, e)
			img.Modules = []engine.Import{{ID: "fine", Program: others["fine"]}, {ID: "bad", Program: MustCompile(t, e, "bad", r.code)}}
			img.Resolve = func(_, specifier string) (engine.Import, error) {
				if others[specifier] == nil {
					return engine.Import{}, fmt.Errorf("no module %q", specifier)
				}
				return engine.Import{ID: specifier, Program: others[specifier]}, nil
			}
			iso, err := e.NewIsolate(img)
			if err == nil {
				iso.Close()
				t.Fatal("it is part of an image")
			}
			var ie *engine.ImageError
			if !errors.As(err, &ie) || ie.ID != "bad" || !strings.Contains(ie.Reason, r.reason) {
				t.Errorf("got %v, want module bad and %q", err, r.reason)
			}
		})
	}
}
