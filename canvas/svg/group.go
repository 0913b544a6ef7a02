package svg

import (
	"math"

	"quicksand/canvas"
	"quicksand/canvas/geometry"
	"quicksand/media/image"
)

// grouped draws an element with the clip, mask, filter, opacity and blend mode of its style
// ("CSS Compositing", "CSS Masking" and "Filter Effects", Level 1).
func (r *renderer) grouped(n *node, f frame, draw func(frame) error) error {
	st := &f.st
	if st.opacity == 0 && st.filter == "" {
		return nil
	}
	clip, mask := r.doc.ids[st.clip], r.doc.ids[st.mask]
	if clip != nil && clip.name != "clipPath" {
		clip = nil
	}
	if mask != nil && mask.name != "mask" {
		mask = nil
	}
	effect, filtered := r.filterOf(st)
	alpha := st.opacity
	if alpha < 1 && r.flat(n, st) {
		// One shape with one paint is as translucent as its paint.
		st.fillOpacity *= alpha
		st.strokeOpacity *= alpha
		alpha = 1
	}
	if clip == nil && mask == nil && !filtered && alpha == 1 && st.blend == image.SourceOver && !st.isolated {
		return draw(f)
	}
	var object *rect
	box := func() (rect, error) {
		if object == nil {
			b, err := r.objectBox(n, f)
			if err != nil {
				return b, err
			}
			object = &b
		}
		return *object, nil
	}
	var coverage *node // a clip that is no path
	if clip != nil {
		ok, simple, err := r.clip(clip, &f, box)
		if simple {
			defer r.c.Restore()
		}
		if err != nil || !ok || f.clip.empty() {
			return err
		}
		if !simple {
			coverage = clip
		}
	}
	if coverage == nil && mask == nil && !filtered && alpha == 1 && st.blend == image.SourceOver && !st.isolated {
		return draw(f)
	}
	// The layer is as large as what can be seen of it.
	bounds := f.clip
	var err error
	if !filtered {
		e, err := r.extent(n, f, true)
		if err != nil {
			return err
		}
		bounds = bounds.intersect(around(e))
	}
	var region rect
	if mask != nil {
		if region, err = r.region(mask, "maskUnits", f, box); err != nil {
			return err
		}
		if region.empty() {
			return nil
		}
		bounds = bounds.intersect(around(transformed(region, f.m)))
	}
	if filtered {
		bounds, err = effect.bounds(r, n, f, bounds, box)
		if err != nil {
			return err
		}
	}
	if bounds.empty() {
		return nil
	}
	s, err := r.layer(bounds, func() error {
		inside := f
		inside.clip = bounds
		return draw(inside)
	})
	if err != nil {
		return err
	}
	if filtered {
		if s, err = effect.apply(r, s, bounds, f, box); err != nil {
			return err
		}
	}
	if coverage != nil {
		m, err := r.coverage(coverage, f, bounds, box)
		if err != nil {
			return err
		}
		multiply(s, m)
	}
	if mask != nil {
		m, err := r.mask(mask, region, f, bounds, box)
		if err != nil {
			return err
		}
		if m != nil {
			multiply(s, m)
		}
	}
	return r.put(s, bounds, alpha, st.blend)
}

// flat reports whether an element paints each pixel once.
func (r *renderer) flat(n *node, st *style) bool {
	if !isShape(n.name) || st.markers != [3]string{} {
		return false
	}
	fill, stroke := !st.fill.none || st.fill.ref != "", !st.stroke.none || st.stroke.ref != ""
	return (!fill || !stroke || n.name == "line") && st.filter == "" && st.mask == ""
}

// region is the rectangle of a mask or filter in user space.
func (r *renderer) region(n *node, unitsName string, f frame, box func() (rect, error)) (rect, error) {
	port := f.port
	user := n.attr(unitsName) == "userSpaceOnUse"
	if !user {
		port = rect{0, 0, 1, 1}
	}
	g := rect{
		f.lengthOr(n, "x", port.w, length{-10, "%"}), f.lengthOr(n, "y", port.h, length{-10, "%"}),
		f.lengthOr(n, "width", port.w, length{120, "%"}), f.lengthOr(n, "height", port.h, length{120, "%"}),
	}
	if user {
		return g, nil
	}
	b, err := box()
	return rect{b.x + g.x*b.w, b.y + g.y*b.h, g.w * b.w, g.h * b.h}, err
}

