package enginetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"quicksand/engine"
	"quicksand/internal/marshal"
	"quicksand/internal/prelude"
)

// Operations of the suite's host. Any other synchronous operation echoes too.
const (
	opEcho  = engine.OpHost     // returns its argument
	opThrow = engine.OpHost + 1 // throws its argument
	opGiven = engine.OpHost + 2 // returns Host.Given
	opNote  = engine.OpHost + 3 // appends the dump of its argument to Host.Notes
	opTest  = engine.OpHost + 4 // first operation that a test serves itself

	opLater  = engine.OpAsync     // resolves with its argument
	opReject = engine.OpAsync + 1 // rejects with its argument
	opHold   = engine.OpAsync + 2 // is settled by the test, or never
	opWork   = engine.OpAsync + 3 // resolves with its argument, from a goroutine
)

// testPrelude is the hooks and what the suite's programs use.
func testPrelude() string {
	return `((native) => {
  globalThis.native = native;
  globalThis.echo = (v) => native(64, v);
  globalThis.raise = (v) => native(65, v);
  globalThis.given = () => native(66);
  globalThis.note = (v) => native(67, v);
  globalThis.later = (v) => native(65536, v);
  globalThis.reject = (v) => native(65537, v);
  globalThis.hold = (v) => native(65538, v);
  globalThis.work = (v) => native(65539, v);
  globalThis.caught = (f) => { try { return f(); } catch (e) { return e === null || typeof e !== "object" ? "threw " + String(e) : e.name + ": " + e.message; } };
})(__native);
` + prelude.Hooks()
}

// testUnits are what native(1, index) evaluates in the suite's images.
var testUnits = []string{`({ unit: "first" })`, `(function (x) { return x + 1; })`, `throw new RangeError("unit failed")`}

// A World is one isolate of an engine, made from the suite's prelude. One goroutine
// uses it.
type World struct {
	Engine   engine.Engine
	Iso      engine.Isolate
	Settings engine.Settings // for the next runs; Seed 0 is used as it is
	Deadline time.Duration   // Interrupt after that; zero means a minute
	Grace    time.Duration   // from Interrupt to Kill; zero means 50 ms
	dog      watchdog
}

