// The canvas, over the host's functions. Contexts keep their state here and note what is drawn
// in a buffer of numbers, which goes to the host when it is full and before the host is asked
// for anything. The format is that of package canvas. The Go half puts in H.FillRect4, the
// header of an operation with so many arguments, and WORDS.LineCaps, a list of words.
(function (I, host) {
"use strict";
const { native, m, unit, put, hide, freeze, create, defineProperty, getOwnPropertyDescriptor, setPrototypeOf, ownKeys, hasOwn, isArray,
  apply, slice, stringify, parseJSON, $Map, $Math, $Number, $RangeError, $String, $Symbol, $TypeError, $Uint8Array,
  $Uint8ClampedArray, $Float32Array, $Float64Array, $FinalizationRegistry } = I;
const { make, medium, roomy } = I.bridge("image")._media;
const B = m("Bytes"), M = m("Map");
const register = m("FinalizationRegistry").register;
const { abs, floor, round, min, max, sin, cos, tan, atan2, PI } = $Math;
const list = () => setPrototypeOf([], null);
const append = (l, v) => { l[l.length] = v; };

// Errors, at the call of the guest.
const exception = (message, name) => new (unit(UNIT.events).DOMException)(message, name);
const indexSize = (message) => exception(message, "IndexSizeError");
const invalidState = (message) => exception(message, "InvalidStateError");
function missing(name, want, given) {
  throw new $TypeError(name + ": " + want + (want === 1 ? " argument" : " arguments") + " required, but only " + given + " present");
}
const illegal = (name) => { throw new $TypeError(name + ": illegal constructor"); };

// Conversions of Web IDL.
function finiteNumber(v, what) {
  v = +v;
  if (v * 0 !== 0) throw new $TypeError(what + " must be a finite number");
  return v;
}
// enforced is an integer with [EnforceRange].
function enforced(v, lo, hi, what) {
  v = +v;
  if (v * 0 !== 0) throw new $TypeError(what + " must be a finite number");
  v = v < 0 ? -floor(-v) : floor(v);
  if (v < lo || v > hi) throw new $TypeError(what + " must be from " + lo + " to " + hi);
  return v + 0;
}
const long = (v, what) => enforced(v, -2147483648, 2147483647, what);
const unsignedModulo = (v) => +v >>> 0;
// dimension is the size of a surface as a canvas element has it: beyond 31 bits the default.
const dimension = (v, standard) => (v = unsignedModulo(v)) > 2147483647 ? standard : v;
function str(v) {
  if (typeof v === "string") return v;
  if (typeof v === "symbol") throw new $TypeError("a symbol cannot be converted to a string");
  return $String(v);
}
const isObject = (v) => typeof v === "object" && v !== null || typeof v === "function";
// iterates is the iterator method of a value that is taken for a sequence.
function iterates(v) {
  if (!isObject(v)) return undefined;
  const method = v[$Symbol.iterator];
  if (method === undefined || method === null) return undefined;
  if (typeof method !== "function") throw new $TypeError("the value is not iterable");
  return method;
}
function sequence(v, method, most) {
  const out = list();
  for (const e of { [$Symbol.iterator]: () => apply(method, v, []) }) {
    if (out.length >= most) throw new $RangeError("a list of more than " + most + " elements");
    append(out, e);
  }
  return out;
}
function words(all) {
  const t = create(null);
  for (let i = 0; i < all.length; i++) t[all[i]] = i;
  return { __proto__: null, all, index: t };
}
const fillRules = words(WORDS.FillRules), lineCaps = words(WORDS.LineCaps), lineJoins = words(WORDS.LineJoins), textAligns = words(WORDS.TextAligns),
  textBaselines = words(WORDS.TextBaselines), directions = words(WORDS.Directions), qualities = words(WORDS.SmoothingQualities),
  kernings = words(WORDS.FontKernings), stretches = words(WORDS.FontStretches), variantCaps = words(WORDS.FontVariantCaps),
  renderings = words(WORDS.TextRenderings), repetitions = words(WORDS.Repetitions), modes = words(WORDS.BlendModes);
function fillRule(v, name) {
  if (v === undefined) return 0;
  const n = fillRules.index[str(v)];
  if (n === undefined) throw new $TypeError(name + ": the fill rule must be nonzero or evenodd");
  return n;
}

// What the host makes of text, remembered. null is what it does not know.
function remembered(ask) {
  let known = create(null), n = 0;
  return (s) => {
    if (s.length > 200) return ask(s);
    let v = known[s];
    if (v === undefined) {
      if (n++ >= 1000) { known = create(null); n = 1; }
      v = known[s] = ask(s);
    }
    return v;
  };
}
// A colour is [red<<24|green<<16|blue<<8|alpha, as fillStyle reads it back].
let colours = create(null), colourCount = 0;
// colour is a colour that colours does not have, null if it is none: as remembered, but that
// setters look it up themselves first, which saves a call.
function colour(s) {
  const v = simpleColour(s) ?? host._canvasColour(s);
  if (s.length > 200) return v;
  if (colourCount++ >= 1000) { colours = create(null); colourCount = 1; }
  return colours[s] = v;
}
// simpleColour reads #rrggbb and its like, which programs compute and which are new each time:
// a question to the host takes twice as long. Of other texts it says undefined. (To take rgb()
// apart takes longer than the question.)
const hexDigits = create(null), hexPairs = list();
for (let i = 0, all = "0123456789abcdefABCDEF"; i < all.length; i++) hexDigits[all[i]] = true;
for (let i = 0, all = "0123456789abcdef"; i < 256; i++) append(hexPairs, all[i >> 4] + all[i & 15]);
function simpleColour(s) {
  var n = s.length, v, a = 255, x;
  // Number would pass over white space at the end.
  if (s[0] !== "#" || n > 9 || hexDigits[s[n - 1]] === undefined) return undefined;
  v = +("0x" + slice(s, 1));
  if (v !== v) return undefined;
  if (n === 9 || n === 5) {
    a = n === 9 ? v % 256 : v % 16 * 17;
    v = floor(v / (n === 9 ? 256 : 16));
  }
  if (n < 6) v = (v >> 8) * 1114112 + (v >> 4 & 15) * 4352 + (v & 15) * 17;
  if (n !== 7 && n !== 4 && n !== 9 && n !== 5) return undefined;
  if (a === 255) return [v * 256 + 255, "#" + hexPairs[v >> 16] + hexPairs[v >> 8 & 255] + hexPairs[v & 255]];
  x = round(a * 100 / 255) / 100;
  if (round(x * 255) !== a) x = round(a * 1000 / 255) / 1000;
  return [v * 256 + a, "rgba(" + (v >> 16) + ", " + (v >> 8 & 255) + ", " + (v & 255) + ", " + x + ")"];
}
const font = remembered((s) => host._canvasFont(s)); // as font reads it back
const filter = remembered((s) => host._canvasFilter(s));
const length = remembered((s) => host._canvasLength(s));

// Matrices: of initializers, which may be of any kind.
const matrixKeys = ["a", "b", "c", "d", "e", "f", "m11", "m12", "m21", "m22", "m41", "m42"];
// matrixOf reads a DOMMatrix2DInit and checks it ("Geometry Interfaces", validate and fix up).
function matrixOf(v, what) {
  const out = [1, 0, 0, 1, 0, 0];
  if (v === undefined || v === null) return out;
  if (!isObject(v)) throw new $TypeError(what + ": the matrix must be an object");
  const own = ofMatrix(v);
  if (own !== undefined) return [own[0], own[1], own[4], own[5], own[12], own[13]];
  const got = [];
  for (let i = 0; i < 12; i++) {
    const x = v[matrixKeys[i]];
    put(got, i, x === undefined ? undefined : +x);
  }
  for (let i = 0; i < 6; i++) {
    const short = got[i], long = got[i + 6];
    if (short !== undefined && long !== undefined && short !== long && (short === short || long === long)) {
      throw new $TypeError(what + ": " + matrixKeys[i] + " and " + matrixKeys[i + 6] + " differ");
    }
    if (long !== undefined) out[i] = long;
    else if (short !== undefined) out[i] = short;
  }
  return out;
}
const finite6 = (l) => (l[0] + l[1] + l[2] + l[3] + l[4] + l[5]) * 0 === 0 ||
  l[0] * 0 === 0 && l[1] * 0 === 0 && l[2] * 0 === 0 && l[3] * 0 === 0 && l[4] * 0 === 0 && l[5] * 0 === 0;

// Ids of gradients, patterns and paths, which are their numbers in recordings.
let ids = 0, serials = 0;

// Operations are noted in a buffer, which begins small, grows, and is then sent when it is
// full: early enough that the host can draw while the guest goes on.
const smallest = 128, largest = 2048;
// room makes place for k numbers and says where.
function room(r, k) {
  let size = r.size;
  if (r.isPath || size < largest) {
    while (size < r.n + k && (r.isPath || size < largest)) size *= 2;
    if (size >= r.n + k) {
      grow(r, size);
      return r.n;
    }
  }
  flush(r);
  while (size < k) size *= 2;
  if (size > r.size) grow(r, size);
  return 0;
}
function grow(r, size) {
  const b = new $Float64Array(size);
  B.set(b, r.buf);
  r.buf = b;
  r.size = size;
}
// A path begins like a recorder, so that the methods of paths serve both.
const pathOps = () => ({ __proto__: null, isPath: true, buf: new $Float64Array(16), size: 16, n: 0, id: ++ids, strings: list() });

const firstState = () => ({
  __proto__: null, depth: 0, // objects that it inherits from
  fill: "#000000", fillText: "#000000", fillPaint: undefined, fillVersion: 0, // fill is what fillStyle reads back, of a paint if there is one; fillText what was written
  stroke: "#000000", strokeText: "#000000", strokePaint: undefined, strokeVersion: 0,
  lineWidth: 1, lineCap: 0, lineJoin: 0, miterLimit: 10, lineDash: list(), lineDashOffset: 0,
  globalAlpha: 1, composite: 0, filter: "none",
  font: "10px sans-serif", fontText: "10px sans-serif", textAlign: 0, textBaseline: 0, direction: 2, letterSpacing: "0px", wordSpacing: "0px",
  kerning: 0, stretch: 0, caps: 0, rendering: 0, lang: "inherit",
  smoothing: true, quality: 0, shadowColor: "rgba(0, 0, 0, 0)", shadowBlur: 0, shadowX: 0, shadowY: 0,
});
// A recorder is what a surface and its context have in common.
const surfaceRegistry = new $FinalizationRegistry((id) => { host._canvasLost(id); });
function recorder(width, height) {
  const r = { __proto__: null, isPath: false, width, height, id: 0, settings: undefined, canvas: undefined, context: undefined, buf: undefined, size: 0, n: 0 };
  begin(r);
  return r;
}
// begin is the beginning of a recording.
function begin(r) {
  if (r.size !== smallest) {
    r.buf = new $Float64Array(smallest);
    r.size = smallest;
  }
  r.n = 0;
  r.sent = 0; // flushes
  r.ops = r.counted = 0; // operations on the host and in the buffer, up to counted
  r.inBuffer = 0;
  r.strings = list();
  r.stringBase = 0;
  r.texts = create(null); // indices of strings that come again
  r.serial = ++serials; // of the recording; gradients remember the last that has them
  r.defined = create(null); // versions of patterns and paths, by their ids
  r.images = create(null); // indices of pictures
  r.sources = create(null); // indices of handles and references
  r.sourceCount = 0;
  r.ahead = undefined; // indices of what canvas.render loads before it draws
  r.imageCount = 0;
  r.pending = false; // references are not loaded yet
  r.snapshot = undefined;
  r.snapshotAt = -1;
  first(r);
}
// first is the first state.
function first(r) {
  r.s = firstState();
  r.shared = false; // r.s belongs to a saved state, too
  r.live = false; // there is a gradient or pattern that may have changed
  r.saved = undefined; // s, shared, live, m and saved of the last save
  r.m = identity; // of the transformation; never changed in place
}
const isOpaque = (r) => r.settings !== undefined && !r.settings.alpha;
function idOf(r) {
  if (r.id === 0) {
    r.id = host._canvasNew(sizeOf(r.width), sizeOf(r.height), isOpaque(r));
    register(surfaceRegistry, r, r.id);
  }
  return r.id;
}
// sizeOf is Number and Math.round; what is no number is NaN.
const sizeOf = (v) => {
  if (typeof v !== "number") {
    if (isObject(v) || typeof v === "symbol" || typeof v === "bigint" || v === undefined) return NaN_;
    v = $Number(v);
  }
  return v * 0 === 0 ? round(v) : NaN_;
};
const NaN_ = 0 / 0;
function flush(r) {
  if (r.n === 0 && r.strings.length === 0) return;
  r.ops = host._canvasFlush(idOf(r), new $Uint8Array(B.buffer(r.buf), 0, 8 * r.n), r.strings);
  r.n = r.counted = r.inBuffer = 0;
  r.sent++;
  r.stringBase += r.strings.length;
  if (r.strings.length > 0) r.strings = list();
}
// position is the index of the operation that comes next.
function position(r) {
  for (const b = r.buf; r.counted < r.n;) {
    const h = b[r.counted];
    if (h % 256 < H.Gradient0) r.inBuffer++; // definitions are none of the guest's operations
    r.counted += floor(h / 256) + 1;
  }
  return r.ops + r.inBuffer;
}
// string is the index of a text that comes once, and word of one that comes again.
function string(r, text) {
  append(r.strings, text);
  return r.stringBase + r.strings.length - 1;
}
function word(r, text) {
  const i = r.texts[text];
  if (i !== undefined) return i;
  return r.texts[text] = string(r, text);
}
function op0(r, h) {
  let n = r.n;
  if (n + 1 > r.size) n = room(r, 1);
  r.buf[n] = h;
  r.n = n + 1;
}
function op1(r, h, v) {
  let n = r.n;
  if (n + 2 > r.size) n = room(r, 2);
  const b = r.buf;
  b[n] = h;
  b[n + 1] = v;
  r.n = n + 2;
}
function opList(r, h, l) {
  let n = r.n;
  if (n + 1 + l.length > r.size) n = room(r, 1 + l.length);
  const b = r.buf;
  b[n++] = h;
  for (let i = 0; i < l.length; i++) b[n++] = l[i];
  r.n = n;
}
// own is the state, to be changed. A state that a saved one looks the same as begins as an
// object that inherits all from it. What inherits from what inherits is slow in the end, so
// every eighth is a copy.
const stateKeys = ownKeys(firstState());
function own(r) {
  if (!r.shared) return r.s;
  const s = { __proto__: r.s };
  if (++s.depth === 8) {
    for (let i = 0; i < stateKeys.length; i++) s[stateKeys[i]] = s[stateKeys[i]];
    setPrototypeOf(s, null);
    s.depth = 0;
  }
  r.s = s;
  r.shared = false;
  return s;
}

// Pictures that are drawn. The host counts who uses them.
const pictureRegistry = new $FinalizationRegistry((n) => { host._canvasForget(n); });
function picture(n, width, height) {
  const p = { __proto__: null, n, width, height, pending: false };
  register(pictureRegistry, p, n);
  return p;
}
function imageIndex(r, p) {
  let i = r.images[p.n];
  if (i === undefined) {
    i = host._canvasUse(idOf(r), p.n);
    r.images[p.n] = i;
    if (p.pending) r.pending = true;
  }
  return i;
}
// snapshot is a picture of what is on a surface.
function snapshot(r) {
  flush(r);
  if (r.snapshotAt !== r.sent) {
    const got = host._canvasSnapshot(idOf(r));
    r.snapshot = picture(got[0], got[1], got[2]);
    r.snapshotAt = r.sent;
  }
  return r.snapshot;
}
function checkedSnapshot(r, name) {
  if (sizeOf(r.width) === 0 || sizeOf(r.height) === 0) throw invalidState(name + ": the canvas has no pixels");
  return snapshot(r);
}
// imageOf is the index of a picture that a guest gives.
function imageOf(r, v, name) {
  const of = pictureOf(v, name);
  return of === undefined ? source(r, v, position(r)) : imageIndex(r, of);
}
// source is the index of a picture that is to be loaded. ahead says that it is given before
// it is drawn.
function source(r, v, op, ahead) {
  let key;
  if (typeof v === "string") key = "s" + v;
  else {
    if (!ahead && r.ahead !== undefined) {
      const i = M.get(r.ahead, v);
      if (i !== undefined) return i;
    }
    const given = v;
    v = medium(v);
    if (typeof v === "object" && typeof v[mark] === "string") key = "h" + v[mark];
    else if (ahead && isObject(given)) {
      const i = sourceOn(r, undefined, v, op);
      M.set(r.ahead ??= new $Map(), given, i);
      return i;
    }
  }
  return sourceOn(r, key, v, op);
}
function sourceOn(r, key, v, op) {
  if (key !== undefined && r.sources[key] !== undefined) return r.sources[key];
  const got = host._canvasSource(idOf(r), v, op);
  r.sourceCount++;
  if (got[1]) r.pending = true;
  if (key !== undefined) r.sources[key] = got[0];
  return got[0];
}
const mark = "__nodetool_sandbox_media__";
// pictureOf is a picture that the host has already, of a canvas or bitmap; undefined means that
// the value is something to be loaded.
function pictureOf(v, name) {
  if (!isObject(v)) {
    if (typeof v === "string") return undefined;
    throw new $TypeError(name + ": the image must be a handle, bytes of an image file, a reference or a canvas");
  }
  const surface = surfaceOf(v);
  if (surface !== undefined) return checkedSnapshot(surface, name);
  const bitmap = bitmapOf(v);
  if (bitmap !== undefined) {
    if (bitmap.picture === undefined) throw invalidState(name + ": the bitmap is closed");
    return bitmap.picture;
  }
  if (typeof v === "function" || isImageData(v) || isPath(v) || paintOf(v) !== undefined || contextOf(v) !== undefined) {
    throw new $TypeError(name + ": the image must be a handle, bytes of an image file, a reference or a canvas");
  }
  return undefined;
}

// define notes a gradient, pattern or path as it is now, unless the recording has it.
function define(r, p) {
  if (p.kind === "gradient") {
    if (p.serial === r.serial && p.defined === p.version) return;
    // As opList, without a list between: pages make many gradients for one use each.
    var l = p.list, count = p.count, n = r.n, b;
    if (n + 9 + count > r.size) n = room(r, 9 + count);
    b = r.buf;
    b[n] = H.Gradient0 + 256 * (8 + count);
    b[n + 1] = p.id;
    b[n + 2] = p.type;
    b[n + 3] = l[0];
    b[n + 4] = l[1];
    b[n + 5] = l[2];
    b[n + 6] = l[3];
    b[n + 7] = l[4];
    b[n + 8] = l[5];
    n += 9;
    count += 6;
    for (var i = 6; i < count; i++) b[n++] = l[i];
    r.n = n;
    p.serial = r.serial;
    p.defined = p.version;
    return;
  }
  if (r.defined[p.id] === p.version) return;
  const args = list(), t = p.matrix;
  append(args, p.id);
  append(args, imageIndex(r, p.picture));
  append(args, p.repetition);
  for (let i = 0; i < 6; i++) append(args, t[i]);
  opList(r, H.Pattern9, args);
  r.defined[p.id] = p.version;
}
function definePath(r, p) {
  if (r.defined[p.id] !== p.n) {
    const l = list(), b = p.buf;
    append(l, p.id);
    for (let i = 0; i < p.n;) {
      const h = b[i], to = i + 1 + floor(h / 256);
      if (h === H.SVGPath1) {
        append(l, h);
        append(l, word(r, p.strings[b[i + 1]]));
        i = to;
      } else for (; i < to; i++) append(l, b[i]);
    }
    opList(r, H.Path0 + 256 * l.length, l);
    r.defined[p.id] = p.n;
  }
  return p.id;
}
// refresh notes what has changed of the gradients and patterns in use.
function refresh(r) {
  var s = r.s, p;
  p = s.fillPaint;
  if (p !== undefined && s.fillVersion !== p.version) {
    s = own(r);
    define(r, p);
    op1(r, p.kind === "gradient" ? H.FillGradient1 : H.FillPattern1, p.id);
    s.fillVersion = p.version;
  }
  p = s.strokePaint;
  if (p !== undefined && s.strokeVersion !== p.version) {
    s = own(r);
    define(r, p);
    op1(r, p.kind === "gradient" ? H.StrokeGradient1 : H.StrokePattern1, p.id);
    s.strokeVersion = p.version;
  }
}
const isLive = (s) => s.fillPaint !== undefined || s.strokePaint !== undefined;

const identity = [1, 0, 0, 1, 0, 0];
// multiply is the matrix m with another to its right.
const multiply = (m, a, b, c, d, e, f) => [m[0] * a + m[2] * b, m[1] * a + m[3] * b, m[0] * c + m[2] * d, m[1] * c + m[3] * d,
  m[0] * e + m[2] * f + m[4], m[1] * e + m[3] * f + m[5]];

// The corners of roundRect: rx ry of each, undefined where a number is not finite.
function corner(v, out) {
  let x, y;
  if (v === null || v === undefined) x = y = 0;
  else if (isObject(v)) {
    // DOMPointInit, whose members are read in this order.
    const w = v.w, px = v.x, py = v.y, z = v.z;
    if (w !== undefined) +w;
    x = px === undefined ? 0 : +px;
    y = py === undefined ? 0 : +py;
    if (z !== undefined) +z;
  } else x = y = +v;
  append(out, x);
  append(out, y);
}
function corners(radii) {
  const l = list();
  if (radii === undefined) return [0, 0, 0, 0, 0, 0, 0, 0];
  const method = iterates(radii);
  if (method === undefined) corner(radii, l);
  else {
    const all = sequence(radii, method, 1000);
    if (all.length < 1 || all.length > 4) throw new $RangeError("roundRect: " + all.length + " radii, where 1 to 4 are needed");
    for (let i = 0; i < all.length; i++) corner(all[i], l);
  }
  for (let i = 0; i < l.length; i++) {
    if (l[i] * 0 !== 0) return undefined;
    if (l[i] < 0) throw new $RangeError("roundRect: the radius " + l[i] + " is negative");
  }
  const n = l.length / 2, at = n === 1 ? [0, 0, 0, 0] : n === 2 ? [0, 1, 0, 1] : n === 3 ? [0, 1, 2, 1] : [0, 1, 2, 3], out = list();
  for (let i = 0; i < 4; i++) {
    append(out, l[2 * at[i]]);
    append(out, l[2 * at[i] + 1]);
  }
  return out;
}

// The methods of contexts and paths are those of one class, whose private fields are put on
// objects of either kind. #r is the buffer of both, #c that of a context.
class Identity { constructor(o) { return o; } }
let pathOf, isPath, contextOf;
class Drawing extends Identity {
  #r; #c;
  constructor(o, r) {
    super(o);
    this.#r = r;
    if (!r.isPath) this.#c = r;
  }
  static {
    isPath = (o) => isObject(o) && #r in o && o.#r.isPath;
    pathOf = (o) => o.#r;
    contextOf = (o) => isObject(o) && #c in o ? o.#c : undefined;
  }
  static context(o) {
    const r = o.#c;
    if (r === undefined) throw new $TypeError("the receiver is not a CanvasRenderingContext2D");
    return r;
  }

  // Paths.
  closePath() {
    var r = this.#r, n = r.n;
    if (n + 1 > r.size) n = room(r, 1);
    r.buf[n] = H.ClosePath0;
    r.n = n + 1;
    return this;
  }
  moveTo(x, y) {
    if (arguments.length < 2) missing("moveTo", 2, arguments.length);
    x = +x; y = +y;
    var t = x + y, r, n, b;
    if (t - t !== 0 && x * 0 + y * 0 !== 0) return this;
    r = this.#r;
    n = r.n;
    if (n + 3 > r.size) n = room(r, 3);
    b = r.buf;
    b[n] = H.MoveTo2; b[n + 1] = x; b[n + 2] = y;
    r.n = n + 3;
    return this;
  }
  lineTo(x, y) {
    if (arguments.length < 2) missing("lineTo", 2, arguments.length);
    x = +x; y = +y;
    var t = x + y, r, n, b;
    if (t - t !== 0 && x * 0 + y * 0 !== 0) return this;
    r = this.#r;
    n = r.n;
    if (n + 3 > r.size) n = room(r, 3);
    b = r.buf;
    b[n] = H.LineTo2; b[n + 1] = x; b[n + 2] = y;
    r.n = n + 3;
    return this;
  }
  quadraticCurveTo(cpx, cpy, x, y) {
    if (arguments.length < 4) missing("quadraticCurveTo", 4, arguments.length);
    cpx = +cpx; cpy = +cpy; x = +x; y = +y;
    var t = cpx + cpy + x + y, r, n, b;
    if (t - t !== 0 && cpx * 0 + cpy * 0 + x * 0 + y * 0 !== 0) return this;
    r = this.#r;
    n = r.n;
    if (n + 5 > r.size) n = room(r, 5);
    b = r.buf;
    b[n] = H.QuadraticCurveTo4; b[n + 1] = cpx; b[n + 2] = cpy; b[n + 3] = x; b[n + 4] = y;
    r.n = n + 5;
    return this;
  }
  bezierCurveTo(cp1x, cp1y, cp2x, cp2y, x, y) {
    if (arguments.length < 6) missing("bezierCurveTo", 6, arguments.length);
    cp1x = +cp1x; cp1y = +cp1y; cp2x = +cp2x; cp2y = +cp2y; x = +x; y = +y;
    var t = cp1x + cp1y + cp2x + cp2y + x + y, r, n, b;
    if (t - t !== 0 && cp1x * 0 + cp1y * 0 + cp2x * 0 + cp2y * 0 + x * 0 + y * 0 !== 0) return this;
    r = this.#r;
    n = r.n;
    if (n + 7 > r.size) n = room(r, 7);
    b = r.buf;
    b[n] = H.BezierCurveTo6; b[n + 1] = cp1x; b[n + 2] = cp1y; b[n + 3] = cp2x; b[n + 4] = cp2y; b[n + 5] = x; b[n + 6] = y;
    r.n = n + 7;
    return this;
  }
  arc(x, y, radius, startAngle, endAngle, counterclockwise = false) {
    if (arguments.length < 5) missing("arc", 5, arguments.length);
    x = +x; y = +y; radius = +radius; startAngle = +startAngle; endAngle = +endAngle;
    var t = x + y + radius + startAngle + endAngle, r, n, b;
    if (t - t !== 0 && x * 0 + y * 0 + radius * 0 + startAngle * 0 + endAngle * 0 !== 0) return this;
    if (radius < 0) throw indexSize("arc: the radius " + radius + " is negative");
    r = this.#r;
    n = r.n;
    if (n + 7 > r.size) n = room(r, 7);
    b = r.buf;
    b[n] = H.Arc6; b[n + 1] = x; b[n + 2] = y; b[n + 3] = radius; b[n + 4] = startAngle; b[n + 5] = endAngle; b[n + 6] = counterclockwise ? 1 : 0;
    r.n = n + 7;
    return this;
  }
  arcTo(x1, y1, x2, y2, radius) {
    if (arguments.length < 5) missing("arcTo", 5, arguments.length);
    x1 = +x1; y1 = +y1; x2 = +x2; y2 = +y2; radius = +radius;
    if (x1 * 0 + y1 * 0 + x2 * 0 + y2 * 0 + radius * 0 !== 0) return this;
    if (radius < 0) throw indexSize("arcTo: the radius " + radius + " is negative");
    opList(this.#r, H.ArcTo5, [x1, y1, x2, y2, radius]);
    return this;
  }
  ellipse(x, y, radiusX, radiusY, rotation, startAngle, endAngle, counterclockwise = false) {
    if (arguments.length < 7) missing("ellipse", 7, arguments.length);
    x = +x; y = +y; radiusX = +radiusX; radiusY = +radiusY; rotation = +rotation; startAngle = +startAngle; endAngle = +endAngle;
    if (x * 0 + y * 0 + radiusX * 0 + radiusY * 0 + rotation * 0 + startAngle * 0 + endAngle * 0 !== 0) return this;
    if (radiusX < 0 || radiusY < 0) throw indexSize("ellipse: the radius " + min(radiusX, radiusY) + " is negative");
    opList(this.#r, H.Ellipse8, [x, y, radiusX, radiusY, rotation, startAngle, endAngle, counterclockwise ? 1 : 0]);
    return this;
  }
  rect(x, y, width, height) {
    if (arguments.length < 4) missing("rect", 4, arguments.length);
    x = +x; y = +y; width = +width; height = +height;
    var t = x + y + width + height, r, n, b;
    if (t - t !== 0 && x * 0 + y * 0 + width * 0 + height * 0 !== 0) return this;
    r = this.#r;
    n = r.n;
    if (n + 5 > r.size) n = room(r, 5);
    b = r.buf;
    b[n] = H.Rect4; b[n + 1] = x; b[n + 2] = y; b[n + 3] = width; b[n + 4] = height;
    r.n = n + 5;
    return this;
  }
  roundRect(x, y, width, height, radii) {
    if (arguments.length < 4) missing("roundRect", 4, arguments.length);
    x = +x; y = +y; width = +width; height = +height;
    if (x * 0 + y * 0 + width * 0 + height * 0 !== 0) return this;
    const c = corners(radii);
    if (c !== undefined) opList(this.#r, H.RoundRect12, [x, y, width, height, c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]]);
    return this;
  }

  // Of paths alone.
  addPath(path, transform) {
    if (arguments.length < 1) missing("addPath", 1, 0);
    const to = this.#r;
    if (!to.isPath) throw new $TypeError("addPath: the receiver is not a Path2D");
    if (!isPath(path)) throw new $TypeError("addPath: the argument is not a Path2D");
    const m = matrixOf(transform, "addPath"), from = path.#r;
    if (finite6(m)) addOps(to, from, m);
    return this;
  }

  // State.
  save() {
    const r = this.#c;
    op0(r, H.Save0);
    r.saved = [r.s, r.shared, r.live, r.m, r.saved];
    r.shared = true;
    return this;
  }
  restore() {
    const r = this.#c, k = r.saved;
    if (k === undefined) return this;
    op0(r, H.Restore0);
    r.s = k[0]; r.shared = k[1]; r.live = k[2]; r.m = k[3]; r.saved = k[4];
    return this;
  }
  reset() { restart(this.#c); return this; }
  isContextLost() { Drawing.context(this); return false; }
  getContextAttributes() {
    const s = Drawing.context(this).settings;
    return { alpha: s.alpha, colorSpace: "srgb", colorType: "unorm8", desynchronized: s.desynchronized, willReadFrequently: s.willReadFrequently };
  }
  get canvas() { return this.#c.canvas; }

  // Transformation.
  translate(x, y) {
    if (arguments.length < 2) missing("translate", 2, arguments.length);
    x = +x; y = +y;
    var t = x + y, r, n, b;
    if (t - t !== 0 && x * 0 + y * 0 !== 0) return this;
    r = this.#c;
    n = r.n;
    if (n + 3 > r.size) n = room(r, 3);
    b = r.buf;
    b[n] = H.Translate2; b[n + 1] = x; b[n + 2] = y;
    r.n = n + 3;
    t = r.m;
    r.m = [t[0], t[1], t[2], t[3], t[4] + t[0] * x + t[2] * y, t[5] + t[1] * x + t[3] * y];
    return this;
  }
  rotate(angle) {
    if (arguments.length < 1) missing("rotate", 1, 0);
    angle = +angle;
    if (angle * 0 !== 0) return this;
    const r = this.#c, s = sin(angle), c = cos(angle);
    op1(r, H.Rotate1, angle);
    r.m = multiply(r.m, c, s, -s, c, 0, 0);
    return this;
  }
  scale(x, y) {
    if (arguments.length < 2) missing("scale", 2, arguments.length);
    x = +x; y = +y;
    if (x * 0 + y * 0 !== 0) return this;
    const r = this.#c;
    opList(r, H.Scale2, [x, y]);
    const m = r.m;
    r.m = [m[0] * x, m[1] * x, m[2] * y, m[3] * y, m[4], m[5]];
    return this;
  }
  transform(a, b, c, d, e, f) {
    if (arguments.length < 6) missing("transform", 6, arguments.length);
    a = +a; b = +b; c = +c; d = +d; e = +e; f = +f;
    if (a * 0 + b * 0 + c * 0 + d * 0 + e * 0 + f * 0 !== 0) return this;
    const r = this.#c;
    opList(r, H.Transform6, [a, b, c, d, e, f]);
    r.m = multiply(r.m, a, b, c, d, e, f);
    return this;
  }
  setTransform(a, b, c, d, e, f) {
    const n = arguments.length, r = this.#c;
    let m;
    if (n < 2) {
      if (n === 1 && a !== undefined && a !== null && !isObject(a)) throw new $TypeError("setTransform: the argument must be a matrix");
      m = matrixOf(a, "setTransform");
    } else if (n < 6) missing("setTransform", 6, n);
    else m = [+a, +b, +c, +d, +e, +f];
    if (!finite6(m)) return this;
    opList(r, H.SetTransform6, m);
    r.m = m;
    return this;
  }
  resetTransform() {
    const r = this.#c;
    op0(r, H.ResetTransform0);
    r.m = identity;
    return this;
  }
  getTransform() {
    return newMatrix(wide(this.#c.m));
  }

  // Painting.
  beginPath() {
    var r = this.#c, n = r.n;
    if (n + 1 > r.size) n = room(r, 1);
    r.buf[n] = H.BeginPath0;
    r.n = n + 1;
    return this;
  }
  fill(path, rule) {
    var r = this.#c, n, b, k;
    if (r.live) refresh(r);
    if (path === undefined && rule === undefined) {
      n = r.n;
      if (n + 2 > r.size) n = room(r, 2);
      b = r.buf;
      b[n] = H.Fill1; b[n + 1] = 0;
      r.n = n + 2;
    } else if (isPath(path)) {
      k = fillRule(rule, "fill");
      opList(r, H.FillPath2, [definePath(r, path.#r), k]);
    } else {
      if (rule !== undefined) throw new $TypeError("fill: the first of two arguments is not a Path2D");
      op1(r, H.Fill1, fillRule(path, "fill"));
    }
    return this;
  }
  stroke(path) {
    var r = this.#c, n;
    if (r.live) refresh(r);
    if (path === undefined && arguments.length === 0) {
      n = r.n;
      if (n + 1 > r.size) n = room(r, 1);
      r.buf[n] = H.Stroke0;
      r.n = n + 1;
    } else if (isPath(path)) op1(r, H.StrokePath1, definePath(r, path.#r));
    else throw new $TypeError("stroke: the argument is not a Path2D");
    return this;
  }
  clip(path, rule) {
    const r = this.#c;
    if (isPath(path)) {
      const k = fillRule(rule, "clip");
      opList(r, H.ClipPath2, [definePath(r, path.#r), k]);
    } else {
      if (rule !== undefined) throw new $TypeError("clip: the first of two arguments is not a Path2D");
      op1(r, H.Clip1, fillRule(path, "clip"));
    }
    return this;
  }
  isPointInPath(path, x, y, rule) {
    const r = this.#c;
    let p, n = arguments.length;
    if (isPath(path)) {
      if (n < 3) missing("isPointInPath", 3, n);
      p = path.#r;
    } else {
      if (n < 2) missing("isPointInPath", 2, n);
      if (n > 3) throw new $TypeError("isPointInPath: the first argument is not a Path2D");
      rule = y; y = x; x = path;
    }
    x = +x; y = +y;
    rule = fillRule(rule, "isPointInPath");
    if (x * 0 + y * 0 !== 0) return false;
    return inPath(r, p, x, y, rule);
  }
  isPointInStroke(path, x, y) {
    const r = this.#c;
    let p, n = arguments.length;
    if (isPath(path)) {
      if (n < 3) missing("isPointInStroke", 3, n);
      p = path.#r;
    } else {
      if (n < 2) missing("isPointInStroke", 2, n);
      if (n > 2) throw new $TypeError("isPointInStroke: the first argument is not a Path2D");
      y = x; x = path;
    }
    x = +x; y = +y;
    if (x * 0 + y * 0 !== 0) return false;
    return inPath(r, p, x, y, -1);
  }
  fillRect(x, y, width, height) {
    if (arguments.length < 4) missing("fillRect", 4, arguments.length);
    x = +x; y = +y; width = +width; height = +height;
    var t = x + y + width + height, r, n, b;
    if (t - t !== 0 && x * 0 + y * 0 + width * 0 + height * 0 !== 0) return this;
    r = this.#c;
    if (r.live) refresh(r);
    n = r.n;
    if (n + 5 > r.size) n = room(r, 5);
    b = r.buf;
    b[n] = H.FillRect4; b[n + 1] = x; b[n + 2] = y; b[n + 3] = width; b[n + 4] = height;
    r.n = n + 5;
    return this;
  }
  strokeRect(x, y, width, height) {
    if (arguments.length < 4) missing("strokeRect", 4, arguments.length);
    x = +x; y = +y; width = +width; height = +height;
    var t = x + y + width + height, r, n, b;
    if (t - t !== 0 && x * 0 + y * 0 + width * 0 + height * 0 !== 0) return this;
    r = this.#c;
    if (r.live) refresh(r);
    n = r.n;
    if (n + 5 > r.size) n = room(r, 5);
    b = r.buf;
    b[n] = H.StrokeRect4; b[n + 1] = x; b[n + 2] = y; b[n + 3] = width; b[n + 4] = height;
    r.n = n + 5;
    return this;
  }
  clearRect(x, y, width, height) {
    if (arguments.length < 4) missing("clearRect", 4, arguments.length);
    x = +x; y = +y; width = +width; height = +height;
    var t = x + y + width + height, r, n, b;
    if (t - t !== 0 && x * 0 + y * 0 + width * 0 + height * 0 !== 0) return this;
    r = this.#c;
    n = r.n;
    if (n + 5 > r.size) n = room(r, 5);
    b = r.buf;
    b[n] = H.ClearRect4; b[n + 1] = x; b[n + 2] = y; b[n + 3] = width; b[n + 4] = height;
    r.n = n + 5;
    return this;
  }
  fillText(text, x, y, maxWidth) {
    if (arguments.length < 3) missing("fillText", 3, arguments.length);
    if (typeof text !== "string") text = str(text);
    x = +x; y = +y;
    var r = this.#c, t = x + y, n, b, l, k;
    if (maxWidth !== undefined || t - t !== 0) {
      drawText(r, H.FillText3, H.FillText4, text, x, y, maxWidth);
      return this;
    }
    // As drawText.
    if (r.live) refresh(r);
    n = r.n;
    if (n + 4 > r.size) n = room(r, 4); // flushes the strings, too
    l = r.strings; k = l.length; b = r.buf;
    l[k] = text;
    b[n] = H.FillText3; b[n + 1] = r.stringBase + k; b[n + 2] = x; b[n + 3] = y;
    r.n = n + 4;
    return this;
  }
  strokeText(text, x, y, maxWidth) {
    if (arguments.length < 3) missing("strokeText", 3, arguments.length);
    drawText(this.#c, H.StrokeText3, H.StrokeText4, str(text), +x, +y, maxWidth);
    return this;
  }
  measureText(text) {
    if (arguments.length < 1) missing("measureText", 1, 0);
    return metrics(measure(this.#c, str(text)));
  }
  fillTextBox(text, x, y, width, options) {
    if (arguments.length < 4) missing("fillTextBox", 4, arguments.length);
    const r = this.#c;
    text = str(text); x = +x; y = +y; width = +width;
    options = boxOptions(options);
    if (x * 0 + y * 0 + width * 0 !== 0) return this;
    if (width < 0) throw new $RangeError("fillTextBox: the width " + width + " is negative");
    if (r.live) refresh(r);
    opList(r, H.FillTextBox5, [string(r, text), x, y, width, word(r, options)]);
    return this;
  }
  measureTextBox(text, width, options) {
    if (arguments.length < 2) missing("measureTextBox", 2, arguments.length);
    const r = this.#c, t = str(text), w = finiteNumber(width, "measureTextBox: width");
    return host._canvasMeasureBox(textState(r), t, w, boxOptions(options));
  }

  // Pictures.
  drawImage(image, a, b, c, d, e, f, g, h) {
    const n = arguments.length, r = this.#c;
    if (n < 3) missing("drawImage", 3, n);
    if (n !== 3 && n !== 5 && n < 9) throw new $TypeError("drawImage: 3, 5 or 9 arguments are needed, but " + n + " are present");
    if (!isObject(image) && typeof image !== "string") pictureOf(image, "drawImage");
    a = +a; b = +b;
    let l;
    if (n === 3) l = [0, a, b];
    else if (n === 5) l = [0, a, b, +c, +d];
    else l = [0, a, b, +c, +d, +e, +f, +g, +h];
    for (let i = 1; i < l.length; i++) if (l[i] * 0 !== 0) return this;
    const k = imageOf(r, image, "drawImage");
    if (n >= 9 && (l[3] === 0 || l[4] === 0)) return this;
    l[0] = k;
    opList(r, n === 3 ? H.DrawImage3 : n === 5 ? H.DrawImage5 : H.DrawImage9, l);
    return this;
  }
  createImageData(sw, sh, settings) {
    const n = arguments.length;
    Drawing.context(this);
    if (n === 0) missing("createImageData", 1, 0);
    if (n === 1) {
      if (!isImageData(sw)) throw new $TypeError("createImageData: the argument is not an ImageData");
      return newImageData(dataOf(sw).width, dataOf(sw).height);
    }
    sw = long(sw, "createImageData: the width");
    sh = long(sh, "createImageData: the height");
    settingsOf(settings);
    if (sw === 0 || sh === 0) throw indexSize("createImageData: width and height must not be 0");
    return newImageData(abs(sw), abs(sh));
  }
  getImageData(sx, sy, sw, sh, settings) {
    if (arguments.length < 4) missing("getImageData", 4, arguments.length);
    const r = this.#c;
    sx = long(sx, "getImageData: x");
    sy = long(sy, "getImageData: y");
    sw = long(sw, "getImageData: the width");
    sh = long(sh, "getImageData: the height");
    settingsOf(settings);
    if (sw === 0 || sh === 0) throw indexSize("getImageData: width and height must not be 0");
    flush(r);
    const bytes = host._canvasRead(idOf(r), sw < 0 ? sx + sw : sx, sh < 0 ? sy + sh : sy, abs(sw), abs(sh));
    return newImageData(abs(sw), abs(sh), new $Uint8ClampedArray(B.buffer(bytes)));
  }
  putImageData(data, dx, dy, dirtyX, dirtyY, dirtyWidth, dirtyHeight) {
    const n = arguments.length, r = this.#c;
    if (n < 3) missing("putImageData", 3, n);
    if (n > 3 && n < 7) missing("putImageData", 7, n);
    if (!isImageData(data)) throw new $TypeError("putImageData: the first argument is not an ImageData");
    dx = long(dx, "putImageData: x");
    dy = long(dy, "putImageData: y");
    const d = dataOf(data);
    let x = 0, y = 0, w = d.width, h = d.height;
    if (n >= 7) {
      x = long(dirtyX, "putImageData: dirtyX");
      y = long(dirtyY, "putImageData: dirtyY");
      w = long(dirtyWidth, "putImageData: dirtyWidth");
      h = long(dirtyHeight, "putImageData: dirtyHeight");
      if (w < 0) { x += w; w = -w; }
      if (h < 0) { y += h; h = -h; }
      if (x < 0) { w += x; x = 0; }
      if (y < 0) { h += y; y = 0; }
      w = min(w, d.width - x);
      h = min(h, d.height - y);
    }
    if (B.length(d.data) === 0) throw invalidState("putImageData: the buffer of the ImageData is detached");
    // What is outside of the canvas need not cross.
    if (dx + x < 0) { w += dx + x; x = -dx; }
    if (dy + y < 0) { h += dy + y; y = -dy; }
    w = min(w, sizeOf(r.width) - dx - x);
    h = min(h, sizeOf(r.height) - dy - y);
    if (!(w > 0 && h > 0)) return this;
    const rows = new $Uint8Array(B.buffer(d.data), B.byteOffset(d.data) + 4 * d.width * y, 4 * d.width * h);
    const got = host._canvasPixels(rows, d.width, h, x, w);
    const k = imageIndex(r, picture(got, w, h));
    opList(r, H.PutImageData7, [k, dx + x, dy + y, 0, 0, w, h]);
    return this;
  }

  // Gradients and patterns.
  createLinearGradient(x0, y0, x1, y1) {
    if (arguments.length < 4) missing("createLinearGradient", 4, arguments.length);
    if (this.#c === undefined) Drawing.context(this);
    if (typeof x0 !== "number" || typeof y0 !== "number" || typeof x1 !== "number" || typeof y1 !== "number" || (x0 + y0 + x1 + y1) * 0 !== 0) {
      const name = "createLinearGradient: a coordinate";
      x0 = finiteNumber(x0, name); y0 = finiteNumber(y0, name); x1 = finiteNumber(x1, name); y1 = finiteNumber(y1, name);
    }
    return newGradient(0, x0, y0, x1, y1, 0, 0);
  }
  createRadialGradient(x0, y0, r0, x1, y1, r1) {
    if (arguments.length < 6) missing("createRadialGradient", 6, arguments.length);
    Drawing.context(this);
    const name = "createRadialGradient: a coordinate";
    const l = [finiteNumber(x0, name), finiteNumber(y0, name), finiteNumber(r0, name), finiteNumber(x1, name), finiteNumber(y1, name), finiteNumber(r1, name)];
    if (l[2] < 0 || l[5] < 0) throw indexSize("createRadialGradient: the radius " + min(l[2], l[5]) + " is negative");
    return newGradient(1, l[0], l[1], l[2], l[3], l[4], l[5]);
  }
  createConicGradient(startAngle, x, y) {
    if (arguments.length < 3) missing("createConicGradient", 3, arguments.length);
    Drawing.context(this);
    const name = "createConicGradient: a coordinate";
    return newGradient(2, finiteNumber(startAngle, name), finiteNumber(x, name), finiteNumber(y, name), 0, 0, 0);
  }
  createPattern(image, repetition) {
    if (arguments.length < 2) missing("createPattern", 2, arguments.length);
    const r = this.#c;
    if (!isObject(image) && typeof image !== "string") pictureOf(image, "createPattern");
    repetition = repetition === null ? "" : str(repetition);
    const k = repetition === "" ? 0 : repetitions.index[repetition];
    if (k === undefined) throw exception("createPattern: the repetition " + stringify(slice(repetition, 0, 60)) + " is none of repeat, repeat-x, repeat-y and no-repeat", "SyntaxError");
    let p = pictureOf(image, "createPattern");
    if (p === undefined) {
      const got = host._canvasPicture(medium(image));
      p = picture(got[0], 0, 0);
      p.pending = got[1];
    }
    return newPattern(p, k);
  }

  // Properties.
  get fillStyle() { return this.#c.s.fill; }
  set fillStyle(v) {
    var r = this.#c, s = r.s, n, b, c, p;
    if (v === s.fillText) return;
    if (typeof v !== "string") {
      p = typeof v === "object" && v !== null ? paintOf(v) : undefined;
      if (p !== undefined) {
        define(r, p);
        op1(r, p.kind === "gradient" ? H.FillGradient1 : H.FillPattern1, p.id);
        if (r.shared) s = own(r);
        s.fill = v; s.fillText = undefined; s.fillPaint = p; s.fillVersion = p.version;
        r.live = true;
        return;
      }
      v = str(v);
      s = r.s; // what is no string may have changed it
    }
    c = colours[v];
    if (c === undefined) c = colour(v);
    if (c === null) return;
    p = c[1];
    if (s.fill !== p) {
      n = r.n;
      if (n + 2 > r.size) n = room(r, 2);
      b = r.buf;
      b[n] = H.FillColor1; b[n + 1] = c[0];
      r.n = n + 2;
    }
    if (r.shared) s = own(r);
    s.fill = p; s.fillText = v;
    if (r.live) {
      s.fillPaint = undefined;
      r.live = isLive(s);
    }
  }
  get strokeStyle() { return this.#c.s.stroke; }
  set strokeStyle(v) {
    var r = this.#c, s = r.s, n, b, c, p;
    if (v === s.strokeText) return;
    if (typeof v !== "string") {
      p = typeof v === "object" && v !== null ? paintOf(v) : undefined;
      if (p !== undefined) {
        define(r, p);
        op1(r, p.kind === "gradient" ? H.StrokeGradient1 : H.StrokePattern1, p.id);
        if (r.shared) s = own(r);
        s.stroke = v; s.strokeText = undefined; s.strokePaint = p; s.strokeVersion = p.version;
        r.live = true;
        return;
      }
      v = str(v);
      s = r.s; // what is no string may have changed it
    }
    c = colours[v];
    if (c === undefined) c = colour(v);
    if (c === null) return;
    p = c[1];
    if (s.stroke !== p) {
      n = r.n;
      if (n + 2 > r.size) n = room(r, 2);
      b = r.buf;
      b[n] = H.StrokeColor1; b[n + 1] = c[0];
      r.n = n + 2;
    }
    if (r.shared) s = own(r);
    s.stroke = p; s.strokeText = v;
    if (r.live) {
      s.strokePaint = undefined;
      r.live = isLive(s);
    }
  }
  get lineWidth() { return this.#c.s.lineWidth; }
  set lineWidth(v) {
    v = +v;
    var r = this.#c, s = r.s, n, b;
    if (!(v > 0 && v - v === 0) || v === s.lineWidth) return;
    n = r.n;
    if (n + 2 > r.size) n = room(r, 2);
    b = r.buf;
    b[n] = H.LineWidth1; b[n + 1] = v;
    r.n = n + 2;
    if (r.shared) s = own(r);
    s.lineWidth = v;
  }
  get lineCap() { return lineCaps.all[this.#c.s.lineCap]; }
  set lineCap(v) {
    const r = this.#c, k = lineCaps.index[str(v)];
    if (k === undefined || k === r.s.lineCap) return;
    op1(r, H.LineCap1, k);
    own(r).lineCap = k;
  }
  get lineJoin() { return lineJoins.all[this.#c.s.lineJoin]; }
  set lineJoin(v) {
    const r = this.#c, k = lineJoins.index[str(v)];
    if (k === undefined || k === r.s.lineJoin) return;
    op1(r, H.LineJoin1, k);
    own(r).lineJoin = k;
  }
  get miterLimit() { return this.#c.s.miterLimit; }
  set miterLimit(v) {
    const r = this.#c;
    v = +v;
    if (!(v > 0 && v * 0 === 0) || v === r.s.miterLimit) return;
    op1(r, H.MiterLimit1, v);
    own(r).miterLimit = v;
  }
  setLineDash(segments) {
    if (arguments.length < 1) missing("setLineDash", 1, 0);
    const r = this.#c, method = iterates(segments);
    if (method === undefined) throw new $TypeError("setLineDash: the argument is not a sequence");
    const given = sequence(segments, method, 100000), l = list();
    for (let i = 0; i < given.length; i++) append(l, +given[i]);
    for (let i = 0; i < l.length; i++) if (!(l[i] >= 0 && l[i] * 0 === 0)) return this;
    const n = l.length;
    if (n % 2 === 1) for (let i = 0; i < n; i++) append(l, l[i]);
    opList(r, H.LineDash0 + 256 * l.length, l);
    own(r).lineDash = l;
    return this;
  }
  getLineDash() {
    const l = this.#c.s.lineDash, out = [];
    for (let i = 0; i < l.length; i++) put(out, i, l[i]);
    return out;
  }
  get lineDashOffset() { return this.#c.s.lineDashOffset; }
  set lineDashOffset(v) {
    const r = this.#c;
    v = +v;
    if (v * 0 !== 0 || v === r.s.lineDashOffset) return;
    op1(r, H.LineDashOffset1, v);
    own(r).lineDashOffset = v;
  }
  get globalAlpha() { return this.#c.s.globalAlpha; }
  set globalAlpha(v) {
    const r = this.#c;
    v = +v;
    if (!(v >= 0 && v <= 1) || v === r.s.globalAlpha) return;
    op1(r, H.GlobalAlpha1, v);
    own(r).globalAlpha = v;
  }
  get globalCompositeOperation() { return modes.all[this.#c.s.composite]; }
  set globalCompositeOperation(v) {
    const r = this.#c;
    v = str(v);
    const k = modes.index[v];
    if (k === undefined) { host._canvasIgnored("globalCompositeOperation", slice(v, 0, 200)); return; }
    if (k === r.s.composite) return;
    op1(r, H.GlobalCompositeOperation1, k);
    own(r).composite = k;
  }
  get filter() { return this.#c.s.filter; }
  set filter(v) {
    const r = this.#c;
    v = str(v);
    if (v === r.s.filter) return;
    const f = filter(v);
    if (f === null || f === r.s.filter) return;
    op1(r, H.Filter1, word(r, f));
    own(r).filter = f;
  }
  get shadowColor() { return this.#c.s.shadowColor; }
  set shadowColor(v) {
    v = str(v);
    const r = this.#c, c = colours[v] ?? colour(v);
    if (c === null || c[1] === r.s.shadowColor) return;
    op1(r, H.ShadowColor1, c[0]);
    own(r).shadowColor = c[1];
  }
  get shadowBlur() { return this.#c.s.shadowBlur; }
  set shadowBlur(v) {
    const r = this.#c;
    v = +v;
    if (!(v >= 0 && v * 0 === 0) || v === r.s.shadowBlur) return;
    op1(r, H.ShadowBlur1, v);
    own(r).shadowBlur = v;
  }
  get shadowOffsetX() { return this.#c.s.shadowX; }
  set shadowOffsetX(v) {
    const r = this.#c;
    v = +v;
    if (v * 0 !== 0 || v === r.s.shadowX) return;
    op1(r, H.ShadowOffsetX1, v);
    own(r).shadowX = v;
  }
  get shadowOffsetY() { return this.#c.s.shadowY; }
  set shadowOffsetY(v) {
    const r = this.#c;
    v = +v;
    if (v * 0 !== 0 || v === r.s.shadowY) return;
    op1(r, H.ShadowOffsetY1, v);
    own(r).shadowY = v;
  }
  get imageSmoothingEnabled() { return this.#c.s.smoothing; }
  set imageSmoothingEnabled(v) {
    const r = this.#c;
    v = !!v;
    if (v === r.s.smoothing) return;
    op1(r, H.ImageSmoothingEnabled1, v ? 1 : 0);
    own(r).smoothing = v;
  }
  get imageSmoothingQuality() { return qualities.all[this.#c.s.quality]; }
  set imageSmoothingQuality(v) {
    const r = this.#c, k = qualities.index[str(v)];
    if (k === undefined || k === r.s.quality) return;
    op1(r, H.ImageSmoothingQuality1, k);
    own(r).quality = k;
  }
  get font() { return this.#c.s.font; }
  set font(v) {
    const r = this.#c;
    v = str(v);
    if (v === r.s.fontText) return;
    const f = font(v);
    if (f === null) return;
    op1(r, H.Font1, word(r, v));
    const s = own(r);
    s.font = f; s.fontText = v;
  }
  get textAlign() { return textAligns.all[this.#c.s.textAlign]; }
  set textAlign(v) {
    const r = this.#c, k = textAligns.index[str(v)];
    if (k === undefined || k === r.s.textAlign) return;
    op1(r, H.TextAlign1, k);
    own(r).textAlign = k;
  }
  get textBaseline() { return textBaselines.all[this.#c.s.textBaseline]; }
  set textBaseline(v) {
    const r = this.#c, k = textBaselines.index[str(v)];
    if (k === undefined || k === r.s.textBaseline) return;
    op1(r, H.TextBaseline1, k);
    own(r).textBaseline = k;
  }
  get direction() { return directions.all[this.#c.s.direction]; }
  set direction(v) {
    const r = this.#c, k = directions.index[str(v)];
    if (k === undefined || k === r.s.direction) return;
    op1(r, H.Direction1, k);
    own(r).direction = k;
  }
  get letterSpacing() { return this.#c.s.letterSpacing; }
  set letterSpacing(v) {
    const r = this.#c, l = length(str(v));
    if (l === null || l === r.s.letterSpacing) return;
    op1(r, H.LetterSpacing1, word(r, l));
    own(r).letterSpacing = l;
  }
  get wordSpacing() { return this.#c.s.wordSpacing; }
  set wordSpacing(v) {
    const r = this.#c, l = length(str(v));
    if (l === null || l === r.s.wordSpacing) return;
    op1(r, H.WordSpacing1, word(r, l));
    own(r).wordSpacing = l;
  }
  get fontKerning() { return kernings.all[this.#c.s.kerning]; }
  set fontKerning(v) {
    const r = this.#c, k = kernings.index[str(v)];
    if (k === undefined || k === r.s.kerning) return;
    op1(r, H.FontKerning1, k);
    own(r).kerning = k;
  }
  get fontStretch() { return stretches.all[this.#c.s.stretch]; }
  set fontStretch(v) {
    const r = this.#c, k = stretches.index[str(v)];
    if (k === undefined || k === r.s.stretch) return;
    op1(r, H.FontStretch1, k);
    own(r).stretch = k;
  }
  get fontVariantCaps() { return variantCaps.all[this.#c.s.caps]; }
  set fontVariantCaps(v) {
    const r = this.#c, k = variantCaps.index[str(v)];
    if (k === undefined || k === r.s.caps) return;
    op1(r, H.FontVariantCaps1, k);
    own(r).caps = k;
  }
  get textRendering() { return renderings.all[this.#c.s.rendering]; }
  set textRendering(v) {
    const r = this.#c, k = renderings.index[str(v)];
    if (k === undefined || k === r.s.rendering) return;
    op1(r, H.TextRendering1, k);
    own(r).rendering = k;
  }
  get lang() { return this.#c.s.lang; }
  set lang(v) {
    const r = this.#c;
    v = str(v);
    if (v === r.s.lang) return;
    op1(r, H.Lang1, word(r, v === "inherit" ? "" : v));
    own(r).lang = v;
  }
}

function drawText(r, h3, h4, text, x, y, maxWidth) {
  let w;
  if (maxWidth !== undefined) {
    w = +maxWidth;
    if (w * 0 !== 0) return;
  }
  if (x * 0 + y * 0 !== 0) return;
  if (w !== undefined && !(w > 0)) return;
  if (r.live) refresh(r);
  let n = r.n;
  if (n + 5 > r.size) n = room(r, 5); // flushes the strings, too
  const b = r.buf, l = r.strings, k = l.length;
  l[k] = text;
  b[n] = w === undefined ? h3 : h4; b[n + 1] = r.stringBase + k; b[n + 2] = x; b[n + 3] = y;
  n += 4;
  if (w !== undefined) b[n++] = w;
  r.n = n;
}
// addOps adds the operations of a path, with their points transformed.
function addOps(to, from, m) {
  const whole = m[0] === 1 && m[1] === 0 && m[2] === 0 && m[3] === 1 && m[4] === 0 && m[5] === 0;
  const b = from.buf, end = from.n, base = to.strings.length, texts = from.strings.length;
  for (let i = 0; i < texts; i++) append(to.strings, from.strings[i]);
  let moved = !whole;
  if (!whole) opList(to, H.SetTransform6, m);
  for (let i = 0; i < end;) {
    const h = b[i++], k = floor(h / 256), l = list();
    for (let j = 0; j < k; j++) append(l, b[i++]);
    if (h === H.SetTransform6) {
      moved = true;
      opList(to, h, multiply(m, l[0], l[1], l[2], l[3], l[4], l[5]));
    } else {
      if (h === H.SVGPath1) l[0] += base;
      opList(to, h, l);
    }
  }
  if (moved) opList(to, H.SetTransform6, [1, 0, 0, 1, 0, 0]);
}
// inPath asks the host. A rule below 0 asks for the stroke.
function inPath(r, p, x, y, rule) {
  const path = p === undefined ? -1 : definePath(r, p);
  flush(r);
  return host._canvasContains(idOf(r), path, x, y, rule);
}
function restart(r) {
  const width = r.width, height = r.height;
  begin(r);
  if (r.id !== 0) host._canvasReset(r.id, sizeOf(width), sizeOf(height), isOpaque(r));
}

// Text.
const textState = (r) => {
  const s = r.s;
  return [s.fontText, s.textAlign, s.textBaseline, s.direction, s.letterSpacing, s.wordSpacing, s.kerning, s.stretch, s.caps, s.rendering, s.lang === "inherit" ? "" : s.lang];
};
const measure = (r, text) => host._canvasMeasure(textState(r), text);
function boxOptions(o) {
  if (o === undefined || o === null) return "";
  if (!isObject(o)) throw new $TypeError("fillTextBox: options must be an object");
  const out = create(null);
  const words = ["align", "ellipsis", "verticalAlign"], numbers = ["lineHeight", "maxLines", "maxHeight"];
  for (let i = 0; i < 3; i++) {
    const v = o[words[i]];
    if (v === false && words[i] === "ellipsis") out.ellipsis = "none";
    else if (v !== undefined && v !== null && !(v === true && words[i] === "ellipsis")) out[words[i]] = str(v);
  }
  for (let i = 0; i < 3; i++) {
    const v = o[numbers[i]];
    if (v !== undefined && v !== null) out[numbers[i]] = finiteNumber(v, "fillTextBox: " + numbers[i]);
  }
  const text = stringify(out);
  host._canvasBox(text);
  return text;
}

// Interfaces: constructors with a name, whose members are enumerable.
const secret = {};
function members(C, from, names) {
  const keys = names ?? ownKeys(from);
  for (let i = 0; i < keys.length; i++) {
    const k = keys[i];
    if (k === "constructor") continue;
    const d = getOwnPropertyDescriptor(from, k);
    defineProperty(C.prototype, k, d.get === undefined && d.set === undefined
      ? { __proto__: null, value: d.value, writable: true, enumerable: true, configurable: true }
      : { __proto__: null, get: d.get, set: d.set, enumerable: true, configurable: true });
  }
  defineProperty(C.prototype, $Symbol.toStringTag, { __proto__: null, value: C.name, configurable: true });
}
class CanvasRenderingContext2D {
  constructor(s, r) {
    if (s !== secret) illegal("CanvasRenderingContext2D");
    new Drawing(this, r);
  }
}
const pathMethods = ["closePath", "moveTo", "lineTo", "quadraticCurveTo", "bezierCurveTo", "arc", "arcTo", "ellipse", "rect", "roundRect"];
members(CanvasRenderingContext2D, Drawing.prototype);
delete CanvasRenderingContext2D.prototype.addPath;
class Path2D {
  constructor(path) {
    const r = pathOps();
    new Drawing(this, r);
    if (path === undefined) return;
    if (isPath(path)) addOps(r, pathOf(path), [1, 0, 0, 1, 0, 0]);
    else {
      path = str(path);
      if (path !== "") {
        append(r.strings, path);
        op1(r, H.SVGPath1, 0);
      }
    }
  }
}
put(pathMethods, pathMethods.length, "addPath");
members(Path2D, Drawing.prototype, pathMethods);

let paintOf, newGradient, newPattern;
const gradientMark = "__nodetool_canvas_gradient__";
class CanvasGradient {
  #p;
  constructor(s, p) {
    if (s !== secret) illegal("CanvasGradient");
    this.#p = p;
  }
  addColorStop(offset, color) {
    if (arguments.length < 2) missing("addColorStop", 2, arguments.length);
    var p = this.#p, c, l, n;
    if (typeof offset !== "number" || offset - offset !== 0) offset = finiteNumber(offset, "addColorStop: the offset");
    if (typeof color !== "string") color = str(color);
    if (offset < 0 || offset > 1) throw indexSize("addColorStop: the offset " + offset + " is not from 0 to 1");
    c = colours[color];
    if (c === undefined) c = colour(color);
    if (c === null) throw exception("addColorStop: " + stringify(slice(color, 0, 60)) + " is not a CSS colour", "SyntaxError");
    l = p.list;
    n = 6 + p.count;
    if (n === roomInGradient) setPrototypeOf(l, null); // from here on it grows
    l[n] = offset;
    l[n + 1] = c[0];
    p.count += 2;
    p.version++;
    return this;
  }
  static { paintOf = (o) => #p in o ? o.#p : patternOf(o); }
}
members(CanvasGradient, CanvasGradient.prototype);
// What a gradient is: all that is read of it is its own, so that it needs no prototype of its
// own, which takes as long as all the rest. list has six coordinates, and the stops: offset and
// colour of each. There is room for two.
const roomInGradient = 10;
newGradient = (type, a, b, c, d, e, f) => new CanvasGradient(secret, { kind: "gradient", id: ++ids, version: 1, serial: 0, defined: 0, type, count: 0, list: [a, b, c, d, e, f, 0, 0, 0, 0] });
let patternOf;
class CanvasPattern {
  #p;
  constructor(s, p) {
    if (s !== secret) illegal("CanvasPattern");
    this.#p = p;
  }
  setTransform(transform) {
    const p = this.#p, m = matrixOf(transform, "setTransform");
    if (!finite6(m)) return;
    p.matrix = m;
    p.version++;
  }
  static { patternOf = (o) => #p in o ? o.#p : undefined; }
}
members(CanvasPattern, CanvasPattern.prototype);
newPattern = (picture, repetition) => new CanvasPattern(secret, { __proto__: null, kind: "pattern", id: ++ids, version: 1, picture, repetition, matrix: [1, 0, 0, 1, 0, 0] });

let isImageData, dataOf;
const settingsOf = (o) => {
  if (o === undefined || o === null) return;
  if (!isObject(o)) throw new $TypeError("ImageData: the settings must be an object");
  const format = o.pixelFormat;
  let space = o.colorSpace;
  if (space !== undefined && (space = str(space)) !== "srgb" && space !== "display-p3") throw new $TypeError("ImageData: the color space must be srgb");
  if (format !== undefined && str(format) !== "rgba-unorm8") throw new $TypeError("ImageData: the pixel format must be rgba-unorm8");
};
class ImageData {
  #d;
  constructor(data, width, height, settings) {
    const n = arguments.length;
    if (data === secret) {
      this.#d = { __proto__: null, width, height, data: settings ?? new $Uint8ClampedArray(4 * width * height) };
    } else {
      if (n < 2) missing("ImageData", 2, n);
      // Two arguments that do not begin with pixels are sizes, whatever they are.
      if (isObject(data) && (n > 2 || native(OP.Class, data) === "Uint8ClampedArray")) {
        if (native(OP.Class, data) !== "Uint8ClampedArray") throw new $TypeError("ImageData: the data must be a Uint8ClampedArray");
        width = unsignedModulo(width);
        if (height !== undefined) height = unsignedModulo(height);
        settingsOf(settings);
        const length = B.length(data);
        if (length === 0) throw invalidState("ImageData: the data is empty");
        if (length % 4 !== 0) throw invalidState("ImageData: the length of the data is not a multiple of 4");
        if (width === 0 || length / 4 % width !== 0) throw indexSize("ImageData: the length of the data is not a multiple of 4 times the width");
        const rows = length / 4 / width;
        if (height !== undefined && height !== rows) throw indexSize("ImageData: the length of the data is not 4 times width times height");
        this.#d = { __proto__: null, width, height: rows, data };
      } else {
        width = [unsignedModulo(data), height = unsignedModulo(width)][0];
        settingsOf(settings === undefined ? arguments[2] : settings);
        if (width === 0 || height === 0) throw indexSize("ImageData: width and height must not be 0");
        this.#d = { __proto__: null, width, height, data: pixels(width, height) };
      }
    }
    defineProperty(this, "data", { __proto__: null, value: this.#d.data, enumerable: true });
  }
  get width() { return this.#d.width; }
  get height() { return this.#d.height; }
  get colorSpace() { this.#d.width; return "srgb"; }
  get pixelFormat() { this.#d.width; return "rgba-unorm8"; }
  static {
    isImageData = (o) => isObject(o) && #d in o;
    dataOf = (o) => o.#d;
  }
}
const pixels = (width, height) => {
  if (width * height > 134217728) throw indexSize("ImageData: " + width + " × " + height + " pixels are more than 134217728");
  return new $Uint8ClampedArray(4 * width * height);
};
members(ImageData, ImageData.prototype);
const newImageData = (width, height, data) => new ImageData(secret, width, height, data ?? pixels(width, height));

let bitmapOf, newBitmap;
class ImageBitmap {
  #b;
  constructor(s, p) {
    if (s !== secret) illegal("ImageBitmap");
    this.#b = { __proto__: null, picture: p };
  }
  get width() { return this.#b.picture === undefined ? 0 : this.#b.picture.width; }
  get height() { return this.#b.picture === undefined ? 0 : this.#b.picture.height; }
  close() { this.#b.picture = undefined; }
  static { bitmapOf = (o) => #b in o ? o.#b : undefined; }
}
members(ImageBitmap, ImageBitmap.prototype);

const metricNames = ["width", "actualBoundingBoxLeft", "actualBoundingBoxRight", "fontBoundingBoxAscent", "fontBoundingBoxDescent", "actualBoundingBoxAscent",
  "actualBoundingBoxDescent", "emHeightAscent", "emHeightDescent", "hangingBaseline", "alphabeticBaseline", "ideographicBaseline"];
let metrics, ofMetrics;
class TextMetrics {
  #v;
  constructor(s, v) {
    if (s !== secret) illegal("TextMetrics");
    this.#v = v;
  }
  static {
    metrics = (v) => new TextMetrics(secret, v);
    ofMetrics = (o) => #v in o ? o.#v : undefined;
    for (let i = 0; i < metricNames.length; i++) {
      const name = metricNames[i];
      const d = getOwnPropertyDescriptor({ get [name]() { return value(this, i); } }, name);
      defineProperty(this.prototype, name, { __proto__: null, get: d.get, configurable: true });
    }
    const value = (o, i) => o.#v[i];
  }
}
members(TextMetrics, TextMetrics.prototype);

// DOMPoint and DOMMatrix ("Geometry Interfaces"). Matrices have sixteen elements, by columns.
let pointOf, ofPoint;
class DOMPoint {
  #p;
  constructor(x = 0, y = 0, z = 0, w = 1) { this.#p = [+x, +y, +z, +w]; }
  get x() { return this.#p[0]; }
  set x(v) { this.#p[0] = +v; }
  get y() { return this.#p[1]; }
  set y(v) { this.#p[1] = +v; }
  get z() { return this.#p[2]; }
  set z(v) { this.#p[2] = +v; }
  get w() { return this.#p[3]; }
  set w(v) { this.#p[3] = +v; }
  matrixTransform(m) { return newPoint(times(ofMatrix(m) ?? wide(matrixOf(m, "matrixTransform")), this.#p)); }
  toJSON() { return { x: this.#p[0], y: this.#p[1], z: this.#p[2], w: this.#p[3] }; }
  static fromPoint(o) { return newPoint(pointOf(o)); }
  static {
    ofPoint = (o) => #p in o ? o.#p : undefined;
    pointOf = (o) => {
      if (o === undefined || o === null) return [0, 0, 0, 1];
      if (!isObject(o)) throw new $TypeError("DOMPoint: the point must be an object");
      if (#p in o) return o.#p;
      const w = o.w, x = o.x, y = o.y, z = o.z;
      return [x === undefined ? 0 : +x, y === undefined ? 0 : +y, z === undefined ? 0 : +z, w === undefined ? 1 : +w];
    };
  }
}
members(DOMPoint, DOMPoint.prototype);
const newPoint = (p) => new DOMPoint(p[0], p[1], p[2], p[3]);
const times = (m, p) => [m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12] * p[3], m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13] * p[3],
  m[2] * p[0] + m[6] * p[1] + m[10] * p[2] + m[14] * p[3], m[3] * p[0] + m[7] * p[1] + m[11] * p[2] + m[15] * p[3]];
const wide = (l) => [l[0], l[1], 0, 0, l[2], l[3], 0, 0, 0, 0, 1, 0, l[4], l[5], 0, 1];
function product(a, b) {
  const out = [];
  for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) {
    put(out, 4 * c + r, a[r] * b[4 * c] + a[4 + r] * b[4 * c + 1] + a[8 + r] * b[4 * c + 2] + a[12 + r] * b[4 * c + 3]);
  }
  return out;
}
const flat = (m) => m[2] === 0 && m[3] === 0 && m[6] === 0 && m[7] === 0 && m[8] === 0 && m[9] === 0 && m[10] === 1 && m[11] === 0 && m[14] === 0 && m[15] === 1;
const degrees = (v) => v * PI / 180;
// Sines and cosines of right angles are exact.
const cosine = (d) => d % 90 === 0 ? d % 180 !== 0 ? 0 : d % 360 === 0 ? 1 : -1 : cos(degrees(d));
const sine = (d) => cosine(d - 90);
function inverse(m) {
  if (flat(m)) {
    const det = m[0] * m[5] - m[1] * m[4];
    if (!(det !== 0 && det * 0 === 0)) return undefined;
    return wide([m[5] / det, -m[1] / det, -m[4] / det, m[0] / det, (m[4] * m[13] - m[5] * m[12]) / det, (m[1] * m[12] - m[0] * m[13]) / det]);
  }
  // Gauss and Jordan, with pivots.
  const a = list(), b = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  for (let i = 0; i < 16; i++) a[i] = m[i];
  for (let i = 0; i < 4; i++) {
    let best = i;
    for (let k = i + 1; k < 4; k++) if (abs(a[4 * k + i]) > abs(a[4 * best + i])) best = k;
    const pivot = a[4 * best + i];
    if (!(pivot !== 0 && pivot * 0 === 0)) return undefined;
    for (let j = 0; j < 4; j++) {
      const p = 4 * i + j, q = 4 * best + j, x = a[p], y = b[p];
      a[p] = a[q]; b[p] = b[q];
      a[q] = x; b[q] = y;
      a[p] /= pivot; b[p] /= pivot;
    }
    for (let k = 0; k < 4; k++) {
      if (k === i) continue;
      const f = a[4 * k + i];
      for (let j = 0; j < 4; j++) {
        a[4 * k + j] -= f * a[4 * i + j];
        b[4 * k + j] -= f * b[4 * i + j];
      }
    }
  }
  return b;
}
let ofMatrix, matrixFrom;
class DOMMatrix {
  #m;
  constructor(init) {
    if (init === undefined) this.#m = wide([1, 0, 0, 1, 0, 0]);
    else if (isObject(init)) {
      const method = iterates(init);
      if (method === undefined) throw new $TypeError("DOMMatrix: the argument must be a list of 6 or 16 numbers");
      const l = sequence(init, method, 17);
      for (let i = 0; i < l.length; i++) l[i] = +l[i];
      if (l.length === 6) this.#m = wide(l);
      else if (l.length === 16) this.#m = l;
      else throw new $TypeError("DOMMatrix: " + l.length + " numbers, where 6 or 16 are needed");
    } else {
      const got = host._canvasMatrix(str(init));
      if (got === null) throw exception("DOMMatrix: the text is not a transform", "SyntaxError");
      this.#m = wide(got);
    }
    // A list of its own, which nobody else changes.
    const own = list();
    for (let i = 0; i < 16; i++) own[i] = this.#m[i];
    this.#m = own;
  }
  get is2D() { return flat(this.#m); }
  get isIdentity() {
    const m = this.#m;
    return flat(m) && m[0] === 1 && m[1] === 0 && m[4] === 0 && m[5] === 1 && m[12] === 0 && m[13] === 0;
  }
  multiply(o) { return newMatrix(product(this.#m, read(o))); }
  multiplySelf(o) { this.#m = product(this.#m, read(o)); return this; }
  preMultiplySelf(o) { this.#m = product(read(o), this.#m); return this; }
  translate(x, y, z) { return newMatrix(product(this.#m, translation(x, y, z))); }
  translateSelf(x, y, z) { this.#m = product(this.#m, translation(x, y, z)); return this; }
  scale(x, y, z, ox, oy, oz) { return newMatrix(product(this.#m, scaling(x, y, z, ox, oy, oz))); }
  scaleSelf(x, y, z, ox, oy, oz) { this.#m = product(this.#m, scaling(x, y, z, ox, oy, oz)); return this; }
  scaleNonUniform(x, y) { return newMatrix(product(this.#m, scaling(x, y ?? 1))); }
  rotate(x, y, z) { return newMatrix(product(this.#m, rotation(x, y, z))); }
  rotateSelf(x, y, z) { this.#m = product(this.#m, rotation(x, y, z)); return this; }
  rotateFromVector(x, y) { return newMatrix(product(this.#m, vector(x, y))); }
  rotateFromVectorSelf(x, y) { this.#m = product(this.#m, vector(x, y)); return this; }
  skewX(a) { return newMatrix(product(this.#m, wide([1, 0, tan(degrees(+(a ?? 0))), 1, 0, 0]))); }
  skewXSelf(a) { this.#m = product(this.#m, wide([1, 0, tan(degrees(+(a ?? 0))), 1, 0, 0])); return this; }
  skewY(a) { return newMatrix(product(this.#m, wide([1, tan(degrees(+(a ?? 0))), 0, 1, 0, 0]))); }
  skewYSelf(a) { this.#m = product(this.#m, wide([1, tan(degrees(+(a ?? 0))), 0, 1, 0, 0])); return this; }
  flipX() { return newMatrix(product(this.#m, wide([-1, 0, 0, 1, 0, 0]))); }
  flipY() { return newMatrix(product(this.#m, wide([1, 0, 0, -1, 0, 0]))); }
  inverse() { return newMatrix(inverse(this.#m) ?? nowhere()); }
  invertSelf() { this.#m = inverse(this.#m) ?? nowhere(); return this; }
  transformPoint(p) { return newPoint(times(this.#m, pointOf(p))); }
  toFloat32Array() { return fillArray(new $Float32Array(16), this.#m); }
  toFloat64Array() { return fillArray(new $Float64Array(16), this.#m); }
  toJSON() {
    const out = {}, m = this.#m;
    for (let i = 0; i < 6; i++) put(out, matrixKeys[i], m[places[i]]);
    for (let i = 0; i < 16; i++) put(out, "m" + (floor(i / 4) + 1) + (i % 4 + 1), m[i]);
    put(out, "is2D", flat(m));
    put(out, "isIdentity", this.isIdentity);
    return out;
  }
  toString() {
    const m = this.#m, two = flat(m);
    let s = two ? "matrix(" : "matrix3d(";
    for (let i = 0, n = two ? 6 : 16; i < n; i++) {
      const v = m[two ? places[i] : i];
      if (v * 0 !== 0) throw invalidState("DOMMatrix: an element is not finite");
      s += (i === 0 ? "" : ", ") + v;
    }
    return s + ")";
  }
  static fromMatrix(o) { return newMatrix(read(o)); }
  static fromFloat32Array(a) { return new DOMMatrix(a); }
  static fromFloat64Array(a) { return new DOMMatrix(a); }
  static {
    ofMatrix = (o) => isObject(o) && #m in o ? o.#m : undefined;
    const element = (o, k) => o.#m[k], setElement = (o, k, v) => { o.#m[k] = +v; };
    const define = (name, k) => {
      const d = getOwnPropertyDescriptor({ get [name]() { return element(this, k); }, set [name](v) { setElement(this, k, v); } }, name);
      defineProperty(this.prototype, name, { __proto__: null, get: d.get, set: d.set, configurable: true });
    };
    const at = [0, 1, 4, 5, 12, 13];
    for (let i = 0; i < 6; i++) define(matrixKeys[i], at[i]);
    for (let i = 0; i < 16; i++) define("m" + (floor(i / 4) + 1) + (i % 4 + 1), i);
  }
}
members(DOMMatrix, DOMMatrix.prototype);
const places = [0, 1, 4, 5, 12, 13];
const newMatrix = (m) => new DOMMatrix({ [$Symbol.iterator]: () => { let i = 0; return { next: () => ({ done: i >= 16, value: m[i++] }) }; } });
const read = (o) => ofMatrix(o) ?? wide(matrixOf(o, "DOMMatrix"));
const nowhere = () => { const m = list(); for (let i = 0; i < 16; i++) m[i] = NaN_; return m; };
const fillArray = (a, m) => { for (let i = 0; i < 16; i++) a[i] = m[i]; return a; };
const translation = (x = 0, y = 0, z = 0) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, +x, +y, +z, 1];
function scaling(x = 1, y, z = 1, ox = 0, oy = 0, oz = 0) {
  x = +x;
  y = y === undefined ? x : +y;
  z = +z; ox = +ox; oy = +oy; oz = +oz;
  return [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, ox - x * ox, oy - y * oy, oz - z * oz, 1];
}
function rotation(x = 0, y, z) {
  x = +x;
  if (y === undefined && z === undefined) { z = x; x = y = 0; } else { y = +(y ?? 0); z = +(z ?? 0); }
  let m = wide([cosine(z), sine(z), -sine(z), cosine(z), 0, 0]);
  if (y !== 0) m = product(m, [cosine(y), 0, -sine(y), 0, 0, 1, 0, 0, sine(y), 0, cosine(y), 0, 0, 0, 0, 1]);
  if (x !== 0) m = product(m, [1, 0, 0, 0, 0, cosine(x), sine(x), 0, 0, -sine(x), cosine(x), 0, 0, 0, 0, 1]);
  return m;
}
function vector(x = 0, y = 0) {
  const a = +x === 0 && +y === 0 ? 0 : atan2(+y, +x);
  return wide([cos(a), sin(a), -sin(a), cos(a), 0, 0]);
}

// Surfaces.
// contextSettings are the CanvasRenderingContext2DSettings of the first getContext; what is no
// object sets nothing.
function contextSettings(o) {
  if (!isObject(o)) o = create(null);
  const alpha = o.alpha, space = o.colorSpace, type = o.colorType, desynchronized = o.desynchronized, often = o.willReadFrequently;
  if (space !== undefined && str(space) !== "srgb" && str(space) !== "display-p3") throw new $TypeError("getContext: the color space must be srgb");
  if (type !== undefined && str(type) !== "unorm8" && str(type) !== "float16") throw new $TypeError("getContext: the color type must be unorm8");
  return { __proto__: null, alpha: alpha === undefined || !!alpha, desynchronized: !!desynchronized, willReadFrequently: !!often };
}
// edge is a width or height as the attribute of a canvas element takes it.
const edge = (v, otherwise) => (v = unsignedModulo(v)) > 2147483647 ? otherwise : v;
let surfaceOf;
class OffscreenCanvas {
  #r;
  constructor(width, height) {
    if (width === secret) this.#r = recorder(height[0], height[1]);
    else {
      if (arguments.length < 2) missing("OffscreenCanvas", 2, arguments.length);
      this.#r = recorder(enforced(width, 0, 9007199254740991, "OffscreenCanvas: the width"), enforced(height, 0, 9007199254740991, "OffscreenCanvas: the height"));
    }
    this.#r.canvas = this;
  }
  get width() { return this.#r.width; }
  set width(v) { const r = this.#r; r.width = dimension(v, 300); restart(r); }
  get height() { return this.#r.height; }
  set height(v) { const r = this.#r; r.height = dimension(v, 150); restart(r); }
  getContext(kind, options) {
    const r = this.#r;
    if (kind !== undefined && str(kind) !== "2d") throw new $TypeError("getContext: only the \"2d\" context is available, not " + stringify(slice(str(kind), 0, 60)));
    if (r.context !== undefined) return r.context;
    const settings = contextSettings(options);
    if (r.context === undefined) {
      r.settings = settings;
      if (!settings.alpha && r.id !== 0) restart(r); // it has been asked for pixels
      r.context = new CanvasRenderingContext2D(secret, r);
    }
    return r.context;
  }
  reset() { restart(this.#r); }
  transferToImageBitmap() {
    const r = this.#r;
    if (r.context === undefined) throw invalidState("transferToImageBitmap: the canvas has no context");
    const p = checkedSnapshot(r, "transferToImageBitmap");
    // The pixels go, and the state of the context stays.
    apply(putImageData, r.context, [newImageData(p.width, p.height), 0, 0]);
    return new ImageBitmap(secret, p);
  }
  toSpec(options) {
    const r = this.#r;
    flush(r);
    return specOf(r, options);
  }
  toImage(options, quality) { return toImage(this.#r, options, quality); }
  toBytes(options, quality) { return toBytes(this.#r, options, quality); }
  toDataURL(type, quality) {
    const r = this.#r;
    flush(r);
    if (sizeOf(r.width) === 0 || sizeOf(r.height) === 0) return "data:,";
    return host._canvasDataURL(idOf(r), type === undefined ? "image/png" : str(type), typeof quality === "number" && quality >= 0 && quality <= 1 ? quality : undefined);
  }
  toSVG(options) { return vectorOf(this.#r, "svg", options); }
  toPDF(options) { return vectorOf(this.#r, "pdf", options); }
  static { surfaceOf = (o) => #r in o ? o.#r : undefined; }
}
members(OffscreenCanvas, OffscreenCanvas.prototype);

// What consoles show of objects whose state is private.
const gradientNames = ["linear", "radial", "conic"];
append(I.shows, (v) => {
  const c = contextOf(v);
  if (c !== undefined) {
    const s = c.s;
    return { canvas: c.canvas, fillStyle: s.fill, strokeStyle: s.stroke, lineWidth: s.lineWidth, font: s.font,
      textAlign: textAligns.all[s.textAlign], textBaseline: textBaselines.all[s.textBaseline], globalAlpha: s.globalAlpha,
      globalCompositeOperation: modes.all[s.composite], filter: s.filter };
  }
  const surface = surfaceOf(v);
  if (surface !== undefined) return { width: surface.width, height: surface.height };
  if (isImageData(v)) {
    const d = dataOf(v);
    return { width: d.width, height: d.height, data: d.data };
  }
  const bitmap = bitmapOf(v);
  if (bitmap !== undefined) return { width: bitmap.picture === undefined ? 0 : bitmap.picture.width, height: bitmap.picture === undefined ? 0 : bitmap.picture.height };
  const matrix = ofMatrix(v);
  if (matrix !== undefined) return shownMatrix(matrix);
  const point = ofPoint(v);
  if (point !== undefined) return { x: point[0], y: point[1], z: point[2], w: point[3] };
  const paint = paintOf(v);
  if (paint !== undefined) return paint.kind === "pattern" ? { repetition: repetitions.all[paint.repetition] } : { type: gradientNames[paint.type], stops: paint.count / 2 };
  if (isPath(v)) {
    const p = pathOf(v);
    let n = 0;
    for (let i = 0; i < p.n; i += floor(p.buf[i] / 256) + 1) n++;
    return { operations: n };
  }
  const metrics = ofMetrics(v);
  if (metrics === undefined) return undefined;
  const out = {};
  for (let i = 0; i < metricNames.length; i++) put(out, metricNames[i], metrics[i]);
  return out;
});
function shownMatrix(m) {
  const out = {}, two = flat(m);
  for (let i = 0, n = two ? 6 : 16; i < n; i++) put(out, two ? matrixKeys[i] : "m" + (floor(i / 4) + 1) + (i % 4 + 1), m[two ? places[i] : i]);
  return out;
}

// loaded is what the host is asked for once all that is drawn is loaded.
const loaded = roomy(async (r, f) => {
  flush(r);
  if (r.pending) {
    await host._canvasLoad(idOf(r));
    r.pending = false;
  }
  return await f(idOf(r));
});
async function toImage(r, options, quality) {
  const o = outputOptions("toImage", options, quality);
  return make(await loaded(r, (id) => host._canvasImage(id, o)));
}
async function toBytes(r, options, quality) {
  const o = outputOptions("toBytes", options, quality);
  return await loaded(r, (id) => host._canvasEncode(host._canvasImage(id, o)[0]));
}
// outputOptions takes what toBlob and toDataURL of browsers take, too: a MIME type and a quality.
function outputOptions(name, options, quality) {
  if (options === undefined || options === null) return undefined;
  if (typeof options === "string") {
    const format = slice(options, 0, 6) === "image/" ? slice(options, 6) : options;
    return { __proto__: null, format, quality: typeof quality === "number" ? quality : undefined };
  }
  if (!isObject(options) || isArray(options)) throw new $TypeError(name + ": options must be an object or a MIME type");
  return options;
}
async function vectorOf(r, format, options) {
  if (options !== undefined && options !== null && (!isObject(options) || isArray(options))) throw new $TypeError((format === "svg" ? "toSVG" : "toPDF") + ": options must be an object");
  return await loaded(r, (id) => host._canvasVector(host._canvasFreeze(id), format, options));
}

// The list of operations as data.
const patternMark = "__nodetool_canvas_pattern__", pathMark = "__nodetool_canvas_path__";
// specOf is what canvas.render takes, of what is recorded.
function specOf(r, options) {
  const got = host._canvasSpec(idOf(r)), spec = {}, images = [];
  put(spec, "width", r.width);
  put(spec, "height", r.height);
  if (isOpaque(r)) put(spec, "alpha", false);
  put(spec, "gradients", got.gradients);
  for (let i = 0; i < got.images.length; i++) put(images, i, isArray(got.images[i]) ? make(got.images[i]) : got.images[i]);
  for (let i = 0; i < got.patterns.length; i++) got.patterns[i].image = images[got.patterns[i].image];
  if (got.patterns.length > 0) put(spec, "patterns", named(got.patterns));
  if (got.paths.length > 0) put(spec, "paths", named(got.paths));
  for (let i = 0; i < got.ops.length; i++) {
    const o = got.ops[i];
    if (o.op === "drawImage" || o.op === "putImageData") o.args[0] = images[o.args[0]];
    else if (o.op === "fillTextBox") o.args[4] = o.args[4] === "" ? {} : parseJSON(o.args[4]);
  }
  put(spec, "ops", got.ops);
  if (options !== undefined && options !== null) {
    const keys = ownKeys(options);
    for (let i = 0; i < keys.length; i++) {
      const d = getOwnPropertyDescriptor(options, keys[i]);
      if (d !== undefined && d.enumerable) put(spec, keys[i], options[keys[i]]);
    }
  }
  return spec;
}
function named(l) {
  const out = {};
  for (let i = 0; i < l.length; i++) {
    const id = l[i].id;
    delete l[i].id;
    put(out, id, l[i]);
  }
  return out;
}

// What an operation of a list may be: the methods and properties of a context which draw.
const methods = create(null), setters = create(null);
{
  const all = ["save", "restore", "reset", "translate", "rotate", "scale", "transform", "setTransform", "resetTransform", "beginPath", "closePath", "moveTo", "lineTo",
    "bezierCurveTo", "quadraticCurveTo", "arc", "arcTo", "ellipse", "rect", "roundRect", "fill", "stroke", "clip", "fillRect", "strokeRect", "clearRect",
    "fillText", "strokeText", "fillTextBox", "setLineDash", "drawImage"];
  for (let i = 0; i < all.length; i++) methods[all[i]] = getOwnPropertyDescriptor(Drawing.prototype, all[i]).value;
  const keys = ownKeys(Drawing.prototype);
  for (let i = 0; i < keys.length; i++) {
    const set = getOwnPropertyDescriptor(Drawing.prototype, keys[i]).set;
    if (set !== undefined) setters[keys[i]] = set;
  }
}
const at = (i, what) => "canvas.render: op " + i + " " + what;
// list is a value that must be an array, or nothing.
function listOf(v, what) {
  if (v === undefined || v === null) return [];
  if (!isArray(v)) throw new $TypeError("canvas.render: " + what + " must be an array");
  return v;
}
function record(v, what) {
  if (!isObject(v) || isArray(v)) throw new $TypeError("canvas.render: " + what + " must be an object");
  return v;
}
// guarded does what an operation asks for; what its error says begins with the operation.
function guarded(prefix, f) {
  try { return f(); } catch (e) {
    if (native(OP.Class, e) === "Error" && e.code !== "ERR_LIMIT") {
      try { hide(e, "message", prefix + e.message); } catch {}
    }
    throw e;
  }
}
async function render(spec) {
  record(spec, "spec");
  const r = recorder(spec.width, spec.height), ops = spec.ops, options = { format: spec.format, quality: spec.quality, background: spec.background, lossless: spec.lossless };
  r.settings = contextSettings({ __proto__: null, alpha: spec.alpha });
  const count = ops === undefined || ops === null ? 0 : isArray(ops) ? ops.length : -1;
  host._canvasCheck(sizeOf(r.width), sizeOf(r.height), count, options);
  const names = [], args = [];
  for (let i = 0; i < count; i++) {
    const o = record(ops[i], "op " + i), name = o.op;
    if (typeof name !== "string") throw new $TypeError(at(i, "must have a name"));
    put(names, i, name);
    put(args, i, listOf(o.args, "args of op " + i));
    if (name !== "drawImage" && name !== "putImageData") continue;
    guarded("canvas.render: op " + i + ": ", () => {
      const v = args[i][0];
      if (!isObject(v) && typeof v !== "string" || pictureOf(v, name) === undefined) source(r, v, i, true);
    });
  }
  if (r.sourceCount > 0) await roomy(host._canvasLoad)(idOf(r));
  r.pending = false;
  const ctx = new CanvasRenderingContext2D(secret, r), gradients = create(null), patterns = create(null), paths = create(null);
  r.context = ctx;
  each(spec.gradients, "gradients", (id, g) => { gradients[id] = gradientOf(id, record(g, "gradient " + id)); });
  each(spec.patterns, "patterns", (id, p) => {
    patterns[id] = apply(createPattern, ctx, [p.image, p.repetition ?? "repeat"]);
    if (p.matrix !== undefined) apply(setPatternTransform, patterns[id], [p.matrix]);
  });
  each(spec.paths, "paths", (id, p) => { paths[id] = pathFrom(id, listOf(p.ops, "path " + id)); });
  const lookUp = (v, i) => {
    if (!isObject(v)) return v;
    const table = hasOwn(v, gradientMark) ? gradients : hasOwn(v, patternMark) ? patterns : hasOwn(v, pathMark) ? paths : undefined;
    if (table === undefined) return v;
    const kind = table === gradients ? "gradient" : table === patterns ? "pattern" : "path";
    const id = v[table === gradients ? gradientMark : table === patterns ? patternMark : pathMark];
    const found = typeof id === "string" ? table[id] : undefined;
    if (found === undefined) throw new $TypeError(at(i, "has an unknown " + kind + " reference " + quote(id)));
    return found;
  };
  for (let i = 0; i < count; i++) {
    const name = names[i], a = args[i];
    if (name === "set") {
      const set = typeof a[0] === "string" ? setters[a[0]] : undefined;
      if (set === undefined) throw new $TypeError(at(i, "sets unknown property " + quote(a[0])));
      const v = lookUp(a[1], i);
      guarded("canvas.render: op " + i + ": ", () => apply(set, ctx, [v]));
      continue;
    }
    if (name === "putImageData") {
      guarded("canvas.render: op " + i + ": ", () => putPicture(r, a));
      continue;
    }
    const f = methods[name];
    if (f === undefined) throw new $TypeError(at(i, "calls unknown method " + quote(name)));
    const given = [];
    for (let k = 0; k < a.length && k < 16; k++) put(given, k, k === 0 && name !== "drawImage" ? lookUp(a[k], i) : a[k]);
    guarded("canvas.render: op " + i + ": ", () => apply(f, ctx, given));
  }
  return await toImage(r, options);
}
// putPicture is a putImageData of a list, as toSpec gives it: of a picture, and the part of it.
function putPicture(r, a) {
  const l = [0];
  for (let i = 1; i < 7; i++) put(l, i, long(a[i], "putImageData: argument " + (i + 1)));
  l[0] = imageOf(r, a[0], "putImageData");
  opList(r, H.PutImageData7, l);
}
const quote = (v) => typeof v === "string" ? stringify(slice(v, 0, 60)) : typeof v === "symbol" || isObject(v) ? "of another type" : $String(v);
function each(v, what, f) {
  if (v === undefined || v === null) return;
  const keys = ownKeys(record(v, what));
  for (let i = 0; i < keys.length; i++) if (typeof keys[i] === "string") f(keys[i], v[keys[i]]);
}
const gradientTypes = { __proto__: null, linear: 0, radial: 1, conic: 2 }, coordCounts = [4, 6, 3];
function gradientOf(id, g) {
  const type = typeof g.type === "string" ? gradientTypes[g.type] : undefined;
  if (type === undefined) throw new $TypeError("canvas.render: gradient type " + quote(g.type) + " is not available");
  const given = listOf(g.coords, "coords of gradient " + id), coords = [0, 0, 0, 0, 0, 0], stops = listOf(g.stops, "stops of gradient " + id);
  for (let i = 0; i < coordCounts[type]; i++) coords[i] = finiteNumber($Number(given[i]), "canvas.render: a coordinate of gradient " + id);
  if (type === 1 && (coords[2] < 0 || coords[5] < 0)) throw indexSize("canvas.render: gradient " + id + ": the radius " + min(coords[2], coords[5]) + " is negative");
  const made = newGradient(type, coords[0], coords[1], coords[2], coords[3], coords[4], coords[5]);
  for (let i = 0; i < stops.length; i++) {
    const s = listOf(stops[i], "stop " + i + " of gradient " + id);
    guarded("canvas.render: gradient " + id + ": ", () => apply(addColorStop, made, [s[0], s[1]]));
  }
  return made;
}
const putImageData = getOwnPropertyDescriptor(Drawing.prototype, "putImageData").value;
const addColorStop = getOwnPropertyDescriptor(CanvasGradient.prototype, "addColorStop").value,
  setPatternTransform = getOwnPropertyDescriptor(CanvasPattern.prototype, "setTransform").value,
  createPattern = getOwnPropertyDescriptor(Drawing.prototype, "createPattern").value;
function pathFrom(id, ops) {
  const path = new Path2D(), r = pathOf(path);
  for (let i = 0; i < ops.length; i++) {
    const o = record(ops[i], "an operation of path " + id), a = listOf(o.args, "args of path " + id), given = [];
    for (let k = 0; k < a.length && k < 16; k++) put(given, k, a[k]);
    if (o.op === "svg") addOps(r, pathOf(new Path2D(str(a[0]))), identity);
    else if (o.op === "setTransform") opList(r, H.SetTransform6, matrixFromList(given));
    else {
      const f = typeof o.op === "string" && indexOfWord(pathMethods, o.op) ? methods[o.op] : undefined;
      if (f === undefined) throw new $TypeError("canvas.render: path " + id + " calls unknown method " + quote(o.op));
      guarded("canvas.render: path " + id + ": ", () => apply(f, path, given));
    }
  }
  return path;
}
function matrixFromList(l) {
  const m = [];
  for (let i = 0; i < 6; i++) put(m, i, finiteNumber(l[i], "canvas.render: an element of a matrix"));
  return m;
}
function indexOfWord(l, w) {
  for (let i = 0; i < l.length; i++) if (l[i] === w) return true;
  return false;
}

async function measureText(text, font) { return await plainMeasure(text, font === undefined || font === null ? undefined : str(font)); }
const plainMeasure = host["canvas.measureText"];

// createImageBitmap takes a picture or a part of it.
async function createImageBitmap(image, sx, sy, sw, sh) {
  const n = arguments.length;
  if (n === 0) missing("createImageBitmap", 1, 0);
  if (n === 3 || n === 4) throw new $TypeError("createImageBitmap: 1, 2, 5 or 6 arguments are needed, but " + n + " are present");
  let x = 0, y = 0, w, h, p;
  if (n >= 5) {
    x = long(sx, "createImageBitmap: x"); y = long(sy, "createImageBitmap: y");
    w = long(sw, "createImageBitmap: the width"); h = long(sh, "createImageBitmap: the height");
    if (w === 0 || h === 0) throw new $RangeError("createImageBitmap: width and height must not be 0");
    if (w < 0) { x += w; w = -w; }
    if (h < 0) { y += h; h = -h; }
  }
  if (isImageData(image)) {
    const d = dataOf(image);
    if (B.length(d.data) === 0) throw invalidState("createImageBitmap: the buffer of the ImageData is detached");
    p = picture(host._canvasPixels(new $Uint8Array(B.buffer(d.data), B.byteOffset(d.data), 4 * d.width * d.height), d.width, d.height, 0, d.width), d.width, d.height);
  } else {
    p = pictureOf(image, "createImageBitmap");
    if (p === undefined) {
      const got = await host._canvasOpen(medium(image));
      p = picture(got[0], got[1], got[2]);
    }
  }
  if (w !== undefined) {
    const r = recorder(w, h);
    opList(r, H.DrawImage3, [imageIndex(r, p), -x, -y]);
    p = snapshot(r);
  }
  return new ImageBitmap(secret, p);
}

const found = create(null);
found["canvas.measureText"] = freeze(measureText);
found["canvas.render"] = freeze(render);
found.createCanvas = freeze(function createCanvas(width, height) { return new OffscreenCanvas(secret, [width, height]); });
found._canvas = freeze({ __proto__: null, CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D: CanvasRenderingContext2D, CanvasGradient, CanvasPattern, Path2D,
  ImageData, ImageBitmap, TextMetrics, DOMPoint, DOMMatrix, OffscreenCanvas, createImageBitmap });
return found;
})
