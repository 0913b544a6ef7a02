//go:build cgo && linux && (amd64 || arm64) && !purego

/* See arena.h. The algorithm is described in the Go package engine/arena; a change to
 * one is a change to the other, and the tests compare the addresses they return. */

#include "arena.h"

#include <string.h>

#define WORD 8
#define MIN_BLOCK 32
#define RUN_HEAD sizeof(qs_run)
#define MAGIC UINT64_C(0x31616e6572617371)
#define MAX_LIMIT ((uintptr_t)1 << 46)

#define FREE 1u
#define PREV_FREE 2u
#define RUN 8u
#define MASK ((uintptr_t)15)

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

_Static_assert(sizeof(uintptr_t) == 8, "the arena is for 64-bit targets");
_Static_assert(sizeof(qs_run) == 56, "a slot follows its header at a multiple of 16");

/* (n+7)/16 to class: strides of 16 up to 256, 32 up to 512, 64 up to 1024. */
const uint8_t qs_arena_class_of[64] = {
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
	16, 16, 17, 17, 18, 18, 19, 19, 20, 20, 21, 21, 22, 22, 23, 23,
	24, 24, 24, 24, 25, 25, 25, 25, 26, 26, 26, 26, 27, 27, 27, 27,
	28, 28, 28, 28, 29, 29, 29, 29, 30, 30, 30, 30, 31, 31, 31, 31,
};

static inline uintptr_t *word(uintptr_t a) { return (uintptr_t *)a; }
static inline qs_run *run_at(uintptr_t a) { return (qs_run *)a; }
static inline uintptr_t none(qs_arena *a) { return (uintptr_t)&a->none; }

static inline uintptr_t stride_of(unsigned c)
{
	if (c < 16)
		return 16 * (c + 1);
	if (c < 24)
		return 256 + 32 * (c - 15);
	return 512 + 64 * (c - 23);
}

static inline uintptr_t block_size(size_t n)
{
	uintptr_t s = (n + WORD + 15) & ~MASK;
	return s < MIN_BLOCK ? MIN_BLOCK : s;
}

/* --- free blocks --------------------------------------------------------- */

static inline unsigned bin_of(uintptr_t size)
{
	unsigned l;
	if (size < 256)
		return size >> 4;
	l = 63 - __builtin_clzl(size);
	return (l - 7) * QS_ARENA_SL + (size >> (l - 4) & (QS_ARENA_SL - 1));
}

static void bin(qs_arena *a, uintptr_t b, uintptr_t size)
{
	unsigned i = bin_of(size);
	uintptr_t next = a->bins[i];
	word(b)[0] = size | FREE;
	word(b)[1] = next;
	word(b)[2] = 0;
	*word(b + size - WORD) = size;
	if (next)
		word(next)[2] = b;
	a->bins[i] = b;
	a->flmap |= 1u << i / QS_ARENA_SL;
	a->slmap[i / QS_ARENA_SL] |= 1u << i % QS_ARENA_SL;
}

static void unbin(qs_arena *a, uintptr_t b)
{
	uintptr_t next = word(b)[1], prev = word(b)[2];
	unsigned i;
	if (next)
		word(next)[2] = prev;
	if (prev) {
		word(prev)[1] = next;
		return;
	}
	i = bin_of(*word(b) & ~MASK);
	a->bins[i] = next;
	if (!next && !(a->slmap[i / QS_ARENA_SL] &= ~(1u << i % QS_ARENA_SL)))
		a->flmap &= ~(1u << i / QS_ARENA_SL);
}

static uintptr_t find(qs_arena *a, uintptr_t size)
{
	unsigned i = bin_of(size), fl, sl;
	uintptr_t b = a->bins[i];
	uint32_t m;
	if (b && (*word(b) & ~MASK) >= size)
		return b;
	i++;
	fl = i / QS_ARENA_SL;
	sl = i % QS_ARENA_SL;
	if (fl >= QS_ARENA_FL)
		return 0;
	m = a->slmap[fl] >> sl << sl;
	if (!m) {
		uint32_t above = a->flmap & (uint32_t)(~UINT64_C(0) << (fl + 1));
		if (!above)
			return 0;
		fl = __builtin_ctz(above);
		m = a->slmap[fl];
	}
	return a->bins[fl * QS_ARENA_SL + __builtin_ctz(m)];
}

static inline void raise_top(qs_arena *a, uintptr_t top)
{
	a->top = top;
	if (top > a->high) {
		a->high = top;
		a->nothigh = ~top;
	}
}

static int purge(qs_arena *a);

static uintptr_t take_block(qs_arena *a, uintptr_t size)
{
	uintptr_t b = find(a, size), have;
	if (!b) {
		b = a->top;
		if (b > a->end || size > a->end - b)
			return purge(a) ? take_block(a, size) : 0;
		raise_top(a, b + size);
		*word(b) = size;
		return b;
	}
	unbin(a, b);
	have = *word(b) & ~MASK;
	if (have - size >= MIN_BLOCK) {
		*word(b) = size;
		bin(a, b + size, have - size);
	} else {
		*word(b) = have;
		*word(b + have) &= ~(uintptr_t)PREV_FREE;
	}
	return b;
}

