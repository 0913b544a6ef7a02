//go:build cgo && linux && (amd64 || arm64) && !purego

package qjscgo

// #include "shim.h"
import "C"

import (
	"fmt"
	"runtime"
	"unsafe"

	"quicksand/engine"
)

// program is bytecode in C memory, where the engine can read it while Go code runs.
type program struct {
	name   string
	code   unsafe.Pointer
	n      int
	kind   engine.SourceKind
	engine *Engine
}

func newProgram(e *Engine, src engine.Source, code []byte) *program {
	p := &program{name: src.Name, code: C.CBytes(code), n: len(code), kind: src.Kind, engine: e}
	runtime.AddCleanup(p, func(code unsafe.Pointer) { C.free(code) }, p.code)
	return p
}

func (p *program) Name() string { return p.name }

func (p *program) Size() int64 { return int64(p.n) + int64(unsafe.Sizeof(*p)) + int64(len(p.name)) }

func (p *program) bytes() (*C.uint8_t, C.size_t) { return (*C.uint8_t)(p.code), C.size_t(p.n) }

// own checks that a program is of this engine and of the kind.
func own(op string, p engine.Program, kind engine.SourceKind) (*program, error) {
	q, ok := p.(*program)
	if !ok || q == nil {
		return nil, fmt.Errorf("%s: %T is not a program of this engine", op, p)
	}
	if q.kind != kind {
		return nil, fmt.Errorf("%s: program %q is of the wrong kind", op, q.name)
	}
	return q, nil
}
