package geometry

import (
	"fmt"
	"math"
	"strconv"
)

// ParseSVG reads path data of SVG ("Scalable Vector Graphics 2", W3C, 9.3). As the
// specification wants, an error in the data ends the path where it stands and is no error
// here. The error that there is says that the path has more than most segments.
func ParseSVG(data string, most int) (*Path, error) {
	r := svgReader{data: data}
	for r.command() {
		if n := r.path.Len(); n > most {
			return nil, fmt.Errorf("path data: more than %d segments", most)
		}
	}
	return &r.path, nil
}

// svgArguments is how many numbers each command takes; an arc's two flags count.
var svgArguments = [256]uint8{
	'M': 2, 'L': 2, 'H': 1, 'V': 1, 'C': 6, 'S': 4, 'Q': 4, 'T': 2, 'A': 7,
}

// An svgReader reads commands from path data into a path.
type svgReader struct {
	data string
	at   int
	path Path

	letter  byte  // of the last command, as written; 0 before the first
	more    bool  // a comma was read: the same command must go on
	current Point // in the coordinates of the data
	first   Point // of the subpath
	control Point // the last control point, for S and T
	curve   byte  // 'C' or 'Q' if the last command was a curve of that kind
}

// command reads one command with one set of arguments; false at the end or at an error.
func (r *svgReader) command() bool {
	r.space()
	if r.at == len(r.data) {
		return false
	}
	c := r.data[r.at]
	switch {
	case c == 'Z' || c == 'z':
		if r.letter == 0 || r.more {
			return false
		}
		r.at++
		r.path.Close()
		r.letter, r.current, r.curve = 'Z', r.first, 0
		return true
	case svgArguments[c&^0x20] > 0 && c >= 'A':
		if r.more || r.letter == 0 && c != 'M' && c != 'm' {
			return false
		}
		r.letter = c
		r.at++
	case r.letter == 0 || r.letter == 'Z':
		return false
	case r.letter == 'M': // further pairs are lines
		r.letter = 'L'
	case r.letter == 'm':
		r.letter = 'l'
	}
	upper := r.letter &^ 0x20
	var a [7]float64
	for i := range a[:svgArguments[upper]] {
		if i > 0 {
			r.comma()
		}
		var ok bool
		if upper == 'A' && (i == 3 || i == 4) {
			a[i], ok = r.flag()
		} else {
			a[i], ok = r.number()
		}
		if !ok {
			return false
		}
	}
	r.more = r.comma()

	var from Point
	if r.letter != upper {
		from = r.current
	}
	point := func(i int) Point { return Point{a[i] + from.X, a[i+1] + from.Y} }
	p, curve := r.current, byte(0)
	switch upper {
	case 'M':
		p = point(0)
		r.path.MoveTo(p.X, p.Y)
		r.first = p
	case 'L':
		p = point(0)
		r.path.LineTo(p.X, p.Y)
	case 'H':
		p.X = a[0] + from.X
		r.path.LineTo(p.X, p.Y)
	case 'V':
		p.Y = a[0] + from.Y
		r.path.LineTo(p.X, p.Y)
	case 'C', 'S':
		c1, rest := r.mirrored('C'), 0
		if upper == 'C' {
			c1, rest = point(0), 2
		}
		r.control, p, curve = point(rest), point(rest+2), 'C'
		r.path.CubicTo(c1.X, c1.Y, r.control.X, r.control.Y, p.X, p.Y)
	case 'Q', 'T':
		c, rest := r.mirrored('Q'), 0
		if upper == 'Q' {
			c, rest = point(0), 2
		}
		r.control, p, curve = c, point(rest), 'Q'
		r.path.QuadTo(c.X, c.Y, p.X, p.Y)
	case 'A':
		p = point(5)
		r.path.arcBetween(r.current, p, a[0], a[1], a[2], a[3] != 0, a[4] != 0)
	}
	if !finite(p.X, p.Y) { // too large a sum: such a number is an error too
		return false
	}
	r.current, r.curve = p, curve
	return true
}

