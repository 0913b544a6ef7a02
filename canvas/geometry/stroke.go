package geometry

import "math"

// A Cap is how the ends of open subpaths and dashes are drawn.
type Cap uint8

// The caps of lineCap, in the order of the canvas's words.
const (
	ButtCap Cap = iota
	RoundCap
	SquareCap
)

// A Join is how lines meet.
type Join uint8

// The joins of lineJoin.
const (
	MiterJoin Join = iota
	RoundJoin
	BevelJoin
)

// StrokeOptions are the line styles of a canvas. Lengths are in user units.
type StrokeOptions struct {
	Width float64 // not above 0: nothing is drawn
	Cap   Cap
	Join  Join

	// MiterLimit is how far a miter may reach from the joint, in halves of the width; a
	// longer one is a bevel.
	MiterLimit float64

	// Dashes are the lengths of dashes and gaps by turns; an odd list counts twice. Empty, or
	// without a positive sum, or with a negative or infinite length: a solid line.
	Dashes     []float64
	DashOffset float64 // where in the list each subpath starts; may be negative

	// Dots makes subpaths of zero length, but not moves alone, draw their caps, as SVG does and
	// a canvas does not.
	Dots bool
}

// A Stroker makes outlines of strokes. The zero value is ready; using one again saves its
// memory. It must not be used by several goroutines at once.
type Stroker struct {
	// Stop, if it is not nil, is asked now and then whether to stop. What is stopped is
	// incomplete.
	Stop func() bool

	lines, dashed lines
	head          lines // the first dash of a closed subpath, which may be the end of its last

	// The subpath that is being outlined, without zero-length lines.
	points  []Point
	smooth  []bool
	dirs    []Point // unit vectors: dirs[i] from points[i] to the next
	lengths []float64

	dst       *Polyline
	m         Matrix
	most      int // points of dst, after which round joins have few chords
	half      float64
	cap       Cap
	join      Join
	dots      bool
	limit     float64 // of 2/(1+cos) for the angle by which the direction turns at a miter
	roundStep float64 // the angle of a chord of a round join
	flat      float64 // 1−cos of half the angle of a turn that a miter point does not show

	// The last point that bent has added, if it was the last one.
	bend struct {
		p, n Point
		on   bool
	}
}

// lines are what a stroke goes along: a polyline with the points that lie within curves.
type lines struct {
	Polyline
	smooth []bool
}

func (l *lines) reset() {
	l.Reset()
	l.smooth = l.smooth[:0]
}

// Stroke adds the outline of the path's stroke to dst, in device space, to be filled with the
// nonzero rule.
//
// The path is first mapped by toUser into user space, where the line styles hold; the outline
// is mapped by m to device space. A path kept in device space passes the inverse of m, one in
// user space the Identity. Nothing is added if a matrix is not finite.
//
// tolerance is in device pixels. Where clip is not empty, dashes that lie outside of it may be
// missing, which bounds the work. A dash pattern shorter than 1/256 of a pixel is drawn as a
// solid line, and so is what comes after a million dashes and gaps; a line of more than 1e12
// periods is not cut.
//
// Subpaths of zero length draw nothing without Dots, with any cap, and zero-length lines do
// not count (HTML Standard, "trace a path"). A dash of zero length draws its caps.
func (s *Stroker) Stroke(dst *Polyline, p *Path, toUser Matrix, o StrokeOptions, m Matrix, clip Rect, tolerance float64) {
	scale := m.MaxScale()
	if !(o.Width > 0) || !(scale > 0) || !finite(o.Width, scale) || !toUser.Finite() || !m.Finite() {
		return
	}
	s.dst, s.m, s.most = dst, m, len(dst.Points)+mostPoints
	s.half, s.cap, s.join = hold(o.Width)/2, o.Cap, o.Join
	s.dots = o.Dots && o.Cap != ButtCap
	s.limit = o.MiterLimit * o.MiterLimit
	s.flat = tolerance / (s.half * scale)
	s.roundStep = math.Pi / 2
	if s.flat < 1 {
		s.roundStep = math.Min(s.roundStep, 2*math.Acos(1-s.flat))
	}

	s.lines.reset()
	f := flattener{
		Polyline: &s.lines.Polyline, m: toUser, tolerance: tolerance / scale, most: mostPoints,
		stroke: true, half: s.half, smooth: s.lines.smooth,
	}
	f.flatten(p)
	f.corner()
	s.lines.smooth = f.smooth

	src := &s.lines
	if d, ok := newDasher(o, scale); ok {
		if !clip.Empty() {
			// What a square cap or a miter reaches.
			reach := s.half * math.Sqrt2
			if o.Join == MiterJoin && o.MiterLimit > math.Sqrt2 {
				reach = s.half * o.MiterLimit
			}
			d.clip, d.m, d.clipped = clip.Inset(-reach*scale-1), m, true
		}
		s.dashed.reset()
		d.dash(&s.dashed, src, &s.head)
		src = &s.dashed
	}
	from := 0
	for i, end := range src.Ends {
		if i%256 == 255 && s.stopped() {
			break
		}
		s.outline(src.Points[from:end], src.smooth[from:end], src.Closed[i])
		from = end
	}
	s.dst = nil
}

