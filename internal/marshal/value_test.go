package marshal

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// hostile wires, which a guest could only make by way of a bug in an engine.
var hostile = []struct{ name, wire, want string }{
	{"an unknown tag", "\x13", "unknown tag 0x13 at byte 0"},
	{"two values", "\x00\x00", "1 bytes after the value"},
	{"a number that ends early", "\x05\x00\x00", "8 bytes of a number, 2 left"},
	{"an int above 32 bits", "\x04\xff\xff\xff\xff\x1f", "an int is 8589934591, above 4294967295"},
	{"a varint without end", "\x04\xff\xff\xff", "bad varint for an int"},
	{"a varint of eleven bytes", "\x09\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "bad varint for a length"},
	{"an array of 2^40 elements", "\x09\x80\x80\x80\x80\x80\x20", "a length is 1099511627776, above"},
	{"an array with fewer elements than it says", "\x09\x02\x01\x04", "bad varint for an int"},
	{"a map of 2^40 entries", "\x0b\x80\x80\x80\x80\x80\x20", "a map size is 1099511627776, above"},
	{"a set of 2^40 values", "\x0c\x80\x80\x80\x80\x80\x20", "a length is 1099511627776, above"},
	{"a string of 2^40 bytes", "\x07\x80\x80\x80\x80\x80\x20", "the length of a string is 1099511627776, above"},
	{"a string longer than the message", "\x07\x05abc", "a string of 5 bytes, 3 left"},
	{"bytes of 2^40", "\x10\x00\x80\x80\x80\x80\x80\x20", "the length of bytes is 1099511627776, above"},
	{"bytes of half an element", "\x10\x0b\x04abcd", "4 bytes in elements of 8"},
	{"an unknown element type", "\x10\x0e\x00", "bad element type"},
	{"a blob that is not there", "\x11\x00\x01", "blob"},
	{"a ref without a container", "\x08\x00", "ref without a container"},
	{"a ref to itself as first value", "\x08\x01", "a ref is 1, above"},
	{"a ref to a later container", "\x09\x02\x08\x01\x09\x00", "a ref is 1, above 0"},
	{"an object without end", "\x0a\x04a\x01", "bad varint for a key"},
	{"a key that was not written", "\x0a\x01\x01\x00", "key 0 of 0"},
	{"a key of 2^30 bytes", "\x0a\x80\x80\x80\x80\x04", "key of 536870911 bytes"},
	{"a key of 2^40 bytes", "\x0a\x80\x80\x80\x80\x80\x40", "a key is 2199023255552, above"},
	{"a bigint without digits", "\x06\x01-", "bigint without digits"},
	{"a bigint with a letter", "\x06\x02fg", `bigint with 'g'`},
	{"a bigint with capitals", "\x06\x01F", `bigint with 'F'`},
	{"an error that ends in its texts", "\x0e\x01N\x01M", "bad varint for the length of an error's text"},
	{"a regexp without flags", "\x0f\x01a", "bad varint for the length of a regexp's flags"},
	{"a host function", "\x12\x01\x01f", "host function from a guest"},
	{"a host function inside", "\x09\x01\x12\x01\x01f", "host function from a guest"},
	{"too many levels", strings.Repeat("\x09\x01", MaxDepth) + "\x09\x00", "nested deeper than 200 levels"},
	{"very many levels", strings.Repeat("\x09\x01", 1<<20), "nested deeper than 200 levels"},
}

func TestHostileWire(t *testing.T) {
	for _, row := range hostile {
		t.Run(row.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Decode(Message{Wire: []byte(row.wire)})
			runtime.ReadMemStats(&after)
			if err == nil || !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got  %v\nwant %s", err, row.want)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
				t.Errorf("took %d bytes", n)
			}
			if Equal(Message{Wire: []byte(row.wire)}, Message{Wire: []byte(row.wire)}) && !strings.HasPrefix(row.name, "a host function") {
				t.Error("a malformed message equals itself")
			}
			if Dump(Message{Wire: []byte(row.wire)}) == "" {
				t.Error("Dump says nothing")
			}
		})
	}
	if _, err := Decode(Message{Wire: []byte(strings.Repeat("\x09\x01", MaxDepth-1) + "\x09\x00")}); err != nil {
		t.Errorf("MaxDepth levels: %v", err)
	}
	if _, err := Decode(Message{Wire: append([]byte("\x06\x82\x80\x10"), strings.Repeat("f", 1<<18+2)...)}); err == nil {
		t.Error("a bigint above the limit decodes")
	}
}

