package qjspure

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	lib "modernc.org/libquickjs"

	"quicksand/internal/marshal"
)

// A decoder makes values of the guest from messages. What it reads may be hostile:
// every length is checked against what is left before memory is taken.
type decoder struct {
	v      *isolate
	wire   []byte
	blobs  [][]byte
	depth  int
	objs   []value  // containers by number, with references
	keys   []uint32 // counted keys, with references
	rest   []uint32 // other keys, with references
	fields []field  // of the objects that are being read
	shapes [4]template
}

type field struct {
	atom  uint32
	value value
}

// A template is an object of this message whose shape others with the same keys share.
type template struct {
	obj  value
	keys []uint32
}

var errMalformed = errors.New("malformed message")

// decode makes the value of m. The error is errException when an exception of the
// guest is pending.
func (v *isolate) decode(m marshal.Message) (value, error) {
	if len(m.Wire) == 0 {
		return undefined, nil
	}
	if v.decoding == len(v.decoders) {
		v.decoders = append(v.decoders, &decoder{v: v})
	}
	d := v.decoders[v.decoding]
	v.decoding++
	d.wire, d.blobs, d.depth = m.Wire, m.Blobs, 0
	d.objs, d.keys, d.rest, d.fields = d.objs[:0], d.keys[:0], d.rest[:0], d.fields[:0]
	for i := range d.shapes {
		d.shapes[i] = template{keys: d.shapes[i].keys[:0], obj: undefined}
	}
	x, err := d.value()
	if err == nil && len(d.wire) != 0 {
		v.free(x)
		err = errMalformed
	}
	for _, o := range d.objs {
		v.free(o)
	}
	for _, k := range d.keys {
		lib.XJS_FreeAtom(v.tls, v.ctx, k)
	}
	for _, k := range d.rest {
		lib.XJS_FreeAtom(v.tls, v.ctx, k)
	}
	for i := range d.shapes {
		v.free(d.shapes[i].obj)
	}
	d.wire, d.blobs = nil, nil
	v.decoding--
	if cap(d.objs) > 1<<16 {
		d.objs = nil
	}
	return x, err
}

func (d *decoder) varint() (uint64, error) {
	n, w := binary.Uvarint(d.wire)
	if w <= 0 {
		return 0, errMalformed
	}
	d.wire = d.wire[w:]
	return n, nil
}

// length is a varint that counts things of at least one byte each.
func (d *decoder) length() (int, error) {
	n, err := d.varint()
	if err != nil || n > uint64(len(d.wire)) {
		return 0, errMalformed
	}
	return int(n), nil
}

func (d *decoder) take(n int) []byte {
	b := d.wire[:n]
	d.wire = d.wire[n:]
	return b
}

func (d *decoder) bytes() ([]byte, error) {
	n, err := d.length()
	if err != nil {
		return nil, err
	}
	return d.take(n), nil
}

// text makes a string.
func (d *decoder) text() (value, error) {
	b, err := d.bytes()
	if err != nil {
		return exception, err
	}
	return check(d.v.decodeText(b, true))
}

func check(x value) (value, error) {
	if isException(x) {
		return x, errException
	}
	return x, nil
}

func (d *decoder) float() (float64, error) {
	if len(d.wire) < 8 {
		return 0, errMalformed
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(d.take(8))), nil
}

func (d *decoder) value() (value, error) {
	if len(d.wire) == 0 {
		return exception, errMalformed
	}
	tag := d.wire[0]
	d.wire = d.wire[1:]
	v := d.v
	switch tag {
	case marshal.TagUndefined:
		return undefined, nil
	case marshal.TagNull:
		return null, nil
	case marshal.TagFalse, marshal.TagTrue:
		return boolean(tag == marshal.TagTrue), nil
	case marshal.TagInt:
		n, err := d.varint()
		if err != nil || n > math.MaxUint32 {
			return exception, errMalformed
		}
		return integer(int32(uint32(n)>>1) ^ -int32(n&1)), nil
	case marshal.TagFloat:
		f, err := d.float()
		if err != nil {
			return exception, err
		}
		return number(f), nil
	case marshal.TagString:
		return d.text()
	case marshal.TagBigInt:
		return d.bigint()
	case marshal.TagRef:
		n, err := d.varint()
		if err != nil || n >= uint64(len(d.objs)) || isException(d.objs[n]) {
			return exception, errMalformed
		}
		return dup(d.objs[n]), nil
	case marshal.TagHostFunc:
		id, err := d.varint()
		if err != nil {
			return exception, err
		}
		name, err := d.text()
		if err != nil {
			return exception, err
		}
		f := v.call(v.hook.hostFunction, number(float64(id)), name)
		v.free(name)
		return check(f)
	}
	if d.depth >= marshal.MaxDepth {
		return exception, fmt.Errorf("%w: more than %d levels", errMalformed, marshal.MaxDepth)
	}
	d.depth++
	x, err := d.container(tag)
	d.depth--
	if err != nil {
		return exception, err
	}
	return x, nil
}

