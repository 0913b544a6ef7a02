package qjspure

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	lib "modernc.org/libquickjs"

	"quicksand/engine"
	"quicksand/internal/marshal"
)

// An encoder writes values of the guest as messages. It reads plain objects, arrays,
// strings and buffers directly in the heap. Only getters, proxies and hooks run engine
// code, and only they can change what is being encoded; see beforeGuest.
//
// A message's buffers are reused by the next one.
type encoder struct {
	v       *isolate
	wire    []byte
	blobs   [][]byte
	size    int64 // of blobs
	max     int64
	root    string
	lenient bool
	dropped int
	path    string
	steps   int

	frames []frame
	objs   []uintptr // containers by number
	refs   refTable
	pinned int     // objs up to here hold a reference
	temps  []value // references to free at the end
	keys   keyTable
	shapes [4]shapeKeys
	epoch  uint64 // of shapes: message and guest code
	atoms  []uint32

	ropes  []value
	rope8  []byte
	rope16 []uint16
}

// A frame is one container that is being written: what a path is made of, and what
// has to be fixed before guest code runs.
type frame struct {
	obj   uintptr
	kind  frameKind
	index int      // element, entry or property
	atom  uint32   // current key of an object
	names []uint32 // own keys with references; nil while the shape is walked
}

type frameKind uint8

const (
	inArray frameKind = iota
	inObject
	inMap
	inSet
	inError
)

// shapeKeys are the enumerable properties of a shape without accessors and integer
// keys, and their key codes in this message.
type shapeKeys struct {
	shape uintptr
	count uint32
	epoch uint64
	keys  []shapeKey
}

type shapeKey struct {
	index uint32 // of the property
	code  uint32 // 0: not a counted key
	atom  uint32
}

// keepWire is the largest buffer that one message leaves to the next.
const keepWire = 1 << 20

// maxNest is how many values may cross at a time, each inside a getter of the one before.
const maxNest = 8

// encode writes x. The message is valid until the next encode; its blobs are the
// caller's. On failure an exception is pending.
func (v *isolate) encode(x value, root string, mode engine.InvokeMode) (marshal.Message, bool) {
	// A getter may call native while a value is being encoded.
	if v.encoding == maxNest {
		v.throwRange("values that cross to the host are nested too deeply in getters")
		return marshal.Message{}, false
	}
	if v.encoding == len(v.encoders) {
		v.encoders = append(v.encoders, &encoder{v: v})
	}
	e := v.encoders[v.encoding]
	v.encoding++
	e.begin(root, mode == engine.Lenient)
	ok := e.value(x)
	e.end()
	v.encoding--
	if !ok {
		e.blobs = nil
		return marshal.Message{}, false
	}
	m := marshal.Message{Wire: e.wire, Dropped: e.dropped, DroppedPath: e.path}
	if len(e.blobs) > 0 {
		m.Blobs, e.blobs = e.blobs, nil
	}
	return m, true
}

// encodeOwned is encode with a wire that the caller owns too.
func (v *isolate) encodeOwned(x value, root string, mode engine.InvokeMode) (marshal.Message, bool) {
	m, ok := v.encode(x, root, mode)
	if len(m.Wire) > 1<<16 {
		v.encoders[v.encoding].wire = nil
	} else if ok {
		m.Wire = append([]byte(nil), m.Wire...)
	}
	return m, ok
}

func (e *encoder) begin(root string, lenient bool) {
	if cap(e.wire) > keepWire {
		e.wire = nil
	}
	e.wire, e.blobs, e.size = e.wire[:0], nil, 0
	e.max = e.v.maxMessage
	e.root, e.lenient, e.dropped, e.path = root, lenient, 0, ""
	e.frames, e.objs, e.temps, e.atoms = e.frames[:0], e.objs[:0], e.temps[:0], e.atoms[:0]
	e.pinned = 0
	e.epoch++
	e.refs.reset()
	e.keys.reset()
}

// end gives back what kept the guest's objects and atoms alive.
func (e *encoder) end() {
	for _, x := range e.temps {
		e.v.free(x)
	}
	for _, p := range e.objs[:e.pinned] {
		e.v.free(object(p))
	}
	for _, a := range e.atoms {
		lib.XJS_FreeAtom(e.v.tls, e.v.ctx, a)
	}
	const keep = 1 << 16 // elements
	if cap(e.objs) > keep {
		e.objs = nil
	}
	e.dropRopes()
}

