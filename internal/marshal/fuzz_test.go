package marshal

import (
	"encoding/json"
	"math"
	"math/big"
	"runtime"
	"testing"
	"time"
)

func blobsOf(b []byte) [][]byte {
	if len(b) == 0 {
		return nil
	}
	return [][]byte{b, b[:len(b)/2]}
}

// FuzzDecode gives the reader bytes that nobody checked. Whatever decodes must be
// written again as the same value, by all ways.
func FuzzDecode(f *testing.F) {
	for _, row := range hostile {
		if len(row.wire) < 1000 {
			f.Add([]byte(row.wire), []byte{1, 2, 3, 4})
		}
	}
	for _, row := range golden {
		f.Add([]byte(row.wire), []byte("blobblob"))
	}
	for _, row := range typeTable {
		f.Add(mustEncode(f, row.in).Wire, []byte{})
	}
	f.Add(laughs(20).Wire, []byte{})
	f.Fuzz(func(t *testing.T, wire, blob []byte) {
		m := Message{Wire: wire, Blobs: blobsOf(blob)}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		v, err := Decode(m)
		if err != nil {
			_ = Dump(m)
			return
		}
		x := v.Any()
		o := v.Ordered()
		runtime.ReadMemStats(&after)
		// A container of two bytes is a map of some hundred, decoded twice.
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20+2000*uint64(len(wire)+len(blob)) {
			t.Errorf("%d bytes became %d", len(wire), n)
		}
		if !Equal(m, m) {
			t.Errorf("not equal to itself:\n%s", Dump(m))
		}
		spliced, err := Encode(v, EncodeOptions{})
		if err != nil || !Equal(m, spliced) {
			t.Errorf("written again: %v\n%s\n%s", err, Dump(m), Dump(spliced))
		}
		if _, err := Encode(x, EncodeOptions{}); err != nil && v.refs == false {
			t.Errorf("Any does not encode: %v", err)
		}
		// Dates, empty arrays and duplicate blobs lose or gain identity once, and broken
		// text becomes U+FFFD; after that nothing changes any more.
		once, err := Encode(o, EncodeOptions{})
		if err != nil {
			t.Fatalf("Ordered does not encode: %v", err)
		}
		w, err := Decode(once)
		if err != nil {
			t.Fatalf("own message: %v\n%s", err, Dump(once))
		}
		twice, err := Encode(w.Ordered(), EncodeOptions{})
		if err != nil || !Equal(once, twice) {
			t.Errorf("not stable: %v\n%s\n%s", err, Dump(once), Dump(twice))
		}
		if b, err := v.AppendJSON(nil, 1<<20); err == nil && !json.Valid(b) {
			t.Errorf("bad JSON %s", b)
		}
		_ = v.String()
		var dst struct {
			A any
			B []struct{ C *Value }
			D map[string]*struct{ E [2]float64 }
			F []float32
		}
		_ = v.Unmarshal(&dst)
		var anys []any
		_ = v.Unmarshal(&anys)
		for _, size := range []int64{1, 20, 200} {
			cut, report, err := Truncate(m, TruncateLimits{Size: size})
			if err != nil {
				continue
			}
			if _, err := Decode(cut); err != nil {
				t.Fatalf("cut: %v\n%s\n%s", err, Dump(m), Dump(cut))
			}
			if report == nil && !Equal(cut, m) {
				t.Errorf("changed without a report")
			}
		}
		for _, e := range v.Elements() {
			inner, err := Encode(e, EncodeOptions{})
			if err != nil {
				continue // deeper than before, by refs
			}
			if _, err := Decode(inner); err != nil {
				t.Fatalf("element: %v\n%s", err, Dump(inner))
			}
			_ = e.Any()
			_, _ = e.AppendJSON(nil, 1<<16)
		}
	})
}

// generator makes a value of bytes.
type generator struct {
	b    []byte
	made []any
}

func (g *generator) byte() byte {
	if len(g.b) == 0 {
		return 0
	}
	c := g.b[0]
	g.b = g.b[1:]
	return c
}

