package paint

import "encoding/binary"

// A Source says which colour pixels of the device have. It may be used by several goroutines
// at once.
type Source interface {
	// Solid is the one premultiplied colour of all pixels, ok being false when they differ.
	Solid() (premultiplied [4]uint8, ok bool)
	// Row writes premultiplied RGBA of the len(dst)/4 pixels from x to the right in row y.
	Row(dst []byte, x, y int)
}

// NewColour is a source of one colour, given as straight RGBA.
func NewColour(straight [4]uint8) Source { return colour(straight) }

// Nothing is a source of transparent pixels.
var Nothing = NewColour([4]uint8{})

// colour is straight: a global alpha is multiplied with its alpha before anything is rounded.
type colour [4]uint8

func (c colour) Solid() ([4]uint8, bool) { return c.premultiplied(1), true }

func (c colour) Row(dst []byte, x, y int) {
	fillRow(dst, packed(c.premultiplied(1)))
}

// solid is a premultiplied pixel.
type solid uint32

func (s solid) Solid() (p [4]uint8, ok bool) {
	binary.LittleEndian.PutUint32(p[:], uint32(s))
	return p, true
}

func (s solid) Row(dst []byte, x, y int) { fillRow(dst, uint32(s)) }

// premultiplied is the colour with its alpha multiplied by alpha, 0 to 1.
func (c colour) premultiplied(alpha float64) (p [4]uint8) {
	a := float64(c[3]) * alpha
	for i := range 3 {
		p[i] = uint8(float64(c[i])*a/255 + 0.5)
	}
	p[3] = uint8(a + 0.5)
	// Halves round up in alpha as in colours, so none is lighter than its alpha allows.
	return p
}
