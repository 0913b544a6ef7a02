package quicksand

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestBadSources(t *testing.T) {
	garbage := make([]byte, 100_000)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range garbage {
		garbage[i] = byte(r.Uint32())
	}
	cases := []struct {
		name, code string
		kind       Kind // empty for success
		words      string
	}{
		{"empty", "", KindSyntax, "No code provided"},
		{"blank", " \n\t \r\n", KindSyntax, "No code provided"},
		{"only a comment", "// nothing", "", ""},
		{"only a semicolon", ";", "", ""},
		{"random bytes", string(garbage), KindSyntax, ""},
		{"an executable file", "\x7fELF\x02\x01\x01\x00\x00\x00", KindSyntax, ""},
		{"a NUL byte", "return 1\x00", KindSyntax, ""},
		{"a NUL byte in a text", "return 'a\x00b'.length", "", ""},
		{"bytes that are not UTF-8 in a text", "return '\xff'.length", KindSyntax, "UTF-8"},
		{"a byte order mark", "\ufeffreturn 1", "", ""},
		{"a hashbang", "#!/usr/bin/env node\nreturn 1", "", ""},
		{"CR line ends", "const a = 1;\r\rreturn a", "", ""},
		{"export", "export const a = 1", KindSyntax, "export"},
		{"export default", "const a = 1\nexport default a", KindSyntax, "export"},
		{"an end tag", "}", KindSyntax, ""},
		{"a way out of the wrapper", "} ); (async () => { return 1", KindSyntax, ""},
		{"another way out", "})(); eval('1'); (async()=>{", KindSyntax, ""},
		{"an open comment", "return 1 /*", KindSyntax, ""},
		{"an open template", "return `a", KindSyntax, ""},
		{"an HTML comment", "<!-- x\nreturn 1", KindSyntax, ""},
		{"with", "with ({}) {}", KindSyntax, ""},
		{"a legacy octal", "return 010", KindSyntax, ""},
		{"a duplicate declaration", "let a; let a", KindSyntax, ""},
		{"TypeScript without its package", "const a: number = 1", KindSyntax, ""},
		{"await as a name", "const await = 1", KindSyntax, ""},
		{"arguments", "return typeof arguments", "", ""},
		{"this is undefined", "if (this !== undefined) throw 1", "", ""},
		{"new.target", "return new.target", KindSyntax, ""},
		{"super", "super.x", KindSyntax, ""},
		{"yield", "yield 1", KindSyntax, ""},
		{"a label and continue", "a: for (;;) { break a }", "", ""},
		{"import.meta", "return typeof import.meta.url", "", ""},
	}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				_, err := s.Run(context.Background(), c.code, Options{})
				if c.kind == "" {
					if err != nil {
						t.Error(err)
					}
					return
				}
				e := wantKind(t, err, c.kind)
				if !strings.Contains(e.Message, c.words) || e.Message == "" {
					t.Errorf("got %v", e)
				}
				leaks(t, e)
			})
		}
		alive(t, s)
	})
}

func TestSourceOfTenMegabytes(t *testing.T) {
	long(t, "compiles 10 MB")
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		// Much text and little code: what a bundle with data in it looks like.
		res := must(t, s, "const data = '"+strings.Repeat("0123456789", 1<<20)+"'; return data.length", Options{Limits: Limits{Timeout: 5 * time.Minute}})
		if res.Value.String() != "10485760" || res.Usage.Compile == 0 {
			t.Errorf("got %v, compiled in %v", res.Value, res.Usage.Compile)
		}
		res = must(t, s, "let n = 0;\n"+strings.Repeat("n += 1; // and a comment that says so\n", 280_000)+"return n", Options{Limits: Limits{Timeout: 5 * time.Minute, Memory: 256 << 20}})
		if res.Value.String() != "280000" {
			t.Errorf("got %v", res.Value)
		}
		alive(t, s)
	})
}

