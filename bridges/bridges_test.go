package bridges

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"quicksand/internal/marshal"
)

func TestLimitResolve(t *testing.T) {
	l := Limit{Name: "CRMCalls", Unit: "calls", Default: 20, Floor: 2, Ceiling: 100}
	for _, row := range []struct {
		name     string
		in, want int64
	}{
		{"zero is the default", 0, 20},
		{"the floor", 2, 2},
		{"below the floor", 1, 2},
		{"between", 50, 50},
		{"the ceiling", 100, 100},
		{"above the ceiling", math.MaxInt64, 100},
	} {
		if got, err := l.Resolve(row.in); got != row.want || err != nil {
			t.Errorf("%s: got %d, %v, want %d", row.name, got, err, row.want)
		}
	}
	if _, err := l.Resolve(-1); err == nil || err.Error() != "CRMCalls is -1 calls: a limit cannot be negative" {
		t.Errorf("negative: got %v", err)
	}
}

func TestToUint8(t *testing.T) {
	for in, want := range map[float64]byte{0: 0, 1: 1, 255: 255, 256: 0, 257: 1, -1: 255, -257: 255, 2.9: 2, -0.5: 0, 1e20: 0, 1<<40 + 7: 7, math.Inf(1): 0, math.Inf(-1): 0} {
		if got := byteOf(in); got != want {
			t.Errorf("%v: got %d, want %d", in, got, want)
		}
	}
	if byteOf(math.NaN()) != 0 {
		t.Error("NaN is not 0")
	}
}

func TestUnpackNamesThePlace(t *testing.T) {
	f := &Func{Name: "a.b", Params: []Param{
		{Name: "who", Type: String},
		{Name: "flags", Type: Array, Optional: true},
		{Name: "o", Type: Object, Optional: true, Fields: []Param{
			{Name: "on", Type: Boolean, Optional: true},
			{Name: "at", Type: Object, Optional: true, Fields: []Param{{Name: "x", Type: Number}}},
		}},
	}}
	for _, row := range []struct {
		name string
		args []any
		want string
	}{
		{"all is well", []any{"x", []any{}, map[string]any{"on": true, "at": map[string]any{"x": 1}}}, ""},
		{"nothing at all", nil, "a.b: who must be a string, not undefined"},
		{"null is no string", []any{nil}, "a.b: who must be a string, not null"},
		{"an object for an array", []any{"x", map[string]any{}}, "a.b: flags must be an array, not an object"},
		{"a string for a boolean", []any{"x", nil, map[string]any{"on": "yes"}}, "a.b: o.on must be true or false, not a string"},
		{"a field of a field", []any{"x", nil, map[string]any{"at": map[string]any{}}}, "a.b: o.at.x must be a number, not undefined"},
		{"a Map for an object", []any{"x", nil, &marshal.Map{}}, "a.b: o must be an object, not a map"},
	} {
		m, err := marshal.NewValue(row.args, marshal.EncodeOptions{})
		if row.args == nil {
			m, err = marshal.NewValue([]any{}, marshal.EncodeOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if _, err := Unpack(NewSession(SessionOptions{}), &Bridge{}, f, m); err != nil {
			got = err.Error()
			var e *Error
			if !errors.As(err, &e) || e.Name != "TypeError" {
				t.Errorf("%s: got %#v, want a TypeError", row.name, err)
			}
		}
		if got != row.want {
			t.Errorf("%s:\ngot  %s\nwant %s", row.name, got, row.want)
		}
	}
}

type closer struct {
	name string
	log  *[]string
}

func (c *closer) Close() error { *c.log = append(*c.log, c.name); return nil }

func TestSessionState(t *testing.T) {
	var log []string
	opens := 0
	open := func(name string) *Bridge {
		return &Bridge{Name: name, Always: true, Open: func(*Session, any) (any, error) { opens++; return &closer{name, &log}, nil }}
	}
	a, b, never := open("a"), open("b"), open("never")
	broken := &Bridge{Always: true, Open: func(*Session, any) (any, error) { return nil, errors.New("broken") }}
	plain, ungranted := &Bridge{}, &Bridge{}
	s := NewSession(SessionOptions{Grants: map[*Bridge]any{plain: 7}})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { s.State(a) })
	}
	wg.Wait()
	s.State(b)
	if opens != 2 {
		t.Errorf("%d opens, want one for each bridge", opens)
	}
	if v, err := s.State(plain); v != 7 || err != nil {
		t.Errorf("without Open: got %v, %v, want the grant", v, err)
	}
	if _, err := s.State(ungranted); !errors.Is(err, ErrNotGranted) {
		t.Errorf("without a grant: got %v", err)
	}
	for range 2 {
		if _, err := s.State(broken); err == nil || err.Error() != "broken" {
			t.Errorf("a state that does not open: got %v", err)
		}
	}
	s.Close()
	if got := strings.Join(log, " "); got != "b a" {
		t.Errorf("closed %q, want the last opened first", got)
	}
	if _, err := s.State(never); !errors.Is(err, context.Canceled) {
		t.Errorf("after Close: got %v", err)
	}
}

// TestCloseDoesNotWaitForOpen closes a session while a state is being opened, as the end of a
// run does when an Open does not return.
func TestCloseDoesNotWaitForOpen(t *testing.T) {
	var log []string
	opening, proceed := make(chan struct{}), make(chan struct{})
	b := &Bridge{Always: true, Open: func(*Session, any) (any, error) {
		close(opening)
		<-proceed
		return &closer{"late", &log}, nil
	}}
	ctx, cancel := context.WithCancel(context.Background())
	s := NewSession(SessionOptions{Context: ctx})
	var wg sync.WaitGroup
	var late error
	wg.Go(func() { _, late = s.State(b) })
	<-opening
	var waiting error
	done := make(chan struct{})
	go func() { _, waiting = s.State(b); close(done) }()
	cancel()
	<-done
	s.Close()
	if len(log) != 0 {
		t.Errorf("closed %v before it was open", log)
	}
	close(proceed)
	wg.Wait()
	if !errors.Is(waiting, context.Canceled) || !errors.Is(late, context.Canceled) {
		t.Errorf("got %v for who waited and %v for who opened", waiting, late)
	}
	if len(log) != 1 {
		t.Errorf("a state that opened late was closed %d times, want once", len(log))
	}
}

func TestAStateWhoseOpenPanics(t *testing.T) {
	b := &Bridge{Always: true, Open: func(*Session, any) (any, error) { panic("host detail") }}
	s := NewSession(SessionOptions{})
	func() {
		defer func() {
			if recover() != "host detail" {
				t.Error("the panic was lost")
			}
		}()
		s.State(b)
	}()
	if v, err := s.State(b); err == nil || strings.Contains(err.Error(), "host detail") {
		t.Errorf("the second time: got %v, %v", v, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestSignature(t *testing.T) {
	f := Func{Name: "workspace.read", Params: []Param{{Name: "path", Type: String}, {Name: "options", Type: Object, Optional: true}, {Name: "x"}}}
	if got := f.Signature(); got != "workspace.read(path: string, options?: object, x): Promise" {
		t.Errorf("got %s", got)
	}
}
