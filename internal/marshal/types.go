package marshal

import (
	"errors"
	"strconv"
	"strings"
)

// UndefinedType is the type of Undefined.
type UndefinedType struct{}

// Undefined is JavaScript's undefined as a Go value. Go's nil is null.
var Undefined UndefinedType

// String returns "undefined".
func (UndefinedType) String() string { return "undefined" }

// MarshalJSON returns null.
func (UndefinedType) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// InvalidDateType is the type of InvalidDate.
type InvalidDateType struct{}

// InvalidDate is a Date whose time is NaN. A valid Date is a time.Time.
var InvalidDate InvalidDateType

// String returns what JavaScript prints for such a date.
func (InvalidDateType) String() string { return "Invalid Date" }

// MarshalJSON returns null, as JSON.stringify does.
func (InvalidDateType) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// Types of byte ranges which Go has no type of its own for. A []byte is a
// Uint8Array, and []int8 to []float64 are the typed arrays of their element type,
// with []int64 and []uint64 being BigInt64Array and BigUint64Array.
type (
	// Uint8Clamped is a Uint8ClampedArray.
	Uint8Clamped []byte
	// Buffer is an ArrayBuffer.
	Buffer []byte
	// View is a DataView over just these bytes.
	View []byte
	// Float16s is a Float16Array as IEEE 754 binary16 bit patterns.
	Float16s []uint16
)

// Map is a JavaScript Map: entries in insertion order, keys of any type. Encoding
// writes the entries as they are; when keys are equal the guest keeps the last.
type Map struct{ Entries []MapEntry }

// MapEntry is one entry of a Map.
type MapEntry struct{ Key, Value any }

// Get returns the value of the last entry whose key is a scalar equal to key. A key
// that Go cannot compare matches nothing. It costs a pass over the entries.
func (m *Map) Get(key any) (any, bool) {
	switch key.(type) {
	case nil, bool, float64, string, UndefinedType:
	default:
		return nil, false
	}
	for i := len(m.Entries) - 1; i >= 0; i-- {
		switch k := m.Entries[i].Key.(type) {
		case nil, bool, float64, string, UndefinedType:
			if k == key {
				return m.Entries[i].Value, true
			}
		}
	}
	return nil, false
}

// Set is a JavaScript Set: values in insertion order.
type Set struct{ Values []any }

// Object is a JavaScript object whose key order matters. A key should appear once;
// where it appears more often the last one counts.
type Object struct{ Entries []Entry }

// Entry is one property.
type Entry struct {
	Key   string
	Value any
}

// Get returns the value of key. It costs a pass over the entries.
func (o *Object) Get(key string) (any, bool) {
	for i := len(o.Entries) - 1; i >= 0; i-- {
		if o.Entries[i].Key == key {
			return o.Entries[i].Value, true
		}
	}
	return nil, false
}

// Set replaces the value of key, or adds the key at the end.
func (o *Object) Set(key string, value any) {
	for i := len(o.Entries) - 1; i >= 0; i-- {
		if o.Entries[i].Key == key {
			o.Entries[i].Value = value
			return
		}
	}
	o.Entries = append(o.Entries, Entry{key, value})
}

// Error is a guest's Error object as data. It is a Go error for convenience, but
// has no Unwrap: a guest can make an error its own cause, and errors.Is would
// never end.
type Error struct {
	Name, Message, Stack string
	// Cause is nil when there is none. A cause that is null is in Props.
	Cause any
	// Errors are the parts of an AggregateError, nil when there are none.
	Errors []any
	// Props are the other own enumerable properties, and code.
	Props []Entry
}

// Error returns "Name: Message".
func (e *Error) Error() string {
	switch {
	case e.Name == "":
		return e.Message
	case e.Message == "":
		return e.Name
	}
	return e.Name + ": " + e.Message
}

// RegExp is a JavaScript regular expression.
type RegExp struct{ Source, Flags string }

// String returns the literal.
func (r *RegExp) String() string { return "/" + r.Source + "/" + r.Flags }

// Reasons that a PathError, or an error about a whole message, wraps.
var (
	// ErrCycle: the value contains itself where that is not allowed.
	ErrCycle = errors.New("refers back to itself")
	// ErrTooDeep: containers are nested deeper than MaxDepth.
	ErrTooDeep = errors.New("nested deeper than " + strconv.Itoa(MaxDepth) + " levels")
	// ErrTooLarge: a size limit was reached.
	ErrTooLarge = errors.New("too large")
	// ErrMalformed: bytes are not a message.
	ErrMalformed = errors.New("malformed message")
)

// PathError says where in a value something went wrong.
type PathError struct {
	// Path is an expression such as globals.rows[3]["first name"].
	Path string
	// Err is the reason.
	Err error
}

// Error returns path and reason.
func (e *PathError) Error() string { return e.Path + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *PathError) Unwrap() error { return e.Err }

// segment is one step of a path: a key, or with a negative kind the position.
type segment struct {
	key  string
	pos  int
	kind segmentKind
}

type segmentKind uint8

const (
	keySegment segmentKind = iota
	indexSegment
	mapKeySegment   // the key of the pos-th entry of a Map
	mapValueSegment // its value
)

// maxPathKey is how much of a key a path shows.
const maxPathKey = 80

func pathString(root string, path []segment) string {
	var b strings.Builder
	b.WriteString(root)
	for _, s := range path {
		switch s.kind {
		case indexSegment:
			b.WriteString("[" + strconv.Itoa(s.pos) + "]")
		case mapKeySegment:
			b.WriteString("<key " + strconv.Itoa(s.pos) + ">")
		case mapValueSegment:
			b.WriteString("<value " + strconv.Itoa(s.pos) + ">")
		default:
			key := s.key
			if len(key) > maxPathKey {
				key = strings.ToValidUTF8(key[:maxPathKey], "") + "…"
			}
			if isIdentifier(key) {
				if b.Len() > 0 {
					b.WriteByte('.')
				}
				b.WriteString(key)
			} else {
				b.WriteString("[" + strconv.Quote(key) + "]")
			}
		}
	}
	return b.String()
}

func isIdentifier(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c == '_' || c == '$' || 'a' <= c|0x20 && c|0x20 <= 'z' || i > 0 && '0' <= c && c <= '9') {
			return false
		}
	}
	return s != ""
}
