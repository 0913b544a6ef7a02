// Writes the data files that bridges/intl/cldr embeds, from the CLDR JSON packages of
// package.json. Build time only: `npm ci && npm run generate`.
//
// Each file of SECTIONS exports {name, supplemental(cldr), locale(id, cldr)}: both give
// an object of key to string, locale the whole, inherited data of one locale. What a
// locale shares with its parent is left out here, so a section need not care. The file
// format is described at the top of section.go.
"use strict";
const fs = require("fs");
const path = require("path");
const zlib = require("zlib");

const SECTIONS = ["core.js", "numbers.js", "dates.js", "zones.js"];

const cldr = {
  // json reads a file of one of the packages: json("cldr-core/supplemental/plurals.json").
  json(file) { return JSON.parse(fs.readFileSync(path.join(__dirname, "node_modules", file), "utf8")); },
  // main reads a file of one locale: main("numbers", "de-AT", "currencies.json"),
  // or null where the package has none.
  main(pkg, id, file) {
    const f = path.join(__dirname, "node_modules", "cldr-" + pkg + "-full", "main", id, file);
    return fs.existsSync(f) ? JSON.parse(fs.readFileSync(f, "utf8")).main[id] : null;
  },
  // currencies are those in use somewhere and some of the recent past, sorted.
  currencies() {
    const { region } = cldr.json("cldr-core/supplemental/currencyData.json").supplemental.currencyData;
    const out = new Set(["ANG", "BGN", "CUC", "DEM", "ESP", "FRF", "HRK", "ITL", "SLL", "SVC", "XDR", "XSU", "ZWL"]);
    for (const r in region) for (const entry of region[r]) for (const code in entry) {
      if (!entry[code]._to && entry[code]._tender !== "false") out.add(code);
    }
    return [...out].sort();
  },
  locales: [],
  parent: (id) => "",
};

// Languages of the best coverage without SMALL, and these locales of lesser coverage.
const EXTRA = `uz-Arab uz-Cyrl pa-Arab az-Cyrl bs-Cyrl mt lb fy ug ckb ku tk tt tg ceb mg br mi xh`.split(/\s+/);
const SMALL = `shn cv chr ba pcm dsb hsb qu`.split(/\s+/); // for size: few speakers, or fewer readers

function setup() {
  const levels = cldr.json("cldr-core/coverageLevels.json").effectiveCoverageLevels;
  const full = cldr.json("cldr-core/availableLocales.json").availableLocales.full;
  const want = new Set(EXTRA);
  for (const id in levels) if (levels[id] === "modern" && !SMALL.includes(id.split("-")[0])) want.add(id);
  const { parentLocale } = cldr.json("cldr-core/supplemental/parentLocales.json").supplemental.parentLocales;
  cldr.parentLocale = parentLocale;
  cldr.parent = (id) => {
    if (id === "und") return "";
    if (id === "no") return "und";
    if (parentLocale[id]) return parentLocale[id];
    const i = id.lastIndexOf("-");
    return i < 0 ? "und" : id.slice(0, i);
  };
  const chosen = new Set();
  for (const id of full) {
    if (!want.has(id)) continue;
    for (let p = id; p; p = cldr.parent(p)) if (full.includes(p)) chosen.add(p);
  }
  // Variants are cut off when a locale is looked up.
  cldr.locales = [...chosen].filter((id) => id.split("-").slice(1).every((s) => s.length <= 4)).sort();
  const near = cldr.parent;
  cldr.parent = (id) => { // nearest parent that has data
    let p = near(id);
    while (p && !chosen.has(p)) p = near(p);
    return p;
  };
}

class Bytes {
  constructor() { this.parts = []; }
  uvarint(n) {
    const b = [];
    while (n >= 0x80) { b.push((n % 0x80) | 0x80); n = Math.floor(n / 0x80); }
    b.push(n);
    this.parts.push(Buffer.from(b));
  }
  string(s) {
    const b = Buffer.from(s, "utf8");
    this.uvarint(b.length);
    this.parts.push(b);
  }
  done() { return Buffer.concat(this.parts); }
}

const language = (id) => id.split("-")[0];
const byBytes = (a, b) => Buffer.compare(Buffer.from(a, "utf8"), Buffer.from(b, "utf8"));

