package assets

import (
	"encoding/base64"
	"errors"
	"strings"

	"quicksand/internal/webapi"
)

var (
	errNoData   = errors.New("the data URI has no comma")
	errBase64   = errors.New("the data is not base64")
	errTooLarge = errors.New("too large")
)

// splitDataURI is the MIME type and the body of a data: URI. A type that is none is empty.
// A "#" is part of the body, since many write SVG without escaping it.
func splitDataURI(uri string) (mime string, inBase64 bool, body string, err error) {
	header, body, ok := strings.Cut(uri[len("data:"):], ",")
	if !ok {
		return "", false, "", errNoData
	}
	header = strings.TrimSpace(header)
	if i := strings.LastIndexByte(header, ';'); i >= 0 && strings.EqualFold(strings.TrimSpace(header[i+1:]), "base64") {
		header, inBase64 = header[:i], true
	}
	if len(header) <= maxName && validMIME.MatchString(header) {
		mime = header
	}
	return mime, inBase64, body, nil
}

// decodeDataURI is the content of a data: URI of at most max bytes. For a larger one, which
// is not decoded, the error is errTooLarge and size about its size.
func decodeDataURI(uri string, max int64) (mime string, data []byte, size int64, err error) {
	mime, inBase64, body, err := splitDataURI(uri)
	if err != nil {
		return "", nil, 0, err
	}
	// Two of three bytes of an escape vanish, and a quarter of base64.
	least := int64(len(body)) - 2*int64(strings.Count(body, "%"))
	if inBase64 {
		if strings.IndexByte(body, '%') >= 0 {
			if least/4*3 > max+3 {
				return "", nil, least / 4 * 3, errTooLarge
			}
			body = string(percentDecode(body))
		}
		data, size, err = decodeBase64(body, max)
		return mime, data, size, err
	}
	if least > max {
		return "", nil, least, errTooLarge
	}
	data = percentDecode(body)
	if int64(len(data)) > max {
		return "", nil, int64(len(data)), errTooLarge
	}
	return mime, data, int64(len(data)), nil
}

// percentDecode replaces "%XX" by its byte. What is no escape stays.
func percentDecode(s string) []byte {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if hi, lo := unhex(s[i+1]), unhex(s[i+2]); hi < 16 && lo < 16 {
				out = append(out, hi<<4|lo)
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return out
}

func unhex(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 0xff
}

// decodeBase64 decodes as atob does (the forgiving decoder of the Infra Standard), and takes
// the alphabet for URLs too. It looks at the size before it takes memory.
func decodeBase64(s string, max int64) (data []byte, size int64, err error) {
	n, other := 0, false
	for i := range len(s) {
		switch s[i] {
		case ' ', '\t', '\n', '\f', '\r':
			other = true
		case '-', '_':
			other = true
			n++
		default:
			n++
		}
	}
	if size = int64(n) / 4 * 3; size > max+3 {
		return nil, size, errTooLarge
	}
	if other {
		clean := make([]byte, 0, n)
		for i := range len(s) {
			switch c := s[i]; c {
			case ' ', '\t', '\n', '\f', '\r':
			case '-':
				clean = append(clean, '+')
			case '_':
				clean = append(clean, '/')
			default:
				clean = append(clean, c)
			}
		}
		s = string(clean)
	}
	if len(s)%4 == 0 {
		s = strings.TrimSuffix(s, "=")
		s = strings.TrimSuffix(s, "=")
	}
	data, err = base64.RawStdEncoding.DecodeString(s)
	switch {
	case err != nil:
		return nil, 0, errBase64
	case int64(len(data)) > max:
		return nil, int64(len(data)), errTooLarge
	}
	return data, int64(len(data)), nil
}

// decodeText is the text of bytes in the encoding of a label, which must be known, as
// TextDecoder decodes it: without a byte order mark, and U+FFFD for what is wrong.
func decodeText(label string, b []byte) (string, bool) {
	name, ok := webapi.EncodingName(label)
	if !ok {
		return "", false
	}
	if name == "utf-8" {
		return strings.TrimPrefix(webapi.DecodeUTF8(b), "\uFEFF"), true
	}
	text, _, ok := webapi.DecodeText(name, b, false, true)
	if name == "utf-16le" || name == "utf-16be" {
		text = strings.TrimPrefix(text, "\uFEFF")
	}
	return text, ok
}
