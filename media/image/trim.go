package image

import "context"

// TrimOptions say what the border of a picture is.
type TrimOptions struct {
	// Threshold is how much a channel of a border pixel may differ from the border's colour,
	// 0 to 255, with colours multiplied by alpha. DefaultTrim is what noise of JPEG needs.
	Threshold uint8
	// Colour is the straight colour of the border; nil means that of the upper left pixel.
	Colour *[4]uint8
}

// DefaultTrim is a threshold for pictures that were stored with loss.
const DefaultTrim = 10

// TrimBounds finds the smallest part of s outside of which all pixels are like the border.
// It is all of s when nothing else is in it.
func TrimBounds(ctx context.Context, s *Surface, o TrimOptions) (x, y, width, height int, err error) {
	var border [4]uint8
	if o.Colour != nil {
		border = *o.Colour
		Premultiply(border[:])
	} else {
		border = [4]uint8(s.Pix)
	}
	var lo, hi [4]uint8
	for c, v := range border {
		lo[c], hi[c] = v-min(v, o.Threshold), v+min(255-v, o.Threshold)
	}
	like := func(p []byte) bool {
		return p[0] >= lo[0] && p[0] <= hi[0] && p[1] >= lo[1] && p[1] <= hi[1] &&
			p[2] >= lo[2] && p[2] <= hi[2] && p[3] >= lo[3] && p[3] <= hi[3]
	}
	left, right, top, bottom := s.Width, -1, -1, -1
	for row := range s.Height {
		if row&63 == 0 && ctx.Err() != nil {
			return 0, 0, 0, 0, ctx.Err()
		}
		line := s.Row(row)
		first := 0
		for first < s.Width && like(line[4*first:4*first+4:4*first+4]) {
			first++
		}
		if first == s.Width {
			continue
		}
		last := s.Width - 1
		for last > right && like(line[4*last:4*last+4:4*last+4]) {
			last--
		}
		left, right = min(left, first), max(right, last)
		if top < 0 {
			top = row
		}
		bottom = row
	}
	if top < 0 {
		return 0, 0, s.Width, s.Height, nil
	}
	return left, top, right - left + 1, bottom - top + 1, nil
}

// Trim cuts the border off, and says where in s the result lay.
func Trim(ctx context.Context, s *Surface, o TrimOptions) (out *Surface, x, y int, err error) {
	x, y, width, height, err := TrimBounds(ctx, s, o)
	if err != nil {
		return nil, 0, 0, err
	}
	out, err = Crop(s, x, y, width, height)
	return out, x, y, err
}
