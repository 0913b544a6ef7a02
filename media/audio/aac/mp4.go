package aac

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"quicksand/media/audio"
)

var be = binary.BigEndian

// maxBoxes is how many boxes are looked at in one box.
const maxBoxes = 10_000

// boxes calls f for the boxes in data, until it returns false (ISO/IEC 14496-12 §4.2).
func boxes(data []byte, f func(kind string, body []byte) bool) {
	for range maxBoxes {
		if len(data) < 8 {
			return
		}
		size, head := uint64(be.Uint32(data)), uint64(8)
		switch {
		case size == 0:
			size = uint64(len(data))
		case size == 1 && len(data) >= 16:
			size, head = be.Uint64(data[8:]), 16
		}
		if size < head {
			return
		}
		size = min(size, uint64(len(data)))
		if !f(string(data[4:8]), data[head:size]) {
			return
		}
		data = data[size:]
	}
}

// box is the first box at the end of a path, nil without one.
func box(data []byte, path ...string) []byte {
	for _, kind := range path {
		var found []byte
		boxes(data, func(k string, body []byte) bool {
			if k == kind {
				found = body
			}
			return found == nil
		})
		if found == nil {
			return nil
		}
		data = found
	}
	return data
}

// A table is entries of so many numbers of 32 bits behind their count, which is cut to what
// there is.
type table struct {
	data  []byte
	count int
	width int // in numbers
}

// newTable reads the table of a box, behind skip bytes.
func newTable(body []byte, skip, width int) table {
	if len(body) < skip+4 {
		return table{width: width}
	}
	rest := body[skip+4:]
	return table{rest, int(min(uint64(be.Uint32(body[skip:])), uint64(len(rest)/(4*width)))), width}
}

func (t table) at(i, k int) uint32 { return be.Uint32(t.data[4*(i*t.width+k):]) }

// A track is the sound of an MP4 file.
type track struct {
	file    []byte
	size    uint32 // of each unit, 0 for sizes
	sizes   table
	count   int
	runs    table // stsc: first chunk, units in each, description
	offsets table // stco, or co64 with two numbers each
}

// parseMP4 reads the header of the first track of AAC in a file.
func parseMP4(data []byte) (*stream, error) {
	moov := box(data, "moov")
	if moov == nil {
		return nil, audio.FormatError("the MP4 file has no moov box")
	}
	var (
		s      *stream
		reason error = audio.FormatError("no audio track found")
	)
	boxes(moov, func(kind string, trak []byte) bool {
		if kind != "trak" {
			return true
		}
		if hdlr := box(trak, "mdia", "hdlr"); len(hdlr) < 12 || string(hdlr[8:12]) != "soun" {
			return true
		}
		n, err := parseTrack(data, moov, trak)
		if err != nil {
			reason = err
			return true
		}
		s = n
		return false
	})
	if s == nil {
		return nil, reason
	}
	return s, nil
}

