package marshal

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// DefaultMaxJSON is the longest JSON text that JSON makes. Refs let a small message
// describe an enormous text.
const DefaultMaxJSON = 512 << 20

// maxJSONDepth is how deep JSON follows refs into each other.
const maxJSONDepth = 1000

// JSON returns the JSON text of the value, with keys in their order:
//
//	undefined            null; as a property it is left out
//	NaN, infinities      null
//	BigInt               string of decimal digits
//	Date                 ISO 8601 string as Date.prototype.toISOString, null if invalid
//	Map                  array of [key, value] pairs
//	Set                  array
//	Error                object with name, message, stack unless empty, and its other properties
//	RegExp               string of the literal
//	Uint8Array, Uint8ClampedArray, ArrayBuffer, DataView   base64 string
//	other typed arrays   array of numbers, of BigInts for the 64-bit ones
//
// A shared object is written in each place. A cycle is an error that wraps ErrCycle
// and names the path; a text longer than DefaultMaxJSON wraps ErrTooLarge.
func (v Value) JSON() ([]byte, error) { return v.AppendJSON(nil, 0) }

// JSONIndent is JSON with line breaks, as json.Indent makes them.
func (v Value) JSONIndent(prefix, indent string) ([]byte, error) {
	b, err := v.JSON()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, b, prefix, indent); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// MarshalJSON is JSON for encoding/json.
func (v Value) MarshalJSON() ([]byte, error) { return v.JSON() }

// AppendJSON appends the text that JSON describes to dst, at most limit bytes of
// it. A limit of 0 means DefaultMaxJSON. After an error dst is returned unchanged.
func (v Value) AppendJSON(dst []byte, limit int) ([]byte, error) {
	if limit <= 0 {
		limit = DefaultMaxJSON
	}
	if len(v.wire) == 0 {
		return append(dst, "null"...), nil
	}
	j := jsonWriter{v: v, pos: int(v.pos), buf: dst, limit: limit + len(dst)}
	if v.pos != 0 && v.tag() >= TagArray || v.refs {
		j.index = v.getIndex()
		j.next = j.index.number(j.pos)
	}
	if err := j.value(0); err != nil {
		slices.Reverse(j.path)
		return dst, &PathError{pathString("value", j.path), err}
	}
	return j.buf, nil
}

type jsonWriter struct {
	v      Value
	pos    int
	buf    []byte
	limit  int
	silent int    // what was left out, in bytes that it counts
	keys   []span // literal keys so far, when there is no index
	index  *index // for messages with refs and for values inside
	next   int    // number of the next container; counts only with an index
	open   []int  // with an index
	path   []segment
}

func (j *jsonWriter) room(n int) error {
	if len(j.buf)+j.silent+n > j.limit {
		return fmt.Errorf("%w: JSON text of more than %d bytes", ErrTooLarge, j.limit)
	}
	return nil
}

func (j *jsonWriter) uvarint() (n int) {
	n, j.pos = uvarintAt(j.v.wire, j.pos)
	return n
}

func (j *jsonWriter) text() (b []byte) {
	b, j.pos = textAt(j.v.wire, j.pos)
	return b
}

// wrap notes the way to an error, innermost first.
func (j *jsonWriter) wrap(s segment, err error) error {
	j.path = append(j.path, s)
	return err
}

