package marshal

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"
	"unsafe"
)

// EncodeOptions say how Encode treats what has no obvious copy. The zero value
// refuses functions, keeps cycles and allows DefaultMaxSize.
type EncodeOptions struct {
	// Path is what paths in errors begin with. Empty means "value".
	Path string
	// Func decides about Go functions: ok false refuses one, otherwise the guest gets
	// a function that the host knows by id. Nil refuses all.
	Func func(path string, fn any) (id uint64, name string, ok bool)
	// RefuseCycles makes a value that contains itself an error that wraps ErrCycle.
	// References that are shared without a cycle are kept in any case.
	RefuseCycles bool
	// MaxSize bounds wire and blobs together, in bytes. Zero means DefaultMaxSize.
	MaxSize int64
}

// DefaultMaxSize is the largest message that Encode makes by default.
const DefaultMaxSize = 512 << 20

// maxSafeInteger is the largest integer up to which a float64 counts exactly.
const maxSafeInteger = 1<<53 - 1

// Encode makes a message of a Go value. The message's wire is new; its blobs alias
// large byte ranges of v, which must not change while the message is in use.
//
// What becomes what:
//
//	nil, nil pointer, nil func       null
//	Undefined                        undefined
//	bool, string                     the same; bytes that are not UTF-8 become U+FFFD
//	ints of all sizes                number; beyond ±(2^53-1) BigInt, so that no digit is lost
//	float32, float64                 number, with -0, NaN and infinities
//	json.Number                      as an int when it is one, otherwise as a float
//	*big.Int, big.Int                BigInt, up to 2^20 bits
//	[]byte                           Uint8Array
//	[]int8 … []float64, []int64      the typed array; []int64 is BigInt64Array
//	Uint8Clamped, Buffer, View, Float16s   see there
//	other slices and arrays          array; also []int and []uint. nil is an empty array
//	map with string keys             object with sorted keys. nil is an empty object
//	map with integer keys            object with keys in numerical order
//	map with encoding.TextMarshaler keys   object with sorted keys
//	*Object                          object with keys in the given order
//	*Map, *Set, *RegExp, *Error      the same
//	struct                           object; names and options of `json` tags (not ",string")
//	time.Time                        Date; fractions of a millisecond are cut off
//	error                            Error with its text as message
//	json.RawMessage, json.Marshaler  what JSON.parse makes of the text
//	encoding.TextMarshaler           string
//	Value                            the value it holds
//	func                             see EncodeOptions.Func
//
// Pointers are followed. The same map, pointer, or slice (same start and same
// length, not empty) that appears twice is one object for the guest too, and a
// cycle stays one. Anything else, such as a channel, is an error that names the
// path to it, as in "globals.rows[3].ch: cannot pass chan int to the guest". A
// panic in a method of v is such an error, too.
//
// Encode is safe for concurrent use as far as v is: nobody may change v meanwhile.
func Encode(v any, opt EncodeOptions) (Message, error) {
	e := encoders.Get().(*encoder)
	defer e.release()
	if err := e.run(v, e.buf[:0], nil, opt); err != nil {
		return Message{}, err
	}
	return Message{Wire: slices.Clone(e.buf), Blobs: e.blobs}, nil
}

// EncodeTo is Encode into the memory that dst holds already: its wire and its list
// of blobs are overwritten and grow as needed. After an error dst is the zero
// value, with its memory.
func EncodeTo(dst *Message, v any, opt EncodeOptions) error {
	e := encoders.Get().(*encoder)
	defer e.release()
	own := e.buf
	err := e.run(v, dst.Wire[:0], dst.Blobs[:0], opt)
	*dst = Message{Wire: e.buf, Blobs: e.blobs}
	e.buf = own
	if err != nil {
		clear(dst.Blobs)
		dst.Wire, dst.Blobs = dst.Wire[:0], dst.Blobs[:0]
	}
	return err
}

