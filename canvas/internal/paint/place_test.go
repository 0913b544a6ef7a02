package paint

import (
	"bytes"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"quicksand/canvas/geometry"
	pix "quicksand/media/image"
)

func gray(w, h int, values ...uint8) *pix.Surface {
	s := pix.New(w, h)
	for i, v := range values {
		copy(s.Pix[4*i:], []byte{v, v, v, 255})
	}
	return s
}

// placedAll places all of s with edges as they are.
func placedAll(s *pix.Surface, m geometry.Matrix, e Edge, smooth Smoothing) Source {
	return NewTexture(s).Place(image.Rect(0, 0, s.Width, s.Height), m, e, e, smooth)
}

func scaled(x, y float64) geometry.Matrix { return geometry.Matrix{A: x, D: y} }

func TestSampling(t *testing.T) {
	square := gray(2, 2, 0, 100, 200, 40)
	line := gray(4, 1, 0, 0, 240, 240)
	moved := geometry.Matrix{A: 1, D: 1, E: 0.25, F: 0}
	for _, row := range []struct {
		name   string
		s      *pix.Surface
		m      geometry.Matrix
		edge   Edge
		smooth Smoothing
		x, y   int
		want   float64
		alpha  float64
	}{
		{"enlarged without smoothing, a pixel is a block", square, scaled(3, 3), Clamp, SmoothOff, 2, 5, 200, 255},
		{"enlarged without smoothing, the next block", square, scaled(3, 3), Clamp, SmoothOff, 3, 2, 100, 255},
		{"mirrored without smoothing", square, geometry.Matrix{A: -3, D: 3, E: 6}, Clamp, SmoothOff, 0, 0, 100, 255},
		// Pixel 1 of 4 is at 0.75 of the image, a quarter of the way between the centres 0.5 and 1.5.
		{"bilinear between two pixels", square, scaled(2, 2), Clamp, SmoothLow, 1, 0, 25, 255},
		{"bilinear between four pixels", square, scaled(2, 2), Clamp, SmoothLow, 1, 1, 0.75*25 + 0.25*160, 255},
		{"bilinear, clamped at the edge", square, scaled(2, 2), Clamp, SmoothLow, 0, 0, 0, 255},
		{"bilinear, repeated at the edge", square, scaled(2, 2), Repeat, SmoothLow, 0, 1, 0.25*(0.75*100+0.25*40) + 0.75*(0.75*0+0.25*200), 255},
		{"bilinear, repeated far away", square, scaled(2, 2), Repeat, SmoothLow, 4001, 8, 0.75*25 + 0.25*160, 255},
		{"bilinear, fading at a blank edge", gray(2, 2, 200, 200, 200, 200), scaled(2, 2), Blank, SmoothLow, 0, 1, 150, 0.75 * 255},
		{"moved by a quarter", square, moved, Clamp, SmoothLow, 1, 0, 75, 255},
		{"moved by a quarter, medium when not shrinking", square, moved, Clamp, SmoothMedium, 1, 0, 75, 255},
		// Mitchell at 0.25 between the second and third of four: weights 0.0…
		{"moved by a quarter, high when not enlarging", square, moved, Clamp, SmoothHigh, 1, 0, 75, 255},
		{"high, enlarged in one direction only", line, scaled(2, 1), Clamp, SmoothHigh, 3, 0, 60, 255},
		{"bicubic between pixels", line, scaled(2, 1.5), Clamp, SmoothHigh, 3, 0, 240 * (mitchellAt(0.75) + mitchellAt(1.75)), 255},
		{"bicubic on an even area", gray(2, 2, 77, 77, 77, 77), scaled(5, 5), Clamp, SmoothHigh, 4, 4, 77, 255},
		{"halved by medium, the mean of four", gray(4, 2, 0, 100, 10, 10, 200, 100, 10, 10), scaled(0.5, 0.5), Clamp, SmoothMedium, 0, 0, 100, 255},
		{"halved by high, the mean of four", gray(4, 2, 0, 100, 10, 10, 200, 100, 10, 10), scaled(0.5, 0.5), Clamp, SmoothHigh, 0, 0, 100, 255},
		{"without smoothing the first of two pixels", gray(4, 1, 1, 2, 3, 4), scaled(0.5, 1), Clamp, SmoothOff, 1, 0, 3, 255},
	} {
		got := pixelAt(placedAll(row.s, row.m, row.edge, row.smooth), row.x, row.y)
		if math.Abs(float64(got[0])-row.want) > 1 || math.Abs(float64(got[3])-row.alpha) > 1 || got[0] != got[2] || got[0] != got[1] {
			t.Errorf("%s: got %v, want %.1f, alpha %.1f", row.name, got, row.want, row.alpha)
		}
	}
}

