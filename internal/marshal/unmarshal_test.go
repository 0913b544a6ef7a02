package marshal

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"
)

type order struct {
	ID       int               `json:"id"`
	Customer *string           `json:"customer"`
	Lines    []line            `json:"lines"`
	Meta     map[string]any    `json:"meta"`
	Labels   map[string]string `json:"labels,omitempty"`
	When     time.Time
	Big      *big.Int
	Raw      []byte
	Pair     [2]int
	Addr     netip.Addr
	Any      any
	Value    Value
	Embedded
}

type line struct {
	SKU   string  `json:"sku"`
	Price float32 `json:"price"`
}

type upper string

func (u *upper) UnmarshalText(b []byte) error { *u = upper(strings.ToUpper(string(b))); return nil }

type viaJSON struct{ text string }

func (v *viaJSON) UnmarshalJSON(b []byte) error { v.text = string(b); return nil }

type refuses struct{}

func (*refuses) UnmarshalText([]byte) error { return errors.New("never") }

type explodes struct{}

func (*explodes) UnmarshalText([]byte) error { panic("boom") }

func TestUnmarshalStruct(t *testing.T) {
	v := mustValue(t, object("id", 7, "customer", "c", "lines", []any{object("sku", "a", "price", 1.5, "unknown", 1), object("SKU", "b")},
		"meta", object("x", []any{1}), "labels", object("k", "v"), "When", time.UnixMilli(5), "Big", big.NewInt(9), "Raw", []byte{1},
		"Pair", []any{1, 2, 3}, "Addr", "10.0.0.1", "Any", []any{nil}, "Value", object("deep", true), "E", "emb", "private", 3))
	var got order
	if err := v.Unmarshal(&got); err != nil {
		t.Fatal(err)
	}
	if b, _ := got.Value.Field("deep").Bool(); !b {
		t.Error("Value is not the value inside")
	}
	got.Value = Value{}
	want := order{ID: 7, Customer: ptr("c"), Lines: []line{{"a", 1.5}, {"b", 0}}, Meta: map[string]any{"x": []any{1.}}, Labels: map[string]string{"k": "v"},
		When: time.UnixMilli(5).UTC(), Big: big.NewInt(9), Raw: []byte{1}, Pair: [2]int{1, 2}, Addr: netip.MustParseAddr("10.0.0.1"), Any: []any{nil}, Embedded: Embedded{"emb"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestUnmarshalTypes(t *testing.T) {
	rows := []struct {
		name string
		in   any
		dst  any // pointer to the zero or initial value
		want any
	}{
		{"int8 at its border", -128, ptr(int8(0)), int8(-128)},
		{"uint64 from a bigint", new(big.Int).SetUint64(math.MaxUint64), ptr(uint64(0)), uint64(math.MaxUint64)},
		{"int64 from a bigint", big.NewInt(math.MinInt64), ptr(int64(0)), int64(math.MinInt64)},
		{"big.Int from a number", -1e20, ptr(big.Int{}), *new(big.Int).Neg(new(big.Int).Exp(big.NewInt(10), big.NewInt(20), nil))},
		{"float32", 0.5, ptr(float32(0)), float32(0.5)},
		{"infinity in a float32", math.Inf(1), ptr(float32(0)), float32(math.Inf(1))},
		{"any", []any{1, nil}, ptr(any(nil)), []any{1., nil}},
		{"null makes a pointer nil", nil, ptr(ptr(1)), (*int)(nil)},
		{"null makes a map nil", nil, ptr(map[string]int{"a": 1}), map[string]int(nil)},
		{"null leaves an int", nil, ptr(5), 5},
		{"undefined leaves everything", Undefined, ptr(ptr(1)), ptr(1)},
		{"map of ints", object("1", 2), ptr(map[int]int{}), map[int]int{1: 2}},
		{"map of a text type", object("a", 1), ptr(map[upper]int{}), map[upper]int{"A": 1}},
		{"map from a Map", &Map{[]MapEntry{{1, "a"}, {2, "b"}}}, ptr(map[int]string{}), map[int]string{1: "a", 2: "b"}},
		{"map from a Map with string keys", &Map{[]MapEntry{{"k", 1}}}, ptr(map[string]int{}), map[string]int{"k": 1}},
		{"set as a Go set", &Set{[]any{"a", "b"}}, ptr(map[string]struct{}{}), map[string]struct{}{"a": {}, "b": {}}},
		{"set as a slice", &Set{[]any{"a"}}, ptr([]string(nil)), []string{"a"}},
		{"*Map", &Map{[]MapEntry{{"k", 1}}}, ptr((*Map)(nil)), &Map{[]MapEntry{{"k", 1.}}}},
		{"*Object keeps order", object("b", 1, "a", object("z", 1, "y", 2)), ptr((*Object)(nil)), object("b", 1., "a", object("z", 1., "y", 2.))},
		{"error interface", &Error{Name: "E"}, ptr(error(nil)), &Error{Name: "E"}},
		{"*RegExp", &RegExp{"a", "g"}, ptr((*RegExp)(nil)), &RegExp{"a", "g"}},
		{"error as a struct", &Error{Name: "E", Message: "m", Props: []Entry{{"code", 3}}}, &struct {
			Name, Message string
			Code          int
		}{}, struct {
			Name, Message string
			Code          int
		}{"E", "m", 3}},
		{"time from a string", "2024-02-29T12:00:00Z", ptr(time.Time{}), time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)},
		{"text unmarshaler", "abc", ptr(upper("")), upper("ABC")},
		{"JSON unmarshaler", object("b", 1, "a", Undefined), ptr(viaJSON{}), viaJSON{`{"b":1}`}},
		{"raw JSON", []any{1}, ptr(json.RawMessage(nil)), json.RawMessage("[1]")},
		{"json.Number", 1.5, ptr(json.Number("")), json.Number("1.5")},
		{"typed array to its slice", []float64{1, 2}, ptr([]float64(nil)), []float64{1, 2}},
		{"typed array to other numbers", []float64{1, 2}, ptr([]int(nil)), []int{1, 2}},
		{"bigint array to int", []int64{-1}, ptr([]int(nil)), []int{-1}},
		{"uint64 array to an array", []uint64{5}, ptr([2]uint16{}), [2]uint16{5, 0}},
		{"ArrayBuffer to bytes", Buffer{1}, ptr([]byte(nil)), []byte{1}},
		{"array of numbers to bytes", []any{1, 2}, ptr([]byte(nil)), []byte{1, 2}},
		{"array shorter than before clears the rest", []any{1}, ptr([2]int{8, 9}), [2]int{1, 0}},
		{"nested slices", []any{[]any{1}, []any{}}, ptr([][]int(nil)), [][]int{{1}, {}}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			if err := mustValue(t, row.in).Unmarshal(row.dst); err != nil {
				t.Fatal(err)
			}
			got := reflect.ValueOf(row.dst).Elem().Interface()
			if !reflect.DeepEqual(got, row.want) {
				t.Errorf("got %#v, want %#v", got, row.want)
			}
		})
	}
}

func TestUnmarshalErrors(t *testing.T) {
	rows := []struct {
		name string
		in   any
		dst  any
		want string
	}{
		{"no pointer", 1, 5, "unmarshal into int: not a pointer, or nil"},
		{"nil pointer", 1, (*int)(nil), "unmarshal into *int: not a pointer, or nil"},
		{"too large", object("rows", []any{object("n", 1), object("n", 300)}), &struct{ Rows []struct{ N int8 } }{}, "value.Rows[1].N: number 300 does not fit in int8"},
		{"a fraction", 1.5, ptr(0), "value: number 1.5 does not fit in int"},
		{"negative", -1, ptr(uint(0)), "value: number -1 does not fit in uint"},
		{"2^63", 1 << 62 * 2., ptr(int64(0)), "value: number 9.223372036854776e+18 does not fit in int64"},
		{"NaN in an int", math.NaN(), ptr(0), "value: number NaN does not fit in int"},
		{"above float32", 1e300, ptr(float32(0)), "value: number 1e+300 does not fit in float32"},
		{"a bigint above int64", new(big.Int).Lsh(big.NewInt(1), 80), ptr(int64(0)), "value: bigint of 81 bits does not fit in int64"},
		{"a string in an int", []any{"s"}, ptr([]int{}), "value[0]: cannot store string in int"},
		{"a number in a string", 1, ptr(""), "value: cannot store number in string"},
		{"a number in a bool", 1, ptr(false), "value: cannot store number in bool"},
		{"an object in a slice", object(), ptr([]int{}), "value: cannot store object in []int"},
		{"an array in a map", []any{}, ptr(map[string]int{}), "value: cannot store array in map[string]int"},
		{"an array in a struct", []any{}, &struct{}{}, "value: cannot store array in struct {}"},
		{"a key that is no number", object("x", 1), ptr(map[int]int{}), `value.x: key "x" does not fit in int`},
		{"a key that is no value of Go", &Map{[]MapEntry{{[]any{}, 1}}}, ptr(map[any]int{}), "value<key 0>: array cannot be the key of a Go map"},
		{"a value in a Map", &Map{[]MapEntry{{"a", "b"}}}, ptr(map[string]int{}), "value<value 0>: cannot store string in int"},
		{"an invalid date", InvalidDate, ptr(time.Time{}), "value: invalid Date"},
		{"no time", "x", ptr(time.Time{}), `value: string "x" is not a time in RFC 3339 form`},
		{"a method that refuses", []any{"x"}, ptr([]refuses{}), "value[0]: never"},
		{"a method that panics", "x", ptr(explodes{}), "value: panic: boom"},
		{"a channel", 1, ptr((chan int)(nil)), "value: cannot store number in chan int"},
		{"a typed array element that does not fit", []float64{1, 1.5}, ptr([]int{}), "value[1]: number 1.5 does not fit in int"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			err := mustValue(t, row.in).Unmarshal(row.dst)
			if err == nil || err.Error() != row.want {
				t.Errorf("got  %v\nwant %s", err, row.want)
			}
		})
	}
}

