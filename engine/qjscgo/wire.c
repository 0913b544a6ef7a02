//go:build cgo && linux && (amd64 || arm64) && !purego

/*
 * Values to and from the wire encoding of package internal/marshal, whose comment
 * describes it. Buffers, tables and stacks live outside of the arena and belong to the
 * isolate, one set for each level of nesting (a getter that the encoder calls may make
 * a host call of its own), so that nothing leaks when the thread is thrown out.
 */
#define _GNU_SOURCE
#include "shim.h"

#include <math.h>
#include <stdio.h>

enum {
	TAG_UNDEFINED, TAG_NULL, TAG_FALSE, TAG_TRUE, TAG_INT, TAG_FLOAT, TAG_BIGINT, TAG_STRING, TAG_REF, TAG_ARRAY,
	TAG_OBJECT, TAG_MAP, TAG_SET, TAG_DATE, TAG_ERROR, TAG_REGEXP, TAG_BYTES, TAG_BLOB, TAG_HOSTFUNC
};
enum { MAX_DEPTH = 200, MAX_KEYS = 4096, BLOB_SIZE = 1 << 16 };

/* marshal.ElementType */
enum { ELEMENT_UINT8 = 0, ELEMENT_ARRAY_BUFFER = 12, ELEMENT_DATA_VIEW = 13, ELEMENTS = 14 };

static const uint8_t element_of_type[12] = {1, 2, 0, 3, 4, 5, 6, 7, 8, 9, 10, 11};  /* JSTypedArrayEnum to element */
static const uint8_t type_of_element[12] = {JS_TYPED_ARRAY_UINT8, JS_TYPED_ARRAY_UINT8C, JS_TYPED_ARRAY_INT8,
	JS_TYPED_ARRAY_INT16, JS_TYPED_ARRAY_UINT16, JS_TYPED_ARRAY_INT32, JS_TYPED_ARRAY_UINT32, JS_TYPED_ARRAY_BIG_INT64,
	JS_TYPED_ARRAY_BIG_UINT64, JS_TYPED_ARRAY_FLOAT16, JS_TYPED_ARRAY_FLOAT32, JS_TYPED_ARRAY_FLOAT64};
static const uint8_t size_of_element[14] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 1, 1};

/* How a class crosses. K_NONE: it does not. */
enum {
	K_NONE, K_OBJECT, K_ARRAY, K_FUNCTION, K_ERROR, K_DATE, K_REGEXP, K_MAP, K_SET, K_PROMISE, K_PROXY, K_BUFFER,
	K_VIEW, K_TYPED, K_BOX, K_SYMBOL
};

static const struct {
	const char *name;
	uint8_t kind;
} class_kinds[] = {
	{"Object", K_OBJECT}, {"Arguments", K_OBJECT}, {"Array", K_ARRAY}, {"Function", K_FUNCTION}, {"Error", K_ERROR},
	{"Date", K_DATE}, {"RegExp", K_REGEXP}, {"Map", K_MAP}, {"Set", K_SET}, {"Promise", K_PROMISE},
	{"Proxy", K_PROXY}, {"ArrayBuffer", K_BUFFER}, {"SharedArrayBuffer", K_BUFFER}, {"DataView", K_VIEW},
	{"Number", K_BOX}, {"String", K_BOX}, {"Boolean", K_BOX}, {"BigInt", K_BOX}, {"Symbol", K_SYMBOL},
	{"Uint8Array", K_TYPED}, {"Uint8ClampedArray", K_TYPED}, {"Int8Array", K_TYPED}, {"Int16Array", K_TYPED},
	{"Uint16Array", K_TYPED}, {"Int32Array", K_TYPED}, {"Uint32Array", K_TYPED}, {"BigInt64Array", K_TYPED},
	{"BigUint64Array", K_TYPED}, {"Float16Array", K_TYPED}, {"Float32Array", K_TYPED}, {"Float64Array", K_TYPED},
};

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

static const JSValue undefined = {{.int32 = 0}, JS_TAG_UNDEFINED};
static const JSValue exception = {{.int32 = 0}, JS_TAG_EXCEPTION};

static inline int is_exception(JSValue v) { return v.tag == JS_TAG_EXCEPTION; }
static inline int is_string(JSValue v) { return v.tag == JS_TAG_STRING || v.tag == JS_TAG_STRING_ROPE; }
static inline JSValue new_int(int32_t i)
{
	JSValue v;
	v.u.ptr = NULL;
	v.u.int32 = i;
	v.tag = JS_TAG_INT;
	return v;
}

void qs_wire_hooks(qs *q, JSValueConst samples, JSValueConst names)
{
	JSContext *ctx = q->ctx;
	int64_t n = 0;
	JS_GetLength(ctx, names, &n);
	for (int64_t i = 0; i < n; i++) {
		JSValue s = JS_GetPropertyInt64(ctx, samples, i), name = JS_GetPropertyInt64(ctx, names, i);
		JSClassID id = JS_GetClassID(s);
		const char *text = JS_ToCStringLen2(ctx, NULL, name, 0);
		if (id > 0 && id < QS_CLASSES && text) {
			q->class_name[id] = JS_DupValue(ctx, name);
			for (size_t k = 0; k < sizeof class_kinds / sizeof *class_kinds; k++)
				if (!strcmp(class_kinds[k].name, text))
					q->class_kind[id] = class_kinds[k].kind;
		}
		if (text)
			JS_FreeCString(ctx, text);
		JS_FreeValue(ctx, s);
		JS_FreeValue(ctx, name);
	}
}

void qs_wire_namespace(qs *q, JSClassID id)
{
	q->class_name[id] = q->module_name;
	q->class_kind[id] = K_OBJECT;
}

/* --- encoder ------------------------------------------------------------------ */

typedef struct slot {
	uintptr_t key;
	uint32_t value, gen;
} slot;

/* A table from pointers or atoms to numbers. Emptying it is a new generation. */
typedef struct table {
	slot *slots;
	uint32_t cap, n, gen;
} table;

typedef struct path {
	const struct path *up;
	int64_t index; /* of an element; < 0: key or part */
	JSAtom key;
	const char *part; /* "keys" or "values" of a Map, a Set's "values" */
} path;

typedef struct qs_enc {
	qs *q;
	JSContext *ctx;
	qs_buf out;
	size_t max, blob_bytes;
	const char *root;
	int lenient, depth;

	table seen; /* object to container number */
	JSValue *held; /* containers, so that an address is not used again meanwhile */
	uint32_t nheld, cap_held;

	table keys; /* atom to index of the literal key */
	JSAtom *atoms;
	uint32_t nkeys, natoms, cap_atoms;

	qs_blob *blobs;
	uint32_t nblobs, cap_blobs;

	uint32_t dropped;
	qs_buf dropped_path;
} qs_enc;

static inline uint32_t hash_of(uintptr_t key) { return (uint32_t)((key * 0x9e3779b97f4a7c15ull) >> 32); }

/* The slot of key, which may be a free one (gen differs). NULL: no memory. */
static slot *lookup(table *t, uintptr_t key)
{
	if (unlikely(t->n * 2 >= t->cap)) {
		uint32_t cap = t->cap ? t->cap * 2 : 128;
		slot *s = calloc(cap, sizeof *s);
		if (!s)
			return NULL;
		for (uint32_t i = 0; i < t->cap; i++)
			if (t->slots[i].gen == t->gen) {
				uint32_t j = hash_of(t->slots[i].key) & (cap - 1);
				while (s[j].gen)
					j = (j + 1) & (cap - 1);
				s[j] = (slot){t->slots[i].key, t->slots[i].value, 1};
			}
		free(t->slots);
		t->slots = s;
		t->cap = cap;
		t->gen = 1;
	}
	uint32_t i = hash_of(key) & (t->cap - 1);
	while (t->slots[i].gen == t->gen && t->slots[i].key != key)
		i = (i + 1) & (t->cap - 1);
	return &t->slots[i];
}

