package geometry

import "math"

// A Kind says what a segment of a path is, and how many points it has.
type Kind uint8

// The kinds, with the points that Each passes.
const (
	Move  Kind = iota // the first point of a subpath
	Line              // the end point
	Quad              // a control point and the end point
	Cubic             // two control points and the end point
	Close             // none: a line back to the first point of the subpath

	// arc is a piece of an ellipse, center + u·cos t + v·sin t with t from start to
	// start+sweep; five points: the end point, center, u, v and {start, sweep}. A map
	// transforms it exactly and cheaply, and it is flattened without an approximation between.
	// Each passes it as cubics.
	arc
)

// stored is how many points a kind has in Path.points.
var stored = [...]int{Move: 1, Line: 1, Quad: 2, Cubic: 3, Close: 0, arc: 5}

// A Path is a list of subpaths, built by the calls of a canvas with the semantics of the HTML
// Standard. The zero value is an empty path.
//
// Coordinates go through the transform (SetTransform) as they are added, so that a path can be
// kept in device space while its builder's matrix changes.
//
// A Path may be read by several goroutines as long as none changes it.
type Path struct {
	kinds  []Kind
	points []Point

	first Point // of the current subpath, transformed
	last  Point // the current point, transformed
	state pathState

	transformed bool // m is not the identity
	m           Matrix
}

// pathState is where the builder stands.
type pathState uint8

const (
	noSubpath  pathState = iota // the next segment starts a subpath at its own first point
	afterClose                  // the standard's new subpath at first is there but not yet stored
	inSubpath                   // the last subpath is open
)

// SetTransform sets the map for the coordinates of the calls that follow; it changes nothing
// that the path has. A matrix that is not finite is ignored.
func (p *Path) SetTransform(m Matrix) {
	if m.Finite() {
		p.m, p.transformed = m, !m.IsIdentity()
	}
}

// Reset empties the path and keeps its memory and its transform.
func (p *Path) Reset() {
	p.kinds, p.points = p.kinds[:0], p.points[:0]
	p.state, p.first, p.last = noSubpath, Point{}, Point{}
}

// Clone returns a path that shares nothing with p.
func (p *Path) Clone() *Path {
	q := *p
	q.kinds = append([]Kind(nil), p.kinds...)
	q.points = append([]Point(nil), p.points...)
	return &q
}

// Empty reports whether the path has no subpath.
func (p *Path) Empty() bool { return len(p.kinds) == 0 }

// Len is the number of segments, moves and closes included: what a limit counts.
func (p *Path) Len() int { return len(p.kinds) }

// Last is the current point: where the next segment starts. False if there is no subpath.
func (p *Path) Last() (Point, bool) { return p.last, p.state != noSubpath }

func (p *Path) apply(x, y float64) Point {
	q := Point{x, y}
	if p.transformed {
		q = p.m.Apply(q)
	}
	return Point{hold(q.X), hold(q.Y)}
}

func (p *Path) move(q Point) {
	// A move after a move replaces it: a subpath of one point draws nothing.
	if n := len(p.kinds); n > 0 && p.kinds[n-1] == Move {
		p.points[len(p.points)-1] = q
	} else {
		p.kinds = append(p.kinds, Move)
		p.points = append(p.points, q)
	}
	p.first, p.last, p.state = q, q, inSubpath
}

// begin sees to it that there is an open subpath; q is its first point if there is none at all.
func (p *Path) begin(q Point) {
	switch p.state {
	case noSubpath:
		p.move(q)
	case afterClose:
		p.move(p.first)
	}
}

func (p *Path) line(q Point) {
	p.begin(q)
	p.kinds = append(p.kinds, Line)
	p.points = append(p.points, q)
	p.last = q
}

// MoveTo starts a subpath.
func (p *Path) MoveTo(x, y float64) {
	if finite(x, y) {
		p.move(p.apply(x, y))
	}
}

// LineTo adds a line, or starts a subpath if there is none.
func (p *Path) LineTo(x, y float64) {
	if !finite(x, y) {
		return
	}
	q := p.apply(x, y)
	if p.state == noSubpath {
		p.move(q)
		return
	}
	p.line(q)
}

