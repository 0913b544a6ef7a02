package geometry_test

import (
	"image"
	"math"
	"math/rand/v2"
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

func TestStrokesOfNoLength(t *testing.T) {
	tests := []struct {
		name   string
		build  func(p *geometry.Path)
		dotted bool // a stroke with Dots draws something
	}{
		{"a move", func(p *geometry.Path) { p.MoveTo(5, 5) }, false},
		{"a move that is closed", func(p *geometry.Path) { p.MoveTo(5, 5); p.Close() }, true},
		{"a line", func(p *geometry.Path) { p.MoveTo(5, 5); p.LineTo(5, 5) }, true},
		{"a line that is closed", func(p *geometry.Path) { p.MoveTo(5, 5); p.LineTo(5, 5); p.Close() }, true},
		{"curves", func(p *geometry.Path) { p.MoveTo(5, 5); p.QuadTo(5, 5, 5, 5); p.CubicTo(5, 5, 5, 5, 5, 5) }, true},
		{"an arc of no angle", func(p *geometry.Path) { p.MoveTo(5, 5); p.Arc(3, 5, 2, 0, 0, false); p.ArcTo(5, 5, 9, 9, 3) }, true},
		{"a rectangle", func(p *geometry.Path) { p.Rect(5, 5, 0, 0) }, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := geometry.StrokeOptions{Width: 10, Cap: geometry.RoundCap, Join: geometry.RoundJoin}
			if got := area(stroke(path(tt.build), o, geometry.Identity)); got != 0 {
				t.Errorf("covers %g", got)
			}
			o.Dots = true
			want := 0.0
			if tt.dotted {
				want = 25 * math.Pi
			}
			if got := area(stroke(path(tt.build), o, geometry.Identity)); math.Abs(got-want) > 0.2 {
				t.Errorf("with dots, covers %g, want %g", got, want)
			}
			o.Cap = geometry.ButtCap
			if got := area(stroke(path(tt.build), o, geometry.Identity)); got != 0 {
				t.Errorf("with dots and butt caps, covers %g", got)
			}
		})
	}

	// A line of no length in a corner is not a join of its own.
	corner := path(func(p *geometry.Path) { p.MoveTo(-40, 0); p.LineTo(0, 0); p.LineTo(0, 0); p.LineTo(0, 40) })
	if got := area(stroke(corner, geometry.StrokeOptions{Width: 10, MiterLimit: 10}, geometry.Identity)); math.Abs(got-800) > 0.2 {
		t.Errorf("the miter of a corner with a line of no length is missing: area %g, want 800", got)
	}
}

// dashed is a reference for dashes: the points of a fine polyline by turns, in pieces.
func dashed(pl *geometry.Polyline, dashes []float64, offset float64) [][]geometry.Point {
	var out [][]geometry.Point
	from := 0
	for i, end := range pl.Ends {
		points := append([]geometry.Point(nil), pl.Points[from:end]...)
		from = end
		if pl.Closed[i] {
			points = append(points, points[0])
		}
		if len(dashes) == 0 {
			out = append(out, points)
			continue
		}
		period := 0.0
		for _, d := range dashes {
			period += d
		}
		on := func(s float64) bool {
			s = math.Mod(math.Mod(s+offset, period)+period, period)
			for i, d := range dashes {
				if s < d {
					return i%2 == 0
				}
				s -= d
			}
			return false
		}
		s := 0.0
		var piece []geometry.Point
		for i, p := range points[1:] {
			a := points[i]
			l := p.Sub(a).Length()
			parts := int(l*4) + 1
			for j := range parts {
				t := (float64(j) + 0.5) / float64(parts)
				if on(s + l*t) {
					piece = append(piece, a.Add(p.Sub(a).Mul(t)))
				} else if len(piece) > 0 {
					out = append(out, piece)
					piece = nil
				}
			}
			s += l
		}
		if len(piece) > 0 {
			out = append(out, piece)
		}
	}
	return out
}

