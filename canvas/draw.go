package canvas

import (
	"image"
	"math"

	"quicksand/canvas/geometry"
	"quicksand/canvas/internal/paint"
	"quicksand/canvas/internal/raster"
	mediaimage "quicksand/media/image"
)

// Fill fills the current path with the fill style.
func (c *Context) Fill(rule FillRule) { c.fillPath(&c.path, geometry.Identity, rule) }

// FillPath fills a path in user space, which is not kept.
func (c *Context) FillPath(p *geometry.Path, rule FillRule) { c.fillPath(p, c.state.Matrix, rule) }

func (c *Context) fillPath(p *geometry.Path, m geometry.Matrix, rule FillRule) {
	if c.device != nil {
		c.draw(Draw{Kind: DrawFill, Path: p, PathMatrix: m, Rule: rule, Paint: c.state.Fill})
		return
	}
	if lines := c.flatten(p, m); lines != nil {
		c.paintLines(lines, raster.Rule(rule), c.source(&c.state.Fill))
	}
}

// Stroke draws the current path as a line in the stroke style.
func (c *Context) Stroke() {
	if inverse, ok := c.state.Matrix.Inverse(); ok {
		c.strokePath(&c.path, geometry.Identity, inverse)
	}
}

// StrokePath strokes a path in user space.
func (c *Context) StrokePath(p *geometry.Path) {
	c.strokePath(p, c.state.Matrix, geometry.Identity)
}

// strokePath strokes a path, which m takes to device space and toUser to user space.
func (c *Context) strokePath(p *geometry.Path, m, toUser geometry.Matrix) {
	if c.device != nil {
		c.draw(Draw{Kind: DrawStroke, Path: p, PathMatrix: m, Line: c.state.line(), Paint: c.state.Stroke})
		return
	}
	if lines := c.outline(p, toUser, c.state.line(), c.state.Matrix, c.needed()); lines != nil {
		c.paintLines(lines, raster.NonZero, c.source(&c.state.Stroke))
	}
}

// Clip makes the inside of the current path, as far as it was inside before, all that is
// painted on.
func (c *Context) Clip(rule FillRule) { c.clipPath(&c.path, geometry.Identity, rule) }

// ClipPath clips to a path in user space.
func (c *Context) ClipPath(p *geometry.Path, rule FillRule) { c.clipPath(p, c.state.Matrix, rule) }

func (c *Context) clipPath(p *geometry.Path, m geometry.Matrix, rule FillRule) {
	if c.err != nil {
		return
	}
	if c.device != nil {
		q := new(geometry.Path)
		q.Append(p, m)
		c.state.clip = &Clip{Path: q, Rule: rule, Parent: c.state.clip}
		return
	}
	lines := c.flatten(p, m)
	if lines == nil {
		return
	}
	old := c.clip()
	if r, ok := pixelRect(lines); ok {
		c.narrow(old.Intersect(r))
		return
	}
	part := old.Bounds().Intersect(pixels(lines.Bounds()))
	area := int64(part.Dx()) * int64(part.Dy())
	if !c.spend(area) {
		return
	}
	if err := c.reserve(area); err != nil {
		c.fail(err)
		return
	}
	cover := old.Shape(part, func(s paint.Sink, r image.Rectangle) {
		c.queue.raster.Rasterize(lines, raster.Rule(rule), r, s)
	})
	c.dropCover()
	c.state.cover, c.state.coverBytes = cover, area
	if cover.IsRect() {
		c.release(area)
		c.state.coverBytes = 0
	}
}

// narrow sets a clip that shares the mask of the clip there is, if it has any.
func (c *Context) narrow(part *paint.Clip) {
	bytes := c.state.coverBytes
	if n := len(c.saved); part.IsRect() || n > 0 && c.saved[n-1].cover == c.state.cover {
		c.dropCover()
		bytes = 0
	}
	c.state.cover, c.state.coverBytes = part, bytes
}

