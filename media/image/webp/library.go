package webp

import (
	_ "unsafe" // for go:linkname

	_ "github.com/gen2brain/webp" // has the library
)

// What the module embeds, compressed. The module exports no way to it; package internal/wasm says why its
// functions will not do.
//
//go:linkname zipped github.com/gen2brain/webp.webpWasm
var zipped []byte
