package vector

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"quicksand/canvas"
	"quicksand/canvas/svg"
	"quicksand/media/image"
)

const size = 120 // of the surfaces

// recorder builds recordings as guests do.
type recorder struct {
	ops     []byte
	strings []string
	images  []*image.Surface
}

func (r *recorder) op(o canvas.Op, args ...float64) *recorder {
	for _, v := range append([]float64{float64(int(o) + 256*len(args))}, args...) {
		r.ops = binary.LittleEndian.AppendUint64(r.ops, math.Float64bits(v))
	}
	return r
}

func (r *recorder) str(s string) float64 {
	r.strings = append(r.strings, s)
	return float64(len(r.strings) - 1)
}

func (r *recorder) picture(s *image.Surface) float64 {
	r.images = append(r.images, s)
	return float64(len(r.images) - 1)
}

func colour(r, g, b, a uint8) float64 {
	return float64(uint32(r)<<24 | uint32(g)<<16 | uint32(b)<<8 | uint32(a))
}

func (r *recorder) recording(t testing.TB) *canvas.Recording {
	t.Helper()
	rec := &canvas.Recording{}
	if err := rec.Append(r.ops, r.strings, len(r.images)); err != nil {
		t.Fatal(err)
	}
	return rec
}

func (r *recorder) image(i int) (*image.Surface, error) { return r.images[i], nil }

