package paint

import (
	"encoding/binary"
	"image"
	"math"

	"quicksand/canvas/geometry"
	pix "quicksand/media/image"
)

// Smoothing is how an image is sampled.
type Smoothing uint8

// Smoothing, as imageSmoothingEnabled and imageSmoothingQuality choose it. The zero value is
// off.
const (
	SmoothOff    Smoothing = iota // the nearest pixel
	SmoothLow                     // bilinear, as browsers do also when shrinking
	SmoothMedium                  // bilinear, when shrinking of the halved image, between two halvings
	SmoothHigh                    // when enlarging bicubic (Mitchell), else as medium
)

// An Edge is what lies beyond the edges of an image.
type Edge uint8

// Edges. The zero value is Clamp.
const (
	Clamp  Edge = iota // the pixels at the edge: for images, whose outline is a path
	Repeat             // the image again
	Blank              // nothing: for patterns that are not repeated
)

// Place is the part of the texture, in its pixels, as a source. m maps pixels of the texture
// to the device. Nothing outside of the part is looked at. A placement of pixels on pixels
// copies them. It is Nothing when m has no inverse or the part is empty.
func (t *Texture) Place(part image.Rectangle, m geometry.Matrix, x, y Edge, s Smoothing) Source {
	part = part.Intersect(image.Rect(0, 0, t.surface.Width, t.surface.Height))
	inv, ok := m.Inverse()
	for _, v := range [...]float64{inv.A, inv.B, inv.C, inv.D, inv.E, inv.F} {
		ok = ok && v-v == 0
	}
	if !ok || part.Empty() {
		return Nothing
	}
	inv.E -= float64(part.Min.X)
	inv.F -= float64(part.Min.Y)
	p := placed{inv: inv, x: x, y: y, solid: x != Blank && y != Blank && t.opaque()}
	if dx, dy, ok := translation(inv); ok {
		p.view(t.surface, part)
		return &copied{p, dx, dy}
	}
	if s == SmoothHigh && !enlarges(m) {
		s = SmoothMedium
	}
	if level := halvings(inv); s == SmoothMedium && level > 0 {
		n := int(level)
		upper := &bilinear{t.part(part).halved(p, n), false}
		weight := int((level-float64(n))*256 + 0.5)
		if weight == 0 {
			return upper
		}
		return &between{upper, &bilinear{t.part(part).halved(p, n+1), false}, uint64(weight)}
	}
	p.view(t.surface, part)
	switch s {
	case SmoothOff:
		return &nearest{p}
	case SmoothHigh:
		return &bicubic{p}
	}
	return &bilinear{p, s == SmoothLow && inv.B == 0 && inv.C == 0 && x != Blank && y != Blank}
}

// enlarges reports whether m enlarges in both directions. What keeps its size in one of them is
// not bicubic in browsers: moved by less than a pixel, it would only blur.
func enlarges(m geometry.Matrix) bool {
	const more = 1 + 1e-6
	return math.Hypot(m.A, m.B) > more && math.Hypot(m.C, m.D) > more
}

// halvings is how often an image is halved before it is sampled, by the matrix from the device.
// Browsers halve it half a time less often than leaves a pixel for each of the device: that is
// sharper.
func halvings(inv geometry.Matrix) float64 {
	return min(0.5*math.Log2(math.Hypot(inv.A, inv.B)*math.Hypot(inv.C, inv.D))-0.5, 14)
}

// Halves reports whether placing something by m takes more memory than its texture.
func Halves(m geometry.Matrix, s Smoothing) bool {
	inv, ok := m.Inverse()
	return ok && (s == SmoothMedium || s == SmoothHigh && !enlarges(m)) && halvings(inv) > 0
}

// halved is p in the texture halved n times.
func (t *Texture) halved(p placed, n int) placed {
	s := t.level(n)
	x, y := float64(s.Width)/float64(t.surface.Width), float64(s.Height)/float64(t.surface.Height)
	m := &p.inv
	p.inv = geometry.Matrix{A: m.A * x, B: m.B * y, C: m.C * x, D: m.D * y, E: m.E * x, F: m.F * y}
	p.view(s, image.Rect(0, 0, s.Width, s.Height))
	return p
}

// placed is a part of a surface and how the device is mapped to it.
type placed struct {
	inv           geometry.Matrix // from the device to pixels of the part
	pix           []byte          // from the first pixel of the part
	stride        int             // bytes
	width, height int
	x, y          Edge
	solid         bool // no pixel is transparent
}

