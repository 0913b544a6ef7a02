//go:build cgo && linux && (amd64 || arm64) && !purego

package qjscgo

// #include "shim.h"
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"quicksand/engine"
	"quicksand/engine/arena"
	"quicksand/internal/marshal"
)

// isolate is one guest heap.
type isolate struct {
	q      *C.qs
	region *arena.Region
	image  *arena.Image
	engine *Engine
	units  []*program // their code is in use as long as the isolate is

	host                engine.Host // of the method that runs
	runHost             engine.Host // of Start
	entry               *program
	started             bool
	dead                bool // after a fault
	closed              bool
	failed              bool // Failure has something to say
	failure             engine.Failure
	loaded, loadedNames map[string]*module // of the image, as modules and names

	modules  map[string]*module    // by identity, of this run
	names    map[string]*module    // by the name of the program
	resolved map[importKey]*module // what the host resolved so far

	queuedBlobs [][]byte // of the queued calls, in order
	resultBlobs [][]byte

	pins       runtime.Pinner
	pinned     bool
	panicked   bool
	panicValue any
}

type importKey struct{ base, specifier string }

// A module of a run. The engine finds a loaded module by the name in its bytecode, so
// that is what the engine is given; the host sees identities.
type module struct {
	id, name string
	p        *program
	// facade is the encoded argument of the hook facade, for a module without program.
	facade []byte
}

var (
	errClosed     = errors.New("isolate is closed")
	errDead       = errors.New("isolate is unusable after a fault of the engine")
	errNotStarted = errors.New("nothing was started since the last reset")
)

// NewIsolate implements engine.Engine.
func (e *Engine) NewIsolate(img engine.Image) (engine.Isolate, error) {
	prelude, err := own("new isolate", img.Prelude, engine.Script)
	if err != nil {
		return nil, err
	}
	is := &isolate{engine: e}
	for _, u := range img.Units {
		p, err := own("new isolate", u, engine.Script)
		if err != nil {
			return nil, err
		}
		is.units = append(is.units, p)
	}
	if is.region, err = arena.Reserve(isolateRegion); err != nil {
		return nil, fmt.Errorf("new isolate: %w", err)
	}
	if is.q = newC(is.region, false); is.q == nil {
		is.region.Release()
		return nil, errors.New("new isolate: no memory")
	}
	q := is.q
	q.index = C.uint32_t(register(is))
	C.qs_set_units(q, C.uint32_t(len(is.units)))
	for i, u := range is.units {
		code, n := u.bytes()
		C.qs_set_unit(q, C.uint32_t(i), code, n)
	}
	if C.qs_build(q) != C.QS_DONE {
		is.Close()
		return nil, errors.New("new isolate: the context could not be made")
	}
	code, n := prelude.bytes()
	status := C.qs_prelude(q, code, n)
	runtime.KeepAlive(prelude)
	if status != C.QS_DONE {
		err := fmt.Errorf("new isolate: the prelude %s (%s): %q", engine.Status(status), engine.FailureKind(q.kind), bufBytes(&q.failure))
		is.Close()
		return nil, err
	}
	if err := is.evaluate(img); err != nil {
		is.Close()
		return nil, fmt.Errorf("new isolate: %w", err)
	}
	is.image = arena.Snapshot(is.region)
	if err := is.Reset(engine.Settings{}); err != nil {
		is.Close()
		return nil, err
	}
	return is, nil
}

// imageHost is the host of modules that are evaluated into the image.
type imageHost struct{ engine.Image }

func (h imageHost) Call(uint32, marshal.Message) engine.Reply { return engine.Reply{} }
func (h imageHost) Flush()                                    {}

func (h imageHost) Resolve(base, specifier string) (engine.Import, error) {
	if h.Image.Resolve == nil {
		return engine.Import{}, fmt.Errorf("cannot import %q into an image", specifier)
	}
	return h.Image.Resolve(base, specifier)
}

