package quicksand

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"quicksand/internal/marshal"
)

var someDay = time.Date(2024, 2, 29, 12, 30, 15, 250e6, time.UTC)

// valueTypes says what each Go value is in the guest, as an expression that is true of v,
// and what comes back. DESIGN.md shows the same table.
var valueTypes = []struct {
	name  string
	in    any
	guest string
	out   any
}{
	{"nil is null", nil, "v === null", nil},
	{"undefined", marshal.Undefined, "v === undefined", nil},
	{"booleans", true, "v === true", true},
	{"integers are numbers", int64(-42), "v === -42", -42.0},
	{"an unsigned integer", uint8(200), "v === 200", 200.0},
	{"the largest exact integer", int64(1<<53 - 1), "v === Number.MAX_SAFE_INTEGER", float64(1<<53 - 1)},
	{"an integer beyond it is a BigInt", int64(1 << 53), "v === 2n ** 53n", big.NewInt(1 << 53)},
	{"floats", 1.5, "v === 1.5", 1.5},
	{"NaN", math.NaN(), "Number.isNaN(v)", math.NaN()},
	{"infinity", math.Inf(-1), "v === -Infinity", math.Inf(-1)},
	{"negative zero", math.Copysign(0, -1), "Object.is(v, -0)", math.Copysign(0, -1)},
	{"a JSON number", json.Number("12.5"), "v === 12.5", 12.5},
	{"a BigInt", new(big.Int).Lsh(big.NewInt(-3), 200), "v === -3n << 200n", new(big.Int).Lsh(big.NewInt(-3), 200)},
	{"text", "héllo 日本 😀\x00", `v === "héllo 日本 😀\0"`, "héllo 日本 😀\x00"},
	{"text that is not UTF-8", "a\xffb", `v === "a\ufffdb"`, "a\ufffdb"},
	{"the empty text", "", "v === ''", ""},
	{"bytes are a Uint8Array", []byte{1, 2, 255}, "v instanceof Uint8Array && v.length === 3 && v[2] === 255", []byte{1, 2, 255}},
	{"no bytes", []byte{}, "v instanceof Uint8Array && v.length === 0", []byte{}},
	{"a clamped array", marshal.Uint8Clamped{9}, "v instanceof Uint8ClampedArray && v[0] === 9", marshal.Uint8Clamped{9}},
	{"an Int8Array", []int8{-1, 2}, "v instanceof Int8Array && v[0] === -1", []int8{-1, 2}},
	{"an Int16Array", []int16{-300}, "v instanceof Int16Array && v[0] === -300", []int16{-300}},
	{"a Uint16Array", []uint16{60000}, "v instanceof Uint16Array && v[0] === 60000", []uint16{60000}},
	{"an Int32Array", []int32{-70000}, "v instanceof Int32Array && v[0] === -70000", []int32{-70000}},
	{"a Uint32Array", []uint32{4e9}, "v instanceof Uint32Array && v[0] === 4e9", []uint32{4e9}},
	{"a BigInt64Array", []int64{-1 << 60}, "v instanceof BigInt64Array && v[0] === -(2n ** 60n)", []int64{-1 << 60}},
	{"a BigUint64Array", []uint64{1 << 63}, "v instanceof BigUint64Array && v[0] === 2n ** 63n", []uint64{1 << 63}},
	{"a Float32Array", []float32{1.5}, "v instanceof Float32Array && v[0] === 1.5", []float32{1.5}},
	{"a Float64Array", []float64{0.1}, "v instanceof Float64Array && v[0] === 0.1", []float64{0.1}},
	{"a Float16Array", marshal.Float16s{0x3c00}, "v instanceof Float16Array && v[0] === 1", marshal.Float16s{0x3c00}},
	{"an ArrayBuffer", marshal.Buffer{1, 2}, "v instanceof ArrayBuffer && v.byteLength === 2", marshal.Buffer{1, 2}},
	{"a DataView", marshal.View{1, 2, 3}, "v instanceof DataView && v.getUint8(2) === 3", marshal.View{1, 2, 3}},
	{"many bytes", bytes.Repeat([]byte{7}, 1<<20), "v.length === 1 << 20 && v[1048575] === 7", bytes.Repeat([]byte{7}, 1<<20)},
	{"a slice is an array", []any{1, "a", nil}, "Array.isArray(v) && v.length === 3 && v[2] === null", []any{1.0, "a", nil}},
	{"a slice of strings", []string{"a", "b"}, "v.join() === 'a,b'", []any{"a", "b"}},
	{"undefined inside of an array", []any{marshal.Undefined}, "0 in v && v[0] === undefined", []any{marshal.Undefined}},
	{"a map is an object with sorted keys", map[string]any{"b": 1, "a": 2}, `Object.keys(v).join() === "a,b" && Object.getPrototypeOf(v) === Object.prototype`, map[string]any{"a": 2.0, "b": 1.0}},
	{"a map with integer keys", map[int]string{10: "x", 9: "y"}, `Object.keys(v).join() === "9,10"`, map[string]any{"9": "y", "10": "x"}},
	{"an object keeps the order of its keys", &Object{Entries: []marshal.Entry{{Key: "z", Value: 1}, {Key: "a", Value: 2}}}, `Object.keys(v).join() === "z,a"`, map[string]any{"z": 1.0, "a": 2.0}},
	{"keys that look like magic are plain", map[string]any{"__proto__": 1, "constructor": 2}, `Object.getPrototypeOf(v) === Object.prototype && Object.hasOwn(v, "__proto__") && v.constructor === 2`, map[string]any{"__proto__": 1.0, "constructor": 2.0}},
	{"keys of the original's markers are plain", map[string]any{"__nodetool_sandbox_bytes__": "AA=="}, `v.__nodetool_sandbox_bytes__ === "AA=="`, map[string]any{"__nodetool_sandbox_bytes__": "AA=="}},
	{"a struct by its JSON names", struct {
		A int    `json:"a"`
		B string `json:",omitempty"`
		c int
	}{A: 1}, `JSON.stringify(v) === '{"a":1}'`, map[string]any{"a": 1.0}},
	{"a Map", &Map{Entries: []marshal.MapEntry{{Key: 1.0, Value: "a"}, {Key: "k", Value: nil}}}, "v instanceof Map && v.get(1) === 'a' && v.get('k') === null", &Map{Entries: []marshal.MapEntry{{Key: 1.0, Value: "a"}, {Key: "k", Value: nil}}}},
	{"a Set", &Set{Values: []any{1.0, "a"}}, "v instanceof Set && v.has('a') && v.size === 2", &Set{Values: []any{1.0, "a"}}},
	{"a date", someDay, `v instanceof Date && v.toISOString() === "2024-02-29T12:30:15.250Z"`, someDay},
	{"an invalid date", marshal.InvalidDate, "v instanceof Date && Number.isNaN(v.getTime())", marshal.InvalidDate},
	{"a regular expression", &RegExp{Source: "a+/", Flags: "im"}, "v instanceof RegExp && v.test('xAA/') && v.flags === 'im'", nil},
	{"an error", errors.New("oops"), "v instanceof Error && v.message === 'oops'", nil},
	{"an error with a class", &GuestError{Name: "RangeError", Message: "far", Props: []marshal.Entry{{Key: "limit", Value: 3}}}, "v instanceof RangeError && v.message === 'far' && v.limit === 3", nil},
	{"raw JSON", json.RawMessage(`{"b":[1,{"a":null}]}`), `JSON.stringify(v) === '{"b":[1,{"a":null}]}'`, map[string]any{"b": []any{1.0, map[string]any{"a": nil}}}},
}

