package bench

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
)

// Plan says what to measure.
type Plan struct {
	// Wants chooses workloads. Nil means all.
	Wants func(w *Workload) bool
	// Rounds is how often contenders take turns at each workload. Zero means 5.
	Rounds int
	// Slice is how long a turn lasts; a repetition that takes longer is a turn. Zero means
	// 50 ms.
	Slice time.Duration
	// Progress gets a line for each workload. Nil means none.
	Progress io.Writer
}

// maxPerTurn bounds how many repetitions a turn has, and with it the size of reports.
const maxPerTurn = 2000

// maxPerWorkload bounds the time of one contender in one workload: it gets fewer turns when
// they take longer.
const maxPerWorkload = 3 * time.Second

// Measure lets contenders take turns at the workloads. What one of them cannot do, or fails
// at, is in the report as skipped, with the reason.
func Measure(contenders []Contender, p Plan) *Report {
	if p.Rounds == 0 {
		p.Rounds = 5
	}
	if p.Slice == 0 {
		p.Slice = 50 * time.Millisecond
	}
	r := &Report{Machine: ThisMachine(), Started: time.Now().UTC().Truncate(time.Second), Rounds: p.Rounds, Slice: p.Slice}
	for _, c := range contenders {
		r.Contenders = append(r.Contenders, c.Info())
	}
	slow := make(map[string]string) // by contender and kind of workload: which one took too long
	for i := range Workloads {
		w := &Workloads[i]
		if p.Wants != nil && !p.Wants(w) {
			continue
		}
		began := time.Now()
		res := measure(contenders, w, p, slow)
		r.Results = append(r.Results, res...)
		if p.Progress != nil {
			fmt.Fprintf(p.Progress, "%s  %s\n", w.Name, time.Since(began).Round(time.Millisecond))
		}
	}
	r.Took = time.Since(r.Started).Round(time.Second)
	return r
}

// turns is one contender at one workload.
type turns struct {
	session Session
	n       int // repetitions of a turn
	left    time.Duration
	values  []float64
	late    bool // it took longer than patience
	result  Result
}

// kind is the name of a workload without the size at its end.
func (w *Workload) kind() string {
	if i := strings.LastIndexByte(w.Name, '-'); i > 0 && w.Name[i+1] >= '0' && w.Name[i+1] <= '9' {
		return w.Name[:i]
	}
	return w.Name
}

func measure(contenders []Contender, w *Workload, p Plan, slow map[string]string) []Result {
	all := make([]turns, len(contenders))
	for i, c := range contenders {
		t := &all[i]
		t.result = Result{Workload: w.Name, Contender: c.Info().Name, Unit: w.unit(), Allocs: -1, AllocBytes: -1}
		t.left = maxPerWorkload
		key := c.Info().Name + " " + w.kind()
		if smaller := slow[key]; smaller != "" {
			t.result.Skipped = smaller + " took too long"
			continue
		}
		t.open(c, w, p.Slice)
		if t.late {
			slow[key] = w.Name
		}
	}
	for round := range p.Rounds {
		for k := range all {
			t := &all[(k+round)%len(all)]
			if t.session == nil || t.left <= 0 {
				continue
			}
			began := time.Now()
			b, err := t.session.Run(t.n)
			t.left -= time.Since(began)
			if err != nil {
				t.fail(err)
				continue
			}
			t.add(b)
		}
	}
	results := make([]Result, len(all))
	for i := range all {
		t := &all[i]
		t.close()
		if t.result.Skipped == "" {
			t.result.summarize(t.values, w.per())
		}
		results[i] = t.result
	}
	return results
}

// open prepares the workload and finds out how many repetitions fill a turn. The first ones
// do not count: caches fill, and compilers warm up.
func (t *turns) open(c Contender, w *Workload, slice time.Duration) {
	var err error
	if t.session, err = c.Open(w); err != nil {
		t.session = nil
		t.fail(err)
		return
	}
	t.n = 1
	for {
		began := time.Now()
		if _, err = t.session.Run(t.n); err != nil {
			t.fail(err)
			return
		}
		took := time.Since(began)
		t.left -= took
		if took >= slice/2 || t.n >= maxPerTurn || w.Slow && took >= slice/10 {
			t.n = min(max(1, int(float64(t.n)*float64(slice)/float64(max(took, 1)))), maxPerTurn)
			return
		}
		t.n *= 2
	}
}

func (t *turns) fail(err error) {
	t.result.Skipped = err.Error()
	t.late = errors.Is(err, errLate)
	if errors.Is(err, ErrUnsupported) {
		t.result.Skipped = t.result.Skipped[len(ErrUnsupported.Error()+": "):]
	}
	t.close()
}

func (t *turns) close() {
	if t.session != nil {
		if err := t.session.Close(); err != nil && t.result.Skipped == "" {
			t.result.Skipped = err.Error()
		}
		t.session = nil
	}
}

func (t *turns) add(b Batch) {
	t.values = append(t.values, b.Values...)
	if b.Allocs >= 0 && (t.result.Allocs < 0 || b.Allocs < t.result.Allocs) {
		t.result.Allocs, t.result.AllocBytes = b.Allocs, b.AllocBytes
	}
	t.result.PeakRSS = max(t.result.PeakRSS, b.PeakRSS)
}

// keptValues is how many figures a report keeps of each result: the quantiles of all, so
// that later reports can be compared with it.
const keptValues = 101

func (r *Result) summarize(values []float64, per float64) {
	if len(values) == 0 {
		r.Skipped = "there was no time for it"
		return
	}
	s := slices.Sorted(slices.Values(values))
	for i := range s {
		s[i] /= per
	}
	r.N = len(s)
	r.Least, r.Median, r.P99 = s[0], quantile(s, 0.5), quantile(s, 0.99)
	if r.Allocs >= 0 {
		r.Allocs, r.AllocBytes = r.Allocs/per, r.AllocBytes/per
	}
	if len(s) <= keptValues {
		r.Values = s
		return
	}
	for i := range keptValues {
		r.Values = append(r.Values, quantile(s, float64(i)/(keptValues-1)))
	}
}

// quantile is the q-quantile of sorted values, interpolated.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(math.Floor(at))
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
