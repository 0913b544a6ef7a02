package geometry

// A Cap is how the ends of open subpaths and dashes are drawn.
type Cap uint8

// The caps of lineCap, in the order of the canvas's words.
const (
	ButtCap Cap = iota
	RoundCap
	SquareCap
)

// A Join is how lines meet.
type Join uint8

// The joins of lineJoin.
const (
	MiterJoin Join = iota
	RoundJoin
	BevelJoin
)

// StrokeOptions are the line styles of a canvas. Lengths are in user units.
type StrokeOptions struct {
	Width float64 // not above 0: nothing is drawn
	Cap   Cap
	Join  Join

	// MiterLimit is how far a miter may reach from the joint, in halves of the width; a
	// longer one is a bevel.
	MiterLimit float64

	// Dashes are the lengths of dashes and gaps by turns; an odd list counts twice. Empty, or
	// without a positive sum, or with a negative or infinite length: a solid line.
	Dashes     []float64
	DashOffset float64 // where in the list each subpath starts; may be negative
}

// A Stroker makes outlines of strokes. The zero value is ready; using one again saves its
// memory. It must not be used by several goroutines at once.
type Stroker struct {
	lines  Polyline
	dashed Polyline
}

// Stroke adds the outline of the path's stroke to dst, in device space, to be filled with the
// nonzero rule.
//
// The path is first mapped by toUser into user space, where the line styles hold; the outline
// is mapped by m to device space. A path kept in device space passes the inverse of m, one in
// user space the Identity. Nothing is added if m is not finite.
//
// tolerance is in device pixels. Where clip is not empty, parts of the stroke that lie outside
// of it may be missing: with dashes this bounds the work.
//
// Subpaths of zero length draw nothing, with any cap, and zero-length lines do not count
// (HTML Standard, "trace a path"). A dash of zero length draws its caps.
func (s *Stroker) Stroke(dst *Polyline, p *Path, toUser Matrix, o StrokeOptions, m Matrix, clip Rect, tolerance float64) {
}
