package paint

import (
	"context"
	"errors"
	"image"
	"math"
	"testing"

	pix "quicksand/media/image"
)

func rectMask(bounds, r image.Rectangle) *Mask {
	m := NewMask(bounds)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		m.Run(r.Min.X, y, r.Dx(), 255)
	}
	return m
}

func (m *Mask) at(x, y int) float64 {
	if !image.Pt(x, y).In(m.Bounds) {
		return 0
	}
	return float64(m.Row(y)[x-m.Bounds.Min.X])
}

// blurredStep is how much of a step at 0 a Gaussian leaves at x.
func blurredStep(x, sigma float64) float64 { return 0.5 * math.Erfc(-x/(sigma*math.Sqrt2)) }

func TestShadowsAreBlurredByHalfOfTheirBlurAndMoved(t *testing.T) {
	shape := image.Rect(20, 30, 60, 50)
	visible := image.Rect(0, 0, 200, 150)
	for _, s := range []Shadow{
		{Blur: 0, X: 7, Y: -3}, {Blur: 4}, {Blur: 10, X: 5, Y: 6}, {Blur: 12, X: -30, Y: 0}, {Blur: 30, X: 40.5, Y: 20.25}, {Blur: 80}, {X: 0.5},
	} {
		s.Colour = [4]uint8{0, 0, 0, 255}
		e := Effect{Shadow: s}
		m, err := e.Cast(context.Background(), rectMask(e.ShadowBounds(shape, visible), shape), visible)
		if err != nil {
			t.Fatal(err)
		}
		sigma := s.Blur / 2
		profile := func(x float64, from, to int) float64 {
			if sigma == 0 { // how much of the pixel the moved shape covers
				return max(0, min(x+0.5, float64(to))-max(x-0.5, float64(from)))
			}
			return blurredStep(x-float64(from), sigma) - blurredStep(x-float64(to), sigma)
		}
		for y := range 150 {
			for x := range 200 {
				want := 255 * profile(float64(x)+0.5-s.X, 20, 60) * profile(float64(y)+0.5-s.Y, 30, 50)
				// Weights end at three deviations, and two passes are rounded.
				if got := m.at(x, y); math.Abs(got-want) > 2.5 {
					t.Fatalf("%+v: %d, %d is %v, want %.1f", s, x, y, got, want)
				}
			}
		}
	}
}

// A shape that is no rectangle is blurred as the two rectangles that it is made of.
func TestShadowsOfOtherShapesAreBlurred(t *testing.T) {
	a, b := image.Rect(20, 30, 60, 50), image.Rect(35, 50, 48, 90)
	visible := image.Rect(0, 0, 120, 150)
	for _, blur := range []float64{2, 4, 10, 30} {
		e := Effect{Shadow: Shadow{Colour: [4]uint8{0, 0, 0, 255}, Blur: blur, X: 3, Y: -2}}
		m := rectMask(a.Union(b), a)
		m.Draw(rectMask(b, b))
		m, err := e.Cast(context.Background(), m, visible)
		if err != nil {
			t.Fatal(err)
		}
		for y := range 150 {
			for x := range 120 {
				want := 0.0
				for _, r := range []image.Rectangle{a, b} {
					px, py, s := float64(x)+0.5-3, float64(y)+0.5+2, blur/2
					want += 255 * (blurredStep(px-float64(r.Min.X), s) - blurredStep(px-float64(r.Max.X), s)) *
						(blurredStep(py-float64(r.Min.Y), s) - blurredStep(py-float64(r.Max.Y), s))
				}
				// Weights of a small deviation are those of the middles of pixels.
				if got := m.at(x, y); math.Abs(got-want) > 3+6/blur {
					t.Fatalf("blur %v: %d, %d is %v, want %.1f", blur, x, y, got, want)
				}
			}
		}
	}
}

