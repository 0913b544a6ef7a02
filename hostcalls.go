package quicksand

import (
	"context"
	"crypto/hmac"
	crand "crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"math/rand/v2"
	"reflect"
	"runtime/debug"
	"sync"
	"time"

	"quicksand/bridges"
	"quicksand/bridges/webcrypto"
	"quicksand/engine"
	"quicksand/internal/marshal"
	"quicksand/internal/meter"
	"quicksand/internal/prelude"
	"quicksand/internal/webapi"
)

// inlineDigest is the size up to which hashing is done on the run's goroutine: a
// goroutine and its completion cost about as much as hashing 4 KB.
const inlineDigest = 4096

// Call serves the synchronous operations of the prelude. It is part of the
// engine's contract, not of the embedding API.
func (r *run) Call(op uint32, arg marshal.Message) engine.Reply {
	r.res.Usage.BytesOut += arg.Size()
	v, err := marshal.Decode(arg)
	if err != nil {
		return throw(&Error{Kind: KindInternal, Message: "the arguments cannot be read"})
	}
	switch op {
	case prelude.OpLog:
		level, _ := v.Index(0).Str()
		text, _ := v.Index(1).Str()
		return r.reply(r.logLine(level, text))
	case prelude.OpProgress:
		percent, _ := v.Index(0).Float()
		text, _ := v.Index(1).Str()
		r.reportProgress(percent, text)
		return engine.Reply{}
	case prelude.OpRandomBytes:
		n, _ := v.Float()
		if n < 0 || n > limitRandomBytes {
			return throw(&Error{Kind: KindLimit, Name: "RangeError", Message: fmt.Sprintf("getRandomValues: %v bytes are more than %d", n, limitRandomBytes)})
		}
		b := make([]byte, int(n))
		r.readRandom(b)
		return r.reply(b)
	case prelude.OpRandomUUID:
		var b [16]byte
		r.readRandom(b[:])
		b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80 // version 4, variant 1 of RFC 9562
		return r.reply(uuid(b))
	case prelude.OpURLParse:
		input, _ := v.Index(0).Str()
		base, hasBase := v.Index(1).Str()
		return r.urlReply(webapi.ParseURL(input, base, hasBase))
	case prelude.OpURLSet:
		href, _ := v.Index(0).Str()
		part, _ := v.Index(1).Str()
		value, _ := v.Index(2).Str()
		return r.urlReply(webapi.SetURL(href, part, value))
	case prelude.OpEncodingName:
		label, _ := v.Str()
		if name, ok := webapi.EncodingName(label); ok {
			return r.reply(name)
		}
		return engine.Reply{}
	case prelude.OpDecodeText:
		name, _ := v.Index(0).Str()
		data, _ := v.Index(1).Bytes()
		fatal, _ := v.Index(2).Bool()
		last, _ := v.Index(3).Bool()
		if text, consumed, ok := webapi.DecodeText(name, data, fatal, last); ok {
			return r.reply([]any{text, consumed})
		}
		return engine.Reply{}
	case prelude.OpEndWait:
		id, _ := v.Int()
		r.endWait(id)
		return engine.Reply{}
	}
	if op >= opBridgeSync {
		rep, _ := r.callBridge(0, r.box.registry.funcs, op-opBridgeSync, v, true)
		return rep
	}
	return throw(&Error{Kind: KindInternal, Message: fmt.Sprintf("unknown operation %d", op)})
}

// Flush starts queued calls while the guest goes on computing.
func (r *run) Flush() {
	// Settling is impossible inside of the guest's execution, so calls that could be
	// answered at once are answered through the channel like the others.
	r.startWork()
	r.calls = r.slot.iso.Calls(r.calls[:0])
	for _, c := range r.calls {
		if rep, ok := r.startCall(c); ok {
			r.early = append(r.early, completion{id: c.ID, reply: rep})
		}
	}
}

