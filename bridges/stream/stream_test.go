package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"quicksand/bridges"
	"quicksand/internal/marshal"
)

// take is what a source answers, as text: "handle=value", "end" or "error: …".
func take(ctx context.Context, s Source, name string) string {
	h, v, ok, err := s.Take(ctx, strings.TrimPrefix(name, "*"), name == "*")
	switch {
	case err != nil:
		return "error: " + err.Error()
	case !ok:
		return "end"
	}
	if raw, is := v.(json.RawMessage); is {
		v = string(raw)
	}
	return fmt.Sprint(h, "=", v)
}

func closed(values ...any) <-chan any {
	c := make(chan any, len(values))
	for _, v := range values {
		c <- v
	}
	close(c)
	return c
}

func TestSources(t *testing.T) {
	count := func(n int) iter.Seq[any] {
		return func(yield func(any) bool) {
			for i := range n {
				if !yield(i) {
					return
				}
			}
		}
	}
	merged := func(list ...string) iter.Seq2[string, any] {
		return func(yield func(string, any) bool) {
			for i, name := range list {
				if !yield(name, i) {
					return
				}
			}
		}
	}
	for _, row := range []struct {
		name   string
		source Source
		steps  string // a handle, * for all, -handle and -* for a release, ?handle for a probe
		want   string
	}{
		{"channels by handle", Channels(map[string]<-chan any{"a": closed(1, 2), "b": closed(3)}, nil), "a b a a ?a ?b b ?b x ?x", "a=1 b=3 a=2 end false true end false end false"},
		{"all channels until the last is closed", Channels(map[string]<-chan any{"a": closed(1), "b": closed()}, nil), "* * *", "a=1 end end"},
		{"a nil channel is at its end", Channels(map[string]<-chan any{"a": nil}, nil), "?a a *", "false end end"},
		{"a channel goes on after a release", Channels(map[string]<-chan any{"a": closed(1, 2)}, nil), "a -a a", "a=1 - a=2"},
		{"sequences by handle", Sequences(map[string]iter.Seq[any]{"a": count(2), "b": count(1)}), "a b a ?a a ?a b x ?x", "a=0 b=0 a=1 true end false end end false"},
		{"all sequences in turn", Sequences(map[string]iter.Seq[any]{"b": count(1), "a": count(3)}), "* * * * *", "a=0 b=0 a=1 a=2 end"},
		{"a sequence ends with its release", Sequences(map[string]iter.Seq[any]{"a": count(9), "b": count(9)}), "a -a a ?a b * -* * b", "a=0 - end false b=0 b=1 - end end"},
		{"releasing what never began", Sequences(map[string]iter.Seq[any]{"a": count(9)}), "-a a", "- end"},
		{"no sequences", Sequences(nil), "* a -*", "end end -"},
		{"values", Values("v", "x", "y"), "v * v", "v=x v=y end"},
		{"pairs as they come", Pairs(merged("a", "b", "a")), "* * * *", "a=0 b=1 a=2 end"},
		{"pairs by handle keep the others", Pairs(merged("a", "b", "a", "c", "b")), "b a ?c c ?a * ?a * *", "b=1 a=0 true c=3 true a=2 true b=4 end"},
		{"after the end of pairs handles with kept values are open", Pairs(merged("a", "b")), "x ?a ?x a ?a b", "end true false a=0 false b=1"},
		{"releasing a handle of pairs drops what comes for it", Pairs(merged("a", "b", "a", "b", "a")), "a -a b b", "a=0 - b=1 b=3"},
		{"asking again takes it up again", Pairs(merged("a", "b", "a", "b", "a")), "a -a b a", "a=0 - b=1 a=2"},
		{"releasing all of pairs ends them", Pairs(merged("a", "b", "a")), "a -* * ?a", "a=0 - end false"},
		{"lines", Lines("l", strings.NewReader("1\n\"x\"\r\n\n  {\"a\": [1]} \n[2]")), "l * ?l x l l ?l l ?l", `l=1 l="x" true end l={"a": [1]} l=[2] false end false`},
		{"lines of a reader that gives bytes one by one", Lines("l", iotest.OneByteReader(strings.NewReader("11\n22\n"))), "l l l", "l=11 l=22 end"},
		{"a byte order mark is skipped", Lines("l", strings.NewReader("\xef\xbb\xbf1\n")), "l l", "l=1 end"},
		{"a line that is no JSON is skipped with an error", Lines("l", strings.NewReader("1\n{oops\n3\n")), "l l l l", `l=1 error: stream: line 2 of "l" is not JSON l=3 end`},
		{"a released reader is at its end", Lines("l", strings.NewReader("1\n2\n")), "l -l l ?l", "l=1 - end false"},
		{"an error of the reader says nothing of the host", Lines("l", io.MultiReader(strings.NewReader("1\n"), iotest.ErrReader(errors.New("/host/path")))), "l l l", `l=1 error: stream: reading "l" failed end`},
		{"a data error at the end of a line", Lines("l", iotest.DataErrReader(strings.NewReader("1\n2"))), "l l l", "l=1 l=2 end"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got []string
			for _, step := range strings.Fields(row.steps) {
				switch {
				case step[0] == '?':
					got = append(got, fmt.Sprint(row.source.Open(step[1:])))
				case step == "-*":
					row.source.Release("", true)
					got = append(got, "-")
				case step[0] == '-':
					row.source.Release(step[1:], false)
					got = append(got, "-")
				default:
					got = append(got, take(context.Background(), row.source, step))
				}
			}
			if g := strings.Join(got, " "); g != row.want {
				t.Errorf("got  %s\nwant %s", g, row.want)
			}
			if c, ok := row.source.(io.Closer); ok {
				if err := c.Close(); err != nil {
					t.Error(err)
				}
				if g := take(context.Background(), row.source, "*"); g != "end" {
					t.Errorf("after Close: got %s", g)
				}
			}
		})
	}
}

