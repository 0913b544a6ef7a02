package audio

import (
	"context"
	"fmt"
	"math"

	"quicksand/media/audio/dsp"
)

// A Bucket is what a part of a channel comes to: its smallest and largest sample, and the
// root of the mean square.
type Bucket struct{ Min, Max, RMS float32 }

// MaxBuckets is into how many parts Waveform divides a sound, at most.
const MaxBuckets = 100_000

// Waveform divides a sound into buckets of the same length, to draw it: for each channel a
// slice of as many. Bucket i of n is the frames from ⌊i·frames/n⌋ to before
// ⌊(i+1)·frames/n⌋, but at least one frame, if there are any.
func Waveform(ctx context.Context, s Source, buckets int) ([][]Bucket, error) {
	if buckets < 1 || buckets > MaxBuckets {
		return nil, &LimitError{"AudioBuckets", "the number of buckets", float64(buckets), 1, MaxBuckets}
	}
	frames, err := framesIn(ctx, s)
	if err != nil {
		return nil, err
	}
	out := make([][]Bucket, s.Info().Channels)
	for i := range out {
		out[i] = make([]Bucket, buckets)
	}
	start := func(i int) int64 { return int64(i) * frames / int64(buckets) }
	var (
		current int
		at      int64 // frame where the block begins
		part    int64 // frames that the current bucket has so far
		squares = make([]float64, len(out))
	)
	end := func() {
		for i, sum := range squares {
			if part > 0 {
				out[i][current].RMS = float32(math.Sqrt(sum / float64(part)))
			}
			squares[i] = 0
		}
		part = 0
	}
	err = s.Blocks(ctx, func(block [][]float32) error {
		to := at + int64(len(block[0]))
		for ; current < buckets && start(current) < to; current++ {
			first := start(current)
			last := max(start(current+1), first+1)
			lo, hi := max(first, at)-at, min(last, to)-at
			for i, p := range block {
				b := &out[i][current]
				if part == 0 {
					b.Min, b.Max = p[lo], p[lo]
				}
				squares[i] += b.add(p[lo:hi])
			}
			part += hi - lo
			if last > to {
				break
			}
			end()
		}
		at = to
		return nil
	})
	if current < buckets {
		end()
	}
	return out, err
}

// add widens the bucket by samples and returns the sum of their squares.
func (b *Bucket) add(samples []float32) float64 {
	low, high, sum := b.Min, b.Max, 0.0
	for _, x := range samples {
		if x < low {
			low = x
		}
		if x > high {
			high = x
		}
		sum += float64(x) * float64(x)
	}
	b.Min, b.Max = low, high
	return sum
}

// framesIn is how many frames a source has, which is found out by going through it if its
// header does not say.
func framesIn(ctx context.Context, s Source) (int64, error) {
	if sound, ok := s.(*Sound); ok {
		return sound.Frames(ctx)
	}
	n := s.Info().Frames
	if n >= 0 {
		return n, nil
	}
	n = 0
	err := s.Blocks(ctx, func(block [][]float32) error { n += int64(len(block[0])); return nil })
	return n, err
}

// Stats are figures of a sound, for each channel a value.
type Stats struct {
	Frames  int64
	Peak    []float64 // the largest absolute sample
	RMS     []float64 // the root of the mean square
	Mean    []float64 // the constant part
	Clipped []int64   // samples of at least ±32767/32768
}

// StatsOf measures a sound.
func StatsOf(ctx context.Context, s Source) (Stats, error) {
	n := s.Info().Channels
	st := Stats{Peak: make([]float64, n), RMS: make([]float64, n), Mean: make([]float64, n), Clipped: make([]int64, n)}
	const full = 32767.0 / 32768
	err := s.Blocks(ctx, func(block [][]float32) error {
		st.Frames += int64(len(block[0]))
		for i, p := range block {
			var sum, squares float64
			var peak float32
			clipped := int64(0)
			for _, x := range p {
				sum += float64(x)
				squares += float64(x) * float64(x)
				if x < 0 {
					x = -x
				}
				if x > peak {
					peak = x
				}
				if x >= full {
					clipped++
				}
			}
			st.Mean[i] += sum
			st.RMS[i] += squares
			st.Peak[i] = max(st.Peak[i], float64(peak))
			st.Clipped[i] += clipped
		}
		return nil
	})
	if st.Frames > 0 {
		for i := range st.RMS {
			st.Mean[i] /= float64(st.Frames)
			st.RMS[i] = math.Sqrt(st.RMS[i] / float64(st.Frames))
		}
	}
	return st, err
}

// SpectrumOptions say how a spectrum is measured.
type SpectrumOptions struct {
	// Size is of the transform: a power of 2 from MinSpectrum to MaxSpectrum. Zero means 4096.
	Size   int
	Window dsp.Window
}

// MinSpectrum and MaxSpectrum are the sizes of SpectrumOptions.
const MinSpectrum, MaxSpectrum = 16, 65_536

// A Spectrum is how loud the frequencies of a sound are.
type Spectrum struct {
	// Step is the distance of the frequencies in Hz, the first of which is 0.
	Step float64
	// Level is in dB: 0 for a sine of full scale at the frequency, at least −200.
	Level []float64
}

// SpectrumOf is the spectrum of the mean of a sound's channels, averaged by power over
// windows that overlap by half (dsp.Spectrum).
func SpectrumOf(ctx context.Context, s Source, o SpectrumOptions) (Spectrum, error) {
	if o.Size == 0 {
		o.Size = 4096
	}
	if o.Size < MinSpectrum || o.Size > MaxSpectrum || o.Size&(o.Size-1) != 0 {
		return Spectrum{}, fmt.Errorf("size must be a power of 2 from %d to %d", MinSpectrum, MaxSpectrum)
	}
	d, err := dsp.NewSpectrum(o.Size, o.Window)
	if err != nil {
		return Spectrum{}, err
	}
	info := s.Info()
	mean := make([]float32, BlockFrames)
	err = s.Blocks(ctx, func(block [][]float32) error {
		if len(block) == 1 {
			d.Write(block[0])
			return nil
		}
		m := mean[:len(block[0])]
		clear(m)
		for _, p := range block {
			for k, x := range p {
				m[k] += x / float32(len(block))
			}
		}
		d.Write(m)
		return nil
	})
	return Spectrum{Step: float64(info.Rate) / float64(o.Size), Level: d.Decibels()}, err
}
