package image

import (
	"encoding/binary"
	"math"
)

// A BlendMode is how a source is put on a backdrop: the operators of Porter and Duff and the
// blend modes of "Compositing and Blending Level 1" (W3C).
type BlendMode uint8

// Blend modes. The zero value is SourceOver.
const (
	SourceOver BlendMode = iota
	SourceIn
	SourceOut
	SourceAtop
	DestinationOver
	DestinationIn
	DestinationOut
	DestinationAtop
	Lighter
	Copy
	Xor
	Multiply
	Screen
	Overlay
	Darken
	Lighten
	ColorDodge
	ColorBurn
	HardLight
	SoftLight
	Difference
	Exclusion
	Hue
	Saturation
	Color
	Luminosity
)

var blendNames = [...]string{"source-over", "source-in", "source-out", "source-atop", "destination-over", "destination-in",
	"destination-out", "destination-atop", "lighter", "copy", "xor", "multiply", "screen", "overlay", "darken", "lighten",
	"color-dodge", "color-burn", "hard-light", "soft-light", "difference", "exclusion", "hue", "saturation", "color", "luminosity"}

// String is the name of the mode as a globalCompositeOperation.
func (m BlendMode) String() string { return blendNames[m] }

// ParseBlendMode finds a mode by its name.
func ParseBlendMode(name string) (BlendMode, bool) {
	for m, n := range blendNames {
		if n == name {
			return BlendMode(m), true
		}
	}
	return 0, false
}

// ClearsOutside reports whether the mode changes the backdrop also where the source is
// transparent: it must then be applied to all that may be painted, not only to a shape.
func (m BlendMode) ClearsOutside() bool {
	switch m {
	case SourceIn, SourceOut, DestinationIn, DestinationAtop, Copy:
		return true
	}
	return false
}

// Blend puts the row src on the row dst, both premultiplied RGBA of the same length.
// opacity, 0 to 255, multiplies the source.
func (m BlendMode) Blend(dst, src []byte, opacity uint8) {
	if opacity == 0 && !m.ClearsOutside() {
		return
	}
	if m == SourceOver {
		blendOver(dst, src, opacity)
		return
	}
	if opacity == 255 {
		m.blendRow(dst, src)
		return
	}
	var scaled [1024]byte
	for len(src) >= 4 && len(dst) >= 4 {
		n := min(len(src), len(scaled)) &^ 3
		for i := 0; i < n; i += 4 {
			p := lanes(binary.LittleEndian.Uint32(src[i:])) * uint64(opacity)
			binary.LittleEndian.PutUint32(scaled[i:], pixelOf(over255(p)))
		}
		m.blendRow(dst[:n], scaled[:n])
		dst, src = dst[n:], src[n:]
	}
}

// blendRow is Blend for modes other than SourceOver, at full opacity.
func (m BlendMode) blendRow(dst, src []byte) {
	switch {
	case m == Lighter:
		blendLighter(dst, src)
	case m <= Xor:
		m.porterDuff(dst, src)
	case m < Hue:
		m.separable(dst, src)
	default:
		m.nonSeparable(dst, src)
	}
}

// A word has the four samples of a pixel in lanes of 16 bits, red, blue, green and alpha from
// the lowest: one multiplication by a number up to 255 does all four. As no colour is lighter
// than its alpha, the sums below stay below 255·255 and in their lanes.
const (
	wideMask = 0x00FF00FF_00FF00FF
	wideHalf = 0x00800080_00800080
)

// lanes spreads a pixel.
func lanes(p uint32) uint64 { return uint64(p)&0x00FF00FF | uint64(p)<<24&0x00FF00FF_00000000 }

// pixelOf is the pixel that lanes spread.
func pixelOf(v uint64) uint32 { return uint32(v | v>>24) }

// over255 divides each lane, up to 255·255, by 255 and rounds.
func over255(v uint64) uint64 {
	v += wideHalf
	return (v + v>>8&wideMask) >> 8 & wideMask
}

// blendOver is SourceOver, which most painting is.
func blendOver(dst, src []byte, opacity uint8) {
	for i := 0; i+3 < len(src); i += 4 {
		s, d := src[i:i+4:i+4], dst[i:i+4:i+4]
		r, g, b, a := uint32(s[0]), uint32(s[1]), uint32(s[2]), uint32(s[3])
		if opacity != 255 {
			o := uint32(opacity)
			r, g, b, a = muldiv255(r, o), muldiv255(g, o), muldiv255(b, o), muldiv255(a, o)
		}
		switch a {
		case 0:
			continue
		case 255:
			d[0], d[1], d[2], d[3] = byte(r), byte(g), byte(b), 255
			continue
		}
		n := 255 - a
		d[0] = byte(r + muldiv255(uint32(d[0]), n))
		d[1] = byte(g + muldiv255(uint32(d[1]), n))
		d[2] = byte(b + muldiv255(uint32(d[2]), n))
		d[3] = byte(a + muldiv255(uint32(d[3]), n))
	}
}

