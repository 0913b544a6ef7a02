package geometry_test

import (
	"image"
	"math"
	"testing"

	"quicksand/canvas/geometry"
	"quicksand/canvas/internal/raster"
)

// coverage is a sink that adds up.
type coverage struct{ sum, pixels float64 }

func (c *coverage) Run(x, y, n int, cover uint8) {
	c.sum += float64(n) * float64(cover) / 255
	c.pixels += float64(n)
}

func (c *coverage) Mask(x, y int, cover []uint8) {
	for _, v := range cover {
		c.sum += float64(v) / 255
	}
	c.pixels += float64(len(cover))
}

// area is the area that the polyline covers of the square of 500 by 500 around the origin.
func area(pl *geometry.Polyline) float64 {
	const zoom = 8
	big := new(geometry.Polyline)
	for _, p := range pl.Points {
		big.Points = append(big.Points, p.Mul(zoom))
	}
	big.Ends, big.Closed = pl.Ends, pl.Closed
	var c coverage
	new(raster.Rasterizer).Rasterize(big, raster.NonZero, image.Rect(-250*zoom, -250*zoom, 250*zoom, 250*zoom), &c)
	return c.sum / (zoom * zoom)
}

func path(build func(p *geometry.Path)) *geometry.Path {
	p := new(geometry.Path)
	build(p)
	return p
}

func stroke(p *geometry.Path, o geometry.StrokeOptions, m geometry.Matrix) *geometry.Polyline {
	pl := new(geometry.Polyline)
	new(geometry.Stroker).Stroke(pl, p, geometry.Identity, o, m, geometry.Rect{}, 0.005)
	return pl
}

var (
	line   = path(func(p *geometry.Path) { p.MoveTo(-40, 0); p.LineTo(40, 0) })
	corner = path(func(p *geometry.Path) { p.MoveTo(-40, 0); p.LineTo(0, 0); p.LineTo(0, 40) })
	square = path(func(p *geometry.Path) { p.Rect(-40, -40, 80, 80) })
	circle = path(func(p *geometry.Path) { p.Arc(0, 0, 40, 0, 2*math.Pi, false); p.Close() })
	back   = path(func(p *geometry.Path) { p.MoveTo(-40, 0); p.LineTo(40, 0); p.LineTo(-20, 0) })
	sharp  = path(func(p *geometry.Path) { p.MoveTo(-40, 0); p.LineTo(0, 0); p.LineTo(-40, 30) })
	wave   = path(func(p *geometry.Path) { p.MoveTo(-60, 0); p.CubicTo(-20, 40, 20, -40, 60, 0) })
)

