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
	s, part, hh, vh := preshrinkSurface(s, part, width, height, k)
	out := New(width, height)
	h := newWeights(k, width, part.X, part.Width, s.Width, hh)
	v := newWeights(k, height, part.Y, part.Height, s.Height, vh)
	if err := resampleSurface(ctx, out, s, h, v, 0); err != nil {
		return nil, err
	}
	return out, nil
}

// ResizePlane resamples the part of p within part.
func ResizePlane(ctx context.Context, p Plane, part Rect, width, height int, k Kernel) (Plane, error) {
	p, part, hh, vh := preshrinkPlane(p, part, width, height, k)
	out := Plane{Pix: make([]byte, width*height), Stride: width, Width: width, Height: height}
	h := newWeights(k, width, part.X, part.Width, p.Width, hh)
	v := newWeights(k, height, part.Y, part.Height, p.Height, vh)
	return out, resamplePlane(ctx, out, p, h, v, 0)
}

// How the loops below work. One multiplication of 64 bits does three samples: a word holds
// them in lanes of laneBits, far enough apart for the sums. Input rows are spread into words
// once and used for as many output rows as the kernel is wide. The vertical pass comes
// first, adding up to four rows at once; its words are cut back to 8 bits in place, and the
// horizontal pass adds up words of neighbours. A word of a surface is the three colours of a
// pixel, so an opaque picture costs three quarters; samples of planes and of alpha go three
// neighbours to a word in the vertical pass, and three output rows to a word in the
// horizontal one. In plain Go this is about five times as fast as sample by sample.
const (
	laneBits = 21
	ones     = 1 | 1<<laneBits | 1<<(2*laneBits)
	byteLane = 0xFF * ones

	// laneBias keeps sums from being negative, which would borrow from the next lane. With it
	// negative weights may be 0.5 together, and positive ones 1.5; see quantizeWeights.
	laneBias = 1 << 19
	// accStart is where each sum begins: the bias, and a half for rounding.
	accStart = (laneBias + 1<<(weightBits-1)) * ones
)

// settle makes samples of sums. Biased ones of 0 to 255 have the two highest bits of their
// lane different.
func settle(acc uint64) uint64 {
	if (acc^acc>>1)&(laneBias*ones) == laneBias*ones {
		return (acc - laneBias*ones) >> weightBits & byteLane
	}
	return clampLanes(acc)
}

// clampLanes is settle for words of which a sample is out of range.
func clampLanes(acc uint64) uint64 {
	const lane, bias = 1<<laneBits - 1, laneBias >> weightBits
	a, b, c := int32(acc&lane>>weightBits)-bias, int32(acc>>laneBits&lane>>weightBits)-bias, int32(acc>>(2*laneBits)&lane>>weightBits)-bias
	return uint64(clampSample(a)) | uint64(clampSample(b))<<laneBits | uint64(clampSample(c))<<(2*laneBits)
}

func clampSample(v int32) byte {
	if uint32(v) > 255 {
		return byte(^(v >> 31))
	}
	return byte(v)
}

// spreadColours makes a word of the colours of each pixel.
func spreadColours(dst []uint64, src []byte) {
	for i := range dst {
		dst[i] = spread(uint64(binary.LittleEndian.Uint32(src[4*i:])))
	}
}

// spread makes a word of the colours of the pixel in the low half of p.
func spread(p uint64) uint64 {
	return p&0xFF | p&0xFF00<<(laneBits-8) | p&0xFF0000<<(2*laneBits-16)
}

// spreadSamples makes words of three samples each, step bytes apart from one another; after
// the last one come zeros.
func spreadSamples(dst []uint64, src []byte, step int) {
	at := 0
	for i := range dst {
		var p uint64
		if at+2*step < len(src) {
			p = uint64(src[at]) | uint64(src[at+step])<<laneBits | uint64(src[at+2*step])<<(2*laneBits)
		} else {
			for k := range 3 {
				if at+k*step < len(src) {
					p |= uint64(src[at+k*step]) << (k * laneBits)
				}
			}
		}
		dst[i] = p
		at += 3 * step
	}
}

// maxSpread is the number of spread rows that are kept at most. Kernels that are wider, in
// pictures shrunk a lot by a kernel that is not pre-shrunk, have rows spread again.
const maxSpread = 64

// spreadRows are input rows as words. Rows outside of the input are zeros.
type spreadRows struct {
	height int
	spread func(dst []uint64, y int)
	rows   [][]uint64
	held   []int // row in each slot
	zero   []uint64
}

