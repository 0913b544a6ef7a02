package wasm

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quicksand/bridges"
	"quicksand/internal/marshal"
	"quicksand/modules"
)

var update = flag.Bool("update", false, "write the binaries of testdata/packs")

// TestPackBinaries: the binaries of the repository are what assemble_test.go says.
func TestPackBinaries(t *testing.T) {
	file := filepath.Join("..", "..", "testdata", "packs", "wasm-numbers", "numbers.wasm")
	if *update {
		if err := os.WriteFile(file, numbers.bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, numbers.bytes()) {
		t.Errorf("%s is not the module numbers; go test ./modules/wasm -update writes it", filepath.Base(file))
	}
}

// machine has a function for each thing that a call can do.
var machine = assembly{
	memory: []uint32{1, 2}, globals: []int32{40}, data: []byte{7},
	funcs: []function{
		{export: "i32", params: []valueType{i32}, results: []valueType{i32}, code: code(opGet, 0)},
		{export: "i64", params: []valueType{i64}, results: []valueType{i64}, code: code(opGet, 0)},
		{export: "f32", params: []valueType{f32}, results: []valueType{f32}, code: code(opGet, 0)},
		{export: "f64", params: []valueType{f64}, results: []valueType{f64}, code: code(opGet, 0)},
		{export: "add", params: []valueType{i32, i32}, results: []valueType{i32}, code: code(opGet, 0, opGet, 1, opAdd32)},
		{export: "nothing", code: nil},
		{export: "pair", params: []valueType{i32}, results: []valueType{i32, i64}, code: code(opGet, 0, opConst64, sleb(-5))},
		// count adds one to the global and stores the sum in memory.
		{export: "count", results: []valueType{i32}, code: code(
			opGlobalGet, 0, opConst32, 1, opAdd32, opGlobalSet, 0,
			opConst32, 0, opConst32, 0, opLoad32, 2, 0, opConst32, 1, opAdd32, opStore32, 2, 0,
			opGlobalGet, 0, opConst32, 0, opLoad32, 2, 0, opAdd32)},
		{export: "trap", code: code(opUnreachable)},
		{export: "divide", params: []valueType{i32, i32}, results: []valueType{i32}, code: code(opGet, 0, opGet, 1, opDiv32)},
		{export: "outside", results: []valueType{i32}, code: code(opConst32, sleb(1<<20), opLoad32, 2, 0)},
		{export: "grow", params: []valueType{i32}, results: []valueType{i32}, code: code(opGet, 0, opMemoryGrow, 0)},
		{export: "forever", code: code(opLoop, empty, opBr, 0, opEnd)},
		{export: "recurse", code: code(opCall, leb(13))},
	},
}

func declare(a assembly, limits modules.WASMLimits, pages int) modules.WASMDecl {
	d := modules.WASMDecl{Specifier: "@acme/machine", MemoryPagesMax: pages, Limits: limits}
	for _, f := range a.funcs {
		if f.export != "" {
			d.Exports = append(d.Exports, modules.WASMExport{WASM: f.export, As: f.export})
		}
	}
	return d
}

// host is a run with one module or more.
type host struct {
	t       *testing.T
	session *bridges.Session
	cancel  context.CancelFunc
	ctx     context.Context
}

func newHost(t *testing.T) *host {
	ctx, cancel := context.WithCancel(context.Background())
	h := &host{t, bridges.NewSession(bridges.SessionOptions{Context: ctx}), cancel, ctx}
	t.Cleanup(func() { cancel(); h.session.Close() })
	return h
}

func (h *host) compile(a assembly, limits modules.WASMLimits, pages int) *bridges.Bridge {
	h.t.Helper()
	b, err := Compile(a.bytes(), declare(a, limits, pages))
	if err != nil {
		h.t.Fatal(err)
	}
	return b
}

func (h *host) call(b *bridges.Bridge, export string, args ...any) (any, error) {
	h.t.Helper()
	i := slices.IndexFunc(b.Funcs, func(f bridges.Func) bool { return f.Name == export })
	if args == nil {
		args = []any{}
	}
	v, err := marshal.NewValue(args, marshal.EncodeOptions{})
	if err != nil {
		h.t.Fatal(err)
	}
	c, err := bridges.Unpack(h.session, b, &b.Funcs[i], v)
	if err != nil {
		return nil, err
	}
	if c.State, err = h.session.State(b); err != nil {
		return nil, err
	}
	return b.Funcs[i].Call(h.ctx, c)
}

func TestCalls(t *testing.T) {
	h := newHost(t)
	b := h.compile(machine, modules.WASMLimits{}, 2)
	big64 := func(s string) *big.Int { n, _ := new(big.Int).SetString(s, 10); return n }
	args := func(a ...any) []any { return a }
	for _, c := range []struct {
		name, export string
		args         []any
		want         any
	}{
		{"the least i32", "i32", args(math.MinInt32), -2147483648.0},
		{"the largest i32", "i32", args(math.MaxInt32), 2147483647.0},
		{"minus zero is the i32 zero", "i32", args(math.Copysign(0, -1)), 0.0},
		{"the least i64", "i64", args(big64("-9223372036854775808")), big64("-9223372036854775808")},
		{"a small i64 is a bigint too", "i64", args(big64("5")), big64("5")},
		{"an f32 is rounded", "f32", args(0.1), float64(float32(0.1))},
		{"an f32 too large is infinite", "f32", args(1e300), math.Inf(1)},
		{"an f64 is exact", "f64", args(0.1), 0.1},
		{"an f64 may be infinite", "f64", args(math.Inf(-1)), math.Inf(-1)},
		{"i32 wrap inside", "add", args(math.MaxInt32, 1), -2147483648.0},
		{"a function without a result", "nothing", nil, bridges.Undefined},
		{"the first instance starts anew", "count", nil, 49.0},
		{"the next one starts anew too", "count", nil, 49.0},
		{"memory grows up to the maximum", "grow", args(1), 1.0},
		{"but not beyond", "grow", args(2), -1.0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := h.call(b, c.export, c.args...)
			if err != nil {
				t.Fatal(err)
			}
			if n, ok := c.want.(*big.Int); ok {
				if g, ok := got.(*big.Int); !ok || g.Cmp(n) != 0 {
					t.Errorf("got %v, want %v", got, n)
				}
			} else if f, ok := got.(int32); ok && float64(f) != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			} else if !ok && got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
	if got, err := h.call(b, "f64", math.NaN()); err != nil || got.(float64) == got.(float64) {
		t.Errorf("NaN: got %v, %v", got, err)
	}
	got, err := h.call(b, "pair", 3)
	if err != nil {
		t.Fatal(err)
	}
	if p := got.([]any); len(p) != 2 || p[0] != int32(3) || p[1].(*big.Int).Int64() != -5 {
		t.Errorf("two results: got %v", p)
	}
}

func TestCallsThatFail(t *testing.T) {
	h := newHost(t)
	b := h.compile(machine, modules.WASMLimits{}, 2)
	args := func(a ...any) []any { return a }
	const i32Wants, i64Wants = "an i32, an integer from -2147483648 to 2147483647", "an i64, a bigint from -2^63 to 2^63-1 as BigInt.asIntN(64, n) gives one"
	for _, c := range []struct {
		name, export string
		args         []any
		want         string
	}{
		{"too few arguments", "add", args(1), "takes 2 arguments, not 1"},
		{"too many arguments", "i32", args(1, 2), "takes 1 argument, not 2"},
		{"one too large", "i32", args(2147483648), "argument 1 must be " + i32Wants + ", not 2147483648"},
		{"a fraction", "add", args(1, 1.5), "argument 2 must be " + i32Wants + ", not the non-integer 1.5"},
		{"NaN", "i32", args(math.NaN()), "argument 1 must be " + i32Wants + ", not NaN"},
		{"infinity", "i32", args(math.Inf(1)), "argument 1 must be " + i32Wants + ", not Infinity"},
		{"a bigint where a number must be", "i32", args(big.NewInt(5)), "argument 1 must be " + i32Wants + ", not the bigint 5"},
		{"a number where a bigint must be", "i64", args(5), "argument 1 must be " + i64Wants + ", not 5"},
		{"a bigint of 64 bits without sign", "i64", args(new(big.Int).Lsh(big.NewInt(1), 63)), "argument 1 must be " + i64Wants + ", not the bigint 9223372036854775808"},
		{"a bigint of many bits", "i64", args(new(big.Int).Lsh(big.NewInt(1), 999)), "argument 1 must be " + i64Wants + ", not a bigint of 1000 bits"},
		{"a string", "f64", args("5"), "argument 1 must be an f64, a number, not a string value"},
		{"a boolean", "f32", args(true), "argument 1 must be an f32, a number, not a boolean value"},
		{"null", "f64", args(nil), "argument 1 must be an f64, a number, not null"},
		{"undefined", "f64", args(marshal.Undefined), "argument 1 must be an f64, a number, not undefined"},
		{"an array", "f64", args([]any{1}), "argument 1 must be an f64, a number, not an array"},
		{"an object", "f64", args(map[string]any{}), "argument 1 must be an f64, a number, not an object value"},
		{"a trap", "trap", nil, "unreachable"},
		{"a division by zero", "divide", args(1, 0), "integer divide by zero"},
		{"a division that overflows", "divide", args(math.MinInt32, -1), "integer overflow"},
		{"an address outside of the memory", "outside", nil, "out of bounds memory access"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := h.call(b, c.export, c.args...)
			var e *bridges.Error
			want := "@acme/machine." + c.export + ": " + c.want
			if !errors.As(err, &e) || e.Error() != want || e.Name != ErrorName {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
}

// TestRecursionWithoutEnd fills a stack of tens of megabytes, which takes a second, and under
// the race detector more than the call may take.
func TestRecursionWithoutEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("fills a large stack")
	}
	h := newHost(t)
	_, err := h.call(h.compile(machine, modules.WASMLimits{}, 2), "recurse")
	var e *bridges.Error
	if !errors.As(err, &e) || e.Error() != "@acme/machine.recurse: stack overflow" && e.Limit != LimitCallTimeout {
		t.Errorf("got %v, want a stack overflow", err)
	}
}

func TestArgumentsThatDoNotFitAreNoCalls(t *testing.T) {
	h := newHost(t)
	b := h.compile(machine, modules.WASMLimits{CallsPerInvocation: 2}, 2)
	for range 5 {
		if _, err := h.call(b, "i32", "x"); err == nil {
			t.Fatal("a string was taken")
		}
	}
	for range 2 {
		if _, err := h.call(b, "i32", 1); err != nil {
			t.Fatal(err)
		}
	}
	_, err := h.call(b, "i32", 1)
	wantLimit(t, err, LimitCalls, "@acme/machine.i32: the run has made its 2 calls (callsPerInvocation)")
}

func wantLimit(t *testing.T, err error, limit, text string) {
	t.Helper()
	var e *bridges.Error
	if !errors.As(err, &e) || e.Limit != limit || e.Kind != bridges.KindLimit || e.Error() != text {
		t.Errorf("got  %v\nwant %s", err, text)
	}
}

func TestCallThatTakesTooLong(t *testing.T) {
	h := newHost(t)
	b := h.compile(machine, modules.WASMLimits{CallTimeout: 30 * time.Millisecond, WallClock: 10 * time.Second}, 2)
	_, err := h.call(b, "forever")
	wantLimit(t, err, LimitCallTimeout, "@acme/machine.forever: the call took longer than 30 ms (callTimeoutMs)")
	st, err := h.session.State(runs)
	if err != nil {
		t.Fatal(err)
	}
	run := st.(*budget)
	if run.spent < 30*time.Millisecond {
		t.Errorf("the call was charged %v, want at least what it could have taken", run.spent)
	}
	// The rest of the wall clock is all that a call gets.
	run.spent = run.wall - 10*time.Millisecond
	_, err = h.call(b, "forever")
	wantLimit(t, err, LimitWallClock, "@acme/machine.forever: the call was ended after 10 ms, the rest of the 10000 ms that the calls of the run may take together (wallClockMs)")
	_, err = h.call(b, "nothing")
	wantLimit(t, err, LimitWallClock, "@acme/machine.nothing: the calls of the run have taken the 10000 ms that they may take together (wallClockMs)")
}

func TestStartFunctionIsPartOfTheCall(t *testing.T) {
	a := assembly{start: 1, globals: []int32{1}, funcs: []function{
		{code: code(opGlobalGet, 0, opConst32, 41, opAdd32, opGlobalSet, 0)},
		{export: "get", results: []valueType{i32}, code: code(opGlobalGet, 0)},
	}}
	h := newHost(t)
	if got, err := h.call(h.compile(a, modules.WASMLimits{}, 0), "get"); err != nil || got != int32(42) {
		t.Errorf("got %v, %v; want 42", got, err)
	}
	a.funcs[0].code = code(opLoop, empty, opBr, 0, opEnd)
	_, err := h.call(h.compile(a, modules.WASMLimits{CallTimeout: 20 * time.Millisecond}, 0), "get")
	wantLimit(t, err, LimitCallTimeout, "@acme/machine.get: the call took longer than 20 ms (callTimeoutMs)")
	a.funcs[0].code = code(opUnreachable)
	if _, err := h.call(h.compile(a, modules.WASMLimits{}, 0), "get"); err == nil || err.Error() != "@acme/machine.get: unreachable" {
		t.Errorf("a start function that traps: got %v", err)
	}
}

func TestMemoryStaysWithinTheDeclaration(t *testing.T) {
	grow := function{export: "grow", params: []valueType{i32}, results: []valueType{i32}, code: code(opGet, 0, opMemoryGrow, 0)}
	for _, c := range []struct {
		name   string
		memory []uint32
		pages  int
		by     int
		want   int32
	}{
		{"a memory without a maximum grows to the declaration", []uint32{1}, 4, 3, 1},
		{"and no further", []uint32{1}, 4, 4, -1},
		{"a larger maximum counts as the declaration", []uint32{1, 1000}, 4, 4, -1},
		{"a smaller maximum counts", []uint32{1, 2}, 4, 2, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHost(t)
			got, err := h.call(h.compile(assembly{memory: c.memory, funcs: []function{grow}}, modules.WASMLimits{}, c.pages), "grow", c.by)
			if err != nil || got != c.want {
				t.Errorf("got %v, %v; want %d", got, err, c.want)
			}
		})
	}
}

func TestCancelledRun(t *testing.T) {
	h := newHost(t)
	b := h.compile(machine, modules.WASMLimits{}, 2)
	errs := make(chan error)
	for range 4 { // two of them wait
		go func() {
			_, err := h.call(b, "forever")
			errs <- err
		}()
	}
	h.cancel()
	for range 4 {
		if err := <-errs; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want that the run was cancelled", err)
		}
	}
}

// TestBudgetsAreTheLowestOfTheRun: from the first call of a module on.
func TestBudgetsAreTheLowestOfTheRun(t *testing.T) {
	h := newHost(t)
	generous := h.compile(machine, modules.WASMLimits{}, 2)
	modest := h.compile(machine, modules.WASMLimits{CallsPerInvocation: 3, CallConcurrency: 1, WallClock: time.Second}, 2)
	for _, b := range []*bridges.Bridge{generous, modest, generous} {
		if _, err := h.call(b, "nothing"); err != nil {
			t.Fatal(err)
		}
	}
	_, err := h.call(generous, "nothing")
	wantLimit(t, err, LimitCalls, "@acme/machine.nothing: the run has made its 3 calls (callsPerInvocation)")
	st, err := h.session.State(runs)
	if err != nil {
		t.Fatal(err)
	}
	if b := st.(*budget); b.wall != time.Second || b.places.limit != 1 {
		t.Errorf("got a wall clock of %v and %d calls at one time, want 1s and 1", b.wall, b.places.limit)
	}
	if _, err := newHost(t).call(generous, "nothing"); err != nil {
		t.Errorf("another run has its own budgets: %v", err)
	}
}

func TestCallsAtOneTime(t *testing.T) {
	h := newHost(t)
	b := h.compile(machine, modules.WASMLimits{}, 2)
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			if got, err := h.call(b, "count"); err != nil || got != int32(49) {
				t.Errorf("got %v, %v; want 49", got, err)
			}
		})
	}
	wg.Wait()
	st, err := h.session.State(runs)
	if err != nil {
		t.Fatal(err)
	}
	if s := &st.(*budget).places; s.peak > 2 || s.working != 0 || len(s.waiting) != 0 {
		t.Errorf("got a peak of %d, %d working and %d waiting; want at most 2, 0, 0", s.peak, s.working, len(s.waiting))
	}
}

