package zip

import (
	"context"
	"errors"
	"math/bits"
	"slices"
	"sync"
)

// inflater decodes Deflate (RFC 1951) from memory to memory whose size is known. That is all
// that an archive in memory needs, and is why it is faster than readers that keep a window
// and can stop after every byte: 50 MB of text take half of the time that
// klauspost/compress/flate takes. DESIGN.md has the figures.
//
// Tables hold for each value of the next bits an entry of 32 bits:
//
//	literal         1<<31 | byte<<16 | bits
//	length, offset  base<<16 | code bits<<8 | code and extra bits
//	others          1<<15, with 1<<14 and the place of a second table <<16, with 1<<13 for
//	                the end of a block, or alone for what is no code
type inflater struct {
	in  []byte
	pos int
	out []byte
	n   int // bytes of out that are there

	buf  uint64 // bits that were read, the next one lowest; above have there may be more
	have uint

	lit     [litTable]uint32
	off     [offTable]uint32
	lengths [maxLit + maxOff]uint8
	pre     [1 << preBits]uint32
	fixed   bool // lit and off are those of fixed codes
	// Masks of the bits that choose in second tables.
	litMore, offMore uint32
}

const (
	litBits = 11
	offBits = 8
	preBits = 7
	maxLit  = 288
	maxOff  = 32
	// A second table is as wide as the longest code needs, and there are at most half as many
	// of them as there are symbols: in a complete code at least two share their beginning.
	litTable = 1<<litBits + maxLit/2<<(15-litBits)
	offTable = 1<<offBits + maxOff/2<<(15-offBits)

	isLiteral = 1 << 31
	isOther   = 1 << 15
	isTable   = 1 << 14
	isEnd     = 1 << 13
)

var (
	errDamaged = errors.New("zip: the compressed data are damaged")
	errShort   = errors.New("zip: the compressed data end early")
	errLong    = errors.New("zip: there is more in the compressed data than there should be")
)

var inflaters = sync.Pool{New: func() any { return new(inflater) }}

// inflate fills out with what in, a whole Deflate stream, holds, and returns how many bytes
// of in that took. It is an error if out is not exactly filled.
func inflate(ctx context.Context, out, in []byte) (used int, err error) {
	d := inflaters.Get().(*inflater)
	d.in, d.pos, d.out, d.n, d.buf, d.have = in, 0, out, 0, 0, 0
	err = d.run(ctx)
	used = d.pos - int(d.have/8)
	if err == nil && d.n < len(out) {
		err = errShort
	}
	d.in, d.out = nil, nil
	inflaters.Put(d)
	return used, err
}

// need makes n bits available, n being at most 56.
func (d *inflater) need(n uint) error {
	for d.have < n {
		if d.pos == len(d.in) {
			return errShort
		}
		d.buf = d.buf&(1<<d.have-1) | uint64(d.in[d.pos])<<d.have
		d.pos++
		d.have += 8
	}
	return nil
}

// take is the next n bits, which are available.
func (d *inflater) take(n uint) uint {
	v := uint(d.buf & (1<<n - 1))
	d.buf >>= n
	d.have -= n
	return v
}

