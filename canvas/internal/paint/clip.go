package paint

import (
	"encoding/binary"
	"image"
)

// A Sink takes what a shape covers. It is the sink of the rasteriser.
type Sink interface {
	// Run is n pixels from x, y to the right of one coverage, 1 to 255.
	Run(x, y, n int, cover uint8)
	// Mask is pixels from x, y to the right with a coverage each, which may be 0. The slice
	// is valid until Mask returns.
	Mask(x, y int, cover []uint8)
}

// A Mask is a coverage for each pixel of a rectangle of the device, and 0 outside. It is a
// Sink itself: what a shape covers of the rectangle is added, what lies outside is dropped.
type Mask struct {
	Bounds image.Rectangle
	Stride int // of a row in Pix, at least the width
	Pix    []uint8
}

// NewMask makes a mask that covers nothing. The bounds may be empty.
func NewMask(bounds image.Rectangle) *Mask {
	if bounds.Empty() {
		return &Mask{}
	}
	return &Mask{bounds, bounds.Dx(), make([]uint8, bounds.Dx()*bounds.Dy())}
}

// Row is row y from the left of the bounds; y lies within them.
func (m *Mask) Row(y int) []uint8 {
	at := (y - m.Bounds.Min.Y) * m.Stride
	return m.Pix[at : at+m.Bounds.Dx()]
}

// Run implements Sink.
func (m *Mask) Run(x, y, n int, cover uint8) {
	if y < m.Bounds.Min.Y || y >= m.Bounds.Max.Y {
		return
	}
	from, to := max(x, m.Bounds.Min.X), min(x+n, m.Bounds.Max.X)
	if from >= to {
		return
	}
	row := m.Row(y)[from-m.Bounds.Min.X : to-m.Bounds.Min.X]
	if cover == 255 {
		for len(row) >= 8 {
			binary.LittleEndian.PutUint64(row, fullWord)
			row = row[8:]
		}
	}
	for i, v := range row {
		row[i] = either(v, cover)
	}
}

// Mask implements Sink.
func (m *Mask) Mask(x, y int, cover []uint8) {
	if y < m.Bounds.Min.Y || y >= m.Bounds.Max.Y {
		return
	}
	from, to := max(x, m.Bounds.Min.X), min(x+len(cover), m.Bounds.Max.X)
	if from >= to {
		return
	}
	row := m.Row(y)[from-m.Bounds.Min.X : to-m.Bounds.Min.X]
	cover = cover[from-x : to-x]
	for len(row) >= 8 && len(cover) >= 8 {
		if binary.LittleEndian.Uint64(row) == 0 {
			copy(row, cover[:8])
		} else if binary.LittleEndian.Uint64(cover) != 0 {
			for i, c := range cover[:8] {
				row[i] = either(row[i], c)
			}
		}
		row, cover = row[8:], cover[8:]
	}
	for i, c := range cover {
		row[i] = either(row[i], c)
	}
}

// fullWord is eight pixels that are covered.
const fullWord = 1<<64 - 1

// Draw adds what n covers.
func (m *Mask) Draw(n *Mask) {
	for y := max(m.Bounds.Min.Y, n.Bounds.Min.Y); y < min(m.Bounds.Max.Y, n.Bounds.Max.Y); y++ {
		m.Mask(n.Bounds.Min.X, y, n.Row(y))
	}
}

// either is what is covered by a or b.
func either(a, b uint8) uint8 { return a + b - mul255(a, b) }

// A Clip is where may be painted: a rectangle, and within it the coverage of a mask, if there
// is one. It is immutable.
type Clip struct {
	bounds image.Rectangle
	mask   *Mask // of bounds, or nil: covers all of them
}

// NewClip is a clip of all pixels of a rectangle.
func NewClip(r image.Rectangle) *Clip { return &Clip{bounds: r.Canon()} }

// Bounds is the rectangle outside of which nothing is painted; it may be empty.
func (c *Clip) Bounds() image.Rectangle { return c.bounds }

// IsRect reports whether all pixels within the bounds are covered.
func (c *Clip) IsRect() bool { return c.mask == nil }

// Intersect is the part of c within r.
func (c *Clip) Intersect(r image.Rectangle) *Clip {
	b := c.bounds.Intersect(r)
	if c.mask == nil || b.Empty() {
		return &Clip{bounds: b}
	}
	return &Clip{b, c.mask.part(b)}
}

// part is the mask within b, which lies in its bounds. It shares the pixels.
func (m *Mask) part(b image.Rectangle) *Mask {
	at := (b.Min.Y-m.Bounds.Min.Y)*m.Stride + b.Min.X - m.Bounds.Min.X
	return &Mask{b, m.Stride, m.Pix[at:]}
}

// Shape is the part of c that a shape covers. shape holds all that draw sends to its sink
// (what it sends outside is dropped), and draw, called once at most, is the rasteriser:
//
//	clip = clip.Shape(bounds, func(s paint.Sink, r image.Rectangle) { raster.Rasterize(pl, rule, r, s) })
//
// r is the part of the device that is asked for. The mask takes as many bytes as r has pixels;
// a shape that turns out to be a rectangle of whole pixels takes none.
func (c *Clip) Shape(shape image.Rectangle, draw func(s Sink, r image.Rectangle)) *Clip {
	b := c.bounds.Intersect(shape)
	if b.Empty() {
		return &Clip{}
	}
	m := NewMask(b)
	draw(m, b)
	m = m.trim()
	if m.full() {
		return c.Intersect(m.Bounds)
	}
	if c.mask != nil {
		old := c.mask.part(m.Bounds)
		for y := m.Bounds.Min.Y; y < m.Bounds.Max.Y; y++ {
			row, by := m.Row(y), old.Row(y)
			for x, v := range row {
				row[x] = mul255(v, by[x])
			}
		}
	}
	return &Clip{m.Bounds, m}
}

// trim is m without rows and columns at its edges that cover nothing.
func (m *Mask) trim() *Mask {
	b := m.Bounds
	left, right, top, bottom := b.Max.X, b.Min.X, b.Max.Y, b.Min.Y
	for y := b.Min.Y; y < b.Max.Y; y++ {
		row := m.Row(y)
		from, to := 0, len(row)
		for from+8 <= to && binary.LittleEndian.Uint64(row[from:]) == 0 {
			from += 8
		}
		for from < to && row[from] == 0 {
			from++
		}
		if from == to {
			continue
		}
		for to-8 > from && binary.LittleEndian.Uint64(row[to-8:]) == 0 {
			to -= 8
		}
		for row[to-1] == 0 {
			to--
		}
		left, right = min(left, b.Min.X+from), max(right, b.Min.X+to)
		top, bottom = min(top, y), y+1
	}
	if top >= bottom {
		return &Mask{}
	}
	return m.part(image.Rect(left, top, right, bottom))
}

// full reports whether all of m is covered.
func (m *Mask) full() bool {
	for y := m.Bounds.Min.Y; y < m.Bounds.Max.Y; y++ {
		row := m.Row(y)
		for len(row) >= 8 {
			if binary.LittleEndian.Uint64(row) != fullWord {
				return false
			}
			row = row[8:]
		}
		for _, v := range row {
			if v != 255 {
				return false
			}
		}
	}
	return true
}

// mul255 is a·b/255, rounded.
func mul255(a, b uint8) uint8 {
	v := uint32(a)*uint32(b) + 128
	return uint8((v + v>>8) >> 8)
}
