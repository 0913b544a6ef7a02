// the zoo of WAV files: every width and header has the right length and peak, or a named error
const chunk = (id, data, size = data.length) => {
  const b = new Uint8Array(8 + data.length + data.length % 2), d = new DataView(b.buffer);
  for (let i = 0; i < 4; i++) b[i] = id.charCodeAt(i);
  d.setUint32(4, size, true);
  b.set(data, 8);
  return b;
};
const join = (...parts) => { const b = new Uint8Array(parts.reduce((n, p) => n + p.length, 0)); let at = 0; for (const p of parts) { b.set(p, at); at += p.length; } return b; };
const ascii = (s) => Uint8Array.from(s, (c) => c.charCodeAt(0));
const riff = (...chunks) => { const body = join(ascii("WAVE"), ...chunks); return join(chunk("RIFF", body)); };
const fmt = (tag, bits, extra = [], channels = 1, rate = 8000) => {
  const b = new Uint8Array(16 + extra.length), d = new DataView(b.buffer), width = Math.ceil(bits / 8);
  d.setUint16(0, tag, true); d.setUint16(2, channels, true); d.setUint32(4, rate, true); d.setUint32(8, rate * channels * width, true); d.setUint16(12, channels * width, true); d.setUint16(14, bits, true);
  b.set(extra, 16);
  return chunk("fmt ", b);
};
const extensible = (sub, valid) => [22, 0, valid, 0, 4, 0, 0, 0, sub, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71];
// A hundred frames, the loudest of which is half of full scale below zero.
const samples = (n, write) => { const b = new Uint8Array(100 * n), d = new DataView(b.buffer); for (let i = 0; i < 100; i++) write(d, i * n, i === 50 ? -0.5 : 0.25); return b; };
const u8 = samples(1, (d, at, v) => d.setUint8(at, 128 + 128 * v)), s16 = samples(2, (d, at, v) => d.setInt16(at, 32768 * v, true));
const s24 = samples(3, (d, at, v) => { const x = v * 2 ** 23; d.setUint8(at, x & 255); d.setUint8(at + 1, x >> 8 & 255); d.setUint8(at + 2, x >> 16 & 255); });
const s32 = samples(4, (d, at, v) => d.setInt32(at, v * 2 ** 31, true)), f32 = samples(4, (d, at, v) => d.setFloat32(at, v, true)), f64 = samples(8, (d, at, v) => d.setFloat64(at, v, true));
const data = (b) => chunk("data", b);
const rf64 = () => {
  const ds64 = new Uint8Array(28), d = new DataView(ds64.buffer);
  d.setUint32(8, 200, true); d.setUint32(16, 100, true);
  const file = riff(chunk("ds64", ds64), fmt(1, 16), chunk("data", s16, 0xffffffff));
  file.set(ascii("RF64")); file.fill(255, 4, 8);
  return file;
};
const zoo = {
  "fmt 16": riff(fmt(1, 16), data(s16)), "fmt 18": riff(fmt(1, 16, [0, 0]), data(s16)), "fmt 40": riff(fmt(0xfffe, 16, extensible(1, 16)), data(s16)),
  "8 bits": riff(fmt(1, 8), data(u8)), "24 bits": riff(fmt(1, 24), data(s24)), "32 bits": riff(fmt(1, 32), data(s32)), "24 of 32 bits": riff(fmt(0xfffe, 32, extensible(1, 24)), data(s32)),
  "float 32": riff(fmt(3, 32, [0, 0]), data(f32)), "float 64": riff(fmt(3, 64), data(f64)), "extensible float": riff(fmt(0xfffe, 32, extensible(3, 32)), data(f32)),
  "JUNK before fmt": riff(chunk("JUNK", new Uint8Array(27)), fmt(1, 16), data(s16)), "odd LIST": riff(fmt(1, 16), chunk("LIST", ascii("INFOx")), data(s16)), "LIST behind": riff(fmt(1, 16), data(s16), chunk("LIST", ascii("INFO"))),
  "data of 0xffffffff": riff(fmt(1, 16), chunk("data", s16, 0xffffffff)), "data of 0": riff(fmt(1, 16), chunk("data", s16, 0)), "RF64": rf64(),
};
const bad = [];
for (const [name, file] of Object.entries(zoo)) {
  const i = await audio.info(file), st = await audio.stats(file);
  if (i.duration !== 0.0125 || st.frames !== 100 || st.channels[0].peak !== 0.5 || i.format !== "wav") bad.push([name, i.duration, st.frames, st.channels[0].peak, i.codec]);
}
const errors = [];
for (const file of [riff(fmt(85, 16), data(s16)), riff(data(s16)), riff(fmt(1, 16)), riff(fmt(1, 16, [], 0), data(s16)), riff(fmt(1, 16, [], 9), data(s16))]) try { const i = await audio.info(file); errors.push("no error " + JSON.stringify(i)); } catch (e) { errors.push(e.code + " " + e.message.slice(44)); }
return [bad, errors]; //= [[], ["ERR_AUDIO_DECODE : MP3 in WAV is not supported","ERR_AUDIO_DECODE : the file has no fmt chunk","ERR_AUDIO_DECODE : the file has no data chunk","ERR_AUDIO_DECODE : the number of channels is 0, under the limit of 1 (AudioChannels)","ERR_AUDIO_DECODE : the number of channels is 9, over the limit of 8 (AudioChannels)"]]
---
// junk before an MP3: zeros, an ID3v2 tag with a picture, and an ID3v1 tag behind it
const frame = new Uint8Array(417);
frame.set([0xff, 0xfb, 0x90, 0xc4]); // 128 kbit/s, 44.1 kHz, mono, and nothing in it
const picture = new Uint8Array(3000).fill(0xff);
picture.set([0x41, 0x50, 0x49, 0x43, 0, 0, 0x0b, 0x6e, 0, 0, 0]); // APIC
const tag = new Uint8Array(10 + 3000);
tag.set([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0x17, 0x38]);
tag.set(picture, 10);
const id3v1 = new Uint8Array(128);
id3v1.set([0x54, 0x41, 0x47]);
const join = (...parts) => { const b = new Uint8Array(parts.reduce((n, p) => n + p.length, 0)); let at = 0; for (const p of parts) { b.set(p, at); at += p.length; } return b; };
const frames = Array.from({ length: 20 }, () => frame), zeros = new Uint8Array(1024), out = [];
for (const file of [join(...frames), join(zeros, ...frames), join(tag, ...frames), join(tag, zeros, ...frames, id3v1), join(zeros, tag, ...frames, id3v1)]) {
  const i = await audio.info(file), st = await audio.stats(file);
  out.push([i.format, i.codec, i.sample_rate, i.channels, Math.round(i.duration * 44100), st.frames, st.channels[0].peak].join(" "));
}
return [...new Set(out)]; //= ["mp3 mp3 44100 1 23040 23040 0"]
