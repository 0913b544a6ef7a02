package image

import (
	"context"
	"fmt"
	"math"
)

// A Filter is one of the filter functions of "Filter Effects Level 1" (W3C).
type Filter struct {
	Kind FilterKind
	// Amount is the function's argument: a factor, 1 being 100 %; for Blur the standard
	// deviation in pixels; for HueRotate degrees.
	Amount float64
}

// FilterKind names a filter function.
type FilterKind uint8

// Filter functions.
const (
	Brightness FilterKind = iota
	Contrast
	Saturate
	Grayscale
	Sepia
	Invert
	Blur
	HueRotate
	Opacity
)

var filterNames = [...]string{"brightness", "contrast", "saturate", "grayscale", "sepia", "invert", "blur", "hueRotate", "opacity"}

// String is the filter's name in options.
func (k FilterKind) String() string { return filterNames[k] }

// MaxBlur is the largest standard deviation of a blur, in pixels.
const MaxBlur = 1000

// Check reports by an error that the amount makes no sense.
func (f Filter) Check() error {
	switch {
	case math.IsNaN(f.Amount) || math.IsInf(f.Amount, 0):
		return fmt.Errorf("%v must be a number", f.Kind)
	case f.Amount < 0 && f.Kind != HueRotate:
		return fmt.Errorf("%v must not be negative", f.Kind)
	case f.Kind == Blur && f.Amount > MaxBlur:
		return fmt.Errorf("blur %v is more than %d pixels", f.Amount, MaxBlur)
	}
	return nil
}

// Apply filters s in place, one filter after the other. Neighbouring filters of colour are
// one pass over the pixels.
func Apply(ctx context.Context, s *Surface, filters []Filter) error {
	var m colourMap
	flush := func() error {
		err := m.apply(ctx, s)
		m = colourMap{}
		return err
	}
	for _, f := range filters {
		if err := f.Check(); err != nil {
			return err
		}
		if f.Kind != Blur {
			m.add(f)
			continue
		}
		if err := flush(); err != nil {
			return err
		}
		if err := GaussianBlur(ctx, s, f.Amount, f.Amount); err != nil {
			return err
		}
	}
	return flush()
}

// matrix is what a filter of colour does to straight colours of 0 to 1, which are clamped
// after it, and to alpha.
func (f Filter) matrix() (m [9]float64, add, alpha float64) {
	x := f.Amount
	one := func(k float64) [9]float64 { return [9]float64{k, 0, 0, 0, k, 0, 0, 0, k} }
	m, alpha = one(1), 1
	switch f.Kind {
	case Brightness:
		m = one(x)
	case Contrast:
		m, add = one(x), 0.5-0.5*x
	case Opacity:
		alpha = min(x, 1)
	case Invert:
		x = min(x, 1)
		m, add = one(1-2*x), x
	case Saturate:
		m = [9]float64{.213 + .787*x, .715 - .715*x, .072 - .072*x, .213 - .213*x, .715 + .285*x, .072 - .072*x, .213 - .213*x, .715 - .715*x, .072 + .928*x}
	case Grayscale:
		k := 1 - min(x, 1)
		m = [9]float64{.2126 + .7874*k, .7152 - .7152*k, .0722 - .0722*k, .2126 - .2126*k, .7152 + .2848*k, .0722 - .0722*k, .2126 - .2126*k, .7152 - .7152*k, .0722 + .9278*k}
	case Sepia:
		k := 1 - min(x, 1)
		m = [9]float64{.393 + .607*k, .769 - .769*k, .189 - .189*k, .349 - .349*k, .686 + .314*k, .168 - .168*k, .272 - .272*k, .534 - .534*k, .131 + .869*k}
	case HueRotate:
		s, c := math.Sincos(x * math.Pi / 180)
		m = [9]float64{.213 + .787*c - .213*s, .715 - .715*c - .715*s, .072 - .072*c + .928*s,
			.213 - .213*c + .143*s, .715 + .285*c + .140*s, .072 - .072*c - .283*s,
			.213 - .213*c - .787*s, .715 - .715*c + .715*s, .072 + .928*c + .072*s}
	}
	return m, add, alpha
}

// Colours are filtered as integers: of a level in sampleBits, of a factor in factorBits.
// That is within a level of the definition, at a seventh of the time of floating point.
const (
	sampleBits = 7
	factorBits = 14
	fullSample = 255 << sampleBits
)

// A colourStep is one matrix.
type colourStep struct {
	m   [9]int64
	add int64
}

// A colourMap is some filters of colour, one after the other.
type colourMap struct {
	steps []colourStep
	alpha float64 // factor of alpha, if there are steps
	mixed bool    // channels depend on one another
}

func (c *colourMap) add(f Filter) {
	m, add, alpha := f.matrix()
	// A matrix with greater factors makes nearly all colours pure ones, and so do factors of
	// this size in the same proportions.
	const most = 1 << 16
	scale := math.Abs(add) / most
	for _, v := range m {
		scale = max(scale, math.Abs(v)/most)
	}
	scale = max(scale, 1)
	fixed := func(v float64) int64 { return int64(math.Round(v / scale * (1 << factorBits))) }
	step := colourStep{add: fixed(add)*fullSample + 1<<(factorBits-1)}
	for i, v := range m {
		step.m[i] = fixed(v)
		c.mixed = c.mixed || i%4 != 0 && step.m[i] != 0
	}
	if len(c.steps) == 0 {
		c.alpha = 1
	}
	c.steps, c.alpha = append(c.steps, step), c.alpha*alpha
}

