package dsp

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
)

// sine is a tone in planar float32.
func sine(frames, rate int, frequency, amplitude, phase float64) []float32 {
	s := make([]float32, frames)
	for i := range s {
		if period := float64(rate) / frequency; period == math.Trunc(period) && i >= int(period) {
			s[i] = s[i-int(period)]
			continue
		}
		s[i] = float32(amplitude * math.Sin(2*math.Pi*frequency*float64(i)/float64(rate)+phase))
	}
	return s
}

// fit finds a·sin + b·cos of a frequency in samples by least squares, and what is left.
func fit(samples []float32, first, rate int, frequency float64) (a, b, residual float64) {
	var ss, sc, cc, xs, xc float64
	for i, x := range samples {
		s, c := math.Sincos(2 * math.Pi * frequency * float64(first+i) / float64(rate))
		ss, sc, cc = ss+s*s, sc+s*c, cc+c*c
		xs, xc = xs+float64(x)*s, xc+float64(x)*c
	}
	d := ss*cc - sc*sc
	a, b = (xs*cc-xc*sc)/d, (xc*ss-xs*sc)/d
	for i, x := range samples {
		s, c := math.Sincos(2 * math.Pi * frequency * float64(first+i) / float64(rate))
		e := float64(x) - a*s - b*c
		residual += e * e
	}
	return a, b, residual
}

// toneThrough is the gain in dB, the delay in radians and the ratio of signal to noise in dB
// that a tone has after resampling, away from both ends.
func toneThrough(t testing.TB, from, to int, q Quality, frequency float64) (gain, delay, snr float64) {
	in := [][]float32{sine(from, from, frequency, 0.9, 0)}
	out := [][]float32{make([]float32, ResampledFrames(int64(from), from, to))}
	if err := Resample(context.Background(), out, in, from, to, q); err != nil {
		t.Fatal(err)
	}
	edge := max(to/10, 1)
	mid := out[0][edge : len(out[0])-edge]
	a, b, residual := fit(mid, edge, to, frequency)
	power := (a*a + b*b) / 2 * float64(len(mid))
	return Decibels(math.Hypot(a, b) / 0.9), math.Atan2(b, a), 10 * math.Log10(power/residual)
}

func TestResamplingOfTones(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		from, to int
		quality  Quality
		// frequency of the tone in Hz.
		frequency float64
		// snr is the least ratio of signal to noise, in dB.
		snr float64
		// gain is how much of the tone may get lost or be added, in dB.
		gain float64
	}{
		{"44.1 to 48 kHz keeps 1 kHz", 44100, 48000, High, 1000, 130, 0.0001},
		{"44.1 to 48 kHz keeps 10 kHz", 44100, 48000, High, 10000, 130, 0.0001},
		{"44.1 to 48 kHz keeps 18 kHz", 44100, 48000, High, 18000, 124, 0.0001},
		{"44.1 to 48 kHz passes 20 kHz", 44100, 48000, High, 20000, 40, 0.1},
		{"48 to 44.1 kHz keeps 1 kHz", 48000, 44100, High, 1000, 130, 0.0001},
		{"48 to 44.1 kHz keeps 18 kHz", 48000, 44100, High, 18000, 130, 0.0001},
		{"48 to 44.1 kHz passes 20 kHz", 48000, 44100, High, 20000, 130, 0.2},
		{"44.1 to 96 kHz keeps 18 kHz", 44100, 96000, High, 18000, 124, 0.0001},
		{"96 to 44.1 kHz keeps 18 kHz", 96000, 44100, High, 18000, 130, 0.0001},
		{"192 to 44.1 kHz keeps 18 kHz after a halving", 192000, 44100, High, 18000, 130, 0.0001},
		{"44.1 to 22.05 kHz keeps 9 kHz", 44100, 22050, High, 9000, 130, 0.0001},
		{"48 to 8 kHz keeps 3 kHz", 48000, 8000, High, 3000, 130, 0.0001},
		{"8 to 48 kHz keeps 3 kHz", 8000, 48000, High, 3000, 124, 0.0001},
		{"44100 to 47999 Hz keeps 10 kHz", 44100, 47999, High, 10000, 125, 0.0001},
		{"44100 to 47999 Hz keeps 18 kHz", 44100, 47999, High, 18000, 122, 0.0001},
		{"48000 to 47999 Hz keeps 18 kHz", 48000, 47999, High, 18000, 125, 0.0001},
		{"medium quality keeps 10 kHz", 44100, 48000, Medium, 10000, 100, 0.001},
		{"medium quality keeps 16 kHz", 44100, 48000, Medium, 16000, 96, 0.001},
		{"fast resampling keeps 10 kHz", 44100, 48000, Fast, 10000, 75, 0.002},
		{"medium quality of an odd ratio keeps 10 kHz", 44100, 47999, Medium, 10000, 100, 0.001},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			gain, delay, snr := toneThrough(t, test.from, test.to, test.quality, test.frequency)
			if snr < test.snr {
				t.Errorf("the ratio of signal to noise is %.1f dB, want at least %.1f", snr, test.snr)
			}
			if math.Abs(gain) > test.gain {
				t.Errorf("the gain is %.5f dB, want at most %.5f", gain, test.gain)
			}
			if math.Abs(delay) > 1e-5 {
				t.Errorf("the delay is %g rad, want none", delay)
			}
		})
	}
}

