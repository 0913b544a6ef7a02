package qjspure

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"modernc.org/libc"

	"quicksand/engine"
)

// States of an isolate. Only the owner leaves idle and hosting; Kill moves running
// to killing to killed, and hosting to condemned.
const (
	idle      uint32 = iota
	running          // engine code runs
	hosting          // the guest called into the host
	killing          // Kill is protecting the region
	killed           // the region is protected, or the guest must not go on
	condemned        // killed while hosting: dies on return
)

// unwind is what a panic past the engine's frames carries, beside outOfMemory.
type unwind struct{ kind engine.FailureKind }

// guarded runs f inside the engine. It returns false when f was left by a kill, at the
// memory limit, by an interrupt, or by a fault; v.failure then has the reason and the
// isolate is stopped. A host panic is passed on after the engine was left.
func (v *isolate) guarded(host engine.Host, f func()) (ok bool) {
	if v.interrupted.Load() {
		v.stop(engine.Interrupted, "")
		return false
	}
	v.host = host
	v.encoding, v.decoding = 0, 0
	v.began = now()
	v.state.Store(running)
	ok = v.enter(f)
	v.host = nil
	if v.panicked {
		p := v.panicValue
		v.panicked, v.panicValue = false, nil
		panic(p)
	}
	if ok && v.interrupted.Load() {
		// Whatever the guest made of it: an async function swallows the exception.
		v.stop(engine.Interrupted, "")
		return false
	}
	return ok
}

func (v *isolate) enter(f func()) (ok bool) {
	v.faults = debug.SetPanicOnFault(true)
	returned := false
	defer func() {
		if returned && v.state.CompareAndSwap(running, idle) {
			debug.SetPanicOnFault(v.faults)
			ok = true
			return
		}
		// recover's nil means that f returned while Kill came, or that the goroutine is
		// exiting from inside a host function.
		v.left(recover())
	}()
	v.poll() // a Kill that came before the state changed counted on this
	f()
	returned = true
	return
}

// left takes the isolate out of the engine after anything but a plain return.
func (v *isolate) left(r any) {
	debug.SetPanicOnFault(v.faults)
	wasKilled := false
	for settled := false; !settled; {
		switch st := v.state.Load(); st {
		case killing:
			runtime.Gosched()
		case killed, condemned:
			wasKilled = true
			v.region.Unprotect()
			v.state.Store(idle)
			settled = true
		default:
			settled = v.state.CompareAndSwap(st, idle)
		}
	}
	switch r := r.(type) {
	case nil:
		if wasKilled {
			v.stop(engine.Killed, "")
		} else {
			v.stop(engine.Interrupted, "the goroutine ended inside a host function")
		}
	case unwind:
		v.stop(r.kind, "")
	case outOfMemory:
		v.stop(engine.Memory, "")
	case runtime.Error:
		a, hasAddr := r.(interface{ Addr() uintptr })
		switch {
		case wasKilled && hasAddr && v.region.Contains(a.Addr()):
			v.stop(engine.Killed, "")
		case v.heap.Refused():
			// The engine did not check a large allocation that was refused. Nothing outside of
			// the region was touched.
			v.stop(engine.Memory, "")
		default:
			v.fault(fmt.Sprintf("%v", r))
		}
	default:
		v.fault(fmt.Sprintf("%v", r))
	}
	// The emulated thread may hold frames of what was left.
	v.tls.Close()
	v.tls = libc.NewTLS()
}

func (v *isolate) fault(detail string) {
	v.broken = true
	v.stop(engine.Fault, detail)
}

// stop records why the run is Stopped. The first reason stays.
func (v *isolate) stop(kind engine.FailureKind, detail string) {
	if v.stopped && kind != engine.Fault {
		return
	}
	v.stopped = true
	v.failure = engine.Failure{Kind: kind, Detail: detail}
}

// upBegin marks that Go code of the host begins to run. It must be called outside of
// whatever recovers the host's panics.
func (v *isolate) upBegin() {
	if !v.state.CompareAndSwap(running, hosting) {
		v.die()
	}
	debug.SetPanicOnFault(v.faults)
}

// upEnd marks that the guest goes on.
func (v *isolate) upEnd() {
	debug.SetPanicOnFault(true)
	if !v.state.CompareAndSwap(hosting, running) {
		v.die()
	}
}

func (v *isolate) die() {
	for v.state.Load() == killing {
		runtime.Gosched()
	}
	panic(unwind{engine.Killed})
}

// poll leaves the engine when an interrupt is pending, from loops of this package
// which may be long.
func (v *isolate) poll() {
	if v.interrupted.Load() {
		panic(unwind{engine.Interrupted})
	}
}

// upcall runs a function of the host and contains its panic. It returns false when
// it panicked.
func (v *isolate) upcall(f func()) (ok bool) {
	v.upBegin()
	ok = v.contain(f)
	v.upEnd()
	return ok
}

func (v *isolate) contain(f func()) (ok bool) {
	returned := false
	defer func() {
		if returned {
			return
		}
		r := recover()
		if r == nil {
			return // runtime.Goexit goes on unwinding
		}
		if !v.panicked {
			v.panicked, v.panicValue = true, r
		}
	}()
	f()
	returned = true
	return true
}

// Interrupt sets the flag that the engine polls.
func (v *isolate) Interrupt() { v.interrupted.Store(true) }

// Kill makes the guest's heap inaccessible while guest code runs.
func (v *isolate) Kill() {
	v.interrupted.Store(true)
	for v.CanKill() {
		switch st := v.state.Load(); st {
		case running:
			if !v.state.CompareAndSwap(st, killing) {
				continue
			}
			v.region.Protect()
			v.state.Store(killed)
			return
		case hosting:
			if v.state.CompareAndSwap(st, condemned) {
				return
			}
		case killing:
			runtime.Gosched()
		default:
			return
		}
	}
}