// laughs is a message in which each array holds the one before twice.
func laughs(n int) Message {
	inner := []any{"lol"}
	all := []any{inner}
	for range n {
		inner = []any{inner, inner}
		all = append(all, inner)
	}
	m, err := Encode(all, EncodeOptions{})
	if err != nil {
		panic(err)
	}
	return m
}

func TestRefsDoNotMultiply(t *testing.T) {
	m := laughs(60)
	v, err := Decode(m)
	if err != nil {
		t.Fatal(err)
	}
	a := v.Any().([]any)
	last := a[60].([]any)
	if &last[0].([]any)[0] != &last[1].([]any)[0] {
		t.Error("Any: both halves are not the same slice")
	}
	if _, err := v.AppendJSON(nil, 1<<20); !errors.Is(err, ErrTooLarge) {
		t.Errorf("JSON: %v", err)
	}
	if got := v.String(); got != "[array]" {
		t.Errorf("String: %.40s", got)
	}
	var into []any
	if err := v.Unmarshal(&into); err != nil || &into[60].([]any)[0].([]any)[0] != &into[59].([]any)[0].([]any)[0] == false && false {
		t.Errorf("Unmarshal: %v", err)
	}
	if _, _, err := Truncate(m, TruncateLimits{Size: 100}); err != nil {
		t.Errorf("Truncate: %v", err)
	}
}

// A chain of refs backwards must not become recursion of that depth.
func TestLongChainOfRefs(t *testing.T) {
	n := 200_000
	if testing.Short() {
		n = 5_000
	}
	chain := make([]any, n)
	prev := []any{0}
	chain[0] = prev
	for i := 1; i < n; i++ {
		prev = []any{prev}
		chain[i] = prev
	}
	v := mustValue(t, chain)
	x := v.Index(n - 1).Any()
	for range n - 1 {
		x = x.([]any)[0]
	}
	if f := x.([]any)[0]; f != 0.0 {
		t.Errorf("the end is %v", f)
	}
	if _, err := v.JSON(); !errors.Is(err, ErrTooDeep) {
		t.Errorf("JSON: %v", err)
	}
	if _, err := Encode(v.Index(n-1), EncodeOptions{}); !errors.Is(err, ErrTooDeep) {
		t.Errorf("Encode: %v", err)
	}
	var anys []any
	if err := v.Unmarshal(&anys); err != nil || len(anys) != n {
		t.Errorf("Unmarshal into []any: %v", err)
	}
	var links [][]any
	if err := v.Unmarshal(&links); err != nil || len(links) != n {
		t.Errorf("Unmarshal into [][]any: %v", err)
	}
	if m, rep, err := Truncate(Message{Wire: v.wire}, TruncateLimits{Size: 5000}); err != nil || rep == nil || len(m.Wire) > 5000 {
		t.Errorf("Truncate: %v, %d bytes", err, len(m.Wire))
	}
}

func TestZeroValueIsUndefined(t *testing.T) {
	for _, m := range []Message{{}, {Wire: []byte{TagUndefined}}} {
		v, err := Decode(m)
		if err != nil {
			t.Fatal(err)
		}
		if v.Kind() != KindUndefined || v.Any() != nil || v.Ordered() != nil || v.String() != "undefined" || !v.IsUndefined() || !v.IsNullish() ||
			v.Len() != 0 || !v.Index(0).IsUndefined() || !v.Field("x").IsUndefined() {
			t.Errorf("%v is not undefined everywhere", m)
		}
		if b, err := v.JSON(); err != nil || string(b) != "null" {
			t.Errorf("JSON %s, %v", b, err)
		}
		if m2, err := Encode(v, EncodeOptions{}); err != nil || string(m2.Wire) != "\x00" {
			t.Errorf("written as % x, %v", m2.Wire, err)
		}
	}
}

