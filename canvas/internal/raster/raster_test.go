package raster

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"quicksand/canvas/geometry"
)

// A grid is a sink that keeps the coverage and checks the contract of sinks.
type grid struct {
	t     testing.TB
	clip  image.Rectangle
	pix   []uint8
	x, y  int // what comes next at the earliest
	spans int
}

func newGrid(t testing.TB, clip image.Rectangle) *grid {
	return &grid{t: t, clip: clip, pix: make([]uint8, clip.Dx()*clip.Dy()), x: clip.Min.X, y: clip.Min.Y}
}

func (g *grid) span(x, y, n int) []uint8 {
	if y < g.y || y == g.y && x < g.x || n <= 0 || x < g.clip.Min.X || x+n > g.clip.Max.X || y >= g.clip.Max.Y {
		g.t.Fatalf("span of %d at (%d, %d) after (%d, %d) in %v", n, x, y, g.x, g.y, g.clip)
	}
	g.x, g.y = x+n, y
	g.spans++
	at := (y-g.clip.Min.Y)*g.clip.Dx() + x - g.clip.Min.X
	return g.pix[at : at+n]
}

func (g *grid) Run(x, y, n int, cover uint8) {
	if cover == 0 {
		g.t.Fatalf("run without coverage at (%d, %d)", x, y)
	}
	p := g.span(x, y, n)
	for i := range p {
		p[i] = cover
	}
}

func (g *grid) Mask(x, y int, cover []uint8) { copy(g.span(x, y, len(cover)), cover) }

func polyline(subpaths ...[]float64) *geometry.Polyline {
	pl := new(geometry.Polyline)
	for _, s := range subpaths {
		for i := 0; i < len(s); i += 2 {
			pl.Points = append(pl.Points, geometry.Point{X: s[i], Y: s[i+1]})
		}
		pl.Ends = append(pl.Ends, len(pl.Points))
		pl.Closed = append(pl.Closed, true)
	}
	return pl
}

// truth is the coverage by n lines a pixel, along each of which it is exact.
func truth(pl *geometry.Polyline, rule Rule, clip image.Rectangle, n int) []float64 {
	type crossing struct {
		x  float64
		up int
	}
	out := make([]float64, clip.Dx()*clip.Dy())
	var crossings []crossing
	for line := range clip.Dy() * n {
		y := float64(clip.Min.Y) + (float64(line)+0.5)/float64(n)
		crossings = crossings[:0]
		from := 0
		for _, end := range pl.Ends {
			points := pl.Points[from:end]
			from = end
			a := points[len(points)-1]
			for _, b := range points {
				if (a.Y <= y) != (b.Y <= y) {
					c := crossing{a.X + (y-a.Y)/(b.Y-a.Y)*(b.X-a.X) - float64(clip.Min.X), 1}
					if a.Y > y {
						c.up = -1
					}
					crossings = append(crossings, c)
				}
				a = b
			}
		}
		slices.SortFunc(crossings, func(a, b crossing) int { return cmp.Compare(a.x, b.x) })
		winding := 0
		for i, c := range crossings {
			winding += c.up
			if rule == NonZero && winding != 0 || rule == EvenOdd && winding&1 != 0 {
				x0, x1 := max(c.x, 0), min(crossings[i+1].x, float64(clip.Dx()))
				for x := int(x0); float64(x) < x1; x++ {
					out[line/n*clip.Dx()+x] += 255 / float64(n) * (min(x1, float64(x+1)) - max(x0, float64(x)))
				}
			}
		}
	}
	return out
}

func star(x, y, r float64) []float64 {
	var s []float64
	for i := range 5 {
		a := float64(i)*4*math.Pi/5 - math.Pi/2
		s = append(s, x+r*math.Cos(a), y+r*math.Sin(a))
	}
	return s
}

func circle(x, y, r float64, n int) []float64 {
	var s []float64
	for i := range n {
		a := float64(i) * 2 * math.Pi / float64(n)
		s = append(s, x+r*math.Cos(a), y+r*math.Sin(a))
	}
	return s
}

func reversed(s []float64) []float64 {
	var out []float64
	for i := len(s) - 2; i >= 0; i -= 2 {
		out = append(out, s[i], s[i+1])
	}
	return out
}

