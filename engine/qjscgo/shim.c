//go:build cgo && linux && (amd64 || arm64) && !purego

#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "_cgo_export.h"

static const JSValue undefined = {{.int32 = 0}, JS_TAG_UNDEFINED};
static const JSValue exception = {{.int32 = 0}, JS_TAG_EXCEPTION};

static inline int32_t load(int32_t *p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }
static inline void store(int32_t *p, int32_t v) { __atomic_store_n(p, v, __ATOMIC_SEQ_CST); }
static inline int swap_if(int32_t *p, int32_t from, int32_t to)
{
	return __atomic_compare_exchange_n(p, &from, to, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static int64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int qs_reserve(qs_buf *b, size_t n)
{
	size_t cap = b->cap ? b->cap : 256;
	uint8_t *p;
	if (n <= b->cap)
		return 1;
	while (cap < n)
		cap += cap / 2 + 64;
	p = realloc(b->p, cap);
	if (!p)
		return 0;
	b->p = p;
	b->cap = cap;
	return 1;
}

static void set_text(qs_buf *b, const char *s, size_t n)
{
	b->n = 0;
	if (!qs_reserve(b, n + 1))
		return;
	memcpy(b->p, s, n);
	b->p[n] = 0;
	b->n = n;
}

static void drop_buf(qs_buf *b)
{
	free(b->p);
	memset(b, 0, sizeof *b);
}

/* --- leaving the engine ---------------------------------------------------- */

/* The innermost entry of this thread. Entries nest when a Go function which a guest
 * called runs another isolate. Frames live in qs structs, not on the stack. */
static __thread qs_frame *top __attribute__((tls_model("initial-exec")));
static __thread uintptr_t stack_low __attribute__((tls_model("initial-exec")));

static struct sigaction old_action[NSIG];
static const int fault_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT};

static void chain(int sig, siginfo_t *si, void *uc)
{
	struct sigaction *old = &old_action[sig];
	if (old->sa_flags & SA_SIGINFO) {
		old->sa_sigaction(sig, si, uc);
	} else if (old->sa_handler == SIG_DFL) {
		sigaction(sig, old, NULL); /* the fault repeats and ends the process */
		if (si->si_code <= 0)
			raise(sig);
	} else if (old->sa_handler != SIG_IGN) {
		old->sa_handler(sig);
	}
}

/* Everything a fault in the engine may leave behind lies in the arena: libc functions
 * which lock are never given arena memory while they hold the lock. */
static void on_fault(int sig, siginfo_t *si, void *uc)
{
	qs_frame *f = top;
	int32_t state;
	qs *q;
	/* A fault of this thread's own code; abort() sends its signal to the thread. */
	int own = sig == SIGABRT ? si->si_code == SI_TKILL && si->si_pid == getpid() : si->si_code > 0;
	if (!f || !own) {
		chain(sig, si, uc);
		return;
	}
	q = f->q;
	state = load(&q->state);
	if (state != QS_RUN && state != QS_KILL && state != QS_DEAD) {
		chain(sig, si, uc);
		return;
	}
	int inside = (uintptr_t)si->si_addr - (uintptr_t)q->arena < q->size;
	int how = state != QS_RUN && inside && (sig == SIGSEGV || sig == SIGBUS) ? QS_JUMP_KILL : QS_JUMP_FAULT;
	if (how == QS_JUMP_FAULT) {
		q->fault_signal = sig;
		q->fault_addr = sig == SIGABRT ? 0 : (uintptr_t)si->si_addr;
	}
	pthread_sigmask(SIG_SETMASK, &((ucontext_t *)uc)->uc_sigmask, NULL);
	siglongjmp(f->jb, how);
}

static void on_oom(void *owner)
{
	qs *q = owner;
	if (top && top->q == q)
		siglongjmp(top->jb, QS_JUMP_OOM);
	abort();
}

void qs_init(void)
{
	struct sigaction sa;
	memset(&sa, 0, sizeof sa);
	sa.sa_sigaction = on_fault;
	sa.sa_flags = SA_SIGINFO | SA_ONSTACK;
	sigfillset(&sa.sa_mask);
	for (size_t i = 0; i < sizeof fault_signals / sizeof *fault_signals; i++)
		sigaction(fault_signals[i], &sa, &old_action[fault_signals[i]]);
}

static uintptr_t find_stack_low(void)
{
	pthread_attr_t attr;
	void *low = NULL;
	size_t size, guard = 0;
	if (pthread_getattr_np(pthread_self(), &attr) == 0) {
		if (pthread_attr_getstack(&attr, &low, &size) != 0)
			low = NULL;
		pthread_attr_getguardsize(&attr, &guard);
		pthread_attr_destroy(&attr);
	}
	return low ? (uintptr_t)low + guard : 1;
}

/* What native functions of the engine and Go's own use of this stack may need beyond
 * the point where the engine last checks. */
#define STACK_MARGIN (160 << 10)

static void begin(qs *q)
{
	uintptr_t sp = (uintptr_t)__builtin_frame_address(0), room;
	size_t stack = q->stack;
	if (!stack_low)
		stack_low = find_stack_low();
	room = sp - stack_low;
	room = room > STACK_MARGIN ? room - STACK_MARGIN : 1;
	if (stack > room)
		stack = room;
	q->entered = now_ns();
	q->frame.q = q;
	q->frame.prev = top;
	top = &q->frame;
	store(&q->state, QS_RUN);
	if (q->rt) {
		JS_SetMaxStackSize(q->rt, stack);
		JS_UpdateStackTop(q->rt);
	}
}

static int stopped(qs *q, int kind)
{
	q->kind = kind;
	q->failure.n = 0;
	return QS_STOPPED;
}

#define NEAR_NULL (1 << 20)

static int landed(qs *q, int how)
{
	top = q->frame.prev;
	for (;;) {
		int32_t s = load(&q->state);
		if (s == QS_DEAD)
			break;
		if (s == QS_KILL)
			sched_yield();
		else if (swap_if(&q->state, s, QS_DEAD))
			break;
	}
	if (load(&q->protect)) {
		mprotect(q->arena, q->size, PROT_READ | PROT_WRITE);
		store(&q->protect, 0);
	}
	q->linking = 0;
	q->reply_depth = 0;
	qs_wire_unwound(q);
	/* Some places of the engine do not survive it when a large request is refused;
	 * all they did was in the arena. Which is read last: it may be what faulted. */
	if (how == QS_JUMP_FAULT && q->fault_addr < NEAR_NULL &&
	    (q->fault_signal == SIGSEGV || q->fault_signal == SIGABRT) && qs_arena_refused(q->arena))
		how = QS_JUMP_OOM;
	return stopped(q, how == QS_JUMP_KILL ? QS_KILLED : how == QS_JUMP_OOM ? QS_MEMORY : QS_FAULT);
}

static int leave(qs *q, int status)
{
	if (!swap_if(&q->state, QS_RUN, QS_IDLE))
		return landed(q, QS_JUMP_KILL);
	top = q->frame.prev;
	if (load(&q->interrupt))
		return stopped(q, QS_INTERRUPTED);
	return status;
}

/* Refuses an entry after the run was stopped. */
static int refused(qs *q)
{
	return load(&q->state) != QS_IDLE; /* q->kind says why */
}

/* The flag is looked at after the state is RUN: Kill sets the flag and then looks at
 * the state, so that one of the two sees the other. */
#define ENTER(q)                                     \
	do {                                             \
		int how_;                                    \
		if (refused(q))                              \
			return QS_STOPPED;                       \
		how_ = sigsetjmp((q)->frame.jb, 0);          \
		if (__builtin_expect(how_ != 0, 0))          \
			return landed(q, how_);                  \
		begin(q);                                    \
		if (load(&(q)->interrupt))                   \
			return leave(q, QS_STOPPED);             \
	} while (0)

/* Every call into Go runs between up and down. */
static void up(qs *q)
{
	if (swap_if(&q->state, QS_RUN, QS_HOST))
		return;
	while (load(&q->state) == QS_KILL)
		sched_yield();
	siglongjmp(q->frame.jb, QS_JUMP_KILL);
}

static void down(qs *q)
{
	if (swap_if(&q->state, QS_HOST, QS_RUN))
		return;
	store(&q->state, QS_DEAD);
	siglongjmp(q->frame.jb, QS_JUMP_KILL);
}

void qs_kill(qs *q)
{
	store(&q->interrupt, 1);
	for (;;) {
		int32_t s = load(&q->state);
		if (s == QS_RUN) {
			if (!swap_if(&q->state, QS_RUN, QS_KILL))
				continue;
			store(&q->protect, 1);
			mprotect(q->arena, q->size, PROT_NONE);
			store(&q->state, QS_DEAD);
			return;
		}
		if (s == QS_HOST) {
			if (!swap_if(&q->state, QS_HOST, QS_KILLHOST))
				continue;
			return;
		}
		return;
	}
}

/* Go is about to unwind this thread's C frames itself (runtime.Goexit in a host
 * method): forget them. */
void qs_abandon(qs *q)
{
	top = q->frame.prev;
	q->kind = QS_FAULT;
	store(&q->state, QS_DEAD);
}

/* --- small helpers ---------------------------------------------------------- */

static qs *qs_of(JSContext *ctx) { return JS_GetContextOpaque(ctx); }

static inline int is_exception(JSValue v) { return v.tag == JS_TAG_EXCEPTION; }

static JSValue new_number(double d)
{
	JSValue v;
	if (d >= -2147483648.0 && d <= 2147483647.0 && d == (double)(int32_t)d && !(d == 0 && signbit(d))) {
		v.u.ptr = NULL;
		v.u.int32 = (int32_t)d;
		v.tag = JS_TAG_INT;
	} else {
		v.u.float64 = d;
		v.tag = JS_TAG_FLOAT64;
	}
	return v;
}

JSValue qs_no_memory(qs *q) { return JS_ThrowInternalError(q->ctx, "out of memory"); }

JSValue qs_hook(qs *q, int hook, int argc, JSValueConst *argv)
{
	return JS_Call(q->ctx, q->hook[hook], undefined, argc, argv);
}

/* throw_message throws an error whose message may be longer than the engine's own
 * formatting buffer. */
static JSValue throw_message(JSContext *ctx, const char *s, size_t n)
{
	JSValue e = JS_NewTypeError(ctx, "%s", ""), m;
	if (is_exception(e))
		return e;
	m = JS_NewStringLen(ctx, s, n);
	if (is_exception(m)) {
		JS_FreeValue(ctx, e);
		return m;
	}
	JS_DefinePropertyValueStr(ctx, e, "message", m, JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE);
	return JS_Throw(ctx, e);
}

static void drop_exception(JSContext *ctx) { JS_FreeValue(ctx, JS_GetException(ctx)); }

static int on_interrupt(JSRuntime *rt, void *opaque)
{
	qs *q = opaque;
	if (load(&q->interrupt))
		return 1;
	if (__builtin_expect(q->nqueue != 0, 0) && q->has_host && now_ns() - q->entered > 1000000) {
		up(q);
		qsgoFlush(q->index);
		down(q);
		return load(&q->interrupt);
	}
	return 0;
}

/* --- modules ---------------------------------------------------------------- */

uint8_t *qs_name_buffer(qs *q, size_t n)
{
	q->import_name.n = 0;
	if (!qs_reserve(&q->import_name, n + 1))
		return NULL;
	q->import_name.n = n;
	q->import_name.p[n] = 0;
	return q->import_name.p;
}

static char *normalize(JSContext *ctx, const char *base, const char *name, void *opaque)
{
	qs *q = opaque;
	if (q->compiler)
		return js_strdup(ctx, name);
	if (!q->linking) {
		static const char before[] = "dynamic import() of \"";
		static const char after[] = "\" is not available in the sandbox: write a static import at the top of the program, import … from \"";
		size_t n = strnlen(name, 200);
		char msg[sizeof before + sizeof after + 2 * 200 + 8], *p = msg;
		while (n > 0 && n == 200 && (name[n] & 0xc0) == 0x80)
			n--;
		p = mempcpy(p, before, sizeof before - 1);
		p = mempcpy(p, name, n);
		p = mempcpy(p, after, sizeof after - 1);
		p = mempcpy(p, name, n);
		*p++ = '"';
		throw_message(ctx, msg, p - msg);
		return NULL;
	}
	q->base = base;
	q->specifier = name;
	q->import_kind = QS_IMPORT_ERROR;
	q->import_name.n = 0;
	up(q);
	qsgoResolve(q->index);
	down(q);
	if (q->import_kind == QS_IMPORT_ERROR) {
		throw_message(ctx, q->import_name.p ? (char *)q->import_name.p : "", q->import_name.n);
		return NULL;
	}
	return js_strdup(ctx, (char *)q->import_name.p);
}

static int no_init(JSContext *ctx, JSModuleDef *m) { return 0; }

/* facade_exports goes through what the hook facade returned, names and values in turn,
 * to declare the exports of m or to give them their values. */
static int facade_exports(JSContext *ctx, JSModuleDef *m, JSValueConst list, int declare)
{
	int64_t n;
	if (JS_GetLength(ctx, list, &n) < 0)
		return -1;
	for (int64_t i = 0; i + 1 < n; i += 2) {
		JSValue v = JS_GetPropertyInt64(ctx, list, i);
		const char *name = is_exception(v) ? NULL : JS_ToCStringLen2(ctx, NULL, v, 0);
		int r;
		JS_FreeValue(ctx, v);
		if (!name)
			return -1;
		if (declare) {
			r = JS_AddModuleExport(ctx, m, name);
		} else {
			v = JS_GetPropertyInt64(ctx, list, i + 1);
			r = is_exception(v) ? -1 : JS_SetModuleExport(ctx, m, name, v);
		}
		JS_FreeCString(ctx, name);
		if (r < 0)
			return -1;
	}
	return 0;
}

static int init_facade(JSContext *ctx, JSModuleDef *m)
{
	JSValue list = JS_GetModulePrivateValue(ctx, m);
	int r = facade_exports(ctx, m, list, 0);
	JS_FreeValue(ctx, list);
	return r;
}

/* Host functions are made when the module is loaded, before any guest code runs. */
static JSModuleDef *new_facade(qs *q, const char *name)
{
	JSContext *ctx = q->ctx;
	JSModuleDef *m;
	JSValue list, arg = qs_decode(q, (const uint8_t *)q->import_code, q->import_len, NULL, 0);
	if (is_exception(arg))
		return NULL;
	list = qs_hook(q, QS_H_FACADE, 1, &arg);
	JS_FreeValue(ctx, arg);
	if (is_exception(list))
		return NULL;
	m = JS_NewCModule(ctx, name, init_facade);
	if (!m) {
		JS_FreeValue(ctx, list);
		return NULL;
	}
	JS_SetModulePrivateValue(ctx, m, list); /* takes the reference */
	return facade_exports(ctx, m, list, 1) < 0 ? NULL : m;
}

static JSModuleDef *load_module(JSContext *ctx, const char *name, void *opaque)
{
	qs *q = opaque;
	JSValue v;
	if (q->compiler)
		return JS_NewCModule(ctx, name, no_init);
	if (q->import_kind == QS_IMPORT_FACADE)
		return new_facade(q, name);
	if (q->import_kind != QS_IMPORT_PROGRAM) {
		JS_ThrowTypeError(ctx, "module is not in the image");
		return NULL;
	}
	v = JS_ReadObject(ctx, (const uint8_t *)q->import_code, q->import_len, JS_READ_OBJ_BYTECODE);
	if (is_exception(v))
		return NULL;
	if (v.tag != JS_TAG_MODULE) {
		JS_FreeValue(ctx, v);
		JS_ThrowTypeError(ctx, "not a module");
		return NULL;
	}
	/* The context's list of modules holds it. */
	JSModuleDef *m = v.u.ptr;
	JS_FreeValue(ctx, v);
	return m;
}

/* --- the native function ----------------------------------------------------- */

static qs_pending *find_pending(qs *q, uint32_t id)
{
	uint32_t mask = q->cap_pending - 1, i;
	if (!q->cap_pending)
		return NULL;
	for (i = id & mask; q->pending[i].id; i = (i + 1) & mask)
		if (q->pending[i].id == id)
			return &q->pending[i];
	return NULL;
}

static void put_pending(qs_pending *tab, uint32_t cap, qs_pending e)
{
	uint32_t i = e.id & (cap - 1);
	while (tab[i].id)
		i = (i + 1) & (cap - 1);
	tab[i] = e;
}

static void remove_pending(qs *q, qs_pending *e)
{
	uint32_t mask = q->cap_pending - 1, i = e - q->pending, j = i;
	for (;;) {
		j = (j + 1) & mask;
		if (!q->pending[j].id)
			break;
		uint32_t home = q->pending[j].id & mask;
		if (((j - home) & mask) >= ((j - i) & mask)) {
			q->pending[i] = q->pending[j];
			i = j;
		}
	}
	q->pending[i].id = 0;
	q->npending--;
}

static int grow_pending(qs *q)
{
	uint32_t cap = q->cap_pending ? q->cap_pending * 2 : 64;
	qs_pending *tab;
	if (q->npending * 2 < q->cap_pending)
		return 1;
	tab = calloc(cap, sizeof *tab);
	if (!tab)
		return 0;
	for (uint32_t i = 0; i < q->cap_pending; i++)
		if (q->pending[i].id)
			put_pending(tab, cap, q->pending[i]);
	free(q->pending);
	q->pending = tab;
	q->cap_pending = cap;
	return 1;
}

static int grow_queue(qs *q)
{
	uint32_t cap = q->cap_queue ? q->cap_queue * 2 : 64;
	qs_call *p;
	if (q->nqueue < q->cap_queue)
		return 1;
	p = realloc(q->queue, cap * sizeof *p);
	if (!p)
		return 0;
	q->queue = p;
	q->cap_queue = cap;
	return 1;
}

static JSValue no_host(qs *q)
{
	q->asked = 1;
	return JS_ThrowPlainError(q->ctx, "host calls are not available here");
}

static JSValue call_async(qs *q, uint32_t op, int argc, JSValueConst *argv)
{
	JSContext *ctx = q->ctx;
	JSValue promise, fns[2];
	struct qs_enc *e = NULL;
	qs_msg m = {0};
	size_t blob_bytes = 0;
	if (!q->has_host)
		return no_host(q);
	if (argc > 1 && argv[1].tag != JS_TAG_UNDEFINED) {
		e = qs_encode(q, argv[1], "value", 0);
		if (!e)
			return exception;
		qs_enc_message(e, &m);
		for (uint32_t i = 0; i < m.nblobs; i++)
			blob_bytes += m.blobs[i].len;
	}
	promise = exception;
	/* Counted here, since getters that the encoder ran may have made calls. */
	if (q->npending >= q->max_calls) {
		JS_ThrowRangeError(ctx, "too many unsettled host calls: the limit is %u", q->max_calls);
		goto done;
	}
	if (q->queue_wire.n + q->queue_blob_bytes + m.len + blob_bytes > q->max_message) {
		JS_ThrowRangeError(ctx, "too much data in queued host calls: the limit is %zu bytes", q->max_message);
		goto done;
	}
	if (!grow_pending(q) || !grow_queue(q) || !qs_reserve(&q->queue_wire, q->queue_wire.n + m.len)) {
		qs_no_memory(q);
		goto done;
	}
	promise = JS_NewPromiseCapability(ctx, fns);
	if (is_exception(promise))
		goto done;
	if (m.nblobs) {
		q->msg = m;
		up(q);
		qsgoKeepBlobs(q->index, 0);
		down(q);
	}
	uint32_t id = q->next_id++;
	q->queue[q->nqueue++] = (qs_call){id, op, q->queue_wire.n, m.len, m.nblobs};
	if (m.len)
		memcpy(q->queue_wire.p + q->queue_wire.n, m.wire, m.len);
	q->queue_wire.n += m.len;
	q->queue_blob_bytes += blob_bytes;
	/* Only its stack is used, and only when the call fails: making the text into a
	 * value of its own here would cost half as much again. */
	JSValue at = undefined;
	if (argc > 2 && argv[2].tag == JS_TAG_BOOL && argv[2].u.int32) {
		at = JS_NewPlainError(ctx, "%s", "");
		if (is_exception(at)) {
			drop_exception(ctx);
			at = undefined;
		}
	}
	put_pending(q->pending, q->cap_pending, (qs_pending){id, fns[0], fns[1], at});
	q->npending++;
	if (now_ns() - q->entered > 1000000) {
		up(q);
		qsgoFlush(q->index);
		down(q);
	}
done:
	if (e)
		qs_encode_end(q, e);
	return promise;
}

uint8_t *qs_reply_buffer(qs *q, size_t n, uint32_t nblobs)
{
	qs_reply *r = &q->replies[q->reply_depth];
	if (nblobs > r->cap_blobs) {
		qs_blob *p = realloc(r->blobs, nblobs * sizeof *p);
		if (!p)
			return NULL;
		r->blobs = p;
		r->cap_blobs = nblobs;
	}
	return qs_reserve(&r->wire, n) ? r->wire.p : NULL;
}

static JSValue call_host(qs *q, uint32_t op, int argc, JSValueConst *argv)
{
	JSContext *ctx = q->ctx;
	struct qs_enc *e = NULL;
	qs_reply *r;
	JSValue v;
	int result;
	if (!q->has_host)
		return no_host(q);
	if (argc > 1 && argv[1].tag != JS_TAG_UNDEFINED) {
		e = qs_encode(q, argv[1], "value", 0);
		if (!e)
			return exception;
		qs_enc_message(e, &q->msg);
	} else {
		q->msg.len = 0;
		q->msg.nblobs = 0;
	}
	if (q->reply_depth >= QS_NEST) {
		JS_ThrowRangeError(ctx, "host calls are nested too deeply");
		v = exception;
		goto done;
	}
	r = &q->replies[q->reply_depth];
	r->wire.n = 0;
	r->nblobs = 0;
	r->throws = 0;
	q->op = op;
	up(q);
	result = qsgoCall(q->index);
	down(q);
	if (result < 0) {
		JS_ThrowInternalError(ctx, "internal error");
		v = exception;
	} else if (r->wire.n == 0) {
		v = undefined;
	} else {
		q->reply_depth++;
		if (r->nblobs)
			q->live_replies++;
		v = qs_decode(q, r->wire.p, r->wire.n, r->blobs, r->nblobs);
		if (r->nblobs)
			q->live_replies--;
		q->reply_depth--;
		if (r->wire.cap > (1 << 20))
			drop_buf(&r->wire);
	}
	if (r->throws && !is_exception(v))
		v = JS_Throw(ctx, v);
done:
	if (e)
		qs_encode_end(q, e);
	return v;
}

static JSValue register_hooks(qs *q, JSValueConst hooks)
{
	static const char *const names[QS_HOOKS] = {
		"mapEntries", "setValues", "dateValue", "regexpParts", "viewParts", "bigintText", "unbox", "errorParts",
		"cloneError", "newMap", "mapSet", "newSet", "setAdd", "newDate", "newRegExp", "newBigInt", "newDataView",
		"newError", "errorEntry", "hostFunction", "describe", "rejected", "facade",
	};
	JSContext *ctx = q->ctx;
	JSValue samples, classes;
	if (!q->building)
		return JS_ThrowTypeError(ctx, "hooks can only be set while the image is built");
	for (int i = 0; i < QS_HOOKS; i++) {
		JSValue f = JS_GetPropertyStr(ctx, hooks, names[i]);
		if (is_exception(f))
			return f;
		if (!JS_IsFunction(ctx, f))
			return JS_ThrowTypeError(ctx, "hook %s is missing", names[i]);
		q->hook[i] = f;
	}
	samples = JS_GetPropertyStr(ctx, hooks, "samples");
	classes = JS_GetPropertyStr(ctx, hooks, "sampleNames");
	if (is_exception(samples) || is_exception(classes))
		return exception;
	qs_wire_hooks(q, samples, classes);
	JS_FreeValue(ctx, samples);
	JS_FreeValue(ctx, classes);
	q->hooks_object = JS_DupValue(ctx, hooks);
	return undefined;
}

static JSValue run_unit(qs *q, JSValueConst index)
{
	JSContext *ctx = q->ctx;
	JSValue v;
	if (index.tag != JS_TAG_INT || (uint32_t)index.u.int32 >= q->nunits)
		return JS_ThrowRangeError(ctx, "no such unit");
	qs_unit u = q->units[index.u.int32];
	v = JS_ReadObject(ctx, u.p, u.n, JS_READ_OBJ_BYTECODE);
	if (is_exception(v))
		return v;
	return JS_EvalFunction(ctx, v);
}

static JSValue class_of(qs *q, JSValueConst v)
{
	JSClassID id;
	JSValue name;
	if (v.tag != JS_TAG_OBJECT)
		return JS_DupValue(q->ctx, q->empty);
	id = JS_GetClassID(v);
	name = id < QS_CLASSES ? q->class_name[id] : undefined;
	if (name.tag == JS_TAG_UNDEFINED)
		name = JS_IsFunction(q->ctx, v) ? q->function_name : q->other_name;
	return JS_DupValue(q->ctx, name);
}

static JSValue clone_value(qs *q, JSValueConst v)
{
	struct qs_enc *e = qs_encode(q, v, "value", 0);
	qs_msg m;
	if (!e)
		return exception;
	qs_enc_message(e, &m);
	JSValue r = qs_decode(q, m.wire, m.len, m.blobs, m.nblobs);
	qs_encode_end(q, e);
	return r;
}

static JSValue promise_state(qs *q, JSValueConst p)
{
	JSContext *ctx = q->ctx;
	int state = JS_PromiseState(ctx, p);
	JSValue v[2];
	if (state < 0)
		return undefined;
	v[0] = new_number(state);
	v[1] = state == JS_PROMISE_PENDING ? undefined : JS_PromiseResult(ctx, p);
	return JS_NewArrayFrom(ctx, 2, v);
}

static JSValue current_stack(qs *q)
{
	JSContext *ctx = q->ctx;
	JSValue e = JS_NewPlainError(ctx, "%s", ""), s, r = undefined;
	const char *text, *p;
	size_t n;
	if (is_exception(e))
		return e;
	s = JS_GetPropertyStr(ctx, e, "stack");
	JS_FreeValue(ctx, e);
	if (is_exception(s))
		return s;
	if (s.tag != JS_TAG_STRING && s.tag != JS_TAG_STRING_ROPE) {
		JS_FreeValue(ctx, s);
		return JS_DupValue(ctx, q->empty);
	}
	text = JS_ToCStringLen2(ctx, &n, s, 0);
	JS_FreeValue(ctx, s);
	if (!text)
		return exception;
	/* The first two frames are this function and its caller. */
	p = text;
	for (int i = 0; i < 2; i++) {
		const char *end = memchr(p, '\n', text + n - p);
		p = end ? end + 1 : text + n;
	}
	r = JS_NewStringLen(ctx, p, text + n - p);
	JS_FreeCString(ctx, text);
	return r;
}

static JSValue native(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
	qs *q = qs_of(ctx);
	JSValue arg = argc > 1 ? argv[1] : undefined;
	uint32_t op;
	if (argc < 1 || argv[0].tag != JS_TAG_INT)
		return JS_ThrowTypeError(ctx, "no such operation");
	op = argv[0].u.int32;
	if (op >= 1 << 16)
		return call_async(q, op, argc, argv);
	if (op >= 64)
		return call_host(q, op, argc, argv);
	switch (op) {
	case 0:
		return register_hooks(q, arg);
	case 1:
		return run_unit(q, arg);
	case 2:
		return qs_utf8_encode(q, arg);
	case 3:
		return qs_utf8_decode(q, arg, argc > 2 && JS_ToBool(ctx, argv[2]) > 0);
	case 4:
		return clone_value(q, arg);
	case 5:
		return class_of(q, arg);
	case 6:
		return promise_state(q, arg);
	case 7:
		return new_number((double)now_ns() / 1e6);
	case 8:
		return current_stack(q);
	case 9:
		JS_RunGC(q->rt);
		return undefined;
	}
	return JS_ThrowTypeError(ctx, "no such operation");
}

static JSValue math_random(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
	qs *q = qs_of(ctx);
	/* xorshift128+; its state is outside of the arena, so that a Reset does not
	 * repeat the sequence. */
	uint64_t a = q->rng[0], b = q->rng[1];
	JSValue v;
	q->rng[0] = b;
	a ^= a << 23;
	a ^= b ^ (a >> 17) ^ (b >> 26);
	q->rng[1] = a;
	v.u.float64 = (double)((a + b) >> 11) * 0x1p-53;
	v.tag = JS_TAG_FLOAT64;
	return v;
}

/* --- building ----------------------------------------------------------------- */

static void *arena_calloc(void *a, size_t n, size_t size) { return qs_arena_calloc(a, n, size); }
static void *arena_alloc(void *a, size_t n) { return qs_arena_alloc(a, n); }
static void arena_free(void *a, void *p) { qs_arena_free(a, p); }
static void *arena_realloc(void *a, void *p, size_t n) { return qs_arena_realloc(a, p, n); }
static size_t arena_usable(const void *p) { return qs_arena_usable(p); }
static const JSMallocFunctions functions = {arena_calloc, arena_alloc, arena_free, arena_realloc, arena_usable};

qs *qs_new(void *base, size_t size, int compiler)
{
	qs *q = calloc(1, sizeof *q);
	if (!q)
		return NULL;
	q->arena = qs_arena_init(base, size);
	q->size = size;
	q->compiler = compiler;
	q->stack = 512 << 10;
	q->max_message = (size_t)128 << 20;
	q->promise = undefined;
	q->next_id = 1;
	q->rng[0] = 1;
	qs_arena_on_oom(q->arena, on_oom, q);
	return q;
}

void qs_free(qs *q)
{
	qs_wire_free(q);
	for (int i = 0; i < QS_NEST; i++) {
		free(q->replies[i].wire.p);
		free(q->replies[i].blobs);
	}
	free(q->failure.p);
	free(q->text.p);
	free(q->import_name.p);
	free(q->queue);
	free(q->queue_wire.p);
	free(q->pending);
	free(q->units);
	free(q);
}

void qs_set_units(qs *q, uint32_t n)
{
	q->units = calloc(n ? n : 1, sizeof *q->units);
	q->nunits = q->units ? n : 0;
}

void qs_set_unit(qs *q, uint32_t i, const uint8_t *p, size_t n) { q->units[i] = (qs_unit){p, n}; }

/* The view's own length getter, before any guest could replace it. */
static int find_view_length(qs *q, JSValueConst global)
{
	JSContext *ctx = q->ctx;
	JSPropertyDescriptor d;
	JSValue c = JS_GetPropertyStr(ctx, global, "Uint8Array"), p, proto;
	JSAtom atom = JS_NewAtomLen(ctx, "byteLength", 10);
	p = JS_GetPropertyStr(ctx, c, "prototype");
	proto = JS_GetPrototype(ctx, p);
	if (JS_GetOwnProperty(ctx, &d, proto, atom) <= 0)
		return 0;
	q->view_length = d.getter;
	JS_FreeValue(ctx, d.setter);
	JS_FreeValue(ctx, d.value);
	JS_FreeValue(ctx, c);
	JS_FreeValue(ctx, p);
	JS_FreeValue(ctx, proto);
	JS_FreeAtom(ctx, atom);
	return JS_IsFunction(ctx, q->view_length);
}

/* Making an error must not run guest code: call_async, qs_decode and describe make errors
 * and hold what a nested call could change. So what the engine asks while it records a
 * stack is unreachable: prepareStackTrace, which moreover would give a guest the functions
 * of the prelude on the stack, and with them the native function; and the setter of
 * stackTraceLimit, whose value the engine converts to a number each time. Both are then
 * plain properties to a guest. */
static int seal_error_hooks(qs *q, JSValueConst global)
{
	static const char *const names[] = {"prepareStackTrace", "stackTraceLimit"};
	JSContext *ctx = q->ctx;
	JSValue error = JS_GetPropertyStr(ctx, global, "Error");
	int ok = 1;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		JSAtom atom = JS_NewAtomLen(ctx, names[i], strlen(names[i]));
		ok &= JS_DeleteProperty(ctx, error, atom, 0) > 0;
		JS_FreeAtom(ctx, atom);
	}
	JS_FreeValue(ctx, error);
	return ok;
}

