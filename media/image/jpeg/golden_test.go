package jpeg

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	stdjpeg "image/jpeg"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// pnm is the picture as djpeg -pnm writes it.
func pnm(im *Image) []byte {
	var b bytes.Buffer
	row := make([]byte, 4*im.Width)
	c := NewConverter(im)
	kind := 6
	if im.Model == Gray {
		kind = 5
	}
	fmt.Fprintf(&b, "P%d\n%d %d\n255\n", kind, im.Width, im.Height)
	for y := range im.Height {
		c.Row(row, y)
		for x := range im.Width {
			if kind == 5 {
				b.WriteByte(row[4*x])
			} else {
				b.Write(row[4*x : 4*x+3])
			}
		}
	}
	return b.Bytes()
}

func TestSamplesAreTheReferenceDecodersToTheBit(t *testing.T) {
	lines := strings.Fields(string(read(t, "golden.txt")))
	if len(lines) < 34 {
		t.Fatalf("%d fields of golden data", len(lines))
	}
	for i := 0; i < len(lines); i += 2 {
		t.Run(lines[i], func(t *testing.T) {
			im, err := Decode(context.Background(), read(t, lines[i]+".jpg"), 1, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprintf("%x", sha256.Sum256(pnm(im))); got != lines[i+1] {
				t.Errorf("the samples differ from the reference's")
			}
		})
	}
}

func TestFourComponentsAreTheStandardDecodersWithinThree(t *testing.T) {
	for _, name := range []string{"cmyk.jpg", "cmyk-progressive.jpg"} {
		data := read(t, name)
		im, err := Decode(context.Background(), data, 1, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		std, err := stdjpeg.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		row := make([]byte, 4*im.Width)
		c := NewConverter(im)
		for y := range im.Height {
			c.Row(row, y)
			for x := range im.Width {
				r, g, b, _ := std.At(x, y).RGBA()
				for k, want := range []uint32{r >> 8, g >> 8, b >> 8} {
					if d := int(row[4*x+k]) - int(want); d > 3 || d < -3 { // its inverse transform differs by one, blue by 1.8 times that
						t.Fatalf("%s (%v, inverted %v) at %d,%d: got %v, want %d %d %d", name, im.Model, im.Inverted, x, y, row[4*x:4*x+3], r>>8, g>>8, b>>8)
					}
				}
			}
		}
	}
}

// TestScaledDecodeIsTheMeanOfThePixels compares with averages of the whole decode.
func TestScaledDecodeIsTheMeanOfThePixels(t *testing.T) {
	data := encode(t, photo(163, 121, 5), 95)
	whole, err := Decode(context.Background(), data, 1, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, scale := range []int{2, 4, 8} {
		im, err := Decode(context.Background(), data, scale, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if im.Width != ceilDiv(163, scale) || im.Height != ceilDiv(121, scale) {
			t.Fatalf("1/%d: got %d×%d", scale, im.Width, im.Height)
		}
		for i, p := range im.Planes {
			from := whole.Planes[i]
			sum, n := 0.0, 0
			for y := range from.Height / scale {
				for x := range from.Width / scale {
					mean := 0
					for dy := range scale {
						for dx := range scale {
							mean += int(from.Pix[(y*scale+dy)*from.Stride+x*scale+dx])
						}
					}
					d := float64(p.Pix[y*p.Stride+x]) - float64(mean)/float64(scale*scale)
					sum += d * d
					n++
				}
			}
			// An ideal low pass and a mean differ on edges; a wrong transform gives 20 and more.
			if rms := math.Sqrt(sum / float64(n)); rms > 7 {
				t.Errorf("1/%d: plane %d differs by %.1f", scale, i, rms)
			}
		}
	}
}

func TestWhatIsRefused(t *testing.T) {
	good := read(t, "baseline-420.jpg")
	at := func(m byte) int { return bytes.Index(good, []byte{0xFF, m}) }
	patch := func(offset int, b ...byte) []byte {
		p := bytes.Clone(good)
		copy(p[offset:], b)
		return p
	}
	sof := at(mSOF0)
	rows := []struct {
		name string
		data []byte
		text string
	}{
		{"nothing", nil, "start marker"},
		{"text", []byte("hello world"), "start marker"},
		{"a start marker alone", []byte{0xFF, mSOI, 0xFF, mEOI}, "no picture"},
		{"arithmetic coding", read(t, "arithmetic.jpg"), "arithmetic coding is not supported"},
		{"12 bits", patch(sof+4, 12), "samples of 12 bits are not supported"},
		{"a lossless frame", patch(sof+1, 0xC3), "lossless"},
		{"no width", patch(sof+7, 0, 0), "its size is 0×45"},
		{"two components", patch(sof+9, 2), "2 components"},
		{"sampling factor 5", patch(sof+11, 0x51), "sampling factors"},
		{"a missing quantization table", patch(sof+12, 3), "quantization table that is not there"},
		{"cut in the header", good[:sof+3], "ends"},
		{"cut in the data", good[:len(good)/2], "ends early"},
		{"a scan of an unknown component", patch(at(mSOS)+5, 9), "names the component 9"},
		{"the same component twice", patch(at(mSOS)+7, 1), "twice"},
		{"too many Huffman codes", patch(at(mDHT)+5, 200), "Huffman table"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			_, err := Decode(context.Background(), row.data, 1, Limits{})
			if err == nil || !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), row.text) {
				t.Errorf("got %v, want …%s…", err, row.text)
			}
		})
	}
}

func TestLimitsAndCancellation(t *testing.T) {
	good := read(t, "progressive-420.jpg")
	rows := []struct {
		name   string
		limits Limits
		text   string
	}{
		{"edge", Limits{Edge: 66}, "67×45: no edge may exceed 66 pixels"},
		{"pixels", Limits{Pixels: 3014}, "67×45 exceeds the limit of 3014 pixels"},
		{"memory", Limits{Memory: 1000}, "more than the limit of 1000"},
		{"scans", Limits{Scans: 2}, "more than 2 scans"},
	}
	for _, row := range rows {
		if _, err := Decode(context.Background(), good, 1, row.limits); err == nil || !strings.Contains(err.Error(), row.text) {
			t.Errorf("%s: got %v", row.name, err)
		}
	}
	if _, err := Decode(context.Background(), good, 1, Limits{Edge: 67, Pixels: 3015, Memory: 1 << 20, Scans: 20}); err != nil {
		t.Errorf("at the limits: %v", err)
	}
	// A header that promises the largest picture is refused before anything is allocated.
	huge := bytes.Clone(good)
	copy(huge[bytes.Index(huge, []byte{0xFF, mSOF2})+5:], []byte{0xFF, 0xFF, 0xFF, 0xFF})
	if n := testing.AllocsPerRun(1, func() {
		if _, err := Decode(context.Background(), huge, 1, Limits{Edge: 16384}); err == nil {
			t.Error("65535×65535 passed")
		}
	}); n > 100 {
		t.Errorf("%v allocations", n)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Decode(ctx, good, 1, Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
	if _, err := Decode(context.Background(), good, 3, Limits{}); err == nil {
		t.Error("scale 3 passed")
	}
}

func TestOrientation(t *testing.T) {
	good := read(t, "baseline-420.jpg")
	for want := 0; want <= 9; want++ {
		for _, big := range []bool{false, true} {
			tiff := []byte{'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, byte(want), 0, 0, 0, 0, 0, 0, 0}
			if big {
				tiff = []byte{'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, byte(want), 0, 0, 0, 0, 0, 0}
			}
			app := append([]byte("Exif\x00\x00"), tiff...)
			data := append([]byte{0xFF, mSOI, 0xFF, mAPP0 + 1, 0, byte(len(app) + 2)}, append(app, good[2:]...)...)
			c, err := DecodeConfig(data)
			if err != nil {
				t.Fatal(err)
			}
			expect := want
			if want > 8 {
				expect = 0
			}
			if c.Orientation != expect || c.Width != 67 {
				t.Errorf("tag %d (big endian %v): got %d", want, big, c.Orientation)
			}
		}
	}
}

// TestMutatedFiles decodes files with wrong bytes: it must end with a picture or an error.
func TestMutatedFiles(t *testing.T) {
	names, err := filepath.Glob("testdata/*.jpg")
	if err != nil || len(names) < 20 {
		t.Fatal(names, err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range names {
		data := read(t, filepath.Base(name))
		for range 2000 / 10 {
			m := bytes.Clone(data)
			for range 1 + r.IntN(8) {
				m[r.IntN(len(m))] = byte(r.Uint32())
			}
			if r.IntN(4) == 0 {
				m = m[:r.IntN(len(m))]
			}
			Decode(context.Background(), m, 1<<r.IntN(4), Limits{Edge: 2048, Pixels: 1 << 20})
		}
	}
}

func FuzzDecode(f *testing.F) {
	names, _ := filepath.Glob("testdata/*.jpg")
	for _, name := range names {
		f.Add(read(f, filepath.Base(name)), uint8(0))
	}
	f.Fuzz(func(t *testing.T, data []byte, scale uint8) {
		limits := Limits{Edge: 4096, Pixels: 1 << 20, Memory: 16 << 20}
		im, err := Decode(context.Background(), data, 1<<(scale&3), limits)
		if err != nil {
			return
		}
		c, err := DecodeConfig(data)
		if err != nil || c.Width != im.Config.Width || c.Height != im.Config.Height {
			t.Fatalf("the header says %d×%d, %v; the picture is %d×%d", c.Width, c.Height, err, im.Config.Width, im.Config.Height)
		}
		row := make([]byte, 4*im.Width)
		conv := NewConverter(im)
		for y := range im.Height {
			conv.Row(row, y)
		}
	})
}
