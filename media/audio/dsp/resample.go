package dsp

import (
	"context"
	"math"
	"math/bits"
)

// Quality is how good resampling is, and how much it costs.
type Quality int

const (
	// High has a signal-to-noise ratio of 120 dB and more up to 18 kHz of 44.1 kHz.
	High Quality = iota
	// Medium is good enough for 16 bits, at two thirds of the cost.
	Medium
	// Fast is for previews, at less than half of the cost.
	Fast
)

// A grade is what a Quality means.
type grade struct {
	// rising and falling are how many samples of the lower one of both rates the filter is
	// long, when the rate gets higher and lower.
	rising, falling int
	// attenuation of what is outside of its band, in dB.
	attenuation float64
	// cutoff is where the filter is at −6 dB when the rate gets lower, in parts of half of
	// that rate. When it gets higher, that is half of the old rate. Either way the highest
	// tones overlap with their images in the last tenth of the band, where nothing is heard,
	// which lets the filter be half as long.
	cutoff float64
	// halving is how many taps the filters have that halve the rate.
	halving int
	// phases is how many rows of taps are interpolated when the rates have no small ratio.
	// The error of that is that of a linear interpolation, (ω/phases)²/8.
	phases int
}

var grades = [...]grade{
	High:   {56, 72, 122, 0.97, 32, 1024},
	Medium: {32, 40, 100, 0.95, 24, 512},
	Fast:   {16, 16, 75, 0.90, 16, 256},
}

// maxTable is how large an exact table of taps may be; others are interpolated, which costs
// twice as much for a sample.
const maxTable = 1 << 16

// A Resampler changes the sampling rate: a polyphase filter of sinc under a Kaiser window,
// after filters that halve the rate if it becomes much lower. Any two rates will do; work and
// memory do not depend on how odd their ratio is. It is a Processor that writes
// ResampledFrames in all. It takes up to 2 MB, shared with others between the same rates, and
// for each channel 40 kB and 70 kB more for each halving, of which there are at most 18. Large
// blocks are filtered by several goroutines, which changes nothing of the result.
type Resampler struct {
	from, to int
	stages   []*stage
	// pending is what the stage before has written and this one has not taken, in front of
	// each stage but the first.
	pending []pending
	src     [][]float32
	taken   int
	in      int64
	ending  bool
}

type pending struct {
	buf      [][]float32
	from, to int
}

// NewResampler makes a Resampler between any two rates from MinRate to MaxRate.
func NewResampler(from, to, channels int, q Quality) (*Resampler, error) {
	for _, rate := range []int{from, to} {
		if err := checkFormat(rate, channels); err != nil {
			return nil, err
		}
	}
	if q < 0 || int(q) >= len(grades) {
		q = High
	}
	var (
		r     = &Resampler{from: from, to: to}
		g     = grades[q]
		beta  = kaiserBeta(g.attenuation)
		ratio = float64(from) / float64(to)
	)
	for ratio >= 4 {
		r.stages = append(r.stages, newStage(1, 2, channels, lowpass{taps: g.halving, cutoff: 0.5, beta: beta, phases: 1}))
		ratio /= 2
	}
	// The last stage is between from/2ⁿ and to.
	up, down := to<<len(r.stages), from
	d := gcd(up, down)
	up, down = up/d, down/d
	l := lowpass{taps: g.rising, cutoff: 1, beta: beta, phases: up}
	if ratio > 1 {
		l.taps = (int(math.Ceil(float64(g.falling)*ratio)) + 7) &^ 7
		l.cutoff = g.cutoff / ratio
	}
	if up*l.taps > maxTable {
		l.closed = true
		l.phases = g.phases
	}
	r.stages = append(r.stages, newStage(up, down, channels, l))
	r.pending = make([]pending, len(r.stages))
	for i := 1; i < len(r.pending); i++ {
		r.pending[i].buf = make([][]float32, channels)
		for c := range r.pending[i].buf {
			r.pending[i].buf[c] = make([]float32, blockFrames)
		}
	}
	return r, nil
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// ResampledFrames is how many frames a Resampler writes in all for so many: frames·to/from,
// rounded half up. It is 0 for negative ones.
func ResampledFrames(frames int64, from, to int) int64 {
	if frames <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(frames), uint64(to))
	lo, carry := bits.Add64(lo, uint64(from/2), 0)
	if hi += carry; hi >= uint64(from) {
		return math.MaxInt64
	}
	n, _ := bits.Div64(hi, lo, uint64(from))
	return int64(min(n, math.MaxInt64))
}

// Process implements Processor.
func (r *Resampler) Process(dst, src [][]float32) (written, taken int) {
	r.src, r.taken = src, 0
	if r.from == r.to {
		written = min(length(dst), length(src))
		for c := range src {
			copy(dst[c][:written], src[c])
		}
		r.taken = written
	} else {
		written = r.pull(len(r.stages)-1, dst, 0)
	}
	r.src = nil
	r.in += int64(r.taken)
	return written, r.taken
}

// Flush implements Processor.
func (r *Resampler) Flush(dst [][]float32) int {
	if r.from == r.to {
		return 0
	}
	r.ending = true
	written := r.pull(len(r.stages)-1, dst, 0)
	return written
}

// pull lets stage i write to dst[c][at:] until it is full or the input has an end.
func (r *Resampler) pull(i int, dst [][]float32, at int) (written int) {
	var (
		s = r.stages[i]
		p = &r.pending[i]
		n int
	)
	for at+written < length(dst) {
		if i == 0 && r.taken < length(r.src) {
			n, t := s.process(dst, at+written, r.src, r.taken)
			written += n
			r.taken += t
			continue
		}
		if i > 0 && p.from == p.to {
			p.from, p.to = 0, r.pull(i-1, p.buf, 0)
		}
		if p.from < p.to {
			n, t := s.process(dst, at+written, between(p.buf, 0, p.to), p.from)
			written += n
			p.from += t
			continue
		}
		if !r.ending {
			break
		}
		total := ResampledFrames(r.in, r.from, r.to)
		if i < len(r.stages)-1 {
			total = (s.in + 1) / 2
		}
		if n = s.flush(dst, at+written, total); n == 0 {
			break
		}
		written += n
	}
	return written
}

// Reset implements Processor.
func (r *Resampler) Reset() {
	r.in, r.ending = 0, false
	for i, s := range r.stages {
		s.reset()
		r.pending[i].from, r.pending[i].to = 0, 0
	}
}

// Resample resamples the whole of src into dst, of which each channel has ResampledFrames.
// Its errors are those of NewResampler and of ctx.
func Resample(ctx context.Context, dst, src [][]float32, from, to int, q Quality) error {
	r, err := NewResampler(from, to, len(src), q)
	if err != nil {
		return err
	}
	_, err = Run(ctx, r, dst, src)
	return err
}
