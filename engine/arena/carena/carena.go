//go:build cgo && linux && (amd64 || arm64) && !purego

// Package carena is the allocator of package arena in C, for engines in C. It is
// built where the cgo engine is. Engines include arena.h and call the C functions;
// what the package exports to Go exists for tests, for benchmarks and to make a heap
// in a region. Everything that is not allocation (mapping, protection, images, the
// consistency check) is package arena's, on the same metadata.
package carena

/*
#cgo CFLAGS: -O2 -fno-strict-aliasing
#include <setjmp.h>

#include "arena.h"

static void *wrap_alloc(qs_arena *a, size_t n) { return qs_arena_alloc(a, n); }
static void wrap_free(qs_arena *a, uintptr_t p) { qs_arena_free(a, (void *)p); }
static size_t wrap_usable(uintptr_t p) { return qs_arena_usable((void *)p); }
static void *wrap_realloc(qs_arena *a, uintptr_t p, size_t n) { return qs_arena_realloc(a, (void *)p, n); }
static void count_oom(void *owner) { ++*(uintptr_t *)owner; }
static void wrap_count_oom(qs_arena *a) { qs_arena_on_oom(a, count_oom, &a->counter); }
typedef struct way_out { jmp_buf jb; } way_out;
static void jump_out(void *owner) { longjmp(((way_out *)owner)->jb, 1); }
static int wrap_exhaust(qs_arena *a, size_t n)
{
	way_out w;
	if (setjmp(w.jb))
		return 1;
	qs_arena_on_oom(a, jump_out, &w);
	while (qs_arena_alloc(a, n))
		;
	return 0;
}
static uintptr_t wrap_counter(qs_arena *a) { return a->counter; }
*/
import "C"

import (
	"unsafe"

	"quicksand/engine/arena"
)

// The two sides must agree on the metadata; either line fails to compile when their
// sizes differ.
var (
	_ [C.sizeof_qs_arena - unsafe.Sizeof(arena.Heap{})]byte
	_ [unsafe.Sizeof(arena.Heap{}) - C.sizeof_qs_arena]byte
)

// A Heap is a C heap at the base of a region. One goroutine at a time may use it.
// arena.At of the same region reads its counters and checks it.
type Heap struct {
	a *C.qs_arena
}

// Init makes an empty heap at the base of r, whose bytes must be zero. Limit and span
// are the whole region.
func Init(r *arena.Region) Heap {
	return Heap{C.qs_arena_init(unsafe.Pointer(unsafe.SliceData(r.Bytes(0, r.Size()))), C.size_t(r.Size()))}
}

// Pointer is the qs_arena of the heap, for C.
func (h Heap) Pointer() unsafe.Pointer { return unsafe.Pointer(h.a) }

// Alloc is qs_arena_alloc.
func (h Heap) Alloc(n uintptr) uintptr { return uintptr(C.wrap_alloc(h.a, C.size_t(n))) }

// Calloc is qs_arena_calloc.
func (h Heap) Calloc(count, size uintptr) uintptr {
	return uintptr(C.qs_arena_calloc(h.a, C.size_t(count), C.size_t(size)))
}

// Realloc is qs_arena_realloc.
func (h Heap) Realloc(p, n uintptr) uintptr {
	return uintptr(C.wrap_realloc(h.a, C.uintptr_t(p), C.size_t(n)))
}

// Free is qs_arena_free.
func (h Heap) Free(p uintptr) { C.wrap_free(h.a, C.uintptr_t(p)) }

// Usable is qs_arena_usable.
func (h Heap) Usable(p uintptr) uintptr { return uintptr(C.wrap_usable(C.uintptr_t(p))) }

// SetLimit is qs_arena_set_limit.
func (h Heap) SetLimit(limit, span uintptr) {
	C.qs_arena_set_limit(h.a, C.size_t(limit), C.size_t(span))
}

// Charge is qs_arena_charge.
func (h Heap) Charge(n uintptr) bool { return C.qs_arena_charge(h.a, C.size_t(n)) != 0 }

// Uncharge is qs_arena_uncharge.
func (h Heap) Uncharge(n uintptr) { C.qs_arena_uncharge(h.a, C.size_t(n)) }

// Used is qs_arena_used.
func (h Heap) Used() uintptr { return uintptr(C.qs_arena_used(h.a)) }

// CountOOM makes the heap count its calls of on_oom, which OOMs returns, instead of
// leaving.
func (h Heap) CountOOM() { C.wrap_count_oom(h.a) }

// Exhaust allocates n bytes at a time until memory runs out, and reports whether
// on_oom left the allocator then (by longjmp).
func (h Heap) Exhaust(n uintptr) bool { return C.wrap_exhaust(h.a, C.size_t(n)) != 0 }

// OOMs is the number of calls of on_oom since CountOOM or since the image was taken.
func (h Heap) OOMs() int { return int(C.wrap_counter(h.a)) }
