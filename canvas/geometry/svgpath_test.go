package geometry_test

import (
	"math"
	"strings"
	"testing"

	tdewolff "github.com/tdewolff/canvas"

	"quicksand/canvas/geometry"
)

func TestParseSVG(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"nothing", "", ""},
		{"white space", " \t\n\f\r", ""},
		{"lines", "M1 2L3 4", "M1,2 L3,4"},
		{"pairs after a move are lines", "M1,2 3,4 5,6", "M1,2 L3,4 L5,6"},
		{"relative pairs after a move", "m1,2 3,4 5,6", "M1,2 L4,6 L9,12"},
		{"relative lines", "M10 10l1 2h3v4l-1-1", "M10,10 L11,12 L14,12 L14,16 L13,15"},
		{"lines along the axes", "M10 10H20V30", "M10,10 L20,10 L20,30"},
		{"numbers without spaces", "M.5.5-1-1+2+2e0.25", "M0.5,0.5 L-1,-1 L2,2"},
		{"exponents", "M1e1 2E+1L3e-1,4.5e1", "M10,20 L0.3,45"},
		{"cubic curves", "M0 0C1 2 3 4 5 6 7 8 9 10 11 12", "M0,0 C1,2 3,4 5,6 C7,8 9,10 11,12"},
		{"relative cubic curves", "M1 1c1 2 3 4 5 6c1 0 1 0 1 1", "M1,1 C2,3 4,5 6,7 C7,7 7,7 7,8"},
		{"smooth cubic curves", "M0 0C1 2 3 4 5 6S8 9 10 10", "M0,0 C1,2 3,4 5,6 C7,8 8,9 10,10"},
		{"a smooth cubic curve after a line", "M1 1L2 2S8 9 10 10", "M1,1 L2,2 C2,2 8,9 10,10"},
		{"a smooth cubic curve after a quadratic one", "M1 1Q2 2 3 3S8 9 10 10", "M1,1 Q2,2 3,3 C3,3 8,9 10,10"},
		{"relative smooth cubic curves", "M0 0c1 2 3 4 5 6s3 3 5 4", "M0,0 C1,2 3,4 5,6 C7,8 8,9 10,10"},
		{"quadratic curves", "M0 0Q1 2 3 4q1 1 2 2", "M0,0 Q1,2 3,4 Q4,5 5,6"},
		{"smooth quadratic curves", "M0 0Q1 2 3 4T10 10t1 1", "M0,0 Q1,2 3,4 Q5,6 10,10 Q15,14 11,11"},
		{"a smooth quadratic curve after a line", "M0 0L3 4T10 10", "M0,0 L3,4 Q3,4 10,10"},
		{"closing, and a line from the first point", "M1 2L3 4zl1 1", "M1,2 L3,4 Z M1,2 L2,3"},
		{"a relative move after closing", "M1 2L3 4Zm1 1l1 0", "M1,2 L3,4 Z M2,3 L3,3"},
		{"an arc without a radius", "M0 0A0 5 0 0 1 10 10", "M0,0 L10,10"},
		{"an arc to where it starts", "M1 1A5 5 0 0 1 1 1L2 2", "M1,1 L2,2"},

		{"no move first", "L1 2", ""},
		{"a close first", "zM1 2L3 4", ""},
		{"a comma first", ",M1 2", ""},
		{"an unknown letter", "M1 2L3 4X5 6L7 8", "M1,2 L3,4"},
		{"a number missing", "M1 2L3 4L5", "M1,2 L3,4"},
		{"a number missing in a curve", "M1 2C3 4 5 6 7", "M1,2"},
		{"numbers after closing", "M1 2L3 4z5 6", "M1,2 L3,4 Z"},
		{"two commas", "M1 2L3,,4", "M1,2"},
		{"a comma before a letter", "M1 2L3 4,L5 6", "M1,2 L3,4"},
		{"a comma after a letter", "M1 2L,3 4", "M1,2"},
		{"a dot without digits after it", "M1 2L3. 4", "M1,2"},
		{"a number that is too large", "M1 2L1e999 4", "M1,2"},
		{"numbers with too large a sum", "M1e308 0l1e308 0L5 5", "M1e+90,0"},
		{"a unit", "M1 2L3em 4", "M1,2"},
		{"a flag that is not one", "M0 0A5 5 0 2 1 10 10", "M0,0"},
		{"words", "M1 2L3 NaN", "M1,2"},
		{"bytes that are not text", "M1 2\xff\x00L3 4", "M1,2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := geometry.ParseSVG(tt.data, 100)
			if err != nil {
				t.Fatal(err)
			}
			if got := dump(p); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestParseSVGArcs(t *testing.T) {
	const pi = math.Pi
	tests := []struct {
		name, data string
		length     float64
		passes     geometry.Point // a point that it goes through
	}{
		{"the small one, clockwise", "M10 0A10 10 0 0 1 0 10", 5 * pi, geometry.Point{X: 10 * math.Sqrt2 / 2, Y: 10 * math.Sqrt2 / 2}},
		{"the small one, counterclockwise", "M10 0A10 10 0 0 0 0 10", 5 * pi, geometry.Point{X: 10 - 10*math.Sqrt2/2, Y: 10 - 10*math.Sqrt2/2}},
		{"the large one, clockwise", "M10 0A10 10 0 1 1 0 10", 15 * pi, geometry.Point{X: 20, Y: 10}},
		{"the large one, counterclockwise", "M10 0A10 10 0 1 0 0 10", 15 * pi, geometry.Point{X: -10, Y: 0}},
		{"flags without spaces", "M10 0A10 10 0 100 10", 15 * pi, geometry.Point{X: -10, Y: 0}},
		{"relative", "M10 0a10 10 0 10-10 10", 15 * pi, geometry.Point{X: -10, Y: 0}},
		{"radii that are too small grow", "M0 0A1 1 0 0 1 20 0", 10 * pi, geometry.Point{X: 10, Y: -10}},
		{"negative radii count as positive", "M10 0A-10 -10 0 0 1 0 10", 5 * pi, geometry.Point{X: 10 * math.Sqrt2 / 2, Y: 10 * math.Sqrt2 / 2}},
		{"a rotated ellipse", "M0 -20A10 20 90 0 1 0 -20.0001L0 -20A20 10 90 0 1 10 0", 24.22 + 1e-4, geometry.Point{X: 10 * math.Sqrt2 / 2, Y: -20 * math.Sqrt2 / 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, _ := geometry.ParseSVG(tt.data, 100)
			length, _, _, end := travel(p, geometry.Point{X: 1e3, Y: 1e3})
			if math.Abs(length-tt.length) > 0.01 {
				t.Errorf("length %.4f, want %.4f", length, tt.length)
			}
			if last, _ := p.Last(); last != end {
				t.Errorf("ends in %v, but Last is %v", end, last)
			}
			pl := new(geometry.Polyline)
			p.Flatten(pl, geometry.Identity, 1e-5)
			best := math.Inf(1)
			for _, q := range pl.Points {
				best = min(best, q.Sub(tt.passes).Length())
			}
			if best > 0.05 {
				t.Errorf("comes no nearer to %v than %g", tt.passes, best)
			}
		})
	}
}

func TestParseSVGCountsSegments(t *testing.T) {
	data := "M0 0 " + strings.Repeat("1 1 ", 1000)
	if p, err := geometry.ParseSVG(data, 1001); err != nil || p.Len() != 1001 {
		t.Errorf("1001 segments of 1001: %v", err)
	}
	_, err := geometry.ParseSVG(data, 1000)
	if err == nil || err.Error() != "path data: more than 1000 segments" {
		t.Errorf("1001 segments of 1000: %v", err)
	}
}

// TestParseSVGAgrees compares icons and constructed data with another reader of path data.
func TestParseSVGAgrees(t *testing.T) {
	for _, data := range []string{
		"M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2zm-2 15l-5-5 1.41-1.41L10 14.17l7.59-7.59L19 8l-9 9z",
		"M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0zm-3-4.5q2-2 1.5 3t-4 1.2h-3v2.5H5",
		"m10 80c30-70 55-75 90-10s65 65 90 10",
		"M10 315 L110 215 A36 60 -12 0 1 150.71 170.29 L172.55 152.45 A30 50 -45 0 1 215.1 109.9L315 10",
		"M5 5a25 50 30 1 1 40 20 12 3 200 0 0-10-30z",
	} {
		p, err := geometry.ParseSVG(data, 1000)
		if err != nil {
			t.Fatal(err)
		}
		other, err := tdewolff.ParseSVGPath(data)
		if err != nil {
			t.Fatal(err)
		}
		pl := new(geometry.Polyline)
		p.Flatten(pl, geometry.Identity, 1e-5)
		// Its bounds of arcs are too small and its flattening is coarse.
		got, want := pl.Bounds(), other.Flatten(0.001).Bounds()
		for _, d := range []float64{got.X0 - want.X0, got.Y0 - want.Y0, got.X1 - want.X1, got.Y1 - want.Y1} {
			if math.Abs(d) > 0.06 {
				t.Errorf("%.20s…: bounds %v, want %v", data, got, want)
				break
			}
		}
		length, _, _, _ := travel(p, geometry.Point{X: -1e3, Y: -1e3})
		if want := other.Length(); len(pl.Ends) == 1 && !pl.Closed[0] && math.Abs(length-want) > want/1000 {
			t.Errorf("%.20s…: length %g, want %g", data, length, want)
		}
	}
}