func (c *colourMap) colour(r, g, b int64) (int64, int64, int64) {
	for i := range c.steps {
		s := &c.steps[i]
		r, g, b = clampInt64((s.m[0]*r+s.m[1]*g+s.m[2]*b+s.add)>>factorBits),
			clampInt64((s.m[3]*r+s.m[4]*g+s.m[5]*b+s.add)>>factorBits),
			clampInt64((s.m[6]*r+s.m[7]*g+s.m[8]*b+s.add)>>factorBits)
	}
	return r, g, b
}

// sumBits is the precision of the tables of sums, whose lanes (see resample.go) begin at
// 4096 levels, so that they are never negative.
const sumBits = 8

// sums are what each value of red, green and blue adds to the three channels of an opaque
// pixel, if the last step mixes them, those before do not, and alpha stays. They are nil
// otherwise, or where a sum may be more than 8 times full.
func (c *colourMap) sums() *[3][256]uint64 {
	last := len(c.steps) - 1
	if !c.mixed || c.alpha != 1 {
		return nil
	}
	before := colourMap{steps: c.steps[:last]}
	for _, s := range before.steps {
		for i, v := range s.m {
			if i%4 != 0 && v != 0 {
				return nil
			}
		}
	}
	s := &c.steps[last]
	for k := range 3 {
		most := max(s.add, -s.add) / fullSample
		for _, v := range s.m[3*k : 3*k+3] {
			most += max(v, -v)
		}
		if most > 8<<factorBits {
			return nil
		}
	}
	t := new([3][256]uint64)
	for v := range 256 {
		x, _, _ := before.colour(int64(v)<<sampleBits, 0, 0)
		for in := range 3 {
			for out := range 3 {
				sum := s.m[3*out+in] * x
				if in == 0 {
					sum += s.add + (4096<<sampleBits+1<<(sampleBits-1))<<factorBits
				}
				const shift = factorBits + sampleBits - sumBits
				t[in][v] += uint64((sum+1<<(shift-1))>>shift) << (out * laneBits)
			}
		}
	}
	return t
}

// clampSums makes samples of sums of which some are out of range.
func clampSums(v uint64) (out uint64) {
	for k := range 3 {
		level := int32(v>>(k*laneBits)&(1<<laneBits-1)>>sumBits) - 4096
		out |= uint64(clampSample(level)) << (k*laneBits + sumBits)
	}
	return out
}

func clampInt64(v int64) int64 {
	if uint64(v) > fullSample {
		return fullSample &^ (v >> 63)
	}
	return v
}

// straightFactors are 255/alpha, in 1<<16 of a sample.
var straightFactors = func() (t [256]int64) {
	for a := 1; a < 256; a++ {
		t[a] = int64(math.Round(fullSample * (1 << 16) / float64(a)))
	}
	return t
}()

func (c *colourMap) apply(ctx context.Context, s *Surface) error {
	if len(c.steps) == 0 {
		return nil
	}
	// Where channels do not mix, an opaque pixel is three looks into a table.
	var table [256]uint8
	if !c.mixed {
		for v := range table {
			x, _, _ := c.colour(int64(v)<<sampleBits, 0, 0)
			table[v] = uint8((x + 1<<(sampleBits-1)) >> sampleBits)
		}
	}
	sums := c.sums()
	// Alpha as it comes out, in 1<<16.
	var alphas [256]int64
	for a := range alphas {
		alphas[a] = int64(math.Round(float64(a) * c.alpha * (1 << 16)))
	}
	return bands(ctx, s.Height, int64(len(s.Pix)), func(from, to int) error {
		for y := from; y < to; y++ {
			if y&31 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			row := s.Row(y)
			for len(row) >= 4 {
				p := row[:4:4]
				row = row[4:]
				switch a := p[3]; {
				case a == 0:
				case a == 255 && !c.mixed && c.alpha == 1:
					p[0], p[1], p[2] = table[p[0]], table[p[1]], table[p[2]]
				case a == 255 && sums != nil:
					v := sums[0][p[0]] + sums[1][p[1]] + sums[2][p[2]]
					if v&(0x1F<<(8+sumBits)*ones) != 1<<(12+sumBits)*ones {
						v = clampSums(v)
					}
					p[0], p[1], p[2] = uint8(v>>sumBits), uint8(v>>(sumBits+laneBits)), uint8(v>>(sumBits+2*laneBits))
				case a == 255 && c.alpha == 1:
					r, g, b := c.colour(int64(p[0])<<sampleBits, int64(p[1])<<sampleBits, int64(p[2])<<sampleBits)
					const half = 1 << (sampleBits - 1)
					p[0], p[1], p[2] = uint8((r+half)>>sampleBits), uint8((g+half)>>sampleBits), uint8((b+half)>>sampleBits)
				default:
					f := straightFactors[a]
					r, g, b := c.colour(int64(p[0])*f>>16, int64(p[1])*f>>16, int64(p[2])*f>>16)
					k := alphas[a]
					const half = fullSample << 15
					p[0], p[1], p[2] = uint8((r*k+half)/(fullSample<<16)), uint8((g*k+half)/(fullSample<<16)), uint8((b*k+half)/(fullSample<<16))
					p[3] = uint8((k + 1<<15) >> 16)
				}
			}
		}
		return nil
	})
}