func TestShadowsOfWhatIsNotVisibleAreRight(t *testing.T) {
	// The shape is left of the surface, its shadow on it.
	e := Effect{Shadow: Shadow{Colour: [4]uint8{3: 255}, Blur: 8, X: 1000, Y: 500}}
	shape, visible := image.Rect(-1000, -500, -900, -400), image.Rect(0, 0, 50, 60)
	b := e.ShadowBounds(shape, visible)
	if b.Dx() > 50+2*14 || b.Dy() > 60+2*14 {
		t.Errorf("the mask is %v", b)
	}
	m, err := e.Cast(context.Background(), rectMask(b, shape), visible)
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range map[int]float64{0: 255 * blurredStep(0.5, 4), 4: 255 * blurredStep(4.5, 4), 30: 255, 49: 255} {
		if got := m.at(x, 30); math.Abs(got-want) > 2 {
			t.Errorf("at %d: %v, want %.0f", x, got, want)
		}
	}
	if !m.Bounds.In(visible) {
		t.Errorf("the shadow has %v", m.Bounds)
	}
	// And one that reaches nothing.
	e.Shadow.X = -1e300
	if b := e.ShadowBounds(shape, visible); !b.Empty() {
		t.Errorf("nothing is needed, but %v", b)
	}
	if m, err := e.Cast(context.Background(), rectMask(shape, shape), visible); err != nil || !m.Bounds.Empty() {
		t.Errorf("%v, %v", m.Bounds, err)
	}
}

// filtered paints a rectangle through a filter.
func filtered(t *testing.T, css string, shape, visible image.Rectangle, c [4]uint8) *Layer {
	t.Helper()
	steps, ok := ParseFilter(css, 10)
	if !ok {
		t.Fatalf("%q does not parse", css)
	}
	e := Effect{Filters: steps}
	l := NewLayer(e.Bounds(shape, visible))
	p := l.Painter(math.MinInt32, math.MaxInt32)
	p.Begin(Op{Alpha: 1, Source: NewColour(c)})
	p.Rect(shape, 255)
	p.End()
	l, err := e.Filter(context.Background(), l, visible)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *Layer) at(x, y int) [4]uint8 { return pixelAt(l.Source(), x, y) }

func TestFilterChains(t *testing.T) {
	visible, shape := image.Rect(0, 0, 100, 80), image.Rect(20, 20, 60, 50)
	red := [4]uint8{255, 0, 0, 255}
	half := uint8(255*blurredStep(0.5, 4) + 0.5)
	for _, row := range []struct {
		name, css string
		x, y      int
		want      [4]uint8
	}{
		{"colours change where there are some", "invert()", 30, 30, [4]uint8{0, 255, 255, 255}},
		{"and not where there are none", "invert()", 10, 10, [4]uint8{}},
		{"a blur reaches outwards", "blur(4px)", 20, 35, [4]uint8{half, 0, 0, half}},
		{"the order counts: a shadow is filtered by what follows", "drop-shadow(30px 0 blue) invert()", 70, 30, [4]uint8{255, 255, 0, 255}},
		{"and not by what comes before", "invert() drop-shadow(30px 0 blue)", 70, 30, [4]uint8{0, 0, 255, 255}},
		{"the shape is on its shadow", "drop-shadow(30px 0 blue)", 55, 30, red},
		{"a shadow of a shadow", "drop-shadow(30px 0 blue) drop-shadow(0 20px lime)", 70, 60, [4]uint8{0, 255, 0, 255}},
		{"of half an alpha", "opacity(50%) drop-shadow(-15px 0 blue)", 10, 30, [4]uint8{0, 0, 128, 128}},
		{"a shadow comes from outside of what is visible", "drop-shadow(-90px 0 lime) drop-shadow(90px 0 blue)", 20, 20, red},
	} {
		if got := filtered(t, row.css, shape, visible, red).at(row.x, row.y); math.Abs(float64(got[0])-float64(row.want[0])) > 2 ||
			math.Abs(float64(got[1])-float64(row.want[1])) > 2 || math.Abs(float64(got[2])-float64(row.want[2])) > 2 || math.Abs(float64(got[3])-float64(row.want[3])) > 2 {
			t.Errorf("%s: got %v, want %v", row.name, got, row.want)
		}
	}
}