static void clear_table(table *t)
{
	t->n = 0;
	if (++t->gen == 0) {
		if (t->slots)
			memset(t->slots, 0, t->cap * sizeof *t->slots);
		t->gen = 1;
	}
}

static int grow(void **p, uint32_t *cap, uint32_t n, size_t size)
{
	uint32_t c = *cap ? *cap + *cap / 2 : 64;
	void *r;
	if (likely(n < *cap))
		return 1;
	r = realloc(*p, c * size);
	if (!r)
		return 0;
	*p = r;
	*cap = c;
	return 1;
}
#define GROW(p, cap, n) grow((void **)&(p), &(cap), n, sizeof *(p))

/* Writes a path like value.rows[2]["a b"] to b. */
static void put_path(qs_enc *e, qs_buf *b, const path *p)
{
	const path *chain[MAX_DEPTH + 8];
	int n = 0;
	b->n = 0;
	for (; p && n < MAX_DEPTH + 8; p = p->up)
		chain[n++] = p;
	size_t root = strlen(e->root);
	if (!qs_reserve(b, root + 1))
		return;
	memcpy(b->p, e->root, root);
	b->n = root;
	while (n-- > 0) {
		const char *s, *t;
		size_t len;
		int plain;
		p = chain[n];
		if (b->n > 400) {
			if (qs_reserve(b, b->n + 4)) {
				memcpy(b->p + b->n, "…", 3);
				b->n += 3;
			}
			return;
		}
		if (p->index >= 0) {
			if (qs_reserve(b, b->n + 32))
				b->n += snprintf((char *)b->p + b->n, 32, "%s%s[%lld]", p->part ? "." : "", p->part ? p->part : "", (long long)p->index);
			continue;
		}
		s = JS_AtomToCStringLen(e->ctx, &len, p->key);
		if (!s) {
			JS_FreeValue(e->ctx, JS_GetException(e->ctx));
			continue;
		}
		t = s;
		if (len > 100) {
			len = 100;
			while (len > 0 && (s[len] & 0xc0) == 0x80)
				len--;
		}
		plain = len > 0 && !(s[0] >= '0' && s[0] <= '9');
		for (size_t i = 0; i < len; i++) {
			unsigned char c = s[i];
			plain &= (c | 32) - 'a' < 26u || c - '0' < 10u || c == '_' || c == '$' || c >= 0x80;
		}
		if (qs_reserve(b, b->n + 2 * len + 8)) {
			uint8_t *o = b->p + b->n;
			if (plain) {
				*o++ = '.';
				o = mempcpy(o, t, len);
			} else {
				*o++ = '[';
				*o++ = '"';
				for (size_t i = 0; i < len; i++) {
					if (t[i] == '"' || t[i] == '\\')
						*o++ = '\\';
					*o++ = t[i] == '\n' ? ' ' : t[i];
				}
				*o++ = '"';
				*o++ = ']';
			}
			b->n = o - b->p;
		}
		JS_FreeCString(e->ctx, s);
	}
}

/* refuse throws the error for a value that cannot cross: what, and where it is. */
static int refuse(qs_enc *e, const path *p, const char *what)
{
	JSContext *ctx = e->ctx;
	qs_buf *b = &e->q->text; /* no copy: writing the path may jump out */
	JSValue s, err;
	size_t head, tail;
	/* q->text is free: only the compiler uses it otherwise. */
	put_path(e, b, p);
	head = strlen(what);
	tail = b->n;
	if (qs_reserve(b, head + tail + 16)) {
		memmove(b->p + head + 5, b->p, tail);
		memcpy(b->p, what, head);
		memcpy(b->p + head, " (at ", 5);
		b->p[head + 5 + tail] = ')';
		b->n = head + 5 + tail + 1;
	}
	s = JS_NewStringLen(ctx, (char *)b->p, b->n);
	if (is_exception(s))
		return -1;
	err = qs_hook(e->q, QS_H_CLONE_ERROR, 1, &s);
	JS_FreeValue(ctx, s);
	if (!is_exception(err))
		JS_Throw(ctx, err);
	return -1;
}

static int no_memory(qs_enc *e)
{
	qs_no_memory(e->q);
	return -1;
}

static int too_large(qs_enc *e)
{
	char msg[96];
	snprintf(msg, sizeof msg, "the value is too large to pass to the host: more than %zu bytes", e->max);
	return refuse(e, NULL, msg);
}

static int more(qs_enc *e, size_t n)
{
	if (e->out.n + n + e->blob_bytes > e->max)
		return too_large(e);
	if (!qs_reserve(&e->out, e->out.n + n))
		return no_memory(e);
	return 0;
}

/* Room for n bytes more. */
static inline int room(qs_enc *e, size_t n)
{
	if (likely(e->out.n + n <= e->out.cap && e->out.n + n + e->blob_bytes <= e->max))
		return 0;
	return more(e, n);
}

static inline void put_varint(qs_enc *e, uint64_t v)
{
	uint8_t *p = e->out.p + e->out.n;
	while (v >= 0x80) {
		*p++ = v | 0x80;
		v >>= 7;
	}
	*p++ = v;
	e->out.n = p - e->out.p;
}

/* A tag and a number. */
static inline int put_head(qs_enc *e, int tag, uint64_t v)
{
	if (room(e, 11))
		return -1;
	e->out.p[e->out.n++] = tag;
	put_varint(e, v);
	return 0;
}

static inline int put_bytes(qs_enc *e, const void *p, size_t n)
{
	if (room(e, n + 10))
		return -1;
	put_varint(e, n);
	memcpy(e->out.p + e->out.n, p, n);
	e->out.n += n;
	return 0;
}

static int put_text(qs_enc *e, JSValueConst s)
{
	size_t n;
	const char *t = JS_ToCStringLen2(e->ctx, &n, s, 0);
	int r;
	if (!t)
		return -1;
	r = put_bytes(e, t, n);
	JS_FreeCString(e->ctx, t);
	return r;
}

static int put_number(qs_enc *e, double d)
{
	if (d >= -2147483648.0 && d <= 2147483647.0) {
		int32_t i = (int32_t)d;
		if (d == i && (i != 0 || !signbit(d)))
			return put_head(e, TAG_INT, ((uint32_t)i << 1) ^ (uint32_t)(i >> 31));
	}
	if (room(e, 9))
		return -1;
	e->out.p[e->out.n++] = TAG_FLOAT;
	if (d != d)
		d = __builtin_nan("");
	memcpy(e->out.p + e->out.n, &d, 8);
	e->out.n += 8;
	return 0;
}

static int put_tag(qs_enc *e, int tag)
{
	if (room(e, 1))
		return -1;
	e->out.p[e->out.n++] = tag;
	return 0;
}

