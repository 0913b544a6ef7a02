package ogg

import (
	"bytes"
	"encoding/binary"
)

// Flags of a page.
const (
	continued = 1 << iota // it begins with the rest of a packet
	first                 // of its stream
	last                  // of its stream
)

// pageHead is the size of a page's header without its lacing values.
const pageHead = 27

// A page is one of a stream (RFC 3533 §6). Its slices are parts of the file.
type page struct {
	flags    byte
	granule  int64 // −1 if no packet ends on it
	serial   uint32
	sequence uint32
	lacing   []byte
	body     []byte
}

// pages reads the pages of a file in order, and passes over what is none.
type pages struct {
	data []byte
	at   int
	// wasted is how many bytes were summed up for pages that then were none. Without a bound
	// a file could make that take time in the square of its size.
	wasted int
	// whole says that all pages were read before, and none had a wrong checksum.
	whole bool
}

// next reports false at the end of the file.
func (r *pages) next() (p page, ok bool) {
	for r.wasted <= len(r.data) {
		i := bytes.Index(r.data[r.at:], []byte("OggS"))
		if i < 0 {
			break
		}
		r.at += i
		raw := r.data[r.at:]
		size := pageSize(raw)
		if size == 0 {
			r.at++
			continue
		}
		raw = raw[:size]
		if !r.whole && pageChecksum(raw) != binary.LittleEndian.Uint32(raw[22:]) {
			r.wasted += size
			r.at++
			continue
		}
		r.at += size
		n := pageHead + int(raw[26])
		return page{
			flags:    raw[5],
			granule:  int64(binary.LittleEndian.Uint64(raw[6:])),
			serial:   binary.LittleEndian.Uint32(raw[14:]),
			sequence: binary.LittleEndian.Uint32(raw[18:]),
			lacing:   raw[pageHead:n],
			body:     raw[n:],
		}, true
	}
	r.at = len(r.data)
	return page{}, false
}

// pageSize is the size of the page that raw begins with, or 0 if it is none or not whole.
func pageSize(raw []byte) int {
	if len(raw) < pageHead || raw[4] != 0 {
		return 0
	}
	size := pageHead + int(raw[26])
	if len(raw) < size {
		return 0
	}
	for _, n := range raw[pageHead:size] {
		size += int(n)
	}
	if len(raw) < size {
		return 0
	}
	return size
}
