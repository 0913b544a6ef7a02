package image

import (
	"context"
	"testing"
)

func TestResizeLinear(t *testing.T) {
	ctx := context.Background()
	// Columns of black and white: half of the light is 188 in sRGB, half of the samples 128.
	s := New(64, 8)
	for x := range 64 {
		for y := range 8 {
			v := byte(x % 2 * 255)
			copy(s.Row(y)[4*x:], []byte{v, v, v, 255})
		}
	}
	part := Rect{0, 0, 64, 8}
	out, err := ResizeLinear(ctx, s, part, 8, 8, Box)
	if err != nil || at(out, 3, 3) != [4]byte{188, 188, 188, 255} {
		t.Errorf("linear: %v, %v", at(out, 3, 3), err)
	}
	out, err = ResizeSurface(ctx, s, part, 8, 8, Box)
	if err != nil || at(out, 3, 3) != [4]byte{128, 128, 128, 255} {
		t.Errorf("as stored: %v, %v", at(out, 3, 3), err)
	}
	// Colours of one kind stay, at each alpha, and do not get an edge.
	disc := New(40, 40)
	for y := range 40 {
		for x := range 40 {
			if (x-20)*(x-20)+(y-20)*(y-20) < 300 {
				p := []byte{90, 160, 220, byte(100 + 3*x)}
				Premultiply(p)
				copy(disc.Row(y)[4*x:], p)
			}
		}
	}
	for _, size := range [][2]int{{40, 40}, {17, 23}, {90, 80}} {
		out, err := ResizeLinear(ctx, disc, Rect{0, 0, 40, 40}, size[0], size[1], Lanczos3)
		if err != nil {
			t.Fatal(err)
		}
		straight := make([]byte, len(out.Pix))
		out.Straight(straight)
		for i := 0; i < len(straight); i += 4 {
			if p := straight[i : i+4]; p[3] > 60 && (p[0] < 84 || p[0] > 96 || p[1] < 154 || p[1] > 166 || p[2] < 214 || p[2] > 226) {
				t.Fatalf("%v: pixel %d is %v", size, i/4, p)
			}
		}
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := ResizeLinear(stopped, s, part, 8, 8, Box); err != context.Canceled {
		t.Errorf("got %v", err)
	}
	// More rows in a sum than are kept.
	if _, err := ResizeLinear(ctx, noise(3, 900, 1), Rect{0, 0, 3, 900}, 3, 2, Lanczos3); err != nil {
		t.Error(err)
	}
}
