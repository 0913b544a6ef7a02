package dsp

import (
	"math"
	"math/cmplx"
)

// A Spectrum is the mean power spectrum of a sound: of windowed blocks that overlap by half
// (Welch, "The use of fast Fourier transform for the estimation of power spectra", 1967). It
// takes one channel.
type Spectrum struct {
	fft    *FFT
	window []float64
	scale  float64 // of the magnitude of a sine of full scale to 1
	block  []float64
	have   int
	work   []float64
	values []complex128
	power  []float64 // summed up
	blocks int
}

// silenceLevel is the lowest level that Decibels gives.
const silenceLevel = -200

// NewSpectrum makes a Spectrum of blocks of n samples, a power of two from 2 to MaxFFT.
func NewSpectrum(n int, w Window) (*Spectrum, error) {
	f, err := NewFFT(n)
	if err != nil {
		return nil, err
	}
	s := &Spectrum{
		fft:    f,
		window: make([]float64, n),
		block:  make([]float64, n),
		work:   make([]float64, n),
		values: make([]complex128, n/2+1),
		power:  make([]float64, n/2+1),
	}
	w.Fill(s.window)
	sum := 0.0
	for _, x := range s.window {
		sum += x
	}
	s.scale = 2 / sum
	return s, nil
}

// Write adds samples.
func (s *Spectrum) Write(samples []float32) {
	for _, x := range samples {
		s.block[s.have] = finite(x)
		s.have++
		if s.have == len(s.block) {
			s.add(s.power)
			s.blocks++
			s.have = copy(s.block, s.block[len(s.block)/2:])
		}
	}
}

// add adds the power of the block.
func (s *Spectrum) add(power []float64) {
	for i, x := range s.block {
		s.work[i] = x * s.window[i]
	}
	s.fft.Transform(s.values, s.work)
	for k, v := range s.values {
		a := cmplx.Abs(v) * s.scale
		if k == 0 || k == len(s.values)-1 {
			a /= 2 // which have no counterpart of negative frequency
		}
		power[k] += a * a
	}
}

// Decibels are the levels of the n/2+1 frequencies k·rate/n so far: a sine of full scale at
// one of them has 0 dB there, and nothing is less than −200. The end of a sound that does not
// fill a block is left out; a sound shorter than a block is filled up with silence.
func (s *Spectrum) Decibels() []float64 {
	power, blocks := s.power, s.blocks
	if blocks == 0 {
		power, blocks = make([]float64, len(s.power)), 1
		clear(s.block[s.have:])
		s.add(power)
	}
	levels := make([]float64, len(power))
	for k, p := range power {
		levels[k] = max(silenceLevel, 10*math.Log10(p/float64(blocks)))
	}
	return levels
}

// Reset makes it as new.
func (s *Spectrum) Reset() {
	s.have, s.blocks = 0, 0
	clear(s.power)
}

// finite is a sample that is 0 if it is not finite.
func finite(x float32) float64 {
	if x-x != 0 {
		return 0
	}
	return float64(x)
}