// mitchellAt is the weight at a distance, as the paper has it for B = C = ⅓.
func mitchellAt(x float64) float64 {
	if x < 1 {
		return (7*x*x*x - 12*x*x + 16.0/3) / 6
	}
	return (-7.0/3*x*x*x + 12*x*x - 20*x + 32.0/3) / 6
}

// Bilinear sampling in floating point.
func bilinearAt(s *pix.Surface, u, v float64, c int) float64 {
	at := func(x, y int) float64 {
		return float64(s.Row(min(max(y, 0), s.Height-1))[4*min(max(x, 0), s.Width-1)+c])
	}
	u, v = u-0.5, v-0.5
	x, y := math.Floor(u), math.Floor(v)
	fx, fy := u-x, v-y
	i, j := int(x), int(y)
	return (at(i, j)*(1-fx)+at(i+1, j)*fx)*(1-fy) + (at(i, j+1)*(1-fx)+at(i+1, j+1)*fx)*fy
}

func TestBilinearIsWithinALevelUnderAnyMatrix(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	s := randomSurface(r, 37, 29)
	for range 30 {
		a, k := r.Float64()*7, 0.2+3*r.Float64()
		m := geometry.Matrix{A: k * math.Cos(a), B: k * math.Sin(a), C: -k * math.Sin(a), D: k * math.Cos(a), E: 40 * r.Float64(), F: 40 * r.Float64()}
		inv, _ := m.Inverse()
		src := placedAll(s, m, Clamp, SmoothLow)
		row := make([]byte, 4*100)
		for y := -20; y < 100; y += 7 {
			src.Row(row, -10, y)
			for i := range 100 {
				p := inv.Apply(geometry.Point{X: float64(i-10) + 0.5, Y: float64(y) + 0.5})
				for c := range 4 {
					// Weights have 8 bits: two of them are off by up to half of 1/256 of 255.
					if want := bilinearAt(s, p.X, p.Y, c); math.Abs(want-float64(row[4*i+c])) > 1.6 {
						t.Fatalf("%v at %d, %d: got %d, want %.2f", m, i-10, y, row[4*i+c], want)
					}
				}
			}
		}
	}
}

func TestSmoothingOfLevelImagesIsWithinALevel(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 5))
	s := randomSurface(r, 37, 29)
	row := make([]byte, 4*300)
	for range 60 {
		m := geometry.Matrix{A: 1 + 4*r.Float64(), D: 0.3 + 3*r.Float64(), E: 40 * r.Float64(), F: 40 * r.Float64()}
		if r.IntN(2) == 0 {
			m.A, m.E = -m.A, 100
		}
		if r.IntN(2) == 0 {
			m.D, m.F = -m.D, 100
		}
		inv, _ := m.Inverse()
		low, medium := placedAll(s, m, Clamp, SmoothLow), placedAll(s, m, Clamp, SmoothMedium)
		high := (&Texture{surface: s}).Place(image.Rect(0, 0, 37, 29), m, Clamp, Clamp, SmoothHigh)
		enlarging := math.Abs(m.D) > 1
		for y := -20; y < 120; y += 7 {
			for smooth, src := range map[Smoothing]Source{SmoothLow: low, SmoothMedium: medium, SmoothHigh: high} {
				if smooth > SmoothLow && !enlarging {
					continue
				}
				src.Row(row, -50, y)
				for i := range 300 {
					p := inv.Apply(geometry.Point{X: float64(i-50) + 0.5, Y: float64(y) + 0.5})
					alpha := 255.0
					for c := 3; c >= 0; c-- {
						u, v := p.X, p.Y
						if smooth == SmoothLow { // positions of 4 bits
							u, v = math.Floor((u-0.5)*16+1e-4)/16+0.5, math.Floor((v-0.5)*16+1e-4)/16+0.5
						}
						want := bilinearAt(s, u, v, c)
						if smooth == SmoothHigh {
							want = min(max(bicubicAt(s, p.X, p.Y, c), 0), alpha)
							if c == 3 {
								alpha = want
							}
						}
						// Weights at 256 positions, and of 11 bits.
						if math.Abs(want-float64(row[4*i+c])) > 2.3 {
							t.Fatalf("smoothing %d, %v at %d, %d: got %v, want %.2f of %d", smooth, m, i-50, y, row[4*i:4*i+4], want, c)
						}
					}
				}
			}
		}
	}
}

