package text

import (
	"math"

	"quicksand/canvas/geometry"
)

// bounds returns the smallest box around a path. ok is false for one without points.
func bounds(p *geometry.Path) (b box, ok bool) {
	b = box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	var last geometry.Point
	p.Each(func(k geometry.Kind, pts []geometry.Point) {
		if k == geometry.Close {
			return
		}
		ok = true
		end := pts[len(pts)-1]
		b.add(end.X, end.Y)
		switch k {
		case geometry.Quad:
			b.x0, b.x1 = quadRange(b.x0, b.x1, last.X, pts[0].X, end.X)
			b.y0, b.y1 = quadRange(b.y0, b.y1, last.Y, pts[0].Y, end.Y)
		case geometry.Cubic:
			b.x0, b.x1 = cubicRange(b.x0, b.x1, last.X, pts[0].X, pts[1].X, end.X)
			b.y0, b.y1 = cubicRange(b.y0, b.y1, last.Y, pts[0].Y, pts[1].Y, end.Y)
		}
		last = end
	})
	return b, ok
}

func (b *box) add(x, y float64) {
	b.x0, b.x1 = min(b.x0, x), max(b.x1, x)
	b.y0, b.y1 = min(b.y0, y), max(b.y1, y)
}

// quadRange widens lo to hi by the extremum of a quadratic curve in one coordinate.
func quadRange(lo, hi, a, b, c float64) (float64, float64) {
	if b >= lo && b <= hi {
		return lo, hi // the curve stays between its points
	}
	d := a - b - b + c
	if d == 0 {
		return lo, hi
	}
	t := (a - b) / d
	if t <= 0 || t >= 1 {
		return lo, hi
	}
	u := 1 - t
	v := float64(u*u*a) + float64(2*u*t*b) + float64(t*t*c)
	return min(lo, v), max(hi, v)
}

func cubicRange(lo, hi, a, b, c, d float64) (float64, float64) {
	if b >= lo && b <= hi && c >= lo && c <= hi {
		return lo, hi
	}
	// The derivative is a quadratic in t: p·t² + q·t + r.
	p := d - a + float64(3*(b-c))
	q := 2 * (a - b - b + c)
	r := b - a
	try := func(t float64) {
		if !(t > 0 && t < 1) {
			return
		}
		u := 1 - t
		v := float64(u*u*u*a) + float64(3*u*u*t*b) + float64(3*u*t*t*c) + float64(t*t*t*d)
		lo, hi = min(lo, v), max(hi, v)
	}
	if math.Abs(p) < 1e-12 {
		if q != 0 {
			try(-r / q)
		}
		return lo, hi
	}
	if disc := float64(q*q) - float64(4*p*r); disc >= 0 {
		s := math.Sqrt(disc)
		try((-q + s) / (2 * p))
		try((-q - s) / (2 * p))
	}
	return lo, hi
}
