// DOMException, events and abort signals.
(function (I) {
"use strict";
const { native, m, hide, then, defineProperty, apply, setPrototypeOf, slice, shows,
  $Error, $Number, $Promise, $String, $Symbol, $TypeError } = I;
const append = (l, v) => { l[l.length] = v; };
const list = () => setPrototypeOf([], null);
const tag = (C, name) => defineProperty(C.prototype, $Symbol.toStringTag, { __proto__: null, value: name, configurable: true });

const codes = { __proto__: null, IndexSizeError: 1, HierarchyRequestError: 3, WrongDocumentError: 4, InvalidCharacterError: 5,
  NoModificationAllowedError: 7, NotFoundError: 8, NotSupportedError: 9, InUseAttributeError: 10, InvalidStateError: 11,
  SyntaxError: 12, InvalidModificationError: 13, NamespaceError: 14, InvalidAccessError: 15, TypeMismatchError: 17,
  SecurityError: 18, NetworkError: 19, AbortError: 20, URLMismatchError: 21, QuotaExceededError: 22, TimeoutError: 23,
  InvalidNodeTypeError: 24, DataCloneError: 25 };
class DOMException extends $Error {
  constructor(message = "", name = "Error") {
    super($String(message));
    let cause;
    if (typeof name === "object" && name !== null) { cause = name.cause; name = name.name ?? "Error"; }
    name = $String(name);
    hide(this, "name", name);
    hide(this, "code", codes[name] ?? 0);
    if (cause !== undefined) hide(this, "cause", cause);
  }
}
tag(DOMException, "DOMException");
for (const name in codes) {
  // IndexSizeError is INDEX_SIZE_ERR, and so on.
  let constant = "";
  const stem = name === "URLMismatchError" ? "UrlMismatch" : slice(name, 0, -5);
  for (let i = 0; i < stem.length; i++) {
    const upper = m("String").toUpperCase(stem[i]);
    constant += (i > 0 && upper === stem[i] ? "_" : "") + upper;
  }
  const d = { __proto__: null, value: codes[name], enumerable: true };
  defineProperty(DOMException, constant + "_ERR", d);
  defineProperty(DOMException.prototype, constant + "_ERR", d);
}

class Event {
  #type; #bubbles; #cancelable; #composed; #canceled = false;
  #stop = false; #stopAll = false; #busy = false; #target = null; #trusted = false; #time = I.now();
  #passive = false;
  constructor(type, init) {
    if (arguments.length === 0) throw new $TypeError("Event: 1 argument required");
    this.#type = $String(type);
    this.#bubbles = !!init?.bubbles;
    this.#cancelable = !!init?.cancelable;
    this.#composed = !!init?.composed;
  }
  get type() { return this.#type; }
  get bubbles() { return this.#bubbles; }
  get cancelable() { return this.#cancelable; }
  get composed() { return this.#composed; }
  get defaultPrevented() { return this.#canceled; }
  get returnValue() { return !this.#canceled; }
  set returnValue(v) { if (!v) this.preventDefault(); }
  get cancelBubble() { return this.#stop; }
  set cancelBubble(v) { if (v) this.#stop = true; }
  get target() { return this.#target; }
  get srcElement() { return this.#target; }
  get currentTarget() { return this.#busy ? this.#target : null; }
  get eventPhase() { return this.#busy ? 2 : 0; }
  get isTrusted() { return this.#trusted; }
  get timeStamp() { return this.#time; }
  composedPath() { return this.#busy ? [this.#target] : []; }
  preventDefault() { if (this.#cancelable && !this.#passive) this.#canceled = true; }
  stopPropagation() { this.#stop = true; }
  stopImmediatePropagation() { this.#stop = this.#stopAll = true; }
  static {
    tag(this, "Event");
    const phases = { __proto__: null, NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 };
    for (const k in phases) {
      defineProperty(this, k, { __proto__: null, value: phases[k], enumerable: true });
      defineProperty(this.prototype, k, { __proto__: null, value: phases[k], enumerable: true });
    }
    isEvent = (e) => typeof e === "object" && e !== null && #type in e;
    isBusy = (e) => e.#busy;
    trust = (e) => { e.#trusted = true; return e; };
    begin = (e, target) => { e.#busy = true; e.#target = target; };
    passive = (e, on) => { e.#passive = on; };
    stoppedAll = (e) => e.#stopAll;
    end = (e) => { e.#busy = e.#stop = e.#stopAll = false; return !e.#canceled; };
  }
}
var isEvent, isBusy, trust, begin, passive, stoppedAll, end;

class EventTarget {
  #listeners = list();
  addEventListener(type, callback, options) {
    if (arguments.length < 2) throw new $TypeError("addEventListener: 2 arguments required");
    add(this.#listeners, type, callback, options);
  }
  removeEventListener(type, callback, options) {
    if (arguments.length < 2) throw new $TypeError("removeEventListener: 2 arguments required");
    remove(this.#listeners, $String(type), callback, capturing(options));
  }
  dispatchEvent(event) {
    if (!isEvent(event)) throw new $TypeError("dispatchEvent: the argument must be an Event");
    if (isBusy(event)) throw new DOMException("dispatchEvent: the event is already being dispatched", "InvalidStateError");
    return dispatch(this.#listeners, this, event);
  }
  static {
    tag(this, "EventTarget");
    listenersOf = (t) => t.#listeners;
  }
}
var listenersOf;
const capturing = (o) => typeof o === "boolean" ? o : !!o?.capture;
function add(listeners, type, callback, options) {
  const capture = capturing(options);
  let once = false, quiet = false, signal;
  if (typeof options === "object" && options !== null) {
    once = !!options.once;
    quiet = !!options.passive;
    signal = options.signal;
    if (signal !== undefined && !isSignal(signal)) throw new $TypeError("addEventListener: signal must be an AbortSignal");
  }
  type = $String(type);
  if (callback !== null && callback !== undefined && typeof callback !== "function" && typeof callback !== "object") {
    throw new $TypeError("addEventListener: the listener must be a function or an object");
  }
  if (callback === null || callback === undefined || signal !== undefined && isAborted(signal)) return;
  for (let i = 0; i < listeners.length; i++) {
    const l = listeners[i];
    if (l.type === type && l.callback === callback && l.capture === capture) return;
  }
  append(listeners, { __proto__: null, type, callback, capture, once, passive: quiet, removed: false });
  if (signal !== undefined) whenAborted(signal, () => { remove(listeners, type, callback, capture); });
}
function remove(listeners, type, callback, capture) {
  for (let i = 0; i < listeners.length; i++) {
    const l = listeners[i];
    if (l.type !== type || l.callback !== callback || l.capture !== capture) continue;
    l.removed = true;
    for (; i + 1 < listeners.length; i++) listeners[i] = listeners[i + 1];
    listeners.length--;
    return;
  }
}
function dispatch(listeners, target, event) {
  begin(event, target);
  const type = event.type, now = list();
  for (let capture = 1; capture >= 0; capture--) {
    for (let i = 0; i < listeners.length; i++) if (listeners[i].capture === (capture === 1)) append(now, listeners[i]);
  }
  for (let i = 0; i < now.length && !stoppedAll(event); i++) {
    const l = now[i];
    if (l.removed || l.type !== type) continue;
    if (l.once) remove(listeners, type, l.callback, l.capture);
    passive(event, l.passive);
    try {
      const callback = l.callback;
      if (typeof callback === "function") apply(callback, target, [event]);
      else callback.handleEvent(event);
    } catch (e) { I.log("error", ["Uncaught in a listener for", type + ":", e]); }
    passive(event, false);
  }
  return end(event);
}

let making = false; // the constructor of AbortSignal is not for guests
class AbortSignal extends EventTarget {
  #aborted = false; #reason = undefined; #steps = list(); #dependents = list(); #onabort = null; #handler = undefined;
  constructor() {
    if (!making) throw new $TypeError("AbortSignal: illegal constructor");
    making = false;
    super();
  }
  get aborted() { return this.#aborted; }
  get reason() { return this.#reason; }
  throwIfAborted() { if (this.#aborted) throw this.#reason; }
  get onabort() { return this.#onabort; }
  set onabort(f) {
    this.#onabort = typeof f === "function" ? f : null;
    if (this.#handler !== undefined) return;
    this.#handler = (event) => { if (this.#onabort !== null) apply(this.#onabort, this, [event]); };
    add(listenersOf(this), "abort", this.#handler, undefined);
  }
  static abort(reason) {
    const s = make();
    abort(s, reason === undefined ? aborted() : reason);
    return s;
  }
  static timeout(ms) {
    const n = $Number(ms);
    if (!(n >= 0 && n <= 9007199254740991)) throw new $TypeError("AbortSignal.timeout: milliseconds must be a number from 0 to 2^53 - 1");
    const s = make();
    expire(s, n);
    return s;
  }
  static any(signals) {
    const s = make(), all = list();
    for (const x of signals) {
      if (!isSignal(x)) throw new $TypeError("AbortSignal.any: every item must be an AbortSignal");
      append(all, x);
    }
    for (let i = 0; i < all.length; i++) if (all[i].#aborted) { abort(s, all[i].#reason); return s; }
    for (let i = 0; i < all.length; i++) append(all[i].#dependents, s);
    return s;
  }
  static {
    tag(this, "AbortSignal");
    isSignal = (s) => typeof s === "object" && s !== null && #aborted in s;
    isAborted = (s) => s.#aborted;
    reasonOf = (s) => s.#reason;
    whenAborted = (s, step) => { append(s.#steps, step); };
    notWhenAborted = (s, step) => {
      const steps = s.#steps;
      let n = 0;
      for (let i = 0; i < steps.length; i++) if (steps[i] !== step) steps[n++] = steps[i];
      steps.length = n;
    };
    // All that depend on a signal are aborted before the first listener of any of them runs.
    const mark = (s, reason, marked) => {
      if (s.#aborted) return;
      s.#aborted = true;
      s.#reason = reason;
      append(marked, s);
      for (let i = 0; i < s.#dependents.length; i++) mark(s.#dependents[i], reason, marked);
    };
    abort = (s, reason) => {
      const marked = list();
      mark(s, reason, marked);
      for (let k = 0; k < marked.length; k++) {
        const steps = marked[k].#steps;
        marked[k].#steps = list();
        for (let i = 0; i < steps.length; i++) steps[i]();
        dispatch(listenersOf(marked[k]), marked[k], trust(new Event("abort")));
      }
    };
    append(shows, (v) => isSignal(v) ? { aborted: v.#aborted, ...v.#aborted && { reason: v.#reason } } : undefined);
  }
}
var isSignal, isAborted, reasonOf, whenAborted, notWhenAborted, abort;
const make = () => { making = true; return new AbortSignal(); };
const aborted = () => new DOMException("This operation was aborted", "AbortError");
async function expire(s, ms) {
  try { await native(OP.Timer, ms); } catch { return; }
  abort(s, new DOMException("The operation was aborted due to timeout", "TimeoutError"));
}

// sleep is the global one with options. The host waits no longer than the guest.
async function sleep(ms, options) {
  const signal = options.signal ?? undefined;
  if (signal === undefined) return native(OP.Sleep, ms);
  if (!isSignal(signal)) throw new $TypeError("sleep: signal must be an AbortSignal");
  if (isAborted(signal)) throw reasonOf(signal);
  return new $Promise((resolve, reject) => {
    const id = ++I.state.waits, step = () => { native(OP.EndWait, id); reject(reasonOf(signal)); };
    const leave = () => { notWhenAborted(signal, step); };
    then(native(OP.Sleep, [ms, id]), () => { leave(); resolve(); }, (e) => { leave(); reject(e); });
    whenAborted(signal, step);
  });
}

class AbortController {
  #signal = make();
  get signal() { return this.#signal; }
  abort(reason) { abort(this.#signal, reason === undefined ? aborted() : reason); }
  static {
    tag(this, "AbortController");
    append(shows, (v) => #signal in v ? { signal: v.#signal } : undefined);
  }
}
append(shows, (v) => isEvent(v) ? { type: v.type, defaultPrevented: v.defaultPrevented, cancelable: v.cancelable } : undefined);

return { __proto__: null, DOMException, Event, EventTarget, AbortController, AbortSignal, sleep, signals: { __proto__: null, isSignal, isAborted, reasonOf, whenAborted } };
})