func (p *placed) opaque() bool { return p.solid }

func (p *placed) view(s *pix.Surface, part image.Rectangle) {
	p.stride = 4 * s.Width
	p.pix = s.Pix[part.Min.Y*p.stride+4*part.Min.X:]
	p.width, p.height = part.Dx(), part.Dy()
}

func (p *placed) Solid() ([4]uint8, bool) { return [4]uint8{}, false }

// at is a pixel, which must exist.
func (p *placed) at(x, y int) uint32 {
	return binary.LittleEndian.Uint32(p.pix[y*p.stride+4*x:])
}

// texel is any pixel, by what lies beyond the edges.
func (p *placed) texel(x, y int) uint32 {
	x, okX := p.x.wrap(x, p.width)
	y, okY := p.y.wrap(y, p.height)
	if !okX || !okY {
		return 0
	}
	return p.at(x, y)
}

// wrap brings i into 0 to n.
func (e Edge) wrap(i, n int) (int, bool) {
	if uint(i) < uint(n) {
		return i, true
	}
	switch e {
	case Clamp:
		return min(max(i, 0), n-1), true
	case Repeat:
		if i %= n; i < 0 {
			i += n
		}
		return i, true
	}
	return 0, false
}

// translation is the whole pixels by which m moves, if it does nothing else.
func translation(m geometry.Matrix) (dx, dy int, ok bool) {
	const near = 1e-6
	x, y := math.Round(m.E), math.Round(m.F)
	if math.Abs(m.A-1) > 1e-9 || math.Abs(m.D-1) > 1e-9 || math.Abs(m.B) > 1e-9 || math.Abs(m.C) > 1e-9 ||
		math.Abs(m.E-x) > near || math.Abs(m.F-y) > near || math.Abs(x) > 1e9 || math.Abs(y) > 1e9 {
		return 0, 0, false
	}
	return int(x), int(y), true
}

// copied is a part whose pixels are pixels of the device.
type copied struct {
	placed
	dx, dy int
}

func (c *copied) slice(x, y, n int) []byte {
	x, y = x+c.dx, y+c.dy
	if x < 0 || y < 0 || x+n > c.width || y >= c.height {
		return nil
	}
	at := y*c.stride + 4*x
	return c.pix[at : at+4*n]
}

func (c *copied) Row(dst []byte, x, y int) {
	x += c.dx
	y, ok := c.y.wrap(y+c.dy, c.height)
	if !ok {
		clear(dst)
		return
	}
	row := c.pix[y*c.stride:][:4*c.width]
	for len(dst) > 0 {
		if uint(x) < uint(c.width) {
			k := copy(dst, row[4*x:])
			dst, x = dst[k:], x+k/4
			continue
		}
		switch c.x {
		case Repeat:
			x, _ = c.x.wrap(x, c.width)
		case Clamp:
			at, _ := c.x.wrap(x, c.width)
			copy(dst[:4], row[4*at:])
			dst, x = dst[4:], x+1
		default:
			n := len(dst)
			if x < 0 {
				n = min(n, -4*x)
			}
			clear(dst[:n])
			dst, x = dst[n:], x+n/4
		}
	}
}

// Positions are in one<<fraction of a pixel.
const fraction = 32

// A walk is the positions of a row of pixels of the device.
type walk struct {
	u, v   int64
	du, dv int64
	// modU and modV are the size of what repeats, or 0.
	modU, modV int64
}

// next goes on by a pixel.
func (w *walk) next() {
	w.u += w.du
	if w.modU != 0 && w.u >= w.modU {
		w.u -= w.modU
	}
	w.v += w.dv
	if w.modV != 0 && w.v >= w.modV {
		w.v -= w.modV
	}
}

// within reports whether all positions from here to n pixels on are from 0 to before width and
// height.
func (w *walk) within(n int64, width, height int) bool {
	in := func(at int64, size int) bool { return at >= 0 && at < int64(size)<<fraction }
	return in(w.u, width) && in(w.v, height) && in(w.u+n*w.du, width) && in(w.v+n*w.dv, height)
}

// farthest is how far from the image positions are exact. No edge of an image is so long.
const farthest = 1 << 30

