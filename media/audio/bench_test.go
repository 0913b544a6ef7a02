package audio

import (
	"io"
	"testing"

	"quicksand/media/audio/dsp"
)

// minute is a minute of stereo at 44.1 kHz, with samples that are not of 16 bits.
func minute(b *testing.B) *Clip {
	b.Helper()
	return clipAt(b, 44100, noise(60*44100, 1), noise(60*44100, 2))
}

func bench(b *testing.B, f func(c *Clip) (*Clip, error)) {
	c := minute(b)
	b.SetBytes(8 * c.Frames())
	for b.Loop() {
		n, err := f(c)
		if err != nil {
			b.Fatal(err)
		}
		n.Release()
	}
}

// What is pending is applied when samples are read: backwards, with a fade of five seconds.
func BenchmarkReadPending(b *testing.B) {
	bench(b, func(c *Clip) (*Clip, error) {
		r, err := c.Reverse()
		if err != nil {
			return nil, err
		}
		f, err := r.FadeIn(background, 5, dsp.EqualPower)
		if err != nil {
			return nil, err
		}
		return f, f.Blocks(background, func([][]float32) error { return nil })
	})
}

func BenchmarkConcat(b *testing.B) {
	bench(b, func(c *Clip) (*Clip, error) { return Concat(background, c, c) })
}

func BenchmarkMix(b *testing.B) {
	bench(b, func(c *Clip) (*Clip, error) { return Mix(background, MixOptions{}, Input{Clip: c}, Input{Clip: c}) })
}

func BenchmarkNormalize(b *testing.B) {
	bench(b, func(c *Clip) (*Clip, error) { return c.Normalize(background, 0) })
}

func BenchmarkWaveform(b *testing.B) {
	c := minute(b)
	b.SetBytes(8 * c.Frames())
	for b.Loop() {
		if _, err := Waveform(background, c, 1000); err != nil {
			b.Fatal(err)
		}
	}
}

// The file is written from samples of 16 bits, with and without a gain, which needs dither.
func BenchmarkWriteWAV(b *testing.B) {
	c := decoded(b, benchFile(b))
	quiet := must(c.Gain(-1))(b)
	for name, test := range map[string]struct {
		c *Clip
		o EncodeOptions
	}{"16": {c, EncodeOptions{}}, "16dither": {quiet, EncodeOptions{}}, "24": {c, EncodeOptions{Depth: 24}}, "float": {c, EncodeOptions{Float: true}}} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(8 * c.Frames())
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Encode(background, WAV, test.c, test.o, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func benchFile(b *testing.B) []byte {
	return must(Encode(background, WAV, minute(b), EncodeOptions{NoDither: true}, nil))(b)
}

// Bytes are those of the samples that come out.
func BenchmarkReadWAV(b *testing.B) {
	c := minute(b)
	for name, o := range map[string]EncodeOptions{"16": {}, "24": {Depth: 24}, "float": {Float: true}} {
		data := must(Encode(background, WAV, c, o, nil))(b)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(8 * c.Frames())
			b.ReportAllocs()
			for b.Loop() {
				s, err := Open(data, nil)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := s.Clip(background); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"stream", func(b *testing.B) {
			b.SetBytes(8 * c.Frames())
			b.ReportAllocs()
			dst := planesOf(2, BlockFrames)
			d, _ := decoder(WAV)
			for b.Loop() {
				r, err := d.Open(data)
				for err == nil {
					_, err = r.Read(dst)
				}
				if err != io.EOF {
					b.Fatal(err)
				}
			}
		})
	}
}
