// What a guest finds as globals, as far as it is used in most runs. The rest is
// in units, which a global loads when it is first touched.

// Intrinsics that units use, by class. m gives the same functions with their
// receiver as first argument.
const captured = create(null), uncurried = create(null);
function capture(name, from, keys) {
  const table = captured[name] ??= create(null);
  keys = keys.split(" ");
  for (let i = 0; i < keys.length; i++) {
    const d = getOwnPropertyDescriptor(from, keys[i]);
    table[keys[i]] = d.get ?? d.value;
  }
}
function m(name) {
  let table = uncurried[name];
  if (table === undefined) {
    table = uncurried[name] = create(null);
    const from = captured[name], keys = ownKeys(from);
    for (let i = 0; i < keys.length; i++) table[keys[i]] = uncurry(from[keys[i]]);
  }
  return table;
}
const typedArray = getPrototypeOf(Uint8Array), iteratorOf = (o) => getPrototypeOf(o);
capture("String", String.prototype, "charCodeAt codePointAt trim padEnd repeat toLowerCase toUpperCase toWellFormed");
capture("Array", Array.prototype, "join sort splice");
capture("Map", Map.prototype, "get set has delete entries size");
capture("Set", Set.prototype, "values size");
capture("MapIterator", iteratorOf(new Map().entries()), "next");
capture("SetIterator", iteratorOf(new Set().values()), "next");
capture("WeakMap", WeakMap.prototype, "get set");
capture("FinalizationRegistry", FinalizationRegistry.prototype, "register");
capture("Date", Date.prototype, "toISOString");
capture("BigInt", BigInt.prototype, "valueOf");
capture("Symbol", Symbol.prototype, "toString valueOf");
capture("Function", Function.prototype, "toString");
capture("Number", Number.prototype, "toFixed valueOf");
capture("RegExp", RegExp.prototype, "exec");
capture("Promise", Promise.prototype, "then");
capture("Bytes", typedArray.prototype, "buffer byteOffset byteLength length set subarray fill");
capture("Bytes", Uint8Array.prototype, "toBase64 toHex");
capture("Buffer", ArrayBuffer.prototype, "byteLength transfer");
const fromBase64 = Uint8Array.fromBase64.bind(Uint8Array), fromHex = Uint8Array.fromHex.bind(Uint8Array),
  stringify = JSON.stringify, fromCharCode = String.fromCharCode, objectToString = Object.prototype.toString,
  $WeakMap = WeakMap, then = uncurry(Promise.prototype.then),
  dateToString = uncurry(Date.prototype.toString), dateNow = Date.now;

const loaded = create(null);
const unit = (i) => loaded[i] ??= native(OP.Unit, i)(internals);

hooks.hostFunction = (id, name) => ({ [name](...args) { return call(OP.CallGlobal, [id, args]); } })[name];

// The console. quiet is set once the host collects nothing more; indent belongs to groups.
// waits numbers the waits that can be ended early.
const state = { __proto__: null, quiet: false, indent: "", now: undefined, waits: 0, timers: 0 };
const now = () => state.now === undefined ? native(OP.PerformanceNow) : state.now;
// The host keeps at most 524 288 characters of a run and 500 of a progress message. It gets
// a few more, so that it can redact a secret at the place where it cuts.
const beyond = 4096, maxLine = 524288 + beyond;
function send(level, text) {
  if (state.indent !== "") text = unit(UNIT.console).indent(text);
  if (text.length > maxLine) text = slice(text, 0, maxLine);
  if (native(OP.Log, [level, text]) === false) state.quiet = true;
}
function log(level, args) {
  if (state.quiet) return;
  let line = "";
  for (let i = 0; i < args.length; i++) {
    const v = args[i];
    if (typeof v === "string") {
      if (i === 0 && args.length > 1 && indexOf(v, "%") >= 0) return send(level, unit(UNIT.inspect).format(args));
      line += i === 0 ? v : " " + v;
    } else if (typeof v === "number" && v !== 0 || v === undefined || v === null || typeof v === "boolean") {
      line += i === 0 ? "" + v : " " + v;
    } else return send(level, unit(UNIT.inspect).format(args));
  }
  send(level, line);
}
// stub makes a function that a unit implements.
const stub = (i, name) => ({ [name](...args) { return apply(unit(i)[name], undefined, args); } })[name];
function stubs(i, names, into) {
  names = names.split(" ");
  for (let k = 0; k < names.length; k++) put(into, names[k], freeze(stub(i, names[k])));
  return into;
}
const console = {
  log: freeze((...args) => { log("log", args); }), info: freeze((...args) => { log("info", args); }),
  warn: freeze((...args) => { log("warn", args); }), error: freeze((...args) => { log("error", args); }),
  debug: freeze((...args) => { log("debug", args); }),
};
stubs(UNIT.console, "trace dir table time timeEnd timeLog group groupEnd groupCollapsed assert count countReset", console);