// QuadTo adds a quadratic Bézier curve. Without a subpath, one starts at the control point.
func (p *Path) QuadTo(cx, cy, x, y float64) {
	if !finite(cx, cy, x, y) {
		return
	}
	c, q := p.apply(cx, cy), p.apply(x, y)
	p.begin(c)
	p.kinds = append(p.kinds, Quad)
	p.points = append(p.points, c, q)
	p.last = q
}

// CubicTo adds a cubic Bézier curve. Without a subpath, one starts at the first control point.
func (p *Path) CubicTo(c1x, c1y, c2x, c2y, x, y float64) {
	if !finite(c1x, c1y, c2x, c2y, x, y) {
		return
	}
	c1, c2, q := p.apply(c1x, c1y), p.apply(c2x, c2y), p.apply(x, y)
	p.begin(c1)
	p.kinds = append(p.kinds, Cubic)
	p.points = append(p.points, c1, c2, q)
	p.last = q
}

// Close closes the subpath with a line; the next segment starts a subpath at the same first
// point. It does nothing if there is no subpath.
func (p *Path) Close() {
	if p.state == inSubpath {
		p.kinds = append(p.kinds, Close)
		p.last, p.state = p.first, afterClose
	}
}

// Arc adds a piece of a circle from one angle to another, in radians clockwise from the
// x axis, joined to the current point by a line. A piece of 2π or more in its direction is the
// whole circle, once. A negative radius, which callers refuse before, adds nothing.
func (p *Path) Arc(x, y, radius, start, end float64, counterclockwise bool) {
	p.Ellipse(x, y, radius, radius, 0, start, end, counterclockwise)
}

// Ellipse is Arc for an ellipse whose first axis is rotated clockwise by rotation.
func (p *Path) Ellipse(x, y, rx, ry, rotation, start, end float64, counterclockwise bool) {
	if !finite(x, y, rx, ry, rotation, start, end) || rx < 0 || ry < 0 {
		return
	}
	sin, cos := math.Sincos(rotation)
	p.arc(Point{x, y}, Point{rx * cos, rx * sin}, Point{-ry * sin, ry * cos},
		start, sweep(start, end, counterclockwise))
}

// sweep is the signed angle that an arc covers: at most a full turn in its direction, and a
// full turn too where the angles differ by a multiple of it the other way round, as browsers
// have it.
func sweep(start, end float64, counterclockwise bool) float64 {
	d := end - start
	if counterclockwise {
		d = -d
	}
	switch {
	case d >= 2*math.Pi:
		d = 2 * math.Pi
	case d < 0:
		d = 2*math.Pi - math.Mod(-d, 2*math.Pi)
	}
	if counterclockwise {
		d = -d
	}
	return d
}

// arc adds center + u·cos t + v·sin t, t from start to start+sweep, in coordinates before the
// transform, and the line that leads to it.
func (p *Path) arc(center, u, v Point, start, sweep float64) {
	// Great angles lose their full turns here, once.
	start = math.Mod(start, 2*math.Pi)
	c, u, v := p.axes(center, u, v)
	from := ellipsePoint(c, u, v, start)
	if p.state == noSubpath {
		p.move(from)
	} else if p.begin(from); p.last != from {
		p.line(from)
	}
	if sweep == 0 || u == (Point{}) && v == (Point{}) {
		return // the arc is the point that the path has reached
	}
	to := from
	if math.Abs(sweep) != 2*math.Pi {
		to = ellipsePoint(c, u, v, start+sweep)
	}
	p.addArc(to, c, u, v, start, sweep)
}

// arcTo adds an arc that starts at the current point and ends in to, which is transformed.
func (p *Path) arcTo(center, u, v Point, start, sweep float64, to Point) {
	c, u, v := p.axes(center, u, v)
	p.begin(to)
	p.addArc(to, c, u, v, start, sweep)
}

func (p *Path) axes(center, u, v Point) (Point, Point, Point) {
	if p.transformed {
		u, v = p.m.ApplyVector(u), p.m.ApplyVector(v)
	}
	return p.apply(center.X, center.Y), holdPoint(u), holdPoint(v)
}

func (p *Path) addArc(to, c, u, v Point, start, sweep float64) {
	p.kinds = append(p.kinds, arc)
	p.points = append(p.points, to, c, u, v, Point{start, sweep})
	p.last = to
}

