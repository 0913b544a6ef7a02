package audio

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
)

// A Clip is decoded sound: planar float32 samples, which it may share with other clips, and
// what is done to them where they leave it: they may be read from their end, faded, and get a
// gain in dB. It is immutable and safe for concurrent use. Its samples were taken from a
// budget, to which they go back when all clips that share them are released.
type Clip struct {
	planes    [][]float32 // of the same length
	rate      int
	backwards bool    // the last one in planes is the first frame
	fades     []fade  // of the frames as they are read, applied in order
	gain      float64 // in dB, applied last
	memory    *memory
	released  atomic.Bool
}

// memory is what clips share, as far as budgets are concerned.
type memory struct {
	budget Budget // nil for none
	size   int64

	mu   sync.Mutex
	refs int
}

// retain counts a clip more. Where the others were released meanwhile, it takes the memory
// again.
func (m *memory) retain() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refs == 0 && m.budget != nil {
		if err := m.budget.Reserve(m.size); err != nil {
			return err
		}
	}
	m.refs++
	return nil
}

func (m *memory) release() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refs--; m.refs == 0 && m.budget != nil {
		m.budget.Release(m.size)
	}
}

// newClip makes a silent clip, the samples of which the caller fills before anyone sees it.
func newClip(budget Budget, rate, channels int, frames int64) (*Clip, error) {
	if err := CheckFormat(rate, channels, frames); err != nil {
		return nil, err
	}
	m := &memory{budget: budget, size: 4 * int64(channels) * frames}
	if err := m.retain(); err != nil {
		return nil, err
	}
	c := &Clip{planes: make([][]float32, channels), rate: rate, memory: m}
	for i := range c.planes {
		c.planes[i] = make([]float32, frames)
	}
	return c, nil
}

// NewClip makes a clip of planar samples, one slice for each channel, all of the same length,
// which must not be changed afterwards. They are taken from budget, which may be nil.
func NewClip(budget Budget, rate int, planes [][]float32) (*Clip, error) {
	frames := 0
	if len(planes) > 0 {
		frames = len(planes[0])
	}
	if err := CheckFormat(rate, len(planes), int64(frames)); err != nil {
		return nil, err
	}
	for _, p := range planes {
		if len(p) != frames {
			return nil, fmt.Errorf("channels are of %d and of %d frames", frames, len(p))
		}
	}
	m := &memory{budget: budget, size: 4 * int64(len(planes)) * int64(frames)}
	if err := m.retain(); err != nil {
		return nil, err
	}
	return &Clip{planes: planes, rate: rate, memory: m}, nil
}

// view is a clip that shares samples with c, with what is pending of c but for the gain.
func (c *Clip) view(planes [][]float32, gain float64) (*Clip, error) {
	if err := c.memory.retain(); err != nil {
		return nil, err
	}
	return &Clip{planes: planes, rate: c.rate, backwards: c.backwards, fades: c.fades, gain: gain, memory: c.memory}, nil
}

// like is a new silent clip with the rate and the pending gain of c, but nothing else that is
// pending.
func (c *Clip) like(channels int, frames int64) (*Clip, error) {
	n, err := newClip(c.memory.budget, c.rate, channels, frames)
	if err == nil {
		n.gain = c.gain
	}
	return n, err
}

// Release gives the clip's memory back, as far as no other clip shares it. The clip is of no
// use afterwards, except for calls that have begun. It may be called more than once.
func (c *Clip) Release() {
	if !c.released.Swap(true) {
		c.memory.release()
	}
}

// Rate is the sampling rate in Hz.
func (c *Clip) Rate() int { return c.rate }

// Channels is the number of channels.
func (c *Clip) Channels() int { return len(c.planes) }

// Frames is the number of samples of each channel.
func (c *Clip) Frames() int64 { return int64(len(c.planes[0])) }

// Seconds is the duration.
func (c *Clip) Seconds() float64 { return float64(c.Frames()) / float64(c.rate) }

// PendingGain is the gain in dB that was not applied to the samples yet.
func (c *Clip) PendingGain() float64 { return c.gain }

// Info implements Source.
func (c *Clip) Info() Info {
	return Info{Codec: "pcm-f32", Rate: c.rate, Channels: c.Channels(), Frames: c.Frames(), Depth: 32, Float: true, Seconds: c.Seconds()}
}

// factor is what samples are multiplied by. Gains that add up to nothing but for rounding are
// nothing.
func factor(db float64) float32 {
	if math.Abs(db) < 1e-9 {
		return 1
	}
	return float32(math.Pow(10, db/20))
}

// Blocks implements Source.
func (c *Clip) Blocks(ctx context.Context, yield func(block [][]float32) error) error {
	r := c.reading()
	f := factor(c.gain)
	if f != 1 {
		r.makeRoom()
	}
	for at := 0; at < len(c.planes[0]); at += BlockFrames {
		if err := ctx.Err(); err != nil {
			return err
		}
		block := r.frames(at, min(at+BlockFrames, len(c.planes[0])))
		if f != 1 {
			for i, p := range block {
				s := r.room[i][:len(p)]
				for k, x := range p {
					s[k] = x * f
				}
				block[i] = s
			}
		}
		if err := yield(block); err != nil {
			return err
		}
	}
	return nil
}

// Planes are the samples with nothing pending, one slice for each channel. They must not be
// changed. Where something was pending they are a copy, which no budget knows: see Flat.
func (c *Clip) Planes() [][]float32 {
	if c.flat() {
		return c.planes
	}
	out, at := planesOf(len(c.planes), len(c.planes[0])), 0
	// Neither the context nor the function has an error.
	_ = c.Blocks(context.Background(), func(block [][]float32) error {
		for i, p := range block {
			copy(out[i][at:], p)
		}
		at += len(block[0])
		return nil
	})
	return out
}

// Flat is the clip with nothing pending: a copy, unless nothing was.
func (c *Clip) Flat(ctx context.Context) (*Clip, error) {
	if c.flat() {
		return c.view(c.planes, 0)
	}
	return c.copied(ctx)
}

// ungained is the clip without its gain, only to be read: it holds no memory.
func (c *Clip) ungained() *Clip {
	return &Clip{planes: c.planes, rate: c.rate, backwards: c.backwards, fades: c.fades}
}

// flat reports whether nothing is pending.
func (c *Clip) flat() bool { return !c.backwards && len(c.fades) == 0 && factor(c.gain) == 1 }

// copied is a copy of the clip with nothing pending.
func (c *Clip) copied(ctx context.Context) (*Clip, error) {
	out, err := newClip(c.memory.budget, c.rate, c.Channels(), c.Frames())
	if err != nil {
		return nil, err
	}
	return out.unless(c.addTo(ctx, out, 0, factor(c.gain), true))
}

func planesOf(channels, frames int) [][]float32 {
	planes := make([][]float32, channels)
	for i := range planes {
		planes[i] = make([]float32, frames)
	}
	return planes
}
