package dsp

import (
	"fmt"
	"math"
	"testing"
)

func TestMixMatrices(t *testing.T) {
	t.Parallel()
	const h = math.Sqrt2 / 2
	tests := []struct {
		name     string
		from, to int
		want     [][]float64
	}{
		{"mono to stereo is both", 1, 2, [][]float64{{1}, {1}}},
		{"stereo to mono is the mean", 2, 1, [][]float64{{0.5, 0.5}}},
		{"mono to 5.1 is the centre", 1, 6, [][]float64{{0}, {0}, {1}, {0}, {0}, {0}}},
		{"stereo to 5.1 is the front", 2, 6, [][]float64{{1, 0}, {0, 1}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}},
		{"5.1 to stereo", 6, 2, [][]float64{{1, 0, h, 0, h, 0}, {0, 1, h, 0, 0, h}}},
		{"5.1 to mono", 6, 1, [][]float64{{h, h, 1, 0, 0.5, 0.5}}},
		{"7.1 to stereo", 8, 2, [][]float64{{1, 0, h, 0, h, 0, h, 0}, {0, 1, h, 0, 0, h, 0, h}}},
		{"7.1 to 5.1", 8, 6, [][]float64{
			{1, 0, 0, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 0, 0, 0},
			{0, 0, 0, 1, 0, 0, 0, 0}, {0, 0, 0, 0, 1, 0, 1, 0}, {0, 0, 0, 0, 0, 1, 0, 1},
		}},
		{"7.1 to mono", 8, 1, [][]float64{{h, h, 1, 0, 0.5, 0.5, 0.5, 0.5}}},
		{"6.1 to stereo", 7, 2, [][]float64{{1, 0, h, 0, 0.5, h, 0}, {0, 1, h, 0, 0.5, 0, h}}},
		{"6.1 to 5.1", 7, 6, [][]float64{
			{1, 0, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 0, 0},
			{0, 0, 0, 1, 0, 0, 0}, {0, 0, 0, 0, h, 1, 0}, {0, 0, 0, 0, h, 0, 1},
		}},
		{"four channels to stereo", 4, 2, [][]float64{{1, 0, h, 0}, {0, 1, 0, h}}},
		{"three channels to mono", 3, 1, [][]float64{{h, h, 1}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m, err := MixMatrix(test.from, test.to)
			if err != nil {
				t.Fatal(err)
			}
			for o := range test.want {
				for i, want := range test.want[o] {
					if math.Abs(float64(m[o][i])-want) > 1e-7 {
						t.Errorf("output %d has %g of input %d, want %g", o, m[o][i], i, want)
					}
				}
			}
		})
	}
}

func TestMixMatricesOfAllNumbersOfChannels(t *testing.T) {
	t.Parallel()
	for from := 1; from <= MaxChannels; from++ {
		for to := 1; to <= MaxChannels; to++ {
			m, err := MixMatrix(from, to)
			if err != nil {
				t.Fatal(err)
			}
			if len(m) != to || len(m[0]) != from {
				t.Errorf("%d to %d: %d by %d", from, to, len(m), len(m[0]))
			}
			for i := range from {
				used := float32(0)
				for o := range to {
					used += m[o][i]
					if from == to && m[o][i] != map[bool]float32{true: 1}[i == o] {
						t.Errorf("%d to %d: output %d has %g of input %d", from, to, o, m[o][i], i)
					}
				}
				if layouts[from][i] != lfe && used == 0 {
					t.Errorf("%d to %d: input %d gets lost", from, to, i)
				}
			}
			for o, row := range m.Normalized() {
				sum := float32(0)
				for _, g := range row {
					sum += g
				}
				if sum > 1.000001 {
					t.Errorf("%d to %d: output %d is up to %g after Normalized", from, to, o, sum)
				}
			}
		}
	}
}

func TestMixingKeepsMono(t *testing.T) {
	t.Parallel()
	up, err := MixMatrix(1, 2)
	if err != nil {
		t.Fatal(err)
	}
	down, err := MixMatrix(2, 1)
	if err != nil {
		t.Fatal(err)
	}
	mono := [][]float32{{0.1, -0.7, 1.3}}
	stereo := [][]float32{make([]float32, 3), {9, 9, 9}}
	up.Apply(stereo, mono)
	back := [][]float32{{9, 9, 9}}
	down.Apply(back, stereo)
	if got, want := fmt.Sprint(back), fmt.Sprint(mono); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	none := [][]float32{{9, 9, 9}}
	Matrix{{0}}.Apply(none, mono)
	if got := fmt.Sprint(none); got != "[[0 0 0]]" {
		t.Errorf("nothing of a channel is %v, want silence", got)
	}
}

func TestNormalizedMatrixKeepsWhatIsNotTooLoud(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2} {
		m, err := MixMatrix(2, n)
		if err != nil {
			t.Fatal(err)
		}
		if &m.Normalized()[0] != &m[0] {
			t.Errorf("2 to %d channels is changed", n)
		}
	}
	m, err := MixMatrix(6, 2)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Normalized()[0][0]; math.Abs(float64(got)-1/(1+math.Sqrt2)) > 1e-6 {
		t.Errorf("left of 5.1 is %g of left, want 0.4142", got)
	}
}

func TestMixMatrixRefusesOtherNumbers(t *testing.T) {
	t.Parallel()
	for _, n := range [][2]int{{0, 2}, {2, 9}, {-1, 1}} {
		if _, err := MixMatrix(n[0], n[1]); err == nil {
			t.Errorf("%d to %d channels is possible", n[0], n[1])
		}
	}
}
