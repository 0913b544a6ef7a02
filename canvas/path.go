package canvas

import (
	"context"

	"quicksand/canvas/geometry"
)

// BeginPath empties the current path.
func (c *Context) BeginPath() { c.path.Reset() }

// ClosePath closes the last subpath.
func (c *Context) ClosePath() { c.path.Close() }

// MoveTo begins a subpath. As with all methods of paths, what is not finite is ignored, and
// points are transformed by the matrix of the moment.
func (c *Context) MoveTo(x, y float64) { c.path.MoveTo(x, y) }

// LineTo adds a line.
func (c *Context) LineTo(x, y float64) { c.path.LineTo(x, y) }

// QuadraticCurveTo adds a quadratic Bézier curve.
func (c *Context) QuadraticCurveTo(cx, cy, x, y float64) { c.path.QuadTo(cx, cy, x, y) }

// BezierCurveTo adds a cubic Bézier curve.
func (c *Context) BezierCurveTo(c1x, c1y, c2x, c2y, x, y float64) {
	c.path.CubicTo(c1x, c1y, c2x, c2y, x, y)
}

// Arc adds an arc of a circle and a line to its beginning. A negative radius, which a browser
// makes an error, is ignored.
func (c *Context) Arc(x, y, radius, start, end float64, counterclockwise bool) {
	c.path.Arc(x, y, radius, start, end, counterclockwise)
}

// ArcTo adds an arc that touches the lines from the current point to x1, y1 and on to x2, y2,
// and a line to its beginning.
func (c *Context) ArcTo(x1, y1, x2, y2, radius float64) { c.path.ArcTo(x1, y1, x2, y2, radius) }

// Ellipse adds an arc of an ellipse and a line to its beginning.
func (c *Context) Ellipse(x, y, rx, ry, rotation, start, end float64, counterclockwise bool) {
	c.path.Ellipse(x, y, rx, ry, rotation, start, end, counterclockwise)
}

// Rect adds a rectangle as a subpath.
func (c *Context) Rect(x, y, w, h float64) { c.path.Rect(x, y, w, h) }

// RoundRect adds a rectangle with round corners: top left, top right, bottom right, bottom
// left. Radii that do not fit are scaled.
func (c *Context) RoundRect(x, y, w, h float64, radii [4]geometry.Point) {
	c.path.RoundRect(x, y, w, h, radii)
}

// CurrentPath is a copy of the current path, in device space.
func (c *Context) CurrentPath() *geometry.Path { return c.path.Clone() }

// PointInPath reports whether a point in device space is inside of the current path. Points on
// its border are.
func (c *Context) PointInPath(x, y float64, rule FillRule) bool {
	// Under a matrix without inverse nothing can be hit, though the path has points.
	if c.state.Matrix.Determinant() == 0 {
		return false
	}
	return c.contains(&c.path, geometry.Identity, x, y, rule)
}

// PointInStroke reports whether a point in device space is inside of what Stroke would paint.
// The error is that of ctx.
func (c *Context) PointInStroke(ctx context.Context, x, y float64) (bool, error) {
	inverse, ok := c.state.Matrix.Inverse()
	if !ok {
		return false, ctx.Err()
	}
	return c.strokeContains(ctx, &c.path, inverse, x, y)
}

// PathContains is PointInPath for a path in user space.
func (c *Context) PathContains(p *geometry.Path, x, y float64, rule FillRule) bool {
	return c.contains(p, c.state.Matrix, x, y, rule)
}

// StrokeContains is PointInStroke for a path in user space.
func (c *Context) StrokeContains(ctx context.Context, p *geometry.Path, x, y float64) (bool, error) {
	return c.strokeContains(ctx, p, geometry.Identity, x, y)
}

// buildPath makes a path of operations that a decoder has checked.
func buildPath(numbers []float64, strings []string, l Limits) (*geometry.Path, error) {
	p := new(geometry.Path)
	for at := 0; at < len(numbers); {
		op, args, next, _ := header(numbers, at)
		at = next
		switch op {
		case OpSetTransform:
			p.SetTransform(geometry.Matrix{A: args[0], B: args[1], C: args[2], D: args[3], E: args[4], F: args[5]})
		case OpSVGPath:
			// Data draws up to its error, as in SVG.
			q, err := geometry.ParseSVG(strings[int(args[0])], l.Segments)
			if err != nil {
				return nil, segmentsError(l, l.Segments+1)
			}
			p.Append(q, geometry.Identity)
		default:
			extendPath(p, op, args)
		}
		if p.Len() > l.Segments {
			return nil, segmentsError(l, p.Len())
		}
	}
	return p, nil
}

func segmentsError(l Limits, n int) error {
	return &LimitError{"Segments", "segments of a path", int64(l.Segments), int64(n)}
}

// extendPath adds to a path what one of its operations says.
func extendPath(p *geometry.Path, op Op, a []float64) {
	switch op {
	case OpClosePath:
		p.Close()
	case OpMoveTo:
		p.MoveTo(a[0], a[1])
	case OpLineTo:
		p.LineTo(a[0], a[1])
	case OpQuadraticCurveTo:
		p.QuadTo(a[0], a[1], a[2], a[3])
	case OpBezierCurveTo:
		p.CubicTo(a[0], a[1], a[2], a[3], a[4], a[5])
	case OpArc:
		p.Arc(a[0], a[1], a[2], a[3], a[4], a[5] != 0)
	case OpArcTo:
		p.ArcTo(a[0], a[1], a[2], a[3], a[4])
	case OpEllipse:
		p.Ellipse(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7] != 0)
	case OpRect:
		p.Rect(a[0], a[1], a[2], a[3])
	case OpRoundRect:
		p.RoundRect(a[0], a[1], a[2], a[3], [4]geometry.Point{{X: a[4], Y: a[5]}, {X: a[6], Y: a[7]}, {X: a[8], Y: a[9]}, {X: a[10], Y: a[11]}})
	}
}

// hitTolerance is how far from a curve a hit test may be, in pixels.
const hitTolerance = 0.01

func (c *Context) contains(p *geometry.Path, m geometry.Matrix, x, y float64, rule FillRule) bool {
	if !finite(x, y) || c.err != nil || p.Len() > c.limits.Segments {
		return false
	}
	var lines geometry.Polyline
	p.Flatten(&lines, m, hitTolerance)
	return geometry.Contains(&lines, geometry.Point{X: x, Y: y}, rule == EvenOdd)
}

func (c *Context) strokeContains(ctx context.Context, p *geometry.Path, toUser geometry.Matrix, x, y float64) (bool, error) {
	if !finite(x, y) || c.err != nil || p.Len() > c.limits.Segments {
		return false, ctx.Err()
	}
	c.ctx = ctx
	defer func() { c.ctx = context.Background() }()
	var lines geometry.Polyline
	near := geometry.Rect{X0: x - 1, Y0: y - 1, X1: x + 1, Y1: y + 1}
	c.queue.stroker.Stroke(&lines, p, toUser, c.state.line(), c.state.Matrix, near, hitTolerance)
	return geometry.Contains(&lines, geometry.Point{X: x, Y: y}, false), ctx.Err()
}
