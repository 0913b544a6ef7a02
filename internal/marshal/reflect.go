package marshal

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unsafe"
)

var (
	timeType          = reflect.TypeFor[time.Time]()
	bigIntType        = reflect.TypeFor[big.Int]()
	valueType         = reflect.TypeFor[Value]()
	objectType        = reflect.TypeFor[Object]()
	mapType           = reflect.TypeFor[Map]()
	setType           = reflect.TypeFor[Set]()
	errorType         = reflect.TypeFor[Error]()
	regexpType        = reflect.TypeFor[RegExp]()
	numberType        = reflect.TypeFor[json.Number]()
	errorInterface    = reflect.TypeFor[error]()
	textMarshaler     = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler   = reflect.TypeFor[encoding.TextUnmarshaler]()
	jsonMarshaler     = reflect.TypeFor[json.Marshaler]()
	jsonUnmarshaler   = reflect.TypeFor[json.Unmarshaler]()
	uint8ClampedType  = reflect.TypeFor[Uint8Clamped]()
	bufferType        = reflect.TypeFor[Buffer]()
	viewType          = reflect.TypeFor[View]()
	float16sType      = reflect.TypeFor[Float16s]()
	rawMessageType    = reflect.TypeFor[json.RawMessage]()
	undefinedType     = reflect.TypeFor[UndefinedType]()
	invalidDateType   = reflect.TypeFor[InvalidDateType]()
	emptyInterface    = reflect.TypeFor[any]()
	stringType        = reflect.TypeFor[string]()
	intType           = reflect.TypeFor[int]()
	float64Type       = reflect.TypeFor[float64]()
	boolType          = reflect.TypeFor[bool]()
	stringMapType     = reflect.TypeFor[map[string]any]()
	elementTypeOfKind = map[reflect.Kind]ElementType{
		reflect.Uint8: Uint8Array, reflect.Int8: Int8Array, reflect.Int16: Int16Array,
		reflect.Uint16: Uint16Array, reflect.Int32: Int32Array, reflect.Uint32: Uint32Array,
		reflect.Int64: BigInt64Array, reflect.Uint64: BigUint64Array,
		reflect.Float32: Float32Array, reflect.Float64: Float64Array,
	}
)

// treatment says how values of a type are encoded.
type treatment uint8

const (
	byKind    treatment = iota
	asIs                // value knows the type, once it is an interface value
	asPointer           // value knows the pointer to it
	asError
	asJSON
	asText
)

var treatments sync.Map // reflect.Type → treatment

func treatmentOf(t reflect.Type) treatment {
	if c, ok := treatments.Load(t); ok {
		return c.(treatment)
	}
	c := byKind
	switch {
	case t.Kind() == reflect.Pointer && slices.Contains([]treatment{asIs, asPointer}, treatmentOf(t.Elem())):
		// Followed: what it points to is better known than by the methods it has too.
	case t == timeType, t == valueType, t == numberType, t == rawMessageType, t == undefinedType, t == invalidDateType,
		t == uint8ClampedType, t == bufferType, t == viewType, t == float16sType:
		c = asIs
	case t == bigIntType, t == objectType, t == mapType, t == setType, t == errorType, t == regexpType:
		c = asPointer
	case t.Implements(errorInterface):
		c = asError
	case t.Implements(jsonMarshaler):
		c = asJSON
	case t.Implements(textMarshaler):
		c = asText
	}
	treatments.Store(t, c)
	return c
}

// typeKind is a refKind for addresses of values of type t.
func typeKind(t reflect.Type) refKind {
	return refKind(reflect.ValueOf(t).Pointer())
}

