//go:build !purego

package dsp

import "golang.org/x/sys/cpu"

// The functions of dot_amd64.s use SSE, which every amd64 has, and for most of the work AVX, which
// nearly every one has. n is a multiple of 8 and not 0. All have eight sums, of what is at the
// same place among eight, and add them up in the same order, so that they give the same.

//go:noescape
func dotSSE(h, x *float32, n int) float32

//go:noescape
func dot2SSE(f, h, x *float32, n int) (a, b float32)

//go:noescape
func dot3SSE(h, x *float32, n, step int) (a, b, c float32)

//go:noescape
func dot3AVX(h, x *float32, n, step int) (a, b, c float32)

var hasAVX = cpu.X86.HasAVX

// dot is the scalar product of h, whose length is a multiple of 8 and not 0, and the beginning
// of x.
func dot(h, x []float32) float32 {
	_ = x[len(h)-1]
	return dotSSE(&h[0], &x[0], len(h))
}

// dot2 are the scalar products of both halves of h with x.
func dot2(h, x []float32) (float32, float32) {
	n := len(h) / 2
	_ = x[n-1]
	return dot2SSE(&h[0], &h[n], &x[0], n)
}

// dot3 are the scalar products of h with three parts of x that are step apart.
func dot3(h, x []float32, step int) (float32, float32, float32) {
	_ = x[2*step+len(h)-1]
	if hasAVX {
		return dot3AVX(&h[0], &x[0], len(h), step)
	}
	return dot3SSE(&h[0], &x[0], len(h), step)
}
