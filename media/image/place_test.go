package image

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

func TestPlace(t *testing.T) {
	rows := []struct {
		name string
		w, h int
		o    FitOptions
		want Placement
	}{
		{"one width keeps the aspect ratio", 40, 20, FitOptions{Width: 30}, Placement{30, 15, Rect{0, 0, 40, 20}, 0, 0, 30, 15}},
		{"halves are rounded up", 40, 20, FitOptions{Width: 5}, Placement{5, 3, Rect{0, 0, 40, 20}, 0, 0, 5, 3}},
		{"a side is at least 1", 1000, 1, FitOptions{Width: 10}, Placement{10, 1, Rect{0, 0, 1000, 1}, 0, 0, 10, 1}},
		{"one height", 40, 20, FitOptions{Height: 100}, Placement{200, 100, Rect{0, 0, 40, 20}, 0, 0, 200, 100}},
		{"contain centres in the box", 40, 20, FitOptions{Width: 30, Height: 30}, Placement{30, 30, Rect{0, 0, 40, 20}, 0, 8, 30, 15}},
		{"contain at the bottom right", 40, 20, FitOptions{Width: 30, Height: 30, Anchor: BottomRight}, Placement{30, 30, Rect{0, 0, 40, 20}, 0, 15, 30, 15}},
		{"contain at the left of a wide box", 20, 20, FitOptions{Width: 50, Height: 10, Anchor: Left}, Placement{50, 10, Rect{0, 0, 20, 20}, 0, 0, 10, 10}},
		{"contain at the top right of a wide box", 20, 20, FitOptions{Width: 50, Height: 10, Anchor: TopRight}, Placement{50, 10, Rect{0, 0, 20, 20}, 40, 0, 10, 10}},
		{"contain enlarges", 10, 10, FitOptions{Width: 40, Height: 20}, Placement{40, 20, Rect{0, 0, 10, 10}, 10, 0, 20, 20}},
		{"contain without enlargement", 10, 10, FitOptions{Width: 40, Height: 20, WithoutEnlargement: true}, Placement{40, 20, Rect{0, 0, 10, 10}, 15, 5, 10, 10}},
		{"cover cuts in the middle", 40, 20, FitOptions{Width: 10, Height: 10, Fit: Cover}, Placement{10, 10, Rect{10, 0, 20, 20}, 0, 0, 10, 10}},
		{"cover keeps the top left", 40, 20, FitOptions{Width: 10, Height: 10, Fit: Cover, Anchor: TopLeft}, Placement{10, 10, Rect{0, 0, 20, 20}, 0, 0, 10, 10}},
		{"cover keeps the right", 40, 20, FitOptions{Width: 10, Height: 10, Fit: Cover, Anchor: Right}, Placement{10, 10, Rect{20, 0, 20, 20}, 0, 0, 10, 10}},
		{"cover keeps the bottom", 20, 40, FitOptions{Width: 10, Height: 10, Fit: Cover, Anchor: Bottom}, Placement{10, 10, Rect{0, 20, 20, 20}, 0, 0, 10, 10}},
		{"cover takes fractions of pixels", 30, 20, FitOptions{Width: 16, Height: 16, Fit: Cover}, Placement{16, 16, Rect{5, 0, 20, 20}, 0, 0, 16, 16}},
		{"cover without enlargement", 40, 20, FitOptions{Width: 100, Height: 10, Fit: Cover, WithoutEnlargement: true}, Placement{40, 10, Rect{0, 5, 40, 10}, 0, 0, 40, 10}},
		{"fill stretches", 40, 20, FitOptions{Width: 7, Height: 90, Fit: Stretch}, Placement{7, 90, Rect{0, 0, 40, 20}, 0, 0, 7, 90}},
		{"fill without enlargement", 40, 20, FitOptions{Width: 7, Height: 90, Fit: Stretch, WithoutEnlargement: true}, Placement{7, 20, Rect{0, 0, 40, 20}, 0, 0, 7, 20}},
		{"one width without enlargement", 40, 20, FitOptions{Width: 80, WithoutEnlargement: true}, Placement{40, 20, Rect{0, 0, 40, 20}, 0, 0, 40, 20}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, err := Place(row.w, row.h, row.o)
			if err != nil || got != row.want {
				t.Errorf("got %+v, %v, want %+v", got, err, row.want)
			}
		})
	}
	for _, o := range []FitOptions{{}, {Width: -1, Height: 5}, {Width: 16385}, {Width: 16384, Height: 16384}} {
		if _, err := Place(10, 10, o); err == nil {
			t.Errorf("%+v passed", o)
		}
	}
	if _, err := Place(1, 16384, FitOptions{Width: 16384}); err == nil {
		t.Error("a result of 16384 by 268 million passed")
	}
}

func TestNamesOfFitsAndAnchors(t *testing.T) {
	for f := Contain; f <= Stretch; f++ {
		if got, ok := ParseFit(f.String()); !ok || got != f {
			t.Errorf("%v is read as %v", f, got)
		}
	}
	for a := Center; a <= TopLeft; a++ {
		if got, ok := ParseAnchor(a.String()); !ok || got != a {
			t.Errorf("%v is read as %v", a, got)
		}
	}
	if _, ok := ParseFit("inside"); ok {
		t.Error("inside passed")
	}
	if _, ok := ParseAnchor(""); ok {
		t.Error("an empty anchor passed")
	}
}

