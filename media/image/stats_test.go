package image

import (
	"context"
	"math"
	"testing"
)

func TestSniff(t *testing.T) {
	for data, want := range map[string]Format{
		"\x89PNG\r\n\x1a\n": PNG, "\xFF\xD8\xFF\xE0": JPEG, "GIF89a": GIF, "BM1234": BMP, "RIFF\x00\x00\x00\x00WEBPVP8 ": WebP,
		"\x00\x00\x00\x20ftypavif": AVIF, "\x00\x00\x00\x20ftypavis": AVIF, "\x00\x00\x00\x20ftypheic": HEIC, "\x00\x00\x00\x20ftypmif1": HEIC,
		"\x00\x00\x00\x20ftypisom": Unknown, "<svg xmlns=''>": SVG, "\xEF\xBB\xBF <?xml version='1.0'?>": SVG, "II*\x00": TIFF, "MM\x00*": TIFF,
		"\xFF\x0A": JXL, "": Unknown, "hello": Unknown, "RIFF\x00\x00\x00\x00WAVE": Unknown, "\x89PN": Unknown,
		"<!-- a --> <?a b?><svg/>": SVG, "<!DOCTYPE svg PUBLIC \"\">": SVG, "<!-- <svg -->": Unknown, "<!--": Unknown, "<!DOCTYPE html>": Unknown,
	} {
		if got := Sniff([]byte(data)); got != want {
			t.Errorf("%q: got %s, want %s", data, got, want)
		}
	}
}

func TestMeasure(t *testing.T) {
	s := New(2, 2)
	copy(s.Pix, []byte{255, 0, 0, 255, 0, 100, 0, 255, 50, 0, 25, 100, 0, 0, 0, 0})
	got, err := Measure(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	// The third pixel is 128, 0, 64 at alpha 100.
	if got.Pixels != 4 || got.Opaque || got.Channels[0].Mean != (255+128)/4.0 || got.Channels[1].Max != 100 || got.Channels[2].Max != 64 ||
		got.Channels[3].Min != 0 || got.Channels[3].Max != 255 || got.Channels[0].Histogram[0] != 2 {
		t.Errorf("got %+v", got.Channels)
	}
	if want := 0.299*(255+128)/4 + 0.587*25 + 0.114*16; math.Abs(got.Luminance-want) > 1e-9 {
		t.Errorf("luminance %v, want %v", got.Luminance, want)
	}
}
