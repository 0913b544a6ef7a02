package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"quicksand"
	"quicksand/bridges"
)

// Own are Quicksand's engines in this build. command is the path of the command line
// program, for the workload run/cold-process; empty skips that.
func Own(command string) []Contender {
	var list []Contender
	for _, e := range quicksand.Engines() {
		list = append(list, &own{info: e, command: command})
	}
	return list
}

// own is one of Quicksand's engines.
type own struct {
	info    quicksand.EngineInfo
	command string
	box     *quicksand.Sandbox // for workloads that need no sandbox of their own
}

func (o *own) Info() Info {
	return Info{Name: "Quicksand " + o.info.Name, Version: o.info.Version, Own: true,
		Installs: "the whole guest surface: console, web APIs, all capabilities, canvas, media, limits and deadlines"}
}

func (o *own) Close() error {
	if o.box == nil {
		return nil
	}
	return o.box.Close()
}

func (o *own) sandbox() (*quicksand.Sandbox, error) {
	if o.box != nil {
		return o.box, nil
	}
	var err error
	o.box, err = quicksand.New(quicksand.Config{Engine: o.info.Name, Isolates: 2, Bridges: []*bridges.Bridge{echo},
		Limits: quicksand.Limits{Timeout: 10 * time.Minute}}) // callgrind is slow
	return o.box, err
}

// echo are the host's functions of the group "call".
var echo = &bridges.Bridge{
	Name: "bench", Doc: "functions that give back what they get", Always: true,
	Funcs: []bridges.Func{
		{Name: "bench.number", Sync: true, Params: []bridges.Param{{Name: "n", Type: bridges.Number}}, Call: func(_ context.Context, c *bridges.Call) (any, error) { return c.Float(0) + 1, nil }},
		{Name: "bench.text", Sync: true, Params: []bridges.Param{{Name: "s", Type: bridges.String}}, Call: func(_ context.Context, c *bridges.Call) (any, error) { return c.Str(0), nil }},
		{Name: "bench.later", Quick: true, Params: []bridges.Param{{Name: "n", Type: bridges.Number}}, Call: func(_ context.Context, c *bridges.Call) (any, error) { return c.Float(0) + 1, nil }},
	},
}

// session is a workload that is done by a function.
type session struct {
	run   func(n int) (Batch, error)
	close func() error
}

func (s *session) Run(n int) (Batch, error) { return s.run(n) }

func (s *session) Close() error {
	if s.close == nil {
		return nil
	}
	return s.close()
}

// timed is a session that times f.
func timed(f func() error) *session {
	return &session{run: func(n int) (Batch, error) { return Sample(n, f) }}
}

// errResult is a workload that came to a wrong result, whose time means nothing.
func errResult(got, want any) error { return fmt.Errorf("the result is %v, want %v", got, want) }

func (o *own) Open(w *Workload) (Session, error) {
	box, err := o.sandbox()
	if err != nil {
		return nil, err
	}
	group, name, _ := strings.Cut(w.Name, "/")
	switch group {
	case "run":
		return o.runs(box, name)
	case "call":
		return calls(box, name)
	case "rows":
		return rows(box, name)
	case "bytes":
		return bytesWorkload(box, name)
	case "cpu":
		code, err := Kernel(name)
		if err != nil {
			return nil, err
		}
		return timed(func() error { return runs(box, code, quicksand.Options{}) }), nil
	case "import":
		return o.imports(name)
	case "image", "audio", "canvas", "zip":
		return o.media(w.Name)
	case "memory":
		return o.memory(name)
	case "parallel":
		return parallel(box, name)
	case "kill":
		return killing(box)
	case "soak":
		return soak(box)
	}
	return nil, Unsupported("the workload is unknown")
}

// runs runs a program that has to succeed.
func runs(box *quicksand.Sandbox, code string, options quicksand.Options) error {
	_, err := box.Run(context.Background(), code, options)
	return err
}

// returns runs a program that has to return a number.
func returns(box *quicksand.Sandbox, code string, options quicksand.Options, want float64) error {
	res, err := box.Run(context.Background(), code, options)
	if err != nil {
		return err
	}
	if got, ok := res.Value.Float(); !ok || got != want {
		return errResult(got, want)
	}
	return nil
}

