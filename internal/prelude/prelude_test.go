package prelude_test

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quicksand/internal/prelude"
)

// globalNames is what a guest finds on globalThis, sorted, on every engine.
const globalNames = `AbortController AbortSignal AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean
	DOMException DataView Date Error EvalError Event EventTarget FinalizationRegistry Float16Array Float32Array Float64Array
	Function Infinity Int16Array Int32Array Int8Array InternalError Iterator JSON Map Math NaN Number Object Promise Proxy
	RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol SyntaxError TextDecoder TextEncoder TypeError
	URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet
	__maxIter __secretScope atob btoa console crypto decodeURI decodeURIComponent emit encodeURI encodeURIComponent escape
	fromBase64 fromHex globalThis isFinite isNaN output parallelMap parseFloat parseInt progress queueMicrotask sleep
	structuredClone toBase64 toHex undefined unescape`

func TestGlobalNames(t *testing.T) {
	onEngines(t, func(t *testing.T, w *world) {
		r := w.run(t, `return Object.getOwnPropertyNames(globalThis).sort().join(" ");`)
		got := strings.Fields(strings.Trim(strings.TrimPrefix(r.result, "= "), `"`))
		want := strings.Fields(globalNames)
		for _, n := range got {
			if !slices.Contains(want, n) {
				t.Errorf("the global %s is not in the list", n)
			}
		}
		for _, n := range want {
			if !slices.Contains(got, n) {
				t.Errorf("the global %s is missing", n)
			}
		}
	})
}

// Own names of the intrinsics which the two lineages differ in.
func TestIntrinsicsAreLevel(t *testing.T) {
	onEngines(t, func(t *testing.T, w *world) {
		r := w.run(t, `return [Error, Array, Iterator].map((C) => Object.getOwnPropertyNames(C).sort().join(" "));`)
		want := `= ["captureStackTrace isError length name prototype","from fromAsync isArray length name of prototype","concat from length name prototype"]`
		if r.result != want {
			t.Errorf("got %s\nwant %s", r.result, want)
		}
	})
}

func TestHostFunctions(t *testing.T) {
	lookup := hookCall{"defineGlobals", encode(object("lookup", hostFunc))}
	cases := []struct{ name, code, want string }{
		{"a host function gets its arguments and is named", `return [lookup.name, await lookup("a", [1], { b: 2 })];`, `= ["lookup",[7,["a",[1],{"b":2}]]]`},
		{"its failure rejects with the host's error", `try { await lookup("fail"); } catch (e) { return [e instanceof RangeError, e.message]; }`, `= [true,"the host said no"]`},
		{"its failure has the stack of the guest's call", `async function load() { return await lookup("fail"); }
			try { await load(); } catch (e) { return [e.stack.includes("load"), e.stack.includes("quicksand"), e.stack.split("\n")[0].trim().replace(/[:\d]+\)$/, ")")]; }`, `= [true,false,"at load (test.js)"]`},
		{"an argument that cannot cross rejects", `const p = lookup({ f() {} }); try { await p; } catch (e) { return e.name; }`, `= "DataCloneError"`},
		{"calls start when they are made", `const all = [lookup(1), lookup(2)]; return (await Promise.all(all)).length;`, `= 2`},
	}
	onEngines(t, func(t *testing.T, w *world) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				if r := w.run(t, c.code, lookup); r.result != c.want {
					t.Errorf("got %s, want %s", r.result, c.want)
				}
			})
		}
	})
}

