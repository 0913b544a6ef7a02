package aac

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"quicksand/media"
	"quicksand/media/audio"
)

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func decode(t testing.TB, data []byte) (*audio.Sound, *audio.Clip) {
	t.Helper()
	s, err := audio.Open(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Clip(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

// Files of ffmpeg are decoded to the samples to which its fixed-point decoder decodes them,
// but for the last bit, without the delay and the padding of the encoder (testdata/make.sh).
func TestFilesOfFFmpeg(t *testing.T) {
	for line := range strings.Lines(string(read(t, "golden.txt"))) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		t.Run(name, func(t *testing.T) {
			s, c := decode(t, read(t, name))
			if got := fmt.Sprint(c.Rate(), c.Channels(), c.Frames()); got != rest {
				t.Fatalf("got %s, want %s", got, rest)
			}
			raw := read(t, name+".raw")
			for i := range c.Planes()[0] {
				for k, p := range c.Planes() {
					want := int16(binary.LittleEndian.Uint16(raw[2*(i*c.Channels()+k):]))
					if got := p[i] * (1 << 15); math.Abs(float64(got)-float64(want)) > 1 {
						t.Fatalf("channel %d, frame %d: got %v, want %v", k, i, got, want)
					}
				}
			}
			if i := s.Info(); i.Frames != c.Frames() || i.Codec != "aac" || i.BitRate < 20_000 || i.BitRate > 200_000 {
				t.Errorf("got %+v, and %d frames", i, c.Frames())
			}
		})
	}
}

func TestErrorsSayWhatIsWrong(t *testing.T) {
	// change replaces the first occurrence of something in a file.
	change := func(name, from, to string) []byte {
		data := read(t, name)
		if !bytes.Contains(data, []byte(from)) {
			t.Fatalf("%s has no %q", name, from)
		}
		return bytes.Replace(data, []byte(from), []byte(to), 1)
	}
	first := func(at int, b byte) []byte {
		data := read(t, "stereo.aac")
		data[at] = b
		return data
	}
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{"fragments", read(t, "fragmented.m4a"), "fragmented MP4 is not supported"},
		{"ALAC", read(t, "alac.m4a"), `the codec "alac" in MP4 is not supported`},
		{"no moov", change("stereo.m4a", "moov", "free"), "the MP4 file has no moov box"},
		{"no sound", change("stereo.m4a", "soun", "vide"), "no audio track found"},
		{"encrypted", change("stereo.m4a", "mp4a", "enca"), "encrypted MP4 is not supported"},
		{"no description", change("stereo.m4a", "stsd", "free"), "the track has no description"},
		{"no esds", change("stereo.m4a", "esds", "free"), "the description of the track is damaged"},
		{"no sizes", change("stereo.m4a", "stsz", "free"), "the track has no sizes of access units"},
		{"HE-AAC in MP4", change("stereo.m4a", "\x12\x10\x56\xE5\x00", "\x2A\x10\x56\xE5\x00"), "HE-AAC is not supported, only AAC-LC is"},
		{"six channels in MP4", change("stereo.m4a", "\x12\x10\x56\xE5\x00", "\x12\x30\x56\xE5\x00"), "AAC with the channel configuration 6 is not supported, only with one or two channels"},
		{"units of 960 frames", change("stereo.m4a", "\x12\x10\x56\xE5\x00", "\x12\x14\x56\xE5\x00"), "AAC with access units of 960 frames is not supported"},
		{"AAC Main in ADTS", first(2, 0x10), "AAC Main is not supported, only AAC-LC is"},
		{"channels that are told elsewhere", first(3, 0x00), "AAC with the channel configuration 0 is not supported, only with one or two channels"},
		{"two units in a frame", first(6, 0xFD), "ADTS with more than one access unit in a frame is not supported"},
	} {
		_, err := audio.Open(test.data, nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.name, err, test.want)
		}
	}
}

