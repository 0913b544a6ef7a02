package quicksand

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"reflect"
	"time"

	"quicksand/bridges"
	"quicksand/engine"
	"quicksand/internal/entry"
	"quicksand/internal/marshal"
	"quicksand/internal/meter"
	"quicksand/internal/prelude"
)

// A run is one execution of a program. Its slot keeps it between executions, so
// that the usual run allocates little. The goroutine of Sandbox.Run owns it; other
// goroutines reach it only through done.
type run struct {
	box    *Sandbox
	slot   *slot
	ctx    context.Context
	opts   *Options
	limits Limits
	clock  *meter.Clock // nil until host work could suspend it; never reused
	start  time.Time
	name   string
	code   string
	prog   *program
	res    *Result
	random *runRandom // nil until used by a run without a seed
	grants map[*bridges.Bridge]any

	funcs    []hostFunc // by id
	open     map[engine.CallID]openCall
	calls    []engine.Call   // buffer for Isolate.Calls
	answer   marshal.Message // buffer for reply
	stopWork context.CancelFunc
	work     context.Context // of host functions; nil until the first
	syncWork context.Context // of synchronous calls: it ends when the watchdog stops the run
	workers  *workerGroup
	jobs     chan job // unbuffered: a send succeeds when a worker is idle
	done     chan completion
	ended    chan struct{} // closed when nobody reads done any more
	timers   map[engine.CallID]*time.Timer
	// waits are those among the open calls which the guest can end early, by its number;
	// lastWait is the last number that came here, and endedWaits are later ones which the
	// guest has ended before they came.
	waits      map[int64]engine.CallID
	lastWait   int64
	endedWaits map[int64]bool
	emitter    *emitter
	bridges    *runBridges    // nil until the first call of a bridge
	handed     map[string]any // what stands for media in values, by id
	mounted    []boundFunc    // functions of modules of the host, by operation
	hosted     map[string]engine.Import
	packFiles  map[string]packFile // by identity

	logs     logState
	progress progressState
	emits    int
	counted  struct { // calls that Usage lacks yet
		name string
		use  CallUsage
	}
	held     int64 // see hold
	cutSleep bool
	early    []completion // answers to calls that Flush started
	panicked error
}

type openCall struct {
	name    string
	started time.Time
	size    int64 // of its arguments
	gate    *gate // of its bridge, if it is one's
	call    *bridges.Call
	wait    int64 // its number in run.waits, or 0
}

// completion is a host call that ended.
type completion struct {
	id    engine.CallID
	reply engine.Reply
	err   error // that reply throws
	// panicked is what the host function panicked with.
	panicked error
}

// Run runs code, the body of an asynchronous function with optional static imports
// in it, and returns what it returned. The error is nil or an *Error; a Result comes
// with every error that arose after the run had begun.
//
// Run returns within Limits.Timeout plus about 100 ms whatever the code does, and at
// once when ctx ends.
func (s *Sandbox) Run(ctx context.Context, code string, o Options) (*Result, error) {
	start := time.Now()
	if err := ctx.Err(); err != nil {
		return nil, cancelled(ctx)
	}
	limits, err := o.Limits.resolve(s.limits)
	if err != nil {
		return nil, err
	}
	grants, err := s.registry.grants(&o)
	if err != nil {
		return nil, err
	}
	if len(code) > limitSource {
		return nil, limitError("compile", "SourceSize", limitSource, int64(len(code)), "bytes of source")
	}
	sl, err := s.acquire(ctx)
	if err != nil {
		return nil, err
	}
	s.runs.Add(1)
	r := &sl.run
	r.begin(s, sl, ctx, &o, limits, start)
	r.grants = grants
	usable, finished := false, false
	// Should anything panic through Run, its host work is ended all the same, and the heap is
	// given up.
	defer func() {
		if !finished {
			r.endWork()
		}
		sl.dog.disarm()
		s.release(sl, usable)
	}()
	runErr := r.execute(code)
	usable = r.finish()
	finished = true
	res := r.res
	*r = run{}
	if runErr != nil {
		return res, runErr
	}
	return res, nil
}

