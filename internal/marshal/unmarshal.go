package marshal

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"time"
)

// Unmarshal stores the value in what dst points to, in the manner of
// encoding/json: structs by their `json` names, slices, arrays, maps with string,
// integer or encoding.TextUnmarshaler keys, pointers, and any, which gets what Any
// returns. Properties that a struct has no field for are ignored.
//
//	number       all number types, if it fits without loss of a fraction or range
//	BigInt       *big.Int and integers it fits in
//	string       string types, encoding.TextUnmarshaler, json.Unmarshaler
//	Date         time.Time; so does a string in RFC 3339 form
//	byte range   []byte and the like; typed arrays also go into slices of other numbers
//	array        also map[T]struct{} for a Set, *Set
//	Map          *Map, or a map
//	Error        *Error, error, or a struct with its properties
//	anything     Value, any, json.Unmarshaler (gets the JSON text)
//	null         nil for pointers, maps, slices and interfaces; others stay as they are
//	undefined    leaves the destination as it is
//
// Shared objects are shared where the destination has pointers, maps or slices; a
// cycle needs them. Byte ranges alias the message as for Any. Errors are *PathError and say where in the value.
func (v Value) Unmarshal(dst any) error {
	p := reflect.ValueOf(dst)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return fmt.Errorf("unmarshal into %T: not a pointer, or nil", dst)
	}
	u := unmarshaler{}
	err := func() (err error) {
		defer func() {
			if r := recover(); r != nil {
				// A method of the destination panicked.
				err = fmt.Errorf("panic: %v", r)
			}
		}()
		return u.into(v, p.Elem(), 0)
	}()
	if err != nil {
		slices.Reverse(u.path)
		return &PathError{pathString("value", u.path), err}
	}
	return nil
}

type unmarshaler struct {
	path []segment // innermost first, once there is an error
	// made holds the results of containers by position and type, so that a shared
	// object is decoded once for each type. Only used when there are refs.
	made     map[madeKey]*madeValue
	anys     [2][]any // containers as Any and as Ordered decodes them
	plan     *plan    // of planType, the struct type before this
	planType reflect.Type
	json     int // bytes of JSON text given to the destination
}

// any is v.Any or v.Ordered, with one result for each container of the message.
func (u *unmarshaler) any(v Value, ordered bool) any {
	if !v.refs || v.tag() < TagArray {
		return v.decode(ordered)
	}
	i := 0
	if ordered {
		i = 1
	}
	if u.anys[i] == nil {
		u.anys[i] = v.containers(ordered)
	}
	return u.anys[i][v.getIndex().number(int(v.pos))]
}

type madeKey struct {
	pos uint32
	t   reflect.Type
}

type madeValue struct {
	v    reflect.Value
	done bool
}

func (u *unmarshaler) at(s segment, err error) error {
	if err != nil {
		u.path = append(u.path, s)
	}
	return err
}

func mismatch(v Value, t reflect.Type) error {
	return fmt.Errorf("cannot store %s in %s", v.Kind(), t)
}

// into stores v in dst, which is settable.
func (u *unmarshaler) into(v Value, dst reflect.Value, depth int) error {
	t := dst.Type()
	if depth > maxJSONDepth {
		return fmt.Errorf("%w: shared objects nested %d levels", ErrTooDeep, depth)
	}
	tag := v.tag()
	switch {
	case tag == TagString && t == stringType:
		s, _ := v.Str()
		dst.SetString(s)
		return nil
	case tag <= TagFloat && (t == float64Type || t == intType || t == boolType):
		if tag == TagInt || tag == TagFloat {
			if t == boolType {
				return mismatch(v, t)
			}
			f, _ := v.Float()
			return setNumber(dst, f)
		}
	case tag == TagUndefined && t != valueType:
		return nil
	}
	if !v.refs || tag < TagArray || dst.Kind() == reflect.Interface || t == valueType {
		return u.store(v, dst, depth)
	}
	key := madeKey{v.pos, t}
	if m, ok := u.made[key]; ok {
		// A pointer, map or slice is known as soon as it exists. Other types must be
		// complete before they can be copied.
		if !m.done && !m.v.IsValid() {
			return fmt.Errorf("%w: a cycle cannot be stored in %s", ErrCycle, t)
		}
		dst.Set(m.v)
		return nil
	}
	if u.made == nil {
		u.made = map[madeKey]*madeValue{}
	}
	m := &madeValue{}
	u.made[key] = m
	if err := u.store(v, dst, depth); err != nil {
		return err
	}
	if !m.v.IsValid() {
		m.v = reflect.New(t).Elem()
		m.v.Set(dst)
	}
	m.done = true
	return nil
}

