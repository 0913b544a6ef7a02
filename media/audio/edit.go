package audio

import (
	"context"
	"fmt"
	"math"
	"slices"

	"quicksand/media/audio/dsp"
)

// Section is the part of the clip from one frame to before another, as far as it is within.
// It shares the samples, unless it is so small that keeping all of them would be a waste.
func (c *Clip) Section(from, to int64) (*Clip, error) {
	if from < 0 || to < from {
		return nil, fmt.Errorf("frames %d to %d are no section", from, to)
	}
	from, to = min(from, c.Frames()), min(to, c.Frames())
	fades := section(c.fades, from, to)
	lo, hi := from, to
	if c.backwards {
		lo, hi = c.Frames()-to, c.Frames()-from
	}
	n := c.small(lo, hi)
	if n == nil {
		planes := make([][]float32, len(c.planes))
		for i, p := range c.planes {
			planes[i] = p[lo:hi:hi]
		}
		var err error
		if n, err = c.view(planes, c.gain); err != nil {
			return nil, err
		}
	}
	n.fades, n.backwards = fades, c.backwards
	return n, nil
}

// small is a copy of samples from one to before another, or nil if they are no small part of
// all that would be kept for them, or there is no memory for it.
func (c *Clip) small(from, to int64) *Clip {
	if 4*int64(c.Channels())*(to-from) >= c.memory.size/8 {
		return nil
	}
	n, err := c.like(c.Channels(), to-from)
	if err != nil {
		return nil
	}
	for i, p := range c.planes {
		copy(n.planes[i], p[from:to])
	}
	return n
}

