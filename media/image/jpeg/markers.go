package jpeg

import (
	"bytes"
	"context"
	"encoding/binary"
)

// Markers of T.81, table B.1.
const (
	mSOF0 = 0xC0
	mSOF1 = 0xC1
	mSOF2 = 0xC2
	mDHT  = 0xC4
	mDAC  = 0xCC
	mRST0 = 0xD0
	mSOI  = 0xD8
	mEOI  = 0xD9
	mSOS  = 0xDA
	mDQT  = 0xDB
	mDNL  = 0xDC
	mDRI  = 0xDD
	mAPP0 = 0xE0
)

// component is one component of the frame.
type component struct {
	id, tq byte
	h, v   int // sampling factors
	// Blocks that hold samples, and those that the interleaved scan codes.
	blocksX, blocksY int
	strideX, strideY int
	coef             []int16 // progressive: 64 for each of strideX·strideY blocks, in natural order
	pix              []byte  // strideX·n by strideY·n samples, n = 8/scale
	dc               int32   // prediction
	dcTable, acTable byte
	seen             bool
	bits             [64]int8 // progressive: lowest bit still missing, -1 before the first scan
}

type decoder struct {
	ctx    context.Context
	data   []byte
	pos    int
	scale  int
	limits Limits

	width, height int
	progressive   bool
	comps         []component
	hMax, vMax    int
	mcusX, mcusY  int
	quant         [4][64]int32 // in the order of the file
	haveQuant     [4]bool
	huff          [2][4]*huffTable // DC, AC
	interval      int              // restart interval in MCUs
	adobe         bool
	transform     byte
	jfif          bool
	orientation   int
	icc           [][]byte
	scans         int
	buf           []byte // the entropy coded bytes of one interval, without stuffing
}

// header reads up to the first scan.
func (d *decoder) header() error {
	if len(d.data) < 4 || d.data[0] != 0xFF || d.data[1] != mSOI {
		return bad("it does not begin with a start marker")
	}
	d.pos = 2
	for {
		m, body, err := d.segment()
		if err != nil {
			return err
		}
		if m == mSOS {
			if d.comps == nil {
				return bad("a scan comes before the frame header")
			}
			d.pos -= len(body) + 4 // decode begins with it
			return nil
		}
		if m == mEOI {
			return bad("it has no picture")
		}
		if err := d.marker(m, body); err != nil {
			return err
		}
	}
}

// segment reads the next marker and the body of its segment.
func (d *decoder) segment() (m byte, body []byte, err error) {
	for {
		i := bytes.IndexByte(d.data[d.pos:], 0xFF)
		if i < 0 {
			return 0, nil, bad("it ends before its picture does")
		}
		d.pos += i + 1
		for d.pos < len(d.data) && d.data[d.pos] == 0xFF {
			d.pos++
		}
		if d.pos >= len(d.data) {
			return 0, nil, bad("it ends before its picture does")
		}
		m = d.data[d.pos]
		d.pos++
		switch {
		case m == 0, m == 1, m >= mRST0 && m < mRST0+8, m == mSOI:
			continue // bytes between segments; other decoders skip them as well
		case m == mEOI:
			return m, nil, nil
		}
		break
	}
	if d.pos+2 > len(d.data) {
		return 0, nil, bad("it ends inside of a marker segment")
	}
	n := int(binary.BigEndian.Uint16(d.data[d.pos:]))
	if n < 2 || d.pos+n > len(d.data) {
		return 0, nil, bad("a marker segment of %d bytes does not fit into it", n)
	}
	body = d.data[d.pos+2 : d.pos+n]
	d.pos += n
	return m, body, nil
}

// marker takes a segment that is no scan.
func (d *decoder) marker(m byte, b []byte) error {
	switch m {
	case mSOF0, mSOF1, mSOF2:
		return d.frame(m, b)
	case 0xC3, 0xC5, 0xC6, 0xC7, 0xCB, 0xCD, 0xCE, 0xCF:
		return bad("lossless and hierarchical files are not supported (marker %#x)", m)
	case 0xC9, 0xCA, mDAC:
		return bad("arithmetic coding is not supported")
	case mDHT:
		return d.huffman(b)
	case mDQT:
		return d.quantization(b)
	case mDRI:
		if len(b) != 2 {
			return bad("its restart interval is malformed")
		}
		d.interval = int(binary.BigEndian.Uint16(b))
	case mAPP0:
		d.jfif = d.jfif || bytes.HasPrefix(b, []byte("JFIF\x00"))
	case mAPP0 + 1:
		if rest, ok := bytes.CutPrefix(b, []byte("Exif\x00\x00")); ok && d.orientation == 0 {
			d.orientation = Orientation(rest)
		}
	case mAPP0 + 2:
		// ICC.1, annex B.4: pieces with their number and count.
		if rest, ok := bytes.CutPrefix(b, []byte("ICC_PROFILE\x00")); ok && len(rest) > 2 && len(d.icc) < 255 && int(rest[0]) == len(d.icc)+1 {
			d.icc = append(d.icc, rest[2:])
		}
	case mAPP0 + 14:
		if len(b) >= 12 && bytes.HasPrefix(b, []byte("Adobe")) {
			d.adobe, d.transform = true, b[11]
		}
	}
	return nil
}

