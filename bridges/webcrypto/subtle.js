// crypto.subtle and CryptoKey. The host has the keys and decides everything; here arguments
// are converted as Web IDL says, and errors become DOMExceptions.
(function (I, host) {
"use strict";
const { native, unit, freeze, create, hide, hasOwn, isArray, getPrototypeOf, setPrototypeOf, defineProperty, text,
  apply, $Array, $String, $Symbol, $SyntaxError, $TypeError } = I;
// Other units are loaded when they are needed: each costs a run about as much as itself.
const bytes = () => unit(UNIT.bytes);
const append = (l, v) => { l[l.length] = v; };
const list = () => setPrototypeOf([], null);

const secret = {};
let isKey, idOf;
class CryptoKey {
  #id; #type; #extractable; #algorithm; #usages;
  constructor(s, d) {
    if (s !== secret) throw new $TypeError("Illegal constructor: use crypto.subtle");
    this.#id = d.id;
    this.#type = d.type;
    this.#extractable = d.extractable;
    if (hasOwn(d.algorithm, "hash")) freeze(d.algorithm.hash);
    this.#algorithm = freeze(d.algorithm);
    this.#usages = freeze(d.usages);
    freeze(this);
  }
  get type() { return this.#type; }
  get extractable() { return this.#extractable; }
  get algorithm() { return this.#algorithm; }
  get usages() { return this.#usages; }
  static {
    isKey = (v) => typeof v === "object" && v !== null && #id in v;
    idOf = (k) => k.#id;
    append(I.shows, (v) => isKey(v) ? { type: v.#type, extractable: v.#extractable, algorithm: v.#algorithm, usages: v.#usages } : undefined);
  }
}
defineProperty(CryptoKey.prototype, $Symbol.toStringTag, { __proto__: null, value: "CryptoKey" });
freeze(CryptoKey.prototype);
const wrapKey = (d) => new CryptoKey(secret, d);

// Conversions. Each names what it is about in its error.
function needKey(op, what, v) {
  if (!isKey(v)) throw new $TypeError(op + ": " + what + " must be a CryptoKey, got " + bytes().kindOf(v));
  return idOf(v);
}
function needData(op, what, v) {
  const cls = typeof v === "object" && v !== null ? native(OP.Class, v) : "";
  if (cls === "Uint8Array") return v;
  if (cls === "ArrayBuffer" || cls === "DataView" || bytes().isView(cls)) return bytes().bytesOf(v);
  throw new $TypeError(op + ": " + what + " must be an ArrayBuffer or a view of one" + (typeof v === "string" ? ", not a string: encode it with TextEncoder" : ", got " + bytes().kindOf(v)));
}
function needInteger(op, what, v) {
  const n = +v;
  if (!(n > -1 && n < 4294967296)) throw new $TypeError(op + ": " + what + " must be a number from 0 to 4294967295");
  return n < 0 ? 0 : n - n % 1;
}
function needUsages(op, v) {
  if (!isArray(v)) throw new $TypeError(op + ": keyUsages must be an array, got " + bytes().kindOf(v));
  const out = list(), n = v.length;
  if (n > 64) throw new $TypeError(op + ": more than 64 usages");
  for (let i = 0; i < n; i++) append(out, $String(v[i]));
  return toArray(out);
}
// toArray makes what the host takes for an array of a list without a prototype.
const toArray = (l) => setPrototypeOf(l, $Array.prototype);

const integers = ["tagLength", "length", "iterations", "modulusLength", "saltLength"];
const buffers = ["iv", "additionalData", "counter", "label", "salt", "info", "publicExponent"];
// algorithm reads an AlgorithmIdentifier: a name, or an object with all that any algorithm knows.
function algorithm(op, what, v) {
  const out = create(null);
  if (typeof v === "string") { out.name = v; return out; }
  if (typeof v !== "object" && typeof v !== "function" || v === null) throw new $TypeError(op + ": " + what + " must be a name or an object, got " + bytes().kindOf(v));
  const name = v.name;
  if (name === undefined) throw new $TypeError(op + ": " + what + ".name is required");
  out.name = $String(name);
  for (let i = 0; i < integers.length; i++) {
    const k = integers[i], x = v[k];
    if (x !== undefined) out[k] = needInteger(op, what + "." + k, x);
  }
  for (let i = 0; i < buffers.length; i++) {
    const k = buffers[i], x = v[k];
    if (x !== undefined) out[k] = needData(op, what + "." + k, x);
  }
  const hash = v.hash, curve = v.namedCurve, other = v.public;
  if (hash !== undefined) {
    if (typeof hash === "object" && hash !== null) {
      const hashName = hash.name;
      if (hashName === undefined) throw new $TypeError(op + ": " + what + ".hash.name is required");
      out.hash = $String(hashName);
    } else out.hash = $String(hash);
  }
  if (curve !== undefined) out.namedCurve = $String(curve);
  if (other !== undefined) out.public = needKey(op, what + ".public", other);
  return out;
}
const jwkTexts = ["kty", "use", "alg", "crv", "x", "y", "d", "n", "e", "p", "q", "dp", "dq", "qi", "k"];
function jwk(op, v) {
  if (typeof v !== "object" || v === null || native(OP.Class, v) !== "Object") {
    throw new $TypeError(op + ": keyData must be a JSON Web Key object, got " + bytes().kindOf(v));
  }
  const out = create(null);
  for (let i = 0; i < jwkTexts.length; i++) {
    const x = v[jwkTexts[i]];
    if (x !== undefined) out[jwkTexts[i]] = $String(x);
  }
  const ops = v.key_ops, ext = v.ext;
  if (ops !== undefined) out.key_ops = needUsages(op, ops);
  if (ext !== undefined) out.ext = !!ext;
  if (v.oth !== undefined) out.oth = true;
  return out;
}

const standard = { __proto__: null, OperationError: 1, InvalidAccessError: 1, DataError: 1, NotSupportedError: 1, QuotaExceededError: 1 };
// fromHost makes the exception of the standard of an error of the host's.
function fromHost(e) {
  if (native(OP.Class, e) !== "Error") return e;
  const name = hasOwn(e, "name") ? e.name : getPrototypeOf(e) === $SyntaxError.prototype ? "SyntaxError" : "";
  if (name !== "SyntaxError" && standard[name] !== 1) return e;
  const d = new (unit(UNIT.events).DOMException)(e.message, name);
  if (hasOwn(e, "code")) hide(d, "code", e.code);
  hide(d, "stack", text(e, "stack", ""));
  return d;
}
const same = (v) => v;
const keyOrPair = (v) => {
  if (!hasOwn(v, "privateKey")) return wrapKey(v);
  return { publicKey: wrapKey(v.publicKey), privateKey: wrapKey(v.privateKey) };
};

const subtle = {};
// method defines a function of subtle. convert makes the arguments of the host's function,
// result what the guest gets.
function method(name, count, convert, result) {
  const op = "crypto.subtle." + name, f = host[op];
  const made = {
    async [name](...args) {
      if (args.length < count) throw new $TypeError(op + ": " + count + " arguments required, got " + args.length);
      const converted = convert(op, args);
      let v;
      try { v = await apply(f, undefined, converted); } catch (e) { throw fromHost(e); }
      return result(v);
    },
  }[name];
  defineProperty(made, "length", { __proto__: null, value: count });
  defineProperty(subtle, name, { __proto__: null, value: freeze(made), enumerable: true });
}
method("digest", 2, (op, a) => [algorithm(op, "algorithm", a[0]), needData(op, "data", a[1])], same);
method("encrypt", 3, (op, a) => [algorithm(op, "algorithm", a[0]), needKey(op, "key", a[1]), needData(op, "data", a[2])], same);
method("decrypt", 3, (op, a) => [algorithm(op, "algorithm", a[0]), needKey(op, "key", a[1]), needData(op, "data", a[2])], same);
method("sign", 3, (op, a) => [algorithm(op, "algorithm", a[0]), needKey(op, "key", a[1]), needData(op, "data", a[2])], same);
method("verify", 4, (op, a) => [algorithm(op, "algorithm", a[0]), needKey(op, "key", a[1]), needData(op, "signature", a[2]), needData(op, "data", a[3])], same);
method("generateKey", 3, (op, a) => [algorithm(op, "algorithm", a[0]), !!a[1], needUsages(op, a[2])], keyOrPair);
method("importKey", 5, (op, a) => {
  const format = $String(a[0]);
  return [format, format === "jwk" ? jwk(op, a[1]) : needData(op, "keyData", a[1]), algorithm(op, "algorithm", a[2]), !!a[3], needUsages(op, a[4])];
}, wrapKey);
method("exportKey", 2, (op, a) => [$String(a[0]), needKey(op, "key", a[1])], same);
method("deriveBits", 2, (op, a) => [algorithm(op, "algorithm", a[0]), needKey(op, "baseKey", a[1]),
  a[2] === undefined || a[2] === null ? undefined : needInteger(op, "length", a[2])], same);
method("deriveKey", 5, (op, a) => [algorithm(op, "algorithm", a[0]), needKey(op, "baseKey", a[1]), algorithm(op, "derivedKeyType", a[2]), !!a[3], needUsages(op, a[4])], wrapKey);
method("wrapKey", 4, (op, a) => [$String(a[0]), needKey(op, "key", a[1]), needKey(op, "wrappingKey", a[2]), algorithm(op, "wrapAlgorithm", a[3])], same);
method("unwrapKey", 7, (op, a) => [$String(a[0]), needData(op, "wrappedKey", a[1]), needKey(op, "unwrappingKey", a[2]),
  algorithm(op, "unwrapAlgorithm", a[3]), algorithm(op, "unwrappedKeyAlgorithm", a[4]), !!a[5], needUsages(op, a[6])], wrapKey);
defineProperty(subtle, $Symbol.toStringTag, { __proto__: null, value: "SubtleCrypto" });

return { __proto__: null, "crypto.subtle": freeze(subtle), CryptoKey: freeze(CryptoKey) };
})
