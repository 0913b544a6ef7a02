package marshal

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestTruncate(t *testing.T) {
	long := strings.Repeat("x", 1000)
	rows := []struct {
		name   string
		in     any
		size   int64
		want   string // JSON text
		report Truncation
	}{
		{"a string keeps as much as the limit, then the mark", long, 10, `"xxxxxxxxxx\n...[truncated]"`,
			Truncation{Size: 1002, Kept: 27, Strings: 1, Paths: []string{"value"}}},
		{"a string is not cut inside a character", strings.Repeat("ä", 100), 5, `"ää\n...[truncated]"`,
			Truncation{Size: 202, Kept: 21, Strings: 1, Paths: []string{"value"}}},
		{"a long array keeps its first elements", make([]any, 1000), 50, "[null,null,null,null,null,null,null,null,null]",
			Truncation{Size: 5002, Kept: 47, Elements: 991, Paths: []string{"value"}}},
		{"the large property of an object is cut, small ones stay", object("a", 1, "text", long, "b", []any{2}), 150,
			`{"a":1,"text":"` + strings.Repeat("x", 108) + `\n...[truncated]","b":[2]}`,
			Truncation{Size: 1027, Kept: 150, Strings: 1, Paths: []string{"value.text"}}},
		{"two large properties get the same", object("a", long, "b", long), 200,
			`{"a":"` + strings.Repeat("x", 77) + `\n...[truncated]","b":"` + strings.Repeat("x", 77) + `\n...[truncated]"}`,
			Truncation{Size: 2016, Kept: 200, Strings: 2, Paths: []string{"value.a", "value.b"}}},
		{"elements of a short array share", []any{long, "short", long}, 160,
			`["` + strings.Repeat("x", 57) + `\n...[truncated]","short","` + strings.Repeat("x", 57) + `\n...[truncated]"]`,
			Truncation{Size: 2016, Kept: 160, Strings: 2, Paths: []string{"value[0]", "value[2]"}}},
		{"properties that get too little are left out", object("a", long, "b", long, "c", long), 100,
			`{"a":"` + strings.Repeat("x", 76) + `\n...[truncated]"}`,
			Truncation{Size: 3023, Kept: 100, Strings: 1, Elements: 2, Paths: []string{"value", "value.a"}}},
		{"rows of a table stay whole", object("rows", repeat(100, object("id", 1, "name", "abcdefgh"))), 105,
			`{"rows":[{"id":1,"name":"abcdefgh"},{"id":1,"name":"abcdefgh"},{"id":1,"name":"abcdefgh"}]}`,
			Truncation{Size: 2812, Kept: 96, Elements: 97, Paths: []string{"value.rows"}}},
		{"a bigint that does not fit is null", object("n", new(big.Int).Lsh(big.NewInt(1), 4000), "m", 1), 100, `{"n":null,"m":1}`,
			Truncation{Size: 1016, Kept: 17, Elements: 1, Paths: []string{"value.n"}}},
		{"an error's texts are cut", []any{&Error{Name: "E", Message: long, Stack: "s", Props: []Entry{{"code", "C"}}}}, 300,
			`[{"name":"E","message":"` + strings.Repeat("x", 59) + `\n...[truncated]","stack":"s","code":"C"}]`,
			Truncation{Size: 1052, Kept: 122, Strings: 1, Paths: []string{"value[0]"}}},
		{"maps keep their first entries", &Map{func() (es []MapEntry) {
			for i := range 100 {
				es = append(es, MapEntry{fmt.Sprint(i), i})
			}
			return es
		}()}, 30, `[["0",0],["1",1],["2",2]]`, Truncation{Size: 982, Kept: 26, Elements: 97, Paths: []string{"value"}}},
		{"dates and bytes stay what they are", object("d", time.UnixMilli(0), "b", []byte("abc"), "s", long), 120,
			`{"d":"1970-01-01T00:00:00.000Z","b":"YWJj","s":"` + strings.Repeat("x", 58) + `\n...[truncated]"}`,
			Truncation{Size: 1047, Kept: 120, Strings: 1, Paths: []string{"value.s"}}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			m, report, err := Truncate(mustEncode(t, row.in), TruncateLimits{Size: row.size})
			if err != nil || report == nil {
				t.Fatalf("report %v, error %v", report, err)
			}
			v, err := Decode(m)
			if err != nil {
				t.Fatalf("%v\n%s", err, Dump(m))
			}
			if got, _ := v.JSON(); string(got) != row.want {
				t.Errorf("got  %s\nwant %s", got, row.want)
			}
			if !reflect.DeepEqual(*report, row.report) {
				t.Errorf("report %+v\nwant   %+v", *report, row.report)
			}
		})
	}
}

