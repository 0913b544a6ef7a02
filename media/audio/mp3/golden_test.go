package mp3

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gomp3 "github.com/hajimehoshi/go-mp3"

	"quicksand/media/audio"
)

// A reference is what ffmpeg decodes a file to; see ../oracle/lossy.sh.
type reference struct {
	frames, channels, stride int
	samples                  []float32 // of every stride-th frame
}

func readReference(t *testing.T, name string) reference {
	t.Helper()
	b := readFile(t, name)
	r := reference{int(binary.LittleEndian.Uint32(b)), int(b[4]), int(b[5]), nil}
	for b = b[6:]; len(b) >= 4; b = b[4:] {
		r.samples = append(r.samples, math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return r
}

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// decode decodes a file and checks that it is as long as its header said.
func decode(t testing.TB, data []byte) ([][]float32, audio.Info) {
	t.Helper()
	s, err := audio.Open(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Clip(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	planes := c.Planes()
	if got := int64(len(planes[0])); got != s.Info().Frames {
		t.Errorf("%d frames were decoded, and the header said %d", got, s.Info().Frames)
	}
	return planes, s.Info()
}

// limit is how far from ffmpeg a decoder may be: −90 dB under full scale, as effective value.
const limit = -90

func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/*.ref")
	if err != nil || len(names) < 12 {
		t.Fatalf("%d references (%v), want 12", len(names), err)
	}
	for _, name := range names {
		name = filepath.Base(name)
		t.Run(name, func(t *testing.T) {
			want := readReference(t, name)
			got, info := decode(t, readFile(t, name[:len(name)-len(".ref")]))
			if len(got) != want.channels || len(got[0]) != want.frames {
				t.Fatalf("%d channels of %d frames, want %d of %d", len(got), len(got[0]), want.channels, want.frames)
			}
			if info.Channels != want.channels || info.Container != "mp3" {
				t.Errorf("info is %+v", info)
			}
			sum := 0.0
			for i, w := range want.samples {
				frame, c := i/want.channels*want.stride, i%want.channels
				d := float64(w - got[c][frame])
				sum += d * d
			}
			if dB := 10 * math.Log10(sum/float64(len(want.samples))+1e-30); dB > limit {
				t.Errorf("%.1f dB from ffmpeg, want %d", dB, limit)
			}
		})
	}
}

// go-mp3 gives the same sound in 16 bits, with delay and padding. It does not know version
// 2.5, rounds towards 0, and is off by up to −56 dB where ffmpeg agrees with this decoder to
// −130 dB, so that it tells mistakes in kind and not in precision.
func TestOracle(t *testing.T) {
	for _, name := range []string{"joint-44100.mp3", "vbr-48000.mp3", "stereo-32000.mp3", "low-22050-mono.mp3", "low-16000.mp3", "noinfo.mp3"} {
		data := readFile(t, name)
		f, err := openFile(data)
		if err != nil {
			t.Fatal(err)
		}
		d, err := gomp3.NewDecoder(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(d)
		if err != nil {
			t.Fatal(err)
		}
		if d.SampleRate() != f.head.rate {
			t.Errorf("%s: the rate is %d, want %d", name, f.head.rate, d.SampleRate())
		}
		// It takes the Info frame for sound.
		raw = raw[max(len(raw)-4*int(f.count())*f.head.frames(), 0):]
		own := newDecoder(f.channels)
		at, sum, n := 0, 0.0, 0
		for {
			h, frame, ok := f.walk.next()
			if !ok {
				break
			}
			own.decode(h, frame)
			for i := range h.frames() {
				for c := range 2 {
					v := own.out[min(c, f.channels-1)][i]
					w := float64(int16(binary.LittleEndian.Uint16(raw[at:]))) / 32767
					at += 2
					if n++; math.Abs(w) < 0.999 {
						sum += (float64(v) - w) * (float64(v) - w)
					}
				}
			}
		}
		if at != len(raw) {
			t.Errorf("%s: %d bytes, want %d", name, at, len(raw))
		}
		if dB := 10 * math.Log10(sum/float64(n)); dB > -55 {
			t.Errorf("%s: %.1f dB from go-mp3, want -55", name, dB)
		}
	}
}

// Blocks of any size give the same samples.
func TestReadInSmallBlocks(t *testing.T) {
	for _, name := range []string{"joint-44100.mp3", "lowest-8000.mp3"} {
		data := readFile(t, name)
		want, info := decode(t, data)
		r, err := open(data)
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for size := 1; ; size = size*3%997 + 1 {
			dst := make([][]float32, info.Channels)
			for c := range dst {
				dst[c] = make([]float32, size)
			}
			n, err := r.Read(dst)
			if err == io.EOF {
				break
			}
			if err != nil || n == 0 {
				t.Fatalf("%s: %d, %v", name, n, err)
			}
			for c := range dst {
				for k, v := range dst[c][:n] {
					if v != want[c][at+k] {
						t.Fatalf("%s: channel %d, frame %d is %g, want %g", name, c, at+k, v, want[c][at+k])
					}
				}
			}
			at += n
		}
		if at != len(want[0]) {
			t.Errorf("%s: %d frames, want %d", name, at, len(want[0]))
		}
	}
}

func TestHeaders(t *testing.T) {
	for _, test := range []struct {
		name           string
		rate, channels int
		low, high      int // bit rate
	}{
		{"joint-44100.mp3", 44100, 2, 127000, 129000},
		{"lowest-8000.mp3", 8000, 2, 31000, 33000},
		{"low-22050-mono.mp3", 22050, 1, 63000, 65000},
	} {
		s, err := audio.Open(readFile(t, test.name), nil)
		if err != nil {
			t.Fatal(err)
		}
		if i := s.Info(); i.Codec != "mp3" || i.Rate != test.rate || i.Channels != test.channels || i.BitRate < test.low || i.BitRate > test.high {
			t.Errorf("%s: %+v", test.name, i)
		}
	}
}

// count is how many frames of sound the file has.
func (f file) count() int64 {
	n := int64(0)
	for w := f.walk; ; n++ {
		if _, _, ok := w.next(); !ok {
			return n
		}
	}
}

func TestRefused(t *testing.T) {
	mp3 := readFile(t, "noinfo.mp3")
	for _, test := range []struct {
		name, want string
		data       []byte
	}{
		{"layer II is refused by name", "could not decode the audio (mp3): MPEG audio is supported in layer III only, and this is layer II", readFile(t, "layer2.mp3")},
		{"a frame that is cut off is none", "there is no frame of MPEG audio in it", mp3[:300]},
		{"a free bit rate is refused by name", "could not decode the audio (mp3): the free format of MPEG audio, without a bit rate, is not supported", bytes.Repeat(append([]byte{0xFF, 0xFB, 0x00, 0x44}, make([]byte, 413)...), 5)},
	} {
		_, err := config(test.data)
		if s, e := audio.Open(test.data, nil); e != nil && strings.HasPrefix(test.want, "could") {
			err = e
		} else if s != nil && strings.HasPrefix(test.want, "could") {
			err = nil
		}
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

// BenchmarkDecode is about 0.9 s of stereo sound, opened and decoded. A decoder's tables are
// made each time.
func BenchmarkDecode(b *testing.B) {
	for _, name := range []string{"joint-44100.mp3"} {
		b.Run(name, func(b *testing.B) {
			data := readFile(b, name)
			b.ReportAllocs()
			for b.Loop() {
				s, err := audio.Open(data, nil)
				if err != nil {
					b.Fatal(err)
				}
				if err := s.Blocks(context.Background(), func([][]float32) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Frames with a checksum are decoded as those without. Their bit rate is the next higher one
// here, to have room for it.
func TestChecksum(t *testing.T) {
	data := readFile(t, "noreservoir.mp3")
	want, _ := decode(t, data)
	f, err := openFile(data)
	if err != nil {
		t.Fatal(err)
	}
	var checked []byte
	for {
		_, frame, ok := f.walk.next()
		if !ok {
			break
		}
		head := [4]byte(frame)
		head[1] &^= 1
		head[2] += 0x10
		h, ok := parseHeader(head[:])
		if !ok || !h.checked {
			t.Fatalf("no header: % x", head)
		}
		size := len(checked) + h.size
		checked = append(append(checked, head[:]...), 0xAB, 0xCD)
		checked = append(checked, frame[4:]...)
		checked = append(checked, make([]byte, size-len(checked))...)
	}
	got, _ := decode(t, checked)
	if len(got[0]) != len(want[0]) {
		t.Fatalf("%d frames, want %d", len(got[0]), len(want[0]))
	}
	for i, v := range got[0] {
		if v != want[0][i] {
			t.Fatalf("frame %d is %g, want %g", i, v, want[0][i])
		}
	}
}
