/*
 * The part of QuickJS-NG 0.15.1's C API that this package uses, declared by
 * ourselves: cgo cannot include a header out of another module. The functions are
 * resolved at the final link. abi_test.go compiles this file together with the real
 * header, so that the compiler refuses a declaration which differs.
 *
 * For that, QS_ABI_CHECK leaves out our types and QS_ABI_TYPES our functions.
 */
#ifndef QJS_ABI_H
#define QJS_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef QS_ABI_CHECK

#if INTPTR_MAX < INT64_MAX
#error "values are boxed on 32-bit platforms: not supported"
#endif

typedef struct JSRuntime JSRuntime;
typedef struct JSContext JSContext;
typedef struct JSModuleDef JSModuleDef;
typedef uint32_t JSClassID;
typedef uint32_t JSAtom;

enum {
	JS_TAG_BIG_INT = -9,
	JS_TAG_SYMBOL = -8,
	JS_TAG_STRING = -7,
	JS_TAG_STRING_ROPE = -6,
	JS_TAG_MODULE = -3,
	JS_TAG_FUNCTION_BYTECODE = -2,
	JS_TAG_OBJECT = -1,
	JS_TAG_INT = 0,
	JS_TAG_BOOL = 1,
	JS_TAG_NULL = 2,
	JS_TAG_UNDEFINED = 3,
	JS_TAG_UNINITIALIZED = 4,
	JS_TAG_EXCEPTION = 6,
	JS_TAG_SHORT_BIG_INT = 7,
	JS_TAG_FLOAT64 = 8,
};

typedef union JSValueUnion {
	int32_t int32;
	double float64;
	void *ptr;
	int32_t short_big_int;
} JSValueUnion;

typedef struct JSValue {
	JSValueUnion u;
	int64_t tag;
} JSValue;
#define JSValueConst JSValue

typedef struct JSMallocFunctions {
	void *(*js_calloc)(void *opaque, size_t count, size_t size);
	void *(*js_malloc)(void *opaque, size_t size);
	void (*js_free)(void *opaque, void *ptr);
	void *(*js_realloc)(void *opaque, void *ptr, size_t size);
	size_t (*js_malloc_usable_size)(const void *ptr);
} JSMallocFunctions;

typedef struct JSPropertyEnum {
	bool is_enumerable;
	JSAtom atom;
} JSPropertyEnum;

typedef struct JSPropertyDescriptor {
	int flags;
	JSValue value;
	JSValue getter;
	JSValue setter;
} JSPropertyDescriptor;

typedef struct JSEvalOptions {
	int version;
	int eval_flags;
	const char *filename;
	int line_num;
} JSEvalOptions;

typedef enum JSCFunctionEnum { JS_CFUNC_generic = 0 } JSCFunctionEnum;

typedef enum JSTypedArrayEnum {
	JS_TYPED_ARRAY_UINT8C = 0,
	JS_TYPED_ARRAY_INT8,
	JS_TYPED_ARRAY_UINT8,
	JS_TYPED_ARRAY_INT16,
	JS_TYPED_ARRAY_UINT16,
	JS_TYPED_ARRAY_INT32,
	JS_TYPED_ARRAY_UINT32,
	JS_TYPED_ARRAY_BIG_INT64,
	JS_TYPED_ARRAY_BIG_UINT64,
	JS_TYPED_ARRAY_FLOAT16,
	JS_TYPED_ARRAY_FLOAT32,
	JS_TYPED_ARRAY_FLOAT64,
} JSTypedArrayEnum;

typedef enum JSPromiseStateEnum {
	JS_PROMISE_NOT_A_PROMISE = -1,
	JS_PROMISE_PENDING = 0,
	JS_PROMISE_FULFILLED,
	JS_PROMISE_REJECTED,
} JSPromiseStateEnum;

#define JS_PROP_CONFIGURABLE (1 << 0)
#define JS_PROP_WRITABLE (1 << 1)
#define JS_PROP_ENUMERABLE (1 << 2)
#define JS_PROP_C_W_E (JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE | JS_PROP_ENUMERABLE)
#define JS_EVAL_TYPE_GLOBAL (0 << 0)
#define JS_EVAL_TYPE_MODULE (1 << 0)
#define JS_EVAL_FLAG_COMPILE_ONLY (1 << 5)
#define JS_EVAL_OPTIONS_VERSION 1
#define JS_GPN_STRING_MASK (1 << 0)
#define JS_GPN_ENUM_ONLY (1 << 4)
#define JS_WRITE_OBJ_BYTECODE (1 << 0)
#define JS_WRITE_OBJ_STRIP_SOURCE (1 << 4)
#define JS_READ_OBJ_BYTECODE (1 << 0)