func TestResamplingRemovesWhatTheLowerRateCannotHave(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		from, to  int
		quality   Quality
		frequency float64
		most      float64 // in dB
	}{
		{"24 kHz at 48 to 44.1 kHz", 48000, 44100, High, 23950, -115},
		{"30 kHz at 96 to 44.1 kHz", 96000, 44100, High, 30000, -120},
		{"4.5 kHz at 48 to 8 kHz", 48000, 8000, High, 4500, -115},
		{"15 kHz at 48 to 8 kHz, of medium quality", 48000, 8000, Medium, 15000, -95},
		{"90 kHz at 192 to 44.1 kHz, by the halving", 192000, 44100, High, 90000, -120},
		{"40 kHz at 88.2 to 8 kHz, fast", 88200, 8000, Fast, 40000, -70},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			in := [][]float32{sine(test.from, test.from, test.frequency, 1, 0)}
			out := [][]float32{make([]float32, test.to)}
			if err := Resample(context.Background(), out, in, test.from, test.to, test.quality); err != nil {
				t.Fatal(err)
			}
			var most float64
			for _, x := range out[0][test.to/10 : test.to*9/10] {
				most = max(most, math.Abs(float64(x)))
			}
			if got := Decibels(most); got > test.most {
				t.Errorf("%.1f dB are left, want at most %.1f", got, test.most)
			}
		})
	}
}

// An impulse in the middle stays where it is, in time, and the result is symmetric about it.
func TestResamplingHasNoDelay(t *testing.T) {
	t.Parallel()
	for _, rates := range [][2]int{{44100, 88200}, {48000, 12000}, {96000, 6000}, {1000, 10000}} {
		from, to := rates[0], rates[1]
		in := [][]float32{make([]float32, 4801)}
		in[0][2400] = 1
		out := [][]float32{make([]float32, ResampledFrames(4801, from, to))}
		if err := Resample(context.Background(), out, in, from, to, High); err != nil {
			t.Fatal(err)
		}
		middle := 2400 * to / from
		largest := 0
		for i, x := range out[0] {
			if x > out[0][largest] {
				largest = i
			}
		}
		if largest != middle {
			t.Errorf("%d to %d Hz: the impulse is at %d, want %d", from, to, largest, middle)
		}
		for i := 1; i < 50; i++ {
			if a, b := out[0][middle-i], out[0][middle+i]; math.Abs(float64(a-b)) > 1e-7 {
				t.Errorf("%d to %d Hz: %g is %d before the middle and %g after it", from, to, a, i, b)
				break
			}
		}
	}
}