// NewWorld makes a world that is closed when the test ends.
func NewWorld(t testing.TB, e engine.Engine) *World {
	t.Helper()
	iso, err := e.NewIsolate(testImage(t, e))
	if err != nil {
		t.Fatalf("NewIsolate: %v", err)
	}
	w := &World{Engine: e, Iso: iso}
	t.Cleanup(func() {
		if err := w.Iso.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return w
}

func testImage(t testing.TB, e engine.Engine) engine.Image {
	t.Helper()
	src := func(name, code string, header int) engine.Program {
		p, err := e.Compile(context.Background(), engine.Source{Name: name, Code: code, Kind: engine.Script, HeaderLines: header})
		if err != nil {
			t.Fatalf("compile %s: %v", name, err)
		}
		return p
	}
	img := engine.Image{Prelude: src(prelude.Name, testPrelude(), 0)}
	for i, u := range testUnits {
		img.Units = append(img.Units, src(fmt.Sprintf("%s/%d", prelude.Name, i), u, 0))
	}
	return img
}

// MustCompile compiles a module.
func MustCompile(t testing.TB, e engine.Engine, name, code string) engine.Program {
	t.Helper()
	p, err := e.Compile(context.Background(), engine.Source{Name: name, Code: code})
	if err != nil {
		t.Fatalf("compile %s: %v", name, err)
	}
	return p
}

// Body makes a module of a function body that may return and await.
func Body(code string) string { return "export default await (async () => {\n" + code + "\n})();\n" }

// A Host is the suite's engine.Host. The zero value serves the suite's operations
// and resolves no module.
type Host struct {
	Given   marshal.Message
	Notes   []string
	Mode    engine.InvokeMode // of Result
	Sync    map[uint32]func(arg marshal.Message) engine.Reply
	Async   func(w *World, c engine.Call) bool // false: serve it as usual
	OnFlush func(w *World)
	// Modules are sources by identity. Specifiers with ./ or ../ are resolved against
	// the directory of the base, others are identities.
	Modules map[string]string
	Facades map[string]engine.Import // modules of host functions, by specifier
	Keep    bool                     // do not end a run in which nothing can settle; see World.Run

	w        *World
	t        testing.TB
	compiled map[string]engine.Program
	resolved []string // "base specifier", in order
	results  chan settlement
	open     int
	held     []engine.Call
	flushes  int
}

type settlement struct {
	id    engine.CallID
	reply engine.Reply
}

// clone copies a message, for a reply that outlives its argument.
func clone(m marshal.Message) marshal.Message {
	m.Wire = bytes.Clone(m.Wire)
	blobs := make([][]byte, len(m.Blobs))
	for i, b := range m.Blobs {
		blobs[i] = bytes.Clone(b)
	}
	m.Blobs = blobs
	m.Dropped, m.DroppedPath = 0, ""
	return m
}

// Call serves a synchronous operation.
func (h *Host) Call(op uint32, arg marshal.Message) engine.Reply {
	if f := h.Sync[op]; f != nil {
		return f(arg)
	}
	switch op {
	case opThrow:
		return engine.Reply{Value: clone(arg), Throw: true}
	case opGiven:
		return engine.Reply{Value: h.Given}
	case opNote:
		h.Notes = append(h.Notes, Dump(arg))
		return engine.Reply{}
	}
	return engine.Reply{Value: clone(arg)}
}

// Flush counts, and passes on to OnFlush.
func (h *Host) Flush() {
	h.flushes++
	if h.OnFlush != nil {
		h.OnFlush(h.w)
	}
}

// Resolve finds a module in Modules and compiles it on first use.
func (h *Host) Resolve(base, specifier string) (engine.Import, error) {
	h.resolved = append(h.resolved, base+" "+specifier)
	if f, ok := h.Facades[specifier]; ok {
		return f, nil
	}
	id := resolvePath(base, specifier)
	code, ok := h.Modules[id]
	if !ok {
		return engine.Import{}, fmt.Errorf("no module %q for %q", id, base)
	}
	p := h.compiled[id]
	if p == nil {
		var err error
		if p, err = h.w.Engine.Compile(context.Background(), engine.Source{Name: id, Code: code}); err != nil {
			return engine.Import{}, err
		}
		if h.compiled == nil {
			h.compiled = map[string]engine.Program{}
		}
		h.compiled[id] = p
	}
	return engine.Import{ID: id, Program: p}, nil
}

// An Outcome is how a run ended.
type Outcome struct {
	Status  engine.Status
	Failure engine.Failure
	Value   marshal.Message // of Result
	Stuck   bool            // nothing could settle
	Compile error           // the program did not compile
	Usage   engine.Usage
	Elapsed time.Duration // of the run without Reset
}

// String is "= value", "! Name: message", "! value" for what is not an error,
// "link: message", "stuck", "syntax" or the kind of failure.
func (o Outcome) String() string {
	var syntax *engine.SyntaxError
	switch {
	case errors.As(o.Compile, &syntax):
		return "syntax"
	case o.Compile != nil:
		return "compile: " + o.Compile.Error()
	case o.Stuck:
		return "stuck"
	case o.Status == engine.Done:
		return "= " + Dump(o.Value)
	case o.Failure.Kind == engine.Thrown:
		return "! " + thrown(o.Failure.Thrown)
	case o.Failure.Kind == engine.Link:
		return "link: " + thrown(o.Failure.Thrown)
	}
	return o.Failure.Kind.String()
}

// thrown words what the describe hook made of an exception.
func thrown(m marshal.Message) string {
	v, err := Read(m)
	if err != nil {
		return "malformed: " + err.Error()
	}
	if e := v.Get("isError"); e != nil && e.Tag == marshal.TagTrue {
		return v.Get("name").Str() + ": " + v.Get("message").Str()
	}
	if s := v.Get("value"); s != nil {
		return quote(s.Str())
	}
	return v.Get("type").Str()
}

// Stack is the stack of the failure's error.
func (o Outcome) Stack() string {
	v, _ := Read(o.Failure.Thrown)
	return v.Get("stack").Str()
}

// Eval compiles a module named main.js and runs it. h may be nil.
func (w *World) Eval(t testing.TB, code string, h *Host) Outcome {
	t.Helper()
	p, err := w.Engine.Compile(context.Background(), engine.Source{Name: "main.js", Code: code})
	if err != nil {
		return Outcome{Status: engine.Failed, Compile: err}
	}
	return w.Run(t, p, h)
}

// Run resets the isolate and runs a program to its end, as the sandbox does:
// asynchronous calls are served, a watchdog interrupts at the deadline and kills
// after the grace. A run in which nothing can settle ends as Stuck, unless h.Keep
// is set, which makes it wait for the watchdog.
func (w *World) Run(t testing.TB, p engine.Program, h *Host) Outcome {
	t.Helper()
	if h == nil {
		h = &Host{}
	}
	if err := w.Iso.Reset(w.Settings); err != nil {
		t.Fatalf("Reset: %v", err)
	}
	return w.continueRun(t, p, h)
}

// continueRun is Run without the Reset.
func (w *World) continueRun(t testing.TB, p engine.Program, h *Host) (o Outcome) {
	t.Helper()
	h.w, h.t, h.results, h.open = w, t, make(chan settlement, 64), 0
	deadline := w.Deadline
	if deadline == 0 {
		deadline = time.Minute
	}
	w.dog.start(w.Iso, deadline, w.Grace)
	defer w.dog.join()
	begin := time.Now()
	status, err := w.Iso.Start(p, h)
	if err == nil && status == engine.Waiting {
		status, err = w.loop(h)
	}
	if err == nil && status == engine.Waiting {
		o.Stuck = true
	}
	if err == nil && status == engine.Done {
		o.Value, status, err = w.Iso.Result(h.Mode)
	}
	o.Elapsed = time.Since(begin)
	if err != nil {
		t.Fatalf("run: %v", err)
	}
	o.Status, o.Usage = status, w.Iso.Usage()
	if status == engine.Failed || status == engine.Stopped {
		o.Failure = w.Iso.Failure()
	}
	if o.Failure.Kind == engine.Fault {
		t.Errorf("engine fault: %s", o.Failure.Detail)
		w.rebuild(t)
	}
	return o
}

// rebuild replaces the isolate after a fault.
func (w *World) rebuild(t testing.TB) {
	w.dog.join()
	w.Iso.Close()
	iso, err := w.Engine.NewIsolate(testImage(t, w.Engine))
	if err != nil {
		t.Fatalf("NewIsolate after a fault: %v", err)
	}
	w.Iso = iso
}

// loop pumps until the run ends or nothing can settle.
func (w *World) loop(h *Host) (engine.Status, error) {
	var calls []engine.Call
	stopped := false
	for {
		status, err := w.Iso.Pump()
		if err != nil || status != engine.Waiting {
			return status, err
		}
		if stopped {
			return status, errors.New("pump: returns waiting after Interrupt")
		}
		calls = w.Iso.Calls(calls[:0])
		for _, c := range calls {
			h.serve(c)
		}
		if h.open == 0 {
			if len(calls) > 0 {
				continue
			}
			if !h.Keep {
				return status, nil
			}
		}
		select {
		case s := <-h.results:
			h.open--
			if err := w.Iso.Settle(s.id, s.reply); err != nil {
				return status, err
			}
		case <-w.dog.interrupted():
			stopped = true
		}
	}
}

// serve starts an asynchronous call.
func (h *Host) serve(c engine.Call) {
	if h.Async != nil && h.Async(h.w, c) {
		return
	}
	settle := func(r engine.Reply) {
		if err := h.w.Iso.Settle(c.ID, r); err != nil {
			h.t.Errorf("Settle(%d): %v", c.ID, err)
		}
	}
	switch c.Op {
	case opLater:
		settle(engine.Reply{Value: c.Arg})
	case opReject:
		settle(engine.Reply{Value: c.Arg, Throw: true})
	case opHold:
		h.held = append(h.held, c)
	case opWork:
		h.open++
		go func() { h.results <- settlement{c.ID, engine.Reply{Value: c.Arg}} }() // ends with its send; the run waits for it
	default:
		h.t.Errorf("unexpected asynchronous operation %d", c.Op)
	}
}

// A watchdog stops one run at a time. Its goroutine exists only between the deadline
// and the join.
type watchdog struct {
	timer *time.Timer
	fired chan struct{} // closed at the interrupt
	stop  chan struct{} // closed by join
	done  chan struct{} // closed when the goroutine has ended
}

func (d *watchdog) start(iso engine.Isolate, deadline, grace time.Duration) {
	if grace == 0 {
		grace = 50 * time.Millisecond
	}
	fired, stop, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	d.fired, d.stop, d.done = fired, stop, done
	d.timer = time.AfterFunc(deadline, func() {
		defer close(done)
		iso.Interrupt()
		close(fired)
		select {
		case <-stop:
		case <-time.After(grace):
			iso.Kill()
		}
	})
}

func (d *watchdog) interrupted() <-chan struct{} { return d.fired }

// join returns when nothing can reach the isolate any more.
func (d *watchdog) join() {
	if d.timer == nil {
		return
	}
	close(d.stop)
	if !d.timer.Stop() {
		<-d.done
	}
	d.timer = nil
}

// expect fails unless the outcome is written as want.
func expect(t testing.TB, o Outcome, want string) {
	t.Helper()
	if got := o.String(); got != want {
		if len(got) > 600 {
			got = got[:600] + "…"
		}
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// check runs a program which touches many parts of the heap and has a known answer.
// It is what every test runs after something bad happened.
func (w *World) check(t testing.TB) {
	t.Helper()
	settings, deadline := w.Settings, w.Deadline
	w.Settings, w.Deadline = engine.Settings{}, 0
	o := w.Eval(t, checkProgram, nil)
	w.Settings, w.Deadline = settings, deadline
	if got := o.String(); got != checkAnswer {
		t.Fatalf("check run: got %s, want %s", got, checkAnswer)
	}
}

const checkProgram = `const m = new Map([["a", [1, 2]], ["b", { c: 3n }]]);
class P { #x = 2; get x() { return this.#x; } }
const s = "äb".repeat(3).replace(/b/g, "c") + JSON.stringify({ p: new P().x, q: [1.5] });
export default [s, await later(m), [3, 1, 2].sort().join(), typeof leak, Object.keys(Object.prototype).length];
`
const checkAnswer = `= ["äcäcäc{\"p\":2,\"q\":[1.5]}", Map{"a" => [1, 2], "b" => {c: 0x3n}}, "1,2,3", "undefined", 0]`
