package dsp

import (
	"encoding/binary"
	"encoding/json"
	"flag"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

var update = flag.Bool("update", false, "measure the signals of the loudness tests with ffmpeg and write testdata/loudness.json")

// A part of a signal is a tone for some seconds.
type part struct {
	seconds float64
	levels  []float64 // in dBFS, of the peak of each channel
}

// A signal is what the loudness tests measure.
type signal struct {
	name      string
	rate      int
	channels  int
	frequency float64
	phase     float64 // of the tone in degrees
	parts     []part
	// make is instead of a tone.
	make func(rate, channels int) [][]float32
	// What the standards demand, with their tolerance of 0.1 LU, or 0 for what they do not.
	integrated, lra, truePeak float64
}

func both(seconds, level float64) part { return part{seconds, []float64{level, level}} }

// The tones are those of EBU Tech 3341 (2016) table 1, numbers 1 to 6 and 15 to 19, and of EBU
// Tech 3342 (2016) table 1, numbers 1 to 4.
var signals = []signal{
	{name: "3341-1 -23 LUFS", rate: 48000, channels: 2, frequency: 1000, parts: []part{both(20, -23)}, integrated: -23},
	{name: "3341-2 -33 LUFS", rate: 48000, channels: 2, frequency: 1000, parts: []part{both(20, -33)}, integrated: -33},
	{name: "3341-3 relative gate", rate: 48000, channels: 2, frequency: 1000, parts: []part{both(10, -36), both(60, -23), both(10, -36)}, integrated: -23},
	{name: "3341-4 absolute gate", rate: 48000, channels: 2, frequency: 1000, parts: []part{both(10, -72), both(10, -36), both(60, -23), both(10, -36), both(10, -72)}, integrated: -23},
	{name: "3341-5 changing level", rate: 48000, channels: 2, frequency: 1000, parts: []part{both(20, -26), both(20.1, -20), both(20, -26)}, integrated: -23},
	{name: "3341-6 five channels", rate: 48000, channels: 5, frequency: 1000, parts: []part{{20, []float64{-28, -28, -24, -30, -30}}}, integrated: -23},
	{name: "3342-1 range of 10 LU", rate: 48000, channels: 2, frequency: 1000, parts: []part{both(20, -20), both(20, -30)}, lra: 10},
	{name: "3342-2 range of 5 LU", rate: 48000, channels: 2, frequency: 1000, parts: []part{both(20, -20), both(20, -15)}, lra: 5},
	{name: "3342-3 range of 20 LU", rate: 48000, channels: 2, frequency: 1000, parts: []part{both(20, -40), both(20, -20)}, lra: 20},
	{name: "3342-4 range of 15 LU", rate: 48000, channels: 2, frequency: 1000, parts: []part{both(20, -50), both(20, -35), both(20, -20), both(20, -35), both(20, -50)}, lra: 15},
	{name: "3341-15 peak of fs/4", rate: 48000, channels: 2, frequency: 12000, phase: 0, parts: []part{both(1, -6.02)}, truePeak: -6},
	{name: "3341-16 peak of fs/4 between samples", rate: 48000, channels: 2, frequency: 12000, phase: 45, parts: []part{both(1, -6.02)}, truePeak: -6},
	{name: "3341-17 peak of fs/6 between samples", rate: 48000, channels: 2, frequency: 8000, phase: 60, parts: []part{both(1, -6.02)}, truePeak: -6},
	{name: "3341-18 peak of fs/8 between samples", rate: 48000, channels: 2, frequency: 6000, phase: 67.5, parts: []part{both(1, -6.02)}, truePeak: -6},
	{name: "3341-19 peak over full scale", rate: 48000, channels: 2, frequency: 12000, phase: 45, parts: []part{both(1, 3)}, truePeak: 3},
	{name: "mono at 44.1 kHz", rate: 44100, channels: 1, frequency: 440, parts: []part{{5, []float64{-12}}}},
	{name: "bass at 32 kHz", rate: 32000, channels: 2, frequency: 60, parts: []part{{5, []float64{-10, -14}}}},
	{name: "5.1 with a loud LFE channel", rate: 48000, channels: 6, frequency: 100, parts: []part{{5, []float64{-30, -33, -27, 0, -25, -40}}}},
	{name: "bursts of noise at 44.1 kHz", rate: 44100, channels: 2, make: bursts},
	{name: "bursts of noise at 22.05 kHz", rate: 22050, channels: 1, make: bursts},
	{name: "bursts of noise at 96 kHz", rate: 96000, channels: 2, make: bursts},
	{name: "chirp at 192 kHz", rate: 192000, channels: 1, make: chirp},
	{name: "chirp at 48 kHz", rate: 48000, channels: 2, make: chirp},
	{name: "chirp at 11.025 kHz", rate: 11025, channels: 2, make: chirp},
}

// bursts are 12 s of filtered noise whose level changes three times a second, like speech.
func bursts(rate, channels int) [][]float32 {
	s := make([][]float32, channels)
	levels := []float64{0.5, 0.05, 0.2, 0.001, 0.3, 0.9, 0.01, 0.1}
	for c := range s {
		s[c] = make([]float32, 12*rate)
		d := NewDither(uint64(c) + 7)
		low := 0.0
		for i := range s[c] {
			low += (float64(d.Next()) - low) * min(1, 6000/float64(rate))
			s[c][i] = float32(low * levels[i*3/rate%len(levels)])
		}
	}
	return s
}

// chirp are 5 s from 20 Hz to half of the rate, at most 20 kHz.
func chirp(rate, channels int) [][]float32 {
	s := make([][]float32, channels)
	for c := range s {
		s[c] = make([]float32, 5*rate)
		top := min(20_000, 0.45*float64(rate))
		phase := float64(c)
		for i := range s[c] {
			s[c][i] = float32(0.5 * math.Sin(phase))
			phase += 2 * math.Pi * 20 * math.Pow(top/20, float64(i)/float64(len(s[c]))) / float64(rate)
		}
	}
	return s
}

func (s *signal) sound() [][]float32 {
	if s.make != nil {
		return s.make(s.rate, s.channels)
	}
	sound := make([][]float32, s.channels)
	for c := range sound {
		for _, p := range s.parts {
			tone := sine(int(p.seconds*float64(s.rate)), s.rate, s.frequency, Linear(p.levels[c]), s.phase*math.Pi/180)
			if s.truePeak != 0 {
				SCurve.FadeIn(tone, 0, int64(s.rate/10))
			}
			sound[c] = append(sound[c], tone...)
		}
	}
	return sound
}

// lowRate is where the weighting of ffmpeg begins to depend on the rate. Signals under it are
// measured there after resampling to 48 kHz, for which the standard defines it.
const lowRate = 22050

// A reading is what the filter ebur128 of ffmpeg 5.1.9 says of a signal.
type reading struct {
	Integrated, Momentary, ShortTerm, Range, TruePeak, SamplePeak float64
}

func TestLoudnessOfSignals(t *testing.T) {
	t.Parallel()
	file := filepath.Join("testdata", "loudness.json")
	if *update {
		writeReadings(t, file)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var readings map[string]reading
	if err := json.Unmarshal(data, &readings); err != nil {
		t.Fatal(err)
	}
	for _, s := range signals {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			want, ok := readings[s.name]
			if !ok {
				t.Fatal("ffmpeg has not measured it: run the test with -update")
			}
			if testing.Short() && len(s.parts) > 2 {
				t.Skip("it is long")
			}
			sound := s.sound()
			m, err := NewMeter(s.rate, s.channels)
			if err != nil {
				t.Fatal(err)
			}
			for at := 0; at < length(sound); at += 5000 {
				m.Write(between(sound, at, min(at+5000, length(sound))))
			}
			got := m.Loudness()
			near := func(what string, got, want, tolerance float64) {
				t.Helper()
				if math.Abs(got-want) > tolerance {
					t.Errorf("%s is %.3f, want %.3f", what, got, want)
				}
			}
			near("the integrated loudness", got.Integrated, want.Integrated, 0.1)
			near("the momentary loudness", got.Momentary, want.Momentary, 0.1)
			if s.rate >= lowRate {
				near("the sample peak", got.SamplePeak, want.SamplePeak, 0.06)
			}
			near("the true peak", got.TruePeak, want.TruePeak, 0.3)
			if length(sound) >= 3*s.rate {
				near("the short-term loudness", got.ShortTerm, want.ShortTerm, 0.1)
				tolerance := 0.1
				if length(sound) < 20*s.rate {
					// ffmpeg takes the next lower one of few blocks.
					tolerance = 0.3
				}
				near("the range", got.Range, want.Range, tolerance)
			}
			if s.integrated != 0 {
				near("the integrated loudness by the standard", got.Integrated, s.integrated, 0.1)
			}
			if s.lra != 0 {
				near("the range by the standard", got.Range, s.lra, 1)
				near("the range by the levels", got.Range, s.lra, 0.1)
			}
			if s.truePeak != 0 {
				near("the true peak by the standard", got.TruePeak, s.truePeak-0.1, 0.3)
			}
		})
	}
}

