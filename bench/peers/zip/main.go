// Command zip compares Quicksand's archives with Go's archive/zip and with fflate: 50 MB of
// text are unzipped and zipped again, in Go and from programs of the sandbox, taking turns in
// one run. It prints tables, and writes them to ZIP.md and, with all times, to out/zip.json.
//
// Run it in bench/peers, after npm ci there:
//
//	go run ./zip
package main

import (
	gozip "archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"quicksand"
	"quicksand/bench/peers/node"
	"quicksand/bench/peers/rounds"
	"quicksand/hostmods/zip"
	"quicksand/modules"
)

var command = rounds.NewCommand("zip", 11)

// The peers, in the order of the tables.
const (
	inGo     = "ours, in Go"
	oneOfUs  = "ours, in Go, 1 processor"
	archive  = "archive/zip"
	inNode   = "fflate"
	inNodes  = "fflate, with workers"
	fromHost = "ours, from a guest, " // and the engine
)

// size is how much text there is: as much as may come out of an archive by default.
const size = zip.DefaultTotal

func main() { command.Main(run) }

// A bench holds what tasks share.
type bench struct {
	dir     string
	boxes   []*quicksand.Sandbox
	packs   *modules.Set
	child   *node.Child // nil without node
	missing string      // why fflate does not take part
	report  rounds.Report
	sizes   map[string]map[string]int // of what each peer makes, by task
	// cpu is processor time in milliseconds of each run, by task and peer. Other than the wall
	// clock it hardly depends on what else the machine does.
	cpu map[[2]string][]float64
}

func run(dir string) error {
	b := &bench{dir: dir, sizes: map[string]map[string]int{}, cpu: map[[2]string][]float64{}, report: rounds.NewReport()}
	if err := b.startSandboxes(); err != nil {
		return err
	}
	for _, s := range b.boxes {
		defer s.Close()
	}
	if err := b.startNode(); err != nil {
		return err
	}
	if b.child != nil {
		defer b.child.Close()
	}
	for _, files := range []int{50, 1} {
		if err := b.tasks(files); err != nil {
			return err
		}
	}
	return command.Finish(&b.report, b.markdown)
}

func (b *bench) startSandboxes() error {
	catalog, err := modules.Open()
	if err != nil {
		return err
	}
	b.packs = catalog.Set("@nodetool-ai/sandbox-zip")
	for _, engine := range quicksand.Engines() {
		s, err := quicksand.New(quicksand.Config{Engine: engine.Name, Isolates: 1})
		if err != nil {
			return err
		}
		b.boxes = append(b.boxes, s)
		name, version := s.Engine()
		b.report.Versions["engine "+name] = version
	}
	return nil
}

func (b *bench) startNode() error {
	child, err := node.Start("zip/peers.mjs")
	if err != nil {
		b.missing = "node is not installed"
		return nil
	}
	b.child = child
	b.missing, err = child.Versions(b.report.Versions)
	return err
}

// A subject is what the tasks of one number of files work on.
type subject struct {
	name  string
	files []zip.File
	data  []byte // the archive, made by archive/zip
	path  string // where Node finds it
}

