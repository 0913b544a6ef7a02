package canvas

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"quicksand/canvas/geometry"
	"quicksand/media"
	mediaimage "quicksand/media/image"
)

// A tape writes operations.
type tape struct {
	ops     []byte
	strings []string
}

func (t *tape) number(v float64) {
	t.ops = binary.LittleEndian.AppendUint64(t.ops, math.Float64bits(v))
}

func (t *tape) op(op Op, args ...float64) *tape {
	t.number(float64(int(op) + 256*len(args)))
	for _, a := range args {
		t.number(a)
	}
	return t
}

func (t *tape) text(s string) float64 {
	t.strings = append(t.strings, s)
	return float64(len(t.strings) - 1)
}

// inner is an operation in the definition of a path.
func inner(op Op, args ...float64) []float64 {
	return append([]float64{float64(int(op) + 256*len(args))}, args...)
}

func colourNumber(c [4]uint8) float64 {
	return float64(uint32(c[0])<<24 | uint32(c[1])<<16 | uint32(c[2])<<8 | uint32(c[3]))
}

func noImages(i int) (*mediaimage.Surface, error) {
	return nil, fmt.Errorf("there is no image %d", i)
}

func checkers(i int) (*mediaimage.Surface, error) { return checker(i + 1), nil }

func TestBadRecordings(t *testing.T) {
	tests := []struct {
		name string
		tape func(t *tape)
		want string
	}{
		{"no whole number", func(t *tape) { t.ops = make([]byte, 7) }, "op 1: the operations are not a sequence of float64"},
		{"a header with a fraction", func(t *tape) { t.number(1.5) }, "op 1: its header is not an integer"},
		{"a header that is not finite", func(t *tape) { t.number(math.Inf(1)) }, "op 1: its header is not an integer"},
		{"a header that is no number", func(t *tape) { t.number(math.NaN()) }, "op 1: its header is not an integer"},
		{"a negative header", func(t *tape) { t.number(-1) }, "op 1: its header is not an integer"},
		{"an unknown operation", func(t *tape) { t.op(200) }, "op 1: there is no operation 200"},
		{"operation 0", func(t *tape) { t.op(0) }, "op 1: there is no operation 0"},
		{"arguments beyond the end", func(t *tape) { t.number(float64(OpTranslate) + 2*256); t.number(1) }, "op 1 (translate): 2 arguments are more than the numbers that follow"},
		{"very many arguments", func(t *tape) { t.number(float64(OpLineDash) + 256*(1<<31)) }, "op 1 (setLineDash): 2147483648 arguments are more than the numbers that follow"},
		{"too few arguments", func(t *tape) { t.op(OpFillRect, 1, 2, 3) }, "op 1 (fillRect): it does not take 3 arguments"},
		{"a number of arguments that no variant has", func(t *tape) { t.op(OpDrawImage, 0, 0, 0, 0) }, "op 1 (drawImage): it does not take 4 arguments"},
		{"half a stop", func(t *tape) { t.op(OpGradient, 0, 0, 0, 0, 1, 0, 0, 0, 0.5) }, "op 1 (gradient): it does not take 9 arguments"},
		{"a number that is not finite", func(t *tape) { t.op(OpMoveTo, 0, math.NaN()) }, "op 1 (moveTo): argument 2 is not a finite number"},
		{"a negative radius", func(t *tape) { t.op(OpArc, 0, 0, -1, 0, 1, 0) }, "op 1 (arc): argument 3 is not a number from 0"},
		{"an infinite dash", func(t *tape) { t.op(OpLineDash, 1, math.Inf(1)) }, "op 1 (setLineDash): argument 2 is not a number from 0"},
		{"a boolean of 2", func(t *tape) { t.op(OpArc, 0, 0, 1, 0, 1, 2) }, "op 1 (arc): argument 6 is not 0 or 1"},
		{"a word beyond the list", func(t *tape) { t.op(OpFill, 2) }, "op 1 (fill): argument 1 is not the index of a word"},
		{"a mode beyond the list", func(t *tape) { t.op(OpGlobalCompositeOperation, 26) }, "op 1 (globalCompositeOperation): argument 1 is not the index of a word"},
		{"a word with a fraction", func(t *tape) { t.op(OpLineCap, 0.5) }, "op 1 (lineCap): argument 1 is not the index of a word"},
		{"a colour of 33 bits", func(t *tape) { t.op(OpFillColor, 1<<32) }, "op 1 (fillStyle): argument 1 is not a colour"},
		{"a string that is not there", func(t *tape) { t.op(OpFont, 1) }, "op 1 (font): argument 1 is not the index of a string"},
		{"an image that is not there", func(t *tape) { t.op(OpDrawImage, 2, 0, 0) }, "op 1 (drawImage): argument 1 is not the index of an image"},
		{"a gradient before its definition", func(t *tape) { t.op(OpFillGradient, 0).op(OpGradient, 0, 0, 0, 0, 1, 0, 0, 0) }, "op 1 (fillStyle): argument 1 is not the number of a gradient"},
		{"a pattern in place of a gradient", func(t *tape) { t.op(OpPattern, 0, 0, 0, 1, 0, 0, 1, 0, 0).op(OpFillGradient, 0) }, "op 2 (fillStyle): argument 1 is not the number of a gradient"},
		{"a path in place of a pattern", func(t *tape) { t.op(OpPath, 0).op(OpStrokePattern, 0) }, "op 2 (strokeStyle): argument 1 is not the number of a pattern"},
		{"a path that is not defined", func(t *tape) { t.op(OpFillPath, 3, 0) }, "op 1 (fill): argument 1 is not the number of a path"},
		{"a resource with too great a number", func(t *tape) { t.op(OpPath, 1<<31) }, "op 1 (Path2D): argument 1 is not the number of a resource"},
		{"an offset beyond 1", func(t *tape) { t.op(OpGradient, 0, 0, 0, 0, 1, 0, 0, 0, 1.5, 0) }, "op 1 (gradient): argument 9 is not an offset from 0 to 1"},
		{"a negative radius of a gradient", func(t *tape) { t.op(OpGradient, 0, 1, 0, 0, -1, 0, 0, 0) }, "op 1 (gradient): a radius is negative"},
		{"path data outside of a definition", func(t *tape) { t.op(OpSVGPath, 0) }, "op 1 (svg): it is only for definitions of paths"},
		{"painting within a path", func(t *tape) { t.op(OpPath, append([]float64{0}, inner(OpFillRect, 0, 0, 1, 1)...)...) }, "op 1 (Path2D): op 0 of the definition (fillRect): it is no operation of a path"},
		{"a path in a path", func(t *tape) { t.op(OpPath, append([]float64{0}, inner(OpPath, 0)...)...) }, "op 1 (Path2D): op 0 of the definition (Path2D): it is no operation of a path"},
		{"beginPath within a path", func(t *tape) { t.op(OpPath, append([]float64{0}, inner(OpBeginPath)...)...) }, "op 1 (Path2D): op 0 of the definition (beginPath): it is no operation of a path"},
		{"a bad argument within a path", func(t *tape) {
			t.op(OpPath, append(append([]float64{0}, inner(OpMoveTo, 0, 0)...), inner(OpArc, 0, 0, -1, 0, 0, 0)...)...)
		}, "op 1 (Path2D): op 1 of the definition (arc): argument 3 is not a number from 0"},
		{"a path that ends in the middle", func(t *tape) { t.op(OpPath, 0, float64(OpMoveTo)+512, 1) }, "op 1 (Path2D): op 0 of the definition (moveTo): 2 arguments are more than the numbers that follow"},
		{"a path that is no operation", func(t *tape) { t.op(OpPath, 0, 0.5) }, "op 1 (Path2D): op 0 of the definition: its header is not an integer"},
		{"bad options of a text box", func(t *tape) { t.op(OpFillTextBox, 0, 0, 0, 10, 1+t.text(`{"align":"up"}`)) }, "op 1 (fillTextBox): align of the text box is not one of start, end, left, right, center, justify"},
		{"an error after good operations", func(t *tape) { t.op(OpSave).op(OpRestore).op(OpScale, 1) }, "op 3 (scale): it does not take 1 arguments"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var first, bad tape
			first.op(OpFillRect, 0, 0, 1, 1)
			r := new(Recording)
			if err := r.Append(first.ops, []string{"10px serif"}, 2); err != nil {
				t.Fatal(err)
			}
			tt.tape(&bad)
			err := r.Append(bad.ops, bad.strings, 2)
			var re *RecordError
			if !errors.As(err, &re) || err.Error() != tt.want {
				t.Errorf("the error is %v, want %s", err, tt.want)
			}
			if r.Len() != 1 || r.Images() != 2 || len(r.gradients)+len(r.patterns)+len(r.paths) != 0 {
				t.Errorf("of a bad part something is kept: %d operations", r.Len())
			}
			// The recording goes on as if nothing had been.
			if err := r.Append(new(tape).op(OpFont, 0).ops, nil, 2); err != nil || r.Len() != 2 {
				t.Errorf("a good part after a bad one: %v", err)
			}
		})
	}
}

