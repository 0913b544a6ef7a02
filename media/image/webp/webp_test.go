package webp

import (
	"context"
	"strings"
	"testing"

	"quicksand/media/image"
	"quicksand/media/image/internal/codectest"
)

func TestRoundTrip(t *testing.T) {
	codectest.RoundTrip(t, image.WebP, image.EncodeOptions{Quality: 0.9}, 5)
	codectest.RoundTrip(t, image.WebP, image.EncodeOptions{Lossless: true}, 0.3)
}

func TestQuality(t *testing.T) { codectest.Quality(t, image.WebP) }

func TestCancel(t *testing.T) { codectest.Cancel(t, image.WebP, 1500) }

func TestNoSystemLibrary(t *testing.T) {
	codectest.Sealed(t, map[string][]byte{
		"bbcf68343d79d80ba4ce7bb29215b2943711bd0787f68ff31785c6e2bb044459": zipped,
	})
}

func TestTooLong(t *testing.T) {
	_, err := image.FromSurface(image.New(16384, 1)).Encode(context.Background(), image.WebP, [4]uint8{}, image.EncodeOptions{})
	if err == nil || !strings.Contains(err.Error(), "16384×1: no edge may exceed 16383 pixels") {
		t.Errorf("got %v", err)
	}
}
