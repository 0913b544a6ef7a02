package qjspure

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	lib "modernc.org/libquickjs"

	"quicksand/internal/marshal"
)

// allocString makes a string of n units with unspecified contents. It returns 0 with
// an exception pending when it does not fit.
func (v *isolate) allocString(n int, wide bool) uintptr {
	if n > maxString {
		v.throwInternalText("string too long")
		return 0
	}
	size, head := n+1, uint32(n)
	if wide {
		size, head = 2*n, uint32(n)|stringWide
	}
	p := lib.Xjs_malloc(v.tls, v.ctx, lib.Tsize_t(stringData+size))
	if p == 0 {
		return 0
	}
	*refs(p) = 1
	*(*uint32)(at(p)) = head
	*(*uint32)(at(p + stringHash)) = 0
	*(*uint32)(at(p + 8)) = 0
	if !wide {
		*(*byte)(at(p + stringData + uintptr(n))) = 0
	}
	return p
}

func (v *isolate) throwInternalText(message string) value {
	return lib.XJS_Throw(v.tls, v.ctx, v.newError(lib.EJS_INTERNAL_ERROR, message))
}

// newString is a string of valid UTF-8, or an exception.
func (v *isolate) newString(s string) value {
	return v.decodeText(unsafe.Slice(unsafe.StringData(s), len(s)), true)
}

// decodeUTF8 is a string in which malformed sequences became U+FFFD, by maximal
// subparts.
func (v *isolate) decodeUTF8(b []byte) value { return v.decodeText(b, false) }

// decodeText makes a string of UTF-8. With surrogates, the three-byte form of a
// surrogate is that surrogate.
func (v *isolate) decodeText(b []byte, surrogates bool) value {
	n := asciiPrefix(b)
	if n == len(b) {
		if n == 0 {
			return make64(lib.EJS_TAG_STRING, uint64(addrOf(lib.XJS_AtomToString(v.tls, v.ctx, lib.EJS_ATOM_empty_string))))
		}
		p := v.allocString(n, false)
		if p == 0 {
			return exception
		}
		copy(mem(p+stringData, uintptr(n)), b)
		return make64(lib.EJS_TAG_STRING, uint64(p))
	}
	units, wide := n, false
	for rest := b[n:]; len(rest) > 0; {
		r, size := decodeRune(rest, surrogates)
		rest = rest[size:]
		units++
		if r > 0xff {
			wide = true
			if r > 0xffff {
				units++
			}
		}
	}
	p := v.allocString(units, wide)
	if p == 0 {
		return exception
	}
	if !wide {
		dst := mem(p+stringData, uintptr(units))
		i := copy(dst, b[:n])
		for rest := b[n:]; len(rest) > 0; i++ {
			r, size := decodeRune(rest, surrogates)
			rest = rest[size:]
			dst[i] = byte(r)
		}
		return make64(lib.EJS_TAG_STRING, uint64(p))
	}
	dst := mem16(p+stringData, uintptr(units))
	for i, c := range b[:n] {
		dst[i] = uint16(c)
	}
	i := n
	for rest := b[n:]; len(rest) > 0; i++ {
		r, size := decodeRune(rest, surrogates)
		rest = rest[size:]
		if r > 0xffff {
			hi, lo := utf16.EncodeRune(r)
			dst[i] = uint16(hi)
			i++
			r = lo
		}
		dst[i] = uint16(r)
	}
	return make64(lib.EJS_TAG_STRING, uint64(p))
}

// asciiPrefix is the length of the leading ASCII bytes.
func asciiPrefix(b []byte) int {
	i := 0
	for ; len(b)-i >= 8; i += 8 {
		if w := binary.LittleEndian.Uint64(b[i:]) & 0x8080808080808080; w != 0 {
			return i + bits.TrailingZeros64(w)/8
		}
	}
	for ; i < len(b); i++ {
		if b[i] >= 0x80 {
			return i
		}
	}
	return i
}

