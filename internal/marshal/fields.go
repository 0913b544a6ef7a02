package marshal

import "reflect"

// Field is a field of a struct that crosses.
type Field struct {
	Name string // for guests
	// Index is for reflect.Type.FieldByIndex.
	Index []int
	// Omitted says that the zero value does not cross: the field has the option omitempty or
	// omitzero.
	Omitted bool
}

// Fields are the fields of a struct type which Encode writes and Unmarshal fills, in their
// order.
func Fields(t reflect.Type) []Field {
	p := planOf(t)
	fields := make([]Field, len(p.fields))
	for i, f := range p.fields {
		fields[i] = Field{f.name, f.index, f.omitEmpty || f.omitZero}
	}
	return fields
}

// Place tells values of one message apart: an object that occurs in several places of it has
// one Place.
func (v Value) Place() int { return int(v.pos) }

// Shares reports whether the message of the value may hold an object in several places, or
// inside of itself.
func (v Value) Shares() bool { return v.refs }