static int put_key(qs_enc *e, JSAtom atom)
{
	slot *s = lookup(&e->keys, atom);
	const char *t;
	size_t n;
	int r;
	if (!s)
		return no_memory(e);
	if (likely(s->gen == e->keys.gen)) {
		if (room(e, 10))
			return -1;
		put_varint(e, 2 * (uint64_t)s->value + 1);
		return 0;
	}
	if (e->nkeys < MAX_KEYS) {
		if (!GROW(e->atoms, e->cap_atoms, e->natoms))
			return no_memory(e);
		*s = (slot){atom, e->nkeys++, e->keys.gen};
		e->keys.n++;
		e->atoms[e->natoms++] = JS_DupAtom(e->ctx, atom);
	}
	t = JS_AtomToCStringLen(e->ctx, &n, atom);
	if (!t)
		return -1;
	r = room(e, n + 10);
	if (r == 0) {
		put_varint(e, 2 * ((uint64_t)n + 1));
		memcpy(e->out.p + e->out.n, t, n);
		e->out.n += n;
	}
	JS_FreeCString(e->ctx, t);
	return r;
}

static int put_value(qs_enc *e, JSValueConst v, const path *p);

static const char *const cannot_function = "cannot pass a function to the host";
static const char *const cannot_symbol = "cannot pass a symbol to the host";

/* Whether Lenient leaves v out. */
static inline int droppable(qs_enc *e, JSValueConst v)
{
	return v.tag == JS_TAG_SYMBOL || (v.tag == JS_TAG_OBJECT && JS_IsFunction(e->ctx, v));
}

static void drop(qs_enc *e, const path *p)
{
	if (e->dropped++ == 0)
		put_path(e, &e->dropped_path, p);
}

/* Takes v: a property, an element or an entry. In elements a dropped value is null. */
static inline int put_child(qs_enc *e, JSValue v, const path *p)
{
	int r;
	if (e->lenient && unlikely(droppable(e, v))) {
		drop(e, p);
		JS_FreeValue(e->ctx, v);
		return put_tag(e, TAG_NULL);
	}
	r = put_value(e, v, p);
	JS_FreeValue(e->ctx, v);
	return r;
}

static int put_entries(qs_enc *e, JSValueConst obj, const path *up)
{
	JSContext *ctx = e->ctx;
	JSPropertyEnum *tab;
	uint32_t n;
	int r = -1;
	if (JS_GetOwnPropertyNames(ctx, &tab, &n, obj, JS_GPN_STRING_MASK | JS_GPN_ENUM_ONLY))
		return -1;
	for (uint32_t i = 0; i < n; i++) {
		path p = {up, -1, tab[i].atom, NULL};
		JSValue v = JS_GetProperty(ctx, obj, tab[i].atom);
		if (unlikely(is_exception(v)))
			goto done;
		if (e->lenient && unlikely(droppable(e, v))) {
			drop(e, &p);
			JS_FreeValue(ctx, v);
			continue;
		}
		if (put_key(e, tab[i].atom)) {
			JS_FreeValue(ctx, v);
			goto done;
		}
		r = put_value(e, v, &p);
		JS_FreeValue(ctx, v);
		if (unlikely(r)) {
			r = -1;
			goto done;
		}
		r = -1;
	}
	r = put_tag(e, 0);
done:
	JS_FreePropertyEnum(ctx, tab, n);
	return r;
}

/* The engine polls in guest code only; a long array is none. */
static int interrupted(qs_enc *e, int64_t i)
{
	if (likely((i & 4095) != 4095) || !__atomic_load_n(&e->q->interrupt, __ATOMIC_RELAXED))
		return 0;
	JS_ThrowInternalError(e->ctx, "interrupted");
	return 1;
}

static int put_array(qs_enc *e, JSValueConst obj, const path *up)
{
	int64_t n;
	if (JS_GetLength(e->ctx, obj, &n) || put_head(e, TAG_ARRAY, n))
		return -1;
	/* Each element takes a byte at least. */
	if ((uint64_t)n > e->max)
		return too_large(e);
	for (int64_t i = 0; i < n; i++) {
		path p = {up, i, 0, NULL};
		JSValue v = JS_GetPropertyInt64(e->ctx, obj, i);
		if (unlikely(is_exception(v)) || put_child(e, v, &p) || interrupted(e, i))
			return -1;
	}
	return 0;
}

/* A Map's entries or a Set's values, which a hook listed in an array. */
static int put_list(qs_enc *e, JSValue list, int tag, const path *up)
{
	JSContext *ctx = e->ctx;
	int64_t n;
	int r = -1, step = tag == TAG_MAP ? 2 : 1;
	if (is_exception(list))
		return -1;
	if (JS_GetLength(ctx, list, &n) || put_head(e, tag, n / step))
		goto done;
	for (int64_t i = 0; i < n; i++) {
		path p = {up, i / step, 0, step == 2 && i % 2 == 0 ? "keys" : "values"};
		JSValue v = JS_GetPropertyInt64(ctx, list, i);
		if (is_exception(v) || put_child(e, v, &p) || interrupted(e, i))
			goto done;
	}
	r = 0;
done:
	JS_FreeValue(ctx, list);
	return r;
}

/* The parts of an error or a regular expression are an array of strings and, for an
 * error, the entries. */
static int put_parts(qs_enc *e, JSValue parts, int tag, int texts, const path *p)
{
	JSContext *ctx = e->ctx;
	int r = -1;
	if (is_exception(parts))
		return -1;
	if (put_tag(e, tag))
		goto done;
	for (int i = 0; i < texts; i++) {
		JSValue s = JS_GetPropertyInt64(ctx, parts, i);
		int bad = is_exception(s) || put_text(e, s);
		JS_FreeValue(ctx, s);
		if (bad)
			goto done;
	}
	r = 0;
	if (tag == TAG_ERROR) {
		JSValue extra = JS_GetPropertyInt64(ctx, parts, texts);
		r = is_exception(extra) ? -1 : put_entries(e, extra, p);
		JS_FreeValue(ctx, extra);
	}
done:
	JS_FreeValue(ctx, parts);
	return r;
}

/* qs_bytes_of finds the bytes of a buffer or typed array: the buffer (owned by the
 * caller) and the range in it. -1: an exception is pending; 1: it is detached or out
 * of bounds. */
int qs_bytes_of(qs *q, JSValueConst v, JSValue *buf, size_t *off, size_t *len)
{
	JSContext *ctx = q->ctx;
	size_t size;
	int kind = q->class_kind[JS_GetClassID(v) & (QS_CLASSES - 1)];
	*off = 0;
	*buf = undefined;
	if (kind == K_BUFFER) {
		*buf = JS_DupValue(ctx, v);
		if (!JS_GetArrayBuffer(ctx, len, v))
			goto detached;
		return 0;
	}
	if (kind == K_TYPED) {
		JSValue n;
		double d;
		*buf = JS_GetTypedArrayBuffer(ctx, v, off, len, NULL);
		if (is_exception(*buf)) {
			*buf = undefined;
			goto detached;
		}
		/* The length that the engine just gave is stale in a view that follows a
		 * resizable buffer. */
		n = JS_Call(ctx, q->view_length, v, 0, NULL);
		if (is_exception(n) || JS_ToFloat64(ctx, &d, n)) {
			JS_FreeValue(ctx, *buf);
			return -1;
		}
		*len = (size_t)d;
	} else {
		JSValue parts = qs_hook(q, QS_H_VIEW_PARTS, 1, &v), o, n;
		double a = 0, b = 0;
		if (is_exception(parts))
			goto detached;
		*buf = JS_GetPropertyInt64(ctx, parts, 0);
		o = JS_GetPropertyInt64(ctx, parts, 1);
		n = JS_GetPropertyInt64(ctx, parts, 2);
		JS_FreeValue(ctx, parts);
		JS_ToFloat64(ctx, &a, o);
		JS_ToFloat64(ctx, &b, n);
		*off = (size_t)a;
		*len = (size_t)b;
	}
	if (!JS_GetArrayBuffer(ctx, &size, *buf))
		goto detached;
	if (*off > size || *len > size - *off)
		goto out_of_bounds;
	return 0;
detached:
	JS_FreeValue(ctx, JS_GetException(ctx));
out_of_bounds:
	JS_FreeValue(ctx, *buf);
	*buf = undefined;
	return 1;
}

