const c = new AbortController(), seen = [];
c.signal.onabort = (e) => seen.push("on " + e.type + " " + e.isTrusted);
c.signal.addEventListener("abort", function (e) { seen.push(this === c.signal && e.target === this && e.currentTarget === this); }, { once: true });
c.abort("why"); c.abort("again");
return [seen, c.signal.aborted, c.signal.reason]; //= [["on abort true", true], true, "why"]
---
// the reason says where it was made
const c = new AbortController();
c.abort(); //! AbortError "This operation was aborted"
c.signal.throwIfAborted();
---
return [AbortSignal.abort().reason.code, AbortSignal.abort(5).reason, new AbortController().signal.aborted]; //= [20, 5, false]
---
new AbortSignal(); //! TypeError "illegal constructor"
---
const s = AbortSignal.timeout(1);
await new Promise((resolve) => s.addEventListener("abort", resolve));
return [s.reason.name, s.reason instanceof DOMException]; //= ["TimeoutError", true]
---
// any follows the first of its signals, and its listeners run after those of the source
const a = new AbortController(), b = new AbortController(), seen = [];
const any = AbortSignal.any([a.signal, AbortSignal.any([b.signal])]);
any.addEventListener("abort", () => seen.push("any", any.reason));
b.signal.addEventListener("abort", () => seen.push("b", any.aborted));
b.abort(1); a.abort(2);
return [seen, AbortSignal.any([AbortSignal.abort(3)]).reason, AbortSignal.any([]).aborted]; //= [["b", true, "any", 1], 3, false]
---
// listeners: once, objects, duplicates, removal, stopping, order
const t = new EventTarget(), seen = [];
const twice = () => seen.push("f"), object = { handleEvent(e) { seen.push(e.type, this === object); } };
t.addEventListener("x", twice); t.addEventListener("x", twice); t.addEventListener("x", object, { once: true });
t.addEventListener("x", (e) => { e.preventDefault(); e.stopImmediatePropagation(); });
t.addEventListener("x", () => seen.push("never"));
t.addEventListener("x", () => seen.push("capture"), true);
const done = [t.dispatchEvent(new Event("x", { cancelable: true })), t.dispatchEvent(new Event("x")), t.dispatchEvent(new Event("y"))];
t.removeEventListener("x", twice);
t.dispatchEvent(new Event("x"));
return [seen, done]; //= [["capture", "f", "x", true, "capture", "f", "capture"], [false, true, true]]
---
// a signal removes a listener
const t = new EventTarget(), c = new AbortController();
let n = 0;
t.addEventListener("x", () => n++, { signal: c.signal });
t.dispatchEvent(new Event("x")); c.abort(); t.dispatchEvent(new Event("x"));
return n; //= 1
---
// a listener that throws does not stop the others
const t = new EventTarget();
let n = 0;
t.addEventListener("x", () => { throw new Error("first"); });
t.addEventListener("x", () => n++);
return [t.dispatchEvent(new Event("x")), n]; //= [true, 1]
---
new EventTarget().dispatchEvent({ type: "x" }); //! TypeError "must be an Event"
---
const t = new EventTarget(), e = new Event("x");
let name;
t.addEventListener("x", () => { try { t.dispatchEvent(e); } catch (err) { name = err.name; } });
t.dispatchEvent(e);
return name; //= "InvalidStateError"
---
class Bus extends EventTarget { say(detail) { const e = new Event("say"); e.detail = detail; this.dispatchEvent(e); } }
const bus = new Bus();
let got;
bus.addEventListener("say", (e) => { got = e.detail; });
bus.say("hi");
return got; //= "hi"
---
const e = new DOMException("m", "AbortError"), plain = new DOMException();
return [e.name, e.message, e.code, String(e), e instanceof Error, typeof e.stack, DOMException.ABORT_ERR, e.INVALID_CHARACTER_ERR, DOMException.URL_MISMATCH_ERR, Object.prototype.toString.call(e), plain.name, plain.code]; //= ["AbortError", "m", 20, "AbortError: m", true, "string", 20, 5, 21, "[object DOMException]", "Error", 0]
---
// what Object.prototype has when events are first used is not taken for a constant
Object.prototype.prototype = 1;
Object.prototype.evil = 2;
const phases = Object.keys(Event);
delete Object.prototype.prototype;
delete Object.prototype.evil;
return phases.concat(new Event("x").AT_TARGET); //= ["NONE", "CAPTURING_PHASE", "AT_TARGET", "BUBBLING_PHASE", 2]
