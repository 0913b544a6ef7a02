// Writes numbers.json, plurals.json, relative.json and lists.json beside itself: what the
// Intl of Node (with full ICU) answers. The files record the versions.
//
//	node testdata/intl/gen-numbers.js [DIR [full]]
//
// With "full" every option set is tried on every locale: a larger grid to look for
// differences with, too large to commit.
"use strict";
const fs = require("fs");
const path = require("path");

const dir = process.argv[2] || __dirname;
const full = process.argv[3] === "full";
const head = { node: process.versions.node, icu: process.versions.icu, cldr: process.versions.cldr };

const locales = `en en-GB en-IN en-AU en-CA en-ZA de de-AT de-CH fr fr-CA fr-CH es es-MX es-AR it it-CH pt-BR pt-PT nl nl-BE
  sv da nb fi is pl cs sk sl hr sr sr-Latn bg ru uk ro hu el tr he ar ar-EG ar-SA ar-MA fa ur hi bn mr ne ta te gu kn ml pa si
  th my km lo ka hy az kk uz mn ko ja zh-CN zh-TW zh-HK id ms vi fil sw zu af am eu ca gl et lv lt mk sq cy ga be bs`.split(/\s+/);

// [options, values]; the second list is drawn from by rotation unless full.
const V = ["0", "-0", "1", "-1", "2", "3", "5", "11", "21", "100", "0.5", "-0.004", "1.5", "999.995", "1234.5", "-9876.54321", "12345678",
  "1e21", "1234567890123.456", "-1000000", "0.000012345", "NaN", "Infinity", "-Infinity", "12345678901234567890.12", "999999"];
const numberOptions = [
  {}, { maximumFractionDigits: 0 }, { minimumFractionDigits: 2 }, { maximumSignificantDigits: 3 }, { minimumSignificantDigits: 4, maximumSignificantDigits: 6 },
  { minimumIntegerDigits: 3 }, { useGrouping: false }, { useGrouping: "always" }, { useGrouping: "min2" }, { signDisplay: "always" },
  { signDisplay: "exceptZero", maximumFractionDigits: 1 }, { signDisplay: "never" }, { signDisplay: "negative", maximumFractionDigits: 1 },
  { style: "percent" }, { style: "percent", maximumFractionDigits: 2, signDisplay: "always" },
  { style: "currency", currency: "USD" }, { style: "currency", currency: "EUR" }, { style: "currency", currency: "JPY" }, { style: "currency", currency: "CHF" },
  { style: "currency", currency: "INR", currencyDisplay: "code" }, { style: "currency", currency: "USD", currencyDisplay: "name" },
  { style: "currency", currency: "EUR", currencyDisplay: "name", maximumFractionDigits: 0 }, { style: "currency", currency: "CAD", currencyDisplay: "narrowSymbol" },
  { style: "currency", currency: "USD", currencySign: "accounting" }, { style: "currency", currency: "GBP", currencySign: "accounting", signDisplay: "always" },
  { style: "currency", currency: "KWD", currencyDisplay: "name" }, { style: "currency", currency: "XXX" }, { style: "currency", currency: "SAR", currencyDisplay: "code", signDisplay: "always" },
  { style: "currency", currency: "USD", notation: "compact" }, { style: "currency", currency: "EUR", notation: "compact", compactDisplay: "long" },
  { style: "currency", currency: "JPY", notation: "compact", currencyDisplay: "name" }, { style: "currency", currency: "GBP", notation: "compact", currencyDisplay: "code" },
  { notation: "compact" }, { notation: "compact", compactDisplay: "long" }, { notation: "compact", maximumFractionDigits: 2 }, { notation: "compact", minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "always" },
  { style: "percent", notation: "compact" },
  { notation: "scientific" }, { notation: "engineering" }, { notation: "scientific", maximumSignificantDigits: 3 }, { notation: "engineering", minimumFractionDigits: 2 },
  { style: "unit", unit: "kilometer" }, { style: "unit", unit: "kilometer", unitDisplay: "long" }, { style: "unit", unit: "celsius", unitDisplay: "narrow" },
  { style: "unit", unit: "celsius", unitDisplay: "long" }, { style: "unit", unit: "liter", unitDisplay: "long" }, { style: "unit", unit: "megabyte" },
  { style: "unit", unit: "kilometer-per-hour" }, { style: "unit", unit: "mile-per-gallon", unitDisplay: "long" }, { style: "unit", unit: "meter-per-minute", unitDisplay: "long" },
  { style: "unit", unit: "byte-per-second", unitDisplay: "narrow" }, { style: "unit", unit: "gram-per-liter" }, { style: "unit", unit: "percent" }, { style: "unit", unit: "percent", unitDisplay: "long" },
  { style: "unit", unit: "day", unitDisplay: "long" }, { style: "unit", unit: "hour", unitDisplay: "short" }, { style: "unit", unit: "minute", unitDisplay: "narrow", maximumFractionDigits: 0 },
  { style: "unit", unit: "kilogram", unitDisplay: "long", notation: "compact" }, { style: "unit", unit: "foot-per-second", unitDisplay: "long" }, { style: "unit", unit: "degree" },
  { roundingMode: "floor", maximumFractionDigits: 0 }, { roundingMode: "ceil", maximumFractionDigits: 1 }, { roundingMode: "halfEven", maximumFractionDigits: 0 },
  { roundingMode: "trunc", maximumFractionDigits: 2 }, { roundingMode: "expand", maximumFractionDigits: 0 }, { roundingMode: "halfTrunc", maximumFractionDigits: 0 },
  { roundingMode: "halfCeil", maximumFractionDigits: 0 }, { roundingMode: "halfFloor", maximumFractionDigits: 0 },
  { roundingIncrement: 5, minimumFractionDigits: 2, maximumFractionDigits: 2 }, { roundingIncrement: 25, maximumFractionDigits: 0 }, { roundingIncrement: 5000, maximumFractionDigits: 0 },
  { trailingZeroDisplay: "stripIfInteger", minimumFractionDigits: 2 }, { style: "currency", currency: "USD", trailingZeroDisplay: "stripIfInteger" },
  { roundingPriority: "morePrecision", maximumFractionDigits: 1, maximumSignificantDigits: 3 }, { roundingPriority: "lessPrecision", maximumFractionDigits: 1, maximumSignificantDigits: 3 },
  { numberingSystem: "arab" }, { numberingSystem: "deva" }, { numberingSystem: "hanidec", minimumFractionDigits: 1 }, { numberingSystem: "latn", style: "percent" }, { numberingSystem: "thai", style: "currency", currency: "THB" },
];

