// Makes node.json: keys, signatures, ciphertexts and derived bits of another implementation of
// the Web Cryptography API, which the tests read. Run: node testdata/node.mjs
import { webcrypto } from "node:crypto";
import { writeFileSync } from "node:fs";

const S = webcrypto.subtle, hex = (b) => Buffer.from(b).toString("hex"), rand = (n) => webcrypto.getRandomValues(new Uint8Array(n));
const publicExponent = new Uint8Array([1, 0, 1]), data = new TextEncoder().encode("what was signed or encrypted"), rows = [];
const algorithm = (a) => Object.fromEntries(Object.entries(a).map(([k, v]) => [k, v instanceof Uint8Array ? { hex: hex(v) } : v]));

for (const [generate, how] of [
  [{ name: "HMAC", hash: "SHA-1" }, { name: "HMAC" }], [{ name: "HMAC", hash: "SHA-256", length: 100 * 8 }, { name: "HMAC" }], [{ name: "HMAC", hash: "SHA-384" }, { name: "HMAC" }], [{ name: "HMAC", hash: "SHA-512" }, { name: "HMAC" }],
  ...["P-256", "P-384", "P-521"].flatMap((namedCurve) => ["SHA-1", "SHA-256", "SHA-384", "SHA-512"].map((hash) => [{ name: "ECDSA", namedCurve }, { name: "ECDSA", hash }])),
  [{ name: "Ed25519" }, { name: "Ed25519" }],
  ...["SHA-1", "SHA-256", "SHA-384", "SHA-512"].map((hash) => [{ name: "RSASSA-PKCS1-v1_5", hash, modulusLength: 2048, publicExponent }, { name: "RSASSA-PKCS1-v1_5" }]),
  [{ name: "RSA-PSS", hash: "SHA-256", modulusLength: 2048, publicExponent }, { name: "RSA-PSS", saltLength: 32 }], [{ name: "RSA-PSS", hash: "SHA-512", modulusLength: 3072, publicExponent }, { name: "RSA-PSS", saltLength: 20 }],
]) {
  const k = await S.generateKey(generate, true, ["sign", "verify"]), row = { kind: "sign", algorithm: algorithm(generate), how, data: hex(data) };
  row.signature = hex(await S.sign(how, k.privateKey ?? k, data));
  if (k.privateKey) Object.assign(row, { pkcs8: hex(await S.exportKey("pkcs8", k.privateKey)), spki: hex(await S.exportKey("spki", k.publicKey)), jwk: await S.exportKey("jwk", k.privateKey) });
  else Object.assign(row, { raw: hex(await S.exportKey("raw", k)), jwk: await S.exportKey("jwk", k) });
  rows.push(row);
}
for (const [name, how] of [
  ["AES-CBC", { iv: rand(16) }], ["AES-CTR", { counter: new Uint8Array(16).fill(255), length: 16 }], ["AES-CTR", { counter: rand(16), length: 128 }],
  ["AES-GCM", { iv: rand(12) }], ["AES-GCM", { iv: rand(12), additionalData: rand(20), tagLength: 96 }], ["AES-GCM", { iv: rand(12), tagLength: 32 }], ["AES-GCM", { iv: rand(33), tagLength: 104 }],
]) for (const length of [128, 192, 256]) {
  const k = await S.generateKey({ name, length }, true, ["encrypt", "decrypt"]);
  rows.push({ kind: "encrypt", algorithm: { name, length }, how: algorithm({ name, ...how }), data: hex(data), raw: hex(await S.exportKey("raw", k)), jwk: await S.exportKey("jwk", k), ciphertext: hex(await S.encrypt({ name, ...how }, k, data)) });
}
for (const hash of ["SHA-1", "SHA-256", "SHA-384", "SHA-512"]) {
  const generate = { name: "RSA-OAEP", hash, modulusLength: 2048, publicExponent }, how = { name: "RSA-OAEP", label: rand(5) }, k = await S.generateKey(generate, true, ["encrypt", "decrypt"]);
  rows.push({ kind: "encrypt", algorithm: algorithm(generate), how: algorithm(how), data: hex(data), pkcs8: hex(await S.exportKey("pkcs8", k.privateKey)), jwk: await S.exportKey("jwk", k.privateKey), ciphertext: hex(await S.encrypt(how, k.publicKey, data)) });
  for (const how of [{ name: "HKDF", hash, salt: rand(9), info: rand(7) }, { name: "PBKDF2", hash, salt: rand(16), iterations: 1234 }]) {
    const secret = rand(21), k = await S.importKey("raw", secret, how.name, false, ["deriveBits"]);
    rows.push({ kind: "derive", algorithm: { name: how.name }, how: algorithm(how), raw: hex(secret), length: 776, bits: hex(await S.deriveBits(how, k, 776)) });
  }
}
for (const a of [{ name: "ECDH", namedCurve: "P-256" }, { name: "ECDH", namedCurve: "P-384" }, { name: "ECDH", namedCurve: "P-521" }, { name: "X25519" }]) {
  const one = await S.generateKey(a, true, ["deriveBits"]), two = await S.generateKey(a, true, ["deriveBits"]), length = a.name === "X25519" ? 256 : Number(a.namedCurve.slice(2)) & ~7;
  rows.push({ kind: "agree", algorithm: a, pkcs8: hex(await S.exportKey("pkcs8", one.privateKey)), jwk: await S.exportKey("jwk", one.privateKey), spki: hex(await S.exportKey("spki", two.publicKey)), public: hex(await S.exportKey("raw", two.publicKey)),
    length, bits: hex(await S.deriveBits({ name: a.name, public: two.publicKey }, one.privateKey, length)) });
}
writeFileSync(new URL("node.json", import.meta.url), JSON.stringify({ node: process.version, rows }, null, 1) + "\n");