// sameValue is reflect.DeepEqual where NaN equals NaN, -0 is not 0, and big integers are
// compared as numbers.
func sameValue(a, b any) bool {
	switch a := a.(type) {
	case float64:
		b, ok := b.(float64)
		return ok && (math.Float64bits(a) == math.Float64bits(b) || a != a && b != b)
	case *big.Int:
		b, ok := b.(*big.Int)
		return ok && a.Cmp(b) == 0
	}
	return reflect.DeepEqual(a, b)
}

func TestEveryTypeCrossesEveryBorder(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, c := range valueTypes {
			t.Run(c.name, func(t *testing.T) {
				var arg Value
				res := must(t, s, `
const is = (v) => `+c.guest+`;
const back = await f(inputs.v, { in: inputs.v });
const held = [is(inputs.v), is(g), is(nested.a[0]), is(back), is(await give()), is((await wrap()).w)];
state.v = inputs.v;
state.list.push(inputs.v);
await output("o", inputs.v);
await emit("e", { v: inputs.v });
return { held, v: inputs.v };`, Options{
					Inputs: map[string]any{"v": c.in},
					Globals: map[string]any{"g": c.in, "nested": map[string]any{"a": []any{c.in}}, "state": map[string]any{"list": []any{}},
						"f":    Func(func(_ context.Context, args []Value) (any, error) { arg = args[0]; return args[1].Field("in"), nil }),
						"give": func() any { return c.in },
						"wrap": func() (map[string]any, error) { return map[string]any{"w": c.in}, nil },
					}})
				if held := res.Value.Field("held").String(); held != "[true,true,true,true,true,true]" {
					t.Errorf("%s holds: %s (input, global, nested, argument and back, result, inside of a result)", c.guest, held)
				}
				out := c.out
				if out == nil && c.in != nil && c.in != marshal.Undefined {
					out = res.Value.Field("v").Any() // errors have stacks, see TestErrorsAsValues
				}
				state := res.Globals["state"]
				for what, got := range map[string]Value{"result": res.Value.Field("v"), "argument": arg, "global": state.Field("v"), "in a global's list": state.Field("list").Index(0),
					"output": res.Outputs["o"], "emitted": res.Emitted[0].Value.Field("v")} {
					if !sameValue(got.Any(), out) {
						t.Errorf("%s: got %#v, want %#v", what, got.Any(), out)
					}
				}
			})
		}
	})
}

