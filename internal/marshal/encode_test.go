package marshal

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"
)

type inner struct {
	X int `json:"x"`
	Y int `json:"y,omitempty"`
}

type tagged struct {
	inner
	*Embedded
	Name    string         `json:"name"`
	Skipped string         `json:"-"`
	Empty   []int          `json:"empty,omitempty"`
	Zero    time.Time      `json:"zero,omitzero"`
	When    time.Time      `json:"when"`
	Any     any            `json:"any"`
	Ptr     *int           `json:"ptr"`
	Map     map[int]string `json:"map"`
	Big     big.Int        `json:"big"`
	hidden  int
}

type Embedded struct{ E string }

type named string
type celsius float64
type panics struct{}

func (panics) MarshalText() ([]byte, error) { panic("no text") }

type jsonic struct{ s string }

func (j jsonic) MarshalJSON() ([]byte, error) { return []byte(j.s), nil }

type pointerText struct{ n int }

func (p *pointerText) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "p%d", p.n), nil }

var noon = time.Date(2024, 2, 29, 12, 0, 0, 123456789, time.FixedZone("x", 3600))

func ptr[T any](v T) *T { return &v }

// object makes an *Object of keys and values in turn.
func object(pairs ...any) *Object {
	o := &Object{}
	for i := 0; i < len(pairs); i += 2 {
		o.Entries = append(o.Entries, Entry{pairs[i].(string), pairs[i+1]})
	}
	return o
}

