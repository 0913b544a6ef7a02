package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"

	"quicksand/media/audio"
)

const (
	rate    = 44100
	minutes = 10
	// short is how long the file is whose time is taken for that of starting, in frames.
	short = 2205
)

// music is ten minutes of plucked chords, drums and hiss, made of a minute of it: sound with
// transients, tones and noise, which codecs have to work for.
func music() ([][]float32, error) {
	const n = 60 * rate
	minute := [][]float32{make([]float32, n), make([]float32, n)}
	random := rand.New(rand.NewPCG(1, 2))
	pluck := func(at int, hz, level, pan float64) {
		for i := 0; i < rate && at+i < n; i++ {
			t, v := float64(i)/rate, 0.0
			for p := 1.0; p <= 6; p++ {
				v += math.Sin(2*math.Pi*hz*p*t) * math.Exp(-t*(2+p)) / p
			}
			v *= level * min(1, t*500)
			minute[0][at+i] += float32(v * (1 - pan))
			minute[1][at+i] += float32(v * pan)
		}
	}
	scale := []float64{0, 2, 3, 5, 7, 8, 10, 12, 15}
	for beat := range 60 * 4 {
		at := beat * rate / 4
		note := scale[random.IntN(len(scale))]
		pluck(at, 220*math.Pow(2, note/12), 0.3, 0.2+0.6*random.Float64())
		if beat%2 == 0 {
			pluck(at, 55*math.Pow(2, scale[beat/8%5]/12), 0.4, 0.5)
		}
		for i := range rate / 8 {
			if at+i >= n {
				break
			}
			x := 0.15 * random.NormFloat64() * math.Exp(-float64(i)/rate*40)
			minute[0][at+i] += float32(x)
			minute[1][at+i] += float32(0.7 * x)
		}
	}
	planes := make([][]float32, 2)
	for c, p := range minute {
		for i := range p {
			p[i] = max(min(0.7*p[i]+0.001*float32(random.NormFloat64()), 1), -1)
		}
		for range minutes {
			planes[c] = append(planes[c], p...)
		}
	}
	return planes, nil
}

// files are the inputs: long and short ones by name, in dir. Those that need ffmpeg are
// missing without it.
func files(dir string, ffmpeg bool) error {
	planes, err := music()
	if err != nil {
		return err
	}
	write := func(name string, planes [][]float32, o audio.EncodeOptions) error {
		c, err := audio.NewClip(nil, rate, planes)
		if err != nil {
			return err
		}
		data, err := audio.Encode(context.Background(), audio.WAV, c, o, nil)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, name), data, 0o600)
	}
	for _, f := range []struct {
		name   string
		frames int
	}{{"long", len(planes[0])}, {"short", short}} {
		part := [][]float32{planes[0][:f.frames], planes[1][:f.frames]}
		if err := write(f.name+".wav", part, audio.EncodeOptions{}); err != nil {
			return err
		}
		if err := write(f.name+".f32.wav", part, audio.EncodeOptions{Float: true}); err != nil {
			return err
		}
		if !ffmpeg {
			continue
		}
		for to, codec := range map[string][]string{
			".mp3":  {"-c:a", "libmp3lame", "-b:a", "192k"},
			".flac": {"-c:a", "flac", "-compression_level", "5"},
			".ogg":  {"-c:a", "libvorbis", "-q:a", "5"},
			".opus": {"-c:a", "libopus", "-b:a", "128k"},
		} {
			args := append([]string{"-v", "error", "-y", "-i", filepath.Join(dir, f.name+".wav")}, codec...)
			if out, err := exec.Command("ffmpeg", append(args, filepath.Join(dir, f.name+to))...).CombinedOutput(); err != nil {
				return fmt.Errorf("ffmpeg, for %s: %w: %s", f.name+to, err, out)
			}
		}
	}
	return nil
}
