package qjspure

import (
	"math"
	"unsafe"

	lib "modernc.org/libquickjs"
)

// value is the engine's JSValue on 64-bit platforms: a payload and a tag.
type value = lib.TJSValue

// The layout below needs the 64-bit, little-endian form of a value.
const _ = -uint(unsafe.Sizeof(value{}) ^ 16)

const valueSize = 16

// Offsets inside the guest's heap.
const (
	// JSObject
	objectFlags = 16 // byte; fastArray is one of its bits
	objectClass = 18 // uint16
	objectShape = 24
	objectProps = 32 // values, one for each property of the shape
	objectUnion = 40
	fastArray   = 0x10

	functionCode = 8 // in the union of a native function: its code

	arraySize   = 40 // uint32: capacity
	arrayValues = 48
	arrayCount  = 56 // uint32

	// JSShape; the hash table and then the properties follow it.
	shapeHashed    = 16 // byte
	shapeHashMask  = 24 // uint32
	shapeCapacity  = 28 // int32
	shapePropCount = 32 // int32
	shapeProto     = 48
	shapeHashTable = 56

	// JSShapeProperty: flags in the upper six bits of the first word, then the atom.
	propSize       = 8
	propFlagsShift = 26
	propEnumerable = lib.MJS_PROP_ENUMERABLE
	propKindMask   = lib.MJS_PROP_TMASK

	// JSString: length with the wide bit, hash with the atom type, next of the hash.
	stringWide    = 1 << 31
	stringHash    = 4
	stringData    = 12
	atomTypeShift = 30
	atomTag       = 1 << 31 // an atom that is an integer

	// JSStringRope
	ropeLen   = 0 // uint32
	ropeWide  = 4 // byte
	ropeLeft  = 8
	ropeRight = 24

	maxString = 1<<30 - 1
)

// at is the pointer to an address outside of the Go heap. unsafe.Add keeps vet from
// taking it for a Go pointer that was hidden from the collector.
func at(addr uintptr) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(nil), addr) }

func u8(addr uintptr) uint8      { return *(*uint8)(at(addr)) }
func u16(addr uintptr) uint16    { return *(*uint16)(at(addr)) }
func u32(addr uintptr) uint32    { return *(*uint32)(at(addr)) }
func ptr(addr uintptr) uintptr   { return *(*uintptr)(at(addr)) }
func valueAt(addr uintptr) value { return *(*value)(at(addr)) }

// mem is n bytes of memory outside of the Go heap. It is only valid until the engine
// runs again.
func mem(addr, n uintptr) []byte {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(at(addr)), n)
}

func mem16(addr, n uintptr) []uint16 {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*uint16)(at(addr)), n)
}

func make64(tag int64, u uint64) (v value) {
	v.Fu.Fuint641 = u
	v.Ftag = tag
	return v
}

var (
	undefined = make64(lib.EJS_TAG_UNDEFINED, 0)
	null      = make64(lib.EJS_TAG_NULL, 0)
	exception = make64(lib.EJS_TAG_EXCEPTION, 0)
)

func boolean(b bool) value {
	if b {
		return make64(lib.EJS_TAG_BOOL, 1)
	}
	return make64(lib.EJS_TAG_BOOL, 0)
}

func integer(i int32) value { return make64(lib.EJS_TAG_INT, uint64(uint32(i))) }

func number(f float64) value {
	if i := int32(f); float64(i) == f && (i != 0 || !math.Signbit(f)) {
		return integer(i)
	}
	return make64(lib.EJS_TAG_FLOAT64, math.Float64bits(f))
}

func object(p uintptr) value { return make64(lib.EJS_TAG_OBJECT, uint64(p)) }

func tagOf(v value) int32      { return int32(v.Ftag) }
func addrOf(v value) uintptr   { return uintptr(v.Fu.Fuint641) }
func isObject(v value) bool    { return tagOf(v) == lib.EJS_TAG_OBJECT }
func isException(v value) bool { return tagOf(v) == lib.EJS_TAG_EXCEPTION }
func classOf(p uintptr) uint16 { return u16(p + objectClass) }
func isString(v value) bool {
	return tagOf(v) == lib.EJS_TAG_STRING || tagOf(v) == lib.EJS_TAG_STRING_ROPE
}
func counted(v value) bool    { return uint32(tagOf(v)) >= uint32(0xffff_fff7) } // EJS_TAG_FIRST
func refs(p uintptr) *int32   { return (*int32)(at(p - 4)) }
func floatOf(v value) float64 { return math.Float64frombits(v.Fu.Fuint641) }
func shapeProps(sh uintptr) uintptr {
	return sh + shapeHashTable + (uintptr(u32(sh+shapeHashMask))+1)*4
}

// numberOf is the number in v, if it is one.
func numberOf(v value) (float64, bool) {
	switch tagOf(v) {
	case lib.EJS_TAG_INT:
		return float64(int32(uint32(v.Fu.Fuint641))), true
	case lib.EJS_TAG_FLOAT64:
		return floatOf(v), true
	}
	return 0, false
}

// dup takes another reference to v.
func dup(v value) value {
	if counted(v) {
		*refs(addrOf(v))++
	}
	return v
}

// free gives a reference to v back.
func (v *isolate) free(x value) {
	if !counted(x) {
		return
	}
	if n := refs(addrOf(x)); *n > 1 {
		*n--
		return
	}
	lib.XFreeValue(v.tls, v.ctx, x)
}

// ownProperty finds an own data property without running guest code.
func ownProperty(obj uintptr, atom uint32) (value, bool) {
	sh := ptr(obj + objectShape)
	props := shapeProps(sh)
	n := uintptr(u32(sh + shapePropCount))
	for i := uintptr(0); i < n; i++ {
		if u32(props+i*propSize+4) == atom {
			if u32(props+i*propSize)>>propFlagsShift&propKindMask != lib.MJS_PROP_NORMAL {
				return undefined, false
			}
			return valueAt(ptr(obj+objectProps) + i*valueSize), true
		}
	}
	return undefined, false
}