func TestRecordingLimits(t *testing.T) {
	many := func(n int) []byte {
		var tp tape
		for range n {
			tp.op(OpSave)
		}
		return tp.ops
	}
	tests := []struct {
		name   string
		limits Limits
		ops    []byte
		text   []string
		want   string
	}{
		{"operations", Limits{}, many(10_001), nil, "10001 operations exceeds the 10000 limit (CanvasOps)"},
		{"as many operations as allowed", Limits{}, many(10_000), nil, ""},
		{"operations by a lower limit", Limits{Ops: 5}, many(6), nil, "6 operations exceeds the 5 limit (CanvasOps)"},
		{"numbers", Limits{Numbers: 5}, many(6), nil, "6 numbers in a recording exceeds the 5 limit (CanvasNumbers)"},
		{"text", Limits{Text: 5}, nil, []string{"abc", "def"}, "6 bytes of text in a recording exceeds the 5 limit (CanvasText)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &Recording{Limits: tt.limits}
			err := r.Append(tt.ops, tt.text, 0)
			var limit *LimitError
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
			} else if !errors.As(err, &limit) || err.Error() != tt.want {
				t.Errorf("the error is %v, want %s", err, tt.want)
			}
		})
	}
	if l := (Limits{Ops: 1 << 40}).WithDefaults(); l.Ops != MaxOps {
		t.Errorf("the ceiling of operations is %d", l.Ops)
	}
	r := new(Recording)
	if err := r.Append(nil, nil, 3); err != nil {
		t.Fatal(err)
	}
	if err := r.Append(nil, nil, 2); err == nil {
		t.Error("images become fewer")
	}
}

