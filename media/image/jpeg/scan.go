package jpeg

import (
	"bytes"
	"encoding/binary"
)

// unzig is the place in a block of each coefficient in the order of the file (T.81,
// figure A.6). What lies beyond 63 catches runs that leave the block.
var unzig = [64 + 16]uint8{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
	12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
	58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
	63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63,
}

// A scan is the header of one scan.
type scan struct {
	comps        []*component
	start, end   int  // spectral selection
	high, low    uint // successive approximation
	mcusX, mcusY int
	interleaved  bool
	eobRun       int32
	r            bits
}

// decode reads the scans and makes the picture.
func (d *decoder) decode() (*Image, error) {
	n := 8 / d.scale
	for i := range d.comps {
		c := &d.comps[i]
		if d.progressive {
			c.coef = make([]int16, 64*c.strideX*c.strideY)
		} else {
			c.pix = make([]byte, n*c.strideX*n*c.strideY)
		}
	}
	for {
		m, body, err := d.segment()
		if err != nil {
			return nil, err
		}
		switch m {
		case mSOS:
			err = d.scan(body)
		case mEOI:
			return d.finish()
		default:
			err = d.marker(m, body)
		}
		if err != nil {
			return nil, err
		}
		if !d.progressive && d.complete() {
			return d.finish() // whatever follows, a missing end marker included
		}
	}
}

func (d *decoder) complete() bool {
	for i := range d.comps {
		if !d.comps[i].seen {
			return false
		}
	}
	return true
}

// maxScans bounds the scans of a progressive file when Limits do not: 64 coefficients and
// 13 bits in three components are sent in fewer by any encoder.
const maxScans = 512

func (d *decoder) scan(b []byte) error {
	if d.scans++; d.scans > maxScans || d.limits.Scans > 0 && d.scans > d.limits.Scans {
		return bad("it has more than %d scans", d.scans-1)
	}
	s := scan{}
	if len(b) < 1 || b[0] < 1 || b[0] > 4 || len(b) != 4+2*int(b[0]) {
		return bad("a scan header is malformed")
	}
	n := int(b[0])
	blocks := 0
	for i := range n {
		id, tables := b[1+2*i], b[2+2*i]
		var c *component
		for k := range d.comps {
			if d.comps[k].id == id {
				c = &d.comps[k]
			}
		}
		if c == nil || tables>>4 > 3 || tables&15 > 3 {
			return bad("a scan names the component %d with tables %#x", id, tables)
		}
		for _, other := range s.comps {
			if other == c {
				return bad("a scan names a component twice")
			}
		}
		c.dcTable, c.acTable = tables>>4, tables&15
		blocks += c.h * c.v
		s.comps = append(s.comps, c)
	}
	s.start, s.end = int(b[1+2*n]), int(b[2+2*n])
	s.high, s.low = uint(b[3+2*n]>>4), uint(b[3+2*n]&15)
	if n > 1 && blocks > 10 {
		return bad("a scan has %d blocks in an MCU, more than 10", blocks)
	}
	s.interleaved = n > 1
	s.mcusX, s.mcusY = d.mcusX, d.mcusY
	if !s.interleaved {
		s.mcusX, s.mcusY = s.comps[0].blocksX, s.comps[0].blocksY
	}
	if d.progressive {
		if err := s.checkProgression(); err != nil {
			return err
		}
	} else {
		s.start, s.end, s.high, s.low = 0, 63, 0, 0 // some encoders write other things
	}
	for _, c := range s.comps {
		if !d.progressive && c.seen {
			return bad("a component is coded twice")
		}
		c.seen = true
		if s.start == 0 && s.high == 0 && d.huff[0][c.dcTable] == nil || s.end > 0 && d.huff[1][c.acTable] == nil {
			return bad("a scan uses a Huffman table that is not there")
		}
		if !d.haveQuant[c.tq] {
			return bad("a component uses a quantization table that is not there")
		}
	}
	return d.entropy(&s)
}

