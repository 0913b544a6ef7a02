package audio

import (
	"fmt"
	"math"
	"testing"

	"quicksand/media/audio/dsp"
)

func TestTrimFrames(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, test := range []struct {
		name       string
		rate       int
		frames     int64
		start, end float64
		from, to   int64
		err        string
	}{
		{"all", 100, 200, 0, 2, 0, 200, ""},
		{"without an end", 100, 200, 0.5, inf, 50, 200, ""},
		{"a start before the beginning", 100, 200, -3, 1, 0, 100, ""},
		{"an end behind the end", 100, 200, 1, 9, 100, 200, ""},
		{"rounded to the outside", 100, 200, 0.505, 0.515, 50, 52, ""},
		{"0.29 · 100 is 28.999999999999996", 100, 200, 0.29, 1, 29, 100, ""},
		{"0.28 · 100 is 28.000000000000004", 100, 200, 0, 0.28, 0, 28, ""},
		{"a quarter to three quarters of 44.1 kHz", 44100, 88200, 0.25, 0.75, 11025, 33075, ""},
		{"less than a frame", 100, 200, 0.501, 0.502, 50, 51, ""},
		{"nothing", 100, 200, 1, 1, 0, 0, "end must be after start"},
		{"backwards", 100, 200, 1, 0.5, 0, 0, "end must be after start"},
		{"behind the end", 100, 200, 2, 3, 0, 0, "end must be after start"},
		{"of nothing", 100, 0, 0, inf, 0, 0, "end must be after start"},
		{"a start that is no number", 100, 200, nan, 1, 0, 0, "start and end must be finite numbers"},
		{"an end that is no number", 100, 200, 0, nan, 0, 0, "start and end must be finite numbers"},
		{"an infinite start", 100, 200, inf, inf, 0, 0, "start and end must be finite numbers"},
	} {
		from, to, err := TrimFrames(test.rate, test.frames, test.start, test.end)
		if from != test.from || to != test.to || err == nil && test.err != "" || err != nil && err.Error() != test.err {
			t.Errorf("%s: got %d to %d, %v, want %d to %d, %s", test.name, from, to, err, test.from, test.to, test.err)
		}
	}
}

func TestSection(t *testing.T) {
	c := must(clipOf(t, []float32{1, 2, 3, 4}, []float32{5, 6, 7, 8}).Gain(20))(t)
	for _, test := range []struct {
		name     string
		from, to int64
		want     [][]float32
	}{
		{"the middle", 1, 3, [][]float32{{20, 30}, {60, 70}}},
		{"over the end", 3, 100, [][]float32{{40}, {80}}},
		{"behind the end", 50, 100, [][]float32{{}, {}}},
		{"nothing", 2, 2, [][]float32{{}, {}}},
	} {
		same(t, test.name, must(c.Section(test.from, test.to))(t).Planes(), test.want)
	}
	for _, r := range [][2]int64{{-1, 2}, {3, 2}} {
		if _, err := c.Section(r[0], r[1]); err == nil {
			t.Errorf("%d to %d is a section", r[0], r[1])
		}
	}
}

func TestReverse(t *testing.T) {
	c := clipOf(t, []float32{1, 2, 3}, []float32{4, 5, 6})
	same(t, "reversed", must(c.Reverse())(t).Planes(), [][]float32{{3, 2, 1}, {6, 5, 4}})
	long := clipOf(t, noise(2*CheckFrames+7, 1))
	twice := must(must(long.Reverse())(t).Reverse())(t)
	same(t, "reversed twice", twice.Planes(), long.Planes())
}

func TestFades(t *testing.T) {
	ones := []float32{1, 1, 1, 1, 1, 1, 1, 1}
	half := float32(math.Sqrt2 / 2)
	for _, test := range []struct {
		name    string
		seconds float64
		curve   dsp.Curve
		want    []float32 // fading in; fading out is the same backwards
	}{
		{"half of it", 0.5, dsp.LinearFade, []float32{0, 0.25, 0.5, 0.75, 1, 1, 1, 1}},
		{"all of it", 1, dsp.LinearFade, []float32{0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875}},
		{"longer than it", 4, dsp.LinearFade, []float32{0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875}},
		{"no time is one frame", 0, dsp.LinearFade, []float32{0, 1, 1, 1, 1, 1, 1, 1}},
		{"equal power", 0.5, dsp.EqualPower, []float32{0, 0.38268343, half, 0.92387953, 1, 1, 1, 1}},
		{"an S", 0.5, dsp.SCurve, []float32{0, 0.14644661, 0.5, 0.85355339, 1, 1, 1, 1}},
		{"exponential", 0.25, dsp.Exponential, []float32{0, 0.03065343, 1, 1, 1, 1, 1, 1}},
	} {
		c := must(clipAt(t, 8, ones).Gain(20))(t)
		in := must(c.FadeIn(background, test.seconds, test.curve))(t)
		out := must(c.FadeOut(background, test.seconds, test.curve))(t)
		for i, want := range test.want {
			if got := in.Planes()[0][i]; math.Abs(float64(got-10*want)) > 1e-5 {
				t.Errorf("%s, in, frame %d: got %v, want %v", test.name, i, got, 10*want)
			}
			if got := out.Planes()[0][7-i]; math.Abs(float64(got-10*want)) > 1e-5 {
				t.Errorf("%s, out, frame %d: got %v, want %v", test.name, 7-i, got, 10*want)
			}
		}
	}
	c := clipOf(t, ones)
	for _, d := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := c.FadeIn(background, d, 0); err == nil {
			t.Errorf("a fade of %v s is possible", d)
		}
	}
}