// TestCacheIsBounded: modules that nobody used for long are compiled again.
func TestCacheIsBounded(t *testing.T) {
	var c cache
	h := newHost(t)
	large := func(i int) assembly {
		a := machine
		// A megabyte of data, which counts as much as code does.
		a.memory, a.data = []uint32{17}, append(bytes.Repeat([]byte{1}, 1<<20), byte(i))
		return a
	}
	var all []*bridges.Bridge
	for i := range 12 {
		b, err := c.bridge(large(i).bytes(), declare(machine, modules.WASMLimits{}, 20))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	if c.size > maxCached || len(c.entries) != c.recent.Len() || len(c.entries) < 7 {
		t.Errorf("got %d bytes in %d modules and a list of %d", c.size, len(c.entries), c.recent.Len())
	}
	for i, b := range all {
		if got, err := h.call(b, "add", i, 1); err != nil || got != int32(i+1) {
			t.Errorf("module %d: got %v, %v", i, got, err)
		}
	}
	one, err := c.bridge(machine.bytes(), declare(machine, modules.WASMLimits{}, 2))
	if err != nil {
		t.Fatal(err)
	}
	n := len(c.entries)
	if _, err := c.bridge(machine.bytes(), declare(machine, modules.WASMLimits{CallTimeout: 1}, 2)); err != nil || len(c.entries) != n || one == nil {
		t.Errorf("the same binary was compiled twice: %v", err)
	}
}

func TestBinariesThatAreRefused(t *testing.T) {
	fn := func(export string, params, results []valueType) function {
		return function{export: export, params: params, results: results, code: code(opUnreachable)}
	}
	one := assembly{funcs: []function{fn("f", nil, nil)}}
	with := func(change func(a *assembly)) []byte {
		a := assembly{funcs: slices.Clone(one.funcs)}
		change(&a)
		return a.bytes()
	}
	locals := func(groups ...uint32) []byte {
		b := leb(uint32(len(groups)))
		for _, n := range groups {
			b = append(append(b, leb(n)...), byte(i64))
		}
		b = append(b, opEnd)
		out := []byte("\x00asm\x01\x00\x00\x00")
		out = append(out, section(sectionType, vector(1, []byte{0x60, 0, 0}))...)
		out = append(out, section(sectionFunction, []byte{1, 0})...)
		out = append(out, section(sectionExport, vector(1, append(text("f"), 0, 0)))...)
		return append(out, section(sectionCode, vector(1, vector(len(b), b)))...)
	}
	exported := modules.WASMExport{WASM: "f", As: "f"}
	for _, c := range []struct {
		name    string
		bin     []byte
		exports []modules.WASMExport
		want    string
	}{
		{"an empty file", nil, nil, "the file is no WebAssembly binary"},
		{"another version", []byte("\x00asm\x02\x00\x00\x00"), nil, "the binary is not of version 1"},
		{"a truncated file", one.bytes()[:len(one.bytes())-3], nil, "the binary is truncated"},
		{"an import", with(func(a *assembly) {
			a.first = section(sectionImport, vector(1, code(text("env"), text("now"), 0, 0)))
		}), nil, `import section: it has 1 imports, such as "now" of "env": a module must have none`},
		{"a type that is no function", with(func(a *assembly) { a.first = section(sectionType, []byte{1, 0x5f, 0, 0}) }), nil, "type section: a type is not that of a function"},
		{"a section twice", with(func(a *assembly) { a.first = section(sectionType, []byte{0}) }), nil, "the type section is out of order"},
		{"a section of tags", with(func(a *assembly) { a.first = section(13, []byte{0}) }), nil, "there is a section 13, which modules do not have"},
		{"bytes that are left over", with(func(a *assembly) { a.first = section(sectionStart, []byte{0, 0}) }), nil, "start section: 1 bytes are left over"},
		{"a number of six bytes", with(func(a *assembly) {
			a.first = section(sectionType, []byte{0x80, 0x80, 0x80, 0x80, 0x80, 0})
		}), nil, "type section: a number has more than 5 bytes"},
		{"a number of 33 bits", with(func(a *assembly) {
			a.first = section(sectionType, []byte{0xff, 0xff, 0xff, 0xff, 0x1f})
		}), nil, "type section: a number has more than 32 bits"},
		{"four billion types", with(func(a *assembly) { a.first = section(sectionType, leb(math.MaxUint32)) }), nil, "type section: there are 4294967295 items, more than the limit of 65536"},
		{"four billion elements", with(func(a *assembly) {
			a.first = section(sectionElement, code(1, 0, opConst32, 0, opEnd, leb(math.MaxUint32)))
		}), nil, "element section: there are 4294967295 items, more than the limit of 1048576"},
		{"more elements than bytes", with(func(a *assembly) {
			a.first = section(sectionElement, code(1, 0, opConst32, 0, opEnd, leb(1000)))
		}), nil, "element section: the binary is truncated"},
		{"a function of a type that is not there", with(func(a *assembly) { a.first = section(sectionFunction, []byte{1, 0}) }), nil, "function section: function 0 has the type 0, of 0"},
		{"a custom section with a name that is not UTF-8", with(func(a *assembly) { a.first = section(sectionCustom, []byte{1, 0xff}) }), nil, "custom section: a name is not valid UTF-8"},
		{"two exports of one name", with(func(a *assembly) { a.exports, a.more = append(text("f"), 0, 0), 1 }), nil, `export section: there are two exports "f"`},
		{"an export of a function that is not there", with(func(a *assembly) { a.exports, a.more = append(text("g"), 0, 9), 1 }), nil, `export section: the export "g" is function 9, of 1`},
		{"a memory that is shared", with(func(a *assembly) { a.first = section(sectionMemory, []byte{1, 3, 1, 2}) }), nil, "memory section: a memory is shared"},
		{"limits of 64 bits", with(func(a *assembly) { a.first = section(sectionMemory, []byte{1, 4, 1}) }), nil, "memory section: the limits have the flags 0x04"},
		{"two memories", with(func(a *assembly) { a.first = section(sectionMemory, []byte{2, 0, 1, 0, 1}) }), nil, "memory section: there are 2 memories, more than one"},
		{"a minimum above the maximum", with(func(a *assembly) { a.memory = []uint32{3, 2} }), nil, "memory section: the minimum 3 is more than the maximum 2"},
		{"a minimum above the declaration", with(func(a *assembly) { a.memory = []uint32{3, 10} }), nil, "its memory has at least 3 pages, more than memoryPagesMax of 2"},
		{"a table that grows without end", with(func(a *assembly) { a.table = []uint32{1}; a.funcs[0].code = code(0xfc, 15, 0) }), nil,
			"code section: function 0: it has table.grow, and tables of up to 4294967295 elements: declare maxima of at most 1048576 together"},
		{"a table of many elements", with(func(a *assembly) { a.table = []uint32{1<<20 + 1} }), nil, "table section: the tables have 1048577 elements, more than the limit of 1048576"},
		{"a function of many locals", locals(50_001), nil, "code section: function 0 has 50001 locals, 50001 with those before: the limits are 50000 and 2097152"},
		{"groups of locals that overflow", locals(math.MaxUint32, math.MaxUint32), nil, "code section: function 0 has 8589934590 locals, 8589934590 with those before: the limits are 50000 and 2097152"},
		{"a body that is too long", with(func(a *assembly) { a.funcs[0].code = bytes.Repeat(code(opConst32, 0, 0x1a), 1<<16) }), nil, "code section: function 0 has 196610 bytes, more than the limit of 131072"},
		{"many loops", with(func(a *assembly) { a.funcs[0].code = bytes.Repeat(code(opLoop, empty, opEnd), 15_000) }), nil,
			"code section: function 0, with 30000 branches and 0 locals, makes it too intricate to compile"},
		{"loops over many locals", with(func(a *assembly) {
			a.funcs[0].locals = slices.Repeat([]valueType{i32}, 5000)
			a.funcs[0].code = bytes.Repeat(code(opLoop, empty, opGet, 0, opSet, 1, opEnd), 2000)
		}), nil, "code section: function 0, with 4000 branches and 5000 locals, makes it too intricate to compile"},
		{"large tables of branches", with(func(a *assembly) {
			a.funcs[0].code = code(opConst32, 0, 0x0e, leb(100_000), make([]byte, 100_001))
			a.funcs = slices.Repeat(a.funcs, 11)
			for i := range a.funcs[1:] {
				a.funcs[i+1].export = ""
			}
		}), nil, "code section: function 9, with 1 branches and 0 locals, makes it too intricate to compile"},
		{"many functions of many types", with(func(a *assembly) {
			a.funcs = slices.Repeat([]function{{}}, 30_000)
		}), nil, "code section: there are 30000 functions and 30000 types, too many to compile"},
		{"an unknown instruction", with(func(a *assembly) { a.funcs[0].code = code(0x12, 0) }), nil, "code section: function 0: there is an instruction 0x12, which modules cannot have"},
		{"a type of a function with too many results", with(func(a *assembly) { a.funcs[0] = fn("f", nil, slices.Repeat([]valueType{i32}, 17)) }), nil, "type section: there are 17 items, more than the limit of 16"},
		{"a block of a type that is not there", with(func(a *assembly) { a.funcs[0].code = code(opBlock, 5, opEnd) }), nil, "code section: function 0: a block has the type 5, of 1"},
		{"code that is not valid", with(func(a *assembly) { a.funcs[0].code = code(opAdd32) }), nil, "it is not valid: "},
		{"data outside of the memory's type", with(func(a *assembly) { a.data = []byte{1} }), nil, "it is not valid: "},
		{"an export that is not there", one.bytes(), []modules.WASMExport{{WASM: "g", As: "g"}}, `export "g": the binary has no such export`},
		{"an export that is a memory", with(func(a *assembly) { a.memory = []uint32{1, 1}; a.exports, a.more = append(text("m"), 2, 0), 1 }),
			[]modules.WASMExport{{WASM: "m", As: "m"}}, `export "m": it is a memory, not a function`},
		{"a name that is no identifier", with(func(a *assembly) { a.funcs[0].export = "a-b" }), []modules.WASMExport{{WASM: "a-b", As: "a-b"}},
			`export "a-b": "a-b" is no identifier; {"wasm": "a-b", "as": …} gives it one`},
		{"nine parameters", with(func(a *assembly) { a.funcs[0] = fn("f", slices.Repeat([]valueType{i32}, 9), nil) }), nil, `export "f": it has 9 parameters, more than 8`},
		{"nine results", with(func(a *assembly) { a.funcs[0] = fn("f", nil, slices.Repeat([]valueType{i32}, 9)) }), nil, `export "f": it has 9 results, more than 8`},
		{"a vector as a parameter", with(func(a *assembly) { a.funcs[0] = fn("f", []valueType{i32, 0x7b}, nil) }), nil, `export "f": parameter 2 is v128, not i32, i64, f32 or f64`},
		{"a reference as the result", with(func(a *assembly) { a.funcs[0] = fn("f", nil, []valueType{0x6f}) }), nil, `export "f": its result is externref, not i32, i64, f32 or f64`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.exports == nil {
				c.exports = []modules.WASMExport{exported}
			}
			_, err := Compile(c.bin, modules.WASMDecl{Specifier: "@acme/x", MemoryPagesMax: 2, Exports: c.exports})
			if err == nil || err.Error() != c.want && !(strings.HasSuffix(c.want, ": ") && strings.HasPrefix(err.Error(), c.want)) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
	if _, err := Compile(append(one.bytes(), section(sectionCustom, append(text("x"), make([]byte, MaxBinary)...))...), modules.WASMDecl{}); err == nil || !strings.Contains(err.Error(), "limit of 4194304") {
		t.Errorf("too large a binary: got %v", err)
	}
	if _, err := Compile(one.bytes(), modules.WASMDecl{MemoryPagesMax: 4097}); err == nil || err.Error() != "memoryPagesMax is 4097, not from 0 to 4096" {
		t.Errorf("too many pages: got %v", err)
	}
}

// TestTables: one needs a maximum only to grow, which then is that of the declaration.
func TestTables(t *testing.T) {
	h := newHost(t)
	grow := code(0xd0, 0x70, opGet, 0, 0xfc, 15, 0)
	a := assembly{table: []uint32{1}, funcs: []function{{export: "size", params: []valueType{i32}, results: []valueType{i32}, code: code(0xfc, 16, 0)}}}
	if got, err := h.call(h.compile(a, modules.WASMLimits{}, 0), "size", 0); err != nil || got != int32(1) {
		t.Errorf("the size of a table without a maximum: got %v, %v; want 1", got, err)
	}
	a.table, a.funcs[0].code = []uint32{1, 3}, grow
	for by, want := range map[int]int32{2: 1, 3: -1} {
		if got, err := h.call(h.compile(a, modules.WASMLimits{}, 0), "size", by); err != nil || got != want {
			t.Errorf("growing by %d: got %v, %v; want %d", by, got, err, want)
		}
	}
}

// TestLimitsPage compares LIMITS.md with the code, as far as the test of package modules does
// not.
func TestLimitsPage(t *testing.T) {
	page, err := os.ReadFile("../../LIMITS.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"MaxTableElements": fmt.Sprint(MaxTableElements, " elements"),
		"maxBody":          fmt.Sprint(maxBody, " bytes"),
		"maxFunctionWork":  time.Duration(maxFunctionWork).String(),
		"maxWork":          time.Duration(maxWork).String(),
		LimitCallTimeout:   DefaultCallTimeout.String(),
		LimitConcurrency:   fmt.Sprint(DefaultCallConcurrency, " calls"),
		LimitCalls:         fmt.Sprint(DefaultCallsPerInvocation, " calls"),
		LimitWallClock:     DefaultWallClock.String(),
		"memoryPagesMax":   fmt.Sprint(MaxPages, " pages"),
	} {
		if want := fmt.Sprintf("\n| `%s` | %s |", name, value); strings.Count(string(page), want) != 1 {
			t.Errorf("LIMITS.md has no row that begins %q", want[1:])
		}
	}
}

// TestCustomSectionsMeanNothing: names and debug information are dropped, whatever they hold.
func TestCustomSectionsMeanNothing(t *testing.T) {
	a := numbers
	a.first = section(sectionCustom, code(text("name"), 1, leb(math.MaxUint32)))
	h := newHost(t)
	got, err := h.call(h.compile(a, modules.WASMLimits{}, 0), "gcd", big.NewInt(48), big.NewInt(36))
	if err != nil || got.(*big.Int).Int64() != 12 {
		t.Errorf("got %v, %v; want 12", got, err)
	}
}
