// Package arena is the memory of an isolate: one region of address space that holds
// the whole guest heap, the allocator over it, and the image that a heap is reset to.
//
// A Region is mapped outside of the Go heap. A Heap lies at its base with all of its
// metadata inside the region, so that copying the used prefix of the region away and
// back (Image) restores everything, at the same addresses. Addresses are uintptr:
// nothing in a region is known to the garbage collector, and no Go pointer is ever
// stored there.
//
// # Algorithm
//
// Requests of up to 1016 bytes come from 32 size classes. Each class takes memory in
// runs (1 to 16 KB) and cuts slots from them; a run that is wholly free goes back,
// except for the last one of its class. Runs and larger requests are blocks of a
// two-level segregated fit allocator (M. Masmano, I. Ripoll, A. Crespo, J. Real: TLSF,
// ECRTS 2004) with boundary tags: constant time, neighbours coalesce at once, and
// realloc grows in place into a free successor or the untouched rest of the region.
//
// # Accounting
//
// Every block and every slot has one word in front of it. Used counts them all:
// it is the sum of Usable(p)+8 over everything allocated, plus what Charge added,
// and never exceeds the limit. The span bounds what is dirtied: no byte beyond it is
// ever written, whatever sizes a guest cycles through; a request that finds no room
// below the span fails like one above the limit.
//
// Package carena is the same allocator in C on the same metadata: a Heap of either is
// one of the other. Given the same requests both return the same offsets.
package arena

import (
	"math/bits"
	"unsafe"
)

const (
	// BigRequest is the size in bytes from which on a request may be refused
	// (zero is returned, Refused reports it). A smaller one that does not fit is out of
	// memory.
	BigRequest = 1 << 20

	smallMax = 1016
	classes  = 32
	flCount  = 32
	slCount  = 16
	slBits   = 4

	wordSize = 8
	minBlock = 32
	runHead  = unsafe.Sizeof(run{}) // the first slot's header follows
	magic    = 0x31616e657261_7371  // "qsarena1"
	maxLimit = 1 << 46

	// Flags in the low bits of the word in front of a block. The rest is the size of
	// the block with that word. In front of a slot the rest is the address of its run.
	flagFree     = 1
	flagPrevFree = 2
	flagSlot     = 4
	flagRun      = 8
	flagMask     = 15
)

// A run is one block of the large allocator cut into slots of one class. The fields
// are those of qs_run in carena/arena.h.
type run struct {
	free   uintptr // list of free slots through their first word
	stride uint32  // bytes from slot to slot, slot header included
	live   uint32  // slots handed out
	bump   uintptr // header of the first slot that was never used
	end    uintptr
	next   uintptr // list of the class's runs that may have room
	prev   uintptr
	cls    uint32
	listed uint32
}

// A Heap is an allocator at the base of a Region. One goroutine at a time may use it.
// It becomes invalid when the region is released.
//
// Requests that do not fit return 0; Allocator adds the call that leaves the engine.
// After such a call, and after being abandoned at any other point by a panic, the
// heap must be restored from an image before its next use.
type Heap struct { // the fields are those of qs_arena in carena/arena.h
	magic    uint64
	size     uintptr
	used     uintptr
	peak     uintptr
	limit    uintptr
	charged  uintptr
	end      uintptr // address which no block crosses
	top      uintptr // address where the never split rest begins
	high     uintptr // largest top; from here on every byte is zero
	nothigh  uintptr // ^high: tells a trampled header from a sound one
	refused  uint64
	runs     uintptr
	runBytes uintptr
	_        [3]uintptr // of the C side
	cur      [classes]uintptr
	nruns    [classes]uint32
	none     run // stands for an empty list
	flmap    uint32
	_        uint32
	slmap    [flCount]uint32
	bins     [flCount * slCount]uintptr
}

