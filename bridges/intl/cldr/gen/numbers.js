// Numbers, currencies, units, lists and relative times of each locale.
//
// Plural forms are one string: the form "other", then for each that differs from it
// "\x1f" name "=" form.
"use strict";

exports.name = "numbers";

// The units of ECMA-402 with the CLDR key of each, and the compounds CLDR has words for.
const UNITS = ["acre", "bit", "byte", "celsius", "centimeter", "day", "degree", "fahrenheit", "fluid-ounce", "foot", "gallon",
  "gigabit", "gigabyte", "gram", "hectare", "hour", "inch", "kilobit", "kilobyte", "kilogram", "kilometer", "liter", "megabit",
  "megabyte", "meter", "microsecond", "mile", "mile-scandinavian", "milliliter", "millimeter", "millisecond", "minute", "month",
  "nanosecond", "ounce", "percent", "petabyte", "pound", "second", "stone", "terabit", "terabyte", "week", "yard", "year"];
const COMPOUNDS = ["kilometer-per-hour", "meter-per-second", "mile-per-hour", "liter-per-kilometer", "mile-per-gallon"];

const RELATIVE = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"];
const LISTS = { conjunction: "standard", disjunction: "or", unit: "unit" };

function forms(source, prefix) {
  const other = source[prefix + "other"];
  if (other === undefined) return undefined;
  let out = other;
  for (const name of ["zero", "one", "two", "few", "many", "0", "1"]) {
    const f = source[prefix + name];
    if (f !== undefined && f !== other) out += "\x1f" + name + "=" + f;
  }
  return out;
}

const put = (out, key, value) => { if (value !== undefined && value !== null) out[key] = value; };

// The root's symbols of the Arabic digits, which the packages leave out (common/main/root.xml).
const ROOT = {
  arab: { decimal: "٫", group: "٬", percentSign: "٪؜", plusSign: "؜+", minusSign: "؜-", approximatelySign: "~",
    exponential: "أس", superscriptingExponent: "×", infinity: "∞", nan: "NaN" },
  arabext: { decimal: "٫", group: "٬", percentSign: "٪", plusSign: "\u200e+\u200e", minusSign: "\u200e-\u200e", approximatelySign: "~",
    exponential: "×۱۰^", superscriptingExponent: "×", infinity: "∞", nan: "NaN" },
};

function symbols(out, ns, s) {
  for (const [key, name] of [["decimal", "decimal"], ["group", "group"], ["percent", "percentSign"], ["plus", "plusSign"],
    ["minus", "minusSign"], ["approx", "approximatelySign"], ["exp", "exponential"], ["infinity", "infinity"], ["nan", "nan"],
    ["curdecimal", "currencyDecimal"], ["curgroup", "currencyGroup"]]) put(out, "sym/" + ns + "/" + key, s[name]);
}

function compact(out, key, table, prefix) {
  const powers = new Set(Object.keys(table || {}).map((k) => /^(\d+)-/.exec(k)).filter(Boolean).map((m) => m[1]));
  for (const p of powers) {
    // The key of a power is the count of its zeros.
    put(out, key + "/" + (p.length - 1), forms(table, p + "-count-"));
    const alpha = {};
    let any = false;
    for (const k in table) if (k.startsWith(p + "-count-") && k.endsWith("-alt-alphaNextToNumber")) {
      alpha[k.replace("-alt-alphaNextToNumber", "")] = table[k];
      any = true;
    }
    if (any) put(out, key + "/" + (p.length - 1) + "a", forms(alpha, p + "-count-"));
  }
}

