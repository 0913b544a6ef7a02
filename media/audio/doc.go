// Package audio decodes, edits and encodes sound. It knows no JavaScript.
//
// Samples are planar float32 with full scale ±1 and are never clipped between steps. A Sound
// is a file, of which only the header was read; a Clip is decoded sound, immutable, and
// shares its samples with the clips that it was cut from. Both are a Source, which gives its
// samples in blocks: what only looks at sound, or writes it, takes a Source, so that a long
// file never lies decoded in memory as a whole.
//
// Integers of n bits are read as x / 2^(n−1) and written as x · 2^(n−1), so that what was
// only cut and joined is written back bit by bit. Writers dither where they reduce the depth
// of what does not lie on their grid already, and only there (Quantizer).
//
// Gains are pending: they add up in decibels and are applied once, where samples leave a
// Clip. −6 dB and then +6 dB is therefore no change at all.
//
// Memory is taken from a Budget before it is taken from the host, decoders run behind a
// recover, and whatever takes long looks at its context at least every CheckFrames frames.
package audio
