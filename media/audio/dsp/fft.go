package dsp

import (
	"fmt"
	"math"
)

// MaxFFT is the largest size of an FFT. One takes 28 bytes for each sample.
const MaxFFT = 1 << 16

// An FFT is the discrete Fourier transform of real samples. It is for one goroutine at a
// time.
type FFT struct {
	n int
	// roots are exp(−2πj·k/n) for the first three quarters of the circle.
	roots []complex128
	// Two halves of a transform of n/2 complex values, which its passes go to and fro.
	work [2][]complex128
}

// NewFFT makes an FFT of n samples, a power of two from 2 to MaxFFT.
func NewFFT(n int) (*FFT, error) {
	if n < 2 || n > MaxFFT || n&(n-1) != 0 {
		return nil, fmt.Errorf("an FFT of %d samples is impossible: it must be a power of two from 2 to %d", n, MaxFFT)
	}
	f := &FFT{n: n, roots: make([]complex128, max(n*3/4, 2))}
	for k := range f.roots {
		s, c := math.Sincos(-2 * math.Pi * float64(k) / float64(n))
		f.roots[k] = complex(c, s)
	}
	for i := range f.work {
		f.work[i] = make([]complex128, n/2)
	}
	return f, nil
}

// Size is the number of samples.
func (f *FFT) Size() int { return f.n }

// Transform writes the n/2+1 values from 0 Hz to half of the rate of n samples to dst: value k
// is the sum of src[i]·exp(−2πj·i·k/n). It does not change src.
func (f *FFT) Transform(dst []complex128, src []float64) {
	// Even and odd samples are the real and imaginary parts of half as many complex ones,
	// whose transform is taken apart again by its symmetry.
	m := f.n / 2
	z := f.work[0]
	src, dst = src[:f.n], dst[:m+1]
	for i := range z {
		z[i] = complex(src[2*i], src[2*i+1])
	}
	z = f.transform()
	for k := range dst {
		a, b := z[k&(m-1)], z[(m-k)&(m-1)]
		b = complex(real(b), -imag(b))
		even, odd := a+b, a-b
		odd = complex(imag(odd), -real(odd)) * f.roots[k]
		dst[k] = complex((real(even)+real(odd))/2, (imag(even)+imag(odd))/2)
	}
}

// transform transforms work[0] and returns where the result is. The passes sort as they go
// (Stockham), four values at a time, the last one two if need be.
func (f *FFT) transform() []complex128 {
	x, y := f.work[0], f.work[1]
	n, stride := len(x), 1
	for ; n >= 4; n, stride = n/4, stride*4 {
		quarter, step := n/4, f.n/n
		for p := range quarter {
			w1, w2, w3 := f.roots[p*step], f.roots[2*p*step], f.roots[3*p*step]
			a := x[stride*p:][:stride]
			b := x[stride*(p+quarter):][:stride]
			c := x[stride*(p+2*quarter):][:stride]
			d := x[stride*(p+3*quarter):][:stride]
			out := y[4*stride*p:][:4*stride]
			for q := range stride {
				ac, bd := a[q]+c[q], b[q]+d[q]
				e, g := a[q]-c[q], b[q]-d[q]
				g = complex(-imag(g), real(g))
				out[q] = ac + bd
				out[q+stride] = w1 * (e - g)
				out[q+2*stride] = w2 * (ac - bd)
				out[q+3*stride] = w3 * (e + g)
			}
		}
		x, y = y, x
	}
	if n == 2 {
		for q := range stride {
			y[q], y[q+stride] = x[q]+x[q+stride], x[q]-x[q+stride]
		}
		x = y
	}
	return x
}
