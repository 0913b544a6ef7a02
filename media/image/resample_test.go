package image

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

func noise(w, h int, seed uint64) *Surface {
	r := rand.New(rand.NewPCG(seed, 1))
	s := New(w, h)
	for i := range s.Pix {
		s.Pix[i] = byte(r.Uint32())
	}
	for i := 3; i < len(s.Pix); i += 4 {
		for c := 1; c < 4; c++ {
			s.Pix[i-c] = min(s.Pix[i-c], s.Pix[i])
		}
	}
	return s
}

// reference resamples in floating point, as the definition of the kernel says; between the
// passes, of which the vertical one comes first, samples are clamped as bytes are.
func reference(s *Surface, part Rect, width, height int, k Kernel) []float64 {
	line := func(n int, from, size float64, in int) [][]float64 {
		rows := make([][]float64, n)
		scale := size / float64(n)
		stretch := math.Max(scale, 1)
		for i := range rows {
			rows[i] = make([]float64, in)
			center, sum := from+(float64(i)+0.5)*scale, 0.0
			for x := range in {
				if k == Box {
					rows[i][x] = math.Max(0, math.Min(float64(x+1), center+stretch/2)-math.Max(float64(x), center-stretch/2))
				} else if d := math.Abs(float64(x)+0.5-center) / stretch; d < kernels[k].radius {
					rows[i][x] = kernels[k].at(d)
				}
				sum += rows[i][x]
			}
			for x := range in {
				rows[i][x] /= sum
			}
		}
		return rows
	}
	hw, vw := line(width, part.X, part.Width, s.Width), line(height, part.Y, part.Height, s.Height)
	out := make([]float64, 4*width*height)
	for y := range height {
		row := make([]float64, 4*s.Width)
		for sy, wy := range vw[y] {
			for i := range row {
				row[i] += wy * float64(s.Pix[4*sy*s.Width+i])
			}
		}
		for x := range width {
			for sx, wx := range hw[x] {
				for c := range 4 {
					out[4*(y*width+x)+c] += wx * min(max(row[4*sx+c], 0), 255)
				}
			}
		}
	}
	return out
}

func TestResampleIsTheKernelsWithinOne(t *testing.T) {
	s := noise(61, 47, 3)
	for _, k := range []Kernel{Lanczos3, Lanczos2, Mitchell, CatmullRom, Linear, Box} {
		for _, size := range [][2]int{{61, 47}, {40, 31}, {17, 33}, {130, 99}, {1, 1}, {61, 20}} {
			for _, part := range []Rect{{0, 0, 61, 47}, {3.5, 7.25, 40, 30}} {
				got, err := ResizeSurface(context.Background(), s, part, size[0], size[1], k)
				if err != nil {
					t.Fatal(err)
				}
				if halvings(part.Width, size[0], k) > 0 && halvings(part.Height, size[1], k) > 0 {
					continue // the pre-shrunk picture is another one; see below
				}
				want := reference(s, part, size[0], size[1], k)
				worst := 0.0
				for i, v := range want {
					v = min(max(v, 0), 255)
					if i%4 < 3 {
						v = min(v, min(max(want[i|3], 0), 255))
					}
					worst = max(worst, math.Abs(v-float64(got.Pix[i])))
				}
				// Rounding between the passes and of the weights; a wrong tap gives tens.
				if worst > 2.1 {
					t.Errorf("%v of %v to %v: off by %.2f", k, part, size, worst)
				}
			}
		}
	}
}

