package image

import (
	"encoding/binary"
	"fmt"
)

// Limits of every surface, decoded or made.
const (
	MaxEdge   = 16384    // pixels of width and height
	MaxPixels = 32 << 20 // pixels of one surface
)

// A Surface is a raster of 8-bit RGBA samples, sRGB, with colours premultiplied by alpha,
// rows from the top without gaps. It is not safe for concurrent writing.
type Surface struct {
	Width, Height int
	// Pix holds R, G, B, A of each pixel: 4·Width·Height bytes.
	Pix []byte
}

// CheckSize reports by a *SizeError that no surface may have this size.
func CheckSize(width, height int) error {
	if width < 1 || height < 1 || width > MaxEdge || height > MaxEdge || int64(width)*int64(height) > MaxPixels {
		return &SizeError{width, height}
	}
	return nil
}

// A SizeError says that no surface may have a size.
type SizeError struct{ Width, Height int }

func (e *SizeError) Error() string {
	switch {
	case e.Width < 1 || e.Height < 1:
		return fmt.Sprintf("width and height must be positive numbers, not %d×%d", e.Width, e.Height)
	case e.Width > MaxEdge || e.Height > MaxEdge:
		return fmt.Sprintf("%d×%d: no edge may exceed %d pixels", e.Width, e.Height, MaxEdge)
	}
	return fmt.Sprintf("%d×%d exceeds the limit of %d pixels", e.Width, e.Height, MaxPixels)
}

// New makes a transparent surface. The size must be one that CheckSize allows.
func New(width, height int) *Surface {
	if err := CheckSize(width, height); err != nil {
		panic("image: " + err.Error())
	}
	return &Surface{width, height, make([]byte, 4*width*height)}
}

// Row is row y.
func (s *Surface) Row(y int) []byte { return s.Pix[4*s.Width*y : 4*s.Width*(y+1)] }

// Clone is a copy.
func (s *Surface) Clone() *Surface {
	return &Surface{s.Width, s.Height, append([]byte(nil), s.Pix...)}
}

// Opaque reports whether no pixel is transparent.
func (s *Surface) Opaque() bool {
	// Four pixels at a time; this is asked of large pictures.
	const alphas = 0xFF000000_FF000000
	p := s.Pix
	for len(p) >= 16 {
		if binary.LittleEndian.Uint64(p)&binary.LittleEndian.Uint64(p[8:])&alphas != alphas {
			return false
		}
		p = p[16:]
	}
	for len(p) >= 4 {
		if p[3] != 255 {
			return false
		}
		p = p[4:]
	}
	return true
}

// muldiv255 is a·b/255, rounded.
func muldiv255(a, b uint32) uint32 {
	v := a*b + 128
	return (v + v>>8) >> 8
}

// Premultiply converts straight RGBA samples in place.
func Premultiply(pix []byte) {
	for i := 0; i+3 < len(pix); i += 4 {
		p := pix[i : i+4 : i+4]
		a := uint32(p[3])
		if a == 255 {
			continue
		}
		p[0], p[1], p[2] = byte(muldiv255(uint32(p[0]), a)), byte(muldiv255(uint32(p[1]), a)), byte(muldiv255(uint32(p[2]), a))
	}
}

// perAlpha are 255·2²⁴/alpha, rounded up: so close that a product with a sample up to alpha
// rounds like the quotient, and fits into 32 bits. 0 makes transparent pixels transparent black.
var perAlpha = func() (t [256]uint64) {
	for a := uint64(1); a < 256; a++ {
		t[a] = (255<<24 + a - 1) / a
	}
	return t
}()

// Straight writes the samples of s without premultiplication to dst, which is as long as
// Pix and may be it. Transparent pixels become transparent black.
func (s *Surface) Straight(dst []byte) {
	const alphas = 0xFF000000_FF000000
	src := s.Pix
	dst = dst[:len(src)]
	var last, lastStraight uint64 // two pixels
	for len(src) >= 16 && len(dst) >= 16 {
		v, w := binary.LittleEndian.Uint64(src), binary.LittleEndian.Uint64(src[8:])
		// Neighbours are often all opaque, all transparent, or the same as those before.
		if v&w&alphas != alphas {
			if (v|w)&alphas == 0 {
				v, w = 0, 0
			} else {
				if v != last {
					last, lastStraight = v, uint64(straight(uint32(v)))|uint64(straight(uint32(v>>32)))<<32
				}
				v = lastStraight
				if w != last {
					last, lastStraight = w, uint64(straight(uint32(w)))|uint64(straight(uint32(w>>32)))<<32
				}
				w = lastStraight
			}
		}
		binary.LittleEndian.PutUint64(dst, v)
		binary.LittleEndian.PutUint64(dst[8:], w)
		src, dst = src[16:], dst[16:]
	}
	for len(src) >= 4 && len(dst) >= 4 {
		binary.LittleEndian.PutUint32(dst, straight(binary.LittleEndian.Uint32(src)))
		src, dst = src[4:], dst[4:]
	}
}

// straight is a pixel without premultiplication.
func straight(v uint32) uint32 {
	const half = 1 << 23
	a := uint64(v >> 24)
	k := perAlpha[a]
	g := (uint64(v>>8&255)*k + half) >> 24
	r, b := uint64(v&255), uint64(v>>16&255)
	if max(r, b) > a || g > 255 {
		// Samples beyond alpha come from outside only.
		return uint32(min((r*k+half)>>24, 255) | min(g, 255)<<8 | min((b*k+half)>>24, 255)<<16 | a<<24)
	}
	rb := ((r|b<<32)*k + half<<32 + half) >> 24
	return uint32(rb&255 | g<<8 | rb>>16&0xFF0000 | a<<24)
}
