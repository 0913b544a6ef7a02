// Package qjspure is the engine in pure Go: QuickJS (Bellard's lineage, release
// 2026-06-04) as transpiled by modernc.org/libquickjs, driven through its C API.
//
// # Memory
//
// An isolate owns one arena.Region. The engine's runtime allocates through functions
// of this package, which work on the arena.Heap at the region's base, so that
// copying the region's prefix away and back resets everything. The engine never gets
// an address of Go memory: a goroutine's stack moves, and the race detector's pointer
// checks refuse it. Text that the C API takes is staged in memory of modernc.org/libc;
// values are built in place by this package.
//
// # Heap layout
//
// The wire encoder and decoder read and write strings, plain objects, arrays and
// buffers directly in the guest's heap. The layout is that of the pinned version of
// libquickjs and the same on all 64-bit platforms; layout.go holds all of it.
//
// # Leaving the engine
//
// At the memory limit the allocator panics past the engine's frames. Kill protects the
// region, so that the engine faults at its next heap access; the goroutine runs under
// debug.SetPanicOnFault and the fault is recovered at the border. Calls into the host
// are bracketed: a kill that arrives meanwhile takes effect when the host returns.
//
// # Stack
//
// The engine counts frames of its emulated thread, not bytes. Settings.Stack maps to
// one frame per 512 bytes, at least 64 and at most 2,000: 512 KiB give 1,024, 1 MB
// gives 2,000, in both cases somewhat more depth than QuickJS-NG has in as many bytes.
// More would not help: an overflow records every frame in the error's stack, which
// makes a guest that overflows and retries slow.
package qjspure