// beforeGuest fixes what guest code could change under the encoder: the containers so
// far get a reference, so that their numbers stay theirs, and objects whose shapes
// are being walked get a list of their keys.
func (e *encoder) beforeGuest() {
	e.epoch++
	for _, p := range e.objs[e.pinned:] {
		dup(object(p))
	}
	e.pinned = len(e.objs)
	for i := range e.frames {
		f := &e.frames[i]
		if f.kind != inObject || f.names != nil {
			continue
		}
		if f.index >= 0 {
			e.keep(f.atom) // a path may name it after the guest deleted it
		}
		sh := ptr(f.obj + objectShape)
		props := shapeProps(sh)
		n := int(u32(sh + shapePropCount))
		f.names = make([]uint32, 0, n)
		for j := f.index + 1; j < n; j++ {
			atom := u32(props + uintptr(j)*propSize + 4)
			if atom == 0 || u32(props+uintptr(j)*propSize)>>propFlagsShift&propEnumerable == 0 || !e.isText(atom) {
				continue
			}
			f.names = append(f.names, e.keep(atom))
		}
	}
}

// keep takes a reference to an atom until the end of the message.
func (e *encoder) keep(atom uint32) uint32 {
	if atom&atomTag == 0 {
		lib.XJS_DupAtom(e.v.tls, e.v.ctx, atom)
		e.atoms = append(e.atoms, atom)
	}
	return atom
}

func (e *encoder) atomString(atom uint32) uintptr {
	return ptr((*lib.TJSRuntime)(at(e.v.rt)).Fatom_array + uintptr(atom)*8)
}

// isText tells a key that is text from a symbol or a private name.
func (e *encoder) isText(atom uint32) bool {
	return atom&atomTag != 0 || u32(e.atomString(atom)+stringHash)>>atomTypeShift == lib.EJS_ATOM_TYPE_STRING
}

// mayBeIndex tells keys that may have to come first: those that begin with a digit.
func (e *encoder) mayBeIndex(atom uint32) bool {
	if atom&atomTag != 0 {
		return true
	}
	p := e.atomString(atom)
	head := u32(p)
	return head&stringWide == 0 && head != 0 && u8(p+stringData)-'0' <= 9
}

// --- writing ---------------------------------------------------------------

func appendVarint(b []byte, n uint64) []byte { return binary.AppendUvarint(b, n) }

// room fails when n more bytes would exceed the largest message.
func (e *encoder) room(n int64) bool {
	if int64(len(e.wire))+e.size+n <= e.max {
		return true
	}
	return e.refuse(fmt.Sprintf("cannot pass more than %d bytes to the host", e.max))
}

// refuse throws the error for a value that cannot cross.
func (e *encoder) refuse(message string) bool {
	message += " (at " + e.currentPath() + ")"
	v := e.v
	if !isObject(v.hook.cloneError) {
		v.throwType(message)
		return false
	}
	s := v.newString(message)
	if isException(s) {
		return false
	}
	e.beforeGuest()
	x := v.call(v.hook.cloneError, s)
	v.free(s)
	if !isException(x) {
		lib.XJS_Throw(v.tls, v.ctx, x)
	}
	return false
}

func (e *encoder) currentPath() string {
	var b strings.Builder
	b.WriteString(e.root)
	for i := range e.frames {
		f := &e.frames[i]
		switch f.kind {
		case inArray:
			fmt.Fprintf(&b, "[%d]", f.index)
		case inMap:
			if f.index&1 == 0 {
				fmt.Fprintf(&b, ".keys[%d]", f.index/2)
			} else {
				fmt.Fprintf(&b, ".values[%d]", f.index/2)
			}
		case inSet:
			fmt.Fprintf(&b, ".values[%d]", f.index)
		case inObject:
			b.WriteString(pathKey(e.keyText(f.atom)))
		}
		if b.Len() > 1000 {
			return b.String() + "…"
		}
	}
	return b.String()
}

func pathKey(k string) string {
	if len(k) > 100 {
		return "[" + printable(k, 100) + "]"
	}
	for i, c := range []byte(k) {
		if !(c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$' || i > 0 && c >= '0' && c <= '9') {
			return "[" + strconv.Quote(k) + "]"
		}
	}
	if k == "" {
		return `[""]`
	}
	return "." + k
}

