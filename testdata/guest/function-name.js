// no function of the language, of the sandbox or of a module gives a way to code
import * as math from "@nodetool-ai/sandbox-math";
const inner = Object.values(math).filter((f) => typeof f === "function");
const ways = {
  arrow: () => 1, plain: function () {}, method: { m() {} }.m, getter: Object.getOwnPropertyDescriptor({ get x() { return 1; } }, "x").get,
  async: async () => 1, generator: function* () {}, asyncGenerator: async function* () {}, class: class {}, derived: class extends Array {},
  bound: (() => 1).bind(null), native: Math.max, boundNative: Math.max.bind(null), accessor: Object.getOwnPropertyDescriptor(Map.prototype, "size").get,
  species: Object.getOwnPropertyDescriptor(Array, Symbol.species).get, proxied: new Proxy(() => 1, {}), revoke: Proxy.revocable({}, {}).revoke,
  resolver: await new Promise((f) => f([f])).then(([f]) => f), prototype: Function.prototype, self: Function, typed: Object.getPrototypeOf(Uint8Array),
  log: console.log, sleep, stub: toBase64, bytes: crypto.randomUUID, lazy: structuredClone, url: URL, encoder: TextEncoder, microtask: queueMicrotask, intl: Intl.NumberFormat,
  iterator: Iterator, error: Error, caller: Object.getOwnPropertyDescriptor(Function.prototype, "caller")?.get, ...inner,
};
const found = [];
const calls = [
  (C) => C("return 7")(), (C) => new C("return 7")(), (C) => C.call(null, "return 7")(), (C) => C.apply(null, ["return 7"])(), (C) => C.bind(null, "return 7")()(),
  (C) => Reflect.construct(C, ["return 7"])(), (C) => Reflect.construct(C, ["return 7"], Array)(), (C) => Reflect.construct(Object, [], C)("return 7"), (C) => Reflect.apply(C, null, ["return 7"])(),
  (C) => new (class extends C {})("return 7")(), (C) => new (class extends C { constructor() { super("a", "return 7"); } })(), (C) => new Proxy(C, {})("return 7")(),
  (C) => ["return 7"].map(C)[0](), (C) => JSON.parse('["return 7"]', C)(), (C) => Array.from.call(C, ["return 7"])(), (C) => "x".replace(/x/, C)(), (C) => C`return 7`(),
  (C) => [1, 2].sort(C)(), (C) => Array.of.call(C, "return 7")(), (C) => C("a = 7", "return a")(), (C) => C("/*", "*/){return 7")(), (C) => C()(),
];
let n = 0;
for (const [name, f] of Object.entries(ways)) {
  if (typeof f !== "function") continue;
  for (const C of [f.constructor, Object.getPrototypeOf(f).constructor, Object.getPrototypeOf(f)?.constructor?.constructor]) {
    if (typeof C !== "function") continue;
    for (let i = 0; i < calls.length; i++) {
      n++;
      try {
        const r = await calls[i](C);
        if (r === 7 || typeof r === "function" || r?.next && (await r.next()).value === 7) found.push([name, i]);
      } catch (e) { if (!(e instanceof Error)) found.push([name, i, e]); }
    }
  }
}
return [found, n > 2000]; //= [[], true]
---
// nor when the guest changes the name and its prototype
const F = Function, G = F.prototype;
const r = [];
const attempt = (f) => { try { r.push(f()); } catch (e) { r.push(e.constructor === TypeError); } };
attempt(() => { delete globalThis.Function; return (() => 1).constructor("return 7")(); });
attempt(() => { delete G.constructor; return F("return 7")(); });
attempt(() => { G.constructor = F; return new (() => 1).constructor("return 7")(); });
attempt(() => { Object.setPrototypeOf(F, null); return F("return 7")(); });
attempt(() => { F.prototype = { constructor: F }; return 1; });
attempt(() => { Object.setPrototypeOf(G, Array); return new (() => 1).constructor("return 7")(); });
return r; //= [true, true, true, true, true, true]
---
// what libraries ask of Function
class Subclass extends Function {}
function inherits(C, P) { C.prototype = Object.create(P.prototype, { constructor: { value: C, writable: true, configurable: true } }); }
function A() {} function B() {}
inherits(B, A);
const is = (v) => v instanceof Function, tag = (v) => Object.prototype.toString.call(v);
const async = async () => 1, types = { [tag(async)]: "async" };
return [
  typeof Function, [A, async, class {}, Math.max, (() => 1).bind(), console.log, Function, new Proxy(A, {})].every(is), is({}), is(null),
  Function.prototype.isPrototypeOf(A), Function[Symbol.hasInstance](A), A.constructor === Function, async.constructor.name, A.constructor.name, new B() instanceof A,
  Function.prototype.call.bind(Array.prototype.slice)([1, 2, 3], 1), Function.prototype.apply.call(Math.max, null, [1, 9]), Function.prototype.bind.call(function () { return this.x; }, { x: 5 })(),
  Function.prototype.toString.call(Math.max).includes("[native code]"), typeof Function.prototype, Function.prototype() === undefined, tag(Function), types[tag(async)], Object.getPrototypeOf(Subclass) === Function,
  Function.hasOwnProperty("prototype"), Object.getOwnPropertyDescriptor(Function, "prototype").writable, Object.keys(Function), "Function" in globalThis,
]; //= ["function", true, false, false, true, true, true, "AsyncFunction", "Function", true, [2, 3], 9, 5, true, "function", true, "[object Function]", "async", true, true, false, [], true]
---
// libraries that try for code and fall back do so
let how = "compiled";
try { new Function(""); } catch { how = "interpreted"; }
const root = (() => { try { return Function("return this")(); } catch { return globalThis; } })();
Function.prototype.method = function (name, f) { this.prototype[name] = f; return this; };
const m = function () {}.method("hi", () => 2);
return [how, root === globalThis, new m().hi()]; //= ["interpreted", true, 2]
---
// asynchronous and generating kinds have names that throw, too
const kinds = [async () => {}, function* () {}, async function* () {}].map((f) => Object.getPrototypeOf(f).constructor);
return kinds.map((C) => { try { return C("yield 7"); } catch (e) { return [C.name, e.name, e.message]; } }); //= [["AsyncFunction", "TypeError", "code generation from strings is disabled in the sandbox: AsyncFunction cannot be called"], ["GeneratorFunction", "TypeError", "code generation from strings is disabled in the sandbox: GeneratorFunction cannot be called"], ["AsyncGeneratorFunction", "TypeError", "code generation from strings is disabled in the sandbox: AsyncGeneratorFunction cannot be called"]]
