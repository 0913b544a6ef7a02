package dsp

import (
	"math"
	"testing"
)

func TestCurves(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		curve Curve
		// values at 0, 1/4, 1/2, 3/4 and 1.
		want [5]float64
	}{
		{"linear", LinearFade, [5]float64{0, 0.25, 0.5, 0.75, 1}},
		{"equal power", EqualPower, [5]float64{0, 0.3827, 0.7071, 0.9239, 1}},
		{"exponential", Exponential, [5]float64{0, 0.0046, 0.0307, 0.1770, 1}},
		{"an S", SCurve, [5]float64{0, 0.1464, 0.5, 0.8536, 1}},
		{"an unknown one is linear", Curve(99), [5]float64{0, 0.25, 0.5, 0.75, 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for i, want := range test.want {
				if got := test.curve.At(float64(i) / 4); math.Abs(got-want) > 0.0001 {
					t.Errorf("at %d/4 it is %.4f, want %.4f", i, got, want)
				}
			}
			for _, outside := range []struct{ at, want float64 }{{-1, 0}, {math.NaN(), 0}, {2, 1}, {math.Inf(1), 1}} {
				if got := test.curve.At(outside.at); got != outside.want {
					t.Errorf("at %g it is %g, want %g", outside.at, got, outside.want)
				}
			}
			last := 0.0
			for i := range 1001 {
				x := test.curve.At(float64(i) / 1000)
				if x < last {
					t.Fatalf("it falls at %d/1000", i)
				}
				last = x
			}
		})
	}
}

func TestCurvesOfBothSidesOfACrossfade(t *testing.T) {
	t.Parallel()
	for i := range 101 {
		x := float64(i) / 100
		for _, c := range []Curve{LinearFade, SCurve} {
			if sum := c.At(x) + c.At(1-x); math.Abs(sum-1) > 1e-12 {
				t.Errorf("curve %d: both sides at %g are %g together, want 1", c, x, sum)
			}
		}
		a, b := EqualPower.At(x), EqualPower.At(1-x)
		if p := a*a + b*b; math.Abs(p-1) > 1e-12 {
			t.Errorf("equal power at %g is %g, want 1", x, p)
		}
	}
}

func TestFades(t *testing.T) {
	t.Parallel()
	ones := func(n int) []float32 {
		s := make([]float32, n)
		for i := range s {
			s[i] = 1
		}
		return s
	}
	tests := []struct {
		name  string
		fade  func(samples []float32)
		count int
		want  []float32
	}{
		{"in begins at silence", func(s []float32) { LinearFade.FadeIn(s, 0, 4) }, 6, []float32{0, 0.25, 0.5, 0.75, 1, 1}},
		{"out ends at silence", func(s []float32) { LinearFade.FadeOut(s, 0, 4) }, 4, []float32{0.75, 0.5, 0.25, 0}},
		{"in parts it is the same", func(s []float32) {
			LinearFade.FadeIn(s[:1], 0, 4)
			LinearFade.FadeIn(s[1:3], 1, 4)
			LinearFade.FadeIn(s[3:], 3, 4)
		}, 5, []float32{0, 0.25, 0.5, 0.75, 1}},
		{"before a fade in is silence", func(s []float32) { LinearFade.FadeIn(s, -2, 2) }, 5, []float32{0, 0, 0, 0.5, 1}},
		{"before a fade out is full level, behind it silence", func(s []float32) { LinearFade.FadeOut(s, -2, 2) }, 6, []float32{1, 1, 0.5, 0, 0, 0}},
		{"one frame in is silent", func(s []float32) { LinearFade.FadeIn(s, 0, 1) }, 2, []float32{0, 1}},
		{"no frames change nothing", func(s []float32) { LinearFade.FadeIn(s, 0, 0) }, 2, []float32{1, 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := ones(test.count)
			test.fade(s)
			for i := range s {
				if s[i] != test.want[i] {
					t.Fatalf("got %v, want %v", s, test.want)
				}
			}
		})
	}
}
