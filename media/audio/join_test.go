package audio

import (
	"fmt"
	"math"
	"testing"

	"quicksand/media/audio/dsp"
)

// The row of the cases: a mono clip at 44.1 kHz and a stereo clip at 48 kHz.
func TestConcatOfDifferentShapes(t *testing.T) {
	mono := clipAt(t, 44100, sine(44100, 44100, 440, 0.5))
	stereo := clipAt(t, 48000, sine(48000, 48000, 440, 0.25), make([]float32, 48000))
	c := must(Concat(background, mono, stereo))(t)
	if c.Rate() != 44100 || c.Channels() != 2 || math.Abs(float64(c.Frames()-88200)) > 1 {
		t.Fatalf("got %+v, want 2 channels of 88200 frames at 44100 Hz", c.Info())
	}
	same(t, "the first one, on the left", [][]float32{c.Planes()[0][:44100]}, mono.Planes())
	same(t, "the first one, on the right", [][]float32{c.Planes()[1][:44100]}, mono.Planes())
	// What was resampled is the tone, but for its ends.
	want := sine(44100, 44100, 440, 0.25)
	for i := 200; i < 43900; i++ {
		if got := c.Planes()[0][44100+i]; math.Abs(float64(got-want[i])) > 1e-5 {
			t.Fatalf("frame %d of the second one: got %v, want %v", i, got, want[i])
		}
	}
	part := must(c.Trim(0.25, 0.75))(t)
	if part.Seconds() != 0.5 {
		t.Errorf("got %v s, want 0.5", part.Seconds())
	}
}

// 0.25 s and 0.25 s at 8 kHz, and 0.1 to 0.4 s of them.
func TestConcatOfTheAcceptanceCheck(t *testing.T) {
	q := must(Silence(nil, 0.25, 8000, 1))(t)
	c := must(must(Concat(background, q, q))(t).Trim(0.1, 0.4))(t)
	if math.Abs(c.Seconds()-0.3) > 1e-9 || c.Channels() != 1 || c.Rate() != 8000 {
		t.Errorf("got %+v", c.Info())
	}
}

func TestConcatWithDifferentGains(t *testing.T) {
	a := clipOf(t, []float32{0.5})
	b := must(clipOf(t, []float32{0.25}).Gain(20))(t)
	c := must(Concat(background, a, b, a))(t)
	same(t, "joined", c.Planes(), [][]float32{{0.5, 2.5, 0.5}})
}