func (r *run) begin(s *Sandbox, sl *slot, ctx context.Context, o *Options, l Limits, start time.Time) {
	*r = run{box: s, slot: sl, ctx: ctx, opts: o, limits: l, start: time.Now(), name: o.Name, res: &Result{}}
	r.res.Usage.Queue = r.start.Sub(start)
	r.start = start
	if r.name == "" {
		r.name = "main.js"
		if o.TypeScript {
			r.name = "main.ts"
		}
	}
	// The budget of a run starts when it has its heap; queueing is the host's affair.
	allowance := suspendAllowance
	if o.Input != nil {
		allowance = inputAllowance
	}
	sl.dog.arm(ctx, r.start, &r.limits, allowance)
}

// execute does everything between having a heap and giving it back.
func (r *run) execute(code string) error {
	r.code = code
	var err error
	if r.prog, err = r.compile(code); err != nil {
		return r.failed(err)
	}
	if err := r.consent(); err != nil {
		return r.failed(err)
	}
	seed := rand.Uint64()
	if r.opts.Seed != 0 {
		seed = r.opts.Seed
		r.random = seededRandom(seed)
	}
	iso := r.slot.iso
	if err := iso.Reset(engine.Settings{Memory: r.limits.Memory, Stack: r.limits.Stack, Seed: seed,
		MaxMessage: r.limits.Memory, MaxCalls: int(r.limits.Calls)}); err != nil {
		if iso.Failure().Kind == engine.Memory { // what a heap begins with is more than the limit
			return r.failed(r.memoryError())
		}
		return r.failed(&Error{Kind: KindInternal, Op: "run", Message: "the heap cannot be reset", Err: err})
	}
	if err := r.inject(); err != nil {
		return r.failed(err)
	}
	r.slot.dog.enter()
	status, err := iso.Start(r.prog.code, r)
	r.slot.dog.leave()
	for first := true; err == nil && status == engine.Waiting; first = false {
		settled, serr := r.serve()
		if serr != nil {
			err = serr
			break
		}
		if !first && !settled {
			if len(r.open) == 0 {
				return r.failed(r.stalled())
			}
			if !r.wait() {
				return r.failed(r.stopError())
			}
		}
		r.slot.dog.enter()
		status, err = iso.Pump()
		r.slot.dog.leave()
	}
	if err != nil {
		return r.failed(&Error{Kind: KindInternal, Op: "run", Message: "the engine refused a call", Err: err})
	}
	if status != engine.Stopped {
		if err := r.lastWords(); err != nil {
			return r.failed(err)
		}
	}
	return r.conclude(status)
}

// wait blocks until a host call was settled, and reports false when the run was
// stopped instead.
func (r *run) wait() bool {
	select {
	case c := <-r.done:
		if r.ctx.Err() == nil {
			r.settle(c)
			return true
		}
		// Host functions return when the context ends, but the program must not go on with
		// that: the watchdog is about to stop it.
		<-r.slot.dog.stop
	case <-r.slot.dog.stop:
	}
	return false
}

// settleAtOnce is how many bytes of results the guest gets before it can let go of some.
const settleAtOnce = 1 << 20

// serve starts the calls that the guest has queued and settles those which ended.
func (r *run) serve() (settled bool, err error) {
	if settled, err = r.startCalls(); err != nil || len(r.open) == 0 {
		return settled, err
	}
	for size := int64(0); r.ctx.Err() == nil && size < settleAtOnce; {
		select {
		case c := <-r.done:
			size += c.reply.Value.Size()
			if err := r.settle(c); err != nil {
				return settled, err
			}
			settled = true
		default:
			return settled, nil
		}
	}
	return settled, nil
}

// settle answers a call with what its host function gave.
func (r *run) settle(c completion) error {
	call := r.open[c.id].call
	if !r.closeCall(c) {
		return nil
	}
	err := r.settleCall(c.id, c.reply)
	if call != nil {
		call.Settled()
	}
	return err
}

// closeCall does the accounts of a call that ended, and reports false when it was not open.
func (r *run) closeCall(c completion) bool {
	if c.panicked != nil && r.panicked == nil {
		r.panicked = c.panicked
	}
	o, ok := r.open[c.id]
	if !ok {
		return false
	}
	delete(r.open, c.id)
	delete(r.timers, c.id)
	if o.wait != 0 {
		delete(r.waits, o.wait)
	}
	r.held -= o.size
	if o.gate != nil {
		o.gate.leave()
		if c.err != nil {
			r.remember(c.err)
		}
	}
	if o.name != timerName {
		r.countCall(o.name, time.Since(o.started))
	}
	r.res.Usage.BytesIn += c.reply.Value.Size()
	return true
}

