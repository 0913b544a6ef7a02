package bench

import (
	"fmt"
	"strconv"
)

// figure writes a value with a unit that suits it, to three digits.
func figure(v float64, unit string) string {
	steps := []struct {
		from float64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}
	if unit == Bytes {
		steps = []struct {
			from float64
			name string
		}{{1 << 30, "GB"}, {1 << 20, "MB"}, {1 << 10, "KB"}, {1, "B"}}
	}
	for _, s := range steps {
		if v >= s.from {
			return digits(v/s.from) + " " + s.name
		}
	}
	return digits(v) + " " + steps[len(steps)-1].name
}

// digits is v to three significant digits.
func digits(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// ratio writes how many times one figure is another.
func ratio(v float64) string {
	switch {
	case v >= 100:
		return grouped(int64(v+0.5)) + " ×"
	case v >= 10:
		return fmt.Sprintf("%.1f ×", v)
	}
	return fmt.Sprintf("%.2f ×", v)
}

// grouped writes an integer with spaces between groups of three digits.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}
