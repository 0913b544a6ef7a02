// Package vector writes recordings of the canvas as SVG and PDF. The same recording gives the
// same bytes on every platform.
//
// Text is written as outlines, so that a reader needs no fonts and sees what the canvas draws.
// What a format cannot express is written as pixels, the smallest part of the picture that
// will do, and told in the notes:
//
//   - Operators of Porter and Duff, clearing a part, putting pixels: all that was drawn up to
//     there becomes one picture; what follows is written as shapes again. Clearing or copying
//     over the whole surface just begins anew. SVG has lighter; it has clearing,
//     destination-out, destination-in, copy and destination-over by elements around what was
//     drawn, of which there are at most 3: what is erased in succession takes one.
//   - Conic gradients, radial gradients whose circles are not within each other (SVG), filters
//     and shadows (PDF): the one shape, or its shadow alone.
//
// # Why not the writers of tdewolff/canvas
//
// Their package cannot be had without its root, which links github.com/srwiley/scanx, a module
// without a licence, besides TeX, X11 and 52 packages of fonts; and they know no clip, blend
// mode, filter, shadow, pattern or translucent gradient.
package vector
