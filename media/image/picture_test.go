package image

import (
	"bytes"
	"context"
	"errors"
	stdimage "image"
	"image/color"
	stdjpeg "image/jpeg"
	"math"
	"strings"
	"sync/atomic"
	"testing"
)

// scene is a smooth opaque picture with edges.
func scene(w, h int) *stdimage.RGBA {
	m := stdimage.NewRGBA(stdimage.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			fx, fy := float64(x)/float64(w), float64(y)/float64(h)
			v := 128 + 100*math.Sin(fx*25)*math.Cos(fy*18)
			n := float64((x*7919+y*104729+x*y*31)%23) - 11
			if (x/97+y/61)%5 == 0 {
				v = 255 - v
			}
			c := func(f float64) uint8 { return uint8(min(max(f+n/2, 0), 255)) }
			m.SetRGBA(x, y, color.RGBA{c(v), c(v*0.7 + 60*fx), c(200 - v*0.6), 255})
		}
	}
	return m
}

func jpegOf(t testing.TB, m stdimage.Image, quality int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := stdjpeg.Encode(&b, m, &stdjpeg.Options{Quality: quality}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// meanError is the mean absolute difference of two surfaces.
func meanError(t testing.TB, a, b *Surface) float64 {
	t.Helper()
	if a.Width != b.Width || a.Height != b.Height {
		t.Fatalf("%d×%d and %d×%d", a.Width, a.Height, b.Width, b.Height)
	}
	sum := 0.0
	for i := range a.Pix {
		sum += math.Abs(float64(a.Pix[i]) - float64(b.Pix[i]))
	}
	return sum / float64(len(a.Pix))
}

// ledger is a budget that counts.
type ledger struct{ limit, used, most atomic.Int64 }

func (l *ledger) Reserve(n int64) error {
	if l.used.Add(n) > l.limit.Load() {
		l.used.Add(-n)
		return errors.New("over budget")
	}
	l.most.Store(max(l.most.Load(), l.used.Load()))
	return nil
}
func (l *ledger) Release(n int64) { l.used.Add(-n) }

func TestShrinkingAJPEGFileTakesTheShortWay(t *testing.T) {
	ctx := context.Background()
	data := jpegOf(t, scene(801, 603), 92)
	for _, size := range [][2]int{{400, 301}, {160, 120}, {97, 53}, {800, 600}} {
		p, err := Open(data, nil)
		if err != nil {
			t.Fatal(err)
		}
		part := Rect{0, 0, 801, 603}
		short, err := p.Resize(ctx, part, size[0], size[1], Lanczos3)
		if err != nil {
			t.Fatal(err)
		}
		if short.planes == nil {
			t.Fatalf("%v: it was decoded to pixels", size)
		}
		whole, err := p.Surface(ctx)
		if err != nil {
			t.Fatal(err)
		}
		want, err := ResizeSurface(ctx, whole, part, size[0], size[1], Lanczos3)
		if err != nil {
			t.Fatal(err)
		}
		got, err := short.Surface(ctx)
		if err != nil {
			t.Fatal(err)
		}
		// Chroma of half the size is what differs; luma hardly does.
		sum := 0.0
		for i := 0; i < len(got.Pix); i += 4 {
			luma := func(p []byte) float64 { return 0.299*float64(p[0]) + 0.587*float64(p[1]) + 0.114*float64(p[2]) }
			sum += math.Abs(luma(got.Pix[i:]) - luma(want.Pix[i:]))
		}
		if e := sum / float64(len(got.Pix)/4); e > 2 {
			t.Errorf("%v: the mean error of luma is %.2f against the long way", size, e)
		}
		back, err := short.Encode(ctx, JPEG, [4]uint8{}, EncodeOptions{Quality: 0.95})
		if err != nil {
			t.Fatal(err)
		}
		again, err := Open(back, nil)
		if err != nil || again.Info.Width != size[0] || again.Info.Height != size[1] {
			t.Fatalf("%v: written as %+v, %v", size, again, err)
		}
		s, err := again.Surface(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if e := meanError(t, s, got); e > 3 {
			t.Errorf("%v: mean error %.2f after encoding", size, e)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	bomb := append([]byte("\xFF\xD8\xFF\xC0\x00\x0B\x08\xFF\xFF\xFF\xFF\x01\x01\x11\x00\xFF\xDA\x00\x08\x01\x01\x00\x00\x3F\x00"), 0, 0)
	rows := []struct {
		name string
		data []byte
		text string
	}{
		{"nothing", nil, "image bytes are empty"},
		{"text", []byte("hello"), "could not decode the image (unknown)"},
		{"HEIC", []byte("\x00\x00\x00\x20ftypheic0000"), "HEIC is not supported"},
		{"a file of 25 MB and a byte", make([]byte, MaxEncoded+1), "image of 26214401 bytes exceeds the 26214400 byte limit"},
		{"a header alone", []byte("\xFF\xD8\xFF\xE0"), "could not decode the image (jpeg)"},
		{"65535 by 65535", bomb, "65535×65535: no edge may exceed 16384 pixels"},
	}
	for _, row := range rows {
		if _, err := Open(row.data, nil); err == nil || !strings.Contains(err.Error(), row.text) {
			t.Errorf("%s: got %v, want …%s…", row.name, err, row.text)
		}
	}
}

func TestADamagedFileGivesItsMemoryBack(t *testing.T) {
	data := jpegOf(t, scene(300, 200), 90)
	l := &ledger{}
	l.limit.Store(10 << 20)
	p, err := Open(data[:len(data)/2], l)
	if err != nil {
		t.Fatal(err)
	}
	var de *DecodeError
	if _, err := p.Surface(context.Background()); !errors.As(err, &de) || de.Format != JPEG {
		t.Errorf("got %v", err)
	}
	if l.used.Load() != 0 {
		t.Errorf("%d bytes are still reserved", l.used.Load())
	}
	p, err = Open(data, l)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := p.Surface(context.Background()); err != nil {
			t.Fatal(err)
		}
		if l.used.Load() != 4*300*200 {
			t.Errorf("%d bytes are reserved for a decoded picture of %d", l.used.Load(), 4*300*200)
		}
		p.Drop()
		if l.used.Load() != 0 {
			t.Errorf("%d bytes are reserved after Drop", l.used.Load())
		}
	}
	l.limit.Store(1000)
	if _, err := p.Surface(context.Background()); err == nil || l.used.Load() != 0 {
		t.Errorf("over the budget: got %v, %d bytes reserved", err, l.used.Load())
	}
}

// The orientation of a file is applied, the raw tag reported, and nothing turned twice.
func TestOrientationIsAppliedOnce(t *testing.T) {
	m := stdimage.NewRGBA(stdimage.Rect(0, 0, 32, 16))
	for y := range 16 {
		for x := range 32 {
			c := color.RGBA{255, 0, 0, 255}
			if x >= 16 {
				c = color.RGBA{0, 0, 255, 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	plain := jpegOf(t, m, 95)
	app := "\xFF\xE1\x00\x22Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00"
	data := append([]byte("\xFF\xD8"+app), plain[2:]...)
	p, err := Open(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Info.Width != 16 || p.Info.Height != 32 || p.Info.Orientation != 6 {
		t.Errorf("got %+v", p.Info)
	}
	s, err := p.Surface(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	// Orientation 6: the left of the file is shown at the top.
	if top, bottom := at(s, 8, 3), at(s, 8, 28); top[0] < 200 || bottom[2] < 200 {
		t.Errorf("top %v, bottom %v", top, bottom)
	}
	small, err := p.Resize(context.Background(), Rect{0, 0, 16, 32}, 4, 8, Box)
	if err != nil {
		t.Fatal(err)
	}
	s, err = small.Surface(context.Background())
	if err != nil || s.Width != 4 || at(s, 1, 1)[0] < 200 || at(s, 1, 6)[2] < 200 {
		t.Errorf("resized: %v, %v", s, err)
	}
}

func TestJPEGHasNoTransparency(t *testing.T) {
	p := FromSurface(New(16, 16))
	for _, row := range []struct {
		name       string
		background [4]uint8
		want       [3]uint8
	}{
		{"white without a background", [4]uint8{}, [3]uint8{255, 255, 255}},
		{"the background", [4]uint8{255, 0, 0, 255}, [3]uint8{254, 0, 0}},
		{"a transparent background on white", [4]uint8{0, 0, 255, 128}, [3]uint8{127, 127, 255}},
	} {
		data, err := p.Encode(context.Background(), JPEG, row.background, EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		back, err := Open(data, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := back.Surface(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		got := at(s, 0, 0)
		for c := range 3 {
			if d := int(got[c]) - int(row.want[c]); d > 3 || d < -3 || got[3] != 255 {
				t.Errorf("%s: got %v, want %v", row.name, got, row.want)
			}
		}
	}
}

func BenchmarkThumbnail(b *testing.B) {
	ctx := context.Background()
	for _, size := range []struct {
		name string
		w, h int
	}{{"12 MP", 4000, 3000}, {"24 MP", 6000, 4000}} {
		data := jpegOf(b, scene(size.w, size.h), 90)
		b.Run(size.name+" JPEG to 800 px JPEG", func(b *testing.B) {
			for b.Loop() {
				p, err := Open(data, nil)
				if err != nil {
					b.Fatal(err)
				}
				small, err := p.Resize(ctx, Rect{0, 0, float64(size.w), float64(size.h)}, 800, 800*size.h/size.w, Lanczos3)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := small.Encode(ctx, JPEG, [4]uint8{}, EncodeOptions{Quality: 0.8}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
