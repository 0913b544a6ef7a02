package ogg

import "math"

// An mdct is the inverse transform of blocks of one size (Vorbis I §4.3.7), by way of a
// DCT-IV of half and a complex Fourier transform of a quarter of that size.
type mdct struct {
	size    int    // of a block
	twiddle []pair // exp(−iπ(8k+1)/4n), for blocks of n
	stages  [][]turn
	perm    []uint16 // where each frequency is after the transform in place
	work    []pair
}

// A pair is a complex number.
type pair struct{ re, im float32 }

// A turn is the first three powers of a root of unity.
type turn struct{ w1, w2, w3 pair }

func root1(angle float64) pair {
	s, c := math.Sincos(angle)
	return pair{float32(c), float32(s)}
}

func newMDCT(size int) *mdct {
	n := size / 4
	m := &mdct{size: size, twiddle: make([]pair, n), perm: make([]uint16, n), work: make([]pair, n)}
	for k := range m.twiddle {
		m.twiddle[k] = root1(-math.Pi * float64(8*k+1) / float64(4*size))
	}
	for l := n; l >= 4; l /= 4 {
		stage := make([]turn, l/4)
		for j := range stage {
			a := -2 * math.Pi * float64(j) / float64(l)
			stage[j] = turn{root1(a), root1(2 * a), root1(3 * a)}
		}
		m.stages = append(m.stages, stage)
	}
	for f := range m.perm {
		at, rest, l := 0, f, n
		for ; l >= 4; l /= 4 {
			at += rest % 4 * (l / 4)
			rest /= 4
		}
		m.perm[f] = uint16(at + rest)
	}
	return m
}

// run transforms half a block of lines into a block of samples.
func (m *mdct) run(lines, out []float32) {
	n := len(m.twiddle) // a quarter of the block
	half := 2 * n
	z := m.work
	lines = lines[:half]
	for k, w := range m.twiddle {
		a, b := lines[2*k], lines[half-1-2*k]
		z[k] = pair{a*w.re - b*w.im, a*w.im + b*w.re}
	}
	m.fourier(z)
	// The DCT-IV y comes from both ends. Its second half is mirrored with the other sign to
	// the first half of the block, and its first half, backwards with the other sign, to the
	// second half.
	q1, q2 := out[:n], out[n:half]
	q3, q4 := out[half:half+n], out[half+n:2*half]
	perm := m.perm[:n]
	for k, w := range m.twiddle[:n/2] {
		v := z[perm[k]]
		a, b := v.re*w.re-v.im*w.im, v.re*w.im+v.im*w.re
		i := 2 * k
		q3[n-1-i], q4[i] = -a, -a
		q1[n-1-i], q2[i] = -b, b
	}
	for k, w := range m.twiddle[n/2 : n] {
		v := z[perm[n/2+k]]
		a, b := v.re*w.re-v.im*w.im, v.re*w.im+v.im*w.re
		i := 2 * k
		q1[i], q2[n-1-i] = a, -a
		q3[i], q4[n-1-i] = b, b
	}
}

// fourier is the transform in place, which leaves the frequencies in the order of perm.
func (m *mdct) fourier(z []pair) {
	l := len(z)
	for _, stage := range m.stages {
		q := l / 4
		switch q {
		case 1:
			last4(z)
			return
		case 2:
			last8(z)
			return
		}
		for base := 0; base < len(z); base += l {
			a, b := z[base:base+q], z[base+q:base+2*q]
			c, d := z[base+2*q:base+3*q], z[base+3*q:base+4*q]
			stage, a, b, c, d := stage[:q], a[:q], b[:q], c[:q], d[:q]
			for j := range stage {
				w := &stage[j]
				a0, b0, c0, d0 := a[j], b[j], c[j], d[j]
				s0, s1 := pair{a0.re + c0.re, a0.im + c0.im}, pair{a0.re - c0.re, a0.im - c0.im}
				t0, t1 := pair{b0.re + d0.re, b0.im + d0.im}, pair{b0.im - d0.im, d0.re - b0.re}
				a[j] = pair{s0.re + t0.re, s0.im + t0.im}
				x, y := s1.re+t1.re, s1.im+t1.im
				b[j] = pair{x*w.w1.re - y*w.w1.im, x*w.w1.im + y*w.w1.re}
				x, y = s0.re-t0.re, s0.im-t0.im
				c[j] = pair{x*w.w2.re - y*w.w2.im, x*w.w2.im + y*w.w2.re}
				x, y = s1.re-t1.re, s1.im-t1.im
				d[j] = pair{x*w.w3.re - y*w.w3.im, x*w.w3.im + y*w.w3.re}
			}
		}
		l = q
	}
}

// last4 is the last stage for sizes that are powers of 4, where no turns are left.
func last4(z []pair) {
	for ; len(z) >= 4; z = z[4:] {
		v := (*[4]pair)(z)
		a, b, c, d := v[0], v[1], v[2], v[3]
		s0, s1 := pair{a.re + c.re, a.im + c.im}, pair{a.re - c.re, a.im - c.im}
		t0, t1 := pair{b.re + d.re, b.im + d.im}, pair{b.im - d.im, d.re - b.re}
		v[0], v[1] = pair{s0.re + t0.re, s0.im + t0.im}, pair{s1.re + t1.re, s1.im + t1.im}
		v[2], v[3] = pair{s0.re - t0.re, s0.im - t0.im}, pair{s1.re - t1.re, s1.im - t1.im}
	}
}

// last8 is the last stage for the other sizes: turns by eighths, and then sums of neighbours.
func last8(z []pair) {
	const h = math.Sqrt2 / 2
	for ; len(z) >= 8; z = z[8:] {
		v := (*[8]pair)(z)
		a, b, c, d := v[0], v[2], v[4], v[6]
		s0, s1 := pair{a.re + c.re, a.im + c.im}, pair{a.re - c.re, a.im - c.im}
		t0, t1 := pair{b.re + d.re, b.im + d.im}, pair{b.im - d.im, d.re - b.re}
		e0, e1 := pair{s0.re + t0.re, s0.im + t0.im}, pair{s1.re + t1.re, s1.im + t1.im}
		e2, e3 := pair{s0.re - t0.re, s0.im - t0.im}, pair{s1.re - t1.re, s1.im - t1.im}
		a, b, c, d = v[1], v[3], v[5], v[7]
		s0, s1 = pair{a.re + c.re, a.im + c.im}, pair{a.re - c.re, a.im - c.im}
		t0, t1 = pair{b.re + d.re, b.im + d.im}, pair{b.im - d.im, d.re - b.re}
		f0 := pair{s0.re + t0.re, s0.im + t0.im}
		f2 := pair{s0.im - t0.im, t0.re - s0.re}
		x, y := s1.re+t1.re, s1.im+t1.im
		f1 := pair{(x + y) * h, (y - x) * h}
		x, y = s1.re-t1.re, s1.im-t1.im
		f3 := pair{(y - x) * h, -(x + y) * h}
		v[0], v[1] = pair{e0.re + f0.re, e0.im + f0.im}, pair{e0.re - f0.re, e0.im - f0.im}
		v[2], v[3] = pair{e1.re + f1.re, e1.im + f1.im}, pair{e1.re - f1.re, e1.im - f1.im}
		v[4], v[5] = pair{e2.re + f2.re, e2.im + f2.im}, pair{e2.re - f2.re, e2.im - f2.im}
		v[6], v[7] = pair{e3.re + f3.re, e3.im + f3.im}, pair{e3.re - f3.re, e3.im - f3.im}
	}
}
