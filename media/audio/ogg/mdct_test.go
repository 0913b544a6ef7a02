package ogg

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The transform is compared with the sum that defines it.
func TestMDCT(t *testing.T) {
	for _, size := range []int{64, 128, 256, 512, 2048} {
		r := rand.New(rand.NewPCG(uint64(size), 1))
		lines, out := make([]float32, size/2), make([]float32, size)
		for i := range lines {
			lines[i] = r.Float32()*2 - 1
		}
		newMDCT(size).run(lines, out)
		for i, got := range out {
			want := 0.0
			for k, x := range lines {
				want += float64(x) * math.Cos(math.Pi/float64(2*size)*float64((2*i+1+size/2)*(2*k+1)))
			}
			if math.Abs(float64(got)-want) > 1e-6*float64(size) {
				t.Fatalf("block of %d: sample %d is %g, want %g", size, i, got, want)
			}
		}
	}
}

func BenchmarkMDCT(b *testing.B) {
	m := newMDCT(2048)
	lines, out := make([]float32, 1024), make([]float32, 2048)
	for i := range lines {
		lines[i] = float32(i%7) - 3
	}
	b.SetBytes(4 * 1024)
	for b.Loop() {
		m.run(lines, out)
	}
}
