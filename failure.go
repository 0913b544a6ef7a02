package quicksand

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"quicksand/engine"
	"quicksand/internal/entry"
	"quicksand/internal/marshal"
	"quicksand/modules"
)

// cancelled is the error for a context that ended.
func cancelled(ctx context.Context) *Error {
	return &Error{Kind: KindCancelled, Op: "run", Name: "ExecutionCancelled", Message: "Execution cancelled", Err: context.Cause(ctx)}
}

func limitError(op, limit string, value, used int64, what string) *Error {
	return &Error{Kind: KindLimit, Op: op, Limit: limit, Value: value, Used: used,
		Message: fmt.Sprintf("%d %s are more than the limit %s of %d", used, what, limit, value)}
}

func (r *run) timeoutError() *Error {
	used := r.running()
	return &Error{Kind: KindTimeout, Op: "run", Name: "ExecutionTimeout", Limit: "Timeout", Value: int64(r.limits.Timeout), Used: int64(used),
		Message: fmt.Sprintf("the program exceeded the maximum allowed time limit of %v", r.limits.Timeout)}
}

// stopError says why the watchdog stopped the run.
func (r *run) stopError() *Error {
	cause, cpu, cancelErr := r.slot.dog.stopped()
	switch cause {
	case stopTimeout:
		return r.timeoutError()
	case stopCPU:
		return &Error{Kind: KindCPU, Op: "run", Name: "ExecutionTimeout", Limit: "CPUTime", Value: int64(r.limits.CPUTime), Used: int64(cpu),
			Message: fmt.Sprintf("the program exceeded the maximum allowed CPU time of %v", r.limits.CPUTime)}
	case stopCancel:
		return &Error{Kind: KindCancelled, Op: "run", Name: "ExecutionCancelled", Message: "Execution cancelled", Err: cancelErr}
	case stopSuspension:
		d, _ := r.clock.Suspended(time.Now())
		allowance := r.slot.dog.allowance
		return &Error{Kind: KindTimeout, Op: "run", Name: "ExecutionTimeout", Limit: "Suspension", Value: int64(allowance), Used: int64(d),
			Message: fmt.Sprintf("the run was suspended for longer than %v", allowance)}
	}
	return &Error{Kind: KindInternal, Op: "run", Message: "the engine stopped without a cause"}
}

func (r *run) stalled() *Error {
	return &Error{Kind: KindStalled, Op: "run", Name: "ExecutionStalled",
		Message: "the program awaits a promise that nothing can settle any more: no host call is open and no job is queued"}
}

// failure is the error of a run which the engine reports as Failed or Stopped.
func (r *run) failure(status engine.Status) error {
	// The watchdog's word comes first: an interrupted guest may fail in any way.
	if cause, _, _ := r.slot.dog.stopped(); cause != notStopped {
		return r.stopError()
	}
	f := r.slot.iso.Failure()
	switch f.Kind {
	case engine.Memory:
		return r.memoryError()
	case engine.Fault:
		return &Error{Kind: KindInternal, Op: "run", Message: "the engine failed; its heap was discarded"}
	case engine.Interrupted, engine.Killed:
		return r.stopError()
	}
	return r.thrown(f)
}

func (r *run) memoryError() *Error {
	used := r.slot.iso.Usage().HeapPeak
	return &Error{Kind: KindMemory, Op: "run", Name: "MemoryLimit", Limit: "Memory", Value: r.limits.Memory, Used: used,
		Message: fmt.Sprintf("out of memory: the program reached its limit of %d bytes", r.limits.Memory)}
}

