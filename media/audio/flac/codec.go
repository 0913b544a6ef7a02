package flac

import (
	"context"
	"fmt"

	"quicksand/media/audio"
)

func init() {
	audio.Register(audio.FLAC, audio.Decoder{Config: config, Open: open})
	audio.RegisterEncoder(audio.FLAC, audio.Encoder{Encode: encode, MIME: audio.FLAC.MIME()})
}

func config(data []byte) (audio.Info, error) {
	info, frames, err := readHead(data)
	if err != nil {
		return audio.Info{}, err
	}
	a := audio.Info{
		Codec: "flac", Rate: info.Rate, Channels: info.Channels, Frames: info.Frames,
		Depth: info.Depth, Scratch: info.scratch(),
	}
	if info.Frames > 0 {
		a.BitRate = int(float64(len(frames)) * 8 * float64(info.Rate) / float64(info.Frames))
	}
	return a, nil
}

func open(data []byte) (audio.Reader, error) {
	d, err := NewDecoder(data)
	if err != nil {
		return nil, err
	}
	info, err := config(data)
	if err != nil {
		return nil, err
	}
	return &reader{decoder: d, info: info, scale: 1 / float32(uint64(1)<<(info.Depth-1))}, nil
}

// A reader gives a decoder's samples as floating-point numbers.
type reader struct {
	decoder *Decoder
	info    audio.Info
	scale   float32
	left    [][]int32 // of the last frame
}

// Info implements audio.Reader.
func (r *reader) Info() audio.Info { return r.info }

// Read implements audio.Reader. It gives no more than the rest of one frame each time.
func (r *reader) Read(dst [][]float32) (int, error) {
	if r.left == nil || len(r.left[0]) == 0 {
		var err error
		if r.left, err = r.decoder.Next(); err != nil {
			r.left = nil
			return 0, err
		}
	}
	n := min(len(dst[0]), len(r.left[0]))
	for i, p := range r.left {
		to := dst[i][:n]
		for k, v := range p[:n] {
			to[k] = float32(v) * r.scale
		}
		r.left[i] = p[n:]
	}
	return n, nil
}

// encode writes a sound, with dither where its samples do not lie on the grid of the depth.
func encode(ctx context.Context, s audio.Source, o audio.EncodeOptions) ([]byte, error) {
	depth := o.Depth
	if depth == 0 {
		depth = 16
	}
	info := s.Info()
	switch {
	case o.Float:
		return nil, fmt.Errorf("FLAC has no floating-point samples; use a depth of 24 or 32, or WAV")
	case depth < 8 || depth > 32:
		return nil, fmt.Errorf("samples of %d bits cannot be written as FLAC: it must be 8 to 32", depth)
	}
	q, err := audio.QuantizerFor(ctx, s, depth, o.NoDither)
	if err != nil {
		return nil, err
	}
	e, err := NewEncoder(Info{Rate: info.Rate, Channels: info.Channels, Depth: depth, Frames: info.Frames}, Options{Effort: o.Effort})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	memory := make([]int32, info.Channels*audio.BlockFrames)
	planes := make([][]int32, info.Channels)
	err = s.Blocks(ctx, func(block [][]float32) error {
		for i, p := range block {
			planes[i] = memory[i*audio.BlockFrames:][:len(p)]
		}
		q.Block(planes, block)
		return e.Write(planes)
	})
	if err != nil {
		return nil, err
	}
	return e.Finish()
}