func TestResamplingHasTheSameResultForAllBlocks(t *testing.T) {
	t.Parallel()
	noise := make([][]float32, 2)
	for c := range noise {
		noise[c] = make([]float32, 40_000)
		NewDither(uint64(c)).Add(noise[c], 0.5)
	}
	for k, rates := range [][2]int{{44100, 48000}, {48000, 44100}, {44100, 47999}, {48000, 3000}, {8000, 8000}, {7, 3}, {48000, 44100}, {44100, 47999}, {22050, 48000}, {96000, 44100}} {
		from, to, quality := rates[0], rates[1], Medium
		if k >= 6 {
			quality = High
		}
		n := int(ResampledFrames(40_000, from, to))
		want := [][]float32{make([]float32, n), make([]float32, n)}
		if err := Resample(context.Background(), want, noise, from, to, quality); err != nil {
			t.Fatal(err)
		}
		r, err := NewResampler(from, to, 2, quality)
		if err != nil {
			t.Fatal(err)
		}
		for _, blocks := range [][2]int{{1, 1}, {7, 100}, {5000, 3}, {40_000, 64}} {
			r.Reset()
			got := pieces(r, noise, blocks[0], blocks[1])
			if len(got[0]) != n {
				t.Errorf("%d to %d Hz in blocks of %v has %d frames, want %d", from, to, blocks, len(got[0]), n)
				continue
			}
			for c := range got {
				for i := range got[c] {
					if got[c][i] != want[c][i] {
						t.Fatalf("%d to %d Hz in blocks of %v: frame %d is %g, want %g", from, to, blocks, i, got[c][i], want[c][i])
					}
				}
			}
		}
	}
}

// pieces runs p over sound that it gives in blocks of in frames and takes in blocks of out.
func pieces(p Processor, sound [][]float32, in, out int) [][]float32 {
	var (
		result = make([][]float32, len(sound))
		dst    = make([][]float32, len(sound))
	)
	for c := range dst {
		dst[c] = make([]float32, out)
	}
	take := func(n int) {
		for c := range dst {
			result[c] = append(result[c], dst[c][:n]...)
		}
	}
	for at := 0; at < length(sound); {
		end := min(at+in, length(sound))
		for at < end {
			n, t := p.Process(dst, between(sound, at, end))
			take(n)
			at += t
		}
	}
	for {
		n := p.Flush(dst)
		if n == 0 {
			return result
		}
		take(n)
	}
}

func TestLengthAfterResampling(t *testing.T) {
	t.Parallel()
	tests := []struct {
		frames   int64
		from, to int
		want     int64
	}{
		{0, 44100, 48000, 0},
		{-5, 44100, 48000, 0},
		{1, 44100, 48000, 1},
		{1, 48000, 8000, 0},
		{3, 48000, 8000, 1},
		{44100, 44100, 48000, 48000},
		{147, 44100, 47999, 160},
		{1 << 40, 1, 768_000, 768_000 << 40},
		{math.MaxInt64, 1, 768_000, math.MaxInt64},
		{math.MaxInt64, 768_000, 1, 12009599006321},
	}
	for _, test := range tests {
		if got := ResampledFrames(test.frames, test.from, test.to); got != test.want {
			t.Errorf("%d frames from %d to %d Hz become %d, want %d", test.frames, test.from, test.to, got, test.want)
		}
	}
}

// The longest possible chain of filters and the shortest sounds.
func TestResamplingBetweenExtremeRates(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it is long")
	}
	for _, test := range []struct{ from, to, frames int }{
		{768_000, 1, 1_536_000}, {1, 768_000, 2}, {768_000, 767_999, 1000}, {3, 768_000, 1}, {44100, 48000, 1}, {44100, 48000, 0}, {5, 4, 3},
	} {
		in := [][]float32{make([]float32, test.frames)}
		for i := range in[0] {
			in[0][i] = 1
		}
		n := int(ResampledFrames(int64(test.frames), test.from, test.to))
		r, err := NewResampler(test.from, test.to, 1, High)
		if err != nil {
			t.Fatal(err)
		}
		out := [][]float32{make([]float32, n+10)}
		got, err := Run(context.Background(), r, out, in)
		if err != nil || got != n {
			t.Errorf("%d frames from %d to %d Hz become %d, %v, want %d", test.frames, test.from, test.to, got, err, n)
		}
		// What is constant and long enough stays constant.
		if test.frames == 1000 {
			if x := out[0][500]; math.Abs(float64(x)-1) > 1e-6 {
				t.Errorf("1 became %g", x)
			}
		}
	}
}

func TestResamplerRefusesImpossibleFormats(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		from, to, channels int
		want               string
	}{
		{0, 48000, 1, "a sampling rate of 0 Hz is outside of the limits of 1 to 768000 Hz"},
		{48000, 768_001, 1, "a sampling rate of 768001 Hz is outside of the limits of 1 to 768000 Hz"},
		{48000, 44100, 0, "0 channels are outside of the limits of 1 to 8"},
		{48000, 44100, 9, "9 channels are outside of the limits of 1 to 8"},
	} {
		if _, err := NewResampler(test.from, test.to, test.channels, High); err == nil || err.Error() != test.want {
			t.Errorf("NewResampler(%d, %d, %d): %v, want %s", test.from, test.to, test.channels, err, test.want)
		}
	}
}