func (b *bench) tasks(files int) error {
	s := &subject{name: fmt.Sprintf("%d files", files), files: texts(size, files), path: filepath.Join(b.dir, fmt.Sprint(files))}
	if files == 1 {
		s.name = "one file"
	}
	var err error
	if s.data, err = goZip(s.files); err != nil {
		return err
	}
	if err := os.WriteFile(s.path, s.data, 0o600); err != nil {
		return err
	}
	if b.missing == "" {
		if err := b.child.Call(map[string]any{"do": "load", "path": s.path}, nil); err != nil {
			return err
		}
	}
	for _, t := range []struct {
		name, do string
		ours     func() (int, error)
		theirs   func() (int, error)
		guest    string
	}{
		{"Unzip", "unzip", func() (int, error) { _, n, err := ourUnzip(s.data); return n, err }, func() (int, error) { _, n, err := goUnzip(s.data); return n, err },
			`const files = await unzip(inputs.data); return Object.values(files).reduce((n, b) => n + b.length, 0);`},
		{"Zip", "zip", func() (int, error) { return length(zip.Create(context.Background(), s.files, zip.Options{})) }, func() (int, error) { return length(goZip(s.files)) }, ""},
		{"Unzip and zip again", "again", func() (int, error) {
			files, _, err := ourUnzip(s.data)
			if err != nil {
				return 0, err
			}
			return length(zip.Create(context.Background(), files, zip.Options{}))
		}, func() (int, error) {
			files, _, err := goUnzip(s.data)
			if err != nil {
				return 0, err
			}
			return length(goZip(files))
		}, `return (await zip(await unzip(inputs.data))).length;`},
	} {
		name := fmt.Sprintf("%s: 50 MiB of text in %s", t.name, s.name)
		if !command.Wants(name) {
			continue
		}
		b.sizes[name] = map[string]int{}
		task := rounds.Task{Name: name, Rounds: command.Rounds, Peers: []rounds.Peer{
			b.peer(name, inGo, t.ours),
			b.peer(name, oneOfUs, func() (int, error) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
				return t.ours()
			}),
			b.peer(name, archive, t.theirs),
			b.node(name, inNode, map[string]any{"do": t.do, "path": s.path}),
			b.node(name, inNodes, map[string]any{"do": t.do, "path": s.path, "workers": true}),
		}}
		for _, box := range b.boxes {
			engine, _ := box.Engine()
			if t.guest != "" {
				task.Peers = append(task.Peers, b.peer(name, fromHost+engine, func() (int, error) { return b.guest(box, t.guest, s.data) }))
			}
		}
		b.report.Tables = append(b.report.Tables, command.Measure(task))
	}
	return nil
}

// peer is one whose work returns how many bytes came out, which its table shows.
func (b *bench) peer(task, name string, work func() (int, error)) rounds.Peer {
	return b.measured(task, name, func() (int, float64, error) {
		before := rounds.ProcessorTime()
		n, err := work()
		return n, rounds.ProcessorTime() - before, err
	})
}

// measured is a peer whose work returns its processor time, too.
func (b *bench) measured(task, name string, work func() (n int, ms float64, err error)) rounds.Peer {
	n := 0
	return rounds.Peer{Name: name,
		Run: func() (err error) {
			var ms float64
			n, ms, err = work()
			b.cpu[[2]string{task, name}] = append(b.cpu[[2]string{task, name}], ms)
			return err
		},
		Describe: func() (string, error) {
			b.sizes[task][name] = n
			if strings.HasPrefix(task, "Unzip:") && n != size {
				return "", fmt.Errorf("%d bytes came out", n)
			}
			return fmt.Sprintf("%.2f MB", float64(n)/1e6), nil
		}}
}

func (b *bench) node(task, name string, request map[string]any) rounds.Peer {
	p := b.measured(task, name, func() (int, float64, error) {
		var answer struct {
			Bytes int
			CPU   float64
		}
		err := b.child.Call(request, &answer)
		return answer.Bytes, answer.CPU, err
	})
	p.Skip = b.missing
	p.Before = func() error { return b.child.Call(map[string]any{"do": "gc"}, nil) }
	return p
}

// guest runs a program which is given an archive and returns a number of bytes.
func (b *bench) guest(box *quicksand.Sandbox, code string, data []byte) (int, error) {
	res, err := box.Run(context.Background(), `import { unzip, zip } from "@nodetool-ai/sandbox-zip"; `+code, quicksand.Options{
		Packs: b.packs, Inputs: map[string]any{"data": data}, Limits: quicksand.Limits{Memory: 256 << 20},
	})
	if err != nil {
		return 0, err
	}
	n, _ := res.Value.Int()
	return int(n), nil
}

func ourUnzip(data []byte) (files []zip.File, total int, err error) {
	a, err := zip.OpenBytes(data, zip.Limits{})
	if err != nil {
		return nil, 0, err
	}
	list := make([]*zip.Entry, len(a.Entries))
	for i := range list {
		list[i] = &a.Entries[i]
	}
	all, err := a.ReadAll(context.Background(), list)
	if err != nil {
		return nil, 0, err
	}
	for i, e := range list {
		files = append(files, zip.File{Name: e.Name, Data: all[i]})
		total += len(all[i])
	}
	return files, total, nil
}

