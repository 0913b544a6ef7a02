package paint

import (
	"context"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"quicksand/canvas/geometry"
	pix "quicksand/media/image"
)

// perPixel reports the time for one pixel.
func perPixel(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/px")
}

func BenchmarkOver(b *testing.B) {
	const w, h = 512, 64
	r := rand.New(rand.NewPCG(1, 1))
	dst := randomSurface(r, w, h)
	opaque := randomSurface(r, w, h)
	for i := 3; i < len(opaque.Pix); i += 4 {
		opaque.Pix[i] = 255
	}
	ramp := NewRamp(redToBlue)
	turned := geometry.Matrix{A: 0.8, B: 0.6, C: -0.6, D: 0.8, E: 200}
	cover := make([]uint8, w)
	edges := make([]uint8, w)
	for i := range cover {
		cover[i] = uint8(r.IntN(254) + 1)
		edges[i] = [8]uint8{0, 0, 40, 255, 255, 255, 130, 0}[i%8]
	}
	place := func(s *pix.Surface, m geometry.Matrix, e Edge, q Smoothing) Source {
		return NewTexture(s).Place(image.Rect(0, 0, w, h), m, e, e, q)
	}
	clip := NewClip(image.Rect(0, 0, w, h)).Shape(image.Rect(0, 0, w, h), func(s Sink, _ image.Rectangle) {
		for y := range h {
			s.Mask(0, y, edges)
		}
	})
	for _, row := range []struct {
		name  string
		op    Op
		cover []uint8
	}{
		{"colour, opaque run", Op{Source: NewColour([4]uint8{1, 2, 3, 255})}, nil},
		{"colour, run", Op{Source: NewColour([4]uint8{1, 2, 3, 99})}, nil},
		{"colour, opaque, partial mask", Op{Source: NewColour([4]uint8{1, 2, 3, 255})}, cover},
		{"colour, partial mask", Op{Source: NewColour([4]uint8{1, 2, 3, 99})}, cover},
		{"colour, opaque, glyph mask", Op{Source: NewColour([4]uint8{1, 2, 3, 255})}, edges},
		{"colour, run in a masked clip", Op{Source: NewColour([4]uint8{1, 2, 3, 255}), Clip: clip}, nil},
		{"linear", Op{Source: ramp.Place(Linear, [6]float64{0, 0, 500, 60}, geometry.Identity)}, nil},
		{"linear, vertical", Op{Source: ramp.Place(Linear, [6]float64{0, 0, 0, 60}, geometry.Identity)}, nil},
		{"linear, alpha", Op{Alpha: 0.5, Source: ramp.Place(Linear, [6]float64{0, 0, 500, 60}, geometry.Identity)}, nil},
		{"radial, concentric", Op{Source: ramp.Place(Radial, [6]float64{250, 30, 5, 250, 30, 200}, geometry.Identity)}, nil},
		{"radial", Op{Source: ramp.Place(Radial, [6]float64{200, 30, 5, 250, 30, 200}, geometry.Identity)}, nil},
		{"conic", Op{Source: ramp.Place(Conic, [6]float64{0, 250, 30}, geometry.Identity)}, nil},
		{"image, opaque copy", Op{Source: place(opaque, geometry.Identity, Clamp, SmoothLow)}, nil},
		{"image, translucent copy", Op{Source: place(randomSurface(r, w, h), geometry.Identity, Clamp, SmoothLow)}, nil},
		{"image, nearest", Op{Source: place(opaque, scaled(3, 3), Clamp, SmoothOff)}, nil},
		{"image, bilinear", Op{Source: place(opaque, scaled(1.5, 1.5), Clamp, SmoothLow)}, nil},
		{"image, bilinear, turned", Op{Source: place(opaque, turned, Clamp, SmoothLow)}, nil},
		{"image, bilinear, repeated", Op{Source: place(opaque, turned, Repeat, SmoothLow)}, nil},
		{"image, bicubic", Op{Source: place(opaque, scaled(1.5, 1.5), Clamp, SmoothHigh)}, nil},
	} {
		b.Run(row.name, func(b *testing.B) {
			if row.op.Alpha == 0 {
				row.op.Alpha = 1
			}
			p := NewPainter(dst, 0, h)
			for b.Loop() {
				p.Begin(row.op)
				for y := range h {
					if row.cover != nil {
						p.Mask(0, y, row.cover)
					} else {
						p.Run(0, y, w, 255)
					}
				}
				p.End()
			}
			perPixel(b, w*h)
		})
	}
}

