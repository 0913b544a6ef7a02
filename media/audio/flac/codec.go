package flac

import (
	"bytes"
	"context"
	"fmt"

	"quicksand/media/audio"
)

func init() {
	audio.Register(audio.FLAC, audio.Decoder{Config: config, Open: open})
	audio.RegisterEncoder(audio.FLAC, audio.Encoder{Encode: encode, MIME: audio.FLAC.MIME()})
}

func config(data []byte) (audio.Info, error) {
	info, frames, err := readLengths(data)
	if err != nil {
		return audio.Info{}, err
	}
	return info.asAudio(frames), nil
}

// readLengths is readHead, with the number of samples that the file has, where its last frame
// is found. A file that was cut off has fewer than its header says, and one that was written
// as a stream does not say.
func readLengths(data []byte) (Info, []byte, error) {
	info, frames, err := readHead(data)
	if err == nil {
		if end := info.lastEnd(frames); end > 0 {
			info.Frames = end
		}
	}
	return info, frames, err
}

func (info Info) asAudio(frames []byte) audio.Info {
	a := audio.Info{
		Codec: "flac", Rate: info.Rate, Channels: info.Channels, Frames: info.Frames,
		Depth: info.Depth, Scratch: info.scratch(),
	}
	if info.Frames > 0 {
		a.BitRate = int(float64(len(frames)) * 8 * float64(info.Rate) / float64(info.Frames))
	}
	return a
}

const (
	// lastTries is how many frames are decoded to find the last whole one: of a file that was
	// cut off the second last is it, and now and then what looks like a header is none.
	lastTries = 4
	// lastTags is how many bytes of other formats' tags may be behind the last frame.
	lastTags = 64 << 10
)

// lastEnd is how many samples of each channel there are up to the end of the last frame that
// is whole, or 0 if none is found near the end of frames, which are what follows the header.
func (info Info) lastEnd(frames []byte) int64 {
	// Of two frames that are not compressed, one may be cut off.
	window := 2*info.Channels*(info.MaxBlock*(info.Depth+1)/8+16) + lastTags
	zero, ok := parseFrameHeader(frames) // what was cut out of a stream begins somewhere
	if !ok {
		return 0
	}
	tries := 0
	for at := len(frames); tries < lastTries; {
		at = bytes.LastIndexByte(frames[:at], 0xFF)
		if at < max(0, len(frames)-window) {
			break
		}
		h, ok := parseFrameHeader(frames[at:])
		if !ok || !info.has(h) {
			continue
		}
		start := info.start(h) - info.start(zero)
		if start < 0 || info.Frames >= 0 && start >= info.Frames {
			continue
		}
		tries++
		d := Decoder{info: info, rest: frames[at:]}
		d.info.MaxBlock = h.block
		d.take()
		if d.decode(h) {
			end := start + int64(h.block)
			if info.Frames >= 0 {
				end = min(end, info.Frames)
			}
			return end
		}
	}
	return 0
}

// start is the first sample of a frame.
func (info Info) start(h frameHeader) int64 {
	if h.variable {
		return int64(h.number)
	}
	return int64(h.number) * int64(info.MaxBlock)
}

func open(data []byte) (audio.Reader, error) {
	info, frames, err := readLengths(data)
	if err != nil {
		return nil, err
	}
	return &reader{decoder: &Decoder{info: info, rest: frames}, info: info.asAudio(frames), scale: 1 / float32(uint64(1)<<(info.Depth-1))}, nil
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
