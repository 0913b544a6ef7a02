package dsp

import (
	"runtime"
	"sync"
)

const (
	// blockFrames is how much input a stage holds besides what its filter needs.
	blockFrames = 8192
	// parallelWork is the number of multiplications from which a second goroutine pays: those
	// of some 40 µs.
	parallelWork = 1 << 18
)

// A stage changes the rate by the factor up/down with one polyphase filter: output n is at
// n·down/up in the input.
type stage struct {
	up, down int
	taps     int // a multiple of 8
	table    []float32
	// phases is how many rows the table has. It is up for exact tables; others have one more
	// and are interpolated linearly.
	phases int
	exact  bool

	buf       [][]float32 // input, of each channel
	have      int         // frames in buf
	start     int         // where the first tap of the next output is in buf
	phase     int         // of the next output, in parts of up
	in, out   int64       // frames so far
	remainder int64       // of all outputs at the end, those to come; −1 before the end
}

func newStage(up, down, channels int, l lowpass) *stage {
	s := &stage{up: up, down: down, taps: l.taps, phases: l.phases, exact: !l.closed, table: l.cached()}
	s.buf = make([][]float32, channels)
	for c := range s.buf {
		s.buf[c] = make([]float32, l.taps+blockFrames)
	}
	s.reset()
	return s
}

func (s *stage) reset() {
	// Silence before the start, as long as the filter reaches back.
	s.have, s.start, s.phase = s.taps/2-1, 0, 0
	s.in, s.out, s.remainder = 0, 0, -1
	for c := range s.buf {
		clear(s.buf[c][:s.have])
	}
}

// process writes to dst[c][at:] what src[c][from:], or silence if src is nil, is enough for.
func (s *stage) process(dst [][]float32, at int, src [][]float32, from int) (written, taken int) {
	room, frames := length(dst)-at, blockFrames
	if src != nil {
		frames = length(src) - from
	}
	for {
		n := 0
		if spare := s.have - s.taps - s.start; spare >= 0 {
			n = min(room-written, ((spare+1)*s.up-1-s.phase)/s.down+1)
		}
		s.filterAll(dst, at+written, n)
		written += n
		s.start, s.phase = s.position(n)
		if written == room || taken == frames {
			break
		}

		more := min(len(s.buf[0])-(s.have-s.start), frames-taken)
		for c, b := range s.buf {
			copy(b, b[s.start:s.have])
			if src == nil {
				clear(b[s.have-s.start:][:more])
			} else {
				copy(b[s.have-s.start:], src[c][from+taken:][:more])
			}
		}
		s.have += more - s.start
		s.start = 0
		taken += more
	}
	if src != nil {
		s.in += int64(taken)
	}
	s.out += int64(written)
	return written, taken
}

// flush writes to dst[c][at:] what is left, of total frames in all.
func (s *stage) flush(dst [][]float32, at int, total int64) int {
	if s.remainder < 0 {
		s.remainder = max(0, total-s.out)
	}
	written := 0
	for s.remainder > 0 && at+written < length(dst) {
		room := int(min(s.remainder, int64(length(dst)-at-written)))
		n, _ := s.process(between(dst, 0, at+written+room), at+written, nil, 0)
		written += n
		s.remainder -= int64(n)
	}
	return written
}

// position is where the first tap and the phase of an output after n others are.
func (s *stage) position(n int) (start, phase int) {
	moved := s.phase + n*s.down
	return s.start + moved/s.up, moved % s.up
}

// filterAll computes the next n outputs of all channels into dst[c][at:], in several
// goroutines if they are many.
func (s *stage) filterAll(dst [][]float32, at, n int) {
	workers := min(runtime.GOMAXPROCS(0), n*s.taps*len(dst)/parallelWork+1)
	if workers == 1 {
		for c := range dst {
			s.filter(dst[c][at:at+n], s.buf[c], s.start, s.phase)
		}
		return
	}
	// Channels are divided only if there are fewer of them than goroutines.
	parts := (workers + len(dst) - 1) / len(dst)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(dst)*parts; i += workers {
				c, p := i/parts, i%parts
				from, to := n*p/parts, n*(p+1)/parts
				start, phase := s.position(from)
				s.filter(dst[c][at+from:at+to], s.buf[c], start, phase)
			}
		})
	}
	wg.Wait()
}

// filter computes outputs of a channel, of which the first one has its first tap at x[start].
func (s *stage) filter(dst, x []float32, start, phase int) {
	if s.exact {
		s.filterExact(dst, x, start, phase)
	} else {
		s.filterBetween(dst, x, start, phase)
	}
}

func (s *stage) filterExact(dst, x []float32, start, phase int) {
	taps, whole, part := s.taps, s.down/s.up, s.down%s.up
	// Outputs that are a multiple of up apart have the same taps, which are then loaded
	// only once for three of them.
	for period, step := s.up, s.down; len(dst) >= 3*period; {
		for i := range period {
			h := s.table[phase*taps:][:taps]
			dst[i], dst[i+period], dst[i+2*period] = dot3(h, x[start:], step)
			start += whole
			phase += part
			if phase >= s.up {
				phase -= s.up
				start++
			}
		}
		dst = dst[3*period:]
		start += 2 * step
	}
	for i := range dst {
		dst[i] = dot(s.table[phase*taps:][:taps], x[start:])
		start += whole
		phase += part
		if phase >= s.up {
			phase -= s.up
			start++
		}
	}
}

// filterBetween interpolates between the two rows next to a phase.
func (s *stage) filterBetween(dst, x []float32, start, phase int) {
	taps, whole, part := s.taps, s.down/s.up, s.down%s.up
	scale := float64(s.phases) / float64(s.up)
	for i := range dst {
		position := float64(phase) * scale
		row := int(position)
		f := float32(position - float64(row))
		a, b := dot2(s.table[row*taps:][:2*taps], x[start:])
		dst[i] = a + (b-a)*f
		start += whole
		phase += part
		if phase >= s.up {
			phase -= s.up
			start++
		}
	}
}
