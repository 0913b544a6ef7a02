package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"quicksand"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// TestMain lets the test binary be the command, for tests that need a process.
func TestMain(m *testing.M) {
	if os.Getenv("QUICKSAND_TEST_COMMAND") != "" {
		os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// execute runs the command inside the test.
func execute(stdin string, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = run(args, strings.NewReader(stdin), &out, &errs)
	return status, out.String(), errs.String()
}

// eachEngine runs f with the name of every engine in this build.
func eachEngine(t *testing.T, f func(t *testing.T, engine string)) {
	t.Helper()
	for _, e := range quicksand.Engines() {
		t.Run(e.Name, func(t *testing.T) { f(t, e.Name) })
	}
}

// put writes files into a new directory and makes it the current one.
func put(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRun(t *testing.T) {
	files := map[string]string{
		"sum.js":         "return inputs.a + inputs.b",
		"in.json":        "\ufeff{\"b\": 2, \"a\": 40}\n",
		"typed.ts":       "const n: number = 2; return n satisfies number",
		"plain.txt":      "const n: number = 3; return n",
		"use.js":         "import { twice } from 'lib'; return twice(21)",
		"lib/index.js":   "import { two } from './two.js'; export const twice = (n) => two * n",
		"lib/two.js":     "export const two = 2",
		"lib/notes.txt":  "not code",
		"nolib/other.js": "",
		"bad.json":       "{\n  \"a\": 1,,\n}",
		"cut.json":       "[1, 2",
	}
	cases := []struct {
		name   string
		stdin  string
		args   string // split at blanks; "~" stands for a blank inside
		status int
		stdout string
		stderr string // contained in standard error; empty means nothing is written
	}{
		{"flags after the file", "", `sum.js --inputs {"a":1,"b":2}`, 0, "3\n", ""},
		{"flags before the file", "", `--inputs {"a":1,"b":2} sum.js`, 0, "3\n", ""},
		{"flags on both sides", "", `--seed=1 sum.js --inputs={"a":1,"b":2}`, 0, "3\n", ""},
		{"inputs from a file with a byte order mark", "", "sum.js --inputs @in.json", 0, "42\n", ""},
		{"inputs from standard input", `{"a":1,"b":1}`, "sum.js --inputs @-", 0, "2\n", ""},
		{"a program from standard input", "return 'x'", "-", 0, "\"x\"\n", ""},
		{"a raw string", "return 'a\"b'", "- --raw", 0, "a\"b\n", ""},
		{"raw leaves other values as JSON", "return [1]", "- --raw", 0, "[\n  1\n]\n", ""},
		{"an empty program", "", "-", 1, "", "quicksand: syntax: No code provided"},
		{"a program without a result", "1", "-", 0, "null\n", ""},
		{"inputs may be an array", "return inputs.length", "- --inputs [1,2,3]", 0, "3\n", ""},
		{"inputs may be null", "return inputs === null", "- --inputs null", 0, "true\n", ""},
		{"inputs keep the order of keys", "return Object.keys(inputs).join()", `- --inputs {"z":1,"a":2,"m":3} --raw`, 0, "z,a,m\n", ""},
		{"the last of equal keys counts", "return inputs.a", `- --inputs {"a":1,"a":2}`, 0, "2\n", ""},
		{"large integers are BigInt", "return typeof inputs + String(inputs + 1n)", "- --inputs 9007199254740993 --raw", 0, "bigint9007199254740994\n", ""},
		{"globals", "return greeting + n", `- --globals {"greeting":"hi","n":1} --raw`, 0, "hi1\n", ""},
		{"a file named ts is TypeScript", "", "typed.ts", 0, "2\n", ""},
		{"another file is TypeScript on demand", "", "plain.txt --ts", 0, "3\n", ""},
		{"a module from a directory", "", "use.js --module lib=lib", 0, "42\n", ""},
		{"a module from a file", "import { two } from '@x/y'; return two", "- --module @x/y=lib/two.js", 0, "2\n", ""},
		{"a fixed clock", "return new Date().toISOString()", "- --now 2026-01-31 --raw", 0, "2026-01-31T00:00:00.000Z\n", ""},
		{"console lines with their level", "console.log('a'); console.warn('b'); return 1", "-", 0, "1\n", "a\n[warn] b\n"},
		{"emitted values and outputs", "await emit('e', {x: 1}); await output('o', 'v')", "-", 0, "null\n", "emit e: {\"x\":1}\noutput o: \"v\"\n"},
		{"progress as lines", "progress(50, 'half\\nway')", "-", 0, "null\n", "progress 50% half way\n"},
		{"escape sequences are shown", "console.log('\\x1b[2J\\u202e\\x9b\\ttab'); return 1", "-", 0, "1\n", "\\x1b[2J\\u202e\\u009b\ttab\n"},
		{"a cut result is reported", "return 'x'.repeat(200000)", "- --engine pure --raw", 0, "", "warning: result was cut from"},
		{"more lines than are forwarded", "for (let i = 0; i < 1500; i++) console.log('line ' + i); return 1", "-", 0, "1\n", "line 998\nline 999\nline 1000\nline 1001\n"},

		{"a higher output limit", "return 'x'.repeat(150000)", "- --raw --output-size 200KB", 0, strings.Repeat("x", 150000) + "\n", ""},
		{"a thrown error", "\nnull.x", "-", 1, "", "quicksand: guest: TypeError: cannot read property 'x' of null\n  at main.js:2"},
		{"a syntax error", "return 1 +", "-", 1, "", "quicksand: syntax: "},
		{"a module that is not declared", "import x from 'nowhere'", "-", 1, "", "quicksand: denied: "},
		{"a promise that nothing settles", "await new Promise(() => {})", "-", 1, "", "quicksand: stalled: "},
		{"a timeout", "for (;;);", "- --timeout 50ms", 3, "", "quicksand: timeout: the program exceeded the maximum allowed time limit of 50ms"},
		{"a CPU limit", "for (;;);", "- --cpu 50ms", 3, "", "quicksand: cpu: "},
		{"a memory limit", "const a = []; for (;;) a.push({})", "- --memory 4MiB", 3, "", "quicksand: memory: out of memory: the program reached its limit of 4194304 bytes"},
		{"a stack limit", "const f = () => 1 + f(); f()", "- --stack 64KiB", 3, "", "quicksand: stack: "},
		{"another limit", "return new Uint8Array(70 << 20)", "- --memory 200MiB", 3, "", "quicksand: limit: "},

		{"no file", "", "", 2, "", "run needs the file of a program"},
		{"two files", "", "sum.js typed.ts", 2, "", "run takes one file, not also \"typed.ts\""},
		{"a missing file", "", "none.js", 2, "", "quicksand: cannot read none.js: no such file or directory\n"},
		{"a directory", "", "lib", 2, "", "quicksand: lib is a directory\n"},
		{"an unknown flag", "", "sum.js --fast", 2, "", "quicksand: unknown flag --fast; try quicksand run --help\n"},
		{"a flag that does not exist yet", "", "sum.js --isolation .", 2, "", "unknown flag --isolation"},
		{"a flag without its value", "", "sum.js --seed", 2, "", "--seed needs a value"},
		{"inputs that are not JSON", "", "sum.js --inputs {a:1}", 2, "", "--inputs is not JSON: "},
		{"a file that is not JSON", "", "sum.js --inputs @bad.json", 2, "", "--inputs: bad.json is not JSON: invalid character ',' "},
		{"JSON that ends early", "", "sum.js --inputs @cut.json", 2, "", "the text ends too early"},
		{"JSON with text behind it", "", "sum.js --inputs 1~2", 2, "", "there is text after the value"},
		{"JSON nested too deep", strings.Repeat("[", 300), "sum.js --inputs @-", 2, "", "nested deeper than 200 levels"},
		{"empty inputs", "", "sum.js --inputs=", 2, "", "--inputs is empty"},
		{"globals that are no object", "", "sum.js --globals [1]", 2, "", "--globals wants a JSON object"},
		{"a missing inputs file", "", "sum.js --inputs @none", 2, "", "--inputs: cannot read none"},
		{"a duration without unit", "", "sum.js --timeout 5", 2, "", "want a duration with its unit"},
		{"a negative duration", "", "sum.js --timeout -5s", 2, "", "want a duration above zero"},
		{"a bad size", "", "sum.js --memory 64QB", 2, "", "want a size such as"},
		{"a size that overflows", "", "sum.js --memory 99999999999GB", 2, "", "want a size such as"},
		{"a seed of zero", "", "sum.js --seed 0", 2, "", "want a whole number from 1"},
		{"a bad time", "", "sum.js --now tomorrow", 2, "", "want a date such as"},
		{"a module without a path", "", "sum.js --module x", 2, "", "want NAME=FILE or NAME=DIR"},
		{"a module twice", "", "use.js --module lib=lib --module lib=lib", 2, "", "lib is given twice"},
		{"a module's directory without index.js", "", "use.js --module lib=nolib", 2, "", "nolib has no index.js"},
		{"raw and json", "", "sum.js --raw --json", 2, "", "exclude each other"},
		{"standard input twice", "1", "- --inputs @-", 2, "", "standard input can be read only once"},
	}
	put(t, files)
	eachEngine(t, func(t *testing.T, engine string) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				args := []string{"run"}
				for _, a := range strings.Fields(c.args) {
					args = append(args, strings.ReplaceAll(a, "~", " "))
				}
				if !strings.Contains(c.args, "--engine") {
					args = append(args[:1:1], append([]string{"--engine", engine}, args[1:]...)...)
				}
				status, stdout, stderr := execute(c.stdin, args...)
				if status != c.status {
					t.Errorf("status %d, want %d; stderr: %s", status, c.status, stderr)
				}
				if stdout != c.stdout && !strings.Contains(c.name, "cut result") {
					t.Errorf("stdout %q, want %q", stdout, c.stdout)
				}
				if !strings.Contains(stderr, c.stderr) || c.stderr == "" && stderr != "" {
					t.Errorf("stderr %q, want %q in it", stderr, c.stderr)
				}
				if status == exitUsage && strings.Count(stderr, "\n") != 1 {
					t.Errorf("a usage error takes more than one line: %q", stderr)
				}
			})
		}
	})
}

