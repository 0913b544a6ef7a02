// How console shows values, in the manner of Node's util.inspect. No walk goes further than the characters that still fit
// into the line. No getter of the guest runs, except those of an error's name and message.
(function (I) {
"use strict";
const { native, m, clean, kinds, kindNames, ownKeys, setPrototypeOf, isArray,
  getOwnPropertyDescriptor, getPrototypeOf, hasOwn, startsWith, slice, indexOf, text, stringify, shows,
  $Number, $String, $Symbol, $Map, $Uint8Array } = I;
const S = m("String"), M = m("Map"), B = m("Bytes"), exec = m("RegExp").exec,
  symbolToString = m("Symbol").toString, functionToString = m("Function").toString;

const maxLine = 16384, maxItems = 100, width = 80;
let left = 0;      // characters that this line may still take
let pad = 0;       // indentation of the value being formatted
let deepest = 0;   // level of the object formatted last
let circular;      // Map of an object that refers back to itself to its number

const list = () => setPrototypeOf([], null); // appending never meets the guest's Array.prototype
const append = (l, s) => { l[l.length] = s; };
const take = (s) => { left -= s.length; return s; };

const special = /[\x00-\x1f\x27\x5c\x7f-\x9f\ud800-\udfff]/, identifier = /^[A-Za-z_$][\w$]*$/;
const escapes = { __proto__: null, "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", "\\": "\\\\" };
function quote(s) {
  let rest = "";
  if (s.length > left + 2) {
    const keep = left > 0 ? left : 0;
    rest = "... " + (s.length - keep) + " more characters";
    s = slice(s, 0, keep);
  }
  if (exec(special, s) === null) return "'" + s + "'" + rest;
  let q = "'";
  if (indexOf(s, "'") >= 0) {
    if (indexOf(s, '"') < 0) q = '"';
    else if (indexOf(s, "`") < 0 && indexOf(s, "${") < 0) q = "`";
  }
  let out = q, from = 0;
  for (let i = 0; i < s.length; i++) {
    const c = s[i], n = S.charCodeAt(s, i);
    let e = escapes[c];
    if (e === undefined) {
      if (c === q) e = "\\" + c;
      else if (n < 0x20 || n > 0x7e && n < 0xa0) e = "\\x" + (n < 16 ? "0" : "") + S.toUpperCase(hex(n));
      else if (n >= 0xd800 && n <= 0xdfff) {
        if (S.codePointAt(s, i) > 0xffff) { i++; continue; }
        e = "\\u" + S.toUpperCase(hex(n));
      } else continue;
    }
    out += slice(s, from, i) + e;
    from = i + 1;
  }
  return out + slice(s, from) + q + rest;
}
const digits = "0123456789abcdef";
const hex = (n) => n < 16 ? digits[n] : hex(n >> 4) + digits[n & 15];

function primitive(v) {
  switch (typeof v) {
    case "string": return quote(v);
    case "number": return v === 0 && 1 / v < 0 ? "-0" : "" + v;
    case "bigint": return $String(v) + "n";
    case "symbol": return symbolToString(v);
    default: return "" + v;
  }
}
const isObject = (v) => typeof v === "object" && v !== null || typeof v === "function";

// value reads an own data property; accessors and absent ones are undefined.
function value(o, k) {
  const d = getOwnPropertyDescriptor(o, k);
  return d !== undefined && hasOwn(d, "value") ? d.value : undefined;
}
const nameOf = (f) => { const n = value(f, "name"); return typeof n === "string" ? n : ""; };

// className is the name of the nearest constructor, or "" for an object without one.
function className(v) {
  for (let o = v, i = 0; o !== null && i < 100; o = getPrototypeOf(o), i++) {
    const c = value(o, "constructor");
    if (typeof c === "function") {
      const n = nameOf(c);
      if (n !== "") return n;
    }
  }
  return "";
}

// tagOf is the nearest Symbol.toStringTag that is no getter.
function tagOf(v) {
  for (let o = v, i = 0; o !== null && i < 100; o = getPrototypeOf(o), i++) {
    const t = value(o, $Symbol.toStringTag);
    if (typeof t === "string") return t.length > 100 ? slice(t, 0, 100) : t;
  }
  return "";
}

// show formats any value. above is the chain of objects around it.
function show(v, level, depth, above) {
  if (typeof v === "function" && I.state.plain !== undefined) v = I.state.plain(v)?.data ?? v;
  if (!isObject(v)) return take(primitive(v));
  for (let a = above; a !== undefined; a = a.above) {
    if (a.v === v) {
      let n = M.get(circular, v);
      if (n === undefined) M.set(circular, v, n = M.size(circular) + 1);
      return take("[Circular *" + n + "]");
    }
  }
  const outer = pad;
  try {
    const s = object(v, level, depth, { __proto__: null, v, above });
    const n = M.get(circular, v);
    return n === undefined ? s : take("<ref *" + n + "> ") + s;
  } catch (e) {
    pad = outer;
    return take("<" + (native(OP.Class, v) || "value") + " that throws " + thrown(e) + ">");
  }
}
const thrown = (e) => native(OP.Class, e) === "Error" ? text(e, "name", "Error") + ": " + text(e, "message", "") : isObject(e) ? "an object" : primitive(e);

function prefix(name, tag, fallback, size) {
  let s = name === "" ? "[" + fallback + size + ": null prototype] " : name + size + " ";
  if (tag !== "" && tag !== name) s += "[" + tag + "] ";
  return s;
}

function object(v, level, depth, above) {
  const cls = native(OP.Class, v);
  const name = className(v);
  let tag = "";
  if (cls !== "Proxy") {
    tag = tagOf(v);
  }
  let array = false;
  if (cls === "Array" || cls === "Arguments") array = true;
  else if (cls === "Proxy") array = isArray(v);
  if (level > depth && cls !== "Error" && typeof v !== "function") {
    return take(array && (name === "Array" || name === "") ? "[Array]" : "[" + (name || "Object") + (name === "" ? ": null prototype" : "") + "]");
  }
  deepest = level;
  let base = "", open = "{", close = "}", skip = 0, hidden;
  const out = list();
  const child = (x) => {
    pad += 2;
    const s = show(x, level + 1, depth, above);
    pad -= 2;
    return s;
  };
  const more = (n, what) => { if (n > 0) append(out, take("... " + n + " more " + what + (n > 1 ? "s" : ""))); };
  if (array) {
    const n = value(v, "length") >>> 0;
    if (cls === "Arguments") open = "[Arguments] [";
    else if (name === "Array" && tag === "") open = "[";
    else open = prefix(name, tag, "Array", "(" + n + ")") + "[";
    if (cls === "Proxy") open = "Proxy " + open;
    close = "]";
    let shown = 0, i = 0;
    for (; i < n && shown < maxItems && left > 0; shown++) {
      let d = getOwnPropertyDescriptor(v, i);
      if (d === undefined) {
        let j = i + 1;
        while (j < n && j - i < 10000 && (d = getOwnPropertyDescriptor(v, j)) === undefined) j++;
        if (j - i === 10000) break; // a huge sparse array: the rest is not searched
        append(out, take("<" + (j - i) + " empty item" + (j - i > 1 ? "s" : "") + ">"));
        i = j;
        continue;
      }
      append(out, property(d, child));
      left -= 2;
      i++;
    }
    more(n - i, "item");
    skip = n;
  } else if (hasOwn(typed, cls)) {
    const n = B.length(v);
    open = prefix(name, tag, cls, "(" + n + ")") + "[";
    close = "]";
    let i = 0;
    for (; i < n && i < maxItems && left > 0; i++) { append(out, take(primitive(v[i]))); left -= 2; }
    more(n - i, "item");
    skip = Infinity;
    array = true;
  } else switch (cls) {
    case "Error":
      base = error(v, name);
      hidden = ["cause", "errors"];
      break;
    case "Map": case "Set": {
      const map = cls === "Map", n = map ? M.size(v) : m("Set").size(v);
      open = prefix(name, tag, cls, "(" + n + ")") + "{";
      const it = map ? M.entries(v) : m("Set").values(v), next = m(cls + "Iterator").next;
      let i = 0;
      for (; i < n && i < maxItems && left > 0; i++) {
        const e = next(it).value;
        append(out, map ? child(e[0]) + " => " + child(e[1]) : child(e));
        left -= 4;
      }
      more(n - i, "item");
      break;
    }
    case "WeakMap": case "WeakSet":
      open = prefix(name, tag, cls, "") + "{";
      append(out, take("<items unknown>"));
      break;
    case "Promise": {
      open = prefix(name, tag, cls, "") + "{";
      const r = native(OP.PromiseState, v);
      append(out, r[0] === 0 ? take("<pending>") : (r[0] === 2 ? take("<rejected> ") : "") + child(r[1]));
      break;
    }
    case "ArrayBuffer": case "SharedArrayBuffer": {
      open = prefix(name, tag, cls, "") + "{";
      const bytes = new $Uint8Array(v), n = B.length(bytes);
      let s = "[Uint8Contents]: <";
      for (let i = 0; i < n && i < 50; i++) s += (i > 0 ? " " : "") + digits[bytes[i] >> 4] + digits[bytes[i] & 15];
      append(out, take(s + (n > 50 ? " ... " + (n - 50) + " more byte" + (n > 51 ? "s" : "") : "") + ">"));
      append(out, take("byteLength: " + n));
      break;
    }
    case "DataView": {
      open = prefix(name, tag, cls, "") + "{";
      const p = I.hooks.viewParts(v);
      append(out, take("byteLength: " + p[2]));
      append(out, take("byteOffset: " + p[1]));
      append(out, "buffer: " + child(p[0]));
      break;
    }
    case "Date": {
      const t = I.hooks.dateValue(v);
      base = t !== t ? "Invalid Date" : m("Date").toISOString(v);
      if (name !== "Date") base = prefix(name, tag, cls, "") + base;
      break;
    }
    case "RegExp": {
      const p = I.hooks.regexpParts(v);
      base = "/" + p[0] + "/" + p[1];
      if (name !== "RegExp") base = prefix(name, tag, cls, "") + base;
      break;
    }
    case "Number": case "String": case "Boolean": case "BigInt": {
      const p = I.hooks.unbox(v, cls);
      base = "[" + cls + (name === cls ? "" : " (" + (name || "null prototype") + ")") + ": " + primitive(p) + "]";
      if (cls === "String") skip = p.length;
      break;
    }
    case "Symbol":
      base = "[Symbol: " + symbolToString(m("Symbol").valueOf(v)) + "]";
      break;
    case "Module":
      open = "[Module: null prototype] {";
      tag = "";
      break;
    default: {
      if (typeof v === "function") { base = fn(v, name); break; }
      for (let i = 0; cls === "Object" && name !== "Object" && i < shows.length; i++) {
        const instead = shows[i](v);
        if (instead === undefined) continue;
        pad -= 2;
        const s = child(instead);
        pad += 2;
        return take(name + " ") + s;
      }
      if (cls === "Generator" && tag === "") tag = "Generator";
      if (name !== "Object" || tag !== "") open = prefix(name, tag, "Object", "") + "{";
      if (cls === "Proxy") open = "Proxy " + open;
    }
  }
  take(base + open + close);
  if (skip <= 1000) entries(v, out, skip, hidden, child, cls === "Module");
  if (out.length === 0) return base !== "" ? base : open + close;
  return layout(out, base, open, close, level, array);
}
const typed = { __proto__: null, Uint8Array: 1, Uint8ClampedArray: 1, Int8Array: 1, Int16Array: 1, Uint16Array: 1, Int32Array: 1,
  Uint32Array: 1, BigInt64Array: 1, BigUint64Array: 1, Float16Array: 1, Float32Array: 1, Float64Array: 1 };

function property(d, child) {
  if (hasOwn(d, "value")) return child(d.value);
  return take(d.get === undefined ? "[Setter]" : d.set === undefined ? "[Getter]" : "[Getter/Setter]");
}

// entries appends the own properties: the enumerable ones without the first skip indexes,
// and those of hidden that exist.
function entries(v, out, skip, hidden, child, module) {
  const keys = ownKeys(v), n = keys.length;
  for (let i = skip > 0 ? firstNamed(keys, skip) : 0; i < n; i++) {
    if (left <= 0) {
      if (skip === 0) append(out, take("... " + (n - i) + " more key" + (n - i > 1 ? "s" : "")));
      return;
    }
    const k = keys[i];
    let d;
    if (module) {
      // A binding that is not initialized yet throws.
      try { d = getOwnPropertyDescriptor(v, k); } catch { append(out, take(k + ": <uninitialized>")); continue; }
    } else d = getOwnPropertyDescriptor(v, k);
    if (d === undefined) continue;
    let label;
    if (typeof k === "symbol") {
      if (!d.enumerable) continue;
      label = "[" + symbolToString(k) + "]";
    } else if (!d.enumerable) {
      if (hidden === undefined || k !== hidden[0] && k !== hidden[1]) continue;
      label = "[" + k + "]";
    } else label = k.length < 200 && exec(identifier, k) !== null ? k : quote(k);
    take(label);
    left -= 6;
    append(out, label + ": " + property(d, child));
  }
}
// firstNamed is the position after the index keys, which come first.
function firstNamed(keys, skip) {
  let i = 0;
  while (i < keys.length && i < skip && typeof keys[i] === "string" && keys[i] === "" + (keys[i] >>> 0)) i++;
  return i;
}

function fn(v, name) {
  let own = "", isClass = false;
  const n = nameOf(v), source = functionToString(v);
  if (startsWith(source, "class")) isClass = true;
  else if (indexOf(source, "[native code]") >= 0 && !hasOwn(globalThis, n)) {
    // Without its source a class is told by its prototype, which cannot be replaced.
    const p = getOwnPropertyDescriptor(v, "prototype");
    isClass = p !== undefined && p.writable === false;
  }
  if (isClass) {
    own = "[class " + (n || "(anonymous)");
    const parent = getPrototypeOf(v);
    if (parent === null) own += " extends null";
    else if (parent !== kinds[0] && nameOf(parent) !== "") own += " extends " + nameOf(parent);
    return own + "]";
  }
  let kind = "Function";
  const p = getPrototypeOf(v);
  for (let i = 1; i < 4; i++) if (p === kinds[i]) kind = kindNames[i];
  if (p === null) kind += " (null prototype)";
  return "[" + kind + (n === "" ? " (anonymous)" : ": " + n) + "]";
}

function error(v, cls) {
  let name = text(v, "name", "Error");
  const message = text(v, "message", "");
  if (name === "Error" && cls !== "" && cls !== "Error") name = cls;
  if (name === "") name = "Error";
  const head = message === "" ? name : name + ": " + message;
  let stack = value(v, "stack");
  stack = typeof stack === "string" ? clean(slice(stack, 0, 8192)) : "";
  if (stack === "") return "[" + head + "]";
  if (indexOf(stack, "    at ") !== 0) {
    // Written by a host or a library: it begins with a head of its own.
    const at = indexOf(stack, "\n    at ");
    stack = at < 0 ? "" : slice(stack, at + 1);
  }
  const s = slice(head + "\n" + stack, 0, -1);
  return pad > 0 ? indentBy(s, S.repeat(" ", pad)) : s;
}

function indentBy(s, by) {
  let out = "", from = 0;
  for (;;) {
    const at = indexOf(s, "\n", from);
    if (at < 0) return out + slice(s, from);
    out += slice(s, from, at + 1) + by;
    from = at + 1;
  }
}

// layout puts entries on one line when they hold at most three levels and fit, or else one to
// a line; long arrays of short items are filled like a paragraph.
function layout(out, base, open, close, level, array) {
  const n = out.length;
  let total = n * 2 + base.length + open.length + 10, longest = 0, lines = indexOf(base, "\n") >= 0;
  for (let i = 0; i < n; i++) {
    const l = out[i].length;
    total += l;
    if (l > longest && (i < n - 1 || i < maxItems)) longest = l; // not the note on further items
    if (!lines && total <= 2 * width) lines = indexOf(out[i], "\n") >= 0;
  }
  if (base !== "") open = base + " " + open;
  if (!lines && total + pad <= width && deepest - level < 3) return open + " " + join(out, ", ") + " " + close;
  const nl = "\n" + S.repeat(" ", pad);
  if (array && n > 6 && longest <= 16) {
    let s = open + nl + "  ", column = 0;
    for (let i = 0; i < n; i++) {
      const item = out[i] + (i < n - 1 ? "," : "");
      if (column > 0 && column + item.length + pad > width - 6) { s += nl + "  "; column = 0; }
      s += (column > 0 ? " " : "") + item;
      column += item.length + 1;
    }
    return s + nl + close;
  }
  return open + nl + "  " + join(out, "," + nl + "  ") + nl + close;
}
function join(l, by) {
  let s = l[0];
  for (let i = 1; i < l.length; i++) s += by + l[i];
  return s;
}

function inspect(v, depth) {
  circular = new $Map();
  pad = deepest = 0;
  return show(v, 0, depth, undefined);
}
// finish cuts a line that came out longer than planned; what closes it may go beyond a little.
const finish = (s) => s.length > maxLine + 1024 && left < 0 ? slice(s, 0, maxLine) + "..." : s;
const plain = (v, depth) => {
  if (typeof v !== "string") return inspect(v, depth);
  left -= v.length;
  return v;
};
const defaultDepth = 4;

// format is what console.log prints: printf directives in the first argument, then the others.
function format(args) {
  left = maxLine;
  let out = "", i = 0;
  const n = args.length, f = args[0];
  if (n > 1 && typeof f === "string") {
    i = 1;
    let from = 0, at = 0;
    while ((at = indexOf(f, "%", at)) >= 0 && at + 1 < f.length) {
      const c = f[at + 1];
      if (c === "%") out += slice(f, from, at + 1);
      else if (i < n && indexOf("sdifjoOc", c) >= 0) out += slice(f, from, at) + directive(c, args[i++]);
      else { at += 1; continue; }
      from = at += 2;
    }
    out += slice(f, from);
    left -= f.length;
  }
  for (; i < n; i++) {
    if (left <= 0) return finish(out) + " ... " + (n - i) + " more arguments";
    out += (i > 0 ? " " : "") + plain(args[i], defaultDepth);
  }
  return finish(out);
}
function directive(c, v) {
  switch (c) {
    case "s": return stringOf(v);
    case "d": return isObject(v) || typeof v === "symbol" ? number(v, $Number) : number(v, (x) => typeof x === "bigint" ? x : $Number(x));
    case "i": return number(v, (x) => typeof x === "bigint" ? x : I.parseInt(x));
    case "f": return number(v, I.parseFloat);
    case "j": {
      try { return take(stringify(v) + ""); } catch (e) { return take("<JSON that throws " + thrown(e) + ">"); }
    }
    case "c": return "";
    default: return inspect(v, defaultDepth);
  }
}
function number(v, convert) {
  try { return take(typeof v === "symbol" ? "NaN" : primitive(convert(v))); } catch { return take("NaN"); }
}
function stringOf(v) {
  if (typeof v === "string") return take(v);
  if (!isObject(v)) return take(primitive(v));
  try {
    if (native(OP.Class, v) === "Object") {
      const f = v.toString;
      if (typeof f === "function" && f !== I.objectToString) return take($String(v));
    }
  } catch (e) { return take("<string that throws " + thrown(e) + ">"); }
  return inspect(v, 0);
}

return {
  __proto__: null,
  format, isObject, thrown, value, list, append, indentBy, defaultDepth,
  // inspect is one value as a line of its own.
  inspect(v, depth) { left = maxLine; return finish(inspect(v, depth)); },
  // For a line that is put together from many values: begin, then cells while there is room.
  begin() { left = maxLine; },
  room: () => left > 0,
  cell(v) { const s = inspect(v, 0); return indexOf(s, "\n") < 0 ? s : slice(s, 0, indexOf(s, "\n")) + "..."; },
  property,
};
})
