package qjspure

import (
	"context"
	"errors"
	"testing"

	"quicksand/engine"
	"quicksand/internal/marshal"
	"quicksand/internal/prelude"
)

// testPrelude keeps native in reach of the tests' programs.
func testPrelude() string { return "globalThis.native = __native;\n" + prelude.Hooks() }

func compile(t testing.TB, e engine.Engine, src engine.Source) engine.Program {
	t.Helper()
	p, err := e.Compile(context.Background(), src)
	if err != nil {
		t.Fatalf("compile %s: %v", src.Name, err)
	}
	return p
}

func module(t testing.TB, e engine.Engine, code string) engine.Program {
	t.Helper()
	return compile(t, e, engine.Source{Name: "main.js", Code: code})
}

func newWorld(t testing.TB) (engine.Engine, *isolate) {
	t.Helper()
	e := newEngine(t)
	p := compile(t, e, engine.Source{Name: prelude.Name, Code: testPrelude(), Kind: engine.Script})
	iso, err := e.NewIsolate(engine.Image{Prelude: p})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { iso.Close() })
	return e, iso.(*isolate)
}

// host echoes.
type host struct {
	call    func(op uint32, arg marshal.Message) engine.Reply
	flush   func()
	resolve func(base, spec string) (engine.Import, error)
}

func (h *host) Call(op uint32, arg marshal.Message) engine.Reply {
	if h.call != nil {
		return h.call(op, arg)
	}
	return engine.Reply{Value: arg}
}

func (h *host) Flush() {
	if h.flush != nil {
		h.flush()
	}
}

func (h *host) Resolve(base, spec string) (engine.Import, error) {
	if h.resolve != nil {
		return h.resolve(base, spec)
	}
	return engine.Import{}, errors.New("no modules here")
}

// finish starts a program on a reset isolate and pumps until it waits or ends.
func finish(t testing.TB, v *isolate, p engine.Program, h engine.Host) engine.Status {
	t.Helper()
	s, err := v.Start(p, h)
	if err == nil && s == engine.Waiting {
		s, err = v.Pump()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// result runs a program on a reset isolate and returns the string that it exports.
func result(t testing.TB, v *isolate, p engine.Program, h engine.Host) string {
	t.Helper()
	if s := finish(t, v, p, h); s != engine.Done {
		t.Fatalf("run is %s: %s %q %s", s, v.Failure().Kind, v.Failure().Thrown.Wire, v.Failure().Detail)
	}
	m, s, err := v.Result(engine.Strict)
	if err != nil || s != engine.Done {
		t.Fatalf("result: %v %v %s %q", s, err, v.Failure().Kind, v.Failure().Thrown.Wire)
	}
	return text(m)
}

// text is the string that a message is, or the message.
func text(m marshal.Message) string {
	w := m.Wire
	if len(w) == 0 || w[0] != marshal.TagString {
		return string(w)
	}
	w = w[1:]
	for w[0] >= 0x80 {
		w = w[1:]
	}
	return string(w[1:])
}

func reset(t testing.TB, v *isolate) {
	t.Helper()
	if err := v.Reset(engine.Settings{Seed: 1}); err != nil {
		t.Fatal(err)
	}
}