// classOf maps (n+7)/16 to the size class of a request of n bytes: strides of 16 up
// to 256, of 32 up to 512, of 64 up to 1024 bytes.
var classOf = func() (t [64]uint8) {
	for i := range t {
		switch stride := 16 * (i + 1); {
		case stride <= 256:
			t[i] = uint8(i)
		case stride <= 512:
			t[i] = uint8(16 + (stride-257)/32)
		default:
			t[i] = uint8(24 + (stride-513)/64)
		}
	}
	return t
}()

func strideOf(class uintptr) uintptr {
	switch {
	case class < 16:
		return 16 * (class + 1)
	case class < 24:
		return 256 + 32*(class-15)
	}
	return 512 + 64*(class-23)
}

// Regions are not Go memory, so that the conversions below are safe wherever the
// address lies inside one; unsafe.Add keeps vet from taking them for pointers to Go
// objects that were hidden from the collector.
func at(addr uintptr) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(nil), addr) }
func word(addr uintptr) *uintptr     { return (*uintptr)(at(addr)) }
func runAt(addr uintptr) *run        { return (*run)(at(addr)) }

// Init makes an empty heap at the base of r, whose bytes must be zero. Limit and span
// are the whole region.
func Init(r *Region) *Heap {
	h := At(r)
	base := r.Base()
	*h = Heap{magic: magic, size: r.Size()}
	h.top = base + (unsafe.Sizeof(*h)+15)&^15 + 8
	h.high, h.nothigh = h.top, ^h.top
	none := base + unsafe.Offsetof(h.none)
	for i := range h.cur {
		h.cur[i] = none
	}
	h.SetLimit(h.size, h.size)
	return h
}

// At is the heap that Init, here or in package carena, made at the base of r.
func At(r *Region) *Heap { return (*Heap)(unsafe.Pointer(unsafe.SliceData(r.mem))) }

func (h *Heap) base() uintptr { return uintptr(unsafe.Pointer(h)) }

// SetLimit bounds the used bytes by limit and the offset of every byte that is ever
// written by span; both are cut to what the region can hold. It resets the peak. A
// span of twice the limit and a few MB leaves room for fragmentation. Restoring an image brings
// the image's own limit back: set it again afterwards.
func (h *Heap) SetLimit(limit, span uintptr) {
	h.limit = min(limit, maxLimit)
	h.end = h.base() + min(span, h.size)&^15 - 8
	h.peak = h.used
}

// Used is the number of bytes in use, block headers and charges included.
func (h *Heap) Used() uintptr { return h.used }

// Limit is what Used never exceeds.
func (h *Heap) Limit() uintptr { return h.limit }

// Peak is the largest Used since ResetPeak or SetLimit.
func (h *Heap) Peak() uintptr { return h.peak }

// ResetPeak makes Peak start from what is used now.
func (h *Heap) ResetPeak() { h.peak = h.used }

// HighWater is the offset of the end of everything that was ever allocated. Every
// byte from there on is zero.
func (h *Heap) HighWater() uintptr { return h.high - h.base() }

// Refused reports whether a request of BigRequest bytes or more, or a Charge, was
// refused since the image was taken.
func (h *Heap) Refused() bool { return h.refused != 0 }

// Stats are counters for tests and reports.
type Stats struct {
	Runs     uintptr // runs now
	RunBytes uintptr // bytes of the blocks they occupy
	Top      uintptr // offset of the end of the last block
}

// Stats returns the counters as they are now.
func (h *Heap) Stats() Stats { return Stats{h.runs, h.runBytes, h.top - h.base()} }

// Charge counts n bytes that lie outside of the region against the limit, and reports
// whether they fit. When they do not, Refused is set.
func (h *Heap) Charge(n uintptr) bool {
	if n > h.limit || !h.take(n) {
		h.refused = 1
		return false
	}
	h.charged += n
	return true
}

// Uncharge takes off n bytes that Charge counted.
func (h *Heap) Uncharge(n uintptr) {
	h.charged -= n
	h.used -= n
}

