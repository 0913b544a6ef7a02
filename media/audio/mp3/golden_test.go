package mp3

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"strings"
	"testing"

	gomp3 "github.com/hajimehoshi/go-mp3"

	"quicksand/media/audio"
	"quicksand/media/audio/internal/codectest"
)

func TestGolden(t *testing.T) { codectest.Golden(t, "mp3", 12) }

// go-mp3 gives the same sound in 16 bits, with delay and padding. It does not know version
// 2.5, rounds towards 0, and is off by up to −56 dB where ffmpeg agrees with this decoder to
// −130 dB, so that it tells mistakes in kind and not in precision.
func TestOracle(t *testing.T) {
	for _, name := range []string{"joint-44100.mp3", "vbr-48000.mp3", "stereo-32000.mp3", "low-22050-mono.mp3", "low-16000.mp3", "noinfo.mp3"} {
		data := codectest.File(t, name)
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
		codectest.SmallBlocks(t, name, open)
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
		s, err := audio.Open(codectest.File(t, test.name), nil)
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
	mp3 := codectest.File(t, "noinfo.mp3")
	for _, test := range []struct {
		name, want string
		data       []byte
	}{
		{"layer II is refused by name", "could not decode the audio (mp3): MPEG audio is supported in layer III only, and this is layer II", codectest.File(t, "layer2.mp3")},
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
	codectest.BenchmarkDecode(b, "joint-44100.mp3")
}

// Frames with a checksum are decoded as those without. Their bit rate is the next higher one
// here, to have room for it.
func TestChecksum(t *testing.T) {
	data := codectest.File(t, "noreservoir.mp3")
	want, _ := codectest.Decode(t, data)
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
	got, _ := codectest.Decode(t, checked)
	if len(got[0]) != len(want[0]) {
		t.Fatalf("%d frames, want %d", len(got[0]), len(want[0]))
	}
	for i, v := range got[0] {
		if v != want[0][i] {
			t.Fatalf("frame %d is %g, want %g", i, v, want[0][i])
		}
	}
}
