package flac

import (
	"encoding/binary"
	"math/bits"
)

// A bitReader reads numbers, the highest bit first. Behind the end it reads zeros; whoever
// reads looks at over now and then, and before believing what was read.
type bitReader struct {
	buf []byte
	pos int // of the next byte that is not in the cache; it goes on behind the end
	// cache holds n bits at its upper end. Bits below them are what follows in buf, or zero.
	cache uint64
	n     uint
}

// over reports whether more was read than there is.
func (r *bitReader) over() bool { return r.pos*8-int(r.n) > len(r.buf)*8 }

// fill makes n at least 56.
func (r *bitReader) fill() {
	if r.pos+8 <= len(r.buf) {
		// Bits that do not fit are read again next time, to the same place.
		r.cache |= binary.BigEndian.Uint64(r.buf[r.pos:]) >> (r.n & 63)
		r.pos += int(63-r.n) >> 3
		r.n |= 56
		return
	}
	for r.n < 56 {
		if r.pos < len(r.buf) {
			r.cache |= uint64(r.buf[r.pos]) << (56 - r.n)
		}
		r.pos++
		r.n += 8
	}
}

// bits reads k bits, 0 to 56.
func (r *bitReader) bits(k uint) uint64 {
	if r.n < k {
		r.fill()
	}
	v := r.cache >> (64 - k)
	r.cache <<= k
	r.n -= k
	return v
}

// signed reads a number of k bits, 1 to 56, in two's complement.
func (r *bitReader) signed(k uint) int64 {
	if r.n < k {
		r.fill()
	}
	v := int64(r.cache) >> (64 - k)
	r.cache <<= k
	r.n -= k
	return v
}

// unary reads zeros up to a one, and returns how many there were. It stops behind the end.
func (r *bitReader) unary() (q uint) {
	for {
		if z := uint(bits.LeadingZeros64(r.cache)); z < r.n {
			r.cache <<= z + 1
			r.n -= z + 1
			return q + z
		}
		q += r.n
		r.cache, r.n = 0, 0
		if r.pos >= len(r.buf) {
			r.pos = len(r.buf) + 8 // over
			return q
		}
		r.fill()
	}
}

// align skips the rest of a byte, and returns the position of the next.
func (r *bitReader) align() int {
	r.cache <<= r.n & 7
	r.n &^= 7
	return r.pos - int(r.n/8)
}
