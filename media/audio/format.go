package audio

import "bytes"

// A Format is a file format, by the name that guests see.
type Format string

// Formats that Sniff tells apart.
const (
	WAV      Format = "wav"  // RIFF, RF64 and BW64
	AIFF     Format = "aiff" // AIFF and AIFF-C
	MP3      Format = "mp3"  // MPEG audio of all layers, without a container
	FLAC     Format = "flac" // native
	Vorbis   Format = "ogg"  // Vorbis in Ogg
	Opus     Format = "opus" // Opus in Ogg
	OggFLAC  Format = "oggflac"
	AAC      Format = "aac" // ADTS
	M4A      Format = "m4a" // MP4 and QuickTime
	Matroska Format = "mkv"
	WebM     Format = "webm"
	Unknown  Format = "unknown"
)

// MIME is the format's media type.
func (f Format) MIME() string {
	switch f {
	case MP3:
		return "audio/mpeg"
	case Vorbis, Opus, OggFLAC:
		return "audio/ogg"
	case M4A:
		return "audio/mp4"
	case Matroska:
		return "audio/x-matroska"
	case Unknown:
		return "application/octet-stream"
	}
	return "audio/" + string(f)
}

// Container is the name of what holds the format's codec, for Info.
func (f Format) Container() string {
	switch f {
	case Vorbis, Opus, OggFLAC:
		return "ogg"
	case AAC:
		return "adts"
	case M4A:
		return "mp4"
	}
	return string(f)
}

// MaxJunk is how far Sniff looks for the first frame of an MPEG audio file behind bytes that
// are none, in bytes. What TrimID3 takes off does not count.
const MaxJunk = 64 << 10

// Sniff tells the format of a file by its first bytes. That it has a format does not mean
// that it is well formed.
func Sniff(data []byte) Format {
	if len(data) >= 12 {
		switch string(data[:4]) {
		case "RIFF", "RF64", "BW64":
			if string(data[8:12]) == "WAVE" {
				return WAV
			}
			return Unknown
		case "FORM":
			if t := string(data[8:12]); t == "AIFF" || t == "AIFC" {
				return AIFF
			}
			return Unknown
		}
		if string(data[4:8]) == "ftyp" {
			return M4A
		}
	}
	switch {
	case bytes.HasPrefix(data, []byte("OggS")):
		return sniffOgg(data)
	case bytes.HasPrefix(data, []byte("\x1A\x45\xDF\xA3")):
		if bytes.Contains(data[:min(len(data), 64)], []byte("webm")) {
			return WebM
		}
		return Matroska
	}
	rest := TrimID3(data)
	switch {
	case bytes.HasPrefix(rest, []byte("fLaC")):
		return FLAC
	case isADTS(rest):
		return AAC
	case MPEGStart(rest) >= 0, isFreeFormat(rest):
		return MP3
	}
	return Unknown
}

// sniffOgg looks at the first packets of the first pages, one of each stream (RFC 3533 §6), for
// the first codec of sound that is known.
func sniffOgg(data []byte) Format {
	for begin := true; len(data) >= 27 && string(data[:4]) == "OggS" && (begin || data[5]&2 != 0); begin = false {
		at := 27 + int(data[26])
		if at > len(data) {
			break
		}
		packet := data[at:]
		switch {
		case bytes.HasPrefix(packet, []byte("OpusHead")):
			return Opus
		case bytes.HasPrefix(packet, []byte("\x01vorbis")):
			return Vorbis
		case bytes.HasPrefix(packet, []byte("\x7FFLAC")):
			return OggFLAC
		}
		for _, n := range data[27:at] {
			at += int(n)
		}
		data = data[min(at, len(data)):]
	}
	return Unknown
}

// TrimID3 is data behind the ID3v2 tags that it begins with (id3.org, ID3v2.4.0 §3.1), and
// behind zeros before and after them. It shares memory with data.
func TrimID3(data []byte) []byte {
	for {
		data = bytes.TrimLeft(data, "\x00")
		if len(data) < 10 || string(data[:3]) != "ID3" || data[3] == 0xFF || data[4] == 0xFF {
			return data
		}
		size := 0
		for _, b := range data[6:10] {
			if b >= 0x80 {
				return data
			}
			size = size<<7 | int(b)
		}
		size += 10
		if data[5]&0x10 != 0 {
			size += 10 // the footer
		}
		data = data[min(size, len(data)):]
	}
}

