package paint

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"quicksand/canvas/geometry"
)

// rowAt is one pixel of a source.
func pixelAt(s Source, x, y int) [4]uint8 {
	var p [4]byte
	s.Row(p[:], x, y)
	return p
}

var redToBlue = []Stop{{0, [4]uint8{255, 0, 0, 255}}, {1, [4]uint8{0, 0, 255, 255}}}

// position reads where in redToBlue a pixel is; ok is false where nothing is painted.
func position(p [4]uint8) (t float64, ok bool) {
	return float64(p[2]) / 255, p[3] == 255
}

// exact is the greatest t whose circle passes through x, y, found by looking at many.
func exact(p [6]float64, x, y float64) (t float64, ok bool) {
	f := func(t float64) float64 {
		r := p[2] + t*(p[5]-p[2])
		return math.Hypot(x-p[0]-t*(p[3]-p[0]), y-p[1]-t*(p[4]-p[1])) - r
	}
	const n = 3000
	var last float64
	for i := range n + 1 {
		t := math.Sinh(6 - 12*float64(i)/n) // 201 to −201, closest around 0
		v := f(t)
		if i > 0 && (v <= 0) != (last <= 0) {
			// Between here and the step before.
			from, to := math.Sinh(6-12*float64(i-1)/n), t
			for range 30 {
				if t = (from + to) / 2; (f(t) <= 0) == (last <= 0) {
					from = t
				} else {
					to = t
				}
			}
			// A negative radius has no circle.
			if p[2]+t*(p[5]-p[2]) >= 0 {
				return t, true
			}
		}
		last = v
	}
	return 0, false
}

func TestGradientsAreTheirDefinition(t *testing.T) {
	rotated := geometry.Matrix{A: 0.6, B: 0.8, C: -0.8, D: 0.6, E: 20, F: -3}
	skewed := geometry.Matrix{A: 2, B: 0.3, C: -0.5, D: 0.7, E: -10, F: 5}
	for _, row := range []struct {
		name   string
		kind   GradientKind
		coords [6]float64
		m      geometry.Matrix
	}{
		{"linear along x", Linear, [6]float64{5, 0, 55, 0}, geometry.Identity},
		{"linear along y", Linear, [6]float64{5, 40, 5, 3}, geometry.Identity},
		{"linear, turned", Linear, [6]float64{5, 3, 40, 33}, rotated},
		{"linear, skewed", Linear, [6]float64{5, 3, 40, 33}, skewed},
		{"linear of a tiny line", Linear, [6]float64{5, 3, 5 + 1e-3, 3}, geometry.Matrix{A: 2e4, D: 2e4, E: -1e5}},
		{"radial, concentric", Radial, [6]float64{30, 20, 5, 30, 20, 25}, geometry.Identity},
		{"radial, concentric, growing inwards", Radial, [6]float64{30, 20, 25, 30, 20, 5}, geometry.Identity},
		{"radial, one circle inside the other", Radial, [6]float64{25, 18, 3, 30, 20, 25}, skewed},
		{"radial, the first circle around the second", Radial, [6]float64{30, 20, 25, 35, 22, 3}, rotated},
		{"radial, a cone", Radial, [6]float64{15, 20, 3, 45, 22, 10}, geometry.Identity},
		{"radial, a cone to the other side", Radial, [6]float64{15, 20, 12, 45, 22, 4}, geometry.Identity},
		{"radial, circles of one size", Radial, [6]float64{15, 20, 8, 45, 22, 8}, geometry.Identity},
		{"radial, circles that touch", Radial, [6]float64{20, 20, 5, 30, 20, 15}, geometry.Identity},
		{"radial from a point", Radial, [6]float64{28, 20, 0, 30, 20, 25}, geometry.Identity},
	} {
		t.Run(row.name, func(t *testing.T) {
			g := NewGradient(row.kind, row.coords, redToBlue, row.m)
			inv, _ := row.m.Inverse()
			painted, blank := 0, 0
			for y := 1; y < 40; y += 3 {
				for x := 0; x < 60; x += 3 {
					u := inv.Apply(geometry.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5})
					var want float64
					ok := true
					if row.kind == Linear {
						dx, dy := row.coords[2]-row.coords[0], row.coords[3]-row.coords[1]
						want = ((u.X-row.coords[0])*dx + (u.Y-row.coords[1])*dy) / (dx*dx + dy*dy)
					} else {
						want, ok = exact(row.coords, u.X, u.Y)
					}
					got, gotOK := position(pixelAt(g, x, y))
					if ok {
						painted++
					} else {
						blank++
					}
					if ok != gotOK || ok && math.Abs(got-min(max(want, 0), 1)) > 1.2/255 {
						t.Fatalf("at %d, %d: got %.3f %v, want %.3f %v", x, y, got, gotOK, want, ok)
					}
				}
			}
			if painted == 0 {
				t.Error("nothing painted")
			}
		})
	}
}

