package bridges

import (
	"fmt"
	"math"

	"quicksand/internal/marshal"
)

// A Call is one call of a Func by a guest, whose arguments fit the parameters. It belongs
// to the Func.Call that got it.
type Call struct {
	Session *Session
	Bridge  *Bridge
	Func    *Func
	// State is what Bridge.Open returned for this run.
	State any

	args    Value // an array
	settled []func()
}

// WhenSettled calls f when the guest has the result of the call, or its error. Until then the
// host holds the result, however long the guest computes: an account of what a run holds
// goes on up to there. f must be quick, and is not called when the run ends first. Only
// Func.Call may call WhenSettled, before it returns.
func (c *Call) WhenSettled(f func()) { c.settled = append(c.settled, f) }

// Settled says that the guest has what the call returned. Sandboxes call it.
func (c *Call) Settled() {
	for _, f := range c.settled {
		f()
	}
	c.settled = nil
}

// Op is the first part of the function's errors: its Func.Op or Func.Name.
func (c *Call) Op() string { return c.Func.operation() }

// Arg is argument i, undefined where the guest gave none.
func (c *Call) Arg(i int) Value { return c.args.Index(i) }

// Given is how many arguments the guest gave, those beyond the parameters included.
func (c *Call) Given() int { return c.args.Len() }

// Size is how many bytes the arguments took as they crossed.
func (c *Call) Size() int64 {
	m, err := c.args.Message()
	if err != nil {
		return 0 // what has crossed can cross again
	}
	return m.Size()
}

// Has reports whether argument i was given and is neither undefined nor null.
func (c *Call) Has(i int) bool { return !c.args.Index(i).IsNullish() }

// Str is argument i of type String, or "" without it.
func (c *Call) Str(i int) string { s, _ := c.args.Index(i).Str(); return s }

// Float is argument i of type Number, or 0 without it.
func (c *Call) Float(i int) float64 { f, _ := c.args.Index(i).Float(); return f }

// Int is argument i of type Integer, or 0 without it.
func (c *Call) Int(i int) int64 { return integer(c.args.Index(i)) }

// Bool is argument i of type Boolean, or false without it.
func (c *Call) Bool(i int) bool { b, _ := c.args.Index(i).Bool(); return b }

// Bytes is argument i of type Bytes or Text, or nil without it. It must not be changed. It
// may be kept, but for an argument of a Sync call, which is good until the call returns.
func (c *Call) Bytes(i int) []byte { return bytesOf(c.args.Index(i)) }

// Options is argument i of type Object; without it all of its fields are absent.
func (c *Call) Options(i int) Options { return Options{c.args.Index(i)} }

// Options are the fields of an argument of type Object.
type Options struct{ v Value }

// Field is a field, undefined where it is absent.
func (o Options) Field(name string) Value { return o.v.Field(name) }

// Has reports whether a field is there and neither undefined nor null.
func (o Options) Has(name string) bool { return !o.v.Field(name).IsNullish() }

// Str is a field of type String, or "" without it.
func (o Options) Str(name string) string { s, _ := o.v.Field(name).Str(); return s }

// Float is a field of type Number, or 0 without it.
func (o Options) Float(name string) float64 { f, _ := o.v.Field(name).Float(); return f }

// Int is a field of type Integer, or 0 without it.
func (o Options) Int(name string) int64 { return integer(o.v.Field(name)) }

// Bool is a field of type Boolean, or false without it.
func (o Options) Bool(name string) bool { b, _ := o.v.Field(name).Bool(); return b }

// Bytes is a field of type Bytes or Text, or nil without it.
func (o Options) Bytes(name string) []byte { return bytesOf(o.v.Field(name)) }

func integer(v Value) int64 { f, _ := v.Float(); return int64(f) }

// bytesOf is the content of a value that fits Bytes or Text.
func bytesOf(v Value) []byte {
	if b, ok := v.Bytes(); ok {
		return b
	}
	if s, ok := v.Str(); ok {
		return []byte(s)
	}
	if v.Kind() != marshal.KindArray {
		return nil
	}
	b := make([]byte, 0, v.Len())
	for _, e := range v.Elements() {
		f, _ := e.Float()
		b = append(b, byteOf(f))
	}
	return b
}

// byteOf converts as storing into a Uint8Array does (ECMA-262, ToUint8).
func byteOf(f float64) byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return byte(int64(math.Mod(math.Trunc(f), 256)))
}

// Unpack makes the call of a function with arguments that a guest gave, an array, or says
// which of them does not fit.
func Unpack(s *Session, b *Bridge, f *Func, args Value) (*Call, error) {
	for i := range f.Params {
		if err := fits(f.operation(), f.Params[i].Name, &f.Params[i], args.Index(i)); err != nil {
			return nil, err
		}
	}
	return &Call{Session: s, Bridge: b, Func: f, args: args}, nil
}

// fits reports by an error that v is not what p takes; path is how p is called in it.
func fits(op, path string, p *Param, v Value) error {
	if v.IsNullish() && (p.Optional || p.Type == Any) {
		return nil
	}
	ok, want := true, ""
	switch p.Type {
	case String:
		ok, want = v.Kind() == marshal.KindString, "a string"
	case Number:
		_, ok = v.Float()
		want = "a number"
	case Integer:
		f, isNumber := v.Float()
		ok, want = isNumber && f == math.Trunc(f) && math.Abs(f) <= 1<<53-1, "an integer"
	case Boolean:
		ok, want = v.Kind() == marshal.KindBool, "true or false"
	case Bytes:
		ok, want = holdsBytes(v), "a Uint8Array"
	case Text:
		ok, want = v.Kind() == marshal.KindString || holdsBytes(v), "a string or Uint8Array"
	case Object:
		ok, want = v.Kind() == marshal.KindObject, "an object"
	case Array:
		ok, want = v.Kind() == marshal.KindArray, "an array"
	}
	if !ok {
		hint := ""
		if p.Hint != "" {
			hint = "; " + p.Hint
		}
		return &Error{Op: op, Name: "TypeError", Message: fmt.Sprintf("%s must be %s, not %s%s", path, want, Describe(v), hint)}
	}
	for i := range p.Fields {
		f := &p.Fields[i]
		if err := fits(op, path+"."+f.Name, f, v.Field(f.Name)); err != nil {
			return err
		}
	}
	return nil
}

// holdsBytes reports whether v fits Bytes.
func holdsBytes(v Value) bool {
	if _, ok := v.Bytes(); ok {
		return true
	}
	if v.Kind() != marshal.KindArray {
		return false
	}
	for _, e := range v.Elements() {
		if _, ok := e.Float(); !ok {
			return false
		}
	}
	return true
}

// Describe names the type of a value as errors do: "a string", "the number 7", "undefined".
func Describe(v Value) string {
	switch k := v.Kind(); k {
	case marshal.KindUndefined, marshal.KindNull:
		return k.String()
	case marshal.KindArray, marshal.KindObject, marshal.KindError:
		return "an " + k.String()
	case marshal.KindBytes:
		return "bytes"
	case marshal.KindNumber:
		f, _ := v.Float()
		return fmt.Sprint("the number ", f)
	default:
		return "a " + k.String()
	}
}
