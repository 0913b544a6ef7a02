// plural rules
const en = new Intl.PluralRules("en", { type: "ordinal" }), ar = new Intl.PluralRules("ar"), sl = new Intl.PluralRules("sl");
return [[1, 2, 3, 4, 11, 21, 22].map((n) => en.select(n)), [0, 1, 2, 3, 11, 100].map((n) => ar.select(n)), sl.selectRange(1, 2), new Intl.PluralRules("en", { minimumFractionDigits: 1 }).select(1)];
//= [["one", "two", "few", "other", "other", "one", "two"], ["zero", "one", "two", "few", "many", "other"], "two", "other"]
---
return new Intl.PluralRules("pl").resolvedOptions();
//= {"locale":"pl","type":"cardinal","minimumIntegerDigits":1,"minimumFractionDigits":0,"maximumFractionDigits":3,"pluralCategories":["few","many","one","other"],"roundingIncrement":1,"roundingMode":"halfExpand","roundingPriority":"auto","trailingZeroDisplay":"auto"}
---
return Intl.PluralRules(); //! TypeError "Constructor Intl.PluralRules requires 'new'"
---
return new Intl.PluralRules("en").select(1n); //! TypeError
---
return new Intl.PluralRules("en").selectRange(1, NaN); //! RangeError "NaN"
---
return new Intl.PluralRules("en", { type: "x" }); //! RangeError "Value x out of range for Intl.PluralRules options property type"
---
// relative times
const en = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
return [en.format(-1, "day"), en.format(1, "days"), en.format(-0, "day"), en.format(2, "quarter"), new Intl.RelativeTimeFormat("de", { style: "narrow" }).format(-3, "month"), new Intl.RelativeTimeFormat("ar-EG").format(-1234.5, "hour")];
//= ["yesterday", "tomorrow", "today", "in 2 quarters", "vor 3 Monaten", "قبل ١٬٢٣٤٫٥ ساعة"]
---
return [new Intl.RelativeTimeFormat("en").formatToParts(-1234, "day"), new Intl.RelativeTimeFormat("en", { numeric: "auto" }).formatToParts(1, "day"), new Intl.RelativeTimeFormat("en-u-nu-thai").resolvedOptions()];
//= [[{"type":"integer","value":"1","unit":"day"},{"type":"group","value":",","unit":"day"},{"type":"integer","value":"234","unit":"day"},{"type":"literal","value":" days ago"}], [{"type":"literal","value":"tomorrow"}], {"locale":"en-u-nu-thai","style":"long","numeric":"always","numberingSystem":"thai"}]
---
return new Intl.RelativeTimeFormat("en").format(1, "eon"); //! RangeError "Invalid unit argument for Intl.RelativeTimeFormat.prototype.format() 'eon'"
---
return new Intl.RelativeTimeFormat("en").format(Infinity, "day"); //! RangeError "Value need to be finite number"
---
// lists
const l = (tag, o, ...items) => new Intl.ListFormat(tag, o).format(items);
return [l("en", {}, "a", "b", "c"), l("en", { type: "unit", style: "narrow" }, "a", "b"), l("es", {}, "padre", "hijo"), l("es", { type: "disjunction" }, "7", "8"), l("he", {}, "א", "b"), l("zh", {}, "a", "b", "c"), l("en", {}), l("en", {}, "a"), new Intl.ListFormat("en").format(new Set(["x", "y"]))];
//= ["a, b, and c", "a b", "padre e hijo", "7 u 8", "א ו-b", "a、b和c", "", "a", "x and y"]
---
return [new Intl.ListFormat("en").formatToParts(["a", "b"]), new Intl.ListFormat("de", { type: "unit" }).resolvedOptions(), new Intl.ListFormat("en").format()];
//= [[{"type":"element","value":"a"},{"type":"literal","value":" and "},{"type":"element","value":"b"}], {"locale":"de","type":"unit","style":"long"}, ""]
---
return new Intl.ListFormat("en").format(["a", 5]); //! TypeError "Iterable yielded 5 which is not a string"
---
return new Intl.ListFormat("en", 5); //! TypeError
---
// what Intl itself has
const v = Intl.supportedValuesOf;
return [Intl.getCanonicalLocales(["EN-us", "iw", "en-US"]), String(Intl), Object.getOwnPropertyNames(Intl).sort(), v("unit").length, v("currency").includes("EUR"), v("numberingSystem").includes("arab"), ["Europe/Vienna", "UTC", "US/Pacific"].map((z) => v("timeZone").includes(z)), v("calendar").includes("gregory"), v("collation")];
//= [["en-US", "he"], "[object Intl]", ["DateTimeFormat", "ListFormat", "NumberFormat", "PluralRules", "RelativeTimeFormat", "getCanonicalLocales", "supportedValuesOf"], 45, true, true, [true, true, false], true, []]
---
return Intl.supportedValuesOf("x"); //! RangeError "Invalid key : x"
---
// Intl can be replaced and extended, as in an engine that has it
Intl.Mine = 1;
const was = Intl;
globalThis.Intl = { other: true };
return [was.Mine, Intl.other, (1234).toLocaleString("de")]; //= [1, true, "1.234"]
