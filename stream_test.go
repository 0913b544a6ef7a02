package quicksand

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"quicksand/bridges"
	"quicksand/bridges/stream"
)

// script is a source that answers takes from a list and notes what it is asked.
type script struct {
	answers  []any // a value, an error, or end
	asked    []string
	released []string
	closed   int
	open     func(name string) bool
}

type endOf struct{}

var end endOf

func (s *script) Take(ctx context.Context, name string, all bool) (string, any, bool, error) {
	if all {
		name = "*"
	}
	s.asked = append(s.asked, name)
	if len(s.answers) == 0 {
		return "", nil, false, nil
	}
	a := s.answers[0]
	s.answers = s.answers[1:]
	switch a := a.(type) {
	case endOf:
		return "", nil, false, nil
	case error:
		return "", nil, false, a
	}
	return "from " + name, a, true, nil
}

func (s *script) Open(name string) bool { return s.open != nil && s.open(name) }

func (s *script) Release(name string, all bool) {
	if all {
		name = "*"
	}
	s.released = append(s.released, name)
}

func (s *script) Close() error { s.closed++; return nil }

func TestInputStreams(t *testing.T) {
	rows := []struct {
		name, code string
		answers    []any
		want       string // JSON of the result
		asked      string
		released   string
	}{
		{"a loop takes until the end", `const all = []; for await (const v of stream("rows")) all.push(v); return all;`, []any{1, "two", nil, end}, `[1,"two",null]`, "rows rows rows rows", ""},
		{"undefined values and false ones are values", `const all = []; for await (const v of stream("r")) all.push(typeof v); return all;`, []any{false, 0, "", Value{}, end}, `["boolean","number","string","undefined"]`, "r r r r r", ""},
		{"any gives handle and value", `const all = []; for await (const [h, v] of stream.any()) all.push([h, v]); return all;`, []any{1, 2, end}, `[["from *",1],["from *",2]]`, "* * *", ""},
		{"first is the next value", `return [await stream.first("a"), await stream.first("a"), typeof await stream.first("a")];`, []any{1, 2}, `[1,2,"undefined"]`, "a a a", ""},
		{"nothing is taken that was not asked for", `const s = stream("a"); const it = s[Symbol.asyncIterator](); await it.next(); return 1;`, []any{1, 2, 3}, `1`, "a", ""},
		{"asking again after the end asks the host again", `const s = stream("a"), all = []; for (let i = 0; i < 2; i++) for await (const v of s) all.push(v); const it = s[Symbol.asyncIterator](); return [all, await it.next(), await it.next(), await it.next()];`,
			[]any{1, end, 2, end, end, 3}, `[[1,2],{"done":true},{"done":false,"value":3},{"done":true}]`, "a a a a a a a", ""},
		{"break releases", `for await (const v of stream("a")) break; return 1;`, []any{1, 2}, `1`, "a", "a"},
		{"return releases", `async function f() { for await (const v of stream("a")) return v; } return await f();`, []any{1, 2}, `1`, "a", "a"},
		{"a throw releases", `try { for await (const v of stream("a")) throw v; } catch (e) { return e; }`, []any{1, 2}, `1`, "a", "a"},
		{"breaking out of any releases all", `for await (const v of stream.any()) break; return 1;`, []any{1, 2}, `1`, "*", "*"},
		{"the end releases nothing", `for await (const v of stream("a")); return 1;`, []any{1, end}, `1`, "a a", ""},
		{"after return an iterator is done and asks no more", `const it = stream("a")[Symbol.asyncIterator](); await it.next(); return [await it.return(7), await it.return(), await it.next()];`, []any{1, 2}, `[{"done":true,"value":7},{"done":true},{"done":true}]`, "a", "a"},
		{"an error rejects the take, and the loop may be started again", `const all = []; try { for await (const v of stream("a")) all.push(v); } catch (e) { all.push(e.message); } for await (const v of stream("a")) all.push(v); return all;`,
			[]any{1, errors.New("no more paper"), 2, end}, `[1,"no more paper",2]`, "a a a a", ""},
		{"bytes at any depth are Uint8Arrays", `const v = await stream.first("a"); return [v.data instanceof Uint8Array, v.list[0].b[1], v.list[0].b instanceof Uint8Array];`, []any{map[string]any{"data": []byte{1}, "list": []any{map[string]any{"b": []byte{1, 2}}}}}, `[true,2,true]`, "a", ""},
		{"order is kept under concurrent takes", `const it = stream("a")[Symbol.asyncIterator](); const rs = await Promise.all(Array.from({ length: 40 }, () => it.next())); return rs.map((r) => r.value).join();`, numbers(40), `"` + joined(40) + `"`, strings.TrimSpace(strings.Repeat("a ", 40)), ""},
		{"also of first and of several iterators", `const s = stream("a"), next = () => s[Symbol.asyncIterator]().next(); const rs = await Promise.all([stream.first("a"), next(), stream.first("a"), next()]); return [rs[0], rs[1].value, rs[2], rs[3].value];`, numbers(4), `[0,1,2,3]`, "a a a a", ""},
		{"a guest that breaks the intrinsics breaks only itself", `Array.prototype[Symbol.iterator] = Object.prototype.hasOwnProperty = Function.prototype.call = Object.freeze = () => { throw 1; };
			Object.defineProperty(Object.prototype, "1", { get() { return "evil"; }, configurable: true }); let n = 0; for await (const v of stream("a")) n += v; return n;`, []any{1, 2, end}, `3`, "a a a", ""},
	}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, row := range rows {
			t.Run(row.name, func(t *testing.T) {
				src := &script{answers: row.answers}
				res := must(t, s, row.code, Options{Input: src})
				wantJSON(t, "result", res.Value, row.want)
				if got := strings.Join(src.asked, " "); got != row.asked {
					t.Errorf("asked %q, want %q", got, row.asked)
				}
				if got := strings.Join(src.released, " "); got != row.released {
					t.Errorf("released %q, want %q", got, row.released)
				}
				if src.closed != 1 {
					t.Errorf("closed %d times", src.closed)
				}
				if n := res.Usage.Calls["stream.take"].Count; n != len(src.asked) {
					t.Errorf("usage counts %d takes, want %d", n, len(src.asked))
				}
				if len(res.Logs) != 0 {
					t.Errorf("got logs %v", res.Logs)
				}
			})
		}
	})
}

