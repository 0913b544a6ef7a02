package flac

import "math"

// A window weighs the samples of a block for its analysis.
type window struct {
	weights []float64
	energy  float64 // the sum of their squares
}

// tukey is a cosine-tapered window over samples from one to another of n, and zero elsewhere:
// the fraction taper of it is slope, half of that on each side (Harris: On the use of windows
// for harmonic analysis, 1978).
func tukey(n, from, to int, taper float64) window {
	w := window{weights: make([]float64, n)}
	slope := int(taper / 2 * float64(to-from))
	for i := from; i < to; i++ {
		v := 1.0
		if d := min(i-from, to-1-i); d < slope {
			v = 0.5 - 0.5*math.Cos(math.Pi*(float64(d)+1)/float64(slope+1))
		}
		w.weights[i] = v
		w.energy += v * v
	}
	return w
}

// windows are those that an encoder tries for blocks of n samples: one over the whole block
// and, where it may take longer, one over each half and one over each of two of three parts,
// for sounds that change within the block.
func windows(n, count int) []window {
	list := []window{tukey(n, 0, n, 0.5)}
	if count > 1 {
		list = append(list, tukey(n, 0, n/2, 0.2), tukey(n, n/2, n, 0.2), tukey(n, 0, 2*n/3, 0.3), tukey(n, n/3, n, 0.3))
	}
	return list
}

// autocorrelation writes the sums of x[i] · x[i−lag] to r, for as many lags as r has, up to
// maxSearch+1. x has lead samples of zero in front.
func autocorrelation(r *[maxSearch + 1]float64, x []float64, order int) {
	var r0, r1, r2, r3, r4, r5, r6, r7, r8 float64
	// All nine lags at once: each is a chain of additions, which overlap; and two samples at
	// once, which have most of what they are multiplied by in common (2.6 ns instead of 3.1). A
	// last one without a partner is left out: windows have next to nothing there.
	for w := x[lead-8:]; len(w) > 9; w = w[2:] {
		v, u := w[8], w[9]
		r0 += v*v + u*u
		r1 += v*w[7] + u*v
		r2 += v*w[6] + u*w[7]
		r3 += v*w[5] + u*w[6]
		r4 += v*w[4] + u*w[5]
		r5 += v*w[3] + u*w[4]
		r6 += v*w[2] + u*w[3]
		r7 += v*w[1] + u*w[2]
		r8 += v*w[0] + u*w[1]
	}
	*r = [maxSearch + 1]float64{r0, r1, r2, r3, r4, r5, r6, r7, r8}
	if order <= 8 {
		return
	}
	r0, r1, r2, r3 = 0, 0, 0, 0
	for w := x[lead-12:]; len(w) > 12; w = w[1:] {
		v := w[12]
		r0 += v * w[3]
		r1 += v * w[2]
		r2 += v * w[1]
		r3 += v * w[0]
	}
	r[9], r[10], r[11], r[12] = r0, r1, r2, r3
}

// maxSearch is the highest order that is tried.
const maxSearch = 12

// A model is what Levinson's and Durbin's recursion makes of an autocorrelation: the
// coefficients of the best predictor of each order, and the energy of what it misses
// (Durbin: The fitting of time-series models, 1960).
type model struct {
	coefs [maxSearch + 1][maxSearch]float64
	err   [maxSearch + 1]float64
	order int // the highest there is
}

func (m *model) solve(r *[maxSearch + 1]float64, order int) {
	m.order, m.err[0] = 0, r[0]
	err := r[0]
	for i := range order {
		if !(err > 0) {
			return
		}
		prev, next := &m.coefs[i], &m.coefs[i+1]
		k := r[i+1]
		for j := range i {
			k -= prev[j] * r[i-j]
		}
		k /= err
		for j := range i {
			next[j] = prev[j] - k*prev[i-1-j]
		}
		next[i] = k
		err *= 1 - k*k
		if !(err >= 0) {
			return
		}
		m.order, m.err[i+1] = i+1, err
	}
}

// best is the order that promises the fewest bits for n samples, when each order costs so
// many. scale is what the window took from the energy.
func (m *model) best(n int, scale float64, costs uint) int {
	best, least := 0, math.Inf(1)
	for order := 1; order <= m.order; order++ {
		// Half a bit less for each time that the variance halves, down to samples that are
		// nearly all predicted.
		variance := m.err[order] / scale
		b := float64(n-order)*max(0.5*math.Log2(max(variance, 1e-9))+guessOffset, 0.5) + float64(uint(order)*costs)
		if b < least {
			best, least = order, b
		}
	}
	return best
}

// guessOffset is how many bits more than the logarithm of its standard deviation a residual
// takes, as Rice's code spends them.
const guessOffset = 1.9

// quantize makes a predictor of precision bits of coefficients. Each one's rounding error is
// carried to the next. It reports false if they do not fit.
func quantize(p *predictor, coefs []float64, precision uint) bool {
	largest := 0.0
	for _, c := range coefs {
		largest = max(largest, math.Abs(c))
	}
	if !(largest > 0) || math.IsInf(largest, 0) {
		return false
	}
	_, exp := math.Frexp(largest)
	shift := min(int(precision)-1-exp, 15)
	if shift < 0 {
		return false
	}
	high := int32(1)<<(precision-1) - 1
	carry := 0.0
	p.order, p.shift = len(coefs), uint(shift)
	for i, c := range coefs {
		exact := c*float64(int(1)<<shift) + carry
		q := int32(math.Round(min(max(exact, float64(-high-1)), float64(high))))
		carry = exact - float64(q)
		p.coefs[i] = q
	}
	return true
}
