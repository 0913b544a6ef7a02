package quicksand

import (
	"time"

	"quicksand/internal/marshal"
)

// Value is a value that came out of a guest. It is immutable, safe for concurrent
// use, and decoded on demand: Any gives Go values, Ordered keeps the order of object
// keys, Unmarshal fills a Go variable as encoding/json does, and JSON writes text.
type Value = marshal.Value

// The Go types of guest values that have no type of their own in Go. They are
// accepted as inputs too.
type (
	// Object is a plain object with the order of its keys.
	Object = marshal.Object
	// Map is a guest Map in insertion order.
	Map = marshal.Map
	// Set is a guest Set in insertion order.
	Set = marshal.Set
	// GuestError is an Error object as a value, not a failure of the run.
	GuestError = marshal.Error
	// RegExp is a regular expression's source and flags.
	RegExp = marshal.RegExp
)

// Truncation reports what was left out of a value to keep Limits.OutputSize.
type Truncation = marshal.Truncation

// Emitted is one value that a program emitted.
type Emitted struct {
	Name  string
	Value Value
}

// Log is one console line.
type Log struct {
	Level   string // "log", "info", "warn", "error" or "debug"
	Message string
}

// String is the line as a log file shows it: warnings and errors have their level
// in brackets in front.
func (l Log) String() string {
	if l.Level == "" || l.Level == "log" {
		return l.Message
	}
	return "[" + l.Level + "] " + l.Message
}

// Result is what a run gave. Run returns one with every error that arose after the
// run had begun: logs, emitted values and usage are there, value and outputs are not.
type Result struct {
	// Value is what the program returned; undefined without a return.
	Value Value
	// Outputs are the values of output calls, by name. Nil after a failure.
	Outputs map[string]Value
	// Emitted are the values of emit calls in their order, unless Options.OnEmit took
	// them.
	Emitted []Emitted
	// Globals are the objects and arrays among Options.Globals as the program left
	// them, also after it threw. A run that was stopped from outside has none.
	Globals map[string]Value
	// Logs are the console lines.
	Logs []Log
	// Truncated reports, by "result", "output NAME", "emit NAME" or "global NAME",
	// which values were cut.
	Truncated map[string]*Truncation
	Usage     Usage
}

// Usage is what a run cost.
type Usage struct {
	Queue     time.Duration `json:"queueNs"`     // waiting for a heap
	Compile   time.Duration `json:"compileNs"`   // zero when the program was cached
	CPU       time.Duration `json:"cpuNs"`       // in the engine, synchronous host calls included
	Wall      time.Duration `json:"wallNs"`      // from the call of Run to its return
	Suspended time.Duration `json:"suspendedNs"` // while the clock stood still
	PeakHeap  int64         `json:"peakHeap"`    // bytes
	BytesIn   int64         `json:"bytesIn"`     // encoded values towards the guest
	BytesOut  int64         `json:"bytesOut"`    // encoded values from the guest
	// Calls are the asynchronous host calls by name. Sleep and host functions count.
	Calls map[string]CallUsage `json:"calls,omitempty"`
	// Abandoned counts host functions that ignored their cancellation and were still
	// running when Run returned.
	Abandoned int `json:"abandoned,omitempty"`
	// LogsCut is set when console lines were dropped or cut.
	LogsCut bool `json:"logsCut,omitempty"`
}

// CallUsage is what the calls of one host function cost.
type CallUsage struct {
	Count int           `json:"count"`
	Wait  time.Duration `json:"waitNs"` // sum of the times from call to settlement
}