// encoder holds what one encoding needs; all of it is reused.
type encoder struct {
	opt       EncodeOptions
	max       int
	buf       []byte
	blobs     [][]byte
	blobBytes int
	count     uint32            // containers so far
	open      []uint32          // the containers around the current value
	path      []segment         // the way to it
	keys      map[string]uint32 // counted literal keys by text
	nkeys     uint32            // counted literal keys, also those which a Value brought
	refs      refTable
	scratch   []any // values of the open maps
	keep      []any // copies whose addresses are in refs

	shapes     [maxShapes]shape // key sets of maps, a ring of which recent is the newest
	recent     int
	shapeKeys  []string
	shapeCodes []uint32
}

var encoders = sync.Pool{New: func() any { return &encoder{keys: map[string]uint32{}} }}

// Sizes above which an encoder gives memory back instead of keeping it.
const (
	maxKeptBuffer = 4 << 20
	maxKeptSlots  = 1 << 16
	maxKeptKeys   = 1 << 9
)

// release forgets everything that came from the value, and keeps the memory.
func (e *encoder) release() {
	e.opt = EncodeOptions{}
	e.blobs, e.keep = nil, nil
	if e.count > 0 {
		clear(e.path[:cap(e.path)])
		clear(e.scratch[:cap(e.scratch)])
		clear(e.shapeKeys)
		if len(e.keys) > maxKeptKeys {
			e.keys = map[string]uint32{} // clearing costs as much as it ever held
		}
		clear(e.keys)
	}
	if cap(e.buf) > maxKeptBuffer {
		e.buf = nil
	}
	if cap(e.shapeKeys) > maxKeptKeys || cap(e.scratch) > maxKeptKeys {
		e.shapeKeys, e.shapeCodes, e.scratch = nil, nil, nil
	}
	encoders.Put(e)
}

func (e *encoder) run(v any, wire []byte, blobs [][]byte, opt EncodeOptions) (err error) {
	e.opt, e.buf, e.blobs = opt, wire, blobs
	e.max = DefaultMaxSize
	if opt.MaxSize > 0 {
		e.max = int(min(opt.MaxSize, maxWire))
	}
	e.blobBytes, e.count, e.nkeys, e.recent = 0, 0, 0, 0
	e.open, e.path, e.scratch = e.open[:0], e.path[:0], e.scratch[:0]
	e.shapes, e.shapeKeys, e.shapeCodes = [maxShapes]shape{}, e.shapeKeys[:0], e.shapeCodes[:0]
	e.refs.reset()
	defer func() {
		if p := recover(); p != nil {
			// The path still leads to the value whose method panicked.
			err = e.fail(fmt.Errorf("panic: %v", p))
		}
	}()
	if err := e.value(v); err != nil {
		return err
	}
	return e.room(0)
}

func (e *encoder) fail(err error) error {
	return &PathError{e.where(), err}
}

func (e *encoder) where() string {
	root := e.opt.Path
	if root == "" {
		root = "value"
	}
	return pathString(root, e.path)
}

func (e *encoder) refuse(t reflect.Type) error {
	return e.fail(fmt.Errorf("cannot pass %s to the guest", t))
}

// room refuses to grow the message by n bytes beyond the limit.
func (e *encoder) room(n int) error {
	if n > e.max || len(e.buf)+e.blobBytes > e.max-n {
		return e.fail(fmt.Errorf("%w: message of more than %d bytes", ErrTooLarge, e.max))
	}
	return nil
}

// begin opens a container.
func (e *encoder) begin(tag byte) error {
	if len(e.open) >= MaxDepth {
		return e.fail(ErrTooDeep)
	}
	if err := e.room(16); err != nil {
		return err
	}
	e.buf = append(e.buf, tag)
	e.open = append(e.open, e.count)
	e.count++
	return nil
}

func (e *encoder) end() { e.open = e.open[:len(e.open)-1] }

