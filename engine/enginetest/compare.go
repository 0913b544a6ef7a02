package enginetest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"quicksand/engine"
	"quicksand/internal/marshal"
)

// Compare runs the same programs on two engines and fails where a guest or the host
// could tell them apart: in values, in their encoding, in the kind of a failure.
func Compare(t *testing.T, a, b engine.Engine) {
	wa, wb := NewWorld(t, a), NewWorld(t, b)
	both := func(code string) (Outcome, Outcome) {
		return wa.Eval(t, code, nil), wb.Eval(t, code, nil)
	}
	t.Run("Encoding", func(t *testing.T) {
		for _, r := range valueRows {
			if strings.Contains(r.expr, "Error") {
				continue // the stacks differ
			}
			oa, ob := both(nest + "export default (" + r.expr + ");")
			if !sameMessage(oa.Value, ob.Value) || oa.Status != ob.Status {
				t.Errorf("%s:\n%s %x\n%s %x", r.name, a.Name(), short(oa.Value.Wire), b.Name(), short(ob.Value.Wire))
			}
		}
	})
	t.Run("Generated", func(t *testing.T) {
		n := 300
		if testing.Short() {
			n = 40
		}
		for seed := range n {
			oa, ob := both(fmt.Sprintf(generate, seed+1) + "export default make(4);")
			if oa.Status != engine.Done || !sameMessage(oa.Value, ob.Value) {
				t.Errorf("seed %d:\n%s %.500s\n%s %.500s", seed+1, a.Name(), oa, b.Name(), ob)
			}
			// An error without a stack gets one of its engine on the way back.
			oa, ob = both(fmt.Sprintf(generate, seed+1) + "const v = make(4); export default [v, echo(v), native(4, v), await later(v)];")
			if oa.Status != engine.Done || oa.String() != ob.String() || !sameBlobs(oa.Value, ob.Value) {
				t.Errorf("seed %d, there and back:\n%s %.500s\n%s %.500s", seed+1, a.Name(), oa, b.Name(), ob)
			}
		}
	})
	t.Run("Refused", func(t *testing.T) {
		for _, r := range refusedRows {
			for _, mode := range []engine.InvokeMode{engine.Strict, engine.Lenient} {
				code := nest + "export default (" + r.expr + ");"
				oa, ob := wa.Eval(t, code, &Host{Mode: mode}), wb.Eval(t, code, &Host{Mode: mode})
				// The path of what is nested too deeply is cut off somewhere.
				if fmt.Sprintf("%.200s", oa) != fmt.Sprintf("%.200s", ob) || oa.Value.Dropped != ob.Value.Dropped || oa.Value.DroppedPath != ob.Value.DroppedPath {
					t.Errorf("%s, mode %d:\n%s %.300s %s\n%s %.300s %s", r.name, mode, a.Name(), oa, oa.Value.DroppedPath, b.Name(), ob, ob.Value.DroppedPath)
				}
			}
		}
	})
	t.Run("Programs", func(t *testing.T) {
		for _, code := range differential {
			oa, ob := both("export default await (async () => {\n" + code + "\n})();")
			if oa.String() != ob.String() {
				t.Errorf("%s\n%s %.300s\n%s %.300s", code, a.Name(), oa, b.Name(), ob)
			}
		}
	})
	t.Run("Overflows", func(t *testing.T) {
		for _, r := range overflows {
			wa.Deadline, wb.Deadline = 20*time.Second, 20*time.Second
			oa, ob := both(r.setup + "\n" + r.expr + ";")
			if oa.kind() != ob.kind() {
				t.Errorf("%s: %s %.200s, %s %.200s", r.name, a.Name(), oa, b.Name(), ob)
			}
		}
	})
}

func short(b []byte) []byte { return b[:min(len(b), 200)] }

// sameMessage compares every byte. The empty wire is undefined, too.
func sameMessage(a, b marshal.Message) bool {
	undefined := len(a.Wire) <= 1 && len(b.Wire) <= 1 && Dump(a) == "undefined" && Dump(b) == "undefined"
	return (bytes.Equal(a.Wire, b.Wire) || undefined) && sameBlobs(a, b)
}

func sameBlobs(a, b marshal.Message) bool {
	if len(a.Blobs) != len(b.Blobs) {
		return false
	}
	for i := range a.Blobs {
		if !bytes.Equal(a.Blobs[i], b.Blobs[i]) {
			return false
		}
	}
	return true
}