func TestErrorsOfSourcesPointToTheGuest(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, code := range []string{
			"let n = 0;\nfor await (const v of stream('a')) n++;",
			"let n = 0;\nfor await (const [h, v] of stream.any()) n++;",
			"await stream.first('a');\nawait stream.first('a');",
		} {
			_, e := fails(t, s, code, Options{Input: &script{answers: []any{1, errors.New("no more paper")}}}, KindGuest)
			if e.Message != "no more paper" || e.Position.Line != 2 {
				t.Errorf("%s: got %v at %v", code, e, e.Position)
			}
		}
	})
}

func numbers(n int) []any {
	all := make([]any, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func joined(n int) string {
	return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(numbers(n))), ","), "[]")
}

func TestStreamOpenProbes(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		src := &script{open: func(name string) bool {
			if name == "broken" {
				panic("the probe")
			}
			return name == "a"
		}}
		res := must(t, s, `return [stream.open("a"), stream.open("b"), stream.open("broken")]`, Options{Input: src})
		wantJSON(t, "result", res.Value, "[true,false,false]")
		if len(src.asked) != 0 {
			t.Errorf("probing took something: %v", src.asked)
		}
	})
}

// parking is a source whose takes wait for the end of their context.
type parking struct {
	script
	parked, woken chan string
}

func newParking() *parking {
	return &parking{parked: make(chan string, 100), woken: make(chan string, 100)}
}

func (p *parking) Take(ctx context.Context, name string, all bool) (string, any, bool, error) {
	p.parked <- name
	<-ctx.Done()
	p.woken <- name
	return "", nil, false, ctx.Err()
}