func TestConicGradientsTurnClockwiseFromTheirAngle(t *testing.T) {
	for _, start := range []float64{0, 1, -2, 7.5, 100 * math.Pi} {
		g := NewGradient(Conic, [6]float64{start, 30, 20}, redToBlue, geometry.Identity)
		for y := range 40 {
			for x := range 60 {
				a := (math.Atan2(float64(y)+0.5-20, float64(x)+0.5-30) - start) / (2 * math.Pi)
				want := a - math.Floor(a)
				got, _ := position(pixelAt(g, x, y))
				if math.Abs(got-want) > 1.2/255 && math.Abs(got-want) < 1-1.2/255 {
					t.Fatalf("from %v at %d, %d: got %.3f, want %.3f", start, x, y, got, want)
				}
			}
		}
	}
}

func TestStops(t *testing.T) {
	red, green, blue, clear := [4]uint8{255, 0, 0, 255}, [4]uint8{0, 255, 0, 255}, [4]uint8{0, 0, 255, 255}, [4]uint8{0, 0, 0, 0}
	for _, row := range []struct {
		name  string
		stops []Stop
		at    float64
		want  [4]uint8
	}{
		{"before the first stop is its colour", []Stop{{0.4, red}, {0.6, blue}}, 0.1, red},
		{"after the last stop is its colour", []Stop{{0.4, red}, {0.6, blue}}, 0.9, blue},
		{"one stop is everywhere", []Stop{{0.4, red}}, 0.9, red},
		{"stops are sorted", []Stop{{1, blue}, {0, red}}, 0.999, [4]uint8{0, 0, 255, 255}},
		{"straight colours are interpolated, then premultiplied", []Stop{{0, red}, {1, clear}}, 0.5, [4]uint8{64, 0, 0, 128}},
		{"at equal offsets the first one ends what is before", []Stop{{0, red}, {0.3, red}, {0.3, green}, {0.3, blue}, {1, blue}}, 0.29999, red},
		{"at equal offsets the last one begins what is after", []Stop{{0, red}, {0.3, red}, {0.3, green}, {0.3, blue}, {1, blue}}, 0.30001, blue},
		{"two edges within a step", []Stop{{0.30001, red}, {0.30001, green}, {0.3003, green}, {0.3003, blue}}, 0.3001, green},
		{"below 0 is the first of several stops there", []Stop{{0, red}, {0, green}, {1, green}}, -0.001, red},
		{"from 0 on is the last of several stops there", []Stop{{0, red}, {0, green}, {1, green}}, 0.0001, green},
		{"below 1 is the first of several stops there", []Stop{{0, red}, {1, red}, {1, blue}}, 0.9999, red},
		{"from 1 on is the last of several stops there", []Stop{{0, red}, {1, red}, {1, blue}}, 1, blue},
		{"an offset out of range is clamped", []Stop{{-7, red}, {7, blue}}, 2, blue},
	} {
		r := NewRamp(row.stops)
		r.build()
		var p [4]byte
		fillRow(p[:], r.colours[r.index(row.at)])
		for c := range p {
			if d := int(p[c]) - int(row.want[c]); d < -1 || d > 1 {
				t.Errorf("%s: got %v, want %v", row.name, p, row.want)
				break
			}
		}
	}
}

