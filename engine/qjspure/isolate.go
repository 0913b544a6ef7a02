package qjspure

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/libc"
	lib "modernc.org/libquickjs"

	"quicksand/engine"
	"quicksand/engine/arena"
	"quicksand/internal/marshal"
)

// Limits of what an isolate is made with, and defaults of Settings.
const (
	imageMemory    = 64 << 20
	compilerMemory = 256 << 20
	compilerStack  = 2000

	defaultMemory  = 64 << 20
	defaultStack   = 512 << 10
	defaultMessage = 128 << 20
	defaultCalls   = 10_000

	slotBytes = 512 // of Settings.Stack for one frame
	minSlots  = 64
	maxSlots  = 2000

	flushAfter = time.Millisecond
)

// regionSize is the address space of an isolate: more than twice the largest memory
// limit that the sandbox allows.
func regionSize() uintptr {
	if runtime.GOOS == "windows" {
		return 1280 << 20 // charged to the commit limit
	}
	return 4 << 30
}

// isolate is an engine.Isolate. Fields are the owner's but for state and interrupted.
type isolate struct {
	tls    *libc.TLS
	region *arena.Region
	heap   *arena.Heap
	image  *arena.Image
	rt     uintptr
	ctx    uintptr
	handle uintptr

	state       atomic.Uint32
	interrupted atomic.Bool

	stopped bool // until Reset
	broken  bool // for good
	closed  bool
	started bool
	failure engine.Failure
	status  engine.Status

	host       engine.Host // inside of guarded
	base       engine.Host // of Start
	panicked   bool
	panicValue any
	faults     bool // the goroutine's SetPanicOnFault outside of the engine
	began      time.Duration
	flushed    time.Duration

	// Of the image.
	units    []*program
	hooks    map[string]value
	hook     hookValues
	building bool
	// evaluating is set while a module becomes part of the image, and asked when it wants
	// something of the host.
	evaluating, asked bool
	loaded            map[string]imported
	// errorClass is the intrinsic Error.
	errorClass value
	// compiling is the source that a compiler's isolate works on.
	compiling *engine.Source

	// Of the run.
	maxMessage int64
	maxCalls   int
	linking    bool
	imports    map[string]imported
	module     uintptr
	promise    value
	pending    map[engine.CallID]promiseFuncs
	spare      [][]callSite // of settled calls
	queue      []engine.Call
	queued     int64 // bytes
	lastID     engine.CallID

	stage staging
	text  encoder // reads strings
	// Encoders and decoders by nesting, and how many are at work.
	encoders           []*encoder
	decoders           []*decoder
	encoding, decoding int
}

type promiseFuncs struct {
	resolve, reject value
	// at is the stack at the call, nil when the prelude does not ask for it.
	at []callSite
}

// hookValues are the hooks that this package calls.
type hookValues struct {
	mapEntries, setValues, regexpParts, bigintText, unbox, errorParts, cloneError, rejected,
	newMap, mapSet, newSet, setAdd, newDate, newRegExp, newBigInt, newDataView,
	newError, errorEntry, hostFunction, describe, facade value
}

var (
	isolates   atomic.Pointer[[]*isolate] // by handle
	isolatesMu sync.Mutex
)

// register gives v a handle, by which the engine's callbacks find it. The handle is in
// the image; a Go pointer must not be.
func register(v *isolate) {
	isolatesMu.Lock()
	defer isolatesMu.Unlock()
	var old []*isolate
	if p := isolates.Load(); p != nil {
		old = *p
	}
	table := append([]*isolate(nil), old...)
	for i := 1; i < len(table); i++ {
		if table[i] == nil {
			table[i] = v
			v.handle = uintptr(i)
			isolates.Store(&table)
			return
		}
	}
	if len(table) == 0 {
		table = append(table, nil) // handle 0 is none
	}
	v.handle = uintptr(len(table))
	table = append(table, v)
	isolates.Store(&table)
}

func unregister(v *isolate) {
	isolatesMu.Lock()
	defer isolatesMu.Unlock()
	table := append([]*isolate(nil), *isolates.Load()...)
	table[v.handle] = nil
	isolates.Store(&table)
}

func byHandle(h uintptr) *isolate { return (*isolates.Load())[h] }

func byContext(ctx uintptr) *isolate {
	return byHandle((*lib.TJSContext)(at(ctx)).Fuser_opaque)
}

var epoch = time.Now()

// now is a monotonic time.
func now() time.Duration { return time.Since(epoch) }

