package mp3

import "encoding/binary"

// bitReader reads bits, the most significant first. Behind data there must be slack bytes that
// do not count, so that a word can be loaded anywhere; it never reads behind those.
type bitReader struct {
	data []byte // with the slack
	pos  int    // in bits
}

const slack = 8

// peek is the next bits, at least 57 of them, at the top of a word.
func (r *bitReader) peek() uint64 {
	i := min(r.pos>>3, len(r.data)-slack)
	return binary.BigEndian.Uint64(r.data[i:]) << (r.pos & 7)
}

// bits reads n of them, 0 to 32.
func (r *bitReader) bits(n int) int {
	v := r.peek() >> 1 >> (63 - n)
	r.pos += n
	return int(v)
}

func (r *bitReader) bit() bool { return r.bits(1) != 0 }
