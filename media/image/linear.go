package image

import (
	"context"
	"math"
)

// ResizeLinear is ResizeSurface in linear light: samples are taken to be sRGB (IEC 61966-2-1)
// and are resampled as amounts of light, in floating point. It is what keeps fine bright
// detail bright, and costs several times as much. Nothing is pre-shrunk.
func ResizeLinear(ctx context.Context, s *Surface, part Rect, width, height int, k Kernel) (*Surface, error) {
	out := New(width, height)
	h := newWeights(k, width, part.X, part.Width, s.Width, false)
	v := newWeights(k, height, part.Y, part.Height, s.Height, false)
	hw, vw := h.floats(), v.floats()
	opaque := s.Opaque()
	err := bands(ctx, height, 4*int64(height)*int64(s.Width)*int64(v.taps), func(from, to int) error {
		// Input rows as light, kept while they are in the window; see spreadRows.
		rows := make([][]float32, min(v.taps, maxSpread))
		held := make([]int, len(rows))
		for i := range rows {
			rows[i], held[i] = make([]float32, 4*s.Width), -1
		}
		sum := make([]float32, 4*s.Width)
		for y := from; y < to; y++ {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			clear(sum)
			for t, f := range vw[y*v.taps : (y+1)*v.taps] {
				if f == 0 {
					continue
				}
				at := int(v.first[y]) + t
				slot := at % len(rows)
				if held[slot] != at {
					lightRow(rows[slot], s.Row(at))
					held[slot] = at
				}
				row := rows[slot][:len(sum)]
				for i := range sum {
					sum[i] += f * row[i]
				}
			}
			dst := out.Row(y)
			for x := range width {
				w := hw[x*h.taps : (x+1)*h.taps]
				src := sum[4*int(h.first[x]):][:4*len(w)]
				var r, g, b, a float32
				for t, f := range w {
					p := src[4*t : 4*t+4 : 4*t+4]
					r, g, b, a = r+f*p[0], g+f*p[1], b+f*p[2], a+f*p[3]
				}
				d := dst[4*x : 4*x+4 : 4*x+4]
				if opaque {
					d[0], d[1], d[2], d[3] = encodeSRGB(r), encodeSRGB(g), encodeSRGB(b), 255
					continue
				}
				d[3] = byte(min(max(a, 0), 1)*255 + 0.5)
				if d[3] == 0 {
					continue
				}
				k := 1 / a
				d[0], d[1], d[2] = encodeSRGB(r*k), encodeSRGB(g*k), encodeSRGB(b*k)
				Premultiply(d)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// floats are the weights as numbers.
func (w *weights) floats() []float32 {
	f := make([]float32, len(w.w))
	for i, v := range w.w {
		f[i] = float32(int64(v)) / (1 << weightBits)
	}
	return f
}

// lights is the linear light of an sRGB sample.
var lights = func() (t [256]float32) {
	for i := range t {
		v := float64(i) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		t[i] = float32(v)
	}
	return t
}()

// lightRow makes light of a row of pixels, multiplied by alpha, and alpha of 0 to 1.
func lightRow(dst []float32, src []byte) {
	for i := 0; i+3 < len(src); i += 4 {
		p, d := src[i:i+4:i+4], dst[i:i+4:i+4]
		switch a := p[3]; a {
		case 255:
			d[0], d[1], d[2], d[3] = lights[p[0]], lights[p[1]], lights[p[2]], 1
		case 0:
			d[0], d[1], d[2], d[3] = 0, 0, 0, 0
		default:
			k, n := float32(a)/255, uint32(a)
			straight := func(v byte) float32 { return k * lights[min((uint32(v)*255+n/2)/n, 255)] }
			d[0], d[1], d[2], d[3] = straight(p[0]), straight(p[1]), straight(p[2]), k
		}
	}
}
