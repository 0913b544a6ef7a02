package dsp

// Dither is noise of triangular distribution (TPDF) between −1 and 1, in units of the step of
// the quantizer that it is added before: rounding x + noise makes the error's mean and
// variance independent of x (Lipshitz, Wannamaker and Vanderkooy, "Quantization and dither: a
// theoretical survey", 1992). It is deterministic: the same seed gives the same noise on every
// machine. The zero value is that of seed 0. Channels need different seeds, for their noise
// to be independent.
type Dither struct{ state uint64 }

// NewDither makes noise of a seed.
func NewDither(seed uint64) *Dither { return &Dither{seed} }

// Next is the next value: the sum of two uniform ones.
func (d *Dither) Next() float32 {
	// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
	// 2014): one step gives the 48 bits for both.
	d.state += 0x9E3779B97F4A7C15
	z := d.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	z ^= z >> 31
	return float32(int32(z>>40)-int32(z&0xFFFFFF)) * (1.0 / (1 << 24))
}

// Add adds noise to samples, step times as large.
func (d *Dither) Add(samples []float32, step float32) {
	for i := range samples {
		samples[i] += d.Next() * step
	}
}
