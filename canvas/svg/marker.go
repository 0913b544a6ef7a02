package svg

import (
	"math"

	"quicksand/canvas"
	"quicksand/canvas/geometry"
)

// A vertex of a path, with the directions in which it is reached and left; zero where there
// is none.
type vertex struct{ at, in, out geometry.Point }

// vertices are those at which markers stand ("SVG 2", 13.7).
func vertices(p *geometry.Path) []vertex {
	var list []vertex
	var at, first geometry.Point
	start := 0
	step := func(to, in, out geometry.Point) {
		if n := len(list); n > 0 {
			list[n-1].out = out
		}
		list = append(list, vertex{at: to, in: in})
		at = to
	}
	away := func(from geometry.Point, points ...geometry.Point) geometry.Point {
		for _, q := range points {
			if d := q.Sub(from); d.Length() > 1e-9 {
				return d
			}
		}
		return geometry.Point{}
	}
	toward := func(to geometry.Point, points ...geometry.Point) geometry.Point {
		for _, q := range points {
			if d := to.Sub(q); d.Length() > 1e-9 {
				return d
			}
		}
		return geometry.Point{}
	}
	p.Each(func(k geometry.Kind, q []geometry.Point) {
		switch k {
		case geometry.Move:
			start = len(list)
			list = append(list, vertex{at: q[0]})
			at, first = q[0], q[0]
		case geometry.Line:
			d := q[0].Sub(at)
			step(q[0], d, d)
		case geometry.Quad:
			step(q[1], toward(q[1], q[0], at), away(at, q[0], q[1]))
		case geometry.Cubic:
			step(q[2], toward(q[2], q[1], q[0], at), away(at, q[0], q[1], q[2]))
		case geometry.Close:
			d := first.Sub(at)
			if d.Length() > 1e-9 {
				step(first, d, d)
			}
			if n := len(list); n-1 > start {
				list[n-1].out, list[start].in = list[start].out, list[n-1].in
			}
		}
	})
	return list
}

// angle is the direction of a vertex: between the two of its sides.
func (v vertex) angle() float64 {
	in, out := v.in, v.out
	switch {
	case in == (geometry.Point{}) && out == (geometry.Point{}):
		return 0
	case in == (geometry.Point{}):
		return math.Atan2(out.Y, out.X)
	case out == (geometry.Point{}):
		return math.Atan2(in.Y, in.X)
	}
	in, out = in.Mul(1/in.Length()), out.Mul(1/out.Length())
	d := in.Add(out)
	if d.Length() < 1e-9 {
		return math.Atan2(in.Y, in.X) + math.Pi/2
	}
	return math.Atan2(d.Y, d.X)
}

// markers draws those of a path.
func (r *renderer) markers(p *geometry.Path, f frame) error {
	if f.st.markers == [3]string{} || !f.st.visible {
		return nil
	}
	list := vertices(p)
	for i, v := range list {
		kinds := [2]int{1, -1}
		switch {
		case len(list) == 1:
			kinds = [2]int{0, 2}
		case i == 0:
			kinds[0] = 0
		case i == len(list)-1:
			kinds[0] = 2
		}
		for _, k := range kinds {
			if k < 0 || f.st.markers[k] == "" {
				continue
			}
			n := r.doc.ids[f.st.markers[k]]
			if n == nil || n.name != "marker" {
				continue
			}
			if err := r.within(n, func() error { return r.marker(n, v, k == 0, f) }); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *renderer) marker(n *node, v vertex, start bool, f frame) error {
	if err := r.count(); err != nil {
		return err
	}
	inside := f
	inside.st = ancestry(n)
	inside.st = inside.st.of(n)
	if !inside.st.shown {
		return nil
	}
	angle := 0.0
	switch o := n.attr("orient"); o {
	case "auto":
		angle = v.angle()
	case "auto-start-reverse":
		angle = v.angle()
		if start {
			angle += math.Pi
		}
	default:
		if a, ok := transformArgs(o); ok && len(a) == 1 {
			angle = a[0] * math.Pi / 180
		}
	}
	m := f.m.Mul(geometry.Matrix{A: 1, D: 1, E: v.at.X, F: v.at.Y}).Rotate(angle)
	if n.attr("markerUnits") != "userSpaceOnUse" {
		w := f.st.strokeWidth.px(f.st.units(), diagonal(f.port))
		m = m.Scale(w, w)
	}
	port := rect{0, 0, f.lengthOr(n, "markerWidth", f.port.w, length{3, ""}), f.lengthOr(n, "markerHeight", f.port.h, length{3, ""})}
	if port.empty() {
		return nil
	}
	inner, content := port, geometry.Identity
	if vb, ok := parseViewBox(n.attr("viewBox")); ok {
		content, _ = fit(vb, port, n.attr("preserveAspectRatio"))
		inner = rect{0, 0, vb.w, vb.h}
	}
	ref := content.Apply(geometry.Point{X: f.lengthOr(n, "refX", inner.w, length{}), Y: f.lengthOr(n, "refY", inner.h, length{})})
	m = m.Mul(geometry.Matrix{A: 1, D: 1, E: -ref.X, F: -ref.Y})
	if !invertible(m) {
		return nil
	}
	r.c.Save()
	defer r.c.Restore()
	inside.clip = f.clip
	if inside.st.overflow != "visible" && inside.st.overflow != "auto" {
		inside.clip = inside.clip.intersect(around(transformed(port, m)))
		if inside.clip.empty() {
			return nil
		}
		r.matrix(m)
		clip := &geometry.Path{}
		clip.Rect(port.x, port.y, port.w, port.h)
		r.c.ClipPath(clip, canvas.NonZero)
	}
	inside.m, inside.port = m.Mul(content), inner
	if !invertible(inside.m) {
		return nil
	}
	return r.children(n, inside)
}
