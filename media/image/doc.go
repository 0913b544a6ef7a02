// Package image decodes, transforms and encodes pictures. It knows no JavaScript.
//
// Pixels are premultiplied 8-bit RGBA (Surface), which is what resampling and compositing
// need to be right at transparent edges. Sizes are checked before memory is taken, work
// that takes long looks at its context, and decoders run behind a recover: no file makes
// them panic or take more memory than they said.
package image