func ellipsePoint(c, u, v Point, t float64) Point {
	sin, cos := math.Sincos(t)
	return Point{
		hold(c.X + float64(u.X*cos) + float64(v.X*sin)),
		hold(c.Y + float64(u.Y*cos) + float64(v.Y*sin)),
	}
}

// ArcTo adds the arc of a radius that touches the lines from the current point to (x1, y1) and
// from there to (x2, y2), and a line to where it starts. Without a subpath, one starts at
// (x1, y1). A negative radius, which callers refuse before, adds nothing.
func (p *Path) ArcTo(x1, y1, x2, y2, radius float64) {
	if !finite(x1, y1, x2, y2, radius) || radius < 0 {
		return
	}
	p1, p2 := Point{x1, y1}, Point{x2, y2}
	corner := p.apply(x1, y1)
	p.begin(corner)
	p0 := p.last
	if p0 == corner {
		// Mapped back, the point would be beside (x1, y1) by a rounding, in any direction.
		p.line(corner)
		return
	}
	if p.transformed {
		inverse, ok := p.m.Inverse()
		if !ok {
			p.line(corner)
			return
		}
		p0 = inverse.Apply(p0)
	}
	a, b := p0.Sub(p1), p2.Sub(p1)
	la, lb := a.Length(), b.Length()
	if la <= 1e-9*(math.Abs(x1)+math.Abs(y1)) || lb == 0 || radius == 0 || !finite(la, lb) {
		p.line(corner)
		return
	}
	a, b = a.Mul(1/la), b.Mul(1/lb)
	turn := cross(a, b)
	if math.Abs(turn) < 1e-12 {
		p.line(corner)
		return
	}
	// The tangent points lie radius/tan(φ/2) from p1, φ the angle between a and b.
	cos := dot(a, b)
	reach := radius * (1 + cos) / math.Abs(turn)
	from, to := p1.Add(a.Mul(reach)), p1.Add(b.Mul(reach))
	// The center is a radius from the first tangent point, on the side of b.
	n := Point{-a.Y, a.X}
	if turn < 0 {
		n = n.Mul(-1)
	}
	center := from.Add(n.Mul(radius))
	if !finite(center.X, center.Y) {
		p.line(corner)
		return
	}
	start := math.Atan2(from.Y-center.Y, from.X-center.X)
	end := math.Atan2(to.Y-center.Y, to.X-center.X)
	p.arc(center, Point{radius, 0}, Point{0, radius}, start, sweep(start, end, turn > 0))
}

// Rect adds a rectangle as a closed subpath; the next segment starts at (x, y). Negative sizes
// turn its direction round.
func (p *Path) Rect(x, y, w, h float64) {
	if !finite(x, y, w, h) {
		return
	}
	p.move(p.apply(x, y))
	p.line(p.apply(x+w, y))
	p.line(p.apply(x+w, y+h))
	p.line(p.apply(x, y+h))
	p.Close()
}

// RoundRect adds a rectangle with elliptic corners as a closed subpath; the next segment
// starts at (x, y). The radii are those of the corners (x, y), (x+w, y), (x+w, y+h) and
// (x, y+h): negative sizes flip the corners. Radii that do not fit are scaled down together.
// Negative radii, which callers refuse before, count as 0.
func (p *Path) RoundRect(x, y, w, h float64, radii [4]Point) {
	if !finite(x, y, w, h) {
		return
	}
	for i, r := range radii {
		if !finite(r.X, r.Y) {
			return
		}
		radii[i] = Point{math.Max(r.X, 0), math.Max(r.Y, 0)}
	}
	fit := 1.0
	for _, side := range [4][2]float64{
		{math.Abs(w), radii[0].X + radii[1].X},
		{math.Abs(h), radii[1].Y + radii[2].Y},
		{math.Abs(w), radii[2].X + radii[3].X},
		{math.Abs(h), radii[3].Y + radii[0].Y},
	} {
		if side[1] > side[0] {
			fit = math.Min(fit, side[0]/side[1])
		}
	}
	// Towards the inside from (x, y).
	sx, sy := math.Copysign(1, w), math.Copysign(1, h)
	for i, r := range radii {
		radii[i] = Point{r.X * fit * sx, r.Y * fit * sy}
		if r.X*fit == 0 || r.Y*fit == 0 { // with one radius of 0 a corner is square
			radii[i] = Point{}
		}
	}
	tl, tr, br, bl := radii[0], radii[1], radii[2], radii[3]
	corner := func(cx, cy float64, r Point, start float64) {
		if r != (Point{}) {
			p.arc(Point{cx, cy}, Point{r.X, 0}, Point{0, r.Y}, start, math.Pi/2)
		}
	}
	p.move(p.apply(x+tl.X, y))
	p.line(p.apply(x+w-tr.X, y))
	corner(x+w-tr.X, y+tr.Y, tr, -math.Pi/2)
	p.line(p.apply(x+w, y+h-br.Y))
	corner(x+w-br.X, y+h-br.Y, br, 0)
	p.line(p.apply(x+bl.X, y+h))
	corner(x+bl.X, y+h-bl.Y, bl, math.Pi/2)
	if tl != (Point{}) {
		p.line(p.apply(x, y+tl.Y))
		corner(x+tl.X, y+tl.Y, tl, math.Pi)
	}
	p.Close()
	p.first = p.apply(x, y)
	p.last = p.first
}

