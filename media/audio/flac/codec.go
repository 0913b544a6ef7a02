package flac

import (
	"quicksand/media/audio"
)

func init() {
	audio.Register(audio.FLAC, audio.Decoder{Config: config, Open: open})
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