// multiply multiplies a surface by the alpha of another one of its size.
func multiply(s, by *image.Surface) {
	for i := 0; i+3 < len(s.Pix); i += 4 {
		a := uint32(by.Pix[i+3])
		if a == 255 {
			continue
		}
		p := s.Pix[i : i+4 : i+4]
		for c := range p {
			v := uint32(p[c])*a + 128
			p[c] = uint8((v + v>>8) >> 8)
		}
	}
}

// clip clips by a clipPath that is one path. simple is false, and nothing changed, where it is
// not; otherwise the context was saved. ok is false where nothing can be seen.
func (r *renderer) clip(n *node, f *frame, box func() (rect, error)) (ok, simple bool, err error) {
	if r.using[n] {
		return false, false, nil
	}
	inside, empty, err := r.clipFrame(n, *f, box)
	if err != nil || empty {
		return false, false, err
	}
	if inside.st.clip != "" {
		return true, false, nil
	}
	var only *node
	for _, c := range n.children {
		if c.name == "" || neverDrawn(c.name) {
			continue
		}
		if only != nil {
			return true, false, nil
		}
		only = c
	}
	if only == nil {
		return false, false, nil
	}
	if !isShape(only.name) {
		return true, false, nil
	}
	inside.st = inside.st.of(only)
	if inside.st.clip != "" {
		return true, false, nil
	}
	if !inside.st.shown || !inside.st.visible || !r.place(only, &inside) {
		return false, false, nil
	}
	if err := r.count(); err != nil {
		return false, false, err
	}
	p, err := r.shape(only, &inside)
	if err != nil || p == nil {
		return false, false, err
	}
	f.clip = f.clip.intersect(around(pathExtent(p, inside.m)))
	r.c.Save()
	r.matrix(inside.m)
	r.c.ClipPath(p, inside.st.clipRule)
	return true, true, nil
}

// clipFrame is what the children of a clipPath are drawn in.
func (r *renderer) clipFrame(n *node, f frame, box func() (rect, error)) (inside frame, empty bool, err error) {
	inside = f
	inside.st = ancestry(n)
	inside.st = inside.st.of(n)
	if n.attr("clipPathUnits") == "objectBoundingBox" {
		b, err := box()
		if err != nil || b.empty() {
			return inside, true, err
		}
		if m, ok := parseTransform(n.prop("transform")); ok {
			inside.m = inside.m.Mul(m)
		}
		inside.m = inside.m.Mul(boxMatrix(b))
		inside.port = rect{0, 0, 1, 1}
	} else if m, ok := parseTransform(n.prop("transform")); ok {
		inside.m = inside.m.Mul(m)
	}
	return inside, !invertible(inside.m), nil
}

// coverage is a layer whose alpha is what a clipPath leaves.
func (r *renderer) coverage(n *node, f frame, b box, box func() (rect, error)) (*image.Surface, error) {
	return r.layer(b, func() error {
		return r.within(n, func() error {
			inside, empty, err := r.clipFrame(n, f, box)
			if err != nil || empty {
				return err
			}
			inside.clip = b
			draw := func(inside frame) error {
				for _, c := range n.children {
					if err := r.silhouette(c, inside); err != nil {
						return err
					}
				}
				return nil
			}
			// A clip path may be clipped itself.
			only := inside
			only.st = initialStyle()
			only.st.clip = inside.st.clip
			if only.st.clip == "" {
				return draw(inside)
			}
			// Its bounding box is that of what is clipped.
			only.m = f.m
			return r.clippedBy(only, b, box, func() error { return draw(inside) })
		})
	})
}

// clippedBy draws with the clip path of f's style.
func (r *renderer) clippedBy(f frame, b box, box func() (rect, error), draw func() error) error {
	n := r.doc.ids[f.st.clip]
	if n == nil || n.name != "clipPath" || r.using[n] {
		return draw()
	}
	s, err := r.layer(b, draw)
	if err != nil {
		return err
	}
	m, err := r.coverage(n, f, b, box)
	if err != nil {
		return err
	}
	multiply(s, m)
	return r.put(s, b, 1, image.SourceOver)
}