// TestCoverage compares with 100 lines through each pixel. Where edges of one shape cross in a
// pixel, the sum of areas is not the area of the union (as in all rasterizers of this kind):
// such shapes name how many pixels that may hit.
func TestCoverage(t *testing.T) {
	tests := []struct {
		name    string
		pl      *geometry.Polyline
		crossed int
	}{
		{"a triangle", polyline([]float64{3.2, 4.1, 40.7, 11.3, 17.9, 44.4}), 0},
		{"a triangle the other way round", polyline(reversed([]float64{3.2, 4.1, 40.7, 11.3, 17.9, 44.4})), 0},
		{"a sliver along the rows", polyline([]float64{1, 10.2, 47, 11.1, 1, 10.6}), 0},
		{"a sliver along the columns", polyline([]float64{10.2, 1, 11.1, 47, 10.6, 1}), 0},
		{"a circle", polyline(circle(24, 24, 20.3, 200)), 0},
		{"a circle within a pixel", polyline(circle(24.5, 24.5, 0.4, 50)), 0},
		{"a ring", polyline(circle(24, 24, 20.3, 200), reversed(circle(24, 24, 10.7, 100))), 0},
		{"a star", polyline(star(24, 25, 22)), 8},
		{"a circle on the right border", polyline(circle(48, 24, 10, 100)), 0},
		{"a circle on the left border", polyline(circle(0, 24, 10, 100)), 0},
		{"a circle on the upper border", polyline(circle(24, 0, 10, 100)), 0},
		{"a circle on the lower border", polyline(circle(24, 48, 10, 100)), 0},
		{"a circle around the clip", polyline(circle(24, 24, 100, 100)), 0},
		{"a circle that cuts the corners", polyline(circle(24, 24, 30, 300)), 0},
		{"a triangle from far away", polyline([]float64{-3e4, -2e4, 5e4, 3.1e4, 20, 44}), 0},
		{"a triangle from farther away than positions reach", polyline([]float64{-3e7, -2e7, 5e7, 3.1e7, 20, 44}), 0},
		{"a rectangle between pixels", polyline([]float64{3.2, 4.1, 30.7, 4.1, 30.7, 33.3, 3.2, 33.3}), 0},
		{"a rectangle within a pixel", polyline([]float64{3.2, 4.1, 3.7, 4.1, 3.7, 4.9, 3.2, 4.9}), 0},
		{"a rectangle within a column", polyline([]float64{3.2, 4.1, 3.7, 4.1, 3.7, 33.3, 3.2, 33.3}), 0},
		{"a rectangle over the borders", polyline([]float64{-9.5, -3.2, 99, -3.2, 99, 47.75, -9.5, 47.75}), 0},
		{"a rotated rectangle", polyline([]float64{24, 2.5, 45.5, 24, 24, 45.5, 2.5, 24}), 0},
	}
	clip := image.Rect(0, 0, 48, 48)
	r := new(Rasterizer)
	for _, tt := range tests {
		for _, rule := range []Rule{NonZero, EvenOdd} {
			t.Run(fmt.Sprintf("%s, rule %d", tt.name, rule), func(t *testing.T) {
				want := truth(tt.pl, rule, clip, 100)
				g := newGrid(t, clip)
				r.Rasterize(tt.pl, rule, clip, g)
				off, covered := 0, 0
				for i, w := range want {
					if w > 0 {
						covered++
					}
					// Half a level is lost by rounding, the rest by the lines.
					if d := math.Abs(float64(g.pix[i]) - w); d > 1.8 {
						if off++; off > tt.crossed {
							t.Errorf("pixel (%d, %d): coverage %d, want %.2f", i%48, i/48, g.pix[i], w)
						}
					}
				}
				if covered == 0 {
					t.Error("the shape covers nothing")
				}
			})
		}
	}
}

// Random polygons in random clips, one rasterizer for all: what is left behind in it would
// show.
func TestBandsFitTogether(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	one, several := new(Rasterizer), new(Rasterizer)
	for i := range 300 {
		size := []float64{2, 40, 300, 1e4, 1e8, 1e100}[i%6]
		var s []float64
		for range 3 + random.IntN(20) {
			s = append(s, (random.Float64()-0.3)*size, (random.Float64()-0.3)*size)
		}
		pl := polyline(s)
		clip := image.Rect(random.IntN(50), random.IntN(50), 60+random.IntN(900), 60+random.IntN(200))
		rule := Rule(i % 2)
		whole, bands := newGrid(t, clip), newGrid(t, clip)
		one.Rasterize(pl, rule, clip, whole)
		for y := clip.Min.Y; y < clip.Max.Y; {
			end := min(y+1+random.IntN(60), clip.Max.Y)
			several.Rasterize(pl, rule, image.Rect(clip.Min.X, y, clip.Max.X, end), bands)
			y = end
		}
		for j := range whole.pix {
			if whole.pix[j] != bands.pix[j] {
				t.Fatalf("polygon %d of size %g, pixel (%d, %d): %d in one go, %d in bands", i, size,
					clip.Min.X+j%clip.Dx(), clip.Min.Y+j/clip.Dx(), whole.pix[j], bands.pix[j])
			}
		}
	}
}

