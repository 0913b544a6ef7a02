package mp3

import "math"

// butterflies reduce the aliases between neighbouring subbands (ISO/IEC 11172-3 table B.9).
var butterflies = func() (t [8][2]float32) {
	for i, c := range [8]float64{-0.6, -0.535, -0.33, -0.185, -0.095, -0.041, -0.0142, -0.0037} {
		t[i] = [2]float32{float32(1 / math.Sqrt(1+c*c)), float32(c / math.Sqrt(1+c*c))}
	}
	return t
}()

// antialias works on the borders of the first so many subbands.
func antialias(x *[576]float32, subbands int) {
	for sb := 1; sb < subbands; sb++ {
		low, high := x[18*sb-8:18*sb], x[18*sb:18*sb+8]
		for i, c := range butterflies {
			a, b := low[7-i], high[i]
			low[7-i] = a*c[0] - b*c[1]
			high[i] = b*c[0] + a*c[1]
		}
	}
}

// windows are those of the four kinds of blocks (ISO/IEC 11172-3 §2.4.3.4.10.3); the one of
// short blocks has 12 values.
var windows = func() (t [4][36]float32) {
	long := func(i int) float32 { return float32(math.Sin(math.Pi / 36 * (float64(i) + 0.5))) }
	short := func(i int) float32 { return float32(math.Sin(math.Pi / 12 * (float64(i) + 0.5))) }
	for i := range 36 {
		t[0][i] = long(i)
	}
	for i := range 18 {
		t[1][i], t[3][35-i] = long(i), long(i)
	}
	for i := range 6 {
		t[1][18+i], t[3][12+i] = 1, 1
		t[1][24+i], t[3][6+i] = short(6+i), short(i)
	}
	for i := range 12 {
		t[2][i] = short(i)
	}
	return t
}()

// Factors of the transforms: 2·cos(π(2k+1)/72), 2·cos(π(2k+1)/36), and the cosines of the
// one of 6 lines.
var (
	twiddle18 = func() (t [18]float32) {
		for k := range t {
			t[k] = float32(2 * math.Cos(math.Pi*float64(2*k+1)/72))
		}
		return t
	}()
	twiddle9 = func() (t [9]float32) {
		for k := range t {
			t[k] = float32(2 * math.Cos(math.Pi*float64(2*k+1)/36))
		}
		return t
	}()
	cosines6 = func() (t [6][6]float32) {
		for n := range t {
			for k := range t[n] {
				t[n][k] = float32(math.Cos(math.Pi / 24 * float64((2*n+1)*(2*k+1))))
			}
		}
		return t
	}()
)

// dct2of9 is the sum over k of x[k]·cos(π(2k+1)n/18), for n from 0 to 8, with the symmetries
// of the cosines.
func dct2of9(x *[9]float32) {
	const (
		c1 = 0.98480775301220805936 // cos(10°), and so on
		c2 = 0.93969262078590838405
		c3 = 0.86602540378443864676
		c4 = 0.76604444311897803520
		c5 = 0.64278760968653932632
		c7 = 0.34202014332566873304
		c8 = 0.17364817766693034885
	)
	s0, s1, s2, s3, m := x[0]+x[8], x[1]+x[7], x[2]+x[6], x[3]+x[5], x[4]
	d0, d1, d2, d3 := x[0]-x[8], x[1]-x[7], x[2]-x[6], x[3]-x[5]
	half := s1*0.5 - m
	x[0] = s0 + s1 + s2 + s3 + m
	x[2] = s0*c2 - s2*c8 - s3*c4 + half
	x[4] = s0*c4 - s2*c2 + s3*c8 - half
	x[6] = (s0+s2+s3)*0.5 - s1 - m
	x[8] = s0*c8 + s2*c4 - s3*c2 - half
	d1 *= c3
	x[1] = d0*c1 + d1 + d2*c5 + d3*c7
	x[3] = (d0 - d2 - d3) * c3
	x[5] = d0*c5 - d1 - d2*c7 + d3*c1
	x[7] = d0*c7 - d1 + d2*c1 - d3*c5
}

