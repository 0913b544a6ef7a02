package paint

import "encoding/binary"

// The loops of source-over. A word of 64 bits holds the four samples of a pixel, or every
// second one of two pixels, in lanes of 16 bits: one multiplication by a number up to 255 does
// all four, and none runs into its neighbour.
const (
	laneMask = 0x00FF00FF_00FF00FF
	laneHalf = 0x00800080_00800080
)

// lanes spreads a pixel: red, blue, green, alpha from the lowest lane.
func lanes(p uint32) uint64 {
	return uint64(p)&0x00FF00FF | uint64(p)<<24&0x00FF00FF_00000000
}

// pixelOf is the pixel that lanes spread.
func pixelOf(v uint64) uint32 { return uint32(v | v>>24) }

// over255 divides each lane, up to 255·255, by 255 and rounds.
func over255(v uint64) uint64 {
	v += laneHalf
	return (v + v>>8&laneMask) >> 8 & laneMask
}

// scalePixel is p·c/255.
func scalePixel(p uint32, c uint8) uint32 { return pixelOf(over255(lanes(p) * uint64(c))) }

// overRun puts one pixel over all of dst.
func overRun(dst []byte, p uint32) {
	n := uint64(255 - p>>24)
	switch n {
	case 0:
		fillRow(dst, p)
		return
	case 255:
		return // p is transparent black
	}
	s := uint64(p) | uint64(p)<<32
	for len(dst) >= 16 {
		d := dst[:16:16]
		v, w := binary.LittleEndian.Uint64(d), binary.LittleEndian.Uint64(d[8:])
		ve, vo := v&laneMask*n+laneHalf, v>>8&laneMask*n+laneHalf
		we, wo := w&laneMask*n+laneHalf, w>>8&laneMask*n+laneHalf
		v = (ve+ve>>8&laneMask)>>8&laneMask | (vo+vo>>8&laneMask)&^laneMask
		w = (we+we>>8&laneMask)>>8&laneMask | (wo+wo>>8&laneMask)&^laneMask
		binary.LittleEndian.PutUint64(d, v+s)
		binary.LittleEndian.PutUint64(d[8:], w+s)
		dst = dst[16:]
	}
	if len(dst) >= 8 {
		v := binary.LittleEndian.Uint64(dst)
		e, o := v&laneMask*n+laneHalf, v>>8&laneMask*n+laneHalf
		binary.LittleEndian.PutUint64(dst, s+((e+e>>8&laneMask)>>8&laneMask|(o+o>>8&laneMask)&^laneMask))
		dst = dst[8:]
	}
	if len(dst) >= 4 {
		d := binary.LittleEndian.Uint32(dst)
		binary.LittleEndian.PutUint32(dst, p+pixelOf(over255(lanes(d)*n)))
	}
}

// overColumn puts one pixel over n pixels of dst that are stride bytes apart.
func overColumn(dst []byte, stride, n int, p uint32) {
	k := uint64(255 - p>>24)
	for i := 0; n > 0; n-- {
		d := dst[i : i+4 : i+4]
		binary.LittleEndian.PutUint32(d, p+pixelOf(over255(lanes(binary.LittleEndian.Uint32(d))*k)))
		i += stride
	}
}

// overMask puts one pixel over dst, as much of it as cover says for each.
func overMask(dst []byte, p uint32, cover []uint8) {
	s := lanes(p)
	dst = dst[:4*len(cover)]
	for i := 0; i < len(cover); i++ {
		c := uint64(cover[i])
		d := dst[4*i : 4*i+4 : 4*i+4]
		switch {
		case c == 0:
			// Masks are empty in stretches.
			for i+9 <= len(cover) && binary.LittleEndian.Uint64(cover[i+1:]) == 0 {
				i += 8
			}
		case p < 0xFF000000:
			v := over255(s * c)
			binary.LittleEndian.PutUint32(d, pixelOf(v+over255(lanes(binary.LittleEndian.Uint32(d))*(255-v>>48))))
		case c == 255:
			binary.LittleEndian.PutUint32(d, p)
		default:
			// One rounding for both products.
			binary.LittleEndian.PutUint32(d, pixelOf(over255(s*c+lanes(binary.LittleEndian.Uint32(d))*(255-c))))
		}
	}
}

