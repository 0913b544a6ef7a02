// image, over the host's functions: handles in, handles out.
(function (I, host) {
"use strict";
const { native, m, put, freeze, create, defineProperty, ownKeys, hasOwn, isArray, indexOf, apply, $WeakMap, $FinalizationRegistry, $Uint8Array } = I;
const mark = "__nodetool_sandbox_media__", W = m("WeakMap");
const size = host._mediaSize, lost = host._mediaLost;

// Handles of this run, and the ids that they stand for.
const ids = new $WeakMap();
let gone = 0;
const registry = new $FinalizationRegistry((id) => { gone++; lost(id); });
const register = m("FinalizationRegistry").register;

// make is the handle of a reply of the host: id, type, mimeType, width, height, delay.
// byteLength is an accessor, so that nothing is encoded before somebody wants to know.
const byteLength = {
  __proto__: null, enumerable: true, configurable: true,
  get: freeze({ byteLength() { return size(W.get(ids, this) ?? this[mark]); } }.byteLength),
  set: freeze({ byteLength(v) { put(this, "byteLength", v); } }.byteLength),
};
function make(r) {
  const h = {}, id = r[0];
  put(h, mark, id);
  put(h, "type", r[1]);
  put(h, "uri", "sandbox://media/" + id);
  put(h, "mimeType", r[2]);
  defineProperty(h, "byteLength", byteLength);
  if (r[3] > 0) {
    put(h, "width", r[3]);
    put(h, "height", r[4]);
  }
  if (r.length > 5) put(h, "delay", r[5]);
  W.set(ids, h, id);
  register(registry, h, id);
  return h;
}

// medium is what crosses for an argument that is a picture, sound or film: for a handle
// nothing but its id, since anything else would read byteLength.
function medium(v) {
  if (typeof v !== "object" || v === null) return v;
  let id = W.get(ids, v);
  if (id === undefined && hasOwn(v, mark)) id = v[mark];
  if (typeof id === "string") return { [mark]: id };
  if (native(OP.Class, v) === "Object" && hasOwn(v, "length")) {
    const n = v.length;
    if (typeof n === "number" && n >= 0 && n % 1 === 0 && !hasOwn(v, "uri") && !hasOwn(v, "asset_id") && !hasOwn(v, "asset_uri") && !hasOwn(v, "data")) {
      if (n > 26214400) return { length: n }; // which the host refuses
      const b = new $Uint8Array(n);
      for (let i = 0; i < b.length; i++) b[i] = v[i];
      return b;
    }
  }
  return v;
}
function media(list) {
  if (!isArray(list)) return list;
  const out = [], n = list.length;
  // More than the host takes need not be looked at.
  for (let i = 0; i < n && i < 2000; i++) put(out, i, medium(list[i]));
  return out;
}
function layer(v) {
  if (typeof v !== "object" || v === null || isArray(v)) return v;
  return { image: medium(v.image), x: v.x, y: v.y, width: v.width, height: v.height, opacity: v.opacity, blendMode: v.blendMode };
}
function layers(list) {
  if (!isArray(list)) return list;
  const out = [], n = list.length;
  for (let i = 0; i < n && i < 2000; i++) put(out, i, layer(list[i]));
  return out;
}

// roomy is a function of the host's which, when there is no room left, is tried again after the
// garbage among the handles was collected. The collector does not know how large they are.
const short = (e) => native(OP.Class, e) === "Error" && e.code === "ERR_LIMIT" && indexOf(e.message, "(RunMedia)") >= 0;
const roomy = (f) => async (...args) => {
  let first;
  try { return await apply(f, undefined, args); } catch (e) {
    if (!short(e)) throw e;
    first = e;
  }
  const before = gone;
  native(OP.Collect);
  await null;
  await null;
  if (gone === before) throw first;
  try { return await apply(f, undefined, args); } catch (e) { throw short(e) ? first : e; }
};

// The arguments stay alive until a call is settled, because its frame does: a handle among
// them cannot be lost before.
const functions = {
  __proto__: null,
  bytes: (f) => async function bytes(image) { return await f(medium(image)); },
  toAsset: (f) => async function toAsset(image, options) { return await f(medium(image), options); },
  info: (f) => async function info(image) { return await f(medium(image)); },
  decode: (f) => async function decode(image) { return await f(medium(image)); },
  stats: (f) => async function stats(image, options) { return await f(medium(image), options); },
  blank: (f) => async function blank(width, height, options) { return make(await f(width, height, options)); },
  pad: (f) => async function pad(image, options) { return make(await f(medium(image), options)); },
  grid: (f) => async function grid(images, options) { return make(await f(media(images), options)); },
  resize: (f) => async function resize(image, options) { return make(await f(medium(image), options)); },
  crop: (f) => async function crop(image, options) { return make(await f(medium(image), options)); },
  trim: (f) => async function trim(image, options) { return make(await f(medium(image), options)); },
  rotate: (f) => async function rotate(image, degrees, options) { return make(await f(medium(image), degrees, options)); },
  flip: (f) => async function flip(image, options) { return make(await f(medium(image), options)); },
  adjust: (f) => async function adjust(image, options) { return make(await f(medium(image), options)); },
  sharpen: (f) => async function sharpen(image, options) { return make(await f(medium(image), options)); },
  threshold: (f) => async function threshold(image, options) { return make(await f(medium(image), options)); },
  mask: (f) => async function mask(image, by, options) { return make(await f(medium(image), medium(by), options)); },
  composite: (f) => async function composite(image, list, options) { return make(await f(medium(image), layers(list), options)); },
  convert: (f) => async function convert(image, options) { return make(await f(medium(image), options)); },
  frames: (f) => async function frames(image, options) {
    const list = await f(medium(image), options), out = [];
    for (let i = 0; i < list.length; i++) put(out, i, make(list[i]));
    return out;
  },
  animate: (f) => async function animate(images, options) { return make(await f(media(images), options)); },
  text: (f) => async function text(text, options) { return make(await f(text, options)); },
  release: (f) => async function release(handle) { return await f(medium(handle)); },
};
const found = create(null), names = ownKeys(functions);
for (let i = 0; i < names.length; i++) found["image." + names[i]] = freeze(functions[names[i]](roomy(host["image." + names[i]])));
// For the scripts of sounds, films and canvases.
found._media = freeze({ __proto__: null, make, medium, media, roomy });
return found;
})
