package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"quicksand"
)

const runHelp = `Usage: quicksand run FILE [flags]

Runs a JavaScript program and prints what it returns as JSON. The program is the
body of an asynchronous function: return and await work at its top level. FILE may
be - for standard input. Files named .ts or .mts are TypeScript. Flags may stand
before or after FILE.

What the program gets:

  --inputs JSON|@FILE      the global inputs, from a JSON text or a file (@- is
                           standard input). Integers beyond 2^53 arrive as BigInt
  --globals JSON|@FILE     an object whose properties become globals
  --module NAME=FILE|DIR   what "import ... from NAME" finds: a file, or a directory
                           with index.js whose files import each other as "./x".
                           May be repeated
  --packs DIR              packages that imports may name besides those that come with
                           quicksand; see quicksand packs --help. May be repeated
  --allow-import NAME,...  the program may import only these packages and modules of
                           packages, or none; by default all. May be repeated
  --trust-pack NAME,...    packages whose documentation nodetool.packs.docs gives to the
                           program as it is, or "*" for all. May be repeated
  --ts                     the program is TypeScript, whatever its name
  --seed N                 the same random numbers in each run; N is 1 or more
  --now TIME               the fixed time Date shows: 2026-01-31 or
                           2026-01-31T12:00:00Z

What it may reach; without these flags, nothing:

  --workspace DIR          files of this directory, as workspace.read and so on
  --read-only              the program cannot change them
  --assets DIR             assets of this directory, as assetToSandbox, sandboxToAsset
                           and media.*; new ones are put there
  --allow-net HOST,...     HTTP requests to these hosts: api.example.com,
                           *.example.com, localhost:8080, or all public hosts: all.
                           May be repeated
  --allow-private-network  also where a name leads to this machine or its network
  --secret NAME[=VALUE]    a secret for getSecret; without VALUE it is taken from the
                           environment. May be repeated
  --secret-host NAME=HOST  the secret goes out to this host alone, and the program
                           sees a placeholder instead. It is sent by https, unless
                           HOST begins with http:// or is this machine
  --timers                 setTimeout and setInterval
  --font [FAMILY=]FILE     a font file for the canvas, besides those that come with it.
                           May be repeated
  --stream NAME=FILE       an input stream: FILE has one JSON text on each line, and
                           may be - for standard input

What may stop it:

  --timeout D              wall time, such as 500ms, 10s or 2m (default 30s)
  --cpu D                  time spent computing (default: no limit but --timeout)
  --memory SIZE            heap, such as 512KiB or 64MB (default 64MiB, 1MiB to 512MiB)
  --stack SIZE             stack (default 512KiB, 16KiB to 8MiB)
  --media SIZE             memory for pictures, sounds and films (default 256MiB, 1MiB to
                           2GiB)
  --output-size SIZE       JSON text of the result or an output; what is longer is cut
                           with a warning (default 100000, 1KiB to 10MiB)
  --engine cgo|pure        the engine; see quicksand engines

What is printed:

  --out DIR                pictures, sounds and films in the result, in outputs and in
                           emitted values are written there, and their paths stand in
                           the values; DIR is made if need be
  --raw                    a string result as it is, without quotes
  --json                   one object on standard output with all of the run: ok, result,
                           outputs, emitted, logs, error, usage

Standard output carries the result only; undefined is printed as null. On standard
error appear console lines and progress as they come, each emitted value as
"emit NAME: JSON" and, after the run, each output as "output NAME: JSON". With --json
all of these are in the object instead.

Exit status: 0 success, 1 the program failed, 2 wrong usage or a failure of the
host, 3 stopped by a limit, 130 interrupted.

Examples:

  echo 'return inputs.a + inputs.b' | quicksand run - --inputs '{"a":1,"b":2}'
  quicksand run examples/sales-report.js --inputs @testdata/sales.json
  quicksand run examples/typed.ts --json
  quicksand run examples/invoice-run.js --workspace testdata/invoices
  quicksand run program.js --timeout 2s --memory 16MB --seed 1 --now 2026-01-01
`

// A command is the parsed command line of quicksand run.
type command struct {
	file            string
	inputs, globals string
	out             string
	engine          string
	typescript      bool
	json, raw       bool
	modules         []string
	packs           packFlags
	grants          grants
	seed            uint64
	now             time.Time
	limits          quicksand.Limits
}

