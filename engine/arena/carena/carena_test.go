//go:build cgo && linux && (amd64 || arm64) && !purego

package carena_test

import (
	"testing"

	"quicksand/engine/arena"
	"quicksand/engine/arena/arenatest"
	"quicksand/engine/arena/carena"
)

func newC(r *arena.Region) (arenatest.Heap, func() int) {
	h := carena.Init(r)
	h.CountOOM()
	return h, h.OOMs
}

func newGo(r *arena.Region) (arenatest.Heap, func() int) {
	n := 0
	a := &arena.Allocator{Heap: arena.Init(r), OnOOM: func() { n++ }}
	return a, func() int { return n }
}

func TestHeap(t *testing.T) { arenatest.Run(t, newC) }

func TestSameAddresses(t *testing.T) {
	for _, s := range arenatest.Seeds() {
		arenatest.Differential(t, newC, newGo, s)
	}
}

func TestOutOfMemoryMayJump(t *testing.T) {
	r := arenatest.Reserve(t, 8<<20)
	h := carena.Init(r)
	im := arena.Snapshot(r)
	for _, tt := range []struct {
		n      uintptr
		leaves bool
	}{{1, true}, {100, true}, {1016, true}, {1017, true}, {50000, true}, {1<<20 - 1, true}, {1 << 20, false}} {
		h.SetLimit(3<<20, 7<<20)
		if got := h.Exhaust(tt.n); got != tt.leaves {
			t.Errorf("pieces of %d bytes: left by on_oom is %v, want %v", tt.n, got, tt.leaves)
		}
		if err := arena.At(r).Check(); err != nil {
			t.Error(err)
		}
		im.Restore()
	}
}

// The heaps of both sides are one: what one allocated the other frees.
func TestGoFreesWhatCAllocated(t *testing.T) {
	r := arenatest.Reserve(t, 8<<20)
	c := carena.Init(r)
	g := arena.At(r)
	var ps []uintptr
	for i := range uintptr(2000) {
		if i&1 == 0 {
			ps = append(ps, c.Alloc(i*3))
		} else {
			ps = append(ps, g.Alloc(i*3))
		}
	}
	if err := g.Check(); err != nil {
		t.Fatal(err)
	}
	for i, p := range ps {
		if i%3 == 0 {
			c.Free(p)
		} else {
			g.Free(p)
		}
	}
	if err := g.Check(); err != nil || g.Used() != 0 {
		t.Fatalf("%d bytes are used: %v", g.Used(), err)
	}
}

func FuzzArena(f *testing.F) {
	for _, s := range arenatest.Seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		arenatest.Fuzz(t, newC, data)
		arenatest.Differential(t, newC, newGo, data)
	})
}
