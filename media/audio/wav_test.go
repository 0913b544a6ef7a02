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

var le = binary.LittleEndian

// chunk is a chunk of a WAV file, padded to an even size.
func chunk(id string, size int, data []byte) []byte {
	b := le.AppendUint32([]byte(id), uint32(size))
	b = append(b, data...)
	if len(data)%2 == 1 {
		b = append(b, 0)
	}
	return b
}

// wavOf is a file of chunks.
func wavOf(id string, chunks ...[]byte) []byte {
	body := append([]byte("WAVE"), bytes.Join(chunks, nil)...)
	return append(le.AppendUint32([]byte(id), uint32(len(body))), body...)
}

// fmtChunk is a fmt chunk of size 16, 18 or 40.
func fmtChunk(size int, tag uint16, channels, rate, bits int) []byte {
	width := (bits + 7) / 8
	b := le.AppendUint16(nil, tag)
	if size == 40 {
		b = le.AppendUint16(nil, tagExtensible)
	}
	b = le.AppendUint16(b, uint16(channels))
	b = le.AppendUint32(b, uint32(rate))
	b = le.AppendUint32(b, uint32(rate*channels*width))
	b = le.AppendUint16(b, uint16(channels*width))
	b = le.AppendUint16(b, uint16(bits))
	if size >= 18 {
		b = le.AppendUint16(b, uint16(size-18))
	}
	if size == 40 {
		b = le.AppendUint16(b, uint16(bits))
		b = le.AppendUint32(b, 0)
		b = le.AppendUint16(b, tag)
		b = append(b, "\x00\x00\x00\x00\x10\x00\x80\x00\x00\xAA\x00\x38\x9B\x71"...)
	}
	return chunk("fmt ", len(b), b)
}

// ramp is n samples from −1 up, and one that is 0.5.
func ramp(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = -1 + float64(i)/float64(n)
	}
	x[n-1] = 0.5
	return x
}

// stored writes samples as they are stored in a file.
func stored(x []float64, kind string, order binary.AppendByteOrder) []byte {
	var b []byte
	for _, v := range x {
		switch kind {
		case "u8":
			b = append(b, byte(128+v*128))
		case "s8":
			b = append(b, byte(int8(v*128)))
		case "s16":
			b = order.AppendUint16(b, uint16(int16(v*(1<<15))))
		case "s24":
			var w [4]byte
			if order == binary.AppendByteOrder(binary.BigEndian) {
				binary.BigEndian.PutUint32(w[:], uint32(int32(v*(1<<23))))
				b = append(b, w[1:]...)
			} else {
				le.PutUint32(w[:], uint32(int32(v*(1<<23))))
				b = append(b, w[:3]...)
			}
		case "s32":
			b = order.AppendUint32(b, uint32(int32(v*(1<<31))))
		case "f32":
			b = order.AppendUint32(b, math.Float32bits(float32(v)))
		case "f64":
			b = order.AppendUint64(b, math.Float64bits(v))
		default:
			panic(kind)
		}
	}
	return b
}