// take counts n bytes as used unless they exceed the limit.
func (h *Heap) take(n uintptr) bool {
	u := h.used + n
	if u > h.limit {
		return false
	}
	h.used = u
	if u > h.peak {
		h.peak = u
	}
	return true
}

func (h *Heap) refuse(n uintptr) uintptr {
	if n >= BigRequest {
		h.refused = 1
	}
	return 0
}

// Alloc returns the address of at least n bytes, aligned to 16, or 0 when they do not
// fit. Their contents are unspecified. Alloc(0) is the smallest block.
func (h *Heap) Alloc(n uintptr) uintptr {
	if n <= smallMax {
		c := classOf[(n+7)>>4&63]
		r := runAt(h.cur[c&(classes-1)])
		p := r.free
		used := h.used + uintptr(r.stride)
		if p != 0 && used <= h.limit {
			h.used = used
			if used > h.peak {
				h.peak = used
			}
			r.free = *word(p)
			r.live++
			return p
		}
		return h.allocSmall(uintptr(c))
	}
	return h.allocLarge(n)
}

// Calloc is Alloc(count*size) with every byte zero. It returns 0 also when the
// product overflows.
func (h *Heap) Calloc(count, size uintptr) uintptr {
	hi, n := bits.Mul64(uint64(count), uint64(size))
	if hi != 0 {
		return h.refuse(^uintptr(0))
	}
	fresh := h.high
	p := h.Alloc(uintptr(n))
	if p == 0 {
		return 0
	}
	// What lies above the high water was never written.
	dirty := uintptr(n)
	if n > smallMax && p+dirty > fresh {
		if p >= fresh {
			return p
		}
		dirty = fresh - p
	}
	clear(unsafe.Slice((*byte)(at(p)), dirty))
	return p
}

// Free gives back what Alloc, Calloc or Realloc returned. Free(0) does nothing.
func (h *Heap) Free(p uintptr) {
	if p == 0 {
		return
	}
	head := *word(p - wordSize)
	if head&flagSlot == 0 {
		h.freeLarge(p)
		return
	}
	r := runAt(head &^ flagMask)
	*word(p) = r.free
	r.free = p
	h.used -= uintptr(r.stride)
	r.live--
	if r.live == 0 || r.listed == 0 {
		h.freeEdge(r)
	}
}

// Usable is how many bytes fit at p, at least what was asked for. Usable(0) is 0.
func (h *Heap) Usable(p uintptr) uintptr {
	if p == 0 {
		return 0
	}
	head := *word(p - wordSize)
	if head&flagSlot != 0 {
		return uintptr(runAt(head&^flagMask).stride) - wordSize
	}
	return head&^flagMask - wordSize
}

// Realloc changes the size of p to n bytes, in place where that is possible, and
// returns the new address; contents are kept up to the smaller size. The limit
// applies to the difference, whether or not the block moves. When n bytes do not fit it
// returns 0 and p is as it was. Realloc(0, n) is Alloc(n) for n > 0;
// Realloc(p, 0) frees p and returns 0.
func (h *Heap) Realloc(p, n uintptr) uintptr {
	if n == 0 {
		h.Free(p)
		return 0
	}
	if p == 0 {
		return h.Alloc(n)
	}
	head := *word(p - wordSize)
	var have uintptr
	if head&flagSlot != 0 {
		r := runAt(head &^ flagMask)
		have = uintptr(r.stride) - wordSize
		if n <= smallMax && uintptr(classOf[(n+7)>>4&63]) == uintptr(r.cls) {
			return p
		}
	} else {
		have = head&^flagMask - wordSize
		if h.resize(p-wordSize, n) {
			return p
		}
	}
	// Both blocks exist while the contents move, but only one counts: a guest may grow
	// a buffer beyond half of its limit. The span bounds what is touched.
	h.used -= have + wordSize
	q := h.Alloc(n)
	h.used += have + wordSize
	if q == 0 {
		if n <= have {
			return p // a smaller block that does not fit is no reason to fail
		}
		return 0
	}
	keep := min(have, n)
	copy(unsafe.Slice((*byte)(at(q)), keep), unsafe.Slice((*byte)(at(p)), keep))
	h.Free(p)
	return q
}