// startCalls starts the queued calls and settles those that are answered at once.
func (r *run) startCalls() (settled bool, err error) {
	// Settling may run a getter "then" of the guest, whose calls Flush adds to r.early
	// and r.calls: what is gone through here belongs to nobody else.
	early := r.early
	r.early = nil
	for _, c := range early {
		if err := r.settleCall(c.id, c.reply); err != nil {
			return settled, err
		}
		settled = true
	}
	calls := r.slot.iso.Calls(r.calls[:0])
	r.calls = nil
	for _, c := range calls {
		if rep, ok := r.startCall(c); ok {
			if err := r.settleCall(c.ID, rep); err != nil {
				return settled, err
			}
			settled = true
		}
	}
	r.calls = calls[:0]
	return settled, nil
}

// startCall begins one asynchronous call, or answers it.
func (r *run) startCall(c engine.Call) (rep engine.Reply, answered bool) {
	size := c.Arg.Size()
	r.res.Usage.BytesOut += size
	if err := r.hold(size); err != nil {
		return throw(err), true
	}
	v, err := marshal.Decode(c.Arg)
	if err != nil {
		return throw(&Error{Kind: KindInternal, Message: "the arguments cannot be read"}), true
	}
	rep, answered = r.dispatch(c, v)
	switch {
	case answered:
		// What an answered call leaves behind has been counted by itself.
		r.held -= size
	default:
		o := r.open[c.ID]
		o.size = size
		r.open[c.ID] = o
	}
	return rep, answered
}

// hold counts bytes of the guest's that the host keeps for it: arguments of open
// calls, outputs, collected values. Together they may be as large as the heap, so that
// a guest cannot make the host hold more than the guest itself could.
func (r *run) hold(n int64) error {
	if r.held+n > r.limits.Memory {
		return &Error{Kind: KindLimit, Name: "RangeError", Limit: "Memory", Value: r.limits.Memory, Used: r.held + n,
			Message: fmt.Sprintf("the host would hold %d bytes for this run in open calls, outputs and emitted values: the limit is %d (Memory)", r.held+n, r.limits.Memory)}
	}
	r.held += n
	return nil
}

// dispatch begins a call whose arguments were read.
func (r *run) dispatch(c engine.Call, v Value) (rep engine.Reply, answered bool) {
	switch c.Op {
	case prelude.OpSleep:
		ms, id := waitOf(v)
		d := r.limits.Sleep
		if ms < float64(d)/float64(time.Millisecond) {
			d = time.Duration(ms * float64(time.Millisecond))
		} else if ms > float64(d)/float64(time.Millisecond) && !r.cutSleep {
			r.cutSleep = true
			r.warn("sleep(%v) was cut to the limit Sleep of %v", ms, d)
		}
		return rep, r.waitFor(c.ID, "sleep", d, id)
	case prelude.OpTimer:
		ms, id := waitOf(v)
		if ms <= 0 {
			r.lastWait = max(r.lastWait, id)
			return rep, true
		}
		return rep, r.waitFor(c.ID, timerName, time.Duration(min(ms, float64(24*time.Hour/time.Millisecond))*float64(time.Millisecond)), id)
	case prelude.OpCallGlobal:
		id, _ := v.Index(0).Float()
		if id < 0 || int(id) >= len(r.funcs) {
			return throw(&Error{Kind: KindInternal, Message: "unknown host function"}), true
		}
		f := &r.funcs[int(id)]
		args := v.Index(1)
		r.openCall(c.ID, f.name)
		r.goCall(c.ID, func(ctx context.Context) (any, error) { return f.call(ctx, args) })
		return rep, false
	case prelude.OpDigest, prelude.OpHMAC:
		return r.digest(c, v)
	case prelude.OpEmit:
		return r.emit(c, v)
	case prelude.OpOutput:
		return r.output(v), true
	}
	switch {
	case c.Op >= opModule:
		return r.callBridge(c.ID, r.mounted, c.Op-opModule, v, false)
	case c.Op >= opBridgeAsync:
		return r.callBridge(c.ID, r.box.registry.funcs, c.Op-opBridgeAsync, v, false)
	}
	return throw(&Error{Kind: KindInternal, Message: fmt.Sprintf("unknown operation %d", c.Op)}), true
}

// timerName marks waits that are no work of the guest's: they are neither reported
// as cut off at the end nor kept in Usage.
const timerName = ""

