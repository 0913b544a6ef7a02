package zip

import (
	"bytes"
	"compress/flate"
	"hash/crc32"
	"math"
	"testing"
)

// A part is an entry of an archive that tests make byte by byte. Zero fields are those of an
// honest entry; crc, size and the like are what both headers say where they are not zero.
type part struct {
	name          string
	data          []byte // compressed
	plain         []byte // of which data are made by method, if data is nil
	method, flags uint16
	size          uint32
	compressed    uint32
	crc           uint32
	mode          uint32
	made          byte // 3 is Unix
	extra         []byte
	comment       string
	descriptor    bool // sizes follow the contents
	local         func(h []byte)
	central       func(h []byte)
	at            int // place of the local header in the directory, if not where it is
}

// build makes an archive of parts, with bytes in front of it and a comment.
func build(prefix, comment string, parts ...part) []byte {
	b := []byte(prefix)
	var dir []byte
	for _, p := range parts {
		if p.data == nil {
			p.data = p.plain
			if p.method == Deflate {
				p.data = deflated9(p.plain)
			}
		}
		if p.crc == 0 {
			p.crc = crc32.ChecksumIEEE(p.plain)
		}
		if p.size == 0 {
			p.size = uint32(len(p.plain))
		}
		if p.compressed == 0 {
			p.compressed = uint32(len(p.data))
		}
		at := len(b) - len(prefix)
		if p.at != 0 {
			at = p.at
		}
		fields := func(descriptor bool) []byte {
			h := le.AppendUint16(nil, p.flags)
			h = le.AppendUint16(h, p.method)
			h = le.AppendUint16(h, 12<<11|30<<5|1) // 12:30:02
			h = le.AppendUint16(h, 44<<9|5<<5|6)   // 2024-05-06
			if descriptor {
				return append(h, make([]byte, 12)...)
			}
			h = le.AppendUint32(h, p.crc)
			h = le.AppendUint32(h, p.compressed)
			return le.AppendUint32(h, p.size)
		}
		if p.descriptor {
			p.flags |= flagDescriptor
		}
		h := append(le.AppendUint16(le.AppendUint32(nil, sigEntry), 20), fields(p.descriptor)...)
		h = le.AppendUint16(h, uint16(len(p.name)))
		h = le.AppendUint16(h, 0)
		h = append(h, p.name...)
		if p.local != nil {
			p.local(h)
		}
		b = append(append(b, h...), p.data...)
		if p.descriptor {
			b = le.AppendUint32(le.AppendUint32(b, sigData), p.crc)
			b = le.AppendUint32(le.AppendUint32(b, p.compressed), p.size)
		}
		h = append(le.AppendUint32(nil, sigDirectory), 20, p.made, 20, 0)
		h = append(h, fields(false)...)
		h = le.AppendUint16(h, uint16(len(p.name)))
		h = le.AppendUint16(h, uint16(len(p.extra)))
		h = le.AppendUint16(h, uint16(len(p.comment)))
		h = le.AppendUint32(h, 0)
		h = le.AppendUint32(h, p.mode<<16)
		h = le.AppendUint32(h, uint32(at))
		h = append(append(append(h, p.name...), p.extra...), p.comment...)
		if p.central != nil {
			p.central(h)
		}
		dir = append(dir, h...)
	}
	start := len(b) - len(prefix)
	b = append(b, dir...)
	return append(b, ending(len(parts), len(dir), start, comment)...)
}

// ending is an end of a central directory.
func ending(count, size, start int, comment string) []byte {
	b := le.AppendUint32(le.AppendUint32(nil, sigEnd), 0)
	b = le.AppendUint16(le.AppendUint16(b, uint16(count)), uint16(count))
	b = le.AppendUint32(le.AppendUint32(b, uint32(size)), uint32(start))
	b = le.AppendUint16(b, uint16(len(comment)))
	return append(b, comment...)
}

// ending64 is the same in zip64.
func ending64(count, size, start, at uint64) []byte {
	b := le.AppendUint64(le.AppendUint32(nil, sigEnd64), end64Len-12)
	b = le.AppendUint16(le.AppendUint16(b, 45), 45)
	b = le.AppendUint64(le.AppendUint64(le.AppendUint64(b, 0), count), count)
	b = le.AppendUint64(le.AppendUint64(b, size), start)
	b = le.AppendUint64(le.AppendUint32(le.AppendUint32(b, sigLocator), 0), at)
	b = le.AppendUint32(b, 1)
	return append(b, ending(math.MaxUint16, math.MaxUint32, math.MaxUint32, "")...)
}

func deflated9(plain []byte) []byte {
	var buf bytes.Buffer
	w, _ := flate.NewWriter(&buf, 9)
	w.Write(plain)
	w.Close()
	return buf.Bytes()
}

// readAll is everything that an archive holds, by name, or the first error.
func readAll(t testing.TB, data []byte, l Limits) (map[string]string, error) {
	a, err := OpenBytes(data, l)
	if err != nil {
		return nil, err
	}
	list := make([]*Entry, len(a.Entries))
	for i := range list {
		list[i] = &a.Entries[i]
	}
	all, err := a.ReadAll(t.Context(), list)
	if err != nil {
		return nil, err
	}
	m := make(map[string]string)
	for i, e := range list {
		m[e.path()] = string(all[i])
	}
	return m, nil
}