// allocSmall takes a slot of a class whose first run has no free list, or fails.
func (h *Heap) allocSmall(c uintptr) uintptr {
	if h.used+strideOf(c) > h.limit {
		return 0
	}
	none := h.base() + unsafe.Offsetof(h.none)
	for {
		addr := h.cur[c]
		r := runAt(addr)
		p := r.free
		switch {
		case p != 0:
			r.free = *word(p)
		case r.bump != r.end:
			*word(r.bump) = addr | flagSlot
			p = r.bump + wordSize
			r.bump += uintptr(r.stride)
		case addr == none:
			if !h.newRun(c) {
				return 0
			}
			continue
		default: // exhausted: it comes back when a slot is freed
			r.listed = 0
			h.cur[c] = r.next
			if r.next != none {
				runAt(r.next).prev = 0
			}
			continue
		}
		h.take(uintptr(r.stride))
		r.live++
		return p
	}
}

// newRun gives the class a run. Runs grow with their number, so that a class that is
// hardly used costs one kilobyte of image and a busy one few runs.
func (h *Heap) newRun(c uintptr) bool {
	stride := strideOf(c)
	slots := max((1024<<min(h.nruns[c], 4)-runHead-wordSize)/stride, 4)
	b := h.takeBlock(wordSize + runHead + slots*stride)
	if b == 0 {
		slots = 1 // the last holes below the span
		if b = h.takeBlock(wordSize + runHead + stride); b == 0 {
			return false
		}
	}
	*word(b) |= flagRun
	addr := b + wordSize
	*runAt(addr) = run{
		stride: uint32(stride),
		bump:   addr + runHead,
		end:    addr + runHead + slots*stride,
		cls:    uint32(c),
	}
	h.runs++
	h.runBytes += *word(b) &^ flagMask
	h.nruns[c]++
	h.list(addr)
	return true
}

// list puts a run in front of its class's list. A run that was full goes first, so
// that the emptier ones drain.
func (h *Heap) list(addr uintptr) {
	r := runAt(addr)
	r.listed, r.prev, r.next = 1, 0, h.cur[r.cls]
	if r.next != h.base()+unsafe.Offsetof(h.none) {
		runAt(r.next).prev = addr
	}
	h.cur[r.cls] = addr
}

// freeEdge is the rest of freeing a slot whose run was full or is now empty.
func (h *Heap) freeEdge(r *run) {
	addr := uintptr(unsafe.Pointer(r))
	if r.listed == 0 {
		h.list(addr)
	}
	if none := h.base() + unsafe.Offsetof(h.none); r.live != 0 || r.next == none && r.prev == 0 {
		return // the last run of a class stays, lest one object make and break it
	}
	h.release(addr)
}

// release gives an empty run that is listed back.
func (h *Heap) release(addr uintptr) {
	r := runAt(addr)
	if r.prev != 0 {
		runAt(r.prev).next = r.next
	} else {
		h.cur[r.cls] = r.next
	}
	if r.next != h.base()+unsafe.Offsetof(h.none) {
		runAt(r.next).prev = r.prev
	}
	b := addr - wordSize
	h.runs--
	h.runBytes -= *word(b) &^ flagMask
	h.nruns[r.cls]--
	h.giveBlock(b)
}

// purge gives back the empty runs that were kept, and reports whether there were any.
func (h *Heap) purge() (some bool) {
	none := h.base() + unsafe.Offsetof(h.none)
	for _, addr := range h.cur {
		for addr != none {
			r := runAt(addr)
			next := r.next
			if r.live == 0 {
				h.release(addr)
				some = true
			}
			addr = next
		}
	}
	return some
}

