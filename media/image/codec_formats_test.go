package image

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	stdimage "image"
	stdgif "image/gif"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/golden/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// edit changes a copy of a file.
func edit(data []byte, at int, b ...byte) []byte {
	data = append([]byte(nil), data...)
	copy(data[at:], b)
	return data
}

// gifHead is a GIF of w by h pixels and two colours, up to its first frame.
func gifHead(w, h int) []byte {
	b := []byte("GIF89a\x00\x00\x00\x00\x80\x00\x00\x00\x00\x00\xFF\xFF\xFF")
	binary.LittleEndian.PutUint16(b[6:], uint16(w))
	binary.LittleEndian.PutUint16(b[8:], uint16(h))
	return b
}

// gifPart is a frame without data of its own.
func gifPart(w, h int) []byte {
	b := []byte("\x2C\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x02\x4C\x01\x00")
	binary.LittleEndian.PutUint16(b[5:], uint16(w))
	binary.LittleEndian.PutUint16(b[7:], uint16(h))
	return b
}

func TestABombIsRefusedByItsHeader(t *testing.T) {
	bomb := append(append(gifHead(65535, 65535), gifPart(65535, 65535)...), 0x3B)
	tiff := []byte("II*\x00\x08\x00\x00\x00\x02\x00\x00\x01\x04\x00\x01\x00\x00\x00\xFF\xFF\x00\x00\x01\x01\x04\x00\x01\x00\x00\x00\xFF\xFF\x00\x00\x00\x00\x00\x00")
	bmp := edit(file(t, "bmp-24bit.bmp"), 18, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 0, 0)
	webp := edit(file(t, "webp-animated.webp"), 24, 0xFE, 0xFF, 0, 0xFE, 0xFF, 0)
	png := edit(file(t, "png-rgb16.png"), 16, 0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF)
	binary.BigEndian.PutUint32(png[29:], crc32.ChecksumIEEE(png[12:29]))
	for name, data := range map[string][]byte{"gif": bomb, "tiff": tiff, "bmp": bmp, "webp": webp, "png": png} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Open(data, nil)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), "65535×65535: no edge may exceed 16384 pixels") {
			t.Errorf("%s: got %v", name, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 256<<10 {
			t.Errorf("%s: %d bytes were taken", name, n)
		}
	}
}

func TestWhatDecodersRefuse(t *testing.T) {
	many := gifHead(1, 1)
	for range MaxFrames + 1 {
		many = append(many, gifPart(1, 1)...)
	}
	large := gifHead(8192, 4096)
	for range 9 {
		large = append(large, gifPart(8192, 4096)...)
	}
	tiff := func(tag int, value byte) []byte {
		data := file(t, "tiff-none.tif")
		order := binary.ByteOrder(binary.LittleEndian)
		at := int(order.Uint32(data[4:])) + 2
		for i := at; i+12 <= len(data); i += 12 {
			if int(order.Uint16(data[i:])) == tag {
				return edit(data, i+8, value, 0)
			}
		}
		t.Fatalf("no tag %d", tag)
		return nil
	}
	rows := []struct {
		name string
		data []byte
		text string
	}{
		{"a GIF of too many frames", many, "(gif): more than 4096 frames"},
		{"a GIF whose frames have too many pixels", large, "(gif): its frames have more than 268435456 pixels"},
		{"a GIF frame larger than any picture", append(gifHead(1, 1), gifPart(20000, 1)...), "no edge may exceed 16384 pixels"},
		{"a GIF without frames", append(gifHead(1, 1), 0x3B), "(gif): the file is cut short"},
		{"a GIF frame without colours", append(edit(gifHead(1, 1)[:13], 10, 0), gifPart(1, 1)...), "(gif): a frame has no colours"},
		{"a BMP cut short", file(t, "bmp-24bit.bmp")[:2000], "(bmp): the file is cut short: 1946 of 3248 bytes of pixels"},
		{"a BMP with a JPEG within", edit(file(t, "bmp-24bit.bmp"), 30, 4), "(bmp): a JPEG or PNG within a bitmap is not supported"},
		{"a BMP of 12 bits", edit(file(t, "bmp-24bit.bmp"), 28, 12), "(bmp): compression 0 of 12 bits is not supported"},
		{"a TIFF with a JPEG within", tiff(tiffCompression, 7), "(tiff): JPEG within TIFF is not supported"},
		{"a TIFF of YCbCr", tiff(tiffPhotometric, 6), "(tiff): YCbCr is not supported"},
		{"a TIFF of Lab", tiff(tiffPhotometric, 8), "(tiff): Lab is not supported"},
		{"a TIFF without a compression that is known", tiff(tiffCompression, 99), "(tiff): compression 99 is not supported"},
		{"a WebP without a picture", []byte("RIFF\x0C\x00\x00\x00WEBPICCP\x00\x00\x00\x00"), "(webp): the file has no picture"},
		{"a WebP cut short", file(t, "webp-lossless.webp")[:200], "(webp): the file is cut short"},
	}
	for _, row := range rows {
		if _, err := Open(row.data, nil); err == nil || !strings.Contains(err.Error(), row.text) {
			t.Errorf("%s: got %v, want …%s…", row.name, err, row.text)
		}
	}
}