typedef JSValue JSCFunction(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv);
typedef int JSInterruptHandler(JSRuntime *rt, void *opaque);
typedef char *JSModuleNormalizeFunc(JSContext *ctx, const char *module_base_name, const char *module_name, void *opaque);
typedef JSModuleDef *JSModuleLoaderFunc(JSContext *ctx, const char *module_name, void *opaque);
typedef int JSModuleInitFunc(JSContext *ctx, JSModuleDef *m);

#endif /* QS_ABI_CHECK */

#ifndef QS_ABI_TYPES

extern const char *JS_GetVersion(void);

extern JSRuntime *JS_NewRuntime2(const JSMallocFunctions *mf, void *opaque);
extern void JS_RunGC(JSRuntime *rt);
extern void JS_SetMaxStackSize(JSRuntime *rt, size_t stack_size);
extern void JS_UpdateStackTop(JSRuntime *rt);
extern void JS_SetInterruptHandler(JSRuntime *rt, JSInterruptHandler *cb, void *opaque);
extern void JS_SetCanBlock(JSRuntime *rt, bool can_block);
extern void JS_SetModuleLoaderFunc(JSRuntime *rt, JSModuleNormalizeFunc *module_normalize, JSModuleLoaderFunc *module_loader, void *opaque);
extern int JS_ExecutePendingJob(JSRuntime *rt, JSContext **pctx);
extern bool JS_IsJobPending(JSRuntime *rt);

extern JSContext *JS_NewContextRaw(JSRuntime *rt);
extern void *JS_GetContextOpaque(JSContext *ctx);
extern void JS_SetContextOpaque(JSContext *ctx, void *opaque);
extern int JS_AddIntrinsicBaseObjects(JSContext *ctx);
extern int JS_AddIntrinsicDate(JSContext *ctx);
extern int JS_AddIntrinsicEval(JSContext *ctx);
extern void JS_AddIntrinsicRegExpCompiler(JSContext *ctx);
extern int JS_AddIntrinsicRegExp(JSContext *ctx);
extern int JS_AddIntrinsicJSON(JSContext *ctx);
extern int JS_AddIntrinsicProxy(JSContext *ctx);
extern int JS_AddIntrinsicMapSet(JSContext *ctx);
extern int JS_AddIntrinsicTypedArrays(JSContext *ctx);
extern int JS_AddIntrinsicPromise(JSContext *ctx);
extern int JS_AddIntrinsicWeakRef(JSContext *ctx);
extern JSValue JS_GetGlobalObject(JSContext *ctx);

extern void *js_malloc(JSContext *ctx, size_t size);
extern void js_free(JSContext *ctx, void *ptr);
extern char *js_strdup(JSContext *ctx, const char *str);

extern JSAtom JS_NewAtomLen(JSContext *ctx, const char *str, size_t len);
extern JSAtom JS_DupAtom(JSContext *ctx, JSAtom v);
extern void JS_FreeAtom(JSContext *ctx, JSAtom v);
extern const char *JS_AtomToCStringLen(JSContext *ctx, size_t *plen, JSAtom atom);
extern JSAtom JS_ValueToAtom(JSContext *ctx, JSValueConst val);

extern JSClassID JS_GetClassID(JSValueConst v);

