package svg

import (
	"math"
	"strings"

	"quicksand/canvas"
	"quicksand/canvas/geometry"
)

// paintPath fills and strokes a path in the user space of f.
func (r *renderer) paintPath(p *geometry.Path, fill bool, f frame) error {
	width := f.st.strokeWidth.px(f.st.units(), diagonal(f.port))
	do := func(stroke bool) error {
		if stroke {
			if width > 0 {
				return r.strokePath(p, width, f)
			}
			return nil
		}
		if fill {
			return r.fillPath(p, p, f.st.fill, f.st.fillOpacity, f.st.fillRule, f)
		}
		return nil
	}
	if err := do(f.st.strokeFirst); err != nil {
		return err
	}
	return do(!f.st.strokeFirst)
}

// A brush is a resolved paint: a colour, or something that has its own space.
type brush struct {
	colour   [4]uint8
	gradient *canvas.Gradient
	pattern  *canvas.Pattern
	m        geometry.Matrix // the space of gradient or pattern to user space
}

// fillPath fills a path with a paint. of is the path whose bounding box paints relate to.
func (r *renderer) fillPath(p, of *geometry.Path, what paint, opacity float64, rule canvas.FillRule, f frame) error {
	b, ok, err := r.brush(what, opacity, func() (rect, error) { return pathExtent(of, geometry.Identity).rect(), nil }, f)
	if !ok || err != nil {
		return err
	}
	r.fillWith(p, b, rule, f)
	return r.ctx.Err()
}

func (r *renderer) fillWith(p *geometry.Path, b brush, rule canvas.FillRule, f frame) {
	if b.gradient == nil && b.pattern == nil {
		r.matrix(f.m)
		r.c.SetFillColour(b.colour)
		r.c.FillPath(p, rule)
		return
	}
	// The path goes to the space of the paint, which becomes user space.
	inverse, ok := b.m.Inverse()
	if !ok {
		return
	}
	if !b.m.IsIdentity() {
		q := &geometry.Path{}
		q.Append(p, inverse)
		p = q
	}
	r.matrix(f.m.Mul(b.m))
	r.c.SetGlobalAlpha(float64(b.colour[3]) / 255)
	if b.gradient != nil {
		r.c.SetFillGradient(b.gradient)
	} else {
		r.c.SetFillPattern(b.pattern)
	}
	r.c.FillPath(p, rule)
	r.c.SetGlobalAlpha(1)
}

// strokeOptions are those of the style.
func (f *frame) strokeOptions(width float64) geometry.StrokeOptions {
	o := geometry.StrokeOptions{Width: width, Cap: f.st.lineCap, Join: f.st.lineJoin, MiterLimit: f.st.miterLimit}
	d := diagonal(f.port)
	sum := 0.0
	for _, l := range f.st.dashes {
		v := l.px(f.st.units(), d)
		if v < 0 {
			sum = 0
			break
		}
		o.Dashes = append(o.Dashes, v)
		sum += v
	}
	if sum <= 0 {
		o.Dashes = nil
	}
	if len(o.Dashes)%2 == 1 {
		o.Dashes = append(o.Dashes, o.Dashes...)
	}
	o.DashOffset = f.st.dashOffset.px(f.st.units(), d)
	return o
}

func (r *renderer) strokePath(p *geometry.Path, width float64, f frame) error {
	b, ok, err := r.brush(f.st.stroke, f.st.strokeOpacity, func() (rect, error) { return pathExtent(p, geometry.Identity).rect(), nil }, f)
	if !ok || err != nil {
		return err
	}
	o := f.strokeOptions(width)
	if f.st.fixedStroke {
		// The stroke is made in pixels.
		q := &geometry.Path{}
		q.Append(p, f.m)
		p = q
		b.m = f.m.Mul(b.m)
		f.m = geometry.Identity
	}
	if o.Cap != 0 {
		p = withDots(p, 1e-3/max(f.m.MaxScale(), 1e-9))
	}
	if b.gradient == nil && b.pattern == nil {
		r.matrix(f.m)
		r.c.SetStrokeColour(b.colour)
		r.c.SetLineWidth(o.Width)
		r.c.SetLineCap(o.Cap)
		r.c.SetLineJoin(o.Join)
		r.c.SetMiterLimit(o.MiterLimit)
		r.c.SetLineDash(o.Dashes)
		r.c.SetLineDashOffset(o.DashOffset)
		r.c.StrokePath(p)
		return r.ctx.Err()
	}
	outline, err := r.outline(p, o, f)
	if err != nil {
		return err
	}
	r.fillWith(outline, b, canvas.NonZero, f)
	return r.ctx.Err()
}

