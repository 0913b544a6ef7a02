// a hasher takes data in pieces of every kind
const h = crypto.createHash("SHA-256");
return [h.update("a") === h, toHex(await h.update(new Uint8Array([98])).update([99]).digest()), h.algorithm, Object.prototype.toString.call(h)]; //= [true,"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","SHA-256","[object Hasher]"]
---
// in pieces or at once is the same, for all algorithms, beyond what crosses at once too
const data = new Uint8Array(2500000).fill(7), bad = [];
for (const a of ["MD5", "sha1", "SHA-224", "sha256", "SHA-384", "SHA-512", "SHA3-256", "sha3-384", "SHA3-512"]) {
  const once = toHex(await crypto.digest(a, data));
  if (toHex(await crypto.createHash(a).update(data).digest()) !== once) bad.push(a);
  if (toHex(await crypto.createHash(a).update(data.subarray(0, 1048577)).update("").update(data.subarray(1048577)).digest()) !== once) bad.push(a);
}
return bad; //= []
---
// a checksum of much is the checksum of its pieces
const data = new Uint8Array(2500000).fill(7);
return crypto.crc32(data) === crypto.crc32(data.subarray(1000), crypto.crc32(data.subarray(0, 1000))); //= true
---
const h = crypto.createHash("MD5");
await h.digest();
h.update("x"); //! TypeError "update: digest was called before"
---
const h = crypto.createHash("MD5");
await h.digest();
await h.digest(); //! TypeError "digest: it was called before"
---
crypto.createHash("MD4"); //! TypeError "unsupported algorithm "MD4""
---
crypto.createHash("MD5").update(5); //! TypeError "update: data must be a string or Uint8Array, got a number"
---
crypto.crc32({}); //! TypeError "crypto.crc32: data must be a string or Uint8Array, got an object"
---
crypto.crc32("a", -1); //! TypeError "before must be a checksum"
---
new (crypto.createHash("MD5").constructor)(); //! TypeError "Illegal constructor"
---
// a hasher is not to be changed or faked
const h = crypto.createHash("MD5"), out = [];
for (const f of [() => { h.update = 1; }, () => { h.constructor.prototype.update = 1; }, () => h.update.call({ __proto__: h }, "x"), () => { h.update.x = 1; }]) { try { f(); out.push("done"); } catch (e) { out.push(e.name); } }
return out; //= ["TypeError","TypeError","TypeError","TypeError"]
---
// open hashers are bounded, and closing one makes room
const open = [];
let e;
try { for (;;) open.push(crypto.createHash("MD5")); } catch (x) { e = x; }
await open[0].digest();
crypto.createHash("MD5");
return [open.length, e.message, e.code]; //= [1024,"crypto.createHash: more than 1024 hashers are open at one time (CryptoHashers)","ERR_LIMIT"]