extern void JS_FreeValue(JSContext *ctx, JSValue v);
extern JSValue JS_DupValue(JSContext *ctx, JSValueConst v);
extern JSValue JS_Throw(JSContext *ctx, JSValue obj);
extern JSValue JS_GetException(JSContext *ctx);
extern bool JS_HasException(JSContext *ctx);
extern bool JS_IsError(JSValueConst val);
extern JSValue JS_NewTypeError(JSContext *ctx, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
extern JSValue JS_NewPlainError(JSContext *ctx, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
extern JSValue JS_ThrowInternalError(JSContext *ctx, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
extern JSValue JS_ThrowPlainError(JSContext *ctx, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
extern JSValue JS_ThrowRangeError(JSContext *ctx, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
extern JSValue JS_ThrowTypeError(JSContext *ctx, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

extern int JS_ToBool(JSContext *ctx, JSValueConst val);
extern int JS_ToFloat64(JSContext *ctx, double *pres, JSValueConst val);
extern JSValue JS_NewStringLen(JSContext *ctx, const char *str1, size_t len1);
extern const char *JS_ToCStringLen2(JSContext *ctx, size_t *plen, JSValueConst val1, bool cesu8);
extern void JS_FreeCString(JSContext *ctx, const char *ptr);

extern JSValue JS_NewObject(JSContext *ctx);
extern JSValue JS_NewArray(JSContext *ctx);
extern JSValue JS_NewArrayFrom(JSContext *ctx, int count, const JSValue *values);
extern bool JS_IsFunction(JSContext *ctx, JSValueConst val);
extern bool JS_IsArray(JSValueConst val);
extern JSValue JS_GetProxyTarget(JSContext *ctx, JSValueConst proxy);
extern JSValue JS_GetPrototype(JSContext *ctx, JSValueConst val);
extern JSValue JS_GetProperty(JSContext *ctx, JSValueConst this_obj, JSAtom prop);
extern JSValue JS_GetPropertyInt64(JSContext *ctx, JSValueConst this_obj, int64_t idx);
extern JSValue JS_GetPropertyStr(JSContext *ctx, JSValueConst this_obj, const char *prop);
extern int JS_GetLength(JSContext *ctx, JSValueConst obj, int64_t *pres);
extern int JS_GetOwnProperty(JSContext *ctx, JSPropertyDescriptor *desc, JSValueConst obj, JSAtom prop);
extern int JS_GetOwnPropertyNames(JSContext *ctx, JSPropertyEnum **ptab, uint32_t *plen, JSValueConst obj, int flags);
extern void JS_FreePropertyEnum(JSContext *ctx, JSPropertyEnum *tab, uint32_t len);
extern int JS_DeleteProperty(JSContext *ctx, JSValueConst obj, JSAtom prop, int flags);
extern int JS_DefinePropertyValue(JSContext *ctx, JSValueConst this_obj, JSAtom prop, JSValue val, int flags);
extern int JS_DefinePropertyValueUint32(JSContext *ctx, JSValueConst this_obj, uint32_t idx, JSValue val, int flags);
extern int JS_DefinePropertyValueStr(JSContext *ctx, JSValueConst this_obj, const char *prop, JSValue val, int flags);
extern JSValue JS_Call(JSContext *ctx, JSValueConst func_obj, JSValueConst this_obj, int argc, JSValueConst *argv);
extern JSValue JS_NewCFunction2(JSContext *ctx, JSCFunction *func, const char *name, int length, JSCFunctionEnum cproto, int magic);

extern JSValue JS_NewArrayBufferCopy(JSContext *ctx, const uint8_t *buf, size_t len);
extern uint8_t *JS_GetArrayBuffer(JSContext *ctx, size_t *psize, JSValueConst obj);
extern JSValue JS_NewTypedArray(JSContext *ctx, int argc, JSValueConst *argv, JSTypedArrayEnum array_type);
extern JSValue JS_GetTypedArrayBuffer(JSContext *ctx, JSValueConst obj, size_t *pbyte_offset, size_t *pbyte_length, size_t *pbytes_per_element);
extern JSValue JS_NewUint8ArrayCopy(JSContext *ctx, const uint8_t *buf, size_t len);
extern int JS_GetTypedArrayType(JSValueConst obj);

extern JSValue JS_NewPromiseCapability(JSContext *ctx, JSValue *resolving_funcs);
extern JSPromiseStateEnum JS_PromiseState(JSContext *ctx, JSValueConst promise);
extern JSValue JS_PromiseResult(JSContext *ctx, JSValueConst promise);

extern JSValue JS_Eval2(JSContext *ctx, const char *input, size_t input_len, JSEvalOptions *options);
extern uint8_t *JS_WriteObject(JSContext *ctx, size_t *psize, JSValueConst obj, int flags);
extern JSValue JS_ReadObject(JSContext *ctx, const uint8_t *buf, size_t buf_len, int flags);
extern JSValue JS_EvalFunction(JSContext *ctx, JSValue fun_obj);
extern int JS_ResolveModule(JSContext *ctx, JSValueConst obj);
extern JSValue JS_GetModuleNamespace(JSContext *ctx, JSModuleDef *m);
extern JSModuleDef *JS_NewCModule(JSContext *ctx, const char *name_str, JSModuleInitFunc *func);
extern int JS_AddModuleExport(JSContext *ctx, JSModuleDef *m, const char *name_str);
extern int JS_SetModuleExport(JSContext *ctx, JSModuleDef *m, const char *export_name, JSValue val);
extern int JS_SetModulePrivateValue(JSContext *ctx, JSModuleDef *m, JSValue val);
extern JSValue JS_GetModulePrivateValue(JSContext *ctx, JSModuleDef *m);

#endif /* QS_ABI_TYPES */
#endif
