package dsp

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
)

// hot are sounds that are hard for a limiter, by name.
func hot(rate int) map[string][][]float32 {
	frames := rate / 2
	noise := func(seed uint64, level float32, frames int) []float32 {
		x := make([]float32, frames)
		NewDither(seed).Add(x, level)
		return x
	}
	square := make([]float32, frames)
	click := make([]float32, frames)
	steps := sine(frames, rate, 997, 1, 0)
	alternating := make([]float32, frames)
	for i := range square {
		square[i] = float32(3 * (1 - i/50%2*2))
		if i%(rate/7) == 5 {
			click[i] = 100
		}
		steps[i] *= float32(math.Pow(10, float64(i*8/frames%3)))
		alternating[i] = float32(2 - i%2*4)
		if i/1000%2 == 0 {
			alternating[i] *= 0.01
		}
	}
	quarter := sine(frames, rate, float64(rate)/4, 1.4, math.Pi/4)
	return map[string][][]float32{
		"noise at +20 dB":                     {noise(1, 10, frames), noise(2, 10, frames)},
		"a square wave":                       {square},
		"clicks":                              {click, make([]float32, frames)},
		"a tone in steps of 20 dB":            {steps},
		"half of the rate in bursts":          {alternating},
		"a tone whose peaks are between":      {quarter},
		"noise in one channel, a tone beside": {noise(3, 3, frames), sine(frames, rate, 300, 0.9, 0)},
		"what is huge":                        {{0, math.MaxFloat32, -math.MaxFloat32, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		"what is not finite":                  {{float32(math.NaN()), float32(math.Inf(1)), 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}},
		"the end of a loud tone":              {append(sine(frames, rate, 1000, 5, 0), 0, 0)},
	}
}

func TestLimiterNeverExceedsItsCeiling(t *testing.T) {
	t.Parallel()
	rates := []int{8000, 44100, 96_000, 192_000}
	if testing.Short() {
		rates = rates[:1]
	}
	for _, rate := range rates {
		for name, sound := range hot(rate) {
			for _, ceiling := range []float64{-1, -9} {
				for _, gain := range []float64{0, 12} {
					l, err := NewLimiter(rate, len(sound), LimiterOptions{Gain: gain, Ceiling: ceiling})
					if err != nil {
						t.Fatal(err)
					}
					out := pieces(l, sound, 1000, 1000)
					if length(out) != length(sound) {
						t.Errorf("%s at %d Hz: %d frames, want %d", name, rate, length(out), length(sound))
					}
					m, err := NewMeter(rate, len(sound))
					if err != nil {
						t.Fatal(err)
					}
					m.Write(out)
					if got := m.Loudness().TruePeak; !(got <= ceiling) {
						t.Errorf("%s at %d Hz with %g dB has a true peak of %.3f dBTP, want at most %g", name, rate, gain, got, ceiling)
					}
					if l.Reduction() >= 0 {
						t.Errorf("%s at %d Hz was not limited", name, rate)
					}
				}
			}
		}
	}
}

func TestLimiterPassesOnWhatIsUnderTheCeiling(t *testing.T) {
	t.Parallel()
	const rate = 48000
	quiet := sine(rate, rate, 440, 0.8, 0)
	sound := slices.Concat(quiet, quiet)
	for i := range 100 {
		sound[rate/2+i] *= 2
	}
	l, err := NewLimiter(rate, 1, LimiterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	out := pieces(l, [][]float32{sound}, 512, 300)[0]
	limited := 0
	for i, x := range out {
		before := i < rate/2-300
		after := i > rate/2+rate*5/4
		if (before || after) && x != sound[i] {
			t.Fatalf("frame %d, far from what is too loud, is %g, want %g", i, x, sound[i])
		}
		if x != sound[i] {
			limited++
		}
	}
	if limited < 100 {
		t.Errorf("%d frames were changed, want those that are too loud and some around them", limited)
	}
	if r := l.Reduction(); r > -5 || r < -6.5 {
		t.Errorf("the reduction is %.2f dB, want about -5.2", r)
	}
	l.Reset()
	if out := pieces(l, [][]float32{quiet}, 4000, 4000)[0]; out[100] != quiet[100] || l.Reduction() != 0 {
		t.Errorf("after Reset, frame 100 is %g with a reduction of %g, want %g without", out[100], l.Reduction(), quiet[100])
	}
}

func TestLimiterChangesItsGainSmoothly(t *testing.T) {
	t.Parallel()
	const rate = 48000
	sound := make([]float32, rate)
	for i := range sound {
		sound[i] = 0.5
	}
	sound[rate/2] = 10
	l, err := NewLimiter(rate, 1, LimiterOptions{Release: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	out := pieces(l, [][]float32{sound}, 500, 500)[0]
	for i := 1; i < len(out); i++ {
		if i == rate/2 || i == rate/2+1 {
			continue
		}
		// The peak takes 22 dB, in two times 5 ms.
		if d := math.Abs(float64(out[i] - out[i-1])); d > 0.5*0.92*2/240*1.2 {
			t.Fatalf("the gain changes by %g from frame %d to the next one", d*2, i-1)
		}
	}
	// 50 ms after, all but 1/e is back again.
	if got, want := out[rate/2+rate/20+120], 0.5*(1-0.91/math.E); math.Abs(float64(got)-want) > 0.02 {
		t.Errorf("after the release time, 0.5 is %g, want %g", got, want)
	}
}

func TestLimiterHasTheSameResultForAllBlocks(t *testing.T) {
	t.Parallel()
	sound := hot(8000)["noise in one channel, a tone beside"]
	var want [][]float32
	for _, blocks := range [][2]int{{8000, 8000}, {1, 1}, {700, 13}, {3, 1000}} {
		l, err := NewLimiter(8000, 2, LimiterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got := pieces(l, sound, blocks[0], blocks[1])
		if want == nil {
			want = got
		}
		for c := range got {
			if len(got[c]) != len(want[c]) {
				t.Fatalf("blocks of %v give %d frames, want %d", blocks, len(got[c]), len(want[c]))
			}
			for i := range got[c] {
				if math.Abs(float64(got[c][i]-want[c][i])) > 1e-6 {
					t.Fatalf("blocks of %v: frame %d is %g, want %g", blocks, i, got[c][i], want[c][i])
				}
			}
		}
	}
}

func TestLimiterRefusesImpossibleOptions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		o    LimiterOptions
		want string
	}{
		{LimiterOptions{Ceiling: 1}, "a ceiling of 1 dBTP is outside of the limits of -200 to 0"},
		{LimiterOptions{Ceiling: math.NaN()}, "a ceiling of NaN dBTP is outside of the limits of -200 to 0"},
		{LimiterOptions{Release: -1}, "a release of -1 seconds is outside of the limits of 0 to 10"},
		{LimiterOptions{Gain: math.Inf(1)}, "a gain of +Inf dB is outside of the limits of -200 to 200"},
	} {
		if _, err := NewLimiter(48000, 2, test.o); err == nil || err.Error() != test.want {
			t.Errorf("%+v: %v, want %s", test.o, err, test.want)
		}
	}
}

func TestNormalizingLoudness(t *testing.T) {
	t.Parallel()
	const rate = 44100
	clicks := bursts(rate, 2)
	for i := 0; i < len(clicks[0]); i += rate / 2 {
		clicks[0][i] = 0.9
	}
	tests := []struct {
		name            string
		sound           [][]float32
		target, ceiling float64
		limited         bool
	}{
		{"a quiet tone gets louder", [][]float32{sine(3*rate, rate, 997, 0.01, 0)}, -16, -1, false},
		{"a loud tone gets quieter", [][]float32{sine(3*rate, rate, 997, 0.9, 0)}, -23, -1, false},
		{"clicks are limited", clicks, -16, -1, true},
		{"bursts of noise are limited", bursts(rate, 2), -14, -3, true},
		{"a ceiling of 0", bursts(rate, 1), -14, 0, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m, err := NewMeter(rate, len(test.sound))
			if err != nil {
				t.Fatal(err)
			}
			m.Write(test.sound)
			before := m.Loudness()
			gain, after, err := Normalize(context.Background(), test.sound, rate, test.target, test.ceiling)
			if err != nil {
				t.Fatal(err)
			}
			m.Reset()
			m.Write(test.sound)
			got := m.Loudness()
			if math.Abs(got.Integrated-test.target) > 0.1 {
				t.Errorf("the loudness is %.2f LUFS, want %.2f", got.Integrated, test.target)
			}
			if got.TruePeak > test.ceiling+0.001 {
				t.Errorf("the true peak is %.3f dBTP, want at most %g", got.TruePeak, test.ceiling)
			}
			if math.Abs(got.Integrated-after.Integrated) > 0.01 || math.Abs(got.TruePeak-after.TruePeak) > 0.01 {
				t.Errorf("the result is said to be %+v, but is %+v", after, got)
			}
			if limited := math.Abs(before.Integrated+gain-test.target) > 0.001; limited != test.limited {
				t.Errorf("the gain is %.3f dB from %.3f LUFS, but limited should be %v", gain, before.Integrated, test.limited)
			}
		})
	}
}

func TestNormalizingWhatCannotBe(t *testing.T) {
	t.Parallel()
	const rate = 48000
	ctx := context.Background()
	silence := [][]float32{make([]float32, rate)}
	if gain, _, err := Normalize(ctx, silence, rate, -16, -1); err != nil || gain != 0 || silence[0][5] != 0 {
		t.Errorf("silence: %g dB, %v, want no gain", gain, err)
	}
	// A tone of -5 LUFS has peaks of 0 dB at least.
	tone := [][]float32{sine(rate, rate, 997, 0.5, 0)}
	gain, after, err := Normalize(ctx, tone, rate, 0, -6)
	if err != nil || gain > 16 || after.Integrated > -8 || after.TruePeak > -6 {
		t.Errorf("a tone cannot have 0 LUFS under -6 dBTP: %g dB, %+v, %v", gain, after, err)
	}
	if _, _, err := Normalize(ctx, tone, rate, 1, -6); err == nil || err.Error() != "a loudness of 1 LUFS is outside of the limits of -70 to 0" {
		t.Errorf("a target of 1 LUFS: %v", err)
	}
	if _, _, err := Normalize(ctx, tone, rate, -16, 1); err == nil || err.Error() != "a ceiling of 1 dBTP is outside of the limits of -40 to 0" {
		t.Errorf("a ceiling of 1 dBTP: %v", err)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err := Normalize(canceled, tone, rate, -16, -1); !errors.Is(err, context.Canceled) {
		t.Errorf("with a canceled context: %v", err)
	}
}

func TestLimiterTakesNoMemoryForBlocks(t *testing.T) {
	l, err := NewLimiter(44100, 2, LimiterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	in, out := bursts(500, 2), bursts(500, 2)
	if n := testing.AllocsPerRun(10, func() { l.Process(out, in) }); n != 0 {
		t.Errorf("a block takes %v allocations, want none", n)
	}
}

func BenchmarkLimiter(b *testing.B) {
	sound := bursts(44100, 2)
	out := bursts(44100, 2)
	for name, gain := range map[string]float64{"idle": -20, "busy": 6} {
		b.Run(name, func(b *testing.B) {
			l, err := NewLimiter(44100, 2, LimiterOptions{Gain: gain})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := Run(context.Background(), l, out, sound); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(2*length(sound)), "ns/sample")
		})
	}
}