// A factor of one alpha is (alpha & mask) ^ flip: 0, 1, alpha or 1−alpha.
type factor struct{ mask, flip uint64 }

var (
	factorNone = factor{0, 0}
	factorOne  = factor{0, 255}
	factorOf   = factor{255, 0}
	factorNot  = factor{255, 255}
)

// factors are of the source, from the alpha of the backdrop, and of that, from the source's.
var factors = [...][2]factor{
	SourceOver:      {factorOne, factorNot},
	SourceIn:        {factorOf, factorNone},
	SourceOut:       {factorNot, factorNone},
	SourceAtop:      {factorOf, factorNot},
	DestinationOver: {factorNot, factorOne},
	DestinationIn:   {factorNone, factorOf},
	DestinationOut:  {factorNone, factorNot},
	DestinationAtop: {factorNot, factorOf},
	Copy:            {factorOne, factorNone},
	Xor:             {factorNot, factorNot},
}

// porterDuff is Fs·S + Fd·D.
func (m BlendMode) porterDuff(dst, src []byte) {
	fs, fd := factors[m][0], factors[m][1]
	for len(src) >= 4 && len(dst) >= 4 {
		s, d := lanes(binary.LittleEndian.Uint32(src)), lanes(binary.LittleEndian.Uint32(dst))
		v := s*(d>>48&fs.mask^fs.flip) + d*(s>>48&fd.mask^fd.flip)
		binary.LittleEndian.PutUint32(dst, pixelOf(over255(v)))
		src, dst = src[4:], dst[4:]
	}
}

// blendLighter adds, up to 255.
func blendLighter(dst, src []byte) {
	for len(src) >= 4 && len(dst) >= 4 {
		v := lanes(binary.LittleEndian.Uint32(src)) + lanes(binary.LittleEndian.Uint32(dst))
		// A lane over 255 has its ninth bit set, which fills the eight below.
		over := v >> 8 & 0x00010001_00010001
		binary.LittleEndian.PutUint32(dst, pixelOf((v|over*255)&wideMask))
		src, dst = src[4:], dst[4:]
	}
}

// separable replaces the colour by (1−αd)·Cs + αd·B(Cd, Cs) and puts it over, which in
// premultiplied terms is S·(1−αd) + D·(1−αs) + αs·αd·B.
func (m BlendMode) separable(dst, src []byte) {
	for ; len(src) >= 4 && len(dst) >= 4; src, dst = src[4:], dst[4:] {
		if src[3] == 0 {
			continue
		}
		s, d := binary.LittleEndian.Uint32(src), binary.LittleEndian.Uint32(dst)
		sa, da := s>>24, d>>24
		v := lanes(s)*uint64(255-da) + lanes(d)*uint64(255-sa)
		sr, sg, sb := s&255, s>>8&255, s>>16&255
		dr, dg, db := d&255, d>>8&255, d>>16&255
		var r, g, b uint32 // αs·αd·B, in 255ths
		switch m {
		case Multiply:
			r, g, b = sr*dr, sg*dg, sb*db
		case Screen:
			r, g, b = sr*da+dr*sa-sr*dr, sg*da+dg*sa-sg*dg, sb*da+db*sa-sb*db
		case Darken:
			r, g, b = min(sr*da, dr*sa), min(sg*da, dg*sa), min(sb*da, db*sa)
		case Lighten:
			r, g, b = max(sr*da, dr*sa), max(sg*da, dg*sa), max(sb*da, db*sa)
		case Difference:
			r, g, b = max(sr*da, dr*sa)-min(sr*da, dr*sa), max(sg*da, dg*sa)-min(sg*da, dg*sa), max(sb*da, db*sa)-min(sb*da, db*sa)
		case Exclusion:
			r, g, b = sr*da+dr*sa-2*sr*dr, sg*da+dg*sa-2*sg*dg, sb*da+db*sa-2*sb*db
		case HardLight:
			r, g, b = hardLight(sr, dr, sa, da), hardLight(sg, dg, sa, da), hardLight(sb, db, sa, da)
		case Overlay:
			r, g, b = hardLight(dr, sr, da, sa), hardLight(dg, sg, da, sa), hardLight(db, sb, da, sa)
		case ColorDodge:
			r, g, b = colorDodge(sr, dr, sa, da), colorDodge(sg, dg, sa, da), colorDodge(sb, db, sa, da)
		case ColorBurn:
			r, g, b = colorBurn(sr, dr, sa, da), colorBurn(sg, dg, sa, da), colorBurn(sb, db, sa, da)
		case SoftLight:
			r, g, b = softLight(sr, dr, sa, da), softLight(sg, dg, sa, da), softLight(sb, db, sa, da)
		}
		v += uint64(r) | uint64(b)<<16 | uint64(g)<<32 | uint64(sa*da)<<48
		binary.LittleEndian.PutUint32(dst, pixelOf(over255(v)))
	}
}

