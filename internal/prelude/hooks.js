// Hooks: what the engines' encoder, decoder and loader call by name. They use only
// intrinsics captured here, before any guest code runs, so that a guest which
// overwrites Map.prototype.get or Error breaks only itself.
//
// Evaluated first, inside the prelude's function; `native` is in scope.
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const $Object = Object, $Array = Array, $Error = Error, $Map = Map, $Set = Set, $Date = Date,
  $RegExp = RegExp, $BigInt = BigInt, $Number = Number, $String = String, $Symbol = Symbol,
  $Promise = Promise, $TypeError = TypeError, $RangeError = RangeError, $Reflect = Reflect,
  $Uint8Array = Uint8Array, $ArrayBuffer = ArrayBuffer, $DataView = DataView;
const defineProperty = Object.defineProperty, ownKeys = Reflect.ownKeys, freeze = Object.freeze,
  create = Object.create, getOwnPropertyDescriptor = Object.getOwnPropertyDescriptor,
  getPrototypeOf = Object.getPrototypeOf, setPrototypeOf = Object.setPrototypeOf,
  objectKeys = Object.keys, isArray = Array.isArray, apply = Reflect.apply, construct = Reflect.construct;
const mapForEach = uncurry(Map.prototype.forEach), mapSet = uncurry(Map.prototype.set),
  setForEach = uncurry(Set.prototype.forEach), setAdd = uncurry(Set.prototype.add),
  bigintToString = uncurry(BigInt.prototype.toString),
  numberValueOf = uncurry(Number.prototype.valueOf), stringValueOf = uncurry(String.prototype.valueOf),
  booleanValueOf = uncurry(Boolean.prototype.valueOf), bigintValueOf = uncurry(BigInt.prototype.valueOf),
  dateGetTime = uncurry(Date.prototype.getTime),
  hasOwn = uncurry(Object.prototype.hasOwnProperty),
  startsWith = uncurry(String.prototype.startsWith), slice = uncurry(String.prototype.slice),
  indexOf = uncurry(String.prototype.indexOf),
  getter = (o, k) => uncurry(getOwnPropertyDescriptor(o, k).get);
const regexpSource = getter(RegExp.prototype, "source"),
  viewBuffer = getter(DataView.prototype, "buffer"), viewByteOffset = getter(DataView.prototype, "byteOffset"),
  viewByteLength = getter(DataView.prototype, "byteLength");

// The standard's own getter of flags asks the properties global, sticky and so on, which a guest can replace.
const regexpFlagNames = ["hasIndices", "global", "ignoreCase", "multiline", "dotAll", "unicode", "unicodeSets", "sticky"],
  regexpFlagLetters = "dgimsuvy", regexpFlag = [];
for (let i = 0; i < regexpFlagNames.length; i++) regexpFlag[i] = getter(RegExp.prototype, regexpFlagNames[i]);
function regexpFlags(r) {
  let flags = "";
  for (let i = 0; i < 8; i++) if (regexpFlag[i](r)) flags += regexpFlagLetters[i];
  return flags;
}

const put = (o, k, v) => defineProperty(o, k, { __proto__: null, value: v, writable: true, enumerable: true, configurable: true });
const hide = (o, k, v) => defineProperty(o, k, { __proto__: null, value: v, writable: true, enumerable: false, configurable: true });

const stackOverflow = "Maximum call stack size exceeded";
const errorClasses = { __proto__: null, Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError, AggregateError };

// AggregateError iterates its first argument; an array would use the guest's array iterator.
const nothing = { __proto__: null, [Symbol.iterator]: () => ({ __proto__: null, next: () => ({ __proto__: null, done: true }) }) };

// text reads a property as a string and never throws; getters may run guest code.
function text(o, k, otherwise) {
  try {
    const v = o[k];
    return v === undefined || v === null ? otherwise : typeof v === "string" ? v : $String(v);
  } catch { return otherwise; }
}

