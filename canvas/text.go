package canvas

import (
	"context"
	"image"

	"quicksand/canvas/geometry"
	"quicksand/canvas/internal/paint"
	"quicksand/canvas/internal/raster"
	"quicksand/canvas/text"
	mediaimage "quicksand/media/image"
)

// TextMetrics are those of the HTML Standard, in user space. Distances are positive to the
// left and upwards of the point at which text is drawn, or to the right for Right and
// downwards for Descent.
type TextMetrics = text.Metrics

// ParseFont reads a CSS font shorthand; f.String() is what font reads back.
func ParseFont(css string) (f text.Font, ok bool) { return text.ParseFont(css) }

// MeasureText measures text as FillText would draw it. The error is that of Shape in package
// text.
func (c *Context) MeasureText(ctx context.Context, s string) (TextMetrics, error) {
	line, err := c.shapeText(ctx, s, 0)
	if err != nil {
		return TextMetrics{}, err
	}
	return line.Metrics(c.state.TextAlign, c.state.TextBaseline), nil
}

// shapeText sets text by the current state, with so much more space between words.
func (c *Context) shapeText(ctx context.Context, s string, space float64) (*text.Line, error) {
	st := &c.state
	o := text.Options{
		LetterSpacing: st.LetterSpacing.Pixels(st.Font.Size),
		WordSpacing:   st.WordSpacing.Pixels(st.Font.Size) + space,
		Kerning:       st.FontKerning,
		Caps:          st.FontVariantCaps,
		Rendering:     st.TextRendering,
		RTL:           st.Direction == RTL,
	}
	if st.FontStretch > 0 && int(st.FontStretch) < len(text.StretchOf) {
		o.Stretch = text.StretchOf[st.FontStretch]
	}
	if st.Lang != "inherit" {
		o.Lang = st.Lang
	}
	return c.fonts.Shape(ctx, st.Font, o, s)
}

// FillText draws a line of text. White space is spaces.
func (c *Context) FillText(s string, x, y float64) { c.text(s, x, y, 0, false) }

// FillTextWithin is FillText, condensed to maxWidth if it is wider. Nothing is drawn unless
// maxWidth is above 0.
func (c *Context) FillTextWithin(s string, x, y, maxWidth float64) {
	if maxWidth > 0 {
		c.text(s, x, y, maxWidth, false)
	}
}

// StrokeText draws the outlines of a line of text.
func (c *Context) StrokeText(s string, x, y float64) { c.text(s, x, y, 0, true) }

// StrokeTextWithin is to StrokeText as FillTextWithin to FillText.
func (c *Context) StrokeTextWithin(s string, x, y, maxWidth float64) {
	if maxWidth > 0 {
		c.text(s, x, y, maxWidth, true)
	}
}

// text draws text; a maxWidth of 0 is none.
func (c *Context) text(s string, x, y, maxWidth float64, outline bool) {
	if !finite(x, y) || c.err != nil || !c.spend(slowWork*int64(len(s))) {
		return
	}
	line, err := c.shapeText(c.ctx, s, 0)
	if err != nil {
		c.fail(err)
		return
	}
	condense := 1.0
	if maxWidth > 0 && line.Advance > maxWidth {
		condense = maxWidth / line.Advance
	}
	dx, dy := line.Offset(c.state.TextAlign, c.state.TextBaseline)
	c.drawLine(line, s, x+dx*condense, y+dy, condense, outline)
}

// drawLine draws a line whose left end on the baseline is x, y.
func (c *Context) drawLine(line *text.Line, s string, x, y, condense float64, outline bool) {
	style := &c.state.Fill
	if outline {
		style = &c.state.Stroke
	}
	if c.device != nil {
		c.draw(Draw{
			Kind: DrawText, Text: line, String: s, Font: c.state.Font, X: x, Y: y, Condense: condense,
			Outline: outline, Line: c.state.line(), Paint: *style,
		})
		return
	}
	place := geometry.Matrix{A: condense, D: 1, E: x, F: y}
	m := c.state.Matrix.Mul(place)
	if line.Coloured() && !outline {
		c.paintColoured(line, m, style)
		return
	}
	if !outline {
		if cmd, bounds, ok := c.lineMasks(line, m, style.tone()); ok {
			c.paint(cmd, bounds, c.source(style))
			return
		}
	}
	p := &c.shape
	p.Reset()
	inv, ok := m.Inverse()
	for i := range line.Glyphs {
		at := geometry.Identity
		if ok {
			at.E, at.F = line.Glyphs[i].Snap(m, inv)
		}
		line.Glyphs[i].AppendOutline(p, at)
		if !c.segments(p.Len()) {
			return
		}
	}
	var lines *geometry.Polyline
	if outline {
		lines = c.outline(p, place, c.state.line(), c.state.Matrix, c.needed())
	} else {
		lines = c.flatten(p, m)
	}
	if lines != nil {
		c.paintLines(lines, raster.NonZero, c.source(style))
	}
}

// tone is that of glyphs painted with p.
func (p *Paint) tone() text.Tone {
	if p.Gradient != nil || p.Pattern != nil {
		return text.MiddleTone
	}
	return text.ToneOf(p.Colour)
}