func mustEncode(t testing.TB, v any) Message {
	t.Helper()
	m, err := Encode(v, EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func mustValue(t testing.TB, v any) Value {
	t.Helper()
	m := mustEncode(t, v)
	x, err := Decode(m)
	if err != nil {
		t.Fatalf("own message does not decode: %v\n%s", err, Dump(m))
	}
	return x
}

func bigHex(s string) *big.Int { n, _ := new(big.Int).SetString(s, 16); return n }

// typeTable: a Go value, and what comes back of it through Ordered.
var typeTable = []struct {
	name string
	in   any
	want any
}{
	{"nil is null", []any{nil}, []any{nil}},
	{"undefined inside stays undefined", []any{Undefined}, []any{Undefined}},
	{"booleans", []any{true, false}, []any{true, false}},
	{"all int types are numbers", []any{int(1), int8(-2), int16(3), int32(-4), int64(5), uint(6), uint8(7), uint16(8), uint32(9), uint64(10), uintptr(11)},
		[]any{1., -2., 3., -4., 5., 6., 7., 8., 9., 10., 11.}},
	{"the largest safe integers are numbers", []any{int64(1<<53 - 1), int64(-1<<53 + 1), uint64(1<<53 - 1)}, []any{9007199254740991., -9007199254740991., 9007199254740991.}},
	{"integers beyond are bigints", []any{int64(1 << 53), int64(math.MinInt64), uint64(math.MaxUint64)},
		[]any{big.NewInt(1 << 53), big.NewInt(math.MinInt64), new(big.Int).SetUint64(math.MaxUint64)}},
	{"ints at the 32 bit border", []any{math.MaxInt32, math.MinInt32, math.MaxInt32 + 1, math.MinInt32 - 1}, []any{2147483647., -2147483648., 2147483648., -2147483649.}},
	{"floats keep sign of zero and infinities", []any{1.5, math.Inf(1), math.Inf(-1), 1e300, float32(0.5)}, []any{1.5, math.Inf(1), math.Inf(-1), 1e300, 0.5}},
	{"big ints", []any{big.NewInt(0), big.NewInt(-255), *big.NewInt(7), bigHex("123456789abcdef0123456789abcdef")},
		[]any{new(big.Int), big.NewInt(-255), big.NewInt(7), bigHex("123456789abcdef0123456789abcdef")}},
	{"strings", []any{"", "äöü", "a\x00b"}, []any{"", "äöü", "a\x00b"}},
	{"invalid UTF-8 becomes U+FFFD", []any{"a\xffb", "\xed\xa0\x80", "\xe2\x82"}, []any{"a\ufffdb", "\ufffd", "\ufffd\ufffd"}},
	{"named types go by their kind", []any{named("n"), celsius(1.5), map[named]celsius{"k": 2}}, []any{"n", 1.5, object("k", 2.)}},
	{"byte ranges keep their type", []any{[]byte{1, 2}, Uint8Clamped{3}, Buffer{4}, View{5}, Float16s{0x3c00}},
		[]any{[]byte{1, 2}, Uint8Clamped{3}, Buffer{4}, View{5}, Float16s{0x3c00}}},
	{"typed slices are typed arrays", []any{[]int8{-1}, []int16{-2}, []uint16{2}, []int32{-3}, []uint32{3}, []int64{-4}, []uint64{4}, []float32{0.5}, []float64{0.25}},
		[]any{[]int8{-1}, []int16{-2}, []uint16{2}, []int32{-3}, []uint32{3}, []int64{-4}, []uint64{4}, []float32{0.5}, []float64{0.25}}},
	{"number arrays by value are typed arrays", []any{[2]byte{1, 2}, &[1]float64{3}}, []any{[]byte{1, 2}, []float64{3}}},
	{"slices of other types are arrays", []any{[]int{1}, []uint{2}, []string{"a"}, []bool{true}, []time.Duration{3}, []any{nil}, [1]string{"x"}},
		[]any{[]any{1.}, []any{2.}, []any{"a"}, []any{true}, []any{3.}, []any{nil}, []any{"x"}}},
	{"slices of maps are arrays of objects", []map[string]any{{"b": 1, "a": 2}}, []any{object("a", 2., "b", 1.)}},
	{"nil slices and maps are empty", []any{[]any(nil), map[string]any(nil), []byte(nil), map[string]int(nil)}, []any{[]any{}, object(), []byte{}, object()}},
	{"nil pointers and functions are null", []any{(*int)(nil), (func())(nil), (*big.Int)(nil), (*Map)(nil), (*Object)(nil), (error)(nil), (*tagged)(nil)}, []any{nil, nil, nil, nil, nil, nil, nil}},
	{"pointers are followed", []any{ptr(1), ptr(ptr("x")), ptr(any(true))}, []any{1., "x", true}},
	{"times are dates without less than a millisecond", []any{noon, &noon, time.Time{}}, []any{noon.Truncate(time.Millisecond).UTC(), noon.Truncate(time.Millisecond).UTC(), time.Time{}}},
	{"invalid dates stay invalid", []any{InvalidDate}, []any{InvalidDate}},
	{"map keys are sorted", map[string]any{"b": 1, "a": 2, "": 3}, object("", 3., "a", 2., "b", 1.)},
	{"integer keys are in numerical order", map[int]string{10: "x", 9: "y", -1: "z"}, object("-1", "z", "9", "y", "10", "x")},
	{"text marshaler keys", map[netip.Addr]int{netip.MustParseAddr("10.0.0.1"): 1}, object("10.0.0.1", 1.)},
	{"objects keep the order of their keys", object("z", 1., "a", object()), object("z", 1., "a", object())},
	{"__proto__ is a key like others", map[string]any{"__proto__": 1}, object("__proto__", 1.)},
	{"maps and sets", []any{&Map{[]MapEntry{{"k", 1}, {nil, []any{}}}}, &Set{[]any{1, "a"}}, Set{}},
		[]any{&Map{[]MapEntry{{"k", 1.}, {nil, []any{}}}}, &Set{[]any{1., "a"}}, &Set{[]any{}}}},
	{"regexps", []any{&RegExp{"a+", "gi"}, RegExp{"b", ""}}, []any{&RegExp{"a+", "gi"}, &RegExp{"b", ""}}},
	{"guest errors with everything", &Error{Name: "TypeError", Message: "m", Stack: "s", Cause: &Error{Name: "Error"}, Errors: []any{1.}, Props: []Entry{{"code", "E"}}},
		&Error{Name: "TypeError", Message: "m", Stack: "s", Cause: &Error{Name: "Error"}, Errors: []any{1.}, Props: []Entry{{"code", "E"}}}},
	{"an error's cause of null", &Error{Props: []Entry{{"cause", nil}}}, &Error{Props: []Entry{{"cause", nil}}}},
	{"Go errors cross as their text", []any{fmt.Errorf("outer: %w", errors.New("inner"))}, []any{&Error{Name: "Error", Message: "outer: inner"}}},
	{"structs by their tags", tagged{inner: inner{X: 1}, Embedded: &Embedded{"e"}, Name: "n", Skipped: "s", When: noon, Any: inner{2, 3}, Map: map[int]string{1: "a"}, hidden: 1},
		object("x", 1., "E", "e", "name", "n", "when", noon.Truncate(time.Millisecond).UTC(), "any", object("x", 2., "y", 3.), "ptr", nil, "map", object("1", "a"), "big", new(big.Int))},
	{"a nil embedded pointer leaves its fields out", struct {
		*Embedded
		A int
	}{A: 1}, object("A", 1.)},
	{"json numbers", []any{json.Number("12"), json.Number("-0"), json.Number("1.5e3"), json.Number("12345678901234567890"), json.Number("9007199254740993")},
		[]any{12., math.Copysign(0, -1), 1500., bigHex("ab54a98ceb1f0ad2"), big.NewInt(9007199254740993)}},
	{"raw JSON is parsed, in its order", json.RawMessage(` {"b":[1,{"c":null}],"a":12345678901234567890} `), object("b", []any{1., object("c", nil)}, "a", 12345678901234567890.)},
	{"json marshalers", []any{jsonic{`[true]`}, &jsonic{`"s"`}, json.RawMessage(nil)}, []any{[]any{true}, "s", nil}},
	{"text marshalers are strings", []any{netip.MustParseAddr("::1"), &pointerText{3}}, []any{"::1", "p3"}},
	{"methods of the pointer count where there is one", &struct{ P pointerText }{pointerText{4}}, object("P", "p4")},
}

func TestTypesBothWays(t *testing.T) {
	for _, row := range typeTable {
		t.Run(row.name, func(t *testing.T) {
			m := mustEncode(t, row.in)
			v, err := Decode(m)
			if err != nil {
				t.Fatalf("%v\n%s", err, Dump(m))
			}
			got := v.Ordered()
			if !same(got, row.want) {
				t.Errorf("got %s\nwant %s", Dump(mustEncode(t, got)), Dump(mustEncode(t, row.want)))
			}
			if again := mustEncode(t, v); !Equal(m, again) {
				t.Errorf("the value is written again as\n%s\nit was\n%s", Dump(again), Dump(m))
			}
		})
	}
}

// same is DeepEqual, with big.Int by value and the sign of zeros.
func same(a, b any) bool {
	m, err := Encode(a, EncodeOptions{})
	n, err2 := Encode(b, EncodeOptions{})
	return err == nil && err2 == nil && reflect.TypeOf(a) == reflect.TypeOf(b) && Equal(m, n)
}

func TestNaNAndNegativeZeroCross(t *testing.T) {
	got := mustValue(t, []any{math.NaN(), math.Copysign(0, -1)}).Any().([]any)
	if f := got[0].(float64); f == f {
		t.Errorf("NaN came back as %v", f)
	}
	if f := got[1].(float64); f != 0 || !math.Signbit(f) {
		t.Errorf("-0 came back as %v", f)
	}
}

// golden wires, one for each tag and form.
var golden = []struct {
	name string
	in   any
	wire string
}{
	{"undefined", Undefined, "\x00"},
	{"null", nil, "\x01"},
	{"false", false, "\x02"},
	{"true", true, "\x03"},
	{"int", -3, "\x04\x05"},
	{"int of two bytes", 100, "\x04\xc8\x01"},
	{"largest int", math.MaxInt32, "\x04\xfe\xff\xff\xff\x0f"},
	{"smallest int", math.MinInt32, "\x04\xff\xff\xff\xff\x0f"},
	{"float", 1.5, "\x05\x00\x00\x00\x00\x00\x00\xf8\x3f"},
	{"negative zero", math.Copysign(0, -1), "\x05\x00\x00\x00\x00\x00\x00\x00\x80"},
	{"float with an integer's value", 7.0, "\x04\x0e"},
	{"bigint", big.NewInt(-255), "\x06\x03-ff"},
	{"string", "ä", "\x07\x02\xc3\xa4"},
	{"array", []any{nil, true}, "\x09\x02\x01\x03"},
	{"object", map[string]any{"b": 1, "a": "x"}, "\x0a\x04a\x07\x01x\x04b\x04\x02\x00"},
	{"object with an empty key", map[string]any{"": nil}, "\x0a\x02\x01\x00"},
	{"numbered keys", []any{map[string]any{"a": nil, "b": nil}, map[string]any{"a": nil, "b": nil}}, "\x09\x02\x0a\x04a\x01\x04b\x01\x00\x0a\x01\x01\x03\x01\x00"},
	{"map", &Map{[]MapEntry{{"k", nil}}}, "\x0b\x01\x07\x01k\x01"},
	{"set", &Set{[]any{nil}}, "\x0c\x01\x01"},
	{"date", time.UnixMilli(0), "\x0d\x00\x00\x00\x00\x00\x00\x00\x00"},
	{"error", &Error{"N", "M", "S", true, nil, []Entry{{"p", false}}}, "\x0e\x01N\x01M\x01S\x0ccause\x03\x04p\x02\x00"},
	{"regexp", &RegExp{"a", "g"}, "\x0f\x01a\x01g"},
	{"bytes", []uint16{0x0102}, "\x10\x04\x02\x02\x01"},
	{"blob", []any{make([]byte, BlobSize), Buffer(make([]byte, BlobSize))}, "\x09\x02\x11\x00\x00\x11\x0c\x01"},
}

func TestGoldenWire(t *testing.T) {
	for _, row := range golden {
		t.Run(row.name, func(t *testing.T) {
			if got := string(mustEncode(t, row.in).Wire); got != row.wire {
				t.Errorf("got  % x\nwant % x", got, row.wire)
			}
		})
	}
	shared := []any{1}
	if got := string(mustEncode(t, []any{shared, shared}).Wire); got != "\x09\x02\x09\x01\x04\x02\x08\x01" {
		t.Errorf("ref: got % x", got)
	}
	fn := func(string, any) (uint64, string, bool) { return 300, "f", true }
	m, err := Encode(func() {}, EncodeOptions{Func: fn})
	if err != nil || string(m.Wire) != "\x12\xac\x02\x01f" {
		t.Errorf("host function: % x, %v", m.Wire, err)
	}
}

func TestSharingAndCycles(t *testing.T) {
	type node struct {
		Next *node
		N    int
	}
	ring := &node{N: 1}
	ring.Next = &node{ring, 2}
	m := map[string]any{}
	m["self"] = m
	list := make([]any, 1)
	list[0] = list
	set := &Set{}
	set.Values = []any{set}
	shared := map[string]any{"x": 1}
	bytes := []byte{1}
	typed := []string{"a"}
	date := time.UnixMilli(5)
	rows := []struct {
		name string
		in   any
		want string // of Dump
	}{
		{"a map that contains itself", m, "#0 object\n  \"self\": ref #0\n"},
		{"a slice that contains itself", list, "#0 array 1\n  - ref #0\n"},
		{"a set that contains itself", set, "#0 set 1\n  - ref #0\n"},
		{"a ring of structs", ring, "#0 object\n  \"Next\": #1 object\n    \"Next\": ref #0\n    \"N\": 2\n  \"N\": 1\n"},
		{"a map that occurs twice", []any{shared, shared}, "#0 array 2\n  - #1 object\n    \"x\": 1\n  - ref #1\n"},
		{"bytes that occur twice", []any{bytes, bytes}, "#0 array 2\n  - #1 Uint8Array 1 bytes 01\n  - ref #1\n"},
		{"the same bytes in another role", []any{bytes, Buffer(bytes)}, "#0 array 2\n  - #1 Uint8Array 1 bytes 01\n  - #2 ArrayBuffer 1 bytes 01\n"},
		{"a typed slice that occurs twice", []any{typed, typed}, "#0 array 2\n  - #1 array 1\n    - \"a\"\n  - ref #1\n"},
		{"part of a slice is another array", []any{[]any{1, 2}[:1], []any{}}, "#0 array 2\n  - #1 array 1\n    - 1\n  - #2 array 0\n"},
		{"empty slices are not shared", []any{[]any{}, []any{}}, "#0 array 2\n  - #1 array 0\n  - #2 array 0\n"},
		{"a date has no identity", []any{&date, &date}, "#0 array 2\n  - #1 date 5\n  - #2 date 5\n"},
		{"a pointer to an array of bytes and its slice", func() any { a := &[1]byte{1}; return []any{a[:], a, a} }(),
			"#0 array 3\n  - #1 Uint8Array 1 bytes 01\n  - ref #1\n  - ref #1\n"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			msg := mustEncode(t, row.in)
			if got := Dump(msg); got != row.want {
				t.Fatalf("got\n%swant\n%s", got, row.want)
			}
			v, err := Decode(msg)
			if err != nil {
				t.Fatal(err)
			}
			if again := mustEncode(t, v); string(again.Wire) != string(msg.Wire) {
				t.Errorf("written again: % x", again.Wire)
			}
		})
	}
	got := mustValue(t, m).Any().(map[string]any)
	if inner := got["self"].(map[string]any); reflect.ValueOf(inner).Pointer() != reflect.ValueOf(got).Pointer() {
		t.Error("Any: the cycle goes to another map")
	}
	loop := mustValue(t, list).Any().([]any)
	if &loop[0].([]any)[0] != &loop[0] {
		t.Error("Any: the cycle goes to another slice")
	}
}

func TestEncodeErrors(t *testing.T) {
	cyclic := map[string]any{}
	cyclic["state"] = map[string]any{"up": cyclic}
	deep := any("x")
	for range MaxDepth + 1 {
		deep = []any{deep}
	}
	var knot any
	knot = &knot
	rows := []struct {
		name string
		in   any
		opt  EncodeOptions
		want string
		is   error
	}{
		{"a channel", map[string]any{"rows": []any{1, map[string]any{"ch": make(chan int)}}}, EncodeOptions{Path: "globals"}, "globals.rows[1].ch: cannot pass chan int to the guest", nil},
		{"a complex number", []any{1i}, EncodeOptions{}, "value[0]: cannot pass complex128 to the guest", nil},
		{"a function without a decision", map[string]any{"a b": func() {}}, EncodeOptions{}, `value["a b"]: cannot pass func() to the guest`, nil},
		{"a map with other keys", map[float64]int{1: 1}, EncodeOptions{}, "value: cannot pass map[float64]int to the guest", nil},
		{"a cycle where none is allowed", map[string]any{"g": cyclic}, EncodeOptions{Path: "globals", RefuseCycles: true}, "globals.g.state.up: refers back to itself", ErrCycle},
		{"more than MaxDepth levels", deep, EncodeOptions{}, "value" + strings.Repeat("[0]", MaxDepth) + ": nested deeper than 200 levels", ErrTooDeep},
		{"a variable that points to itself", knot, EncodeOptions{}, "value: nested deeper than 200 levels", ErrTooDeep},
		{"a message above the limit", []any{strings.Repeat("x", 200)}, EncodeOptions{MaxSize: 100}, "value[0]: too large: message of more than 100 bytes", ErrTooLarge},
		{"many small things above the limit", make([]any, 200), EncodeOptions{MaxSize: 100}, "", ErrTooLarge},
		{"a blob above the limit", []any{make([]byte, BlobSize)}, EncodeOptions{MaxSize: 100}, "value[0]: too large: message of more than 100 bytes", ErrTooLarge},
		{"a panic in a method", []any{panics{}}, EncodeOptions{}, "value[0]: panic: no text", nil},
		{"bad JSON from a method", []any{jsonic{`{"a":}`}}, EncodeOptions{}, "", nil},
		{"two JSON values", json.RawMessage(`1 2`), EncodeOptions{}, "value: JSON: text after the value", nil},
		{"a json.Number that is none", json.Number("abc"), EncodeOptions{}, `value: json.Number "abc" is not a number`, nil},
		{"a json.Number that is Infinity", json.Number("Infinity"), EncodeOptions{}, `value: json.Number "Infinity" is not a number`, nil},
		{"a time that no Date holds", time.Date(300000, 1, 1, 0, 0, 0, 0, time.UTC), EncodeOptions{}, "value: time in the year 300000 is outside what a Date can hold", nil},
		{"a bigint that no engine holds", new(big.Int).Lsh(big.NewInt(1), 1<<20), EncodeOptions{}, "value: too large: bigint of 1048577 bits, above 1048576", ErrTooLarge},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			m, err := Encode(row.in, row.opt)
			if err == nil {
				t.Fatalf("no error but\n%s", Dump(m))
			}
			if row.want != "" && err.Error() != row.want {
				t.Errorf("got  %s\nwant %s", err, row.want)
			}
			if row.is != nil && !errors.Is(err, row.is) {
				t.Errorf("%v is not %v", err, row.is)
			}
			// The encoder is reused after an error.
			if m := mustEncode(t, []any{"a"}); string(m.Wire) != "\x09\x01\x07\x01a" {
				t.Errorf("next message is % x", m.Wire)
			}
		})
	}
}

