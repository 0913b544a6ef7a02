package stream

import (
	"context"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"quicksand/bridges"
)

// Sequences makes a source of iterators, one for each handle. An iterator is started when
// the guest first asks for a value, on a goroutine of its own, and advances by one value for
// each that the guest asks for. It is stopped – its yield returns false – when the guest
// leaves a loop over it early, and when the run ends; it is at its end then. stream.any goes
// through the handles in alphabetical order, one value of each in turn.
//
// An iterator that waits for something has to watch the run's context itself: a run can
// only leave it behind.
func Sequences(handles map[string]iter.Seq[any]) Source {
	s := &sequences{handles: make(map[string]*puller[any]), names: slices.Sorted(maps.Keys(handles))}
	for name, seq := range handles {
		s.handles[name] = newPuller(seq)
	}
	return s
}

// Values makes a source of one handle with the given values.
func Values[T any](name string, values ...T) Source {
	return Sequences(map[string]iter.Seq[any]{name: func(yield func(any) bool) {
		for _, v := range values {
			if !yield(v) {
				return
			}
		}
	}})
}

// Pairs makes a source of one iterator over handles and their values. It advances as those of
// Sequences do. What it gives while the guest asks for another handle is kept for later,
// up to 1 024 values; then the guest has to read them before it can go on. Leaving a loop
// over one handle drops what is kept and what comes for it; leaving one over all of them
// stops the iterator.
func Pairs(seq iter.Seq2[string, any]) Source {
	return &pairs{changed: make(chan struct{}), left: make(map[string]bool), puller: newPuller(func(yield func(pair) bool) {
		for name, v := range seq {
			if !yield(pair{name, v}) {
				return
			}
		}
	})}
}

// A puller makes a function that gives one value at a time of an iterator, as iter.Pull does.
// That one cannot be used here, because its functions must not be called by a goroutine which
// is locked to a thread, as those are that an engine in C has called back.
type puller[T any] struct {
	seq  iter.Seq[T]
	turn chan struct{} // of one element: who has put it in may call get

	asked    bool // for a value that was not given yet; of who has the turn
	ask      chan struct{}
	give     chan T
	halt     chan struct{} // closed to stop the iterator
	done     chan struct{} // closed when it has ended
	panicked any           // before done is closed

	mu             sync.Mutex
	started, ended bool
}

func newPuller[T any](seq iter.Seq[T]) *puller[T] {
	return &puller[T]{seq: seq, turn: make(chan struct{}, 1), ask: make(chan struct{}), give: make(chan T), halt: make(chan struct{}), done: make(chan struct{})}
}

// begin waits for the turn, which end gives up.
func (p *puller[T]) begin(ctx context.Context) error {
	select {
	case p.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *puller[T]) end() { <-p.turn }

// get advances the iterator. When ctx ends first, the value is given to the next get.
func (p *puller[T]) get(ctx context.Context) (v T, ok bool, err error) {
	if !p.start() {
		return v, false, nil
	}
	if !p.asked {
		select {
		case p.ask <- struct{}{}:
			p.asked = true
		case <-p.done:
		case <-p.halt:
		}
	}
	select {
	case v = <-p.give:
		p.asked = false
		return v, true, nil
	case <-p.halt:
		return v, false, nil
	case <-p.done:
		p.stop()
		if r := p.panicked; r != nil {
			p.panicked = nil
			panic(r)
		}
		return v, false, nil
	case <-ctx.Done():
		return v, false, ctx.Err()
	}
}

// start starts the iterator at the first call, and reports false after its end.
func (p *puller[T]) start() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended && !p.started {
		p.started = true
		go p.run()
	}
	return !p.ended
}

// run is the goroutine of the iterator. It ends with that, which stop asks for.
func (p *puller[T]) run() {
	defer close(p.done)
	defer func() { p.panicked = recover() }()
	wait := func() bool {
		select {
		case <-p.ask:
			return true
		case <-p.halt:
			return false
		}
	}
	if !wait() {
		return
	}
	p.seq(func(v T) bool {
		select {
		case p.give <- v:
			return wait()
		case <-p.halt:
			return false
		}
	})
}

// stop stops the iterator, without waiting.
func (p *puller[T]) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended {
		p.ended = true
		close(p.halt)
	}
}

// over reports whether nothing more comes.
func (p *puller[T]) over() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended
}

// join waits until a stopped iterator has returned, up to the time that ends with timeout.
func (p *puller[T]) join(timeout <-chan time.Time) {
	p.mu.Lock()
	started := p.started
	p.mu.Unlock()
	if started {
		select {
		case <-p.done:
		case <-timeout:
		}
	}
}

