package dsp

import (
	"fmt"
	"math"
)

// LimiterOptions say how a Limiter works. The zero value is a ceiling of −1 dBTP.
type LimiterOptions struct {
	// Gain is applied before, in dB.
	Gain float64
	// Ceiling is what the true peak of the result does not exceed, in dBTP, at most 0. Zero
	// means −1; for a ceiling of 0 take a negative value near it.
	Ceiling float64
	// Release is the time in seconds, up to 10, in which the gain recovers from a peak to 1/e
	// of what it was reduced by. Zero means 0.1.
	Release float64
}

const (
	defaultCeiling = -1
	defaultRelease = 0.1
	maxRelease     = 10
	// lookAhead is in seconds, how long before a peak the gain begins to go down.
	lookAhead = 0.005
	// peakMargin is how far under the ceiling peaks over it are brought. The gain is applied
	// to samples, and peaks between them get higher where it changes.
	peakMargin = 0.985
	// unity is the gain 1. Gains are integers, so that the sums of many are exact and a gain
	// of 1 is 1 again after any peak.
	unity = 1 << 36
	// limiterBlock is how many frames are taken at one time.
	limiterBlock = 512
)

// A Limiter keeps the true peak of sound under a ceiling. It is a Processor that writes as
// many frames as it takes. All channels have the same gain, which goes down smoothly within
// 5 ms before a peak and recovers slowly afterwards; sound that stays under the ceiling is
// passed on exactly, but for Gain.
type Limiter struct {
	ceiling float32
	gain    float32
	release float64 // of what is missing to unity, each frame

	points   interpolator
	recent   [][]float32 // the last peakTaps−1 frames and those of a block
	peaks    []float32   // of the frames of a block, half of the filter before
	before   float32     // the peak between samples before those
	ahead    int         // frames of lookAhead
	lowest   []dip       // ring: gains under unity in a window, the lowest one first
	first, n int         // of it
	time     int64       // frames
	envelope int64       // lowest gain, recovering
	// The gain is the mean of means of the envelope.
	once, twice mean
	least       int64

	buf     [][]float32 // frames that were not written
	have    int
	gains   []float32 // of the first ones of them
	ready   int       // how many have gains
	waiting int       // frames until the next one has
	in, out int64
}

// A dip is a gain that a frame needs.
type dip struct {
	gain int64
	time int64
}

// A mean is a sum of the last values.
type mean struct {
	ring []int64
	at   int
	sum  int64
}

func (m *mean) reset(value int64) {
	for i := range m.ring {
		m.ring[i] = value
	}
	m.at, m.sum = 0, value*int64(len(m.ring))
}

func (m *mean) add(value int64) int64 {
	m.sum += value - m.ring[m.at]
	m.ring[m.at] = value
	m.at++
	if m.at == len(m.ring) {
		m.at = 0
	}
	return m.sum
}

// NewLimiter makes a Limiter.
func NewLimiter(rate, channels int, o LimiterOptions) (*Limiter, error) {
	if err := checkFormat(rate, channels); err != nil {
		return nil, err
	}
	if o.Ceiling == 0 {
		o.Ceiling = defaultCeiling
	}
	if o.Release == 0 {
		o.Release = defaultRelease
	}
	if !(o.Ceiling < 0) || o.Ceiling < -200 {
		return nil, fmt.Errorf("a ceiling of %g dBTP is outside of the limits of -200 to 0", o.Ceiling)
	}
	if !(o.Release > 0 && o.Release <= maxRelease) {
		return nil, fmt.Errorf("a release of %g seconds is outside of the limits of 0 to %d", o.Release, maxRelease)
	}
	if !(math.Abs(o.Gain) <= 200) {
		return nil, fmt.Errorf("a gain of %g dB is outside of the limits of -200 to 200", o.Gain)
	}
	// Two means of this length reach half + half − 2 frames back together.
	half := max(peakTaps/2, int(lookAhead/2*float64(rate))) + 1
	l := &Limiter{
		ceiling: float32(Linear(o.Ceiling)),
		gain:    float32(Linear(o.Gain)),
		release: 1 - math.Exp(-1/(o.Release*float64(rate))),
		points:  newInterpolator(rate),
		recent:  make([][]float32, channels),
		peaks:   make([]float32, limiterBlock),
		ahead:   2*half - 2,
		lowest:  make([]dip, 2*half),
		once:    mean{ring: make([]int64, half)},
		twice:   mean{ring: make([]int64, half)},
		buf:     make([][]float32, channels),
	}
	delay := l.ahead + peakTaps/2
	l.gains = make([]float32, delay+limiterBlock)
	for c := range l.buf {
		l.recent[c] = make([]float32, peakTaps-1+limiterBlock)
		l.buf[c] = make([]float32, delay+limiterBlock)
	}
	l.Reset()
	return l, nil
}

