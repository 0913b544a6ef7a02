package text

import "math"

// A Tone is how light a colour is, of eight steps. The coverage of glyphs depends on it, as in
// Chromium under Linux: light strokes come out bolder and dark ones thinner, as if edges were
// mixed in linear light on a ground of the opposite tone.
type Tone uint8

const tones = 8

// MiddleTone is that of what has more than one colour.
const MiddleTone Tone = 3

// toneGamma and toneContrast are those of Chromium.
const (
	toneGamma    = 1.2
	toneContrast = 0.2
)

// ToneOf is the tone of a straight colour, whatever its alpha.
func ToneOf(c [4]uint8) Tone {
	return Tone((54*int(c[0]) + 183*int(c[1]) + 19*int(c[2])) >> 8 >> 5)
}

// toned has for each tone what becomes of a coverage.
var toned = func() (all [tones][256]uint8) {
	for tone := range all {
		ink := float64(tone<<5|tone<<2|tone>>1) / 255
		ground := 1 - ink
		linearInk, linearGround := math.Pow(ink, toneGamma), math.Pow(ground, toneGamma)
		for i := range all[tone] {
			a := float64(i) / 255
			a += float64((1-a)*a) * linearGround * toneContrast
			mixed := math.Pow(float64(linearInk*a)+float64(linearGround*(1-a)), 1/toneGamma)
			all[tone][i] = uint8(math.Round(255 * (mixed - ground) / (ink - ground)))
		}
	}
	return all
}()
