package mp3

import (
	"math"
	"math/rand/v2"
	"testing"
)

func noise(seed uint64, x []float32) {
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range x {
		x[i] = r.Float32()*2 - 1
	}
}

// near fails if values differ by more than the rounding of float32 explains.
func near(t *testing.T, what string, i int, got float32, want float64) {
	t.Helper()
	if math.Abs(float64(got)-want) > 2e-5 {
		t.Errorf("%s %d is %g, want %g", what, i, got, want)
	}
}

func TestDCT32(t *testing.T) {
	var x, in [32]float32
	noise(1, in[:])
	x = in
	dct32(&x)
	for n := range 32 {
		want := 0.0
		for k, v := range in {
			want += float64(v) * math.Cos(math.Pi*float64((2*k+1)*n)/64)
		}
		near(t, "value", n, x[reversed[n]], want)
	}
}

// imdct is the transform as the standard has it (ISO/IEC 11172-3 §2.4.3.4.10.2).
func imdct(in []float32) []float64 {
	n := 2 * len(in)
	out := make([]float64, n)
	for i := range out {
		for k, v := range in {
			out[i] += float64(v) * math.Cos(math.Pi/float64(2*n)*float64((2*i+1+n/2)*(2*k+1)))
		}
	}
	return out
}

func TestHybrid(t *testing.T) {
	for block := range 4 {
		var (
			y      hybrid
			x      [576]float32
			out    [18][32]float32
			before [32][18]float64
		)
		for granule := range 2 {
			noise(uint64(10*block+granule), x[:])
			y.transform(&x, block, 32, 0, &out)
			for sb := range 32 {
				in := x[18*sb : 18*sb+18]
				var sum [36]float64
				if block == 2 {
					for b := range 3 {
						part := make([]float32, 6)
						for k := range part {
							part[k] = in[3*k+b]
						}
						for i, v := range imdct(part) {
							sum[6+6*b+i] += v * math.Sin(math.Pi/12*(float64(i)+0.5))
						}
					}
				} else {
					for i, v := range imdct(in) {
						sum[i] = v * float64(windows[block][i])
					}
				}
				for i := range 18 {
					want := sum[i] + before[sb][i]
					if i&1 != 0 && sb&1 != 0 {
						want = -want
					}
					near(t, "sample", 18*sb+i, out[i][sb], want)
					before[sb][i] = sum[18+i]
				}
			}
		}
	}
}

// The filter bank is compared with the steps of the standard's flow chart
// (ISO/IEC 11172-3 figure A.2).
func TestSynthesis(t *testing.T) {
	var (
		y synthesis
		v [1024]float64
	)
	for call := range 40 {
		var in, out [32]float32
		noise(uint64(call), in[:])
		copy(v[64:], v[:960])
		for i := range 64 {
			v[i] = 0
			for k, s := range in {
				v[i] += math.Cos(float64((16+i)*(2*k+1))*math.Pi/64) * float64(s)
			}
		}
		var want [32]float64
		for i := range 8 {
			for j := range 32 {
				want[j] += v[128*i+j]*window(64*i+j) + v[128*i+96+j]*window(64*i+32+j)
			}
		}
		y.run(&in, &out)
		for j := range out {
			near(t, "sample", 32*call+j, out[j], want[j])
		}
	}
}

func window(i int) float64 {
	switch {
	case i <= 256:
		return float64(halfWindow[i]) / 65536
	case i%64 == 0:
		return float64(halfWindow[512-i]) / 65536
	}
	return -float64(halfWindow[512-i]) / 65536
}
