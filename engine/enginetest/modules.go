package enginetest

import (
	"path"
	"strings"
	"testing"
	"time"

	"quicksand/engine"
)

// resolvePath makes an identity of a specifier as the suite's host understands it.
func resolvePath(base, specifier string) string {
	if strings.HasPrefix(specifier, "./") || strings.HasPrefix(specifier, "../") {
		return path.Join(path.Dir(base), specifier)
	}
	return specifier
}

// moduleRows import. want with a leading "link: " needs only to be the beginning and
// to hold every part of says.
var moduleRows = []struct {
	name, code string
	modules    map[string]string
	want, says string
}{
	{"a named import", `import { a } from "m"; export default a;`, map[string]string{"m": "export const a = 1;"}, "= 1", ""},
	{"a default import", `import a from "m"; export default a;`, map[string]string{"m": "export default 1;"}, "= 1", ""},
	{"a renamed import", `import { a as b } from "m"; export default b;`, map[string]string{"m": "const x = 1; export { x as a };"}, "= 1", ""},
	{"an import by string name", `import { "odd name" as b } from "m"; export default b;`, map[string]string{"m": `const x = 1; export { x as "odd name" };`}, "= 1", ""},
	{"a namespace", `import * as m from "m"; export default [Object.keys(m), m.a, m.default];`, map[string]string{"m": "export const b = 2, a = 1; export default 3;"}, `= [["a", "b", "default"], 1, 3]`, ""},
	{"an import for its effects", `import "m"; export default globalThis.done;`, map[string]string{"m": "globalThis.done = 1;"}, "= 1", ""},
	{"exports of another module", `import { a, b, c } from "m"; export default [a, b, c];`, map[string]string{"m": `export * from "n"; export { x as c } from "n";`, "n": "export const a = 1, b = 2, x = 3;"}, "= [1, 2, 3]", ""},
	{"a namespace of another module", `import { n } from "m"; export default n.a;`, map[string]string{"m": `export * as n from "n";`, "n": "export const a = 1;"}, "= 1", ""},
	{"live bindings", `import { n, inc } from "m"; const a = n; inc(); export default [a, n];`, map[string]string{"m": "export let n = 0; export const inc = () => { n++; };"}, "= [0, 1]", ""},
	{"imports are hoisted", `export default a; import { a } from "m";`, map[string]string{"m": "export const a = 1;"}, "= 1", ""},
	{"imports are read-only", `import { a } from "m"; a = 2;`, map[string]string{"m": "export let a = 1;"}, "! TypeError: *", ""},
	{"a relative sibling", `import { a } from "pkg/index.js"; export default a;`, map[string]string{"pkg/index.js": `export { a } from "./lib/a.js";`, "pkg/lib/a.js": `export { b as a } from "../b.js";`, "pkg/b.js": "export const b = 5;"}, "= 5", ""},
	{"the same relative name in two packages", `import { a } from "p/i.js"; import { b } from "q/i.js"; export default [a, b];`, map[string]string{"p/i.js": `export { x as a } from "./x.js";`, "q/i.js": `export { x as b } from "./x.js";`, "p/x.js": "export const x = 1;", "q/x.js": "export const x = 2;"}, "= [1, 2]", ""},
	{"a diamond is instantiated once", `import { a } from "a"; import { b } from "b"; export default [a === b, globalThis.times];`, map[string]string{"a": `import { o } from "base"; export const a = o;`, "b": `import { o } from "base"; export const b = o;`, "base": "globalThis.times = (globalThis.times ?? 0) + 1; export const o = {};"}, "= [true, 1]", ""},
	{"a cycle", `import { even } from "even"; export default [even(10), even(7)];`, map[string]string{"even": `import { odd } from "odd"; export const even = (n) => n === 0 || odd(n - 1);`, "odd": `import { even } from "even"; export const odd = (n) => n !== 0 && even(n - 1);`}, "= [true, false]", ""},
	{"a cycle that reads too early", `import { a } from "a"; export default a;`, map[string]string{"a": `import { b } from "b"; export const a = b;`, "b": `import { a } from "a"; export const b = a;`}, "! ReferenceError: *", ""},
	{"a module that imports itself", `import { f } from "m"; export default f();`, map[string]string{"m": `import * as self from "m"; export const a = 3; export const f = () => self.a;`}, "= 3", ""},
	{"order of evaluation", `import "a"; import "b"; export default order;`, map[string]string{"a": `import "c"; order.push("a");`, "b": `import "c"; order.push("b");`, "c": `globalThis.order = ["c"];`}, `= ["c", "a", "b"]`, ""},
	{"an await in an imported module", `import { a } from "m"; export default a;`, map[string]string{"m": "export const a = await later(4);"}, "= 4", ""},
	{"awaits in several modules", `import { a } from "a"; import { b } from "b"; export default [a, b, await later(3)];`, map[string]string{"a": "export const a = await work(1);", "b": `import { c } from "c"; export const b = c + await later(1);`, "c": "export const c = await later(1);"}, "= [1, 2, 3]", ""},
	{"an await that never ends in an imported module", `import "m"; export default 1;`, map[string]string{"m": "await hold(1);"}, "stuck", ""},
	{"a throw in an imported module", `import "m"; export default 1;`, map[string]string{"m": `throw new RangeError("m");`}, "! RangeError: m", ""},
	{"a rejection in an imported module", `import "m"; export default 1;`, map[string]string{"m": `await reject(new RangeError("m"));`}, "! RangeError: m", ""},
	{"no default export", `export const a = 1;`, nil, "= undefined", ""},
	{"a default export that changes", `let x = 1; export { x as default }; x = 2;`, nil, "= 2", ""},
	{"a default export through another module", `export { a as default } from "m";`, map[string]string{"m": "export const a = 6;"}, "= 6", ""},
	{"a default export that is a function", `export default function f() { return 1; }`, nil, "! DataCloneError: *", ""},
	{"this is undefined", `export default typeof this;`, nil, `= "undefined"`, ""},
	{"strict mode", `export default caught(() => { undeclared = 1; });`, nil, "= *", ""},
	{"import.meta is an object", `export default typeof import.meta;`, nil, `= "object"`, ""},

	{"a missing module", `import "nowhere"; export default 1;`, nil, "link: *", `no module "nowhere" for "main.js"`},
	{"a missing module of an imported module", `import "m"; export default 1;`, map[string]string{"m": `import "./gone.js";`}, "link: *", `no module "gone.js" for "m"`},
	{"a missing module after others", `import "m"; import "nowhere"; note("ran"); export default 1;`, map[string]string{"m": `note("m ran");`}, "link: *", `no module "nowhere"`},
	{"a name that is not exported", `import { b } from "m"; export default b;`, map[string]string{"m": "export const a = 1;"}, "link: *", "b"},
	{"no default export to import", `import d from "m"; export default d;`, map[string]string{"m": "export const a = 1;"}, "link: *", "default"},
	{"an ambiguous name", `import { a } from "m"; export default a;`, map[string]string{"m": `export * from "x"; export * from "y";`, "x": "export const a = 1;", "y": "export const a = 2;"}, "link: *", "a"},
	{"a name that leads in a circle", `import { a } from "m"; export default a;`, map[string]string{"m": `export { a } from "n";`, "n": `export { a } from "m";`}, "link: *", "a"},
	{"a module that does not parse", `import "m"; export default 1;`, map[string]string{"m": "let = ;"}, "link: *", "m:1"},
	{"the engine's own modules", `import * as std from "std"; export default 1;`, nil, "link: *", `no module "std"`},
	{"the engine's own modules, by their other name", `import * as os from "qjs:os"; export default 1;`, nil, "link: *", `no module "qjs:os"`},
	{"importing the entry", `import * as self from "main.js"; export default 1;`, nil, "link: *", `no module "main.js"`},
	{"an empty specifier", `import ""; export default 1;`, nil, "link: *", `no module ""`},
	{"a specifier with odd characters", "import \"é\\0x\"; export default 1;", nil, "link: *", "no module"},
}