// startWork makes what host work needs, at the first of it.
func (r *run) startWork() {
	if r.work != nil {
		return
	}
	r.workers = new(workerGroup)
	r.clock = new(meter.Clock)
	r.clock.Start(r.start, r.slot.dog.clockChanged)
	r.work, r.stopWork = context.WithCancel(context.WithValue(r.ctx, clockKey{}, r.clock))
	var stop context.CancelFunc
	r.syncWork, stop = context.WithCancel(r.work)
	r.slot.dog.setWork(r.clock, stop)
	r.done = make(chan completion, 16)
	r.ended = make(chan struct{})
	r.jobs = make(chan job)
	r.open = make(map[engine.CallID]openCall)
	r.timers = make(map[engine.CallID]*time.Timer)
}

// openCall notes a call that begins.
func (r *run) openCall(id engine.CallID, name string) {
	r.startWork()
	r.open[id] = openCall{name: name, started: time.Now()}
}

// after settles a call with undefined after d.
func (r *run) after(id engine.CallID, name string, d time.Duration) {
	r.openCall(id, name)
	done, ended := r.done, r.ended
	r.timers[id] = time.AfterFunc(d, func() {
		select {
		case done <- completion{id: id}:
		case <-ended:
		}
	})
}

// waitOf reads the argument of a wait: how long, and the guest's number for it, 0 without.
func waitOf(v Value) (ms float64, id int64) {
	if ms, ok := v.Float(); ok {
		return ms, 0
	}
	ms, _ = v.Index(0).Float()
	id, _ = v.Index(1).Int()
	return ms, id
}

// waitFor settles a call after d, or reports that the guest has ended the wait already.
func (r *run) waitFor(call engine.CallID, name string, d time.Duration, id int64) (ended bool) {
	r.lastWait = max(r.lastWait, id)
	if r.endedWaits[id] {
		delete(r.endedWaits, id)
		return true
	}
	r.after(call, name, d)
	if id != 0 {
		if r.waits == nil {
			r.waits = make(map[int64]engine.CallID)
		}
		r.waits[id] = call
		o := r.open[call]
		o.wait = id
		r.open[call] = o
	}
	return false
}

// endWait ends a wait early. The guest computes: its call is settled after that.
func (r *run) endWait(id int64) {
	call, waits := r.waits[id]
	if !waits {
		if id > r.lastWait { // the engine still holds the call
			if r.endedWaits == nil {
				r.endedWaits = make(map[int64]bool)
			}
			r.endedWaits[id] = true
		}
		return
	}
	r.timers[call].Stop()
	r.closeCall(completion{id: call})
	r.early = append(r.early, completion{id: call})
}

// goCall runs f on a worker of the run. finish cancels its context and waits for it for
// joinGrace.
func (r *run) goCall(id engine.CallID, f func(context.Context) (any, error)) {
	j := job{id, f}
	select {
	case r.jobs <- j:
	default:
		r.workers.Add(1)
		go work(r.work, j, r.jobs, r.limits.Memory, r.done, r.ended, r.workers)
	}
}

// A job is one call of a host function.
type job struct {
	id engine.CallID
	f  func(context.Context) (any, error)
}

// work is a worker: a goroutine that calls host functions, one after the other, until
// the run ends. A new goroutine for each call would grow its stack each time, which
// costs a third of a call (14 to 9 µs).
func work(ctx context.Context, j job, jobs <-chan job, limit int64, done chan<- completion, ended <-chan struct{}, workers *workerGroup) {
	defer workers.Done()
	for {
		if !complete(j.id, limit, func() (any, error) { return j.f(ctx) }, done, ended) {
			return
		}
		select {
		case j = <-jobs:
		case <-ended:
			return
		}
	}
}

// complete calls f and sends a reply of what it returns, at most limit bytes, unless the run
// ended. A panic is reported apart, and tells the guest nothing about the host. It sends
// also when f ends its goroutine; sent is false then, as when the run ended.
func complete(id engine.CallID, limit int64, f func() (any, error), done chan<- completion, ended <-chan struct{}) (sent bool) {
	c := completion{id: id}
	returned := false
	defer func() {
		if !returned {
			p := recover()
			// Without a panic this is runtime.Goexit, which ends the goroutine after us.
			if p == nil {
				p = "the host function ended its goroutine"
			}
			c.panicked = &PanicError{Value: p, Stack: debug.Stack()}
			c.reply = throw(errHostPanicked)
		}
		select {
		case done <- c:
			sent = true
		case <-ended:
		}
	}()
	v, err := f()
	switch {
	case err != nil:
		c.reply, c.err = throw(err), err
	default:
		c.reply = result(v, limit)
	}
	returned = true
	return sent
}

