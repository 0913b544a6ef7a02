package bridges

import (
	"context"
	"fmt"
	"strings"

	"quicksand/internal/marshal"
)

// Value is a value that came from a guest: immutable, decoded on demand.
type Value = marshal.Value

// Undefined is the guest's undefined, as a result.
var Undefined = marshal.Undefined

// A Bridge declares one capability. It is immutable once a Sandbox uses it, and may be
// used by any number of them.
type Bridge struct {
	// Name identifies the bridge in manifests and in Usage: "fetch".
	Name string
	// Doc says in one line what a guest can do with it.
	Doc string
	// Grant says what a host has to set so that it works, for the error of a call that was
	// not granted: "Options.Fetch (on the command line --allow-net)". Empty means a Grant
	// in Options.Grants.
	Grant string
	// Ungranted begins the error of a call that was not granted, which ends by saying what
	// the host has to set. Empty means a sentence with the name of the function.
	Ungranted string
	// Always grants the bridge to every run, with a nil value unless the run has a grant.
	Always bool
	// Funcs are its functions.
	Funcs []Func
	// Concurrency is the largest number of its asynchronous calls that work at one time.
	// Zero means 16.
	Concurrency int
	// Limits are what LIMITS.md and the manifest say of it. The bridge enforces them.
	Limits []Limit
	// Check validates and completes the value of a grant when a run starts, for example
	// fills defaults; an error ends the run with kind Usage. Nil takes any value.
	Check func(grant any) (any, error)
	// Open makes the state of one run, at the first call; later calls find it in
	// Call.State. A state with a method Close() error is closed when the run ends, after
	// its calls returned. Nil means that the state is the value of the grant. Open must not
	// block where a Func is Sync or Quick, since it may run on the goroutine of the run then;
	// work that takes time belongs to the calls, which have a context.
	Open func(s *Session, grant any) (any, error)
	// Describe returns what a guest may know of its grant, for the manifest: usually a
	// map. Nil means nothing.
	Describe func(grant any) any
	// Script is JavaScript that runs inside the sandbox's own realm when a guest first
	// touches one of the bridge's globals: an expression for a function (I, host) that
	// returns an object from names of Funcs (or of a whole global) to what stands there
	// instead of the plain function. I holds captured intrinsics, host the plain
	// functions by name, those with a name that begins with "_" too, which guests never
	// see. It must call nothing that a guest can replace; the package documentation of
	// quicksand/internal/prelude has the rules. Most bridges need none.
	Script string
	// Replaceable lets guests overwrite its globals, as they can those of the web. By
	// default a global cannot be changed; a local variable may always shadow it.
	Replaceable bool
}

// Granting says what a host sets to grant the bridge.
func (b *Bridge) Granting() string {
	if b.Grant != "" {
		return b.Grant
	}
	return "a Grant of the bridge " + b.Name + " in Options.Grants"
}

// DefaultConcurrency is Bridge.Concurrency when that is zero.
const DefaultConcurrency = 16

// A Func is one function of a bridge.
type Func struct {
	// Name is where guests find it: "getSecret", "crm.find", "nodetool.secrets.get".
	// Functions of several bridges may share an object. A name that begins with "_" is
	// for the bridge's Script alone.
	Name string
	// Op is what its errors begin with. Empty means Name.
	Op string
	// Params are its parameters, in order. Arguments beyond them are ignored.
	Params []Param
	// Result and Doc describe it in one line each.
	Result, Doc string
	// Schema describes the argument and the result of a function of Typed. Nil means that
	// Params are all there is to know.
	Schema *Schema
	// Sync makes the call return its result instead of a promise. Call then runs on the
	// goroutine of the run while the guest waits: it must be quick and must not block. That
	// goroutine may be locked to its thread, on which functions of iter.Pull crash the process.
	Sync bool
	// Quick says that an asynchronous Call takes microseconds and never blocks: it then
	// runs on the goroutine of the run, which is several times cheaper.
	Quick bool
	// QuickIf says the same of single calls, by their arguments, where Quick is false. It
	// runs before Bridge.Open. Nil is false.
	QuickIf func(c *Call) bool
	// Call does the work. Nil means that the bridge's Script provides the function.
	// Asynchronous calls run on goroutines of their own, several at a time. ctx ends with
	// the run. The result is encoded like an input of a run; Undefined is no result.
	Call func(ctx context.Context, c *Call) (any, error)
	// Without answers in runs that were not granted the bridge, whose Call.State is nil: at
	// once, on the goroutine of the run. Nil means the error of NotGranted. It is for
	// functions which programs call to find out whether there is something.
	Without func(ctx context.Context, c *Call) (any, error)
}