static void give_block(qs_arena *a, uintptr_t b)
{
	uintptr_t head = *word(b), size = head & ~MASK, next = b + size;
	if (head & PREV_FREE) {
		uintptr_t before = *word(b - WORD);
		b -= before;
		size += before;
		unbin(a, b);
	}
	if (next == a->top) {
		a->top = b;
		return;
	}
	head = *word(next);
	if (head & FREE) {
		unbin(a, next);
		next += head & ~MASK;
		size += head & ~MASK;
	}
	*word(next) |= PREV_FREE;
	bin(a, b, size);
}

static void split(qs_arena *a, uintptr_t b, uintptr_t size)
{
	uintptr_t head = *word(b);
	*word(b) = size | (head & MASK);
	*word(b + size) = (head & ~MASK) - size;
	give_block(a, b + size);
}

/* --- accounting ---------------------------------------------------------- */

static inline int take(qs_arena *a, uintptr_t n)
{
	uintptr_t u = a->used + n;
	if (u > a->limit)
		return 0;
	a->used = u;
	if (u > a->peak)
		a->peak = u;
	return 1;
}

int qs_arena_charge(qs_arena *a, size_t n)
{
	if (n > a->limit || !take(a, n)) {
		a->refused = 1;
		return 0;
	}
	a->charged += n;
	return 1;
}

void qs_arena_uncharge(qs_arena *a, size_t n)
{
	a->charged -= n;
	a->used -= n;
}

void qs_arena_set_limit(qs_arena *a, size_t limit, size_t span)
{
	a->limit = limit < MAX_LIMIT ? limit : MAX_LIMIT;
	a->end = (uintptr_t)a + ((span < a->size ? span : a->size) & ~MASK) - 8;
	a->peak = a->used;
}

qs_arena *qs_arena_init(void *base, size_t size)
{
	qs_arena *a = base;
	int i;
	memset(a, 0, sizeof *a);
	a->magic = MAGIC;
	a->size = size;
	a->top = (uintptr_t)base + ((sizeof *a + 15) & ~MASK) + 8;
	a->high = a->top;
	a->nothigh = ~a->top;
	for (i = 0; i < QS_ARENA_CLASSES; i++)
		a->cur[i] = none(a);
	qs_arena_set_limit(a, size, size);
	return a;
}

/* out is where every request ends that does not fit. */
static void *out(qs_arena *a, size_t n)
{
	if (n >= QS_ARENA_BIG)
		a->refused = 1;
	else if (a->on_oom)
		a->on_oom(a->owner);
	return NULL;
}

/* --- small requests ------------------------------------------------------ */

static void list(qs_arena *a, uintptr_t addr)
{
	qs_run *r = run_at(addr);
	r->listed = 1;
	r->prev = 0;
	r->next = a->cur[r->cls];
	if (r->next != none(a))
		run_at(r->next)->prev = addr;
	a->cur[r->cls] = addr;
}

static int new_run(qs_arena *a, unsigned c)
{
	uintptr_t stride = stride_of(c), slots, b, addr;
	qs_run *r;
	slots = (((uintptr_t)1024 << (a->nruns[c] < 4 ? a->nruns[c] : 4)) - RUN_HEAD - WORD) / stride;
	if (slots < 4)
		slots = 4;
	b = take_block(a, WORD + RUN_HEAD + slots * stride);
	if (!b) {
		slots = 1;
		b = take_block(a, WORD + RUN_HEAD + stride);
		if (!b)
			return 0;
	}
	*word(b) |= RUN;
	addr = b + WORD;
	r = run_at(addr);
	r->free = 0;
	r->stride = stride;
	r->live = 0;
	r->bump = addr + RUN_HEAD;
	r->end = addr + RUN_HEAD + slots * stride;
	r->cls = c;
	a->runs++;
	a->run_bytes += *word(b) & ~MASK;
	a->nruns[c]++;
	list(a, addr);
	return 1;
}

/* release gives an empty run that is listed back. */
static void release(qs_arena *a, uintptr_t addr)
{
	qs_run *r = run_at(addr);
	uintptr_t b = addr - WORD;
	if (r->prev)
		run_at(r->prev)->next = r->next;
	else
		a->cur[r->cls] = r->next;
	if (r->next != none(a))
		run_at(r->next)->prev = r->prev;
	a->runs--;
	a->run_bytes -= *word(b) & ~MASK;
	a->nruns[r->cls]--;
	give_block(a, b);
}

void qs_arena_free_edge(qs_arena *a, qs_run *r)
{
	if (!r->listed)
		list(a, (uintptr_t)r);
	/* The last run of a class stays, lest one object make and break it. */
	if (!r->live && (r->next != none(a) || r->prev))
		release(a, (uintptr_t)r);
}

