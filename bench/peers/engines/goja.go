package main

import (
	"encoding/json"
	"errors"

	"github.com/dop251/goja"
)

var gojaEngine = engine{
	name: "goja", module: "github.com/dop251/goja", installs: "a runtime, whose built-ins appear when they are used", parallel: true,
	open:    func() (world, error) { return gojaWorld{goja.New()}, nil },
	compile: func(code string) (any, error) { return goja.Compile("main.js", code, true) },
}

type gojaWorld struct{ vm *goja.Runtime }

func (w gojaWorld) number(code string) (float64, error) {
	v, err := w.vm.RunString(function(code))
	if err != nil {
		return 0, err
	}
	return v.ToFloat(), nil
}

func (w gojaWorld) later(code string) (float64, error) {
	v, err := w.vm.RunString(asyncFunction(code))
	if err != nil {
		return 0, err
	}
	p, ok := v.Export().(*goja.Promise)
	if !ok || p.State() != goja.PromiseStateFulfilled {
		return 0, errors.New("the promise is not fulfilled")
	}
	return p.Result().ToFloat(), nil
}

func (w gojaWorld) text(code string) (string, error) {
	v, err := w.vm.RunString(function(code))
	if err != nil {
		return "", err
	}
	return v.String(), nil
}

func (w gojaWorld) exec(program any) error {
	_, err := w.vm.RunProgram(program.(*goja.Program))
	return err
}

func (w gojaWorld) set(name, text string) error {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return err
	}
	return w.vm.Set(name, v)
}

func (w gojaWorld) setBytes(name string, b []byte) error {
	if err := w.vm.Set("buffer", w.vm.NewArrayBuffer(b)); err != nil {
		return err
	}
	_, err := w.vm.RunString("var " + name + " = new Uint8Array(buffer)")
	return err
}

func (w gojaWorld) bytes(code string) ([]byte, error) {
	v, err := w.vm.RunString(function(code))
	if err != nil {
		return nil, err
	}
	b, _ := v.Export().([]byte)
	return b, nil
}

func (w gojaWorld) host() error {
	return w.vm.Set("bench", map[string]any{
		"number": func(n float64) float64 { return n + 1 },
		"text":   func(s string) string { return s },
		"later": func(n float64) *goja.Promise {
			p, resolve, _ := w.vm.NewPromise()
			_ = resolve(n + 1) // fails only when the guest interrupts itself
			return p
		},
	})
}

func (w gojaWorld) close() {}
