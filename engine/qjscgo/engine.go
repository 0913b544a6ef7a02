//go:build cgo && linux && (amd64 || arm64) && !purego

package qjscgo

/*
#cgo CFLAGS: -O2 -fno-strict-aliasing -std=gnu11 -Wall
#cgo LDFLAGS: -lm -lpthread -Wl,--wrap=lre_compile
#include "shim.h"
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	_ "github.com/buke/quickjs-go" // compiles the engine's C code; its Go API is not used

	"quicksand/engine"
	"quicksand/engine/arena"
	_ "quicksand/engine/arena/carena" // links the allocator
)

// The engine's version that the declarations in qjs_abi.h are for.
const version = "0.15.1"

const (
	compilerMemory = 256 << 20 // arena of a compiler isolate, all of it usable
	compilerStack  = 512 << 10
	maxMemory      = 1 << 30 // largest memory limit of an isolate
	isolateRegion  = 2*maxMemory + 64<<20
)

var start = sync.OnceValue(func() error {
	if v := C.GoString(C.JS_GetVersion()); v != version {
		return fmt.Errorf("qjscgo: linked with QuickJS-NG %s, made for %s", v, version)
	}
	C.qs_init()
	return nil
})

// Engine is the engine "cgo". Make it with New. It is safe for concurrent use.
type Engine struct {
	slots chan struct{} // as many as compile at a time
	mu    sync.Mutex
	idle  []*compiler
}

var _ engine.Engine = (*Engine)(nil)

// New makes an engine. It installs handlers for SIGSEGV, SIGBUS, SIGFPE and SIGABRT
// once per process, which pass on every signal that the engine did not cause. It
// fails when the program was linked with another version of QuickJS-NG.
func New() (*Engine, error) {
	if err := start(); err != nil {
		return nil, err
	}
	return &Engine{slots: make(chan struct{}, runtime.GOMAXPROCS(0))}, nil
}

// Name is "cgo".
func (e *Engine) Name() string { return "cgo" }

// Version is "quickjs-ng 0.15.1".
func (e *Engine) Version() string { return "quickjs-ng " + version }

// A compiler is an isolate with a parser, which never runs guest code.
type compiler struct {
	q      *C.qs
	region *arena.Region
	image  *arena.Image
	// forgotten closes it when the engine that it waits in is gone.
	forgotten runtime.Cleanup
}

func newCompiler() (*compiler, error) {
	region, err := arena.Reserve(compilerMemory)
	if err != nil {
		return nil, err
	}
	c := &compiler{region: region, q: newC(region, true)}
	if c.q == nil || C.qs_build(c.q) != C.QS_DONE {
		c.close()
		return nil, errors.New("qjscgo: the compiler's context could not be made")
	}
	c.image = arena.Snapshot(region)
	c.forgotten = runtime.AddCleanup(c, func(c compiler) { c.close() }, compiler{q: c.q, region: c.region})
	return c, nil
}

// newC makes the C half over a region, nil when there is no memory.
func newC(region *arena.Region, compiler bool) *C.qs {
	base := unsafe.Pointer(unsafe.SliceData(region.Bytes(0, region.Size())))
	kind := C.int(0)
	if compiler {
		kind = 1
	}
	return C.qs_new(base, C.size_t(region.Size()), kind)
}

func (c *compiler) close() {
	c.forgotten.Stop()
	if c.q != nil {
		C.qs_free(c.q)
		c.q = nil
	}
	c.region.Release()
}

func (c *compiler) reset() {
	c.image.Restore()
	C.qs_reset(c.q, compilerMemory, compilerMemory, compilerStack, 1, 1<<20, 1)
}

func (e *Engine) takeCompiler(ctx context.Context) (*compiler, error) {
	select {
	case e.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	e.mu.Lock()
	var c *compiler
	if n := len(e.idle); n > 0 {
		c, e.idle = e.idle[n-1], e.idle[:n-1]
	}
	e.mu.Unlock()
	if c != nil {
		return c, nil
	}
	c, err := newCompiler()
	if err != nil {
		<-e.slots
	}
	return c, err
}

func (e *Engine) returnCompiler(c *compiler, sound bool) {
	if sound {
		c.reset() // also gives pages back
		e.mu.Lock()
		e.idle = append(e.idle, c)
		e.mu.Unlock()
	} else {
		c.close()
	}
	<-e.slots
}

// Compile implements engine.Engine. As many compilations as GOMAXPROCS run at a time,
// each with 256 MiB; others wait for their turn or for ctx.
func (e *Engine) Compile(ctx context.Context, src engine.Source) (engine.Program, error) {
	failed := func(kind engine.FailureKind, err error) error {
		return &engine.CompileError{Name: src.Name, Kind: kind, Err: err}
	}
	if err := context.Cause(ctx); err != nil {
		return nil, failed(engine.Interrupted, err)
	}
	c, err := e.takeCompiler(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil, failed(engine.Interrupted, err)
		}
		return nil, failed(engine.Fault, err)
	}
	sound := true
	defer func() { e.returnCompiler(c, sound) }()
	q := c.q

	name := C.CString(src.Name)
	defer C.free(unsafe.Pointer(name))
	// The engine takes line 0 for "not given", so a line is put in front of the
	// header and the count starts below zero.
	line, code := 1, src.Code
	if src.HeaderLines > 0 {
		line, code = -src.HeaderLines, "\n"+code
	}
	text := C.CString(code) // ends with a zero byte, as the parser demands
	defer C.free(unsafe.Pointer(text))

	module := C.int(0)
	if src.Kind == engine.Module {
		module = 1
	}
	// The parser polls nothing: only Kill ends it.
	joined := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		C.qs_kill(q)
		close(joined)
	})
	status := C.qs_compile(q, text, C.size_t(len(code)), name, module, C.int(line))
	if !stop() {
		<-joined
	}
	switch status {
	case C.QS_DONE:
		return newProgram(e, src, unsafe.Slice((*byte)(q.code), int(q.code_len))), nil
	case C.QS_FAILED:
		return nil, syntaxError(src, q)
	}
	kind := engine.FailureKind(q.kind)
	switch kind {
	case engine.Interrupted, engine.Killed:
		return nil, failed(kind, context.Cause(ctx))
	case engine.Memory:
		return nil, failed(kind, fmt.Errorf("the limit is %d bytes", compilerMemory))
	}
	sound = false
	return nil, failed(engine.Fault, errors.New(faultDetail(q)))
}

// syntaxError reads what the compiler left. The engine says where its scanner stood,
// which is the right line; its column is not the error's.
func syntaxError(src engine.Source, q *C.qs) error {
	message := string(bufBytes(&q.text))
	if message == "out of memory" {
		return &engine.CompileError{Name: src.Name, Kind: engine.Memory, Err: fmt.Errorf("the limit is %d bytes", compilerMemory)}
	}
	if message == "" {
		message = "the source does not parse"
	}
	lines := strings.Count(src.Code, "\n") + 1 - src.HeaderLines
	return &engine.SyntaxError{
		Name:    src.Name,
		Message: strings.ToValidUTF8(message, "\uFFFD"),
		Line:    min(max(int(q.line), 1), max(lines, 1)),
	}
}

func bufBytes(b *C.qs_buf) []byte { return unsafe.Slice((*byte)(b.p), int(b.n)) }

func faultDetail(q *C.qs) string {
	if q.fault_signal == 0 {
		return "a host method ended its goroutine"
	}
	return fmt.Sprintf("signal %d in the engine at address %#x", int(q.fault_signal), uint64(q.fault_addr))
}
