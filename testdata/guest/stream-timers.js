// there are no timers without the host's word, in the body and in modules
import { seen } from "globals";
return [typeof setTimeout, typeof clearTimeout, typeof setInterval, typeof clearInterval, "setTimeout" in globalThis, seen[0]]; //= ["undefined", "undefined", "undefined", "undefined", false, "undefined"]
---
setTimeout(() => {}, 1); //! ReferenceError "setTimeout"
---
//@timers yes
// with it they are there, also in modules, and as replaceable as those of the web
import { seen } from "globals";
const was = setTimeout;
globalThis.setTimeout = 5;
return [typeof was, was.name, typeof clearTimeout, typeof setInterval, typeof clearInterval, seen[0], setTimeout, Object.keys(globalThis).includes("setInterval")]; //= ["function", "setTimeout", "function", "function", "function", "function", 5, false]
---
//@timers yes
// timers fire in the order in which they are due, and of one moment in the order in which they were set
const log = [];
setTimeout(() => log.push("c"), 180);
setTimeout((x, y) => log.push("a" + x + y), 60, 1, 2);
for (let i = 0; i < 5; i++) setTimeout(() => log.push(i), 120);
setTimeout(() => log.push("0"));
await new Promise((r) => setTimeout(r, 190));
return log.join(); //= "0,a12,0,1,2,3,4,c"
---
//@timers yes
// promises come between two timers of one moment
const log = [];
const p = [new Promise((r) => setTimeout(() => { log.push("t1"); Promise.resolve().then(() => log.push("m1")).then(() => log.push("m2")); r(); }, 1)),
  new Promise((r) => setTimeout(() => { log.push("t2"); r(); }, 1))];
await Promise.all(p);
return log; //= ["t1", "m1", "m2", "t2"]
---
//@timers yes
// ids are numbers, clearing works at any time and more than once, and for what is no timer
const log = [];
const a = setTimeout(() => log.push("a"), 1), b = setTimeout(() => log.push("b"), 2), c = setTimeout(() => { log.push("c"); clearTimeout(d); }, 3), d = setTimeout(() => log.push("d"), 4);
clearTimeout(a); clearTimeout(a); clearTimeout(); clearTimeout("x"); clearInterval({}); clearTimeout(99);
await new Promise((r) => setTimeout(r, 10));
clearInterval(b);
return [typeof a, b > a, log.join()]; //= ["number", true, "b,c"]
---
//@timers yes
// an interval goes on until it is cleared, also from within
let n = 0;
await new Promise((r) => { const id = setInterval((step) => { n += step; if (n === 6) { clearInterval(id); r(); } }, 1, 2); });
await sleep(5);
return n; //= 6
---
//@timers yes
// an interval of 0 leaves time for others
let n = 0;
const id = setInterval(() => n++, 0);
await new Promise((r) => setTimeout(r, 10));
clearInterval(id);
return n >= 1 && n <= 100; //= true
---
//@timers yes
// a callback that throws is logged and stops nothing else
const log = [];
setTimeout(() => { throw new Error("oops"); }, 1);
setTimeout(() => log.push("next"), 2);
await new Promise((r) => setTimeout(r, 5));
return log; //= ["next"]
---
//@timers yes
// text is no callback
const got = [];
for (const f of [() => setTimeout("1 + 1", 1), () => setInterval(), () => setTimeout(null)]) try { f(); } catch (e) { got.push(e.name + ": " + e.message); }
return got; //= ["TypeError: setTimeout: callback must be a function", "TypeError: setInterval: callback must be a function", "TypeError: setTimeout: callback must be a function"]
---
//@timers yes
// a timer that waits holds nothing up, and is dropped with the run
setTimeout(() => console.log("never"), 50);
setInterval(() => console.log("nor this"), 60);
return 1; //= 1
//@logs []
---
//@timers yes
// a host's own global of that name wins
//@globals {"setTimeout": {"own": true}}
return setTimeout; //= {"own": true}
---
//@timers yes
// delays are numbers or become such
const log = [];
setTimeout(() => log.push(1), "2"); setTimeout(() => log.push(2), -5); setTimeout(() => log.push(3), NaN); setTimeout(() => log.push(4), Infinity); setTimeout(() => log.push(5), { valueOf: () => 3 });
await new Promise((r) => setTimeout(r, 10));
return log.sort().join(); //= "1,2,3,5"
---
//@timers yes
// a guest that breaks the intrinsics breaks only itself
Array.prototype[Symbol.iterator] = Array.prototype.push = Promise.prototype.then = Function.prototype.call = Function.prototype.apply = () => { throw 1; };
Object.defineProperty(Array.prototype, "0", { set() { throw 2; }, configurable: true });
let done = 0;
await new Promise((r) => { setTimeout((x) => { done = x; r(); }, 1, 7); });
delete Array.prototype[0];
return done; //= 7
---
// sleep with a signal rejects with its reason
const c = new AbortController(), p = sleep(4000, { signal: c.signal });
c.abort("enough");
try { await p; } catch (e) { return e; } //= "enough"
//@logs []
---
// at once when it was aborted before, and with the error of a plain abort
const c = new AbortController();
c.abort();
try { await sleep(4000, { signal: c.signal }); } catch (e) { return [e.name, e instanceof DOMException]; } //= ["AbortError", true]
---
// a signal that is not aborted changes nothing, and may be used for many sleeps
const { signal } = new AbortController();
for (let i = 0; i < 20; i++) await sleep(0, { signal });
return [await sleep(1, { signal }), await sleep(1, {}), await sleep(1, { signal: null }), await sleep(1, null), await sleep(1, 5)]; //= [null, null, null, null, null]
---
await sleep(1, { signal: {} }); //! TypeError "sleep: signal must be an AbortSignal"
---
// several sleeps on one signal; those which are over are not touched
const c = new AbortController(), all = [sleep(1, { signal: c.signal }), sleep(4000, { signal: c.signal }), sleep(4000, { signal: c.signal })];
await all[0];
c.abort(new RangeError("late"));
return (await Promise.allSettled(all)).map((r) => r.reason?.message ?? r.status); //= ["fulfilled", "late", "late"]
---
// a timeout signal ends a sleep
try { await sleep(4000, { signal: AbortSignal.timeout(5) }); } catch (e) { return e.name; } //= "TimeoutError"
---
// a sleep that is cut by its limit says so; one that is aborted is no open call at the end
const c = new AbortController();
sleep(4000, { signal: c.signal }).catch(() => {});
await null;
c.abort();
return 1; //= 1
//@logs []
