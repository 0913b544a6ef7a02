package geometry

import "math"

// Tolerance is the distance in pixels that a flattened curve may have from the true one for
// anti-aliased drawing. See BenchmarkTolerance for what other values give and cost.
const Tolerance = 0.05

// mostChords bounds the chords of one curve. A circle needs that many at Tolerance with a
// radius of 85 000 pixels.
const mostChords = 4096

// A Polyline is a list of subpaths of straight lines: subpath i has the points from Ends[i-1]
// (0 for the first) up to Ends[i], and a line from its last point to its first if Closed[i].
// The first point is not repeated. The zero value is empty; Reset keeps the memory.
//
// A Polyline may be read by several goroutines as long as none changes it.
type Polyline struct {
	Points []Point
	Ends   []int
	Closed []bool
}

// Reset empties the polyline and keeps its memory.
func (pl *Polyline) Reset() {
	pl.Points, pl.Ends, pl.Closed = pl.Points[:0], pl.Ends[:0], pl.Closed[:0]
}

// Bounds is the smallest rectangle with all points; the zero Rect if there are none.
func (pl *Polyline) Bounds() Rect {
	if len(pl.Points) == 0 {
		return Rect{}
	}
	p := pl.Points[0]
	r := Rect{p.X, p.Y, p.X, p.Y}
	for _, p := range pl.Points[1:] {
		r.X0, r.X1 = min(r.X0, p.X), max(r.X1, p.X)
		r.Y0, r.Y1 = min(r.Y0, p.Y), max(r.Y1, p.Y)
	}
	return r
}

// end ends the subpath that the points since the last end make up. A single point is left out:
// it draws nothing.
func (pl *Polyline) end(closed bool) {
	from := 0
	if n := len(pl.Ends); n > 0 {
		from = pl.Ends[n-1]
	}
	if len(pl.Points)-from < 2 {
		pl.Points = pl.Points[:from]
		return
	}
	pl.Ends = append(pl.Ends, len(pl.Points))
	pl.Closed = append(pl.Closed, closed)
}

// Flatten adds the path, mapped by m, to dst as lines that are nowhere farther from it than
// the tolerance, in units after m.
func (p *Path) Flatten(dst *Polyline, m Matrix, tolerance float64) {
	f := flattener{Polyline: dst, m: m, tolerance: tolerance}
	f.flatten(p)
}

// A flattener turns the curves of one path into chords.
type flattener struct {
	*Polyline
	m         Matrix
	tolerance float64
}

func (f *flattener) flatten(p *Path) {
	points, m := p.points, f.m
	same := m.IsIdentity()
	var last Point
	var buf [3]Point
	for _, k := range p.kinds {
		n := stored[k]
		now := points[:n]
		points = points[n:]
		if !same && k != arc {
			for i, q := range now {
				buf[i] = holdPoint(m.Apply(q))
			}
			now = buf[:n]
		}
		switch k {
		case Move:
			f.end(false)
			f.Points = append(f.Points, now[0])
		case Line:
			f.Points = append(f.Points, now[0])
		case Quad:
			f.quad(last, now[0], now[1])
		case Cubic:
			f.cubic(last, now[0], now[1], now[2])
		case arc:
			f.arc(now)
		case Close:
			f.end(true)
			continue
		}
		last = f.Points[len(f.Points)-1]
	}
	f.end(false)
}

// chords is how many equal steps of the parameter keep the chords of a Bézier curve within the
// tolerance, when bend is a bound on the length of its second differences times d(d−1)/8 for
// the degree d (G.-J. Wang, "The subdivision method for finding the intersection between two
// Bézier curves or surfaces", 1984).
func (f *flattener) chords(bend float64) int {
	n := math.Ceil(math.Sqrt(bend / f.tolerance))
	if n < mostChords { // false for a NaN
		return max(int(n), 1)
	}
	return mostChords
}

func (f *flattener) quad(p0, p1, p2 Point) {
	dx, dy := p0.X-2*p1.X+p2.X, p0.Y-2*p1.Y+p2.Y
	n := f.chords(Point{dx, dy}.Length() * 0.25)
	step := 1 / float64(n)
	bx, by := 2*(p1.X-p0.X), 2*(p1.Y-p0.Y)
	for i := 1; i < n; i++ {
		t := float64(i) * step
		f.Points = append(f.Points, Point{
			p0.X + float64((bx+float64(dx*t))*t),
			p0.Y + float64((by+float64(dy*t))*t),
		})
	}
	f.Points = append(f.Points, p2)
}

func (f *flattener) cubic(p0, p1, p2, p3 Point) {
	a := Point{p0.X - 2*p1.X + p2.X, p0.Y - 2*p1.Y + p2.Y}
	b := Point{p1.X - 2*p2.X + p3.X, p1.Y - 2*p2.Y + p3.Y}
	n := f.chords(math.Max(a.Length(), b.Length()) * 0.75)
	step := 1 / float64(n)
	// p0 + 3(p1−p0)t + 3a·t² + (b−a)t³
	b1 := p1.Sub(p0).Mul(3)
	b2 := a.Mul(3)
	b3 := b.Sub(a)
	for i := 1; i < n; i++ {
		t := float64(i) * step
		f.Points = append(f.Points, Point{
			p0.X + float64((b1.X+float64((b2.X+float64(b3.X*t))*t))*t),
			p0.Y + float64((b1.Y+float64((b2.Y+float64(b3.Y*t))*t))*t),
		})
	}
	f.Points = append(f.Points, p3)
}

// arc takes the five points of the kind. Its second differences are bounded by the greater
// half axis times step²: chords of a step are within r(1−cos(step/2)) of it.
func (f *flattener) arc(a []Point) {
	c, u, v := holdPoint(f.m.Apply(a[1])), holdPoint(f.m.ApplyVector(a[2])), holdPoint(f.m.ApplyVector(a[3]))
	start, sweep := a[4].X, a[4].Y
	r := Matrix{A: u.X, B: u.Y, C: v.X, D: v.Y}.MaxScale()
	// No more than a quarter a chord, so that the smallest circle is not a line.
	step := math.Pi / 2
	if f.tolerance < r {
		step = math.Min(step, 2*math.Acos(1-f.tolerance/r))
	}
	n := mostChords
	if k := math.Ceil(math.Abs(sweep)/step - 1e-9); k < mostChords {
		n = max(int(k), 1)
	}
	// The direction turns by the same angle each time; the error of 4096 turns is below 1e-12.
	sin, cos := math.Sincos(start)
	ds, dc := math.Sincos(sweep / float64(n))
	for i := 1; i < n; i++ {
		sin, cos = float64(sin*dc)+float64(cos*ds), float64(cos*dc)-float64(sin*ds)
		f.Points = append(f.Points, Point{
			c.X + float64(u.X*cos) + float64(v.X*sin),
			c.Y + float64(u.Y*cos) + float64(v.Y*sin),
		})
	}
	f.Points = append(f.Points, holdPoint(f.m.Apply(a[0])))
}
