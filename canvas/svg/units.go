package svg

import (
	"math"
	"strconv"
	"strings"

	"quicksand/canvas/geometry"
)

// defaultFontSize is "medium" of CSS.
const defaultFontSize = 16

// A length is a number with its unit, "" for user units.
type length struct {
	n    float64
	unit string
}

// units are what relative lengths relate to.
type units struct{ em, rem float64 }

// px is the length in user units; whole is what a percentage is of.
func (l length) px(u units, whole float64) float64 {
	switch l.unit {
	case "%":
		return l.n * whole / 100
	case "em":
		return l.n * u.em
	case "rem":
		return l.n * u.rem
	case "ex", "ch":
		return l.n * u.em / 2
	case "in":
		return l.n * 96
	case "cm":
		return l.n * 96 / 2.54
	case "mm":
		return l.n * 96 / 25.4
	case "q":
		return l.n * 96 / 101.6
	case "pt":
		return l.n * 96 / 72
	case "pc":
		return l.n * 16
	}
	return l.n
}

var lengthUnits = [...]string{"", "px", "%", "em", "rem", "ex", "ch", "in", "cm", "mm", "q", "pt", "pc"}

// parseLength reads a number with a unit.
func parseLength(s string) (length, bool) {
	s = strings.TrimSpace(s)
	n, rest, ok := scanNumber(s)
	if !ok {
		return length{}, false
	}
	for _, u := range lengthUnits {
		if strings.EqualFold(rest, u) {
			return length{n, u}, true
		}
	}
	return length{}, false
}

// maxNumber is beyond what anything can show; numbers are clamped to it so that no later
// arithmetic overflows.
const maxNumber = 1e9

// scanNumber reads a number of CSS and SVG at the beginning of s.
func scanNumber(s string) (n float64, rest string, ok bool) {
	i, digits := 0, 0
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i, digits = i+1, digits+1
	}
	if i < len(s) && s[i] == '.' && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9' {
		for i++; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
			digits++
		}
	} else if digits > 0 && i < len(s) && s[i] == '.' {
		i++
	}
	if digits == 0 || i > 400 {
		return 0, s, false
	}
	// An exponent, unless it is the unit em or ex.
	if j := i + 1; i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		if j < len(s) && s[j] >= '0' && s[j] <= '9' {
			for j < len(s) && s[j] >= '0' && s[j] <= '9' {
				j++
			}
			i = j
		}
	}
	// An exponent out of range gives an infinity or zero, which clamping makes sense of.
	n, err := strconv.ParseFloat(s[:i], 64)
	if err != nil && (n == 0 || !math.IsInf(n, 0)) {
		return 0, s, false
	}
	return min(max(n, -maxNumber), maxNumber), s[i:], true
}

// parseNumber reads a number alone.
func parseNumber(s string) (float64, bool) {
	n, rest, ok := scanNumber(strings.TrimSpace(s))
	return n, ok && strings.TrimSpace(rest) == ""
}

// parseFraction reads a number or percentage, a percentage being of 1.
func parseFraction(s string) (float64, bool) {
	n, rest, ok := scanNumber(strings.TrimSpace(s))
	switch strings.TrimSpace(rest) {
	case "":
		return n, ok
	case "%":
		return n / 100, ok
	}
	return 0, false
}

// skipComma skips white space and one comma.
func skipComma(s string) string {
	s = strings.TrimLeft(s, " \t\r\n\f")
	if strings.HasPrefix(s, ",") {
		s = strings.TrimLeft(s[1:], " \t\r\n\f")
	}
	return s
}

// parseNumbers reads a list of at most most numbers up to the first thing that is none,
// reporting whether all of s was read.
func parseNumbers(s string, most int) (list []float64, ok bool) {
	s = strings.TrimLeft(s, " \t\r\n\f")
	for s != "" {
		n, rest, ok := scanNumber(s)
		if !ok || len(list) == most {
			return list, false
		}
		list = append(list, n)
		s = skipComma(rest)
	}
	return list, true
}

// parseLengths reads a list of at most most lengths; nil if one of them is none.
func parseLengths(s string, most int) []length {
	fields := strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f' })
	if len(fields) > most {
		fields = fields[:most]
	}
	list := make([]length, 0, len(fields))
	for _, f := range fields {
		l, ok := parseLength(f)
		if !ok {
			return nil
		}
		list = append(list, l)
	}
	return list
}

// rect is a rectangle in user units.
type rect struct{ x, y, w, h float64 }

func (r rect) empty() bool { return !(r.w > 0 && r.h > 0) }