func matches(got, want string) bool {
	if p, ok := strings.CutSuffix(want, "*"); ok {
		return strings.HasPrefix(got, p)
	}
	return got == want
}

func testModules(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	for _, r := range moduleRows {
		t.Run(r.name, func(t *testing.T) {
			h := &Host{Modules: r.modules}
			o := w.Eval(t, r.code, h)
			got := o.String()
			if !matches(got, r.want) || !strings.Contains(got, r.says) {
				t.Errorf("got %.300s\nwant %s with %q", got, r.want, r.says)
			}
			if strings.HasPrefix(r.want, "link") && len(h.Notes) > 0 {
				t.Errorf("modules ran: %q", h.Notes)
			}
			if strings.HasPrefix(r.want, "link") {
				if m, status, err := w.Iso.Result(engine.Strict); err == nil {
					t.Errorf("Result after a link failure: %v %s", status, Dump(m))
				}
			}
			if r.want != "syntax" {
				expect(t, w.Eval(t, r.code, &Host{Modules: r.modules}), got)
			}
		})
	}
	t.Run("bases are the identities of the importers", func(t *testing.T) {
		h := &Host{Modules: map[string]string{"p/i.js": `import "./x.js"; import "bare";`, "p/x.js": "", "bare": ""}}
		expect(t, w.Eval(t, `import "p/i.js"; import "bare"; export default 1;`, h), "= 1")
		got := strings.Join(h.resolved, "; ")
		for _, want := range []string{"main.js p/i.js", "main.js bare", "p/i.js ./x.js", "p/i.js bare"} {
			if !strings.Contains(got, want) {
				t.Errorf("Resolve was not asked for %q: %s", want, got)
			}
		}
	})
	t.Run("many modules", func(t *testing.T) {
		mods := map[string]string{"m300": "export const n = 0;"}
		for i := range 300 {
			mods["m"+itoa(i)] = `import { n as p } from "m` + itoa(i+1) + `"; export const n = p + 1;`
		}
		expect(t, w.Eval(t, `import { n } from "m0"; export default n;`, &Host{Modules: mods}), "= 300")
	})
	t.Run("a chain of modules that is too long for the stack is no crash", func(t *testing.T) {
		mods := map[string]string{}
		for i := range 5000 {
			mods["m"+itoa(i)] = `import "m` + itoa(i+1) + `";`
		}
		mods["m5000"] = ""
		o := w.Eval(t, `import "m0"; export default 1;`, &Host{Modules: mods})
		if got := o.String(); got != "= 1" && !strings.HasPrefix(got, "link: ") && !strings.HasPrefix(got, "! RangeError") {
			t.Errorf("got %.200s", got)
		}
		w.check(t)
	})
	t.Run("one program under two identities", func(t *testing.T) {
		p := MustCompile(t, e, "shared", "export const o = {};")
		w.reset(t)
		h := resolver{&Host{w: w, t: t}, func(base, spec string) (engine.Import, error) { return engine.Import{ID: spec, Program: p}, nil }}
		s, err := w.Iso.Start(MustCompile(t, e, "main.js", `import { o as a } from "x"; import { o as b } from "y"; import { o as c } from "x"; export default [a === b, a === c];`), h)
		for err == nil && s == engine.Waiting {
			s, err = w.Iso.Pump()
		}
		m, _, _ := w.Iso.Result(engine.Strict)
		linked := err == nil && s == engine.Done && Dump(m) == "[false, true]"
		refused := err == nil && s == engine.Failed && w.Iso.Failure().Kind == engine.Link
		if !linked && !refused {
			t.Errorf("%v %v %s %v", s, err, Dump(m), Outcome{Status: s, Failure: w.Iso.Failure()})
		}
	})
	w.check(t)
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

func testDynamicImport(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	const see = `.then(() => "loaded", (e) => e instanceof Error ? e.message : "no error")`
	rows := []struct{ name, code, specifier string }{
		{"of an unknown module", `export default await import("nowhere")` + see, "nowhere"},
		{"of a loaded module", `import { a } from "m"; export default await import("m")` + see, "m"},
		{"of the entry", `export default await import("main.js")` + see, "main.js"},
		{"of a relative name", `export default await import("./m")` + see, "./m"},
		{"in an imported module", `import { r } from "inner"; export default await r;`, "m"},
		{"of an imported module in itself", `import { r } from "self"; export default await r;`, "self"},
		{"in a continuation of a host call", `export default await later(1).then(() => import("m"))` + see, "m"},
		{"after an await", `await later(1); export default await import("m")` + see, "m"},
		{"in a job", `export default await Promise.resolve().then(() => import("m"))` + see, "m"},
		{"in a getter of a host call", `let p; echo({ get a() { p = import("m")` + see + `; return 1; } }); export default await p;`, "m"},
		{"in an asynchronous function", `export default await (async () => import("m"))()` + see, "m"},
		{"with attributes", `export default await import("m", { with: { type: "json" } })` + see, "m"},
		{"of a computed name", `export default await import(["m", "x"].join("-"))` + see, "m-x"},
		{"of an object", `export default await import({ toString: () => "object-name" })` + see, "object-name"},
		{"of a data URL", `export default await import("data:text/javascript,export default 7")` + see, "data:text/javascript"},
		{"of the engine's own module", `export default await import("std")` + see, "std"},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			h := &Host{Modules: map[string]string{
				"m": "export const a = 1; export default 7;", "./m": "export default 7", "main.js": "export default 7", "std": "export default 7",
				"inner": `export const r = import("m")` + see + ";",
				"self":  `export const r = import("self")` + see + ";"}}
			o := w.Eval(t, r.code, h)
			v, _ := Read(o.Value)
			msg := v.Str()
			if o.Status != engine.Done || msg == "loaded" || !strings.Contains(msg, r.specifier) || !strings.Contains(msg, "import") {
				t.Errorf("got %v, want an error that names %q", o, r.specifier)
			}
			for _, q := range h.resolved {
				if strings.HasPrefix(q, "main.js m-x") || strings.HasSuffix(q, "nowhere") || strings.Contains(q, "data:") {
					t.Errorf("Resolve was asked %q", q)
				}
			}
		})
	}
	t.Run("a specifier that throws", func(t *testing.T) {
		expect(t, w.Eval(t, `export default await import({ toString() { throw new RangeError("s"); } }).catch((e) => e.message);`, nil), `= "s"`)
	})
	t.Run("a very long specifier", func(t *testing.T) {
		o := w.Eval(t, `export default await import("x".repeat(1 << 20)).catch((e) => e instanceof Error);`, nil)
		expect(t, o, "= true")
	})
	t.Run("never caught", func(t *testing.T) {
		o := w.Eval(t, `await import("m");`, nil)
		if got := o.String(); !strings.HasPrefix(got, "! ") || !strings.Contains(got, `m`) {
			t.Errorf("got %s", got)
		}
	})
	t.Run("in a flood", func(t *testing.T) {
		expect(t, w.Eval(t, `let n = 0; for (let i = 0; i < 10000; i++) import("x").catch(() => n++); await later(1); await later(2); export default n;`, nil), "= 10000")
	})
	t.Run("a static import after it still works", func(t *testing.T) {
		expect(t, w.Eval(t, `import { a } from "m"; await import("m").catch(() => 0); export default a;`, &Host{Modules: map[string]string{"m": "export const a = 1;"}}), "= 1")
	})
	w.check(t)
}

