package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"quicksand"
)

// runProgram is quicksand run.
func runProgram(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c, err := parseRun(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return emitText(stdout, stderr, runHelp)
	case err != nil:
		return usage(stderr, "%v", err)
	}
	code, err := readSource(c.file, stdin)
	if err != nil {
		return usage(stderr, "%v", err)
	}
	o := quicksand.Options{TypeScript: c.typescript, Limits: c.limits, Seed: c.seed, Now: c.now}
	if c.file != "-" {
		// The program need not know where it lies.
		o.Name = filepath.Base(c.file)
	}
	if c.globals != "" {
		if o.Globals, err = readGlobals(c.globals, stdin); err != nil {
			return usage(stderr, "%v", err)
		}
	}
	if c.inputs != "" {
		if o.Inputs, err = readJSON("--inputs", c.inputs, stdin); err != nil {
			return usage(stderr, "%v", err)
		}
		if o.Inputs == nil { // null, which as Options.Inputs would mean no such global
			if o.Globals == nil {
				o.Globals = make(map[string]any)
			}
			o.Globals["inputs"] = nil
		}
	}
	if o.Modules, err = readModules(c.modules); err != nil {
		return usage(stderr, "%v", err)
	}
	if o.Packs, err = c.packs.set(stderr); err != nil {
		return usage(stderr, "%v", err)
	}
	if err := c.grants.grant(&o, stdin); err != nil {
		return usage(stderr, "%v", err)
	}
	if c.out != "" {
		dir, err := openOut(c.out)
		if err != nil {
			return usage(stderr, "%v", err)
		}
		defer dir.close()
		o.OnMedia = dir.write
	}
	box, err := quicksand.New(quicksand.Config{Engine: c.engine, Isolates: 1, Logger: slog.New(slog.NewTextHandler(stderr, nil))})
	if err != nil {
		return usage(stderr, "%v", text(err))
	}
	defer box.Close()

	con := newConsole(stderr)
	if !c.json {
		o.OnLog = con.log
		o.OnEmit = func(_ context.Context, name string, v quicksand.Value) error { return con.value("emit", name, v) }
		o.OnProgress = con.progress
	}
	// Signals are caught only while the program runs: before, and from the second on, they
	// end the process.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	res, err := box.Run(ctx, string(code), o)
	con.finish()

	if res == nil {
		res = &quicksand.Result{}
	}
	if !c.json {
		con.rest(res.Logs)
		for _, name := range sortedNames(res.Outputs) {
			if verr := con.value("output", name, res.Outputs[name]); verr != nil {
				return usage(stderr, "output %s: %v", name, verr)
			}
		}
	}
	con.truncations(res.Truncated)
	if c.json {
		if perr := printReport(stdout, res, err); perr != nil {
			return usage(stderr, "%v", perr)
		}
	} else if err != nil {
		con.failure(err)
	} else if perr := printResult(stdout, res.Value, c.raw); perr != nil {
		return usage(stderr, "%v", perr)
	}
	return status(err)
}

// status is the exit status for the error of a run.
func status(err error) int {
	var e *quicksand.Error
	switch {
	case err == nil:
		return exitOK
	case !errors.As(err, &e):
		return exitUsage
	}
	switch e.Kind {
	case quicksand.KindTimeout, quicksand.KindCPU, quicksand.KindMemory, quicksand.KindStack, quicksand.KindLimit:
		return exitLimit
	case quicksand.KindCancelled:
		return exitInterrupted
	case quicksand.KindUsage, quicksand.KindInternal:
		return exitUsage
	}
	return exitGuest
}

// text is the message of an error without the operation that the user did not ask for.
func text(err error) string {
	var e *quicksand.Error
	if errors.As(err, &e) {
		return e.Text()
	}
	return err.Error()
}
