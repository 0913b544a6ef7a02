package dsp_test

import (
	"context"
	"fmt"
	"math"

	"quicksand/media/audio/dsp"
)

// A tone of one second is resampled and brought to −16 LUFS.
func Example() {
	tone := make([]float32, 44100)
	for i := range tone {
		tone[i] = float32(0.01 * math.Sin(2*math.Pi*997*float64(i)/44100))
	}
	ctx := context.Background()

	out := [][]float32{make([]float32, dsp.ResampledFrames(44100, 44100, 48000))}
	if err := dsp.Resample(ctx, out, [][]float32{tone}, 44100, 48000, dsp.High); err != nil {
		fmt.Println(err)
		return
	}
	gain, loudness, err := dsp.Normalize(ctx, out, 48000, -16, -1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d frames, %+.1f dB, %.1f LUFS, peak %.1f dBTP\n", len(out[0]), gain, loudness.Integrated, loudness.TruePeak)
	// Output: 48000 frames, +27.0 dB, -16.0 LUFS, peak -13.0 dBTP
}

// A Meter takes sound in blocks.
func ExampleMeter() {
	m, err := dsp.NewMeter(48000, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	block := make([]float32, 48000)
	for i := range block {
		block[i] = float32(0.1 * math.Sin(2*math.Pi*float64(i)/48))
	}
	for range 5 {
		m.Write([][]float32{block, block})
	}
	l := m.Loudness()
	fmt.Printf("%.1f LUFS, range %.1f LU, peak %.1f dBTP\n", l.Integrated, l.Range, l.TruePeak)
	// Output: -20.0 LUFS, range 0.0 LU, peak -20.0 dBTP
}
