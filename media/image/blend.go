package image

import (
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
	for i := 0; i+3 < len(src); i += 4 {
		s, d := src[i:i+4:i+4], dst[i:i+4:i+4]
		p := [4]uint32{uint32(s[0]), uint32(s[1]), uint32(s[2]), uint32(s[3])}
		if opacity != 255 {
			for c := range p {
				p[c] = muldiv255(p[c], uint32(opacity))
			}
		}
		switch {
		case m <= Xor:
			m.porterDuff(d, p)
		case p[3] == 0:
		case m < Hue:
			m.separable(d, p)
		default:
			m.nonSeparable(d, p)
		}
	}
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

// porterDuff is Fs·S + Fd·D.
func (m BlendMode) porterDuff(d []byte, s [4]uint32) {
	sa, da := s[3], uint32(d[3])
	var fs, fd uint32
	switch m {
	case SourceIn:
		fs, fd = da, 0
	case SourceOut:
		fs, fd = 255-da, 0
	case SourceAtop:
		fs, fd = da, 255-sa
	case DestinationOver:
		fs, fd = 255-da, 255
	case DestinationIn:
		fs, fd = 0, sa
	case DestinationOut:
		fs, fd = 0, 255-sa
	case DestinationAtop:
		fs, fd = 255-da, sa
	case Xor:
		fs, fd = 255-da, 255-sa
	case Copy:
		fs, fd = 255, 0
	case Lighter:
		fs, fd = 255, 255
	}
	for c := range 4 {
		d[c] = byte(min(muldiv255(s[c], fs)+muldiv255(uint32(d[c]), fd), 255))
	}
}

// separable replaces the colour by (1−αd)·Cs + αd·B(Cd, Cs) and puts it over, which in
// premultiplied terms is S·(1−αd) + D·(1−αs) + αs·αd·B.
func (m BlendMode) separable(d []byte, s [4]uint32) {
	sa, da := s[3], uint32(d[3])
	for c := range 3 {
		sc, dc := s[c], uint32(d[c])
		base := sc*(255-da) + dc*(255-sa) // in 255ths
		var b uint32                      // αs·αd·B, in 255ths
		switch m {
		case Multiply:
			b = sc * dc
		case Screen:
			b = sc*da + dc*sa - sc*dc
		case Darken:
			b = min(sc*da, dc*sa)
		case Lighten:
			b = max(sc*da, dc*sa)
		case Difference:
			b = max(sc*da, dc*sa) - min(sc*da, dc*sa)
		case Exclusion:
			b = sc*da + dc*sa - 2*sc*dc
		case HardLight:
			b = hardLight(sc, dc, sa, da)
		case Overlay:
			b = hardLight(dc, sc, da, sa)
		case ColorDodge:
			switch {
			case dc == 0:
			case sc >= sa:
				b = sa * da
			default:
				b = min(sa*da, dc*sa*sa/(sa-sc))
			}
		case ColorBurn:
			switch {
			case dc >= da:
				b = sa * da
			case sc == 0:
			default:
				b = sa*da - min(sa*da, (da-dc)*sa*sa/sc)
			}
		case SoftLight:
			b = softLight(sc, dc, sa, da)
		}
		d[c] = byte(min((base+b+127)/255, 255))
	}
	d[3] = byte(sa + muldiv255(da, 255-sa))
	for c := range 3 {
		d[c] = min(d[c], d[3])
	}
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

// nonSeparable is for the modes that take apart hue, saturation and luminosity.
func (m BlendMode) nonSeparable(d []byte, s [4]uint32) {
	sa, da := float64(s[3])/255, float64(d[3])/255
	var cs, cd [3]float64
	for c := range 3 {
		cs[c] = min(float64(s[c])/255/sa, 1)
		if da > 0 {
			cd[c] = min(float64(d[c])/255/da, 1)
		}
	}
	var b [3]float64
	switch m {
	case Hue:
		b = setLum(setSat(cs, sat(cd)), lum(cd))
	case Saturation:
		b = setLum(setSat(cd, sat(cs)), lum(cd))
	case Color:
		b = setLum(cs, lum(cd))
	default:
		b = setLum(cd, lum(cs))
	}
	ra := sa + da*(1-sa)
	for c := range 3 {
		v := cs[c]*sa*(1-da) + cd[c]*da*(1-sa) + sa*da*b[c]
		d[c] = byte(min(max(v, 0), ra)*255 + 0.5)
	}
	d[3] = byte(ra*255 + 0.5)
}

func lum(c [3]float64) float64 { return 0.3*c[0] + 0.59*c[1] + 0.11*c[2] }

func sat(c [3]float64) float64 { return max(c[0], c[1], c[2]) - min(c[0], c[1], c[2]) }

func setLum(c [3]float64, l float64) [3]float64 {
	d := l - lum(c)
	for i := range c {
		c[i] += d
	}
	// ClipColor
	l = lum(c)
	lo, hi := min(c[0], c[1], c[2]), max(c[0], c[1], c[2])
	for i := range c {
		if lo < 0 {
			c[i] = l + (c[i]-l)*l/(l-lo)
		}
	}
	for i := range c {
		if hi > 1 {
			c[i] = l + (c[i]-l)*(1-l)/(hi-l)
		}
	}
	return c
}

func setSat(c [3]float64, s float64) [3]float64 {
	lo, hi := min(c[0], c[1], c[2]), max(c[0], c[1], c[2])
	if hi <= lo {
		return [3]float64{}
	}
	for i := range c {
		c[i] = (c[i] - lo) * s / (hi - lo)
	}
	return c
}
