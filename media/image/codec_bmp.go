package image

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// BMP is read from the headers of OS/2 (12 and 16 to 64 bytes) and Windows (40 to 124 bytes),
// with 1, 2, 4, 8, 16, 24 and 32 bits a pixel, masks, and both run-length codes. The package
// golang.org/x/image/bmp has neither run lengths nor 16 bits nor masks.

func init() {
	RegisterDecoder(BMP, Decoder{Config: bmpConfig, Decode: decodeBMP})
}

// Compression of a bitmap.
const (
	bmpRGB            = 0
	bmpRLE8           = 1
	bmpRLE4           = 2
	bmpBitfields      = 3
	bmpAlphaBitfields = 6
)

type bmpFile struct {
	width, height int
	topDown       bool
	bits          int
	compression   uint32
	palette       [256][4]byte
	colours       int
	masks         [4]uint32 // of R, G, B, A
	pixels        []byte
}

func bmpConfig(data []byte) (Info, error) {
	f, err := parseBMP(data)
	if err != nil {
		return Info{}, err
	}
	return Info{Format: BMP, Width: f.width, Height: f.height, Frames: 1, Depth: 8, Alpha: f.masks[3] != 0}, nil
}

// parseBMP reads the headers. Of a file whose size is not allowed it tells the size only.
func parseBMP(data []byte) (*bmpFile, error) {
	cut := errors.New("bmp: the header is cut short")
	if len(data) < 26 {
		return nil, cut
	}
	u16 := func(at int) int { return int(binary.LittleEndian.Uint16(data[at:])) }
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
	offset, header := u32(10), int64(u32(14))
	if header != 12 && (header < 16 || header > 124) {
		return nil, fmt.Errorf("bmp: a header of %d bytes", header)
	}
	if 14+header > int64(len(data)) {
		return nil, cut
	}
	f := &bmpFile{}
	var used uint32
	entry := 4
	if header == 12 {
		f.width, f.height, f.bits, entry = u16(18), u16(20), u16(24), 3
	} else {
		w, h := int64(int32(u32(18))), int64(int32(u32(22)))
		if h < 0 {
			f.topDown, h = true, -h
		}
		f.width, f.height, f.bits = int(w), int(h), u16(28)
		if header >= 20 {
			f.compression = u32(30)
		}
		if header >= 36 {
			used = u32(46)
		}
	}
	if CheckSize(f.width, f.height) != nil {
		return f, nil
	}
	at := 14 + int(header)
	ok := false
	switch f.compression {
	case bmpRGB:
		ok = f.bits == 1 || f.bits == 2 || f.bits == 4 || f.bits == 8 || f.bits == 16 || f.bits == 24 || f.bits == 32
	case bmpRLE8:
		ok = f.bits == 8 && !f.topDown
	case bmpRLE4:
		ok = f.bits == 4 && !f.topDown
	case bmpBitfields, bmpAlphaBitfields:
		ok = (f.bits == 16 || f.bits == 32) && header >= 40
	case 4, 5:
		return nil, errors.New("bmp: a JPEG or PNG within a bitmap is not supported")
	}
	if !ok {
		return nil, fmt.Errorf("bmp: compression %d of %d bits is not supported", f.compression, f.bits)
	}
	switch {
	case f.compression == bmpBitfields || f.compression == bmpAlphaBitfields:
		n := 3
		if header >= 56 || f.compression == bmpAlphaBitfields {
			n = 4
		}
		from := 54 // within the header, from the second version of it, and else behind
		if from+4*n > len(data) {
			return nil, cut
		}
		if header < 52 {
			at += 4 * n
		}
		for i := range n {
			f.masks[i] = u32(from + 4*i)
		}
		for i, m := range f.masks {
			if i < 3 && m == 0 || !contiguous(m) || f.bits == 16 && m > 0xFFFF {
				return nil, fmt.Errorf("bmp: mask 0x%08x is not supported", m)
			}
		}
	case f.bits == 16:
		f.masks = [4]uint32{0x7C00, 0x3E0, 0x1F, 0}
	case f.bits == 32:
		f.masks = [4]uint32{0xFF0000, 0xFF00, 0xFF, 0}
	}
	if f.bits <= 8 {
		n := 1 << f.bits
		if used > 0 && used < uint32(n) {
			n = int(used)
		}
		// The palette ends at the pixels where a file says so.
		if int64(offset) >= int64(at) {
			n = min(n, (int(min(int64(offset), int64(len(data))))-at)/entry)
		}
		if n < 1 || at+n*entry > len(data) {
			return nil, errors.New("bmp: the palette is cut short")
		}
		for i := range n {
			c := data[at+i*entry:]
			f.palette[i] = [4]byte{c[2], c[1], c[0], 255}
		}
		for i := n; i < 256; i++ {
			f.palette[i] = [4]byte{0, 0, 0, 255}
		}
		f.colours = n
	}
	if int64(offset) > int64(len(data)) || int64(offset) < 14+header {
		return nil, errors.New("bmp: the pixels are outside of the file")
	}
	f.pixels = data[offset:]
	if f.compression != bmpRLE4 && f.compression != bmpRLE8 && int64(f.stride())*int64(f.height) > int64(len(f.pixels)) {
		return nil, fmt.Errorf("bmp: the file is cut short: %d of %d bytes of pixels", len(f.pixels), int64(f.stride())*int64(f.height))
	}
	return f, nil
}

