package paint

import (
	"image"

	pix "quicksand/media/image"
)

// A Layer is a surface that lies somewhere on the device, transparent outside of its bounds.
type Layer struct {
	Bounds  image.Rectangle
	Surface *pix.Surface // of the size of the bounds; nil if they are empty
}

// NewLayer makes a transparent layer. CheckLayer says whether bounds are too big.
func NewLayer(bounds image.Rectangle) *Layer {
	if bounds.Empty() {
		return &Layer{}
	}
	w, h := bounds.Dx(), bounds.Dy()
	return &Layer{bounds, &pix.Surface{Width: w, Height: h, Pix: make([]byte, 4*w*h)}}
}

// Painter is a painter of the rows from y0 to before y1 of the device. It takes positions on
// the device, as clips and sources do.
func (l *Layer) Painter(y0, y1 int) *Painter {
	r := l.Bounds.Intersect(image.Rect(l.Bounds.Min.X, y0, l.Bounds.Max.X, y1))
	return &Painter{dst: l.Surface, origin: l.Bounds.Min, band: r, bounds: r}
}

// Source is the layer in its place.
func (l *Layer) Source() Source {
	if l.Bounds.Empty() {
		return Nothing
	}
	c := &copied{placed: placed{x: Blank, y: Blank}, dx: -l.Bounds.Min.X, dy: -l.Bounds.Min.Y}
	c.view(l.Surface, image.Rect(0, 0, l.Surface.Width, l.Surface.Height))
	return c
}

// Mask is the alpha of the layer.
func (l *Layer) Mask() *Mask {
	m := NewMask(l.Bounds)
	for i := range m.Pix {
		m.Pix[i] = l.Surface.Pix[4*i+3]
	}
	return m
}
