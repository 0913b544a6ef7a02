// types survive the way in and out
//@host echo
const v = [undefined, null, true, 1.5, -0, "text", 5n, new Date(1000), new Map([["k", new Set([1])]]), new Uint8Array([1, 2]), { z: 1, a: 2 }];
const back = await echo(v);
return [back[0] === undefined, Object.is(back[4], -0), back[6] === 5n, back[7] instanceof Date, back[8].get("k").has(1), back[9] instanceof Uint8Array, Object.keys(back[10]).join()]; //= [true, true, true, true, true, true, "z,a"]
---
// what comes back is a copy
//@host echo
const mine = { list: [1] };
const copy = await echo(mine);
copy.list.push(2);
return [mine.list.length, copy !== mine]; //= [1, true]
---
// inputs are the program's own
//@inputs {"rows": [1, 2], "name": "x"}
inputs.rows.push(3);
inputs.more = true;
return inputs; //= {"name": "x", "rows": [1, 2, 3], "more": true}
---
// a view crosses with its own range
//@host echo
const all = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]);
const v = await echo([all.subarray(2, 4), new Uint16Array(all.buffer, 2, 1), new DataView(all.buffer, 6)]);
return [v[0].length, v[0].buffer.byteLength, v[1][0], v[2].byteLength]; //= [2, 2, 1027, 2]
---
// shared references and cycles stay
//@host echo
const a = { n: 1 }, o = { a, again: a };
o.self = o;
const b = await echo(o);
return [b.a === b.again, b.self === b, b !== o]; //= [true, true, true]
---
// holes are undefined, and lengths stay
//@host echo
const v = await echo([1, , 3]);
return [v.length, 1 in v, v[1] === undefined]; //= [3, true, true]
---
// class instances cross as plain data, without methods and private parts
//@host echo
class P { #secret = 1; x = 2; get y() { return 3; } m() {} }
const v = await echo(new P());
return [v, Object.getPrototypeOf(v) === Object.prototype]; //= [{"x": 2}, true]
---
// symbols as keys and what is not enumerable stay behind
//@host echo
const o = Object.defineProperty({ a: 1, [Symbol("s")]: 2 }, "hidden", { value: 3 });
return await echo(o); //= {"a": 1}
---
//@host echo
await echo(() => 1); //! DataCloneError "function"
---
//@host echo
await echo({ deep: [{ s: Symbol("x") }] }); //! DataCloneError "deep[0].s"
---
//@host echo
await echo(Promise.resolve(1)); //! DataCloneError "await it"
---
// a getter that throws rejects with its error
//@host echo
await echo({ get a() { throw new RangeError("from a getter"); } }); //! RangeError "from a getter"
---
// an error crosses with class, message and properties
//@host echo
const e = await echo(Object.assign(new TypeError("m", { cause: 1 }), { extra: 2 }));
return [e instanceof TypeError, e.message, e.cause, e.extra]; //= [true, "m", 1, 2]
---
// bytes from the host are a Uint8Array
//@host bytes
const b = await bytes(70000);
return [b instanceof Uint8Array, b.length]; //= [true, 70000]
