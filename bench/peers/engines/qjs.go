package main

import (
	"errors"

	"github.com/fastschema/qjs"
)

var qjsEngine = engine{
	name: "fastschema qjs", module: "github.com/fastschema/qjs", installs: "a WebAssembly instance of QuickJS-NG in wazero", parallel: true,
	open: func() (world, error) {
		rt, err := qjs.New()
		return qjsWorld{rt}, err
	},
}

type qjsWorld struct{ rt *qjs.Runtime }

func (w qjsWorld) value(code string, f func(v *qjs.Value)) error {
	v, err := w.rt.Eval("main.js", qjs.Code(code))
	if err != nil {
		return err
	}
	defer v.Free()
	f(v)
	return nil
}

func (w qjsWorld) number(code string) (n float64, err error) {
	err = w.value(function(code), func(v *qjs.Value) { n = v.Float64() })
	return n, err
}

func (w qjsWorld) later(code string) (float64, error) {
	v, err := w.rt.Eval("main.js", qjs.Code(asyncFunction(code)))
	if err != nil {
		return 0, err
	}
	settled, err := v.Await()
	if err != nil {
		return 0, err
	}
	defer settled.Free()
	return settled.Float64(), nil
}

func (w qjsWorld) text(code string) (s string, err error) {
	err = w.value(function(code), func(v *qjs.Value) { s = v.String() })
	return s, err
}

func (w qjsWorld) exec(any) error { return errors.New("it compiles in each world") }

func (w qjsWorld) set(name, text string) error {
	w.rt.Context().Global().SetPropertyStr(name, w.rt.Context().ParseJSON(text))
	return nil
}

func (w qjsWorld) setBytes(name string, b []byte) error {
	w.rt.Context().Global().SetPropertyStr("buffer", w.rt.Context().NewArrayBuffer(b))
	return w.value("var "+name+" = new Uint8Array(buffer)", func(*qjs.Value) {})
}

func (w qjsWorld) bytes(code string) (b []byte, err error) {
	e := w.value(function(code), func(v *qjs.Value) { b, err = qjs.JsTypedArrayToGo(v) })
	return b, errors.Join(e, err)
}

func (w qjsWorld) host() error {
	ctx := w.rt.Context()
	ctx.SetFunc("_number", func(t *qjs.This) (*qjs.Value, error) { return t.Context().NewFloat64(t.Args()[0].Float64() + 1), nil })
	ctx.SetFunc("_text", func(t *qjs.This) (*qjs.Value, error) { return t.Context().NewString(t.Args()[0].String()), nil })
	ctx.SetAsyncFunc("_later", func(t *qjs.This) {
		_ = t.Promise().Resolve(t.Context().NewFloat64(t.Args()[0].Float64() + 1)) // its error is the guest's
	})
	return w.value("var bench = { number: _number, text: _text, later: _later }", func(*qjs.Value) {})
}

func (w qjsWorld) close() { w.rt.Close() }
