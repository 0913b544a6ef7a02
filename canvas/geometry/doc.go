// Package geometry holds the shapes of the canvas: points, affine matrices, paths with the
// semantics of the HTML Standard (4.12.5.1.6, "Building paths"), SVG path data, flattening,
// stroking with dashes, and hit tests.
//
// A Path is built with canvas calls and keeps its curves. Flatten turns it into a Polyline,
// which is what rasterisers, hit tests and the stroker read; a Stroker turns a Path into the
// Polyline of its outline, to be filled with the nonzero rule.
//
// All coordinates are float64 and finite: a call with an infinity or a NaN is ignored, as the
// standard wants, and what overflows in a transformation is held at ±1e90. Work and memory are
// linear in the number of segments, whatever the coordinates: a curve has at most 4096 chords
// and dashes are made inside the clip rectangle only.
//
// Products are rounded before they are added (the conversions to float64 that look
// redundant), so that compilers which fuse them do not make other pixels on other platforms.
package geometry
