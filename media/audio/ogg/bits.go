package ogg

import "encoding/binary"

// bitReader reads the bits of a packet of Vorbis, the least significant first (Vorbis I §2).
// Behind the end all are 0, and over is true.
type bitReader struct {
	data []byte
	pos  int // in bits
}

// peek is the next bits, at least 57 of them, from the bottom of a word.
func (r *bitReader) peek() uint64 {
	i := r.pos >> 3
	if i+8 <= len(r.data) {
		return binary.LittleEndian.Uint64(r.data[i:]) >> (r.pos & 7)
	}
	var v uint64
	if i < len(r.data) {
		for k, b := range r.data[i:] {
			v |= uint64(b) << (8 * k)
		}
	}
	return v >> (r.pos & 7)
}

// bits reads n of them, 0 to 32.
func (r *bitReader) bits(n int) int {
	v := r.peek() & (1<<n - 1)
	r.pos += n
	return int(v)
}

func (r *bitReader) bit() bool { return r.bits(1) != 0 }

// over reports whether more bits were read than there are.
func (r *bitReader) over() bool { return r.pos > 8*len(r.data) }
