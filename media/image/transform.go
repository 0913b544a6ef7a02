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
		rows := min(block, s.Height-by)
		for bx := 0; bx < s.Width; bx += block {
			for x := bx; x < min(bx+block, s.Width); x++ {
				// Column x of the block, from its upper or lower end, is a part of a row.
				at, step := 4*(by*s.Width+x), 4*s.Width
				dst := out.Pix[4*((s.Width-1-x)*out.Width+by):][:4*rows]
				if quarters == 1 {
					at, step = at+(rows-1)*step, -step
					dst = out.Pix[4*(x*out.Width+s.Height-by-rows):][:4*rows]
				}
				for len(dst) >= 4 {
					binary.LittleEndian.PutUint32(dst, binary.LittleEndian.Uint32(s.Pix[at:]))
					dst, at = dst[4:], at+step
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
	opaque := s.Opaque()
	err := bands(ctx, height, 16*int64(width)*int64(height), func(from, to int) error {
		// Steps to the right in the source, with 32 bits after the point.
		const one = 1 << 32
		stepX, stepY := int64(math.Round(cos*one)), int64(math.Round(-sin*one))
		// Blocks of 64 by 64 pixels come from a part of the source that stays in the cache.
		const block = 64
		for top := from; top < to; top += block {
			for left := 0; left < width; left += block {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				for y := top; y < min(top+block, to); y++ {
					row := out.Row(y)
					dx, dy := float64(left)+0.5-float64(width)/2, float64(y)+0.5-float64(height)/2
					fx, fy := int64(math.Round((dx*cos+dy*sin+w/2-0.5)*one)), int64(math.Round((dy*cos-dx*sin+h/2-0.5)*one))
					for x := left; x < min(left+block, width); x++ {
						x0, y0 := int(fx>>32), int(fy>>32)
						switch {
						case x0 >= 1 && y0 >= 1 && x0+2 < s.Width && y0+2 < s.Height:
							s.cubicInside(row[4*x:4*x+4:4*x+4], x0, y0, &cubicPhases[fx>>24&255], &cubicPhases[fy>>24&255], opaque)
						case x0 >= -2 && y0 >= -2 && x0 <= s.Width && y0 <= s.Height:
							s.cubicAt(row[4*x:4*x+4:4*x+4], x0, y0, int(fx>>24&255), int(fy>>24&255))
						}
						fx, fy = fx+stepX, fy+stepY
					}
				}
			}
		}
		return nil
	})
	return out, err
}

// cubicPhases are the weights of four neighbours, in 1<<weightBits, for 256 places between
// the second and the third.
var cubicPhases = func() (t [256][4]uint64) {
	for p := range t {
		var f [4]float64
		for i := range f {
			if x := math.Abs(float64(p)/256 + 1 - float64(i)); x < 2 {
				f[i] = cubic(x, 0, 0.5)
			}
		}
		quantizeWeights(t[p][:], f[:], 1)
	}
	return t
}()

// cubicInside interpolates with Catmull and Rom's cubic between pixels that are all in s;
// see resample.go for how.
func (s *Surface) cubicInside(d []byte, x0, y0 int, wx, wy *[4]uint64, opaque bool) {
	at, acc, alpha := 4*((y0-1)*s.Width+x0-1), uint64(accStart), uint64(accStart)
	for _, f := range wy {
		q := s.Pix[at : at+16 : at+16]
		a, b := binary.LittleEndian.Uint64(q), binary.LittleEndian.Uint64(q[8:])
		acc += f * settle(accStart+spread(a)*wx[0]+spread(a>>32)*wx[1]+spread(b)*wx[2]+spread(b>>32)*wx[3])
		if !opaque {
			alpha += f * settle(accStart+a>>24&0xFF*wx[0]+a>>56*wx[1]+b>>24&0xFF*wx[2]+b>>56*wx[3])
		}
		at += 4 * s.Width
	}
	v, k := settle(acc), byte(255)
	if !opaque {
		k = byte(settle(alpha))
	}
	d[0], d[1], d[2], d[3] = min(byte(v), k), min(byte(v>>laneBits), k), min(byte(v>>(2*laneBits)), k), k
}

// cubicAt is cubicInside at the edge: outside of s is transparent.
func (s *Surface) cubicAt(d []byte, x0, y0, px, py int) {
	var near [4 * 16]byte
	for j := range 4 {
		if y := y0 - 1 + j; y >= 0 && y < s.Height {
			for i := range 4 {
				if x := x0 - 1 + i; x >= 0 && x < s.Width {
					copy(near[16*j+4*i:][:4], s.Pix[4*(y*s.Width+x):])
				}
			}
		}
	}
	patch := Surface{4, 4, near[:]}
	patch.cubicInside(d, 1, 1, &cubicPhases[px], &cubicPhases[py], false)
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
