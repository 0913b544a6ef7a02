// Package paint puts colours on surfaces: what a rasteriser has found to be covered is filled
// from a source, within a clip, by one of 26 modes.
//
// # Painting
//
// A Source says which colour every pixel of the device would have: NewColour, Ramp.Place for
// gradients, Texture.Place for images and patterns, Layer.Source. A Clip says where may be
// painted. A Painter, which is the sink of a rasteriser, brings them together:
//
//	p := paint.NewPainter(surface, 0, surface.Height)
//	p.Begin(paint.Op{Mode: image.SourceOver, Alpha: 1, Clip: clip, Source: source})
//	rasterizer.Rasterize(polyline, rule, p.Bounds(), p)
//	p.End()
//
// # Filters and shadows
//
// A shape with a filter is painted on a Layer of its own first, one with a shadow also (or
// only) on a Mask, which has nothing but alpha. An Effect says how big they have to be and
// makes of them what is then painted on the surface:
//
//	e := paint.Effect{Filters: steps, Shadow: shadow}
//	layer := paint.NewLayer(e.Bounds(shape, visible))
//	… paint the shape there: SourceOver, the colours of its source, no clip …
//	layer, err := e.Filter(ctx, layer, visible)
//	mask, err := e.Cast(ctx, layer.Mask(), visible)
//	p.Begin(paint.Op{Mode: mode, Alpha: alpha, Clip: clip, Source: paint.NewColour(shadow.Colour)})
//	p.Draw(mask)
//	p.End()
//	p.Begin(paint.Op{Mode: mode, Alpha: alpha, Clip: clip, Source: layer.Source()})
//	p.Rect(layer.Bounds, 255)
//	p.End()
//
// visible is what the clip leaves of the surface. Without filters a shape of one colour needs
// no layer for its shadow: its coverage is drawn on a NewMask of e.ShadowBounds, and the alpha
// of the colour multiplies Op.Alpha.
//
// # Goroutines
//
// Sources, clips, masks and layers that are no longer painted on may be used by any number of
// goroutines at once. A Painter belongs to one, and writes only to the rows it was made for:
// one for each band of a surface may work at the same time.
//
// # Numbers
//
// All is computed in integers or in floating point without fused operations, so that the
// pixels are the same on every platform. Products of samples are rounded to the nearest.
package paint