// pixelRect is the rectangle that lines are, if it is one of whole pixels.
func pixelRect(lines *geometry.Polyline) (image.Rectangle, bool) {
	p := lines.Points
	if len(p) == 5 && p[4] == p[0] {
		p = p[:4]
	}
	if len(lines.Ends) != 1 || len(p) != 4 ||
		!(p[0].X == p[1].X && p[1].Y == p[2].Y && p[2].X == p[3].X && p[3].Y == p[0].Y ||
			p[0].Y == p[1].Y && p[1].X == p[2].X && p[2].Y == p[3].Y && p[3].X == p[0].X) {
		return image.Rectangle{}, false
	}
	b := lines.Bounds()
	r := pixels(b)
	return r, rectBox(r) == b
}

// clip is where may be painted.
func (c *Context) clip() *paint.Clip {
	if c.state.cover == nil {
		return c.all
	}
	return c.state.cover
}

// dropCover gives the memory of the clip's mask back if no saved state has it, too.
func (c *Context) dropCover() {
	s := &c.state
	if n := len(c.saved); s.coverBytes > 0 && (n == 0 || c.saved[n-1].cover != s.cover) {
		c.release(s.coverBytes)
	}
	s.cover, s.coverBytes = nil, 0
}

// FillRect fills a rectangle.
func (c *Context) FillRect(x, y, w, h float64) {
	if !finite(x, y, w, h) || w == 0 || h == 0 {
		return
	}
	if c.device == nil && c.state.Matrix.Axial() {
		c.paintBox(c.deviceBox(x, y, w, h), c.source(&c.state.Fill))
		return
	}
	c.FillPath(c.rect(x, y, w, h), NonZero)
}

// rect is a path of a rectangle, valid until the next one.
func (c *Context) rect(x, y, w, h float64) *geometry.Path {
	c.shape.Reset()
	c.shape.Rect(x, y, w, h)
	return &c.shape
}

// deviceBox is a rectangle in device space, if the matrix is axial.
func (c *Context) deviceBox(x, y, w, h float64) geometry.Rect {
	m := c.state.Matrix
	// Held like the points of paths, so that 0 times them is 0.
	const far = 1e90
	hold := func(v float64) float64 { return min(max(v, -far), far) }
	p := m.Apply(geometry.Point{X: hold(x), Y: hold(y)})
	q := m.Apply(geometry.Point{X: hold(x + w), Y: hold(y + h)})
	return geometry.Rect{X0: min(p.X, q.X), Y0: min(p.Y, q.Y), X1: max(p.X, q.X), Y1: max(p.Y, q.Y)}
}

// StrokeRect strokes a rectangle: a line where one side is 0, and nothing where both are.
func (c *Context) StrokeRect(x, y, w, h float64) {
	if !finite(x, y, w, h) || w == 0 && h == 0 {
		return
	}
	p := &c.shape
	if p.Reset(); w == 0 || h == 0 {
		p.MoveTo(x, y)
		p.LineTo(x+w, y+h)
	} else {
		p.Rect(x, y, w, h)
	}
	c.StrokePath(p)
}

// ClearRect makes a rectangle transparent, within the clip.
func (c *Context) ClearRect(x, y, w, h float64) {
	if !finite(x, y, w, h) || w == 0 || h == 0 {
		return
	}
	if c.device != nil {
		c.draw(Draw{Kind: DrawClear, Path: c.rect(x, y, w, h), PathMatrix: c.state.Matrix})
		return
	}
	c.begin()
	op := paint.Op{Mode: mediaimage.DestinationOut, Alpha: 1, Clip: c.clip(), Source: opaque}
	if c.state.Matrix.Axial() {
		b := c.deviceBox(x, y, w, h)
		r := pixels(b)
		bounds := r.Intersect(op.Clip.Bounds())
		kind := box
		if op.Clip.IsRect() && rectBox(r) == b {
			kind = clearRows
		}
		c.push(command{kind: kind, box: b, bounds: bounds, op: op})
		return
	}
	if lines := c.flatten(c.rect(x, y, w, h), c.state.Matrix); lines != nil {
		c.push(command{kind: polygon, lines: lines, bounds: pixels(lines.Bounds()).Intersect(op.Clip.Bounds()), op: op})
	}
}

var opaque = paint.NewColour([4]uint8{3: 255})

// DrawImage draws s with its upper left corner at x, y. s must not be changed until Flush.
func (c *Context) DrawImage(s *mediaimage.Surface, x, y float64) {
	c.DrawImageScaled(s, x, y, float64(s.Width), float64(s.Height))
}

