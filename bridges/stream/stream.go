// Package stream gives guests input streams: values that come in while a run goes on.
//
// The host grants a run a Source, and the guest asks it for one value at a time:
//
//	for await (const row of stream("rows")) …            // the values of one handle
//	for await (const [handle, v] of stream.any()) …      // of all, as they come
//	const first = await stream.first("config")           // one value, undefined at the end
//	if (stream.open("rows")) …                           // may more come?
//
// Nothing is taken that the guest did not ask for. Channels, Sequences, Pairs and Lines
// make sources of what a host usually has; a host with something else implements Source.
//
// Time in which the guest waits for a value does not count against the run's Timeout.
//
// Leaving a loop early tells the source, through Release, so that what stands behind it
// may stop.
package stream

import (
	"context"
	"io"
	"sync"

	"quicksand/bridges"
)

// A Source feeds the input streams of one run. Its methods may be called concurrently,
// but with one Take of each handle, and one with all, at a time.
//
// A Source that is an io.Closer is closed when the run ends, if the run used it. Close
// must not block.
type Source interface {
	// Take waits for the next value of the handle name; with all, of whichever handle has
	// one next, and name is empty. It returns the handle that the value belongs to and
	// the value, which is encoded like an input of a run, or ok false at the end. A guest
	// may ask again after the end. Take returns soon after ctx ends, with an error, and
	// loses no value then. Of its errors the text reaches the guest.
	Take(ctx context.Context, name string, all bool) (handle string, value any, ok bool, err error)
	// Open reports whether values of a handle may come. It must not block.
	Open(name string) bool
	// Release says that the guest left a loop over the handle, or with all one over all of
	// them, before its end, so that what stands behind it may stop. The guest may ask
	// again all the same; what it gets then is the source's affair. It must not block.
	Release(name string, all bool)
}

// Bridge is the capability. Its grant is a Source.
var Bridge = &bridges.Bridge{
	Name:      "stream",
	Doc:       "values that come in while the program runs",
	Grant:     "Options.Input (on the command line --stream)",
	Ungranted: "stream() requires streaming-input mode; this run has no input stream",
	// Each take that waits is a call. The script lets one take of each handle wait.
	Concurrency: maxWaiting,
	Limits:      limits,
	Open:        func(s *bridges.Session, grant any) (any, error) { return newState(s, grant.(Source)), nil },
	Script:      script,
	Funcs: []bridges.Func{
		{Name: "stream", Sync: true, Params: []bridges.Param{nameParam}, Result: "an async iterable of values", Doc: "the values of one handle, each taken when it is asked for"},
		{Name: "stream.any", Sync: true, Result: "an async iterable of [handle, value]", Doc: "the values of all handles, as they come"},
		{Name: "stream.first", Params: []bridges.Param{nameParam}, Result: "the next value, undefined at the end", Doc: "takes one value"},
		{Name: "stream.open", Sync: true, Params: []bridges.Param{nameParam}, Result: "true when values may come", Doc: "looks whether a handle is open, without taking anything",
			Call: func(_ context.Context, c *bridges.Call) (any, error) { return c.State.(*state).open(c.Str(0)), nil }},
		// ready fails without a grant, so that making an iterable does.
		{Name: "_stream.ready", Sync: true, Call: func(context.Context, *bridges.Call) (any, error) { return bridges.Undefined, nil }},
		// take is [handle, value], or undefined at the end and when loop was released.
		// Without a name it is of all handles.
		{Name: "_stream.take", Params: []bridges.Param{{Name: "name", Type: bridges.String, Optional: true}, {Name: "loop", Type: bridges.Integer}},
			QuickIf: func(c *bridges.Call) bool {
				s, err := c.Session.State(c.Bridge)
				return err == nil && s.(*state).try(c)
			},
			Call: func(ctx context.Context, c *bridges.Call) (any, error) {
				s := c.State.(*state)
				if v, ok := s.was(c); ok {
					return v, nil
				}
				return s.take(ctx, c.Str(0), !c.Has(0), c.Int(1))
			}},
		// release ends loop; waits says that a take of it is under way. It is synchronous since
		// engines do not wait for it when a loop is left.
		{Name: "_stream.release", Sync: true, Params: []bridges.Param{{Name: "name", Type: bridges.String, Optional: true}, {Name: "loop", Type: bridges.Integer}, {Name: "waits", Type: bridges.Boolean}},
			Call: func(_ context.Context, c *bridges.Call) (any, error) {
				c.State.(*state).release(c.Str(0), !c.Has(0), c.Int(1), c.Bool(2))
				return bridges.Undefined, nil
			}},
	},
}