/* No intrinsic makes a namespace, so a module without exports shows its class. */
static int find_namespace_class(qs *q)
{
	JSModuleDef *m = JS_NewCModule(q->ctx, "", no_init);
	JSValue ns = m ? JS_GetModuleNamespace(q->ctx, m) : exception;
	JSClassID id = JS_GetClassID(ns);
	if (is_exception(ns) || id >= QS_CLASSES)
		return 0;
	qs_wire_namespace(q, id);
	JS_FreeValue(q->ctx, ns);
	return 1;
}

/* qs_build makes runtime and context. QS_DONE: it worked. */
int qs_build(qs *q)
{
	JSContext *ctx;
	JSValue global, math;
	ENTER(q);
	q->rt = JS_NewRuntime2(&functions, q->arena);
	if (!q->rt)
		return leave(q, QS_FAILED);
	JS_SetMaxStackSize(q->rt, q->stack);
	JS_UpdateStackTop(q->rt);
	ctx = JS_NewContextRaw(q->rt);
	if (!ctx)
		return leave(q, QS_FAILED);
	q->ctx = ctx;
	JS_SetContextOpaque(ctx, q);
	JS_SetCanBlock(q->rt, false);
	JS_SetInterruptHandler(q->rt, on_interrupt, q);
	JS_SetModuleLoaderFunc(q->rt, normalize, load_module, q);
	JS_AddIntrinsicRegExpCompiler(ctx);
	/* BigInt is part of the base objects; its own function would make it twice. */
	if (JS_AddIntrinsicBaseObjects(ctx) || JS_AddIntrinsicDate(ctx) || JS_AddIntrinsicRegExp(ctx) ||
	    JS_AddIntrinsicJSON(ctx) || JS_AddIntrinsicProxy(ctx) || JS_AddIntrinsicMapSet(ctx) ||
	    JS_AddIntrinsicTypedArrays(ctx) || JS_AddIntrinsicPromise(ctx) || JS_AddIntrinsicWeakRef(ctx))
		return leave(q, QS_FAILED);
	if (q->compiler)
		return leave(q, JS_AddIntrinsicEval(ctx) ? QS_FAILED : QS_DONE);
	global = JS_GetGlobalObject(ctx);
	if (!seal_error_hooks(q, global))
		return leave(q, QS_FAILED);
	math = JS_GetPropertyStr(ctx, global, "Math");
	JS_DefinePropertyValueStr(ctx, math, "random", JS_NewCFunction2(ctx, math_random, "random", 0, JS_CFUNC_generic, 0),
	                          JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE);
	/* With a length the engine would copy the arguments to pad them. */
	JS_DefinePropertyValueStr(ctx, global, "__native", JS_NewCFunction2(ctx, native, "", 0, JS_CFUNC_generic, 0),
	                          JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE);
	if (!find_view_length(q, global))
		return leave(q, QS_FAILED);
	q->atom_default = JS_NewAtomLen(ctx, "default", 7);
	q->empty = JS_NewStringLen(ctx, "", 0);
	q->function_name = JS_NewStringLen(ctx, "Function", 8);
	q->other_name = JS_NewStringLen(ctx, "Other", 5);
	q->module_name = JS_NewStringLen(ctx, "Module", 6);
	q->hooks_object = undefined;
	for (int i = 0; i < QS_HOOKS; i++)
		q->hook[i] = undefined;
	for (int i = 0; i < QS_CLASSES; i++)
		q->class_name[i] = undefined;
	if (!find_namespace_class(q))
		return leave(q, QS_FAILED);
	JS_FreeValue(ctx, math);
	JS_FreeValue(ctx, global);
	return leave(q, QS_DONE);
}