// mirrored is the first control point of a smooth curve.
func (r *svgReader) mirrored(kind byte) Point {
	if r.curve != kind {
		return r.current
	}
	return Point{2*r.current.X - r.control.X, 2*r.current.Y - r.control.Y}
}

func (r *svgReader) space() {
	for r.at < len(r.data) {
		switch r.data[r.at] {
		case ' ', '\t', '\n', '\f', '\r':
			r.at++
		default:
			return
		}
	}
}

// comma skips white space with at most one comma in it, and reports whether there was one.
func (r *svgReader) comma() bool {
	r.space()
	if r.at == len(r.data) || r.data[r.at] != ',' {
		return false
	}
	r.at++
	r.space()
	return true
}

func (r *svgReader) flag() (float64, bool) {
	r.space()
	if r.at == len(r.data) || r.data[r.at] != '0' && r.data[r.at] != '1' {
		return 0, false
	}
	r.at++
	return float64(r.data[r.at-1] - '0'), true
}

func (r *svgReader) number() (float64, bool) {
	r.space()
	from := r.at
	if r.at < len(r.data) && (r.data[r.at] == '+' || r.data[r.at] == '-') {
		r.at++
	}
	n := r.digits()
	if r.at < len(r.data) && r.data[r.at] == '.' {
		r.at++
		if n = r.digits(); n == 0 {
			return 0, false
		}
	}
	if n == 0 {
		return 0, false
	}
	if end := r.at; end < len(r.data) && r.data[end]|0x20 == 'e' {
		r.at++
		if r.at < len(r.data) && (r.data[r.at] == '+' || r.data[r.at] == '-') {
			r.at++
		}
		if r.digits() == 0 {
			r.at = end // a letter, not an exponent
		}
	}
	v, err := strconv.ParseFloat(r.data[from:r.at], 64)
	return v, err == nil
}

func (r *svgReader) digits() int {
	from := r.at
	for r.at < len(r.data) && r.data[r.at]-'0' <= 9 {
		r.at++
	}
	return r.at - from
}

// arcBetween adds an elliptical arc from p, the current point, to q, as SVG gives it: the
// rotation is in degrees (SVG 2, B.2.4 and B.2.5).
func (p *Path) arcBetween(from, to Point, rx, ry, rotation float64, large, clockwise bool) {
	if from == to {
		return
	}
	rx, ry = math.Abs(rx), math.Abs(ry)
	if rx == 0 || ry == 0 {
		p.LineTo(to.X, to.Y)
		return
	}
	sin, cos := math.Sincos(math.Mod(rotation, 360) * math.Pi / 180)
	// Half of the chord, in the axes of the ellipse and units of its radii.
	d := from.Sub(to).Mul(0.5)
	x := (float64(cos*d.X) + float64(sin*d.Y)) / rx
	y := (float64(cos*d.Y) - float64(sin*d.X)) / ry
	length := float64(x*x) + float64(y*y)
	if !finite(length) || !(length > 0) {
		p.LineTo(to.X, to.Y)
		return
	}
	// The center is beside the middle of the chord, in the middle if the radii are too small.
	k := 0.0
	if length > 1 {
		l := math.Sqrt(length)
		rx, ry, x, y = rx*l, ry*l, x/l, y/l
	} else {
		k = math.Sqrt(1/length - 1)
		if large == clockwise {
			k = -k
		}
	}
	cx, cy := k*y, -k*x
	u, v := Point{rx * cos, rx * sin}, Point{-ry * sin, ry * cos}
	center := Point{
		(from.X+to.X)/2 + float64(u.X*cx) + float64(v.X*cy),
		(from.Y+to.Y)/2 + float64(u.Y*cx) + float64(v.Y*cy),
	}
	if !finite(center.X, center.Y) {
		p.LineTo(to.X, to.Y)
		return
	}
	start := math.Atan2(y-cy, x-cx)
	end := math.Atan2(-y-cy, -x-cx)
	p.arcTo(center, u, v, start, sweep(start, end, !clockwise), p.apply(to.X, to.Y))
}