static int put_view(qs_enc *e, JSValueConst v, int kind, const path *p)
{
	JSContext *ctx = e->ctx;
	JSValue buf;
	size_t off, len, size;
	uint8_t *data;
	int element, r = qs_bytes_of(e->q, v, &buf, &off, &len);
	if (r < 0)
		return -1;
	if (r > 0)
		return refuse(e, p, "cannot pass a detached or shrunk array buffer to the host");
	element = kind == K_BUFFER ? ELEMENT_ARRAY_BUFFER : kind == K_VIEW ? ELEMENT_DATA_VIEW : element_of_type[JS_GetTypedArrayType(v)];
	r = -1;
	if (len >= BLOB_SIZE) {
		if (len > e->max || e->out.n + e->blob_bytes + 12 > e->max - len) {
			too_large(e);
			goto done;
		}
		if (!GROW(e->blobs, e->cap_blobs, e->nblobs)) {
			no_memory(e);
			goto done;
		}
		if (room(e, 12))
			goto done;
		e->out.p[e->out.n++] = TAG_BLOB;
		e->out.p[e->out.n++] = element;
		put_varint(e, e->nblobs);
		e->blob_bytes += len;
		e->blobs[e->nblobs++] = (qs_blob){0, len, off, buf};
		return 0;
	}
	data = JS_GetArrayBuffer(ctx, &size, buf);
	if (room(e, 2 + 10 + len))
		goto done;
	e->out.p[e->out.n++] = TAG_BYTES;
	e->out.p[e->out.n++] = element;
	put_varint(e, len);
	if (len)
		memcpy(e->out.p + e->out.n, data + off, len);
	e->out.n += len;
	r = 0;
done:
	JS_FreeValue(ctx, buf);
	return r;
}

static int put_bigint(qs_enc *e, JSValueConst v)
{
	JSValue s = qs_hook(e->q, QS_H_BIGINT_TEXT, 1, &v);
	int r;
	if (is_exception(s))
		return -1;
	r = put_tag(e, TAG_BIGINT) || put_text(e, s) ? -1 : 0;
	JS_FreeValue(e->ctx, s);
	return r;
}

/* The kind behind a chain of proxies: what Array.isArray and typeof see. */
static int proxy_kind(qs_enc *e, JSValueConst v)
{
	JSContext *ctx = e->ctx;
	int kind = K_PROXY;
	if (JS_IsFunction(ctx, v))
		return K_FUNCTION;
	v = JS_DupValue(ctx, v);
	for (int i = 0; i < 1000 && kind == K_PROXY; i++) {
		JSValue t = JS_GetProxyTarget(ctx, v);
		JS_FreeValue(ctx, v);
		v = t;
		if (v.tag != JS_TAG_OBJECT)
			break;
		kind = e->q->class_kind[JS_GetClassID(v) & (QS_CLASSES - 1)];
	}
	JS_FreeValue(ctx, v);
	return kind == K_ARRAY ? K_ARRAY : K_OBJECT;
}

static int put_object(qs_enc *e, JSValueConst v, const path *p)
{
	qs *q = e->q;
	JSContext *ctx = e->ctx;
	JSClassID id = JS_GetClassID(v);
	int kind = id < QS_CLASSES ? q->class_kind[id] : K_NONE, r;
	slot *s;

	if (unlikely(kind == K_PROXY))
		kind = proxy_kind(e, v);
	switch (kind) {
	case K_FUNCTION:
		return refuse(e, p, cannot_function);
	case K_SYMBOL:
		return refuse(e, p, cannot_symbol);
	case K_PROMISE:
		return refuse(e, p, "cannot pass a promise to the host: await it");
	case K_BOX: {
		JSValue args[2] = {v, q->class_name[id]};
		JSValue inner = qs_hook(q, QS_H_UNBOX, 2, args);
		if (is_exception(inner))
			return -1;
		r = put_value(e, inner, p);
		JS_FreeValue(ctx, inner);
		return r;
	}
	case K_NONE:
		if (JS_IsFunction(ctx, v))
			return refuse(e, p, cannot_function);
		if (id < QS_CLASSES && q->class_name[id].tag == JS_TAG_STRING) {
			char msg[100];
			const char *name = JS_ToCStringLen2(ctx, NULL, q->class_name[id], 0);
			snprintf(msg, sizeof msg, "cannot pass a %.40s to the host", name ? name : "value");
			JS_FreeCString(ctx, name);
			return refuse(e, p, msg);
		}
		return refuse(e, p, "cannot pass an internal object to the host");
	}

	s = lookup(&e->seen, (uintptr_t)v.u.ptr);
	if (!s)
		return no_memory(e);
	if (s->gen == e->seen.gen)
		return put_head(e, TAG_REF, s->value);
	if (!GROW(e->held, e->cap_held, e->nheld))
		return no_memory(e);
	*s = (slot){(uintptr_t)v.u.ptr, e->nheld, e->seen.gen};
	e->seen.n++;
	e->held[e->nheld++] = JS_DupValue(ctx, v);
	if (e->depth >= MAX_DEPTH) {
		char msg[80];
		snprintf(msg, sizeof msg, "cannot pass a value nested deeper than %d levels to the host", MAX_DEPTH);
		return refuse(e, p, msg);
	}
	e->depth++;
	switch (kind) {
	case K_ARRAY:
		r = put_array(e, v, p);
		break;
	case K_OBJECT:
		r = put_tag(e, TAG_OBJECT) || put_entries(e, v, p) ? -1 : 0;
		break;
	case K_MAP:
		r = put_list(e, qs_hook(q, QS_H_MAP_ENTRIES, 1, &v), TAG_MAP, p);
		break;
	case K_SET:
		r = put_list(e, qs_hook(q, QS_H_SET_VALUES, 1, &v), TAG_SET, p);
		break;
	case K_DATE: {
		JSValue n = qs_hook(q, QS_H_DATE_VALUE, 1, &v);
		double d;
		r = is_exception(n) || JS_ToFloat64(ctx, &d, n) || room(e, 9) ? -1 : 0;
		if (r == 0) {
			e->out.p[e->out.n++] = TAG_DATE;
			if (d != d)
				d = __builtin_nan("");
			memcpy(e->out.p + e->out.n, &d, 8);
			e->out.n += 8;
		}
		break;
	}
	case K_REGEXP:
		r = put_parts(e, qs_hook(q, QS_H_REGEXP_PARTS, 1, &v), TAG_REGEXP, 2, p);
		break;
	case K_ERROR:
		r = put_parts(e, qs_hook(q, QS_H_ERROR_PARTS, 1, &v), TAG_ERROR, 3, p);
		break;
	default:
		r = put_view(e, v, kind, p);
		break;
	}
	e->depth--;
	return r;
}

