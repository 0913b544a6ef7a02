// what is absent is absent
return ["eval", "Buffer", "process", "env", "Headers", "Request", "Response", "performance", "setTimeout", "clearTimeout", "setInterval", "clearInterval",
  "setImmediate", "clearImmediate", "Blob", "FormData", "require", "uuid", "utf8Encode", "utf8Decode", "Atomics", "WebAssembly", "DisposableStack",
  "AsyncDisposableStack", "SuppressedError", "__native", "hooks", "native"].filter((n) => n in globalThis); //= []
---
return setTimeout; //! ReferenceError "setTimeout"
---
return [typeof eval, typeof Function, __maxIter, __secretScope, Object.keys(globalThis)]; //= ["undefined", "function", 10000, null, []]
---
// no constructor of functions makes one
const F = [Function, (() => 1).constructor, (async () => 1).constructor, (function* () {}).constructor, (async function* () {}).constructor, class {}.constructor,
  emit.constructor, console.log.constructor, Object.getPrototypeOf(async () => 1).constructor, URL.constructor, Array.prototype.map.constructor];
const bad = [];
for (const f of F) {
  try { bad.push(f("return 7")); } catch (e) { if (!(e instanceof TypeError)) bad.push(e); }
  try { bad.push(new f("return 7")); } catch (e) { if (!(e instanceof TypeError)) bad.push(e); }
}
return bad; //= []
---
return Function("return 7")(); //! TypeError "code generation from strings is disabled"
---
return new (class extends Function {})("return 7"); //! TypeError "code generation from strings is disabled"
---
return Reflect.construct(Function, ["return 7"], Array); //! TypeError "code generation from strings is disabled"
---
// what libraries ask of Function still works
const f = () => 1;
return [f instanceof Function, Function.prototype === Object.getPrototypeOf(f), Function.name, Function.length, Function.prototype.call.call(f), f.constructor === Function]; //= [true, true, "Function", 1, 1, true]
---
// helpers and bridges cannot be replaced, deleted or redefined
const names = ["console", "crypto", "sleep", "emit", "output", "progress", "toBase64", "fromBase64", "toHex", "fromHex", "parallelMap"], bad = [];
for (const n of names) {
  try { globalThis[n] = 1; bad.push(n); } catch {}
  try { delete globalThis[n]; bad.push(n); } catch {}
  try { Object.defineProperty(globalThis, n, { value: 1 }); bad.push(n); } catch {}
  if (!Object.isFrozen(globalThis[n])) bad.push(n);
}
for (const m of Object.keys(crypto)) if (!Object.isFrozen(crypto[m])) bad.push(m);
return bad; //= []
---
// a local may have the name of a helper
const sleep = 5, crypto = { a: 1 };
return sleep + crypto.a; //= 6
---
const seen = [];
queueMicrotask(() => seen.push("micro"));
seen.push("sync");
await null;
return seen; //= ["sync", "micro"]
---
queueMicrotask(5); //! TypeError "must be a function"
---
return [await Array.fromAsync([1, Promise.resolve(2)]), await Array.fromAsync((async function* () { yield 1; yield 2; })(), async (x, i) => x * 10 + i), await Array.fromAsync({ length: 2, 0: "a" }, (x) => x ?? "none")]; //= [[1, 2], [10, 21], ["a", "none"]]
---
const o = {};
Error.captureStackTrace(o);
return [typeof o.stack, Object.keys(o)]; //= ["string", []]
---
return ["i".localeCompare("a"), "a".localeCompare("i"), "a".localeCompare("a"), ["b", "c", "a"].sort((x, y) => x.localeCompare(y))]; //= [1, -1, 0, ["a", "b", "c"]]
---
return [typeof SharedArrayBuffer, typeof InternalError, typeof Iterator, typeof Float16Array, typeof escape]; //= ["function", "function", "function", "function", "function"]
---
// what a guest does to the intrinsics hurts only the guest
const keep = { stringify: JSON.stringify, isArray: Array.isArray };
const say = (...parts) => { let s = ""; for (let i = 0; i < parts.length; i++) s += parts[i] + " "; return s; };
for (const P of [Array, String, Map, Set, Promise, RegExp, Date, Number, Symbol, Function, Error, Object.getPrototypeOf(Uint8Array), ArrayBuffer, Uint8Array, WeakMap]) {
  const names = Reflect.ownKeys(P.prototype);
  for (let i = 0; i < names.length; i++) {
    const n = names[i];
    if (n === "constructor" || n === "length" || n === "name" || n === "message" || n === "stack" || n === "arguments" || n === "caller" || n === Symbol.toStringTag) continue;
    if (P === Promise && n === "then") { P.prototype.then = () => { throw new Error("poisoned then"); }; continue; }
    try { Object.defineProperty(P.prototype, n, { value: () => { throw new Error("poisoned " + String(n)); } }); } catch {}
  }
}
JSON.stringify = JSON.parse = () => { throw new Error("poisoned JSON"); };
Object.prototype.toJSON = () => "poisoned";
Object.prototype.get = Object.prototype.value = () => { throw new Error("poisoned descriptor"); };
Object.keys = Object.defineProperty = Object.getOwnPropertyDescriptor = Reflect.apply = Reflect.ownKeys = Array.isArray = () => { throw new Error("poisoned static"); };
console.log({ a: [1, new Map(), "x'y", new Date(0), /x/, new Error("e"), Symbol("s")] }, "%s", 1);
console.table({ a: { b: 1 } });
console.log("%s %d %j", "a", 1, 2);
const u = new URL("http://a.test/?a=1");
u.searchParams.append("b", "2");
const c = new AbortController();
c.abort("r");
const clone = structuredClone({ a: 1 });
return say(toBase64("hi"), toHex(fromBase64("aG k*")), u.href, c.signal.reason, clone.a, atob("aGk="), new TextDecoder().decode(new TextEncoder().encode("é")),
  toHex(await crypto.digest("SHA-1", "abc")), (await parallelMap([1, 2], (x) => x))[1], crypto.getRandomValues(2).length, await sleep(0)); //= "aGk= 6869 http://a.test/?a=1&b=2 r 1 hi é a9993e364706816aba3e25717850c26c9cd0d89d 2 2 undefined "
