package image

import (
	"bytes"
	"context"
	stdimage "image"
	stdjpeg "image/jpeg"
	"testing"

	"quicksand/media/image/jpeg"
)

func TestOrientationsCompose(t *testing.T) {
	s := numbered(5, 3)
	for a := 1; a <= 8; a++ {
		for b := 1; b <= 8; b++ {
			want := Orient(Orient(s, a), b)
			got := Orient(s, compose(a, b))
			if got.Width != want.Width || !bytes.Equal(got.Pix, want.Pix) {
				t.Errorf("%d and %d are not %d", a, b, compose(a, b))
			}
		}
		// A part of what is shown, and where it is stored.
		shown := Orient(s, a)
		r := unorient(Rect{1, 0, 2, 3}, float64(shown.Width), float64(shown.Height), a)
		part, err := Crop(s, int(r.X), int(r.Y), int(r.Width), int(r.Height))
		if err != nil {
			t.Fatal(err)
		}
		want, err := Crop(shown, 1, 0, 2, 3)
		if err != nil {
			t.Fatal(err)
		}
		if got := Orient(part, a); !bytes.Equal(got.Pix, want.Pix) {
			t.Errorf("orientation %d: the part is stored at %v", a, r)
		}
	}
}

// withOrientation puts an EXIF tag into a JPEG file.
func withOrientation(data []byte, o byte) []byte {
	app := "\xFF\xE1\x00\x22Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00" + string(rune(o)) + "\x00\x00\x00\x00\x00\x00\x00"
	return append([]byte("\xFF\xD8"+app), data[2:]...)
}

// Whatever is cut and turned of a JPEG file, pixels are those of its decoded picture cut and
// turned.
func TestPartsOfAJPEGFileAreThoseOfItsPixels(t *testing.T) {
	ctx := context.Background()
	for _, size := range [][2]int{{64, 48}, {61, 47}, {5, 3}} {
		plain := jpegOf(t, scene(size[0], size[1]), 90)
		for o := byte(1); o <= 8; o++ {
			data := withOrientation(plain, o)
			open := func() *Picture {
				p, err := Open(data, nil)
				if err != nil {
					t.Fatal(err)
				}
				return p
			}
			whole, err := open().Surface(ctx)
			if err != nil {
				t.Fatal(err)
			}
			w, h := whole.Width, whole.Height
			same := func(what string, p *Picture, err error, want *Surface) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
				if p.planes == nil || p.Info.Width != want.Width || p.Info.Height != want.Height {
					t.Fatalf("%s of %v, orientation %d: %+v", what, size, o, p.Info)
				}
				got, err := p.Surface(ctx)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got.Pix, want.Pix) {
					t.Errorf("%s of %v, orientation %d: other pixels, mean error %.2f", what, size, o, meanError(t, got, want))
				}
			}
			p, err := open().Turn(ctx, 1)
			same("a quarter turn", p, err, Turn(whole, 1))
			p, err = open().Turn(ctx, -1)
			same("a quarter turn back", p, err, Turn(whole, 3))
			p, err = open().Flip(ctx, true, false)
			same("a flip", p, err, Flip(whole, true, false))
			p, err = open().Flip(ctx, true, true)
			same("two flips", p, err, Turn(whole, 2))
			for _, r := range [][4]int{{0, 0, w, h}, {1, 1, w - 1, h - 1}, {w / 2, h / 3, w / 4, h / 3}, {w - 1, h - 1, 1, 1}, {2, 2, 1, 1}} {
				if r[2] < 1 || r[3] < 1 || r[0]+r[2] > w || r[1]+r[3] > h {
					continue
				}
				want, err := Crop(whole, r[0], r[1], r[2], r[3])
				if err != nil {
					t.Fatal(err)
				}
				p, err = open().Crop(ctx, r[0], r[1], r[2], r[3])
				same("a part", p, err, want)
				p, err = p.Turn(ctx, 1)
				same("a turned part", p, err, Turn(want, 1))
				if r[2] > 2 && r[3] > 2 {
					p, err = p.Crop(ctx, 1, 1, p.Info.Width-2, p.Info.Height-1)
					inner, cutErr := Crop(Turn(want, 1), 1, 1, r[3]-2, r[2]-1)
					if cutErr != nil {
						t.Fatal(cutErr)
					}
					same("a part of a turned part", p, err, inner)
				}
			}
		}
	}
}

