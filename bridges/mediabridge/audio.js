// audio and media.waveformImage, over the host's functions: handles in, handles out.
(function (I, host) {
"use strict";
const { put, freeze, create, ownKeys, hasOwn, isArray } = I;
const { make, medium, media, roomy } = I.bridge("image")._media;

// input is an element of audio.mix: a sound, or an object with one and what becomes of it.
function input(v) {
  if (typeof v !== "object" || v === null || isArray(v) || !hasOwn(v, "audio")) return medium(v);
  return { audio: medium(v.audio), gain: v.gain, start: v.start };
}
// Of an array that is too long for the host, its length crosses, for the error.
const most = 1000;
function inputs(list) {
  if (!isArray(list)) return medium(list);
  const out = [], n = list.length;
  if (n > most) return { length: n };
  for (let i = 0; i < n; i++) put(out, i, input(list[i]));
  return out;
}
function list(v) {
  if (!isArray(v)) return medium(v);
  const n = v.length;
  return n > most ? { length: n } : media(v);
}

const functions = {
  __proto__: null,
  bytes: (f) => async function bytes(audio) { return await f(medium(audio)); },
  toAsset: (f) => async function toAsset(audio, options) { return await f(medium(audio), options); },
  info: (f) => async function info(audio) { return await f(medium(audio)); },
  stats: (f) => async function stats(audio) { return await f(medium(audio)); },
  loudness: (f) => async function loudness(audio) { return await f(medium(audio)); },
  waveform: (f) => async function waveform(audio, options) { return await f(medium(audio), options); },
  spectrum: (f) => async function spectrum(audio, options) { return await f(medium(audio), options); },
  normalize: (f) => async function normalize(audio, options) { return make(await f(medium(audio), options)); },
  normalizeLoudness: (f) => async function normalizeLoudness(audio, options) { return make(await f(medium(audio), options)); },
  gain: (f) => async function gain(audio, options) { return make(await f(medium(audio), options)); },
  trim: (f) => async function trim(audio, options) { return make(await f(medium(audio), options)); },
  concat: (f) => async function concat(audios, options) { return make(await f(list(audios), options)); },
  mix: (f) => async function mix(audios, options) { return make(await f(inputs(audios), options)); },
  reverse: (f) => async function reverse(audio, options) { return make(await f(medium(audio), options)); },
  fadeIn: (f) => async function fadeIn(audio, options) { return make(await f(medium(audio), options)); },
  fadeOut: (f) => async function fadeOut(audio, options) { return make(await f(medium(audio), options)); },
  repeat: (f) => async function repeat(audio, options) { return make(await f(medium(audio), options)); },
  pad: (f) => async function pad(audio, options) { return make(await f(medium(audio), options)); },
  silence: (f) => async function silence(options) { return make(await f(options)); },
  speed: (f) => async function speed(audio, options) { return make(await f(medium(audio), options)); },
  resample: (f) => async function resample(audio, options) { return make(await f(medium(audio), options)); },
  convert: (f) => async function convert(audio, options) { return make(await f(medium(audio), options)); },
  split: (f) => async function split(audio, options) {
    const replies = await f(medium(audio), options), out = [];
    for (let i = 0; i < replies.length; i++) put(out, i, make(replies[i]));
    return out;
  },
  merge: (f) => async function merge(audios, options) { return make(await f(list(audios), options)); },
  release: (f) => async function release(handle) { return await f(medium(handle)); },
};
const found = create(null), names = ownKeys(functions);
for (let i = 0; i < names.length; i++) found["audio." + names[i]] = freeze(functions[names[i]](roomy(host["audio." + names[i]])));
const draw = roomy(host["media.waveformImage"]);
found["media.waveformImage"] = freeze({ async waveformImage(audio, options) { return make(await draw(medium(audio), options)); } }.waveformImage);
return found;
})