// Means are cut off, of odd sizes 1, 2 and 1 count.
func TestHalves(t *testing.T) {
	for _, row := range []struct {
		name     string
		in, want *pix.Surface
	}{
		{"two by two", gray(2, 2, 1, 1, 1, 0), gray(1, 1, 0)},
		{"a line", gray(4, 1, 10, 20, 30, 51), gray(2, 1, 15, 40)},
		{"a column", gray(1, 4, 10, 20, 30, 51), gray(1, 2, 15, 40)},
		{"five in a line", gray(5, 1, 8, 40, 80, 0, 4), gray(2, 1, 42, 21)},
		{"three by two", gray(3, 2, 8, 80, 16, 0, 0, 8), gray(1, 1, 24)},
		{"three by three", gray(3, 3, 1, 2, 3, 4, 50, 6, 7, 8, 9), gray(1, 1, 16)},
		{"one", gray(1, 1, 7), gray(1, 1, 7)},
		{"white", gray(3, 3, 255, 255, 255, 255, 255, 255, 255, 255, 255), gray(1, 1, 255)},
	} {
		if got := halve(row.in); got.Width != row.want.Width || !bytes.Equal(got.Pix, row.want.Pix) {
			t.Errorf("%s: %v, want %v", row.name, got.Pix, row.want.Pix)
		}
	}
}

// As in browsers: of an image that is shrunk to a quarter, what is halved once and what is
// halved twice count alike.
func TestShrunkImagesAreBetweenTwoHalvings(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 5))
	s := randomSurface(r, 64, 48)
	levels := []*pix.Surface{s}
	for range 5 {
		last := levels[len(levels)-1]
		half := halve(last)
		levels = append(levels, half)
	}
	for _, m := range []geometry.Matrix{scaled(1, 1), scaled(0.8, 0.8), scaled(0.3, 2)} {
		if Halves(m, SmoothHigh) {
			t.Errorf("%v takes memory", m)
		}
	}
	row := make([]byte, 4*40)
	for _, k := range []float64{0.9, 0.72, 0.7, 0.5, 0.4, 0.36, 0.25, 0.2, 0.1} {
		for _, angle := range []float64{0, 0.5} {
			sin, cos := math.Sincos(angle)
			m := geometry.Matrix{A: k * cos, B: k * sin, C: -k * sin, D: k * cos, E: 3.25, F: 0.5}
			inv, _ := m.Inverse()
			for _, smooth := range []Smoothing{SmoothMedium, SmoothHigh} {
				src := placedAll(s, m, Clamp, smooth)
				level := max(0, -math.Log2(k)-0.5)
				n, f := int(level), level-math.Floor(level)
				for y := range 30 {
					src.Row(row, 0, y)
					for i := range 40 {
						p := inv.Apply(geometry.Point{X: float64(i) + 0.5, Y: float64(y) + 0.5})
						for c := range 4 {
							at := func(n int) float64 {
								return bilinearAt(levels[n], math.Ldexp(p.X, -n), math.Ldexp(p.Y, -n), c)
							}
							// Two samples with weights of 8 bits, and a third such weight.
							if want := at(n)*(1-f) + at(n+1)*f; math.Abs(want-float64(row[4*i+c])) > 2.5 {
								t.Fatalf("smoothing %d, scale %v turned by %v at %d, %d: got %v, want %.2f of %d", smooth, k, angle, i, y, row[4*i:4*i+4], want, c)
							}
						}
					}
				}
			}
		}
	}
}

