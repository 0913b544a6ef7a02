// Package canvas draws as the Canvas 2D API of browsers does ("HTML Standard", 4.12.5, and
// "Compositing and Blending Level 1", W3C), in pure Go and to the same bytes on every
// platform. It knows no JavaScript.
//
// A Context is the drawing context: methods and state as in browsers. A Recording is a list
// of operations in a compact form, which a guest has written; a Context replays it. A Device
// takes what a context draws in place of pixels, for vector formats.
//
// # Drawing
//
// Methods resolve what they draw by the state of the moment into commands: a shape in device
// space, a source of colours, a mode and a clip. A batch of commands is painted in bands of
// rows by all cores while the next one is filled. Shapes with filters and shadows are painted
// on layers of their own first.
//
// # Hostile input
//
// Recordings, paths, text and pictures may come from anywhere. A recording is checked before
// any of it is kept. Memory is asked for at the Budget before it is taken; Limits bound the
// length of recordings, paths and the stack of states, and the work of a context, which is the
// same on every machine. What takes long looks at its context.
package canvas