func TestSharedWithoutCycleIsAllowed(t *testing.T) {
	s := map[string]any{"x": 1}
	if _, err := Encode([]any{s, []any{s}}, EncodeOptions{RefuseCycles: true}); err != nil {
		t.Fatal(err)
	}
}

func TestFunctionsGetTheirPath(t *testing.T) {
	var paths []string
	opt := EncodeOptions{Path: "globals", Func: func(path string, fn any) (uint64, string, bool) {
		paths = append(paths, path)
		_, ok := fn.(func(int) int)
		return 1, path, ok
	}}
	if _, err := Encode(map[string]any{"api": map[string]any{"f": func(i int) int { return i }}}, opt); err != nil {
		t.Fatal(err)
	}
	_, err := Encode([]any{func() {}}, opt)
	if fmt.Sprint(paths) != "[globals.api.f globals[0]]" || err == nil || err.Error() != "globals[0]: cannot pass func() to the guest" {
		t.Errorf("%v, %v", paths, err)
	}
}

// Maps with few different key sets go through the list of known shapes, also while
// nested maps push each other's shape out.
func TestShapesDoNotMix(t *testing.T) {
	var all []any
	var want []any
	for i := range 500 {
		m, o := map[string]any{}, &Object{}
		for k := range i % 13 {
			key := fmt.Sprintf("k%02d-%d", k, i%29)
			nested := map[string]any{"n" + key: i, "m": k}
			m[key] = nested
			o.Set(key, object("m", float64(k), "n"+key, float64(i)))
		}
		all, want = append(all, m), append(want, o)
	}
	if got := mustValue(t, all).Ordered(); !same(got, want) {
		t.Error("objects came back with other keys or values")
	}
}

