package dsp

import (
	"fmt"
	"math"
	"math/cmplx"
	"testing"
)

func TestFFTIsTheFourierTransform(t *testing.T) {
	t.Parallel()
	for n := 2; n <= 1024; n *= 2 {
		f, err := NewFFT(n)
		if err != nil {
			t.Fatal(err)
		}
		var (
			src   = make([]float64, n)
			got   = make([]complex128, n/2+1)
			noise = NewDither(uint64(n))
		)
		for i := range src {
			src[i] = float64(noise.Next())
		}
		f.Transform(got, src)
		for k := range got {
			var want complex128
			for i, x := range src {
				want += complex(x, 0) * cmplx.Rect(1, -2*math.Pi*float64(i*k%n)/float64(n))
			}
			if d := cmplx.Abs(got[k] - want); d > 1e-12*float64(n) {
				t.Errorf("of %d samples, value %d is %v, want %v", n, k, got[k], want)
			}
		}
	}
}

// The largest one, by the theorem of Parseval and by one tone.
func TestLargestFFT(t *testing.T) {
	t.Parallel()
	f, err := NewFFT(MaxFFT)
	if err != nil {
		t.Fatal(err)
	}
	src, got := make([]float64, f.Size()), make([]complex128, f.Size()/2+1)
	energy := 0.0
	for i := range src {
		src[i] = math.Cos(2 * math.Pi * 12345 * float64(i%MaxFFT) / MaxFFT)
		energy += src[i] * src[i]
	}
	f.Transform(got, src)
	sum := 0.0
	for _, v := range got {
		sum += 2 * real(v*cmplx.Conj(v)) / MaxFFT
	}
	if math.Abs(sum/energy-1) > 1e-9 {
		t.Errorf("the energy is %g, want %g", sum, energy)
	}
	if d := cmplx.Abs(got[12345] - MaxFFT/2); d > 1e-4 {
		t.Errorf("the tone is %v, want %d", got[12345], MaxFFT/2)
	}
}

func TestFFTRefusesOtherSizes(t *testing.T) {
	t.Parallel()
	for _, n := range []int{-8, 0, 1, 3, 1000, 2 * MaxFFT} {
		want := fmt.Sprintf("an FFT of %d samples is impossible: it must be a power of two from 2 to 65536", n)
		if _, err := NewFFT(n); err == nil || err.Error() != want {
			t.Errorf("%d samples: %v, want %s", n, err, want)
		}
		if _, err := NewSpectrum(n, Hann); err == nil || err.Error() != want {
			t.Errorf("a spectrum of %d samples: %v, want %s", n, err, want)
		}
	}
}

func TestSpectrumOfTones(t *testing.T) {
	t.Parallel()
	const n, rate = 1024, 48000
	tests := []struct {
		name   string
		window Window
		// bin is the tone's frequency in parts of rate/n, amplitude its peak.
		bin, amplitude float64
		frames         int
		want           float64 // level of the nearest value
		// beside is the most that values further than far away have.
		far    int
		beside float64
	}{
		{"a sine of full scale has 0 dB", Hann, 100, 1, 48000, 0, 2, -140},
		{"half of the amplitude is 6 dB less", BlackmanHarris, 200, 0.5, 48000, -6.02, 4, -130},
		{"a frequency between two values has less by Hann's scallop loss", Hann, 100.5, 1, 48000, -1.42, 60, -80},
		{"a frequency between two values has little beside it with Blackman-Harris", BlackmanHarris, 100.5, 1, 48000, -0.83, 5, -88},
		{"without a window there are side lobes", Rectangular, 100.5, 1, 48000, -3.9, 500, -50},
		{"a block that is filled up by half has 6 dB less", Rectangular, 64, 1, 512, -6.02, 500, -40},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s, err := NewSpectrum(n, test.window)
			if err != nil {
				t.Fatal(err)
			}
			s.Write([]float32{1, -1, 1})
			s.Reset()
			tone := sine(test.frames, n, test.bin, test.amplitude, 0.3)
			s.Write(tone[:100])
			s.Write(tone[100:])
			levels := s.Decibels()
			if got := levels[int(test.bin)]; math.Abs(got-test.want) > 0.05 {
				t.Errorf("the tone has %.2f dB, want %.2f", got, test.want)
			}
			for k, l := range levels {
				if math.Abs(float64(k)-test.bin) > float64(test.far) && l > test.beside {
					t.Errorf("value %d has %.1f dB, want at most %.1f", k, l, test.beside)
					break
				}
			}
		})
	}
}

func TestSpectrumOfSilenceAndOfWhatIsNotFinite(t *testing.T) {
	t.Parallel()
	s, err := NewSpectrum(16, Hann)
	if err != nil {
		t.Fatal(err)
	}
	s.Write([]float32{float32(math.NaN()), float32(math.Inf(1)), 0, 0})
	for k, l := range s.Decibels() {
		if l != -200 {
			t.Errorf("value %d is %g dB, want -200", k, l)
		}
	}
	s.Reset()
	s.Write([]float32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1})
	if got := s.Decibels()[0]; math.Abs(got) > 1e-9 {
		t.Errorf("a constant has %g dB at 0 Hz, want 0", got)
	}
}

func BenchmarkFFT(b *testing.B) {
	f, err := NewFFT(2048)
	if err != nil {
		b.Fatal(err)
	}
	src, dst := make([]float64, 2048), make([]complex128, 1025)
	for b.Loop() {
		f.Transform(dst, src)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2048, "ns/sample")
}
