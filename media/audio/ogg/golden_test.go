package ogg

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/jfreymuth/oggvorbis"

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
	if err != nil || len(names) < 14 {
		t.Fatalf("%d references (%v), want 14", len(names), err)
	}
	for _, name := range names {
		name = filepath.Base(name)
		t.Run(name, func(t *testing.T) {
			want := readReference(t, name)
			got, info := decode(t, readFile(t, name[:len(name)-len(".ref")]))
			if len(got) != want.channels || len(got[0]) != want.frames {
				t.Fatalf("%d channels of %d frames, want %d of %d", len(got), len(got[0]), want.channels, want.frames)
			}
			if info.Channels != want.channels || info.Container != "ogg" {
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

// Another decoder of Vorbis gives the same samples, all of them, in the order of the file. It
// does not read the file of six channels.
func TestVorbisOracle(t *testing.T) {
	for _, name := range []string{"vorbis-44100.ogg", "vorbis-8000-mono.ogg", "vorbis-22050-low.ogg", "vorbis-48000-high.ogg"} {
		data := readFile(t, name)
		got, info := decode(t, data)
		want, format, err := oggvorbis.ReadAll(bytes.NewReader(data))
		if err != nil {
			t.Fatal(name, err)
		}
		n := info.Channels
		if format.SampleRate != info.Rate || format.Channels != n || len(want) != n*len(got[0]) {
			t.Fatalf("%s: %+v and %d frames, want %+v and %d", name, info, len(got[0]), format, len(want)/n)
		}
		for i, c := range order[n] {
			for k, v := range got[i] {
				if math.Abs(float64(v-want[k*n+c])) > 1e-5 {
					t.Fatalf("%s: channel %d, frame %d is %g, want %g", name, i, k, v, want[k*n+c])
				}
			}
		}
	}
}

// Blocks of any size give the same samples.
func TestReadInSmallBlocks(t *testing.T) {
	for _, name := range []string{"vorbis-44100.ogg", "music.opus"} {
		data := readFile(t, name)
		want, info := decode(t, data)
		open := map[string]func([]byte) (audio.Reader, error){"vorbis": vorbisOpen, "opus": opusOpen}[info.Codec]
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
		name, codec    string
		rate, channels int
	}{
		{"music.opus", "opus", 48000, 2},
		{"eight.opus", "opus", 48000, 8},
		{"vorbis-8000-mono.ogg", "vorbis", 8000, 1},
		{"vorbis-six.ogg", "vorbis", 48000, 6},
	} {
		s, err := audio.Open(readFile(t, test.name), nil)
		if err != nil {
			t.Fatal(err)
		}
		if i := s.Info(); i.Codec != test.codec || i.Container != "ogg" || i.Rate != test.rate || i.Channels != test.channels || i.BitRate < 1000 {
			t.Errorf("%s: %+v", test.name, i)
		}
	}
}

// BenchmarkDecode is about 0.9 s of stereo sound, opened and decoded. A decoder's tables are
// made each time.
func BenchmarkDecode(b *testing.B) {
	for _, name := range []string{"vorbis-44100.ogg", "music.opus"} {
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
