package paint

import (
	"encoding/binary"
	"image"

	pix "quicksand/media/image"
)

// An Op is how something is painted.
type Op struct {
	Mode   pix.BlendMode
	Alpha  float64 // 0 to 1, multiplies the alpha of the source
	Clip   *Clip   // nil for all of the surface
	Source Source
}

// A Painter paints on a band of rows of a surface. Between Begin and End it is the Sink of a
// rasteriser; pixels outside its Bounds are left out. It is not safe for concurrent use, but
// painters of different bands of one surface may work at the same time.
//
// Coverage multiplies the alpha of the source. A mode that ClearsOutside changes all pixels
// within the clip, and where the clip covers a pixel in part, in part.
type Painter struct {
	dst    *pix.Surface
	origin image.Point     // of dst on the device
	band   image.Rectangle // on the device
	bounds image.Rectangle // of band, what the clip leaves
	clip   *Mask           // or nil: all of bounds
	mode   pix.BlendMode
	source Source
	alpha  uint32 // of the operation, in fullAlpha

	solid  bool
	pixel  uint32 // if solid, alpha included
	direct direct // source, if its rows need not be copied
	opaque bool   // all that the source gives, by source-over: it replaces what is covered

	// Modes that clear outside are painted at the end, when it is known what is covered.
	clears bool
	gather Mask

	// One chunk, small enough for the nearest cache.
	buf   [4 * chunk]byte
	mixed [4 * chunk]byte
	cover [chunk]uint8
}

// chunk is how many pixels are worked on at a time.
const chunk = 512

// direct is implemented by sources that have their pixels lying there: slice gives n of them,
// or nil if it does not have all.
type direct interface {
	slice(x, y, n int) []byte
}

// opaque is implemented by sources that know of themselves that no pixel is transparent.
type opaque interface{ opaque() bool }

// NewPainter makes a painter for the rows from y0 to before y1 of dst.
func NewPainter(dst *pix.Surface, y0, y1 int) *Painter {
	r := image.Rect(0, 0, dst.Width, dst.Height).Intersect(image.Rect(0, y0, dst.Width, y1))
	return &Painter{dst: dst, band: r, bounds: r}
}

// Bounds are the pixels that the operation can change; before Begin and after End, the band.
func (p *Painter) Bounds() image.Rectangle { return p.bounds }

// Begin starts an operation. What Run, Mask, Draw and Rect are given until End is painted as
// op says. Pixels may come in any order. Those that come twice are painted twice, but by a
// mode that clears outside once, where either covers them.
func (p *Painter) Begin(op Op) {
	p.bounds, p.clip, p.opaque = p.band, nil, false
	if op.Clip != nil {
		p.bounds = p.band.Intersect(op.Clip.bounds)
		p.clip = op.Clip.mask
	}
	alpha := 0.0
	if op.Alpha > 0 { // which a NaN is not
		alpha = min(op.Alpha, 1)
	}
	p.mode, p.source, p.alpha = op.Mode, op.Source, uint32(alpha*fullAlpha+0.5)
	p.direct, _ = op.Source.(direct)
	var px [4]uint8
	if c, ok := op.Source.(colour); ok {
		px, p.solid = c.premultiplied(alpha), true
	} else if px, p.solid = op.Source.Solid(); p.solid {
		scaleAlpha(px[:], px[:], p.alpha)
	}
	p.pixel = packed(px)
	if o, ok := op.Source.(opaque); ok && op.Mode == pix.SourceOver && p.alpha == fullAlpha {
		p.opaque = o.opaque()
	}
	p.clears = op.Mode.ClearsOutside()
	if p.clears {
		n := p.bounds.Dx() * p.bounds.Dy()
		if cap(p.gather.Pix) < n {
			p.gather.Pix = make([]uint8, n)
		}
		p.gather = Mask{p.bounds, p.bounds.Dx(), p.gather.Pix[:n]}
		clear(p.gather.Pix)
	} else if p.solid && p.pixel == 0 || p.alpha == 0 {
		p.bounds = image.Rectangle{} // transparent black changes nothing
	}
}

