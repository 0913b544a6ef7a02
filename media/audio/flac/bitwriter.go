package flac

import "encoding/binary"

// A bitWriter writes numbers, the highest bit first, into buf, in which there must be room
// for them and for eight bytes more.
type bitWriter struct {
	buf []byte
	pos int    // of the byte that is being filled
	acc uint64 // its n bits, at the upper end
	n   uint   // 0 to 7
}

// room makes sure that so many bits can be written.
func (w *bitWriter) room(bits int) {
	if need := w.pos + bits/8 + 16; need > len(w.buf) {
		grown := make([]byte, need+need/4)
		copy(grown, w.buf[:w.pos])
		w.buf = grown
	}
}

// put writes the k lowest bits of v, 0 to 56. The bits above them must be zero. It stores
// eight bytes each time, which has no branch to be guessed.
func (w *bitWriter) put(v uint64, k uint) {
	n := w.n + k
	w.acc |= v << ((64 - n) & 63)
	binary.BigEndian.PutUint64(w.buf[w.pos:], w.acc)
	w.pos += int(n >> 3)
	w.acc <<= n &^ 7
	w.n = n & 7
}

// signed writes a number of k bits in two's complement.
func (w *bitWriter) signed(v int64, k uint) { w.put(uint64(v)&(1<<k-1), k) }

// align fills the last byte with zeros, and returns what was written.
func (w *bitWriter) align() []byte {
	if w.n > 0 {
		w.put(0, 8-w.n)
	}
	return w.buf[:w.pos]
}
