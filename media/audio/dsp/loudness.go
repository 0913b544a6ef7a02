package dsp

import "math"

// Loudness is what a Meter measured. Values that do not exist, such as those of silence, are
// −∞, and Range is 0.
type Loudness struct {
	// Integrated is the gated loudness of the whole in LUFS (ITU-R BS.1770-4 annex 1).
	Integrated float64
	// Momentary and ShortTerm are the largest loudness of any 400 ms and any 3 s, in LUFS
	// (EBU Tech 3341). A sound shorter than 400 ms is one block, here and for Integrated;
	// one shorter than 3 s has no short-term loudness and no range.
	Momentary, ShortTerm float64
	// Range is the loudness range LRA in LU (EBU Tech 3342), RangeLow and RangeHigh its ends
	// in LUFS.
	Range, RangeLow, RangeHigh float64
	// TruePeak is in dBTP (ITU-R BS.1770-4 annex 2), SamplePeak in dBFS.
	TruePeak, SamplePeak float64
}

const (
	// meterBlock is how many frames a Meter works on at one time.
	meterBlock = 1024
	// Loudness is measured in steps of 100 ms, hops: momentary that of the last 4, short-term
	// that of the last 30.
	momentaryHops, shortTermHops = 4, 30
	ringHops                     = shortTermHops + 1
	// Gates of BS.1770 in LUFS and LU, and of Tech 3342.
	absoluteGate   = -70
	integratedGate = -10
	rangeGate      = -20
)

// weights of the channels (ITU-R BS.1770-4 annex 1 table 3, annex 3 table 4): 1.41 for
// speakers at the sides, from 60° to 120°, none for LFE. Those in the back have 1 as those in
// front have.
var weights = [...]float64{
	left: 1, right: 1, centre: 1, lfe: 0,
	leftBack: 1, rightBack: 1, backCentre: 1, leftSide: 1.41, rightSide: 1.41,
}

// A Meter measures loudness. It takes 350 kB, however long the sound is.
type Meter struct {
	rate    int
	filter  kWeight
	weights []float64
	states  []kState
	points  interpolator
	peaks   []peakMeter
	block   [][]float32 // finite samples

	hops    [ringHops]hop // a ring, the current one at hop % ringHops
	hop     int64         // full ones so far
	end     int64         // the frame where the current one ends
	frames  int64
	largest struct{ momentary, shortTerm float64 } // power
	// How often which loudness was there, for gating.
	momentary, shortTerm histogram
}

// A hop is the sum of the squares of 100 ms, over all weighted channels, and its frames.
type hop struct {
	energy float64
	frames int64
}

// NewMeter makes a Meter of any rate from MinRate to MaxRate; what it
// says under 16 kHz is less exact, by up to 0.4 LU at 8 kHz for tones over 2 kHz.
// The channels are in the order that MixMatrix describes.
func NewMeter(rate, channels int) (*Meter, error) {
	if err := checkFormat(rate, channels); err != nil {
		return nil, err
	}
	m := &Meter{
		rate:    rate,
		filter:  newKWeight(rate),
		weights: make([]float64, channels),
		states:  make([]kState, channels),
		points:  newInterpolator(rate),
		peaks:   make([]peakMeter, channels),
		block:   make([][]float32, channels),
	}
	for c, s := range layouts[channels] {
		m.weights[c] = weights[s]
		m.block[c] = make([]float32, meterBlock)
	}
	m.Reset()
	return m, nil
}

// Reset makes it as new.
func (m *Meter) Reset() {
	clear(m.states)
	for c := range m.peaks {
		m.peaks[c].reset()
	}
	m.hops = [ringHops]hop{}
	m.hop, m.frames, m.end = 0, 0, 0
	m.largest.momentary, m.largest.shortTerm = 0, 0
	m.momentary, m.shortTerm = histogram{}, histogram{}
	m.nextEnd()
}

// nextEnd sets where the current hop ends. Rates that are no multiple of 10 have hops of
// different lengths.
func (m *Meter) nextEnd() { m.end = (m.hop + 1) * int64(m.rate) / 10 }

// Write measures a block. It keeps and changes nothing of it.
func (m *Meter) Write(block [][]float32) {
	for at, n := 0, length(block); at < n; {
		size := min(n-at, meterBlock)
		for c, b := range m.block {
			copyFinite(b[:size], block[c][at:])
			m.peaks[c].write(&m.points, b[:size])
		}
		for from := 0; from < size; {
			to := min(size, from+int(m.end-m.frames))
			m.weigh(from, to)
			m.frames += int64(to - from)
			for m.frames == m.end {
				m.finishHop()
			}
			from = to
		}
		at += size
	}
}

// weigh adds a part of the block to the current hop.
func (m *Meter) weigh(from, to int) {
	h := &m.hops[m.hop%ringHops]
	h.frames += int64(to - from)
	for c := 0; c < len(m.block); c++ {
		switch {
		case m.weights[c] == 0:
		case c+1 < len(m.block) && m.weights[c+1] != 0:
			a, b := m.filter.energy2(&m.states[c], &m.states[c+1], m.block[c][from:to], m.block[c+1][from:to])
			h.energy += m.weights[c]*a + m.weights[c+1]*b
			c++
		default:
			h.energy += m.weights[c] * m.filter.energy(&m.states[c], m.block[c][from:to])
		}
	}
}

