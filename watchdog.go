package quicksand

import (
	"context"
	"sync"
	"time"

	"quicksand/engine"
	"quicksand/internal/meter"
)

// stopCause is why the watchdog stopped a run.
type stopCause uint8

const (
	notStopped stopCause = iota
	stopTimeout
	stopCPU
	stopCancel
	stopSuspension
)

// A watchdog ends a run that is over its time: it interrupts the engine, and
// takes its heap away when the engine has not returned killGrace later. One belongs
// to each isolate and serves one run at a time.
//
// Everything it does to the isolate happens under its lock, and disarm takes the
// lock: after disarm no Interrupt or Kill for the old run can be under way, which is
// what Isolate.Reset demands.
type watchdog struct {
	mu    sync.Mutex
	timer *time.Timer
	iso   engine.Isolate
	armed bool
	run   uint64 // counts runs, so that a late cancellation misses the next one
	cause stopCause
	clock *meter.Clock // nil while nothing can suspend the run
	// onStop ends the synchronous call that the guest may be in. Nil until there can be one.
	onStop context.CancelFunc

	start     time.Time
	timeout   time.Duration
	allowance time.Duration // how long the run may be suspended in sum
	cpu       time.Duration // budget, 0 for none
	cpuUsed   time.Duration
	entered   time.Time // when the engine was entered; zero outside
	killAt    time.Time // when the engine has to be back after an interrupt
	stop      chan struct{}
	unwatch   func() bool // ends the watch on the context
	cancelErr error
}

func newWatchdog(iso engine.Isolate) *watchdog {
	w := &watchdog{iso: iso, allowance: suspendAllowance, stop: make(chan struct{}, 1)}
	w.timer = time.AfterFunc(time.Hour, w.tick)
	w.timer.Stop()
	return w
}

// arm starts to watch a run.
func (w *watchdog) arm(ctx context.Context, start time.Time, l *Limits, allowance time.Duration) {
	w.mu.Lock()
	select {
	case <-w.stop:
	default:
	}
	w.armed, w.cause, w.clock, w.onStop, w.cancelErr = true, notStopped, nil, nil, nil
	w.start, w.timeout, w.allowance, w.cpu, w.cpuUsed = start, l.Timeout, allowance, l.CPUTime, 0
	w.entered, w.killAt = time.Time{}, time.Time{}
	w.run++
	run := w.run
	w.timer.Reset(l.Timeout - time.Since(start))
	w.mu.Unlock()
	if ctx.Done() != nil {
		w.unwatch = context.AfterFunc(ctx, func() { w.cancel(ctx, run) })
	}
}

// disarm ends the watch. Afterwards the isolate may be reset.
func (w *watchdog) disarm() {
	if w.unwatch != nil {
		w.unwatch()
		w.unwatch = nil
	}
	w.mu.Lock()
	w.armed = false
	w.timer.Stop()
	w.mu.Unlock()
}

// enter and leave bracket the time in which the engine runs.
func (w *watchdog) enter() {
	w.mu.Lock()
	w.entered = time.Now()
	// The timer may have been set for a clock that stands.
	open := w.clock != nil && w.clock.Busy(true, w.entered)
	if (w.cpu > 0 || open) && w.cause == notStopped {
		w.timer.Reset(w.wait(w.entered))
	}
	if w.cause != notStopped {
		// Stopped while the engine was idle: the interrupt is in force, the grace begins now.
		w.killAt = w.entered.Add(killGrace)
		w.timer.Reset(killGrace)
	}
	w.mu.Unlock()
}

func (w *watchdog) leave() {
	w.mu.Lock()
	now := time.Now()
	w.cpuUsed += now.Sub(w.entered)
	w.entered = time.Time{}
	if w.clock != nil {
		w.clock.Busy(false, now)
	}
	w.mu.Unlock()
}

// wait is how long nothing can be due.
func (w *watchdog) wait(now time.Time) time.Duration {
	suspended, standing := w.suspended(now)
	rest := w.timeout + suspended - now.Sub(w.start)
	if standing || suspended > w.allowance {
		rest = w.allowance - suspended
	}
	if w.cpu > 0 && !w.entered.IsZero() {
		rest = min(rest, w.cpu-w.cpuUsed-now.Sub(w.entered))
	}
	return rest
}

func (w *watchdog) suspended(now time.Time) (time.Duration, bool) {
	if w.clock == nil {
		return 0, false
	}
	return w.clock.Suspended(now)
}

// setWork gives the watchdog the clock of the run, and what ends a synchronous call.
func (w *watchdog) setWork(c *meter.Clock, onStop context.CancelFunc) {
	w.mu.Lock()
	w.clock = c
	if w.onStop = onStop; w.cause != notStopped {
		onStop()
	}
	c.Busy(!w.entered.IsZero(), time.Now())
	w.mu.Unlock()
}

// tick runs when something may be due.
func (w *watchdog) tick() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.armed {
		return
	}
	now := time.Now()
	if w.cause == notStopped {
		rest := w.wait(now)
		if rest > 0 {
			w.timer.Reset(rest)
			return
		}
		suspended, standing := w.suspended(now)
		switch {
		case standing || suspended > w.allowance:
			w.interrupt(stopSuspension, now)
		case now.Sub(w.start)-suspended >= w.timeout:
			w.interrupt(stopTimeout, now)
		default:
			w.interrupt(stopCPU, now)
		}
		return
	}
	if !w.entered.IsZero() {
		if now.Before(w.killAt) {
			w.timer.Reset(w.killAt.Sub(now))
			return
		}
		w.iso.Kill()
	}
}

// interrupt stops the run for a cause; the first cause stays.
func (w *watchdog) interrupt(cause stopCause, now time.Time) {
	if w.cause != notStopped {
		return
	}
	w.cause = cause
	w.killAt = now.Add(killGrace)
	w.iso.Interrupt()
	if w.onStop != nil {
		w.onStop()
	}
	w.timer.Reset(killGrace)
	select {
	case w.stop <- struct{}{}:
	default:
	}
}

// cancel runs when the context of a run ended, perhaps after the run did.
func (w *watchdog) cancel(ctx context.Context, run uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.armed || w.run != run {
		return
	}
	w.cancelErr = context.Cause(ctx)
	w.interrupt(stopCancel, time.Now())
}

// clockChanged looks again at what is due after the clock stood still or went on.
func (w *watchdog) clockChanged() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.armed && w.cause == notStopped {
		w.timer.Reset(max(w.wait(time.Now()), 0))
	}
}

// stopped is the cause so far, the CPU time used, and the context's error.
func (w *watchdog) stopped() (stopCause, time.Duration, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cause, w.cpuUsed, w.cancelErr
}
