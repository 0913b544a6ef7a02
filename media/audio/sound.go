package audio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
)

// A Sound is a file, of which only the header was read, or a Clip. Clip decodes it at the
// first call, once, and keeps what was decoded until Drop; Section and Blocks use what is kept
// and else decode what they need. It is safe for concurrent use.
type Sound struct {
	info   Info
	data   []byte // nil for what is no file
	budget Budget

	turn chan struct{} // holds one value, which whoever decodes what is kept takes

	// Nothing under the lock waits, so that Drop and Release do not, which a budget may call
	// while another sound is decoded.
	mu       sync.Mutex
	clip     *Clip // nil unless it is kept
	frames   int64 // as decoded, −1 until that is known
	released bool
}

// Open reads the header of a file, which must not be changed afterwards. Decoding takes
// memory from budget, which may be nil.
func Open(data []byte, budget Budget) (*Sound, error) {
	switch {
	case len(data) == 0:
		return nil, fmt.Errorf("audio bytes are empty")
	case len(data) > MaxEncoded:
		return nil, &LimitError{"AudioBytes", "the encoded sound in bytes", float64(len(data)), 0, MaxEncoded}
	}
	f := Sniff(data)
	d, ok := decoder(f)
	if !ok {
		return nil, noDecoder(f)
	}
	var info Info
	if err := contained(func() (err error) { info, err = d.Config(data); return err }); err != nil {
		return nil, decodeError(f, err)
	}
	if err := CheckFormat(info.Rate, info.Channels, info.Frames); err != nil {
		return nil, decodeError(f, err)
	}
	info.Format = f
	if info.Container == "" {
		info.Container = f.Container()
	}
	if info.Frames >= 0 {
		info.Seconds = float64(info.Frames) / float64(info.Rate)
	}
	return newSound(&Sound{info: info, data: data, budget: budget, frames: -1}), nil
}

// FromClip is a sound that is no file. It takes the clip over: Drop leaves it, and Release
// releases it.
func FromClip(c *Clip) *Sound {
	return newSound(&Sound{info: c.Info(), budget: c.memory.budget, clip: c, frames: c.Frames()})
}

func newSound(s *Sound) *Sound {
	s.turn = make(chan struct{}, 1)
	s.turn <- struct{}{}
	return s
}

// kept is a clip of its own for the caller of what was decoded, nil if it was not.
func (s *Sound) kept() (*Clip, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.clip == nil {
		return nil, nil
	}
	return s.clip.view(s.clip.planes, s.clip.gain)
}

// keep keeps what was decoded, unless the sound was released meanwhile, and returns a clip for
// the caller.
func (s *Sound) keep(c *Clip) (*Clip, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frames = c.Frames()
	if s.released {
		return c, nil
	}
	s.clip = c
	return c.view(c.planes, c.gain)
}

// Info implements Source.
func (s *Sound) Info() Info { return s.info }

// Data is the file, nil for a sound that is none.
func (s *Sound) Data() []byte { return s.data }

// Frames is how many samples each channel has, for which a file whose header does not say is
// decoded without being kept.
func (s *Sound) Frames(ctx context.Context) (int64, error) {
	s.mu.Lock()
	n := s.frames
	s.mu.Unlock()
	if n >= 0 {
		return n, nil
	}
	if s.info.Frames >= 0 {
		return s.info.Frames, nil
	}
	n = 0
	err := s.Blocks(ctx, func(block [][]float32) error { n += int64(len(block[0])); return nil })
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	s.frames = n
	s.mu.Unlock()
	return n, nil
}

