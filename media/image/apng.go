package image

import (
	"bytes"
	"context"
	"encoding/binary"
	"time"
)

// Animated PNG is part of the third edition of the W3C's PNG recommendation (12.5): frames
// are rectangles, each the picture data of a PNG file without its header. They are decoded
// from files made of them.

type apngFile struct {
	animation
	header []byte // the body of IHDR
	shared []byte // the chunks that all frames need, palette and transparency
	data   [][][]byte
}

// parseAPNG reads the frames of an animation. It is nil for a file that is none or breaks the
// rules, which is shown as the plain file that it is, too.
func parseAPNG(data []byte) *apngFile {
	if len(data) < 33 || !bytes.Contains(data[:min(len(data), 1<<16)], []byte("acTL")) {
		return nil
	}
	f := &apngFile{header: data[16:29]}
	f.width, f.height = int(binary.BigEndian.Uint32(data[16:])), int(binary.BigEndian.Uint32(data[20:]))
	if CheckSize(f.width, f.height) != nil {
		return nil
	}
	started, pictures := false, false // after acTL, after IDAT
	sequence := uint32(0)
	next := func(body []byte) bool {
		ok := len(body) >= 4 && binary.BigEndian.Uint32(body) == sequence
		sequence++
		return ok
	}
	for at := 8; at+12 <= len(data); {
		n := uint64(binary.BigEndian.Uint32(data[at:]))
		if uint64(at)+12+n > uint64(len(data)) {
			break // frames that are whole are shown
		}
		whole := data[at : at+12+int(n)]
		name, body := string(whole[4:8]), whole[8:8+n]
		at += len(whole)
		last := len(f.parts) - 1
		switch name {
		case "IEND":
			at = len(data)
		case "PLTE", "tRNS", "gAMA", "sBIT":
			if !pictures {
				f.shared = append(f.shared, whole...)
			}
		case "acTL":
			if started || pictures || len(body) < 8 {
				return nil
			}
			started, f.plays = true, int(min(binary.BigEndian.Uint32(body[4:]), 1<<30))
		case "fcTL":
			if !started || len(body) < 26 || !next(body) {
				return nil
			}
			if last >= 0 && len(f.data[last]) == 0 {
				return nil // the frame before has no data
			}
			u := func(i int) int { return int(binary.BigEndian.Uint32(body[i:]) & 0x7FFFFFFF) }
			p := framePart{w: u(4), h: u(8), x: u(12), y: u(16), over: body[25] == 1}
			if int64(p.x)+int64(p.w) > int64(f.width) || int64(p.y)+int64(p.h) > int64(f.height) || body[24] > 2 || body[25] > 1 {
				return nil
			}
			if !pictures && (p.x != 0 || p.y != 0 || p.w != f.width || p.h != f.height) {
				return nil
			}
			num, den := time.Duration(binary.BigEndian.Uint16(body[20:])), time.Duration(binary.BigEndian.Uint16(body[22:]))
			if den == 0 {
				den = 100
			}
			p.delay = num * time.Second / den
			p.disposal = disposal(body[24])
			if len(f.parts) == 0 && p.disposal == disposePrevious {
				p.disposal = disposeClear
			}
			if f.add(p) != nil {
				return nil
			}
			f.data = append(f.data, nil)
		case "IDAT":
			pictures = true
			if last > 0 {
				return nil
			}
			if last == 0 {
				f.data[0] = append(f.data[0], body)
			}
		case "fdAT":
			if !pictures || last < 0 || !next(body) {
				return nil
			}
			f.data[last] = append(f.data[last], body[4:])
		}
	}
	for n := len(f.data); n > 0 && len(f.data[n-1]) == 0; n = len(f.data) {
		f.data, f.parts = f.data[:n-1], f.parts[:n-1]
	}
	if len(f.parts) == 0 {
		return nil
	}
	return f
}

func describeAPNG(data []byte, info *Info) {
	f := parseAPNG(data)
	if f == nil {
		return
	}
	f.describe(info)
	info.Alpha = true // frames can become transparent
	// The standard decoder's picture is in Scratch already; a frame is made into a file.
	info.Scratch += f.scratch() + int64(len(data))
}

// part decodes the rectangle of frame n.
func (f *apngFile) part(ctx context.Context, n int) (*Surface, error) {
	header := append([]byte(nil), f.header...)
	binary.BigEndian.PutUint32(header, uint32(f.parts[n].w))
	binary.BigEndian.PutUint32(header[4:], uint32(f.parts[n].h))
	var b bytes.Buffer
	b.WriteString("\x89PNG\r\n\x1a\n")
	pngChunk(&b, "IHDR", header)
	b.Write(f.shared)
	for _, d := range f.data[n] {
		pngChunk(&b, "IDAT", d)
	}
	pngChunk(&b, "IEND", nil)
	return decodePlainPNG(ctx, b.Bytes())
}

// pngFrames decodes the frames of an animation.
func pngFrames(ctx context.Context, data []byte, yield func(n int, s *Surface, delay time.Duration) error) error {
	f := parseAPNG(data)
	if f == nil {
		s, err := decodePlainPNG(ctx, data)
		if err != nil {
			return err
		}
		return yield(0, s, 0)
	}
	return f.compose(ctx, len(f.parts)-1, func(n int) (*Surface, error) { return f.part(ctx, n) }, func(n int, s *Surface) error {
		return yield(n, s, f.parts[n].delay)
	})
}
