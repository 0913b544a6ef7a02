package text

import (
	"image"
	"math"
	"sync"

	"quicksand/canvas/geometry"
	"quicksand/canvas/internal/raster"
)

// A Mask is the coverage of a glyph at a size and a quarter of a pixel, for a tone. It is shared: nobody
// may change it.
type Mask struct {
	// Left and Top are where its first pixel is, relative to the pixel of the glyph's origin.
	Left, Top int
	// W and H are 0 for a glyph without ink.
	W, H int
	// Pix has W·H bytes, rows from the top.
	Pix []byte
}

// MaxMask is the greatest size of an em, in device pixels, of which masks are made. The
// outlines of larger glyphs are drawn as paths.
const MaxMask = 96

type maskKey struct {
	face    *Face
	id      uint32
	sx, sy  float32 // ems in device pixels
	quarter uint8
	tone    Tone
}

// Mask returns the coverage of the glyph, painted with a colour of a tone, under a matrix from
// the line to the device, and the device pixel of the mask's first one. As in Skia, the origin goes to the nearest quarter of a
// pixel along x and to the nearest pixel along y.
//
// ok is false when there is no mask for this matrix, which rotates, mirrors or scales too
// much: then the outline is to be filled.
func (g *Glyph) Mask(m geometry.Matrix, tone Tone) (mask *Mask, x, y int, ok bool) {
	if m.B != 0 || m.C != 0 || !(m.A > 0) || !(m.D > 0) {
		return nil, 0, 0, false
	}
	sx, sy := g.Size*m.A, g.Size*m.D
	if !(sx <= MaxMask && sy <= MaxMask) {
		return nil, 0, 0, false
	}
	px := math.Floor((float64(m.A*g.X)+m.E)*4 + 0.5)
	py := math.Floor(float64(m.D*g.Y) + m.F + 0.5)
	const far = 1 << 28 // no surface is this large
	if !(px > -far && px < far && py > -far && py < far) {
		return nil, 0, 0, false
	}
	q := int(px)
	key := maskKey{g.Face, g.ID, float32(sx), float32(sy), uint8(q & 3), tone % tones}
	c := g.Face.caches
	place := key.id*4 + uint32(key.quarter) + uint32(key.tone)<<7
	mask, found := c.frontMasks.get(place, key)
	if !found {
		if mask, found = c.masks.get(key); !found {
			mask = g.Face.makeMask(key)
			c.masks.put(key, mask, 160+len(mask.Pix))
		}
		c.frontMasks.put(place, key, mask)
	}
	return mask, q>>2 + mask.Left, int(py) + mask.Top, true
}

// mostSnapped is the greatest size of an em, in device pixels, that Snap moves.
const mostSnapped = 256

// Snap is by how much, in units of the line, a glyph that is drawn by its outline is moved for
// its origin to come where it is of masks: in Skia glyphs of less than 256 pixels are masks
// always. Turned, they go to the nearest quarter of a pixel in both directions. inv is the
// inverse of m.
func (g *Glyph) Snap(m, inv geometry.Matrix) (dx, dy float64) {
	if !(g.Size*m.MaxScale() <= mostSnapped) {
		return 0, 0
	}
	p := m.Apply(geometry.Point{X: g.X, Y: g.Y})
	x, y := 4.0, 4.0
	if m.B == 0 && m.C == 0 {
		y = 1
	} else if m.A == 0 && m.D == 0 {
		x = 1
	}
	dx = math.Floor(p.X*x+0.5)/x - p.X
	dy = math.Floor(p.Y*y+0.5)/y - p.Y
	return float64(inv.A*dx) + float64(inv.C*dy), float64(inv.B*dx) + float64(inv.D*dy)
}

// maskMaker rasterises masks.
type maskMaker struct {
	raster raster.Rasterizer
	lines  geometry.Polyline
	mask   *Mask
}

var maskMakers = sync.Pool{New: func() any { return new(maskMaker) }}

func (f *Face) makeMask(key maskKey) *Mask {
	o := f.outline(key.id)
	if !o.ink {
		return new(Mask)
	}
	sx, sy, dx := float64(key.sx), float64(key.sy), float64(key.quarter)/4
	// A hostile outline may reach far beyond its em.
	const most = 4 * MaxMask
	clamp := func(v float64) int { return int(max(-most, min(most, v))) }
	bounds := image.Rect(
		clamp(math.Floor(o.box.x0*sx+dx)), clamp(math.Floor(o.box.y0*sy)),
		clamp(math.Ceil(o.box.x1*sx+dx)), clamp(math.Ceil(o.box.y1*sy)))
	if bounds.Empty() {
		return new(Mask)
	}
	m := &Mask{Left: bounds.Min.X, Top: bounds.Min.Y, W: bounds.Dx(), H: bounds.Dy()}
	m.Pix = make([]byte, m.W*m.H)
	maker := maskMakers.Get().(*maskMaker)
	defer maskMakers.Put(maker)
	maker.mask = m
	maker.lines.Reset()
	o.path.Flatten(&maker.lines, geometry.Matrix{A: sx, D: sy, E: dx}, 0.02)
	maker.raster.Rasterize(&maker.lines, raster.NonZero, bounds, maker)
	maker.mask = nil
	table := &toned[key.tone]
	for i, cover := range m.Pix {
		m.Pix[i] = table[cover]
	}
	return m
}

// Run implements raster.Sink.
func (k *maskMaker) Run(x, y, n int, cover uint8) {
	row := k.mask.Pix[(y-k.mask.Top)*k.mask.W+x-k.mask.Left:][:n]
	for i := range row {
		row[i] = cover
	}
}

// Mask implements raster.Sink.
func (k *maskMaker) Mask(x, y int, cover []uint8) {
	copy(k.mask.Pix[(y-k.mask.Top)*k.mask.W+x-k.mask.Left:], cover)
}