// generators make code at run time, if they are let.
var generators = []string{
	`eval("7")`, `(0, eval)("7")`, `globalThis.eval("7")`, `[eval][0]("7")`,
	`Function("return 7")()`, `new Function("return 7")()`, `globalThis.Function("return 7")()`, `Function.call(null, "return 7")()`,
	`(function () {}).constructor("return 7")()`, `(() => 1).constructor("return 7")()`, `new (() => 1).constructor("return 7")()`,
	`(async () => 1).constructor("return 7")()`, `(function* () {}).constructor("yield 7")().next().value`,
	`(async function* () {}).constructor("yield 7")().next().then((x) => x.value)`,
	`Object.getPrototypeOf(async function () {}).constructor("return 7")()`,
	`Object.getPrototypeOf(Object.getPrototypeOf((function* () {})())).constructor.constructor("return 7")()`,
	`Reflect.construct((() => 1).constructor, ["return 7"])()`, `Reflect.construct((() => 1).constructor, ["return 7"], class {})()`,
	`Reflect.construct((async () => 1).constructor, ["return 7"])()`, `Reflect.apply((() => 1).constructor, null, ["return 7"])()`,
	`new (class extends (() => 1).constructor {})("return 7")()`, `new (class extends (() => 1).constructor { constructor() { super("return 7"); } })()`,
	`(class {}).constructor("return 7")()`, `native.constructor("return 7")()`, `Math.max.constructor("return 7")()`, `echo.constructor("return 7")()`,
	`later.bind(null).constructor("return 7")()`, `["return 7"].map((() => 1).constructor)[0]()`, `Function.prototype.constructor("return 7")()`,
	`new Proxy((() => 1).constructor, {})("return 7")()`, `(() => 1).constructor.bind(null, "return 7")()()`,
	`Array.from(["return 7"], (x) => (() => 1).constructor(x))[0]()`, `JSON.parse("[1]", (() => 1).constructor)`,
	`(() => 1).constructor()`, `(() => 1).constructor("a", "b", "return 7")()`, `Promise.resolve("return 7").then((() => 1).constructor).then((f) => f())`,
	`Object.getOwnPropertyDescriptor(Function.prototype, "constructor").value("return 7")()`,
	`native(1, "7")`, `caught.constructor("return 7").call()`, `"x".replace(/x/, (() => 1).constructor)`,
	`import("data:text/javascript,export default 7").then((m) => m.default)`,
	`new Worker("7")`, `new ShadowRealm().evaluate("7")`, `setTimeout("7")`, `std.evalScript("7")`, `__loadScript("7")`,
}

