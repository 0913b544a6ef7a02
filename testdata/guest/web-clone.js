// a clone shares nothing and keeps types, cycles and shared references
const shared = { n: 1 };
const v = { a: shared, b: shared, d: new Date(5), m: new Map([[shared, new Set([1n])]]), r: /x/gi, u: undefined, n: -0, bytes: new Uint8Array([1, 2]) };
v.self = v;
const c = structuredClone(v);
return [c !== v, c.a === c.b, c.a !== shared, c.self === c, c.d.getTime(), c.m.has(c.a), [...c.m.get(c.a)][0] === 1n, String(c.r), "u" in c, Object.is(c.n, -0), c.bytes instanceof Uint8Array, c.bytes[1]]; //= [true, true, true, true, 5, true, true, "/x/gi", true, true, true, 2]
---
const e = structuredClone(new RangeError("bad", { cause: new TypeError("why") }));
return [e instanceof RangeError, e.message, e.cause instanceof TypeError, e.cause.message]; //= [true, "bad", true, "why"]
---
return structuredClone({ a: [1, { f() {} }] }); //! DataCloneError "a[1].f"
---
try { structuredClone(Symbol("s")); } catch (e) { return [e instanceof DOMException, e.name, e.code]; } //= [true, "DataCloneError", 25]
---
// an exception of a getter is passed on as it is
return structuredClone({ get x() { throw new RangeError("mine"); } }); //! RangeError "mine"
---
const b = new Uint8Array([1, 2, 3]).buffer;
const c = structuredClone({ b }, { transfer: [b] });
return [b.byteLength, c.b.byteLength, b.detached]; //= [0, 3, true]
---
return structuredClone(1, { transfer: [{}] }); //! DataCloneError "ArrayBuffer"
---
return structuredClone(); //! TypeError "1 argument"
---
// strings with lone surrogates and awkward keys survive
const c = structuredClone(JSON.parse('{"__proto__": 1, "\\ud800": "\\udc00", "": [null]}'));
return [Object.hasOwn(c, "__proto__"), c["\ud800"] === "\udc00", c[""], Object.getPrototypeOf(c) === Object.prototype]; //= [true, true, [null], true]