func TestUnknownEngineIsRefused(t *testing.T) {
	status, _, stderr := execute("1", "run", "-", "--engine", "v8")
	if status != exitUsage || !strings.HasPrefix(stderr, `quicksand: unknown engine "v8"`) {
		t.Errorf("status %d, stderr %q", status, stderr)
	}
}

func TestCommands(t *testing.T) {
	cases := []struct {
		name           string
		args           []string
		status         int
		stdout, stderr string // contained
	}{
		{"no arguments", nil, 2, "", "Usage:"},
		{"help", []string{"help"}, 0, "quicksand run FILE.js", ""},
		{"help run", []string{"help", "run"}, 0, "--inputs JSON|@FILE", ""},
		{"run --help", []string{"run", "--help"}, 0, "Exit status:", ""},
		{"version", []string{"version"}, 0, "quicksand ", ""},
		{"engines", []string{"engines"}, 0, "pure  quickjs ", ""},
		{"an unknown command", []string{"walk"}, 2, "", `quicksand: unknown command "walk"; try quicksand help`},
		{"an unknown argument of engines", []string{"engines", "x"}, 2, "", `engines takes only --json, not "x"`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			status, stdout, stderr := execute("", c.args...)
			if status != c.status || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) {
				t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
			}
		})
	}
	_, stdout, _ := execute("", "engines", "--json")
	var engines []quicksand.EngineInfo
	if err := json.Unmarshal([]byte(stdout), &engines); err != nil || len(engines) != len(quicksand.Engines()) || !engines[0].Default {
		t.Errorf("engines --json: %v, %s", err, stdout)
	}
}

