// Command canvas compares Quicksand's canvas with @napi-rs/canvas: the same shapes, taking
// turns in one run, pixels read back each time. It prints tables, and writes them to CANVAS.md
// and, with all times, to out/canvas.json.
//
// Run it in bench/peers, after npm ci there:
//
//	go run ./canvas
package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-fonts/liberation/liberationsansregular"

	"quicksand"
	"quicksand/bench/peers/node"
	"quicksand/bench/peers/rounds"
	"quicksand/bridges"
	"quicksand/bridges/mediabridge"
	"quicksand/canvas"
)

var command = rounds.NewCommand("canvas", 15)

//go:embed lists.js
var lists string

// The peers, in the order of the tables.
const (
	inGo      = "ours, in Go"
	inGoOne   = "ours, in Go, 1 thread"
	inGuest   = "ours, from the guest"
	recording = "ours, recording in the guest"
	program   = "the program alone, in the guest"
	napi      = "@napi-rs/canvas"
)

// A task draws n shapes of one of the lists on a square surface.
type task struct {
	name   string
	list   string
	size   int
	n      int
	record func(r *recorder, size float64, n int)
}

var tasks = []task{
	{"1 000 mixed shapes at 512²", "mixed", 512, 1000, mixed},
	{"10 000 mixed shapes at 512²", "mixed", 512, 10_000, mixed},
	{"1 000 mixed shapes at 2048²", "mixed", 2048, 1000, mixed},
	{"10 000 mixed shapes at 2048²", "mixed", 2048, 10_000, mixed},
	{"10 000 rectangles at 512²", "rects", 512, 10_000, rects},
	{"1 000 strings at 512²", "strings", 512, 1000, lines},
	{"1 000 strokes of 20 segments with round joins at 512²", "strokes", 512, 1000, strokes},
}

func main() { command.Main(run) }

// A bench holds what tasks share.
type bench struct {
	dir     string
	sandbox *quicksand.Sandbox
	child   *node.Child // nil without node
	missing string      // why @napi-rs/canvas does not take part
	report  rounds.Report
	calls   map[string]int // operations of each task
	// cpu is processor time in milliseconds of each run, by task and peer. Other than the wall
	// clock it hardly depends on what else the machine does.
	cpu map[[2]string][]float64
}

func run(dir string) error {
	sandbox, err := quicksand.New(quicksand.Config{Isolates: 1})
	if err != nil {
		return err
	}
	defer sandbox.Close()
	b := &bench{dir: dir, sandbox: sandbox, calls: map[string]int{}, cpu: map[[2]string][]float64{}, report: rounds.NewReport()}
	name, version := sandbox.Engine()
	b.report.Versions["engine "+name] = version
	if err := b.startNode(); err != nil {
		return err
	}
	if b.child != nil {
		defer b.child.Close()
	}
	for _, t := range tasks {
		if !command.Wants(t.name) {
			continue
		}
		m := b.task(t)
		b.report.Tables = append(b.report.Tables, command.Measure(m))
	}
	return command.Finish(&b.report, b.markdown)
}

func (b *bench) startNode() error {
	child, err := node.Start("canvas/peers.mjs")
	if err != nil {
		b.missing = "node is not installed"
		return nil
	}
	b.child = child
	if b.missing, err = child.Versions(b.report.Versions); err != nil || b.missing != "" {
		return err
	}
	path := filepath.Join(b.dir, "font.ttf")
	if err := os.WriteFile(path, liberationsansregular.TTF, 0o600); err != nil {
		return err
	}
	return child.Call(map[string]any{"do": "font", "path": path, "family": "Liberation Sans"}, nil)
}

