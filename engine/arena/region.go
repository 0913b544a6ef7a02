package arena

import (
	"errors"
	"fmt"
	"unsafe"
)

// Sizes of a region, in bytes.
const (
	MinRegion = 64 << 10
	MaxRegion = 1 << 38
)

// smallPages is how much of a region is in ordinary pages. Restoring an image keeps them,
// as zeroing costs a fraction of the faults that would bring them back, and gives back
// what lies above.
const smallPages = 4 << 20

// hugePage is the size of the pages above, where the system has such.
const hugePage = 2 << 20

// A Region is address space outside of the Go heap: readable, writable, zero, and
// committed by the operating system page by page as it is touched (on Windows it is
// charged at once, but backed as it is touched). It holds no Go pointers.
//
// Protect and Unprotect may be called by any goroutine. The other methods must not
// run at the same time as Discard or Release, and nothing may touch the region after
// Release.
type Region struct {
	mem   []byte
	image []byte // mapping of a file that a part of mem is of, to unmap with it
}

var errReleased = errors.New("arena: region was released")

// Reserve maps a region of size bytes, rounded up to whole pages. It is not backed
// by memory before it is touched. The caller must Release it.
func Reserve(size uintptr) (*Region, error) {
	if size < MinRegion || size > MaxRegion {
		return nil, fmt.Errorf("arena: reserve %d bytes: outside %d to %d", size, uint64(MinRegion), uint64(MaxRegion))
	}
	size = (size + pageSize - 1) &^ (pageSize - 1)
	mem, err := reserve(size)
	if err != nil {
		return nil, fmt.Errorf("arena: reserve %d bytes: %w", size, err)
	}
	return &Region{mem: mem}, nil
}

// Base is the address of the first byte.
func (r *Region) Base() uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(r.mem))) }

// Size is the length in bytes.
func (r *Region) Size() uintptr { return uintptr(len(r.mem)) }

// Contains reports whether addr lies in the region.
func (r *Region) Contains(addr uintptr) bool { return addr-r.Base() < r.Size() }

// Bytes is the region from off on, n bytes, without a copy. It panics when they do
// not lie inside.
func (r *Region) Bytes(off, n uintptr) []byte { return r.mem[off : off+n : off+n] }

// Protect makes every access to the region fault until Unprotect. See CanProtect.
func (r *Region) Protect() error {
	if r.mem == nil {
		return errReleased
	}
	return protect(r.mem, false)
}

// Unprotect undoes Protect. The contents are unchanged. Without a Protect it does
// nothing.
func (r *Region) Unprotect() error {
	if r.mem == nil {
		return errReleased
	}
	return protect(r.mem, true)
}

// Discard makes n bytes from off read as zero and gives whole pages among them back
// to the operating system. It panics when they do not lie inside.
func (r *Region) Discard(off, n uintptr) {
	mem := r.Bytes(off, n)
	base := r.Base() + off
	first := (base+pageSize-1)&^(pageSize-1) - base
	last := (base+n)&^(pageSize-1) - base
	if n < pageSize || first >= last || discard(mem[first:last]) != nil {
		clear(mem)
		return
	}
	clear(mem[:first])
	clear(mem[last:])
}

// Release unmaps the region. A second Release does nothing.
func (r *Region) Release() error {
	mem, image := r.mem, r.image
	r.mem, r.image = nil, nil
	if mem == nil {
		return nil
	}
	return errors.Join(release(mem), releaseImage(image))
}