func TestStreamLineIsLimited(t *testing.T) {
	long := strings.Repeat("1", maxLine)
	s := Lines("l", strings.NewReader(long+"\n"+long+"2\n3\n"))
	if _, v, ok, err := s.Take(context.Background(), "l", false); err != nil || !ok || len(v.(json.RawMessage)) != maxLine {
		t.Errorf("the longest line: got %v, %v", ok, err)
	}
	_, _, _, err := s.Take(context.Background(), "l", false)
	var e *bridges.Error
	if !errors.As(err, &e) || e.Limit != "StreamLine" || e.Value != maxLine || e.Used <= maxLine || e.Kind != bridges.KindLimit {
		t.Errorf("a longer line: got %#v", err)
	}
	if got := take(context.Background(), s, "l"); got != "end" {
		t.Errorf("after it: got %s", got)
	}
}

func TestStreamAsideIsLimited(t *testing.T) {
	s := Pairs(func(yield func(string, any) bool) {
		for i := 0; yield("other", i); i++ {
		}
	})
	defer s.(io.Closer).Close()
	_, _, _, err := s.Take(context.Background(), "wanted", false)
	var e *bridges.Error
	if !errors.As(err, &e) || e.Limit != "StreamAside" || e.Value != maxAside || e.Used != maxAside+1 || e.Kind != bridges.KindLimit {
		t.Errorf("got %#v", err)
	}
	// Reading the others makes room, and nothing is lost.
	for i := range maxAside + 5 {
		if got, want := take(context.Background(), s, "other"), fmt.Sprint("other=", i); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
}

// A take that is given up loses no value: the next one gets it.
func TestATakeThatIsGivenUpLosesNothing(t *testing.T) {
	gate, ch := make(chan struct{}), make(chan any)
	for name, s := range map[string]Source{
		"channels": Channels(map[string]<-chan any{"a": ch}, nil),
		"sequences": Sequences(map[string]iter.Seq[any]{"a": func(yield func(any) bool) {
			<-gate
			yield(1)
		}}),
		"pairs": Pairs(func(yield func(string, any) bool) {
			<-gate
			yield("a", 1)
		}),
	} {
		for _, handle := range []string{"a", "*"} {
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan string)
			go func() { done <- take(ctx, s, handle) }()
			cancel()
			if got := <-done; got != "error: context canceled" {
				t.Errorf("%s: given up: got %s", name, got)
			}
		}
		go func() {
			if name == "channels" {
				ch <- 1
			} else {
				gate <- struct{}{}
			}
		}()
		if got := take(context.Background(), s, "a"); got != "a=1" {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

func TestAReaderThatWaitsIsClosed(t *testing.T) {
	for name, end := range map[string]func(s Source, cancel func()){
		"with the run":     func(s Source, cancel func()) { s.(io.Closer).Close() },
		"with its context": func(s Source, cancel func()) { cancel() },
		"when released":    func(s Source, cancel func()) { s.Release("l", false) },
	} {
		r, w := io.Pipe()
		s := Lines("l", r)
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan string)
		go func() { done <- take(ctx, s, "l") }()
		io.WriteString(w, "1") // the Read that waits has begun
		end(s, cancel)
		if got := <-done; got != "end" && got != "error: context canceled" {
			t.Errorf("%s: got %s", name, got)
		}
		if _, err := w.Write([]byte("x")); err != io.ErrClosedPipe {
			t.Errorf("%s: writing then: got %v", name, err)
		}
		cancel()
	}
}

// Takes of several handles of one iterator wait side by side.
func TestPairsServeWhoWaits(t *testing.T) {
	next := make(chan string)
	s := Pairs(func(yield func(string, any) bool) {
		for name := range next {
			if !yield(name, len(name)) {
				return
			}
		}
	})
	done := make(chan string)
	for _, h := range []string{"a", "bb"} {
		go func() { done <- take(context.Background(), s, h) }()
	}
	next <- "bb"
	if got := <-done; got != "bb=2" {
		t.Errorf("got %s", got)
	}
	next <- "a"
	if got := <-done; got != "a=1" {
		t.Errorf("got %s", got)
	}
	close(next)
	s.(io.Closer).Close()
}

func TestAnIteratorThatPanics(t *testing.T) {
	for name, s := range map[string]Source{
		"sequences": Sequences(map[string]iter.Seq[any]{"a": func(func(any) bool) { panic("host") }}),
		"pairs":     Pairs(func(func(string, any) bool) { panic("host") }),
	} {
		func() {
			defer func() {
				if p := recover(); p != "host" {
					t.Errorf("%s: got panic %v", name, p)
				}
			}()
			take(context.Background(), s, "a")
		}()
		if got := take(context.Background(), s, "a") + take(context.Background(), s, "*"); got != "endend" {
			t.Errorf("%s: after it got %s", name, got)
		}
		s.(io.Closer).Close()
	}
	s := Sequences(map[string]iter.Seq[any]{"a": func(func(any) bool) { runtime.Goexit() }})
	if got := take(context.Background(), s, "a"); got != "end" {
		t.Errorf("an iterator that ends its goroutine: got %s", got)
	}
}

// An iterator advances only when it is asked, and its end runs before Close returns.
func TestIteratorsAreNotReadAhead(t *testing.T) {
	var mu sync.Mutex
	var log []string
	note := func(s string) { mu.Lock(); defer mu.Unlock(); log = append(log, s) }
	s := Sequences(map[string]iter.Seq[any]{"a": func(yield func(any) bool) {
		defer note("end")
		for i := 0; ; i++ {
			note(fmt.Sprint(i))
			if !yield(i) {
				return
			}
		}
	}})
	before := runtime.NumGoroutine()
	for range 3 {
		take(context.Background(), s, "a")
		note("taken")
	}
	s.(io.Closer).Close()
	if want := []string{"0", "taken", "1", "taken", "2", "taken", "end"}; !slices.Equal(log, want) {
		t.Errorf("got %q, want %q", log, want)
	}
	// An ended goroutine is counted until the scheduler has been at it, which a busy machine delays.
	for range 2000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines after %d", runtime.NumGoroutine(), before)
}

func TestChannelsTellOfReleases(t *testing.T) {
	var got []string
	s := Channels(map[string]<-chan any{"a": make(chan any), "b": make(chan any), "c": closed()}, func(name string) { got = append(got, name) })
	take(context.Background(), s, "c")
	s.Release("x", false)
	s.Release("b", false)
	s.Release("c", false)
	s.Release("", true)
	if want := []string{"b", "a", "b"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Many goroutines take, release and probe at one time, for the race detector.
func TestSourcesUnderConcurrency(t *testing.T) {
	forever := func(yield func(any) bool) {
		for i := 0; yield(i); i++ {
		}
	}
	for name, s := range map[string]Source{
		"sequences": Sequences(map[string]iter.Seq[any]{"a": forever, "b": forever}),
		"pairs": Pairs(func(yield func(string, any) bool) {
			for yield("a", 1) && yield("b", 2) {
			}
		}),
		"lines":    Lines("a", strings.NewReader(strings.Repeat("1\n", 100_000))),
		"channels": Channels(map[string]<-chan any{"a": closed(make([]any, 1000)...), "b": closed()}, func(string) {}),
	} {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				for range 200 {
					if got := take(ctx, s, []string{"a", "b", "*"}[i%3]); strings.HasPrefix(got, "error: context") {
						t.Errorf("%s: got %s", name, got)
						return
					}
					s.Open("a")
				}
				if i == 7 {
					s.Release("a", false)
				}
			})
		}
		wg.Wait()
		cancel()
		if c, ok := s.(io.Closer); ok {
			c.Close()
		}
	}
}

// TestATakeOfALoopThatWasLeftTakesNothing releases a loop whose take has not come to the host
// yet, with a value that is there at once and without one.
func TestATakeOfALoopThatWasLeftTakesNothing(t *testing.T) {
	ch := make(chan any, 1)
	s := bridges.NewSession(bridges.SessionOptions{Grants: map[*bridges.Bridge]any{Bridge: Channels(map[string]<-chan any{"h": ch}, nil)}})
	defer s.Close()
	opened, err := s.State(Bridge)
	if err != nil {
		t.Fatal(err)
	}
	call := func(name string, args ...any) any {
		v, err := marshal.NewValue(args, marshal.EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(Bridge.Funcs, func(f bridges.Func) bool { return f.Name == name })
		c, err := bridges.Unpack(s, Bridge, &Bridge.Funcs[i], v)
		if err != nil {
			t.Fatal(err)
		}
		c.State = opened
		if c.Func.QuickIf != nil {
			c.Func.QuickIf(c)
		}
		out, err := c.Func.Call(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for values, loop := range []int{1, 2} {
		if values > 0 {
			ch <- "kept"
		}
		call("_stream.release", "h", loop, true)
		if got := call("_stream.take", "h", loop); got != bridges.Undefined {
			t.Fatalf("with %d values: the take of a loop that was left got %v", values, got)
		}
		if n := len(opened.(*state).released); n != 0 {
			t.Errorf("with %d values: %d loops are still remembered", values, n)
		}
	}
	if got := call("_stream.take", "h", 3); !reflect.DeepEqual(got, []any{"h", "kept"}) {
		t.Errorf("the next loop got %v", got)
	}
}