// task is t with its peers. The pictures of all are compared with the first one.
func (b *bench) task(t task) rounds.Task {
	var rec recorder
	t.record(&rec, float64(t.size), t.n)
	b.calls[t.name] = rec.calls
	var reference []byte
	describe := func(pix []byte) (string, error) {
		if len(pix) != 4*t.size*t.size {
			return "", fmt.Errorf("%d bytes of pixels", len(pix))
		}
		if reference == nil {
			reference = pix
			return "", nil
		}
		// Of premultiplied pixels: what cannot be seen does not differ.
		sum := 0.0
		for i := 0; i < len(pix); i += 4 {
			a, b := float64(pix[i+3]), float64(reference[i+3])
			sum += math.Abs(a - b)
			for k := i; k < i+3; k++ {
				sum += math.Abs(float64(pix[k])*a-float64(reference[k])*b) / 255
			}
		}
		return fmt.Sprintf("mean difference from ours %.2f", sum/float64(len(pix))), nil
	}
	spent := func(peer string, ms float64) {
		key := [2]string{t.name, peer}
		b.cpu[key] = append(b.cpu[key], ms)
	}
	inProcess := func(name string, f func() ([]byte, error)) rounds.Peer {
		var out []byte
		return rounds.Peer{Name: name,
			Run: func() (err error) {
				before := rounds.ProcessorTime()
				out, err = f()
				spent(name, rounds.ProcessorTime()-before)
				return err
			},
			Describe: func() (string, error) { return describe(out) }}
	}
	replay := func(threads int) func() ([]byte, error) {
		return func() ([]byte, error) { return draw(&rec, t.size, threads) }
	}
	on := func(ctx string) string {
		return fmt.Sprintf("const lists = (() => { %s })();\nconst ctx = %s;\nlists.%s(ctx, %d, %d);\n", lists, ctx, t.list, t.size, t.n)
	}
	call := on(fmt.Sprintf("createCanvas(%[1]d, %[1]d).getContext(\"2d\")", t.size))
	options := quicksand.Options{
		Limits: quicksand.Limits{Memory: 256 << 20},
		Grants: []bridges.Grant{{Bridge: mediabridge.Canvas, Value: &mediabridge.CanvasOptions{Limits: canvas.Limits{Ops: canvas.MaxOps}}}},
	}
	guest := func(code string) func() ([]byte, error) {
		return func() ([]byte, error) {
			res, err := b.sandbox.Run(context.Background(), code, options)
			if err != nil {
				return nil, err
			}
			pix, _ := res.Value.Bytes()
			return pix, nil
		}
	}
	record := inProcess(recording, guest(on(undrawn)))
	record.Describe = nil
	alone := inProcess(program, guest(on(nothing)))
	alone.Describe = nil
	peer := rounds.Peer{Name: napi, Skip: b.missing}
	if peer.Skip == "" {
		request := map[string]any{"do": "draw", "list": t.list, "size": t.size, "n": t.n}
		peer.Before = func() error { return b.child.Call(map[string]any{"do": "gc"}, nil) }
		peer.Run = func() error {
			var ms float64
			err := b.child.Call(request, &ms)
			spent(napi, ms)
			return err
		}
		peer.Describe = func() (string, error) {
			path := filepath.Join(b.dir, "result")
			if err := b.child.Call(map[string]any{"do": "write", "path": path}, nil); err != nil {
				return "", err
			}
			pix, err := os.ReadFile(path)
			if err != nil {
				return "", err
			}
			return describe(pix)
		}
	}
	return rounds.Task{Name: t.name, Rounds: command.Rounds,
		Notes: []string{fmt.Sprintf("%d operations.", rec.calls)},
		Peers: []rounds.Peer{
			inProcess(inGo, replay(0)),
			inProcess(inGoOne, replay(1)),
			inProcess(inGuest, guest(call+fmt.Sprintf("const { data } = ctx.getImageData(0, 0, %[1]d, %[1]d);\nreturn new Uint8Array(data.buffer, data.byteOffset, data.length);", t.size))),
			record,
			alone,
			peer,
		}}
}

// undrawn is a context of which nothing is drawn while the guest records.
const undrawn = `createCanvas(4096, 4096).getContext("2d")`

// nothing is a context that does nothing.
const nothing = `(() => {
  const f = () => {};
  return { fillRect: f, beginPath: f, arc: f, fill: f, moveTo: f, lineTo: f, stroke: f, bezierCurveTo: f, createLinearGradient: () => ({ addColorStop: f }), closePath: f, strokeRect: f, fillText: f };
})()`

