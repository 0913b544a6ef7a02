package quicksand

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"quicksand/bridges/assets"
	"quicksand/internal/meter"
)

// hits has a test for each limit which stays just below it, meets it, and exceeds it.
var hits = map[string]func(*testing.T, *Sandbox){
	"Timeout": func(t *testing.T, s *Sandbox) {
		l := Limits{Timeout: 100 * time.Millisecond}
		must(t, s, "await sleep(1); return 1", Options{Limits: Limits{Timeout: 10 * time.Second}})
		for _, code := range []string{"for (;;);", "await sleep(5000)", "await new Promise(() => { for (;;); })"} {
			var e *Error
			inTime(t, l.Timeout, func() { _, e = fails(t, s, code, Options{Limits: l}, KindTimeout) })
			wantLimit(t, e, "Timeout", int64(l.Timeout), int64(l.Timeout), math.MaxInt64)
		}
	},
	"CPUTime": func(t *testing.T, s *Sandbox) {
		l := Limits{CPUTime: 50 * time.Millisecond}
		var e *Error
		inTime(t, l.CPUTime, func() { _, e = fails(t, s, "for (;;);", Options{Limits: l}, KindCPU) })
		wantLimit(t, e, "CPUTime", int64(l.CPUTime), int64(l.CPUTime), math.MaxInt64)
		must(t, s, "await sleep(60); return 1", Options{Limits: l})
	},
	"Memory": func(t *testing.T, s *Sandbox) {
		l := Limits{Memory: 4 << 20}
		must(t, s, "return new Uint8Array(2 << 20).length", Options{Limits: l})
		_, e := fails(t, s, "const a = []; for (;;) a.push({})", Options{Limits: l}, KindMemory)
		wantLimit(t, e, "Memory", l.Memory, l.Memory/2, l.Memory)
		// A large single request may be caught, and is the memory kind otherwise.
		_, e = fails(t, s, "new Uint8Array(5 << 20)", Options{Limits: l}, KindMemory)
		wantLimit(t, e, "Memory", l.Memory, 1, l.Memory)
		must(t, s, "try { new Uint8Array(5 << 20) } catch (e) { return e.message }", Options{Limits: l})
		must(t, s, "return new Uint8Array(5 << 20).length", Options{})
		// So may a value on its way in, and what the host would hold.
		_, err := s.Run(context.Background(), "return 1", Options{Limits: l, Inputs: map[string]any{"big": strings.Repeat("x", 8<<20)}})
		if err == nil {
			t.Error("inputs larger than the heap gave no error")
		}
		_, e = fails(t, s, "for (let i = 0; ; i++) await output('o' + i, new Uint8Array(1 << 19))", Options{Limits: l}, KindGuest)
		if e.Name != "RangeError" || !strings.Contains(e.Message, "Memory") {
			t.Errorf("got %v", e)
		}
	},
	"Stack": func(t *testing.T, s *Sandbox) {
		const deep = "const f = (n) => n === 0 ? 0 : 1 + f(n - 1); return f(inputs.n)"
		run := func(stack int64, n int) error {
			_, err := s.Run(context.Background(), deep, Options{Inputs: map[string]any{"n": n}, Limits: Limits{Stack: stack}})
			return err
		}
		if err := run(0, 500); err != nil {
			t.Errorf("500 levels: %v", err)
		}
		e := wantKind(t, run(0, 1_000_000), KindStack)
		wantLimit(t, e, "Stack", 512<<10, 0, math.MaxInt64)
		e = wantKind(t, run(32<<10, 2000), KindStack)
		wantLimit(t, e, "Stack", 32<<10, 0, math.MaxInt64)
		if err := run(8<<20, 1500); err != nil {
			t.Errorf("1 500 levels in 8 MB: %v", err)
		}
		res := must(t, s, "function f() { f() } try { f() } catch (e) { return [e instanceof Error, e.message.length > 0] }", Options{})
		wantJSON(t, "what the guest caught", res.Value, "[true,true]")
	},
	"OutputSize": func(t *testing.T, s *Sandbox) {
		o := Options{Inputs: map[string]any{"n": 99_000}}
		res := must(t, s, "return 'x'.repeat(inputs.n)", o)
		if res.Truncated != nil || res.Value.Len() != 99_000 {
			t.Errorf("99 000 characters were cut: %v", res.Truncated)
		}
		o.Inputs = map[string]any{"n": 200_000}
		res = must(t, s, "const v = 'x'.repeat(inputs.n); await output('o', [v]); await emit('e', { v }); state.v = v; return v", Options{Inputs: o.Inputs, Globals: map[string]any{"state": map[string]any{}}})
		for _, what := range []string{"result", "output o", "emit e", "global state"} {
			cut := res.Truncated[what]
			if cut == nil || cut.Size < 200_000 || cut.Kept > 100_100 || cut.Strings != 1 {
				t.Errorf("%s: got %+v", what, cut)
			}
		}
		text, _ := res.Value.Str()
		if len(text) > 100_100 || !strings.HasSuffix(text, "...[truncated]") || len(res.Truncated) != 4 {
			t.Errorf("got %d characters ending in %q, %d reports", len(text), text[len(text)-20:], len(res.Truncated))
		}
	},
	"OutputBytes": func(t *testing.T, s *Sandbox) {
		o := Options{Limits: Limits{OutputBytes: 1 << 20}}
		must(t, s, "return new Uint8Array(1 << 20)", o)
		_, e := fails(t, s, "return { a: [new Uint8Array((1 << 20) + 1)] }", o, KindLimit)
		wantLimit(t, e, "OutputBytes", 1<<20, 1<<20+1, math.MaxInt64)
		for _, code := range []string{"await output('x', new Uint8Array(1 << 21))", "await emit('x', new Uint16Array(1 << 20))"} {
			_, e = fails(t, s, code, o, KindGuest)
			if !strings.Contains(e.Message, "1048576") {
				t.Errorf("%s: got %v", code, e)
			}
		}
	},
	"Sleep": func(t *testing.T, s *Sandbox) {
		o := Options{Limits: Limits{Sleep: 2 * time.Millisecond}}
		start := time.Now()
		res := must(t, s, "await sleep(1); await sleep(1e9); await sleep(Infinity); return 1", o)
		if lines := logText(res); strings.Count(lines, "\n") != 1 || !strings.Contains(lines, "cut to the limit Sleep of 2ms") {
			t.Errorf("got logs %q", lines)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("took %v", took)
		}
		if res := must(t, s, "await sleep(1); return 1", o); len(res.Logs) != 0 {
			t.Errorf("got logs %q", logText(res))
		}
	},
	"Calls": func(t *testing.T, s *Sandbox) {
		o := Options{Limits: Limits{Calls: 3}}
		must(t, s, "await Promise.all([sleep(1), sleep(1), sleep(1)]); await Promise.all([sleep(1), sleep(1), sleep(1)]); return 1", o)
		res := must(t, s, "const p = [sleep(1), sleep(1), sleep(1)]; let m; try { await sleep(1) } catch (e) { m = e.message } await Promise.all(p); await sleep(1); return m", o)
		if !strings.Contains(res.Value.String(), "3") {
			t.Errorf("got %v", res.Value)
		}
	},
	"RunMedia": func(t *testing.T, s *Sandbox) {
		store := new(assets.Memory)
		store.Put("half", "", "", make([]byte, 1<<19))
		o := Options{Limits: Limits{RunMedia: 1}, Assets: &assets.Policy{Store: store}} // less than 1 MiB is 1 MiB
		must(t, s, "for (let i = 0; i < 2; i++) await media.bytes({ asset_id: 'half' })", o)
		_, e := fails(t, s, "for (let i = 0; i < 3; i++) await media.bytes({ asset_id: 'half' })", o, KindLimit)
		wantLimit(t, e, "RunMedia", 1<<20, 1<<20+1<<19, 1<<20+1<<19)
	},
	"SourceSize": func(t *testing.T, s *Sandbox) {
		_, err := s.Run(context.Background(), strings.Repeat(" ", limitSource+1), Options{})
		wantLimit(t, wantKind(t, err, KindLimit), "SourceSize", limitSource, limitSource+1, limitSource+1)
		_, err = s.Run(context.Background(), strings.Repeat(" ", limitSource), Options{})
		wantKind(t, err, KindSyntax) // no code, but not too much
		_, e := fails(t, s, `import "big"`, Options{Modules: map[string]Module{"big": {Code: strings.Repeat(" ", limitSource+1)}}}, KindDenied)
		if !strings.Contains(e.Message, "SourceSize") {
			t.Errorf("got %v", e)
		}
	},
	"LogLines": func(t *testing.T, s *Sandbox) {
		res := must(t, s, "for (let i = 0; i < 5000; i++) console.log(i)", Options{})
		if len(res.Logs) != 5000 || res.Usage.LogsCut {
			t.Errorf("got %d lines", len(res.Logs))
		}
		res = must(t, s, "for (let i = 0; i < 5010; i++) console.log(i)", Options{})
		if last := res.Logs[len(res.Logs)-1]; len(res.Logs) != 5001 || !res.Usage.LogsCut || last.Level != "warn" || !strings.Contains(last.Message, "5000") || !strings.Contains(last.Message, "524288") {
			t.Errorf("got %d lines ending with %v", len(res.Logs), last)
		}
	},
	"LogChars": func(t *testing.T, s *Sandbox) {
		res := must(t, s, "console.log('ä'.repeat(524288))", Options{})
		if len(res.Logs) != 1 || res.Usage.LogsCut {
			t.Errorf("got %d lines", len(res.Logs))
		}
		res = must(t, s, "console.log('ä'.repeat(524286)); console.log('abc'); console.log('d')", Options{})
		if len(res.Logs) != 3 || res.Logs[1].Message != "ab" || !res.Usage.LogsCut {
			t.Errorf("got %d lines", len(res.Logs))
		}
	},
	"ForwardedLogLines": func(t *testing.T, s *Sandbox) {
		var got []string
		o := Options{OnLog: func(level, m string) { got = append(got, level+" "+m) }}
		res := must(t, s, "for (let i = 0; i < 1005; i++) console.info(i)", o)
		if len(got) != 1000 || got[999] != "info 999" || len(res.Logs) != 1005 {
			t.Errorf("got %d forwarded and %d collected lines", len(got), len(res.Logs))
		}
	},
	"ForwardedLogChars": func(t *testing.T, s *Sandbox) {
		var got []string
		o := Options{OnLog: func(_, m string) { got = append(got, m) }}
		res := must(t, s, "console.log('ä'.repeat(4000)); console.log('ä'.repeat(4001))", o)
		if len(got) != 2 || got[0] != strings.Repeat("ä", 4000) || got[1] != got[0] || res.Logs[1].Message == got[1] {
			t.Errorf("got %d lines", len(got))
		}
	},
	"ProgressReports": func(t *testing.T, s *Sandbox) {
		r := &run{ctx: context.Background(), opts: &Options{}}
		n := 0
		r.opts.OnProgress = func(float64, string) { n++ }
		for range 1005 {
			r.progress.last = time.Time{} // as if the interval had passed
			r.reportProgress(1, "")
		}
		if n != 1000 {
			t.Errorf("got %d reports", n)
		}
	},
	"ProgressInterval": func(t *testing.T, s *Sandbox) {
		var got []float64
		o := Options{OnProgress: func(p float64, _ string) { got = append(got, p) }}
		must(t, s, "progress(1); progress(2); await sleep(120); progress(3)", o)
		if len(got) != 2 || got[0] != 1 || got[1] != 3 {
			t.Errorf("got %v", got)
		}
	},
	"ProgressChars": func(t *testing.T, s *Sandbox) {
		var got string
		must(t, s, "progress(1, 'm'.repeat(501))", Options{OnProgress: func(_ float64, m string) { got = m }})
		if got != strings.Repeat("m", 500) {
			t.Errorf("got %d characters", len(got))
		}
	},
	"Emits": func(t *testing.T, s *Sandbox) {
		res, e := fails(t, s, "for (let i = 0; ; i++) await emit('x', i)", Options{}, KindGuest)
		if !strings.Contains(e.Message, "MAX_EMIT_CALLS") || !strings.Contains(e.Message, "10000") || len(res.Emitted) != 10_000 {
			t.Errorf("got %v and %d values", e, len(res.Emitted))
		}
	},
	"Outputs": func(t *testing.T, s *Sandbox) {
		res := must(t, s, "for (let i = 0; i < 10000; i++) await output('n' + i, i)", Options{})
		if len(res.Outputs) != 10_000 {
			t.Errorf("got %d outputs", len(res.Outputs))
		}
		res, e := fails(t, s, "for (let i = 0; i < 10001; i++) await output('n' + i, i)", Options{}, KindGuest)
		if !strings.Contains(e.Message, "10000") || res.Outputs != nil {
			t.Errorf("got %v and %d outputs", e, len(res.Outputs))
		}
	},
	"RandomBytes": func(t *testing.T, s *Sandbox) {
		res := must(t, s, "return [crypto.getRandomValues(65536).length, crypto.getRandomValues(65537).length, crypto.getRandomValues(new Uint8Array(65536)).length]", Options{})
		wantJSON(t, "result", res.Value, "[65536,65536,65536]")
		_, e := fails(t, s, "crypto.getRandomValues(new Uint8Array(65537))", Options{}, KindGuest)
		if e.Name != "QuotaExceededError" || !strings.Contains(e.Message, "65536") {
			t.Errorf("got %v", e)
		}
	},
	"Timers": func(t *testing.T, s *Sandbox) {
		o := Options{Timers: true}
		must(t, s, "for (let i = 0; i < 5000; i++) clearTimeout(setTimeout(() => {}, 1e6)); for (let i = 0; i < 1000; i++) setTimeout(() => {}, 1e6); return 1", o)
		_, e := fails(t, s, "for (let i = 0; i < 1000; i++) setTimeout(() => {}, 1e6); setInterval(() => {}, 1e6)", o, KindGuest)
		if e.Name != "RangeError" || e.Message != "setInterval: more than 1000 timers at one time (Timers)" {
			t.Errorf("got %v", e)
		}
	},
	"Suspension": func(t *testing.T, s *Sandbox) {
		// The watchdog is asked about a time half an hour ahead.
		c, now := new(meter.Clock), time.Now()
		c.Start(now, nil)
		w := newWatchdog(nil)
		w.start, w.timeout, w.clock = now, time.Second, c
		c.Suspend()
		if rest := w.wait(now.Add(suspendAllowance - time.Minute)); rest < 59*time.Second || rest > time.Minute+time.Second {
			t.Errorf("a minute before the end of the allowance %v are left", rest)
		}
		if rest := w.wait(now.Add(suspendAllowance + time.Second)); rest > 0 {
			t.Errorf("after the allowance %v are left", rest)
		}
		w.cause = stopSuspension
		r := &run{slot: &slot{dog: w}, clock: c}
		wantLimit(t, wantKind(t, r.stopError(), KindTimeout), "Suspension", int64(suspendAllowance), 0, math.MaxInt64)
	},
}

