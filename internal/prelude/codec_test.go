package prelude_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"quicksand/internal/marshal"
)

// The part of the wire encoding that the tests' host needs. It is written here again so
// that these tests do not depend on the Go half of the encoding.

type failure struct{ name, message string }

// hostFunc is a Go function as the guest gets it.
type hostFunc struct {
	id   int
	name string
}

// object has one property.
type object struct {
	key   string
	value any
}

func encode(v any) marshal.Message { return marshal.Message{Wire: write(nil, v)} }

func write(b []byte, v any) []byte {
	text := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	switch v := v.(type) {
	case nil:
		b = append(b, marshal.TagUndefined)
	case bool:
		if b = append(b, marshal.TagFalse); v {
			b[len(b)-1] = marshal.TagTrue
		}
	case float64:
		b = append(b, marshal.TagFloat)
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	case string:
		b = append(b, marshal.TagString)
		text(v)
	case []byte:
		b = append(b, marshal.TagBytes, byte(marshal.Uint8Array))
		text(string(v))
	case []any:
		b = append(b, marshal.TagArray)
		b = binary.AppendUvarint(b, uint64(len(v)))
		for _, e := range v {
			b = write(b, e)
		}
	case object:
		b = append(b, marshal.TagObject)
		b = binary.AppendUvarint(b, uint64(2*(len(v.key)+1)))
		b = append(b, v.key...)
		b = append(write(b, v.value), 0)
	case failure:
		b = append(b, marshal.TagError)
		text(v.name)
		text(v.message)
		text("")
		b = append(b, 0)
	case hostFunc:
		b = append(b, marshal.TagHostFunc)
		b = binary.AppendUvarint(b, uint64(v.id))
		text(v.name)
	default:
		panic(fmt.Sprintf("encode %T", v))
	}
	return b
}

func number(v any) float64 { f, _ := v.(float64); return f }

func mustDecode(m marshal.Message) any {
	r := reader{b: m.Wire, blobs: m.Blobs}
	return r.value()
}

func decode(t testing.TB, m marshal.Message) any {
	t.Helper()
	return mustDecode(m)
}

// describe makes an any of what a hook returned, for messages.
func describe(m marshal.Message) (v any) {
	defer func() {
		if recover() != nil {
			v = m.Wire
		}
	}()
	return mustDecode(m)
}

type reader struct {
	b     []byte
	blobs [][]byte
	keys  []string
}

func (r *reader) uvarint() int {
	n, k := binary.Uvarint(r.b)
	r.b = r.b[k:]
	return int(n)
}

func (r *reader) take(n int) []byte {
	p := r.b[:n]
	r.b = r.b[n:]
	return p
}

func (r *reader) value() any {
	if len(r.b) == 0 {
		return nil
	}
	switch tag := r.take(1)[0]; tag {
	case marshal.TagUndefined, marshal.TagNull:
		return nil
	case marshal.TagFalse, marshal.TagTrue:
		return tag == marshal.TagTrue
	case marshal.TagInt:
		n := r.uvarint()
		return float64(int64(uint64(n)>>1) ^ -int64(n&1))
	case marshal.TagFloat:
		return math.Float64frombits(binary.LittleEndian.Uint64(r.take(8)))
	case marshal.TagString:
		return string(r.take(r.uvarint()))
	case marshal.TagArray:
		a := make([]any, r.uvarint())
		for i := range a {
			a[i] = r.value()
		}
		return a
	case marshal.TagObject:
		o := map[string]any{}
		r.entries(o)
		return o
	case marshal.TagError:
		o := map[string]any{}
		for _, k := range []string{"name", "message", "stack"} {
			o[k] = string(r.take(r.uvarint()))
		}
		r.entries(o)
		return o
	case marshal.TagBytes:
		r.take(1)
		return append([]byte{}, r.take(r.uvarint())...)
	case marshal.TagBlob:
		r.take(1)
		return r.blobs[r.uvarint()]
	default:
		panic(fmt.Sprintf("decode tag %#x", tag))
	}
}

func (r *reader) entries(o map[string]any) {
	for {
		code := r.uvarint()
		switch {
		case code == 0:
			return
		case code%2 == 0:
			k := string(r.take(code/2 - 1))
			r.keys = append(r.keys, k)
			o[k] = r.value()
		default:
			o[r.keys[code/2]] = r.value()
		}
	}
}
