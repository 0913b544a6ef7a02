// Package avif reads and writes AVIF. An import is all that it needs.
//
// It is libavif 1.1.1 with libaom 3.10.0, compiled to WebAssembly, from the module
// github.com/gen2brain/avif; the package internal/wasm says how it is run. Compiling takes about 1.5 s each
// for the decoder and the encoder, once, at the first use.
//
// EncodeOptions.Quality q is round(q·100) of libavif, for colours and alpha. Its 60 to 70 look
// like 80 to 90 of JPEG, so that the default, 92, is generous. Lossless is 100, which is nearly
// so: colours still go through YCbCr, with chroma of half the size. The speed is 8 of 10,
// which writes files of the size that 6 does in three tenths of the time (1.2 and 4.1 s for
// 800 by 600 pixels); above MaxPrecise pixels it is 9.
//
// Of image sequences the first picture is read. Rotation and mirroring that a file asks for
// are reported as the EXIF orientation that does the same.
package avif

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"quicksand/media/image"
	"quicksand/media/image/internal/wasm"
)

var decoder, encoder = wasm.New(zippedDecoder), wasm.New(zippedEncoder)

// MaxPrecise is the number of pixels above which pictures are written at speed 9.
const MaxPrecise = 2 << 20

func init() {
	image.RegisterDecoder(image.AVIF, image.Decoder{Config: config, Decode: decode})
	image.RegisterEncoder(image.AVIF, image.Encoder{Encode: encode, Alpha: true})
}

func config(data []byte) (image.Info, error) {
	h, err := parse(data)
	if err != nil {
		return image.Info{}, err
	}
	info := image.Info{Format: image.AVIF, Width: h.width, Height: h.height, Orientation: h.orientation, Frames: 1, Depth: h.depth, Alpha: h.alpha, Profile: image.ProfileName(h.icc), ICC: h.icc}
	info.Scratch = h.memory(len(data))
	return info, nil
}

// memory is what an instance may take to decode.
func (h *header) memory(size int) int64 {
	perPixel := int64(24)
	if h.depth > 8 {
		perPixel = 40
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
	damaged := errors.New("avif: the file is damaged")
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
		// First the header: what the library thinks of it must be what was checked.
		call := func(configOnly uint64, out uint32) error {
			ok, err := in.Call("decode", uint64(p), uint64(len(data)), configOnly, 0, uint64(values), uint64(values+4), uint64(values+8), uint64(values+12), uint64(delay), uint64(out))
			switch {
			case errors.Is(err, ctx.Err()) && err != nil, errors.Is(err, wasm.ErrMemory):
				return err
			case err != nil || ok == 0:
				return errors.Join(damaged, err)
			}
			return nil
		}
		if err := call(1, 0); err != nil {
			return err
		}
		w, err := in.Bytes(values, 12)
		if err != nil {
			return err
		}
		u := func(i int) int { return int(binary.LittleEndian.Uint32(w[i:])) }
		if u(0) != h.width || u(4) != h.height {
			return fmt.Errorf("avif: a picture of %d×%d in a file of %d×%d", u(0), u(4), h.width, h.height)
		}
		sample := 1
		if u(8) > 8 {
			sample = 2
		}
		n := h.width * h.height * 4 * sample
		out, err := in.Alloc(n)
		if err != nil {
			return err
		}
		// The library reports success for a file without a whole picture: a value that no
		// duration has shows it.
		if b, err := in.Bytes(delay, 8); err != nil {
			return err
		} else {
			copy(b, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF")
		}
		if err := call(0, out); err != nil {
			return err
		}
		if b, err := in.Bytes(delay, 8); err != nil || string(b) == "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF" {
			return errors.Join(damaged, err)
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
				s.Pix[i] = byte((uint32(binary.LittleEndian.Uint16(pix[2*i:]))*255 + 32767) / 65535)
			}
		}
		// Colours above alpha are no premultiplied ones.
		for i := 0; i < len(s.Pix); i += 4 {
			q := s.Pix[i : i+4 : i+4]
			q[0], q[1], q[2] = min(q[0], q[3]), min(q[1], q[3]), min(q[2], q[3])
		}
		return nil
	})
	return s, err
}

// encoderMemory is what libaom takes for a picture: 30 to 38 bytes a pixel were measured.
func encoderMemory(s *image.Surface) int64 { return 48<<20 + 64*int64(s.Width)*int64(s.Height) }

func encode(ctx context.Context, s *image.Surface, o image.EncodeOptions) ([]byte, error) {
	quality := uint64(o.Percent())
	if o.Lossless {
		quality = 100
	}
	speed := uint64(8)
	if s.Width*s.Height > MaxPrecise {
		speed = 9
	}
	const chroma420 = 3
	out, err := encoder.Encode(ctx, encoderMemory(s), s.Pix, s.Width, s.Height, quality, quality, speed, chroma420)
	if err != nil {
		return nil, fmt.Errorf("avif: could not encode %d×%d pixels: %w", s.Width, s.Height, err)
	}
	return out, nil
}
