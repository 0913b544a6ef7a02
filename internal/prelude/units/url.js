// URL and URLSearchParams of the WHATWG URL standard. Parsing and the setters are the host's.
(function (I) {
"use strict";
const { native, m, defineProperty, ownKeys, getOwnPropertyDescriptor, setPrototypeOf, slice, indexOf, apply, hide, shows,
  $String, $Symbol, $TypeError, $Uint8Array } = I;
const S = m("String"), B = m("Bytes"), charCodeAt = S.charCodeAt, sort = m("Array").sort;
const list = () => setPrototypeOf([], null);
const append = (l, v) => { l[l.length] = v; };
const tag = (C, name) => defineProperty(C.prototype, $Symbol.toStringTag, { __proto__: null, value: name, configurable: true });
const usv = (v) => S.toWellFormed($String(v));
const need = (given, n, what) => { if (given < n) throw new $TypeError(what + ": " + n + " argument" + (n > 1 ? "s" : "") + " required"); };

// Parsed records are arrays in this order.
const HREF = 0, PROTOCOL = 1, USERNAME = 2, PASSWORD = 3, HOST = 4, HOSTNAME = 5, PORT = 6, PATHNAME = 7, SEARCH = 8, HASH = 9, ORIGIN = 10;

// application/x-www-form-urlencoded
const nibble = (c) => { const l = c | 32; return c >= 48 && c <= 57 ? c - 48 : l >= 97 && l <= 102 ? l - 87 : -1; };
function decode(s) {
  const plus = indexOf(s, "+") >= 0, percent = indexOf(s, "%") >= 0;
  if (!plus && !percent) return s;
  const from = native(OP.UTF8Encode, s), n = B.length(from), to = new $Uint8Array(n);
  let k = 0;
  for (let i = 0; i < n; i++) {
    let c = from[i];
    if (c === 43) c = 32;
    else if (c === 37 && i + 2 < n) {
      const h = nibble(from[i + 1]), l = nibble(from[i + 2]);
      if (h >= 0 && l >= 0) { c = h << 4 | l; i += 2; }
    }
    to[k++] = c;
  }
  return native(OP.UTF8Decode, B.subarray(to, 0, k));
}
function parse(s, into) {
  for (let i = 0; i <= s.length;) {
    let j = indexOf(s, "&", i);
    if (j < 0) j = s.length;
    if (j > i) {
      const part = slice(s, i, j), eq = indexOf(part, "=");
      append(into, decode(eq < 0 ? part : slice(part, 0, eq)));
      append(into, eq < 0 ? "" : decode(slice(part, eq + 1)));
    }
    i = j + 1;
  }
}
const safe = /^[\w*.-]*$/, digits = "0123456789ABCDEF", exec = m("RegExp").exec;
function encode(s) {
  if (exec(safe, s) !== null) return s;
  const b = native(OP.UTF8Encode, s), n = B.length(b);
  let out = "";
  for (let i = 0; i < n; i++) {
    const c = b[i];
    if (c >= 48 && c <= 57 || c >= 65 && c <= 90 || c >= 97 && c <= 122 || c === 42 || c === 45 || c === 46 || c === 95) out += I.fromCharCode(c);
    else out += c === 32 ? "+" : "%" + digits[c >> 4] + digits[c & 15];
  }
  return out;
}
function serialize(l) {
  let s = "";
  for (let i = 0; i < l.length; i += 2) s += (i > 0 ? "&" : "") + encode(l[i]) + "=" + encode(l[i + 1]);
  return s;
}

const iteratorPrototype = I.getPrototypeOf(I.getPrototypeOf(m("Map").entries(new I.$Map())));
class URLSearchParams {
  #list = list(); // name, value, name, value, …
  #url;           // the URL whose query this is
  constructor(init = "") {
    const l = this.#list;
    if (typeof init === "object" && init !== null || typeof init === "function") {
      const method = init[$Symbol.iterator];
      if (method !== undefined && method !== null) {
        if (typeof method !== "function") throw new $TypeError("URLSearchParams: the argument is not iterable");
        for (const pair of { [$Symbol.iterator]: () => apply(method, init, []) }) {
          const p = list();
          if (typeof pair !== "object" && typeof pair !== "function" || pair === null || typeof pair[$Symbol.iterator] !== "function") {
            throw new $TypeError("URLSearchParams: each pair must be iterable");
          }
          for (const v of pair) { if (p.length < 3) append(p, v); else break; }
          if (p.length !== 2) throw new $TypeError("URLSearchParams: each pair must have a name and a value");
          append(l, usv(p[0]));
          append(l, usv(p[1]));
        }
        return;
      }
      const keys = ownKeys(init), at = new I.$Map(), M = m("Map");
      for (let i = 0; i < keys.length; i++) {
        const d = getOwnPropertyDescriptor(init, keys[i]);
        if (d === undefined || !d.enumerable) continue;
        const name = usv(keys[i]), value = usv(init[keys[i]]), known = M.get(at, name);
        if (known !== undefined) { l[known + 1] = value; continue; } // two keys that differ in lone surrogates only
        M.set(at, name, l.length);
        append(l, name);
        append(l, value);
      }
      return;
    }
    const s = usv(init);
    parse(s[0] === "?" ? slice(s, 1) : s, l);
  }
  get size() { return this.#list.length / 2; }
  append(name, value) {
    const l = this.#list;
    need(arguments.length, 2, "URLSearchParams.append");
    name = usv(name);
    value = usv(value);
    append(l, name);
    append(l, value);
    this.#changed();
  }
  delete(name, value) {
    const l = this.#list;
    need(arguments.length, 1, "URLSearchParams.delete");
    name = usv(name);
    if (value !== undefined) value = usv(value);
    let k = 0;
    for (let i = 0; i < l.length; i += 2) {
      if (l[i] === name && (value === undefined || l[i + 1] === value)) continue;
      l[k++] = l[i];
      l[k++] = l[i + 1];
    }
    l.length = k;
    this.#changed();
  }
  get(name) {
    const l = this.#list;
    need(arguments.length, 1, "URLSearchParams.get");
    name = usv(name);
    for (let i = 0; i < l.length; i += 2) if (l[i] === name) return l[i + 1];
    return null;
  }
  getAll(name) {
    const l = this.#list, out = [];
    need(arguments.length, 1, "URLSearchParams.getAll");
    name = usv(name);
    let n = 0;
    for (let i = 0; i < l.length; i += 2) if (l[i] === name) I.put(out, n++, l[i + 1]);
    return out;
  }
  has(name, value) {
    const l = this.#list;
    need(arguments.length, 1, "URLSearchParams.has");
    name = usv(name);
    if (value !== undefined) value = usv(value);
    for (let i = 0; i < l.length; i += 2) if (l[i] === name && (value === undefined || l[i + 1] === value)) return true;
    return false;
  }
  set(name, value) {
    const l = this.#list;
    need(arguments.length, 2, "URLSearchParams.set");
    name = usv(name);
    value = usv(value);
    let k = 0, found = false;
    for (let i = 0; i < l.length; i += 2) {
      if (l[i] === name) {
        if (found) continue;
        found = true;
        l[i + 1] = value;
      }
      l[k++] = l[i];
      l[k++] = l[i + 1];
    }
    l.length = k;
    if (!found) { append(l, name); append(l, value); }
    this.#changed();
  }
  sort() {
    const l = this.#list, pairs = [];
    for (let i = 0; i < l.length; i += 2) I.put(pairs, i / 2, { __proto__: null, name: l[i], value: l[i + 1] });
    sort(pairs, (a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
    for (let i = 0; i < pairs.length; i++) { l[2 * i] = pairs[i].name; l[2 * i + 1] = pairs[i].value; }
    this.#changed();
  }
  forEach(callback, receiver) {
    const l = this.#list;
    if (typeof callback !== "function") throw new $TypeError("URLSearchParams.forEach: the callback must be a function");
    for (let i = 0; i < l.length; i += 2) apply(callback, receiver, [l[i + 1], l[i], this]);
  }
  entries() { return walk(this.#list, 0); }
  keys() { return walk(this.#list, 1); }
  values() { return walk(this.#list, 2); }
  toString() { return serialize(this.#list); }
  #changed() { if (this.#url !== undefined) setQuery(this.#url, serialize(this.#list)); }
  static {
    tag(this, "URLSearchParams");
    hide(this.prototype, $Symbol.iterator, this.prototype.entries);
    of = (url, search) => {
      const p = new URLSearchParams();
      p.#url = url;
      refill(p, search);
      return p;
    };
    refill = (p, search) => { p.#list.length = 0; parse(slice(search, 1), p.#list); };
    append(shows, (v) => {
      if (!(#list in v)) return undefined;
      const out = new I.$Map(), M = m("Map");
      for (let i = 0; i < v.#list.length; i += 2) {
        const k = v.#list[i], old = M.get(out, k), value = v.#list[i + 1];
        M.set(out, k, old === undefined ? value : typeof old === "string" ? [old, value] : (I.put(old, old.length, value), old));
      }
      return out;
    });
  }
}
var of, refill;

const iterator = I.create(iteratorPrototype);
const places = new I.$WeakMap(), W = m("WeakMap");
hide(iterator, "next", { next() {
  const p = W.get(places, this);
  if (p === undefined) throw new $TypeError("next: the receiver is not a URLSearchParams iterator");
  if (p.i >= p.l.length) return { value: undefined, done: true };
  const k = p.l[p.i], v = p.l[p.i + 1];
  p.i += 2;
  return { value: p.kind === 0 ? [k, v] : p.kind === 1 ? k : v, done: false };
} }.next);
defineProperty(iterator, $Symbol.toStringTag, { __proto__: null, value: "URLSearchParams Iterator", configurable: true });
function walk(l, kind) {
  const it = I.create(iterator);
  W.set(places, it, { __proto__: null, l, i: 0, kind });
  return it;
}

function invalid(input, base) {
  const said = (s) => "\"" + (s.length > 200 ? slice(s, 0, 200) + "…" : s) + "\"";
  const e = new $TypeError("Invalid URL: " + said(input) + (base === undefined ? "" : " with base " + said(base)));
  hide(e, "code", "ERR_INVALID_URL");
  return e;
}
let given; // a record for the constructor to take instead of parsing
class URL {
  #r; #params;
  constructor(url, base) {
    if (given !== undefined) { this.#r = given; given = undefined; return; }
    need(arguments.length, 1, "URL");
    url = usv(url);
    base = base === undefined ? undefined : usv(base);
    const r = native(OP.URLParse, [url, base]);
    if (r === undefined) throw invalid(url, base);
    this.#r = r;
  }
  static canParse(url, base) {
    need(arguments.length, 1, "URL.canParse");
    return native(OP.URLParse, [usv(url), base === undefined ? undefined : usv(base)]) !== undefined;
  }
  static parse(url, base) {
    need(arguments.length, 1, "URL.parse");
    const r = native(OP.URLParse, [usv(url), base === undefined ? undefined : usv(base)]);
    if (r === undefined) return null;
    given = r;
    return new URL();
  }
  get href() { return this.#r[HREF]; }
  set href(v) {
    v = usv(v);
    const r = native(OP.URLSet, [this.#r[HREF], "href", v]);
    if (r === undefined) throw invalid(v);
    this.#r = r;
    if (this.#params !== undefined) refill(this.#params, r[SEARCH]);
  }
  get origin() { return this.#r[ORIGIN]; }
  get protocol() { return this.#r[PROTOCOL]; }
  set protocol(v) { this.#set("protocol", v); }
  get username() { return this.#r[USERNAME]; }
  set username(v) { this.#set("username", v); }
  get password() { return this.#r[PASSWORD]; }
  set password(v) { this.#set("password", v); }
  get host() { return this.#r[HOST]; }
  set host(v) { this.#set("host", v); }
  get hostname() { return this.#r[HOSTNAME]; }
  set hostname(v) { this.#set("hostname", v); }
  get port() { return this.#r[PORT]; }
  set port(v) { this.#set("port", v); }
  get pathname() { return this.#r[PATHNAME]; }
  set pathname(v) { this.#set("pathname", v); }
  get search() { return this.#r[SEARCH]; }
  set search(v) {
    this.#set("search", v);
    if (this.#params !== undefined) refill(this.#params, this.#r[SEARCH]);
  }
  get searchParams() { return this.#params ??= of(this, this.#r[SEARCH]); }
  get hash() { return this.#r[HASH]; }
  set hash(v) { this.#set("hash", v); }
  toString() { return this.#r[HREF]; }
  toJSON() { return this.#r[HREF]; }
  #set(part, v) {
    const r = native(OP.URLSet, [this.#r[HREF], part, usv(v)]);
    if (r !== undefined) this.#r = r;
  }
  static {
    tag(this, "URL");
    setQuery = (url, query) => { url.#set("search", query); };
    append(shows, (v) => {
      if (!(#r in v)) return undefined;
      const r = v.#r;
      return { href: r[HREF], origin: r[ORIGIN], protocol: r[PROTOCOL], username: r[USERNAME], password: r[PASSWORD], host: r[HOST],
        hostname: r[HOSTNAME], port: r[PORT], pathname: r[PATHNAME], search: r[SEARCH], searchParams: v.searchParams, hash: r[HASH] };
    });
  }
}
var setQuery;

return { __proto__: null, URL, URLSearchParams };
})
