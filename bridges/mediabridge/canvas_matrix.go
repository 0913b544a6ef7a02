package mediabridge

import (
	"math"
	"strings"

	"quicksand/canvas"
)

// parseMatrix reads a list of transform functions of CSS in two dimensions.
func parseMatrix(k *call, _ *canvases) (any, error) {
	m, ok := cssTransform(k.Str(0))
	if !ok {
		return nil, nil
	}
	out := make([]any, 6)
	for i, v := range m {
		out[i] = v
	}
	return out, nil
}

// cssTransform reads the two-dimensional functions of "CSS Transforms Level 1", one after the
// other: matrix, translate, scale, rotate and skew, and those for one axis. Lengths are
// absolute, since a matrix knows of no box or font.
func cssTransform(s string) (m [6]float64, ok bool) {
	m = [6]float64{1, 0, 0, 1, 0, 0}
	s = strings.Trim(s, cssSpace)
	if s == "" || strings.EqualFold(s, "none") {
		return m, true
	}
	for len(s) > 0 {
		name, rest, found := strings.Cut(s, "(")
		inside, rest, closed := strings.Cut(rest, ")")
		f, known := transformFunctions[strings.ToLower(name)]
		if !found || !closed || !known {
			return m, false
		}
		parts := strings.Split(inside, ",")
		if len(parts) > len(f.args) || len(parts) < f.least {
			return m, false
		}
		args := make([]float64, len(parts))
		for i, p := range parts {
			if args[i], ok = transformArgument(strings.Trim(p, cssSpace), f.args[i]); !ok {
				return m, false
			}
		}
		m = times(m, f.make(args))
		s = strings.TrimLeft(rest, cssSpace)
	}
	return m, true
}

const cssSpace = " \t\n\r\f"

// times is the matrix that does n first.
func times(m, n [6]float64) [6]float64 {
	return [6]float64{m[0]*n[0] + m[2]*n[1], m[1]*n[0] + m[3]*n[1], m[0]*n[2] + m[2]*n[3], m[1]*n[2] + m[3]*n[3],
		m[0]*n[4] + m[2]*n[5] + m[4], m[1]*n[4] + m[3]*n[5] + m[5]}
}

// transformFunctions are the functions by name. args has a letter for each argument: n
// number, l length, a angle.
var transformFunctions = map[string]struct {
	args  string
	least int
	make  func(a []float64) [6]float64
}{
	"matrix":     {"nnnnnn", 6, func(a []float64) [6]float64 { return [6]float64(a) }},
	"translate":  {"ll", 1, func(a []float64) [6]float64 { return [6]float64{1, 0, 0, 1, a[0], second(a, 0)} }},
	"translatex": {"l", 1, func(a []float64) [6]float64 { return [6]float64{1, 0, 0, 1, a[0], 0} }},
	"translatey": {"l", 1, func(a []float64) [6]float64 { return [6]float64{1, 0, 0, 1, 0, a[0]} }},
	"scale":      {"nn", 1, func(a []float64) [6]float64 { return [6]float64{a[0], 0, 0, second(a, a[0]), 0, 0} }},
	"scalex":     {"n", 1, func(a []float64) [6]float64 { return [6]float64{a[0], 0, 0, 1, 0, 0} }},
	"scaley":     {"n", 1, func(a []float64) [6]float64 { return [6]float64{1, 0, 0, a[0], 0, 0} }},
	"rotate": {"a", 1, func(a []float64) [6]float64 {
		sin, cos := math.Sincos(a[0])
		return [6]float64{cos, sin, -sin, cos, 0, 0}
	}},
	"skew":  {"aa", 1, func(a []float64) [6]float64 { return [6]float64{1, math.Tan(second(a, 0)), math.Tan(a[0]), 1, 0, 0} }},
	"skewx": {"a", 1, func(a []float64) [6]float64 { return [6]float64{1, 0, math.Tan(a[0]), 1, 0, 0} }},
	"skewy": {"a", 1, func(a []float64) [6]float64 { return [6]float64{1, math.Tan(a[0]), 0, 1, 0, 0} }},
}

func second(a []float64, otherwise float64) float64 {
	if len(a) > 1 {
		return a[1]
	}
	return otherwise
}

// angleUnits are angles in radians.
var angleUnits = map[string]float64{"deg": math.Pi / 180, "grad": math.Pi / 200, "rad": 1, "turn": 2 * math.Pi}

func transformArgument(s string, kind byte) (float64, bool) {
	if kind == 'l' {
		l, ok := canvas.ParseLength(s)
		switch l.Unit {
		case "em", "rem", "ex", "ch", "ic":
			return 0, false
		}
		return l.Pixels(0), ok
	}
	n := len(s)
	for n > 0 && (s[n-1]|0x20) >= 'a' && (s[n-1]|0x20) <= 'z' {
		n--
	}
	// A number is a length in px.
	l, ok := canvas.ParseLength(s[:n] + "px")
	switch {
	case !ok:
		return 0, false
	case kind == 'n':
		return l.Value, n == len(s)
	case n == len(s):
		return 0, l.Value == 0
	}
	unit, known := angleUnits[strings.ToLower(s[n:])]
	return l.Value * unit, known
}
