package dsp

import "math"

const (
	// peakTaps is the length of the filters between samples. Those of ITU-R BS.1770-4 annex
	// 2 have 12 taps.
	peakTaps = 24
	// peakBlock is how many samples are looked at together.
	peakBlock = 16
)

// An interpolator finds the peaks between samples, by oversampling as in ITU-R BS.1770-4
// annex 2: four times, under 96 kHz.
//
// The filters at 1/4 and 3/4 of the way are each other's mirror images, and the one at 1/2 is
// its own. So they are taken of the sums and differences of samples at equal distances, which
// halves the work.
type interpolator struct {
	quarterSum, quarterDifference, half [peakTaps / 2]float32
	// bound is how much larger than all samples around it a peak can be.
	bound float32
}

func newInterpolator(rate int) interpolator {
	var p interpolator
	switch {
	case rate >= 192_000:
		return p
	case rate < 96_000:
		h := lowpass{taps: peakTaps, cutoff: 1, beta: kaiserBeta(60), phases: 4}.cached()[peakTaps:][:peakTaps]
		for k := range p.half {
			p.quarterSum[k] = (h[k] + h[peakTaps-1-k]) / 2
			p.quarterDifference[k] = (h[k] - h[peakTaps-1-k]) / 2
			p.bound += abs(h[k]) + abs(h[peakTaps-1-k])
		}
	}
	sum := float32(0)
	for k, h := range (lowpass{taps: peakTaps, cutoff: 1, beta: kaiserBeta(60), phases: 2}).cached()[peakTaps:][:peakTaps/2] {
		p.half[k] = h
		sum += 2 * abs(h)
	}
	p.bound = max(p.bound, sum)
	return p
}

// between is the largest magnitude between the two samples in the middle of x, which has
// peakTaps of them.
func (p *interpolator) between(x []float32) float32 {
	v := (*[peakTaps]float32)(x)
	var a, b, c float32
	for k := range p.half {
		sum, difference := v[k]+v[peakTaps-1-k], v[k]-v[peakTaps-1-k]
		a += p.quarterSum[k] * sum
		b += p.quarterDifference[k] * difference
		c += p.half[k] * sum
	}
	// The two quarters are a+b and a−b.
	return max(abs(a)+abs(b), abs(c))
}

// A peakMeter measures one channel.
type peakMeter struct {
	sample float32
	peak   float32 // the true one
	// recent are the last samples before the block, and the block.
	recent []float32
}

// write measures a block, of which all samples are finite. Peaks between the last samples, up
// to half of the filter before the end, are measured with the next block. The end of a sound
// therefore has none, as other meters have it: that it ends abruptly is no peak of it.
func (m *peakMeter) write(p *interpolator, block []float32) {
	x := append(m.recent, block...)
	for at := 0; at < len(block); at += peakBlock {
		end := min(at+peakBlock, len(block))
		// The positions between samples whose filters end in this part, and all that
		// those reach.
		largest := maxAbs(x[at : end+peakTaps-1])
		if largest <= m.sample && largest*p.bound <= m.peak {
			continue
		}
		m.sample = max(m.sample, maxAbs(block[at:end]))
		for i := at; i < end; i++ {
			m.peak = max(m.peak, p.between(x[i:]))
		}
		m.peak = max(m.peak, m.sample)
	}
	m.recent = append(m.recent[:0], x[len(x)-peakTaps+1:]...)
}

func (m *peakMeter) reset() {
	m.sample, m.peak = 0, 0
	if m.recent == nil {
		m.recent = make([]float32, peakTaps-1, peakTaps-1+meterBlock)
	}
	m.recent = m.recent[:peakTaps-1]
	clear(m.recent)
}

func abs(x float32) float32 {
	return math.Float32frombits(math.Float32bits(x) &^ (1 << 31))
}

// maxAbs is the largest magnitude, or what is not finite. The bits of numbers are in the same
// order as their magnitudes, and those of what is not finite come last.
func maxAbs(x []float32) float32 {
	var a, b uint32
	for len(x) >= 2 {
		a = max(a, math.Float32bits(x[0])&^(1<<31))
		b = max(b, math.Float32bits(x[1])&^(1<<31))
		x = x[2:]
	}
	if len(x) > 0 {
		a = max(a, math.Float32bits(x[0])&^(1<<31))
	}
	return math.Float32frombits(max(a, b))
}
