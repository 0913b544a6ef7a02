package geometry_test

import (
	"image"
	"math"
	"testing"

	"quicksand/canvas/geometry"
	"quicksand/canvas/internal/raster"
)

// What hostile paths make is bounded by their segments, whatever their coordinates.
func TestHostilePathsMakeBoundedOutlines(t *testing.T) {
	type options = geometry.StrokeOptions
	far := path(func(p *geometry.Path) {
		p.MoveTo(-1e300, 1e300)
		p.LineTo(1e300, -1e300)
		p.CubicTo(1e300, 1e300, -1e300, 5, 3, 4)
		p.Arc(0, 0, 1e300, 0, 6, false)
	})
	long := path(func(p *geometry.Path) { p.MoveTo(-1e12, 7); p.LineTo(1e12, 9) })
	line := path(func(p *geometry.Path) { p.MoveTo(0, 0); p.LineTo(500, 500) })
	curves := path(func(p *geometry.Path) {
		for i := range 400 {
			p.CubicTo(1e9*float64(i%7), -1e9, -1e9, 1e9*float64(i%5), 3, 4)
		}
	})
	tests := []struct {
		name string
		path *geometry.Path
		o    options
		most int // points
	}{
		{"coordinates that overflow", far, options{Width: 10, MiterLimit: 10}, 40_000},
		{"a width that overflows", line, options{Width: 1e300, Cap: geometry.RoundCap}, 10_000},
		{"a miter without limit", far, options{Width: 10, MiterLimit: 1e300}, 40_000},
		{"dashes of a line that is mostly out of sight", long, options{Width: 10, Dashes: []float64{5, 5}}, 4 * 130},
		{"dashes of coordinates that overflow", far, options{Width: 10, Dashes: []float64{5, 5}}, 100_000},
		{"dashes of which many come to a pixel", line, options{Width: 10, Dashes: []float64{0.004, 0.004}}, 4 << 19},
		{"dashes that overflow", line, options{Width: 10, Dashes: []float64{1e308, 1e308}}, 4},
		{"a dash offset that is not finite", line, options{Width: 10, Dashes: []float64{5, 5}, DashOffset: math.Inf(1)}, 4},
		{"a dash offset of many periods", line, options{Width: 10, Dashes: []float64{5, 5}, DashOffset: -1e300}, 4 * 72},
		{"wide strokes of many curves", curves, options{Width: 1e4, Join: geometry.RoundJoin}, 1 << 22},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var pl geometry.Polyline
			new(geometry.Stroker).Stroke(&pl, tt.path, geometry.Identity, tt.o, geometry.Identity, geometry.Rect{X1: 500, Y1: 500}, geometry.Tolerance)
			finitePoints(t, &pl)
			if n := len(pl.Points); n == 0 || n > tt.most {
				t.Errorf("%d points, want at most %d", n, tt.most)
			}
			var c coverage
			new(raster.Rasterizer).Rasterize(&pl, raster.NonZero, image.Rect(0, 0, 500, 500), &c)
			if c.sum > 250_000 {
				t.Errorf("covers %g of 250000 pixels", c.sum)
			}
		})
	}
}

func TestMatricesThatAreNotFiniteDrawNothing(t *testing.T) {
	p := path(func(p *geometry.Path) { p.Rect(0, 0, 10, 10) })
	for _, m := range []geometry.Matrix{{A: math.NaN()}, {A: 1, D: math.Inf(1)}} {
		var pl geometry.Polyline
		p.Flatten(&pl, m, 0.1)
		new(geometry.Stroker).Stroke(&pl, p, geometry.Identity, geometry.StrokeOptions{Width: 1}, m, geometry.Rect{}, 0.1)
		new(geometry.Stroker).Stroke(&pl, p, m, geometry.StrokeOptions{Width: 1}, geometry.Identity, geometry.Rect{}, 0.1)
		if len(pl.Points) != 0 {
			t.Errorf("%v draws %v", m, pl.Points)
		}
	}
}

// The dashes that are seen do not depend on where the clip cuts the others off.
func TestDashesOutOfSight(t *testing.T) {
	p := path(func(p *geometry.Path) {
		p.MoveTo(-5e4, -3e4)
		p.LineTo(6e4, 3.9e4)
		p.LineTo(200, -1e5)
		p.LineTo(100, 1e5)
		p.Close()
	})
	for _, o := range []geometry.StrokeOptions{
		{Width: 4, Dashes: []float64{7, 5}},
		{Width: 9, Dashes: []float64{7, 5, 0, 3}, DashOffset: 4, Cap: geometry.SquareCap},
		{Width: 3, Dashes: []float64{30}, DashOffset: -200, Cap: geometry.RoundCap, MiterLimit: 5},
	} {
		var all, seen geometry.Polyline
		var s geometry.Stroker
		s.Stroke(&all, p, geometry.Identity, o, geometry.Identity, geometry.Rect{}, 0.1)
		s.Stroke(&seen, p, geometry.Identity, o, geometry.Identity, geometry.Rect{X1: 300, Y1: 300}, 0.1)
		if len(seen.Points) > len(all.Points)/20 {
			t.Errorf("%v: %d points of %d", o.Dashes, len(seen.Points), len(all.Points))
		}
		var r raster.Rasterizer
		a, b := &picture{make([]uint8, 300*300), 300}, &picture{make([]uint8, 300*300), 300}
		r.Rasterize(&all, raster.NonZero, image.Rect(0, 0, 300, 300), a)
		r.Rasterize(&seen, raster.NonZero, image.Rect(0, 0, 300, 300), b)
		covered := 0
		for i := range a.pix {
			if a.pix[i] != 0 {
				covered++
			}
			if d := int(a.pix[i]) - int(b.pix[i]); d > 1 || d < -1 {
				t.Fatalf("%v: pixel (%d, %d) is %d, with the clip %d", o.Dashes, i%300, i/300, a.pix[i], b.pix[i])
			}
		}
		if covered < 500 {
			t.Errorf("%v: %d pixels are covered", o.Dashes, covered)
		}
	}
}