func TestRecordingBudget(t *testing.T) {
	b := media.NewBudget(10_000)
	r := &Recording{Budget: b}
	ops := new(tape).op(OpFillRect, 0, 0, 1, 1).ops
	if err := r.Append(ops, []string{"text"}, 0); err != nil {
		t.Fatal(err)
	}
	used := b.Used()
	if used < int64(len(ops)) {
		t.Errorf("a recording takes %d bytes", used)
	}
	if err := r.Append(new(tape).op(OpFillRect, 0).ops, nil, 0); err == nil || b.Used() != used {
		t.Errorf("a bad part takes %d bytes", b.Used()-used)
	}
	var over *media.BudgetError
	if err := r.Append(nil, []string{strings.Repeat("x", 10_000)}, 0); !errors.As(err, &over) {
		t.Errorf("text for which there is no memory: %v", err)
	}
	r.Reset()
	if b.Used() != 0 || r.Len() != 0 {
		t.Errorf("after Reset there are %d operations and %d bytes", r.Len(), b.Used())
	}
}

// everything uses each operation.
func everything() *tape {
	t := new(tape)
	f, box, s := t.text("20px sans-serif"), t.text(`{"align":"center","maxLines":2}`), t.text("some text to be set in a box of lines")
	svg, lang, filter, len1 := t.text("M 5 5 h 20 v 20 z"), t.text("de"), t.text("sepia(1)"), t.text("1px")
	t.op(OpGradient, 7, 0, 0, 0, 100, 0, 0, 0, 0, colourNumber(red), 1, colourNumber(blue))
	t.op(OpPattern, 1<<20, 4, 0, 1, 0, 0, 1, 0, 0)
	path := []float64{3}
	for _, in := range [][]float64{
		inner(OpSetTransform, 1, 0, 0, 1, 40, 40), inner(OpMoveTo, 0, 0), inner(OpLineTo, 10, 0), inner(OpSVGPath, svg), inner(OpClosePath),
		inner(OpRoundRect, 0, 0, 30, 20, 3, 3, 3, 3, 3, 3, 3, 3),
	} {
		path = append(path, in...)
	}
	t.op(OpPath, path...)
	t.op(OpSave).op(OpTranslate, 1, 2).op(OpRotate, 0.1).op(OpScale, 1.1, 0.9).op(OpTransform, 1, 0.1, 0, 1, 2, 2)
	t.op(OpFillGradient, 7).op(OpFillRect, 0, 0, 50, 50).op(OpFillPattern, 1<<20).op(OpFillRect, 50, 0, 50, 50)
	t.op(OpStrokeGradient, 7).op(OpStrokeRect, 10, 10, 30, 30).op(OpStrokePattern, 1<<20).op(OpLineWidth, 6).op(OpStrokeRect, 60, 10, 30, 30)
	t.op(OpStrokeColor, colourNumber(green)).op(OpFillColor, colourNumber([4]uint8{9, 99, 199, 200}))
	t.op(OpLineCap, 1).op(OpLineJoin, 1).op(OpMiterLimit, 3).op(OpLineDash, 8, 4, 2).op(OpLineDashOffset, 3)
	t.op(OpBeginPath).op(OpMoveTo, 10, 60).op(OpLineTo, 30, 60).op(OpQuadraticCurveTo, 50, 60, 50, 80).op(OpBezierCurveTo, 60, 90, 70, 60, 80, 80)
	t.op(OpArc, 70, 70, 12, 0, 5, 0).op(OpArcTo, 90, 90, 50, 95, 8).op(OpEllipse, 30, 80, 20, 10, 0.5, 0, 6, 1).op(OpClosePath).op(OpStroke).op(OpFill, 1)
	t.op(OpRect, 0, 0, 95, 95).op(OpRoundRect, 5, 5, 80, 80, 9, 9, 9, 9, 9, 9, 9, 9).op(OpClip, 0)
	t.op(OpFillPath, 3, 0).op(OpStrokePath, 3).op(OpRestore).op(OpSave).op(OpClipPath, 3, 1).op(OpSetTransform, 1, 0, 0, 1, 0, 0).op(OpFillRect, 0, 0, 100, 100).op(OpRestore)
	t.op(OpResetTransform).op(OpClearRect, 45, 45, 10, 10)
	t.op(OpGlobalAlpha, 0.8).op(OpGlobalCompositeOperation, 11).op(OpImageSmoothingQuality, 2).op(OpDrawImage, 0, 5, 5).op(OpDrawImage, 1, 20, 5, 15, 15)
	t.op(OpImageSmoothingEnabled, 0).op(OpDrawImage, 2, 0, 0, 3, 3, 40, 5, 15, 15).op(OpGlobalCompositeOperation, 0)
	t.op(OpShadowColor, colourNumber(black)).op(OpShadowBlur, 4).op(OpShadowOffsetX, 2).op(OpShadowOffsetY, 2).op(OpFilter, filter).op(OpFillRect, 70, 70, 20, 20)
	t.op(OpFont, f).op(OpTextAlign, 4).op(OpTextBaseline, 3).op(OpDirection, 0).op(OpLetterSpacing, len1).op(OpWordSpacing, len1).op(OpFontKerning, 2)
	t.op(OpFontStretch, 3).op(OpFontVariantCaps, 1).op(OpTextRendering, 1).op(OpLang, lang)
	t.op(OpFillText, s, 50, 20).op(OpFillText, s, 50, 40, 60).op(OpStrokeText, s, 50, 60).op(OpStrokeText, s, 50, 80, 60).op(OpFillTextBox, s, 5, 50, 90, box)
	t.op(OpPutImageData, 3, 80, 2, 0, 0, 8, 8)
	return t
}