func TestParkedTakes(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		t.Run("return wakes the take of its own iterator and no other", func(t *testing.T) {
			p := newParking()
			res := must(t, s, `const a = stream("a")[Symbol.asyncIterator](), b = stream("b")[Symbol.asyncIterator]();
				const an = a.next(), queued = a.next(), bn = b.next().then(() => "b ended");
				await Promise.resolve();
				const r = await a.return("x");
				return [r, await an, await queued, await Promise.race([bn, "b waits"])];`, Options{Input: p})
			wantJSON(t, "result", res.Value, `[{"done":true,"value":"x"},{"done":true},{"done":true},"b waits"]`)
			if got := strings.Join(p.released, " "); got != "a" {
				t.Errorf("released %q", got)
			}
			if got := logText(res); !strings.Contains(got, "stream.take") {
				t.Errorf("got logs %q, want a warning about the open take", got)
			}
		})
		t.Run("cancellation ends a parked run", func(t *testing.T) {
			p := newParking()
			ctx, cancel := context.WithCancel(context.Background())
			go func() { <-p.parked; cancel() }()
			_, err := s.Run(ctx, `for await (const v of stream("a"));`, Options{Input: p})
			wantKind(t, err, KindCancelled)
			if got := <-p.woken; got != "a" {
				t.Errorf("woke %q", got)
			}
		})
		t.Run("what is there at once is taken in turn", func(t *testing.T) {
			src := func() stream.Source {
				a, b := make(chan any, 3), make(chan any, 3)
				for i := range 3 {
					a <- i
					b <- -i
				}
				close(a)
				close(b)
				return stream.Channels(map[string]<-chan any{"a": a, "b": b}, nil)
			}
			res := must(t, s, `const got = []; for await (const [h, v] of stream.any()) got.push(h + v); return got.join(" ")`, Options{Input: src()})
			wantJSON(t, "result", res.Value, `"a0 b0 a1 b-1 a2 b-2"`)
			res = must(t, s, `const got = []; for (const h of ["b", "a", "c"]) for await (const v of stream(h)) got.push(h + v); return [got.join(" "), stream.open("a")]`, Options{Input: src()})
			wantJSON(t, "result", res.Value, `["b0 b-1 b-2 a0 a1 a2",false]`)
			res = must(t, s, `const got = []; for await (const v of stream("l")) got.push(v); return got`, Options{Input: stream.Lines("l", strings.NewReader("1\n\n{\"a\":2}\n[3]\n4"))})
			wantJSON(t, "result", res.Value, `[1,{"a":2},[3],4]`)
			bad := make(chan any, 1)
			bad <- bad
			_, e := fails(t, s, `await stream.first("a")`, Options{Input: stream.Channels(map[string]<-chan any{"a": bad}, nil)}, KindGuest)
			if e.Name != "TypeError" || !strings.Contains(e.Message, "result[1]") {
				t.Errorf("a value that cannot enter a guest: got %v", e)
			}
		})
		t.Run("two handles wait side by side", func(t *testing.T) {
			a, b := make(chan any), make(chan any)
			go func() { b <- 2; a <- 1 }() // a comes only after b was taken
			res := must(t, s, `return await Promise.all([stream.first("a"), stream.first("b")])`, Options{Input: stream.Channels(map[string]<-chan any{"a": a, "b": b}, nil)})
			wantJSON(t, "result", res.Value, "[1,2]")
		})
	})
}

// A source that makes the guest wait longer than its timeout.
func TestWaitingForInputIsNotCounted(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		l := Limits{Timeout: 300 * time.Millisecond}
		ch := make(chan any)
		go func() {
			time.Sleep(400 * time.Millisecond) // longer than the timeout
			ch <- "late"
		}()
		o := Options{Limits: l, Input: stream.Channels(map[string]<-chan any{"a": ch}, nil)}
		res := must(t, s, `return await stream.first("a")`, o)
		if res.Value.String() != "late" || res.Usage.Suspended < 300*time.Millisecond {
			t.Errorf("got %v after %v suspended", res.Value, res.Usage.Suspended)
		}
		inTime(t, l.Timeout+10*time.Millisecond, func() { fails(t, s, `stream.first("a"); await null; for (;;);`, o, KindTimeout) })
	})
}