func (d *decoder) bigint() (value, error) {
	b, err := d.bytes()
	if err != nil {
		return exception, err
	}
	digits := b
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 {
		return exception, errMalformed
	}
	for _, c := range digits {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f') {
			return exception, errMalformed
		}
	}
	if len(digits) <= 15 {
		var n int64
		for _, c := range digits {
			if c >= 'a' {
				c -= 'a' - 10 - '0'
			}
			n = n<<4 | int64(c-'0')
		}
		if b[0] == '-' {
			n = -n
		}
		return check(lib.XJS_NewBigInt64(d.v.tls, d.v.ctx, n))
	}
	s := d.v.newString(string(b))
	if isException(s) {
		return s, errException
	}
	x := d.v.call(d.v.hook.newBigInt, s)
	d.v.free(s)
	return check(x)
}

// number takes the next number for a container that does not exist yet.
func (d *decoder) reserve() int {
	d.objs = append(d.objs, exception)
	return len(d.objs) - 1
}

// container reads what follows the tag of a container. On error everything that was
// made is only reachable from objs.
func (d *decoder) container(tag byte) (value, error) {
	v := d.v
	id := d.reserve()
	own := func(x value) (value, error) {
		if isException(x) {
			return x, errException
		}
		d.objs[id] = dup(x)
		return x, nil
	}
	switch tag {
	case marshal.TagArray:
		return d.array(id)
	case marshal.TagObject:
		return d.object(id)
	case marshal.TagMap, marshal.TagSet:
		n, err := d.length()
		if err != nil {
			return exception, err
		}
		make, add, per := v.hook.newSet, v.hook.setAdd, 1
		if tag == marshal.TagMap {
			make, add, per = v.hook.newMap, v.hook.mapSet, 2
		}
		x, err := own(v.call(make))
		if err != nil {
			return x, err
		}
		for range n {
			var args [3]value
			args[0] = x
			for i := range per {
				if args[i+1], err = d.value(); err != nil {
					v.free(args[1]) // undefined at first
					v.free(x)
					return exception, err
				}
			}
			r := v.call(add, args[:per+1]...)
			v.free(args[1])
			v.free(args[2])
			v.free(r)
			if isException(r) {
				v.free(x)
				return r, errException
			}
		}
		return x, nil
	case marshal.TagDate:
		f, err := d.float()
		if err != nil {
			return exception, err
		}
		return own(v.call(v.hook.newDate, number(f)))
	case marshal.TagError:
		return d.error(own)
	case marshal.TagRegExp:
		source, err := d.text()
		if err != nil {
			return exception, err
		}
		flags, err := d.text()
		if err != nil {
			v.free(source)
			return exception, err
		}
		x, err := own(v.call(v.hook.newRegExp, source, flags))
		v.free(source)
		v.free(flags)
		return x, err
	case marshal.TagBytes, marshal.TagBlob:
		if len(d.wire) == 0 || d.wire[0] > byte(marshal.DataView) {
			return exception, errMalformed
		}
		typ := marshal.ElementType(d.take(1)[0])
		var b []byte
		if tag == marshal.TagBytes {
			var err error
			if b, err = d.bytes(); err != nil {
				return exception, err
			}
		} else {
			i, err := d.varint()
			if err != nil || i >= uint64(len(d.blobs)) {
				return exception, errMalformed
			}
			b = d.blobs[i]
		}
		if shift := elementShift[typ]; len(b)>>shift<<shift != len(b) {
			return exception, errMalformed
		}
		return own(v.newBytes(b, typ))
	}
	return exception, errMalformed
}

