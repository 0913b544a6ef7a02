package audio

import (
	"fmt"
	"math"
	"testing"
)

func TestWaveform(t *testing.T) {
	c := must(clipOf(t, []float32{0.1, -0.2, 0.3, 0.4, 0, -0.1, 0.5}, []float32{0, 0, 0, 0, 0, 0, -0.5}).Gain(20))(t)
	rms := func(x ...float64) float32 {
		sum := 0.0
		for _, v := range x {
			sum += v * v
		}
		return float32(math.Sqrt(sum / float64(len(x))))
	}
	for _, test := range []struct {
		buckets int
		want    []Bucket // of the first channel
	}{
		{1, []Bucket{{-2, 5, rms(1, 2, 3, 4, 0, 1, 5)}}},
		{3, []Bucket{{-2, 1, rms(1, 2)}, {3, 4, rms(3, 4)}, {-1, 5, rms(0, 1, 5)}}},
		{7, []Bucket{{1, 1, 1}, {-2, -2, 2}, {3, 3, 3}, {4, 4, 4}, {0, 0, 0}, {-1, -1, 1}, {5, 5, 5}}},
		{14, []Bucket{{1, 1, 1}, {1, 1, 1}, {-2, -2, 2}, {-2, -2, 2}, {3, 3, 3}, {3, 3, 3}, {4, 4, 4}, {4, 4, 4}, {0, 0, 0}, {0, 0, 0}, {-1, -1, 1}, {-1, -1, 1}, {5, 5, 5}, {5, 5, 5}}},
	} {
		w := must(Waveform(background, c, test.buckets))(t)
		if len(w) != 2 || len(w[0]) != test.buckets {
			t.Fatalf("%d buckets: got %d of %d channels", test.buckets, len(w[0]), len(w))
		}
		for i, want := range test.want {
			got := w[0][i]
			if math.Abs(float64(got.Min-want.Min)) > 1e-5 || math.Abs(float64(got.Max-want.Max)) > 1e-5 || math.Abs(float64(got.RMS-want.RMS)) > 1e-5 {
				t.Errorf("bucket %d of %d: got %v, want %v", i, test.buckets, got, want)
			}
		}
		if last := w[1][test.buckets-1]; last.Min != -5 {
			t.Errorf("the second channel ends with %v", last)
		}
	}
	for _, n := range []int{0, MaxBuckets + 1} {
		if _, err := Waveform(background, c, n); err == nil {
			t.Errorf("%d buckets are possible", n)
		}
	}
}

// Buckets are the same whatever blocks they come from.
func TestWaveformOfManyBlocks(t *testing.T) {
	x := noise(100_000, 5)
	c := clipOf(t, x)
	for _, n := range []int{1, 2, 6, 7, 333, 60_000} {
		w := must(Waveform(background, c, n))(t)[0]
		for i, got := range w {
			from, to := i*len(x)/n, (i+1)*len(x)/n
			want := Bucket{x[from], x[from], 0}
			sum := 0.0
			for _, v := range x[from:to] {
				want.Min, want.Max = min(want.Min, v), max(want.Max, v)
				sum += float64(v) * float64(v)
			}
			want.RMS = float32(math.Sqrt(sum / float64(to-from)))
			if got.Min != want.Min || got.Max != want.Max || math.Abs(float64(got.RMS-want.RMS)) > 1e-6 {
				t.Fatalf("bucket %d of %d: got %v, want %v", i, n, got, want)
			}
		}
	}
}

// A file that ends before its header says leaves its last buckets empty; one of unknown length
// is measured first.
func TestWaveformOfAFile(t *testing.T) {
	for claims, want := range map[int64]Bucket{2000: {}, 1000: {0.9, 0.999, 0}, -1: {0.9, 0.999, 0}} {
		f := &fake{info: Info{Rate: 48000, Channels: 1, Frames: claims}, real: 1000}
		f.register(t)
		w := must(Waveform(background, must(Open(fakeFile, nil))(t), 10))(t)[0]
		if got := w[9]; got.Min != want.Min || got.Max != want.Max {
			t.Errorf("%d frames: got %v, want %v", claims, got, want)
		}
	}
}

func TestStats(t *testing.T) {
	c := clipOf(t, []float32{0.5, -0.5, 0.5, -0.5}, []float32{1, -1, 0.75, 0.25})
	s := must(StatsOf(background, c))(t)
	want := Stats{Frames: 4, Peak: []float64{0.5, 1}, RMS: []float64{0.5, math.Sqrt(2.625 / 4)}, Mean: []float64{0, 0.25}, Clipped: []int64{0, 2}}
	if fmt.Sprint(s) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", s, want)
	}
}

func TestSpectrum(t *testing.T) {
	// Tones at frequencies of the transform: 32 · 48000/4096 Hz and 320 · 48000/4096 Hz.
	x := sine(48000, 48000, 375, 1)
	for i, v := range sine(48000, 48000, 3750, 0.01) {
		x[i] += v
	}
	s := must(SpectrumOf(background, clipAt(t, 48000, x, x), SpectrumOptions{}))(t)
	if len(s.Level) != 2049 || s.Step != 48000./4096 {
		t.Fatalf("got %d levels in steps of %v Hz", len(s.Level), s.Step)
	}
	for k, want := range map[int]float64{32: 0, 320: -40} {
		if math.Abs(s.Level[k]-want) > 0.05 {
			t.Errorf("%v Hz: got %.2f dB, want %v", float64(k)*s.Step, s.Level[k], want)
		}
	}
	if s.Level[1000] > -90 {
		t.Errorf("between the tones: got %.1f dB", s.Level[1000])
	}
	// The mean of two channels with opposite signs is silence.
	inverse := make([]float32, len(x))
	for i := range x {
		inverse[i] = -x[i]
	}
	s = must(SpectrumOf(background, clipAt(t, 48000, x, inverse), SpectrumOptions{Size: 512}))(t)
	if s.Level[4] != -200 {
		t.Errorf("silence: got %.1f dB, want −200", s.Level[4])
	}
	for _, n := range []int{8, 1000, 131072} {
		if _, err := SpectrumOf(background, clipAt(t, 48000, x), SpectrumOptions{Size: n}); fmt.Sprint(err) != "size must be a power of 2 from 16 to 65536" {
			t.Errorf("a size of %d: got %v", n, err)
		}
	}
}
