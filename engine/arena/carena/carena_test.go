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

func FuzzArena(f *testing.F) {
	for _, s := range arenatest.Seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		arenatest.Fuzz(t, newC, data)
		arenatest.Differential(t, newC, newGo, data)
	})
}
