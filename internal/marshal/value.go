package marshal

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"sync/atomic"
	"unicode/utf8"
)

// Kind is the type of a Value.
type Kind uint8

// Kinds. KindBytes stands for typed arrays, ArrayBuffer and DataView.
const (
	KindUndefined Kind = iota
	KindNull
	KindBool
	KindNumber
	KindBigInt
	KindString
	KindArray
	KindObject
	KindMap
	KindSet
	KindDate
	KindError
	KindRegExp
	KindBytes
)

var kindNames = [...]string{"undefined", "null", "boolean", "number", "bigint", "string", "array", "object",
	"map", "set", "date", "error", "regexp", "bytes"}

// String is the kind in lower case, for messages.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

var kindOfTag = [...]Kind{TagUndefined: KindUndefined, TagNull: KindNull, TagFalse: KindBool, TagTrue: KindBool,
	TagInt: KindNumber, TagFloat: KindNumber, TagBigInt: KindBigInt, TagString: KindString, TagArray: KindArray,
	TagObject: KindObject, TagMap: KindMap, TagSet: KindSet, TagDate: KindDate, TagError: KindError,
	TagRegExp: KindRegExp, TagBytes: KindBytes, TagBlob: KindBytes, TagHostFunc: KindUndefined}

// Value is a checked message, or a value inside one, that is decoded on demand. The
// zero Value is undefined. A Value is immutable and safe for concurrent use, and
// costs no memory beyond the message, which must not change while the Value is in
// use.
type Value struct {
	wire []byte
	pos  uint32
	// refs says that refs may occur.
	refs bool
	more *shared
}

// shared is what values of a larger message, or of one with blobs, have in common.
type shared struct {
	blobs [][]byte
	index atomic.Pointer[index] // made on first use
}

// sharedFrom is the size of a message in bytes from which its index is kept, as it is where
// refs ask for it.
const sharedFrom = 512

// Decode checks a message from a guest and returns its value, which aliases the
// message. What is malformed, nested too deeply or holds a host function is an
// error that wraps ErrMalformed. The check costs one pass and takes no memory that
// depends on the message.
func Decode(m Message) (Value, error) {
	s := scanner{wire: m.Wire, blobs: m.Blobs}
	if err := s.check(); err != nil {
		return Value{}, err
	}
	return newValue(m, s.refs > 0), nil
}

func newValue(m Message, refs bool) Value {
	v := Value{wire: m.Wire, refs: refs}
	if len(m.Wire) >= sharedFrom || len(m.Blobs) > 0 || refs {
		v.more = &shared{blobs: m.Blobs}
	}
	return v
}

// NewValue encodes a Go value and returns it as a Value. A Value cannot hold host
// functions, whatever opt says.
func NewValue(x any, opt EncodeOptions) (Value, error) {
	if v, ok := x.(Value); ok && v.pos == 0 && !(v.refs && opt.RefuseCycles) {
		// It is immutable. Only its size may be in the way, which Encode would say.
		if n := (Message{Wire: v.wire, Blobs: v.blobs()}).Size(); n <= DefaultMaxSize && (opt.MaxSize <= 0 || n <= opt.MaxSize) {
			return v, nil
		}
	}
	m, err := Encode(x, opt)
	if err != nil {
		return Value{}, err
	}
	return Decode(m)
}

// getIndex returns containers and keys of the whole message.
func (v Value) getIndex() *index {
	if v.more != nil {
		if x := v.more.index.Load(); x != nil {
			return x
		}
	}
	x := new(index)
	s := scanner{wire: v.wire, blobs: v.blobs(), index: x}
	_ = s.check() // passed when the Value was made
	if v.more != nil {
		v.more.index.Store(x)
	}
	return x
}

func (v Value) blobs() [][]byte {
	if v.more == nil {
		return nil
	}
	return v.more.blobs
}

func (v Value) tag() byte {
	if len(v.wire) == 0 {
		return TagUndefined
	}
	return v.wire[v.pos]
}