/* purge gives back the empty runs that were kept. */
static int purge(qs_arena *a)
{
	int c, some = 0;
	for (c = 0; c < QS_ARENA_CLASSES; c++) {
		uintptr_t addr = a->cur[c];
		while (addr != none(a)) {
			uintptr_t next = run_at(addr)->next;
			if (!run_at(addr)->live) {
				release(a, addr);
				some = 1;
			}
			addr = next;
		}
	}
	return some;
}

static void *alloc_small(qs_arena *a, unsigned c)
{
	if (a->used + stride_of(c) > a->limit)
		return NULL;
	for (;;) {
		uintptr_t addr = a->cur[c], p;
		qs_run *r = run_at(addr);
		if ((p = r->free)) {
			r->free = *word(p);
		} else if (r->bump != r->end) {
			*word(r->bump) = addr | QS_ARENA_SLOT;
			p = r->bump + WORD;
			r->bump += r->stride;
		} else if (addr == none(a)) {
			if (!new_run(a, c))
				return NULL;
			continue;
		} else {
			r->listed = 0;
			a->cur[c] = r->next;
			if (r->next != none(a))
				run_at(r->next)->prev = 0;
			continue;
		}
		take(a, r->stride);
		r->live++;
		return (void *)p;
	}
}

/* --- large requests ------------------------------------------------------ */

static void *alloc_large(qs_arena *a, size_t n)
{
	uintptr_t need, b;
	if (n > a->limit)
		return NULL;
	need = block_size(n);
	if (a->used + need > a->limit)
		return NULL;
	b = take_block(a, need);
	if (!b)
		return NULL;
	if (!take(a, *word(b) & ~MASK)) {
		give_block(a, b);
		return NULL;
	}
	return (void *)(b + WORD);
}

void qs_arena_free_large(qs_arena *a, void *p)
{
	uintptr_t b = (uintptr_t)p - WORD;
	a->used -= *word(b) & ~MASK;
	give_block(a, b);
}

static int resize(qs_arena *a, uintptr_t b, size_t n)
{
	uintptr_t have, need, next, head, room, got;
	if (n > a->limit)
		return 0;
	have = *word(b) & ~MASK;
	need = block_size(n);
	if (need <= have) {
		if (have - need >= MIN_BLOCK) {
			split(a, b, need);
			a->used -= have - need;
		}
		return 1;
	}
	if (a->used + need - have > a->limit)
		return 0;
	next = b + have;
	if (next == a->top) {
		if (b > a->end || need > a->end - b)
			return 0;
		raise_top(a, b + need);
		*word(b) += need - have;
		return take(a, need - have);
	}
	head = *word(next);
	room = have + (head & ~MASK);
	if (!(head & FREE) || room < need)
		return 0;
	got = need;
	if (room - need < MIN_BLOCK) {
		got = room;
		if (a->used + got - have > a->limit)
			return 0;
	}
	unbin(a, next);
	*word(b) += room - have;
	*word(b + room) &= ~(uintptr_t)PREV_FREE;
	if (got != room)
		split(a, b, need);
	return take(a, got - have);
}

/* --- the interface ------------------------------------------------------- */

static void *alloc(qs_arena *a, size_t n)
{
	return n <= QS_ARENA_SMALL ? alloc_small(a, qs_arena_class_of[(n + 7) >> 4]) : alloc_large(a, n);
}

void *qs_arena_alloc_slow(qs_arena *a, size_t n)
{
	void *p = alloc(a, n);
	return likely(p != NULL) ? p : out(a, n);
}

void *qs_arena_calloc(qs_arena *a, size_t count, size_t size)
{
	size_t n, dirty;
	uintptr_t fresh = a->high, p;
	if (__builtin_mul_overflow(count, size, &n)) {
		a->refused = 1;
		return NULL;
	}
	p = (uintptr_t)qs_arena_alloc(a, n);
	if (!p)
		return NULL;
	/* What lies above the high water was never written. */
	dirty = n;
	if (n > QS_ARENA_SMALL && p + n > fresh) {
		if (p >= fresh)
			return (void *)p;
		dirty = fresh - p;
	}
	return memset((void *)p, 0, dirty);
}

void *qs_arena_realloc(qs_arena *a, void *p, size_t n)
{
	uintptr_t head;
	size_t have;
	void *q;
	if (!n) {
		qs_arena_free(a, p);
		return NULL;
	}
	if (!p)
		return qs_arena_alloc(a, n);
	head = ((uintptr_t *)p)[-1];
	if (head & QS_ARENA_SLOT) {
		qs_run *r = run_at(head & ~MASK);
		have = r->stride - WORD;
		if (n <= QS_ARENA_SMALL && qs_arena_class_of[(n + 7) >> 4] == r->cls)
			return p;
	} else {
		have = (head & ~MASK) - WORD;
		if (resize(a, (uintptr_t)p - WORD, n))
			return p;
	}
	a->used -= have + WORD; /* only one of both counts, see the Go side */
	q = alloc(a, n);
	a->used += have + WORD;
	if (!q)
		return n <= have ? p : out(a, n); /* a smaller block that does not fit is no reason to fail */
	memcpy(q, p, have < n ? have : n);
	qs_arena_free(a, p);
	return q;
}