static int put_value(qs_enc *e, JSValueConst v, const path *p)
{
	switch (v.tag) {
	case JS_TAG_INT: {
		int32_t i = v.u.int32;
		return put_head(e, TAG_INT, ((uint32_t)i << 1) ^ (uint32_t)(i >> 31));
	}
	case JS_TAG_FLOAT64:
		return put_number(e, v.u.float64);
	case JS_TAG_STRING:
	case JS_TAG_STRING_ROPE: {
		/* The tag and the length in one go for the usual short text. */
		size_t n;
		const char *t = JS_ToCStringLen2(e->ctx, &n, v, 0);
		int r;
		if (unlikely(!t))
			return -1;
		r = room(e, n + 11);
		if (likely(r == 0)) {
			e->out.p[e->out.n++] = TAG_STRING;
			put_varint(e, n);
			memcpy(e->out.p + e->out.n, t, n);
			e->out.n += n;
		}
		JS_FreeCString(e->ctx, t);
		return r;
	}
	case JS_TAG_OBJECT:
		return put_object(e, v, p);
	case JS_TAG_UNDEFINED:
	case JS_TAG_UNINITIALIZED:
		return put_tag(e, TAG_UNDEFINED);
	case JS_TAG_NULL:
		return put_tag(e, TAG_NULL);
	case JS_TAG_BOOL:
		return put_tag(e, v.u.int32 ? TAG_TRUE : TAG_FALSE);
	case JS_TAG_SHORT_BIG_INT:
	case JS_TAG_BIG_INT:
		return put_bigint(e, v);
	case JS_TAG_SYMBOL:
		return refuse(e, p, cannot_symbol);
	}
	return refuse(e, p, "cannot pass an internal value to the host");
}

qs_enc *qs_encode(qs *q, JSValueConst v, const char *root, int lenient)
{
	qs_enc *e;
	if (q->enc_depth >= QS_NEST) {
		JS_ThrowRangeError(q->ctx, "values that cross to the host are nested too deeply in getters");
		return NULL;
	}
	e = q->encs[q->enc_depth];
	if (!e) {
		e = q->encs[q->enc_depth] = calloc(1, sizeof *e);
		if (!e) {
			qs_no_memory(q);
			return NULL;
		}
	}
	q->enc_depth++;
	e->q = q;
	e->ctx = q->ctx;
	e->out.n = 0;
	e->max = q->max_message;
	e->blob_bytes = 0;
	e->root = root;
	e->lenient = lenient;
	e->depth = 0;
	e->nheld = e->nkeys = e->natoms = e->nblobs = e->dropped = 0;
	e->dropped_path.n = 0;
	clear_table(&e->seen);
	clear_table(&e->keys);
	if (put_value(e, v, NULL))
		goto failed;
	/* Getters ran since the first blobs were met: look them up again. */
	for (uint32_t i = 0; i < e->nblobs; i++) {
		qs_blob *b = &e->blobs[i];
		size_t size;
		uint8_t *p = JS_GetArrayBuffer(q->ctx, &size, b->buf);
		if (!p || b->off > size || b->len > size - b->off) {
			if (!p)
				JS_FreeValue(q->ctx, JS_GetException(q->ctx));
			refuse(e, NULL, "an array buffer was detached or shrunk while the value was passed to the host");
			goto failed;
		}
		b->ptr = (uintptr_t)(p + b->off);
	}
	return e;
failed:
	qs_encode_end(q, e);
	return NULL;
}

void qs_enc_message(qs_enc *e, qs_msg *m)
{
	*m = (qs_msg){e->out.p, e->out.n, e->blobs, e->nblobs, e->dropped, (const char *)e->dropped_path.p, e->dropped_path.n};
}

/* Freeing may not run guest code: there are no finalizers but in jobs. */
void qs_encode_end(qs *q, qs_enc *e)
{
	JSContext *ctx = q->ctx;
	for (uint32_t i = 0; i < e->nheld; i++)
		JS_FreeValue(ctx, e->held[i]);
	for (uint32_t i = 0; i < e->nblobs; i++)
		JS_FreeValue(ctx, e->blobs[i].buf);
	for (uint32_t i = 0; i < e->natoms; i++)
		JS_FreeAtom(ctx, e->atoms[i]);
	e->nheld = e->nblobs = e->natoms = 0;
	q->enc_depth--;
}

/* --- decoder ------------------------------------------------------------------ */

/* The engine shares the shape of objects with equal keys only if it meets, at every
 * key, an object that ends there; otherwise each row of a table gets a shape of its
 * own. So once keys were seen often, the decoder makes those objects. */
enum { ROW_KEYS = 32, ROW_SEEN = 3, ROW_KINDS = 16 };

typedef struct row_kind {
	uint32_t hash, n, seen;
} row_kind;

typedef struct qs_dec {
	qs *q;
	JSContext *ctx;
	const uint8_t *p, *end;
	const qs_blob *blobs;
	uint32_t nblobs;
	int depth;
	/* Arrays are made from their elements, so that a reference to one that is still
	 * being read finds nothing: then the message is read once more with patient set,
	 * and arrays are made first. */
	int patient, again;

	JSValue *made; /* containers by number, held; undefined: an array being read */
	uint32_t nmade, cap_made;
	JSAtom *keys;
	uint32_t nkeys, cap_keys;
	JSValue *stack; /* elements of arrays that are being read */
	uint32_t nstack, cap_stack;
	row_kind rows[ROW_KINDS];
	JSValue *prefixes;
	uint32_t nprefixes, cap_prefixes;
} qs_dec;

static JSValue malformed(qs_dec *d, const char *what)
{
	if (!JS_HasException(d->ctx))
		JS_ThrowInternalError(d->ctx, "malformed message from the host: %s", what);
	return exception;
}

static inline int get_varint(qs_dec *d, uint64_t *v)
{
	uint64_t r = 0;
	const uint8_t *p = d->p;
	if (likely(p < d->end && *p < 0x80)) {
		*v = *p;
		d->p = p + 1;
		return 0;
	}
	for (int shift = 0; p < d->end && shift < 64; shift += 7) {
		uint8_t c = *p++;
		if (shift == 63 && c > 1)
			return -1;
		r |= (uint64_t)(c & 0x7f) << shift;
		if (c < 0x80) {
			d->p = p;
			*v = r;
			return 0;
		}
	}
	return -1;
}

static inline int get_bytes(qs_dec *d, const uint8_t **p, size_t *n)
{
	uint64_t v;
	if (get_varint(d, &v) || v > (uint64_t)(d->end - d->p))
		return -1;
	*p = d->p;
	*n = v;
	d->p += v;
	return 0;
}

static JSValue get_text(qs_dec *d)
{
	const uint8_t *p;
	size_t n;
	if (get_bytes(d, &p, &n))
		return malformed(d, "text");
	return JS_NewStringLen(d->ctx, (const char *)p, n);
}

static int get_float(qs_dec *d, double *f)
{
	if (d->end - d->p < 8)
		return -1;
	memcpy(f, d->p, 8);
	d->p += 8;
	if (*f != *f)
		*f = __builtin_nan(""); /* nobody else's bits in a tagged value */
	return 0;
}

static JSValue new_float(double f)
{
	JSValue v;
	int32_t i;
	if (f >= -2147483648.0 && f <= 2147483647.0 && (i = (int32_t)f) == f && (i != 0 || !signbit(f)))
		return new_int(i);
	v.u.float64 = f;
	v.tag = JS_TAG_FLOAT64;
	return v;
}

