package audio

import (
	"context"
	"errors"

	"quicksand/media/audio/dsp"
)

// A Quantizer makes integers of samples: x · 2^(depth−1), rounded to the nearest and clipped
// to what fits, with the noise of dsp.Dither if it is asked for. Samples that are 0 stay so
// even then, so that silence stays silence. The noise is the same each time, so that the same
// sound is always written to the same bytes. Only one goroutine uses it.
type Quantizer struct {
	scale, low, high float64
	noise            []*dsp.Dither // for each channel, nil without dither
	exact            bool          // all samples are on the grid: nothing is to be rounded
}

// NewQuantizer makes one for integers of 8 to 32 bits.
func NewQuantizer(depth, channels int, dither bool) *Quantizer {
	q := &Quantizer{scale: float64(uint64(1) << (depth - 1))}
	q.low, q.high = -q.scale, q.scale-1
	if dither {
		for i := range channels {
			q.noise = append(q.noise, dsp.NewDither(uint64(i)))
		}
	}
	return q
}

// Channel quantizes the samples of one channel into dst, which is as long. The blocks of a
// channel come in order.
func (q *Quantizer) Channel(dst []int32, src []float32, channel int) {
	// Adding it makes a number positive, so that cutting its fraction off rounds down.
	const offset = 1 << 33
	scale, low, high := q.scale, q.low, q.high
	dst = dst[:len(src)]
	if q.exact {
		// What a damaged file gives against its word is clipped, too.
		f, low, high := float32(scale), int32(low), int32(high)
		for i, x := range src {
			dst[i] = min(max(int32(x*f), low), high)
		}
		return
	}
	if q.noise == nil {
		for i, x := range src {
			v := float64(x) * scale
			if !(v >= low && v <= high) {
				v = q.clip(v)
			}
			dst[i] = int32(int64(v+(offset+0.5)) - offset)
		}
		return
	}
	noise := q.noise[channel]
	for i, x := range src {
		if x == 0 {
			dst[i] = 0
			continue
		}
		v := float64(x)*scale + float64(noise.Next())
		if !(v >= low && v <= high) {
			v = q.clip(v)
		}
		dst[i] = int32(int64(v+(offset+0.5)) - offset)
	}
}

// clip is what becomes of a value that does not fit.
func (q *Quantizer) clip(v float64) float64 {
	switch {
	case v > q.high:
		return q.high
	case v < q.low:
		return q.low
	}
	return 0 // no number
}

// Block quantizes all channels of a block.
func (q *Quantizer) Block(dst [][]int32, src [][]float32) {
	for i := range src {
		q.Channel(dst[i], src[i], i)
	}
}

// errOff ends a search.
var errOff = errors.New("off the grid")

// OnGrid reports whether all samples are integers of depth bits (8 to 32), so that writing
// them with so many loses nothing. It looks at them only as far as it must.
func OnGrid(ctx context.Context, s Source, depth int) (bool, error) {
	switch s := s.(type) {
	case *metered:
		return s.onGrid(ctx, depth)
	case *Sound:
		if s.data != nil {
			if s.info.Depth == 0 {
				return false, nil // the format has loss
			}
			if !s.info.Float && s.info.Depth <= depth {
				return true, nil
			}
		}
	}
	scale := float32(uint64(1) << (depth - 1))
	err := s.Blocks(ctx, func(block [][]float32) error {
		for _, p := range block {
			for _, x := range p {
				v := x * scale
				if !(v >= -scale && v < scale) || float32(int32(v)) != v {
					return errOff
				}
			}
		}
		return nil
	})
	if err == errOff {
		return false, nil
	}
	return err == nil, err
}

// QuantizerFor is the quantizer for writing a sound with integers of depth bits: with dither
// where they lose something, unless noDither says otherwise.
func QuantizerFor(ctx context.Context, s Source, depth int, noDither bool) (*Quantizer, error) {
	exact := false
	if !noDither {
		var err error
		if exact, err = OnGrid(ctx, s, depth); err != nil {
			return nil, err
		}
	}
	q := NewQuantizer(depth, s.Info().Channels, !exact && !noDither)
	q.exact = exact
	return q, nil
}