func (d *inflater) run(ctx context.Context) error {
	for last := false; !last; {
		if err := d.need(3); err != nil {
			return err
		}
		last = d.take(1) == 1
		var err error
		switch d.take(2) {
		case 0:
			err = d.stored()
		case 1:
			d.fixedCodes()
			err = d.block(ctx)
		case 2:
			if err = d.codes(); err == nil {
				err = d.block(ctx)
			}
		default:
			err = errDamaged
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *inflater) stored() error {
	d.take(d.have & 7)
	if err := d.need(32); err != nil {
		return err
	}
	n, not := int(d.take(16)), int(d.take(16))
	if n != not^0xffff {
		return errDamaged
	}
	d.pos -= int(d.have / 8) // whole bytes that were read ahead
	d.buf, d.have = 0, 0
	switch {
	case n > len(d.in)-d.pos:
		return errShort
	case n > len(d.out)-d.n:
		return errLong
	}
	copy(d.out[d.n:], d.in[d.pos:d.pos+n])
	d.n += n
	d.pos += n
	return nil
}

// preOrder is the order of the lengths of the code of lengths.
var preOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// codes reads the codes of a block.
func (d *inflater) codes() error {
	d.fixed = false
	if err := d.need(14); err != nil {
		return err
	}
	lits, offs, pres := int(d.take(5))+257, int(d.take(5))+1, int(d.take(4))+4
	if lits > 286 || offs > 30 {
		return errDamaged
	}
	var preLengths [19]uint8
	for _, i := range preOrder[:pres] {
		if err := d.need(3); err != nil {
			return err
		}
		preLengths[i] = uint8(d.take(3))
	}
	if !table(d.pre[:], preBits, preLengths[:], preEntries[:]) {
		return errDamaged
	}
	all := d.lengths[:lits+offs]
	for i := 0; i < len(all); {
		// A code of 7 bits and 7 more; at the very end of the input there may be fewer.
		if d.need(14) != nil && d.have == 0 {
			return errShort
		}
		if d.have < 14 {
			d.buf &= 1<<d.have - 1
		}
		e := d.pre[d.buf&(1<<preBits-1)]
		if e&isOther != 0 {
			return errDamaged
		}
		if uint(e&63) > d.have {
			return errShort
		}
		d.take(uint(e & 63))
		sym := e >> 16
		if sym < 16 {
			all[i] = uint8(sym)
			i++
			continue
		}
		var value uint8
		n, extra := 3, uint(2)
		switch sym {
		case 16:
			if i == 0 {
				return errDamaged
			}
			value = all[i-1]
		case 17:
			extra = 3
		case 18:
			n, extra = 11, 7
		}
		if extra > d.have {
			return errShort
		}
		if n += int(d.take(extra)); n > len(all)-i {
			return errDamaged
		}
		for range n {
			all[i] = value
			i++
		}
	}
	if all[256] == 0 || !table(d.lit[:], litBits, all[:lits], litEntries[:]) || !table(d.off[:], offBits, all[lits:], offEntries[:]) {
		return errDamaged
	}
	d.litMore, d.offMore = mask(all[:lits], litBits), mask(all[lits:], offBits)
	return nil
}

func (d *inflater) fixedCodes() {
	if d.fixed {
		return
	}
	l := d.lengths[:maxLit+maxOff]
	for i := range l {
		switch {
		case i < 144, i >= 280 && i < 288:
			l[i] = 8
		case i < 256:
			l[i] = 9
		case i < 280:
			l[i] = 7
		default:
			l[i] = 5
		}
	}
	table(d.lit[:], litBits, l[:maxLit], litEntries[:])
	table(d.off[:], offBits, l[maxLit:], offEntries[:])
	d.fixed = true
}

// Entries of symbols, without the bits of their codes; isOther for what is no symbol.
var (
	preEntries = func() (t [19]uint32) {
		for i := range t {
			t[i] = uint32(i) << 16
		}
		return t
	}()
	litEntries = func() (t [maxLit]uint32) {
		for i := range 256 {
			t[i] = isLiteral | uint32(i)<<16
		}
		t[256] = isOther | isEnd
		base, extra := uint32(3), uint32(0)
		for i := 257; i < 285; i++ {
			if i >= 265 && (i-265)%4 == 0 {
				extra++
			}
			t[i] = base<<16 | extra
			base += 1 << extra
		}
		t[285] = 258 << 16
		t[286], t[287] = isOther, isOther
		return t
	}()
	offEntries = func() (t [maxOff]uint32) {
		base, extra := uint32(1), uint32(0)
		for i := range 30 {
			if i >= 4 && i%2 == 0 {
				extra++
			}
			t[i] = base<<16 | extra
			base += 1 << extra
		}
		t[30], t[31] = isOther, isOther
		return t
	}()
)

// table fills a table for codes of the given lengths; those of more than width bits are in
// second tables behind the first. It reports false for lengths that make no code: too many
// codes, or too few, unless it is a single one of one bit or none at all.
func table(t []uint32, width uint, lengths []uint8, entries []uint32) bool {
	var count, next [16]uint16
	for _, l := range lengths {
		count[l]++
	}
	code, left, most := 0, 1, uint(0)
	for l := 1; l < 16; l++ {
		next[l] = uint16(code)
		code = (code + int(count[l])) << 1
		if left = left<<1 - int(count[l]); left < 0 {
			return false
		}
		if count[l] > 0 {
			most = uint(l)
		}
	}
	switch {
	case left > 0 && (most > 1 || most == 1 && count[1] != 1):
		return false
	case left > 0:
		for i := range 1 << width {
			t[i] = isOther
		}
	case most > width:
		clear(t[:1<<width]) // zero is a place without a second table
	}
	free := uint32(1) << width
	for sym, length := range lengths {
		if length == 0 {
			continue
		}
		l, e := uint(length), entries[sym]
		c := uint32(bits.Reverse16(next[l]) >> (16 - l))
		next[l]++
		if l <= width {
			e = withCode(e, l)
			for i := c; i < 1<<width; i += 1 << l {
				t[i] = e
			}
			continue
		}
		more, head := most-width, &t[c&(1<<width-1)]
		if *head == 0 {
			*head = isOther | isTable | free<<16 | uint32(width)
			free += 1 << more
		}
		at := *head >> 16
		e = withCode(e, l-width)
		for i := c >> width; i < 1<<more; i += 1 << (l - width) {
			t[at+i] = e
		}
	}
	return true
}

// mask is the bits that choose in the second tables of table.
func mask(lengths []uint8, width int) uint32 {
	return 1<<max(int(slices.Max(lengths))-width, 0) - 1
}

// withCode adds the bits of a code to the entry of its symbol.
func withCode(e uint32, n uint) uint32 {
	if e&(isLiteral|isOther) != 0 {
		return e | uint32(n)
	}
	return e + uint32(n)<<8 + uint32(n)
}

// block decodes the symbols of a block.
func (d *inflater) block(ctx context.Context) error {
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for stop := d.n + step; d.n < stop; {
			end, err := d.fast(min(stop, len(d.out)-outMargin))
			if !end && err == nil {
				end, err = d.symbol()
			}
			if end || err != nil {
				return err
			}
		}
	}
}

const (
	step      = 1 << 20 // bytes between two looks at the context
	inMargin  = 32      // of what one round of fast may read, which is three words
	outMargin = 320     // of what it may write: three bytes and a match, in words
)

// fast decodes while there is room enough on both sides to look at neither, and less than
// until bytes are there.
func (d *inflater) fast(until int) (end bool, err error) {
	in, out := d.in, d.out
	pos, n, buf, have := d.pos, d.n, d.buf, d.have
	litTab, offTab := &d.lit, &d.off
	litMore, offMore := d.litMore, d.offMore
	for last := len(in) - inMargin; pos <= last && n < until; {
		buf |= le.Uint64(in[pos:]) << (have & 63)
		pos += int((63 - have) >> 3)
		have |= 56
		e := litTab[buf&(1<<litBits-1)]
		if e&isLiteral != 0 {
			buf >>= e & 63
			have -= uint(e & 63)
			out[n] = byte(e >> 16)
			n++
			e = litTab[buf&(1<<litBits-1)]
			if e&isLiteral != 0 {
				buf >>= e & 63
				have -= uint(e & 63)
				out[n] = byte(e >> 16)
				n++
				e = litTab[buf&(1<<litBits-1)]
				if e&isLiteral != 0 {
					buf >>= e & 63
					have -= uint(e & 63)
					out[n] = byte(e >> 16)
					n++
					continue
				}
			}
			buf |= le.Uint64(in[pos:]) << (have & 63)
			pos += int((63 - have) >> 3)
			have |= 56
		}
		if e&isOther != 0 {
			if e&isTable != 0 {
				buf >>= litBits
				have -= litBits
				e = litTab[e>>16+uint32(buf)&litMore]
			}
			if e&isLiteral != 0 {
				buf >>= e & 63
				have -= uint(e & 63)
				out[n] = byte(e >> 16)
				n++
				continue
			}
			if e&isOther != 0 {
				if e&isEnd == 0 {
					return false, errDamaged
				}
				buf >>= e & 63
				have -= uint(e & 63)
				end = true
				break
			}
		}
		length := int(e>>16) + int(buf&(1<<(e&63)-1)>>(e>>8&15))
		buf >>= e & 63
		have -= uint(e & 63)
		e = offTab[buf&(1<<offBits-1)]
		if e&isOther != 0 {
			if e&isTable != 0 {
				buf >>= offBits
				have -= offBits
				e = offTab[e>>16+uint32(buf)&offMore]
			}
			if e&isOther != 0 {
				return false, errDamaged
			}
		}
		dist := int(e>>16) + int(buf&(1<<(e&63)-1)>>(e>>8&15))
		buf >>= e & 63
		have -= uint(e & 63)
		if dist > n {
			return false, errDamaged
		}
		from, to := n-dist, n+length
		if dist >= 8 && length <= 40 {
			// Whole words, which may reach beyond the match: what follows it is written later.
			for ; n < to; n += 8 {
				le.PutUint64(out[n:], le.Uint64(out[from:]))
				from += 8
			}
			n = to
			continue
		}
		for n < to {
			n += copy(out[n:to], out[from:n])
		}
	}
	d.pos, d.n, d.buf, d.have = pos, n, buf, have
	return end, nil
}

// symbol decodes one symbol and looks at all there is to look at.
func (d *inflater) symbol() (end bool, err error) {
	d.need(48) // or what is left
	e, err := d.code(d.lit[:], litBits, d.litMore)
	switch {
	case err != nil:
		return false, err
	case e&isLiteral != 0:
		if d.n == len(d.out) {
			return false, errLong
		}
		d.out[d.n] = byte(e >> 16)
		d.n++
		return false, nil
	case e&isOther != 0:
		return true, nil
	}
	length := int(e >> 16)
	if e, err = d.code(d.off[:], offBits, d.offMore); err != nil {
		return false, err
	}
	dist := int(e >> 16)
	switch {
	case dist > d.n:
		return false, errDamaged
	case length > len(d.out)-d.n:
		return false, errLong
	}
	from, to := d.n-dist, d.n+length
	for d.n < to {
		d.n += copy(d.out[d.n:to], d.out[from:d.n])
	}
	return false, nil
}

// code reads a code with its extra bits, and returns its entry with them added to the base.
// Of other entries only the end of a block is no error.
func (d *inflater) code(t []uint32, width uint, more uint32) (uint32, error) {
	e := t[d.buf&(1<<width-1)]
	if e&isOther != 0 && e&isTable != 0 {
		if width > d.have {
			return 0, errShort
		}
		d.take(width)
		e = t[e>>16+uint32(d.buf)&more]
	}
	n := uint(e & 63)
	switch {
	case e&isLiteral == 0 && e&isOther != 0 && e&isEnd == 0:
		return 0, errDamaged
	case n > d.have:
		return 0, errShort
	}
	v := d.take(n)
	if e&(isLiteral|isOther) == 0 {
		e += uint32(v>>(e>>8&15)) << 16
	}
	return e, nil
}
