// Package wasm runs libraries of codecs that were compiled to WebAssembly, so that their
// memory is their own and bounded, and their defects stay inside.
//
// The libraries come from Go modules that embed them, and are taken from where those keep
// them. The modules' own functions give a decoder as much memory and time as it wants, and
// prefer a library of the system, which go.mod prevents: see the package internal/purego.
//
// Code is compiled at its first use, and kept. It has no files, no clock, no random numbers
// and no output.
package wasm

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"quicksand/media/image"
)

// MaxMemory is the most memory of one instance.
const MaxMemory = image.MaxCodecMemory

const page = 1 << 16

// ErrMemory is that an instance needed more memory than it was given.
var ErrMemory = errors.New("wasm: the codec ran out of memory")

// slots bound how many instances run at once, so that their memory does not stack up.
var slots = make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))

// A Module is a library. It is safe for concurrent use.
type Module struct {
	zipped []byte

	start    sync.Once
	ready    chan struct{}
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	err      error
}

// New is the library in a gzipped module, which is not looked at before its first use.
func New(zipped []byte) *Module {
	return &Module{zipped: zipped, ready: make(chan struct{})}
}

// load compiles the module once. A context that ends stops the waiting, not the compiler.
func (m *Module) load(ctx context.Context) error {
	m.start.Do(func() {
		go func() {
			defer close(m.ready)
			m.err = m.compile()
		}()
	})
	select {
	case <-m.ready:
		return m.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (m *Module) compile() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("wasm: compiling a codec panicked: %v", p)
		}
	}()
	z, err := gzip.NewReader(bytes.NewReader(m.zipped))
	if err != nil {
		return fmt.Errorf("wasm: %w", err)
	}
	code, err := io.ReadAll(z)
	if err != nil {
		return fmt.Errorf("wasm: %w", err)
	}
	if code, err = instrument(code); err != nil {
		return err
	}
	ctx := context.Background()
	m.runtime = wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithDebugInfoEnabled(false))
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, m.runtime); err != nil {
		return err
	}
	m.compiled, err = m.runtime.CompileModule(ctx, code)
	return err
}

// An Instance is a library with memory of its own. It is not safe for concurrent use, and
// valid until the function that got it returns.
type Instance struct {
	ctx    context.Context
	module api.Module
	memory *memory
}

// Run makes an instance with at most limit bytes of memory (MaxMemory at most) and calls f
// with it. When ctx ends, code of the instance traps at the next turn of a loop and Run
// returns the error of ctx.
func (m *Module) Run(ctx context.Context, limit int64, f func(in *Instance) error) error {
	if err := m.load(ctx); err != nil {
		return err
	}
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	mem := &memory{limit: min(limit, MaxMemory)}
	allocated := experimental.WithMemoryAllocator(context.Background(), experimental.MemoryAllocatorFunc(mem.allocate))
	module, err := m.runtime.InstantiateModule(allocated, m.compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		return fmt.Errorf("wasm: %w", err)
	}
	defer module.Close(context.Background())
	release := context.AfterFunc(ctx, mem.stop)
	defer release()
	err = f(&Instance{ctx: ctx, module: module, memory: mem})
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return ctx.Err()
	case mem.refused:
		return ErrMemory
	}
	return err
}

// Call calls a function of the library, of at most one result. An error means that the code
// trapped.
func (in *Instance) Call(name string, args ...uint64) (uint64, error) {
	f := in.module.ExportedFunction(name)
	if f == nil {
		return 0, fmt.Errorf("wasm: no function %s", name)
	}
	// The context that ends is not passed: the stop cell is what ends code.
	res, err := f.Call(context.Background(), args...)
	if in.ctx.Err() != nil {
		return 0, in.ctx.Err()
	}
	if err != nil {
		return 0, fmt.Errorf("wasm: %w", err)
	}
	if len(res) == 0 {
		return 0, nil
	}
	return res[0], nil
}

// Alloc takes n bytes of the instance's memory from the library's allocator.
func (in *Instance) Alloc(n int) (uint32, error) {
	p, err := in.Call("malloc", uint64(n))
	if err != nil {
		return 0, err
	}
	if p == 0 {
		in.memory.refused = true
		return 0, ErrMemory
	}
	return uint32(p), nil
}

// Put copies data to memory that it takes.
func (in *Instance) Put(data []byte) (uint32, error) {
	p, err := in.Alloc(max(len(data), 1))
	if err != nil {
		return 0, err
	}
	if !in.module.Memory().Write(p, data) {
		return 0, errors.New("wasm: the codec's allocator is broken")
	}
	return p, nil
}

// Bytes is n bytes of memory at p, not a copy.
func (in *Instance) Bytes(p uint32, n int) ([]byte, error) {
	if n >= 0 && int64(n) < 1<<32 {
		if b, ok := in.module.Memory().Read(p, uint32(n)); ok {
			return b, nil
		}
	}
	return nil, errors.New("wasm: the codec points outside of its memory")
}

// Word is the 32-bit number at p.
func (in *Instance) Word(p uint32) (uint32, error) {
	if v, ok := in.module.Memory().ReadUint32Le(p); ok {
		return v, nil
	}
	return 0, errors.New("wasm: the codec points outside of its memory")
}

// Memory is how many bytes the instance has taken.
func (in *Instance) Memory() int64 { return int64(in.module.Memory().Size()) }

// memory is taken from the system at once and touched as it is used; it never moves, so that
// stop can write to it at any time.
type memory struct {
	limit   int64
	buf     []byte
	refused bool
}

func (m *memory) allocate(size, _ uint64) experimental.LinearMemory {
	m.buf = make([]byte, max(int64(size), m.limit/page*page))
	return m
}

// Reallocate implements experimental.LinearMemory.
func (m *memory) Reallocate(size uint64) []byte {
	if size > uint64(len(m.buf)) {
		m.refused = true
		return nil
	}
	return m.buf[:size]
}

// Free implements experimental.LinearMemory.
func (m *memory) Free() {}

// stop makes code trap.
func (m *memory) stop() { m.buf[stopCell] = 1 }

// Encode calls the function encode of a library, which all encoders here have in this form:
// pixels of width by height, a place for the size of the result, and args.
func (m *Module) Encode(ctx context.Context, limit int64, pix []byte, width, height int, args ...uint64) (out []byte, err error) {
	err = m.Run(ctx, limit, func(in *Instance) error {
		p, err := in.Put(pix)
		if err != nil {
			return err
		}
		size, err := in.Put(make([]byte, 8))
		if err != nil {
			return err
		}
		data, err := in.Call("encode", append([]uint64{uint64(p), uint64(width), uint64(height), uint64(size)}, args...)...)
		if err != nil {
			return err
		}
		out, err = in.result(data, size)
		return err
	})
	return out, err
}

// result is a copy of what an encoder gave: data at p, whose size is the word at size.
func (in *Instance) result(p uint64, size uint32) ([]byte, error) {
	n, err := in.Word(size)
	if err != nil {
		return nil, err
	}
	if p == 0 || n == 0 {
		return nil, errors.New("wasm: the codec gave nothing")
	}
	b, err := in.Bytes(uint32(p), int(n))
	if err != nil {
		return nil, err
	}
	return append([]byte(nil), b...), nil
}