// decoded is the clip of a file.
func decoded(t testing.TB, data []byte) *Clip {
	t.Helper()
	s, err := Open(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Clip(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestWAVZoo(t *testing.T) {
	const rate, n = 8000, 800
	x := ramp(n)
	bits16 := func() []byte { return stored(x, "s16", le) }
	data16 := chunk("data", 2*n, bits16())
	junk := func(size int) []byte { return chunk("JUNK", size, make([]byte, size)) }
	ds64 := func(size uint64) []byte {
		b := le.AppendUint64(nil, 0)
		b = le.AppendUint64(b, size)
		b = le.AppendUint64(b, n)
		return chunk("ds64", 28, append(b, 0, 0, 0, 0))
	}
	for _, test := range []struct {
		name      string
		data      []byte
		codec     string
		depth     int
		container string  // "" for wav
		frames    int     // 0 for n
		step      float64 // of the grid, 0 for exact
	}{
		{"fmt of 16 bytes", wavOf("RIFF", fmtChunk(16, 1, 1, rate, 16), data16), "pcm-s16", 16, "", 0, 1. / (1 << 15)},
		{"fmt of 18 bytes", wavOf("RIFF", fmtChunk(18, 1, 1, rate, 16), data16), "pcm-s16", 16, "", 0, 1. / (1 << 15)},
		{"fmt of 40 bytes, extensible", wavOf("RIFF", fmtChunk(40, 1, 1, rate, 16), data16), "pcm-s16", 16, "", 0, 1. / (1 << 15)},
		{"8 bits, unsigned", wavOf("RIFF", fmtChunk(16, 1, 1, rate, 8), chunk("data", n, stored(x, "u8", le))), "pcm-u8", 8, "", 0, 1. / (1 << 7)},
		{"24 bits", wavOf("RIFF", fmtChunk(16, 1, 1, rate, 24), chunk("data", 3*n, stored(x, "s24", le))), "pcm-s24", 24, "", 0, 1. / (1 << 23)},
		{"20 bits in 24", wavOf("RIFF", fmtChunk(16, 1, 1, rate, 20), chunk("data", 3*n, stored(x, "s24", le))), "pcm-s24", 24, "", 0, 1. / (1 << 23)},
		{"24 bits extensible", wavOf("RIFF", fmtChunk(40, 1, 1, rate, 24), chunk("data", 3*n, stored(x, "s24", le))), "pcm-s24", 24, "", 0, 1. / (1 << 23)},
		{"32 bits", wavOf("RIFF", fmtChunk(16, 1, 1, rate, 32), chunk("data", 4*n, stored(x, "s32", le))), "pcm-s32", 32, "", 0, 1. / (1 << 24)},
		{"floats of 32 bits", wavOf("RIFF", fmtChunk(18, 3, 1, rate, 32), chunk("data", 4*n, stored(x, "f32", le))), "pcm-f32", 32, "", 0, 1. / (1 << 24)},
		{"floats of 32 bits extensible", wavOf("RIFF", fmtChunk(40, 3, 1, rate, 32), chunk("data", 4*n, stored(x, "f32", le))), "pcm-f32", 32, "", 0, 1. / (1 << 24)},
		{"floats of 64 bits", wavOf("RIFF", fmtChunk(16, 3, 1, rate, 64), chunk("data", 8*n, stored(x, "f64", le))), "pcm-f64", 64, "", 0, 1. / (1 << 24)},
		{"JUNK before fmt", wavOf("RIFF", junk(28), fmtChunk(16, 1, 1, rate, 16), data16), "pcm-s16", 16, "", 0, 1. / (1 << 15)},
		{"odd LIST with padding", wavOf("RIFF", fmtChunk(16, 1, 1, rate, 16), chunk("LIST", 5, []byte("INFOx")), data16), "pcm-s16", 16, "", 0, 1. / (1 << 15)},
		{"odd LIST without padding", wavOf("RIFF", fmtChunk(16, 1, 1, rate, 16), chunk("LIST", 5, []byte("INFOx"))[:13], data16), "pcm-s16", 16, "", 0, 1. / (1 << 15)},
		{"data before fmt", wavOf("RIFF", data16, fmtChunk(16, 1, 1, rate, 16)), "pcm-s16", 16, "", 0, 1. / (1 << 15)},
		{"a LIST behind data", wavOf("RIFF", fmtChunk(16, 1, 1, rate, 16), data16, chunk("LIST", 4, []byte("INFO"))), "pcm-s16", 16, "", 0, 1. / (1 << 15)},
		{"data of size 0 up to the end", wavOf("RIFF", fmtChunk(16, 1, 1, rate, 16), chunk("data", 0, bits16())), "pcm-s16", 16, "", 0, 1. / (1 << 15)},
		{"data of size 0xFFFFFFFF", wavOf("RIFF", fmtChunk(16, 1, 1, rate, 16), chunk("data", -1, bits16())), "pcm-s16", 16, "", 0, 1. / (1 << 15)},
		{"data longer than the file", wavOf("RIFF", fmtChunk(16, 1, 1, rate, 16), chunk("data", 2*n+5000, bits16())), "pcm-s16", 16, "", 0, 1. / (1 << 15)},
		{"cut within a frame", wavOf("RIFF", fmtChunk(16, 1, 1, rate, 16), data16[:8+2*600+1]), "pcm-s16", 16, "", 600, 1. / (1 << 15)},
		{"RF64", wavOf("RF64", ds64(2*n), fmtChunk(16, 1, 1, rate, 16), chunk("data", -1, bits16()), chunk("LIST", 4, []byte("INFO"))), "pcm-s16", 16, "rf64", 0, 1. / (1 << 15)},
		{"RF64 cut", wavOf("RF64", ds64(1<<40), fmtChunk(16, 1, 1, rate, 16), chunk("data", -1, bits16()[:1000])), "pcm-s16", 16, "rf64", 500, 1. / (1 << 15)},
		{"RF64 of unknown size", wavOf("RF64", ds64(0), fmtChunk(16, 1, 1, rate, 16), chunk("data", -1, bits16())), "pcm-s16", 16, "rf64", 0, 1. / (1 << 15)},
		{"BW64", wavOf("BW64", ds64(2*n), fmtChunk(16, 1, 1, rate, 16), chunk("data", -1, bits16())), "pcm-s16", 16, "bw64", 0, 1. / (1 << 15)},
		{"a block size of 0", wavOf("RIFF", zeroAt(fmtChunk(16, 1, 1, rate, 16), 20, 2), data16), "pcm-s16", 16, "", 0, 1. / (1 << 15)},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := Open(test.data, nil)
			if err != nil {
				t.Fatal(err)
			}
			frames := n
			if test.frames != 0 {
				frames = test.frames
			}
			container := "wav"
			if test.container != "" {
				container = test.container
			}
			info := s.Info()
			if info.Container != container || info.Codec != test.codec || info.Depth != test.depth || info.Rate != rate || info.Channels != 1 || info.Frames != int64(frames) || info.Seconds != float64(frames)/rate {
				t.Errorf("got %+v, want %s, %s of %d bits and %d frames", info, container, test.codec, test.depth, frames)
			}
			c, err := s.Clip(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if c.Frames() != int64(frames) {
				t.Fatalf("got %d frames, want %d", c.Frames(), frames)
			}
			for i, v := range c.Planes()[0] {
				if math.Abs(float64(v)-x[i]) > test.step {
					t.Fatalf("frame %d: got %v, want %v", i, v, x[i])
				}
			}
			if peak, _ := c.Peak(context.Background()); peak != 1 {
				t.Errorf("got a peak of %v, want 1", peak)
			}
		})
	}
}

// zeroAt is b with n zeros somewhere.
func zeroAt(b []byte, at, n int) []byte {
	clear(b[at : at+n])
	return b
}

func TestWAVChannelsAreTakenApart(t *testing.T) {
	for width, kind := range map[int]string{1: "u8", 2: "s16", 3: "s24", 4: "s32"} {
		x := []float64{0.5, -0.5, 0.25, 0.75, -1, 0}
		c := decoded(t, wavOf("RIFF", fmtChunk(16, 1, 3, 44100, 8*width), chunk("data", 6*width, stored(x, kind, le))))
		want := [][]float32{{0.5, 0.75}, {-0.5, -1}, {0.25, 0}}
		if got := c.Planes(); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, want %v", kind, got, want)
		}
	}
}

// The values are those of ITU-T G.711 tables 1a to 2b, as numbers of 16 bits.
func TestWAVLogarithmicCodes(t *testing.T) {
	for _, test := range []struct {
		name string
		tag  uint16
		in   byte
		want float32
	}{
		{"A-law, the largest", tagALaw, 0xAA, 32256},
		{"A-law, the smallest", tagALaw, 0x2A, -32256},
		{"A-law, just over 0", tagALaw, 0xD5, 8},
		{"A-law, just under 0", tagALaw, 0x55, -8},
		{"A-law, segment 1", tagALaw, 0xC5, 264},
		{"µ-law, the largest", tagMuLaw, 0x80, 32124},
		{"µ-law, the smallest", tagMuLaw, 0x00, -32124},
		{"µ-law, 0", tagMuLaw, 0xFF, 0},
		{"µ-law, segment 1", tagMuLaw, 0xEF, 132},
	} {
		c := decoded(t, wavOf("RIFF", fmtChunk(18, test.tag, 1, 8000, 8), chunk("data", 2, []byte{test.in, test.in})))
		if got := c.Planes()[0][1] * (1 << 15); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

func TestWAVFloatsAreTamed(t *testing.T) {
	x := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 3, 1e300}
	want := []float32{0, MaxSample, -MaxSample, 3, MaxSample}
	for kind, bits := range map[string]int{"f32": 32, "f64": 64} {
		c := decoded(t, wavOf("RIFF", fmtChunk(16, 3, 1, 8000, bits), chunk("data", 5*bits/8, stored(x, kind, le))))
		if got := c.Planes()[0]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, want %v", kind, got, want)
		}
	}
}

func TestWAVErrorsSayWhatIsWrong(t *testing.T) {
	data := chunk("data", 4, make([]byte, 4))
	many := bytes.Repeat(chunk("JUNK", 0, nil), maxChunks+1)
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{"no fmt", wavOf("RIFF", data), "could not decode the audio (wav): the file has no fmt chunk"},
		{"no data", wavOf("RIFF", fmtChunk(16, 1, 1, 8000, 16)), "could not decode the audio (wav): the file has no data chunk"},
		{"a short fmt", wavOf("RIFF", chunk("fmt ", 12, make([]byte, 12)), data), "the fmt chunk is of 12 bytes, and must be of at least 16"},
		{"a short extensible fmt", wavOf("RIFF", fmtChunk(18, tagExtensible, 1, 8000, 16), data), "the fmt chunk is of 18 bytes, and must be of 40 for its codec"},
		{"ADPCM", wavOf("RIFF", fmtChunk(18, 0x11, 1, 8000, 4), data), "IMA ADPCM in WAV is not supported"},
		{"MP3", wavOf("RIFF", fmtChunk(18, 0x55, 1, 8000, 16), data), "MP3 in WAV is not supported"},
		{"an unknown codec", wavOf("RIFF", fmtChunk(18, 0x1234, 1, 8000, 16), data), "the codec 0x1234 in WAV is not supported"},
		{"integers of 40 bits", wavOf("RIFF", fmtChunk(16, 1, 1, 8000, 40), data), "samples of 5 bytes are not supported for the codec 0x0001 in WAV"},
		{"floats of 16 bits", wavOf("RIFF", fmtChunk(16, 3, 1, 8000, 16), data), "samples of 2 bytes are not supported for the codec 0x0003 in WAV"},
		{"samples of 0 bits", wavOf("RIFF", fmtChunk(16, 1, 1, 8000, 0), data), "samples of 0 bytes are not supported for the codec 0x0001 in WAV"},
		{"no channels", wavOf("RIFF", fmtChunk(16, 1, 0, 8000, 16), data), "the number of channels is 0, under the limit of 1 (AudioChannels)"},
		{"9 channels", wavOf("RIFF", fmtChunk(16, 1, 9, 8000, 16), data), "the number of channels is 9, over the limit of 8 (AudioChannels)"},
		{"a rate of 0", wavOf("RIFF", fmtChunk(16, 1, 1, 0, 16), data), "the sampling rate in Hz is 0, under the limit of 1 (AudioRate)"},
		{"a rate of 1 MHz", wavOf("RIFF", fmtChunk(16, 1, 1, 1_000_000, 16), data), "the sampling rate in Hz is 1000000, over the limit of 768000 (AudioRate)"},
		{"a day at 1 Hz, and a second", wavOf("RIFF", fmtChunk(16, 1, 1, 1, 8), chunk("data", MaxSeconds+1, make([]byte, MaxSeconds+1))), "the duration in seconds is 86401, over the limit of 86400 (AudioDuration)"},
		{"chunks without end", wavOf("RIFF", many, fmtChunk(16, 1, 1, 8000, 16), data), "the file has more than 100000 chunks"},
		{"empty data chunks almost without end", wavOf("RIFF", bytes.Repeat(chunk("data", 0, nil), maxChunks-1)), "the file has no fmt chunk"},
		{"the head alone", []byte("RIFF\x00\x00\x00\x00WAVE"), "the file has no fmt chunk"},
		{"another RIFF", []byte("RIFF\x00\x00\x00\x00AVI LIST"), "could not decode the audio (unknown): it is none of the formats that can be read: aiff, wav"},
	} {
		_, err := Open(test.data, nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.name, err, test.want)
		}
	}
}

