package enginetest

import (
	"strings"
	"testing"

	"quicksand/engine"
	"quicksand/internal/marshal"
)

// testOps is what native serves inside the engine.
func testOps(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	rows := []struct{ name, expr, want string }{
		{"hooks are registered once", `(() => { try { native(0, {}); return "again"; } catch { return "refused"; } })()`, `"refused"`},
		{"a unit gives its completion value", `native(1, 0)`, `{unit: "first"}`},
		{"a unit may be a function", `native(1, 1)(4)`, `5`},
		{"a unit is evaluated each time", `native(1, 0) === native(1, 0)`, `false`},
		{"a unit that throws", `caught(() => native(1, 2))`, `"RangeError: unit failed"`},
		{"a unit that does not exist", `typeof caught(() => native(1, 99))`, `"string"`},
		{"a unit with a negative number", `typeof caught(() => native(1, -1))`, `"string"`},
		{"encoding ASCII", `native(2, "abc")`, `Uint8Array<616263>`},
		{"encoding all lengths", `native(2, "é€😀")`, `Uint8Array<c3a9e282acf09f9880>`},
		{"encoding lone surrogates", `native(2, "a\ud800b\udc00")`, `Uint8Array<61efbfbd62efbfbd>`},
		{"encoding surrogates in the wrong order", `native(2, "\udc00\ud800")`, `Uint8Array<efbfbdefbfbd>`},
		{"encoding NUL and nothing", `[native(2, "\0"), native(2, "")]`, `[Uint8Array<00>, Uint8Array<>]`},
		{"decoding ASCII", `native(3, new Uint8Array([97, 98]))`, `"ab"`},
		{"decoding all lengths", `native(3, new Uint8Array([0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80])) === "é€😀"`, `true`},
		{"decoding a view of a part", `native(3, new Uint8Array([97, 98, 99, 100]).subarray(1, 3))`, `"bc"`},
		{"decoding keeps a byte order mark", `native(3, new Uint8Array([0xef, 0xbb, 0xbf, 97])).length`, `2`},
		{"a lone continuation byte", `native(3, new Uint8Array([0x80, 97]))`, `"` + "\ufffd" + `a"`},
		{"a truncated sequence is one replacement", `native(3, new Uint8Array([0xf0, 0x9f, 0x98, 97]))`, `"` + "\ufffd" + `a"`},
		{"a truncated sequence at the end", `native(3, new Uint8Array([97, 0xe2, 0x82]))`, `"a` + "\ufffd" + `"`},
		{"an overlong form is two replacements", `native(3, new Uint8Array([0xc0, 0xaf]))`, `"` + "\ufffd\ufffd" + `"`},
		{"an overlong form of three bytes", `native(3, new Uint8Array([0xe0, 0x80, 0xaf])).length`, `3`},
		{"an encoded surrogate is three replacements", `native(3, new Uint8Array([0xed, 0xa0, 0x80])).length`, `3`},
		{"above U+10FFFF is four replacements", `native(3, new Uint8Array([0xf4, 0x90, 0x80, 0x80])).length`, `4`},
		{"a byte that is never valid", `native(3, new Uint8Array([0xff, 0xfe, 97]))`, `"` + "\ufffd\ufffd" + `a"`},
		{"fatal decoding of what is valid", `native(3, new Uint8Array([0xc3, 0xa9]), true) === "é"`, `true`},
		{"fatal decoding of what is not", `native(3, new Uint8Array([0xc3]), true)`, `undefined`},
		{"a clone is another object", `(() => { const a = { x: [1], d: new Date(3) }, b = native(4, a); return [a !== b, a.x !== b.x, b]; })()`, `[true, true, {x: [1], d: Date(3)}]`},
		{"a clone keeps lone surrogates", `native(4, "a\ud800") === "a\ud800"`, `true`},
		{"a clone keeps sharing and cycles", `(() => { const a = []; a.push(a, a); const b = native(4, a); return b[0] === b && b[1] === b; })()`, `true`},
		{"a clone copies blobs", `(() => { const a = new Uint8Array(1 << 17); a[5] = 1; const b = native(4, a); a[5] = 2; return [b[5], b.length, b.buffer !== a.buffer]; })()`, `[1, 131072, true]`},
		{"a clone refuses functions", `caught(() => native(4, { f() {} })).slice(0, 16)`, `"DataCloneError: "`},
		{"the clock is a number", `typeof native(7)`, `"number"`},
		{"the clock does not go back", `(() => { let a = native(7); for (let i = 0; i < 1000; i++) { const b = native(7); if (b < a) return b - a; a = b; } return 0; })()`, `0`},
		{"a pending promise", `native(6, new Promise(() => {}))`, `[0, undefined]`},
		{"a fulfilled promise", `native(6, Promise.resolve(5))`, `[1, 5]`},
		{"a rejected promise", `(() => { const p = Promise.reject(6); p.catch(() => 0); return native(6, p); })()`, `[2, 6]`},
		{"the state of what is no promise", `[native(6, 1), native(6, { then() {} }), native(6)]`, `[undefined, undefined, undefined]`},
		{"the stack is a string", `typeof native(8)`, `"string"`},
		{"collecting garbage gives nothing", `native(9)`, `undefined`},
		{"an operation that does not exist", `typeof caught(() => native(63))`, `"string"`},
		{"operations that are no numbers", `[caught(() => native("x")), caught(() => native(-1)), caught(() => native(NaN)), caught(() => native(1.5e300)), caught(() => native()), caught(() => native({ valueOf() { throw new RangeError("v"); } }))].length`, `6`},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			expect(t, w.Eval(t, "export default ("+r.expr+");", nil), "= "+r.want)
		})
	}
	t.Run("classes", func(t *testing.T) {
		classes := []struct{ expr, want string }{
			{`1`, ""}, {`"s"`, ""}, {`null`, ""}, {`undefined`, ""}, {`1n`, ""}, {`Symbol()`, ""}, {`true`, ""},
			{`{}`, "Object"}, {`Object.create(null)`, "Object"}, {`[]`, "Array"}, {`() => 1`, "Function"}, {`class {}`, "Function"},
			{`async () => 1`, "Function"}, {`function* () {}`, "Function"}, {`(() => 1).bind(null)`, "Function"}, {`Math.max`, "Function"},
			{`new Error()`, "Error"}, {`new TypeError()`, "Error"}, {`Object.create(Error.prototype)`, "Object"},
			{`new Date()`, "Date"}, {`/x/`, "RegExp"}, {`new Map()`, "Map"}, {`new Set()`, "Set"}, {`new WeakMap()`, "WeakMap"},
			{`new WeakSet()`, "WeakSet"}, {`new WeakRef({})`, "WeakRef"}, {`Promise.resolve()`, "Promise"}, {`new Proxy({}, {})`, "Proxy"},
			{`new Proxy([], {})`, "Proxy"}, {`new Proxy(() => 1, {})`, "Proxy"},
			{`new ArrayBuffer(1)`, "ArrayBuffer"}, {`new DataView(new ArrayBuffer(1))`, "DataView"}, {`Object(1)`, "Number"},
			{`Object("")`, "String"}, {`Object(true)`, "Boolean"}, {`Object(Symbol())`, "Symbol"}, {`Object(1n)`, "BigInt"},
			{`(function* () {})()`, "Generator"}, {`(function () { return arguments; })()`, "Arguments"},
			{`new Uint8Array(1)`, "Uint8Array"}, {`new Uint8ClampedArray(1)`, "Uint8ClampedArray"}, {`new Int8Array(1)`, "Int8Array"},
			{`new Int16Array(1)`, "Int16Array"}, {`new Uint16Array(1)`, "Uint16Array"}, {`new Int32Array(1)`, "Int32Array"},
			{`new Uint32Array(1)`, "Uint32Array"}, {`new BigInt64Array(1)`, "BigInt64Array"}, {`new BigUint64Array(1)`, "BigUint64Array"},
			{`new Float16Array(1)`, "Float16Array"}, {`new Float32Array(1)`, "Float32Array"}, {`new Float64Array(1)`, "Float64Array"},
			{`Object.setPrototypeOf(new Map(), Set.prototype)`, "Map"}, {`new (class M extends Map {})()`, "Map"},
		}
		for _, c := range classes {
			if got := w.Eval(t, "export default native(5, "+c.expr+");", nil).String(); got != `= "`+c.want+`"` {
				t.Errorf("class of %s: got %s, want %q", c.expr, got, c.want)
			}
		}
		o := w.Eval(t, `import * as ns from "m.js"; export default native(5, ns);`, &Host{Modules: map[string]string{"m.js": "export const a = 1"}})
		expect(t, o, `= "Module"`)
	})
	t.Run("collecting garbage tells finalization registries", func(t *testing.T) {
		o := w.Eval(t, `const gone = []; const r = new FinalizationRegistry((x) => { gone.push(x); });
(() => { for (let i = 0; i < 3; i++) { const o = {}; o.self = o; r.register(o, i); } })();
native(9); await null; await null;
export default gone.sort();`, nil)
		expect(t, o, `= [0, 1, 2]`)
	})
	t.Run("the stack names the callers", func(t *testing.T) {
		o := w.Eval(t, "function outer() { return inner(); }\nfunction inner() { return native(8); }\nexport default outer();", nil)
		v, _ := Read(o.Value)
		if s := v.Str(); !strings.Contains(s, "outer") || !strings.Contains(s, "main.js:1") || strings.Contains(s, "inner") {
			t.Errorf("stack %q: want outer at main.js:1, without inner", s)
		}
	})
}