func (d *decoder) array(id int) (value, error) {
	v := d.v
	n, err := d.length()
	if err != nil {
		return exception, err
	}
	x := lib.XJS_NewArray(v.tls, v.ctx)
	if isException(x) {
		return x, errException
	}
	d.objs[id] = dup(x)
	if n == 0 {
		return x, nil
	}
	p := addrOf(x)
	values := lib.Xjs_malloc(v.tls, v.ctx, lib.Tsize_t(n*valueSize))
	if values == 0 {
		v.free(x)
		return exception, errException
	}
	for i := range uintptr(n) {
		*(*value)(at(values + i*valueSize)) = undefined
	}
	*(*uintptr)(at(p + arrayValues)) = values
	*(*uint32)(at(p + arraySize)) = uint32(n)
	*(*uint32)(at(p + arrayCount)) = uint32(n)
	*(*value)(at(ptr(p + objectProps))) = integer(int32(n)) // length
	for i := range uintptr(n) {
		y, err := d.value()
		if err != nil {
			v.free(x)
			return exception, err
		}
		// Hooks ran perhaps, but nothing of the guest has seen the array yet.
		*(*value)(at(ptr(p+arrayValues) + i*valueSize)) = y
	}
	return x, nil
}

// key reads a key code, as an atom which lives until the end of the message, or 0 at the
// end of the entries.
func (d *decoder) key() (uint32, error) {
	code, err := d.varint()
	switch {
	case err != nil || code == 0:
		return 0, err
	case code&1 != 0:
		if code>>1 >= uint64(len(d.keys)) {
			return 0, errMalformed
		}
		return d.keys[code>>1], nil
	}
	n := code>>1 - 1
	if n > uint64(len(d.wire)) {
		return 0, errMalformed
	}
	s := d.v.decodeText(d.take(int(n)), true)
	if isException(s) {
		return 0, errException
	}
	atom := lib.XJS_ValueToAtom(d.v.tls, d.v.ctx, s)
	d.v.free(s)
	if atom == 0 {
		return 0, errException
	}
	if len(d.keys) < marshal.MaxKeys {
		d.keys = append(d.keys, atom)
	} else {
		d.rest = append(d.rest, atom)
	}
	return atom, nil
}

// object reads all entries before it makes the properties, so that objects with the
// same keys get their shape at once. Only messages refer to the object until then.
func (d *decoder) object(id int) (value, error) {
	v := d.v
	x := lib.XJS_NewObject(v.tls, v.ctx)
	if isException(x) {
		return x, errException
	}
	d.objs[id] = dup(x)
	base := len(d.fields)
	for {
		atom, err := d.key()
		if atom == 0 && err == nil {
			break
		}
		var y value
		if err == nil {
			y, err = d.value()
		}
		if err != nil {
			for _, f := range d.fields[base:] {
				v.free(f.value)
			}
			d.fields = d.fields[:base]
			v.free(x)
			return exception, err
		}
		d.fields = append(d.fields, field{atom, y})
	}
	fields := d.fields[base:]
	d.fields = d.fields[:base]
	if len(fields) == 0 {
		return x, nil
	}
	t := &d.shapes[(fields[0].atom^uint32(len(fields)))&3]
	if t.matches(fields) && v.fill(addrOf(x), t, fields) {
		return x, nil
	}
	failed := false
	for _, f := range fields {
		if failed {
			v.free(f.value)
		} else {
			failed = lib.XJS_DefinePropertyValue(v.tls, v.ctx, x, f.atom, f.value, lib.MJS_PROP_C_W_E) < 0
		}
	}
	if failed {
		v.free(x)
		return exception, errException
	}
	if len(fields) <= 64 {
		t.set(v, x, fields)
	}
	return x, nil
}

// set makes x the template, unless its shape is its own or a key came twice.
func (t *template) set(v *isolate, x value, fields []field) {
	sh := ptr(addrOf(x) + objectShape)
	if u8(sh+shapeHashed) == 0 || u32(sh+shapePropCount) != uint32(len(fields)) {
		return
	}
	v.free(t.obj)
	t.obj = dup(x)
	t.keys = t.keys[:0]
	for _, f := range fields {
		t.keys = append(t.keys, f.atom)
	}
}

func (t *template) matches(fields []field) bool {
	if !isObject(t.obj) || len(t.keys) != len(fields) {
		return false
	}
	for i, f := range fields {
		if f.atom != t.keys[i] {
			return false
		}
	}
	return true
}

