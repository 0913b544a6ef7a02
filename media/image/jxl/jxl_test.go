package jxl

import (
	"testing"

	"quicksand/media/image"
	"quicksand/media/image/internal/codectest"
)

func TestGoldenPictures(t *testing.T) {
	codectest.Golden(t, ".jxl", map[string]codectest.Tolerance{"": {Max: 3, Mean: 0.5}, "lossless": {}, "lossless-alpha": {Max: 1, Mean: 0.5}, "lossless-16bit": {Max: 1, Mean: 0.5}})
}

func TestRoundTrip(t *testing.T) {
	codectest.RoundTrip(t, image.JXL, image.EncodeOptions{Quality: 0.9}, 4)
	codectest.RoundTrip(t, image.JXL, image.EncodeOptions{Lossless: true}, 0.3)
}

func TestQuality(t *testing.T) { codectest.Quality(t, image.JXL) }

func TestCancel(t *testing.T) { codectest.Cancel(t, image.JXL, 1000) }

func TestDamagedFiles(t *testing.T) { codectest.Damaged(t, ".jxl") }

func TestNoSystemLibrary(t *testing.T) {
	codectest.Sealed(t, map[string][]byte{
		"9ab633d753803618fb8984743f37507eed76eae740b928c9fee6a6aad7e6a19f": zippedDecoder,
		"1f6add2cf9a731f84ffda6f321ed5ea20423af6224758b259f20fae762a3bee5": zippedEncoder,
	})
}

func FuzzJXL(f *testing.F) { codectest.Fuzz(f, ".jxl") }
