package qjspure

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"modernc.org/libc"
	lib "modernc.org/libquickjs"

	"quicksand/engine"
	"quicksand/internal/marshal"
)

// Callbacks of the engine. They must be package-level functions: images hold their
// addresses.
var (
	interruptCode       = code(onInterrupt)
	nativeCode          = code(onNative)
	normalizeCode       = code(onNormalize)
	loadCode            = code(onLoad)
	dummyLoaderCode     = code(onDummyLoad)
	dummyModuleCode     = code(onDummyModule)
	checkAttributesCode = code(onCheckAttributes)
	freeBufferCode      = code(onFreeBuffer)
	initFacadeCode      = code(onInitFacade)
)

// onInterrupt is the engine's poll.
func onInterrupt(_ *libc.TLS, _ uintptr, handle uintptr) int32 {
	v := byHandle(handle)
	if v.interrupted.Load() {
		// Whatever goes on in spite of the exception is polled at once.
		(*lib.TJSContext)(at(v.ctx)).Finterrupt_counter = 1
		return 1
	}
	v.maybeFlush()
	return 0
}

// maybeFlush lets the host start work that waits while the guest goes on computing.
func (v *isolate) maybeFlush() {
	if len(v.queue) == 0 || v.host == nil {
		return
	}
	if t := now(); t-v.began >= flushAfter && t-v.flushed >= flushAfter {
		v.flushed = t
		host := v.host
		v.upcall(host.Flush)
	}
}

func onFreeBuffer(tls *libc.TLS, rt, _, p uintptr) { lib.Xjs_free_rt(tls, rt, p) }

func onDummyModule(*libc.TLS, uintptr, uintptr) int32 { return 0 }

// onDummyLoad stands for any module while source is compiled: imports are resolved
// only when the bytecode is linked.
func onDummyLoad(tls *libc.TLS, ctx, name, _ uintptr, _ value) uintptr {
	return lib.XJS_NewCModule(tls, ctx, name, dummyModuleCode)
}

// onCheckAttributes refuses import attributes in source. For import() it gets out of
// the way, since the normalizer refuses it with a better message.
func onCheckAttributes(_ *libc.TLS, ctx, handle uintptr, _ value) int32 {
	v := byHandle(handle)
	if v.compiling == nil {
		return 0
	}
	lib.XJS_Throw(v.tls, ctx, v.newError(lib.EJS_SYNTAX_ERROR, "import attributes are not supported"))
	return -1
}

// onNormalize maps a specifier to the identity of a module, as a string that the
// engine frees.
func onNormalize(tls *libc.TLS, ctx, base, name, handle uintptr) uintptr {
	v := byHandle(handle)
	specifier := libc.GoString(name)
	if !v.linking {
		shown := printable(specifier, 200)
		v.throwType(fmt.Sprintf(`dynamic import() of %s is not available in the sandbox: write a static import at the top of the program, import … from %s`, shown, shown))
		return 0
	}
	from := libc.GoString(base)
	var (
		imp engine.Import
		err error
	)
	host := v.host
	if !v.upcall(func() { imp, err = host.Resolve(from, specifier) }) {
		v.throwInternal()
		return 0
	}
	if err == nil {
		err = v.noteImport(imp)
	}
	if err != nil {
		lib.XJS_Throw(tls, ctx, v.newError(lib.EJS_TYPE_ERROR, strings.ToValidUTF8(err.Error(), "\ufffd")))
		return 0
	}
	out := lib.Xjs_malloc(tls, ctx, lib.Tsize_t(len(imp.ID)+1))
	if out != 0 {
		b := mem(out, uintptr(len(imp.ID)+1))
		copy(b, imp.ID)
		b[len(imp.ID)] = 0
	}
	return out
}

// An imported is what a run imports. The engine finds it loaded by its identity.
type imported struct {
	p *program
	// facade is the encoded argument of the hook facade, for a module without program.
	facade []byte
}

// noteImport keeps what onLoad needs of an import.
func (v *isolate) noteImport(imp engine.Import) error {
	if _, known := v.imports[imp.ID]; known {
		return nil
	}
	var m imported
	var err error
	_, loaded := v.loaded[imp.ID]
	switch {
	case loaded && (imp.Program != nil || len(imp.Exports) > 0):
		err = fmt.Errorf("import %q: the image has a module of this identity", imp.ID)
	case loaded: // the engine finds it
	case len(imp.Exports) > 0:
		m.facade, err = engine.Facade(imp)
	case imp.ID == "" || strings.IndexByte(imp.ID, 0) >= 0:
		err = fmt.Errorf("import %q: invalid module identity", imp.ID)
	default:
		m.p, err = own(imp.Program, engine.Module)
	}
	if err != nil {
		return err
	}
	if v.imports == nil {
		v.imports = map[string]imported{}
	}
	v.imports[imp.ID] = m
	return nil
}