// Without an edit list the delay is there, unless the comment of iTunes tells of it.
func TestGapless(t *testing.T) {
	atom := func(kind string, body ...[]byte) []byte {
		b := bytes.Join(body, nil)
		return append(append(be.AppendUint32(nil, uint32(8+len(b))), kind...), b...)
	}
	comment := func(text string) []byte {
		return atom("udta", atom("meta", make([]byte, 4), atom("ilst", atom("----",
			atom("mean", []byte("\x00\x00\x00\x00com.apple.iTunes")),
			atom("name", []byte("\x00\x00\x00\x00iTunSMPB")),
			atom("data", []byte("\x00\x00\x00\x01\x00\x00\x00\x00"+text))))))
	}
	numbers := func(n ...uint32) []byte {
		var b []byte
		for _, v := range n {
			b = be.AppendUint32(b, v)
		}
		return b
	}
	stts := atom("stts", numbers(0, 2, 4, 1024, 1, 500))
	mdia := atom("mdia", atom("mdhd", numbers(0, 0, 0, 44100, 0)))
	mvhd := atom("mvhd", numbers(0, 0, 0, 1000, 0))
	elst := func(n ...uint32) []byte { return atom("edts", atom("elst", numbers(append([]uint32{0}, n...)...))) }
	for _, test := range []struct {
		name             string
		moov, trak, stbl []byte
		skip, frames     int64
	}{
		{"nothing said", nil, nil, nil, 0, 5120},
		{"durations", mvhd, mdia, stts, 0, 4596},
		{"an edit", mvhd, append(elst(1, 81, 1024, 1<<16), mdia...), stts, 1024, 3572},
		{"an edit behind an empty one", mvhd, append(elst(2, 50, 1<<32-1, 1<<16, 81, 1024, 1<<16), mdia...), stts, 1024, 3572},
		{"an edit that cuts", mvhd, append(elst(1, 50, 1024, 1<<16), mdia...), stts, 1024, 2205},
		{"an edit of version 1", mvhd, append(atom("edts", atom("elst", numbers(1<<24, 1, 0, 81, 0, 1024, 1<<16))), mdia...), stts, 1024, 3572},
		{"an edit behind the end", mvhd, append(elst(1, 81, 1<<30, 1<<16), mdia...), stts, 4596, 0},
		{"iTunes", append(comment(" 00000000 00000840 0000001C 0000000000000BA4 00000000"), mvhd...), append(elst(1, 81, 1024, 1<<16), mdia...), stts, 2112, 2980},
		{"iTunes with more than there is", append(comment(" 00000000 00000840 0000001C 0000000000FFFFFF"), mvhd...), mdia, stts, 0, 4596},
		{"iTunes with nonsense", comment("no words"), nil, nil, 0, 5120},
	} {
		if skip, frames := gapless(test.moov, test.trak, test.stbl, 44100, 5*frameSize); skip != test.skip || frames != test.frames {
			t.Errorf("%s: got %d and %d, want %d and %d", test.name, skip, frames, test.skip, test.frames)
		}
	}
}

// A file that ends early gives what it has.
func TestFilesThatAreCut(t *testing.T) {
	_, whole := decode(t, read(t, "faststart.m4a"))
	data := read(t, "faststart.m4a")
	_, c := decode(t, data[:len(data)-700])
	if n := c.Frames(); n < 2000 || n >= whole.Frames() {
		t.Fatalf("got %d of %d frames", n, whole.Frames())
	}
	for i, x := range c.Planes()[1] {
		if x != whole.Planes()[1][i] {
			t.Fatalf("frame %d: got %v, want %v", i, x, whole.Planes()[1][i])
		}
	}
}

// hostile decodes what may be damaged.
func hostile(t testing.TB, data []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	b := media.NewBudget(8 << 20)
	s, err := audio.Open(data, b)
	var c *audio.Clip
	if err == nil {
		if c, err = s.Clip(ctx); err == nil {
			c.Release()
			s.Release()
		}
	}
	var (
		d    *audio.DecodeError
		p    *audio.PanicError
		full *media.BudgetError
	)
	switch {
	case errors.As(err, &p):
		t.Fatalf("%v\n%s", p, p.Stack)
	case errors.Is(err, context.DeadlineExceeded):
		t.Fatal("it takes too long")
	case err != nil && len(data) > 0 && !errors.As(err, &d) && !errors.As(err, &full):
		t.Fatalf("got an error of type %T: %v", err, err)
	case b.Used() != 0:
		t.Fatalf("%d bytes are left", b.Used())
	}
}

var seeds = []string{"stereo.m4a", "mono.m4a", "faststart.m4a", "quicktime.mov", "fragmented.m4a", "stereo.aac", "mono.aac"}

func TestDamagedFiles(t *testing.T) {
	n := 200
	if testing.Short() {
		n = 20
	}
	for _, name := range seeds {
		r := rand.New(rand.NewPCG(1, 2))
		for range n {
			data := read(t, name)
			for range 1 + r.IntN(4) {
				at := r.IntN(len(data))
				switch r.IntN(5) {
				case 0:
					data[at] ^= 1 << r.IntN(8)
				case 1:
					data[at] = byte(r.Uint32())
				case 2:
					copy(data[at:], "\xFF\xFF\xFF\xFF")
				case 3:
					copy(data[at:], "\x00\x00\x00\x00")
				case 4:
					data = append(data[:at], data[min(at+r.IntN(8), len(data)-1):]...)
				}
			}
			hostile(t, data)
		}
	}
}

func FuzzAAC(f *testing.F) {
	for _, name := range seeds {
		f.Add(read(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) { hostile(t, data) })
}