func TestErrorsAsValues(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		res := must(t, s, `
const e = new TypeError("bad", { cause: new RangeError("deep") });
e.code = "E1"; e.extra = [1];
return [e, new AggregateError([new Error("a")], "many"), /x/gi]`, Options{})
		list := res.Value.Any().([]any)
		e, ok := list[0].(*GuestError)
		if !ok || e.Name != "TypeError" || e.Message != "bad" || !strings.Contains(e.Stack, "main.js:2:") || strings.Contains(e.Stack, "prelude") {
			t.Errorf("got %#v", list[0])
		}
		if cause, ok := e.Cause.(*GuestError); !ok || cause.Name != "RangeError" || cause.Message != "deep" {
			t.Errorf("got cause %#v", e.Cause)
		}
		props := map[string]any{}
		for _, p := range e.Props {
			props[p.Key] = p.Value
		}
		if !reflect.DeepEqual(props, map[string]any{"code": "E1", "extra": []any{1.0}}) {
			t.Errorf("got properties %v", props)
		}
		if many, ok := list[1].(*GuestError); !ok || many.Name != "AggregateError" || len(many.Errors) != 1 {
			t.Errorf("got %#v", list[1])
		}
		if re, ok := list[2].(*RegExp); !ok || re.String() != "/x/gi" {
			t.Errorf("got %#v", list[2])
		}
	})
}

func TestSharedReferencesAndCycles(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		res := must(t, s, "const shared = { n: 1 }, a = { x: shared, y: shared }; a.self = a; return a", Options{})
		a := res.Value.Any().(map[string]any)
		a["x"].(map[string]any)["n"] = 2.0
		if a["y"].(map[string]any)["n"] != 2.0 {
			t.Error("a shared object came out as two")
		}
		if self := a["self"].(map[string]any); reflect.ValueOf(self).Pointer() != reflect.ValueOf(a).Pointer() {
			t.Error("a cycle came out as a copy")
		}
		shared := map[string]any{"n": 1}
		res = must(t, s, "return [g.a === g.b, inputs.list[0] === inputs.list[1]]", Options{
			Globals: map[string]any{"g": map[string]any{"a": shared, "b": shared}}, Inputs: map[string]any{"list": []any{shared, shared}}})
		wantJSON(t, "shared towards the guest", res.Value, "[true,true]")
		res = must(t, s, "const m = new Map(); m.set(m, new Set([m])); return await f(m)", Options{Globals: map[string]any{"f": func(v Value) Value { return v }}})
		m := res.Value.Any().(*Map)
		if m.Entries[0].Key != any(m) || m.Entries[0].Value.(*Set).Values[0] != any(m) {
			t.Error("a cycle through a Map and a Set did not survive")
		}
		if _, err := res.Value.JSON(); err == nil {
			t.Error("a cycle has a JSON text")
		}
	})
}