// dct4of18 is the sum over k of x[k]·cos(π(2k+1)(2n+1)/72), for n from 0 to 17. It uses that
// 2·cos a·cos b = cos(a+b) + cos(a−b): with x[k]·2·cos(π(2k+1)/72), a DCT-II gives the sums
// of neighbours; its odd half is again a DCT-IV, of 9.
func dct4of18(x, y *[18]float32) {
	var even, odd [9]float32
	for k := range even {
		a, b := x[k]*twiddle18[k], x[17-k]*twiddle18[17-k]
		even[k] = a + b
		odd[k] = (a - b) * twiddle9[k]
	}
	dct2of9(&even)
	dct2of9(&odd)
	o := odd[0] * 0.5
	v := even[0] * 0.5
	y[0] = v
	for n := 1; n < 9; n++ {
		v = o - v
		y[2*n-1] = v
		v = even[n] - v
		y[2*n] = v
		o = odd[n] - o
	}
	y[17] = o - v
}

// A hybrid is one channel's inverse transform (ISO/IEC 11172-3 §2.4.3.4.10): lines to 18
// samples of each of 32 subbands.
type hybrid struct {
	overlap [32][18]float32
	// live is how many subbands of overlap may be other than 0.
	live int
}

// transform writes the subbands' samples to out, of which the later ones of odd subbands have
// their sign changed, as the filter bank wants. active is how many subbands have lines other
// than 0, and long how many begin with long blocks although the others are short.
func (y *hybrid) transform(x *[576]float32, block, active, long int, out *[18][32]float32) {
	for sb := range 32 {
		prev := &y.overlap[sb]
		sign := float32(1)
		if sb&1 != 0 {
			sign = -1
		}
		if sb >= active {
			if sb >= y.live {
				for i := range out {
					out[i][sb] = 0
				}
				continue
			}
			for i := 0; i < 18; i += 2 {
				out[i][sb] = prev[i]
				out[i+1][sb] = prev[i+1] * sign
			}
			*prev = [18]float32{}
			continue
		}
		in := (*[18]float32)(x[18*sb:])
		kind := block
		if sb < long {
			kind = 0
		}
		if kind == 2 {
			var sum [36]float32
			shortBlocks(in, &sum)
			for i := 0; i < 18; i += 2 {
				out[i][sb] = sum[i] + prev[i]
				out[i+1][sb] = (sum[i+1] + prev[i+1]) * sign
			}
			copy(prev[:], sum[18:])
			continue
		}
		// The transform of 36 samples is that of 18, mirrored twice.
		var d [18]float32
		dct4of18(in, &d)
		w := &windows[kind]
		var sum [18]float32
		for i := range 9 {
			sum[i] = prev[i] + d[i+9]*w[i]
			sum[17-i] = prev[17-i] - d[i+9]*w[17-i]
			prev[i] = -d[8-i] * w[18+i]
			prev[17-i] = -d[8-i] * w[35-i]
		}
		for i := 0; i < 18; i += 2 {
			out[i][sb] = sum[i]
			out[i+1][sb] = sum[i+1] * sign
		}
	}
	y.live = active
}

// shortBlocks transforms the three blocks of a subband and adds them up where they are.
func shortBlocks(in *[18]float32, sum *[36]float32) {
	w := &windows[2]
	for b := range 3 {
		var d [6]float32
		for n := range d {
			c := &cosines6[n]
			d[n] = in[b]*c[0] + in[b+3]*c[1] + in[b+6]*c[2] + in[b+9]*c[3] + in[b+12]*c[4] + in[b+15]*c[5]
		}
		at := sum[6+6*b:]
		for i := range 3 {
			at[i] += d[i+3] * w[i]
			at[5-i] -= d[i+3] * w[5-i]
			at[6+i] -= d[2-i] * w[6+i]
			at[11-i] -= d[2-i] * w[11-i]
		}
	}
}