// Two halves of a rectangle with a common edge cover it without a gap: 255 in all, or 256
// where both are just half a pixel.
func TestAbuttingShapesAddUp(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	clip := image.Rect(0, 0, 100, 40)
	var r Rasterizer
	for range 200 {
		x0, x1, x2 := 10+random.Float64()*80, 10+random.Float64()*80, 10+random.Float64()*80
		left, right := newGrid(t, clip), newGrid(t, clip)
		r.Rasterize(polyline([]float64{0, 0, x0, 0, x1, 20.3, x2, 40, 0, 40}), NonZero, clip, left)
		r.Rasterize(polyline([]float64{100, 40, x2, 40, x1, 20.3, x0, 0, 100, 0}), NonZero, clip, right)
		for i, a := range left.pix {
			b := right.pix[i]
			if sum := int(a) + int(b); sum != 255 && !(a == 128 && b == 128) {
				t.Fatalf("edge %g, %g, %g: pixel (%d, %d) has %d and %d", x0, x1, x2, i%100, i/100, a, b)
			}
		}
	}
}

// The way for rectangles gives what the general way does: a point that comes twice
// keeps a rectangle from the former.
func TestRectanglesAreNoExceptions(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	clip := image.Rect(-5, 3, 40, 50)
	var r Rasterizer
	for i := range 500 {
		at := func() float64 {
			v := random.Float64()*80 - 20
			if i%3 == 0 {
				v = math.Floor(v*4) / 4
			}
			return v
		}
		x0, y0, x1, y1 := at(), at(), at(), at()
		if i%7 == 0 {
			x1, y1 = x0+random.Float64(), 1e7
		}
		fast, general := newGrid(t, clip), newGrid(t, clip)
		r.Rasterize(polyline([]float64{x0, y0, x1, y0, x1, y1, x0, y1}), Rule(i%2), clip, fast)
		r.Rasterize(polyline([]float64{x0, y0, x0, y0, x0, y1, x1, y1, x1, y0}), Rule(i%2), clip, general)
		for j := range fast.pix {
			if fast.pix[j] != general.pix[j] {
				t.Fatalf("(%g, %g) to (%g, %g): pixel (%d, %d) is %d, else %d", x0, y0, x1, y1,
					clip.Min.X+j%clip.Dx(), clip.Min.Y+j/clip.Dx(), fast.pix[j], general.pix[j])
			}
		}
	}
}

func TestStop(t *testing.T) {
	var s []float64
	for i := range 3000 {
		s = append(s, float64(i*7919%500), float64(i*104729%500))
	}
	pl := polyline(s)
	clip := image.Rect(0, 0, 500, 500)
	want := newGrid(t, clip)
	var r Rasterizer
	r.Rasterize(pl, EvenOdd, clip, want)

	for after := range 4 {
		asked := 0
		r.Stop = func() bool { asked++; return asked > after }
		g := newGrid(t, clip)
		r.Rasterize(pl, EvenOdd, clip, g)
		if asked != after+1 {
			t.Errorf("asked %d times, stopped after %d", asked, after+1)
		}
		if g.spans >= want.spans {
			t.Errorf("stopped after %d looks, but all was passed", after+1)
		}
	}
	// Nothing is left in the block.
	r.Stop = nil
	g := newGrid(t, clip)
	r.Rasterize(pl, EvenOdd, clip, g)
	for i := range g.pix {
		if g.pix[i] != want.pix[i] {
			t.Fatalf("pixel %d after a stop: %d, want %d", i, g.pix[i], want.pix[i])
		}
	}
}

func TestNothingIsAllocatedAgain(t *testing.T) {
	shapes := []*geometry.Polyline{polyline(circle(50, 50, 40, 100)), polyline(circle(400, 400, 390, 500)), polyline([]float64{1.5, 1.5, 9, 1.5, 9, 9, 1.5, 9})}
	sink := &blender{make([]uint32, 800*800), 800}
	var r Rasterizer
	draw := func() {
		for _, pl := range shapes {
			r.Rasterize(pl, NonZero, image.Rect(0, 0, 800, 800), sink)
		}
	}
	draw()
	if n := testing.AllocsPerRun(10, draw); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
