package geometry

import "math"

// A Point is a point or a vector, in pixels or in user units.
type Point struct{ X, Y float64 }

// Add returns p + q.
func (p Point) Add(q Point) Point { return Point{p.X + q.X, p.Y + q.Y} }

// Sub returns p − q.
func (p Point) Sub(q Point) Point { return Point{p.X - q.X, p.Y - q.Y} }

// Mul returns p scaled by k.
func (p Point) Mul(k float64) Point { return Point{float64(p.X * k), float64(p.Y * k)} }

// Length is the length of the vector p. It does not overflow for what a Path can hold.
//
// (math.Hypot is an assembler routine on some platforms only, with other last bits.)
func (p Point) Length() float64 {
	return math.Sqrt(float64(p.X*p.X) + float64(p.Y*p.Y))
}

func dot(p, q Point) float64   { return float64(p.X*q.X) + float64(p.Y*q.Y) }
func cross(p, q Point) float64 { return float64(p.X*q.Y) - float64(p.Y*q.X) }

// finite reports whether no value is a NaN or an infinity.
func finite(values ...float64) bool {
	for _, v := range values {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// farthest is where coordinates are held: products of three of them do not overflow.
const farthest = 1e90

// hold brings what overflowed back to a finite coordinate; a NaN becomes 0.
func hold(v float64) float64 {
	switch {
	case v >= -farthest && v <= farthest:
		return v
	case v > farthest:
		return farthest
	case v < -farthest:
		return -farthest
	}
	return 0
}

// A Rect is a rectangle from (X0, Y0) to (X1, Y1). The zero value is empty.
type Rect struct{ X0, Y0, X1, Y1 float64 }

// Empty reports whether no point is inside.
func (r Rect) Empty() bool { return !(r.X0 < r.X1 && r.Y0 < r.Y1) }

// Inset returns r with each side moved inwards by d, outwards if d is negative.
func (r Rect) Inset(d float64) Rect { return Rect{r.X0 + d, r.Y0 + d, r.X1 - d, r.Y1 - d} }

// A Matrix is an affine map with the names of the canvas: x' = A·x + C·y + E and
// y' = B·x + D·y + F. The zero value maps everything to the origin; start with Identity.
type Matrix struct{ A, B, C, D, E, F float64 }

// Identity maps every point to itself.
var Identity = Matrix{A: 1, D: 1}

// Mul returns the map that applies n first and m then, as transform() of the canvas
// multiplies.
func (m Matrix) Mul(n Matrix) Matrix {
	return Matrix{
		A: float64(m.A*n.A) + float64(m.C*n.B),
		B: float64(m.B*n.A) + float64(m.D*n.B),
		C: float64(m.A*n.C) + float64(m.C*n.D),
		D: float64(m.B*n.C) + float64(m.D*n.D),
		E: float64(m.A*n.E) + float64(m.C*n.F) + m.E,
		F: float64(m.B*n.E) + float64(m.D*n.F) + m.F,
	}
}

// Apply maps a point.
func (m Matrix) Apply(p Point) Point {
	return Point{
		float64(m.A*p.X) + float64(m.C*p.Y) + m.E,
		float64(m.B*p.X) + float64(m.D*p.Y) + m.F,
	}
}

// ApplyVector maps a vector: Apply without the translation.
func (m Matrix) ApplyVector(p Point) Point {
	return Point{
		float64(m.A*p.X) + float64(m.C*p.Y),
		float64(m.B*p.X) + float64(m.D*p.Y),
	}
}

// Translate returns m with a translation that applies first, as translate() of the canvas
// does; so do Scale and Rotate.
func (m Matrix) Translate(x, y float64) Matrix {
	return m.Mul(Matrix{A: 1, D: 1, E: x, F: y})
}

// Scale returns m with a scaling that applies first.
func (m Matrix) Scale(x, y float64) Matrix {
	return Matrix{A: m.A * x, B: m.B * x, C: m.C * y, D: m.D * y, E: m.E, F: m.F}
}

// Rotate returns m with a rotation by an angle in radians, clockwise on the screen, that
// applies first.
func (m Matrix) Rotate(angle float64) Matrix {
	sin, cos := math.Sincos(angle)
	return m.Mul(Matrix{A: cos, B: sin, C: -sin, D: cos})
}

// Determinant is the factor by which m scales areas, negative if it mirrors.
func (m Matrix) Determinant() float64 {
	return float64(m.A*m.D) - float64(m.B*m.C)
}

// Inverse returns the map back. False if there is none, or none that float64 holds: m
// squeezes the plane to a line or a point, or is not finite.
func (m Matrix) Inverse() (Matrix, bool) {
	det := m.Determinant()
	if det == 0 || !finite(det) {
		return Matrix{}, false
	}
	n := Matrix{
		A: m.D / det, B: -m.B / det,
		C: -m.C / det, D: m.A / det,
		E: (float64(m.C*m.F) - float64(m.D*m.E)) / det,
		F: (float64(m.B*m.E) - float64(m.A*m.F)) / det,
	}
	return n, n.Finite()
}

// Finite reports whether no entry is a NaN or an infinity.
func (m Matrix) Finite() bool { return finite(m.A, m.B, m.C, m.D, m.E, m.F) }

// IsIdentity reports whether m maps every point to itself.
func (m Matrix) IsIdentity() bool { return m == Identity }

// IsTranslation reports whether m only moves.
func (m Matrix) IsTranslation() bool { return m.A == 1 && m.B == 0 && m.C == 0 && m.D == 1 }

// Axial reports whether m maps horizontal lines to horizontal ones and vertical lines to
// vertical ones: translation, scaling and mirroring, no rotation and no skew.
func (m Matrix) Axial() bool { return m.B == 0 && m.C == 0 }

// MaxScale is the greatest factor by which m stretches a vector: the greater singular value.
func (m Matrix) MaxScale() float64 {
	s := float64(m.A*m.A) + float64(m.B*m.B) + float64(m.C*m.C) + float64(m.D*m.D)
	d := m.Determinant()
	// The singular values are the roots of x⁴ − s·x² + d².
	root := math.Sqrt(math.Max(0, float64(s*s)-float64(4*d*d)))
	return math.Sqrt((s + root) / 2)
}