var nameParam = bridges.Param{Name: "name", Type: bridges.String, Doc: "the handle"}

// state is one run.
type state struct {
	session *bridges.Session
	source  Source

	mu sync.Mutex
	// tried is the call for which a value was there at once, and value is its result.
	tried *bridges.Call
	value any
	// parked are the takes of loops that are under way, and released the loops that were
	// released before their take got here.
	parked   map[int64]context.CancelCauseFunc
	released map[int64]bool
}

func newState(s *bridges.Session, source Source) *state {
	return &state{session: s, source: source, parked: make(map[int64]context.CancelCauseFunc), released: make(map[int64]bool)}
}

// Close ends the source with the run.
func (s *state) Close() error {
	if c, ok := s.source.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// A trier is a Source that can tell at once whether it has a value, which it gives then. That
// spares the change to another goroutine and back.
type trier interface {
	try(name string, all bool) (handle string, value any, ok bool)
}

// try takes a value for a call if one is there at once. The call comes next then, on the same
// goroutine.
func (s *state) try(c *bridges.Call) bool {
	s.mu.Lock()
	gone := s.released[c.Int(1)]
	s.mu.Unlock()
	t, ok := s.source.(trier)
	if gone || !ok {
		return false
	}
	handle, v, ok := t.try(c.Str(0), !c.Has(0))
	if ok {
		s.mu.Lock()
		s.tried, s.value = c, []any{handle, v}
		s.mu.Unlock()
	}
	return ok
}

// was is what try took for a call.
func (s *state) was(c *bridges.Call) (v any, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tried != c {
		return nil, false
	}
	v = s.value
	s.tried, s.value = nil, nil
	return v, true
}

// errReleased cancels a take whose loop the guest has left.
var errReleased = &bridges.Error{Op: "stream", Message: "released"}

// take asks the source for a value, for a loop of the guest; loop 0 is none.
func (s *state) take(ctx context.Context, name string, all bool, loop int64) (any, error) {
	if loop != 0 {
		c, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		s.mu.Lock()
		gone := s.released[loop]
		delete(s.released, loop)
		if !gone {
			s.parked[loop] = cancel
		}
		s.mu.Unlock()
		if gone {
			return bridges.Undefined, nil
		}
		defer func() {
			s.mu.Lock()
			delete(s.parked, loop)
			s.mu.Unlock()
		}()
		ctx = c
	}
	resume := s.session.Suspend()
	defer resume()
	handle, v, ok, err := s.source.Take(ctx, name, all)
	switch {
	case err != nil && ctx.Err() != nil && context.Cause(ctx) == error(errReleased):
		return bridges.Undefined, nil
	case err != nil && ctx.Err() != nil:
		return nil, context.Canceled
	case err != nil:
		return nil, err
	case !ok:
		return bridges.Undefined, nil
	}
	return []any{handle, v}, nil
}

// release ends a loop: a take of its that waits, and then the source's part.
func (s *state) release(name string, all bool, loop int64, waits bool) {
	s.mu.Lock()
	if cancel := s.parked[loop]; cancel != nil {
		cancel(errReleased)
	} else if waits {
		s.released[loop] = true
	}
	s.mu.Unlock()
	s.source.Release(name, all)
}

// open probes a handle. A probe that panics is one that says no.
func (s *state) open(name string) (open bool) {
	defer func() {
		if recover() != nil {
			open = false
		}
	}()
	return s.source.Open(name)
}
