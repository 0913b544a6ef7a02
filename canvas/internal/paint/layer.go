package paint

import (
	"context"
	"image"

	pix "quicksand/media/image"
)

// A Layer is a surface that lies somewhere on the device, transparent outside of its bounds.
type Layer struct {
	Bounds  image.Rectangle
	Surface *pix.Surface // nil if the bounds are empty
}

// NewLayer makes a transparent layer. Effect.Check says whether bounds are too big.
func NewLayer(bounds image.Rectangle) *Layer { return nil }

// Painter is a painter of the rows from y0 to before y1 of the device. It takes positions on
// the device, as clips and sources do.
func (l *Layer) Painter(y0, y1 int) *Painter { return nil }

// Source is the layer in its place.
func (l *Layer) Source() Source { return nil }

// Mask is the alpha of the layer.
func (l *Layer) Mask() *Mask { return nil }

// A Shadow is what shadowColor, shadowBlur, shadowOffsetX and shadowOffsetY say.
type Shadow struct {
	Colour [4]uint8 // straight RGBA
	Blur   float64  // twice the standard deviation in pixels
	X, Y   float64  // pixels of the device
}

// Visible reports whether there is a shadow at all.
func (s Shadow) Visible() bool {
	return s.Colour[3] > 0 && (s.Blur > 0 || s.X != 0 || s.Y != 0)
}

// An Effect is what is made of a shape before it is painted. The zero value does nothing.
type Effect struct {
	Filters []FilterStep
	Shadow  Shadow
}

// Bounds are those of the layer or mask that a shape must be painted on for the effect to be
// right within visible: what lies outside is not needed. shape holds all of the shape.
func (e *Effect) Bounds(shape, visible image.Rectangle) image.Rectangle { return shape }

// Filter applies the filters to a layer, which it may change. The result is right within
// visible, or, if there is a shadow, where that needs it.
func (e *Effect) Filter(ctx context.Context, l *Layer, visible image.Rectangle) (*Layer, error) {
	return l, nil
}

// Cast makes the shadow of a shape, whose mask it may change: what the colour of the shadow is
// to be painted through. It is right within visible.
func (e *Effect) Cast(ctx context.Context, shape *Mask, visible image.Rectangle) (*Mask, error) {
	return shape, nil
}
