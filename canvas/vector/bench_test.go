package vector

import (
	"testing"

	"quicksand/canvas"
)

// mixed is a recording of n shapes of several kinds.
func mixed(n int) *recorder {
	var r recorder
	item := r.str("Item")
	r.op(canvas.OpFont, r.str("12px sans-serif"))
	r.op(canvas.OpGradient, 0, 0, 0, 0, 120, 120, 0, 0, 0, red, 1, green)
	for i := range n {
		x, y := float64(i*37%110), float64(i*91%110)
		switch i % 4 {
		case 0:
			r.op(canvas.OpFillColor, blue).op(canvas.OpFillRect, x, y, 20, 10)
		case 1:
			r.op(canvas.OpFillGradient, 0).op(canvas.OpBeginPath).op(canvas.OpArc, x, y, 8, 0, 7, 0).op(canvas.OpFill, 0)
		case 2:
			r.op(canvas.OpBeginPath).op(canvas.OpMoveTo, x, y).op(canvas.OpBezierCurveTo, x+10, y-20, x+30, y+20, x+40, y).op(canvas.OpStroke)
		case 3:
			r.op(canvas.OpFillColor, green).op(canvas.OpFillText, item, x, y)
		}
	}
	return &r
}

func BenchmarkSVG(b *testing.B) {
	r := mixed(1000)
	rec := r.recording(b)
	size := 0
	b.ReportAllocs()
	for b.Loop() {
		data, _, err := SVG(b.Context(), rec, 120, 120, r.image, Options{})
		if err != nil {
			b.Fatal(err)
		}
		size = len(data)
	}
	b.ReportMetric(float64(size), "bytes")
}

func BenchmarkPDF(b *testing.B) {
	r := mixed(1000)
	rec := r.recording(b)
	size := 0
	b.ReportAllocs()
	for b.Loop() {
		data, _, err := PDF(b.Context(), rec, 120, 120, r.image, Options{})
		if err != nil {
			b.Fatal(err)
		}
		size = len(data)
	}
	b.ReportMetric(float64(size), "bytes")
}