// checkProgression holds a scan to T.81, G.1.1.1, and notes what it brings.
func (s *scan) checkProgression() error {
	switch {
	case s.start > s.end || s.end > 63 || s.start == 0 && s.end != 0 || s.start > 0 && len(s.comps) > 1,
		s.high > 13 || s.low > 13 || s.high != 0 && s.high != s.low+1:
		return bad("a scan has the band %d–%d and the bits %d to %d", s.start, s.end, s.high, s.low)
	}
	for _, c := range s.comps {
		if s.start > 0 && c.bits[0] < 0 {
			return bad("a scan brings the coefficients of a component before its mean")
		}
		for k := s.start; k <= s.end; k++ {
			if s.high == 0 && c.bits[k] >= 0 || s.high > 0 && c.bits[k] != int8(s.high) {
				return bad("a scan brings bits of coefficient %d out of turn", k)
			}
			c.bits[k] = int8(s.low)
		}
	}
	return nil
}

// entropy decodes the entropy coded segments of a scan.
func (d *decoder) entropy(s *scan) error {
	total := s.mcusX * s.mcusY
	next := byte(0)
	for done := 0; done < total; {
		n := total - done
		if d.interval > 0 {
			n = min(n, d.interval)
		}
		if done > 0 {
			if err := d.restart(next); err != nil {
				return err
			}
			next = (next + 1) & 7
		}
		d.unstuff()
		s.r = bits{b: d.buf, end: 8 * uint(len(d.buf)-padding)}
		s.eobRun = 0
		for _, c := range s.comps {
			c.dc = 0
		}
		if err := d.mcus(s, done, n); err != nil {
			return err
		}
		done += n
	}
	return nil
}

// restart steps over the restart marker number n.
func (d *decoder) restart(n byte) error {
	if d.pos+2 > len(d.data) || d.data[d.pos] != 0xFF || d.data[d.pos+1] != mRST0+n {
		return bad("the restart marker %d is missing", n)
	}
	d.pos += 2
	return nil
}

// unstuff copies the bytes up to the next marker to buf, without the zeros behind 0xFF and
// with padding. That costs 0.3 ms for 4 MB, and lets the decoder load eight bytes anywhere.
func (d *decoder) unstuff() {
	buf := d.buf[:0]
	for {
		i := bytes.IndexByte(d.data[d.pos:], 0xFF)
		if i < 0 {
			buf = append(buf, d.data[d.pos:]...)
			d.pos = len(d.data)
			break
		}
		buf = append(buf, d.data[d.pos:d.pos+i]...)
		d.pos += i
		k := d.pos + 1
		for k < len(d.data) && d.data[k] == 0xFF {
			k++ // fill bytes in front of a marker
		}
		if k < len(d.data) && d.data[k] == 0 && k == d.pos+1 {
			buf = append(buf, 0xFF)
			d.pos += 2
			continue
		}
		if k > d.pos+1 {
			d.pos = k - 1
		}
		break
	}
	var zeros [padding]byte
	d.buf = append(buf, zeros[:]...)
}

// errShort is for entropy coded data that ends too early.
var errShort = formatError("its picture data ends early")

// errCode is for bits that are no code of the table.
var errCode = formatError("its picture data has a code that is not in its table")

// mcus decodes n MCUs from number first on.
func (d *decoder) mcus(s *scan, first, n int) error {
	x, y := first%s.mcusX, first/s.mcusX
	for range n {
		if x == 0 && d.ctx.Err() != nil {
			return d.ctx.Err()
		}
		if s.interleaved {
			for _, c := range s.comps {
				for by := range c.v {
					for bx := range c.h {
						if err := d.block(s, c, x*c.h+bx, y*c.v+by); err != nil {
							return err
						}
					}
				}
			}
		} else if err := d.block(s, s.comps[0], x, y); err != nil {
			return err
		}
		if x++; x == s.mcusX {
			x, y = 0, y+1
		}
	}
	return nil
}

// block decodes one block of a component.
func (d *decoder) block(s *scan, c *component, bx, by int) error {
	if d.progressive {
		i := 64 * (by*c.strideX + bx)
		if err := s.progressiveBlock(d, c, (*[64]int16)(c.coef[i:i+64])); err != nil {
			return err
		}
		if s.r.pos > s.r.end {
			return errShort
		}
		return nil
	}
	var coef [64]int32
	last, err := s.r.block(d.huff[0][c.dcTable], d.huff[1][c.acTable], &d.quant[c.tq], &c.dc, &coef, lastOf[8/d.scale])
	if err != nil {
		return err
	}
	if s.r.pos > s.r.end {
		return errShort
	}
	d.transform1(c, bx, by, &coef, last)
	return nil
}

