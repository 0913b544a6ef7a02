package marshal

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/big"
	"time"
)

// Any returns the value as plain Go data, new with every call:
//
//	undefined            nil as the whole value, Undefined inside of one
//	null                 nil
//	boolean, string      bool, string
//	number               float64
//	BigInt               *big.Int
//	array                []any
//	object               map[string]any
//	Map, Set             *Map, *Set
//	Date                 time.Time in UTC, or InvalidDate
//	Error, RegExp        *Error, *RegExp
//	Uint8Array           []byte
//	other byte ranges    []int8 … []float64, Uint8Clamped, Float16s, Buffer, View
//
// An object that occurs twice, or contains itself, is the same map, slice or
// pointer in all places; dates and empty slices have no identity. Byte ranges of
// BlobSize and more are not copied but alias the message's blobs, where their
// element has one byte.
func (v Value) Any() any { return v.decode(false) }

// Ordered is Any, except that objects are *Object and so keep the order of their
// keys.
func (v Value) Ordered() any { return v.decode(true) }

func (v Value) decode(ordered bool) any {
	if t := v.tag(); t == TagUndefined {
		return nil
	}
	if v.pos == 0 || v.tag() < TagArray {
		d := decoder{v: v, pos: int(v.pos), ordered: ordered}
		if len(v.wire) >= internedFrom && v.pos == 0 {
			d.recent = new([256]string)
		}
		return d.value()
	}
	// A value inside: its keys and refs may lead out of it.
	x := v.getIndex()
	if v.refs {
		return v.containers(ordered)[x.number(int(v.pos))]
	}
	d := decoder{v: v, pos: int(v.pos), ordered: ordered, index: x, keys: make([]string, len(x.keys))}
	return d.value()
}

// containers decodes the whole message that v is in, which must have refs, and
// returns its containers by number. Decoding from the start is what keeps the
// depth of recursion within MaxDepth: refs followed backwards could form a chain of
// any length.
func (v Value) containers(ordered bool) []any {
	v.pos = 0
	d := decoder{v: v, ordered: ordered}
	d.value()
	return d.seen
}

// decoder makes Go data of a checked message.
type decoder struct {
	v       Value
	pos     int
	ordered bool
	keys    []string     // by number; with an index made on first use
	index   *index       // only for a value inside a message
	seen    []any        // containers by number, if the message has refs
	recent  *[256]string // strings that occurred, by hash; nil for small messages
	depth   int
	sizes   [16]int // of the last object on each level
}

// smallNumbers are boxed once.
var smallNumbers = func() (t [1280]any) {
	for i := range t {
		t[i] = float64(i - 256)
	}
	return t
}()

func boxInt(n int64) any {
	if i := n + 256; i >= 0 && i < int64(len(smallNumbers)) {
		return smallNumbers[i]
	}
	return float64(n)
}

// number takes the number of the container that begins.
func (d *decoder) number() int {
	if d.v.refs {
		d.seen = append(d.seen, nil)
	}
	return len(d.seen) - 1
}

func (d *decoder) remember(n int, x any) any {
	if d.v.refs {
		d.seen[n] = x
	}
	return x
}

func (d *decoder) uvarint() (n int) {
	n, d.pos = uvarintAt(d.v.wire, d.pos)
	return n
}

func (d *decoder) text() string {
	b, pos := textAt(d.v.wire, d.pos)
	d.pos = pos
	return toText(b)
}

// interned is text for the value of a string. Tables repeat short strings, which
// are kept once.
func (d *decoder) interned() string {
	b, pos := textAt(d.v.wire, d.pos)
	d.pos = pos
	if n := len(b); d.recent != nil && n > 1 && n <= maxInterned {
		h := (uint(n)*31+uint(b[0]))*31 + uint(b[n-1]) + uint(b[n/2])*7
		slot := &d.recent[h%uint(len(d.recent))]
		if *slot != string(b) {
			*slot = toText(b)
		}
		return *slot
	}
	return toText(b)
}

const (
	maxInterned  = 32
	internedFrom = 4 << 10 // bytes of a message from which strings are looked up
)

func (d *decoder) value() any {
	w := d.v.wire
	tag := w[d.pos]
	d.pos++
	switch tag {
	case TagUndefined:
		return Undefined
	case TagNull:
		return nil
	case TagFalse:
		return false
	case TagTrue:
		return true
	case TagInt:
		var n int64
		n, d.pos = intAt(w, d.pos)
		return boxInt(n)
	case TagFloat:
		d.pos += 8
		return floatAt(w, d.pos-8)
	case TagBigInt:
		var b []byte
		b, d.pos = textAt(w, d.pos)
		return parseBigInt(b)
	case TagString:
		return d.interned()
	case TagRef:
		return d.seen[d.uvarint()]
	case TagHostFunc:
		d.pos = skip(w, d.pos-1)
		return Undefined
	}
	number := d.number()
	switch tag {
	case TagArray:
		a := make([]any, d.uvarint())
		var boxed any = a
		d.remember(number, boxed)
		for i := range a {
			a[i] = d.value()
		}
		return boxed
	case TagObject:
		return d.object(number)
	case TagMap:
		m := &Map{Entries: make([]MapEntry, d.uvarint())}
		d.remember(number, m)
		for i := range m.Entries {
			m.Entries[i].Key = d.value()
			m.Entries[i].Value = d.value()
		}
		return m
	case TagSet:
		s := &Set{Values: make([]any, d.uvarint())}
		d.remember(number, s)
		for i := range s.Values {
			s.Values[i] = d.value()
		}
		return s
	case TagDate:
		d.pos += 8
		return d.remember(number, boxTime(floatAt(w, d.pos-8)))
	case TagError:
		return d.error(number)
	case TagRegExp:
		r := &RegExp{}
		d.remember(number, r)
		r.Source = d.text()
		r.Flags = d.text()
		return r
	}
	t, b, end := d.v.byteRange(d.pos - 1)
	d.pos = end
	return d.remember(number, boxBytes(t, b, tag == TagBytes))
}

