package audio

import (
	"context"
	"errors"
)

// A Quantizer makes integers of samples: x · 2^(depth−1), rounded to the nearest and clipped
// to what fits, with dither of a triangular distribution, two steps wide, if it is asked for
// (Lipshitz, Wannamaker and Vanderkooy: Quantization and Dither, JAES 40(5), 1992). The noise
// is the same each time, so that the same sound is always written to the same bytes. Only one
// goroutine uses it.
type Quantizer struct {
	scale, low, high float64
	dither           bool
	noise            []uint64 // the state of each channel
}

// NewQuantizer makes one for integers of 8 to 32 bits.
func NewQuantizer(depth, channels int, dither bool) *Quantizer {
	q := &Quantizer{scale: float64(uint64(1) << (depth - 1)), dither: dither, noise: make([]uint64, channels)}
	q.low, q.high = -q.scale, q.scale-1
	for i := range q.noise {
		q.noise[i] = 0x9E3779B97F4A7C15 * uint64(i+1)
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
	if !q.dither {
		for i, x := range src {
			v := float64(x) * scale
			if v != v {
				v = 0
			}
			v = min(max(v, low), high)
			dst[i] = int32(int64(v+(offset+0.5)) - offset)
		}
		return
	}
	state := q.noise[channel]
	for i, x := range src {
		// A linear congruential step, of which the upper bits are good (Steele and Vigna:
		// Computationally easy, spectrally good multipliers, 2021), and two numbers of it.
		state = state*0xD1342543DE82EF95 + 0x5851F42D4C957F2D
		noise := float64(int64(state>>44)-int64(state>>24&0xFFFFF)) * (1.0 / (1 << 20))
		v := float64(x)*scale + noise
		if v != v {
			v = 0
		}
		v = min(max(v, low), high)
		dst[i] = int32(int64(v+(offset+0.5)) - offset)
	}
	q.noise[channel] = state
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
				if !(v >= -scale && v < scale) || float32(int64(v)) != v {
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
	dither := false
	if !noDither {
		exact, err := OnGrid(ctx, s, depth)
		if err != nil {
			return nil, err
		}
		dither = !exact
	}
	return NewQuantizer(depth, s.Info().Channels, dither), nil
}
