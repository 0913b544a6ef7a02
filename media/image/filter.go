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
	var colours []colourStep
	flush := func() error {
		if len(colours) == 0 {
			return nil
		}
		err := applyColours(ctx, s, colours)
		colours = nil
		return err
	}
	for _, f := range filters {
		if err := f.Check(); err != nil {
			return err
		}
		if f.Kind != Blur {
			colours = append(colours, f.step())
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

// A colourStep is an affine map of straight colours, clamped after it, and a factor of alpha.
type colourStep struct {
	m     [9]float32
	add   float32 // to each channel, in 255ths
	alpha float32
}

func (f Filter) step() colourStep {
	x := f.Amount
	one := func(k float64) [9]float64 { return [9]float64{k, 0, 0, 0, k, 0, 0, 0, k} }
	m, add, alpha := one(1), 0.0, 1.0
	switch f.Kind {
	case Brightness:
		m = one(x)
	case Contrast:
		m, add = one(x), 255*(0.5-0.5*x)
	case Opacity:
		alpha = min(x, 1)
	case Invert:
		x = min(x, 1)
		m, add = one(1-2*x), 255*x
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
	step := colourStep{add: float32(add), alpha: float32(alpha)}
	for i, v := range m {
		step.m[i] = float32(v)
	}
	return step
}

func applyColours(ctx context.Context, s *Surface, steps []colourStep) error {
	return bands(ctx, s.Height, 8*int64(len(s.Pix)), func(from, to int) error {
		for y := from; y < to; y++ {
			if y&31 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			row := s.Row(y)
			for i := 0; i < len(row); i += 4 {
				colour(row[i:i+4:i+4], steps)
			}
		}
		return nil
	})
}

func colour(p []byte, steps []colourStep) {
	a := float32(p[3])
	if a == 0 {
		return
	}
	k := 255 / a
	r, g, b := float32(p[0])*k, float32(p[1])*k, float32(p[2])*k
	for i := range steps {
		t := &steps[i]
		r, g, b = clampFloat(t.m[0]*r+t.m[1]*g+t.m[2]*b+t.add), clampFloat(t.m[3]*r+t.m[4]*g+t.m[5]*b+t.add), clampFloat(t.m[6]*r+t.m[7]*g+t.m[8]*b+t.add)
		a *= t.alpha
	}
	k = a / 255
	p[0], p[1], p[2], p[3] = byte(r*k+0.5), byte(g*k+0.5), byte(b*k+0.5), byte(a+0.5)
}

func clampFloat(v float32) float32 { return min(max(v, 0), 255) }