static void describe(qs *q, int kind);

/* qs_prelude runs the image's script and what it left to do. */
int qs_prelude(qs *q, const uint8_t *code, size_t n)
{
	JSContext *ctx;
	JSValue v;
	int r;
	ENTER(q);
	q->building = 1;
	v = JS_ReadObject(q->ctx, code, n, JS_READ_OBJ_BYTECODE);
	if (!is_exception(v))
		v = JS_EvalFunction(q->ctx, v);
	if (is_exception(v)) {
		describe(q, QS_THROWN);
		q->building = 0;
		return leave(q, QS_FAILED);
	}
	JS_FreeValue(q->ctx, v);
	while ((r = JS_ExecutePendingJob(q->rt, &ctx)) != 0)
		if (r < 0)
			drop_exception(q->ctx);
	q->building = 0;
	return leave(q, q->hooks_object.tag == JS_TAG_OBJECT ? QS_DONE : QS_FAILED);
}

static int module_status(qs *q);

/* qs_image_module evaluates a module into the image. QS_WAITING: it has not ended when no
 * job is left. */
int qs_image_module(qs *q, const uint8_t *code, size_t n)
{
	JSContext *ctx = q->ctx;
	JSValue v;
	int r = -1;
	ENTER(q);
	q->asked = 0;
	q->linking = 1;
	v = JS_ReadObject(ctx, code, n, JS_READ_OBJ_BYTECODE);
	if (!is_exception(v))
		r = JS_ResolveModule(ctx, v);
	q->linking = 0;
	if (r >= 0)
		v = JS_EvalFunction(ctx, v);
	if (r < 0 || is_exception(v)) {
		if (load(&q->interrupt))
			return leave(q, QS_STOPPED);
		describe(q, QS_LINK);
		return leave(q, QS_FAILED);
	}
	q->promise = v;
	while ((r = JS_ExecutePendingJob(q->rt, &ctx)) != 0) {
		if (r < 0)
			drop_exception(q->ctx);
		if (load(&q->interrupt))
			return leave(q, QS_STOPPED);
	}
	r = module_status(q);
	JS_FreeValue(q->ctx, q->promise);
	q->promise = undefined;
	return leave(q, r);
}

