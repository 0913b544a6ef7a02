package dsp

import (
	"encoding/binary"
	"math"
	"testing"
)

// FuzzSound sends any samples in any blocks through everything. Lengths must be right, meters
// must give numbers, and the limiter must limit.
func FuzzSound(f *testing.F) {
	f.Add([]byte{0, 0, 0x80, 0x3F, 0, 0, 0xC0, 0x7F, 0, 0, 0x80, 0x7F, 1, 2, 3, 4}, uint32(44100), uint32(48000), byte(2), uint16(3), uint16(5))
	f.Add([]byte("what is no sound at all, but is taken as one"), uint32(768_000), uint32(1), byte(1), uint16(1000), uint16(1))
	f.Add(make([]byte, 4000), uint32(7), uint32(48000), byte(8), uint16(100), uint16(7))
	f.Fuzz(func(t *testing.T, data []byte, from, to uint32, channels byte, in, out uint16) {
		var (
			a, b = int(from%MaxRate) + 1, int(to%MaxRate) + 1
			n    = int(channels%MaxChannels) + 1
			size = int(in%5000) + 1
			room = int(out%5000) + 1
		)
		frames := min(len(data)/4/n, 20_000)
		if ResampledFrames(int64(frames), a, b) > 100_000 {
			b = a // of which there would be too many
		}
		sound := make([][]float32, n)
		for c := range sound {
			for i := range frames {
				sound[c] = append(sound[c], math.Float32frombits(binary.LittleEndian.Uint32(data[4*(i*n+c):])))
			}
		}

		r, err := NewResampler(a, b, n, Quality(channels>>4))
		if err != nil {
			t.Fatal(err)
		}
		resampled := pieces(r, sound, size, room)
		if got, want := length(resampled), int(ResampledFrames(int64(frames), a, b)); got != want {
			t.Errorf("%d frames from %d to %d Hz become %d, want %d", frames, a, b, got, want)
		}

		l, err := NewLimiter(a, n, LimiterOptions{Gain: float64(out%40) - 20})
		if err != nil {
			t.Fatal(err)
		}
		limited := pieces(l, sound, size, room)
		if length(limited) != frames {
			t.Errorf("%d frames are %d after the limiter", frames, length(limited))
		}

		m, err := NewMeter(a, n)
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < frames; at += size {
			m.Write(between(limited, at, min(at+size, frames)))
		}
		loud := m.Loudness()
		if !(loud.TruePeak <= -1) || !(loud.SamplePeak <= loud.TruePeak) {
			t.Errorf("after the limiter it has %+v", loud)
		}
		m.Reset()
		m.Write(sound)
		loud = m.Loudness()
		for _, v := range []float64{loud.Integrated, loud.Momentary, loud.ShortTerm, loud.Range, loud.RangeLow, loud.RangeHigh, loud.TruePeak, loud.SamplePeak} {
			if math.IsNaN(v) || v > 700 {
				t.Errorf("it is measured as %+v", loud)
				break
			}
		}
	})
}