func (j *jsonWriter) value(depth int) error {
	if err := j.room(32); err != nil {
		return err
	}
	w := j.v.wire
	tag := w[j.pos]
	j.pos++
	switch tag {
	case TagUndefined, TagNull:
		j.buf = append(j.buf, "null"...)
		return nil
	case TagFalse:
		j.buf = append(j.buf, "false"...)
		return nil
	case TagTrue:
		j.buf = append(j.buf, "true"...)
		return nil
	case TagInt:
		var n int64
		n, j.pos = intAt(w, j.pos)
		j.buf = strconv.AppendInt(j.buf, n, 10)
		return nil
	case TagFloat:
		j.pos += 8
		j.buf = appendNumber(j.buf, floatAt(w, j.pos-8), false)
		return nil
	case TagBigInt:
		return j.bigint(parseBigInt(j.text()).String())
	case TagString:
		return j.string(j.text())
	case TagHostFunc:
		j.pos = skip(w, j.pos-1)
		j.buf = append(j.buf, "null"...)
		return nil
	case TagRef:
		return j.ref(j.uvarint(), depth)
	}
	if depth >= maxJSONDepth {
		return fmt.Errorf("%w: JSON of more than %d levels", ErrTooDeep, maxJSONDepth)
	}
	if j.index != nil {
		j.open = append(j.open, j.next)
		defer func() { j.open = j.open[:len(j.open)-1] }()
		j.next++
	}
	switch tag {
	case TagArray, TagSet:
		n := j.uvarint()
		j.buf = append(j.buf, '[')
		for i := range n {
			if i > 0 {
				j.buf = append(j.buf, ',')
			}
			if err := j.value(depth + 1); err != nil {
				return j.wrap(segment{pos: i, kind: indexSegment}, err)
			}
		}
		j.buf = append(j.buf, ']')
	case TagMap:
		n := j.uvarint()
		j.buf = append(j.buf, '[')
		for i := range n {
			if i > 0 {
				j.buf = append(j.buf, ',')
			}
			j.buf = append(j.buf, '[')
			if err := j.value(depth + 1); err != nil {
				return j.wrap(segment{pos: i, kind: mapKeySegment}, err)
			}
			j.buf = append(j.buf, ',')
			if err := j.value(depth + 1); err != nil {
				return j.wrap(segment{pos: i, kind: mapValueSegment}, err)
			}
			j.buf = append(j.buf, ']')
		}
		j.buf = append(j.buf, ']')
	case TagObject:
		j.buf = append(j.buf, '{')
		return j.entries(depth, true)
	case TagError:
		j.buf = append(j.buf, `{"name":`...)
		for i, label := range [...]string{"", `,"message":`, `,"stack":`} {
			b := j.text()
			if i == 2 && len(b) == 0 {
				break
			}
			j.buf = append(j.buf, label...)
			if err := j.string(b); err != nil {
				return err
			}
		}
		return j.entries(depth, false)
	case TagDate:
		j.pos += 8
		j.buf = appendDate(j.buf, floatAt(w, j.pos-8))
	case TagRegExp:
		source, flags := j.text(), j.text()
		return j.string(fmt.Appendf(nil, "/%s/%s", source, flags))
	default:
		t, b, end := j.v.byteRange(j.pos - 1)
		j.pos = end
		return j.bytes(t, b)
	}
	return nil
}

// ref writes the container n again.
func (j *jsonWriter) ref(n, depth int) error {
	if slices.Contains(j.open, n) {
		return ErrCycle
	}
	pos, next := j.pos, j.next
	j.pos, j.next = int(j.index.containers[n]), n
	err := j.value(depth)
	j.pos, j.next = pos, next
	return err
}

func (j *jsonWriter) entries(depth int, first bool) error {
	w := j.v.wire
	for {
		code := j.uvarint()
		var key span
		switch {
		case code == 0:
			j.buf = append(j.buf, '}')
			return nil
		case code&1 == 0:
			key = span{uint32(j.pos), uint32(j.pos + code>>1 - 1)}
			j.pos = int(key.end)
			if j.index == nil && len(j.keys) < MaxKeys {
				j.keys = append(j.keys, key)
			}
		case j.index != nil:
			key = j.index.keys[code>>1]
		default:
			key = j.keys[code>>1]
		}
		if w[j.pos] == TagUndefined || w[j.pos] == TagHostFunc {
			j.pos = skip(w, j.pos)
			// Work that leaves no text counts too: refs could repeat it without end.
			j.silent += 8
			if err := j.room(0); err != nil {
				return err
			}
			continue
		}
		if !first {
			j.buf = append(j.buf, ',')
		}
		first = false
		if err := j.string(w[key.start:key.end]); err != nil {
			return err
		}
		j.buf = append(j.buf, ':')
		if err := j.value(depth + 1); err != nil {
			return j.wrap(segment{key: toText(w[key.start:key.end])}, err)
		}
	}
}

func (j *jsonWriter) bigint(digits string) error {
	if err := j.room(len(digits) + 2); err != nil {
		return err
	}
	j.buf = append(j.buf, '"')
	j.buf = append(j.buf, digits...)
	j.buf = append(j.buf, '"')
	return nil
}

func (j *jsonWriter) string(b []byte) error {
	if err := j.room(len(b) + 2); err != nil {
		return err
	}
	j.buf = appendString(j.buf, b)
	return j.room(0) // escapes make it longer, six times at most
}