func TestSourcesEndWithTheRun(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		var mu sync.Mutex
		var log []string
		note := func(text string) { mu.Lock(); log = append(log, text); mu.Unlock() }
		seq := func(name string) iter.Seq[any] {
			return func(yield func(any) bool) {
				defer note(name + " stopped")
				for i := 0; ; i++ {
					note(fmt.Sprint(name, i))
					if !yield(i) {
						return
					}
				}
			}
		}
		before := processNow(t).goroutines
		for _, row := range []struct{ name, code, want string }{
			{"a break stops an iterator", `for await (const v of stream("a")) if (v === 2) break; const next = await stream.first("a"); return [stream.open("a"), stream.open("b"), typeof next];`, "a0 a1 a2 a stopped"},
			{"the end of the run stops it", `await stream.first("a"); await stream.first("a"); return [!stream.open("a"), stream.open("b"), "undefined"];`, "a0 a1 a stopped"},
			{"what nobody asked for is not started", `return [false, stream.open("b"), "undefined"];`, ""},
			{"all advance in turn", `let n = 0; for await (const [h, v] of stream.any()) if (++n === 5) break; return [stream.open("a"), !stream.open("b"), "undefined"];`, "a0 b0 a1 b1 a2 a stopped b stopped"},
		} {
			log = nil
			res := must(t, s, row.code, Options{Input: stream.Sequences(map[string]iter.Seq[any]{"a": seq("a"), "b": seq("b")})})
			wantJSON(t, row.name, res.Value, `[false,true,"undefined"]`)
			if got := strings.Join(log, " "); got != row.want && got != strings.Replace(row.want, "a stopped b stopped", "b stopped a stopped", 1) {
				t.Errorf("%s: got %q, want %q", row.name, got, row.want)
			}
		}
		// A program that fails, and a reader that never gives a line.
		log = nil
		fails(t, s, `for await (const v of stream("a")) await stream.first("b"), null.x;`, Options{Input: stream.Sequences(map[string]iter.Seq[any]{"a": seq("a"), "b": seq("b")})}, KindGuest)
		if len(log) != 4 {
			t.Errorf("got %q", log)
		}
		r, w := io.Pipe()
		ctx, cancel := context.WithCancel(context.Background())
		go func() { io.WriteString(w, "{\"n\":1}\n{"); cancel() }()
		_, err := s.Run(ctx, `for await (const v of stream("lines"));`, Options{Input: stream.Lines("lines", r)})
		wantKind(t, err, KindCancelled)
		if _, err := w.Write([]byte("x")); err != io.ErrClosedPipe {
			t.Errorf("writing after the run: got %v", err)
		}
		if after := processNow(t).goroutines; after > before {
			t.Errorf("goroutines grew from %d to %d", before, after)
		}
	})
}

