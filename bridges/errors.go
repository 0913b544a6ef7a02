package bridges

import (
	"fmt"
)

// Kind says what a failed call means for the run when the guest does not catch it.
type Kind string

// The kinds of errors of bridges. They are those of quicksand.Error.
const (
	KindGuest    Kind = "guest"    // an error like any that the guest throws; the zero Kind means it too
	KindDenied   Kind = "denied"   // the host did not allow it
	KindLimit    Kind = "limit"    // Error.Limit was exceeded
	KindInternal Kind = "internal" // the bridge itself failed
)

// Error is how a call fails. The guest sees an Error object with Name, Message (behind
// "Op: " when there is an Op), Code and Cause; everything else is for the host. A run
// which does not catch it fails with an error of its Kind.
type Error struct {
	Kind Kind
	// Op is the function as the guest sees it: "workspace.write".
	Op string
	// Name is the guest error's name. Empty means "Error". "TypeError", "RangeError" and
	// the other classes of the language make errors of that class.
	Name string
	// Message is lower case and ends without a stop. It must say no more than a guest may
	// know: no path of the host, no address that the guest did not write.
	Message string
	// Code is the guest error's code, in the manner of "ENOENT". Empty means none.
	Code string
	// Cause is the guest error's cause. Nil means none.
	Cause *Error
	// Limit is the name in LIMITS.md of the limit that was exceeded; Value is its value,
	// and Used what the call would have needed, both in the limit's unit.
	Limit       string
	Value, Used int64
	// Err is the host's own cause. No part of it reaches the guest.
	Err error
}

// Error is the text that the guest sees.
func (e *Error) Error() string {
	if e.Op == "" {
		return e.Message
	}
	return e.Op + ": " + e.Message
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Codes of errors that every bridge can give.
const (
	CodeNotGranted = "ERR_NOT_GRANTED" // the run was not granted the bridge
	CodeDenied     = "ERR_DENIED"      // the policy of the grant does not allow it
	CodeLimit      = "ERR_LIMIT"       // a limit was exceeded
)

// Errorf is an error without a kind of its own.
func Errorf(op, format string, args ...any) *Error {
	return &Error{Op: op, Message: fmt.Sprintf(format, args...)}
}

// TypeErrorf is a TypeError, for an argument that makes no sense.
func TypeErrorf(op, format string, args ...any) *Error {
	return &Error{Op: op, Name: "TypeError", Message: fmt.Sprintf(format, args...)}
}

// Deniedf is the error for what a policy does not allow.
func Deniedf(op, format string, args ...any) *Error {
	return &Error{Kind: KindDenied, Op: op, Code: CodeDenied, Message: fmt.Sprintf(format, args...)}
}

// Limitf is the error for a limit that is exceeded. The message is followed by the name of
// the limit in brackets.
func Limitf(op string, limit string, value, used int64, format string, args ...any) *Error {
	return &Error{Kind: KindLimit, Op: op, Name: "RangeError", Code: CodeLimit, Limit: limit, Value: value, Used: used,
		Message: fmt.Sprintf(format, args...) + " (" + limit + ")"}
}

// NotGranted is the error of a call to a bridge which the run was not granted.
func NotGranted(b *Bridge, f *Func) *Error {
	why := b.Ungranted
	if why == "" {
		why = fmt.Sprintf("%s is not available without a context: this run was not granted %s", f.Name, b.Name)
	}
	return &Error{Kind: KindDenied, Name: "NotGrantedError", Code: CodeNotGranted, Message: why + "; the host grants it with " + b.Granting()}
}
