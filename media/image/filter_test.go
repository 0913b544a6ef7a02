package image

import (
	"context"
	"testing"
)

// Filters are computed in fixed point; this is their definition in floating point.
func TestFiltersAreTheirDefinitionWithinOne(t *testing.T) {
	s := noise(64, 33, 6)
	for i := 3; i < 400; i += 4 {
		s.Pix[i] = 255
	}
	rows := [][]Filter{
		{{Brightness, 1.3}}, {{Contrast, 1.7}}, {{Invert, 0.3}}, {{Opacity, 0.35}}, {{Sepia, 0.6}}, {{HueRotate, 200}},
		{{Saturate, 3}}, {{Saturate, 0}}, {{Grayscale, 0.5}}, {{Brightness, 0.2}, {Contrast, 4}, {Invert, 1}},
		{{Opacity, 0.5}, {Invert, 1}, {Opacity, 0.5}}, {{Saturate, 20}}, {{Brightness, 1e300}}, {{Contrast, 1e308}},
		{{Brightness, 2}, {Contrast, 1}, {Saturate, 1}, {Grayscale, 0.2}, {Sepia, 0.1}, {Invert, 0.1}, {HueRotate, -10}, {Opacity, 0.9}},
	}
	for _, filters := range rows {
		got := s.Clone()
		if err := Apply(context.Background(), got, filters); err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(s.Pix); i += 4 {
			p := s.Pix[i : i+4]
			var c [3]float64
			a := float64(p[3])
			for k := range c {
				if a > 0 {
					c[k] = float64(p[k]) / a
				}
			}
			for _, f := range filters {
				m, add, alpha := f.matrix()
				var n [3]float64
				for k := range n {
					n[k] = min(max(m[3*k]*c[0]+m[3*k+1]*c[1]+m[3*k+2]*c[2]+add, 0), 1)
				}
				c, a = n, a*alpha
			}
			for k, v := range [4]float64{c[0] * a, c[1] * a, c[2] * a, a} {
				if d := v - float64(got.Pix[i+k]); d > 1 || d < -1 {
					t.Fatalf("%v of %v: got %v, want %.2f in channel %d", filters, p, got.Pix[i:i+4], v, k)
				}
			}
		}
	}
}

func BenchmarkFilter(b *testing.B) {
	s := noise(2000, 1500, 1)
	for i := 3; i < len(s.Pix); i += 4 {
		s.Pix[i] = 255
	}
	for _, f := range []Filter{{Brightness, 1.1}, {Sepia, 0.5}} {
		b.Run(f.Kind.String(), func(b *testing.B) {
			for b.Loop() {
				if err := Apply(context.Background(), s, []Filter{f}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("stats", func(b *testing.B) {
		for b.Loop() {
			if _, err := Measure(context.Background(), s); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, m := range []BlendMode{SourceOver, SourceAtop, Multiply, SoftLight, Hue} {
		b.Run(m.String(), func(b *testing.B) {
			o := noise(2000, 1500, 2)
			for b.Loop() {
				Draw(s, o, 0, 0, m, 255)
			}
		})
	}
}

func TestPlanesAreBlurredAsTheAlphaOfSurfaces(t *testing.T) {
	for _, sigma := range []float64{0.5, 1.7, 5, 6, 13, 40} {
		s := New(150, 97)
		plane := newPlane(150, 97)
		for i := range plane.Pix {
			if x, y := i%150, i/150; x > 40 && x < 99 && y > 30 && y < 70 && (x+y)%9 != 0 {
				plane.Pix[i], s.Pix[4*i+3] = 255, 255
			}
		}
		if err := GaussianBlur(context.Background(), s, sigma, sigma); err != nil {
			t.Fatal(err)
		}
		got, err := GaussianBlurPlane(context.Background(), plane, sigma, sigma)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got.Pix {
			if d := int(v) - int(s.Pix[4*i+3]); d < -1 || d > 1 {
				t.Fatalf("deviation %v: pixel %d, %d: got %d, want %d", sigma, i%150, i/150, v, s.Pix[4*i+3])
			}
		}
	}
}