func blockSize(n uintptr) uintptr { return max((n+wordSize+15)&^15, minBlock) }

func (h *Heap) allocLarge(n uintptr) uintptr {
	if n > h.limit { // also keeps the arithmetic below from overflowing
		return h.refuse(n)
	}
	need := blockSize(n)
	if h.used+need > h.limit {
		return h.refuse(n)
	}
	b := h.takeBlock(need)
	if b == 0 {
		return h.refuse(n)
	}
	// A rest too small to be a block may have come with it.
	if !h.take(*word(b) &^ flagMask) {
		h.giveBlock(b)
		return h.refuse(n)
	}
	return b + wordSize
}

func (h *Heap) freeLarge(p uintptr) {
	b := p - wordSize
	h.used -= *word(b) &^ flagMask
	h.giveBlock(b)
}

// resize changes the size of a block in place, if it can.
func (h *Heap) resize(b, n uintptr) bool {
	if n > h.limit {
		return false
	}
	have, need := *word(b)&^flagMask, blockSize(n)
	if need <= have {
		if have-need >= minBlock {
			h.split(b, need)
			h.used -= have - need
		}
		return true
	}
	if h.used+need-have > h.limit {
		return false
	}
	next := b + have
	if next == h.top {
		if b > h.end || need > h.end-b {
			return false
		}
		h.raise(b + need)
		*word(b) += need - have
		return h.take(need - have)
	}
	head := *word(next)
	if head&flagFree == 0 || have+head&^flagMask < need {
		return false
	}
	room := have + head&^flagMask
	got := need
	if room-need < minBlock {
		if got = room; h.used+got-have > h.limit {
			return false
		}
	}
	h.unbin(next)
	*word(b) += room - have
	*word(b + room) &^= flagPrevFree
	if got != room {
		h.split(b, need)
	}
	return h.take(got - have)
}

// raise moves the top up.
func (h *Heap) raise(top uintptr) {
	h.top = top
	if top > h.high {
		h.high, h.nothigh = top, ^top
	}
}

// split cuts a block in use down to size and gives the rest back.
func (h *Heap) split(b, size uintptr) {
	head := *word(b)
	*word(b) = size | head&flagMask
	*word(b + size) = head&^flagMask - size
	h.giveBlock(b + size)
}

// takeBlock finds a block of at least size bytes, which is a multiple of 16, and marks
// it as in use. It returns the address of its header, or 0.
func (h *Heap) takeBlock(size uintptr) uintptr {
	b := h.find(size)
	if b == 0 {
		b = h.top
		if b > h.end || size > h.end-b {
			if h.purge() {
				return h.takeBlock(size)
			}
			return 0
		}
		h.raise(b + size)
		*word(b) = size
		return b
	}
	h.unbin(b)
	have := *word(b) &^ flagMask // nothing free lies before a free block
	if rest := have - size; rest >= minBlock {
		*word(b) = size
		h.bin(b+size, rest)
	} else {
		*word(b) = have
		*word(b + have) &^= flagPrevFree
	}
	return b
}

// giveBlock makes a block free, joined with its free neighbours.
func (h *Heap) giveBlock(b uintptr) {
	head := *word(b)
	size := head &^ flagMask
	next := b + size
	if head&flagPrevFree != 0 {
		before := *word(b - wordSize)
		b -= before
		size += before
		h.unbin(b)
	}
	if next == h.top {
		h.top = b
		return
	}
	if head := *word(next); head&flagFree != 0 {
		h.unbin(next)
		next += head &^ flagMask
		size += head &^ flagMask
	}
	// Whatever is free joins the top, so that next is a block in use.
	*word(next) |= flagPrevFree
	h.bin(b, size)
}