// settleCall settles a call under the watchdog: a guest's getter "then" may run.
func (r *run) settleCall(id engine.CallID, reply engine.Reply) error {
	r.slot.dog.enter()
	err := r.slot.iso.Settle(id, reply)
	r.slot.dog.leave()
	return err
}

// countCall counts a call that took d. Calls of one function come in rows, which are added up
// before they go into the map.
func (r *run) countCall(name string, d time.Duration) {
	if r.counted.name != name {
		r.noteCounted()
		r.counted.name = name
	}
	r.counted.use.Count++
	r.counted.use.Wait += d
}

// noteCounted makes what was counted part of the usage.
func (r *run) noteCounted() {
	if r.counted.use.Count == 0 {
		return
	}
	if r.res.Usage.Calls == nil {
		r.res.Usage.Calls = make(map[string]CallUsage)
	}
	u := r.res.Usage.Calls[r.counted.name]
	u.Count += r.counted.use.Count
	u.Wait += r.counted.use.Wait
	r.res.Usage.Calls[r.counted.name] = u
	r.counted.use = CallUsage{}
}

// conclude reads what a run left behind when its module ended with status.
func (r *run) conclude(status engine.Status) error {
	var err error
	switch status {
	case engine.Done:
		err = r.readResult()
	default:
		err = r.failure(status)
		// A guest can see the end of its calls before it is stopped, and fail with that.
		if status == engine.Failed && r.ctx.Err() != nil {
			err = cancelled(r.ctx)
		}
	}
	if status != engine.Stopped {
		if serr := r.readGlobals(); serr != nil && err == nil {
			err = serr
		}
	}
	if r.panicked != nil {
		r.box.log.Error("quicksand: a host function panicked", "panic", r.panicked)
		var e *Error
		if errors.As(err, &e) && e.Err == nil {
			e.Err = r.panicked
		} else if err == nil {
			err = &Error{Kind: KindInternal, Op: "host function", Message: "a host function panicked", Err: r.panicked}
		}
	}
	if err != nil {
		return r.failed(err)
	}
	return nil
}

// running is the time since the run began, without suspended time.
func (r *run) running() time.Duration {
	if r.clock != nil {
		return r.clock.Running(time.Now())
	}
	return time.Since(r.start)
}

func (r *run) readResult() error {
	r.slot.dog.enter()
	m, status, err := r.slot.iso.Result(engine.Lenient)
	r.slot.dog.leave()
	if err != nil {
		return &Error{Kind: KindInternal, Op: "run", Message: "the result cannot be read", Err: err}
	}
	if status != engine.Done {
		return r.failure(status)
	}
	r.noteDropped(m)
	if m, err = r.handOut("result", m); err != nil {
		return err
	}
	r.res.Value, err = r.outgoing("result", m)
	return err
}

// outgoing makes a Value of an encoded value that leaves the run, within the output
// limits.
func (r *run) outgoing(what string, m marshal.Message) (Value, error) {
	r.res.Usage.BytesOut += m.Size()
	if r.bridges != nil {
		m = r.bridges.session.Redactor.RedactMessage(m)
	}
	kept, cut, err := marshal.Truncate(m, marshal.TruncateLimits{Size: r.limits.OutputSize, Bytes: r.limits.OutputBytes})
	if errors.Is(err, marshal.ErrTooLarge) {
		return Value{}, &Error{Kind: KindLimit, Op: what, Limit: "OutputBytes", Value: r.limits.OutputBytes, Used: m.Size(), Message: err.Error()}
	}
	var v Value
	if err == nil {
		v, err = marshal.Decode(kept)
	}
	if err != nil {
		return Value{}, &Error{Kind: KindInternal, Op: what, Message: "the value cannot be read", Err: err}
	}
	if cut != nil {
		if r.res.Truncated == nil {
			r.res.Truncated = make(map[string]*Truncation)
		}
		r.res.Truncated[what] = cut
	}
	return v, nil
}

func (r *run) noteDropped(m marshal.Message) {
	if m.Dropped > 0 {
		r.warn("%d functions or symbols cannot leave the program and were left out, the first at %s", m.Dropped, m.DroppedPath)
	}
}

// failed completes an error with what the run knows, and is the only way out for
// errors.
func (r *run) failed(err error) error {
	r.res.Outputs = nil
	r.res.Value = Value{}
	return err
}

