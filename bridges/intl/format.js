// format: four functions for the usual cases, on what Intl has.
(function (I, host) {
"use strict";
const { bridge, isArray, freeze, $Number, $String, $TypeError } = I;
const { localesOf, optionsOf, decimalOf, textOf, once, list } = bridge("Intl")._Intl;

function localeOf(options) {
  if (options === undefined || options === null) return undefined;
  const { locale } = options;
  return locale === null ? undefined : locale;
}
const given = (options) => options === null ? undefined : options;
const fail = (message) => { throw new $TypeError(message); };

// Places in the options of a date: what asks for parts of it, and the styles.
const weekday = 5, timeZoneName = 15, dateStyle = 17, timeStyle = 18;
const format = {
  async number(value, options) {
    const v = typeof value === "bigint" ? decimalOf(value) : $Number(value);
    if (typeof v === "number" && v - v !== 0) fail("format.number: value must be a finite number");
    const tags = localesOf(localeOf(options));
    return once("n", tags, optionsOf("n", given(options)), v);
  },
  async date(epochMs, options) {
    const v = $Number(epochMs);
    if (v - v !== 0) fail("format.date: epochMs must be a finite number of milliseconds");
    const tags = localesOf(localeOf(options)), o = optionsOf("d", given(options), "any", "date");
    let asked = o[dateStyle] !== undefined || o[timeStyle] !== undefined;
    for (let i = weekday; i <= timeZoneName; i++) asked ||= o[i] !== undefined;
    if (!asked) o[dateStyle] = "medium";
    return once("d", tags, o, v);
  },
  async relativeTime(value, unit, options) {
    const v = $Number(value);
    if (v - v !== 0) fail("format.relativeTime: value must be a finite number");
    const tags = localesOf(localeOf(options));
    return once("r", tags, optionsOf("r", given(options)), v, textOf(unit));
  },
  async list(items, options) {
    if (!isArray(items)) fail("format.list: items must be an array");
    const tags = localesOf(localeOf(options)), o = optionsOf("l", given(options)), texts = list();
    for (let i = 0, n = items.length; i < n; i++) texts[i] = $String(items[i]);
    return once("l", tags, o, texts);
  },
};
freeze(format.number); freeze(format.date); freeze(format.relativeTime); freeze(format.list);
return { format: freeze(format) };
})