func TestEmitsReachTheSink(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		var got []string
		sink := func(ctx context.Context, name string, v Value) error {
			got = append(got, fmt.Sprint(name, v))
			if v.String() == "refuse" {
				return errors.New("the sink is full")
			}
			return nil
		}
		for _, row := range []struct{ name, code, want, result, logs string }{
			{"what nobody awaits at the end is delivered", `emit("a", 1); await null; emit("a", 2); return 1`, "a1 a2", "1", ""},
			{"a refusal of that is a warning", `emit("a", "refuse"); return 1`, "arefuse", "1", "[warn] a value that the program did not wait for was refused: the sink is full\n"},
			{"emit.many stops at what the sink refuses", `let n = 0; function* g() { try { for (const v of [1, "refuse", 3]) { n++; yield v; } } finally { n += 10; } } try { await emit.many("a", g()); } catch (e) { return [n, e.message]; }`, "a1 arefuse", `[12,"the sink is full"]`, ""},
			{"one value is pulled when the one before was taken", `const log = []; async function* g() { for (let i = 0; i < 3; i++) { log.push(i); yield i; } } const p = emit.many("a", g()); await emit("b", 9); log.push("b"); await p; return log.join()`, "a0 b9 a1 a2", "", ""},
		} {
			got = nil
			res := must(t, s, row.code, Options{OnEmit: sink})
			if list := strings.Join(got, " "); list != row.want && (row.result != "" || len(got) != 4) {
				t.Errorf("%s: got %s, want %s", row.name, list, row.want)
			}
			if row.result != "" {
				wantJSON(t, row.name, res.Value, row.result)
			}
			if logText(res) != row.logs {
				t.Errorf("%s: got logs %q", row.name, logText(res))
			}
			if res.Emitted != nil {
				t.Errorf("%s: collected %v", row.name, res.Emitted)
			}
		}
		_, e := fails(t, s, `emit("a", 1); throw new TypeError("x")`, Options{OnEmit: sink}, KindGuest)
		if e.Name != "TypeError" || got[len(got)-1] != "a1" {
			t.Errorf("got %v, %v", e, got)
		}
		for _, code := range []string{"const all = [1, 'refuse'];\nawait emit.many('a', all)", "await null;\nawait emit('a', 'refuse')"} {
			_, e := fails(t, s, code, Options{OnEmit: sink}, KindGuest)
			if e.Message != "the sink is full" || e.Position.Line != 2 {
				t.Errorf("%s: got %v at %v", code, e, e.Position)
			}
		}
		// A sink that does not return is cut off with the run.
		stuck := func(ctx context.Context, name string, v Value) error { <-ctx.Done(); return ctx.Err() }
		l := Limits{Timeout: 100 * time.Millisecond}
		inTime(t, l.Timeout, func() { fails(t, s, `emit("a", 1); return 1`, Options{OnEmit: stuck, Limits: l}, KindTimeout) })
		ctx, cancel := context.WithCancel(context.Background())
		_, err := s.Run(ctx, `emit("a", 1); return 1`, Options{OnEmit: func(ctx context.Context, name string, v Value) error { cancel(); return stuck(ctx, name, v) }})
		wantKind(t, err, KindCancelled)
		alive(t, s)
	})
}

func TestIterate(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		// all is what a loop gets, up to a number of values.
		all := func(it *Iteration, most int) (got []string) {
			for e, err := range it.All() {
				if err != nil {
					got = append(got, kindOf(err))
				} else if got = append(got, fmt.Sprint(e.Name, e.Value)); len(got) == most {
					break
				}
			}
			return got
		}
		for _, row := range []struct {
			name, code string
			most       int
			want, kind string
			value      string
		}{
			{"values and the result", `await emit("a", 1); emit("b", 2); return 3`, 9, "a1 b2", "value", "3"},
			{"no values", `return 3`, 9, "", "value", "3"},
			{"the error comes last", `await emit("a", 1); throw new Error("x")`, 9, "a1 guest", "guest", ""},
			{"leaving the loop ends an awaiting program", `for (let i = 0; ; i++) await emit("a", i)`, 2, "a0 a1", "cancelled", ""},
			{"one that computes", `emit("a", 0); await sleep(1); for (;;);`, 1, "a0", "cancelled", ""},
			{"one that floods", `for (let i = 0; i < 5000; i++) emit("a", i); await sleep(5000)`, 1, "a0", "cancelled", ""},
			{"one that emits the rest of an endless iterable", `function* g() { for (;;) yield 1 } await emit.many("a", g())`, 3, "a1 a1 a1", "cancelled", ""},
			{"a program that cannot be compiled", `return 1 +`, 9, "syntax", "syntax", ""},
		} {
			it := s.Iterate(context.Background(), row.code, Options{})
			if got := strings.Join(all(it, row.most), " "); got != row.want {
				t.Errorf("%s: got %q, want %q", row.name, got, row.want)
			}
			if kind := kindOf(it.Err()); kind != row.kind {
				t.Errorf("%s: got error %v, want %s", row.name, it.Err(), row.kind)
			}
			if res := it.Result(); res == nil || row.value != "" && res.Value.String() != row.value || res.Emitted != nil {
				t.Errorf("%s: got result %+v", row.name, res)
			}
		}
		it := s.Iterate(context.Background(), `await emit("a", 1)`, Options{})
		if got := fmt.Sprint(all(it, 9), all(it, 9)); got != "[a1] [usage]" {
			t.Errorf("two loops: got %s", got)
		}
		sink := func(context.Context, string, Value) error { return nil }
		if got := fmt.Sprint(all(s.Iterate(context.Background(), `return 1`, Options{OnEmit: sink}), 9)); got != "[usage]" {
			t.Errorf("with a sink: got %s", got)
		}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		it = s.Iterate(ctx, `for (let i = 0; ; i++) await emit("a", i)`, Options{})
		n := 0
		for _, err := range it.All() {
			if err == nil {
				if n++; n == 3 {
					cancel()
				}
			}
		}
		if kindOf(it.Err()) != "cancelled" || n != 3 {
			t.Errorf("cancelled by the caller: got %v after %d values", it.Err(), n)
		}
		// A body that panics ends the run, too.
		it = s.Iterate(context.Background(), `for (;;) await emit("a", 1)`, Options{})
		func() {
			defer func() {
				if p := recover(); p != "body" {
					t.Errorf("got panic %v", p)
				}
			}()
			for range it.All() {
				panic("body")
			}
		}()
		if kindOf(it.Err()) != "cancelled" {
			t.Errorf("after a panic: got %v", it.Err())
		}
		alive(t, s)
	})
}

