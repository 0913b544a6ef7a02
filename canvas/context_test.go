package canvas

import (
	"bytes"
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"

	"quicksand/canvas/geometry"
	"quicksand/canvas/text"
	"quicksand/media"
	mediaimage "quicksand/media/image"
)

var (
	red    = [4]uint8{255, 0, 0, 255}
	green  = [4]uint8{0, 255, 0, 255}
	blue   = [4]uint8{0, 0, 255, 255}
	white  = [4]uint8{255, 255, 255, 255}
	black  = [4]uint8{0, 0, 0, 255}
	clear0 = [4]uint8{}
)

func newTest(t testing.TB, w, h int, o Options) *Context {
	t.Helper()
	c, err := NewContext(w, h, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// pixelsOf are the straight samples of all of a context.
func pixelsOf(t testing.TB, c *Context) []byte {
	t.Helper()
	pix, err := c.ImageData(context.Background(), 0, 0, c.Width(), c.Height())
	if err != nil {
		t.Fatal(err)
	}
	return pix
}

// checker is a picture of 2 × 2 blocks of n pixels: red, green, blue, white.
func checker(n int) *mediaimage.Surface {
	s := mediaimage.New(2*n, 2*n)
	for y := range 2 * n {
		for x := range 2 * n {
			c := [][4]uint8{red, green, blue, white}[y/n*2+x/n]
			copy(s.Row(y)[4*x:], c[:])
		}
	}
	return s
}

type at struct {
	x, y int
	want [4]uint8
}

// stops are from one colour to another.
func stops(a, b [4]uint8) []Stop { return []Stop{{0, a}, {1, b}} }

// TestPixels draws on 100 × 50 pixels and looks at some.
func TestPixels(t *testing.T) {
	fill := func(c *Context, colour [4]uint8) {
		c.SetFillColour(colour)
		c.FillRect(0, 0, 100, 50)
	}
	tests := []struct {
		name   string
		draw   func(c *Context)
		within int // of the wanted values
		want   []at
	}{
		{"a new surface is transparent", func(c *Context) {}, 0, []at{{0, 0, clear0}, {99, 49, clear0}}},
		{"the fill style is black at first", func(c *Context) { c.FillRect(0, 0, 100, 50) }, 0, []at{{50, 25, black}}},
		{"a rectangle covers its pixels only", func(c *Context) { c.FillRect(10, 10, 20, 20) }, 0,
			[]at{{9, 10, clear0}, {10, 9, clear0}, {10, 10, black}, {29, 29, black}, {30, 29, clear0}, {29, 30, clear0}}},
		{"a rectangle covers pixels in part", func(c *Context) { c.FillRect(10.5, 10.25, 20, 20) }, 1,
			[]at{{10, 15, [4]uint8{0, 0, 0, 128}}, {30, 15, [4]uint8{0, 0, 0, 128}}, {20, 10, [4]uint8{0, 0, 0, 191}}, {20, 30, [4]uint8{0, 0, 0, 64}}, {10, 10, [4]uint8{0, 0, 0, 96}}}},
		{"a rectangle within a pixel covers a part of it", func(c *Context) { c.FillRect(10.25, 10.25, 0.5, 0.5) }, 1, []at{{10, 10, [4]uint8{0, 0, 0, 64}}, {11, 10, clear0}}},
		{"a rectangle over two columns covers a part of each", func(c *Context) { c.FillRect(10.75, 10, 0.5, 1) }, 1,
			[]at{{10, 10, [4]uint8{0, 0, 0, 64}}, {11, 10, [4]uint8{0, 0, 0, 64}}, {12, 10, clear0}}},
		{"negative sizes extend a rectangle to the other side", func(c *Context) { c.FillRect(30, 30, -20, -20) }, 0, []at{{10, 10, black}, {29, 29, black}, {30, 30, clear0}}},
		{"a rectangle without a side draws nothing", func(c *Context) { c.FillRect(10, 10, 0, 20); c.FillRect(10, 10, 20, 0) }, 0, []at{{10, 10, clear0}}},
		{"what is not finite is ignored", func(c *Context) {
			c.FillRect(math.NaN(), 0, 100, 50)
			c.FillRect(0, 0, math.Inf(1), 50)
			c.Translate(math.Inf(1), 0)
			c.Scale(math.NaN(), 1)
			c.Rotate(math.NaN())
			c.SetTransform(math.NaN(), 0, 0, 1, 0, 0)
			c.SetLineWidth(math.Inf(1))
			c.SetShadowOffsetX(math.NaN())
			c.FillText("x", math.NaN(), 0)
			c.DrawImage(checker(1), math.NaN(), 0)
			c.FillRect(5, 5, 1, 1)
		}, 0, []at{{0, 0, clear0}, {5, 5, black}, {6, 6, clear0}}},
		{"huge coordinates are cut off at the surface", func(c *Context) {
			c.FillRect(-1e300, -1e300, 2e300, 2e300)
			c.BeginPath()
			c.MoveTo(-1e300, -1e300)
			c.LineTo(1e300, 1e300)
			c.LineTo(-1e300, 1e300)
			c.SetFillColour(red)
			c.Fill(NonZero)
		}, 0, []at{{99, 0, black}}},
		{"what overflows is cut off, too", func(c *Context) {
			c.FillRect(50, 25, math.MaxFloat64, math.MaxFloat64)
			c.FillRect(math.MaxFloat64, math.MaxFloat64, math.MaxFloat64, math.MaxFloat64)
			c.FillText("x", 1e300, -1e300)
			c.DrawImagePart(checker(5), -1e300, -1e300, 2e300, 2e300, 1e300, 0, 1e300, 1e300)
			c.DrawImageScaled(checker(5), 0, 0, 1e60, 1e60)
			c.Scale(1e200, 1e200)
			c.FillRect(1e200, 1e200, 1e200, -1e200)
			c.FillText("x", 1, 1)
			c.StrokeText("x", 1, 1)
			c.StrokeRect(1e100, 1e100, 1e100, 1e100)
			c.DrawImage(checker(5), 1e100, 1)
		}, 0, []at{{49, 24, red}, {50, 25, red}, {99, 49, red}}},
		{"a rotated rectangle is a polygon", func(c *Context) {
			c.Translate(50, 25)
			c.Rotate(math.Pi / 4)
			c.FillRect(-10, -10, 20, 20)
		}, 0, []at{{50, 25, black}, {50, 12, black}, {41, 16, clear0}, {58, 33, clear0}}},
		{"a triangle is filled", func(c *Context) {
			c.MoveTo(0, 0)
			c.LineTo(100, 0)
			c.LineTo(0, 50)
			c.Fill(NonZero)
		}, 0, []at{{10, 10, black}, {90, 45, clear0}}},
		{"the nonzero rule fills what is wound twice", func(c *Context) {
			c.Rect(0, 0, 100, 50)
			c.Rect(20, 10, 60, 30)
			c.Fill(NonZero)
		}, 0, []at{{50, 25, black}}},
		{"the evenodd rule leaves a hole", func(c *Context) {
			c.Rect(0, 0, 100, 50)
			c.Rect(20, 10, 60, 30)
			c.Fill(EvenOdd)
		}, 0, []at{{50, 25, clear0}, {5, 5, black}}},
		{"a circle is round", func(c *Context) { c.Arc(50, 25, 20, 0, 2*math.Pi, false); c.Fill(NonZero) }, 0,
			[]at{{50, 25, black}, {31, 25, black}, {34, 9, clear0}, {63, 37, black}, {65, 40, clear0}}},
		{"points are transformed when they are added", func(c *Context) {
			c.Translate(10, 10)
			c.MoveTo(0, 0)
			c.ResetTransform()
			c.LineTo(50, 10)
			c.LineTo(50, 40)
			c.LineTo(10, 40)
			c.Fill(NonZero)
		}, 0, []at{{11, 11, black}, {9, 11, clear0}, {49, 39, black}}},
		{"the path is not part of the state", func(c *Context) {
			c.Save()
			c.Rect(0, 0, 10, 10)
			c.Restore()
			c.Fill(NonZero)
		}, 0, []at{{5, 5, black}}},
		{"a path given is transformed by the matrix", func(c *Context) {
			p := new(geometry.Path)
			p.Rect(0, 0, 10, 10)
			c.Translate(20, 20)
			c.FillPath(p, NonZero)
		}, 0, []at{{19, 20, clear0}, {20, 20, black}, {29, 29, black}}},

		{"a line is as wide as the line width", func(c *Context) {
			c.SetLineWidth(10)
			c.MoveTo(0, 25)
			c.LineTo(100, 25)
			c.Stroke()
		}, 0, []at{{50, 19, clear0}, {50, 20, black}, {50, 29, black}, {50, 30, clear0}}},
		{"the pen is scaled by the matrix of the stroke", func(c *Context) {
			c.MoveTo(0, 25)
			c.LineTo(100, 25)
			c.Scale(1, 10)
			c.Stroke()
		}, 0, []at{{50, 19, clear0}, {50, 20, black}, {50, 29, black}, {50, 30, clear0}}},
		{"butt caps end at the end, square ones half a width after", func(c *Context) {
			c.SetLineWidth(10)
			c.MoveTo(20, 10)
			c.LineTo(50, 10)
			c.Stroke()
			c.BeginPath()
			c.SetLineCap(geometry.SquareCap)
			c.MoveTo(20, 30)
			c.LineTo(50, 30)
			c.Stroke()
		}, 0, []at{{19, 10, clear0}, {50, 10, clear0}, {15, 30, black}, {14, 30, clear0}, {54, 30, black}, {55, 30, clear0}}},
		{"dashes leave gaps", func(c *Context) {
			c.SetLineWidth(10)
			c.SetLineDash([]float64{10})
			c.MoveTo(0, 25)
			c.LineTo(100, 25)
			c.Stroke()
		}, 0, []at{{5, 25, black}, {15, 25, clear0}, {25, 25, black}}},
		{"a dash offset moves dashes back", func(c *Context) {
			c.SetLineWidth(10)
			c.SetLineDash([]float64{10, 10})
			c.SetLineDashOffset(10)
			c.MoveTo(0, 25)
			c.LineTo(100, 25)
			c.Stroke()
		}, 0, []at{{5, 25, clear0}, {15, 25, black}}},
		{"a dash list with a negative length is ignored", func(c *Context) {
			c.SetLineDash([]float64{10, -1})
			c.SetLineWidth(10)
			c.MoveTo(0, 25)
			c.LineTo(100, 25)
			c.Stroke()
		}, 0, []at{{15, 25, black}}},
		{"strokeRect draws a frame", func(c *Context) { c.SetLineWidth(4); c.StrokeRect(20, 10, 40, 20) }, 0,
			[]at{{18, 8, black}, {21, 20, black}, {22, 20, clear0}, {40, 20, clear0}, {61, 31, black}, {62, 31, clear0}}},
		{"strokeRect without a height draws a line", func(c *Context) { c.SetLineWidth(10); c.StrokeRect(20, 25, 40, 0) }, 0,
			[]at{{19, 25, clear0}, {20, 25, black}, {59, 20, black}, {60, 25, clear0}, {40, 19, clear0}}},
		{"strokeRect without any size draws nothing", func(c *Context) {
			c.SetLineWidth(10)
			c.SetLineCap(geometry.RoundCap)
			c.SetLineJoin(geometry.RoundJoin)
			c.StrokeRect(20, 25, 0, 0)
		}, 0, []at{{20, 25, clear0}}},
		{"a stroke in a space without an area draws nothing", func(c *Context) {
			c.MoveTo(0, 25)
			c.LineTo(100, 25)
			c.Scale(0, 1)
			c.SetLineWidth(50)
			c.Stroke()
			c.FillRect(0, 0, 100, 50)
		}, 0, []at{{50, 25, clear0}}},

		{"clearRect makes a part transparent", func(c *Context) { fill(c, red); c.ClearRect(10, 10, 20, 20) }, 0, []at{{10, 10, clear0}, {29, 29, clear0}, {9, 10, red}, {30, 29, red}}},
		{"clearRect takes away in part what it covers in part", func(c *Context) { fill(c, red); c.ClearRect(10.5, 10, 20, 20) }, 1, []at{{10, 15, [4]uint8{255, 0, 0, 127}}}},
		{"clearRect does not look at style, alpha, shadow or mode", func(c *Context) {
			fill(c, red)
			c.SetGlobalAlpha(0.1)
			c.SetGlobalCompositeOperation(mediaimage.DestinationAtop)
			c.SetShadowColour(blue)
			c.SetShadowOffsetX(20)
			c.ClearRect(0, 0, 10, 10)
		}, 0, []at{{5, 5, clear0}, {25, 5, red}, {50, 25, red}}},
		{"clearRect is transformed and clipped", func(c *Context) {
			fill(c, red)
			c.Rect(0, 0, 50, 50)
			c.Clip(NonZero)
			c.Translate(40, 0)
			c.Rotate(math.Pi / 2)
			c.ClearRect(0, -20, 20, 40)
		}, 1, []at{{30, 5, clear0}, {49, 5, clear0}, {50, 5, red}, {30, 21, red}}},

		{"a clip keeps what is outside", func(c *Context) {
			c.Rect(10, 10, 20, 20)
			c.Clip(NonZero)
			fill(c, red)
		}, 0, []at{{9, 10, clear0}, {10, 10, red}, {29, 29, red}, {30, 29, clear0}}},
		{"an upright clip cuts a round one", func(c *Context) {
			c.Arc(50, 25, 20, 0, 2*math.Pi, false)
			c.Clip(NonZero)
			c.BeginPath()
			c.Rect(50, 0, 50, 50)
			c.Clip(NonZero)
			fill(c, red)
		}, 0, []at{{49, 25, clear0}, {50, 25, red}, {65, 9, clear0}, {70, 25, clear0}}},
		{"a clip with a slanted edge is no rectangle", func(c *Context) {
			c.MoveTo(0, 0)
			c.LineTo(100, 0)
			c.LineTo(100, 50)
			c.LineTo(50, 50)
			c.Clip(NonZero)
			fill(c, red)
		}, 0, []at{{10, 40, clear0}, {90, 25, red}}},
		{"clips intersect", func(c *Context) {
			c.Rect(10, 10, 20, 20)
			c.Clip(NonZero)
			c.BeginPath()
			c.Rect(20, 20, 20, 20)
			c.Clip(NonZero)
			fill(c, red)
		}, 0, []at{{15, 15, clear0}, {25, 25, red}, {35, 35, clear0}}},
		{"a round clip has soft edges and goes with restore", func(c *Context) {
			c.Save()
			c.Arc(50, 25, 20, 0, 2*math.Pi, false)
			c.Clip(NonZero)
			fill(c, red)
			c.Restore()
			c.SetFillColour(blue)
			c.FillRect(0, 0, 10, 10)
		}, 0, []at{{50, 25, red}, {34, 9, clear0}, {5, 5, blue}, {80, 25, clear0}}},
		{"a clip to an empty path lets nothing through", func(c *Context) { c.Clip(NonZero); fill(c, red) }, 0, []at{{50, 25, clear0}}},
		{"the evenodd rule clips, too", func(c *Context) {
			c.Rect(0, 0, 100, 50)
			c.Rect(20, 10, 60, 30)
			c.Clip(EvenOdd)
			fill(c, red)
		}, 0, []at{{50, 25, clear0}, {5, 5, red}}},

		{"a linear gradient goes from one colour to the other", func(c *Context) {
			c.SetFillGradient(&Gradient{Coords: [6]float64{0, 0, 100, 0}, Stops: stops(red, blue)})
			c.FillRect(0, 0, 100, 50)
		}, 2, []at{{0, 25, [4]uint8{254, 0, 1, 255}}, {50, 25, [4]uint8{126, 0, 129, 255}}, {99, 25, [4]uint8{1, 0, 254, 255}}}},
		{"a gradient is in user space when it is painted", func(c *Context) {
			g := &Gradient{Coords: [6]float64{0, 0, 20, 0}, Stops: stops(red, blue)}
			c.SetFillGradient(g)
			c.FillRect(0, 0, 20, 50)
			c.Translate(20, 0)
			c.FillRect(0, 0, 20, 50)
		}, 1, []at{{2, 25, [4]uint8{223, 0, 32, 255}}, {22, 25, [4]uint8{223, 0, 32, 255}}}},
		{"a gradient that has changed since it was set is painted as it is", func(c *Context) {
			g := &Gradient{Coords: [6]float64{0, 0, 100, 0}}
			c.SetFillGradient(g)
			c.FillRect(0, 0, 10, 10)
			g.Stops = append(g.Stops, Stop{0, green})
			c.FillRect(0, 10, 10, 10)
		}, 0, []at{{5, 5, clear0}, {5, 15, green}}},
		{"a linear gradient of one point paints nothing", func(c *Context) {
			c.SetFillGradient(&Gradient{Coords: [6]float64{5, 5, 5, 5}, Stops: stops(red, blue)})
			c.FillRect(0, 0, 100, 50)
		}, 0, []at{{50, 25, clear0}}},
		{"a radial gradient is round", func(c *Context) {
			c.SetFillGradient(&Gradient{Type: Radial, Coords: [6]float64{50, 25, 0, 50, 25, 20}, Stops: stops(red, blue)})
			c.FillRect(0, 0, 100, 50)
		}, 1, []at{{50, 25, [4]uint8{246, 0, 9, 255}}, {20, 25, blue}, {60, 25, [4]uint8{121, 0, 134, 255}}, {50, 15, [4]uint8{134, 0, 121, 255}}}},
		{"a conic gradient turns clockwise from its angle", func(c *Context) {
			c.SetFillGradient(&Gradient{Type: Conic, Coords: [6]float64{0, 50, 25}, Stops: stops(black, white)})
			c.FillRect(0, 0, 100, 50)
		}, 8, []at{{90, 26, black}, {50, 45, [4]uint8{64, 64, 64, 255}}, {10, 25, [4]uint8{128, 128, 128, 255}}, {49, 5, [4]uint8{191, 191, 191, 255}}}},
		{"translucent stops are mixed before they are premultiplied", func(c *Context) {
			c.SetFillGradient(&Gradient{Coords: [6]float64{0, 0, 100, 0}, Stops: stops([4]uint8{255, 0, 0, 0}, blue)})
			c.FillRect(0, 0, 100, 50)
		}, 3, []at{{50, 25, [4]uint8{127, 0, 128, 129}}}},

		{"a pattern repeats", func(c *Context) {
			c.SetFillPattern(&Pattern{Image: checker(5), Matrix: geometry.Identity})
			c.FillRect(0, 0, 100, 50)
		}, 0, []at{{2, 2, red}, {7, 2, green}, {2, 7, blue}, {12, 12, red}, {97, 47, white}}},
		{"a pattern that does not repeat is there once", func(c *Context) {
			c.SetFillPattern(&Pattern{Image: checker(5), Repetition: NoRepeat, Matrix: geometry.Identity})
			c.FillRect(0, 0, 100, 50)
		}, 0, []at{{2, 2, red}, {12, 2, clear0}, {2, 12, clear0}}},
		{"a pattern repeats to one side only", func(c *Context) {
			c.SetFillPattern(&Pattern{Image: checker(5), Repetition: RepeatX, Matrix: geometry.Identity})
			c.FillRect(0, 0, 50, 50)
			c.SetFillPattern(&Pattern{Image: checker(5), Repetition: RepeatY, Matrix: geometry.Identity.Translate(50, 0)})
			c.FillRect(50, 0, 50, 50)
		}, 0, []at{{12, 2, red}, {2, 12, clear0}, {52, 12, red}, {62, 2, clear0}}},
		{"a pattern has a matrix of its own", func(c *Context) {
			c.SetFillPattern(&Pattern{Image: checker(5), Matrix: geometry.Matrix{A: 1, D: 1, E: 3}})
			c.Translate(0, 10)
			c.FillRect(0, 0, 100, 40)
		}, 0, []at{{5, 12, red}, {10, 12, green}, {1, 12, green}}},

		{"an image is copied to where it is drawn", func(c *Context) { c.DrawImage(checker(5), 20, 10) }, 0,
			[]at{{19, 10, clear0}, {20, 10, red}, {29, 10, green}, {20, 19, blue}, {29, 19, white}, {30, 19, clear0}}},
		{"an image is stretched", func(c *Context) {
			c.SetImageSmoothingEnabled(false)
			c.DrawImageScaled(checker(1), 0, 0, 100, 50)
		}, 0, []at{{0, 0, red}, {49, 24, red}, {50, 0, green}, {0, 25, blue}, {99, 49, white}}},
		{"smoothing mixes neighbours", func(c *Context) { c.DrawImageScaled(checker(1), 0, 0, 100, 50) }, 3,
			[]at{{0, 0, red}, {50, 0, [4]uint8{127, 128, 0, 255}}, {99, 0, green}}},
		{"a part of an image is drawn as when all of it is", func(c *Context) { c.DrawImagePart(checker(5), 5, 0, 5, 5, 0, 0, 100, 50) }, 8,
			[]at{{0, 0, [4]uint8{121, 134, 0, 255}}, {50, 10, green}, {99, 49, [4]uint8{115, 255, 115, 255}}}},
		{"a part of an image is drawn without what is beside it when pixels are not mixed", func(c *Context) {
			c.SetImageSmoothingEnabled(false)
			c.DrawImagePart(checker(5), 5, 0, 5, 5, 0, 0, 100, 50)
		}, 0, []at{{0, 0, green}, {99, 49, green}}},
		{"negative sizes of images extend them to the other side, unmirrored", func(c *Context) { c.DrawImagePart(checker(5), 10, 10, -10, -10, 30, 30, -20, -20) }, 0,
			[]at{{12, 12, red}, {28, 12, green}, {12, 28, blue}, {28, 28, white}, {31, 31, clear0}}},
		{"what of the part is outside of an image is cut off in proportion", func(c *Context) {
			c.DrawImagePart(checker(5), -10, 0, 20, 10, 0, 0, 40, 20)
		}, 0, []at{{10, 5, clear0}, {22, 2, red}, {38, 2, green}, {42, 2, clear0}}},
		{"a part outside of the image draws nothing", func(c *Context) {
			c.DrawImagePart(checker(5), 20, 20, 5, 5, 0, 0, 100, 50)
			c.DrawImagePart(checker(5), 0, 0, 0, 5, 0, 0, 100, 50)
			c.DrawImageScaled(checker(5), 0, 0, 0, 10)
		}, 0, []at{{0, 0, clear0}}},
		{"an image is rotated", func(c *Context) {
			c.Translate(50, 25)
			c.Rotate(math.Pi / 2)
			c.DrawImage(checker(10), -10, -10)
		}, 0, []at{{45, 20, blue}, {55, 20, red}, {55, 30, green}, {45, 30, white}}},

		{"globalAlpha multiplies", func(c *Context) { c.SetGlobalAlpha(0.5); fill(c, red) }, 1, []at{{50, 25, [4]uint8{255, 0, 0, 128}}}},
		{"globalAlpha applies to images, too", func(c *Context) { c.SetGlobalAlpha(0.5); c.DrawImage(checker(5), 0, 0) }, 1, []at{{2, 2, [4]uint8{255, 0, 0, 128}}}},
		{"a globalAlpha outside of 0 to 1 is ignored", func(c *Context) {
			c.SetGlobalAlpha(1.1)
			c.SetGlobalAlpha(-0.1)
			c.SetGlobalAlpha(math.NaN())
			fill(c, red)
		}, 0, []at{{50, 25, red}}},

		{"a shadow is beneath the shape, moved by pixels", func(c *Context) {
			c.SetShadowColour(blue)
			c.SetShadowOffsetX(10)
			c.SetShadowOffsetY(5)
			c.Scale(2, 2)
			c.SetFillColour(red)
			c.FillRect(10, 5, 10, 10)
		}, 0, []at{{20, 10, red}, {39, 29, red}, {40, 29, blue}, {49, 34, blue}, {50, 34, clear0}, {20, 31, clear0}}},
		{"a shadow has the alpha of the shape", func(c *Context) {
			c.SetShadowColour(blue)
			c.SetShadowOffsetX(50)
			c.SetGlobalAlpha(0.5)
			c.SetFillColour([4]uint8{255, 0, 0, 128})
			c.FillRect(0, 0, 50, 50)
		}, 2, []at{{10, 25, [4]uint8{255, 0, 0, 64}}, {60, 25, [4]uint8{0, 0, 255, 64}}}},
		{"a shadow is blurred", func(c *Context) {
			c.SetShadowColour(blue)
			c.SetShadowBlur(10)
			c.SetShadowOffsetX(1000)
			c.FillRect(-950, -100, 1000-50, 300)
		}, 3, []at{{70, 25, blue}, {50, 25, [4]uint8{0, 0, 255, 138}}, {49, 25, [4]uint8{0, 0, 255, 117}}, {20, 25, clear0}}},
		{"a shadow without an offset or a blur is none", func(c *Context) {
			c.SetShadowColour(blue)
			c.SetFillColour([4]uint8{255, 0, 0, 128})
			c.FillRect(0, 0, 50, 50)
		}, 1, []at{{10, 25, [4]uint8{255, 0, 0, 128}}}},
		{"an image has a shadow", func(c *Context) {
			c.SetShadowColour(blue)
			c.SetShadowOffsetX(20)
			c.DrawImage(checker(5), 0, 0)
		}, 0, []at{{2, 2, red}, {22, 2, blue}, {32, 2, clear0}}},
		{"a shadow is clipped", func(c *Context) {
			c.Rect(0, 0, 25, 50)
			c.Clip(NonZero)
			c.SetShadowColour(blue)
			c.SetShadowOffsetX(20)
			c.FillRect(0, 0, 10, 10)
		}, 0, []at{{22, 2, blue}, {27, 2, clear0}}},

		{"a filter changes colours of what is drawn only", func(c *Context) {
			fill(c, red)
			c.SetFilter("invert(1)")
			c.SetFillColour(white)
			c.FillRect(0, 0, 10, 10)
		}, 1, []at{{5, 5, black}, {50, 25, red}}},
		{"a blur goes beyond the shape", func(c *Context) {
			c.SetFilter("blur(4px)")
			c.FillRect(40, 0, 20, 50)
		}, 0, []at{{20, 25, clear0}}},
		{"drop-shadow is a filter", func(c *Context) {
			c.SetFilter("drop-shadow(20px 0 0 blue)")
			c.SetFillColour(red)
			c.FillRect(0, 0, 10, 10)
		}, 0, []at{{5, 5, red}, {25, 5, blue}, {15, 5, clear0}}},
		{"a filter that does not parse is ignored", func(c *Context) {
			c.SetFilter("invert(1)")
			if c.SetFilter("inverse(1)") {
				panic("a filter parses that is none")
			}
			c.SetFillColour(white)
			c.FillRect(0, 0, 10, 10)
		}, 1, []at{{5, 5, black}}},

		{"copy clears what it does not cover", func(c *Context) {
			fill(c, red)
			c.SetGlobalCompositeOperation(mediaimage.Copy)
			c.SetFillColour(blue)
			c.FillRect(0, 0, 10, 10)
		}, 0, []at{{5, 5, blue}, {50, 25, clear0}}},
		{"copy clears within the clip only", func(c *Context) {
			fill(c, red)
			c.Rect(0, 0, 50, 50)
			c.Clip(NonZero)
			c.SetGlobalCompositeOperation(mediaimage.Copy)
			c.SetFillColour(blue)
			c.FillRect(0, 0, 10, 10)
		}, 0, []at{{5, 5, blue}, {30, 25, clear0}, {60, 25, red}}},
		{"destination-over goes beneath", func(c *Context) {
			c.SetFillColour(red)
			c.FillRect(0, 0, 10, 50)
			c.SetGlobalCompositeOperation(mediaimage.DestinationOver)
			fill(c, blue)
		}, 0, []at{{5, 5, red}, {50, 25, blue}}},
		{"multiply multiplies", func(c *Context) {
			fill(c, [4]uint8{128, 255, 0, 255})
			c.SetGlobalCompositeOperation(mediaimage.Multiply)
			fill(c, [4]uint8{128, 128, 128, 255})
		}, 1, []at{{50, 25, [4]uint8{64, 128, 0, 255}}}},
		{"xor leaves what only one has", func(c *Context) {
			c.SetFillColour(red)
			c.FillRect(0, 0, 60, 50)
			c.SetGlobalCompositeOperation(mediaimage.Xor)
			c.SetFillColour(blue)
			c.FillRect(40, 0, 60, 50)
		}, 0, []at{{20, 25, red}, {50, 25, clear0}, {80, 25, blue}}},

		{"save and restore bring everything back", func(c *Context) {
			c.SetFillColour(green)
			c.Save()
			c.SetFillColour(red)
			c.Translate(50, 0)
			c.SetGlobalAlpha(0.5)
			c.SetShadowColour(blue)
			c.SetShadowOffsetX(3)
			c.Restore()
			c.Restore()
			c.FillRect(0, 0, 10, 10)
		}, 0, []at{{5, 5, green}, {11, 5, clear0}}},
		{"reset clears the surface, the state and the path", func(c *Context) {
			fill(c, red)
			c.Save()
			c.Translate(50, 0)
			c.Rect(0, 0, 50, 50)
			c.Clip(NonZero)
			c.Reset()
			c.Restore()
			c.Fill(NonZero)
			c.FillRect(0, 0, 10, 10)
		}, 0, []at{{5, 5, black}, {60, 25, clear0}}},

		{"putImageData replaces pixels, whatever the state", func(c *Context) {
			fill(c, red)
			c.Rect(0, 0, 1, 1)
			c.Clip(NonZero)
			c.SetGlobalAlpha(0.1)
			c.SetGlobalCompositeOperation(mediaimage.DestinationOver)
			c.Translate(30, 30)
			s := checker(5)
			copy(s.Row(0), []byte{0, 0, 0, 0})
			c.PutImageData(s, 10, 10, 0, 0, 10, 10)
		}, 0, []at{{10, 10, clear0}, {11, 10, red}, {15, 10, green}, {10, 15, blue}, {19, 19, white}, {20, 19, red}}},
		{"putImageData puts a part", func(c *Context) { c.PutImageData(checker(5), 10, 10, 5, 0, 5, 5) }, 0, []at{{14, 10, clear0}, {15, 10, green}, {19, 14, green}, {15, 15, clear0}}},
		{"putImageData takes negative sizes and cuts off what is outside", func(c *Context) {
			c.PutImageData(checker(5), -5, -5, 20, 20, -15, -15)
			c.PutImageData(checker(5), 95, 45, 0, 0, 100, 100)
			c.PutImageData(checker(5), math.MinInt, 0, math.MaxInt, 0, 1, 1)
		}, 0, []at{{0, 0, white}, {4, 4, white}, {5, 5, clear0}, {95, 45, red}, {99, 49, red}}},

		{"text is drawn with the fill style", func(c *Context) {
			c.SetFont("50px sans-serif")
			c.SetFillColour(red)
			c.FillText("█", 0, 40)
		}, 0, []at{{15, 25, red}}},
		{"text that is condensed to nothing is not drawn", func(c *Context) {
			c.SetFont("50px sans-serif")
			c.FillTextWithin("█", 0, 40, 0)
			c.FillTextWithin("█", 0, 40, -1)
			c.FillTextWithin("█", 0, 40, math.NaN())
		}, 0, []at{{15, 25, clear0}}},
		{"text is condensed to its greatest width", func(c *Context) {
			c.SetFont("50px sans-serif")
			c.FillTextWithin("████████", 0, 40, 20)
		}, 0, []at{{10, 25, black}, {21, 25, clear0}}},
		{"text at its end is to the left", func(c *Context) {
			c.SetFont("50px sans-serif")
			c.SetTextAlign(text.AlignEnd)
			c.FillText("█", 50, 40)
		}, 0, []at{{40, 25, black}, {51, 25, clear0}}},
		{"text from right to left starts at the right", func(c *Context) {
			c.SetFont("50px sans-serif")
			c.SetDirection(RTL)
			c.FillText("█", 50, 40)
		}, 0, []at{{40, 25, black}, {51, 25, clear0}}},
		{"text has a gradient and a shadow", func(c *Context) {
			c.SetFont("50px sans-serif")
			c.SetFillGradient(&Gradient{Coords: [6]float64{0, 0, 100, 0}, Stops: stops(green, green)})
			c.SetShadowColour(blue)
			c.SetShadowOffsetX(50)
			c.FillText("█", 0, 40)
		}, 0, []at{{15, 25, green}, {65, 25, blue}}},
		{"outlines of text are stroked", func(c *Context) {
			c.SetFont("50px sans-serif")
			c.SetLineWidth(4)
			c.SetStrokeColour(red)
			c.StrokeText("█", 10, 40)
		}, 0, []at{{10, 25, red}, {22, 25, clear0}}},
		{"text is turned with the matrix", func(c *Context) {
			c.SetFont("40px sans-serif")
			c.Translate(50, 0)
			c.Rotate(math.Pi / 2)
			c.FillText("█", 0, 0)
		}, 0, []at{{60, 15, black}, {30, 15, clear0}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newTest(t, 100, 50, Options{})
			tt.draw(c)
			pix := pixelsOf(t, c)
			for _, p := range tt.want {
				i := 4 * (p.y*100 + p.x)
				got := [4]uint8(pix[i : i+4])
				for k := range got {
					if d := int(got[k]) - int(p.want[k]); d > tt.within || -d > tt.within {
						t.Errorf("pixel %d, %d is %v, want %v ± %d", p.x, p.y, got, p.want, tt.within)
						break
					}
				}
			}
		})
	}
}

func TestFirstState(t *testing.T) {
	s := newTest(t, 1, 1, Options{}).State()
	if s.Matrix != geometry.Identity || s.Fill.Colour != black || s.Stroke.Colour != black || s.LineWidth != 1 ||
		s.MiterLimit != 10 || s.LineCap != geometry.ButtCap || s.LineJoin != geometry.MiterJoin || s.LineDash != nil ||
		s.GlobalAlpha != 1 || s.Composite != mediaimage.SourceOver || s.Filter != "none" || s.ShadowColour != clear0 ||
		!s.ImageSmoothing || s.ImageSmoothingQuality != Low || s.TextAlign != text.AlignStart || s.Direction != Inherit ||
		s.TextBaseline != text.BaselineAlphabetic || s.LetterSpacing.String() != "0px" || s.Font.String() != "10px sans-serif" {
		t.Errorf("the first state is %+v", s)
	}
}

func TestSettersIgnore(t *testing.T) {
	c := newTest(t, 1, 1, Options{})
	before := c.State()
	c.SetLineWidth(0)
	c.SetLineWidth(-1)
	c.SetMiterLimit(0)
	c.SetMiterLimit(math.NaN())
	c.SetShadowBlur(-1)
	c.SetLineDashOffset(math.Inf(-1))
	c.SetLineDash([]float64{1, math.NaN()})
	for _, ok := range []bool{c.SetFont("large"), c.SetFilter("blur"), c.SetLetterSpacing("3"), c.SetWordSpacing("x")} {
		if ok {
			t.Error("a value that does not parse is set")
		}
	}
	after := c.State()
	if after.LineWidth != before.LineWidth || after.MiterLimit != 10 || after.ShadowBlur != 0 || after.LineDashOffset != 0 ||
		after.LineDash != nil || after.Font.String() != "10px sans-serif" || after.Filter != "none" {
		t.Errorf("the state is %+v", after)
	}
	c.SetLineDash([]float64{1, 2, 3})
	if got := c.State().LineDash; len(got) != 6 || got[5] != 3 {
		t.Errorf("an odd list becomes %v", got)
	}
}

func TestImageDataOutside(t *testing.T) {
	c := newTest(t, 10, 10, Options{})
	c.SetFillColour(red)
	c.FillRect(0, 0, 10, 10)
	for _, tt := range []struct {
		name       string
		x, y, w, h int
		inside     int // pixels
	}{
		{"inside", 0, 0, 10, 10, 100},
		{"over the upper left corner", -5, -5, 10, 10, 25},
		{"over the lower right corner", 5, 5, 10, 10, 25},
		{"beside", 100, 0, 10, 10, 0},
		{"far away", math.MaxInt, math.MinInt, 10, 10, 0},
		{"with negative sizes", 5, 5, -5, -5, 25},
	} {
		pix, err := c.ImageData(context.Background(), tt.x, tt.y, tt.w, tt.h)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		n := 0
		for i := 0; i < len(pix); i += 4 {
			if [4]uint8(pix[i:i+4]) == red {
				n++
			} else if [4]uint8(pix[i:i+4]) != clear0 {
				t.Errorf("%s: a pixel is %v", tt.name, pix[i:i+4])
			}
		}
		if n != tt.inside {
			t.Errorf("%s: %d pixels are red, want %d", tt.name, n, tt.inside)
		}
	}
	if _, err := c.ImageData(context.Background(), 0, 0, 0, 1); err == nil {
		t.Error("a part without a width is no error")
	}
}

func TestImageDataOfTranslucentPixelsIsStraight(t *testing.T) {
	c := newTest(t, 1, 1, Options{})
	c.SetFillColour([4]uint8{200, 100, 50, 128})
	c.FillRect(0, 0, 1, 1)
	got := pixelsOf(t, c)
	for i, want := range []int{200, 100, 50, 128} {
		if d := int(got[i]) - want; d < -1 || d > 1 {
			t.Errorf("the pixel is %v", got)
		}
	}
}

func TestSnapshotsDoNotChange(t *testing.T) {
	c := newTest(t, 10, 10, Options{})
	c.SetFillColour(red)
	c.FillRect(0, 0, 10, 10)
	s, err := c.Surface(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	again, _ := c.Surface(context.Background())
	if again != s {
		t.Error("a snapshot of an unchanged surface is a copy")
	}
	c.SetFillColour(blue)
	c.FillRect(0, 0, 10, 10)
	// On itself, shrunk.
	c.DrawImageScaled(s, 0, 0, 5, 5)
	pix := pixelsOf(t, c)
	if got := [4]uint8(s.Pix[:4]); got != red {
		t.Errorf("the snapshot is %v", got)
	}
	if got := [4]uint8(pix[4*99:]); got != blue {
		t.Errorf("the surface is %v", got)
	}
	if got := [4]uint8(pix[:4]); got != red {
		t.Errorf("the surface where the snapshot is drawn is %v", got)
	}
}

func TestBackground(t *testing.T) {
	c := newTest(t, 10, 10, Options{Background: &white})
	c.ClearRect(0, 0, 5, 5)
	c.FillRect(5, 5, 5, 5)
	pix := pixelsOf(t, c)
	if [4]uint8(pix[:4]) != clear0 || [4]uint8(pix[4*9:]) != white || [4]uint8(pix[4*99:]) != black {
		t.Errorf("cleared %v, untouched %v, filled %v", pix[:4], pix[4*9:4*10], pix[4*99:])
	}
	c.Reset()
	if pix := pixelsOf(t, c); [4]uint8(pix[:4]) != white {
		t.Errorf("after reset it is %v", pix[:4])
	}
}

func TestHits(t *testing.T) {
	c := newTest(t, 100, 50, Options{})
	c.Translate(10, 10)
	c.Rect(0, 0, 20, 20)
	c.Rect(5, 5, 10, 10)
	c.SetLineWidth(4)
	p := new(geometry.Path)
	p.Rect(0, 0, 5, 5)
	for _, tt := range []struct {
		name string
		got  bool
		want bool
	}{
		{"points are in device space", c.PointInPath(11, 11, NonZero), true},
		{"outside", c.PointInPath(5, 5, NonZero), false},
		{"on the border", c.PointInPath(10, 10, NonZero), true},
		{"nonzero in the hole", c.PointInPath(20, 20, NonZero), true},
		{"evenodd in the hole", c.PointInPath(20, 20, EvenOdd), false},
		{"not finite", c.PointInPath(math.NaN(), 20, NonZero), false},
		{"in the line", sure(c.PointInStroke(t.Context(), 9, 15)), true},
		{"beside the line", sure(c.PointInStroke(t.Context(), 7, 15)), false},
		{"between lines", sure(c.PointInStroke(t.Context(), 12.5, 20)), false},
		{"a given path is transformed", c.PathContains(p, 12, 12, NonZero), true},
		{"outside of a given path", c.PathContains(p, 2, 2, NonZero), false},
		{"in the line of a given path", sure(c.StrokeContains(t.Context(), p, 9, 12)), true},
		{"inside of a given path, not its line", sure(c.StrokeContains(t.Context(), p, 12.5, 12.5)), false},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %v", tt.name, tt.got)
		}
	}
	c.Scale(0, 0)
	if sure(c.PointInStroke(t.Context(), 9, 15)) {
		t.Error("a point is in a stroke that has no area")
	}
}

func TestPixelsDoNotDependOnThreads(t *testing.T) {
	var first []byte
	for threads := 1; threads <= 3; threads++ {
		c := newTest(t, 300, 300, Options{Threads: threads})
		drawMixed(c, 400, 300)
		c.Arc(150, 150, 100, 0, 5, false)
		c.Clip(NonZero)
		for m := mediaimage.SourceOver; m <= mediaimage.Luminosity; m++ {
			c.SetGlobalCompositeOperation(m)
			drawMixed(c, 20, 300)
		}
		c.SetGlobalCompositeOperation(mediaimage.SourceOver)
		c.SetShadowColour(blue)
		c.SetShadowBlur(5)
		c.SetFilter("blur(1px) sepia(0.5)")
		drawMixed(c, 20, 300)
		pix := pixelsOf(t, c)
		if first == nil {
			first = pix
		}
		for i := range pix {
			if pix[i] != first[i] {
				t.Fatalf("with %d threads sample %d is %d, with one %d", threads, i, pix[i], first[i])
			}
		}
	}
}

func TestCancel(t *testing.T) {
	c := newTest(t, 100, 100, Options{})
	c.FillRect(0, 0, 100, 100)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := c.Flush(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("flush: %v", err)
	}
	if _, err := c.Surface(context.Background()); !errors.Is(err, context.Canceled) {
		t.Errorf("the context goes on: %v", err)
	}
}

// TestSurfacesAreNewAgain draws on large surfaces one after the other, which may lie in the same
// memory, and ends some of them early. Snapshots keep their pixels.
func TestSurfacesAreNewAgain(t *testing.T) {
	ctx, ended := context.Background(), &endsAfter{Context: context.Background()}
	var kept []*mediaimage.Surface
	for i := range 12 {
		width := 600 + i%3
		c, err := NewContext(width, 600, Options{Threads: 1 + i%2})
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 { // otherwise the first pixels are read when nothing is drawn
			c.SetFillColour(red)
			c.FillRect(0, 0, 10, 600)
		}
		if i%5 == 4 {
			if err := c.Flush(ended); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if pix, err := c.ImageData(ctx, 0, 0, width, 600); err == nil {
				t.Errorf("%d: the pixels of a context that has ended: %d", i, len(pix))
			}
			c.Close()
			continue
		}
		pix, err := c.ImageData(ctx, 10, 0, width-10, 600)
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range pix {
			if v != 0 {
				t.Fatalf("%d: sample %d of a new surface is %d", i, k, v)
			}
		}
		c.SetFillColour(blue)
		c.FillRect(0, 0, float64(width), 600)
		if i%3 == 1 {
			s, err := c.Surface(ctx)
			if err != nil {
				t.Fatal(err)
			}
			kept = append(kept, s)
		} else if err := c.Flush(ctx); err != nil {
			t.Fatal(err)
		}
		c.Close()
	}
	for i, s := range kept {
		for k := 0; k < len(s.Pix); k += 4 {
			if [4]uint8(s.Pix[k:]) != blue {
				t.Fatalf("pixel %d of snapshot %d is % d", k/4, i, s.Pix[k:k+4])
			}
		}
	}
}

// endsAfter is a context that is cancelled when it has been asked so often.
type endsAfter struct {
	context.Context
	left atomic.Int64
}

func (e *endsAfter) Err() error {
	if e.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestOneShapeIsCancelled ends contexts in the middle of the only shape.
func TestOneShapeIsCancelled(t *testing.T) {
	// Thirty thousand lines of 512 rows: the rasteriser asks more than a hundred times.
	zigzag := new(geometry.Path)
	for i := range 30_000 {
		zigzag.LineTo(float64(i%512), float64(512*(i%2)))
	}
	for _, row := range []struct {
		name string
		draw func(c *Context)
	}{
		{"a shape on the surface", func(c *Context) { c.FillPath(zigzag, NonZero) }},
		{"a clip", func(c *Context) { c.ClipPath(zigzag, NonZero) }},
		{"a shape with a shadow", func(c *Context) {
			c.SetShadowColour([4]uint8{0, 0, 0, 255})
			c.SetShadowOffsetX(1)
			c.FillPath(zigzag, NonZero)
		}},
	} {
		ctx := &endsAfter{Context: context.Background()}
		ctx.left.Store(60)
		c := newTest(t, 512, 512, Options{Threads: 1})
		c.ctx = ctx // as in Replay
		row.draw(c)
		if err := c.Flush(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the error is %v, with %d questions left", row.name, err, ctx.left.Load())
		}
	}
}

// TestLongLinesAreCounted draws shapes that take more memory than the budget has.
func TestLongLinesAreCounted(t *testing.T) {
	long := new(geometry.Path)
	for i := range 100_000 {
		long.LineTo(float64(i%50), float64(i%49))
	}
	c := newTest(t, 50, 50, Options{Budget: media.NewBudget(1 << 20)})
	c.FillPath(long, NonZero)
	var over *media.BudgetError
	if err := c.Flush(context.Background()); !errors.As(err, &over) {
		t.Errorf("a hundred thousand points in 1 MB: %v", err)
	}
	b := media.NewBudget(8 << 20)
	c = newTest(t, 50, 50, Options{Budget: b})
	for range 20 {
		c.FillPath(long, NonZero)
	}
	if err := c.Flush(context.Background()); err != nil {
		t.Errorf("one after the other in 8 MB: %v", err)
	}
	if c.taken != 4*50*50 {
		t.Errorf("%d bytes are taken when all is drawn", c.taken)
	}
}

func TestLimits(t *testing.T) {
	long := func(c *Context) {
		for i := range 20 {
			c.LineTo(float64(i), float64(i%3))
		}
	}
	tests := []struct {
		name   string
		limits Limits
		draw   func(c *Context)
		want   string
	}{
		{"saved states", Limits{SaveDepth: 2}, func(c *Context) { c.Save(); c.Save(); c.Save() }, "3 saved states exceeds the 2 limit (CanvasSaveDepth)"},
		{"segments that are filled", Limits{Segments: 10}, func(c *Context) { long(c); c.Fill(NonZero) }, "20 segments of a path exceeds the 10 limit (CanvasSegments)"},
		{"segments that are stroked", Limits{Segments: 10}, func(c *Context) { long(c); c.Stroke() }, "20 segments of a path exceeds the 10 limit (CanvasSegments)"},
		{"segments of a clip", Limits{Segments: 10}, func(c *Context) { long(c); c.Clip(NonZero) }, "20 segments of a path exceeds the 10 limit (CanvasSegments)"},
		{"pixels touched", Limits{Work: 15_000}, func(c *Context) { c.FillRect(0, 0, 100, 100); c.FillRect(0, 0, 100, 100) }, "20000 pixels touched exceeds the 15000 limit (CanvasWork)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newTest(t, 100, 100, Options{Limits: tt.limits})
			tt.draw(c)
			err := c.Flush(context.Background())
			var limit *LimitError
			if !errors.As(err, &limit) || err.Error() != tt.want {
				t.Errorf("the error is %v, want %s", err, tt.want)
			}
		})
	}
	if _, err := NewContext(0, 10, Options{}); err == nil {
		t.Error("a surface without a width is made")
	}
	if _, err := NewContext(1<<15, 10, Options{}); err == nil {
		t.Error("a surface wider than any may be is made")
	}
}

func TestBudget(t *testing.T) {
	b := media.NewBudget(200_000)
	if _, err := NewContext(1000, 1000, Options{Budget: b}); err == nil {
		t.Error("a surface is made for which there is no memory")
	}
	c := newTest(t, 100, 100, Options{Budget: b})
	if got := b.Used(); got != 40_000 {
		t.Errorf("a surface of 100 × 100 takes %d", got)
	}
	round := func() {
		c.BeginPath()
		c.Arc(50, 50, 40, 0, 7, false)
		c.Clip(NonZero)
	}
	square := func() {
		c.BeginPath()
		c.Rect(20, 20, 50, 50)
		c.Clip(NonZero)
	}
	for range 100 {
		// Each takes the place of the one before.
		c.Save()
		square()
		round()
		square()
		round()
		c.Restore()
		c.Save()
		square()
		square()
		c.Restore()
		round()
	}
	if err := c.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := b.Used(); got > 50_000 || got <= 40_000 {
		t.Errorf("a surface with a clip takes %d", got)
	}
	c.Reset()
	c.SetFilter("blur(2px)")
	c.FillRect(10, 10, 50, 50)
	if err := c.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := b.Used(); got != 40_000 {
		t.Errorf("after a filter it takes %d", got)
	}
	// Layers that are drawn make room for others.
	large := newTest(t, 1000, 1000, Options{Budget: media.NewBudget(60 << 20)})
	large.SetFilter("blur(1px)")
	for range 20 {
		large.FillRect(0, 0, 1000, 1000)
	}
	if err := large.Flush(context.Background()); err != nil {
		t.Error(err)
	}
	small := media.NewBudget(100_000)
	d := newTest(t, 100, 100, Options{Budget: small})
	d.SetFilter("blur(2px)")
	d.FillRect(0, 0, 100, 100)
	var over *media.BudgetError
	if err := d.Flush(context.Background()); !errors.As(err, &over) {
		t.Errorf("a layer for which there is no memory: %v", err)
	}
	d.Close()
	if got := small.Used(); got != 0 {
		t.Errorf("%d bytes are taken after an error and Close", got)
	}
	c.Close()
	if got := b.Used(); got != 0 {
		t.Errorf("%d bytes are taken after Close", got)
	}
}

// TestPixelsDoNotDependOnBatches draws enough shapes for many batches, and flushes after each.
func TestPixelsDoNotDependOnBatches(t *testing.T) {
	draw := func(flush bool) []byte {
		c := newTest(t, 512, 512, Options{Threads: 2})
		c.SetFont("12px sans-serif")
		r := random(7)
		// With one command first, batches end between shadows and their shapes.
		c.FillRect(0, 0, 1, 1)
		c.SetShadowColour(black)
		c.SetShadowOffsetX(2)
		for i := range 2500 {
			x, y := r.next(512), r.next(512)
			c.SetFillColour([4]uint8{uint8(r.next(256)), uint8(r.next(256)), uint8(r.next(256)), 255})
			if i/10%2 == 0 {
				c.FillText("text", x, y)
			} else {
				c.BeginPath()
				c.Arc(x, y, 5, 0, 7, false)
				c.Fill(NonZero)
			}
			if flush {
				if err := c.Flush(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
		}
		return pixelsOf(t, c)
	}
	if !bytes.Equal(draw(true), draw(false)) {
		t.Error("the pixels are others")
	}
}

func sure(v bool, err error) bool { return v && err == nil }

// TestStrokesEndWithTheirContext ends the context within one stroke, whose outline has a
// million points.
func TestStrokesEndWithTheirContext(t *testing.T) {
	var p geometry.Path
	for i := range 2000 {
		p.LineTo(float64(i*7919%3000), float64(i*104729%3000))
	}
	for _, c := range []struct {
		name string
		draw func(c *Context, ctx context.Context) error
	}{
		{"drawing", func(c *Context, ctx context.Context) error {
			c.ctx = ctx
			c.StrokePath(&p)
			return c.Flush(ctx)
		}},
		{"asking", func(c *Context, ctx context.Context) error {
			_, err := c.StrokeContains(ctx, &p, 5, 5)
			return err
		}},
	} {
		ctx := &endsAfter{Context: t.Context()}
		ctx.left.Store(2)
		cv, err := NewContext(100, 100, Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		cv.SetLineWidth(1e5)
		cv.SetLineJoin(geometry.RoundJoin)
		if err := c.draw(cv, ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", c.name, err)
		}
		if n := ctx.left.Load(); n < -20 {
			t.Errorf("%s: asked %d times after the end", c.name, -n)
		}
	}
}
