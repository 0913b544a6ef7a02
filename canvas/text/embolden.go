package text

import (
	"math"

	"github.com/go-text/typesetting/font/opentype"
)

// embolden returns the outline with each contour moved outwards by d font units, as faces are
// made bold that have no bold one. Each point moves along the bisector of its two edges.
func embolden(segments []opentype.Segment, d float64) []opentype.Segment {
	out := append([]opentype.Segment(nil), segments...)
	var points []*opentype.SegmentPoint
	var contours [][]*opentype.SegmentPoint
	var area float64
	finish := func() {
		if len(points) > 0 {
			for i, p := range points {
				q := points[(i+1)%len(points)]
				area += float64(float64(p.X)*float64(q.Y)) - float64(float64(q.X)*float64(p.Y))
			}
			contours = append(contours, points)
			points = nil
		}
	}
	for i := range out {
		if out[i].Op == opentype.SegmentOpMoveTo {
			finish()
		}
		args := out[i].ArgsSlice()
		for j := range args {
			points = append(points, &args[j])
		}
	}
	finish()
	if area > 0 { // counterclockwise outer contours, as in CFF: outwards is to the right
		d = -d
	}
	for _, c := range contours {
		thicken(c, d)
	}
	return out
}

// thicken moves the points of a closed contour by d to the left of its direction. Points at the
// same place move together.
func thicken(points []*opentype.SegmentPoint, d float64) {
	type vector struct{ x, y float64 }
	n := len(points)
	at := make([]vector, n)
	for i, p := range points {
		at[i] = vector{float64(p.X), float64(p.Y)}
	}
	direction := func(i, step int) (vector, bool) {
		for j := 1; j < n; j++ {
			p, q := at[i], at[((i+step*j)%n+n)%n]
			if step < 0 {
				p, q = q, p
			}
			x, y := q.x-p.x, q.y-p.y
			if l := math.Sqrt(float64(x*x) + float64(y*y)); l > 0 {
				return vector{x / l, y / l}, true
			}
			if j > 8 {
				break // many points at one place: not worth quadratic work
			}
		}
		return vector{}, false
	}
	for i, p := range points {
		in, ok1 := direction(i, -1)
		next, ok2 := direction(i, 1)
		if !ok1 || !ok2 {
			continue
		}
		// The bisector of the normals, lengthened so that both edges move by d; at sharp
		// corners no further than 2·d.
		nx, ny := -(in.y + next.y), in.x+next.x
		dot := 1 + float64(in.x*next.x) + float64(in.y*next.y)
		if dot < 0.25 {
			dot = 0.25
		}
		p.X += float32(nx * d / dot)
		p.Y += float32(ny * d / dot)
	}
}
