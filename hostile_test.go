package quicksand

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"quicksand/engine/enginetest"
)

// hurried says that programs which come to their own end get no time for it: in the short
// variant, and where the race detector makes the engine ten times slower. The table runs in
// full without it.
func hurried(s *Sandbox) bool {
	return testing.Short() || raceEnabled && engineName(s) == "pure"
}

// hostileLimits are those of the table.
func hostileLimits(s *Sandbox, p *enginetest.HostileProgram) Limits {
	l := Limits{Timeout: enginetest.Patience, Memory: 64 << 20}
	switch {
	case testing.Short():
		l.Timeout = 100 * time.Millisecond
	case hurried(s) || p.End == "timeout":
		l.Timeout = time.Second
	}
	return l
}

func kindOf(err error) string {
	var e *Error
	switch {
	case err == nil:
		return "value"
	case errors.As(err, &e):
		return string(e.Kind)
	}
	return "not an *Error"
}

func TestHostilePrograms(t *testing.T) {
	rows := enginetest.HostilePrograms()
	if len(rows) < 90 {
		t.Fatalf("only %d hostile programs", len(rows))
	}
	if testing.Short() {
		var some []enginetest.HostileProgram
		for i := 0; i < len(rows); i += 4 {
			some = append(some, rows[i])
		}
		rows = some
	}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		// Programs that fill the memory run one after the other, so that the growth of the
		// process can be charged to one; the others in pairs.
		var full, rest []enginetest.HostileProgram
		for _, r := range rows {
			if r.End == "memory" {
				full = append(full, r)
			} else {
				rest = append(rest, r)
			}
		}
		t.Run("one by one", func(t *testing.T) {
			box := own(t, s, Config{Isolates: 1})
			alive(t, box)
			for _, r := range full {
				t.Run(r.Name, func(t *testing.T) {
					hostile(t, box, &r, 1)
				})
			}
		})
		t.Run("in pairs", func(t *testing.T) {
			box := own(t, s, Config{Isolates: 2})
			alive(t, box)
			var wg sync.WaitGroup
			work := make(chan *enginetest.HostileProgram)
			for range 2 {
				wg.Go(func() {
					for r := range work {
						t.Run(r.Name, func(t *testing.T) {
							hostile(t, box, r, 2)
						})
					}
				})
			}
			for i := range rest {
				work <- &rest[i]
			}
			close(work)
			wg.Wait()
		})
	})
}

// Reading a program is part of the run, before any guest code: it ends with the run's time
// and its context, too.
func TestReadingALongProgramEndsWithTheRun(t *testing.T) {
	code := strings.Repeat("f(a / b, `c${d}`, /e/);\n", 15<<20/24)
	why := errors.New("nobody waits any more")
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, ts := range []bool{false, true} {
			inTime(t, 10*time.Millisecond, func() {
				fails(t, s, code, Options{TypeScript: ts, Limits: Limits{Timeout: 10 * time.Millisecond}}, KindTimeout)
			})
			ctx, cancel := context.WithCancelCause(context.Background())
			stop := time.AfterFunc(10*time.Millisecond, func() { cancel(why) })
			_, err := s.Run(ctx, code, Options{TypeScript: ts})
			stop.Stop()
			if e := wantKind(t, err, KindCancelled); !errors.Is(e, why) {
				t.Errorf("got %v, want the cause of the context", e)
			}
		}
		alive(t, s)
	})
}

// hostile runs one program of the table and checks what hostile.md demands. The memory
// of the process may grow by that of as many runs as go on at the same time.
func hostile(t *testing.T, s *Sandbox, p *enginetest.HostileProgram, at int64) {
	limits := hostileLimits(s, p)
	measured := resetPeak()
	before := residentSet(t)
	var err error
	inTime(t, limits.Timeout, func() {
		_, err = s.Run(context.Background(), p.Code, Options{Limits: limits})
	})
	if kind := kindOf(err); kind != p.End && !(kind == "timeout" && hurried(s)) {
		t.Errorf("got %s (%v), want %s", kind, err, p.End)
	}
	var e *Error
	allowed := at * (limits.Memory + 32<<20)
	if errors.As(err, &e) && e.Kind == KindMemory && e.Op == "compile" {
		allowed += 256 << 20 // the compiler's own
	}
	if measured && !raceEnabled {
		if grown := peakSet(t) - before; grown > allowed {
			t.Errorf("resident memory grew by %d MB, want at most %d", grown>>20, allowed>>20)
		}
	}
	if e != nil {
		if e.Kind == KindMemory && e.Op == "run" && (e.Limit != "Memory" || e.Value != limits.Memory || e.Used <= 0) {
			t.Errorf("got limit %q, value %d, used %d, want Memory, %d, and more than 0", e.Limit, e.Value, e.Used, limits.Memory)
		}
		if e.Text() == "null" || e.Text() == "" {
			t.Errorf("the error has no text: %#v", e)
		}
		leaks(t, e)
	}
	alive(t, s)
}

// leaks fails when an error says something about the host.
func leaks(t testing.TB, e *Error) {
	t.Helper()
	all := strings.Join([]string{e.Name, e.Message, e.Stack, e.Code, e.Cause}, "\n")
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{".go:", wd, "goroutine ", "marshal.", "quicksand.", "quicksand:prelude", "runtime error", "0xc0", "*errors", "engine."} {
		if strings.Contains(all, bad) {
			t.Errorf("the error says %q: %s", bad, all)
		}
	}
}

// residentSet is the memory of the process in bytes, and 0 where it cannot be known.
func residentSet(t testing.TB) int64 { return status(t, "VmRSS:") << 10 }

// peakSet is the most it was since resetPeak.
func peakSet(t testing.TB) int64 { return status(t, "VmHWM:") << 10 }

func status(t testing.TB, key string) int64 {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	for line := range strings.Lines(readFile(t, "/proc/self/status")) {
		if rest, ok := strings.CutPrefix(line, key); ok {
			n, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	return 0
}

// resetPeak reports whether peakSet can be used.
func resetPeak() bool {
	return runtime.GOOS == "linux" && os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil
}
