// Package mp3 reads MPEG audio layer III: versions 1, 2 and 2.5 (ISO/IEC 11172-3, 13818-3).
// Importing it registers the format audio.MP3.
//
// Files begin and end where the sound did before it was encoded, if the encoder left its delay
// and padding in a Xing or Info frame. Durations are counted in frames of the file, which are
// looked through when it is opened. Tags, at both ends, and bytes that are no frames are
// passed over. A frame that cannot be decoded is silence.
//
// The decoder is written from the standard. It computes in float32 and gives floats: the
// rounding errors are some 40 dB below those of a decoder of 16 bits, and what an encoder
// made louder than full scale is not clipped.
package mp3
