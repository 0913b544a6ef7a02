package flac

// A predictor guesses a sample from those in front of it: the sum of coefs[i] · x[−1−i],
// shifted right (RFC 9639 §9.2.6).
type predictor struct {
	coefs [maxOrder]int32
	order int
	shift uint
}

// fixedCoefs are those of the predictors without coefficients of their own (§9.2.5).
var fixedCoefs = [5][4]int32{{}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}}

// fixed is a fixed predictor as one with coefficients.
func fixed(order int) (p predictor) {
	p.order = copy(p.coefs[:], fixedCoefs[order][:order])
	return p
}

// restoreFixed makes samples of residuals, from the one at order on. That sums may overflow
// does not matter, as long as the sample fits.
func restoreFixed(x []int32, order int) {
	switch order {
	case 1:
		a := x[0]
		for i := 1; i < len(x); i++ {
			a += x[i]
			x[i] = a
		}
	case 2:
		// Each sum is that of the differences of the next one.
		a, d := x[1], x[1]-x[0]
		for i := 2; i < len(x); i++ {
			d += x[i]
			a += d
			x[i] = a
		}
	case 3:
		a, d := x[2], x[2]-x[1]
		e := d - (x[1] - x[0])
		for i := 3; i < len(x); i++ {
			e += x[i]
			d += e
			a += d
			x[i] = a
		}
	case 4:
		a, d := x[3], x[3]-x[2]
		e := d - (x[2] - x[1])
		f := e - (x[2] - 2*x[1] + x[0])
		for i := 4; i < len(x); i++ {
			f += x[i]
			e += f
			d += e
			a += d
			x[i] = a
		}
	}
}

// restore makes samples of residuals from out[lead+order] on. Orders up to 12 have loops with
// all coefficients in sight; the newest sample is kept in a register, since to load it just
// after it was stored takes longer than the rest of the sum.
func (p *predictor) restore(out []int32) {
	shift, all := p.shift&63, p.reversed()
	first := lead + p.order
	switch {
	case p.order <= 4:
		c := all[maxOrder-4:]
		c0, c1, c2, c3 := c[0], c[1], c[2], c[3]
		prev := int64(out[first-1])
		for w := out[first-4:]; len(w) > 4; w = w[1:] {
			s := c0*int64(w[0]) + c1*int64(w[1]) + c2*int64(w[2]) + c3*prev
			v := w[4] + int32(s>>shift)
			w[4] = v
			prev = int64(v)
		}
	case p.order <= 8:
		c := all[maxOrder-8:]
		c0, c1, c2, c3, c4, c5, c6, c7 := c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]
		prev := int64(out[first-1])
		for w := out[first-8:]; len(w) > 8; w = w[1:] {
			s := c0*int64(w[0]) + c1*int64(w[1]) + c2*int64(w[2]) + c3*int64(w[3]) +
				c4*int64(w[4]) + c5*int64(w[5]) + c6*int64(w[6]) + c7*prev
			v := w[8] + int32(s>>shift)
			w[8] = v
			prev = int64(v)
		}
	case p.order <= 12:
		c := all[maxOrder-12:]
		c0, c1, c2, c3, c4, c5 := c[0], c[1], c[2], c[3], c[4], c[5]
		c6, c7, c8, c9, c10, c11 := c[6], c[7], c[8], c[9], c[10], c[11]
		prev := int64(out[first-1])
		for w := out[first-12:]; len(w) > 12; w = w[1:] {
			s := c0*int64(w[0]) + c1*int64(w[1]) + c2*int64(w[2]) + c3*int64(w[3]) +
				c4*int64(w[4]) + c5*int64(w[5]) + c6*int64(w[6]) + c7*int64(w[7]) +
				c8*int64(w[8]) + c9*int64(w[9]) + c10*int64(w[10]) + c11*prev
			v := w[12] + int32(s>>shift)
			w[12] = v
			prev = int64(v)
		}
	default:
		c := all[maxOrder-p.order:]
		for i := first; i < len(out); i++ {
			w := out[i-len(c) : i+1]
			s := int64(0)
			for j, k := range c {
				s += k * int64(w[j])
			}
			w[len(c)] += int32(s >> shift)
		}
	}
}

// reversed are the coefficients in the order of the samples, at the end.
func (p *predictor) reversed() (c [maxOrder]int64) {
	for i, k := range p.coefs[:p.order] {
		c[maxOrder-1-i] = int64(k)
	}
	return c
}

// restoreWide is restore for samples of more than 32 bits, with residuals of their own.
func (p *predictor) restoreWide(x []int64, res []int32) {
	for i := p.order; i < len(x); i++ {
		s := int64(0)
		for j, k := range p.coefs[:p.order] {
			s += int64(k) * x[i-1-j]
		}
		x[i] = int64(res[i]) + s>>(p.shift&63)
	}
}