exports.locale = (id, cldr) => {
  const out = {};
  const n = cldr.main("numbers", id, "numbers.json").numbers;
  put(out, "nu", n.defaultNumberingSystem);
  for (const k of ["native", "finance", "traditional"]) put(out, "nu/" + k, n.otherNumberingSystems[k]);
  put(out, "mingroup", n.minimumGroupingDigits);
  for (const ns in ROOT) symbols(out, ns, ROOT[ns]);
  for (const k in n) {
    const m = /^(\w+)-numberSystem-(\w+)$/.exec(k);
    if (!m) continue;
    const [, kind, ns] = m;
    const v = n[k];
    switch (kind) {
      case "symbols": symbols(out, ns, v); break;
      case "decimalFormats":
        put(out, "pat/" + ns + "/dec", v.standard);
        compact(out, "compact/" + ns + "/long", v.long && v.long.decimalFormat);
        compact(out, "compact/" + ns + "/short", v.short && v.short.decimalFormat);
        break;
      case "percentFormats": put(out, "pat/" + ns + "/pct", v.standard); break;
      case "scientificFormats": put(out, "pat/" + ns + "/sci", v.standard); break;
      case "currencyFormats": {
        put(out, "pat/" + ns + "/cur", v.standard);
        put(out, "pat/" + ns + "/cur-alpha", v["standard-alphaNextToNumber"]);
        put(out, "pat/" + ns + "/acc", v.accounting);
        put(out, "pat/" + ns + "/acc-alpha", v["accounting-alphaNextToNumber"]);
        const plural = {};
        for (const p in v) if (p.startsWith("unitPattern-count-")) plural[p.slice(18)] = v[p];
        put(out, "pat/" + ns + "/curname", forms(plural, ""));
        compact(out, "compact/" + ns + "/cur", v.short && v.short.standard);
        break;
      }
      case "miscPatterns":
        put(out, "pat/" + ns + "/range", v.range);
        put(out, "pat/" + ns + "/approx", v.approximately);
        break;
    }
  }

  const c = cldr.main("numbers", id, "currencies.json").numbers.currencies;
  const current = new Set(cldr.currencies());
  current.add("XXX");
  for (const code in c) {
    const v = c[code];
    if (v.symbol && v.symbol !== code) out["cur/" + code] = v.symbol;
    if (v["symbol-alt-narrow"]) out["curn/" + code] = v["symbol-alt-narrow"];
    if (v["symbol-alt-formal"]) out["curf/" + code] = v["symbol-alt-formal"];
    put(out, "curdec/" + code, v.decimal);
    put(out, "curgrp/" + code, v.group);
    // Names of money that is no longer in use would take as much space again.
    if (current.has(code)) put(out, "curname/" + code, forms(v, "displayName-count-") || (v.displayName !== code ? v.displayName : undefined));
  }

  const u = cldr.main("units", id, "units.json").units;
  for (const style of ["long", "short", "narrow"]) {
    const table = {};
    for (const k in u[style]) table[k.slice(k.indexOf("-") + 1)] = u[style][k];
    for (const name of UNITS.concat(COMPOUNDS)) {
      const v = table[name];
      if (!v) continue;
      put(out, "unit/" + style + "/" + name, forms(v, "unitPattern-count-"));
      put(out, "unitper/" + style + "/" + name, v.perUnitPattern);
    }
    put(out, "unitper/" + style, u[style].per && u[style].per.compoundUnitPattern);
  }

  const l = cldr.main("misc", id, "listPatterns.json").listPatterns;
  for (const type in LISTS) for (const style of ["", "-short", "-narrow"]) {
    const v = l["listPattern-type-" + LISTS[type] + style];
    if (v) for (const part of ["2", "start", "middle", "end"]) put(out, "list/" + type + style + "/" + part, v[part]);
  }

  const f = cldr.main("dates", id, "dateFields.json").dates.fields;
  for (const unit of RELATIVE) for (const style of ["", "-short", "-narrow"]) {
    const v = f[unit + style];
    if (!v) continue;
    const key = "rel/" + unit + style;
    for (const [k, name] of [["future", "relativeTime-type-future"], ["past", "relativeTime-type-past"]]) {
      if (v[name]) put(out, key + "/" + k, forms(v[name], "relativeTimePattern-count-"));
    }
    for (let i = -2; i <= 2; i++) put(out, key + "/" + i, v["relative-type-" + i]);
  }
  return out;
};
