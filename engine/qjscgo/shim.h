/*
 * The C half of package qjscgo: one struct qs per isolate, and the functions that Go
 * calls. A function which enters the engine returns a status (the numbers of
 * engine.Status) and leaves a message in q->msg where it says so.
 */
#ifndef QS_SHIM_H
#define QS_SHIM_H

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../arena/carena/arena.h"
#include "qjs_abi.h"

/* engine.Status */
enum { QS_WAITING, QS_DONE, QS_FAILED, QS_STOPPED };
/* engine.FailureKind */
enum { QS_NONE, QS_THROWN, QS_LINK, QS_INTERRUPTED, QS_KILLED, QS_MEMORY, QS_FAULT };
/* What a signal or the allocator jumps with. */
enum { QS_JUMP_KILL = 1, QS_JUMP_OOM, QS_JUMP_FAULT };

/* q->state. RUN and HOST: the owner is inside of an entry function, in the engine or
 * in Go. KILL: Kill is making the arena inaccessible. DEAD: it has, or the run was
 * ended otherwise; the owner is thrown out at its next access or when it returns from
 * Go. KILLHOST: Kill came while Go code ran. */
enum { QS_IDLE, QS_RUN, QS_HOST, QS_KILL, QS_DEAD, QS_KILLHOST };

/* What Go found for an import. LOADED: the image holds the module. */
enum { QS_IMPORT_ERROR, QS_IMPORT_PROGRAM, QS_IMPORT_FACADE, QS_IMPORT_LOADED };

#define QS_NEST 8 /* values that may be crossing at a time, each inside a getter of the one before */

typedef struct qs qs;

typedef struct qs_buf {
	uint8_t *p;
	size_t n, cap;
} qs_buf;

/* A byte range that stays out of the wire. Guest to host, buf and off say where ptr
 * comes from, so that it is looked up again after guest code ran. Host to guest it
 * is pinned Go memory; a number, because Go stores it in C memory and its write
 * barrier must not look at what was there before. */
typedef struct qs_blob {
	uintptr_t ptr;
	size_t len;
	size_t off;
	JSValue buf;
} qs_blob;

/* A message on its way to Go. It points into buffers of the encoder and into the
 * arena: it is good until the next entry or, in an upcall, until that returns. */
typedef struct qs_msg {
	const uint8_t *wire;
	size_t len;
	qs_blob *blobs;
	uint32_t nblobs;
	uint32_t dropped;
	const char *path; /* where the first dropped value was */
	size_t path_len;
} qs_msg;

/* A message on its way to the guest. The blobs of an upcall's reply are pinned Go
 * memory until live_replies is 0. */
typedef struct qs_reply {
	qs_buf wire;
	qs_blob *blobs;
	uint32_t nblobs, cap_blobs;
	int32_t throws;
} qs_reply;

typedef struct qs_call {
	uint32_t id, op;
	size_t off, len; /* in q->queue_wire */
	uint32_t nblobs; /* Go holds them, in order */
} qs_call;

typedef struct qs_unit {
	const uint8_t *p;
	size_t n;
} qs_unit;

/* The promise of an unsettled call. */
typedef struct qs_pending {
	uint32_t id; /* 0: free */
	JSValue resolve, reject;
	JSValue at; /* an error made at the call, for its stack; undefined when not asked for */
} qs_pending;

typedef struct qs_frame {
	sigjmp_buf jb;
	struct qs_frame *prev;
	qs *q;
} qs_frame;

enum {
	QS_H_MAP_ENTRIES, QS_H_SET_VALUES, QS_H_DATE_VALUE, QS_H_REGEXP_PARTS, QS_H_VIEW_PARTS, QS_H_BIGINT_TEXT,
	QS_H_UNBOX, QS_H_ERROR_PARTS, QS_H_CLONE_ERROR, QS_H_NEW_MAP, QS_H_MAP_SET, QS_H_NEW_SET, QS_H_SET_ADD,
	QS_H_NEW_DATE, QS_H_NEW_REGEXP, QS_H_NEW_BIGINT, QS_H_NEW_DATAVIEW, QS_H_NEW_ERROR, QS_H_ERROR_ENTRY,
	QS_H_HOST_FUNCTION, QS_H_DESCRIBE, QS_H_REJECTED, QS_H_FACADE, QS_HOOKS
};

#define QS_CLASSES 256 /* class numbers that are looked at; built-in ones are below 80 */

struct qs {
	int32_t state;
	int32_t interrupt;
	int32_t protect; /* Kill protected the arena; the owner undoes it */
	int32_t kind;    /* why the last status was Failed or Stopped */
	int32_t fault_signal;
	uint64_t fault_addr;
	uint32_t index; /* in the Go side's table of isolates */

	/* Message of the last entry or of the upcall that runs. */
	qs_msg msg;
	/* The description of the last failure; kept apart from msg. */
	qs_buf failure;
	/* Compiler: bytecode in the arena, or a syntax error. */
	const uint8_t *code;
	size_t code_len;
	qs_buf text;
	int32_t line, column;