func (o *own) runs(box *quicksand.Sandbox, name string) (Session, error) {
	switch name {
	case "cold-process":
		if o.command == "" {
			return nil, Unsupported("there is no command")
		}
		dir, err := os.MkdirTemp("", "quicksand-bench")
		if err != nil {
			return nil, err
		}
		file := filepath.Join(dir, "main.js")
		if err := os.WriteFile(file, []byte("return 1+1\n"), 0o600); err != nil {
			return nil, err
		}
		s := timed(func() error {
			out, err := exec.Command(o.command, "run", "--engine", o.info.Name, file).Output()
			if err == nil && strings.TrimSpace(string(out)) != "2" {
				err = errResult(string(out), 2)
			}
			return err
		})
		s.close = func() error { return os.RemoveAll(dir) }
		return s, nil
	case "cold-isolate":
		return timed(func() error {
			cold, err := quicksand.New(quicksand.Config{Engine: o.info.Name, Isolates: 1})
			if err != nil {
				return err
			}
			defer cold.Close()
			return returns(cold, "return 1+1", quicksand.Options{}, 2)
		}), nil
	case "empty":
		return timed(func() error { return returns(box, "return 1+1", quicksand.Options{}, 2) }), nil
	case "first":
		n := 0
		return timed(func() error {
			n++
			return runs(box, fmt.Sprintf("const unseen = %d;\n%s", n, Body()), quicksand.Options{})
		}), nil
	case "repeated":
		return timed(func() error { return runs(box, Body(), quicksand.Options{}) }), nil
	}
	return nil, Unsupported("the workload is unknown")
}

func calls(box *quicksand.Sandbox, name string) (Session, error) {
	code := map[string]string{
		"sync":  fmt.Sprintf("let n = 0; const f = bench.number; for (let i = 0; i < %d; i++) n = f(n); return n", Calls),
		"text":  fmt.Sprintf("const s = 'x'.repeat(100), f = bench.text; let n = 0; for (let i = 0; i < %d; i++) n += f(s).length; return n / 100", Calls),
		"async": fmt.Sprintf("let n = 0; const f = bench.later; for (let i = 0; i < %d; i++) n = await f(n); return n", Calls),
	}[name]
	if code == "" {
		return nil, Unsupported("the workload is unknown")
	}
	return timed(func() error { return returns(box, code, quicksand.Options{}, Calls) }), nil
}

// count is the number at the end of a workload's name.
func count(name string) (direction string, n int, err error) {
	direction, size, _ := strings.Cut(name, "-")
	_, err = fmt.Sscanf(strings.TrimSuffix(size, "MB"), "%d", &n)
	return direction, n, err
}

func rows(box *quicksand.Sandbox, name string) (Session, error) {
	direction, n, err := count(name)
	if err != nil {
		return nil, err
	}
	limits := quicksand.Limits{Memory: 512 << 20, OutputSize: 1 << 30}
	if direction == "in" {
		data, want := Rows(n), RowsSum(n)
		return timed(func() error {
			return returns(box, RowsIn, quicksand.Options{Globals: map[string]any{"rows": data}, Limits: limits}, want)
		}), nil
	}
	return timed(func() error {
		res, err := box.Run(context.Background(), RowsOut(n), quicksand.Options{Limits: limits})
		if err != nil {
			return err
		}
		if list, ok := res.Value.Any().([]any); !ok || len(list) != n {
			return errResult(len(list), n)
		}
		return nil
	}), nil
}

func bytesWorkload(box *quicksand.Sandbox, name string) (Session, error) {
	direction, mb, err := count(name)
	if err != nil {
		return nil, err
	}
	n := mb << 20
	limits := quicksand.Limits{Memory: 512 << 20, OutputSize: 1 << 30}
	if direction == "in" {
		data := make([]byte, n)
		data[n-1] = 7
		return timed(func() error {
			return returns(box, "return data.length + data[data.length - 1]", quicksand.Options{Globals: map[string]any{"data": data}, Limits: limits}, float64(n+7))
		}), nil
	}
	code := fmt.Sprintf("const b = new Uint8Array(%d); b[b.length - 1] = 7; return b", n)
	return timed(func() error {
		res, err := box.Run(context.Background(), code, quicksand.Options{Limits: limits})
		if err != nil {
			return err
		}
		if b, ok := res.Value.Any().([]byte); !ok || len(b) != n || b[n-1] != 7 {
			return errResult(len(b), n)
		}
		return nil
	}), nil
}

