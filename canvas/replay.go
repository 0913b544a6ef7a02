package canvas

import (
	"context"
	"errors"
	"fmt"

	"quicksand/canvas/geometry"
	"quicksand/canvas/text"
	mediaimage "quicksand/media/image"
)

// replayed is how far a context has come in a recording, with what that has defined.
type replayed struct {
	recording *Recording
	epoch     int // of the recording
	next      int // operation

	gradients map[int]*Gradient
	patterns  map[int]*Pattern
	paths     map[int]*geometry.Path
	boxes     map[int]TextBoxOptions // by the string that they are
}

// Replay draws the operations of r which it has not drawn yet: those after the last Replay of
// the same recording, and all of them if the last one was of another or r was reset. images
// gives the picture for an index; it is asked each time that one is drawn, and the pictures
// must not change until Replay returns. It may be nil if there are none.
//
// An error ends the context. It is the error of ctx, or a *RecordError whose Err is what has
// failed: a *LimitError, the budget's error, or that of images.
func (c *Context) Replay(ctx context.Context, r *Recording, images func(i int) (*mediaimage.Surface, error)) error {
	c.Advance(ctx, r, images)
	return c.Flush(ctx)
}

// Advance is Replay for operations that more will follow: it need not wait until all is drawn.
// Drawing goes on after it has returned, and ends with ctx; the pictures must not change until
// the next Replay returns, which has the error, too.
func (c *Context) Advance(ctx context.Context, r *Recording, images func(i int) (*mediaimage.Surface, error)) {
	if c.last.recording != r || c.last.epoch != r.epoch {
		c.last = replayed{recording: r, epoch: r.epoch}
	}
	c.ctx = ctx
	defer func() { c.ctx = context.Background() }()
	for c.last.next < r.Len() && c.err == nil {
		if c.last.next%16 == 0 && ctx.Err() != nil {
			c.fail(ctx.Err())
			break
		}
		call := r.call(c.last.next)
		c.last.next++
		c.do(r, call, images)
		if c.err != nil && (ctx.Err() == nil || !errors.Is(c.err, ctx.Err())) {
			c.err = &RecordError{Index: call.Index, Name: opInfos[call.Op].Name, Reason: c.err.Error(), Err: c.err}
		}
	}
}

// define gives what *m has at n, made at first. What a style shows is changed by a new
// definition, as in the guest's object.
func defined[T any](m *map[int]*T, n float64) *T {
	if *m == nil {
		*m = map[int]*T{}
	}
	v := (*m)[int(n)]
	if v == nil {
		v = new(T)
		(*m)[int(n)] = v
	}
	return v
}

