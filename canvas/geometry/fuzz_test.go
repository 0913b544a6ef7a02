package geometry_test

import (
	"encoding/binary"
	"image"
	"math"
	"strconv"
	"strings"
	"testing"

	"quicksand/canvas/geometry"
	"quicksand/canvas/internal/raster"
)

// exact writes a path as data of SVG from which the same numbers are read.
func exact(p *geometry.Path) string {
	var b strings.Builder
	p.Each(func(k geometry.Kind, points []geometry.Point) {
		b.WriteByte("MLQCZ"[k])
		for _, q := range points {
			b.WriteString(strconv.FormatFloat(q.X, 'g', -1, 64) + " " + strconv.FormatFloat(q.Y, 'g', -1, 64) + " ")
		}
	})
	return b.String()
}

func FuzzSVGPath(f *testing.F) {
	for _, s := range []string{
		"", "M0 0L1 1", "m1,2 3,4z m5 5 h1v1H0V0z", "M0 0C1 2 3 4 5 6s1 1 2 2q1 1 2 2t3 3",
		"M10 315L110 215A36 60-12 011 150.71 170.29", "M1e308 0l1e308 0", "M0 0a1e-300 1 0 1 1 5 5", "M0 0A1e300 1e300 1e9 1 0 1e9 1",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data string) {
		const most = 1000
		p, err := geometry.ParseSVG(data, most)
		if err != nil {
			return
		}
		if p.Len() > most {
			t.Fatalf("%d segments", p.Len())
		}
		p.Each(func(k geometry.Kind, points []geometry.Point) {
			for _, q := range points {
				if q.X-q.X != 0 || q.Y-q.Y != 0 {
					t.Fatalf("%q: a point is %v", data, q)
				}
			}
		})
		written := exact(p)
		again, err := geometry.ParseSVG(written, 13*most)
		if err != nil {
			t.Fatal(err)
		}
		if got := exact(again); got != written {
			t.Fatalf("%q: %s comes back as %s", data, written, got)
		}
		var pl geometry.Polyline
		p.Flatten(&pl, geometry.Identity, geometry.Tolerance)
		finitePoints(t, &pl)
	})
}

func finitePoints(t *testing.T, pl *geometry.Polyline) {
	t.Helper()
	for _, q := range pl.Points {
		if q.X-q.X != 0 || q.Y-q.Y != 0 {
			t.Fatalf("a point is %v", q)
		}
	}
	if n := len(pl.Ends); n > 0 && pl.Ends[n-1] != len(pl.Points) || n != len(pl.Closed) {
		t.Fatalf("%d points, ends %v, %d closed", len(pl.Points), pl.Ends, len(pl.Closed))
	}
}

// A tape gives numbers made of bytes.
type tape []byte

func (b *tape) byte() byte {
	if len(*b) == 0 {
		return 0
	}
	v := (*b)[0]
	*b = (*b)[1:]
	return v
}

func (b *tape) float() float64 {
	switch c := b.byte(); c {
	case 0:
		return 0
	case 1:
		return math.Inf(1)
	case 2:
		return math.NaN()
	case 3:
		return 1e300
	case 4:
		return -1e300
	case 5:
		return 1e-300
	case 6:
		return 1e9 + float64(b.byte())
	case 7:
		return -1e5 * float64(b.byte())
	case 8:
		return 1e-6 * float64(b.byte())
	case 9:
		var raw [8]byte
		for i := range raw {
			raw[i] = b.byte()
		}
		return math.Float64frombits(binary.LittleEndian.Uint64(raw[:]))
	default:
		return float64(int(c)-130)/2 + float64(b.byte())/256
	}
}