// parseRun parses the arguments of quicksand run. Its error is for people, or
// flag.ErrHelp.
func parseRun(args []string) (*command, error) {
	c := &command{}
	f := flag.NewFlagSet("run", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	f.StringVar(&c.inputs, "inputs", "", "")
	f.StringVar(&c.globals, "globals", "", "")
	f.StringVar(&c.engine, "engine", "", "")
	f.StringVar(&c.out, "out", "", "")
	f.BoolVar(&c.typescript, "ts", false, "")
	f.BoolVar(&c.json, "json", false, "")
	f.BoolVar(&c.raw, "raw", false, "")
	c.packs.define(f)
	c.grants.define(f)
	f.Func("module", "", func(s string) error {
		name, path, ok := strings.Cut(s, "=")
		if !ok || name == "" || path == "" {
			return errors.New("want NAME=FILE or NAME=DIR")
		}
		c.modules = append(c.modules, s)
		return nil
	})
	f.Func("seed", "", func(s string) (err error) {
		if c.seed, err = strconv.ParseUint(s, 10, 64); err != nil || c.seed == 0 {
			return errors.New("want a whole number from 1 to 2^64-1")
		}
		return nil
	})
	f.Func("now", "", func(s string) (err error) { c.now, err = parseTime(s); return err })
	f.Func("timeout", "", func(s string) (err error) { c.limits.Timeout, err = parseDuration(s); return err })
	f.Func("cpu", "", func(s string) (err error) { c.limits.CPUTime, err = parseDuration(s); return err })
	f.Func("memory", "", func(s string) (err error) { c.limits.Memory, err = parseSize(s); return err })
	f.Func("media", "", func(s string) (err error) { c.limits.RunMedia, err = parseSize(s); return err })
	f.Func("output-size", "", func(s string) (err error) { c.limits.OutputSize, err = parseSize(s); return err })
	f.Func("stack", "", func(s string) (err error) { c.limits.Stack, err = parseSize(s); return err })

	var files []string
	for len(args) > 0 {
		if err := f.Parse(args); err != nil {
			return nil, wording(err)
		}
		rest := f.Args()
		if n := len(args) - len(rest); n > 0 && args[n-1] == "--" {
			files = append(files, rest...)
			break
		}
		if len(rest) == 0 {
			break
		}
		files = append(files, rest[0])
		args = rest[1:]
	}
	switch {
	case len(files) == 0:
		return nil, errors.New("run needs the file of a program, or - for standard input; try quicksand run --help")
	case len(files) > 1:
		return nil, fmt.Errorf("run takes one file, not also %q", files[1])
	case c.json && c.raw:
		return nil, errors.New("--json and --raw exclude each other")
	case count(files[0] == "-", c.inputs == "@-", c.globals == "@-", c.grants.lines == "-") > 1:
		return nil, errors.New("standard input can be read only once")
	}
	c.file = files[0]
	if ext := filepath.Ext(c.file); ext == ".ts" || ext == ".mts" {
		c.typescript = true
	}
	// An empty value is more likely a variable that is not set than no inputs.
	var err error
	f.Visit(func(g *flag.Flag) {
		if s := g.Value.String(); s == "" && (g.Name == "inputs" || g.Name == "globals" || g.Name == "engine" || g.Name == "workspace" || g.Name == "assets" || g.Name == "out") {
			err = fmt.Errorf("--%s is empty", g.Name)
		}
	})
	if err == nil {
		err = c.grants.check()
	}
	return c, err
}

// wording says what package flag found as the help writes flags.
func wording(err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		return fmt.Errorf("unknown flag --%s; try quicksand run --help", name)
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		return fmt.Errorf("--%s needs a value; try quicksand run --help", name)
	}
	return errors.New(strings.Replace(text, " for flag -", " for --", 1))
}

func count(conditions ...bool) (n int) {
	for _, c := range conditions {
		if c {
			n++
		}
	}
	return n
}

func parseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, errors.New("want a duration with its unit, such as 500ms, 10s or 2m")
	}
	if d <= 0 {
		return 0, errors.New("want a duration above zero")
	}
	return d, nil
}

// sizeUnits are decimal for KB and binary for KiB, the longer names first.
var sizeUnits = []struct {
	name  string
	bytes int64
}{
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30},
	{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"b", 1},
}

func parseSize(s string) (int64, error) {
	number, unit := strings.ToLower(s), int64(1)
	for _, u := range sizeUnits {
		if n, ok := strings.CutSuffix(number, u.name); ok {
			number, unit = n, u.bytes
			break
		}
	}
	n, err := strconv.ParseUint(strings.TrimSpace(number), 10, 63)
	if err != nil || n > uint64(math.MaxInt64/unit) {
		return 0, errors.New("want a size such as 65536, 512KiB or 64MB")
	}
	if n == 0 {
		return 0, errors.New("want a size above zero")
	}
	return int64(n) * unit, nil
}

func parseTime(s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil && !t.IsZero() {
			return t, nil
		}
	}
	return time.Time{}, errors.New("want a date such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z")
}
