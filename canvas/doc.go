// Package canvas draws as the Canvas 2D API of browsers does ("HTML Standard", 4.12.5, and
// "Compositing and Blending Level 1", W3C), in pure Go and to the same bytes on every
// platform. It knows no JavaScript.
//
// A Context is the drawing context: methods and state as in browsers. A Recording is a list
// of operations in a compact form, which a guest has written; a Context replays it.
package canvas