// writeReadings measures all signals with ffmpeg.
func writeReadings(t *testing.T, file string) {
	readings := make(map[string]reading)
	for _, s := range signals {
		wav := filepath.Join(t.TempDir(), "signal.wav")
		if err := os.WriteFile(wav, floatWAV(s.sound(), s.rate), 0o600); err != nil {
			t.Fatal(err)
		}
		filters := ""
		if s.rate < lowRate {
			filters = "aresample=48000,"
		}
		out, err := exec.Command("ffmpeg", "-hide_banner", "-nostats", "-i", wav, "-af", filters+"ebur128=metadata=1:peak=sample+true,ametadata=print", "-f", "null", "-").CombinedOutput()
		if err != nil {
			t.Fatalf("ffmpeg: %v\n%s", err, out)
		}
		r := reading{Momentary: math.Inf(-1), ShortTerm: math.Inf(-1)}
		for _, m := range regexp.MustCompile(`lavfi\.r128\.(\w+)=(\S+)`).FindAllSubmatch(out, -1) {
			v, err := strconv.ParseFloat(string(m[2]), 64)
			if err != nil {
				continue
			}
			switch string(m[1]) {
			case "I":
				r.Integrated = v
			case "LRA":
				r.Range = v
			case "M":
				r.Momentary = max(r.Momentary, v)
			case "S":
				r.ShortTerm = max(r.ShortTerm, v)
			}
		}
		peaks := regexp.MustCompile(`Peak:\s+(\S+) dBFS`).FindAllSubmatch(out, -1)
		if len(peaks) != 2 {
			t.Fatalf("ffmpeg gives %d peaks, want 2\n%s", len(peaks), out)
		}
		if r.SamplePeak, err = strconv.ParseFloat(string(peaks[0][1]), 64); err != nil {
			t.Fatal(err)
		}
		if r.TruePeak, err = strconv.ParseFloat(string(peaks[1][1]), 64); err != nil {
			t.Fatal(err)
		}
		readings[s.name] = r
	}
	data, err := json.MarshalIndent(readings, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(data, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
}

// floatWAV is a WAV file of 32-bit floats.
func floatWAV(sound [][]float32, rate int) []byte {
	channels, size := len(sound), 4*len(sound)*length(sound)
	b := []byte("RIFF")
	b = binary.LittleEndian.AppendUint32(b, uint32(36+size))
	b = append(b, "WAVEfmt \x10\x00\x00\x00\x03\x00"...)
	b = binary.LittleEndian.AppendUint16(b, uint16(channels))
	b = binary.LittleEndian.AppendUint32(b, uint32(rate))
	b = binary.LittleEndian.AppendUint32(b, uint32(rate*channels*4))
	b = binary.LittleEndian.AppendUint16(b, uint16(channels*4))
	b = binary.LittleEndian.AppendUint16(b, 32)
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(size))
	for i := range length(sound) {
		for _, c := range sound {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(c[i]))
		}
	}
	return b
}