func (e *encoder) at(i int)         { e.path[len(e.path)-1].pos = i }
func (e *encoder) push(s segment)   { e.path = append(e.path, s) }
func (e *encoder) pop()             { e.path = e.path[:len(e.path)-1] }
func (e *encoder) uvarint(n uint64) { e.buf = binary.AppendUvarint(e.buf, n) }

// value writes any Go value.
func (e *encoder) value(v any) error {
	switch v := v.(type) {
	case nil:
		e.buf = append(e.buf, TagNull)
	case UndefinedType:
		e.buf = append(e.buf, TagUndefined)
	case bool:
		e.bool(v)
	case string:
		return e.string(v)
	case float64:
		e.float(v)
	case int:
		e.int(int64(v))
	case int64:
		e.int(v)
	case int32:
		e.int(int64(v))
	case uint64:
		e.uint(v)
	case float32:
		e.float(float64(v))
	case map[string]any:
		return e.stringMap(v)
	case []any:
		if seen, err := e.seenSlice(unsafe.Pointer(unsafe.SliceData(v)), len(v), refAnys); seen || err != nil {
			return err
		}
		return e.anys(v)
	case []string:
		if seen, err := e.seenSlice(unsafe.Pointer(unsafe.SliceData(v)), len(v), refStrings); seen || err != nil {
			return err
		}
		return e.array(len(v), func(i int) error { return e.string(v[i]) })
	case []map[string]any:
		if seen, err := e.seenSlice(unsafe.Pointer(unsafe.SliceData(v)), len(v), refMaps); seen || err != nil {
			return err
		}
		return e.array(len(v), func(i int) error { return e.stringMap(v[i]) })
	case []byte:
		return byteRange(e, Uint8Array, v)
	case Uint8Clamped:
		return byteRange(e, Uint8ClampedArray, v)
	case Buffer:
		return byteRange(e, ArrayBuffer, v)
	case View:
		return byteRange(e, DataView, v)
	case []int8:
		return byteRange(e, Int8Array, v)
	case []int16:
		return byteRange(e, Int16Array, v)
	case []uint16:
		return byteRange(e, Uint16Array, v)
	case Float16s:
		return byteRange(e, Float16Array, v)
	case []int32:
		return byteRange(e, Int32Array, v)
	case []uint32:
		return byteRange(e, Uint32Array, v)
	case []int64:
		return byteRange(e, BigInt64Array, v)
	case []uint64:
		return byteRange(e, BigUint64Array, v)
	case []float32:
		return byteRange(e, Float32Array, v)
	case []float64:
		return byteRange(e, Float64Array, v)
	case time.Time:
		return e.time(v)
	case InvalidDateType:
		return e.date(math.NaN())
	case *Object:
		return e.object(v)
	case *Map:
		return e.mapObject(v)
	case *Set:
		return e.set(v)
	case *Error:
		return e.error(v)
	case *RegExp:
		return e.regexp(v)
	case *big.Int:
		return e.bigint(v)
	case Value:
		return e.splice(v)
	case json.Number:
		return e.number(v)
	case json.RawMessage:
		return e.json(v)
	default:
		return e.reflect(reflect.ValueOf(v))
	}
	return nil
}

func (e *encoder) bool(v bool) {
	if v {
		e.buf = append(e.buf, TagTrue)
	} else {
		e.buf = append(e.buf, TagFalse)
	}
}

func (e *encoder) int(n int64) {
	switch {
	case n == int64(int32(n)):
		e.buf = append(e.buf, TagInt)
		e.uvarint(uint64(uint32(n<<1) ^ uint32(n>>31)))
	case -maxSafeInteger <= n && n <= maxSafeInteger:
		e.float(float64(n))
	case n < 0:
		e.hex(strconv.AppendUint([]byte{'-'}, -uint64(n), 16))
	default:
		e.uint(uint64(n))
	}
}

