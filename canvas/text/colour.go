package text

import (
	"math"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype/tables"

	"quicksand/canvas/geometry"
)

// A Layer is a part of a coloured glyph: a path with a fill. The layers are painted one over
// the other.
type Layer struct {
	// Path is relative to the origin of the line, to be filled with the nonzero rule. It is the
	// caller's.
	Path *geometry.Path
	Fill Fill
}

// FillKind is what a layer is filled with.
type FillKind uint8

// The kinds of fills.
const (
	// FillText is the fill style of the text, with Colour[3] as a further alpha.
	FillText FillKind = iota
	FillSolid
	// FillLinear has the coordinates x0 y0 x1 y1.
	FillLinear
	// FillRadial has the coordinates x0 y0 r0 x1 y1 r1.
	FillRadial
	// FillConic has the coordinates angle x y, as createConicGradient.
	FillConic
)

// Fill is the fill of a layer.
type Fill struct {
	Kind FillKind
	// Colour is straight RGBA.
	Colour [4]uint8
	// Coords and Stops are those of a gradient, as the methods of the canvas take them.
	Coords [6]float64
	Stops  []Stop
	// Matrix maps the coordinates of a gradient to the line.
	Matrix geometry.Matrix
}

// Stop is a colour stop.
type Stop struct {
	Offset float64
	Colour [4]uint8
}

// Bitmap is a glyph that is a picture.
type Bitmap struct {
	// Data is a PNG or JPEG file from the font: as hostile as that.
	Data []byte
	// X, Y, Width and Height are where it stands in the line.
	X, Y, Width, Height float64
}

// maxLayers is the greatest number of layers of a glyph; the rest is left out.
const maxLayers = 512

// Layers returns the layers of a glyph with colours (COLR, versions 0 and 1), nil when it has
// none. Of version 1, lines of colour that repeat are held at their ends, modes of
// composition other than source-over draw source or backdrop alone or one over the other, a
// shape within a shape is not clipped by the outer one, and variations do not move paints.
func (g *Glyph) Layers() (layers []Layer) {
	f := g.Face
	if !f.info.Colour || f.data().font.COLR == nil {
		return nil
	}
	if f.hostile {
		defer func() {
			if recover() != nil {
				layers = nil
			}
		}()
	}
	paint, ok := f.data().font.COLR.Search(uint16ID(g.ID))
	if !ok {
		return nil
	}
	p := painter{face: f}
	k := g.Size / f.data().upem
	p.paint(paint, geometry.Identity.Translate(g.X, g.Y).Scale(k, -k), nil, 0)
	return p.layers
}

func uint16ID(id uint32) uint16 { return uint16(min(id, math.MaxUint16)) }

// painter flattens the graph of paints of a glyph into layers.
type painter struct {
	face   *Face
	layers []Layer
	steps  int
}