func BenchmarkModes(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	const w, h = 256, 64
	dst, src := randomSurface(r, w, h), pixels{randomSurface(r, w, h)}
	for m := range pix.BlendMode(modes) {
		b.Run(m.String(), func(b *testing.B) {
			p := NewPainter(dst, 0, h)
			for b.Loop() {
				p.Begin(Op{Mode: m, Alpha: 1, Source: src})
				p.Rect(image.Rect(0, 0, w, h), 255)
				p.End()
			}
			perPixel(b, w*h)
		})
	}
}

func BenchmarkSmallOperations(b *testing.B) {
	dst := pix.New(64, 64)
	p := NewPainter(dst, 0, 64)
	glyph := rectMask(image.Rect(0, 0, 8, 10), image.Rect(2, 2, 7, 7))
	b.Run("glyph of 8×10", func(b *testing.B) {
		b.ReportAllocs()
		op := Op{Alpha: 1, Source: NewColour([4]uint8{9, 9, 9, 255})}
		for b.Loop() {
			p.Begin(op)
			p.Draw(glyph)
			p.End()
		}
	})
	b.Run("ramp", func(b *testing.B) {
		for b.Loop() {
			NewRamp(redToBlue).build()
		}
	})
}

func BenchmarkEffects(b *testing.B) {
	visible := image.Rect(0, 0, 1024, 1024)
	for _, row := range []struct {
		name string
		size int
		blur float64
	}{{"shadow of 100×100, blur 5", 100, 5}, {"shadow of 100×100, blur 10", 100, 10}, {"shadow of 100×100, blur 20", 100, 20}, {"shadow of 100×100, blur 60", 100, 60}, {"shadow of 500×500, blur 10", 500, 10}, {"shadow of 500×500, blur 30", 500, 30}} {
		b.Run(row.name, func(b *testing.B) {
			shape := image.Rect(200, 200, 200+row.size, 200+row.size)
			e := Effect{Shadow: Shadow{Colour: [4]uint8{3: 255}, Blur: row.blur, X: 3, Y: 3}}
			dst := pix.New(1024, 1024)
			p := NewPainter(dst, 0, 1024)
			for b.Loop() {
				m, err := e.Cast(context.Background(), rectMask(shape, shape), visible)
				if err != nil {
					b.Fatal(err)
				}
				p.Begin(Op{Alpha: 1, Source: NewColour(e.Shadow.Colour)})
				p.Draw(m)
				p.End()
			}
			perPixel(b, row.size*row.size)
		})
	}
	for _, blur := range []float64{4, 10, 20} {
		b.Run(fmt.Sprintf("shadow of a disc of 100, blur %v", blur), func(b *testing.B) {
			shape := image.Rect(200, 200, 300, 300)
			disc := NewMask(shape)
			for y := range 100 {
				w := int(math.Sqrt(50*50 - (float64(y)-49.5)*(float64(y)-49.5)))
				disc.Run(250-w, 200+y, 2*w, 255)
			}
			e := Effect{Shadow: Shadow{Colour: [4]uint8{3: 255}, Blur: blur, X: 3, Y: 3}}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Cast(context.Background(), disc, visible); err != nil {
					b.Fatal(err)
				}
			}
			perPixel(b, 100*100)
		})
	}
	b.Run("blur(4px) of an image of 300×300", func(b *testing.B) {
		steps, _ := ParseFilter("blur(4px)", 10)
		e := Effect{Filters: steps}
		l := &Layer{image.Rect(200, 200, 500, 500), randomSurface(rand.New(rand.NewPCG(1, 1)), 300, 300)}
		for b.Loop() {
			if _, err := e.Filter(context.Background(), l, visible); err != nil {
				b.Fatal(err)
			}
		}
		perPixel(b, 300*300)
	})
	for _, css := range []string{"blur(4px)", "blur(20px)", "drop-shadow(3px 3px 4px black)", "sepia(50%) contrast(120%)"} {
		b.Run(css+" of 300×300", func(b *testing.B) {
			steps, _ := ParseFilter(css, 10)
			e := Effect{Filters: steps}
			shape := image.Rect(200, 200, 500, 500)
			for b.Loop() {
				l := NewLayer(e.Bounds(shape, visible))
				p := l.Painter(0, 1024)
				p.Begin(Op{Alpha: 1, Source: NewColour([4]uint8{200, 100, 0, 255})})
				p.Rect(shape, 255)
				p.End()
				if _, err := e.Filter(context.Background(), l, visible); err != nil {
					b.Fatal(err)
				}
			}
			perPixel(b, 300*300)
		})
	}
}