// newIsolate maps a region and makes runtime and context in it.
func newIsolate(compiler bool) (*isolate, error) {
	size := regionSize()
	if compiler {
		size = compilerMemory*2 + 16<<20
	}
	region, err := arena.Reserve(size)
	if err != nil {
		return nil, fmt.Errorf("qjspure: new isolate: %w", err)
	}
	v := &isolate{region: region, heap: arena.Init(region), tls: libc.NewTLS()}
	v.text.v = v
	register(v)
	limit := uintptr(imageMemory)
	if compiler {
		limit = compilerMemory
	}
	v.setLimit(limit)
	v.maxMessage, v.maxCalls = defaultMessage, defaultCalls
	if !v.guarded(nil, func() { v.makeContext(compiler) }) || v.ctx == 0 {
		err := v.constructionError("new context")
		v.Close()
		return nil, err
	}
	return v, nil
}

func (v *isolate) constructionError(what string) error {
	if v.stopped {
		return fmt.Errorf("qjspure: %s: %s %s", what, v.failure.Kind, v.failure.Detail)
	}
	return fmt.Errorf("qjspure: %s failed", what)
}

func (v *isolate) setLimit(limit uintptr) {
	v.heap.SetLimit(limit, 2*limit+8<<20)
}

func (v *isolate) makeContext(compiler bool) {
	tls := v.tls
	bp := tls.Alloc(64)
	defer tls.Free(64)
	*(*lib.TJSMallocFunctions)(at(bp)) = lib.TJSMallocFunctions{
		Fjs_malloc: mallocCode, Fjs_free: freeCode, Fjs_realloc: reallocCode, Fjs_malloc_usable_size: usableCode,
	}
	v.rt = lib.XJS_NewRuntime2(tls, bp, v.region.Base())
	if v.rt == 0 {
		return
	}
	lib.XJS_SetCanBlock(tls, v.rt, 0)
	lib.XJS_SetInterruptHandler(tls, v.rt, interruptCode, v.handle)
	lib.XJS_SetMaxStackSize(tls, v.rt, compilerStack)
	var ctx uintptr
	if compiler {
		ctx = lib.XJS_NewContext(tls, v.rt)
		lib.XJS_SetModuleLoaderFunc2(tls, v.rt, 0, dummyLoaderCode, checkAttributesCode, v.handle)
	} else {
		ctx = v.guestContext()
		lib.XJS_SetModuleLoaderFunc2(tls, v.rt, normalizeCode, loadCode, checkAttributesCode, v.handle)
	}
	if ctx == 0 {
		return
	}
	lib.XJS_SetContextOpaque(tls, ctx, v.handle)
	v.ctx = ctx
}

// guestContext is a context without the eval intrinsic: nothing in it can compile
// source. Regular expressions have a compiler of their own.
func (v *isolate) guestContext() uintptr {
	tls := v.tls
	ctx := lib.XJS_NewContextRaw(tls, v.rt)
	if ctx == 0 {
		return 0
	}
	for _, add := range []func(*libc.TLS, uintptr) int32{
		lib.XJS_AddIntrinsicBaseObjects, lib.XJS_AddIntrinsicDate, lib.XJS_AddIntrinsicStringNormalize,
		lib.XJS_AddIntrinsicRegExp, lib.XJS_AddIntrinsicJSON, lib.XJS_AddIntrinsicProxy, lib.XJS_AddIntrinsicMapSet,
		lib.XJS_AddIntrinsicTypedArrays, lib.XJS_AddIntrinsicPromise, lib.XJS_AddIntrinsicWeakRef,
	} {
		if add(tls, ctx) != 0 {
			return 0
		}
	}
	if !v.anchorRegExps(ctx) {
		return 0
	}
	(*lib.TJSContext)(at(ctx)).Feval_internal = 0
	return ctx
}

