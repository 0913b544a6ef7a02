package webapi

import "unicode/utf8"

// DecodeUTF8 is UTF-8 as text, and makes one U+FFFD of each longest beginning of a character that does not go on,
// as the Encoding Standard asks for; strings.ToValidUTF8 makes one of each run, and range
// one of each byte.
func DecodeUTF8(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	out := make([]byte, 0, len(b)+len(b)/8)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r != utf8.RuneError || n != 1 {
			out, b = append(out, b[:n]...), b[n:]
			continue
		}
		out = append(out, "\uFFFD"...)
		b = b[badPrefix(b):]
	}
	return string(out)
}

// badPrefix is the length of the longest beginning of a character that b begins with, at
// least 1. b does not begin with a whole one.
func badPrefix(b []byte) int {
	low, high, more := byte(0x80), byte(0xbf), 0
	switch c := b[0]; {
	case c >= 0xc2 && c <= 0xdf:
		more = 1
	case c >= 0xe0 && c <= 0xef:
		more = 2
		if c == 0xe0 {
			low = 0xa0
		} else if c == 0xed {
			high = 0x9f
		}
	case c >= 0xf0 && c <= 0xf4:
		more = 3
		if c == 0xf0 {
			low = 0x90
		} else if c == 0xf4 {
			high = 0x8f
		}
	}
	n := 1
	for n <= more && n < len(b) && b[n] >= low && b[n] <= high {
		low, high = 0x80, 0xbf
		n++
	}
	return n
}