// walk starts a row of n pixels at x, y, shifted by -half a pixel of the image. It is not ok
// if it goes too far; one pixel always is.
func (p *placed) walk(x, y, n int, shift float64) (w walk, ok bool) {
	m := &p.inv
	px, py := float64(x)+0.5, float64(y)+0.5
	u := float64(m.A*px) + float64(m.C*py) + m.E - shift
	v := float64(m.B*px) + float64(m.D*py) + m.F - shift
	ok = true
	axis := func(e Edge, at, step float64, size int) (pos, d, mod int64) {
		if e == Repeat {
			s := float64(size)
			at, step = math.Mod(at, s), math.Mod(step, s)
			if at < 0 {
				at += s
			}
			if step < 0 {
				step += s
			}
			mod = int64(size) << fraction
			return min(int64(at*(1<<fraction)), mod-1), min(int64(step*(1<<fraction)), mod-1), mod
		}
		if n > 1 {
			if end := at + float64(step*float64(n)); !(math.Abs(at) < farthest && math.Abs(end) < farthest) {
				ok = false
				return 0, 0, 0
			}
		} else {
			step = 0
		}
		// What is not a number is somewhere.
		at = max(min(at, farthest), -farthest)
		if at != at {
			at = 0
		}
		return int64(math.Floor(at * (1 << fraction))), int64(math.Floor(step * (1 << fraction))), 0
	}
	w.u, w.du, w.modU = axis(p.x, u, m.A, p.width)
	w.v, w.dv, w.modV = axis(p.y, v, m.B, p.height)
	return w, ok
}

// single makes a row pixel by pixel.
func single(s Source, dst []byte, x, y int) {
	for i := 0; i+4 <= len(dst); i += 4 {
		s.Row(dst[i:i+4], x+i/4, y)
	}
}

type nearest struct{ placed }

func (p *nearest) Row(dst []byte, x, y int) {
	w, ok := p.walk(x, y, len(dst)/4, 0)
	if !ok {
		single(p, dst, x, y)
		return
	}
	// A position on the border of two pixels belongs to the one that comes first on the device.
	if p.inv.A > 0 && w.modU == 0 {
		w.u--
	}
	if p.inv.D > 0 && w.modV == 0 {
		w.v--
	}
	if p.inv.B == 0 && p.x == Clamp {
		j, ok := p.y.wrap(int(w.v>>fraction), p.height)
		if !ok {
			clear(dst)
			return
		}
		row := p.pix[j*p.stride:][:4*p.width]
		for ; len(dst) >= 4; dst = dst[4:] {
			i := min(max(int(w.u>>fraction), 0), p.width-1)
			binary.LittleEndian.PutUint32(dst, binary.LittleEndian.Uint32(row[4*i:]))
			w.u += w.du
		}
		return
	}
	for ; len(dst) >= 4; dst = dst[4:] {
		binary.LittleEndian.PutUint32(dst, p.texel(int(w.u>>fraction), int(w.v>>fraction)))
		w.next()
	}
}

// bilinear mixes four pixels.
type bilinear struct {
	placed
	// coarse has weights of 4 bits and cuts off the rest, as browsers do by default with
	// images that stand upright: it is seen where a few pixels are enlarged a lot.
	coarse bool
}

func (p *bilinear) coarseRow(dst []byte, w walk) {
	// Scales like 2/3 put many positions on a sixteenth, where the weights change. There they are
	// to be on the same side, whatever is lost in the inverse of the matrix and in the step.
	const nudge = 1 << (fraction - 18)
	w.u += nudge
	w.v += nudge
	right, below := p.width-1, p.height-1
	for ; len(dst) >= 4; dst = dst[4:] {
		i, j := int(w.u>>fraction), int(w.v>>fraction)
		fx, fy := uint64(w.u>>(fraction-4))&15, uint64(w.v>>(fraction-4))&15
		var a, b, c, d uint32
		if uint(i) < uint(right) && uint(j) < uint(below) {
			at := j*p.stride + 4*i
			top := binary.LittleEndian.Uint64(p.pix[at:])
			bottom := binary.LittleEndian.Uint64(p.pix[at+p.stride:])
			a, b, c, d = uint32(top), uint32(top>>32), uint32(bottom), uint32(bottom>>32)
		} else {
			a, b, c, d = p.texel(i, j), p.texel(i+1, j), p.texel(i, j+1), p.texel(i+1, j+1)
		}
		// The weights are 256 together.
		v := lanes(a)*((16-fx)*(16-fy)) + lanes(b)*(fx*(16-fy)) + lanes(c)*((16-fx)*fy) + lanes(d)*(fx*fy)
		binary.LittleEndian.PutUint32(dst, pixelOf(v>>8&laneMask))
		w.next()
	}
}