func TestWAVWithoutFrames(t *testing.T) {
	c := decoded(t, wavOf("RIFF", fmtChunk(16, 1, 2, 8000, 16), chunk("data", 0, nil)))
	if c.Frames() != 0 || c.Channels() != 2 || c.Seconds() != 0 {
		t.Errorf("got %d frames of %d channels", c.Frames(), c.Channels())
	}
	ctx := context.Background()
	for name, f := range map[string]func() (*Clip, error){
		"reverse":   func() (*Clip, error) { return c.Reverse() },
		"fade":      func() (*Clip, error) { return c.FadeIn(ctx, 1, 0) },
		"repeat":    func() (*Clip, error) { return c.Repeat(ctx, 3) },
		"normalize": func() (*Clip, error) { return c.Normalize(ctx, 0) },
		"resample":  func() (*Clip, error) { return c.Resample(ctx, 44100, 0) },
		"mix":       func() (*Clip, error) { return Mix(ctx, MixOptions{Limit: true}, Input{Clip: c}) },
		"loudness":  func() (*Clip, error) { return c.NormalizeLoudness(ctx, -16, -1) },
	} {
		if n, err := f(); err != nil || n.Frames() != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if out, err := Encode(ctx, WAV, c, EncodeOptions{}, nil); err != nil || len(out) != 44 {
		t.Errorf("got %d bytes, %v", len(out), err)
	}
	if w, err := Waveform(ctx, c, 3); err != nil || w[1][2] != (Bucket{}) {
		t.Errorf("got %v, %v", w, err)
	}
}

func TestWAVWriterMakesTheseBytes(t *testing.T) {
	mono, _ := NewClip(nil, 8000, [][]float32{{0, 0.5, -1, 1, -2}})
	surround, _ := NewClip(nil, 48000, [][]float32{{0.5}, {-0.5}, {0}})
	tail := "\x00\x00\x00\x00\x10\x00\x80\x00\x00\xAA\x00\x38\x9B\x71"
	for _, test := range []struct {
		name string
		clip *Clip
		o    EncodeOptions
		want string
	}{
		{"16 bits", mono, EncodeOptions{},
			"RIFF\x2E\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1F\x00\x00\x80\x3E\x00\x00\x02\x00\x10\x00data\x0A\x00\x00\x00" +
				"\x00\x00\x00\x40\x00\x80\xFF\x7F\x00\x80"},
		{"24 bits, with a byte of padding", mono, EncodeOptions{Depth: 24},
			"RIFF\x4C\x00\x00\x00WAVEfmt \x28\x00\x00\x00\xFE\xFF\x01\x00\x40\x1F\x00\x00\xC0\x5D\x00\x00\x03\x00\x18\x00\x16\x00\x18\x00\x04\x00\x00\x00\x01\x00" + tail + "data\x0F\x00\x00\x00" +
				"\x00\x00\x00\x00\x00\x40\x00\x00\x80\xFF\xFF\x7F\x00\x00\x80\x00"},
		{"floats, not clipped", mono, EncodeOptions{Float: true},
			"RIFF\x46\x00\x00\x00WAVEfmt \x12\x00\x00\x00\x03\x00\x01\x00\x40\x1F\x00\x00\x00\x7D\x00\x00\x04\x00\x20\x00\x00\x00fact\x04\x00\x00\x00\x05\x00\x00\x00data\x14\x00\x00\x00" +
				"\x00\x00\x00\x00\x00\x00\x00\x3F\x00\x00\x80\xBF\x00\x00\x80\x3F\x00\x00\x00\xC0"},
		{"three channels", surround, EncodeOptions{},
			"RIFF\x42\x00\x00\x00WAVEfmt \x28\x00\x00\x00\xFE\xFF\x03\x00\x80\xBB\x00\x00\x00\x65\x04\x00\x06\x00\x10\x00\x16\x00\x10\x00\x07\x00\x00\x00\x01\x00" + tail + "data\x06\x00\x00\x00" +
				"\x00\x40\x00\xC0\x00\x00"},
	} {
		test.o.NoDither = true
		out, err := Encode(context.Background(), WAV, test.clip, test.o, nil)
		if err != nil {
			t.Fatal(err)
		}
		if string(out) != test.want {
			t.Errorf("%s: got\n%q, want\n%q", test.name, out, test.want)
		}
	}
	for o, want := range map[EncodeOptions]string{
		{Depth: 12}:              "depth must be 16, 24 or 32",
		{Depth: 16, Float: true}: "depth must be 32 for floating-point samples",
	} {
		if _, err := Encode(context.Background(), WAV, mono, o, nil); err == nil || err.Error() != want {
			t.Errorf("%+v: got %v, want %s", o, err, want)
		}
	}
}

// All 65 536 values of 16 bits, and the ends and the middle of the wider ones, come back.
func TestWAVRoundTripIsExact(t *testing.T) {
	var b16, b24, b32, f32 []byte
	for i := range 1 << 16 {
		b16 = le.AppendUint16(b16, uint16(i))
		b24 = append(b24, byte(i), byte(i>>8), byte(i*7))
		b32 = append(b32, 0, byte(i), byte(i>>8), byte(i*7)) // floats have 24 bits
		f32 = le.AppendUint32(f32, math.Float32bits(float32(math.Sin(float64(i))*3)))
	}
	for _, test := range []struct {
		name string
		tag  uint16
		bits int
		data []byte
		o    EncodeOptions
	}{
		{"16 bits", 1, 16, b16, EncodeOptions{}},
		{"24 bits", 1, 24, b24, EncodeOptions{Depth: 24}},
		{"32 bits", 1, 32, b32, EncodeOptions{Depth: 32}},
		{"floats", 3, 32, f32, EncodeOptions{Float: true}},
	} {
		for _, channels := range []int{1, 2, 8} {
			in := wavOf("RIFF", fmtChunk(16, test.tag, channels, 44100, test.bits), chunk("data", len(test.data), test.data))
			s, err := Open(in, nil)
			if err != nil {
				t.Fatal(err)
			}
			streamed, err := Encode(context.Background(), WAV, s, test.o, nil)
			if err != nil {
				t.Fatal(err)
			}
			whole, err := Encode(context.Background(), WAV, decoded(t, in), test.o, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, out := range [][]byte{streamed, whole} {
				if !bytes.Equal(out[len(out)-len(test.data):], test.data) {
					t.Errorf("%s, %d channels: the samples are not those that were read", test.name, channels)
				}
			}
		}
	}
}