// paint adds the layers of a paint under a matrix from font units to the line; shape is what a
// colour fills.
func (p *painter) paint(t tables.PaintTable, m geometry.Matrix, shape *geometry.Path, depth int) {
	if p.steps++; p.steps > 8*maxLayers || depth > maxPaints || len(p.layers) >= maxLayers {
		return
	}
	colr := p.face.data().font.COLR
	fill := func(f Fill) {
		if shape != nil {
			p.layers = append(p.layers, Layer{shape.Clone(), f})
		}
	}
	into := func(t tables.PaintTable, n geometry.Matrix) { p.paint(t, m.Mul(n), shape, depth+1) }
	around := func(t tables.PaintTable, x, y int16, n geometry.Matrix) {
		into(t, geometry.Identity.Translate(float64(x), float64(y)).Mul(n).Translate(-float64(x), -float64(y)))
	}
	scaled := func(x, y tables.Fixed214) geometry.Matrix { return geometry.Matrix{A: f214(x), D: f214(y)} }
	rotated := func(a tables.Fixed214) geometry.Matrix { return geometry.Identity.Rotate(f214(a) * math.Pi) }
	skewed := func(x, y tables.Fixed214) geometry.Matrix {
		return geometry.Matrix{A: 1, B: math.Tan(f214(y) * math.Pi), C: -math.Tan(f214(x) * math.Pi), D: 1}
	}
	moved := func(x, y int16) geometry.Matrix { return geometry.Identity.Translate(float64(x), float64(y)) }

	switch t := t.(type) {
	case tables.PaintColrLayersResolved:
		for _, l := range t {
			shape = p.shape(uint32(l.GlyphID), m)
			fill(p.solid(l.PaletteIndex, 1))
		}
	case tables.PaintColrLayers:
		list, err := colr.LayerList.Resolve(t)
		if err != nil {
			return
		}
		for _, l := range list {
			p.paint(l, m, shape, depth+1)
		}
	case tables.PaintGlyph:
		p.paint(t.Paint, m, p.shape(uint32(t.GlyphID), m), depth+1)
	case tables.PaintColrGlyph:
		if other, ok := colr.Search(t.GlyphID); ok {
			p.paint(other, m, shape, depth+1)
		}
	case tables.PaintComposite:
		switch t.CompositeMode {
		case tables.CompositeClear:
		case tables.CompositeSrc, tables.CompositeSrcIn, tables.CompositeSrcOut:
			p.paint(t.SourcePaint, m, shape, depth+1)
		case tables.CompositeDest, tables.CompositeDestIn, tables.CompositeDestOut:
			p.paint(t.BackdropPaint, m, shape, depth+1)
		case tables.CompositeDestOver, tables.CompositeDestAtop:
			p.paint(t.SourcePaint, m, shape, depth+1)
			p.paint(t.BackdropPaint, m, shape, depth+1)
		default:
			p.paint(t.BackdropPaint, m, shape, depth+1)
			p.paint(t.SourcePaint, m, shape, depth+1)
		}

	case tables.PaintSolid:
		fill(p.solid(t.PaletteIndex, f214(t.Alpha)))
	case tables.PaintVarSolid:
		fill(p.solid(t.PaletteIndex, f214(t.Alpha)))
	case tables.PaintLinearGradient:
		fill(p.linear(p.stops(t.ColorLine), m, t.X0, t.Y0, t.X1, t.Y1, t.X2, t.Y2))
	case tables.PaintVarLinearGradient:
		fill(p.linear(p.varStops(t.ColorLine), m, t.X0, t.Y0, t.X1, t.Y1, t.X2, t.Y2))
	case tables.PaintRadialGradient:
		fill(radial(p.stops(t.ColorLine), m, t.X0, t.Y0, t.Radius0, t.X1, t.Y1, t.Radius1))
	case tables.PaintVarRadialGradient:
		fill(radial(p.varStops(t.ColorLine), m, t.X0, t.Y0, t.Radius0, t.X1, t.Y1, t.Radius1))
	case tables.PaintSweepGradient:
		fill(conic(p.stops(t.ColorLine), m, t.CenterX, t.CenterY, t.StartAngle, t.EndAngle))
	case tables.PaintVarSweepGradient:
		fill(conic(p.varStops(t.ColorLine), m, t.CenterX, t.CenterY, t.StartAngle, t.EndAngle))

	case tables.PaintTransform:
		a := t.Transform
		into(t.Paint, affine(a.Xx, a.Yx, a.Xy, a.Yy, a.Dx, a.Dy))
	case tables.PaintVarTransform:
		a := t.Transform
		into(t.Paint, affine(a.Xx, a.Yx, a.Xy, a.Yy, a.Dx, a.Dy))
	case tables.PaintTranslate:
		into(t.Paint, moved(t.Dx, t.Dy))
	case tables.PaintVarTranslate:
		into(t.Paint, moved(t.Dx, t.Dy))
	case tables.PaintScale:
		into(t.Paint, scaled(t.ScaleX, t.ScaleY))
	case tables.PaintVarScale:
		into(t.Paint, scaled(t.ScaleX, t.ScaleY))
	case tables.PaintScaleAroundCenter:
		around(t.Paint, t.CenterX, t.CenterY, scaled(t.ScaleX, t.ScaleY))
	case tables.PaintVarScaleAroundCenter:
		around(t.Paint, t.CenterX, t.CenterY, scaled(t.ScaleX, t.ScaleY))
	case tables.PaintScaleUniform:
		into(t.Paint, scaled(t.Scale, t.Scale))
	case tables.PaintVarScaleUniform:
		into(t.Paint, scaled(t.Scale, t.Scale))
	case tables.PaintScaleUniformAroundCenter:
		around(t.Paint, t.CenterX, t.CenterY, scaled(t.Scale, t.Scale))
	case tables.PaintVarScaleUniformAroundCenter:
		around(t.Paint, t.CenterX, t.CenterY, scaled(t.Scale, t.Scale))
	case tables.PaintRotate:
		into(t.Paint, rotated(t.Angle))
	case tables.PaintVarRotate:
		into(t.Paint, rotated(t.Angle))
	case tables.PaintRotateAroundCenter:
		around(t.Paint, t.CenterX, t.CenterY, rotated(t.Angle))
	case tables.PaintVarRotateAroundCenter:
		around(t.Paint, t.CenterX, t.CenterY, rotated(t.Angle))
	case tables.PaintSkew:
		into(t.Paint, skewed(t.XSkewAngle, t.YSkewAngle))
	case tables.PaintVarSkew:
		into(t.Paint, skewed(t.XSkewAngle, t.YSkewAngle))
	case tables.PaintSkewAroundCenter:
		around(t.Paint, t.CenterX, t.CenterY, skewed(t.XSkewAngle, t.YSkewAngle))
	case tables.PaintVarSkewAroundCenter:
		around(t.Paint, t.CenterX, t.CenterY, skewed(t.XSkewAngle, t.YSkewAngle))
	}
}

