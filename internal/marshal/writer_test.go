package marshal

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestWriterMakesWhatEncodeMakes(t *testing.T) {
	when := time.UnixMilli(1700000000123).UTC()
	want := mustValue(t, []any{
		&Object{Entries: []Entry{{"a", "x"}, {"ключ", "ä\ufffd"}, {"n", 1.5}, {"list", []any{true, false, nil, 0.0, 7.0}}}},
		&Object{Entries: []Entry{{"a", strings.Repeat("long", 99)}, {"at", when}, {"ключ", ""}}},
	})
	var w Writer
	a, other := Key{Name: "a"}, Key{Name: "ключ"}
	w.Object()
	w.Key(&a)
	w.String("x")
	w.Key(&other)
	w.String("ä\xff")
	w.Key(&Key{Name: "n"})
	w.Float(1.5)
	w.Key(&Key{Name: "list"})
	w.Array(5)
	w.Bool(true)
	w.Bool(false)
	w.Null()
	w.Float(0)
	w.Float(7)
	w.End()
	w.Object()
	w.Key(&a)
	w.String(strings.Repeat("long", 99))
	w.Key(&Key{Name: "at"})
	w.Date(1700000000123)
	w.Key(&other)
	w.String("")
	w.End()
	w.Rows(2)
	got, err := w.Value()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.wire, want.wire) {
		t.Errorf("the writer wrote\n%x, Encode\n%x", got.wire, want.wire)
	}
}

func TestWriterWritesKeysBeyondMaxKeysEachTime(t *testing.T) {
	keys := make([]Key, MaxKeys+2)
	for i := range keys {
		keys[i].Name = "k" + strings.Repeat("x", i%7) + string(rune('0'+i/1000)) + string(rune('a'+i%1000))
	}
	var w Writer
	w.Array(2)
	for range 2 {
		w.Object()
		for i := range keys {
			w.Key(&keys[i])
			w.Float(float64(i))
		}
		w.End()
	}
	v, err := w.Value()
	if err != nil {
		t.Fatal(err)
	}
	for row, o := range v.Ordered().([]any) {
		entries := o.(*Object).Entries
		if len(entries) != len(keys) {
			t.Fatalf("row %d has %d properties, want %d", row, len(entries), len(keys))
		}
		for i, e := range entries {
			if e.Key != keys[i].Name || e.Value != float64(i) {
				t.Fatalf("row %d, property %d is %q: %v, want %q", row, i, e.Key, e.Value, keys[i].Name)
			}
		}
	}
}

func TestWriterStopsAtItsLimit(t *testing.T) {
	var w Writer
	w.Limit(20)
	w.String(strings.Repeat("x", 18))
	if w.Full() {
		t.Error("full at its limit")
	}
	w.buf = w.buf[:0]
	w.String(strings.Repeat("x", 19))
	if _, err := w.Value(); !w.Full() || !errors.Is(err, ErrTooLarge) {
		t.Errorf("full is %v, the error %v", w.Full(), err)
	}
}

func TestWholeValueCrossesAsItIs(t *testing.T) {
	blob := make([]byte, BlobSize)
	for name, x := range map[string]any{
		"rows":          testRows(3),
		"bytes and all": []any{blob, "x", map[string]any{"b": blob[1:]}},
		"nothing":       nil,
	} {
		v := mustValue(t, x)
		m, err := Encode(v, EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(m.Wire, v.wire) || len(m.Blobs) != len(v.blobs()) {
			t.Errorf("%s: %d bytes and %d blobs, want %d and %d", name, len(m.Wire), len(m.Blobs), len(v.wire), len(v.blobs()))
		}
		if again, err := NewValue(v, EncodeOptions{}); err != nil || !slices.Equal(again.wire, v.wire) || len(again.blobs()) != len(v.blobs()) {
			t.Errorf("%s: as a value: %v", name, err)
		}
		if _, err := NewValue(v, EncodeOptions{MaxSize: max(v.mustSize(t)-1, 1)}); name != "nothing" && !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: as a value above the limit: %v", name, err)
		}
		if _, err := Encode(v, EncodeOptions{MaxSize: max(v.mustSize(t)-1, 1)}); name != "nothing" && !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: above the limit: %v", name, err)
		}
	}
}

func (v Value) mustSize(t *testing.T) int64 {
	t.Helper()
	m, err := v.Message()
	if err != nil {
		t.Fatal(err)
	}
	return m.Size()
}

func TestAppendStr(t *testing.T) {
	for text, want := range map[string]string{"\x07\x03a\xc3\xa4": "-a\u00e4", "\x07\x03\xed\xa0\x80": "-\ufffd", "\x01": "-"} {
		v, err := Decode(Message{Wire: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(v.AppendStr([]byte("-"))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