// outline adds the outline of one subpath. Its winding numbers are those of the union of what
// each line and each join covers, 1 or more in all of them and 0 elsewhere, also where lines
// overlap: on its inner side a joint goes back to the point itself where the edges of short
// lines do not meet.
func (s *Stroker) outline(points []Point, smooth []bool, closed bool) {
	s.points, s.smooth = s.points[:0], s.smooth[:0]
	s.dirs, s.lengths = s.dirs[:0], s.lengths[:0]
	// Lines as short as what their points are off by have no direction.
	tiny := 0.0
	for _, p := range points {
		tiny = max(tiny, math.Abs(p.X), math.Abs(p.Y))
	}
	tiny *= 1e-12
	for i, p := range points {
		if n := len(s.points); n > 0 {
			d := p.Sub(s.points[n-1])
			l := d.Length()
			if !(l > tiny) {
				s.smooth[n-1] = s.smooth[n-1] && smooth[i]
				continue
			}
			s.dirs, s.lengths = append(s.dirs, d.Mul(1/l)), append(s.lengths, l)
		}
		s.points, s.smooth = append(s.points, p), append(s.smooth, smooth[i])
	}
	n := len(s.points)
	if closed && n > 1 {
		d := s.points[0].Sub(s.points[n-1])
		if l := d.Length(); l > tiny {
			s.dirs, s.lengths = append(s.dirs, d.Mul(1/l)), append(s.lengths, l)
		} else {
			n--
			s.points = s.points[:n]
		}
	}
	if n < 2 {
		if s.dots {
			s.addCap(points[0], Point{1, 0})
			s.addCap(points[0], Point{-1, 0})
			s.end()
		}
		return
	}
	if closed {
		for i := range n {
			if i%stride == stride-1 && s.stopped() {
				break
			}
			s.joint(s.points[i], (i+n-1)%n, i, 1, s.smooth[i])
		}
		s.end()
		for i := n - 1; i >= 0; i-- {
			if i%stride == stride-1 && s.stopped() {
				break
			}
			s.joint(s.points[i], i, (i+n-1)%n, -1, s.smooth[i])
		}
		s.end()
		return
	}
	for i := 1; i < n-1; i++ {
		if i%stride == stride-1 && s.stopped() {
			break
		}
		s.joint(s.points[i], i-1, i, 1, s.smooth[i])
	}
	s.addCap(s.points[n-1], s.dirs[n-2])
	for i := n - 2; i > 0; i-- {
		if i%stride == stride-1 && s.stopped() {
			break
		}
		s.joint(s.points[i], i, i-1, -1, s.smooth[i])
	}
	s.addCap(s.points[0], s.dirs[0].Mul(-1))
	s.end()
}

// stride is after how many points Stop is asked, each of which may become hundreds.
const stride = 1024

func (s *Stroker) stopped() bool { return s.Stop != nil && s.Stop() }

func (s *Stroker) end() {
	s.bend.on = false
	s.dst.Ends = append(s.dst.Ends, len(s.dst.Points))
	s.dst.Closed = append(s.dst.Closed, true)
}

func (s *Stroker) emit(p Point) {
	s.dst.Points = append(s.dst.Points, holdPoint(s.m.Apply(p)))
}

// normal is the way from a line of direction d to its edge on the left.
func (s *Stroker) normal(d Point) Point { return Point{d.Y * s.half, -d.X * s.half} }