func TestShrinkingWithHalvingsStaysClose(t *testing.T) {
	// Smooth content with an edge, where a wrong offset would show.
	s := New(256, 192)
	for y := range s.Height {
		for x := range s.Width {
			v := byte(128 + 100*math.Sin(float64(x)/40)*math.Cos(float64(y)/30))
			if x > 100 && y > 77 {
				v = 255 - v
			}
			copy(s.Row(y)[4*x:], []byte{v, v / 2, 255 - v, 255})
		}
	}
	part := Rect{0, 0, 256, 192}
	got, err := ResizeSurface(context.Background(), s, part, 32, 24, Lanczos3)
	if err != nil {
		t.Fatal(err)
	}
	want := reference(s, part, 32, 24, Lanczos3)
	sum := 0.0
	for i, v := range want {
		sum += math.Abs(min(max(v, 0), 255) - float64(got.Pix[i]))
	}
	if mean := sum / float64(len(want)); mean > 2 {
		t.Errorf("mean absolute error %.2f, want at most 2", mean)
	}
}

func TestPlanesResampleLikeSurfaces(t *testing.T) {
	s := noise(45, 67, 9)
	p := Plane{Pix: make([]byte, 45*67), Stride: 45, Width: 45, Height: 67}
	for i := range p.Pix {
		p.Pix[i] = s.Pix[4*i+3]
	}
	for _, size := range [][2]int{{45, 67}, {20, 30}, {90, 100}, {5, 7}} {
		a, err := ResizeSurface(context.Background(), s, Rect{0, 0, 45, 67}, size[0], size[1], Lanczos3)
		if err != nil {
			t.Fatal(err)
		}
		b, err := ResizePlane(context.Background(), p, Rect{0, 0, 45, 67}, size[0], size[1], Lanczos3)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range b.Pix {
			if d := int(v) - int(a.Pix[4*i+3]); d > 1 || d < -1 {
				t.Fatalf("%v: sample %d is %d, in the surface %d", size, i, v, a.Pix[4*i+3])
			}
		}
	}
}

// A white disc on transparent black must not get a dark edge.
func TestNoFringeAtTransparentEdges(t *testing.T) {
	s := New(64, 64)
	for y := range 64 {
		for x := range 64 {
			if (x-32)*(x-32)+(y-32)*(y-32) < 700 {
				copy(s.Row(y)[4*x:], []byte{255, 255, 255, 255})
			}
		}
	}
	for _, k := range []Kernel{Lanczos3, CatmullRom, Linear, Box} {
		out, err := ResizeSurface(context.Background(), s, Rect{0, 0, 64, 64}, 32, 32, k)
		if err != nil {
			t.Fatal(err)
		}
		straight := make([]byte, len(out.Pix))
		out.Straight(straight)
		for i := 0; i < len(straight); i += 4 {
			if straight[i+3] > 8 && min(straight[i], straight[i+1], straight[i+2]) < 245 {
				t.Fatalf("%v: pixel %d is %v", k, i/4, straight[i:i+4])
			}
		}
	}
}

func TestResampleStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ResizeSurface(ctx, noise(500, 500, 1), Rect{0, 0, 500, 500}, 400, 400, Lanczos3); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

func BenchmarkResize(b *testing.B) {
	s := noise(4000, 3000, 1)
	p := Plane{Pix: s.Pix[:4000*3000], Stride: 4000, Width: 4000, Height: 3000}
	part := Rect{0, 0, 4000, 3000}
	b.Run("rgba 4000x3000 to 800x600", func(b *testing.B) {
		for b.Loop() {
			ResizeSurface(context.Background(), s, part, 800, 600, Lanczos3)
		}
	})
	b.Run("rgba 4000x3000 to 1200x900", func(b *testing.B) {
		for b.Loop() {
			ResizeSurface(context.Background(), s, part, 1200, 900, Lanczos3)
		}
	})
	b.Run("plane 4000x3000 to 800x600", func(b *testing.B) {
		for b.Loop() {
			ResizePlane(context.Background(), p, part, 800, 600, Lanczos3)
		}
	})
	b.Run("plane 1000x750 to 800x600", func(b *testing.B) {
		small := Plane{Pix: p.Pix, Stride: 1000, Width: 1000, Height: 750}
		for b.Loop() {
			ResizePlane(context.Background(), small, Rect{0, 0, 1000, 750}, 800, 600, Lanczos3)
		}
	})
}