// evaluate makes the modules of an image part of it.
func (is *isolate) evaluate(img engine.Image) error {
	if len(img.Modules) == 0 {
		return nil
	}
	q := is.q
	C.qs_image_limit(q, engine.ImageMemory)
	is.host = imageHost{img}
	is.modules, is.names, is.resolved = map[string]*module{}, map[string]*module{}, map[importKey]*module{}
	for _, imp := range img.Modules {
		failed := func(reason string) error { return &engine.ImageError{ID: imp.ID, Reason: reason} }
		if is.modules[imp.ID] != nil {
			continue // another has imported it
		}
		m, err := is.newModule(imp)
		if err != nil {
			return failed(err.Error())
		}
		if m.p == nil {
			return failed("it is no program")
		}
		is.modules[m.id], is.names[m.name] = m, m
		slow := false
		joined := make(chan struct{})
		stop := time.AfterFunc(engine.ImageTimeout, func() {
			defer close(joined)
			slow = true
			C.qs_kill(q)
		})
		seed := q.rng
		code, n := m.p.bytes()
		status := is.left(C.qs_image_module(q, code, n))
		if !stop.Stop() {
			<-joined
		}
		switch {
		case slow:
			return failed(engine.ImageSlow)
		case status == engine.Stopped && is.failure.Kind == engine.Memory:
			return failed(engine.ImageLarge)
		case q.asked != 0:
			return failed(engine.ImageAsks)
		case status == engine.Waiting:
			return failed(engine.ImageWaits)
		case status == engine.Failed:
			return failed(engine.DescribeThrown(is.failure.Thrown))
		case status != engine.Done:
			return failed(is.failure.Kind.String())
		case q.rng != seed:
			return failed(engine.ImageRandom)
		}
	}
	C.qs_collect(q)
	is.loaded = is.modules
	is.loadedNames = is.names
	is.modules, is.names, is.resolved = nil, nil, nil
	return nil
}

func (is *isolate) usable() error {
	switch {
	case is.closed:
		return errClosed
	case is.dead:
		return errDead
	}
	return nil
}

// Reset implements engine.Isolate.
func (is *isolate) Reset(s engine.Settings) error {
	if err := is.usable(); err != nil {
		return fmt.Errorf("reset: %w", err)
	}
	if s.Memory < 0 || s.Stack < 0 || s.MaxMessage < 0 || s.MaxCalls < 0 {
		return fmt.Errorf("reset: negative setting in %+v", s)
	}
	if s.Memory == 0 {
		s.Memory = 64 << 20
	}
	if s.Stack == 0 {
		s.Stack = 512 << 10
	}
	if s.MaxMessage == 0 {
		s.MaxMessage = 128 << 20
	}
	if s.MaxCalls == 0 {
		s.MaxCalls = 10_000
	}
	s.Memory = min(s.Memory, maxMemory)
	s.MaxMessage = min(s.MaxMessage, 1<<31-1)
	s.MaxCalls = min(s.MaxCalls, 1<<28)
	is.image.Restore()
	// Fragmentation may need room above the limit, but not without bound.
	span := min(2*s.Memory+16<<20, int64(is.region.Size()))
	C.qs_reset(is.q, C.size_t(s.Memory), C.size_t(span), C.size_t(s.Stack), C.uint64_t(s.Seed), C.size_t(s.MaxMessage), C.uint32_t(s.MaxCalls))
	is.host, is.runHost, is.entry = nil, nil, nil
	is.started, is.failed = false, false
	is.failure = engine.Failure{}
	is.queuedBlobs, is.resultBlobs = nil, nil
	is.panicked, is.panicValue = false, nil
	if len(is.modules) > 0 {
		clear(is.modules)
		clear(is.names)
		clear(is.resolved)
	}
	return nil
}

// Trim implements engine.Isolate.
func (is *isolate) Trim() error {
	if err := is.Reset(engine.Settings{}); err != nil {
		return err
	}
	is.image.Trim()
	return nil
}

// enter prepares a call into the engine.
func (is *isolate) enter(op string, host engine.Host) error {
	if err := is.usable(); err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	is.host = host
	is.q.has_host = 0
	if host != nil {
		is.q.has_host = 1
	}
	return nil
}

// left ends a call into the engine: what the engine's calls into Go left behind, the
// failure, and a panic of the host goes on.
func (is *isolate) left(status C.int) engine.Status {
	if is.pinned {
		is.pins.Unpin()
		is.pinned = false
	}
	s := engine.Status(status)
	if s >= engine.Failed {
		is.fail(s)
	}
	if is.panicked {
		v := is.panicValue
		is.panicked, is.panicValue = false, nil
		panic(v)
	}
	return s
}

func (is *isolate) fail(s engine.Status) {
	q := is.q
	is.failed = true
	is.failure = engine.Failure{Kind: engine.FailureKind(q.kind)}
	if s == engine.Failed {
		if q.failure.n > 0 {
			is.failure.Thrown.Wire = append([]byte(nil), bufBytes(&q.failure)...)
		}
	} else if is.failure.Kind == engine.Fault {
		is.failure.Detail = faultDetail(q)
		is.dead = true
	}
}