// at returns the value at pos, following a ref.
func (v Value) at(pos int) Value {
	if v.refs && v.wire[pos] == TagRef {
		pos = v.deref(pos)
	}
	v.pos = uint32(pos)
	return v
}

// deref returns the position of the container that the ref at pos means.
func (v Value) deref(pos int) int {
	n, _ := uvarintAt(v.wire, pos+1)
	return int(v.getIndex().containers[n])
}

// Message returns the message of a whole value, or a new one of a value inside.
// The result may alias v.
func (v Value) Message() (Message, error) {
	if v.pos == 0 {
		return Message{Wire: v.wire, Blobs: v.blobs()}, nil
	}
	return Encode(v, EncodeOptions{})
}

// Kind returns the type of the value.
func (v Value) Kind() Kind { return kindOfTag[v.tag()] }

// IsUndefined reports whether the value is undefined.
func (v Value) IsUndefined() bool { return v.tag() == TagUndefined }

// IsNullish reports whether the value is undefined or null.
func (v Value) IsNullish() bool { return v.tag() <= TagNull }

// Bool returns a boolean.
func (v Value) Bool() (b, ok bool) {
	t := v.tag()
	return t == TagTrue, t == TagTrue || t == TagFalse
}

// Float returns a number.
func (v Value) Float() (f float64, ok bool) {
	switch v.tag() {
	case TagInt:
		n, _ := intAt(v.wire, int(v.pos)+1)
		return float64(n), true
	case TagFloat:
		return floatAt(v.wire, int(v.pos)+1), true
	}
	return 0, false
}

// Int returns a number without a fraction that an int64 holds.
func (v Value) Int() (n int64, ok bool) {
	switch v.tag() {
	case TagInt:
		n, _ := intAt(v.wire, int(v.pos)+1)
		return n, true
	case TagFloat:
		f := floatAt(v.wire, int(v.pos)+1)
		if f == math.Trunc(f) && f >= -1<<63 && f < 1<<63 {
			return int64(f), true
		}
	}
	return 0, false
}

// Str returns a string.
func (v Value) Str() (s string, ok bool) {
	if v.tag() != TagString {
		return "", false
	}
	b, _ := textAt(v.wire, int(v.pos)+1)
	return toText(b), true
}

// AppendStr appends a string to dst; what is no string appends nothing.
func (v Value) AppendStr(dst []byte) []byte {
	if v.tag() != TagString {
		return dst
	}
	b, _ := textAt(v.wire, int(v.pos)+1)
	if utf8.Valid(b) {
		return append(dst, b...)
	}
	return appendText(dst, b)
}

// Bytes returns the bytes of a typed array, ArrayBuffer or DataView, little endian
// and whatever its element type. They alias the message.
func (v Value) Bytes() (b []byte, ok bool) {
	t := v.tag()
	if t != TagBytes && t != TagBlob {
		return nil, false
	}
	_, b, _ = v.byteRange(int(v.pos))
	return b, true
}

// byteRange reads the bytes whose tag is at pos.
func (v Value) byteRange(pos int) (t ElementType, b []byte, end int) {
	t = ElementType(v.wire[pos+1])
	if v.wire[pos] == TagBlob {
		n, end := uvarintAt(v.wire, pos+2)
		b = v.more.blobs[n]
		return t, b[:len(b):len(b)], end
	}
	b, end = textAt(v.wire, pos+2)
	return t, b[:len(b):len(b)], end
}

// Len returns the number of elements of an array, Map or Set, of properties of an
// object, and of bytes of a byte range or string. Otherwise it is 0. It costs a
// pass over an object.
func (v Value) Len() int {
	switch v.tag() {
	case TagArray, TagMap, TagSet, TagString:
		n, _ := uvarintAt(v.wire, int(v.pos)+1)
		return n
	case TagBytes, TagBlob:
		b, _ := v.Bytes()
		return len(b)
	case TagObject:
		n := 0
		for range v.entries() {
			n++
		}
		return n
	}
	return 0
}