// Bicubic sampling in floating point.
func bicubicAt(s *pix.Surface, u, v float64, c int) (sum float64) {
	x, y := int(math.Floor(u-0.5)), int(math.Floor(v-0.5))
	for j := y - 1; j <= y+2; j++ {
		for i := x - 1; i <= x+2; i++ {
			p := float64(s.Row(min(max(j, 0), s.Height-1))[4*min(max(i, 0), s.Width-1)+c])
			sum += p * mitchellAt(math.Abs(u-0.5-float64(i))) * mitchellAt(math.Abs(v-0.5-float64(j)))
		}
	}
	return sum
}

func TestPixelsOnPixelsAreCopied(t *testing.T) {
	s := randomSurface(rand.New(rand.NewPCG(6, 6)), 9, 7)
	for e := range Blank + 1 {
		for smooth := range SmoothHigh + 1 {
			src := placedAll(s, geometry.Matrix{A: 1, D: 1, E: 5, F: -3}, e, smooth)
			row := make([]byte, 4*40)
			for y := -12; y < 14; y++ {
				src.Row(row, -12, y)
				for i := range 40 {
					x, yy := i-12-5, y+3
					xx, okX := e.wrap(x, 9)
					yy, okY := e.wrap(yy, 7)
					var want [4]byte
					if okX && okY {
						want = [4]byte(s.Row(yy)[4*xx:])
					}
					if got := [4]byte(row[4*i:]); got != want {
						t.Fatalf("edge %d, smoothing %d: pixel %d, %d is %v, want %v", e, smooth, i-12, y, got, want)
					}
				}
			}
		}
	}
}

// Around a part of white everything is black, in a picture of any scale.
func TestNothingOutsideOfThePartIsSeen(t *testing.T) {
	s := gray(64, 64)
	for i := range 64 * 64 {
		s.Pix[4*i+3] = 255
		if x, y := i%64, i/64; x >= 13 && x < 42 && y >= 7 && y < 30 {
			copy(s.Pix[4*i:], []byte{255, 255, 255, 255})
		}
	}
	tex := NewTexture(s)
	row := make([]byte, 4*300)
	for smooth := range SmoothHigh + 1 {
		for _, k := range []float64{0.07, 0.3, 0.8, 1, 1.3, 5} {
			src := tex.Place(image.Rect(13, 7, 42, 30), geometry.Matrix{A: k, B: 0.1 * k, C: -0.1 * k, D: k, E: 3.3}, Clamp, Clamp, smooth)
			for y := -50; y < 200; y += 3 {
				src.Row(row, -50, y)
				for i, v := range row {
					if v != 255 {
						t.Fatalf("smoothing %d, scale %v: pixel %d, %d is %v", smooth, k, i/4-50, y, v)
					}
				}
			}
		}
	}
}

func TestPartsAreKeptWithinTheSizeOfTheWhole(t *testing.T) {
	tex := NewTexture(gray(64, 64))
	first := tex.part(image.Rect(0, 0, 32, 32))
	for i := range 3 {
		tex.part(image.Rect(i, 32, 32+i, 64))
		if tex.part(image.Rect(0, 0, 32, 32)) != first {
			t.Errorf("after %d other parts the first one is gone", i+1)
		}
	}
	for i := range 100 {
		tex.part(image.Rect(i%32, i/32, 60, 60))
		held := 0
		for r := range tex.parts {
			held += r.Dx() * r.Dy()
		}
		if held > 64*64 {
			t.Fatalf("%d pixels are held", held)
		}
	}
}

func TestExtremePlacementsDoNotPanic(t *testing.T) {
	values := []float64{0, 1, -1, 1e-300, 1e300, -1e300, math.MaxFloat64, 5e-324, 1e10, -0.3}
	tex := NewTexture(gray(5, 3))
	dst := make([]byte, 4*9)
	r := rand.New(rand.NewPCG(1, 1))
	pick := func() float64 { return values[r.IntN(len(values))] }
	for range 5000 {
		m := geometry.Matrix{A: pick(), B: pick(), C: pick(), D: pick(), E: pick(), F: pick()}
		for e := range Blank + 1 {
			for smooth := range SmoothHigh + 1 {
				tex.Place(image.Rect(-9, 0, 4, 99), m, e, (e+1)%3, smooth).Row(dst, r.IntN(20000)-10000, r.IntN(20000))
			}
		}
	}
}