// result encodes what a host function returned, at most limit bytes.
func result(v any, limit int64) engine.Reply {
	m, err := marshal.Encode(v, marshal.EncodeOptions{Path: "result", MaxSize: limit})
	if err != nil {
		return throw(&Error{Kind: KindInternal, Name: "TypeError", Message: err.Error()})
	}
	return engine.Reply{Value: m}
}

// PanicError is what a host function panicked with.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprint(e.Value) }

// reply encodes the answer of a synchronous call into a buffer of the run's: the engine
// copies it before it asks for the next.
func (r *run) reply(v any) engine.Reply {
	if err := marshal.EncodeTo(&r.answer, v, marshal.EncodeOptions{}); err != nil {
		return throw(&Error{Kind: KindInternal, Message: "the reply cannot be encoded"})
	}
	return engine.Reply{Value: r.answer}
}

// reply encodes a value of ours, which always encodes.
func reply(v any) engine.Reply {
	m, err := marshal.Encode(v, marshal.EncodeOptions{})
	if err != nil {
		return throw(&Error{Kind: KindInternal, Message: "the reply cannot be encoded"})
	}
	return engine.Reply{Value: m}
}

func (r *run) urlReply(rec webapi.Record, ok bool) engine.Reply {
	if !ok {
		return engine.Reply{}
	}
	return r.reply(rec[:])
}

// throw makes a guest error of err. Only errors of our own types say more than
// their text.
func throw(err error) engine.Reply {
	g := &GuestError{Name: "Error", Message: err.Error()}
	var e *Error
	var ge *GuestError
	var be *bridges.Error
	switch {
	case errors.As(err, &ge):
		g = ge
	case errors.As(err, &be):
		g = guestError(be)
	case errors.As(err, &e):
		g.Message = e.Message
		if e.Name != "" {
			g.Name = e.Name
		}
		if e.Code != "" {
			g.Props = []marshal.Entry{{Key: "code", Value: e.Code}}
		}
	case errors.Is(err, context.Canceled):
		g.Name, g.Message = "ExecutionCancelled", "Execution cancelled"
	}
	m, eerr := marshal.Encode(g, marshal.EncodeOptions{MaxSize: 1 << 20})
	if eerr != nil {
		m, _ = marshal.Encode(&GuestError{Name: "Error", Message: "a host error could not be encoded"}, marshal.EncodeOptions{})
	}
	return engine.Reply{Value: m, Throw: true}
}

func (r *run) digest(c engine.Call, v Value) (engine.Reply, bool) {
	algorithm, _ := v.Index(0).Str()
	make := webcrypto.NewHash(algorithm)
	if make == nil {
		return throw(&Error{Kind: KindGuest, Message: fmt.Sprintf("unsupported algorithm %q", algorithm)}), true
	}
	data, _ := v.Index(1).Bytes()
	name := "crypto.digest"
	if c.Op == prelude.OpHMAC {
		name = "crypto.hmac"
		key := data
		data, _ = v.Index(2).Bytes()
		plain := make
		make = func() hash.Hash { return hmac.New(plain, key) }
	}
	sum := func(ctx context.Context) (any, error) { return webcrypto.Sum(ctx, make(), data) }
	if len(data) <= inlineDigest {
		b, _ := sum(r.ctx)
		return reply(b), true
	}
	r.openCall(c.ID, name)
	r.goCall(c.ID, sum)
	return engine.Reply{}, false
}

// readRandom fills b from the run's generator.
func (r *run) readRandom(b []byte) {
	if r.random == nil {
		r.random = new(runRandom)
	}
	r.random.Read(b)
}

// runRandom is the generator of a run: ChaCha8, which starts from the run's seed or from
// the operating system's randomness. Asking that each time would cost as much as the rest
// of a randomUUID call. Goroutines of bridges may read it, too.
type runRandom struct {
	mu sync.Mutex
	c  *rand.ChaCha8 // nil until used without a seed
}

