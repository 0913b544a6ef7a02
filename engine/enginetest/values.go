package enginetest

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"quicksand/engine"
	"quicksand/internal/marshal"
)

// valueRows are what crosses, in both directions. expr makes the value, want is its
// dump, and check, an expression over v, looks at the value that came back from the
// host. wire, when given, is the encoding in hexadecimal: it holds for every engine.
var valueRows = []struct{ name, expr, want, wire, check string }{
	{"undefined", `undefined`, `undefined`, "", `v === undefined`},
	{"null", `null`, `null`, "01", `v === null`},
	{"false", `false`, `false`, "02", `v === false`},
	{"true", `true`, `true`, "03", `v === true`},
	{"zero", `0`, `0`, "0400", `Object.is(v, 0)`},
	{"one", `1`, `1`, "0402", `v === 1`},
	{"minus one", `-1`, `-1`, "0401", `v === -1`},
	{"a number of two varint bytes", `64`, `64`, "048001", `v === 64`},
	{"the largest int", `2147483647`, `2147483647`, "04feffffff0f", `v === 2147483647`},
	{"the smallest int", `-2147483648`, `-2147483648`, "04ffffffff0f", `v === -2147483648`},
	{"one above the largest int is a float", `2147483648`, `2147483648`, "05000000000000e041", `v === 2147483648`},
	{"a fraction", `1.5`, `1.5`, "05000000000000f83f", `v === 1.5`},
	{"a whole number made of fractions is an int", `[0.5].map(x => x + x)[0]`, `1`, "0402", `v === 1`},
	{"negative zero keeps its sign", `-0`, `-0`, "050000000000000080", `Object.is(v, -0)`},
	{"NaN", `NaN`, `NaN`, "", `v !== v`},
	{"infinity", `Infinity`, `Infinity`, "05000000000000f07f", `v === Infinity`},
	{"negative infinity", `-Infinity`, `-Infinity`, "05000000000000f0ff", `v === -Infinity`},
	{"the smallest float", `5e-324`, `5e-324`, "050100000000000000", `v === 5e-324`},
	{"the largest safe integer", `Number.MAX_SAFE_INTEGER`, `9007199254740991`, "", `v === 2 ** 53 - 1`},

	{"bigint zero", `0n`, `0x0n`, "060130", `v === 0n`},
	{"a bigint", `255n`, `0xffn`, "06026666", `v === 255n`},
	{"a negative bigint", `-255n`, `-0xffn`, "06032d6666", `v === -255n`},
	{"a bigint of 64 bits", `2n ** 64n - 1n`, `0xffffffffffffffffn`, "", `v === 18446744073709551615n`},
	{"the smallest bigint of 64 bits", `-(2n ** 63n)`, `-0x8000000000000000n`, "", `v === -9223372036854775808n`},
	{"a bigint of a hundred bits", `2n ** 100n + 1n`, `0x10000000000000000000000001n`, "", `v === 2n ** 100n + 1n`},
	{"a huge negative bigint", `-(2n ** 4096n)`, `-0x1` + strings.Repeat("0", 1024) + `n`, "", `v === -(2n ** 4096n)`},

	{"the empty string", `""`, `""`, "0700", `v === ""`},
	{"an ASCII string", `"abc"`, `"abc"`, "0703616263", `v === "abc"`},
	{"a string with NUL", `"a\0b"`, `"a\u0000b"`, "0703610062", `v === "a\0b" && v.length === 3`},
	{"a Latin-1 string", `"é"`, `"é"`, "0702c3a9", `v === "\u00e9"`},
	{"a string of the basic plane", `"€"`, `"€"`, "0703e282ac", `v === "\u20ac"`},
	{"an astral character", `"😀"`, `"😀"`, "0704f09f9880", `v === "\ud83d\ude00"`},
	{"a lone high surrogate", `"a\ud800"`, `"a\ud800"`, "070461eda080", `v === "a\ud800"`},
	{"a lone low surrogate", `"\udc00b"`, `"\udc00b"`, "0704edb08062", `v === "\udc00b"`},
	{"surrogates in the wrong order", `"\udc00\ud800"`, `"\udc00\ud800"`, "0706edb080eda080", `v === "\udc00\ud800"`},
	{"a string built of parts", `(() => { let s = ""; for (let i = 0; i < 1000; i++) s += "ab"; return s; })()`, `"` + strings.Repeat("ab", 1000) + `"`, "", `v === "ab".repeat(1000)`},
	{"a wide string built of parts", `(() => { let s = "€"; for (let i = 0; i < 1000; i++) s = s + "é"; return s; })()`, `"€` + strings.Repeat("é", 1000) + `"`, "", `v.length === 1001`},

	{"the empty array", `[]`, `[]`, "0900", `Array.isArray(v) && v.length === 0`},
	{"an array", `[1, "a"]`, `[1, "a"]`, "09020402070161", `Array.isArray(v) && v.length === 2 && v[1] === "a"`},
	{"a hole becomes undefined", `[1, , 3]`, `[1, undefined, 3]`, "09030402000406", `v.length === 3 && 1 in v`},
	{"named properties of an array stay behind", `Object.assign([1], { x: 2 })`, `[1]`, "09010402", `v.x === undefined`},
	{"a subclass of Array becomes an array", `(class A extends Array {}).from([1, 2])`, `[1, 2]`, "", `v.constructor === Array`},

	{"the empty object", `{}`, `{}`, "0a00", `Object.getPrototypeOf(v) === Object.prototype`},
	{"an object", `{ a: 1 }`, `{a: 1}`, "0a0461040200", `v.a === 1`},
	{"an empty key", `{ "": 1 }`, `{"": 1}`, "0a02040200", `v[""] === 1`},
	{"integer keys come first", `{ b: 1, a: 2, 2: 3, 1: 4 }`, `{"1": 4, "2": 3, b: 1, a: 2}`, "", `Object.keys(v).join() === "1,2,b,a"`},
	{"integer keys up to the largest index", `{ 4294967294: 1, 4294967295: 2, "-1": 3, "01": 4 }`, `{"4294967294": 1, "4294967295": 2, "-1": 3, "01": 4}`, "", `v[4294967294] === 1 && v["01"] === 4`},
	{"__proto__ is a property like others", `JSON.parse('{"__proto__": 1, "a": 2}')`, `{__proto__: 1, a: 2}`, "", `Object.hasOwn(v, "__proto__") && Object.getPrototypeOf(v) === Object.prototype`},
	{"__proto__ with an object", `JSON.parse('{"__proto__": {"x": 1}}')`, `{__proto__: {x: 1}}`, "", `v.x === undefined && Object.keys(v).join() === "__proto__"`},
	{"a key with a lone surrogate", `{ "\ud800": 1 }`, `{"\ud800": 1}`, "", `v["\ud800"] === 1`},
	{"keys that look alike", `{ constructor: 1, toString: 2, length: 3 }`, `{constructor: 1, toString: 2, length: 3}`, "", `v.toString === 2`},
	{"the same keys in many objects", `[{ a: 1, b: 2 }, { b: 3, a: 4 }, { c: 5, a: 6 }]`, `[{a: 1, b: 2}, {b: 3, a: 4}, {c: 5, a: 6}]`, "", `Object.keys(v[1]).join() === "b,a" && v[2].c === 5`},
	{"symbol keys stay behind", `{ a: 1, [Symbol.iterator]: 2 }`, `{a: 1}`, "", `Reflect.ownKeys(v).length === 1`},
	{"what is not enumerable stays behind", `Object.defineProperty({ a: 1 }, "b", { value: 2 })`, `{a: 1}`, "", `!("b" in v)`},
	{"what is inherited stays behind", `Object.create({ b: 1 }, { a: { value: 1, enumerable: true } })`, `{a: 1}`, "", `!("b" in v)`},
	{"an object without prototype", `Object.assign(Object.create(null), { a: 1 })`, `{a: 1}`, "", `v.a === 1`},
	{"an instance of a class", `new (class P { x = 1; #y = 2; get z() { return 3; } })()`, `{x: 1}`, "", `v.constructor === Object`},
	{"a frozen object", `Object.freeze({ a: Object.freeze([1]) })`, `{a: [1]}`, "", `!Object.isFrozen(v)`},
	{"a getter gives its value", `{ get a() { return 1; } }`, `{a: 1}`, "", `Object.getOwnPropertyDescriptor(v, "a").writable`},
	{"a transparent proxy of an object", `new Proxy({ a: 1 }, {})`, `{a: 1}`, "", `v.a === 1`},
	{"a transparent proxy of an array", `new Proxy([1, 2], {})`, `[1, 2]`, "", `Array.isArray(v)`},
	{"an object that calls itself a Map", `{ [Symbol.toStringTag]: "Map" }`, `{}`, "", `!(v instanceof Map)`},
	{"an object made from Map.prototype", `Object.create(Map.prototype)`, `{}`, "", `!(v instanceof Map)`},
	{"more keys than a message counts", `Object.fromEntries(Array.from({ length: 5000 }, (_, i) => ["k" + i, i]))`, manyKeys(5000), "", `Object.keys(v).length === 5000 && v.k4999 === 4999`},
	{"more keys than a message counts, twice", `[1, 2].map(() => Object.fromEntries(Array.from({ length: 4200 }, (_, i) => ["k" + i, i])))`, "[" + manyKeys(4200) + ", " + manyKeys(4200) + "]", "", `v[1].k4199 === 4199`},

	{"a boxed number", `Object(1)`, `1`, "0402", `v === 1`},
	{"a boxed string", `Object("a")`, `"a"`, "070161", `v === "a"`},
	{"a boxed boolean", `Object(false)`, `false`, "02", `v === false`},
	{"a boxed bigint", `Object(5n)`, `0x5n`, "060135", `v === 5n`},

	{"the empty map", `new Map()`, `Map{}`, "0b00", `v instanceof Map && v.size === 0`},
	{"a map keeps order and key types", `new Map([["b", 1], [1, "x"], [NaN, null]])`, `Map{"b" => 1, 1 => "x", NaN => null}`, "", `[...v.keys()][1] === 1 && v.get(NaN) === null`},
	{"a map with objects as keys", `new Map([[{ a: 1 }, [2]]])`, `Map{{a: 1} => [2]}`, "", `[...v.keys()][0].a === 1`},
	{"a subclass of Map", `new (class M extends Map {})([[1, 2]])`, `Map{1 => 2}`, "", `v.constructor === Map`},
	{"a map without prototype", `Object.setPrototypeOf(new Map([[1, 2]]), null)`, `Map{1 => 2}`, "0b0104020404", `v.get(1) === 2`},
	{"the empty set", `new Set()`, `Set{}`, "0c00", `v instanceof Set`},
	{"a set keeps order", `new Set([3, 1, "1"])`, `Set{3, 1, "1"}`, "0c0304060402070131", `[...v].length === 3 && v.has("1")`},

	{"a date", `new Date(0)`, `Date(0)`, "0d0000000000000000", `v instanceof Date && v.getTime() === 0`},
	{"an invalid date", `new Date(NaN)`, `Date(NaN)`, "", `Number.isNaN(v.getTime())`},
	{"the last date", `new Date(8.64e15)`, `Date(8640000000000000)`, "", `v.getTime() === 8.64e15`},
	{"a date without prototype", `Object.setPrototypeOf(new Date(1), null)`, `Date(1)`, "", `v.getTime() === 1`},

	{"an error", `new Error("m")`, `Error("m")`, "", `v instanceof Error && v.message === "m" && typeof v.stack === "string"`},
	{"an error of a built-in class", `new RangeError("m")`, `RangeError("m")`, "", `v instanceof RangeError && !Object.hasOwn(v, "name")`},
	{"an error with a name of its own", `Object.assign(new TypeError("m"), { name: "Odd" })`, `Odd("m")`, "", `v.name === "Odd" && v instanceof Error && Object.keys(v).length === 0`},
	{"an error of a guest's class", `new (class MyError extends Error { get name() { return "MyError"; } })("m")`, `MyError("m")`, "", `v.name === "MyError" && v instanceof Error`},
	{"an error with a cause", `new Error("m", { cause: [1] })`, `Error("m"){cause: [1]}`, "", `v.cause[0] === 1 && !Object.keys(v).includes("cause")`},
	{"an error with a cause that is undefined", `new Error("m", { cause: undefined })`, `Error("m"){cause: undefined}`, "", `Object.hasOwn(v, "cause")`},
	{"an error with properties", `Object.assign(new Error("m"), { extra: 1, deep: { a: 2 } })`, `Error("m"){extra: 1, deep: {a: 2}}`, "", `v.extra === 1 && v.deep.a === 2`},
	{"an aggregate error", `new AggregateError([new Error("a"), 2], "m")`, `AggregateError("m"){errors: [Error("a"), 2]}`, "", `v instanceof AggregateError && v.errors[0].message === "a" && v.errors.length === 2`},
	{"an error that is its own cause", `(() => { const e = new Error("m"); e.cause = e; return e; })()`, `Error("m"){cause: #0}`, "", `v.cause === v`},
	{"an error whose name throws", `Object.defineProperty(new Error("m"), "name", { get() { throw 1; } })`, `Error("m")`, "", `v.name === "Error"`},
	{"a regular expression", `/a\/b/gi`, `/a\/b/gi`, "", `v instanceof RegExp && v.source === "a\\/b" && v.flags === "gi" && v.test("A/B")`},
	{"an empty regular expression", `new RegExp("")`, `/(?:)/`, "", `v.test("")`},

	{"bytes", `new Uint8Array([1, 2, 255])`, `Uint8Array<0102ff>`, "1000030102ff", `v instanceof Uint8Array && v[2] === 255 && v.length === 3`},
	{"no bytes", `new Uint8Array(0)`, `Uint8Array<>`, "100000", `v.length === 0`},
	{"a clamped array", `new Uint8ClampedArray([1, 300])`, `Uint8ClampedArray<01ff>`, "10010201ff", `v instanceof Uint8ClampedArray`},
	{"signed bytes", `new Int8Array([-1])`, `Int8Array<ff>`, "100201ff", `v instanceof Int8Array && v[0] === -1`},
	{"16 bit", `new Int16Array([-2])`, `Int16Array<feff>`, "100302feff", `v instanceof Int16Array && v[0] === -2`},
	{"unsigned 16 bit", `new Uint16Array([1])`, `Uint16Array<0100>`, "1004020100", `v instanceof Uint16Array && v[0] === 1`},
	{"32 bit", `new Int32Array([-2])`, `Int32Array<feffffff>`, "100504feffffff", `v instanceof Int32Array && v[0] === -2`},
	{"unsigned 32 bit", `new Uint32Array([1])`, `Uint32Array<01000000>`, "10060401000000", `v instanceof Uint32Array`},
	{"64 bit", `new BigInt64Array([-1n])`, `BigInt64Array<ffffffffffffffff>`, "100708ffffffffffffffff", `v instanceof BigInt64Array && v[0] === -1n`},
	{"unsigned 64 bit", `new BigUint64Array([1n])`, `BigUint64Array<0100000000000000>`, "1008080100000000000000", `v instanceof BigUint64Array && v[0] === 1n`},
	{"half floats", `new Float16Array([1.5])`, `Float16Array<003e>`, "100902003e", `v instanceof Float16Array && v[0] === 1.5`},
	{"single floats", `new Float32Array([1.5])`, `Float32Array<0000c03f>`, "100a040000c03f", `v instanceof Float32Array && v[0] === 1.5`},
	{"double floats", `new Float64Array([1.5, NaN].slice(0, 1))`, `Float64Array<000000000000f83f>`, "100b08000000000000f83f", `v instanceof Float64Array && v[0] === 1.5`},
	{"a buffer", `new Uint8Array([1, 2]).buffer`, `ArrayBuffer<0102>`, "100c020102", `v instanceof ArrayBuffer && v.byteLength === 2 && new Uint8Array(v)[1] === 2`},
	{"a data view", `new DataView(new Uint8Array([1, 2, 3, 4]).buffer, 1, 2)`, `DataView<0203>`, "100d020203", `v instanceof DataView && v.byteLength === 2 && v.getUint8(0) === 2`},
	{"a view of a part carries that part", `new Uint8Array([1, 2, 3, 4]).subarray(1, 3)`, `Uint8Array<0203>`, "1000020203", `v.buffer.byteLength === 2 && v.byteOffset === 0`},
	{"a wide view of a part", `new Uint16Array(new Uint8Array([1, 2, 3, 4, 5, 6]).buffer, 2, 1)`, `Uint16Array<0304>`, "1004020304", `v.length === 1`},
	{"two views of a buffer are two buffers", `(() => { const b = new ArrayBuffer(2); return [new Uint8Array(b), new Int8Array(b)]; })()`, `[Uint8Array<0000>, Int8Array<0000>]`, "", `v[0].buffer !== v[1].buffer`},
	{"a view that follows a resizable buffer", `(() => { const b = new ArrayBuffer(2, { maxByteLength: 8 }); const u = new Uint8Array(b); b.resize(4); u[3] = 7; return u; })()`, `Uint8Array<00000007>`, "", `v.length === 4`},
	{"a resizable buffer", `(() => { const b = new ArrayBuffer(2, { maxByteLength: 8 }); b.resize(3); return b; })()`, `ArrayBuffer<000000>`, "", `v.byteLength === 3`},
	{"bytes without prototype", `Object.setPrototypeOf(new Uint8Array([5]), null)`, `Uint8Array<05>`, "10000105", `v[0] === 5`},
	{"the largest bytes on the wire", `new Uint8Array(65535).fill(7)`, `Uint8Array<` + strings.Repeat("07", 65535) + `>`, "", `v.length === 65535 && v[65534] === 7`},
	{"the smallest blob", `new Uint8Array(65536).fill(7)`, `Blob(Uint8Array, 65536)`, "110000", `v.length === 65536 && v.every((x) => x === 7)`},
	{"a blob of another type", `new Float64Array(8192).fill(1.5)`, `Blob(Float64Array, 65536)`, "110b00", `v instanceof Float64Array && v.length === 8192 && v[8191] === 1.5`},
	{"a blob that is a buffer", `new ArrayBuffer(100000)`, `Blob(ArrayBuffer, 100000)`, "110c00", `v instanceof ArrayBuffer && v.byteLength === 100000`},
	{"a blob that is a view of a part", `new Uint8Array(100000).fill(1).subarray(1, 70000).fill(2)`, `Blob(Uint8Array, 69999)`, "110000", `v.length === 69999 && v[0] === 2 && v.buffer.byteLength === 69999`},
	{"two blobs", `[new Uint8Array(65536).fill(1), new Uint8Array(65537).fill(2)]`, `[Blob(Uint8Array, 65536), Blob(Uint8Array, 65537)]`, "", `v[0][0] === 1 && v[1][65536] === 2`},
	{"a large blob", `new Uint8Array(3 << 20).fill(9)`, `Blob(Uint8Array, 3145728)`, "110000", `v.length === 3 << 20 && v[3145727] === 9`},

	{"a shared array", `(() => { const a = [1]; return [a, a]; })()`, `[[1], #1]`, "0902090104020801", `v[0] === v[1]`},
	{"a shared date", `(() => { const d = new Date(0); return { x: d, y: d }; })()`, `{x: Date(0), y: #1}`, "", `v.x === v.y`},
	{"shared bytes", `(() => { const d = new Uint8Array(1); return [d, d]; })()`, `[Uint8Array<00>, #1]`, "", `v[0] === v[1]`},
	{"a shared blob", `(() => { const d = new Uint8Array(65536); return [d, d]; })()`, `[Blob(Uint8Array, 65536), #1]`, "", `v[0] === v[1]`},
	{"a shared error", `(() => { const e = new Error("m"); return [e, e]; })()`, `[Error("m"), #1]`, "", `v[0] === v[1]`},
	{"a shared regular expression", `(() => { const r = /a/; return [r, 1, r]; })()`, `[/a/, 1, #1]`, "", `v[0] === v[2]`},
	{"numbers count only containers", `(() => { const a = {}; return [1, "s", 2n, [new Date(0)], a, a]; })()`, `[1, "s", 0x2n, [Date(0)], {}, #3]`, "", `v[4] === v[5]`},
	{"an array in itself", `(() => { const a = []; a.push(a); return a; })()`, `[#0]`, "09010800", `v[0] === v`},
	{"an object in itself", `(() => { const o = { a: 1 }; o.o = { o }; return o; })()`, `{a: 1, o: {o: #0}}`, "", `v.o.o === v`},
	{"a map in itself", `(() => { const m = new Map(); m.set(m, m); return m; })()`, `Map{#0 => #0}`, "", `v.get(v) === v`},
	{"a set in itself", `(() => { const s = new Set(); s.add(s); return s; })()`, `Set{#0}`, "", `v.has(v)`},
	{"the deepest nesting", `nest(200)`, strings.Repeat("[", 200) + strings.Repeat("]", 200), "", `Array.isArray(v)`},
	{"the deepest nesting of objects and maps", `(() => { let v = 1; for (let i = 0; i < 100; i++) v = new Map([[i, { v }]]); return v; })()`, nestedMaps(), "", `v.size === 1`},
}

