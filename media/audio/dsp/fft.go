package dsp

import "fmt"

// MaxFFT is the largest size of an FFT.
const MaxFFT = 1 << 20

// An FFT is the discrete Fourier transform of real samples.
type FFT struct {
	n int
}

// NewFFT makes an FFT of n samples, a power of two from 2 to MaxFFT.
func NewFFT(n int) (*FFT, error) {
	if n < 2 || n > MaxFFT || n&(n-1) != 0 {
		return nil, fmt.Errorf("an FFT of %d samples is impossible: it must be a power of two from 2 to %d", n, MaxFFT)
	}
	return &FFT{n}, nil
}

// Size is the number of samples.
func (f *FFT) Size() int { return f.n }

// Transform writes the n/2+1 values from 0 Hz to half of the rate of n samples to dst: value k
// is the sum of src[i]·exp(−2πj·i·k/n). It does not change src.
func (f *FFT) Transform(dst []complex128, src []float64) {}