// keyText is a key, or so much of a long one that pathKey cuts it.
func (e *encoder) keyText(atom uint32) string {
	if atom&atomTag != 0 {
		return strconv.Itoa(int(atom &^ atomTag))
	}
	b, w := e.units(make64(lib.EJS_TAG_STRING, uint64(e.atomString(atom))))
	const enough = 200
	return textOf(b[:min(len(b), enough)], w[:min(len(w), enough)])
}

// value writes x and reports whether it could; otherwise an exception is pending.
func (e *encoder) value(x value) bool {
	if e.steps++; e.steps&1023 == 0 {
		e.v.poll()
	}
	if int64(len(e.wire))+e.size > e.max {
		return e.room(0)
	}
	switch tagOf(x) {
	case lib.EJS_TAG_UNDEFINED:
		e.wire = append(e.wire, marshal.TagUndefined)
	case lib.EJS_TAG_NULL:
		e.wire = append(e.wire, marshal.TagNull)
	case lib.EJS_TAG_BOOL:
		e.wire = append(e.wire, marshal.TagFalse+byte(x.Fu.Fuint641&1))
	case lib.EJS_TAG_INT:
		e.int(int32(uint32(x.Fu.Fuint641)))
	case lib.EJS_TAG_FLOAT64:
		f := floatOf(x)
		if i := int32(f); float64(i) == f && (i != 0 || !math.Signbit(f)) {
			e.int(i)
			break
		}
		e.float(marshal.TagFloat, f)
	case lib.EJS_TAG_STRING, lib.EJS_TAG_STRING_ROPE:
		e.wire = append(e.wire, marshal.TagString)
		return e.text(x)
	case lib.EJS_TAG_SHORT_BIG_INT:
		e.wire = append(e.wire, marshal.TagBigInt)
		s := strconv.FormatInt(int64(int32(uint32(x.Fu.Fuint641))), 16)
		e.wire = append(appendVarint(e.wire, uint64(len(s))), s...)
	case lib.EJS_TAG_BIG_INT:
		s, ok := e.ask(e.v.hook.bigintText, x)
		if !ok {
			return false
		}
		e.wire = append(e.wire, marshal.TagBigInt)
		return e.text(s)
	case lib.EJS_TAG_SYMBOL:
		return e.uncrossable("a symbol")
	case lib.EJS_TAG_OBJECT:
		return e.object(x)
	default:
		return e.refuse("cannot pass an internal value to the host")
	}
	return true
}

func (e *encoder) int(i int32) {
	u := uint32(i<<1) ^ uint32(i>>31)
	if u < 0x80 {
		e.wire = append(e.wire, marshal.TagInt, byte(u))
		return
	}
	e.wire = appendVarint(append(e.wire, marshal.TagInt), uint64(u))
}

func (e *encoder) float(tag byte, f float64) {
	bits := math.Float64bits(f)
	if f != f {
		bits = 0x7ff8000000000000
	}
	e.wire = binary.LittleEndian.AppendUint64(append(e.wire, tag), bits)
}

// text writes a string of the guest without a tag.
func (e *encoder) text(x value) bool {
	if !isString(x) {
		x = make64(lib.EJS_TAG_STRING, uint64(e.atomString(lib.EJS_ATOM_empty_string)))
	}
	if !e.v.fits(x) || !e.room(int64(stringLen(x))) {
		return false
	}
	b, w := e.units(x)
	if w == nil {
		if len(b) < 0x80 {
			at := len(e.wire)
			e.wire = append(append(e.wire, byte(len(b))), b...)
			if asciiPrefix(e.wire[at+1:]) == len(b) {
				return true
			}
			e.wire = e.wire[:at]
		}
		n := latin1Size(b)
		if !e.room(int64(n)) {
			return false
		}
		e.wire = appendVarint(e.wire, uint64(n))
		if n == len(b) {
			e.wire = append(e.wire, b...)
		} else {
			e.wire = appendLatin1(e.wire, b)
		}
		return true
	}
	n := utf16Size(w)
	if !e.room(int64(n)) {
		return false
	}
	e.wire = appendUTF16(appendVarint(e.wire, uint64(n)), w)
	return true
}

