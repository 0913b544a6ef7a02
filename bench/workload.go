package bench

import (
	"embed"
	"fmt"
	"strings"
)

// A Workload is work with a name that does not change, so that figures of different days can
// be compared.
type Workload struct {
	// Name is its group and what is done: "run/empty".
	Name string
	// Doc says in one line what one repetition is.
	Doc string
	// Unit is what a repetition yields: Nanoseconds that it took, or another figure of which
	// less is better. Empty means Nanoseconds.
	Unit string
	// Per divides the time of a repetition that does the same thing so many times, such as
	// host calls. Zero means 1.
	Per int
	// Slow workloads get few repetitions.
	Slow bool
}

// Units of workloads.
const (
	Nanoseconds = "ns"
	Bytes       = "bytes"
)

// Group is the first part of the name.
func (w *Workload) Group() string { g, _, _ := strings.Cut(w.Name, "/"); return g }

func (w *Workload) per() float64 { return float64(max(w.Per, 1)) }

func (w *Workload) unit() string {
	if w.Unit == "" {
		return Nanoseconds
	}
	return w.Unit
}

// Calls is how many host calls one repetition of a workload of the group "call" makes.
const Calls = 1000

// Workloads are all that there are, in the order of reports. Contenders take part in those
// which they can do.
var Workloads = []Workload{
	{Name: "run/cold-process", Doc: "a process starts, runs `return 1+1` and ends", Slow: true},
	{Name: "run/cold-isolate", Doc: "a sandbox is made, runs `return 1+1` and is closed", Slow: true},
	{Name: "run/empty", Doc: "`return 1+1` in a fresh world of a warm process"},
	{Name: "run/first", Doc: "a body of 40 lines which was never seen, in a fresh world"},
	{Name: "run/repeated", Doc: "the same body of 40 lines again, in a fresh world"},
	{Name: "call/sync", Doc: "one synchronous host call with a number, of 1 000 in a run", Per: Calls},
	{Name: "call/text", Doc: "one synchronous host call with 100 characters in and out, of 1 000 in a run", Per: Calls},
	{Name: "call/async", Doc: "one awaited host call with a number, of 1 000 in a run", Per: Calls},
	{Name: "rows/in-100", Doc: "100 rows of 8 fields become guest objects, whose lengths are returned"},
	{Name: "rows/in-5000", Doc: "the same with 5 000 rows"},
	{Name: "rows/in-50000", Doc: "the same with 50 000 rows", Slow: true},
	{Name: "rows/out-100", Doc: "a guest makes 100 rows of 8 fields and returns them to the host as its own values"},
	{Name: "rows/out-5000", Doc: "the same with 5 000 rows"},
	{Name: "rows/out-50000", Doc: "the same with 50 000 rows", Slow: true},
	{Name: "bytes/in-1MB", Doc: "1 MB of bytes becomes a Uint8Array"},
	{Name: "bytes/in-16MB", Doc: "the same with 16 MB", Slow: true},
	{Name: "bytes/in-64MB", Doc: "the same with 64 MB", Slow: true},
	{Name: "bytes/out-1MB", Doc: "a guest makes a Uint8Array of 1 MB and returns it"},
	{Name: "bytes/out-16MB", Doc: "the same with 16 MB", Slow: true},
	{Name: "bytes/out-64MB", Doc: "the same with 64 MB", Slow: true},
	{Name: "cpu/fib", Doc: "fib(25), recursive", Slow: true},
	{Name: "cpu/json", Doc: "JSON.stringify and JSON.parse of 500 objects, 10 times", Slow: true},
	{Name: "cpu/regexp", Doc: "matching and replacing in 60 KB of text", Slow: true},
	{Name: "cpu/sort", Doc: "sorting 50 000 numbers with a comparator", Slow: true},
	{Name: "cpu/strings", Doc: "building 1 MB of text piece by piece", Slow: true},
	{Name: "cpu/typed-arrays", Doc: "a 64×64 matrix product in Float64Arrays", Slow: true},
	{Name: "cpu/scheduler", Doc: "tasks of a small operating system exchange packets", Slow: true},
	{Name: "cpu/constraints", Doc: "one-way constraints are planned and propagated along a chain", Slow: true},
	{Name: "import/cold", Doc: "a run imports dates and yaml, compiling them", Slow: true},
	{Name: "import/cached", Doc: "a run imports dates and yaml, compiled before"},
	{Name: "import/warm", Doc: "a run imports dates and yaml from a warm image"},
	{Name: "image/thumbnail", Doc: "a photograph of 1600×1200 becomes a JPEG 320 wide", Slow: true},
	{Name: "audio/podcast", Doc: "10 s of stereo are trimmed, faded, resampled to 48 kHz and measured", Slow: true},
	{Name: "canvas/shapes", Doc: "1 000 mixed shapes on 512×512, written as PNG", Slow: true},
	{Name: "zip/round", Doc: "2 MB of text in 16 files is zipped and unzipped", Slow: true},
	{Name: "memory/idle", Doc: "resident memory of one idle isolate, of 32", Unit: Bytes, Slow: true},
	{Name: "memory/busy", Doc: "resident memory of one isolate that holds 5 000 rows, of 8", Unit: Bytes, Slow: true},
	{Name: "parallel/1", Doc: "200 empty runs, one after another", Slow: true},
	{Name: "parallel/2", Doc: "200 empty runs, two at a time", Slow: true},
	{Name: "kill/late", Doc: "how long after a deadline of 50 ms an endless native builtin has ended", Slow: true},
	{Name: "soak/10000", Doc: "10 000 runs of ten different bodies", Slow: true},
}

