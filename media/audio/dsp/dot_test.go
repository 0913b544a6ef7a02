package dsp

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestDotsAddInTheSameOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 8; n <= 160; n += 8 {
		h, x := make([]float32, 2*n), make([]float32, n+200)
		for i := range h {
			h[i] = float32(r.NormFloat64())
		}
		for i := range x {
			x[i] = float32(r.NormFloat64())
		}
		for at := range 4 {
			// Not at multiples of 16 bytes either.
			x := x[at:]
			want := 0.0
			for i, v := range h[:n] {
				want += float64(v) * float64(x[i])
			}
			first := dot(h[:n], x[:n])
			if math.Abs(float64(first)-want) > 1e-5*float64(n) {
				t.Errorf("%d: got %v, want %v", n, first, want)
			}
			a, b := dot2(h, x[:n])
			if c := dot(h[n:], x); a != first || b != c {
				t.Errorf("%d: got %v and %v, want %v and %v", n, a, b, first, c)
			}
			for _, step := range []int{0, 1, 98} {
				a, b, c := dot3(h[:n], x[:n+2*step], step)
				if d, e := dot(h[:n], x[step:]), dot(h[:n], x[2*step:]); a != first || b != d || c != e {
					t.Errorf("%d, %d apart: got %v, %v and %v, want %v, %v and %v", n, step, a, b, c, first, d, e)
				}
			}
		}
	}
}

func TestDotsStayWithinTheirSlices(t *testing.T) {
	h, x := make([]float32, 16), make([]float32, 7)
	for name, f := range map[string]func(){
		"one":   func() { dot(h, x) },
		"two":   func() { dot2(h, x) },
		"three": func() { dot3(h[:8], make([]float32, 15), 4) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: what is behind the slice is read", name)
				}
			}()
			f()
		}()
	}
}

func BenchmarkDot3(b *testing.B) {
	h, x := make([]float32, 56), make([]float32, 400)
	for b.Loop() {
		dot3(h, x, 147)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/3/56, "ns/tap")
}
