// Package engine is the contract between the sandbox and its JavaScript
// engines. It is public so that a host can name and choose an engine; it is not
// meant for implementations outside this module.
//
// # Vocabulary
//
// A Program is bytecode that an engine compiled from source in a compiler
// isolate of its own, which never runs guest code. An Image is what every run
// starts from: a prelude that is evaluated once. An Isolate is one guest heap in
// one contiguous arena; after its construction the used prefix of the arena is
// kept, and Reset brings it back. Whatever a run did to the heap is gone then.
//
// # One crossing
//
// A guest sees exactly one native function, and only the prelude ever holds it:
//
//	native(op, value)
//
// op is an integer below 2^31. Below OpHost it is served inside the engine (the Op constants
// of this package). From OpHost up it is the host's: the value is encoded
// (quicksand/internal/marshal describes the encoding) and, below OpAsync, passed
// to Host.Call, whose reply is decoded and returned or thrown. From OpAsync up the
// request is queued, the guest gets a promise, and the owner takes the request
// with Isolate.Calls and answers it with Isolate.Settle. With true as a third argument
// the engine keeps the call site, and gives it to the hook "rejected" when the answer is
// an error; that costs about as much as the call itself. Called with op alone the
// payload is empty, which is the cheapest crossing.
//
// # Stopping
//
// Interrupt sets a flag that the engine polls. Kill makes the arena
// inaccessible, so that native code which never polls faults and is unwound.
// Exceeding the memory limit unwinds in the same way. In all three cases the
// running method returns Stopped and Failure says why; the guest can neither catch
// nor delay it. The isolate is usable again after Reset.
package engine

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"quicksand/internal/marshal"
)

// Ranges of the operation number that a guest passes to native.
const (
	OpHost  = 64      // first synchronous operation of the host
	OpAsync = 1 << 16 // first asynchronous operation of the host
)

// Operations that the engine serves itself. They exist for the prelude.
const (
	// OpHooks (object) registers the prelude's hooks, once, while the image is
	// built. See the package documentation of internal/prelude for the hooks.
	OpHooks = 0
	// OpUnit (index) evaluates Image.Units[index] as a script and returns its
	// completion value. The prelude uses it to build rarely used parts on first use,
	// which keeps the image small and so the reset fast.
	OpUnit = 1
	// OpUTF8Encode (string) returns a new Uint8Array; lone surrogates become U+FFFD.
	OpUTF8Encode = 2
	// OpUTF8Decode (Uint8Array, fatal) returns a string. Malformed sequences become
	// U+FFFD by the WHATWG rule of maximal subparts, or with fatal the result is
	// undefined. A leading byte order mark is kept.
	OpUTF8Decode = 3
	// OpClone (value) returns a structured copy made through the wire encoding,
	// in which lone surrogates survive.
	OpClone = 4
	// OpClass (value) returns the intrinsic class of an object as a string, whatever
	// its prototype: "Object", "Array", "Function", "Error", "Date", "RegExp", "Map",
	// "Set", "WeakMap", "WeakSet", "WeakRef", "Promise", "Proxy", "ArrayBuffer",
	// "SharedArrayBuffer", "DataView", "Number", "String", "Boolean", "Symbol",
	// "BigInt", "Generator", "Arguments", the name of the typed array, "Module" for a
	// namespace, or "Other". For a primitive it is "".
	OpClass = 5
	// OpPromiseState (promise) returns [state, value]: state 0 pending, 1 fulfilled,
	// 2 rejected. For anything else the result is undefined.
	OpPromiseState = 6
	// OpPerformanceNow returns milliseconds of a monotonic clock as a number.
	OpPerformanceNow = 7
	// OpStack returns the current stack as the engine writes it, without the frame
	// of the caller.
	OpStack = 8
	// OpCollect collects garbage that is made of cycles, so that the callbacks of
	// FinalizationRegistry become jobs for all that is unreachable.
	OpCollect = 9
)

