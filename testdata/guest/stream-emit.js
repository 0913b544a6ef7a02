// emit.many emits what an iterable gives, in order, and says how many
const sent = [await emit.many("row", [1, "two", null]), await emit.many("set", new Set([3])), await emit.many("none", [])];
return sent; //= [3, 1, 0]
//@emitted [["row", 1], ["row", "two"], ["row", null], ["set", 3]]
---
// async iterables, promises among the values, and array-likes
async function* slow() { yield 1; await sleep(1); yield 2; }
return [await emit.many("a", slow()), await emit.many("p", [Promise.resolve(3), 4]), await emit.many("l", { length: 1, 0: "x" })]; //= [2, 2, 1]
//@emitted [["a", 1], ["a", 2], ["p", 3], ["p", 4], ["l", "x"]]
---
// emit is frozen with emit.many on it
try { emit.many = 1; } catch (e) { return [e.name, Object.keys(emit), Object.isFrozen(emit), Object.isFrozen(emit.many), emit.many.name, typeof emit]; } //= ["TypeError", ["many"], true, true, "many", "function"]
---
await emit.many(5, []); //! TypeError "emit.many: name must be a string"
---
await emit.many("x", 5); //! TypeError "emit.many: items must be iterable or array-like"
---
await emit.many("x"); //! TypeError "emit.many: items must be iterable or array-like"
---
// the iterator is closed when a value cannot be emitted, and not when it failed itself
const log = [];
const items = (values) => { let i = 0; return { [Symbol.iterator]() { return this; }, next() { log.push("next"); if (values[i] === "fail") throw new Error("own"); return i < values.length ? { done: false, value: values[i++] } : { done: true }; }, return() { log.push("return"); return {}; } }; };
try { await emit.many("x", items([1, () => 2, 3])); } catch (e) { log.push(e.name); }
try { await emit.many("x", items([1, "fail", 3])); } catch (e) { log.push(e.message); }
return log; //= ["next", "next", "return", "DataCloneError", "next", "next", "own"]
//@emitted [["x", 1], ["x", 1]]
---
// the return() of an async iterator is awaited before emit.many rejects
const log = [];
async function* rows() { try { yield 1; yield Symbol(); } finally { await sleep(1); log.push("closed"); } }
try { await emit.many("x", rows()); } catch (e) { log.push(e.name); }
return log; //= ["closed", "DataCloneError"]
---
// the error of a later value still points to the call
const rows = [1, 2, Symbol()];
await emit.many("x", rows); //! DataCloneError "cannot pass a symbol"
//@stack main.js:3:
---
// the order of emit calls is kept without await, and nothing is lost at the end
for (let i = 0; i < 5; i++) emit("n", i);
await null;
emit("n", 5);
output("o", "late");
return "end"; //= "end"
//@emitted [["n", 0], ["n", 1], ["n", 2], ["n", 3], ["n", 4], ["n", 5]]
//@outputs {"o": "late"}
---
// nor is what was emitted before the program fails
emit("n", 1);
throw new Error("x"); //! Error "x"
//@emitted [["n", 1]]
---
// the second output of a name is refused, the return value is independent
await output("a", 1);
try { await output("a", 2); } catch (e) { return [e.name, e.message]; } //= ["Error", "output \"a\" was already set"]
//@outputs {"a": 1}
---
// a refusal that nobody waits for is a warning
await null;
output("a", 1);
output("a", 2);
return 3; //= 3
//@outputs {"a": 1}
//@logs ["[warn] a value that the program did not wait for was refused: output \"a\" was already set"]
---
// emits count together, also those of emit.many
for (let i = 0; i < 9999; i++) emit("n", i);
await emit.many("m", [1, 2, 3]); //! RangeError "MAX_EMIT_CALLS = 10000"
---
// a guest that breaks the intrinsics breaks only itself
Array.prototype[Symbol.iterator] = Promise.prototype.then = Object.prototype.hasOwnProperty = () => { throw 1; };
return await emit.many("x", [1, 2]); //= 2
//@emitted [["x", 1], ["x", 2]]