// early makes a result known before its parts are.
func (u *unmarshaler) early(v Value, dst reflect.Value) {
	if m := u.made[madeKey{v.pos, dst.Type()}]; m != nil {
		m.v = reflect.New(dst.Type()).Elem()
		m.v.Set(dst)
	}
}

// special stores v where the type of dst says how, and reports whether it does.
func (u *unmarshaler) special(v Value, dst reflect.Value, t reflect.Type) (bool, error) {
	tag := v.tag()
	switch t {
	case valueType:
		dst.Set(reflect.ValueOf(v))
		return true, nil
	case timeType:
		switch tag {
		case TagNull:
			return true, nil
		case TagDate:
			at, ok := toTime(floatAt(v.wire, int(v.pos)+1))
			if !ok {
				return true, errors.New("invalid Date")
			}
			dst.Set(reflect.ValueOf(at))
			return true, nil
		case TagString:
			s, _ := v.Str()
			at, err := time.Parse(time.RFC3339, s)
			if err != nil {
				return true, fmt.Errorf("string %.40q is not a time in RFC 3339 form", s)
			}
			dst.Set(reflect.ValueOf(at))
			return true, nil
		}
		return true, mismatch(v, t)
	case bigIntType:
		n := dst.Addr().Interface().(*big.Int)
		switch tag {
		case TagNull:
			return true, nil
		case TagBigInt:
			b, _ := textAt(v.wire, int(v.pos)+1)
			n.Set(parseBigInt(b))
			return true, nil
		case TagInt, TagFloat:
			f, _ := v.Float()
			if f != math.Trunc(f) || math.IsInf(f, 0) {
				return true, fmt.Errorf("number %v is no integer", f)
			}
			new(big.Float).SetFloat64(f).Int(n)
			return true, nil
		}
		return true, mismatch(v, t)
	case objectType, mapType, setType, errorType, regexpType:
		if tag == TagNull {
			return true, nil
		}
		p := reflect.ValueOf(u.any(v, t == objectType))
		if !p.IsValid() || p.Type() != reflect.PointerTo(t) {
			return true, mismatch(v, t)
		}
		dst.Set(p.Elem())
		return true, nil
	}
	if t.Kind() == reflect.Interface || !dst.CanAddr() || t.PkgPath() == "" {
		return false, nil
	}
	p := reflect.PointerTo(t)
	switch {
	case p.Implements(jsonUnmarshaler):
		b, err := v.AppendJSON(nil, DefaultMaxJSON-u.json)
		if err != nil {
			return true, err
		}
		if u.json += len(b); u.json >= DefaultMaxJSON {
			return true, fmt.Errorf("%w: JSON text of more than %d bytes", ErrTooLarge, DefaultMaxJSON)
		}
		return true, dst.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(b)
	case p.Implements(textUnmarshaler) && tag == TagString:
		s, _ := v.Str()
		return true, dst.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(s))
	}
	return false, nil
}

func (u *unmarshaler) store(v Value, dst reflect.Value, depth int) error {
	t := dst.Type()
	kind := t.Kind()
	tag := v.tag()
	if kind == reflect.Pointer {
		if tag == TagNull {
			dst.SetZero()
			return nil
		}
		if tag >= TagArray || dst.IsNil() {
			// A new object even if there is one: what is shared decides the identity.
			dst.Set(reflect.New(t.Elem()))
		}
		u.early(v, dst)
		return u.into(v, dst.Elem(), depth+1)
	}
	if ok, err := u.special(v, dst, t); ok {
		return err
	}
	if tag == TagNull {
		switch kind {
		case reflect.Map, reflect.Slice, reflect.Interface:
			dst.SetZero()
		}
		return nil
	}
	switch kind {
	case reflect.Interface:
		x := reflect.ValueOf(u.any(v, false))
		if !x.IsValid() || !x.Type().Implements(t) {
			return mismatch(v, t)
		}
		dst.Set(x)
		return nil
	case reflect.Bool:
		b, ok := v.Bool()
		if !ok {
			return mismatch(v, t)
		}
		dst.SetBool(b)
		return nil
	case reflect.String:
		if tag == TagString {
			s, _ := v.Str()
			dst.SetString(s)
			return nil
		}
		if t == numberType && (tag == TagInt || tag == TagFloat) {
			f, _ := v.Float()
			dst.SetString(string(appendNumber(nil, f, true)))
			return nil
		}
		return mismatch(v, t)
	case reflect.Slice, reflect.Array:
		return u.list(v, dst, t, depth)
	case reflect.Map:
		return u.mapInto(v, dst, t, depth)
	case reflect.Struct:
		return u.structInto(v, dst, t, depth)
	}
	switch tag {
	case TagInt, TagFloat:
		f, _ := v.Float()
		return setNumber(dst, f)
	case TagBigInt:
		b, _ := textAt(v.wire, int(v.pos)+1)
		n := parseBigInt(b)
		switch {
		case dst.CanInt() && n.IsInt64() && !dst.OverflowInt(n.Int64()):
			dst.SetInt(n.Int64())
			return nil
		case dst.CanUint() && n.IsUint64() && !dst.OverflowUint(n.Uint64()):
			dst.SetUint(n.Uint64())
			return nil
		case dst.CanInt() || dst.CanUint():
			return fmt.Errorf("bigint of %d bits does not fit in %s", n.BitLen(), t)
		}
	}
	return mismatch(v, t)
}

