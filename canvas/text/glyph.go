package text

import "quicksand/canvas/geometry"

// AppendOutline adds the outline of the glyph, where it stands in its line, to a path. It is to
// be filled with the nonzero rule. Glyphs without an outline add nothing.
func (g *Glyph) AppendOutline(dst *geometry.Path, m geometry.Matrix) {
	o := g.Face.outline(g.ID)
	if o.path.Len() > 0 {
		dst.Append(&o.path, m.Translate(g.X, g.Y).Scale(g.Size, g.Size))
	}
}

// ink returns the box of what the glyph paints, in the line.
func (g *Glyph) ink() (box, bool) {
	if g.Face.info.Colour {
		if b, ok := g.Bitmap(g.Size); ok {
			return box{b.X, b.Y, b.X + b.Width, b.Y + b.Height}, true
		}
		var all box
		inked := false
		for _, l := range g.Layers() {
			b, ok := bounds(l.Path)
			if ok && inked {
				all.add(b.x0, b.y0)
				all.add(b.x1, b.y1)
			} else if ok {
				all, inked = b, true
			}
		}
		if inked {
			return all, true
		}
	}
	o := g.Face.outline(g.ID)
	b := o.box
	return box{
		g.X + float64(b.x0*g.Size), g.Y + float64(b.y0*g.Size),
		g.X + float64(b.x1*g.Size), g.Y + float64(b.y1*g.Size),
	}, o.ink
}

// AppendOutline adds the outlines of all glyphs of the line, mapped by m: those of coloured
// glyphs as well.
func (l *Line) AppendOutline(dst *geometry.Path, m geometry.Matrix) {
	for i := range l.Glyphs {
		l.Glyphs[i].AppendOutline(dst, m)
	}
}

// Coloured tells whether some glyph may have colours of its own, so that each is to be asked
// for its Layers and Bitmap.
func (l *Line) Coloured() bool { return l.coloured }
