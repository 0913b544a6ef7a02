// Writes golden.json with an independent implementation of the Encoding Standard.
//
//	npm install @exodus/bytes@1.16.0 && node golden.mjs > golden.json
//
// Node's own TextDecoder is not the reference: with Node 20 (ICU 78) it has neither
// iso-8859-16 nor x-user-defined, and other texts than the standard for many of the cases
// in ibm866, windows-874, windows-1252, windows-1253, gbk, big5, euc-jp, iso-2022-jp,
// shift_jis and euc-kr, mostly where the input is malformed. For each encoding the file has
//
//	sweeps: the SHA-256 of the texts, each ended by a line feed, of a sequence family
//	        that decode_test.go's sweepFamilies lists in the same order
//	cases:  [bytes in hex, text, whether it is free of errors]
import { createHash } from "node:crypto";
import { TextDecoder } from "@exodus/bytes/encoding.js";

const names = ["ibm866", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6",
  "iso-8859-7", "iso-8859-8", "iso-8859-8-i", "iso-8859-10", "iso-8859-13", "iso-8859-14",
  "iso-8859-15", "iso-8859-16", "koi8-r", "koi8-u", "macintosh", "windows-874", "windows-1250",
  "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255", "windows-1256",
  "windows-1257", "windows-1258", "x-mac-cyrillic", "gbk", "gb18030", "big5", "euc-jp",
  "iso-2022-jp", "shift_jis", "euc-kr", "utf-16be", "utf-16le", "x-user-defined"];

function* single() { for (let a = 0; a < 256; a++) yield [a]; }
function* pairs() { for (let a = 0; a < 256; a++) for (let b = 0; b < 256; b++) yield [a, b]; }
function* jis0212() { for (const p of pairs()) yield [0x8f, ...p]; }
function* escaped() { for (const e of ["(B", "(J", "(I", "$B", "$@"]) for (const p of pairs()) yield [0x1b, e.charCodeAt(0), e.charCodeAt(1), ...p]; }
function* four() {
  for (let a = 0x81; a < 0xff; a++) for (let b = 0x30; b < 0x3a; b++) {
    if (a > 0x84 && a < 0x90 && b > 0x30) continue;
    for (let c = 0x81; c < 0xff; c += a > 0x84 ? 25 : 1) for (let d = 0x30; d < 0x3a; d++) yield [a, b, c, d];
  }
}
const families = { single, pairs, jis0212, escaped, four };
const of = { "euc-jp": ["jis0212"], "iso-2022-jp": ["escaped"], gb18030: ["four"], gbk: ["four"] };

let seed = 1;
const random = (n) => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % n;
};
const special = [0x1b, 0x24, 0x28, 0x42, 0x40, 0x4a, 0x49, 0x0e, 0x0f, 0x5c, 0x7e, 0x7f, 0x80, 0x81,
  0x8e, 0x8f, 0xa0, 0xa1, 0xd8, 0xdc, 0xdf, 0xfd, 0xfe, 0xff, 0x30, 0x31, 0x39, 0x41, 0x00, 0x84, 0x95];
const escapes = ["(B", "(J", "(I", "$B", "$@"];
const randomBytes = (name) => {
  const out = [], n = random(24), style = random(3);
  while (out.length < n) {
    if (name === "iso-2022-jp" && random(4) === 0) {
      const e = escapes[random(5)];
      out.push(0x1b, e.charCodeAt(0), e.charCodeAt(1));
    } else if (random(4) === 0) out.push(special[random(special.length)]);
    else if (style === 0) out.push(0x20 + random(0x5f));
    else if (style === 1) out.push(0x81 + random(0x7e));
    else out.push(random(256));
  }
  return Uint8Array.from(out);
};

const golden = {};
for (const name of names) {
  const loose = new TextDecoder(name, { ignoreBOM: true }), strict = new TextDecoder(name, { fatal: true, ignoreBOM: true });
  const sweeps = {}, cases = [];
  for (const f of ["single", "pairs", ...(of[name] ?? [])]) {
    const h = createHash("sha256");
    for (const bytes of families[f]()) h.update(loose.decode(Uint8Array.from(bytes)) + "\n");
    sweeps[f] = h.digest("hex");
  }
  for (let i = 0; i < (name === "iso-2022-jp" ? 400 : "gb18030 gbk big5 euc-jp shift_jis euc-kr utf-16le utf-16be".split(" ").includes(name) ? 200 : 12); i++) {
    const bytes = randomBytes(name);
    let valid = true;
    try { strict.decode(bytes); } catch { valid = false; }
    cases.push([Buffer.from(bytes).toString("hex"), loose.decode(bytes), valid]);
  }
  golden[name] = { sweeps, cases };
}
console.log("{\n" + names.map((n) => JSON.stringify(n) + ": {\"sweeps\": " + JSON.stringify(golden[n].sweeps) + ", \"cases\": [\n" +
  golden[n].cases.map((c) => JSON.stringify(c)).join(",\n") + "]}").join(",\n") + "\n}");
