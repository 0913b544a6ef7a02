package quicksand

import (
	"context"
	"time"

	"quicksand/bridges"
	"quicksand/bridges/assets"
	"quicksand/bridges/fetch"
	"quicksand/bridges/secrets"
	"quicksand/bridges/stream"
	"quicksand/bridges/webcrypto"
	"quicksand/bridges/workspace"
	"quicksand/modules"
)

// Options is what one run gets. The zero value runs a program which can compute,
// log and sleep, and nothing else.
type Options struct {
	// Name is the program's name in stacks and errors. Empty means "main.js", or
	// "main.ts" for TypeScript.
	Name string
	// TypeScript says that the code is TypeScript, whose types are erased. It needs
	// the package quicksand/typescript in the program.
	TypeScript bool
	// Inputs become the global `inputs`, a copy: usually a map, a struct or an *Object,
	// but any value that can enter a guest. Nil means no such global.
	Inputs any
	// Globals become globals, copies of plain data. Functions among them, at any
	// depth, become asynchronous guest functions: a Func is called with the encoded
	// arguments; any other function gets them converted to its parameters, may take a
	// context first, and may return a value, an error, or both. Names that are no
	// identifiers, or that Quicksand needs itself, are skipped. Objects and arrays are
	// read back into Result.Globals.
	Globals map[string]any
	// Modules are what static imports may name.
	Modules map[string]Module
	// Packs are what static imports may name besides, where Modules have no such name:
	// modules of a catalog. Nil means none.
	Packs  *modules.Set
	Limits Limits
	// Fetch lets the run make HTTP requests to the hosts that it allows. Nil forbids all.
	Fetch *fetch.Policy
	// Workspace lets the run work with files: a directory, or a tree in memory. Nil means
	// that there are none.
	Workspace *workspace.Policy
	// Secrets lets the run read secrets by name. Nil means that none is set. Their values
	// are redacted in logs, progress messages and errors.
	Secrets *secrets.Policy
	// Assets lets the run load what references mean and keep files as the host's assets. Nil
	// forbids both. Files need a Workspace besides, and addresses need Fetch.
	Assets *assets.Policy
	// Crypto sets limits for crypto.subtle and crypto.createHash, which every run has. Nil
	// means the defaults.
	Crypto *webcrypto.Policy
	// Input feeds the guest's input streams (the global `stream`), for this run alone.
	// Time in which the guest waits for it does not count against Limits.Timeout. Nil
	// means that the run has none.
	Input stream.Source
	// OnMedia takes the pictures, sounds and films that leave the run in its result, in an
	// output or in an emitted value, each once. What it returns stands in the place of the
	// handle: a path, an address, a reference; nil leaves the handle there. It is called
	// before the value reaches anybody else, on the goroutine of Run, one at a time, and its
	// error fails the run or the guest's call. ctx ends with the run. Nil leaves all handles
	// in values, where they mean nothing once the run has ended.
	OnMedia func(ctx context.Context, m Medium) (any, error)
	// Grants give the run capabilities of Config.Bridges.
	Grants []bridges.Grant
	// Timers gives the guest setTimeout, clearTimeout, setInterval and clearInterval, which
	// are absent otherwise. Timers that still wait when the program has returned are dropped.
	Timers bool
	// Seed makes Math.random, crypto.getRandomValues and crypto.randomUUID
	// reproducible. Zero means fresh randomness.
	Seed uint64
	// Now is the fixed time that Date shows. The zero time means the real clock.
	Now time.Time
	// OnLog gets each console line as it is written: at most 1 000 lines of at most
	// 4 000 characters. OnProgress gets progress reports: percent is 0 to 100; at most
	// 1 000, at least 100 ms apart. Both are called on the goroutine of Run, one at a
	// time, and must not block; what they panic with is logged.
	OnLog      func(level, message string)
	OnProgress func(percent float64, message string)
	// OnEmit takes emitted values in their order, on a goroutine of its own, one at a
	// time. The guest's call settles when it returns, so that a slow consumer slows an
	// awaiting guest down; its error rejects that call. What the guest emitted without
	// waiting is taken before Run returns, unless the run is stopped. ctx ends with the run. Nil
	// collects the values in Result.Emitted.
	OnEmit func(ctx context.Context, name string, v Value) error
}

// Func is a host function that a guest may call. args are the guest's arguments;
// the result is encoded like an input. It runs on a goroutine of its own, at the same
// time as the guest and other calls. ctx ends when the run does, and a Func has to
// return soon after that; SuspendClock works with it. What it returns as an error
// rejects the guest's promise with name and message of the error if it is an *Error
// or a *GuestError, else with its text. A panic rejects with an internal error that
// says nothing about the host, and Run reports it.
type Func func(ctx context.Context, args []Value) (any, error)

// Module is what one specifier stands for: a package of JavaScript files, or functions of
// the host.
type Module struct {
	// Code is the module that the specifier itself means.
	Code string
	// Files are its siblings by path without leading "./", which only files of the
	// same package can import, relatively: "./x" finds x, x.js or x/index.js. Code
	// itself counts as a file at the top.
	Files map[string]string
	// Host makes the module one of asynchronous functions of the host, in the place of
	// Code and Files: each function of the bridge is an export under its name, and the
	// default export is a frozen object with all of them. To put a bridge here grants it; a
	// Grant in Options.Grants gives it a value besides. It can have no Script, and none of
	// its functions can be Sync.
	Host *bridges.Bridge
}
