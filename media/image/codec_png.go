package image

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	stdimage "image"
	"image/color"
	stdpng "image/png"
	"io"

	"quicksand/media/image/jpeg"
)

func init() {
	RegisterDecoder(PNG, Decoder{Config: pngConfig, Decode: decodePNG, Frames: pngFrames})
}

// pngConfig walks over the chunks in front of the picture data.
func pngConfig(data []byte) (Info, error) {
	c, err := stdpng.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return Info{}, err
	}
	info := Info{Format: PNG, Width: c.Width, Height: c.Height, Frames: 1, Depth: 8}
	if len(data) < 33 {
		return Info{}, errors.New("png: the header is cut short")
	}
	depth, colour := int(data[24]), data[25]
	if depth == 16 {
		info.Depth = 16
	}
	info.Alpha = colour == 4 || colour == 6
	// The standard decoder holds a picture of its own, of up to 8 bytes a pixel, before it is
	// converted, and two rows.
	info.Scratch = int64(c.Width) * int64(c.Height) * int64(map[bool]int{true: 8, false: 4}[depth == 16])
	animated := false
	for at := 8; at+12 <= len(data); {
		n := uint64(binary.BigEndian.Uint32(data[at:]))
		name := string(data[at+4 : at+8])
		if uint64(at)+12+n > uint64(len(data)) {
			break
		}
		body := data[at+8 : at+8+int(n)]
		switch name {
		case "IDAT":
			if animated {
				describeAPNG(data, &info)
			}
			return info, nil
		case "acTL":
			animated = true
		case "tRNS":
			info.Alpha = true
		case "iCCP":
			if i := bytes.IndexByte(body, 0); i > 0 && i < 80 {
				info.Profile = clean(string(body[:i]))
				info.ICC = inflateProfile(body[i+1:])
			}
		case "eXIf":
			info.Orientation = jpeg.Orientation(body)
		}
		at += 12 + int(n)
	}
	return info, nil
}

// inflateProfile unpacks the profile in an iCCP chunk, after its name: a method, which is 0,
// and a zlib stream. It is nil if that is damaged, and cut one byte after MaxProfile, which
// is too much for a profile.
func inflateProfile(body []byte) []byte {
	if len(body) < 1 || body[0] != 0 {
		return nil
	}
	z, err := zlib.NewReader(bytes.NewReader(body[1:]))
	if err != nil {
		return nil
	}
	icc, err := io.ReadAll(io.LimitReader(z, MaxProfile+1))
	if err != nil {
		return nil
	}
	return icc
}

// decodePNG decodes a frame of an animation, or the picture of a file that is none.
func decodePNG(ctx context.Context, data []byte, frame int) (*Surface, error) {
	if f := parseAPNG(data); f != nil {
		return f.frame(ctx, frame, func(n int) (*Surface, error) { return f.part(ctx, n) })
	}
	return decodePlainPNG(ctx, data)
}

func decodePlainPNG(ctx context.Context, data []byte) (*Surface, error) {
	m, err := stdpng.Decode(contextReader{ctx, bytes.NewReader(data)})
	if err != nil {
		return nil, err
	}
	return fromStd(ctx, m)
}

// contextReader fails when its context ends, so that decoders stop.
type contextReader struct {
	ctx context.Context
	r   *bytes.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// fromStd converts a picture of the standard library.
func fromStd(ctx context.Context, m stdimage.Image) (*Surface, error) {
	b := m.Bounds()
	if err := CheckSize(b.Dx(), b.Dy()); err != nil {
		return nil, err
	}
	s := New(b.Dx(), b.Dy())
	err := bands(ctx, s.Height, int64(len(s.Pix)), func(from, to int) error {
		for y := from; y < to; y++ {
			if y&63 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			stdRow(s.Row(y), m, b, y)
		}
		return nil
	})
	return s, err
}

func stdRow(dst []byte, m stdimage.Image, b stdimage.Rectangle, y int) {
	at := func(pix []byte, stride, bytes int) []byte { return pix[y*stride:][:bytes*b.Dx()] }
	switch m := m.(type) {
	case *stdimage.RGBA:
		copy(dst, at(m.Pix, m.Stride, 4))
	case *stdimage.NRGBA:
		copy(dst, at(m.Pix, m.Stride, 4))
		Premultiply(dst)
	case *stdimage.Gray:
		for x, v := range at(m.Pix, m.Stride, 1) {
			d := dst[4*x : 4*x+4 : 4*x+4]
			d[0], d[1], d[2], d[3] = v, v, v, 255
		}
	case *stdimage.Paletted:
		var palette [256][4]byte
		for i, c := range m.Palette {
			r, g, b, a := c.RGBA()
			palette[i] = [4]byte{round16(r), round16(g), round16(b), round16(a)}
		}
		for x, i := range at(m.Pix, m.Stride, 1) {
			copy(dst[4*x:], palette[i][:])
		}
	case *stdimage.NRGBA64:
		src := at(m.Pix, m.Stride, 8)
		for x := range b.Dx() {
			p := src[8*x : 8*x+8 : 8*x+8]
			for c := range 4 {
				dst[4*x+c] = round16(uint32(p[2*c])<<8 | uint32(p[2*c+1]))
			}
		}
		Premultiply(dst)
	default:
		for x := range b.Dx() {
			c := color.RGBA64Model.Convert(m.At(b.Min.X+x, b.Min.Y+y)).(color.RGBA64)
			d := dst[4*x : 4*x+4 : 4*x+4]
			d[0], d[1], d[2], d[3] = round16(uint32(c.R)), round16(uint32(c.G)), round16(uint32(c.B)), round16(uint32(c.A))
		}
	}
}

// round16 is a sample of 16 bits as one of 8.
func round16(v uint32) byte { return byte((v*255 + 32767) / 65535) }