// finishHop takes the blocks that end with the current hop, and begins the next one.
func (m *Meter) finishHop() {
	m.hop++
	if p := m.power(momentaryHops); m.hop >= momentaryHops {
		m.largest.momentary = max(m.largest.momentary, p)
		m.momentary.add(p)
	}
	if p := m.power(shortTermHops); m.hop >= shortTermHops {
		m.largest.shortTerm = max(m.largest.shortTerm, p)
		m.shortTerm.add(p)
	}
	for c := range m.states {
		m.states[c].settle()
	}
	m.hops[m.hop%ringHops] = hop{}
	m.nextEnd()
}

// power is the mean square of the last full hops.
func (m *Meter) power(hops int64) float64 {
	var sum hop
	for i := max(0, m.hop-hops); i < m.hop; i++ {
		h := m.hops[i%ringHops]
		sum.energy += h.energy
		sum.frames += h.frames
	}
	if sum.frames == 0 {
		return 0
	}
	return sum.energy / float64(sum.frames)
}

// Momentary is the loudness of the last 400 ms in LUFS, to the last tenth of a second; −∞ at
// first.
func (m *Meter) Momentary() float64 { return m.recent(momentaryHops) }

// ShortTerm is the loudness of the last 3 s in LUFS, to the last tenth of a second; −∞ at
// first.
func (m *Meter) ShortTerm() float64 { return m.recent(shortTermHops) }

func (m *Meter) recent(hops int64) float64 {
	if m.hop < hops {
		return math.Inf(-1)
	}
	return lufs(m.power(hops))
}

// Loudness is that of all blocks so far. It can be called at any time, and more can be
// written afterwards.
func (m *Meter) Loudness() Loudness {
	l := Loudness{
		Momentary: lufs(m.largest.momentary),
		ShortTerm: lufs(m.largest.shortTerm),
		RangeLow:  math.Inf(-1),
		RangeHigh: math.Inf(-1),
	}
	blocks := &m.momentary
	if m.hop < momentaryHops {
		var sum hop
		for i := range m.hop + 1 {
			sum.energy += m.hops[i].energy
			sum.frames += m.hops[i].frames
		}
		power := sum.energy / float64(max(sum.frames, 1))
		l.Momentary = lufs(power)
		blocks = new(histogram)
		blocks.add(power)
	}
	mean, _ := blocks.above(absoluteGate)
	mean, _ = blocks.above(lufs(mean) + integratedGate)
	l.Integrated = lufs(mean)

	if mean, n := m.shortTerm.above(absoluteGate); n > 0 {
		gate := lufs(mean) + rangeGate
		l.RangeLow = m.shortTerm.percentile(gate, 0.10)
		l.RangeHigh = m.shortTerm.percentile(gate, 0.95)
		l.Range = l.RangeHigh - l.RangeLow
	}

	var sample, peak float32
	for c := range m.peaks {
		sample = max(sample, m.peaks[c].sample)
		peak = max(peak, m.peaks[c].peak)
	}
	l.SamplePeak, l.TruePeak = Decibels(float64(sample)), Decibels(float64(peak))
	return l
}

// A histogram counts blocks by their loudness, in steps of 0.01 LU from the absolute gate on,
// so that gating takes the same memory for every duration. Means are exact: a block is
// counted with its power.
type histogram struct {
	bins   [binsPerLU * 100]bin
	lowest int // of those in use
	used   int // one more than the highest
}

type bin struct {
	power float64
	count int64
}

const binsPerLU = 100

func (h *histogram) add(power float64) {
	l := lufs(power)
	if !(l > absoluteGate) {
		return
	}
	i := int(min((l-absoluteGate)*binsPerLU, float64(len(h.bins)-1)))
	if h.used == 0 {
		h.lowest = i
	}
	h.lowest, h.used = min(h.lowest, i), max(h.used, i+1)
	h.bins[i].power += power
	h.bins[i].count++
}

// above is the mean power of the blocks that are louder than a gate, and how many they are.
func (h *histogram) above(gate float64) (power float64, n int64) {
	for i := h.lowest; i < h.used; i++ {
		if h.bins[i].louder(gate) {
			power += h.bins[i].power
			n += h.bins[i].count
		}
	}
	return power / float64(max(n, 1)), n
}

func (b bin) louder(gate float64) bool {
	return b.count > 0 && lufs(b.power/float64(b.count)) > gate
}

// percentile is the loudness that a part of the blocks louder than a gate do not exceed.
func (h *histogram) percentile(gate, part float64) float64 {
	_, n := h.above(gate)
	rank := int64(math.Round(float64(n-1) * part))
	for i := h.lowest; i < h.used; i++ {
		b := h.bins[i]
		if !b.louder(gate) {
			continue
		}
		if rank < b.count {
			return lufs(b.power / float64(b.count))
		}
		rank -= b.count
	}
	return math.Inf(-1)
}

// lufs is the loudness of a power (BS.1770-4 annex 1).
func lufs(power float64) float64 { return -0.691 + 10*math.Log10(power) }

// hugeSample is what larger samples are taken as, so that sums of them are finite.
const hugeSample = 1e30

// copyFinite copies samples, those that are not finite as 0.
func copyFinite(dst, src []float32) {
	copy(dst, src)
	if maxAbs(dst) <= hugeSample {
		return
	}
	for i, x := range dst {
		dst[i] = min(max(float32(finite(x)), -hugeSample), hugeSample)
	}
}