// goUnzip reads with archive/zip into memory of the size that headers tell, which is the
// fastest that it can.
func goUnzip(data []byte) (files []zip.File, total int, err error) {
	r, err := gozip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, 0, err
	}
	for _, f := range r.File {
		rc, err := f.Open()
		if err != nil {
			return nil, 0, err
		}
		b := make([]byte, f.UncompressedSize64)
		if _, err := io.ReadFull(rc, b); err != nil {
			return nil, 0, err
		}
		if n, err := rc.Read(make([]byte, 1)); n > 0 || err != io.EOF { // where it compares the checksum
			return nil, 0, errors.Join(err, errors.New("the checksum is wrong"))
		}
		rc.Close()
		files = append(files, zip.File{Name: f.Name, Data: b})
		total += len(b)
	}
	return files, total, nil
}

func goZip(files []zip.File) ([]byte, error) {
	var buf bytes.Buffer
	w := gozip.NewWriter(&buf)
	for _, f := range files {
		to, err := w.Create(f.Name)
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(f.Data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return buf.Bytes(), err
}

func length(b []byte, err error) (int, error) { return len(b), err }

func (b *bench) markdown(w io.Writer) {
	fmt.Fprintf(w, "# Zip, side by side\n\nWritten by `make bench-peers`. One run; peers take turns in each round. All of them read the same archive, made by archive/zip, and write at their default level. The output is what came out, in bytes of 10⁶.\n\n")
	b.report.Origin(w)
	fmt.Fprintf(w, "- %s: quicksand/hostmods/zip, on all processors or on one\n- %s: the standard library, level 5\n- %s: a program of Node, compiled before the first round that counts, level 6; it does not compare checksums, which the others do\n- %s: the same with `unzip` and `zip` of fflate, which use threads\n- %s…: a program of the sandbox, to which the archive is given; what comes out crosses into its heap, and for zip back to the host\n\n", inGo, archive, inNode, inNodes, fromHost)
	for _, t := range b.report.Tables {
		t.Markdown(w)
	}
	b.processorTable(w)
	fmt.Fprintf(w, "## Targets\n\n| | target | got, wall clock | got, processor time |\n|---|---|---:|---:|\n")
	for _, t := range b.report.Tables {
		ours := t.Of(inGo)
		for _, p := range []string{archive, inNode, inNodes} {
			if theirs := t.Of(p); ours != nil && theirs != nil {
				fmt.Fprintf(w, "| %s: %s ÷ %s | > 1 | %.2f | %.2f |\n", t.Task, p, inGo, theirs.Median/ours.Median, b.processor(t.Task, p)/b.processor(t.Task, inGo))
			}
		}
		if n := b.sizes[t.Task]; !strings.HasPrefix(t.Task, "Unzip:") && n[inGo] > 0 && n[inNode] > 0 {
			fmt.Fprintf(w, "| %s: size ÷ archive/zip, ÷ fflate | ≤ 1.05 | %.3f, %.3f | |\n", t.Task, float64(n[inGo])/float64(n[archive]), float64(n[inGo])/float64(n[inNode]))
		}
	}
}

// processorTable prints processor time, which is what is left of the figures when the machine
// has other work.
func (b *bench) processorTable(w io.Writer) {
	fmt.Fprintf(w, "## Processor time\n\nMilliseconds, medians, of all threads together, collecting garbage included.\n\n| |")
	var peers []string
	for _, t := range b.report.Tables {
		for _, r := range t.Results {
			if !slices.Contains(peers, r.Peer) {
				peers = append(peers, r.Peer)
			}
		}
	}
	fmt.Fprintf(w, " %s |\n|---|%s\n", strings.Join(peers, " | "), strings.Repeat("---:|", len(peers)))
	for _, t := range b.report.Tables {
		fmt.Fprintf(w, "| %s |", t.Task)
		for _, p := range peers {
			if ms := b.processor(t.Task, p); ms > 0 {
				fmt.Fprintf(w, " %.0f", ms)
			}
			fmt.Fprint(w, " |")
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
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
