package enginetest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"quicksand/internal/marshal"
)

// A Value is one decoded value of a message, as far as a test wants to look at it.
type Value struct {
	Tag   byte
	Num   float64 // int, float, date
	Text  string  // bigint, string, regexp source, error name, as on the wire
	Text2 string  // regexp flags, error message
	Stack string  // error
	Ref   int     // ref
	Keys  []string
	Items []Value // elements; values of Keys; key, value, key, value of a map
	Elem  marshal.ElementType
	Bytes []byte
	Blob  bool
}

// Get returns the property of an object or error, or nil.
func (v *Value) Get(key string) *Value {
	for i, k := range v.Keys {
		if k == key {
			return &v.Items[i]
		}
	}
	return nil
}

// Str is the text of a string and "" for anything else, nil included.
func (v *Value) Str() string {
	if v == nil || v.Tag != marshal.TagString {
		return ""
	}
	return v.Text
}

// Read decodes a message. It accepts exactly what the encoding allows.
func Read(m marshal.Message) (v Value, err error) {
	if len(m.Wire) == 0 {
		if len(m.Blobs) > 0 {
			return v, errors.New("blobs without a wire")
		}
		return Value{Tag: marshal.TagUndefined}, nil
	}
	defer func() {
		if r := recover(); r != nil {
			w, ok := r.(wireError)
			if !ok {
				panic(r)
			}
			err = errors.New(string(w))
		}
	}()
	r := &reader{b: m.Wire, blobs: m.Blobs, used: make([]bool, len(m.Blobs))}
	v = r.value(0)
	if len(r.b) > 0 {
		return v, fmt.Errorf("%d bytes after the value", len(r.b))
	}
	for i, u := range r.used {
		if !u {
			return v, fmt.Errorf("blob %d is not used", i)
		}
	}
	return v, nil
}

type wireError string

type reader struct {
	b          []byte
	blobs      [][]byte
	used       []bool
	keys       []string
	containers int
}

func (r *reader) fail(format string, args ...any) { panic(wireError(fmt.Sprintf(format, args...))) }

func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.fail("%d bytes wanted, %d left", n, len(r.b))
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) uvarint() uint64 {
	n, size := binary.Uvarint(r.b)
	if size <= 0 {
		r.fail("bad varint")
	}
	r.b = r.b[size:]
	return n
}

func (r *reader) count() int {
	n := r.uvarint()
	if n > uint64(len(r.b)) {
		r.fail("length %d, %d bytes left", n, len(r.b))
	}
	return int(n)
}

func (r *reader) text() string { return string(r.take(r.uvarint())) }

func (r *reader) float() float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(r.take(8)))
}

func (r *reader) value(depth int) Value {
	v := Value{Tag: r.take(1)[0]}
	if v.Tag >= marshal.TagArray && v.Tag <= marshal.TagBlob {
		r.containers++
		if depth++; depth > marshal.MaxDepth {
			r.fail("deeper than %d", marshal.MaxDepth)
		}
	}
	switch v.Tag {
	case marshal.TagUndefined, marshal.TagNull, marshal.TagFalse, marshal.TagTrue:
	case marshal.TagInt:
		n := r.uvarint()
		i := int64(n>>1) ^ -int64(n&1)
		if i < math.MinInt32 || i > math.MaxInt32 {
			r.fail("int %d out of range", i)
		}
		v.Num = float64(i)
	case marshal.TagFloat, marshal.TagDate:
		v.Num = r.float()
	case marshal.TagBigInt, marshal.TagString:
		v.Text = r.text()
	case marshal.TagRef:
		v.Ref = int(r.uvarint())
		if v.Ref >= r.containers {
			r.fail("ref %d of %d", v.Ref, r.containers)
		}
	case marshal.TagArray, marshal.TagSet:
		for n := r.count(); n > 0; n-- {
			v.Items = append(v.Items, r.value(depth))
		}
	case marshal.TagMap:
		for n := r.count(); n > 0; n-- {
			v.Items = append(v.Items, r.value(depth), r.value(depth))
		}
	case marshal.TagObject:
		r.entries(&v, depth)
	case marshal.TagError:
		v.Text, v.Text2, v.Stack = r.text(), r.text(), r.text()
		r.entries(&v, depth)
	case marshal.TagRegExp:
		v.Text, v.Text2 = r.text(), r.text()
	case marshal.TagBytes, marshal.TagBlob:
		v.Elem = marshal.ElementType(r.take(1)[0])
		if v.Elem > marshal.DataView {
			r.fail("element type %d", v.Elem)
		}
		if v.Tag == marshal.TagBytes {
			v.Bytes = r.take(r.uvarint())
			if len(v.Bytes) >= marshal.BlobSize {
				r.fail("%d bytes on the wire", len(v.Bytes))
			}
			break
		}
		i := r.uvarint()
		if i >= uint64(len(r.blobs)) || r.used[i] {
			r.fail("blob %d of %d", i, len(r.blobs))
		}
		r.used[i], v.Blob, v.Bytes = true, true, r.blobs[i]
	default:
		r.fail("tag %#x", v.Tag)
	}
	return v
}