// One lineage lets defineProperty change the value of a constant of the global object. There
// the constants are accessors, which it does protect.
let leaky = true;
try { defineProperty(globalThis, "NaN", { value: 0 }); defineProperty(globalThis, "NaN", { value: 0 / 0 }); } catch { leaky = false; }
const constant = (name, value) => {
  freeze(value);
  defineProperty(globalThis, name, leaky ? { __proto__: null, get: () => value } : { __proto__: null, value });
};
const constants = (values) => { for (const name in values) constant(name, values[name]); };
const { emit } = { emit(name, value) { return call(OP.Emit, [name, value], typeof name === "string" ? undefined : "emit: name must be a string"); } };
stubs(UNIT.parallel, "many", emit);
constants({
  console,
  sleep(ms, options) {
    let n = 0;
    try { n = $Number(ms); } catch {}
    if (!(n > 0)) n = 0;
    if (typeof options === "object" && options !== null) return unit(UNIT.events).sleep(n, options);
    return native(OP.Sleep, n);
  },
  emit,
  output(name, value) { return call(OP.Output, [name, value], typeof name === "string" ? undefined : "output: name must be a string"); },
  progress(percent, message) {
    let n = 0, text;
    try { n = $Number(percent); } catch {}
    n = n > 100 && n < Infinity ? 100 : n > 0 && n < Infinity ? n : 0;
    try { if (message !== undefined && message !== null) text = slice($String(message), 0, 500 + beyond); } catch {}
    try { native(OP.Progress, [n, text]); } catch {}
  },
});
constants(stubs(UNIT.bytes, "toBase64 fromBase64 toHex fromHex", {}));
constants(stubs(UNIT.parallel, "parallelMap", {}));
hide(globalThis, "__maxIter", 10000);

// Functions and classes of the web. Like an engine's own they can be replaced.
const settled = Promise.resolve();
hide(settled, "constructor", undefined); // then() asks for it; undefined means the intrinsic
hide(globalThis, "queueMicrotask", function queueMicrotask(callback) {
  if (typeof callback !== "function") throw new $TypeError("queueMicrotask: callback must be a function");
  then(settled, () => { callback(); });
});
hide(globalThis, "structuredClone", stub(UNIT.bytes, "structuredClone"));
hide(globalThis, "atob", stub(UNIT.bytes, "atob"));
hide(globalThis, "btoa", stub(UNIT.bytes, "btoa"));
function onDemand(name, make) {
  defineProperty(globalThis, name, {
    __proto__: null, enumerable: false, configurable: true,
    get() {
      const v = make();
      try { hide(globalThis, name, v); } catch {} // the guest froze its globalThis
      return v;
    },
    set(v) { hide(globalThis, name, v); },
  });
}
function lazily(i, names) {
  names = names.split(" ");
  for (let k = 0; k < names.length; k++) onDemand(names[k], () => unit(i)[names[k]]);
}
lazily(UNIT.url, "URL URLSearchParams");
lazily(UNIT.text, "TextEncoder TextDecoder");
lazily(UNIT.events, "DOMException Event EventTarget AbortController AbortSignal");

