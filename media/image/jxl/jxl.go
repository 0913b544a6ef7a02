// Package jxl reads and writes JPEG XL. An import is all that it needs.
//
// It is libjxl compiled to WebAssembly, from the module github.com/gen2brain/jpegxl;
// the package internal/wasm says how it is run. Compiling takes about 1.3 s for the encoder and less for
// the decoder, once, at the first use.
//
// EncodeOptions.Quality q is round(q·100), which libjxl turns into a distance: 90 is the
// distance 1, where differences begin to be seen. Lossless is 100. The effort is 5 of 10: 800
// by 600 pixels take 1.2 s, 7 takes twice as long for a few percent of bytes.
//
// Of animations the first frame is read. The library turns pictures as files ask for, so that
// Info.Orientation is always 0.
package jxl

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"quicksand/media/image"
	"quicksand/media/image/internal/wasm"
)

var decoder, encoder = wasm.New(zippedDecoder), wasm.New(zippedEncoder)

func init() {
	image.RegisterDecoder(image.JXL, image.Decoder{Config: config, Decode: decode})
	image.RegisterEncoder(image.JXL, image.Encoder{Encode: encode, Alpha: true})
}

func config(data []byte) (image.Info, error) {
	h, err := parse(data)
	if err != nil {
		return image.Info{}, err
	}
	info := image.Info{Format: image.JXL, Width: h.width, Height: h.height, Frames: 1, Depth: h.depth, Alpha: h.alpha}
	info.Scratch = h.memory(len(data))
	return info, nil
}

// memory is what an instance may take to decode.
func (h *header) memory(size int) int64 {
	perPixel := int64(48)
	if h.depth == 16 {
		perPixel += 8
	}
	return min(24<<20+2*int64(size)+perPixel*int64(h.width)*int64(h.height), wasm.MaxMemory)
}

func decode(ctx context.Context, data []byte, _ int) (*image.Surface, error) {
	h, err := parse(data)
	if err != nil {
		return nil, err
	}
	if err := image.CheckSize(h.width, h.height); err != nil {
		return nil, err
	}
	damaged := errors.New("jxl: the file is damaged")
	var s *image.Surface
	err = decoder.Run(ctx, h.memory(len(data)), func(in *wasm.Instance) error {
		p, err := in.Put(data)
		if err != nil {
			return err
		}
		values, err := in.Put(make([]byte, 16)) // width, height, depth, count
		if err != nil {
			return err
		}
		delay, err := in.Put(make([]byte, 8))
		if err != nil {
			return err
		}
		sample := 1
		if h.depth == 16 {
			sample = 2
		}
		n := h.width * h.height * 4 * sample
		out, err := in.Alloc(n)
		if err != nil {
			return err
		}
		// The library writes behind the buffer if it finds a larger picture than the header
		// here did; that is its own memory, and the sizes differ then.
		ok, err := in.Call("decode", uint64(p), uint64(len(data)), 0, 0, uint64(values), uint64(values+4), uint64(values+8), uint64(values+12), uint64(delay), uint64(out))
		switch {
		case err != nil && ctx.Err() != nil:
			return ctx.Err()
		case err != nil || ok == 0:
			return errors.Join(damaged, err)
		}
		w, err := in.Bytes(values, 12)
		if err != nil {
			return err
		}
		u := func(i int) int { return int(binary.LittleEndian.Uint32(w[i:])) }
		if u(0) != h.width || u(4) != h.height || u(8) != h.depth {
			return fmt.Errorf("jxl: a picture of %d×%d in a file of %d×%d", u(0), u(4), h.width, h.height)
		}
		pix, err := in.Bytes(out, n)
		if err != nil {
			return err
		}
		s = image.New(h.width, h.height)
		if sample == 1 {
			copy(s.Pix, pix)
		} else {
			for i := range s.Pix {
				s.Pix[i] = byte((uint32(binary.BigEndian.Uint16(pix[2*i:]))*255 + 32767) / 65535)
			}
		}
		if !h.premultiplied {
			image.Premultiply(s.Pix)
			return nil
		}
		for i := 0; i < len(s.Pix); i += 4 {
			q := s.Pix[i : i+4 : i+4]
			q[0], q[1], q[2] = min(q[0], q[3]), min(q[1], q[3]), min(q[2], q[3])
		}
		return nil
	})
	return s, err
}

// encoderMemory is what libjxl takes for a picture: 90 to 110 bytes a pixel were measured.
func encoderMemory(s *image.Surface) int64 { return 64<<20 + 200*int64(s.Width)*int64(s.Height) }

func encode(ctx context.Context, s *image.Surface, o image.EncodeOptions) ([]byte, error) {
	quality := uint64(o.Percent())
	if o.Lossless {
		quality = 100
	}
	pix := make([]byte, len(s.Pix))
	s.Straight(pix)
	const effort = 5
	out, err := encoder.Encode(ctx, encoderMemory(s), pix, s.Width, s.Height, quality, effort)
	if err != nil {
		return nil, fmt.Errorf("jxl: could not encode %d×%d pixels: %w", s.Width, s.Height, err)
	}
	return out, nil
}
