package paint

import (
	"math"
	"strconv"
	"strings"

	pix "quicksand/media/image"
)

// A FilterStep is one function of a filter list.
type FilterStep struct {
	// Filter is the function, unless DropShadow is set. The deviation of a blur is in pixels.
	pix.Filter
	// DropShadow puts what comes before on its shadow.
	DropShadow *DropShadow
}

// A DropShadow is the arguments of drop-shadow().
type DropShadow struct {
	X, Y, Sigma float64  // pixels
	Colour      [4]uint8 // straight RGBA
}

const (
	maxFilterText  = 8 << 10 // bytes of a list
	maxFilterSteps = 64      // functions of a list: each may be a pass over all pixels
)

// MaxSigma is the largest standard deviation of a blur or shadow, in pixels; greater ones are
// taken for it. Browsers have the same limit.
const MaxSigma = 532

// ParseFilter reads a list of filter functions as CSS writes it ("Filter Effects Level 1",
// W3C), or "none". em is the size of the font in pixels, which lengths may be relative to.
// The list is not ok if any of it is not understood or not allowed, and if it is longer than
// 8 KB or 64 functions. currentcolor is black.
func ParseFilter(css string, em float64) (steps []FilterStep, ok bool) {
	if len(css) > maxFilterText {
		return nil, false
	}
	text := strings.ToLower(trimSpace(css))
	if text == "none" {
		return nil, true
	}
	for text != "" {
		open := strings.IndexByte(text, '(')
		if open < 0 {
			return nil, false
		}
		length := closing(text[open:])
		if length < 0 || len(steps) == maxFilterSteps {
			return nil, false
		}
		step, ok := parseFunction(text[:open], trimSpace(text[open+1:open+length]), em)
		if !ok {
			return nil, false
		}
		steps = append(steps, step)
		text = trimSpace(text[open+length+1:])
	}
	return steps, len(steps) > 0
}

const cssSpace = " \t\r\n\f"

func trimSpace(s string) string { return strings.Trim(s, cssSpace) }

// closing is where the parenthesis that text begins with is closed, or -1.
func closing(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

var filterFunctions = map[string]pix.FilterKind{
	"brightness": pix.Brightness, "contrast": pix.Contrast, "saturate": pix.Saturate, "grayscale": pix.Grayscale,
	"sepia": pix.Sepia, "invert": pix.Invert, "blur": pix.Blur, "hue-rotate": pix.HueRotate, "opacity": pix.Opacity,
}

func parseFunction(name, args string, em float64) (step FilterStep, ok bool) {
	if name == "drop-shadow" {
		step.DropShadow, ok = parseDropShadow(args, em)
		return step, ok
	}
	if step.Kind, ok = filterFunctions[name]; !ok {
		return step, false
	}
	switch step.Kind {
	case pix.Blur:
		if args != "" {
			step.Amount, ok = ParseLength(args, em)
		}
	case pix.HueRotate:
		if args != "" {
			step.Amount, ok = parseAngle(args)
		}
	default:
		step.Amount = 1
		if args != "" {
			step.Amount, ok = parseAmount(args)
		}
	}
	if step.Kind != pix.HueRotate && step.Amount < 0 {
		ok = false
	}
	switch step.Kind {
	case pix.Blur:
		step.Amount = min(step.Amount, MaxSigma)
	case pix.Grayscale, pix.Sepia, pix.Invert, pix.Opacity:
		step.Amount = min(step.Amount, 1)
	}
	return step, ok
}

func parseDropShadow(args string, em float64) (*DropShadow, bool) {
	d := &DropShadow{Colour: [4]uint8{0, 0, 0, 255}}
	var lengths []float64
	coloured := false
	after := false // a length was followed by something else
	for args != "" {
		part := nextPart(args)
		args = trimSpace(args[len(part):])
		if v, ok := ParseLength(part, em); ok {
			if after || len(lengths) == 3 {
				return nil, false
			}
			lengths = append(lengths, v)
			continue
		}
		after = len(lengths) > 0
		c, ok := pix.ParseColour(part)
		if part == "currentcolor" {
			c, ok = d.Colour, true
		}
		if !ok || coloured {
			return nil, false
		}
		d.Colour, coloured = c, true
	}
	if len(lengths) < 2 {
		return nil, false
	}
	d.X, d.Y = lengths[0], lengths[1]
	if len(lengths) == 3 {
		d.Sigma = min(lengths[2], MaxSigma)
	}
	return d, d.Sigma >= 0
}

// nextPart is what comes before a space that is not in parentheses.
func nextPart(text string) string {
	depth := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && strings.IndexByte(cssSpace, c) >= 0:
			return text[:i]
		}
	}
	return text
}

// cssPixels are units of length in pixels, those relative to the font left out. Without a
// document, rem is the usual size of text.
var cssPixels = map[string]float64{
	"px": 1, "in": 96, "cm": 96 / 2.54, "mm": 9.6 / 2.54, "q": 2.4 / 2.54, "pt": 96.0 / 72, "pc": 16, "rem": 16,
}

// ParseLength reads a length as CSS writes it, in pixels: a number with a unit, or 0. em is
// the size of the font in pixels; ex and ch are half of it.
func ParseLength(css string, em float64) (px float64, ok bool) {
	v, unit, ok := cssNumber(strings.ToLower(trimSpace(css)))
	if !ok {
		return 0, false
	}
	switch unit {
	case "":
		return 0, v == 0
	case "em":
		v *= em
	case "ex", "ch":
		v *= em / 2
	default:
		k, known := cssPixels[unit]
		if !known {
			return 0, false
		}
		v *= k
	}
	// What fits into the integers of a surface is more than enough.
	return min(max(v, -1e6), 1e6), v == v
}

// parseAngle reads an angle in degrees.
func parseAngle(text string) (float64, bool) {
	v, unit, ok := cssNumber(text)
	switch unit {
	case "deg":
	case "grad":
		v *= 0.9
	case "rad":
		v *= 180 / math.Pi
	case "turn":
		v *= 360
	case "":
		ok = ok && v == 0
	default:
		ok = false
	}
	return v, ok
}

// parseAmount reads a number or a percentage.
func parseAmount(text string) (float64, bool) {
	v, unit, ok := cssNumber(text)
	switch unit {
	case "":
	case "%":
		v /= 100
	default:
		ok = false
	}
	return v, ok
}

// cssNumber reads a number as CSS writes it and its unit, in lower case. Huge numbers are
// held at 1e9.
func cssNumber(text string) (v float64, unit string, ok bool) {
	i := 0
	digits := func() (n int) {
		for i < len(text) && text[i] >= '0' && text[i] <= '9' {
			i++
			n++
		}
		return n
	}
	sign := func() {
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
	}
	sign()
	n := digits()
	if i+1 < len(text) && text[i] == '.' && text[i+1] >= '0' && text[i+1] <= '9' {
		i++
		n += digits()
	}
	if n == 0 {
		return 0, "", false
	}
	if i < len(text) && text[i] == 'e' {
		back := i
		i++
		sign()
		if digits() == 0 {
			i = back // the e of em and ex
		}
	}
	v, err := strconv.ParseFloat(text[:i], 64)
	if err != nil && !math.IsInf(v, 0) {
		return 0, "", false
	}
	return min(max(v, -1e9), 1e9), text[i:], true
}
