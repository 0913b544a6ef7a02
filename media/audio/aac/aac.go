package aac

import (
	"errors"
	"fmt"
	"io"

	aacpcm "github.com/tphakala/go-aac/pcm"

	"quicksand/media/audio"
)

func init() {
	audio.Register(audio.AAC, decoder(parseADTS))
	audio.Register(audio.M4A, decoder(parseMP4))
}

// frameSize is how many frames of sound an access unit holds.
const frameSize = 1024

// A stream is what a file holds: access units of one configuration.
type stream struct {
	info   audio.Info
	config []byte // AudioSpecificConfig
	// skip is how many frames at the beginning are the encoder's delay.
	skip int64
	// units makes a function that returns the next access unit, io.EOF after the last one.
	units func() func() ([]byte, error)
}

func decoder(parse func(data []byte) (*stream, error)) audio.Decoder {
	return audio.Decoder{
		Config: func(data []byte) (audio.Info, error) {
			s, err := parse(data)
			if err != nil {
				return audio.Info{}, err
			}
			return s.info, nil
		},
		Open: func(data []byte) (audio.Reader, error) {
			s, err := parse(data)
			if err != nil {
				return nil, err
			}
			d, err := aacpcm.NewDecoder(&feed{next: s.units()}, aacpcm.WithRawStream(s.config))
			if err != nil {
				return nil, explain(err)
			}
			return &reader{s: s, d: d, skip: s.skip, left: s.info.Frames, raw: make([]byte, 2*s.info.Channels*frameSize)}, nil
		},
	}
}

// explain makes what guests may see of an error of the decoder.
func explain(err error) error {
	if errors.Is(err, aacpcm.ErrUnsupported) {
		return audio.FormatError("AAC other than AAC-LC with one or two channels is not supported")
	}
	return err
}

// A feed writes access units for the decoder: each behind its length in two bytes.
type feed struct {
	next func() ([]byte, error)
	head [2]byte
	rest [2][]byte
}

// Read implements io.Reader.
func (f *feed) Read(p []byte) (int, error) {
	for len(f.rest[0]) == 0 && len(f.rest[1]) == 0 {
		unit, err := f.next()
		if err != nil {
			return 0, err
		}
		if len(unit) > 1<<16-1 {
			return 0, audio.FormatError("an access unit is too long")
		}
		f.head = [2]byte{byte(len(unit) >> 8), byte(len(unit))}
		f.rest = [2][]byte{f.head[:], unit}
	}
	n := copy(p, f.rest[0])
	f.rest[0] = f.rest[0][n:]
	m := copy(p[n:], f.rest[1])
	f.rest[1] = f.rest[1][m:]
	return n + m, nil
}

// A reader decodes a stream.
type reader struct {
	s    *stream
	d    *aacpcm.Decoder
	skip int64
	left int64 // frames
	raw  []byte
	have []byte // of raw, not given yet
}

// Info implements audio.Reader.
func (r *reader) Info() audio.Info { return r.s.info }

// Read implements audio.Reader.
func (r *reader) Read(dst [][]float32) (int, error) {
	stride := 2 * r.s.info.Channels
	if r.left == 0 {
		return 0, io.EOF
	}
	for len(r.have) < stride {
		n, err := io.ReadFull(r.d, r.raw)
		n -= n % stride
		if n == 0 {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return 0, io.EOF
			}
			if err == nil {
				err = errors.New("no sound in an access unit")
			}
			return 0, explain(err)
		}
		r.have = r.raw[:n]
		skip := min(r.skip, int64(n/stride))
		r.skip -= skip
		r.have = r.have[int(skip)*stride:]
	}
	n := int(min(int64(len(dst[0])), int64(len(r.have)/stride), r.left))
	for c, p := range dst {
		b := r.have[2*c:]
		for i := range n {
			p[i] = float32(int16(uint16(b[i*stride])|uint16(b[i*stride+1])<<8)) * (1.0 / (1 << 15))
		}
	}
	r.have = r.have[n*stride:]
	r.left -= int64(n)
	return n, nil
}

// rates are the sampling rates by their index (ISO/IEC 14496-3 table 1.18).
var rates = [...]int{96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350}

// objectTypes are the names of those that are met, by number (ISO/IEC 14496-3 table 1.17).
var objectTypes = map[int]string{1: "AAC Main", 3: "AAC SSR", 4: "AAC LTP", 5: "HE-AAC", 23: "AAC-LD", 29: "HE-AAC v2", 36: "MPEG-4 ALS", 39: "AAC-ELD", 42: "xHE-AAC"}

// check says what of a configuration cannot be read.
func check(objectType, rateIndex, channels int) error {
	switch {
	case objectType != 2:
		name := objectTypes[objectType]
		if name == "" {
			name = fmt.Sprintf("the MPEG-4 audio object type %d", objectType)
		}
		return audio.FormatError(name + " is not supported, only AAC-LC is")
	case rateIndex >= len(rates):
		return audio.FormatError("the sampling rate of AAC is none that it can have")
	case channels < 1 || channels > 2:
		return audio.FormatError(fmt.Sprintf("AAC with the channel configuration %d is not supported, only with one or two channels", channels))
	}
	return nil
}