func manyKeys(n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf("k%d: %d", i, i)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func nestedMaps() string {
	s := "1"
	for i := range 100 {
		s = fmt.Sprintf("Map{%d => {v: %s}}", i, s)
	}
	return s
}

const nest = "const nest = (n) => { let a = []; while (--n) a = [a]; return a; };\n"

func testValues(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	for _, r := range valueRows {
		t.Run(r.name, func(t *testing.T) {
			o := w.Eval(t, nest+"export default ("+r.expr+");", nil)
			expect(t, o, "= "+r.want)
			if r.wire != "" && o.Status == engine.Done {
				if got := hex.EncodeToString(o.Value.Wire); got != r.wire {
					t.Errorf("wire %s, want %s", got, r.wire)
				}
			}
			h := &Host{}
			o = w.Eval(t, nest+"const v = echo("+r.expr+"); export default ("+r.check+"); note(v);", h)
			if got := o.String(); got != "= true" {
				t.Errorf("back in the guest, %s is not true: %s", r.check, got)
			}
			if len(h.Notes) != 1 || h.Notes[0] != r.want {
				t.Errorf("back on the host: %.300q\nwant %.300q", h.Notes, r.want)
			}
		})
	}
	t.Run("the content of blobs", func(t *testing.T) {
		o := w.Eval(t, `const u = new Uint8Array(1 << 17); for (let i = 0; i < u.length; i++) u[i] = i * 7 >> 3; export default echo(u.subarray(3));`, nil)
		expect(t, o, "= Blob(Uint8Array, 131069)")
		if len(o.Value.Blobs) == 1 {
			for i, b := range o.Value.Blobs[0] {
				if want := byte((i + 3) * 7 >> 3); b != want {
					t.Fatalf("byte %d is %d, want %d", i, b, want)
				}
			}
		}
	})
	t.Run("a blob may be kept by the host", func(t *testing.T) {
		var kept [][]byte
		h := &Host{Sync: map[uint32]func(marshal.Message) engine.Reply{opTest: func(m marshal.Message) engine.Reply {
			kept = append(kept, m.Blobs...)
			return engine.Reply{}
		}}}
		o := w.Eval(t, `for (let i = 1; i < 4; i++) { const u = new Uint8Array(1 << 16).fill(i); native(68, u); u.fill(0); } export default 1`, h)
		expect(t, o, "= 1")
		w.check(t)
		for i, b := range kept {
			if b[0] != byte(i+1) || b[65535] != byte(i+1) {
				t.Errorf("blob %d was changed: %d", i, b[0])
			}
		}
		if len(kept) != 3 {
			t.Errorf("%d blobs, want 3", len(kept))
		}
	})
	t.Run("a reply's bytes are copied", func(t *testing.T) {
		shared := make([]byte, 1<<16)
		h := &Host{Sync: map[uint32]func(marshal.Message) engine.Reply{
			opTest: func(marshal.Message) engine.Reply {
				shared[0]++
				return engine.Reply{Value: marshal.Message{Wire: []byte{marshal.TagBlob, 0, 0}, Blobs: [][]byte{shared}}}
			},
		}}
		o := w.Eval(t, `const a = native(68), b = native(68); a[1] = 9; export default [a[0], b[0], b[1]];`, h)
		expect(t, o, "= [1, 2, 0]")
		if shared[1] != 0 {
			t.Error("the guest wrote into the host's bytes")
		}
	})
	t.Run("int and float of the host become the same number", func(t *testing.T) {
		h := &Host{Given: marshal.Message{Wire: []byte{marshal.TagFloat, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f}}}
		o := w.Eval(t, `const v = given(); export default [v === 1, [5, 6][v], v];`, h)
		expect(t, o, "= [true, 6, 1]")
	})
	t.Run("malformed UTF-8 of the host becomes U+FFFD", func(t *testing.T) {
		h := &Host{Given: marshal.Message{Wire: []byte("\x07\x04a\xff\xc3b")}}
		o := w.Eval(t, `export default given();`, h)
		expect(t, o, `= "a`+"\ufffd\ufffd"+`b"`)
	})
	t.Run("a global defined by the host", func(t *testing.T) {
		w.reset(t)
		m := marshal.Message{Wire: []byte("\x0a\x04x\x09\x01\x04\x02\x06__\x07\x01a\x00")}
		if _, s, err := w.Iso.Invoke("defineGlobals", m, engine.Strict, nil); err != nil || s == engine.Failed || s == engine.Stopped {
			t.Fatalf("Invoke: %v %v", s, err)
		}
		expect(t, w.continueRun(t, MustCompile(t, e, "main.js", `export default [x, __, delete globalThis.x];`), &Host{}), `= [[1], "a", true]`)
	})
}

func (w *World) reset(t testing.TB) {
	t.Helper()
	if err := w.Iso.Reset(w.Settings); err != nil {
		t.Fatalf("Reset: %v", err)
	}
}

// refusedRows cannot cross. The error of the guest is a DataCloneError whose message
// holds every part of path.
var refusedRows = []struct {
	name, expr string
	parts      []string
}{
	{"a function", `() => 1`, []string{"function"}},
	{"a class", `class {}`, []string{"function"}},
	{"a symbol", `Symbol("x")`, []string{"symbol"}},
	{"a method deep inside", `{ rows: [1, { fn() {} }] }`, []string{"function", "rows[1].fn"}},
	{"a symbol in an array", `[[Symbol.iterator]]`, []string{"symbol", "[0][0]"}},
	{"a key that is not an identifier", `{ "a b": { c: () => 1 } }`, []string{"function", `["a b"].c`}},
	{"a promise", `Promise.resolve(1)`, []string{"promise", "await"}},
	{"a promise deep inside", `{ list: [later(1)] }`, []string{"list[0]", "await"}},
	{"a function in a map", `new Map([["k", () => 1]])`, []string{"function"}},
	{"a function in a set", `new Set([() => 1])`, []string{"function"}},
	{"a function in an error", `Object.assign(new Error("m"), { fn() {} })`, []string{"function", "fn"}},
	{"a weak map", `{ w: new WeakMap() }`, []string{"WeakMap", ".w"}},
	{"a weak set", `new WeakSet()`, []string{"WeakSet"}},
	{"a weak reference", `new WeakRef({})`, []string{"WeakRef"}},
	{"a generator", `(function* () {})()`, []string{"enerator"}},
	{"a proxy of a function", `new Proxy(() => 1, {})`, []string{"function"}},
	{"a value nested too deeply", `nest(201)`, []string{"200"}},
	{"a value nested far too deeply", `nest(100000)`, []string{"200"}},
}

func testRefused(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	for _, r := range refusedRows {
		t.Run(r.name, func(t *testing.T) {
			for way, code := range map[string]string{
				"argument of a call": "export default caught(() => echo(" + r.expr + "));",
				"asynchronous call":  "export default await (async () => later(" + r.expr + "))().catch((e) => e.name + \": \" + e.message);",
				"result":             "export default (" + r.expr + ");",
			} {
				got := w.Eval(t, nest+code, nil).String()
				got = strings.TrimPrefix(strings.TrimPrefix(strings.ReplaceAll(got, `\"`, `"`), `= "`), "! ")
				if !strings.HasPrefix(got, "DataCloneError: ") {
					t.Errorf("%s: got %.300s, want a DataCloneError", way, got)
					continue
				}
				for _, p := range r.parts {
					if !strings.Contains(got, p) {
						t.Errorf("%s: %q does not say %q", way, got, p)
					}
				}
			}
		})
	}
	w.check(t)
}

func testLenient(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	rows := []struct {
		name, expr, want string
		dropped          int
		path             string
	}{
		{"nothing to leave out", `{ a: 1 }`, `= {a: 1}`, 0, ""},
		{"methods and symbols of an object", `{ a: 1, f() {}, g: Symbol(), b: 2 }`, `= {a: 1, b: 2}`, 2, "f"},
		{"elements become null", `[1, () => 1, Symbol.iterator]`, `= [1, null, null]`, 2, "[1]"},
		{"deep inside", `{ rows: [{}, {}, { fn() {} }] }`, `= {rows: [{}, {}, {}]}`, 1, "rows[2].fn"},
		{"a promise is still refused", `{ p: later(1) }`, `!`, 0, ""},
		{"a function as the whole value is refused", `() => 1`, `!`, 0, ""},
		{"a symbol as the whole value is refused", `Symbol()`, `!`, 0, ""},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			o := w.Eval(t, "export default ("+r.expr+");", &Host{Mode: engine.Lenient})
			if got := o.String(); got != r.want && (r.want != "!" || !strings.HasPrefix(got, "! DataCloneError")) {
				t.Errorf("got %s, want %s", got, r.want)
			}
			if o.Value.Dropped != r.dropped || !strings.HasSuffix(o.Value.DroppedPath, r.path) || (r.path == "") != (o.Value.DroppedPath == "") {
				t.Errorf("dropped %d at %q, want %d at %q", o.Value.Dropped, o.Value.DroppedPath, r.dropped, r.path)
			}
		})
	}
}

