package flac

import (
	"math"
	"math/rand/v2"
)

// A signal is what tests encode and decode: it has everything that the format can express.
type signal struct {
	name                  string
	rate, channels, depth int
	at                    func(rng *rand.Rand, channel, i int) float64 // full scale is ±1
}

func sine(hz, rate float64, i int) float64 { return math.Sin(2 * math.Pi * hz * float64(i) / rate) }

// chord is a tone of each channel with overtones that die away, and a little noise.
func chord(rate float64) func(*rand.Rand, int, int) float64 {
	return func(rng *rand.Rand, c, i int) float64 {
		hz := []float64{220, 277.2, 329.6, 55, 440, 523.3, 131, 660}[c]
		x, decay := 0.0, math.Exp(-float64(i%11025)/4000)
		for k := 1.0; k <= 8; k++ {
			x += sine(hz*k, rate, i) / (k * k)
		}
		return 0.4*x*decay + 0.0008*rng.NormFloat64()
	}
}

// wide is a voice in the middle with an echo to one side.
func wide(rng *rand.Rand, c, i int) float64 {
	x := 0.3*sine(180+20*sine(3, 44100, i), 44100, i) + 0.2*sine(1200, 44100, i)
	return x*[]float64{1, 0.93}[c] + 0.004*rng.NormFloat64()
}

var signals = []signal{
	{"tones in stereo", 44100, 2, 16, chord(44100)},
	{"a voice in the middle", 44100, 2, 16, wide},
	{"one channel", 22050, 1, 16, chord(22050)},
	{"left only", 44100, 2, 16, func(r *rand.Rand, c, i int) float64 { return float64(1-c) * chord(44100)(r, 0, i) }},
	{"channels in opposition", 44100, 2, 16, func(_ *rand.Rand, c, i int) float64 {
		return float64(1-2*c) * (0.5*sine(333, 44100, i) + 0.2*sine(5000, 44100, i))
	}},
	{"24 bits", 48000, 2, 24, chord(48000)},
	{"5.1 in 24 bits", 96000, 6, 24, chord(96000)},
	{"eight channels", 48000, 8, 16, chord(48000)},
	{"three channels of 20 bits", 32000, 3, 20, chord(32000)},
	{"8 bits", 11025, 1, 8, chord(11025)},
	{"12 bits at an odd rate", 12345, 2, 12, chord(12345)},
	{"13 bits at a rate without a code", 768000, 1, 13, chord(768000)},
	{"32 bits", 44100, 2, 32, wide},
	{"silence", 44100, 2, 16, func(*rand.Rand, int, int) float64 { return 0 }},
	{"a constant", 44100, 2, 16, func(_ *rand.Rand, c, _ int) float64 { return 0.25 - 0.5*float64(c) }},
	{"noise of full scale", 44100, 2, 16, func(r *rand.Rand, _, _ int) float64 { return 2*r.Float64() - 1 }},
	{"noise of full scale in 32 bits", 44100, 2, 32, func(r *rand.Rand, _, _ int) float64 { return 2*r.Float64() - 1 }},
	{"quiet noise", 44100, 2, 16, func(r *rand.Rand, _, _ int) float64 { return 0.003 * r.NormFloat64() }},
	{"a square wave of extremes", 44100, 2, 16, func(_ *rand.Rand, c, i int) float64 { return float64(2*((i+c)/37%2) - 1) }},
	{"extremes at random in 24 bits", 44100, 2, 24, func(r *rand.Rand, _, _ int) float64 { return float64(2*r.IntN(2) - 1) }},
	{"extremes at random in 32 bits", 44100, 2, 32, func(r *rand.Rand, _, _ int) float64 { return float64(2*r.IntN(2) - 1) }},
	{"clicks in silence", 44100, 2, 16, func(r *rand.Rand, _, i int) float64 {
		if i%977 == 500 {
			return 2*r.Float64() - 1
		}
		return 0
	}},
	{"wasted bits", 44100, 2, 24, func(r *rand.Rand, c, i int) float64 {
		return math.Round(chord(44100)(r, c, i)*2048) / 2048
	}},
	{"a tone that stops", 44100, 2, 16, func(_ *rand.Rand, _, i int) float64 {
		if i%4096 > 1500 {
			return 0
		}
		return 0.7 * sine(997, 44100, i)
	}},
}

// samples are the first frames of a signal, planar. They are the same each time.
func (s signal) samples(frames int) [][]int32 {
	scale := math.Ldexp(1, s.depth-1)
	planes := make([][]int32, s.channels)
	for c := range planes {
		rng := rand.New(rand.NewPCG(uint64(len(s.name)), uint64(c)))
		planes[c] = make([]int32, frames)
		for i := range planes[c] {
			v := math.Round(s.at(rng, c, i) * scale)
			planes[c][i] = int32(min(max(v, -scale), scale-1))
		}
	}
	return planes
}

func (s signal) info(frames int) Info {
	return Info{Rate: s.rate, Channels: s.channels, Depth: s.depth, Frames: int64(frames)}
}
