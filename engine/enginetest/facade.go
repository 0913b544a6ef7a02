package enginetest

import (
	"strings"
	"testing"
	"time"

	"quicksand/engine"
	"quicksand/internal/marshal"
)

// facades are modules of host functions.
var facades = map[string]engine.Import{
	"host":  {ID: "host", Default: true, Exports: []engine.Export{{Name: "later", Op: opLater}, {Name: "reject", Op: opReject}, {Name: "work", Op: opWork}}},
	"plain": {ID: "plain", Exports: []engine.Export{{Name: "later", Op: opLater}}},
	"odd":   {ID: "odd", Default: true, Exports: []engine.Export{{Name: "__proto__", Op: opLater}, {Name: "two words", Op: opLater}, {Name: "ä", Op: opLater}}},
	// What an engine has to refuse.
	"twice":   {ID: "twice", Exports: []engine.Export{{Name: "a", Op: opLater}, {Name: "a", Op: opLater}}},
	"sync":    {ID: "sync", Exports: []engine.Export{{Name: "a", Op: opEcho}}},
	"nul":     {ID: "nul", Exports: []engine.Export{{Name: "a\x00b", Op: opLater}}},
	"nameful": {ID: "nameful", Default: true, Exports: []engine.Export{{Name: "default", Op: opLater}}},
	"nowhere": {ID: "nowhere"},
}

var facadeRows = []struct{ name, code, want, says string }{
	{"a named import", `import { later } from "host"; export default await later(1, "two", [3]);`, `= [1, "two", [3]]`, ""},
	{"a default import", `import h from "host"; export default [Object.keys(h), await h.later(1)];`, `= [["later", "reject", "work"], [1]]`, ""},
	{"a namespace", `import * as h from "host"; export default [Object.keys(h), await h.later(), h.default.later === h.later];`, `= [["default", "later", "reject", "work"], [], true]`, ""},
	{"no default export where none is asked for", `import * as h from "plain"; export default Object.keys(h);`, `= ["later"]`, ""},
	{"all that a function is given crosses", `import { later } from "host"; export default (await later(...Array(300).fill(0).map((_, i) => i))).length;`, "= 300", ""},
	{"from a goroutine", `import { work } from "host"; export default await Promise.all([work(1), work(2)]);`, "= [[1], [2]]", ""},
	{"functions know their names", `import { later } from "host"; export default [later.name, typeof later, later.length];`, `= ["later", "function", 0]`, ""},
	{"a call is a promise of the intrinsic class", `import { later } from "host"; const p = later(); export default [p instanceof Promise, p.constructor === Promise];`, "= [true, true]", ""},
	{"functions and the default export are frozen", `import h, { later } from "host"; export default [Object.isFrozen(h), Object.isFrozen(later), caught(() => { h.later = 1; }).slice(0, 9)];`, `= [true, true, "TypeError"]`, ""},
	{"functions are no constructors", `import { later } from "host"; export default caught(() => new later()).slice(0, 9);`, `= "TypeError"`, ""},
	{"imports are read-only", `import { later } from "host"; later = 1;`, "! TypeError: *", ""},
	{"two importers get the same functions", `import { later } from "host"; import { f } from "m"; import { f as g } from "n"; export default [f === later, g === later];`, "= [true, true]", ""},
	{"a module passes a function on", `import { later } from "p"; export default await later(7);`, "= [7]", ""},
	{"names of every kind", `import o, { "two words" as two, ä, __proto__ as proto } from "odd"; export default [await two(1), await ä(2), await proto(3), Object.keys(o), Object.getPrototypeOf(o) === Object.prototype];`, `= [[1], [2], [3], ["__proto__", "two words", "ä"], true]`, ""},
	{"an argument that cannot cross rejects", `import { later } from "host"; export default await later(() => 1).catch((e) => e.name);`, `= "DataCloneError"`, ""},
	{"a getter among the arguments that throws rejects", `import { later } from "host"; export default await later({ get a() { throw new RangeError("g"); } }).catch((e) => e.message);`, `= "g"`, ""},
	{"a rejection", `import { reject } from "host"; export default await reject(1).catch((e) => e);`, "= [1]", ""},
	{"a guest that replaced what the prelude used", `import { f } from "poison"; export default await f(1);`, "= [1]", ""},
	{"functions work in a continuation", `import { later } from "host"; export default await later(1).then(later).then(later);`, "= [[[1]]]", ""},

	{"a name that is not exported", `import { nope } from "host"; export default 1;`, "link: *", "nope"},
	{"no default export to import", `import d from "plain"; export default 1;`, "link: *", "default"},
	{"dynamic import", `import "host"; export default await import("host").catch((e) => e.message.includes("host"));`, "= true", ""},
	{"two exports of one name", `import "twice"; export default 1;`, "link: *", "twice"},
	{"a synchronous operation", `import "sync"; export default 1;`, "link: *", "sync"},
	{"a name with a NUL", `import "nul"; export default 1;`, "link: *", "nul"},
	{"a function called default beside the default export", `import "nameful"; export default 1;`, "link: *", "default"},
	{"a module of no image", `import "nowhere"; export default 1;`, "link: *", ""},
}