// thrown is the error for a value that the guest threw, from what the prelude's
// describe hook found.
func (r *run) thrown(f engine.Failure) error {
	e := &Error{Kind: KindGuest, Op: "run"}
	v, err := marshal.Decode(f.Thrown)
	if err != nil {
		r.box.log.Error("quicksand: a thrown value cannot be read", "error", err)
	}
	str := func(key string) string { s, _ := v.Field(key).Str(); return s }
	flag := func(key string) bool { b, _ := v.Field(key).Bool(); return b }
	switch {
	case flag("isError"):
		e.Name, e.Message = str("name"), entry.LevelMessage(str("message"))
		e.Code, e.Cause = v.Field("code").String(), str("cause")
		if v.Field("code").Kind() == marshal.KindUndefined {
			e.Code = ""
		}
	case v.Field("value").Kind() == marshal.KindString:
		e.Name, e.Message = "UnknownError", str("value")
	default:
		e.Name, e.Message = "UnknownError", "An unknown error occurred."
	}
	r.adopt(e, str("message"))
	switch {
	case flag("outOfMemory"):
		return r.memoryError()
	case flag("stackOverflow"):
		e.Kind, e.Limit, e.Value = KindStack, "Stack", r.limits.Stack
	case f.Kind == engine.Link:
		e.Kind = KindDenied
		e.Message = r.missingExport(e.Message)
		if p, ok := r.importPosition(e.Message); ok {
			e.Position, e.Frame = p, entry.Frame(r.code, p.Line, p.Column)
		}
	}
	stack := str("stack")
	if r.prog != nil && stack != "" && e.Position.Line == 0 {
		e.Stack = r.prog.entry.CleanStack(stack, r.name)
		line, col := r.prog.entry.StackPosition(stack, r.name)
		if e.Stack == "" || line > 0 && r.thrownByProgram(stack) {
			// The pure engine's lines are exact.
			l, c := entry.Locate(r.code, e.Message, line, col, r.box.engine.Name() == "pure", r.opts.TypeScript)
			e.Stack = strings.Replace(e.Stack, fmt.Sprintf("(%s:%d:%d)", r.name, line, col), fmt.Sprintf("(%s:%d:%d)", r.name, l, c), 1)
			line, col = l, c
			if e.Stack == "" && line > 0 {
				e.Stack = fmt.Sprintf("    at <anonymous> (%s:%d:%d)", r.name, line, col)
			}
		}
		if line > 0 {
			e.Position = Position{r.name, line, col}
			e.Frame = entry.Frame(r.code, line, col)
		}
	}
	for _, text := range []*string{&e.Name, &e.Message, &e.Code, &e.Cause, &e.Stack, &e.Frame} {
		*text = r.redact(*text)
	}
	return e
}

// sourceError is the error for a program that was not compiled.
func (r *run) sourceError(code string, err error) error {
	var se *entry.SyntaxError
	switch {
	case errors.Is(err, entry.ErrNoCode):
		return &Error{Kind: KindSyntax, Op: "run", Message: "No code provided"}
	case errors.As(err, &se):
		e := &Error{Kind: KindSyntax, Op: "compile", Name: "SyntaxError", Message: se.Message}
		if se.Hint != "" {
			e.Message += " (" + se.Hint + ")"
		}
		if se.Line > 0 {
			e.Position = Position{r.name, se.Line, se.Column}
			e.Frame = entry.Frame(code, se.Line, se.Column)
		}
		return e
	}
	return &Error{Kind: KindSyntax, Op: "compile", Message: strings.TrimSpace(err.Error()), Err: err}
}

// missingExport says of a name that a module does not export what the module has, where an
// error about linking is of that kind and the exports are known.
func (r *run) missingExport(message string) string {
	rest, ok := strings.CutPrefix(message, "Could not find export '")
	name, rest, found := strings.Cut(rest, "' in module '")
	id, whole := strings.CutSuffix(rest, "'")
	if !ok || !found || !whole || r.prog == nil {
		return message
	}
	specifier, exports := id, []string(nil)
	for _, e := range r.hosted[id].Exports {
		exports = append(exports, e.Name)
	}
	for _, imp := range r.prog.entry.Imports {
		_, m, _ := r.served(imp.Specifier)
		if m != nil && m.Kind == modules.JS && identity(r.packRoot(m), m.Entry) == id {
			specifier = imp.Specifier
			if m.Complete {
				exports = m.Exports
			}
			break
		}
	}
	message = fmt.Sprintf("%q has no export %q", specifier, name)
	if name == "default" {
		message = fmt.Sprintf("%q has no default export", specifier)
	}
	if len(exports) > 0 {
		message += " (it has " + listed(exports) + ")"
	}
	return message
}

// listed joins names, of which those after the first 40 are only counted.
func listed(names []string) string {
	const most = 40
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// importPosition finds the import that an error about linking quotes.
func (r *run) importPosition(message string) (Position, bool) {
	if r.prog == nil {
		return Position{}, false
	}
	for _, imp := range r.prog.entry.Imports {
		if strings.Contains(message, fmt.Sprintf("%q", imp.Specifier)) {
			return Position{r.name, imp.Line, imp.Column}, true
		}
	}
	return Position{}, false
}

// thrownByProgram reports whether the innermost frame that is not native belongs to the
// program itself and not to a module.
func (r *run) thrownByProgram(stack string) bool {
	for frame := range strings.Lines(stack) {
		if !strings.Contains(frame, "(native)") {
			return strings.Contains(frame, "("+r.name+":")
		}
	}
	return false
}
