package audio

import (
	"context"
	"fmt"
)

// Concat is clips one after the other. The result has the rate of the first one and the
// channels of the one with the most; the others are resampled and mapped (Resample,
// MapChannels).
func Concat(ctx context.Context, clips ...*Clip) (*Clip, error) {
	return nil, fmt.Errorf("not yet")
}

// An Input is what Mix takes.
type Input struct {
	Clip *Clip
	// Gain is in dB.
	Gain float64
	// At is the frame of the mix, at the rate of the first input, where the clip begins.
	At int64
}

// MixOptions say how inputs become one. The zero value divides by their number, so that the
// sum cannot be over full scale where the inputs are not.
type MixOptions struct {
	// Sum leaves the division out.
	Sum bool
	// Limit keeps peaks under full scale with a limiter that looks ahead, which changes
	// nothing where the sum is under it.
	Limit bool
}

// Mix is the sum of inputs. The result has the rate of the first one and the channels of the
// one with the most, as Concat, and ends with the last of them.
func Mix(ctx context.Context, o MixOptions, inputs ...Input) (*Clip, error) {
	return nil, fmt.Errorf("not yet")
}

// Merge is a clip of all channels of the clips, in order. They are resampled to the rate of
// the first one, and shorter ones end with silence.
func Merge(ctx context.Context, clips ...*Clip) (*Clip, error) {
	return nil, fmt.Errorf("not yet")
}

// MapChannels is the clip with another number of channels.
func (c *Clip) MapChannels(ctx context.Context, channels int) (*Clip, error) {
	return nil, fmt.Errorf("not yet")
}

// A Quality says how good resampling is.
type Quality string

// Qualities of resampling; the zero value is High.
const (
	Low  Quality = "low"
	High Quality = "high"
	Best Quality = "best"
)

// Resample is the clip at another rate. It has round(frames·rate/c.Rate()) frames.
func (c *Clip) Resample(ctx context.Context, rate int, q Quality) (*Clip, error) {
	return nil, fmt.Errorf("not yet")
}

// MinSpeed and MaxSpeed are the factors that Speed takes.
const MinSpeed, MaxSpeed = 0.1, 10.0

// Speed is the clip played faster by a factor, or slower under 1, with the pitch that comes
// of it. It has round(frames/factor) frames.
func (c *Clip) Speed(ctx context.Context, factor float64, q Quality) (*Clip, error) {
	return nil, fmt.Errorf("not yet")
}