// An Engine compiles programs and makes isolates. It is safe for concurrent use.
type Engine interface {
	// Name is "cgo" or "pure".
	Name() string
	// Version names the engine and its exact version, for example
	// "quickjs-ng 0.15.1". Bytecode of one version is meaningless to another.
	Version() string
	// Compile turns source into a program. Source which does not parse is a
	// *SyntaxError; running out of the compiler's memory or of ctx is a
	// *CompileError. Compile returns within milliseconds after ctx ends, whatever
	// the source.
	Compile(ctx context.Context, src Source) (Program, error)
	// NewIsolate builds a heap: runtime, context, prelude, image. It costs
	// milliseconds and its own arena.
	NewIsolate(img Image) (Isolate, error)
}

// SourceKind says how source is compiled.
type SourceKind uint8

const (
	// Module source may import, and runs in strict mode.
	Module SourceKind = iota
	// Script source evaluates to its last expression. Only the prelude uses it.
	Script
)

// Source is one text to compile.
type Source struct {
	// Name appears in stacks and is the module's identity for relative imports.
	Name string
	Code string
	Kind SourceKind
	// HeaderLines is the number of generated lines in front of the user's text.
	// Positions in stacks and errors count from the line after them, so that the
	// user's first line is line 1 also in stacks which the guest reads.
	HeaderLines int
}

// A Program is compiled source. It is immutable and may be used by any number of
// isolates of the engine that made it. No API makes one from bytes.
type Program interface {
	// Name is the Source.Name it was compiled from.
	Name() string
	// Size is the memory it holds, in bytes.
	Size() int64
}

// Image is what an isolate looks like before any guest code ran.
type Image struct {
	// Prelude is a script. It finds the native function in the global __native,
	// which is gone when the prelude has run.
	Prelude Program
	// Units are scripts that OpUnit evaluates on demand.
	Units []Program
	// Modules are evaluated after the prelude, in order, so that runs import them as they
	// are then. A run that imports one, or what it imports, gets it by its identity alone.
	// When one cannot be part of an image, NewIsolate returns an *ImageError: one that
	// throws, still waits when no job is left, takes longer than ImageTimeout or more
	// memory than ImageMemory, asks the host for anything, or draws a random number.
	Modules []Import
	// Resolve finds what Modules import, as Host.Resolve does. Nil finds nothing.
	Resolve func(base, specifier string) (Import, error)
}

// What the modules of an image may use.
const (
	ImageTimeout = 10 * time.Second // each, until it is stopped
	ImageMemory  = 32 << 20         // bytes of the heap, the prelude included
)

// ImageError is a module that cannot be part of an image.
type ImageError struct {
	ID     string // of the module of Image.Modules
	Reason string // for the host's logs
}

// Reasons of an ImageError that engines share.
const (
	ImageWaits  = "it waits for something when it is evaluated"
	ImageAsks   = "it asks the host for something when it is evaluated"
	ImageRandom = "it draws a random number when it is evaluated"
	ImageSlow   = "it takes too long to evaluate"
	ImageLarge  = "it takes too much memory to evaluate"
)

// DescribeThrown is one line about what the prelude's describe hook made of a thrown value.
func DescribeThrown(m marshal.Message) string {
	v, err := marshal.Decode(m)
	if err != nil {
		return "it fails"
	}
	if name, ok := v.Field("name").Str(); ok {
		message, _ := v.Field("message").Str()
		return name + ": " + message
	}
	if text, ok := v.Field("value").Str(); ok {
		return "it throws " + strconv.Quote(text)
	}
	return "it throws a value that is no error"
}

func (e *ImageError) Error() string { return fmt.Sprintf("module %s: %s", e.ID, e.Reason) }

// Settings are what one run may use.
type Settings struct {
	// Memory is the limit of the guest heap in bytes. It counts everything in the
	// arena, the image included. Zero means 64 MiB.
	Memory int64
	// Stack is the limit of the guest stack in bytes. Zero means 512 KiB.
	Stack int64
	// Seed starts Math.random. The caller draws it anew for every run.
	Seed uint64
	// MaxMessage is the largest encoded value that may cross in one piece, blobs
	// included, in bytes. Zero means 128 MiB.
	MaxMessage int64
	// MaxCalls is the largest number of asynchronous calls that may be unsettled at
	// one time. Zero means 10 000. Exceeding it throws in the guest.
	MaxCalls int
}

// Status says where a run stands.
type Status uint8