// silhouette draws a child of a clipPath: its fill, opaque.
func (r *renderer) silhouette(n *node, f frame) error {
	return r.entered(n, f, func(f frame) error { return r.drawSilhouette(n, f) })
}

func (r *renderer) drawSilhouette(n *node, f frame) error {
	f.st.fill, f.st.fillOpacity, f.st.stroke = paint{colour: [4]uint8{3: 255}}, 1, paint{none: true}
	f.st.opacity, f.st.mask, f.st.filter = 1, "", ""
	f.st.fillRule = f.st.clipRule
	clip := f.st.clip
	f.st.clip = ""
	draw := func() error {
		switch {
		case n.name == "use":
			target := r.target(n.href())
			if target == nil || isAncestor(target, n) || !isShape(target.name) && target.name != "text" {
				return nil
			}
			return r.within(target, func() error {
				f.m = f.m.Mul(geometry.Matrix{A: 1, D: 1, E: f.length(n, "x", f.port.w, 0), F: f.length(n, "y", f.port.h, 0)})
				return r.silhouette(target, f)
			})
		case n.name == "text":
			return r.text(n, f)
		case isShape(n.name) && f.st.visible:
			p, err := r.shape(n, &f)
			if err != nil || p == nil {
				return err
			}
			r.matrix(f.m)
			r.c.SetFillColour([4]uint8{3: 255})
			r.c.FillPath(p, f.st.clipRule)
		}
		return nil
	}
	if clip == "" {
		return draw()
	}
	f.st.clip = clip
	return r.clippedBy(f, f.clip, func() (rect, error) { return r.objectBox(n, f) }, draw)
}

// mask is a layer whose alpha is what a mask leaves; nil where it leaves all, because it is
// within itself.
func (r *renderer) mask(n *node, region rect, f frame, b box, object func() (rect, error)) (*image.Surface, error) {
	if r.using[n] {
		return nil, nil
	}
	var s *image.Surface
	err := r.within(n, func() (err error) {
		s, err = r.layer(b, func() error {
			inside := f
			inside.st = ancestry(n)
			inside.st = inside.st.of(n)
			inside.clip = b
			r.matrix(f.m)
			p := &geometry.Path{}
			p.Rect(region.x, region.y, region.w, region.h)
			r.c.ClipPath(p, canvas.NonZero)
			if n.attr("maskContentUnits") == "objectBoundingBox" {
				o, err := object()
				if err != nil || o.empty() {
					return err
				}
				inside.m = inside.m.Mul(boxMatrix(o))
				inside.port = rect{0, 0, 1, 1}
				if !invertible(inside.m) {
					return nil
				}
			}
			draw := func() error { return r.children(n, inside) }
			// A mask may be masked and clipped itself.
			by, clip := r.doc.ids[inside.st.mask], r.doc.ids[inside.st.clip]
			if by != nil && by.name != "mask" || by != nil && r.using[by] {
				by = nil
			}
			if by == nil && clip == nil {
				return draw()
			}
			if by != nil {
				masked := draw
				draw = func() error {
					region, err := r.region(by, "maskUnits", f, object)
					if err != nil || region.empty() {
						return err
					}
					s, err := r.layer(b, masked)
					if err != nil {
						return err
					}
					m, err := r.mask(by, region, f, b, object)
					if err != nil {
						return err
					}
					multiply(s, m)
					return r.put(s, b, 1, image.SourceOver)
				}
			}
			clipped := f
			clipped.st.clip = inside.st.clip
			return r.clippedBy(clipped, b, object, draw)
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	if n.prop("mask-type") == "alpha" {
		return s, nil
	}
	luminance(s)
	return s, nil
}

// luminance makes the luminance of each pixel its alpha ("CSS Masking", 7.10.1).
func luminance(s *image.Surface) {
	for i := 0; i+3 < len(s.Pix); i += 4 {
		p := s.Pix[i : i+4 : i+4]
		// Premultiplied colours have alpha in them already.
		p[3] = uint8(math.Round(0.2125*float64(p[0]) + 0.7154*float64(p[1]) + 0.0721*float64(p[2])))
	}
}
