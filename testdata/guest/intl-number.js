const f = new Intl.NumberFormat("de-AT", { style: "currency", currency: "EUR" });
return [f.format(1234.5), f.format(-0), f.format("1e3"), f.format(12n), f.format(undefined), f.format(null), f.format(true), [1, 2].map(f.format)];
//= ["€ 1.234,50", "-€ 0,00", "€ 1.000,00", "€ 12,00", "€ NaN", "€ 0,00", "€ 1,00", ["€ 1,00", "€ 2,00"]]
---
// bigints and decimal strings are exact
const f = new Intl.NumberFormat("en", { maximumFractionDigits: 20 });
return [f.format(123456789012345678901234567890n), f.format("0.12345678901234567890"), f.format("9007199254740993.5")];
//= ["123,456,789,012,345,678,901,234,567,890", "0.1234567890123456789", "9,007,199,254,740,993.5"]
---
// digits that are not Latin, and text that runs from right to left
return [["ar-EG", 1234.5], ["fa", -1234.5], ["hi-u-nu-deva", 1234567], ["my", 42], ["th-u-nu-thai", 7], ["ur", -5], ["he", -5], ["bn", 1234567]].map(([l, v]) => new Intl.NumberFormat(l).format(v));
//= ["١٬٢٣٤٫٥", "‎−۱٬۲۳۴٫۵", "१२,३४,५६७", "၄၂", "๗", "‎-5", "‎-5", "১২,৩৪,৫৬৭"]
---
const parts = (f, ...v) => f.formatToParts(...v).map((p) => p.type + ":" + p.value).join("|");
return [parts(new Intl.NumberFormat("en"), -1234.5), parts(new Intl.NumberFormat("en", { style: "currency", currency: "USD", currencySign: "accounting" }), -5),
  parts(new Intl.NumberFormat("en", { notation: "compact", compactDisplay: "long" }), 12345), parts(new Intl.NumberFormat("en", { notation: "scientific" }), 0.00123)];
//= ["minusSign:-|integer:1|group:,|integer:234|decimal:.|fraction:5", "literal:(|currency:$|integer:5|decimal:.|fraction:00|literal:)", "integer:12|literal: |compact:thousand", "integer:1|decimal:.|fraction:23|exponentSeparator:E|exponentMinusSign:-|exponentInteger:3"]
---
const eur = new Intl.NumberFormat("de", { style: "currency", currency: "EUR" }), en = new Intl.NumberFormat("en");
return [eur.formatRange(1, 3), eur.formatRange(2.999, 3), en.formatRange(3, 1), en.formatRange(1n, "2"), en.formatRangeToParts(1, 3)];
//= ["1,00–3,00 €", "≈3,00 €", "3–1", "1–2", [{"type":"integer","value":"1","source":"startRange"},{"type":"literal","value":"–","source":"shared"},{"type":"integer","value":"3","source":"endRange"}]]
---
return new Intl.NumberFormat("en").formatRange(NaN, 1); //! RangeError "Invalid start : NaN"
---
return new Intl.NumberFormat("en").formatRange(1); //! TypeError "Invalid end : undefined"
---
return new Intl.NumberFormat("en", { style: "currency", currency: "JPY", useGrouping: false }).resolvedOptions();
//= {"locale":"en","numberingSystem":"latn","style":"currency","currency":"JPY","currencyDisplay":"symbol","currencySign":"standard","minimumIntegerDigits":1,"minimumFractionDigits":0,"maximumFractionDigits":0,"useGrouping":false,"notation":"standard","signDisplay":"auto","roundingIncrement":1,"roundingMode":"halfExpand","roundingPriority":"auto","trailingZeroDisplay":"auto"}
---
// options are read once, in the order of the standard
const seen = [];
new Intl.NumberFormat("en", new Proxy({}, { get(_, k) { seen.push(k); } }));
return seen.join(" ");
//= "localeMatcher numberingSystem style currency currencyDisplay currencySign unit unitDisplay notation minimumIntegerDigits minimumFractionDigits maximumFractionDigits minimumSignificantDigits maximumSignificantDigits roundingIncrement roundingMode roundingPriority trailingZeroDisplay compactDisplay useGrouping signDisplay"
---
const names = [];
for (const [o, n] of [[{ style: "foo" }], [{ style: "currency" }], [{ currency: "x" }], [{ style: "unit" }], [{ unit: "foo" }], [{ minimumFractionDigits: 101 }], [{ roundingIncrement: 3 }], [{ numberingSystem: "ab" }],
  [{ localeMatcher: "x" }], [{ useGrouping: "x" }], [{ style: "" }], [{ minimumIntegerDigits: 1n }], [null], [{ style: Symbol() }]]) {
  try { new Intl.NumberFormat("en", o); names.push("none"); } catch (e) { names.push(e.name); }
}
return names.join(" ");
//= "RangeError TypeError RangeError TypeError RangeError RangeError RangeError RangeError RangeError RangeError RangeError TypeError TypeError TypeError"
---
return new Intl.NumberFormat("en_US"); //! RangeError "Incorrect locale information provided: en_US"
---
return new Intl.NumberFormat(null); //! TypeError "Cannot convert undefined or null to object"
---
return new Intl.NumberFormat([5]); //! TypeError "Language ID should be string or object."
---
return new Intl.NumberFormat("en").format(Symbol()); //! TypeError
---
// locales: the first that is supported, or the default
return [[], "xx", ["xx", "fr-CA"], undefined, {}, { length: 1, 0: "de" }, "de-u-nu-arab-co-phonebk", ["zz", "yy", "xx", "ww", "vv", "ja"]].map((l) => new Intl.NumberFormat(l).resolvedOptions().locale);
//= ["en-US", "en-US", "fr-CA", "en-US", "en-US", "de", "de-u-nu-arab", "ja"]
---
// the shape of the classes
const C = Intl.NumberFormat, f = new C("en");
class Mine extends C { twice(x) { return this.format(2 * x); } }
return [C.length, C.name, typeof C("en").format, f.format === f.format, f.format.name, f.format.length, C.prototype[Symbol.toStringTag], Object.keys(C.prototype), Object.keys(f), Object.keys(Intl),
  new Mine("en").twice(4), new Mine() instanceof Mine, f.constructor === C, C.supportedLocalesOf.length, Object.getOwnPropertyNames(C.prototype).sort()];