func TestGradientsThatPaintNothing(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, row := range []struct {
		name   string
		kind   GradientKind
		coords [6]float64
		stops  []Stop
		m      geometry.Matrix
	}{
		{"no stops", Linear, [6]float64{0, 0, 9, 9}, nil, geometry.Identity},
		{"a line without length", Linear, [6]float64{3, 4, 3, 4}, redToBlue, geometry.Identity},
		{"equal circles", Radial, [6]float64{3, 4, 5, 3, 4, 5}, redToBlue, geometry.Identity},
		{"no way back", Linear, [6]float64{0, 0, 9, 9}, redToBlue, geometry.Matrix{A: 1}},
		{"not a number", Radial, [6]float64{0, nan, 9, 9, 1, 2}, redToBlue, geometry.Identity},
		{"infinity", Conic, [6]float64{inf, 1, 9}, redToBlue, geometry.Identity},
	} {
		g := NewGradient(row.kind, row.coords, row.stops, row.m)
		for x := -3; x < 20; x++ {
			if p := pixelAt(g, x, 5); p != [4]uint8{} {
				t.Errorf("%s: got %v at %d", row.name, p, x)
			}
		}
	}
}

func TestExtremeGradientsDoNotPanic(t *testing.T) {
	values := []float64{0, 1, -1, 1e-300, 1e300, -1e300, math.MaxFloat64, 5e-324, 1e10}
	dst := make([]byte, 4*9)
	for i, a := range values {
		for j, b := range values {
			for k, c := range values {
				coords := [6]float64{a, b, math.Abs(c), b, c, math.Abs(a)}
				m := geometry.Matrix{A: values[(i+1)%9], B: c, C: b, D: values[(k+2)%9], E: a, F: values[(j+3)%9]}
				for kind := range Conic + 1 {
					NewGradient(kind, coords, redToBlue, m).Row(dst, i-3, k)
				}
			}
		}
	}
}

func TestRampsAreTheirStops(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 200 {
		stops := make([]Stop, 1+r.IntN(6))
		for i := range stops {
			stops[i] = Stop{float64(r.IntN(21)) / 20, [4]uint8{uint8(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32()), 255}}
			if r.IntN(2) == 0 {
				stops[i].Colour[3] = uint8(r.Uint32())
			}
		}
		ramp := NewRamp(stops)
		ramp.build()
		k := 0
		for i := range rampSize {
			at := (float64(i) + 0.5) / rampSize
			want, got := ramp.at(at, &k), ramp.colours[ramp.index(at)]
			for c := 0; c < 32; c += 8 {
				if d := int(want>>c&255) - int(got>>c&255); d < -1 || d > 1 || got>>c&255 > got>>24 {
					t.Fatalf("%v at %v: got %08x, want %08x", ramp.stops, at, got, want)
				}
			}
		}
	}
}

// TestLinearRowIsItsSteps compares rows that begin before, on and after a gradient, in both
// directions, with a step for each pixel on its own.
func TestLinearRowIsItsSteps(t *testing.T) {
	ramp := NewRamp([]Stop{{0, [4]uint8{255, 0, 0, 255}}, {0.3, [4]uint8{0, 9, 0, 200}}, {1, [4]uint8{0, 0, 255, 0}}})
	for _, p := range [][6]float64{
		{0, 0, 10, 0}, {10, 0, 0, 0}, {-30, 0, 70, 20}, {70, 20, -30, 0}, {5, 0, 5.5, 0}, {5.5, 0, 5, 0},
		{300, 0, 400, 0}, {-400, 0, -300, 0}, {0, 0, 1e4, 0}, {1e4, 0, 0, 0}, {3, 0, 3.001, 1000}, {20, 3, 21, 3},
	} {
		g := ramp.Place(Linear, p, geometry.Identity).(*linear)
		for n := range 70 {
			for _, x := range []int{-20, 0, 7} {
				dst := make([]byte, 4*n)
				g.Row(dst, x, 2)
				at := int64(math.Floor((float64(g.x*(float64(x)+0.5)) + float64(g.y*2.5) + g.c) * (rampSize << fraction)))
				by := int64(math.Floor(g.x * (rampSize << fraction)))
				for i := range n {
					want := g.ramp.colours[min(max(at>>fraction+1, 0), rampSize+1)]
					if got := binary.LittleEndian.Uint32(dst[4*i:]); got != want {
						t.Fatalf("%v from %d: pixel %d of %d is %08x, want %08x", p[:4], x, i, n, got, want)
					}
					at += by
				}
			}
		}
	}
}
