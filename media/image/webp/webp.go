// Package webp writes WebP with and without loss. Importing it replaces the writer of the
// image package, which has no loss, and nothing else has to be done; reading is there already.
//
// It is libwebp 1.4.0 compiled to WebAssembly, from the module github.com/gen2brain/webp;
// the package internal/wasm says how it is run. EncodeOptions.Quality q is round(q·100) of
// libwebp, so that the default 0.92 is 92. Method 4 is used, libwebp's default: 800 by 600
// pixels take about 0.4 s, of which 0.5 s more are spent once on compiling.
//
// Lossless pictures are written by the image package's own writer, which takes a third of
// libwebp's time for 14 % more bytes.
package webp

import (
	"context"
	"fmt"

	"quicksand/media/image"
	"quicksand/media/image/internal/wasm"
)

var library = wasm.New(zipped)

// MaxEdge is the largest width and height of the format.
const MaxEdge = 16383

func init() {
	image.RegisterEncoder(image.WebP, image.Encoder{Encode: encode, Animate: image.AnimateWebP(encode), Alpha: true})
}

// memory is what libwebp takes for a picture: 12 to 30 bytes a pixel were measured.
func memory(s *image.Surface) int64 { return 24<<20 + 40*int64(s.Width)*int64(s.Height) }

func encode(ctx context.Context, s *image.Surface, o image.EncodeOptions) ([]byte, error) {
	if s.Width > MaxEdge || s.Height > MaxEdge {
		return nil, fmt.Errorf("webp: %d×%d: no edge may exceed %d pixels", s.Width, s.Height, MaxEdge)
	}
	if o.Lossless {
		return image.EncodeWebPLossless(ctx, s, o)
	}
	pix := make([]byte, len(s.Pix))
	s.Straight(pix)
	const rgba, method, lossless, exact = 0, 4, 0, 0
	out, err := library.Encode(ctx, memory(s), pix, s.Width, s.Height, rgba, uint64(o.Percent()), method, lossless, exact)
	if err != nil {
		return nil, fmt.Errorf("webp: could not encode %d×%d pixels: %w", s.Width, s.Height, err)
	}
	return out, nil
}
