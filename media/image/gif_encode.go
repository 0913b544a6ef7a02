package image

import (
	"bytes"
	"compress/lzw"
	"context"
	"encoding/binary"
	"time"
)

// GIF is written with a palette for each frame, frames cut to what changed since the last
// one, and pixels that stay transparent.

func init() {
	RegisterEncoder(GIF, Encoder{Encode: encodeGIF, Animate: animateGIF, Alpha: true})
}

func encodeGIF(ctx context.Context, s *Surface, _ EncodeOptions) ([]byte, error) {
	return animateGIF(ctx, []Frame{{Surface: s}}, AnimationOptions{Plays: 1, Dither: true})
}

func animateGIF(ctx context.Context, frames []Frame, o AnimationOptions) ([]byte, error) {
	w, h := frames[0].Surface.Width, frames[0].Surface.Height
	var b bytes.Buffer
	b.WriteString("GIF89a")
	b.Write([]byte{byte(w), byte(w >> 8), byte(h), byte(h >> 8), 0x70, 0, 0}) // no palette for all
	if len(frames) > 1 && o.Plays != 1 {
		n := max(o.Plays-1, 0) // the file says how often it is repeated
		b.WriteString("\x21\xFF\x0BNETSCAPE2.0\x03\x01")
		b.Write([]byte{byte(n), byte(n >> 8), 0})
	}
	colors := o.Colors
	if colors == 0 {
		colors = 256
	}
	// A frame goes over the one before, unless a pixel has to become transparent, which only
	// clearing the one before does.
	var before *Surface // what is shown before the frame, nil for nothing
	for i, f := range frames {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := f.Surface
		r := area{0, 0, w, h}
		if before != nil {
			if r = changed(before, s); r.x0 >= r.x1 {
				r = area{0, 0, 1, 1} // a frame of nothing, for its delay
			}
		}
		clears := i+1 < len(frames) && vanishes(s, frames[i+1].Surface)
		if clears {
			// What is cleared is the rectangle of the frame: all of it.
			r = area{0, 0, w, h}
		}
		if err := writeGIFFrame(ctx, &b, s, before, r, f.Delay, clears, colors, o.Dither); err != nil {
			return nil, err
		}
		if before = s; clears {
			before = nil
		}
	}
	b.WriteByte(0x3B)
	return b.Bytes(), nil
}

// vanishes reports whether a pixel is drawn in a and transparent in b.
func vanishes(a, b *Surface) bool {
	for i := 3; i < len(a.Pix); i += 4 {
		if a.Pix[i] >= 128 && b.Pix[i] < 128 {
			return true
		}
	}
	return false
}

func writeGIFFrame(ctx context.Context, b *bytes.Buffer, s, before *Surface, r area, delay time.Duration, clears bool, colors int, dither bool) error {
	// same says that a pixel is shown already.
	var same func(x, y int) bool
	if before != nil {
		same = func(x, y int) bool {
			i := 4 * (y*s.Width + x)
			return string(s.Pix[i:i+4]) == string(before.Pix[i:i+4])
		}
	}
	holes := before != nil
	for y := r.y0; y < r.y1 && !holes; y++ {
		row := s.Row(y)
		for x := r.x0; x < r.x1 && !holes; x++ {
			holes = row[4*x+3] < 128
		}
	}
	if holes {
		colors--
	}
	palette, err := choosePalette(ctx, s, r, max(colors, 1), same)
	if err != nil {
		return err
	}
	transparent := len(palette) // the index behind them, if there are holes
	used := len(palette)
	if holes {
		used++
	}
	bits := 1
	for 1<<bits < used {
		bits++
	}
	indexes, err := gifIndexes(ctx, s, r, palette, uint8(transparent), same, dither)
	if err != nil {
		return err
	}
	flags := byte(1 << 2) // it stays
	if clears {
		flags = 2 << 2
	}
	if holes {
		flags |= 1
	}
	d := delayUnits(delay, 10*time.Millisecond)
	b.Write([]byte{0x21, 0xF9, 4, flags, byte(d), byte(d >> 8), byte(transparent), 0, 0x2C})
	for _, v := range []int{r.x0, r.y0, r.x1 - r.x0, r.y1 - r.y0} {
		b.Write(binary.LittleEndian.AppendUint16(nil, uint16(v)))
	}
	b.WriteByte(0x80 | byte(bits-1))
	table := make([]byte, 3<<bits)
	for i, c := range palette {
		copy(table[3*i:], c[:])
	}
	b.Write(table)
	size := max(bits, 2)
	b.WriteByte(byte(size))
	out := &subBlockWriter{b: b}
	lw := lzw.NewWriter(out, lzw.LSB, size)
	if _, err := lw.Write(indexes); err != nil {
		return err
	}
	if err := lw.Close(); err != nil {
		return err
	}
	out.close()
	return nil
}

// gifIndexes maps the pixels of r to colours.
func gifIndexes(ctx context.Context, s *Surface, r area, palette [][3]uint8, transparent uint8, same func(x, y int) bool, dither bool) ([]byte, error) {
	m, w := newMatcher(palette), r.x1-r.x0
	out := make([]byte, 0, w*(r.y1-r.y0))
	// Errors of this row and the next, in sixteenths, with a column on each side.
	errs := [2][]([3]int32){make([][3]int32, w+2), make([][3]int32, w+2)}
	for y := r.y0; y < r.y1; y++ {
		if y&63 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		row, now, next := s.Row(y), errs[0], errs[1]
		clear(next)
		for x := range w {
			c, opaque := gifColour(row[4*(r.x0+x):])
			if !opaque || same != nil && same(r.x0+x, y) {
				out = append(out, transparent)
				continue
			}
			if !dither {
				out = append(out, m.nearest(c))
				continue
			}
			var want [3]uint8
			for k := range 3 {
				want[k] = uint8(min(max(int32(c[k])+(now[x+1][k]+8)>>4, 0), 255))
			}
			i := m.nearest(want)
			out = append(out, i)
			for k := range 3 {
				e := int32(want[k]) - int32(palette[i][k])
				now[x+2][k] += 7 * e
				next[x][k] += 3 * e
				next[x+1][k] += 5 * e
				next[x+2][k] += e
			}
		}
		errs[0], errs[1] = next, now
	}
	return out, nil
}

// subBlockWriter writes runs of up to 255 bytes behind their length.
type subBlockWriter struct {
	b       *bytes.Buffer
	pending []byte
}

func (w *subBlockWriter) Write(p []byte) (int, error) {
	for _, c := range p {
		if w.pending = append(w.pending, c); len(w.pending) == 255 {
			w.flush()
		}
	}
	return len(p), nil
}

func (w *subBlockWriter) flush() {
	if len(w.pending) > 0 {
		w.b.WriteByte(byte(len(w.pending)))
		w.b.Write(w.pending)
		w.pending = w.pending[:0]
	}
}

func (w *subBlockWriter) close() {
	w.flush()
	w.b.WriteByte(0)
}