func solid(w, h int, c [4]uint8) *Surface {
	s := New(w, h)
	Fill(s, c, Copy)
	return s
}

func TestPad(t *testing.T) {
	s := solid(10, 10, [4]uint8{255, 0, 0, 255})
	out, err := Pad(s, 5, 5, 5, 5, [4]uint8{0, 0, 255, 255})
	if err != nil || out.Width != 20 || out.Height != 20 || at(out, 1, 1) != [4]byte{0, 0, 255, 255} || at(out, 10, 10) != [4]byte{255, 0, 0, 255} {
		t.Errorf("got %v, %v", out, err)
	}
	out, err = Pad(s, 1, 2, 3, 4, [4]uint8{})
	if err != nil || out.Width != 16 || out.Height != 14 || at(out, 3, 1) != [4]byte{} || at(out, 4, 1) != [4]byte{255, 0, 0, 255} || at(out, 13, 10) != [4]byte{255, 0, 0, 255} || at(out, 14, 10) != [4]byte{} {
		t.Errorf("got %v, %v", out, err)
	}
	for _, n := range []int{-1, MaxEdge, MaxEdge + 1} {
		if _, err := Pad(s, n, 0, 0, 0, [4]uint8{}); err == nil {
			t.Errorf("a padding of %d passed", n)
		}
	}
}

func TestLayoutGrid(t *testing.T) {
	three := [][2]int{{10, 10}, {10, 10}, {10, 10}}
	g, err := LayoutGrid(three, 0, 4)
	if err != nil || g.Width != 38 || g.Height != 10 {
		t.Errorf("three of 10×10 with gap 4: %+v, %v", g, err)
	}
	g, err = LayoutGrid(three, 9, 4)
	if err != nil || g.Columns != 3 || g.Width != 38 {
		t.Errorf("more columns than pictures: %+v, %v", g, err)
	}
	g, err = LayoutGrid([][2]int{{10, 3}, {4, 8}, {5, 5}}, 2, 1)
	if err != nil || g.Width != 21 || g.Height != 17 || g.X[1] != 14 || g.Y[0] != 3 || g.X[2] != 3 || g.Y[2] != 11 {
		t.Errorf("cells of 10×8: %+v, %v", g, err)
	}
	for _, row := range []struct {
		sizes        [][2]int
		columns, gap int
	}{{nil, 1, 0}, {three, -1, 0}, {three, 1, -1}, {three, 1, MaxEdge}, {[][2]int{{16384, 1}, {1, 1}}, 2, 0}} {
		if _, err := LayoutGrid(row.sizes, row.columns, row.gap); err == nil {
			t.Errorf("%+v passed", row)
		}
	}
}

func TestTrim(t *testing.T) {
	ctx := context.Background()
	onWhite := solid(20, 16, [4]uint8{255, 255, 255, 255})
	Draw(onWhite, solid(5, 4, [4]uint8{10, 20, 30, 255}), 3, 6, SourceOver, 255)
	onNothing := New(20, 16)
	Draw(onNothing, solid(5, 4, [4]uint8{10, 20, 30, 255}), 3, 6, SourceOver, 255)
	noisy := onWhite.Clone()
	noisy.Pix[4*3] = 247
	rows := []struct {
		name       string
		s          *Surface
		o          TrimOptions
		x, y, w, h int
	}{
		{"a white border", onWhite, TrimOptions{}, 3, 6, 5, 4},
		{"a transparent border", onNothing, TrimOptions{}, 3, 6, 5, 4},
		{"noise within the threshold", noisy, TrimOptions{Threshold: 10}, 3, 6, 5, 4},
		{"noise above the threshold", noisy, TrimOptions{Threshold: 7}, 3, 0, 5, 10},
		{"another colour is not the border", onWhite, TrimOptions{Colour: &[4]uint8{0, 0, 0, 255}}, 0, 0, 20, 16},
		{"a picture of one colour stays", solid(7, 5, [4]uint8{9, 9, 9, 255}), TrimOptions{}, 0, 0, 7, 5},
		{"any colour is within 255", noisy, TrimOptions{Threshold: 255}, 0, 0, 20, 16},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			out, x, y, err := Trim(ctx, row.s, row.o)
			if err != nil || x != row.x || y != row.y || out.Width != row.w || out.Height != row.h {
				t.Errorf("got %d,%d %d×%d, %v", x, y, out.Width, out.Height, err)
			}
		})
	}
}

