package jpeg

import (
	"bytes"
	"context"
	"image"
	"image/color"
	stdjpeg "image/jpeg"
	"math"
	"math/rand/v2"
	"testing"
)

// photo is a picture with what photographs have: gradients, edges, noise.
func photo(w, h int, seed uint64) *image.RGBA {
	r := rand.New(rand.NewPCG(seed, 7))
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	var waves [12][4]float64
	for i := range waves {
		f := math.Pow(2, float64(i)*0.7)
		waves[i] = [4]float64{r.Float64() * f, r.Float64() * f, r.Float64() * 6.28, 60 / math.Pow(f, 0.6)}
	}
	for y := range h {
		for x := range w {
			v := 128.0
			for _, k := range waves {
				v += k[3] * math.Sin(6.28*(k[0]*float64(x)/float64(w)+k[1]*float64(y)/float64(h))+k[2]) * 0.5
			}
			if (x/37+y/53)%7 == 0 {
				v = 255 - v
			}
			n := r.NormFloat64() * 4
			c := func(f float64) uint8 { return uint8(min(max(f+n, 0), 255)) }
			m.SetRGBA(x, y, color.RGBA{c(v), c(v*0.8 + float64(x)*40/float64(w)), c(220 - v*0.7), 255})
		}
	}
	return m
}

func encode(t testing.TB, m image.Image, quality int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := stdjpeg.Encode(&b, m, &stdjpeg.Options{Quality: quality}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPlanesAreTheStandardDecodersWithinOne(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {8, 8}, {17, 9}, {64, 48}, {333, 251}} {
		for _, q := range []int{5, 50, 90, 100} {
			data := encode(t, photo(size[0], size[1], 1), q)
			got, err := Decode(context.Background(), data, 1, Limits{})
			if err != nil {
				t.Fatalf("%v at quality %d: %v", size, q, err)
			}
			std, err := stdjpeg.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			want := std.(*image.YCbCr)
			for i, p := range []struct {
				pix    []byte
				stride int
			}{{want.Y, want.YStride}, {want.Cb, want.CStride}, {want.Cr, want.CStride}} {
				g := got.Planes[i]
				for y := range g.Height {
					for x := range g.Width {
						if a, b := int(g.Pix[y*g.Stride+x]), int(p.pix[y*p.stride+x]); a-b > 1 || b-a > 1 {
							t.Fatalf("%v at quality %d: plane %d at %d,%d is %d, the standard decoder's %d", size, q, i, x, y, a, b)
						}
					}
				}
			}
		}
	}
}

// TestCoefficientsBehindThoseThatAreKeptArePassedOver reads random bits, also by tables that
// no encoder makes, with and without passing over.
func TestCoefficientsBehindThoseThatAreKeptArePassedOver(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	good := decoder{data: encode(t, photo(64, 64, 2), 90), scale: 1}
	if err := good.header(); err != nil {
		t.Fatal(err)
	}
	for {
		m, body, err := good.segment()
		if err != nil {
			t.Fatal(err)
		}
		if m == mSOS {
			break
		}
		if err := good.marker(m, body); err != nil {
			t.Fatal(err)
		}
	}
	table := func(symbols ...byte) *huffTable {
		// Codes of 1, 2, 3 … bits.
		counts := make([]byte, 16)
		for i := range symbols {
			counts[i] = 1
		}
		h, err := newHuffTable(counts, symbols, false)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	dc := good.huff[0][0]
	if dc == nil || good.huff[1][0] == nil {
		t.Fatal("no tables")
	}
	rows := []struct {
		name string
		ac   *huffTable
	}{
		{"luma", good.huff[1][0]},
		{"chroma", good.huff[1][1]},
		{"runs of sixteen in a bit", table(0xF0, 0x00, 0x11)},
		{"runs of fifteen", table(0xF1, 0x01, 0x00)},
		{"ends that are none in a sequential file", table(0x01, 0x30, 0x02)},
		{"values of fifteen bits", table(0x0F, 0x3F, 0x00, 0x01)},
	}
	q := good.quant[0]
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			ends, fails := 0, 0
			for range 20000 {
				b := make([]byte, 2*padding)
				for i := range b {
					b[i] = byte(r.Uint32())
				}
				for _, keep := range []int{0, 4, 24} {
					all, some := bits{b: b}, bits{b: b}
					var want, got [64]int32
					var p1, p2 int32
					_, err1 := all.block(dc, row.ac, &q, &p1, &want, 63)
					last, err2 := some.block(dc, row.ac, &q, &p2, &got, keep)
					if err1 != err2 || p1 != p2 {
						t.Fatalf("keep %d: error %v and mean %d, want %v and %d", keep, err2, p2, err1, p1)
					}
					if err1 != nil {
						fails++
						continue
					}
					ends++
					if all.pos != some.pos {
						t.Fatalf("keep %d: it ends at bit %d, want %d", keep, some.pos, all.pos)
					}
					lastWant := 0
					for k := range 64 {
						v := want[unzig[k]]
						if k > 0 && k <= keep && v != 0 {
							lastWant = k
						}
						if k <= keep && got[unzig[k]] != v {
							t.Fatalf("keep %d: coefficient %d is %d, want %d", keep, k, got[unzig[k]], v)
						}
					}
					if last < lastWant {
						t.Fatalf("keep %d: the last is %d, want %d", keep, last, lastWant)
					}
				}
			}
			if ends == 0 {
				t.Errorf("no block ended, %d failed", fails)
			}
		})
	}
}

func benchFile(b *testing.B) []byte {
	b.Helper()
	return encode(b, photo(4000, 3000, 3), 90)
}

func BenchmarkDecode12MP(b *testing.B) {
	data := benchFile(b)
	b.Logf("%d bytes", len(data))
	b.Run("standard", func(b *testing.B) {
		for b.Loop() {
			if _, err := stdjpeg.Decode(bytes.NewReader(data)); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, scale := range []int{1, 2, 4, 8} {
		b.Run(string(rune('0'+scale)), func(b *testing.B) {
			for b.Loop() {
				if _, err := Decode(context.Background(), data, scale, Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
