package audio

import (
	"encoding/binary"
	"fmt"
	"math"
)

func init() {
	Register(WAV, pcmDecoder(parseWAV))
	RegisterEncoder(WAV, Encoder{Encode: encodeWAV, MIME: "audio/wav"})
}

// Tags of codecs in WAV files (RFC 2361, mmreg.h).
const (
	tagPCM        = 1
	tagFloat      = 3
	tagALaw       = 6
	tagMuLaw      = 7
	tagExtensible = 0xFFFE
)

// otherTags are the names of codecs that are found in WAV files and not read.
var otherTags = map[uint16]string{
	0x02: "Microsoft ADPCM",
	0x11: "IMA ADPCM",
	0x31: "GSM 06.10",
	0x40: "G.721 ADPCM",
	0x45: "G.726 ADPCM",
	0x50: "MPEG audio",
	0x55: "MP3",
	0xFF: "AAC",
}

// maxChunks is how many chunks a file may have.
const maxChunks = 100_000

// parseWAV reads the header of a file of the kinds RIFF, RF64 and BW64 (Multimedia
// Programming Interface and Data Specifications 1.0; EBU Tech 3306; ITU-R BS.2088). It
// forgives what is found in practice: data that is longer than the file, or of a size which
// the writer did not know, and chunks of odd size without their padding.
func parseWAV(data []byte) (pcm, error) {
	le := binary.LittleEndian
	p := pcm{container: "wav"}
	large := string(data[:4]) != "RIFF"
	if large {
		p.container = map[bool]string{true: "rf64", false: "bw64"}[data[1] == 'F']
	}
	var (
		format []byte
		found  bool
		size64 uint64
		at     = 12
	)
	for count := 0; at+8 <= len(data) && !(found && format != nil); count++ {
		if count == maxChunks {
			return p, FormatError(fmt.Sprintf("the file has more than %d chunks", maxChunks))
		}
		id, size := string(data[at:at+4]), uint64(le.Uint32(data[at+4:]))
		at += 8
		rest := data[at:]
		switch id {
		case "data":
			if found {
				break // only the first one counts, and chunksFill takes its time
			}
			switch {
			case large && size == math.MaxUint32:
				size = size64
				if size == 0 {
					size = math.MaxUint64
				}
			case size == 0 && !chunksFill(rest):
				size = math.MaxUint64
			}
			p.data, found = rest[:min(size, uint64(len(rest)))], true
		case "fmt ":
			if format == nil {
				format = rest[:min(size, uint64(len(rest)))]
			}
		case "ds64":
			if size >= 16 && len(rest) >= 16 {
				size64 = le.Uint64(rest[8:])
			}
		}
		if size >= uint64(len(rest)) {
			break
		}
		at += int(size)
		if size%2 == 1 && !(at+4 <= len(data) && isChunkID(data[at:]) && !(at+5 <= len(data) && isChunkID(data[at+1:]))) {
			at++
		}
	}
	if format == nil {
		return p, FormatError("the file has no fmt chunk")
	}
	if err := p.wavFormat(format); err != nil {
		return p, err
	}
	if !found {
		return p, FormatError("the file has no data chunk")
	}
	return p, nil
}

// chunksFill reports whether data is chunks up to its end, or nothing.
func chunksFill(data []byte) bool {
	for range maxChunks {
		if len(data) <= 1 {
			return true
		}
		if len(data) < 8 || !isChunkID(data) {
			return false
		}
		size := 8 + uint64(binary.LittleEndian.Uint32(data[4:]))
		size += size % 2
		if size > uint64(len(data)) {
			return false
		}
		data = data[size:]
	}
	return false
}

// isChunkID reports whether data begins with the four letters of a chunk.
func isChunkID(data []byte) bool {
	for _, b := range data[:4] {
		if !(b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == ' ' || b == '_') {
			return false
		}
	}
	return data[0] != ' '
}

// wavFormat reads a fmt chunk.
func (p *pcm) wavFormat(b []byte) error {
	le := binary.LittleEndian
	if len(b) < 16 {
		return FormatError(fmt.Sprintf("the fmt chunk is of %d bytes, and must be of at least 16", len(b)))
	}
	tag := le.Uint16(b)
	p.channels, p.stride = int(le.Uint16(b[2:])), int(le.Uint16(b[12:]))
	bits := int(le.Uint16(b[14:]))
	rate := le.Uint32(b[4:])
	p.rate = int(min(rate, math.MaxInt32))
	if tag == tagExtensible {
		if len(b) < 40 {
			return FormatError(fmt.Sprintf("the fmt chunk is of %d bytes, and must be of 40 for its codec", len(b)))
		}
		tag = le.Uint16(b[24:])
	}
	if err := CheckFormat(p.rate, p.channels, -1); err != nil {
		return err
	}
	// Samples of 12 or 20 bits are at the upper end of whole bytes.
	width := (bits + 7) / 8
	if p.stride > 0 && p.stride%p.channels == 0 {
		width = p.stride / p.channels
	} else {
		p.stride = width * p.channels
	}
	ok := false
	p.sample.width = width
	switch tag {
	case tagPCM:
		ok = width >= 1 && width <= 4
		if width == 1 {
			p.sample.kind = unsigned
		}
	case tagFloat:
		p.sample.kind = floating
		ok = width == 4 || width == 8
	case tagALaw, tagMuLaw:
		p.sample.kind = aLaw
		if tag == tagMuLaw {
			p.sample.kind = muLaw
		}
		ok = width == 1
	default:
		if name := otherTags[tag]; name != "" {
			return FormatError(name + " in WAV is not supported")
		}
		return FormatError(fmt.Sprintf("the codec 0x%04X in WAV is not supported", tag))
	}
	if !ok {
		return FormatError(fmt.Sprintf("samples of %d bytes are not supported for the codec 0x%04X in WAV", width, tag))
	}
	return nil
}