func (e *encoder) uint(n uint64) {
	if n <= maxSafeInteger {
		e.int(int64(n))
		return
	}
	e.hex(strconv.AppendUint(nil, n, 16))
}

func (e *encoder) float(f float64) {
	if n := int32(f); float64(n) == f && (n != 0 || !math.Signbit(f)) {
		e.int(int64(n))
		return
	}
	if f != f {
		f = math.NaN() // one bit pattern, whatever the payload was
	}
	e.buf = append(e.buf, TagFloat)
	e.buf = binary.LittleEndian.AppendUint64(e.buf, math.Float64bits(f))
}

func (e *encoder) hex(digits []byte) {
	e.buf = append(e.buf, TagBigInt)
	e.uvarint(uint64(len(digits)))
	e.buf = append(e.buf, digits...)
}

func (e *encoder) bigint(n *big.Int) error {
	if n == nil {
		e.buf = append(e.buf, TagNull)
		return nil
	}
	if n.BitLen() > maxBigInt*4 {
		return e.fail(fmt.Errorf("%w: bigint of %d bits, above %d", ErrTooLarge, n.BitLen(), maxBigInt*4))
	}
	if err := e.room(n.BitLen()/4 + 16); err != nil {
		return err
	}
	e.hex(n.Append(nil, 16))
	return nil
}

func (e *encoder) number(s json.Number) error {
	if n, err := strconv.ParseInt(string(s), 10, 64); err == nil {
		if n == 0 && s[0] == '-' {
			e.float(math.Copysign(0, -1))
		} else {
			e.int(n)
		}
		return nil
	}
	if len(s) <= maxBigInt/4 && isInteger(string(s)) {
		if n, ok := new(big.Int).SetString(string(s), 10); ok {
			return e.bigint(n)
		}
	}
	f, err := strconv.ParseFloat(string(s), 64)
	if err != nil || f != f || math.IsInf(f, 0) {
		return e.fail(fmt.Errorf("json.Number %.40q is not a number", string(s)))
	}
	e.float(f)
	return nil
}

