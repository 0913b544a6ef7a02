package image

import (
	"context"
	"math"
)

// exactBlur is the standard deviation from which three means of a box stand for a Gaussian.
// They are within 5 % of a step of it, and cost the same for any size; up to here the
// convolution costs less than 100 ns a pixel.
const exactBlur = 10

// GaussianBlur blurs s in place with the standard deviations sx and sy, in pixels. What lies
// outside is transparent.
func GaussianBlur(ctx context.Context, s *Surface, sx, sy float64) error {
	if max(sx, sy) < exactBlur {
		return convolve(ctx, s, gaussianWeights(sx), gaussianWeights(sy))
	}
	// Rows are blurred into a transposed copy, and that back.
	t := make([]byte, len(s.Pix))
	if err := blurLines(ctx, t, s.Pix, s.Width, s.Height, sx); err != nil {
		return err
	}
	return blurLines(ctx, s.Pix, t, s.Height, s.Width, sy)
}

// convolve applies wx to the rows of s and wy to its columns; both have a middle.
func convolve(ctx context.Context, s *Surface, wx, wy []uint64) error {
	out := New(s.Width, s.Height)
	// Columns begin half a kernel above the surface, rows at the padding.
	h, v := sliding(wx, s.Width, 0), sliding(wy, s.Height, -(len(wy)/2))
	if err := resampleSurface(ctx, out, s, h, v, len(wx)/2); err != nil {
		return err
	}
	copy(s.Pix, out.Pix)
	return nil
}

// sliding are the same weights for each of n samples.
func sliding(w []uint64, n, first int) weights {
	out := weights{taps: len(w), first: make([]int32, n), same: true, w: w}
	for i := range out.first {
		out.first[i] = int32(first + i)
	}
	return out
}

// blurLines blurs the rows of src, width by height pixels, and writes them as columns.
func blurLines(ctx context.Context, dst, src []byte, width, height int, sigma float64) error {
	return bands(ctx, height, 16*int64(len(src)), func(from, to int) error {
		line, spare := make([]byte, 4*width), make([]byte, 4*width)
		for y := from; y < to; y++ {
			if y&15 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			row := src[4*width*y : 4*width*(y+1)]
			if sigma < 1 {
				copy(line, row) // the other direction's is at least exactBlur
			} else {
				boxLines(line, spare, row, sigma)
			}
			for x := range width {
				copy(dst[4*(x*height+y):][:4], line[4*x:])
			}
		}
		return nil
	})
}

// gaussianWeights are 1<<weightBits together.
func gaussianWeights(sigma float64) []uint64 {
	if sigma <= 0 {
		return []uint64{1 << weightBits}
	}
	n := int(math.Ceil(3 * sigma))
	f := make([]float64, 2*n+1)
	sum := 0.0
	for i := range f {
		x := float64(i - n)
		f[i] = math.Exp(-x * x / (2 * sigma * sigma))
		sum += f[i]
	}
	w := make([]uint64, 2*n+1)
	quantizeWeights(w, f, sum)
	return w
}

// boxLines applies three means (Filter Effects Level 1, 9.2): of an odd size three times
// around the pixel; of an even size twice, once to each side, and then of one more.
func boxLines(dst, spare, src []byte, sigma float64) {
	d := int(math.Floor(sigma*3*math.Sqrt(2*math.Pi)/4 + 0.5))
	if d%2 == 1 {
		boxLine(dst, src, d/2, d/2)
		boxLine(spare, dst, d/2, d/2)
		boxLine(dst, spare, d/2, d/2)
		return
	}
	boxLine(dst, src, d/2, d/2-1)
	boxLine(spare, dst, d/2-1, d/2)
	boxLine(dst, spare, d/2, d/2)
}

// boxLine writes the mean of left samples before, the sample, and right samples after it.
func boxLine(dst, src []byte, left, right int) {
	width := len(src) / 4
	scale := uint64(1<<32) / uint64(left+1+right)
	var sum [4]uint64
	for i := range min(right, width) {
		for c := range 4 {
			sum[c] += uint64(src[4*i+c])
		}
	}
	for x := range width {
		if i := x + right; i < width {
			for c := range 4 {
				sum[c] += uint64(src[4*i+c])
			}
		}
		if i := x - left - 1; i >= 0 {
			for c := range 4 {
				sum[c] -= uint64(src[4*i+c])
			}
		}
		for c := range 4 {
			dst[4*x+c] = byte((sum[c]*scale + 1<<31) >> 32)
		}
	}
}