func (r *reader) entries(v *Value, depth int) {
	for {
		code := r.uvarint()
		if code == 0 {
			return
		}
		var key string
		if code&1 == 1 {
			if code>>1 >= uint64(len(r.keys)) {
				r.fail("key %d of %d", code>>1, len(r.keys))
			}
			key = r.keys[code>>1]
		} else {
			key = string(r.take(code/2 - 1))
			if len(r.keys) < marshal.MaxKeys {
				r.keys = append(r.keys, key)
			}
		}
		v.Keys = append(v.Keys, key)
		v.Items = append(v.Items, r.value(depth))
	}
}

var elementNames = [...]string{"Uint8Array", "Uint8ClampedArray", "Int8Array", "Int16Array", "Uint16Array", "Int32Array",
	"Uint32Array", "BigInt64Array", "BigUint64Array", "Float16Array", "Float32Array", "Float64Array", "ArrayBuffer", "DataView"}

// Dump writes a message in a notation close to JavaScript:
//
//	[1, -0, 0xffn, "a\ud800", {a: 1, "b c": #0}, Map{1 => 2}, Set{1}, Date(0),
//	TypeError("message"){cause: 1}, /a/g, Uint8Array<01ff>, Blob(Uint8Array, 65536)]
//
// #0 is a reference to the container with that number. Stacks are left out. A float
// that had to be an int is written with ".0". A malformed message is written as
// "malformed: " and what is wrong with it.
func Dump(m marshal.Message) string {
	v, err := Read(m)
	if err != nil {
		return "malformed: " + err.Error()
	}
	return v.String()
}

func (v Value) String() string {
	var b strings.Builder
	v.dump(&b)
	return b.String()
}

var identifier = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)

func (v *Value) dump(b *strings.Builder) {
	list := func(open, end string) {
		b.WriteString(open)
		for i := range v.Items {
			if i > 0 {
				b.WriteString(", ")
			}
			v.Items[i].dump(b)
		}
		b.WriteString(end)
	}
	switch v.Tag {
	case marshal.TagUndefined:
		b.WriteString("undefined")
	case marshal.TagNull:
		b.WriteString("null")
	case marshal.TagFalse:
		b.WriteString("false")
	case marshal.TagTrue:
		b.WriteString("true")
	case marshal.TagInt:
		fmt.Fprint(b, int64(v.Num))
	case marshal.TagFloat:
		b.WriteString(number(v.Num))
		if v.Num == math.Trunc(v.Num) && math.Abs(v.Num) < 1<<31 && !(v.Num == 0 && math.Signbit(v.Num)) {
			b.WriteString(".0")
		}
	case marshal.TagBigInt:
		if s, ok := strings.CutPrefix(v.Text, "-"); ok {
			b.WriteString("-0x" + s + "n")
		} else {
			b.WriteString("0x" + s + "n")
		}
	case marshal.TagString:
		b.WriteString(quote(v.Text))
	case marshal.TagRef:
		fmt.Fprintf(b, "#%d", v.Ref)
	case marshal.TagArray:
		list("[", "]")
	case marshal.TagSet:
		list("Set{", "}")
	case marshal.TagMap:
		b.WriteString("Map{")
		for i := 0; i < len(v.Items); i += 2 {
			if i > 0 {
				b.WriteString(", ")
			}
			v.Items[i].dump(b)
			b.WriteString(" => ")
			v.Items[i+1].dump(b)
		}
		b.WriteString("}")
	case marshal.TagObject:
		v.dumpEntries(b)
	case marshal.TagDate:
		b.WriteString("Date(" + number(v.Num) + ")")
	case marshal.TagError:
		b.WriteString(v.Text + "(" + quote(v.Text2) + ")")
		if len(v.Keys) > 0 {
			v.dumpEntries(b)
		}
	case marshal.TagRegExp:
		b.WriteString("/" + v.Text + "/" + v.Text2)
	case marshal.TagBytes:
		fmt.Fprintf(b, "%s<%x>", elementNames[v.Elem], v.Bytes)
	case marshal.TagBlob:
		fmt.Fprintf(b, "Blob(%s, %d)", elementNames[v.Elem], len(v.Bytes))
	}
}

func (v *Value) dumpEntries(b *strings.Builder) {
	b.WriteString("{")
	for i, k := range v.Keys {
		if i > 0 {
			b.WriteString(", ")
		}
		if !identifier.MatchString(k) {
			k = quote(k)
		}
		b.WriteString(k + ": ")
		v.Items[i].dump(b)
	}
	b.WriteString("}")
}

func number(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0 && math.Signbit(f):
		return "-0"
	case math.Abs(f) < 1e21 && f == math.Trunc(f):
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// quote writes WTF-8 as a literal: lone surrogates as \ud800, malformed bytes as \x.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); {
		c, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case c == utf8.RuneError && n == 1 && i+2 < len(s) && s[i] == 0xed && s[i+1] >= 0xa0:
			c = rune(s[i]&0xf)<<12 | rune(s[i+1]&0x3f)<<6 | rune(s[i+2]&0x3f)
			n = 3
			if !utf16.IsSurrogate(c) {
				b.WriteString("\\x" + fmt.Sprintf("%02x", s[i]))
				n = 1
				break
			}
			fmt.Fprintf(&b, "\\u%04x", c)
		case c == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, "\\x%02x", s[i])
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString("\\n")
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, "\\u%04x", c)
		default:
			b.WriteRune(c)
		}
		i += n
	}
	b.WriteByte('"')
	return b.String()
}
