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

// Straight writes the samples of s without premultiplication to dst, which is as long as
// Pix and may be it. Transparent pixels become transparent black.
func (s *Surface) Straight(dst []byte) {
	// Neighbours are often equal, and three divisions take longer than to see that.
	var last, straight uint32
	for i := 0; i+4 <= len(s.Pix); i += 4 {
		v := binary.LittleEndian.Uint32(s.Pix[i:])
		a := v >> 24
		switch {
		case a == 255:
			binary.LittleEndian.PutUint32(dst[i:], v)
			continue
		case v == last:
		case a == 0:
			last, straight = v, 0
		default:
			half := a / 2
			r := min((v&255*255+half)/a, 255)
			g := min((v>>8&255*255+half)/a, 255)
			b := min((v>>16&255*255+half)/a, 255)
			last, straight = v, r|g<<8|b<<16|a<<24
		}
		binary.LittleEndian.PutUint32(dst[i:], straight)
	}
}
