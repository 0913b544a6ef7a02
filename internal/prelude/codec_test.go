package prelude_test

import (
	"fmt"
	"testing"

	"quicksand/internal/marshal"
)

// object is an object with one property.
func object(key string, value any) any {
	return &marshal.Object{Entries: []marshal.Entry{{Key: key, Value: value}}}
}

// hostFunc is a function that the guest gets under the id 7.
func hostFunc() {}

func encode(v any) marshal.Message {
	m, err := marshal.Encode(v, marshal.EncodeOptions{Func: func(path string, _ any) (uint64, string, bool) { return 7, "lookup", true }})
	if err != nil {
		panic(err)
	}
	return m
}

// decode makes plain Go values: every number a float64, undefined nil.
func decode(m marshal.Message) any {
	v, err := marshal.Decode(m)
	if err != nil {
		panic(fmt.Sprintf("a message from the guest does not decode: %v", err))
	}
	return plain(v.Any())
}

func plain(v any) any {
	switch v := v.(type) {
	case int:
		return float64(v)
	case int64:
		return float64(v)
	case marshal.UndefinedType:
		return nil
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
	}
	return v
}

func TestDecodeIsPlain(t *testing.T) {
	got := fmt.Sprint(decode(encode([]any{1, 2.5, nil, "s", true, map[string]any{"a": 1}})))
	if want := "[1 2.5 <nil> s true map[a:1]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
