package text

import (
	"math"
	"testing"

	"quicksand/canvas/geometry"
)

func TestOutlinesStandWhereMasksDo(t *testing.T) {
	half := math.Sqrt(0.5)
	for _, row := range []struct {
		name string
		size float64
		m    geometry.Matrix
		want geometry.Point // of the origin on the device
	}{
		{"upright, to a quarter and a pixel", 20, geometry.Matrix{A: 1, D: 1, E: 10.3, F: 20.6}, geometry.Point{X: 10.25, Y: 21}},
		{"scaled", 20, geometry.Matrix{A: 3, D: 2, E: 10.4, F: 20.4}, geometry.Point{X: 10.5, Y: 20}},
		{"standing on its side", 20, geometry.Matrix{B: 1, C: -1, E: 10.3, F: 20.6}, geometry.Point{X: 10, Y: 20.5}},
		{"turned, to quarters", 20, geometry.Matrix{A: half, B: half, C: -half, D: half, E: 10.3, F: 20.6}, geometry.Point{X: 10.25, Y: 20.5}},
		{"too large for a mask", 257, geometry.Matrix{A: 1, D: 1, E: 10.3, F: 20.6}, geometry.Point{X: 10.3, Y: 20.6}},
	} {
		inv, _ := row.m.Inverse()
		g := Glyph{Size: row.size}
		dx, dy := g.Snap(row.m, inv)
		if got := row.m.Apply(geometry.Point{X: dx, Y: dy}); math.Hypot(got.X-row.want.X, got.Y-row.want.Y) > 1e-9 {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}
