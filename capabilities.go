package quicksand

import (
	"context"
	"errors"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"quicksand/bridges"
	"quicksand/bridges/assets"
	"quicksand/bridges/fetch"
	"quicksand/bridges/intl"
	"quicksand/bridges/secrets"
	"quicksand/bridges/stream"
	"quicksand/bridges/webcrypto"
	"quicksand/bridges/workspace"
	"quicksand/engine"
	"quicksand/internal/marshal"
	"quicksand/internal/prelude"
)

// A builtin is a capability that every sandbox has, with where Options grant it.
type builtin struct {
	bridge *bridges.Bridge
	// grant is the value of the run's grant, nil without one. It is nil itself for what is
	// always granted and takes no value.
	grant func(*Options) any
}

// builtins are in the order of the manifest.
var builtins = []builtin{
	{fetch.Bridge, func(o *Options) any { return granted(o.Fetch) }},
	{workspace.Bridge, func(o *Options) any { return granted(o.Workspace) }},
	{secrets.Bridge, func(o *Options) any { return granted(o.Secrets) }},
	{assets.Bridge, func(o *Options) any { return granted(o.Assets) }},
	{intl.Bridge, nil},
	{intl.Format, nil},
	{webcrypto.Hashing, func(o *Options) any { return granted(o.Crypto) }},
	{webcrypto.Subtle, func(o *Options) any { return granted(o.Crypto) }},
	{stream.Bridge, func(o *Options) any {
		if o.Input == nil {
			return nil
		}
		return o.Input
	}},
	{packsBridge, packsOf},
}

// granted is a grant that Options hold, or nil without it.
func granted[T any](p *T) any {
	if p == nil {
		return nil
	}
	return p
}

// Operations of bridges. A function has the same number in both ranges, and uses one.
const (
	opBridgeSync  = engine.OpHost + 1024
	opBridgeAsync = engine.OpAsync + 1024
	// opModule is the first operation of the run's own functions: those of modules of the
	// host that it imports.
	opModule = engine.OpAsync + 1<<20
)

// A registry is what a sandbox knows of its bridges. It is immutable.
type registry struct {
	bridges []*bridges.Bridge
	funcs   []boundFunc     // by operation
	fixed   map[string]bool // globals that nobody can replace
	prelude []prelude.Bridge
}

type boundFunc struct {
	bridge *bridges.Bridge
	f      *bridges.Func
}

// funcName is where a function may be found.
var funcName = regexp.MustCompile(`^_?[a-zA-Z][a-zA-Z0-9]*(\.[a-zA-Z][a-zA-Z0-9]*)*$`)

// newRegistry checks and numbers the functions of the built-in bridges, of those which
// packages have registered, and of own.
func newRegistry(registered, own []*bridges.Bridge) (*registry, error) {
	reg := &registry{fixed: make(map[string]bool)}
	for _, b := range builtins {
		reg.bridges = append(reg.bridges, b.bridge)
	}
	reg.bridges = append(reg.bridges, withOptional(registered)...)
	reg.bridges = append(reg.bridges, manifestBridge(reg))
	shipped := len(reg.bridges)
	reg.bridges = append(reg.bridges, own...)
	names := make(map[string]bool)
	for _, f := range timersBridge.Funcs {
		names[f.Name] = true
	}
	for i, b := range reg.bridges {
		if b == nil || b.Name == "" || len(b.Funcs) == 0 {
			return nil, usageError("Config.Bridges: bridge %d has no name or no functions", i-shipped)
		}
		if names[b.Name+" bridge"] {
			return nil, usageError("Config.Bridges: there are two bridges %q", b.Name)
		}
		names[b.Name+" bridge"] = true
		pb := prelude.Bridge{Script: b.Script, Replaceable: b.Replaceable}
		for k := range b.Funcs {
			f := &b.Funcs[k]
			switch root := prelude.Root(f.Name); {
			case !funcName.MatchString(f.Name):
				return nil, usageError("bridge %s: %q is no name for a function", b.Name, f.Name)
			case f.Call == nil && b.Script == "":
				return nil, usageError("bridge %s: %s has no Call", b.Name, f.Name)
			case i >= shipped && (prelude.Reserved[root] || names[f.Name]):
				return nil, usageError("bridge %s: the name %s is taken", b.Name, f.Name)
			case !f.Internal() && names[f.Name]:
				return nil, usageError("bridge %s: there are two functions %s", b.Name, f.Name)
			case !f.Internal():
				names[f.Name] = true
				reg.fixed[root] = !b.Replaceable
			}
			pf := prelude.Func{Name: f.Name}
			if f.Call != nil {
				pf.Op = opBridgeAsync + uint32(len(reg.funcs))
				if f.Sync {
					pf.Op = opBridgeSync + uint32(len(reg.funcs))
				}
				reg.funcs = append(reg.funcs, boundFunc{b, f})
			}
			pb.Funcs = append(pb.Funcs, pf)
		}
		reg.prelude = append(reg.prelude, pb)
	}
	return reg, nil
}

