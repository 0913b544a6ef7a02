// Base64, hexadecimal, crypto and structuredClone.
(function (I) {
"use strict";
const { native, m, unit, call, slice, indexOf, fromBase64, fromHex, fromCharCode, apply,
  $Number, $String, $TypeError, $Uint8Array } = I;
const B = m("Bytes"), toBase64 = B.toBase64, toHex = B.toHex, S = m("String"), charCodeAt = S.charCodeAt;
const encode = (s) => native(OP.UTF8Encode, s);

const views = { __proto__: null, Uint8ClampedArray: 1, Int8Array: 1, Int16Array: 1, Uint16Array: 1, Int32Array: 1, Uint32Array: 1,
  BigInt64Array: 1, BigUint64Array: 1, Float16Array: 1, Float32Array: 1, Float64Array: 1 };
// bytesOf returns the bytes of a string (UTF-8), a view (its own range), a buffer, or an array
// or array-like of numbers; undefined for anything else.
function bytesOf(v) {
  if (typeof v === "string") return encode(v);
  if (typeof v !== "object" || v === null) return undefined;
  const cls = native(OP.Class, v);
  if (cls === "Uint8Array") return v;
  if (views[cls] === 1) return new $Uint8Array(B.buffer(v), B.byteOffset(v), B.byteLength(v));
  if (cls === "DataView") { const p = I.hooks.viewParts(v); return new $Uint8Array(p[0], p[1], p[2]); }
  if (cls === "ArrayBuffer" || cls === "SharedArrayBuffer") return new $Uint8Array(v);
  if (cls === "Promise") return undefined;
  const n = v.length;
  if (typeof n !== "number" || !(n >= 0)) return undefined;
  const out = new $Uint8Array(n);
  for (let i = 0; i < out.length; i++) out[i] = v[i];
  return out;
}
const kindOf = (v) => {
  if (v === null) return "null";
  if (typeof v !== "object") return typeof v === "undefined" ? "undefined" : "a " + typeof v;
  const cls = native(OP.Class, v);
  return cls === "Promise" ? "a Promise — await it first" : cls === "Object" ? "an object" : "a " + cls;
};
function data(v) {
  const b = bytesOf(v);
  if (b === undefined) throw new $TypeError("expected a Uint8Array or string, got " + kindOf(v));
  return b;
}

// Positions in the alphabets; 64 for every other character.
const values = B.fill(new $Uint8Array(128), 64);
{
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (let i = 0; i < 64; i++) values[charCodeAt(alphabet, i)] = i;
  values[45] = 62; // -
  values[95] = 63; // _
}
const loose = { __proto__: null, lastChunkHandling: "loose" },
  looseURL = { __proto__: null, lastChunkHandling: "loose", alphabet: "base64url" };
function unbase64(s, options) {
  s = $String(s);
  const url = indexOf(s, "-") >= 0 || indexOf(s, "_") >= 0;
  if (strict(options)) {
    let n = s.length;
    if (n % 4 === 0 && n > 0 && s[n - 1] === "=") n -= s[n - 2] === "=" ? 2 : 1;
    for (let i = 0; i < n; i++) {
      const c = charCodeAt(s, i);
      if (!(c < 128 && values[c] < 64)) throw new $TypeError("fromBase64: unexpected character at position " + i);
    }
    if (n % 4 === 1) throw new $TypeError("fromBase64: the text ends inside a byte");
  }
  try { return fromBase64(s, url ? looseURL : loose); } catch {}
  const out = new $Uint8Array(s.length * 3 >>> 2);
  let n = 0, word = 0, bits = 0;
  for (let i = 0; i < s.length; i++) {
    const c = charCodeAt(s, i), v = c < 128 ? values[c] : 64;
    if (v === 64) continue;
    word = (word << 6 | v) & 0xffff;
    bits += 6;
    if (bits >= 8) { bits -= 8; out[n++] = word >> bits; }
  }
  return copy(out, n);
}
const copy = (bytes, n) => { const out = new $Uint8Array(n); B.set(out, new $Uint8Array(B.buffer(bytes), 0, n)); return out; };
const strict = (options) => options !== undefined && options !== null && options.strict === true;
function unhex(s, options) {
  s = $String(s);
  try { return fromHex(s); } catch {}
  const out = new $Uint8Array(s.length >>> 1);
  let n = 0, high = -1;
  for (let i = 0; i < s.length; i++) {
    const c = charCodeAt(s, i), l = c | 32;
    const v = c >= 48 && c <= 57 ? c - 48 : l >= 97 && l <= 102 ? l - 87 : -1;
    if (v < 0) {
      if (strict(options)) throw new $TypeError("fromHex: unexpected character at position " + i);
      continue;
    }
    if (high < 0) high = v;
    else { out[n++] = high << 4 | v; high = -1; }
  }
  if (high >= 0 && strict(options)) throw new $TypeError("fromHex: odd number of digits");
  return copy(out, n);
}

const exception = (message, name) => new (unit(UNIT.events).DOMException)(message, name);

function structuredClone(value, options) {
  if (arguments.length === 0) throw new $TypeError("structuredClone: 1 argument required");
  const transfer = I.setPrototypeOf([], null);
  const asked = options === undefined || options === null ? undefined : options.transfer;
  if (asked !== undefined) {
    for (const b of asked) {
      if (native(OP.Class, b) !== "ArrayBuffer") throw exception("structuredClone: only an ArrayBuffer can be transferred", "DataCloneError");
      for (let i = 0; i < transfer.length; i++) {
        if (transfer[i] === b) throw exception("structuredClone: the buffer is twice in the transfer list", "DataCloneError");
      }
      transfer[transfer.length] = b;
    }
  }
  let out;
  try { out = native(OP.Clone, value); } catch (e) {
    if (e === I.cloneError()) throw exception(e.message, "DataCloneError");
    throw e;
  }
  for (let i = 0; i < transfer.length; i++) m("Buffer").transfer(transfer[i]); // detaches
  return out;
}

const algorithms = { __proto__: null, SHA1: "SHA-1", SHA256: "SHA-256", SHA384: "SHA-384", SHA512: "SHA-512",
  MD5: "MD5", SHA224: "SHA-224", "SHA3-256": "SHA3-256", "SHA3-384": "SHA3-384", "SHA3-512": "SHA3-512" };
function algorithm(name) {
  if (typeof name === "string") {
    let key = S.toUpperCase(S.trim(name));
    if (key[3] === "-") key = slice(key, 0, 3) + slice(key, 4);
    if (algorithms[key] !== undefined) return algorithms[key];
  }
  const said = typeof name === "string" ? "\"" + slice(name, 0, 100) + "\"" : kindOf(name);
  throw new $TypeError("crypto: unsupported algorithm " + said + "; use SHA-1, SHA-256, SHA-384 or SHA-512 (or, where other systems ask for it, MD5, SHA-224, SHA3-256, SHA3-384 or SHA3-512)");
}
function input(what, v) {
  const b = bytesOf(v);
  if (b === undefined) throw new $TypeError("crypto: " + what + " must be a string or Uint8Array, got " + kindOf(v));
  return b;
}
const maxRandom = 65536;

return {
  __proto__: null,
  bytesOf, kindOf, algorithm, isView: (cls) => views[cls] === 1,
  structuredClone,
  toBase64: (v) => toBase64(data(v)),
  fromBase64: unbase64,
  toHex: (v) => toHex(data(v)),
  fromHex: unhex,
  getRandomValues(v) {
    if (typeof v === "object" && v !== null) {
      const cls = native(OP.Class, v);
      if (cls !== "Uint8Array" && views[cls] !== 1 || slice(cls, 0, 5) === "Float") {
        throw exception("crypto.getRandomValues: expected a length or an integer typed array, got " + kindOf(v), "TypeMismatchError");
      }
      const n = B.byteLength(v);
      if (n > maxRandom) throw exception("crypto.getRandomValues: " + n + " bytes asked, at most " + maxRandom + " at once", "QuotaExceededError");
      B.set(new $Uint8Array(B.buffer(v), B.byteOffset(v), n), native(OP.RandomBytes, n));
      return v;
    }
    let n = typeof v === "bigint" || typeof v === "symbol" ? NaN : $Number(v);
    if (!(n >= 0 && n < Infinity)) throw new $TypeError("crypto.getRandomValues: length must be a finite number, zero or more");
    n = n > maxRandom ? maxRandom : n - n % 1;
    return native(OP.RandomBytes, n);
  },
  async digest(name, v) { return await call(OP.Digest, [algorithm(name), input("data", v)]); },
  async hmac(name, key, v) { return await call(OP.HMAC, [algorithm(name), input("key", key), input("data", v)]); },
  // timingSafeEqual takes the same time wherever the two differ.
  timingSafeEqual(a, b) {
    a = input("the first argument", a);
    b = input("the second argument", b);
    const n = B.length(a);
    if (n !== B.length(b)) return false;
    let d = 0;
    for (let i = 0; i < n; i++) d |= a[i] ^ b[i];
    return d === 0;
  },
  atob(s) {
    if (arguments.length === 0) throw new $TypeError("atob: 1 argument required");
    let bytes;
    try { bytes = fromBase64($String(s), loose); } catch (e) {
      if (native(OP.Class, e) === "Error" && I.text(e, "name", "") === "SyntaxError") {
        throw exception("atob: the string is not correctly encoded base64", "InvalidCharacterError");
      }
      throw e;
    }
    let out = "";
    for (let i = 0, n = B.length(bytes); i < n; i += 4096) out += apply(fromCharCode, undefined, B.subarray(bytes, i, i + 4096));
    return out;
  },
  btoa(s) {
    if (arguments.length === 0) throw new $TypeError("btoa: 1 argument required");
    s = $String(s);
    const n = s.length, bytes = new $Uint8Array(n);
    for (let i = 0; i < n; i++) {
      const c = charCodeAt(s, i);
      if (c > 255) throw exception("btoa: the string contains characters outside of Latin-1", "InvalidCharacterError");
      bytes[i] = c;
    }
    return toBase64(bytes);
  },
};
})
