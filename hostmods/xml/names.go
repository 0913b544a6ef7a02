package xml

import "unicode/utf8"

// nameClass says of ASCII characters whether they may begin a name (1), or stand in one (2).
var nameClass = func() (t [utf8.RuneSelf]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = 1, 1
	}
	t['_'], t[':'] = 1, 1
	for c := '0'; c <= '9'; c++ {
		t[c] = 2
	}
	t['-'], t['.'] = 2, 2
	return
}()

// startsName is the production NameStartChar of XML 1.0, startsOrContinues NameChar, both
// without ASCII.
func startsName(r rune) bool {
	switch {
	case r < 0xc0, r == 0xd7, r == 0xf7, 0x300 <= r && r < 0x370, r == 0x37e, 0x2000 <= r && r < 0x200c:
		return false
	case r < 0x200e, 0x2070 <= r && r < 0x2190, 0x2c00 <= r && r < 0x2ff0, 0x3001 <= r && r < 0xd800,
		0xf900 <= r && r < 0xfdd0, 0xfdf0 <= r && r < 0xfffe && r != utf8.RuneError, 0x10000 <= r && r < 0xf0000:
		return true
	}
	return false
}

func continuesName(r rune) bool {
	return startsName(r) || r == 0xb7 || 0x300 <= r && r < 0x370 || r == 0x203f || r == 0x2040
}

// nameLength is the length of the name at the start of s, or 0.
func nameLength(s string) int {
	i := 0
	for i < len(s) {
		if c := s[i]; c < utf8.RuneSelf {
			if k := nameClass[c]; k != 1 && (k != 2 || i == 0) {
				break
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if !startsName(r) && (i == 0 || !continuesName(r)) {
			break
		}
		i += size
	}
	return i
}

// isSpace is the production S of XML for one character.
func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
