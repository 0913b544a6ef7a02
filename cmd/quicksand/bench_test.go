package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quicksand/bench"
)

func TestBenchFlags(t *testing.T) {
	for _, c := range []struct {
		name           string
		args           []string
		status         int
		stdout, stderr string
	}{
		{"help", []string{"--help"}, 0, "--peers DIR", ""},
		{"the list", []string{"--list", "--only", "^kill/"}, 0, "kill/late", ""},
		{"a pattern that is none", []string{"--only", "("}, 2, "", "--only"},
		{"no rounds", []string{"--rounds", "0"}, 2, "", "--rounds and --slice"},
		{"an unknown flag", []string{"--fast"}, 2, "", "quicksand bench --help"},
		{"an argument", []string{"x"}, 2, "", `no argument "x"`},
		{"an earlier report that is not there", []string{"--base", "none.json"}, 2, "", "--base"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, stdout, stderr := execute("", append([]string{"bench"}, c.args...)...)
			if status != c.status || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) {
				t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
			}
		})
	}
}

// The command measures itself in processes of its own, writes every kind of report, and
// compares with what it has written.
func TestBench(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	dir := t.TempDir()
	command := filepath.Join(dir, "quicksand")
	if out, err := exec.Command("go", "build", "-o", command, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(command, append([]string{"bench", "--only", "^run/empty$|^call/sync$|^memory/idle$", "--rounds", "2", "--slice", "5ms"}, args...)...)
		cmd.Dir = dir
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s%s", err, out, stderr.String())
		}
		return string(out)
	}
	// A folder without peers is told, and does not end the run.
	out := run("--json", "a.json", "--html", "a.html", "--svg", "charts", "--markdown", "a.md", "--peers", ".")
	for _, w := range []string{"run/empty", "call/sync", "memory/idle"} {
		if !strings.Contains(out, w) {
			t.Errorf("%s is not in\n%s", w, out)
		}
	}
	r, err := bench.ReadReport(filepath.Join(dir, "a.json"))
	if err != nil {
		t.Fatal(err)
	}
	own := 0
	for _, c := range r.Contenders {
		if c.Own {
			own++
			for _, w := range []string{"run/empty", "call/sync"} {
				res := r.Result(w, c.Name)
				if res == nil || res.Skipped != "" || res.N < 2 || res.Median <= 0 || res.P99 < res.Median || res.Allocs < 0 {
					t.Errorf("%s by %s: %+v", w, c.Name, res)
				}
			}
		}
	}
	if own == 0 || len(r.Contenders) != own+2 || r.Contenders[own].Skipped == "" {
		t.Errorf("contenders %+v", r.Contenders)
	}
	for name, part := range map[string]string{"a.html": ";base64,PHN2Zy", "a.md": "| run/empty |", "charts/run.svg": "<svg", "charts/memory.svg": "<svg"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		} else if !strings.Contains(string(b), part) {
			t.Errorf("%s lacks %q", name, part)
		}
	}
	if out := run("--base", "a.json"); !strings.Contains(out, "before") || strings.Count(out, "call/sync") != 1+own {
		t.Errorf("the comparison is\n%s", out)
	}
}
