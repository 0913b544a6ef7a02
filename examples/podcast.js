// An episode of a podcast: a jingle, a voice and music under it, cut, faded, mixed and brought
// to −16 LUFS, as WAV, FLAC and Opus with a picture of its waveform. The program moves handles;
// samples stay on the host, as floats, until the files are written.
//
//   go run ./examples/recordings /tmp/podcast
//   quicksand run examples/podcast.js --workspace /tmp/podcast

const seconds = (x) => Math.round(x * 1000) / 1000;

// speech finds where a recording begins and ends to be louder than the room.
async function speech(recording, { threshold = 0.01, margin = 0.15 } = {}) {
  const { duration, buckets, channels: [{ rms }] } = await audio.waveform(recording, { buckets: 2000 });
  const loud = (v) => v > threshold;
  const first = rms.findIndex(loud), last = rms.findLastIndex(loud);
  if (first < 0) throw new Error("the recording is silent");
  return { start: (first / buckets) * duration - margin, end: ((last + 1) / buckets) * duration + margin };
}

const sources = { intro: { uri: "intro.wav" }, voice: { uri: "voice.flac" }, music: { uri: "music.opus" } };
for (const [name, source] of Object.entries(sources)) {
  const i = await audio.info(source);
  console.log("%s: %s, %d Hz, %d channels, %d s", name, i.codec, i.sample_rate, i.channels, seconds(i.duration));
}
progress(10, "recordings");

// The jingle ends under the first words.
const intro = await audio.fadeOut(await audio.trim(sources.intro, { end: 6 }), { duration: 2.5, curve: "equal-power" });

// The voice without the silence around it, at one loudness.
const spoken = await speech(sources.voice);
let voice = await audio.trim(sources.voice, spoken);
voice = await audio.fadeIn(voice, { duration: 0.05 });
voice = await audio.fadeOut(voice, { duration: 0.2 });
voice = await audio.normalizeLoudness(voice, { lufs: -18 });
const { duration } = await audio.info(voice);
progress(40, "voice");

// Music as long as the voice and some seconds more.
const tail = 5;
const { duration: bar } = await audio.info(sources.music);
let bed = await audio.repeat(sources.music, { loops: Math.ceil((duration + tail) / bar) });
bed = await audio.trim(bed, { end: duration + tail });
bed = await audio.fadeIn(bed, { duration: 2, curve: "s-curve" });
bed = await audio.fadeOut(bed, { duration: tail, curve: "s-curve" });
progress(60, "music");

const mix = await audio.mix([
  { audio: intro, gain: -3 },
  { audio: voice, start: 5 },
  { audio: bed, start: 4, gain: -10 },
], { mode: "sum" });
const episode = await audio.normalizeLoudness(mix, { lufs: -16, peak: -1 });
progress(80, "mix");

const files = {
  "episode.wav": await audio.convert(episode, { depth: 24 }),
  "episode.flac": await audio.convert(episode, { format: "flac" }),
  "episode.opus": await audio.convert(episode, { format: "opus", rate: 48000, bitrate: 96000 }),
  "episode.png": await media.waveformImage(episode, { width: 1200, height: 300, padding: 16, background: "#fbfaf7", color: "#2b6f77", rmsColor: "#7fb7b5", lineColor: "#2b6f7780", channels: "split", normalize: true }),
};
const sizes = {};
for (const [name, handle] of Object.entries(files)) {
  const bytes = handle.type === "image" ? await image.bytes(handle) : await audio.bytes(handle);
  await workspace.writeBytes(name, bytes);
  sizes[name] = bytes.length;
}
progress(100, "files");

const info = await audio.info(episode);
const loudness = await audio.loudness(episode);
return {
  duration: seconds(info.duration),
  rate: info.sample_rate,
  channels: info.channels,
  voice: { from: seconds(spoken.start), to: seconds(spoken.end) },
  lufs: Math.round(loudness.integrated * 10) / 10,
  range: Math.round(loudness.range * 10) / 10,
  truePeak: Math.round(loudness.truePeak * 10) / 10,
  sizes,
};