// decodeRune decodes one code point of UTF-8. A malformed sequence is U+FFFD and its
// maximal subpart, as the WHATWG decoder has it.
func decodeRune(b []byte, surrogates bool) (rune, int) {
	c := b[0]
	if c < 0x80 {
		return rune(c), 1
	}
	if r, n := utf8.DecodeRune(b); n > 1 {
		return r, n
	}
	if surrogates && len(b) >= 3 && c == 0xed && b[1] >= 0xa0 && b[1] <= 0xbf && b[2] >= 0x80 && b[2] <= 0xbf {
		return 0xd000 | rune(b[1]&0x3f)<<6 | rune(b[2]&0x3f), 3
	}
	need, lo, hi := 0, byte(0x80), byte(0xbf)
	switch {
	case c >= 0xc2 && c <= 0xdf:
		need = 1
	case c >= 0xe0 && c <= 0xef:
		need = 2
		if c == 0xe0 {
			lo = 0xa0
		} else if c == 0xed {
			hi = 0x9f
		}
	case c >= 0xf0 && c <= 0xf4:
		need = 3
		if c == 0xf0 {
			lo = 0x90
		} else if c == 0xf4 {
			hi = 0x8f
		}
	}
	n := 1
	for ; n <= need && n < len(b) && b[n] >= lo && b[n] <= hi; n++ {
		lo, hi = 0x80, 0xbf
	}
	return utf8.RuneError, n
}

// appendLatin1 appends 8-bit units as UTF-8.
func appendLatin1(dst, s []byte) []byte {
	for len(s) > 0 {
		n := asciiPrefix(s)
		dst = append(dst, s[:n]...)
		s = s[n:]
		for len(s) > 0 && s[0] >= 0x80 {
			dst = append(dst, 0xc0|s[0]>>6, 0x80|s[0]&0x3f)
			s = s[1:]
		}
	}
	return dst
}

func latin1Size(s []byte) int {
	n := len(s)
	for i := asciiPrefix(s); i < len(s); i++ {
		n += int(s[i] >> 7)
	}
	return n
}

// appendUTF16 appends 16-bit units as UTF-8, lone surrogates in their three-byte form.
func appendUTF16(dst []byte, s []uint16) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c < 0x80:
			dst = append(dst, byte(c))
		case c < 0x800:
			dst = append(dst, 0xc0|byte(c>>6), 0x80|byte(c&0x3f))
		case c&0xfc00 == 0xd800 && i+1 < len(s) && s[i+1]&0xfc00 == 0xdc00:
			dst = utf8.AppendRune(dst, utf16.DecodeRune(rune(c), rune(s[i+1])))
			i++
		default:
			dst = append(dst, 0xe0|byte(c>>12), 0x80|byte(c>>6&0x3f), 0x80|byte(c&0x3f))
		}
	}
	return dst
}

func utf16Size(s []uint16) int {
	n := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c < 0x80:
			n++
		case c < 0x800:
			n += 2
		case c&0xfc00 == 0xd800 && i+1 < len(s) && s[i+1]&0xfc00 == 0xdc00:
			n += 4
			i++
		default:
			n += 3
		}
	}
	return n
}

