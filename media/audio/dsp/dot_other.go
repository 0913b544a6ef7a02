//go:build !amd64 || purego

package dsp

// dot is the scalar product of h, whose length is even, and the beginning of x. It adds in the
// order of dot3, so that both give the same.
func dot(h, x []float32) float32 {
	x = x[:len(h)]
	var a, b float32
	for i := 0; i < len(h)-1; i += 2 {
		a += h[i] * x[i]
		b += h[i+1] * x[i+1]
	}
	return a + b
}

// dot2 is the scalar product of both halves of h with x. Half of the length of h is even.
func dot2(h, x []float32) (float32, float32) {
	n := len(h) / 2
	g := h[n:][:n]
	h, x = h[:n], x[:n]
	var a, b, c, d float32
	for i := 0; i < n-1; i += 2 {
		p, q := x[i], x[i+1]
		a += h[i] * p
		b += g[i] * p
		c += h[i+1] * q
		d += g[i+1] * q
	}
	return a + c, b + d
}

// dot3 is the scalar product of h, whose length is even, with three parts of x that are step
// apart.
func dot3(h, x []float32, step int) (float32, float32, float32) {
	y, z := x[step:][:len(h)], x[2*step:][:len(h)]
	x = x[:len(h)]
	var a, b, c, d, e, f float32
	for i := 0; i < len(h)-1; i += 2 {
		p, q := h[i], h[i+1]
		a += p * x[i]
		b += p * y[i]
		c += p * z[i]
		d += q * x[i+1]
		e += q * y[i+1]
		f += q * z[i+1]
	}
	return a + d, b + e, c + f
}