// setNumber stores a number if dst can hold it.
func setNumber(dst reflect.Value, f float64) error {
	switch {
	case dst.CanInt():
		if f == math.Trunc(f) && f >= -1<<63 && f < 1<<63 && !dst.OverflowInt(int64(f)) {
			dst.SetInt(int64(f))
			return nil
		}
	case dst.CanUint():
		if f == math.Trunc(f) && f >= 0 && f < 1<<64 && !dst.OverflowUint(uint64(f)) {
			dst.SetUint(uint64(f))
			return nil
		}
	case dst.CanFloat():
		if math.IsInf(f, 0) || !dst.OverflowFloat(f) {
			dst.SetFloat(f)
			return nil
		}
	default:
		return fmt.Errorf("cannot store number in %s", dst.Type())
	}
	return fmt.Errorf("number %v does not fit in %s", f, dst.Type())
}

// list stores an array, Set or byte range in a slice or array.
func (u *unmarshaler) list(v Value, dst reflect.Value, t reflect.Type, depth int) error {
	tag := v.tag()
	if isBytes(tag) {
		return u.bytesInto(v, dst, t)
	}
	if tag != TagArray && tag != TagSet {
		return mismatch(v, t)
	}
	n := v.Len()
	if t.Kind() == reflect.Slice {
		dst.Set(reflect.MakeSlice(t, n, n))
		u.early(v, dst)
	} else {
		for i := min(n, dst.Len()); i < dst.Len(); i++ {
			dst.Index(i).SetZero()
		}
	}
	for i, x := range v.Elements() {
		if i >= dst.Len() {
			break
		}
		if err := u.into(x, dst.Index(i), depth+1); err != nil {
			return u.at(segment{pos: i, kind: indexSegment}, err)
		}
	}
	return nil
}

func (u *unmarshaler) bytesInto(v Value, dst reflect.Value, t reflect.Type) error {
	et, b, _ := v.byteRange(int(v.pos))
	elem := t.Elem()
	size := bytesPerElement[et]
	n := len(b) / size
	if t.Kind() == reflect.Slice {
		if x := reflect.ValueOf(boxBytes(et, b, v.tag() == TagBytes)); x.Type().ConvertibleTo(t) && x.Type().Elem() == elem {
			dst.Set(x.Convert(t))
			return nil
		}
		dst.Set(reflect.MakeSlice(t, n, n))
	} else {
		dst.SetZero()
	}
	for i := range min(n, dst.Len()) {
		var err error
		d := dst.Index(i)
		switch p := b[i*size:]; {
		case elem.Kind() == reflect.Interface || elem.Kind() == reflect.Pointer:
			err = mismatch(v, t)
		case et == BigInt64Array || et == BigUint64Array:
			w := Value{wire: bigElement(et, p)}
			err = u.store(w, d, 0)
		default:
			err = setNumber(d, elementAt(et, p))
		}
		if err != nil {
			return u.at(segment{pos: i, kind: indexSegment}, err)
		}
	}
	return nil
}

// bigElement is a message of one element of a typed array of BigInts.
func bigElement(t ElementType, b []byte) []byte {
	n := fromBytes[uint64](b[:8], 8)[0]
	var text []byte
	if t == BigInt64Array {
		text = strconv.AppendInt(nil, int64(n), 16)
	} else {
		text = strconv.AppendUint(nil, n, 16)
	}
	return append([]byte{TagBigInt, byte(len(text))}, text...)
}

