package arena_test

import (
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"quicksand/engine/arena"
	"quicksand/engine/arena/arenatest"
)

// resident counts the bytes of a region that are backed by memory.
func resident(t *testing.T, r *arena.Region) (n uintptr) {
	t.Helper()
	vec := make([]byte, r.Size()/uintptr(unix.Getpagesize()))
	mem := r.Bytes(0, r.Size())
	if _, _, e := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&mem[0])), r.Size(), uintptr(unsafe.Pointer(&vec[0]))); e != 0 {
		t.Fatal(e)
	}
	for _, v := range vec {
		n += uintptr(v&1) * uintptr(unix.Getpagesize())
	}
	return n
}

func TestResidentMemory(t *testing.T) {
	r := arenatest.Reserve(t, 256<<20)
	h := arena.Init(r)
	for range 1000 {
		h.Alloc(200)
	}
	im := arena.Snapshot(r)
	steps := []struct {
		name string
		do   func()
		most uintptr
	}{
		{"a fresh heap holds what it uses", func() {}, uintptr(im.Len()) + 64<<10},
		{"untouched memory is not backed", func() { h.Alloc(1 << 20) }, uintptr(im.Len()) + 64<<10},
		{"a large heap is backed once it is touched", func() { clear(r.Bytes(h.Alloc(100<<20)-r.Base(), 100<<20)) }, 110 << 20},
		{"a restore keeps no more than 4 MB", im.Restore, 4<<20 + 64<<10},
		{"a second restore does not change that", im.Restore, 4<<20 + 64<<10},
		{"trimming leaves the image", im.Trim, uintptr(im.Len()) + 64<<10},
	}
	for _, s := range steps {
		s.do()
		if got := resident(t, r); got > s.most {
			t.Errorf("%s: %d bytes are resident, want at most %d", s.name, got, s.most)
		}
	}
}
