// Package flac reads and writes FLAC (RFC 9639), and registers itself with package audio.
//
// A Decoder gives the integers of a file frame by frame, an Encoder takes integers and gives
// a file. Both work in memory and know nothing of package audio's clips, so that they can be
// used alone.
//
// # Damaged files
//
// FLAC is for what must not lose anything, and each frame has a checksum. A frame that is
// damaged, or missing, is therefore an error which says where it is, rather than a gap. What
// follows the last frame that the header promises (tags of other formats, mostly) is left
// alone.
//
// A file that was cut off is as long as its whole frames are, for package audio, as files of
// other formats are. To a Decoder it is an error, after those frames.
//
// # Memory
//
// Decoding takes one frame's samples, 2 MB at most, whatever a file declares. Encoding takes
// some frames of 4096 samples for each processor, besides the file itself.
package flac
