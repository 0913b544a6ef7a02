package jpeg

import mathbits "math/bits"

// finish transforms what a progressive file left as coefficients, and cuts the planes.
func (d *decoder) finish() (*Image, error) {
	n := 8 / d.scale
	im := &Image{Config: d.config(), Width: ceilDiv(d.width, d.scale), Height: ceilDiv(d.height, d.scale)}
	for i := range d.comps {
		c := &d.comps[i]
		if !c.seen {
			return nil, bad("a component has no scan")
		}
		if d.progressive {
			if c.bits[0] < 0 {
				return nil, bad("a component has no scan of its means")
			}
			if err := d.reconstruct(c); err != nil {
				return nil, err
			}
		}
		im.Planes = append(im.Planes, d.plane(c, n))
	}
	return im, nil
}

// reconstruct makes samples of the coefficients of a component.
func (d *decoder) reconstruct(c *component) error {
	n := 8 / d.scale
	c.pix = make([]byte, n*c.strideX*n*c.strideY)
	var q [64]int32
	for k := range 64 {
		q[unzig[k]] = d.quant[c.tq][k]
	}
	for by := range c.strideY {
		if d.ctx.Err() != nil {
			return d.ctx.Err()
		}
		for bx := range c.strideX {
			i := 64 * (by*c.strideX + bx)
			from := (*[64]int16)(c.coef[i : i+64])
			var coef [64]int32
			rest := int32(0)
			for k, v := range from {
				coef[k] = int32(v) * q[k]
				if k > 0 {
					rest |= int32(v)
				}
			}
			d.transform1(c, bx, by, &coef, int(rest))
		}
	}
	c.coef = nil
	return nil
}

// plane is the part of a component's samples that belongs to the picture. One whose
// sampling is not the picture's divided by 1, 2 or 4 is resampled to what is.
func (d *decoder) plane(c *component, n int) Plane {
	p := Plane{Pix: c.pix, Stride: n * c.strideX,
		Width: ceilDiv(ceilDiv(d.width*c.h, d.hMax), d.scale), Height: ceilDiv(ceilDiv(d.height*c.v, d.vMax), d.scale)}
	hRatio, vRatio := d.hMax/c.h, d.vMax/c.v
	if hRatio*c.h == d.hMax && vRatio*c.v == d.vMax && hRatio != 3 && vRatio != 3 {
		p.HShift, p.VShift = uint8(mathbits.TrailingZeros(uint(hRatio))), uint8(mathbits.TrailingZeros(uint(vRatio)))
		return p
	}
	w, h := ceilDiv(d.width, d.scale), ceilDiv(d.height, d.scale)
	out := Plane{Pix: make([]byte, w*h), Stride: w, Width: w, Height: h}
	for y := range h {
		from := p.Pix[min(y*c.v/d.vMax, p.Height-1)*p.Stride:]
		for x := range w {
			out.Pix[y*w+x] = from[min(x*c.h/d.hMax, p.Width-1)]
		}
	}
	return out
}
