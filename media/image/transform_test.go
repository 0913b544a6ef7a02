package image

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"
)

// numbered has a different colour in each pixel.
func numbered(w, h int) *Surface {
	s := New(w, h)
	for i := range w * h {
		copy(s.Pix[4*i:], []byte{byte(i), byte(i >> 8), byte(i % w), 255})
	}
	return s
}

func at(s *Surface, x, y int) [4]byte { return [4]byte(s.Row(y)[4*x:]) }

func TestQuarterTurns(t *testing.T) {
	s := numbered(40, 20)
	one := Turn(s, 1)
	if one.Width != 20 || one.Height != 40 {
		t.Fatalf("a quarter turn of 40×20 is %d×%d", one.Width, one.Height)
	}
	// Clockwise: the upper left corner comes to the upper right.
	if at(one, 19, 0) != at(s, 0, 0) || at(one, 0, 0) != at(s, 0, 19) || at(one, 19, 39) != at(s, 39, 0) {
		t.Error("a quarter turn is not clockwise")
	}
	four := s
	for range 4 {
		four = Turn(four, 1)
	}
	if !bytes.Equal(four.Pix, s.Pix) {
		t.Error("four quarter turns are not the picture")
	}
	for q, want := range map[int]*Surface{2: Turn(one, 1), 3: Turn(Turn(one, 1), 1), -1: Turn(s, 3), 5: one, 0: s} {
		if got := Turn(s, q); !bytes.Equal(got.Pix, want.Pix) {
			t.Errorf("%d quarter turns", q)
		}
	}
	for _, degrees := range []float64{90, -270, 450} {
		if got, err := Rotate(context.Background(), s, degrees); err != nil || !bytes.Equal(got.Pix, one.Pix) {
			t.Errorf("%v degrees is not a quarter turn (%v)", degrees, err)
		}
	}
}

func TestFlips(t *testing.T) {
	s := numbered(5, 3)
	h, v, b := Flip(s, true, false), Flip(s, false, true), Flip(s, true, true)
	for y := range 3 {
		for x := range 5 {
			if at(h, x, y) != at(s, 4-x, y) || at(v, x, y) != at(s, x, 2-y) || at(b, x, y) != at(s, 4-x, 2-y) {
				t.Fatalf("wrong at %d,%d", x, y)
			}
		}
	}
}

// The eight orientations: where the corners of the stored picture are shown (row and column
// of the visual picture that row 0 and column 0 stand for).
func TestOrientations(t *testing.T) {
	s := numbered(4, 2)
	for orientation, place := range map[int]func(x, y int) (int, int){
		1: func(x, y int) (int, int) { return x, y },
		2: func(x, y int) (int, int) { return 3 - x, y },
		3: func(x, y int) (int, int) { return 3 - x, 1 - y },
		4: func(x, y int) (int, int) { return x, 1 - y },
		5: func(x, y int) (int, int) { return y, x },
		6: func(x, y int) (int, int) { return 1 - y, x },
		7: func(x, y int) (int, int) { return 1 - y, 3 - x },
		8: func(x, y int) (int, int) { return y, 3 - x },
	} {
		out := Orient(s, orientation)
		for y := range 2 {
			for x := range 4 {
				px, py := place(x, y)
				if at(out, px, py) != at(s, x, y) {
					t.Errorf("orientation %d: %d,%d is not at %d,%d", orientation, x, y, px, py)
				}
			}
		}
	}
}

func TestCrop(t *testing.T) {
	s := numbered(10, 8)
	got, err := Crop(s, 2, 3, 4, 5)
	if err != nil || got.Width != 4 || got.Height != 5 || at(got, 0, 0) != at(s, 2, 3) || at(got, 3, 4) != at(s, 5, 7) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, r := range [][4]int{{0, 0, 11, 1}, {-1, 0, 2, 2}, {9, 7, 2, 1}, {0, 0, 0, 1}, {0, 8, 1, 1}, {math.MaxInt, 0, 1, 1}, {1, 1, math.MaxInt, 1}} {
		if _, err := Crop(s, r[0], r[1], r[2], r[3]); err == nil || !strings.Contains(err.Error(), "falls outside the 10x8 image") {
			t.Errorf("%v: got %v", r, err)
		}
	}
}

