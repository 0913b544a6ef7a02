package image

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

// ProfileName is the description in an ICC profile (ICC.1:2022, 9.2.41: tag "desc", of type
// "desc" in version 2 and "mluc" in version 4). It is "" without a profile, and "unknown"
// for one that does not say its name.
func ProfileName(icc []byte) string {
	if len(icc) == 0 {
		return ""
	}
	const unknown = "unknown"
	if len(icc) < 132 {
		return unknown
	}
	n := int(binary.BigEndian.Uint32(icc[128:]))
	for i := range min(n, 100) {
		at := 132 + 12*i
		if at+12 > len(icc) {
			break
		}
		if string(icc[at:at+4]) != "desc" {
			continue
		}
		offset, size := uint64(binary.BigEndian.Uint32(icc[at+4:])), uint64(binary.BigEndian.Uint32(icc[at+8:]))
		if offset+size > uint64(len(icc)) || size < 16 {
			break
		}
		tag := icc[offset : offset+size]
		switch string(tag[:4]) {
		case "desc":
			if count := uint64(binary.BigEndian.Uint32(tag[8:])); count >= 1 && 12+count <= size {
				return clean(string(tag[12 : 12+count]))
			}
		case "mluc":
			if len(tag) < 28 || binary.BigEndian.Uint32(tag[8:]) == 0 {
				return unknown
			}
			length, offset := uint64(binary.BigEndian.Uint32(tag[20:])), uint64(binary.BigEndian.Uint32(tag[24:]))
			if offset+length > size {
				return unknown
			}
			var u []uint16
			for i := offset; i+1 < offset+length; i += 2 {
				u = append(u, binary.BigEndian.Uint16(tag[i:]))
			}
			return clean(string(utf16.Decode(u)))
		}
		break
	}
	return unknown
}

// clean makes a short name of a text from a file.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F || r == 0xFFFD {
			return -1
		}
		return r
	}, s)
	if s = strings.TrimSpace(s); s == "" {
		return "unknown"
	}
	if len(s) > 100 {
		s = strings.ToValidUTF8(s[:100], "")
	}
	return s
}
