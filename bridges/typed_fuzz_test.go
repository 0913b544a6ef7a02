package bridges

import (
	"context"
	"encoding/json"
	"testing"

	"quicksand/internal/marshal"
)

// FuzzTyped: any JSON is an argument that is refused with an error that names a place, or that
// comes back as it was given, in what the struct has of it.
func FuzzTyped(f *testing.F) {
	for _, s := range []string{`{"query":"abc"}`, `{"query":"abc","limit":5,"tags":["a"],"inner":{"id":1,"next":{"id":2}},"rows":[{"id":3}]}`,
		`{"query":"abc","since":"2026-01-31T12:00:00Z","data":[1,2],"labels":{"a":"b"},"any":{"x":[null]}}`, `[]`, `null`, `5`, `{"query":1e999}`} {
		f.Add(s)
	}
	fn := Typed("find", "finds", func(_ context.Context, in findInput) (findInput, error) { return in, nil })
	f.Fuzz(func(t *testing.T, text string) {
		var x any
		if json.Unmarshal([]byte(text), &x) != nil {
			return
		}
		v, err := marshal.NewValue([]any{x}, marshal.EncodeOptions{})
		if err != nil {
			return
		}
		s := NewSession(SessionOptions{})
		defer s.Close()
		c, err := Unpack(s, &Bridge{Name: "crm", Always: true}, &fn, v)
		if err != nil {
			return
		}
		out, err := fn.Call(context.Background(), c)
		if err != nil {
			e, ok := err.(*Error)
			if !ok || e.Op != "find" || len(e.Message) < len("input ") || e.Message[:5] != "input" {
				t.Fatalf("%s: the error %v", text, err)
			}
			return
		}
		// What came back is an argument, too, and means the same.
		again, err := marshal.NewValue([]any{out}, marshal.EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if c, err = Unpack(s, &Bridge{Name: "crm", Always: true}, &fn, again); err != nil {
			t.Fatal(err)
		}
		twice, err := fn.Call(context.Background(), c)
		if err != nil {
			t.Fatalf("%s: its own result %s is refused: %v", text, again, err)
		}
		a, err1 := json.Marshal(out)
		b, err2 := json.Marshal(twice)
		if err1 != nil || err2 != nil || string(a) != string(b) {
			t.Fatalf("%s: got %s and then %s", text, a, b)
		}
	})
}
