package audio

import (
	"encoding/binary"
	"io"
	"math"
)

// A sample is how one sample of an uncompressed file is stored.
type sample struct {
	kind  sampleKind
	width int // in bytes
	big   bool
}

type sampleKind uint8

const (
	signed sampleKind = iota
	unsigned
	floating
	aLaw
	muLaw
)

// codec is the name for Info.
func (s sample) codec() string {
	bits := [9]string{1: "8", 2: "16", 3: "24", 4: "32", 8: "64"}[s.width]
	switch s.kind {
	case signed:
		return "pcm-s" + bits
	case unsigned:
		return "pcm-u" + bits
	case floating:
		return "pcm-f" + bits
	case aLaw:
		return "alaw"
	}
	return "ulaw"
}

// depth is the number of bits for Info. The logarithmic ones are of 8 bits, which stand for
// numbers of up to 16.
func (s sample) depth() int {
	if s.kind == aLaw || s.kind == muLaw {
		return 16
	}
	return 8 * s.width
}

// MaxSample is how large floating-point samples can be that are read from a file, 192 dB over
// full scale; infinite ones are taken for it. What is no number is silence.
const MaxSample = 1 << 32

func tame(x float32) float32 {
	switch {
	case x >= -MaxSample && x <= MaxSample:
		return x
	case x > MaxSample:
		return MaxSample
	case x < -MaxSample:
		return -MaxSample
	}
	return 0
}

// decode reads len(dst) samples, one every stride bytes of src, which has all of them.
func (s sample) decode(dst []float32, src []byte, stride int) {
	at := 0
	switch {
	case s.kind == signed && s.width == 2 && !s.big:
		for i := range dst {
			b := src[at : at+2 : at+2]
			dst[i] = float32(int16(uint16(b[0])|uint16(b[1])<<8)) * (1.0 / (1 << 15))
			at += stride
		}
	case s.kind == signed && s.width == 2:
		for i := range dst {
			b := src[at : at+2 : at+2]
			dst[i] = float32(int16(uint16(b[1])|uint16(b[0])<<8)) * (1.0 / (1 << 15))
			at += stride
		}
	case s.kind == signed && s.width == 3 && !s.big:
		for i := range dst {
			b := src[at : at+3 : at+3]
			dst[i] = float32(int32(uint32(b[0])<<8|uint32(b[1])<<16|uint32(b[2])<<24)) * (1.0 / (1 << 31))
			at += stride
		}
	case s.kind == signed && s.width == 3:
		for i := range dst {
			b := src[at : at+3 : at+3]
			dst[i] = float32(int32(uint32(b[2])<<8|uint32(b[1])<<16|uint32(b[0])<<24)) * (1.0 / (1 << 31))
			at += stride
		}
	case s.kind == signed && s.width == 4:
		order := s.order()
		for i := range dst {
			dst[i] = float32(int32(order(src[at:at+4]))) * (1.0 / (1 << 31))
			at += stride
		}
	case s.kind == signed: // of 8 bits
		for i := range dst {
			dst[i] = float32(int8(src[at])) * (1.0 / (1 << 7))
			at += stride
		}
	case s.kind == unsigned: // of 8 bits
		for i := range dst {
			dst[i] = float32(int(src[at])-128) * (1.0 / (1 << 7))
			at += stride
		}
	case s.kind == floating && s.width == 4 && !s.big:
		for i := range dst {
			b := src[at : at+4 : at+4]
			dst[i] = tame(math.Float32frombits(binary.LittleEndian.Uint32(b)))
			at += stride
		}
	case s.kind == floating && s.width == 4:
		for i := range dst {
			b := src[at : at+4 : at+4]
			dst[i] = tame(math.Float32frombits(binary.BigEndian.Uint32(b)))
			at += stride
		}
	case s.kind == floating:
		order := binary.LittleEndian.Uint64
		if s.big {
			order = binary.BigEndian.Uint64
		}
		for i := range dst {
			dst[i] = tame(float32(math.Float64frombits(order(src[at : at+8]))))
			at += stride
		}
	default:
		table := &aLawTable
		if s.kind == muLaw {
			table = &muLawTable
		}
		for i := range dst {
			dst[i] = table[src[at]]
			at += stride
		}
	}
}

func (s sample) order() func([]byte) uint32 {
	if s.big {
		return binary.BigEndian.Uint32
	}
	return binary.LittleEndian.Uint32
}

// Tables of the logarithmic codes (ITU-T G.711), as numbers of 16 bits.
var aLawTable, muLawTable = func() (a, mu [256]float32) {
	for i := range 256 {
		x := i ^ 0x55
		exponent, mantissa := x>>4&7, x&15
		v := mantissa<<4 + 8
		if exponent > 0 {
			v = (v + 0x100) << (exponent - 1)
		}
		if x&0x80 == 0 {
			v = -v
		}
		a[i] = float32(v) / (1 << 15)

		x = ^i & 0xFF
		exponent, mantissa = x>>4&7, x&15
		v = (mantissa<<3+0x84)<<exponent - 0x84
		if x&0x80 != 0 {
			v = -v
		}
		mu[i] = float32(v) / (1 << 15)
	}
	return a, mu
}()

// A pcmReader reads interleaved samples.
type pcmReader struct {
	info   Info
	sample sample
	stride int // of a frame in bytes
	data   []byte
}

// Info implements Reader.
func (r *pcmReader) Info() Info { return r.info }

// Read implements Reader.
func (r *pcmReader) Read(dst [][]float32) (int, error) {
	n := min(len(dst[0]), len(r.data)/r.stride)
	if n == 0 {
		return 0, io.EOF
	}
	for i, d := range dst {
		r.sample.decode(d[:n], r.data[i*r.sample.width:], r.stride)
	}
	r.data = r.data[n*r.stride:]
	return n, nil
}

// pcm is what the headers of WAV and AIFF files come to.
type pcm struct {
	container      string
	rate, channels int
	sample         sample
	stride         int // of a frame in bytes: at least channels samples
	data           []byte
}

func (p pcm) info() Info {
	return Info{
		Container: p.container,
		Codec:     p.sample.codec(),
		Rate:      p.rate,
		Channels:  p.channels,
		Frames:    int64(len(p.data) / p.stride),
		Depth:     p.sample.depth(),
		Float:     p.sample.kind == floating,
		BitRate:   8 * p.stride * p.rate,
	}
}

// pcmDecoder is the decoder of a format of which parse reads the header.
func pcmDecoder(parse func(data []byte) (pcm, error)) Decoder {
	return Decoder{
		Config: func(data []byte) (Info, error) {
			p, err := parse(data)
			if err != nil {
				return Info{}, err
			}
			return p.info(), nil
		},
		Open: func(data []byte) (Reader, error) {
			p, err := parse(data)
			if err != nil {
				return nil, err
			}
			return &pcmReader{p.info(), p.sample, p.stride, p.data}, nil
		},
	}
}