// f214 is the value of a number with 14 bits after the point.
func f214(v tables.Fixed214) float64 { return float64(v) / (1 << 14) }

func affine(xx, yx, xy, yy, dx, dy float32) geometry.Matrix {
	return geometry.Matrix{A: float64(xx), B: float64(yx), C: float64(xy), D: float64(yy), E: float64(dx), F: float64(dy)}
}

// shape returns the outline of a glyph under a matrix from font units.
func (p *painter) shape(id uint32, m geometry.Matrix) *geometry.Path {
	path := new(geometry.Path)
	upem := p.face.data().upem
	path.Append(&p.face.outline(id).path, m.Scale(upem, -upem))
	return path
}

// solid is a colour of the first palette, or that of the text.
func (p *painter) solid(index uint16, alpha float64) Fill {
	c, text := p.colour(index, alpha)
	if text {
		return Fill{Kind: FillText, Colour: c}
	}
	return Fill{Kind: FillSolid, Colour: c}
}

func (p *painter) colour(index uint16, alpha float64) (c [4]uint8, text bool) {
	alpha = min(max(alpha, 0), 1)
	if index == 0xffff {
		return [4]uint8{0, 0, 0, uint8(alpha*255 + 0.5)}, true
	}
	palettes := p.face.data().font.CPAL
	if len(palettes) == 0 || int(index) >= len(palettes[0]) {
		return c, false
	}
	r := palettes[0][index]
	return [4]uint8{r.Red, r.Green, r.Blue, uint8(float64(r.Alpha)*alpha + 0.5)}, false
}

func (p *painter) stops(line tables.ColorLine) []Stop {
	var stops []Stop
	for _, s := range line.ColorStops {
		c, _ := p.colour(s.PaletteIndex, f214(s.Alpha))
		stops = append(stops, Stop{f214(s.StopOffset), c})
	}
	return stops
}

func (p *painter) varStops(line tables.VarColorLine) []Stop {
	var stops []Stop
	for _, s := range line.ColorStops {
		c, _ := p.colour(s.PaletteIndex, f214(s.Alpha))
		stops = append(stops, Stop{f214(s.StopOffset), c})
	}
	return stops
}