// Read fills b.
func (r *runRandom) Read(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.c == nil {
		var key [32]byte
		crand.Read(key[:])
		r.c = rand.NewChaCha8(key)
	}
	return r.c.Read(b)
}

// uuid is the text of a UUID.
func uuid(b [16]byte) string {
	var t [36]byte
	hex.Encode(t[:], b[:4])
	hex.Encode(t[9:], b[4:6])
	hex.Encode(t[14:], b[6:8])
	hex.Encode(t[19:], b[8:10])
	hex.Encode(t[24:], b[10:])
	t[8], t[13], t[18], t[23] = '-', '-', '-', '-'
	return string(t[:])
}

// seededRandom is the generator of a run with a seed. It is apart from Math.random,
// which the engine keeps.
func seededRandom(seed uint64) *runRandom {
	var key [32]byte
	for i := range 8 {
		key[i] = byte(seed >> (8 * i))
	}
	copy(key[8:], "quicksand seeded bytes")
	return &runRandom{c: rand.NewChaCha8(key)}
}

// outgoingPart is outgoing for a value inside of a call's arguments.
func (r *run) outgoingPart(what string, v Value) (Value, error) {
	m, err := v.Message()
	if err != nil {
		return Value{}, &Error{Kind: KindInternal, Op: what, Message: "the value cannot be read", Err: err}
	}
	if m, err = r.handOut(what, m); err != nil {
		return Value{}, err
	}
	return r.outgoing(what, m)
}

// sizeOf is about what a value takes, never less than its place in a list.
func sizeOf(v Value) int64 {
	m, err := v.Message()
	if err != nil {
		return 64
	}
	return m.Size() + 64
}

// output keeps a value under its name.
func (r *run) output(v Value) engine.Reply {
	name, ok := v.Index(0).Str()
	if !ok {
		return throw(&Error{Name: "TypeError", Message: "output: name must be a string"})
	}
	name = r.redactName(name)
	if _, dup := r.res.Outputs[name]; dup {
		return throw(&Error{Message: fmt.Sprintf("output %q was already set", name)})
	}
	if len(r.res.Outputs) >= limitOutputs {
		return throw(&Error{Name: "RangeError", Message: fmt.Sprintf("output: more than %d names (Outputs)", limitOutputs)})
	}
	val, err := r.outgoingPart("output "+name, v.Index(1))
	if err == nil {
		err = r.hold(sizeOf(val))
	}
	if err != nil {
		return throw(err)
	}
	if r.res.Outputs == nil {
		r.res.Outputs = make(map[string]Value)
	}
	r.res.Outputs[name] = val
	return engine.Reply{}
}

// emit hands a value to the sink or keeps it.
func (r *run) emit(c engine.Call, v Value) (engine.Reply, bool) {
	name, ok := v.Index(0).Str()
	if !ok {
		return throw(&Error{Name: "TypeError", Message: "emit: name must be a string"}), true
	}
	if r.emits++; r.emits > limitEmits {
		return throw(&Error{Name: "RangeError", Message: fmt.Sprintf("emit: more than MAX_EMIT_CALLS = %d calls in one run", limitEmits)}), true
	}
	name = r.redactName(name)
	val, err := r.outgoingPart("emit "+name, v.Index(1))
	if err != nil {
		return throw(err), true
	}
	if r.opts.OnEmit == nil {
		if err := r.hold(sizeOf(val)); err != nil {
			return throw(err), true
		}
		r.res.Emitted = append(r.res.Emitted, Emitted{name, val})
		return engine.Reply{}, true
	}
	r.openCall(c.ID, emitName)
	if r.emitter == nil {
		r.emitter = newEmitter(r)
	}
	r.emitter.add(emission{c.ID, name, val})
	return engine.Reply{}, false
}

// endWork cancels host work that is still running and waits for it, but not for
// long.
func (r *run) endWork() {
	if r.work == nil {
		return
	}
	for _, t := range r.timers {
		t.Stop()
	}
	r.warnOpen()
	r.stopWork()
	close(r.ended)
	if r.emitter != nil {
		r.emitter.close()
	}
	// Without open calls every worker has ended or is about to.
	joined := r.workers.join()
	r.closeBridges()
	if joined {
		return
	}
	left := r.workers.count()
	r.res.Usage.Abandoned = left
	r.box.abandoned.Add(int64(left))
	r.box.log.Warn("quicksand: host functions ignored the end of their context and are still running", "count", left)
}

