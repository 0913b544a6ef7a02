package bridges

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"sync"
	"time"

	"quicksand/internal/meter"
)

// A Session is one run, as its bridges see it. It is safe for concurrent use.
type Session struct {
	// Redactor knows the secrets of the run. What leaves the run passes it.
	Redactor Redactor

	o     SessionOptions
	media *meter.Budget

	mu     sync.Mutex
	states map[*Bridge]*state
	opened []*state // in the order in which they were open, for Close
	closed bool
	warned map[string]bool // by WarnOnce
}

// SessionOptions make a Session. Sandboxes fill them; only tests of bridges need to.
type SessionOptions struct {
	// Context ends with the run. Nil means context.Background().
	Context context.Context
	// Grants are what the run was granted, after Bridge.Check.
	Grants map[*Bridge]any
	// Warn takes a line for the run's logs, from any goroutine. Nil drops it.
	Warn func(text string)
	// Random is the run's randomness. It is safe for concurrent use. Nil means the
	// operating system's.
	Random io.Reader
	// Now is the time that the guest sees. Nil means time.Now.
	Now func() time.Time
	// Clock is the run's clock. Nil means none.
	Clock *meter.Clock
	// Source is the code of a file of the run, by the name that stacks show, or of its
	// program by "". Nil means that no code is known.
	Source func(name string) (code string, ok bool)
	// Memory is how many bytes the run may hold on the host, in sum; bridges bound single
	// values by it. Zero means 64 MiB.
	Memory int64
	// RunMedia is how many bytes of media the host may hold for the run. Zero means 256 MiB.
	RunMedia int64
}

// state is what one bridge keeps for the run. Of its fields done alone is read before done is
// closed.
type state struct {
	done  chan struct{} // closed when it is open
	value any
	err   error
}

// NewSession makes a session. Who makes it closes it.
func NewSession(o SessionOptions) *Session {
	if o.Context == nil {
		o.Context = context.Background()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Memory == 0 {
		o.Memory = 64 << 20
	}
	if o.RunMedia == 0 {
		o.RunMedia = 256 << 20
	}
	return &Session{o: o, media: meter.NewBudget(o.RunMedia), states: make(map[*Bridge]*state)}
}

// Context ends with the run.
func (s *Session) Context() context.Context { return s.o.Context }

// Grant is the value of the run's grant of b; ok reports whether it has one.
func (s *Session) Grant(b *Bridge) (value any, ok bool) {
	v, ok := s.o.Grants[b]
	return v, ok || b.Always
}

// Warn adds a warning to the run's logs.
func (s *Session) Warn(text string) {
	if s.o.Warn != nil {
		s.o.Warn(s.Redactor.Redact(text))
	}
}

// WarnOnce is Warn for a line that the logs of a run show once.
func (s *Session) WarnOnce(text string) {
	s.mu.Lock()
	known := s.warned[text]
	if !known {
		if s.warned == nil {
			s.warned = make(map[string]bool)
		}
		s.warned[text] = true
	}
	s.mu.Unlock()
	if !known {
		s.Warn(text)
	}
}

// Now is the time that the guest sees.
func (s *Session) Now() time.Time { return s.o.Now() }

// Random fills p from the run's randomness, which a run with a seed repeats.
func (s *Session) Random(p []byte) {
	if s.o.Random != nil {
		s.o.Random.Read(p)
		return
	}
	rand.Read(p)
}

// Memory is how many bytes the run may hold on the host, in sum.
func (s *Session) Memory() int64 { return s.o.Memory }

// Source is the code of a file of the run, by the name that stacks show, or of its program
// by "". It reports false for what is none.
func (s *Session) Source(name string) (code string, ok bool) {
	if s.o.Source == nil {
		return "", false
	}
	return s.o.Source(name)
}

// Suspend stops the clock of the run's Timeout until resume is called, which may be more
// than once. Suspensions nest.
func (s *Session) Suspend() (resume func()) {
	if s.o.Clock == nil {
		return func() {}
	}
	return s.o.Clock.Suspend()
}

// ErrNotGranted is what State returns for a bridge that the run was not granted.
var ErrNotGranted = errors.New("the bridge is not granted")

// State is what b keeps for this run, opened at the first need. It is an error without a
// grant: ErrNotGranted tells. Bridges use it to work through each other, so that what one
// may not do, none may do in its name.
func (s *Session) State(b *Bridge) (any, error) {
	grant, ok := s.Grant(b)
	if !ok {
		return nil, ErrNotGranted
	}
	if b.Open == nil {
		return grant, nil
	}
	s.mu.Lock()
	st := s.states[b]
	if st == nil {
		if s.closed {
			s.mu.Unlock()
			return nil, context.Canceled
		}
		st = &state{done: make(chan struct{})}
		s.states[b] = st
		s.mu.Unlock()
		s.open(st, b, grant)
		return st.value, st.err
	}
	s.mu.Unlock()
	select {
	case <-st.done:
	default:
		select {
		case <-st.done:
		case <-s.o.Context.Done():
			return nil, context.Canceled
		}
	}
	return st.value, st.err
}

// errOpen is what State returns for a bridge whose Open panicked before.
var errOpen = &Error{Kind: KindInternal, Message: "the capability could not be opened"}

// open opens a state. One that is open only after the session was closed is closed at once.
func (s *Session) open(st *state, b *Bridge, grant any) {
	st.err = errOpen
	defer func() {
		s.mu.Lock()
		late := s.closed
		if !late {
			s.opened = append(s.opened, st)
		}
		s.mu.Unlock()
		if late {
			st.close()
			st.value, st.err = nil, context.Canceled
		}
		close(st.done)
	}()
	st.value, st.err = b.Open(s, grant)
}

func (st *state) close() error {
	if c, ok := st.value.(io.Closer); ok && st.err == nil {
		return c.Close()
	}
	return nil
}

// Close closes the states of the run in the reverse of the order in which they were opened.
// It does not wait for those that are being opened, which are closed when they are open.
func (s *Session) Close() error {
	s.mu.Lock()
	opened := s.opened
	s.opened, s.closed = nil, true
	s.mu.Unlock()
	var first error
	for i := len(opened) - 1; i >= 0; i-- {
		if err := opened[i].close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
