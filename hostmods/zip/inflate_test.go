package zip

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
)

// flateAll is what the standard library makes of a stream, with how many bytes that took.
func flateAll(in []byte, most int) ([]byte, int, error) {
	r := bytes.NewReader(in)
	out, err := io.ReadAll(io.LimitReader(flate.NewReader(r), int64(most)))
	return out, len(in) - r.Len(), err
}

// compare inflates with ours and with the standard library, which must agree.
func compare(t testing.TB, in []byte) {
	const most = 4 << 20
	want, used, err := flateAll(in, most+1)
	if len(want) > most {
		return
	}
	if err != nil {
		// What the standard library gave before the error may be the whole of what it would
		// have to be: ours needs to fail for any size.
		for _, n := range []int{0, len(want), len(want) + 1} {
			if _, ourErr := inflate(t.Context(), make([]byte, n), in); ourErr == nil {
				t.Fatalf("ours reads %d bytes where the standard library says %v", n, err)
			}
		}
		return
	}
	out := make([]byte, len(want))
	ourUsed, ourErr := inflate(t.Context(), out, in)
	if ourErr != nil || !bytes.Equal(out, want) || ourUsed != used {
		t.Fatalf("ours reads %d bytes of %d, not %d: %v; equal: %v", ourUsed, len(in), used, ourErr, bytes.Equal(out, want))
	}
	if len(want) > 0 {
		if _, err := inflate(t.Context(), out[1:], in); !errors.Is(err, errLong) {
			t.Fatalf("without room for a byte: %v", err)
		}
	}
	if _, err := inflate(t.Context(), make([]byte, len(want)+1), in); !errors.Is(err, errShort) {
		t.Fatalf("with room for a byte more: %v", err)
	}
}

func streams9(t testing.TB) map[string][]byte {
	m := map[string][]byte{
		"empty":          {3, 0},
		"stored":         {1, 3, 0, 252, 255, 'a', 'b', 'c'},
		"a single code":  {5, 192, 1, 9, 0, 0, 8, 0, 170, 63, 218, 218, 108, 1},
		"reserved block": {7},
	}
	r := rand.New(rand.NewPCG(3, 3))
	skewed := make([]byte, 100_000) // bytes whose codes are up to 15 bits long
	for i := range skewed {
		for skewed[i] = 0; skewed[i] < 200 && r.IntN(2) == 0; skewed[i]++ {
		}
	}
	sources := map[string][]byte{"prose": prose(100_000, 1), "noise": noise(70_000), "zeros": make([]byte, 100_000), "skewed": skewed,
		"pairs": bytes.Repeat([]byte("ab"), 20_000), "far": append(append(noise(32<<10), noise(32<<10)...), noise(300)...)}
	for period := 3; period < 40; period += 4 {
		sources[fmt.Sprint("period ", period)] = bytes.Repeat(noise(period), 3000/period)
	}
	for name, data := range sources {
		for _, level := range []int{-2, 0, 1, 6, 9} {
			var buf bytes.Buffer
			w, _ := flate.NewWriter(&buf, level)
			w.Write(data[:len(data)/2])
			w.Flush()
			w.Write(data[len(data)/2:])
			w.Close()
			m[fmt.Sprintf("%s at level %d", name, level)] = buf.Bytes()
		}
	}
	return m
}

func TestInflateAgreesWithTheStandardLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 4 000 streams in three ways: more than a second")
	}
	for name, in := range streams9(t) {
		t.Run(name, func(t *testing.T) {
			compare(t, in)
			compare(t, append(bytes.Clone(in), "rest"...))
			r := rand.New(rand.NewPCG(1, uint64(len(in))))
			for range 40 {
				m := bytes.Clone(in[:min(len(in), 20_000)])
				if r.IntN(3) == 0 {
					m = m[:r.IntN(len(m))]
				}
				for range r.IntN(4) {
					if len(m) > 0 {
						m[r.IntN(min(len(m), 1+r.IntN(len(m))))] ^= 1 << r.IntN(8)
					}
				}
				compare(t, m)
			}
		})
	}
}

func FuzzInflate(f *testing.F) {
	for _, in := range streams9(f) {
		f.Add(in[:min(len(in), 3000)])
	}
	f.Fuzz(func(t *testing.T, in []byte) { compare(t, in) })
}