func (b *tape) path() *geometry.Path {
	p := new(geometry.Path)
	for len(*b) > 0 && p.Len() < 30 {
		f := b.float
		switch b.byte() % 12 {
		case 0:
			p.MoveTo(f(), f())
		case 1:
			p.LineTo(f(), f())
		case 2:
			p.QuadTo(f(), f(), f(), f())
		case 3:
			p.CubicTo(f(), f(), f(), f(), f(), f())
		case 4:
			p.Arc(f(), f(), f(), f(), f(), b.byte()&1 != 0)
		case 5:
			p.Ellipse(f(), f(), f(), f(), f(), f(), f(), b.byte()&1 != 0)
		case 6:
			p.ArcTo(f(), f(), f(), f(), f())
		case 7:
			p.Rect(f(), f(), f(), f())
		case 8:
			p.RoundRect(f(), f(), f(), f(), [4]geometry.Point{{X: f(), Y: f()}, {X: f()}, {Y: f()}, {X: 3, Y: 3}})
		case 9:
			p.SetTransform(geometry.Matrix{A: f(), B: f(), C: f(), D: f(), E: f(), F: f()})
		case 10:
			p.Close()
		case 11:
			p.Append(p.Clone(), geometry.Matrix{A: f(), D: f(), E: f()})
		}
	}
	return p
}

// strictSink checks what rasterizers promise to sinks.
type strictSink struct {
	t    *testing.T
	clip image.Rectangle
	x, y int
}

func (s *strictSink) span(x, y, n int) {
	if n < 1 || x < s.clip.Min.X || x+n > s.clip.Max.X || y < s.y || y >= s.clip.Max.Y || y == s.y && x < s.x {
		s.t.Fatalf("%d pixels at (%d, %d) after (%d, %d)", n, x, y, s.x, s.y)
	}
	s.x, s.y = x+n, y
}

func (s *strictSink) Run(x, y, n int, cover uint8) { s.span(x, y, n) }
func (s *strictSink) Mask(x, y int, cover []uint8) { s.span(x, y, len(cover)) }

func FuzzStroke(f *testing.F) {
	f.Add([]byte{10, 0, 0, 200, 1, 130, 4, 130, 4, 150, 5, 90, 9, 4, 140, 0, 140, 0, 150, 0, 0, 0, 200, 0, 1})
	f.Add([]byte{40, 0, 1, 1, 140, 0, 2, 140, 0, 150, 0, 0, 0, 130, 0, 130, 0, 3, 160, 0, 100, 0, 3, 3, 4, 4, 100, 0, 10, 1, 6, 1, 7, 9})
	f.Add([]byte{3, 0, 2, 0, 5, 3, 8, 1, 8, 2, 8, 3, 6, 0, 1, 3, 4, 1, 4, 3, 7, 0, 0, 200, 0, 200, 0, 10})
	f.Fuzz(func(t *testing.T, data []byte) {
		b := tape(data)
		o := geometry.StrokeOptions{
			Width: float64(b.byte()) / 2, Cap: geometry.Cap(b.byte() % 3), Join: geometry.Join(b.byte() % 3),
			MiterLimit: b.float(), DashOffset: b.float(), Dots: b.byte()&1 != 0,
		}
		if o.Width > 100 {
			o.Width = b.float()
		}
		for range b.byte() % 4 {
			o.Dashes = append(o.Dashes, b.float())
		}
		m := geometry.Identity
		if b.byte()&1 != 0 {
			m = geometry.Matrix{A: b.float(), B: b.float(), C: b.float(), D: b.float(), E: b.float(), F: b.float()}
		}
		p := b.path()
		var filled, stroked geometry.Polyline
		p.Flatten(&filled, m, geometry.Tolerance)
		clip := image.Rect(-20, -30, 60, 50)
		new(geometry.Stroker).Stroke(&stroked, p, geometry.Identity, o, m, geometry.Rect{X0: -20, Y0: -30, X1: 60, Y1: 50}, geometry.Tolerance)
		var r raster.Rasterizer
		for _, pl := range []*geometry.Polyline{&filled, &stroked} {
			finitePoints(t, pl)
			geometry.Contains(pl, geometry.Point{X: b.float(), Y: b.float()}, false)
			r.Rasterize(pl, raster.Rule(b.byte()%2), clip, &strictSink{t: t, clip: clip, x: clip.Min.X, y: clip.Min.Y})
		}
	})
}