// finish ends host work, gathers usage, and reports whether the isolate can be used
// again.
func (r *run) finish() (usable bool) {
	r.endWork()
	r.flushNotes()
	r.noteCounted()
	dog := r.slot.dog
	dog.disarm()
	_, cpu, _ := dog.stopped()
	now := time.Now()
	u := &r.res.Usage
	u.CPU = cpu
	if r.clock != nil {
		u.Suspended, _ = r.clock.Suspended(now)
	}
	u.Wall = now.Sub(r.start) + u.Queue
	use := r.slot.iso.Usage()
	u.PeakHeap = use.HeapPeak
	r.slot.fat = r.slot.fat || use.HeapPeak > fatHeap
	r.res.Logs = r.logs.lines
	u.LogsCut = r.logs.cut
	if f := r.slot.iso.Failure(); f.Kind == engine.Fault {
		r.box.faults.Add(1)
		r.box.log.Error("quicksand: engine fault contained", "engine", r.box.engine.Version(), "detail", f.Detail)
		return false
	}
	return true
}

// compile gets the program from the cache or makes it.
func (r *run) compile(code string) (*program, error) {
	key := programKey{r.name, code, javascriptEntry}
	if r.opts.TypeScript {
		key.kind = typescriptEntry
	}
	if p := r.box.programs.get(key); p != nil {
		return p, nil
	}
	began := time.Now()
	defer func() { r.res.Usage.Compile += time.Since(began) }()
	ctx, cancel := r.compileContext()
	defer cancel()
	var e entry.Entry
	var err error
	if r.opts.TypeScript {
		e, err = entry.BuildTypeScript(ctx, r.name, code)
	} else {
		e, err = entry.Build(ctx, code)
	}
	if err != nil {
		if stopped := r.compileStopped(ctx); stopped != nil {
			return nil, stopped
		}
		return nil, r.sourceError(code, err)
	}
	src := engine.Source{Name: r.name, Code: e.Source, Kind: engine.Module, HeaderLines: e.HeaderLines}
	c, err := r.compileSource(src)
	if err != nil {
		var se *engine.SyntaxError
		if errors.As(err, &se) {
			return nil, r.sourceError(code, entry.Explain(ctx, &e, r.name, code, se.Message, se.Line, se.Column))
		}
		return nil, err
	}
	p := &program{code: c, entry: e}
	r.box.programs.put(key, p)
	return p, nil
}

// compileContext ends with the run's context or with the time that the run has left.
func (r *run) compileContext() (context.Context, context.CancelFunc) {
	return context.WithDeadline(r.ctx, time.Now().Add(r.limits.Timeout-r.running()))
}

// compileStopped is the error of a compilation whose context ended, nil when it did not.
func (r *run) compileStopped(ctx context.Context) error {
	switch {
	case r.ctx.Err() != nil:
		return cancelled(r.ctx)
	case ctx.Err() != nil:
		return r.timeoutError()
	}
	return nil
}

// compileSource compiles within the time that the run has left.
func (r *run) compileSource(src engine.Source) (engine.Program, error) {
	ctx, cancel := r.compileContext()
	defer cancel()
	c, err := r.box.engine.Compile(ctx, src)
	if err == nil {
		return c, nil
	}
	var ce *engine.CompileError
	if !errors.As(err, &ce) {
		return nil, err
	}
	if stopped := r.compileStopped(ctx); stopped != nil {
		return nil, stopped
	}
	if ce.Kind == engine.Memory {
		return nil, &Error{Kind: KindMemory, Op: "compile", Limit: "Memory", Message: "the source needs more memory to compile than the compiler has"}
	}
	return nil, &Error{Kind: KindInternal, Op: "compile", Message: "the compiler failed", Err: err}
}

// inject gives the guest its globals before the program starts.
func (r *run) inject() error {
	o := r.opts
	if !o.Now.IsZero() {
		m, err := marshal.Encode(float64(o.Now.UnixMilli()), marshal.EncodeOptions{})
		if err != nil {
			return &Error{Kind: KindInternal, Op: "globals", Err: err}
		}
		if err := r.invoke("fixClock", m); err != nil {
			return err
		}
	}
	if o.Timers {
		m, err := marshal.Encode(limitTimers, marshal.EncodeOptions{})
		if err != nil {
			return &Error{Kind: KindInternal, Op: "globals", Err: err}
		}
		if err := r.invoke("allowTimers", m); err != nil {
			return err
		}
	}
	globals := r.globalValues()
	if len(globals.Entries) == 0 {
		return nil
	}
	m, err := marshal.Encode(globals, marshal.EncodeOptions{Path: "globals", MaxSize: r.limits.Memory, RefuseCycles: true, Func: r.addFunc})
	if err != nil {
		return &Error{Kind: KindUsage, Op: "globals", Message: err.Error(), Err: err}
	}
	r.res.Usage.BytesIn += m.Size()
	return r.invoke("defineGlobals", m)
}