// golden compares text with a file in testdata.
func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("%s differs; go test -update rewrites it. Got:\n%s", path, text)
	}
}

// figures are the numbers that differ between runs and engines: usage, and columns,
// for which the engines take different tokens of an expression.
var figures = regexp.MustCompile(`("(?:\w+Ns|peakHeap|bytesIn|bytesOut|column)": |main\.js:\d+:)\d+`)

func TestJSON(t *testing.T) {
	programs := map[string]string{
		"success.json": "console.log('a'); console.warn('b'); await emit('e', [1]); await output('z', 1); await output('a', '<&>'); return { n: null, u: undefined, big: 12n }",
		"failure.json": "console.log('before');\nfunction check() { throw Object.assign(new Error('no'), { name: 'Refused' }) }\ncheck()",
		"timeout.json": "await emit('e', 1); for (;;);",
	}
	eachEngine(t, func(t *testing.T, engine string) {
		for name, code := range programs {
			args := []string{"run", "-", "--json", "--engine", engine}
			if name == "timeout.json" {
				args = append(args, "--timeout", "4s") // under the race detector the start alone may take one
			}
			status, stdout, stderr := execute(code, args...)
			if want := map[string]int{"failure.json": exitGuest, "timeout.json": exitLimit}[name]; status != want || stderr != "" {
				t.Errorf("%s: status %d, want %d; stderr %q", name, status, want, stderr)
			}
			golden(t, name, figures.ReplaceAllString(stdout, "${1}0"))
		}
	})
}