func TestMoreThanMaxKeys(t *testing.T) {
	o := &Object{}
	for i := range MaxKeys + 100 {
		o.Entries = append(o.Entries, Entry{fmt.Sprint("k", i), float64(i)})
	}
	in := []any{o, o.clone(), map[string]any{"k4150": 1., "k1": 2., "new": 3.}}
	want := []any{o, o, object("k1", 2., "k4150", 1., "new", 3.)}
	v := mustValue(t, in)
	if got := v.Ordered().([]any); !reflect.DeepEqual(got, want) {
		t.Error("Ordered differs")
	}
	if again := mustEncode(t, v); !Equal(again, mustEncode(t, in)) {
		t.Error("the value is written differently")
	}
	if f, _ := v.Index(2).Field("k4150").Float(); f != 1 {
		t.Errorf("field is %v", f)
	}
}

func (o *Object) clone() *Object { c := *o; return &c }

func TestValueInsideAnotherMessage(t *testing.T) {
	shared := object("x", 1.)
	outer := mustValue(t, object("shared", shared, "list", []any{shared, object("x", make([]byte, BlobSize)), shared}))
	// The list refers to an object outside of it, which comes along.
	got := mustEncode(t, map[string]any{"x": outer.Field("list"), "y": outer, "z": Value{}})
	copied := outer.Ordered().(*Object)
	copied.Entries[1].Value.([]any)[1] = object("x", make([]byte, BlobSize))
	want := mustEncode(t, object("x", outer.Field("list").Ordered(), "y", copied, "z", Undefined))
	if !Equal(got, want) {
		t.Errorf("got\n%swant\n%s", Dump(got), Dump(want))
	}
	if len(got.Blobs) != 2 {
		t.Errorf("%d blobs", len(got.Blobs))
	}
	m, err := outer.Field("list").Message()
	if err != nil || Dump(m) != Dump(mustEncode(t, outer.Field("list").Ordered())) {
		t.Errorf("Message of the list: %v\n%s", err, Dump(m))
	}
}