// reflect writes a value whose type value does not know.
func (e *encoder) reflect(v reflect.Value) error {
	// Pointers in a row, and interfaces in between, are followed here. A variable that
	// points to itself ends at the depth limit.
	for hops := 0; ; hops++ {
		if !v.IsValid() {
			e.buf = append(e.buf, TagNull)
			return nil
		}
		t := v.Type()
		kind := t.Kind()
		if (kind == reflect.Pointer || kind == reflect.Interface) && v.IsNil() {
			e.buf = append(e.buf, TagNull)
			return nil
		}
		if v.CanInterface() {
			c := treatmentOf(t)
			if c == byKind && kind != reflect.Pointer && kind != reflect.Interface && v.CanAddr() {
				// A method of the pointer counts where the value is addressable.
				if p := treatmentOf(reflect.PointerTo(t)); p >= asError {
					c, v = p, v.Addr()
				}
			}
			switch c {
			case asIs:
				return e.value(v.Interface())
			case asPointer:
				if v.CanAddr() {
					return e.value(v.Addr().Interface())
				}
				p := reflect.New(t)
				p.Elem().Set(v)
				// The copy is garbage afterwards and its address must not be found again.
				e.keep = append(e.keep, p.Interface())
				return e.value(p.Interface())
			case asError:
				return e.goError(v)
			case asJSON:
				b, err := v.Interface().(json.Marshaler).MarshalJSON()
				if err != nil {
					return e.fail(err)
				}
				return e.json(b)
			case asText:
				b, err := v.Interface().(encoding.TextMarshaler).MarshalText()
				if err != nil {
					return e.fail(err)
				}
				return e.string(string(b))
			}
		}
		if kind != reflect.Pointer && kind != reflect.Interface {
			return e.kind(v, t, kind)
		}
		if hops > MaxDepth {
			return e.fail(ErrTooDeep)
		}
		elem := v.Elem()
		if kind == reflect.Pointer {
			switch k := elem.Kind(); {
			case treatmentOf(elem.Type()) == asPointer && v.CanInterface():
				return e.value(v.Interface())
			case treatmentOf(elem.Type()) == byKind && (k == reflect.Struct || k == reflect.Array && !isElements(elem.Type())) && elem.Type().Size() > 0:
				if seen, err := e.seen(v.UnsafePointer(), 0, typeKind(elem.Type())); seen || err != nil {
					return err
				}
			}
		} else if elem.IsValid() && elem.CanInterface() && elem.Kind() != reflect.Pointer {
			return e.value(elem.Interface())
		}
		v = elem
	}
}

// goError writes an error of the host. Only its text crosses: what it wraps may be
// what its author wanted to hide.
func (e *encoder) goError(v reflect.Value) error {
	if v.Kind() == reflect.Pointer {
		if seen, err := e.seen(v.UnsafePointer(), 0, typeKind(v.Type().Elem())); seen || err != nil {
			return err
		}
	}
	if err := e.beginError("Error", v.Interface().(error).Error(), ""); err != nil {
		return err
	}
	e.endEntries()
	return nil
}

func (e *encoder) kind(v reflect.Value, t reflect.Type, kind reflect.Kind) error {
	switch kind {
	case reflect.Bool:
		e.bool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.int(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		e.uint(v.Uint())
	case reflect.Float32, reflect.Float64:
		e.float(v.Float())
	case reflect.String:
		return e.string(v.String())
	case reflect.Slice:
		return e.slice(v, t)
	case reflect.Array:
		return e.slice(v, t)
	case reflect.Map:
		return e.reflectMap(v, t)
	case reflect.Struct:
		return e.structure(v, t)
	case reflect.Func:
		return e.function(v)
	default:
		return e.refuse(t)
	}
	return nil
}

func (e *encoder) function(v reflect.Value) error {
	if v.IsNil() {
		e.buf = append(e.buf, TagNull)
		return nil
	}
	if e.opt.Func != nil && v.CanInterface() {
		if id, name, ok := e.opt.Func(e.where(), v.Interface()); ok {
			e.buf = append(e.buf, TagHostFunc)
			e.uvarint(id)
			return e.text(name)
		}
	}
	return e.refuse(v.Type())
}

// slice writes a slice or an array.
func (e *encoder) slice(v reflect.Value, t reflect.Type) error {
	n := v.Len()
	elem := t.Elem()
	if isElements(t) {
		if t.Kind() == reflect.Array {
			if !v.CanAddr() {
				c := reflect.New(t).Elem()
				c.Set(v)
				e.keep = append(e.keep, c.Addr().Interface())
				v = c
			}
			v = v.Slice(0, n)
		}
		return e.elements(elementTypeOfKind[elem.Kind()], v)
	}
	if t.Kind() == reflect.Slice && elem.Size() > 0 {
		if seen, err := e.seenSlice(v.UnsafePointer(), n, typeKind(t)); seen || err != nil {
			return err
		}
	}
	if elem == emptyInterface {
		return e.array(n, func(i int) error { return e.value(v.Index(i).Interface()) })
	}
	return e.array(n, func(i int) error { return e.reflect(v.Index(i)) })
}

// isElements reports whether a slice or array type is a typed array: its elements
// are numbers of a predeclared type.
func isElements(t reflect.Type) bool {
	_, ok := elementTypeOfKind[t.Elem().Kind()]
	return ok && t.Elem().PkgPath() == ""
}

// elements writes a slice of numbers of a predeclared type.
func (e *encoder) elements(et ElementType, v reflect.Value) error {
	p, n := v.UnsafePointer(), v.Len()
	switch et {
	case Uint8Array:
		return byteRange(e, et, unsafe.Slice((*uint8)(p), n))
	case Int8Array:
		return byteRange(e, et, unsafe.Slice((*int8)(p), n))
	case Int16Array:
		return byteRange(e, et, unsafe.Slice((*int16)(p), n))
	case Uint16Array:
		return byteRange(e, et, unsafe.Slice((*uint16)(p), n))
	case Int32Array:
		return byteRange(e, et, unsafe.Slice((*int32)(p), n))
	case Uint32Array:
		return byteRange(e, et, unsafe.Slice((*uint32)(p), n))
	case BigInt64Array:
		return byteRange(e, et, unsafe.Slice((*int64)(p), n))
	case BigUint64Array:
		return byteRange(e, et, unsafe.Slice((*uint64)(p), n))
	case Float32Array:
		return byteRange(e, et, unsafe.Slice((*float32)(p), n))
	}
	return byteRange(e, et, unsafe.Slice((*float64)(p), n))
}

func (e *encoder) reflectMap(v reflect.Value, t reflect.Type) error {
	if t != stringMapType && t.ConvertibleTo(stringMapType) && v.CanInterface() {
		return e.stringMap(v.Convert(stringMapType).Interface().(map[string]any))
	}
	key := t.Key()
	text := key.Implements(textMarshaler)
	switch k := key.Kind(); {
	case k == reflect.String, text:
	case k >= reflect.Int && k <= reflect.Uintptr:
	default:
		return e.refuse(t)
	}
	if !v.IsNil() {
		if seen, err := e.seen(v.UnsafePointer(), 0, refMap); seen || err != nil {
			return err
		}
	}
	type pair struct {
		name  string
		order uint64 // of integer keys
		key   reflect.Value
	}
	pairs := make([]pair, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		k := it.Key()
		p := pair{key: k}
		switch {
		case text && !(k.Kind() == reflect.String && !k.CanInterface()):
			if k.Kind() == reflect.Pointer && k.IsNil() {
				break // as encoding/json: the empty key
			}
			b, err := k.Interface().(encoding.TextMarshaler).MarshalText()
			if err != nil {
				return e.fail(err)
			}
			p.name = string(b)
		case k.Kind() == reflect.String:
			p.name = k.String()
		case k.CanInt():
			p.name = strconv.FormatInt(k.Int(), 10)
			p.order = uint64(k.Int()) ^ 1<<63
		default:
			p.name = strconv.FormatUint(k.Uint(), 10)
			p.order = k.Uint()
		}
		pairs = append(pairs, p)
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.name, b.name))
	})
	if err := e.beginObject(); err != nil {
		return err
	}
	for _, p := range pairs {
		if err := e.name(p.name); err != nil {
			return err
		}
		if err := e.reflect(v.MapIndex(p.key)); err != nil {
			return err
		}
	}
	e.endEntries()
	return nil
}