// onLoad makes the module that onNormalize found.
func onLoad(tls *libc.TLS, ctx, name, handle uintptr, _ value) uintptr {
	v := byHandle(handle)
	id := libc.GoString(name)
	found, ok := v.imports[id]
	switch {
	case !ok || found.p == nil && found.facade == nil:
		v.throwType("module " + printable(id, 200) + " is not loaded")
		return 0
	case found.facade != nil:
		return v.newFacade(name, found.facade)
	}
	return v.loadAs(name, found.p)
}

// loadAs is loadModule under the identity at name: its imports are relative to that, and it
// is found again by it.
func (v *isolate) loadAs(name uintptr, p *program) uintptr {
	id := lib.XJS_NewAtom(v.tls, v.ctx, name)
	m := v.loadModule(p)
	if m == 0 {
		return 0
	}
	mod := (*lib.TJSModuleDef)(at(m))
	lib.XJS_FreeAtom(v.tls, v.ctx, mod.Fmodule_name)
	mod.Fmodule_name = id
	return m
}

// newFacade makes a module of host functions, which the prelude makes at once, before any
// guest code runs. It returns 0 with an exception pending.
func (v *isolate) newFacade(name uintptr, facade []byte) uintptr {
	arg, err := v.decode(marshal.Message{Wire: facade})
	if err != nil {
		v.throwError(err)
		return 0
	}
	list := v.call(v.hook.facade, arg)
	v.free(arg)
	if isException(list) {
		return 0
	}
	m := lib.XJS_NewCModule(v.tls, v.ctx, name, initFacadeCode)
	if m == 0 {
		v.free(list)
		return 0
	}
	lib.XJS_SetModulePrivateValue(v.tls, v.ctx, m, list) // takes the reference
	if !v.facadeExports(m, list, true) {
		return 0
	}
	return m
}

// facadeExports goes through what the hook facade returned, names and values in turn, to
// declare the exports of m or to give them their values.
func (v *isolate) facadeExports(m uintptr, list value, declare bool) bool {
	length := lib.XJS_GetPropertyStr(v.tls, v.ctx, list, v.stage.put("length"))
	n, _ := numberOf(length)
	for i := uint32(0); i+1 < uint32(n); i += 2 {
		x := lib.XJS_GetPropertyUint32(v.tls, v.ctx, list, i)
		if isException(x) {
			return false
		}
		name := v.goString(x)
		v.free(x)
		if declare {
			if lib.XJS_AddModuleExport(v.tls, v.ctx, m, v.stage.put(name)) < 0 {
				return false
			}
			continue
		}
		x = lib.XJS_GetPropertyUint32(v.tls, v.ctx, list, i+1)
		if isException(x) || lib.XJS_SetModuleExport(v.tls, v.ctx, m, v.stage.put(name), x) < 0 {
			return false
		}
	}
	return true
}

func onInitFacade(tls *libc.TLS, ctx, m uintptr) int32 {
	v := byContext(ctx)
	list := lib.XJS_GetModulePrivateValue(tls, ctx, m)
	ok := v.facadeExports(m, list, false)
	v.free(list)
	if !ok {
		return -1
	}
	return 0
}

// loadModule makes a module of bytecode, or returns 0 with an exception pending.
func (v *isolate) loadModule(p *program) uintptr {
	obj := v.readBytecode(p)
	if isException(obj) {
		return 0
	}
	if tagOf(obj) != lib.EJS_TAG_MODULE {
		v.free(obj)
		v.throwType("not a module")
		return 0
	}
	v.free(obj) // the context's list of modules keeps it
	return addrOf(obj)
}

