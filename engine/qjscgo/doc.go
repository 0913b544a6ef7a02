// Package qjscgo is the engine "cgo": QuickJS-NG 0.15.1, linked through cgo.
//
// New makes the engine. On platforms without it (no cgo, not linux/amd64 or
// linux/arm64, or the build tag purego) the package is empty.
//
// # How it is put together
//
// The engine's C code comes from github.com/buke/quickjs-go, which is imported for
// nothing else: this package declares the part of the C API that it uses in
// qjs_abi.h and talks to it directly. A test compiles that header together with the
// real one, and New checks the version.
//
// Every isolate owns a region of memory (package engine/arena) that holds the whole
// guest heap, and a struct qs beside it that holds what must survive a Reset or must
// not be reachable by a guest. Guest code is bytecode that compiler isolates made;
// the guest's own context has no compiler.
//
// # Leaving the engine
//
// Guest code runs between qs_enter and qs_leave. There a thread may be thrown out of
// the engine by siglongjmp: when the allocator meets the memory limit, when Kill made
// the arena inaccessible and the engine touched it, and when the engine faults by
// itself. Calls into Go leave that state first, so that no Go frame is ever jumped
// over. The arena is garbage afterwards, until Reset copies the image back; nothing
// outside of it is, because the engine neither allocates there nor locks anything.
package qjscgo