// The coefficients at 48 kHz are those that the standard prints.
func TestKWeightingIsThatOfTheStandard(t *testing.T) {
	t.Parallel()
	k := newKWeight(48000)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"b0", k.b0, 1.53512485958697},
		{"b1", k.b1, -2.69169618940638},
		{"b2", k.b2, 1.19839281085285},
		{"a1", k.a1, -1.69065929318241},
		{"a2", k.a2, 0.73248077421585},
		{"a1 of the high-pass filter", k.c1, -1.99004745483398},
		{"a2 of the high-pass filter", k.c2, 0.99007225036621},
	} {
		if math.Abs(c.got-c.want) > 1e-8 {
			t.Errorf("%s is %.14f, want %.14f", c.name, c.got, c.want)
		}
	}
}

// Other rates weight a tone like 48 kHz does.
func TestKWeightingAtOtherRates(t *testing.T) {
	t.Parallel()
	level := func(rate int, frequency float64) float64 {
		m, err := NewMeter(rate, 1)
		if err != nil {
			t.Fatal(err)
		}
		m.Write([][]float32{sine(rate, rate, frequency, 1, 0)})
		return m.Loudness().Integrated
	}
	for _, frequency := range []float64{30, 100, 500, 1000, 2000, 3000} {
		want := level(48000, frequency)
		for _, test := range []struct {
			rate      int
			tolerance float64
		}{
			// The highest frequencies of low rates are compressed.
			{8000, 0.25}, {11025, 0.2}, {16000, 0.1}, {22050, 0.05}, {44100, 0.01}, {88200, 0.03}, {192_000, 0.04},
		} {
			rate, tolerance := test.rate, test.tolerance
			if got := level(rate, frequency); math.Abs(got-want) > tolerance {
				t.Errorf("%g Hz at %d Hz has %.3f LUFS, want %.3f", frequency, rate, got, want)
			}
		}
	}
}

