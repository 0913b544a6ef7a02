package flac

import (
	"encoding/binary"
	"math/bits"
)

// maxParts is how many parts the residual of a block is divided into at most, each with a
// parameter of its own.
const maxParts = 1 << 8

// A ricePlan says how the residual of a block is written.
type ricePlan struct {
	order uint // there are 1<<order parts
	wide  bool // parameters have five bits instead of four
	// params are the parameters; zeros stands for a part without any bits.
	params [maxParts]uint8
	bits   int // all of it
}

const zeros = 255

// plan finds how to divide res, which are residuals with their sign in the lowest bit; the
// first order ones are missing because there is nothing to predict them from.
func (p *ricePlan) plan(res []uint32, order int, maxOrder uint) {
	n := len(res)
	depth := min(maxOrder, uint(bits.TrailingZeros(uint(n))))
	for depth > 0 && n>>depth <= order {
		depth--
	}
	var sums [maxParts]uint64
	size := n >> depth
	for i, at := 0, order; i < 1<<depth; i++ {
		part := res[at : (i+1)*size]
		at = (i + 1) * size
		s0, s1 := uint64(0), uint64(0)
		for ; len(part) >= 4; part = part[4:] {
			s0 += uint64(part[0]) + uint64(part[1])
			s1 += uint64(part[2]) + uint64(part[3])
		}
		for _, v := range part {
			s0 += uint64(v)
		}
		sums[i] = s0 + s1
	}
	p.bits = 1 << 62
	var params [maxParts]uint8
	for o := int(depth); o >= 0; o-- {
		parts := 1 << o
		size := n >> o
		total, wide := 6, false
		for i, sum := range sums[:parts] {
			count := size
			if i == 0 {
				count -= order
			}
			k, b := riceParam(sum, count)
			params[i] = k
			total += b
			wide = wide || k > 14 && k != zeros
		}
		width := 4
		if wide {
			width = 5
		}
		total += parts * width
		if total < p.bits {
			p.order, p.wide, p.bits = uint(o), wide, total
			copy(p.params[:parts], params[:parts])
		}
		for i := range parts / 2 {
			sums[i] = sums[2*i] + sums[2*i+1]
		}
	}
}

// refine replaces the estimate of bits by the truth, and parameters by neighbours that are
// better.
func (p *ricePlan) refine(res []uint32, order int) {
	size := len(res) >> p.order
	width := 4
	if p.wide {
		width = 5
	}
	p.bits = 6 + width<<p.order
	at := order
	for i, k := range p.params[:1<<p.order] {
		part := res[at : (i+1)*size]
		at = (i + 1) * size
		if k == zeros {
			p.bits += 5
			continue
		}
		var down, same, up uint64
		lower := uint(max(k, 1) - 1)
		for _, v := range part {
			v >>= lower & 31
			down += uint64(v)
			same += uint64(v >> 1)
			up += uint64(v >> 2)
		}
		n := len(part)
		if k == 0 {
			down, same, up = 1<<62, down, same
		}
		best := int(same) + n*int(k+1)
		if b := int(down) + n*int(k); k > 0 && b < best {
			best, p.params[i] = b, k-1
		}
		if b := int(up) + n*int(k+2); b < best && k != 14 && k < 30 {
			best, p.params[i] = b, k+1
		}
		p.bits += best
	}
}

// riceParam is the best parameter for n residuals with a sum, and about how many bits they
// take with it.
func riceParam(sum uint64, n int) (k uint8, size int) {
	if sum == 0 {
		return zeros, 5
	}
	// The mean lies between 2^(k−1) and 2^(k+1), for which k−1 or k is best, but for rounding.
	// To know it better would take a division: 0.4 ns a sample.
	k = uint8(min(max(bits.Len64(sum)-bits.Len(uint(n)), 0), 30))
	size = riceBits(sum, n, k)
	if k > 0 {
		if s := riceBits(sum, n, k-1); s < size {
			k, size = k-1, s
		}
	}
	return k, size
}

// riceBits estimates how many bits a part takes: what a shift cuts off is, on average, half
// of what it can be.
func riceBits(sum uint64, n int, k uint8) int {
	cut := uint64(n) * (1<<k - 1) / 2
	if cut > sum {
		cut = sum
	}
	return n*int(k+1) + int((sum-cut)>>k)
}

// write writes the residuals as planned. There must be room for its bits.
func (p *ricePlan) write(w *bitWriter, res []uint32, order int) {
	width := uint(4)
	method := uint64(0)
	if p.wide {
		width, method = 5, 1
	}
	w.put(method<<4|uint64(p.order), 6)
	size := len(res) >> p.order
	at := order
	for i, param := range p.params[:1<<p.order] {
		part := res[at : (i+1)*size]
		at = (i + 1) * size
		if param == zeros {
			w.put(1<<width-1, width)
			w.put(0, 5)
			continue
		}
		w.put(uint64(param), width)
		writeRice(w, part, uint(param))
	}
}

func writeRice(w *bitWriter, part []uint32, k uint) {
	// Kept in registers.
	buf, pos, acc, n := w.buf, w.pos, w.acc, w.n
	mask, stop := uint32(1)<<(k&31)-1, uint32(1)<<(k&31)
	for len(part) > 0 {
		v := part[0]
		end := n + uint(v>>(k&31)) + 1 + k
		if len(part) > 1 {
			// Two at once, if they are as short as most are: 1.8 ns instead of 2.8 each.
			next := part[1]
			if both := end + uint(next>>(k&31)) + 1 + k; both <= 63 {
				acc |= uint64(v&mask|stop)<<((64-end)&63) | uint64(next&mask|stop)<<((64-both)&63)
				binary.BigEndian.PutUint64(buf[pos:], acc)
				pos += int(both >> 3)
				acc <<= both & 56
				n = both & 7
				part = part[2:]
				continue
			}
		}
		for end > 63 {
			// Zeros go ahead, but not so many that the k+1 bits behind them lack room.
			binary.BigEndian.PutUint64(buf[pos:], acc)
			pos += 4
			acc <<= 32
			end -= 32
		}
		acc |= uint64(v&mask|stop) << ((64 - end) & 63)
		binary.BigEndian.PutUint64(buf[pos:], acc)
		pos += int(end >> 3)
		acc <<= end & 56
		n = end & 7
		part = part[1:]
	}
	w.pos, w.acc, w.n = pos, acc, n
}
