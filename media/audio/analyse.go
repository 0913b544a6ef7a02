package audio

import (
	"context"
	"fmt"
)

// A Bucket is what a part of a channel comes to: its smallest and largest sample, and the
// root of the mean square.
type Bucket struct{ Min, Max, RMS float32 }

// MaxBuckets is into how many parts Waveform divides a sound, at most.
const MaxBuckets = 100_000

// Waveform divides a sound into buckets of the same length, to draw it: for each channel a
// slice of as many. Bucket i of n is the frames from ⌊i·frames/n⌋ to before
// ⌊(i+1)·frames/n⌋, and at least one frame, if there are any.
func Waveform(ctx context.Context, s Source, buckets int) ([][]Bucket, error) {
	return nil, fmt.Errorf("not yet")
}

// Stats are figures of a sound, for each channel a value.
type Stats struct {
	Frames  int64
	Peak    []float64 // the largest absolute sample
	RMS     []float64 // the root of the mean square
	Mean    []float64 // the constant part
	Clipped []int64   // samples at full scale or over it
}

// StatsOf measures a sound.
func StatsOf(ctx context.Context, s Source) (Stats, error) {
	return Stats{}, fmt.Errorf("not yet")
}

// SpectrumOptions say how a spectrum is measured.
type SpectrumOptions struct {
	// Size is of the transform: a power of 2 from 16 to 65536. Zero means 4096.
	Size int
	// Window is "hann", "blackman" or "rectangular". Empty means "hann".
	Window string
}

// A Spectrum is how loud the frequencies of a sound are.
type Spectrum struct {
	// Step is the distance of the frequencies in Hz, the first of which is 0.
	Step float64
	// Level is in dB: 0 for a sine of full scale at the frequency, at least −200.
	Level []float64
}

// SpectrumOf is the spectrum of a sound's channels together, averaged by power over windows
// that overlap by half (Welch: The use of fast Fourier transform for the estimation of power
// spectra, 1967).
func SpectrumOf(ctx context.Context, s Source, o SpectrumOptions) (Spectrum, error) {
	return Spectrum{}, fmt.Errorf("not yet")
}