/* Numbers the container v, which the caller keeps. */
static int number(qs_dec *d, JSValueConst v)
{
	if (!GROW(d->made, d->cap_made, d->nmade)) {
		qs_no_memory(d->q);
		return -1;
	}
	d->made[d->nmade++] = v.tag == JS_TAG_OBJECT ? JS_DupValue(d->ctx, v) : undefined;
	return 0;
}

/* The next key of an entry sequence: 1 and the atom, 0 at its end, -1. The atom
 * belongs to the caller when *own is set. */
static inline int get_key(qs_dec *d, JSAtom *atom, int *own)
{
	uint64_t code;
	JSContext *ctx = d->ctx;
	if (unlikely(get_varint(d, &code)))
		goto bad;
	if (code == 0)
		return 0;
	*own = 0;
	if (likely(code & 1)) {
		if (code >> 1 >= d->nkeys)
			goto bad;
		*atom = d->keys[code >> 1];
		return 1;
	}
	uint64_t n = code / 2 - 1;
	if (n > (uint64_t)(d->end - d->p))
		goto bad;
	/* Looking for an atom by its bytes is only right when they are ASCII. */
	uint8_t high = 0;
	for (uint64_t i = 0; i < n; i++)
		high |= d->p[i];
	if (high < 0x80) {
		*atom = JS_NewAtomLen(ctx, (const char *)d->p, n);
	} else {
		JSValue s = JS_NewStringLen(ctx, (const char *)d->p, n);
		if (is_exception(s))
			return -1;
		*atom = JS_ValueToAtom(ctx, s);
		JS_FreeValue(ctx, s);
	}
	if (!*atom)
		return -1;
	d->p += n;
	if (d->nkeys < MAX_KEYS) {
		if (!GROW(d->keys, d->cap_keys, d->nkeys)) {
			JS_FreeAtom(ctx, *atom);
			qs_no_memory(d->q);
			return -1;
		}
		d->keys[d->nkeys++] = *atom;
	} else {
		*own = 1;
	}
	return 1;
bad:
	malformed(d, "key");
	return -1;
}

static JSValue get_value(qs_dec *d);

/* Makes the objects that end at each but the last of the keys. */
static int make_prefixes(qs_dec *d, const JSAtom *keys, uint32_t n)
{
	JSContext *ctx = d->ctx;
	for (uint32_t i = 1; i < n; i++) {
		JSValue o = JS_NewObject(ctx);
		if (is_exception(o))
			return -1;
		if (!GROW(d->prefixes, d->cap_prefixes, d->nprefixes)) {
			JS_FreeValue(ctx, o);
			return 0;
		}
		d->prefixes[d->nprefixes++] = o;
		for (uint32_t k = 0; k < i; k++)
			if (JS_DefinePropertyValue(ctx, o, keys[k], undefined, JS_PROP_C_W_E) < 0)
				return -1;
	}
	return 0;
}

static int count_row(qs_dec *d, const JSAtom *keys, uint32_t n)
{
	uint32_t hash = 2166136261u;
	row_kind *k;
	for (uint32_t i = 0; i < n; i++)
		hash = (hash ^ keys[i]) * 16777619u;
	k = &d->rows[hash >> 28];
	if (k->hash != hash || k->n != n) {
		*k = (row_kind){hash, n, 1};
		return 0;
	}
	return ++k->seen == ROW_SEEN ? make_prefixes(d, keys, n) : 0;
}

static int get_entries(qs_dec *d, JSValueConst obj)
{
	JSContext *ctx = d->ctx;
	JSAtom atom, keys[ROW_KEYS];
	uint32_t n = 0;
	int own, r;
	while ((r = get_key(d, &atom, &own)) > 0) {
		JSValue v = get_value(d);
		if (n < ROW_KEYS)
			keys[n] = atom;
		n += 1 + (own ? ROW_KEYS : 0); /* a key that is not kept could be freed */
		if (unlikely(is_exception(v)))
			r = -1;
		else
			r = JS_DefinePropertyValue(ctx, obj, atom, v, JS_PROP_C_W_E);
		if (own)
			JS_FreeAtom(ctx, atom);
		if (unlikely(r < 0))
			return -1;
	}
	if (r == 0 && n > 1 && n <= ROW_KEYS)
		return count_row(d, keys, n);
	return r;
}

static int get_error_entries(qs_dec *d, JSValueConst err)
{
	JSContext *ctx = d->ctx;
	JSAtom atom;
	int own, r;
	while ((r = get_key(d, &atom, &own)) > 0) {
		size_t n;
		const char *t = JS_AtomToCStringLen(ctx, &n, atom);
		JSValue args[3] = {err, exception, exception}, u;
		if (own)
			JS_FreeAtom(ctx, atom);
		if (!t)
			return -1;
		args[1] = JS_NewStringLen(ctx, t, n);
		JS_FreeCString(ctx, t);
		if (is_exception(args[1]))
			return -1;
		args[2] = get_value(d);
		if (is_exception(args[2])) {
			JS_FreeValue(ctx, args[1]);
			return -1;
		}
		u = qs_hook(d->q, QS_H_ERROR_ENTRY, 3, args);
		JS_FreeValue(ctx, args[1]);
		JS_FreeValue(ctx, args[2]);
		if (is_exception(u))
			return -1;
		JS_FreeValue(ctx, u);
	}
	return r;
}

static JSValue get_array(qs_dec *d)
{
	JSContext *ctx = d->ctx;
	uint64_t n;
	JSValue a;
	if (get_varint(d, &n) || n > (uint64_t)(d->end - d->p))
		return malformed(d, "array");
	if (unlikely(d->patient)) {
		a = JS_NewArray(ctx);
		if (is_exception(a) || number(d, a))
			return exception;
		for (uint64_t i = 0; i < n; i++) {
			JSValue v = get_value(d);
			if (is_exception(v) || JS_DefinePropertyValueUint32(ctx, a, i, v, JS_PROP_C_W_E) < 0) {
				JS_FreeValue(ctx, a);
				return exception;
			}
		}
		return a;
	}
	uint32_t base = d->nstack, id = d->nmade;
	if (number(d, undefined))
		return exception;
	for (uint64_t i = 0; i < n; i++) {
		JSValue v = get_value(d);
		if (unlikely(is_exception(v)))
			return exception; /* what is on the stack is freed at the end */
		if (unlikely(!GROW(d->stack, d->cap_stack, d->nstack))) {
			JS_FreeValue(ctx, v);
			return qs_no_memory(d->q);
		}
		d->stack[d->nstack++] = v;
	}
	d->nstack = base;
	a = JS_NewArrayFrom(ctx, n, d->stack + base);
	if (is_exception(a))
		return a;
	d->made[id] = JS_DupValue(ctx, a);
	return a;
}

static JSValue get_map(qs_dec *d, int tag)
{
	JSContext *ctx = d->ctx;
	uint64_t n;
	JSValue m;
	int values = tag == TAG_MAP ? 2 : 1;
	if (get_varint(d, &n) || n > (uint64_t)(d->end - d->p) / values)
		return malformed(d, "map or set");
	m = qs_hook(d->q, tag == TAG_MAP ? QS_H_NEW_MAP : QS_H_NEW_SET, 0, NULL);
	if (is_exception(m))
		return m;
	if (number(d, m))
		goto failed;
	for (uint64_t i = 0; i < n; i++) {
		JSValue args[3] = {m, undefined, undefined}, u;
		args[1] = get_value(d);
		if (is_exception(args[1]))
			goto failed;
		if (values == 2) {
			args[2] = get_value(d);
			if (is_exception(args[2])) {
				JS_FreeValue(ctx, args[1]);
				goto failed;
			}
		}
		u = qs_hook(d->q, tag == TAG_MAP ? QS_H_MAP_SET : QS_H_SET_ADD, 1 + values, args);
		JS_FreeValue(ctx, args[1]);
		JS_FreeValue(ctx, args[2]);
		if (is_exception(u))
			goto failed;
		JS_FreeValue(ctx, u);
	}
	return m;
failed:
	JS_FreeValue(ctx, m);
	return exception;
}

