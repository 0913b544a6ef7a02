package dsp

import (
	"context"
	"fmt"
	"math"
)

const (
	// closeEnough is how far from the target the loudness of limited sound may be, in LU.
	closeEnough = 0.05
	// maxPasses is how often a limiter is tried.
	maxPasses = 6
	// maxDrive is how much more gain a limiter is given than would do without it, in dB.
	maxDrive = 6
	// minCeiling is the lowest true peak for Normalize, in dBTP.
	minCeiling = -40
)

// NormalizeGain is the gain in dB that brings measured sound to a target in LUFS. It is 0 for
// silence, which has no loudness.
func NormalizeGain(measured Loudness, target float64) float64 {
	if math.IsInf(measured.Integrated, -1) {
		return 0
	}
	return target - measured.Integrated
}

// Normalize changes sound to an integrated loudness of target LUFS, from −70 to 0, with a true
// peak of at most ceiling dBTP, from −40 to 0, in place: by a gain alone if that does, else by
// a Limiter whose gain makes up for what it takes away, by at most 6 dB. It returns the gain
// in dB and the loudness of the result, which is less than the target where only strong
// distortion could reach it. Silence stays as it is. Its errors are those of values outside of
// the limits, before anything is changed, and of ctx.
//
// It takes 2 MB besides sound, at most, and goes through it once to measure it and, if it
// must be limited, up to seven times more.
func Normalize(ctx context.Context, sound [][]float32, rate int, target, ceiling float64) (gain float64, result Loudness, err error) {
	if !(target >= absoluteGate && target <= 0) {
		return 0, result, fmt.Errorf("a loudness of %g LUFS is outside of the limits of %d to 0", target, absoluteGate)
	}
	if !(ceiling >= minCeiling && ceiling <= 0) {
		return 0, result, fmt.Errorf("a ceiling of %g dBTP is outside of the limits of %d to 0", ceiling, minCeiling)
	}
	m, err := NewMeter(rate, len(sound))
	if err != nil {
		return 0, result, err
	}
	for at := 0; at < length(sound); at += checkFrames {
		if err := ctx.Err(); err != nil {
			return 0, result, err
		}
		m.Write(between(sound, at, min(at+checkFrames, length(sound))))
	}
	result = m.Loudness()
	gain = NormalizeGain(result, target)
	if math.IsInf(result.Integrated, -1) {
		return 0, result, nil
	}
	if result.TruePeak+gain <= ceiling {
		factor := float32(Linear(gain))
		for _, x := range sound {
			for i := range x {
				x[i] *= factor
			}
		}
		return gain, result.amplified(gain), nil
	}

	l, gain, result, err := fitLimiter(ctx, m, sound, rate, target, gain, ceiling)
	if err != nil {
		return 0, result, err
	}
	// What a Limiter writes is behind what it has taken already.
	_, err = Run(ctx, l, sound, sound)
	return gain, result, err
}

// fitLimiter finds a limiter that brings sound to target LUFS, its gain, which is about gain,
// and the loudness of its result.
func fitLimiter(ctx context.Context, m *Meter, sound [][]float32, rate int, target, gain, ceiling float64) (l *Limiter, fit float64, result Loudness, err error) {
	fit = gain
	var lastGain, lastLoudness float64
	for pass := 1; ; pass++ {
		// A ceiling of 0 would be that of the zero value.
		l, err = NewLimiter(rate, len(sound), LimiterOptions{Gain: fit, Ceiling: min(ceiling, -1e-6)})
		if err != nil {
			return nil, 0, result, err
		}
		m.Reset()
		if err := measure(ctx, m, l, sound); err != nil {
			return nil, 0, result, err
		}
		result = m.Loudness()
		missing := target - result.Integrated
		if math.Abs(missing) <= closeEnough || pass == maxPasses || fit == gain+maxDrive {
			return l, fit, result, nil
		}
		// The more is limited, the less a gain makes louder.
		slope := 1.0
		if pass > 1 {
			slope = min(max((result.Integrated-lastLoudness)/(fit-lastGain), 0.1), 1)
		}
		lastGain, lastLoudness = fit, result.Integrated
		fit = min(fit+missing/slope, gain+maxDrive)
	}
}

// measure measures what p makes of sound.
func measure(ctx context.Context, m *Meter, p Processor, sound [][]float32) error {
	block := make([][]float32, len(sound))
	for c := range block {
		block[c] = make([]float32, blockFrames)
	}
	for at := 0; at < length(sound); {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, taken := p.Process(block, between(sound, at, min(at+checkFrames, length(sound))))
		m.Write(between(block, 0, n))
		at += taken
	}
	for {
		n := p.Flush(block)
		if n == 0 {
			return nil
		}
		m.Write(between(block, 0, n))
	}
}

// amplified is the loudness with a gain.
func (l Loudness) amplified(dB float64) Loudness {
	for _, v := range []*float64{&l.Integrated, &l.Momentary, &l.ShortTerm, &l.RangeLow, &l.RangeHigh, &l.TruePeak, &l.SamplePeak} {
		*v += dB
	}
	return l
}
