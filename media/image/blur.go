package image

import (
	"context"
	"math"
)

// A blur whose standard deviation is at least reducedBlur is done on a picture that was
// halved until less is left, and enlarged again: nothing fine is left by it in any case, and
// the result is a Gaussian within a level, at a cost that falls with the deviation.
const reducedBlur = 4.5

// GaussianBlur blurs s in place with the standard deviations sx and sy, in pixels. What lies
// outside is transparent.
func GaussianBlur(ctx context.Context, s *Surface, sx, sy float64) error {
	hx, hy := blurHalvings(sx), blurHalvings(sy)
	if hx+hy == 0 {
		out, err := convolve(ctx, s, gaussianWeights(sx), gaussianWeights(sy))
		if err == nil {
			copy(s.Pix, out.Pix)
		}
		return err
	}
	small, err := halvePadded(ctx, s, hx, hy)
	if err != nil {
		return err
	}
	// A margin catches what is blurred outwards: enlarging looks at it.
	const margin = 2
	padded := &Surface{small.Width + 2*margin, small.Height + 2*margin, make([]byte, 4*(small.Width+2*margin)*(small.Height+2*margin))}
	for y := range small.Height {
		copy(padded.Row(y + margin)[4*margin:], small.Row(y))
	}
	blurred, err := convolve(ctx, padded, gaussianWeights(reducedSigma(sx, hx)), gaussianWeights(reducedSigma(sy, hy)))
	if err != nil {
		return err
	}
	part := Rect{margin, margin, float64(s.Width) / float64(int(1)<<hx), float64(s.Height) / float64(int(1)<<hy)}
	out, err := ResizeSurface(ctx, blurred, part, s.Width, s.Height, Linear)
	if err == nil {
		copy(s.Pix, out.Pix)
	}
	return err
}

// GaussianBlurPlane is GaussianBlur for one channel. It makes a new plane.
func GaussianBlurPlane(ctx context.Context, p Plane, sx, sy float64) (Plane, error) {
	hx, hy := blurHalvings(sx), blurHalvings(sy)
	if hx+hy == 0 {
		return convolvePlane(ctx, p, gaussianWeights(sx), gaussianWeights(sy))
	}
	// The margin and the multiples that GaussianBlur has, before anything is halved.
	const margin = 2
	mx, my := margin<<hx, margin<<hy
	small := newPlane((p.Width+1<<hx-1)>>hx<<hx+2*mx, (p.Height+1<<hy-1)>>hy<<hy+2*my)
	for y := range p.Height {
		copy(small.Pix[(y+my)*small.Stride+mx:], p.Pix[y*p.Stride:][:p.Width])
	}
	for i := range max(hx, hy) {
		if ctx.Err() != nil {
			return Plane{}, ctx.Err()
		}
		step := shrink{i < hx, i < hy}
		in := small
		small = newPlane(step.size(in.Width, in.Height))
		for y := range small.Height {
			a, b := step.rows(y, in.Height)
			dst, p, q := small.Pix[y*small.Stride:][:small.Width], in.Pix[a*in.Stride:][:in.Width], in.Pix[b*in.Stride:][:in.Width]
			if step.horizontal {
				halveGray(dst, p, q)
			} else {
				meanRows(dst, p, q)
			}
		}
	}
	small, err := convolvePlane(ctx, small, gaussianWeights(reducedSigma(sx, hx)), gaussianWeights(reducedSigma(sy, hy)))
	if err != nil {
		return Plane{}, err
	}
	part := Rect{margin, margin, float64(p.Width) / float64(int(1)<<hx), float64(p.Height) / float64(int(1)<<hy)}
	return ResizePlane(ctx, small, part, p.Width, p.Height, Linear)
}

func newPlane(width, height int) Plane {
	return Plane{make([]byte, width*height), width, width, height}
}

// convolvePlane is convolve for one channel.
func convolvePlane(ctx context.Context, p Plane, wx, wy []uint64) (Plane, error) {
	out := newPlane(p.Width, p.Height)
	h, v := sliding(wx, p.Width, 0), sliding(wy, p.Height, -(len(wy)/2))
	return out, resamplePlane(ctx, out, p, h, v, len(wx)/2)
}

func blurHalvings(sigma float64) int {
	n := 0
	for sigma >= reducedBlur {
		sigma /= 2
		n++
	}
	return n
}

// reducedSigma is the deviation that is left for a line halved n times. A mean over m pixels
// has a variance of (m²−1)/12, and the triangle that enlarges by m one of (m²−1)/6.
func reducedSigma(sigma float64, n int) float64 {
	m := float64(int(1) << n)
	return math.Sqrt(sigma*sigma-(m*m-1)/4) / m
}

// halvePadded halves the width of s hx times and its height hy times, after transparent
// pixels that make them multiples.
func halvePadded(ctx context.Context, s *Surface, hx, hy int) (*Surface, error) {
	width, height := (s.Width+1<<hx-1)>>hx<<hx, (s.Height+1<<hy-1)>>hy<<hy
	blank := make([]byte, 4*width)
	for i := range max(hx, hy) {
		step := shrink{i < hx, i < hy}
		in := s
		w, h := step.size(width, height)
		out := &Surface{w, h, make([]byte, 4*w*h)}
		err := bands(ctx, h, int64(len(out.Pix)), func(from, to int) error {
			// Only the first step reads rows which are shorter than they should be.
			var long [2][]byte
			row := func(k, y int) []byte {
				switch {
				case y >= in.Height:
					return blank[:4*width]
				case in.Width == width:
					return in.Row(y)
				case long[k] == nil:
					long[k] = make([]byte, 4*width)
				}
				copy(long[k], in.Row(y))
				return long[k]
			}
			for y := from; y < to; y++ {
				if y&63 == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				a, b := step.rows(y, height)
				p, q := row(0, a), row(1, b)
				if step.horizontal {
					halveRGBA(out.Row(y), p, q)
				} else {
					meanRows(out.Row(y), p, q)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		s, width, height = out, w, h
	}
	return s, nil
}

// convolve applies wx to the rows of s and wy to its columns; both have a middle.
func convolve(ctx context.Context, s *Surface, wx, wy []uint64) (*Surface, error) {
	out := &Surface{s.Width, s.Height, make([]byte, len(s.Pix))}
	// Columns begin half a kernel above the surface, rows at the padding.
	h, v := sliding(wx, s.Width, 0), sliding(wy, s.Height, -(len(wy)/2))
	if err := resampleSurface(ctx, out, s, h, v, len(wx)/2); err != nil {
		return nil, err
	}
	return out, nil
}

// sliding are the same weights for each of n samples.
func sliding(w []uint64, n, first int) weights {
	out := weights{taps: len(w), first: make([]int32, n), same: true, w: w}
	for i := range out.first {
		out.first[i] = int32(first + i)
	}
	return out
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