func TestUnmarshalKeepsSharing(t *testing.T) {
	type node struct {
		Name string
		Next *node
		Kids []*node
	}
	a := &node{Name: "a"}
	a.Next = &node{Name: "b", Next: a}
	a.Kids = []*node{a.Next, a.Next}
	var got *node
	if err := mustValue(t, a).Unmarshal(&got); err != nil {
		t.Fatal(err)
	}
	if got.Next.Next != got || got.Kids[0] != got.Next || got.Kids[1] != got.Next || got.Next.Name != "b" {
		t.Errorf("%+v", got)
	}
	type list struct{ L []list }
	l := []any{object("L", Undefined)}
	l[0].(*Object).Entries[0].Value = l
	var lists []list
	if err := mustValue(t, l).Unmarshal(&lists); err != nil || &lists[0].L[0] != &lists[0] {
		t.Errorf("slices: %v", err)
	}
	type pair struct{ A, B [1]pairEnd }
	shared := []any{object("N", 1)}
	var p pair
	if err := mustValue(t, object("A", shared, "B", shared)).Unmarshal(&p); err != nil || p.B[0].N != 1 {
		t.Errorf("copies of arrays: %+v, %v", p, err)
	}
	o := object("Self", nil)
	o.Entries[0].Value = o
	var s struct {
		Self struct{ Self struct{ Self any } }
	}
	if err := mustValue(t, o).Unmarshal(&s); err != nil {
		t.Error(err)
	}
	var m map[string]map[string]any
	if err := mustValue(t, o).Unmarshal(&m); err != nil {
		t.Errorf("a cycle through maps: %v", err)
	}
	if inner := m["Self"]["Self"].(map[string]any); inner["Self"] == nil {
		t.Error("the cycle is lost in any")
	}
}

type pairEnd struct{ N int }