func TestACycleInAGlobalIsOneClearError(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		loop := map[string]any{}
		loop["again"] = []any{loop}
		for _, o := range []Options{{Globals: map[string]any{"fine": 1, "loop": loop}}, {Globals: map[string]any{"loop": []any{loop}}}, {Inputs: map[string]any{"loop": loop}}} {
			_, e := fails(t, s, "console.log('ran')", o, KindUsage)
			if !strings.Contains(e.Message, "loop") || !strings.Contains(e.Message, "refers back to itself") || e.Op != "globals" {
				t.Errorf("got %v", e)
			}
		}
		_, e := fails(t, s, "return 1", Options{Globals: map[string]any{"state": map[string]any{"a": []any{make(chan int)}}}}, KindUsage)
		if !strings.Contains(e.Message, "state.a[0]") {
			t.Errorf("got %v", e)
		}
		alive(t, s)
	})
}

// TestAloneOrAmongOthers reads a global that is the only one, which has a message of its own.
func TestAloneOrAmongOthers(t *testing.T) {
	cases := []struct {
		name, code, want string
		warns            bool
	}{
		{"unchanged", ";", `{"a":1,"list":[{}]}`, false},
		{"changed inside", "g.list[0].me = g.list; g.a = 2n; delete g.list[0].me", `{"a":"2","list":[{}]}`, false},
		{"assigned anew", "g = [1, 'x']", `[1,"x"]`, false},
		{"deleted", "delete globalThis.g", `null`, false},
		{"a function", "g = () => 1", `null`, true},
		{"with a function in it", "g.f = () => 1", `{"a":1,"list":[{}]}`, true},
		{"a getter", "Object.defineProperty(globalThis, 'g', { get: () => 'got' })", `"got"`, false},
	}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, c := range cases {
			g := map[string]any{"a": 1, "list": []any{map[string]any{}}}
			for _, globals := range []map[string]any{{"g": g}, {"g": g, "other": []any{}}} {
				res := must(t, s, c.code, Options{Globals: globals})
				name := fmt.Sprintf("%s, one of %d", c.name, len(globals))
				wantJSON(t, name, res.Globals["g"], c.want)
				if len(res.Globals) != len(globals) {
					t.Errorf("%s: %d globals were read", name, len(res.Globals))
				}
				if warned := len(res.Logs) > 0; warned != c.warns {
					t.Errorf("%s: warned %v, want %v: %v", name, warned, c.warns, res.Logs)
				}
			}
			_, err := s.Run(context.Background(), "Object.defineProperty(globalThis, 'g', { get() { throw new Error('mine') } })", Options{Globals: map[string]any{"g": g}})
			if e := wantKind(t, err, KindGuest); e.Message != "mine" {
				t.Errorf("a getter that throws gave %q", e.Message)
			}
		}
	})
}

func TestGlobalsAreReadBack(t *testing.T) {
	globals := func() map[string]any {
		return map[string]any{"state": map[string]any{"a": 1, "gone": true}, "list": []any{1, 2}, "text": "t", "n": 5, "when": someDay,
			"typed": []byte{1}, "rec": struct {
				A int `json:"a"`
			}{1}, "fn": func() {}}
	}
	cases := []struct {
		name, code string
		kind       string
		want       map[string]string
	}{
		{"changes inside", "state.a = [new Date(0), NaN]; delete state.gone; list.push({ b: 2n })", "value",
			map[string]string{"state": `{"a":["1970-01-01T00:00:00.000Z",null]}`, "list": `[1,2,{"b":"2"}]`, "rec": `{"a":1}`, "typed": `"AQ=="`}},
		{"changes before a throw", "state.a = 2; throw new Error('x')", "guest", map[string]string{"state": `{"a":2,"gone":true}`}},
		{"changes before a rejection", "await sleep(1); list.length = 0; await Promise.reject(new Error('x'))", "guest", map[string]string{"list": "[]"}},
		{"a global that was assigned anew", "state = { fresh: 1 }; list = 'text'", "value", map[string]string{"state": `{"fresh":1}`, "list": `"text"`}},
		{"a global that was deleted", "delete globalThis.state", "value", map[string]string{"state": "null"}},
		{"a local of the same name", "const state = { other: 1 }; state.a = 9", "value", map[string]string{"state": `{"a":1,"gone":true}`}},
		{"a cycle", "state.me = state; state.list = list; delete state.gone", "value", nil},
		{"a getter", "Object.defineProperty(state, 'a', { enumerable: true, get: () => 7 })", "value", map[string]string{"state": `{"a":7,"gone":true}`}},
		{"a run that stalls", "state.a = 3; await new Promise(() => {})", "stalled", nil},
	}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				given := globals()
				res, err := s.Run(context.Background(), c.code, Options{Globals: given})
				if kindOf(err) != c.kind {
					t.Fatalf("got %v, want %s", err, c.kind)
				}
				for name, want := range c.want {
					wantJSON(t, name, res.Globals[name], want)
				}
				if given["state"].(map[string]any)["a"] != 1 {
					t.Error("the host's own object changed")
				}
				for _, name := range []string{"text", "n", "when", "fn"} {
					if _, ok := res.Globals[name]; ok {
						t.Errorf("%s was read back", name)
					}
				}
			})
		}
		res, err := s.Run(context.Background(), "state.a = 5; for (;;);", Options{Globals: globals(), Limits: Limits{Timeout: 50 * time.Millisecond}})
		if wantKind(t, err, KindTimeout); res.Globals != nil {
			t.Errorf("a stopped run has globals: %v", res.Globals)
		}
	})
}