// Index returns element i of an array, or undefined. It costs a pass over the
// elements before it.
func (v Value) Index(i int) Value {
	if v.tag() != TagArray || i < 0 {
		return Value{}
	}
	n, pos := uvarintAt(v.wire, int(v.pos)+1)
	if i >= n {
		return Value{}
	}
	for ; i > 0; i-- {
		// The commonest, without a call.
		if v.wire[pos] == TagString && v.wire[pos+1] < 0x80 {
			pos += 2 + int(v.wire[pos+1])
			continue
		}
		pos = skip(v.wire, pos)
	}
	return v.at(pos)
}

// Elements iterates over the elements of an array or Set.
func (v Value) Elements() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		if t := v.tag(); t != TagArray && t != TagSet {
			return
		}
		n, pos := uvarintAt(v.wire, int(v.pos)+1)
		for i := range n {
			if !yield(i, v.at(pos)) {
				return
			}
			pos = skip(v.wire, pos)
		}
	}
}

// Field returns a property of an object, or an own enumerable property, cause,
// errors or code of an error. It is undefined when there is none. It costs a pass
// over the properties.
func (v Value) Field(name string) Value {
	w, pos := v.wire, int(v.pos)+1
	switch v.tag() {
	case TagObject:
	case TagError:
		pos = skipTexts(w, pos)
	default:
		return Value{}
	}
	// The loop of entries once more: host calls read their options this way.
	found := -1
	for {
		code, at := uvarintAt(w, pos)
		switch {
		case code == 0:
			if found < 0 {
				return Value{}
			}
			return v.at(found)
		case code&1 == 0:
			pos = at + code>>1 - 1
			if string(w[at:pos]) == name {
				found = pos
			}
		default:
			pos = at
			if s := v.getIndex().keys[code>>1]; string(w[s.start:s.end]) == name {
				found = pos
			}
		}
		pos = skip(w, pos)
	}
}

// Fields iterates over the properties of an object in their order.
func (v Value) Fields() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for key, pos := range v.entries() {
			if !yield(toText(key), v.at(pos)) {
				return
			}
		}
	}
}

// entries iterates over keys and positions of the values of an object or error.
func (v Value) entries() iter.Seq2[[]byte, int] {
	return func(yield func([]byte, int) bool) {
		pos := int(v.pos) + 1
		switch v.tag() {
		case TagError:
			pos = skipTexts(v.wire, pos)
		case TagObject:
		default:
			return
		}
		var x *index
		for {
			var code int
			code, pos = uvarintAt(v.wire, pos)
			var key []byte
			switch {
			case code == 0:
				return
			case code&1 != 0:
				if x == nil {
					x = v.getIndex()
				}
				s := x.keys[code>>1]
				key = v.wire[s.start:s.end]
			default:
				end := pos + code>>1 - 1
				key = v.wire[pos:end]
				pos = end
			}
			if !yield(key, pos) {
				return
			}
			pos = skip(v.wire, pos)
		}
	}
}

// String is for people: a string as it is, undefined, digits and n of a bigint,
// and JSON for the rest. It never fails; what has no JSON text is described.
func (v Value) String() string {
	switch v.tag() {
	case TagUndefined:
		return "undefined"
	case TagString:
		s, _ := v.Str()
		return s
	case TagFloat:
		f, _ := v.Float()
		return string(appendNumber(nil, f, true))
	case TagBigInt:
		b, _ := textAt(v.wire, int(v.pos)+1)
		return parseBigInt(b).String() + "n"
	}
	b, err := v.AppendJSON(nil, maxString)
	if err != nil {
		return "[" + v.Kind().String() + "]"
	}
	return string(bytes.TrimSpace(b))
}

// maxString is the longest JSON text that String makes.
const maxString = 1 << 20
