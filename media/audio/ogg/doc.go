// Package ogg reads Vorbis and Opus from Ogg files, and writes Opus. Importing it registers
// the formats audio.Vorbis and audio.Opus.
//
// The container (RFC 3533), the decoder of Vorbis (Vorbis I specification, xiph.org) and the
// mapping of Opus (RFC 7845) are implemented here; Opus itself (RFC 6716) is a library.
//
// Of a file with several streams the first that has the codec is read, and of a chain of
// files the first one. Durations are those of the granule positions, with what encoders add
// at both ends taken off, so that Info.Frames is exact; damaged packets of Opus are silence
// of their length, and damaged packets of Vorbis are left out.
//
// Channels are in the order of WAVE_FORMAT_EXTENSIBLE, as everywhere in package audio, and
// not in that of the files.
package ogg