func (p *bilinear) Row(dst []byte, x, y int) {
	w, ok := p.walk(x, y, len(dst)/4, 0.5)
	if !ok {
		single(p, dst, x, y)
		return
	}
	if p.coarse {
		p.coarseRow(dst, w)
		return
	}
	// Weights of 8 bits, rounded.
	const round = 1 << (fraction - 9)
	w.u += round
	w.v += round
	if p.level() {
		p.levelRow(dst, w)
		return
	}
	right, below := p.width-1, p.height-1
	if n := int64(len(dst)/4 - 1); w.modU|w.modV == 0 && w.within(n, right, below) {
		for ; len(dst) >= 4; dst = dst[4:] {
			at := int(w.v>>fraction)*p.stride + 4*int(w.u>>fraction)
			top := binary.LittleEndian.Uint64(p.pix[at:])
			bottom := binary.LittleEndian.Uint64(p.pix[at+p.stride:])
			fx, fy := uint64(w.u>>(fraction-8))&255, uint64(w.v>>(fraction-8))&255
			binary.LittleEndian.PutUint32(dst, mix4(uint32(top), uint32(top>>32), uint32(bottom), uint32(bottom>>32), fx, fy))
			w.u += w.du
			w.v += w.dv
		}
		return
	}
	for ; len(dst) >= 4; dst = dst[4:] {
		i, j := int(w.u>>fraction), int(w.v>>fraction)
		fx, fy := uint64(w.u>>(fraction-8))&255, uint64(w.v>>(fraction-8))&255
		var a, b, c, d uint32
		if uint(i) < uint(right) && uint(j) < uint(below) {
			at := j*p.stride + 4*i
			top := binary.LittleEndian.Uint64(p.pix[at:])
			bottom := binary.LittleEndian.Uint64(p.pix[at+p.stride:])
			a, b, c, d = uint32(top), uint32(top>>32), uint32(bottom), uint32(bottom>>32)
		} else {
			a, b, c, d = p.texel(i, j), p.texel(i+1, j), p.texel(i, j+1), p.texel(i+1, j+1)
		}
		binary.LittleEndian.PutUint32(dst, mix4(a, b, c, d, fx, fy))
		w.next()
	}
}

// between is between two halvings of an image, at weight of 256.
type between struct {
	upper, lower *bilinear
	weight       uint64
}

func (b *between) Solid() ([4]uint8, bool) { return [4]uint8{}, false }

func (b *between) opaque() bool { return b.upper.solid }

func (b *between) Row(dst []byte, x, y int) {
	var low [4 * strip]byte
	w := b.weight
	for len(dst) >= 4 {
		n := min(len(dst), len(low))
		b.upper.Row(dst[:n], x, y)
		b.lower.Row(low[:n], x, y)
		for i := 0; i+4 <= n; i += 4 {
			p, q := lanes(binary.LittleEndian.Uint32(dst[i:])), lanes(binary.LittleEndian.Uint32(low[i:]))
			binary.LittleEndian.PutUint32(dst[i:], pixelOf((p*(256-w)+q*w+laneHalf)>>8&laneMask))
		}
		dst, x = dst[n:], x+n/4
	}
}

// strip is how many pixels of a level row are made at a time.
const strip = 64

// level reports whether rows of the device are rows of an image that is not shrunk in width.
// Then pixels of a column are mixed once for all that lie between it and the next one.
func (p *placed) level() bool {
	return p.inv.B == 0 && math.Abs(p.inv.A) <= 1 && p.x != Repeat
}

// rows are n rows from j on, nil where there is nothing.
func (p *placed) rows(out [][]byte, j int) {
	for k := range out {
		if at, ok := p.y.wrap(j+k, p.height); ok {
			out[k] = p.pix[at*p.stride:][:4*p.width]
		}
	}
}

// in reads a pixel of a row, by what lies beyond its ends. The row may be nil.
func (p *placed) in(row []byte, i int) uint32 {
	if uint(i) >= uint(p.width) {
		if p.x == Blank {
			return 0
		}
		i = min(max(i, 0), p.width-1)
	}
	if 4*i+4 > len(row) {
		return 0
	}
	return binary.LittleEndian.Uint32(row[4*i:])
}

