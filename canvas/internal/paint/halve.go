package paint

import (
	"encoding/binary"

	pix "quicksand/media/image"
)

// halve makes a surface of half the size, rounded down, as browsers do: a pixel is the mean of
// two in each direction, or, where the size is odd, of three that count 1, 2 and 1, of which
// neighbours share the outer ones. What is below a level is cut off, as it is there; it is the
// half of 0.75 levels.
func halve(s *pix.Surface) *pix.Surface {
	out := pix.New(max(s.Width/2, 1), max(s.Height/2, 1))
	across, down := taps(s.Width), taps(s.Height)
	shift := across + down
	if across == 1 && down == 1 {
		for y := range out.Height {
			quarter(out.Row(y), s.Row(2*y), s.Row(2*y+1))
		}
		return out
	}
	// Columns of sums, in lanes of 16 bits, which hold 16 times 255.
	sums := make([]uint64, s.Width)
	for y := range out.Height {
		top := s.Row(2 * y)
		switch down {
		case 0:
			for i := range sums {
				sums[i] = lanes(binary.LittleEndian.Uint32(top[4*i:]))
			}
		case 1:
			below := s.Row(2*y + 1)
			for i := range sums {
				sums[i] = lanes(binary.LittleEndian.Uint32(top[4*i:])) + lanes(binary.LittleEndian.Uint32(below[4*i:]))
			}
		case 2:
			middle, below := s.Row(2*y+1), s.Row(2*y+2)
			for i := range sums {
				sums[i] = lanes(binary.LittleEndian.Uint32(top[4*i:])) + 2*lanes(binary.LittleEndian.Uint32(middle[4*i:])) + lanes(binary.LittleEndian.Uint32(below[4*i:]))
			}
		}
		row := out.Row(y)
		for i := range out.Width {
			v := sums[2*i]
			switch across {
			case 1:
				v += sums[2*i+1]
			case 2:
				v += 2*sums[2*i+1] + sums[2*i+2]
			}
			binary.LittleEndian.PutUint32(row[4*i:], pixelOf(v>>shift&laneMask))
		}
	}
	return out
}

// quarter is halve for even sizes, a row.
func quarter(dst, top, below []byte) {
	const mask = 0x00FF00FF_00FF00FF
	for len(dst) >= 4 && len(top) >= 8 && len(below) >= 8 {
		a, b := binary.LittleEndian.Uint64(top), binary.LittleEndian.Uint64(below)
		rb, ga := a&mask+b&mask, a>>8&mask+b>>8&mask
		rb, ga = (rb+rb>>32)>>2&0x00FF00FF, (ga+ga>>32)>>2&0x00FF00FF
		binary.LittleEndian.PutUint32(dst, uint32(rb|ga<<8))
		dst, top, below = dst[4:], top[8:], below[8:]
	}
}

// taps is of how many pixels, as a power of two, one of a halved size is the mean.
func taps(n int) int {
	switch {
	case n == 1:
		return 0
	case n%2 == 0:
		return 1
	}
	return 2
}