// A consumer takes 10 000 values of 20 kB, and neither side ever holds more than a few.
func TestEmitWithASlowConsumerHoldsMemoryFlat(t *testing.T) {
	long(t, "10 000 values of 20 kB go through")
	const values, size = 10_000, 20_000
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		box := own(t, s, Config{Isolates: 1})
		for _, code := range []string{
			`for (let i = 0; i < inputs.n; i++) await emit("row", { i, text: "x".repeat(inputs.size) });`,
			`function* rows() { for (let i = 0; i < inputs.n; i++) yield { i, text: "x".repeat(inputs.size) }; } await emit.many("row", rows());`,
		} {
			it := box.Iterate(context.Background(), code, Options{Inputs: map[string]any{"n": values, "size": size}, Limits: Limits{Timeout: 5 * time.Minute}})
			var first, most uint64
			n := 0
			for e, err := range it.All() {
				if err != nil {
					t.Fatal(err)
				}
				if i, _ := e.Value.Field("i").Int(); i != int64(n) || e.Value.Field("text").Len() != size {
					t.Fatalf("value %d is %d with %d characters", n, i, e.Value.Field("text").Len())
				}
				if n++; n%500 == 0 {
					var m runtime.MemStats
					runtime.GC()
					runtime.ReadMemStats(&m)
					if first == 0 {
						first = m.HeapAlloc
					}
					most = max(most, m.HeapAlloc)
				}
			}
			if n != values {
				t.Errorf("got %d values", n)
			}
			peak := it.Result().Usage.PeakHeap
			t.Logf("heap of the host %d kB at first, at most %d kB; of the guest at most %d kB", first>>10, most>>10, peak>>10)
			if most > first+1<<20 {
				t.Errorf("the host's heap grew from %d to %d kB", first>>10, most>>10)
			}
			if peak > 4<<20 {
				t.Errorf("the guest's heap reached %d kB", peak>>10)
			}
		}
	})
}

