package svg

import (
	"context"
	"fmt"
	"math"

	"quicksand/canvas"
	"quicksand/canvas/geometry"
	"quicksand/canvas/text"
	"quicksand/media/image"
)

// Limits of drawing. What is beyond one of them is an error that names it.
const (
	MaxDrawn       = 300_000   // elements that are drawn or measured, each use counting again
	MaxSegments    = 2_000_000 // segments of all paths
	MaxLayerPixels = 1 << 30   // pixels of all layers: of groups with opacity, masks, filters and patterns
	MaxImagePixels = 16 << 20  // pixels of all pictures within a document
)

// Options are those of drawing. The zero value is good.
type Options struct {
	// Fonts are the faces of text; nil means the bundled ones.
	Fonts *text.Fonts
	// Budget is asked for surfaces and pictures. Nil means that nobody counts.
	Budget image.Budget
}

// Render draws the document on a new surface, scaled to its size.
func (d *Document) Render(ctx context.Context, width, height int, o Options) (*image.Surface, error) {
	if err := image.CheckSize(width, height); err != nil {
		return nil, err
	}
	r := &renderer{ctx: ctx, doc: d, o: o, using: make(map[*node]bool), tiles: make(map[tileKey]*image.Surface), maxLive: liveLayers(width, height)}
	if r.o.Fonts == nil {
		r.o.Fonts = text.NewFonts()
	}
	f := frame{
		m:    geometry.Matrix{A: float64(width) / d.width, D: float64(height) / d.height},
		st:   initialStyle(),
		port: rect{0, 0, d.width, d.height},
		clip: box{0, 0, width, height},
	}
	return r.layer(f.clip, func() error { return r.element(d.root, f) })
}

// liveLayers is how many pixels layers that lie on each other may have at one time: 24 times
// the surface where it is small, three times where it is very large.
func liveLayers(width, height int) int64 {
	n := int64(width) * int64(height)
	return max(3*n, min(5*n, 24<<20), min(24*n, 8<<20)) + 1<<20
}

// renderer draws one document once.
type renderer struct {
	ctx context.Context
	doc *Document
	o   Options

	// c is the layer that is drawn on, whose pixel 0, 0 is x, y of the root surface.
	c    *canvas.Context
	x, y int

	depth           int
	drawn, segments int
	layers          int64 // pixels of layers so far
	live, maxLive   int64 // pixels of layers that are there
	loose           int64 // pixels of surfaces that are not drawn yet
	pictures        int64
	// using are the elements which are drawn by reference, that none refers to itself.
	using map[*node]bool
	tiles map[tileKey]*image.Surface
}

// frame is what an element is drawn in.
type frame struct {
	m    geometry.Matrix // user space to the pixels of the root surface
	st   style
	port rect // the viewport in user space, of which percentages are
	clip box  // pixels outside of which nothing shows
}

// box is a rectangle of pixels, x1 and y1 outside.
type box struct{ x0, y0, x1, y1 int }

func (b box) empty() bool { return b.x0 >= b.x1 || b.y0 >= b.y1 }

func (b box) intersect(o box) box {
	return box{max(b.x0, o.x0), max(b.y0, o.y0), min(b.x1, o.x1), min(b.y1, o.y1)}
}

// around is the pixels that a rectangle in device space touches, with one more on each side.
func around(e extent) box {
	const far = 1 << 20 // beyond any surface
	clamp := func(v float64) int { return int(min(max(v, -far), far)) }
	if e.none() {
		return box{}
	}
	return box{clamp(math.Floor(e.x0)) - 1, clamp(math.Floor(e.y0)) - 1, clamp(math.Ceil(e.x1)) + 1, clamp(math.Ceil(e.y1)) + 1}
}

// count counts an element against MaxDrawn and looks at the context.
func (r *renderer) count() error {
	if r.drawn++; r.drawn > MaxDrawn {
		return limitError("elements drawn", MaxDrawn)
	}
	if r.drawn%64 == 0 {
		return r.ctx.Err()
	}
	return nil
}

// within calls f unless n is being drawn already, or too much is.
func (r *renderer) within(n *node, f func() error) error {
	if r.using[n] {
		return nil
	}
	if r.depth++; r.depth > MaxDepth {
		return limitError("elements within each other, those of use included,", MaxDepth)
	}
	r.using[n] = true
	defer func() {
		r.depth--
		delete(r.using, n)
	}()
	return f()
}