// overRow puts src over dst, which is as long.
func overRow(dst, src []byte) {
	const alphas = 0xFF000000_FF000000
	for len(src) >= 8 && len(dst) >= 8 {
		switch s := binary.LittleEndian.Uint64(src); {
		case s&alphas == alphas:
			binary.LittleEndian.PutUint64(dst, s)
		case s == 0:
		default:
			// Both pixels have an alpha of their own, everything but the product is common.
			d := binary.LittleEndian.Uint64(dst)
			m, n := 255-s>>24&255, 255-s>>56
			e, o := d&laneMask, d>>8&laneMask
			e = uint64(uint32(e))*m + e>>32*n<<32 + laneHalf
			o = uint64(uint32(o))*m + o>>32*n<<32 + laneHalf
			binary.LittleEndian.PutUint64(dst, s+((e+e>>8&laneMask)>>8&laneMask|(o+o>>8&laneMask)&^laneMask))
		}
		src, dst = src[8:], dst[8:]
	}
	if len(src) >= 4 && len(dst) >= 4 {
		p := binary.LittleEndian.Uint32(src)
		v := lanes(p) + over255(lanes(binary.LittleEndian.Uint32(dst))*uint64(255-p>>24))
		binary.LittleEndian.PutUint32(dst, pixelOf(v))
	}
}

// overRowMask puts src over dst, as much of it as cover says for each pixel.
func overRowMask(dst, src []byte, cover []uint8) {
	for len(cover) > 0 && len(dst) >= 4 && len(src) >= 4 {
		if c := uint64(cover[0]); c != 0 {
			p := binary.LittleEndian.Uint32(src)
			v := lanes(p)
			if c != 255 {
				v = over255(v * c)
			}
			if v>>48 != 255 {
				v += over255(lanes(binary.LittleEndian.Uint32(dst)) * (255 - v>>48))
			}
			binary.LittleEndian.PutUint32(dst, pixelOf(v))
		}
		cover, dst, src = cover[1:], dst[4:], src[4:]
	}
}

// scaleRun multiplies src by one coverage into dst, which may be src.
func scaleRun(dst, src []byte, c uint8) {
	k := uint64(c)
	for len(src) >= 8 && len(dst) >= 8 {
		v := binary.LittleEndian.Uint64(src)
		e, o := v&laneMask*k+laneHalf, v>>8&laneMask*k+laneHalf
		binary.LittleEndian.PutUint64(dst, (e+e>>8&laneMask)>>8&laneMask|(o+o>>8&laneMask)&^laneMask)
		src, dst = src[8:], dst[8:]
	}
	if len(src) >= 4 && len(dst) >= 4 {
		binary.LittleEndian.PutUint32(dst, scalePixel(binary.LittleEndian.Uint32(src), c))
	}
}

// scaleMask multiplies src by the coverage of each pixel into dst, which may be src.
func scaleMask(dst, src []byte, cover []uint8) {
	for len(cover) > 0 && len(dst) >= 4 && len(src) >= 4 {
		binary.LittleEndian.PutUint32(dst, scalePixel(binary.LittleEndian.Uint32(src), cover[0]))
		cover, dst, src = cover[1:], dst[4:], src[4:]
	}
}

// fullAlpha is an alpha of 1. A global alpha has 16 bits: one of 8 would be off by half a
// level, and nested ones by more.
const fullAlpha = 1 << 16

// scaleAlpha multiplies src by an alpha in fullAlpha into dst, which may be src.
func scaleAlpha(dst, src []byte, alpha uint32) {
	const mask, half = 0x000000FF_000000FF, 0x00008000_00008000
	k := uint64(alpha)
	for len(src) >= 4 && len(dst) >= 4 {
		p := uint64(binary.LittleEndian.Uint32(src))
		// Two lanes of 32 bits each: red and green, blue and alpha.
		a := (p&0xFF|p<<24&(0xFF<<32))*k + half
		b := (p>>16&0xFF|p<<8&(0xFF<<32))*k + half
		a, b = a>>16&mask, b>>16&mask
		binary.LittleEndian.PutUint32(dst, uint32(a|a>>24|b<<16|b>>8))
		src, dst = src[4:], dst[4:]
	}
}

// mixRow moves dst towards src, by as much of 255 as cover says for each pixel.
func mixRow(dst, src []byte, cover []uint8) {
	for len(cover) > 0 && len(dst) >= 4 && len(src) >= 4 {
		c := uint64(cover[0])
		v := lanes(binary.LittleEndian.Uint32(src))*c + lanes(binary.LittleEndian.Uint32(dst))*(255-c)
		binary.LittleEndian.PutUint32(dst, pixelOf(over255(v)))
		cover, dst, src = cover[1:], dst[4:], src[4:]
	}
}