const show = (list) => list.map((p) => p.type + ":" + p.value).join("|");
const save = (name, cases) => {
  const lines = cases.map((c) => JSON.stringify(c)).join(",\n");
  fs.writeFileSync(path.join(dir, name), `{"versions": ${JSON.stringify(head)}, "cases": [\n${lines}\n]}\n`);
};
let turn = 0;
const some = (list, n) => {
  if (full) return list;
  const out = [];
  for (let i = 0; i < n; i++) out.push(list[(turn += 7) % list.length]);
  return [...new Set(out)];
};

// A case is {locale, options, values: [[input, text]], parts: [[input, text]]}.
const numbers = [];
locales.forEach((locale, li) => numberOptions.forEach((options, oi) => {
  if (!full && (li + oi) % 4) return;
  const f = new Intl.NumberFormat(locale, options);
  const c = { locale, options, values: some(V, 2).map((v) => [v, f.format(v)]) };
  if (full || oi % 3 === 0) c.parts = some(V, 1).map((v) => [v, show(f.formatToParts(v))]);
  numbers.push(c);
}));
save("numbers.json", numbers);

// Ranges: values are [start, end, text].
const ranges = [];
const R = [["1", "3"], ["-3", "-1"], ["-3", "1"], ["1000", "2000"], ["1000", "2500000"], ["2", "2.0001"], ["0.1", "0.2"], ["5", "Infinity"], ["1", "2"]];
const rangeOptions = [{}, { style: "percent" }, { style: "currency", currency: "EUR" }, { style: "currency", currency: "USD", currencyDisplay: "code" },
  { style: "currency", currency: "USD", currencyDisplay: "name" }, { style: "unit", unit: "meter" }, { style: "unit", unit: "kilogram", unitDisplay: "long" },
  { notation: "compact" }, { notation: "compact", compactDisplay: "long" }, { notation: "scientific" }, { signDisplay: "always" }, { style: "currency", currency: "JPY", currencySign: "accounting" }];