function write(section) {
  const data = new Map([["@", section.supplemental ? section.supplemental(cldr) : {}]]);
  if (section.locale) for (const id of cldr.locales) data.set(id, section.locale(id, cldr));
  const parentOf = (id) => (id === "@" ? "" : cldr.parent(id));

  // What differs from the parent; null stands for what the parent has and this one lacks.
  const diffs = new Map();
  const keySet = new Set();
  for (const [id, d] of data) {
    const p = data.get(parentOf(id)) || {};
    const diff = new Map();
    for (const k in d) {
      if (typeof d[k] !== "string") throw new Error(`${section.name} ${id} ${k} is not a string`);
      if (d[k] !== p[k]) diff.set(k, d[k]);
    }
    for (const k in p) if (!(k in d)) diff.set(k, null);
    for (const k of diff.keys()) keySet.add(k);
    diffs.set(id, diff);
  }
  const keys = [...keySet].sort(byBytes);
  const keyID = new Map(keys.map((k, i) => [k, i]));

  // Strings of more than one language are common, the others stay in their chunk.
  const owners = new Map();
  for (const [id, diff] of diffs) for (const v of diff.values()) {
    if (v === null) continue;
    if (!owners.has(v)) owners.set(v, new Set());
    owners.get(v).add(language(id));
  }
  const common = [...owners.keys()].filter((v) => owners.get(v).size > 1).sort(byBytes);
  const commonID = new Map(common.map((v, i) => [v, i + 1]));

  const chunks = [];
  const head = new Bytes();
  for (const list of [keys, common]) { head.uvarint(list.length); for (const s of list) head.string(s); }
  chunks.push(["", head.done()]);
  const languages = [...new Set([...data.keys()].map(language))].sort();
  for (const lang of languages) {
    const ids = [...data.keys()].filter((id) => language(id) === lang).sort((a, b) => a.length - b.length || byBytes(a, b));
    const local = [];
    const localID = new Map();
    for (const id of ids) for (const k of [...diffs.get(id).keys()].sort(byBytes)) {
      const v = diffs.get(id).get(k);
      if (v === null || commonID.has(v) || localID.has(v)) continue;
      local.push(v);
      localID.set(v, common.length + local.length);
    }
    const b = new Bytes();
    b.uvarint(local.length);
    for (const s of local) b.string(s);
    b.uvarint(ids.length);
    for (const id of ids) {
      const diff = diffs.get(id);
      const sorted = [...diff.keys()].sort((x, y) => keyID.get(x) - keyID.get(y));
      b.string(id);
      b.string(parentOf(id));
      b.uvarint(sorted.length);
      let last = 0;
      for (const k of sorted) { b.uvarint(keyID.get(k) - last); last = keyID.get(k); }
      for (const k of sorted) {
        const v = diff.get(k);
        b.uvarint(v === null ? 0 : commonID.get(v) || localID.get(v));
      }
    }
    chunks.push([lang, b.done()]);
  }

  const index = new Bytes();
  const bodies = [];
  let raw = 0;
  index.uvarint(chunks.length);
  for (const [name, body] of chunks) {
    const z = zlib.deflateRawSync(body, { level: 9, memLevel: 9 });
    index.string(name);
    index.uvarint(z.length);
    index.uvarint(body.length);
    bodies.push(z);
    raw += body.length;
  }
  const out = Buffer.concat([Buffer.from("QCLDR1\n"), index.done(), ...bodies]);
  fs.writeFileSync(path.join(__dirname, "..", section.name + ".bin"), out);
  console.log(`${section.name}: ${data.size} records, ${keys.length} keys, ${common.length} common strings, ${raw} bytes raw, ${out.length} written`);
}

setup();
const only = process.argv.slice(2);
for (const file of SECTIONS) {
  if (only.length && !only.includes(file)) continue;
  if (!fs.existsSync(path.join(__dirname, file))) continue;
  write(require("./" + file));
}
fs.copyFileSync(path.join(__dirname, "node_modules", "cldr-core", "LICENSE"), path.join(__dirname, "..", "LICENSE-UNICODE.txt"));