func testHostileValues(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	rows := []struct{ name, expr, want string }{
		{"a getter that throws", `{ a: 1, get b() { throw new RangeError("boom"); } }`, `! RangeError: boom`},
		{"a getter that throws no error", `[{ get b() { throw "boom"; } }]`, `! "boom"`},
		{"a getter that adds a key", `{ get a() { this.z = 1; return 1; } }`, `= {a: 1}`},
		{"a getter that deletes a later key", `{ get a() { delete this.b; return 1; }, b: 2, c: 3 }`, `*`},
		{"a getter that shortens its array", `(() => { const a = [1, 2, 3]; Object.defineProperty(a, 0, { get() { a.length = 1; return 9; } }); return a; })()`, `*`},
		{"a getter that lengthens its array", `(() => { const a = [1, 2]; Object.defineProperty(a, 0, { get() { a.push(5); return 9; } }); return a; })()`, `= [9, 2]`},
		{"a getter that changes a later value", `(() => { const o = { get a() { o.b = 7; return 1; }, b: 2 }; return o; })()`, `= {a: 1, b: 7}`},
		{"a getter that empties a later map", `(() => { const m = new Map([[1, 2]]); return [{ get a() { m.clear(); return 1; } }, m]; })()`, `= [{a: 1}, Map{}]`},
		{"a getter that empties its own map", `(() => { const m = new Map(); m.set({ get a() { m.clear(); return 1; } }, 1); m.set(2, 2); return m; })()`, `= Map{{a: 1} => 1, 2 => 2}`},
		{"a getter that detaches a later buffer", `(() => { const u = new Uint8Array(8); return [{ get a() { u.buffer.transfer(); return 1; } }, u.length]; })()`, `= [{a: 1}, 8]`},
		{"a getter that detaches bytes", `(() => { const u = new Uint8Array(8); return [{ get a() { u.buffer.transfer(); return 1; } }, u]; })()`, `*`},
		{"a getter that detaches a blob", `(() => { const u = new Uint8Array(1 << 17); return [{ get a() { u.buffer.transfer(); return 1; } }, u]; })()`, `*`},
		{"a getter that detaches an earlier blob", `(() => { const u = new Uint8Array(1 << 17); return [u, { get a() { u.buffer.transfer(); return 1; } }]; })()`, `*`},
		{"a detached buffer", `(() => { const b = new ArrayBuffer(8); b.transfer(); return b; })()`, `*`},
		{"a view of a detached buffer", `(() => { const u = new Uint8Array(8); u.buffer.transfer(); return u; })()`, `*`},
		{"a data view of a detached buffer", `(() => { const d = new DataView(new ArrayBuffer(8)); d.buffer.transfer(); return d; })()`, `*`},
		{"a view outside its shrunk buffer", `(() => { const b = new ArrayBuffer(8, { maxByteLength: 8 }); const u = new Uint8Array(b, 4, 4); b.resize(2); return u; })()`, `*`},
		{"a data view outside its shrunk buffer", `(() => { const b = new ArrayBuffer(8, { maxByteLength: 8 }); const d = new DataView(b, 4, 4); b.resize(2); return d; })()`, `*`},
		{"a proxy that gives itself", `new Proxy({}, { get: (t, k, r) => r, ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) })`, `= {a: #0}`},
		{"a proxy that gives ever new proxies", `(() => { const h = { get: () => new Proxy({}, h), ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) }; return new Proxy({}, h); })()`, `!`},
		{"a proxy whose keys trap throws", `new Proxy({}, { ownKeys() { throw new RangeError("keys"); } })`, `! RangeError: keys`},
		{"a proxy whose keys trap gives no list", `new Proxy({}, { ownKeys: () => 1 })`, `*`},
		{"a proxy whose descriptor trap throws", `new Proxy({ a: 1 }, { getOwnPropertyDescriptor() { throw new RangeError("desc"); } })`, `! RangeError: desc`},
		{"a proxy whose get trap throws", `new Proxy({ a: 1 }, { get() { throw new RangeError("get"); } })`, `! RangeError: get`},
		{"a revoked proxy", `(() => { const p = Proxy.revocable({}, {}); p.revoke(); return p.proxy; })()`, `!`},
		{"a revoked proxy of an array", `(() => { const p = Proxy.revocable([], {}); p.revoke(); return [p.proxy]; })()`, `!`},
		{"a proxy of an array with a huge length", `new Proxy([], { get: (t, k) => k === "length" ? 2 ** 53 : 1 })`, `!`},
		{"a proxy of an array with a negative length", `new Proxy([], { get: (t, k) => k === "length" ? -5 : 1 })`, `*`},
		{"a proxy of an array whose length is text", `new Proxy([], { get: (t, k) => k === "length" ? "2" : 1 })`, `= [1, 1]`},
		{"a proxy of an array whose length is an object", `new Proxy([], { get: (t, k) => k === "length" ? { valueOf: () => 1.9 } : k })`, `= ["0"]`},
		{"a proxy of an array whose length is no number", `new Proxy([], { get: (t, k) => k === "length" ? {} : 1 })`, `= []`},
		{"a proxy of an array whose length is a symbol", `new Proxy([], { get: (t, k) => k === "length" ? Symbol() : 1 })`, `! TypeError: `},
		{"a proxy of an array whose length throws when it is converted", `new Proxy([], { get: (t, k) => k === "length" ? { valueOf() { throw new RangeError("len"); } } : 1 })`, `! RangeError: len`},
		{"calls in getters of calls without end", `(() => { const nest = (n) => ({ get v() { return echo(nest(n + 1)); } }); return echo(nest(0)); })()`, `! RangeError: values that cross to the host are nested too deeply in getters`},
		{"calls in getters of six calls", `(() => { const nest = (n) => n === 0 ? 1 : { get v() { return echo(nest(n - 1)); } }; return echo(nest(6)); })()`, `= {v: {v: {v: {v: {v: {v: 1}}}}}}`},
		{"a getter that deletes the key on the way to what is refused, after too many keys to count", `(() => { const o = {}; for (let i = 0; i < 5000; i++) o["some key " + i] = 1; o["last " + "key"] = { get a() { delete o["last " + "key"]; for (let i = 0; i < 2000; i++) Symbol.for("churn " + i); return () => 1; } }; return o; })()`, `! DataCloneError: cannot pass a function to the host (at ROOT["last key"].a)`},
		{"a getter that gives its object another shape", `(() => { const o = { a: 1, get b() { delete o.a; delete o.c; o.x = 5; o.c = { d: [1] }; return 2; }, c: 3, e: 4 }; return o; })()`, `= {a: 1, b: 2, c: {d: [1]}, e: 4}`},
		{"a getter inside that gives the object around another shape", `(() => { const o = { a: 1, b: { get x() { for (let i = 0; i < 50; i++) o["n" + i] = i; delete o.a; o.c = 9; return 2; } }, c: 3, d: 4 }; return o; })()`, `= {a: 1, b: {x: 2}, c: 9, d: 4}`},
		{"a getter that turns its array into a sparse one", `(() => { const a = [{ get x() { a.length = 0; a[3] = "late"; return 1; } }, 2, 3, 4]; return a; })()`, `= [{x: 1}, undefined, undefined, "late"]`},
		{"a getter that makes its array the only holder of nothing", `(() => { let a = [[1], { get x() { a.splice(0, 2); return 1; } }, [2]]; return a; })()`, `= [[1], {x: 1}, undefined]`},
		{"a getter that resizes a later buffer", `(() => { const b = new ArrayBuffer(8, { maxByteLength: 16 }); const u = new Uint8Array(b); return [{ get a() { b.resize(2); return 1; } }, u]; })()`, `= [{a: 1}, Uint8Array<0000>]`},
		{"a view that follows a buffer which grew", `(() => { const b = new ArrayBuffer(2, { maxByteLength: 16 }); const u = new Uint16Array(b); b.resize(5); return u; })()`, `= Uint16Array<00000000>`},
		{"a data view that follows a buffer which shrank", `(() => { const b = new ArrayBuffer(8, { maxByteLength: 16 }); const d = new DataView(b, 2); b.resize(3); return d; })()`, `= DataView<00>`},
		{"a rope of wide and narrow text", `(() => { let s = "é".repeat(9000); for (let i = 0; i < 3; i++) s = s + "€" + s; return [native(2, s).length, echo(s) === s]; })()`, `= [144021, true]`},
		{"a proxy of an array whose length throws", `new Proxy([], { get(t, k) { if (k === "length") throw new RangeError("len"); } })`, `! RangeError: len`},
		{"a proxy of a map", `new Proxy(new Map([[1, 2]]), {})`, `*`},
		{"a proxy of a date", `new Proxy(new Date(0), {})`, `*`},
		{"an error with hostile text", `Object.assign(new Error("m"), { message: { toString() { throw 1; } }, stack: 5n })`, `= Error("")`},
		{"an array of the largest length", `Array(2 ** 32 - 1)`, `!`},
		{"arguments", `(function () { return arguments; })(1, 2)`, `*`},
		{"the global object", `globalThis`, `!`},
		{"a shared buffer", `typeof SharedArrayBuffer === "undefined" ? 1 : new SharedArrayBuffer(8)`, `*`},
		{"a getter that never returns", `{ get a() { for (;;); } }`, `interrupted`},
		{"a proxy that never returns", `new Proxy({}, { ownKeys() { for (;;); } })`, `interrupted`},
		{"a toString that never returns", `Object.assign(new Error(), { message: { toString() { for (;;); } } })`, `interrupted`},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			w.Deadline, w.Grace = 10*time.Second, 0
			if r.want == "interrupted" {
				w.Deadline, w.Grace = 50*time.Millisecond, 5*time.Second
			}
			for way, code := range map[string]string{
				"result": "export default (" + r.expr + ");",
				"value":  "note(" + r.expr + "); export default 1;",
			} {
				want := strings.ReplaceAll(r.want, "ROOT", way)
				h := &Host{}
				o := w.Eval(t, code, h)
				got := o.String()
				if way == "value" && got == "= 1" {
					got = "= " + strings.Join(h.Notes, " and ")
				}
				switch {
				case got == want, want == "!" && strings.HasPrefix(got, "! "), strings.HasSuffix(want, ": ") && strings.HasPrefix(got, want),
					r.want == "*" && (strings.HasPrefix(got, "! ") || strings.HasPrefix(got, "= ") && !strings.Contains(got, "malformed")):
				default:
					t.Errorf("%s: got %.300s, want %s", way, got, want)
				}
			}
			w.Deadline, w.Grace = 0, 0
			w.check(t)
		})
	}
}