// generate defines make(depth), which makes a random value from a seed.
const generate = `let state = %d;
const next = (n) => { state = (Math.imul(state, 1664525) + 1013904223) | 0; return ((state >>> 8) %% n + n) %% n; };
const pool = [];
const text = () => { const parts = ["", "a", "key", "é", "€", "😀", "\ud800", "\udc00", "x y", "__proto__", "\0", "constructor", "long ".repeat(20)]; return parts[next(parts.length)] + (next(2) ? next(50) : ""); };
const types = [Uint8Array, Uint8ClampedArray, Int8Array, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array, Float16Array, Float32Array, Float64Array];
function keep(v) { pool.push(v); return v; }
function make(depth) {
  const kind = next(depth > 0 ? 24 : 14);
  switch (kind) {
    case 0: return undefined;
    case 1: return null;
    case 2: return next(2) === 1;
    case 3: return next(1000) - 500;
    case 4: return [-0, NaN, Infinity, -Infinity, 2147483647, 2147483648, -2147483648, -2147483649, 5e-324, 1e300, 9007199254740993][next(11)];
    case 5: return (next(1 << 20) - 1000) / 8;
    case 6: return text();
    case 7: return text() + text() + text();
    case 8: return BigInt(next(1000) - 500) ** BigInt(next(40));
    case 9: return keep(new Date([0, NaN, 1e12, -1e12, 8.64e15, next(1e6)][next(6)]));
    case 10: return keep([/a/g, /[/]\//u, new RegExp(""), /(?<n>.)\k<n>/v, /é\n/dimsy][next(5)]);
    case 11: { const u = new types[next(12)](next(9)); new Uint8Array(u.buffer).fill(next(60)); return keep(u); }
    case 12: return keep(next(2) ? new Uint8Array([1, 2, 3, next(256)]).buffer : new DataView(new Uint8Array(8).buffer, next(4)));
    case 13: return pool.length ? pool[next(pool.length)] : 7;
    case 14: case 15: case 16: { const a = keep([]); for (let i = next(6); i > 0; i--) a.push(make(depth - 1)); return a; }
    case 17: case 18: case 19: { const o = keep({}); for (let i = next(6); i > 0; i--) Object.defineProperty(o, text(), { value: make(depth - 1), enumerable: true, writable: true, configurable: true }); return o; }
    case 20: { const m = keep(new Map()); for (let i = next(5); i > 0; i--) m.set(make(depth - 1), make(depth - 1)); return m; }
    case 21: { const s = keep(new Set()); for (let i = next(5); i > 0; i--) s.add(make(depth - 1)); return s; }
    case 22: { const e = keep(new [Error, TypeError, RangeError][next(3)](text())); Object.defineProperty(e, "stack", { value: "" }); if (next(2)) e.cause = make(depth - 1); if (next(2)) e.extra = make(depth - 1); return e; }
    case 23: return keep(new Uint8Array(65530 + next(12)).fill(next(256)));
  }
}
`

