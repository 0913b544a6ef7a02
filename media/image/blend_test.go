package image

import (
	"math"
	"math/rand/v2"
	"testing"
)

// blendReference is the text of the W3C recommendation in floating point: s and d are
// straight, the result is premultiplied, all from 0 to 1.
func blendReference(m BlendMode, s, d [4]float64) [4]float64 {
	sa, da := s[3], d[3]
	var fs, fd float64 = 1, 1 - sa
	switch m {
	case SourceIn:
		fs, fd = da, 0
	case SourceOut:
		fs, fd = 1-da, 0
	case SourceAtop:
		fs, fd = da, 1-sa
	case DestinationOver:
		fs, fd = 1-da, 1
	case DestinationIn:
		fs, fd = 0, sa
	case DestinationOut:
		fs, fd = 0, 1-sa
	case DestinationAtop:
		fs, fd = 1-da, sa
	case Xor:
		fs, fd = 1-da, 1-sa
	case Copy:
		fs, fd = 1, 0
	case Lighter:
		fs, fd = 1, 1
	}
	var cs = [3]float64{s[0], s[1], s[2]}
	if m >= Multiply {
		cb := [3]float64{d[0], d[1], d[2]}
		var b [3]float64
		switch m {
		case Hue:
			b = setLumReference(setSatReference(cs, satReference(cb)), lumReference(cb))
		case Saturation:
			b = setLumReference(setSatReference(cb, satReference(cs)), lumReference(cb))
		case Color:
			b = setLumReference(cs, lumReference(cb))
		case Luminosity:
			b = setLumReference(cb, lumReference(cs))
		default:
			for i := range b {
				b[i] = separableReference(m, cb[i], cs[i])
			}
		}
		for i := range cs {
			cs[i] = (1-da)*cs[i] + da*b[i]
		}
	}
	var out [4]float64
	for i := range 3 {
		out[i] = min(fs*sa*cs[i]+fd*da*d[i], 1)
	}
	out[3] = min(fs*sa+fd*da, 1)
	return out
}

func lumReference(c [3]float64) float64 { return 0.3*c[0] + 0.59*c[1] + 0.11*c[2] }

func satReference(c [3]float64) float64 { return max(c[0], c[1], c[2]) - min(c[0], c[1], c[2]) }

func setLumReference(c [3]float64, l float64) [3]float64 {
	d := l - lumReference(c)
	for i := range c {
		c[i] += d
	}
	// ClipColor
	l = lumReference(c)
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

func setSatReference(c [3]float64, s float64) [3]float64 {
	lo, hi := min(c[0], c[1], c[2]), max(c[0], c[1], c[2])
	if hi <= lo {
		return [3]float64{}
	}
	for i := range c {
		c[i] = (c[i] - lo) * s / (hi - lo)
	}
	return c
}

func separableReference(m BlendMode, b, s float64) float64 {
	hard := func(b, s float64) float64 {
		if s <= 0.5 {
			return 2 * b * s
		}
		return b + (2*s - 1) - b*(2*s-1)
	}
	switch m {
	case Multiply:
		return b * s
	case Screen:
		return b + s - b*s
	case Overlay:
		return hard(s, b)
	case Darken:
		return min(b, s)
	case Lighten:
		return max(b, s)
	case ColorDodge:
		if b == 0 {
			return 0
		} else if s >= 1 {
			return 1
		}
		return min(1, b/(1-s))
	case ColorBurn:
		if b >= 1 {
			return 1
		} else if s <= 0 {
			return 0
		}
		return 1 - min(1, (1-b)/s)
	case HardLight:
		return hard(b, s)
	case SoftLight:
		if s <= 0.5 {
			return b - (1-2*s)*b*(1-b)
		}
		g := math.Sqrt(b)
		if b <= 0.25 {
			g = ((16*b-12)*b + 4) * b
		}
		return b + (2*s-1)*(g-b)
	case Difference:
		return math.Abs(b - s)
	}
	return b + s - 2*b*s // exclusion
}

func TestBlendModesAreTheRecommendations(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	levels := []byte{0, 1, 64, 127, 128, 200, 254, 255}
	pick := func() byte {
		if r.IntN(3) == 0 {
			return byte(r.Uint32())
		}
		return levels[r.IntN(len(levels))]
	}
	for m := range BlendMode(len(blendNames)) {
		t.Run(m.String(), func(t *testing.T) {
			for range 20000 {
				var s, d [4]byte
				s[3], d[3] = pick(), pick()
				for c := range 3 {
					s[c], d[c] = min(pick(), s[3]), min(pick(), d[3])
				}
				straight := func(p [4]byte) (f [4]float64) {
					f[3] = float64(p[3]) / 255
					for c := range 3 {
						if p[3] > 0 {
							f[c] = float64(p[c]) / float64(p[3])
						}
					}
					return f
				}
				want := blendReference(m, straight(s), straight(d))
				got := d
				m.Blend(got[:], s[:], 255)
				for c := range 4 {
					// One for each of two rounded products.
					if math.Abs(float64(got[c])-want[c]*255) > 1.01 {
						t.Fatalf("%v on %v: got %v, want %.1f", s, d, got, [4]float64{want[0] * 255, want[1] * 255, want[2] * 255, want[3] * 255})
					}
					if got[c] > got[3] {
						t.Fatalf("%v on %v: %v is lighter than its alpha allows", s, d, got)
					}
				}
			}
		})
	}
}

func TestOpacityMultipliesTheSource(t *testing.T) {
	// White at one half on black.
	d := []byte{0, 0, 0, 255}
	SourceOver.Blend(d, []byte{255, 255, 255, 255}, 128)
	if d[0] != 128 || d[3] != 255 {
		t.Errorf("got %v", d)
	}
	d = []byte{10, 20, 30, 255}
	Copy.Blend(d, []byte{255, 255, 255, 255}, 0)
	if d != nil && (d[0] != 0 || d[3] != 0) {
		t.Errorf("copy at opacity 0 leaves %v", d)
	}
}

func TestBlendNames(t *testing.T) {
	if len(blendNames) != 26 {
		t.Fatalf("%d modes", len(blendNames))
	}
	for m := range BlendMode(26) {
		if got, ok := ParseBlendMode(m.String()); !ok || got != m {
			t.Errorf("%v does not parse", m)
		}
	}
	if _, ok := ParseBlendMode("plus-lighter"); ok {
		t.Error("plus-lighter parses")
	}
}
