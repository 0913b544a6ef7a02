package image

import (
	"bytes"
	"context"
	stdimage "image"
	"image/color"
	stdpng "image/png"
	"math/rand/v2"
	"testing"
)

// colours is a picture of n different colours.
func colours(w, h, n int, alpha bool) *Surface {
	s := New(w, h)
	r := rand.New(rand.NewPCG(uint64(n), 1))
	list := make([][4]byte, n)
	for i := range list {
		list[i] = [4]byte{byte(i * 7), byte(i >> 3 * 31), byte(255 - i), 255}
		if alpha && i%3 == 0 {
			list[i][3] = byte(40 + i%200)
		}
		Premultiply(list[i][:])
	}
	for i := 0; i < len(s.Pix); i += 4 {
		copy(s.Pix[i:], list[r.IntN(n)][:])
	}
	return s
}

func TestPNGIsWrittenWithTheSmallestColourType(t *testing.T) {
	gray := func(alpha bool) *Surface {
		s := New(70, 50)
		for i := 0; i < len(s.Pix); i += 4 {
			a := byte(255)
			if alpha {
				a = byte(i / 4 % 255)
			}
			p := [4]byte{byte(i / 4 * 7), byte(i / 4 * 7), byte(i / 4 * 7), a}
			Premultiply(p[:])
			copy(s.Pix[i:], p[:])
		}
		return s
	}
	opaque := noise(70, 50, 8)
	for i := 3; i < len(opaque.Pix); i += 4 {
		opaque.Pix[i] = 255
	}
	rows := []struct {
		name          string
		s             *Surface
		depth, colour byte
	}{
		{"one colour", colours(33, 9, 1, false), 1, 3},
		{"two colours", colours(33, 9, 2, true), 1, 3},
		{"three colours", colours(33, 9, 3, true), 2, 3},
		{"sixteen colours", colours(33, 9, 16, true), 4, 3},
		{"seventeen colours", colours(67, 50, 17, true), 8, 3},
		{"256 colours", colours(120, 100, 256, false), 8, 3},
		{"more greys than a palette has, with alpha", gray(true), 8, 4},
		{"many colours", opaque, 8, 2},
		{"many colours with alpha", noise(70, 50, 3), 8, 6},
		{"a single transparent pixel", New(1, 1), 1, 3},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			data, err := FromSurface(row.s).Encode(context.Background(), PNG, [4]uint8{}, EncodeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if data[24] != row.depth || data[25] != row.colour {
				t.Errorf("depth %d and colour type %d, want %d and %d", data[24], data[25], row.depth, row.colour)
			}
			m, err := stdpng.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			want := make([]byte, len(row.s.Pix))
			row.s.Straight(want)
			for y := range row.s.Height {
				for x := range row.s.Width {
					c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
					if p := want[4*(y*row.s.Width+x):]; c.A != p[3] || c.A != 0 && (c.R != p[0] || c.G != p[1] || c.B != p[2]) {
						t.Fatalf("%d,%d: got %v, want %v", x, y, c, p[:4])
					}
				}
			}
		})
	}
}

func TestPNGFromOtherEncodersDecodes(t *testing.T) {
	r := stdimage.Rect(0, 0, 37, 21)
	var pictures []stdimage.Image
	gray16, nrgba64, paletted := stdimage.NewGray16(r), stdimage.NewNRGBA64(r), stdimage.NewPaletted(r, color.Palette{color.RGBA{255, 0, 0, 255}, color.NRGBA{0, 255, 0, 100}, color.Transparent})
	for y := range 21 {
		for x := range 37 {
			gray16.SetGray16(x, y, color.Gray16{uint16(x*1771 + y*3)})
			nrgba64.SetNRGBA64(x, y, color.NRGBA64{uint16(x * 1771), uint16(y * 3120), 40000, uint16(65535 - x*900)})
			paletted.SetColorIndex(x, y, uint8((x+y)%3))
		}
	}
	pictures = append(pictures, gray16, nrgba64, paletted, scene(37, 21))
	for _, m := range pictures {
		var b bytes.Buffer
		if err := stdpng.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		p, err := Open(b.Bytes(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, deep := m.(*stdimage.NRGBA64); deep && (p.Info.Depth != 16 || !p.Info.Alpha) {
			t.Errorf("got %+v", p.Info)
		}
		s, err := p.Surface(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for y := range 21 {
			for x := range 37 {
				r, g, b, a := m.At(x, y).RGBA()
				got := at(s, x, y)
				for c, want := range []uint32{r, g, b, a} {
					if d := float64(got[c]) - float64(want)*255/65535; d > 1.6 || d < -1.6 { // rounded to 8 bits, and then by alpha
						t.Fatalf("%T at %d,%d: got %v, want %v", m, x, y, got, []uint32{r >> 8, g >> 8, b >> 8, a >> 8})
					}
				}
			}
		}
	}
}

func TestPNGBandsAreOneStream(t *testing.T) {
	// More than two bands.
	s := noise(700, 900, 5)
	data, err := FromSurface(s).Encode(context.Background(), PNG, [4]uint8{}, EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Open(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Surface(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if e := meanError(t, got, s); e > 0.3 { // to straight colours and back
		t.Errorf("mean error %.2f", e)
	}
}

func BenchmarkPNG(b *testing.B) {
	m := scene(2000, 1500)
	s := &Surface{2000, 1500, m.Pix}
	b.Run("encode", func(b *testing.B) {
		n := 0
		for b.Loop() {
			data, err := encodePNG(context.Background(), s, EncodeOptions{})
			if err != nil {
				b.Fatal(err)
			}
			n = len(data)
		}
		b.ReportMetric(float64(n), "bytes")
	})
	b.Run("encode standard", func(b *testing.B) {
		n := 0
		for b.Loop() {
			var buf bytes.Buffer
			stdpng.Encode(&buf, m)
			n = buf.Len()
		}
		b.ReportMetric(float64(n), "bytes")
	})
	data, _ := encodePNG(context.Background(), s, EncodeOptions{})
	b.Run("decode", func(b *testing.B) {
		for b.Loop() {
			decodePNG(context.Background(), data, 0)
		}
	})
}
