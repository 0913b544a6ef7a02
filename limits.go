package quicksand

import (
	"fmt"
	"math"
	"time"
)

// Limits bound one run. A zero field means the default, a value above the ceiling
// or below the floor is clamped, a negative value is an error. LIMITS.md lists all
// limits, also the fixed ones.
type Limits struct {
	// Timeout is the wall time of a run without its suspended time (see
	// SuspendClock). Default 30 s, ceiling 24 h.
	Timeout time.Duration
	// CPUTime is the time in which the engine itself may be busy. Zero means that
	// only Timeout bounds it.
	CPUTime time.Duration
	// Memory is the size of the guest heap in bytes, everything counted: objects,
	// strings, typed arrays, bytecode and the prepared realm itself (about 0.4 MB).
	// Default 64 MiB, 1 MiB to 512 MiB.
	Memory int64
	// Stack is the size of the guest's stack in bytes. Default 512 KiB, 16 KiB to
	// 8 MiB.
	Stack int64
	// OutputSize bounds each value that leaves a run (result, output, emit) by about
	// the length of its JSON text. What is longer is cut, keeps its structure, and is
	// reported in Result.Truncated. Default 100 000, 1 024 to 10 485 760.
	OutputSize int64
	// OutputBytes bounds the binary data in each such value. More is an error of kind
	// Limit, since cut binary data is worse than none. Default 64 MiB, 1 KiB to
	// 512 MiB.
	OutputBytes int64
	// Sleep is the longest single sleep; a longer one is cut to it with a warning in
	// the logs. Default 5 s, 1 ms to 1 h.
	Sleep time.Duration
	// Calls is the number of asynchronous host calls that may be open at one time.
	// Default 10 000, 1 to 100 000.
	Calls int64
	// RunMedia is how many bytes of pictures, sounds and films the host may hold for the
	// run, encoded and decoded, how many the run may load from references for itself, and how
	// many it may store. Default 256 MiB, 1 MiB to 2 GiB.
	RunMedia int64
}

// Fixed limits of a run. They protect the host's memory and have no knob.
const (
	limitSource        = 16 << 20 // bytes of one source text
	limitLogLines      = 5000     // collected log lines
	limitLogChars      = 524_288  // characters of all collected log lines
	limitForwardLines  = 1000     // log lines given to OnLog
	limitForwardChars  = 4000     // characters of one line given to OnLog
	limitProgress      = 1000     // progress reports given to OnProgress
	limitProgressChars = 500      // characters of a progress message
	limitEmits         = 10_000   // emit calls
	limitOutputs       = 10_000   // output names
	limitRandomBytes   = 65_536   // bytes of one getRandomValues
	limitTimers        = 1000     // timers of setTimeout and setInterval at one time

	progressInterval = 100 * time.Millisecond // between two forwarded reports
	// suspendAllowance is how long a run may be suspended in sum. One with input streams
	// may be there to wait for them: it has 2^31 - 1 ms, nearly 25 days.
	suspendAllowance = 30 * time.Minute
	inputAllowance   = math.MaxInt32 * time.Millisecond
	// killGrace is how long after an interrupt an engine may take to return before
	// its heap is taken away.
	killGrace = 50 * time.Millisecond
	// joinGrace is how long the end of a run waits for cancelled host functions to
	// return; if meanwhile some do, it waits again, joinRounds times at most. Those which
	// ignore their context are left behind and counted.
	joinGrace  = 50 * time.Millisecond
	joinRounds = 4
)

// A limitRow describes one limit for LIMITS.md and for resolve.
type limitRow struct {
	name                     string // as in LIMITS.md and Error.Limit
	unit                     string
	standard, floor, ceiling int64 // zero standard with a ceiling: off by default
	field                    func(*Limits) *int64
}

func durationField(f func(*Limits) *time.Duration) func(*Limits) *int64 {
	return func(l *Limits) *int64 { return (*int64)(f(l)) }
}

// limitRows are the limits that a host can set.
var limitRows = []limitRow{
	{"Timeout", "ns", int64(30 * time.Second), 1, int64(24 * time.Hour), durationField(func(l *Limits) *time.Duration { return &l.Timeout })},
	{"CPUTime", "ns", 0, 1, int64(24 * time.Hour), durationField(func(l *Limits) *time.Duration { return &l.CPUTime })},
	{"Memory", "bytes", 64 << 20, 1 << 20, 512 << 20, func(l *Limits) *int64 { return &l.Memory }},
	{"Stack", "bytes", 512 << 10, 16 << 10, 8 << 20, func(l *Limits) *int64 { return &l.Stack }},
	{"OutputSize", "characters", 100_000, 1024, 10_485_760, func(l *Limits) *int64 { return &l.OutputSize }},
	{"OutputBytes", "bytes", 64 << 20, 1024, 512 << 20, func(l *Limits) *int64 { return &l.OutputBytes }},
	{"Sleep", "ns", int64(5 * time.Second), int64(time.Millisecond), int64(time.Hour), durationField(func(l *Limits) *time.Duration { return &l.Sleep })},
	{"Calls", "calls", 10_000, 1, 100_000, func(l *Limits) *int64 { return &l.Calls }},
	{"RunMedia", "bytes", 256 << 20, 1 << 20, 2 << 30, func(l *Limits) *int64 { return &l.RunMedia }},
}

// fixedLimits are the limits without a knob, by their name in LIMITS.md.
var fixedLimits = []struct {
	name  string
	value int64
	unit  string
}{
	{"SourceSize", limitSource, "bytes"},
	{"LogLines", limitLogLines, "lines"},
	{"LogChars", limitLogChars, "characters"},
	{"ForwardedLogLines", limitForwardLines, "lines"},
	{"ForwardedLogChars", limitForwardChars, "characters"},
	{"ProgressReports", limitProgress, "reports"},
	{"ProgressInterval", int64(progressInterval), "ns"},
	{"ProgressChars", limitProgressChars, "characters"},
	{"Emits", limitEmits, "calls"},
	{"Outputs", limitOutputs, "names"},
	{"RandomBytes", limitRandomBytes, "bytes"},
	{"Timers", limitTimers, "timers"},
	{"Suspension", int64(suspendAllowance), "ns"},
}

// resolve fills zero fields from base and then from the defaults, and clamps.
func (l Limits) resolve(base Limits) (Limits, error) {
	for i := range limitRows {
		r := &limitRows[i]
		p := r.field(&l)
		if *p == 0 {
			*p = *r.field(&base)
		}
		switch {
		case *p < 0:
			return l, &Error{Kind: KindUsage, Op: "limits", Limit: r.name, Value: *p,
				Message: fmt.Sprintf("%s is %d %s: a limit cannot be negative", r.name, *p, r.unit)}
		case *p == 0:
			*p = r.standard
		case *p < r.floor:
			*p = r.floor
		case *p > r.ceiling:
			*p = r.ceiling
		}
	}
	return l, nil
}