// uncrossable refuses a function or a symbol. In lenient messages, where leaving it
// out is possible, value is not called for it.
func (e *encoder) uncrossable(what string) bool {
	return e.refuse("cannot pass " + what + " to the host")
}

// drops says whether a lenient message leaves x out.
func (e *encoder) drops(x value) bool {
	if !e.lenient {
		return false
	}
	switch tagOf(x) {
	case lib.EJS_TAG_SYMBOL:
	case lib.EJS_TAG_OBJECT:
		if !e.isFunction(x) {
			return false
		}
	default:
		return false
	}
	if e.dropped == 0 {
		e.path = e.currentPath()
	}
	e.dropped++
	return true
}

func (e *encoder) isFunction(x value) bool {
	switch classOf(addrOf(x)) {
	case lib.EJS_CLASS_OBJECT, lib.EJS_CLASS_ARRAY:
		return false
	case lib.EJS_CLASS_BYTECODE_FUNCTION, lib.EJS_CLASS_C_FUNCTION:
		return true
	}
	return lib.XJS_IsFunction(e.v.tls, e.v.ctx, x) != 0
}

// ask calls a hook. The result lives until the end of the message.
func (e *encoder) ask(hook value, args ...value) (value, bool) {
	e.beforeGuest()
	x := e.v.call(hook, args...)
	if isException(x) {
		return x, false
	}
	e.temps = append(e.temps, x)
	return x, true
}

// get reads a property, which may run guest code.
func (e *encoder) get(obj value, atom uint32) (value, bool) {
	e.beforeGuest()
	x := lib.XJS_GetPropertyInternal(e.v.tls, e.v.ctx, obj, atom, obj, 0)
	if isException(x) {
		return x, false
	}
	if counted(x) {
		e.temps = append(e.temps, x)
	}
	return x, true
}

// element reads a member of an array, which may run guest code when it is not a fast
// one.
func (e *encoder) element(obj value, i uint32) (value, bool) {
	p := addrOf(obj)
	if classOf(p) == lib.EJS_CLASS_ARRAY && u8(p+objectFlags)&fastArray != 0 && i < u32(p+arrayCount) {
		return valueAt(ptr(p+arrayValues) + uintptr(i)*valueSize), true
	}
	e.beforeGuest()
	x := lib.XJS_GetPropertyUint32(e.v.tls, e.v.ctx, obj, i)
	if isException(x) {
		return x, false
	}
	if counted(x) {
		e.temps = append(e.temps, x)
	}
	return x, true
}

func (e *encoder) push(kind frameKind, obj uintptr) bool {
	if len(e.frames) >= marshal.MaxDepth {
		return e.refuse(fmt.Sprintf("cannot pass a value nested deeper than %d levels to the host", marshal.MaxDepth))
	}
	e.frames = append(e.frames, frame{kind: kind, obj: obj, index: -1})
	return true
}

func (e *encoder) pop() { e.frames = e.frames[:len(e.frames)-1] }

func (e *encoder) top() *frame { return &e.frames[len(e.frames)-1] }