// With round caps and joins, a stroke is all that is nearer to its line than half the width:
// of curves, cusps, loops and dashes too, whatever the width.
func TestRoundStrokesAreWhatIsNear(t *testing.T) {
	paths := map[string]func(p *geometry.Path){
		"a zigzag": func(p *geometry.Path) {
			p.MoveTo(-50, 0)
			p.LineTo(0, 30)
			p.LineTo(5, -40)
			p.LineTo(50, 20)
			p.LineTo(-40, 18)
		},
		"a closed zigzag": func(p *geometry.Path) {
			p.MoveTo(-50, 0)
			p.LineTo(0, 30)
			p.LineTo(5, -40)
			p.LineTo(50, 20)
			p.Close()
		},
		"steps": func(p *geometry.Path) {
			for i := range 60 {
				p.LineTo(float64(i)-30, float64(i%2))
			}
		},
		"a wave":            func(p *geometry.Path) { p.MoveTo(-60, 0); p.CubicTo(-20, 60, 20, -60, 60, 0) },
		"a tight bow":       func(p *geometry.Path) { p.MoveTo(-60, 0); p.QuadTo(80, 1, -60, 3) },
		"a cusp":            func(p *geometry.Path) { p.MoveTo(-40, -30); p.CubicTo(40, 40, -40, 40, 40, -30) },
		"a loop":            func(p *geometry.Path) { p.MoveTo(-40, -30); p.CubicTo(80, 60, -80, 60, 40, -30) },
		"a curve on a line": func(p *geometry.Path) { p.MoveTo(-40, 0); p.CubicTo(80, 0, -80, 0, 36, 0) },
		"an ellipse":        func(p *geometry.Path) { p.Ellipse(0, 0, 60, 8, 0.5, 0, 2*math.Pi, false); p.Close() },
		"a piece of a ring": func(p *geometry.Path) { p.Arc(0, 0, 45, 1, 5, true) },
		"a tiny circle":     func(p *geometry.Path) { p.Arc(0, 0, 0.3, 0, 5, false) },
		"several subpaths": func(p *geometry.Path) {
			p.Rect(-40, -40, 30, 30)
			p.Arc(20, 20, 20, 0, 4, false)
			p.MoveTo(0, 0)
			p.LineTo(3, 50)
		},
		"curves and corners": func(p *geometry.Path) {
			p.MoveTo(-40, 0)
			p.QuadTo(-20, 60, 0, 0)
			p.QuadTo(20, 60, 40, 0)
			p.LineTo(40, -30)
		},
	}
	for name, build := range paths {
		t.Run(name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(3, 4))
			p := path(build)
			fine := new(geometry.Polyline)
			p.Flatten(fine, geometry.Identity, 1e-3)
			for _, o := range []geometry.StrokeOptions{
				{Width: 1}, {Width: 12}, {Width: 70},
				{Width: 3, Dashes: []float64{9, 14}, DashOffset: 5},
				{Width: 20, Dashes: []float64{1, 40, 25, 30}, DashOffset: -33},
			} {
				o.Cap, o.Join = geometry.RoundCap, geometry.RoundJoin
				pieces := dashed(fine, o.Dashes, o.DashOffset)
				room := 0.12 // what flattening of the line and of its joins takes off, and the samples of dashes
				if len(o.Dashes) > 0 {
					room = 1
				}
				for _, m := range []geometry.Matrix{geometry.Identity, {A: -3, B: 0.5, C: 1, D: 0.4, E: 9}} {
					outline := new(geometry.Polyline)
					new(geometry.Stroker).Stroke(outline, p, geometry.Identity, o, m, geometry.Rect{}, geometry.Tolerance)
					near := 0
					for range 300 {
						q := geometry.Point{X: random.Float64()*200 - 100, Y: random.Float64()*160 - 80}
						d := math.Inf(1)
						for _, piece := range pieces {
							for i := range piece[1:] {
								d = min(d, distance(q, piece[i], piece[i+1]))
							}
						}
						if math.Abs(d-o.Width/2) < room {
							continue
						}
						want := d < o.Width/2
						if want {
							near++
						}
						if got := geometry.Contains(outline, m.Apply(q), false); got != want {
							t.Fatalf("width %g, dashes %v, matrix %v: %v is %.3f from the line, in the stroke: %v", o.Width, o.Dashes, m, q, d, got)
						}
					}
					if near == 0 && o.Width == 70 {
						t.Fatalf("width %g: no point in the stroke", o.Width)
					}
				}
			}
		})
	}
}

