package image

import (
	"bytes"
	"context"
	"encoding/binary"
	"time"
)

// animatePNG writes frames cut to what changed since the last one, which replace what is
// there. All have the colour type of the one that needs most, RGB or RGBA.
func animatePNG(ctx context.Context, frames []Frame, o AnimationOptions) ([]byte, error) {
	w, h := frames[0].Surface.Width, frames[0].Surface.Height
	colour := byte(2)
	for _, f := range frames {
		if !f.Surface.Opaque() {
			colour = 6
			break
		}
	}
	var b bytes.Buffer
	b.WriteString("\x89PNG\r\n\x1a\n")
	header := binary.BigEndian.AppendUint32(nil, uint32(w))
	header = binary.BigEndian.AppendUint32(header, uint32(h))
	pngChunk(&b, "IHDR", append(header, 8, colour, 0, 0, 0))
	control := binary.BigEndian.AppendUint32(nil, uint32(len(frames)))
	pngChunk(&b, "acTL", binary.BigEndian.AppendUint32(control, uint32(o.Plays)))
	sequence := uint32(0)
	next := func() []byte {
		sequence++
		return binary.BigEndian.AppendUint32(nil, sequence-1)
	}
	for i, f := range frames {
		r := area{0, 0, w, h}
		if i > 0 {
			if r = changed(frames[i-1].Surface, f.Surface); r.x0 >= r.x1 {
				r = area{0, 0, 1, 1} // a frame of nothing, for its delay
			}
		}
		part := f.Surface.part(r)
		raster := &pngRaster{width: part.Width, height: part.Height, depth: 8, colour: colour}
		raster.bpp = map[byte]int{2: 3, 6: 4}[colour]
		raster.line = raster.bpp * part.Width
		raster.row = func(dst []byte, y int) {
			line := Surface{part.Width, 1, part.Row(y)}
			if colour == 6 {
				line.Straight(dst)
				return
			}
			for x := range part.Width {
				copy(dst[3*x:3*x+3], line.Pix[4*x:])
			}
		}
		stream, err := raster.compress(ctx)
		if err != nil {
			return nil, err
		}
		c := next()
		for _, v := range []int{part.Width, part.Height, r.x0, r.y0} {
			c = binary.BigEndian.AppendUint32(c, uint32(v))
		}
		c = binary.BigEndian.AppendUint16(c, delayUnits(f.Delay, time.Millisecond))
		c = binary.BigEndian.AppendUint16(c, 1000)
		pngChunk(&b, "fcTL", append(c, 0, 0))
		if i == 0 {
			pngChunk(&b, "IDAT", stream)
		} else {
			pngChunk(&b, "fdAT", append(next(), stream...))
		}
	}
	pngChunk(&b, "IEND", nil)
	return b.Bytes(), nil
}

// part is a copy of a rectangle of s.
func (s *Surface) part(r area) *Surface {
	out := New(r.x1-r.x0, r.y1-r.y0)
	for y := range out.Height {
		copy(out.Row(y), s.Row(r.y0 + y)[4*r.x0:4*r.x1])
	}
	return out
}