func wantLimit(t testing.TB, e *Error, name string, value, min, max int64) {
	t.Helper()
	if e.Limit != name || e.Value != value || e.Used < min || e.Used > max {
		t.Errorf("got limit %q, value %d, used %d, want %s, %d, %d to %d: %v", e.Limit, e.Value, e.Used, name, value, min, max, e)
	}
}

func limitNames() []string {
	var names []string
	for _, r := range limitRows {
		names = append(names, r.name)
	}
	for _, r := range fixedLimits {
		names = append(names, r.name)
	}
	return names
}

func TestLimits(t *testing.T) {
	for _, name := range limitNames() {
		if hits[name] == nil {
			t.Errorf("the limit %s has no test", name)
		}
	}
	if len(hits) != len(limitNames()) {
		t.Errorf("%d tests for %d limits", len(hits), len(limitNames()))
	}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, name := range limitNames() {
			t.Run(name, func(t *testing.T) {
				hits[name](t, s)
				alive(t, s)
			})
		}
	})
}

func TestLimitsResolve(t *testing.T) {
	for _, r := range limitRows {
		at := func(l Limits) int64 { return *r.field(&l) }
		set := func(v int64) (l Limits) { *r.field(&l) = v; return l }
		for _, c := range []struct {
			what              string
			value, base, want int64
		}{
			{"zero is the default", 0, 0, r.standard},
			{"zero is that of the sandbox, if it has one", 0, r.floor + 5, r.floor + 5},
			{"the run's comes before the sandbox's", r.floor + 7, r.floor + 5, r.floor + 7},
			{"the floor", r.floor, 0, r.floor},
			{"below the floor", 1, 0, r.floor},
			{"the ceiling", r.ceiling, 0, r.ceiling},
			{"above the ceiling", r.ceiling + 1, 0, r.ceiling},
			{"far above", math.MaxInt64, 0, r.ceiling},
		} {
			got, err := set(c.value).resolve(set(c.base))
			if err != nil || at(got) != c.want {
				t.Errorf("%s: %s: got %d, %v, want %d", r.name, c.what, at(got), err, c.want)
			}
		}
		if r.standard != 0 && (r.standard < r.floor || r.standard > r.ceiling) {
			t.Errorf("%s: the default is outside of floor and ceiling", r.name)
		}
		for _, v := range []int64{-1, math.MinInt64} {
			_, err := set(v).resolve(Limits{})
			e := wantKind(t, err, KindUsage)
			if e.Limit != r.name || e.Value != v || e.Op != "limits" || !strings.Contains(e.Message, r.name) {
				t.Errorf("%s: %d: got %v", r.name, v, e)
			}
			if _, err := New(Config{Limits: set(v)}); !errors.Is(err, ErrUsage) {
				t.Errorf("%s: a sandbox with %d: got %v", r.name, v, err)
			}
			res, err := Run(context.Background(), "return 1", Options{Limits: set(v)})
			if res != nil || !errors.Is(err, ErrUsage) {
				t.Errorf("%s: a run with %d: got %v, %v", r.name, v, res, err)
			}
		}
	}
}