// Reset implements Processor.
func (l *Limiter) Reset() {
	for c := range l.recent {
		clear(l.recent[c])
	}
	l.before, l.first, l.n, l.time = 0, 0, 0, 0
	l.envelope, l.least = unity, unity
	l.once.reset(unity)
	l.twice.reset(unity * int64(len(l.once.ring)))
	l.have, l.ready, l.waiting = 0, 0, l.ahead+peakTaps/2
	l.in, l.out = 0, 0
}

// Reduction is the strongest gain that was applied so far, in dB: 0 if nothing was limited,
// negative otherwise.
func (l *Limiter) Reduction() float64 { return Decibels(float64(l.least) / unity) }

// Process implements Processor.
func (l *Limiter) Process(dst, src [][]float32) (written, taken int) {
	frames := length(src)
	for {
		written += l.write(dst, written)
		n := min(frames-taken, limiterBlock)
		if l.ready > 0 || n == 0 {
			break // dst is full, or src is taken
		}
		l.take(src, taken, n)
		taken += n
	}
	l.in += int64(taken)
	return written, taken
}

// Flush implements Processor.
func (l *Limiter) Flush(dst [][]float32) (written int) {
	for {
		left := int(min(l.in-l.out, int64(length(dst)-written)))
		if left == 0 {
			return written
		}
		written += l.write(between(dst, 0, written+left), written)
		if l.ready == 0 && l.out < l.in {
			l.take(nil, 0, limiterBlock)
		}
	}
}

// write writes frames that are ready to dst[c][at:].
func (l *Limiter) write(dst [][]float32, at int) int {
	n := min(l.ready, length(dst)-at)
	if n == 0 {
		return 0
	}
	for c, x := range l.buf {
		out := dst[c][at:][:n]
		for i, g := range l.gains[:n] {
			out[i] = x[i] * g
		}
		copy(x, x[n:l.have])
	}
	copy(l.gains, l.gains[n:l.ready])
	l.have -= n
	l.ready -= n
	l.out += int64(n)
	return n
}

// take takes n frames at src[c][at:], or silence, and finds the gains of as many before them.
// None may be ready.
func (l *Limiter) take(src [][]float32, at, n int) {
	peaks := l.peaks[:n]
	clear(peaks)
	last := float32(0)
	for c, b := range l.buf {
		var (
			in = b[l.have:][:n]
			x  = l.recent[c][:peakTaps-1+n]
		)
		if src == nil {
			clear(in)
		} else {
			copyFinite(in, src[c][at:])
			if l.gain != 1 {
				for i := range in {
					in[i] = min(max(in[i]*l.gain, -hugeSample), hugeSample)
				}
			}
		}
		copy(x[peakTaps-1:], in)
		last = max(last, l.findPeaks(peaks, x))
		copy(x, x[n:])
	}
	l.before = last
	l.have += n
	for _, p := range peaks {
		g := l.next(p)
		if l.waiting > 0 {
			l.waiting--
			continue
		}
		l.gains[l.ready] = g
		l.ready++
	}
}

// findPeaks raises peaks to those of a channel at and next to the samples that are half of
// the filter before those of the block, which x begins peakTaps−1 samples before. It returns
// the last peak between samples.
func (l *Limiter) findPeaks(peaks []float32, x []float32) (between float32) {
	between = l.before
	for at := 0; at < len(peaks); at += peakBlock {
		end := min(at+peakBlock, len(peaks))
		if maxAbs(x[at:end+peakTaps-1])*max(l.points.bound, 1) <= l.ceiling {
			// Nothing of it can be over the ceiling.
			peaks[at] = max(peaks[at], between)
			between = 0
			continue
		}
		for i := at; i < end; i++ {
			p := max(between, abs(x[i+peakTaps/2-1]))
			between = l.points.between(x[i:])
			peaks[i] = max(peaks[i], p, between)
		}
	}
	return between
}

// next takes the peak of a frame and gives the gain of the one l.ahead frames before.
func (l *Limiter) next(peak float32) float32 {
	need := int64(unity)
	if peak > l.ceiling {
		need = int64(float64(l.ceiling) / float64(peak) * (peakMargin * unity))
		// Those that last less long and are higher do not matter any more.
		for l.n > 0 && l.lowest[(l.first+l.n-1)%len(l.lowest)].gain >= need {
			l.n--
		}
		l.lowest[(l.first+l.n)%len(l.lowest)] = dip{need, l.time}
		l.n++
	}
	if l.n > 0 && l.lowest[l.first].time < l.time-int64(l.ahead) {
		l.first = (l.first + 1) % len(l.lowest)
		l.n--
	}
	l.time++
	if l.envelope < unity {
		missing := unity - l.envelope
		l.envelope += max(1, int64(float64(missing)*l.release))
		if missing < unity>>16 {
			l.envelope = unity
		}
	}
	if l.n > 0 {
		l.envelope = min(l.envelope, l.lowest[l.first].gain)
	}
	sum := l.twice.add(l.once.add(l.envelope))
	size := int64(len(l.once.ring)) * int64(len(l.twice.ring))
	if sum == unity*size {
		return 1
	}
	l.least = min(l.least, sum/size)
	return float32(float64(sum) / float64(size) / unity)
}
