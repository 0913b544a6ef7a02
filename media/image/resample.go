package image

import (
	"context"
	"encoding/binary"
	"runtime"
	"sync"
)

// A Plane is one channel of 8-bit samples.
type Plane struct {
	Pix                   []byte
	Stride, Width, Height int
}

// A Rect is a part of a picture, in pixels that may be fractions.
type Rect struct{ X, Y, Width, Height float64 }

// ResizeSurface resamples the part of s within part to width by height. The size must be
// one that CheckSize allows.
func ResizeSurface(ctx context.Context, s *Surface, part Rect, width, height int, k Kernel) (*Surface, error) {
	s, part = preshrinkSurface(s, part, width, height, k)
	out := New(width, height)
	h := newWeights(k, width, part.X, part.Width, s.Width)
	v := newWeights(k, height, part.Y, part.Height, s.Height)
	err := resample(ctx, s.Pix, 4*s.Width, 4*s.Width, out.Pix, 4*width, height, v, func(dst, src []byte) { h.rgba(dst, src) })
	if err != nil {
		return nil, err
	}
	return out, nil
}

// ResizePlane resamples the part of p within part.
func ResizePlane(ctx context.Context, p Plane, part Rect, width, height int, k Kernel) (Plane, error) {
	p, part = preshrinkPlane(p, part, width, height, k)
	out := Plane{Pix: make([]byte, width*height), Stride: width, Width: width, Height: height}
	h := newWeights(k, width, part.X, part.Width, p.Width)
	v := newWeights(k, height, part.Y, part.Height, p.Height)
	err := resample(ctx, p.Pix, p.Stride, p.Width, out.Pix, width, height, v, func(dst, src []byte) { h.gray(dst, src) })
	return out, err
}

// resample makes each row of dst from rows of src by v, and then its samples by across. The
// vertical pass comes first, because eight neighbouring bytes share a weight there. Rows
// are spread over the processors.
func resample(ctx context.Context, src []byte, stride, line int, dst []byte, dstStride, rows int, v weights, across func(dst, src []byte)) error {
	return bands(ctx, rows, int64(rows)*int64(line)*int64(v.taps), func(from, to int) error {
		row := make([]byte, line+8)
		for y := from; y < to; y++ {
			if y&15 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			w := v.w[y*v.taps : (y+1)*v.taps]
			vertical(row, src[int(v.first[y])*stride:], stride, line, w)
			across(dst[y*dstStride:(y+1)*dstStride], row[:line])
		}
		return nil
	})
}

// parallelWork is the number of multiplications from which a second goroutine pays.
const parallelWork = 1 << 20

// bands calls f for parts of rows, at one time where work is worth it.
func bands(ctx context.Context, rows int, work int64, f func(from, to int) error) error {
	n := min(runtime.GOMAXPROCS(0), rows, int(work/parallelWork)+1)
	if n <= 1 {
		return f(0, rows)
	}
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = f(rows*i/n, rows*(i+1)/n) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// lane masks the bytes that two 32-bit lanes begin with.
const lane = 0x000000FF_000000FF

// roundLanes is a half in both lanes.
const roundLanes = 1<<(weightBits-1) | 1<<(weightBits-1)<<32

// lanes takes the two signed sums apart and makes samples of them. The low sum has borrowed
// from the high one where it is negative.
func lanes(acc uint64) (lo, hi byte) {
	l := int32(acc)
	return clampSample(l >> weightBits), clampSample(int32((acc-uint64(int64(l)))>>32) >> weightBits)
}

func clampSample(v int32) byte {
	if uint32(v) > 255 {
		return byte(^(v >> 31))
	}
	return byte(v)
}

// vertical adds up len(w) rows of n bytes, stride apart. One multiplication of 64 bits does
// two samples: in plain Go this is 4 times as fast as one by one. dst has 8 bytes more than
// n.
func vertical(dst, src []byte, stride, n int, w []int32) {
	if len(w) == 1 {
		copy(dst, src[:n])
		return
	}
	x := 0
	for ; x+8 <= n; x += 8 {
		a0, a1, a2, a3 := uint64(roundLanes), uint64(roundLanes), uint64(roundLanes), uint64(roundLanes)
		at := x
		for _, c := range w {
			if c != 0 {
				v, f := binary.LittleEndian.Uint64(src[at:]), uint64(int64(c))
				a0 += v & lane * f
				a1 += v >> 8 & lane * f
				a2 += v >> 16 & lane * f
				a3 += v >> 24 & lane * f
			}
			at += stride
		}
		d := dst[x : x+8 : x+8]
		d[0], d[4] = lanes(a0)
		d[1], d[5] = lanes(a1)
		d[2], d[6] = lanes(a2)
		d[3], d[7] = lanes(a3)
	}
	for ; x < n; x++ {
		sum, at := int32(1<<(weightBits-1)), x
		for _, c := range w {
			if c != 0 {
				sum += int32(src[at]) * c
			}
			at += stride
		}
		dst[x] = clampSample(sum >> weightBits)
	}
}

// rgba makes a row of pixels.
func (w *weights) rgba(dst, src []byte) {
	for i, first := range w.first {
		taps := w.w[i*w.taps : (i+1)*w.taps]
		convolvePixel(dst[4*i:4*i+4:4*i+4], src[4*int(first):4*(int(first)+w.taps)], taps)
	}
}

// convolvePixel adds up the pixels of s.
func convolvePixel(d, s []byte, w []int32) {
	rb, ga := uint64(roundLanes), uint64(roundLanes)
	for t, c := range w {
		p, f := binary.LittleEndian.Uint32(s[4*t:]), uint64(int64(c))
		v := uint64(p & 0x00FF00FF)
		rb += (v | v<<16) & lane * f
		v = uint64(p >> 8 & 0x00FF00FF)
		ga += (v | v<<16) & lane * f
	}
	r, b := lanes(rb)
	g, a := lanes(ga)
	// Overshoot must not make a colour lighter than its alpha allows.
	d[0], d[1], d[2], d[3] = min(r, a), min(g, a), min(b, a), a
}

// gray makes a row of samples.
func (w *weights) gray(dst, src []byte) {
	for i, first := range w.first {
		taps := w.w[i*w.taps : (i+1)*w.taps]
		s := src[int(first) : int(first)+len(taps)]
		sum := int32(1 << (weightBits - 1))
		for t, c := range taps {
			sum += int32(s[t]) * c
		}
		dst[i] = clampSample(sum >> weightBits)
	}
}
