package dsp

import "math"

// A kWeight is the K-weighting filter of ITU-R BS.1770-4 annex 1 for one rate: a shelf for
// the effect of the head, then a high-pass filter. The standard has its coefficients at 48 kHz
// only. Here they come from the analogue filters that become those at 48 kHz by the bilinear
// transform.
type kWeight struct {
	// of the shelf
	b0, b1, b2, a1, a2 float64
	// of the high-pass filter, whose other coefficients are 1, −2 and 1
	c1, c2 float64
}

func newKWeight(rate int) kWeight {
	const (
		shelf     = 1681.974450955533 // Hz
		shelfQ    = 0.7071752369554196
		shelfGain = 3.999843853973347 // dB
		// slope is how much of the gain is reached at the shelf's frequency, as an exponent.
		slope = 0.4996667741545416
		high  = 38.13547087602444 // Hz
		highQ = 0.5003270373238773
	)
	var k kWeight

	w := warp(shelf, rate)
	v := Linear(shelfGain)
	vb := math.Pow(v, slope)
	a0 := 1 + w/shelfQ + w*w
	k.b0 = (v + vb*w/shelfQ + w*w) / a0
	k.b1 = 2 * (w*w - v) / a0
	k.b2 = (v - vb*w/shelfQ + w*w) / a0
	k.a1 = 2 * (w*w - 1) / a0
	k.a2 = (1 - w/shelfQ + w*w) / a0

	w = warp(high, rate)
	a0 = 1 + w/highQ + w*w
	k.c1 = 2 * (w*w - 1) / a0
	k.c2 = (1 - w/highQ + w*w) / a0
	// The numerator of the high-pass filter is that of the standard, whose gain depends on
	// the rate: 0.04 dB at 48 kHz would be 0.26 dB at 8 kHz.
	w = warp(high, 48_000)
	gain := (1 + w/highQ + w*w) / a0
	k.b0, k.b1, k.b2 = k.b0*gain, k.b1*gain, k.b2*gain
	return k
}

// warp is the frequency that the bilinear transform moves to f. Rates too low for the filter
// have it near their highest frequency.
func warp(f float64, rate int) float64 {
	return math.Tan(math.Pi * min(f/float64(rate), 0.45))
}

// A kState is what the filter remembers of a channel.
type kState struct{ s1, s2, t1, t2 float64 }

// energy filters samples and returns the sum of the squares.
func (k *kWeight) energy(s *kState, samples []float32) (sum float64) {
	s1, s2, t1, t2 := s.s1, s.s2, s.t1, s.t2
	for _, v := range samples {
		x := float64(v)
		// Transposed direct form: the shortest path from one output to the next one.
		y := k.b0*x + s1
		s1 = (k.b1*x + s2) - k.a1*y
		s2 = k.b2*x - k.a2*y
		z := y + t1
		t1 = (t2 - 2*y) - k.c1*z
		t2 = y - k.c2*z
		sum += z * z
	}
	s.s1, s.s2, s.t1, s.t2 = s1, s2, t1, t2
	return sum
}

// energy2 is energy of two channels at one time. The processor waits for the previous output
// most of the time, so that the second one costs little.
func (k *kWeight) energy2(s, r *kState, left, right []float32) (sumLeft, sumRight float64) {
	s1, s2, t1, t2 := s.s1, s.s2, s.t1, s.t2
	u1, u2, v1, v2 := r.s1, r.s2, r.t1, r.t2
	right = right[:len(left)]
	for i, v := range left {
		x := float64(v)
		y := k.b0*x + s1
		s1 = (k.b1*x + s2) - k.a1*y
		s2 = k.b2*x - k.a2*y
		z := y + t1
		t1 = (t2 - 2*y) - k.c1*z
		t2 = y - k.c2*z
		sumLeft += z * z

		x = float64(right[i])
		y = k.b0*x + u1
		u1 = (k.b1*x + u2) - k.a1*y
		u2 = k.b2*x - k.a2*y
		z = y + v1
		v1 = (v2 - 2*y) - k.c1*z
		v2 = y - k.c2*z
		sumRight += z * z
	}
	s.s1, s.s2, s.t1, s.t2 = s1, s2, t1, t2
	r.s1, r.s2, r.t1, r.t2 = u1, u2, v1, v2
	return sumLeft, sumRight
}

// settle ends what is left after long silence, before it gets so small that processors become
// slow.
func (s *kState) settle() {
	for _, v := range []*float64{&s.s1, &s.s2, &s.t1, &s.t2} {
		if math.Abs(*v) < 1e-30 {
			*v = 0
		}
	}
}
