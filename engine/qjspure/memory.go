package qjspure

import (
	"runtime"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/libquickjs"

	"quicksand/engine/arena"
)

// outOfMemory leaves the engine when a small request does not fit.
type outOfMemory struct{}

// The engine's malloc functions. TJSMallocState.Fopaque is the address of the heap.

func heapOf(s uintptr) *arena.Heap {
	return (*arena.Heap)(at((*lib.TJSMallocState)(at(s)).Fopaque))
}

func account(s uintptr, h *arena.Heap) {
	// The engine decides by this field when to collect cycles.
	(*lib.TJSMallocState)(at(s)).Fmalloc_size = lib.Tsize_t(h.Used())
}

func jsMalloc(_ *libc.TLS, s uintptr, n lib.Tsize_t) uintptr {
	h := heapOf(s)
	p := h.Alloc(uintptr(n))
	if p == 0 {
		return refused(uintptr(n))
	}
	account(s, h)
	return p
}

func jsFree(_ *libc.TLS, s uintptr, p uintptr) {
	h := heapOf(s)
	h.Free(p)
	account(s, h)
}

func jsRealloc(_ *libc.TLS, s uintptr, p uintptr, n lib.Tsize_t) uintptr {
	h := heapOf(s)
	q := h.Realloc(p, uintptr(n))
	if q == 0 && n != 0 {
		return refused(uintptr(n))
	}
	account(s, h)
	return q
}

func jsUsable(_ *libc.TLS, p uintptr) lib.Tsize_t {
	return lib.Tsize_t((*arena.Heap)(nil).Usable(p))
}

func refused(n uintptr) uintptr {
	if n < arena.BigRequest {
		panic(outOfMemory{})
	}
	return 0
}

// code is the address of a package-level function in the form that the engine calls.
// It is the same for the whole life of the process, so that images hold it.
func code(f any) uintptr { return (*[2]uintptr)(unsafe.Pointer(&f))[1] }

var (
	mallocCode  = code(jsMalloc)
	freeCode    = code(jsFree)
	reallocCode = code(jsRealloc)
	usableCode  = code(jsUsable)
)

// A staging buffer passes bytes to the engine. It lies outside of the Go heap.
type staging struct {
	addr uintptr
	size int
}

// keepStaging is the size above which a buffer is given back after use.
const keepStaging = 1 << 20

// put copies s and a terminating zero into the buffer, whose earlier contents are lost.
func (b *staging) put(s string) uintptr {
	need := len(s) + 1
	if b.size < need {
		b.release()
		size := max(need, 4096)
		b.addr = libc.Xmalloc(nil, lib.Size_t(size))
		if b.addr == 0 {
			panic(outOfMemory{})
		}
		b.size = size
	}
	dst := mem(b.addr, uintptr(need))
	copy(dst, s)
	dst[len(s)] = 0
	return b.addr
}

func (b *staging) release() {
	if b.addr != 0 {
		libc.Xfree(nil, b.addr)
	}
	*b = staging{}
}

// A bytecode is what the compiler made, in memory outside of the Go heap, which the
// collector frees with its owner.
type bytecode struct {
	addr uintptr
	size int
}

func newBytecode(b []byte) (*bytecode, bool) {
	addr := libc.Xmalloc(nil, lib.Size_t(len(b)+1))
	if addr == 0 {
		return nil, false
	}
	copy(mem(addr, uintptr(len(b))), b)
	c := &bytecode{addr, len(b)}
	runtime.AddCleanup(c, func(addr uintptr) { libc.Xfree(nil, addr) }, addr)
	return c, true
}