// Clip is the whole sound, decoded. Decoding is done at most once; the caller has a clip of
// its own to release.
func (s *Sound) Clip(ctx context.Context) (*Clip, error) {
	if c, err := s.kept(); c != nil || err != nil {
		return c, err
	}
	select {
	case <-s.turn:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { s.turn <- struct{}{} }()
	if c, err := s.kept(); c != nil || err != nil {
		return c, err
	}
	c, err := s.decode(ctx, 0, -1)
	if err != nil {
		return nil, err
	}
	return s.keep(c)
}

// Section is the part of the sound from one frame to before another, as far as it is within.
// A file that was not decoded is decoded up to there, and only the section is kept.
func (s *Sound) Section(ctx context.Context, from, to int64) (*Clip, error) {
	if from < 0 || to < from {
		return nil, fmt.Errorf("frames %d to %d are no section", from, to)
	}
	c, err := s.kept()
	if err != nil {
		return nil, err
	}
	if c != nil {
		defer c.Release()
		return c.Section(from, to)
	}
	return s.decode(ctx, from, to)
}

// Blocks implements Source. A file that was not decoded is decoded on the way and not kept.
func (s *Sound) Blocks(ctx context.Context, yield func(block [][]float32) error) error {
	c, err := s.kept()
	if err != nil {
		return err
	}
	if c != nil {
		defer c.Release()
		return c.Blocks(ctx, yield)
	}
	return s.stream(ctx, yield)
}

// stream decodes the file.
func (s *Sound) stream(ctx context.Context, yield func([][]float32) error) error {
	if s.budget != nil {
		size := s.info.Scratch + 4*BlockFrames*int64(s.info.Channels)
		if err := s.budget.Reserve(size); err != nil {
			return err
		}
		defer s.budget.Release(size)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	d, _ := decoder(s.info.Format)
	var r Reader
	if err := contained(func() (err error) { r, err = d.Open(s.data); return err }); err != nil {
		return decodeError(s.info.Format, err)
	}
	var (
		dst   = planesOf(s.info.Channels, BlockFrames)
		block = make([][]float32, len(dst))
		total int64
	)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		var n int
		end := contained(func() (err error) { n, err = r.Read(dst); return err })
		if n < 0 || n > BlockFrames || n == 0 && end == nil {
			return decodeError(s.info.Format, fmt.Errorf("the decoder gave %d frames", n))
		}
		if n > 0 {
			total += int64(n)
			if err := CheckFormat(s.info.Rate, s.info.Channels, total); err != nil {
				return decodeError(s.info.Format, err)
			}
			for i := range dst {
				block[i] = dst[i][:n]
			}
			if err := yield(block); err != nil {
				return err
			}
		}
		if errors.Is(end, io.EOF) {
			return nil
		}
		if end != nil {
			return decodeError(s.info.Format, end)
		}
	}
}

// errEnough ends a stream of which no more is needed.
var errEnough = errors.New("enough")

// trusted is how many frames of a source are believed to be there because it says so, for
// taking memory at once. Headers of files are believed as far as their data could hold it.
func trusted(s Source) int64 {
	frames := max(s.Info().Frames, 0)
	switch s := s.(type) {
	case *Clip:
		return frames
	case *metered:
		return trusted(s.Source)
	case *Sound:
		if s.data == nil {
			return frames
		}
		// 64 frames a byte are 6 kbit/s at 48 kHz.
		return min(frames, max(1<<20, 64*int64(len(s.data))))
	}
	return min(frames, 1<<20)
}

// decode decodes frames from one to another, or to the end if that is negative.
func (s *Sound) decode(ctx context.Context, from, to int64) (*Clip, error) {
	expected := trusted(s)
	if to >= 0 {
		expected = min(expected, to)
	}
	b := builder{budget: s.budget, channels: s.info.Channels, most: math.MaxInt64}
	if to >= 0 {
		b.most = to - from
	}
	if err := b.grow(max(expected-from, 0)); err != nil {
		return nil, err
	}
	at := int64(0)
	err := s.stream(ctx, func(block [][]float32) error {
		n := int64(len(block[0]))
		lo, hi := min(max(from-at, 0), n), n
		if to >= 0 {
			hi = min(max(to-at, lo), n)
		}
		at += n
		if lo < hi {
			if err := b.add(block, lo, hi); err != nil {
				return err
			}
		}
		if to >= 0 && at >= to {
			return errEnough
		}
		return nil
	})
	if err != nil && err != errEnough {
		b.drop()
		return nil, err
	}
	return b.clip(s.info.Rate), nil
}

// Drop gives decoded samples back; they are decoded again when they are needed. A sound that
// is no file keeps them. It does not wait for calls that are at work.
func (s *Sound) Drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.data != nil && s.clip != nil {
		s.clip.Release()
		s.clip = nil
	}
}

// Release gives back all that the sound holds of its budget. It is of no use afterwards,
// except for calls that have begun, for which it does not wait.
func (s *Sound) Release() {
	s.Drop()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.released = true
	if s.clip != nil {
		s.clip.Release()
	}
}

// Decoded reports whether the samples are there.
func (s *Sound) Decoded() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clip != nil
}

// builder collects the samples of a clip whose length is not known for sure.
type builder struct {
	budget   Budget
	channels int
	most     int64 // frames that may come
	planes   [][]float32
	frames   int64
	room     int64 // frames that there is memory for, reserved
}

// grow makes room for so many frames in all. The old and the new memory count while both
// exist.
func (b *builder) grow(frames int64) error {
	if b.budget != nil {
		if err := b.budget.Reserve(4 * int64(b.channels) * frames); err != nil {
			return err
		}
	}
	planes := planesOf(b.channels, int(frames))
	for i := range b.planes {
		copy(planes[i], b.planes[i][:b.frames])
	}
	b.drop()
	b.planes, b.room = planes, frames
	return nil
}

func (b *builder) drop() {
	if b.budget != nil {
		b.budget.Release(4 * int64(b.channels) * b.room)
	}
	b.planes, b.room = nil, 0
}

func (b *builder) add(block [][]float32, from, to int64) error {
	if b.frames+to-from > b.room {
		if err := b.grow(min(max(b.room+b.room/2, b.room+4*BlockFrames), b.most)); err != nil {
			return err
		}
	}
	for i, p := range block {
		copy(b.planes[i][b.frames:], p[from:to])
	}
	b.frames += to - from
	return nil
}

// clip ends the work. Room that is not needed, and more than a little, is given back, unless
// there is not even the memory for a copy without it.
func (b *builder) clip(rate int) *Clip {
	if b.room-b.frames > b.room/8+BlockFrames {
		_ = b.grow(b.frames)
	}
	c := &Clip{planes: make([][]float32, b.channels), rate: rate, memory: &memory{budget: b.budget, size: 4 * int64(b.channels) * b.room, refs: 1}}
	for i, p := range b.planes {
		c.planes[i] = p[:b.frames:b.frames]
	}
	return c
}