func TestNamesOfGlobals(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		g := map[string]any{}
		reserved := []string{"console", "fetch", "crypto", "sleep", "getSecret", "workspace", "assetToSandbox", "sandboxToAsset", "progress", "emit", "output", "format",
			"image", "audio", "video", "canvas", "media", "__maxIter", "__secretScope", "toBase64", "fromBase64", "toHex", "fromHex", "parallelMap", "createCanvas", "stream",
			"__wasmCall", "__capabilityCall", "__takeInput", "__streamOpen", "__nodetool_marshal__", "__nodetool_globals_json__", "__nodetool_globals_side__", "__hostCall",
			"__nodetoolHostDispatch", "globalThis", "undefined", "NaN", "Infinity"}
		invalid := []string{"", "a-b", "1a", "a b", "ä", "a.b", "x;y", "\x00", "日本"}
		for _, n := range append(reserved, invalid...) {
			g[n] = []any{"mine"}
		}
		valid := []string{"a", "_", "$", "a1", "camelCase", "class", "URL", "Array", "env"}
		for _, n := range valid {
			g[n] = []any{"mine"}
		}
		res := must(t, s, `
const mine = (v) => v !== null && typeof v === "object" && v[0] === "mine";
return [Object.getOwnPropertyNames(globalThis).filter((n) => mine(globalThis[n])).sort(), typeof toBase64, typeof console.log, typeof fetch]`, Options{Globals: g})
		wantJSON(t, "names", res.Value, `[["$","Array","URL","_","a","a1","camelCase","class","env"],"function","function","function"]`)
		if len(res.Globals) != len(valid) {
			t.Errorf("read back: %v", sortedKeys(res.Globals))
		}
	})
}

