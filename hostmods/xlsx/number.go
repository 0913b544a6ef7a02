package xlsx

import (
	"math"
	"strconv"
)

// numberText is a number as JavaScript prints it (ECMA-262, Number::toString).
func numberText(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0:
		return "0"
	}
	return string(appendNumber(nil, f))
}

// appendNumber appends a finite number in the shortest form that means it.
func appendNumber(b []byte, f float64) []byte {
	if a := math.Abs(f); a == 0 || a >= 1e-6 && a < 1e21 {
		return strconv.AppendFloat(b, f, 'f', -1, 64)
	}
	at := len(b)
	b = strconv.AppendFloat(b, f, 'e', -1, 64)
	// Go writes e-07 where JavaScript writes e-7.
	if n := len(b); n-at > 4 && b[n-4] == 'e' && b[n-2] == '0' {
		b = append(b[:n-2], b[n-1])
	}
	return b
}
