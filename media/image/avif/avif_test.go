package avif

import (
	"testing"

	"quicksand/media/image"
	"quicksand/media/image/internal/codectest"
)

func TestGoldenPictures(t *testing.T) {
	// avifdec and this decoder convert to RGB by different roundings; with chroma of half the
	// size the interpolation differs at edges, too.
	codectest.Golden(t, ".avif", map[string]codectest.Tolerance{
		"": {Max: 3, Mean: 0.6}, "8bit-420": {Max: 60, Mean: 4}, "12bit": {Max: 40, Mean: 2.5}, "alpha": {Max: 3, Mean: 0.6},
	})
}

func TestRoundTrip(t *testing.T) {
	codectest.RoundTrip(t, image.AVIF, image.EncodeOptions{Quality: 0.9}, 6)
	codectest.RoundTrip(t, image.AVIF, image.EncodeOptions{Lossless: true}, 3)
}

func TestQuality(t *testing.T) { codectest.Quality(t, image.AVIF) }

func TestCancel(t *testing.T) { codectest.Cancel(t, image.AVIF, 1500) }

func TestDamagedFiles(t *testing.T) { codectest.Damaged(t, ".avif") }

func TestNoSystemLibrary(t *testing.T) {
	codectest.Sealed(t, map[string][]byte{
		"1ee2423413384d54b3fa4e2882424d60a2a05f5fe7ec573535fdb6b531071a9b": zippedDecoder,
		"af09b7698dc6034049cb8cd09378f5fd8f34de6079443bfb0240c208b1f3b670": zippedEncoder,
	})
}

func FuzzAVIF(f *testing.F) { codectest.Fuzz(f, ".avif") }
