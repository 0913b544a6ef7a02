package ogg

import (
	"bytes"
	"math"
	"testing"

	"github.com/jfreymuth/oggvorbis"

	"quicksand/media/audio"
	"quicksand/media/audio/internal/codectest"
)

func TestGolden(t *testing.T) { codectest.Golden(t, "ogg", 14) }

// Another decoder of Vorbis gives the same samples, all of them, in the order of the file. It
// does not read the file of six channels.
func TestVorbisOracle(t *testing.T) {
	for _, name := range []string{"vorbis-44100.ogg", "vorbis-8000-mono.ogg", "vorbis-22050-low.ogg", "vorbis-48000-high.ogg"} {
		data := codectest.File(t, name)
		got, info := codectest.Decode(t, data)
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
	codectest.SmallBlocks(t, "vorbis-44100.ogg", vorbisOpen)
	codectest.SmallBlocks(t, "music.opus", opusOpen)
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
		s, err := audio.Open(codectest.File(t, test.name), nil)
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
	codectest.BenchmarkDecode(b, "vorbis-44100.ogg")
	codectest.BenchmarkDecode(b, "music.opus")
}
