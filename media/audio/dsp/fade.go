package dsp

import "math"

// A Curve is how a fade goes from silence to full level.
type Curve int

const (
	// LinearFade is proportional to the time. The sum of a fade in and one out is 1, which
	// keeps the level where both sides are the same sound.
	LinearFade Curve = iota
	// EqualPower is a quarter of a sine. The sum of the squares of a fade in and one out is
	// 1, which keeps the level where the two sides are different sounds.
	EqualPower
	// Exponential rises by the same number of decibels in the same time, 60 in all, and
	// begins at 0.
	Exponential
	// SCurve is half of a cosine, without a corner at both ends. The sum of a fade in and
	// one out is 1.
	SCurve
)

// exponentialRange is the factor over which Exponential rises: 60 dB.
const exponentialRange = 1000

// At is the factor at time t, from 0 at 0 to 1 at 1. It is 0 before and 1 after.
func (c Curve) At(t float64) float64 {
	switch {
	case !(t > 0):
		return 0
	case t >= 1:
		return 1
	}
	switch c {
	case EqualPower:
		return math.Sin(t * math.Pi / 2)
	case Exponential:
		// Shifted down by its first value, so that there is no step from silence.
		return (math.Pow(exponentialRange, t) - 1) / (exponentialRange - 1)
	case SCurve:
		return (1 - math.Cos(t*math.Pi)) / 2
	}
	return t
}

// FadeIn multiplies samples by a part of a fade in of n frames: samples[i] by the factor at
// (at+i)/n. Frame 0 is silent, and frame n is the first one at full level. Frames before
// frame 0 are silent.
func (c Curve) FadeIn(samples []float32, at, n int64) {
	for i := range samples {
		f := at + int64(i)
		if f >= n {
			return
		}
		samples[i] *= float32(c.At(float64(f) / float64(n)))
	}
}

// FadeOut multiplies samples by a part of a fade out of n frames, which is FadeIn backwards:
// frame n−1 is silent, and the one before frame 0 is the last one at full level. Frames from
// n on are silent.
func (c Curve) FadeOut(samples []float32, at, n int64) {
	for i := range samples {
		if f := n - 1 - at - int64(i); f < n {
			samples[i] *= float32(c.At(float64(f) / float64(n)))
		}
	}
}