// holding makes n isolates run code at one time and calls at while all of them wait in it for
// the host function hold.
func (o *own) holding(n int, code string, at func()) (*quicksand.Sandbox, error) {
	box, err := quicksand.New(quicksand.Config{Engine: o.info.Name, Isolates: n})
	if err != nil {
		return nil, err
	}
	var waiting sync.WaitGroup
	waiting.Add(n)
	release := make(chan struct{})
	failed := make(chan error, n)
	for range n {
		go func() {
			failed <- runs(box, code, quicksand.Options{Globals: map[string]any{"hold": func() { waiting.Done(); <-release }}})
		}()
	}
	waiting.Wait()
	if at != nil {
		at()
	}
	close(release)
	for range n {
		if e := <-failed; e != nil {
			err = e
		}
	}
	return box, err
}

func (o *own) memory(name string) (Session, error) {
	if resident() == 0 {
		return nil, Unsupported("resident memory is not known on this platform")
	}
	isolates := map[string]int{"idle": 32, "busy": 8}[name]
	if isolates == 0 {
		return nil, Unsupported("the workload is unknown")
	}
	// What the process holds once, such as compiled preludes, exists before.
	first, err := o.holding(1, "await hold()", nil)
	if err != nil {
		return nil, err
	}
	if err := first.Close(); err != nil {
		return nil, err
	}
	measure := func() (float64, error) {
		debug.FreeOSMemory()
		before := resident()
		var now int64
		code, at := "await hold()", func() {}
		if name == "busy" {
			code = strings.Replace(RowsOut(5000), "return rows", "await hold(); return rows.length", 1)
			at = func() { debug.FreeOSMemory(); now = resident() }
		}
		box, err := o.holding(isolates, code, at)
		if err != nil {
			return 0, err
		}
		if name == "idle" {
			debug.FreeOSMemory()
			now = resident()
		}
		return float64(max(now-before, 0)) / float64(isolates), box.Close()
	}
	return &session{run: func(n int) (Batch, error) { return Collect(n, measure) }}, nil
}

func parallel(box *quicksand.Sandbox, name string) (Session, error) {
	const total = 200
	var workers int
	if _, err := fmt.Sscan(name, &workers); err != nil {
		return nil, err
	}
	if workers > runtime.GOMAXPROCS(0) {
		return nil, Unsupported("there is one processor")
	}
	return timed(func() error {
		var left atomic.Int64
		left.Store(total)
		errs := make(chan error, workers)
		for range workers {
			go func() {
				for left.Add(-1) >= 0 {
					if err := returns(box, "return 1+1", quicksand.Options{}, 2); err != nil {
						errs <- err
						return
					}
				}
				errs <- nil
			}()
		}
		var all []error
		for range workers {
			all = append(all, <-errs)
		}
		return errors.Join(all...)
	}), nil
}

func killing(box *quicksand.Sandbox) (Session, error) {
	const deadline = 50 * time.Millisecond
	return &session{run: func(n int) (Batch, error) {
		return Collect(n, func() (float64, error) {
			start := time.Now()
			err := runs(box, "return [].indexOf.call({ length: 2 ** 53 - 1 }, 1)", quicksand.Options{Limits: quicksand.Limits{Timeout: deadline}})
			took := time.Since(start) - deadline
			var e *quicksand.Error
			if !errors.As(err, &e) || e.Kind != quicksand.KindTimeout {
				return 0, errResult(err, quicksand.KindTimeout)
			}
			return float64(took), nil
		})
	}}, nil
}

func soak(box *quicksand.Sandbox) (Session, error) {
	bodies := make([]string, 10)
	for i := range bodies {
		bodies[i] = fmt.Sprintf("const kept = []; for (let i = 0; i < %d; i++) kept.push({ i, text: 'x'.repeat(i) }); globalThis.kept = kept; return kept.length", 10*(i+1))
	}
	return timed(func() error {
		for i := range 10_000 {
			if err := returns(box, bodies[i%10], quicksand.Options{}, float64(10*(i%10+1))); err != nil {
				return err
			}
		}
		return nil
	}), nil
}
