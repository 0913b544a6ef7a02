//go:build cgo && linux && (amd64 || arm64) && !purego

package qjscgo

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"quicksand/engine"
	"quicksand/internal/marshal"
	"quicksand/internal/prelude"
)

func newEngine(t testing.TB) *Engine {
	t.Helper()
	e, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func compile(t testing.TB, e *Engine, kind engine.SourceKind, name, code string) engine.Program {
	t.Helper()
	p, err := e.Compile(context.Background(), engine.Source{Name: name, Code: code, Kind: kind})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// newIsolate makes an isolate with the hooks, and native as a global for the guests of
// this package's tests.
func newIsolate(t testing.TB, e *Engine, units ...engine.Program) *isolate {
	t.Helper()
	img := engine.Image{Units: units, Prelude: compile(t, e, engine.Script, prelude.Name, "globalThis.native = __native;\n"+prelude.Hooks())}
	is, err := e.NewIsolate(img)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { is.Close() })
	return is.(*isolate)
}

// fakeHost is a Host made of functions; a missing one fails.
type fakeHost struct {
	call    func(op uint32, arg marshal.Message) engine.Reply
	flush   func()
	resolve func(base, specifier string) (engine.Import, error)
}

func (h fakeHost) Call(op uint32, arg marshal.Message) engine.Reply {
	if h.call == nil {
		return engine.Reply{}
	}
	return h.call(op, arg)
}

func (h fakeHost) Flush() {
	if h.flush != nil {
		h.flush()
	}
}

func (h fakeHost) Resolve(base, specifier string) (engine.Import, error) {
	if h.resolve == nil {
		return engine.Import{}, fmt.Errorf("no module %q", specifier)
	}
	return h.resolve(base, specifier)
}

// run runs a module to its end without settling anything.
func run(t testing.TB, is *isolate, p engine.Program, h engine.Host) engine.Status {
	t.Helper()
	status, err := is.Start(p, h)
	if err == nil && status == engine.Waiting {
		status, err = is.Pump()
	}
	if err != nil {
		t.Fatal(err)
	}
	return status
}

// text is a message that holds a string, or its bytes for a failing test to show.
func text(m marshal.Message) string {
	if len(m.Wire) > 2 && m.Wire[0] == marshal.TagString && int(m.Wire[1]) == len(m.Wire)-2 {
		return string(m.Wire[2:])
	}
	return fmt.Sprintf("%q", m.Wire)
}

// eval runs the body of a module whose value is a string.
func eval(t testing.TB, is *isolate, h engine.Host, code string) string {
	t.Helper()
	if err := is.Reset(engine.Settings{}); err != nil {
		t.Fatal(err)
	}
	status := run(t, is, compile(t, is.engine, engine.Module, "main.js", code), h)
	if status != engine.Done {
		return fmt.Sprintf("%s %s %q", status, is.Failure().Kind, is.Failure().Thrown.Wire)
	}
	m, status, err := is.Result(engine.Strict)
	if err != nil {
		t.Fatal(err)
	}
	if status != engine.Done {
		return fmt.Sprintf("%s %s %q", status, is.Failure().Kind, is.Failure().Thrown.Wire)
	}
	return text(m)
}

func TestSmoke(t *testing.T) {
	e := newEngine(t)
	is := newIsolate(t, e)
	for _, code := range []string{
		"export default 'hi'",
		"export default String(await Promise.resolve(41) + 1)",
		"let r; try { r = eval('1') } catch (e) { r = String(e) } export default r",
		"let r; try { r = await import('x') } catch (e) { r = String(e) } export default r",
		"export default {a: [1, 2.5, 'x', null, undefined, true], m: new Map([[1, {}]]), d: new Date(5), r: /x/g, e: new RangeError('no'), b: new Uint8Array([1,2])}",
		"export default {rows: [1, {fn() {}}]}",
		"import 'nope'",
		"throw new TypeError('bad')",
		"const a = []; for (;;) a.push({})",
		"export default native(8)",
		"export default native(5, new Map) + native(5, await import.meta) + native(5, () => 0)",
	} {
		t.Log(code, "=>", eval(t, is, fakeHost{}, code))
	}
	_, err := e.Compile(context.Background(), engine.Source{Name: "x", Code: "let a = 1;\nlet b = ;\n"})
	var se *engine.SyntaxError
	t.Log(err, errors.As(err, &se))
}