func TestStrokeAreas(t *testing.T) {
	type options = geometry.StrokeOptions
	const pi = math.Pi
	// The turn of sharp is 180° − φ.
	phi := math.Atan2(30, 40)
	tests := []struct {
		name string
		path *geometry.Path
		o    options
		want float64

		twice float64
	}{
		{"a line with butt caps", line, options{Width: 10}, 800, 0},
		{"a line with round caps", line, options{Width: 10, Cap: geometry.RoundCap}, 800 + 25*pi, 0},
		{"a line with square caps", line, options{Width: 10, Cap: geometry.SquareCap}, 900, 0},
		{"a line without width", line, options{}, 0, 0},
		{"a line of negative width", line, options{Width: -10}, 0, 0},
		{"a line of a width that is not a number", line, options{Width: math.NaN()}, 0, 0},
		{"a corner with a miter", corner, options{Width: 10, MiterLimit: 10}, 2 * 400, 0},
		{"a corner whose miter is as long as it may be", corner, options{Width: 10, MiterLimit: math.Sqrt2 + 1e-9}, 2 * 400, 0},
		{"a corner whose miter is too long", corner, options{Width: 10, MiterLimit: math.Sqrt2 - 1e-9}, 2*400 - 25/2., 0},
		{"a corner with a bevel", corner, options{Width: 10, Join: geometry.BevelJoin}, 2*400 - 25/2., 0},
		{"a round corner", corner, options{Width: 10, Join: geometry.RoundJoin}, 2*400 - 25 + 25*pi/4, 0},
		{"a square with miters", square, options{Width: 10, MiterLimit: 10}, 90*90 - 70*70, 0},
		{"a square with round corners", square, options{Width: 10, Join: geometry.RoundJoin}, 90*90 - 70*70 - 100 + 25*pi, 0},
		{"a square that its own stroke fills", square, options{Width: 80, MiterLimit: 10}, 160 * 160, 0},
		{"a circle", circle, options{Width: 10}, pi * (45*45 - 35*35), 0},
		{"a thin circle", circle, options{Width: 0.1}, pi * (40.05*40.05 - 39.95*39.95), 0},
		{"a circle wider than its radius", circle, options{Width: 100}, pi * 90 * 90, 0},
		{"a line back on itself, bevel", back, options{Width: 10, Join: geometry.BevelJoin}, 800, 7},
		{"a line back on itself, round", back, options{Width: 10, Join: geometry.RoundJoin}, 800 + 25*pi/2, 7},
		{"a line back on itself, miter", back, options{Width: 10, MiterLimit: 1e300}, 800, 7},
		// Two lines less what they share (a kite of sides h/tan(φ/2)), with the miter as large.
		{"a sharp corner with a miter", sharp, options{Width: 10, MiterLimit: 10}, 400 + 500, 0},
		{"a sharp corner with a round join", sharp, options{Width: 10, Join: geometry.RoundJoin},
			400 + 500 - 25/math.Tan(phi/2) + 25*(pi-phi)/2, 0},
		{"dashes", line, options{Width: 10, Dashes: []float64{10, 6}}, 500, 0},
		{"dashes from a half on", line, options{Width: 10, Dashes: []float64{10, 6}, DashOffset: 8}, 20 + 4*100 + 80, 0},
		{"dashes from before the start", line, options{Width: 10, Dashes: []float64{10, 6}, DashOffset: -8}, 20 + 4*100 + 80, 0},
		{"dashes from a hundred periods before", line, options{Width: 10, Dashes: []float64{10, 6}, DashOffset: -1608}, 20 + 4*100 + 80, 0},
		{"an odd list of dashes", line, options{Width: 10, Dashes: []float64{8}}, 400, 0},
		{"three lengths of dashes", line, options{Width: 10, Dashes: []float64{10, 5, 5}}, 10 * (10 + 5 + 5 + 10 + 5 + 5), 0},
		{"dots", line, options{Width: 4, Cap: geometry.RoundCap, Dashes: []float64{0, 10}}, 8 * 4 * pi, 0},
		{"square dots", line, options{Width: 4, Cap: geometry.SquareCap, Dashes: []float64{0, 10}}, 8 * 16, 0},
		{"dots without caps", line, options{Width: 4, Dashes: []float64{0, 10}}, 0, 0},
		{"dashes of no length at all are solid", line, options{Width: 10, Dashes: []float64{0, 0}}, 800, 0},
		{"a negative dash makes a solid line", line, options{Width: 10, Dashes: []float64{-1, 5}}, 800, 0},
		{"dashes that nobody could see are solid", line, options{Width: 10, Dashes: []float64{1e-9, 1e-9}}, 800, 0},
		{"dashes around a square", square, options{Width: 2, MiterLimit: 10, Dashes: []float64{40, 40}, DashOffset: 20}, 4 * 80, 0},
		{"the dash over the start has a join", square, options{Width: 2, Join: geometry.BevelJoin, Dashes: []float64{40, 40}, DashOffset: 20}, 4 * 79.5, 0},
		{"a dash around all of a square", square, options{Width: 10, MiterLimit: 10, Dashes: []float64{1000, 1}}, 90*90 - 70*70, 0},
		{"dashes around a circle", circle, options{Width: 10, Dashes: []float64{5 * pi, 5 * pi}}, pi * (45*45 - 35*35) / 2, 0},
		{"a gap before the first dash of a circle", circle, options{Width: 10, Dashes: []float64{5 * pi, 5 * pi}, DashOffset: 5 * pi}, pi * (45*45 - 35*35) / 2, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, m := range []geometry.Matrix{
				geometry.Identity, {A: -1, D: 1}, geometry.Identity.Rotate(1), {A: 1, B: 0.25, C: -0.5, D: 0.5, E: 3, F: 5},
			} {
				got := area(stroke(tt.path, tt.o, m)) / math.Abs(m.Determinant())
				// Where edges lie on each other, their pixels count twice.
				if math.Abs(got-tt.want) > 0.4+tt.want/4000+tt.twice {
					t.Errorf("area %.2f, want %.2f (matrix %v)", got, tt.want, m)
				}
			}
		})
	}
}
