// Writes the tables that the date tests of bridges/intl/cldr compare with: strings made by
// Node's full ICU. Run with the Node release whose ICU and CLDR date.tsv names in its first
// line:
//
//	node gen-dates.js        the committed tables
//	node gen-dates.js N      date-all.tsv with every Nth case of the whole grid (not committed)
//
// V8 before 12 takes hour12:false for h24 where the locale's own clock is h12, and
// hour12:true for h11 where it is h23. ECMA-402 since 2023 says h23, and h12 (h11 in
// Japan). The table has the options as a guest would write them and what V8 answers to
// the right hourCycle.
"use strict";
const fs = require("fs");
const path = require("path");

const LOCALES = `en en-GB en-CA en-AU en-IN de de-AT de-CH fr fr-CA es es-MX es-419 it pt-BR pt-PT nl sv da nb fi is pl cs sk
  hu ro bg hr sr uk ru el tr he ar ar-EG ar-SA fa ur hi bn mr ta te th vi id ms ja ko zh zh-TW zh-Hant-HK ka hy kk lt lv et sl
  ca eu gl cy ga af sw am ne my km lo si mn uz az sq mk`.trim().split(/\s+/);

const OPTIONS = [
  {},
  { dateStyle: "full" }, { dateStyle: "long" }, { dateStyle: "medium" }, { dateStyle: "short" },
  { timeStyle: "full" }, { timeStyle: "long" }, { timeStyle: "medium" }, { timeStyle: "short" },
  { dateStyle: "full", timeStyle: "short" }, { dateStyle: "long", timeStyle: "long" }, { dateStyle: "medium", timeStyle: "medium" }, { dateStyle: "short", timeStyle: "short" },
  { dateStyle: "medium", timeStyle: "short", hour12: true }, { dateStyle: "medium", timeStyle: "short", hour12: false }, { timeStyle: "short", hourCycle: "h24" },
  { year: "numeric", month: "long", day: "numeric" }, { year: "numeric", month: "short", day: "numeric" }, { year: "numeric", month: "2-digit", day: "2-digit" },
  { year: "2-digit", month: "numeric", day: "numeric" }, { weekday: "long", year: "numeric", month: "long", day: "numeric" }, { weekday: "short", month: "short", day: "numeric" },
  { year: "numeric", month: "long" }, { year: "numeric", month: "short" }, { year: "numeric", month: "numeric" }, { year: "2-digit", month: "2-digit" },
  { month: "long", day: "numeric" }, { month: "short", day: "2-digit" }, { month: "numeric", day: "numeric" }, { month: "2-digit", day: "2-digit" },
  { year: "numeric" }, { year: "2-digit" }, { month: "long" }, { month: "short" }, { month: "narrow" }, { month: "numeric" }, { month: "2-digit" }, { day: "numeric" }, { day: "2-digit" },
  { weekday: "long" }, { weekday: "short" }, { weekday: "narrow" }, { weekday: "long", day: "numeric" }, { weekday: "short", hour: "numeric" },
  { era: "short" }, { era: "long", year: "numeric", month: "long", day: "numeric" }, { era: "narrow", year: "numeric" }, { year: "numeric", day: "numeric" },
  { hour: "numeric" }, { hour: "2-digit" }, { hour: "numeric", minute: "numeric" }, { hour: "2-digit", minute: "2-digit" }, { hour: "numeric", minute: "2-digit", second: "2-digit" },
  { hour: "numeric", minute: "2-digit", hour12: true }, { hour: "numeric", minute: "2-digit", hour12: false }, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  { hour: "numeric", hourCycle: "h11" }, { minute: "2-digit" }, { minute: "numeric", second: "numeric" }, { second: "numeric", fractionalSecondDigits: 3 }, { fractionalSecondDigits: 2 },
  { hour: "numeric", minute: "numeric", second: "numeric", fractionalSecondDigits: 1 },
  { dayPeriod: "long" }, { hour: "numeric", dayPeriod: "short", hour12: true }, { hour: "numeric", dayPeriod: "long", hour12: true }, { hour: "numeric", minute: "2-digit", dayPeriod: "narrow", hour12: true },
  { year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit" }, { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit" },
  { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" },
  { weekday: "long", year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short" },
  { month: "short", day: "numeric", hour: "numeric", hour12: true },
  { timeZoneName: "short" }, { hour: "numeric", minute: "2-digit", timeZoneName: "long" }, { hour: "numeric", minute: "2-digit", timeZoneName: "shortOffset" },
  { hour: "numeric", timeZoneName: "longOffset" }, { hour: "numeric", minute: "2-digit", timeZoneName: "shortGeneric" }, { hour: "numeric", minute: "2-digit", timeZoneName: "longGeneric" },
  { year: "numeric", month: "long", timeZoneName: "longGeneric" },
  { calendar: "buddhist", dateStyle: "long" }, { calendar: "persian", year: "numeric", month: "long", day: "numeric" }, { calendar: "japanese", dateStyle: "full" },
  { calendar: "islamic-umalqura", dateStyle: "medium" }, { calendar: "islamic-civil", year: "numeric", month: "short" }, { calendar: "hebrew", dateStyle: "long" }, { calendar: "hebrew", month: "numeric", day: "numeric", year: "numeric" },
  { calendar: "gregory", dateStyle: "medium" }, { calendar: "gregory", era: "short", year: "numeric", month: "numeric", day: "numeric", hour: "numeric" },
  { numberingSystem: "arab", dateStyle: "short", timeStyle: "short" }, { numberingSystem: "deva", year: "numeric", month: "2-digit", day: "2-digit" }, { numberingSystem: "latn", dateStyle: "medium", timeStyle: "medium" },
];

const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Tokyo", "Australia/Lord_Howe", "America/Sao_Paulo", "Europe/Dublin", "Africa/Casablanca",
  "Asia/Kathmandu", "Pacific/Auckland", "Europe/London", "America/Phoenix", "Asia/Tehran", "Etc/GMT+5", "America/Argentina/Salta", "Pacific/Chatham", "Asia/Shanghai"];

const u = (...a) => Date.UTC(...a);
const INSTANTS = [
  u(2024, 0, 5, 0, 0, 0), u(2024, 1, 29, 12, 0, 0), u(2024, 2, 10, 6, 59, 59, 999), u(2024, 2, 10, 7, 0, 0), u(2024, 2, 31, 1, 0, 0), u(2024, 2, 31, 0, 59, 59, 999),
  u(2024, 9, 27, 0, 30, 0), u(2024, 9, 27, 1, 30, 0), u(2024, 10, 3, 5, 30, 0), u(2024, 10, 3, 6, 30, 0), u(2024, 5, 15, 8, 5, 7, 123), u(2024, 6, 20, 15, 45, 30, 45),
  u(2023, 11, 31, 23, 59, 59, 999), u(2019, 4, 1, 4, 0, 0), u(1989, 0, 7, 20, 0, 0), u(1970, 0, 1), u(1969, 6, 20, 20, 17, 40), u(2000, 1, 29, 18, 30), u(2038, 0, 19, 3, 14, 8),
  u(2025, 2, 21, 5, 0, 0), u(2100, 7, 9, 9, 9, 9), u(1999, 8, 9, 21, 9, 9, 9), u(2016, 10, 11, 3, 33, 33, 333), u(2024, 3, 9, 16, 0, 0),
];
// Times when zones had their mean solar time, and calendars have other eras.
const FAR = [u(1582, 9, 15, 12), u(1000, 5, 6, 7, 8, 9), -62198755200000 + 86400000 * 400, -62198755200000, -125594582400000, 253402300799999, 8.64e15, -8.64e15, u(1868, 9, 23)];

function ask(locale, options, zone) {
  const o = { ...options, timeZone: zone };
  if (o.hour12 === false) { delete o.hour12; o.hourCycle = "h23"; }
  if (o.hour12 === true) { delete o.hour12; o.hourCycle = /^ja/.test(locale) ? "h11" : "h12"; }
  return new Intl.DateTimeFormat(locale, o);
}

const HEAD = `# node ${process.version}, ICU ${process.versions.icu}, CLDR ${process.versions.cldr}, tz ${process.versions.tz}; written by gen-dates.js\n`;

function write(file, rows) {
  fs.writeFileSync(path.join(__dirname, file), HEAD + rows.map((r) => r.join("\t") + "\n").join(""));
  console.log(file, rows.length);
}

function row(locale, options, zone, t) {
  return [locale, JSON.stringify(options), zone, t, ask(locale, options, zone).format(t)];
}

const step = Number(process.argv[2]);
if (step) {
  const rows = [];
  let n = 0;
  for (const l of LOCALES) for (const o of OPTIONS) for (const z of ZONES) for (const t of INSTANTS) if (n++ % step === 0) rows.push(row(l, o, z, t));
  write("date-all.tsv", rows);
} else {
  const rows = [];
  let n = 0;
  LOCALES.forEach((l, i) => OPTIONS.forEach((o, j) => {
    // Every locale has every set of options, with another zone and time each.
    n += 7;
    if ((i + j) % 2 === 0 || i < 4) rows.push(row(l, o, ZONES[n % ZONES.length], INSTANTS[(n + i) % INSTANTS.length]));
  }));
  for (const l of ["en", "de", "fa", "th", "ar", "he", "ja", "zh"]) for (const t of FAR)
    for (const o of [{ dateStyle: "long" }, { era: "short", year: "numeric", month: "numeric", day: "numeric" }]) rows.push(row(l, o, "UTC", t));
  for (const z of ZONES) for (const t of [u(2024, 0, 5), u(2024, 6, 5)]) for (const l of ["en", "de", "fr", "ja"])
    for (const n of ["short", "long", "shortGeneric", "longGeneric", "longOffset"]) rows.push(row(l, { hour: "numeric", timeZoneName: n }, z, t));
  Intl.supportedValuesOf("timeZone").forEach((z, i) => {
    const l = ["en", "de", "es", "ru", "zh", "en-AU"][i % 6];
    rows.push(row(l, { timeStyle: "full" }, z, u(2024, (i * 5) % 12, 15, 12)));
    rows.push(row(l, { hour: "numeric", timeZoneName: i % 2 ? "shortGeneric" : "longGeneric" }, z, u(1972 + (i % 50), (i * 7) % 12, 15, 12)));
  });
  for (const l of ["en", "zh", "ja", "ko", "es", "hi", "bn", "ar", "de"]) for (let h = 0; h < 24; h++) rows.push(row(l, { hour: "numeric", dayPeriod: "long", hour12: true }, "UTC", u(2024, 0, 5, h)));
  LOCALES.forEach((l, i) => ["buddhist", "japanese", "persian", "islamic-civil", "hebrew", "roc", "coptic", "ethiopic", "ethioaa", "indian"].forEach((c, j) => {
    // For the calendars whose names are known to be old, fewer.
    if (["roc", "coptic", "indian"].includes(c) && i % 8) return;
    for (const o of [{ dateStyle: "full" }, { era: "short", year: "numeric", month: "short", day: "numeric" }]) rows.push(row(l, { calendar: c, ...o }, "UTC", INSTANTS[(i + j) % INSTANTS.length]));
  }));
  for (const c of ["hebrew", "persian", "islamic-civil", "islamic-tbla", "islamic-umalqura", "coptic", "ethiopic", "ethioaa", "indian", "roc"]) for (let k = 0; k < 60; k++)
    rows.push(row("en", { calendar: c, dateStyle: "long" }, "UTC", u(1900 + ((k * 37) % 200), k % 12, 1 + ((k * 11) % 28))));
  write("date.tsv", rows);

  const parts = [];
  for (const l of ["en", "de", "ja", "ar", "fa", "zh", "he", "fr-CA", "ko"]) for (const o of [
    { dateStyle: "full", timeStyle: "full" }, { era: "short", year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric", fractionalSecondDigits: 2, timeZoneName: "short" },
    { weekday: "long", hour: "numeric", dayPeriod: "long", hour12: true }, {}, { calendar: "japanese", dateStyle: "long" },
  ]) {
    const f = ask(l, o, "Europe/Berlin");
    const t = u(2024, 5, 15, 8, 5, 7, 123);
    parts.push([l, JSON.stringify(o), "Europe/Berlin", t, JSON.stringify(f.formatToParts(t).map((p) => [p.type, p.value]))]);
  }
  write("date-parts.tsv", parts);

  const ranges = [];
  const RANGE_OPTIONS = [{}, { year: "numeric", month: "short", day: "numeric" }, { year: "numeric", month: "long", day: "numeric", weekday: "short" }, { month: "long", year: "numeric" }, { year: "numeric" },
    { month: "short", day: "numeric" }, { hour: "numeric", minute: "2-digit" }, { hour: "numeric", minute: "2-digit", hour12: true }, { hour: "2-digit", minute: "2-digit", second: "2-digit" },
    { year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit" }, { dateStyle: "full" }, { dateStyle: "short", timeStyle: "short" }, { dateStyle: "long" }, { hour: "numeric" }, { weekday: "long" },
    { era: "short", year: "numeric", month: "long" }, { hour: "numeric", timeZoneName: "short" }, { day: "numeric" }, { month: "long" }, { timeStyle: "medium" }];
  const a = u(2024, 0, 5, 9, 15, 20);
  const ENDS = [a, a + 30e3, u(2024, 0, 5, 9, 45), u(2024, 0, 5, 11, 45), u(2024, 0, 5, 17, 5), u(2024, 0, 9, 17, 5), u(2024, 4, 9, 17, 5), u(2026, 4, 9, 17, 5)];
  let k = 0;
  for (const l of ["en", "en-GB", "de", "fr", "es", "it", "pt-BR", "nl", "sv", "pl", "ru", "tr", "ar", "fa", "he", "hi", "th", "ja", "ko", "zh", "zh-TW", "vi", "id"])
    for (const o of RANGE_OPTIONS) for (const e of ENDS) {
      if (k++ % 3 && !["en", "de", "ja"].includes(l)) continue;
      const f = ask(l, o, "UTC");
      ranges.push([l, JSON.stringify(o), "UTC", a, e, f.formatRange(a, e), JSON.stringify(f.formatRangeToParts(a, e).map((p) => [p.type, p.value, p.source]))]);
    }
  write("date-range.tsv", ranges);

  const resolved = [];
  for (const l of ["en", "de", "ja", "fa", "th", "ar-EG", "ar-SA", "hi", "bn", "en-u-ca-buddhist-nu-thai-hc-h23", "de-u-hc-h12", "ja-JP-u-ca-japanese", "zh-TW"]) for (const o of [{}, { hour: "numeric", minute: "numeric" }, { dateStyle: "long", timeStyle: "short" },
    { weekday: "short", month: "long", timeZoneName: "longOffset" }, { hour: "2-digit", dayPeriod: "long", fractionalSecondDigits: 2 }, { calendar: "hebrew", numberingSystem: "arab" }]) {
    const r = ask(l, o, "America/New_York").resolvedOptions();
    resolved.push([l, JSON.stringify(o), "America/New_York", JSON.stringify(r)]);
  }
  write("date-resolved.tsv", resolved);
}
