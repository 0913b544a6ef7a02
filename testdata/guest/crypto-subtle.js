// results are ArrayBuffers, also those too large to be done at once
const small = await crypto.subtle.digest("SHA-256", new Uint8Array(5)), large = await crypto.subtle.digest("SHA-256", new Uint8Array(70000));
return [small instanceof ArrayBuffer, small.byteLength, large instanceof ArrayBuffer, large.byteLength]; //= [true,32,true,32]
---
// a view is taken by its own range, in every kind of buffer source
const all = new Uint8Array([1, 97, 98, 99, 2]), abc = all.subarray(1, 4), seen = new Set();
for (const v of [abc, new DataView(all.buffer, 1, 3), abc.slice().buffer, new Uint8ClampedArray(abc)]) seen.add(toHex(await crypto.subtle.digest("SHA-1", v)));
return [seen.size, [...seen][0].slice(0, 8)]; //= [1,"a9993e36"]
---
// data that changes after the call does not matter
const d = new Uint8Array(100000), p = crypto.subtle.digest("SHA-1", d);
d.fill(7);
return toHex(await p) === toHex(await crypto.subtle.digest("SHA-1", new Uint8Array(100000))); //= true
---
// a CryptoKey shows what it is, and nothing of what it holds
const k = await crypto.subtle.generateKey({ name: "hmac", hash: { name: "sha-256" } }, false, ["verify", "sign", "sign"]);
return [k.type, k.extractable, k.algorithm, k.usages, Object.prototype.toString.call(k), Object.keys(k), k instanceof CryptoKey, JSON.stringify(k)]; //= ["secret",false,{"name":"HMAC","length":512,"hash":{"name":"SHA-256"}},["sign","verify"],"[object CryptoKey]",[],true,"{}"]
---
// the console shows a CryptoKey
console.log(await crypto.subtle.generateKey({ name: "AES-CBC", length: 128 }, true, ["encrypt"]));
return 0; //= 0
//@logs ["CryptoKey {\n  type: 'secret',\n  extractable: true,\n  algorithm: { name: 'AES-CBC', length: 128 },\n  usages: [ 'encrypt' ]\n}"]
---
// everything about keys is frozen
const k = await crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, true, ["encrypt"]), bad = [];
const tries = { ext: () => { k.extractable = false; }, alg: () => { k.algorithm.name = "x"; }, use: () => { k.usages.push("decrypt"); }, own: () => { k.x = 1; },
  proto: () => { Object.setPrototypeOf(k, {}); }, method: () => { crypto.subtle.sign = 1; }, cls: () => { CryptoKey.prototype.x = 1; }, global: () => { CryptoKey = 1; } };
