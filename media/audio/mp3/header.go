package mp3

import "encoding/binary"

// A header is that of a frame (ISO/IEC 11172-3 §2.4.1.3; 13818-3 §2.4.1.3 for version 2, and
// 2.5 is as 2 with half of the rates).
type header struct {
	kind     uint32 // the bits that are the same in all frames of a file, of the first four bytes
	version  int    // 1, 2, or 3 for 2.5
	layer    int
	checked  bool // two bytes of checksum follow
	rate     int
	rates    int // the index of the rate among all nine, in falling order by version
	bitRate  int // 0 is the free format
	size     int // of the frame in bytes, 0 if free
	mono     bool
	ms       bool // joint stereo: middle and side
	intense  bool // joint stereo: intensity
	granules int
}

// bitRates are in kbit/s, of layer III, for version 1 and the others.
var bitRates = [2][16]int{
	{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
	{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
}

var sampleRates = [9]int{44100, 48000, 32000, 22050, 24000, 16000, 11025, 12000, 8000}

// parseHeader reads the header that b begins with. It reports false for what is none. The
// size is that of layer III.
func parseHeader(b []byte) (h header, ok bool) {
	if len(b) < 4 || b[0] != 0xFF || b[1]&0xE0 != 0xE0 {
		return h, false
	}
	version, layer, index, rate := b[1]>>3&3, 4-int(b[1]>>1&3), b[2]>>4, int(b[2]>>2&3)
	if version == 1 || layer == 4 || index == 15 || rate == 3 || b[3]&3 == 2 {
		return h, false
	}
	h.kind = binary.BigEndian.Uint32(b) & kindMask
	h.version = [4]int{3, 0, 2, 1}[version]
	h.layer = layer
	h.checked = b[1]&1 == 0
	h.rates = 3*(h.version-1) + rate
	h.rate = sampleRates[h.rates]
	h.granules = 2
	slots := 144
	if h.version > 1 {
		h.granules, slots = 1, 72
	}
	h.bitRate = 1000 * bitRates[min(h.version-1, 1)][index]
	if h.bitRate > 0 {
		h.size = slots*h.bitRate/h.rate + int(b[2]>>1&1)
	}
	h.mono = b[3]>>6 == 3
	if b[3]>>6 == 1 {
		h.ms, h.intense = b[3]&0x20 != 0, b[3]&0x10 != 0
	}
	return h, true
}

// sideSize is how many bytes of side information the frame has.
func (h header) sideSize() int {
	switch {
	case h.version == 1 && !h.mono:
		return 32
	case h.version > 1 && h.mono:
		return 9
	}
	return 17
}

// mainStart is where main data begins in a frame.
func (h header) mainStart() int {
	if h.checked {
		return 6 + h.sideSize()
	}
	return 4 + h.sideSize()
}

// frames is how many samples of each channel it has.
func (h header) frames() int { return 576 * h.granules }

func (h header) channels() int {
	if h.mono {
		return 1
	}
	return 2
}

// kindMask are the bits of the mark that each frame begins with, of the version, the layer and
// the sampling rate.
const kindMask = 0xFFFE0C00

// A walker finds the frames of a file in order.
type walker struct {
	data []byte
	at   int
	kind uint32
}

// next is the next frame. The last one may be cut off behind its side information, as far as the
// file is. It reports false behind it.
func (w *walker) next() (header, []byte, bool) {
	synced := true
	for w.at+4 <= len(w.data) {
		// Most places of what is no frame are told by this alone.
		if binary.BigEndian.Uint32(w.data[w.at:])&kindMask != w.kind {
			synced = false
			w.at++
			continue
		}
		h, ok := parseHeader(w.data[w.at:])
		if ok && h.size >= h.mainStart() {
			end := w.at + h.size
			if synced && end > len(w.data) && w.at+h.mainStart() <= len(w.data) {
				end = len(w.data)
			}
			if end <= len(w.data) && (synced || w.follows(end)) {
				frame := w.data[w.at:end]
				w.at = end
				return h, frame, true
			}
		}
		// Behind bytes that are no frame, a frame counts only with another one behind it.
		synced = false
		w.at++
	}
	return header{}, nil, false
}

// follows reports whether a frame, or the end of the file, is at a place.
func (w *walker) follows(at int) bool {
	if at == len(w.data) {
		return true
	}
	h, ok := parseHeader(w.data[at:])
	return ok && h.kind == w.kind
}