func (e *encoder) object(x value) bool {
	p := addrOf(x)
	class := classOf(p)
	switch class {
	case lib.EJS_CLASS_NUMBER, lib.EJS_CLASS_STRING, lib.EJS_CLASS_BOOLEAN, lib.EJS_CLASS_BIG_INT:
		return e.value(valueAt(p + objectUnion)) // the boxed primitive
	case lib.EJS_CLASS_BYTECODE_FUNCTION, lib.EJS_CLASS_C_FUNCTION:
		return e.uncrossable("a function")
	}
	if n, ok := e.refs.find(p, uint32(len(e.objs))); ok {
		e.wire = appendVarint(append(e.wire, marshal.TagRef), uint64(n))
		return true
	}
	e.objs = append(e.objs, p)
	switch class {
	case lib.EJS_CLASS_OBJECT, lib.EJS_CLASS_ARGUMENTS, lib.EJS_CLASS_MAPPED_ARGUMENTS,
		lib.EJS_CLASS_MODULE_NS, lib.EJS_CLASS_GLOBAL_OBJECT:
		return e.plain(x, class == lib.EJS_CLASS_OBJECT)
	case lib.EJS_CLASS_ARRAY:
		return e.array(x)
	case lib.EJS_CLASS_ERROR:
		return e.error(x)
	case lib.EJS_CLASS_DATE:
		f, ok := numberOf(valueAt(p + objectUnion))
		if !ok {
			f = math.NaN()
		}
		if !e.depth() {
			return false
		}
		e.float(marshal.TagDate, f)
		return true
	case lib.EJS_CLASS_REGEXP:
		return e.regexp(x)
	case lib.EJS_CLASS_MAP, lib.EJS_CLASS_SET:
		return e.collection(x, class == lib.EJS_CLASS_MAP)
	case lib.EJS_CLASS_ARRAY_BUFFER, lib.EJS_CLASS_SHARED_ARRAY_BUFFER, lib.EJS_CLASS_DATAVIEW:
		return e.bytes(x)
	case lib.EJS_CLASS_PROXY:
		return e.proxy(x)
	case lib.EJS_CLASS_PROMISE:
		return e.refuse("cannot pass a promise to the host: await it")
	case lib.EJS_CLASS_SYMBOL:
		return e.refuse("cannot pass a symbol to the host")
	case lib.EJS_CLASS_GENERATOR, lib.EJS_CLASS_ASYNC_GENERATOR:
		return e.refuse("cannot pass a Generator to the host")
	}
	if class >= lib.EJS_CLASS_UINT8C_ARRAY && class <= lib.EJS_CLASS_FLOAT64_ARRAY {
		return e.bytes(x)
	}
	if e.isFunction(x) {
		return e.uncrossable("a function")
	}
	name := e.v.className(x)
	if name == "Other" {
		return e.refuse("cannot pass an object of this class to the host")
	}
	return e.refuse("cannot pass a " + name + " to the host")
}

// depth checks the nesting of a container that has no frame.
func (e *encoder) depth() bool {
	if len(e.frames) < marshal.MaxDepth {
		return true
	}
	return e.refuse(fmt.Sprintf("cannot pass a value nested deeper than %d levels to the host", marshal.MaxDepth))
}

func (e *encoder) array(x value) bool {
	p := addrOf(x)
	length, ok := numberOf(valueAt(ptr(p + objectProps)))
	if !ok {
		length = 0
	}
	return e.elements(x, length)
}

// elements writes an array, or what says that it is one.
func (e *encoder) elements(x value, length float64) bool {
	if !(length >= 0) {
		length = 0
	}
	if length > math.MaxUint32 || !e.room(int64(length)) {
		if length > math.MaxUint32 {
			return e.refuse("cannot pass an array of this length to the host")
		}
		return false
	}
	n := int(length)
	if !e.push(inArray, addrOf(x)) {
		return false
	}
	e.wire = appendVarint(append(e.wire, marshal.TagArray), uint64(n))
	return e.items(x, n)
}

// items writes the first n elements of an array and ends its level.
func (e *encoder) items(list value, n int) bool {
	for i := 0; i < n; i++ {
		e.top().index = i
		y, ok := e.element(list, uint32(i))
		if !ok {
			return false
		}
		if e.drops(y) {
			y = null
		}
		if !e.value(y) {
			return false
		}
	}
	e.pop()
	return true
}

func (e *encoder) proxy(x value) bool {
	v := e.v
	if e.isFunction(x) {
		return e.uncrossable("a function")
	}
	e.beforeGuest()
	is := lib.XJS_IsArray(v.tls, v.ctx, x)
	if is < 0 {
		return false
	}
	if is == 0 {
		return e.plain(x, false)
	}
	y, ok := e.get(x, lib.EJS_ATOM_length)
	if !ok {
		return false
	}
	n, ok := numberOf(y)
	if !ok {
		bp := v.tls.Alloc(8)
		defer v.tls.Free(8)
		if lib.XJS_ToFloat64(v.tls, v.ctx, bp, y) < 0 {
			return false
		}
		n = *(*float64)(at(bp))
	}
	return e.elements(x, math.Trunc(n))
}

// plain writes the entries of an object.
func (e *encoder) plain(x value, direct bool) bool {
	p := addrOf(x)
	if !e.push(inObject, p) {
		return false
	}
	e.wire = append(e.wire, marshal.TagObject)
	if direct {
		if k := e.shapeKeys(p); k != nil {
			if !e.walk(x, k) {
				return false
			}
			e.wire = append(e.wire, 0)
			e.pop()
			return true
		}
	}
	e.top().names = []uint32{} // not walked
	names, ok := e.ownKeys(x)
	if !ok {
		return false
	}
	for _, atom := range names {
		if !e.entry(x, atom) {
			return false
		}
	}
	e.wire = append(e.wire, 0)
	e.pop()
	return true
}

