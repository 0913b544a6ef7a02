package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"quicksand/bench"
)

// An engine makes fresh worlds.
type engine struct {
	name, module, installs string
	open                   func() (world, error)
	// compile prepares a program for exec of any world. Nil means that the API has nothing
	// for it, and programs are compiled in each world.
	compile  func(code string) (any, error)
	parallel bool // worlds of several goroutines may run at one time
}

// A world is a fresh realm with its own heap, or as much of one as the engine gives. Code is
// the body of a function.
type world interface {
	number(code string) (float64, error)
	// later is number for the body of an asynchronous function.
	later(code string) (float64, error)
	text(code string) (string, error)
	// exec runs what engine.compile made.
	exec(program any) error
	// set makes a global of a JSON text; setBytes of bytes, as a Uint8Array.
	set(name, json string) error
	setBytes(name string, b []byte) error
	bytes(code string) ([]byte, error)
	// host installs bench.number, bench.text and bench.later.
	host() error
	close()
}

// function makes an expression of the body of a function.
func function(body string) string { return "(function () {\n" + body + "\n})()" }

func asyncFunction(body string) string { return "(async function () {\n" + body + "\n})()" }

type contender struct{ engine }

func (c *contender) Info() bench.Info {
	return bench.Info{Name: c.name, Version: versionOf(c.module), Installs: c.installs}
}

func (c *contender) Close() error { return nil }

// fresh runs f in a fresh world.
func (c *contender) fresh(f func(w world) error) error {
	w, err := c.open()
	if err != nil {
		return err
	}
	defer w.close()
	return f(w)
}

type session struct{ f func() error }

func (s session) Run(n int) (bench.Batch, error) { return bench.Sample(n, s.f) }
func (s session) Close() error                   { return nil }

// errResult is a workload that came to a wrong result.
func errResult(got, want any) error { return fmt.Errorf("the result is %v, want %v", got, want) }

func want(got float64, err error, want float64) error {
	if err == nil && got != want {
		return errResult(got, want)
	}
	return err
}

func (c *contender) Open(w *bench.Workload) (bench.Session, error) {
	f, err := c.workload(w)
	if err != nil {
		return nil, err
	}
	// What an API lacks shows at the first try.
	if err := f(); err != nil {
		return nil, err
	}
	return session{f}, nil
}

func (c *contender) workload(w *bench.Workload) (func() error, error) {
	group, name, _ := strings.Cut(w.Name, "/")
	switch group {
	case "run":
		return c.runs(name)
	case "call":
		return c.calls(name)
	case "rows":
		return c.rows(name)
	case "bytes":
		return c.bytes(name)
	case "cpu":
		code, err := bench.Kernel(name)
		return func() error {
			return c.fresh(func(w world) error { _, err := w.number(code); return err })
		}, err
	case "parallel":
		return c.parallelRuns(name)
	}
	return nil, bench.Unsupported("it has nothing like it")
}

func (c *contender) empty() error {
	return c.fresh(func(w world) error {
		n, err := w.number("return 1+1")
		return want(n, err, 2)
	})
}

func (c *contender) runs(name string) (func() error, error) {
	switch name {
	case "empty":
		return c.empty, nil
	case "first":
		n := 0
		return func() error {
			n++
			return c.fresh(func(w world) error {
				_, err := w.number(fmt.Sprintf("const unseen = %d;\n%s", n, bench.Body()))
				return err
			})
		}, nil
	case "repeated":
		if c.compile == nil {
			return func() error {
				return c.fresh(func(w world) error { _, err := w.number(bench.Body()); return err })
			}, nil
		}
		p, err := c.compile(function(bench.Body()))
		return func() error { return c.fresh(func(w world) error { return w.exec(p) }) }, err
	}
	return nil, bench.Unsupported("it is a library without a process of its own")
}

func (c *contender) calls(name string) (func() error, error) {
	async := false
	var code string
	switch name {
	case "sync":
		code = fmt.Sprintf("let n = 0; const f = bench.number; for (let i = 0; i < %d; i++) n = f(n); return n", bench.Calls)
	case "text":
		code = fmt.Sprintf("const s = 'x'.repeat(100), f = bench.text; let n = 0; for (let i = 0; i < %d; i++) n += f(s).length; return n / 100", bench.Calls)
	case "async":
		async = true
		code = fmt.Sprintf("let n = 0; const f = bench.later; for (let i = 0; i < %d; i++) n = await f(n); return n", bench.Calls)
	}
	return func() error {
		return c.fresh(func(w world) error {
			if err := w.host(); err != nil {
				return err
			}
			run := w.number
			if async {
				run = w.later
			}
			n, err := run(code)
			return want(n, err, bench.Calls)
		})
	}, nil
}

// count is the number at the end of a workload's name.
func count(name string) (direction string, n int, err error) {
	direction, size, _ := strings.Cut(name, "-")
	_, err = fmt.Sscanf(strings.TrimSuffix(size, "MB"), "%d", &n)
	return direction, n, err
}

// rows cross as JSON, which is the fastest way that these APIs have.
func (c *contender) rows(name string) (func() error, error) {
	direction, n, err := count(name)
	if err != nil {
		return nil, err
	}
	if direction == "in" {
		data, sum := bench.Rows(n), bench.RowsSum(n)
		return func() error {
			return c.fresh(func(w world) error {
				text, err := json.Marshal(data)
				if err != nil {
					return err
				}
				if err := w.set("rows", string(text)); err != nil {
					return err
				}
				got, err := w.number(bench.RowsIn)
				return want(got, err, sum)
			})
		}, nil
	}
	code := strings.Replace(bench.RowsOut(n), "return rows", "return JSON.stringify(rows)", 1)
	return func() error {
		return c.fresh(func(w world) error {
			text, err := w.text(code)
			if err != nil {
				return err
			}
			var list []any
			if err := json.Unmarshal([]byte(text), &list); err != nil {
				return err
			}
			if len(list) != n {
				return errResult(len(list), n)
			}
			return nil
		})
	}, nil
}

func (c *contender) bytes(name string) (func() error, error) {
	direction, mb, err := count(name)
	if err != nil {
		return nil, err
	}
	n := mb << 20
	if direction == "in" {
		data := make([]byte, n)
		data[n-1] = 7
		return func() error {
			return c.fresh(func(w world) error {
				if err := w.setBytes("data", data); err != nil {
					return err
				}
				got, err := w.number("return data.length + data[data.length - 1]")
				return want(got, err, float64(n+7))
			})
		}, nil
	}
	code := fmt.Sprintf("const b = new Uint8Array(%d); b[b.length - 1] = 7; return b", n)
	return func() error {
		return c.fresh(func(w world) error {
			b, err := w.bytes(code)
			if err == nil && (len(b) != n || b[n-1] != 7) {
				err = errResult(len(b), n)
			}
			return err
		})
	}, nil
}

func (c *contender) parallelRuns(name string) (func() error, error) {
	if name != "1" && !c.parallel {
		return nil, bench.Unsupported("its worlds must not be used by several goroutines")
	}
	workers := map[string]int{"1": 1, "2": 2}[name]
	return func() error {
		var left atomic.Int64
		left.Store(200)
		var wg sync.WaitGroup
		errs := make([]error, workers)
		for i := range workers {
			wg.Go(func() {
				for left.Add(-1) >= 0 && errs[i] == nil {
					errs[i] = c.empty()
				}
			})
		}
		wg.Wait()
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// noBytes is the error of worlds whose API has no bytes.
var noBytes = bench.Unsupported("its API has no bytes")
