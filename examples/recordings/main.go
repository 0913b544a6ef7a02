// Command recordings writes what podcast.js puts together, always the same bytes: a jingle, a
// voice and a loop of music, in three formats and at two rates. All of it is computed.
//
//	go run ./examples/recordings /tmp/podcast
package main

import (
	"context"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"quicksand/media/audio"
	_ "quicksand/media/audio/flac"
	_ "quicksand/media/audio/ogg"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: recordings DIR")
	}
	if err := os.MkdirAll(os.Args[1], 0o777); err != nil {
		log.Fatal(err)
	}
	for _, r := range []struct {
		name    string
		rate    int
		planes  [][]float32
		format  audio.Format
		options audio.EncodeOptions
	}{
		{"intro.wav", 44100, jingle(44100, 8), audio.WAV, audio.EncodeOptions{}},
		{"voice.flac", 48000, [][]float32{voice(48000, 34)}, audio.FLAC, audio.EncodeOptions{Depth: 24}},
		{"music.opus", 48000, loop(48000, 8), audio.Opus, audio.EncodeOptions{BitRate: 128_000}},
	} {
		c, err := audio.NewClip(nil, r.rate, r.planes)
		if err != nil {
			log.Fatal(err)
		}
		data, err := audio.Encode(context.Background(), r.format, c, r.options, nil)
		if err == nil {
			err = os.WriteFile(filepath.Join(os.Args[1], r.name), data, 0o666)
		}
		if err != nil {
			log.Fatalf("%s: %v", r.name, err)
		}
	}
}

// pitch is the frequency of a note, counted in semitones from A4.
func pitch(semitone float64) float64 { return 440 * math.Pow(2, semitone/12) }

// pluck adds a note like that of a string: partials that die away, the high ones sooner.
func pluck(planes [][]float32, rate int, at, seconds, hz, level, pan float64) {
	first := int(at * float64(rate))
	for i := range int(seconds * float64(rate)) {
		if first+i >= len(planes[0]) {
			return
		}
		t := float64(i) / float64(rate)
		v := 0.0
		for p := 1.0; p <= 5; p++ {
			v += math.Sin(2*math.Pi*hz*p*t) * math.Exp(-t*(1.5+1.2*p)) / p
		}
		v *= level * math.Min(1, t*400) * math.Min(1, (seconds-t)*50)
		planes[0][first+i] += float32(v * math.Cos(pan*math.Pi/2))
		planes[1][first+i] += float32(v * math.Sin(pan*math.Pi/2))
	}
}

func stereo(rate int, seconds float64) [][]float32 {
	n := int(float64(rate) * seconds)
	return [][]float32{make([]float32, n), make([]float32, n)}
}

// jingle is an arpeggio that rises from left to right.
func jingle(rate int, seconds float64) [][]float32 {
	planes := stereo(rate, seconds)
	notes := []float64{-9, -5, -2, 3, 7, 10, 15, 10}
	for i := range int(seconds * 5) {
		pluck(planes, rate, float64(i)/5, 1.6, pitch(notes[i%len(notes)]), 0.35, float64(i%len(notes))/8+0.06)
	}
	return planes
}

// loop is a calm progression of four chords.
func loop(rate int, seconds float64) [][]float32 {
	planes := stereo(rate, seconds)
	chords := [][]float64{{-21, -9, -5, -2}, {-24, -12, -9, -4}, {-17, -5, -2, 3}, {-19, -7, -4, 0}}
	bar := seconds / float64(len(chords))
	for b, chord := range chords {
		for i := range 8 {
			at := float64(b)*bar + float64(i)*bar/8
			// Nothing sounds over the end, so that the loop has no click.
			pluck(planes, rate, at, math.Min(1.8, seconds-at), pitch(chord[i*3%len(chord)]), 0.3, 0.3+0.4*float64(i%2))
		}
	}
	return planes
}

// voice is somebody who says vowels, in sentences, with a breath before and after, in a room
// that is not quite silent.
func voice(rate int, seconds float64) []float32 {
	out := make([]float32, int(float64(rate)*seconds))
	random := rand.New(rand.NewPCG(7, 7))
	// Formants of vowels in Hz.
	vowels := [][3]float64{{730, 1090, 2440}, {530, 1840, 2480}, {270, 2290, 3010}, {570, 840, 2410}, {300, 870, 2240}}
	phase := 0.0
	for at := 1.2; at < seconds-3; {
		words := 7 + random.IntN(6)
		for w := range words {
			length := 0.12 + 0.16*random.Float64()
			vowel := vowels[random.IntN(len(vowels))]
			tone := 118 - 22*float64(w)/float64(words) + 14*random.Float64()
			resonators := make([]resonator, 3)
			for k := range resonators {
				resonators[k] = newResonator(rate, vowel[k], 70+30*float64(k))
			}
			first := int(at * float64(rate))
			for i := range int(length * float64(rate)) {
				t := float64(i) / float64(rate)
				phase += tone / float64(rate)
				source := 0.0
				if phase >= 1 {
					phase -= 1
					source = 1
				}
				source += random.NormFloat64() * 0.01
				v := 0.0
				for k := range resonators {
					v += resonators[k].next(source) / float64(k+1)
				}
				v *= math.Min(1, t*60) * math.Min(1, (length-t)*40)
				if first+i < len(out) {
					out[first+i] += float32(v)
				}
			}
			at += length + 0.03 + 0.05*random.Float64()
		}
		at += 0.5 + 0.5*random.Float64()
	}
	peak := float32(0)
	for _, x := range out {
		peak = max(peak, x, -x)
	}
	for i := range out {
		out[i] = out[i]*0.35/peak + float32(random.NormFloat64()*0.0002)
	}
	return out
}

// A resonator is a filter of two poles.
type resonator struct{ a, b, c, y1, y2 float64 }

func newResonator(rate int, hz, width float64) resonator {
	r := math.Exp(-math.Pi * width / float64(rate))
	w := 2 * math.Pi * hz / float64(rate)
	return resonator{a: 1 - r, b: 2 * r * math.Cos(w), c: -r * r}
}

func (r *resonator) next(x float64) float64 {
	y := r.a*x + r.b*r.y1 + r.c*r.y2
	r.y1, r.y2 = y, r.y1
	return y
}
