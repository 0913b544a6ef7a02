package raster

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
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

func (g *grid) at(x, y int) uint8 {
	return g.pix[(y-g.clip.Min.Y)*g.clip.Dx()+x-g.clip.Min.X]
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

// truth is the coverage by n×n samples a pixel.
func truth(pl *geometry.Polyline, rule Rule, clip image.Rectangle, n int) []float64 {
	out := make([]float64, clip.Dx()*clip.Dy())
	counts := make([]int, clip.Dx()*n+1)
	for sy := range clip.Dy() * n {
		y := float64(clip.Min.Y) + (float64(sy)+0.5)/float64(n)
		for i := range counts {
			counts[i] = 0
		}
		from := 0
		for _, end := range pl.Ends {
			points := pl.Points[from:end]
			from = end
			a := points[len(points)-1]
			for _, b := range points {
				if (a.Y <= y) != (b.Y <= y) {
					x := a.X + (y-a.Y)/(b.Y-a.Y)*(b.X-a.X)
					i := int(math.Ceil((x-float64(clip.Min.X))*float64(n) - 0.5))
					i = max(0, min(i, clip.Dx()*n))
					if a.Y <= y {
						counts[i]++
					} else {
						counts[i]--
					}
				}
				a = b
			}
		}
		winding := 0
		for i, c := range counts[:clip.Dx()*n] {
			winding += c
			if rule == NonZero && winding != 0 || rule == EvenOdd && winding&1 != 0 {
				out[sy/n*clip.Dx()+i/n] += 255 / float64(n*n)
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

// TestCoverage compares with 32 × 32 samples a pixel. Where edges of one shape cross in a
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
				want := truth(tt.pl, rule, clip, 32)
				g := newGrid(t, clip)
				r.Rasterize(tt.pl, rule, clip, g)
				off, covered := 0, 0
				for i, w := range want {
					if w > 0 {
						covered++
					}
					// Half a level by rounding and one by the samples themselves.
					if d := math.Abs(float64(g.pix[i]) - w); d > 2 {
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