func parseTrack(data, moov, trak []byte) (*stream, error) {
	stbl := box(trak, "mdia", "minf", "stbl")
	stsd := box(stbl, "stsd")
	if len(stsd) < 8 {
		return nil, audio.FormatError("the track has no description")
	}
	var codec string
	var entry []byte
	boxes(stsd[8:], func(kind string, body []byte) bool {
		codec, entry = kind, body
		return false
	})
	switch {
	case codec == "enca":
		return nil, audio.FormatError("encrypted MP4 is not supported")
	case codec != "mp4a":
		return nil, audio.FormatError(fmt.Sprintf("the codec %q in MP4 is not supported", codec))
	case len(entry) < 28:
		return nil, audio.FormatError("the description of the track is cut off")
	}
	// QuickTime has longer entries, and the esds box in another one.
	head := 28 + map[uint16]int{1: 16, 2: 36}[be.Uint16(entry[8:])]
	inner := entry[min(head, len(entry)):]
	esds := box(inner, "esds")
	if esds == nil {
		esds = box(inner, "wave", "esds")
	}
	config, err := decoderConfig(esds)
	if err != nil {
		return nil, err
	}
	info, err := readConfig(config)
	if err != nil {
		return nil, err
	}
	t := track{file: data, runs: newTable(box(stbl, "stsc"), 4, 3), offsets: newTable(box(stbl, "stco"), 4, 1)}
	if t.offsets.data == nil {
		t.offsets = newTable(box(stbl, "co64"), 4, 2)
	}
	stsz := box(stbl, "stsz")
	if len(stsz) < 12 {
		return nil, audio.FormatError("the track has no sizes of access units")
	}
	if t.size = be.Uint32(stsz[4:]); t.size == 0 {
		t.sizes = newTable(stsz, 8, 1)
		t.count = t.sizes.count
	} else {
		// Each one takes at least a byte of the file.
		t.count = int(min(uint64(be.Uint32(stsz[8:])), uint64(len(data))/uint64(t.size)))
	}
	if t.count == 0 && box(moov, "mvex") != nil {
		return nil, audio.FormatError("fragmented MP4 is not supported")
	}
	s := &stream{info: info, config: config, units: t.units}
	s.skip, s.info.Frames = gapless(moov, trak, stbl, info.Rate, int64(t.count)*frameSize)
	if t.count > 0 {
		total := int64(t.count) * int64(t.size)
		for i := range t.sizes.count {
			total += int64(t.sizes.at(i, 0))
		}
		s.info.BitRate = int(float64(total) * 8 * float64(info.Rate) / (float64(t.count) * frameSize))
	}
	return s, nil
}

// decoderConfig is the AudioSpecificConfig in an esds box (ISO/IEC 14496-1 §7.2.6).
func decoderConfig(esds []byte) ([]byte, error) {
	const cut = audio.FormatError("the description of the track is damaged")
	if len(esds) < 4 {
		return nil, cut
	}
	// next is the body of the descriptor of a tag that data begins with.
	next := func(data []byte, tag byte) []byte {
		if len(data) < 2 || data[0] != tag {
			return nil
		}
		size := 0
		for i, b := range data[1:min(len(data), 5)] {
			size = size<<7 | int(b&0x7F)
			if b&0x80 == 0 {
				rest := data[2+i:]
				return rest[:min(size, len(rest))]
			}
		}
		return nil
	}
	es := next(esds[4:], 3)
	if len(es) < 3 {
		return nil, cut
	}
	flags, es := es[2], es[3:]
	skip := 0
	if flags&0x80 != 0 {
		skip += 2
	}
	if flags&0x40 != 0 && len(es) > skip {
		skip += 1 + int(es[skip])
	}
	if flags&0x20 != 0 {
		skip += 2
	}
	if skip > len(es) {
		return nil, cut
	}
	dec := next(es[skip:], 4)
	if len(dec) < 13 {
		return nil, cut
	}
	switch dec[0] {
	case 0x40, 0x66, 0x67, 0x68:
	case 0x69, 0x6B:
		return nil, audio.FormatError("MP3 in MP4 is not supported")
	default:
		return nil, audio.FormatError(fmt.Sprintf("the codec 0x%02X in MP4 is not supported", dec[0]))
	}
	config := next(dec[13:], 5)
	if len(config) < 2 {
		return nil, cut
	}
	return config, nil
}

// readConfig reads an AudioSpecificConfig (ISO/IEC 14496-3 §1.6.2.1).
func readConfig(c []byte) (audio.Info, error) {
	objectType := int(c[0] >> 3)
	rateIndex := int(c[0]&7)<<1 | int(c[1]>>7)
	channels := int(c[1] >> 3 & 15)
	if objectType == 31 {
		objectType = 32 + int(c[0]&7)<<3 + int(c[1]>>5)
	}
	if err := check(objectType, rateIndex, channels); err != nil {
		return audio.Info{}, err
	}
	if c[1]&4 != 0 {
		return audio.Info{}, audio.FormatError("AAC with access units of 960 frames is not supported")
	}
	return audio.Info{Container: "mp4", Codec: "aac", Rate: rates[rateIndex], Channels: channels}, nil
}