func (r *recorder) raster(t testing.TB, background *[4]uint8) *image.Surface {
	t.Helper()
	c, err := canvas.NewContext(size, size, canvas.Options{Background: background})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Replay(t.Context(), r.recording(t), r.image); err != nil {
		t.Fatal(err)
	}
	s, err := c.Surface(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// gradientPicture is a picture with every pixel different.
func gradientPicture(w, h int) *image.Surface {
	s := image.New(w, h)
	for y := range h {
		for x := range w {
			copy(s.Row(y)[4*x:], []byte{byte(x * 255 / w), byte(y * 255 / h), 128, 255})
		}
	}
	return s
}

// star is a path that winds twice around its middle.
func (r *recorder) star(x, y, radius float64) *recorder {
	r.op(canvas.OpBeginPath)
	for i := range 5 {
		sin, cos := math.Sincos(float64(i) * 4 * math.Pi / 5)
		o := canvas.OpLineTo
		if i == 0 {
			o = canvas.OpMoveTo
		}
		r.op(o, x+radius*sin, y-radius*cos)
	}
	return r.op(canvas.OpClosePath)
}

var (
	red   = colour(220, 20, 40, 255)
	green = colour(10, 160, 60, 255)
	blue  = colour(30, 60, 200, 128)
)

// word is the index of a word.
func word(list []string, w string) float64 { return float64(slices.Index(list, w)) }

func mode(m image.BlendMode) float64 { return float64(m) }

// base draws something to draw on.
func (r *recorder) base() *recorder {
	r.op(canvas.OpFillColor, red).op(canvas.OpFillRect, 10, 10, 60, 60)
	r.op(canvas.OpFillColor, blue).op(canvas.OpBeginPath).op(canvas.OpArc, 70, 70, 35, 0, 7, 0).op(canvas.OpFill, 0)
	return r
}

type scene struct {
	name string
	draw func(r *recorder)
	note string // the note that there must be, "" for none
	// pixels says that the SVG must hold a picture; without it there may be none.
	pixels bool
	// mae is the allowed mean difference where it is not the common one.
	mae float64
}

var scenes = []scene{
	{name: "fills by both rules", draw: func(r *recorder) {
		r.op(canvas.OpFillColor, red).star(35, 40, 30).op(canvas.OpFill, 0)
		r.op(canvas.OpFillColor, blue).star(80, 75, 35).op(canvas.OpFill, 1)
	}},
	{name: "curves and arcs under a matrix", draw: func(r *recorder) {
		r.op(canvas.OpTranslate, 20, 10).op(canvas.OpRotate, 0.3).op(canvas.OpScale, 1.5, 0.8)
		r.op(canvas.OpBeginPath).op(canvas.OpMoveTo, 0, 0).op(canvas.OpBezierCurveTo, 40, 0, 0, 60, 50, 60).op(canvas.OpQuadraticCurveTo, 60, 0, 20, 10)
		r.op(canvas.OpFillColor, green).op(canvas.OpFill, 0)
		r.op(canvas.OpBeginPath).op(canvas.OpEllipse, 30, 70, 25, 12, 0.5, 0, 5, 0).op(canvas.OpLineWidth, 4).op(canvas.OpStroke)
	}},
	{name: "strokes with caps, joins, dashes and a transform", draw: func(r *recorder) {
		r.op(canvas.OpStrokeColor, red).op(canvas.OpLineWidth, 9).op(canvas.OpLineJoin, 1).op(canvas.OpLineCap, 1)
		r.op(canvas.OpBeginPath).op(canvas.OpMoveTo, 15, 20).op(canvas.OpLineTo, 60, 90).op(canvas.OpLineTo, 100, 15).op(canvas.OpStroke)
		r.op(canvas.OpScale, 1, 0.5).op(canvas.OpStrokeColor, blue).op(canvas.OpLineCap, 0).op(canvas.OpLineDash, 12, 6, 3, 6).op(canvas.OpLineDashOffset, 5)
		r.op(canvas.OpStrokeRect, 15, 60, 80, 120)
		r.op(canvas.OpLineDash).op(canvas.OpLineJoin, 0).op(canvas.OpMiterLimit, 2).star(70, 150, 40).op(canvas.OpLineWidth, 3).op(canvas.OpStroke)
	}},
	{name: "gradients, linear and between circles, translucent", draw: func(r *recorder) {
		r.op(canvas.OpGradient, 0, 0, 10, 0, 110, 0, 0, 0, 1, blue, 0, red, 0.5, colour(255, 255, 0, 40))
		r.op(canvas.OpFillGradient, 0).op(canvas.OpFillRect, 5, 5, 110, 50)
		r.op(canvas.OpGradient, 1, 1, 40, 90, 5, 50, 85, 40, 0, red, 1, green)
		r.op(canvas.OpFillGradient, 1).op(canvas.OpGlobalAlpha, 0.7).op(canvas.OpFillRect, 5, 60, 55, 55)
		r.op(canvas.OpGradient, 2, 1, 90, 90, 30, 95, 85, 4, 0, green, 1, red)
		r.op(canvas.OpStrokeGradient, 2).op(canvas.OpLineWidth, 12).op(canvas.OpStrokeRect, 70, 68, 40, 40)
	}},
	{name: "a conic gradient is pixels", note: "gradients that SVG does not have: the shape is pixels", pixels: true, draw: func(r *recorder) {
		r.op(canvas.OpGradient, 0, 2, 0.5, 60, 60, 0, 0, 0, 0, red, 0.5, green, 1, red)
		r.op(canvas.OpFillGradient, 0).op(canvas.OpBeginPath).op(canvas.OpArc, 60, 60, 45, 0, 7, 0).op(canvas.OpFill, 0)
	}},
	{name: "gradients which paint nothing", draw: func(r *recorder) {
		r.op(canvas.OpGradient, 0, 0, 10, 10, 10, 10, 0, 0, 0, red, 1, green).op(canvas.OpFillGradient, 0).op(canvas.OpFillRect, 0, 0, 50, 50)
		r.op(canvas.OpGradient, 1, 0, 10, 10, 20, 10, 0, 0).op(canvas.OpFillGradient, 1).op(canvas.OpFillRect, 0, 0, 50, 50)
		r.op(canvas.OpFillColor, green).op(canvas.OpFillRect, 60, 60, 20, 20)
	}},
	{name: "clips within each other, with both rules", draw: func(r *recorder) {
		r.op(canvas.OpSave).star(60, 60, 55).op(canvas.OpClip, 1)
		r.op(canvas.OpBeginPath).op(canvas.OpArc, 60, 60, 40, 0, 7, 0).op(canvas.OpClip, 0)
		r.op(canvas.OpFillColor, red).op(canvas.OpFillRect, 0, 0, 120, 120).op(canvas.OpRestore)
		r.op(canvas.OpFillColor, blue).op(canvas.OpFillRect, 0, 50, 120, 20)
	}},
	{name: "text, condensed and stroked", draw: func(r *recorder) {
		r.op(canvas.OpFont, r.str("20px sans-serif")).op(canvas.OpFillColor, red).op(canvas.OpFillText, r.str("Quicksand"), 8, 40)
		r.op(canvas.OpFillText, r.str("condensed text"), 8, 70, 80)
		r.op(canvas.OpStrokeColor, green).op(canvas.OpTextAlign, word(canvas.TextAligns, "center")).op(canvas.OpFont, r.str("bold 30px serif")).op(canvas.OpStrokeText, r.str("Äg"), 60, 105)
	}, mae: 1.2},
	{name: "pictures, parts of them and pixels that stay squares", pixels: true, draw: func(r *recorder) {
		p := r.picture(gradientPicture(16, 12))
		r.op(canvas.OpDrawImage, p, 5, 5).op(canvas.OpImageSmoothingEnabled, 0).op(canvas.OpDrawImage, p, 30, 5, 64, 48)
		r.op(canvas.OpDrawImage, p, 4, 4, 8, 4, 5, 60, 40, 20)
		r.op(canvas.OpGlobalAlpha, 0.5).op(canvas.OpRotate, 0.2).op(canvas.OpDrawImage, p, 80, 60, 32, 24)
	}},
	{name: "patterns in all repetitions", pixels: true, draw: func(r *recorder) {
		p := r.picture(gradientPicture(10, 8))
		for i := range 4 {
			n := float64(i)
			r.op(canvas.OpPattern, n, p, n, 1, 0, 0, 1, 3, 2).op(canvas.OpFillPattern, n)
			r.op(canvas.OpSave).op(canvas.OpTranslate, 60*float64(i%2), 60*float64(i/2)).op(canvas.OpFillRect, 0, 0, 55, 55).op(canvas.OpRestore)
		}
	}},
	{name: "shadows of shapes, text and translucent pictures", pixels: true, mae: 0.8, draw: func(r *recorder) {
		r.op(canvas.OpShadowColor, colour(0, 0, 60, 200)).op(canvas.OpShadowBlur, 6).op(canvas.OpShadowOffsetX, 5).op(canvas.OpShadowOffsetY, 7)
		r.op(canvas.OpFillColor, red).op(canvas.OpFillRect, 10, 10, 40, 30)
		r.op(canvas.OpGlobalAlpha, 0.5).op(canvas.OpFillColor, green).op(canvas.OpRotate, 0.1).op(canvas.OpFillRect, 70, 10, 35, 35)
		r.op(canvas.OpDrawImage, r.picture(gradientPicture(30, 30)), 40, 60)
	}},
	{name: "filters", mae: 0.8, draw: func(r *recorder) {
		r.op(canvas.OpFilter, r.str("blur(3px)")).op(canvas.OpFillColor, red).op(canvas.OpFillRect, 20, 20, 40, 40)
		r.op(canvas.OpFilter, r.str("hue-rotate(90deg) brightness(1.2)")).op(canvas.OpFillRect, 70, 20, 40, 40)
		r.op(canvas.OpFilter, r.str("drop-shadow(4px 4px 2px blue) opacity(0.6)")).op(canvas.OpFillRect, 30, 75, 60, 30)
	}},
	{name: "alpha of colours and of everything", draw: func(r *recorder) {
		r.op(canvas.OpFillColor, colour(255, 0, 0, 100)).op(canvas.OpGlobalAlpha, 0.6).op(canvas.OpFillRect, 10, 10, 70, 70)
		r.op(canvas.OpStrokeColor, blue).op(canvas.OpLineWidth, 10).op(canvas.OpStrokeRect, 40, 40, 60, 60)
	}},
	{name: "clearing everything begins anew", draw: func(r *recorder) {
		r.base().op(canvas.OpClearRect, 0, 0, size, size).op(canvas.OpFillColor, green).op(canvas.OpFillRect, 30, 30, 30, 30)
	}},
	{name: "clearing what is empty is nothing", draw: func(r *recorder) {
		r.op(canvas.OpClearRect, 10, 10, 20, 20).base()
	}},
	{name: "clearing parts, clipped and turned", draw: func(r *recorder) {
		r.base().op(canvas.OpSave).star(50, 50, 40).op(canvas.OpClip, 0).op(canvas.OpClearRect, 10, 10, 60, 40).op(canvas.OpRestore)
		r.op(canvas.OpRotate, 0.3).op(canvas.OpClearRect, 80, 30, 20, 20).op(canvas.OpFillColor, green).op(canvas.OpFillRect, 70, 50, 30, 5)
	}},
	{name: "erasing with text, a shadow and a gradient", mae: 0.8, draw: func(r *recorder) {
		r.base().op(canvas.OpGlobalCompositeOperation, mode(image.DestinationOut)).op(canvas.OpFont, r.str("bold 30px sans-serif")).op(canvas.OpFillText, r.str("Out"), 10, 60)
		r.op(canvas.OpGradient, 0, 0, 0, 0, 120, 0, 0, 0, 0, colour(0, 0, 0, 0), 1, red).op(canvas.OpFillGradient, 0)
		r.op(canvas.OpShadowColor, colour(0, 0, 0, 255)).op(canvas.OpShadowOffsetX, 10).op(canvas.OpFillRect, 0, 70, 120, 20)
	}},
	{name: "erasing very often ends in pixels", note: "clearing a part: what was drawn before is pixels", pixels: true, draw: func(r *recorder) {
		r.base()
		for i := range 60 {
			r.op(canvas.OpClearRect, float64(i*2), 40, 1, 30).op(canvas.OpFillRect, float64(i*2), 50, 0.5, 5)
		}
	}},
	{name: "clips by rectangles in a loop are one", draw: func(r *recorder) {
		for i := range 1000 {
			r.op(canvas.OpBeginPath).op(canvas.OpRect, float64(i/40), 5, 80, 100).op(canvas.OpClip, 0)
		}
		r.op(canvas.OpFillColor, red).op(canvas.OpFillRect, 0, 0, 120, 120)
	}},
	{name: "other clips in a loop make pixels", note: "many clips within each other: what was drawn before is pixels", pixels: true, draw: func(r *recorder) {
		for i := range 100 {
			r.op(canvas.OpBeginPath).op(canvas.OpArc, 60+float64(i)/10, 60, 50, 0, 7, 0).op(canvas.OpClip, 0)
		}
		r.op(canvas.OpFillColor, red).op(canvas.OpFillRect, 0, 0, 120, 120)
	}},
	{name: "what is erased in succession is one mask", draw: func(r *recorder) {
		r.base()
		for i := range 60 {
			r.op(canvas.OpClearRect, float64(i*2), 40, 1, 30)
		}
		r.op(canvas.OpFillRect, 20, 20, 10, 80)
	}},
	{name: "clearing a part before more is drawn", draw: func(r *recorder) {
		r.base().op(canvas.OpClearRect, 30.5, 30, 40, 40).op(canvas.OpFillColor, green).op(canvas.OpFillRect, 50, 50, 30, 30)
	}},
	{name: "copy without a clip begins anew", draw: func(r *recorder) {
		r.base().op(canvas.OpGlobalCompositeOperation, mode(image.Copy)).op(canvas.OpFillColor, blue).op(canvas.OpFillRect, 30, 30, 30, 30)
	}},
	{name: "reset begins anew", draw: func(r *recorder) {
		r.base().op(canvas.OpReset).op(canvas.OpFillRect, 30, 30, 30, 30)
	}},
	{name: "pixels that are put replace what is there", note: "putImageData: what was drawn before is pixels", pixels: true, draw: func(r *recorder) {
		s := image.New(30, 30)
		image.Fill(s, [4]uint8{0, 200, 0, 100}, image.SourceOver)
		r.base().op(canvas.OpPutImageData, r.picture(s), 40, 40, 5, 5, 20, 20).op(canvas.OpFillColor, red).op(canvas.OpFillRect, 55, 55, 30, 5)
	}},
	{name: "many shapes under one clip share a group", draw: func(r *recorder) {
		r.op(canvas.OpBeginPath).op(canvas.OpArc, 60, 60, 50, 0, 7, 0).op(canvas.OpClip, 0)
		for i := range 10 {
			r.op(canvas.OpFillColor, []float64{red, green, blue}[i%3]).op(canvas.OpFillRect, float64(i*12), 0, 8, 120)
		}
	}},
}

// modeScenes are one for each blend mode, with and without a clip.
func modeScenes() []scene {
	var list []scene
	for m := image.SourceOver; m <= image.Luminosity; m++ {
		for _, clip := range []bool{false, true} {
			s := scene{name: fmt.Sprint("mode ", m, ", clip ", clip), draw: func(r *recorder) {
				r.base()
				if clip {
					r.op(canvas.OpBeginPath).op(canvas.OpRect, 20, 20, 70, 70).op(canvas.OpClip, 0)
				}
				r.op(canvas.OpGlobalCompositeOperation, mode(m)).op(canvas.OpFillColor, colour(250, 200, 0, 200)).star(60, 60, 50).op(canvas.OpFill, 0)
			}}
			if (&svgWriter{}).mode(&canvas.Draw{Mode: m}) != lacks {
				s.pixels = false
			} else {
				s.note, s.pixels = m.String()+": what was drawn before is pixels", true
			}
			list = append(list, s)
		}
	}
	return list
}

// difference is the mean difference of samples in 255ths, and the share of pixels that differ
// by more than 32.
func difference(a, b *image.Surface) (mae, off float64) {
	sum, far := 0, 0
	for i := 0; i < len(a.Pix); i += 4 {
		most := 0
		for c := range 4 {
			d := int(a.Pix[i+c]) - int(b.Pix[i+c])
			if d < 0 {
				d = -d
			}
			sum += d
			most = max(most, d)
		}
		if most > 32 {
			far++
		}
	}
	return float64(sum) / float64(len(a.Pix)), float64(far) / float64(len(a.Pix)/4)
}

func TestSVGShowsWhatTheCanvasDraws(t *testing.T) {
	for _, sc := range append(slices.Clone(scenes), modeScenes()...) {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			var r recorder
			sc.draw(&r)
			want := r.raster(t, nil)
			data, notes, err := SVG(t.Context(), r.recording(t), size, size, r.image, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if sc.note == "" && len(notes) > 0 || sc.note != "" && !slices.Contains(notes, sc.note) {
				t.Errorf("notes %q, want %q", notes, sc.note)
			}
			if has := bytes.Contains(data, []byte("<image")); has != sc.pixels {
				t.Errorf("pictures in the file: %v, want %v", has, sc.pixels)
			}
			checkXML(t, data)
			d, err := svg.Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			got, err := d.Render(t.Context(), size, size, svg.Options{})
			if err != nil {
				t.Fatal(err)
			}
			limit := sc.mae
			if limit == 0 {
				limit = 0.3
			}
			if mae, off := difference(got, want); mae > limit || off > 0.02 {
				t.Errorf("mean difference %.3f, limit %.1f; %.2f %% of pixels differ by more than 32\n%.2000s", mae, limit, off*100, data)
			} else {
				t.Logf("mean difference %.3f, %.2f %% off, %d bytes", mae, off*100, len(data))
			}
		})
	}
}

// checkXML checks that a document is well formed and refers to nothing that is not in it.
func checkXML(t *testing.T, data []byte) {
	t.Helper()
	ids := map[string]bool{}
	var refs []string
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		for _, a := range start.Attr {
			switch {
			case a.Name.Local == "id":
				if ids[a.Value] {
					t.Errorf("id %s is there twice", a.Value)
				}
				ids[a.Value] = true
			case strings.HasPrefix(a.Value, "url(#"):
				refs = append(refs, strings.TrimSuffix(a.Value[5:], ")"))
			case a.Name.Local == "href" && a.Value[0] == '#':
				refs = append(refs, a.Value[1:])
			}
		}
	}
	for _, ref := range refs {
		if !ids[ref] {
			t.Errorf("#%s is referred to and does not exist", ref)
		}
	}
}

