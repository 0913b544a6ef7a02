// fetch, its Response and that one's headers. The host makes the requests; here arguments
// are brought into one form, and answers into the shape of the Fetch standard. A body comes as bytes
// and becomes text or data when somebody asks for it.
(function (I, host) {
"use strict";
const { native, m, unit, hide, put, freeze, create, defineProperty, ownKeys, getOwnPropertyDescriptor, getPrototypeOf, hasOwn, isArray,
  apply, slice, setPrototypeOf, stringify, parseJSON, then, shows,
  $Object, $Array, $Number, $String, $Symbol, $Promise, $Proxy, $TypeError, $RangeError, $Uint8Array, $WeakMap } = I;
const request = host._fetch, abort = host["_fetch.abort"], callsJSON = host["_fetch.callsJSON"];
const S = m("String"), B = m("Bytes"), W = m("WeakMap");
const list = () => setPrototypeOf([], null);
const append = (l, v) => { l[l.length] = v; };
const tag = (C, name) => defineProperty(C.prototype, $Symbol.toStringTag, { __proto__: null, value: name, configurable: true });

// Arguments.

// hrefOf and formOf see through what a guest made of the classes' prototypes since they were first used.
let href, size, form;
function urlClasses() {
  const u = unit(UNIT.url);
  href ??= getOwnPropertyDescriptor(u.URL.prototype, "href").get;
  size ??= getOwnPropertyDescriptor(u.URLSearchParams.prototype, "size").get;
  form ??= u.URLSearchParams.prototype.toString;
}
const custom = (v) => { const p = getPrototypeOf(v); return p !== null && p !== $Object.prototype; };
function hrefOf(v) {
  if (!custom(v)) return undefined;
  urlClasses();
  try { return apply(href, v, []); } catch { return undefined; }
}
function formOf(v) {
  if (!custom(v)) return undefined;
  urlClasses();
  try { apply(size, v, []); } catch { return undefined; }
  return apply(form, v, []);
}

function headerList(init) {
  const out = list();
  if (init === undefined || init === null) return out;
  if (typeof init !== "object") throw new $TypeError("fetch: headers must be an object or pairs of name and value");
  const add = (name, value) => {
    if (value === undefined || value === null) return;
    append(out, $String(name));
    append(out, $String(value));
  };
  const method = init[$Symbol.iterator];
  if (method !== undefined && method !== null) {
    for (const pair of { [$Symbol.iterator]: () => apply(method, init, []) }) {
      const p = list();
      if (typeof pair === "object" && pair !== null) for (const v of pair) { if (p.length < 3) append(p, v); else break; }
      if (p.length !== 2) throw new $TypeError("fetch: each pair of headers must have a name and a value");
      add(p[0], p[1]);
    }
    return out;
  }
  const keys = ownKeys(init);
  for (let i = 0; i < keys.length; i++) {
    if (typeof keys[i] !== "string") continue;
    const d = getOwnPropertyDescriptor(init, keys[i]);
    if (d !== undefined && d.enumerable) add(keys[i], init[keys[i]]);
  }
  return out;
}

// bodyOf returns what is sent and its content type.
const sent = (body, type) => ({ __proto__: null, body, type });
function bodyOf(v) {
  if (v === undefined || v === null) return sent();
  switch (typeof v) {
    case "string": return sent(v, "text/plain;charset=UTF-8");
    case "function": case "symbol": throw new $TypeError("fetch: a " + typeof v + " cannot be a body");
    case "object": {
      const cls = native(OP.Class, v);
      if (cls === "Promise") throw new $TypeError("fetch: the body is a Promise — await it first");
      if (cls === "Map" || cls === "Set") throw new $TypeError("fetch: a " + cls + " cannot be a body; make an object or array of it");
      if (cls !== "Array" && slice(cls, -5) === "Array" || slice(cls, -11) === "ArrayBuffer" || cls === "DataView") {
        return sent(unit(UNIT.bytes).bytesOf(v));
      }
      const text = formOf(v);
      if (text !== undefined) return sent(text, "application/x-www-form-urlencoded;charset=UTF-8");
    }
  }
  const text = stringify(v);
  if (text === undefined) throw new $TypeError("fetch: the body has no JSON form");
  return sent(text, "application/json");
}

const optional = (v) => v === undefined || v === null ? undefined : $String(v);
function unpack(url, options) {
  if (typeof url === "object" && url !== null) url = hrefOf(url);
  if (typeof url !== "string" || url === "") throw new $TypeError("fetch: url must be a non-empty string");
  if (options === undefined || options === null) return { __proto__: null, url, headers: list() };
  if (typeof options !== "object") throw new $TypeError("fetch: options must be an object");
  const q = { __proto__: null, url, method: optional(options.method), redirect: optional(options.redirect), headers: headerList(options.headers) };
  const { body, type } = bodyOf(options.body);
  q.body = body;
  if (type !== undefined) {
    let known = false;
    for (let i = 0; i < q.headers.length; i += 2) known ||= S.toLowerCase(q.headers[i]) === "content-type";
    if (!known) { append(q.headers, "content-type"); append(q.headers, type); }
  }
  const ms = options.timeoutMs;
  if (ms !== undefined && ms !== null) {
    q.timeoutMs = $Number(ms);
    if (!(q.timeoutMs > 0)) throw new $RangeError("fetch: timeoutMs must be above zero");
  }
  const signal = options.signal;
  if (signal !== undefined && signal !== null) {
    if (!unit(UNIT.events).signals.isSignal(signal)) throw new $TypeError("fetch: signal must be an AbortSignal");
    q.signal = signal;
  }
  return q;
}

let tokens = 0;
const rejected = async (e) => { throw e; };
function fetch(url, options) {
  let q;
  try { q = unpack(url, options); } catch (e) { return rejected(e); }
  const { signal } = q, token = ++tokens, stack = I.clean(native(OP.Stack)); // before anything is awaited
  let signals;
  if (signal !== undefined) {
    signals = unit(UNIT.events).signals;
    if (signals.isAborted(signal)) return rejected(signals.reasonOf(signal));
  }
  const headers = []; // an array that can cross
  for (let i = 0; i < q.headers.length; i++) put(headers, i, q.headers[i]);
  const pending = request(q.url, q.method, headers, q.body, q.redirect, q.timeoutMs, token);
  hide(pending, "constructor", undefined); // then() asks for it; undefined means the intrinsic
  return new $Promise((resolve, reject) => {
    let done = false;
    const end = (settle, v) => {
      if (done) return;
      done = true;
      settle(v);
    };
    if (signal !== undefined) {
      signals.whenAborted(signal, () => {
        if (done) return;
        abort(token);
        end(reject, signals.reasonOf(signal));
      });
    }
    then(pending, (reply) => {
      try { reply = response(reply, stack); } catch (e) { return end(reject, e); }
      end(resolve, reply);
    }, (e) => end(reject, e));
  });
}

// Answers.

let making = false; // the constructors are not for guests
const begin = (name) => {
  if (!making) throw new $TypeError(name + ": illegal constructor");
  making = false;
};

// Headers are read as an object, by name in lower case, and as in the standard.
class Headers {
  #names = list(); #values = list(); // in alphabetical order; set-cookie as often as it came
  constructor(fields) {
    begin("Headers");
    const names = this.#names, values = this.#values;
    for (let i = 0; i < fields.length; i += 2) {
      const last = names.length - 1;
      if (last >= 0 && names[last] === fields[i] && fields[i] !== "set-cookie") values[last] += ", " + fields[i + 1];
      else { append(names, fields[i]); append(values, fields[i + 1]); }
    }
    for (let i = 0; i < names.length; i++) {
      if (!(names[i] in methods) && !hasOwn(this, names[i])) put(this, names[i], this.get(names[i]));
    }
  }
  get(name) {
    name = S.toLowerCase($String(name));
    let out = null;
    for (let i = 0; i < this.#names.length; i++) if (this.#names[i] === name) out = out === null ? this.#values[i] : out + ", " + this.#values[i];
    return out;
  }
  has(name) { return this.get(name) !== null; }
  getSetCookie() {
    const out = [];
    for (let i = 0; i < this.#names.length; i++) if (this.#names[i] === "set-cookie") put(out, out.length, this.#values[i]);
    return out;
  }
  *entries() { for (let i = 0; i < this.#names.length; i++) yield [this.#names[i], this.#values[i]]; }
  *keys() { for (let i = 0; i < this.#names.length; i++) yield this.#names[i]; }
  *values() { for (let i = 0; i < this.#names.length; i++) yield this.#values[i]; }
  forEach(callback, receiver) {
    if (typeof callback !== "function") throw new $TypeError("Headers.forEach: the callback must be a function");
    for (let i = 0; i < this.#names.length; i++) apply(callback, receiver, [this.#values[i], this.#names[i], this]);
  }
  append() { throw immutable(); }
  set() { throw immutable(); }
  delete() { throw immutable(); }
  static {
    tag(this, "Headers");
    hide(this.prototype, $Symbol.iterator, this.prototype.entries);
  }
}
const immutable = () => new $TypeError("the headers of a response cannot be changed");
const methods = { __proto__: null, constructor: 1, get: 1, has: 1, entries: 1, keys: 1, values: 1, append: 1, set: 1, delete: 1, foreach: 1, getsetcookie: 1 };

// decode turns a body into text. The host takes 32 MiB at once.
function decode(bytes, encoding) {
  let text = "";
  if (encoding === "utf-8") text = native(OP.UTF8Decode, bytes, false);
  else {
    const n = B.length(bytes), most = 16777216;
    for (let at = 0; at < n;) {
      const end = at + most < n ? at + most : n;
      const r = native(OP.DecodeText, [encoding, B.subarray(bytes, at, end), false, end === n]);
      if (r === undefined || r[1] === 0) break;
      text += r[0];
      at += r[1];
    }
  }
  return text[0] === "\ufeff" && (encoding === "utf-8" || slice(encoding, 0, 6) === "utf-16") ? slice(text, 1) : text;
}

class Response {
  #reply; #bytes; #stack; #text; #json; #parsed = false;
  constructor(reply, stack) {
    begin("Response");
    const status = reply[0], truncated = reply[7];
    this.#reply = reply;
    this.#bytes = reply[5];
    this.#stack = stack;
    put(this, "ok", status >= 200 && status < 300);
    put(this, "status", status);
    put(this, "statusText", reply[1]);
    put(this, "url", reply[2]);
    put(this, "redirected", reply[3]);
    put(this, "type", "basic");
    making = true;
    put(this, "headers", new Headers(reply[4]));
    put(this, "truncated", truncated);
    if (truncated) put(this, "bodyError", failure(reply));
    defineProperty(this, "body", { __proto__: null, get: bodyGetter, enumerable: true, configurable: true });
    defineProperty(this, "json", { __proto__: null, get: jsonGetter, enumerable: true, configurable: true });
  }
  get bodyUsed() { return false; }
  async text() { return textOf(this); }
  async bytes() { return copyOf(this); }
  async arrayBuffer() { return B.buffer(copyOf(this)); }
  clone() { return response(this.#reply, this.#stack); }
  static {
    tag(this, "Response");
    textOf = (r) => r.#text ??= decode(r.#bytes, r.#reply[6]);
    copyOf = (r) => {
      const out = new $Uint8Array(B.length(r.#bytes));
      B.set(out, r.#bytes);
      return out;
    };
    bodyGetter = function () { return textOf(this); };
    jsonGetter = function () {
      if (!this.#parsed) {
        this.#parsed = true;
        let data;
        try { data = parseJSON(textOf(this)); } catch {}
        this.#json = callable(this.#stack) ? wrap(data, () => dataOf(this)) : data;
      }
      return this.#json;
    };
    dataOf = (r) => {
      const text = textOf(r);
      try { return parseJSON(text); } catch {}
      const why = r.#reply[7] ? "; it was cut: " + r.#reply[9] : text === "" ? ", it is empty" : ", it begins with " + stringify(slice(text, 0, 40));
      throw I.hooks.newError("SyntaxError", "fetch: the body is not JSON" + why, "");
    };
    append(shows, (v) => #reply in v ? {
      ok: v.ok, status: v.status, statusText: v.statusText, url: v.url, redirected: v.redirected, headers: v.headers, truncated: v.truncated,
      body: textOf(v),
    } : undefined);
  }
}
var textOf, copyOf, bodyGetter, jsonGetter, dataOf;
function response(reply, stack) {
  making = true;
  return new Response(reply, stack);
}
function failure(reply) {
  const e = I.hooks.newError(reply[8] === "" ? "Error" : reply[8], reply[9], "");
  if (reply[10] !== "") hide(e, "code", reply[10]);
  return e;
}

// What response.json is. Where the code that called fetch calls no method of that name it is
// the parsed body, or undefined. Otherwise it is a function that can be read like the parsed body.
let patched = false;
function callable(stack) {
  if (!callsJSON(stack)) return false;
  if (!patched) {
    patched = true;
    I.state.plain = (v) => W.get(wrapped, v);
    // What looks like an array should be one to the guest's own test, too.
    try { hide($Array, "isArray", { isArray(v) { return isArray(v) || isArray(W.get(wrapped, v)?.data); } }.isArray); } catch {}
  }
  return true;
}
const wrapped = new $WeakMap();
function wrap(data, read) {
  const primitive = typeof data !== "object" || data === null;
  const o = !primitive ? data : data === undefined || data === null ? create(null) : $Object(data);
  const target = () => {};
  delete target.length;
  delete target.name;
  const asData = () => data;
  const p = new $Proxy(target, {
    __proto__: null,
    apply: async () => read(),
    get(_, k) {
      if (k === "toJSON" && !hasOwn(o, k)) return asData;
      if (k === "then" && !hasOwn(o, k)) return (resolve) => { resolve(data); }; // so that awaiting it gives the data
      if (k === $Symbol.isConcatSpreadable && isArray(data) && !hasOwn(o, k)) return true;
      const v = o[k];
      return primitive && typeof v === "function" ? (...args) => apply(v, data, args) : v;
    },
    set(_, k, v) { o[k] = v; return true; },
    has: (_, k) => k in o,
    deleteProperty: (_, k) => delete o[k],
    defineProperty(_, k, d) { defineProperty(o, k, d); return true; },
    ownKeys: () => ownKeys(o),
    getOwnPropertyDescriptor(_, k) {
      const d = getOwnPropertyDescriptor(o, k);
      if (d !== undefined) d.configurable = true; // the target has none of them
      return d;
    },
    getPrototypeOf: () => getPrototypeOf(o),
    setPrototypeOf: () => false,
    preventExtensions: () => false,
  });
  W.set(wrapped, p, { __proto__: null, data });
  return p;
}

return { __proto__: null, fetch: freeze(fetch) };
})