func TestThreshold(t *testing.T) {
	ctx := context.Background()
	rows := []struct {
		name       string
		in         [4]uint8
		level      uint8
		perChannel bool
		want       [4]byte
	}{
		{"the level itself is white", [4]uint8{128, 128, 128, 255}, 128, false, [4]byte{255, 255, 255, 255}},
		{"below is black", [4]uint8{127, 127, 127, 255}, 128, false, [4]byte{0, 0, 0, 255}},
		{"green weighs most", [4]uint8{0, 255, 0, 255}, 182, false, [4]byte{255, 255, 255, 255}},
		{"blue hardly", [4]uint8{0, 0, 255, 255}, 19, false, [4]byte{0, 0, 0, 255}},
		{"each channel", [4]uint8{200, 100, 150, 255}, 150, true, [4]byte{255, 0, 255, 255}},
		{"straight colours at half alpha", [4]uint8{200, 200, 200, 128}, 150, false, [4]byte{128, 128, 128, 128}},
		{"transparent stays", [4]uint8{}, 0, false, [4]byte{}},
	}
	for _, row := range rows {
		s := solid(3, 2, row.in)
		if err := Threshold(ctx, s, row.level, row.perChannel); err != nil || at(s, 2, 1) != row.want {
			t.Errorf("%s: got %v, %v, want %v", row.name, at(s, 2, 1), err, row.want)
		}
	}
}

func TestMask(t *testing.T) {
	ctx := context.Background()
	red := [4]uint8{255, 0, 0, 255}
	rows := []struct {
		name   string
		mask   *Surface
		kind   MaskKind
		invert bool
		want   [4]byte
	}{
		{"alpha", solid(4, 4, [4]uint8{1, 2, 3, 128}), MaskAlpha, false, [4]byte{128, 0, 0, 128}},
		{"alpha of another size", solid(9, 2, [4]uint8{1, 2, 3, 128}), MaskAlpha, false, [4]byte{128, 0, 0, 128}},
		{"alpha inverted", solid(4, 4, [4]uint8{1, 2, 3, 55}), MaskAlpha, true, [4]byte{200, 0, 0, 200}},
		{"luminance of white shows", solid(4, 4, [4]uint8{255, 255, 255, 255}), MaskLuminance, false, [4]byte{255, 0, 0, 255}},
		{"luminance of black hides", solid(4, 4, [4]uint8{0, 0, 0, 255}), MaskLuminance, false, [4]byte{}},
		{"luminance of transparent white hides", solid(4, 4, [4]uint8{255, 255, 255, 0}), MaskLuminance, false, [4]byte{}},
		{"luminance of green", solid(4, 4, [4]uint8{0, 255, 0, 255}), MaskLuminance, false, [4]byte{182, 0, 0, 182}},
	}
	for _, row := range rows {
		s := solid(4, 4, red)
		if err := Mask(ctx, s, row.mask, row.kind, row.invert); err != nil || at(s, 1, 2) != row.want {
			t.Errorf("%s: got %v, %v, want %v", row.name, at(s, 1, 2), err, row.want)
		}
	}
}

func TestSharpen(t *testing.T) {
	ctx := context.Background()
	// A step from 100 to 150 overshoots beside the edge and stays elsewhere.
	s := New(40, 9)
	for y := range 9 {
		for x := range 40 {
			v := byte(100)
			if x >= 20 {
				v = 150
			}
			copy(s.Row(y)[4*x:], []byte{v, v, v, 255})
		}
	}
	flat := s.Clone()
	if err := Sharpen(ctx, s, SharpenOptions{Sigma: 1, Amount: 1}); err != nil {
		t.Fatal(err)
	}
	// The blurred value at the last pixel before the edge is 100 + 50·Φ(−½) ≈ 115.
	for x, want := range map[int]byte{0: 100, 10: 100, 19: 85, 20: 165, 30: 150, 39: 150} {
		for y := range 9 {
			if got := at(s, x, y); got[0] < want-1 || got[0] > want+1 || got[3] != 255 {
				t.Errorf("at %d,%d: got %v, want %d", x, y, got, want)
			}
		}
	}
	for _, o := range []SharpenOptions{{Sigma: 1, Amount: 0}, {Sigma: 1, Amount: 5, Threshold: 20}} {
		s := flat.Clone()
		if err := Sharpen(ctx, s, o); err != nil || !bytes.Equal(s.Pix, flat.Pix) {
			t.Errorf("%+v changed the picture (%v)", o, err)
		}
	}
	// A flat colour with a transparent border stays flat.
	disc := New(20, 20)
	Draw(disc, solid(8, 8, [4]uint8{90, 120, 60, 255}), 6, 6, SourceOver, 255)
	if err := Sharpen(ctx, disc, SharpenOptions{Sigma: 2, Amount: 1}); err != nil {
		t.Fatal(err)
	}
	for y := range 20 {
		for x := range 20 {
			if p := at(disc, x, y); p[3] != 0 && (p[0] < 86 || p[0] > 94 || p[1] < 116 || p[1] > 124) {
				t.Fatalf("at %d,%d: %v", x, y, p)
			}
		}
	}
	for _, o := range []SharpenOptions{{}, {Sigma: 1, Amount: -1}, {Sigma: 1001, Amount: 1}, {Sigma: 1, Amount: 1, Threshold: 256}} {
		if err := Sharpen(ctx, flat, o); err == nil || !strings.Contains(err.Error(), "must be") {
			t.Errorf("%+v passed", o)
		}
	}
}