// withDots is a path whose subpaths without a length have the length size, so that they get
// their caps, which they have in SVG but not in the canvas.
func withDots(p *geometry.Path, size float64) *geometry.Path {
	var at, first geometry.Point
	found := false // a segment that leads nowhere
	p.Each(func(k geometry.Kind, q []geometry.Point) {
		if k == geometry.Move {
			first = q[0]
		}
		end := first
		if len(q) > 0 {
			end = q[len(q)-1]
		}
		found = found || k != geometry.Move && end == at
		at = end
	})
	if !found {
		return p
	}
	out := &geometry.Path{}
	dot := true // the subpath has no length so far
	segments := 0
	end := func() {
		if dot && segments > 0 {
			out.LineTo(at.X+size, at.Y)
		}
	}
	p.Each(func(k geometry.Kind, q []geometry.Point) {
		if k != geometry.Move {
			segments++
		}
		for _, v := range q {
			dot = dot && (k == geometry.Move || v == at)
		}
		switch k {
		case geometry.Move:
			end()
			dot, segments = true, 0
			out.MoveTo(q[0].X, q[0].Y)
		case geometry.Line:
			out.LineTo(q[0].X, q[0].Y)
		case geometry.Quad:
			out.QuadTo(q[0].X, q[0].Y, q[1].X, q[1].Y)
		case geometry.Cubic:
			out.CubicTo(q[0].X, q[0].Y, q[1].X, q[1].Y, q[2].X, q[2].Y)
		case geometry.Close:
			if !dot {
				out.Close()
			}
		}
		if len(q) > 0 {
			at = q[len(q)-1]
		}
	})
	end()
	return out
}

// outline is the path whose inside is a stroke.
func (r *renderer) outline(p *geometry.Path, o geometry.StrokeOptions, f frame) (*geometry.Path, error) {
	inverse, _ := f.m.Inverse()
	seen := transformed(rect{float64(f.clip.x0), float64(f.clip.y0), float64(f.clip.x1 - f.clip.x0), float64(f.clip.y1 - f.clip.y0)}, inverse)
	var stroker geometry.Stroker
	var stroked geometry.Polyline
	stroker.Stroke(&stroked, p, geometry.Identity, o, geometry.Identity, geometry.Rect{X0: seen.x0, Y0: seen.y0, X1: seen.x1, Y1: seen.y1}, geometry.Tolerance/max(f.m.MaxScale(), 1e-9))
	if r.segments += len(stroked.Points); r.segments > MaxSegments {
		return nil, limitError("segments of paths", MaxSegments)
	}
	out := &geometry.Path{}
	from := 0
	for i, end := range stroked.Ends {
		for k, q := range stroked.Points[from:end] {
			if k == 0 {
				out.MoveTo(q.X, q.Y)
			} else {
				out.LineTo(q.X, q.Y)
			}
		}
		if stroked.Closed[i] {
			out.Close()
		}
		from = end
	}
	return out, nil
}

// brush resolves a paint; ok is false where nothing is painted. bounds is the bounding box of
// what is painted, in user space. The alpha of the colour counts for gradients and patterns.
func (r *renderer) brush(p paint, opacity float64, bounds func() (rect, error), f frame) (b brush, ok bool, err error) {
	b = brush{colour: alphaOf(p.colour, opacity), m: geometry.Identity}
	n := r.doc.ids[p.ref]
	if p.ref == "" || n == nil {
		return b, !p.none && b.colour[3] > 0, nil
	}
	b.colour = [4]uint8{3: uint8(math.Round(opacity * 255))}
	if b.colour[3] == 0 {
		return b, false, nil
	}
	switch n.name {
	case "linearGradient", "radialGradient":
		b, ok, err = r.gradient(n, b, bounds, f)
	case "pattern":
		b, ok, err = r.pattern(n, b, bounds, f)
	default:
		b.colour = alphaOf(p.colour, opacity)
		ok = !p.none && b.colour[3] > 0
	}
	return b, ok, err
}

// maxInherit bounds chains of references of gradients and patterns.
const maxInherit = 32