// Signature is how guests call it, with the types of the parameters that have one, as in
// "workspace.read(path: string, options?: object): Promise".
func (f *Func) Signature() string {
	var b strings.Builder
	b.WriteString(f.Name)
	b.WriteByte('(')
	for i := range f.Params {
		p := &f.Params[i]
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.Name)
		if p.Optional {
			b.WriteByte('?')
		}
		if f.Schema != nil {
			b.WriteString(": ")
			b.WriteString(f.Schema.input)
		} else if p.Type != Any {
			b.WriteString(": ")
			b.WriteString(p.Type.String())
		}
	}
	b.WriteByte(')')
	typed := f.Schema != nil && f.Schema.output != ""
	switch {
	case typed && f.Sync:
		b.WriteString(": " + f.Schema.output)
	case typed:
		b.WriteString(": Promise<" + f.Schema.output + ">")
	case !f.Sync:
		b.WriteString(": Promise")
	}
	return b.String()
}

// operation is what errors of the function begin with.
func (f *Func) operation() string {
	if f.Op != "" {
		return f.Op
	}
	return f.Name
}

// Internal reports whether only the bridge's own Script sees the function.
func (f *Func) Internal() bool { return f.Name[0] == '_' }

// A Param is one parameter, or one field of an options object.
type Param struct {
	Name     string
	Type     Type
	Optional bool // undefined and null count as absent
	// Fields are the known fields of an Object; others are ignored.
	Fields []Param
	// Doc says in a few words what it is.
	Doc string
	// Hint ends the error of an argument which is not of the Type: how to get one that is.
	Hint string
}

// Type is what a parameter takes.
type Type uint8

// The types of parameters.
const (
	Any     Type = iota // any value that can cross
	String              // a string
	Number              // a number, NaN and the infinities included
	Integer             // a number without fraction, within ±(2^53−1)
	Boolean             // true or false
	Bytes               // a typed array, DataView or ArrayBuffer, or an array of numbers, each taken modulo 256
	Text                // a string, taken as UTF-8, or Bytes
	Object              // an object that is no array
	Array               // an array
)

var typeNames = [...]string{"any", "string", "number", "integer", "boolean", "bytes", "string | bytes", "object", "array"}

// String is the type's name in manifests.
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return fmt.Sprintf("Type(%d)", uint8(t))
}

// A Limit bounds what a run may do with a bridge. The fields of a grant that set limits
// follow one rule: zero means the default, more than the ceiling is clamped, less than
// the floor too, and negative is an error.
type Limit struct {
	Name                    string // as in LIMITS.md and Error.Limit: "FetchCalls"
	Unit                    string // "calls", "bytes", "ns"
	Default, Floor, Ceiling int64
	Doc                     string
}

// Resolve applies the rule to a configured value.
func (l *Limit) Resolve(v int64) (int64, error) {
	switch {
	case v < 0:
		return 0, fmt.Errorf("%s is %d %s: a limit cannot be negative", l.Name, v, l.Unit)
	case v == 0:
		return l.Default, nil
	}
	return min(max(v, l.Floor), l.Ceiling), nil
}

// A Grant gives a run a bridge.
type Grant struct {
	Bridge *Bridge
	// Value is what the bridge needs: a policy, a store. Bridges say which type.
	Value any
}