// warnOpen logs which calls are cut off by the end of the program.
func (r *run) warnOpen() {
	counts := make(map[string]int)
	n := 0
	for _, o := range r.open {
		if o.name != timerName {
			counts[o.name]++
			n++
		}
	}
	if n == 0 {
		return
	}
	if cause, _, _ := r.slot.dog.stopped(); cause != notStopped {
		return // the run's error says it all
	}
	list := ""
	for _, name := range sortedKeys(counts) {
		if list != "" {
			list += ", "
		}
		list += name
		if counts[name] > 1 {
			list += fmt.Sprintf(" (%d)", counts[name])
		}
	}
	r.warn("the program ended while host calls were open, which were cancelled: %s", list)
}

// A hostFunc is a Go function that the guest can call.
type hostFunc struct {
	name string
	call func(ctx context.Context, args Value) (any, error)
}

// addFunc registers a function found among the globals, for the encoder.
func (r *run) addFunc(path string, fn any) (id uint64, name string, ok bool) {
	call, ok := adapt(fn)
	if !ok {
		return 0, "", false
	}
	name = path
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '.' || path[i] == ']' {
			name = path[i+1:]
			break
		}
	}
	r.funcs = append(r.funcs, hostFunc{name, call})
	return uint64(len(r.funcs) - 1), name, true
}

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
)

// adapt makes a call of any Go function that Options.Globals allows.
func adapt(fn any) (func(context.Context, Value) (any, error), bool) {
	switch f := fn.(type) {
	case Func:
		return adaptFunc(f), f != nil
	case func(context.Context, []Value) (any, error):
		return adaptFunc(f), f != nil
	}
	v := reflect.ValueOf(fn)
	if v.Kind() != reflect.Func || v.IsNil() {
		return nil, false
	}
	t := v.Type()
	withContext := t.NumIn() > 0 && t.In(0) == contextType
	first := 0
	if withContext {
		first = 1
	}
	withError := t.NumOut() > 0 && t.Out(t.NumOut()-1) == errorType
	results := t.NumOut()
	if withError {
		results--
	}
	if results > 1 {
		return nil, false
	}
	return func(ctx context.Context, args Value) (any, error) {
		in := make([]reflect.Value, 0, t.NumIn())
		if withContext {
			in = append(in, reflect.ValueOf(ctx))
		}
		n := args.Len()
		for i := first; i < t.NumIn(); i++ {
			pt := t.In(i)
			if t.IsVariadic() && i == t.NumIn()-1 {
				for k := i - first; k < n; k++ {
					p, err := argument(args.Index(k), pt.Elem(), k)
					if err != nil {
						return nil, err
					}
					in = append(in, p)
				}
				break
			}
			p, err := argument(args.Index(i-first), pt, i-first)
			if err != nil {
				return nil, err
			}
			in = append(in, p)
		}
		out := v.Call(in)
		if withError {
			if err, _ := out[len(out)-1].Interface().(error); err != nil {
				return nil, err
			}
		}
		if results == 0 {
			return marshal.Undefined, nil
		}
		return out[0].Interface(), nil
	}, true
}

func adaptFunc(f Func) func(context.Context, Value) (any, error) {
	return func(ctx context.Context, args Value) (any, error) {
		list := make([]Value, args.Len())
		for i := range list {
			list[i] = args.Index(i)
		}
		return f(ctx, list)
	}
}

// argument converts one guest argument to a parameter's type. A missing one is the
// zero value.
func argument(v Value, t reflect.Type, i int) (reflect.Value, error) {
	p := reflect.New(t)
	if v.Kind() != marshal.KindUndefined {
		if err := v.Unmarshal(p.Interface()); err != nil {
			return reflect.Value{}, &Error{Kind: KindGuest, Name: "TypeError", Message: fmt.Sprintf("argument %d: %v", i+1, err)}
		}
	}
	return p.Elem(), nil
}