// chain is an element and those that it takes missing attributes from, in order.
func (r *renderer) chain(n *node, same func(name string) bool) []*node {
	list := []*node{n}
	for len(list) < maxInherit {
		next := r.target(list[len(list)-1].href())
		if next == nil || !same(next.name) {
			break
		}
		for _, have := range list {
			if have == next {
				return list
			}
		}
		list = append(list, next)
	}
	return list
}

// inherited is the first value of an attribute in a chain.
func inherited(chain []*node, name string) string {
	for _, n := range chain {
		if n.has(name) {
			return strings.TrimSpace(n.attr(name))
		}
	}
	return ""
}

// unitsOf maps the unit square to a box if units say objectBoundingBox.
func boxMatrix(b rect) geometry.Matrix {
	return geometry.Matrix{A: b.w, D: b.h, E: b.x, F: b.y}
}

func isGradient(name string) bool { return name == "linearGradient" || name == "radialGradient" }

// maxStops bounds the stops of a gradient.
const maxStops = 1000

func (r *renderer) gradient(n *node, b brush, bounds func() (rect, error), f frame) (brush, bool, error) {
	chain := r.chain(n, isGradient)
	stops := r.stops(chain)
	if len(stops) == 0 {
		return b, false, nil
	}
	last := stops[len(stops)-1].Colour
	solid := func(c [4]uint8) (brush, bool, error) {
		c[3] = uint8(math.Round(float64(c[3]) * float64(b.colour[3]) / 255))
		return brush{colour: c, m: geometry.Identity}, c[3] > 0, nil
	}
	if len(stops) == 1 {
		return solid(last)
	}
	port := f.port
	if inherited(chain, "gradientUnits") != "userSpaceOnUse" {
		box, err := bounds()
		if err != nil || box.empty() {
			return b, false, err
		}
		b.m = boxMatrix(box)
		port = rect{0, 0, 1, 1}
	}
	if m, ok := parseTransform(inherited(chain, "gradientTransform")); ok {
		b.m = b.m.Mul(m)
	}
	if _, ok := b.m.Inverse(); !ok {
		return b, false, nil
	}
	length := func(name string, whole float64, missing string) float64 {
		l, ok := parseLength(inherited(chain, name))
		if !ok {
			l, _ = parseLength(missing)
		}
		return l.px(f.st.units(), whole)
	}
	g := &canvas.Gradient{Type: canvas.Linear, Stops: stops}
	if n.name == "linearGradient" {
		x1, y1, x2, y2 := length("x1", port.w, "0%"), length("y1", port.h, "0%"), length("x2", port.w, "100%"), length("y2", port.h, "0%")
		if x1 == x2 && y1 == y2 {
			return solid(last)
		}
		g.Coords = [6]float64{x1, y1, x2, y2}
	} else {
		d := diagonal(port)
		cx, cy, radius := length("cx", port.w, "50%"), length("cy", port.h, "50%"), length("r", d, "50%")
		if radius <= 0 {
			return solid(last)
		}
		fx, fy, fr := cx, cy, max(length("fr", d, "0%"), 0)
		if inherited(chain, "fx") != "" {
			fx = length("fx", port.w, "50%")
		}
		if inherited(chain, "fy") != "" {
			fy = length("fy", port.h, "50%")
		}
		// A focus outside of the circle comes back to it, as browsers have it.
		if far := math.Hypot(fx-cx, fy-cy); far > radius-fr && far > 0 && fr < radius {
			k := (radius - fr) * (1 - 1e-4) / far
			fx, fy = cx+(fx-cx)*k, cy+(fy-cy)*k
		}
		g.Type, g.Coords = canvas.Radial, [6]float64{fx, fy, fr, cx, cy, radius}
	}
	if spread := inherited(chain, "spreadMethod"); spread == "repeat" || spread == "reflect" {
		r.spread(g, spread == "reflect", f.m.Mul(b.m), f.clip)
	}
	b.gradient = g
	return b, true, nil
}