func TestRotateByAnyAngle(t *testing.T) {
	s := New(40, 20)
	Fill(s, [4]uint8{200, 100, 50, 255}, Copy)
	out, err := Rotate(context.Background(), s, 45)
	if err != nil {
		t.Fatal(err)
	}
	if out.Width != 42 || out.Height != 42 {
		t.Errorf("got %d×%d, want the bounding box of 42×42", out.Width, out.Height)
	}
	if got := at(out, 21, 21); got != [4]byte{200, 100, 50, 255} {
		t.Errorf("the centre is %v", got)
	}
	if got := at(out, 0, 0); got != [4]byte{} {
		t.Errorf("the corner is %v", got)
	}
	// A turn and back is the picture again, but for the interpolation.
	smooth := New(60, 60) // its bounding boxes, 82 and 112, have the same middle
	for y := range 60 {
		for x := range 60 {
			v := byte(128 + 60*math.Sin(float64(x)/9) + 50*math.Cos(float64(y)/7))
			copy(smooth.Row(y)[4*x:], []byte{v, v, v, 255})
		}
	}
	there, _ := Rotate(context.Background(), smooth, 30)
	back, _ := Rotate(context.Background(), there, -30)
	dx, dy := (back.Width-60)/2, (back.Height-60)/2
	worst := 0
	for y := 8; y < 52; y++ {
		for x := 8; x < 52; x++ {
			d := int(at(back, x+dx, y+dy)[0]) - int(at(smooth, x, y)[0])
			worst = max(worst, d, -d)
		}
	}
	if worst > 4 {
		t.Errorf("30 degrees and back differ by %d", worst)
	}
	if _, err := Rotate(context.Background(), New(16000, 16000/8), 45); err == nil {
		t.Error("a result of 12 700×12 700 passed")
	}
	if _, err := Rotate(context.Background(), s, math.NaN()); err == nil {
		t.Error("NaN passed")
	}
}

func TestFilterFunctions(t *testing.T) {
	rows := []struct {
		name string
		f    Filter
		in   [4]uint8
		want [4]uint8
	}{
		{"brightness 1 changes nothing", Filter{Brightness, 1}, [4]uint8{10, 100, 250, 255}, [4]uint8{10, 100, 250, 255}},
		{"brightness 2 doubles and clamps", Filter{Brightness, 2}, [4]uint8{10, 100, 250, 255}, [4]uint8{20, 200, 255, 255}},
		{"brightness 0 is black", Filter{Brightness, 0}, [4]uint8{10, 100, 250, 255}, [4]uint8{0, 0, 0, 255}},
		{"contrast 2 about the middle", Filter{Contrast, 2}, [4]uint8{100, 128, 200, 255}, [4]uint8{73, 129, 255, 255}},
		{"contrast 0 is grey", Filter{Contrast, 0}, [4]uint8{100, 128, 200, 255}, [4]uint8{128, 128, 128, 255}},
		{"invert 1", Filter{Invert, 1}, [4]uint8{10, 100, 250, 255}, [4]uint8{245, 155, 5, 255}},
		{"invert half is grey", Filter{Invert, 0.5}, [4]uint8{10, 100, 250, 255}, [4]uint8{128, 128, 128, 255}},
		{"grayscale by Rec. 709", Filter{Grayscale, 1}, [4]uint8{255, 0, 0, 255}, [4]uint8{54, 54, 54, 255}},
		{"saturate 0 by its own weights", Filter{Saturate, 0}, [4]uint8{255, 0, 0, 255}, [4]uint8{54, 54, 54, 255}},
		{"sepia 1 of white", Filter{Sepia, 1}, [4]uint8{255, 255, 255, 255}, [4]uint8{255, 255, 239, 255}},
		{"hue by 180 degrees", Filter{HueRotate, 180}, [4]uint8{255, 0, 0, 255}, [4]uint8{0, 109, 109, 255}},
		{"hue by 360 degrees changes nothing", Filter{HueRotate, 360}, [4]uint8{13, 77, 200, 255}, [4]uint8{13, 77, 200, 255}},
		{"opacity one half", Filter{Opacity, 0.5}, [4]uint8{255, 0, 0, 255}, [4]uint8{128, 0, 0, 128}},
		{"colours are straight while they are filtered", Filter{Invert, 1}, [4]uint8{100, 0, 0, 100}, [4]uint8{0, 100, 100, 100}},
		{"transparent stays transparent", Filter{Invert, 1}, [4]uint8{}, [4]uint8{}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			s := New(3, 2)
			for i := range 6 {
				copy(s.Pix[4*i:], row.in[:])
			}
			if err := Apply(context.Background(), s, []Filter{row.f}); err != nil {
				t.Fatal(err)
			}
			for i := range 6 {
				for c := range 4 {
					if d := int(s.Pix[4*i+c]) - int(row.want[c]); d > 1 || d < -1 {
						t.Fatalf("got %v, want %v", s.Pix[4*i:4*i+4], row.want)
					}
				}
			}
		})
	}
	for _, f := range []Filter{{Brightness, -1}, {Blur, math.Inf(1)}, {Contrast, math.NaN()}, {Blur, 1001}} {
		if err := Apply(context.Background(), New(1, 1), []Filter{f}); err == nil {
			t.Errorf("%v passed", f)
		}
	}
}

