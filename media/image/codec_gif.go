package image

import (
	"compress/lzw"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
)

// GIF is read by the GIF89a specification (CompuServe, 1990), with the looping extension of
// Netscape. Frames are decoded one at a time: image/gif keeps them all in memory.

func init() {
	decode, frames := animated(openGIF)
	RegisterDecoder(GIF, Decoder{Config: gifConfig, Decode: decode, Frames: frames})
}

type gifFile struct {
	animation
	frames []gifFrame
}

// A gifFrame is where the data of a frame is.
type gifFrame struct {
	palette     []byte // R, G, B of each colour
	transparent int    // index of the transparent colour, or -1
	interlaced  bool
	codeSize    int
	data        []byte // sub-blocks
}

func gifConfig(data []byte) (Info, error) {
	f, err := parseGIF(data)
	if err != nil {
		return Info{}, err
	}
	info := Info{Format: GIF, Width: f.width, Height: f.height, Frames: 1, Depth: 8, Alpha: true}
	f.describe(&info)
	info.Scratch = f.scratch() + 1<<16
	return info, nil
}

func openGIF(ctx context.Context, data []byte) (*animation, func(n int) (*Surface, error), error) {
	f, err := parseGIF(data)
	if err != nil {
		return nil, nil, err
	}
	if len(f.frames) == 0 {
		return nil, nil, errors.New("gif: no frames")
	}
	return &f.animation, func(n int) (*Surface, error) { return f.part(ctx, n) }, nil
}

// parseGIF walks over the blocks. Of a file whose size is not allowed it tells the size only.
// A file that is cut short has the frames before the cut.
func parseGIF(data []byte) (*gifFile, error) {
	cut := errors.New("gif: the file is cut short")
	if len(data) < 13 {
		return nil, cut
	}
	if v := string(data[:6]); v != "GIF87a" && v != "GIF89a" {
		return nil, errors.New("gif: unknown version")
	}
	f := &gifFile{animation: animation{width: int(binary.LittleEndian.Uint16(data[6:])), height: int(binary.LittleEndian.Uint16(data[8:])), plays: 1}}
	if CheckSize(f.width, f.height) != nil {
		return f, nil
	}
	at := 13
	palette := func(flags byte) ([]byte, bool) {
		if flags&0x80 == 0 {
			return nil, true
		}
		n := 3 << (flags&7 + 1)
		if at+n > len(data) {
			return nil, false
		}
		at += n
		return data[at-n : at], true
	}
	global, ok := palette(data[10])
	if !ok {
		return nil, cut
	}
	// blocks is a run of sub-blocks, with the empty one that ends it.
	blocks := func() ([]byte, bool) {
		from := at
		for at < len(data) {
			n := int(data[at])
			at += 1 + n
			if n == 0 {
				return data[from:at], true
			}
		}
		return nil, false
	}
	// done is for a file that is cut.
	done := func() (*gifFile, error) {
		if len(f.frames) == 0 {
			return nil, cut
		}
		return f, nil
	}
	part, transparent := framePart{over: true}, -1
	for at < len(data) {
		kind := data[at]
		at++
		switch kind {
		case 0x21: // extension
			if at >= len(data) {
				return done()
			}
			label := data[at]
			at++
			b, ok := blocks()
			if !ok {
				return done()
			}
			switch {
			case label == 0xF9 && len(b) >= 5 && b[0] == 4:
				part.delay = time.Duration(binary.LittleEndian.Uint16(b[2:])) * 10 * time.Millisecond
				part.disposal = [8]disposal{2: disposeClear, 3: disposePrevious, 4: disposePrevious}[b[1]>>2&7]
				if transparent = -1; b[1]&1 != 0 {
					transparent = int(b[4])
				}
			case label == 0xFF && len(b) >= 16 && string(b[1:12]) == "NETSCAPE2.0" && b[12] == 3 && b[13] == 1:
				if f.plays = int(binary.LittleEndian.Uint16(b[14:])); f.plays != 0 {
					f.plays++
				}
			}
		case 0x2C: // image
			if at+9 > len(data) {
				return done()
			}
			d := data[at : at+9]
			at += 9
			part.x, part.y = int(binary.LittleEndian.Uint16(d)), int(binary.LittleEndian.Uint16(d[2:]))
			part.w, part.h = int(binary.LittleEndian.Uint16(d[4:])), int(binary.LittleEndian.Uint16(d[6:]))
			local, ok := palette(d[8])
			if !ok || at >= len(data) {
				return done()
			}
			if local == nil {
				local = global
			}
			frame := gifFrame{palette: local, transparent: transparent, interlaced: d[8]&0x40 != 0, codeSize: int(data[at])}
			at++
			if frame.data, ok = blocks(); !ok {
				return done()
			}
			switch {
			case local == nil:
				return nil, errors.New("gif: a frame has no colours")
			case frame.codeSize < 2 || frame.codeSize > 8:
				return nil, fmt.Errorf("gif: codes of %d bits", frame.codeSize)
			}
			if err := f.add(part); err != nil {
				return nil, err
			}
			f.frames = append(f.frames, frame)
			part, transparent = framePart{over: true}, -1
		case 0x3B:
			return done()
		case 0: // padding that some encoders write
		default:
			if len(f.frames) > 0 {
				return f, nil
			}
			return nil, fmt.Errorf("gif: unknown block 0x%02x", kind)
		}
	}
	return done()
}

// part decodes the rectangle of frame n.
func (f *gifFile) part(ctx context.Context, n int) (*Surface, error) {
	frame, p := f.frames[n], f.parts[n]
	var colours [256][4]byte
	for i := range len(frame.palette) / 3 {
		c := frame.palette[3*i : 3*i+3]
		colours[i] = [4]byte{c[0], c[1], c[2], 255}
	}
	if frame.transparent >= 0 {
		colours[frame.transparent] = [4]byte{}
	}
	r := lzw.NewReader(&subBlocks{data: frame.data}, lzw.LSB, frame.codeSize)
	defer r.Close()
	s, row := New(p.w, p.h), make([]byte, p.w)
	line := func(y int) error {
		if y&63 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if _, err := io.ReadFull(r, row); err != nil {
			return fmt.Errorf("gif: the data of frame %d is damaged or too short", n)
		}
		dst := s.Row(y)
		for x, i := range row {
			copy(dst[4*x:4*x+4], colours[i][:])
		}
		return nil
	}
	passes := [][2]int{{0, 1}}
	if frame.interlaced {
		passes = [][2]int{{0, 8}, {4, 8}, {2, 4}, {1, 2}}
	}
	for _, pass := range passes {
		for y := pass[0]; y < p.h; y += pass[1] {
			if err := line(y); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// subBlocks reads the bytes in a run of sub-blocks.
type subBlocks struct {
	data []byte
	left int // of the current block
}

func (b *subBlocks) ReadByte() (byte, error) {
	if b.left == 0 {
		if len(b.data) == 0 || b.data[0] == 0 {
			return 0, io.EOF
		}
		b.left, b.data = int(b.data[0]), b.data[1:]
	}
	c := b.data[0]
	b.data, b.left = b.data[1:], b.left-1
	return c, nil
}

func (b *subBlocks) Read(p []byte) (int, error) {
	for i := range p {
		c, err := b.ReadByte()
		if err != nil {
			return i, err
		}
		p[i] = c
	}
	return len(p), nil
}