// neverDrawn are elements that are there to be referred to.
func neverDrawn(name string) bool {
	switch name {
	case "", "defs", "symbol", "clipPath", "mask", "marker", "pattern", "linearGradient", "radialGradient", "filter", "style", "title", "desc", "metadata", "script", "foreignObject", "tspan", "stop", "view":
		return true
	}
	return false
}

// element draws an element and what is in it.
func (r *renderer) element(n *node, f frame) error {
	return r.entered(n, f, func(f frame) error {
		return r.grouped(n, f, func(f frame) error { return r.content(n, f) })
	})
}

// entered gives draw the frame of an element, if it is one that can be seen, and counts it.
func (r *renderer) entered(n *node, f frame, draw func(f frame) error) error {
	if neverDrawn(n.name) {
		return nil
	}
	if err := r.count(); err != nil {
		return err
	}
	if r.depth++; r.depth > MaxDepth {
		return limitError("elements within each other, those of use included,", MaxDepth)
	}
	defer func() { r.depth-- }()
	f.st = f.st.of(n)
	if !f.st.shown || !r.place(n, &f) {
		return nil
	}
	return draw(f)
}

// place applies the transform of an element; ok is false where nothing of it can be seen.
func (r *renderer) place(n *node, f *frame) (ok bool) {
	if v := n.prop("transform"); v != "" {
		if m, ok := parseTransform(v); ok {
			f.m = f.m.Mul(m)
		}
	}
	return invertible(f.m) && !f.clip.empty()
}

func invertible(m geometry.Matrix) bool {
	_, ok := m.Inverse()
	return ok && finite(m.A, m.B, m.C, m.D, m.E, m.F)
}

