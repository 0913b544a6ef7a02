package ogg

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/thesyncim/gopus"

	"quicksand/media/audio"
)

func init() {
	audio.Register(audio.Opus, audio.Decoder{Config: opusConfig, Open: opusOpen})
}

// opusRate is the sampling rate of all Opus (RFC 7845 §4).
const opusRate = 48000

// maxOpusFrames is the most frames of a packet: 120 ms (RFC 6716 §3.2.5).
const maxOpusFrames = 5760

// opusHead is an identification header (RFC 7845 §5.1).
type opusHead struct {
	channels         int
	skip             int
	gain             float64 // in dB
	family           byte
	streams, coupled int
	mapping          []byte
}

func parseOpusHead(b []byte) (h opusHead, err error) {
	if len(b) < 19 {
		return h, audio.FormatError("the header of Opus is cut off")
	}
	if b[8]&0xF0 != 0 {
		return h, audio.FormatError("this version of Opus is not supported")
	}
	h.channels = int(b[9])
	h.skip = int(binary.LittleEndian.Uint16(b[10:]))
	h.gain = float64(int16(binary.LittleEndian.Uint16(b[16:]))) / 256
	h.family = b[18]
	if err := audio.CheckFormat(opusRate, h.channels, -1); err != nil {
		return h, err
	}
	switch h.family {
	case 0:
		if h.channels > 2 {
			return h, audio.FormatError("the header of Opus is damaged")
		}
		h.streams, h.coupled, h.mapping = 1, h.channels-1, []byte{0, 1}[:h.channels]
		return h, nil
	case 1:
	default:
		return h, audio.FormatError("Opus is supported with one to eight channels of the usual positions only, not with channel mapping families above 1")
	}
	if len(b) < 21+h.channels {
		return h, audio.FormatError("the header of Opus is cut off")
	}
	h.streams, h.coupled = int(b[19]), int(b[20])
	if h.streams == 0 || h.coupled > h.streams || h.streams > h.channels {
		return h, audio.FormatError("the header of Opus is damaged")
	}
	h.mapping = bytes.Clone(b[21 : 21+h.channels])
	for _, m := range h.mapping {
		if m != 255 && int(m) >= h.streams+h.coupled {
			return h, audio.FormatError("the header of Opus is damaged")
		}
	}
	return h, nil
}

// opusStream is at the first packet of audio.
func opusStream(data []byte) (*packets, opusHead, error) {
	s, head := stream(data, "OpusHead")
	if s == nil {
		return nil, opusHead{}, audio.FormatError("there is no stream of Opus in it")
	}
	h, err := parseOpusHead(head)
	if err != nil {
		return nil, h, err
	}
	if tags, ok := s.next(); !ok || !bytes.HasPrefix(tags.data, []byte("OpusTags")) {
		return nil, h, audio.FormatError("the comments of Opus are missing")
	}
	return s, h, nil
}

func opusInfo(h opusHead, frames int64, size int) audio.Info {
	info := audio.Info{
		Codec: "opus", Rate: opusRate, Channels: h.channels, Frames: frames,
		// A decoder takes about 150 KB for a stream of one channel, and 250 KB for two.
		Scratch: 2*maxPacket + int64(h.channels)*(8*maxOpusFrames) + int64(h.streams)*(256<<10),
	}
	if frames > 0 {
		info.BitRate = int(float64(size) * 8 * opusRate / float64(frames))
	}
	return info
}

func opusConfig(data []byte) (audio.Info, error) {
	s, h, err := opusStream(data)
	if err != nil {
		return audio.Info{}, err
	}
	span := measure(s, &opusDecoder{}, int64(h.skip), false)
	return opusInfo(h, span.frames, len(data)), nil
}

func opusOpen(data []byte) (audio.Reader, error) {
	s, h, err := opusStream(data)
	if err != nil {
		return nil, err
	}
	d := &opusDecoder{planes: make([][]float32, h.channels), block: make([][]float32, h.channels)}
	span := measure(s, d, int64(h.skip), false)
	if h.family == 0 {
		d.decoder, err = gopus.NewDecoder(gopus.DecoderConfig{SampleRate: opusRate, Channels: h.channels, MaxPacketSamples: maxOpusFrames, MaxPacketBytes: maxPacket})
	} else {
		mapping := make([]byte, h.channels)
		for i, from := range order[h.channels] {
			mapping[i] = h.mapping[from]
		}
		d.decoder, err = gopus.NewMultistreamDecoder(opusRate, h.channels, h.streams, h.coupled, mapping)
	}
	if err != nil {
		return nil, err
	}
	d.gain = float32(math.Pow(10, h.gain/20))
	d.interleaved = make([]float32, maxOpusFrames*h.channels)
	for c := range d.planes {
		d.planes[c] = make([]float32, maxOpusFrames)
	}
	return &reader{info: opusInfo(h, span.frames, len(data)), s: s, codec: d, skip: span.skip, left: span.frames}, nil
}

// opusDecoder is a codec.
type opusDecoder struct {
	decoder interface {
		Decode(data []byte, pcm []float32) (int, error)
	}
	gain        float32
	interleaved []float32
	planes      [][]float32
	block       [][]float32
}

// opusSizes are the frames of one frame of Opus by its configuration (RFC 6716 §3.1).
var opusSizes = func() (t [32]int) {
	for i := range t {
		switch {
		case i < 12: // SILK
			t[i] = []int{480, 960, 1920, 2880}[i&3]
		case i < 16: // hybrid
			t[i] = []int{480, 960}[i&1]
		default: // CELT
			t[i] = []int{120, 240, 480, 960}[i&3]
		}
	}
	return t
}()

func (d *opusDecoder) frames(data []byte) int {
	if len(data) == 0 {
		return 0
	}
	n := opusSizes[data[0]>>3]
	switch data[0] & 3 {
	case 1, 2:
		n *= 2
	case 3:
		if len(data) < 2 {
			return 0
		}
		n *= int(data[1] & 63)
	}
	if n > maxOpusFrames {
		return 0
	}
	return n
}

func (d *opusDecoder) decode(data []byte) [][]float32 {
	want := d.frames(data)
	if want == 0 {
		return nil
	}
	channels := len(d.planes)
	n, err := d.decoder.Decode(data, d.interleaved)
	if err != nil || n > maxOpusFrames {
		n = 0
	}
	n = min(n, want)
	for c, p := range d.planes {
		from := d.interleaved[c:]
		p = p[:want]
		for i := range p[:n] {
			p[i] = from[i*channels] * d.gain
		}
		clear(p[n:])
		d.block[c] = p
	}
	return d.block
}
