package image

import (
	"bytes"
	"context"
	"fmt"
	"image/color"
	stdpng "image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// golden reads a PNG file of the golden pictures with the standard library.
func golden(t testing.TB, path string) *Surface {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := stdpng.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	s := New(m.Bounds().Dx(), m.Bounds().Dy())
	for y := range s.Height {
		for x := range s.Width {
			c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
			copy(s.Row(y)[4*x:], []byte{c.R, c.G, c.B, c.A})
		}
	}
	Premultiply(s.Pix)
	return s
}

// same fails if a sample differs by more than tolerance.
func same(t testing.TB, name string, got, want *Surface, tolerance int) {
	t.Helper()
	if got.Width != want.Width || got.Height != want.Height {
		t.Errorf("%s: %d×%d, want %d×%d", name, got.Width, got.Height, want.Width, want.Height)
		return
	}
	wrong, first := 0, ""
	for i := range got.Pix {
		if d := int(got.Pix[i]) - int(want.Pix[i]); d > tolerance || d < -tolerance {
			if wrong++; wrong == 1 {
				p := i / 4
				first = fmt.Sprintf("%d,%d: got %v, want %v", p%got.Width, p/got.Width, got.Pix[4*p:4*p+4], want.Pix[4*p:4*p+4])
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%s: %d samples differ, first at %s", name, wrong, first)
	}
}

// The files of testdata/golden, which testdata/make.py wrote, look as other decoders see them.
func TestGoldenPictures(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, path := range files {
		name := filepath.Base(path)
		if strings.HasSuffix(name, ".ref.png") {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		stem := strings.TrimSuffix(path, filepath.Ext(path))
		p, err := Open(data, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		// Rounded to 8 bits and then by alpha, in the one order or the other.
		tolerance := 1
		if p.Info.Frames == 1 {
			s, err := p.Surface(context.Background())
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			want := golden(t, stem+".ref.png")
			same(t, name, s, want, tolerance)
			if s.Width != p.Info.Width || s.Height != p.Info.Height {
				t.Errorf("%s: %d×%d, but the header says %d×%d", name, s.Width, s.Height, p.Info.Width, p.Info.Height)
			}
			if !p.Info.Alpha && !s.Opaque() {
				t.Errorf("%s: transparent, but the header says that it cannot be", name)
			}
			continue
		}
		tolerance = 2 // blended with straight colours there
		refs, _ := filepath.Glob(stem + ".*.ref.png")
		if len(refs) != p.Info.Frames {
			t.Errorf("%s: %d frames, want %d", name, p.Info.Frames, len(refs))
			continue
		}
		seen := 0
		err = p.Frames(context.Background(), func(n int, s *Surface, _ time.Duration) error {
			same(t, fmt.Sprintf("%s frame %d", name, n), s, golden(t, fmt.Sprintf("%s.%d.ref.png", stem, n)), tolerance)
			one, err := p.Frame(context.Background(), n)
			if err != nil {
				return err
			}
			same(t, fmt.Sprintf("%s frame %d alone", name, n), one, s, 0)
			seen++
			return nil
		})
		if err != nil || seen != p.Info.Frames {
			t.Errorf("%s: %d frames, %v", name, seen, err)
		}
	}
}
