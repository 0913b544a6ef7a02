package ogg

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/thesyncim/gopus"

	"quicksand/media/audio"
	"quicksand/media/audio/dsp"
)

func init() {
	audio.RegisterEncoder(audio.Opus, audio.Encoder{Encode: encodeOpus, MIME: "audio/ogg", Loss: true})
}

const (
	// MinBitRate and MaxBitRate are for one channel, in bits a second. A file of so many
	// channels may have so many times as much.
	MinBitRate, MaxBitRate = 6000, 256_000
	// defaultBitRate of a channel, at which Opus is hard to tell from the original.
	defaultBitRate = 64_000
	// frameSize is that of the packets that are written: 20 ms.
	frameSize = 960
	// maxPacketSize is the most bytes that a stream of a packet takes (RFC 6716 §3.2.1), with
	// the bytes that say how many.
	maxPacketSize = 1275 + 4
	// serial is that of all files, so that the same sound always gives the same bytes.
	serial = 0x51532121
)

// A surround is how channels are spread over streams of Opus (RFC 7845 §5.1.1.2).
type surround struct {
	streams, coupled int
	mapping          []byte
}

var surrounds = [9]surround{
	1: {1, 0, []byte{0}},
	2: {1, 1, []byte{0, 1}},
	3: {2, 1, []byte{0, 2, 1}},
	4: {2, 2, []byte{0, 1, 2, 3}},
	5: {3, 2, []byte{0, 4, 1, 2, 3}},
	6: {4, 2, []byte{0, 4, 1, 2, 3, 5}},
	7: {4, 3, []byte{0, 4, 1, 2, 3, 5, 6}},
	8: {5, 3, []byte{0, 6, 1, 2, 3, 4, 5, 7}},
}

// opusEncoder is what encoders of one and of several streams have in common.
type opusEncoder interface {
	Encode(pcm []float32, data []byte) (int, error)
	Lookahead() int
	SetBitrate(bitrate int) error
	SetComplexity(complexity int) error
}

