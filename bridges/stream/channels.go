package stream

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"sync"
)

// Channels makes a source of channels, one for each handle. A value is received when the
// guest asks for it and not before, and a closed channel is at its end. Among several
// channels that have a value, stream.any takes turns.
//
// released, which may be nil, is called when the guest leaves a loop over a handle early,
// for a loop over all of them once for each; it must not block. Values that are sent
// after that can still be taken. A sender has to watch the run's context besides, since
// nobody receives after the run has ended.
func Channels(handles map[string]<-chan any, released func(name string)) Source {
	return &channels{handles: maps.Clone(handles), names: slices.Sorted(maps.Keys(handles)), released: released, ended: make(map[string]bool)}
}

type channels struct {
	handles  map[string]<-chan any
	names    []string
	released func(string)

	mu    sync.Mutex
	ended map[string]bool
	next  int // where the next look at all begins
}

func (c *channels) Take(ctx context.Context, name string, all bool) (string, any, bool, error) {
	if all {
		return c.takeAny(ctx)
	}
	ch, ok := c.handles[name]
	if !ok || ch == nil {
		return "", nil, false, nil
	}
	select {
	case v, ok := <-ch:
		if !ok {
			c.end(name)
		}
		return name, v, ok, nil
	case <-ctx.Done():
		return "", nil, false, ctx.Err()
	}
}

// takeAny waits for all channels that are not at their end.
func (c *channels) takeAny(ctx context.Context) (string, any, bool, error) {
	for {
		cases := []reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(ctx.Done())}}
		var names []string
		for _, name := range c.names {
			if c.Open(name) {
				cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c.handles[name])})
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			return "", nil, false, nil
		}
		i, v, ok := reflect.Select(cases)
		switch {
		case i == 0:
			return "", nil, false, ctx.Err()
		case ok:
			return names[i-1], v.Interface(), true, nil
		}
		c.end(names[i-1])
	}
}

// try takes a value that a channel has in its buffer or a sender that waits.
func (c *channels) try(name string, all bool) (string, any, bool) {
	c.mu.Lock()
	first := c.next
	c.next++
	c.mu.Unlock()
	for i := range c.names {
		n := c.names[(first+i)%len(c.names)]
		if !all && n != name {
			continue
		}
		select {
		case v, ok := <-c.handles[n]:
			if ok {
				return n, v, true
			}
			c.end(n)
		default:
		}
	}
	return "", nil, false
}

func (c *channels) end(name string) {
	c.mu.Lock()
	c.ended[name] = true
	c.mu.Unlock()
}

// Open is true until the end of the channel was met.
func (c *channels) Open(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.handles[name] != nil && !c.ended[name]
}

func (c *channels) Release(name string, all bool) {
	if c.released == nil {
		return
	}
	for _, n := range c.names {
		if (all || n == name) && c.Open(n) {
			c.released(n)
		}
	}
}
