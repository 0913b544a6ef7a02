/*
 * The allocator of package engine/arena in C. Same algorithm, same metadata, same
 * addresses for the same sequence of requests: the struct below is field for field
 * the Go type arena.Heap, so that Go maps and protects the region, takes and
 * restores the image and checks consistency, and C allocates.
 *
 *   - One arena is one contiguous region, mapped by the caller, readable,
 *     writable and zero. All metadata is inside, at its base: qs_arena * is the
 *     region's base address.
 *   - One thread at a time. No locks, no libc state: a thread may be unwound out of
 *     any of these functions (longjmp) when the image is restored afterwards.
 *   - Everything returned is aligned to 16.
 *
 * At the limit a request below QS_ARENA_BIG calls on_oom(owner), which should not
 * return; when it returns or is NULL, the request yields NULL. A request of
 * QS_ARENA_BIG bytes and more yields NULL and sets the refused flag.
 */
#ifndef QS_ARENA_H
#define QS_ARENA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define QS_ARENA_BIG ((size_t)1 << 20) /* from here on a request may fail */
#define QS_ARENA_SMALL 1016            /* largest request served from size classes */
#define QS_ARENA_CLASSES 32
#define QS_ARENA_FL 32 /* first level bins: powers of two */
#define QS_ARENA_SL 16 /* second level bins: steps of an octave */

/* A run: one block of the large allocator cut into slots of one class. */
typedef struct qs_run {
	uintptr_t free;   /* list of free slots through their first word */
	uint32_t stride;  /* bytes from slot to slot, slot header included */
	uint32_t live;    /* slots handed out */
	uintptr_t bump;   /* header of the first slot that was never used */
	uintptr_t end;    /* end of the slots */
	uintptr_t next;   /* list of the class's runs that may have room */
	uintptr_t prev;
	uint32_t cls;
	uint32_t listed;
} qs_run;

typedef struct qs_arena {
	uint64_t magic;
	uintptr_t size;    /* bytes of the region */
	uintptr_t used;    /* bytes in use, block headers and charges included */
	uintptr_t peak;    /* largest used since the last reset of the peak */
	uintptr_t limit;   /* used never exceeds it */
	uintptr_t charged; /* part of used that lies outside of the region */
	uintptr_t end;     /* address which no block crosses */
	uintptr_t top;     /* address where the never split rest begins */
	uintptr_t high;    /* largest top; from here on every byte is zero */
	uintptr_t nothigh; /* ~high: tells a trampled header from a sound one */
	uint64_t refused;  /* a request of QS_ARENA_BIG and more was refused */
	uintptr_t runs;    /* runs now */
	uintptr_t run_bytes; /* bytes of the blocks that runs occupy */
	void (*on_oom)(void *owner); /* not used by the Go side */
	void *owner;
	uintptr_t counter; /* free for the owner's use */
	uintptr_t cur[QS_ARENA_CLASSES];    /* first run of each class's list */
	uint32_t nruns[QS_ARENA_CLASSES];   /* runs of each class */
	qs_run none;                        /* stands for an empty list */
	uint32_t flmap;
	uint32_t pad;
	uint32_t slmap[QS_ARENA_FL];
	uintptr_t bins[QS_ARENA_FL * QS_ARENA_SL];
} qs_arena;

extern const uint8_t qs_arena_class_of[64];

/* qs_arena_init makes an empty heap at base, which is page aligned and has size
 * zero bytes (at least 64 KB). Limit and span are the whole region. */
qs_arena *qs_arena_init(void *base, size_t size);

/* qs_arena_on_oom sets what is called when a small request does not fit. It is part
 * of the image: set it before the image is taken. */
static inline void qs_arena_on_oom(qs_arena *a, void (*fn)(void *), void *owner)
{
	a->on_oom = fn;
	a->owner = owner;
}

/* qs_arena_set_limit bounds the used bytes by limit and the highest address by
 * base+span, and resets the peak. Restoring an image brings the image's own limit
 * back: set it again afterwards. */
void qs_arena_set_limit(qs_arena *a, size_t limit, size_t span);

/* malloc family. alloc(0) is the smallest block; realloc(p, 0) frees and returns
 * NULL; calloc checks for overflow. A failed realloc leaves p as it was; the
 * limit applies to the difference, whether or not the block moves. usable is
 * what fits into the block, at least what was asked; usable(NULL) is 0. */
static inline void *qs_arena_alloc(qs_arena *a, size_t n);
static inline void qs_arena_free(qs_arena *a, void *p);
void *qs_arena_calloc(qs_arena *a, size_t count, size_t size);
void *qs_arena_realloc(qs_arena *a, void *p, size_t n);
static inline size_t qs_arena_usable(const void *p);

/* qs_arena_charge counts n bytes that lie outside of the region against the limit
 * and returns 0 when they do not fit (refused is set then, whatever n is; on_oom is
 * not called). qs_arena_uncharge takes them off again. */
int qs_arena_charge(qs_arena *a, size_t n);
void qs_arena_uncharge(qs_arena *a, size_t n);

static inline size_t qs_arena_used(const qs_arena *a) { return a->used; }
static inline size_t qs_arena_peak(const qs_arena *a) { return a->peak; }
static inline size_t qs_arena_limit(const qs_arena *a) { return a->limit; }
static inline int qs_arena_refused(const qs_arena *a) { return a->refused != 0; }
static inline void qs_arena_reset_peak(qs_arena *a) { a->peak = a->used; }
/* qs_arena_high_water is the end of the prefix that was ever in use, from the base. */
static inline size_t qs_arena_high_water(const qs_arena *a) { return a->high - (uintptr_t)a; }

/* --- the hot paths ------------------------------------------------------- */

#define QS_ARENA_SLOT 4u /* flag in the word before a slot; the rest is the run */

void *qs_arena_alloc_slow(qs_arena *a, size_t n);
void qs_arena_free_large(qs_arena *a, void *p);
void qs_arena_free_edge(qs_arena *a, qs_run *r);

static inline void *qs_arena_alloc(qs_arena *a, size_t n)
{
	if (__builtin_expect(n <= QS_ARENA_SMALL, 1)) {
		qs_run *r = (qs_run *)a->cur[qs_arena_class_of[(n + 7) >> 4]];
		uintptr_t p = r->free;
		size_t used = a->used + r->stride;
		if (__builtin_expect(p != 0 && used <= a->limit, 1)) {
			a->used = used;
			if (used > a->peak)
				a->peak = used;
			r->free = *(uintptr_t *)p;
			r->live++;
			return (void *)p;
		}
	}
	return qs_arena_alloc_slow(a, n);
}

static inline void qs_arena_free(qs_arena *a, void *p)
{
	uintptr_t h;
	qs_run *r;
	if (!p)
		return;
	h = ((uintptr_t *)p)[-1];
	if (__builtin_expect(!(h & QS_ARENA_SLOT), 0)) {
		qs_arena_free_large(a, p);
		return;
	}
	r = (qs_run *)(h & ~(uintptr_t)15);
	*(uintptr_t *)p = r->free;
	r->free = (uintptr_t)p;
	a->used -= r->stride;
	if (__builtin_expect(--r->live == 0 || !r->listed, 0))
		qs_arena_free_edge(a, r);
}

static inline size_t qs_arena_usable(const void *p)
{
	uintptr_t h;
	if (!p)
		return 0;
	h = ((const uintptr_t *)p)[-1];
	if (h & QS_ARENA_SLOT)
		return ((qs_run *)(h & ~(uintptr_t)15))->stride - 8;
	return (h & ~(uintptr_t)15) - 8;
}

#ifdef __cplusplus
}
#endif
#endif
