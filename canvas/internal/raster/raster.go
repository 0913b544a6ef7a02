// Package raster turns polylines into coverage: for each pixel, which part of its area a shape
// covers.
package raster

import (
	"image"

	"quicksand/canvas/geometry"
)

// A Rule says which points are inside a shape that crosses itself.
type Rule uint8

// The fill rules of the canvas.
const (
	NonZero Rule = iota
	EvenOdd
)

// A Sink takes coverage: rows in ascending order, pixels of a row in ascending order, each at
// most once, within the clip. Pixels that are not passed are not covered.
type Sink interface {
	// Run is n pixels from (x, y) of one coverage from 1 to 255.
	Run(x, y, n int, cover uint8)

	// Mask is pixels from (x, y) with a coverage each, 0 allowed. The slice is valid until
	// Mask returns.
	Mask(x, y int, cover []uint8)
}

// A Rasterizer computes coverage. The zero value is ready; using one again saves its memory
// (at most about 600 KB). It must not be used by several goroutines at once, but several may
// rasterize bands of one polyline with one each: the bands of a shape fit together to the bit.
type Rasterizer struct{}

// Rasterize passes the coverage of the polyline, whose open subpaths count as closed, within
// clip to the sink. Pixel (x, y) is the square from (x, y) to (x+1, y+1). Edges outside of the
// clip cost little, whatever their coordinates.
func (r *Rasterizer) Rasterize(pl *geometry.Polyline, rule Rule, clip image.Rectangle, sink Sink) {
}