// globalValues is what becomes a global, in a fixed order.
func (r *run) globalValues() *Object {
	o := r.opts
	g := &Object{}
	if o.Inputs != nil {
		g.Set("inputs", o.Inputs)
	}
	for _, k := range sortedKeys(o.Globals) {
		if r.validGlobal(k) {
			g.Set(k, o.Globals[k])
		}
	}
	return g
}

// validGlobal reports whether a host may define a global of this name.
func (r *run) validGlobal(name string) bool {
	if name == "" || prelude.Reserved[name] || r.box.registry.fixed[name] {
		return false
	}
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '$':
		case c >= '0' && c <= '9' && i > 0:
		default:
			return false
		}
	}
	return true
}

// isContainer reports whether a global is an object or an array, whose contents the
// guest may change.
func isContainer(v any) bool {
	switch v.(type) {
	case nil, bool, string, time.Time:
		return false
	}
	rv := reflect.ValueOf(v)
	for rv.Kind() == reflect.Pointer && !rv.IsNil() {
		rv = rv.Elem()
	}
	switch rv.Kind() {
	case reflect.Map, reflect.Slice, reflect.Array:
		return true
	case reflect.Struct:
		_, isTime := rv.Interface().(time.Time)
		_, isBig := rv.Interface().(big.Int)
		return !isTime && !isBig
	}
	return false
}

// invoke calls a hook that returns nothing of interest.
func (r *run) invoke(hook string, arg marshal.Message) error {
	r.slot.dog.enter()
	_, status, err := r.slot.iso.Invoke(hook, arg, engine.Strict, r)
	r.slot.dog.leave()
	if err != nil {
		return &Error{Kind: KindInternal, Op: "globals", Err: err}
	}
	if status != engine.Done {
		return r.failure(status)
	}
	return nil
}

// readGlobals reads objects and arrays among the globals back.
func (r *run) readGlobals() error {
	var names []any
	for _, k := range sortedKeys(r.opts.Globals) {
		if r.validGlobal(k) && isContainer(r.opts.Globals[k]) {
			names = append(names, k)
		}
	}
	if len(names) == 0 {
		return nil
	}
	if len(names) == 1 {
		// A single global comes as a message of its own. As part of another it has to be checked
		// and copied once more on this side: a fifth of what rows cost in and back.
		name := names[0].(string)
		m, err := r.askGlobals(name)
		if err != nil {
			return err
		}
		v, err := r.outgoing("global "+name, m)
		if err != nil {
			return err
		}
		if v.Kind() != marshal.KindUndefined {
			r.res.Globals = map[string]Value{name: v}
			return nil
		}
		// It may be a function, of which the other way tells.
	}
	m, err := r.askGlobals(names)
	if err != nil {
		return err
	}
	all, err := marshal.Decode(m)
	if err != nil {
		return &Error{Kind: KindInternal, Op: "globals", Message: "the globals cannot be read", Err: err}
	}
	r.res.Globals = make(map[string]Value, len(names))
	for _, n := range names {
		name := n.(string)
		m, err := all.Field(name).Message()
		if err != nil {
			return &Error{Kind: KindInternal, Op: "globals", Message: "the globals cannot be read", Err: err}
		}
		if r.res.Globals[name], err = r.outgoing("global "+name, m); err != nil {
			return err
		}
	}
	return nil
}

// askGlobals calls the hook that reads globals.
func (r *run) askGlobals(names any) (marshal.Message, error) {
	m, err := marshal.Encode(names, marshal.EncodeOptions{})
	if err != nil {
		return m, &Error{Kind: KindInternal, Op: "globals", Err: err}
	}
	r.slot.dog.enter()
	m, status, err := r.slot.iso.Invoke("readGlobals", m, engine.Lenient, r)
	r.slot.dog.leave()
	if err != nil {
		return m, &Error{Kind: KindInternal, Op: "globals", Message: "the globals cannot be read", Err: err}
	}
	if status != engine.Done {
		return m, r.failure(status)
	}
	r.noteDropped(m)
	return m, nil
}
