package mediabridge

import (
	"context"
	"sync"

	"quicksand/media"
	"quicksand/media/audio"
	"quicksand/media/audio/dsp"
)

// room is the budget of a run for package audio.
type room struct{ *media.Store }

// Release gives n bytes back.
func (r room) Release(n int64) { r.Budget.Release(n) }

// A recording is sound that one or more handles name: samples, or a file of which no more was
// read than the header. Whoever works with it holds a reference, and the last one to go gives
// the memory back.
type recording struct {
	store *media.Store
	sound *audio.Sound
	size  int64 // of the file, taken from the budget

	mu   sync.Mutex
	refs int
}

// retain takes another reference. It reports false when the last one is gone.
func (r *recording) retain() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refs == 0 {
		return false
	}
	r.refs++
	return true
}

func (r *recording) release() {
	r.mu.Lock()
	r.refs--
	last := r.refs == 0
	r.mu.Unlock()
	if last {
		r.sound.Release()
		r.store.Budget.Release(r.size)
	}
}

// A reshaping is a rate and a number of channels that a recording is still to be brought to;
// 0 leaves what there is.
type reshaping struct {
	rate, channels int
	quality        dsp.Quality
}

// apply is how a recording with these figures comes out.
func (s reshaping) apply(rate, channels int) (int, int) {
	if s.rate != 0 {
		rate = s.rate
	}
	if s.channels != 0 {
		channels = s.channels
	}
	return rate, channels
}

// source gives the samples in blocks. Nothing is kept decoded for it.
func (r *recording) source(s reshaping) (audio.Source, error) {
	info := r.sound.Info()
	rate, channels := s.apply(info.Rate, info.Channels)
	return audio.Convert(r.sound, rate, channels, s.quality)
}

// clip is the whole, decoded, for the caller to release.
func (r *recording) clip(ctx context.Context, s reshaping) (*audio.Clip, error) {
	c, err := r.sound.Clip(ctx)
	if err != nil {
		return nil, err
	}
	rate, channels := s.apply(c.Rate(), c.Channels())
	// The fewer channels are resampled.
	steps := []func() (*audio.Clip, error){
		func() (*audio.Clip, error) { return c.MapChannels(ctx, channels) },
		func() (*audio.Clip, error) { return c.Resample(ctx, rate, s.quality) },
	}
	if channels > c.Channels() {
		steps[0], steps[1] = steps[1], steps[0]
	}
	for _, step := range steps {
		n, err := step()
		c.Release()
		if err != nil {
			return nil, err
		}
		c = n
	}
	return c, nil
}

// A track is what a handle of a sound names: a recording, and how it is to be encoded.
type track struct {
	rec   *recording // a reference
	shape reshaping
	out   soundOutput

	turn chan struct{} // taken by who encodes

	mu       sync.Mutex
	data     []byte // once encoded
	released bool
}

func newTrack(rec *recording, shape reshaping, out soundOutput) *track {
	return &track{rec: rec, shape: shape, out: out, turn: make(chan struct{}, 1)}
}

// MIME implements media.Content.
func (t *track) MIME() string { return t.out.mime() }

// use takes a reference to the recording, or reports that it is gone.
func (t *track) use() (*recording, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.released {
		return nil, false
	}
	return t.rec, t.rec.retain()
}

// encoded is the file if there is one already.
func (t *track) encoded() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.data
}

// Bytes implements media.Content.
func (t *track) Bytes(ctx context.Context) ([]byte, error) {
	select {
	case t.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-t.turn }()
	if data := t.encoded(); data != nil {
		return data, nil
	}
	rec, ok := t.use()
	if !ok {
		return nil, &media.HandleError{ID: "?"}
	}
	defer rec.release()
	src, err := rec.source(t.shape)
	if err != nil {
		return nil, err
	}
	data, err := audio.Encode(ctx, t.out.format, src, t.out.encode, room{rec.store})
	if err != nil {
		return nil, t.out.failed(err)
	}
	n := int64(len(data))
	if err := rec.store.Reserve(n); err != nil {
		return nil, err
	}
	t.mu.Lock()
	if !t.released {
		t.data = data
		n = 0
	}
	t.mu.Unlock()
	rec.store.Budget.Release(n)
	return data, nil
}

// wav is what the header of a WAV file of the track says, and how large the file is, which is
// known before there is one.
func (t *track) wav(ctx context.Context) (audio.Info, int64, error) {
	rec, ok := t.use()
	if !ok {
		return audio.Info{}, 0, &media.HandleError{ID: "?"}
	}
	defer rec.release()
	src, err := rec.source(t.shape)
	if err != nil {
		return audio.Info{}, 0, err
	}
	i := src.Info()
	frames := i.Frames
	if frames < 0 {
		// The file does not say: it is gone through.
		frames = 0
		err := src.Blocks(ctx, func(block [][]float32) error { frames += int64(len(block[0])); return nil })
		if err != nil {
			return audio.Info{}, 0, err
		}
	}
	empty, err := audio.Silence(nil, 0, i.Rate, i.Channels)
	if err != nil {
		return audio.Info{}, 0, err
	}
	head, err := audio.Encode(ctx, audio.WAV, empty, t.out.encode, nil)
	if err != nil {
		return audio.Info{}, 0, t.out.failed(err)
	}
	s, err := audio.Open(head, nil)
	if err != nil {
		return audio.Info{}, 0, err
	}
	info := s.Info()
	info.Frames = frames
	body := frames * int64(info.Channels*info.Depth/8)
	return info, int64(len(head)) + body + body%2, nil
}

// size is the length of Bytes. WAV is not encoded for it.
func (t *track) size(ctx context.Context) (int64, error) {
	if t.out.format == audio.WAV {
		_, size, err := t.wav(ctx)
		return size, err
	}
	data, err := t.Bytes(ctx)
	return int64(len(data)), err
}

// Release implements media.Content.
func (t *track) Release() {
	t.mu.Lock()
	if t.released {
		t.mu.Unlock()
		return
	}
	t.released = true
	n := int64(len(t.data))
	t.data = nil
	t.mu.Unlock()
	t.rec.store.Budget.Release(n)
	t.rec.release()
}
