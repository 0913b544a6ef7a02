//go:build cgo && linux && (amd64 || arm64) && !purego

package qjscgo

import (
	"bytes"
	"testing"

	"quicksand/engine"
	"quicksand/internal/marshal"
)

// Whatever the bytes are, decoding them ends in a value or an error, and a value goes
// back and forth unchanged from then on.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"", "\x00", "\x04\x07", "\x05\x00\x00\x00\x00\x00\x00\x04@", "\x06\x02-f", "\x07\x02hi", "\x07\x03\xed\xa0\x80",
		"\x09\x02\x08\x00\x01", "\x0a\x04a\x04\x02\x04b\x0a\x01\x03\x00\x00", "\x0b\x01\x04\x02\x0a\x00", "\x0c\x02\x04\x02\x08\x00",
		"\x0d\x00\x00\x00\x00\x00\x00\x14@", "\x0e\x05Error\x01m\x00\x0ccause\x08\x00\x00", "\x0f\x01x\x01g", "\x10\x00\x02\x01\x02",
		"\x10\x0b\x08\x00\x00\x00\x00\x00\x00\xf8?", "\x11\x00\x00", "\x12\x05\x01f", "\x09\x80\x80\x80\x80\x10",
		"\x09\x04\x0a\x04a\x01\x04b\x01\x00\x0a\x01\x01\x03\x01\x00\x0a\x01\x01\x03\x01\x00\x0a\x01\x01\x03\x01\x00",
	} {
		f.Add([]byte(s), []byte("blob"))
	}
	e := newEngine(f)
	is := newIsolate(f, e)
	p := compile(f, e, engine.Module, "main.js", "export default native(64)")
	f.Fuzz(func(t *testing.T, wire, blob []byte) {
		send := func(m marshal.Message) (marshal.Message, engine.Status) {
			if err := is.Reset(engine.Settings{Memory: 32 << 20}); err != nil {
				t.Fatal(err)
			}
			status := run(t, is, p, fakeHost{call: func(uint32, marshal.Message) engine.Reply { return engine.Reply{Value: m} }})
			if status == engine.Done {
				m, s, err := is.Result(engine.Strict)
				if err != nil {
					t.Fatal(err)
				}
				return m, s
			}
			if k := is.Failure().Kind; k == engine.Fault {
				t.Fatal(is.Failure().Detail)
			}
			return marshal.Message{}, status
		}
		first, status := send(marshal.Message{Wire: wire, Blobs: [][]byte{blob}})
		if status != engine.Done {
			return
		}
		second, status := send(first)
		if status != engine.Done || !bytes.Equal(first.Wire, second.Wire) || len(first.Blobs) != len(second.Blobs) {
			t.Errorf("%q: first %q, then %v %q", wire, first.Wire, status, second.Wire)
		}
	})
}
