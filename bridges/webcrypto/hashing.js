// crypto.crc32 and crypto.createHash.
(function (I, host) {
"use strict";
const { m, unit, freeze, defineProperty, $Number, $TypeError } = I;
const bytes = unit(UNIT.bytes), B = m("Bytes");
// Data crosses in pieces, so that a deadline does not wait for a large one.
const piece = 1048576;

function input(op, v) {
  const b = bytes.bytesOf(v);
  if (b === undefined) throw new $TypeError(op + ": data must be a string or Uint8Array, got " + bytes.kindOf(v));
  return b;
}
function each(b, f) {
  const n = B.length(b);
  if (n <= piece) return f(b);
  for (let i = 0; i < n; i += piece) f(B.subarray(b, i, i + piece));
}

const crc = host["crypto.crc32"], create = host["crypto.createHash"], update = host._update, sum = host._sum;
const secret = {};
class Hasher {
  #id; #algorithm; #open = true;
  constructor(s, id, algorithm) {
    if (s !== secret) throw new $TypeError("Illegal constructor: use crypto.createHash");
    this.#id = id;
    this.#algorithm = algorithm;
    freeze(this);
  }
  get algorithm() { return this.#algorithm; }
  update(data) {
    const b = input("update", data);
    if (!this.#open) throw new $TypeError("update: digest was called before");
    each(b, (part) => update(this.#id, part));
    return this;
  }
  async digest() {
    if (!this.#open) throw new $TypeError("digest: it was called before");
    this.#open = false;
    return sum(this.#id);
  }
}
defineProperty(Hasher.prototype, I.$Symbol.toStringTag, { __proto__: null, value: "Hasher" });
const names = ["update", "digest", "constructor"];
for (let i = 0; i < names.length; i++) freeze(Hasher.prototype[names[i]]);
freeze(Hasher.prototype);

return {
  __proto__: null,
  "crypto.crc32": freeze({
    crc32(data, before = 0) {
      const b = input("crypto.crc32", data), n = $Number(before);
      if (!(n >= 0 && n <= 4294967295 && n % 1 === 0)) throw new $TypeError("crypto.crc32: before must be a checksum, 0 to 4294967295");
      let c = n;
      each(b, (part) => { c = crc(part, c); });
      return c;
    },
  }.crc32),
  "crypto.createHash": freeze({
    createHash(algorithm) {
      const name = bytes.algorithm(algorithm);
      return new Hasher(secret, create(name), name);
    },
  }.createHash),
};
})
