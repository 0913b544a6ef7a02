package quicksand

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// silent keeps what tests provoke on purpose out of their output.
var silent = slog.New(slog.NewTextHandler(io.Discard, nil))

// sandboxes are shared by the tests of this package, one for each engine, with two
// heaps: making one costs more than most tests.
var sandboxes struct {
	sync.Mutex
	byEngine map[string]*Sandbox
}

// eachEngine runs f with a shared sandbox of every engine in this build.
func eachEngine(t *testing.T, f func(t *testing.T, s *Sandbox)) {
	t.Helper()
	for _, name := range engineNames {
		t.Run(name, func(t *testing.T) { f(t, sharedSandbox(t, name)) })
	}
}

func sharedSandbox(t testing.TB, engine string) *Sandbox {
	t.Helper()
	sandboxes.Lock()
	defer sandboxes.Unlock()
	if s := sandboxes.byEngine[engine]; s != nil {
		return s
	}
	s := open(t, Config{Engine: engine, Isolates: 2})
	if sandboxes.byEngine == nil {
		sandboxes.byEngine = make(map[string]*Sandbox)
	}
	sandboxes.byEngine[engine] = s
	return s
}

// own makes a sandbox for one test, of the engine of s.
func own(t testing.TB, s *Sandbox, c Config) *Sandbox {
	t.Helper()
	c.Engine, _ = s.Engine()
	b := open(t, c)
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return b
}

func open(t testing.TB, c Config) *Sandbox {
	t.Helper()
	if c.Logger == nil {
		c.Logger = silent
	}
	s, err := New(c)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	return s
}

func engineName(s *Sandbox) string {
	name, _ := s.Engine()
	return name
}

// must runs a program that succeeds.
func must(t testing.TB, s *Sandbox, code string, o Options) *Result {
	t.Helper()
	res, err := s.Run(context.Background(), code, o)
	if err != nil {
		t.Fatalf("%s\n%v", head(code), err)
	}
	return res
}

// fails runs a program that fails with an error of kind.
func fails(t testing.TB, s *Sandbox, code string, o Options, kind Kind) (*Result, *Error) {
	t.Helper()
	res, err := s.Run(context.Background(), code, o)
	return res, wantKind(t, err, kind)
}

// wantKind is err as an *Error, which must be of kind.
func wantKind(t testing.TB, err error, kind Kind) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got error %v, want one of kind %s", err, kind)
	}
	if e.Kind != kind || !errors.Is(err, sentinel(kind)) {
		t.Fatalf("got kind %s (%v), want %s", e.Kind, e, kind)
	}
	return e
}

// alive checks that the sandbox still runs programs.
func alive(t testing.TB, s *Sandbox) {
	t.Helper()
	res, err := s.Run(context.Background(), "return 1+1", Options{})
	if err != nil {
		t.Errorf("the next run: %v", err)
	} else if n, ok := res.Value.Int(); !ok || n != 2 {
		t.Errorf("the next run: got %v, want 2", res.Value)
	}
}

func wantJSON(t testing.TB, what string, v Value, want string) {
	t.Helper()
	b, err := v.JSON()
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	if !sameJSON(b, []byte(want)) {
		t.Errorf("%s:\ngot  %s\nwant %s", what, b, want)
	}
}

// sameJSON compares JSON texts with the order of their keys.
func sameJSON(a, b []byte) bool {
	x, y := json.NewDecoder(bytes.NewReader(a)), json.NewDecoder(bytes.NewReader(b))
	for {
		p, perr := x.Token()
		q, qerr := y.Token()
		if perr != nil || qerr != nil {
			return perr == io.EOF && qerr == io.EOF
		}
		if p != q {
			return false
		}
	}
}

func head(code string) string {
	if len(code) > 200 {
		return code[:200] + "…"
	}
	return code
}

// logText is the lines of a result in one string.
func logText(res *Result) string {
	var b strings.Builder
	for _, l := range res.Logs {
		b.WriteString(l.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// long skips a test that takes more than a second, for the reason given, under -short.
func long(t testing.TB, why string) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes more than a second: " + why)
	}
}

// slack is how late a run may come back after its timeout: 50 ms of grace before the heap
// is taken away and 60 ms for the machine. The race detector and -short, which share
// the machine with other packages' tests, get more.
func slack() time.Duration {
	switch {
	case raceEnabled:
		return 2 * time.Second
	case testing.Short():
		return time.Second
	}
	return 110 * time.Millisecond
}

// inTime fails when f takes longer than d and slack, and returns how long it took. What the
// machine itself was late by, for goroutines which wanted to run every few milliseconds,
// is allowed; so are two late attempts out of three.
func inTime(t testing.TB, d time.Duration, f func()) time.Duration {
	t.Helper()
	var took, late time.Duration
	for range 3 {
		stop, stopped := make(chan struct{}), make(chan time.Duration)
		go func() {
			var late time.Duration
			for {
				began := time.Now()
				select {
				case <-stop:
					stopped <- late
					return
				case <-time.After(5 * time.Millisecond):
				}
				if over := time.Since(began) - 6*time.Millisecond; over > 0 {
					late += over
				}
			}
		}()
		start := time.Now()
		f()
		took = time.Since(start)
		close(stop)
		if late = <-stopped; took <= d+slack()+late {
			return took
		}
	}
	t.Errorf("back after %v, want at most %v (the machine was late by %v)", took, d+slack(), late)
	return took
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
