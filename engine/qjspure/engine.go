package qjspure

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	lib "modernc.org/libquickjs"

	"quicksand/engine"
)

// release is the QuickJS release whose heap layout this package knows.
const release = "2026-06-04"

type quickjs struct {
	compilers chan *compiler // idle ones, nil for one that is not built yet
}

// New returns the engine. It is safe for concurrent use. The error says that the
// linked libquickjs is not the version which this package was written for.
func New() (engine.Engine, error) {
	if lib.MCONFIG_VERSION != release {
		return nil, fmt.Errorf("qjspure: libquickjs has QuickJS %s, want %s", lib.MCONFIG_VERSION, release)
	}
	n := runtime.GOMAXPROCS(0)
	e := &quickjs{compilers: make(chan *compiler, n)}
	for range n {
		e.compilers <- nil
	}
	return e, nil
}

func (e *quickjs) Name() string    { return "pure" }
func (e *quickjs) Version() string { return "quickjs " + release + " (libquickjs 0.14.0)" }

// A program is immutable; its bytecode is trusted because Compile alone makes it.
type program struct {
	name string
	kind engine.SourceKind
	code *bytecode
}

func (p *program) Name() string { return p.name }
func (p *program) Size() int64  { return int64(p.code.size) }

func (e *quickjs) Compile(ctx context.Context, src engine.Source) (engine.Program, error) {
	if err := ctx.Err(); err != nil {
		return nil, &engine.CompileError{Name: src.Name, Kind: engine.Interrupted, Err: context.Cause(ctx)}
	}
	var c *compiler
	select {
	case c = <-e.compilers:
	case <-ctx.Done():
		return nil, &engine.CompileError{Name: src.Name, Kind: engine.Interrupted, Err: context.Cause(ctx)}
	}
	if c == nil {
		var err error
		if c, err = newCompiler(); err != nil {
			e.compilers <- nil
			return nil, &engine.CompileError{Name: src.Name, Kind: engine.Fault, Err: err}
		}
	}
	p, err := c.compile(ctx, src)
	if c.iso.broken {
		c.iso.Close()
		c = nil
	}
	e.compilers <- c
	if err != nil {
		return nil, err
	}
	return p, nil
}

func (e *quickjs) NewIsolate(img engine.Image) (engine.Isolate, error) {
	prelude, err := own(img.Prelude, engine.Script)
	if err != nil {
		return nil, fmt.Errorf("qjspure: prelude: %w", err)
	}
	units := make([]*program, len(img.Units))
	for i, u := range img.Units {
		if units[i], err = own(u, engine.Script); err != nil {
			return nil, fmt.Errorf("qjspure: unit %d: %w", i, err)
		}
	}
	v, err := newIsolate(false)
	if err != nil {
		return nil, err
	}
	if err := v.build(prelude, units, img); err != nil {
		v.Close()
		return nil, err
	}
	return v, nil
}

// own is a program of this engine and of the given kind.
func own(p engine.Program, kind engine.SourceKind) (*program, error) {
	q, ok := p.(*program)
	switch {
	case !ok || q == nil:
		return nil, errors.New("not a program of this engine")
	case q.kind != kind:
		return nil, fmt.Errorf("%s is of the wrong source kind", q.name)
	}
	return q, nil
}