func TestContexts(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		why := errors.New("why")
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(why)
		res, err := s.Run(ctx, "return 1", Options{})
		if e := wantKind(t, err, KindCancelled); res != nil || !errors.Is(err, why) || e.Message != "Execution cancelled" {
			t.Errorf("got %v, %v", res, err)
		}
		ctx, stop := context.WithTimeout(context.Background(), 30*time.Millisecond)
		defer stop()
		inTime(t, 30*time.Millisecond, func() { _, err = s.Run(ctx, "for (;;);", Options{}) })
		wantKind(t, err, KindCancelled)
		ctx, stop = context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer stop()
		res, err = s.Run(ctx, "console.log('before'); await emit('e', 1); for (;;);", Options{})
		wantKind(t, err, KindCancelled)
		if res == nil || logText(res) != "before\n" || len(res.Emitted) != 1 || res.Outputs != nil || !res.Value.IsUndefined() {
			t.Errorf("a cancelled run keeps logs and what was emitted: got %+v", res)
		}
		// Waiting for a heap ends with the context, too.
		box := own(t, s, Config{Isolates: 1})
		release := make(chan struct{})
		started := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := box.Run(context.Background(), "await hold()", Options{Globals: map[string]any{"hold": func() { close(started); <-release }}})
			if err != nil {
				t.Error(err)
			}
		})
		<-started
		ctx, stop = context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer stop()
		if res, err := box.Run(ctx, "return 1", Options{}); res != nil || !errors.Is(err, ErrCancelled) {
			t.Errorf("got %v, %v", res, err)
		}
		close(release)
		wg.Wait()
		alive(t, box)
	})
}

func TestSinks(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		var lines []string
		var reports []string
		var mu sync.Mutex
		var emitted []string
		res := must(t, s, `
console.log("a", 1); console.warn("b"); console.error("c"); console.debug("d"); console.info({ x: 1 });
progress(10, "ten");
for (let i = 0; i < 5; i++) emit("n", i);
await emit("last", { done: true });
await output("one", 1); await output("two", [2]);
return "end"`, Options{
			OnLog:      func(level, m string) { lines = append(lines, level+":"+m) },
			OnProgress: func(p float64, m string) { reports = append(reports, fmt.Sprint(p, m)) },
			OnEmit: func(_ context.Context, name string, v Value) error {
				mu.Lock()
				defer mu.Unlock()
				emitted = append(emitted, name+"="+v.String())
				return nil
			},
		})
		if got := strings.Join(lines, " "); got != "log:a 1 warn:b error:c debug:d info:{ x: 1 }" {
			t.Errorf("got lines %s", got)
		}
		if got := logText(res); got != "a 1\n[warn] b\n[error] c\n[debug] d\n[info] { x: 1 }\n" {
			t.Errorf("got logs %q", got)
		}
		if fmt.Sprint(reports) != "[10ten]" {
			t.Errorf("got reports %v", reports)
		}
		mu.Lock()
		if got := strings.Join(emitted, " "); got != `n=0 n=1 n=2 n=3 n=4 last={"done":true}` || res.Emitted != nil {
			t.Errorf("got emitted %s, %v", got, res.Emitted)
		}
		mu.Unlock()
		if len(res.Outputs) != 2 || res.Outputs["two"].String() != "[2]" || res.Value.String() != "end" {
			t.Errorf("got outputs %v, value %v", res.Outputs, res.Value)
		}
	})
}