static JSValue get_error(qs_dec *d)
{
	JSContext *ctx = d->ctx;
	JSValue s[3], err;
	for (int i = 0; i < 3; i++) {
		s[i] = get_text(d);
		if (is_exception(s[i])) {
			while (i-- > 0)
				JS_FreeValue(ctx, s[i]);
			return exception;
		}
	}
	err = qs_hook(d->q, QS_H_NEW_ERROR, 3, s);
	for (int i = 0; i < 3; i++)
		JS_FreeValue(ctx, s[i]);
	if (is_exception(err))
		return err;
	if (number(d, err) || get_error_entries(d, err)) {
		JS_FreeValue(ctx, err);
		return exception;
	}
	return err;
}

static JSValue get_regexp(qs_dec *d)
{
	JSContext *ctx = d->ctx;
	JSValue s[2], r;
	s[0] = get_text(d);
	if (is_exception(s[0]))
		return exception;
	s[1] = get_text(d);
	if (is_exception(s[1])) {
		JS_FreeValue(ctx, s[0]);
		return exception;
	}
	r = qs_hook(d->q, QS_H_NEW_REGEXP, 2, s);
	JS_FreeValue(ctx, s[0]);
	JS_FreeValue(ctx, s[1]);
	if (!is_exception(r) && number(d, r)) {
		JS_FreeValue(ctx, r);
		return exception;
	}
	return r;
}

static JSValue get_view(qs_dec *d, int tag)
{
	JSContext *ctx = d->ctx;
	const uint8_t *p;
	size_t n;
	uint8_t element;
	JSValue buf, v;
	if (d->p == d->end || (element = *d->p++) >= ELEMENTS)
		return malformed(d, "element type");
	if (tag == TAG_BLOB) {
		uint64_t i;
		const qs_blob *b;
		if (get_varint(d, &i) || i >= d->nblobs)
			return malformed(d, "blob");
		b = &d->blobs[i];
		p = (const uint8_t *)b->ptr;
		n = b->len;
		if (b->buf.tag == JS_TAG_OBJECT) {
			/* A clone's blob is another buffer of this heap. */
			size_t size;
			uint8_t *data = JS_GetArrayBuffer(ctx, &size, b->buf);
			if (!data)
				return exception;
			if (b->off > size || n > size - b->off)
				return JS_ThrowTypeError(ctx, "an array buffer was shrunk while it was cloned");
			p = data + b->off;
		}
	} else if (get_bytes(d, &p, &n)) {
		return malformed(d, "bytes");
	}
	if (n % size_of_element[element])
		return malformed(d, "length of a typed array");
	if (element == ELEMENT_UINT8) {
		v = JS_NewUint8ArrayCopy(ctx, p, n);
	} else {
		buf = JS_NewArrayBufferCopy(ctx, p, n);
		if (is_exception(buf))
			return buf;
		if (element == ELEMENT_ARRAY_BUFFER) {
			v = buf;
		} else {
			/* The engine's function looks at three arguments, whatever it is told. */
			JSValue args[3] = {buf, undefined, undefined};
			v = element == ELEMENT_DATA_VIEW ? qs_hook(d->q, QS_H_NEW_DATAVIEW, 1, args)
			                                 : JS_NewTypedArray(ctx, 3, args, type_of_element[element]);
			JS_FreeValue(ctx, buf);
		}
	}
	if (!is_exception(v) && number(d, v)) {
		JS_FreeValue(ctx, v);
		return exception;
	}
	return v;
}

static JSValue get_container(qs_dec *d, int tag)
{
	JSContext *ctx = d->ctx;
	JSValue v = exception;
	if (d->depth >= MAX_DEPTH)
		return malformed(d, "nested too deeply");
	d->depth++;
	switch (tag) {
	case TAG_ARRAY:
		v = get_array(d);
		break;
	case TAG_OBJECT:
		v = JS_NewObject(ctx);
		if (!is_exception(v) && unlikely(number(d, v) || get_entries(d, v))) {
			JS_FreeValue(ctx, v);
			v = exception;
		}
		break;
	case TAG_MAP:
	case TAG_SET:
		v = get_map(d, tag);
		break;
	case TAG_DATE: {
		double f;
		JSValue n;
		if (get_float(d, &f)) {
			malformed(d, "date");
			break;
		}
		n = new_float(f);
		v = qs_hook(d->q, QS_H_NEW_DATE, 1, &n);
		if (!is_exception(v) && number(d, v)) {
			JS_FreeValue(ctx, v);
			v = exception;
		}
		break;
	}
	case TAG_ERROR:
		v = get_error(d);
		break;
	case TAG_REGEXP:
		v = get_regexp(d);
		break;
	default:
		v = get_view(d, tag);
	}
	d->depth--;
	return v;
}

static JSValue get_value(qs_dec *d)
{
	JSContext *ctx = d->ctx;
	JSValue v;
	uint64_t n;
	double f;
	int tag;
	if (unlikely(d->p >= d->end))
		return malformed(d, "it ends early");
	tag = *d->p++;
	switch (tag) {
	case TAG_UNDEFINED:
		return undefined;
	case TAG_NULL:
		v = new_int(0);
		v.tag = JS_TAG_NULL;
		return v;
	case TAG_FALSE:
	case TAG_TRUE:
		v = new_int(tag == TAG_TRUE);
		v.tag = JS_TAG_BOOL;
		return v;
	case TAG_INT:
		if (get_varint(d, &n) || n > UINT32_MAX)
			return malformed(d, "integer");
		return new_int((int32_t)((uint32_t)n >> 1 ^ -((uint32_t)n & 1)));
	case TAG_FLOAT:
		if (get_float(d, &f))
			return malformed(d, "number");
		v.u.float64 = f;
		v.tag = JS_TAG_FLOAT64;
		return v;
	case TAG_BIGINT: {
		const uint8_t *digits;
		size_t len, i;
		JSValue s;
		if (get_bytes(d, &digits, &len))
			return malformed(d, "bigint");
		i = len > 0 && digits[0] == '-';
		if (i == len)
			return malformed(d, "bigint");
		for (; i < len; i++)
			if (!((digits[i] >= '0' && digits[i] <= '9') || (digits[i] >= 'a' && digits[i] <= 'f')))
				return malformed(d, "bigint");
		s = JS_NewStringLen(ctx, (const char *)digits, len);
		if (is_exception(s))
			return s;
		v = qs_hook(d->q, QS_H_NEW_BIGINT, 1, &s);
		JS_FreeValue(ctx, s);
		return v;
	}
	case TAG_STRING:
		return get_text(d);
	case TAG_REF:
		if (get_varint(d, &n) || n >= d->nmade)
			return malformed(d, "reference");
		if (unlikely(d->made[n].tag != JS_TAG_OBJECT)) {
			d->again = 1;
			return exception;
		}
		return JS_DupValue(ctx, d->made[n]);
	case TAG_HOSTFUNC: {
		JSValue args[2];
		if (get_varint(d, &n))
			return malformed(d, "host function");
		args[0] = new_float((double)n);
		args[1] = get_text(d);
		if (is_exception(args[1]))
			return exception;
		v = qs_hook(d->q, QS_H_HOST_FUNCTION, 2, args);
		JS_FreeValue(ctx, args[1]);
		return v;
	}
	}
	if (tag > TAG_HOSTFUNC)
		return malformed(d, "unknown tag");
	return get_container(d, tag);
}