// build evaluates the prelude and takes the image.
func (v *isolate) build(prelude *program, units []*program, img engine.Image) error {
	v.units = units
	v.building = true
	var thrown error
	ok := v.guarded(nil, func() {
		global := lib.XJS_GetGlobalObject(v.tls, v.ctx)
		v.errorClass = lib.XJS_GetPropertyStr(v.tls, v.ctx, global, v.stage.put("Error"))
		fn := lib.XJS_NewCFunction2(v.tls, v.ctx, nativeCode, v.stage.put("native"), 1, lib.EJS_CFUNC_generic, 0)
		lib.XJS_SetPropertyStr(v.tls, v.ctx, global, v.stage.put("__native"), fn)
		r := v.script(prelude)
		if isException(r) {
			thrown = fmt.Errorf("qjspure: prelude threw %s", v.plainException())
			return
		}
		v.free(r)
		lib.XJS_DeleteProperty(v.tls, v.ctx, global, v.atom("__native"), 0)
		v.free(global)
		lib.XJS_RunGC(v.tls, v.rt)
	})
	v.building = false
	switch {
	case thrown != nil:
		return thrown
	case !ok:
		return v.constructionError("prelude")
	case lib.XJS_IsJobPending(v.tls, v.rt) != 0:
		return errors.New("qjspure: prelude left a job pending")
	}
	if err := v.evaluate(img); err != nil {
		return fmt.Errorf("qjspure: %w", err)
	}
	v.image = arena.Snapshot(v.region)
	return v.Reset(engine.Settings{})
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
func (v *isolate) evaluate(img engine.Image) error {
	if len(img.Modules) == 0 {
		return nil
	}
	v.setLimit(engine.ImageMemory)
	random := &(*lib.TJSContext)(at(v.ctx)).Frandom_state
	for _, imp := range img.Modules {
		failed := func(reason string) error { return &engine.ImageError{ID: imp.ID, Reason: reason} }
		if _, done := v.imports[imp.ID]; done {
			continue // another has imported it
		}
		if err := v.noteImport(imp); err != nil {
			return failed(err.Error())
		}
		p := v.imports[imp.ID].p
		if p == nil {
			return failed("it is no program")
		}
		slow := false
		joined := make(chan struct{})
		stop := time.AfterFunc(engine.ImageTimeout, func() {
			defer close(joined)
			slow = true
			v.Kill()
		})
		v.evaluating, v.asked = true, false
		*random = 1
		ok := v.guarded(imageHost{img}, func() { v.evaluateModule(imp.ID, p) })
		v.evaluating = false
		if !stop.Stop() {
			<-joined
		}
		switch {
		case slow:
			return failed(engine.ImageSlow)
		case !ok && v.failure.Kind == engine.Memory:
			return failed(engine.ImageLarge)
		case v.asked:
			return failed(engine.ImageAsks)
		case !ok:
			return failed(v.failure.Kind.String() + " " + v.failure.Detail)
		case v.status == engine.Waiting:
			return failed(engine.ImageWaits)
		case v.status == engine.Failed:
			return failed(engine.DescribeThrown(v.failure.Thrown))
		case *random != 1:
			return failed(engine.ImageRandom)
		}
	}
	if !v.guarded(nil, func() { lib.XJS_RunGC(v.tls, v.rt) }) {
		return v.constructionError("collecting garbage")
	}
	v.loaded, v.imports = v.imports, nil
	return nil
}

// evaluateModule is start and pump for a module of the image.
func (v *isolate) evaluateModule(id string, p *program) {
	m := v.loadAs(v.stage.put(id), p)
	if m == 0 {
		v.fail(engine.Thrown)
		return
	}
	obj := make64(lib.EJS_TAG_MODULE, uint64(m))
	v.linking = true
	r := lib.XJS_ResolveModule(v.tls, v.ctx, obj)
	v.linking = false
	if r < 0 {
		v.fail(engine.Link)
		return
	}
	promise := lib.XJS_EvalFunction(v.tls, v.ctx, dup(obj))
	if isException(promise) {
		v.fail(engine.Link)
		return
	}
	v.promise = promise
	for {
		r := lib.XJS_ExecutePendingJob(v.tls, v.rt, 0)
		if r < 0 {
			v.dropException()
		}
		v.poll()
		if r == 0 {
			break
		}
	}
	v.look()
	v.free(promise)
	v.promise = undefined
}

// script evaluates a program as a script and returns its completion value or an
// exception.
func (v *isolate) script(p *program) value {
	fn := v.readBytecode(p)
	if isException(fn) {
		return fn
	}
	return lib.XJS_EvalFunction(v.tls, v.ctx, fn)
}

func (v *isolate) readBytecode(p *program) value {
	x := lib.XJS_ReadObject(v.tls, v.ctx, p.code.addr, lib.Tsize_t(p.code.size), lib.MJS_READ_OBJ_BYTECODE)
	runtime.KeepAlive(p.code)
	return x
}

// plainException takes the pending exception and words it, without running guest code
// when it is an error.
func (v *isolate) plainException() string {
	e := lib.XJS_GetException(v.tls, v.ctx)
	defer v.free(e)
	if isObject(e) {
		name, _ := ownProperty(ptr(ptr(addrOf(e)+objectShape)+shapeProto), lib.EJS_ATOM_name)
		message, _ := ownProperty(addrOf(e), lib.EJS_ATOM_message)
		stack, _ := ownProperty(addrOf(e), lib.EJS_ATOM_stack)
		return v.goString(name) + ": " + v.goString(message) + "\n" + v.goString(stack)
	}
	if isString(e) {
		return v.goString(e)
	}
	return "a value that is no error"
}

func (v *isolate) Reset(s engine.Settings) error {
	switch {
	case v.closed:
		return errors.New("qjspure: reset: isolate is closed")
	case v.broken:
		return errors.New("qjspure: reset: isolate had a fault")
	case v.state.Load() != idle:
		return errors.New("qjspure: reset: called while the guest runs")
	}
	if s.Memory <= 0 {
		s.Memory = defaultMemory
	}
	if s.Stack <= 0 {
		s.Stack = defaultStack
	}
	if s.MaxMessage <= 0 {
		s.MaxMessage = defaultMessage
	}
	if s.MaxCalls <= 0 {
		s.MaxCalls = defaultCalls
	}
	v.image.Restore()
	if used := int64(v.heap.Used()); s.Memory < used {
		v.stopped, v.failure = true, engine.Failure{Kind: engine.Memory}
		return fmt.Errorf("qjspure: reset: memory limit %d is below the %d bytes of the image", s.Memory, used)
	}
	v.setLimit(uintptr(s.Memory))
	slots := min(max(s.Stack/slotBytes, minSlots), maxSlots)
	rt := (*lib.TJSRuntime)(at(v.rt))
	rt.Fstack_size = lib.Tuintptr_t(slots)
	// Collect cycles for the first time after a share of the limit, not at once.
	used := v.heap.Used()
	rt.Fmalloc_gc_threshold = lib.Tsize_t(used + min(max(uintptr(s.Memory)/16, 256<<10), 4<<20))
	(*lib.TJSContext)(at(v.ctx)).Frandom_state = randomState(s.Seed)
	v.maxMessage, v.maxCalls = min(s.MaxMessage, math.MaxInt32), s.MaxCalls
	v.interrupted.Store(false)
	v.stopped, v.started = false, false
	v.failure, v.status = engine.Failure{}, engine.Waiting
	v.base = nil
	v.linking = false
	clear(v.imports)
	v.module, v.promise = 0, undefined
	clear(v.pending)
	clear(v.queue)
	v.queue, v.queued = v.queue[:0], 0
	v.flushed = 0
	return nil
}

// Trim implements engine.Isolate.
func (v *isolate) Trim() error {
	if err := v.Reset(engine.Settings{}); err != nil {
		return err
	}
	v.image.Trim()
	return nil
}

// randomState spreads a seed over the generator's state, which must not be zero.
func randomState(seed uint64) uint64 {
	seed += 0x9e3779b97f4a7c15
	seed = (seed ^ seed>>30) * 0xbf58476d1ce4e5b9
	seed = (seed ^ seed>>27) * 0x94d049bb133111eb
	seed ^= seed >> 31
	if seed == 0 {
		return 1
	}
	return seed
}

func (v *isolate) usable(op string) error {
	switch {
	case v.closed:
		return fmt.Errorf("qjspure: %s: isolate is closed", op)
	case v.state.Load() != idle:
		return fmt.Errorf("qjspure: %s: called while the guest runs", op)
	}
	return nil
}

func (v *isolate) Start(entry engine.Program, host engine.Host) (engine.Status, error) {
	if err := v.usable("start"); err != nil {
		return engine.Stopped, err
	}
	p, err := own(entry, engine.Module)
	switch {
	case err != nil:
		return engine.Stopped, fmt.Errorf("qjspure: start: %w", err)
	case v.stopped:
		return engine.Stopped, nil
	case v.started:
		return v.status, errors.New("qjspure: start: already started since reset")
	case host == nil:
		return engine.Stopped, errors.New("qjspure: start: no host")
	}
	v.started, v.base = true, host
	if !v.guarded(host, func() { v.start(p) }) {
		v.status = engine.Stopped
	}
	return v.status, nil
}

func (v *isolate) start(p *program) {
	m := v.loadModule(p)
	if m == 0 {
		v.fail(engine.Thrown)
		return
	}
	v.module = m
	obj := make64(lib.EJS_TAG_MODULE, uint64(m))
	v.linking = true
	r := lib.XJS_ResolveModule(v.tls, v.ctx, obj)
	v.linking = false
	if r < 0 {
		v.module = 0 // the engine frees what it could not link
		v.fail(engine.Link)
		return
	}
	promise := lib.XJS_EvalFunction(v.tls, v.ctx, dup(obj))
	if isException(promise) { // evaluation itself rejects the promise
		v.module = 0
		v.fail(engine.Link)
		return
	}
	v.promise = promise
	v.look()
}

// look sets the status by the module's promise.
func (v *isolate) look() {
	switch lib.XJS_PromiseState(v.tls, v.ctx, v.promise) {
	case lib.EJS_PROMISE_FULFILLED:
		v.status = engine.Done
	case lib.EJS_PROMISE_REJECTED:
		v.failWith(engine.Thrown, lib.XJS_PromiseResult(v.tls, v.ctx, v.promise))
	default:
		v.status = engine.Waiting
	}
}

// fail makes the pending exception the failure.
func (v *isolate) fail(kind engine.FailureKind) {
	v.failWith(kind, lib.XJS_GetException(v.tls, v.ctx))
}

func (v *isolate) failWith(kind engine.FailureKind, e value) {
	if kind == engine.Thrown && v.heap.Refused() || v.outOfMemory(e) {
		kind = engine.Memory
	}
	v.failure = engine.Failure{Kind: kind}
	v.status = engine.Failed
	if v.interrupted.Load() {
		return
	}
	if tagOf(v.hook.describe) == lib.EJS_TAG_OBJECT {
		d := v.call(v.hook.describe, e)
		if isException(d) {
			v.dropException()
		} else if msg, ok := v.encodeOwned(d, "error", engine.Lenient); ok {
			v.failure.Thrown = msg
		} else {
			v.dropException()
		}
		v.free(d)
	}
	v.free(e)
}

// outOfMemory tells the engine's own out of memory error, which may be null.
func (v *isolate) outOfMemory(e value) bool {
	switch tagOf(e) {
	case lib.EJS_TAG_NULL:
		return v.heap.Refused()
	case lib.EJS_TAG_OBJECT:
		p := addrOf(e)
		if classOf(p) != lib.EJS_CLASS_ERROR {
			return false
		}
		proto := ptr(ptr(p+objectShape) + shapeProto)
		if proto != addrOf((*lib.TJSContext)(at(v.ctx)).Fnative_error_proto[lib.EJS_INTERNAL_ERROR]) {
			return false
		}
		m, ok := ownProperty(p, lib.EJS_ATOM_message)
		const text = "out of memory"
		return ok && isString(m) && stringLen(m) == len(text) && v.goString(m) == text
	}
	return false
}

func (v *isolate) dropException() { v.free(lib.XJS_GetException(v.tls, v.ctx)) }

func (v *isolate) Pump() (engine.Status, error) {
	if err := v.usable("pump"); err != nil {
		return engine.Stopped, err
	}
	switch {
	case v.stopped:
		v.status = engine.Stopped
		return v.status, nil
	case !v.started:
		return v.status, errors.New("qjspure: pump: not started")
	case v.status != engine.Waiting:
		return v.status, nil
	}
	if !v.guarded(v.base, v.pump) {
		v.status = engine.Stopped
	}
	return v.status, nil
}

func (v *isolate) pump() {
	for n := 1; ; n++ {
		if n&255 == 0 {
			v.maybeFlush()
		}
		r := lib.XJS_ExecutePendingJob(v.tls, v.rt, 0)
		if r < 0 {
			v.dropException()
		}
		v.poll() // an interrupted job rejects its promise, and the next would run
		if r == 0 || lib.XJS_PromiseState(v.tls, v.ctx, v.promise) != lib.EJS_PROMISE_PENDING {
			break
		}
	}
	v.look()
}

func (v *isolate) Calls(dst []engine.Call) []engine.Call {
	dst = append(dst, v.queue...)
	clear(v.queue)
	v.queue, v.queued = v.queue[:0], 0
	return dst
}

func (v *isolate) Settle(id engine.CallID, r engine.Reply) error {
	if err := v.usable("settle"); err != nil {
		return err
	}
	f, ok := v.pending[id]
	if !ok || v.stopped {
		return nil
	}
	delete(v.pending, id)
	var err error
	v.guarded(v.base, func() {
		fn := f.resolve
		if r.Throw {
			fn = f.reject
		}
		var x value
		if x, err = v.decode(r.Value); err != nil {
			// The promise must not stay pending for good.
			fn = f.reject
			x = v.takeError(err)
			if errors.Is(err, errException) {
				err = nil
			}
		}
		if fn == f.reject && f.at != nil {
			v.giveStack(x, f.at)
		}
		res := v.call(fn, x)
		if isException(res) {
			v.dropException()
		}
		v.free(res)
		v.free(x)
		v.free(f.resolve)
		v.free(f.reject)
		v.releaseSites(f.at)
	})
	if err != nil {
		return fmt.Errorf("qjspure: settle: %w", err)
	}
	return nil
}

func (v *isolate) Result(mode engine.InvokeMode) (marshal.Message, engine.Status, error) {
	var msg marshal.Message
	if err := v.usable("result"); err != nil {
		return msg, engine.Stopped, err
	}
	switch {
	case v.stopped:
		return msg, engine.Stopped, nil
	case !v.started || v.status != engine.Done:
		return msg, v.status, fmt.Errorf("qjspure: result: the run is %s", v.status)
	}
	st := engine.Done
	if !v.guarded(v.base, func() {
		ns := lib.XJS_GetModuleNamespace(v.tls, v.ctx, v.module)
		x := exception
		if !isException(ns) {
			x = lib.XJS_GetPropertyInternal(v.tls, v.ctx, ns, lib.EJS_ATOM_default, ns, 0)
		}
		st, msg = v.output(x, "result", mode)
		v.free(ns)
	}) {
		v.status, st, msg = engine.Stopped, engine.Stopped, marshal.Message{}
	}
	return msg, st, nil
}

// output encodes x, or makes the exception that x is or that encoding raised the
// failure. It keeps the status of the run.
func (v *isolate) output(x value, root string, mode engine.InvokeMode) (engine.Status, marshal.Message) {
	if !isException(x) {
		msg, ok := v.encodeOwned(x, root, mode)
		v.free(x)
		if ok {
			return engine.Done, msg
		}
	}
	status := v.status
	v.fail(engine.Thrown)
	v.status = status
	return engine.Failed, marshal.Message{}
}

func (v *isolate) Invoke(hook string, arg marshal.Message, mode engine.InvokeMode, host engine.Host) (marshal.Message, engine.Status, error) {
	var msg marshal.Message
	if err := v.usable("invoke"); err != nil {
		return msg, engine.Stopped, err
	}
	fn, ok := v.hooks[hook]
	switch {
	case v.stopped:
		return msg, engine.Stopped, nil
	case !ok || tagOf(fn) != lib.EJS_TAG_OBJECT:
		return msg, engine.Failed, fmt.Errorf("qjspure: invoke: no hook %q", hook)
	}
	st := engine.Done
	var err error
	if !v.guarded(host, func() {
		var a value
		if a, err = v.decode(arg); err != nil {
			if errors.Is(err, errException) {
				err = nil
				st, msg = v.output(exception, "", mode)
			}
			return
		}
		r := v.call(fn, a)
		v.free(a)
		st, msg = v.output(r, "result", mode)
	}) {
		v.status, st, msg = engine.Stopped, engine.Stopped, marshal.Message{}
	}
	if err != nil {
		return marshal.Message{}, engine.Failed, fmt.Errorf("qjspure: invoke %s: %w", hook, err)
	}
	return msg, st, nil
}

func (v *isolate) Failure() engine.Failure { return v.failure }

func (v *isolate) CanKill() bool { return arena.CanProtect }

func (v *isolate) Usage() engine.Usage {
	if v.closed {
		return engine.Usage{}
	}
	return engine.Usage{HeapUsed: int64(v.heap.Used()), HeapPeak: int64(v.heap.Peak()), Refused: v.heap.Refused()}
}

func (v *isolate) Close() error {
	if v.closed {
		return nil
	}
	v.closed = true
	unregister(v)
	v.tls.Close()
	v.stage.release()
	v.heap = nil
	return v.region.Release()
}

// call calls a function with undefined as this. The caller keeps its references.
func (v *isolate) call(fn value, args ...value) value {
	n := valueSize * len(args)
	argv := v.tls.Alloc(n + valueSize)
	defer v.tls.Free(n + valueSize)
	for i, a := range args {
		*(*value)(at(argv + uintptr(i)*valueSize)) = a
	}
	return lib.XJS_Call(v.tls, v.ctx, fn, undefined, int32(len(args)), argv)
}
