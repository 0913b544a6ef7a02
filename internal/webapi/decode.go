package webapi

import (
	"unicode/utf8"
)

// The decoders frame the bytes themselves: x/text's replace other stretches of malformed
// input than the standard (it puts an ASCII byte back that cannot follow a lead byte) and
// do not tell an error from an encoded U+FFFD. Its tables are used (index.go).
var decoders = func() map[string]func(*decoding) int {
	m := map[string]func(*decoding) int{
		"utf-16le":       func(d *decoding) int { return d.utf16(0, 1) },
		"utf-16be":       func(d *decoding) int { return d.utf16(1, 0) },
		"x-user-defined": (*decoding).userDefined,
		"gbk":            (*decoding).gb18030,
		"gb18030":        (*decoding).gb18030,
		"big5":           func(d *decoding) int { return d.pairs(leadOnly, big5Pair(big5Index())) },
		"euc-kr":         func(d *decoding) int { return d.pairs(leadOnly, eucKRPair(eucKRIndex())) },
		"shift_jis":      func(d *decoding) int { return d.pairs(shiftJISSingle, shiftJISPair(jis0208Index())) },
		"euc-jp":         (*decoding).eucJP,
		"iso-2022-jp":    (*decoding).iso2022JP,
	}
	for name, cm := range singleByte {
		m[name] = singleByteDecoder(cm)
	}
	return m
}()

// utf16 is the shared UTF-16 decoder; lo and hi are the places of a unit's bytes.
func (d *decoding) utf16(lo, hi int) int {
	b := d.b
	i := 0
	for ; i+1 < len(b) && !d.failed; i += 2 {
		u := rune(b[i+lo]) | rune(b[i+hi])<<8
		switch {
		case u < 0xD800 || u > 0xDFFF:
			d.out = utf8.AppendRune(d.out, u)
		case u >= 0xDC00:
			d.error()
		case i+3 >= len(b):
			return d.unfinished(i)
		default:
			if v := rune(b[i+2+lo]) | rune(b[i+2+hi])<<8; v>>10 == 0xDC00>>10 {
				d.out = utf8.AppendRune(d.out, 0x10000+(u-0xD800)<<10+(v-0xDC00))
				i += 2
			} else {
				d.error()
			}
		}
	}
	if i < len(b) {
		return d.unfinished(i)
	}
	return i
}

func (d *decoding) userDefined() int {
	for i := 0; ; i++ {
		if i = d.ascii(i); i == len(d.b) {
			return i
		}
		d.out = utf8.AppendRune(d.out, 0xF780+rune(d.b[i]-0x80))
	}
}

// gb18030 is the decoder of gb18030 and of gbk.
func (d *decoding) gb18030() int {
	b, index := d.b, gb18030Index()
	for i := 0; ; {
		if i = d.ascii(i); i == len(b) || d.failed {
			return i
		}
		switch c := b[i]; {
		case c == 0x80:
			d.put('€')
			i++
			continue
		case c == 0xFF:
			d.error()
			i++
			continue
		}
		seq := b[i:]
		if len(seq) == 1 {
			return d.unfinished(i)
		}
		if !isDigit(seq[1]) {
			r := rune(-1)
			if off, ok := trail(seq[1], 0x41, 0xFE); ok {
				r = index.at(int(seq[0]-0x81)*190 + off)
			}
			d.put(r)
			i += pairLen(seq[1], r)
			continue
		}
		if len(seq) == 2 || len(seq) == 3 && 0x81 <= seq[2] && seq[2] <= 0xFE {
			return d.unfinished(i)
		}
		if seq[2] < 0x81 || seq[2] > 0xFE || !isDigit(seq[3]) {
			d.error()
			i++
			continue
		}
		p := ((int(seq[0]-0x81)*10+int(seq[1]-'0'))*126+int(seq[2]-0x81))*10 + int(seq[3]-'0')
		switch four := gb18030Ranges(); {
		case p < len(four):
			d.put(rune(four[p]))
		case 189000 <= p && p < 189000+0x100000:
			d.put(rune(p - 189000 + 0x10000))
		default:
			d.error()
		}
		i += 4
	}
}

