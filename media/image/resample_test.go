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

// byDefinition resamples in floating point, as the definition of the kernel says; between the
// passes, of which the vertical one comes first, samples are clamped as bytes are.
func byDefinition(s *Surface, part Rect, width, height int, k Kernel) []float64 {
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
				if halvings(part.Width, size[0], k) > 0 || halvings(part.Height, size[1], k) > 0 {
					continue // the pre-shrunk picture is another one; see below
				}
				want := byDefinition(s, part, size[0], size[1], k)
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
	want := byDefinition(s, part, 32, 24, Lanczos3)
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

// Each length has its own tail after the words that the loops take at once.
func TestHalvingIsTheMeanWithinOne(t *testing.T) {
	for n := 1; n < 40; n++ {
		s := noise(n, 2, uint64(n))
		a, b := s.Row(0), s.Row(1)
		m := (n + 1) / 2
		rgba, rows := make([]byte, 4*m), make([]byte, 4*n)
		halveRGBA(rgba, a, b)
		meanRows(rows, a, b)
		gray := make([]byte, m)
		halveGray(gray, a[:n], b[:n])
		near := func(what string, got byte, sum, count int) {
			if d := float64(got) - float64(sum)/float64(count); d > 0.75 || d < -0.75 {
				t.Fatalf("%s of %d: got %d, want %.2f", what, n, got, float64(sum)/float64(count))
			}
		}
		for x := range m {
			l, r := 2*x, min(2*x+1, n-1)
			near("gray", gray[x], int(a[l])+int(a[r])+int(b[l])+int(b[r]), 4)
			for c := range 4 {
				near("rgba", rgba[4*x+c], int(a[4*l+c])+int(a[4*r+c])+int(b[4*l+c])+int(b[4*r+c]), 4)
			}
		}
		for x := range rows {
			near("rows", rows[x], int(a[x])+int(b[x]), 2)
		}
	}
}

// The sums of any weights stay in their lanes, also at the edges, whatever part is taken.
func TestWeightsAreExactAndBounded(t *testing.T) {
	for k := range kernels {
		for _, halved := range []bool{false, true} {
			for _, in := range []int{1, 2, 3, 7, 100} {
				for _, n := range []int{1, 2, 3, 50, 101, 333} {
					for _, part := range [][2]float64{{0, float64(in)}, {0, 0.01}, {float64(in) - 0.01, 0.01}, {float64(in) / 3, float64(in) / 2}} {
						w := newWeights(Kernel(k), n, part[0], part[1], in, halved)
						for i := range n {
							sum, negative := int64(0), int64(0)
							for _, v := range w.weightsOf(i) {
								sum += int64(v)
								negative -= min(int64(v), 0)
							}
							if sum != 1<<weightBits || negative > 1<<(weightBits-1) || w.first[i] < 0 || int(w.first[i])+w.taps > in {
								t.Fatalf("%v of %d to %d: sample %d from %d: the sum is %d, of negative ones %d", Kernel(k), in, n, i, w.first[i], sum, negative)
							}
						}
					}
				}
			}
		}
	}
}

// Rows of which only some are transparent, and each number of rows of a band.
func TestAlphaIsResampledWithItsOwnRow(t *testing.T) {
	for height := 1; height < 9; height++ {
		s := New(9, height)
		for y := range height {
			for x := range 9 {
				a := byte(255 - 28*y)
				copy(s.Row(y)[4*x:], []byte{a, a / 2, 0, a})
			}
		}
		out, err := ResizeSurface(context.Background(), s, Rect{0, 0, 9, float64(height)}, 9, height, Lanczos3)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range out.Pix {
			if v != s.Pix[i] {
				t.Fatalf("height %d: byte %d is %d, want %d", height, i, v, s.Pix[i])
			}
		}
	}
}

// A kernel that is much wider than the rows that are kept as words.
func TestVeryWideKernels(t *testing.T) {
	s := noise(5, 3000, 4)
	for _, k := range []Kernel{Box, Linear, Lanczos3} {
		got, err := ResizeSurface(context.Background(), s, Rect{0, 0, 5, 3000}, 5, 3, k)
		if err != nil {
			t.Fatal(err)
		}
		want := byDefinition(s, Rect{0, 0, 5, 3000}, 5, 3, k)
		for i, v := range want {
			// Weights of less than 1/2^12 each are rounded.
			if math.Abs(v-float64(got.Pix[i])) > 12 {
				t.Errorf("%v: byte %d is %d, want %.1f", k, i, got.Pix[i], v)
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
	opaque := s.Clone()
	for i := 3; i < len(opaque.Pix); i += 4 {
		opaque.Pix[i] = 255
	}
	b.Run("opaque 4000x3000 to 800x600", func(b *testing.B) {
		for b.Loop() {
			ResizeSurface(context.Background(), opaque, part, 800, 600, Lanczos3)
		}
	})
	b.Run("opaque 4000x3000 to 1200x900", func(b *testing.B) {
		for b.Loop() {
			ResizeSurface(context.Background(), opaque, part, 1200, 900, Lanczos3)
		}
	})
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

func TestHalvingTakesMeansOfFour(t *testing.T) {
	s := New(3, 3)
	for i := range 9 {
		copy(s.Pix[4*i:], []byte{byte(20 * i), 0, 0, 255})
	}
	got, err := halve(context.Background(), s, shrink{true, true})
	if err != nil || got.Width != 2 || got.Height != 2 {
		t.Fatalf("%v, %v", got, err)
	}
	// Of rows 0 20 40, 60 80 100, 120 140 160.
	for i, want := range []int{40, 70, 130, 160} {
		if v := int(got.Pix[4*i]); v < want-1 || v > want+1 || got.Pix[4*i+3] != 255 {
			t.Errorf("pixel %d is %v, want %d", i, got.Pix[4*i:4*i+4], want)
		}
	}
	if got, _ = halve(context.Background(), New(1, 7), shrink{false, true}); got.Width != 1 || got.Height != 4 {
		t.Errorf("1×7 becomes %d×%d", got.Width, got.Height)
	}
}