// entry reads and writes one property by its key.
func (e *encoder) entry(x value, atom uint32) bool {
	e.top().atom = atom
	y, ok := e.get(x, atom)
	if !ok {
		return false
	}
	if e.drops(y) {
		return true
	}
	e.key(atom)
	return e.value(y)
}

// shapeKeys are the keys of an object that can be walked, or nil.
func (e *encoder) shapeKeys(p uintptr) *shapeKeys {
	sh := ptr(p + objectShape)
	n := u32(sh + shapePropCount)
	k := &e.shapes[sh>>5&3]
	if k.shape == sh && k.count == n && k.epoch == e.epoch {
		return k
	}
	props := shapeProps(sh)
	k.epoch = 0
	keys := k.keys[:0]
	for i := uint32(0); i < n; i++ {
		at := props + uintptr(i)*propSize
		flags, atom := u32(at)>>propFlagsShift, u32(at+4)
		if atom == 0 || flags&propEnumerable == 0 {
			continue
		}
		if flags&propKindMask != lib.MJS_PROP_NORMAL || e.mayBeIndex(atom) {
			k.keys = keys
			return nil
		}
		if !e.isText(atom) {
			continue
		}
		keys = append(keys, shapeKey{index: i, atom: atom})
	}
	*k = shapeKeys{shape: sh, count: n, epoch: e.epoch, keys: keys}
	return k
}

// walk writes the properties of an object of a known shape. When guest code runs on
// the way, it goes on with the list of keys that beforeGuest made.
func (e *encoder) walk(x value, k *shapeKeys) bool {
	p := addrOf(x)
	epoch, sh := e.epoch, k.shape
	for i := 0; ; i++ {
		if k.shape != sh || k.epoch != epoch {
			// The slot went to another shape, for an object inside this one.
			if k = e.again(p, epoch); k == nil {
				break
			}
		}
		if i >= len(k.keys) {
			break
		}
		key := &k.keys[i]
		f := e.top()
		f.index, f.atom = int(key.index), key.atom
		y := valueAt(ptr(p+objectProps) + uintptr(key.index)*valueSize)
		if e.lenient && e.drops(y) {
			continue
		}
		if key.code != 0 {
			e.wire = appendVarint(e.wire, uint64(key.code))
		} else {
			key.code = e.key(key.atom)
		}
		if !e.value(y) {
			return false
		}
		if e.epoch != epoch {
			break
		}
	}
	names := e.top().names
	for _, atom := range names {
		if !e.entry(x, atom) {
			return false
		}
	}
	return true
}

// again finds the keys of a shape that is being walked once more. Without guest code in
// between the shape is as it was.
func (e *encoder) again(p uintptr, epoch uint64) *shapeKeys {
	if e.epoch != epoch {
		return nil
	}
	return e.shapeKeys(p)
}

// key writes a key. It returns the code for its next use, 0 if it is not counted.
func (e *encoder) key(atom uint32) uint32 {
	n, known := e.keys.find(atom)
	if known {
		e.wire = appendVarint(e.wire, uint64(2*n+1))
		return 2*n + 1
	}
	code := uint32(0)
	if e.keys.add(atom) {
		e.keep(atom)
		code = 2*n + 1
	}
	if atom&atomTag != 0 {
		s := strconv.Itoa(int(atom &^ atomTag))
		e.wire = append(appendVarint(e.wire, uint64(2*(len(s)+1))), s...)
		return code
	}
	b, w := e.units(make64(lib.EJS_TAG_STRING, uint64(e.atomString(atom))))
	if w == nil {
		e.wire = appendLatin1(appendVarint(e.wire, uint64(2*(latin1Size(b)+1))), b)
	} else {
		e.wire = appendUTF16(appendVarint(e.wire, uint64(2*(utf16Size(w)+1))), w)
	}
	return code
}

// ownKeys are the own enumerable text keys of any object, as atoms which live until
// the end of the message.
func (e *encoder) ownKeys(x value) ([]uint32, bool) {
	e.beforeGuest()
	names, ok := e.v.ownKeys(x)
	for _, a := range names {
		if a&atomTag == 0 {
			e.atoms = append(e.atoms, a)
		}
	}
	return names, ok
}

