package arena_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"quicksand/engine/arena"
	"quicksand/engine/arena/arenatest"
)

// filled is a heap that uses about n bytes, of which none is zero for long.
func filled(t testing.TB, n uintptr) (*arena.Region, *arena.Heap) {
	r := arenatest.Reserve(t, 1<<28)
	h := arena.Init(r)
	for i := byte(1); h.Used() < n; i++ {
		p := h.Alloc(1000) - r.Base()
		for k := range r.Bytes(p, 1000) {
			r.Bytes(p, 1000)[k] = i | 1
		}
	}
	return r, h
}

func TestRestoreUndoesEveryWrite(t *testing.T) {
	sizes := map[string]uintptr{"a small image": 10 << 10, "an image of a prelude": 400 << 10, "a large image": 3 << 20, "an image beyond the small pages": 6 << 20}
	ways := map[string]func(*arena.Image){"as it is": func(*arena.Image) {}, "copied as a whole": (*arena.Image).CopyWhole}
	steps := []struct {
		name   string
		writes int // random ones into the image
		after  func(r *arena.Region, h *arena.Heap, im *arena.Image)
	}{
		{"nothing was written", 0, nil},
		{"one byte was written", 1, nil},
		{"some pages were written", 20, nil},
		{"the same again", 20, nil},
		{"most pages were written", 5000, nil},
		{"one byte was written after most were", 1, nil},
		{"most pages were written by many runs", 5000, func(r *arena.Region, _ *arena.Heap, im *arena.Image) {
			for range 40 {
				im.Restore()
				for i := uintptr(0); i < uintptr(im.Len()); i += 1000 {
					r.Bytes(i, 1)[0]++
				}
			}
		}},
		{"the heap grew far beyond", 3, func(r *arena.Region, h *arena.Heap, _ *arena.Image) { clear(r.Bytes(h.Alloc(20<<20)-r.Base(), 20<<20)) }},
		{"the heap's own record was destroyed", 3, func(r *arena.Region, h *arena.Heap, _ *arena.Image) {
			for i := range r.Bytes(0, 2000) {
				r.Bytes(0, 2000)[i] ^= 0xff
			}
		}},
		{"the region was protected", 9, func(r *arena.Region, _ *arena.Heap, _ *arena.Image) {
			if r.Protect() == nil {
				r.Unprotect()
			}
		}},
		{"it was trimmed", 9, func(_ *arena.Region, _ *arena.Heap, im *arena.Image) { im.Restore(); im.Trim() }},
		{"pages were only read", 0, func(r *arena.Region, _ *arena.Heap, im *arena.Image) {
			bytes.Count(r.Bytes(0, uintptr(im.Len())), []byte{0})
		}},
	}
	for size, n := range sizes {
		for way, set := range ways {
			t.Run(size+" "+way, func(t *testing.T) {
				r, h := filled(t, n)
				im := arena.Snapshot(r)
				set(im)
				length := uintptr(im.Len())
				want := bytes.Clone(r.Bytes(0, length))
				random := rand.New(rand.NewPCG(1, 2))
				for _, s := range steps {
					p := h.Alloc(3000) - r.Base()
					for k := range r.Bytes(p, 3000) {
						r.Bytes(p, 3000)[k] = 7
					}
					for range s.writes {
						r.Bytes(1024+uintptr(random.Uint64N(uint64(length-1024))), 1)[0]++
					}
					if s.after != nil {
						s.after(r, h, im)
					}
					im.Restore()
					if !bytes.Equal(r.Bytes(0, length), want) {
						t.Fatalf("%s: the image is not restored", s.name)
					}
					if beyond := r.Bytes(length, 8<<20); len(bytes.TrimLeft(beyond, "\x00")) != 0 {
						t.Fatalf("%s: what lies beyond the image is not zero", s.name)
					}
				}
				im.Trim()
				if !bytes.Equal(r.Bytes(0, length), want) {
					t.Error("a trimmed image is another")
				}
			})
		}
	}
}