// Each channel alone, against one in front: 1.41 is 1.5 LU.
func TestWeightsOfChannels(t *testing.T) {
	t.Parallel()
	const rate = 48000
	tone := sine(rate, rate, 1000, Linear(-20), 0)
	inf := math.Inf(-1)
	for channels, want := range [][]float64{
		1: {-23.01},
		2: {-23.01, -23.01},
		3: {-23.01, -23.01, -23.01},
		4: {-23.01, -23.01, -21.52, -21.52},
		5: {-23.01, -23.01, -23.01, -21.52, -21.52},
		6: {-23.01, -23.01, -23.01, inf, -21.52, -21.52},
		7: {-23.01, -23.01, -23.01, inf, -23.01, -21.52, -21.52},
		8: {-23.01, -23.01, -23.01, inf, -23.01, -23.01, -21.52, -21.52},
	} {
		for c, want := range want {
			m, err := NewMeter(rate, channels)
			if err != nil {
				t.Fatal(err)
			}
			sound := make([][]float32, channels)
			for i := range sound {
				sound[i] = make([]float32, rate)
			}
			sound[c] = tone
			m.Write(sound)
			got := m.Loudness()
			if got.Integrated != want && !(math.Abs(got.Integrated-want) < 0.02) {
				t.Errorf("channel %d of %d has %.3f LUFS, want %.3f", c, channels, got.Integrated, want)
			}
			if math.Abs(got.SamplePeak+20) > 0.001 {
				t.Errorf("channel %d of %d has a peak of %.3f dBFS, want -20", c, channels, got.SamplePeak)
			}
		}
	}
}

// Tones of full scale, in the worst phase for samples.
func TestTruePeakOfHighTones(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rate      int
		frequency float64
		least     float64 // in dBTP; no one may be over 0 by 0.1
	}{
		{48000, 997, -0.05}, {48000, 6000, -0.15}, {48000, 12000, -0.2}, {48000, 15997, -0.4}, {48000, 19997, -0.5},
		{44100, 18001, -0.5}, {96000, 19997, -0.3}, {192_000, 19997, -0.3},
	} {
		m, err := NewMeter(test.rate, 1)
		if err != nil {
			t.Fatal(err)
		}
		tone := sine(test.rate, test.rate, test.frequency, 1, math.Pi*test.frequency/float64(test.rate)+math.Pi/2)
		SCurve.FadeIn(tone, 0, int64(test.rate/10))
		m.Write([][]float32{tone})
		if got := m.Loudness().TruePeak; got < test.least || got > 0.1 {
			t.Errorf("%g Hz at %d Hz has %.3f dBTP, want %.3f to 0.1", test.frequency, test.rate, got, test.least)
		}
	}
}

