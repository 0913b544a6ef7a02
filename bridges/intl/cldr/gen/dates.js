// Date formats and calendars. What the keys mean is described at the
// top of datedata.go, which reads them.
"use strict";

exports.name = "dates";

const NAME_SEP = "|";
const APPEND = ["Era", "Year", "Quarter", "Month", "Week", "Day-Of-Week", "Day", "Hour", "Minute", "Second", "Timezone"];
const FIELDS = ["era", "year", "quarter", "month", "week", "weekday", "day", "dayperiod", "hour", "minute", "second", "zone"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const PERIODS = ["midnight", "am", "noon", "pm", "morning1", "morning2", "afternoon1", "afternoon2", "evening1", "evening2", "night1", "night2"];
const WIDTHS = { abbreviated: "a", narrow: "n", wide: "w" };
// Calendars beside gregorian and generic: their package, the release of dates-full that
// goes with it (what a calendar has in common with generic there is left out, it comes
// from generic here; null when all of it should), how many eras there are, and their
// names where the package is older than these.
const CALENDARS = {
  buddhist: ["cal-buddhist", "dates39", 1],
  japanese: ["cal-japanese", "dates39", 237],
  persian: ["cal-persian", "dates46", 1],
  islamic: ["cal-islamic", "dates", 1],
  hebrew: ["cal-hebrew", "dates", 1],
  roc: ["cal-roc", null, 2],
  coptic: ["cal-coptic", null, 2, "|AM"],
  ethiopic: ["cal-ethiopic", "dates46", 2, "AA|AM"],
  indian: ["cal-indian", null, 1],
};

exports.supplemental = (cldr) => {
  const out = {};
  const supplemental = (f) => cldr.json("cldr-core/supplemental/" + f + ".json").supplemental;
  const rules = supplemental("dayPeriods").dayPeriodRuleSet;
  for (const lang in rules) {
    const list = [];
    for (const p in rules[lang]) {
      const r = rules[lang][p];
      const hour = (s) => parseInt(s, 10);
      list.push(PERIODS.indexOf(p) + "," + (r._at ? hour(r._at) + "," : hour(r._from) + "," + hour(r._before)));
    }
    out["periods/" + lang] = list.join(";");
  }
  const time = supplemental("timeData").timeData;
  for (const k in time) out["hours/" + k.replace("_", "-")] = time[k]._preferred + " " + time[k]._allowed;
  const pref = supplemental("calendarPreferenceData").calendarPreferenceData;
  for (const k in pref) out["calendar/" + k] = pref[k][0];

  const skeletons = new Set(), intervals = new Set();
  for (const id of cldr.locales) for (const k in exports.locale(id, cldr)) {
    if (/^[gn]f\//.test(k)) skeletons.add(k.slice(3));
    if (/^[gn]i\//.test(k)) intervals.add(k.slice(3));
  }
  const japanese = supplemental("calendarData").calendarData.japanese.eras;
  out["japanese"] = Array.from({ length: CALENDARS.japanese[2] }, (_, i) => japanese[i]._start).join(NAME_SEP);

  out["skeletons"] = [...skeletons].sort().join(NAME_SEP);
  out["intervals"] = [...intervals].sort().join(NAME_SEP);
  return out;
};

const text = (v) => (typeof v === "string" ? v : v._value + (v._numbers ? "\t" + v._numbers : ""));

function names(obj, keys) {
  return keys.map((k) => {
    const v = obj[k] === undefined ? "" : obj[k];
    if (v.includes(NAME_SEP)) throw new Error("separator in " + v);
    return v;
  }).join(NAME_SEP);
}

// context writes a format and a stand-alone set; the latter only where it differs.
function context(out, prefix, set, keys) {
  for (const w in WIDTHS) {
    const f = names(set.format[w], keys(set.format[w]));
    out[prefix + "f" + WIDTHS[w]] = f;
    const s = set["stand-alone"] && set["stand-alone"][w];
    if (s) {
      const t = names(s, keys(s));
      if (t !== f && t.split(NAME_SEP).some((x) => x)) out[prefix + "s" + WIDTHS[w]] = t;
    }
  }
}

function eras(out, prefix, set, keep) {
  for (const [w, k] of [["eraAbbr", "a"], ["eraNames", "w"], ["eraNarrow", "n"]]) out[prefix + k] = names(set[w], keep);
}

// patterns writes the formats of a calendar with the prefix. has(k, v) tells what need
// not be written.
function patterns(out, prefix, cal, glue, skip) {
  const put = (k, v) => { v = text(v); if (!skip(k, v)) out[prefix + k] = v; };
  ["full", "long", "medium", "short"].forEach((style, i) => {
    put("d" + i, cal.dateFormats[style]);
    put("t" + i, cal.timeFormats[style]);
    // ICU uses these for styles and for fields alike. Those of gregorian serve the other
    // calendars too, unless the language has written down others. Where the language has
    // none (zh-Hant, yue), the package shows other formats, and ICU has these.
    if (glue) put("a" + i, cal["dateTimeFormats-atTime"].standard[style].replace("{1}{0}", i === 3 && cal.zh ? "{1}\u2009{0}" : "{1} {0}"));
  });
  // Intervals of times take the medium one of gregorian.
  if (prefix === "g") put("x", cal.dateTimeFormats.medium.replace("{1}{0}", "{1} {0}"));
  const f = cal.dateTimeFormats.availableFormats;
  for (const k in f) if (!/[-wWQ]/.test(k)) put("f/" + k, f[k]);
  const a = cal.dateTimeFormats.appendItems;
  put("ai", names(a, APPEND));
  const iv = cal.dateTimeFormats.intervalFormats;
  for (const k in iv) {
    if (k === "intervalFormatFallback") put("if", iv[k]);
    else if (!/[-wWQ]/.test(k)) for (const d in iv[k]) if (d.length === 1) put("i/" + k + "/" + d, iv[k][d]);
  }
}

const cache = new Map();
exports.locale = (id, cldr) => {
  if (cache.has(id)) return cache.get(id);
  const out = {};
  cache.set(id, out);
  const inherited = cldr.parent(id) ? exports.locale(cldr.parent(id), cldr) : {};
  const g = cldr.main("dates", id, "ca-gregorian.json").dates.calendars.gregorian;
  g.zh = id.startsWith("zh");
  const n = cldr.main("dates", id, "ca-generic.json").dates.calendars.generic;
  patterns(out, "g", g, true, () => false);
  patterns(out, "n", n, /^(ee|eu|ka|kk|lv|nso|pl|tn|to|yi)\b/.test(id), (k, v) => out["g" + k] === v);
  for (const k in out) if (k[0] === "g" && !/^g([tad]\d|x)$/.test(k) && out["n" + k.slice(1)] === undefined && !hasPattern(n, k.slice(1))) out["n" + k.slice(1)] = "";
  context(out, "gm/", g.months, (s) => Object.keys(s));
  context(out, "gw/", g.days, () => DAYS);
  context(out, "gp/", g.dayPeriods, () => PERIODS);
  eras(out, "ge/", g.eras, ["0", "1"]);

  for (const cal in CALENDARS) {
    const [pkg, release, count, eraNames] = CALENDARS[cal];
    const key = id === "und" && (release === "dates39" || !release) ? "root" : id; // the older name
    const file = cldr.main(pkg, key, "ca-" + cal + ".json");
    const generic = release && cldr.main(release, key, "ca-generic.json");
    if (!file || (release && !generic)) { // not yet in that release
      for (const k in inherited) if (k.startsWith(cal)) out[k] = inherited[k];
      continue;
    }
    const c = file.dates.calendars[cal];
    eras(out, cal + "e/", c.eras, Array.from({ length: count }, (_, i) => String(i)));
    if (!release) for (const w of "awn") { // the root's names changed since
      const k = cal + "e/" + w;
      out[k] = out[k].split(NAME_SEP).map((n) => ({ "Before R.O.C.": /^en/.test(id) ? "B.R.O.C." : "BROC", "R.O.C.": "ROC", Saka: "Śaka" })[n] || n).join(NAME_SEP);
    }
    if (eraNames) for (const w of "awn") out[cal + "e/" + w] = eraNames;
    if (!["buddhist", "japanese", "roc"].includes(cal)) {
      const order = cal === "hebrew" ? () => ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "7-yeartype-leap"] : (s) => Object.keys(s);
      context(out, cal + "m/", c.months, order);
      if (names(c.days.format.wide, DAYS) !== names(g.days.format.wide, DAYS)) context(out, cal + "w/", c.days, () => DAYS);
    }
    if (!release) continue;
    if (release === "dates39" && /-([A-Z]{2}|\d{3})$/.test(id)) {
      // That release shows the language's formats where a region has its own.
      for (const k in inherited) if (k.startsWith(cal) && out[k] === undefined) out[k] = inherited[k];
      continue;
    }
    const same = {};
    patterns(same, "", generic.dates.calendars.generic, false, () => false);
    patterns(out, cal, c, false, (k, v) => same[k] === v);
    if (cal === "buddhist" && id === "th") out["buddhistf/GyMd"] = "d/M/G y"; // younger than the package
  }

  const fields = cldr.main("dates", id, "dateFields.json").dates.fields;
  out["fields"] = names(Object.fromEntries(FIELDS.map((f) => [f, fields[f].displayName])), FIELDS);
  return out;
};

// hasPattern tells whether the calendar has the pattern of a key: what generic lacks must
// not be taken from gregorian.
function hasPattern(cal, k) {
  let m;
  if ((m = /^f\/(.*)/.exec(k))) return m[1] in cal.dateTimeFormats.availableFormats;
  if ((m = /^i\/(.*)\/(.)$/.exec(k))) return !!(cal.dateTimeFormats.intervalFormats[m[1]] || {})[m[2]];
  return true;
}
