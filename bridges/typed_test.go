package bridges

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"quicksand/internal/marshal"
)

type findInput struct {
	Query  string            `json:"query" doc:"words of the name" min:"2" max:"8"`
	State  string            `json:"state,omitempty" enum:"open,closed"`
	Limit  int               `json:"limit,omitempty" min:"1" max:"100"`
	Ratio  *float64          `json:"ratio"`
	Tags   []string          `json:"tags,omitempty" max:"3"`
	Kinds  []string          `json:"kinds,omitempty" enum:"a,b"`
	Small  uint8             `json:"small,omitempty"`
	Wide   int64             `json:"wide,omitempty"`
	Since  time.Time         `json:"since,omitzero"`
	Data   []byte            `json:"data,omitempty" max:"4"`
	Labels map[string]string `json:"labels,omitempty"`
	Flag   bool              `json:"flag,omitempty"`
	Any    any               `json:"any"`
	Inner  *innerInput       `json:"inner"`
	Rows   []innerInput      `json:"rows,omitempty"`
}

type innerInput struct {
	ID   int         `json:"id"`
	Next *innerInput `json:"next,omitempty"`
}

// callTyped calls f with one argument, or with none when arg is nil.
func callTyped(t *testing.T, f Func, args ...any) (any, error) {
	t.Helper()
	v, err := marshal.NewValue(args, marshal.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := NewSession(SessionOptions{})
	defer s.Close()
	c, err := Unpack(s, &Bridge{Name: "crm", Always: true}, &f, v)
	if err != nil {
		return nil, err
	}
	return f.Call(context.Background(), c)
}

func TestTypedArgumentsThatDoNotFit(t *testing.T) {
	f := Typed("find", "finds", func(_ context.Context, in findInput) (findInput, error) { return in, nil })
	f.Op = "crm.find"
	object := func(kv ...any) map[string]any {
		m := map[string]any{"query": "abc"}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i].(string)] = kv[i+1]
		}
		return m
	}
	for _, c := range []struct {
		name string
		arg  any
		want string
	}{
		{"a required field is missing", map[string]any{}, `crm.find: input.query must be a string, not undefined`},
		{"a required field is null", object("query", nil), `crm.find: input.query must be a string, not null`},
		{"a string is the whole argument", "abc", `crm.find: input must be an object {query: string, state?: "open" | "closed", limit?: number, ratio?: number, tags?: string[], kinds?: ("a" | "b")[], small?: number, wide?: number, since?: Date, data?: Uint8Array, labels?: {[name: string]: string}, flag?: boolean, any?: any, inner?: {id: number, next?: {id: number, next?: object}}, rows?: {id: number, next?: object}[]}, not the string "abc"`},
		{"a number where a string must be", object("query", 5), `crm.find: input.query must be a string, not the number 5`},
		{"too short a string", object("query", "é"), `crm.find: input.query has 1 characters, not from 2 to 8`},
		{"a word that is not of the enum", object("state", "opened"), `crm.find: input.state must be one of "open", "closed", not the string "opened"`},
		{"a fraction", object("limit", 1.5), `crm.find: input.limit must be an integer from 1 to 100, not the number 1.5`},
		{"too large an integer", object("limit", 101), `crm.find: input.limit must be an integer from 1 to 100, not the number 101`},
		{"an integer that the type has no room for", object("small", 256), `crm.find: input.small must be an integer from 0 to 255, not the number 256`},
		{"NaN as an integer", object("wide", math.NaN()), `crm.find: input.wide must be an integer, not the number NaN`},
		{"a bigint of 100 bits", object("wide", new(big.Int).Lsh(big.NewInt(1), 100)), `crm.find: input.wide has a value that does not fit`},
		{"a boolean as a number", object("ratio", true), `crm.find: input.ratio must be a number, not true`},
		{"an element of a list", object("tags", []any{"a", "b", 5}), `crm.find: input.tags[2] must be a string, not the number 5`},
		{"a list that is too long", object("tags", []any{"a", "b", "c", "d"}), `crm.find: input.tags has 4 elements, not of at most 3`},
		{"an element that is not of the enum", object("kinds", []any{"a", "c"}), `crm.find: input.kinds[1] must be one of "a", "b", not the string "c"`},
		{"an object as a list", object("tags", map[string]any{}), `crm.find: input.tags must be an array, not an object`},
		{"no date", object("since", "yesterday"), `crm.find: input.since must be a valid Date or a string as 2026-01-31T12:00:00Z, not the string "yesterday"`},
		{"an invalid date", object("since", marshal.InvalidDate), `crm.find: input.since must be a valid Date or a string as 2026-01-31T12:00:00Z, not a date`},
		{"too many bytes", object("data", make([]byte, 5)), `crm.find: input.data has 5 bytes, not of at most 4`},
		{"a string as bytes", object("data", "abc"), `crm.find: input.data must be a Uint8Array, not the string "abc"`},
		{"a value of a map", object("labels", map[string]any{"a b": 1}), `crm.find: input.labels["a b"] must be a string, not the number 1`},
		{"a field of a field of a row", object("rows", []any{map[string]any{"id": 1}, map[string]any{"id": 2, "next": map[string]any{"id": "x"}}}),
			`crm.find: input.rows[1].next.id must be an integer, not the string "x"`},
		{"a misspelled name", object("limt", 5), `crm.find: input has no property "limt" (did you mean limit?)`},
		{"a name in another case", object("Limit", 5), `crm.find: input has no property "Limit" (did you mean limit?)`},
		{"a name like no other", map[string]any{"rows": []any{map[string]any{"id": 1, "zzz": 1}}, "query": "abc"}, `crm.find: input.rows[0] has no property "zzz" (it has id, next)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := callTyped(t, f, c.arg)
			var e *Error
			if !errors.As(err, &e) || e.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestTypedArgumentsThatFit(t *testing.T) {
	var got findInput
	f := Typed("find", "finds", func(_ context.Context, in findInput) (struct{}, error) { got = in; return struct{}{}, nil })
	at := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	arg := map[string]any{"query": "abc", "state": "open", "limit": 7, "ratio": 0.5, "tags": []any{"x"}, "small": 255, "wide": big.NewInt(1 << 60),
		"since": at, "data": []byte{1, 2}, "labels": map[string]any{"a": "b"}, "flag": true, "any": []any{1.0}, "inner": map[string]any{"id": 3, "next": nil},
		"other": marshal.Undefined}
	out, err := callTyped(t, f, arg)
	if err != nil {
		t.Fatal(err)
	}
	if out != any(Undefined) {
		t.Errorf("got %v of an empty result, want undefined", out)
	}
	if got.Query != "abc" || got.State != "open" || got.Limit != 7 || *got.Ratio != 0.5 || got.Tags[0] != "x" || got.Small != 255 || got.Wide != 1<<60 ||
		!got.Since.Equal(at) || got.Data[1] != 2 || got.Labels["a"] != "b" || !got.Flag || got.Any.([]any)[0] != 1.0 || got.Inner.ID != 3 || got.Inner.Next != nil {
		t.Errorf("got %+v", got)
	}
}

func TestTypedWithoutArguments(t *testing.T) {
	type in struct {
		Limit int `json:"limit,omitempty"`
	}
	f := Typed("count", "counts", func(_ context.Context, in in) (int, error) { return in.Limit + 1, nil })
	for name, args := range map[string][]any{"none": nil, "null": {nil}, "empty": {map[string]any{}}} {
		if out, err := callTyped(t, f, args...); err != nil || out != any(1) {
			t.Errorf("%s: got %v, %v; want 1", name, out, err)
		}
	}
}

// TestTypedSharedObjects: few objects may stand for very many.
func TestTypedSharedObjects(t *testing.T) {
	type node struct {
		Kids []*node `json:"kids,omitempty"`
	}
	f := Typed("walk", "", func(_ context.Context, in node) (int, error) { return len(in.Kids), nil })
	top := map[string]any{}
	for range 60 {
		top = map[string]any{"kids": []any{top, top}}
	}
	if out, err := callTyped(t, f, top); err != nil || out != any(2) {
		t.Errorf("got %v, %v; want 2", out, err)
	}
	loop := map[string]any{}
	loop["kids"] = []any{loop}
	want := "walk: input.kids[0] refers back to an object that it is in"
	if _, err := callTyped(t, f, loop); err == nil || err.Error() != want {
		t.Errorf("a circle: got %v, want %s", err, want)
	}
}

func TestTypedSchema(t *testing.T) {
	type out struct {
		Name  string     `json:"name"`
		Price *float64   `json:"price"`
		Tree  innerInput `json:"tree"`
	}
	f := Typed("find", "finds", func(_ context.Context, in findInput) ([]out, error) { return nil, nil })
	for _, c := range []struct {
		name string
		got  json.RawMessage
		want string
	}{
		{"input", f.Schema.Input, `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{
			"query":{"type":"string","description":"words of the name","minLength":2,"maxLength":8},
			"state":{"type":"string","enum":["open","closed"]},
			"limit":{"type":"integer","minimum":1,"maximum":100},
			"ratio":{"type":"number"},
			"tags":{"type":"array","items":{"type":"string"},"maxItems":3},
			"kinds":{"type":"array","items":{"type":"string","enum":["a","b"]}},
			"small":{"type":"integer","minimum":0,"maximum":255},
			"wide":{"type":"integer"},
			"since":{"type":"string","format":"date-time"},
			"data":{"type":"string","contentEncoding":"base64"},
			"labels":{"type":"object","additionalProperties":{"type":"string"}},
			"flag":{"type":"boolean"},
			"any":{},
			"inner":{"$ref":"#/$defs/innerInput"},
			"rows":{"type":"array","items":{"$ref":"#/$defs/innerInput"}}},
			"required":["query"],"additionalProperties":false,
			"$defs":{"innerInput":{"type":"object","properties":{"id":{"type":"integer"},"next":{"$ref":"#/$defs/innerInput"}},"required":["id"],"additionalProperties":false}}}`},
		{"output", f.Schema.Output, `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"array","items":{"type":"object","properties":{
			"name":{"type":"string"},"price":{"type":["number","null"]},"tree":{"$ref":"#/$defs/innerInput"}},
			"required":["name","price","tree"],"additionalProperties":false},
			"$defs":{"innerInput":{"type":"object","properties":{"id":{"type":"integer"},"next":{"anyOf":[{"$ref":"#/$defs/innerInput"},{"type":"null"}]}},"required":["id"],"additionalProperties":false}}}`},
	} {
		var compact strings.Builder
		for line := range strings.Lines(c.want) {
			compact.WriteString(strings.TrimSpace(line))
		}
		if string(c.got) != compact.String() {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, c.got, compact.String())
		}
		if !json.Valid(c.got) {
			t.Errorf("%s is not valid JSON", c.name)
		}
	}
	g := Typed("get", "", func(context.Context, struct {
		ID string `json:"id"`
	}) (*out, error) {
		return nil, nil
	})
	want := "get(input: {id: string}): Promise<{name: string, price?: number, tree: {id: number, next?: {id: number, next?: object}}}>"
	if got := g.Signature(); got != want {
		t.Errorf("signature\ngot  %s\nwant %s", got, want)
	}
	none := Typed("ping", "", func(context.Context, struct{}) (struct{}, error) { return struct{}{}, nil })
	if got, want := none.Signature(), "ping(): Promise"; got != want {
		t.Errorf("got signature %s, want %s", got, want)
	}
}

func TestTypedRefusesTypesThatCannotCross(t *testing.T) {
	for name, f := range map[string]func(){
		"no struct":         func() { Typed("f", "", func(context.Context, string) (int, error) { return 0, nil }) },
		"a channel":         func() { Typed("f", "", func(context.Context, struct{ C chan int }) (int, error) { return 0, nil }) },
		"a result function": func() { Typed("f", "", func(context.Context, struct{}) (func(), error) { return nil, nil }) },
		"an enum of numbers": func() {
			Typed("f", "", func(context.Context, struct {
				N int `enum:"1,2"`
			}) (int, error) {
				return 0, nil
			})
		},
		"a least boolean": func() {
			Typed("f", "", func(context.Context, struct {
				B bool `min:"1"`
			}) (int, error) {
				return 0, nil
			})
		},
		"a time as the input": func() { Typed("f", "", func(context.Context, time.Time) (int, error) { return 0, nil }) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if p, ok := recover().(string); !ok || !strings.HasPrefix(p, `bridges.Typed("f"): `) {
					t.Errorf("got panic %v", p)
				}
			}()
			f()
			t.Error("it was taken")
		})
	}
}

func BenchmarkTyped(b *testing.B) {
	f := Typed("find", "finds", func(_ context.Context, in findInput) (int, error) { return in.Limit, nil })
	v, err := marshal.NewValue([]any{map[string]any{"query": "abc", "limit": 5, "tags": []any{"a", "b"}}}, marshal.EncodeOptions{})
	if err != nil {
		b.Fatal(err)
	}
	s := NewSession(SessionOptions{})
	defer s.Close()
	br := &Bridge{Name: "crm", Always: true}
	for b.Loop() {
		c, err := Unpack(s, br, &f, v)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := f.Call(context.Background(), c); err != nil {
			b.Fatal(err)
		}
	}
}