// poison overwrites what a careless encoder, decoder or loader would call, and then
// what it would look up. The test's own helpers come first.
const poison = `
const bad = () => { throw new Error("poisoned"); }, define = Object.defineProperty, ownKeys = Reflect.ownKeys, key = Symbol.iterator;
const get = Object.getOwnPropertyDescriptor, protoOf = Reflect.getPrototypeOf;
const shared = [Object, Array, Function, Map, Set, Date, RegExp, BigInt, Number, String, Boolean, Symbol, Promise, Error, TypeError, RangeError,
  ArrayBuffer, DataView, Uint8Array, protoOf(Uint8Array), Proxy, JSON, Reflect, Math, Iterator, WeakMap, AggregateError,
  protoOf([][key]()), protoOf(new Map()[key]()), protoOf(new Set()[key]())];
const all = [];
for (let i = 0; i < shared.length; i++) { all[i * 2] = shared[i]; all[i * 2 + 1] = shared[i].prototype; }
const data = make();
for (let i = 0; i < all.length; i++) {
  const o = all[i];
  if (o === undefined || o === null) continue;
  const keys = ownKeys(o);
  for (let j = 0; j < keys.length; j++) {
    const k = keys[j], d = get(o, k);
    if (k === "prototype" || !d.configurable || (typeof o === "function" && (k === "name" || k === "length"))) continue;
    // The engines ask these of a promise when they start a module; without them the guest stops itself.
    if (k === "constructor" && o === Promise.prototype || k === Symbol.species && o === Promise) continue;
    if ("value" in d) { if (typeof d.value === "function") define(o, k, { __proto__: null, value: bad, writable: true, configurable: true }); }
    else define(o, k, { __proto__: null, get: bad, set: bad, configurable: true });
  }
}
const odd = ["value", "get", "set", "writable", "enumerable", "configurable", "then", "toJSON", "cause", "errors", "code", "stack", "name", "a", "0", "1", "2", "length", "isError", "type", "index", "rows"];
for (let i = 0; i < odd.length; i++) define(Object.prototype, odd[i], { __proto__: null, get() { return undefined; }, set: bad, configurable: true });
for (let i = 0; i < 8; i++) define(Array.prototype, i, { __proto__: null, get() { return undefined; }, set: bad, configurable: true });
const globals = ["Object", "Array", "Map", "Set", "Date", "RegExp", "BigInt", "Error", "TypeError", "RangeError", "Symbol", "Proxy", "Reflect", "JSON", "Uint8Array", "ArrayBuffer", "DataView", "String", "Number", "Promise", "AggregateError"];
for (let i = 0; i < globals.length; i++) globalThis[globals[i]] = bad;
`