func (u *unmarshaler) mapInto(v Value, dst reflect.Value, t reflect.Type, depth int) error {
	tag := v.tag()
	if tag != TagObject && tag != TagError && tag != TagMap && !(tag == TagSet && t.Elem().Size() == 0) {
		return mismatch(v, t)
	}
	if tag >= TagArray || dst.IsNil() {
		dst.Set(reflect.MakeMap(t))
	}
	u.early(v, dst)
	put := func(s segment, key reflect.Value, x Value) error {
		elem := reflect.New(t.Elem()).Elem()
		if err := u.into(x, elem, depth+1); err != nil {
			return u.at(s, err)
		}
		dst.SetMapIndex(key, elem)
		return nil
	}
	switch tag {
	case TagSet:
		for i, x := range v.Elements() {
			key := reflect.New(t.Key()).Elem()
			s := segment{pos: i, kind: indexSegment}
			if err := u.mapKey(x, key, depth); err != nil {
				return u.at(s, err)
			}
			if err := put(s, key, Value{}); err != nil {
				return err
			}
		}
		return nil
	case TagMap:
		n, pos := uvarintAt(v.wire, int(v.pos)+1)
		for i := range n {
			k := v.at(pos)
			pos = skip(v.wire, pos)
			x := v.at(pos)
			pos = skip(v.wire, pos)
			key := reflect.New(t.Key()).Elem()
			if err := u.mapKey(k, key, depth); err != nil {
				return u.at(segment{pos: i, kind: mapKeySegment}, err)
			}
			if err := put(segment{pos: i, kind: mapValueSegment}, key, x); err != nil {
				return err
			}
		}
		return nil
	}
	for text, pos := range v.entries() {
		name := toText(text)
		key := reflect.New(t.Key()).Elem()
		s := segment{key: name}
		if err := parseKey(name, key); err != nil {
			return u.at(s, err)
		}
		if err := put(s, key, v.at(pos)); err != nil {
			return err
		}
	}
	return nil
}

// mapKey stores a key of a Map, or a value of a Set, as the key of a Go map.
func (u *unmarshaler) mapKey(v Value, dst reflect.Value, depth int) error {
	if s, ok := v.Str(); ok && dst.Kind() != reflect.Interface {
		return parseKey(s, dst)
	}
	if err := u.into(v, dst, depth+1); err != nil {
		return err
	}
	if !dst.Comparable() {
		return fmt.Errorf("%s cannot be the key of a Go map", v.Kind())
	}
	return nil
}

// parseKey stores the name of a property as the key of a Go map.
func parseKey(name string, dst reflect.Value) error {
	t := dst.Type()
	if reflect.PointerTo(t).Implements(textUnmarshaler) {
		return dst.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(name))
	}
	switch {
	case t.Kind() == reflect.String:
		dst.SetString(name)
		return nil
	case t == emptyInterface:
		dst.Set(reflect.ValueOf(name))
		return nil
	case dst.CanInt():
		n, err := strconv.ParseInt(name, 10, t.Bits())
		if err == nil {
			dst.SetInt(n)
			return nil
		}
	case dst.CanUint():
		n, err := strconv.ParseUint(name, 10, t.Bits())
		if err == nil {
			dst.SetUint(n)
			return nil
		}
	}
	return fmt.Errorf("key %.40q does not fit in %s", name, t)
}

func (u *unmarshaler) structInto(v Value, dst reflect.Value, t reflect.Type, depth int) error {
	tag := v.tag()
	if tag != TagObject && tag != TagError {
		return mismatch(v, t)
	}
	if u.plan == nil || u.planType != t {
		u.plan, u.planType = planOf(t), t
	}
	p := u.plan
	set := func(key string, x Value) error {
		f := p.find(key)
		if f == nil {
			return nil
		}
		name := f.name
		d := dst
		for i, n := range f.index {
			if i > 0 && d.Kind() == reflect.Pointer {
				if d.IsNil() {
					d.Set(reflect.New(d.Type().Elem()))
				}
				d = d.Elem()
			}
			d = d.Field(n)
		}
		return u.at(segment{key: name}, u.into(x, d, depth+1))
	}
	if tag == TagError {
		pos := int(v.pos) + 1
		for _, name := range [...]string{"name", "message", "stack"} {
			_, end := textAt(v.wire, pos)
			w := append([]byte{TagString}, v.wire[pos:end]...)
			pos = end
			if err := set(name, Value{wire: w}); err != nil {
				return err
			}
		}
	}
	for key, pos := range v.entries() {
		var err error
		if i, ok := p.byName[string(key)]; ok {
			err = set(p.fields[i].name, v.at(pos)) // without a new string
		} else {
			err = set(toText(key), v.at(pos))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