// trail numbers the trail bytes 0x40 to hi without 0x7F; off is what is taken from those
// above it.
func trail(c, off, hi byte) (int, bool) {
	switch {
	case 0x40 <= c && c < 0x7F:
		return int(c - 0x40), true
	case 0x80 <= c && c <= hi && c >= off:
		return int(c - off), true
	}
	return 0, false
}

// pairLen is how much a lead byte, its trail c and the result r consume: an ASCII byte
// that does not fit is read again.
func pairLen(c byte, r rune) int {
	if r < 0 && c < utf8.RuneSelf {
		return 1
	}
	return 2
}

// lead is what a function for single bytes returns for the first of two.
const lead = -2

// pairs decodes bytes that stand alone, for which single gives the rune, and pairs.
func (d *decoding) pairs(single func(byte) rune, pair func(lead, trail byte) rune) int {
	b := d.b
	for i := 0; ; {
		if i = d.ascii(i); i == len(b) || d.failed {
			return i
		}
		r := single(b[i])
		if r != lead {
			d.put(r)
			i++
			continue
		}
		if i+1 == len(b) {
			return d.unfinished(i)
		}
		r = pair(b[i], b[i+1])
		d.put(r)
		i += pairLen(b[i+1], r)
	}
}

func leadOnly(c byte) rune {
	if c == 0x80 || c == 0xFF {
		return -1
	}
	return lead
}

// big5Pairs are the characters of Big5 that are two code points. The decoder has them as
// runes above the last one.
var big5Pairs = [...]string{"\u00CA\u0304", "\u00CA\u030C", "\u00EA\u0304", "\u00EA\u030C"}

func big5Pair(index runeIndex) func(c0, c1 byte) rune {
	return func(c0, c1 byte) rune {
		off, ok := trail(c1, 0x62, 0xFE)
		if !ok || 0x80 <= c1 && c1 < 0xA1 {
			return -1
		}
		switch p := int(c0-0x81)*157 + off; p {
		case 1133:
			return utf8.MaxRune + 1
		case 1135:
			return utf8.MaxRune + 2
		case 1164:
			return utf8.MaxRune + 3
		case 1166:
			return utf8.MaxRune + 4
		default:
			return index.at(p)
		}
	}
}

func eucKRPair(index runeIndex) func(c0, c1 byte) rune {
	return func(c0, c1 byte) rune {
		if c1 < 0x41 || c1 == 0xFF {
			return -1
		}
		return index.at(int(c0-0x81)*190 + int(c1-0x41))
	}
}

func shiftJISSingle(c byte) rune {
	switch {
	case c == 0x80:
		return 0x80
	case c == 0xA0 || c > 0xFC:
		return -1
	case 0xA1 <= c && c <= 0xDF:
		return 0xFF61 + rune(c-0xA1)
	}
	return lead
}

func shiftJISPair(index runeIndex) func(c0, c1 byte) rune {
	return func(c0, c1 byte) rune {
		off, ok := trail(c1, 0x41, 0xFC)
		if !ok {
			return -1
		}
		if c0 >= 0xE0 {
			c0 -= 0xC1 - 0x81
		}
		p := int(c0-0x81)*188 + off
		if 8836 <= p && p <= 10715 {
			return 0xE000 + rune(p-8836)
		}
		return index.at(p)
	}
}