	/* Upcalls. */
	uint32_t op; /* of the call */
	const char *base, *specifier;
	int32_t import_kind;         /* one of QS_IMPORT */
	qs_buf import_name;          /* reply of a resolve, or its error message */
	/* Address of bytecode, or of the encoded argument of the hook facade, which is in Go's
	 * heap. It is no pointer, because Go's write barrier marks what a pointer that it
	 * overwrites leads to, and that is free by then: "found pointer to free object". */
	uintptr_t import_code;
	size_t import_len;
	qs_reply replies[QS_NEST];
	int32_t reply_depth;
	int32_t live_replies;
	int32_t has_host;

	/* Queued calls; Go reads them and sets nqueue and queue_wire.n to 0. */
	qs_call *queue;
	uint32_t nqueue, cap_queue;
	qs_buf queue_wire;
	size_t queue_blob_bytes;

	/* Not for Go. */
	qs_arena *arena;
	size_t size;
	JSRuntime *rt;
	JSContext *ctx;
	qs_frame frame;
	size_t stack;
	size_t max_message;
	uint32_t max_calls;
	uint64_t rng[2];
	int64_t entered; /* monotonic time of the entry, ns */
	int32_t linking;
	int32_t building; /* the image is being made: OpHooks is allowed */
	int32_t asked;    /* the host was asked for something while there was none */
	int32_t compiler;

	JSModuleDef *module;
	JSValue promise; /* of the entry module */
	int32_t started;

	qs_pending *pending; /* hash table, linear probing, keyed by id */
	uint32_t npending, cap_pending;
	uint32_t next_id;

	qs_unit *units;
	uint32_t nunits;

	/* Part of the image: set while it is built. */
	JSValue hooks_object;
	JSValue hook[QS_HOOKS];
	JSValue class_name[QS_CLASSES];
	uint8_t class_kind[QS_CLASSES];
	JSValue function_name, other_name, module_name, empty;
	JSValue view_length; /* getter of %TypedArray%.prototype.byteLength */
	JSAtom atom_default;

	struct qs_enc *encs[QS_NEST];
	struct qs_dec *decs[QS_NEST];
	int32_t enc_depth, dec_depth;
};

/* wire.c */
struct qs_enc *qs_encode(qs *q, JSValueConst v, const char *root, int lenient); /* NULL: exception. Ends with qs_encode_end */
void qs_encode_end(qs *q, struct qs_enc *e);
void qs_enc_message(struct qs_enc *e, qs_msg *m);
JSValue qs_decode(qs *q, const uint8_t *p, size_t n, const qs_blob *blobs, uint32_t nblobs);
void qs_wire_hooks(qs *q, JSValueConst samples, JSValueConst names);
void qs_wire_namespace(qs *q, JSClassID id);
void qs_wire_unwound(qs *q);
void qs_wire_trim(qs *q);
void qs_wire_free(qs *q);
int qs_bytes_of(qs *q, JSValueConst v, JSValue *buf, size_t *off, size_t *len);
JSValue qs_utf8_encode(qs *q, JSValueConst v);
JSValue qs_utf8_decode(qs *q, JSValueConst v, int fatal);

int qs_reserve(qs_buf *b, size_t n); /* room for n bytes in all; 0: no memory */
JSValue qs_no_memory(qs *q);

/* shim.c: for wire.c */
JSValue qs_hook(qs *q, int hook, int argc, JSValueConst *argv);

/* For Go. */
void qs_init(void);
qs *qs_new(void *base, size_t size, int compiler);
int qs_build(qs *q);
void qs_free(qs *q);
void qs_set_units(qs *q, uint32_t n);
void qs_set_unit(qs *q, uint32_t i, const uint8_t *p, size_t n);
int qs_prelude(qs *q, const uint8_t *code, size_t n);
int qs_image_module(qs *q, const uint8_t *code, size_t n);
void qs_image_limit(qs *q, size_t limit);
void qs_collect(qs *q);
void qs_reset(qs *q, size_t limit, size_t span, size_t stack, uint64_t seed, size_t max_message, uint32_t max_calls);
int qs_start(qs *q, const uint8_t *code, size_t n);
int qs_pump(qs *q);
int qs_settle(qs *q, uint32_t id, int throws, const uint8_t *wire, size_t n, const qs_blob *blobs, uint32_t nblobs);
int qs_result(qs *q, int lenient);
int qs_invoke(qs *q, const char *name, size_t name_len, const uint8_t *wire, size_t n, const qs_blob *blobs, uint32_t nblobs, int lenient);
int qs_compile(qs *q, const char *src, size_t n, const char *name, int module, int line);
void qs_kill(qs *q);
void qs_abandon(qs *q);
uint8_t *qs_reply_buffer(qs *q, size_t n, uint32_t nblobs);
uint8_t *qs_name_buffer(qs *q, size_t n);


#endif
