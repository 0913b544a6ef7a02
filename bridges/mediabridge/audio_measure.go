package mediabridge

import (
	"strings"

	"quicksand/bridges"
	"quicksand/bridges/assets"
	"quicksand/media"
	"quicksand/media/audio"
)

// encoded is a sound's file, and what is known of its type.
func (k *soundCall) encoded(v bridges.Value) (data []byte, mime string, err error) {
	in, err := k.file(v, "")
	if err != nil {
		return nil, "", err
	}
	return in.encoded(k.ctx)
}

func audioBytes(k *soundCall) (any, error) {
	data, _, err := k.encoded(k.Arg(0))
	if err != nil {
		return nil, err
	}
	return k.give(data)
}

func audioToAsset(k *soundCall) (any, error) {
	data, mime, err := k.encoded(k.Arg(0))
	if err != nil {
		return nil, err
	}
	return assets.Save(k.ctx, k.Session, k.op, string(media.Audio), mime, data, k.Options(1))
}

func audioInfo(k *soundCall) (any, error) {
	in, err := k.file(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	data := in.data
	if in.item != nil {
		if t, ok := in.item.Content.(*track); ok && t.out.format == audio.WAV {
			info, size, err := t.wav(k.ctx)
			if err != nil {
				return nil, err
			}
			return describeSound(info, size), nil
		}
		if data, err = in.item.Content.Bytes(k.ctx); err != nil {
			return nil, err
		}
	}
	s, err := audio.Open(data, room{k.store})
	if err != nil {
		return nil, err
	}
	info := s.Info()
	// Only where the header does not tell is the file gone through.
	if info.Frames, err = s.Frames(k.ctx); err != nil {
		return nil, err
	}
	return describeSound(info, int64(len(data))), nil
}

// describeSound is what audio.info says of a file of so many bytes.
func describeSound(i audio.Info, size int64) any {
	seconds := float64(i.Frames) / float64(i.Rate)
	// Named by the codec, as it always was, unless that is only how a container has samples.
	format := i.Codec
	if strings.HasPrefix(format, "pcm-") || strings.HasSuffix(format, "law") {
		format = string(i.Format)
	}
	bitrate := float64(i.BitRate)
	if bitrate == 0 && seconds > 0 {
		bitrate = float64(8*size) / seconds
	}
	o := object("format", format, "container", i.Container, "codec", i.Codec, "duration", seconds, "channels", i.Channels, "sample_rate", i.Rate)
	if i.Depth > 0 {
		o.Set("depth", i.Depth)
	}
	o.Set("bitrate", bitrate)
	o.Set("size_bytes", size)
	return o
}

// heard is the sound that is the first argument, in blocks.
func (k *soundCall) heard() (audio.Source, error) {
	h, err := k.hear(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	return h.source()
}

func audioStats(k *soundCall) (any, error) {
	src, err := k.heard()
	if err != nil {
		return nil, err
	}
	st, err := audio.StatsOf(k.ctx, src)
	if err != nil {
		return nil, err
	}
	channels := []any{}
	for i := range st.Peak {
		channels = append(channels, object("peak", st.Peak[i], "rms", st.RMS[i], "mean", st.Mean[i], "clipped", st.Clipped[i]))
	}
	return object("frames", st.Frames, "duration", float64(st.Frames)/float64(src.Info().Rate), "channels", channels), nil
}

func audioLoudness(k *soundCall) (any, error) {
	src, err := k.heard()
	if err != nil {
		return nil, err
	}
	l, err := audio.LoudnessOf(k.ctx, src)
	if err != nil {
		return nil, err
	}
	return object("integrated", l.Integrated, "range", l.Range, "momentary", l.Momentary, "shortTerm", l.ShortTerm,
		"truePeak", l.TruePeak, "samplePeak", l.SamplePeak), nil
}

func audioWaveform(k *soundCall) (any, error) {
	n, err := k.integer(k.Options(1), "buckets", 800, 1, audio.MaxBuckets)
	if err != nil {
		return nil, err
	}
	h, err := k.hear(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	src, err := h.source()
	if err != nil {
		return nil, err
	}
	info := src.Info()
	// The buckets, and the arrays that are made of them.
	room := int64(n) * int64(info.Channels) * 24
	if err := k.fits(room / 2); err != nil {
		return nil, err
	}
	if err := k.Reserve(room); err != nil {
		return nil, failure(k.op, err)
	}
	k.result(room)
	buckets, frames, err := k.buckets(h, src, n)
	if err != nil {
		return nil, err
	}
	channels := []any{}
	for _, list := range buckets {
		low, high, rms := make([]float32, n), make([]float32, n), make([]float32, n)
		for i, b := range list {
			low[i], high[i], rms[i] = b.Min, b.Max, b.RMS
		}
		channels = append(channels, object("min", low, "max", high, "rms", rms))
	}
	return object("buckets", n, "duration", float64(frames)/float64(info.Rate), "sample_rate", info.Rate, "channels", channels), nil
}

// buckets are a sound's waveform, and how many frames it has.
func (k *soundCall) buckets(h *hearable, src audio.Source, n int) ([][]audio.Bucket, int64, error) {
	frames := src.Info().Frames
	if frames < 0 {
		// A file that does not say is gone through once instead of twice.
		c, err := h.clip()
		if err != nil {
			return nil, 0, err
		}
		src, frames = c, c.Frames()
	}
	list, err := audio.Waveform(k.ctx, src, n)
	return list, frames, err
}

func audioSpectrum(k *soundCall) (any, error) {
	o := k.Options(1)
	size, err := k.integer(o, "size", 4096, audio.MinSpectrum, audio.MaxSpectrum)
	if err != nil {
		return nil, err
	}
	window, err := named(k, o, "window", windows)
	if err != nil {
		return nil, err
	}
	src, err := k.heard()
	if err != nil {
		return nil, err
	}
	n := int64(size) * 64 // the transform and what it gives
	if err := k.Reserve(n); err != nil {
		return nil, failure(k.op, err)
	}
	s, err := audio.SpectrumOf(k.ctx, src, audio.SpectrumOptions{Size: size, Window: window})
	if err != nil {
		return nil, err
	}
	return object("size", size, "step", s.Step, "levels", s.Level), nil
}

func audioRelease(k *soundCall) (any, error) {
	id, ok := bridges.HandleID(k.Arg(0))
	if !ok {
		return nil, k.wrong("pass a handle")
	}
	if _, err := k.store.Get(id, media.Audio); err != nil {
		if e, wrong := err.(*media.HandleError); wrong && e.Is != "" {
			return nil, err
		}
	}
	return k.store.Release(id), nil
}