// joinGrace is how long the end of a run waits for stopped iterators.
const joinGrace = 50 * time.Millisecond

type sequences struct {
	handles map[string]*puller[any]
	names   []string

	mu sync.Mutex
	at int // in names, where the next take of all begins
}

func (s *sequences) Take(ctx context.Context, name string, all bool) (string, any, bool, error) {
	if !all {
		return s.take(ctx, name)
	}
	for range s.names {
		s.mu.Lock()
		name = s.names[s.at]
		s.at = (s.at + 1) % len(s.names)
		s.mu.Unlock()
		if n, v, ok, err := s.take(ctx, name); ok || err != nil {
			return n, v, ok, err
		}
	}
	return "", nil, false, nil
}

func (s *sequences) take(ctx context.Context, name string) (string, any, bool, error) {
	p := s.handles[name]
	if p == nil {
		return "", nil, false, nil
	}
	if err := p.begin(ctx); err != nil {
		return "", nil, false, err
	}
	defer p.end()
	v, ok, err := p.get(ctx)
	return name, v, ok, err
}

func (s *sequences) Open(name string) bool {
	p := s.handles[name]
	return p != nil && !p.over()
}

func (s *sequences) Release(name string, all bool) {
	for n, p := range s.handles {
		if all || n == name {
			p.stop()
		}
	}
}

// Close stops all iterators.
func (s *sequences) Close() error {
	s.Release("", true)
	timeout := time.NewTimer(joinGrace)
	defer timeout.Stop()
	for _, p := range s.handles {
		p.join(timeout.C)
	}
	return nil
}

type pair struct {
	name  string
	value any
}

type pairs struct {
	*puller[pair]

	mu      sync.Mutex
	pulling bool
	changed chan struct{} // closed and made anew when aside or pulling changed
	aside   []pair
	left    map[string]bool // handles whose loop the guest has left, as far as there is room
}

// Take looks at what was kept, and else lets the iterator advance or waits for another take
// which does.
func (s *pairs) Take(ctx context.Context, name string, all bool) (string, any, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if all {
		clear(s.left)
	} else {
		delete(s.left, name)
	}
	for {
		if i := s.kept(name, all); i >= 0 {
			p := s.aside[i]
			s.aside = slices.Delete(s.aside, i, i+1)
			return p.name, p.value, true, nil
		}
		switch {
		case s.pulling:
			if err := s.wait(ctx); err != nil {
				return "", nil, false, err
			}
		case len(s.aside) >= maxAside:
			return "", nil, false, bridges.Limitf("stream", "StreamAside", maxAside, maxAside+1, "%d values wait that came for handles which the program does not read", maxAside)
		default:
			if ok, err := s.pull(ctx); !ok {
				return "", nil, false, err
			}
		}
	}
}

// wait waits for a change. It is called with the lock and returns with it, as pull is.
func (s *pairs) wait(ctx context.Context) error {
	changed := s.changed
	s.mu.Unlock()
	defer s.mu.Lock()
	select {
	case <-changed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pull keeps one more value.
func (s *pairs) pull(ctx context.Context) (ok bool, err error) {
	s.pulling = true
	s.mu.Unlock()
	var p pair
	defer func() { // also when the iterator panicked
		s.mu.Lock()
		s.pulling = false
		close(s.changed)
		s.changed = make(chan struct{})
		if ok && !s.left[p.name] {
			s.aside = append(s.aside, p)
		}
	}()
	p, ok, err = s.get(ctx)
	return ok, err
}

// kept is the index of the first value that was kept for a handle, or -1.
func (s *pairs) kept(name string, all bool) int {
	return slices.IndexFunc(s.aside, func(p pair) bool { return all || p.name == name })
}

// Open is true for a handle with values that are kept, and for all while more may come.
func (s *pairs) Open(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept(name, false) >= 0 || !s.over()
}

func (s *pairs) Release(name string, all bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if all {
		s.aside = nil
		s.stop()
		return
	}
	if len(s.left) < maxAside && len(name) <= maxName {
		s.left[name] = true
	}
	s.aside = slices.DeleteFunc(s.aside, func(p pair) bool { return p.name == name })
}

// Close stops the iterator.
func (s *pairs) Close() error {
	s.Release("", true)
	timeout := time.NewTimer(joinGrace)
	defer timeout.Stop()
	s.join(timeout.C)
	return nil
}
