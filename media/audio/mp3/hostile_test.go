package mp3

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"quicksand/media/audio"
	"quicksand/media/audio/internal/codectest"
)

// damage changes bits behind the headers of frames, so that the frames are still found.
func damage(r *rand.Rand, data []byte) []byte {
	b := bytes.Clone(data)
	f, err := openFile(b)
	if err != nil {
		return b
	}
	for {
		h, frame, ok := f.walk.next()
		if !ok {
			return b
		}
		for range r.IntN(4) {
			frame[4+r.IntN(h.sideSize())] ^= 1 << r.IntN(8)
		}
		if len(frame) > 40 && r.IntN(4) == 0 {
			frame[40+r.IntN(len(frame)-40)] ^= 1 << r.IntN(8)
		}
	}
}

// survive decodes a file of which nothing is known, which has the frames that its header says.
func survive(t *testing.T, data []byte) {
	t.Helper()
	codectest.Survive(t, data, func(i audio.Info, frames int64) bool { return i.Format != audio.MP3 || frames == i.Frames })
}

func TestMutated(t *testing.T) {
	if testing.Short() {
		t.Skip("2000 files are decoded")
	}
	names := codectest.Names(t, "*.mp3")
	for i := range 1000 {
		r := rand.New(rand.NewPCG(uint64(i), 2))
		data := codectest.File(t, names[i%len(names)])
		survive(t, codectest.Mutate(r, data, len(data)))
		survive(t, damage(r, data))
	}
}

// A file that is cut off anywhere has the frames that begin before, and those that are whole
// sound the same.
func TestCutOff(t *testing.T) {
	data := codectest.File(t, "low-24000.mp3")
	whole, _ := codectest.Decode(t, data)
	// As many as ffmpeg gives.
	for size, want := range map[int]int{1000: 1199, 3333: 4655, 7777: 15599, len(data) - 1: 21935} {
		got, _ := codectest.Decode(t, data[:size])
		if len(got[0]) != want {
			t.Errorf("%d bytes give %d frames, want %d", size, len(got[0]), want)
		}
		for c := range got {
			for i, v := range got[c][:max(len(got[c])-2*576, 0)] {
				if v != whole[c][i] {
					t.Fatalf("%d bytes: frame %d is %g, want %g", size, i, v, whole[c][i])
				}
			}
		}
	}
}

func TestTags(t *testing.T) {
	sound := codectest.File(t, "noinfo.mp3")
	sound = audio.TrimID3(sound)
	want, _ := codectest.Decode(t, sound)
	for _, test := range []struct {
		name   string
		before string
		after  string
	}{
		{"an ID3v1 tag is no sound", "", "TAG" + string(make([]byte, 125))},
		{"an APE tag behind is no sound", "", "APETAGEX\\xD0\\x07\\x00\\x00\\x20\\x00\\x00\\x00" + string(make([]byte, 16))},
		{"an ID3v2 tag in front is no sound", "ID3\x03\x00\x00\x00\x00\x01\x00" + string(make([]byte, 128)), ""},
		{"bytes in front that are no frame are no sound", "\xFF\xFBnothing to hear", ""},
		{"zeros behind are no sound", "", string(make([]byte, 1000))},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, _ := codectest.Decode(t, []byte(test.before+string(sound)+test.after))
			if len(got[0]) != len(want[0]) {
				t.Fatalf("%d frames, want %d", len(got[0]), len(want[0]))
			}
			for i, v := range got[0] {
				if v != want[0][i] {
					t.Fatalf("frame %d is %g, want %g", i, v, want[0][i])
				}
			}
		})
	}
	// Both say that they are larger than the file.
	for _, data := range []string{
		"ID3\x04\x00\x00\x7F\x7F\x7F\x7F" + string(sound),
		string(sound) + "APETAGEX" + "\xD0\x07\x00\x00\xFF\xFF\xFF\xFF" + string(make([]byte, 16)),
	} {
		if _, err := config([]byte(data)); err == nil || err.Error() != "there is no frame of MPEG audio in it" {
			t.Errorf("got %v", err)
		}
	}
}

func FuzzMP3(f *testing.F) {
	names := codectest.Names(f, "*.mp3")
	for _, name := range names {
		f.Add(codectest.File(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) { survive(t, data) })
}
