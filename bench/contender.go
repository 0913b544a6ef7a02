package bench

import (
	"errors"
	"fmt"
)

// A Contender does workloads in its way. It is used by one goroutine.
type Contender interface {
	Info() Info
	// Open prepares a workload. An error that is Unsupported says why the contender does not
	// take part.
	Open(w *Workload) (Session, error)
	Close() error
}

// Info describes a contender.
type Info struct {
	// Name is what reports call it: "Quicksand cgo".
	Name string `json:"name"`
	// Version names engine and library exactly.
	Version string `json:"version"`
	// Installs says what a fresh world of it holds, in a few words.
	Installs string `json:"installs"`
	// Own is set for Quicksand's engines.
	Own bool `json:"own,omitempty"`
	// Skipped says why the contender is missing. All else but Name may be empty then.
	Skipped string `json:"skipped,omitempty"`
}

// A Session is a workload that is ready.
type Session interface {
	// Run repeats the workload n times.
	Run(n int) (Batch, error)
	Close() error
}

// A Batch is what repetitions yielded.
type Batch struct {
	// Values are the figures of the repetitions, in the unit of the workload, not divided by
	// Workload.Per.
	Values []float64 `json:"values"`
	// Allocs and AllocBytes are allocations of the Go runtime for each repetition; -1 where
	// they are not known.
	Allocs     float64 `json:"allocs"`
	AllocBytes float64 `json:"allocBytes"`
	// PeakRSS is the largest resident memory of the contender's process during the batch, in
	// bytes; 0 where it is not known.
	PeakRSS int64 `json:"peakRSS"`
}

// ErrUnsupported is wrapped by errors of Open for what a contender cannot do.
var ErrUnsupported = errors.New("not supported")

// Unsupported is an error of Open that says why.
func Unsupported(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrUnsupported, fmt.Sprintf(format, args...))
}

// Missing is a contender that could not take part, and why.
func Missing(name, why string) Contender { return missing{Info{Name: name, Skipped: why}} }

type missing struct{ info Info }

func (m missing) Info() Info                      { return m.info }
func (m missing) Open(*Workload) (Session, error) { return nil, Unsupported("%s", m.info.Skipped) }
func (m missing) Close() error                    { return nil }
