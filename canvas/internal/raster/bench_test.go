package raster

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"quicksand/canvas/geometry"
)

// blender is a sink that writes as much as one which paints with a colour.
type blender struct {
	pix    []uint32
	stride int
}

func (b *blender) Run(x, y, n int, cover uint8) {
	p := b.pix[y*b.stride+x:][:n]
	for i := range p {
		p[i] = uint32(cover)
	}
}

func (b *blender) Mask(x, y int, cover []uint8) {
	p := b.pix[y*b.stride+x:][:len(cover)]
	for i, c := range cover {
		p[i] += uint32(c)
	}
}

func benchmark(b *testing.B, size int, shapes []*geometry.Polyline) {
	sink := &blender{make([]uint32, size*size), size}
	clip := image.Rect(0, 0, size, size)
	r := new(Rasterizer)
	b.ReportAllocs()
	for b.Loop() {
		for _, pl := range shapes {
			r.Rasterize(pl, NonZero, clip, sink)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(shapes)), "ns/shape")
}

func BenchmarkCircles(b *testing.B) {
	for _, c := range []struct{ size, radius int }{{512, 4}, {512, 20}, {512, 200}, {2048, 900}} {
		b.Run(fmt.Sprintf("radius %d", c.radius), func(b *testing.B) {
			random := rand.New(rand.NewPCG(1, 2))
			var shapes []*geometry.Polyline
			for range 100 {
				r := float64(c.radius)
				free := float64(c.size) - 2*r
				shapes = append(shapes, polyline(circle(r+random.Float64()*free, r+random.Float64()*free, r, int(8*math.Sqrt(r)))))
			}
			benchmark(b, c.size, shapes)
		})
	}
}

func BenchmarkRectangles(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	var shapes []*geometry.Polyline
	for range 10_000 {
		x, y := random.Float64()*450, random.Float64()*450
		w, h := random.Float64()*60, random.Float64()*60
		shapes = append(shapes, polyline([]float64{x, y, x + w, y, x + w, y + h, x, y + h}))
	}
	benchmark(b, 512, shapes)
}

// The strokes of the table in the design notes: a thousand lines of twenty segments with
// round joins and caps, 512 × 512.
func BenchmarkStrokes(b *testing.B) {
	shapes := strokes()
	benchmark(b, 512, shapes)
}

func strokes() []*geometry.Polyline {
	random := rand.New(rand.NewPCG(1, 2))
	var shapes []*geometry.Polyline
	var s geometry.Stroker
	for range 1000 {
		p := new(geometry.Path)
		for range 21 {
			p.LineTo(random.Float64()*512, random.Float64()*512)
		}
		pl := new(geometry.Polyline)
		s.Stroke(pl, p, geometry.Identity, geometry.StrokeOptions{Width: 1 + random.Float64()*5, Cap: geometry.RoundCap, Join: geometry.RoundJoin},
			geometry.Identity, geometry.Rect{}, geometry.Tolerance)
		shapes = append(shapes, pl)
	}
	return shapes
}

// Many edges in many bands: what an edge outside of the band costs.
func BenchmarkBands(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	var s []float64
	for range 100_000 {
		s = append(s, random.Float64()*512, random.Float64()*512)
	}
	for i := 2; i < len(s); i += 2 {
		s[i], s[i+1] = s[i-2]+s[i]/64-4, s[i-1]+s[i+1]/64-4
	}
	pl := polyline(s)
	for _, rows := range []int{512, 64} {
		b.Run(fmt.Sprintf("%d rows", rows), func(b *testing.B) {
			sink := &blender{make([]uint32, 512*512), 512}
			r := new(Rasterizer)
			b.ReportAllocs()
			for b.Loop() {
				for y := 0; y < 512; y += rows {
					r.Rasterize(pl, NonZero, image.Rect(0, y, 512, y+rows), sink)
				}
			}
		})
	}
}
