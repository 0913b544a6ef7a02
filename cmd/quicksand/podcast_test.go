package main

import (
	"bytes"
	"context"
	"encoding/json"
	stdimage "image"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"quicksand/media/audio"
)

// An episode is mixed and written in three formats: two seconds an engine, and the recordings
// are made before.
func TestPodcast(t *testing.T) {
	if testing.Short() {
		t.Skip("takes several seconds")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	recordings := t.TempDir()
	make := exec.Command("go", "run", "./examples/recordings", recordings)
	make.Dir = root
	if out, err := make.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	first := map[string][]byte{}
	eachEngine(t, func(t *testing.T, engine string) {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(recordings)); err != nil {
			t.Fatal(err)
		}
		status, stdout, stderr := execute("", "run", filepath.Join(root, "examples/podcast.js"), "--engine", engine, "--json", "--workspace", dir)
		if status != 0 {
			t.Fatalf("got %d, %s%s", status, stdout, stderr)
		}
		var run struct {
			Result struct {
				Duration, Lufs, TruePeak float64
				Rate, Channels           int
				Voice                    struct{ From, To float64 }
			}
		}
		if err := json.Unmarshal([]byte(stdout), &run); err != nil {
			t.Fatal(err)
		}
		r := run.Result
		if r.Lufs != -16 || r.TruePeak > -1 || r.Rate != 44100 || r.Channels != 2 {
			t.Errorf("got %+v", r)
		}
		// The voice begins after 1.2 s, with a margin, and is followed by 5 s of music behind the
		// start at 4 s.
		if math.Abs(r.Voice.From-1.05) > 0.05 || math.Abs(r.Duration-(r.Voice.To-r.Voice.From+9)) > 0.002 {
			t.Errorf("got %+v", r)
		}
		for _, f := range []struct {
			name, codec string
			rate        int
			frames      int64
		}{
			{"episode.wav", "pcm-s24", 44100, int64(math.Round(r.Duration * 44100))},
			{"episode.flac", "flac", 44100, int64(math.Round(r.Duration * 44100))},
			{"episode.opus", "opus", 48000, int64(math.Round(r.Duration * 48000))},
		} {
			data, err := os.ReadFile(filepath.Join(dir, f.name))
			if err != nil {
				t.Fatal(err)
			}
			if first[f.name] == nil {
				first[f.name] = data
			} else if !bytes.Equal(first[f.name], data) {
				t.Errorf("%s: other bytes than on the first engine", f.name)
			}
			s, err := audio.Open(data, nil)
			if err != nil {
				t.Fatalf("%s: %v", f.name, err)
			}
			n, err := s.Frames(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			// The duration is rounded to milliseconds.
			if i := s.Info(); i.Codec != f.codec || i.Rate != f.rate || i.Channels != 2 || max(n-f.frames, f.frames-n) > 50 {
				t.Errorf("%s: %+v, %d frames, want %d", f.name, i, n, f.frames)
			}
			l, err := audio.LoudnessOf(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(l.Integrated+16) > 0.1 || l.TruePeak > -0.5 {
				t.Errorf("%s: %.2f LUFS, %.2f dBTP", f.name, l.Integrated, l.TruePeak)
			}
		}
		png, err := os.ReadFile(filepath.Join(dir, "episode.png"))
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := stdimage.Decode(bytes.NewReader(png))
		if err != nil {
			t.Fatal(err)
		}
		if m.Bounds() != stdimage.Rect(0, 0, 1200, 300) {
			t.Errorf("the picture is %v", m.Bounds())
		}
		// Paper at the edge, and something dark in the middle of each channel.
		if r, g, b, _ := m.At(2, 2).RGBA(); r>>8 != 0xFB || g>>8 != 0xFA || b>>8 != 0xF7 {
			t.Errorf("the edge is %x %x %x", r>>8, g>>8, b>>8)
		}
		for _, y := range []int{83, 217} {
			dark := 0
			for x := 200; x < 1000; x++ {
				if _, g, _, _ := m.At(x, y).RGBA(); g>>8 < 0xC0 {
					dark++
				}
			}
			if dark < 780 {
				t.Errorf("%d pixels of row %d are dark", dark, y)
			}
		}
	})
}