func finite(values ...float64) bool {
	for _, v := range values {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// content draws what an element is, in a group that is set up already.
func (r *renderer) content(n *node, f frame) error {
	switch n.name {
	case "g", "a":
		return r.children(n, f)
	case "svg":
		return r.viewport(n, f, n == r.doc.root, rect{})
	case "switch":
		for _, c := range n.children {
			if c.name != "" && !neverDrawn(c.name) && conditions(c) {
				return r.element(c, f)
			}
		}
		return nil
	case "use":
		return r.use(n, f)
	case "image":
		return r.image(n, f)
	case "text":
		return r.text(n, f)
	}
	if !isShape(n.name) {
		return nil
	}
	p, err := r.shape(n, &f)
	if err != nil || p == nil {
		return err
	}
	if f.st.visible {
		if err := r.paintPath(p, n.name != "line", f); err != nil {
			return err
		}
	}
	switch n.name {
	case "path", "line", "polyline", "polygon":
		return r.markers(p, f)
	}
	return nil
}

func (r *renderer) children(n *node, f frame) error {
	for _, c := range n.children {
		if err := r.element(c, f); err != nil {
			return err
		}
	}
	return nil
}

// conditions are those of a switch: no extension is known, and the language is English.
func conditions(n *node) bool {
	if n.has("requiredExtensions") {
		return false
	}
	if !n.has("systemLanguage") {
		return true
	}
	v := n.attr("systemLanguage")
	return v == "en" || len(v) > 2 && v[:3] == "en-" || len(v) > 2 && v[:3] == "en,"
}

// viewport draws the children of svg or symbol. size is what a use has said about it, where
// it is not zero.
func (r *renderer) viewport(n *node, f frame, root bool, size rect) error {
	port := f.port
	if !root {
		port = rect{f.length(n, "x", f.port.w, 0), f.length(n, "y", f.port.h, 0), f.length(n, "width", f.port.w, f.port.w), f.length(n, "height", f.port.h, f.port.h)}
		if n.name == "symbol" {
			port.x, port.y = 0, 0
		}
		if size.w > 0 {
			port.w = size.w
		}
		if size.h > 0 {
			port.h = size.h
		}
		if port.empty() {
			return nil
		}
	}
	inner := port
	m := geometry.Matrix{A: 1, D: 1, E: port.x, F: port.y}
	vb, ok := parseViewBox(n.attr("viewBox"))
	switch {
	case ok:
		m, _ = fit(vb, port, n.attr("preserveAspectRatio"))
		inner = vb
	case n.attr("viewBox") != "" && zeroBox(n.attr("viewBox")):
		return nil // a box without an area shows nothing
	}
	inner.x, inner.y = 0, 0
	draw := func() error {
		f.m = f.m.Mul(m)
		f.port = inner
		if !invertible(f.m) {
			return nil
		}
		return r.children(n, f)
	}
	if root || f.st.overflow == "visible" || f.st.overflow == "auto" {
		return draw()
	}
	f.clip = f.clip.intersect(around(transformed(port, f.m)))
	if f.clip.empty() {
		return nil
	}
	r.c.Save()
	defer r.c.Restore()
	r.matrix(f.m)
	p := &geometry.Path{}
	p.Rect(port.x, port.y, port.w, port.h)
	r.c.ClipPath(p, canvas.NonZero)
	return draw()
}

func zeroBox(s string) bool {
	v, ok := parseNumbers(s, 4)
	return ok && len(v) == 4 && (v[2] == 0 || v[3] == 0)
}

// use draws an element of the document in another place.
func (r *renderer) use(n *node, f frame) error {
	target := r.target(n.href())
	if target == nil || isAncestor(target, n) {
		return nil
	}
	return r.within(target, func() error {
		f.m = f.m.Mul(geometry.Matrix{A: 1, D: 1, E: f.length(n, "x", f.port.w, 0), F: f.length(n, "y", f.port.h, 0)})
		switch target.name {
		case "symbol", "svg":
			if err := r.count(); err != nil {
				return err
			}
			if r.depth++; r.depth > MaxDepth {
				return limitError("elements within each other, those of use included,", MaxDepth)
			}
			defer func() { r.depth-- }()
			size := rect{w: f.length(n, "width", f.port.w, 0), h: f.length(n, "height", f.port.h, 0)}
			f.st = f.st.of(target)
			if !f.st.shown || !r.place(target, &f) {
				return nil
			}
			return r.grouped(target, f, func(f frame) error { return r.viewport(target, f, false, size) })
		}
		return r.element(target, f)
	})
}

func isAncestor(a, n *node) bool {
	for ; n != nil; n = n.parent {
		if n == a {
			return true
		}
	}
	return false
}

// target is the element that a reference within the document means.
func (r *renderer) target(href string) *node {
	if len(href) < 2 || href[0] != '#' {
		return nil
	}
	return r.doc.ids[href[1:]]
}

// matrix sets the context's matrix for user space.
func (r *renderer) matrix(m geometry.Matrix) {
	r.c.SetTransform(m.A, m.B, m.C, m.D, m.E-float64(r.x), m.F-float64(r.y))
}

// layer draws on a new surface for the pixels of b.
func (r *renderer) layer(b box, draw func() error) (*image.Surface, error) {
	w, h := b.x1-b.x0, b.y1-b.y0
	n := int64(w) * int64(h)
	if r.layers += n; r.layers > MaxLayerPixels {
		return nil, limitError("pixels of layers", MaxLayerPixels)
	}
	if r.live += n; r.live > r.maxLive && r.c != nil {
		return nil, fmt.Errorf("svg: layers on top of each other of %d pixels exceed the limit of %d", r.live, r.maxLive)
	}
	c, err := canvas.NewContext(w, h, canvas.Options{Fonts: r.o.Fonts, Budget: r.o.Budget, Limits: canvas.Limits{Segments: canvas.DefaultSegments}})
	if err != nil {
		return nil, err
	}
	if r.c == nil {
		r.live = 0 // the surface itself
		n = 0
	}
	oldC, oldX, oldY, loose := r.c, r.x, r.y, r.loose
	r.c, r.x, r.y, r.loose = c, b.x0, b.y0, 0
	err = draw()
	var s *image.Surface
	if err == nil {
		s, err = c.Surface(r.ctx)
	}
	c.Close()
	r.c, r.x, r.y, r.loose = oldC, oldX, oldY, loose
	r.live -= n
	return s, err
}

// put draws a surface of the pixels of b on the layer.
func (r *renderer) put(s *image.Surface, b box, alpha float64, mode image.BlendMode) error {
	r.c.Save()
	r.c.ResetTransform()
	r.c.SetGlobalAlpha(alpha)
	r.c.SetGlobalCompositeOperation(mode)
	r.c.SetImageSmoothingEnabled(false)
	r.c.DrawImage(s, float64(b.x0-r.x), float64(b.y0-r.y))
	r.c.Restore()
	return r.keep(s)
}

// keep counts a surface which the context holds until it has drawn it.
func (r *renderer) keep(s *image.Surface) error {
	if r.loose += int64(s.Width) * int64(s.Height); r.loose < r.maxLive/4 {
		return nil
	}
	r.loose = 0
	return r.c.Flush(r.ctx)
}