func TestFunctionsAsGlobals(t *testing.T) {
	type point struct {
		X, Y float64
		Tags []string `json:"tags"`
	}
	calls := 0
	o := Options{Globals: map[string]any{
		"none":    func() {},
		"add":     func(a, b int) int { return a + b },
		"point":   func(p point) (point, error) { p.X++; return p, nil },
		"pointer": func(p *point) bool { return p == nil },
		"sum": func(_ context.Context, first float64, rest ...float64) float64 {
			for _, r := range rest {
				first += r
			}
			return first
		},
		"bytes": func(b []byte) []byte { return bytes.ToUpper(b) },
		"raw":   Func(func(_ context.Context, args []Value) (any, error) { return len(args), nil }),
		"plain": func(context.Context, []Value) (any, error) { return "plain", nil },
		"fails": func() error { return errors.New("it broke") },
		"ranges": func() (int, error) {
			return 0, &GuestError{Name: "RangeError", Message: "far", Props: []marshal.Entry{{Key: "limit", Value: 3}}}
		},
		"coded": func() error { return &Error{Kind: KindDenied, Name: "Denied", Message: "no", Code: "E_NO"} },
		"wrapped": func() error {
			return errors.Join(errors.New("outer"), &GuestError{Name: "TypeError", Message: "inner"})
		},
		"date":     func(d time.Time) time.Time { return d.Add(time.Hour) },
		"opt":      func(m map[string]int, s *string) int { return len(m) },
		"api":      map[string]any{"v1": map[string]any{"hello": func(name string) string { return "hello " + name }}, "list": []any{func() int { return 7 }}},
		"counting": func() { calls++ },
		"chars":    func(s string) string { return s },
	}}
	cases := []struct{ name, code, want string }{
		{"no result is undefined", "return [await none(), (await none()) === undefined]", `[null,true]`},
		{"converted arguments", "return await add(2, 3)", `5`},
		{"a missing argument is the zero value, more are dropped", "return [await add(2), await add(), await add(1, 2, 3)]", `[2,0,3]`},
		{"structs", `return await point({ X: 1, tags: ["a"] })`, `{"X":2,"Y":0,"tags":["a"]}`},
		{"a pointer may be nil", "return [await pointer(null), await pointer(), await pointer({})]", `[true,true,false]`},
		{"variadic", "return [await sum(1), await sum(1, 2, 3)]", `[1,6]`},
		{"bytes in and out", `const b = await bytes(new Uint8Array([97, 98])); return [b instanceof Uint8Array, ...b]`, `[true,65,66]`},
		{"a view is its own range", `return [...await bytes(new Uint8Array([97, 98, 99, 100]).subarray(1, 3))]`, `[66,67]`},
		{"encoded arguments", "return [await raw(), await raw(1, undefined, null), await plain()]", `[0,3,"plain"]`},
		{"nested functions", "return [await api.v1.hello('you'), await api.list[0](), api.v1.hello.name]", `["hello you",7,"hello"]`},
		{"dates", "return (await date(new Date(0))).getTime()", `3600000`},
		{"lone surrogates become U+FFFD", `return (await chars("a\ud800b")) === "a\ufffdb"`, `true`},
		{"calls run at the same time", "return await Promise.all([add(1, 1), add(2, 2), sum(3)])", `[2,4,3]`},
		{"a failure rejects with its text", "try { await fails() } catch (e) { return [e instanceof Error, e.name, e.message] }", `[true,"Error","it broke"]`},
		{"with class and properties", "try { await ranges() } catch (e) { return [e instanceof RangeError, e.message, e.limit] }", `[true,"far",3]`},
		{"with a code", "try { await coded() } catch (e) { return [e.name, e.message, e.code] }", `["Denied","no","E_NO"]`},
		{"found inside of a wrapped error", "try { await wrapped() } catch (e) { return [e.name, e.message] }", `["TypeError","inner"]`},
		{"a call throws nothing at once", "const p = fails(); let caught = false; await p.catch(() => { caught = true }); return [p instanceof Promise, caught]", `[true,true]`},
		{"wrong arguments reject and do not call", "try { await add('x', 1) } catch (e) { return [e.name, e.message.startsWith('argument 1')] }", `["TypeError",true]`},
		{"a fraction is no integer", "try { await add(1, 2.5) } catch (e) { return e.name + e.message.slice(0, 10) }", `"TypeErrorargument 2"`},
		{"an overflow is no integer", "try { await add(1e300, 1) } catch (e) { return e.name }", `"TypeError"`},
		{"a text is no date", "try { await date('today') } catch (e) { return e.name }", `"TypeError"`},
		{"functions cannot be arguments", "try { await counting(() => 1) } catch (e) { return e.name }", `"DataCloneError"`},
		{"the type of a function", "return [typeof add, add.name, JSON.stringify(Object.keys(add))]", `["function","add","[]"]`},
	}
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				wantJSON(t, c.code, must(t, s, c.code, o).Value, c.want)
			})
		}
		if calls != 0 {
			t.Errorf("a function was called %d times with an argument that cannot cross", calls)
		}
		for name, fn := range map[string]any{"two results": func() (int, int) { return 1, 2 }, "nil": (func())(nil), "a nil Func": Func(nil)} {
			_, err := s.Run(context.Background(), "return typeof f", Options{Globals: map[string]any{"f": fn}})
			if name == "two results" {
				wantKind(t, err, KindUsage)
			} else if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		res := must(t, s, "await none(); await none(); await add(1, 1); return 1", o)
		if res.Usage.Calls["none"].Count != 2 || res.Usage.Calls["add"].Count != 1 {
			t.Errorf("got %+v", res.Usage.Calls)
		}
		// A rejection that nobody catches fails the run with the host's name and message.
		_, e := fails(t, s, "const x = 1;\nawait ranges()", o, KindGuest)
		if e.Name != "RangeError" || e.Message != "far" || e.Position.Line != 2 {
			t.Errorf("got %v at %v", e, e.Position)
		}
	})
}