func TestEmitWaitsForItsConsumer(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		taken := 0
		res := must(t, s, "const seen = []; for (let i = 0; i < 3; i++) { await emit('x', i); seen.push(await count()) } return seen", Options{
			Globals: map[string]any{"count": func() int { return taken }},
			OnEmit:  func(context.Context, string, Value) error { taken++; return nil },
		})
		wantJSON(t, "taken when emit settled", res.Value, "[1,2,3]")
		res = must(t, s, "try { await emit('x', 1) } catch (e) { return [e.name, e.message] }", Options{
			OnEmit: func(context.Context, string, Value) error { return &GuestError{Name: "RangeError", Message: "full"} }})
		wantJSON(t, "a refused value", res.Value, `["RangeError","full"]`)
		_, e := fails(t, s, "await emit('x', 1)", Options{OnEmit: func(context.Context, string, Value) error { return errors.New("closed") }}, KindGuest)
		if e.Message != "closed" {
			t.Errorf("got %v", e)
		}
		// A sink that ends its goroutine loses its own value only.
		res, _ = s.Run(context.Background(), "const a = emit('x', 1).catch((e) => e.name); const b = emit('y', 2); return [await a, await b]", Options{
			OnEmit: func(_ context.Context, name string, _ Value) error {
				if name == "x" {
					runtime.Goexit()
				}
				return nil
			}})
		if n := len(res.Logs); n != 0 || res.Usage.Calls["emit"].Count != 2 {
			t.Errorf("after a sink ended its goroutine: %d log lines, calls %v", n, res.Usage.Calls)
		}
		// What is not awaited is delivered all the same.
		var got []string
		var mu sync.Mutex
		must(t, s, "for (let i = 0; i < 100; i++) emit('x', i); await sleep(0); await emit('y', 0)", Options{OnEmit: func(_ context.Context, name string, v Value) error {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, name+v.String())
			return nil
		}})
		mu.Lock()
		defer mu.Unlock()
		if len(got) != 101 || got[99] != "x99" || got[100] != "y0" {
			t.Errorf("got %d values", len(got))
		}
	})
}

func TestOutputsAndEmitted(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		res, e := fails(t, s, "await emit('a', 1); await output('o', 2); throw new Error('late')", Options{}, KindGuest)
		if len(res.Emitted) != 1 || res.Outputs != nil || e.Message != "late" {
			t.Errorf("after a failure: got %v, %v", res.Emitted, res.Outputs)
		}
		_, e = fails(t, s, "await output('o', 1); await output('o', 2)", Options{}, KindGuest)
		if e.Message != `output "o" was already set` {
			t.Errorf("got %v", e)
		}
		for _, code := range []string{"await emit(5, 1)", "await output(null, 1)", "await emit()"} {
			_, e := fails(t, s, code, Options{}, KindGuest)
			if e.Name != "TypeError" || !strings.Contains(e.Message, "name must be a string") {
				t.Errorf("%s: got %v", code, e)
			}
		}
		res = must(t, s, "emit('a', 1); emit('b', 2); output('', undefined); return", Options{})
		if len(res.Emitted) != 2 || res.Emitted[1].Name != "b" || len(res.Outputs) != 1 {
			t.Errorf("what is not awaited: got %v, %v", res.Emitted, res.Outputs)
		}
	})
}

func TestSeedAndClock(t *testing.T) {
	const code = "return [Math.random(), Math.random(), crypto.randomUUID(), toHex(crypto.getRandomValues(8)), [1, 2, 3].sort(() => Math.random() - 0.5)]"
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		run := func(o Options) string { return must(t, s, code, o).Value.String() }
		if a, b := run(Options{Seed: 7}), run(Options{Seed: 7}); a != b {
			t.Errorf("the same seed gave %s and %s", a, b)
		}
		if a, b := run(Options{Seed: 7}), run(Options{Seed: 8}); a == b {
			t.Errorf("two seeds gave %s", a)
		}
		seen := make(map[string]bool)
		for range 20 {
			seen[run(Options{})] = true
		}
		if len(seen) != 20 {
			t.Errorf("20 runs without a seed gave %d results", len(seen))
		}
		now := time.Date(2020, 2, 3, 4, 5, 6, 0, time.UTC)
		res := must(t, s, "await sleep(2); return [Date.now(), new Date().toISOString(), new Date(0).getTime()]", Options{Now: now})
		wantJSON(t, "a fixed clock", res.Value, fmt.Sprintf(`[%d,"2020-02-03T04:05:06.000Z",0]`, now.UnixMilli()))
		got, _ := must(t, s, "return Date.now()", Options{}).Value.Float()
		if d := time.Since(time.UnixMilli(int64(got))); d < -time.Second || d > time.Minute {
			t.Errorf("the clock is off by %v", d)
		}
	})
}

