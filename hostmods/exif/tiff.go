package exif

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// tiff is a TIFF structure, which is what EXIF is, that lies in memory. Offsets count from
// its start.
type tiff struct {
	b     []byte
	order binary.ByteOrder
	// left are the bytes and numbers that values may still take: directories may name the
	// same bytes again and again.
	left int
}

// maxValues bounds the bytes of all values of a structure, and its numbers times eight.
const maxValues = 8 << 20

// openTIFF reads the header. ok is false when there is none.
func openTIFF(b []byte) (t *tiff, first uint32, ok bool) {
	if len(b) < 8 {
		return nil, 0, false
	}
	t = &tiff{b: b, left: maxValues}
	switch string(b[:2]) {
	case "II":
		t.order = binary.LittleEndian
	case "MM":
		t.order = binary.BigEndian
	default:
		return nil, 0, false
	}
	return t, t.order.Uint32(b[4:]), true
}

// slice is n bytes at an offset, nil where there are less.
func (t *tiff) slice(at uint32, n uint64) []byte {
	if uint64(at)+n > uint64(len(t.b)) || n == 0 {
		return nil
	}
	return t.b[at : uint64(at)+n : uint64(at)+n]
}

// An entry is a tag and its value: string, float64, []byte, or []any of float64.
type entry struct {
	tag   uint16
	value any
}

// directory is the entries of a directory that can be read, in their order.
type directory []entry

// get is the value of a tag, or nil.
func (d directory) get(tag uint16) any {
	for i := range d {
		if d[i].tag == tag {
			return d[i].value
		}
	}
	return nil
}

// offset is a value that leads to a directory, 0 without one.
func (d directory) offset(tag uint16) uint32 {
	if f, ok := d.get(tag).(float64); ok && f >= 1 && f <= math.MaxUint32 {
		return uint32(f)
	}
	return 0
}

// without removes tags.
func (d directory) without(tags ...uint16) directory {
	return slices.DeleteFunc(d, func(e entry) bool { return slices.Contains(tags, e.tag) })
}

// read reads the directory at an offset and where the next one is. Entries that lead out of
// the structure are left out.
func (t *tiff) read(at uint32) (d directory, next uint32) {
	head := t.slice(at, 2)
	if head == nil {
		return nil, 0
	}
	n := int(t.order.Uint16(head))
	entries := t.b[at+2:]
	for i := range n {
		if len(entries) < 12 {
			return d, 0
		}
		if v := t.value(entries[:12]); v != nil {
			tag := t.order.Uint16(entries)
			// The first of a tag counts: that bounds the time for a lookup, too.
			if i < 512 && d.get(tag) == nil {
				d = append(d, entry{tag, v})
			}
		}
		entries = entries[12:]
	}
	if len(entries) >= 4 {
		next = t.order.Uint32(entries)
	}
	return d, next
}

// Types of values (TIFF 6.0, section 2) and how many bytes each takes.
const (
	typeByte      = 1
	typeASCII     = 2
	typeUndefined = 7
)

var typeSizes = [...]uint64{0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4}

// value is the value of an entry, or nil.
func (t *tiff) value(e []byte) any {
	kind := t.order.Uint16(e[2:])
	count := uint64(t.order.Uint32(e[4:]))
	if kind == 0 || int(kind) >= len(typeSizes) || count == 0 {
		return nil
	}
	size := typeSizes[kind] * count
	b := e[8:12]
	if size <= 4 {
		b = b[:size]
	} else if b = t.slice(t.order.Uint32(b), size); b == nil {
		return nil
	}
	cost := len(b)
	if kind != typeByte && kind != typeASCII && kind != typeUndefined {
		cost = 8 * int(count)
	}
	if cost > t.left {
		return nil
	}
	t.left -= cost
	switch kind {
	case typeByte, typeUndefined:
		return b
	case typeASCII:
		if s := latin(b); s != "" {
			return s
		}
		return nil
	}
	if count == 1 {
		return t.number(kind, b)
	}
	list := make([]any, count)
	for i := range list {
		list[i] = t.number(kind, b)
		b = b[typeSizes[kind]:]
	}
	return list
}

// number is the number at the start of b.
func (t *tiff) number(kind uint16, b []byte) float64 {
	o := t.order
	switch kind {
	case 3:
		return float64(o.Uint16(b))
	case 4, 13:
		return float64(o.Uint32(b))
	case 5:
		return float64(o.Uint32(b)) / float64(o.Uint32(b[4:]))
	case 6:
		return float64(int8(b[0]))
	case 8:
		return float64(int16(o.Uint16(b)))
	case 9:
		return float64(int32(o.Uint32(b)))
	case 10:
		return float64(int32(o.Uint32(b))) / float64(int32(o.Uint32(b[4:])))
	case 11:
		return float64(math.Float32frombits(o.Uint32(b)))
	}
	return math.Float64frombits(o.Uint64(b))
}

// latin is a text in UTF-8, or otherwise in Latin-1, without zeros at its end and spaces
// around it.
func latin(b []byte) string {
	s := string(b)
	if !utf8.ValidString(s) {
		r := make([]rune, len(b))
		for i, c := range b {
			r[i] = rune(c)
		}
		s = string(r)
	}
	return strings.TrimSpace(strings.TrimRight(s, "\x00"))
}
