package arena_test

import (
	"runtime/debug"
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

func TestReserve(t *testing.T) {
	for _, size := range []uintptr{0, 1, arena.MinRegion - 1, arena.MaxRegion + 1, ^uintptr(0)} {
		if r, err := arena.Reserve(size); err == nil {
			r.Release()
			t.Errorf("Reserve(%d) succeeded", size)
		}
	}
	r, err := arena.Reserve(arena.MinRegion + 1)
	if err != nil {
		t.Fatal(err)
	}
	if r.Size() <= arena.MinRegion || r.Size()%4096 != 0 || r.Base()%4096 != 0 {
		t.Errorf("base %#x, size %d", r.Base(), r.Size())
	}
	if !r.Contains(r.Base()) || !r.Contains(r.Base()+r.Size()-1) || r.Contains(r.Base()-1) || r.Contains(r.Base()+r.Size()) {
		t.Error("Contains is wrong about the ends")
	}
	for range 2 {
		if err := r.Release(); err != nil {
			t.Error(err)
		}
	}
	if r.Protect() == nil || r.Unprotect() == nil {
		t.Error("a released region can be protected")
	}
}

func TestDiscard(t *testing.T) {
	r := arenatest.Reserve(t, 1<<20)
	mem := r.Bytes(0, r.Size())
	for _, tt := range [][2]uintptr{{0, 1 << 20}, {0, 0}, {5, 10}, {4096, 4096}, {4095, 4098}, {100, 9000}, {8192, 100}, {12288 - 1, 1}, {0, 1<<20 - 1}} {
		for i := range mem {
			mem[i] = 1
		}
		r.Discard(tt[0], tt[1])
		for i, b := range mem {
			inside := uintptr(i) >= tt[0] && uintptr(i) < tt[0]+tt[1]
			if inside != (b == 0) {
				t.Fatalf("Discard(%d, %d): byte %d is %d", tt[0], tt[1], i, b)
			}
		}
	}
	for _, tt := range [][2]uintptr{{1 << 20, 1}, {0, 1<<20 + 1}, {^uintptr(0), 2}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Discard(%d, %d) reaches out of the region", tt[0], tt[1])
				}
			}()
			r.Discard(tt[0], tt[1])
		}()
	}
}

// churn allocates until something stops it.
func churn(a *arena.Allocator, started chan<- struct{}) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { err, _ = recover().(error) }()
	var ps [64]uintptr
	for i := 0; ; i++ {
		if i == 1000 {
			close(started)
		}
		a.Free(ps[i%64])
		ps[i%64] = a.Alloc(uintptr(i*37) % 5000)
	}
}

func TestProtectStopsAnAllocator(t *testing.T) {
	if !arena.CanProtect {
		t.Skip("this platform cannot")
	}
	r := arenatest.Reserve(t, 1<<20)
	a := &arena.Allocator{Heap: arena.Init(r)}
	a.Alloc(100)
	im := arena.Snapshot(r)
	for range 20 {
		started, joined := make(chan struct{}), make(chan struct{})
		go func() { // ends when the region is protected
			defer close(joined)
			<-started
			if err := r.Protect(); err != nil {
				t.Error(err)
			}
		}()
		err := churn(a, started)
		<-joined
		fault, ok := err.(interface{ Addr() uintptr })
		if !ok || !r.Contains(fault.Addr()) {
			t.Fatalf("the allocator stopped with %v", err)
		}
		if err := r.Unprotect(); err != nil {
			t.Fatal(err)
		}
		im.Restore()
		if err := a.Check(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOutOfMemoryMayPanic(t *testing.T) {
	type exit struct{}
	r := arenatest.Reserve(t, 4<<20)
	a := &arena.Allocator{Heap: arena.Init(r), OnOOM: func() { panic(exit{}) }}
	a.SetLimit(1<<20, 3<<20)
	im := arena.Snapshot(r)
	big := a.Alloc(500000)
	requests := map[string]func(){
		"alloc small":   func() { a.Alloc(10) },
		"alloc large":   func() { a.Alloc(600000) },
		"calloc":        func() { a.Calloc(3, 200000) },
		"realloc":       func() { a.Realloc(big, 1<<20-1) },
		"realloc small": func() { a.Realloc(a.Alloc(10), 700000) },
	}
	for name, request := range requests {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if e := recover(); e != (exit{}) {
					t.Errorf("recovered %v", e)
				}
				if err := a.Check(); err != nil {
					t.Error(err)
				}
				im.Restore()
				a.SetLimit(1<<20, 3<<20)
				big = a.Alloc(500000)
			}()
			for {
				request()
			}
		})
	}
	if a.Alloc(2<<20) != 0 || a.Calloc(1<<40, 1<<40) != 0 || a.Realloc(big, 1<<20) != 0 {
		t.Error("a big request was granted above the limit")
	}
}

func TestIdleRegionCostsNoMemory(t *testing.T) {
	for range 64 { // 256 GB of address space
		arena.Init(arenatest.Reserve(t, 4<<30))
	}
}
