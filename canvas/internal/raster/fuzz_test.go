package raster

import (
	"encoding/binary"
	"image"
	"math"
	"testing"

	"quicksand/canvas/geometry"
)

// FuzzRasterize draws a polygon in one go and in bands: both keep to what sinks expect and
// agree.
func FuzzRasterize(f *testing.F) {
	bytes := func(values ...float64) []byte {
		var b []byte
		for _, v := range values {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		return b
	}
	f.Add(bytes(1, 1, 20, 5, 10, 30), uint8(7), false)
	f.Add(bytes(0, 0, 100, 0, 100, 100, 0, 100), uint8(20), true)
	f.Add(bytes(-1e300, 5, 1e300, 6, 10, math.Inf(1)), uint8(1), false)
	f.Add(bytes(math.NaN(), 5, 4194304, 6, 10, -4194304, 1e-300, 0), uint8(3), true)
	f.Add(bytes(5, 5, 5+1./16384, 30, 90, 5+1./32768, 100, 5, 100, 6), uint8(50), false)
	f.Fuzz(func(t *testing.T, data []byte, rows uint8, evenodd bool) {
		pl := new(geometry.Polyline)
		for ; len(data) >= 16; data = data[16:] {
			x, y := math.Float64frombits(binary.LittleEndian.Uint64(data)), math.Float64frombits(binary.LittleEndian.Uint64(data[8:]))
			pl.Points = append(pl.Points, geometry.Point{X: x, Y: y})
			if data[0]&0xf == 9 {
				pl.Ends, pl.Closed = append(pl.Ends, len(pl.Points)), append(pl.Closed, true)
			}
		}
		pl.Ends, pl.Closed = append(pl.Ends, len(pl.Points)), append(pl.Closed, false)
		rule := NonZero
		if evenodd {
			rule = EvenOdd
		}
		// Wide enough for several blocks.
		clip := image.Rect(-10, -20, 1500, 60)
		whole, bands := newGrid(t, clip), newGrid(t, clip)
		var r Rasterizer
		r.Rasterize(pl, rule, clip, whole)
		for y := clip.Min.Y; y < clip.Max.Y; y += int(rows) + 1 {
			r.Rasterize(pl, rule, image.Rect(clip.Min.X, y, clip.Max.X, min(y+int(rows)+1, clip.Max.Y)), bands)
		}
		for i := range whole.pix {
			if whole.pix[i] != bands.pix[i] {
				t.Fatalf("pixel %d: %d in one go, %d in bands", i, whole.pix[i], bands.pix[i])
			}
		}
		for _, c := range r.cells {
			if c != (cell{}) {
				t.Fatal("cells are left behind")
			}
		}
	})
}