// residual is what the predictor misses of the samples out[lead:], from the one at order on,
// with the sign in the lowest bit. It reports false if something does not fit in 31 bits. The
// largest sample either way says which loop is good enough, and pairs is room for that, as
// long as out.
func (p *predictor) residual(res []uint32, out []int32, largest uint32, pairs []int64) bool {
	shift, all := p.shift&63, p.reversed()
	first := lead + p.order
	to := res[p.order:]
	any := uint64(0)
	switch {
	case p.order <= 4:
		c := all[maxOrder-4:]
		c0, c1, c2, c3 := c[0], c[1], c[2], c[3]
		i := 0
		for w := out[first-4:]; len(w) > 4; w = w[1:] {
			s := c0*int64(w[0]) + c1*int64(w[1]) + c2*int64(w[2]) + c3*int64(w[3])
			r := int64(w[4]) - s>>shift
			v := uint64(r<<1 ^ r>>63)
			any |= v
			to[i] = uint32(v)
			i++
		}
	case p.order <= 8 && p.narrow(largest):
		return p.residualNarrow(res, out, pairs)
	case p.order <= 8:
		c := all[maxOrder-8:]
		c0, c1, c2, c3, c4, c5, c6, c7 := c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]
		i := 0
		for w := out[first-8:]; len(w) > 8; w = w[1:] {
			s := c0*int64(w[0]) + c1*int64(w[1]) + c2*int64(w[2]) + c3*int64(w[3]) +
				c4*int64(w[4]) + c5*int64(w[5]) + c6*int64(w[6]) + c7*int64(w[7])
			r := int64(w[8]) - s>>shift
			v := uint64(r<<1 ^ r>>63)
			any |= v
			to[i] = uint32(v)
			i++
		}
	default:
		c := all[maxOrder-p.order:]
		for i := first; i < len(out); i++ {
			w := out[i-len(c) : i+1]
			s := int64(0)
			for j, k := range c {
				s += k * int64(w[j])
			}
			r := int64(w[len(c)]) - s>>shift
			v := uint64(r<<1 ^ r>>63)
			any |= v
			res[i-lead] = uint32(v)
		}
	}
	return any>>31 == 0
}

// narrow reports whether sums of the predictor, and what it misses, fit in 31 bits, for
// samples of up to so many, either way.
func (p *predictor) narrow(largest uint32) bool {
	sum := int64(0)
	for _, k := range p.coefs[:p.order] {
		sum += int64(max(k, -k))
	}
	return (sum+1)*(int64(largest)+1) < 1<<30
}

// residualNarrow is residual for orders up to 8. Two samples lie in one register, 32 bits
// apart, so that each product is that of both.
func (p *predictor) residualNarrow(res []uint32, out []int32, pairs []int64) bool {
	// The first sum is that of the sample at order; before it come the eight that it needs.
	out = out[lead+p.order-8:]
	res = res[p.order:]
	pairs = pairs[:len(out)]
	pair(pairs, out)
	p.sums(pairs)
	return missed(res, out[8:], pairs, p.shift)
}

// pair makes pairs of each sample and, in the upper half, its successor. If the lower one is
// negative, one is borrowed from the upper, which sums give back.
func pair(pairs []int64, out []int32) {
	prev := int64(out[0])
	out = out[1:]
	pairs = pairs[:len(out)]
	for i, x := range out {
		v := int64(x)
		pairs[i] = prev + v<<32
		prev = v
	}
}

// sums replaces each other pair by the sum for the pair eight further on. It does nothing
// else, so that all coefficients stay in registers.
func (p *predictor) sums(pairs []int64) {
	all := p.reversed()
	c := all[maxOrder-8:]
	c0, c1, c2, c3, c4, c5, c6, c7 := c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]
	for w := pairs; len(w) > 8; w = w[2:] {
		w[0] = c0*w[0] + c1*w[1] + c2*w[2] + c3*w[3] + c4*w[4] + c5*w[5] + c6*w[6] + c7*w[7]
	}
}

// missed makes residuals of samples x and sums, two in each other element.
func missed(res []uint32, x []int32, sums []int64, shift uint) bool {
	res, sums = res[:len(x)], sums[:len(x)]
	any := uint32(0)
	i := 0
	for ; i < len(x)-1; i += 2 {
		s := sums[i]
		low := int32(s)
		high := int32((s - int64(low)) >> 32)
		r, t := x[i]-low>>(shift&31), x[i+1]-high>>(shift&31)
		a, b := uint32(r<<1^r>>31), uint32(t<<1^t>>31)
		any |= a | b
		res[i], res[i+1] = a, b
	}
	if i < len(x) {
		r := x[i] - int32(sums[i])>>(shift&31)
		res[i] = uint32(r<<1 ^ r>>31)
		any |= res[i]
	}
	return any>>31 == 0
}