// transform1 puts the samples of a block into its plane.
func (d *decoder) transform1(c *component, bx, by int, coef *[64]int32, last int) {
	n := 8 / d.scale
	stride := n * c.strideX
	out := c.pix[n*(by*stride+bx):]
	if last == 0 {
		fill(out, stride, n, coef[0])
		return
	}
	switch n {
	case 8:
		idct8(coef, out, stride)
	case 4:
		idct4(coef, out, stride)
	case 2:
		idct2(coef, out, stride)
	default:
		fill(out, stride, 1, coef[0])
	}
}

// lastOf is, by 8/scale, the last coefficient in the file's order that a transform to so
// many points uses.
var lastOf = [9]int{1: 0, 2: 4, 4: 24, 8: 63}

// block decodes and dequantizes a block of a sequential scan into coef, which is zero, in
// natural order. last is the index in the file's order of the last coefficient. Most of
// those behind keep are not in coef.
func (r *bits) block(dcTable, acTable *huffTable, q *[64]int32, pred *int32, coef *[64]int32, keep int) (last int, err error) {
	diff, ok := r.dc(dcTable)
	if !ok {
		return 0, errCode
	}
	*pred += diff
	coef[0] = *pred * q[0]
	pos, b := r.pos, r.b
	k := 1
	for k <= keep {
		w := binary.BigEndian.Uint64(b[pos>>3:]) << (pos & 7)
		used := uint(0)
		// 57 bits are there, and a symbol takes at most 31.
		for used <= 26 && k <= keep {
			e := acTable.look[w>>(64-lookBits)]
			if e&entryWhole != 0 {
				n := uint(e & 255)
				k += int(e >> 9 & 15)
				if k > 63 {
					return 0, errCode
				}
				coef[unzig[k]&63] = int32(e) >> 16 * q[k]
				last = k
				k++
				w <<= n & 63
				used += n
				continue
			}
			symbol, length := byte(e>>16), int(e&255)
			if length == 0 {
				if symbol, length = acTable.long(w); length == 0 {
					return 0, errCode
				}
			}
			used += uint(length)
			size := symbol & 15
			if size == 0 {
				if symbol != 0xF0 {
					r.pos = pos + used
					return last, nil
				}
				k += 16
				w <<= uint(length) & 63
				continue
			}
			if k += int(symbol >> 4); k > 63 {
				return 0, errCode
			}
			w <<= uint(length) & 63
			coef[unzig[k]&63] = extend(int32(w>>(64-size)), int(size)) * q[k]
			last = k
			k++
			w <<= size & 63
			used += uint(size)
		}
		pos += used
	}
	r.pos = pos
	if k < 64 && !r.pass(acTable, k) {
		return 0, errCode
	}
	return last, nil
}

// pass goes to the end of a block from coefficient k on, over several symbols at a time. It
// reports whether their codes are in the table.
func (r *bits) pass(t *huffTable, k int) bool {
	pos, b := r.pos, r.b
	for k < 64 {
		w := binary.BigEndian.Uint64(b[pos>>3:]) << (pos & 7)
		used := uint(0)
		for used <= 26 && k < 64 {
			e := uint(t.skip[w>>(64-lookBits)])
			n := e & 255
			// Symbols behind the end of the block are none of it: at the end one by one.
			if next := k + int(e>>skipShift); n != 0 && next < 64 {
				k = next
				if e&skipEnd != 0 {
					r.pos = pos + used + n
					return true
				}
				w <<= n & 63
				used += n
				continue
			}
			symbol, length := t.one(w)
			if length == 0 {
				return false
			}
			size := uint(symbol & 15)
			used += length + size
			if size == 0 && symbol != 0xF0 {
				r.pos = pos + used
				return true
			}
			if k += int(symbol >> 4); k > 63 && size > 0 {
				return false
			}
			k++
			w <<= length + size
		}
		pos += used
	}
	r.pos = pos
	return true
}