func TestAnimationsSayHowTheyArePlayed(t *testing.T) {
	rows := []struct {
		name     string
		frames   int
		plays    int
		duration time.Duration
		delays   []int // in hundredths of a second
	}{
		{"gif-disposals.gif", 6, 5, 420 * time.Millisecond, []int{10, 20, 3, 3, 3, 3}},
		{"apng-disposals.png", 6, 0, 1420 * time.Millisecond, []int{10, 20, 5, 7, 0, 100}},
		{"apng-default-apart.png", 2, 3, 200 * time.Millisecond, []int{10, 10}},
		{"gif-still.gif", 1, 1, 0, []int{0}},
		{"png-gray16.png", 1, 0, 0, []int{0}},
	}
	for _, row := range rows {
		p, err := Open(file(t, row.name), nil)
		if err != nil {
			t.Fatal(err)
		}
		if p.Info.Frames != row.frames || p.Info.Plays != row.plays || p.Info.Duration != row.duration {
			t.Errorf("%s: got %+v", row.name, p.Info)
		}
		err = p.Frames(context.Background(), func(n int, _ *Surface, delay time.Duration) error {
			if want := time.Duration(row.delays[n]) * 10 * time.Millisecond; delay != want {
				t.Errorf("%s: frame %d is shown for %v, want %v", row.name, n, delay, want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestFramesStopAndAreCounted(t *testing.T) {
	l := &ledger{}
	l.limit.Store(1 << 20)
	p, err := Open(file(t, "gif-disposals.gif"), l)
	if err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	n := 0
	err = p.Frames(context.Background(), func(int, *Surface, time.Duration) error {
		if n++; n == 3 {
			return enough
		}
		return nil
	})
	if err != enough || n != 3 {
		t.Errorf("after %d frames: %v", n, err)
	}
	if l.used.Load() != 0 || l.most.Load() < p.Info.Scratch {
		t.Errorf("%d bytes are reserved, %d were", l.used.Load(), l.most.Load())
	}
	ctx, cancel := context.WithCancel(context.Background())
	err = p.Frames(ctx, func(int, *Surface, time.Duration) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that ends: %v", err)
	}
	if _, err := p.Frame(context.Background(), 6); err == nil || err.Error() != "frame 6 of 6 does not exist" {
		t.Errorf("got %v", err)
	}
}

// An animation that was cut while it was sent shows the frames that are there.
func TestACutAnimationShowsItsWholeFrames(t *testing.T) {
	for _, name := range []string{"gif-disposals.gif", "apng-disposals.png", "webp-animated.webp"} {
		whole := file(t, name)
		p, err := Open(whole[:len(whole)*9/10], nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		full, err := Open(whole, nil)
		if err != nil {
			t.Fatal(err)
		}
		if p.Info.Frames < 2 || p.Info.Frames >= full.Info.Frames {
			t.Errorf("%s: %d of %d frames", name, p.Info.Frames, full.Info.Frames)
		}
		last, err := p.Frame(context.Background(), p.Info.Frames-1)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want, err := full.Frame(context.Background(), p.Info.Frames-1)
		if err != nil {
			t.Fatal(err)
		}
		same(t, name, last, want, 0)
	}
}

func TestDecodersLookAtTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, name := range []string{"png-rgb16.png", "apng-disposals.png", "gif-still.gif", "bmp-24bit.bmp", "tiff-lzw.tif", "webp-lossy.webp", "webp-lossless.webp", "webp-animated.webp"} {
		p, err := Open(file(t, name), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Surface(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// movie is an animation of few colours: a bar that moves, and a hole that comes and goes.
func movie(n int) []Frame {
	var frames []Frame
	for i := range n {
		s := New(40, 30)
		Fill(s, [4]uint8{20, 40, uint8(60 + i), 255}, SourceOver)
		for y := 5; y < 12; y++ {
			for x := 3 * i; x < min(3*i+9, 40); x++ {
				copy(s.Row(y)[4*x:], []byte{255, byte(10 * x), 0, 255})
			}
		}
		if i%3 == 1 {
			for y := 15; y < 20; y++ {
				clear(s.Row(y)[40:80])
			}
		}
		frames = append(frames, Frame{s, time.Duration(i+1) * 30 * time.Millisecond})
	}
	frames[n-1].Surface = frames[n-2].Surface // nothing changes
	return frames
}

func TestAnimationsAreReadAsTheyWereWritten(t *testing.T) {
	want := movie(8)
	for _, f := range Animations() {
		for _, plays := range []int{0, 1, 7} { // 1 of GIF is a file that says nothing
			data, err := EncodeAnimation(context.Background(), f, want, AnimationOptions{Plays: plays})
			if err != nil {
				t.Fatal(err)
			}
			p, err := Open(data, nil)
			if err != nil {
				t.Fatal(err)
			}
			if p.Info.Format != f || p.Info.Frames != len(want) || p.Info.Plays != plays || p.Info.Duration != 36*30*time.Millisecond {
				t.Errorf("%s: got %+v", f, p.Info)
			}
			err = p.Frames(context.Background(), func(n int, s *Surface, delay time.Duration) error {
				same(t, string(f), s, want[n].Surface, 0)
				if delay != want[n].Delay {
					t.Errorf("%s: frame %d is shown for %v", f, n, delay)
				}
				return nil
			})
			if err != nil {
				t.Errorf("%s: %v", f, err)
			}
		}
	}
}

func TestTheStandardDecoderReadsOurGIF(t *testing.T) {
	data, err := EncodeAnimation(context.Background(), GIF, movie(6), AnimationOptions{Dither: true})
	if err != nil {
		t.Fatal(err)
	}
	g, err := stdgif.DecodeAll(bytes.NewReader(data))
	if err != nil || len(g.Image) != 6 || g.LoopCount != 0 || g.Delay[2] != 9 {
		t.Errorf("got %v, %+v", err, g)
	}
}

func TestGIFHasTheColoursOfThePicture(t *testing.T) {
	s := colours(50, 40, 200, false)
	data, err := FromSurface(s).Encode(context.Background(), GIF, [4]uint8{}, EncodeOptions{})
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
	same(t, "200 colours", got, s, 0)
}

// The palette is chosen well: closer to the picture than the standard encoder's Plan 9.
func TestColoursOfAPhotograph(t *testing.T) {
	m := scene(300, 200)
	s := &Surface{300, 200, m.Pix}
	decoded := func(data []byte) *Surface {
		p, err := Open(data, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Surface(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	var b bytes.Buffer
	if err := stdgif.Encode(&b, m, &stdgif.Options{NumColors: 256}); err != nil {
		t.Fatal(err)
	}
	plain, err := EncodeAnimation(context.Background(), GIF, []Frame{{Surface: s}}, AnimationOptions{})
	if err != nil {
		t.Fatal(err)
	}
	dithered, err := EncodeAnimation(context.Background(), GIF, []Frame{{Surface: s}}, AnimationOptions{Dither: true})
	if err != nil {
		t.Fatal(err)
	}
	few, err := EncodeAnimation(context.Background(), GIF, []Frame{{Surface: s}}, AnimationOptions{Colors: 8})
	if err != nil {
		t.Fatal(err)
	}
	standard, ours, spread := meanError(t, decoded(b.Bytes()), s), meanError(t, decoded(plain), s), meanError(t, decoded(dithered), s)
	t.Logf("mean error: %.2f, dithered %.2f, 8 colours %.2f, the standard encoder %.2f", ours, spread, meanError(t, decoded(few), s), standard)
	if ours > standard/2 {
		t.Errorf("mean error %.2f, of the standard encoder %.2f", ours, standard)
	}
	// Spreading errors makes single samples worse and areas better.
	mean := func(s *Surface) *Surface {
		out, err := ResizeSurface(context.Background(), s, Rect{0, 0, 300, 200}, 30, 20, Box)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if a, b := meanError(t, mean(decoded(plain)), mean(s)), meanError(t, mean(decoded(dithered)), mean(s)); b >= a {
		t.Errorf("mean error of areas %.2f, dithered %.2f", a, b)
	}
	g, err := stdgif.Decode(bytes.NewReader(few))
	if err != nil || len(g.(*stdimage.Paletted).Palette) != 8 {
		t.Errorf("%v, %d colours", err, len(g.(*stdimage.Paletted).Palette))
	}
}

func TestEncodeAnimationRefuses(t *testing.T) {
	one := Frame{Surface: New(4, 3)}
	rows := []struct {
		name   string
		format Format
		frames []Frame
		o      AnimationOptions
		text   string
	}{
		{"JPEG", JPEG, []Frame{one}, AnimationOptions{}, `format "jpeg" cannot be written as an animation`},
		{"no frames", GIF, nil, AnimationOptions{}, "an animation needs a frame at least"},
		{"too many frames", GIF, make([]Frame, MaxFrames+1), AnimationOptions{}, "an animation of 4097 frames exceeds the limit of 4096"},
		{"frames of two sizes", GIF, []Frame{one, {Surface: New(3, 4)}}, AnimationOptions{}, "frame 1 is 3×4, but the first one is 4×3"},
		{"a single colour", GIF, []Frame{one}, AnimationOptions{Colors: 1}, "colors must be from 2 to 256, not 1"},
		{"plays below zero", GIF, []Frame{one}, AnimationOptions{Plays: -1}, "plays must be from 0 to 65535, not -1"},
	}
	for _, row := range rows {
		if _, err := EncodeAnimation(context.Background(), row.format, row.frames, row.o); err == nil || err.Error() != row.text {
			t.Errorf("%s: got %v, want %s", row.name, err, row.text)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := EncodeAnimation(ctx, GIF, movie(4), AnimationOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestWebPWithoutLossIsThePicture(t *testing.T) {
	for _, s := range []*Surface{noise(61, 47, 3), colours(50, 40, 9, true), New(1, 1)} {
		data, err := FromSurface(s).Encode(context.Background(), WebP, [4]uint8{}, EncodeOptions{})
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
		want := s.Clone()
		s.Straight(want.Pix)
		Premultiply(want.Pix)
		same(t, "WebP", got, want, 0)
	}
}

func BenchmarkDecode(b *testing.B) {
	m := scene(1600, 1200)
	s := &Surface{1600, 1200, m.Pix}
	webp, err := EncodeWebPLossless(context.Background(), s, EncodeOptions{})
	if err != nil {
		b.Fatal(err)
	}
	gif, err := animateGIF(context.Background(), []Frame{{Surface: s}}, AnimationOptions{})
	if err != nil {
		b.Fatal(err)
	}
	for _, row := range []struct {
		name string
		data []byte
	}{{"WebP lossless 1.9 MP", webp}, {"GIF 1.9 MP", gif}} {
		b.Run(row.name, func(b *testing.B) {
			for b.Loop() {
				p, err := Open(row.data, nil)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := p.Surface(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	for _, row := range []struct {
		name string
		f    func() error
	}{
		{"write GIF 1.9 MP", func() error {
			_, err := animateGIF(context.Background(), []Frame{{Surface: s}}, AnimationOptions{Dither: true})
			return err
		}},
		{"write WebP lossless 1.9 MP", func() error {
			_, err := EncodeWebPLossless(context.Background(), s, EncodeOptions{})
			return err
		}},
	} {
		b.Run(row.name, func(b *testing.B) {
			for b.Loop() {
				if err := row.f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