func newSpreadRows(words, height, taps int, spread func(dst []uint64, y int)) *spreadRows {
	// At least as many as are used at once.
	r := &spreadRows{height: height, spread: spread, rows: make([][]uint64, min(max(taps, 4), maxSpread))}
	r.held = make([]int, len(r.rows))
	for i := range r.rows {
		r.rows[i], r.held[i] = make([]uint64, words), -1
	}
	return r
}

func (r *spreadRows) row(y int) []uint64 {
	if y < 0 || y >= r.height {
		if r.zero == nil {
			r.zero = make([]uint64, len(r.rows[0]))
		}
		return r.zero
	}
	slot := y % len(r.rows)
	if r.held[slot] != y {
		r.spread(r.rows[slot], y)
		r.held[slot] = y
	}
	return r.rows[slot]
}

// vertical adds up rows from first on by the weights w and settles the sums.
func (r *spreadRows) vertical(dst []uint64, first int, w []uint64) {
	for len(w) > 1 && w[0] == 0 {
		w, first = w[1:], first+1
	}
	for len(w) > 1 && w[len(w)-1] == 0 {
		w = w[:len(w)-1]
	}
	// The first one to four rows begin the sums, the others come four at a time.
	switch n := (len(w)-1)%4 + 1; n {
	case 1:
		begin1(dst, r.row(first), w[0])
		w, first = w[1:], first+1
	case 2:
		begin2(dst, r.row(first), r.row(first+1), w[0], w[1])
		w, first = w[2:], first+2
	case 3:
		begin2(dst, r.row(first), r.row(first+1), w[0], w[1])
		add1(dst, r.row(first+2), w[2])
		w, first = w[3:], first+3
	case 4:
		begin2(dst, r.row(first), r.row(first+1), w[0], w[1])
		add2(dst, r.row(first+2), r.row(first+3), w[2], w[3])
		w, first = w[4:], first+4
	}
	for len(w) > 0 {
		add4(dst, r.row(first), r.row(first+1), r.row(first+2), r.row(first+3), (*[4]uint64)(w))
		w, first = w[4:], first+4
	}
	for i, acc := range dst {
		dst[i] = settle(acc)
	}
}

func begin1(dst, a []uint64, f uint64) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = accStart + a[i]*f
	}
}

func begin2(dst, a, b []uint64, f, g uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = accStart + a[i]*f + b[i]*g
	}
}

func add1(dst, a []uint64, f uint64) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] += a[i] * f
	}
}

func add2(dst, a, b []uint64, f, g uint64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] += a[i]*f + b[i]*g
	}
}

func add4(dst, a, b, c, d []uint64, w *[4]uint64) {
	a, b, c, d = a[:len(dst)], b[:len(dst)], c[:len(dst)], d[:len(dst)]
	f0, f1, f2, f3 := w[0], w[1], w[2], w[3]
	for i := range dst {
		dst[i] += a[i]*f0 + b[i]*f1 + c[i]*f2 + d[i]*f3
	}
}

// sum adds up neighbouring words.
func sum(src, w []uint64) uint64 {
	acc := uint64(accStart)
	src = src[:len(w)]
	for len(w) >= 4 && len(src) >= 4 {
		acc += src[0]*w[0] + src[1]*w[1] + src[2]*w[2] + src[3]*w[3]
		src, w = src[4:], w[4:]
	}
	for t, f := range w {
		acc += src[t] * f
	}
	return acc
}

// opaqueRow makes a row of opaque pixels.
func (w *weights) opaqueRow(dst []byte, src []uint64) {
	for i, first := range w.first {
		v := settle(sum(src[first:], w.weightsOf(i)))
		binary.LittleEndian.PutUint32(dst[4*i:], uint32(v&0xFF|v>>(laneBits-8)&0xFF00|v>>(2*laneBits-16)&0xFF0000)|0xFF000000)
	}
}

// colourRow makes a row of pixels whose alpha is there already. Overshoot must not make a
// colour lighter than its alpha allows.
func (w *weights) colourRow(dst []byte, src []uint64) {
	for i, first := range w.first {
		v := settle(sum(src[first:], w.weightsOf(i)))
		d := dst[4*i : 4*i+4 : 4*i+4]
		a := d[3]
		d[0], d[1], d[2] = min(byte(v), a), min(byte(v>>laneBits), a), min(byte(v>>(2*laneBits)), a)
	}
}