// isADTS reports whether data begins with a frame of AAC that another one follows, if there
// is so much of it (ISO/IEC 13818-7 §6.2).
func isADTS(data []byte) bool {
	for range 2 {
		if len(data) < 7 {
			return false
		}
		size := int(data[3]&3)<<11 | int(data[4])<<3 | int(data[5])>>5
		if data[0] != 0xFF || data[1]&0xF6 != 0xF0 || data[2]>>2&15 > 12 || size < 7 {
			return false
		}
		if size >= len(data) {
			return true
		}
		data = data[size:]
	}
	return true
}

// MPEGStart is where the first frame of MPEG audio in data begins: a header that a second one
// of the same kind follows, or the end of data. It looks at most MaxJunk bytes far, and is −1
// without one. Whoever has an ID3v2 tag in front trims it first.
func MPEGStart(data []byte) int {
	for at := 0; at+4 <= len(data) && at <= MaxJunk; at++ {
		if data[at] != 0xFF {
			i := bytes.IndexByte(data[at:], 0xFF)
			if i < 0 {
				return -1
			}
			at += i - 1
			continue
		}
		h, ok := parseMPEG(data[at:])
		if !ok {
			continue
		}
		next := at + h.size
		if next == len(data) {
			return at
		}
		if next < len(data) {
			if n, ok := parseMPEG(data[next:]); ok && n.kind == h.kind {
				return at
			}
			// A tag may follow the only frame.
			if at == 0 && bytes.HasPrefix(data[next:], []byte("TAG")) {
				return at
			}
		}
	}
	return -1
}

// isFreeFormat reports whether data begins with a frame of layer III without a bit rate, whose
// size only the next frame tells. No decoder here reads it, but it can be named.
func isFreeFormat(data []byte) bool {
	if len(data) < 4 || data[0] != 0xFF || data[1]&0xE6 != 0xE2 || data[1]&0x18 == 0x08 || data[2]&0xF0 != 0 || data[2]&0x0C == 0x0C {
		return false
	}
	const longest = 2881 // of a frame, at 640 kbit/s and 32 kHz
	next := data[4:min(len(data), longest+4)]
	return bytes.Contains(next, []byte{0xFF, data[1], data[2]}) || bytes.Contains(next, []byte{0xFF, data[1], data[2] ^ 2})
}

// An mpegHeader is what of a frame's header matters here.
type mpegHeader struct {
	kind uint32 // version, layer and sampling rate, which do not change within a file
	size int    // of the frame in bytes
}

// bitrates of MPEG audio in kbit/s (ISO/IEC 11172-3 §2.4.2.3, 13818-3 §2.4.2.3): of version 1
// by layer, and of version 2 by layer I and others.
var bitrates = [5][15]int{
	{0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448},
	{0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384},
	{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
	{0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256},
	{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
}

func parseMPEG(b []byte) (h mpegHeader, ok bool) {
	if len(b) < 4 || b[0] != 0xFF || b[1]&0xE0 != 0xE0 {
		return h, false
	}
	version, layer := b[1]>>3&3, 4-int(b[1]>>1&3)
	index, rate, pad := int(b[2]>>4), int(b[2]>>2&3), int(b[2]>>1&1)
	if version == 1 || layer == 4 || index == 0 || index == 15 || rate == 3 {
		return h, false
	}
	hz := []int{44100, 48000, 32000}[rate]
	table, slots := layer-1, 144
	if version != 3 {
		hz /= 2
		if version == 0 {
			hz /= 2
		}
		table = 3 + min(layer-1, 1)
		if layer == 3 {
			slots = 72
		}
	}
	bits := bitrates[table][index] * 1000
	h.kind = uint32(b[1]&0xFE)<<8 | uint32(b[2]&0x0C)
	if layer == 1 {
		h.size = (12*bits/hz + pad) * 4
	} else {
		h.size = slots*bits/hz + pad
	}
	return h, true
}
