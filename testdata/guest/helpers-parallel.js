// results are in the order of the items
return await parallelMap([30, 10, 20], async (ms, i) => { await sleep(ms); return [ms, i]; }); //= [[30, 0], [10, 1], [20, 2]]
---
return await parallelMap([], () => { throw new Error("never called"); }); //= []
---
// items may be any iterable, array-like or async iterable
async function* numbers() { for (let i = 0; i < 3; i++) { await null; yield i; } }
const double = (x) => x + x;
return [await parallelMap(new Set(["a", "b"]), double), await parallelMap("xy", double), await parallelMap({ length: 2, 0: 1, 1: 2 }, double),
  await parallelMap(numbers(), double), await parallelMap([Promise.resolve(4)], async (p) => double(await p))]; //= [["aa", "bb"], ["xx", "yy"], [2, 4], [0, 2, 4], [8]]
---
// concurrency is floored, clamped to 1 … 32, and 5 when it is no finite number
const most = async (concurrency) => {
  let now = 0, max = 0;
  await parallelMap(Array(40).fill(0), async () => { max = Math.max(max, ++now); await sleep(1); now--; }, concurrency);
  return max;
};
return [await most(), await most(3.7), await most(0), await most(-2), await most(100), await most(Infinity), await most(NaN), await most({ concurrency: 2 }), await most({})]; //= [5, 3, 1, 1, 32, 5, 5, 2, 5]
---
// after the first failure nothing new is started
let started = 0;
try {
  await parallelMap(Array.from({ length: 100 }, (_, i) => i), async (i) => { started++; await sleep(1); if (i === 2) throw new Error("item " + i); }, 4);
} catch (e) {
  await sleep(20);
  return [e.message, started < 12]; //= ["item 2", true]
}
---
// settled keeps every outcome
return await parallelMap([1, 2, 3], (x) => { if (x === 2) throw "two"; return x; }, { settled: true }); //= [{"status": "fulfilled", "value": 1}, {"status": "rejected", "reason": "two"}, {"status": "fulfilled", "value": 3}]
---
// a signal stops it
const c = new AbortController();
let started = 0;
try {
  await parallelMap(Array(50).fill(0), async () => { if (++started === 4) c.abort("enough"); await sleep(1); }, { concurrency: 2, signal: c.signal });
} catch (e) {
  await sleep(10);
  return [e, started]; //= ["enough", 4]
}
---
let called = false;
try { await parallelMap([1], () => { called = true; }, { signal: AbortSignal.abort() }); } catch (e) { return [e.name, called]; } //= ["AbortError", false]
---
// a generator is closed when it is left early, and pulled no faster than it is used
let closed = false, pulled = 0;
function* forever() { try { for (;;) yield pulled++; } finally { closed = true; } }
try { await parallelMap(forever(), async (x) => { await null; if (x === 5) throw "stop"; }, 2); } catch (e) { return [e, closed, pulled < 10]; } //= ["stop", true, true]
---
return await parallelMap([1], 5); //! TypeError "fn must be a function"
---
return await parallelMap(null, () => 1); //! TypeError "items must be iterable"
---
return await parallelMap(5, () => 1); //! TypeError "items must be iterable"
---
return await parallelMap((function* () { yield 1; throw new RangeError("source failed"); })(), (x) => x); //! RangeError "source failed"
