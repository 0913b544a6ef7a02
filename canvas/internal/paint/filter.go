package paint

import (
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

// ParseFilter reads a list of filter functions as CSS writes it ("Filter Effects Level 1",
// W3C), or "none". em is the size of the font in pixels, which lengths may be relative to.
// The list is not ok if any of it is not understood or not allowed. currentcolor is black.
func ParseFilter(css string, em float64) (steps []FilterStep, ok bool) { return nil, false }

// ParseLength reads a length as CSS writes it, in pixels: a number with a unit, or 0.
func ParseLength(css string, em float64) (px float64, ok bool) { return 0, false }
