package quicksand

import (
	"fmt"
	"strings"
)

// Kind says what stopped a run.
type Kind string

// The kinds of errors.
const (
	// KindSyntax: the program does not parse.
	KindSyntax Kind = "syntax"
	// KindGuest: the program threw, or a promise it awaited was rejected.
	KindGuest Kind = "guest"
	// KindStalled: the program awaits a promise that nothing can settle any more.
	KindStalled Kind = "stalled"
	// KindStack: the program recursed deeper than the stack limit allows.
	KindStack Kind = "stack"
	// KindDenied: the program asked for something that this run was not granted, such
	// as a module.
	KindDenied Kind = "denied"
	// KindTimeout: the run took longer than Limits.Timeout.
	KindTimeout Kind = "timeout"
	// KindCPU: the engine was busy for longer than Limits.CPUTime.
	KindCPU Kind = "cpu"
	// KindMemory: the guest heap reached Limits.Memory.
	KindMemory Kind = "memory"
	// KindLimit: another limit was exceeded; Error.Limit names it.
	KindLimit Kind = "limit"
	// KindCancelled: the context of the run ended.
	KindCancelled Kind = "cancelled"
	// KindUsage: the host called with options that make no sense.
	KindUsage Kind = "usage"
	// KindInternal: the sandbox or an engine failed, or a host function panicked.
	KindInternal Kind = "internal"
)

// Error is why a run did not succeed. errors.Is matches it with the sentinel of
// its kind, and with the cause of the host if there is one.
type Error struct {
	Kind Kind
	// Op is what failed, as the guest sees it: "run", "compile", "globals", "fetch".
	Op string
	// Name and Message are those of the guest's error, for kinds that come from one.
	Name    string
	Message string
	// Stack is the guest's stack without generated frames, at most five lines.
	Stack string
	// Position is where the error arose in the program. Line is 0 when it is unknown.
	Position Position
	// Frame is the code around Position with a mark under the column, for people.
	Frame string
	// Limit is the name of the limit in LIMITS.md that was hit; Value is its value and
	// Used what the run had used, both in the limit's unit.
	Limit       string
	Value, Used int64
	// Value of the guest's `code` property and a line about its `cause`, if any.
	Code, Cause string
	// Err is the host's cause: the context's error, or the value of a panic.
	Err error
}

// Position is a place in a source text. Line and Column start at 1; Column counts
// UTF-16 code units and is 0 when only the line is known.
type Position struct {
	Source string `json:"source,omitempty"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// Error is one line: operation, what happened, and where.
func (e *Error) Error() string {
	var b strings.Builder
	text := e.Text()
	// The message of a bridge's error begins with its operation already.
	if e.Op != "" && !strings.Contains(text, e.Op+": ") {
		b.WriteString(e.Op)
		b.WriteString(": ")
	}
	b.WriteString(text)
	if e.Position.Line > 0 {
		fmt.Fprintf(&b, " (%s:%d", e.Position.Source, e.Position.Line)
		if e.Position.Column > 0 {
			fmt.Fprintf(&b, ":%d", e.Position.Column)
		}
		b.WriteByte(')')
	}
	return b.String()
}

// Text is the message with the guest's error name in front of it where that adds
// information: not for "Error", and not when the message contains the name.
func (e *Error) Text() string {
	msg := e.Message
	if msg == "" && e.Err != nil {
		msg = e.Err.Error()
	}
	switch {
	case msg == "":
		if e.Name != "" {
			return e.Name
		}
		return string(e.Kind)
	case e.Name == "" || e.Name == "Error" || strings.Contains(strings.ToLower(msg), strings.ToLower(e.Name)):
		return msg
	}
	return e.Name + ": " + msg
}

func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the sentinel of e's kind.
func (e *Error) Is(target error) bool {
	s, ok := target.(sentinel)
	return ok && Kind(s) == e.Kind
}

// sentinel is the type of the errors to compare with.
type sentinel Kind

func (s sentinel) Error() string { return "quicksand: " + string(s) }

// Sentinels for errors.Is, one for each Kind.
var (
	ErrSyntax    error = sentinel(KindSyntax)
	ErrGuest     error = sentinel(KindGuest)
	ErrStalled   error = sentinel(KindStalled)
	ErrStack     error = sentinel(KindStack)
	ErrDenied    error = sentinel(KindDenied)
	ErrTimeout   error = sentinel(KindTimeout)
	ErrCPU       error = sentinel(KindCPU)
	ErrMemory    error = sentinel(KindMemory)
	ErrLimit     error = sentinel(KindLimit)
	ErrCancelled error = sentinel(KindCancelled)
	ErrUsage     error = sentinel(KindUsage)
	ErrInternal  error = sentinel(KindInternal)
)

func usageError(format string, args ...any) *Error {
	return &Error{Kind: KindUsage, Op: "run", Message: fmt.Sprintf(format, args...)}
}
