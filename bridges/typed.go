package bridges

import (
	"context"
	"fmt"
	"reflect"
)

// Typed makes a function of an ordinary Go function, for namespaces that guests import and
// for bridges. In is a struct: guests give one object with its fields, by their `json`
// names. What f returns crosses like an input of a run; with an Out of struct{} the guest
// gets undefined.
//
//	type FindInput struct {
//		Query string   `json:"query" doc:"words that the name contains"`
//		State string   `json:"state,omitempty" enum:"open,closed"`
//		Limit int      `json:"limit,omitempty" min:"1" max:"100"`
//		Tags  []string `json:"tags,omitempty"`
//	}
//
//	bridges.Typed("find", "finds customers", func(ctx context.Context, in FindInput) ([]Customer, error) { … })
//
// A field is optional when it is a pointer or has the option omitempty or omitzero:
// undefined and null then leave it as it is. All others are required. Tags say more:
//
//	doc    what the field is, for schemas
//	enum   the strings that it takes, with commas between them
//	min    the least number, or the least length of a string in code points, list or bytes
//	max    the largest
//
// enum, min and max of a list of strings or numbers apply to its elements and its length,
// respectively.
//
// Arguments are checked before f is called. An error names the place, what it must be and
// what came: "find: input.tags[2] must be a string, not the number 5". A property that the
// struct has no field for is an error too, so that a misspelled option does not pass in
// silence; so is one that differs in case only. A map or a field of type any takes all
// properties.
//
// Func.Schema describes both types. The Func may be changed before it is used, for example
// to make it Quick. f is called on goroutines of its own, several at a time; its context ends
// with the run. Typed panics if In is no struct, if a type holds what cannot cross, or if a
// tag makes no sense.
func Typed[In, Out any](name, doc string, f func(context.Context, In) (Out, error)) Func {
	in, out := reflect.TypeFor[In](), reflect.TypeFor[Out]()
	if in.Kind() != reflect.Struct {
		panic(fmt.Sprintf("bridges.Typed(%q): the input is a %s, not a struct", name, in))
	}
	input, err := shapeOf(in)
	if err == nil && input.kind != objectShape {
		err = fmt.Errorf("%s does not cross as an object with fields", in)
	}
	if err != nil {
		panic(fmt.Sprintf("bridges.Typed(%q): %v", name, err))
	}
	void := out.Kind() == reflect.Struct && out.NumField() == 0
	var output *shape
	if !void {
		if output, err = shapeOf(out); err != nil {
			panic(fmt.Sprintf("bridges.Typed(%q): %v", name, err))
		}
	}
	fn := Func{Name: name, Doc: doc, Schema: newSchema(input, output)}
	if len(input.fields) > 0 {
		fn.Params = []Param{{Name: inputName, Optional: input.optional(), Doc: input.script()}}
	}
	fn.Call = func(ctx context.Context, c *Call) (any, error) {
		var v In
		if err := input.read(c.Op(), c.Arg(0), &v); err != nil {
			return nil, err
		}
		result, err := f(ctx, v)
		if err != nil {
			return nil, err
		}
		if void {
			return Undefined, nil
		}
		return result, nil
	}
	return fn
}

// inputName is how errors and signatures call the argument.
const inputName = "input"
