package prelude_test

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"fmt"
	"hash"
	"regexp"
	"sort"
	"testing"

	"quicksand/engine"
	"quicksand/internal/marshal"
	"quicksand/internal/prelude"
)

// engines are the engines of this build, by name; a file for each adds its own.
var engines []func(testing.TB) engine.Engine

// positions are the places in stack frames, which differ between the engines.
var positions = regexp.MustCompile(`\([^()\n]*\.js:\d+(:\d+)?\)`)

// world is an isolate with the whole prelude and the host side of its operations:
// sleeping takes no time, everything else answers at once.
type world struct {
	eng engine.Engine
	iso engine.Isolate

	quietAfter int // with n > 0, the n-th line is the last that is wanted

	out    outcome
	timers []timer
	ticks  float64
}

type timer struct {
	id  engine.CallID
	due float64
}

// outcome is what a program did.
type outcome struct {
	result  string   // "= JSON" of what it returned, or "! Name message" of what it threw
	lines   []string // printed
	emitted []any
	reports []any // of progress
}

func onEngines(t *testing.T, f func(*testing.T, *world)) {
	if len(engines) == 0 {
		t.Skip("no engine in this build")
	}
	for _, open := range engines {
		eng := open(t)
		t.Run(eng.Name(), func(t *testing.T) { f(t, newWorld(t, eng)) })
	}
}

func newWorld(t testing.TB, eng engine.Engine) *world {
	t.Helper()
	img, err := prelude.Compile(context.Background(), eng, nil)
	if err != nil {
		t.Fatal(err)
	}
	iso, err := eng.NewIsolate(img)
	if err != nil {
		t.Fatalf("NewIsolate: %v", err)
	}
	t.Cleanup(func() { iso.Close() })
	return &world{eng: eng, iso: iso}
}

func compile(t testing.TB, eng engine.Engine, name, code string, kind engine.SourceKind) engine.Program {
	t.Helper()
	p, err := eng.Compile(context.Background(), engine.Source{Name: name, Code: code, Kind: kind})
	if err != nil {
		t.Fatalf("compile %s: %v", name, err)
	}
	return p
}

// wrap makes a module of a body. Its default export says how the body ended, in a way
// that a body which overwrites intrinsics does not disturb.
func wrap(body string) string {
	return `const $stringify = JSON.stringify;
export default await (async () => { try { return "= " + $stringify(await (async () => {
` + body + `
})() ?? null); } catch (e) { return "! " + e?.name + " " + e?.message; } })();`
}

// run runs a body from the pristine image. Before it, each hook is invoked with its argument.
func (w *world) run(t testing.TB, body string, hooks ...hookCall) outcome {
	t.Helper()
	program := compile(t, w.eng, "test.js", wrap(body), engine.Module)
	w.out, w.timers, w.ticks = outcome{}, nil, 0
	if err := w.iso.Reset(engine.Settings{Seed: 1}); err != nil {
		t.Fatalf("Reset: %v", err)
	}
	for _, h := range hooks {
		if _, status, err := w.iso.Invoke(h.name, h.arg, engine.Strict, w); err != nil || status == engine.Failed || status == engine.Stopped {
			t.Fatalf("hook %s: %v, %v", h.name, status, err)
		}
	}
	status, err := w.iso.Start(program, w)
	for err == nil && status == engine.Waiting {
		if status, err = w.iso.Pump(); err != nil || status != engine.Waiting {
			break
		}
		calls := w.iso.Calls(nil)
		for _, c := range calls {
			w.serve(c)
		}
		if len(calls) > 0 {
			continue
		}
		if len(w.timers) == 0 {
			t.Fatalf("nothing can settle; lines: %q", w.out.lines)
		}
		sort.SliceStable(w.timers, func(i, j int) bool { return w.timers[i].due < w.timers[j].due })
		w.ticks = w.timers[0].due
		w.iso.Settle(w.timers[0].id, engine.Reply{})
		w.timers = w.timers[1:]
	}
	if err != nil || status != engine.Done {
		f := w.iso.Failure()
		t.Fatalf("run: status %v, error %v, failure %v %v %q", status, err, f.Kind, decode(f.Thrown), f.Detail)
	}
	m, status, err := w.iso.Result(engine.Strict)
	if err != nil || status == engine.Failed {
		t.Fatalf("result: %v, %v", status, err)
	}
	w.out.result, _ = decode(m).(string)
	return w.out
}

type hookCall struct {
	name string
	arg  marshal.Message
}

// serve starts an asynchronous operation.
func (w *world) serve(c engine.Call) {
	arg := decode(c.Arg)
	settle := func(v any) { w.iso.Settle(c.ID, engine.Reply{Value: encode(v)}) }
	fail := func(name, message string) {
		w.iso.Settle(c.ID, engine.Reply{Value: encode(&marshal.Error{Name: name, Message: message}), Throw: true})
	}
	switch c.Op {
	case prelude.OpSleep, prelude.OpTimer:
		w.timers = append(w.timers, timer{c.ID, w.ticks + arg.(float64)})
	case prelude.OpDigest:
		h := algorithms[arg.([]any)[0].(string)]()
		h.Write(arg.([]any)[1].([]byte))
		settle(h.Sum(nil))
	case prelude.OpHMAC:
		h := hmac.New(algorithms[arg.([]any)[0].(string)], arg.([]any)[1].([]byte))
		h.Write(arg.([]any)[2].([]byte))
		settle(h.Sum(nil))
	case prelude.OpEmit:
		w.out.emitted = append(w.out.emitted, arg)
		settle(nil)
	case prelude.OpOutput:
		fail("Error", `output "x" was already set`)
	case prelude.OpCallGlobal:
		args := arg.([]any)[1].([]any)
		if len(args) > 0 && args[0] == "fail" {
			fail("RangeError", "the host said no")
			return
		}
		settle([]any{arg.([]any)[0], args})
	default:
		fail("Error", fmt.Sprintf("unknown operation %d", c.Op))
	}
}

var algorithms = map[string]func() hash.Hash{"SHA-1": sha1.New, "SHA-256": sha256.New, "SHA-384": sha512.New384, "SHA-512": sha512.New}

// Call serves the synchronous operations.
func (w *world) Call(op uint32, m marshal.Message) engine.Reply {
	arg := decode(m)
	switch op {
	case prelude.OpLog:
		level, text := arg.([]any)[0].(string), arg.([]any)[1].(string)
		if level != "log" {
			text = "[" + level + "] " + text
		}
		w.out.lines = append(w.out.lines, text)
		return engine.Reply{Value: encode(w.quietAfter == 0 || len(w.out.lines) < w.quietAfter)}
	case prelude.OpProgress:
		w.out.reports = append(w.out.reports, arg)
		return engine.Reply{}
	case prelude.OpRandomBytes:
		b := make([]byte, int(arg.(float64)))
		rand.Read(b)
		return engine.Reply{Value: encode(b)}
	case prelude.OpRandomUUID:
		var b [16]byte
		rand.Read(b[:])
		b[6], b[8] = b[6]&15|64, b[8]&63|128
		return engine.Reply{Value: encode(fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]))}
	}
	return web(op, arg)
}

func (w *world) Flush() {}

func (w *world) Resolve(base, specifier string) (engine.Import, error) {
	return engine.Import{}, fmt.Errorf("no module %q", specifier)
}
