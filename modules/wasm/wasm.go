package wasm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"quicksand/bridges"
	"quicksand/internal/marshal"
	"quicksand/modules"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

func init() { modules.RegisterWASM(Compile) }

// ErrorName is the name of the errors that guests get.
const ErrorName = "SandboxWasmError"

// Compile checks a binary against its declaration and makes the bridge whose Funcs are the
// exports, named as guests see them. It validates the whole binary, which takes a few
// milliseconds for a small one and at most CompileTimeout, and compiles it for the calls to come.
// It is safe for concurrent use and does not keep bin. An error says which export breaks which rule.
func Compile(bin []byte, decl modules.WASMDecl) (*bridges.Bridge, error) {
	return shared.bridge(bin, decl)
}

func (c *cache) bridge(bin []byte, decl modules.WASMDecl) (*bridges.Bridge, error) {
	if decl.MemoryPagesMax < 0 || decl.MemoryPagesMax > MaxPages {
		return nil, fmt.Errorf("memoryPagesMax is %d, not from 0 to %d", decl.MemoryPagesMax, MaxPages)
	}
	found, err := inspect(bin)
	if err != nil {
		return nil, err
	}
	for _, m := range found.memories {
		if m.min > uint32(decl.MemoryPagesMax) {
			return nil, fmt.Errorf("its memory has at least %d pages, more than memoryPagesMax of %d", m.min, decl.MemoryPagesMax)
		}
	}
	m := &module{decl: decl, cache: c, binary: newChecked(found.code, uint32(decl.MemoryPagesMax))}
	b := &bridges.Bridge{
		Name: decl.Specifier, Doc: "functions of a WebAssembly module", Always: true,
		Concurrency: limitsOf(decl).CallConcurrency,
		Limits:      Limits(),
		Open:        m.open,
	}
	for _, e := range decl.Exports {
		s, err := found.function(e)
		if err != nil {
			return nil, err
		}
		b.Funcs = append(b.Funcs, m.function(e, s))
	}
	ctx, cancel := context.WithTimeout(context.Background(), CompileTimeout)
	defer cancel()
	_, release, err := c.get(ctx, m.binary)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("it takes longer than %s to compile", CompileTimeout)
	case err != nil:
		return nil, fmt.Errorf("it is not valid: %s", firstLine(err))
	}
	release()
	return b, nil
}

// function finds a declared export and checks that guests can call it.
func (c *contents) function(e modules.WASMExport) (signature, error) {
	x, ok := c.exports[e.WASM]
	switch {
	case !ok:
		return signature{}, fmt.Errorf("export %q: the binary has no such export", e.WASM)
	case x.kind != exportFunction:
		return signature{}, fmt.Errorf("export %q: it is a %s, not a function", e.WASM, exportKinds[x.kind])
	case !identifier(e.As):
		return signature{}, fmt.Errorf("export %q: %q is no identifier; {\"wasm\": %q, \"as\": …} gives it one", e.WASM, e.As, e.WASM)
	}
	s := c.signatures[c.functions[x.index]]
	switch {
	case len(s.params) > MaxParams:
		return s, fmt.Errorf("export %q: it has %d parameters, more than %d", e.WASM, len(s.params), MaxParams)
	case len(s.results) > MaxResults:
		return s, fmt.Errorf("export %q: it has %d results, more than %d", e.WASM, len(s.results), MaxResults)
	}
	for i, t := range s.params {
		if !t.scalar() {
			return s, fmt.Errorf("export %q: parameter %d is %s, not i32, i64, f32 or f64", e.WASM, i+1, t)
		}
	}
	for _, t := range s.results {
		if !t.scalar() {
			return s, fmt.Errorf("export %q: its result is %s, not i32, i64, f32 or f64", e.WASM, t)
		}
	}
	return s, nil
}