// Bridges: functions of the host, by the table that Go makes of them. A bridge opens when a
// guest first touches one of its globals.
const [bridgeList, bridgeGlobals] = $BRIDGES;
const openBridges = create(null);
function eachFunction(i, f) {
  const functions = bridgeList[i][1];
  for (let at = 0; at < functions.length;) {
    const space = indexOf(functions, " ", at), end = indexOf(functions, "\n", space);
    f(slice(functions, at, space), $Number(slice(functions, space + 1, end)));
    at = end + 1;
  }
}
function openBridge(i) {
  let found = openBridges[i];
  if (found !== undefined) return found;
  found = create(null);
  const scriptUnit = bridgeList[i][0];
  eachFunction(i, (name, op) => {
    let dot = 0;
    for (let d; (d = indexOf(name, ".", dot)) >= 0;) dot = d + 1;
    const last = slice(name, dot);
    if (op >= OP.Async) found[name] = freeze({ [last](...args) { return call(op, args); } }[last]);
    else if (op > 0) found[name] = freeze({ [last](...args) { return native(op, args); } }[last]);
    else found[name] = undefined;
  });
  if (scriptUnit >= 0) {
    const own = native(OP.Unit, scriptUnit)(internals, found);
    for (let k = 0, names = ownKeys(own); k < names.length; k++) found[names[k]] = own[names[k]];
  }
  return openBridges[i] = found;
}
// buildGlobal puts together what the bridges have under a global. A script may give a whole
// object; what it leaves out of it is added as long as it can be.
function buildGlobal(name, bridges) {
  const made = [];
  let root;
  for (let k = 0; k < bridges.length; k++) root ??= openBridge(bridges[k])[name];
  for (let k = 0; k < bridges.length; k++) {
    const found = openBridge(bridges[k]), names = ownKeys(found);
    for (let i = 0; i < names.length; i++) {
      const path = names[i], v = found[path];
      if (v === undefined || !startsWith(path, name + ".")) continue;
      if (root === undefined) put(made, made.length, root = {});
      let into = root, at = name.length + 1, d;
      for (; (d = indexOf(path, ".", at)) >= 0; at = d + 1) {
        const key = slice(path, at, d);
        if (!hasOwn(into, key)) {
          put(made, made.length, {});
          put(into, key, made[made.length - 1]);
        }
        into = into[key];
      }
      const key = slice(path, at);
      if (!hasOwn(into, key)) put(into, key, v);
    }
  }
  for (let k = 0; k < made.length; k++) freeze(made[k]);
  return root;
}
// crypto begins here, because few runs want more of it than this. Bridges complete it.
const crypto = stubs(UNIT.bytes, "getRandomValues digest hmac timingSafeEqual", { randomUUID: freeze(() => native(OP.RandomUUID)) });
function completeCrypto(i) {
  eachFunction(i, (name) => {
    if (!startsWith(name, "crypto.")) return;
    const dot = indexOf(name, ".", 7), key = slice(name, 7, dot < 0 ? name.length : dot);
    if (dot < 0) put(crypto, key, freeze({ [key](...args) { return apply(openBridge(i)[name], undefined, args); } }[key]));
    else if (!hasOwn(crypto, key)) defineProperty(crypto, key, { __proto__: null, enumerable: true, get: freeze(() => openBridge(i)["crypto." + key]) });
  });
}
for (let i = 0; i < bridgeGlobals.length; i++) {
  const [name, bridges, replaceable] = bridgeGlobals[i];
  if (name === "crypto") {
    for (let k = 0; k < bridges.length; k++) completeCrypto(bridges[k]);
    continue;
  }
  let value;
  const get = () => value ??= buildGlobal(name, bridges);
  if (replaceable) onDemand(name, get);
  else defineProperty(globalThis, name, { __proto__: null, get });
}

constant("crypto", crypto);
// bridge is what the bridge with a global has, by the names of its functions.
function bridge(global) {
  for (let i = 0; i < bridgeGlobals.length; i++) if (bridgeGlobals[i][0] === global) return openBridge(bridgeGlobals[i][1][0]);
}
// Methods that format by locale are the Intl bridge's, where there is one.
const localised = (o, name, key) => hide(o, name, { [name](...args) { return bridge("Intl")._Intl.localised[key](this, args); } }[name]);
for (let i = 0; i < bridgeGlobals.length; i++) {
  if (bridgeGlobals[i][0] !== "Intl") continue;
  localised(Number.prototype, "toLocaleString", "number");
  localised(BigInt.prototype, "toLocaleString", "bigint");
  localised(Date.prototype, "toLocaleString", "date");
  localised(Date.prototype, "toLocaleDateString", "dateOnly");
  localised(Date.prototype, "toLocaleTimeString", "timeOnly");
  localised(Array.prototype, "toLocaleString", "array");
  localised(typedArray.prototype, "toLocaleString", "typedArray");
}

// __secretScope is a copy of what the bridge says, which decides nothing.
onDemand("__secretScope", () => {
  for (let i = 0; i < bridgeList.length; i++) {
    if (indexOf(bridgeList[i][1], "nodetool.secrets.list ") >= 0) return openBridge(i)["nodetool.secrets.list"]();
  }
  return null;
});

