package mp3

import (
	"math"
	"strconv"
	"sync"
)

// firstBits is how many bits of a code are looked up at once. Codes that are longer, of rare
// values, go on in a second table.
const firstBits = 8

// A codeBook finds the values of codes. An entry is the length of the code << 8 and both
// values; or, if its sign is set, how many further bits to look up << 8 and where they are
// looked up, << 16.
type codeBook []int32

func newCodeBook(text string) codeBook {
	type code struct {
		bits   uint32 // at the top
		length int
		values int32
	}
	var (
		codes []code
		bits  uint64 // at the top of 32
		b     = make(codeBook, 1<<firstBits)
		more  [1 << firstBits]int // bits behind the first ones
	)
	for ; text != ""; text = text[3:] {
		values, _ := strconv.ParseUint(text[:2], 16, 8)
		length, _ := strconv.ParseUint(text[2:3], 36, 8)
		c := code{uint32(bits), int(length), int32(values)}
		codes = append(codes, c)
		bits += 1 << (32 - length)
		if i := c.bits >> (32 - firstBits); c.length > firstBits {
			more[i] = max(more[i], c.length-firstBits)
		}
	}
	for i, n := range more {
		if n > 0 {
			b[i] = math.MinInt32 | int32(len(b))<<16 | int32(n)<<8
			b = append(b, make(codeBook, 1<<n)...)
		}
	}
	for _, c := range codes {
		i, n, base := c.bits>>(32-firstBits), firstBits, 0
		rest := c.length
		if c.length > firstBits {
			link := b[i]
			base, n, rest = int(link>>16&0x7FFF), int(link>>8&0xFF), c.length-firstBits
			i = c.bits << firstBits >> (32 - n)
		}
		for k := range 1 << (n - rest) {
			b[base+int(i)+k] = int32(c.length)<<8 | c.values
		}
	}
	return b
}

// linBits are how many bits follow the value 15, by table from 16 on.
var linBits = [32]int{16: 1, 2, 3, 4, 6, 8, 10, 13, 4, 5, 6, 7, 8, 9, 11, 13}

// tables are what decoding needs besides the file.
type tables struct {
	books  [32]codeBook  // nil for tables that are not used
	counts codeBook      // table A
	pow43  [8207]float32 // x^(4/3)
	// steps[gainOffset+n] is 2^(n/4).
	steps [gainSteps]float32
}

// The exponent of a line is global gain − 210 less eight times the gain of its window and two
// or four times its scale factor, in quarters: at most 45, and at least −210 − 56 − 4·(31+3).
const (
	gainOffset = 404
	gainSteps  = gainOffset + 46
)

var loadTables = sync.OnceValue(func() *tables {
	t := &tables{counts: newCodeBook(codeBooks[0])}
	for i := 1; i < len(t.books); i++ {
		switch {
		case i == 4 || i == 14:
		case i > 24:
			t.books[i] = t.books[24]
		case i > 16:
			t.books[i] = t.books[16]
			if i == 24 {
				t.books[i] = newCodeBook(codeBooks[24])
			}
		default:
			t.books[i] = newCodeBook(codeBooks[i])
		}
	}
	for i := range t.pow43 {
		t.pow43[i] = float32(float64(i) * math.Cbrt(float64(i)))
	}
	for i := range t.steps {
		t.steps[i] = float32(math.Exp2(float64(i-gainOffset) / 4))
	}
	return t
})

// lines reads the lines of a granule, to the power of 4/3 and with their signs. end is where
// its bits end.
func (t *tables) lines(r *bitReader, g *granule, end int, x *[576]float32) {
	at, big := 0, min(2*g.pairs, 576)
	for region, to := range [3]int{g.region1, g.region2, 576} {
		to = min(to, big)
		if at >= to {
			continue
		}
		book, lin := t.books[g.tables[region]], linBits[g.tables[region]]
		if book == nil {
			clear(x[at:to])
			at = to
			continue
		}
		for at < to && r.pos < end {
			w := r.peek()
			e := book[w>>(64-firstBits)]
			if e < 0 {
				e = book[uint64(e>>16&0x7FFF)+w<<firstBits>>(64-uint64(e>>8&0xFF))]
			}
			n := int(e >> 8)
			w <<= n & 63
			a, b := int(e>>4&15), int(e&15)
			if lin > 0 && a == 15 {
				a += int(w >> 1 >> (63 - lin))
				w <<= lin & 63
				n += lin
			}
			v := t.pow43[a]
			if a != 0 {
				v = math.Float32frombits(math.Float32bits(v) | uint32(w>>63)<<31)
				w <<= 1
				n++
			}
			x[at] = v
			if lin > 0 && b == 15 {
				b += int(w >> 1 >> (63 - lin))
				w <<= lin & 63
				n += lin
			}
			v = t.pow43[b]
			if b != 0 {
				v = math.Float32frombits(math.Float32bits(v) | uint32(w>>63)<<31)
				n++
			}
			x[at+1] = v
			at += 2
			r.pos += n
		}
		if at < to {
			break
		}
	}
	for at <= 572 && r.pos < end {
		w := r.peek()
		var v, n int
		if g.countB {
			v, n = int(^w>>60), 4
		} else {
			e := t.counts[w>>(64-firstBits)]
			v, n = int(e&15), int(e>>8)
		}
		w <<= n & 63
		before := at
		for i := 3; i >= 0; i-- {
			x[at] = 0
			if v>>i&1 != 0 {
				x[at] = 1 - 2*float32(w>>63)
				w <<= 1
				n++
			}
			at++
		}
		r.pos += n
		if r.pos > end {
			// That was no code any more.
			at = before
			break
		}
	}
	clear(x[at:])
	g.lines = at
	r.pos = end
}
