package ogg

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"quicksand/media/audio"
)

// errVorbis is what is said of a setup that is not as the specification demands.
const errVorbis = audio.FormatError("the setup of Vorbis is damaged")

// maxTable is how many entries all codebooks of a file may have together, and how many values.
// The usual encoder makes up to 20 000 entries and 86 000 values. A header of a few bytes can
// ask for 2²⁴ entries of 2¹⁶ values each.
const maxTable = 1 << 18

// firstBits is how many bits of a code are looked up at once. Longer ones, which are rare, are
// searched for.
const firstBits = 10

// A codebook of Vorbis (Vorbis I §3).
type codebook struct {
	dims    int
	entries int
	values  []float32 // dims for each entry; nil for a book of numbers only
	// table has the entry for the next bits << 6 and the length of its code, or 0 for long
	// codes.
	table   [1 << firstBits]uint32
	long    []longCode // in order
	defined int        // entries with a code
}

// A longCode is a code with its first bit at the top.
type longCode struct {
	bits   uint32
	entry  uint32
	length uint8
}

// room counts what is left of maxTable.
type room struct{ entries, values int }

func (b *codebook) read(r *bitReader, left *room) error {
	if r.bits(24) != 0x564342 {
		return errVorbis
	}
	b.dims, b.entries = r.bits(16), r.bits(24)
	if left.entries -= b.entries; left.entries < 0 {
		return audio.FormatError("the tables of Vorbis are too large")
	}
	lengths := make([]uint8, b.entries)
	if r.bit() {
		length := r.bits(5) + 1
		for at := 0; at < len(lengths); length++ {
			n := r.bits(bits.Len(uint(len(lengths) - at)))
			if n > len(lengths)-at || length > 32 || r.over() {
				return errVorbis
			}
			for i := range lengths[at : at+n] {
				lengths[at+i] = uint8(length)
			}
			at += n
		}
	} else {
		sparse := r.bit()
		for i := range lengths {
			if !sparse || r.bit() {
				lengths[i] = uint8(r.bits(5) + 1)
			}
			if r.over() {
				return errVorbis
			}
		}
	}
	if err := b.codes(lengths); err != nil {
		return err
	}
	return b.lookup(r, left)
}

// codes gives each entry the lowest code of its length that is left (Vorbis I §3.2.1).
func (b *codebook) codes(lengths []uint8) error {
	// next[n] is the lowest free code of n bits, at the top of 32; free of them is 0.
	var (
		next [33]uint32
		all  []longCode
		sum  uint64 // of what the codes take of 2³²
	)
	for i, n := range lengths {
		if n == 0 {
			continue
		}
		sum += 1 << (32 - n)
		if sum > 1<<32 {
			return errVorbis
		}
		b.defined++
		code := uint32(0)
		if b.defined == 1 {
			// All branches beside the first code are free.
			for k := 1; k <= int(n); k++ {
				next[k] = 1 << (32 - k)
			}
		} else {
			k := int(n)
			for k > 0 && next[k] == 0 {
				k--
			}
			if k == 0 {
				return errVorbis
			}
			code = next[k]
			next[k] = 0
			for j := k + 1; j <= int(n); j++ {
				next[j] = code + 1<<(32-j)
			}
		}
		all = append(all, longCode{code, uint32(i), n})
	}
	if b.defined == 1 {
		// A single code has one bit, of either value.
		all = append(all[:1], longCode{1 << 31, all[0].entry, 1})
		all[0].bits, all[0].length = 0, 1
	} else if b.defined > 1 && sum != 1<<32 {
		return errVorbis
	}
	for _, c := range all {
		if c.length > firstBits {
			b.long = append(b.long, c)
			continue
		}
		for i := bits.Reverse32(c.bits); i < 1<<firstBits; i += 1 << c.length {
			b.table[i] = c.entry<<6 | uint32(c.length)
		}
	}
	slices.SortFunc(b.long, func(x, y longCode) int { return cmp.Compare(x.bits, y.bits) })
	return nil
}

// lookup reads the vectors of the entries (Vorbis I §3.2.1, §3.3).
func (b *codebook) lookup(r *bitReader, left *room) error {
	kind := r.bits(4)
	if kind == 0 {
		return nil
	}
	if kind > 2 || b.dims == 0 {
		return errVorbis
	}
	if left.values -= b.entries * b.dims; left.values < 0 {
		return audio.FormatError("the tables of Vorbis are too large")
	}
	low, step := unpack(r.bits(32)), unpack(r.bits(32))
	width, sequence := r.bits(4)+1, r.bit()
	count := b.entries * b.dims
	if kind == 1 {
		count = root(b.entries, b.dims)
	}
	list := make([]float32, count)
	for i := range list {
		list[i] = float32(float64(r.bits(width))*step + low)
		if r.over() {
			return errVorbis
		}
	}
	b.values = make([]float32, b.entries*b.dims)
	for e := range b.entries {
		v, rest, last := b.values[e*b.dims:(e+1)*b.dims], e, float32(0)
		for i := range v {
			if kind == 1 {
				v[i] = list[rest%count] + last
				rest /= count
			} else {
				v[i] = list[e*b.dims+i] + last
			}
			if sequence {
				last = v[i]
			}
		}
	}
	return nil
}

// root is the largest number whose power of dims is not above n.
func root(n, dims int) int {
	k := int(math.Pow(float64(n), 1/float64(dims)))
	for ; !power(k, dims, n); k-- {
	}
	for power(k+1, dims, n) {
		k++
	}
	return k
}

// power reports whether k to the power of dims is at most n.
func power(k, dims, n int) bool {
	p := 1
	if k < 2 {
		return k <= n
	}
	for range dims {
		if p *= k; p > n {
			return false
		}
	}
	return true
}

// unpack is a floating-point number of Vorbis (Vorbis I §9.2.2).
func unpack(x int) float64 {
	v := math.Ldexp(float64(x&0x1FFFFF), x>>21&0x3FF-788)
	if x>>31&1 != 0 {
		return -v
	}
	return v
}

// decode reads a code. It reports false at the end of the packet.
func (b *codebook) decode(r *bitReader) (entry int, ok bool) {
	w := r.peek()
	if e := b.table[w&(1<<firstBits-1)]; e != 0 {
		r.pos += int(e & 63)
		return int(e >> 6), r.pos <= 8*len(r.data)
	}
	return b.search(r, w)
}

// search finds a long code: the last one that is not above the next bits. Only a book without
// codes has none, which entries stands for.
func (b *codebook) search(r *bitReader, w uint64) (int, bool) {
	v := bits.Reverse32(uint32(w))
	i, found := slices.BinarySearchFunc(b.long, v, func(c longCode, v uint32) int { return cmp.Compare(c.bits, v) })
	if !found {
		i--
	}
	if i < 0 {
		return b.entries, false
	}
	r.pos += int(b.long[i].length)
	return int(b.long[i].entry), !r.over()
}