func isInteger(s string) bool {
	if s != "" && s[0] == '-' {
		s = s[1:]
	}
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

func (e *encoder) string(s string) error {
	if err := e.room(len(s) + 16); err != nil {
		return err
	}
	e.buf = append(e.buf, TagString)
	return e.text(s)
}

func (e *encoder) text(s string) error {
	if !utf8.ValidString(s) {
		s = wellFormed(s)
	}
	if err := e.room(len(s)); err != nil {
		return err
	}
	e.uvarint(uint64(len(s)))
	e.buf = append(e.buf, s...)
	return nil
}

// key writes a key code and returns the number of the key, or noKey when it is not
// counted.
func (e *encoder) key(s string) (uint32, error) {
	if n, ok := e.keys[s]; ok {
		e.uvarint(uint64(n)<<1 | 1)
		return n, nil
	}
	w := wellFormed(s)
	if err := e.room(len(w) + 16); err != nil {
		return 0, err
	}
	e.uvarint(2 * (uint64(len(w)) + 1))
	e.buf = append(e.buf, w...)
	if e.nkeys >= MaxKeys {
		return noKey, nil
	}
	n := e.nkeys
	e.keys[s] = n
	e.nkeys++
	return n, nil
}

const noKey = math.MaxUint32

// beginObject opens an object, for properties.
func (e *encoder) beginObject() error {
	if err := e.begin(TagObject); err != nil {
		return err
	}
	e.push(segment{})
	return nil
}

// name writes the key of a property of what beginObject or beginError opened.
func (e *encoder) name(k string) error {
	e.path[len(e.path)-1].key = k
	_, err := e.key(k)
	return err
}

func (e *encoder) endEntries() {
	e.pop()
	e.buf = append(e.buf, 0)
	e.end()
}

// array writes n elements.
func (e *encoder) array(n int, element func(int) error) error {
	if err := e.begin(TagArray); err != nil {
		return err
	}
	return e.items(n, element)
}

// items writes the number and the members of what begin opened, and ends it.
func (e *encoder) items(n int, item func(int) error) error {
	e.uvarint(uint64(n))
	e.push(segment{kind: indexSegment})
	for i := range n {
		e.at(i)
		if err := item(i); err != nil {
			return err
		}
		if len(e.buf) > e.max {
			return e.room(0)
		}
	}
	e.pop()
	e.end()
	return nil
}

// anys is array for the commonest elements, without a call more for each.
func (e *encoder) anys(v []any) error {
	if err := e.begin(TagArray); err != nil {
		return err
	}
	e.uvarint(uint64(len(v)))
	e.push(segment{kind: indexSegment})
	for i, x := range v {
		e.at(i)
		if err := e.value(x); err != nil {
			return err
		}
		if len(e.buf) > e.max {
			return e.room(0)
		}
	}
	e.pop()
	e.end()
	return nil
}

// A shape is a set of keys, in order, with their numbers: n entries of shapeKeys and
// shapeCodes. Rows of a table all have the same, so that sorting and looking up
// numbers is done once.
type shape struct{ start, n int }

const (
	maxShapes    = 8
	maxShapeKeys = 64
)

func (e *encoder) stringMap(m map[string]any) error {
	if m != nil {
		if seen, err := e.seen(reflect.ValueOf(m).UnsafePointer(), 0, refMap); seen || err != nil {
			return err
		}
	}
	if err := e.beginObject(); err != nil {
		return err
	}
	switch base := len(e.scratch); {
	case len(m) == 0:
	case len(m) > maxShapeKeys:
		if err := e.unshaped(m); err != nil {
			return err
		}
	default:
		s, ok := e.findShape(m)
		if !ok {
			s = e.newShape(m)
		}
		// Values are taken from the scratch stack by position: nested maps make it, and
		// the lists of keys, move.
		for i := range s.n {
			key := e.shapeKeys[s.start+i]
			if c := e.shapeCodes[s.start+i]; c != noKey {
				e.uvarint(uint64(c)<<1 | 1)
			} else {
				c, err := e.key(key)
				if err != nil {
					return err
				}
				e.shapeCodes[s.start+i] = c
			}
			e.path[len(e.path)-1].key = key
			if err := e.value(e.scratch[base+i]); err != nil {
				return err
			}
		}
		e.scratch = e.scratch[:base]
	}
	e.endEntries()
	return nil
}

// findShape returns the shape of m, with m's values on the scratch stack.
func (e *encoder) findShape(m map[string]any) (shape, bool) {
	base := len(e.scratch)
next:
	for i := range e.shapes {
		s := e.shapes[(e.recent+i)%maxShapes]
		if s.n != len(m) {
			continue
		}
		for _, k := range e.shapeKeys[s.start : s.start+s.n] {
			v, ok := m[k]
			if !ok {
				e.scratch = e.scratch[:base]
				continue next
			}
			e.scratch = append(e.scratch, v)
		}
		return s, true
	}
	return shape{}, false
}

// newShape is findShape for a map with a new set of keys.
func (e *encoder) newShape(m map[string]any) shape {
	s := shape{len(e.shapeKeys), len(m)}
	for k := range m {
		e.shapeKeys = append(e.shapeKeys, k)
		e.shapeCodes = append(e.shapeCodes, noKey)
	}
	slices.Sort(e.shapeKeys[s.start:])
	for _, k := range e.shapeKeys[s.start:] {
		e.scratch = append(e.scratch, m[k])
	}
	e.recent = (e.recent + maxShapes - 1) % maxShapes
	e.shapes[e.recent] = s
	return s
}

func (e *encoder) unshaped(m map[string]any) error {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		if err := e.entry(k, m[k]); err != nil {
			return err
		}
	}
	return nil
}

// entry writes one property.
func (e *encoder) entry(k string, v any) error {
	if err := e.name(k); err != nil {
		return err
	}
	return e.value(v)
}