// binOf is the bin of free blocks of a size: linear below 256 bytes, then 16 bins to
// the octave.
func binOf(size uintptr) (fl, sl uintptr) {
	if size < 256 {
		return 0, size >> 4
	}
	l := uintptr(bits.Len64(uint64(size))) - 1
	return l - 7, size >> (l - slBits) & (slCount - 1)
}

// bin writes the tags of a free block and puts it into its bin. A free block holds
// next and previous of the bin in its first words and its size in the last.
func (h *Heap) bin(b, size uintptr) {
	fl, sl := binOf(size)
	head := &h.bins[(fl*slCount+sl)&(flCount*slCount-1)]
	next := *head
	*word(b) = size | flagFree
	*word(b + 8) = next
	*word(b + 16) = 0
	*word(b + size - wordSize) = size
	if next != 0 {
		*word(next + 16) = b
	}
	*head = b
	h.flmap |= 1 << fl
	h.slmap[fl&(flCount-1)] |= 1 << sl
}

// unbin takes a free block out of its bin.
func (h *Heap) unbin(b uintptr) {
	next, prev := *word(b + 8), *word(b + 16)
	if next != 0 {
		*word(next + 16) = prev
	}
	if prev != 0 {
		*word(prev + 8) = next
		return
	}
	fl, sl := binOf(*word(b) &^ flagMask)
	h.bins[(fl*slCount+sl)&(flCount*slCount-1)] = next
	if next == 0 {
		h.slmap[fl&(flCount-1)] &^= 1 << sl
		if h.slmap[fl&(flCount-1)] == 0 {
			h.flmap &^= 1 << fl
		}
	}
}

// find looks for a free block of at least size bytes: the newest of the exact bin
// if it is large enough, else the first of the next bin that is not empty.
func (h *Heap) find(size uintptr) uintptr {
	fl, sl := binOf(size)
	if b := h.bins[(fl*slCount+sl)&(flCount*slCount-1)]; b != 0 && *word(b)&^flagMask >= size {
		return b
	}
	if sl++; sl == slCount {
		fl, sl = fl+1, 0
	}
	if fl >= flCount {
		return 0
	}
	m := h.slmap[fl] >> sl << sl
	if m == 0 {
		above := h.flmap >> (fl + 1) << (fl + 1)
		if above == 0 {
			return 0
		}
		fl = uintptr(bits.TrailingZeros32(above))
		m = h.slmap[fl&(flCount-1)]
	}
	return h.bins[(fl*slCount+uintptr(bits.TrailingZeros32(m)))&(flCount*slCount-1)]
}

// An Allocator is a Heap with a way out when memory runs out. The zero OnOOM lets every
// failing request return 0. Used by one goroutine at a time.
type Allocator struct {
	*Heap
	// OnOOM is called when a request below BigRequest does not fit. It should not
	// return (it panics past the engine); when it does, the request returns 0.
	OnOOM func()
}

// Alloc is Heap.Alloc with OnOOM.
func (a *Allocator) Alloc(n uintptr) uintptr {
	if p := a.Heap.Alloc(n); p != 0 {
		return p
	}
	return a.oom(n)
}

// Calloc is Heap.Calloc with OnOOM.
func (a *Allocator) Calloc(count, size uintptr) uintptr {
	if p := a.Heap.Calloc(count, size); p != 0 {
		return p
	}
	hi, n := bits.Mul64(uint64(count), uint64(size))
	if hi != 0 {
		return 0
	}
	return a.oom(uintptr(n))
}

// Realloc is Heap.Realloc with OnOOM.
func (a *Allocator) Realloc(p, n uintptr) uintptr {
	if q := a.Heap.Realloc(p, n); q != 0 || n == 0 {
		return q
	}
	return a.oom(n)
}

func (a *Allocator) oom(n uintptr) uintptr {
	if n < BigRequest && a.OnOOM != nil {
		a.OnOOM()
	}
	return 0
}
