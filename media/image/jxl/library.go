package jxl

import (
	_ "unsafe" // for go:linkname

	_ "github.com/gen2brain/jpegxl" // has the library
)

// What the module embeds, compressed. It exports no way to it; package internal/wasm says why its
// functions will not do.
//
//go:linkname zippedDecoder github.com/gen2brain/jpegxl.decodeWasm
//go:linkname zippedEncoder github.com/gen2brain/jpegxl.encodeWasm
var zippedDecoder, zippedEncoder []byte