// onNative is the guest's one native function.
func onNative(_ *libc.TLS, ctx uintptr, _ value, argc int32, argv uintptr) value {
	v := byContext(ctx)
	opNumber := valueAt(argv)
	op := int32(uint32(opNumber.Fu.Fuint641))
	if tagOf(opNumber) != lib.EJS_TAG_INT {
		f, ok := numberOf(opNumber)
		if op = int32(f); !ok || float64(op) != f {
			return v.throwType("native: the operation is not a number")
		}
	}
	arg, hasArg := undefined, argc > 1
	second := undefined
	if argc > 2 {
		second = valueAt(argv + 2*valueSize)
	}
	if hasArg {
		arg = valueAt(argv + valueSize)
	}
	switch {
	case op >= engine.OpAsync:
		return v.asyncCall(uint32(op), arg, hasArg, isTrue(second))
	case op >= engine.OpHost:
		return v.syncCall(uint32(op), arg, hasArg)
	}
	return v.ownOp(op, arg, second)
}

func (v *isolate) syncCall(op uint32, arg value, hasArg bool) value {
	host := v.host
	if host == nil || v.evaluating {
		v.asked = true
		return v.throwType(fmt.Sprintf("native: operation %d is not available here", op))
	}
	var msg marshal.Message
	if hasArg {
		var ok bool
		if msg, ok = v.encode(arg, "value", engine.Strict); !ok {
			return exception
		}
	}
	v.upBegin()
	reply, ok := v.hostCall(host, op, msg)
	v.upEnd()
	if !ok {
		return v.throwInternal()
	}
	if len(reply.Value.Wire) == 0 && !reply.Throw {
		return undefined
	}
	x, err := v.decode(reply.Value)
	if err != nil {
		return v.throwError(err)
	}
	if reply.Throw {
		return lib.XJS_Throw(v.tls, v.ctx, x)
	}
	return x
}

// hostCall contains a panic of the host. See contain.
func (v *isolate) hostCall(host engine.Host, op uint32, msg marshal.Message) (reply engine.Reply, ok bool) {
	defer func() {
		if ok {
			return
		}
		if r := recover(); r != nil && !v.panicked {
			v.panicked, v.panicValue = true, r
		}
	}()
	reply = host.Call(op, msg)
	return reply, true
}

func (v *isolate) asyncCall(op uint32, arg value, hasArg, keepStack bool) value {
	if v.base == nil || v.module == 0 {
		v.asked = true
		return v.throwType(fmt.Sprintf("native: operation %d is not available here", op))
	}
	var msg marshal.Message
	if hasArg {
		var ok bool
		if msg, ok = v.encodeOwned(arg, "value", engine.Strict); !ok {
			return exception
		}
	}
	// Counted here, since getters that the encoder ran may have made calls.
	if len(v.pending) >= v.maxCalls {
		return v.throwRange(fmt.Sprintf("too many asynchronous calls: %d are not settled, the limit is %d", len(v.pending), v.maxCalls))
	}
	size := int64(len(msg.Wire))
	for _, b := range msg.Blobs {
		size += int64(len(b))
	}
	if v.queued+size > v.maxMessage {
		return v.throwRange(fmt.Sprintf("too much data in asynchronous calls: the limit is %d bytes", v.maxMessage))
	}
	bp := v.tls.Alloc(2 * valueSize)
	defer v.tls.Free(2 * valueSize)
	promise := lib.XJS_NewPromiseCapability(v.tls, v.ctx, bp)
	if isException(promise) {
		return promise
	}
	funcs := promiseFuncs{resolve: valueAt(bp), reject: valueAt(bp + valueSize)}
	if keepStack && isObject(v.hook.rejected) {
		funcs.at = v.callSites()
	}
	v.lastID++
	id := v.lastID
	if v.pending == nil {
		v.pending = map[engine.CallID]promiseFuncs{}
	}
	v.pending[id] = funcs
	v.queue = append(v.queue, engine.Call{ID: id, Op: op, Arg: msg})
	v.queued += size
	v.maybeFlush()
	return promise
}

func isTrue(x value) bool { return tagOf(x) == lib.EJS_TAG_BOOL && int32(uint32(x.Fu.Fuint641)) != 0 }