/* qs_image_limit bounds the heap while the image is made. */
void qs_image_limit(qs *q, size_t limit) { qs_arena_set_limit(q->arena, limit, 2 * limit + (16 << 20)); }

/* qs_collect makes the image no larger than it must be. */
void qs_collect(qs *q) { JS_RunGC(q->rt); }

static uint64_t splitmix(uint64_t *x)
{
	uint64_t z = *x += 0x9e3779b97f4a7c15;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* qs_reset follows the restoration of the image. */
void qs_reset(qs *q, size_t limit, size_t span, size_t stack, uint64_t seed, size_t max_message, uint32_t max_calls)
{
	qs_arena_set_limit(q->arena, limit, span);
	q->stack = stack;
	q->max_message = max_message;
	q->max_calls = max_calls;
	q->rng[0] = splitmix(&seed);
	q->rng[1] = splitmix(&seed) | 1;
	q->kind = QS_NONE;
	q->failure.n = 0;
	q->fault_signal = 0;
	q->linking = 0;
	q->has_host = 0;
	q->started = 0;
	q->module = NULL;
	q->promise = undefined;
	q->msg = (qs_msg){0};
	q->nqueue = 0;
	q->queue_wire.n = 0;
	q->queue_blob_bytes = 0;
	q->next_id = 1;
	q->reply_depth = 0;
	q->live_replies = 0;
	if (q->npending) {
		memset(q->pending, 0, q->cap_pending * sizeof *q->pending);
		q->npending = 0;
	}
	if (q->queue_wire.cap > (1 << 20))
		drop_buf(&q->queue_wire);
	qs_wire_trim(q);
	store(&q->interrupt, 0);
	store(&q->state, QS_IDLE);
}

/* --- a run ---------------------------------------------------------------------- */

/* describe takes the pending exception (or, for a rejected promise, what the caller
 * threw anew) and leaves what the prelude makes of it in q->failure. */
static void describe(qs *q, int kind)
{
	JSContext *ctx = q->ctx;
	JSValue thrown = JS_GetException(ctx), d, o;
	struct qs_enc *e;
	qs_msg m;
	int refused = qs_arena_refused(q->arena);
	q->kind = kind;
	q->failure.n = 0;
	if (refused && kind == QS_THROWN)
		q->kind = QS_MEMORY;
	if (q->hook[QS_H_DESCRIBE].tag != JS_TAG_OBJECT) {
		JS_FreeValue(ctx, thrown);
		return;
	}
	d = qs_hook(q, QS_H_DESCRIBE, 1, &thrown);
	JS_FreeValue(ctx, thrown);
	if (is_exception(d)) {
		drop_exception(ctx);
		return;
	}
	o = JS_GetPropertyStr(ctx, d, "outOfMemory");
	if (o.tag == JS_TAG_BOOL && o.u.int32)
		q->kind = QS_MEMORY;
	JS_FreeValue(ctx, o);
	e = qs_encode(q, d, "error", 1);
	JS_FreeValue(ctx, d);
	if (!e) {
		drop_exception(ctx);
		return;
	}
	qs_enc_message(e, &m);
	if (m.nblobs == 0)
		set_text(&q->failure, (const char *)m.wire, m.len);
	qs_encode_end(q, e);
}

static int module_status(qs *q)
{
	JSContext *ctx = q->ctx;
	switch (JS_PromiseState(ctx, q->promise)) {
	case JS_PROMISE_FULFILLED:
		return QS_DONE;
	case JS_PROMISE_REJECTED:
		if (load(&q->interrupt))
			return QS_STOPPED;
		JS_Throw(ctx, JS_PromiseResult(ctx, q->promise));
		describe(q, QS_THROWN);
		return QS_FAILED;
	default:
		return QS_WAITING;
	}
}

int qs_start(qs *q, const uint8_t *code, size_t n)
{
	JSContext *ctx = q->ctx;
	JSValue v;
	int r;
	ENTER(q);
	q->started = 1;
	q->linking = 1;
	v = JS_ReadObject(ctx, code, n, JS_READ_OBJ_BYTECODE);
	if (is_exception(v))
		goto link_failed;
	if (v.tag != JS_TAG_MODULE) {
		JS_ThrowTypeError(ctx, "the program is not a module");
		goto link_failed;
	}
	q->module = v.u.ptr;
	r = JS_ResolveModule(ctx, v);
	q->linking = 0;
	if (r < 0)
		goto link_failed;
	v = JS_EvalFunction(ctx, v);
	if (is_exception(v))
		goto link_failed;
	q->promise = v;
	return leave(q, module_status(q));

link_failed:
	q->linking = 0;
	q->module = NULL; /* the engine frees what it could not link */
	if (load(&q->interrupt))
		return leave(q, QS_STOPPED);
	describe(q, QS_LINK);
	return leave(q, QS_FAILED);
}

int qs_pump(qs *q)
{
	JSContext *ctx;
	int status = QS_WAITING;
	ENTER(q);
	for (unsigned n = 1;; n++) {
		int r;
		if (JS_PromiseState(q->ctx, q->promise) != JS_PROMISE_PENDING)
			break;
		if ((n & 255) == 0 && on_interrupt(q->rt, q))
			break;
		r = JS_ExecutePendingJob(q->rt, &ctx);
		if (r == 0)
			break;
		if (r < 0) {
			drop_exception(q->ctx);
			if (load(&q->interrupt))
				break;
		}
	}
	if (!load(&q->interrupt))
		status = module_status(q);
	return leave(q, status);
}

int qs_settle(qs *q, uint32_t id, int throws, const uint8_t *wire, size_t n, const qs_blob *blobs, uint32_t nblobs)
{
	JSContext *ctx = q->ctx;
	qs_pending *e, entry;
	JSValue v, r;
	if (load(&q->state) != QS_IDLE)
		return QS_STOPPED;
	e = find_pending(q, id);
	if (!e)
		return QS_DONE;
	entry = *e;
	ENTER(q);
	v = n ? qs_decode(q, wire, n, blobs, nblobs) : undefined;
	if (is_exception(v)) {
		/* The promise rejects with what decoding threw. */
		v = JS_GetException(ctx);
		throws = 1;
	}
	e = find_pending(q, id);
	if (e)
		remove_pending(q, e);
	if (throws && entry.at.tag != JS_TAG_UNDEFINED) {
		JSValue args[2] = {v, entry.at};
		r = qs_hook(q, QS_H_REJECTED, 2, args);
		if (is_exception(r))
			drop_exception(ctx);
		else
			JS_FreeValue(ctx, r);
	}
	r = JS_Call(ctx, throws ? entry.reject : entry.resolve, undefined, 1, &v);
	if (is_exception(r))
		drop_exception(ctx);
	else
		JS_FreeValue(ctx, r);
	JS_FreeValue(ctx, v);
	JS_FreeValue(ctx, entry.resolve);
	JS_FreeValue(ctx, entry.reject);
	JS_FreeValue(ctx, entry.at);
	return leave(q, QS_DONE);
}

/* finish encodes v for Go and ends the entry. */
static int finish(qs *q, JSValue v, int lenient)
{
	JSContext *ctx = q->ctx;
	struct qs_enc *e;
	q->msg = (qs_msg){0};
	if (is_exception(v))
		goto failed;
	if (v.tag != JS_TAG_UNDEFINED) {
		e = qs_encode(q, v, "result", lenient);
		JS_FreeValue(ctx, v);
		if (!e)
			goto failed;
		qs_enc_message(e, &q->msg);
		if (q->msg.nblobs) {
			/* Ending the encoder may free what the blobs point to. */
			up(q);
			qsgoKeepBlobs(q->index, 1);
			down(q);
		}
		qs_encode_end(q, e);
	}
	return leave(q, QS_DONE);
failed:
	if (load(&q->interrupt))
		return leave(q, QS_STOPPED);
	describe(q, QS_THROWN);
	return leave(q, QS_FAILED);
}

int qs_result(qs *q, int lenient)
{
	JSValue ns, v;
	ENTER(q);
	ns = JS_GetModuleNamespace(q->ctx, q->module);
	if (is_exception(ns))
		return finish(q, ns, lenient);
	v = JS_GetProperty(q->ctx, ns, q->atom_default);
	JS_FreeValue(q->ctx, ns);
	return finish(q, v, lenient);
}

int qs_invoke(qs *q, const char *name, size_t name_len, const uint8_t *wire, size_t n, const qs_blob *blobs, uint32_t nblobs, int lenient)
{
	JSContext *ctx = q->ctx;
	JSValue f, arg, r;
	JSAtom atom;
	ENTER(q);
	atom = JS_NewAtomLen(ctx, name, name_len);
	f = JS_GetProperty(ctx, q->hooks_object, atom);
	JS_FreeAtom(ctx, atom);
	if (!JS_IsFunction(ctx, f)) {
		JS_FreeValue(ctx, f);
		JS_ThrowTypeError(ctx, "no such hook");
		return finish(q, exception, lenient);
	}
	arg = n ? qs_decode(q, wire, n, blobs, nblobs) : undefined;
	if (is_exception(arg)) {
		JS_FreeValue(ctx, f);
		return finish(q, arg, lenient);
	}
	r = JS_Call(ctx, f, undefined, 1, &arg);
	JS_FreeValue(ctx, arg);
	JS_FreeValue(ctx, f);
	return finish(q, r, lenient);
}

/* --- the compiler ------------------------------------------------------------------ */

#define SOURCE_KEPT (64 << 10)

/* qs_compile: QS_DONE leaves bytecode in q->code, QS_FAILED a syntax error in text,
 * line and column. src ends with a zero byte. */
int qs_compile(qs *q, const char *src, size_t n, const char *name, int module, int line)
{
	JSContext *ctx = q->ctx;
	JSEvalOptions o = {JS_EVAL_OPTIONS_VERSION, JS_EVAL_FLAG_COMPILE_ONLY, name, line};
	JSValue v, e;
	const char *s;
	size_t len;
	if (module)
		o.eval_flags |= JS_EVAL_TYPE_MODULE;
	ENTER(q);
	v = JS_Eval2(ctx, src, n, &o);
	if (!is_exception(v)) {
		/* Bytecode holds a function's text for its toString, once more for each
		 * function around it: nothing for the prelude or a large library. */
		int strip = module && n <= SOURCE_KEPT ? 0 : JS_WRITE_OBJ_STRIP_SOURCE;
		q->code = JS_WriteObject(ctx, &q->code_len, v, JS_WRITE_OBJ_BYTECODE | strip);
		if (q->code)
			return leave(q, QS_DONE);
	}
	q->text.n = 0;
	q->line = q->column = 0;
	e = JS_GetException(ctx);
	v = JS_GetPropertyStr(ctx, e, "message");
	s = is_exception(v) || v.tag == JS_TAG_UNDEFINED ? NULL : JS_ToCStringLen2(ctx, &len, v, 0);
	if (s)
		set_text(&q->text, s, len);
	v = JS_GetPropertyStr(ctx, e, "stack");
	s = v.tag == JS_TAG_STRING ? JS_ToCStringLen2(ctx, &len, v, 0) : NULL;
	if (s) {
		/* "    at name:line:column\n…": the name is known and may hold anything. */
		size_t skip = 7 + strlen(name) + 1;
		if (len > skip)
			sscanf(s + skip, "%d:%d", &q->line, &q->column);
	}
	return leave(q, QS_FAILED);
}