func (d *decoder) frame(m byte, b []byte) error {
	switch {
	case d.comps != nil:
		return bad("it has two frame headers")
	case len(b) < 6:
		return bad("its frame header is cut short")
	case b[0] != 8:
		return bad("samples of %d bits are not supported, only of 8", b[0])
	}
	d.progressive = m == mSOF2
	d.height, d.width = int(binary.BigEndian.Uint16(b[1:])), int(binary.BigEndian.Uint16(b[3:]))
	if d.width == 0 || d.height == 0 {
		return bad("its size is %d×%d", d.width, d.height)
	}
	n := int(b[5])
	if n != 1 && n != 3 && n != 4 || len(b) != 6+3*n {
		return bad("it has %d components in a header of %d bytes", n, len(b))
	}
	comps := make([]component, n)
	blocks := 0
	for i := range comps {
		c := &comps[i]
		c.id, c.h, c.v, c.tq = b[6+3*i], int(b[7+3*i]>>4), int(b[7+3*i]&15), b[8+3*i]
		for k := range i {
			if comps[k].id == c.id {
				return bad("two components have the number %d", c.id)
			}
		}
		if c.h < 1 || c.h > 4 || c.v < 1 || c.v > 4 || c.tq > 3 {
			return bad("component %d has sampling factors %d×%d and table %d", i, c.h, c.v, c.tq)
		}
		if n == 1 {
			c.h, c.v = 1, 1 // a scan of one component is not interleaved, whatever they are (A.2.2)
		}
		blocks += c.h * c.v
		d.hMax, d.vMax = max(d.hMax, c.h), max(d.vMax, c.v)
		c.bits = unseen
	}
	d.mcusX, d.mcusY = ceilDiv(d.width, 8*d.hMax), ceilDiv(d.height, 8*d.vMax)
	for i := range comps {
		c := &comps[i]
		c.blocksX = ceilDiv(ceilDiv(d.width*c.h, d.hMax), 8)
		c.blocksY = ceilDiv(ceilDiv(d.height*c.v, d.vMax), 8)
		c.strideX, c.strideY = d.mcusX*c.h, d.mcusY*c.v
	}
	d.comps = comps
	return nil
}

var unseen = func() (b [64]int8) {
	for i := range b {
		b[i] = -1
	}
	return b
}()

func ceilDiv(a, b int) int { return (a + b - 1) / b }

func (d *decoder) quantization(b []byte) error {
	for len(b) > 0 {
		wide, id := int(b[0]>>4), b[0]&15
		n := 64 << wide
		if wide > 1 || id > 3 || len(b) < 1+n {
			return bad("its quantization table is malformed")
		}
		for i := range 64 {
			q := int32(b[1+i])
			if wide == 1 {
				q = int32(binary.BigEndian.Uint16(b[1+2*i:]))
			}
			d.quant[id][i] = q
		}
		d.haveQuant[id] = true
		b = b[1+n:]
	}
	return nil
}

func (d *decoder) huffman(b []byte) error {
	for len(b) > 0 {
		if len(b) < 17 {
			return bad("its Huffman table is cut short")
		}
		class, id := b[0]>>4, b[0]&15
		n := 0
		for _, c := range b[1:17] {
			n += int(c)
		}
		if class > 1 || id > 3 || n > 256 || len(b) < 17+n {
			return bad("its Huffman table is malformed")
		}
		t, err := newHuffTable(b[1:17], b[17:17+n], class == 0)
		if err != nil {
			return err
		}
		d.huff[class][id] = t
		b = b[17+n:]
	}
	return nil
}

func (d *decoder) config() Config {
	c := Config{Width: d.width, Height: d.height, Progressive: d.progressive, Orientation: d.orientation}
	switch len(d.comps) {
	case 1:
		c.Model = Gray
	case 3:
		// The rules of libjpeg: an Adobe marker says it, else the names of the components.
		named := d.comps[0].id == 'R' && d.comps[1].id == 'G' && d.comps[2].id == 'B'
		c.Model = YCbCr
		if !d.jfif && (d.adobe && d.transform == 0 || !d.adobe && named) {
			c.Model = RGB
		}
	case 4:
		c.Model = CMYK
		if d.adobe && d.transform == 2 {
			c.Model = YCCK
		}
		c.Inverted = d.adobe
	}
	c.ICC = bytes.Join(d.icc, nil)
	if len(c.ICC) == 0 {
		c.ICC = nil
	}
	for i := range d.comps {
		samples := int64(d.comps[i].strideX) * int64(d.comps[i].strideY) * 64
		if d.progressive {
			c.Memory += 2 * samples
		}
		if s := int64(max(d.scale, 1)); s > 0 {
			c.Memory += samples / (s * s)
		}
	}
	return c
}