// decodePlanesOf gives luma and chroma of a file.
func decodePlanesOf(t *testing.T, data []byte) *jpeg.Image {
	t.Helper()
	im, err := jpeg.Decode(context.Background(), data, 1, jpeg.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return im
}

// At quality 100 the tables of quantization are ones, so that a file written from samples
// has them within what the rounding of the transform leaves.
func TestAJPEGFileCutAndTurnedKeepsItsSamples(t *testing.T) {
	ctx := context.Background()
	data := jpegOf(t, scene(64, 48), 90)
	p, err := Open(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	cut, err := p.Crop(ctx, 8, 16, 32, 16)
	if err != nil {
		t.Fatal(err)
	}
	turned, err := cut.Turn(ctx, 1)
	if err != nil {
		t.Fatal(err)
	}
	y := turned.planes.flat()
	in := decodePlanesOf(t, data)
	for i, q := range []Plane{y.Y, y.Cb, y.Cr} {
		shift := 0
		if i > 0 {
			shift = 1
		}
		w, h := 32>>shift, 16>>shift
		for x := range w {
			for row := range h {
				want := in.Planes[i].Pix[(16>>shift+row)*in.Planes[i].Stride+8>>shift+x]
				if got := q.Pix[x*q.Stride+h-1-row]; got != want {
					t.Fatalf("plane %d at %d,%d: %d, want %d", i, x, row, got, want)
				}
			}
		}
	}
	out, err := turned.Encode(ctx, JPEG, [4]uint8{}, EncodeOptions{Quality: 1})
	if err != nil {
		t.Fatal(err)
	}
	m, err := stdjpeg.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	std := m.(*stdimage.YCbCr)
	for i := range y.Y.Pix {
		if d := int(y.Y.Pix[i]) - int(std.Y[i/16*std.YStride+i%16]); d > 1 || d < -1 {
			t.Fatalf("luma %d is %d after encoding, was %d", i, std.Y[i/16*std.YStride+i%16], y.Y.Pix[i])
		}
	}
	// What cannot be kept is made of pixels.
	odd, err := p.Crop(ctx, 1, 0, 31, 16)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := odd.Encode(ctx, JPEG, [4]uint8{}, EncodeOptions{}); err != nil {
		t.Error(err)
	}
}

// Twenty steps that change nothing change nothing, whatever else was asked of the picture.
func TestNoDriftInAChain(t *testing.T) {
	ctx := context.Background()
	data := jpegOf(t, scene(64, 48), 80)
	open := func() *Picture {
		p, err := Open(data, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	encode := func(p *Picture) []byte {
		out, err := p.Encode(ctx, JPEG, [4]uint8{}, EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	want := encode(open())
	seen := open()
	if _, err := seen.Surface(ctx); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(encode(seen), want) {
		t.Error("the file depends on whether pixels were looked at")
	}
	p := open()
	for i := range 20 {
		var err error
		switch i % 5 {
		case 0:
			p, err = p.Crop(ctx, 0, 0, p.Info.Width, p.Info.Height)
		default:
			p, err = p.Turn(ctx, 1)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(encode(p), want) {
		t.Error("the chain changed the picture")
	}
}

func TestAPartDoesNotBleedWhenItIsResized(t *testing.T) {
	ctx := context.Background()
	m := stdimage.NewRGBA(stdimage.Rect(0, 0, 64, 64))
	for i := range m.Pix {
		m.Pix[i] = 255
	}
	for y := range 64 {
		for x := range 32 {
			copy(m.Pix[y*m.Stride+4*x:], []byte{0, 0, 0, 255})
		}
	}
	p, err := Open(jpegOf(t, m, 95), nil)
	if err != nil {
		t.Fatal(err)
	}
	right, err := p.Crop(ctx, 32, 0, 32, 64)
	if err != nil {
		t.Fatal(err)
	}
	small, err := right.Resize(ctx, Rect{0, 0, 32, 64}, 8, 16, Lanczos3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := small.Surface(ctx)
	if err != nil || at(s, 0, 8)[0] < 250 {
		t.Errorf("the black that was cut off is in %v, %v", at(s, 0, 8), err)
	}
}

// A photo that a telephone turned takes the short way, too.
func TestResizeOfAnOrientedFile(t *testing.T) {
	ctx := context.Background()
	plain := jpegOf(t, scene(203, 301), 92)
	for o := byte(1); o <= 8; o++ {
		p, err := Open(withOrientation(plain, o), nil)
		if err != nil {
			t.Fatal(err)
		}
		w, h := p.Info.Width, p.Info.Height
		for _, part := range []Rect{{0, 0, float64(w), float64(h)}, {float64(w) / 3, 10, float64(w) / 2, float64(h) / 2}} {
			for _, scale := range []int{2, 5} {
				tw, th := int(part.Width)/scale, int(part.Height)/scale
				p, _ = Open(withOrientation(plain, o), nil)
				small, err := p.Resize(ctx, part, tw, th, Lanczos3)
				if err != nil {
					t.Fatal(err)
				}
				if small.planes == nil || small.Info.Width != tw || small.Info.Height != th {
					t.Fatalf("orientation %d: %+v", o, small.Info)
				}
				got, err := small.Surface(ctx)
				if err != nil {
					t.Fatal(err)
				}
				whole, err := p.Surface(ctx)
				if err != nil {
					t.Fatal(err)
				}
				want, err := ResizeSurface(ctx, whole, part, tw, th, Lanczos3)
				if err != nil {
					t.Fatal(err)
				}
				// Chroma of half the size; a part at a wrong place gives tens.
				if e := meanError(t, got, want); e > 7 {
					t.Errorf("orientation %d, %v to %d×%d: mean error %.2f", o, part, tw, th, e)
				}
			}
		}
	}
}

// Profiles are applied on every way to pixels.
func TestProfilesInFiles(t *testing.T) {
	ctx := context.Background()
	icc := spaces["Adobe RGB"].profile()
	app := append([]byte("\xFF\xE2"), byte((len(icc)+16)>>8), byte(len(icc)+16))
	app = append(append(app, "ICC_PROFILE\x00\x01\x01"...), icc...)
	m := stdimage.NewRGBA(stdimage.Rect(0, 0, 32, 32))
	for i := 0; i < len(m.Pix); i += 4 {
		copy(m.Pix[i:], []byte{90, 160, 90, 255})
	}
	plain := jpegOf(t, m, 95)
	data := append(append([]byte("\xFF\xD8"), app...), plain[2:]...)
	c, _ := NewConversion(icc)
	r, g, b := c.convert(90, 160, 90)
	check := func(what string, p *Picture, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.Surface(ctx)
		if err != nil {
			t.Fatal(err)
		}
		got := at(s, s.Width/2, s.Height/2)
		for i, want := range []byte{r, g, b} {
			if d := int(got[i]) - int(want); d > 3 || d < -3 {
				t.Errorf("%s: got %v, want %d %d %d", what, got, r, g, b)
				return
			}
		}
	}
	open := func() *Picture {
		p, err := Open(data, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := open()
	if p.Info.ProfileUse != ProfileConverted || p.Info.Profile != "unknown" {
		t.Errorf("got %+v", p.Info)
	}
	check("decoded", p, nil)
	small, err := open().Resize(ctx, Rect{0, 0, 32, 32}, 8, 8, Lanczos3)
	check("resized", small, err)
	part, err := open().Crop(ctx, 0, 0, 16, 16)
	check("cut", part, err)
	file, err := small.Encode(ctx, JPEG, [4]uint8{}, EncodeOptions{Quality: 1})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Open(file, nil)
	check("written", again, err)
}
