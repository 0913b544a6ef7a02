package marshal

import (
	"encoding/binary"
	"fmt"
	"math"
	"sort"
	"unicode/utf8"
)

// maxBigInt is how many hexadecimal digits a bigint has at most. Both engines
// refuse a bigint of more than 2^20 bits.
const maxBigInt = 1 << 18

// maxWire is the largest wire that is read: positions are 32 bits.
const maxWire = math.MaxInt32

// bytesPerElement holds the size of an element of each ElementType.
var bytesPerElement = [elementTypes]int{1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 1, 1}

// scanner checks a message that nobody vouches for. It takes no memory except for
// the index, if one is wanted.
type scanner struct {
	wire      []byte
	blobs     [][]byte
	pos       int
	count     int // containers so far
	keys      int // counted literal keys so far
	refs      int
	hostFuncs bool // whether TagHostFunc is allowed
	index     *index
}

// index finds containers and keys of a checked message by number.
type index struct {
	containers []uint32 // positions of their tags
	keys       []span
}

type span struct{ start, end uint32 }

// number returns the number of the first container at or after pos.
func (x *index) number(pos int) int {
	return sort.Search(len(x.containers), func(i int) bool { return int(x.containers[i]) >= pos })
}

func (s *scanner) fail(format string, args ...any) error {
	return fmt.Errorf("%w: %s at byte %d", ErrMalformed, fmt.Sprintf(format, args...), s.pos)
}

// check scans a whole message.
func (s *scanner) check() error {
	if len(s.wire) > maxWire {
		return fmt.Errorf("%w: message of %d bytes", ErrTooLarge, len(s.wire))
	}
	if len(s.wire) == 0 {
		return nil
	}
	if err := s.value(0); err != nil {
		return err
	}
	if s.pos != len(s.wire) {
		return s.fail("%d bytes after the value", len(s.wire)-s.pos)
	}
	return nil
}

// uvarint reads a varint that is at most limit.
func (s *scanner) uvarint(what string, limit int) (int, error) {
	if s.pos < len(s.wire) && s.wire[s.pos] < 0x80 && int(s.wire[s.pos]) <= limit {
		s.pos++
		return int(s.wire[s.pos-1]), nil
	}
	n, k := binary.Uvarint(s.wire[s.pos:])
	if k <= 0 {
		return 0, s.fail("bad varint for %s", what)
	}
	if n > uint64(max(limit, 0)) {
		return 0, s.fail("%s is %d, above %d", what, n, limit)
	}
	s.pos += k
	return int(n), nil
}

// text skips a text.
func (s *scanner) text(what string) error {
	n, err := s.uvarint("the length of "+what, len(s.wire))
	if err != nil {
		return err
	}
	if n > len(s.wire)-s.pos {
		return s.fail("%s of %d bytes, %d left", what, n, len(s.wire)-s.pos)
	}
	s.pos += n
	return nil
}

func (s *scanner) left() int { return len(s.wire) - s.pos }

func (s *scanner) value(depth int) error {
	if s.pos >= len(s.wire) {
		return s.fail("value missing")
	}
	tag := s.wire[s.pos]
	if tag >= TagArray && tag <= TagBlob {
		if depth >= MaxDepth {
			return fmt.Errorf("%w: %w", ErrMalformed, ErrTooDeep)
		}
		depth++
		s.count++
		if s.index != nil {
			s.index.containers = append(s.index.containers, uint32(s.pos))
		}
	}
	s.pos++
	switch tag {
	case TagUndefined, TagNull, TagFalse, TagTrue:
		return nil
	case TagInt:
		n, err := s.uvarint("an int", math.MaxUint32)
		_ = n
		return err
	case TagFloat, TagDate:
		if s.left() < 8 {
			return s.fail("8 bytes of a number, %d left", s.left())
		}
		s.pos += 8
		return nil
	case TagBigInt:
		n, err := s.uvarint("the length of a bigint", min(s.left(), maxBigInt+1))
		if err != nil {
			return err
		}
		if n > s.left() {
			return s.fail("bigint of %d bytes, %d left", n, s.left())
		}
		digits := s.wire[s.pos : s.pos+n]
		if len(digits) > 0 && digits[0] == '-' {
			digits = digits[1:]
		}
		if len(digits) == 0 {
			return s.fail("bigint without digits")
		}
		for _, c := range digits {
			if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
				return s.fail("bigint with %q", c)
			}
		}
		s.pos += n
		return nil
	case TagString:
		// Written out, since this is where a scan spends its time.
		if s.pos < len(s.wire) {
			if n := int(s.wire[s.pos]); n < 0x80 && n < s.left() {
				s.pos += 1 + n
				return nil
			}
		}
		return s.text("a string")
	case TagRef:
		_, err := s.uvarint("a ref", s.count-1)
		if s.count == 0 && err == nil {
			return s.fail("ref without a container")
		}
		s.refs++
		return err
	case TagArray, TagSet:
		n, err := s.uvarint("a length", s.left()-1)
		if err != nil {
			return err
		}
		for ; n > 0; n-- {
			if err := s.value(depth); err != nil {
				return err
			}
		}
		return nil
	case TagMap:
		n, err := s.uvarint("a map size", s.left()/2)
		if err != nil {
			return err
		}
		for n *= 2; n > 0; n-- {
			if err := s.value(depth); err != nil {
				return err
			}
		}
		return nil
	case TagObject:
		return s.entries(depth)
	case TagError:
		for range 3 {
			if err := s.text("an error's text"); err != nil {
				return err
			}
		}
		return s.entries(depth)
	case TagRegExp:
		if err := s.text("a regexp's source"); err != nil {
			return err
		}
		return s.text("a regexp's flags")
	case TagBytes, TagBlob:
		if s.left() < 1 || s.wire[s.pos] >= byte(elementTypes) {
			return s.fail("bad element type")
		}
		size := bytesPerElement[s.wire[s.pos]]
		s.pos++
		var n int
		if tag == TagBlob {
			i, err := s.uvarint("a blob's index", len(s.blobs)-1)
			if err != nil {
				return err
			}
			if i >= len(s.blobs) {
				return s.fail("blob %d of %d", i, len(s.blobs))
			}
			n = len(s.blobs[i])
		} else {
			start := s.pos
			if err := s.text("bytes"); err != nil {
				return err
			}
			n, _ = uvarintAt(s.wire, start)
		}
		if n%size != 0 {
			return s.fail("%d bytes in elements of %d", n, size)
		}
		return nil
	case TagHostFunc:
		if !s.hostFuncs {
			return s.fail("host function from a guest")
		}
		if _, k := binary.Uvarint(s.wire[s.pos:]); k <= 0 {
			return s.fail("bad varint for a function's id")
		} else {
			s.pos += k
		}
		return s.text("a function's name")
	}
	s.pos--
	return s.fail("unknown tag %#x", tag)
}