// threeRows makes samples, step bytes apart, of three rows, of which each word has one.
// The first row is written last: it may be the same as the others.
func (w *weights) threeRows(dst [3][]byte, step int, src []uint64) {
	a, b, c := dst[0], dst[1], dst[2]
	for i, first := range w.first {
		v := settle(sum(src[first:], w.weightsOf(i)))
		c[step*i] = byte(v >> (2 * laneBits))
		b[step*i] = byte(v >> laneBits)
		a[step*i] = byte(v)
	}
}

// transpose turns words of three neighbours, of three rows, into words of three rows.
func transpose(dst, a, b, c []uint64) {
	const m0, m1, m2 = 0xFF, 0xFF << laneBits, 0xFF << (2 * laneBits)
	b, c = b[:len(a)], c[:len(a)]
	for i, p := range a {
		q, r := b[i], c[i]
		d := dst[3*i : 3*i+3 : 3*i+3]
		d[0] = p&m0 | q&m0<<laneBits | r&m0<<(2*laneBits)
		d[1] = p>>laneBits&m0 | q&m1 | r&m1<<laneBits
		d[2] = p>>(2*laneBits) | q>>laneBits&m1 | r&m2
	}
}

// A sampler resamples one channel, three output rows at a time.
type sampler struct {
	rows *spreadRows
	h, v *weights
	step int         // bytes between samples of an output row
	acc  [3][]uint64 // of the vertical pass
	wide []uint64    // words of three rows, with pad zeros before and after
	pad  int
}

func newSampler(width, height int, h, v *weights, step, pad int, spread func(dst []uint64, y int)) *sampler {
	words := (width + 2) / 3
	s := &sampler{rows: newSpreadRows(words, height, v.taps, spread), h: h, v: v, step: step, pad: pad}
	for i := range s.acc {
		s.acc[i] = make([]uint64, words)
	}
	s.wide = make([]uint64, 3*words+2*pad)
	return s
}

// make writes the output rows from y on, of which the last ones may be nil.
func (s *sampler) make(dst [3][]byte, y int) {
	for i := range dst {
		if dst[i] == nil {
			dst[i] = dst[0]
			continue
		}
		s.rows.vertical(s.acc[i], int(s.v.first[y+i]), s.v.weightsOf(y+i))
	}
	transpose(s.wide[s.pad:], s.acc[0], s.acc[1], s.acc[2])
	s.h.threeRows(dst, s.step, s.wide)
}

// resampleSurface makes out of in, both passes over pad transparent pixels to the left and
// to the right.
func resampleSurface(ctx context.Context, out, in *Surface, h, v weights, pad int) error {
	opaque := pad == 0 && in.Opaque()
	return bands(ctx, out.Height, int64(out.Height)*int64(in.Width)*int64(v.taps), func(from, to int) error {
		colours := newSpreadRows(in.Width, in.Height, v.taps, func(dst []uint64, y int) { spreadColours(dst, in.Row(y)) })
		var alpha *sampler
		if !opaque {
			alpha = newSampler(in.Width, in.Height, &h, &v, 4, pad, func(dst []uint64, y int) { spreadSamples(dst, in.Row(y)[3:], 4) })
		}
		row := make([]uint64, in.Width+2*pad)
		for y := from; y < to; y++ {
			if y&15 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if !opaque && (y-from)%3 == 0 {
				var dst [3][]byte
				for i := range min(3, to-y) {
					dst[i] = out.Row(y + i)[3:]
				}
				alpha.make(dst, y)
			}
			colours.vertical(row[pad:pad+in.Width], int(v.first[y]), v.weightsOf(y))
			if opaque {
				h.opaqueRow(out.Row(y), row)
			} else {
				h.colourRow(out.Row(y), row)
			}
		}
		return nil
	})
}

// resamplePlane is resampleSurface for one channel.
func resamplePlane(ctx context.Context, out, in Plane, h, v weights, pad int) error {
	return bands(ctx, out.Height, int64(out.Height)*int64(in.Width)*int64(v.taps)/2, func(from, to int) error {
		s := newSampler(in.Width, in.Height, &h, &v, 1, pad, func(dst []uint64, y int) {
			spreadSamples(dst, in.Pix[y*in.Stride:][:in.Width], 1)
		})
		for y := from; y < to; y += 3 {
			if y&15 < 3 && ctx.Err() != nil {
				return ctx.Err()
			}
			var dst [3][]byte
			for i := range min(3, to-y) {
				dst[i] = out.Pix[(y+i)*out.Stride:][:out.Width]
			}
			s.make(dst, y)
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
