package bench

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"
)

// A Change is one result beside that of an earlier report.
type Change struct {
	Workload, Contender, Unit string
	Old, New                  float64 // medians
	// P is the probability of a difference as large as this when nothing has changed, by the
	// rank test of Mann and Whitney.
	P float64
}

// Significant reports whether the difference is hardly chance: P is below 0.01. Machines
// differ from day to day by more than that; a change that all workloads share is one.
func (c Change) Significant() bool { return c.P < 0.01 }

// Compare finds what both reports have.
func Compare(old, new *Report) []Change {
	var list []Change
	for i := range new.Results {
		n := &new.Results[i]
		o := old.Result(n.Workload, n.Contender)
		if o == nil || o.Skipped != "" || n.Skipped != "" {
			continue
		}
		list = append(list, Change{Workload: n.Workload, Contender: n.Contender, Unit: n.Unit, Old: o.Median, New: n.Median, P: mannWhitney(o.Values, n.Values)})
	}
	return list
}

// WriteChanges writes a table of changes.
func WriteChanges(w io.Writer, list []Change) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "workload\tcontender\tbefore\tnow\tchange\tp")
	for _, c := range list {
		change := "~"
		if c.Significant() {
			change = fmt.Sprintf("%+.1f %%", 100*(c.New/c.Old-1))
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%.3f\n", c.Workload, c.Contender, figure(c.Old, c.Unit), figure(c.New, c.Unit), change, c.P)
	}
	return t.Flush()
}

// mannWhitney is the two-sided p-value of the rank-sum test in its normal approximation with
// corrections for ties and continuity (Mann and Whitney 1947).
func mannWhitney(a, b []float64) float64 {
	type sample struct {
		v     float64
		first bool
	}
	var all []sample
	for _, v := range a {
		all = append(all, sample{v, true})
	}
	for _, v := range b {
		all = append(all, sample{v, false})
	}
	if len(a) == 0 || len(b) == 0 {
		return 1
	}
	slices.SortFunc(all, func(x, y sample) int {
		switch {
		case x.v < y.v:
			return -1
		case x.v > y.v:
			return 1
		}
		return 0
	})
	var rankSum, ties float64
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j].v == all[i].v {
			j++
		}
		rank := float64(i+j+1) / 2 // the mean of the ranks i+1 … j
		for k := i; k < j; k++ {
			if all[k].first {
				rankSum += rank
			}
		}
		t := float64(j - i)
		ties += t*t*t - t
		i = j
	}
	n, m := float64(len(a)), float64(len(b))
	u := rankSum - n*(n+1)/2
	variance := n * m / 12 * (n + m + 1 - ties/((n+m)*(n+m-1)))
	if variance <= 0 {
		return 1
	}
	z := math.Max(0, math.Abs(u-n*m/2)-0.5) / math.Sqrt(variance)
	return math.Erfc(z / math.Sqrt2)
}
