package canvas

import (
	"context"
	"image"
	"sync"

	mediaimage "quicksand/media/image"
)

// ImageData draws what is to be drawn and returns the straight RGBA samples of a part of the
// surface, whose pixels outside are transparent. A negative width or height extends it to the
// other side. The size is one that CheckSize allows.
func (c *Context) ImageData(ctx context.Context, x, y, width, height int) ([]byte, error) {
	if width < 0 {
		x, width = x+width, -width
	}
	if height < 0 {
		y, height = y+height, -height
	}
	if err := mediaimage.CheckSize(width, height); err != nil {
		return nil, err
	}
	if err := c.Flush(ctx); err != nil {
		return nil, err
	}
	out := make([]byte, 4*width*height)
	const far = 1 << 30 // beyond any surface
	x, y = min(max(x, -far), far), min(max(y, -far), far)
	part := image.Rect(x, y, x+width, y+height).Intersect(image.Rect(0, 0, c.width, c.height))
	if c.surface == nil || part.Empty() {
		return out, nil
	}
	straighten := func(from, to int) {
		for row := from; row < to; row++ {
			pix := c.surface.Row(row)[4*part.Min.X : 4*part.Max.X]
			at := 4 * ((row-y)*width + part.Min.X - x)
			line := mediaimage.Surface{Width: part.Dx(), Height: 1, Pix: pix}
			line.Straight(out[at : at+len(pix)])
		}
	}
	// As large as a batch that is worth a goroutine.
	n := min(c.queue.threads, part.Dx()*part.Dy()/inlinePixels, part.Dy())
	if n < 2 {
		straighten(part.Min.Y, part.Max.Y)
		return out, nil
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { straighten(part.Min.Y+part.Dy()*i/n, part.Min.Y+part.Dy()*(i+1)/n) })
	}
	wg.Wait()
	return out, nil
}

// PutImageData replaces pixels by the part x, y, width, height of s, in its pixels, which
// comes to lie dx, dy from its place in s. Negative sizes extend the part to the other side.
// Neither clip nor any other state counts. s must not be changed until Flush.
func (c *Context) PutImageData(s *mediaimage.Surface, dx, dy, x, y, width, height int) {
	const far = 1 << 30
	for _, v := range []int{dx, dy, x, y, width, height} {
		if v < -far || v > far {
			return
		}
	}
	// image.Rect puts negative sizes right.
	part := image.Rect(x, y, x+width, y+height).Intersect(image.Rect(0, 0, s.Width, s.Height))
	by := image.Pt(dx, dy)
	target := part.Add(by).Intersect(image.Rect(0, 0, c.width, c.height))
	if target.Empty() || c.err != nil {
		return
	}
	part = target.Sub(by)
	if c.device != nil {
		c.draw(Draw{Kind: DrawPixels, Image: s, Source: rectOf(part), Target: rectOf(target)})
		return
	}
	c.begin()
	c.push(command{kind: putRows, bounds: target, picture: s, from: part.Min})
}

func rectOf(r image.Rectangle) mediaimage.Rect {
	return mediaimage.Rect{X: float64(r.Min.X), Y: float64(r.Min.Y), Width: float64(r.Dx()), Height: float64(r.Dy())}
}