func TestTruncation(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		o := Options{Limits: Limits{OutputSize: 2000}}
		res := must(t, s, `return { id: 7, rows: Array.from({ length: 1000 }, (_, i) => ({ i, name: "row " + i })), note: "n".repeat(5000), tail: true }`, o)
		b, err := res.Value.JSON()
		if err != nil {
			t.Fatal(err)
		}
		cut := res.Truncated["result"]
		if len(b) > 2200 || cut == nil || cut.Strings != 1 || cut.Elements < 900 || cut.Size < 20_000 || cut.Kept > 2100 || len(cut.Paths) != 2 {
			t.Errorf("got %d bytes, %+v", len(b), cut)
		}
		v := res.Value
		if v.Field("id").String() != "7" || v.Field("tail").String() != "true" || v.Field("rows").Len() < 5 || v.Field("rows").Index(3).Field("name").String() != "row 3" {
			t.Errorf("the structure is lost: %s", b)
		}
		if note, _ := v.Field("note").Str(); !strings.HasSuffix(note, "\n...[truncated]") {
			t.Errorf("got note %q", note)
		}
		if res := must(t, s, "return { a: 'x'.repeat(1900) }", o); res.Truncated != nil {
			t.Errorf("cut within the limit: %+v", res.Truncated["result"])
		}
		// Binary data does not count as text.
		if res := must(t, s, "return new Uint8Array(1 << 20)", o); res.Truncated != nil || res.Value.Len() != 1<<20 {
			t.Errorf("bytes were cut: %+v", res.Truncated)
		}
	})
}

func TestWhatCannotLeaveIsDroppedWithAWarning(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		res := must(t, s, "return { a: 1, f() {}, list: [1, () => 2, Symbol('s')], s: Symbol('t'), deep: { g: class {} } }", Options{})
		wantJSON(t, "result", res.Value, `{"a":1,"list":[1,null,null],"deep":{}}`)
		if len(res.Logs) != 1 || res.Logs[0].Level != "warn" || !strings.Contains(res.Logs[0].Message, "5 functions or symbols") || !strings.Contains(res.Logs[0].Message, "f") {
			t.Errorf("got logs %q", logText(res))
		}
		for _, code := range []string{"return () => 1", "return Symbol('x')", "return class {}", "return new WeakMap()", "return Promise.resolve(4)", "return new Proxy({ a: 1 }, {})", "return (function* () {})()",
			"return { get a() { throw new Error('getter') } }", "return Object.create(null)", "return new (class Point { x = 1 })()", "return arguments", "return globalThis", "return new Number(5)",
			"let a = []; for (let i = 0; i < 1000; i++) a = [a]; return a"} {
			_, err := s.Run(context.Background(), code, Options{})
			if k := kindOf(err); k != "value" && k != "guest" && k != "syntax" {
				t.Errorf("%s: %v", code, err)
			}
		}
		wantJSON(t, "a class instance", must(t, s, "return new (class Point { x = 1; m() {} })()", Options{}).Value, `{"x":1}`)
		wantJSON(t, "a boxed value", must(t, s, "return [new Number(5), new String('s'), Object(1n)]", Options{}).Value, `[5,"s","1"]`)
		wantJSON(t, "a promise", must(t, s, "return Promise.resolve(4)", Options{}).Value, `4`)
		wantJSON(t, "surrogates", must(t, s, `return ["\ud800", "a\udc00", "\ud83d\ude00", { "\ud800k": 1 }]`, Options{}).Value, `["�","a�","😀",{"�k":1}]`)
		_, e := fails(t, s, "let a = []; for (let i = 0; i < 1000; i++) a = [a]; return a", Options{}, KindGuest)
		if !strings.Contains(e.Message, "200 levels") {
			t.Errorf("got %v", e)
		}
	})
}

// The pure engine once ended an outer object where an inner one took its place in a cache.
func TestNestedObjectsOfManyShapesKeepTheirKeys(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *Sandbox) {
		res := must(t, s, `
const out = {};
for (let i = 0; i < 64; i++) {
  const inner = {}, outer = { first: 0, inner, second: inner };
  for (let k = 0; k <= i % 7; k++) inner["k" + i + k] = { ["d" + i]: [k] };
  outer["last" + i] = i;
  out["o" + i] = outer;
}
return { out, text: JSON.stringify(out) };`, Options{})
		b, err := res.Value.Field("out").JSON()
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := res.Value.Field("text").Str(); string(b) != text {
			t.Errorf("got  %s\nwant %s", b, text)
		}
	})
}