// A run in which nothing can settle ends at once, unless the host waits for something.
func TestEndedWaitsAreReleased(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		const never = "; await new Promise(() => {})"
		for _, code := range []string{
			"const c = new AbortController(); sleep(1e6, { signal: c.signal }).catch(() => {}); c.abort()",
			"const c = new AbortController(); sleep(1e6, { signal: c.signal }).catch(() => {}); await sleep(1); c.abort()",
			"const c = new AbortController(); for (let i = 0; i < 300; i++) sleep(1e6, { signal: c.signal }).catch(() => {}); await sleep(1); c.abort()",
			"clearTimeout(setTimeout(() => {}, 1e6))",
			"const t = setTimeout(() => {}, 1e6); await sleep(1); clearTimeout(t)",
			"const t = setInterval(() => {}, 1e6); await sleep(1); clearInterval(t)",
			"const a = setTimeout(() => {}, 1e6); await sleep(1); const b = setTimeout(() => {}, 1e5); await sleep(1); clearTimeout(b); clearTimeout(a)",
			"await new Promise((r) => setTimeout(r, 1))",
		} {
			res, _ := fails(t, s, code+never, Options{Timers: true, Limits: Limits{Sleep: time.Hour}}, KindStalled)
			if n := len(res.Usage.Calls); n > 1 || n == 1 && res.Usage.Calls["sleep"].Count == 0 {
				t.Errorf("%s: got usage %v", code, res.Usage.Calls)
			}
		}
		o := Options{Timers: true, Limits: Limits{Calls: 2, Timeout: 5 * time.Second}}
		res := must(t, s, "for (let i = 0; i < 50; i++) { clearTimeout(setTimeout(() => {}, 1e6)); await sleep(0); } return 1", o)
		if res.Value.String() != "1" {
			t.Errorf("got %v", res.Value)
		}
		res = must(t, s, `const p = [sleep(1), sleep(1)]; let m; try { setTimeout(() => {}, 1) } catch (e) { m = e.name } await Promise.all(p); await new Promise((r) => setTimeout(r, 1)); return m`, o)
		if res.Value.String() == "undefined" {
			t.Error("a timer beyond the limit of open calls was not refused")
		}
		// Timers do not let a program live on.
		l := Limits{Timeout: 100 * time.Millisecond}
		inTime(t, l.Timeout, func() { fails(t, s, "setInterval(() => {}, 1)"+never, Options{Timers: true, Limits: l}, KindTimeout) })
		inTime(t, l.Timeout, func() {
			fails(t, s, "const f = () => setTimeout(f, 0); f()"+never, Options{Timers: true, Limits: l}, KindTimeout)
		})
		if _, err := New(Config{Bridges: []*bridges.Bridge{{Name: "t", Funcs: []bridges.Func{{Name: "setTimeout", Call: func(context.Context, *bridges.Call) (any, error) { return nil, nil }}}}}}); !errors.Is(err, ErrUsage) {
			t.Errorf("a bridge with setTimeout: got %v", err)
		}
	})
}

func TestProgressReports(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, row := range []struct{ name, args, want string }{
			{"a number and a text", `50, "half"`, `50 "half"`},
			{"a text that is a number", `"12.5"`, `12.5 ""`},
			{"no message", `1, null`, `1 ""`},
			{"anything as a message", `1, [1, 2]`, `1 "1,2"`},
			{"above 100", `1e9`, `100 ""`},
			{"below 0", `-1`, `0 ""`},
			{"no number", `"x"`, `0 ""`},
			{"nothing", ``, `0 ""`},
			{"infinite", `Infinity`, `0 ""`},
			{"an object", `{ valueOf: () => 7 }`, `7 ""`},
			{"what cannot be a number", `Symbol()`, `0 ""`},
			{"what throws", `{ valueOf() { throw 1; } }, { toString() { throw 2; } }`, `0 ""`},
		} {
			var got []string
			o := Options{OnProgress: func(p float64, m string) { got = append(got, fmt.Sprintf("%v %q", p, m)); panic("sink") }}
			res := must(t, s, `return typeof progress(`+row.args+`)`, o)
			if len(got) != 1 || got[0] != row.want || res.Value.String() != "undefined" {
				t.Errorf("%s: got %q, %v, want %s", row.name, got, res.Value, row.want)
			}
		}
	})
}

// A guest that waits for very many handles at one time gets so many goroutines and no more.
func TestTakesOfManyHandles(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		p := &parking{parked: make(chan string, 1000), woken: make(chan string, 1000)}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		o := Options{Input: p, OnEmit: func(context.Context, string, Value) error {
			for range 256 {
				<-p.parked
			}
			cancel()
			return nil
		}}
		_, err := s.Run(ctx, `for (let i = 0; i < 600; i++) stream.first("h" + i); await sleep(1); await emit("x", 1); await new Promise(() => {})`, o)
		wantKind(t, err, KindCancelled)
		for range 256 {
			<-p.woken
		}
		if n := len(p.parked) + len(p.woken); n != 0 {
			t.Errorf("%d more takes waited", n)
		}
		alive(t, s)
	})
}