func testFacades(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	modules := map[string]string{
		"m": `import { later } from "host"; export const f = later;`,
		"n": `import h from "host"; export const f = h.later;`,
		"p": `export { later } from "host";`,
		"poison": `import { later as f } from "host";
			Array.prototype[Symbol.iterator] = Function.prototype.call = Function.prototype.apply = Promise.prototype.then = Promise.resolve = null;
			Object.defineProperty(Object.prototype, "value", { set() { throw 1; } }); Object.defineProperty = Reflect.apply = Object.freeze = null;
			export { f };`,
	}
	for _, r := range facadeRows {
		t.Run(r.name, func(t *testing.T) {
			for range 2 {
				h := &Host{Modules: modules, Facades: facades}
				if got := w.Eval(t, r.code, h).String(); !matches(got, r.want) || !strings.Contains(got, r.says) {
					t.Errorf("got %.300s\nwant %s with %q", got, r.want, r.says)
				}
			}
		})
	}
	t.Run("a rejection shows where the guest called", func(t *testing.T) {
		for _, code := range []string{
			"import { reject } from \"host\";\nasync function outer() {\n  await reject(new RangeError(\"r\"));\n}\nawait outer();",
			"import h from \"host\";\nconst outer = () =>\n  h.reject(new RangeError(\"r\"));\nawait outer();",
		} {
			h := &Host{Facades: facades, Async: func(w *World, c engine.Call) bool {
				args, err := marshal.Decode(c.Arg)
				if err != nil {
					t.Fatal(err)
				}
				first, err := args.Index(0).Message()
				if err != nil {
					t.Fatal(err)
				}
				w.Iso.Settle(c.ID, engine.Reply{Value: first, Throw: true})
				return true
			}}
			o := w.Eval(t, code, h)
			expect(t, o, "! RangeError: r")
			if s := o.Stack(); !strings.Contains(s, "outer (main.js:3:") || strings.Contains(s, "prelude") {
				t.Errorf("stack %q, want outer in line 3", s)
			}
		}
	})
	t.Run("after runs that end in every way", func(t *testing.T) {
		const use = `import { later } from "host"; import h from "host"; export default [await later(1), h.later === later];`
		ends := []struct {
			name, code string
			settings   engine.Settings
			deadline   time.Duration
		}{
			{"in a fault of memory", `import { later } from "host"; const a = []; for (;;) a.push(later("x".repeat(1000)));`, engine.Settings{Memory: 8 << 20}, 0},
			{"interrupted", `import { later } from "host"; later(1); for (;;);`, engine.Settings{}, 30 * time.Millisecond},
			{"killed", `import { later } from "host"; later(1); [].indexOf.call({ length: 2 ** 53 - 1 });`, engine.Settings{}, 30 * time.Millisecond},
			{"thrown", `import { later } from "host"; throw 1;`, engine.Settings{}, 0},
			{"with calls open", `import { later } from "host"; later(1); later(2); export default 1;`, engine.Settings{}, 0},
			{"not linked", `import { later } from "host"; import "gone"; export default 1;`, engine.Settings{}, 0},
		}
		for _, end := range ends {
			w.Settings, w.Deadline = end.settings, end.deadline
			w.Eval(t, end.code, &Host{Facades: facades})
			w.Settings, w.Deadline = engine.Settings{}, 0
			if got := w.Eval(t, use, &Host{Facades: facades}).String(); got != "= [[1], true]" {
				t.Errorf("%s: got %s", end.name, got)
			}
		}
	})
	t.Run("a memory limit is met while functions are made", func(t *testing.T) {
		var many engine.Import
		many.ID = "many"
		for i := range 2000 {
			many.Exports = append(many.Exports, engine.Export{Name: "f" + itoa(i), Op: opLater})
		}
		p := MustCompile(t, e, "main.js", `import { f1999 } from "many"; export default await f1999(1);`)
		h := func() *Host { return &Host{Facades: map[string]engine.Import{"many": many}} }
		full := w.Run(t, p, h())
		expect(t, full, "= [1]")
		w.reset(t)
		least := w.Iso.Usage().HeapUsed
		for part := int64(1); part < 10; part++ {
			w.Settings.Memory = least + (full.Usage.HeapPeak-least)*part/10
			if o := w.Run(t, p, h()); o.Failure.Kind != engine.Memory {
				t.Errorf("with %d of %d bytes: got %v", w.Settings.Memory, full.Usage.HeapPeak, o)
			}
		}
		w.Settings = engine.Settings{}
		expect(t, w.Run(t, p, h()), "= [1]")
	})
	w.check(t)
}