func testPoisoned(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	const value = `function make() { const s = [1]; return {
  a: [1, -0, 1.5, NaN, 2n ** 70n, "é\ud800", null, undefined, true], m: new Map([["k", { a: 1 }], [2, s]]), s: new Set([1, "x"]), d: new Date(5),
  e: new RangeError("m", { cause: 1 }), g: new AggregateError([1], "agg"), r: /a+/gi, u: new Uint8Array([1, 2]), f: new Float64Array([1.5]), b: new Uint8Array([3]).buffer,
  v: new DataView(new Uint8Array([1, 2, 3]).buffer, 1), big: new Uint8Array(70000), shared: s, n: Object(5), z: new Date(NaN) }; }
`
	const want = `{a: [1, -0, 1.5, NaN, 0x400000000000000000n, "é\ud800", null, undefined, true], m: Map{"k" => {a: 1}, 2 => [1]}, s: Set{1, "x"}, d: Date(5), ` +
		`e: RangeError("m"){cause: 1}, g: AggregateError("agg"){errors: [1]}, r: /a+/gi, u: Uint8Array<0102>, f: Float64Array<000000000000f83f>, b: ArrayBuffer<03>, ` +
		`v: DataView<0203>, big: Blob(Uint8Array, 70000), shared: #4, n: 5, z: Date(NaN)}`
	rows := []struct{ name, code, want string }{
		{"result", `export default data;`, "= " + want},
		{"a value there and back", `export default echo(data);`, "= " + want},
		{"a clone", `export default native(4, data);`, "= " + want},
		{"an asynchronous call", `export default await later(data);`, "= " + want},
		{"a call settled from elsewhere", `export default await work(data);`, "= " + want},
		{"a rejection", `let r; try { await reject(data.e); } catch (x) { r = x; } export default r;`, `= RangeError("m"){cause: 1}`},
		{"a thrown reply", `let r; try { raise(data.e); } catch (x) { r = x; } export default r;`, `= RangeError("m"){cause: 1}`},
		{"a thrown error", `throw data.e;`, `! RangeError: m`},
		{"a thrown string", `throw "s";`, `! "s"`},
		{"an error of the engine", `null.x;`, `! TypeError: `},
		{"a refused value", `export default [() => 1];`, `! DataCloneError: `},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			o := w.Eval(t, value+poison+r.code, nil)
			if got := o.String(); got != r.want && (!strings.HasSuffix(r.want, ": ") || !strings.HasPrefix(got, r.want)) {
				t.Errorf("got  %.900s\nwant %.900s", got, r.want)
			}
		})
	}
	w.check(t)
}