func (e *encoder) structure(v reflect.Value, t reflect.Type) error {
	if err := e.beginObject(); err != nil {
		return err
	}
next:
	for _, f := range planOf(t).fields {
		fv := v
		for i, x := range f.index {
			if i > 0 && fv.Kind() == reflect.Pointer {
				if fv.IsNil() {
					continue next
				}
				fv = fv.Elem()
			}
			fv = fv.Field(x)
		}
		if f.omitEmpty && isEmpty(fv) || f.omitZero && isZero(fv) {
			continue
		}
		if err := e.name(f.name); err != nil {
			return err
		}
		if err := e.reflect(fv); err != nil {
			return err
		}
	}
	e.endEntries()
	return nil
}

func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

func isZero(v reflect.Value) bool {
	if v.CanInterface() && !(v.Kind() == reflect.Pointer && v.IsNil()) {
		if z, ok := v.Interface().(interface{ IsZero() bool }); ok {
			return z.IsZero()
		}
	}
	return v.IsZero()
}

// A plan says which fields of a struct cross, under which names.
type plan struct {
	fields []field
	byName map[string]int
}

type field struct {
	name                string
	index               []int
	tagged              bool
	omitEmpty, omitZero bool
}

var plans sync.Map // reflect.Type → *plan

func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	p := newPlan(t)
	got, _ := plans.LoadOrStore(t, p)
	return got.(*plan)
}

