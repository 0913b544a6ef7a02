package text

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
	"sort"
)

// This file takes fonts of guests apart before the parser sees them. The parser reads all
// tables at once and believes their counts and offsets: a small file may say that thousands of
// lists are at one place and is then read into gigabytes. So only tables that are used are
// kept, and package-level budgets bound what is in them: see checkTables.

// kept are the tables that are used. Left out are those of Apple's layout (morx, kerx), drawings
// in SVG, which need a reader of SVG, and outlines in CFF2, for want of checks.
var kept = map[string]bool{
	"cmap": true, "head": true, "hhea": true, "hmtx": true, "maxp": true, "name": true, "OS/2": true, "post": true, "BASE": true,
	"glyf": true, "loca": true, "CFF ": true,
	"GDEF": true, "GSUB": true, "GPOS": true, "kern": true,
	"fvar": true, "avar": true, "gvar": true, "HVAR": true, "MVAR": true,
	"COLR": true, "CPAL": true, "CBDT": true, "CBLC": true, "sbix": true,
}

type sfntTables map[string][]byte

// unpack returns the fonts of a file, each as a TrueType or OpenType file of its own, and their
// size together. Of a collection above MaxFontBytes these are the first ones that fit.
func unpack(data []byte) (fonts [][]byte, size int, err error) {
	read := reader(data)
	offsets := []int{0}
	switch read.tag(0) {
	case "wOF2":
		tables, ok := readWOFF2(data)
		if !ok {
			return nil, 0, errFont
		}
		font, err := tables.pack(read.tag(4))
		return [][]byte{font}, len(font), err
	case "wOFF":
		tables, err := readWOFF(data)
		if err != nil {
			return nil, 0, err
		}
		font, err := tables.pack(read.tag(4))
		return [][]byte{font}, len(font), err
	case "ttcf":
		n := read.u32(8)
		if n < 1 {
			return nil, 0, errFont
		}
		if n > MaxFaces {
			return nil, 0, &LimitError{"FontFaces", "fonts of a collection", MaxFaces, int64(n)}
		}
		offsets = offsets[:0]
		for i := range n {
			offsets = append(offsets, read.u32(12+4*i))
		}
	case "OTTO", "true", "\x00\x01\x00\x00":
	default:
		return nil, 0, errFont
	}
	for _, at := range offsets {
		tables, ok := readTables(data, at)
		if !ok {
			return nil, 0, errFont
		}
		if len(fonts) > 0 && size+tables.size() > MaxFontBytes {
			break
		}
		font, err := tables.pack(read.tag(at))
		if err != nil {
			return nil, 0, err
		}
		fonts = append(fonts, font)
		size += len(font)
	}
	return fonts, size, nil
}

// maxTables is the greatest number of tables of a font.
const maxTables = 128

// readTables reads the directory at an offset.
func readTables(data []byte, at int) (sfntTables, bool) {
	read := reader(data)
	n := read.u16(at + 4)
	if n == 0 || n > maxTables {
		return nil, false
	}
	tables := make(sfntTables)
	for i := range n {
		entry := at + 12 + 16*i
		offset, length := read.u32(entry+8), read.u32(entry+12)
		if offset > len(data) || length > len(data)-offset {
			return nil, false
		}
		if name := read.tag(entry); kept[name] {
			tables[name] = data[offset : offset+length]
		}
	}
	return tables, true
}

// readWOFF inflates the tables of a WOFF file ("WOFF File Format 1.0").
func readWOFF(data []byte) (sfntTables, error) {
	read := reader(data)
	n := read.u16(12)
	if n == 0 || n > maxTables {
		return nil, errFont
	}
	tables := make(sfntTables)
	total := 0
	for i := range n {
		entry := 44 + 20*i
		name := read.tag(entry)
		offset, packed, length := read.u32(entry+4), read.u32(entry+8), read.u32(entry+12)
		if offset > len(data) || packed > len(data)-offset || packed > length {
			return nil, errFont
		}
		if !kept[name] {
			continue
		}
		if total += length; total > MaxFontBytes {
			return nil, &LimitError{"FontBytes", "bytes of an unpacked font", MaxFontBytes, int64(total)}
		}
		table := data[offset : offset+packed]
		if packed < length {
			z, err := zlib.NewReader(bytes.NewReader(table))
			if err != nil {
				return nil, errFont
			}
			var b bytes.Buffer // grows with what is there, not with what is declared
			if n, err := io.Copy(&b, io.LimitReader(z, int64(length))); err != nil || n != int64(length) {
				return nil, errFont
			}
			table = b.Bytes()
		}
		tables[name] = table
	}
	return tables, nil
}

func (t sfntTables) size() int {
	n := 12
	for _, table := range t {
		n += 16 + (len(table)+3)&^3
	}
	return n
}

// pack checks the tables and writes a font file of them.
func (t sfntTables) pack(flavour string) ([]byte, error) {
	if flavour != "OTTO" {
		flavour = "\x00\x01\x00\x00"
	}
	for _, name := range []string{"cmap", "head", "hhea", "hmtx", "maxp"} {
		if t[name] == nil {
			return nil, errFont
		}
	}
	if t["glyf"] == nil && t["CFF "] == nil && t["sbix"] == nil && t["CBDT"] == nil {
		return nil, errors.New("register font: the font has no glyphs that are read: TrueType, CFF or bitmaps")
	}
	if err := checkTables(t); err != nil {
		return nil, err
	}
	names := make([]string, 0, len(t))
	for name := range t {
		names = append(names, name)
	}
	sort.Strings(names)
	out := make([]byte, 0, t.size())
	out = append(out, flavour...)
	out = binary.BigEndian.AppendUint16(out, uint16(len(t)))
	out = append(out, make([]byte, 6)...) // for binary search, which nobody uses
	at := 12 + 16*len(t)
	for _, name := range names {
		out = append(out, name...)
		out = binary.BigEndian.AppendUint32(out, 0)
		out = binary.BigEndian.AppendUint32(out, uint32(at))
		out = binary.BigEndian.AppendUint32(out, uint32(len(t[name])))
		at += (len(t[name]) + 3) &^ 3
	}
	for _, name := range names {
		out = append(out, t[name]...)
		for len(out)%4 != 0 {
			out = append(out, 0)
		}
	}
	return out, nil
}

// reader reads big-endian numbers; what is not there is 0.
type reader []byte

func (r reader) u8(at int) int {
	if at < 0 || at >= len(r) {
		return 0
	}
	return int(r[at])
}

func (r reader) u16(at int) int {
	if at < 0 || at > len(r)-2 {
		return 0
	}
	return int(binary.BigEndian.Uint16(r[at:]))
}

func (r reader) u24(at int) int { return r.u8(at)<<16 | r.u16(at+1) }

func (r reader) u32(at int) int {
	if at < 0 || at > len(r)-4 {
		return 0
	}
	return int(binary.BigEndian.Uint32(r[at:]))
}

func (r reader) tag(at int) string {
	if at < 0 || at > len(r)-4 {
		return ""
	}
	return string(r[at : at+4])
}
