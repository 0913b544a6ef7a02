package vector

import (
	"context"

	"quicksand/canvas"
	"quicksand/canvas/geometry"
	"quicksand/canvas/text"
	"quicksand/media/image"
)

// maxGlyphPicture is the most pixels of a picture in a font.
const maxGlyphPicture = 1 << 20

// eachOfText gives a text as paths, none of more segments than the limit, and pictures.
func eachOfText(ctx context.Context, d *canvas.Draw, l canvas.Limits, draw func(*canvas.Draw) error) error {
	place := geometry.Matrix{A: d.Condense, D: 1, E: d.X, F: d.Y}
	one := *d
	one.Kind, one.PathMatrix, one.Rule = canvas.DrawFill, d.Matrix, canvas.NonZero
	if d.Outline {
		one.Kind = canvas.DrawStroke
	}
	if d.Outline || !d.Text.Coloured() {
		one.Path = &geometry.Path{}
		most := l.WithDefaults().Segments
		for i := range d.Text.Glyphs {
			if i%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			d.Text.Glyphs[i].AppendOutline(one.Path, place)
			if n := one.Path.Len(); n > most {
				return segmentsError(most, n)
			}
		}
		if one.Path.Empty() {
			return nil
		}
		return draw(&one)
	}
	for i := range d.Text.Glyphs {
		if err := ctx.Err(); err != nil {
			return err
		}
		g := &d.Text.Glyphs[i]
		if layers := g.Layers(); layers != nil {
			for _, l := range layers {
				if err := drawLayer(one, d, l, place, draw); err != nil {
					return err
				}
			}
			continue
		}
		if b, ok := g.Bitmap(g.Size * d.Matrix.MaxScale()); ok {
			s := glyphPicture(ctx, b)
			if s == nil {
				continue
			}
			p := *d
			p.Kind, p.Image, p.Smoothing, p.Quality = canvas.DrawImage, s, true, canvas.Medium
			p.Source = image.Rect{Width: float64(s.Width), Height: float64(s.Height)}
			p.Target = image.Rect{X: d.X + b.X*d.Condense, Y: d.Y + b.Y, Width: b.Width * d.Condense, Height: b.Height}
			if err := draw(&p); err != nil {
				return err
			}
			continue
		}
		one.Path = &geometry.Path{}
		g.AppendOutline(one.Path, place)
		if !one.Path.Empty() {
			if err := draw(&one); err != nil {
				return err
			}
		}
	}
	return nil
}

// drawLayer draws a layer of a coloured glyph.
func drawLayer(one canvas.Draw, d *canvas.Draw, l text.Layer, place geometry.Matrix, draw func(*canvas.Draw) error) error {
	if l.Path == nil {
		return nil
	}
	switch l.Fill.Kind {
	case text.FillText:
		one.Path = &geometry.Path{}
		one.Path.Append(l.Path, place)
		one.Alpha *= float64(l.Fill.Colour[3]) / 255
	case text.FillSolid:
		one.Path = &geometry.Path{}
		one.Path.Append(l.Path, place)
		one.Paint = canvas.Paint{Colour: l.Fill.Colour}
	default:
		// The gradient's space becomes user space.
		inverse, ok := l.Fill.Matrix.Inverse()
		if !ok {
			return nil
		}
		one.Path = &geometry.Path{}
		one.Path.Append(l.Path, inverse)
		one.Matrix = d.Matrix.Mul(place).Mul(l.Fill.Matrix)
		one.PathMatrix = one.Matrix
		g := &canvas.Gradient{Type: canvas.GradientType(l.Fill.Kind - text.FillLinear), Coords: l.Fill.Coords}
		for _, s := range l.Fill.Stops {
			g.Stops = append(g.Stops, canvas.Stop{Offset: s.Offset, Colour: s.Colour})
		}
		one.Paint = canvas.Paint{Gradient: g}
	}
	return draw(&one)
}

// glyphPicture is the picture of a glyph, nil if it cannot be read.
func glyphPicture(ctx context.Context, b text.Bitmap) *image.Surface {
	p, err := image.Open(b.Data, nil)
	if err != nil || p.Info.Width*p.Info.Height > maxGlyphPicture {
		return nil
	}
	s, err := p.Surface(ctx)
	if err != nil {
		return nil
	}
	return s
}

func segmentsError(most, n int) error {
	return &canvas.LimitError{Name: "Segments", What: "segments of a path", Limit: int64(most), Value: int64(n)}
}