// Start implements engine.Isolate.
func (is *isolate) Start(entry engine.Program, host engine.Host) (engine.Status, error) {
	p, err := own("start", entry, engine.Module)
	if err != nil {
		return 0, err
	}
	if is.started {
		return 0, errors.New("start: already started since the last reset")
	}
	if err := is.enter("start", host); err != nil {
		return 0, err
	}
	is.started, is.runHost, is.entry = true, host, p
	code, n := p.bytes()
	return is.left(C.qs_start(is.q, code, n)), nil
}

// resolve answers the engine's question for a module; see normalize in shim.c.
func (is *isolate) resolve(base, specifier string) {
	q := is.q
	m, err := is.find(base, strings.ToValidUTF8(specifier, "\uFFFD"))
	text := ""
	if err != nil {
		text = err.Error()
	} else {
		text = m.name
	}
	b := C.qs_name_buffer(q, C.size_t(len(text)))
	if b == nil {
		return
	}
	copy(unsafe.Slice((*byte)(b), len(text)), text)
	switch {
	case err != nil:
	case m.p != nil:
		q.import_kind = C.QS_IMPORT_PROGRAM
		code, n := m.p.bytes()
		q.import_code, q.import_len = C.uintptr_t(uintptr(unsafe.Pointer(code))), n
	case m.facade != nil:
		q.import_kind = C.QS_IMPORT_FACADE
		// The engine reads it before it returns to Go, or not at all.
		p := unsafe.SliceData(m.facade)
		is.pins.Pin(p)
		is.pinned = true
		q.import_code, q.import_len = C.uintptr_t(uintptr(unsafe.Pointer(p))), C.size_t(len(m.facade))
	default:
		q.import_kind = C.QS_IMPORT_LOADED
	}
}

func (is *isolate) find(base, specifier string) (*module, error) {
	if is.modules == nil {
		is.modules, is.names, is.resolved = map[string]*module{}, map[string]*module{}, map[importKey]*module{}
	}
	if len(is.names) == 0 && is.entry != nil {
		m := &module{id: is.entry.name, name: is.entry.name, p: is.entry}
		is.modules[m.id], is.names[m.name] = m, m
	}
	if m := is.names[base]; m != nil {
		base = m.id
	}
	key := importKey{base, specifier}
	if m := is.resolved[key]; m != nil {
		return m, nil
	}
	if is.host == nil {
		return nil, fmt.Errorf("cannot import %q: there is no host", specifier)
	}
	found, err := is.host.Resolve(base, specifier)
	if err != nil {
		return nil, err
	}
	m := is.modules[found.ID]
	if m == nil {
		if m, err = is.newModule(found); err != nil {
			return nil, err
		}
		is.modules[m.id], is.names[m.name] = m, m
	}
	is.resolved[key] = m
	return m, nil
}

// newModule is what an import means that the run has not seen.
func (is *isolate) newModule(found engine.Import) (*module, error) {
	m := &module{id: found.ID, name: found.ID}
	loaded := is.loaded[found.ID]
	switch {
	case len(found.Exports) > 0:
		var err error
		if m.facade, err = engine.Facade(found); err != nil {
			return nil, err
		}
	case found.Program == nil && loaded != nil:
		return &module{id: loaded.id, name: loaded.name}, nil
	default:
		p, err := own("import", found.Program, engine.Module)
		if err != nil {
			return nil, err
		}
		m.name, m.p = p.name, p
	}
	for _, names := range []map[string]*module{is.names, is.loadedNames} {
		if other := names[m.name]; other != nil {
			return nil, fmt.Errorf("modules %q and %q have one name", other.id, found.ID)
		}
	}
	return m, nil
}

// Pump implements engine.Isolate.
func (is *isolate) Pump() (engine.Status, error) {
	if !is.started {
		return 0, fmt.Errorf("pump: %w", errNotStarted)
	}
	if err := is.enter("pump", is.runHost); err != nil {
		return 0, err
	}
	return is.left(C.qs_pump(is.q)), nil
}

// Calls implements engine.Isolate.
func (is *isolate) Calls(dst []engine.Call) []engine.Call {
	if is.closed || is.q.nqueue == 0 {
		return dst
	}
	q := is.q
	wire := append([]byte(nil), bufBytes(&q.queue_wire)...)
	blobs := is.queuedBlobs
	for _, c := range unsafe.Slice(q.queue, int(q.nqueue)) {
		call := engine.Call{ID: engine.CallID(c.id), Op: uint32(c.op)}
		if c.len > 0 {
			call.Arg.Wire = wire[c.off : c.off+c.len : c.off+c.len]
		}
		if n := int(c.nblobs); n > 0 {
			call.Arg.Blobs, blobs = blobs[:n:n], blobs[n:]
		}
		dst = append(dst, call)
	}
	is.queuedBlobs = nil
	q.nqueue = 0
	q.queue_wire.n = 0
	q.queue_blob_bytes = 0
	return dst
}

