package image

import (
	"context"
	"encoding/binary"
	"math"
)

// A ProfileUse is what is done about the colour profile of a file.
type ProfileUse string

// Uses of profiles.
const (
	ProfileNone      ProfileUse = ""          // there is none: sRGB is assumed
	ProfileSRGB      ProfileUse = "srgb"      // it is sRGB, or within a level of it
	ProfileConverted ProfileUse = "converted" // pixels are converted to sRGB
	ProfileIgnored   ProfileUse = "ignored"   // it is of a kind that is not applied; sRGB is assumed
)

// MaxProfile is the size from which a profile is ignored, in bytes.
const MaxProfile = 4 << 20

// A Conversion takes colours of a profile to sRGB. It is safe for concurrent use.
type Conversion struct {
	gray   bool
	curves [3][256]float32 // linear light of a sample, 0 to 1
	matrix [9]float32      // linear light of the profile to that of sRGB
}

// NewConversion reads a profile (ICC.1:2022) that is made of a curve for each channel and a
// matrix, or of one curve of gray, of version 2 or 4. Others, with tables of more dimensions
// or for inks, are ProfileIgnored. The conversion is nil where none is needed or possible.
//
// Colours are taken as they are measured relative to white, and those outside of sRGB are
// cut off channel by channel.
func NewConversion(icc []byte) (*Conversion, ProfileUse) {
	if len(icc) == 0 {
		return nil, ProfileNone
	}
	if len(icc) < 132 || len(icc) > MaxProfile || string(icc[36:40]) != "acsp" {
		return nil, ProfileIgnored
	}
	p := profile(icc)
	c := &Conversion{}
	switch space, pcs := string(icc[16:20]), string(icc[20:24]); {
	case space == "GRAY":
		c.gray = true
		if !readCurve(p.tag("kTRC"), &c.curves[0]) {
			return nil, ProfileIgnored
		}
		c.curves[1], c.curves[2] = c.curves[0], c.curves[0]
		c.matrix = [9]float32{1, 0, 0, 0, 1, 0, 0, 0, 1}
	case space == "RGB " && pcs == "XYZ ":
		var m [9]float64
		for i, name := range [3]string{"r", "g", "b"} {
			if !readCurve(p.tag(name+"TRC"), &c.curves[i]) || !readXYZ(p.tag(name+"XYZ"), m[i:]) {
				return nil, ProfileIgnored
			}
		}
		for i := range 3 {
			for k := range 3 {
				for n := range 3 {
					c.matrix[3*i+k] += float32(xyzToSRGB[3*i+n] * m[3*n+k])
				}
			}
		}
	default:
		return nil, ProfileIgnored
	}
	if c.identity() {
		return nil, ProfileSRGB
	}
	return c, ProfileConverted
}

// xyzToSRGB takes colours of the profile connection space, whose white is D50, to linear
// sRGB (IEC 61966-2-1, primaries and D65 white; adapted by the Bradford matrix of
// ICC.1:2022, annex E).
var xyzToSRGB = [9]float64{
	3.1341864, -1.6172090, -0.4906941,
	-0.9787485, 1.9161301, 0.0334334,
	0.0719639, -0.2289939, 1.4057537,
}

// profile is a profile of at least 132 bytes.
type profile []byte

// tag is the content of a tag, nil without it.
func (p profile) tag(name string) []byte {
	n := int64(binary.BigEndian.Uint32(p[128:]))
	for i := range min(n, 100) {
		at := 132 + 12*i
		if at+12 > int64(len(p)) {
			break
		}
		e := p[at : at+12]
		if string(e[:4]) != name {
			continue
		}
		offset, size := int64(binary.BigEndian.Uint32(e[4:])), int64(binary.BigEndian.Uint32(e[8:]))
		if offset+size > int64(len(p)) {
			return nil
		}
		return p[offset : offset+size]
	}
	return nil
}

// s15Fixed16 is a signed number with 16 bits after the point.
func s15Fixed16(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) / 65536 }

// readXYZ reads a column into every third number of m.
func readXYZ(tag []byte, m []float64) bool {
	if len(tag) < 20 || string(tag[:4]) != "XYZ " {
		return false
	}
	for i := range 3 {
		m[3*i] = s15Fixed16(tag[8+4*i:])
	}
	return true
}

// readCurve reads a tone curve (10.6 and 10.18) for samples of 8 bits.
func readCurve(tag []byte, curve *[256]float32) bool {
	f := curveOf(tag)
	if f == nil {
		return false
	}
	for i := range curve {
		v := f(float64(i) / 255)
		if math.IsNaN(v) {
			return false
		}
		curve[i] = float32(min(max(v, 0), 1))
	}
	return true
}