func testCodeGeneration(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	places := []struct {
		name, code string
	}{
		{"at top level", `let r; try { r = await (%); } catch (e) { r = e instanceof Error ? "refused" : "odd"; } export default r;`},
		{"in an imported module", `import { r } from "m"; export default r;`},
		{"in a continuation of a host call", `export default await later(1).then(() => (%)).catch((e) => e instanceof Error ? "refused" : "odd");`},
		{"in a getter of a host call", `let r; try { r = await echo({ get a() { return (%); } }).a; } catch (e) { r = e instanceof Error ? "refused" : "odd"; } export default r;`},
	}
	for _, p := range places {
		t.Run(p.name, func(t *testing.T) {
			for _, g := range generators {
				h := &Host{Modules: map[string]string{"m": `export let r; try { r = await (` + g + `); } catch (e) { r = e instanceof Error ? "refused" : "odd"; }`}}
				if got := w.Eval(t, strings.ReplaceAll(p.code, "%", g), h).String(); got != `= "refused"` {
					t.Errorf("%s: got %.200s", g, got)
				}
			}
		})
	}
	t.Run("regular expressions are still made", func(t *testing.T) {
		expect(t, w.Eval(t, `export default new RegExp("a" + "b").test("xab");`, nil), "= true")
	})
	w.check(t)
}

// compile compiles under the world's deadline; program is nil when it fails.
func (w *World) compile(code string) (o Outcome, program engine.Program) {
	deadline := w.Deadline
	if deadline == 0 {
		deadline = time.Minute
	}
	ctx, cancel := contextWithTimeout(deadline)
	defer cancel()
	begin := time.Now()
	p, err := w.Engine.Compile(ctx, engine.Source{Name: "main.js", Code: code})
	if err != nil {
		return Outcome{Status: engine.Failed, Compile: err, Elapsed: time.Since(begin)}, nil
	}
	return o, p
}