func distance(q, a, b geometry.Point) float64 {
	d, v := b.Sub(a), q.Sub(a)
	s := 0.0
	if l := d.Length(); l > 0 {
		s = max(0, min(1, (v.X*d.X+v.Y*d.Y)/(l*l)))
	}
	return q.Sub(a.Add(d.Mul(s))).Length()
}

// Butt caps of a wide stroke are square to the curve itself, not to its first chord.
func TestCapsOfCurvesAreSquareToThem(t *testing.T) {
	p := path(func(p *geometry.Path) { p.MoveTo(0, 0); p.QuadTo(2, 0, 2, 2) })
	outline := stroke(p, geometry.StrokeOptions{Width: 100}, geometry.Identity)
	for _, tt := range []struct {
		x, y float64
		want bool
	}{{-0.05, -40, false}, {0.05, -40, true}, {45, 1.95, true}, {45, 2.05, false}} {
		if got := geometry.Contains(outline, geometry.Point{X: tt.x, Y: tt.y}, false); got != tt.want {
			t.Errorf("(%g, %g) in the stroke: %v", tt.x, tt.y, got)
		}
	}
}

// A point is covered by the stroke of an arc if a line of the width across the arc comes to it,
// on the arc's side of the centre or, where the line is longer than the radius, on the other.
func TestStrokesOfArcsCoverWhatALineAcrossThemSweeps(t *testing.T) {
	const tolerance = 0.05
	inSweep := func(angle, from, sweep, slack float64) bool {
		a := math.Mod(angle-from, 2*math.Pi)
		if a < -slack {
			a += 2 * math.Pi
		}
		return a <= sweep+slack || a-2*math.Pi >= -slack
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	var s geometry.Stroker
	for range 60 {
		r, half := 2+rnd.Float64()*60, 1+rnd.Float64()*90
		from, sweep := rnd.Float64()*6, 0.2+rnd.Float64()*6
		var p geometry.Path
		p.Arc(0, 0, r, from, from+sweep, false)
		var lines geometry.Polyline
		s.Stroke(&lines, &p, geometry.Identity, geometry.StrokeOptions{Width: 2 * half, MiterLimit: 10}, geometry.Identity, geometry.Rect{}, tolerance)
		for range 2000 {
			far := rnd.Float64() * (r + half + 5)
			angle := rnd.Float64() * 2 * math.Pi
			// What is certain in spite of the tolerance, which counts for more near the centre.
			covers := func(by float64) bool {
				slack := by / math.Max(far, by)
				return math.Abs(far-r) <= half+by && inSweep(angle, from, sweep, slack) ||
					far <= half-r+by && inSweep(angle+math.Pi, from, sweep, slack)
			}
			const off = 6 * tolerance
			got := geometry.Contains(&lines, geometry.Point{X: far * math.Cos(angle), Y: far * math.Sin(angle)}, false)
			if want := covers(0); got != want && covers(off) == covers(-off) {
				t.Fatalf("radius %g, half width %g, from %g by %g: point at %g, angle %g: got %v, want %v", r, half, from, sweep, far, angle, got, want)
			}
		}
	}
}

func TestAStrokeStopsWhenItIsTold(t *testing.T) {
	var open, closed, many geometry.Path
	for i := range 20_000 {
		x, y := float64(i*7919%3000), float64(i*104729%3000)
		open.LineTo(x, y)
		closed.LineTo(x, y)
		many.MoveTo(x, y)
		many.LineTo(x+1, y)
	}
	closed.Close()
	for name, p := range map[string]*geometry.Path{"an open line": &open, "a closed line": &closed, "many lines": &many} {
		o := geometry.StrokeOptions{Width: 100, Join: geometry.RoundJoin}
		var whole, part geometry.Polyline
		new(geometry.Stroker).Stroke(&whole, p, geometry.Identity, o, geometry.Identity, geometry.Rect{}, geometry.Tolerance)
		asked := 0
		s := geometry.Stroker{Stop: func() bool { asked++; return asked > 3 }}
		s.Stroke(&part, p, geometry.Identity, o, geometry.Identity, geometry.Rect{}, geometry.Tolerance)
		if len(part.Points) > len(whole.Points)/4 || asked > 10 {
			t.Errorf("%s: %d of %d points, and asked %d times", name, len(part.Points), len(whole.Points), asked)
		}
	}
}