// parseViewBox reads the attribute; a box without an area is none.
func parseViewBox(s string) (rect, bool) {
	v, ok := parseNumbers(s, 4)
	if !ok || len(v) != 4 || !(v[2] > 0 && v[3] > 0) {
		return rect{}, false
	}
	return rect{v[0], v[1], v[2], v[3]}, true
}

// fit maps a view box to the rectangle of a viewport by preserveAspectRatio ("SVG 2", 8.7).
// slice is true where parts of the box are outside of the viewport.
func fit(box, port rect, aspect string) (m geometry.Matrix, slice bool) {
	sx, sy := port.w/box.w, port.h/box.h
	f := strings.Fields(aspect)
	if len(f) > 0 && f[0] == "defer" {
		f = f[1:]
	}
	align := "xMidYMid"
	if len(f) > 0 {
		align = f[0]
	}
	if len(f) > 1 {
		slice = f[1] == "slice"
	}
	if align == "none" {
		return geometry.Matrix{A: sx, D: sy, E: port.x - box.x*sx, F: port.y - box.y*sy}, false
	}
	s := min(sx, sy)
	if slice {
		s = max(sx, sy)
	}
	place := func(word string, room float64) float64 {
		switch {
		case strings.Contains(align, word+"Min"):
			return 0
		case strings.Contains(align, word+"Max"):
			return room
		}
		return room / 2
	}
	return geometry.Matrix{
		A: s, D: s,
		E: port.x + place("x", port.w-box.w*s) - box.x*s,
		F: port.y + place("Y", port.h-box.h*s) - box.y*s,
	}, slice
}

// parseTransform reads a list of transform functions; ok is false and nothing of it holds if
// there is an error in it. Of CSS it knows lengths in px and angles in deg, rad, grad and turn.
func parseTransform(s string) (m geometry.Matrix, ok bool) {
	m = geometry.Matrix{A: 1, D: 1}
	for {
		s = skipComma(s)
		if s == "" || s == "none" {
			return m, true
		}
		name, rest, found := strings.Cut(s, "(")
		args, rest2, closed := strings.Cut(rest, ")")
		if !found || !closed {
			return m, false
		}
		s = rest2
		v, ok := transformArgs(args)
		if !ok {
			return m, false
		}
		t := geometry.Matrix{A: 1, D: 1}
		switch name := strings.TrimSpace(name); {
		case name == "matrix" && len(v) == 6:
			t = geometry.Matrix{A: v[0], B: v[1], C: v[2], D: v[3], E: v[4], F: v[5]}
		case name == "translate" && len(v) == 1:
			t.E = v[0]
		case name == "translate" && len(v) == 2:
			t.E, t.F = v[0], v[1]
		case name == "translateX" && len(v) == 1:
			t.E = v[0]
		case name == "translateY" && len(v) == 1:
			t.F = v[0]
		case name == "scale" && len(v) == 1:
			t.A, t.D = v[0], v[0]
		case name == "scale" && len(v) == 2:
			t.A, t.D = v[0], v[1]
		case name == "scaleX" && len(v) == 1:
			t.A = v[0]
		case name == "scaleY" && len(v) == 1:
			t.D = v[0]
		case name == "rotate" && (len(v) == 1 || len(v) == 3):
			sin, cos := math.Sincos(v[0] * math.Pi / 180)
			t = geometry.Matrix{A: cos, B: sin, C: -sin, D: cos}
			if len(v) == 3 {
				x, y := v[1], v[2]
				t.E, t.F = x-cos*x+sin*y, y-sin*x-cos*y
			}
		case name == "skewX" && len(v) == 1:
			t.C = math.Tan(v[0] * math.Pi / 180)
		case name == "skewY" && len(v) == 1:
			t.B = math.Tan(v[0] * math.Pi / 180)
		default:
			return m, false
		}
		m = m.Mul(t)
	}
}

// transformArgs reads the arguments of a function, angles in degrees.
func transformArgs(s string) (list []float64, ok bool) {
	s = strings.TrimSpace(s)
	for s != "" {
		n, rest, ok := scanNumber(s)
		if !ok || len(list) == 6 {
			return nil, false
		}
		i := 0
		for i < len(rest) && (rest[i] >= 'a' && rest[i] <= 'z' || rest[i] >= 'A' && rest[i] <= 'Z') {
			i++
		}
		switch rest[:i] {
		case "", "px", "deg":
		case "rad":
			n *= 180 / math.Pi
		case "grad":
			n *= 0.9
		case "turn":
			n *= 360
		default:
			return nil, false
		}
		list = append(list, n)
		s = skipComma(rest[i:])
	}
	return list, true
}