// The row of the cases: a clip of half a second, faded in and out over two.
func TestFadesLongerThanTheClip(t *testing.T) {
	ones := make([]float32, 4000)
	for i := range ones {
		ones[i] = 1
	}
	c := clipOf(t, ones)
	in := must(c.FadeIn(background, 2, 0))(t).Planes()[0]
	out := must(c.FadeOut(background, 2, 0))(t).Planes()[0]
	if in[0] != 0 || in[3999] != 3999./4000 || out[3999] != 0 || out[0] != 3999./4000 {
		t.Errorf("got %v to %v and %v to %v", in[0], in[3999], out[0], out[3999])
	}
	for i := range in {
		if in[i] != out[3999-i] {
			t.Fatalf("frame %d: %v in, %v out", i, in[i], out[3999-i])
		}
	}
}

// Fades over more frames than one step are those of the formula everywhere.
func TestLongFade(t *testing.T) {
	n := CheckFrames + 1000
	ones := make([]float32, n)
	for i := range ones {
		ones[i] = 1
	}
	c := clipAt(t, n, ones)
	in, out := must(c.FadeIn(background, 1, 0))(t).Planes()[0], must(c.FadeOut(background, 1, 0))(t).Planes()[0]
	for _, i := range []int{1, CheckFrames - 1, CheckFrames, CheckFrames + 1, n - 1} {
		want := float32(float64(i) / float64(n))
		if in[i] != want || out[n-1-i] != want {
			t.Errorf("frame %d: got %v and %v, want %v", i, in[i], out[n-1-i], want)
		}
	}
}

func TestRepeat(t *testing.T) {
	c := clipOf(t, []float32{1, 2}, []float32{3, 4})
	same(t, "three times", must(c.Repeat(background, 3))(t).Planes(), [][]float32{{1, 2, 1, 2, 1, 2}, {3, 4, 3, 4, 3, 4}})
	same(t, "once", must(c.Repeat(background, 1))(t).Planes(), c.Planes())
	for _, n := range []int{0, 101} {
		if _, err := c.Repeat(background, n); fmt.Sprint(err) != "loops must be an integer from 1 to 100" {
			t.Errorf("%d times: got %v", n, err)
		}
	}
	day := must(Silence(nil, MaxSeconds, 1, 1))(t)
	if _, err := day.Repeat(background, 2); fmt.Sprint(err) != "the duration in seconds is 172800, over the limit of 86400 (AudioDuration)" {
		t.Errorf("two days: got %v", err)
	}
}

func TestNormalize(t *testing.T) {
	c := must(clipOf(t, []float32{0.1, -0.25}, []float32{0.2, 0}).Gain(-3))(t)
	n := must(c.Normalize(background, 0))(t)
	if peak := must(n.Peak(background))(t); math.Abs(peak-1) > 1e-7 {
		t.Errorf("got a peak of %v, want 1", peak)
	}
	for i, want := range []float32{0.4, -1} {
		if got := n.Planes()[0][i]; math.Abs(float64(got-want)) > 1e-7 {
			t.Errorf("frame %d: got %v, want %v", i, got, want)
		}
	}
	if peak := must(must(c.Normalize(background, -6))(t).Peak(background))(t); math.Abs(peak-0.501187) > 1e-6 {
		t.Errorf("at −6 dB: got a peak of %v", peak)
	}
	for name, silent := range map[string]*Clip{"silence": clipOf(t, make([]float32, 5)), "hardly more": clipOf(t, []float32{0, 1e-40})} {
		same(t, name, must(silent.Normalize(background, 0))(t).Planes(), silent.Planes())
	}
	if _, err := c.Normalize(background, math.NaN()); err == nil {
		t.Error("a peak that is no number is possible")
	}
}

func TestPadAndSilence(t *testing.T) {
	c := must(clipAt(t, 10, []float32{1, 2}).Gain(20))(t)
	same(t, "padded", must(c.Pad(background, 0.2, 0.1))(t).Planes(), [][]float32{{0, 0, 10, 20, 0}})
	s := must(Silence(nil, 0.25, 8000, 2))(t)
	if s.Frames() != 2000 || s.Channels() != 2 || s.Rate() != 8000 {
		t.Errorf("got %+v", s.Info())
	}
	for name, f := range map[string]func() (*Clip, error){
		"a duration must be a finite number of seconds, 0 or more":                  func() (*Clip, error) { return c.Pad(background, -1, 0) },
		"the duration in seconds is 86401, over the limit of 86400 (AudioDuration)": func() (*Clip, error) { return Silence(nil, 86401, 8000, 1) },
		"the number of channels is 9, over the limit of 8 (AudioChannels)":          func() (*Clip, error) { return Silence(nil, 1, 8000, 9) },
	} {
		if _, err := f(); fmt.Sprint(err) != name {
			t.Errorf("got %v, want %s", err, name)
		}
	}
}

func TestSplitAndMerge(t *testing.T) {
	c := must(clipOf(t, []float32{1, 2}, []float32{3, 4}).Gain(20))(t)
	parts := must(c.Split())(t)
	same(t, "left", parts[0].Planes(), [][]float32{{10, 20}})
	same(t, "right", parts[1].Planes(), [][]float32{{30, 40}})
	short := clipOf(t, []float32{5})
	same(t, "merged", must(Merge(background, parts[1], short, c))(t).Planes(), [][]float32{{30, 40}, {5, 0}, {10, 20}, {30, 40}})
	five := must(Silence(nil, 1, 8000, 5))(t)
	if _, err := Merge(background, five, five); fmt.Sprint(err) != "the number of channels is 10, over the limit of 8 (AudioChannels)" {
		t.Errorf("got %v", err)
	}
}