// Layers of one colour are blurred by a way of their own, which makes no difference.
func TestOneColourIsBlurredAsManyAre(t *testing.T) {
	r := image.Rect(0, 0, 90, 70)
	for _, css := range []string{"blur(2px)", "blur(5px)", "sepia() blur(9px)"} {
		for _, c := range [][4]uint8{{250, 120, 3, 255}, {250, 120, 3, 90}} {
			steps, _ := ParseFilter(css, 10)
			e := Effect{Filters: steps}
			paint := func(extra bool) *Layer {
				l := NewLayer(r)
				p := l.Painter(0, 70)
				p.Begin(Op{Alpha: 1, Source: NewColour(c)})
				for y := 20; y < 50; y++ {
					p.Run(20, y, 1, uint8(5*y))
					p.Run(21, y, y, 255)
				}
				p.End()
				if extra { // far from the rest
					p.Begin(Op{Alpha: 1, Source: NewColour([4]uint8{0, 0, 255, 255})})
					p.Run(85, 2, 1, 255)
					p.End()
				}
				if _, m := l.coverage(); (m != nil) == extra {
					t.Errorf("%v is one colour: %v", c, m != nil)
				}
				l, err := e.Filter(context.Background(), l, r)
				if err != nil {
					t.Fatal(err)
				}
				return l
			}
			one, many := paint(false), paint(true)
			for y := 28; y < 70; y++ {
				for x := range 90 - 30 {
					a, b := one.at(x, y), many.at(x, y)
					for i := range a {
						if d := int(a[i]) - int(b[i]); d < -2 || d > 2 {
							t.Fatalf("%s of %v: %d, %d is %v, want %v", css, c, x, y, a, b)
						}
					}
				}
			}
		}
	}
}

// What is left out because it is not needed makes no difference.
func TestClippedLayersAreWhatWholeOnesAre(t *testing.T) {
	shape := image.Rect(-50, 10, 130, 90)
	all := image.Rect(-400, -400, 600, 600)
	for _, css := range []string{"blur(3px)", "blur(9px) drop-shadow(10px 12px 5px red)", "drop-shadow(-70px 5px 4px blue) blur(2px)", "drop-shadow(300px 0) drop-shadow(-280px 2.5px 1px red)"} {
		visible := image.Rect(30, 30, 77, 61)
		whole, part := filtered(t, css, shape, all, [4]uint8{0, 200, 0, 200}), filtered(t, css, shape, visible, [4]uint8{0, 200, 0, 200})
		for y := visible.Min.Y; y < visible.Max.Y; y++ {
			for x := visible.Min.X; x < visible.Max.X; x++ {
				a, b := whole.at(x, y), part.at(x, y)
				for c := range 4 {
					if d := int(a[c]) - int(b[c]); d < -2 || d > 2 {
						t.Fatalf("%s: %d, %d is %v, should be %v", css, x, y, b, a)
					}
				}
			}
		}
	}
}

func TestLayersAreBounded(t *testing.T) {
	visible := image.Rect(0, 0, 100, 100)
	steps, _ := ParseFilter("blur(1e9px)", 10)
	e := Effect{Filters: steps}
	if b := e.Bounds(image.Rect(-1e6, -1e6, 1e6, 1e6), visible); b.Dx() > 100+2*(3*MaxSigma+1) {
		t.Errorf("a layer of %v", b)
	}
	if err := CheckLayer(image.Rect(0, 0, 1<<14, 1<<14)); err == nil {
		t.Error("a layer of 256 million pixels is allowed")
	}
	if err := CheckLayer(image.Rect(-1e9, -1e9, 1e9, 1e9)); err == nil {
		t.Error("a layer of 4e18 pixels is allowed")
	}
	if err := CheckLayer(image.Rect(0, 0, 5792+3194, 5792+3194)); err != nil {
		t.Error(err)
	}
	empty := e.Bounds(image.Rect(5000, 5000, 5001, 5001), visible)
	l, err := e.Filter(context.Background(), NewLayer(empty), visible)
	if err != nil || !l.Bounds.Empty() || l.Source() != Nothing || len(l.Mask().Pix) != 0 {
		t.Errorf("a layer of nothing becomes %v, %v", l, err)
	}
}

func TestEffectsStopWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	e := Effect{Filters: []FilterStep{{Filter: pix.Filter{Kind: pix.Blur, Amount: 20}}}, Shadow: Shadow{Colour: [4]uint8{3: 255}, Blur: 20}}
	r := image.Rect(0, 0, 300, 300)
	if _, err := e.Filter(ctx, NewLayer(r), r); !errors.Is(err, context.Canceled) {
		t.Errorf("filter: %v", err)
	}
	if _, err := e.Cast(ctx, NewMask(r), r); !errors.Is(err, context.Canceled) {
		t.Errorf("shadow: %v", err)
	}
}