// span is the first column of n pixels and the number of columns, if each looks at taps.
func (w *walk) span(n, taps int) (first, columns int) {
	from, to := w.u, w.u+int64(n-1)*w.du
	if from > to {
		from, to = to, from
	}
	first = int(from >> fraction)
	return first, int(to>>fraction) - first + taps
}

// levelRow is Row for a level image.
func (p *bilinear) levelRow(dst []byte, w walk) {
	const mask, half = 0x000000FF_000000FF, 0x00008000_00008000
	var rows [2][]byte
	p.rows(rows[:], int(w.v>>fraction))
	top, bottom := rows[0], rows[1]
	fy := uint64(w.v>>(fraction-8)) & 255
	// Columns in lanes of 32 bits: red and green, blue and alpha.
	var rg, ba [strip + 4]uint64
	for len(dst) >= 4 {
		n := min(len(dst)/4, strip)
		first, columns := w.span(n, 2)
		for k := range rg[:columns] {
			var a, c uint64
			if i := first + k; uint(i) < uint(p.width) && top != nil && bottom != nil {
				a, c = uint64(binary.LittleEndian.Uint32(top[4*i:])), uint64(binary.LittleEndian.Uint32(bottom[4*i:]))
			} else {
				a, c = uint64(p.in(top, i)), uint64(p.in(bottom, i))
			}
			rg[k] = (a&0xFF|a<<24&(0xFF<<32))*(256-fy) + (c&0xFF|c<<24&(0xFF<<32))*fy
			ba[k] = (a>>16&0xFF|a<<8&(0xFF<<32))*(256-fy) + (c>>16&0xFF|c<<8&(0xFF<<32))*fy
		}
		u := w.u - int64(first)<<fraction
		for range n {
			k, fx := uint64(u)>>fraction, uint64(u>>(fraction-8))&255
			r, b := rg[k:k+2:k+2], ba[k:k+2:k+2]
			x := (r[0]*(256-fx) + r[1]*fx + half) >> 16 & mask
			y := (b[0]*(256-fx) + b[1]*fx + half) >> 16 & mask
			binary.LittleEndian.PutUint32(dst, uint32(x|x>>24|y<<16|y>>8))
			dst = dst[4:]
			u += w.du
		}
		w.u += int64(n) * w.du
	}
}

// mix4 is between four pixels, at fx and fy of 256.
func mix4(a, b, c, d uint32, fx, fy uint64) uint32 {
	const mask, half = 0x0000FFFF_0000FFFF, 0x00008000_00008000
	top := lanes(a)*(256-fx) + lanes(b)*fx
	bottom := lanes(c)*(256-fx) + lanes(d)*fx
	// Lanes of 32 bits: red and green, blue and alpha.
	rg := top&mask*(256-fy) + bottom&mask*fy + half
	ba := top>>16&mask*(256-fy) + bottom>>16&mask*fy + half
	return pixelOf(rg>>16&0x000000FF_000000FF | ba&0x00FF0000_00FF0000)
}

type bicubic struct{ placed }

// cubicBits is the precision of a weight: two products of weights and a sample, signed, fit
// into a lane of 32 bits.
const cubicBits = 11

// mitchell are the weights of four neighbours at 256 positions between the middle two
// (Mitchell and Netravali, "Reconstruction filters in computer graphics", 1988, B = C = ⅓),
// in two's complement.
var mitchell = func() (t [256][4]uint64) {
	at := func(x float64) float64 {
		switch x = math.Abs(x); {
		case x < 1:
			return (float64(float64(7*x)*x)*x - float64(12*x)*x + 16.0/3) / 6
		case x < 2:
			return (float64(float64(-7.0/3*x)*x)*x + float64(12*x)*x - float64(20*x) + 32.0/3) / 6
		}
		return 0
	}
	for i := range t {
		f := float64(i) / 256
		sum := int64(0)
		for k := range 4 {
			w := int64(math.Round(at(f-float64(k-1)) * (1 << cubicBits)))
			t[i][k] = uint64(w)
			sum += w
		}
		most := 1
		if f > 0.5 {
			most = 2
		}
		t[i][most] += uint64(1<<cubicBits - sum)
	}
	return t
}()

