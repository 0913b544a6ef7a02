package flac

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"quicksand/media/audio"
)

// Info is what a file's STREAMINFO says (RFC 9639 §8.2).
type Info struct {
	// Rate is the sampling rate in Hz.
	Rate int
	// Channels is 1 to 8.
	Channels int
	// Depth is the bits of a sample, 4 to 32.
	Depth int
	// Frames is the number of samples of each channel, −1 if the file does not say.
	Frames int64
	// MinBlock and MaxBlock are how many samples of each channel a frame has, but for the
	// last one, which may have fewer.
	MinBlock, MaxBlock int
	// MD5 is the sum of all samples, interleaved, each in as many bytes as it needs, the
	// lowest first. It is zero if the file does not say.
	MD5 [16]byte
}

const (
	infoSize  = 34    // of STREAMINFO, in bytes
	minBlock  = 16    // samples in a frame, but for the last
	maxBlock  = 65535 // samples in a frame
	maxRate   = 1<<20 - 1
	maxOrder  = 32 // of a predictor
	typeInfo  = 0
	typeSeek  = 3
	typeBad   = 127
	lastBlock = 0x80
)

// ReadInfo reads what the file says about itself. Tags in front (ID3v2) are skipped.
func ReadInfo(data []byte) (Info, error) {
	info, _, err := readHead(data)
	return info, err
}

// readHead reads all metadata and returns what follows it. A number that cannot be is an
// error; those which the frames will show are not looked at.
func readHead(data []byte) (info Info, frames []byte, err error) {
	data = audio.TrimID3(data)
	if !bytes.HasPrefix(data, []byte("fLaC")) {
		return info, nil, audio.FormatError("it is no FLAC file")
	}
	data = data[4:]
	for first, last := true, false; !last; first = false {
		if len(data) < 4 {
			return info, nil, audio.FormatError("the file ends within its header")
		}
		last = data[0]&lastBlock != 0
		kind, size := data[0]&^lastBlock, int(data[1])<<16|int(data[2])<<8|int(data[3])
		data = data[4:]
		switch {
		case size > len(data):
			return info, nil, audio.FormatError("the file ends within its header")
		case kind == typeBad, (kind == typeInfo) != first:
			return info, nil, audio.FormatError("the header is damaged")
		}
		if first {
			if info, err = parseInfo(data[:size]); err != nil {
				return info, nil, err
			}
		}
		data = data[size:]
	}
	return info, data, nil
}

func parseInfo(b []byte) (info Info, err error) {
	if len(b) != infoSize {
		return info, audio.FormatError("the header is damaged")
	}
	x := binary.BigEndian.Uint64(b[10:])
	info = Info{
		Rate:     int(x >> 44),
		Channels: int(x>>41&7) + 1,
		Depth:    int(x>>36&31) + 1,
		Frames:   int64(x & (1<<36 - 1)),
		MinBlock: int(binary.BigEndian.Uint16(b)),
		MaxBlock: int(binary.BigEndian.Uint16(b[2:])),
		MD5:      [16]byte(b[18:]),
	}
	if info.Frames == 0 {
		info.Frames = -1
	}
	switch {
	case info.Rate == 0:
		return info, audio.FormatError("the file has no sampling rate")
	case info.Depth < 4:
		return info, audio.FormatError(fmt.Sprintf("samples are of %d bits, and must be of 4 to 32", info.Depth))
	case info.MaxBlock < minBlock || info.MinBlock > info.MaxBlock:
		return info, audio.FormatError("the header is damaged")
	}
	return info, nil
}

// appendInfo writes a STREAMINFO. The sizes of frames in bytes are known when all were
// written; zero means unknown.
func appendInfo(b []byte, info Info, minBytes, maxBytes int) []byte {
	b = binary.BigEndian.AppendUint16(b, uint16(info.MinBlock))
	b = binary.BigEndian.AppendUint16(b, uint16(info.MaxBlock))
	b = append(b, byte(minBytes>>16), byte(minBytes>>8), byte(minBytes))
	b = append(b, byte(maxBytes>>16), byte(maxBytes>>8), byte(maxBytes))
	b = binary.BigEndian.AppendUint64(b, uint64(info.Rate)<<44|uint64(info.Channels-1)<<41|uint64(info.Depth-1)<<36|uint64(max(info.Frames, 0))&(1<<36-1))
	return append(b, info.MD5[:]...)
}