// Append adds the subpaths of q, mapped by m and by the transform of p, as addPath() does: the
// next segment goes on where q ends. q may be p.
func (p *Path) Append(q *Path, m Matrix) {
	if len(q.kinds) == 0 || !m.Finite() {
		return
	}
	if p.transformed {
		m = p.m.Mul(m)
	}
	first, last, state := q.first, q.last, q.state
	kinds, points := len(p.kinds), len(p.points)
	p.kinds = append(p.kinds, q.kinds...)
	p.points = append(p.points, q.points...)
	transform(p.kinds[kinds:], p.points[points:], m)
	p.first, p.last, p.state = holdPoint(m.Apply(first)), holdPoint(m.Apply(last)), state
}

// Transform maps what the path has by m, not what is added later.
func (p *Path) Transform(m Matrix) {
	if !m.Finite() {
		return
	}
	transform(p.kinds, p.points, m)
	p.first, p.last = holdPoint(m.Apply(p.first)), holdPoint(m.Apply(p.last))
}

func holdPoint(q Point) Point { return Point{hold(q.X), hold(q.Y)} }

func transform(kinds []Kind, points []Point, m Matrix) {
	for _, k := range kinds {
		n := stored[k]
		if k == arc {
			points[0], points[1] = holdPoint(m.Apply(points[0])), holdPoint(m.Apply(points[1]))
			points[2] = holdPoint(m.ApplyVector(points[2]))
			points[3] = holdPoint(m.ApplyVector(points[3]))
		} else {
			for i := range points[:n] {
				points[i] = holdPoint(m.Apply(points[i]))
			}
		}
		points = points[n:]
	}
}

// Each passes the segments in order, for writers of other formats. Arcs come as cubics of at
// most 30°, which are within 4e-7 of the radius. The slice is valid until f returns.
func (p *Path) Each(f func(k Kind, points []Point)) {
	points := p.points
	var buf [3]Point
	for _, k := range p.kinds {
		n := stored[k]
		if k != arc {
			f(k, points[:n])
			points = points[n:]
			continue
		}
		to, c, u, v := points[0], points[1], points[2], points[3]
		start, sweep := points[4].X, points[4].Y
		points = points[n:]
		pieces := int(math.Ceil(math.Abs(sweep)/(math.Pi/6) - 1e-9))
		pieces = max(pieces, 1)
		step := sweep / float64(pieces)
		handle := 4.0 / 3 * math.Tan(step/4)
		at := ellipsePoint(c, u, v, start)
		tangent := ellipsePoint(Point{}, v, u.Mul(-1), start)
		for i := 1; i <= pieces; i++ {
			t := start + step*float64(i)
			next := ellipsePoint(c, u, v, t)
			if i == pieces {
				next = to
			}
			nextTangent := ellipsePoint(Point{}, v, u.Mul(-1), t)
			buf = [3]Point{holdPoint(at.Add(tangent.Mul(handle))), holdPoint(next.Sub(nextTangent.Mul(handle))), next}
			f(Cubic, buf[:])
			at, tangent = next, nextTangent
		}
	}
}