// do is one operation of a recording.
func (c *Context) do(r *Recording, call Call, images func(i int) (*mediaimage.Surface, error)) {
	a := call.Args
	picture := func(i float64) (s *mediaimage.Surface) {
		if images != nil {
			var err error
			if s, err = images(int(i)); err != nil {
				c.fail(err)
				return nil
			}
		}
		if s == nil {
			c.fail(fmt.Errorf("there is no image %d", int(i)))
		}
		return s
	}
	str := func(i float64) string { return r.strings[int(i)] }
	colour := func(v float64) [4]uint8 {
		u := uint32(v)
		return [4]uint8{uint8(u >> 24), uint8(u >> 16), uint8(u >> 8), uint8(u)}
	}
	matrix := func(a []float64) geometry.Matrix {
		return geometry.Matrix{A: a[0], B: a[1], C: a[2], D: a[3], E: a[4], F: a[5]}
	}
	s := &c.state
	switch call.Op {
	case OpSave:
		c.Save()
	case OpRestore:
		c.Restore()
	case OpReset:
		c.Reset()
	case OpTranslate:
		c.Translate(a[0], a[1])
	case OpRotate:
		c.Rotate(a[0])
	case OpScale:
		c.Scale(a[0], a[1])
	case OpTransform:
		c.Transform(a[0], a[1], a[2], a[3], a[4], a[5])
	case OpSetTransform:
		c.SetTransform(a[0], a[1], a[2], a[3], a[4], a[5])
	case OpResetTransform:
		c.ResetTransform()
	case OpBeginPath:
		c.BeginPath()
	case OpClosePath, OpMoveTo, OpLineTo, OpQuadraticCurveTo, OpBezierCurveTo, OpArc, OpArcTo, OpEllipse, OpRect, OpRoundRect:
		extendPath(&c.path, call.Op, a)
	case OpFill:
		c.Fill(FillRule(a[0]))
	case OpStroke:
		c.Stroke()
	case OpClip:
		c.Clip(FillRule(a[0]))
	case OpFillPath:
		c.FillPath(c.last.paths[int(a[0])], FillRule(a[1]))
	case OpStrokePath:
		c.StrokePath(c.last.paths[int(a[0])])
	case OpClipPath:
		c.ClipPath(c.last.paths[int(a[0])], FillRule(a[1]))
	case OpFillRect:
		c.FillRect(a[0], a[1], a[2], a[3])
	case OpStrokeRect:
		c.StrokeRect(a[0], a[1], a[2], a[3])
	case OpClearRect:
		c.ClearRect(a[0], a[1], a[2], a[3])
	case OpFillText:
		if len(a) == 4 {
			c.FillTextWithin(str(a[0]), a[1], a[2], a[3])
		} else {
			c.FillText(str(a[0]), a[1], a[2])
		}
	case OpStrokeText:
		if len(a) == 4 {
			c.StrokeTextWithin(str(a[0]), a[1], a[2], a[3])
		} else {
			c.StrokeText(str(a[0]), a[1], a[2])
		}
	case OpFillTextBox:
		o, ok := c.last.boxes[int(a[4])]
		if !ok {
			o, _ = ParseTextBoxOptions(str(a[4])) // the recording has checked it
			if c.last.boxes == nil {
				c.last.boxes = map[int]TextBoxOptions{}
			}
			c.last.boxes[int(a[4])] = o
		}
		c.FillTextBox(str(a[0]), a[1], a[2], a[3], o)
	case OpDrawImage:
		p := picture(a[0])
		switch {
		case c.err != nil:
		case len(a) == 3:
			c.DrawImage(p, a[1], a[2])
		case len(a) == 5:
			c.DrawImageScaled(p, a[1], a[2], a[3], a[4])
		default:
			c.DrawImagePart(p, a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8])
		}
	case OpPutImageData:
		if p := picture(a[0]); c.err == nil {
			c.PutImageData(p, whole(a[1]), whole(a[2]), whole(a[3]), whole(a[4]), whole(a[5]), whole(a[6]))
		}
	case OpFillColor:
		c.SetFillColour(colour(a[0]))
	case OpFillGradient:
		c.SetFillGradient(c.last.gradients[int(a[0])])
	case OpFillPattern:
		c.SetFillPattern(c.last.patterns[int(a[0])])
	case OpStrokeColor:
		c.SetStrokeColour(colour(a[0]))
	case OpStrokeGradient:
		c.SetStrokeGradient(c.last.gradients[int(a[0])])
	case OpStrokePattern:
		c.SetStrokePattern(c.last.patterns[int(a[0])])
	case OpLineWidth:
		c.SetLineWidth(a[0])
	case OpLineCap:
		c.SetLineCap(geometry.Cap(a[0]))
	case OpLineJoin:
		c.SetLineJoin(geometry.Join(a[0]))
	case OpMiterLimit:
		c.SetMiterLimit(a[0])
	case OpLineDash:
		c.SetLineDash(a)
	case OpLineDashOffset:
		c.SetLineDashOffset(a[0])
	case OpGlobalAlpha:
		c.SetGlobalAlpha(a[0])
	case OpGlobalCompositeOperation:
		c.SetGlobalCompositeOperation(mediaimage.BlendMode(a[0]))
	case OpFilter:
		c.SetFilter(str(a[0]))
	case OpShadowColor:
		c.SetShadowColour(colour(a[0]))
	case OpShadowBlur:
		c.SetShadowBlur(a[0])
	case OpShadowOffsetX:
		c.SetShadowOffsetX(a[0])
	case OpShadowOffsetY:
		c.SetShadowOffsetY(a[0])
	case OpImageSmoothingEnabled:
		c.SetImageSmoothingEnabled(a[0] != 0)
	case OpImageSmoothingQuality:
		c.SetImageSmoothingQuality(Quality(a[0]))
	case OpFont:
		c.SetFont(str(a[0]))
	case OpTextAlign:
		s.TextAlign = text.Align(a[0])
	case OpTextBaseline:
		s.TextBaseline = text.Baseline(a[0])
	case OpDirection:
		s.Direction = Direction(a[0])
	case OpLetterSpacing:
		c.SetLetterSpacing(str(a[0]))
	case OpWordSpacing:
		c.SetWordSpacing(str(a[0]))
	case OpFontKerning:
		s.FontKerning = text.Kerning(a[0])
	case OpFontStretch:
		s.FontStretch = uint8(a[0])
	case OpFontVariantCaps:
		s.FontVariantCaps = text.Caps(a[0])
	case OpTextRendering:
		s.TextRendering = text.Rendering(a[0])
	case OpLang:
		s.Lang = str(a[0])
	case OpGradient:
		g := defined(&c.last.gradients, a[0])
		*g = Gradient{Type: GradientType(a[1]), Coords: [6]float64(a[2:8]), fixed: true}
		for i := 8; i < len(a); i += 2 {
			g.Stops = append(g.Stops, Stop{a[i], colour(a[i+1])})
		}
	case OpPattern:
		if p := picture(a[1]); c.err == nil {
			*defined(&c.last.patterns, a[0]) = Pattern{Image: p, Repetition: Repetition(a[2]), Matrix: matrix(a[3:])}
		}
	case OpPath:
		p, err := buildPath(a[1:], r.strings, c.limits)
		if err != nil {
			c.fail(err)
			return
		}
		*defined(&c.last.paths, a[0]) = *p
	}
	if c.path.Len() > c.limits.Segments {
		c.fail(segmentsError(c.limits, c.path.Len()))
	}
}

// whole is an integer argument; what is far outside of any surface stays there.
func whole(v float64) int {
	const far = 1 << 30
	return int(min(max(v, -far-1), far+1))
}