func TestStatsAndClose(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		c := Config{Engine: engineName(s), Isolates: 2, Logger: silent}
		box, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		if st := box.Stats(); st != (Stats{}) {
			t.Errorf("a new sandbox has %+v", st)
		}
		for range 3 {
			must(t, box, "return 1", Options{})
		}
		must(t, box, "return 2", Options{Name: "other.js"})
		must(t, box, "return 1", Options{Name: "other.js"})
		if st := box.Stats(); st.Runs != 5 || st.Isolates != 1 || st.Programs != 3 || st.CacheSize == 0 || st.Faults != 0 || st.Rebuilt != 0 {
			t.Errorf("got %+v", st)
		}
		if res := must(t, box, "return 1", Options{}); res.Usage.Compile != 0 || res.Usage.PeakHeap == 0 || res.Usage.Wall == 0 || res.Usage.CPU == 0 {
			t.Errorf("a cached program: got usage %+v", res.Usage)
		}
		// Closing while a run goes on lets it finish.
		started, release := make(chan struct{}), make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			res, err := box.Run(context.Background(), "await hold(); return 3", Options{Globals: map[string]any{"hold": func() { close(started); <-release }}})
			if err != nil || res.Value.String() != "3" {
				t.Errorf("the run that was on: %v, %v", res, err)
			}
		})
		<-started
		for range 2 {
			if err := box.Close(); err != nil {
				t.Error(err)
			}
		}
		close(release)
		wg.Wait()
		res, err := box.Run(context.Background(), "return 1", Options{})
		if e := wantKind(t, err, KindUsage); res != nil || !strings.Contains(e.Message, "closed") {
			t.Errorf("got %v, %v", res, err)
		}
		if st := box.Stats(); st.Isolates != 0 {
			t.Errorf("a closed sandbox has %d heaps", st.Isolates)
		}
	})
}

func TestConfigs(t *testing.T) {
	for name, c := range map[string]Config{
		"an unknown engine":  {Engine: "v8"},
		"negative isolates":  {Isolates: -1},
		"a negative timeout": {Limits: Limits{Timeout: -1}},
	} {
		_, err := New(c)
		e := wantKind(t, err, KindUsage)
		if name == "an unknown engine" && (!strings.Contains(e.Message, `"v8"`) || !strings.Contains(e.Message, "pure")) {
			t.Errorf("%s: got %v", name, e)
		}
	}
	if len(engineNames) == 1 {
		if _, err := New(Config{Engine: "cgo"}); err == nil || !strings.Contains(err.Error(), "CGO_ENABLED=1") {
			t.Errorf("an engine that is not built in: got %v", err)
		}
	}
	infos := Engines()
	if len(infos) != len(engineNames) || !infos[0].Default || infos[0].Version == "" {
		t.Errorf("got %+v", infos)
	}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		box := own(t, s, Config{CacheSize: -1})
		for range 2 {
			if res := must(t, box, "return 1", Options{}); res.Usage.Compile == 0 {
				t.Error("a program was cached without a cache")
			}
		}
		small := own(t, s, Config{CacheSize: 8 << 10})
		for i := range 50 {
			must(t, small, fmt.Sprintf("return %d", i), Options{})
		}
		if st := small.Stats(); st.CacheSize > 8<<10 || st.Programs == 0 || st.Programs == 50 {
			t.Errorf("got %+v", st)
		}
		limited := own(t, s, Config{Limits: Limits{Timeout: 50 * time.Millisecond}})
		if _, e := fails(t, limited, "for (;;);", Options{}, KindTimeout); e.Value != int64(50*time.Millisecond) {
			t.Errorf("got %v", e)
		}
	})
}

