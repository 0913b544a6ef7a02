package flac

import (
	"encoding/binary"
	"math/bits"
)

// A frameHeader is what comes in front of the samples of a frame (RFC 9639 §9.1).
type frameHeader struct {
	size     int // of itself in bytes, with its checksum
	variable bool
	number   uint64 // of the frame, or of its first sample if variable
	block    int    // samples of each channel
	rate     int    // 0 for that of STREAMINFO
	channels int
	stereo   stereoMode
	depth    int // 0 for that of STREAMINFO
}

// A stereoMode says what the two channels of a frame are made of (RFC 9639 §9.1.3).
type stereoMode uint8

const (
	independent stereoMode = iota // also for all that is not stereo
	leftSide
	sideRight
	midSide
)

var (
	depthCodes = [8]int{0, 8, 12, -1, 16, 20, 24, 32}
	rateCodes  = [12]int{0, 88200, 176400, 192000, 8000, 16000, 22050, 24000, 32000, 44100, 48000, 96000}
)

// parseFrameHeader reads a header at the beginning of b, and reports false if there is none.
func parseFrameHeader(b []byte) (h frameHeader, ok bool) {
	if len(b) < 6 || b[0] != 0xFF || b[1]&0xFE != 0xF8 || b[3]&1 != 0 {
		return h, false
	}
	h.variable = b[1]&1 != 0
	blockCode, rateCode := b[2]>>4, b[2]&15
	switch mode := b[3] >> 4; {
	case mode < 8:
		h.channels = int(mode) + 1
	case mode <= 10:
		h.channels, h.stereo = 2, stereoMode(mode-7)
	default:
		return h, false
	}
	if h.depth = depthCodes[b[3]>>1&7]; h.depth < 0 {
		return h, false
	}
	n := 0
	if h.number, n = codedNumber(b[4:]); n == 0 {
		return h, false
	}
	at := 4 + n
	// What follows is at most four bytes and the checksum.
	var tail [5]byte
	copy(tail[:], b[at:])
	i := 0
	switch {
	case blockCode == 0:
		return h, false
	case blockCode == 1:
		h.block = 192
	case blockCode <= 5:
		h.block = 144 << blockCode
	case blockCode == 6:
		h.block, i = int(tail[0])+1, 1
	case blockCode == 7:
		h.block, i = int(binary.BigEndian.Uint16(tail[:]))+1, 2
	default:
		h.block = 1 << blockCode
	}
	switch {
	case rateCode < 12:
		h.rate = rateCodes[rateCode]
	case rateCode == 12:
		h.rate = int(tail[i]) * 1000
		i++
	case rateCode == 15:
		return h, false
	default:
		h.rate = int(binary.BigEndian.Uint16(tail[i:]))
		if rateCode == 14 {
			h.rate *= 10
		}
		i += 2
	}
	h.size = at + i + 1
	if h.size > len(b) || crc8(b[:h.size-1]) != b[h.size-1] {
		return h, false
	}
	return h, true
}

// codedNumber reads a number of up to 36 bits in the way of UTF-8 (RFC 9639 §9.1.5). n is how
// many bytes it takes, 0 if there is none.
func codedNumber(b []byte) (x uint64, n int) {
	n = bits.LeadingZeros8(^b[0])
	switch n {
	case 0:
		return uint64(b[0]), 1
	case 1, 8:
		return 0, 0
	}
	if n > len(b) {
		return 0, 0
	}
	x = uint64(b[0]) & (1<<(7-n) - 1)
	for _, c := range b[1:n] {
		if c&0xC0 != 0x80 {
			return 0, 0
		}
		x = x<<6 | uint64(c&0x3F)
	}
	return x, n
}

// appendCodedNumber writes such a number.
func appendCodedNumber(b []byte, x uint64) []byte {
	if x < 0x80 {
		return append(b, byte(x))
	}
	// n bytes hold 5n+1 bits.
	n := 2
	for x>>(5*n+1) != 0 {
		n++
	}
	b = append(b, byte(0xFF<<(8-n))|byte(x>>(6*(n-1))))
	for i := n - 2; i >= 0; i-- {
		b = append(b, 0x80|byte(x>>(6*i))&0x3F)
	}
	return b
}

// append writes the header of a frame. Blocks and rates that have a code are written with it,
// and rates that do not fit are left to STREAMINFO.
func (h *frameHeader) append(b []byte) []byte {
	start := len(b)
	var blockCode, rateCode, depthCode byte
	var tail []byte
	switch k := bits.TrailingZeros(uint(h.block)); {
	case k >= 8 && h.block == 1<<k:
		blockCode = byte(k)
	case h.block <= 256:
		blockCode, tail = 6, append(tail, byte(h.block-1))
	default:
		blockCode, tail = 7, binary.BigEndian.AppendUint16(tail, uint16(h.block-1))
	}
	for i, r := range rateCodes {
		if r == h.rate {
			rateCode = byte(i)
		}
	}
	switch {
	case rateCode != 0:
	case h.rate%1000 == 0 && h.rate <= 255_000:
		rateCode, tail = 12, append(tail, byte(h.rate/1000))
	case h.rate <= 65535:
		rateCode, tail = 13, binary.BigEndian.AppendUint16(tail, uint16(h.rate))
	case h.rate%10 == 0 && h.rate <= 655_350:
		rateCode, tail = 14, binary.BigEndian.AppendUint16(tail, uint16(h.rate/10))
	}
	for i, d := range depthCodes {
		if d == h.depth {
			depthCode = byte(i)
		}
	}
	mode := byte(h.channels - 1)
	if h.stereo != independent {
		mode = 7 + byte(h.stereo)
	}
	b = append(b, 0xFF, 0xF8, blockCode<<4|rateCode, mode<<4|depthCode<<1)
	b = appendCodedNumber(b, h.number)
	b = append(b, tail...)
	return append(b, crc8(b[start:]))
}