func repeat(n int, o *Object) []any {
	a := make([]any, n)
	for i := range a {
		a[i] = o.clone()
	}
	return a
}

func TestTruncateWithinTheLimit(t *testing.T) {
	for _, in := range []any{nil, "abc", []any{1, 2.5}, testRows(10), make([]byte, BlobSize)} {
		m := mustEncode(t, in)
		got, report, err := Truncate(m, TruncateLimits{Size: 10_000, Bytes: 1 << 20})
		if err != nil || report != nil || &got.Wire[0] != &m.Wire[0] {
			t.Errorf("%T: changed: %v, %v", in, report, err)
		}
	}
	small := mustEncode(t, object("a", 1, "b", []any{"c"}))
	if n := testing.AllocsPerRun(100, func() { _, _, _ = Truncate(small, TruncateLimits{Size: 100_000, Bytes: 1 << 20}) }); n > 0 {
		t.Errorf("%v allocations for a small message", n)
	}
	if _, report, err := Truncate(Message{}, TruncateLimits{Size: 1024}); err != nil || report != nil {
		t.Errorf("the zero message: %v, %v", report, err)
	}
	if _, report, err := Truncate(mustEncode(t, strings.Repeat("x", 5000)), TruncateLimits{}); err != nil || report != nil {
		t.Errorf("without limits: %v, %v", report, err)
	}
}

func TestTruncateRefusesBytes(t *testing.T) {
	in := object("a", []byte{1, 2, 3}, "list", []any{nil, object("big", make([]byte, BlobSize))})
	for _, row := range []struct {
		limit int64
		want  string
	}{
		{2, "value.a: too large: binary data of more than 2 bytes"},
		{1000, "value.list[1].big: too large: binary data of more than 1000 bytes"},
		{BlobSize + 2, "value.list[1].big: too large: binary data of more than 65538 bytes"},
	} {
		_, _, err := Truncate(mustEncode(t, in), TruncateLimits{Size: 100_000, Bytes: row.limit})
		if !errors.Is(err, ErrTooLarge) || err.Error() != row.want {
			t.Errorf("got  %v\nwant %s", err, row.want)
		}
	}
	if _, report, err := Truncate(mustEncode(t, in), TruncateLimits{Size: 100_000, Bytes: BlobSize + 3}); err != nil || report != nil {
		t.Errorf("exactly the limit: %v, %v", report, err)
	}
	_, _, err := Truncate(mustEncode(t, new(big.Int).Lsh(big.NewInt(1), 40000)), TruncateLimits{Size: 1024})
	if !errors.Is(err, ErrTooLarge) {
		t.Errorf("a bigint as the whole value: %v", err)
	}
	if _, _, err := Truncate(Message{Wire: []byte{0xff}}, TruncateLimits{Size: 10}); !errors.Is(err, ErrMalformed) {
		t.Errorf("a malformed message: %v", err)
	}
}

// What was left out and is referred to later comes at the later place, cut; what
// stays is still shared.
func TestTruncateKeepsReferences(t *testing.T) {
	shared := object("k", 1)
	gone := []any{"gone"}
	table := make([]any, 100)
	for i := range table {
		table[i] = object("n", float64(i))
	}
	table[0], table[99] = shared, gone
	cyclic := object("table", table, "again", shared, "gone", gone)
	cyclic.Set("self", cyclic)
	m, report, err := Truncate(mustEncode(t, cyclic), TruncateLimits{Size: 200})
	if err != nil || report == nil {
		t.Fatal(report, err)
	}
	v, err := Decode(m)
	if err != nil {
		t.Fatalf("%v\n%s", err, Dump(m))
	}
	o := v.Any().(map[string]any)
	if reflect.ValueOf(o["self"]).Pointer() != reflect.ValueOf(o).Pointer() {
		t.Error("the cycle is lost")
	}
	first := o["table"].([]any)[0].(map[string]any)
	if reflect.ValueOf(first).Pointer() != reflect.ValueOf(o["again"]).Pointer() {
		t.Error("the shared object is not shared")
	}
	if a, ok := o["gone"].([]any); !ok || len(a) != 0 {
		t.Errorf("gone is %v", o["gone"])
	}
}

func TestTruncateLargeTable(t *testing.T) {
	m := mustEncode(t, testRows(5000))
	got, report, err := Truncate(m, TruncateLimits{Size: 100_000})
	if err != nil || report == nil {
		t.Fatal(report, err)
	}
	v, _ := Decode(got)
	b, _ := v.JSON()
	if n := v.Len(); n < 400 || len(b) > 105_000 || len(b) < 90_000 || report.Elements < 4000 {
		t.Errorf("%d rows, %d bytes of JSON, %+v", n, len(b), report)
	}
}
