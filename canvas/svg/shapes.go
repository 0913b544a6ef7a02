package svg

import (
	"math"

	"quicksand/canvas/geometry"
)

// diagonal is what percentages of lengths without a direction are of.
func diagonal(port rect) float64 { return math.Sqrt((port.w*port.w + port.h*port.h) / 2) }

// length reads a length of an element; whole is what a percentage is of.
func (f *frame) length(n *node, name string, whole, missing float64) float64 {
	if l, ok := parseLength(n.prop(name)); ok {
		return l.px(f.st.units(), whole)
	}
	return missing
}

// isShape reports whether the element is a basic shape or path.
func isShape(name string) bool {
	switch name {
	case "path", "rect", "circle", "ellipse", "line", "polyline", "polygon":
		return true
	}
	return false
}

// shape is the path of a basic shape ("SVG 2", 10), nil where nothing is drawn.
func (r *renderer) shape(n *node, f *frame) (*geometry.Path, error) {
	p := &geometry.Path{}
	w, h, d := f.port.w, f.port.h, diagonal(f.port)
	switch n.name {
	case "path":
		data := n.attr("d")
		if v := n.prop("d"); len(v) > 6 && v[:5] == "path(" {
			data = trimQuotes(v[5 : len(v)-1])
		}
		var err error
		// Data with an error in it is drawn up to there; what is too much is the only error.
		if p, err = geometry.ParseSVG(data, MaxSegments-r.segments); err != nil {
			return nil, limitError("segments of paths", MaxSegments)
		}
	case "rect":
		x, y := f.length(n, "x", w, 0), f.length(n, "y", h, 0)
		rw, rh := f.length(n, "width", w, 0), f.length(n, "height", h, 0)
		if !(rw > 0 && rh > 0) {
			return nil, nil
		}
		rx, ry := f.length(n, "rx", w, -1), f.length(n, "ry", h, -1)
		if rx < 0 {
			rx = ry
		}
		if ry < 0 {
			ry = rx
		}
		rx, ry = min(max(rx, 0), rw/2), min(max(ry, 0), rh/2)
		if rx == 0 || ry == 0 {
			p.Rect(x, y, rw, rh)
			break
		}
		roundRect(p, x, y, rw, rh, rx, ry)
	case "circle":
		if radius := f.length(n, "r", d, 0); radius > 0 {
			oval(p, f.length(n, "cx", w, 0), f.length(n, "cy", h, 0), radius, radius)
		}
	case "ellipse":
		rx, ry := f.length(n, "rx", w, -1), f.length(n, "ry", h, -1)
		if rx < 0 {
			rx = ry
		}
		if ry < 0 {
			ry = rx
		}
		if rx > 0 && ry > 0 {
			oval(p, f.length(n, "cx", w, 0), f.length(n, "cy", h, 0), rx, ry)
		}
	case "line":
		p.MoveTo(f.attrLength(n, "x1", w), f.attrLength(n, "y1", h))
		p.LineTo(f.attrLength(n, "x2", w), f.attrLength(n, "y2", h))
	case "polyline", "polygon":
		v, _ := parseNumbers(n.attr("points"), 2*(MaxSegments+1))
		for i := 0; i+1 < len(v); i += 2 {
			if i == 0 {
				p.MoveTo(v[0], v[1])
			} else {
				p.LineTo(v[i], v[i+1])
			}
		}
		if n.name == "polygon" && len(v) >= 2 {
			p.Close()
		}
	}
	if p.Empty() {
		return nil, nil
	}
	if r.segments += p.Len(); r.segments > MaxSegments {
		return nil, limitError("segments of paths", MaxSegments)
	}
	return p, nil
}

// attrLength is of attributes that are no properties.
func (f *frame) attrLength(n *node, name string, whole float64) float64 {
	return f.lengthOr(n, name, whole, length{})
}

// lengthOr is attrLength with a value for what is missing or wrong.
func (f *frame) lengthOr(n *node, name string, whole float64, missing length) float64 {
	l, ok := parseLength(n.attr(name))
	if !ok {
		l = missing
	}
	return l.px(f.st.units(), whole)
}

func trimQuotes(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

// roundRect begins where SVG says, which dashes show.
func roundRect(p *geometry.Path, x, y, w, h, rx, ry float64) {
	p.MoveTo(x+rx, y)
	p.LineTo(x+w-rx, y)
	p.Ellipse(x+w-rx, y+ry, rx, ry, 0, -math.Pi/2, 0, false)
	p.LineTo(x+w, y+h-ry)
	p.Ellipse(x+w-rx, y+h-ry, rx, ry, 0, 0, math.Pi/2, false)
	p.LineTo(x+rx, y+h)
	p.Ellipse(x+rx, y+h-ry, rx, ry, 0, math.Pi/2, math.Pi, false)
	p.LineTo(x, y+ry)
	p.Ellipse(x+rx, y+ry, rx, ry, 0, math.Pi, 3*math.Pi/2, false)
	p.Close()
}

func oval(p *geometry.Path, cx, cy, rx, ry float64) {
	p.Ellipse(cx, cy, rx, ry, 0, 0, 2*math.Pi, false)
	p.Close()
}