JSValue qs_decode(qs *q, const uint8_t *p, size_t n, const qs_blob *blobs, uint32_t nblobs)
{
	JSContext *ctx = q->ctx;
	JSValue v;
	qs_dec *d;
	if (q->dec_depth >= QS_NEST)
		return JS_ThrowRangeError(ctx, "values from the host are nested too deeply");
	d = q->decs[q->dec_depth];
	if (!d) {
		d = q->decs[q->dec_depth] = calloc(1, sizeof *d);
		if (!d)
			return qs_no_memory(q);
	}
	q->dec_depth++;
	d->q = q;
	d->ctx = ctx;
	d->blobs = blobs;
	d->nblobs = nblobs;
	d->patient = 0;
	do {
		d->p = p;
		d->end = p + n;
		d->depth = 0;
		d->again = 0;
		d->nmade = d->nkeys = d->nstack = d->nprefixes = 0;
		memset(d->rows, 0, sizeof d->rows);
		v = get_value(d);
		if (!is_exception(v) && d->p != d->end) {
			JS_FreeValue(ctx, v);
			v = malformed(d, "it goes on after its value");
		}
		for (uint32_t i = 0; i < d->nstack; i++)
			JS_FreeValue(ctx, d->stack[i]);
		for (uint32_t i = 0; i < d->nmade; i++)
			JS_FreeValue(ctx, d->made[i]);
		for (uint32_t i = 0; i < d->nprefixes; i++)
			JS_FreeValue(ctx, d->prefixes[i]);
		for (uint32_t i = 0; i < d->nkeys; i++)
			JS_FreeAtom(ctx, d->keys[i]);
		d->patient = 1;
	} while (d->again);
	q->dec_depth--;
	return v;
}

/* --- UTF-8 ---------------------------------------------------------------------- */

JSValue qs_utf8_encode(qs *q, JSValueConst v)
{
	JSContext *ctx = q->ctx;
	JSValue r, buf;
	const char *t;
	size_t n, size;
	if (!is_string(v))
		return JS_ThrowTypeError(ctx, "not a string");
	t = JS_ToCStringLen2(ctx, &n, v, 0);
	if (!t)
		return exception;
	r = JS_NewUint8ArrayCopy(ctx, (const uint8_t *)t, n);
	JS_FreeCString(ctx, t);
	if (is_exception(r) || n == 0)
		return r;
	/* A lone surrogate takes three bytes, as U+FFFD does. */
	buf = JS_GetTypedArrayBuffer(ctx, r, NULL, NULL, NULL);
	uint8_t *p = JS_GetArrayBuffer(ctx, &size, buf), *end = p + n;
	JS_FreeValue(ctx, buf);
	while (p && (p = memchr(p, 0xed, end - p))) {
		if (p + 2 < end && p[1] >= 0xa0)
			memcpy(p, "\xef\xbf\xbd", 3);
		p++;
	}
	return r;
}

/* The length of the sequence at p: positive when it is well formed, else minus the
 * length of its maximal subpart. */
static int sequence(const uint8_t *p, const uint8_t *end)
{
	uint8_t c = p[0], low = 0x80, high = 0xbf;
	int need;
	if (c < 0x80)
		return 1;
	if (c < 0xc2 || c > 0xf4)
		return -1;
	need = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
	if (c == 0xe0)
		low = 0xa0;
	else if (c == 0xed)
		high = 0x9f;
	else if (c == 0xf0)
		low = 0x90;
	else if (c == 0xf4)
		high = 0x8f;
	for (int i = 1; i <= need; i++) {
		if (p + i >= end || p[i] < low || p[i] > high)
			return -i;
		low = 0x80;
		high = 0xbf;
	}
	return need + 1;
}

JSValue qs_utf8_decode(qs *q, JSValueConst v, int fatal)
{
	JSContext *ctx = q->ctx;
	JSValue buf, r;
	size_t off, n, size, bad = 0;
	const uint8_t *p, *s, *end;
	if (v.tag != JS_TAG_OBJECT || qs_bytes_of(q, v, &buf, &off, &n))
		return JS_ThrowTypeError(ctx, "not a usable Uint8Array");
	s = JS_GetArrayBuffer(ctx, &size, buf) + off;
	end = s + n;
	for (p = s; p < end;) {
		uint64_t w;
		while (end - p >= 8) {
			memcpy(&w, p, 8);
			if (w & 0x8080808080808080ull)
				break;
			p += 8;
		}
		if (p == end)
			break;
		int k = sequence(p, end);
		if (k < 0) {
			bad++;
			k = -k;
		}
		p += k;
	}
	if (!bad) {
		r = JS_NewStringLen(ctx, (const char *)s, n);
	} else if (fatal) {
		r = undefined;
	} else {
		/* A bad byte becomes three. */
		uint8_t *out = js_malloc(ctx, n + 2 * bad + 1), *o = out;
		if (!out) {
			JS_FreeValue(ctx, buf);
			return exception;
		}
		for (p = s; p < end;) {
			int k = sequence(p, end);
			if (k < 0) {
				o = mempcpy(o, "\xef\xbf\xbd", 3);
				k = -k;
			} else {
				o = mempcpy(o, p, k);
			}
			p += k;
		}
		r = JS_NewStringLen(ctx, (char *)out, o - out);
		js_free(ctx, out);
	}
	JS_FreeValue(ctx, buf);
	return r;
}

/* --- memory of the isolate ---------------------------------------------------------- */

void qs_wire_unwound(qs *q)
{
	q->enc_depth = q->dec_depth = 0;
}

static void free_enc(qs_enc *e)
{
	if (!e)
		return;
	free(e->out.p);
	free(e->seen.slots);
	free(e->held);
	free(e->keys.slots);
	free(e->atoms);
	free(e->blobs);
	free(e->dropped_path.p);
	free(e);
}

static void free_dec(qs_dec *d)
{
	if (!d)
		return;
	free(d->made);
	free(d->keys);
	free(d->stack);
	free(d->prefixes);
	free(d);
}

/* Gives back what a large message made large. */
void qs_wire_trim(qs *q)
{
	qs_wire_unwound(q);
	for (int i = 0; i < QS_NEST; i++) {
		qs_enc *e = q->encs[i];
		qs_dec *d = q->decs[i];
		if (e && (i > 0 || e->out.cap > (256 << 10) || e->seen.cap > 8192 || e->keys.cap > 8192 || e->cap_held > 16384)) {
			free_enc(e);
			q->encs[i] = NULL;
		}
		if (d && (i > 0 || d->cap_made > 16384 || d->cap_stack > 16384 || d->cap_keys > 8192)) {
			free_dec(d);
			q->decs[i] = NULL;
		}
	}
}

void qs_wire_free(qs *q)
{
	for (int i = 0; i < QS_NEST; i++) {
		free_enc(q->encs[i]);
		free_dec(q->decs[i]);
	}
}
