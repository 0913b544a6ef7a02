package quicksand

import (
	"context"
	"sync"
	"time"

	"quicksand/engine"
	"quicksand/internal/marshal"
	"quicksand/internal/prelude"
)

// workerGroup counts goroutines and can be waited for with a bound, which
// sync.WaitGroup cannot without leaving a goroutine behind.
type workerGroup struct {
	mu   sync.Mutex
	n    int
	zero chan struct{} // closed when n falls to zero while somebody waits
}

// Add and Done count as those of sync.WaitGroup.
func (g *workerGroup) Add(n int) {
	g.mu.Lock()
	g.n += n
	g.mu.Unlock()
}

func (g *workerGroup) Done() {
	g.mu.Lock()
	if g.n--; g.n == 0 && g.zero != nil {
		close(g.zero)
		g.zero = nil
	}
	g.mu.Unlock()
}

func (g *workerGroup) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.n
}

// wait waits until all have ended, at most for d.
func (g *workerGroup) wait(d time.Duration) bool {
	g.mu.Lock()
	if g.n == 0 {
		g.mu.Unlock()
		return true
	}
	zero := make(chan struct{})
	g.zero = zero
	g.mu.Unlock()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-zero:
		return true
	case <-t.C:
		return false
	}
}

// emitName is the name of emit calls among the open ones.
const emitName = "emit"

// join waits until all have ended: for joinGrace, and again as long as some do, which many
// need that clean up at one time.
func (g *workerGroup) join() bool {
	left := g.count()
	for range joinRounds {
		if g.wait(joinGrace) {
			return true
		}
		n := g.count()
		if n >= left {
			return false
		}
		left = n
	}
	return false
}

type emission struct {
	id    engine.CallID
	name  string
	value Value
}

// An emitter gives emitted values to the sink in their order. Its goroutine ends
// with close, after the sink has returned.
type emitter struct {
	mu     sync.Mutex
	queue  []emission
	wake   chan struct{}
	closed chan struct{}
}

func newEmitter(r *run) *emitter {
	e := &emitter{wake: make(chan struct{}, 1), closed: make(chan struct{})}
	r.workers.Add(1)
	go e.loop(r.work, r.opts.OnEmit, r.done, r.ended, r.workers)
	return e
}

// add queues a value. The number of open calls bounds the queue.
func (e *emitter) add(v emission) {
	e.mu.Lock()
	e.queue = append(e.queue, v)
	e.mu.Unlock()
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

func (e *emitter) close() { close(e.closed) }

func (e *emitter) loop(ctx context.Context, sink func(context.Context, string, Value) error, done chan<- completion, ended <-chan struct{}, workers *workerGroup) {
	finished := false
	defer func() {
		if finished {
			workers.Done()
			return
		}
		// The sink ended its goroutine (runtime.Goexit). The values after it get another.
		go e.loop(ctx, sink, done, ended, workers)
	}()
	for {
		v, ok := e.next()
		if !ok || ctx.Err() != nil || !complete(v.id, 0, func() (any, error) { return nil, sink(ctx, v.name, v.value) }, done, ended) {
			finished = true
			return
		}
	}
}

// lastWords hands over what the program emitted and put out without waiting, so that nothing
// of it is lost, and waits until the sink has taken it.
func (r *run) lastWords() error {
	for _, c := range r.slot.iso.Calls(r.calls[:0]) {
		if c.Op != prelude.OpEmit && c.Op != prelude.OpOutput {
			continue
		}
		if rep, answered := r.startCall(c); answered && rep.Throw {
			r.refused(rep)
		}
	}
	if r.emitter == nil {
		return nil
	}
	emits := 0
	for _, o := range r.open {
		if o.name == emitName {
			emits++
		}
	}
	for emits > 0 {
		select {
		case c := <-r.done:
			o, open := r.open[c.id]
			switch {
			case o.name == emitName:
				emits--
				if c.reply.Throw && r.ctx.Err() == nil {
					r.refused(c.reply)
				}
			case open:
				o.gate = nil // no other call of its bridge begins now
				r.open[c.id] = o
			}
			r.closeCall(c)
		case <-r.slot.dog.stop:
			return r.stopError()
		}
	}
	if r.ctx.Err() != nil {
		<-r.slot.dog.stop // the watchdog is about to say so
		return r.stopError()
	}
	return nil
}

// refused warns of a call that failed when the program had ended.
func (r *run) refused(rep engine.Reply) {
	v, err := marshal.Decode(rep.Value)
	if err != nil {
		return
	}
	if e, ok := v.Any().(*GuestError); ok {
		r.warn("a value that the program did not wait for was refused: %s", e.Message)
	}
}

// next waits for a value, and reports false when the emitter was closed.
func (e *emitter) next() (emission, bool) {
	for {
		e.mu.Lock()
		if len(e.queue) > 0 {
			v := e.queue[0]
			e.queue[0] = emission{} // or the value would live as long as the queue
			e.queue = e.queue[1:]
			e.mu.Unlock()
			return v, true
		}
		e.mu.Unlock()
		select {
		case <-e.wake:
		case <-e.closed:
			return emission{}, false
		}
	}
}
