package main

import (
	"fmt"

	"rogchap.com/v8go"
)

// v8Isolate makes an isolate and a context for each world, v8Context a context in an isolate
// that stays, whose heap worlds share.
var (
	v8Isolate = engine{
		name: "v8go, fresh isolate", module: "rogchap.com/v8go", installs: "a V8 isolate and a context, with a compiler to machine code", parallel: true,
		open: func() (world, error) {
			iso := v8go.NewIsolate()
			return v8World{iso, v8go.NewContext(iso), true}, nil
		},
	}
	v8Context = engine{
		name: "v8go, warm isolate", module: "rogchap.com/v8go", installs: "a context in a V8 isolate that all worlds share",
		open: func() (world, error) {
			if sharedIsolate == nil {
				sharedIsolate = v8go.NewIsolate()
			}
			return v8World{sharedIsolate, v8go.NewContext(sharedIsolate), false}, nil
		},
	}
	sharedIsolate *v8go.Isolate
)

type v8World struct {
	iso   *v8go.Isolate
	ctx   *v8go.Context
	alone bool
}

func (w v8World) number(code string) (float64, error) {
	v, err := w.ctx.RunScript(function(code), "main.js")
	if err != nil {
		return 0, err
	}
	return v.Number(), nil
}

func (w v8World) later(code string) (float64, error) {
	v, err := w.ctx.RunScript(asyncFunction(code), "main.js")
	if err != nil {
		return 0, err
	}
	p, err := v.AsPromise()
	if err != nil {
		return 0, err
	}
	w.ctx.PerformMicrotaskCheckpoint()
	if p.State() != v8go.Fulfilled {
		return 0, fmt.Errorf("the promise is in state %d", p.State())
	}
	return p.Result().Number(), nil
}

func (w v8World) text(code string) (string, error) {
	v, err := w.ctx.RunScript(function(code), "main.js")
	if err != nil {
		return "", err
	}
	return v.String(), nil
}

func (w v8World) exec(any) error { return fmt.Errorf("it compiles in each world") }

func (w v8World) set(name, text string) error {
	v, err := v8go.JSONParse(w.ctx, text)
	if err != nil {
		return err
	}
	return w.ctx.Global().Set(name, v)
}

func (w v8World) setBytes(string, []byte) error { return noBytes }

func (w v8World) bytes(string) ([]byte, error) { return nil, noBytes }

func (w v8World) host() error {
	number := func(v *v8go.Value) *v8go.Value {
		n, err := v8go.NewValue(w.iso, v.Number()+1)
		if err != nil {
			panic(err) // a float64 is always a value
		}
		return n
	}
	bench := v8go.NewObjectTemplate(w.iso)
	for name, f := range map[string]v8go.FunctionCallback{
		"number": func(info *v8go.FunctionCallbackInfo) *v8go.Value { return number(info.Args()[0]) },
		"text": func(info *v8go.FunctionCallbackInfo) *v8go.Value {
			v, err := v8go.NewValue(w.iso, info.Args()[0].String())
			if err != nil {
				panic(err) // so is a string
			}
			return v
		},
		"later": func(info *v8go.FunctionCallbackInfo) *v8go.Value {
			r, err := v8go.NewPromiseResolver(info.Context())
			if err != nil {
				return nil
			}
			r.Resolve(number(info.Args()[0]))
			return r.GetPromise().Value
		},
	} {
		if err := bench.Set(name, v8go.NewFunctionTemplate(w.iso, f)); err != nil {
			return err
		}
	}
	o, err := bench.NewInstance(w.ctx)
	if err != nil {
		return err
	}
	return w.ctx.Global().Set("bench", o)
}

func (w v8World) close() {
	w.ctx.Close()
	if w.alone {
		w.iso.Dispose()
	}
}
