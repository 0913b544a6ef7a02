package bench

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

func TestMannWhitney(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b []float64
		want float64
	}{
		// R's wilcox.test(a, b, exact = FALSE, correct = TRUE).
		{"apart", []float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9, 10}, 0.01218578},
		{"mixed", []float64{1, 3, 5, 7}, []float64{2, 4, 6, 8}, 0.66500554},
		{"the same", []float64{1, 2, 3}, []float64{1, 2, 3}, 1},
		{"all equal", []float64{2, 2}, []float64{2, 2}, 1},
		{"nothing", nil, []float64{1}, 1},
	} {
		if got := mannWhitney(c.a, c.b); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%s: got %.8f, want %.8f", c.name, got, c.want)
		}
		if got, back := mannWhitney(c.a, c.b), mannWhitney(c.b, c.a); math.Abs(got-back) > 1e-12 {
			t.Errorf("%s: %g one way, %g the other", c.name, got, back)
		}
	}
}

func TestSummaries(t *testing.T) {
	var r Result
	var values []float64
	for i := range 1000 {
		values = append(values, float64(999-i))
	}
	r.Allocs = 20
	r.summarize(values, 10)
	if r.N != 1000 || r.Least != 0 || r.Median != 49.95 || math.Abs(r.P99-98.901) > 1e-9 || r.Allocs != 2 || len(r.Values) != keptValues || r.Values[0] != 0 || r.Values[keptValues-1] != 99.9 {
		t.Errorf("got %+v", r)
	}
}

func TestFigures(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{figure(0.4, Nanoseconds), "0.40 ns"}, {figure(999, Nanoseconds), "999 ns"}, {figure(1234, Nanoseconds), "1.23 µs"},
		{figure(56.7e6, Nanoseconds), "56.7 ms"}, {figure(2e9, Nanoseconds), "2.00 s"},
		{figure(0, Bytes), "0.00 B"}, {figure(1536, Bytes), "1.50 KB"}, {figure(700<<20, Bytes), "700 MB"},
		{ratio(1.5), "1.50 ×"}, {ratio(12.34), "12.3 ×"}, {ratio(1234.5), "1\u202f235 ×"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// fake is a contender whose repetitions take what its list says.
type fake struct {
	info   Info
	values []float64
	err    error
	runs   int
}

func (f *fake) Info() Info   { return f.info }
func (f *fake) Close() error { return nil }

func (f *fake) Open(w *Workload) (Session, error) {
	if w.Name != "run/empty" {
		return nil, Unsupported("it only runs")
	}
	return &session{run: func(n int) (Batch, error) {
		b := Batch{Allocs: 3}
		for range n {
			b.Values = append(b.Values, f.values[f.runs%len(f.values)])
			f.runs++
		}
		return b, f.err
	}}, nil
}

func TestReports(t *testing.T) {
	ours := &fake{info: Info{Name: "Quicksand a", Own: true, Version: "1", Installs: "all"}, values: []float64{20_000, 30_000, 40_000}}
	peer := &fake{info: Info{Name: "peer", Version: "2"}, values: []float64{600_000}}
	broken := &fake{info: Info{Name: "broken", Version: "3"}, values: []float64{1}, err: errors.New("it | broke")}
	r := Measure([]Contender{ours, peer, broken, Missing("gone", "not installed")}, Plan{
		Wants: func(w *Workload) bool { return w.Name == "run/empty" || w.Name == "kill/late" }, Rounds: 3, Slice: time.Millisecond})
	if len(r.Results) != 8 {
		t.Fatalf("%d results", len(r.Results))
	}
	if res := r.Result("run/empty", "Quicksand a"); res.Median != 30_000 || res.Least != 20_000 || res.Allocs != 3 {
		t.Errorf("got %+v", res)
	}
	if best := r.Best("run/empty"); best == nil || best.Contender != "peer" {
		t.Errorf("best %+v", best)
	}
	if r.Best("kill/late") != nil {
		t.Error("there is no best at kill/late")
	}
	var text, markdown, page, data bytes.Buffer
	if err := errors.Join(r.WriteText(&text), r.WriteMarkdown(&markdown), r.WriteHTML(t.Context(), &page), r.Write(&data)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, text, part string }{
		{"text", text.String(), "20.0 ×"},
		{"table", markdown.String(), "| run/empty | 30.0 µs | peer | 600 µs | 20.0 × |"},
		{"skipped contender", markdown.String(), "| gone | skipped: not installed | |"},
		{"failure", markdown.String(), "broken (it / broke)"},
		{"no peer", markdown.String(), "| kill/late | skipped | no peer does it |"},
		{"nowhere behind", markdown.String(), "Nowhere in this run."},
		{"picture", page.String(), ";base64,PHN2Zy"},
		{"figures", data.String(), `"median": 30000`},
	} {
		if !strings.Contains(c.text, c.part) {
			t.Errorf("%s: %q is not in\n%s", c.name, c.part, c.text)
		}
	}
	slower := *r
	slower.Results = append([]Result(nil), r.Results...)
	slower.Results[0].Median *= 2
	slower.Results[0].Values = []float64{1e6, 1.1e6, 1.2e6, 1.3e6, 1.4e6, 1.5e6, 1.6e6, 1.7e6, 1.8e6, 1.9e6}
	changes := Compare(r, &slower)
	if len(changes) != 2 || !changes[0].Significant() || changes[0].New != 60_000 || changes[1].Significant() {
		t.Errorf("got %+v", changes)
	}
}

// A contender in another process answers as one in ours.
func TestProtocol(t *testing.T) {
	in := strings.NewReader(`{"do":"contenders"}
{"do":"run","n":1}
{"do":"open","contender":0,"workload":"kill/late"}
{"do":"open","contender":1,"workload":"run/empty"}
{"do":"open","contender":0,"workload":"run/empty"}
{"do":"run","n":2}
{"do":"close"}
{"do":"close"}
{"do":"dance"}
nonsense
`)
	var out bytes.Buffer
	if err := Serve(in, &out, []Contender{&fake{info: Info{Name: "a"}, values: []float64{5, 7}}}); err != nil {
		t.Fatal(err)
	}
	want := []string{`{"contenders":[{"name":"a","version":"","installs":""}]}`, `"error":"no workload is open"`, `{"unsupported":"it only runs"}`, `"error":"there is no workload`, `{}`,
		`{"batch":{"values":[5,7],"allocs":3,"allocBytes":0,"peakRSS":0}}`, `{}`, `{}`, `"error":"unknown request \"dance\""`, `"error":"invalid character`}
	got := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(got) != len(want) {
		t.Fatalf("got\n%s", out.String())
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("answer %d is %s, want %s", i, got[i], want[i])
		}
	}
}
