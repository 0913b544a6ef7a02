package geometry_test

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"quicksand/canvas/geometry"
	"quicksand/canvas/internal/raster"
)

// picture is a sink that keeps the coverage.
type picture struct {
	pix    []uint8
	stride int
}

func (p *picture) Run(x, y, n int, cover uint8) {
	for i := range n {
		p.pix[y*p.stride+x+i] = cover
	}
}

func (p *picture) Mask(x, y int, cover []uint8) { copy(p.pix[y*p.stride+x:], cover) }

// BenchmarkTolerance flattens and fills discs and blobs of cubic curves of 3 to 200 pixels. It
// reports the greatest and the mean difference from the same with a tolerance of 0.001, in
// levels of the pixels that differ, and the chords of a shape.
func BenchmarkTolerance(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	var shapes []*geometry.Path
	for i := range 60 {
		r := 3 * math.Pow(200./3, float64(i)/59)
		x, y := 220+random.Float64(), 220+random.Float64()
		p := new(geometry.Path)
		if i%2 == 0 {
			p.Arc(x, y, r, 0, 2*math.Pi, false)
		} else {
			p.MoveTo(x-r, y)
			p.CubicTo(x-r, y-2*r, x+r/2, y-r, x+r, y)
			p.CubicTo(x+r/2, y+2*r, x, y, x-r, y)
		}
		shapes = append(shapes, p)
	}
	const size = 450
	draw := func(p *geometry.Path, tolerance float64, pl *geometry.Polyline, r *raster.Rasterizer, pic *picture) {
		pl.Reset()
		p.Flatten(pl, geometry.Identity, tolerance)
		r.Rasterize(pl, raster.NonZero, image.Rect(0, 0, size, size), pic)
	}
	for _, tolerance := range []float64{0.2, 0.1, 0.05, 0.02, 0.01} {
		b.Run(fmt.Sprint(tolerance), func(b *testing.B) {
			var pl geometry.Polyline
			var r raster.Rasterizer
			most, sum, n, points := 0.0, 0.0, 0, 0
			for _, p := range shapes {
				want, got := &picture{make([]uint8, size*size), size}, &picture{make([]uint8, size*size), size}
				draw(p, 0.001, &pl, &r, want)
				draw(p, tolerance, &pl, &r, got)
				points += len(pl.Points)
				for i, w := range want.pix {
					if w != 0 && w != 255 {
						d := math.Abs(float64(w) - float64(got.pix[i]))
						most, sum, n = max(most, d), sum+d, n+1
					}
				}
			}
			pic := &picture{make([]uint8, size*size), size}
			for b.Loop() {
				for _, p := range shapes {
					draw(p, tolerance, &pl, &r, pic)
				}
			}
			b.ReportMetric(most, "max")
			b.ReportMetric(sum/float64(n), "mean")
			b.ReportMetric(float64(points)/float64(len(shapes)), "chords")
		})
	}
}

// BenchmarkStroker makes the outlines of a thousand lines of twenty segments with round joins
// and caps, and of circles.
func BenchmarkStroker(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	lines, circles := make([]*geometry.Path, 1000), make([]*geometry.Path, 1000)
	for i := range lines {
		lines[i], circles[i] = new(geometry.Path), new(geometry.Path)
		for range 21 {
			lines[i].LineTo(random.Float64()*512, random.Float64()*512)
		}
		circles[i].Arc(256, 256, 1+random.Float64()*100, 0, 2*math.Pi, false)
	}
	for _, bb := range []struct {
		name  string
		paths []*geometry.Path
		o     geometry.StrokeOptions
	}{
		{"round lines", lines, geometry.StrokeOptions{Width: 4, Cap: geometry.RoundCap, Join: geometry.RoundJoin}},
		{"miters", lines, geometry.StrokeOptions{Width: 4, MiterLimit: 10}},
		{"dashes", lines, geometry.StrokeOptions{Width: 2, Dashes: []float64{8, 6}}},
		{"circles", circles, geometry.StrokeOptions{Width: 2}},
		{"wide circles", circles, geometry.StrokeOptions{Width: 150}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			var s geometry.Stroker
			var pl geometry.Polyline
			points := 0
			b.ReportAllocs()
			for b.Loop() {
				points = 0
				for _, p := range bb.paths {
					pl.Reset()
					s.Stroke(&pl, p, geometry.Identity, bb.o, geometry.Identity, geometry.Rect{X1: 512, Y1: 512}, geometry.Tolerance)
					points += len(pl.Points)
				}
			}
			b.ReportMetric(float64(points)/1000, "points")
		})
	}
}
