package audio_test

import (
	"context"
	"fmt"
	"math"

	"quicksand/media"
	"quicksand/media/audio"
	"quicksand/media/audio/dsp"
)

// A file is opened, cut, faded and written again. Samples are quantized once, at the end.
func Example() {
	ctx := context.Background()
	budget := media.NewBudget(64 << 20)
	file := tone()

	sound, err := audio.Open(file, budget)
	if err != nil {
		fmt.Println(err)
		return
	}
	info := sound.Info()
	fmt.Println(info.Container, info.Codec, info.Rate, "Hz", info.Channels, "channel", info.Seconds, "s")

	part, err := sound.Trim(ctx, 0.25, 0.75)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer part.Release()
	faded, err := part.FadeOut(ctx, 0.1, dsp.SCurve)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer faded.Release()
	out, err := audio.Encode(ctx, audio.WAV, faded, audio.EncodeOptions{}, budget)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(faded.Seconds(), "s in", len(out), "bytes")

	// Output:
	// wav pcm-s16 8000 Hz 1 channel 1 s
	// 0.5 s in 8044 bytes
}

// Voice over music that begins half a second earlier and is quieter.
func ExampleMix() {
	ctx := context.Background()
	voice, _ := audio.Silence(nil, 2, 48000, 1)
	music, _ := audio.Silence(nil, 3, 44100, 2)
	mix, err := audio.Mix(ctx, audio.MixOptions{Sum: true, Limit: true},
		audio.Input{Clip: voice, At: 0.5},
		audio.Input{Clip: music, Gain: -12})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mix.Seconds(), "s,", mix.Rate(), "Hz,", mix.Channels(), "channels")
	// Output: 3 s, 48000 Hz, 2 channels
}

func ExampleWaveform() {
	clip, _ := audio.NewClip(nil, 8000, [][]float32{{0, 0.5, 0.25, -1}})
	buckets, _ := audio.Waveform(context.Background(), clip, 2)
	for _, b := range buckets[0] {
		fmt.Printf("%v to %v, RMS %.3f\n", b.Min, b.Max, b.RMS)
	}
	// Output:
	// 0 to 0.5, RMS 0.354
	// -1 to 0.25, RMS 0.729
}

// tone is a WAV file: 440 Hz for a second.
func tone() []byte {
	samples := make([]float32, 8000)
	for i := range samples {
		samples[i] = float32(math.Sin(2 * math.Pi * 440 * float64(i) / 8000))
	}
	clip, err := audio.NewClip(nil, 8000, [][]float32{samples})
	if err != nil {
		panic(err)
	}
	data, err := audio.Encode(context.Background(), audio.WAV, clip, audio.EncodeOptions{}, nil)
	if err != nil {
		panic(err)
	}
	return data
}
