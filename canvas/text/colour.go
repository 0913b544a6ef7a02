package text

import "quicksand/canvas/geometry"

// A Layer is a part of a coloured glyph: a path with a fill. The layers are painted one over
// the other.
type Layer struct {
	// Path is relative to the origin of the line, to be filled with the nonzero rule. It is the
	// caller's.
	Path *geometry.Path
	Fill Fill
}

// FillKind is what a layer is filled with.
type FillKind uint8

// The kinds of fills.
const (
	// FillText is the fill style of the text, with Colour[3] as a further alpha.
	FillText FillKind = iota
	FillSolid
	// FillLinear has the coordinates x0 y0 x1 y1.
	FillLinear
	// FillRadial has the coordinates x0 y0 r0 x1 y1 r1.
	FillRadial
	// FillConic has the coordinates angle x y, as createConicGradient.
	FillConic
)

// Fill is the fill of a layer.
type Fill struct {
	Kind FillKind
	// Colour is straight RGBA.
	Colour [4]uint8
	// Coords and Stops are those of a gradient, as the methods of the canvas take them.
	Coords [6]float64
	Stops  []Stop
	// Matrix maps the coordinates of a gradient to the line.
	Matrix geometry.Matrix
}

// Stop is a colour stop.
type Stop struct {
	Offset float64
	Colour [4]uint8
}

// Bitmap is a glyph that is a picture.
type Bitmap struct {
	// Data is a PNG or JPEG file from the font: as hostile as that.
	Data []byte
	// X, Y, Width and Height are where it stands in the line.
	X, Y, Width, Height float64
}

// Layers returns the layers of a glyph with colours, nil when it has none. The path is filled
// by the nonzero rule.
func (g *Glyph) Layers() []Layer { return nil }

// Bitmap returns the picture of a glyph that is one, at the strike that suits size device
// pixels an em.
func (g *Glyph) Bitmap(size float64) (b Bitmap, ok bool) { return Bitmap{}, false }