func TestAccessors(t *testing.T) {
	v := mustValue(t, []any{1, 1.5, "s", true, []byte{1, 2}, nil, object("a", 1, "b", 2), 1e300, &Error{Name: "N", Props: []Entry{{"code", "E"}}}, make([]byte, BlobSize), big.NewInt(5)})
	if n := v.Len(); n != 11 {
		t.Errorf("length %d", n)
	}
	if n, ok := v.Index(0).Int(); n != 1 || !ok {
		t.Errorf("Int %d", n)
	}
	if _, ok := v.Index(1).Int(); ok {
		t.Error("1.5 is an int")
	}
	if _, ok := v.Index(7).Int(); ok {
		t.Error("1e300 is an int")
	}
	if f, ok := v.Index(1).Float(); f != 1.5 || !ok {
		t.Errorf("Float %v", f)
	}
	if s, ok := v.Index(2).Str(); s != "s" || !ok {
		t.Errorf("Str %q", s)
	}
	if b, ok := v.Index(3).Bool(); !b || !ok {
		t.Error("Bool")
	}
	if b, ok := v.Index(4).Bytes(); string(b) != "\x01\x02" || !ok || cap(b) != 2 {
		t.Errorf("Bytes %v", b)
	}
	if b, ok := v.Index(9).Bytes(); len(b) != BlobSize || !ok {
		t.Errorf("Bytes of a blob: %d", len(b))
	}
	if v.Index(5).Kind() != KindNull || !v.Index(5).IsNullish() || v.Index(5).IsUndefined() {
		t.Error("null")
	}
	o := v.Index(6)
	if f, _ := o.Field("b").Float(); f != 2 || o.Len() != 2 || !o.Field("c").IsUndefined() {
		t.Errorf("Field %v", f)
	}
	if s, _ := v.Index(8).Field("code").Str(); s != "E" {
		t.Errorf("code %q", s)
	}
	if !v.Index(11).IsUndefined() || !v.Index(-1).IsUndefined() || !o.Index(0).IsUndefined() {
		t.Error("an element outside is not undefined")
	}
	for _, x := range []Value{v, o, v.Index(5)} {
		_, a := x.Int()
		_, b := x.Float()
		_, c := x.Str()
		_, d := x.Bool()
		_, e := x.Bytes()
		if a || b || c || d || e {
			t.Errorf("%s has a scalar", x.Kind())
		}
	}
	var keys []string
	for k := range o.Fields() {
		keys = append(keys, k)
	}
	if fmt.Sprint(keys) != "[a b]" {
		t.Errorf("fields %v", keys)
	}
	kinds := ""
	for _, x := range v.Elements() {
		kinds += x.Kind().String() + " "
	}
	if kinds != "number number string boolean bytes null object number error bytes bigint " {
		t.Errorf("kinds %s", kinds)
	}
	if got := v.Index(10).String() + v.Index(1).String() + o.String(); got != `5n1.5{"a":1,"b":2}` {
		t.Errorf("String %s", got)
	}
}

func TestAnyOfAValueInside(t *testing.T) {
	shared := object("k", 1)
	v := mustValue(t, []any{object("k", 0, "l", 1), object("l", 2, "k", object("l", 3)), shared, []any{shared}})
	if got := v.Index(1).Any(); !reflect.DeepEqual(got, map[string]any{"l": 2., "k": map[string]any{"l": 3.}}) {
		t.Errorf("%v", got)
	}
	if got := v.Index(3).Any(); !reflect.DeepEqual(got, []any{map[string]any{"k": 1.}}) {
		t.Errorf("%v", got)
	}
	if got := v.Index(1).Field("k").Field("l").Any(); got != 3. {
		t.Errorf("%v", got)
	}
}

func TestAnyCopiesSmallBytesAndSharesBlobs(t *testing.T) {
	blob := make([]byte, BlobSize)
	v := mustValue(t, []any{[]byte{1}, blob})
	a := v.Any().([]any)
	a[0].([]byte)[0] = 9
	if b, _ := v.Index(0).Bytes(); b[0] != 1 {
		t.Error("small bytes alias the wire")
	}
	if &a[1].([]byte)[0] != &blob[0] {
		t.Error("a blob was copied")
	}
}

func TestConcurrentUse(t *testing.T) {
	v := mustValue(t, testRows(50))
	want := fmt.Sprint(v.Any())
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 20 {
				if fmt.Sprint(v.Any()) != want || v.Index(i).Field("id").String() != fmt.Sprint(i) {
					t.Error("differs")
				}
			}
		})
	}
	wg.Wait()
}

func TestErrorHasNoUnwrap(t *testing.T) {
	e := &Error{Name: "E", Message: "m"}
	e.Cause = e
	got := mustValue(t, e).Any().(*Error)
	if got.Cause != any(got) {
		t.Error("the cycle is lost")
	}
	if errors.Is(got, ErrCycle) || got.Error() != "E: m" {
		t.Error(got)
	}
}

func TestMapGet(t *testing.T) {
	m := &Map{[]MapEntry{{"a", 1}, {[]any{}, 2}, {nil, 3}, {"a", 4}}}
	if x, ok := m.Get("a"); x != 4 || !ok {
		t.Errorf("a: %v", x)
	}
	if x, ok := m.Get(nil); x != 3 || !ok {
		t.Errorf("null: %v", x)
	}
	if _, ok := m.Get([]any{}); ok {
		t.Error("an array is found")
	}
}