func TestRunsAreIsolated(t *testing.T) {
	leave := `globalThis.left = 1; var v = 1; Object.prototype.polluted = 1; Array.prototype.map = null; Symbol.for("known").description;
const a = URL; globalThis.URL = null; URLSearchParams.prototype.get = null; JSON.extra = 1; Math.random = () => 4; Promise.resolve().then(() => { for (;;); });
sleep(1000).then(() => { globalThis.late = 1 }); console.count("x"); console.group("g"); new TextDecoder().constructor.prototype.decode = null;
import { bump } from "m"; globalThis.bumped = bump(); Date.now = () => 0; queueMicrotask(() => { throw 1 }); Error.prepareStackTrace = () => "x"; RegExp.prototype.exec = null; /a(b)/.test;`
	look := `import { bump } from "m";
console.count("x"); console.log("plain");
return [typeof left, typeof v, typeof {}.polluted, [1].map((x) => x)[0], typeof URL, new URL("http://a.test?q=2").searchParams.get("q"), typeof JSON.extra, Math.random() < 1,
  bump(), Date.now() > 1e12, typeof late, typeof bumped, new TextDecoder().decode(new Uint8Array([65])), "ab".replace(/a(b)/, "$1"), RegExp.$1 ?? ""]`
	o := Options{Modules: map[string]Module{"m": {Code: "let n = 0; export const bump = () => ++n;"}}}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		box := own(t, s, Config{Isolates: 1})
		for range 3 {
			if _, err := box.Run(context.Background(), leave+"return 1", Options{Modules: o.Modules, Limits: Limits{Timeout: 100 * time.Millisecond}}); err != nil {
				wantKind(t, err, KindTimeout)
			}
			res := must(t, box, look, o)
			b, _ := res.Value.JSON()
			if got := string(b); !strings.HasPrefix(got, `["undefined","undefined","undefined",1,"function","2","undefined",true,1,true,"undefined","undefined","A","b"`) {
				t.Errorf("got %s", got)
			}
			if got := logText(res); got != "x: 1\nplain\n" {
				t.Errorf("got logs %q", got)
			}
		}
	})
}

func TestWarningsAndOperatorsLog(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		var log bytes.Buffer
		box := own(t, s, Config{Logger: slog.New(slog.NewTextHandler(&log, nil))})
		res := must(t, box, "sleep(1000); sleep(1000); slow(); return 1", Options{Globals: map[string]any{"slow": func(ctx context.Context) { <-ctx.Done() }}})
		if got := logText(res); got != "[warn] the program ended while host calls were open, which were cancelled: sleep (2), slow\n" {
			t.Errorf("got %q", got)
		}
		if log.Len() != 0 {
			t.Errorf("the operator is told of an ordinary run: %s", log.String())
		}
		if _, err := box.Run(context.Background(), "await boom()", Options{Globals: map[string]any{"boom": func() { panic("boom!") }}}); err == nil {
			t.Error("no error")
		}
		if !strings.Contains(log.String(), "boom!") {
			t.Errorf("the operator is not told of a panic: %s", log.String())
		}
	})
}