// testMalformed gives the guest replies that no encoder writes. They come from the
// host, so that nothing more is asked than an error and an isolate that lives.
func testMalformed(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	deep := strings.Repeat("\x09\x01", 300) + "\x00"
	rows := []struct{ name, wire string }{
		{"an unknown tag", "\x7f"},
		{"a string that is cut off", "\x07\x05ab"},
		{"a float that is cut off", "\x05\x00\x00"},
		{"an int that is cut off", "\x04\x80"},
		{"a varint that is too long", "\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"},
		{"an array longer than the message", "\x09\xff\xff\xff\xff\x0f"},
		{"an array of absurd length", "\x09\xff\xff\xff\xff\xff\xff\xff\xff\x7f"},
		{"a map longer than the message", "\x0b\xff\xff\xff\xff\x0f"},
		{"a set longer than the message", "\x0c\xff\xff\xff\xff\x0f"},
		{"a string longer than the message", "\x07\xff\xff\xff\xff\xff\xff\xff\xff\x7f"},
		{"bytes longer than the message", "\x10\x00\xff\xff\xff\xff\x0f"},
		{"an object without end", "\x0a\x04a\x04\x02"},
		{"a key that is cut off", "\x0a\x20a"},
		{"a key of absurd length", "\x0a\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01"},
		{"a key number that does not exist", "\x0a\x09\x00\x00"},
		{"a reference to nothing", "\x08\x00"},
		{"a reference to a later container", "\x09\x02\x08\x01\x09\x00"},
		{"an unknown element type", "\x10\x0e\x00"},
		{"bytes that are no whole elements", "\x10\x06\x03\x01\x02\x03"},
		{"a blob that does not exist", "\x11\x00\x00"},
		{"nesting without end", deep},
		{"an invalid regular expression", "\x0f\x01(\x00"},
		{"invalid flags", "\x0f\x01a\x02gg"},
		{"a bigint that is no number", "\x06\x03x+y"},
		{"an empty bigint", "\x06\x00"},
		{"a bigint with two signs", "\x06\x03--1"},
		{"bytes after the value", "\x04\x02\x04\x02"},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			o := w.Eval(t, `let r = "decoded"; try { given(); } catch (e) { r = "refused"; } export default r;`, &Host{Given: marshal.Message{Wire: []byte(r.wire)}})
			expect(t, o, `= "refused"`)
			w.check(t)
		})
	}
	t.Run("an asynchronous reply", func(t *testing.T) {
		h := &Host{Async: func(w *World, c engine.Call) bool {
			w.Iso.Settle(c.ID, engine.Reply{Value: marshal.Message{Wire: []byte{0x7f}}})
			return true
		}}
		o := w.Eval(t, `let r = "decoded"; try { await hold(); } catch (e) { r = "refused"; } export default r;`, h)
		if got := o.String(); got != `= "refused"` && got != "stuck" {
			t.Errorf("got %s", got)
		}
		w.check(t)
	})
}

