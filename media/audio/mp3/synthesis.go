package mp3

import "math"

// A synthesis is one channel's filter bank (ISO/IEC 11172-3 §2.4.3.2.2): samples of 32
// subbands to 32 samples of sound.
//
// Of the 64 values of the standard's vector V only 32 differ, those of a DCT-II. They are
// kept for the last 16 calls, twice, so that all 16 of one value are always in a row.
type synthesis struct {
	history [32][32]float32
	at      int // of the last call
}

// taps are the window's values for two samples that use the same 16 values of V, at the same
// distance before and behind the middle one: 8 each for the first one's values of even calls
// and of odd ones, and the same for the second one.
var taps = func() (t [17][4][8]float32) {
	window := func(i int) float32 {
		v := float32(halfWindow[min(i, 512-i)]) / 65536
		if i > 256 && i%64 != 0 {
			v = -v
		}
		return v
	}
	for r := range t {
		for i := range 8 {
			t[r][0][i] = window(64*i + 16 - r)
			t[r][1][i] = -window(64*i + 48 - r)
			if r < 16 {
				t[r][2][i] = -window(64*i + 16 + r)
				t[r][3][i] = -window(64*i + 48 + r)
			}
		}
	}
	return t
}()

// secants are 1/(2·cos(π(2k+1)/2n)) for n of 32, 16, 8, 4 and 2, one after the other.
var secants = func() (t [31]float32) {
	at := 0
	for n := 32; n > 1; n /= 2 {
		for k := range n / 2 {
			t[at] = float32(0.5 / math.Cos(math.Pi*float64(2*k+1)/float64(2*n)))
			at++
		}
	}
	return t
}()

// dct32 is the sum over k of x[k]·cos(π(2k+1)n/64), for n from 0 to 31, in the order of
// reversed bits of n. Even values are the DCT of half the size of the sums of x[k] and
// x[31−k]; odd ones are sums of neighbours of that of their differences over
// 2·cos(π(2k+1)/64).
func dct32(x *[32]float32) {
	s := secants[:16]
	for k := range 16 {
		a, b := x[k], x[31-k]
		x[k], x[31-k] = a+b, (a-b)*s[k]
	}
	reverse16((*[16]float32)(x[16:]))
	dct16((*[16]float32)(x[:16]))
	h := (*[16]float32)(x[16:])
	dct16(h)
	h[0] += h[8]
	h[8] += h[4]
	h[4] += h[12]
	h[12] += h[2]
	h[2] += h[10]
	h[10] += h[6]
	h[6] += h[14]
	h[14] += h[1]
	h[1] += h[9]
	h[9] += h[5]
	h[5] += h[13]
	h[13] += h[3]
	h[3] += h[11]
	h[11] += h[7]
	h[7] += h[15]
}

func reverse16(x *[16]float32) {
	for i := range 8 {
		x[i], x[15-i] = x[15-i], x[i]
	}
}

func dct16(x *[16]float32) {
	s := (*[8]float32)(secants[16:])
	var l, h [8]float32
	for k := range 8 {
		a, b := x[k], x[15-k]
		l[k], h[k] = a+b, (a-b)*s[k]
	}
	dct8(&l)
	dct8(&h)
	*(*[8]float32)(x[:8]) = l
	x[8] = h[0] + h[4]
	x[12] = h[4] + h[2]
	x[10] = h[2] + h[6]
	x[14] = h[6] + h[1]
	x[9] = h[1] + h[5]
	x[13] = h[5] + h[3]
	x[11] = h[3] + h[7]
	x[15] = h[7]
}

func dct8(x *[8]float32) {
	s := (*[7]float32)(secants[24:])
	a0, a1, a2, a3 := x[0]+x[7], x[1]+x[6], x[2]+x[5], x[3]+x[4]
	b0, b1, b2, b3 := (x[0]-x[7])*s[0], (x[1]-x[6])*s[1], (x[2]-x[5])*s[2], (x[3]-x[4])*s[3]
	e0, e1, f0, f1 := a0+a3, a1+a2, (a0-a3)*s[4], (a1-a2)*s[5]
	x[0], x[1] = e0+e1, (e0-e1)*s[6]
	f0, f1 = f0+f1, (f0-f1)*s[6]
	x[2], x[3] = f0+f1, f1
	e0, e1, f0, f1 = b0+b3, b1+b2, (b0-b3)*s[4], (b1-b2)*s[5]
	e0, e1 = e0+e1, (e0-e1)*s[6]
	f0, f1 = f0+f1, (f0-f1)*s[6]
	f0 += f1
	x[4], x[6], x[5], x[7] = e0+f0, f0+e1, e1+f1, f1
}

// reversed are the numbers to 31 with their bits in the opposite order.
var reversed = func() (t [32]uint8) {
	for i := range t {
		for bit := range 5 {
			t[i] |= uint8(i>>bit&1) << (4 - bit)
		}
	}
	return t
}()

// run makes the next 32 samples. It overwrites in.
func (y *synthesis) run(in *[32]float32, out *[32]float32) {
	dct32(in)
	at := (y.at - 1) & 15
	y.at = at
	for i, n := range reversed {
		h := &y.history[n&31]
		h[at], h[at+16] = in[i], in[i]
	}
	b := (*[16]float32)(y.history[0][at:])
	t := &taps[0]
	// The middle sample has no values of even calls at r = 0, where V is 0.
	out[16] = dot(&t[1], b, 1)
	a := (*[16]float32)(y.history[16][at:])
	t = &taps[16]
	out[0] = dot(&t[0], a, 0) + dot(&t[1], a, 1)
	for r := 1; r < 16; r++ {
		a, b := (*[16]float32)(y.history[32-r][at:]), (*[16]float32)(y.history[r][at:])
		t := &taps[r]
		out[16-r] = a[0]*t[0][0] + a[2]*t[0][1] + a[4]*t[0][2] + a[6]*t[0][3] +
			a[8]*t[0][4] + a[10]*t[0][5] + a[12]*t[0][6] + a[14]*t[0][7] +
			(b[1]*t[1][0] + b[3]*t[1][1] + b[5]*t[1][2] + b[7]*t[1][3] +
				b[9]*t[1][4] + b[11]*t[1][5] + b[13]*t[1][6] + b[15]*t[1][7])
		out[16+r] = a[0]*t[2][0] + a[2]*t[2][1] + a[4]*t[2][2] + a[6]*t[2][3] +
			a[8]*t[2][4] + a[10]*t[2][5] + a[12]*t[2][6] + a[14]*t[2][7] +
			(b[1]*t[3][0] + b[3]*t[3][1] + b[5]*t[3][2] + b[7]*t[3][3] +
				b[9]*t[3][4] + b[11]*t[3][5] + b[13]*t[3][6] + b[15]*t[3][7])
	}
}

// dot is the sum of every second value of v, from first on, times t.
func dot(t *[8]float32, v *[16]float32, first int) (sum float32) {
	for i, x := range t {
		sum += x * v[2*i+first]
	}
	return sum
}
