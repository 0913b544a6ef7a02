package canvas

import (
	"image"

	"quicksand/canvas/internal/paint"
	"quicksand/canvas/internal/raster"
	mediaimage "quicksand/media/image"
)

// needed are the pixels of shapes that matter: those within the clip, and, if there are
// filters or a shadow, what they take from beside it.
func (c *Context) needed() image.Rectangle {
	visible := c.clip().Bounds()
	if e := c.effect(); len(e.Filters) > 0 || e.Shadow.Visible() {
		const far = 1 << 30
		return e.Bounds(image.Rect(-far, -far, far, far), visible)
	}
	return visible
}

func (c *Context) effect() paint.Effect {
	return paint.Effect{Filters: c.state.filter, Shadow: c.state.shadow()}
}

// paint paints the shape of a command, which lies within bounds, by the current state: on a
// layer first, if there are filters, and over its shadow.
func (c *Context) paint(cmd command, shape image.Rectangle, src paint.Source) {
	if c.err != nil {
		return
	}
	s := &c.state
	cmd.op = paint.Op{Mode: s.Composite, Alpha: s.GlobalAlpha, Clip: c.clip(), Source: src}
	visible := cmd.op.Clip.Bounds()
	if visible.Empty() || s.GlobalAlpha == 0 && !s.Composite.ClearsOutside() {
		return
	}
	e := c.effect()
	shadow := e.Shadow.Visible()
	if len(e.Filters) == 0 && !shadow {
		c.put(cmd, shape)
		return
	}
	if err := c.ctx.Err(); err != nil {
		c.fail(err)
		return
	}
	if len(e.Filters) == 0 {
		part := e.ShadowBounds(shape, visible)
		var mask *paint.Mask
		alpha := s.GlobalAlpha
		if solid, ok := src.Solid(); ok {
			// The alpha of the shape is its coverage times that of the colour.
			if mask = c.newMask(part); mask == nil {
				return
			}
			alpha *= float64(solid[3]) / 255
			cmd.coverMask(mask, &c.queue.raster)
		} else {
			layer := c.paintLayer(&cmd, part, src)
			if layer == nil {
				return
			}
			mask = layer.Mask()
		}
		c.castShadow(&e, mask, alpha, cmd.op)
		c.put(cmd, shape)
		return
	}
	layer := c.paintLayer(&cmd, e.Bounds(shape, visible), src)
	if layer == nil {
		return
	}
	filtered, err := e.Filter(c.ctx, layer, visible)
	if err != nil {
		c.fail(err)
		return
	}
	if shadow {
		c.castShadow(&e, filtered.Mask(), s.GlobalAlpha, cmd.op)
	}
	op := cmd.op
	op.Source = filtered.Source()
	c.put(command{kind: wholeRect, op: op}, filtered.Bounds)
}

// paintLayer paints what a command covers on a layer of its own, nil if there cannot be one.
func (c *Context) paintLayer(cmd *command, bounds image.Rectangle, src paint.Source) *paint.Layer {
	layer := c.newLayer(bounds)
	if layer == nil || bounds.Empty() {
		return layer
	}
	p := layer.Painter(bounds.Min.Y, bounds.Max.Y)
	p.Begin(paint.Op{Mode: mediaimage.SourceOver, Alpha: 1, Source: src})
	cmd.paint(p, &c.queue.raster)
	p.End()
	return layer
}

// castShadow paints the shadow of a shape.
func (c *Context) castShadow(e *paint.Effect, shape *paint.Mask, alpha float64, op paint.Op) {
	mask, err := e.Cast(c.ctx, shape, op.Clip.Bounds())
	if err != nil {
		c.fail(err)
		return
	}
	op.Alpha, op.Source = alpha, paint.NewColour(e.Shadow.Colour)
	c.put(command{kind: coverage, mask: mask, op: op}, mask.Bounds)
}

// put pushes a command whose shape lies within bounds.
func (c *Context) put(cmd command, shape image.Rectangle) {
	cmd.bounds = cmd.op.Clip.Bounds()
	if !cmd.op.Mode.ClearsOutside() {
		cmd.bounds = cmd.bounds.Intersect(shape)
	}
	if cmd.kind == wholeRect {
		cmd.whole = shape
	}
	c.push(cmd)
}

// newMask and newLayer count the memory, which is given back when the batch is drawn, and the
// work of what follows.
func (c *Context) newMask(bounds image.Rectangle) *paint.Mask {
	if !c.layerSpace(bounds, 1) {
		return nil
	}
	return paint.NewMask(bounds)
}

func (c *Context) newLayer(bounds image.Rectangle) *paint.Layer {
	if !c.layerSpace(bounds, 4) {
		return nil
	}
	return paint.NewLayer(bounds)
}

func (c *Context) layerSpace(bounds image.Rectangle, size int64) bool {
	if err := paint.CheckLayer(bounds); err != nil {
		c.fail(err)
		return false
	}
	area := int64(bounds.Dx()) * int64(bounds.Dy())
	// A blur has some passes, and each of them makes copies.
	if !c.spend(4 * area * int64(1+len(c.state.filter))) {
		return false
	}
	// Filters make copies, which are gone when the shape is on its way.
	return c.hold(size*area, 2*size*area)
}

// coverMask keeps what the command covers in a mask.
func (cmd *command) coverMask(m *paint.Mask, r *raster.Rasterizer) {
	switch cmd.kind {
	case glyphs:
		for i := range cmd.masks {
			m.Draw(&cmd.masks[i])
		}
	default:
		cmd.cover(m, m.Bounds, r)
	}
}
