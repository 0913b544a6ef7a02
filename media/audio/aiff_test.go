package audio

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
)

var be = binary.BigEndian

// aiffChunk is a chunk of an AIFF file, padded to an even size.
func aiffChunk(id string, data []byte) []byte {
	b := append(be.AppendUint32([]byte(id), uint32(len(data))), data...)
	if len(data)%2 == 1 {
		b = append(b, 0)
	}
	return b
}

func aiffOf(kind string, chunks ...[]byte) []byte {
	body := append([]byte(kind), bytes.Join(chunks, nil)...)
	return append(be.AppendUint32([]byte("FORM"), uint32(len(body))), body...)
}

// rate8000 is 8000 as a number of 80 bits, from the tables of the specification.
const rate8000 = "\x40\x0B\xFA\x00\x00\x00\x00\x00\x00\x00"

// comm is a COMM chunk, with a codec for AIFF-C unless that is "".
func comm(channels, frames, bits int, rate, codec string) []byte {
	b := be.AppendUint16(nil, uint16(channels))
	b = be.AppendUint32(b, uint32(frames))
	b = be.AppendUint16(b, uint16(bits))
	b = append(b, rate...)
	if codec != "" {
		b = append(b, codec...)
		b = append(b, 3, 'a', 'b', 'c')
	}
	return aiffChunk("COMM", b)
}

// ssnd is an SSND chunk of samples behind so many bytes of nothing.
func ssnd(offset int, samples []byte) []byte {
	b := be.AppendUint32(nil, uint32(offset))
	b = be.AppendUint32(b, 0)
	b = append(b, make([]byte, offset)...)
	return aiffChunk("SSND", append(b, samples...))
}