func TestMix(t *testing.T) {
	a, b, s := clipOf(t, []float32{0.5, 0.25, 1}), clipOf(t, []float32{0.5, -0.75}), clipOf(t, []float32{0.25}, []float32{-0.25})
	for _, test := range []struct {
		name   string
		o      MixOptions
		inputs []Input
		want   [][]float32
	}{
		{"divided by their number", MixOptions{}, []Input{{Clip: a}, {Clip: b}}, [][]float32{{0.5, -0.25, 0.5}}},
		{"one alone", MixOptions{}, []Input{{Clip: a}}, [][]float32{{0.5, 0.25, 1}}},
		{"the sum", MixOptions{Sum: true}, []Input{{Clip: a}, {Clip: b}}, [][]float32{{1, -0.5, 1}}},
		{"with a gain", MixOptions{Sum: true}, []Input{{Clip: a}, {Clip: b, Gain: 20}}, [][]float32{{5.5, -7.25, 1}}},
		{"later", MixOptions{Sum: true}, []Input{{Clip: a}, {Clip: b, At: 0.0005}}, [][]float32{{0.5, 0.25, 1, 0, 0.5, -0.75}}},
		{"mono and stereo", MixOptions{Sum: true}, []Input{{Clip: a}, {Clip: s}}, [][]float32{{0.75, 0.25, 1}, {0.25, 0.25, 1}}},
		{"the same twice", MixOptions{Sum: true}, []Input{{Clip: b}, {Clip: b}}, [][]float32{{1, -1.5}}},
	} {
		same(t, test.name, must(Mix(background, test.o, test.inputs...))(t).Planes(), test.want)
	}
	for want, inputs := range map[string][]Input{
		"at least one audio input is required":                                            {},
		"the gain of input 1 in dB is 300, over the limit of 200 (AudioGain)":             {{Clip: a}, {Clip: b, Gain: 300}},
		"a duration must be a finite number of seconds, 0 or more":                        {{Clip: a, At: -1}},
		"the duration in seconds is 86400.00038, over the limit of 86400 (AudioDuration)": {{Clip: a, At: 86400}},
	} {
		if _, err := Mix(background, MixOptions{}, inputs...); fmt.Sprint(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := Mix(background, MixOptions{}, make([]Input, MaxInputs+1)...); err == nil {
		t.Error("1001 inputs are possible")
	}
}

func TestMixWithALimiter(t *testing.T) {
	quiet := clipAt(t, 48000, sine(48000, 48000, 997, 0.3))
	same(t, "under the ceiling", must(Mix(background, MixOptions{Limit: true}, Input{Clip: quiet}))(t).Planes(), quiet.Planes())
	loud := clipAt(t, 48000, sine(48000, 48000, 997, 0.9))
	c := must(Mix(background, MixOptions{Sum: true, Limit: true}, Input{Clip: loud}, Input{Clip: loud}))(t)
	l := must(LoudnessOf(background, c))(t)
	if l.TruePeak > -0.99 || l.TruePeak < -2 {
		t.Errorf("got a true peak of %.2f dBTP, want −1", l.TruePeak)
	}
	if c.Frames() != 48000 {
		t.Errorf("got %d frames, want 48000", c.Frames())
	}
}

func TestMapChannels(t *testing.T) {
	c := must(clipOf(t, []float32{0.5, 1}, []float32{-0.5, 0}).Gain(20))(t)
	same(t, "to mono", must(c.MapChannels(background, 1))(t).Planes(), [][]float32{{0, 5}})
	mono := clipOf(t, []float32{0.5})
	same(t, "to stereo", must(mono.MapChannels(background, 2))(t).Planes(), [][]float32{{0.5}, {0.5}})
	if _, err := c.MapChannels(background, 9); fmt.Sprint(err) != "the number of channels is 9, over the limit of 8 (AudioChannels)" {
		t.Errorf("got %v", err)
	}
}

func TestSpeed(t *testing.T) {
	c := clipAt(t, 48000, sine(48000, 48000, 440, 0.5))
	fast := must(c.Speed(background, 2, dsp.High))(t)
	if fast.Frames() != 24000 || fast.Rate() != 48000 {
		t.Fatalf("got %+v", fast.Info())
	}
	want := sine(24000, 48000, 880, 0.5)
	for i := 200; i < 23800; i++ {
		if got := fast.Planes()[0][i]; math.Abs(float64(got-want[i])) > 1e-5 {
			t.Fatalf("frame %d: got %v, want %v", i, got, want[i])
		}
	}
	if slow := must(c.Speed(background, 0.75, dsp.Fast))(t); slow.Frames() != 64000 {
		t.Errorf("at 0.75: got %d frames, want 64000", slow.Frames())
	}
	for _, f := range []float64{0, 0.05, 11, math.NaN()} {
		if _, err := c.Speed(background, f, dsp.High); err == nil {
			t.Errorf("a speed of %v is possible", f)
		}
	}
}

// A source that is converted block by block is what the whole clip is converted to.
func TestConvertIsTheSameInBlocks(t *testing.T) {
	c := must(clipAt(t, 44100, noise(100_000, 1), noise(100_000, 2)).Gain(-6))(t)
	for _, test := range []struct{ rate, channels int }{{48000, 1}, {44100, 1}, {16000, 2}, {44100, 2}, {96000, 6}} {
		s := must(Convert(c, test.rate, test.channels, dsp.High))(t)
		want := must(must(c.MapChannels(background, test.channels))(t).Resample(background, test.rate, dsp.High))(t).Planes()
		got := make([][]float32, test.channels)
		if err := s.Blocks(background, func(b [][]float32) error {
			for i := range b {
				got[i] = append(got[i], b[i]...)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if n := s.Info().Frames; n != int64(len(want[0])) || len(got[0]) != len(want[0]) || s.Info().Rate != test.rate {
			t.Fatalf("%d Hz: got %d frames, and %d in the header, want %d", test.rate, len(got[0]), n, len(want[0]))
		}
		for i := range want {
			for k := range want[i] {
				if math.Abs(float64(got[i][k]-want[i][k])) > 1e-6 {
					t.Fatalf("%d Hz, channel %d, frame %d: got %v, want %v", test.rate, i, k, got[i][k], want[i][k])
				}
			}
		}
	}
	if _, err := Convert(c, 1<<20, 1, dsp.High); err == nil {
		t.Error("a rate of 1 MHz is possible")
	}
	if _, err := Convert(c, 8000, 0, dsp.High); err == nil {
		t.Error("no channels are possible")
	}
}

func TestNormalizeLoudness(t *testing.T) {
	// A tone of 997 Hz at −20 dBFS in both channels has −20 LUFS (EBU Tech 3341, case 1).
	x := sine(5*48000, 48000, 997, 0.1)
	c := clipAt(t, 48000, x, x)
	if l := must(LoudnessOf(background, c))(t); math.Abs(l.Integrated+20) > 0.1 {
		t.Fatalf("got %.2f LUFS, want −20", l.Integrated)
	}
	n := must(c.NormalizeLoudness(background, -16, -1))(t)
	if l := must(LoudnessOf(background, n))(t); math.Abs(l.Integrated+16) > 0.05 {
		t.Errorf("got %.2f LUFS, want −16", l.Integrated)
	}
	if g := n.PendingGain(); math.Abs(g-4) > 0.1 || &n.planes[0][0] != &c.planes[0][0] {
		t.Errorf("a gain would do, got one of %.2f dB", g)
	}
	for want, f := range map[string][2]float64{
		"the target must be from -70 to 0 LUFS": {1, -1},
		"the peak must be from -20 to 0 dBTP":   {-16, math.NaN()},
	} {
		if _, err := c.NormalizeLoudness(background, f[0], f[1]); fmt.Sprint(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