// contiguous reports whether the bits of m are next to each other.
func contiguous(m uint32) bool {
	m >>= uint(bits.TrailingZeros32(m)) & 31
	return m&(m+1) == 0
}

// stride is the size of a row, which is a multiple of four bytes.
func (f *bmpFile) stride() int { return (f.width*f.bits + 31) / 32 * 4 }

func decodeBMP(ctx context.Context, data []byte, _ int) (*Surface, error) {
	f, err := parseBMP(data)
	if err != nil {
		return nil, err
	}
	s := New(f.width, f.height)
	if f.compression == bmpRLE4 || f.compression == bmpRLE8 {
		return s, f.runs(ctx, s)
	}
	var channels [4]bmpChannel
	for i, m := range f.masks {
		channels[i] = newBMPChannel(m)
	}
	var seen byte // whether any alpha is not zero
	for y := range f.height {
		if y&63 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		src, dst := f.pixels[y*f.stride():][:f.stride()], s.Row(f.row(y))
		switch {
		case f.bits <= 8:
			mask := byte(1<<f.bits - 1)
			for x := range f.width {
				bit := x * f.bits
				i := src[bit>>3] >> (8 - f.bits - bit&7) & mask
				copy(dst[4*x:4*x+4], f.palette[i][:])
			}
		case f.bits == 24:
			for x := range f.width {
				p, d := src[3*x:3*x+3:3*x+3], dst[4*x:4*x+4:4*x+4]
				d[0], d[1], d[2], d[3] = p[2], p[1], p[0], 255
			}
		default:
			for x := range f.width {
				var v uint32
				if f.bits == 16 {
					v = uint32(binary.LittleEndian.Uint16(src[2*x:]))
				} else {
					v = binary.LittleEndian.Uint32(src[4*x:])
				}
				d := dst[4*x : 4*x+4 : 4*x+4]
				d[0], d[1], d[2], d[3] = channels[0].of(v), channels[1].of(v), channels[2].of(v), 255
				if f.masks[3] != 0 {
					d[3] = channels[3].of(v)
					seen |= d[3]
				}
			}
		}
	}
	if f.masks[3] != 0 {
		if seen == 0 {
			// Writers that know no alpha leave it zero.
			for i := 3; i < len(s.Pix); i += 4 {
				s.Pix[i] = 255
			}
		}
		Premultiply(s.Pix)
	}
	return s, nil
}

// row is where row y of the file is shown.
func (f *bmpFile) row(y int) int {
	if f.topDown {
		return y
	}
	return f.height - 1 - y
}

// A bmpChannel takes a channel of any width out of a pixel.
type bmpChannel struct {
	mask, most uint32
	shift      int
}

func newBMPChannel(mask uint32) bmpChannel {
	if mask == 0 {
		return bmpChannel{most: 1}
	}
	shift := bits.TrailingZeros32(mask)
	return bmpChannel{mask, mask >> shift, shift}
}

func (c bmpChannel) of(v uint32) byte {
	return byte((uint64(v&c.mask>>c.shift)*255 + uint64(c.most)/2) / uint64(c.most))
}

// runs decodes either run-length code. Pixels that a file jumps over have the first colour.
func (f *bmpFile) runs(ctx context.Context, s *Surface) error {
	for i := 0; i < len(s.Pix); i += 4 {
		copy(s.Pix[i:], f.palette[0][:])
	}
	src, x, y, steps := f.pixels, 0, 0, 0
	set := func(i byte) {
		if x < f.width && y < f.height {
			copy(s.Row(f.row(y))[4*x:4*x+4], f.palette[i][:])
		}
		x++
	}
	for y < f.height {
		if steps++; steps&0xFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if len(src) < 2 {
			return errors.New("bmp: the file is cut short")
		}
		n, v := int(src[0]), src[1]
		src = src[2:]
		switch {
		case n > 0:
			for i := range n {
				switch {
				case f.bits == 8:
					set(v)
				case i&1 == 0:
					set(v >> 4)
				default:
					set(v & 15)
				}
			}
		case v == 0: // the end of the line
			x, y = 0, y+1
		case v == 1: // the end of the picture
			return nil
		case v == 2: // a jump
			if len(src) < 2 {
				return errors.New("bmp: the file is cut short")
			}
			x, y = x+int(src[0]), y+int(src[1])
			src = src[2:]
		default: // v pixels as they are, padded to two bytes
			size := (int(v)*f.bits + 15) / 16 * 2
			if len(src) < size {
				return errors.New("bmp: the file is cut short")
			}
			for i := range int(v) {
				switch {
				case f.bits == 8:
					set(src[i])
				case i&1 == 0:
					set(src[i/2] >> 4)
				default:
					set(src[i/2] & 15)
				}
			}
			src = src[size:]
		}
	}
	return nil
}
