package marshal

import (
	"testing"
)

func TestSmoke(t *testing.T) {
	m := map[string]any{"a": 1, "b": []any{1.5, "x", nil, true, Undefined}}
	m["self"] = m
	m["n"] = map[string]any{"a": 3}
	msg, err := Encode(m, EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := Decode(msg)
	if err != nil {
		t.Fatal(err)
	}
	got := v.Any().(map[string]any)
	t.Log(got["b"], got["n"], v.Field("b").Index(1).String())
	if got["self"].(map[string]any)["self"] == nil {
		t.Fatal("cycle lost")
	}
}

func rows() []any {
	var out []any
	for i := range 5000 {
		out = append(out, map[string]any{"id": i, "name": "customer " + string(rune('a'+i%26)), "region": "north", "amount": float64(i) * 1.25, "paid": i%2 == 0, "note": "some longer note about this row", "quantity": i % 50, "tags": []any{"a", "b", i % 7}})
	}
	return out
}

func BenchmarkEncode(b *testing.B) {
	r := rows()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Encode(r, EncodeOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAny(b *testing.B) {
	v, err := NewValue(rows(), EncodeOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		v.Any()
	}
}
func BenchmarkJSON(b *testing.B) {
	v, _ := NewValue(rows(), EncodeOptions{})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := v.JSON(); err != nil {
			b.Fatal(err)
		}
	}
}
func BenchmarkDecode(b *testing.B) {
	m, _ := Encode(rows(), EncodeOptions{})
	b.ReportAllocs()
	for b.Loop() {
		_, _ = Decode(m)
	}
}