// units are the units of a string: 8-bit ones in the first, 16-bit ones in the second
// result. They are only valid until the engine runs again.
func (e *encoder) units(x value) ([]byte, []uint16) {
	p := addrOf(x)
	if tagOf(x) == lib.EJS_TAG_STRING {
		head := u32(p)
		n := uintptr(head &^ stringWide)
		if head&stringWide != 0 {
			return nil, mem16(p+stringData, n)
		}
		return mem(p+stringData, n), nil
	}
	// A rope: its leaves in order.
	wide := u8(p+ropeWide) != 0
	e.rope8, e.rope16 = e.rope8[:0], e.rope16[:0]
	e.ropes = append(e.ropes[:0], x)
	for len(e.ropes) > 0 {
		x := e.ropes[len(e.ropes)-1]
		e.ropes = e.ropes[:len(e.ropes)-1]
		p := addrOf(x)
		if tagOf(x) == lib.EJS_TAG_STRING_ROPE {
			e.ropes = append(e.ropes, valueAt(p+ropeRight), valueAt(p+ropeLeft))
			continue
		}
		head := u32(p)
		n := uintptr(head &^ stringWide)
		switch {
		case head&stringWide != 0:
			e.rope16 = append(e.rope16, mem16(p+stringData, n)...)
		case wide:
			for _, c := range mem(p+stringData, n) {
				e.rope16 = append(e.rope16, uint16(c))
			}
		default:
			e.rope8 = append(e.rope8, mem(p+stringData, n)...)
		}
	}
	if wide {
		return nil, e.rope16
	}
	return e.rope8, nil
}

// stringLen is the number of units of a string.
func stringLen(x value) int {
	if tagOf(x) == lib.EJS_TAG_STRING {
		return int(u32(addrOf(x)) &^ stringWide)
	}
	return int(u32(addrOf(x) + ropeLen))
}

// fits reports whether the guest's memory has room for the text of a rope, which takes none
// before it is read: a gigabyte of text is thirty concatenations. Otherwise an exception is
// pending.
func (v *isolate) fits(x value) bool {
	if tagOf(x) == lib.EJS_TAG_STRING {
		return true
	}
	n := uintptr(stringLen(x))
	if u8(addrOf(x)+ropeWide) != 0 {
		n *= 2
	}
	if !v.heap.Charge(n) {
		lib.XJS_ThrowOutOfMemory(v.tls, v.ctx)
		return false
	}
	v.heap.Uncharge(n)
	return true
}

// dropRopes gives back what long ropes needed.
func (e *encoder) dropRopes() {
	const keep = 1 << 16 // units
	if cap(e.rope8) > keep {
		e.rope8 = nil
	}
	if cap(e.rope16) > keep {
		e.rope16 = nil
	}
}

// goString is a short string as UTF-8 in which lone surrogates are U+FFFD. Anything else
// is "".
func (v *isolate) goString(x value) string {
	if !isString(x) || !v.fits(x) {
		return ""
	}
	defer v.text.dropRopes()
	return textOf(v.text.units(x))
}

func textOf(b []byte, w []uint16) string {
	if w == nil {
		return string(appendLatin1(nil, b))
	}
	return strings.ToValidUTF8(string(appendUTF16(nil, w)), "\ufffd")
}

// encodeUTF8 makes a Uint8Array of a string's UTF-8, in which each lone surrogate is
// U+FFFD. It is written where it stays, so that it never takes more than the guest has.
func (v *isolate) encodeUTF8(x value) value {
	if !v.fits(x) {
		return exception
	}
	defer v.text.dropRopes()
	b, w := v.text.units(x)
	n := latin1Size(b) + utf16Size(w)
	p := v.allocBytes(n)
	if p == 0 {
		return exception
	}
	if out := mem(p, uintptr(n))[:0]; w == nil {
		appendLatin1(out, b)
	} else {
		appendWellFormed(out, w)
	}
	return v.viewOf(p, n, marshal.Uint8Array)
}

// appendWellFormed appends 16-bit units as UTF-8 of utf16Size bytes, each lone surrogate as
// U+FFFD.
func appendWellFormed(out []byte, w []uint16) []byte {
	for i := 0; i < len(w); i++ {
		r := rune(w[i])
		if utf16.IsSurrogate(r) {
			if i+1 < len(w) {
				if r = utf16.DecodeRune(r, rune(w[i+1])); r != utf8.RuneError {
					i++
				}
			} else {
				r = utf8.RuneError
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

func (v *isolate) atom(s string) uint32 {
	return lib.XJS_NewAtom(v.tls, v.ctx, v.stage.put(s))
}