func TestEverythingIsInEverything(t *testing.T) {
	r := new(Recording)
	tp := everything()
	if err := r.Append(tp.ops, tp.strings, 5); err != nil {
		t.Fatal(err)
	}
	seen := map[Op]bool{OpReset: true, OpSVGPath: true}
	for c := range r.Calls(0) {
		seen[c.Op] = true
	}
	for op := Op(1); op < opEnd; op++ {
		if !seen[op] {
			t.Errorf("%s (%d) is not tried", opInfos[op].Name, op)
		}
	}
}

// TestReplayGoesOn compares a replay of all at once with one in parts of one operation.
func TestReplayGoesOn(t *testing.T) {
	tp := everything()
	whole := new(Recording)
	if err := whole.Append(tp.ops, tp.strings, 5); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	c := newTest(t, 100, 100, Options{})
	if err := c.Replay(ctx, whole, checkers); err != nil {
		t.Fatal(err)
	}
	want := pixelsOf(t, c)
	if bytes.Count(want, []byte{0}) == len(want) {
		t.Fatal("nothing is drawn")
	}

	parts := new(Recording)
	if err := parts.Append(nil, tp.strings, 5); err != nil {
		t.Fatal(err)
	}
	d := newTest(t, 100, 100, Options{})
	for call := range whole.Calls(0) {
		var one tape
		one.op(call.Op, call.Args...)
		if err := parts.Append(one.ops, nil, 5); err != nil {
			t.Fatal(err)
		}
		if err := d.Replay(ctx, parts, checkers); err != nil {
			t.Fatal(err)
		}
	}
	if got := pixelsOf(t, d); !bytes.Equal(got, want) {
		t.Error("replayed one by one, the pixels are others")
	}
	// Nothing is drawn twice.
	if err := d.Replay(ctx, parts, noImages); err != nil || !bytes.Equal(pixelsOf(t, d), want) {
		t.Errorf("replayed again: %v", err)
	}
	// After a reset of the recording it begins anew.
	parts.Reset()
	if err := parts.Append(new(tape).op(OpReset).op(OpFillRect, 0, 0, 1, 1).ops, nil, 0); err != nil {
		t.Fatal(err)
	}
	if err := d.Replay(ctx, parts, noImages); err != nil {
		t.Fatal(err)
	}
	if got := pixelsOf(t, d); [4]uint8(got[:4]) != black || [4]uint8(got[8:12]) != clear0 {
		t.Errorf("after a reset the pixels are %v", got[:12])
	}
}