// unitStops moves the offsets of stops into 0 to 1 and returns where those are on the line.
func unitStops(stops []Stop) (unit []Stop, from, to float64) {
	if len(stops) == 0 {
		return nil, 0, 1
	}
	from, to = stops[0].Offset, stops[0].Offset
	for _, s := range stops {
		from, to = min(from, s.Offset), max(to, s.Offset)
	}
	if from >= 0 && to <= 1 {
		return stops, 0, 1
	}
	if from == to {
		to = from + 1
	}
	for _, s := range stops {
		unit = append(unit, Stop{(s.Offset - from) / (to - from), s.Colour})
	}
	return unit, from, to
}

func between(a, b, t float64) float64 { return a + float64((b-a)*t) }

func (p *painter) linear(stops []Stop, m geometry.Matrix, ax, ay, bx, by, cx, cy int16) Fill {
	stops, from, to := unitStops(stops)
	x0, y0 := float64(ax), float64(ay)
	x1, y1 := float64(bx), float64(by)
	// The colours stand along the line from the first to the third point: the gradient goes
	// as far as the second point at a right angle to that.
	nx, ny := float64(cy)-y0, x0-float64(cx)
	if l := float64(nx*nx) + float64(ny*ny); l > 0 {
		k := (float64((x1-x0)*nx) + float64((y1-y0)*ny)) / l
		x1, y1 = x0+float64(nx*k), y0+float64(ny*k)
	}
	return Fill{Kind: FillLinear, Stops: stops, Matrix: m, Coords: [6]float64{
		between(x0, x1, from), between(y0, y1, from), between(x0, x1, to), between(y0, y1, to)}}
}

func radial(stops []Stop, m geometry.Matrix, ax, ay int16, ar uint16, bx, by int16, br uint16) Fill {
	stops, from, to := unitStops(stops)
	at := func(t float64) (x, y, r float64) {
		return between(float64(ax), float64(bx), t), between(float64(ay), float64(by), t), max(0, between(float64(ar), float64(br), t))
	}
	x0, y0, r0 := at(from)
	x1, y1, r1 := at(to)
	return Fill{Kind: FillRadial, Stops: stops, Matrix: m, Coords: [6]float64{x0, y0, r0, x1, y1, r1}}
}

func conic(stops []Stop, m geometry.Matrix, x, y int16, start, end tables.Fixed214) Fill {
	// Angles are stored less one half turn.
	a, b := (f214(start)+1)/2, (f214(end)+1)/2
	unit := make([]Stop, 0, len(stops))
	for _, s := range stops {
		unit = append(unit, Stop{min(max(between(a, b, s.Offset), 0), 1), s.Colour})
	}
	return Fill{Kind: FillConic, Stops: unit, Matrix: m, Coords: [6]float64{0, float64(x), float64(y)}}
}

// Bitmap returns the picture of a glyph that is one, of the strike that suits an em of size
// device pixels.
func (g *Glyph) Bitmap(size float64) (b Bitmap, ok bool) {
	f := g.Face
	if !f.info.Colour || !f.data().bitmaps {
		return Bitmap{}, false
	}
	if f.hostile {
		defer func() {
			if recover() != nil {
				b, ok = Bitmap{}, false
			}
		}()
	}
	face := f.drawer()
	defer f.drawers.Put(face)
	ppem := uint16(min(max(size, 1), 1000))
	if x, _ := face.Ppem(); x != ppem {
		face.SetPpem(ppem, ppem)
	}
	data, ok := face.GlyphDataBitmap(font.GID(g.ID))
	if !ok || data.Format != font.PNG && data.Format != font.JPG {
		return Bitmap{}, false
	}
	e, ok := face.GlyphExtents(font.GID(g.ID))
	if !ok || !(e.Width > 0) || !(e.Height < 0) {
		return Bitmap{}, false
	}
	k := g.Size / f.data().upem
	return Bitmap{
		Data:   data.Data,
		X:      g.X + float64(float64(e.XBearing)*k),
		Y:      g.Y - float64(float64(e.YBearing)*k),
		Width:  float64(e.Width) * k,
		Height: -float64(e.Height) * k,
	}, true
}