func (j *jsonWriter) bytes(t ElementType, b []byte) error {
	switch t {
	case Uint8Array, Uint8ClampedArray, ArrayBuffer, DataView:
		if err := j.room(base64.StdEncoding.EncodedLen(len(b)) + 2); err != nil {
			return err
		}
		j.buf = append(j.buf, '"')
		j.buf = base64.StdEncoding.AppendEncode(j.buf, b)
		j.buf = append(j.buf, '"')
		return nil
	}
	j.buf = append(j.buf, '[')
	size := bytesPerElement[t]
	for i := 0; i < len(b); i += size {
		if i > 0 {
			j.buf = append(j.buf, ',')
		}
		if err := j.room(32); err != nil {
			return err
		}
		switch t {
		case BigInt64Array:
			j.buf = append(j.buf, '"')
			j.buf = strconv.AppendInt(j.buf, int64(binary.LittleEndian.Uint64(b[i:])), 10)
			j.buf = append(j.buf, '"')
		case BigUint64Array:
			j.buf = append(j.buf, '"')
			j.buf = strconv.AppendUint(j.buf, binary.LittleEndian.Uint64(b[i:]), 10)
			j.buf = append(j.buf, '"')
		default:
			// Of a float32 this writes the digits of the equal float64, as JavaScript does.
			j.buf = appendNumber(j.buf, elementAt(t, b[i:]), false)
		}
	}
	j.buf = append(j.buf, ']')
	return nil
}

// elementAt reads a number of a typed array whose elements are no BigInts.
func elementAt(t ElementType, b []byte) float64 {
	switch t {
	case Int8Array:
		return float64(int8(b[0]))
	case Int16Array:
		return float64(int16(binary.LittleEndian.Uint16(b)))
	case Uint16Array:
		return float64(binary.LittleEndian.Uint16(b))
	case Int32Array:
		return float64(int32(binary.LittleEndian.Uint32(b)))
	case Uint32Array:
		return float64(binary.LittleEndian.Uint32(b))
	case Float16Array:
		return halfFloat(binary.LittleEndian.Uint16(b))
	case Float32Array:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case Float64Array:
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return float64(b[0])
}

// halfFloat is the value of an IEEE 754 binary16 number.
func halfFloat(h uint16) float64 {
	exponent, fraction := int(h>>10&0x1f), float64(h&0x3ff)
	f := 0.0
	switch exponent {
	case 0:
		f = math.Ldexp(fraction, -24)
	case 31:
		if f = math.Inf(1); fraction != 0 {
			f = math.NaN()
		}
	default:
		f = math.Ldexp(fraction+1024, exponent-25)
	}
	if h&0x8000 != 0 {
		f = -f
	}
	return f
}

// appendNumber writes a number as JavaScript prints it; NaN and infinities by
// name, or for JSON as null.
func appendNumber(dst []byte, f float64, names bool) []byte {
	if f != f || math.IsInf(f, 0) {
		switch {
		case !names:
			return append(dst, "null"...)
		case f != f:
			return append(dst, "NaN"...)
		case f < 0:
			return append(dst, "-Infinity"...)
		}
		return append(dst, "Infinity"...)
	}
	if f == 0 {
		return append(dst, '0')
	}
	if a := math.Abs(f); a >= 1e-6 && a < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// Go writes two digits of exponent at least.
	if n := len(dst); dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

// appendDate writes a quoted ISO date, or null.
func appendDate(dst []byte, ms float64) []byte {
	t, ok := toTime(ms)
	if !ok {
		return append(dst, "null"...)
	}
	dst = append(dst, '"')
	switch y := t.Year(); {
	case y < 0:
		dst = fmt.Appendf(dst, "-%06d", -y)
	case y > 9999:
		dst = fmt.Appendf(dst, "+%06d", y)
	default:
		dst = fmt.Appendf(dst, "%04d", y)
	}
	dst = t.AppendFormat(dst, "-01-02T15:04:05.000Z")
	return append(dst, '"')
}

const hexLetters = "0123456789abcdef"

// appendString writes a quoted string with the escapes of JSON.stringify.
func appendString(dst, b []byte) []byte {
	if !utf8.Valid(b) {
		b = appendText(nil, b)
	}
	dst = append(dst, '"')
	start := 0
	for i, c := range b {
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, b[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexLetters[c>>4], hexLetters[c&15])
		}
	}
	dst = append(dst, b[start:]...)
	return append(dst, '"')
}
