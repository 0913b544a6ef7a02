package oracle

import (
	"context"
	"flag"
	stdimage "image"
	"image/color"
	stdpng "image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"quicksand/media/image"
)

var update = flag.Bool("update", false, "write the inputs that the other programs read")

// photo is smooth, with edges of both directions and some noise.
func photo(x, y int) color.NRGBA {
	fx, fy := float64(x)/240, float64(y)/180
	v := 128 + 90*math.Sin(fx*11+fy*3)*math.Cos(fy*9)
	if (x/37+y/29)%4 == 0 {
		v = 230 - v*0.6
	}
	if math.Hypot(fx-0.6, fy-0.4) < 0.2 {
		v = 255 - v
	}
	n := float64((x*7919+y*104729+x*y*31)%17) - 8
	c := func(f float64) uint8 { return uint8(min(max(f+n, 0), 255)) }
	return color.NRGBA{c(v), c(v*0.7 + 60*fx), c(200 - v*0.6), 255}
}

// alpha is a disc with a soft edge, and half transparent stripes.
func alpha(x, y int) color.NRGBA {
	d := math.Hypot(float64(x)-48, float64(y)-32)
	a := min(max((30-d)*20, 0), 255)
	if a == 0 && x%12 < 6 {
		a = 110
	}
	return color.NRGBA{uint8(x * 255 / 95), uint8(y * 255 / 63), uint8(255 - x*2), uint8(a)}
}

// layer is gradients of colour and of alpha.
func layer(x, y int) color.NRGBA {
	return color.NRGBA{uint8(y * 4), uint8(255 - y*4), uint8(128 + 120*math.Sin(float64(x)/7)), uint8(x * 255 / 95)}
}

// border is a picture in a border that is nearly white.
func border(x, y int) color.NRGBA {
	if x >= 11 && x < 60 && y >= 7 && y < 45 {
		return photo(x*2, y*2)
	}
	return color.NRGBA{uint8(250 + (x+y)%5), 252, 253, 255}
}

var inputs = map[string]struct {
	w, h int
	at   func(x, y int) color.NRGBA
}{"photo": {240, 180, photo}, "alpha": {96, 64, alpha}, "layer": {96, 64, layer}, "border": {80, 60, border}}

func file(name string) string { return filepath.Join("testdata", name+".png") }