// Find is the workload of a name, or nil.
func Find(name string) *Workload {
	for i := range Workloads {
		if Workloads[i].Name == name {
			return &Workloads[i]
		}
	}
	return nil
}

//go:embed kernels/*.js
var kernels embed.FS

// Kernel is the source of a program of the group "cpu", without its group: the body of a
// function that returns a number or text, the same for all contenders.
func Kernel(name string) (string, error) {
	b, err := kernels.ReadFile("kernels/" + name + ".js")
	if err != nil {
		return "", fmt.Errorf("bench: there is no kernel %q", name)
	}
	return string(b), nil
}

// Body is the program of run/first and run/repeated.
func Body() string { s, _ := Kernel("body"); return s }

// RowsOut is a program that returns n rows of 8 fields. RowsIn takes them from the global
// rows and returns a checksum.
func RowsOut(n int) string {
	return fmt.Sprintf(`const rows = [];
for (let i = 0; i < %d; i++) rows.push({ id: i, name: "customer " + i, region: ["north", "south", "east", "west"][i %% 4], amount: i * 1.25, count: i %% 7, paid: i %% 3 === 0, note: i %% 5 ? null : "see file", at: 1.7e12 + i });
return rows;`, n)
}

// RowsIn is a program over the global rows that returns a checksum.
const RowsIn = `let n = 0; for (const r of rows) n += r.name.length + r.count; return n;`

// Row is row i as a host holds it.
func Row(i int) map[string]any {
	var note any
	if i%5 == 0 {
		note = "see file"
	}
	return map[string]any{"id": i, "name": fmt.Sprintf("customer %d", i), "region": [...]string{"north", "south", "east", "west"}[i%4],
		"amount": float64(i) * 1.25, "count": i % 7, "paid": i%3 == 0, "note": note, "at": 1.7e12 + float64(i)}
}

// Rows are n rows.
func Rows(n int) []map[string]any {
	rows := make([]map[string]any, n)
	for i := range rows {
		rows[i] = Row(i)
	}
	return rows
}

// RowsSum is what RowsIn returns for n rows.
func RowsSum(n int) float64 {
	sum := 0
	for i := range n {
		sum += len(fmt.Sprintf("customer %d", i)) + i%7
	}
	return float64(sum)
}
