package qjspure

import (
	"testing"
	"unsafe"

	lib "modernc.org/libquickjs"
)

// The heap is read through the offsets of layout.go: they must be those of the linked
// libquickjs on this platform.
func TestLayoutIsThatOfTheLibrary(t *testing.T) {
	var (
		object   lib.TJSObject
		shape    lib.TJSShape
		property lib.TJSShapeProperty
		str      lib.TJSString
		rope     lib.TJSStringRope
		module   lib.TJSModuleDef
	)
	for _, r := range []struct {
		name      string
		got, want uintptr
	}{
		{"size of a value", unsafe.Sizeof(value{}), valueSize},
		{"object: flags", unsafe.Offsetof(object.F__ccgo16), objectFlags},
		{"object: class", unsafe.Offsetof(object.Fclass_id), objectClass},
		{"object: shape", unsafe.Offsetof(object.Fshape), objectShape},
		{"object: properties", unsafe.Offsetof(object.Fprop), objectProps},
		{"object: union", unsafe.Offsetof(object.Fu), objectUnion},
		{"shape: hashed", unsafe.Offsetof(shape.Fis_hashed), shapeHashed},
		{"shape: hash mask", unsafe.Offsetof(shape.Fprop_hash_mask), shapeHashMask},
		{"shape: capacity", unsafe.Offsetof(shape.Fprop_size), shapeCapacity},
		{"shape: count", unsafe.Offsetof(shape.Fprop_count), shapePropCount},
		{"shape: hash table", unsafe.Sizeof(shape), shapeHashTable},
		{"shape: prototype", unsafe.Offsetof(shape.Fproto), shapeProto},
		{"property: size", unsafe.Sizeof(property), propSize},
		{"property: atom", unsafe.Offsetof(property.Fatom), 4},
		{"string: hash", unsafe.Offsetof(str.F__ccgo4), stringHash},
		{"string: data", unsafe.Sizeof(str), stringData},
		{"rope: length", unsafe.Offsetof(rope.Flen1), ropeLen},
		{"rope: wide", unsafe.Offsetof(rope.Fis_wide_char), ropeWide},
		{"rope: left", unsafe.Offsetof(rope.Fleft), ropeLeft},
		{"rope: right", unsafe.Offsetof(rope.Fright), ropeRight},
		{"size of a property", unsafe.Sizeof(lib.TJSProperty{}), valueSize},
		{"module: function", unsafe.Offsetof(module.Ffunc_obj), unsafe.Offsetof(module.Fmodule_ns) + valueSize},
	} {
		if r.got != r.want {
			t.Errorf("%s: got %d, want %d", r.name, r.got, r.want)
		}
	}
}

// What layout.go says about a live heap: values that the engine made, read by us.
func TestLayoutOfLiveValues(t *testing.T) {
	_, v := newWorld(t)
	reset(t, v)
	if !v.guarded(nil, func() {
		x := v.newString("grüße")
		if s := v.goString(x); s != "grüße" {
			t.Errorf("string is %q", s)
		}
		w := lib.XJS_NewStringLen(v.tls, v.ctx, v.stage.put("€uro"), 6)
		if s := v.goString(w); s != "€uro" {
			t.Errorf("wide string of the engine is %q", s)
		}
		a := lib.XJS_NewArray(v.tls, v.ctx)
		lib.XJS_DefinePropertyValueUint32(v.tls, v.ctx, a, 0, integer(7), lib.MJS_PROP_C_W_E)
		p := addrOf(a)
		if u8(p+objectFlags)&fastArray == 0 || u32(p+arrayCount) != 1 || valueAt(ptr(p+arrayValues)) != integer(7) {
			t.Errorf("array: flags %#x, count %d", u8(p+objectFlags), u32(p+arrayCount))
		}
		if n, ok := numberOf(valueAt(ptr(p + objectProps))); !ok || n != 1 {
			t.Errorf("the first property of an array is %v, want its length", n)
		}
		o := lib.XJS_NewObject(v.tls, v.ctx)
		lib.XJS_DefinePropertyValue(v.tls, v.ctx, o, lib.EJS_ATOM_name, integer(3), lib.MJS_PROP_C_W_E)
		if y, ok := ownProperty(addrOf(o), lib.EJS_ATOM_name); !ok || y != integer(3) {
			t.Errorf("property is %v %v", y, ok)
		}
		if n := *refs(addrOf(o)); n != 1 {
			t.Errorf("a new object has %d references", n)
		}
		proto := lib.XJS_GetClassProto(v.tls, v.ctx, lib.EJS_CLASS_OBJECT)
		if got := ptr(ptr(addrOf(o)+objectShape) + shapeProto); got != addrOf(proto) {
			t.Errorf("prototype at %#x, want %#x", got, addrOf(proto))
		}
	}) {
		t.Fatal(v.failure)
	}
}

func TestFramesFitTheirSlots(t *testing.T) {
	if n := unsafe.Sizeof(lib.TJSStackFrame{}); n > frameSize {
		t.Errorf("a frame has %d bytes, its slot %d", n, frameSize)
	}
}
