// TextEncoder and TextDecoder of the WHATWG Encoding standard. UTF-8 is the engine's own;
// the host decodes the other encodings.
(function (I) {
"use strict";
const { native, m, unit, defineProperty, slice, $String, $Symbol, $TypeError, $RangeError, $Uint8Array } = I;
const S = m("String"), B = m("Bytes"), charCodeAt = S.charCodeAt;
const tag = (C, name) => defineProperty(C.prototype, $Symbol.toStringTag, { __proto__: null, value: name, configurable: true });
const empty = new $Uint8Array(0);

class TextEncoder {
  get encoding() { return "utf-8"; }
  encode(text = "") { return native(OP.UTF8Encode, $String(text)); }
  encodeInto(text, into) {
    text = $String(text);
    if (native(OP.Class, into) !== "Uint8Array") throw new $TypeError("TextEncoder.encodeInto: the destination must be a Uint8Array");
    const room = B.length(into);
    let read = text.length, written;
    if (3 * read > room) {
      let used = 0;
      read = 0;
      while (read < text.length) {
        const c = charCodeAt(text, read);
        let units = 1, bytes = c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
        if (c >= 0xd800 && c < 0xdc00 && S.codePointAt(text, read) > 0xffff) { units = 2; bytes = 4; }
        if (used + bytes > room) break;
        used += bytes;
        read += units;
      }
      text = slice(text, 0, read);
    }
    const bytes = native(OP.UTF8Encode, text);
    written = B.length(bytes);
    B.set(into, bytes);
    return { read, written };
  }
  static { tag(this, "TextEncoder"); }
}

// unfinished is the number of bytes at the end of b that begin a character without ending it.
function unfinished(b) {
  const n = B.length(b);
  for (let back = 1; back <= 3 && back <= n; back++) {
    const c = b[n - back];
    if (c < 0x80) return 0;
    if (c < 0xc0) continue;
    const length = c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
    if (length <= back) return 0;
    if (back > 1) {
      const second = b[n - back + 1];
      if (c === 0xe0 && second < 0xa0 || c === 0xed && second > 0x9f || c === 0xf0 && second < 0x90 || c === 0xf4 && second > 0x8f) return 0;
    }
    return back;
  }
  return 0;
}
function concat(a, b) {
  const n = B.length(a);
  if (n === 0) return b;
  const out = new $Uint8Array(n + B.length(b));
  B.set(out, a);
  B.set(out, b, n);
  return out;
}

class TextDecoder {
  #name; #fatal; #ignoreBOM;
  #pending = empty; #seen = false; // seen: output began, so a byte order mark is text
  constructor(label = "utf-8", options) {
    label = $String(label);
    const name = native(OP.EncodingName, label);
    if (name === undefined || name === "replacement") {
      throw new $RangeError("TextDecoder: unknown encoding \"" + slice(label, 0, 100) + "\"; an example of a known one is \"utf-8\"");
    }
    this.#name = name;
    this.#fatal = !!options?.fatal;
    this.#ignoreBOM = !!options?.ignoreBOM;
  }
  get encoding() { return this.#name; }
  get fatal() { return this.#fatal; }
  get ignoreBOM() { return this.#ignoreBOM; }
  decode(input, options) {
    const stream = !!options?.stream;
    let bytes = empty;
    if (input !== undefined) {
      const cls = native(OP.Class, input);
      if (cls === "Uint8Array") bytes = input;
      else if (cls !== "Array" && (slice(cls, -5) === "Array" || slice(cls, -11) === "ArrayBuffer" || cls === "DataView")) bytes = unit(UNIT.bytes).bytesOf(input);
      else throw new $TypeError("TextDecoder.decode: the input must be an ArrayBuffer or a view of one");
    }
    bytes = concat(this.#pending, bytes);
    this.#pending = empty;
    let text;
    if (this.#name === "utf-8") {
      const rest = stream ? unfinished(bytes) : 0;
      if (rest > 0) {
        const n = B.length(bytes) - rest, tail = new $Uint8Array(rest);
        B.set(tail, B.subarray(bytes, n));
        this.#pending = tail;
        bytes = B.subarray(bytes, 0, n);
      }
      text = native(OP.UTF8Decode, bytes, this.#fatal);
    } else {
      const r = native(OP.DecodeText, [this.#name, bytes, this.#fatal, !stream]);
      if (r !== undefined) {
        text = r[0];
        if (r[1] < B.length(bytes)) this.#pending = copyFrom(bytes, r[1]);
      }
    }
    if (text === undefined) {
      this.#reset();
      throw new $TypeError("TextDecoder.decode: the input is not valid " + this.#name);
    }
    if (!this.#seen && text.length > 0) {
      if (!this.#ignoreBOM && text[0] === "\ufeff" && (this.#name === "utf-8" || slice(this.#name, 0, 6) === "utf-16")) text = slice(text, 1);
      this.#seen = true;
    }
    if (!stream) this.#reset();
    return text;
  }
  #reset() { this.#pending = empty; this.#seen = false; }
  static { tag(this, "TextDecoder"); }
}
const copyFrom = (bytes, from) => {
  const out = new $Uint8Array(B.length(bytes) - from);
  B.set(out, B.subarray(bytes, from));
  return out;
};

return { __proto__: null, TextEncoder, TextDecoder };
})