func (e *encoder) entries(list []Entry) error {
	for _, p := range list {
		if err := e.entry(p.Key, p.Value); err != nil {
			return err
		}
	}
	e.endEntries()
	return nil
}

// known writes what needs no container: nil as null, and one that was written before as
// a reference.
func (e *encoder) known(p unsafe.Pointer) (bool, error) {
	if p == nil {
		e.buf = append(e.buf, TagNull)
		return true, nil
	}
	return e.seen(p, 0, refObject)
}

func (e *encoder) object(o *Object) error {
	if done, err := e.known(unsafe.Pointer(o)); done || err != nil {
		return err
	}
	if err := e.beginObject(); err != nil {
		return err
	}
	return e.entries(o.Entries)
}

func (e *encoder) mapObject(m *Map) error {
	if done, err := e.known(unsafe.Pointer(m)); done || err != nil {
		return err
	}
	if err := e.begin(TagMap); err != nil {
		return err
	}
	return e.items(len(m.Entries), func(i int) error {
		at := len(e.path) - 1
		e.path[at].kind = mapKeySegment
		if err := e.value(m.Entries[i].Key); err != nil {
			return err
		}
		e.path[at].kind = mapValueSegment
		return e.value(m.Entries[i].Value)
	})
}

func (e *encoder) set(s *Set) error {
	if done, err := e.known(unsafe.Pointer(s)); done || err != nil {
		return err
	}
	if err := e.begin(TagSet); err != nil {
		return err
	}
	return e.items(len(s.Values), func(i int) error { return e.value(s.Values[i]) })
}

func (e *encoder) error(v *Error) error {
	if done, err := e.known(unsafe.Pointer(v)); done || err != nil {
		return err
	}
	if err := e.beginError(v.Name, v.Message, v.Stack); err != nil {
		return err
	}
	if v.Cause != nil {
		if err := e.entry("cause", v.Cause); err != nil {
			return err
		}
	}
	if v.Errors != nil {
		if err := e.entry("errors", v.Errors); err != nil {
			return err
		}
	}
	return e.entries(v.Props)
}

// beginError opens an error, for properties.
func (e *encoder) beginError(texts ...string) error {
	if err := e.begin(TagError); err != nil {
		return err
	}
	if err := e.texts(texts...); err != nil {
		return err
	}
	e.push(segment{})
	return nil
}

func (e *encoder) texts(texts ...string) error {
	for _, s := range texts {
		if err := e.text(s); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoder) regexp(v *RegExp) error {
	if done, err := e.known(unsafe.Pointer(v)); done || err != nil {
		return err
	}
	if err := e.begin(TagRegExp); err != nil {
		return err
	}
	if err := e.texts(v.Source, v.Flags); err != nil {
		return err
	}
	e.end()
	return nil
}

// maxDate is the largest number of milliseconds that a Date can hold.
const maxDate = 8_640_000_000_000_000

func (e *encoder) time(t time.Time) error {
	s := t.Unix()
	if s < -maxDate/1000 || s > maxDate/1000 || t.UnixMilli() > maxDate {
		return e.fail(fmt.Errorf("time in the year %d is outside what a Date can hold", t.Year()))
	}
	return e.date(float64(t.UnixMilli()))
}

func (e *encoder) date(ms float64) error {
	if err := e.begin(TagDate); err != nil {
		return err
	}
	e.buf = binary.LittleEndian.AppendUint64(e.buf, math.Float64bits(ms))
	e.end()
	return nil
}

// littleEndian says whether numbers lie in memory as on the wire.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

type element interface {
	~int8 | ~uint8 | ~int16 | ~uint16 | ~int32 | ~uint32 | ~int64 | ~uint64 | ~float32 | ~float64
}

// byteRange writes a byte range with the elements of s.
func byteRange[T element](e *encoder, t ElementType, s []T) error {
	if seen, err := e.seenSlice(unsafe.Pointer(unsafe.SliceData(s)), len(s), refBytes+refKind(t)); seen || err != nil {
		return err
	}
	size := bytesPerElement[t]
	if len(s) > math.MaxInt/8 {
		return e.room(math.MaxInt)
	}
	n := len(s) * size
	if err := e.room(n); err != nil {
		return err
	}
	var b []byte
	switch {
	case n == 0:
	case littleEndian || size == 1:
		b = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), n)
	default:
		b, _ = binary.Append(nil, binary.LittleEndian, s)
	}
	tag := byte(TagBytes)
	if n >= BlobSize {
		tag = TagBlob
	}
	if err := e.begin(tag); err != nil {
		return err
	}
	e.buf = append(e.buf, byte(t))
	if n >= BlobSize {
		e.uvarint(uint64(len(e.blobs)))
		e.blobs = append(e.blobs, b[:n:n])
		e.blobBytes += n
	} else {
		e.uvarint(uint64(n))
		e.buf = append(e.buf, b...)
	}
	e.end()
	return nil
}

