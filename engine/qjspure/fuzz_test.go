package qjspure

import (
	"bytes"
	"testing"

	"quicksand/engine"
	"quicksand/internal/marshal"
)

// FuzzDecode gives the guest messages of a hostile host. Whatever they are, the engine
// does not fault, and what was accepted encodes to a message that comes back the same.
func FuzzDecode(f *testing.F) {
	e, v := newWorld(f)
	for _, code := range []string{
		`[{ a: 1, b: "x" }, { a: 2, b: "y" }, { c: [1.5, null, true, undefined] }]`,
		`new Map([["k", new Set([1n, -(2n ** 70n)])]])`, `[new Date(5), /a/g, "é€😀\ud800"]`,
		`Object.assign(new RangeError("m", { cause: 1 }), { extra: {} })`, `(() => { const a = {}; a.a = a; return [a, a]; })()`,
		`[new Uint8Array(3), new Float64Array(2), new DataView(new ArrayBuffer(4)), new ArrayBuffer(1)]`,
	} {
		reset(f, v)
		finish(f, v, module(f, e, "export default "+code), &host{})
		m, s, err := v.Result(engine.Strict)
		if s != engine.Done || err != nil {
			f.Fatal(s, err)
		}
		f.Add(bytes.Clone(m.Wire))
	}
	f.Add([]byte{marshal.TagBlob, 0, 0})
	f.Add([]byte{marshal.TagHostFunc, 1, 1, 'f'})
	blobs := [][]byte{bytes.Repeat([]byte{7}, 1<<16)}
	p := module(f, e, `const first = native(64), second = native(65, first); export default native(4, second);`)
	f.Fuzz(func(t *testing.T, wire []byte) {
		reset(t, v)
		var crossed []byte
		h := &host{call: func(op uint32, arg marshal.Message) engine.Reply {
			if op == 64 {
				return engine.Reply{Value: marshal.Message{Wire: wire, Blobs: blobs}}
			}
			crossed = bytes.Clone(arg.Wire)
			return engine.Reply{Value: arg}
		}}
		switch finish(t, v, p, h) {
		case engine.Stopped:
			t.Fatalf("%x: %s %s", wire, v.Failure().Kind, v.Failure().Detail)
		case engine.Done:
			m, s, err := v.Result(engine.Strict)
			if s != engine.Done || err != nil {
				t.Fatalf("%x: result %s %v", wire, s, err)
			}
			if !bytes.Equal(m.Wire, crossed) {
				t.Errorf("%x: encoded as %x, and then as %x", wire, crossed, m.Wire)
			}
		}
	})
}