func TestReplayErrors(t *testing.T) {
	tests := []struct {
		name   string
		limits Limits
		tape   func(t *tape)
		want   string
	}{
		{"an image that does not load", Limits{}, func(t *tape) { t.op(OpSave).op(OpDrawImage, 3, 0, 0) }, "op 1 (drawImage): there is no image 3"},
		{"the image of a pattern", Limits{}, func(t *tape) { t.op(OpPattern, 0, 1, 0, 1, 0, 0, 1, 0, 0) }, "op 0 (pattern): there is no image 1"},
		{"too many saved states", Limits{SaveDepth: 1}, func(t *tape) { t.op(OpSave).op(OpSave) }, "op 1 (save): 2 saved states exceeds the 1 limit (CanvasSaveDepth)"},
		{"too long a path", Limits{Segments: 2}, func(t *tape) { t.op(OpMoveTo, 0, 0).op(OpLineTo, 1, 1).op(OpLineTo, 1, 2) }, "op 2 (lineTo): 3 segments of a path exceeds the 2 limit (CanvasSegments)"},
		{"too long path data", Limits{Segments: 2}, func(t *tape) {
			t.op(OpPath, append([]float64{0}, inner(OpSVGPath, t.text("M0 0L1 1L2 2L3 3"))...)...)
		}, "op 0 (Path2D): 3 segments of a path exceeds the 2 limit (CanvasSegments)"},
		{"too much work", Limits{Work: 150}, func(t *tape) { t.op(OpFillRect, 0, 0, 10, 10).op(OpFillRect, 0, 0, 10, 10) }, "op 1 (fillRect): 200 pixels touched exceeds the 150 limit (CanvasWork)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var tp tape
			tt.tape(&tp)
			r := new(Recording)
			if err := r.Append(tp.ops, tp.strings, 5); err != nil {
				t.Fatal(err)
			}
			c := newTest(t, 10, 10, Options{Limits: tt.limits})
			err := c.Replay(context.Background(), r, noImages)
			var re *RecordError
			if !errors.As(err, &re) || err.Error() != tt.want {
				t.Errorf("the error is %v, want %s", err, tt.want)
			}
			if again := c.Replay(context.Background(), r, noImages); again != err {
				t.Errorf("the error is then %v", again)
			}
		})
	}
}

func TestReplayWithoutImages(t *testing.T) {
	r := new(Recording)
	if err := r.Append(new(tape).op(OpDrawImage, 0, 0, 0).ops, nil, 1); err != nil {
		t.Fatal(err)
	}
	for _, images := range []func(int) (*mediaimage.Surface, error){nil, func(int) (*mediaimage.Surface, error) { return nil, nil }} {
		err := newTest(t, 10, 10, Options{}).Replay(context.Background(), r, images)
		if err == nil || err.Error() != "op 0 (drawImage): there is no image 0" {
			t.Errorf("the error is %v", err)
		}
	}
}

