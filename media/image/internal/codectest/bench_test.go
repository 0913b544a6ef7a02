package codectest_test

import (
	"context"
	"testing"

	"quicksand/media/image"
	_ "quicksand/media/image/avif"
	_ "quicksand/media/image/jxl"
	_ "quicksand/media/image/webp"
)

func BenchmarkLibraries(b *testing.B) {
	s := image.New(800, 600)
	for i := 0; i < len(s.Pix); i += 4 {
		x, y := i/4%800, i/4/800
		n := (x*7919 + y*104729 + x*y*31) % 13
		copy(s.Pix[i:], []byte{byte(x/4 + n), byte(y/3 + n), byte((x+y)/7 + n), 255})
	}
	for _, f := range []image.Format{image.WebP, image.AVIF, image.JXL} {
		data, err := image.FromSurface(s).Encode(context.Background(), f, [4]uint8{}, image.EncodeOptions{Quality: 0.8})
		if err != nil {
			b.Fatal(err)
		}
		p, err := image.Open(data, nil)
		if err != nil {
			b.Fatal(err)
		}
		p.Surface(context.Background())
		b.Run(string(f)+" encode", func(b *testing.B) {
			for b.Loop() {
				image.FromSurface(s).Encode(context.Background(), f, [4]uint8{}, image.EncodeOptions{Quality: 0.8})
			}
			b.ReportMetric(float64(len(data)), "bytes")
		})
		b.Run(string(f)+" decode", func(b *testing.B) {
			for b.Loop() {
				p.Drop()
				if _, err := p.Surface(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