func TestMeterOfWhatIsHardlySound(t *testing.T) {
	t.Parallel()
	inf := math.Inf(-1)
	nan := float32(math.NaN())
	tests := []struct {
		name  string
		rate  int
		sound []float32
		want  Loudness
	}{
		{"nothing", 48000, nil, Loudness{inf, inf, inf, 0, inf, inf, inf, inf}},
		{"silence", 48000, make([]float32, 480_000), Loudness{inf, inf, inf, 0, inf, inf, inf, inf}},
		{"what is not finite", 48000, []float32{nan, float32(math.Inf(1)), nan}, Loudness{inf, inf, inf, 0, inf, inf, inf, inf}},
		{"ten seconds at 1 Hz", 1, []float32{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, Loudness{inf, inf, inf, 0, inf, inf, inf, inf}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m, err := NewMeter(test.rate, 1)
			if err != nil {
				t.Fatal(err)
			}
			m.Write([][]float32{test.sound})
			if got := m.Loudness(); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
			if m.Momentary() != inf || m.ShortTerm() != inf {
				t.Errorf("momentary and short-term are %g and %g, want none", m.Momentary(), m.ShortTerm())
			}
		})
	}
}

func TestMeterOfShortSound(t *testing.T) {
	t.Parallel()
	m, err := NewMeter(48000, 2)
	if err != nil {
		t.Fatal(err)
	}
	tone := sine(48000*35/100, 48000, 1000, Linear(-23), 0)
	m.Write([][]float32{tone, tone})
	got := m.Loudness()
	if math.Abs(got.Integrated+23) > 0.1 || math.Abs(got.Momentary+23) > 0.1 || !math.IsInf(got.ShortTerm, -1) {
		t.Errorf("got %+v, want -23 LUFS", got)
	}
	m.Reset()
	if got := m.Loudness().Integrated; !math.IsInf(got, -1) {
		t.Errorf("after Reset it is %g, want none", got)
	}
}

func TestMeterHasTheSameResultForAllBlocks(t *testing.T) {
	t.Parallel()
	sound := bursts(11025, 3)
	var want Loudness
	for i, size := range []int{1 << 20, 1, 17, 1024, 10_000} {
		m, err := NewMeter(11025, 3)
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < length(sound); at += size {
			m.Write(between(sound, at, min(at+size, length(sound))))
		}
		got := m.Loudness()
		if i == 0 {
			want = got
		}
		for _, d := range []float64{
			got.Integrated - want.Integrated, got.Momentary - want.Momentary, got.ShortTerm - want.ShortTerm,
			got.Range - want.Range, got.TruePeak - want.TruePeak, got.SamplePeak - want.SamplePeak,
		} {
			if !(math.Abs(d) < 1e-5) {
				t.Errorf("in blocks of %d it is %+v, want %+v", size, got, want)
				break
			}
		}
	}
}

func TestMeterShowsTheLastSeconds(t *testing.T) {
	t.Parallel()
	m, err := NewMeter(48000, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range []float64{-20, -40} {
		tone := sine(48000*7/2, 48000, 1000, Linear(level), 0)
		m.Write([][]float32{tone, tone})
		if got := m.Momentary(); math.Abs(got-level) > 0.1 {
			t.Errorf("the momentary loudness is %.2f, want %.2f", got, level)
		}
		if got := m.ShortTerm(); math.Abs(got-level) > 0.1 {
			t.Errorf("the short-term loudness is %.2f, want %.2f", got, level)
		}
	}
}

func TestMeterTakesNoMemoryForBlocks(t *testing.T) {
	m, err := NewMeter(44100, 6)
	if err != nil {
		t.Fatal(err)
	}
	block := bursts(1000, 6)
	if n := testing.AllocsPerRun(10, func() { m.Write(block) }); n != 0 {
		t.Errorf("a block takes %v allocations, want none", n)
	}
}

func BenchmarkMeter(b *testing.B) {
	for name, sound := range map[string][][]float32{"noise": bursts(44100, 2), "chirp": chirp(44100, 2)} {
		b.Run(name, func(b *testing.B) {
			m, err := NewMeter(44100, 2)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				m.Write(sound)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(2*length(sound)), "ns/sample")
		})
	}
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			if _, err := NewMeter(44100, 2); err != nil {
				b.Fatal(err)
			}
		}
	})
}
