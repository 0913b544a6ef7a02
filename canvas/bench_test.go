package canvas

import (
	"context"
	"fmt"
	"math"
	"testing"

	"quicksand/canvas/geometry"
)

// random is a generator of the same numbers everywhere.
type random uint32

func (r *random) next(n float64) float64 {
	*r = *r*1664525 + 1013904223
	return float64(*r>>8) / (1 << 24) * n
}

// drawMixed draws n shapes of eight kinds, all over a surface of size² pixels.
func drawMixed(c *Context, n int, size float64) {
	r := random(1)
	colour := func() [4]uint8 {
		return [4]uint8{uint8(r.next(256)), uint8(r.next(256)), uint8(r.next(256)), uint8(128 + r.next(128))}
	}
	c.SetFont("16px sans-serif")
	for i := range n {
		x, y := r.next(size), r.next(size)
		w, h := 5+r.next(size/8), 5+r.next(size/8)
		c.SetFillColour(colour())
		c.SetStrokeColour(colour())
		switch i % 8 {
		case 0:
			c.FillRect(x, y, w, h)
		case 1:
			c.BeginPath()
			c.Arc(x, y, w/2, 0, 2*math.Pi, false)
			c.Fill(NonZero)
		case 2:
			c.SetLineWidth(1 + r.next(8))
			c.BeginPath()
			c.MoveTo(x, y)
			c.LineTo(x+w, y+h)
			c.LineTo(x+w, y)
			c.Stroke()
		case 3:
			c.SetLineWidth(1 + r.next(4))
			c.BeginPath()
			c.MoveTo(x, y)
			c.BezierCurveTo(x+w, y, x, y+h, x+w, y+h)
			c.Stroke()
		case 4:
			c.SetFillGradient(&Gradient{Coords: [6]float64{x, y, x + w, y + h}, Stops: []Stop{{0, colour()}, {1, colour()}}})
			c.FillRect(x, y, w, h)
		case 5:
			c.BeginPath()
			c.MoveTo(x, y)
			c.LineTo(x+w, y+h/2)
			c.LineTo(x, y+h)
			c.ClosePath()
			c.Fill(NonZero)
		case 6:
			c.SetLineWidth(1 + r.next(4))
			c.StrokeRect(x, y, w, h)
		case 7:
			c.FillText(fmt.Sprintf("label %d", i), x, y)
		}
	}
}

func benchmark(b *testing.B, size int, draw func(c *Context)) {
	b.ReportAllocs()
	for b.Loop() {
		c, err := NewContext(size, size, Options{})
		if err != nil {
			b.Fatal(err)
		}
		draw(c)
		if _, err := c.ImageData(context.Background(), 0, 0, size, size); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMixed is n shapes of eight kinds and reading all pixels back.
func BenchmarkMixed(b *testing.B) {
	for _, size := range []int{512, 2048} {
		for _, n := range []int{1000, 10_000} {
			b.Run(fmt.Sprintf("%d/%d", size, n), func(b *testing.B) {
				benchmark(b, size, func(c *Context) { drawMixed(c, n, float64(size)) })
			})
		}
	}
}

func BenchmarkRects10k512(b *testing.B) {
	benchmark(b, 512, func(c *Context) {
		r := random(1)
		for range 10_000 {
			c.SetFillColour([4]uint8{uint8(r.next(256)), uint8(r.next(256)), uint8(r.next(256)), 200})
			c.FillRect(r.next(512), r.next(512), r.next(60), r.next(60))
		}
	})
}

// BenchmarkText1k is a thousand different strings of 20 characters.
func BenchmarkText1k(b *testing.B) {
	texts := make([]string, 1000)
	r := random(1)
	for i := range texts {
		s := make([]byte, 20)
		for k := range s {
			s[k] = "abcdefghijklmnopqrstuvwxyz    ABC"[int(r.next(33))]
		}
		texts[i] = string(s)
	}
	benchmark(b, 512, func(c *Context) {
		r := random(2)
		c.SetFont("14px sans-serif")
		for _, s := range texts {
			c.FillText(s, r.next(400), r.next(512))
		}
	})
}

// BenchmarkStrokes1k is a thousand lines of 20 segments with round joins.
func BenchmarkStrokes1k(b *testing.B) {
	benchmark(b, 512, func(c *Context) {
		r := random(3)
		c.SetLineJoin(geometry.RoundJoin)
		c.SetLineCap(geometry.RoundCap)
		c.SetLineWidth(6)
		for range 1000 {
			c.SetStrokeColour([4]uint8{uint8(r.next(256)), uint8(r.next(256)), uint8(r.next(256)), 255})
			c.BeginPath()
			c.MoveTo(r.next(512), r.next(512))
			for range 20 {
				c.LineTo(r.next(512), r.next(512))
			}
			c.Stroke()
		}
	})
}

func BenchmarkImageData2048(b *testing.B) {
	c := newTest(b, 2048, 2048, Options{})
	drawMixed(c, 1000, 2048)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.ImageData(context.Background(), 0, 0, 2048, 2048); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkShadows1k is a thousand round shapes with blurred shadows.
func BenchmarkShadows1k(b *testing.B) {
	benchmark(b, 512, func(c *Context) {
		r := random(4)
		c.SetShadowColour([4]uint8{0, 0, 0, 128})
		c.SetShadowBlur(8)
		c.SetShadowOffsetY(3)
		for range 1000 {
			c.SetFillColour([4]uint8{uint8(r.next(256)), uint8(r.next(256)), uint8(r.next(256)), 255})
			c.BeginPath()
			c.Arc(r.next(512), r.next(512), 5+r.next(40), 0, 2*math.Pi, false)
			c.Fill(NonZero)
		}
	})
}

// BenchmarkImages1k is a thousand pictures of 64 × 64, of which half are stretched.
func BenchmarkImages1k(b *testing.B) {
	s := checker(32)
	benchmark(b, 512, func(c *Context) {
		r := random(5)
		for i := range 1000 {
			if x, y := r.next(512), r.next(512); i%2 == 0 {
				c.DrawImage(s, math.Floor(x), math.Floor(y))
			} else {
				c.DrawImageScaled(s, x, y, 20+r.next(100), 20+r.next(100))
			}
		}
	})
}

// BenchmarkClips1k is a thousand round clips, each with a rectangle in it.
func BenchmarkClips1k(b *testing.B) {
	benchmark(b, 512, func(c *Context) {
		r := random(6)
		for range 1000 {
			x, y := r.next(512), r.next(512)
			c.Save()
			c.BeginPath()
			c.Arc(x, y, 30, 0, 2*math.Pi, false)
			c.Clip(NonZero)
			c.SetFillColour([4]uint8{uint8(r.next(256)), uint8(r.next(256)), uint8(r.next(256)), 255})
			c.FillRect(x-30, y-30, 60, 60)
			c.Restore()
		}
	})
}