// fill gives an empty object the template's shape and the values. It returns false
// when it did nothing.
func (v *isolate) fill(p uintptr, t *template, fields []field) bool {
	sh, old := ptr(addrOf(t.obj)+objectShape), ptr(p+objectShape)
	if u32(sh+shapePropCount) != uint32(len(fields)) || u32(old+shapePropCount) != 0 || *refs(old) < 2 {
		return false
	}
	props := lib.Xjs_realloc_rt(v.tls, v.rt, ptr(p+objectProps), lib.Tsize_t(u32(sh+shapeCapacity))*valueSize)
	if props == 0 {
		return false
	}
	for i := range fields {
		*(*value)(at(props + uintptr(i)*valueSize)) = fields[i].value
	}
	*(*uintptr)(at(p + objectProps)) = props
	*(*uintptr)(at(p + objectShape)) = sh
	*refs(sh)++
	*refs(old)--
	return true
}

// entries reads entries and passes them on; put takes the value and reports false
// when an exception is pending.
func (d *decoder) entries(put func(atom uint32, y value) bool) error {
	for {
		atom, err := d.key()
		if atom == 0 {
			return err
		}
		y, err := d.value()
		if err == nil && !put(atom, y) {
			return errException
		}
		if err != nil {
			return err
		}
	}
}

func (d *decoder) error(own func(value) (value, error)) (value, error) {
	v := d.v
	var parts [3]value
	free := func() {
		for _, p := range parts {
			v.free(p)
		}
	}
	for i := range parts {
		var err error
		if parts[i], err = d.text(); err != nil {
			free()
			return exception, err
		}
	}
	x, err := own(v.call(v.hook.newError, parts[:]...))
	free()
	if err != nil {
		return x, err
	}
	err = d.entries(func(atom uint32, y value) bool {
		key := lib.XJS_AtomToString(v.tls, v.ctx, atom)
		r := v.call(v.hook.errorEntry, x, key, y)
		v.free(key)
		v.free(y)
		v.free(r)
		return !isException(r)
	})
	if err != nil {
		v.free(x)
		return exception, err
	}
	return x, nil
}

// newBytes makes a buffer or a view of a buffer of its own.
func (v *isolate) newBytes(b []byte, typ marshal.ElementType) value {
	p := v.allocBytes(len(b))
	if p == 0 {
		return exception
	}
	copy(mem(p, uintptr(len(b))), b)
	return v.viewOf(p, len(b), typ)
}

// allocBytes is memory for viewOf, or 0 with an exception pending.
func (v *isolate) allocBytes(n int) uintptr {
	if n > math.MaxInt32 {
		v.throwRange("too many bytes for a buffer")
		return 0
	}
	return lib.Xjs_malloc(v.tls, v.ctx, lib.Tsize_t(max(n, 1)))
}

// viewOf makes a buffer or a view of the n bytes at p, which it takes.
func (v *isolate) viewOf(p uintptr, n int, typ marshal.ElementType) value {
	buf := lib.XJS_NewArrayBuffer(v.tls, v.ctx, p, lib.Tsize_t(n), freeBufferCode, 0, 0)
	if isException(buf) || typ == marshal.ArrayBuffer {
		return buf
	}
	var x value
	if typ == marshal.DataView {
		x = v.call(v.hook.newDataView, buf)
	} else {
		argv := v.tls.Alloc(3 * valueSize)
		defer v.tls.Free(3 * valueSize)
		*(*value)(at(argv)) = buf
		*(*value)(at(argv + valueSize)) = undefined
		*(*value)(at(argv + 2*valueSize)) = undefined
		x = lib.XJS_NewTypedArray(v.tls, v.ctx, 3, argv, typedArrayKind[typ])
	}
	v.free(buf)
	return x
}

// typedArrayKind is the engine's number of an element type.
var typedArrayKind = [...]int32{
	lib.EJS_TYPED_ARRAY_UINT8, lib.EJS_TYPED_ARRAY_UINT8C, lib.EJS_TYPED_ARRAY_INT8, lib.EJS_TYPED_ARRAY_INT16,
	lib.EJS_TYPED_ARRAY_UINT16, lib.EJS_TYPED_ARRAY_INT32, lib.EJS_TYPED_ARRAY_UINT32, lib.EJS_TYPED_ARRAY_BIG_INT64,
	lib.EJS_TYPED_ARRAY_BIG_UINT64, lib.EJS_TYPED_ARRAY_FLOAT16, lib.EJS_TYPED_ARRAY_FLOAT32, lib.EJS_TYPED_ARRAY_FLOAT64,
}
