package dsp

import (
	"math"
	"testing"
)

func TestWindows(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		window Window
		want   []float64 // of 8 samples, the first 5
		mean   float64
	}{
		{"Hann", Hann, []float64{0, 0.146447, 0.5, 0.853553, 1}, 0.5},
		{"Blackman-Harris", BlackmanHarris, []float64{0.00006, 0.021736, 0.21747, 0.695764, 1}, 0.35875},
		{"none", Rectangular, []float64{1, 1, 1, 1, 1}, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := make([]float64, 8)
			test.window.Fill(w)
			for i, want := range test.want {
				if math.Abs(w[i]-want) > 1e-6 {
					t.Errorf("value %d is %.6f, want %.6f", i, w[i], want)
				}
				if i > 0 && math.Abs(w[i]-w[8-i]) > 1e-12 {
					t.Errorf("values %d and %d are %g and %g", i, 8-i, w[i], w[8-i])
				}
			}
			sum := 0.0
			for _, x := range w {
				sum += x
			}
			if math.Abs(sum/8-test.mean) > 1e-9 {
				t.Errorf("the mean is %g, want %g", sum/8, test.mean)
			}
		})
	}
}
