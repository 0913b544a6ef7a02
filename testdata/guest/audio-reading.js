// info: a WAV file and the handles of three formats
import { tone } from "sounds";
const file = tone(0.25, { rate: 8000, channels: 2 }), h = await audio.reverse(file);
const flac = await audio.convert(h, { format: "flac" }), info = await audio.info(flac);
return [await audio.info(file), await audio.info(h), await audio.info(await audio.convert(h, { depth: 24 })), info.format, info.container, info.codec, info.duration, info.size_bytes === flac.byteLength]; //= [{"format": "wav", "container": "wav", "codec": "pcm-s16", "duration": 0.25, "channels": 2, "sample_rate": 8000, "depth": 16, "bitrate": 256000, "size_bytes": 8044}, {"format": "wav", "container": "wav", "codec": "pcm-s16", "duration": 0.25, "channels": 2, "sample_rate": 8000, "depth": 16, "bitrate": 256000, "size_bytes": 8044}, {"format": "wav", "container": "wav", "codec": "pcm-s24", "duration": 0.25, "channels": 2, "sample_rate": 8000, "depth": 24, "bitrate": 384000, "size_bytes": 12068}, "flac", "flac", "flac", 0.25, true]
---
// info: what it says before there are bytes is what it says of them
import { tone } from "sounds";
const h = await audio.reverse(tone(0.1, { rate: 8001, channels: 3 })), bad = [];
for (const o of [{}, { depth: 24 }, { depth: 32 }, { float: true }, { rate: 11025 }, { channels: 1, depth: 24 }]) {
  const c = await audio.convert(h, o), before = JSON.stringify(await audio.info(c)), size = c.byteLength, after = JSON.stringify(await audio.info(c)), file = JSON.stringify(await audio.info(await audio.bytes(c)));
  if (before !== after || after !== file || JSON.parse(file).size_bytes !== size) bad.push([before, after, file, size]);
}
return bad; //= []
---
// bytes: the same file every time, and that of a handle is what it is written as
import { tone } from "sounds";
const file = tone(0.1), h = await audio.convert(file), loud = await audio.normalize(file);
return [toHex(await audio.bytes(file)) === toHex(file), toHex(await audio.bytes(h)) === toHex(file), toHex(await audio.bytes(loud)) === toHex(await audio.bytes(loud)), toHex(await audio.bytes(Array.from(file))) === toHex(file), toHex(await audio.bytes(file.buffer)) === toHex(file)]; //= [true, true, true, true, true]
---
// formats: what was written is read, without loss at the same depth
import { tone, wav, floats } from "sounds";
const file = wav(44100, 2, 5000, (i, c) => (i * 7919 + c * 104729) % 65536 - 32768), want = await floats(file), out = [];
for (const o of [{ format: "wav" }, { format: "WAV", depth: 24 }, { float: true }, { format: "flac" }, { format: "flac", depth: 24 }]) {
  const h = await audio.convert(file, o), got = await floats(await audio.bytes(h));
  out.push([h.mimeType, want.every((p, c) => p.every((v, i) => v === got[c][i]))].join());
}
return out; //= ["audio/wav,true", "audio/wav,true", "audio/wav,true", "audio/flac,true", "audio/flac,true"]
---
// formats: opus is in Ogg, at 48 kHz, and as long as what went in
import { tone, near } from "sounds";
const h = await audio.convert(tone(0.5, { channels: 2 }), { format: "opus", bitrate: 96000 }), i = await audio.info(h), st = await audio.stats(await audio.bytes(h));
return [h.mimeType, i.format, i.container, i.codec, i.duration, i.sample_rate, i.channels, near(st.channels[0].rms, 0.3536, 0.02)]; //= ["audio/ogg", "opus", "ogg", "opus", 0.5, 48000, 2, true]
---
// what cannot be written is said before there is a handle
import { ramp } from "sounds";
const out = [];
for (const f of [() => audio.convert(ramp(8), { format: "mp3" }), () => audio.gain(ramp(8), { db: 1, format: 5 }), () => audio.convert(ramp(8), { depth: 12 }), () => audio.convert(ramp(8), { depth: 20 }), () => audio.convert(ramp(8), { format: "flac", float: true }), () => audio.convert(ramp(8), { float: true, depth: 16 }), () => audio.convert(ramp(8), { bitrate: 1 }), () => audio.convert(ramp(8), { format: "opus", bitrate: 500 }), () => audio.gain(ramp(8), { db: 0, format: "opus", bitrate: 1e7 })]) try { await f(); out.push("no error"); } catch (e) { out.push(e.name + " " + e.message.slice(6)); }
return out; //= ["TypeError convert: format must be one of wav, flac, opus, not \"mp3\"","TypeError gain: format must be one of wav, flac, opus, not 5","RangeError convert: depth must be an integer from 16 to 32","TypeError convert: depth must be 16, 24 or 32","TypeError convert: float is for wav","TypeError convert: depth must be 32 with float","RangeError convert: bitrate must be an integer from 500 to 10000000","RangeError convert: could not encode the audio (opus): the bit rate in bits a second is 500, under the limit of 6000","RangeError gain: could not encode the audio (opus): the bit rate in bits a second is 10000000, over the limit of 256000"]
---
// stats
import { wav } from "sounds";
const st = await audio.stats(wav(8000, 2, 4, (i, c) => c ? 16384 : i % 2 ? -32768 : 32767));
return [st.frames, st.duration, st.channels[0].peak, st.channels[0].clipped, st.channels[1]]; //= [4, 0.0005, 1, 4, {"peak": 0.5, "rms": 0.5, "mean": 0.5, "clipped": 0}]
---
// loudness: the tone of EBU Tech 3341, case 1
import { tone, near } from "sounds";
// 50 periods, written a hundred times into a file of 5 seconds, which says the same as 480 000 samples from here.
const part = tone(0.05, { rate: 48000, channels: 2, hz: 1000, level: 32768 * 10 ** (-23 / 20) });
const l = await audio.loudness(await audio.bytes(await audio.repeat(part, { loops: 100 })));
return [near(l.integrated, -23, 0.1), near(l.momentary, -23, 0.1), near(l.shortTerm, -23, 0.1), near(l.truePeak, -23, 0.1), near(l.samplePeak, -23, 0.1), l.range]; //= [true, true, true, true, true, 0]
---
// waveform: extremes and root of the mean square of each bucket
import { wav } from "sounds";
const w = await audio.waveform(wav(8000, 2, 8, (i, c) => c ? 8192 : i < 4 ? 4096 * (i - 1) : -16384), { buckets: 2 });
return [w.buckets, w.duration, w.sample_rate, w.channels.map((c) => [Array.from(c.min), Array.from(c.max), Array.from(c.rms, (x) => Math.round(1000 * x))]), w.channels[0].min instanceof Float32Array, (await audio.waveform(wav(8000, 1, 2, () => 1))).channels[0].min.length]; //= [2, 0.001, 8000, [[[-0.125, -0.5], [0.25, -0.5], [153, 500]], [[0.25, 0.25], [0.25, 0.25], [250, 250]]], true, 800]
---
// spectrum: a sine of full scale has 0 dB at its frequency
import { tone, near } from "sounds";
const s = await audio.spectrum(tone(1, { rate: 8000, hz: 1000, level: 32767 }), { size: 256, window: "blackman-harris" });
return [s.size, s.step, s.levels.length, s.levels.indexOf(Math.max(...s.levels)) * s.step, near(s.levels[32], 0, 0.05), s.levels[64] < -80]; //= [256, 31.25, 129, 1000, true, true]
---
// waveformImage: a tone at half of full scale is half as high as the picture
import { tone } from "sounds";
import { px } from "pixels";
const h = await media.waveformImage(tone(0.5, { channels: 2 }), { width: 100, height: 80, background: "white", color: "#ff0000", rmsColor: "#0000ff", lineColor: "black" });
return [h.width, h.height, h.type, h.mimeType, await px(h, [50, 0], [50, 18], [50, 22], [50, 40], [50, 57], [50, 61], [50, 79])]; //= [100, 80, "image", "image/png", ["255,255,255,255", "255,255,255,255", "255,0,0,255", "0,0,255,255", "255,0,0,255", "255,255,255,255", "255,255,255,255"]]
---
// waveformImage: channels apart, to full height, within a padding, as another format
import { wav } from "sounds";
import { px } from "pixels";
const file = wav(8000, 2, 800, (i, c) => c ? 0 : i % 2 ? 3000 : -3000);
const h = await media.waveformImage(file, { width: 60, height: 100, channels: "split", normalize: true, padding: 10, color: "#ff0000", rmsColor: "#ff0000", lineColor: "#00ff00", format: "webp", lossless: true });
return [h.mimeType, await px(h, [30, 8], [30, 15], [30, 40], [30, 70], [30, 75], [5, 70])]; //= ["image/webp", ["0,0,0,0", "255,0,0,255", "255,0,0,255", "0,255,0,255", "0,0,0,0", "0,0,0,0"]]
---
// waveformImage: sizes and colours that make no sense
import { ramp } from "sounds";
const out = [];
for (const o of [{ width: 0 }, { height: 1.5 }, { width: 20000 }, { padding: 400 }, { color: "no" }, { channels: "left" }, { format: "gif?" }, { width: 16384, height: 16384 }]) try { await media.waveformImage(ramp(8), o); out.push("no error"); } catch (e) { out.push(e.message.slice(21, 90)); }
return out; //= ["width must be an integer from 1 to 16384", "height must be an integer from 1 to 16384", "width must be an integer from 1 to 16384", "a padding of 400 leaves no room in 800×160", "color must be a CSS colour like #ff8000, rgb(255 128 0 / 50%) or toma", "channels must be mixed or split, not \"left\"", "format must be one of png, jpeg, webp, avif, gif, jxl, not \"gif?\"", "16384×16384 exceeds the limit of 33554432 pixels (ImagePixels)"]
---
// references are loaded, by name, by data and from the workspace
//@assets {"tone.wav": "RIFF----"}
//@workspace {"empty.wav": ""}
import { ramp, shape } from "sounds";
const out = [], data = toBase64(ramp(10));
out.push(await shape("data:audio/wav;base64," + data), await shape({ type: "audio", data }));
await workspace.writeBytes("r.wav", ramp(20));
out.push(await shape({ uri: "r.wav" }), await shape(await audio.concat([{ uri: "r.wav" }, ramp(1)])));
for (const v of ["asset://none", "asset://tone.wav", { uri: "empty.wav" }, { type: "image", uri: "r.wav" }]) try { await audio.info(v); out.push("no error"); } catch (e) { out.push(e.message.slice(12, 49)); }
return out; //= ["10 8000 1", "10 8000 1", "20 8000 1", "21 8000 1", "could not read asset://none", "could not decode the audio (unknown):", "audio bytes are empty", "expected audio media, but received im"]
---
// toAsset: with what is known of the type
//@assets {}
import { ramp } from "sounds";
const a = await audio.toAsset(ramp(4), { filename: "r.wav" }), b = await audio.toAsset(await audio.convert(ramp(4), { format: "flac" })), c = await audio.toAsset(new TextEncoder().encode("ID3 and so on"));
return [a.type, a.mimeType, a.metadata.filename, b.mimeType, c.mimeType, (await audio.info(b)).duration]; //= ["audio", "audio/wav", "r.wav", "audio/flac", "audio/mpeg", 0.0005]
---
// toAsset without assets
import { ramp } from "sounds";
await audio.toAsset(ramp(4)); //! denied "audio.toAsset is not available without a context"
---
// what is no sound
const out = [];
for (const v of [undefined, null, 5, "text", true, {}, [], [1, "2"], { length: 2.5 }, () => 1, new Map(), new Date(), new Uint8Array()]) try { await audio.info(v); out.push("no error"); } catch (e) { out.push(e.name + ": " + e.message); }
const rest = out.filter((t) => t !== "TypeError: audio.info: expected media bytes, a media handle, or a media ref");
return [out.length, rest]; //= [13, ["TypeError: audio.info: audio bytes are empty", "DataCloneError: cannot pass a function to the host (at value[0])", "TypeError: audio.info: audio bytes are empty"]]
---
// files that are none, or cut off, and formats that are not there
import { tone } from "sounds";
const file = tone(0.1), text = (s) => new TextEncoder().encode(s), out = [];
for (const v of [text("hello"), file.slice(0, 30), text("fLaC"), text("OggS"), text("FORM0000AIFF"), new Uint8Array([0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70, 0x4d, 0x34, 0x41, 0x20, 0, 0]), text("\x1aE\xdf\xa3")]) try { await audio.convert(v); out.push("no error"); } catch (e) { out.push(e.code + " " + e.message.slice(0, e.message.indexOf(")") + 1)); }
const cut = await audio.info(file.slice(0, 44 + 2000));
return [out, cut.duration * 44100]; //= [["ERR_AUDIO_DECODE audio.convert: could not decode the audio (unknown)", "ERR_AUDIO_DECODE audio.convert: could not decode the audio (wav)", "ERR_AUDIO_DECODE audio.convert: could not decode the audio (flac)", "ERR_AUDIO_DECODE audio.convert: could not decode the audio (unknown)", "ERR_AUDIO_DECODE audio.convert: could not decode the audio (aiff)", "ERR_AUDIO_DECODE audio.convert: could not decode the audio (m4a)", "ERR_AUDIO_DECODE audio.convert: could not decode the audio (unknown)"], 1000]
---
// AAC names what to import
await audio.info(new Uint8Array([0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70, 0x4d, 0x34, 0x41, 0x20, 0, 0])); //! Error "audio.info: could not decode the audio (m4a): this program was built without AAC in MP4; the module quicksand/media/audio/aac has it, under the LGPL"
---
// options that make no sense are named
import { ramp } from "sounds";
const h = await audio.trim(ramp(8)), out = [];
for (const f of [
  () => audio.trim(h, 5), () => audio.trim(h, { start: "1" }), () => audio.trim(h, { end: NaN }), () => audio.trim(h, { end: -1 }), () => audio.gain(h), () => audio.gain(h, { db: 201 }), () => audio.gain(h, { db: "x" }),
  () => audio.fadeIn(h, { duration: -1 }), () => audio.fadeIn(h, { duration: Infinity }), () => audio.fadeOut(h, { curve: "steep" }), () => audio.normalize(h, { peak: 1 }), () => audio.normalizeLoudness(h, { lufs: 5 }), () => audio.normalizeLoudness(h, { peak: -30 }),
  () => audio.pad(h, { start: -1 }), () => audio.pad(h, { end: 1e9 }), () => audio.silence({ duration: -1 }), () => audio.silence({ rate: 0 }), () => audio.silence({ rate: 1e6 }), () => audio.silence({ channels: 9 }), () => audio.silence(5),
  () => audio.speed(h), () => audio.speed(h, { factor: 0 }), () => audio.speed(h, { factor: 20 }), () => audio.resample(h), () => audio.resample(h, { rate: 1.5 }), () => audio.resample(h, { rate: 8000, quality: "best" }), () => audio.convert(h, { channels: 0 }),
  () => audio.waveform(h, { buckets: 0 }), () => audio.waveform(h, { buckets: 1e6 }), () => audio.spectrum(h, { size: 100 }), () => audio.spectrum(h, { size: 8 }), () => audio.spectrum(h, { window: "x" }),
  () => audio.mix([h], { mode: "max" }), () => audio.mix([h, { audio: h, gain: 1e9 }]), () => audio.mix([{ audio: h, start: -1 }]), () => audio.release(5), () => audio.concat(Array.from({ length: 1001 }, () => h)), () => audio.concat(Array(100000).fill(h)), () => audio.mix(Array(5000).fill(h)), () => audio.merge({ length: 3 }),
]) try { await f(); out.push("no error: " + f); } catch (e) { out.push(e.message.slice(6)); }
return out.map((t) => t.slice(0, 70)); //= ["trim: options must be an object, not the number 5","trim: start must be a finite number","trim: end must be a finite number","trim: end must be after start","gain: pass db, the gain in decibels","gain: db must be from -200 to 200, not 201","gain: db must be a finite number","fadeIn: duration must be from 0 to 86400, not -1","fadeIn: duration must be a finite number","fadeOut: curve must be linear, equal-power, exponential or s-curve, no","normalize: peak must be from -200 to 0, not 1","normalizeLoudness: lufs must be from -70 to 0, not 5","normalizeLoudness: peak must be from -20 to 0, not -30","pad: start must be from 0 to 86400, not -1","pad: end must be from 0 to 86400, not 1000000000","silence: duration must be from 0 to 86400, not -1","silence: rate must be an integer from 1 to 768000","silence: rate must be an integer from 1 to 768000","silence: channels must be an integer from 1 to 8","silence: options must be an object, not the number 5","speed: pass factor: 2 is twice as fast","speed: factor must be from 0.1 to 10, not 0","speed: factor must be from 0.1 to 10, not 20","resample: pass rate, in Hz","resample: rate must be an integer from 1 to 768000","resample: quality must be high, medium or fast, not \"best\"","convert: channels must be an integer from 1 to 8","waveform: buckets must be an integer from 1 to 100000","waveform: buckets must be an integer from 1 to 100000","spectrum: size must be a power of 2 from 16 to 65536","spectrum: size must be an integer from 16 to 65536","spectrum: window must be hann, blackman-harris or rectangular, not \"x\"","mix: mode must be average or sum, not \"max\"","mix: audio 1: gain must be from -200 to 200, not 1000000000","mix: audio 0: start must be from 0 to 86400, not -1","release: pass a handle","concat: 1001 audios: at most 1000 audios per call (AudioInputs)","concat: 100000 audios: at most 1000 audios per call (AudioInputs)","mix: 5000 audios: at most 1000 audios per call (AudioInputs)","merge: pass an array of sounds, as in audio.merge([a, b])"]