func (s *scanner) entries(depth int) error {
	for {
		code, err := s.uvarint("a key", math.MaxInt32)
		if err != nil {
			return err
		}
		switch {
		case code == 0:
			return nil
		case code&1 != 0:
			if code>>1 >= s.keys {
				return s.fail("key %d of %d", code>>1, s.keys)
			}
		default:
			n := code>>1 - 1
			if n > s.left() {
				return s.fail("key of %d bytes, %d left", n, s.left())
			}
			if s.keys < MaxKeys {
				s.keys++
				if s.index != nil {
					s.index.keys = append(s.index.keys, span{uint32(s.pos), uint32(s.pos + n)})
				}
			}
			s.pos += n
		}
		if err := s.value(depth); err != nil {
			return err
		}
	}
}

// The functions below read a message that a scanner has checked.

func uvarintAt(w []byte, pos int) (n, end int) {
	if n = int(w[pos]); n < 0x80 {
		return n, pos + 1
	}
	return longUvarintAt(w, pos)
}

// longUvarintAt is apart so that uvarintAt can be inlined.
func longUvarintAt(w []byte, pos int) (int, int) {
	n, k := binary.Uvarint(w[pos:])
	return int(n), pos + k
}

func intAt(w []byte, pos int) (int64, int) {
	n, pos := uvarintAt(w, pos)
	return int64(uint64(n)>>1) ^ -int64(n&1), pos
}

func floatAt(w []byte, pos int) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(w[pos:]))
}

func textAt(w []byte, pos int) ([]byte, int) {
	n, pos := uvarintAt(w, pos)
	return w[pos : pos+n], pos + n
}

// skip returns the position after the value at pos.
func skip(w []byte, pos int) int {
	tag := w[pos]
	pos++
	switch tag {
	case TagUndefined, TagNull, TagFalse, TagTrue:
		return pos
	case TagInt, TagRef:
		_, pos = uvarintAt(w, pos)
	case TagFloat, TagDate:
		pos += 8
	case TagBigInt, TagString:
		_, pos = textAt(w, pos)
	case TagRegExp:
		_, pos = textAt(w, pos)
		_, pos = textAt(w, pos)
	case TagBytes:
		_, pos = textAt(w, pos+1)
	case TagBlob:
		_, pos = uvarintAt(w, pos+1)
	case TagHostFunc:
		_, pos = uvarintAt(w, pos)
		_, pos = textAt(w, pos)
	case TagArray, TagSet, TagMap:
		var n int
		n, pos = uvarintAt(w, pos)
		if tag == TagMap {
			n *= 2
		}
		for ; n > 0; n-- {
			pos = skip(w, pos)
		}
	case TagObject, TagError:
		if tag == TagError {
			pos = skipTexts(w, pos)
		}
		for {
			var code int
			code, pos = uvarintAt(w, pos)
			if code == 0 {
				break
			}
			if code&1 == 0 {
				pos += code>>1 - 1
			}
			pos = skip(w, pos)
		}
	}
	return pos
}

// skipTexts skips the three texts of an error.
func skipTexts(w []byte, pos int) int {
	for range 3 {
		_, pos = textAt(w, pos)
	}
	return pos
}

// toText makes a Go string of a text: a lone surrogate in its three bytes, and any
// other byte that is not UTF-8, becomes U+FFFD.
func toText(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string(appendText(nil, b))
}

// wellFormed is toText for a string.
func wellFormed(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return toText([]byte(s))
}

func appendText(dst, b []byte) []byte {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			if len(b) >= 3 && b[0] == 0xed && b[1] >= 0xa0 && b[1] < 0xc0 && b[2]&0xc0 == 0x80 {
				n = 3
			}
			dst = append(dst, "\uFFFD"...)
		} else {
			dst = append(dst, b[:n]...)
		}
		b = b[n:]
	}
	return dst
}