func testMessageSize(t *testing.T, e engine.Engine) {
	w := NewWorld(t, e)
	w.Settings.MaxMessage = 1 << 20
	rows := []struct{ name, expr, want string }{
		{"a string below the limit", `"x".repeat((1 << 20) - 100)`, "= 1048476"},
		{"a string above it", `"x".repeat(1 << 20)`, "!"},
		{"a wide string above it", `"é".repeat(1 << 19)`, "!"},
		{"a blob below it", `new Uint8Array((1 << 20) - 100)`, "= 1048476"},
		{"a blob above it", `new Uint8Array((1 << 20) + 1)`, "!"},
		{"blobs above it together", `Array.from({ length: 9 }, () => new Uint8Array(1 << 17))`, "!"},
		{"numbers above it together", `new Array(300000).fill(1e9)`, "!"},
		{"keys above it together", `Object.fromEntries(Array.from({ length: 40000 }, (_, i) => ["a long key for a short value " + i, 1]))`, "!"},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			o := w.Eval(t, `const v = `+r.expr+`; const n = v.length; echo(v); export default n;`, nil)
			got := o.String()
			if got != r.want && (r.want != "!" || !strings.HasPrefix(got, "! ")) {
				t.Errorf("got %.200s, want %s", got, r.want)
			}
			if r.want == "!" {
				if !strings.Contains(got, "1048576") && !strings.Contains(got, "1 MiB") && !strings.Contains(got, "1.0 MiB") {
					t.Errorf("%q does not name the limit", got)
				}
				if got := w.Eval(t, `export default (`+r.expr+`);`, nil).String(); !strings.HasPrefix(got, "! ") {
					t.Errorf("as the result: got %.100s", got)
				}
			}
		})
	}
	w.Settings.MaxMessage = 0
	w.check(t)
}
