package image

import "context"

// A MaskKind is what of a mask is multiplied with the alpha of a picture.
type MaskKind uint8

// Kinds of masks ("CSS Masking Level 1", W3C). The zero value is MaskAlpha.
const (
	MaskAlpha     MaskKind = iota
	MaskLuminance          // its luminance times its alpha, by the weights of the grayscale filter
)

// Mask multiplies s, in place, with a mask, which is stretched to its size. With invert, what
// the mask hides is shown.
func Mask(ctx context.Context, s, mask *Surface, kind MaskKind, invert bool) error {
	if mask.Width != s.Width || mask.Height != s.Height {
		var err error
		// A kernel without overshoot: a mask of two values stays between them.
		mask, err = ResizeSurface(ctx, mask, Rect{0, 0, float64(mask.Width), float64(mask.Height)}, s.Width, s.Height, Linear)
		if err != nil {
			return err
		}
	}
	return bands(ctx, s.Height, 2*int64(len(s.Pix)), func(from, to int) error {
		for y := from; y < to; y++ {
			if y&31 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			d, m := s.Row(y), mask.Row(y)
			for i := 0; i+3 < len(d); i += 4 {
				q, p := m[i:i+4:i+4], d[i:i+4:i+4]
				k := q[3]
				if kind == MaskLuminance {
					k = luma709(q[0], q[1], q[2]) // of colours multiplied by alpha
				}
				if invert {
					k = 255 - k
				}
				if k != 255 {
					for c := range p {
						p[c] = byte(muldiv255(uint32(p[c]), uint32(k)))
					}
				}
			}
		}
		return nil
	})
}
