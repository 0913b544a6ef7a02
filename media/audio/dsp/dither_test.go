package dsp

import (
	"math"
	"testing"
)

func TestDitherIsTriangularNoise(t *testing.T) {
	t.Parallel()
	const n = 1 << 20
	var (
		d                       = NewDither(42)
		sum, squares, neighbour float64
		last                    float64
		outer                   int // how many are outside of ±0.5, a quarter of a triangle
	)
	for range n {
		x := float64(d.Next())
		if x <= -1 || x >= 1 {
			t.Fatalf("%g is outside of -1 to 1", x)
		}
		sum += x
		squares += x * x
		neighbour += x * last
		last = x
		if math.Abs(x) > 0.5 {
			outer++
		}
	}
	if m := sum / n; math.Abs(m) > 0.002 {
		t.Errorf("the mean is %g, want 0", m)
	}
	if v := squares / n; math.Abs(v-1.0/6) > 0.001 {
		t.Errorf("the variance is %g, want 1/6", v)
	}
	if c := neighbour / n; math.Abs(c) > 0.001 {
		t.Errorf("the correlation of neighbours is %g, want 0", c)
	}
	if p := float64(outer) / n; math.Abs(p-0.25) > 0.002 {
		t.Errorf("%g of the values are in the outer halves, want 0.25", p)
	}
}

func TestDitherIsTheSameForTheSameSeed(t *testing.T) {
	t.Parallel()
	// The first value of SplitMix64 of seed 1 is 0x910A2DEC89025CC1.
	a, b, c := NewDither(1), &Dither{}, NewDither(0)
	for i, want := range []float32{(0x910A2D - 0x025CC1) / 16777216.0, 0.187487, 0.7743876} {
		if got := a.Next(); got != want {
			t.Errorf("value %d of seed 1 is %v, want %v", i, got, want)
		}
		if x, y := b.Next(), c.Next(); x != y || x == want {
			t.Errorf("value %d of the zero value is %v, want %v as for seed 0", i, x, y)
		}
	}
}

// Rounding after dither is right on average, wherever between two steps a sample is.
func TestDitherMakesRoundingRightOnAverage(t *testing.T) {
	t.Parallel()
	const n = 200_000
	for _, x := range []float32{0.1, 0.25, 0.5, 0.8} {
		samples := make([]float32, n)
		for i := range samples {
			samples[i] = x / 128
		}
		NewDither(9).Add(samples, 1.0/128)
		sum, squares := 0.0, 0.0
		for _, s := range samples {
			e := math.RoundToEven(float64(s)*128) - float64(x)
			sum += e
			squares += e * e
		}
		if m := sum / n; math.Abs(m) > 0.006 {
			t.Errorf("%g of a step is rounded to %g more on average, want 0", x, m)
		}
		if v := squares / n; math.Abs(v-0.25) > 0.006 {
			t.Errorf("the error at %g of a step has a variance of %g, want 1/4 everywhere", x, v)
		}
	}
}