func TestReplayIsCancelled(t *testing.T) {
	r := new(Recording)
	if err := r.Append(new(tape).op(OpFillRect, 0, 0, 10, 10).ops, nil, 0); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c := newTest(t, 10, 10, Options{})
	if err := c.Replay(ctx, r, noImages); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestRedefinition(t *testing.T) {
	gradient := func(colour [4]uint8) []float64 {
		return []float64{0, 0, 0, 0, 10, 0, 0, 0, 0, colourNumber(colour)}
	}
	r := new(Recording)
	tp := new(tape).op(OpGradient, gradient(red)...).op(OpFillGradient, 0).op(OpFillRect, 0, 0, 1, 1).
		op(OpGradient, gradient(blue)...).op(OpFillRect, 1, 0, 1, 1)
	if err := r.Append(tp.ops, nil, 0); err != nil {
		t.Fatal(err)
	}
	c := newTest(t, 2, 1, Options{})
	if err := c.Replay(context.Background(), r, noImages); err != nil {
		t.Fatal(err)
	}
	if got := pixelsOf(t, c); [4]uint8(got[:4]) != red || [4]uint8(got[4:]) != blue {
		t.Errorf("before and after a new definition: %v", got)
	}
}

func TestDecodePath(t *testing.T) {
	var args []float64
	args = append(args, inner(OpSetTransform, 1, 0, 0, 1, 10, 0)...)
	args = append(args, inner(OpRect, 0, 0, 5, 5)...)
	p, err := DecodePath(args, nil, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var lines geometry.Polyline
	p.Flatten(&lines, geometry.Identity, 1)
	if got := lines.Bounds(); got != (geometry.Rect{X0: 10, Y0: 0, X1: 15, Y1: 5}) {
		t.Errorf("the path is within %v", got)
	}
	if _, err := DecodePath([]float64{float64(OpFill)}, nil, Limits{}); err == nil || err.Error() != "op 0 (Path2D): op 0 of the definition (fill): it is no operation of a path" {
		t.Errorf("the error is %v", err)
	}
	if _, err := DecodePath(args, nil, Limits{Segments: 3}); err == nil {
		t.Error("a path that is too long is no error")
	}
}

// FuzzRecording decodes and replays what may come from anywhere. Strings are separated by 0.
func FuzzRecording(f *testing.F) {
	all := everything()
	f.Add(all.ops, strings.Join(all.strings, "\x00"))
	// Each operation by itself, so that mutations of all are near.
	r := new(Recording)
	if err := r.Append(all.ops, all.strings, 5); err != nil {
		f.Fatal(err)
	}
	for c := range r.Calls(0) {
		f.Add(new(tape).op(c.Op, c.Args...).op(OpFillRect, 0, 0, 20, 20).op(OpStroke).ops, strings.Join(all.strings, "\x00"))
	}
	huge := new(tape).op(OpScale, 1e150, 1e150).op(OpLineWidth, 1e300).op(OpLineDash, 1e-9, 1e-9).op(OpMoveTo, -1e200, 0).op(OpLineTo, 1e200, 1).
		op(OpArc, 0, 0, 1e9, 0, 1e9, 0).op(OpStroke).op(OpShadowBlur, 1e9).op(OpShadowColor, 255).op(OpFill, 0)
	f.Add(huge.ops, "")
	f.Fuzz(func(t *testing.T, ops []byte, text string) {
		if len(ops) > 1<<16 || len(text) > 1<<12 {
			return
		}
		limits := Limits{Ops: 1000, Segments: 1 << 14, Work: 50 << 20}
		budget := media.NewBudget(16 << 20)
		r := &Recording{Limits: limits, Budget: budget}
		n := r.Len()
		if err := r.Append(ops, strings.Split(text, "\x00"), 5); err != nil {
			var re *RecordError
			var le *LimitError
			if !errors.As(err, &re) && !errors.As(err, &le) {
				t.Fatalf("the error is %v", err)
			}
			if r.Len() != n {
				t.Fatal("of a bad recording something is kept")
			}
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		var first []byte
		for threads := 1; threads <= 3; threads += 2 {
			c, err := NewContext(64, 64, Options{Limits: limits, Budget: budget, Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			err = c.Replay(ctx, r, checkers)
			if errors.Is(err, context.DeadlineExceeded) {
				t.Fatal("it takes too long")
			}
			if err == nil {
				pix := pixelsOf(t, c)
				if first != nil && !bytes.Equal(pix, first) {
					t.Fatal("the pixels depend on the number of threads")
				}
				first = pix
			}
			c.Close()
		}
		r.Reset()
		if budget.Used() != 0 {
			t.Fatalf("%d bytes are left", budget.Used())
		}
	})
}
