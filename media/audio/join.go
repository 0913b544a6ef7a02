package audio

import (
	"context"
	"fmt"

	"quicksand/media/audio/dsp"
)

// shape is what clips that are joined have in common.
type shape struct {
	rate, channels int
	clips          []*Clip // at the rate
	made           []*Clip // those of them that were resampled for it
}

// conform brings clips to the rate of the first one and finds the most channels. The caller
// calls done.
func conform(ctx context.Context, clips []*Clip) (*shape, error) {
	switch {
	case len(clips) == 0:
		return nil, fmt.Errorf("at least one audio input is required")
	case len(clips) > MaxInputs:
		return nil, &LimitError{"AudioInputs", "the number of inputs", float64(len(clips)), 1, MaxInputs}
	}
	s := &shape{rate: clips[0].rate}
	resampled := make(map[*Clip]*Clip)
	for _, c := range clips {
		s.channels = max(s.channels, c.Channels())
		if c.rate != s.rate {
			n := resampled[c]
			if n == nil {
				var err error
				if n, err = c.Resample(ctx, s.rate, dsp.High); err != nil {
					s.done()
					return nil, err
				}
				resampled[c] = n
				s.made = append(s.made, n)
			}
			c = n
		}
		s.clips = append(s.clips, c)
	}
	return s, nil
}

// done releases what was made only for joining.
func (s *shape) done() { releaseAll(s.made) }

// addTo adds the samples of c, times f in place of the gain, to those of out from frame at on, which are 0 if they
// are fresh. Other channels than those of out are mapped.
func (c *Clip) addTo(ctx context.Context, out *Clip, at int64, f float32, fresh bool) error {
	r := c.reading()
	block := make([][]float32, out.Channels())
	var m dsp.Matrix
	if c.Channels() != out.Channels() {
		var err error
		if m, err = dsp.MixMatrix(c.Channels(), out.Channels()); err != nil {
			return err
		}
		block = planesOf(out.Channels(), BlockFrames)
	}
	for from := 0; from < len(c.planes[0]); from += BlockFrames {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+BlockFrames, len(c.planes[0]))
		part := r.frames(from, to)
		if m == nil {
			copy(block, part)
		} else {
			for i := range block {
				block[i] = block[i][:to-from]
			}
			m.Apply(block, part)
		}
		for i, p := range block {
			dst := out.planes[i][int(at)+from:][:len(p)]
			if fresh && f == 1 {
				copy(dst, p)
				continue
			}
			for k, x := range p {
				dst[k] += x * f
			}
		}
	}
	return nil
}

// Concat is clips one after the other. The result has the rate of the first one and the
// channels of the one with the most; the others are resampled, and their channels mapped as
// dsp.MixMatrix does.
func Concat(ctx context.Context, clips ...*Clip) (*Clip, error) {
	s, err := conform(ctx, clips)
	if err != nil {
		return nil, err
	}
	defer s.done()
	frames, same := int64(0), true
	for _, c := range s.clips {
		frames += c.Frames()
		same = same && c.gain == s.clips[0].gain
		if err := CheckFormat(s.rate, s.channels, frames); err != nil {
			return nil, err
		}
	}
	out, err := newClip(clips[0].memory.budget, s.rate, s.channels, frames)
	if err != nil {
		return nil, err
	}
	if same {
		out.gain = s.clips[0].gain
	}
	at := int64(0)
	for _, c := range s.clips {
		f := float32(1)
		if !same {
			f = factor(c.gain)
		}
		if err := c.addTo(ctx, out, at, f, true); err != nil {
			return out.unless(err)
		}
		at += c.Frames()
	}
	return out, nil
}

// An Input is what Mix takes.
type Input struct {
	Clip *Clip
	// Gain is in dB.
	Gain float64
	// At is when the clip begins in the mix, in seconds.
	At float64
}

// MixOptions say how inputs become one. The zero value divides by their number, so that the
// sum cannot be over full scale where the inputs are not.
type MixOptions struct {
	// Sum leaves the division out.
	Sum bool
	// Limit keeps the true peak under −1 dBTP with a limiter (dsp.Limiter), which changes
	// nothing of a sum that is under it.
	Limit bool
}