// addCap adds the end of a line that comes to p in direction d, from its left edge to its
// right one.
func (s *Stroker) addCap(p, d Point) {
	s.bend.on = false
	n := s.normal(d)
	switch s.cap {
	case RoundCap:
		s.round(p, n, math.Pi)
	case SquareCap:
		q := p.Add(d.Mul(s.half))
		s.emit(q.Add(n))
		s.emit(q.Sub(n))
	default:
		s.emit(p.Add(n))
		s.emit(p.Sub(n))
	}
}

// round adds the points of an arc around p that starts at p+n and turns clockwise.
func (s *Stroker) round(p, n Point, angle float64) {
	chords := mostChords
	if len(s.dst.Points) > s.most {
		chords = fewChords
	}
	if k := math.Ceil(angle / s.roundStep); k < float64(chords) {
		chords = max(int(k), 1)
	}
	sin, cos := math.Sincos(angle / float64(chords))
	s.emit(p.Add(n))
	for range chords {
		n = Point{float64(n.X*cos) - float64(n.Y*sin), float64(n.X*sin) + float64(n.Y*cos)}
		s.emit(p.Add(n))
	}
}

// bent adds the inner edge at a point p of a curve that is narrower than the line, n being its
// normal and d the direction of the chord that comes to p. What a chord covers is bounded by
// the normals of its ends, not by lines across the chord: those would lie beyond the ends of
// the curve by the width times the angle between chord and curve. Where the normals cross, at
// the centre of the curve, the chord covers what is between them on both sides of there.
func (s *Stroker) bent(p, n, d Point) {
	q := p.Add(n)
	if f := s.bend; f.on {
		// The crossing is at p + u·n of the former point.
		u := cross(p.Sub(f.p), n) / cross(f.n, n)
		if r := f.p.Add(f.n); dot(q.Sub(r), d) < 0 && u > 0 && u < 1 {
			x := f.p.Add(f.n.Mul(u))
			s.dst.Points = s.dst.Points[:len(s.dst.Points)-1]
			s.emit(x)
			a, b := q.Sub(x), r.Sub(x)
			s.round(x, a, math.Max(0, math.Atan2(cross(a, b), dot(a, b))))
			s.emit(r)
			s.emit(x)
			s.emit(p)
			s.emit(q)
			s.bend.p, s.bend.n = p, n
			return
		}
	}
	s.emit(q)
	s.emit(p)
	s.emit(q)
	s.bend.p, s.bend.n, s.bend.on = p, n, true
}

// joint adds the left edge where line a comes to p and line b leaves it; way is −1 if both are
// gone along backwards.
func (s *Stroker) joint(p Point, a, b int, way float64, smooth bool) {
	d, e := s.dirs[a], s.dirs[b]
	if way < 0 {
		d, e = d.Mul(-1), e.Mul(-1)
	}
	n, o := s.normal(d), s.normal(e)
	sin, cos := cross(d, e), dot(d, e)
	// The edges, or their continuations, meet at tip from p.
	tip := n.Add(o).Mul(1 / (1 + cos))

	if sin < 0 || sin == 0 && (cos > 0 || way < 0) { // the inner side, or straight on
		if s.half*-sin <= (1+cos)*math.Min(s.lengths[a], s.lengths[b])/2 && cos > -0.999 {
			s.emit(p.Add(tip))
			s.bend.on = false
			return
		}
		if smooth {
			// The tangent of the circle through the point and its neighbours.
			t := d.Mul(s.lengths[b]).Add(e.Mul(s.lengths[a]))
			if l := t.Length(); l > 0 {
				s.bent(p, s.normal(t.Mul(1/l)), d)
				return
			}
		}
		s.bend.on = false
		s.emit(p.Add(n))
		s.emit(p)
		s.emit(p.Add(o))
		return
	}
	s.bend.on = false
	// 1 − cos of half of the turn.
	bend := 1 - math.Sqrt(math.Max(0, (1+cos)/2))
	switch {
	case bend <= s.flat && cos > 0, !smooth && s.join == MiterJoin && 2 <= s.limit*(1+cos):
		s.emit(p.Add(tip))
	case smooth || s.join == RoundJoin:
		s.round(p, n, math.Atan2(sin, cos))
	default:
		s.emit(p.Add(n))
		s.emit(p.Add(o))
	}
}