// ownKeys are the own enumerable text keys of an object. The caller frees the atoms.
func (v *isolate) ownKeys(x value) ([]uint32, bool) {
	bp := v.tls.Alloc(16)
	defer v.tls.Free(16)
	if lib.XJS_GetOwnPropertyNames(v.tls, v.ctx, bp, bp+8, x, lib.MJS_GPN_STRING_MASK|lib.MJS_GPN_ENUM_ONLY) < 0 {
		return nil, false
	}
	tab, n := ptr(bp), u32(bp+8)
	names := make([]uint32, n)
	for i := range names {
		names[i] = u32(tab + uintptr(i)*8 + 4)
	}
	lib.Xjs_free(v.tls, v.ctx, tab)
	return names, true
}

func (e *encoder) error(x value) bool {
	parts, ok := e.ask(e.v.hook.errorParts, x)
	if !ok {
		return false
	}
	if !e.push(inError, 0) {
		return false
	}
	e.wire = append(e.wire, marshal.TagError)
	for i := uint32(0); i < 3; i++ {
		s, ok := e.element(parts, i)
		if !ok || !e.text(s) {
			return false
		}
	}
	extra, ok := e.element(parts, 3)
	if !ok {
		return false
	}
	names, ok := e.ownKeys(extra)
	if !ok {
		return false
	}
	f := e.top()
	f.kind, f.names = inObject, []uint32{}
	for _, atom := range names {
		if !e.entry(extra, atom) {
			return false
		}
	}
	e.wire = append(e.wire, 0)
	e.pop()
	return true
}

func (e *encoder) regexp(x value) bool {
	parts, ok := e.ask(e.v.hook.regexpParts, x)
	if !ok || !e.depth() {
		return false
	}
	e.wire = append(e.wire, marshal.TagRegExp)
	for i := uint32(0); i < 2; i++ {
		s, ok := e.element(parts, i)
		if !ok || !e.text(s) {
			return false
		}
	}
	return true
}

func (e *encoder) collection(x value, isMap bool) bool {
	hook, tag, kind, per := e.v.hook.setValues, byte(marshal.TagSet), inSet, 1
	if isMap {
		hook, tag, kind, per = e.v.hook.mapEntries, marshal.TagMap, inMap, 2
	}
	list, ok := e.ask(hook, x)
	if !ok || !e.push(kind, 0) {
		return false
	}
	n := 0
	if isObject(list) && classOf(addrOf(list)) == lib.EJS_CLASS_ARRAY {
		f, _ := numberOf(valueAt(ptr(addrOf(list) + objectProps)))
		n = int(f)
	}
	e.wire = appendVarint(append(e.wire, tag), uint64(n/per))
	return e.items(list, n)
}

// elementTypes of the typed array classes, in the order of the classes.
var elementTypes = [...]marshal.ElementType{
	marshal.Uint8ClampedArray, marshal.Int8Array, marshal.Uint8Array, marshal.Int16Array, marshal.Uint16Array,
	marshal.Int32Array, marshal.Uint32Array, marshal.BigInt64Array, marshal.BigUint64Array,
	marshal.Float16Array, marshal.Float32Array, marshal.Float64Array,
}

// elementShift is the binary logarithm of the element size, by element type.
var elementShift = [...]uint8{0, 0, 0, 1, 1, 2, 2, 3, 3, 1, 2, 3, 0, 0}

// byteRange is what a buffer or a view covers now. The second result is false when it
// is detached or out of bounds.
func byteRange(p uintptr) ([]byte, marshal.ElementType, bool) {
	class := classOf(p)
	if class == lib.EJS_CLASS_ARRAY_BUFFER || class == lib.EJS_CLASS_SHARED_ARRAY_BUFFER {
		ab := (*lib.TJSArrayBuffer)(at(ptr(p + objectUnion)))
		return mem(ab.Fdata, uintptr(ab.Fbyte_length)), marshal.ArrayBuffer, ab.Fdetached == 0
	}
	typ := marshal.DataView
	if class != lib.EJS_CLASS_DATAVIEW {
		typ = elementTypes[class-lib.EJS_CLASS_UINT8C_ARRAY]
	}
	view := (*lib.TJSTypedArray)(at(ptr(p + objectUnion)))
	ab := (*lib.TJSArrayBuffer)(at(ptr(view.Fbuffer + objectUnion)))
	off, n, have := uintptr(view.Foffset), uintptr(view.Flength), uintptr(ab.Fbyte_length)
	if ab.Fdetached != 0 || off > have {
		return nil, typ, false
	}
	if view.Ftrack_rab != 0 {
		shift := elementShift[typ]
		n = (have - off) >> shift << shift
	}
	if n > have-off {
		return nil, typ, false
	}
	return mem(ab.Fdata+off, n), typ, true
}

