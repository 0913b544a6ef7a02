package oracle

import (
	"encoding/binary"
	"math"
)

// A space is an RGB colour space as a profile has it: what its primaries are under D50, and
// a power for its curve, or that of sRGB.
type space struct {
	columns [9]float64 // X, Y and Z of red, of green, of blue
	gamma   float64    // 0: the curve of sRGB
}

// The columns are those of the profiles that the ICC, Apple and Adobe publish.
var (
	sRGB      = space{[9]float64{.43607, .22249, .01392, .38515, .71687, .09708, .14307, .06061, .71410}, 0}
	displayP3 = space{[9]float64{.51512, .24120, -.00105, .29198, .69225, .04189, .15710, .06657, .78407}, 0}
	adobeRGB  = space{[9]float64{.60974, .31111, .01947, .20528, .62567, .06087, .14919, .06322, .74457}, 563.0 / 256}
)

func (s space) profile() []byte {
	fixed := func(v ...float64) (b []byte) {
		for _, x := range v {
			b = binary.BigEndian.AppendUint32(b, uint32(int32(math.Round(x*65536))))
		}
		return b
	}
	curve := append([]byte("para\x00\x00\x00\x00\x00\x03\x00\x00"), fixed(2.4, 1/1.055, 0.055/1.055, 1/12.92, 0.04045)...)
	if s.gamma != 0 {
		curve = append([]byte("para\x00\x00\x00\x00\x00\x00\x00\x00"), fixed(s.gamma)...)
	}
	tags := []struct {
		name string
		data []byte
	}{{"wtpt", append([]byte("XYZ \x00\x00\x00\x00"), fixed(.9642, 1, .8249)...)}}
	text := func(s string) []byte {
		b := []byte("mluc\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x0cenUS")
		b = binary.BigEndian.AppendUint32(b, uint32(2*len(s)))
		b = binary.BigEndian.AppendUint32(b, 28)
		for _, c := range s {
			b = binary.BigEndian.AppendUint16(b, uint16(c))
		}
		return b
	}
	for i, c := range []string{"r", "g", "b"} {
		tags = append(tags, struct {
			name string
			data []byte
		}{c + "XYZ", append([]byte("XYZ \x00\x00\x00\x00"), fixed(s.columns[3*i:3*i+3]...)...)}, struct {
			name string
			data []byte
		}{c + "TRC", curve})
	}
	tags = append(tags, struct {
		name string
		data []byte
	}{"desc", text("test")}, struct {
		name string
		data []byte
	}{"cprt", text("none")})
	head := make([]byte, 128)
	copy(head[8:], "\x04\x30\x00\x00mntrRGB XYZ ")
	copy(head[36:], "acsp")
	copy(head[68:], fixed(.9642, 1, .8249))
	icc := binary.BigEndian.AppendUint32(head, uint32(len(tags)))
	at := 132 + 12*len(tags)
	var body []byte
	for _, t := range tags {
		icc = append(icc, t.name...)
		icc = binary.BigEndian.AppendUint32(icc, uint32(at+len(body)))
		icc = binary.BigEndian.AppendUint32(icc, uint32(len(t.data)))
		body = append(body, t.data...)
		for len(body)%4 != 0 {
			body = append(body, 0)
		}
	}
	icc = append(icc, body...)
	binary.BigEndian.PutUint32(icc, uint32(len(icc)))
	return icc
}
