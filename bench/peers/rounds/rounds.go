// Package rounds measures the same work done by several peers, side by side.
//
// The machine is never quiet, so peers take turns within each round, in an order that
// moves on by one: what disturbs a round disturbs all of them alike. Medians and least
// times are reported, and above all their ratios.
package rounds

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"quicksand/bench"
)

// A Peer does a task in its way. Run is called once to warm up and once in each round.
type Peer struct {
	Name string
	Run  func() error
	// Before is called before each Run, outside of the measured time. May be nil.
	Before func() error
	// Describe says, after the first Run, what came out. May be nil.
	Describe func() (string, error)
	// Every makes the peer take part in one of so many rounds, if it is very slow. Zero is
	// one: in all of them.
	Every int
	// Skip says why the peer does not take part; Run is then not called.
	Skip string
}

// A Task is work that all peers do. The first peer is the one to which the others are
// compared.
type Task struct {
	Name   string
	Rounds int
	Peers  []Peer
	// Notes are printed below the table of the task.
	Notes []string
}

// A Result is the figures of one peer in one task. Times are in milliseconds.
type Result struct {
	Peer   string  `json:"peer"`
	Median float64 `json:"median,omitempty"`
	Min    float64 `json:"min,omitempty"`
	// Ratio is the peer's median divided by the first peer's.
	Ratio   float64   `json:"ratio,omitempty"`
	All     []float64 `json:"all,omitempty"`
	Output  string    `json:"output,omitempty"`
	Skipped string    `json:"skipped,omitempty"`
}

// A Table is a measured task.
type Table struct {
	Task    string   `json:"task"`
	Rounds  int      `json:"rounds"`
	Results []Result `json:"results"`
	Notes   []string `json:"notes,omitempty"`
}

// Measure runs a task. A peer that fails is reported as skipped with its error.
func Measure(t Task, progress io.Writer) Table {
	table := Table{Task: t.Name, Rounds: t.Rounds, Results: make([]Result, len(t.Peers)), Notes: t.Notes}
	run := func(i int) float64 {
		p, r := t.Peers[i], &table.Results[i]
		if r.Skipped != "" {
			return 0
		}
		if p.Before != nil {
			if err := p.Before(); err != nil {
				r.Skipped = err.Error()
				return 0
			}
		}
		runtime.GC()
		start := time.Now()
		err := p.Run()
		took := float64(time.Since(start).Microseconds()) / 1000
		if err != nil {
			r.Skipped = err.Error()
		}
		return took
	}
	for i, p := range t.Peers {
		table.Results[i] = Result{Peer: p.Name, Skipped: p.Skip}
		run(i)
		if r := &table.Results[i]; p.Describe != nil && r.Skipped == "" {
			var err error
			if r.Output, err = p.Describe(); err != nil {
				r.Skipped = err.Error()
			}
		}
	}
	for round := range t.Rounds {
		for k := range t.Peers {
			i := (k + round) % len(t.Peers)
			if every := t.Peers[i].Every; every > 1 && round%every > 0 {
				continue
			}
			if ms := run(i); table.Results[i].Skipped == "" {
				table.Results[i].All = append(table.Results[i].All, ms)
			}
		}
		fmt.Fprintf(progress, "\r%s: round %d of %d", t.Name, round+1, t.Rounds)
	}
	fmt.Fprintln(progress)
	for i := range table.Results {
		r := &table.Results[i]
		if r.Skipped != "" || len(r.All) == 0 {
			r.All = nil
			continue
		}
		r.Median, r.Min = median(r.All), slices.Min(r.All)
		if first := table.Results[0].Median; first > 0 {
			r.Ratio = r.Median / first
		}
	}
	return table
}

func median(all []float64) float64 {
	s := slices.Sorted(slices.Values(all))
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

// Markdown writes the table.
func (t Table) Markdown(w io.Writer) {
	fmt.Fprintf(w, "## %s\n\n%d rounds, milliseconds.\n\n", t.Task, t.Rounds)
	fmt.Fprintf(w, "| | median | least | median ÷ ours | output |\n|---|---:|---:|---:|---|\n")
	for _, r := range t.Results {
		if r.Skipped != "" {
			fmt.Fprintf(w, "| %s | | | | skipped: %s |\n", r.Peer, strings.ReplaceAll(r.Skipped, "|", "/"))
			continue
		}
		fmt.Fprintf(w, "| %s | %.1f | %.1f | %.2f | %s |\n", r.Peer, r.Median, r.Min, r.Ratio, r.Output)
	}
	fmt.Fprintln(w)
	for _, n := range t.Notes {
		fmt.Fprintf(w, "%s\n\n", n)
	}
}

// Of is the result of a peer, or nil if there is none or it was skipped.
func (t Table) Of(peer string) *Result {
	for i, r := range t.Results {
		if r.Peer == peer && r.Skipped == "" {
			return &t.Results[i]
		}
	}
	return nil
}

// A Report is what a program of this module writes.
type Report struct {
	Machine  bench.Machine     `json:"machine"`
	Versions map[string]string `json:"versions"`
	Tables   []Table           `json:"tables"`
}

// NewReport begins a report of this machine.
func NewReport() Report {
	return Report{Machine: bench.ThisMachine(), Versions: make(map[string]string)}
}

// Origin writes where the figures come from: the machine and the versions of the peers.
func (r Report) Origin(w io.Writer) {
	m := r.Machine
	fmt.Fprintf(w, "Machine: %s, %d processors, %s, %s; load %s at the start.\n", m.CPU, m.CPUs, m.OS, m.Go, m.Load)
	var versions []string
	for _, name := range slices.Sorted(maps.Keys(r.Versions)) {
		versions = append(versions, name+" "+r.Versions[name])
	}
	fmt.Fprintf(w, "Versions: %s.\n\n", strings.Join(versions, ", "))
}

// WriteJSON writes the report to a file.
func (r Report) WriteJSON(path string) error {
	b, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}
