package image

import (
	"context"
	"encoding/binary"
)

// Before a kernel shrinks a picture a lot, means of 2 by 2 pixels halve it as long as at
// least preshrinkGap times the wanted size is left: the kernel then has a quarter of the
// work, and what the mean filters wrongly lies above what the kernel keeps. libvips does
// the same with the same gap by default.
const preshrinkGap = 2

// halvings is how often a line may be halved.
func halvings(size float64, n int, k Kernel) int {
	h := 0
	if k == Nearest || k == Box || k == Linear {
		return 0
	}
	for size/2 >= float64(preshrinkGap*n) {
		size /= 2
		h++
	}
	return h
}

func preshrinkSurface(s *Surface, part Rect, width, height int, k Kernel) (*Surface, Rect) {
	for n := min(halvings(part.Width, width, k), halvings(part.Height, height, k)); n > 0; n-- {
		out := New((s.Width+1)/2, (s.Height+1)/2)
		bands(context.Background(), out.Height, int64(len(out.Pix)), func(from, to int) error {
			for y := from; y < to; y++ {
				a := s.Row(2 * y)
				b := s.Row(min(2*y+1, s.Height-1))
				halveRGBA(out.Row(y), a, b)
			}
			return nil
		})
		s = out
		part = Rect{part.X / 2, part.Y / 2, part.Width / 2, part.Height / 2}
	}
	return s, part
}

func preshrinkPlane(p Plane, part Rect, width, height int, k Kernel) (Plane, Rect) {
	for n := min(halvings(part.Width, width, k), halvings(part.Height, height, k)); n > 0; n-- {
		out := Plane{Width: (p.Width + 1) / 2, Height: (p.Height + 1) / 2}
		out.Stride = out.Width
		out.Pix = make([]byte, out.Stride*out.Height)
		bands(context.Background(), out.Height, int64(len(out.Pix)), func(from, to int) error {
			for y := from; y < to; y++ {
				a := p.Pix[2*y*p.Stride:][:p.Width]
				b := p.Pix[min(2*y+1, p.Height-1)*p.Stride:][:p.Width]
				halveGray(out.Pix[y*out.Stride:][:out.Width], a, b)
			}
			return nil
		})
		p = out
		part = Rect{part.X / 2, part.Y / 2, part.Width / 2, part.Height / 2}
	}
	return p, part
}

// evenBytes masks every second byte, in 16-bit lanes.
const evenBytes = 0x00FF00FF_00FF00FF

// halveRGBA writes the means of 2 by 2 pixels of two rows.
func halveRGBA(dst, a, b []byte) {
	pairs := len(a) / 8
	for i := range pairs {
		p, q := binary.LittleEndian.Uint64(a[8*i:]), binary.LittleEndian.Uint64(b[8*i:])
		even := p&evenBytes + q&evenBytes
		odd := p>>8&evenBytes + q>>8&evenBytes
		even += even>>32 + 0x00020002
		odd += odd>>32 + 0x00020002
		binary.LittleEndian.PutUint32(dst[4*i:], uint32(even>>2&0x00FF00FF)|uint32(odd>>2&0x00FF00FF)<<8)
	}
	if 8*pairs < len(a) {
		for c := range 4 {
			dst[4*pairs+c] = byte((int(a[8*pairs+c]) + int(b[8*pairs+c]) + 1) / 2)
		}
	}
}

// halveGray is halveRGBA for single samples.
func halveGray(dst, a, b []byte) {
	x := 0
	for ; 2*x+8 <= len(a); x += 4 {
		p, q := binary.LittleEndian.Uint64(a[2*x:]), binary.LittleEndian.Uint64(b[2*x:])
		s := p&evenBytes + p>>8&evenBytes + q&evenBytes + q>>8&evenBytes + 0x0002000200020002
		s = s >> 2 & evenBytes
		dst[x], dst[x+1], dst[x+2], dst[x+3] = byte(s), byte(s>>16), byte(s>>32), byte(s>>48)
	}
	for ; x < len(dst); x++ {
		l, r := 2*x, min(2*x+1, len(a)-1)
		dst[x] = byte((int(a[l]) + int(a[r]) + int(b[l]) + int(b[r]) + 2) / 4)
	}
}
