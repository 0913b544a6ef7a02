// Intl and what goes with it. The host has the formatters; here are the classes of
// ECMA-402, whose objects hold the key of one. A call of format is one call of the host.
(function (I, host) {
"use strict";
const { m, hide, put, create, defineProperty, getOwnPropertyDescriptor, ownKeys, setPrototypeOf, construct, apply, slice,
  $Object, $String, $Symbol, $TypeError, $RangeError, dateValue, dateNow } = I;
const newFormatter = host["_Intl.new"], once = host["_Intl.once"], formatText = host["_Intl.format"], formatParts = host["_Intl.formatToParts"],
  formatRange = host["_Intl.formatRange"], rangeParts = host["_Intl.formatRangeToParts"], resolved = host["_Intl.resolvedOptions"];
const list = () => setPrototypeOf([], null);
const none = list();

// Slots: private fields on objects of whatever prototype new.target has.
class Stamp { constructor(o) { return o; } }
class Slot extends Stamp {
  #slot;
  constructor(o, slot) { super(o); this.#slot = slot; }
  static of(o) { return #slot in o ? o.#slot : undefined; }
}
function need(o, kind, method) {
  if (typeof o === "object" && o !== null || typeof o === "function") {
    const slot = Slot.of(o);
    if (slot !== undefined && slot.kind === kind) return slot;
  }
  throw new $TypeError("Method " + method + " called on incompatible receiver");
}

// Arguments.

function localesOf(v) {
  if (v === undefined) return none;
  const out = list();
  if (typeof v === "string") { out[0] = v; return out; }
  if (v === null) throw new $TypeError("Cannot convert undefined or null to object");
  const o = $Object(v), n = +o.length;
  if (n > $LOCALES) host["_Intl.tooManyLocales"](n);
  for (let i = 0; i < n; i++) {
    if (!(i in o)) continue;
    const t = o[i];
    if (typeof t !== "string" && (typeof t !== "object" || t === null)) throw new $TypeError("Language ID should be string or object.");
    out[out.length] = $String(t);
  }
  return out;
}

function textOf(v) {
  if (typeof v === "symbol") throw new $TypeError("Cannot convert a Symbol value to a string");
  return $String(v);
}
// decimalOf is the value of a number, bigint or decimal string, as the host takes it.
function decimalOf(v) {
  switch (typeof v) {
    case "number": case "string": return v;
    case "bigint": return $String(v);
  }
  return +v;
}

function matcherOf(o, service) {
  const v = o.localeMatcher;
  if (v === undefined) return;
  const s = textOf(v);
  if (s !== "lookup" && s !== "best fit") throw new $RangeError("Value " + slice(s, 0, 80) + " out of range for " + service + " options property localeMatcher");
}

// Options in the order of the host, which is that in which the standard reads them. Array
// literals, because they define elements where an assignment could meet a guest's setter.
const digits = (o, v) => [
  (v = o.minimumIntegerDigits) === undefined ? v : +v, (v = o.minimumFractionDigits) === undefined ? v : +v,
  (v = o.maximumFractionDigits) === undefined ? v : +v, (v = o.minimumSignificantDigits) === undefined ? v : +v,
  (v = o.maximumSignificantDigits) === undefined ? v : +v, (v = o.roundingIncrement) === undefined ? v : +v,
  (v = o.roundingMode) === undefined ? v : textOf(v), (v = o.roundingPriority) === undefined ? v : textOf(v),
  (v = o.trailingZeroDisplay) === undefined ? v : textOf(v)];
const kinds = {
  __proto__: null,
  n: { __proto__: null, name: "Intl.NumberFormat", coerce: true, read(o, v, d) {
    return [
      (v = o.numberingSystem) === undefined ? v : textOf(v), (v = o.style) === undefined ? v : textOf(v), (v = o.currency) === undefined ? v : textOf(v),
      (v = o.currencyDisplay) === undefined ? v : textOf(v), (v = o.currencySign) === undefined ? v : textOf(v), (v = o.unit) === undefined ? v : textOf(v),
      (v = o.unitDisplay) === undefined ? v : textOf(v), (v = o.notation) === undefined ? v : textOf(v),
      (d = digits(o))[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8],
      (v = o.compactDisplay) === undefined ? v : textOf(v), (v = o.useGrouping) === undefined ? v : grouping(v), (v = o.signDisplay) === undefined ? v : textOf(v)];
  } },
  p: { __proto__: null, name: "Intl.PluralRules", coerce: true, read(o, v, d) {
    return [(v = o.type) === undefined ? v : textOf(v), (d = digits(o))[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8]];
  } },
  r: { __proto__: null, name: "Intl.RelativeTimeFormat", coerce: true, read(o, v) {
    return [(v = o.numberingSystem) === undefined ? v : textOf(v), (v = o.style) === undefined ? v : textOf(v), (v = o.numeric) === undefined ? v : textOf(v)];
  } },
  l: { __proto__: null, name: "Intl.ListFormat", coerce: false, read(o, v) {
    return [(v = o.type) === undefined ? v : textOf(v), (v = o.style) === undefined ? v : textOf(v)];
  } },
  // The last two of a date say which fields are needed, and which to add.
  d: { __proto__: null, name: "Intl.DateTimeFormat", coerce: true, read(o, required, defaults, v) {
    return [
      (v = o.calendar) === undefined ? v : textOf(v), (v = o.numberingSystem) === undefined ? v : textOf(v), (v = o.hour12) === undefined ? v : !!v,
      (v = o.hourCycle) === undefined ? v : textOf(v), (v = o.timeZone) === undefined ? v : textOf(v), (v = o.weekday) === undefined ? v : textOf(v),
      (v = o.era) === undefined ? v : textOf(v), (v = o.year) === undefined ? v : textOf(v), (v = o.month) === undefined ? v : textOf(v),
      (v = o.day) === undefined ? v : textOf(v), (v = o.dayPeriod) === undefined ? v : textOf(v), (v = o.hour) === undefined ? v : textOf(v),
      (v = o.minute) === undefined ? v : textOf(v), (v = o.second) === undefined ? v : textOf(v), (v = o.fractionalSecondDigits) === undefined ? v : +v,
      (v = o.timeZoneName) === undefined ? v : textOf(v), (v = o.formatMatcher) === undefined ? v : textOf(v), (v = o.dateStyle) === undefined ? v : textOf(v),
      (v = o.timeStyle) === undefined ? v : textOf(v), required, defaults];
  } },
};
const noOptions = { __proto__: null };
function optionsOf(kind, options, required, defaults) {
  const k = kinds[kind];
  if (options === undefined) return required === undefined ? none : k.read(noOptions, required, defaults);
  if (options === null || !k.coerce && typeof options !== "object" && typeof options !== "function") {
    throw new $TypeError(options === null && k.coerce ? k.name + " called on null or undefined" : "Incorrect options information provided");
  }
  const o = $Object(options);
  matcherOf(o, k.name);
  return k.read(o, required, defaults);
}
function grouping(v) {
  if (v === true) return "always";
  if (!v) return "false";
  v = textOf(v);
  return v === "true" || v === "false" ? undefined : v;
}
// Results.

function pairsOf(flat) {
  const o = {};
  for (let i = 0; i < flat.length; i += 2) put(o, flat[i], flat[i + 1]);
  return o;
}
function partsOf(flat) {
  const out = [];
  for (let i = 0; i < flat.length; i += 2) put(out, i / 2, { type: flat[i], value: flat[i + 1] });
  return out;
}
function triplesOf(flat, key) {
  const out = [];
  for (let i = 0; i < flat.length; i += 3) {
    const p = { type: flat[i], value: flat[i + 1] };
    if (flat[i + 2] !== "") put(p, key, flat[i + 2]);
    put(out, i / 3, p);
  }
  return out;
}

// Classes.

function methods(o, from) {
  const keys = ownKeys(from);
  for (let i = 0; i < keys.length; i++) {
    const d = getOwnPropertyDescriptor(from, keys[i]);
    d.enumerable = false;
    setPrototypeOf(d, null);
    defineProperty(o, keys[i], d);
  }
}
const length = (f, n) => defineProperty(f, "length", { __proto__: null, value: n, configurable: true });
const tagged = (o, name) => defineProperty(o, $Symbol.toStringTag, { __proto__: null, value: name, configurable: true });
function service(C, kind, prototype) {
  const { name } = kinds[kind];
  methods(C.prototype, prototype);
  methods(C.prototype, { resolvedOptions() { return pairsOf(resolved(need(this, kind, name + ".prototype.resolvedOptions").key)); } });
  tagged(C.prototype, name);
  defineProperty(C, "prototype", { __proto__: null, writable: false });
  methods(C, {
    supportedLocalesOf(locales, options) {
      const tags = localesOf(locales);
      if (options !== undefined) {
        if (options === null) throw new $TypeError("Cannot convert undefined or null to object");
        matcherOf($Object(options), name);
      }
      return host["_Intl.supported"](tags);
    },
  });
  length(C, 0);
  length(C.supportedLocalesOf, 1);
  return C;
}
function make(kind, target, tags, options) {
  const o = construct($Object, [], target);
  new Slot(o, { __proto__: null, kind, key: newFormatter(kind, tags, options), bound: undefined });
  return o;
}
const needNew = (name) => { throw new $TypeError("Constructor " + name + " requires 'new'"); };

function NumberFormat(locales, options) {
  const target = new.target ?? NumberFormat, tags = localesOf(locales);
  return make("n", target, tags, optionsOf("n", options));
}
service(NumberFormat, "n", {
  get format() {
    const slot = need(this, "n", "get Intl.NumberFormat.prototype.format"), { key } = slot;
    return slot.bound ??= (0, (value) => formatText(key, decimalOf(value)));
  },
  formatToParts(value) { return partsOf(formatParts(need(this, "n", "Intl.NumberFormat.prototype.formatToParts").key, decimalOf(value))); },
  formatRange(start, end) {
    const { key } = need(this, "n", "Intl.NumberFormat.prototype.formatRange");
    both(start, end);
    return formatRange(key, decimalOf(start), decimalOf(end));
  },
  formatRangeToParts(start, end) {
    const { key } = need(this, "n", "Intl.NumberFormat.prototype.formatRangeToParts");
    both(start, end);
    return triplesOf(rangeParts(key, decimalOf(start), decimalOf(end)), "source");
  },
});
function both(start, end) {
  if (start === undefined) throw new $TypeError("Invalid start : undefined");
  if (end === undefined) throw new $TypeError("Invalid end : undefined");
}

function PluralRules(locales, options) {
  if (new.target === undefined) needNew("Intl.PluralRules");
  const tags = localesOf(locales);
  return make("p", new.target, tags, optionsOf("p", options));
}
service(PluralRules, "p", {
  select(value) { return formatText(need(this, "p", "Intl.PluralRules.prototype.select").key, +value); },
  selectRange(start, end) {
    const { key } = need(this, "p", "Intl.PluralRules.prototype.selectRange");
    both(start, end);
    return formatRange(key, +start, +end);
  },
});

function RelativeTimeFormat(locales, options) {
  if (new.target === undefined) needNew("Intl.RelativeTimeFormat");
  const tags = localesOf(locales);
  return make("r", new.target, tags, optionsOf("r", options));
}
service(RelativeTimeFormat, "r", {
  format(value, unit) { return formatText(need(this, "r", "Intl.RelativeTimeFormat.prototype.format").key, +value, textOf(unit)); },
  formatToParts(value, unit) {
    return triplesOf(formatParts(need(this, "r", "Intl.RelativeTimeFormat.prototype.formatToParts").key, +value, textOf(unit)), "unit");
  },
});

function ListFormat(locales, options) {
  if (new.target === undefined) needNew("Intl.ListFormat");
  const tags = localesOf(locales);
  return make("l", new.target, tags, optionsOf("l", options));
}
function textsOf(iterable) {
  const out = list();
  if (iterable === undefined) return out;
  for (const v of iterable) {
    if (typeof v !== "string") throw new $TypeError("Iterable yielded " + shown(v) + " which is not a string");
    out[out.length] = v;
  }
  return out;
}
const shown = (v) => typeof v === "symbol" || typeof v === "object" && v !== null || typeof v === "function" ? "a value" : slice($String(v), 0, 80);
service(ListFormat, "l", {
  format(items) { return formatText(need(this, "l", "Intl.ListFormat.prototype.format").key, textsOf(items)); },
  formatToParts(items) { return partsOf(formatParts(need(this, "l", "Intl.ListFormat.prototype.formatToParts").key, textsOf(items))); },
});

function DateTimeFormat(locales, options) {
  const target = new.target ?? DateTimeFormat, tags = localesOf(locales);
  return make("d", target, tags, optionsOf("d", options));
}
const timeOf = (date) => date === undefined ? dateNow() : +date;
service(DateTimeFormat, "d", {
  get format() {
    const slot = need(this, "d", "get Intl.DateTimeFormat.prototype.format"), { key } = slot;
    return slot.bound ??= (0, (date) => formatText(key, timeOf(date)));
  },
  formatToParts(date) { return partsOf(formatParts(need(this, "d", "Intl.DateTimeFormat.prototype.formatToParts").key, timeOf(date))); },
  formatRange(start, end) {
    const { key } = need(this, "d", "Intl.DateTimeFormat.prototype.formatRange");
    dates(start, end);
    return formatRange(key, +start, +end);
  },
  formatRangeToParts(start, end) {
    const { key } = need(this, "d", "Intl.DateTimeFormat.prototype.formatRangeToParts");
    dates(start, end);
    return triplesOf(rangeParts(key, +start, +end), "source");
  },
});
function dates(start, end) {
  if (start === undefined || end === undefined) throw new $TypeError("startDate or endDate cannot be undefined");
}

const Intl = {};
tagged(Intl, "Intl");
methods(Intl, {
  getCanonicalLocales(locales) { return host["_Intl.canonical"](localesOf(locales)); },
  supportedValuesOf(key) { return host["_Intl.values"](textOf(key)); },
});
methods(Intl, { NumberFormat, DateTimeFormat, PluralRules, RelativeTimeFormat, ListFormat });

// Methods of other prototypes, by name; the prelude calls them with the receiver first.

const S = m("Number"), big = m("BigInt"), bytes = m("Bytes");
const date = (receiver, args, required, defaults) => {
  const t = dateValue(receiver), tags = localesOf(args[0]), o = optionsOf("d", args[1], required, defaults);
  return t === t ? once("d", tags, o, t) : "Invalid Date";
};
const number = (value, args) => {
  const tags = localesOf(args[0]);
  return once("n", tags, optionsOf("n", args[1]), value);
};
const joining = list(); // arrays that are being joined, so that cycles end
function join(receiver, args) {
  const a = $Object(receiver), n = +a.length;
  for (let i = 0; i < joining.length; i++) if (joining[i] === a) return "";
  const depth = joining.length;
  joining[depth] = a;
  let out = "";
  try {
    for (let i = 0; i < n; i++) {
      if (i > 0) out += ",";
      const v = a[i];
      if (v !== undefined && v !== null) out += textOf(apply(v.toLocaleString, v, [args[0], args[1]]));
    }
  } finally { joining.length = depth; }
  return out;
}
const localised = {
  __proto__: null,
  number: (receiver, args) => number(S.valueOf(receiver), args),
  bigint: (receiver, args) => number($String(big.valueOf(receiver)), args),
  date: (receiver, args) => date(receiver, args, "any", "all"),
  dateOnly: (receiver, args) => date(receiver, args, "date", "date"),
  timeOnly: (receiver, args) => date(receiver, args, "time", "time"),
  array: join,
  typedArray: (receiver, args) => { bytes.length(receiver); return join(receiver, args); },
};

return { Intl, _Intl: { __proto__: null, localised, localesOf, optionsOf, textOf, decimalOf, once, list } };
})