// Mix is the sum of inputs. The result has the rate of the first one and the channels of the
// one with the most, as that of Concat, and ends when the last of them does.
func Mix(ctx context.Context, o MixOptions, inputs ...Input) (*Clip, error) {
	clips := make([]*Clip, len(inputs))
	for i, in := range inputs {
		if !finite(in.Gain) || in.Gain < -MaxGain || in.Gain > MaxGain {
			return nil, &LimitError{"AudioGain", fmt.Sprintf("the gain of input %d in dB", i), in.Gain, -MaxGain, MaxGain}
		}
		clips[i] = in.Clip
	}
	s, err := conform(ctx, clips)
	if err != nil {
		return nil, err
	}
	defer s.done()
	frames := int64(0)
	starts := make([]int64, len(inputs))
	for i, in := range inputs {
		if starts[i], err = framesOf(in.At, s.rate); err != nil {
			return nil, err
		}
		frames = max(frames, starts[i]+s.clips[i].Frames())
	}
	out, err := newClip(clips[0].memory.budget, s.rate, s.channels, frames)
	if err != nil {
		return nil, err
	}
	for i, c := range s.clips {
		f := factor(c.gain + inputs[i].Gain)
		if !o.Sum {
			f /= float32(len(inputs))
		}
		if err := c.addTo(ctx, out, starts[i], f, i == 0); err != nil {
			return out.unless(err)
		}
	}
	if !o.Limit {
		return out, nil
	}
	defer out.Release()
	return out.Limit(ctx, dsp.LimiterOptions{})
}

// Limit is the clip with its true peak kept under a ceiling, with what else o says. A clip
// that is under it stays as it is, sample by sample.
func (c *Clip) Limit(ctx context.Context, o dsp.LimiterOptions) (*Clip, error) {
	l, err := dsp.NewLimiter(c.rate, c.Channels(), o)
	if err != nil {
		return nil, err
	}
	out, err := newClip(c.memory.budget, c.rate, c.Channels(), c.Frames())
	if err != nil {
		return nil, err
	}
	return out.unless(out.fill(ctx, c, l))
}

// fill makes the samples of a fresh clip of what a processor makes of a source.
func (c *Clip) fill(ctx context.Context, s Source, p dsp.Processor) error {
	at := 0
	return process(ctx, s, p, c.Channels(), func(block [][]float32) error {
		for i, p := range block {
			copy(c.planes[i][at:], p)
		}
		at = min(at+len(block[0]), len(c.planes[0]))
		return nil
	})
}

// process sends a source through a processor, which has that many channels, and gives what
// comes of it to yield.
func process(ctx context.Context, s Source, p dsp.Processor, channels int, yield func(block [][]float32) error) error {
	dst, block, rest := planesOf(channels, BlockFrames), make([][]float32, channels), make([][]float32, channels)
	give := func(n int) error {
		if n == 0 {
			return nil
		}
		for i := range dst {
			block[i] = dst[i][:n]
		}
		return yield(block)
	}
	err := s.Blocks(ctx, func(src [][]float32) error {
		copy(rest, src)
		for {
			written, taken := p.Process(dst, rest)
			for i := range rest {
				rest[i] = rest[i][taken:]
			}
			if err := give(written); err != nil {
				return err
			}
			if len(rest[0]) == 0 && written < BlockFrames {
				return nil
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	})
	for err == nil {
		n := p.Flush(dst)
		if n == 0 {
			return nil
		}
		err = give(n)
		if err == nil {
			err = ctx.Err()
		}
	}
	return err
}

// Merge is a clip of all channels of the clips, in order. They are resampled to the rate of
// the first one, and shorter ones end with silence.
func Merge(ctx context.Context, clips ...*Clip) (*Clip, error) {
	s, err := conform(ctx, clips)
	if err != nil {
		return nil, err
	}
	defer s.done()
	channels, frames := 0, int64(0)
	for _, c := range s.clips {
		channels += c.Channels()
		frames = max(frames, c.Frames())
	}
	out, err := newClip(clips[0].memory.budget, s.rate, channels, frames)
	if err != nil {
		return nil, err
	}
	first := 0
	for _, c := range s.clips {
		part := &Clip{planes: out.planes[first : first+c.Channels()], rate: s.rate}
		if err := c.addTo(ctx, part, 0, factor(c.gain), true); err != nil {
			return out.unless(err)
		}
		first += c.Channels()
	}
	return out, nil
}

// MapChannels is the clip with another number of channels, mapped as dsp.MixMatrix does.
func (c *Clip) MapChannels(ctx context.Context, channels int) (*Clip, error) {
	if channels == c.Channels() {
		return c.view(c.planes, c.gain)
	}
	out, err := c.like(channels, c.Frames())
	if err != nil {
		return nil, err
	}
	return out.unless(c.addTo(ctx, out, 0, 1, true))
}
