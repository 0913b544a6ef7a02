// Package quicksand runs JavaScript that nobody trusts, each program in a fresh
// heap, with a hard deadline, a hard memory limit, and only what the host gave it.
//
//	res, err := quicksand.Run(ctx, "return inputs.a + inputs.b", quicksand.Options{
//		Inputs: map[string]any{"a": 1, "b": 2},
//	})
//
// Run uses a sandbox that the process shares; New makes one with its own engine,
// number of heaps and limits. A program is the body of an asynchronous function: it
// returns its result, may await, and may import what Options.Modules and Options.Packs
// hold: modules and functions of the host, and libraries that a modules.Catalog found.
//
// # Errors
//
// Whatever goes wrong is an *Error. Its Kind says whether the program is at fault
// (syntax, guest, stalled, stack, denied), a limit (timeout, cpu, memory, limit), the
// caller (usage, cancelled) or Quicksand (internal); errors.Is compares with the
// sentinels ErrSyntax to ErrInternal. The Result next to it has the logs and usage.
//
// # Values
//
// What enters a guest is copied: data by the rules of encoding/json, extended by the
// types that JSON lacks. What leaves it is a Value, which is decoded on demand.
//
// # Engines
//
// Two engines are behind one interface: QuickJS-NG through cgo, the default on linux,
// and QuickJS in pure Go everywhere. They behave alike but for what DESIGN.md lists.
package quicksand
