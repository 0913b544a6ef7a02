package geometry

import "math"

// mostDashes is how many dashes and gaps one stroke may have; what follows is solid.
const mostDashes = 1 << 20

// mostPeriods is how many periods of the pattern a line may have: in longer ones the places of
// dashes are not known to a thousandth, and the line is all of what it starts with.
const mostPeriods = 1e12

// A dasher cuts lines into dashes.
type dasher struct {
	pattern []float64
	period  float64

	// Where a subpath starts: the element of the pattern, what is left of it, and whether it is
	// a dash.
	index int
	left  float64
	on    bool

	clipped bool
	clip    Rect // in device space, with room for the width of the stroke
	m       Matrix

	dot   float64 // the length that a dash without a length is given, so that it has a direction
	count int
}

// newDasher makes a dasher for lines whose units are scaled to scale pixels. False if the line
// is solid.
func newDasher(o StrokeOptions, scale float64) (dasher, bool) {
	d := dasher{pattern: o.Dashes, dot: o.Width * 1e-6}
	for _, l := range o.Dashes {
		if !(l >= 0) || !finite(l) {
			return dasher{}, false
		}
		d.period += l
	}
	if len(o.Dashes)&1 != 0 {
		d.period *= 2 // each second time, the dashes are gaps
	}
	if !finite(d.period, o.DashOffset) || !(d.period*scale >= 1.0/256) {
		return dasher{}, false
	}
	at := math.Mod(o.DashOffset, d.period)
	if at < 0 {
		at += d.period
	}
	d.on = true
	// The sum of the lengths may differ from the period in its last bits.
	for range 2 * len(d.pattern) {
		if at < d.pattern[d.index] || at == 0 {
			break
		}
		at -= d.pattern[d.index]
		d.next(&d.index, &d.on)
	}
	d.left = math.Max(0, d.pattern[d.index]-at)
	return d, true
}

func (d *dasher) next(index *int, on *bool) {
	*index++
	*on = !*on
	if *index == len(d.pattern) {
		*index = 0
	}
}

// dash adds the dashes of src to dst. A dash that goes over the start of a closed subpath is
// one dash.
func (d *dasher) dash(dst, src, head *lines) {
	from := 0
	for i, end := range src.Ends {
		points, smooth := src.Points[from:end], src.smooth[from:end]
		from = end
		long := false
		for _, p := range points {
			long = long || p != points[0]
		}
		if long {
			d.subpath(dst, head, points, smooth, src.Closed[i])
			continue
		}
		// Of no length: a dot or nothing, as without dashes.
		dst.Points, dst.smooth = append(dst.Points, points...), append(dst.smooth, smooth...)
		dst.Ends, dst.Closed = append(dst.Ends, len(dst.Points)), append(dst.Closed, src.Closed[i])
	}
}

func (d *dasher) subpath(dst, head *lines, points []Point, smooth []bool, closed bool) {
	index, left, on := d.index, d.left, d.on
	head.reset()
	// The first dash of a closed subpath waits in head for what comes to its start.
	out := dst
	whole := false // until the first dash of a closed subpath ends
	add := func(p Point, smooth bool) {
		out.Points, out.smooth = append(out.Points, p), append(out.smooth, smooth)
	}
	end := func(dir Point) {
		if out == head {
			out, whole = dst, false
			return
		}
		out.endDash(dir, d.dot)
	}
	if on {
		if closed {
			out, whole = head, true
		}
		add(points[0], false)
	}

	segments := len(points) - 1
	if closed {
		segments++
	}
	for i := range segments {
		a, b := points[i], points[(i+1)%len(points)]
		v := b.Sub(a)
		length := v.Length()
		if length == 0 {
			continue
		}
		v = v.Mul(1 / length)
		low, high := 0.0, length
		if d.clipped && length > 2*d.period {
			low, high = d.visible(a, b, length)
		}
		at := 0.0
		for d.count < mostDashes && length < d.period*mostPeriods {
			if !on {
				// Whole periods that nobody sees are skipped, before the visible part and after.
				until := low
				if at > high {
					until = length
				}
				if k := math.Floor((until - at) / d.period); k >= 1 {
					at += k * d.period
				}
			}
			if at+left >= length {
				break
			}
			at += left
			p := a.Add(v.Mul(at))
			add(p, false)
			if on {
				end(v)
			}
			d.next(&index, &on)
			left = d.pattern[index]
			d.count++
		}
		if d.count >= mostDashes {
			if !on {
				on = true
				add(a.Add(v.Mul(math.Min(at, length))), false)
			}
			left = math.Inf(1)
		}
		if length < d.period*mostPeriods {
			left -= length - at
		}
		if on {
			// The joint; at the end of an open subpath, where its dash ends.
			add(b, smooth[(i+1)%len(points)])
		}
	}

	switch {
	case whole: // one dash all around
		head.Points = head.Points[:len(head.Points)-1]
		dst.Points = append(dst.Points, head.Points...)
		dst.smooth = append(dst.smooth, head.smooth[:len(head.Points)]...)
		dst.Ends, dst.Closed = append(dst.Ends, len(dst.Points)), append(dst.Closed, true)
		return
	case on && len(head.Points) > 0: // the last dash goes on as the first
		dst.smooth[len(dst.smooth)-1] = false
		dst.Points = append(dst.Points, head.Points[1:]...)
		dst.smooth = append(dst.smooth, head.smooth[1:]...)
		dst.endDash(Point{}, d.dot)
	case on:
		dst.endDash(Point{}, d.dot)
	}
	if !on && len(head.Points) > 0 {
		dst.Points = append(dst.Points, head.Points...)
		dst.smooth = append(dst.smooth, head.smooth...)
		dst.endDash(points[1].Sub(points[0]), d.dot)
	}
}

// endDash ends a dash. One without a length is given the length dot in the direction dir, or
// left out if that is zero: the stroker draws caps on lines only.
func (l *lines) endDash(dir Point, dot float64) {
	from := 0
	if n := len(l.Ends); n > 0 {
		from = l.Ends[n-1]
	}
	p := l.Points[from:]
	long := false
	for _, q := range p[1:] {
		long = long || q != p[0]
	}
	if !long {
		l.Points, l.smooth = l.Points[:from], l.smooth[:from]
		n := dir.Length()
		if n == 0 {
			return
		}
		// Far from the origin a shorter line would have no direction.
		dot = math.Max(dot, p[0].Length()*1e-11)
		l.Points = append(l.Points, p[0], p[0].Add(dir.Mul(dot/n)))
		l.smooth = append(l.smooth, false, false)
	}
	l.Ends, l.Closed = append(l.Ends, len(l.Points)), append(l.Closed, false)
}

// visible is the part of a line, as lengths from a, that lies in the clip: high is less than
// low if none does.
func (d *dasher) visible(a, b Point, length float64) (low, high float64) {
	p, q := holdPoint(d.m.Apply(a)), holdPoint(d.m.Apply(b))
	t0, t1 := 0.0, 1.0
	cut := func(p, q, low, high float64) {
		if p > q {
			p, q, low, high = -p, -q, -high, -low
		}
		if p == q {
			if p < low || p > high {
				t1 = -1
			}
			return
		}
		t0 = math.Max(t0, (low-p)/(q-p))
		t1 = math.Min(t1, (high-p)/(q-p))
	}
	cut(p.X, q.X, d.clip.X0, d.clip.X1)
	cut(p.Y, q.Y, d.clip.Y0, d.clip.Y1)
	if t0 > t1 {
		return length, -1
	}
	return t0 * length, t1 * length
}