func curveOf(tag []byte) func(float64) float64 {
	if len(tag) < 12 {
		return nil
	}
	switch string(tag[:4]) {
	case "curv":
		n := int64(binary.BigEndian.Uint32(tag[8:]))
		table := tag[12:]
		if n > int64(len(table)/2) {
			return nil
		}
		at := func(i int) float64 { return float64(binary.BigEndian.Uint16(table[2*i:])) }
		switch n {
		case 0:
			return func(x float64) float64 { return x }
		case 1:
			gamma := at(0) / 256
			return func(x float64) float64 { return math.Pow(x, gamma) }
		}
		return func(x float64) float64 {
			x *= float64(n - 1)
			i := min(int(x), int(n-2))
			return (at(i) + (at(i+1)-at(i))*(x-float64(i))) / 65535
		}
	case "para":
		kind := binary.BigEndian.Uint16(tag[8:])
		if kind > 4 {
			return nil
		}
		count := [5]int{1, 3, 4, 5, 7}[kind]
		if len(tag) < 12+4*count {
			return nil
		}
		// Parameters that a kind lacks leave its formula as it is.
		v := [7]float64{1: 1, 4: math.Inf(-1)}
		for i := range count {
			v[i] = s15Fixed16(tag[12+4*i:])
		}
		g, a, b, c, d, e, f := v[0], v[1], v[2], v[3], v[4], v[5], v[6]
		switch kind {
		case 1, 2:
			// (aX+b)^g + c from −b/a on, and c before.
			e, c, d = c, 0, -b/a
			f = e
		}
		return func(x float64) float64 {
			if x >= d {
				return math.Pow(max(a*x+b, 0), g) + e
			}
			return c*x + f
		}
	}
	return nil
}

// toSRGB encodes linear light of 0 to 1, in steps of 1/(len−1): at the steep dark end a step
// is a fifth of a level.
var toSRGB = func() (t [1<<14 + 1]uint8) {
	for i := range t {
		v := float64(i) / (1 << 14)
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		t[i] = uint8(255*v + 0.5)
	}
	return t
}()

func encodeSRGB(v float32) uint8 { return toSRGB[int(min(max(v, 0), 1)*(1<<14)+0.5)] }

// convert converts a straight colour.
func (c *Conversion) convert(r, g, b uint8) (uint8, uint8, uint8) {
	x, y, z := c.curves[0][r], c.curves[1][g], c.curves[2][b]
	m := &c.matrix
	return encodeSRGB(m[0]*x + m[1]*y + m[2]*z), encodeSRGB(m[3]*x + m[4]*y + m[5]*z), encodeSRGB(m[6]*x + m[7]*y + m[8]*z)
}

// identity reports whether no colour of a grid changes by more than a level.
func (c *Conversion) identity() bool {
	near := func(a, b uint8) bool { return a-b+1 <= 2 }
	for v := range 256 {
		if r, g, b := c.convert(uint8(v), uint8(v), uint8(v)); !near(r, uint8(v)) || !near(g, uint8(v)) || !near(b, uint8(v)) {
			return false
		}
	}
	if c.gray {
		return true
	}
	for i := range 9 * 9 * 9 {
		x, y, z := uint8(i%9*255/8), uint8(i/9%9*255/8), uint8(i/81*255/8)
		if r, g, b := c.convert(x, y, z); !near(r, x) || !near(g, y) || !near(b, z) {
			return false
		}
	}
	return true
}

// Apply converts s in place. A profile of gray leaves a picture with colours as it is.
func (c *Conversion) Apply(ctx context.Context, s *Surface) error {
	if c.gray {
		for i := 0; i+3 < len(s.Pix); i += 4 {
			if p := s.Pix[i : i+4 : i+4]; p[0] != p[1] || p[1] != p[2] {
				return nil
			}
		}
	}
	return bands(ctx, s.Height, 8*int64(len(s.Pix)), func(from, to int) error {
		straight := make([]byte, 4*s.Width)
		for y := from; y < to; y++ {
			if y&31 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			row := s.Row(y)
			line := Surface{s.Width, 1, row}
			line.Straight(straight)
			// Neighbours are often the same.
			var last [3]byte
			r, g, b := c.convert(0, 0, 0)
			for i := 0; i < len(row); i += 4 {
				p := straight[i : i+4 : i+4]
				if now := [3]byte(p); now != last {
					last = now
					r, g, b = c.convert(p[0], p[1], p[2])
				}
				p[0], p[1], p[2] = r, g, b
			}
			copy(row, straight)
			Premultiply(row)
		}
		return nil
	})
}
