package dsp

import "math"

// A Window is a weighting of a block of samples before its spectrum is taken.
type Window int

const (
	// Hann is a raised cosine: narrow, side lobes from −31 dB on that fall by 18 dB an octave.
	Hann Window = iota
	// BlackmanHarris has four terms (Harris, "On the use of windows for harmonic analysis
	// with the discrete Fourier transform", 1978): wide, side lobes under −92 dB.
	BlackmanHarris
	// Rectangular is none.
	Rectangular
)

// Fill writes the window of len(w) samples in its periodic form, which begins as it would
// continue. The sum of its values divided by their number is 0.5 for Hann, 0.35875 for
// BlackmanHarris.
func (win Window) Fill(w []float64) {
	for i := range w {
		x := 2 * math.Pi * float64(i) / float64(len(w))
		switch win {
		case Rectangular:
			w[i] = 1
		case BlackmanHarris:
			w[i] = 0.35875 - 0.48829*math.Cos(x) + 0.14128*math.Cos(2*x) - 0.01168*math.Cos(3*x)
		default:
			w[i] = 0.5 - 0.5*math.Cos(x)
		}
	}
}