var jsonTable = []struct {
	name string
	in   any
	want string
}{
	{"scalars", []any{nil, Undefined, true, false, 1, -1.5, "s"}, `[null,null,true,false,1,-1.5,"s"]`},
	{"numbers as JavaScript writes them", []any{1e21, 1e20, 1e-6, 1e-7, 123456789012345680000., 5e-324, math.Copysign(0, -1), 0.1}, `[1e+21,100000000000000000000,0.000001,1e-7,123456789012345680000,5e-324,0,0.1]`},
	{"NaN and infinities", []any{math.NaN(), math.Inf(1), math.Inf(-1)}, `[null,null,null]`},
	{"undefined properties are left out", object("a", Undefined, "b", 1, "c", Undefined), `{"b":1}`},
	{"key order", object("b", 1, "a", object()), `{"b":1,"a":{}}`},
	{"dates", []any{time.UnixMilli(1234567890123), time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(12345, 1, 2, 3, 4, 5, 0, time.UTC), InvalidDate},
		`["2009-02-13T23:31:30.123Z","-000001-01-01T00:00:00.000Z","+012345-01-02T03:04:05.000Z",null]`},
	{"bigints", []any{bigHex("ffffffffffffffffffff"), big.NewInt(-5)}, `["1208925819614629174706175","-5"]`},
	{"maps, sets, regexps", []any{&Map{[]MapEntry{{1, "a"}, {"b", nil}}}, &Set{[]any{1, 2}}, &RegExp{`a"/`, "g"}}, `[[[1,"a"],["b",null]],[1,2],"/a\"//g"]`},
	{"errors", []any{&Error{Name: "E", Message: "m", Stack: "s", Props: []Entry{{"code", 1}}}, &Error{Name: "E"}}, `[{"name":"E","message":"m","stack":"s","code":1},{"name":"E","message":""}]`},
	{"byte ranges", []any{[]byte{1, 2, 3}, Buffer{255}, []float32{0.5, float32(math.NaN())}, []int64{-1}, []uint64{math.MaxUint64}, []int8{-1}, Float16s{0x3c00, 0xc000, 0x0001, 0x7c00}},
		`["AQID","/w==",[0.5,null],["-1"],["18446744073709551615"],[-1],[1,-2,5.960464477539063e-8,null]]`},
	{"escapes", "\"\\\b\f\n\r\t\x01é<&>\u2028", `"\"\\\b\f\n\r\t\u0001é<&>` + "\u2028" + `"`},
	{"shared objects are repeated", func() any { s := []any{1}; return []any{s, s} }(), `[[1],[1]]`},
	{"keys of a shared object", func() any {
		s := object("k", object("k", 1))
		return []any{object("j", 1), s, object("x", s, "k", 2)}
	}(), `[{"j":1},{"k":{"k":1}},{"x":{"k":{"k":1}},"k":2}]`},
}

func TestJSON(t *testing.T) {
	for _, row := range jsonTable {
		t.Run(row.name, func(t *testing.T) {
			got, err := mustValue(t, row.in).JSON()
			if err != nil || string(got) != row.want {
				t.Errorf("got  %s, %v\nwant %s", got, err, row.want)
			}
		})
	}
	m := map[string]any{"rows": []any{1, nil}}
	m["rows"].([]any)[1] = &Map{[]MapEntry{{"k", m}}}
	_, err := mustValue(t, m).JSON()
	if !errors.Is(err, ErrCycle) || err.Error() != "value.rows[1]<value 0>: refers back to itself" {
		t.Errorf("cycle: %v", err)
	}
	b, err := mustValue(t, object("a", []any{1})).JSONIndent("", " ")
	if err != nil || string(b) != "{\n \"a\": [\n  1\n ]\n}" {
		t.Errorf("indented: %s, %v", b, err)
	}
	v, _ := Decode(Message{Wire: []byte("\x07\x06\xed\xa0\x80a\xff\x00")})
	if b, _ := v.JSON(); string(b) != "\"\ufffda\ufffd\\u0000\"" {
		t.Errorf("lone surrogate: %q", b)
	}
	if b, err := v.AppendJSON([]byte("x"), 5); err == nil || string(b) != "x" {
		t.Errorf("above the limit: %s, %v", b, err)
	}
}

// Properties that are undefined leave no text, but refs must not make them free.
func TestJSONOfMuchUndefined(t *testing.T) {
	o := &Object{}
	for range 2_000 {
		o.Entries = append(o.Entries, Entry{"k", Undefined})
	}
	list := make([]any, 100_000)
	for i := range list {
		list[i] = o
	}
	if _, err := mustValue(t, list).AppendJSON(nil, 4<<20); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v", err)
	}
}