locales.forEach((locale, li) => rangeOptions.forEach((options, oi) => {
  if (!full && (li + oi) % 6) return;
  const f = new Intl.NumberFormat(locale, options);
  const c = { locale, options, ranges: some(R, 2).map(([a, b]) => [a, b, f.formatRange(a, b)]) };
  // V8 mixes up the sources of parts next to a prefix that both ends share and to characters
  // that have no width; those are left out.
  const plain = !options.currency && options.signDisplay !== "always" && !/^(ar|fa|he|ur)/.test(locale);
  if (plain && (full || oi % 3 === 0)) c.parts = some(R, 1).map(([a, b]) => [a, b, f.formatRangeToParts(a, b).map((p) => p.type + ":" + p.value + ":" + p.source).join("|")]);
  ranges.push(c);
}));
save("ranges.json", ranges);

const plurals = [];
const P = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 19, 20, 21, 22, 23, 40, 50, 60, 80, 90, 100, 101, 102, 103, 111, 112, 121, 200, 1000, 1e6, 2e6, 0.5, 1.1, 1.5, 2.1, 10.1];
for (const locale of locales) for (const type of ["cardinal", "ordinal"]) {
  const f = new Intl.PluralRules(locale, { type });
  const c = { locale, options: { type }, values: {}, categories: f.resolvedOptions().pluralCategories };
  for (const v of P) (c.values[f.select(v)] ||= []).push(v);
  plurals.push(c);
  if (type === "cardinal") {
    const g = new Intl.PluralRules(locale, { minimumFractionDigits: 1 });
    const d = { locale, options: { minimumFractionDigits: 1 }, values: {}, ranges: [] };
    for (const v of P) (d.values[g.select(v)] ||= []).push(v);
    for (const [a, b] of [[0, 1], [1, 2], [1, 5], [2, 3], [5, 21], [3, 4]]) d.ranges.push([a, b, new Intl.PluralRules(locale).selectRange(a, b)]);
    plurals.push(d);
  }
}
save("plurals.json", plurals);

const relative = [];
const units = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"];
const T = [-1, 1, 0, -0, 2, -2, 5, -11, 21, 1.5, -1234.5, 100];
locales.forEach((locale) => {
  for (const style of ["long", "short", "narrow"]) for (const numeric of ["always", "auto"]) {
    const f = new Intl.RelativeTimeFormat(locale, { style, numeric });
    const c = { locale, options: { style, numeric }, values: [] };
    for (const u of some(units, 2)) for (const v of some(T, 2)) c.values.push([Object.is(v, -0) ? "-0" : String(v), u, f.format(v, u)]);
    if (style === "long") { const u = some(units, 1)[0]; c.parts = [["-1234.5", u, f.formatToParts(-1234.5, u).map((p) => p.type + ":" + p.value + (p.unit ? ":" + p.unit : "")).join("|")]]; }
    relative.push(c);
  }
});
save("relative.json", relative);

const lists = [];
const L = [[], ["A"], ["A", "B"], ["A", "B", "C"], ["A", "B", "C", "D", "E"]];
const special = {
  es: [["agua", "iglesia"], ["agua", "hielo"], ["agua", "hijo"], ["a", "8"], ["a", "11"], ["a", "11000"], ["a", "ocho"], ["a", "hora"], ["a", "110"], ["x", "Ibiza", "Yate"]],
  he: [["א", "ב"], ["a", "b"], ["א", "5"], ["א", "ב", "C"]],
};
for (const locale of locales) for (const type of ["conjunction", "disjunction", "unit"]) for (const style of ["long", "short", "narrow"]) {
  const f = new Intl.ListFormat(locale, { type, style });
  const c = { locale, options: { type, style }, values: [] };
  for (const items of some(L, 2)) c.values.push([items, f.format(items)]);
  if (style === "long") for (const items of special[locale.split("-")[0]] || []) c.values.push([items, f.format(items)]);
  if (style === "long") c.parts = [[L[3], show(f.formatToParts(L[3]))]];
  lists.push(c);
}
save("lists.json", lists);

const count = (list) => list.reduce((n, c) => n + (Array.isArray(c.values) ? c.values.length : Object.values(c.values || {}).flat().length) + (c.parts || []).length + (c.ranges || []).length, 0);
console.log({ locales: locales.length, numbers: count(numbers), ranges: count(ranges), plurals: count(plurals), relative: count(relative), lists: count(lists) });
