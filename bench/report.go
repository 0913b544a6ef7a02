package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
)

// A Report is what Measure found.
type Report struct {
	Machine    Machine       `json:"machine"`
	Started    time.Time     `json:"started"`
	Took       time.Duration `json:"took"`
	Rounds     int           `json:"rounds"`
	Slice      time.Duration `json:"slice"`
	Contenders []Info        `json:"contenders"`
	Results    []Result      `json:"results"`
}

// A Result is the figures of one contender at one workload.
type Result struct {
	Workload  string `json:"workload"`
	Contender string `json:"contender"`
	Unit      string `json:"unit"`
	// N is the number of repetitions.
	N int `json:"n,omitempty"`
	// Median, Least and P99 are of all repetitions, divided by Workload.Per.
	Median float64 `json:"median,omitempty"`
	Least  float64 `json:"least,omitempty"`
	P99    float64 `json:"p99,omitempty"`
	// Allocs and AllocBytes are of the Go runtime, for one repetition; -1 means unknown.
	Allocs     float64 `json:"allocs"`
	AllocBytes float64 `json:"allocBytes"`
	// PeakRSS is the largest resident memory of the contender's process, in bytes.
	PeakRSS int64 `json:"peakRSS,omitempty"`
	// Values are all figures, sorted, or their percentiles when there are many.
	Values []float64 `json:"values,omitempty"`
	// Skipped says why there are none.
	Skipped string `json:"skipped,omitempty"`
}

// Result is what a contender did at a workload, or nil when it was not measured.
func (r *Report) Result(workload, contender string) *Result {
	for i := range r.Results {
		if res := &r.Results[i]; res.Workload == workload && res.Contender == contender {
			return res
		}
	}
	return nil
}

// Best is the fastest contender at a workload that is not Quicksand, or nil.
func (r *Report) Best(workload string) *Result {
	var best *Result
	for _, c := range r.Contenders {
		res := r.Result(workload, c.Name)
		if c.Own || res == nil || res.Skipped != "" {
			continue
		}
		if best == nil || res.Median < best.Median {
			best = res
		}
	}
	return best
}

// workloads are those of the report, in its order.
func (r *Report) workloads() []string {
	var names []string
	for i := range r.Results {
		if name := r.Results[i].Workload; len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	return names
}

// Write writes the report as JSON.
func (r *Report) Write(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "\t")
	return enc.Encode(r)
}

// ReadReport reads a report from a file.
func ReadReport(path string) (*Report, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := &Report{}
	if err := json.Unmarshal(b, r); err != nil {
		return nil, fmt.Errorf("%s: it is no report: %w", path, err)
	}
	return r, nil
}
