package image

import (
	"context"

	"quicksand/media/image/jpeg"
)

// YCC is an opaque picture as luma and chroma (ITU-R BT.601, full range): what a JPEG file
// holds. Shrinking it costs a third of what shrinking pixels does.
type YCC struct {
	Width, Height int
	Y, Cb, Cr     Plane
}

// Resize resamples the part of y within part. Chroma gets half the size, rounded up.
func (y *YCC) Resize(ctx context.Context, part Rect, width, height int, k Kernel) (*YCC, error) {
	out := &YCC{Width: width, Height: height}
	var err error
	if out.Y, err = ResizePlane(ctx, y.Y, part, width, height, k); err != nil {
		return nil, err
	}
	for i, p := range []*Plane{&y.Cb, &y.Cr} {
		sx, sy := float64(p.Width)/float64(y.Width), float64(p.Height)/float64(y.Height)
		to := []*Plane{&out.Cb, &out.Cr}[i]
		if *to, err = ResizePlane(ctx, *p, Rect{part.X * sx, part.Y * sy, part.Width * sx, part.Height * sy}, (width+1)/2, (height+1)/2, k); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// shifts are how often the width and the height of p are those of y halved, rounded up.
func (y *YCC) shifts(p *Plane) (h, v uint8) {
	for w := y.Width; w > p.Width; w = (w + 1) / 2 {
		h++
	}
	for n := y.Height; n > p.Height; n = (n + 1) / 2 {
		v++
	}
	return h, v
}

// factors are how many pixels in each direction share a sample of chroma, the most if Cb and
// Cr differ.
func (y *YCC) factors() (x, top int) {
	h, v := y.shifts(&y.Cb)
	h2, v2 := y.shifts(&y.Cr)
	return 1 << max(h, h2), 1 << max(v, v2)
}

// cut copies a part, which lies within y. It is nil where the part does not begin with a
// sample of chroma.
func (y *YCC) cut(x, top, width, height int) *YCC {
	if fx, fy := y.factors(); x%fx != 0 || top%fy != 0 {
		return nil
	}
	out := &YCC{Width: width, Height: height}
	for i, p := range []*Plane{&y.Y, &y.Cb, &y.Cr} {
		h, v := y.shifts(p)
		to := []*Plane{&out.Y, &out.Cb, &out.Cr}[i]
		to.Width, to.Height = (width+1<<h-1)>>h, (height+1<<v-1)>>v
		to.Stride = to.Width
		to.Pix = make([]byte, to.Stride*to.Height)
		for row := range to.Height {
			copy(to.Pix[row*to.Stride:][:to.Width], p.Pix[(top>>v+row)*p.Stride+x>>h:])
		}
	}
	return out
}

// orient undoes an EXIF orientation. It is nil where a mirrored edge does not end with a
// whole sample of chroma.
func (y *YCC) orient(orientation int) *YCC {
	if orientation == 1 {
		return y
	}
	fx, fy := y.factors()
	t := turns[orientation]
	if mirrorX, mirrorY := t[0]+t[2] < 0, t[1]+t[3] < 0; mirrorX && y.Width%fx != 0 || mirrorY && y.Height%fy != 0 {
		return nil
	}
	out := &YCC{Width: y.Width, Height: y.Height}
	if orientation >= 5 {
		out.Width, out.Height = y.Height, y.Width
	}
	for i, p := range []*Plane{&y.Y, &y.Cb, &y.Cr} {
		*[]*Plane{&out.Y, &out.Cb, &out.Cr}[i] = p.orient(orientation)
	}
	return out
}

// orient undoes an EXIF orientation.
func (p *Plane) orient(orientation int) Plane {
	out := Plane{Width: p.Width, Height: p.Height}
	if orientation >= 5 {
		out.Width, out.Height = p.Height, p.Width
	}
	out.Stride = out.Width
	out.Pix = make([]byte, out.Stride*out.Height)
	// Where the first sample goes, and how far its neighbours are from it.
	t := turns[orientation]
	first, right, down := 0, t[0]+t[2]*out.Stride, t[1]+t[3]*out.Stride
	if t[0]+t[1] < 0 {
		first += out.Width - 1
	}
	if t[2]+t[3] < 0 {
		first += (out.Height - 1) * out.Stride
	}
	// Blocks stay in the cache, of which whole columns fall out.
	const block = 32
	for by := 0; by < p.Height; by += block {
		for bx := 0; bx < p.Width; bx += block {
			for y := by; y < min(by+block, p.Height); y++ {
				row, at := p.Pix[y*p.Stride:], first+y*down+bx*right
				for x := bx; x < min(bx+block, p.Width); x++ {
					out.Pix[at] = row[x]
					at += right
				}
			}
		}
	}
	return out
}

// Surface converts y to pixels.
func (y *YCC) Surface() *Surface {
	s := New(y.Width, y.Height)
	im := &jpeg.Image{Config: jpeg.Config{Model: jpeg.YCbCr}, Width: y.Width, Height: y.Height}
	for _, p := range []*Plane{&y.Y, &y.Cb, &y.Cr} {
		h, v := y.shifts(p)
		im.Planes = append(im.Planes, jpeg.Plane{Pix: p.Pix, Stride: p.Stride, Width: p.Width, Height: p.Height, HShift: h, VShift: v})
	}
	bands(context.Background(), s.Height, int64(len(s.Pix)), func(from, to int) error {
		c := jpeg.NewConverter(im)
		for row := from; row < to; row++ {
			c.Row(s.Row(row), row)
		}
		return nil
	})
	return s
}
