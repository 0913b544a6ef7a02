package main

import (
	"fmt"

	"modernc.org/quickjs"
)

var moderncQuickJS = engine{
	name: "modernc quickjs", module: "modernc.org/quickjs", installs: "a VM with the built-ins of QuickJS, in pure Go", parallel: true,
	open: func() (world, error) {
		vm, err := quickjs.NewVM()
		return moderncWorld{vm}, err
	},
	compile: func(code string) (any, error) {
		vm, err := quickjs.NewVM()
		if err != nil {
			return nil, err
		}
		defer vm.Close()
		return vm.Compile(code, quickjs.EvalGlobal)
	},
}

type moderncWorld struct{ vm *quickjs.VM }

func (w moderncWorld) number(code string) (float64, error) {
	v, err := w.vm.Eval(function(code), quickjs.EvalGlobal)
	if err != nil {
		return 0, err
	}
	return toFloat(v)
}

// toFloat takes a number as the wrapper gives it.
func toFloat(v any) (float64, error) {
	switch n := v.(type) {
	case int:
		return float64(n), nil
	case int32:
		return float64(n), nil
	case int64:
		return float64(n), nil
	case float64:
		return n, nil
	}
	return 0, fmt.Errorf("%T is no number", v)
}

func (w moderncWorld) later(code string) (float64, error) {
	if _, err := w.vm.Eval("var settled; void "+asyncFunction(code)+".then((v) => { settled = v })", quickjs.EvalGlobal); err != nil {
		return 0, err
	}
	for {
		if n, err := w.vm.ExecutePendingJobs(); err != nil {
			return 0, err
		} else if n == 0 {
			break
		}
	}
	return w.number("return settled")
}

func (w moderncWorld) text(code string) (string, error) {
	v, err := w.vm.Eval(function(code), quickjs.EvalGlobal)
	s, _ := v.(string)
	return s, err
}

func (w moderncWorld) exec(program any) error {
	_, err := w.vm.EvalBytecode(program.([]byte))
	return err
}

func (w moderncWorld) set(name, text string) error {
	atom, err := w.vm.NewAtom("text")
	if err != nil {
		return err
	}
	global := w.vm.GlobalObject()
	defer global.Free()
	if err := w.vm.SetProperty(global, atom, text); err != nil {
		return err
	}
	_, err = w.vm.Eval("var "+name+" = JSON.parse(text); 0", quickjs.EvalGlobal)
	return err
}

func (w moderncWorld) setBytes(string, []byte) error { return noBytes }

func (w moderncWorld) bytes(string) ([]byte, error) { return nil, noBytes }

func (w moderncWorld) host() error {
	for name, f := range map[string]quickjs.HostFunc{
		"_number": func(args []any) (any, error) { n, err := toFloat(args[0]); return n + 1, err },
		"_text":   func(args []any) (any, error) { return args[0], nil },
	} {
		if err := w.vm.RegisterHostFunc(name, f); err != nil {
			return err
		}
	}
	// Promises of its API need a goroutine; resolving at once in the guest flatters it.
	_, err := w.vm.Eval("var bench = { number: _number, text: _text, later: (n) => Promise.resolve(_number(n)) }; 0", quickjs.EvalGlobal)
	return err
}

func (w moderncWorld) close() { _ = w.vm.Close() }
