package oracle

import (
	"context"
	stdimage "image"
	"image/color"
	"testing"

	"github.com/disintegration/imaging"

	"quicksand/media/image"
)

// std is a surface as a picture of the standard library, and back.
func std(s *image.Surface) *stdimage.NRGBA {
	m := stdimage.NewNRGBA(stdimage.Rect(0, 0, s.Width, s.Height))
	s.Straight(m.Pix)
	return m
}

func surface(m *stdimage.NRGBA) *image.Surface {
	b := m.Bounds()
	s := image.New(b.Dx(), b.Dy())
	for y := range s.Height {
		copy(s.Row(y), m.Pix[y*m.Stride:][:4*s.Width])
	}
	image.Premultiply(s.Pix)
	return s
}

// imaging rotates counterclockwise, interpolates linearly, and continues the edge where we
// have nothing; its results are compared in the middle.
func TestResultsOfImaging(t *testing.T) {
	ctx := context.Background()
	middle := func(s *image.Surface, w, h int) *image.Surface {
		out, err := image.Crop(s, (s.Width-w)/2, (s.Height-h)/2, w, h)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	rotated := func(degrees float64) func() (got, want *image.Surface) {
		return func() (got, want *image.Surface) {
			got, err := image.Rotate(ctx, read(t, "in-photo"), degrees)
			if err != nil {
				t.Fatal(err)
			}
			want = surface(imaging.Rotate(std(read(t, "in-photo")), -degrees, color.Transparent))
			// The bounding boxes are rounded differently: those of the same parity have the same
			// middle.
			if (got.Width^want.Width)&1 != 0 || (got.Height^want.Height)&1 != 0 {
				t.Fatalf("%d×%d and %d×%d have no middle in common", got.Width, got.Height, want.Width, want.Height)
			}
			return middle(got, 100, 80), middle(want, 100, 80)
		}
	}
	rows := []struct {
		name      string
		results   func() (got, want *image.Surface)
		tolerance float64
		margin    int
	}{
		{"a turn by 17 degrees", rotated(17), 1, 0},
		{"a turn by 215 degrees", rotated(215), 1, 0},
		{"a blur by 2", func() (got, want *image.Surface) {
			got = read(t, "in-photo")
			if err := image.GaussianBlur(ctx, got, 2, 2); err != nil {
				t.Fatal(err)
			}
			return got, surface(imaging.Blur(std(read(t, "in-photo")), 2))
		}, 1, 7},
		{"a blur by 8", func() (got, want *image.Surface) {
			got = read(t, "in-photo")
			if err := image.GaussianBlur(ctx, got, 8, 8); err != nil {
				t.Fatal(err)
			}
			return got, surface(imaging.Blur(std(read(t, "in-photo")), 8))
		}, 1, 25},
		{"sharpening, up to the edges", func() (got, want *image.Surface) {
			got = read(t, "in-photo")
			if err := image.Sharpen(ctx, got, image.SharpenOptions{Sigma: 1.5, Amount: 1}); err != nil {
				t.Fatal(err)
			}
			return got, surface(imaging.Sharpen(std(read(t, "in-photo")), 1.5))
		}, 1, 0},
		{"Lanczos, smaller", func() (got, want *image.Surface) {
			got, err := resized(100, 75, image.Lanczos3)(ctx, read(t, "in-photo"))
			if err != nil {
				t.Fatal(err)
			}
			return got, surface(imaging.Resize(std(read(t, "in-photo")), 100, 75, imaging.Lanczos))
		}, 1, 0},
		{"Lanczos with alpha, larger", func() (got, want *image.Surface) {
			got, err := resized(150, 100, image.Lanczos3)(ctx, read(t, "in-alpha"))
			if err != nil {
				t.Fatal(err)
			}
			return got, surface(imaging.Resize(std(read(t, "in-alpha")), 150, 100, imaging.Lanczos))
		}, 1, 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, want := row.results()
			e := mean(t, got, want, row.margin)
			if e > row.tolerance {
				t.Errorf("mean absolute error %.3f, want at most %v", e, row.tolerance)
			}
			t.Logf("mean absolute error %.3f", e)
		})
	}
}

// BenchmarkImaging sets our operations and those of imaging side by side; run it with -cpu 1.
func BenchmarkImaging(b *testing.B) {
	ctx := context.Background()
	s := image.New(2000, 1500)
	for y := range s.Height {
		for x := range s.Width {
			c := photo(x%240, y%180)
			copy(s.Row(y)[4*x:], []byte{c.R, c.G, c.B, 255})
		}
	}
	m := std(s)
	for _, row := range []struct {
		name          string
		ours, imaging func()
	}{
		{"rotate 30", func() { _, _ = image.Rotate(ctx, s, 30) }, func() { imaging.Rotate(m, -30, color.Transparent) }},
		{"blur 2", func() { _ = image.GaussianBlur(ctx, s.Clone(), 2, 2) }, func() { imaging.Blur(m, 2) }},
		{"blur 10", func() { _ = image.GaussianBlur(ctx, s.Clone(), 10, 10) }, func() { imaging.Blur(m, 10) }},
		{"sharpen 1.5", func() { _ = image.Sharpen(ctx, s.Clone(), image.SharpenOptions{Sigma: 1.5, Amount: 1}) }, func() { imaging.Sharpen(m, 1.5) }},
		{"resize to 800x600", func() { _, _ = image.ResizeSurface(ctx, s, whole(s), 800, 600, image.Lanczos3) }, func() { imaging.Resize(m, 800, 600, imaging.Lanczos) }},
		{"turn", func() { image.Turn(s, 1) }, func() { imaging.Rotate270(m) }},
	} {
		b.Run(row.name+"/ours", func(b *testing.B) {
			for b.Loop() {
				row.ours()
			}
		})
		b.Run(row.name+"/imaging", func(b *testing.B) {
			for b.Loop() {
				row.imaging()
			}
		})
	}
}
