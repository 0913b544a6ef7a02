// Package dsp is signal processing for sound: resampling, loudness, limiting, dither, fades,
// spectra and mixing of channels.
//
// Sound is planar: a [][]float32 has one slice for each channel, all of the same length, with
// full scale ±1; a frame is one sample of each channel. Nothing here clips. Whatever has
// state works in blocks of any size and gives the same result for every division into blocks,
// takes a fixed amount of memory, is reset by Reset and is for one goroutine at a time.
//
// What turns sound into sound is a Processor. Its delay is removed: frame n of what it
// writes belongs to frame n of what it took, at the same time.
//
// Samples that are not finite are not avoided by filters of finite length, which pass them on
// to their neighbours; meters and the limiter take them as 0.
package dsp

import (
	"fmt"
	"math"
)

// Limits of this package.
const (
	// MaxChannels is the most channels that a Processor or a Meter takes.
	MaxChannels = 8
	// MinRate and MaxRate are the sampling rates that are taken, in Hz.
	MinRate, MaxRate = 1, 768_000
)

func checkFormat(rate, channels int) error {
	if err := checkRate(rate); err != nil {
		return err
	}
	if channels < 1 || channels > MaxChannels {
		return fmt.Errorf("%d channels are outside of the limits of 1 to %d", channels, MaxChannels)
	}
	return nil
}

func checkRate(rate int) error {
	if rate < MinRate || rate > MaxRate {
		return fmt.Errorf("a sampling rate of %d Hz is outside of the limits of %d to %d Hz", rate, MinRate, MaxRate)
	}
	return nil
}

// Linear is the factor of a gain in dB. That of −∞ is 0.
func Linear(dB float64) float64 { return math.Pow(10, dB/20) }

// Decibels is 20 log₁₀ of the absolute value of a factor, −∞ for 0.
func Decibels(factor float64) float64 { return 20 * math.Log10(math.Abs(factor)) }
