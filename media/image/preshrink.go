package image

import (
	"context"
	"encoding/binary"
)

// Before a kernel shrinks a picture a lot, means of two pixels halve it, in each direction
// as often as at least preshrinkGap times the wanted size is left. Each halving leaves the
// kernel half the work or less. What a mean takes from the frequencies that are kept,
// newWeights gives back, and what it lets through of the others lies where a kernel lets
// little through.
const preshrinkGap = 1.5

// halvings is how often a line may be halved.
func halvings(size float64, n int, k Kernel) int {
	h := 0
	if k == Nearest || k == Box || k == Linear {
		return 0
	}
	for size/2 >= preshrinkGap*float64(n) {
		size /= 2
		h++
	}
	return h
}

// A shrink is one step of pre-shrinking.
type shrink struct{ horizontal, vertical bool }

// shrinks are the steps for a part, and what they leave of it.
func shrinks(part Rect, width, height int, k Kernel) (steps []shrink, left Rect) {
	h, v := halvings(part.Width, width, k), halvings(part.Height, height, k)
	for i := range max(h, v) {
		step := shrink{i < h, i < v}
		if step.horizontal {
			part.X, part.Width = part.X/2, part.Width/2
		}
		if step.vertical {
			part.Y, part.Height = part.Y/2, part.Height/2
		}
		steps = append(steps, step)
	}
	return steps, part
}

// size is what a step leaves of a size.
func (s shrink) size(width, height int) (int, int) {
	if s.horizontal {
		width = (width + 1) / 2
	}
	if s.vertical {
		height = (height + 1) / 2
	}
	return width, height
}

// rows are those of the input that output row y comes from; they are the same without a
// vertical step.
func (s shrink) rows(y, height int) (a, b int) {
	if !s.vertical {
		return y, y
	}
	return 2 * y, min(2*y+1, height-1)
}

// halve makes a surface of half the size, rounded up, of means of 2 by 2 pixels, of two where
// step goes in one direction; where the last pixel has no neighbour it counts twice.
func halve(ctx context.Context, in *Surface, step shrink) (*Surface, error) {
	out := New(step.size(in.Width, in.Height))
	err := bands(ctx, out.Height, int64(len(out.Pix)), func(from, to int) error {
		for y := from; y < to; y++ {
			if y&63 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			a, b := step.rows(y, in.Height)
			if step.horizontal {
				halveRGBA(out.Row(y), in.Row(a), in.Row(b))
			} else {
				meanRows(out.Row(y), in.Row(a), in.Row(b))
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// preshrinkSurface halves s. It also says whether lines and columns were halved.
func preshrinkSurface(s *Surface, part Rect, width, height int, k Kernel) (out *Surface, left Rect, h, v bool) {
	steps, left := shrinks(part, width, height, k)
	for _, step := range steps {
		out, _ := halve(context.Background(), s, step) // which nothing stops
		s, h, v = out, h || step.horizontal, v || step.vertical
	}
	return s, left, h, v
}

// preshrinkPlane is preshrinkSurface for one channel.
func preshrinkPlane(p Plane, part Rect, width, height int, k Kernel) (out Plane, left Rect, h, v bool) {
	steps, left := shrinks(part, width, height, k)
	for _, step := range steps {
		in, out := p, Plane{}
		out.Width, out.Height = step.size(p.Width, p.Height)
		out.Stride = out.Width
		out.Pix = make([]byte, out.Stride*out.Height)
		bands(context.Background(), out.Height, int64(len(out.Pix)), func(from, to int) error {
			for y := from; y < to; y++ {
				a, b := step.rows(y, in.Height)
				dst, p, q := out.Pix[y*out.Stride:][:out.Width], in.Pix[a*in.Stride:][:in.Width], in.Pix[b*in.Stride:][:in.Width]
				if step.horizontal {
					halveGray(dst, p, q)
				} else {
					meanRows(dst, p, q)
				}
			}
			return nil
		})
		p, h, v = out, h || step.horizontal, v || step.vertical
	}
	return p, left, h, v
}

// evenBytes masks every second byte, in 16-bit lanes.
const evenBytes = 0x00FF00FF_00FF00FF

// Means of four are a mean of two rows, halves rounded up, and of two columns of that, halves
// rounded down: as many are rounded up as down, and no more than a level from the mean.

// meanUp and meanDown are the means of the bytes of two words.
func meanUp(p, q uint64) uint64   { return (p | q) - (p^q)>>1&0x7F7F7F7F_7F7F7F7F }
func meanDown(p, q uint64) uint64 { return (p & q) + (p^q)>>1&0x7F7F7F7F_7F7F7F7F }

// meanRows writes the means of two rows.
func meanRows(dst, a, b []byte) {
	for len(dst) >= 8 && len(a) >= 8 && len(b) >= 8 {
		binary.LittleEndian.PutUint64(dst, meanUp(binary.LittleEndian.Uint64(a), binary.LittleEndian.Uint64(b)))
		dst, a, b = dst[8:], a[8:], b[8:]
	}
	for x := range dst {
		dst[x] = byte((int(a[x]) + int(b[x]) + 1) / 2)
	}
}

// halveRGBA writes the means of 2 by 2 pixels of two rows. The last pixel of an odd row
// counts twice.
func halveRGBA(dst, a, b []byte) {
	for len(dst) >= 8 && len(a) >= 16 && len(b) >= 16 {
		m := meanUp(binary.LittleEndian.Uint64(a), binary.LittleEndian.Uint64(b))
		n := meanUp(binary.LittleEndian.Uint64(a[8:]), binary.LittleEndian.Uint64(b[8:]))
		binary.LittleEndian.PutUint64(dst, meanDown(m&0xFFFFFFFF|n<<32, m>>32|n&^0xFFFFFFFF))
		dst, a, b = dst[8:], a[16:], b[16:]
	}
	for x := 0; x+4 <= len(dst); x += 4 {
		r := min(2*x+4, len(a)-4)
		for c := range 4 {
			l, r := (int(a[2*x+c])+int(b[2*x+c])+1)/2, (int(a[r+c])+int(b[r+c])+1)/2
			dst[x+c] = byte((l + r) / 2)
		}
	}
}

// halveGray is halveRGBA for single samples.
func halveGray(dst, a, b []byte) {
	for len(dst) >= 4 && len(a) >= 8 && len(b) >= 8 {
		m := meanUp(binary.LittleEndian.Uint64(a), binary.LittleEndian.Uint64(b))
		m = (m&evenBytes + m>>8&evenBytes) >> 1 & evenBytes
		m = (m | m>>8) & 0x0000FFFF_0000FFFF
		binary.LittleEndian.PutUint32(dst, uint32(m|m>>16))
		dst, a, b = dst[4:], a[8:], b[8:]
	}
	for x := range dst {
		l, r := 2*x, min(2*x+1, len(a)-1)
		dst[x] = byte(((int(a[l])+int(b[l])+1)/2 + (int(a[r])+int(b[r])+1)/2) / 2)
	}
}