// lineMasks is a command for the masks of a line's glyphs, if there are any for the matrix.
func (c *Context) lineMasks(line *text.Line, m geometry.Matrix, tone text.Tone) (cmd command, bounds image.Rectangle, ok bool) {
	c.begin()
	needed := c.needed()
	b := c.queue.current()
	from := len(b.masks)
	for i := range line.Glyphs {
		mask, x, y, ok := line.Glyphs[i].Mask(m, tone)
		if !ok {
			b.masks = b.masks[:from]
			return cmd, bounds, false
		}
		r := image.Rect(x, y, x+mask.W, y+mask.H)
		if r.Overlaps(needed) {
			bounds = bounds.Union(r)
			b.masks = append(b.masks, paint.Mask{Bounds: r, Stride: mask.W, Pix: mask.Pix})
		}
	}
	n := len(b.masks)
	return command{kind: glyphs, masks: b.masks[from:n:n]}, bounds, true
}

// A part is a part of a coloured line.
type part struct {
	cmd    command
	src    paint.Source
	bounds image.Rectangle
}

// paintColoured paints a line with coloured glyphs, which is a picture then.
func (c *Context) paintColoured(line *text.Line, m geometry.Matrix, style *Paint) {
	c.begin()
	needed := c.needed()
	var parts []part
	var all image.Rectangle
	add := func(cmd command, bounds image.Rectangle, src paint.Source) {
		if bounds = bounds.Intersect(needed); !bounds.Empty() {
			parts = append(parts, part{cmd, src, bounds})
			all = all.Union(bounds)
		}
	}
	addPath := func(p *geometry.Path, src paint.Source) {
		if !c.segments(p.Len()) {
			return
		}
		lines := new(geometry.Polyline)
		p.Flatten(lines, m, geometry.Tolerance)
		add(command{kind: polygon, lines: lines}, pixels(lines.Bounds()), src)
	}
	own := c.source(style)
	for i := range line.Glyphs {
		g := &line.Glyphs[i]
		if layers := g.Layers(); layers != nil {
			for _, l := range layers {
				addPath(l.Path, layerSource(&l.Fill, m, style, own))
			}
			continue
		}
		if bitmap, ok := g.Bitmap(g.Size * m.MaxScale()); ok {
			c.addBitmap(&bitmap, m, add)
			continue
		}
		p := new(geometry.Path)
		g.AppendOutline(p, geometry.Identity)
		addPath(p, own)
	}
	if all.Empty() && !c.state.Composite.ClearsOutside() || c.err != nil {
		return
	}
	layer := c.newLayer(all)
	if layer == nil {
		return
	}
	if !all.Empty() {
		p := layer.Painter(all.Min.Y, all.Max.Y)
		for i := range parts {
			p.Begin(paint.Op{Mode: mediaimage.SourceOver, Alpha: 1, Source: parts[i].src})
			parts[i].cmd.paint(p, &c.queue.raster)
			p.End()
		}
	}
	c.paint(command{kind: wholeRect, whole: all}, all, layer.Source())
}

// addBitmap adds the picture of a glyph. One that does not decode is not drawn.
func (c *Context) addBitmap(b *text.Bitmap, m geometry.Matrix, add func(command, image.Rectangle, paint.Source)) {
	s := c.glyphPicture(b.Data)
	if s == nil || !finite(b.X, b.Y, b.Width, b.Height) {
		return
	}
	p := new(geometry.Path)
	p.Rect(b.X, b.Y, b.Width, b.Height)
	lines := new(geometry.Polyline)
	p.Flatten(lines, m, geometry.Tolerance)
	m = m.Mul(geometry.Matrix{A: b.Width / float64(s.Width), D: b.Height / float64(s.Height), E: b.X, F: b.Y})
	src := c.place(s, image.Rect(0, 0, s.Width, s.Height), m, paint.Clamp, paint.Clamp, paint.SmoothMedium)
	add(command{kind: polygon, lines: lines}, pixels(lines.Bounds()), src)
}

// mostGlyphPictures is how many decoded glyphs a context keeps, and mostGlyphPixels how many
// pixels one of them may have.
const (
	mostGlyphPictures = 256
	mostGlyphPixels   = 1 << 20
)

// glyphPicture decodes a picture of a font, nil if it is none.
func (c *Context) glyphPicture(data []byte) *mediaimage.Surface {
	if len(data) == 0 {
		return nil
	}
	if s, ok := c.glyphPictures[&data[0]]; ok {
		return s
	}
	if c.glyphPictures == nil || len(c.glyphPictures) >= mostGlyphPictures {
		c.glyphPictures = map[*byte]*mediaimage.Surface{}
		c.release(c.glyphBytes)
		c.glyphBytes = 0
	}
	var s *mediaimage.Surface
	if p, err := mediaimage.Open(data, c.budget); err == nil && p.Info.Width*p.Info.Height <= mostGlyphPixels {
		n := 4 * int64(p.Info.Width) * int64(p.Info.Height)
		if err := c.reserve(n); err != nil {
			c.fail(err)
			return nil
		}
		c.glyphBytes += n
		if s, err = p.Surface(c.ctx); err != nil {
			s = nil
		}
	}
	c.glyphPictures[&data[0]] = s
	return s
}

// layerSource is what a layer of a glyph is filled with.
func layerSource(f *text.Fill, m geometry.Matrix, style *Paint, own paint.Source) paint.Source {
	switch f.Kind {
	case text.FillText:
		if f.Colour[3] == 255 || style.Gradient != nil || style.Pattern != nil {
			return own
		}
		colour := style.Colour
		colour[3] = uint8((int(colour[3])*int(f.Colour[3]) + 127) / 255)
		return paint.NewColour(colour)
	case text.FillSolid:
		return paint.NewColour(f.Colour)
	}
	stops := make([]paint.Stop, len(f.Stops))
	for i, s := range f.Stops {
		stops[i] = paint.Stop(s)
	}
	return paint.NewGradient(paint.GradientKind(f.Kind-text.FillLinear), f.Coords, stops, m.Mul(f.Matrix))
}
