// What every formatter needs: the locales and their relations, numbering systems,
// plural rules. All of it is supplemental.
"use strict";

exports.name = "core";

exports.supplemental = (cldr) => {
  const out = {};
  const supplemental = (f) => cldr.json("cldr-core/supplemental/" + f + ".json").supplemental;

  out["version"] = cldr.json("cldr-core/package.json").version;
  for (const id of cldr.locales) out["locale/" + id] = cldr.parent(id);
  // Locales without data of their own whose data is that of a shorter name: de-DE, zh-Hans-CN.
  const have = new Set(cldr.locales);
  const languages = new Set(cldr.locales.map((id) => id.split("-")[0]));
  for (const id of cldr.json("cldr-core/defaultContent.json").defaultContent) {
    if (languages.has(id.split("-")[0])) out["default/" + id] = "";
  }
  const likely = supplemental("likelySubtags").likelySubtags;
  for (const k in likely) if (languages.has(k.split("-")[0])) out["likely/" + k] = likely[k];

  const alias = supplemental("aliases").metadata.alias;
  for (const [kind, name] of [["languageAlias", "lang"], ["territoryAlias", "region"], ["scriptAlias", "script"], ["variantAlias", "variant"]]) {
    for (const k in alias[kind]) out["alias/" + name + "/" + k.toLowerCase()] = alias[kind][k]._replacement;
  }

  const systems = supplemental("numberingSystems").numberingSystems;
  for (const k in systems) if (systems[k]._type === "numeric") out["digits/" + k] = systems[k]._digits;

  for (const [file, type, short] of [["plurals", "plurals-type-cardinal", "cardinal"], ["ordinals", "plurals-type-ordinal", "ordinal"]]) {
    const rules = supplemental(file)[type];
    for (const lang in rules) {
      const list = [];
      for (const k in rules[lang]) {
        const cond = rules[lang][k].split("@")[0].trim();
        list.push(k.replace("pluralRule-count-", "") + (cond ? ":" + cond : ""));
      }
      out["plural/" + short + "/" + lang] = list.join(";");
    }
  }
  const ranges = supplemental("pluralRanges").plurals;
  for (const lang in ranges) {
    const list = [];
    for (const k in ranges[lang]) {
      const m = /^pluralRange-start-(\w+)-end-(\w+)$/.exec(k);
      list.push(m[1] + "+" + m[2] + "=" + ranges[lang][k]);
    }
    out["plural/range/" + lang] = list.join(";");
  }

  const currency = supplemental("currencyData").currencyData;
  out["currency/codes"] = cldr.currencies().join(" ");
  for (const k in currency.fractions) {
    const f = currency.fractions[k];
    out["currency/digits/" + k] = f._digits;
  }
  return out;
};