for (const n in tries) { try { tries[n](); bad.push(n); } catch (e) { if (!(e instanceof TypeError)) bad.push(e); } }
return bad; //= []
---
// nobody but the host makes a CryptoKey
const k = await crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, true, ["encrypt"]), out = [];
const type = Object.getOwnPropertyDescriptor(CryptoKey.prototype, "type").get;
for (const f of [() => new CryptoKey(), () => new CryptoKey({}, k), () => Reflect.construct(CryptoKey, [undefined, { id: 0 }]), () => new (class extends CryptoKey {})(), () => type.call({ __proto__: CryptoKey.prototype }),
  () => structuredClone(k).type.length]) {
  try { f(); out.push("made"); } catch (e) { out.push(e.name); }
}
try { await crypto.subtle.exportKey("raw", { __proto__: k }); out.push("taken"); } catch (e) { out.push(e.name); }
try { await crypto.subtle.exportKey("raw", 0); out.push("taken"); } catch (e) { out.push(e.name); }
return out; //= ["TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError"]
---
// a guest that breaks the intrinsics breaks only itself
const S = crypto.subtle, k = await S.generateKey({ name: "AES-GCM", length: 128 }, false, ["encrypt"]);
const seen = [];
Object.prototype.id = Object.prototype.public = 0;
Array.prototype[Symbol.iterator] = Array.prototype.push = Object.freeze = Reflect.apply = Object.defineProperty = () => { seen.push("called"); throw new Error("poisoned"); };
Object.defineProperty = undefined;
try { await S.exportKey("raw", k); } catch (e) { seen[seen.length] = e.name; }
return seen; //= ["InvalidAccessError"]
---
// extractable and usages are the host's to enforce
const S = crypto.subtle, out = [], d = new Uint8Array(16), iv = d;
const k = await S.importKey("raw", d, "AES-CBC", false, ["encrypt"]);
const h = await S.importKey("raw", d, { name: "HMAC", hash: "SHA-1" }, true, ["verify"]);
for (const f of [() => S.exportKey("raw", k), () => S.exportKey("jwk", k), () => S.decrypt({ name: "AES-CBC", iv }, k, d), () => S.encrypt({ name: "AES-GCM", iv }, k, d), () => S.sign("HMAC", h, d),
  () => S.sign("HMAC", k, d), () => S.wrapKey("raw", h, k, { name: "AES-CBC", iv })]) {
  try { await f(); out.push("done"); } catch (e) { out.push(e.name + (e instanceof DOMException) + e.code); }
}
return out; //= ["InvalidAccessErrortrue15","InvalidAccessErrortrue15","InvalidAccessErrortrue15","InvalidAccessErrortrue15","InvalidAccessErrortrue15","InvalidAccessErrortrue15","InvalidAccessErrortrue15"]
---
// a rejection names the operation and has the guest's own line
const k = await crypto.subtle.importKey("raw", new Uint8Array(16), "AES-GCM", false, ["decrypt"]);
await crypto.subtle.decrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, k, new Uint8Array(20)); //! OperationError "crypto.subtle.decrypt: decryption failed"
---
// so has a TypeError
const data = "text";
await crypto.subtle.digest("SHA-256", data); //! TypeError "not a string: encode it with TextEncoder"
---
// a method called without its object still works, since it needs none
const { digest } = crypto.subtle;
return [(await digest({ name: "SHA-384" }, new Uint8Array())).byteLength, digest.length, digest.name, crypto.subtle.unwrapKey.length]; //= [48,2,"digest",7]
---
// every algorithm of encrypt goes around, with every size of key
const S = crypto.subtle, t = new TextEncoder().encode("the quick brown fox"), out = [], iv = crypto.getRandomValues(new Uint8Array(16));
for (const name of ["AES-GCM", "AES-CBC", "AES-CTR"]) for (const length of [128, 192, 256]) {
  const k = await S.generateKey({ name, length }, true, ["encrypt", "decrypt"]), alg = { name, iv, counter: iv, length: 64 };
  const c = await S.encrypt(alg, k, t);
  out.push(c.byteLength, new TextDecoder().decode(await S.decrypt(alg, k, c)) === "the quick brown fox", (await S.exportKey("raw", k)).byteLength * 8 === length);
}
return out; //= [35,true,true,35,true,true,35,true,true,32,true,true,32,true,true,32,true,true,19,true,true,19,true,true,19,true,true]
---
// AES-GCM with every length of tag, with nonces of other lengths too; a changed bit is seen
const S = crypto.subtle, k = await S.generateKey({ name: "AES-GCM", length: 128 }, false, ["encrypt", "decrypt"]), out = [], t = crypto.getRandomValues(40);
for (const tagLength of [32, 64, 96, 104, 112, 120, 128]) for (const n of [1, 12, 20]) {
  const alg = { name: "AES-GCM", iv: crypto.getRandomValues(n), tagLength, additionalData: new Uint8Array([1, 2]) }, c = new Uint8Array(await S.encrypt(alg, k, t));
  if (c.length !== 40 + tagLength / 8 || toHex(await S.decrypt(alg, k, c)) !== toHex(t)) out.push([tagLength, n]);
  for (const at of [0, 39, 40, c.length - 1]) {
    const bad = c.slice();
    bad[at] ^= 1;
    try { await S.decrypt(alg, k, bad); out.push([tagLength, n, at]); } catch (e) { if (e.name !== "OperationError") out.push(e.name); }
  }
  try { await S.decrypt({ ...alg, additionalData: new Uint8Array([1, 3]) }, k, c); out.push("aad"); } catch {}
  try { await S.decrypt(alg, k, c.subarray(0, tagLength / 8 - 1)); out.push("short"); } catch {}
}
return out; //= []
---
// the counter of AES-CTR wraps in its own bits only
const S = crypto.subtle, k = await S.importKey("raw", new Uint8Array(16), "AES-CTR", false, ["encrypt"]), z = (n) => new Uint8Array(n), out = [];
const block = async (hex) => toHex(await S.encrypt({ name: "AES-CTR", counter: fromHex(hex), length: 128 }, k, z(16)));
for (const [start, length, next] of [
  ["aa".repeat(15) + "ff", 8, "aa".repeat(15) + "00"], ["aa".repeat(15) + "af", 4, "aa".repeat(15) + "a0"], ["aa".repeat(14) + "ffff", 16, "aa".repeat(14) + "0000"],
  ["aa".repeat(14) + "01ff", 16, "aa".repeat(14) + "0200"], ["aa".repeat(8) + "ff".repeat(8), 64, "aa".repeat(8) + "00".repeat(8)], ["aa".repeat(7) + "af" + "ff".repeat(8), 68, "aa".repeat(7) + "a0" + "00".repeat(8)],
  ["aa".repeat(8) + "ff".repeat(8), 72, "aa".repeat(7) + "ab" + "00".repeat(8)], ["ff".repeat(16), 128, "00".repeat(16)], ["7f" + "ff".repeat(15), 127, "00".repeat(16)], ["aa".repeat(16), 1, "aa".repeat(15) + "ab"], ["aa".repeat(15) + "ab", 1, "aa".repeat(16)]]) {
  const two = toHex(await S.encrypt({ name: "AES-CTR", counter: fromHex(start), length }, k, z(32)));
  out.push(two === await block(start) + await block(next));
}
try { await S.encrypt({ name: "AES-CTR", counter: z(16), length: 1 }, k, z(33)); } catch (e) { out.push(e.name); }
try { await S.encrypt({ name: "AES-CTR", counter: z(16), length: 8 }, k, z(4097)); } catch (e) { out.push(e.name); }
return out; //= [true,true,true,true,true,true,true,true,true,true,true,"OperationError","OperationError"]
---
// AES-CBC refuses bad padding, the empty text and broken blocks alike
const S = crypto.subtle, iv = new Uint8Array(16), out = [];
const k = await S.importKey("raw", new Uint8Array(16), "AES-CBC", false, ["encrypt", "decrypt"]);
const c = new Uint8Array(await S.encrypt({ name: "AES-CBC", iv }, k, new Uint8Array(20)));
for (const d of [c.subarray(0, 16), c.subarray(0, 31), c.subarray(0, 0)]) { try { await S.decrypt({ name: "AES-CBC", iv }, k, d); out.push("done"); } catch (e) { out.push(e.name + ": " + e.message); } }
return out; //= ["OperationError: crypto.subtle.decrypt: decryption failed","OperationError: crypto.subtle.decrypt: decryption failed","OperationError: crypto.subtle.decrypt: decryption failed"]
---
// each way to sign: right, changed, too short
const S = crypto.subtle, d = new Uint8Array([1, 2, 3]), out = [], publicExponent = new Uint8Array([1, 0, 1]);
for (const [gen, how] of [[{ name: "HMAC", hash: "SHA-384" }, "HMAC"], [{ name: "ECDSA", namedCurve: "P-256" }, { name: "ECDSA", hash: "SHA-256" }], [{ name: "ECDSA", namedCurve: "P-384" }, { name: "ECDSA", hash: "SHA-512" }],
  [{ name: "ECDSA", namedCurve: "P-521" }, { name: "ECDSA", hash: "SHA-1" }], ["Ed25519", "Ed25519"], [{ name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", modulusLength: 2048, publicExponent }, "RSASSA-PKCS1-v1_5"],
  [{ name: "RSA-PSS", hash: "SHA-512", modulusLength: 2048, publicExponent: new Uint8Array([3]) }, { name: "RSA-PSS", saltLength: 64 }]]) {
  const k = await S.generateKey(gen, false, ["sign", "verify"]), s = new Uint8Array(await S.sign(how, k.privateKey ?? k, d)), v = k.publicKey ?? k;
  const bad = s.slice();
  bad[5] ^= 1;
  out.push([s.length, await S.verify(how, v, s, d), await S.verify(how, v, bad, d), await S.verify(how, v, s.subarray(1), d), await S.verify(how, v, s, d.subarray(1))].join(" "));
}
return out; //= ["48 true false false false","64 true false false false","96 true false false false","132 true false false false","64 true false false false","256 true false false false","256 true false false false"]
---
// RSA-OAEP with a label; another label, a longer text and a changed bit fail
const S = crypto.subtle, out = [], T = (s) => new TextEncoder().encode(s);
const k = await S.generateKey({ name: "RSA-OAEP", hash: "SHA-256", modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }, true, ["encrypt", "decrypt"]);
const c = new Uint8Array(await S.encrypt({ name: "RSA-OAEP", label: T("L") }, k.publicKey, T("secret")));
out.push(new TextDecoder().decode(await S.decrypt({ name: "RSA-OAEP", label: T("L") }, k.privateKey, c)), [k.privateKey.usages, k.publicKey.usages, k.publicKey.extractable, Array.from(k.publicKey.algorithm.publicExponent), k.publicKey.algorithm.modulusLength]);
for (const f of [() => S.decrypt("RSA-OAEP", k.privateKey, c), () => S.encrypt("RSA-OAEP", k.publicKey, new Uint8Array(191)), () => { c[9] ^= 1; return S.decrypt({ name: "RSA-OAEP", label: T("L") }, k.privateKey, c); }, () => S.encrypt("RSA-OAEP", k.privateKey, c)]) {
  try { await f(); out.push("done"); } catch (e) { out.push(e.name); }
}
return out; //= ["secret",[["decrypt"],["encrypt"],true,[1,0,1],2048],"OperationError","OperationError","OperationError","InvalidAccessError"]
---
// keys go out and come back in every format that they have
const S = crypto.subtle, out = [], rsa = { hash: "SHA-256", modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
for (const [alg, usages, priv, pub] of [[{ name: "ECDSA", namedCurve: "P-384" }, ["sign", "verify"], ["pkcs8", "jwk"], ["spki", "raw", "jwk"]], [{ name: "ECDH", namedCurve: "P-521" }, ["deriveBits"], ["pkcs8", "jwk"], ["spki", "raw", "jwk"]],
  [{ name: "Ed25519" }, ["sign", "verify"], ["pkcs8", "jwk"], ["spki", "raw", "jwk"]], [{ name: "X25519" }, ["deriveKey"], ["pkcs8", "jwk"], ["spki", "raw", "jwk"]], [{ name: "RSA-PSS", ...rsa }, ["sign", "verify"], ["pkcs8", "jwk"], ["spki", "jwk"]]]) {
  const pair = await S.generateKey(alg, true, usages);
  for (const [k, formats] of [[pair.privateKey, priv], [pair.publicKey, pub]]) for (const f of formats) {
    const a = await S.exportKey(f, k), back = await S.importKey(f, a, alg, true, k.usages), b = await S.exportKey(f, back);
    const text = (x) => x instanceof ArrayBuffer ? toHex(x) : JSON.stringify(x);
    out.push(text(a) === text(b) && back.type === k.type && JSON.stringify(back.algorithm) === JSON.stringify(k.algorithm));
  }
}
return [out.length, out.every((x) => x)]; //= [24,true]
---
// members of a JSON Web Key are in the order of the standard's dictionaries
const S = crypto.subtle, k = await S.importKey("raw", fromHex("00ff"), { name: "HMAC", hash: "SHA-256" }, true, ["sign", "verify"]);
return await S.exportKey("jwk", k); //= {"alg":"HS256","ext":true,"k":"AP8","key_ops":["sign","verify"],"kty":"oct"}
---
// a JSON Web Key that says something else than is asked of it is refused
const S = crypto.subtle, out = [], k = { kty: "oct", k: "AAAAAAAAAAAAAAAAAAAAAA" }, imp = (j, usages = ["encrypt"], ext = true) => S.importKey("jwk", j, "AES-GCM", ext, usages);
for (const j of [{ ...k, kty: "EC" }, { ...k, kty: undefined }, { ...k, k: undefined }, { ...k, k: "AAAA" }, { ...k, k: "A===" }, { ...k, k: "AAAAAAAAAAAAAAAAAAAAAB" }, { ...k, alg: "A256GCM" }, { ...k, alg: "A128CBC" }, { ...k, use: "sig" },
  { ...k, key_ops: ["decrypt"] }, { ...k, key_ops: ["encrypt", "encrypt"] }, { ...k, ext: false }]) {
  try { await imp(j); out.push("taken"); } catch (e) { out.push(e.name); }
}
out.push((await imp({ ...k, alg: "A128GCM", use: "enc", key_ops: ["decrypt", "encrypt"], ext: true })).type, (await imp({ ...k, ext: false }, ["decrypt"], false)).extractable);
return out; //= ["DataError","DataError","DataError","DataError","DataError","DataError","DataError","DataError","DataError","DataError","DataError","DataError","secret",false]
---
// a key is wrapped and unwrapped by another, as bytes and as JSON
const S = crypto.subtle, iv = new Uint8Array(12), by = await S.generateKey({ name: "AES-GCM", length: 256 }, false, ["wrapKey", "unwrapKey"]), out = [];
const pair = await S.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]), k = await S.generateKey({ name: "AES-CTR", length: 128 }, true, ["encrypt"]);
for (const [format, key, alg, usages] of [["raw", k, "AES-CTR", ["encrypt"]], ["jwk", k, "AES-CTR", ["encrypt"]], ["pkcs8", pair.privateKey, { name: "ECDSA", namedCurve: "P-256" }, ["sign"]], ["jwk", pair.privateKey, { name: "ECDSA", namedCurve: "P-256" }, ["sign"]], ["spki", pair.publicKey, { name: "ECDSA", namedCurve: "P-256" }, ["verify"]]]) {
  const w = await S.wrapKey(format, key, by, { name: "AES-GCM", iv }), u = await S.unwrapKey(format, w, by, { name: "AES-GCM", iv }, alg, true, usages);
  out.push(JSON.stringify(await S.exportKey("jwk", u)) === JSON.stringify(await S.exportKey("jwk", key)));
}
for (const f of [() => S.unwrapKey("raw", new Uint8Array(40), by, { name: "AES-GCM", iv }, "AES-CTR", true, ["encrypt"]), () => S.encrypt({ name: "AES-GCM", iv }, by, iv),
  async () => S.wrapKey("raw", await S.generateKey({ name: "AES-CTR", length: 128 }, false, ["encrypt"]), by, { name: "AES-GCM", iv })]) { try { await f(); out.push("done"); } catch (e) { out.push(e.name); } }
return out; //= [true,true,true,true,true,"OperationError","InvalidAccessError","InvalidAccessError"]
---
// derived keys work on both sides
const S = crypto.subtle, out = [], iv = new Uint8Array(12);
const a = await S.generateKey({ name: "ECDH", namedCurve: "P-256" }, false, ["deriveKey"]), b = await S.generateKey({ name: "ECDH", namedCurve: "P-256" }, false, ["deriveKey"]);
const ka = await S.deriveKey({ name: "ECDH", public: b.publicKey }, a.privateKey, { name: "AES-GCM", length: 256 }, false, ["encrypt"]), kb = await S.deriveKey({ name: "ECDH", public: a.publicKey }, b.privateKey, { name: "AES-GCM", length: 256 }, false, ["decrypt"]);
out.push(new TextDecoder().decode(await S.decrypt({ name: "AES-GCM", iv }, kb, await S.encrypt({ name: "AES-GCM", iv }, ka, new TextEncoder().encode("hi")))));
const pw = await S.importKey("raw", new TextEncoder().encode("pw"), "PBKDF2", false, ["deriveKey"]);
const hm = await S.deriveKey({ name: "PBKDF2", hash: "SHA-256", salt: iv, iterations: 10 }, pw, { name: "HMAC", hash: "SHA-1" }, true, ["sign"]);
out.push(hm.algorithm, (await S.exportKey("raw", hm)).byteLength);
const hk = await S.deriveKey({ name: "ECDH", public: b.publicKey }, a.privateKey, "HKDF", false, ["deriveBits"]);
out.push((await S.deriveBits({ name: "HKDF", hash: "SHA-256", salt: iv, info: iv }, hk, 0)).byteLength, hk.algorithm);
return out; //= ["hi",{"name":"HMAC","length":512,"hash":{"name":"SHA-1"}},64,0,{"name":"HKDF"}]
---
// a run with a seed is no different here: two keys of one run differ
const S = crypto.subtle, gen = async () => (await S.exportKey("jwk", (await S.generateKey("Ed25519", true, ["sign"])).privateKey)).d;
return await gen() === await gen(); //= false
---
// limits reject with their name, and leave the run as it was
const S = crypto.subtle, pw = await S.importKey("raw", new Uint8Array(1), "PBKDF2", false, ["deriveBits"]);
let e;
try { await S.deriveBits({ name: "PBKDF2", hash: "SHA-1", salt: new Uint8Array(), iterations: 4294967295 }, pw, 160); } catch (x) { e = x; }
return [e instanceof DOMException, e.name, e.code, e.message]; //= [true,"QuotaExceededError","ERR_LIMIT","crypto.subtle.deriveBits: more than 10000000 iterations, for all 1 blocks of output (CryptoIterations)"]
---
const pw = await crypto.subtle.importKey("raw", new Uint8Array(1), "PBKDF2", false, ["deriveBits"]);
await crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-1", salt: new Uint8Array(), iterations: 6000000 }, pw, 320); //! Limit "CryptoIterations"
---
// RSA-OAEP wraps small keys
const S = crypto.subtle, by = await S.generateKey({ name: "RSA-OAEP", hash: "SHA-1", modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }, false, ["wrapKey", "unwrapKey"]);
const k = await S.generateKey({ name: "HMAC", hash: "SHA-256", length: 256 }, true, ["sign"]), w = await S.wrapKey("raw", k, by.publicKey, "RSA-OAEP");
const u = await S.unwrapKey("raw", w, by.privateKey, { name: "RSA-OAEP" }, { name: "HMAC", hash: "SHA-256" }, true, ["sign"]);
return [w.byteLength, toHex(await S.exportKey("raw", u)) === toHex(await S.exportKey("raw", k)), by.privateKey.usages, by.publicKey.usages]; //= [256,true,["unwrapKey"],["wrapKey"]]
---
// what a guest puts into Array.prototype is no argument
for (let i = 0; i < 9; i++) Object.defineProperty(Array.prototype, i, { get() { throw new Error("read"); }, set() { throw new Error("written"); }, configurable: true });
return (await crypto.subtle.digest("SHA-1", new Uint8Array(3))).byteLength; //= 20
---
// what is no algorithm, key, data or list is a TypeError that says so
const S = crypto.subtle, d = new Uint8Array(1), k = await S.importKey("raw", new Uint8Array(16), "AES-GCM", false, ["encrypt"]), out = [];
for (const f of [() => S.digest(), () => S.digest(5, d), () => S.digest(null, d), () => S.digest({}, d), () => S.digest("SHA-1", [1]), () => S.digest("SHA-1", new Proxy(d, {})), () => S.encrypt("AES-GCM", {}, d), () => S.encrypt({ name: "AES-GCM", iv: "x" }, k, d),
  () => S.encrypt({ name: "AES-GCM", iv: d, tagLength: 1e10 }, k, d), () => S.encrypt({ name: "AES-GCM", iv: d, tagLength: -5 }, k, d), () => S.encrypt({ name: "AES-GCM", iv: d, tagLength: 5n }, k, d), () => S.encrypt({ name: "AES-GCM", iv: d, tagLength: Symbol() }, k, d),
  () => S.generateKey("Ed25519", true), () => S.generateKey("Ed25519", true, "sign"), () => S.generateKey("Ed25519", true, Array(65).fill("sign")), () => S.importKey("jwk", d, "AES-GCM", true, []), () => S.importKey("raw", {}, "AES-GCM", true, []),
  () => S.importKey("pem", d, "AES-GCM", true, ["encrypt"]), () => S.deriveBits({ name: "ECDH", public: {} }, k, 8), () => S.generateKey({ name: "HMAC", hash: {} }, true, ["sign"]), () => S.digest({ get name() { throw new TypeError("own"); } }, d)]) {
  try { await f(); out.push("done"); } catch (e) { if (!(e instanceof TypeError)) out.push(e.name + ": " + e.message); else if (!e.message.startsWith("crypto.subtle.") && e.message !== "own" && !/bigint|BigInt|symbol/i.test(e.message)) out.push(e.message); }
}
return out; //= []
