package audio

import (
	"fmt"
	"math"
)

// Limits of every sound.
const (
	// MaxEncoded is the largest file that is read or written, in bytes. A run's budget is
	// usually the smaller one.
	MaxEncoded = math.MaxInt32
	// MaxChannels is the most channels a sound may have.
	MaxChannels = 8
	// MinRate and MaxRate are the sampling rates that a sound may have, in Hz.
	MinRate, MaxRate = 1, 768_000
	// MaxSeconds is the longest duration that a sound may have.
	MaxSeconds = 24 * 60 * 60
	// MaxInputs is how many clips Concat, Mix and Merge take.
	MaxInputs = 1000
	// MaxGain is the largest gain, and the largest attenuation, in dB.
	MaxGain = 200
	// CheckFrames is how many frames are worked on, at most, before the context is looked at:
	// of all channels together they are 262 144 samples.
	CheckFrames = 262_144 / MaxChannels
	// BlockFrames is the most frames that Source.Blocks gives at one time.
	BlockFrames = 16_384
)

// A LimitError says that a value is outside of what is possible.
type LimitError struct {
	Limit    string // its name
	What     string // what is measured, with its unit
	Value    float64
	Min, Max float64
}

func (e *LimitError) Error() string {
	if e.Value < e.Min {
		return fmt.Sprintf("%s is %s, under the limit of %s (%s)", e.What, number(e.Value), number(e.Min), e.Limit)
	}
	return fmt.Sprintf("%s is %s, over the limit of %s (%s)", e.What, number(e.Value), number(e.Max), e.Limit)
}

func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.10g", x)
}

// CheckFormat reports whether a sound may have a rate, a number of channels and a number of
// frames; negative frames are not known.
func CheckFormat(rate, channels int, frames int64) error {
	switch {
	case rate < MinRate || rate > MaxRate:
		return &LimitError{"AudioRate", "the sampling rate in Hz", float64(rate), MinRate, MaxRate}
	case channels < 1 || channels > MaxChannels:
		return &LimitError{"AudioChannels", "the number of channels", float64(channels), 1, MaxChannels}
	case frames > MaxSeconds*int64(rate):
		return &LimitError{"AudioDuration", "the duration in seconds", float64(frames) / float64(rate), 0, MaxSeconds}
	}
	return nil
}
