package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"quicksand/bench"
)

const benchHelp = `Usage: quicksand bench [flags]

Measures Quicksand's engines at named workloads, side by side: they take turns in
each round, so that ratios mean something on a busy machine.

  --only REGEXP       workloads whose names match, such as '^run/|^call/'
  --list              print the workloads and what each of them does
  --rounds N          turns of each contender at each workload (default 5)
  --slice D           how long a turn lasts (default 50ms)
  --peers DIR         also the peers of this folder, which is bench/peers of a
                      checkout: other engines and sandboxes, for Go and for Node.
                      What is not installed is named as skipped
  --json FILE         write all figures
  --html FILE         write a page with charts, drawn by Quicksand's canvas
  --svg DIR           write the charts alone
  --markdown FILE     write all tables
  --base FILE         compare with the figures of an earlier --json
`

func runBench(args []string, stdout, stderr io.Writer) int {
	var only, peers, jsonFile, htmlFile, svgDir, markdown, base string
	var list, serve bool
	plan := bench.Plan{Progress: stderr}
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&only, "only", "", "")
	f.BoolVar(&list, "list", false, "")
	f.BoolVar(&serve, "serve", false, "") // the protocol of bench.Serve, for bench itself
	f.IntVar(&plan.Rounds, "rounds", 5, "")
	f.DurationVar(&plan.Slice, "slice", 50*time.Millisecond, "")
	f.StringVar(&peers, "peers", "", "")
	f.StringVar(&jsonFile, "json", "", "")
	f.StringVar(&htmlFile, "html", "", "")
	f.StringVar(&svgDir, "svg", "", "")
	f.StringVar(&markdown, "markdown", "", "")
	f.StringVar(&base, "base", "", "")
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		return emitText(stdout, stderr, benchHelp)
	} else if err != nil {
		return usage(stderr, "bench: %v; try quicksand bench --help", err)
	}
	if f.NArg() > 0 {
		return usage(stderr, "bench takes no argument %q; try quicksand bench --help", f.Arg(0))
	}
	if plan.Rounds < 1 || plan.Slice <= 0 {
		return usage(stderr, "bench: --rounds and --slice must be more than 0")
	}
	if only != "" {
		re, err := regexp.Compile(only)
		if err != nil {
			return usage(stderr, "bench: --only: %v", err)
		}
		plan.Wants = func(w *bench.Workload) bool { return re.MatchString(w.Name) }
	}
	command, err := os.Executable()
	if err != nil {
		return usage(stderr, "bench: %v", err)
	}
	switch {
	case serve:
		if err := bench.Serve(os.Stdin, stdout, bench.Own(command)); err != nil {
			return usage(stderr, "bench: %v", err)
		}
		return exitOK
	case list:
		return emitText(stdout, stderr, workloads(plan))
	}
	var old *bench.Report
	if base != "" {
		if old, err = bench.ReadReport(base); err != nil {
			return usage(stderr, "bench: --base: %v", err)
		}
	}
	contenders, err := bench.Program{Name: command, Args: []string{"bench", "--serve"}}.Contenders()
	if err != nil {
		return usage(stderr, "bench: %v", err)
	}
	if peers != "" {
		dir, err := os.MkdirTemp("", "quicksand-bench")
		if err != nil {
			return usage(stderr, "bench: %v", err)
		}
		defer os.RemoveAll(dir)
		if err := bench.WriteFixtures(dir); err != nil {
			return usage(stderr, "bench: %v", err)
		}
		contenders = append(contenders, peerContenders(peers, dir, stderr)...)
	}
	defer func() {
		for _, c := range contenders {
			c.Close()
		}
	}()
	r := bench.Measure(contenders, plan)
	if len(r.Results) == 0 {
		return usage(stderr, "bench: no workload matches --only %s; --list prints them", only)
	}
	if err := r.WriteText(stdout); err != nil {
		return usage(stderr, "bench: %v", err)
	}
	if old != nil {
		fmt.Fprintf(stdout, "\nbeside %s, measured %s:\n\n", base, old.Started.Format(time.DateOnly))
		if err := bench.WriteChanges(stdout, bench.Compare(old, r)); err != nil {
			return usage(stderr, "bench: %v", err)
		}
	}
	for _, out := range []struct {
		file  string
		write func(w io.Writer) error
	}{
		{jsonFile, r.Write},
		{htmlFile, func(w io.Writer) error { return r.WriteHTML(context.Background(), w) }},
		{markdown, func(w io.Writer) error { return r.WriteMarkdown(w) }},
	} {
		if out.file == "" {
			continue
		}
		if err := writeTo(out.file, out.write); err != nil {
			return usage(stderr, "bench: %v", err)
		}
	}
	if svgDir != "" {
		if err := writeCharts(r, svgDir); err != nil {
			return usage(stderr, "bench: %v", err)
		}
	}
	return exitOK
}

// workloads lists those of a plan.
func workloads(plan bench.Plan) string {
	var b strings.Builder
	for i := range bench.Workloads {
		if w := &bench.Workloads[i]; plan.Wants == nil || plan.Wants(w) {
			fmt.Fprintf(&b, "%-18s %s\n", w.Name, w.Doc)
		}
	}
	return b.String()
}

// peerContenders are those of the two programs in a folder. What cannot start is one
// contender that is skipped.
func peerContenders(dir, temp string, stderr io.Writer) []bench.Contender {
	env := []string{bench.FixturesVariable + "=" + temp}
	inGo := bench.Program{Name: filepath.Join(temp, "engines"), Env: env}
	build := exec.Command("go", "build", "-mod=mod", "-o", inGo.Name, "./engines")
	build.Dir = dir
	out, err := build.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	var list []bench.Contender
	add := func(name string, p bench.Program, err error) {
		var found []bench.Contender
		if err == nil {
			found, err = p.Contenders()
		}
		if err != nil {
			fmt.Fprintf(stderr, "quicksand: %s are skipped: %v\n", name, err)
			found = []bench.Contender{bench.Missing(name, err.Error())}
		}
		list = append(list, found...)
	}
	add("the peers for Go", inGo, err)
	add("the peers for Node", bench.Program{Dir: dir, Name: "node", Args: []string{"--expose-gc", "--no-node-snapshot", "engines/peers.mjs"}, Env: env}, nil)
	return list
}

// writeTo writes a file whole, or leaves what was there.
func writeTo(file string, write func(w io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(file), ".bench-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	err = errors.Join(write(f), f.Chmod(0o644), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

func writeCharts(r *bench.Report, dir string) error {
	charts, err := r.Charts(context.Background())
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, c := range charts {
		if err := os.WriteFile(filepath.Join(dir, c.Group+".svg"), []byte(c.SVG), 0o644); err != nil {
			return err
		}
	}
	return nil
}