func TestFixClock(t *testing.T) {
	day := hookCall{"fixClock", encode(86400000.0)}
	cases := []struct{ name, code, want string }{
		{"every way to ask the time gives the instant", `await sleep(50); return [Date.now(), new Date().getTime(), new Date().toISOString(), new Date(Date()).getTime()];`, `= [86400000,86400000,"1970-01-02T00:00:00.000Z",86400000]`},
		{"other dates are as ever", `return [new Date(5).getTime(), new Date(2020, 1, 3).getDate(), new Date("2020-01-01").getUTCFullYear(), Date.UTC(1970, 0, 2), Date.parse("1970-01-01")];`, `= [5,3,2020,86400000,0]`},
		{"the class looks as before", `return [Date.length, Date.name, new Date() instanceof Date, Date.prototype.constructor === Date, Object.getOwnPropertyNames(Date).sort().join()];`, `= [7,"Date",true,true,"UTC,length,name,now,parse,prototype"]`},
		{"a subclass has the clock too", `class D extends Date { day() { return this.getUTCDate(); } } return [new D().day(), new D(0).day(), new D() instanceof Date, structuredClone(new Date()).getTime()];`, `= [2,1,true,86400000]`},
		{"timers of the console stand still", `console.time("t"); await sleep(5); console.timeEnd("t");`, `= null`},
	}
	onEngines(t, func(t *testing.T, w *world) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				r := w.run(t, c.code, day)
				if r.result != c.want {
					t.Errorf("got %s, want %s", r.result, c.want)
				}
				if len(r.lines) > 0 && r.lines[0] != "t: 0.000ms" {
					t.Errorf("printed %q", r.lines)
				}
			})
		}
		if r := w.run(t, `return Date.now() !== 86400000;`); r.result != "= true" {
			t.Errorf("the clock is still fixed in the next run")
		}
	})
}

func TestStreamOperations(t *testing.T) {
	onEngines(t, func(t *testing.T, w *world) {
		r := w.run(t, `progress(150, "m".repeat(6000)); progress("12.5"); progress(Infinity, null); progress(-3, 5);
			await emit("a", { n: 1 }); await emit("b", [2]);
			try { await output("x", 1); } catch (e) { return e.message; }`)
		if want := `= "output \"x\" was already set"`; r.result != want {
			t.Errorf("got %s, want %s", r.result, want)
		}
		reports := []any{[]any{100.0, strings.Repeat("m", 500+4096)}, []any{12.5, nil}, []any{0.0, nil}, []any{0.0, "5"}}
		if !reflect.DeepEqual(r.reports, reports) {
			t.Errorf("progress: got %v, want %v", r.reports, reports)
		}
		emitted := []any{[]any{"a", map[string]any{"n": 1.0}}, []any{"b", []any{2.0}}}
		if !reflect.DeepEqual(r.emitted, emitted) {
			t.Errorf("emit: got %v, want %v", r.emitted, emitted)
		}
	})
}

func TestSourcesUseKnownConstants(t *testing.T) {
	left := regexp.MustCompile(`\b(OP|UNIT)\.\w`)
	for _, u := range append(prelude.Units(nil), prelude.Unit{Name: prelude.Name, Code: prelude.Source(nil)}) {
		for _, line := range strings.Split(u.Code, "\n") {
			if left.MatchString(line) {
				t.Errorf("%s: a constant was not replaced in %q", u.Name, line)
			}
		}
	}
}

func TestSourcesHaveNoTemplateLiterals(t *testing.T) {
	quoted := strings.NewReplacer("\"`\"", "", "// Evaluated first, inside the prelude's function; `native` is in scope.", "")
	for _, u := range append(prelude.Units(nil), prelude.Unit{Name: prelude.Name, Code: prelude.Source(nil)}) {
		for _, line := range strings.Split(quoted.Replace(u.Code), "\n") {
			if strings.Contains(line, "`") {
				t.Errorf("%s: a template literal calls the guest's String.prototype.concat: %q", u.Name, line)
			}
		}
	}
}

func TestReserved(t *testing.T) {
	for _, n := range []string{"toBase64", "fetch", "__hostCall", "console", "undefined", "stream"} {
		if !prelude.Reserved[n] {
			t.Errorf("%s is not reserved", n)
		}
	}
	for _, n := range []string{"rows", "URL", "env", "inputs", "process"} {
		if prelude.Reserved[n] {
			t.Errorf("%s is reserved", n)
		}
	}
}
