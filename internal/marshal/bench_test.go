package marshal

import (
	"encoding/json"
	"testing"
)

// testRows are rows as they come out of a database or JSON.
func testRows(n int) []any {
	regions := []string{"north", "south", "east", "west"}
	rows := make([]any, n)
	for i := range rows {
		rows[i] = map[string]any{"id": i, "customer": "customer " + string(rune('a'+i%26)), "region": regions[i%4],
			"amount": float64(i) * 1.25, "paid": i%2 == 0, "note": "some longer note about this row", "quantity": i % 50,
			"tags": []any{"a", "b", i % 7}}
	}
	return rows
}

func BenchmarkRows(b *testing.B) {
	var rows any = testRows(5000)
	v := mustValue(b, rows)
	text, err := json.Marshal(rows)
	if err != nil {
		b.Fatal(err)
	}
	m := Message{}
	run := func(name string, f func() error) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	run("Encode", func() error { _, err := Encode(rows, EncodeOptions{}); return err })
	run("EncodeTo", func() error { return EncodeTo(&m, rows, EncodeOptions{}) })
	run("EncodeValue", func() error { return EncodeTo(&m, v, EncodeOptions{}) })
	run("json.Marshal", func() error { _, err := json.Marshal(rows); return err })
	run("Decode", func() error { _, err := Decode(Message{Wire: v.wire}); return err })
	run("Any", func() error { v.Any(); return nil })
	run("Ordered", func() error { v.Ordered(); return nil })
	run("json.Unmarshal", func() error { var x any; return json.Unmarshal(text, &x) })
	type row struct {
		ID       int     `json:"id"`
		Customer string  `json:"customer"`
		Region   string  `json:"region"`
		Amount   float64 `json:"amount"`
		Paid     bool    `json:"paid"`
		Note     string  `json:"note"`
		Quantity int     `json:"quantity"`
		Tags     []any   `json:"tags"`
	}
	run("UnmarshalStructs", func() error { var x []row; return v.Unmarshal(&x) })
	run("json.UnmarshalStructs", func() error { var x []row; return json.Unmarshal(text, &x) })
	run("JSON", func() error { _, err := v.JSON(); return err })
	run("Truncate", func() error {
		_, _, err := Truncate(Message{Wire: v.wire}, TruncateLimits{Size: 10_000_000})
		return err
	})
	run("TruncateCuts", func() error { _, _, err := Truncate(Message{Wire: v.wire}, TruncateLimits{Size: 100_000}); return err })
}

// BenchmarkArguments unpacks what a host call typically gets.
func BenchmarkArguments(b *testing.B) {
	m := mustEncode(b, []any{"workspace/file.txt", 42, map[string]any{"flag": true}})
	b.ReportAllocs()
	for b.Loop() {
		v, err := Decode(m)
		if err != nil {
			b.Fatal(err)
		}
		p, _ := v.Index(0).Bool()
		n, _ := v.Index(1).Int()
		f, _ := v.Index(2).Field("flag").Bool()
		if p || n != 42 || !f {
			b.Fatal("wrong arguments")
		}
	}
}

// BenchmarkScalar is the smallest reply.
func BenchmarkScalar(b *testing.B) {
	var m Message
	b.ReportAllocs()
	for b.Loop() {
		if err := EncodeTo(&m, "ok", EncodeOptions{}); err != nil {
			b.Fatal(err)
		}
		if v, err := Decode(m); err != nil || v.Kind() != KindString {
			b.Fatal(err)
		}
	}
}