// DrawImageScaled draws s stretched to a rectangle. Negative sizes extend it to the other
// side; they do not mirror the picture.
func (c *Context) DrawImageScaled(s *mediaimage.Surface, x, y, w, h float64) {
	c.DrawImagePart(s, 0, 0, float64(s.Width), float64(s.Height), x, y, w, h)
}

// DrawImagePart draws a part of s, in its pixels, stretched to a rectangle. What of the part
// is outside of s is cut off, and the rectangle in proportion.
func (c *Context) DrawImagePart(s *mediaimage.Surface, sx, sy, sw, sh, x, y, w, h float64) {
	if !finite(sx, sy, sw, sh, x, y, w, h) || c.err != nil {
		return
	}
	sx, sw, x, w, ok := cut(sx, sw, x, w, float64(s.Width))
	if !ok {
		return
	}
	sy, sh, y, h, ok = cut(sy, sh, y, h, float64(s.Height))
	if !ok {
		return
	}
	if c.device != nil {
		c.draw(Draw{
			Kind: DrawImage, Image: s, Paint: Paint{},
			Source: mediaimage.Rect{X: sx, Y: sy, Width: sw, Height: sh},
			Target: mediaimage.Rect{X: x, Y: y, Width: w, Height: h},
		})
		return
	}
	m := c.state.Matrix.Mul(geometry.Matrix{A: w / sw, D: h / sh, E: x - sx*(w/sw), F: y - sy*(h/sh)})
	// All of s, not only the part: pixels beside the part mix in at its edges, so that a
	// picture drawn in parts looks as one drawn at once.
	src := c.place(s, image.Rect(0, 0, s.Width, s.Height), m, paint.Clamp, paint.Clamp, c.state.smoothing())
	if c.state.Matrix.Axial() {
		c.paintBox(snapped(c.deviceBox(x, y, w, h)), src)
		return
	}
	if lines := c.flatten(c.rect(x, y, w, h), c.state.Matrix); lines != nil {
		c.paintLines(lines, raster.NonZero, src)
	}
}

// snapped is the box of the pixels whose centres are in b: edges of upright pictures are
// not smoothed, as in Chromium, so that pictures beside each other have no seam. What is
// thinner than a pixel stays as it is, or it would vanish.
func snapped(b geometry.Rect) geometry.Rect {
	if b.X1-b.X0 < 1 || b.Y1-b.Y0 < 1 {
		return b
	}
	round := func(v float64) float64 { return math.Floor(v + 0.5) }
	return geometry.Rect{X0: round(b.X0), Y0: round(b.Y0), X1: round(b.X1), Y1: round(b.Y1)}
}

// cut makes both lengths positive and cuts the part s, sw off to what is from 0 to size, and
// the rectangle's side d, dw in proportion.
func cut(s, sw, d, dw, size float64) (_, _, _, _ float64, ok bool) {
	if sw < 0 {
		s, sw = s+sw, -sw
	}
	if dw < 0 {
		d, dw = d+dw, -dw
	}
	if !(sw > 0 && dw > 0) {
		return 0, 0, 0, 0, false
	}
	from, to := max(s, 0), min(s+sw, size)
	if !(from < to) {
		return 0, 0, 0, 0, false
	}
	if from != s || to != s+sw {
		d, dw = d+(from-s)/sw*dw, (to-from)/sw*dw
	}
	return from, to - from, d, dw, finite(d, dw) && dw > 0
}

func (s *State) smoothing() paint.Smoothing {
	if !s.ImageSmoothing {
		return paint.SmoothOff
	}
	return paint.SmoothLow + paint.Smoothing(s.ImageSmoothingQuality)
}