// stops are those of the first gradient of a chain that has any.
func (r *renderer) stops(chain []*node) []canvas.Stop {
	var stops []canvas.Stop
	for _, n := range chain {
		st := initialStyle()
		// Stops take currentcolor from the elements around them.
		if c, ok := colourAround(n); ok {
			st.color = c
		}
		at := 0.0
		for _, c := range n.children {
			if c.name != "stop" || len(stops) == maxStops {
				continue
			}
			if v, ok := parseFraction(c.attr("offset")); ok {
				at = max(at, min(max(v, 0), 1))
			}
			if own, ok := canvas.ParseColour(c.prop("color")); ok {
				st.color = own
			}
			colour := [4]uint8{3: 255}
			if v, ok := st.colour(c.prop("stop-color")); ok {
				colour = v
			}
			if v, ok := parseFraction(c.prop("stop-opacity")); ok {
				colour = alphaOf(colour, v)
			}
			stops = append(stops, canvas.Stop{Offset: at, Colour: colour})
		}
		if len(stops) > 0 {
			return stops
		}
	}
	return nil
}

// colourAround is the colour of the nearest element that sets it.
func colourAround(n *node) ([4]uint8, bool) {
	for ; n != nil; n = n.parent {
		if c, ok := canvas.ParseColour(n.prop("color")); ok {
			return c, true
		}
	}
	return [4]uint8{}, false
}

// maxRepeats bounds how often a gradient repeats, beyond which it is too fine to be seen.
const maxRepeats = 200

// spread extends a gradient which repeats over the pixels of clip, m taking its space to
// theirs. Canvas gradients do not repeat.
func (r *renderer) spread(g *canvas.Gradient, reflect bool, m geometry.Matrix, clip box) {
	inverse, ok := m.Inverse()
	if !ok {
		return
	}
	low, high := 0.0, 1.0
	c := g.Coords
	for _, p := range [4]geometry.Point{{X: float64(clip.x0), Y: float64(clip.y0)}, {X: float64(clip.x1), Y: float64(clip.y0)}, {X: float64(clip.x0), Y: float64(clip.y1)}, {X: float64(clip.x1), Y: float64(clip.y1)}} {
		q := inverse.Apply(p)
		if g.Type == canvas.Linear {
			dx, dy := c[2]-c[0], c[3]-c[1]
			t := ((q.X-c[0])*dx + (q.Y-c[1])*dy) / (dx*dx + dy*dy)
			low, high = min(low, t), max(high, t)
			continue
		}
		// Circles grow at least by the radius less the way of their centres.
		grow := c[5] - c[2] - math.Hypot(c[3]-c[0], c[4]-c[1])
		if grow > 0 {
			high = max(high, 1+math.Hypot(q.X-c[3], q.Y-c[4])/grow)
		} else {
			high = maxRepeats
		}
	}
	if g.Type == canvas.Radial && c[5] > c[2] {
		low = max(-c[2]/(c[5]-c[2]), -maxRepeats/2)
	}
	from, to := math.Floor(max(low, -maxRepeats/2)), math.Ceil(min(high, maxRepeats/2))
	if g.Type == canvas.Radial && from < low {
		from = math.Ceil(low) // no negative radius
	}
	n := to - from
	if !(n >= 1) || int(n)*len(g.Stops) > 20*maxStops {
		return
	}
	var stops []canvas.Stop
	for i := from; i < to; i++ {
		mirrored := reflect && math.Mod(math.Abs(i), 2) == 1
		for k := range g.Stops {
			s := g.Stops[k]
			if mirrored {
				s = g.Stops[len(g.Stops)-1-k]
				s.Offset = 1 - s.Offset
			}
			s.Offset = (i + s.Offset - from) / n
			stops = append(stops, s)
		}
		// The colours at the ends reach to the next repetition.
		if !reflect && len(g.Stops) > 0 {
			stops = append(stops, canvas.Stop{Offset: (i + 1 - from) / n, Colour: g.Stops[len(g.Stops)-1].Colour}, canvas.Stop{Offset: (i + 1 - from) / n, Colour: g.Stops[0].Colour})
		}
	}
	if !reflect {
		stops = stops[:len(stops)-1]
	}
	at := func(a, b, t float64) float64 { return a + (b-a)*t }
	if g.Type == canvas.Linear {
		g.Coords = [6]float64{at(c[0], c[2], from), at(c[1], c[3], from), at(c[0], c[2], to), at(c[1], c[3], to)}
	} else {
		g.Coords = [6]float64{at(c[0], c[3], from), at(c[1], c[4], from), max(at(c[2], c[5], from), 0), at(c[0], c[3], to), at(c[1], c[4], to), at(c[2], c[5], to)}
	}
	g.Stops = stops
}

// tileKey says what a rendered tile of a pattern is of.
type tileKey struct {
	n    *node
	m    geometry.Matrix
	w, h int
	port rect
}