// differential are bodies that both engines answer alike.
var differential = []string{
	`return [typeof globalThis, typeof WeakRef, typeof Iterator, typeof Intl, typeof WebAssembly, typeof setTimeout, typeof std, typeof os, typeof print]`,
	`return [1, 10, 2].sort().concat([3, 1, 2].toSorted((a, b) => b - a), [1, 2, 3].with(1, 9), Array.from({ length: 3 }, (_, i) => i * i))`,
	`return Object.groupBy([1, 2, 3], (x) => (x % 2 ? "odd" : "even")).odd`,
	`return [..."a😀b"].map((c) => c.codePointAt(0))`,
	`return ["x".padStart(5, "ab"), "abc".at(-1), "a-b-c".split("-"), " x ".trim(), "é".normalize("NFD").length, "ß".toUpperCase(), "İ".toLowerCase().length, "a\ud800".isWellFormed()]`,
	`return [0.1 + 0.2, 1e21, 123456789012345680000, 1 / 3, (25).toString(36), (0.5).toString(2), (1e21).toFixed(2), (1.005).toFixed(2), (123.456).toPrecision(4), (0).toExponential(3), 5e-324, 1.7976931348623157e308]`,
	`return [parseInt("12px"), parseFloat("1.5e3x"), Number(""), Number("0x1f"), Number(" 12 "), Number("1_0"), +[], +{}, +[5]]`,
	`return [2n ** 64n, -7n / 2n, -7n % 3n, BigInt.asIntN(8, 255n), BigInt("0xff"), 5n << 70n, (-5n) >> 1n, 10n > 9, 1n == 1]`,
	`return [new Date(0).toISOString(), new Date(Date.UTC(2024, 1, 30)).toJSON(), Date.parse("2024-02-29T12:00:00Z"), Date.parse("2024-02-29"), new Date(NaN).getTime(), new Date(2024, 0, 1).getTimezoneOffset()]`,
	`return JSON.stringify({ a: [1, undefined, () => 1, Symbol(), NaN, -0, new Date(0), "\ud800\u2028"], b: undefined, c: { toJSON: () => 5 }, __proto__: { d: 1 } }, null, 1)`,
	`return JSON.parse('{"a":[1,2,{"b":null}],"__proto__":1,"a":2}', (k, v) => (typeof v === "number" ? v + 1 : v))`,
	`return ["aBc".replace(/b/i, "[$&$1$$]"), "2024-01-02".replace(/(?<y>\d+)-(?<m>\d+)/, "$<m>/$<y>"), [..."a1b22".matchAll(/\d+/g)].map((m) => m.index), /(?<!a)b/.test("cb"), /^\p{L}+$/u.test("aé"), "a,b;c".split(/[,;]/), /a.c/s.test("a\nc"), /\bfoo\b/y.exec("foo").index]`,
	`const r = /x/g; r.lastIndex = 5; return [r.test("xxxxxxx"), r.lastIndex, r.exec("x"), r.lastIndex]`,
	`class A { static #c = 0; #x = 1; static { A.s = 5; } get x() { return this.#x; } set x(v) { this.#x = v; A.#c++; } static get c() { return A.#c; } has(o) { return #x in o; } } const a = new A(); a.x = 4; return [a.x, A.c, A.s, a.has(a), a.has({})]`,
	`function f(a, b = a + 1, ...c) { return [a, b, c, arguments.length, f.length]; } return [f(1), f(1, 2, 3, 4)]`,
	`const { a = 1, b: { c = 2, ...d } = {}, ...e } = { b: { x: 1, y: 2 }, z: 3 }; return [a, c, d, e]`,
	`label: for (let i = 0; i < 3; i++) { for (let j = 0; j < 3; j++) { if (j === 1) continue label; if (i === 2) break label; note([i, j]); } } return [null ?? 1, 0 || 2, 0 ?? 3, undefined?.x?.y, "".length && 1]`,
	`const order = []; await Promise.all([(async () => { order.push(1); await null; order.push(4); })(), (async () => { order.push(2); await null; order.push(5); })(), Promise.resolve().then(() => order.push(6)), order.push(3)]); return order`,
	`const log = []; Promise.resolve().then(() => log.push("a")).then(() => log.push("c")); Promise.resolve().then(() => log.push("b")); await 0; await 0; await 0; return log`,
	`const r = await Promise.allSettled([Promise.reject(new Error("x")), 1, new Promise((r) => r(later(2)))]); return r.map((x) => x.status + (x.value ?? x.reason.message))`,
	`return [await Promise.any([Promise.reject(1), 2]), await Promise.any([Promise.reject(1)]).catch((e) => e.constructor.name + e.errors), typeof Promise.withResolvers().resolve, await Promise.try(() => 3)]`,
	`async function* g() { try { yield 1; yield 2; } finally { note("end"); } } const out = []; for await (const x of g()) { out.push(x); break; } return out`,
	`function* g() { const x = yield 1; try { yield x * 2; } catch (e) { yield e; } return 9; } const i = g(); return [i.next(), i.next(5), i.throw("t"), i.next(), i.next()]`,
	`const m = new Map([[NaN, 1], [0, 2]]); m.set(-0, 3); return [m.get(NaN), [...m.keys()], Object.is([...m.keys()][1], 0), new Set([1, 2]).union(new Set([2, 3])), new Set([1, 2]).isSubsetOf(new Set([1, 2, 3]))]`,
	`const w = new WeakMap(), k = {}; w.set(k, 1); return [w.get(k), w.has({}), new WeakRef(k).deref() === k]`,
	`const p = new Proxy({}, { has: (t, k) => k === "a", get: (t, k) => String(k), ownKeys: () => ["z", "y"], getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true, value: 1 }) }); return ["a" in p, "b" in p, p.foo, Object.keys(p), { ...p }]`,
	`return [Reflect.ownKeys({ b: 1, 2: 1, a: 1, 1: 1, [Symbol.iterator]: 1 }).map(String), Object.entries({ x: 1 }), Object.fromEntries([["a", 1]]), Object.getOwnPropertyNames("ab")]`,
	`const o = Object.freeze({ a: 1 }); return [caught(() => { o.a = 2; }).split(":")[0], caught(() => { delete o.a; }).split(":")[0], caught(() => undefinedThing).split(":")[0], caught(() => null.x).split(":")[0], caught(() => { const c = 1; c = 2; }).split(":")[0], caught(() => [].reduce((a) => a)).split(":")[0], caught(() => new Array(-1)).split(":")[0], caught(() => "x".repeat(-1)).split(":")[0], caught(() => decodeURIComponent("%")).split(":")[0], caught(() => 1n + 1).split(":")[0], caught(() => Symbol() + "").split(":")[0], caught(() => new (() => 1)()).split(":")[0], caught(() => JSON.parse("{")).split(":")[0], caught(() => new RegExp("(")).split(":")[0], caught(() => BigInt(1.5)).split(":")[0], caught(() => x1, (() => { let x1; })()).split(":")[0]]`,
	`const u = new Uint8Array([3, 1, 2]); return [u.toSorted(), u.with(0, 300), new Uint8ClampedArray([300, -5, 1.5]), Uint8Array.fromBase64("AQI="), u.toHex(), new Float32Array([0.1])[0], new DataView(u.buffer).getUint16(0), new Uint16Array([1, 2]).subarray(1).byteOffset, Array.from(u.entries())]`,
	`const b = new ArrayBuffer(4, { maxByteLength: 8 }), u = new Uint8Array(b); b.resize(8); const n = u.length; const c = b.transfer(2); return [n, u.length, c.byteLength, b.detached, structured()]; function structured() { return native(4, { a: 1 }); }`,
	`return [[1, [2, [3]]].flat(Infinity), [3, 1].includes(NaN), [NaN].includes(NaN), [1, 2, 3].findLast((x) => x < 3), [1, 2, 3, 4].copyWithin(0, 2), Array(3).fill().map((_, i) => i), [, 1].indexOf(undefined), [5, 1, 10].toString(), Array.isArray(new Proxy([], {})), [1, 2, 3].toSpliced(1, 1)]`,
	`return [Math.hypot(3, 4), Math.trunc(-1.5), Math.sign(-3), Math.fround(0.1), Math.clz32(1), Math.imul(65535, 65537), Math.max(), Math.min(1, NaN), Math.round(-0.5), Math.round(2.5), Math.atan2(1, 1), Math.expm1(0)]`,
	`return [encodeURIComponent("é/ 😀"), encodeURI("é/ ?"), decodeURIComponent("%F0%9F%98%80"), escape("é"), unescape("%u0041")]`,
	`return [Symbol.for("a") === Symbol.for("a"), Symbol("x").description, Symbol.keyFor(Symbol.for("q")), typeof Symbol.asyncIterator, String(Symbol("s"))]`,
	`return [[1, 2, 3].values().map((x) => x * 2).filter((x) => x > 2).take(1).toArray(), Iterator.from([1, 2]).drop(1).reduce((a, b) => a + b, 0)]`,
	`try { throw new Error("a", { cause: 1 }); } catch (e) { return [e.cause, String(e), e instanceof Error, Object.keys(e), Object.prototype.toString.call(e), typeof e.stack] }`,
	`const e = new AggregateError([1], "m"); return [e.errors, e.name, String(e)]`,
	`return (() => { try { return 1; } finally { note("f"); } })() + (() => { for (const x of [1]) { try { continue; } finally { note("g"); } } return 2; })()`,
	`var hoisted = typeof inner; function inner() {} let r = []; for (let i = 0; i < 3; i++) r.push(() => i); return [hoisted, r.map((f) => f()), (function () { return typeof this; })(), (() => typeof this)(), new Function.prototype.constructor === undefined]`,
	`return typeof eval + typeof Function`,
	`return [isNaN("x"), [] + {}, [] == false, null == undefined, null >= 0, "b" > "a", "10" < "9", 1 < 2 < 3, 3 > 2 > 1, typeof null, void 0, (1, 2)]`,
	`switch (3) { case 1: return "one"; default: note("default"); case 2: return "two"; }`,
	`return [0b101, 0o17, 0xff, 1_000, .5, 5., 1e3, "\x41\u{1F600}\u0041", 'a\
b', ` + "`x${1 + 1}`, String.raw`\\n`" + `]`,
	`return [Object.is(-0, 0), -0 === 0, 1 / -0, Math.max(-0, 0), [-0].includes(0), JSON.stringify(-0), String(-0), (-0).toFixed(1)]`,
	`const t = []; for (const k in { b: 1, a: 2, __proto__: { c: 3 } }) t.push(k); for (const i in [7, 8]) t.push(i); for (const c of "ab") t.push(c); return t`,
	`const a = [3, 1, 2]; a.length = 2; a[5] = 1; delete a[0]; return [a, a.length, 0 in a, Object.keys(a), a.findIndex((x) => x === undefined)]`,
	`return caught(() => { throw 5; })`,
	`throw { custom: 1 }`,
	`throw null`,
	`throw undefined`,
	`throw Symbol("s")`,
	`throw Object.assign(new Error("m"), { code: "E1", cause: new TypeError("c") })`,
	`throw new Proxy(new Error("m"), {})`,
	`throw { get message() { throw 1; }, stack: "s" }`,
	`throw Object.create(Error.prototype, { message: { value: "made" } })`,
}
