// the examples of the functions
return [await format.number(1234567.891), await format.number(12.5, { style: "currency", currency: "USD" }),
  await format.number(0.256, { style: "percent", maximumFractionDigits: 1 }), await format.date(0, { dateStyle: "medium", timeZone: "UTC" }),
  await format.relativeTime(-1, "day"), await format.list(["a", "b", "c"]), await format.list(["a", "b"], { type: "disjunction" })];
//= ["1,234,567.891", "$12.50", "25.6%", "Jan 1, 1970", "1 day ago", "a, b, and c", "a or b"]
---
// more options than those four functions began with
return [await format.number(12345, { locale: "de", notation: "compact", compactDisplay: "long" }), await format.number(16, { style: "unit", unit: "liter", unitDisplay: "long" }),
  await format.relativeTime(1, "days", { locale: "fr", numeric: "auto" }), await format.list([1, "b", null], { locale: "he", style: "short" }),
  await format.date(0, { year: "numeric", month: "long", locale: "es" })];
//= ["12 Tausend", "16 liters", "demain", "1, b ו-null", "enero de 1970"]
---
// a date without styles is medium, in UTC; a time alone is a time alone
return [await format.date(0), (await format.date(0, { timeStyle: "short" })).replace(/\s/, " "), await format.date(86399999, {}), await format.date(0, null), await format.date("0")];
//= ["Jan 1, 1970", "12:00 AM", "Jan 1, 1970", "Jan 1, 1970", "Jan 1, 1970"]
---
// values are converted as Number does
return [await format.number("12"), await format.number(true), await format.number(10n ** 30n), await format.relativeTime("3", "week"), await format.number(null)];
//= ["12", "1", "1,000,000,000,000,000,000,000,000,000,000", "in 3 weeks", "0"]
---
return await format.number(NaN); //! TypeError "format.number: value must be a finite number"
---
return await format.number("x"); //! TypeError "format.number: value must be a finite number"
---
return await format.date(Infinity); //! TypeError "format.date: epochMs must be a finite number of milliseconds"
---
return await format.date(1e16); //! RangeError "Invalid time value"
---
return await format.relativeTime(NaN, "day"); //! TypeError "format.relativeTime: value must be a finite number"
---
return await format.relativeTime(1, "eon"); //! RangeError "Invalid unit argument"
---
return await format.list("abc"); //! TypeError "format.list: items must be an array"
---
return await format.number(1, { locale: "not_a_locale" }); //! RangeError "Incorrect locale information provided: not_a_locale"
---
return await format.number(1, { style: "currency" }); //! TypeError "Currency code is required with currency style."
---
// errors reject, they are not thrown
const p = format.number(NaN);
return [p instanceof Promise, await p.catch((e) => e.name)]; //= [true, "TypeError"]
---
// the object cannot be changed, and unknown options do not matter
const bad = [];
for (const f of [() => { format.number = 1; }, () => { delete format.list; }, () => { globalThis.format = 1; }, () => { format.number.x = 1; }]) try { f(); bad.push(f); } catch {}
return [bad.length, await format.number(1, { colour: "red", then: 1 })]; //= [0, "1"]
---
// what a guest overwrites breaks only itself
const keep = [];
for (const C of [Object, Array, String, Number, Promise, Map, Function]) {
  for (const k of Object.getOwnPropertyNames(C.prototype)) {
    if (k === "constructor" || k === "__proto__" || C === Function || C === Promise && k === "then" || k === "length") continue;
    try { Object.defineProperty(C.prototype, k, { value() { throw new Error("replaced"); }, configurable: true }); } catch {}
  }
}
Object.defineProperty(Object.prototype, "0", { set() { throw new Error("setter"); }, configurable: true });
Object.defineProperty(Object.prototype, "evil", { value: 1, enumerable: true, configurable: true });
Object.defineProperty(Object.prototype, "get", { value: () => 1, configurable: true });
JSON.stringify = Object.defineProperty = Reflect.construct = null;
globalThis.Object = globalThis.Array = globalThis.String = globalThis.Number = globalThis.TypeError = undefined;
const f = new Intl.NumberFormat("de", { style: "currency", currency: "EUR" });
const a = f.format(1234.5), b = await format.list(["x", "y"]), c = f.formatToParts(5), d = f.resolvedOptions().currency, e = new Intl.DateTimeFormat("en").format(0);
delete {}.__proto__["0"];
return a + "|" + b + "|" + c[0].type + c.length + "|" + d + "|" + e; //= "1.234,50 €|x and y|integer5|EUR|1/1/1970"