// maxTile is the longest side of a tile in pixels.
const maxTile = 4096

func (r *renderer) pattern(n *node, b brush, bounds func() (rect, error), f frame) (brush, bool, error) {
	chain := r.chain(n, func(name string) bool { return name == "pattern" })
	var object rect
	if inherited(chain, "patternUnits") != "userSpaceOnUse" || inherited(chain, "patternContentUnits") == "objectBoundingBox" {
		var err error
		if object, err = bounds(); err != nil || object.empty() {
			return b, false, err
		}
	}
	length := func(name string, whole float64) float64 {
		l, ok := parseLength(inherited(chain, name))
		if !ok {
			return 0
		}
		return l.px(f.st.units(), whole)
	}
	port := f.port
	inBox := inherited(chain, "patternUnits") != "userSpaceOnUse"
	if inBox {
		port = rect{0, 0, 1, 1}
	}
	tile := rect{length("x", port.w), length("y", port.h), length("width", port.w), length("height", port.h)}
	if inBox {
		tile = rect{object.x + tile.x*object.w, object.y + tile.y*object.h, tile.w * object.w, tile.h * object.h}
	}
	if tile.empty() {
		return b, false, nil
	}
	m := geometry.Identity
	if v, ok := parseTransform(inherited(chain, "patternTransform")); ok {
		m = v
	}
	whole := f.m.Mul(m)
	if !invertible(whole) {
		return b, false, nil
	}
	// The content's space within that of the tile.
	content := geometry.Matrix{A: 1, D: 1, E: tile.x, F: tile.y}
	inner := f.port
	if vb, ok := parseViewBox(inherited(chain, "viewBox")); ok {
		content, _ = fit(vb, tile, inherited(chain, "preserveAspectRatio"))
		inner = vb
	} else if inherited(chain, "patternContentUnits") == "objectBoundingBox" {
		content = content.Scale(object.w, object.h)
		inner = rect{0, 0, 1, 1}
	}
	// Pixels enough for the size at which the tile shows.
	sx, sy := math.Hypot(whole.A, whole.B), math.Hypot(whole.C, whole.D)
	tw := int(min(max(math.Ceil(tile.w*sx-1e-3), 1), maxTile))
	th := int(min(max(math.Ceil(tile.h*sy-1e-3), 1), maxTile))
	// A tile larger than that is mostly not seen, and coarser.
	for int64(tw)*int64(th) > max(r.maxLive-r.live, 0)/4 && (tw > 64 || th > 64) {
		tw, th = (tw+1)/2, (th+1)/2
	}
	scale := geometry.Matrix{A: float64(tw) / tile.w, D: float64(th) / tile.h}
	scale.E, scale.F = -tile.x*scale.A, -tile.y*scale.D
	var source *node
	for _, c := range chain {
		for _, child := range c.children {
			if child.name != "" {
				source = c
				break
			}
		}
		if source != nil {
			break
		}
	}
	if source == nil {
		return b, false, nil
	}
	key := tileKey{source, scale.Mul(content), tw, th, inner}
	s := r.tiles[key]
	if s == nil && !r.using[source] {
		err := r.within(source, func() (err error) {
			s, err = r.layer(box{0, 0, tw, th}, func() error {
				inside := frame{m: key.m, st: ancestry(source), port: inner, clip: box{0, 0, tw, th}}
				inside.st = inside.st.of(source)
				if !invertible(inside.m) {
					return nil
				}
				return r.children(source, inside)
			})
			return err
		})
		if err != nil {
			return b, false, err
		}
		// Tiles are kept while there are few.
		if len(r.tiles) < 64 && tw*th <= 1<<18 {
			r.tiles[key] = s
		} else if err := r.keep(s); err != nil {
			return b, false, err
		}
	}
	if s == nil {
		return b, false, nil
	}
	b.m = m
	back, _ := scale.Inverse()
	b.pattern = &canvas.Pattern{Image: s, Repetition: canvas.Repeat, Matrix: back}
	return b, true, nil
}

// ancestry is the style that an element inherits from where it stands in the document.
func ancestry(n *node) style {
	var list []*node
	for p := n.parent; p != nil; p = p.parent {
		list = append(list, p)
	}
	st := initialStyle()
	for i := len(list) - 1; i >= 0; i-- {
		st = st.of(list[i])
	}
	return st
}
