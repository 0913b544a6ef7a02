package main

import (
	"errors"

	quickjs "github.com/buke/quickjs-go"
)

var quickjsGo = engine{
	name: "quickjs-go", module: "github.com/buke/quickjs-go", installs: "a runtime and a context with the built-ins of QuickJS-NG, through cgo",
	open: func() (world, error) {
		rt := quickjs.NewRuntime()
		return quickjsWorld{rt, rt.NewBareContext()}, nil
	},
	compile: func(code string) (any, error) {
		rt := quickjs.NewRuntime()
		defer rt.Close()
		ctx := rt.NewBareContext()
		defer ctx.Close()
		return ctx.Compile(code)
	},
}

type quickjsWorld struct {
	rt  *quickjs.Runtime
	ctx *quickjs.Context
}

// value takes a value, or what was thrown in its place.
func (w quickjsWorld) value(v *quickjs.Value, f func(v *quickjs.Value)) error {
	defer v.Free()
	if v.IsException() {
		return w.ctx.Exception()
	}
	f(v)
	return nil
}

func (w quickjsWorld) number(code string) (n float64, err error) {
	err = w.value(w.ctx.Eval(function(code)), func(v *quickjs.Value) { n = v.Float64() })
	return n, err
}

func (w quickjsWorld) later(code string) (n float64, err error) {
	err = w.value(w.ctx.Await(w.ctx.Eval(asyncFunction(code))), func(v *quickjs.Value) { n = v.Float64() })
	return n, err
}

func (w quickjsWorld) text(code string) (s string, err error) {
	err = w.value(w.ctx.Eval(function(code)), func(v *quickjs.Value) { s = v.String() })
	return s, err
}

func (w quickjsWorld) exec(program any) error {
	return w.value(w.ctx.EvalBytecode(program.([]byte)), func(*quickjs.Value) {})
}

func (w quickjsWorld) set(name, text string) error {
	v := w.ctx.ParseJSON(text)
	if v.IsException() {
		return w.ctx.Exception()
	}
	w.ctx.Globals().Set(name, v)
	return nil
}

func (w quickjsWorld) setBytes(name string, b []byte) error {
	w.ctx.Globals().Set(name, w.ctx.NewUint8Array(b))
	return nil
}

func (w quickjsWorld) bytes(code string) (b []byte, err error) {
	e := w.value(w.ctx.Eval(function(code)), func(v *quickjs.Value) { b, err = v.ToUint8Array() })
	return b, errors.Join(e, err)
}

func (w quickjsWorld) host() error {
	o := w.ctx.NewObject()
	o.Set("number", w.ctx.NewFunction(func(ctx *quickjs.Context, _ *quickjs.Value, args []*quickjs.Value) *quickjs.Value {
		return ctx.NewFloat64(args[0].Float64() + 1)
	}))
	o.Set("text", w.ctx.NewFunction(func(ctx *quickjs.Context, _ *quickjs.Value, args []*quickjs.Value) *quickjs.Value {
		return ctx.NewString(args[0].String())
	}))
	o.Set("later", w.ctx.NewFunction(func(ctx *quickjs.Context, _ *quickjs.Value, args []*quickjs.Value) *quickjs.Value {
		n := args[0].Float64()
		return ctx.NewPromise(func(resolve, _ func(*quickjs.Value)) {
			v := ctx.NewFloat64(n + 1)
			defer v.Free()
			resolve(v)
		})
	}))
	w.ctx.Globals().Set("bench", o)
	return nil
}

func (w quickjsWorld) close() {
	w.ctx.Close()
	w.rt.Close()
}