func colorDodge(sc, dc, sa, da uint32) uint32 {
	switch {
	case dc == 0:
		return 0
	case sc >= sa:
		return sa * da
	}
	return min(sa*da, dc*sa*sa/(sa-sc))
}

func colorBurn(sc, dc, sa, da uint32) uint32 {
	switch {
	case dc >= da:
		return sa * da
	case sc == 0:
		return 0
	}
	return sa*da - min(sa*da, (da-dc)*sa*sa/sc)
}

func hardLight(sc, dc, sa, da uint32) uint32 {
	if 2*sc <= sa {
		return 2 * sc * dc
	}
	return sa*da - 2*(da-min(dc, da))*(sa-sc)
}

func softLight(sc, dc, sa, da uint32) uint32 {
	if da == 0 {
		return 0
	}
	s, d := float64(sc)/float64(sa), min(float64(dc)/float64(da), 1)
	b := d - (1-2*s)*d*(1-d)
	if s > 0.5 {
		g := math.Sqrt(d)
		if d <= 0.25 {
			g = ((16*d-12)*d + 4) * d
		}
		b = d + (2*s-1)*(g-d)
	}
	return uint32(b*float64(sa*da) + 0.5)
}

// nonSeparable is for the modes that take apart hue, saturation and luminosity. Colours are
// computed in 255·255 parts, those of the source times αd and those of the backdrop times αs:
// that is αs·αd times the straight ones.
func (m BlendMode) nonSeparable(dst, src []byte) {
	for ; len(src) >= 4 && len(dst) >= 4; src, dst = src[4:], dst[4:] {
		if src[3] == 0 {
			continue
		}
		s, d := binary.LittleEndian.Uint32(src), binary.LittleEndian.Uint32(dst)
		sa, da := int64(s>>24), int64(d>>24)
		cs := [3]int64{int64(s&255) * da, int64(s>>8&255) * da, int64(s>>16&255) * da}
		cd := [3]int64{int64(d&255) * sa, int64(d>>8&255) * sa, int64(d>>16&255) * sa}
		v := lanes(s)*uint64(255-da) + lanes(d)*uint64(255-sa)
		switch m {
		case Hue:
			l := lum(&cd)
			setSat(&cs, sat(&cd))
			setLum(&cs, l, sa*da)
		case Saturation:
			l, t := lum(&cd), sat(&cs)
			cs = cd
			setSat(&cs, t)
			setLum(&cs, l, sa*da)
		case Color:
			setLum(&cs, lum(&cd), sa*da)
		default:
			l := lum(&cs)
			cs = cd
			setLum(&cs, l, sa*da)
		}
		v += uint64(cs[0]) | uint64(cs[2])<<16 | uint64(cs[1])<<32 | uint64(sa*da)<<48
		binary.LittleEndian.PutUint32(dst, pixelOf(over255(v)))
	}
}

// lum is the luminosity in hundredths.
func lum(c *[3]int64) int64 { return 30*c[0] + 59*c[1] + 11*c[2] }

func sat(c *[3]int64) int64 { return max(c[0], c[1], c[2]) - min(c[0], c[1], c[2]) }

// setLum gives c the luminosity l, in hundredths, and keeps it within 0 to most.
func setLum(c *[3]int64, l, most int64) {
	// Rounded; what that leaves is a part of 65 025.
	d := (l - lum(c) + 100*most + 50) / 100
	d -= most
	l = (l + 50) / 100
	r, g, b := c[0]+d, c[1]+d, c[2]+d
	lo, hi := min(r, g, b), max(r, g, b)
	// ClipColor. Factors are below 1, in 1<<24.
	const one = 1 << 24
	if lo < 0 && l > lo {
		k := l * one / (l - lo)
		r, g, b = l+(r-l)*k/one, l+(g-l)*k/one, l+(b-l)*k/one
	}
	if hi > most && hi > l {
		k := (most - l) * one / (hi - l)
		r, g, b = l+(r-l)*k/one, l+(g-l)*k/one, l+(b-l)*k/one
	}
	c[0], c[1], c[2] = min(max(r, 0), most), min(max(g, 0), most), min(max(b, 0), most)
}

// setSat spreads c from 0 to s.
func setSat(c *[3]int64, s int64) {
	lo, hi := min(c[0], c[1], c[2]), max(c[0], c[1], c[2])
	if hi <= lo {
		*c = [3]int64{}
		return
	}
	const one = 1 << 24
	k := s * one / (hi - lo)
	for i := range c {
		c[i] = (c[i] - lo) * k / one
	}
}