func (e *encoder) bytes(x value) bool {
	b, typ, ok := byteRange(addrOf(x))
	if !ok {
		return e.refuse("cannot pass detached or out of bounds bytes to the host")
	}
	if !e.room(int64(len(b))) || !e.depth() {
		return false
	}
	if len(b) >= marshal.BlobSize {
		e.wire = appendVarint(append(e.wire, marshal.TagBlob, byte(typ)), uint64(len(e.blobs)))
		e.blobs = append(e.blobs, append([]byte(nil), b...))
		e.size += int64(len(b))
		return true
	}
	e.wire = appendVarint(append(e.wire, marshal.TagBytes, byte(typ)), uint64(len(b)))
	e.wire = append(e.wire, b...)
	return true
}

// uint8Array is the content of a Uint8Array until the engine runs again.
func (v *isolate) uint8Array(x value) ([]byte, bool) {
	if !isObject(x) || classOf(addrOf(x)) != lib.EJS_CLASS_UINT8_ARRAY {
		return nil, false
	}
	b, _, ok := byteRange(addrOf(x))
	return b, ok
}

// --- tables ------------------------------------------------------------------

// A refTable numbers addresses. Stamps make clearing it free.
type refTable struct {
	slots []refSlot
	stamp uint32
	n     int
}

type refSlot struct {
	key   uintptr
	stamp uint32
	n     uint32
}

func (t *refTable) reset() {
	t.stamp++
	t.n = 0
	if len(t.slots) == 0 || len(t.slots) > 1<<15 || t.stamp == 0 {
		t.slots, t.stamp = make([]refSlot, 64), 1
	}
}

// find returns the number of key, or gives it the number next.
func (t *refTable) find(key uintptr, next uint32) (uint32, bool) {
	if 2*t.n >= len(t.slots) {
		old := t.slots
		t.slots = make([]refSlot, 4*len(old))
		t.n = 0
		for _, s := range old {
			if s.stamp == t.stamp {
				t.find(s.key, s.n)
			}
		}
	}
	mask := uintptr(len(t.slots) - 1)
	for i := (key >> 4) * 0x9e3779b97f4a7c15 >> 32 & mask; ; i = (i + 1) & mask {
		s := &t.slots[i]
		if s.stamp != t.stamp {
			*s = refSlot{key, t.stamp, next}
			t.n++
			return next, false
		}
		if s.key == key {
			return s.n, true
		}
	}
}

// A keyTable numbers the first marshal.MaxKeys atoms of a message.
type keyTable struct {
	slots *[4 * marshal.MaxKeys]keySlot
	stamp uint32
	n     uint32
}

type keySlot struct{ atom, stamp, n uint32 }

func (t *keyTable) reset() {
	t.n = 0
	t.stamp++
	if t.slots == nil || t.stamp == 0 {
		t.slots, t.stamp = new([4 * marshal.MaxKeys]keySlot), 1
	}
}

func (t *keyTable) slot(atom uint32) *keySlot {
	const mask = 4*marshal.MaxKeys - 1
	for i := atom * 0x9e3779b1 >> 18 & mask; ; i = (i + 1) & mask {
		if s := &t.slots[i]; s.stamp != t.stamp || s.atom == atom {
			return s
		}
	}
}

// find returns the number of an atom, or the one that add would give it.
func (t *keyTable) find(atom uint32) (uint32, bool) {
	if s := t.slot(atom); s.stamp == t.stamp {
		return s.n, true
	}
	return t.n, false
}

func (t *keyTable) add(atom uint32) bool {
	if t.n >= marshal.MaxKeys {
		return false
	}
	*t.slot(atom) = keySlot{atom, t.stamp, t.n}
	t.n++
	return true
}