func testHooks(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	mustInvoke := func(t *testing.T, hook, arg string, mode engine.InvokeMode) string {
		t.Helper()
		m, status, err := w.Iso.Invoke(hook, marshal.Message{Wire: []byte(arg)}, mode, nil)
		if err != nil {
			return "error"
		}
		if status == engine.Failed || status == engine.Stopped {
			return Outcome{Status: status, Failure: w.Iso.Failure()}.String()
		}
		return "= " + Dump(m)
	}
	const x = "\x09\x01\x07\x01x" // ["x"]
	t.Run("globals are read after the run", func(t *testing.T) {
		expect(t, w.Eval(t, `globalThis.x = { a: 1 }; export default 1`, nil), "= 1")
		if got := mustInvoke(t, "readGlobals", x, engine.Strict); got != "= {x: {a: 1}}" {
			t.Error(got)
		}
	})
	t.Run("globals are read after a throw", func(t *testing.T) {
		expect(t, w.Eval(t, `globalThis.x = 5; throw new TypeError("t");`, nil), "! TypeError: t")
		if got := mustInvoke(t, "readGlobals", x, engine.Strict); got != "= {x: 5}" {
			t.Error(got)
		}
	})
	t.Run("a failing hook fails", func(t *testing.T) {
		expect(t, w.Eval(t, `Object.defineProperty(globalThis, "x", { get() { throw new RangeError("g"); } }); export default 1`, nil), "= 1")
		if got := mustInvoke(t, "readGlobals", x, engine.Strict); got != "! RangeError: g" {
			t.Error(got)
		}
		if got := mustInvoke(t, "readGlobals", "\x09\x00", engine.Strict); got != "= {}" {
			t.Errorf("the next one: %s", got)
		}
	})
	t.Run("strict and lenient", func(t *testing.T) {
		expect(t, w.Eval(t, `globalThis.x = { f() {}, a: 1 }; export default 1`, nil), "= 1")
		if got := mustInvoke(t, "readGlobals", x, engine.Strict); !strings.HasPrefix(got, "! DataCloneError: ") {
			t.Errorf("strict: %s", got)
		}
		if got := mustInvoke(t, "readGlobals", x, engine.Lenient); got != "= {x: {a: 1}}" {
			t.Errorf("lenient: %s", got)
		}
	})
	t.Run("a host serves calls of a hook", func(t *testing.T) {
		expect(t, w.Eval(t, `Object.defineProperty(globalThis, "x", { get() { return echo([7]); } }); export default 1`, nil), "= 1")
		m, status, err := w.Iso.Invoke("readGlobals", marshal.Message{Wire: []byte(x)}, engine.Strict, &Host{})
		if got := Dump(m); err != nil || status == engine.Failed || got != "{x: [7]}" {
			t.Errorf("with a host: %v %v %s", status, err, got)
		}
		if got := mustInvoke(t, "readGlobals", x, engine.Strict); !strings.HasPrefix(got, "! ") {
			t.Errorf("without a host: %s, want a refused call", got)
		}
	})
	t.Run("an unknown hook is an error", func(t *testing.T) {
		w.reset(t)
		for _, name := range []string{"nothing", "", "toString", "__proto__", "samples"} {
			if got := mustInvoke(t, name, "\x00", engine.Strict); got != "error" && !strings.HasPrefix(got, "!") {
				t.Errorf("hook %q: %s", name, got)
			}
		}
	})
	t.Run("a malformed argument is an error", func(t *testing.T) {
		w.reset(t)
		if got := mustInvoke(t, "readGlobals", "\x7f", engine.Strict); got != "error" && !strings.HasPrefix(got, "!") {
			t.Error(got)
		}
	})
	w.check(t)
}