// newPlan collects fields level by level. A name belongs to the shallowest field
// that has it; of several on one level to the only one with a tag, else to none.
func newPlan(t reflect.Type) *plan {
	type level struct {
		t     reflect.Type
		index []int
	}
	p := &plan{byName: map[string]int{}}
	taken := map[string]bool{}
	visited := map[reflect.Type]bool{}
	for current := []level{{t, nil}}; len(current) > 0; {
		var next []level
		found := map[string][]field{}
		var order []string
		times := map[reflect.Type]int{}
		for _, l := range current {
			times[l.t]++
		}
		for _, l := range current {
			if visited[l.t] {
				continue
			}
			visited[l.t] = true
			for i := range l.t.NumField() {
				sf := l.t.Field(i)
				inner := sf.Type
				if inner.Kind() == reflect.Pointer && inner.Name() == "" {
					inner = inner.Elem()
				}
				if !sf.IsExported() && !(sf.Anonymous && inner.Kind() == reflect.Struct) {
					continue
				}
				tag := sf.Tag.Get("json")
				if tag == "-" {
					continue
				}
				name, options, _ := strings.Cut(tag, ",")
				index := append(slices.Clone(l.index), i)
				if sf.Anonymous && name == "" && inner.Kind() == reflect.Struct {
					// Nothing behind an unexported pointer can be set by reflection; reading it is
					// left out too, so that both directions agree.
					if sf.IsExported() || sf.Type.Kind() != reflect.Pointer {
						next = append(next, level{inner, index})
					}
					continue
				}
				if !sf.IsExported() {
					continue
				}
				f := field{name: name, index: index, tagged: name != ""}
				if name == "" {
					f.name = sf.Name
				}
				for o := range strings.SplitSeq(options, ",") {
					f.omitEmpty = f.omitEmpty || o == "omitempty"
					f.omitZero = f.omitZero || o == "omitzero"
				}
				if len(found[f.name]) == 0 {
					order = append(order, f.name)
				}
				// The same type embedded twice on one level hides itself.
				for range min(times[l.t], 2) {
					found[f.name] = append(found[f.name], f)
				}
			}
		}
		for _, name := range order {
			if taken[name] {
				continue
			}
			taken[name] = true
			fs := found[name]
			if len(fs) > 1 {
				fs = slices.DeleteFunc(fs, func(f field) bool { return !f.tagged })
			}
			if len(fs) == 1 {
				p.fields = append(p.fields, fs[0])
			}
		}
		current = next
	}
	slices.SortFunc(p.fields, func(a, b field) int { return slices.Compare(a.index, b.index) })
	for i, f := range p.fields {
		p.byName[f.name] = i
	}
	return p
}

// find returns the field for a key, also when only case differs.
func (p *plan) find(key string) *field {
	if i, ok := p.byName[key]; ok {
		return &p.fields[i]
	}
	for i := range p.fields {
		if strings.EqualFold(p.fields[i].name, key) {
			return &p.fields[i]
		}
	}
	return nil
}

// json writes what JSON.parse makes of a text, with its key order.
func (e *encoder) json(text []byte) error {
	if len(text) == 0 {
		e.buf = append(e.buf, TagNull)
		return nil
	}
	if err := e.room(len(text)); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	tok, err := d.Token()
	if err == nil {
		err = e.jsonValue(d, tok)
	}
	if err == nil {
		if _, err2 := d.Token(); err2 != io.EOF {
			err = errors.New("text after the value")
		}
	}
	var pe *PathError
	if err != nil && !errors.As(err, &pe) {
		return e.fail(fmt.Errorf("JSON: %w", err))
	}
	return err
}

func (e *encoder) jsonValue(d *json.Decoder, tok json.Token) error {
	switch tok := tok.(type) {
	case nil:
		e.buf = append(e.buf, TagNull)
	case bool:
		e.bool(tok)
	case string:
		return e.string(tok)
	case json.Number:
		f, err := strconv.ParseFloat(string(tok), 64)
		if err != nil && !math.IsInf(f, 0) {
			return e.fail(err)
		}
		e.float(f)
	case json.Delim:
		if tok == '{' {
			return e.jsonObject(d)
		}
		return e.jsonArray(d)
	}
	return nil
}

func (e *encoder) jsonObject(d *json.Decoder) error {
	if err := e.beginObject(); err != nil {
		return err
	}
	for {
		tok, err := d.Token()
		if err != nil {
			return err
		}
		key, ok := tok.(string)
		if !ok {
			break
		}
		if err := e.name(key); err != nil {
			return err
		}
		if tok, err = d.Token(); err != nil {
			return err
		}
		if err := e.jsonValue(d, tok); err != nil {
			return err
		}
	}
	e.endEntries()
	return nil
}

func (e *encoder) jsonArray(d *json.Decoder) error {
	// The length comes before the elements, which are counted while they are written
	// behind the place for it.
	if err := e.begin(TagArray); err != nil {
		return err
	}
	start := len(e.buf)
	e.push(segment{kind: indexSegment})
	n := 0
	for ; ; n++ {
		e.at(n)
		tok, err := d.Token()
		if err != nil {
			return err
		}
		if tok == json.Delim(']') {
			break
		}
		if err := e.jsonValue(d, tok); err != nil {
			return err
		}
	}
	e.pop()
	e.end()
	var length [10]byte
	e.buf = slices.Insert(e.buf, start, binary.AppendUvarint(length[:0], uint64(n))...)
	return nil
}