// ownOp serves the operations of the engine itself.
func (v *isolate) ownOp(op int32, arg, second value) value {
	switch op {
	case engine.OpHooks:
		if !v.building || !isObject(arg) {
			return v.throwType("native: hooks are registered once, by the prelude")
		}
		return v.registerHooks(arg)
	case engine.OpUnit:
		i := int32(uint32(arg.Fu.Fuint641))
		if tagOf(arg) != lib.EJS_TAG_INT || i < 0 || int(i) >= len(v.units) {
			return v.throwRange("native: no such unit")
		}
		return v.script(v.units[i])
	case engine.OpUTF8Encode:
		if !isString(arg) {
			return v.throwType("native: not a string")
		}
		return v.encodeUTF8(arg)
	case engine.OpUTF8Decode:
		b, ok := v.uint8Array(arg)
		if !ok {
			return v.throwType("native: not a Uint8Array")
		}
		fatal := isTrue(second)
		if fatal && !utf8.Valid(b) {
			return undefined
		}
		return v.decodeUTF8(b)
	case engine.OpClone:
		msg, ok := v.encode(arg, "value", engine.Strict)
		if !ok {
			return exception
		}
		x, err := v.decode(msg)
		if err != nil {
			return v.throwError(err)
		}
		return x
	case engine.OpClass:
		return v.newString(v.className(arg))
	case engine.OpPromiseState:
		if !isObject(arg) || classOf(addrOf(arg)) != lib.EJS_CLASS_PROMISE {
			return undefined
		}
		out := lib.XJS_NewArray(v.tls, v.ctx)
		if isException(out) {
			return out
		}
		state := lib.XJS_PromiseState(v.tls, v.ctx, arg)
		lib.XJS_DefinePropertyValueUint32(v.tls, v.ctx, out, 0, integer(int32(state)), lib.MJS_PROP_C_W_E)
		result := undefined
		if state != lib.EJS_PROMISE_PENDING {
			result = lib.XJS_PromiseResult(v.tls, v.ctx, arg)
		}
		lib.XJS_DefinePropertyValueUint32(v.tls, v.ctx, out, 1, result, lib.MJS_PROP_C_W_E)
		return out
	case engine.OpPerformanceNow:
		return number(float64(now()) / 1e6)
	case engine.OpStack:
		return v.stack()
	case engine.OpCollect:
		// The first frees cycles; registries are told of what was free before.
		for range 2 {
			lib.XJS_RunGC(v.tls, v.rt)
		}
		return undefined
	}
	return v.throwType("native: unknown operation " + strconv.Itoa(int(op)))
}

// stack is the stack above the caller of native.
func (v *isolate) stack() value {
	e := lib.XJS_CallConstructor(v.tls, v.ctx, v.errorClass, 0, 0) // records the stack without itself
	if isException(e) {
		return e
	}
	text := ""
	if x, ok := ownProperty(addrOf(e), lib.EJS_ATOM_stack); ok && isString(x) {
		text = v.goString(x)
	}
	v.free(e)
	for range 2 { // native and its caller
		_, text, _ = strings.Cut(text, "\n")
	}
	return v.newString(text)
}

func (v *isolate) registerHooks(arg value) value {
	v.hooks = map[string]value{}
	names, ok := v.ownKeys(arg)
	if !ok {
		return exception
	}
	for _, atom := range names {
		name := v.goString(lib.XJS_AtomToString(v.tls, v.ctx, atom))
		x := lib.XJS_GetPropertyInternal(v.tls, v.ctx, arg, atom, arg, 0)
		if isException(x) {
			return x
		}
		v.hooks[name] = x // kept for good
	}
	get := func(name string) value {
		if x, ok := v.hooks[name]; ok {
			return x
		}
		return undefined
	}
	v.hook = hookValues{
		mapEntries: get("mapEntries"), setValues: get("setValues"), regexpParts: get("regexpParts"),
		bigintText: get("bigintText"), unbox: get("unbox"), errorParts: get("errorParts"), cloneError: get("cloneError"), rejected: get("rejected"),
		newMap: get("newMap"), mapSet: get("mapSet"), newSet: get("newSet"), setAdd: get("setAdd"), newDate: get("newDate"),
		newRegExp: get("newRegExp"), newBigInt: get("newBigInt"), newDataView: get("newDataView"),
		newError: get("newError"), errorEntry: get("errorEntry"), hostFunction: get("hostFunction"), describe: get("describe"), facade: get("facade"),
	}
	return undefined
}

// newError makes an error object without calling anything that a guest can replace.
// The engine adds the stack when it is thrown.
func (v *isolate) newError(class int32, message string) value {
	proto := (*lib.TJSContext)(at(v.ctx)).Fnative_error_proto[class]
	e := lib.XJS_NewObjectProtoClass(v.tls, v.ctx, proto, lib.EJS_CLASS_ERROR)
	if isException(e) {
		return e
	}
	lib.XJS_DefinePropertyValue(v.tls, v.ctx, e, lib.EJS_ATOM_message, v.newString(message), lib.MJS_PROP_CONFIGURABLE|lib.MJS_PROP_WRITABLE)
	return e
}

