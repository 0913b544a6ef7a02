// Package svg draws static SVG documents ("Scalable Vector Graphics 2" and 1.1, W3C) through
// canvas.Context, in pure Go and to the same bytes on every platform. Its import also teaches
// media/image to read them: their size is that of the root element, as browsers take it.
//
// What is drawn: svg, g, a, defs, use, symbol, switch, path, rect, circle, ellipse, line,
// polyline, polygon, text, tspan, image, linearGradient, radialGradient, pattern, clipPath,
// mask, marker and filter, with presentation attributes, style attributes and style sheets of
// simple selectors. What is not: scripts, events, animation, foreignObject, textPath, fonts
// within the document, conditions on languages, and whatever a filter primitive asks for that
// is not in the list at filterPrimitives.
//
// Nothing outside of the document is ever read: an image or a reference that does not begin
// with "data:" or "#" is not drawn. Entities of a document type definition are not expanded;
// a document that uses one is refused.
//
// # Hostile documents
//
// A document can be large, deep or short and explosive (a use of uses of uses). Each of these
// is counted and ends in an error that names the limit: MaxBytes, MaxDepth, MaxElements,
// MaxAttributes, MaxDrawn, MaxSegments, MaxSelectors, MaxLayerPixels, MaxImagePixels. All that
// takes long looks at the context.
package svg