func TestLimitsPage(t *testing.T) {
	page := readFile(t, "LIMITS.md")
	show := func(r *limitRow, v int64) string {
		switch {
		case v == 0:
			return "none"
		case r.unit == "ns":
			return time.Duration(v).String()
		}
		return fmt.Sprint(v)
	}
	for _, r := range limitRows {
		want := fmt.Sprintf("| %s | %s | %s | %s |", r.name, show(&r, r.standard), show(&r, r.floor), show(&r, r.ceiling))
		if n := strings.Count(page, "\n"+want); n != 1 {
			t.Errorf("LIMITS.md has %d rows that begin %q", n, want)
		}
	}
	for _, r := range fixedLimits {
		value := fmt.Sprintf("%d %s", r.value, r.unit)
		if r.unit == "ns" {
			value = time.Duration(r.value).String()
		}
		want := fmt.Sprintf("| %s | %s |", r.name, value)
		if n := strings.Count(page, "\n"+want); n != 1 {
			t.Errorf("LIMITS.md has %d rows that begin %q", n, want)
		}
	}
	rows := regexp.MustCompile(`(?m)^\| (\w+) \|`).FindAllStringSubmatch(page, -1)
	seen := make(map[string]int)
	for _, m := range rows {
		seen[m[1]]++
	}
	delete(seen, "Limit")
	for _, name := range limitNames() {
		if seen[name] != 1 {
			t.Errorf("LIMITS.md has %d rows for %s", seen[name], name)
		}
		delete(seen, name)
	}
	for _, l := range bridgeLimits(t) {
		delete(seen, l.Name) // TestLimitsOfCapabilities looks at these
	}
	for name := range seen {
		t.Errorf("LIMITS.md has a row for %s, which is no limit", name)
	}
}