func (v *isolate) throwType(message string) value {
	return lib.XJS_Throw(v.tls, v.ctx, v.newError(lib.EJS_TYPE_ERROR, message))
}

func (v *isolate) throwRange(message string) value {
	return lib.XJS_Throw(v.tls, v.ctx, v.newError(lib.EJS_RANGE_ERROR, message))
}

// throwInternal is what a guest sees of a panic in the host.
func (v *isolate) throwInternal() value {
	return lib.XJS_Throw(v.tls, v.ctx, v.newError(lib.EJS_INTERNAL_ERROR, "internal error of the host"))
}

// errException says that an exception of the guest is pending.
var errException = errors.New("exception in the guest")

// throwError throws a decoding error, unless it is an exception already.
func (v *isolate) throwError(err error) value {
	if errors.Is(err, errException) {
		return exception
	}
	return lib.XJS_Throw(v.tls, v.ctx, v.newError(lib.EJS_INTERNAL_ERROR, "malformed reply of the host"))
}

// takeError is the exception for a decoding error.
func (v *isolate) takeError(err error) value {
	v.throwError(err)
	return lib.XJS_GetException(v.tls, v.ctx)
}

// printable quotes a name of the guest for a message, cut to n bytes.
func printable(s string, n int) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	if len(s) > n {
		s = s[:n]
		for !utf8.ValidString(s) {
			s = s[:len(s)-1]
		}
		s += "…"
	}
	return `"` + s + `"`
}

var classNames = map[uint16]string{
	lib.EJS_CLASS_OBJECT: "Object", lib.EJS_CLASS_ARRAY: "Array", lib.EJS_CLASS_ERROR: "Error",
	lib.EJS_CLASS_NUMBER: "Number", lib.EJS_CLASS_STRING: "String", lib.EJS_CLASS_BOOLEAN: "Boolean",
	lib.EJS_CLASS_SYMBOL: "Symbol", lib.EJS_CLASS_BIG_INT: "BigInt", lib.EJS_CLASS_ARGUMENTS: "Arguments",
	lib.EJS_CLASS_MAPPED_ARGUMENTS: "Arguments", lib.EJS_CLASS_DATE: "Date", lib.EJS_CLASS_MODULE_NS: "Module",
	lib.EJS_CLASS_REGEXP: "RegExp", lib.EJS_CLASS_ARRAY_BUFFER: "ArrayBuffer",
	lib.EJS_CLASS_SHARED_ARRAY_BUFFER: "SharedArrayBuffer", lib.EJS_CLASS_UINT8C_ARRAY: "Uint8ClampedArray",
	lib.EJS_CLASS_INT8_ARRAY: "Int8Array", lib.EJS_CLASS_UINT8_ARRAY: "Uint8Array", lib.EJS_CLASS_INT16_ARRAY: "Int16Array",
	lib.EJS_CLASS_UINT16_ARRAY: "Uint16Array", lib.EJS_CLASS_INT32_ARRAY: "Int32Array",
	lib.EJS_CLASS_UINT32_ARRAY: "Uint32Array", lib.EJS_CLASS_BIG_INT64_ARRAY: "BigInt64Array",
	lib.EJS_CLASS_BIG_UINT64_ARRAY: "BigUint64Array", lib.EJS_CLASS_FLOAT16_ARRAY: "Float16Array",
	lib.EJS_CLASS_FLOAT32_ARRAY: "Float32Array", lib.EJS_CLASS_FLOAT64_ARRAY: "Float64Array",
	lib.EJS_CLASS_DATAVIEW: "DataView", lib.EJS_CLASS_MAP: "Map", lib.EJS_CLASS_SET: "Set",
	lib.EJS_CLASS_WEAKMAP: "WeakMap", lib.EJS_CLASS_WEAKSET: "WeakSet", lib.EJS_CLASS_WEAK_REF: "WeakRef",
	lib.EJS_CLASS_PROMISE: "Promise", lib.EJS_CLASS_PROXY: "Proxy",
	lib.EJS_CLASS_GENERATOR: "Generator", lib.EJS_CLASS_ASYNC_GENERATOR: "Generator",
	lib.EJS_CLASS_GLOBAL_OBJECT: "Object",
}

// className is the intrinsic class for OpClass.
func (v *isolate) className(x value) string {
	if !isObject(x) {
		return ""
	}
	if name, ok := classNames[classOf(addrOf(x))]; ok {
		return name
	}
	if lib.XJS_IsFunction(v.tls, v.ctx, x) != 0 {
		return "Function"
	}
	return "Other"
}