// place is a part of a picture as a source.
func (c *Context) place(s *mediaimage.Surface, part image.Rectangle, m geometry.Matrix, x, y paint.Edge, smooth paint.Smoothing) paint.Source {
	q := &c.queue
	t := q.textures[s]
	if t == nil {
		t = paint.NewTexture(s)
		if q.textures == nil {
			q.textures = map[*mediaimage.Surface]*paint.Texture{}
		}
		q.textures[s] = t
	}
	if key := (shrunk{t, part}); !q.shrunk[key] && paint.Halves(m, smooth) {
		// It gets a copy of the part, and halves of that.
		area := int64(part.Dx()) * int64(part.Dy())
		n := 4 * (area + area/2)
		if !c.spend(area) {
			return paint.Nothing
		}
		if err := c.reserve(n); err != nil {
			c.fail(err)
			return paint.Nothing
		}
		if q.shrunk == nil {
			q.shrunk = map[shrunk]bool{}
		}
		q.shrunk[key] = true
		q.textureBytes += n
	}
	return t.Place(part, m, x, y, smooth)
}

// source is a paint in its place at this moment.
func (c *Context) source(p *Paint) paint.Source {
	switch {
	case p.Gradient != nil:
		return p.Gradient.colours().Place(paint.GradientKind(p.Gradient.Type), p.Gradient.Coords, c.state.Matrix)
	case p.Pattern != nil:
		s := p.Pattern.Image
		x, y := paint.Repeat, paint.Repeat
		if r := p.Pattern.Repetition; r == RepeatY || r == NoRepeat {
			x = paint.Blank
		}
		if r := p.Pattern.Repetition; r == RepeatX || r == NoRepeat {
			y = paint.Blank
		}
		return c.place(s, image.Rect(0, 0, s.Width, s.Height), c.state.Matrix.Mul(p.Pattern.Matrix), x, y, c.state.smoothing())
	}
	return paint.NewColour(p.Colour)
}

// flatten is a path as lines in device space: nil if the context has ended or the path is too
// long.
func (c *Context) flatten(p *geometry.Path, m geometry.Matrix) *geometry.Polyline {
	if c.err != nil || !c.segments(p.Len()) {
		return nil
	}
	c.begin()
	lines := c.queue.newLines()
	p.Flatten(lines, m, geometry.Tolerance)
	if !c.segments(len(lines.Points)/pointsPerSegment) || !c.spend(slowWork*int64(len(lines.Points))) {
		return nil
	}
	return lines
}

// outline is the outline of a path's stroke in device space, nil as flatten.
func (c *Context) outline(p *geometry.Path, toUser geometry.Matrix, o geometry.StrokeOptions, m geometry.Matrix, needed image.Rectangle) *geometry.Polyline {
	if c.err != nil || needed.Empty() || !c.segments(p.Len()) || !c.spend(slowWork*int64(len(o.Dashes))) {
		return nil
	}
	c.begin()
	lines := c.queue.newLines()
	c.queue.stroker.Stroke(lines, p, toUser, o, m, rectBox(needed), geometry.Tolerance)
	if !c.segments(len(lines.Points)/pointsPerSegment) || !c.spend(slowWork*int64(len(lines.Points))) {
		return nil
	}
	return lines
}

// pointsPerSegment is how many points a path may have, flattened and outlined, for each segment
// of the limit.
const pointsPerSegment = 4

func (c *Context) segments(n int) bool {
	if n > c.limits.Segments {
		c.fail(segmentsError(c.limits, n))
	}
	return c.err == nil
}

// pixels are those that a rectangle touches. What is far away is held within ±1<<30.
func pixels(r geometry.Rect) image.Rectangle {
	const far = 1 << 30
	hold := func(v float64) int { return int(min(max(v, -far), far)) }
	return image.Rect(hold(math.Floor(r.X0)), hold(math.Floor(r.Y0)), hold(math.Ceil(r.X1)), hold(math.Ceil(r.Y1)))
}

func rectBox(r image.Rectangle) geometry.Rect {
	return geometry.Rect{X0: float64(r.Min.X), Y0: float64(r.Min.Y), X1: float64(r.Max.X), Y1: float64(r.Max.Y)}
}

// paintLines paints the inside of lines.
func (c *Context) paintLines(lines *geometry.Polyline, rule raster.Rule, src paint.Source) {
	c.paint(command{kind: polygon, lines: lines, rule: rule}, pixels(lines.Bounds()), src)
}

// paintBox paints a rectangle along the axes of device space.
func (c *Context) paintBox(b geometry.Rect, src paint.Source) {
	if c.err != nil {
		return
	}
	c.begin()
	c.paint(command{kind: box, box: b}, pixels(b), src)
}
