package flac

import (
	"context"
	"fmt"
	"io"
	"testing"

	"quicksand/media/audio"
)

// benchFrames are ten seconds.
const benchFrames = 10 * 44100

func perSample(b *testing.B, samples int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(samples), "ns/sample")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkDecode decodes integers, as a Decoder gives them.
func BenchmarkDecode(b *testing.B) {
	for _, i := range []int{0, 5, 15} {
		s := signals[i]
		file := encodeAll(b, s.info(benchFrames), s.samples(benchFrames), Options{})
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				d, err := NewDecoder(file)
				if err != nil {
					b.Fatal(err)
				}
				for {
					if _, err := d.Next(); err == io.EOF {
						break
					} else if err != nil {
						b.Fatal(err)
					}
				}
			}
			perSample(b, benchFrames*s.channels)
		})
	}
}

// BenchmarkRead decodes to floating-point numbers, as sounds are.
func BenchmarkRead(b *testing.B) {
	s := signals[0]
	file := encodeAll(b, s.info(benchFrames), s.samples(benchFrames), Options{})
	dst := [][]float32{make([]float32, audio.BlockFrames), make([]float32, audio.BlockFrames)}
	for b.Loop() {
		r, err := open(file)
		if err != nil {
			b.Fatal(err)
		}
		for {
			if _, err := r.Read(dst); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
	perSample(b, benchFrames*s.channels)
}

// BenchmarkEncode encodes integers, on all processors.
func BenchmarkEncode(b *testing.B) {
	s := signals[0]
	planes := s.samples(benchFrames)
	for _, effort := range []int{1, 5, 7, 10} {
		b.Run(fmt.Sprint("effort ", effort), func(b *testing.B) {
			b.ReportAllocs()
			size := 0
			for b.Loop() {
				e, err := NewEncoder(s.info(benchFrames), Options{Effort: effort})
				if err != nil {
					b.Fatal(err)
				}
				if err := e.Write(planes); err != nil {
					b.Fatal(err)
				}
				file, err := e.Finish()
				if err != nil {
					b.Fatal(err)
				}
				size = len(file)
			}
			perSample(b, benchFrames*s.channels)
			b.ReportMetric(float64(size)*8/benchFrames/float64(s.channels), "bits/sample")
		})
	}
}

// BenchmarkFrame encodes a frame, on one processor, without the sum of all samples.
func BenchmarkFrame(b *testing.B) {
	s := signals[0]
	planes := s.samples(BlockFrames)
	f := newFrameEncoder(effortOf(5), s.depth, s.rate, BlockFrames)
	for b.Loop() {
		f.encode(1, planes)
	}
	perSample(b, BlockFrames*s.channels)
}

// BenchmarkWrite encodes a clip, from floating-point numbers.
func BenchmarkWrite(b *testing.B) {
	s := signals[0]
	c := clip(b, s, benchFrames)
	for b.Loop() {
		if _, err := audio.Encode(context.Background(), audio.FLAC, c, audio.EncodeOptions{}, nil); err != nil {
			b.Fatal(err)
		}
	}
	perSample(b, benchFrames*s.channels)
}
