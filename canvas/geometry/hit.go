package geometry

import "math"

// Contains reports whether p is inside the polyline, whose open subpaths count as closed, or
// on its edge, which the standard counts as inside (up to a millionth of a unit).
func Contains(pl *Polyline, p Point, evenodd bool) bool {
	const edge = 1e-6
	winding := 0
	from := 0
	for _, end := range pl.Ends {
		points := pl.Points[from:end]
		from = end
		a := points[len(points)-1]
		for _, b := range points {
			if (a.Y <= p.Y) != (b.Y <= p.Y) {
				// The side of the line on which p lies.
				side := cross(b.Sub(a), p.Sub(a))
				if a.Y <= p.Y && side > 0 {
					winding++
				} else if a.Y > p.Y && side < 0 {
					winding--
				}
			}
			if p.X >= min(a.X, b.X)-edge && p.X <= max(a.X, b.X)+edge &&
				p.Y >= min(a.Y, b.Y)-edge && p.Y <= max(a.Y, b.Y)+edge {
				d := b.Sub(a)
				if math.Abs(cross(d, p.Sub(a))) <= edge*d.Length() {
					return true
				}
			}
			a = b
		}
	}
	if evenodd {
		return winding&1 != 0
	}
	return winding != 0
}