// End finishes the operation.
func (p *Painter) End() {
	if p.clears {
		p.clears = false
		for y := p.bounds.Min.Y; y < p.bounds.Max.Y; y++ {
			p.clearingRow(y)
		}
	}
	p.bounds, p.clip, p.source, p.direct = p.band, nil, nil, nil
}

// row is n pixels of the surface.
func (p *Painter) row(x, y, n int) []byte {
	at := 4 * ((y-p.origin.Y)*p.dst.Width + x - p.origin.X)
	return p.dst.Pix[at : at+4*n : at+4*n]
}

// pixels are n pixels of the source, at most a chunk, with the alpha of the operation. They
// are not to be written to, but may lie in buf.
func (p *Painter) pixels(x, y, n int) []byte {
	if p.direct != nil {
		if s := p.direct.slice(x, y, n); s != nil {
			if p.alpha == fullAlpha {
				return s
			}
			scaleAlpha(p.buf[:4*n], s, p.alpha)
			return p.buf[:4*n]
		}
	}
	row := p.buf[:4*n]
	if p.solid {
		fillRow(row, p.pixel)
		return row
	}
	p.source.Row(row, x, y)
	if p.alpha != fullAlpha {
		scaleAlpha(row, row, p.alpha)
	}
	return row
}

// Run implements Sink.
func (p *Painter) Run(x, y, n int, cover uint8) {
	if y < p.bounds.Min.Y || y >= p.bounds.Max.Y {
		return
	}
	if x < p.bounds.Min.X {
		n -= p.bounds.Min.X - x
		x = p.bounds.Min.X
	}
	if n = min(n, p.bounds.Max.X-x); n <= 0 {
		return
	}
	switch {
	case p.clears:
		p.gather.Run(x, y, n, cover)
	case p.clip != nil:
		at := x - p.clip.Bounds.Min.X
		masks := p.clip.Row(y)[at : at+n]
		if cover == 255 {
			p.masked(x, y, masks)
			return
		}
		for n > 0 {
			k := min(n, chunk)
			for i, m := range masks[:k] {
				p.cover[i] = mul255(m, cover)
			}
			p.masked(x, y, p.cover[:k])
			x, n, masks = x+k, n-k, masks[k:]
		}
	case p.solid && p.mode == pix.SourceOver:
		px := p.pixel
		if cover != 255 {
			px = scalePixel(px, cover)
		}
		overRun(p.row(x, y, n), px)
	case p.opaque && cover == 255:
		p.source.Row(p.row(x, y, n), x, y)
	case p.solid && p.mode == pix.DestinationOut: // clearRect
		row := p.row(x, y, n)
		if a := mul255(uint8(p.pixel>>24), cover); a == 255 {
			clear(row)
		} else {
			scaleRun(row, row, 255-a)
		}
	default:
		for n > 0 {
			k := min(n, chunk)
			src := p.pixels(x, y, k)
			if cover != 255 {
				scaleRun(p.buf[:4*k], src, cover)
				src = p.buf[:4*k]
			}
			p.blend(p.row(x, y, k), src)
			x, n = x+k, n-k
		}
	}
}

// blend puts src on dst.
func (p *Painter) blend(dst, src []byte) {
	if p.mode == pix.SourceOver {
		overRow(dst, src)
		return
	}
	p.mode.Blend(dst, src, 255)
}

// Mask implements Sink.
func (p *Painter) Mask(x, y int, cover []uint8) {
	if y < p.bounds.Min.Y || y >= p.bounds.Max.Y {
		return
	}
	if x < p.bounds.Min.X {
		cover = cover[min(p.bounds.Min.X-x, len(cover)):]
		x = p.bounds.Min.X
	}
	if n := p.bounds.Max.X - x; n < len(cover) {
		cover = cover[:max(n, 0)]
	}
	if len(cover) == 0 {
		return
	}
	switch {
	case p.clears:
		p.gather.Mask(x, y, cover)
	case p.clip != nil:
		at := x - p.clip.Bounds.Min.X
		masks := p.clip.Row(y)[at : at+len(cover)]
		for len(cover) > 0 {
			k := min(len(cover), chunk)
			for i, m := range masks[:k] {
				p.cover[i] = mul255(m, cover[i])
			}
			p.masked(x, y, p.cover[:k])
			x, cover, masks = x+k, cover[k:], masks[k:]
		}
	default:
		p.masked(x, y, cover)
	}
}