// Settle implements engine.Isolate.
func (is *isolate) Settle(id engine.CallID, r engine.Reply) error {
	if err := is.enter("settle", is.host); err != nil {
		return err
	}
	throws := C.int(0)
	if r.Throw {
		throws = 1
	}
	wire, n, blobs, nblobs := is.argument(r.Value)
	is.left(C.qs_settle(is.q, C.uint32_t(id), throws, wire, n, blobs, nblobs))
	return nil
}

// argument readies a message for a call into the engine.
func (is *isolate) argument(m marshal.Message) (*C.uint8_t, C.size_t, *C.qs_blob, C.uint32_t) {
	var blobs []C.qs_blob
	if len(m.Blobs) > 0 {
		blobs = make([]C.qs_blob, len(m.Blobs))
		fillBlobs(blobs, m.Blobs, is)
	}
	return (*C.uint8_t)(unsafe.SliceData(m.Wire)), C.size_t(len(m.Wire)), unsafe.SliceData(blobs), C.uint32_t(len(blobs))
}

// message takes what the last entry left.
func (is *isolate) message() marshal.Message {
	m := &is.q.msg
	msg := marshal.Message{Blobs: is.resultBlobs, Dropped: int(m.dropped)}
	is.resultBlobs = nil
	if m.len > 0 {
		msg.Wire = append([]byte(nil), unsafe.Slice((*byte)(m.wire), int(m.len))...)
	}
	if m.dropped > 0 {
		msg.DroppedPath = strings.ToValidUTF8(string(unsafe.Slice((*byte)(unsafe.Pointer(m.path)), int(m.path_len))), "\uFFFD")
	}
	return msg
}

func lenient(mode engine.InvokeMode) C.int {
	if mode == engine.Lenient {
		return 1
	}
	return 0
}

// Result implements engine.Isolate.
func (is *isolate) Result(mode engine.InvokeMode) (marshal.Message, engine.Status, error) {
	if !is.started || is.q == nil || is.q.module == nil {
		return marshal.Message{}, 0, fmt.Errorf("result: %w", errNotStarted)
	}
	if err := is.enter("result", is.runHost); err != nil {
		return marshal.Message{}, 0, err
	}
	status := is.left(C.qs_result(is.q, lenient(mode)))
	if status != engine.Done {
		return marshal.Message{}, status, nil
	}
	return is.message(), status, nil
}

// Invoke implements engine.Isolate.
func (is *isolate) Invoke(hook string, arg marshal.Message, mode engine.InvokeMode, host engine.Host) (marshal.Message, engine.Status, error) {
	if err := is.enter("invoke", host); err != nil {
		return marshal.Message{}, 0, err
	}
	wire, n, blobs, nblobs := is.argument(arg)
	name := (*C.char)(unsafe.Pointer(unsafe.StringData(hook)))
	status := is.left(C.qs_invoke(is.q, name, C.size_t(len(hook)), wire, n, blobs, nblobs, lenient(mode)))
	is.host = is.runHost
	if status != engine.Done {
		return marshal.Message{}, status, nil
	}
	return is.message(), status, nil
}

// Failure implements engine.Isolate.
func (is *isolate) Failure() engine.Failure {
	if !is.failed {
		return engine.Failure{}
	}
	return is.failure
}

// Interrupt implements engine.Isolate.
func (is *isolate) Interrupt() { atomic.StoreInt32((*int32)(unsafe.Pointer(&is.q.interrupt)), 1) }

// Kill implements engine.Isolate.
func (is *isolate) Kill() { C.qs_kill(is.q) }

// CanKill implements engine.Isolate.
func (is *isolate) CanKill() bool { return true }

// Usage implements engine.Isolate.
func (is *isolate) Usage() engine.Usage {
	if is.closed {
		return engine.Usage{}
	}
	a := is.q.arena
	return engine.Usage{HeapUsed: int64(a.used), HeapPeak: int64(a.peak), Refused: a.refused != 0}
}

// Close implements engine.Isolate.
func (is *isolate) Close() error {
	if is.closed {
		return nil
	}
	is.closed = true
	unregister(uint32(is.q.index))
	C.qs_free(is.q)
	is.q = nil
	is.units, is.entry, is.image = nil, nil, nil
	is.loaded, is.loadedNames = nil, nil
	clear(is.modules)
	clear(is.names)
	clear(is.resolved)
	return is.region.Release()
}