// grants are what a run was granted, checked and completed. Nil is none.
func (reg *registry) grants(o *Options) (map[*bridges.Bridge]any, error) {
	var m map[*bridges.Bridge]any
	add := func(b *bridges.Bridge, v any) error {
		if b.Check != nil {
			var err error
			if v, err = b.Check(v); err != nil {
				return &Error{Kind: KindUsage, Op: "run", Message: "the grant of " + b.Name + ": " + strings.TrimPrefix(err.Error(), b.Name+": "), Err: err}
			}
		}
		if m == nil {
			m = make(map[*bridges.Bridge]any)
		}
		m[b] = v
		return nil
	}
	if o.Timers {
		if err := add(timersBridge, true); err != nil {
			return nil, err
		}
	}
	for _, b := range builtins {
		if b.grant == nil {
			continue
		}
		if v := b.grant(o); v != nil {
			if err := add(b.bridge, v); err != nil {
				return nil, err
			}
		}
	}
	var mounted map[*bridges.Bridge]bool
	for _, specifier := range sortedKeys(o.Modules) {
		b := o.Modules[specifier].Host
		if b == nil {
			continue
		}
		if err := mountable(b); err != nil {
			return nil, usageError("Options.Modules: %q: %v", specifier, err)
		}
		if mounted == nil {
			mounted = make(map[*bridges.Bridge]bool)
		}
		mounted[b] = true
	}
	for _, g := range o.Grants {
		if !slices.Contains(reg.bridges, g.Bridge) && !mounted[g.Bridge] {
			return nil, usageError("Options.Grants: the sandbox does not have this bridge; Config.Bridges declares it")
		}
		if err := add(g.Bridge, g.Value); err != nil {
			return nil, err
		}
	}
	for b := range mounted {
		if _, granted := m[b]; granted || b.Always {
			continue
		}
		if err := add(b, nil); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// runBridges is what a run keeps for its bridges, from the first call of one.
type runBridges struct {
	session *bridges.Session
	gates   map[*bridges.Bridge]*gate
	// failed are the errors that bridges gave the guest, by what the guest sees of them:
	// one that comes back uncaught keeps its kind.
	failed map[string]*bridges.Error

	mu    sync.Mutex
	notes []string // warnings from goroutines of bridges
}

// A gate bounds the calls of one bridge that work at one time.
type gate struct {
	working int
	queue   []func()
}

// maxFailed is how many different errors of bridges a run remembers.
const maxFailed = 256

// bridging starts what bridges need.
func (r *run) bridging() *runBridges {
	if r.bridges != nil {
		return r.bridges
	}
	r.startWork()
	rb := &runBridges{gates: make(map[*bridges.Bridge]*gate), failed: make(map[string]*bridges.Error)}
	if r.random == nil {
		r.random = new(runRandom)
	}
	o := bridges.SessionOptions{Context: r.work, Grants: r.grants, Random: r.random, Clock: r.clock, Memory: r.limits.Memory, RunMedia: r.limits.RunMedia, Source: r.source,
		Warn: func(text string) {
			rb.mu.Lock()
			defer rb.mu.Unlock()
			if len(rb.notes) < limitForwardLines {
				rb.notes = append(rb.notes, text)
			}
		}}
	if fixed := r.opts.Now; !fixed.IsZero() {
		o.Now = func() time.Time { return fixed }
	}
	rb.session = bridges.NewSession(o)
	r.bridges = rb
	return rb
}

// flushNotes moves warnings of bridges to the logs.
func (r *run) flushNotes() {
	if r.bridges == nil {
		return
	}
	r.bridges.mu.Lock()
	notes := r.bridges.notes
	r.bridges.notes = nil
	r.bridges.mu.Unlock()
	for _, n := range notes {
		r.warn("%s", n)
	}
}

// redactName removes secrets which the guest never sees from a name that leaves the run.
func (r *run) redactName(text string) string {
	if r.bridges == nil {
		return text
	}
	return r.bridges.session.Redactor.RedactName(text)
}

// redact removes secrets that the run has learned from a text that leaves it.
func (r *run) redact(text string) string {
	if r.bridges == nil {
		return text
	}
	return r.bridges.session.Redactor.Redact(text)
}

// callBridge serves one of the functions of bridges, or begins to.
func (r *run) callBridge(id engine.CallID, funcs []boundFunc, index uint32, args Value, wait bool) (rep engine.Reply, answered bool) {
	if int64(index) >= int64(len(funcs)) {
		return throw(&Error{Kind: KindInternal, Message: "unknown operation"}), true
	}
	b, f := funcs[index].bridge, funcs[index].f
	_, granted := r.grants[b]
	granted = granted || b.Always
	if !granted && f.Without == nil {
		return r.bridgeFailed(bridges.NotGranted(b, f)), true
	}
	rb := r.bridging()
	c, err := bridges.Unpack(rb.session, b, f, args)
	if err != nil {
		return r.bridgeFailed(err), true
	}
	quick := !granted || f.Sync || f.Quick
	if !quick && f.QuickIf != nil {
		if _, err := r.quick(func() (any, error) { quick = f.QuickIf(c); return nil, nil }); err != nil {
			return r.bridgeFailed(err), true
		}
	}
	if quick {
		began := time.Now()
		ctx := r.work
		if f.Sync {
			ctx = r.syncWork
		}
		v, err := r.performNow(ctx, c, granted)
		r.countCall(shown(f), time.Since(began))
		if err != nil {
			return r.bridgeFailed(err), true
		}
		if wait {
			return r.reply(v), true
		}
		return result(v, r.limits.Memory), true
	}
	g := rb.gates[b]
	if g == nil {
		g = new(gate)
		rb.gates[b] = g
	}
	limit := b.Concurrency
	if limit == 0 {
		limit = bridges.DefaultConcurrency
	}
	r.open[id] = openCall{name: shown(f), started: time.Now(), gate: g, call: c}
	start := func() {
		g.working++
		r.goCall(id, func(ctx context.Context) (any, error) { return rb.perform(ctx, c, granted) })
	}
	if g.working < limit {
		start()
	} else {
		g.queue = append(g.queue, start)
	}
	return engine.Reply{}, false
}

// perform makes a call of a bridge, in a goroutine of its own or in the run's.
func (rb *runBridges) perform(ctx context.Context, c *bridges.Call, granted bool) (any, error) {
	if ctx.Err() != nil {
		return nil, context.Canceled
	}
	if !granted {
		return c.Func.Without(ctx, c)
	}
	var err error
	if c.State, err = rb.session.State(c.Bridge); err != nil {
		return nil, err
	}
	return c.Func.Call(ctx, c)
}

// performNow is perform on the goroutine of the run.
func (r *run) performNow(ctx context.Context, c *bridges.Call, granted bool) (v any, err error) {
	defer r.keepPanic(&err)
	defer c.Settled()
	return r.bridges.perform(ctx, c, granted)
}

// shown is how Usage and warnings call a function, whose hosts know no internal names.
func shown(f *bridges.Func) string {
	if f.Op != "" {
		return f.Op
	}
	return strings.TrimPrefix(f.Name, "_")
}

// leave lets the next call of the bridge begin.
func (g *gate) leave() {
	g.working--
	if len(g.queue) > 0 {
		next := g.queue[0]
		g.queue[0] = nil
		g.queue = g.queue[1:]
		next()
	}
}

// quick calls a bridge on the goroutine of the run, whose engine no panic may reach.
func (r *run) quick(f func() (any, error)) (v any, err error) {
	defer r.keepPanic(&err)
	return f()
}

// keepPanic is deferred around functions of the host. A panic of theirs becomes an error, and
// is kept for the run.
func (r *run) keepPanic(err *error) {
	if p := recover(); p != nil {
		if r.panicked == nil {
			r.panicked = &PanicError{Value: p, Stack: debug.Stack()}
		}
		*err = errHostPanicked
	}
}

// errHostPanicked is what the guest sees of a panic.
var errHostPanicked = &Error{Kind: KindInternal, Name: "InternalError", Message: "internal error in a host function"}

// bridgeFailed is throw for an error of a bridge, which is remembered.
func (r *run) bridgeFailed(err error) engine.Reply {
	r.remember(err)
	return throw(err)
}

func (r *run) remember(err error) {
	var e *bridges.Error
	if !errors.As(err, &e) || e.Kind == "" || e.Kind == bridges.KindGuest {
		return
	}
	rb := r.bridging()
	if len(rb.failed) < maxFailed {
		rb.failed[seen(e.Name, e.Error(), e.Code)] = e
	}
}

// seen is what a guest sees of an error of a bridge.
func seen(name, message, code string) string {
	if name == "" {
		name = "Error"
	}
	return name + "\x00" + message + "\x00" + code
}

// adopt gives the error of a run the kind and the limit of the bridge's error that it is.
func (r *run) adopt(e *Error, message string) {
	if r.bridges == nil {
		return
	}
	b := r.bridges.failed[seen(e.Name, message, e.Code)]
	if b == nil {
		return
	}
	e.Kind, e.Limit, e.Value, e.Used, e.Err = Kind(b.Kind), b.Limit, b.Value, b.Used, b.Err
	if b.Op != "" {
		e.Op = b.Op
	}
}

// guestError makes the guest's error of a bridge's.
func guestError(e *bridges.Error) *GuestError {
	g := &GuestError{Name: e.Name, Message: e.Error()}
	if g.Name == "" {
		g.Name = "Error"
	}
	if e.Code != "" {
		g.Props = []marshal.Entry{{Key: "code", Value: e.Code}}
	}
	if e.Cause != nil {
		g.Cause = guestError(e.Cause)
	}
	return g
}

// closeBridges ends what bridges keep for the run.
func (r *run) closeBridges() {
	if r.bridges == nil {
		return
	}
	if err := r.bridges.session.Close(); err != nil {
		r.box.log.Error("quicksand: closing a capability failed", "error", err)
	}
}
