package jpeg

// AppendRow and the conversion below give straight RGBA rows of a decoded picture. Chroma
// of half the width or height is interpolated as the Independent JPEG Group's decoder does
// by default ("fancy upsampling": weights of ¾ and ¼), so that the results are the same to
// the bit; other ratios repeat samples.

// A Converter makes RGBA rows of an Image. It is not safe for concurrent use; several may
// read one Image.
type Converter struct {
	im   *Image
	rows [4][]byte // one row of each component at full width
	sum  []int32   // of two chroma rows
}

// NewConverter prepares the conversion of im.
func NewConverter(im *Image) *Converter {
	c := &Converter{im: im}
	for i := range im.Planes {
		c.rows[i] = make([]byte, im.Width+16)
	}
	return c
}

// Row writes row y as straight RGBA, 4·Width bytes.
func (c *Converter) Row(dst []byte, y int) {
	im := c.im
	w := im.Width
	dst = dst[:4*w]
	for i := range im.Planes {
		c.upsample(i, y)
	}
	switch im.Model {
	case Gray:
		for x, v := range c.rows[0][:w] {
			d := dst[4*x : 4*x+4 : 4*x+4]
			d[0], d[1], d[2], d[3] = v, v, v, 255
		}
	case RGB:
		r, g, b := c.rows[0][:w], c.rows[1][:w], c.rows[2][:w]
		for x := range r {
			d := dst[4*x : 4*x+4 : 4*x+4]
			d[0], d[1], d[2], d[3] = r[x], g[x], b[x], 255
		}
	case YCbCr:
		ycc(dst, c.rows[0][:w], c.rows[1][:w], c.rows[2][:w])
	case YCCK, CMYK:
		k := c.rows[3][:w]
		if im.Model == YCCK {
			ycc(dst, c.rows[0][:w], c.rows[1][:w], c.rows[2][:w])
		} else {
			p, q, r := c.rows[0][:w], c.rows[1][:w], c.rows[2][:w]
			for x := range k {
				d := dst[4*x : 4*x+4 : 4*x+4]
				d[0], d[1], d[2] = p[x], q[x], r[x]
			}
		}
		// With inverted inks a sample is what the ink lets through. YCCK is YCbCr of what
		// the inks take away, in files with inverted inks too.
		through := im.Inverted
		for x, black := range k {
			d := dst[4*x : 4*x+4 : 4*x+4]
			white := uint32(black)
			if !im.Inverted {
				white = 255 - white
			}
			for i := range 3 {
				v := uint32(d[i])
				if through == (im.Model == YCCK) {
					v = 255 - v
				}
				d[i] = byte((v*white + 127) / 255)
			}
			d[3] = 255
		}
	}
}

// ycc converts a row by ITU-R BT.601 in 16-bit fixed point.
func ycc(dst, yy, cb, cr []byte) {
	for x := range yy {
		l := int32(yy[x])
		b, r := int32(cb[x])-128, int32(cr[x])-128
		d := dst[4*x : 4*x+4 : 4*x+4]
		d[0] = clamp(l + (91881*r+1<<15)>>16)
		d[1] = clamp(l + (-22554*b-46802*r+1<<15)>>16)
		d[2] = clamp(l + (116130*b+1<<15)>>16)
		d[3] = 255
	}
}

func clamp(v int32) byte {
	if uint32(v) > 255 {
		return byte(^(v >> 31))
	}
	return byte(v)
}

// upsample writes the samples of component i for row y into c.rows.
func (c *Converter) upsample(i, y int) {
	p := &c.im.Planes[i]
	out, w := c.rows[i], c.im.Width
	row := func(y int) []byte {
		y = min(max(y, 0), p.Height-1)
		return p.Pix[y*p.Stride : y*p.Stride+p.Width]
	}
	// The nearer and the farther of the two rows around y.
	near, far := y>>1, y>>1-1+2*(y&1)
	switch {
	case p.HShift == 0 && p.VShift == 0:
		copy(out, row(y)[:w])
	case p.HShift == 1 && p.VShift == 0:
		halfWidth(out, row(y))
	case p.HShift == 0 && p.VShift == 1:
		a, b := row(near), row(far)
		bias := 1 + y&1
		for x := range a[:w] {
			out[x] = byte((3*int(a[x]) + int(b[x]) + bias) >> 2)
		}
	case p.HShift == 1 && p.VShift == 1:
		a, b := row(near), row(far)
		if len(c.sum) < p.Width {
			c.sum = make([]int32, p.Width)
		}
		for x := range a {
			c.sum[x] = 3*int32(a[x]) + int32(b[x])
		}
		quarter(out, c.sum[:p.Width])
	default:
		from := row(y >> p.VShift)
		for x := range out[:w] {
			out[x] = from[min(x>>p.HShift, len(from)-1)]
		}
	}
}

// halfWidth doubles a row.
func halfWidth(out, in []byte) {
	n := len(in)
	if n == 1 {
		out[0], out[1] = in[0], in[0]
		return
	}
	out[0], out[1] = in[0], byte((3*int(in[0])+int(in[1])+2)>>2)
	for x := 1; x < n-1; x++ {
		v := 3 * int(in[x])
		out[2*x], out[2*x+1] = byte((v+int(in[x-1])+1)>>2), byte((v+int(in[x+1])+2)>>2)
	}
	out[2*n-2], out[2*n-1] = byte((3*int(in[n-1])+int(in[n-2])+1)>>2), in[n-1]
}

// quarter doubles a row of sums of two rows.
func quarter(out []byte, in []int32) {
	n := len(in)
	if n == 1 {
		out[0], out[1] = byte((4*in[0]+8)>>4), byte((4*in[0]+7)>>4)
		return
	}
	out[0], out[1] = byte((4*in[0]+8)>>4), byte((3*in[0]+in[1]+7)>>4)
	for x := 1; x < n-1; x++ {
		v := 3 * in[x]
		out[2*x], out[2*x+1] = byte((v+in[x-1]+8)>>4), byte((v+in[x+1]+7)>>4)
	}
	out[2*n-2], out[2*n-1] = byte((3*in[n-1]+in[n-2]+8)>>4), byte((4*in[n-1]+7)>>4)
}
