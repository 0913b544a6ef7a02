package geometry_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"quicksand/canvas/geometry"
)

// dump writes a path as SVG does, to a thousandth.
func dump(p *geometry.Path) string {
	var b strings.Builder
	p.Each(func(k geometry.Kind, points []geometry.Point) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteByte("MLQCZ"[k])
		for i, q := range points {
			if i > 0 {
				b.WriteByte(' ')
			}
			number := func(v float64) string {
				return strconv.FormatFloat(math.Round(v*1000)/1000+0, 'g', 10, 64)
			}
			b.WriteString(number(q.X) + "," + number(q.Y))
		}
	})
	return b.String()
}

func TestPathCalls(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	type P = geometry.Path
	tests := []struct {
		name  string
		build func(p *P)
		want  string
	}{
		{"nothing", func(p *P) {}, ""},
		{"a line without a subpath starts one", func(p *P) { p.LineTo(1, 2); p.LineTo(3, 4) }, "M1,2 L3,4"},
		{"a quadratic curve without a subpath starts at its control point", func(p *P) { p.QuadTo(1, 2, 3, 4) }, "M1,2 Q1,2 3,4"},
		{"a cubic curve without a subpath starts at its first control point", func(p *P) { p.CubicTo(1, 2, 3, 4, 5, 6) }, "M1,2 C1,2 3,4 5,6"},
		{"closing nothing", func(p *P) { p.Close() }, ""},
		{"closing twice", func(p *P) { p.MoveTo(1, 2); p.LineTo(3, 4); p.Close(); p.Close() }, "M1,2 L3,4 Z"},
		{"after closing, a line starts at the first point", func(p *P) { p.MoveTo(1, 2); p.LineTo(3, 4); p.Close(); p.LineTo(5, 6) }, "M1,2 L3,4 Z M1,2 L5,6"},
		{"after closing, a curve starts at the first point", func(p *P) { p.MoveTo(1, 2); p.LineTo(3, 4); p.Close(); p.QuadTo(5, 6, 7, 8) }, "M1,2 L3,4 Z M1,2 Q5,6 7,8"},
		{"after closing, an arc is joined to the first point", func(p *P) { p.MoveTo(1, 2); p.LineTo(3, 4); p.Close(); p.Arc(5, 5, 0, 0, 1, false) }, "M1,2 L3,4 Z M1,2 L5,5"},
		{"a move after a move replaces it", func(p *P) { p.MoveTo(1, 2); p.MoveTo(3, 4); p.LineTo(5, 6) }, "M3,4 L5,6"},
		{"a rectangle, and a line from its corner", func(p *P) { p.Rect(1, 2, 10, 20); p.LineTo(0, 0) }, "M1,2 L11,2 L11,22 L1,22 Z M1,2 L0,0"},
		{"a rectangle of negative sizes", func(p *P) { p.Rect(1, 2, -10, -20) }, "M1,2 L-9,2 L-9,-18 L1,-18 Z"},
		{"a rectangle without sizes", func(p *P) { p.Rect(1, 2, 0, 0) }, "M1,2 L1,2 L1,2 L1,2 Z"},
		{"calls that are not finite", func(p *P) {
			p.MoveTo(1, 2)
			p.MoveTo(nan, 0)
			p.LineTo(0, inf)
			p.QuadTo(0, 0, 0, nan)
			p.CubicTo(0, 0, 0, 0, inf, 0)
			p.Rect(0, 0, nan, 1)
			p.RoundRect(0, 0, 1, -inf, [4]geometry.Point{})
			p.RoundRect(0, 0, 1, 1, [4]geometry.Point{{X: nan}})
			p.Arc(0, 0, 1, nan, 1, false)
			p.ArcTo(0, 0, inf, 1, 1)
			p.Ellipse(0, 0, 1, 1, 0, 0, inf, true)
		}, "M1,2"},
		{"negative radii", func(p *P) { p.Arc(0, 0, -1, 0, 1, false); p.ArcTo(0, 0, 1, 1, -1) }, ""},

		{"arcTo without a subpath starts one", func(p *P) { p.ArcTo(1, 2, 3, 4, 5) }, "M1,2 L1,2"},
		{"arcTo with the radius 0", func(p *P) { p.MoveTo(0, 0); p.ArcTo(10, 0, 10, 10, 0) }, "M0,0 L10,0"},
		{"arcTo with its first point where the path is", func(p *P) { p.MoveTo(10, 0); p.ArcTo(10, 0, 10, 10, 5) }, "M10,0 L10,0"},
		{"arcTo with equal points", func(p *P) { p.MoveTo(0, 0); p.ArcTo(10, 0, 10, 0, 5) }, "M0,0 L10,0"},
		{"arcTo straight on", func(p *P) { p.MoveTo(0, 0); p.ArcTo(10, 0, 20, 0, 5) }, "M0,0 L10,0"},
		{"arcTo straight back", func(p *P) { p.MoveTo(0, 0); p.ArcTo(10, 0, 5, 0, 5) }, "M0,0 L10,0"},

		{"an arc without radius is its center", func(p *P) { p.MoveTo(0, 0); p.Arc(5, 6, 0, 0, math.Pi, false); p.LineTo(9, 9) }, "M0,0 L5,6 L9,9"},
		{"an arc without an angle is its start", func(p *P) { p.MoveTo(0, 0); p.Arc(5, 6, 2, 0, 0, false); p.LineTo(9, 9) }, "M0,0 L7,6 L9,9"},
		{"an arc alone without an angle", func(p *P) { p.Arc(5, 6, 2, 0, 0, true); p.LineTo(9, 9) }, "M7,6 L9,9"},
		{"a zero arc from where the path is adds no line", func(p *P) { p.MoveTo(7, 6); p.Arc(5, 6, 2, 0, 0, true) }, "M7,6"},

		{"a rounded rectangle with square corners", func(p *P) { p.RoundRect(1, 2, 10, 20, [4]geometry.Point{{X: 3}, {Y: 3}, {}, {}}); p.LineTo(0, 0) },
			"M1,2 L11,2 L11,22 L1,22 Z M1,2 L0,0"},
		{"values that overflow", func(p *P) {
			p.SetTransform(geometry.Matrix{A: 1e300, D: 1e300})
			p.MoveTo(1e300, -1e300)
			p.LineTo(0, 1)
		}, "M1e+90,-1e+90 L0,1e+90"},
		{"each call has the transform of its time", func(p *P) {
			p.SetTransform(geometry.Matrix{A: 2, D: 3, E: 1})
			p.MoveTo(1, 1)
			p.SetTransform(geometry.Identity)
			p.LineTo(1, 1)
			p.SetTransform(geometry.Matrix{A: nan})
			p.LineTo(2, 2)
		}, "M3,3 L1,1 L2,2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := new(P)
			tt.build(p)
			if got := dump(p); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// travel is how a flattened path goes: its length, where it starts and ends, and the angle by
// which it turns around a point.
func travel(p *geometry.Path, around geometry.Point) (length, turned float64, start, end geometry.Point) {
	pl := new(geometry.Polyline)
	p.Flatten(pl, geometry.Identity, 1e-5)
	for i, q := range pl.Points {
		if i > 0 {
			b := pl.Points[i-1]
			length += q.Sub(b).Length()
			v, w := b.Sub(around), q.Sub(around)
			turned += math.Atan2(v.X*w.Y-v.Y*w.X, v.X*w.X+v.Y*w.Y)
		}
	}
	return length, turned, pl.Points[0], pl.Points[len(pl.Points)-1]
}

func TestArcs(t *testing.T) {
	const pi = math.Pi
	const e = 1e-4
	tests := []struct {
		name             string
		start, end       float64
		counterclockwise bool
		want             float64 // the angle that it turns, clockwise
	}{
		{"a quarter", 0, pi / 2, false, pi / 2},
		{"three quarters", 0, pi / 2, true, -3 * pi / 2},
		{"from a negative angle", -pi / 2, 0, false, pi / 2},
		{"to a smaller angle", pi, pi / 2, false, 3 * pi / 2},
		{"to a smaller angle, counterclockwise", pi, pi / 2, true, -pi / 2},
		{"a turn", 0, 2 * pi, false, 2 * pi},
		{"a turn, counterclockwise", 0, -2 * pi, true, -2 * pi},
		{"a turn against its direction", 0, 2 * pi, true, -2 * pi},
		{"a turn counterclockwise against its direction", 0, -2 * pi, false, 2 * pi},
		{"almost a turn", 0, 2*pi - e, false, 2*pi - e},
		{"almost a turn against its direction", 0, 2*pi - e, true, -e},
		{"a little more than a turn", 0, 2*pi + e, false, 2 * pi},
		{"a little more than a turn against its direction", 0, 2*pi + e, true, e - 2*pi},
		{"a little less than nothing", 0, -e, false, 2*pi - e},
		{"a little less than nothing, counterclockwise", 0, -e, true, -e},
		{"many turns", 1, 1e6, false, 2 * pi},
		{"many turns back", 1, -1e6, true, -2 * pi},
		{"many turns and a quarter against the direction", 0, -20*pi + pi/2, false, pi / 2},
		{"from a great angle", 200 * pi, 200*pi + pi/2, false, pi / 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := new(geometry.Path)
			p.Arc(10, 20, 5, tt.start, tt.end, tt.counterclockwise)
			length, turned, start, end := travel(p, geometry.Point{X: 10, Y: 20})
			if math.Abs(turned-tt.want) > 1e-6 || math.Abs(length-5*math.Abs(tt.want)) > 1e-4 {
				t.Errorf("turns by %.6f in a length of %.4f, want %.6f", turned, length, tt.want)
			}
			at := func(a float64) geometry.Point {
				return geometry.Point{X: 10 + 5*math.Cos(a), Y: 20 + 5*math.Sin(a)}
			}
			if d := start.Sub(at(tt.start)).Length(); d > 1e-6 {
				t.Errorf("starts in %v, %g off", start, d)
			}
			if d := end.Sub(at(tt.start + tt.want)).Length(); d > 1e-6 {
				t.Errorf("ends in %v, %g off", end, d)
			}
		})
	}
}

func TestArcTo(t *testing.T) {
	tests := []struct {
		name                   string
		x0, y0, x1, y1, x2, y2 float64
		radius                 float64
		center, start, end     geometry.Point
		turned                 float64
	}{
		{"a right turn", 0, 0, 10, 0, 10, 10, 4, geometry.Point{X: 6, Y: 4}, geometry.Point{X: 6, Y: 0}, geometry.Point{X: 10, Y: 4}, math.Pi / 2},
		{"a left turn", 0, 0, 10, 0, 10, -10, 4, geometry.Point{X: 6, Y: -4}, geometry.Point{X: 6, Y: 0}, geometry.Point{X: 10, Y: -4}, -math.Pi / 2},
		{"a radius too great for the lines", 0, 0, 10, 0, 10, 1, 40, geometry.Point{X: -30, Y: 40}, geometry.Point{X: -30, Y: 0}, geometry.Point{X: 10, Y: 40}, math.Pi / 2},
		{"a sharp turn", 0, 0, 10, 0, 0, 10, 1, geometry.Point{X: 10 - 1 - math.Sqrt2, Y: 1}, geometry.Point{X: 10 - 1 - math.Sqrt2, Y: 0},
			geometry.Point{X: 10 - 1 - math.Sqrt2 + math.Sqrt2/2, Y: 1 + math.Sqrt2/2}, 3 * math.Pi / 4},
	}
	for _, tt := range tests {
		for _, m := range []geometry.Matrix{geometry.Identity, geometry.Identity.Translate(5, 6).Rotate(1).Scale(2, -3)} {
			t.Run(fmt.Sprint(tt.name, m), func(t *testing.T) {
				p := new(geometry.Path)
				p.SetTransform(m)
				p.MoveTo(tt.x0, tt.y0)
				p.ArcTo(tt.x1, tt.y1, tt.x2, tt.y2, tt.radius)
				inverse, _ := m.Inverse()
				p.Transform(inverse)
				// The arc is what follows the line to its start.
				pl := new(geometry.Polyline)
				p.Flatten(pl, geometry.Identity, 1e-4)
				if d := pl.Points[1].Sub(tt.start).Length(); d > 1e-9 {
					t.Errorf("the arc starts in %v, want %v", pl.Points[1], tt.start)
				}
				last, _ := p.Last()
				if d := last.Sub(tt.end).Length(); d > 1e-9 {
					t.Errorf("the path ends in %v, want %v", last, tt.end)
				}
				turned := 0.0
				for i, q := range pl.Points[1:] {
					if d := q.Sub(tt.center).Length(); math.Abs(d-tt.radius) > 1e-9 {
						t.Fatalf("%v is %g from the center, want %g", q, d, tt.radius)
					}
					if i > 0 {
						v, w := pl.Points[i].Sub(tt.center), q.Sub(tt.center)
						turned += math.Atan2(v.X*w.Y-v.Y*w.X, v.X*w.X+v.Y*w.Y)
					}
				}
				if math.Abs(turned-tt.turned) > 1e-9 {
					t.Errorf("turns by %g, want %g", turned, tt.turned)
				}
			})
		}
	}
}

func TestRoundRect(t *testing.T) {
	r := func(x, y float64) geometry.Point { return geometry.Point{X: x, Y: y} }
	inside := func(p *geometry.Path, x, y float64) bool {
		pl := new(geometry.Polyline)
		p.Flatten(pl, geometry.Identity, 1e-3)
		return geometry.Contains(pl, geometry.Point{X: x, Y: y}, false)
	}
	// Each corner has another radius; a corner's square of 30 tells them apart by points on
	// both sides of its arc.
	radii := [4]geometry.Point{r(10, 10), r(20, 20), r(30, 30), {}}
	edge := func(radius float64) float64 { return radius * (1 - math.Sqrt2/2) }
	tests := []struct {
		name        string
		x, y, w, h  float64
		cornersFrom [4]float64 // the radii at top left, top right, bottom right, bottom left
	}{
		{"positive sizes", 0, 0, 100, 100, [4]float64{10, 20, 30, 0}},
		{"a negative width", 100, 0, -100, 100, [4]float64{20, 10, 0, 30}},
		{"a negative height", 0, 100, 100, -100, [4]float64{0, 30, 20, 10}},
		{"negative sizes", 100, 100, -100, -100, [4]float64{30, 0, 10, 20}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := new(geometry.Path)
			p.RoundRect(tt.x, tt.y, tt.w, tt.h, radii)
			for i, radius := range tt.cornersFrom {
				for _, d := range []float64{-0.1, 0.1} {
					x, y := edge(radius)+d, edge(radius)+d
					if i == 1 || i == 2 {
						x = 100 - x
					}
					if i >= 2 {
						y = 100 - y
					}
					if got := inside(p, x, y); got != (d > 0) {
						t.Errorf("corner %d: (%g, %g) inside: %v", i, x, y, got)
					}
				}
			}
			if q, _ := p.Last(); q != r(tt.x, tt.y) {
				t.Errorf("goes on from %v, want (%g, %g)", q, tt.x, tt.y)
			}
		})
	}

	p := new(geometry.Path)
	p.RoundRect(0, 0, 100, 40, [4]geometry.Point{r(40, 40), r(40, 40), r(40, 40), r(40, 40)})
	if want := "M20,0 L80,0 "; !strings.HasPrefix(dump(p), want) {
		t.Errorf("radii too great for the height are not halved: %s", dump(p))
	}
	p.Reset()
	p.RoundRect(0, 0, 0, 0, [4]geometry.Point{r(4, 4), r(4, 4), r(4, 4), r(4, 4)})
	if want := "M0,0 L0,0 L0,0 L0,0 Z"; dump(p) != want {
		t.Errorf("a rounded rectangle without sizes is %s, want %s", dump(p), want)
	}
}

// An arc of radius 10 000 is within a hundredth of a pixel of the circle, flattened and as
// cubics, also after transforms.
func TestArcAccuracy(t *testing.T) {
	p := new(geometry.Path)
	p.Arc(0, 0, 1, 0, 2*math.Pi, false)
	m := geometry.Identity.Translate(300, -200).Rotate(0.3).Scale(1e4, 1e4)
	check := func(q geometry.Point, most float64) {
		t.Helper()
		if d := math.Abs(q.Sub(geometry.Point{X: 300, Y: -200}).Length() - 1e4); d > most {
			t.Fatalf("%v is %g off the circle", q, d)
		}
	}
	pl := new(geometry.Polyline)
	p.Flatten(pl, m, 0.01)
	for i, q := range pl.Points {
		check(q, 1e-8)
		if i > 0 {
			check(q.Add(pl.Points[i-1]).Mul(0.5), 0.01)
		}
	}
	p.Transform(m)
	var last geometry.Point
	p.Each(func(k geometry.Kind, c []geometry.Point) {
		if k == geometry.Cubic {
			for i := range 20 {
				t := float64(i) / 20
				a, b, d, e := (1-t)*(1-t)*(1-t), 3*t*(1-t)*(1-t), 3*t*t*(1-t), t*t*t
				check(last.Mul(a).Add(c[0].Mul(b)).Add(c[1].Mul(d)).Add(c[2].Mul(e)), 0.01)
			}
		}
		last = c[len(c)-1]
	})
}

func TestFlattenIsWithinTheTolerance(t *testing.T) {
	curves := map[string]func(p *geometry.Path){
		"a quadratic curve":       func(p *geometry.Path) { p.QuadTo(100, 200, 300, -50) },
		"a cubic curve":           func(p *geometry.Path) { p.CubicTo(100, 200, 300, -250, 50, 80) },
		"a cubic curve with cusp": func(p *geometry.Path) { p.CubicTo(100, 100, 0, 100, 100, 0) },
		"an ellipse":              func(p *geometry.Path) { p.Ellipse(0, 0, 200, 30, 1, 0, 5, true) },
	}
	for name, build := range curves {
		for _, tolerance := range []float64{1, 0.1, 0.01} {
			p := new(geometry.Path)
			p.MoveTo(0, 0)
			build(p)
			coarse, fine := new(geometry.Polyline), new(geometry.Polyline)
			p.Flatten(coarse, geometry.Identity, tolerance)
			p.Flatten(fine, geometry.Identity, 1e-5)
			for _, q := range fine.Points {
				best := math.Inf(1)
				for i, b := range coarse.Points[1:] {
					a := coarse.Points[i]
					d := b.Sub(a)
					s := 0.0
					if l := d.Length(); l > 0 {
						v := q.Sub(a)
						s = max(0, min(1, (v.X*d.X+v.Y*d.Y)/(l*l)))
					}
					best = min(best, q.Sub(a.Add(d.Mul(s))).Length())
				}
				if best > tolerance {
					t.Errorf("%s, tolerance %g: %v is %g off", name, tolerance, q, best)
					break
				}
			}
		}
	}
}

func TestAppend(t *testing.T) {
	q := new(geometry.Path)
	q.MoveTo(1, 1)
	q.LineTo(2, 1)
	p := new(geometry.Path)
	p.MoveTo(9, 9)
	p.Append(q, geometry.Matrix{A: 10, D: 10, E: 5})
	p.LineTo(0, 0)
	p.Append(p, geometry.Identity)
	p.Append(new(geometry.Path), geometry.Identity)
	if got, want := dump(p), "M9,9 M15,10 L25,10 L0,0 M9,9 M15,10 L25,10 L0,0"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	c := p.Clone()
	c.LineTo(7, 7)
	c.Transform(geometry.Matrix{})
	if got, want := dump(p), "M9,9 M15,10 L25,10 L0,0 M9,9 M15,10 L25,10 L0,0"; got != want {
		t.Errorf("a change of the clone shows in the path: %s", got)
	}
}

func TestContains(t *testing.T) {
	ring := path(func(p *geometry.Path) { p.Rect(0, 0, 30, 30); p.Rect(10, 10, 10, 10) })
	open := path(func(p *geometry.Path) { p.MoveTo(0, 0); p.LineTo(30, 0); p.LineTo(0, 30) })
	tests := []struct {
		name    string
		path    *geometry.Path
		x, y    float64
		evenodd bool
		want    bool
	}{
		{"inside", ring, 5, 5, false, true},
		{"in the hole, nonzero", ring, 15, 15, false, true},
		{"in the hole, evenodd", ring, 15, 15, true, false},
		{"on the edge of the hole, evenodd", ring, 10, 15, true, true},
		{"on the upper edge", ring, 10, 0, false, true},
		{"on the lower edge", ring, 10, 30, false, true},
		{"on the left edge", ring, 0, 10, false, true},
		{"on the right edge", ring, 30, 10, false, true},
		{"on a corner", ring, 30, 30, false, true},
		{"above", ring, 10, -0.01, false, false},
		{"below", ring, 10, 30.01, false, false},
		{"on the left", ring, -0.01, 10, false, false},
		{"on the right", ring, 30.01, 10, false, false},
		{"level with a corner", ring, 40, 30, false, false},
		{"in an open subpath", open, 5, 5, false, true},
		{"on the line that would close it", open, 0, 15, false, true},
		{"beyond it", open, -0.01, 15, false, false},
		{"nowhere", new(geometry.Path), 0, 0, false, false},
		{"not a number", ring, math.NaN(), 5, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pl := new(geometry.Polyline)
			tt.path.Flatten(pl, geometry.Identity, 0.1)
			if got := geometry.Contains(pl, geometry.Point{X: tt.x, Y: tt.y}, tt.evenodd); got != tt.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestInverse(t *testing.T) {
	for _, m := range []geometry.Matrix{{}, {A: 1, B: 1, C: 1, D: 1}, {A: 1e-200, D: 1e-200}, {A: 1e300, D: 1e300}, {A: math.NaN(), D: 1}} {
		if n, ok := m.Inverse(); ok {
			t.Errorf("%v has the inverse %v", m, n)
		}
	}
	m := geometry.Identity.Translate(3, 4).Rotate(0.5).Scale(2, -5)
	n, ok := m.Inverse()
	if q := n.Apply(m.Apply(geometry.Point{X: 7, Y: 8})); !ok || q.Sub(geometry.Point{X: 7, Y: 8}).Length() > 1e-12 {
		t.Errorf("there and back is %v", q)
	}
	if got := m.MaxScale(); math.Abs(got-5) > 1e-12 {
		t.Errorf("scales by at most %g, want 5", got)
	}
}
