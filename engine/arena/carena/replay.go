//go:build cgo && linux && (amd64 || arm64) && !purego

package carena

/*
#include <stdlib.h>

#include "arena.h"

typedef struct op { uint32_t slot, size; } op;

#define REPLAY(name, ALLOC, FREE, REALLOC) \
	static void name(qs_arena *a, const op *ops, size_t n, void **slots) \
	{ \
		size_t i; \
		for (i = 0; i < n; i++) { \
			void **s = &slots[ops[i].slot]; \
			size_t size = ops[i].size; \
			if (!size) { \
				FREE; \
				*s = NULL; \
			} else if (*s) { \
				*s = REALLOC; \
			} else if ((*s = ALLOC)) { \
				*(size_t *)*s = size; \
			} \
		} \
	}

REPLAY(replay_arena, qs_arena_alloc(a, size), qs_arena_free(a, *s), qs_arena_realloc(a, *s, size))
REPLAY(replay_libc, malloc(size), free(*s), realloc(*s, size))
*/
import "C"

import "unsafe"

// A Replayer runs traces without crossing into C for each request, for benchmarks.
type Replayer struct {
	a     *C.qs_arena
	ops   *C.op
	n     int
	slots *unsafe.Pointer
}

// NewReplayer copies ops to C memory, which Close frees. Its slots are empty. The type of
// ops is arenatest.Op, written out because what links this package must not link tests.
func NewReplayer[Op ~struct{ Slot, Size uint32 }](h Heap, ops []Op, slots int) *Replayer {
	p := C.malloc(C.size_t(len(ops)) * 8)
	copy(unsafe.Slice((*Op)(p), len(ops)), ops)
	return &Replayer{h.a, (*C.op)(p), len(ops), (*unsafe.Pointer)(C.calloc(C.size_t(slots), 8))}
}

// Arena runs the trace on the heap.
func (r *Replayer) Arena() { C.replay_arena(r.a, r.ops, C.size_t(r.n), r.slots) }

// Libc runs the trace on malloc.
func (r *Replayer) Libc() { C.replay_libc(r.a, r.ops, C.size_t(r.n), r.slots) }

// Close frees the trace.
func (r *Replayer) Close() {
	C.free(unsafe.Pointer(r.ops))
	C.free(unsafe.Pointer(r.slots))
}
