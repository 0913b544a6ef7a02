// Package instructions counts the instructions of the three hottest paths with callgrind, of
// valgrind: other than time they are nearly the same on a busy machine and a quiet one, so
// that a change of a few percent shows.
//
//	go test ./bench/instructions          compares with counts.json
//	go test ./bench/instructions -update  writes it
package instructions

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"testing"

	"quicksand"
	"quicksand/bench"
)

var update = flag.Bool("update", false, "write counts.json")

const file = "counts.json"

// tolerance is how much a count may grow. The garbage collector is off and there is one
// processor, but the runtime's own threads count, too: runs of one program were seen to differ
// by 3.9 %, on a machine with much else to do.
const tolerance = 0.08

// paths are workloads with the numbers of repetitions whose difference is counted.
var paths = []struct {
	workload  string
	few, many int
}{
	{"run/empty", 50, 150},
	{"call/sync", 2, 4},
	{"rows/in-100", 5, 25},
	{"rows/out-100", 5, 25},
}

// child is the variable of the environment that makes the test binary one measured process.
const child = "QUICKSAND_COUNTED"

func TestMain(m *testing.M) {
	if s := os.Getenv(child); s != "" {
		if err := repeat(s); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// repeat does what "ENGINE N WORKLOAD" says.
func repeat(s string) error {
	var engine, workload string
	var n int
	if _, err := fmt.Sscan(s, &engine, &n, &workload); err != nil {
		return err
	}
	for _, c := range bench.Own("") {
		if c.Info().Name != "Quicksand "+engine {
			continue
		}
		session, err := c.Open(bench.Find(workload))
		if err != nil {
			return err
		}
		_, err = session.Run(n)
		return err
	}
	return fmt.Errorf("there is no engine %s", engine)
}

var collected = regexp.MustCompile(`Collected : (\d+)`)

// count is the number of instructions of a process that repeats a workload n times.
func count(t *testing.T, engine, workload string, n int) float64 {
	t.Helper()
	cmd := exec.Command("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d %s", child, engine, n, workload), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	m := collected.FindSubmatch(out.Bytes())
	if m == nil {
		t.Fatalf("callgrind did not count:\n%s", out.String())
	}
	v, err := strconv.ParseFloat(string(m[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestHotPaths(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("a minute under callgrind, without the race detector")
	}
	if _, err := exec.LookPath("valgrind"); err != nil {
		t.Skip("valgrind is not installed")
	}
	if runtime.GOARCH != "amd64" || runtime.GOOS != "linux" {
		t.Skip("the counts are of linux/amd64")
	}
	want := make(map[string]float64)
	if b, err := os.ReadFile(file); err == nil {
		if err := json.Unmarshal(b, &want); err != nil {
			t.Fatal(err)
		}
	} else if !*update {
		t.Fatal(err)
	}
	compiledIn := make(map[string]bool)
	for _, e := range quicksand.Engines() {
		compiledIn[e.Name] = true
	}
	for _, engine := range []string{"cgo", "pure"} {
		if !compiledIn[engine] {
			continue
		}
		for _, p := range paths {
			key := engine + " " + p.workload
			if _, ok := want[key]; !ok && !*update {
				t.Errorf("%s has no count of %s", file, key)
				continue
			}
			t.Run(key, func(t *testing.T) {
				per := float64(p.many-p.few) * float64(max(bench.Find(p.workload).Per, 1))
				got := math.Round((count(t, engine, p.workload, p.many) - count(t, engine, p.workload, p.few)) / per)
				t.Logf("%.0f instructions", got)
				if *update {
					want[key] = got
				} else if got > want[key]*(1+tolerance) {
					t.Errorf("%.0f instructions, %.1f %% more than the %.0f of %s", got, 100*(got/want[key]-1), want[key], file)
				}
			})
		}
	}
	if *update {
		b, err := json.MarshalIndent(want, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(b, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
