package svg

import (
	"math"

	"quicksand/canvas/geometry"
)

// extent is a rectangle by its sides; it is empty if they are the other way round.
type extent struct{ x0, y0, x1, y1 float64 }

var nowhere = extent{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}

func (e extent) none() bool { return !(e.x0 <= e.x1 && e.y0 <= e.y1) }

func (e extent) union(o extent) extent {
	return extent{min(e.x0, o.x0), min(e.y0, o.y0), max(e.x1, o.x1), max(e.y1, o.y1)}
}

func (e extent) intersect(o extent) extent {
	return extent{max(e.x0, o.x0), max(e.y0, o.y0), min(e.x1, o.x1), min(e.y1, o.y1)}
}

func (e extent) grown(by float64) extent {
	if e.none() {
		return e
	}
	return extent{e.x0 - by, e.y0 - by, e.x1 + by, e.y1 + by}
}

func (e extent) rect() rect { return rect{e.x0, e.y0, e.x1 - e.x0, e.y1 - e.y0} }

func (e extent) with(p geometry.Point) extent {
	return extent{min(e.x0, p.X), min(e.y0, p.Y), max(e.x1, p.X), max(e.y1, p.Y)}
}

// transformed is the rectangle around a transformed one.
func transformed(r rect, m geometry.Matrix) extent {
	e := nowhere
	for _, p := range [4]geometry.Point{{X: r.x, Y: r.y}, {X: r.x + r.w, Y: r.y}, {X: r.x, Y: r.y + r.h}, {X: r.x + r.w, Y: r.y + r.h}} {
		e = e.with(m.Apply(p))
	}
	return e
}

// pathExtent is the rectangle around a transformed path, to a quarter of a unit or, where it
// is much smaller than that, to a thousandth of it.
func pathExtent(p *geometry.Path, m geometry.Matrix) extent {
	var pl geometry.Polyline
	measure := func(tolerance float64) extent {
		pl.Reset()
		p.Flatten(&pl, m, tolerance)
		e := nowhere
		for _, q := range pl.Points {
			e = e.with(q)
		}
		return e
	}
	e := measure(0.25)
	if size := max(e.x1-e.x0, e.y1-e.y0); size > 0 && size < 250 {
		e = measure(size / 1000)
	}
	return e
}

// extent is the rectangle around what an element draws, mapped by f.m. Without ink it is that
// of its geometry alone, as objectBoundingBox means it; with it, strokes, markers and what
// overflows are in it, and it may be larger than need be.
func (r *renderer) extent(n *node, f frame, ink bool) (extent, error) {
	if neverDrawn(n.name) {
		return nowhere, nil
	}
	if err := r.count(); err != nil {
		return nowhere, err
	}
	switch n.name {
	case "g", "a", "svg", "switch", "symbol":
		return r.childExtent(n, f, ink)
	case "use":
		target := r.target(n.href())
		if target == nil || isAncestor(target, n) {
			return nowhere, nil
		}
		e := nowhere
		err := r.within(target, func() error {
			f.m = f.m.Mul(geometry.Matrix{A: 1, D: 1, E: f.length(n, "x", f.port.w, 0), F: f.length(n, "y", f.port.h, 0)})
			size := rect{w: f.length(n, "width", f.port.w, 0), h: f.length(n, "height", f.port.h, 0)}
			var err error
			e, err = r.extentWithin(target, f, ink, size)
			return err
		})
		return e, err
	case "image":
		return transformed(rect{f.length(n, "x", f.port.w, 0), f.length(n, "y", f.port.h, 0), f.length(n, "width", f.port.w, 0), f.length(n, "height", f.port.h, 0)}, f.m), nil
	case "text":
		return r.textExtent(n, f, ink)
	}
	p, err := r.shape(n, &f)
	if err != nil || p == nil {
		return nowhere, err
	}
	e := pathExtent(p, f.m)
	if !ink {
		return e, nil
	}
	if f.st.markers != [3]string{} && (n.name == "path" || n.name == "line" || n.name == "polyline" || n.name == "polygon") {
		return extent{-1e6, -1e6, 1e6, 1e6}, nil
	}
	if !f.st.stroke.none || f.st.stroke.ref != "" {
		w := f.st.strokeWidth.px(f.st.units(), diagonal(f.port)) / 2
		reach := math.Sqrt2
		if f.st.lineJoin == 0 && n.name != "rect" {
			reach = max(reach, f.st.miterLimit)
		}
		e = e.grown(w * reach * f.m.MaxScale())
	}
	return e, nil
}

// extentWithin is the extent of a child in the space of its parent: its style and transform
// count.
func (r *renderer) extentWithin(n *node, f frame, ink bool, size rect) (extent, error) {
	if neverDrawn(n.name) && n.name != "symbol" {
		return nowhere, nil
	}
	if r.depth++; r.depth > MaxDepth {
		return nowhere, limitError("elements within each other, those of use included,", MaxDepth)
	}
	defer func() { r.depth-- }()
	f.st = f.st.of(n)
	if !f.st.shown {
		return nowhere, nil
	}
	if m, ok := parseTransform(n.prop("transform")); ok {
		f.m = f.m.Mul(m)
	}
	if !invertible(f.m) {
		return nowhere, nil
	}
	var e extent
	var err error
	if n.name == "symbol" || n.name == "svg" {
		if err := r.count(); err != nil {
			return nowhere, err
		}
		// The viewport, which is clipped to unless it says otherwise.
		port := rect{f.length(n, "x", f.port.w, 0), f.length(n, "y", f.port.h, 0), f.length(n, "width", f.port.w, f.port.w), f.length(n, "height", f.port.h, f.port.h)}
		if n.name == "symbol" {
			port.x, port.y = 0, 0
		}
		if size.w > 0 {
			port.w = size.w
		}
		if size.h > 0 {
			port.h = size.h
		}
		inner, m := port, geometry.Matrix{A: 1, D: 1, E: port.x, F: port.y}
		if vb, ok := parseViewBox(n.attr("viewBox")); ok && !port.empty() {
			m, _ = fit(vb, port, n.attr("preserveAspectRatio"))
			inner = vb
		}
		whole := transformed(port, f.m)
		inner.x, inner.y = 0, 0
		f.m, f.port = f.m.Mul(m), inner
		e, err = r.childExtent(n, f, ink)
		if f.st.overflow != "visible" {
			e = e.intersect(whole)
		}
	} else {
		e, err = r.extent(n, f, ink)
	}
	if ink && f.st.filter != "" {
		// A filter draws where nothing is, too.
		return extent{-1e6, -1e6, 1e6, 1e6}, err
	}
	return e, err
}

func (r *renderer) childExtent(n *node, f frame, ink bool) (extent, error) {
	e := nowhere
	for _, c := range n.children {
		one, err := r.extentWithin(c, f, ink, rect{})
		if err != nil {
			return e, err
		}
		if !one.none() {
			e = e.union(one)
		}
	}
	return e, nil
}

// objectBox is the bounding box of an element in its own user space.
func (r *renderer) objectBox(n *node, f frame) (rect, error) {
	f.m = geometry.Matrix{A: 1, D: 1}
	e, err := r.extent(n, f, false)
	if err != nil || e.none() {
		return rect{}, err
	}
	return e.rect(), nil
}
