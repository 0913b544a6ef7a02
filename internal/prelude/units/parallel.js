// parallelMap, emit.many, and Array.fromAsync for the lineage that lacks it.
(function (I) {
"use strict";
const { native, call, put, hide, clean, text, apply, isArray, $Array, $Number, $Promise, $Symbol, $TypeError } = I;

// source returns a function that gives the next {done, value}, or a promise of it, and one
// that gives the rest up, at the end of the promise that it may return. op is for the error.
function source(items, op) {
  const none = () => {};
  if (isArray(items)) {
    let i = 0;
    return { next: () => i < items.length ? { done: false, value: items[i++] } : { done: true, value: undefined }, close: none };
  }
  if (items !== undefined && items !== null) {
    let method = items[$Symbol.asyncIterator];
    if (method === undefined || method === null) method = items[$Symbol.iterator];
    if (typeof method === "function") {
      const it = apply(method, items, []), next = it.next;
      return {
        next: () => apply(next, it, []),
        close() { try { const r = it.return; if (typeof r === "function") return ignore(apply(r, it, [])); } catch {} },
      };
    }
    const n = items.length;
    if (typeof items === "object" && typeof n === "number" && n >= 0) {
      let i = 0;
      return { next: () => i < n ? { done: false, value: items[i++] } : { done: true, value: undefined }, close: none };
    }
  }
  throw new $TypeError(op + ": items must be iterable or array-like");
}
async function ignore(promise) { try { await promise; } catch {} }

async function parallelMap(items, fn, options) {
  if (typeof fn !== "function") throw new $TypeError("parallelMap: fn must be a function");
  let concurrency = options, keep = false, signal;
  if (typeof options === "object" && options !== null) {
    concurrency = options.concurrency;
    keep = options.settled === true;
    signal = options.signal ?? undefined;
  }
  concurrency = concurrency === undefined ? 5 : $Number(concurrency);
  concurrency = !(concurrency - concurrency === 0) ? 5 : concurrency < 1 ? 1 : concurrency > 32 ? 32 : concurrency - concurrency % 1;
  if (signal !== undefined && signal.aborted) throw signal.reason;
  const from = source(items, "parallelMap"), out = [];
  return await new $Promise((resolve, reject) => {
    let stopped = false, done = false, started = 0, workers = 0, turn;
    const onAbort = () => { fail(signal.reason); };
    const leave = () => { if (signal !== undefined) signal.removeEventListener("abort", onAbort); };
    const fail = (e) => {
      if (stopped) return;
      stopped = true;
      leave();
      if (!done) from.close();
      reject(e);
    };
    // take gives one worker at a time the next item.
    const take = async () => {
      while (turn !== undefined) await turn;
      if (stopped || done) return undefined;
      const r = from.next();
      if (native(OP.Class, r) === "Promise" || typeof r?.then === "function") {
        let release;
        turn = new $Promise((go) => { release = go; });
        try { return await r; } finally { turn = undefined; release(); }
      }
      return r;
    };
    const work = async () => {
      while (!stopped && !done) {
        let r, value;
        try {
          r = await take();
          if (r === undefined) break;
          if (typeof r !== "object" && typeof r !== "function" || r === null) throw new $TypeError("parallelMap: the iterator's result is not an object");
          if (r.done) { done = true; break; }
          value = r.value;
        } catch (e) { done = true; fail(e); break; }
        if (stopped) break;
        const index = started++;
        put(out, index, undefined);
        try {
          const v = await apply(fn, undefined, [value, index]);
          put(out, index, keep ? { status: "fulfilled", value: v } : v);
        } catch (e) {
          if (!keep) { fail(e); break; }
          put(out, index, { status: "rejected", reason: e });
        }
      }
      if (--workers === 0 && !stopped) {
        stopped = true;
        leave();
        resolve(out);
      }
    };
    if (signal !== undefined) signal.addEventListener("abort", onAbort);
    workers = concurrency;
    for (let i = 0; i < concurrency; i++) work();
  });
}

// many emits the values of an iterable, each when the host has taken the one before, and
// returns how many.
async function many(name, items) {
  if (typeof name !== "string") throw new $TypeError("emit.many: name must be a string");
  const at = native(OP.Stack), from = source(items, "emit.many");
  for (let n = 0; ; n++) {
    let r = from.next();
    if (isPromise(r)) r = await r;
    if (typeof r !== "object" && typeof r !== "function" || r === null) throw new $TypeError("emit.many: the iterator's result is not an object");
    if (r.done) return n;
    try {
      const v = r.value;
      await call(OP.Emit, [name, isPromise(v) ? await v : v]);
    } catch (e) {
      await from.close();
      // From the second value on the guest's call is on no stack any more.
      if (native(OP.Class, e) === "Error" && clean(text(e, "stack", "")) === "") hide(e, "stack", clean(at));
      throw e;
    }
  }
}
const isPromise = (v) => native(OP.Class, v) === "Promise" || typeof v === "object" && v !== null && typeof v.then === "function";

async function fromAsync(C, items, map, receiver) {
  if (map !== undefined && typeof map !== "function") throw new $TypeError("Array.fromAsync: the mapping function is not callable");
  const make = (n) => typeof C === "function" ? n === undefined ? new C() : new C(n) : n === undefined ? [] : new $Array(n);
  const isAsync = items[$Symbol.asyncIterator] ?? undefined, isSync = items[$Symbol.iterator] ?? undefined;
  let out, i = 0;
  if (isAsync !== undefined || isSync !== undefined) {
    out = make();
    for await (const v of items) { put(out, i, map === undefined ? v : await apply(map, receiver, [v, i])); i++; }
  } else {
    const n = $Number(items.length), length = n > 0 ? n - n % 1 : 0;
    out = make(length);
    for (; i < length; i++) {
      const v = await items[i];
      put(out, i, map === undefined ? v : await apply(map, receiver, [v, i]));
    }
  }
  out.length = i;
  return out;
}

return { __proto__: null, parallelMap, many, fromAsync };
})
