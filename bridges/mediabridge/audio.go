package mediabridge

import (
	_ "embed"
	"runtime"

	"quicksand/bridges"
	"quicksand/media/audio"
	_ "quicksand/media/audio/flac"
	_ "quicksand/media/audio/mp3"
	_ "quicksand/media/audio/ogg"
)

//go:embed audio.js
var audioScript string

func audioParam(name string) bridges.Param {
	return bridges.Param{Name: name, Doc: "a handle, a reference or the bytes of a file"}
}

var audiosParam = bridges.Param{Name: "audios", Doc: "an array of handles, references or bytes of files"}

// writing is what all functions that make sound say of their options.
const writing = "; with format (wav, flac, opus), depth, float, dither and bitrate"

// Audio is audio.* and media.waveformImage. It needs no grant.
var Audio = &bridges.Bridge{
	Name: "audio", Doc: "sounds: decode, edit, measure, encode",
	Always:      true,
	Concurrency: 2 * runtime.GOMAXPROCS(0),
	Script:      audioScript,
	Limits:      []bridges.Limit{audioBytesLimit, audioRateLimit, audioChannelLimit, audioDurationLimit, audioInputLimit, audioGainLimit, audioBucketLimit},
	Funcs: []bridges.Func{
		{Name: "audio.bytes", Doc: "gives the encoded bytes", Result: "a Uint8Array",
			Params: []bridges.Param{audioParam("audio")}, Call: hearing(audioBytes)},
		{Name: "audio.toAsset", Doc: "keeps a sound as an asset", Result: "a reference",
			Params: []bridges.Param{audioParam("audio"), optionsParam}, Call: hearing(audioToAsset)},
		{Name: "audio.info", Doc: "reads the header; of a chain of Ogg files that of the first, which is all that is read", Result: "{ format, container, codec, duration, channels, sample_rate, depth, bitrate, size_bytes }",
			Params: []bridges.Param{audioParam("audio")}, Call: hearing(audioInfo)},
		{Name: "audio.stats", Doc: "measures the samples of each channel", Result: "{ frames, duration, channels: [{ peak, rms, mean, clipped }] }",
			Params: []bridges.Param{audioParam("audio")}, Call: hearing(audioStats)},
		{Name: "audio.loudness", Doc: "measures as EBU R 128 does, in LUFS, LU, dBTP and dBFS", Result: "{ integrated, range, momentary, shortTerm, truePeak, samplePeak }",
			Params: []bridges.Param{audioParam("audio")}, Call: hearing(audioLoudness)},
		{Name: "audio.waveform", Doc: "gives the extremes of so many buckets, to draw them", Result: "{ buckets, duration, sample_rate, channels: [{ min, max, rms }] }, of Float32Arrays",
			Params: []bridges.Param{audioParam("audio"), optionsParam}, Call: hearing(audioWaveform)},
		{Name: "audio.spectrum", Doc: "gives the mean level of each frequency in dB, by size and window (hann, blackman-harris, rectangular)", Result: "{ size, step, levels }",
			Params: []bridges.Param{audioParam("audio"), optionsParam}, Call: hearing(audioSpectrum)},
		{Name: "audio.normalize", Doc: "takes the peak to full scale, or to peak decibels" + writing, Result: "a handle",
			Params: []bridges.Param{audioParam("audio"), optionsParam}, Call: sounding(audioNormalize)},
		{Name: "audio.normalizeLoudness", Doc: "takes the loudness to lufs (-16), with a true peak of at most peak (-1) dBTP" + writing, Result: "a handle",
			Params: []bridges.Param{audioParam("audio"), optionsParam}, Call: sounding(audioNormalizeLoudness)},
		{Name: "audio.gain", Doc: "makes louder by db decibels, or quieter" + writing, Result: "a handle",
			Params: []bridges.Param{audioParam("audio"), optionsParam}, Call: sounding(audioGain)},
		{Name: "audio.trim", Doc: "cuts out what is from start to end seconds" + writing, Result: "a handle",
			Params: []bridges.Param{audioParam("audio"), optionsParam}, Call: sounding(audioTrim)},
		{Name: "audio.concat", Doc: "joins sounds one after the other, at the rate of the first" + writing, Result: "a handle",
			Params: []bridges.Param{audiosParam, optionsParam}, Call: sounding(audioConcat)},
		{Name: "audio.mix", Doc: "adds sounds, or objects { audio, gain, start }, and divides by their number; mode sum does not, and limits the peaks (limit)" + writing, Result: "a handle",
			Params: []bridges.Param{audiosParam, optionsParam}, Call: sounding(audioMix)},
		{Name: "audio.reverse", Doc: "plays from the end" + writing, Result: "a handle",
			Params: []bridges.Param{audioParam("audio"), optionsParam}, Call: sounding(audioReverse)},
		{Name: "audio.fadeIn", Doc: "fades in over duration (1) seconds, by curve (linear, equal-power, exponential, s-curve)" + writing, Result: "a handle",
			Params: []bridges.Param{audioParam("audio"), optionsParam}, Call: sounding(audioFadeIn)},
		{Name: "audio.fadeOut", Doc: "fades out, as fadeIn" + writing, Result: "a handle",
			Params: []bridges.Param{audioParam("audio"), optionsParam}, Call: sounding(audioFadeOut)},
		{Name: "audio.repeat", Doc: "plays loops (2) times" + writing, Result: "a handle",
			Params: []bridges.Param{audioParam("audio"), optionsParam}, Call: sounding(audioRepeat)},
		{Name: "audio.pad", Doc: "adds start and end seconds of silence" + writing, Result: "a handle",
			Params: []bridges.Param{audioParam("audio"), optionsParam}, Call: sounding(audioPad)},
		{Name: "audio.silence", Doc: "makes silence of duration (1) seconds, rate (44100) and channels (1)" + writing, Result: "a handle",
			Params: []bridges.Param{optionsParam}, Call: sounding(audioSilence)},
		{Name: "audio.speed", Doc: "plays factor times as fast, with the pitch" + writing, Result: "a handle",
			Params: []bridges.Param{audioParam("audio"), optionsParam}, Call: sounding(audioSpeed)},
		{Name: "audio.resample", Doc: "changes the rate, by quality (high, medium, fast)" + writing, Result: "a handle",
			Params: []bridges.Param{audioParam("audio"), optionsParam}, Call: sounding(audioResample)},
		{Name: "audio.convert", Doc: "changes rate and channels, where they are given, and encodes" + writing, Result: "a handle",
			Params: []bridges.Param{audioParam("audio"), optionsParam}, Call: sounding(audioConvert)},
		{Name: "audio.split", Doc: "makes a sound of each channel" + writing, Result: "handles",
			Params: []bridges.Param{audioParam("audio"), optionsParam}, Call: hearing(audioSplit)},
		{Name: "audio.merge", Doc: "makes one sound of the channels of several" + writing, Result: "a handle",
			Params: []bridges.Param{audiosParam, optionsParam}, Call: sounding(audioMerge)},
		{Name: "audio.release", Doc: "gives up a handle before the run ends", Result: "whether there was one", Quick: true,
			Params: []bridges.Param{{Name: "handle"}}, Call: hearing(audioRelease)},
		{Name: "media.waveformImage", Doc: "draws a sound: width (800), height (160), color, rmsColor, lineColor, background, channels (mixed, split), normalize, padding; with format and quality of pictures", Result: "a handle of a picture",
			Params: []bridges.Param{audioParam("audio"), optionsParam}, Call: hearing(waveformImage)},
	},
}

func init() { bridges.Register(Audio) }

var (
	audioBytesLimit    = fixed("AudioBytes", "bytes", audio.MaxEncoded, "one encoded sound that is read or written, where RunMedia is not less")
	audioRateLimit     = fixed("AudioRate", "Hz", audio.MaxRate, "sampling rate of a sound")
	audioChannelLimit  = fixed("AudioChannels", "channels", audio.MaxChannels, "channels of a sound")
	audioDurationLimit = fixed("AudioDuration", "seconds", audio.MaxSeconds, "duration of a sound")
	audioInputLimit    = fixed("AudioInputs", "sounds", audio.MaxInputs, "inputs of audio.concat, audio.mix and audio.merge")
	audioGainLimit     = fixed("AudioGain", "decibels", audio.MaxGain, "gain of one step, louder or quieter")
	audioBucketLimit   = fixed("AudioBuckets", "buckets", audio.MaxBuckets, "buckets of audio.waveform")
)