//= [0, "NumberFormat", "function", true, "", 1, "Intl.NumberFormat", [], [], [], "8", true, true, 1, ["constructor", "format", "formatRange", "formatRangeToParts", "formatToParts", "resolvedOptions"]]
---
return Intl.NumberFormat.prototype.format; //! TypeError "incompatible receiver"
---
return Intl.NumberFormat.prototype.formatToParts.call(new Intl.PluralRules(), 1); //! TypeError "incompatible receiver"
---
return [Intl.NumberFormat.supportedLocalesOf(["de-AT", "xx", "zh-TW"]), Intl.NumberFormat.supportedLocalesOf("en", { localeMatcher: "lookup" }), Intl.NumberFormat.supportedLocalesOf()];
//= [["de-AT", "zh-TW"], ["en"], []]
---
// toLocaleString of numbers
return [(1234.5).toLocaleString(), (1234.5).toLocaleString("de"), (0.5).toLocaleString("en", { style: "percent" }), NaN.toLocaleString(), (12345678901234567890n).toLocaleString("hi"), new Number(5).toLocaleString(),
  [1234.5, null, "x", undefined, 10n].toLocaleString("de"), new Float64Array([0.5, 1234]).toLocaleString("fr"), [].toLocaleString()];
//= ["1,234.5", "1.234,5", "50%", "NaN", "1,23,45,67,89,01,23,45,67,890", "5", "1.234,5,,x,,10", "0,5,1 234", ""]
---
return Number.prototype.toLocaleString.call("5"); //! TypeError
---
return BigInt.prototype.toLocaleString.call(5); //! TypeError
---
const a = [1]; a.push(a, 2);
return a.toLocaleString(); //= "1,,2"
---
return (1).toLocaleString("en", { style: "currency" }); //! TypeError "Currency code is required with currency style."
---
// many kinds of formatters in one run
let n = 0;
for (let i = 0; i < 700; i++) n += new Intl.NumberFormat("en-x-" + i, { maximumFractionDigits: i % 20 }).format(1 / 3).length > 0;
const first = new Intl.NumberFormat("en-x-0", { maximumFractionDigits: 0 });
return [n, first.format(1.5)]; //= [700, "2"]
