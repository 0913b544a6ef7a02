package ogg

import (
	"bytes"
	"context"
	"errors"
	"math"
	"testing"

	"quicksand/media/audio"
	"quicksand/media/audio/dsp"
	"quicksand/media/audio/internal/codectest"
)

// tones is a sound with a tone of its own in each channel.
func tones(t testing.TB, rate, channels, frames int) *audio.Clip {
	t.Helper()
	planes := make([][]float32, channels)
	for c := range planes {
		planes[c] = make([]float32, frames)
		for i := range planes[c] {
			planes[c][i] = float32(0.25 * math.Sin(2*math.Pi*tone(c)*float64(i)/float64(rate)))
		}
	}
	clip, err := audio.NewClip(nil, rate, planes)
	if err != nil {
		t.Fatal(err)
	}
	return clip
}

// tone is low in the fourth channel, which is that of low frequencies.
func tone(c int) float64 { return []float64{310, 530, 810, 70, 1130, 1710, 2130, 2690}[c] }

func TestOpusRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("sounds of up to eight channels are encoded twice")
	}
	for _, test := range []struct {
		name                   string
		rate, channels, frames int
		o                      audio.EncodeOptions
	}{
		{"stereo at 48 kHz", 48000, 2, 48001, audio.EncodeOptions{}},
		{"stereo at 44.1 kHz", 44100, 2, 44100, audio.EncodeOptions{BitRate: 96000}},
		{"mono at 8 kHz", 8000, 1, 7999, audio.EncodeOptions{Effort: 1}},
		{"5.1 at 96 kHz", 96000, 6, 48000, audio.EncodeOptions{Effort: 10}},
		{"three channels", 48000, 3, 30000, audio.EncodeOptions{}},
		{"four channels", 48000, 4, 30000, audio.EncodeOptions{}},
		{"five channels", 48000, 5, 30000, audio.EncodeOptions{}},
		{"seven channels", 48000, 7, 30000, audio.EncodeOptions{}},
		{"eight channels", 48000, 8, 30000, audio.EncodeOptions{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			clip := tones(t, test.rate, test.channels, test.frames)
			data, err := audio.Encode(context.Background(), audio.Opus, clip, test.o, nil)
			if err != nil {
				t.Fatal(err)
			}
			again, err := audio.Encode(context.Background(), audio.Opus, clip, test.o, nil)
			if err != nil || !bytes.Equal(data, again) {
				t.Errorf("the same sound gives other bytes (%v)", err)
			}
			got, info := codectest.Decode(t, data)
			want := dsp.ResampledFrames(int64(test.frames), test.rate, opusRate)
			if info.Frames != want || info.Rate != opusRate || len(got) != test.channels {
				t.Fatalf("info is %+v, want %d frames", info, want)
			}
			// Both ends are left out, where resampling and coding begin and stop.
			for c, p := range got {
				signal, noise := 0.0, 0.0
				for i := 2000; i < len(p)-2000; i++ {
					v := 0.25 * math.Sin(2*math.Pi*tone(c)*float64(i)/opusRate)
					signal += v * v
					noise += (v - float64(p[i])) * (v - float64(p[i]))
				}
				if dB := 10 * math.Log10(signal/noise); dB < 12 {
					t.Errorf("channel %d: the tone is %.1f dB above the rest, want 12", c, dB)
				}
			}
		})
	}
}

// Sounds of any length, also of none, keep it.
func TestOpusLength(t *testing.T) {
	for _, frames := range []int{0, 1, 647, 648, 649, 960, 961, 48000*3 + 1} {
		data, err := audio.Encode(context.Background(), audio.Opus, tones(t, 48000, 1, frames), audio.EncodeOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := codectest.Decode(t, data); len(got[0]) != frames {
			t.Errorf("%d frames, want %d", len(got[0]), frames)
		}
	}
}

func TestOpusPages(t *testing.T) {
	data, err := audio.Encode(context.Background(), audio.Opus, tones(t, 48000, 2, 3*48000), audio.EncodeOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var granules []int64
	r := pages{data: data}
	for n := uint32(0); ; n++ {
		p, ok := r.next()
		if !ok {
			break
		}
		if p.sequence != n || p.flags&continued != 0 || p.flags&first != 0 != (n == 0) || p.flags&last != 0 != (r.at == len(data)) {
			t.Errorf("page %d has number %d and flags %d", n, p.sequence, p.flags)
		}
		granules = append(granules, p.granule)
	}
	// Two pages of headers, then a second on each; 312 frames of delay.
	want := []int64{0, 0, 48000, 96000, 144000, 144312}
	if len(granules) != len(want) {
		t.Fatalf("granules are %d, want %d", granules, want)
	}
	for i, g := range granules {
		if g != want[i] {
			t.Errorf("granules are %d, want %d", granules, want)
			break
		}
	}
	if r.wasted != 0 {
		t.Errorf("%d bytes have a wrong checksum", r.wasted)
	}
}

func TestOpusOptions(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, test := range []struct {
		name string
		ctx  context.Context
		o    audio.EncodeOptions
		want string
	}{
		{"a bit rate that is too low is refused", context.Background(), audio.EncodeOptions{BitRate: 11999}, "the bit rate in bits a second is 11999, under the limit of 12000 (OpusBitRate)"},
		{"a bit rate that is too high is refused", context.Background(), audio.EncodeOptions{BitRate: 512001}, "the bit rate in bits a second is 512001, over the limit of 512000 (OpusBitRate)"},
		{"an effort above 10 is refused", context.Background(), audio.EncodeOptions{Effort: 11}, "effort is 11, over the limit of 10 (Effort)"},
		{"a depth is refused", context.Background(), audio.EncodeOptions{Depth: 24}, "depth is for formats without loss, and Opus has none"},
		{"a context that is done ends it", cancelled, audio.EncodeOptions{}, "context canceled"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := audio.Encode(test.ctx, audio.Opus, tones(t, 48000, 2, 5000), test.o, nil)
			if err == nil || err.Error() != test.want {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	var limit *audio.LimitError
	if _, err := audio.Encode(context.Background(), audio.Opus, tones(t, 48000, 1, 100), audio.EncodeOptions{BitRate: 1}, nil); !errors.As(err, &limit) || limit.Limit != "OpusBitRate" {
		t.Errorf("got %v, want a LimitError", err)
	}
}

// What is no number, or far too loud, is encoded as something that is one.
func TestOpusWildSamples(t *testing.T) {
	p := make([]float32, 9600)
	for i := range p {
		p[i] = []float32{float32(math.NaN()), float32(math.Inf(1)), -1e30, 0.5}[i/100%4]
	}
	clip, err := audio.NewClip(nil, 48000, [][]float32{p})
	if err != nil {
		t.Fatal(err)
	}
	data, err := audio.Encode(context.Background(), audio.Opus, clip, audio.EncodeOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := codectest.Decode(t, data)
	for i, v := range got[0] {
		if !(math.Abs(float64(v)) < 100) {
			t.Fatalf("frame %d is %g", i, v)
		}
	}
}

func BenchmarkEncodeOpus(b *testing.B) {
	clip := tones(b, 48000, 2, 10*48000)
	b.SetBytes(10 * 48000 * 8)
	for b.Loop() {
		if _, err := audio.Encode(context.Background(), audio.Opus, clip, audio.EncodeOptions{BitRate: 128000}, nil); err != nil {
			b.Fatal(err)
		}
	}
}