func TestExamples(t *testing.T) {
	cases := []struct{ name, args string }{
		{"sales-report", "examples/sales-report.js --inputs @testdata/sales.json"},
		{"streaming", "examples/streaming.js"},
		{"typed", "examples/typed.ts"},
		{"modules", `examples/modules.js --module text-tools=examples/text --inputs "Crème~brûlée~à~la~carte"`},
		{"signature", "examples/signature.js --seed 7 --now 2026-01-31"},
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	eachEngine(t, func(t *testing.T, engine string) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				args := []string{"run", "--engine", engine}
				for _, a := range strings.Fields(c.args) {
					args = append(args, strings.ReplaceAll(a, "~", " "))
				}
				t.Chdir("../..")
				status, stdout, stderr := execute("", args...)
				t.Chdir(here)
				if status != exitOK {
					t.Fatalf("status %d, stderr %s", status, stderr)
				}
				// How many progress reports pass depends on the time between them.
				var lines []string
				for line := range strings.Lines(stderr) {
					if !strings.HasPrefix(line, "progress ") {
						lines = append(lines, line)
					}
				}
				golden(t, "examples/"+c.name+".txt", stdout+"-- standard error --\n"+strings.Join(lines, ""))
			})
		}
	})
}

func TestSignalsInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot send signals on Windows")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	eachEngine(t, func(t *testing.T, engine string) {
		for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
			cmd := exec.Command(self, "run", "-", "--engine", engine)
			cmd.Env = append(os.Environ(), "QUICKSAND_TEST_COMMAND=1")
			cmd.Stdin = strings.NewReader("console.log('ready'); for (;;);")
			pipe, err := cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			r := bufio.NewReader(pipe)
			if line, err := r.ReadString('\n'); line != "ready\n" {
				t.Errorf("first line %q, %v", line, err)
			}
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			line, _ := r.ReadString('\n')
			if line != "quicksand: cancelled: Execution cancelled\n" {
				t.Errorf("after %v: %q", sig, line)
			}
			cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
				t.Errorf("after %v: status %d, want %d", sig, code, exitInterrupted)
			}
		}
	})
}

func TestProgressOnATerminal(t *testing.T) {
	var b bytes.Buffer
	c := &console{w: &b, terminal: true}
	c.progress(10, "one")
	c.log("log", "line")
	c.progress(20, strings.Repeat("w", 100))
	c.finish()
	want := "\r\x1b[K10% one" + "\r\x1b[Kline\n10% one" + "\r\x1b[K20% " + strings.Repeat("w", 65) + "…" + "\r\x1b[K"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
