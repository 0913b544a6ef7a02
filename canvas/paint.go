package canvas

import (
	"slices"

	"quicksand/canvas/geometry"
	"quicksand/canvas/internal/paint"
	mediaimage "quicksand/media/image"
)

// A Paint is what a shape is filled with: a gradient or a pattern if there is one, otherwise
// the straight colour. The zero value is transparent.
type Paint struct {
	Colour   [4]uint8
	Gradient *Gradient
	Pattern  *Pattern
}

// A GradientType is the kind of a gradient, an index of GradientTypes.
type GradientType uint8

// Kinds of gradients.
const (
	Linear GradientType = iota
	Radial
	Conic
)

// A Stop is a colour, straight, at an offset of a gradient, from 0 to 1.
type Stop struct {
	Offset float64
	Colour [4]uint8
}

// A Gradient is a gradient in user space. Coords are: linear x0 y0 x1 y1, radial
// x0 y0 r0 x1 y1 r1, conic angle x y. Stops may have any order; those of the same offset stay
// in theirs. What is drawn has the gradient as it is at that moment. It must be used by one
// goroutine at a time.
type Gradient struct {
	Type   GradientType
	Coords [6]float64
	Stops  []Stop

	ramp *paint.Ramp // of the stops of, nil before the first use
	of   []Stop
	// fixed says that the stops do not change any more, however many they are.
	fixed bool
}

// colours are those of the stops. They are computed once as long as those do not change.
func (g *Gradient) colours() *paint.Ramp {
	if g.ramp == nil || !g.fixed && !slices.Equal(g.of, g.Stops) {
		stops := make([]paint.Stop, len(g.Stops))
		for i, s := range g.Stops {
			stops[i] = paint.Stop(s)
		}
		g.ramp, g.of = paint.NewRamp(stops), slices.Clone(g.Stops)
	}
	return g.ramp
}

// A Repetition is how a pattern repeats, an index of Repetitions.
type Repetition uint8

// Repetitions.
const (
	Repeat Repetition = iota
	RepeatX
	RepeatY
	NoRepeat
)

// A Pattern is a picture that repeats. Matrix takes its pixels to user space. What is drawn has
// the pattern as it is at that moment, but the picture's pixels must not change until Flush.
type Pattern struct {
	Image      *mediaimage.Surface
	Repetition Repetition
	Matrix     geometry.Matrix
}