// key returns the next key, or false after the last.
func (d *decoder) key() (string, bool) {
	code := d.uvarint()
	switch {
	case code == 0:
		return "", false
	case code&1 != 0:
		k := &d.keys[code>>1]
		if *k == "" && d.index != nil {
			s := d.index.keys[code>>1]
			*k = toText(d.v.wire[s.start:s.end])
		}
		return *k, true
	}
	end := d.pos + code>>1 - 1
	k := toText(d.v.wire[d.pos:end])
	d.pos = end
	if d.index == nil && len(d.keys) < MaxKeys {
		d.keys = append(d.keys, k)
	}
	return k, true
}

func (d *decoder) object(number int) any {
	size := &d.sizes[min(d.depth, len(d.sizes)-1)]
	d.depth++
	if d.ordered {
		o := &Object{}
		d.remember(number, o)
		if *size > 0 {
			// As many as the last object had, but no more than can be there.
			o.Entries = make([]Entry, 0, min(*size, (len(d.v.wire)-d.pos)/2))
		}
		for {
			k, ok := d.key()
			if !ok {
				break
			}
			o.Entries = append(o.Entries, Entry{k, d.value()})
		}
		*size = min(len(o.Entries), maxHint)
		d.depth--
		return o
	}
	m := make(map[string]any, *size)
	var boxed any = m
	d.remember(number, boxed)
	for {
		k, ok := d.key()
		if !ok {
			break
		}
		m[k] = d.value()
	}
	*size = min(len(m), maxHint)
	d.depth--
	return boxed
}

// maxHint bounds what a large object makes the next one on its level reserve.
const maxHint = 32

func (d *decoder) error(number int) any {
	e := &Error{}
	d.remember(number, e)
	e.Name, e.Message, e.Stack = d.text(), d.text(), d.text()
	for {
		k, ok := d.key()
		if !ok {
			return e
		}
		x := d.value()
		if k == "cause" && x != nil && e.Cause == nil {
			e.Cause = x
			continue
		}
		if a, ok := x.([]any); ok && k == "errors" && e.Errors == nil {
			e.Errors = a
			continue
		}
		e.Props = append(e.Props, Entry{k, x})
	}
}

func boxTime(ms float64) any {
	if t, ok := toTime(ms); ok {
		return t
	}
	return InvalidDate
}

// toTime makes a time of the milliseconds of a Date.
func toTime(ms float64) (time.Time, bool) {
	if !(math.Abs(ms) <= maxDate) {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(ms)).UTC(), true
}

// parseBigInt reads a checked bigint. It is linear, which big.Int.SetString is not.
func parseBigInt(text []byte) *big.Int {
	digits, negative := text, false
	if digits[0] == '-' {
		digits, negative = digits[1:], true
	}
	if len(digits)%2 != 0 {
		digits = append([]byte{'0'}, digits...)
	}
	b := make([]byte, len(digits)/2)
	_, _ = hex.Decode(b, digits) // digits were checked
	n := new(big.Int).SetBytes(b)
	if negative {
		n.Neg(n)
	}
	return n
}

// boxBytes makes the Go slice for a byte range. Ranges of single bytes are copied
// on demand only, all others always.
func boxBytes(t ElementType, b []byte, clone bool) any {
	if clone && bytesPerElement[t] == 1 && t != Int8Array {
		b = append(make([]byte, 0, len(b)), b...)
	}
	switch t {
	case Uint8Array:
		return b
	case Uint8ClampedArray:
		return Uint8Clamped(b)
	case ArrayBuffer:
		return Buffer(b)
	case DataView:
		return View(b)
	case Int8Array:
		return fromBytes[int8](b, 1)
	case Int16Array:
		return fromBytes[int16](b, 2)
	case Uint16Array:
		return fromBytes[uint16](b, 2)
	case Float16Array:
		return Float16s(fromBytes[uint16](b, 2))
	case Int32Array:
		return fromBytes[int32](b, 4)
	case Uint32Array:
		return fromBytes[uint32](b, 4)
	case BigInt64Array:
		return fromBytes[int64](b, 8)
	case BigUint64Array:
		return fromBytes[uint64](b, 8)
	case Float32Array:
		return fromBytes[float32](b, 4)
	}
	return fromBytes[float64](b, 8)
}

func fromBytes[T element](b []byte, size int) []T {
	s := make([]T, len(b)/size)
	_, _ = binary.Decode(b, binary.LittleEndian, s) // the sizes agree
	return s
}