func TestBackgroundIsBehind(t *testing.T) {
	background := &[4]uint8{10, 20, 30, 255}
	var r recorder
	r.base().op(canvas.OpClearRect, 20, 20, 30, 30)
	want := r.raster(t, background)
	data, _, err := SVG(t.Context(), r.recording(t), size, size, r.image, Options{Background: background})
	if err != nil {
		t.Fatal(err)
	}
	d, err := svg.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.Render(t.Context(), size, size, svg.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if mae, _ := difference(got, want); mae > 0.01 {
		t.Errorf("mean difference %v", mae)
	}
	if got.Row(100)[0] != 10 || got.Row(25)[4*25+3] != 0 {
		t.Error("the background is not behind, or not cleared")
	}
}

func TestWritersAreDeterministic(t *testing.T) {
	var r recorder
	for _, sc := range scenes {
		sc.draw(&r)
	}
	for name, write := range map[string]func(context.Context, *canvas.Recording, int, int, func(int) (*image.Surface, error), Options) ([]byte, []string, error){"svg": SVG, "pdf": PDF} {
		var first []byte
		for i := range 3 {
			data, _, err := write(t.Context(), r.recording(t), size, size, r.image, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				first = data
			} else if !bytes.Equal(first, data) {
				t.Errorf("%s: the bytes differ from one time to the next", name)
			}
		}
	}
}

func TestFilesBeyondTheLimitAreErrors(t *testing.T) {
	var r recorder
	p := r.picture(gradientPicture(100, 100))
	r.op(canvas.OpDrawImage, p, 0, 0)
	for i := range 1000 {
		r.op(canvas.OpFillRect, float64(i), 1.5, 2.5, 3)
	}
	for name, write := range map[string]func(context.Context, *canvas.Recording, int, int, func(int) (*image.Surface, error), Options) ([]byte, []string, error){"svg": SVG, "pdf": PDF} {
		for _, limit := range []int{100, 1000, 10_000} {
			_, _, err := write(t.Context(), r.recording(t), size, size, r.image, Options{MaxBytes: limit})
			if err == nil || !strings.HasSuffix(err.Error(), fmt.Sprintf("bytes of a file exceeds the %d limit (CanvasFileBytes)", limit)) {
				t.Errorf("%s of more than %d bytes: %v", name, limit, err)
			}
		}
		if _, _, err := write(t.Context(), r.recording(t), size, size, r.image, Options{}); err != nil {
			t.Errorf("%s within the limit: %v", name, err)
		}
	}
}

func TestNumbersAreShort(t *testing.T) {
	for v, want := range map[float64]string{0: "0", math.Copysign(0, -1): "0", 1: "1", 0.1 + 0.2: "0.3", -12.5: "-12.5", 1e-9: "1e-9", 1234567: "1234567", 12345678: "1.234568e7", math.NaN(): "0"} {
		if got := number(v, 7); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
}