// The two lineages, levelled.
if (Error.captureStackTrace === undefined) {
  hide(Error, "captureStackTrace", function captureStackTrace(o) { hide(o, "stack", native(OP.Stack)); });
}
if (Array.fromAsync === undefined) {
  hide(Array, "fromAsync", { fromAsync(items, map, receiver) { return unit(UNIT.parallel).fromAsync(this, items, map, receiver); } }.fromAsync);
}
if ("c".localeCompare("a") !== 1) {
  const compare = uncurry(String.prototype.localeCompare);
  hide(String.prototype, "localeCompare", { localeCompare(that) { const n = compare(this, that); return n < 0 ? -1 : n > 0 ? 1 : 0; } }.localeCompare);
}
delete Iterator.zip;
delete Iterator.zipKeyed;
delete ArrayBuffer.prototype.immutable;
delete ArrayBuffer.prototype.sliceToImmutable;
delete ArrayBuffer.prototype.transferToImmutable;
for (const name of "eval performance setTimeout clearTimeout DisposableStack AsyncDisposableStack SuppressedError Atomics WebAssembly".split(" ")) delete globalThis[name];

// Code from strings is impossible: the engine has no compiler here. The name stays,
// because libraries test for it and ask whether a value is an instance of it.
const refuse = (name) => {
  const f = { [name]: function () { throw new $TypeError("code generation from strings is disabled in the sandbox: " + name + " cannot be called"); } }[name];
  defineProperty(f, "length", { __proto__: null, value: 1 });
  return f;
};
const kinds = [Function.prototype, getPrototypeOf(async () => {}), getPrototypeOf(function* () {}), getPrototypeOf(async function* () {})];
const kindNames = ["Function", "AsyncFunction", "GeneratorFunction", "AsyncGeneratorFunction"];
for (let i = 0; i < 4; i++) {
  const f = refuse(kindNames[i]);
  defineProperty(f, "prototype", { __proto__: null, value: kinds[i], writable: false });
  hide(kinds[i], "constructor", f);
  if (i === 0) hide(globalThis, "Function", f);
}

// allowTimers gives the guest timers, most of them at one time. The host invokes it before a
// run that asks for it.
hooks.allowTimers = (most) => {
  state.timers = most;
  lazily(UNIT.timers, "setTimeout clearTimeout setInterval clearInterval");
};

// fixClock stops the clock at ms. The host invokes it before a run that asks for it.
hooks.fixClock = (ms) => {
  const Clock = function Date(...args) {
    if (new.target === undefined) return dateToString(new $Date(ms));
    return construct($Date, args.length === 0 ? [ms] : args, new.target);
  };
  hide(Clock, "now", { now() { return ms; } }.now);
  hide(Clock, "parse", $Date.parse);
  hide(Clock, "UTC", $Date.UTC);
  defineProperty(Clock, "length", { __proto__: null, value: 7 });
  defineProperty(Clock, "prototype", { __proto__: null, value: $Date.prototype, writable: false });
  hide($Date.prototype, "constructor", Clock);
  hide(globalThis, "Date", Clock);
  state.now = ms;
};

const internals = {
  __proto__: null, native, uncurry, m, unit, call, clean, log, send, state, now, kinds, kindNames, text, put, hide, then, refuse,
  defineProperty, ownKeys, freeze, create, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf, isArray, apply, construct,
  hasOwn, startsWith, slice, indexOf, objectToString, hooks, fromBase64, fromHex, stringify, parseJSON: JSON.parse, fromCharCode,
  $Object, $Array, $Error, $Map, $Number, $String, $Symbol, $Promise, $Proxy: Proxy, $SyntaxError: SyntaxError, $TypeError, $RangeError, $Uint8Array, $WeakMap, $FinalizationRegistry: FinalizationRegistry,
  $Uint8ClampedArray: Uint8ClampedArray, $Float32Array: Float32Array, $Float64Array: Float64Array,
  $Math: { __proto__: null, abs: Math.abs, floor: Math.floor, round: Math.round, min: Math.min, max: Math.max, sin: Math.sin, cos: Math.cos, tan: Math.tan, atan2: Math.atan2, PI: Math.PI },
  bridge, dateValue: dateGetTime, dateNow: () => state.now === undefined ? dateNow() : state.now,
  cloneError: () => lastCloneError, shows: setPrototypeOf([], null), parseInt, parseFloat,
};
