package audio

import (
	"encoding/binary"
	"fmt"
	"math"
)

func init() { Register(AIFF, pcmDecoder(parseAIFF)) }

// parseAIFF reads the header of an AIFF or AIFF-C file (Audio Interchange File Format 1.3;
// AIFF-C draft of 1991). Its numbers are big-endian.
func parseAIFF(data []byte) (pcm, error) {
	p := pcm{container: "aiff"}
	compressed := string(data[8:12]) == "AIFC"
	if compressed {
		p.container = "aifc"
	}
	var (
		common []byte
		sound  []byte
		at     = 12
	)
	for count := 0; at+8 <= len(data) && (common == nil || sound == nil); count++ {
		if count == maxChunks {
			return p, FormatError(fmt.Sprintf("the file has more than %d chunks", maxChunks))
		}
		id, size := string(data[at:at+4]), uint64(binary.BigEndian.Uint32(data[at+4:]))
		at += 8
		rest := data[at:]
		chunk := rest[:min(size, uint64(len(rest)))]
		switch id {
		case "COMM":
			if common == nil {
				common = chunk
			}
		case "SSND":
			if sound == nil {
				if len(chunk) < 8 {
					return p, FormatError("the SSND chunk is too short")
				}
				offset := uint64(binary.BigEndian.Uint32(chunk))
				sound = chunk[8:]
				sound = sound[min(offset, uint64(len(sound))):]
			}
		}
		if size >= uint64(len(rest)) {
			break
		}
		at += int(size + size%2)
	}
	if common == nil {
		return p, FormatError("the file has no COMM chunk")
	}
	frames, err := p.aiffCommon(common, compressed)
	if err != nil {
		return p, err
	}
	if sound == nil && frames > 0 {
		return p, FormatError("the file has no SSND chunk")
	}
	// Zero frames are what a writer leaves that did not come to its end.
	if size := frames * uint64(p.stride); frames > 0 && size < uint64(len(sound)) {
		sound = sound[:size]
	}
	p.data = sound
	return p, nil
}

// aiffCommon reads a COMM chunk.
func (p *pcm) aiffCommon(b []byte, compressed bool) (frames uint64, err error) {
	be := binary.BigEndian
	if len(b) < 18 || compressed && len(b) < 22 {
		return 0, FormatError("the COMM chunk is too short")
	}
	p.channels, frames = int(be.Uint16(b)), uint64(be.Uint32(b[2:]))
	width := (int(be.Uint16(b[6:])) + 7) / 8
	p.rate = int(extended(b[8:18]))
	if err := CheckFormat(p.rate, p.channels, -1); err != nil {
		return 0, err
	}
	p.sample = sample{width: width, big: true}
	codec := "NONE"
	if compressed {
		codec = string(b[18:22])
	}
	switch codec {
	case "NONE", "twos":
	case "sowt":
		p.sample.big = false
	case "in24":
		p.sample.width = 3
	case "in32":
		p.sample.width = 4
	case "42ni":
		p.sample = sample{width: 3}
	case "23ni":
		p.sample = sample{width: 4}
	case "raw ":
		p.sample = sample{kind: unsigned, width: 1}
	case "fl32", "FL32":
		p.sample = sample{kind: floating, width: 4, big: true}
	case "fl64", "FL64":
		p.sample = sample{kind: floating, width: 8, big: true}
	case "alaw", "ALAW":
		p.sample = sample{kind: aLaw, width: 1}
	case "ulaw", "ULAW":
		p.sample = sample{kind: muLaw, width: 1}
	default:
		return 0, FormatError(fmt.Sprintf("the codec %q in AIFF-C is not supported", codec))
	}
	if w := p.sample.width; p.sample.kind == signed && (w < 1 || w > 4) {
		return 0, FormatError(fmt.Sprintf("samples of %d bytes are not supported in AIFF", w))
	}
	p.stride = p.sample.width * p.channels
	return frames, nil
}

// extended is an 80-bit floating-point number (IEEE 754), rounded to an integer from 0 to
// 2^31 − 1.
func extended(b []byte) int64 {
	exponent := int(binary.BigEndian.Uint16(b))
	if exponent >= 0x8000 {
		return 0 // negative
	}
	x := math.Ldexp(float64(binary.BigEndian.Uint64(b[2:])), exponent-16383-63)
	return int64(math.Round(min(x, math.MaxInt32)))
}
