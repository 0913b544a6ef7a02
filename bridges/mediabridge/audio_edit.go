package mediabridge

import (
	"math"

	"quicksand/bridges"
	"quicksand/media/audio"
	"quicksand/media/audio/dsp"
)

// edited is the handle of what f makes of the sound that is the first argument, decoded.
func (k *soundCall) edited(out soundOutput, f func(c *audio.Clip) (*audio.Clip, error)) (*handle, error) {
	h, err := k.hear(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	c, err := h.clip()
	if err != nil {
		return nil, err
	}
	n, err := f(c)
	return k.made(n, err, out)
}

// joined is the handle of what f makes of the sounds that are the first argument.
func (k *soundCall) joined(out soundOutput, f func(clips []*audio.Clip) (*audio.Clip, error)) (*handle, error) {
	clips, err := k.hearAll(k.Arg(0))
	if err != nil {
		return nil, err
	}
	n, err := f(clips)
	return k.made(n, err, out)
}

func audioNormalize(k *soundCall) (*handle, error) {
	o := k.Options(1)
	out, err := k.soundOutput(o)
	if err != nil {
		return nil, err
	}
	peak, err := k.within(o, "peak", 0, -audio.MaxGain, 0)
	if err != nil {
		return nil, err
	}
	return k.edited(out, func(c *audio.Clip) (*audio.Clip, error) { return c.Normalize(k.ctx, peak) })
}

// Defaults of audio.normalizeLoudness: what podcasts are asked for.
const defaultLUFS, defaultTruePeak = -16, -1

func audioNormalizeLoudness(k *soundCall) (*handle, error) {
	o := k.Options(1)
	out, err := k.soundOutput(o)
	if err != nil {
		return nil, err
	}
	target, err := k.within(o, "lufs", defaultLUFS, -70, 0)
	if err != nil {
		return nil, err
	}
	peak, err := k.within(o, "peak", defaultTruePeak, -20, 0)
	if err != nil {
		return nil, err
	}
	return k.edited(out, func(c *audio.Clip) (*audio.Clip, error) { return c.NormalizeLoudness(k.ctx, target, peak) })
}

func audioGain(k *soundCall) (*handle, error) {
	o := k.Options(1)
	out, err := k.soundOutput(o)
	if err != nil {
		return nil, err
	}
	if o.Field("db").IsUndefined() {
		return nil, k.wrong("pass db, the gain in decibels")
	}
	db, err := k.within(o, "db", 0, -audio.MaxGain, audio.MaxGain)
	if err != nil {
		return nil, err
	}
	return k.edited(out, func(c *audio.Clip) (*audio.Clip, error) { return c.Gain(db) })
}

func audioTrim(k *soundCall) (*handle, error) {
	o := k.Options(1)
	out, err := k.soundOutput(o)
	if err != nil {
		return nil, err
	}
	start, err := k.finite(o, "start", 0)
	if err != nil {
		return nil, err
	}
	end, err := k.finite(o, "end", math.Inf(1))
	if err != nil {
		return nil, err
	}
	h, err := k.hear(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	if h.shape == (reshaping{}) {
		// Of a file no more is decoded than must be.
		c, err := h.rec.sound.Trim(k.ctx, start, end)
		return k.made(c, err, out)
	}
	c, err := h.clip()
	if err != nil {
		return nil, err
	}
	n, err := c.Trim(start, end)
	return k.made(n, err, out)
}

func audioConcat(k *soundCall) (*handle, error) {
	out, err := k.soundOutput(k.Options(1))
	if err != nil {
		return nil, err
	}
	return k.joined(out, func(clips []*audio.Clip) (*audio.Clip, error) { return audio.Concat(k.ctx, clips...) })
}

func audioMerge(k *soundCall) (*handle, error) {
	out, err := k.soundOutput(k.Options(1))
	if err != nil {
		return nil, err
	}
	return k.joined(out, func(clips []*audio.Clip) (*audio.Clip, error) { return audio.Merge(k.ctx, clips...) })
}

func audioMix(k *soundCall) (*handle, error) {
	o := k.Options(1)
	out, err := k.soundOutput(o)
	if err != nil {
		return nil, err
	}
	var how audio.MixOptions
	if how.Sum, err = named(k, o, "mode", []naming[bool]{{"average", false}, {"sum", true}}); err != nil {
		return nil, err
	}
	how.Limit = how.Sum
	if v := o.Field("limit"); !v.IsNullish() {
		how.Limit = truthy(v)
	}
	list, err := k.list(k.Arg(0))
	if err != nil {
		return nil, err
	}
	inputs := make([]audio.Input, len(list))
	for i, v := range list {
		where := layerName("audio", i)
		in := bridges.OptionsOf(v)
		if v.Field("audio").IsUndefined() {
			in = bridges.Options{} // a sound by itself
		} else {
			v = v.Field("audio")
		}
		if inputs[i].Gain, err = k.within(in, "gain", 0, -audio.MaxGain, audio.MaxGain); err != nil {
			return nil, atElement(err, where)
		}
		if inputs[i].At, err = k.within(in, "start", 0, 0, audio.MaxSeconds); err != nil {
			return nil, atElement(err, where)
		}
		h, err := k.hear(v, where)
		if err != nil {
			return nil, err
		}
		if inputs[i].Clip, err = h.clip(); err != nil {
			return nil, err
		}
	}
	n, err := audio.Mix(k.ctx, how, inputs...)
	return k.made(n, err, out)
}

// atElement is an error about an element of an array.
func atElement(err error, where string) error {
	if be, ok := err.(*bridges.Error); ok {
		be.Message = where + be.Message
	}
	return err
}

func audioReverse(k *soundCall) (*handle, error) {
	out, err := k.soundOutput(k.Options(1))
	if err != nil {
		return nil, err
	}
	return k.edited(out, func(c *audio.Clip) (*audio.Clip, error) { return c.Reverse() })
}

func audioFadeIn(k *soundCall) (*handle, error) {
	return k.fade(func(c *audio.Clip, seconds float64, v dsp.Curve) (*audio.Clip, error) {
		return c.FadeIn(k.ctx, seconds, v)
	})
}

func audioFadeOut(k *soundCall) (*handle, error) {
	return k.fade(func(c *audio.Clip, seconds float64, v dsp.Curve) (*audio.Clip, error) {
		return c.FadeOut(k.ctx, seconds, v)
	})
}

func (k *soundCall) fade(f func(c *audio.Clip, seconds float64, v dsp.Curve) (*audio.Clip, error)) (*handle, error) {
	o := k.Options(1)
	out, err := k.soundOutput(o)
	if err != nil {
		return nil, err
	}
	seconds, err := k.within(o, "duration", 1, 0, audio.MaxSeconds)
	if err != nil {
		return nil, err
	}
	curve, err := named(k, o, "curve", curves)
	if err != nil {
		return nil, err
	}
	return k.edited(out, func(c *audio.Clip) (*audio.Clip, error) { return f(c, seconds, curve) })
}

func audioRepeat(k *soundCall) (*handle, error) {
	o := k.Options(1)
	out, err := k.soundOutput(o)
	if err != nil {
		return nil, err
	}
	loops, err := k.integer(o, "loops", 2, 1, audio.MaxLoops)
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
	// What cannot be is refused before the file is decoded.
	if info := src.Info(); info.Frames >= 0 {
		frames := info.Frames * int64(loops)
		if err := audio.CheckFormat(info.Rate, info.Channels, frames); err != nil {
			return nil, err
		}
		n := 4 * int64(info.Channels) * frames
		if err := k.Reserve(n); err != nil {
			return nil, err
		}
		k.Release(n)
	}
	c, err := h.clip()
	if err != nil {
		return nil, err
	}
	n, err := c.Repeat(k.ctx, loops)
	return k.made(n, err, out)
}

func audioPad(k *soundCall) (*handle, error) {
	o := k.Options(1)
	out, err := k.soundOutput(o)
	if err != nil {
		return nil, err
	}
	start, err := k.within(o, "start", 0, 0, audio.MaxSeconds)
	if err != nil {
		return nil, err
	}
	end, err := k.within(o, "end", 0, 0, audio.MaxSeconds)
	if err != nil {
		return nil, err
	}
	return k.edited(out, func(c *audio.Clip) (*audio.Clip, error) { return c.Pad(k.ctx, start, end) })
}

// Defaults of audio.silence.
const defaultRate, defaultChannels = 44100, 1

func audioSilence(k *soundCall) (*handle, error) {
	o := k.Options(0)
	out, err := k.soundOutput(o)
	if err != nil {
		return nil, err
	}
	seconds, err := k.within(o, "duration", 1, 0, audio.MaxSeconds)
	if err != nil {
		return nil, err
	}
	rate, err := k.rate(o, defaultRate)
	if err != nil {
		return nil, err
	}
	channels, err := k.channels(o, defaultChannels)
	if err != nil {
		return nil, err
	}
	c, err := audio.Silence(room{k.store}, seconds, rate, channels)
	return k.made(c, err, out)
}

func audioSpeed(k *soundCall) (*handle, error) {
	o := k.Options(1)
	out, err := k.soundOutput(o)
	if err != nil {
		return nil, err
	}
	if o.Field("factor").IsUndefined() {
		return nil, k.wrong("pass factor: 2 is twice as fast")
	}
	factor, err := k.within(o, "factor", 1, audio.MinSpeed, audio.MaxSpeed)
	if err != nil {
		return nil, err
	}
	quality, err := named(k, o, "quality", qualities)
	if err != nil {
		return nil, err
	}
	return k.edited(out, func(c *audio.Clip) (*audio.Clip, error) { return c.Speed(k.ctx, factor, quality) })
}

func audioResample(k *soundCall) (*handle, error) {
	o := k.Options(1)
	if o.Field("rate").IsUndefined() {
		return nil, k.wrong("pass rate, in Hz")
	}
	out, err := k.soundOutput(o)
	if err != nil {
		return nil, err
	}
	rate, err := k.rate(o, 0)
	if err != nil {
		return nil, err
	}
	quality, err := named(k, o, "quality", qualities)
	if err != nil {
		return nil, err
	}
	return k.edited(out, func(c *audio.Clip) (*audio.Clip, error) { return c.Resample(k.ctx, rate, quality) })
}

// audioConvert decodes nothing: a file stays one until its samples or the bytes of the handle
// are wanted, for which they come in blocks.
func audioConvert(k *soundCall) (*handle, error) {
	o := k.Options(1)
	out, err := k.soundOutput(o)
	if err != nil {
		return nil, err
	}
	rate, err := k.rate(o, 0)
	if err != nil {
		return nil, err
	}
	channels, err := k.channels(o, 0)
	if err != nil {
		return nil, err
	}
	quality, err := named(k, o, "quality", qualities)
	if err != nil {
		return nil, err
	}
	h, err := k.hear(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	info := h.rec.sound.Info()
	was, had := h.shape.apply(info.Rate, info.Channels)
	if rate == was {
		rate = 0
	}
	if channels == had {
		channels = 0
	}
	to := reshaping{was, had, quality}
	if rate != 0 {
		to.rate = rate
	}
	if channels != 0 {
		to.channels = channels
	}
	if err := out.check(k.ctx, to.rate, to.channels); err != nil {
		return nil, err
	}
	switch {
	case h.shape != (reshaping{}) && (rate != 0 || channels != 0):
		// Two steps of resampling are not one.
		c, err := h.clip()
		if err != nil {
			return nil, err
		}
		rec := &recording{store: k.store, sound: audio.FromClip(c), refs: 1}
		k.clips = k.clips[:len(k.clips)-1] // it is the recording's
		return k.addTrack(newTrack(rec, to, out))
	case rate == 0 && channels == 0:
		to = h.shape
	}
	h.rec.retain() // the call has a reference, so there is one
	return k.addTrack(newTrack(h.rec, to, out))
}

func audioSplit(k *soundCall) (any, error) {
	out, err := k.soundOutput(k.Options(1))
	if err != nil {
		return nil, err
	}
	h, err := k.hear(k.Arg(0), "")
	if err != nil {
		return nil, err
	}
	c, err := h.clip()
	if err != nil {
		return nil, err
	}
	parts, err := c.Split()
	if err != nil {
		return nil, err
	}
	var made []*handle
	list := []any{}
	for i, p := range parts {
		h, err := k.keep(p, out)
		if err != nil {
			for _, p := range parts[i+1:] {
				p.Release()
			}
			for _, h := range made {
				k.store.Release(h.item.ID)
			}
			return nil, err
		}
		made = append(made, h)
		list = append(list, h.reply())
	}
	return list, nil
}