func (d *decoding) eucJP() int {
	b, jis0208, jis0212 := d.b, jis0208Index(), jis0212Index()
	inRange := func(c byte) bool { return 0xA1 <= c && c <= 0xFE }
	for i := 0; ; {
		if i = d.ascii(i); i == len(b) || d.failed {
			return i
		}
		c := b[i]
		if c != 0x8E && c != 0x8F && !inRange(c) {
			d.error()
			i++
			continue
		}
		if i+1 == len(b) {
			return d.unfinished(i)
		}
		index, at := jis0208, i // at is the place of the lead byte
		r := rune(-1)
		switch c1 := b[i+1]; {
		case c == 0x8E:
			if 0xA1 <= c1 && c1 <= 0xDF {
				r = 0xFF61 + rune(c1-0xA1)
			}
			d.put(r)
			i += pairLen(c1, r)
			continue
		case c == 0x8F && inRange(c1):
			if i+2 == len(b) {
				return d.unfinished(i)
			}
			index, at = jis0212, i+1
		}
		if c0, c1 := b[at], b[at+1]; inRange(c0) && inRange(c1) {
			r = index.at(int(c0-0xA1)*94 + int(c1-0xA1))
		}
		d.put(r)
		i = at + pairLen(b[at+1], r)
	}
}

// The states of the ISO-2022-JP decoder in which it reads characters.
const (
	jpASCII = iota
	jpRoman
	jpKatakana
	jpDouble
)

func (d *decoding) iso2022JP() int {
	b, index := d.b, jis0208Index()
	state := jpASCII
	escaped := false      // an escape sequence came last: the standard's output flag
	safe, safeOut := 0, 0 // what is consumed and given if no more comes
	stay := func() int {  // ends at an unfinished sequence
		d.out = d.out[:safeOut]
		return safe
	}
	for i := 0; i < len(b) && !d.failed; {
		if state == jpASCII && !escaped {
			safe, safeOut = i, len(d.out)
		}
		c := b[i]
		if c == 0x1B {
			next, n := -1, 0
			if i+1 == len(b) || i+2 == len(b) && (b[i+1] == '$' || b[i+1] == '(') {
				if !d.last {
					return stay()
				}
			} else if i+2 < len(b) {
				next, n = jpEscape(b[i+1], b[i+2])
			}
			if next < 0 {
				d.error()
				escaped = false
				i++ // what follows is read again, as characters
				continue
			}
			if escaped {
				d.error()
			}
			state, escaped = next, true
			i += n
			continue
		}
		switch state {
		case jpKatakana:
			r := rune(-1)
			if 0x21 <= c && c <= 0x5F {
				r = 0xFF61 + rune(c-0x21)
			}
			d.put(r)
			i++
		case jpDouble:
			if c < 0x21 || c > 0x7E {
				d.error()
				i++
				break
			}
			if i+1 == len(b) {
				if !d.last {
					return stay()
				}
				d.error()
				i++
				break
			}
			r := rune(-1)
			c1 := b[i+1]
			if 0x21 <= c1 && c1 <= 0x7E {
				r = index.at(int(c-0x21)*94 + int(c1-0x21))
			}
			d.put(r)
			i += 2
			if c1 == 0x1B {
				i-- // an escape sequence may start here
			}
		default:
			r := rune(c)
			switch {
			case c >= 0x80 || c == 0x0E || c == 0x0F:
				r = -1
			case state == jpRoman && c == '\\':
				r = '¥'
			case state == jpRoman && c == '~':
				r = '‾'
			}
			d.put(r)
			i++
		}
		escaped = false
	}
	if d.last || state == jpASCII && !escaped {
		return len(b)
	}
	return stay()
}

// jpEscape returns the state that the two bytes after ESC choose, and the length of the
// escape sequence; the state is -1 if there is none.
func jpEscape(a, b byte) (state, n int) {
	switch {
	case a == '(' && b == 'B':
		return jpASCII, 3
	case a == '(' && b == 'J':
		return jpRoman, 3
	case a == '(' && b == 'I':
		return jpKatakana, 3
	case a == '$' && (b == '@' || b == 'B'):
		return jpDouble, 3
	}
	return -1, 0
}
