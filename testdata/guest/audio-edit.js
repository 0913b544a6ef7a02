// trim: from the floor of the start to the ceiling of the end
import { ramp, ints } from "sounds";
const h = ramp(8), out = [];
for (const o of [undefined, {}, { start: 2 / 8000 }, { end: 3 / 8000 }, { start: 2.5 / 8000, end: 3.5 / 8000 }, { start: -5, end: 1e9 }]) out.push((await ints(await audio.trim(h, o))).map((v) => v / 100).join(""));
return out; //= ["12345678", "12345678", "345678", "123", "34", "12345678"]
---
// trim: an end before the start
import { ramp } from "sounds";
await audio.trim(ramp(8000), { start: 0.5, end: 0.5 }); //! RangeError "audio.trim: end must be after start"
---
// trim and concat: a quarter of a second twice, and the middle of it
import { tone, near } from "sounds";
const a = tone(0.25, { rate: 8000 });
const i = await audio.info(await audio.trim(await audio.concat([a, a]), { start: 0.1, end: 0.4 }));
return [near(i.duration, 0.3, 1e-9), i.sample_rate, i.channels, i.format]; //= [true, 8000, 1, "wav"]
---
// concat: mono at 44.1 kHz and stereo at 48 kHz become stereo at 44.1 kHz, two seconds
import { tone, shape } from "sounds";
const both = await audio.concat([tone(1), tone(1, { rate: 48000, channels: 2 })]);
return [await shape(both), await shape(await audio.trim(both, { start: 0.25, end: 0.75 }))]; //= ["88200 44100 2", "22050 44100 2"]
---
// concat: mono is on both sides, and the tone goes on at its level
import { tone, floats } from "sounds";
const both = await audio.concat([tone(0.2), tone(0.2, { rate: 48000, channels: 2, level: 8192 })]);
const st = await audio.stats(await audio.trim(both, { start: 0.25, end: 0.35 }));
const [l, r] = await floats(both);
return [l.every((x, i) => x === r[i]), Math.round(1000 * st.channels[0].rms), Math.round(1000 * st.channels[1].rms)]; //= [true, 177, 177]
---
// mix: the mean, as long as the longest
import { wav, ints } from "sounds";
const a = wav(8000, 1, 4, () => 1000), b = wav(8000, 1, 2, () => 3000);
return [await ints(await audio.mix([a, b])), await ints(await audio.mix([a])), await ints(await audio.mix([a, b], { mode: "sum" }))]; //= [[2000, 2000, 500, 500], [1000, 1000, 1000, 1000], [4000, 4000, 1000, 1000]]
---
// mix: gains and starts
import { wav, ints } from "sounds";
const a = wav(8000, 1, 3, () => 1000), b = wav(8000, 1, 2, () => 10000);
return [await ints(await audio.mix([a, { audio: b, gain: -20, start: 2 / 8000 }], { mode: "sum" })), await ints(await audio.mix([{ audio: await audio.gain(a, { db: 20 }) }, { audio: b }]))]; //= [[1000, 1000, 2000, 1000], [10000, 10000, 5000]]
---
// mix: a sum that is too loud is limited softly, unless that is not wanted
import { tone } from "sounds";
const a = tone(0.5, { level: 30000 });
const soft = await audio.loudness(await audio.mix([a, a], { mode: "sum" })), hard = await audio.loudness(await audio.mix([a, a], { mode: "sum", limit: false }));
return [soft.truePeak <= -0.99, soft.truePeak > -1.5, Math.round(10 * hard.samplePeak) / 10]; //= [true, true, 5.3]
---
// one value that is no list is explained
import { ramp } from "sounds";
const h = await audio.trim(ramp(8)), out = [];
for (const f of [() => audio.concat(h), () => audio.mix(h), () => audio.merge(ramp(8)), () => audio.concat(), () => audio.concat([]), () => audio.mix([]), () => audio.mix([{ gain: 1 }]), () => audio.mix([h, { audio: 5 }])]) try { await f(); out.push("no error"); } catch (e) { out.push(e.name + ": " + e.message); }
return out; //= ["TypeError: audio.concat: pass an array of sounds, as in audio.concat([a, b])","TypeError: audio.mix: pass an array of sounds, as in audio.mix([a, b])","TypeError: audio.merge: pass an array of sounds, as in audio.merge([a, b])","TypeError: audio.concat: pass an array of sounds, as in audio.concat([a, b])","TypeError: audio.concat: at least one audio input is required","TypeError: audio.mix: at least one audio input is required","TypeError: audio.mix: audio 0: expected media bytes, a media handle, or a media ref","TypeError: audio.mix: audio 1: expected media bytes, a media handle, or a media ref"]
---
// reverse: frames, not samples
import { wav, ints } from "sounds";
const h = await audio.reverse(wav(8000, 2, 3, (i, c) => 10 * i + c));
return [await ints(h, 0), await ints(h, 1)]; //= [[20, 10, 0], [21, 11, 1]]
---
// fades: the first and the last frame are silent
import { wav, ints } from "sounds";
const h = wav(8000, 1, 8, () => 8000);
return [await ints(await audio.fadeIn(h, { duration: 4 / 8000 })), await ints(await audio.fadeOut(h, { duration: 4 / 8000 }))]; //= [[0, 2000, 4000, 6000, 8000, 8000, 8000, 8000], [8000, 8000, 8000, 8000, 6000, 4000, 2000, 0]]
---
// fades longer than the clip: capped at it, and symmetric
import { wav, ints, tone, floats } from "sounds";
const h = wav(8000, 1, 4000, () => 8000);
const i = await ints(await audio.fadeIn(h, { duration: 2 })), o = await ints(await audio.fadeOut(h, { duration: 2 })), standard = await ints(await audio.fadeIn(h));
return [i[0], i[2000], i[3999], o.reverse().join() === i.join(), standard.join() === i.join()]; //= [0, 4000, 7998, true, true]
---
// fades: curves
import { wav, ints } from "sounds";
const h = wav(8000, 1, 8, () => 8000), out = [];
for (const curve of ["linear", "equal-power", "exponential", "s-curve"]) out.push((await ints(await audio.fadeIn(h, { duration: 8 / 8000, curve })))[4]);
return out; //= [4000, 5657, 245, 4000]
---
// repeat: so many plays in all
import { ramp, ints } from "sounds";
const h = ramp(2);
return [(await ints(await audio.repeat(h))).join(), (await ints(await audio.repeat(h, { loops: 1 }))).join(), (await ints(await audio.repeat(h, { loops: 3 }))).length]; //= ["100,200,100,200", "100,200", 6]
---
// repeat: not more than 100 times
import { ramp } from "sounds";
const out = [];
for (const loops of [0, 101, 1.5, -1, "2", NaN, null]) try { await audio.repeat(ramp(2), { loops }); out.push("no error"); } catch (e) { out.push(e.message.slice(14)); }
return out; //= ["loops must be an integer from 1 to 100", "loops must be an integer from 1 to 100", "loops must be an integer from 1 to 100", "loops must be an integer from 1 to 100", "loops must be a finite number", "loops must be a finite number", "loops must be a finite number"]
---
// normalize: to full scale, or to a peak
import { wav, floats, near } from "sounds";
const h = wav(8000, 2, 3, (i, c) => c ? -8192 : 4096 * i);
const peak = async (h) => (await audio.stats(h)).channels.map((c) => c.peak);
const full = await peak(await audio.normalize(h)), half = await peak(await audio.normalize(h, { peak: -6.0206 }));
return [near(full[0], 1), near(full[1], 1), near(half[0], 0.5, 1e-5), near(half[1], 0.5, 1e-5)]; //= [true, true, true, true]
---
// normalize: silence stays as it is
return (await audio.stats(await audio.normalize(await audio.silence({ duration: 0.01 })))).channels[0].peak; //= 0
---
// normalize: a file of floats becomes 16 bits
import { tone } from "sounds";
const f = await audio.bytes(await audio.convert(tone(0.1), { float: true }));
return [(await audio.info(f)).codec, (await audio.info(await audio.normalize(f))).codec]; //= ["pcm-f32", "pcm-s16"]
---
// gain: −6 dB and +6 dB is nothing, and a chain is exact
import { tone, floats, wav } from "sounds";
const file = wav(44100, 2, 20000, (i, c) => (i * 7919 + c * 104729) % 65536 - 32768);
let a = await audio.trim(file, { start: 0, end: 0.2 }), b = await audio.trim(file, { start: 0.2 });
[a, b] = [await audio.gain(await audio.gain(a, { db: -6 }), { db: 6 }), await audio.gain(await audio.gain(b, { db: -6 }), { db: 6 })];
const whole = await audio.concat([a, b]);
const x = await floats(file), y = await floats(whole);
return [x.length, x.every((p, c) => p.length === y[c].length && p.every((v, i) => v === y[c][i])), toHex(await audio.bytes(whole)) === toHex(file)]; //= [2, true, true]
---
// nothing is clipped between steps
import { tone, floats } from "sounds";
const file = tone(0.05, { level: 30000 });
const there = await audio.reverse(await audio.gain(file, { db: 40 })), back = await audio.reverse(await audio.gain(there, { db: -40 }));
const x = (await floats(file))[0], y = (await floats(back))[0];
return x.every((v, i) => Math.abs(v - y[i]) < 1e-6); //= true
---
// pad and silence
import { ramp, ints } from "sounds";
const i = await audio.info(await audio.silence()), j = await audio.info(await audio.silence({ duration: 0, rate: 16000, channels: 3 }));
return [(await ints(await audio.pad(ramp(2), { start: 1 / 8000, end: 2 / 8000 }))).join(), i.duration, i.sample_rate, i.channels, j.duration, j.sample_rate, j.channels, j.size_bytes]; //= ["0,100,200,0,0", 1, 44100, 1, 0, 16000, 3, 68]
---
// speed changes the length and the pitch
import { tone, shape } from "sounds";
const h = await audio.speed(tone(1, { rate: 8000, hz: 500 }), { factor: 2 });
const s = await audio.spectrum(h, { size: 1024 });
return [await shape(h), Math.round(s.levels.indexOf(Math.max(...s.levels)) * s.step)]; //= ["4000 8000 1", 1000]
---
// resample keeps the tone and its level
import { tone, shape } from "sounds";
const out = [];
for (const quality of [undefined, "medium", "fast"]) {
  const h = await audio.resample(tone(0.5, { hz: 1000 }), { rate: 48000, quality });
  const st = await audio.stats(await audio.trim(h, { start: 0.1, end: 0.4 }));
  out.push(await shape(h), Math.round(10000 * st.channels[0].rms));
}
return out; //= ["24000 48000 1", 3536, "24000 48000 1", 3536, "24000 48000 1", 3536]
---
// convert: rate, channels and both, of files and of handles
import { tone, shape } from "sounds";
const file = tone(0.5, { channels: 2 }), h = await audio.reverse(file), out = [];
for (const x of [file, h]) for (const o of [{}, { rate: 22050 }, { channels: 1 }, { rate: 48000, channels: 4 }]) {
  const c = await audio.convert(x, o);
  out.push(await shape(c), await shape(await audio.reverse(c)));
}
const twice = await audio.convert(await audio.convert(file, { rate: 8000 }), { rate: 16000, channels: 1 });
return [out.filter((s, i) => i % 2 && s !== out[i - 1]), out.filter((_, i) => i % 2 === 0), await shape(twice), await shape(await audio.trim(twice, { end: 0.25 }))]; //= [[], ["22050 44100 2", "11025 22050 2", "22050 44100 1", "24000 48000 4", "22050 44100 2", "11025 22050 2", "22050 44100 1", "24000 48000 4"], "8000 16000 1", "4000 16000 1"]
---
// convert: what comes in blocks is what comes of the whole
import { tone, floats, near } from "sounds";
const file = tone(1.5, { channels: 2, hz: 3000 }), o = { rate: 32000, channels: 1 };
const lazy = await audio.convert(file, o), x = await floats(lazy), y = await floats(await audio.gain(lazy, { db: 0 }));
return [x[0].length, x[0].every((v, i) => near(v, y[0][i]))]; //= [48000, true]
---
// split and merge
import { wav, ints, shape } from "sounds";
const file = wav(8000, 2, 3, (i, c) => 10 * i + c), [l, r] = await audio.split(file), back = await audio.merge([r, l, r]);
return [await ints(l), await ints(r), await shape(back), await ints(back, 1), (await audio.split(back)).length]; //= [[0, 10, 20], [1, 11, 21], "3 8000 3", [0, 10, 20], 3]
---
// merge: not more channels than there can be
import { ramp } from "sounds";
await audio.merge(Array.from({ length: 9 }, () => ramp(2))); //! limit "audio.merge: the number of channels is 9, over the limit of 8 (AudioChannels)"
---
// normalizeLoudness: −16 LUFS, or what is asked for, and never over the peak
import { tone } from "sounds";
const h = tone(3, { hz: 997, level: 3000 }), out = [];
for (const o of [undefined, { lufs: -23 }, { lufs: -6 }]) { const l = await audio.loudness(await audio.normalizeLoudness(h, o)); out.push(Math.round(10 * l.integrated) / 10, l.truePeak <= -0.9); }
return out; //= [-16, true, -23, true, -6, true]
---
// normalizeLoudness: silence stays as it is
const l = await audio.loudness(await audio.normalizeLoudness(await audio.silence()));
return [l.integrated === -Infinity, l.truePeak === -Infinity]; //= [true, true]