// draw replays a list on a new surface.
func draw(r *recorder, size, threads int) ([]byte, error) {
	ctx := context.Background()
	limits := canvas.Limits{Ops: canvas.MaxOps}
	rec := canvas.Recording{Limits: limits}
	if err := rec.Append(r.ops, r.strings, 0); err != nil {
		return nil, err
	}
	c, err := canvas.NewContext(size, size, canvas.Options{Limits: limits, Threads: threads})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := c.Replay(ctx, &rec, nil); err != nil {
		return nil, err
	}
	return c.ImageData(ctx, 0, 0, size, size)
}

func (b *bench) markdown(w io.Writer) {
	fmt.Fprintf(w, "# Canvas, side by side\n\nWritten by `make bench-peers`. One run; peers take turns in each round. Each draws on a new surface and reads all of its pixels back.\n\n")
	b.report.Origin(w)
	fmt.Fprintf(w, "- %s: a recording is decoded and drawn, on all processors or in one goroutine\n- %s: a program of the sandbox records, the host draws, the program gets the pixels and returns them\n- %s: the same without asking for pixels, on a surface that is too large to be drawn ahead\n- %s: the same on a context that does nothing\n- %s: a program of Node with the same calls, compiled before the first round that counts\n\n", inGo, inGuest, recording, program, napi)
	for _, t := range b.report.Tables {
		t.Markdown(w)
	}
	b.costs(w)
	b.targets(w)
}

// costs prints what the work and an operation of it take in processor time, in the median.
func (b *bench) costs(w io.Writer) {
	peers := []string{inGo, inGoOne, inGuest, recording, program, napi}
	table := func(title, text string, value func(t rounds.Table, ms float64) float64) {
		fmt.Fprintf(w, "## %s\n\n%s\n\n| | %s |\n|---|%s\n", title, text, strings.Join(peers, " | "), strings.Repeat("---:|", len(peers)))
		for _, t := range b.report.Tables {
			fmt.Fprintf(w, "| %s |", t.Task)
			for _, p := range peers {
				if ms := b.processor(t.Task, p); ms > 0 {
					fmt.Fprintf(w, " %.2f", value(t, ms))
				}
				fmt.Fprint(w, " |")
			}
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w)
	}
	table("Processor time", "Milliseconds, of all threads together, collecting garbage included: what is left of the figures above when the machine has other work.", func(_ rounds.Table, ms float64) float64 { return ms })
	table("Cost of an operation", "Microseconds of processor time, the pixels read back included.", func(t rounds.Table, ms float64) float64 { return 1000 * ms / float64(b.calls[t.Task]) })
}

// processor is the median of the processor time of a peer in milliseconds, without its first
// run; 0 if there is none.
func (b *bench) processor(task, peer string) float64 {
	all := b.cpu[[2]string{task, peer}]
	if len(all) < 2 {
		return 0
	}
	all = slices.Sorted(slices.Values(all[1:]))
	return all[len(all)/2]
}

// targets prints the ratios that matter.
func (b *bench) targets(w io.Writer) {
	fmt.Fprintf(w, "## Targets\n\n| | target | got, wall clock | got, processor time |\n|---|---|---:|---:|\n")
	for _, t := range b.report.Tables {
		for _, p := range []string{inGo, inGuest} {
			ours, theirs := t.Of(p), t.Of(napi)
			if ours != nil && theirs != nil {
				fmt.Fprintf(w, "| %s: %s ÷ %s | ≥ 1 | %.2f | %.2f |\n", t.Task, napi, p, theirs.Median/ours.Median, b.processor(t.Task, napi)/b.processor(t.Task, p))
			}
		}
	}
	for _, t := range b.report.Tables {
		r, alone := t.Of(recording), t.Of(program)
		if r != nil && alone != nil && b.calls[t.Task] >= 10_000 {
			of := 10_000 / float64(b.calls[t.Task])
			fmt.Fprintf(w, "| %s: %s − %s, of 10 000 operations | ≤ 10 ms | %.1f | %.1f |\n", t.Task, recording, program,
				(r.Median-alone.Median)*of, (b.processor(t.Task, recording)-b.processor(t.Task, program))*of)
		}
	}
}
