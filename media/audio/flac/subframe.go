package flac

import (
	"encoding/binary"
	"math/bits"
)

// lead is how many samples in front of a channel's first one may be read: predictors of
// orders that have no loop of their own use a longer one, of which the first coefficients are
// zero.
const lead = maxOrder

// A subframe decodes the samples of one channel in one frame (RFC 9639 §9.2).
type subframe struct {
	bitReader
}

// decode reads len(out)-lead samples of depth bits into out[lead:]. It reports false if they
// are damaged in a way that makes no sense; it does not look whether the file ended.
func (s *subframe) decode(out []int32, depth uint) bool {
	kind, wasted, ok := s.header(&depth)
	if !ok {
		return false
	}
	x := out[lead:]
	switch {
	case kind == 0:
		v := int32(s.signed(depth))
		for i := range x {
			x[i] = v
		}
	case kind == 1:
		for i := range x {
			x[i] = int32(s.signed(depth))
		}
	case kind <= 12:
		order := int(kind - 8)
		if !s.warmup(x, order, depth) || !s.residual(x, order) {
			return false
		}
		restoreFixed(x, order)
	default:
		order := int(kind-32) + 1
		if !s.warmup(x, order, depth) {
			return false
		}
		var p predictor
		if !s.predictor(&p, order) || !s.residual(x, order) {
			return false
		}
		p.restore(out)
	}
	if wasted > 0 {
		for i := range x {
			x[i] <<= wasted
		}
	}
	return true
}

// decodeWide is decode for the difference of channels of 32 bits, which has 33. It needs res
// for residuals, as long as out without its lead.
func (s *subframe) decodeWide(out []int64, res []int32, depth uint) bool {
	kind, wasted, ok := s.header(&depth)
	if !ok {
		return false
	}
	x := out
	var p predictor
	switch {
	case kind == 0:
		v := s.signed(depth)
		for i := range x {
			x[i] = v
		}
	case kind == 1:
		for i := range x {
			x[i] = s.signed(depth)
		}
	default:
		order := int(kind - 8)
		if kind >= 32 {
			order = int(kind-32) + 1
		}
		if order > len(x) {
			return false
		}
		for i := range order {
			x[i] = s.signed(depth)
		}
		if kind < 32 {
			p = fixed(order)
		} else if !s.predictor(&p, order) {
			return false
		}
		if !s.residual(res, order) {
			return false
		}
		p.restoreWide(x, res)
	}
	for i := range x {
		x[i] <<= wasted
	}
	return true
}

// header reads what kind of subframe it is: 0 constant, 1 verbatim, 8 to 12 fixed, 32 to 63
// with coefficients. It takes wasted bits from depth.
func (s *subframe) header(depth *uint) (kind uint, wasted uint, ok bool) {
	h := uint(s.bits(8))
	kind = h >> 1
	if h&0x80 != 0 || kind >= 2 && kind < 8 || kind > 12 && kind < 32 {
		return 0, 0, false
	}
	if h&1 != 0 {
		wasted = s.unary() + 1
		if wasted >= *depth {
			return 0, 0, false
		}
		*depth -= wasted
	}
	return kind, wasted, true
}

func (s *subframe) warmup(x []int32, order int, depth uint) bool {
	if order > len(x) {
		return false
	}
	for i := range order {
		x[i] = int32(s.signed(depth))
	}
	return true
}

// predictor reads the coefficients of one (RFC 9639 §9.2.6).
func (s *subframe) predictor(p *predictor, order int) bool {
	precision := uint(s.bits(4)) + 1
	shift := s.signed(5)
	if precision == 16 || shift < 0 {
		return false
	}
	p.order, p.shift = order, uint(shift)
	for i := range order {
		p.coefs[i] = int32(s.signed(precision))
	}
	return true
}

// residual reads what predictors missed, from the sample at order on (RFC 9639 §9.2.7).
func (s *subframe) residual(x []int32, order int) bool {
	head := uint(s.bits(6))
	width := uint(4)
	switch head >> 4 {
	case 0:
	case 1:
		width = 5
	default:
		return false
	}
	parts := 1 << (head & 15)
	size := len(x) / parts
	if size*parts != len(x) || size < order {
		return false
	}
	escape := uint(1)<<width - 1
	for at := order; at < len(x); {
		to := at - at%size + size
		part := x[at:to]
		at = to
		k := uint(s.bits(width))
		if k == escape {
			k = uint(s.bits(5))
			if k == 0 {
				clear(part)
				continue
			}
			for i := range part {
				part[i] = int32(s.signed(k))
			}
			continue
		}
		if !s.rice(part, k) {
			return false
		}
	}
	return true
}

// rice reads residuals in Rice's code with the parameter k, 0 to 30. Of those that do not fit
// in 32 bits, which the format does not allow, something is left.
func (s *subframe) rice(part []int32, k uint) bool {
	// The reader's fields are kept in registers, but for codes that do not fit in the cache.
	buf, pos, cache, n := s.buf, s.pos, s.cache, s.n
	for i := range part {
		if n < 32 {
			if pos+8 <= len(buf) {
				cache |= binary.BigEndian.Uint64(buf[pos:]) >> n
				pos += int(63-n) >> 3
				n |= 56
			} else {
				s.pos, s.cache, s.n = pos, cache, n
				s.fill()
				pos, cache, n = s.pos, s.cache, s.n
			}
		}
		q := uint(bits.LeadingZeros64(cache))
		if size := q + 1 + k; size <= n {
			v := uint32(q<<(k&31)) | uint32(cache<<(q&63)<<1>>1>>((63-k)&63))
			cache <<= size & 63
			n -= size
			part[i] = int32(v>>1) ^ -int32(v&1)
			continue
		}
		s.pos, s.cache, s.n = pos, cache, n
		q = s.unary()
		if s.over() {
			return false
		}
		v := uint32(q<<k) | uint32(s.bits(k))
		part[i] = int32(v>>1) ^ -int32(v&1)
		pos, cache, n = s.pos, s.cache, s.n
	}
	s.pos, s.cache, s.n = pos, cache, n
	return true
}