// identifier reports whether s is an ASCII identifier. Which words are reserved is checked
// with the manifest.
func identifier(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && c != '$' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// module is what the calls of one module have in common.
type module struct {
	decl   modules.WASMDecl
	cache  *cache
	binary *checked
}

// function makes the function of an export.
func (m *module) function(e modules.WASMExport, s signature) bridges.Func {
	f := bridges.Func{Name: e.As, Op: m.decl.Specifier + "." + e.As, Doc: "WebAssembly: " + s.String()}
	for i, t := range s.params {
		// Of any type: arguments are converted by call, which says what an i32 is.
		f.Params = append(f.Params, bridges.Param{Name: "p" + strconv.Itoa(i+1), Doc: t.String()})
	}
	f.Result = "undefined"
	if len(s.results) > 0 {
		f.Result = typeList(s.results)
	}
	f.Call = func(ctx context.Context, c *bridges.Call) (any, error) {
		return m.call(ctx, c, e, s)
	}
	return f
}

func (s signature) String() string {
	if len(s.results) == 0 {
		return "(" + typeList(s.params) + ")"
	}
	return "(" + typeList(s.params) + "): " + typeList(s.results)
}

func typeList(types []valueType) string {
	var b strings.Builder
	for i, t := range types {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(t.String())
	}
	return b.String()
}

// call serves one call of a guest.
func (m *module) call(ctx context.Context, c *bridges.Call, e modules.WASMExport, s signature) (any, error) {
	op := c.Op()
	args, err := arguments(c, s)
	if err != nil {
		return nil, err
	}
	st := c.State.(*runState)
	if err := st.count(op); err != nil {
		return nil, err
	}
	code, release, err := m.cache.get(ctx, m.binary)
	switch {
	case ctx.Err() != nil:
		return nil, context.Canceled
	case err != nil:
		return nil, &bridges.Error{Kind: bridges.KindInternal, Op: op, Name: ErrorName, Message: "the module could not be compiled", Err: err}
	}
	defer release()
	for _, places := range []*semaphore{&st.run.places, &instances} {
		if places.acquire(ctx) != nil {
			return nil, context.Canceled
		}
		defer places.release()
	}
	reserved, err := st.reserve(op)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	within, cancel := context.WithTimeout(ctx, reserved)
	defer cancel()
	results, err := code.call(within, e.WASM, args)
	elapsed := time.Since(began)
	if within.Err() != nil {
		elapsed = max(elapsed, reserved)
	}
	st.settle(reserved, elapsed)
	switch {
	case ctx.Err() != nil:
		return nil, context.Canceled
	case err != nil && within.Err() != nil:
		return nil, st.late(op, reserved)
	case err != nil:
		return nil, &bridges.Error{Op: op, Name: ErrorName, Message: trap(err), Err: err}
	}
	return s.decode(results), nil
}

// instanceConfig is that of all instances. Without a name, any number of them may exist;
// without start functions nothing runs but the binary's own start. Nothing of the system is
// reachable without imports; the source of randomness is set since the default one is
// seeded for each instance, which takes two fifths of a call.
var instanceConfig = wazero.NewModuleConfig().WithName("").WithStartFunctions().WithRandSource(strings.NewReader(""))

// call calls a function of a fresh instance.
func (c *compiled) call(ctx context.Context, name string, args []uint64) ([]uint64, error) {
	instance, err := c.runtime.InstantiateModule(ctx, c.module, instanceConfig)
	if err != nil {
		return nil, err
	}
	defer instance.Close(context.Background())
	return instance.ExportedFunction(name).Call(ctx, args...)
}

// trap is what the guest sees of a trap: its first line, without the stack, whose functions
// mean nothing to a guest.
func trap(err error) string {
	text := firstLine(err)
	if i := strings.LastIndex(text, "wasm error: "); i >= 0 {
		return text[i+len("wasm error: "):]
	}
	return text
}

func firstLine(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return text
}

// arguments converts what the guest gave to the parameters.
func arguments(c *bridges.Call, s signature) ([]uint64, error) {
	if n := c.Given(); n != len(s.params) {
		plural := "s"
		if len(s.params) == 1 {
			plural = ""
		}
		return nil, argumentError(c, "takes %d argument%s, not %d", len(s.params), plural, n)
	}
	args := make([]uint64, len(s.params))
	for i, t := range s.params {
		v := c.Arg(i)
		x, ok := t.encode(v)
		if !ok {
			return nil, argumentError(c, "argument %d must be %s, not %s", i+1, t.wants(), received(v))
		}
		args[i] = x
	}
	return args, nil
}

func argumentError(c *bridges.Call, format string, args ...any) error {
	return &bridges.Error{Op: c.Op(), Name: ErrorName, Message: fmt.Sprintf(format, args...)}
}

// encode converts a guest's value to one of the type, if it is one.
func (t valueType) encode(v bridges.Value) (x uint64, ok bool) {
	if t == i64 {
		if v.Kind() != marshal.KindBigInt {
			return 0, false
		}
		n := v.Any().(*big.Int)
		return uint64(n.Int64()), n.IsInt64()
	}
	f, ok := v.Float()
	if !ok {
		return 0, false
	}
	switch t {
	case i32:
		return api.EncodeI32(int32(f)), f == math.Trunc(f) && f >= math.MinInt32 && f <= math.MaxInt32
	case f32:
		return api.EncodeF32(float32(f)), true
	}
	return api.EncodeF64(f), true
}

// wants says in errors what values of the type are.
func (t valueType) wants() string {
	switch t {
	case i32:
		return "an i32, an integer from -2147483648 to 2147483647"
	case i64:
		return "an i64, a bigint from -2^63 to 2^63-1 as BigInt.asIntN(64, n) gives one"
	}
	return "an " + t.String() + ", a number"
}

// received describes a value that does not fit.
func received(v bridges.Value) string {
	switch v.Kind() {
	case marshal.KindNumber:
		switch f, _ := v.Float(); {
		case math.IsNaN(f) || math.IsInf(f, 0) || f == math.Trunc(f):
			return v.String()
		default:
			return "the non-integer " + v.String()
		}
	case marshal.KindBigInt:
		n := v.Any().(*big.Int)
		if n.BitLen() > 256 {
			return fmt.Sprintf("a bigint of %d bits", n.BitLen())
		}
		return "the bigint " + n.String()
	case marshal.KindNull:
		return "null"
	case marshal.KindUndefined:
		return "undefined"
	case marshal.KindArray:
		return "an array"
	case marshal.KindObject:
		return "an object value"
	}
	return "a " + v.Kind().String() + " value"
}

// decode makes what the guest gets.
func (s signature) decode(results []uint64) any {
	switch len(s.results) {
	case 0:
		return bridges.Undefined
	case 1:
		return s.results[0].decode(results[0])
	}
	all := make([]any, len(results))
	for i, t := range s.results {
		all[i] = t.decode(results[i])
	}
	return all
}

func (t valueType) decode(x uint64) any {
	switch t {
	case i32:
		return api.DecodeI32(x)
	case i64:
		return big.NewInt(int64(x))
	case f32:
		return float64(api.DecodeF32(x))
	}
	return api.DecodeF64(x)
}

// limitsOf are the budgets that a module asks for.
func limitsOf(d modules.WASMDecl) modules.WASMLimits {
	return modules.WASMLimits{
		CallTimeout:        cmp.Or(d.Limits.CallTimeout, DefaultCallTimeout),
		CallConcurrency:    cmp.Or(d.Limits.CallConcurrency, DefaultCallConcurrency),
		CallsPerInvocation: cmp.Or(d.Limits.CallsPerInvocation, DefaultCallsPerInvocation),
		WallClock:          cmp.Or(d.Limits.WallClock, DefaultWallClock),
	}
}
