package canvas

import (
	"image"
	"math/rand/v2"
	"testing"

	"quicksand/canvas/geometry"
	"quicksand/canvas/internal/paint"
)

// TestBoxesCoverWhatTheyOverlap compares each pixel with the part of it that a box overlaps,
// on a mask and painted.
func TestBoxesCoverWhatTheyOverlap(t *testing.T) {
	const size = 12
	r := rand.New(rand.NewPCG(1, 1))
	// Half of the borders are on those of pixels.
	border := func() float64 {
		if v := r.Float64()*16 - 2; r.IntN(2) == 0 {
			return v
		} else {
			return float64(int(v))
		}
	}
	clip := image.Rect(0, 0, size, size)
	for range 3000 {
		b := geometry.Rect{X0: border(), Y0: border()}
		b.X1, b.Y1 = b.X0+border()/3, b.Y0+border()/3
		m := paint.NewMask(clip)
		coverBox(b, clip, m)
		c := newTest(t, size, size, Options{})
		p := paint.NewPainter(c.surface, 0, size)
		p.Begin(paint.Op{Alpha: 1, Source: opaque})
		coverBox(b, clip, p)
		p.End()
		for y := range size {
			for x := range size {
				w := min(b.X1, float64(x+1)) - max(b.X0, float64(x))
				h := min(b.Y1, float64(y+1)) - max(b.Y0, float64(y))
				want := uint8(max(w, 0)*max(h, 0)*255 + 0.5)
				if got := m.Row(y)[x]; got != want {
					t.Fatalf("%v: the mask at %d, %d is %d, want %d", b, x, y, got, want)
				}
				if got := c.surface.Row(y)[4*x+3]; got != want {
					t.Fatalf("%v: the alpha at %d, %d is %d, want %d", b, x, y, got, want)
				}
			}
		}
	}
}