// A blurred square is its convolution with the Gaussian, and no light is lost.
func TestGaussianBlur(t *testing.T) {
	for _, row := range []struct{ sigma, tolerance float64 }{
		{0.5, 2}, {1, 2}, {2, 2}, {5, 2}, {reducedBlur - 0.01, 2}, {reducedBlur, 3}, {9, 3}, {11.9, 3}, {13, 3}, {20, 3}, {40, 3},
	} {
		const size, from, to = 161, 60, 101
		s := New(size, size)
		for y := from; y < to; y++ {
			for x := from; x < to; x++ {
				copy(s.Row(y)[4*x:], []byte{255, 255, 255, 255})
			}
		}
		if err := GaussianBlur(context.Background(), s, row.sigma, row.sigma); err != nil {
			t.Fatal(err)
		}
		line, total := make([]float64, size), 0.0
		for d := -size; d <= size; d++ {
			total += math.Exp(-float64(d*d) / (2 * row.sigma * row.sigma))
		}
		for x := range line {
			for i := from; i < to; i++ {
				line[x] += math.Exp(-float64((x-i)*(x-i))/(2*row.sigma*row.sigma)) / total
			}
		}
		worst, sum := 0.0, 0.0
		for y := range size {
			for x := range size {
				got := float64(at(s, x, y)[3])
				worst = max(worst, math.Abs(got-255*line[x]*line[y]))
				sum += got
			}
		}
		if worst > row.tolerance {
			t.Errorf("σ=%v: off by %.1f", row.sigma, worst)
		}
		if light := sum / (255 * (to - from) * (to - from)); row.sigma < 15 && math.Abs(light-1) > 0.01 {
			t.Errorf("σ=%v: %.3f of the light is left", row.sigma, light)
		}
	}
}

func TestDraw(t *testing.T) {
	dst, src := New(4, 3), New(2, 2)
	Fill(dst, [4]uint8{0, 0, 255, 255}, Copy)
	Fill(src, [4]uint8{255, 0, 0, 255}, Copy)
	Draw(dst, src, 3, -1, SourceOver, 255)
	if at(dst, 3, 0) != [4]byte{255, 0, 0, 255} || at(dst, 3, 1) != [4]byte{0, 0, 255, 255} || at(dst, 2, 0) != [4]byte{0, 0, 255, 255} {
		t.Errorf("got %v", dst.Pix)
	}
	Draw(dst, src, 100, 100, SourceOver, 255)
	Draw(dst, src, -100, 0, SourceOver, 255)
	Draw(dst, src, 1, 1, SourceIn, 255) // clears everything outside
	if at(dst, 0, 0) != [4]byte{} || at(dst, 1, 1) != [4]byte{255, 0, 0, 255} || at(dst, 3, 0) != [4]byte{} {
		t.Errorf("source-in: got %v", dst.Pix)
	}
}
