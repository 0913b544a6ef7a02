package marshal

import (
	"bytes"
	"math/big"
	"strings"
	"testing"
	"time"
)

func TestRewrite(t *testing.T) {
	upper := func(b []byte) []byte {
		if bytes.Contains(b, []byte("long")) {
			return []byte(strings.Repeat("L", 300)) // needs a longer length
		}
		if bytes.Contains(b, []byte("x")) {
			return bytes.ReplaceAll(b, []byte("x"), nil)
		}
		return nil
	}
	mask := func(b []byte) []byte {
		if bytes.IndexByte(b, 7) < 0 {
			return nil
		}
		return bytes.ReplaceAll(b, []byte{7}, []byte{'*'})
	}
	long := strings.Repeat("L", 300)
	shared := &Object{Entries: []Entry{{"ax", "bx"}}}
	blob := bytes.Repeat([]byte{7}, BlobSize)
	for _, row := range []struct {
		name     string
		in, want any
	}{
		{"undefined", Undefined, Undefined},
		{"numbers, booleans and null stay", []any{1, 1.5, true, nil, Undefined, big.NewInt(77)}, []any{1, 1.5, true, nil, Undefined, big.NewInt(77)}},
		{"a string becomes shorter", "axb", "ab"},
		{"a string becomes longer than its length had room", "long", long},
		{"an empty string stays", "", ""},
		{"a string becomes empty", "x", ""},
		{"elements", []any{"ax", "b", []any{"long"}}, []any{"a", "b", []any{long}}},
		{"keys and values", &Object{Entries: []Entry{{"ax", 1}, {"long", "bx"}, {"c", "d"}}}, &Object{Entries: []Entry{{"a", 1}, {long, "b"}, {"c", "d"}}}},
		{"keys that occur again", []any{&Object{Entries: []Entry{{"x", 1}}}, &Object{Entries: []Entry{{"x", 2}}}}, []any{&Object{Entries: []Entry{{"", 1}}}, &Object{Entries: []Entry{{"", 2}}}}},
		{"maps and sets", []any{&Map{Entries: []MapEntry{{"x1", "x2"}}}, &Set{Values: []any{"x3", 4}}}, []any{&Map{Entries: []MapEntry{{"1", "2"}}}, &Set{Values: []any{"3", 4}}}},
		{"errors", &Error{Name: "Ex", Message: "mx", Stack: "long", Cause: "x"}, &Error{Name: "E", Message: "m", Stack: long, Cause: ""}},
		{"regular expressions", &RegExp{Source: "ax", Flags: "g"}, &RegExp{Source: "a", Flags: "g"}},
		{"bytes keep their length and type", []any{[]byte{1, 7}, []uint16{7, 8}, []byte("x")}, []any{[]byte{1, '*'}, []uint16{'*', 8}, []byte("x")}},
		{"blobs", []any{blob, "x"}, []any{bytes.Repeat([]byte("*"), BlobSize), ""}},
		{"shared containers stay shared", []any{shared, shared}, func() any { s := &Object{Entries: []Entry{{"a", "b"}}}; return []any{s, s} }()},
		{"dates stay", time.UnixMilli(5).UTC(), time.UnixMilli(5).UTC()},
	} {
		m := mustEncode(t, row.in)
		before := mustEncode(t, row.in)
		got := Rewrite(m, upper, mask)
		if !Equal(m, before) {
			t.Errorf("%s: the message was changed", row.name)
		}
		if _, err := Decode(got); err != nil {
			t.Errorf("%s: %v", row.name, err)
		} else if want := mustEncode(t, row.want); !Equal(got, want) {
			t.Errorf("%s:\ngot  %s\nwant %s", row.name, Dump(got), Dump(want))
		}
	}
}

// FuzzRewrite checks that what is rewritten still decodes, and that replacing a text by
// itself changes nothing.
func FuzzRewrite(f *testing.F) {
	for _, row := range golden {
		f.Add([]byte(row.wire), []byte("blobblob"))
	}
	for _, row := range typeTable {
		f.Add(mustEncode(f, row.in).Wire, []byte{})
	}
	f.Fuzz(func(t *testing.T, wire, blob []byte) {
		m := Message{Wire: wire, Blobs: blobsOf(blob)}
		if _, err := Decode(m); err != nil {
			return
		}
		same := func(b []byte) []byte { return append([]byte{}, b...) }
		if got := Rewrite(m, same, same); !Equal(m, got) {
			t.Errorf("got  %s\nwant %s", Dump(got), Dump(m))
		}
		twice := func(b []byte) []byte { return append(append([]byte{}, b...), b...) }
		if _, err := Decode(Rewrite(m, twice, same)); err != nil {
			t.Errorf("%v of %s", err, Dump(m))
		}
	})
}