// clean drops the prelude's own frames from a stack, and what they called natively.
function clean(stack) {
  let out = "", held = "";
  for (let i = 0; i < stack.length;) {
    let j = indexOf(stack, "\n", i);
    if (j < 0) j = stack.length;
    const frame = slice(stack, i, j);
    i = j + 1;
    if (indexOf(frame, "quicksand:prelude") >= 0) held = "";
    else if (indexOf(frame, "(native)") >= 0) held += frame + "\n";
    else if (frame !== "") { out += held + frame + "\n"; held = ""; }
  }
  return out + held;
}

// call starts host work at once. What is wrong with the arguments rejects, too.
const fail = async (e) => { throw e; };
function call(op, arg, wrong) {
  if (wrong !== undefined) return fail(new $TypeError(wrong));
  try { return native(op, arg, true); } catch (e) { return fail(e); }
}

// The error that cloneError made last: structuredClone tells by it what its own failures are.
let lastCloneError;

const hooks = {
  __proto__: null,
  // One object of every class, so that an engine can learn its class numbers.
  samples: [{}, [], () => 0, new Error(), new Date(0), /x/, new Map(), new Set(), new WeakMap(), new WeakSet(),
    new WeakRef({}), Promise.resolve(), new Proxy({}, {}), new ArrayBuffer(0), new SharedArrayBuffer(0),
    new DataView(new ArrayBuffer(0)), Object(0), Object(""), Object(false), Object(Symbol()), Object(0n),
    (function* () {})(), (function () { return arguments; })(), new Uint8Array(0), new Uint8ClampedArray(0),
    new Int8Array(0), new Int16Array(0), new Uint16Array(0), new Int32Array(0), new Uint32Array(0),
    new BigInt64Array(0), new BigUint64Array(0), new Float16Array(0), new Float32Array(0), new Float64Array(0)],
  sampleNames: ["Object", "Array", "Function", "Error", "Date", "RegExp", "Map", "Set", "WeakMap", "WeakSet",
    "WeakRef", "Promise", "Proxy", "ArrayBuffer", "SharedArrayBuffer", "DataView", "Number", "String", "Boolean",
    "Symbol", "BigInt", "Generator", "Arguments", "Uint8Array", "Uint8ClampedArray", "Int8Array", "Int16Array",
    "Uint16Array", "Int32Array", "Uint32Array", "BigInt64Array", "BigUint64Array", "Float16Array", "Float32Array",
    "Float64Array"],

  // Encoding, for classes whose content the engine's API does not give.
  mapEntries(m) { const out = []; let n = 0; mapForEach(m, (v, k) => { put(out, n++, k); put(out, n++, v); }); return out; },
  setValues(s) { const out = []; let n = 0; setForEach(s, (v) => { put(out, n++, v); }); return out; },
  dateValue(d) { return dateGetTime(d); },
  regexpParts(r) { return [regexpSource(r), regexpFlags(r)]; },
  viewParts(v) { return [viewBuffer(v), viewByteOffset(v), viewByteLength(v)]; },
  bigintText(b) { return bigintToString(b, 16); },
  unbox(o, cls) {
    switch (cls) {
      case "Number": return numberValueOf(o);
      case "String": return stringValueOf(o);
      case "Boolean": return booleanValueOf(o);
      default: return bigintValueOf(o);
    }
  },
  // errorParts returns [name, message, stack, extra]; extra holds cause, errors and own enumerable properties.
  errorParts(e) {
    const extra = {};
    if (hasOwn(e, "cause")) put(extra, "cause", e.cause);
    if (hasOwn(e, "errors")) put(extra, "errors", e.errors);
    const keys = objectKeys(e);
    for (let i = 0; i < keys.length; i++) {
      const k = keys[i];
      if (k !== "name" && k !== "message" && k !== "stack" && !hasOwn(extra, k)) put(extra, k, e[k]);
    }
    return [text(e, "name", "Error"), text(e, "message", ""), clean(text(e, "stack", "")), extra];
  },
  // cloneError makes the exception for a value that cannot cross; path is like "value.rows[2]".
  cloneError(message) { const e = new $TypeError(message); hide(e, "name", "DataCloneError"); hide(e, "code", 25); return lastCloneError = e; },

  // Decoding.
  newMap() { return new $Map(); },
  mapSet(m, k, v) { mapSet(m, k, v); },
  newSet() { return new $Set(); },
  setAdd(s, v) { setAdd(s, v); },
  newDate(ms) { return new $Date(ms); },
  newRegExp(source, flags) { return new $RegExp(source, flags); },
  newBigInt(hex) { return hex[0] === "-" ? -$BigInt("0x" + slice(hex, 1)) : $BigInt("0x" + hex); },
  newDataView(buffer) { return new $DataView(buffer); },
  // newError makes the object; its entries are decoded after that and given to errorEntry one by one.
  newError(name, message, stack) {
    const known = errorClasses[name];
    let e;
    if (name === "AggregateError") e = new known(nothing, message);
    else e = new (known === undefined ? $Error : known)(message);
    if (known === undefined) hide(e, "name", name);
    if (stack !== "") hide(e, "stack", stack);
    return e;
  },
  errorEntry(e, k, v) { (k === "cause" || k === "errors" || k === "code" ? hide : put)(e, k, v); },
  // rejected gives an error of the host's the stack of the guest's call, at which the engine made the error at.
  rejected(e, at) { if (native(5, e) === "Error") hide(e, "stack", clean(text(at, "stack", ""))); },
  // hostFunction makes the guest's side of a Go function. The prelude replaces it.
  hostFunction(id, name) { return undefined; },

  // facade makes the exports of a module of host functions, names and values in turn, of
  // [withDefault, name, operation, …].
  facade(list) {
    const out = [], all = {};
    const add = (name, v) => { put(out, out.length, name); put(out, out.length, v); };
    for (let i = 1; i < list.length; i += 2) {
      const name = list[i], op = list[i + 1], f = freeze({ [name](...args) { return call(op, args); } }[name]);
      put(all, name, f);
      add(name, f);
    }
    if (list[0]) add("default", freeze(all));
    return out;
  },

  // Called by the host through Isolate.Invoke, or by the engine for a failure.
  defineGlobals(values) { const keys = ownKeys(values); for (let i = 0; i < keys.length; i++) put(globalThis, keys[i], values[keys[i]]); },
  // readGlobals makes an object of globals, or gives the one whose name it gets: undefined for
  // what is left out of objects.
  readGlobals(names) {
    if (typeof names === "string") {
      const v = globalThis[names];
      return typeof v === "function" || typeof v === "symbol" ? undefined : v;
    }
    const out = {};
    for (let i = 0; i < names.length; i++) put(out, names[i], globalThis[names[i]]);
    return out;
  },
  // describe turns anything thrown into plain data. For an error: {isError: true, name,
  // message, stack}, code and cause when there are any, and stackOverflow or outOfMemory: true
  // where the engine's own limit was met (worded alike on both lineages). Otherwise
  // {isError: false} and value (a string) or type. It must not throw and must not be fooled into a long run by getters more than the deadline allows.
  describe(e) {
    const out = {};
    const isError = native(5, e) === "Error" || (typeof e === "object" && e !== null && typeof text(e, "stack", undefined) === "string" && typeof text(e, "message", undefined) === "string");
    put(out, "isError", isError);
    if (isError) {
      let name = text(e, "name", "Error"), message = text(e, "message", "");
      if (message === "stack overflow" && (name === "InternalError" || name === "SyntaxError")) name = "RangeError", message = stackOverflow;
      if (name === "RangeError" && message === stackOverflow) put(out, "stackOverflow", true);
      if (name === "InternalError" && (message === "out of memory" || message === "out of memory in regexp execution")) put(out, "outOfMemory", true);
      put(out, "name", name);
      put(out, "message", message);
      put(out, "stack", clean(text(e, "stack", "")));
      try { const c = e.code; if (typeof c === "string" || typeof c === "number") put(out, "code", c); } catch {}
      try { const c = e.cause; if (c !== undefined) put(out, "cause", native(5, c) === "Error" ? text(c, "name", "Error") + ": " + text(c, "message", "") : text({ c }, "c", "")); } catch {}
    } else if (typeof e === "string") put(out, "value", e);
    else put(out, "type", e === null ? "null" : typeof e);
    return out;
  },
};