// refKind keeps things apart that can lie at the same address.
type refKind uintptr

const (
	refMap refKind = iota
	refObject
	refAnys
	refStrings
	refMaps
	refBytes // and the element types after it
	refKinds = refBytes + refKind(elementTypes)
)

// A refTable finds containers by address: a hash table with open addressing which
// is emptied in no time. Addresses are numbers and keep nothing alive; everything
// in the table is reachable from the value that is being encoded.
type refTable struct {
	slots      []refSlot
	used       int
	generation uint32
}

type refSlot struct {
	addr, extra uintptr // extra is the length of a slice
	kind        refKind // or the address of a reflect.Type
	number      uint32
	generation  uint32 // of the table when the slot was filled
}

func (t *refTable) reset() {
	t.used = 0
	t.generation++
	if t.generation == 0 || len(t.slots) > maxKeptSlots {
		t.slots, t.generation = nil, 1
	}
}

func (t *refTable) slot(addr, extra uintptr, kind refKind) *refSlot {
	h := uint64(addr)*0x9e3779b97f4a7c15 ^ uint64(extra)*0xff51afd7ed558ccd ^ uint64(kind)*0xc4ceb9fe1a85ec53
	h ^= h >> 32
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := &t.slots[i]
		if s.generation != t.generation || s.addr == addr && s.extra == extra && s.kind == kind {
			return s
		}
	}
}

// add returns the number of a container that is in the table, or enters number.
func (t *refTable) add(addr, extra uintptr, kind refKind, number uint32) (uint32, bool) {
	if t.used*4 >= len(t.slots)*3 {
		old := t.slots
		t.slots = make([]refSlot, max(64, 4*len(old)))
		for _, s := range old {
			if s.generation == t.generation {
				*t.slot(s.addr, s.extra, s.kind) = s
			}
		}
	}
	s := t.slot(addr, extra, kind)
	if s.generation == t.generation {
		return s.number, true
	}
	*s = refSlot{addr, extra, kind, number, t.generation}
	t.used++
	return number, false
}

// seen writes a ref if the container at p was written before, and otherwise
// remembers it as the next container, which the caller must write.
func (e *encoder) seen(p unsafe.Pointer, extra int, kind refKind) (bool, error) {
	n, ok := e.refs.add(uintptr(p), uintptr(extra), kind, e.count)
	if !ok {
		return false, nil
	}
	if e.opt.RefuseCycles && slices.Contains(e.open, n) {
		return false, e.fail(ErrCycle)
	}
	e.buf = append(e.buf, TagRef)
	e.uvarint(uint64(n))
	return true, nil
}

// seenSlice is seen for a slice. Empty slices have no address of their own.
func (e *encoder) seenSlice(p unsafe.Pointer, n int, kind refKind) (bool, error) {
	if n == 0 {
		return false, nil
	}
	return e.seen(p, n, kind)
}
