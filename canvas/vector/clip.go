package vector

import (
	"quicksand/canvas"
	"quicksand/canvas/geometry"
)

// maxClips is how many clips are kept within each other: readers go from each to the next by
// a call, and take a layer for each that is no path.
const maxClips = 64

// clips simplifies chains of clips: rectangles along the axes that follow each other become
// one, so that a guest who clips in a loop without restoring makes no chain.
type clips struct {
	done map[*canvas.Clip]*canvas.Clip
	deep map[*canvas.Clip]int
}

// simple is the simplified chain, the same for the same clip. deep is true where it is longer
// than maxClips all the same.
func (s *clips) simple(c *canvas.Clip) (out *canvas.Clip, deep bool) {
	if c == nil {
		return nil, false
	}
	if s.done == nil {
		s.done, s.deep = map[*canvas.Clip]*canvas.Clip{}, map[*canvas.Clip]int{}
	}
	// From the outermost that is not done, without recursion.
	var list []*canvas.Clip
	for p := c; p != nil && s.done[p] == nil; p = p.Parent {
		list = append(list, p)
	}
	for i := len(list) - 1; i >= 0; i-- {
		p := list[i]
		var parent *canvas.Clip
		if p.Parent != nil {
			parent = s.done[p.Parent]
		}
		q := &canvas.Clip{Path: p.Path, Rule: p.Rule, Parent: parent}
		if parent != nil {
			a, okA := rectangle(p.Path)
			b, okB := rectangle(parent.Path)
			if okA && okB {
				x0, y0 := max(a.X0, b.X0), max(a.Y0, b.Y0)
				path := &geometry.Path{}
				path.Rect(x0, y0, max(min(a.X1, b.X1)-x0, 0), max(min(a.Y1, b.Y1)-y0, 0))
				q.Path, q.Parent = path, parent.Parent
			}
		}
		s.done[p] = q
		s.deep[q] = 1
		if q.Parent != nil {
			s.deep[q] += s.deep[q.Parent]
		}
	}
	out = s.done[c]
	return out, s.deep[out] > maxClips
}

// rectangle is the rectangle that a path is, if it is one along the axes.
func rectangle(p *geometry.Path) (geometry.Rect, bool) {
	if p.Len() != 5 {
		return geometry.Rect{}, false
	}
	var q [4]geometry.Point
	n, ok := 0, true
	p.Each(func(k geometry.Kind, points []geometry.Point) {
		switch {
		case n < 4 && (k == geometry.Move) == (n == 0) && (k == geometry.Move || k == geometry.Line):
			q[n] = points[0]
		case n == 4 && k == geometry.Close:
		default:
			ok = false
		}
		n++
	})
	if !ok || !(q[0].Y == q[1].Y && q[1].X == q[2].X && q[2].Y == q[3].Y && q[3].X == q[0].X ||
		q[0].X == q[1].X && q[1].Y == q[2].Y && q[2].X == q[3].X && q[3].Y == q[0].Y) {
		return geometry.Rect{}, false
	}
	return geometry.Rect{X0: min(q[0].X, q[2].X), Y0: min(q[0].Y, q[2].Y), X1: max(q[0].X, q[2].X), Y1: max(q[0].Y, q[2].Y)}, true
}