// encodeOpus writes Ogg Opus with packets of 20 ms and a variable bit rate. The sound is
// resampled to 48 kHz; its length is kept to the frame.
func encodeOpus(ctx context.Context, s audio.Source, o audio.EncodeOptions) ([]byte, error) {
	info := s.Info()
	n := info.Channels
	if err := audio.CheckFormat(info.Rate, n, info.Frames); err != nil {
		return nil, err
	}
	if o.Depth != 0 || o.Float {
		return nil, fmt.Errorf("depth is for formats without loss, and Opus has none")
	}
	rate := o.BitRate
	if rate == 0 {
		rate = defaultBitRate * n
	}
	if rate < MinBitRate*n || rate > MaxBitRate*n {
		return nil, &audio.LimitError{Limit: "OpusBitRate", What: "the bit rate in bits a second", Value: float64(rate), Min: float64(MinBitRate * n), Max: float64(MaxBitRate * n)}
	}
	effort := o.Effort
	if effort == 0 {
		effort = 5
	}
	if effort < 1 || effort > 10 {
		return nil, &audio.LimitError{Limit: "Effort", What: "effort", Value: float64(effort), Min: 1, Max: 10}
	}
	var (
		layout  = surrounds[n]
		encoder opusEncoder
		err     error
	)
	if n <= 2 {
		encoder, err = gopus.NewEncoder(gopus.EncoderConfig{SampleRate: opusRate, Channels: n, Application: gopus.ApplicationAudio})
	} else {
		encoder, err = gopus.NewMultistreamEncoder(opusRate, n, layout.streams, layout.coupled, layout.mapping, gopus.ApplicationAudio)
	}
	if err != nil {
		return nil, err
	}
	if err := encoder.SetBitrate(rate); err != nil {
		return nil, err
	}
	if err := encoder.SetComplexity(effort); err != nil {
		return nil, err
	}
	resampler, err := dsp.NewResampler(info.Rate, opusRate, n, dsp.High)
	if err != nil {
		return nil, err
	}
	w := &opusWriter{
		encoder:     encoder,
		skip:        encoder.Lookahead(),
		frame:       make([][]float32, n),
		room:        make([][]float32, n),
		interleaved: make([]float32, n*frameSize),
		packet:      make([]byte, layout.streams*maxPacketSize),
	}
	for c := range w.frame {
		w.frame[c] = make([]float32, frameSize)
	}
	w.head(info.Rate, layout)
	src := make([][]float32, n)
	err = s.Blocks(ctx, func(block [][]float32) error {
		copy(src, block)
		for len(src[0]) > 0 {
			written, taken := resampler.Process(w.space(), src)
			for c := range src {
				src[c] = src[c][taken:]
			}
			if err := w.add(written); err != nil {
				return err
			}
			if len(w.pages.out) > audio.MaxEncoded {
				return &audio.LimitError{Limit: "AudioBytes", What: "the encoded sound in bytes", Value: float64(len(w.pages.out)), Max: audio.MaxEncoded}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for {
		written := resampler.Flush(w.space())
		if written == 0 {
			break
		}
		if err := w.add(written); err != nil {
			return nil, err
		}
	}
	if err := w.finish(); err != nil {
		return nil, err
	}
	return w.pages.out, nil
}

// opusWriter encodes frames as they come.
type opusWriter struct {
	encoder     opusEncoder
	pages       pageWriter
	skip        int         // frames that the encoder delays the sound by
	frame       [][]float32 // of which size are filled
	room        [][]float32
	size        int
	frames      int64 // of the sound
	encoded     int64 // of the packets
	interleaved []float32
	packet      []byte
}

// head writes both headers (RFC 7845 §5).
func (w *opusWriter) head(rate int, layout surround) {
	le := binary.LittleEndian
	n := len(layout.mapping)
	h := append([]byte("OpusHead"), 1, byte(n))
	h = le.AppendUint16(h, uint16(w.skip))
	h = le.AppendUint32(h, uint32(rate))
	h = le.AppendUint16(h, 0)
	if n <= 2 {
		h = append(h, 0)
	} else {
		h = append(h, 1, byte(layout.streams), byte(layout.coupled))
		h = append(h, layout.mapping...)
	}
	w.pages.add(h)
	w.pages.flush(first, 0)
	const vendor = "quicksand"
	h = le.AppendUint32([]byte("OpusTags"), uint32(len(vendor)))
	h = le.AppendUint32(append(h, vendor...), 0)
	w.pages.add(h)
	w.pages.flush(0, 0)
}

// space is where the next frames go. It is never empty.
func (w *opusWriter) space() [][]float32 {
	for c, f := range w.frame {
		w.room[c] = f[w.size:]
	}
	return w.room
}

// add takes frames that were written to space.
func (w *opusWriter) add(n int) error {
	w.size += n
	w.frames += int64(n)
	if w.size < frameSize {
		return nil
	}
	w.size = 0
	return w.encode()
}

func (w *opusWriter) encode() error {
	n := len(w.frame)
	for c, f := range w.frame {
		to := w.interleaved[order[n][c]:]
		for i, x := range f {
			// What is louder than this is a mistake, which is not to disturb what follows.
			if !(x >= -16 && x <= 16) {
				if x != x {
					x = 0
				}
				x = float32(math.Max(-16, math.Min(16, float64(x))))
			}
			to[i*n] = x
		}
	}
	size, err := w.encoder.Encode(w.interleaved, w.packet)
	if err != nil {
		return err
	}
	// A page is written when the next packet comes, because the last one is marked.
	if w.pages.full(size) {
		w.pages.flush(0, w.encoded)
	}
	w.pages.add(w.packet[:size])
	w.encoded += frameSize
	return nil
}

// finish encodes until all of the sound is out of the encoder. The last page says how much of
// the last packet counts.
func (w *opusWriter) finish() error {
	end := int64(w.skip) + w.frames
	for w.encoded < end || w.encoded == 0 {
		for _, f := range w.frame {
			clear(f[w.size:])
		}
		w.size = 0
		if err := w.encode(); err != nil {
			return err
		}
	}
	w.pages.flush(last, end)
	return nil
}