func (p *bicubic) Row(dst []byte, x, y int) {
	w, ok := p.walk(x, y, len(dst)/4, 0.5)
	if !ok {
		single(p, dst, x, y)
		return
	}
	const round = 1 << (fraction - 9)
	w.u += round
	w.v += round
	if p.level() {
		p.levelRow(dst, w)
		return
	}
	for ; len(dst) >= 4; dst = dst[4:] {
		i, j := int(w.u>>fraction)-1, int(w.v>>fraction)-1
		wx, wy := &mitchell[w.u>>(fraction-8)&255], &mitchell[w.v>>(fraction-8)&255]
		inside := i >= 0 && i+4 <= p.width && j >= 0 && j+4 <= p.height
		var rb, ga uint64
		for k := range 4 {
			var v0, v1, v2, v3 uint32
			if inside {
				row := p.pix[(j+k)*p.stride+4*i:][:16]
				v0, v1, v2, v3 = binary.LittleEndian.Uint32(row), binary.LittleEndian.Uint32(row[4:]), binary.LittleEndian.Uint32(row[8:]), binary.LittleEndian.Uint32(row[12:])
			} else {
				v0, v1, v2, v3 = p.texel(i, j+k), p.texel(i+1, j+k), p.texel(i+2, j+k), p.texel(i+3, j+k)
			}
			rb += (redBlue(v0)*wx[0] + redBlue(v1)*wx[1] + redBlue(v2)*wx[2] + redBlue(v3)*wx[3]) * wy[k]
			ga += (greenAlpha(v0)*wx[0] + greenAlpha(v1)*wx[1] + greenAlpha(v2)*wx[2] + greenAlpha(v3)*wx[3]) * wy[k]
		}
		binary.LittleEndian.PutUint32(dst, cubicPixel(rb, ga))
		w.next()
	}
}

// redBlue and greenAlpha put two samples into lanes of 32 bits, which are signed: sums of
// products are exact in two's complement, and what a negative lane borrows the bias of
// cubicPixel gives back.
func redBlue(v uint32) uint64    { return uint64(v)&0xFF | uint64(v)<<16&(0xFF<<32) }
func greenAlpha(v uint32) uint64 { return uint64(v)>>8&0xFF | uint64(v)<<8&(0xFF<<32) }

// cubicPixel is the pixel of sums. Overshoot must not make a colour lighter than its alpha.
func cubicPixel(rb, ga uint64) uint32 {
	const shift = 2 * cubicBits
	const bias = (1<<31 + 1<<(shift-1)) * (1<<32 + 1)
	rb += bias
	ga += bias
	a := min(max(int64(ga>>32)-1<<31, 0)>>shift, 255)
	r := min(max(int64(rb&0xFFFFFFFF)-1<<31, 0)>>shift, a)
	g := min(max(int64(ga&0xFFFFFFFF)-1<<31, 0)>>shift, a)
	b := min(max(int64(rb>>32)-1<<31, 0)>>shift, a)
	return uint32(r | g<<8 | b<<16 | a<<24)
}

// levelRow is Row for a level image.
func (p *bicubic) levelRow(dst []byte, w walk) {
	var rows [4][]byte
	p.rows(rows[:], int(w.v>>fraction)-1)
	wy := &mitchell[w.v>>(fraction-8)&255]
	var rb, ga [strip + 8]uint64
	for len(dst) >= 4 {
		n := min(len(dst)/4, strip)
		first, columns := w.span(n, 4)
		for k := range rb[:columns] {
			i := first - 1 + k
			v0, v1, v2, v3 := p.in(rows[0], i), p.in(rows[1], i), p.in(rows[2], i), p.in(rows[3], i)
			rb[k] = redBlue(v0)*wy[0] + redBlue(v1)*wy[1] + redBlue(v2)*wy[2] + redBlue(v3)*wy[3]
			ga[k] = greenAlpha(v0)*wy[0] + greenAlpha(v1)*wy[1] + greenAlpha(v2)*wy[2] + greenAlpha(v3)*wy[3]
		}
		u := w.u - int64(first)<<fraction
		for range n {
			k := uint64(u) >> fraction
			wx := &mitchell[u>>(fraction-8)&255]
			r, g := rb[k:k+4:k+4], ga[k:k+4:k+4]
			binary.LittleEndian.PutUint32(dst, cubicPixel(r[0]*wx[0]+r[1]*wx[1]+r[2]*wx[2]+r[3]*wx[3], g[0]*wx[0]+g[1]*wx[1]+g[2]*wx[2]+g[3]*wx[3]))
			dst = dst[4:]
			u += w.du
		}
		w.u += int64(n) * w.du
	}
}
