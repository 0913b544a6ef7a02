package arena_test

import (
	"testing"

	"quicksand/engine/arena"
	"quicksand/engine/arena/arenatest"
)

func newHeap(r *arena.Region) (arenatest.Heap, func() int) {
	n := 0
	a := &arena.Allocator{Heap: arena.Init(r), OnOOM: func() { n++ }}
	return a, func() int { return n }
}

func TestHeap(t *testing.T) { arenatest.Run(t, newHeap) }

func FuzzArena(f *testing.F) {
	for _, s := range arenatest.Seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) { arenatest.Fuzz(t, newHeap, data) })
}
