package webapi

// charSet is a set of percent-encode sets, as bits in the table of all bytes.
type charSet uint16

const (
	controlSet charSet = 1 << iota
	fragmentSet
	querySet
	specialQuerySet
	pathSet
	userinfoSet
	// forbiddenHost and forbiddenDomain are the standard's forbidden code points.
	forbiddenHost
	forbiddenDomain
	// dotOrSlash marks what makes a path's fast test look closer.
	dotOrSlash
)

// sets tells which sets a byte is in. Bytes of non-ASCII code points are in all
// percent-encode sets and in no forbidden set.
var sets = func() (t [256]charSet) {
	add := func(set charSet, chars string) {
		for i := 0; i < len(chars); i++ {
			t[chars[i]] |= set
		}
	}
	const encodeSets = controlSet | fragmentSet | querySet | specialQuerySet | pathSet | userinfoSet
	for c := range t {
		if c < 0x20 || c > 0x7E {
			t[c] |= encodeSets
		}
		if c < 0x20 || c == 0x7F {
			t[c] |= forbiddenDomain
		}
	}
	add(fragmentSet, " \"<>`")
	add(querySet|specialQuerySet|pathSet|userinfoSet, " \"#<>")
	add(specialQuerySet, "'")
	// The standard of 2024 has "^" in the path set, too; the vectors of testdata/url
	// are from before.
	add(pathSet|userinfoSet, "?`{}")
	add(userinfoSet, "/:;=@[\\]^|")
	add(forbiddenHost|forbiddenDomain, "\x00\t\n\r #/:<>?@[\\]^|")
	add(forbiddenDomain, "%")
	add(dotOrSlash, "/\\")
	return t
}()

// hasAny reports whether s has a byte of set.
func hasAny(s string, set charSet) bool {
	for i := 0; i < len(s); i++ {
		if sets[s[i]]&set != 0 {
			return true
		}
	}
	return false
}

// encode percent-encodes the bytes of s that are in set.
func encode(s string, set charSet) string {
	if !hasAny(s, set) {
		return s
	}
	return string(appendEncoded(make([]byte, 0, len(s)+len(s)/2+2), s, set))
}

// appendEncoded appends s to b, percent-encoding the bytes in set.
func appendEncoded(b []byte, s string, set charSet) []byte {
	const hex = "0123456789ABCDEF"
	for i := 0; i < len(s); i++ {
		c := s[i]
		if sets[c]&set != 0 {
			b = append(b, '%', hex[c>>4], hex[c&15])
		} else {
			b = append(b, c)
		}
	}
	return b
}

// percentDecode replaces "%XX" by its byte.
func percentDecode(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if hi, lo := unhex(s[i+1]), unhex(s[i+2]); hi < 16 && lo < 16 {
				b = append(b, hi<<4|lo)
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}

// unhex is the value of a hexadecimal digit, 0xFF if it is none.
func unhex(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 0xFF
}