func TestErrorTexts(t *testing.T) {
	cases := []struct{ name, code, text, message string }{
		{"a plain error shows no class", "throw new Error('plain')", "plain", "plain"},
		{"a class is shown", "throw new RangeError('far')", "RangeError: far", "far"},
		{"unless the message has it", "throw new TypeError('a typeerror it is')", "a typeerror it is", "a typeerror it is"},
		{"without a message the class", "throw new TypeError()", "TypeError", ""},
		{"a string", "throw 'text'", "UnknownError: text", "text"},
		{"a number", "throw 5", "UnknownError: An unknown error occurred.", "An unknown error occurred."},
		{"nothing", "throw undefined", "UnknownError: An unknown error occurred.", "An unknown error occurred."},
		{"an object", "throw { message: 'no error' }", "UnknownError: An unknown error occurred.", "An unknown error occurred."},
		{"a rejection", "await Promise.reject(new Error('rejected'))", "rejected", "rejected"},
		{"an own class", "class Mine extends Error { name = 'Mine' } throw new Mine('m')", "m", "m"},
		{"undefined is not a function", "const x = {}; x.f()", "", ""},
		{"reading of undefined", "let a; a.b", "", ""},
		{"an unknown name", "nope", "ReferenceError: nope is not defined", "nope is not defined"},
		{"a constant", "const c = 1; c = 2", "", ""},
	}
	var texts []map[string]string
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		got := make(map[string]string)
		for _, c := range cases {
			_, e := fails(t, s, c.code, Options{}, KindGuest)
			got[c.name] = e.Text()
			if c.text != "" && e.Text() != c.text && !(c.name == "an own class" && e.Text() == "Mine: m") || c.message != "" && e.Message != c.message {
				t.Errorf("%s: got %q, %q", c.name, e.Text(), e.Message)
			}
		}
		texts = append(texts, got)
		_, e := fails(t, s, "const a = 1;\nfunction f() {\n  throw new Error('here', { cause: new TypeError('below') });\n}\nf();", Options{Name: "step.js"}, KindGuest)
		if e.Position.Source != "step.js" || e.Position.Line != 3 || e.Position.Column == 0 || !strings.Contains(e.Frame, "> 3 |   throw") || e.Cause != "TypeError: below" ||
			!strings.Contains(e.Stack, "at f (step.js:3:") || strings.Count(e.Stack, "\n") > 4 || !strings.HasPrefix(e.Error(), "run: here (step.js:3:") {
			t.Errorf("got %v\n%+v\n%s\n%s", e, e.Position, e.Frame, e.Stack)
		}
		_, e = fails(t, s, "const e = new Error('coded'); e.code = 'E_CODE'; throw e", Options{}, KindGuest)
		if e.Code != "E_CODE" {
			t.Errorf("got code %q", e.Code)
		}
		_, e = fails(t, s, "const a = 1;\nlet b = a +* 2;", Options{}, KindSyntax)
		if e.Position.Line != 2 || !strings.Contains(e.Frame, "> 2 | let b") || e.Op != "compile" {
			t.Errorf("got %v\n%s", e, e.Frame)
		}
	})
	if len(texts) == 2 {
		for name, text := range texts[0] {
			if texts[1][name] != text {
				t.Errorf("%s: the engines say %q and %q", name, text, texts[1][name])
			}
		}
	}
}

func TestModules(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Modules: guestModules}
		for _, c := range []struct{ name, code, words string }{
			{"not declared", `import x from "nope"`, "not a sandbox package this run serves"},
			{"a builtin of Node", `import fs from "node:fs"`, `"node:fs"`},
			{"a bare builtin", `import fs from "fs"`, `"fs"`},
			{"an absolute path", `import x from "/etc/passwd"`, `"/etc/passwd"`},
			{"a relative path", `import x from "./x.js"`, `"./x.js"`},
			{"a path upwards", `import x from "../x.js"`, `"../x.js"`},
			{"a URL", `import x from "https://a.test/x.js"`, `"https://a.test/x.js"`},
			{"an encoded path", `import x from "@nodetool-ai/sandbox-math/%2e%2e/x"`, "%2e"},
			{"a package's inner file", `import x from "@nodetool-ai/sandbox-math/lib/half.js"`, "half"},
			{"by its inner name", `import x from "@nodetool-ai/sandbox-math/./lib/half.js"`, "half"},
			{"itself", `import x from "main.js"`, `"main.js"`},
			{"a missing sibling", `import "reach"`, `"./absent"`},
			{"out of the package", `import "escape"`, `"../escape"`},
			{"a module that does not parse", `import { a } from "broken"`, `"broken"`},
			{"a name that is not exported", `import { nope } from "late"`, "nope"},
			{"an empty name", `import x from ""`, `""`},
			{"with a NUL byte", "import x from \"a\x00b\"", "a"},
		} {
			_, err := s.Run(context.Background(), "console.log('ran')\n"+c.code, o)
			var e *Error
			if !errors.As(err, &e) || (e.Kind != KindDenied && e.Kind != KindSyntax && e.Kind != KindGuest) || !strings.Contains(e.Message, c.words) {
				t.Errorf("%s: got %v", c.name, err)
				continue
			}
			leaks(t, e)
		}
		res, e := fails(t, s, "console.log('ran')\nimport x from 'nope'", Options{}, KindDenied)
		if len(res.Logs) != 0 || e.Position.Line != 2 || !strings.Contains(e.Message, "it serves none") {
			t.Errorf("got %v at %+v, logs %q", e, e.Position, logText(res))
		}
	})
}
