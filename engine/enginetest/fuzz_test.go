package enginetest_test

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"testing"
	"time"

	"quicksand/engine"
	"quicksand/engine/enginetest"
	"quicksand/internal/marshal"
)

// tree makes Go values of the bytes of a fuzzer.
type tree struct {
	data []byte
	pool []any // what can be shared
}

func (g *tree) next(n int) int {
	if len(g.data) == 0 {
		return 0
	}
	b := int(g.data[0])
	g.data = g.data[1:]
	return b % n
}

var texts = []string{"", "a", "key", "é", "€", "😀", "x y", "__proto__", "\x00", "constructor", "length", "toJSON", "then", "\ufeff", "\ufffd", "a longer text with some words in it"}

func (g *tree) text() string { return texts[g.next(len(texts))] + texts[g.next(len(texts))] }

var numbers = []float64{0, math.Copysign(0, -1), 1, -1, 63, 64, -65, 1.5, math.NaN(), math.Inf(1), math.Inf(-1), 1<<31 - 1, 1 << 31, -1 << 31, -1<<31 - 1,
	1 << 53, 5e-324, math.MaxFloat64, 1e21, 0.1}

var names = []string{"Error", "TypeError", "RangeError", "Odd", "SyntaxError"}

var patterns = []marshal.RegExp{{Source: "a", Flags: "g"}, {Source: "(?:)"}, {Source: `[/]\/`, Flags: "u"}, {Source: "é+", Flags: "dgimsy"}}

// value makes a value that a guest gives back as it got it.
func (g *tree) value(depth int) any {
	kinds := 13
	if depth > 0 {
		kinds = 19
	}
	keep := func(v any) any {
		g.pool = append(g.pool, v)
		return v
	}
	n := func() int { return g.next(256)<<8 | g.next(256) }
	switch g.next(kinds) {
	case 0:
		return nil
	case 1:
		return marshal.Undefined
	case 2:
		return g.next(2) == 1
	case 3:
		return n() - 1<<15
	case 4:
		return numbers[g.next(len(numbers))]
	case 5:
		return g.text()
	case 6:
		b := big.NewInt(int64(n() - 1<<15))
		return b.Exp(b, big.NewInt(int64(g.next(50))), nil)
	case 7:
		return time.UnixMilli(int64(n()) * int64(n()) * int64(n())).UTC()
	case 8:
		return &patterns[g.next(len(patterns))]
	case 9:
		b := make([]byte, g.next(40))
		for i := range b {
			b[i] = byte(n())
		}
		return keep(b)
	case 10:
		switch g.next(6) {
		case 0:
			return keep([]int16{int16(n()), 2})
		case 1:
			return keep([]float64{float64(n()) / 3})
		case 2:
			return keep([]int64{int64(n()) << 40})
		case 3:
			return keep([]uint32{uint32(n()), 7, 8})
		case 4:
			return keep([]float32{1.5})
		default:
			return keep([]int8{-1, int8(n())})
		}
	case 11:
		return keep(bytes.Repeat([]byte{byte(n())}, 1<<16-2+g.next(4)))
	case 12:
		if len(g.pool) > 0 {
			return g.pool[g.next(len(g.pool))]
		}
		return 1
	case 13, 14:
		a := make([]any, g.next(6))
		keep(a)
		for i := range a {
			a[i] = g.value(depth - 1)
		}
		return a
	case 15:
		m := map[string]any{}
		keep(m)
		for i := g.next(6); i > 0; i-- {
			m[g.text()] = g.value(depth - 1)
		}
		return m
	case 16:
		m := &marshal.Map{}
		keep(m)
		for i := range g.next(5) {
			m.Entries = append(m.Entries, marshal.MapEntry{Key: fmt.Sprint(g.text(), i), Value: g.value(depth - 1)})
		}
		return m
	case 17:
		s := &marshal.Set{}
		keep(s)
		for i := range g.next(5) {
			s.Values = append(s.Values, float64(i)+0.5, fmt.Sprint(g.text(), i))
		}
		return s
	default:
		e := &marshal.Error{Name: names[g.next(len(names))], Message: g.text()}
		keep(e)
		return e
	}
}

// worlds are one isolate of every engine, for all inputs of a fuzzing process.
func worlds(tb testing.TB) []*enginetest.World {
	var list []*enginetest.World
	for _, o := range engines {
		list = append(list, enginetest.NewWorld(tb, open(tb, o)))
	}
	return list
}

// FuzzMarshal sends random values of the host through every engine. They come back as
// they were, and alike.
func FuzzMarshal(f *testing.F) {
	for i := range 40 {
		seed := make([]byte, 100)
		for j := range seed {
			seed[j] = byte(i*131 + j*j*(i+3))
		}
		f.Add(seed)
	}
	ws := worlds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		g := &tree{data: data}
		m, err := marshal.Encode(g.value(4), marshal.EncodeOptions{})
		if err != nil {
			t.Skip(err)
		}
		want := enginetest.Dump(m)
		for _, w := range ws {
			for _, code := range []string{`export default given();`, `export default native(4, echo(given()));`, `export default await later(given());`} {
				o := w.Eval(t, code, &enginetest.Host{Given: m})
				if got := enginetest.Dump(o.Value); o.Status != engine.Done || got != want || !sameBlobs(m, o.Value) {
					t.Fatalf("%s, %s: %v\ngot  %.2000s\nwant %.2000s", w.Engine.Name(), code, o.Status, o, want)
				}
				if _, err := marshal.Decode(o.Value); err != nil {
					t.Fatalf("%s: the host cannot decode %x: %v", w.Engine.Name(), o.Value.Wire, err)
				}
			}
		}
	})
}

func sameBlobs(a, b marshal.Message) bool {
	if len(a.Blobs) != len(b.Blobs) {
		return false
	}
	for i := range a.Blobs {
		if !bytes.Equal(a.Blobs[i], b.Blobs[i]) {
			return false
		}
	}
	return true
}

// FuzzWire gives every engine bytes that no encoder wrote. They refuse the same and
// decode the same.
func FuzzWire(f *testing.F) {
	for _, s := range []string{"\x00", "\x04\x02", "\x09\x02\x04\x02\x08\x00", "\x0a\x04a\x04\x02\x03\x07\x01x\x00", "\x0b\x01\x07\x01k\x0c\x01\x05\x00\x00\x00\x00\x00\x00\xf8\x3f",
		"\x0d\x00\x00\x00\x00\x00\x00\x00\x00", "\x0e\x05Error\x01m\x00\x0ccause\x01\x00", "\x0f\x01a\x01g", "\x10\x06\x04\x01\x00\x00\x00", "\x06\x03-ff", "\x11\x00\x00"} {
		f.Add([]byte(s))
	}
	ws := worlds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		var first string
		for i, w := range ws {
			w.Deadline = 5 * time.Second
			o := w.Eval(t, `let r; try { r = given(); } catch { r = "refused"; } export default r;`, &enginetest.Host{Given: marshal.Message{Wire: data}})
			got := o.String()
			if o.Failure.Kind == engine.Fault || o.Failure.Kind == engine.Killed || o.Failure.Kind == engine.Interrupted {
				t.Fatalf("%s: %s", w.Engine.Name(), got)
			}
			if i == 0 {
				first = got
			} else if got != first {
				t.Fatalf("%x\n%s %s\n%s %s", data, ws[0].Engine.Name(), first, w.Engine.Name(), got)
			}
		}
	})
}
