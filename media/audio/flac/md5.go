package flac

import "encoding/binary"

// packSamples appends samples as STREAMINFO's sum takes them (RFC 9639 §8.2): interleaved,
// each in as many bytes as depth needs, the lowest first.
func packSamples(b []byte, planes [][]int32, depth int) []byte {
	size := (depth + 7) / 8
	n := len(planes[0])
	start, stride := len(b), size*len(planes)
	// Four bytes are written each time, of which the next sample overwrites what is too much.
	need := start + n*stride + 4
	if need > cap(b) {
		grown := make([]byte, start, need)
		copy(grown, b)
		b = grown
	}
	b = b[:need]
	if size == 2 && len(planes) == 2 {
		left, right := planes[0], planes[1][:n]
		out := b[start:]
		for i, l := range left {
			binary.LittleEndian.PutUint32(out[4*i:], uint32(uint16(l))|uint32(right[i])<<16)
		}
		return b[:need-4]
	}
	for i := range n {
		at := start + i*stride
		for _, p := range planes {
			binary.LittleEndian.PutUint32(b[at:], uint32(p[i]))
			at += size
		}
	}
	return b[:need-4]
}