// masked paints pixels within the bounds; the clip is in cover.
func (p *Painter) masked(x, y int, cover []uint8) {
	if p.solid && p.mode == pix.SourceOver {
		overMask(p.row(x, y, len(cover)), p.pixel, cover)
		return
	}
	for len(cover) > 0 {
		// Sources are slow: what is not covered is not asked for.
		for len(cover) >= 8 && binary.LittleEndian.Uint64(cover) == 0 {
			x, cover = x+8, cover[8:]
		}
		n := 0
		for n < min(len(cover), chunk) && !(n+8 <= len(cover) && binary.LittleEndian.Uint64(cover[n:]) == 0) {
			n++
		}
		if n == 0 {
			return
		}
		src := p.pixels(x, y, n)
		dst := p.row(x, y, n)
		if p.mode == pix.SourceOver {
			overRowMask(dst, src, cover[:n])
		} else {
			scaleMask(p.buf[:4*n], src, cover[:n])
			p.mode.Blend(dst, p.buf[:4*n], 255)
		}
		x, cover = x+n, cover[n:]
	}
}

// clearingRow paints a row by a mode that changes also what is not covered.
func (p *Painter) clearingRow(y int) {
	cover := p.gather.Row(y)
	for x := p.bounds.Min.X; len(cover) > 0; {
		n := min(len(cover), chunk)
		src := p.buf[:4*n]
		if empty(cover[:n]) {
			clear(src)
		} else {
			scaleMask(src, p.pixels(x, y, n), cover[:n])
		}
		dst := p.row(x, y, n)
		if p.clip == nil {
			p.mode.Blend(dst, src, 255)
		} else {
			mixed := p.mixed[:4*n]
			copy(mixed, dst)
			p.mode.Blend(mixed, src, 255)
			at := x - p.clip.Bounds.Min.X
			mixRow(dst, mixed, p.clip.Row(y)[at:at+n])
		}
		x, cover = x+n, cover[n:]
	}
}

func empty(cover []uint8) bool {
	for _, c := range cover {
		if c != 0 {
			return false
		}
	}
	return true
}

// Draw paints what m covers.
func (p *Painter) Draw(m *Mask) {
	r := m.Bounds.Intersect(p.bounds)
	if r.Empty() {
		return
	}
	if p.solid && p.mode == pix.SourceOver && p.clip == nil { // glyphs
		n := r.Dx()
		dst := p.dst.Pix[4*((r.Min.Y-p.origin.Y)*p.dst.Width+r.Min.X-p.origin.X):]
		cover := m.Pix[(r.Min.Y-m.Bounds.Min.Y)*m.Stride+r.Min.X-m.Bounds.Min.X:]
		for y := r.Min.Y; ; {
			overMask(dst[:4*n], p.pixel, cover[:n])
			if y++; y == r.Max.Y {
				return
			}
			dst, cover = dst[4*p.dst.Width:], cover[m.Stride:]
		}
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		p.Mask(r.Min.X, y, m.Row(y)[r.Min.X-m.Bounds.Min.X:r.Max.X-m.Bounds.Min.X])
	}
}

// Rect paints all pixels of r with one coverage.
func (p *Painter) Rect(r image.Rectangle, cover uint8) {
	r = r.Intersect(p.bounds)
	if r.Empty() {
		return
	}
	if !p.solid || p.mode != pix.SourceOver || p.clip != nil {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			p.Run(r.Min.X, y, r.Dx(), cover)
		}
		return
	}
	px := p.pixel
	if cover != 255 {
		px = scalePixel(px, cover)
	}
	n, stride := 4*r.Dx(), 4*p.dst.Width
	dst := p.dst.Pix[4*((r.Min.Y-p.origin.Y)*p.dst.Width+r.Min.X-p.origin.X):]
	if n == 4 {
		overColumn(dst, stride, r.Dy(), px)
		return
	}
	for y := r.Min.Y; ; {
		overRun(dst[:n], px)
		if y++; y == r.Max.Y {
			return
		}
		dst = dst[stride:]
	}
}
