package jpeg

import (
	"encoding/binary"
	mathbits "math/bits"
)

// lookBits is how many bits one look into a table takes. With 11 most symbols of a
// photograph are found together with their value in one look, and four tables stay within
// the first cache.
const lookBits = 11

// A huffTable decodes one Huffman code of T.81, annex C.
type huffTable struct {
	// look gives, for the next lookBits bits, what fits into them: bits taken in the low 8
	// bits; then, when the extra bits of the value fit too, whole set; run in 4 bits and
	// the value in the high 16. 0 means that the code is longer.
	look [1 << lookBits]uint32
	// skip gives, of an AC table, how far all symbols that fit whole into the next lookBits
	// bits lead: bits to skip in the low 8 bits; then, when the last of them ends the block,
	// skipEnd set; and in the high 7 bits the coefficients passed. 0 where not one fits.
	skip [1 << lookBits]uint16
	// Codes of more than lookBits bits, by length: the largest code, left aligned in 16
	// bits, plus one; and what to add to a code for the place of its symbol.
	limit  [18]uint32
	offset [17]int32
	values []byte
}

// Fields of an entry of look.
const (
	entryWhole = 1 << 8 // the value is in the entry
	// bits 0–7: bits to skip. bits 9–12: run. bits 13–15: unused.
	// Without entryWhole bits 16–23 are the symbol, with it bits 16–31 the value.
)

// skipEnd and skipShift are fields of an entry of skip.
const (
	skipEnd   = 1 << 8
	skipShift = 9
)

func newHuffTable(counts, symbols []byte, dc bool) (*huffTable, error) {
	t := &huffTable{values: append([]byte(nil), symbols...)}
	code, k := uint32(0), 0
	for length := 1; length <= 16; length++ {
		t.offset[length] = int32(k) - int32(code)
		for range int(counts[length-1]) {
			if code >= 1<<length {
				return nil, bad("its Huffman table has too many codes of %d bits", length)
			}
			s := symbols[k]
			if dc && s > 15 {
				return nil, bad("its Huffman table has a DC difference of %d bits", s)
			}
			if length <= lookBits {
				t.fill(code, length, s, dc)
			}
			code++
			k++
		}
		t.limit[length] = code << (16 - length)
		code <<= 1
	}
	t.limit[17] = 1 << 16
	if !dc {
		t.fillSkip()
	}
	return t, nil
}

// fillSkip makes skip of look.
func (t *huffTable) fillSkip() {
	const mask = 1<<lookBits - 1
	for head := range t.skip {
		used, passed, end := 0, 0, 0
		for end == 0 {
			e := t.look[head<<used&mask]
			n, symbol := int(e&255), int(e>>16)
			switch {
			case e&entryWhole != 0:
				symbol = int(e>>9&15) << 4
			case e == 0 || symbol&15 != 0:
				n = lookBits + 1 // a code or a value that is longer
			}
			if used+n > lookBits || passed+16 > 64 {
				break
			}
			used += n
			if e&entryWhole == 0 && symbol != 0xF0 {
				end = skipEnd
				break
			}
			passed += symbol>>4 + 1
		}
		t.skip[head] = uint16(used | end | passed<<skipShift)
	}
}

// fill writes the entries that begin with a code.
func (t *huffTable) fill(code uint32, length int, symbol byte, dc bool) {
	size, run := int(symbol&15), uint32(symbol>>4)
	if dc {
		size, run = int(symbol), 0
	}
	free := lookBits - length
	for rest := range uint32(1) << free {
		e := uint32(length) | uint32(symbol)<<16
		if size <= free && (dc || size > 0) {
			v := int32(rest >> (free - size))
			e = uint32(length+size) | entryWhole | run<<9 | uint32(extend(v, size))<<16
		}
		t.look[code<<free|rest] = e
	}
}

// extend is EXTEND of T.81, F.2.2.1.
func extend(v int32, size int) int32 {
	if size > 0 && v < 1<<(size-1) {
		v += -1<<size + 1
	}
	return v
}

// one finds the symbol of the code at the head of w and the code's length, 0 if there is no
// such code.
func (t *huffTable) one(w uint64) (symbol byte, length uint) {
	e := t.look[w>>(64-lookBits)]
	if e == 0 {
		s, n := t.long(w)
		return s, uint(n)
	}
	if e&entryWhole == 0 {
		return byte(e >> 16), uint(e & 255)
	}
	v := int32(e) >> 16
	size := mathbits.Len32(uint32(max(v, -v)))
	return byte(e>>9&15)<<4 | byte(size), uint(e&255) - uint(size)
}

// long finds the symbol of a code of more than lookBits bits at the head of w, and its
// length. A length of 0 means that there is no such code.
func (t *huffTable) long(w uint64) (symbol byte, length int) {
	head := uint32(w >> 48)
	for length = lookBits + 1; length <= 16; length++ {
		if head < t.limit[length] {
			i := int32(head>>(16-length)) + t.offset[length]
			if i < 0 || int(i) >= len(t.values) {
				return 0, 0
			}
			return t.values[i], length
		}
	}
	return 0, 0
}

// bits reads the entropy coded bytes of one interval, without their stuffing and followed
// by padding: wherever it stands, eight bytes can be loaded.
type bits struct {
	b   []byte
	pos uint // in bits
	end uint // of what is no padding, in bits
}

// padding is how many bytes follow an interval: a block of 64 coefficients can take 64
// symbols of 31 bits, and the end is checked once in each block.
const padding = 64*4 + 16

// word is the next 57 bits or more, left aligned.
func (r *bits) word() uint64 {
	return binary.BigEndian.Uint64(r.b[r.pos>>3:]) << (r.pos & 7)
}

// dc decodes a DC difference.
func (r *bits) dc(t *huffTable) (int32, bool) {
	w := r.word()
	e := t.look[w>>(64-lookBits)]
	if e&entryWhole != 0 {
		r.pos += uint(e & 255)
		return int32(e) >> 16, true
	}
	symbol, length := byte(e>>16), int(e&255)
	if length == 0 {
		if symbol, length = t.long(w); length == 0 {
			return 0, false
		}
	}
	r.pos += uint(length) + uint(symbol)
	w <<= length
	return extend(int32(w>>1>>(63-symbol)), int(symbol)), true
}