func TestEncodeToReusesMemory(t *testing.T) {
	var m Message
	var in any = []any{"a", make([]byte, BlobSize)}
	if err := EncodeTo(&m, in, EncodeOptions{}); err != nil {
		t.Fatal(err)
	}
	wire := &m.Wire[0]
	if err := EncodeTo(&m, in, EncodeOptions{}); err != nil {
		t.Fatal(err)
	}
	if &m.Wire[0] != wire || len(m.Blobs) != 1 {
		t.Error("memory was not reused")
	}
	if err := EncodeTo(&m, make(chan int), EncodeOptions{}); err == nil || len(m.Wire) != 0 || len(m.Blobs) != 0 {
		t.Errorf("after an error: %v, % x", err, m.Wire)
	}
}

func TestDuplicateAndHiddenFields(t *testing.T) {
	type A struct{ X, Y int }
	type B struct{ X, Z int }
	type C struct {
		A
		B
		Y string
	}
	if got, _ := mustValue(t, C{A: A{1, 2}, B: B{3, 4}, Y: "y"}).JSON(); string(got) != `{"Z":4,"Y":"y"}` {
		t.Errorf("%s", got)
	}
}

func TestEncoderAllocatesNothingTheSecondTime(t *testing.T) {
	// Without the pool, which drops encoders at random under the race detector.
	e := encoders.New().(*encoder)
	var in any = []any{"a", 1.5, testRows(10), make([]byte, BlobSize)}
	var wire []byte
	var blobs [][]byte
	n := testing.AllocsPerRun(10, func() {
		if err := e.run(in, wire[:0], blobs[:0], EncodeOptions{}); err != nil {
			t.Fatal(err)
		}
		wire, blobs = e.buf, e.blobs
	})
	if n > 0 {
		t.Errorf("%v allocations", n)
	}
}