// TrimFrames is the section of a sound between two times in seconds: from floor(start·rate)
// to before ceil(end·rate), where products that are within a millionth of an integer count
// as it. A negative start is 0, and an end after that of the sound is its end.
func TrimFrames(rate int, frames int64, start, end float64) (from, to int64, err error) {
	if !finite(start) || math.IsNaN(end) {
		return 0, 0, fmt.Errorf("start and end must be finite numbers")
	}
	end = min(end, float64(frames)/float64(rate))
	start = max(start, 0)
	if !(end > start) {
		return 0, 0, fmt.Errorf("end must be after start")
	}
	from = int64(math.Floor(nearInteger(start * float64(rate))))
	to = int64(math.Ceil(nearInteger(end * float64(rate))))
	return min(from, frames), min(to, frames), nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// nearInteger mends products like 0.29 · 100, which is less than 29.
func nearInteger(x float64) float64 {
	if r := math.Round(x); math.Abs(x-r) < 1e-6 {
		return r
	}
	return x
}

// Trim is the part between two times in seconds, by the rule of TrimFrames.
func (c *Clip) Trim(start, end float64) (*Clip, error) {
	from, to, err := TrimFrames(c.rate, c.Frames(), start, end)
	if err != nil {
		return nil, err
	}
	return c.Section(from, to)
}

// Trim is the part between two times in seconds, by the rule of TrimFrames. A file that was
// not decoded is decoded as far as it must be.
func (s *Sound) Trim(ctx context.Context, start, end float64) (*Clip, error) {
	n, err := s.Frames(ctx)
	if err != nil {
		return nil, err
	}
	from, to, err := TrimFrames(s.info.Rate, n, start, end)
	if err != nil {
		return nil, err
	}
	return s.Section(ctx, from, to)
}

// maxPending is the most that gains may come to, in dB. Their factor is far from what a float
// cannot hold.
const maxPending = 3 * MaxGain

// Gain is the clip louder by db decibels, or quieter where it is negative. Nothing is
// computed yet.
func (c *Clip) Gain(db float64) (*Clip, error) {
	if !finite(db) {
		return nil, fmt.Errorf("the gain must be a finite number")
	}
	if db < -MaxGain || db > MaxGain {
		return nil, &LimitError{"AudioGain", "the gain in dB", db, -MaxGain, MaxGain}
	}
	if sum := c.gain + db; sum < -maxPending || sum > maxPending {
		return nil, &LimitError{"AudioGain", "the gain in dB of all steps together", sum, -maxPending, maxPending}
	}
	return c.view(c.planes, c.gain+db)
}

// Peak is the largest absolute sample of all channels.
func (c *Clip) Peak(ctx context.Context) (float64, error) {
	// Absolute values of floats are in the order of their bits without the sign, which takes
	// a third of the time that comparing numbers takes where signs change often.
	peak := uint32(0)
	err := c.ungained().Blocks(ctx, func(block [][]float32) error {
		for _, p := range block {
			for _, x := range p {
				peak = max(peak, math.Float32bits(x)&^(1<<31))
			}
		}
		return nil
	})
	return float64(math.Float32frombits(peak)) * float64(factor(c.gain)), err
}

// Normalize is the clip with a gain that takes its peak to db decibels of full scale: 0 for
// ±1. Silence, and what is hardly more, stays as it is.
func (c *Clip) Normalize(ctx context.Context, db float64) (*Clip, error) {
	peak, err := c.Peak(ctx)
	if err != nil {
		return nil, err
	}
	if !finite(db) || db < -MaxGain || db > MaxGain {
		return nil, &LimitError{"AudioGain", "the peak in dB", db, -MaxGain, MaxGain}
	}
	gain := c.gain + db - 20*math.Log10(peak)
	if !(math.Abs(gain) <= maxPending) {
		gain = c.gain
	}
	return c.view(c.planes, gain)
}

// Reverse is the clip from its end to its beginning. It shares the samples.
func (c *Clip) Reverse() (*Clip, error) {
	n, err := c.view(c.planes, c.gain)
	if err != nil {
		return nil, err
	}
	n.backwards, n.fades = !c.backwards, reversed(c.fades, c.Frames())
	return n, nil
}

// unless is the clip, or the error, for which the clip is released.
func (c *Clip) unless(err error) (*Clip, error) {
	if err != nil {
		c.Release()
		return nil, err
	}
	return c, nil
}

// FadeIn is the clip with its first so many seconds faded in. The fade has
// N = max(1, min(frames, round(seconds·rate))) frames, and frame i of it is multiplied by the
// curve at i/N: the first one is silent. The samples are shared; they are copied, with the
// fades so far applied, where more than eight of them are pending.
func (c *Clip) FadeIn(ctx context.Context, seconds float64, v dsp.Curve) (*Clip, error) {
	return c.fade(ctx, seconds, v, false)
}

// FadeOut is FadeIn from the end: the last frame is silent.
func (c *Clip) FadeOut(ctx context.Context, seconds float64, v dsp.Curve) (*Clip, error) {
	return c.fade(ctx, seconds, v, true)
}

func (c *Clip) fade(ctx context.Context, seconds float64, v dsp.Curve, out bool) (*Clip, error) {
	if !finite(seconds) || seconds < 0 {
		return nil, fmt.Errorf("the duration of a fade must be a finite number of seconds, 0 or more")
	}
	f := fade{curve: v, out: out, n: int64(min(float64(c.Frames()), max(1, math.Round(seconds*float64(c.rate)))))}
	if out {
		f.at = c.Frames() - f.n
	}
	var n *Clip
	var err error
	if len(c.fades) < maxFades {
		n, err = c.view(c.planes, c.gain)
	} else {
		n, err = c.copied(ctx)
	}
	if err != nil {
		return nil, err
	}
	n.fades = append(slices.Clip(n.fades), f)
	return n, nil
}

// MaxLoops is how often Repeat plays a clip, at most.
const MaxLoops = 100

// Repeat is the clip so many times in a row: 1 is the clip itself.
func (c *Clip) Repeat(ctx context.Context, loops int) (*Clip, error) {
	if loops < 1 || loops > MaxLoops {
		return nil, fmt.Errorf("loops must be an integer from 1 to %d", MaxLoops)
	}
	if loops == 1 {
		return c.view(c.planes, c.gain)
	}
	n, err := c.like(c.Channels(), c.Frames()*int64(loops))
	if err != nil {
		return nil, err
	}
	for l := range loops {
		if err != nil {
			break
		}
		err = c.addTo(ctx, n, int64(l)*c.Frames(), 1, true)
	}
	return n.unless(err)
}

// Silence is a silent clip of round(seconds·rate) frames, taken from budget, which may be
// nil.
func Silence(budget Budget, seconds float64, rate, channels int) (*Clip, error) {
	if err := CheckFormat(rate, channels, 0); err != nil {
		return nil, err
	}
	frames, err := framesOf(seconds, rate)
	if err != nil {
		return nil, err
	}
	return newClip(budget, rate, channels, frames)
}

// framesOf is the number of frames of a duration.
func framesOf(seconds float64, rate int) (int64, error) {
	switch {
	case !finite(seconds) || seconds < 0:
		return 0, fmt.Errorf("a duration must be a finite number of seconds, 0 or more")
	case seconds > MaxSeconds:
		return 0, &LimitError{"AudioDuration", "the duration in seconds", seconds, 0, MaxSeconds}
	}
	return int64(math.Round(seconds * float64(rate))), nil
}

// Pad is the clip with silence of so many seconds before and after it.
func (c *Clip) Pad(ctx context.Context, before, after float64) (*Clip, error) {
	b, err := framesOf(before, c.rate)
	if err != nil {
		return nil, err
	}
	a, err := framesOf(after, c.rate)
	if err != nil {
		return nil, err
	}
	n, err := c.like(c.Channels(), b+c.Frames()+a)
	if err != nil {
		return nil, err
	}
	return n.unless(c.addTo(ctx, n, b, 1, true))
}

// Split is a clip of each channel. They share the samples.
func (c *Clip) Split() ([]*Clip, error) {
	var list []*Clip
	for i := range c.planes {
		n, err := c.view(c.planes[i:i+1:i+1], c.gain)
		if err != nil {
			releaseAll(list)
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}

func releaseAll(list []*Clip) {
	for _, c := range list {
		c.Release()
	}
}
