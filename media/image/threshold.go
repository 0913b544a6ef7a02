package image

import "context"

// Threshold makes each pixel of s, in place, black or white: white where its luminance, by
// the weights of the grayscale filter, is at least level. With perChannel each of red, green
// and blue is decided by itself. Alpha stays, and colours are compared without it.
func Threshold(ctx context.Context, s *Surface, level uint8, perChannel bool) error {
	return bands(ctx, s.Height, 4*int64(len(s.Pix)), func(from, to int) error {
		straight := make([]byte, 4*s.Width)
		for y := from; y < to; y++ {
			if y&31 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			row := s.Row(y)
			line := Surface{s.Width, 1, row}
			line.Straight(straight)
			for i := 0; i < len(row); i += 4 {
				p, d := straight[i:i+4:i+4], row[i:i+4:i+4]
				if !perChannel {
					v := luma709(p[0], p[1], p[2])
					p[0], p[1], p[2] = v, v, v
				}
				for c := range 3 {
					// White, multiplied by alpha, is alpha.
					d[c] = 0
					if p[c] >= level {
						d[c] = d[3]
					}
				}
			}
		}
		return nil
	})
}

// luma709 weighs by ITU-R BT.709, as the grayscale filter of "Filter Effects" does.
func luma709(r, g, b uint8) uint8 {
	return uint8((13933*uint32(r) + 46871*uint32(g) + 4732*uint32(b) + 1<<15) >> 16)
}
