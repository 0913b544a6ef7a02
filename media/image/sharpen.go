package image

import (
	"context"
	"fmt"
	"math"
)

// SharpenOptions are those of an unsharp mask.
type SharpenOptions struct {
	// Sigma is the standard deviation of the blur that is taken off, in pixels, above 0 and
	// at most MaxBlur.
	Sigma float64
	// Amount is how often the difference is added, from 0 to MaxSharpen. 0.5 to 2 is usual.
	Amount float64
	// Threshold is the least difference that is added, 0 to 255.
	Threshold float64
}

// MaxSharpen is the largest amount of Sharpen.
const MaxSharpen = 100

// Check reports by an error that a value makes no sense.
func (o SharpenOptions) Check() error {
	switch {
	case !(o.Sigma > 0 && o.Sigma <= MaxBlur):
		return fmt.Errorf("sigma must be above 0 and at most %d", MaxBlur)
	case !(o.Amount >= 0 && o.Amount <= MaxSharpen):
		return fmt.Errorf("amount must be from 0 to %d", MaxSharpen)
	case !(o.Threshold >= 0 && o.Threshold <= 255):
		return fmt.Errorf("threshold must be from 0 to 255")
	}
	return nil
}

// Sharpen sharpens s in place by an unsharp mask: what a blur takes away from a colour is
// added to it. Colours are straight and the blur is weighted by alpha, so that neither the
// border of the picture nor that of a transparent part gets a seam. Alpha stays.
func Sharpen(ctx context.Context, s *Surface, o SharpenOptions) error {
	if err := o.Check(); err != nil {
		return err
	}
	soft := s.Clone()
	if err := GaussianBlur(ctx, soft, o.Sigma, o.Sigma); err != nil {
		return err
	}
	amount, least := float32(o.Amount), float32(o.Threshold)
	return bands(ctx, s.Height, 8*int64(len(s.Pix)), func(from, to int) error {
		for y := from; y < to; y++ {
			if y&31 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			d, b := s.Row(y), soft.Row(y)
			for i := 0; i+3 < len(d); i += 4 {
				p, q := d[i:i+4:i+4], b[i:i+4:i+4]
				if p[3] == 0 || q[3] == 0 {
					continue
				}
				// The difference of p and the blur of colours alone, at the alpha of p.
				k, a := float32(p[3])/float32(q[3]), float32(p[3])
				limit := least * a / 255
				for c := range 3 {
					v := float32(p[c])
					if diff := v - k*float32(q[c]); float32(math.Abs(float64(diff))) >= limit {
						p[c] = byte(min(max(v+amount*diff, 0), a) + 0.5)
					}
				}
			}
		}
		return nil
	})
}