// counted is a context that counts how often it is looked at.
type counted struct {
	context.Context
	looks int
}

func (c *counted) Err() error { c.looks++; return nil }

func TestRunLooksAtItsContextOften(t *testing.T) {
	const channels, frames = 8, 100_000
	for _, rates := range [][2]int{{768_000, 767_999}, {767_999, 768_000}, {768_000, 96_001}, {1, 48_000}} {
		from, to := rates[0], rates[1]
		in := frames
		if to > 2*from {
			in = frames * from / to
		}
		src, dst := make([][]float32, channels), make([][]float32, channels)
		for c := range src {
			src[c], dst[c] = make([]float32, in), make([]float32, ResampledFrames(int64(in), from, to))
		}
		ctx := &counted{Context: context.Background()}
		if err := Resample(ctx, dst, src, from, to, High); err != nil {
			t.Fatal(err)
		}
		// 16 384 frames of eight channels, at 144 multiplications, are some 20 ms of work.
		if least := max(in, len(dst[0])) / 16_384; ctx.looks < least {
			t.Errorf("%d → %d Hz: the context was looked at %d times for %d frames, want %d", from, to, ctx.looks, frames, least)
		}
	}
}

func TestTablesAreShared(t *testing.T) {
	var wg sync.WaitGroup
	got := make([][]float32, 40)
	filter := func(i int) lowpass { return lowpass{taps: 8 + 2*(i%maxTables), cutoff: 0.5, beta: 7, phases: 4} }
	for i := range got {
		wg.Go(func() { got[i] = filter(i).cached() })
	}
	wg.Wait()
	for i, table := range got {
		if !slices.Equal(table, filter(i).table()) {
			t.Errorf("table %d is another", i)
		}
	}
	tables.Lock()
	defer tables.Unlock()
	if len(tables.list) > maxTables {
		t.Errorf("%d tables are kept, want at most %d", len(tables.list), maxTables)
	}
	for i, a := range tables.list {
		for _, b := range tables.list[:i] {
			if a.lowpass == b.lowpass {
				t.Errorf("%+v is kept twice", a.lowpass)
			}
		}
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	block := [][]float32{make([]float32, 100)}
	if err := Resample(ctx, block, block, 44100, 48000, High); err != context.Canceled {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func TestResamplingInBlocksTakesNoMemory(t *testing.T) {
	r, err := NewResampler(44100, 48000, 2, High)
	if err != nil {
		t.Fatal(err)
	}
	// Not so large that there are goroutines.
	in := [][]float32{make([]float32, 1000), make([]float32, 1000)}
	out := [][]float32{make([]float32, 2000), make([]float32, 2000)}
	if n := testing.AllocsPerRun(10, func() { r.Process(out, in) }); n != 0 {
		t.Errorf("a block takes %v allocations, want none", n)
	}
}

func benchmarkResample(b *testing.B, from, to int, q Quality, channels int) {
	in := make([][]float32, channels)
	out := make([][]float32, channels)
	for c := range in {
		in[c] = sine(10*from, from, 440, 0.5, 0)
		out[c] = make([]float32, 10*to)
	}
	r, _ := NewResampler(from, to, channels, q)
	for b.Loop() {
		Run(context.Background(), r, out, in)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(10*to*channels), "ns/sample")
}

func BenchmarkResample(b *testing.B) {
	for _, q := range []Quality{High, Medium, Fast} {
		b.Run(fmt.Sprint(q), func(b *testing.B) { benchmarkResample(b, 44100, 48000, q, 1) })
	}
	b.Run("stereo", func(b *testing.B) { benchmarkResample(b, 44100, 48000, High, 2) })
	b.Run("odd", func(b *testing.B) { benchmarkResample(b, 44100, 47999, High, 1) })
	b.Run("down", func(b *testing.B) { benchmarkResample(b, 48000, 44100, High, 1) })
	b.Run("8k", func(b *testing.B) { benchmarkResample(b, 48000, 8000, High, 1) })
	b.Run("halve", func(b *testing.B) { benchmarkResample(b, 48000, 24000, High, 1) })
}