const (
	// Waiting: no job is runnable and the module has not finished.
	Waiting Status = iota
	// Done: the module evaluated; Result has the value.
	Done
	// Failed: the guest threw; Failure has the reason.
	Failed
	// Stopped: the run was ended from outside the guest; Failure has the reason.
	Stopped
)

func (s Status) String() string {
	switch s {
	case Waiting:
		return "waiting"
	case Done:
		return "done"
	case Failed:
		return "failed"
	case Stopped:
		return "stopped"
	}
	return fmt.Sprintf("Status(%d)", uint8(s))
}

// FailureKind says what ended a run.
type FailureKind uint8

const (
	// NoFailure: nothing went wrong.
	NoFailure FailureKind = iota
	// Thrown: the guest threw a value or its promise was rejected.
	Thrown
	// Link: an import did not resolve or a module is malformed.
	Link
	// Interrupted: Interrupt ended the run.
	Interrupted
	// Killed: Kill ended the run.
	Killed
	// Memory: the guest reached the memory limit, whether or not it caught the
	// error of a refused single allocation and went on to fail otherwise.
	Memory
	// Fault: the engine itself failed. The isolate must be closed.
	Fault
)

func (k FailureKind) String() string {
	names := [...]string{"none", "thrown", "link", "interrupted", "killed", "memory", "fault"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("FailureKind(%d)", uint8(k))
}

// Failure describes why a run is Failed or Stopped.
type Failure struct {
	Kind FailureKind
	// Thrown is what the prelude's describe hook made of the thrown value, for the
	// kinds Thrown and Link. It may be empty when describing failed too.
	Thrown marshal.Message
	// Detail is one sentence about an engine fault, for logs of the host only.
	Detail string
}

// Usage is what a run used so far.
type Usage struct {
	HeapUsed int64 // bytes in the arena now
	HeapPeak int64 // largest HeapUsed since Reset
	// Refused is true when a single large allocation was refused since Reset: the
	// guest saw an out of memory error that it may have caught.
	Refused bool
}

// CallID names one asynchronous call of one run. An isolate never reuses an id
// between resets.
type CallID uint32

// Call is one asynchronous request of the guest. The receiver owns Arg.
type Call struct {
	ID  CallID
	Op  uint32
	Arg marshal.Message
}

// Reply answers a call. The engine copies what it needs before the method that
// took the reply returns.
type Reply struct {
	// Value is the encoded result; the zero Message is undefined.
	Value marshal.Message
	// Throw makes the guest see Value as an exception or a rejection.
	Throw bool
}

// Host is what an isolate calls while the guest runs, on the goroutine that
// called Start, Pump, Invoke or Result. A panic in a Host method is contained: the
// guest sees an internal error without details, and the engine's method panics
// with the same value after it has left the guest's frames.
type Host interface {
	// Call serves a synchronous operation. arg is valid until Call returns; its
	// blobs may be kept.
	Call(op uint32, arg marshal.Message) Reply
	// Flush is called when asynchronous requests are queued while the guest has been
	// running for more than a millisecond. The host may take them with
	// Isolate.Calls, and call no other method of the isolate.
	Flush()
	// Resolve finds the module that specifier means inside the module base, or says
	// why there is none; the guest's import then fails with that message. Only static
	// imports get here.
	Resolve(base, specifier string) (Import, error)
}

// Import is a resolved module: an identity, which later is the base of its own
// imports, and its program. With Exports in the place of a program it is a module of
// functions of the host; with neither it is a module of the image, by its identity there.
type Import struct {
	ID      string
	Program Program
	// Exports are functions that the hook "facade" makes: each starts an asynchronous
	// call of the host with the array of its arguments. Their names are unique.
	Exports []Export
	// Default says that a frozen object of all of them is the default export, which none
	// may be by itself then.
	Default bool
}

// Export is one function of a module of the host.
type Export struct {
	Name string
	Op   uint32 // from OpAsync up
}

// Facade is the encoded argument of the hook "facade" for an import with Exports:
// [Default, name, operation, …]. It fails when the engines could not tell its names apart.
func Facade(m Import) ([]byte, error) {
	if m.ID == "" || strings.Contains(m.ID, "\x00") {
		return nil, fmt.Errorf("import %q: invalid module identity", m.ID)
	}
	list := make([]any, 1, 1+2*len(m.Exports))
	list[0] = m.Default
	names := map[string]bool{"default": m.Default}
	for _, e := range m.Exports {
		if e.Name == "" || strings.Contains(e.Name, "\x00") || !utf8.ValidString(e.Name) || names[e.Name] || e.Op < OpAsync || e.Op > math.MaxInt32 {
			return nil, fmt.Errorf("import %q: invalid export %q", m.ID, e.Name)
		}
		names[e.Name] = true
		list = append(list, e.Name, e.Op)
	}
	msg, err := marshal.Encode(list, marshal.EncodeOptions{})
	return msg.Wire, err
}

// InvokeMode says how the result of Invoke and Result is encoded.
type InvokeMode uint8

const (
	// Strict refuses functions and symbols with an error that names the path.
	Strict InvokeMode = iota
	// Lenient leaves out properties whose value is a function or a symbol and makes
	// such elements null; the message reports the first path and the count. A
	// function or symbol as the whole value is refused as in Strict.
	Lenient
)

// An Isolate is one guest heap.
//
// All methods must be called by one goroutine at a time, except Interrupt and
// Kill, which any goroutine may call at any moment. Reset, or Close, must not be
// called before every goroutine that may call Interrupt or Kill for the last run
// was joined.
//
// The order of one run is Reset, any number of Invoke, Start, then Pump and
// Settle until the status is not Waiting, then Result and Invoke. After a Failure
// of kind Fault only Close may be called. After Stopped only Failure, Usage, Calls,
// Reset and Close may be called.
type Isolate interface {
	// Reset restores the image and applies settings; zero fields mean defaults. It
	// is valid after any outcome but Fault.
	Reset(Settings) error
	// Trim is Reset for an isolate that goes idle: it also gives back the memory that
	// Reset keeps for the next run, which then pays for it in page faults.
	Trim() error
	// Start links entry and runs it until its first await. Errors of the guest are
	// a status; an error is a mistake of the caller.
	Start(entry Program, host Host) (Status, error)
	// Pump runs jobs until the module is done or none is runnable. Start does not
	// imply a Pump.
	Pump() (Status, error)
	// Calls appends the asynchronous requests since the last call to dst.
	Calls(dst []Call) []Call
	// Settle resolves or rejects the promise of a call. Unknown and settled ids are
	// ignored. Jobs it makes runnable run at the next Pump.
	Settle(id CallID, r Reply) error
	// Result encodes the default export of the entry. Status Failed means that the
	// value cannot cross or that a getter threw. The message is owned by the caller.
	Result(mode InvokeMode) (marshal.Message, Status, error)
	// Invoke calls one of the prelude's hooks by name with a decoded argument and
	// encodes what it returns. host serves calls made meanwhile; nil refuses them.
	Invoke(hook string, arg marshal.Message, mode InvokeMode, host Host) (marshal.Message, Status, error)
	// Failure is the reason of the last status Failed or Stopped.
	Failure() Failure
	// Interrupt stops the guest at the engine's next poll. It stays in force until
	// Reset.
	Interrupt()
	// Kill stops the guest at its next access to its heap. It returns once the heap
	// is inaccessible, and does nothing when no guest code runs except what
	// Interrupt does. Supported says whether the platform has it.
	Kill()
	// CanKill reports whether Kill works on this platform.
	CanKill() bool
	Usage() Usage
	// Close unmaps the arena. The engine's own free path never runs.
	Close() error
}

// SyntaxError is source that does not parse. Line and Column start at 1 and count
// from the user's first line; Column counts UTF-16 code units and is 0 when the
// engine does not know it.
type SyntaxError struct {
	Name    string // of the source
	Message string
	Line    int
	Column  int
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: SyntaxError: %s", e.Name, e.Line, e.Column, e.Message)
}

// CompileError is a compilation that was stopped: by the compiler's memory limit
// (Kind Memory), by ctx (Interrupted or Killed; Err is ctx's cause), or by a fault
// of the engine (Fault).
type CompileError struct {
	Name string
	Kind FailureKind
	Err  error
}

func (e *CompileError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("compile %s: %s: %v", e.Name, e.Kind, e.Err)
	}
	return fmt.Sprintf("compile %s: %s", e.Name, e.Kind)
}

func (e *CompileError) Unwrap() error { return e.Err }
