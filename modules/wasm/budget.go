package wasm

import (
	"fmt"
	"sync"
	"time"

	"quicksand/bridges"
)

// Budgets of a run. A declaration can lower them: CallTimeout for the module itself, the
// others for all modules of a run.
const (
	DefaultCallTimeout        = 5 * time.Second
	DefaultCallConcurrency    = 2
	DefaultCallsPerInvocation = 256
	DefaultWallClock          = 30 * time.Second
)

// Names of the limits, in manifests as in LIMITS.md.
const (
	LimitCallTimeout = "callTimeoutMs"
	LimitConcurrency = "callConcurrency"
	LimitCalls       = "callsPerInvocation"
	LimitWallClock   = "wallClockMs"
)

// Limits describes the budgets, for manifests.
func Limits() []bridges.Limit {
	return []bridges.Limit{
		{Name: LimitCallTimeout, Unit: "ns", Default: int64(DefaultCallTimeout), Floor: 1, Ceiling: int64(DefaultCallTimeout), Doc: "one call"},
		{Name: LimitConcurrency, Unit: "calls", Default: DefaultCallConcurrency, Floor: 1, Ceiling: DefaultCallConcurrency, Doc: "calls of a run at one time"},
		{Name: LimitCalls, Unit: "calls", Default: DefaultCallsPerInvocation, Floor: 1, Ceiling: DefaultCallsPerInvocation, Doc: "calls of a run"},
		{Name: LimitWallClock, Unit: "ns", Default: int64(DefaultWallClock), Floor: 1, Ceiling: int64(DefaultWallClock), Doc: "the sum of the calls of a run"},
	}
}

// runs keeps the budgets that all modules of a run share. It has no functions.
var runs = &bridges.Bridge{
	Name: "wasm", Always: true,
	Open: func(*bridges.Session, any) (any, error) {
		return &budget{calls: DefaultCallsPerInvocation, wall: DefaultWallClock, places: semaphore{limit: DefaultCallConcurrency}}, nil
	},
}

// budget is what a run has left. It is safe for concurrent use.
type budget struct {
	places semaphore

	mu    sync.Mutex
	calls int           // the limit
	used  int           // calls that were counted
	wall  time.Duration // the limit
	spent time.Duration // by calls that have ended, and reserved by those that work
}

// runState is what one module keeps for a run.
type runState struct {
	run     *budget
	timeout time.Duration
}

// open is Bridge.Open: the module lowers the budgets of the run.
func (m *module) open(s *bridges.Session, _ any) (any, error) {
	st, err := s.State(runs)
	if err != nil {
		return nil, err
	}
	l := limitsOf(m.decl)
	b := st.(*budget)
	b.places.lower(l.CallConcurrency)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls = min(b.calls, l.CallsPerInvocation)
	b.wall = min(b.wall, l.WallClock)
	return &runState{b, l.CallTimeout}, nil
}

// count takes one of the calls of the run.
func (st *runState) count(op string) error {
	b := st.run
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used >= b.calls {
		return exceeded(op, LimitCalls, int64(b.calls), int64(b.used)+1, "the run has made its %d calls (callsPerInvocation)", b.calls)
	}
	b.used++
	return nil
}

// reserve takes the time that a call may have from what is left.
func (st *runState) reserve(op string) (time.Duration, error) {
	b := st.run
	b.mu.Lock()
	defer b.mu.Unlock()
	d := min(st.timeout, b.wall-b.spent)
	if d <= 0 {
		return 0, exceeded(op, LimitWallClock, int64(b.wall), int64(b.spent), "the calls of the run have taken the %d ms that they may take together (wallClockMs)", b.wall.Milliseconds())
	}
	b.spent += d
	return d, nil
}

// settle replaces a reservation by what the call took.
func (st *runState) settle(reserved, took time.Duration) {
	st.run.mu.Lock()
	defer st.run.mu.Unlock()
	st.run.spent += took - reserved
}

// late is the error of a call that was cut off after d.
func (st *runState) late(op string, d time.Duration) error {
	if d < st.timeout {
		wall := st.run.wallClock()
		return exceeded(op, LimitWallClock, int64(wall), int64(wall), "the call was ended after %d ms, the rest of the %d ms that the calls of the run may take together (wallClockMs)", d.Milliseconds(), wall.Milliseconds())
	}
	return exceeded(op, LimitCallTimeout, int64(d), int64(d), "the call took longer than %d ms (callTimeoutMs)", d.Milliseconds())
}

func (b *budget) wallClock() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.wall
}

func exceeded(op, limit string, value, used int64, format string, args ...any) error {
	return &bridges.Error{Kind: bridges.KindLimit, Op: op, Name: ErrorName, Code: bridges.CodeLimit, Limit: limit, Value: value, Used: used,
		Message: fmt.Sprintf(format, args...)}
}
