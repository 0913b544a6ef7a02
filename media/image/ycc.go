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

// Surface converts y to pixels.
func (y *YCC) Surface() *Surface {
	s := New(y.Width, y.Height)
	shift := func(p *Plane) (h, v uint8) {
		for w := y.Width; w > p.Width; w = (w + 1) / 2 {
			h++
		}
		for n := y.Height; n > p.Height; n = (n + 1) / 2 {
			v++
		}
		return h, v
	}
	im := &jpeg.Image{Config: jpeg.Config{Model: jpeg.YCbCr}, Width: y.Width, Height: y.Height}
	for _, p := range []*Plane{&y.Y, &y.Cb, &y.Cr} {
		h, v := shift(p)
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