func TestAIFFZoo(t *testing.T) {
	x := []float64{0.5, -0.5, 0.25, 0.75, -1, 0}
	want := [][]float32{{0.5, 0.25, -1}, {-0.5, 0.75, 0}}
	big, little := binary.AppendByteOrder(be), binary.AppendByteOrder(le)
	s16 := stored(x, "s16", big)
	logarithmic := [][]float32{{32256. / (1 << 15), 8. / (1 << 15)}, {-32256. / (1 << 15), -8. / (1 << 15)}}
	for _, test := range []struct {
		name  string
		data  []byte
		codec string
		depth int
		want  [][]float32
	}{
		{"16 bits", aiffOf("AIFF", comm(2, 3, 16, rate8000, ""), ssnd(0, s16)), "pcm-s16", 16, want},
		{"8 bits, signed", aiffOf("AIFF", comm(2, 3, 8, rate8000, ""), ssnd(0, stored(x, "s8", big))), "pcm-s8", 8, want},
		{"12 bits in 16", aiffOf("AIFF", comm(2, 3, 12, rate8000, ""), ssnd(0, s16)), "pcm-s16", 16, want},
		{"24 bits", aiffOf("AIFF", comm(2, 3, 24, rate8000, ""), ssnd(0, stored(x, "s24", big))), "pcm-s24", 24, want},
		{"32 bits", aiffOf("AIFF", comm(2, 3, 32, rate8000, ""), ssnd(0, stored(x, "s32", big))), "pcm-s32", 32, want},
		{"AIFF-C without compression", aiffOf("AIFC", aiffChunk("FVER", make([]byte, 4)), comm(2, 3, 16, rate8000, "NONE"), ssnd(0, s16)), "pcm-s16", 16, want},
		{"sowt", aiffOf("AIFC", comm(2, 3, 16, rate8000, "sowt"), ssnd(0, stored(x, "s16", little))), "pcm-s16", 16, want},
		{"twos", aiffOf("AIFC", comm(2, 3, 16, rate8000, "twos"), ssnd(0, s16)), "pcm-s16", 16, want},
		{"in24", aiffOf("AIFC", comm(2, 3, 24, rate8000, "in24"), ssnd(0, stored(x, "s24", big))), "pcm-s24", 24, want},
		{"42ni", aiffOf("AIFC", comm(2, 3, 24, rate8000, "42ni"), ssnd(0, stored(x, "s24", little))), "pcm-s24", 24, want},
		{"in32", aiffOf("AIFC", comm(2, 3, 32, rate8000, "in32"), ssnd(0, stored(x, "s32", big))), "pcm-s32", 32, want},
		{"23ni", aiffOf("AIFC", comm(2, 3, 32, rate8000, "23ni"), ssnd(0, stored(x, "s32", little))), "pcm-s32", 32, want},
		{"raw", aiffOf("AIFC", comm(2, 3, 8, rate8000, "raw "), ssnd(0, stored(x, "u8", big))), "pcm-u8", 8, want},
		{"fl32", aiffOf("AIFC", comm(2, 3, 32, rate8000, "fl32"), ssnd(0, stored(x, "f32", big))), "pcm-f32", 32, want},
		{"FL32 that says 16 bits", aiffOf("AIFC", comm(2, 3, 16, rate8000, "FL32"), ssnd(0, stored(x, "f32", big))), "pcm-f32", 32, want},
		{"fl64", aiffOf("AIFC", comm(2, 3, 64, rate8000, "fl64"), ssnd(0, stored(x, "f64", big))), "pcm-f64", 64, want},
		{"A-law", aiffOf("AIFC", comm(2, 2, 16, rate8000, "alaw"), ssnd(0, []byte{0xAA, 0x2A, 0xD5, 0x55})), "alaw", 16, logarithmic},
		{"µ-law", aiffOf("AIFC", comm(1, 2, 16, rate8000, "ulaw"), ssnd(0, []byte{0x80, 0xFF})), "ulaw", 16, [][]float32{{32124. / (1 << 15), 0}}},
		{"an offset", aiffOf("AIFF", comm(2, 3, 16, rate8000, ""), ssnd(6, s16)), "pcm-s16", 16, want},
		{"SSND before COMM, an odd chunk between", aiffOf("AIFF", ssnd(0, s16), aiffChunk("NAME", []byte("abc")), comm(2, 3, 16, rate8000, "")), "pcm-s16", 16, want},
		{"fewer frames than SSND has", aiffOf("AIFF", comm(2, 2, 16, rate8000, ""), ssnd(0, s16)), "pcm-s16", 16, [][]float32{{0.5, 0.25}, {-0.5, 0.75}}},
		{"more frames than SSND has", aiffOf("AIFF", comm(2, 1000, 16, rate8000, ""), ssnd(0, s16)), "pcm-s16", 16, want},
		{"0 frames of a writer that was stopped", aiffOf("AIFF", comm(2, 0, 16, rate8000, ""), ssnd(0, s16)), "pcm-s16", 16, want},
		{"no frames and no SSND", aiffOf("AIFF", comm(2, 0, 16, rate8000, "")), "pcm-s16", 16, [][]float32{{}, {}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := Open(test.data, nil)
			if err != nil {
				t.Fatal(err)
			}
			container := "aiff"
			if string(test.data[8:12]) == "AIFC" {
				container = "aifc"
			}
			info := s.Info()
			if info.Format != AIFF || info.Container != container || info.Codec != test.codec || info.Depth != test.depth || info.Rate != 8000 || info.Frames != int64(len(test.want[0])) {
				t.Errorf("got %+v, want %s, %s of %d bits", info, container, test.codec, test.depth)
			}
			c, err := s.Clip(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if got := c.Planes(); fmt.Sprint(got) != fmt.Sprint(test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// The bytes are those of other programs' files.
func TestAIFFRates(t *testing.T) {
	for want, b := range map[int64]string{
		8000:          rate8000,
		44100:         "\x40\x0E\xAC\x44\x00\x00\x00\x00\x00\x00",
		48000:         "\x40\x0E\xBB\x80\x00\x00\x00\x00\x00\x00",
		192000:        "\x40\x10\xBB\x80\x00\x00\x00\x00\x00\x00",
		22255:         "\x40\x0D\xAD\xDD\x17\x45\xD1\x74\x5D\x17", // 22 254.5…
		0:             "\xC0\x0E\xAC\x44\x00\x00\x00\x00\x00\x00", // negative
		math.MaxInt32: "\x7F\xFF\x80\x00\x00\x00\x00\x00\x00\x00", // infinite
	} {
		if got := extended([]byte(b)); got != want {
			t.Errorf("% x: got %d, want %d", b, got, want)
		}
	}
}

func TestAIFFErrorsSayWhatIsWrong(t *testing.T) {
	sound := ssnd(0, make([]byte, 4))
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{"no COMM", aiffOf("AIFF", sound), "could not decode the audio (aiff): the file has no COMM chunk"},
		{"no SSND", aiffOf("AIFF", comm(1, 2, 16, rate8000, "")), "the file has no SSND chunk"},
		{"a short COMM", aiffOf("AIFF", aiffChunk("COMM", make([]byte, 17))), "the COMM chunk is too short"},
		{"a COMM without codec", aiffOf("AIFC", comm(1, 2, 16, rate8000, "")), "the COMM chunk is too short"},
		{"a short SSND", aiffOf("AIFF", comm(1, 2, 16, rate8000, ""), aiffChunk("SSND", make([]byte, 7))), "the SSND chunk is too short"},
		{"a codec that is not known", aiffOf("AIFC", comm(1, 2, 16, rate8000, "ima4"), sound), `the codec "ima4" in AIFF-C is not supported`},
		{"samples of 40 bits", aiffOf("AIFF", comm(1, 2, 40, rate8000, ""), sound), "samples of 5 bytes are not supported in AIFF"},
		{"no channels", aiffOf("AIFF", comm(0, 2, 16, rate8000, ""), sound), "the number of channels is 0, under the limit of 1 (AudioChannels)"},
		{"a rate that is not one", aiffOf("AIFF", comm(1, 2, 16, "\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", ""), sound), "over the limit of 768000 (AudioRate)"},
	} {
		_, err := Open(test.data, nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.name, err, test.want)
		}
	}
}
