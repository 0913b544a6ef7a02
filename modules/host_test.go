package modules

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"quicksand/bridges"
	"quicksand/hostmods"
	"quicksand/internal/marshal"
)

// hostCall calls the one function of a module as a sandbox does.
func hostCall(ctx context.Context, m *hostmods.Module, args ...any) (any, error) {
	b := HostBridge(m)
	v, err := marshal.NewValue(append([]any{}, args...), marshal.EncodeOptions{})
	if err != nil {
		return nil, err
	}
	s := bridges.NewSession(bridges.SessionOptions{Context: ctx})
	defer s.Close()
	c, err := bridges.Unpack(s, b, &b.Funcs[0], v)
	if err != nil {
		return nil, err
	}
	return b.Funcs[0].Call(ctx, c)
}

// module1 is a module with one function.
func module1(l hostmods.Limits, call func(ctx context.Context, c *bridges.Call) (any, error)) *hostmods.Module {
	return &hostmods.Module{ID: "m", Limits: l, Funcs: []bridges.Func{{Name: "f", Params: []bridges.Param{hostmods.BytesParam("data", "")}, Call: call}}}
}

func TestHostBridge(t *testing.T) {
	b := HostBridge(echoHost)
	if b.Name != "@nodetool-ai/sandbox-echo" || !b.Always || b.Concurrency != hostmods.DefaultConcurrency || len(b.Funcs) != 2 || b.Funcs[0].Name != "echo" || b.Funcs[0].Op != "echo.echo" {
		t.Errorf("got %+v", b)
	}
	if echoHost.Funcs[0].Op != "" {
		t.Error("the module itself was changed")
	}
}

func TestHostCalls(t *testing.T) {
	give := func(v any) func(context.Context, *bridges.Call) (any, error) {
		return func(context.Context, *bridges.Call) (any, error) { return v, nil }
	}
	fail := func(err error) func(context.Context, *bridges.Call) (any, error) {
		return func(context.Context, *bridges.Call) (any, error) { return nil, err }
	}
	for _, tt := range []struct {
		name string
		m    *hostmods.Module
		arg  any
		want string // the error; "" for none
		kind bridges.Kind
	}{
		{"a result within the limit", module1(hostmods.Limits{Result: 1000}, give(make([]byte, 900))), []byte{}, "", ""},
		{"bytes above the limit", module1(hostmods.Limits{Result: 1000}, give(make([]byte, 1001))), []byte{}, "m.f: the result of 1001 bytes is more than the limit of 1000 bytes (HostResultSize)", bridges.KindLimit},
		{"an object above the limit", module1(hostmods.Limits{Result: 1000}, give(map[string]any{"a": strings.Repeat("x", 1000)})), []byte{}, "m.f: the result is more than the limit of 1000 bytes (HostResultSize)", bridges.KindLimit},
		{"an error of Go", module1(hostmods.Limits{}, fail(errors.New("row 3 is short"))), []byte{}, "m.f: row 3 is short", ""},
		{"an error without an operation", module1(hostmods.Limits{}, fail(&bridges.Error{Message: "no", Code: "X"})), []byte{}, "m.f: no", ""},
		{"an error with an operation of its own", module1(hostmods.Limits{}, fail(bridges.Deniedf("workspace.read", "no"))), []byte{}, "workspace.read: no", bridges.KindDenied},
		{"a result that cannot cross", module1(hostmods.Limits{}, give(make(chan int))), []byte{}, "m.f: the result cannot be passed to the guest", bridges.KindInternal},
		{"an argument of a wrong type", module1(hostmods.Limits{}, give(1)), "text", "m.f: data must be a Uint8Array, not a string; " + hostmods.BytesHint, ""},
		{"a call that takes too long", module1(hostmods.Limits{Timeout: time.Nanosecond}, func(ctx context.Context, _ *bridges.Call) (any, error) { <-ctx.Done(); return nil, ctx.Err() }), []byte{}, "m.f: the call took longer than the limit of 1ns (HostCallTimeout)", bridges.KindLimit},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := hostCall(context.Background(), tt.m, tt.arg)
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var e *bridges.Error
			if !errors.As(err, &e) || e.Error() != tt.want || e.Kind != tt.kind {
				t.Errorf("got %v (%+v), want %q of kind %q", err, e, tt.want, tt.kind)
			}
		})
	}
}

func TestHostCallsEndWithTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	_, err := hostCall(ctx, module1(hostmods.Limits{}, func(ctx context.Context, _ *bridges.Call) (any, error) {
		cancel()
		<-ctx.Done()
		return nil, errors.New("something else")
	}), []byte{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// Calls of one run, whatever module they are of, wait for the memory that others take; those
// of other runs do not, nor those that take little, and a run that ends does not wait.
func TestMemoryOfHostCalls(t *testing.T) {
	started, release := make(chan string, 8), make(chan bool)
	block := func(_ context.Context, c *bridges.Call) (any, error) {
		started <- c.Op()
		<-release
		return true, nil
	}
	make1 := func(id string, l hostmods.Limits) *bridges.Bridge {
		m := module1(l, block)
		m.ID = id
		return HostBridge(m)
	}
	large, other, small := make1("large", hostmods.Limits{MemoryPerByte: 1 << 30}), make1("other", hostmods.Limits{Memory: 200 << 20}), make1("small", hostmods.Limits{Memory: 1})
	ctx, cancel := context.WithCancel(t.Context())
	run, second := bridges.NewSession(bridges.SessionOptions{Context: ctx}), bridges.NewSession(bridges.SessionOptions{Context: t.Context()})
	done := make(chan error, 8)
	start := func(ctx context.Context, s *bridges.Session, b *bridges.Bridge) {
		v, err := marshal.NewValue([]any{[]byte{1, 2, 3}}, marshal.EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := bridges.Unpack(s, b, &b.Funcs[0], v)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			_, err := b.Funcs[0].Call(ctx, c)
			done <- err
		}()
	}
	start(ctx, run, other)
	if op := <-started; op != "other.f" {
		t.Fatalf("%s began", op)
	}
	start(ctx, run, small) // beside it
	if op := <-started; op != "small.f" {
		t.Fatalf("%s began", op)
	}
	start(ctx, run, large) // needs all
	start(t.Context(), second, large)
	if op := <-started; op != "large.f" {
		t.Fatalf("%s began", op)
	}
	select {
	case op := <-started:
		t.Fatalf("%s began without memory", op)
	default:
	}
	// What holds the memory of the first run ends: the waiting call begins.
	for range 3 {
		release <- true
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	if op := <-started; op != "large.f" {
		t.Fatalf("%s began", op)
	}
	start(ctx, run, other) // waits
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("a call that waited when the run ended: %v", err)
	}
	release <- true
	<-done
}

func TestEstimates(t *testing.T) {
	for _, c := range []struct {
		l          hostmods.Limits
		size, want int64
	}{
		{hostmods.Limits{}, 0, 1 << 20},
		{hostmods.Limits{}, 1000, 1<<20 + 8000},
		{hostmods.Limits{Memory: 5, MemoryPerByte: 2}, 10, 25},
		{hostmods.Limits{}, 1 << 62, hostmods.MaxMemory},
		{hostmods.Limits{Memory: 1 << 40}, 0, hostmods.MaxMemory},
	} {
		if got := c.l.Estimate(c.size); got != c.want {
			t.Errorf("%+v of %d: got %d, want %d", c.l, c.size, got, c.want)
		}
	}
}