func (g *generator) text() string {
	n := min(int(g.byte()%16), len(g.b))
	s := string(g.b[:n])
	g.b = g.b[n:]
	return s
}

func (g *generator) bits() (n uint64) {
	for range 8 {
		n = n<<8 | uint64(g.byte())
	}
	return n
}

func (g *generator) value(depth int) any {
	kind := g.byte() % 24
	if depth > 20 {
		kind %= 10
	}
	keep := func(x any) any { g.made = append(g.made, x); return x }
	n := int(g.byte() % 5)
	switch kind {
	case 1:
		return g.byte()&1 != 0
	case 2:
		return int64(g.bits())
	case 3:
		return math.Float64frombits(g.bits())
	case 4:
		return int(int8(g.byte()))
	case 5:
		return g.text()
	case 6:
		return new(big.Int).Lsh(big.NewInt(int64(g.bits())), uint(g.byte()))
	case 7:
		return Undefined
	case 8:
		return time.UnixMilli(int64(g.bits()) % maxDate)
	case 9:
		if len(g.made) > 0 {
			return g.made[int(g.byte())%len(g.made)]
		}
	case 10:
		return keep([]byte(g.text()))
	case 11:
		return keep([]float64{math.Float64frombits(g.bits())})
	case 12:
		return keep([]int16{int16(g.bits())})
	case 13:
		return keep(View(g.text()))
	case 14:
		return keep(&RegExp{g.text(), g.text()})
	case 15, 16:
		a := make([]any, n)
		keep(a)
		for i := range a {
			a[i] = g.value(depth + 1)
		}
		return a
	case 17:
		s := &Set{}
		keep(s)
		for range n {
			s.Values = append(s.Values, g.value(depth+1))
		}
		return s
	case 18:
		m := &Map{}
		keep(m)
		for range n {
			m.Entries = append(m.Entries, MapEntry{g.value(depth + 1), g.value(depth + 1)})
		}
		return m
	case 19:
		e := &Error{Name: g.text(), Message: g.text(), Stack: g.text()}
		keep(e)
		e.Cause = g.value(depth + 1)
		e.Props = []Entry{{g.text(), g.value(depth + 1)}}
		return e
	case 20:
		m := map[string]any{}
		keep(m)
		for range n {
			m[g.text()] = g.value(depth + 1)
		}
		return m
	case 21, 22:
		o := &Object{}
		keep(o)
		for range n {
			o.Set(g.text(), g.value(depth+1))
		}
		return o
	case 23:
		return make([]byte, BlobSize+int(g.byte()))
	}
	return nil
}

// FuzzRoundTrip makes Go values of the input and sends them both ways.
func FuzzRoundTrip(f *testing.F) {
	for i := range 24 {
		f.Add([]byte{byte(i), 3, 15, 3, 5, 4, 'a', 'b', 'c', 'd', 20, 2, 1, 'k', 9, 0, 21, 4, 9, 1, 9, 2})
		f.Add([]byte{21, 4, 2, 'x', 'y', byte(i), 200, 201, 202, 203, 204, 205, 206, 207, 208, 3, 9, 0})
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<12 {
			return
		}
		in := (&generator{b: b}).value(0)
		m, err := Encode(in, EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		again, err := Encode(in, EncodeOptions{})
		if err != nil || string(again.Wire) != string(m.Wire) {
			t.Errorf("two encodings differ: %v", err)
		}
		v, err := Decode(m)
		if err != nil {
			t.Fatalf("%v\n%s", err, Dump(m))
		}
		out, err := Encode(v.Ordered(), EncodeOptions{})
		if err != nil || in != nil && v.Kind() != KindUndefined && !Equal(m, out) {
			t.Errorf("came back differently: %v\n%s\n%s", err, Dump(m), Dump(out))
		}
		if _, err := Encode(v.Any(), EncodeOptions{}); err != nil {
			t.Error(err)
		}
	})
}
