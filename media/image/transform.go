package image

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
)

// Crop is the part of s that begins at x, y. It must lie within s.
func Crop(s *Surface, x, y, width, height int) (*Surface, error) {
	if width < 1 || height < 1 || x < 0 || y < 0 || x > s.Width-width || y > s.Height-height {
		return nil, fmt.Errorf("%d×%d at %d,%d falls outside the %dx%d image", width, height, x, y, s.Width, s.Height)
	}
	out := New(width, height)
	for row := range height {
		copy(out.Row(row), s.Row(y + row)[4*x:])
	}
	return out, nil
}

// Flip mirrors s: left and right, top and bottom, or both.
func Flip(s *Surface, horizontal, vertical bool) *Surface {
	out := New(s.Width, s.Height)
	for y := range s.Height {
		from := y
		if vertical {
			from = s.Height - 1 - y
		}
		src, dst := s.Row(from), out.Row(y)
		if !horizontal {
			copy(dst, src)
			continue
		}
		for x := range s.Width {
			binary.LittleEndian.PutUint32(dst[4*x:], binary.LittleEndian.Uint32(src[4*(s.Width-1-x):]))
		}
	}
	return out
}

// Turn rotates s by quarter turns clockwise, without loss.
func Turn(s *Surface, quarters int) *Surface {
	switch quarters = ((quarters % 4) + 4) % 4; quarters {
	case 0:
		return s.Clone()
	case 2:
		return Flip(s, true, true)
	}
	out := New(s.Height, s.Width)
	// Blocks of 16 by 16 pixels stay in the cache, of which whole columns fall out.
	const block = 16
	for by := 0; by < s.Height; by += block {
		for bx := 0; bx < s.Width; bx += block {
			for y := by; y < min(by+block, s.Height); y++ {
				row := s.Row(y)
				for x := bx; x < min(bx+block, s.Width); x++ {
					dx, dy := s.Height-1-y, x
					if quarters == 3 {
						dx, dy = y, s.Width-1-x
					}
					binary.LittleEndian.PutUint32(out.Pix[4*(dy*out.Width+dx):], binary.LittleEndian.Uint32(row[4*x:]))
				}
			}
		}
	}
	return out
}

// Orient undoes an EXIF orientation (Exif 2.32, 4.6.4, tag 0x0112): 1 to 8; others mean 1.
func Orient(s *Surface, orientation int) *Surface {
	switch orientation {
	case 2:
		return Flip(s, true, false)
	case 3:
		return Turn(s, 2)
	case 4:
		return Flip(s, false, true)
	case 5:
		return Turn(Flip(s, false, true), 1)
	case 6:
		return Turn(s, 1)
	case 7:
		return Turn(Flip(s, true, false), 1)
	case 8:
		return Turn(s, 3)
	}
	return s
}

// Rotate turns s clockwise by degrees about its centre; the result is the bounding box.
// Multiples of 90 lose nothing, everything else is interpolated by a cubic on
// premultiplied pixels.
func Rotate(ctx context.Context, s *Surface, degrees float64) (*Surface, error) {
	if math.IsNaN(degrees) || math.IsInf(degrees, 0) {
		return nil, fmt.Errorf("degrees must be a number")
	}
	degrees = math.Mod(degrees, 360)
	if q := degrees / 90; q == math.Trunc(q) {
		return Turn(s, int(q)), nil
	}
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	w, h := float64(s.Width), float64(s.Height)
	width := max(1, int(math.Floor(w*math.Abs(cos)+h*math.Abs(sin)+0.5)))
	height := max(1, int(math.Floor(w*math.Abs(sin)+h*math.Abs(cos)+0.5)))
	if err := CheckSize(width, height); err != nil {
		return nil, err
	}
	out := New(width, height)
	err := bands(ctx, height, 64*int64(width)*int64(height), func(from, to int) error {
		for y := from; y < to; y++ {
			if y&15 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			row := out.Row(y)
			dy := float64(y) + 0.5 - float64(height)/2
			for x := range width {
				dx := float64(x) + 0.5 - float64(width)/2
				sx, sy := dx*cos+dy*sin+w/2-0.5, dy*cos-dx*sin+h/2-0.5
				if sx > -2 && sy > -2 && sx < w+1 && sy < h+1 {
					s.cubicAt(row[4*x:4*x+4], sx, sy)
				}
			}
		}
		return nil
	})
	return out, err
}

// cubicAt interpolates with Catmull and Rom's cubic; outside of s is transparent.
func (s *Surface) cubicAt(dst []byte, x, y float64) {
	x0, y0 := math.Floor(x), math.Floor(y)
	var wx, wy [4]float32
	for i := range 4 {
		wx[i] = float32(cubicTap(math.Abs(x - x0 + 1 - float64(i))))
		wy[i] = float32(cubicTap(math.Abs(y - y0 + 1 - float64(i))))
	}
	var sum [4]float32
	for j, ky := range wy {
		py := int(y0) - 1 + j
		if py < 0 || py >= s.Height {
			continue
		}
		row := s.Row(py)
		for i, kx := range wx {
			px := int(x0) - 1 + i
			if px < 0 || px >= s.Width {
				continue
			}
			p := row[4*px : 4*px+4 : 4*px+4]
			k := kx * ky
			sum[0] += k * float32(p[0])
			sum[1] += k * float32(p[1])
			sum[2] += k * float32(p[2])
			sum[3] += k * float32(p[3])
		}
	}
	a := clampFloat(sum[3])
	for c := range 3 {
		dst[c] = byte(min(max(sum[c], 0), a) + 0.5)
	}
	dst[3] = byte(a + 0.5)
}

func cubicTap(x float64) float64 {
	if x >= 2 {
		return 0
	}
	return cubic(x, 0, 0.5)
}

// Draw puts src on dst with its upper left corner at x, y, which may lie outside.
func Draw(dst, src *Surface, x, y int, mode BlendMode, opacity uint8) {
	if mode.ClearsOutside() {
		clear := make([]byte, 4*dst.Width)
		for row := range dst.Height {
			line := clear
			if sy := row - y; sy >= 0 && sy < src.Height {
				line = make([]byte, 4*dst.Width)
				from, to := max(x, 0), min(x+src.Width, dst.Width)
				if from < to {
					copy(line[4*from:4*to], src.Row(sy)[4*(from-x):])
				}
			}
			mode.Blend(dst.Row(row), line, opacity)
		}
		return
	}
	from, to := max(x, 0), min(x+src.Width, dst.Width)
	if from >= to {
		return
	}
	for row := max(y, 0); row < min(y+src.Height, dst.Height); row++ {
		mode.Blend(dst.Row(row)[4*from:4*to], src.Row(row - y)[4*(from-x):4*(to-x)], opacity)
	}
}

// Fill paints all of s with a straight colour, over what is there.
func Fill(s *Surface, colour [4]uint8, mode BlendMode) {
	p := colour
	Premultiply(p[:])
	line := make([]byte, 4*s.Width)
	for x := range s.Width {
		copy(line[4*x:], p[:])
	}
	for y := range s.Height {
		mode.Blend(s.Row(y), line, 255)
	}
}
