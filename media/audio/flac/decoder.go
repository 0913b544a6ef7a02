package flac

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"hash"
	"io"

	"quicksand/media/audio"
)

// A Decoder reads the frames of a file. Only one goroutine uses it.
type Decoder struct {
	info  Info
	rest  []byte // from the next frame on
	done  int64  // samples of each channel that were read
	out   [][]int32
	wide  []int64 // only for channels of 32 bits
	views [][]int32

	sum    hash.Hash // nil without Verify
	packed []byte
}

// NewDecoder reads the header of a file, which must not change while it is decoded. Memory
// for samples is taken with the first frame.
func NewDecoder(data []byte) (*Decoder, error) {
	info, rest, err := readHead(data)
	if err != nil {
		return nil, err
	}
	return &Decoder{info: info, rest: rest}, nil
}

// Info is what the header says.
func (d *Decoder) Info() Info { return d.info }

// Verify has all samples compared with the sum in the header, if it has one, when the last
// one was read. It is called before Next. It doubles the time that decoding takes, and finds
// what the checksums of frames do not: whole frames that are in the wrong place.
func (d *Decoder) Verify() {
	if d.info.MD5 != [16]byte{} {
		d.sum = md5.New()
	}
}

// Next decodes a frame, and returns one slice for each channel, which are valid until the
// next call. At the end it returns io.EOF.
func (d *Decoder) Next() ([][]int32, error) {
	if d.info.Frames >= 0 && d.done == d.info.Frames || d.info.Frames < 0 && d.ended() {
		if d.sum != nil && [16]byte(d.sum.Sum(nil)) != d.info.MD5 {
			return nil, audio.FormatError("the sum of all samples is not that of the header")
		}
		return nil, io.EOF
	}
	if len(d.rest) == 0 {
		return nil, audio.FormatError(fmt.Sprintf("the file ends after %.3f of %.3f seconds", d.seconds(d.done), d.seconds(d.info.Frames)))
	}
	h, ok := parseFrameHeader(d.rest)
	if !ok {
		return nil, d.damaged()
	}
	switch {
	case h.rate != 0 && h.rate != d.info.Rate:
		return nil, audio.FormatError(fmt.Sprintf("the sampling rate changes from %d to %d Hz at %.3f seconds", d.info.Rate, h.rate, d.seconds(d.done)))
	case !d.info.has(h):
		return nil, audio.FormatError(fmt.Sprintf("the frame at %.3f seconds is not as the header says", d.seconds(d.done)))
	}
	if d.out == nil {
		d.take()
	}
	if !d.decode(h) {
		return nil, d.damaged()
	}
	n := h.block
	if d.info.Frames >= 0 {
		n = int(min(int64(n), d.info.Frames-d.done))
	}
	for i := range d.views {
		d.views[i] = d.out[i][lead : lead+n]
	}
	d.done += int64(n)
	if d.sum != nil {
		d.packed = packSamples(d.packed[:0], d.views, d.info.Depth)
		d.sum.Write(d.packed)
	}
	return d.views, nil
}

// has reports whether a frame may be one of the file, as far as its channels, depth and length
// tell.
func (info Info) has(h frameHeader) bool {
	return h.channels == info.Channels && (h.depth == 0 || h.depth == info.Depth) && h.block <= info.MaxBlock
}

func (d *Decoder) seconds(frames int64) float64 { return float64(frames) / float64(d.info.Rate) }

func (d *Decoder) damaged() error {
	return audio.FormatError(fmt.Sprintf("the frame at %.3f seconds is damaged", d.seconds(d.done)))
}

// ended reports whether no frame follows, in a file that does not say how many there are:
// tags of other formats may.
func (d *Decoder) ended() bool {
	return len(d.rest) == 0 || bytes.HasPrefix(d.rest, []byte("TAG")) || bytes.HasPrefix(d.rest, []byte("APETAGEX")) || bytes.HasPrefix(d.rest, []byte("ID3"))
}

// scratch is what a decoder takes, in bytes.
func (info Info) scratch() int64 {
	n := 4 * int64(info.Channels) * int64(lead+info.MaxBlock)
	if info.Depth == 32 && info.Channels == 2 {
		n += 8 * int64(info.MaxBlock)
	}
	return n
}

func (d *Decoder) take() {
	d.out = make([][]int32, d.info.Channels)
	d.views = make([][]int32, d.info.Channels)
	for i := range d.out {
		d.out[i] = make([]int32, lead+d.info.MaxBlock)
	}
	if d.info.Depth == 32 && d.info.Channels == 2 {
		d.wide = make([]int64, d.info.MaxBlock)
	}
}

// decode reads the frame at the beginning of rest, behind which it leaves rest.
func (d *Decoder) decode(h frameHeader) bool {
	s := subframe{bitReader{buf: d.rest, pos: h.size}}
	depth := uint(d.info.Depth)
	side := -1
	switch h.stereo {
	case leftSide, midSide:
		side = 1
	case sideRight:
		side = 0
	}
	for i, out := range d.out {
		ok := false
		switch {
		case i != side:
			ok = s.decode(out[:lead+h.block], depth)
		case d.wide != nil:
			ok = s.decodeWide(d.wide[:h.block], out[lead:lead+h.block], depth+1)
		default:
			ok = s.decode(out[:lead+h.block], depth+1)
		}
		if !ok || s.over() {
			return false
		}
	}
	end := s.align()
	if end+2 > len(d.rest) || crc16(d.rest[:end]) != uint16(d.rest[end])<<8|uint16(d.rest[end+1]) {
		return false
	}
	d.rest = d.rest[end+2:]
	if side >= 0 {
		a, b := d.out[0][lead:lead+h.block], d.out[1][lead:lead+h.block]
		if d.wide != nil {
			joinWide(h.stereo, a, b, d.wide)
		} else {
			join(h.stereo, a, b)
		}
	}
	return true
}

// join makes left and right of the two channels of a frame.
func join(mode stereoMode, a, b []int32) {
	b = b[:len(a)]
	switch mode {
	case leftSide:
		for i, l := range a {
			b[i] = l - b[i]
		}
	case sideRight:
		for i, r := range b {
			a[i] += r
		}
	case midSide:
		for i, side := range b {
			// The bit that the middle lost is the lowest of the difference.
			m := a[i]<<1 | side&1
			a[i] = (m + side) >> 1
			b[i] = (m - side) >> 1
		}
	}
}

// joinWide is join for a difference of 33 bits, which lies in wide.
func joinWide(mode stereoMode, a, b []int32, wide []int64) {
	for i, side := range wide[:len(a)] {
		switch mode {
		case leftSide:
			b[i] = int32(int64(a[i]) - side)
		case sideRight:
			a[i] = int32(int64(b[i]) + side)
		case midSide:
			m := int64(a[i])<<1 | side&1
			a[i] = int32((m + side) >> 1)
			b[i] = int32((m - side) >> 1)
		}
	}
}