// The inputs on disk are what the functions give, so that a change of them shows.
func TestInputs(t *testing.T) {
	for name, in := range inputs {
		m := stdimage.NewNRGBA(stdimage.Rect(0, 0, in.w, in.h))
		for y := range in.h {
			for x := range in.w {
				m.SetNRGBA(x, y, in.at(x, y))
			}
		}
		if *update {
			f, err := os.Create(file("in-" + name))
			if err != nil {
				t.Fatal(err)
			}
			if err := stdpng.Encode(f, m); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
		s := read(t, "in-"+name)
		straight := make([]byte, len(s.Pix))
		s.Straight(straight)
		for i := range straight {
			// Colours of transparent pixels are lost, and all colours are rounded at their alpha.
			if m.Pix[i|3] == 255 && straight[i] != m.Pix[i] {
				t.Fatalf("in-%s.png is another picture at %d", name, i)
			}
		}
	}
	if *update {
		for name, icc := range map[string][]byte{"srgb": sRGB.profile(), "p3": displayP3.profile(), "adobe": adobeRGB.profile()} {
			if err := os.WriteFile(filepath.Join("testdata", "in-"+name+".icc"), icc, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func read(t testing.TB, name string) *image.Surface {
	t.Helper()
	data, err := os.ReadFile(file(name))
	if err != nil {
		t.Fatal(err)
	}
	p, err := image.Open(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Surface(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func whole(s *image.Surface) image.Rect {
	return image.Rect{Width: float64(s.Width), Height: float64(s.Height)}
}

// mean is the mean absolute difference of two surfaces, but for a margin, in pixels.
func mean(t testing.TB, a, b *image.Surface, margin int) float64 {
	t.Helper()
	if a.Width != b.Width || a.Height != b.Height {
		t.Fatalf("%d×%d, want %d×%d", a.Width, a.Height, b.Width, b.Height)
	}
	sum, n := 0.0, 0
	for y := margin; y < a.Height-margin; y++ {
		p, q := a.Row(y), b.Row(y)
		for i := 4 * margin; i < len(p)-4*margin; i++ {
			sum += math.Abs(float64(p[i]) - float64(q[i]))
			n++
		}
	}
	return sum / float64(n)
}

func resized(width, height int, k image.Kernel) func(context.Context, *image.Surface) (*image.Surface, error) {
	return func(ctx context.Context, s *image.Surface) (*image.Surface, error) {
		return image.ResizeSurface(ctx, s, whole(s), width, height, k)
	}
}

func linear(width, height int) func(context.Context, *image.Surface) (*image.Surface, error) {
	return func(ctx context.Context, s *image.Surface) (*image.Surface, error) {
		return image.ResizeLinear(ctx, s, whole(s), width, height, image.Lanczos3)
	}
}

func placed(fit image.Fit, anchor image.Anchor) func(context.Context, *image.Surface) (*image.Surface, error) {
	return func(ctx context.Context, s *image.Surface) (*image.Surface, error) {
		p, err := image.Place(s.Width, s.Height, image.FitOptions{Width: 40, Height: 60, Fit: fit, Anchor: anchor})
		if err != nil {
			return nil, err
		}
		part, err := image.ResizeSurface(ctx, s, p.Part, p.PartWidth, p.PartHeight, image.Lanczos3)
		if err != nil || p.Whole() {
			return part, err
		}
		out := image.New(p.Width, p.Height)
		image.Draw(out, part, p.X, p.Y, image.SourceOver, 255)
		return out, nil
	}
}

func filtered(f ...image.Filter) func(context.Context, *image.Surface) (*image.Surface, error) {
	return func(ctx context.Context, s *image.Surface) (*image.Surface, error) { return s, image.Apply(ctx, s, f) }
}

func sharpened(o image.SharpenOptions) func(context.Context, *image.Surface) (*image.Surface, error) {
	return func(ctx context.Context, s *image.Surface) (*image.Surface, error) {
		return s, image.Sharpen(ctx, s, o)
	}
}

func turned(quarters int) func(context.Context, *image.Surface) (*image.Surface, error) {
	return func(ctx context.Context, s *image.Surface) (*image.Surface, error) {
		return image.Turn(s, quarters), nil
	}
}

func threshold(level uint8) func(context.Context, *image.Surface) (*image.Surface, error) {
	return func(ctx context.Context, s *image.Surface) (*image.Surface, error) {
		return s, image.Threshold(ctx, s, level, true)
	}
}

func trimmed(ctx context.Context, s *image.Surface) (*image.Surface, error) {
	out, _, _, err := image.Trim(ctx, s, image.TrimOptions{Threshold: image.DefaultTrim})
	return out, err
}

func converted(p space) func(context.Context, *image.Surface) (*image.Surface, error) {
	return func(ctx context.Context, s *image.Surface) (*image.Surface, error) {
		c, _ := image.NewConversion(p.profile())
		return s, c.Apply(ctx, s)
	}
}

var rows = []struct {
	golden, input string
	do            func(ctx context.Context, s *image.Surface) (*image.Surface, error)
	tolerance     float64
}{
	{"sharp-lanczos3-100", "photo", resized(100, 75, image.Lanczos3), 1},
	{"sharp-lanczos3-80", "photo", resized(80, 60, image.Lanczos3), 1},
	{"sharp-lanczos3-60", "photo", resized(60, 45, image.Lanczos3), 1},
	{"sharp-lanczos3-30", "photo", resized(30, 23, image.Lanczos3), 1},
	{"sharp-lanczos2-80", "photo", resized(80, 60, image.Lanczos2), 1},
	{"sharp-mitchell-80", "photo", resized(80, 60, image.Mitchell), 1},
	{"sharp-cubic-80", "photo", resized(80, 60, image.CatmullRom), 1},
	{"sharp-nearest-80", "photo", resized(80, 60, image.Nearest), 1},
	// Stripes of six pixels, which means of two before the kernel take a level from.
	{"sharp-alpha-32", "alpha", resized(32, 24, image.Lanczos3), 2},
	{"magick-alpha-32", "alpha", resized(32, 24, image.Lanczos3), 2},
	{"magick-alpha-150", "alpha", resized(150, 100, image.Lanczos3), 1},
	{"sharp-gamma-60", "photo", linear(60, 45), 2},
	{"magick-lanczos-100", "photo", resized(100, 75, image.Lanczos3), 1},
	{"magick-lanczos-300", "photo", resized(300, 225, image.Lanczos3), 1},
	{"magick-box-60", "photo", resized(60, 45, image.Box), 1},
	{"magick-triangle-80", "photo", resized(80, 60, image.Linear), 1},
	{"magick-linear-60", "photo", linear(60, 45), 1},
	{"sharp-cover-center", "photo", placed(image.Cover, image.Center), 1},
	{"sharp-cover-left-top", "photo", placed(image.Cover, image.TopLeft), 1},
	{"sharp-cover-right", "photo", placed(image.Cover, image.Right), 1},
	{"sharp-contain-center", "photo", placed(image.Contain, image.Center), 1},
	{"sharp-contain-left-top", "photo", placed(image.Contain, image.TopLeft), 1},
	{"sharp-contain-right", "photo", placed(image.Contain, image.Right), 1},
	{"sharp-threshold", "photo", threshold(140), 0},
	{"magick-threshold", "photo", threshold(140), 0},
	{"sharp-trim", "border", trimmed, 0},
	{"magick-trim", "border", trimmed, 0},
	{"sharp-rotate-90", "photo", turned(1), 0},
	{"magick-rotate-90", "photo", turned(1), 0},
	{"magick-rotate-270", "photo", turned(3), 0},
	{"sharp-flop", "photo", func(_ context.Context, s *image.Surface) (*image.Surface, error) {
		return image.Flip(s, true, false), nil
	}, 0},
	{"sharp-flip", "photo", func(_ context.Context, s *image.Surface) (*image.Surface, error) {
		return image.Flip(s, false, true), nil
	}, 0},
	{"sharp-negate", "photo", filtered(image.Filter{Kind: image.Invert, Amount: 1}), 0},
	{"magick-blur-2", "alpha", filtered(image.Filter{Kind: image.Blur, Amount: 2}), 1},
	{"magick-unsharp", "photo", sharpened(image.SharpenOptions{Sigma: 1.5, Amount: 1}), 1},
	// ImageMagick compares twice the difference with the threshold.
	{"magick-unsharp-threshold", "photo", sharpened(image.SharpenOptions{Sigma: 2, Amount: 1.8, Threshold: 0.02 * 255}), 1},
	{"magick-p3", "photo", converted(displayP3), 1},
	{"magick-adobe", "photo", converted(adobeRGB), 1},
	{"canvas-brightness", "photo", filtered(image.Filter{Kind: image.Brightness, Amount: 1.3}), 1},
	{"canvas-contrast", "photo", filtered(image.Filter{Kind: image.Contrast, Amount: 1.5}), 1},
	{"canvas-saturate", "photo", filtered(image.Filter{Kind: image.Saturate, Amount: 2}), 1},
	{"canvas-grayscale", "photo", filtered(image.Filter{Kind: image.Grayscale, Amount: 0.7}), 1},
	{"canvas-sepia", "photo", filtered(image.Filter{Kind: image.Sepia, Amount: 0.8}), 1},
	{"canvas-invert", "photo", filtered(image.Filter{Kind: image.Invert, Amount: 0.6}), 1},
	{"canvas-hue-rotate", "photo", filtered(image.Filter{Kind: image.HueRotate, Amount: 75}), 1},
	{"canvas-opacity", "photo", filtered(image.Filter{Kind: image.Opacity, Amount: 0.4}), 1},
	{"canvas-blur-1", "photo", filtered(image.Filter{Kind: image.Blur, Amount: 1}), 1},
	{"canvas-blur-3", "photo", filtered(image.Filter{Kind: image.Blur, Amount: 3}), 1},
	{"canvas-blur-12", "photo", filtered(image.Filter{Kind: image.Blur, Amount: 12}), 2},
}

func TestResultsOfOtherPrograms(t *testing.T) {
	for _, row := range rows {
		t.Run(row.golden, func(t *testing.T) {
			got, err := row.do(context.Background(), read(t, "in-"+row.input))
			if err != nil {
				t.Fatal(err)
			}
			e := mean(t, got, read(t, row.golden), 0)
			if e > row.tolerance {
				t.Errorf("mean absolute error %.3f, want at most %v", e, row.tolerance)
			}
			t.Logf("mean absolute error %.3f", e)
		})
	}
}

func TestBlendModesOfACanvas(t *testing.T) {
	for m := image.SourceOver; m <= image.Luminosity; m++ {
		t.Run(m.String(), func(t *testing.T) {
			s := read(t, "in-alpha")
			image.Draw(s, read(t, "in-layer"), 0, 0, m, 255)
			e := mean(t, s, read(t, "canvas-"+m.String()), 0)
			if e > 1 {
				t.Errorf("mean absolute error %.3f", e)
			}
			t.Logf("mean absolute error %.3f", e)
		})
	}
}
