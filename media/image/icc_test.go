package image

import (
	"context"
	"encoding/binary"
	"math"
	"testing"
)

// A space is an RGB colour space by its definition.
type space struct {
	primaries [3][2]float64
	white     [2]float64
	curve     []byte // the tag
	decode    func(float64) float64
}

var d65 = [2]float64{0.3127, 0.3290}

func be32(v ...int64) (b []byte) {
	for _, x := range v {
		b = binary.BigEndian.AppendUint32(b, uint32(x))
	}
	return b
}

func fixed(v ...float64) (b []byte) {
	for _, x := range v {
		b = append(b, be32(int64(math.Round(x*65536)))...)
	}
	return b
}

func paraTag(kind int64, v ...float64) []byte {
	return append(append([]byte("para\x00\x00\x00\x00"), be32(kind<<16)...), fixed(v...)...)
}

func gammaTag(g float64) []byte {
	return append([]byte("curv\x00\x00\x00\x00\x00\x00\x00\x01"), byte(int(g*256)>>8), byte(int(g*256)))
}

func srgbCurve(x float64) float64 {
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

func srgbEncode(x float64) float64 {
	x = min(max(x, 0), 1)
	if x <= 0.0031308 {
		return 12.92 * x
	}
	return 1.055*math.Pow(x, 1/2.4) - 0.055
}

var srgbTag = paraTag(3, 2.4, 1/1.055, 0.055/1.055, 1/12.92, 0.04045)

func tableTag(n int, f func(float64) float64) []byte {
	b := append([]byte("curv\x00\x00\x00\x00"), be32(int64(n))...)
	for i := range n {
		b = binary.BigEndian.AppendUint16(b, uint16(math.Round(65535*f(float64(i)/float64(n-1)))))
	}
	return b
}

var spaces = map[string]space{
	"sRGB":                   {[3][2]float64{{.64, .33}, {.30, .60}, {.15, .06}}, d65, srgbTag, srgbCurve},
	"sRGB by a table":        {[3][2]float64{{.64, .33}, {.30, .60}, {.15, .06}}, d65, tableTag(1024, srgbCurve), srgbCurve},
	"Display P3":             {[3][2]float64{{.680, .320}, {.265, .690}, {.150, .060}}, d65, srgbTag, srgbCurve},
	"Adobe RGB":              {[3][2]float64{{.64, .33}, {.21, .71}, {.15, .06}}, d65, gammaTag(2.19921875), func(x float64) float64 { return math.Pow(x, 2.19921875) }},
	"ProPhoto":               {[3][2]float64{{.7347, .2653}, {.1596, .8404}, {.0366, .0001}}, [2]float64{.3457, .3585}, gammaTag(1.80078125), func(x float64) float64 { return math.Pow(x, 1.80078125) }},
	"sRGB primaries, linear": {[3][2]float64{{.64, .33}, {.30, .60}, {.15, .06}}, d65, append([]byte("curv"), make([]byte, 8)...), func(x float64) float64 { return x }},
	"para 4": {[3][2]float64{{.64, .33}, {.30, .60}, {.15, .06}}, d65, paraTag(4, 2, .9, .1, .05, .2, 0, 0), func(x float64) float64 {
		if x >= .2 {
			return (.9*x + .1) * (.9*x + .1)
		}
		return .05 * x
	}},
	"para 2": {[3][2]float64{{.64, .33}, {.30, .60}, {.15, .06}}, d65, paraTag(2, 2, 1.2, -.3, .04), func(x float64) float64 {
		if x >= .25 {
			return (1.2*x-.3)*(1.2*x-.3) + .04
		}
		return .04
	}},
}

type mat [3][3]float64

func (a mat) mul(b mat) (c mat) {
	for i := range 3 {
		for k := range 3 {
			for n := range 3 {
				c[i][k] += a[i][n] * b[n][k]
			}
		}
	}
	return c
}

func (a mat) vec(v [3]float64) (r [3]float64) {
	for i := range 3 {
		for k := range 3 {
			r[i] += a[i][k] * v[k]
		}
	}
	return r
}

func (a mat) inverse() (r mat) {
	det := 0.0
	for i := range 3 {
		det += a[0][i] * (a[1][(i+1)%3]*a[2][(i+2)%3] - a[1][(i+2)%3]*a[2][(i+1)%3])
	}
	for i := range 3 {
		for k := range 3 {
			r[k][i] = (a[(i+1)%3][(k+1)%3]*a[(i+2)%3][(k+2)%3] - a[(i+1)%3][(k+2)%3]*a[(i+2)%3][(k+1)%3]) / det
		}
	}
	return r
}

func xyz(c [2]float64) [3]float64 { return [3]float64{c[0] / c[1], 1, (1 - c[0] - c[1]) / c[1]} }

// toD50 are the columns of a matrix profile: primaries that add up to white, adapted to D50
// by the Bradford transform.
func (s space) toD50() mat {
	var p mat
	for i, c := range s.primaries {
		v := xyz(c)
		for k := range 3 {
			p[k][i] = v[k]
		}
	}
	w := xyz(s.white)
	scale := p.inverse().vec(w)
	for i := range 3 {
		for k := range 3 {
			p[k][i] *= scale[i]
		}
	}
	b := mat{{.8951, .2664, -.1614}, {-.7502, 1.7135, .0367}, {.0389, -.0685, 1.0296}}
	from, to := b.vec(w), b.vec([3]float64{.9642, 1, .8249})
	var d mat
	for i := range 3 {
		d[i][i] = to[i] / from[i]
	}
	return b.inverse().mul(d).mul(b).mul(p)
}

// build writes a profile.
func build(space, pcs string, tags map[string][]byte) []byte {
	head := make([]byte, 128)
	copy(head[8:], "\x04\x30\x00\x00mntr"+space+pcs)
	copy(head[36:], "acsp")
	table, body := be32(int64(len(tags))), []byte{}
	for name, tag := range tags {
		table = append(append(table, name...), be32(int64(132+12*len(tags)+len(body)), int64(len(tag)))...)
		body = append(body, tag...)
		for len(body)%4 != 0 {
			body = append(body, 0)
		}
	}
	icc := append(append(head, table...), body...)
	binary.BigEndian.PutUint32(icc, uint32(len(icc)))
	return icc
}

func (s space) profile() []byte {
	m := s.toD50()
	tags := map[string][]byte{}
	for i, c := range []string{"r", "g", "b"} {
		tags[c+"TRC"] = s.curve
		tags[c+"XYZ"] = append([]byte("XYZ \x00\x00\x00\x00"), fixed(m[0][i], m[1][i], m[2][i])...)
	}
	return build("RGB ", "XYZ ", tags)
}

func TestProfilesAreConverted(t *testing.T) {
	toLinear := spaces["sRGB"].toD50().inverse()
	for i, v := range xyzToSRGB {
		if math.Abs(v-toLinear[i/3][i%3]) > 1e-6 {
			t.Errorf("xyzToSRGB[%d] is %v, by the definition %v", i, v, toLinear[i/3][i%3])
		}
	}
	for name, s := range spaces {
		c, use := NewConversion(s.profile())
		if name == "sRGB" || name == "sRGB by a table" {
			if c != nil || use != ProfileSRGB {
				t.Errorf("%s: %q", name, use)
			}
			continue
		}
		if use != ProfileConverted {
			t.Errorf("%s: %q", name, use)
			continue
		}
		m := toLinear.mul(s.toD50())
		worst := 0.0
		for i := range 6 * 6 * 6 {
			in := [3]uint8{uint8(i % 6 * 51), uint8(i / 6 % 6 * 51), uint8(i / 36 * 51)}
			var v [3]float64
			for k := range 3 {
				v[k] = s.decode(float64(in[k]) / 255)
			}
			px := solid(2, 1, [4]uint8{in[0], in[1], in[2], 255})
			if err := c.Apply(context.Background(), px); err != nil {
				t.Fatal(err)
			}
			for k, x := range m.vec(v) {
				worst = max(worst, math.Abs(255*srgbEncode(x)-float64(px.Pix[4+k])))
			}
		}
		if worst > 1 {
			t.Errorf("%s: off by %.2f levels", name, worst)
		}
	}
}

func TestConversionKeepsAlpha(t *testing.T) {
	c, _ := NewConversion(spaces["Adobe RGB"].profile())
	s := solid(1, 1, [4]uint8{200, 100, 50, 128})
	solidOne := solid(1, 1, [4]uint8{200, 100, 50, 255})
	for _, s := range []*Surface{s, solidOne} {
		if err := c.Apply(context.Background(), s); err != nil {
			t.Fatal(err)
		}
	}
	for k := range 3 {
		if want := int(solidOne.Pix[k]) * 128 / 255; s.Pix[3] != 128 || int(s.Pix[k])-want > 2 || want-int(s.Pix[k]) > 2 {
			t.Errorf("got %v, opaque %v", s.Pix, solidOne.Pix)
		}
	}
}

func TestGrayProfiles(t *testing.T) {
	c, use := NewConversion(build("GRAY", "XYZ ", map[string][]byte{"kTRC": gammaTag(1)}))
	if use != ProfileConverted {
		t.Fatal(use)
	}
	s := solid(1, 1, [4]uint8{55, 55, 55, 255})
	if err := c.Apply(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	if want := byte(math.Round(255 * srgbEncode(55.0/255))); s.Pix[0] < want-1 || s.Pix[0] > want+1 || s.Pix[1] != s.Pix[0] {
		t.Errorf("got %v, want %d", s.Pix, want)
	}
	s = solid(1, 1, [4]uint8{55, 56, 55, 255})
	if err := c.Apply(context.Background(), s); err != nil || at(s, 0, 0) != [4]byte{55, 56, 55, 255} {
		t.Errorf("a colour by a profile of gray: %v, %v", s.Pix, err)
	}
	if _, use := NewConversion(build("GRAY", "Lab ", map[string][]byte{"kTRC": srgbTag})); use != ProfileSRGB {
		t.Error(use)
	}
}

func TestProfilesThatAreNotApplied(t *testing.T) {
	good := spaces["Display P3"].profile()
	cut := func(n int) []byte { return good[:n] }
	broken := map[string][]byte{
		"CMYK":                   build("CMYK", "Lab ", map[string][]byte{"A2B0": make([]byte, 100)}),
		"RGB by a table of Lab":  build("RGB ", "Lab ", map[string][]byte{"A2B0": make([]byte, 100)}),
		"RGB without curves":     build("RGB ", "XYZ ", nil),
		"GRAY without a curve":   build("GRAY", "XYZ ", nil),
		"an unknown curve":       build("GRAY", "XYZ ", map[string][]byte{"kTRC": []byte("xxxx00000000")}),
		"an unknown formula":     build("GRAY", "XYZ ", map[string][]byte{"kTRC": paraTag(5, 1, 1, 1, 1, 1, 1, 1)}),
		"a curve without values": build("GRAY", "XYZ ", map[string][]byte{"kTRC": append([]byte("curv\x00\x00\x00\x00"), be32(math.MaxUint32)...)}),
		"a formula cut short":    build("GRAY", "XYZ ", map[string][]byte{"kTRC": paraTag(4, 1, 1)}),
		"a division by zero":     build("GRAY", "XYZ ", map[string][]byte{"kTRC": paraTag(1, -1, 0, 0)}),
		"a few bytes":            cut(20),
		"no tags":                cut(132),
		"a byte too much":        make([]byte, MaxProfile+1),
	}
	for name, icc := range broken {
		if c, use := NewConversion(icc); c != nil && name != "a division by zero" || use == ProfileNone || use == ProfileSRGB {
			t.Errorf("%s: %v, %q", name, c, use)
		}
	}
	if _, use := NewConversion(nil); use != ProfileNone {
		t.Error(use)
	}
}

func FuzzProfile(f *testing.F) {
	for _, s := range spaces {
		f.Add(s.profile())
	}
	f.Add(build("GRAY", "XYZ ", map[string][]byte{"kTRC": gammaTag(2)}))
	f.Fuzz(func(t *testing.T, icc []byte) {
		c, use := NewConversion(icc)
		if (c != nil) != (use == ProfileConverted) {
			t.Fatal(use)
		}
		ProfileName(icc)
		if c != nil {
			s := noise(5, 3, 1)
			if err := c.Apply(context.Background(), s); err != nil {
				t.Fatal(err)
			}
			for i := 0; i < len(s.Pix); i += 4 {
				if max(s.Pix[i], s.Pix[i+1], s.Pix[i+2]) > s.Pix[i+3] {
					t.Fatal("a colour is lighter than its alpha")
				}
			}
		}
	})
}