// gapless is how many frames of all are the encoder's delay, and how many are the sound.
func gapless(moov, trak, stbl []byte, rate int, all int64) (skip, frames int64) {
	if delay, n, ok := iTunSMPB(moov); ok && delay <= all && n <= all-delay {
		return delay, n
	}
	frames = all
	mdhd := box(trak, "mdia", "mdhd")
	scale := timescale(mdhd)
	if scale == 0 {
		return 0, frames
	}
	inFrames := func(n, scale uint64) int64 {
		return int64(min(math.Round(float64(n)*float64(rate)/float64(scale)), float64(all)))
	}
	// The last access unit lasts only as long as its sound.
	stts := newTable(box(stbl, "stts"), 4, 2)
	ticks := uint64(0)
	for i := range stts.count {
		ticks += uint64(stts.at(i, 0)) * uint64(stts.at(i, 1))
	}
	if ticks > 0 {
		frames = inFrames(ticks, scale)
	}
	// The first edit that is not empty says what of the track is shown.
	elst := box(trak, "edts", "elst")
	if len(elst) < 8 {
		return 0, frames
	}
	width := 12
	if elst[0] == 1 {
		width = 20
	}
	for list := elst[8:]; len(list) >= width; list = list[width:] {
		length, start := uint64(be.Uint32(list)), int64(int32(be.Uint32(list[4:])))
		if width == 20 {
			length, start = be.Uint64(list), int64(be.Uint64(list[8:]))
		}
		if start < 0 {
			continue
		}
		skip = min(inFrames(uint64(start), scale), frames)
		frames -= skip
		// Lengths are in the movie's units, often of a millisecond, which are too coarse to
		// tell the last frame: only what is clearly less is a cut.
		if movie := timescale(box(moov, "mvhd")); movie > 0 && length > 0 {
			if n := inFrames(length, movie); n < frames-inFrames(2, movie) {
				frames = n
			}
		}
		break
	}
	return skip, frames
}

// timescale is the units of a second in an mvhd or mdhd box, 0 without one.
func timescale(head []byte) uint64 {
	at := 12
	if len(head) > 0 && head[0] == 1 {
		at = 20
	}
	if len(head) < at+4 {
		return 0
	}
	return uint64(be.Uint32(head[at:]))
}

// iTunSMPB is what the comment of that name says: the delay and the length in frames. Its
// words are hexadecimal: something, delay, padding, length.
func iTunSMPB(moov []byte) (delay, frames int64, ok bool) {
	meta := box(moov, "udta", "meta")
	if len(meta) < 4 {
		return 0, 0, false
	}
	boxes(box(meta[4:], "ilst"), func(kind string, body []byte) bool {
		name, value := box(body, "name"), box(body, "data")
		if kind != "----" || len(name) < 4 || string(name[4:]) != "iTunSMPB" || len(value) < 8 {
			return true
		}
		words := strings.Fields(string(value[8:min(len(value), 200)]))
		if len(words) < 4 {
			return false
		}
		d, err := strconv.ParseUint(words[1], 16, 32)
		n, err2 := strconv.ParseUint(words[3], 16, 48)
		delay, frames, ok = int64(d), int64(n), err == nil && err2 == nil && n > 0
		return false
	})
	return delay, frames, ok
}

// units goes through the access units. It ends where the file does.
func (t track) units() func() ([]byte, error) {
	var (
		unit, chunk, run int
		left             uint32 // units in the chunk
		at               uint64
	)
	return func() ([]byte, error) {
		if unit >= t.count {
			return nil, io.EOF
		}
		for left == 0 {
			if chunk >= t.offsets.count || t.runs.count == 0 {
				return nil, io.EOF
			}
			for run+1 < t.runs.count && uint64(t.runs.at(run+1, 0)) <= uint64(chunk)+1 {
				run++
			}
			left = t.runs.at(run, 1)
			at = uint64(t.offsets.at(chunk, 0))
			if t.offsets.width == 2 {
				at = at<<32 | uint64(t.offsets.at(chunk, 1))
			}
			chunk++
		}
		size := uint64(t.size)
		if size == 0 {
			size = uint64(t.sizes.at(unit, 0))
		}
		if at > uint64(len(t.file)) || size > uint64(len(t.file))-at {
			return nil, io.EOF
		}
		b := t.file[at : at+size : at+size]
		at += size
		left--
		unit++
		return b, nil
	}
}
