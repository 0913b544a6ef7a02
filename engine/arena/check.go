package arena

import (
	"fmt"
	"unsafe"
)

// Check walks the whole heap and reports the first inconsistency it finds: tags,
// neighbours, bins and their bitmaps, runs and their lists, the accounting. It takes
// time in proportion to the heap and is meant for tests. It does not survive a heap
// whose links lead out of the region.
func (h *Heap) Check() error {
	base := h.base()
	first := base + (unsafe.Sizeof(*h)+15)&^15 + 8
	switch {
	case h.magic != magic:
		return fmt.Errorf("arena: check: magic is %#x", h.magic)
	case h.top < first || h.top > h.high || h.high > base+h.size || h.top&15 != 8:
		return fmt.Errorf("arena: check: top %#x, high %#x outside of %#x to %#x", h.top, h.high, first, base+h.size)
	case h.nothigh != ^h.high:
		return fmt.Errorf("arena: check: high %#x does not match its complement", h.high)
	case h.used > h.peak:
		return fmt.Errorf("arena: check: used %d exceeds peak %d", h.used, h.peak)
	}

	var used, runs, runBytes uintptr
	free := map[uintptr]uintptr{} // free blocks and their sizes
	live := map[uintptr]bool{}    // runs
	for b, before := first, uintptr(0); b != h.top; {
		head := *word(b)
		size := head &^ flagMask
		if size < minBlock || size > h.top-b {
			return fmt.Errorf("arena: check: block %#x has size %d", b-base, size)
		}
		if head&flagPrevFree != 0 != (before != 0) {
			return fmt.Errorf("arena: check: block %#x is wrong about its predecessor", b-base)
		}
		before = 0
		switch {
		case head&flagFree != 0:
			if head&(flagRun|flagPrevFree) != 0 || *word(b + size - 8) != size || b+size == h.top {
				return fmt.Errorf("arena: check: free block %#x is badly tagged or not joined", b-base)
			}
			free[b] = size
			before = size
		case head&flagRun != 0:
			n, err := h.checkRun(b+8, size)
			if err != nil {
				return err
			}
			used += n
			runs++
			runBytes += size
			live[b+8] = true
		default:
			used += size
		}
		b += size
	}
	if used += h.charged; used != h.used {
		return fmt.Errorf("arena: check: %d bytes are in use, counted are %d", used, h.used)
	}
	if runs != h.runs || runBytes != h.runBytes {
		return fmt.Errorf("arena: check: %d runs of %d bytes, counted are %d of %d", runs, runBytes, h.runs, h.runBytes)
	}
	if err := h.checkBins(free); err != nil {
		return err
	}
	return h.checkLists(live)
}

// checkRun checks the slots of a run and returns the bytes in use.
func (h *Heap) checkRun(addr, size uintptr) (uintptr, error) {
	r, off := runAt(addr), addr-h.base()
	stride, slots := uintptr(r.stride), addr+runHead
	if r.cls >= classes || stride != strideOf(uintptr(r.cls)) ||
		r.end > addr-8+size || r.bump < slots || r.bump > r.end ||
		(r.bump-slots)%stride != 0 || (r.end-slots)%stride != 0 {
		return 0, fmt.Errorf("arena: check: run %#x is malformed: %+v", off, *r)
	}
	cut := (r.bump - slots) / stride
	for i := range cut {
		if head := *word(slots + i*stride); head != addr|flagSlot {
			return 0, fmt.Errorf("arena: check: slot %d of run %#x has header %#x", i, off, head)
		}
	}
	seen := map[uintptr]bool{}
	for p := r.free; p != 0; p = *word(p) {
		if p < slots || p >= r.bump || (p-8-slots)%stride != 0 || seen[p] {
			return 0, fmt.Errorf("arena: check: free slot %#x does not belong to run %#x or is there twice", p-h.base(), off)
		}
		seen[p] = true
	}
	if uintptr(r.live)+uintptr(len(seen)) != cut {
		return 0, fmt.Errorf("arena: check: run %#x has %d live and %d free slots of %d", off, r.live, len(seen), cut)
	}
	if r.listed == 0 && (r.free != 0 || r.bump != r.end) {
		return 0, fmt.Errorf("arena: check: run %#x has room and is not listed", off)
	}
	return uintptr(r.live) * stride, nil
}

func (h *Heap) checkBins(free map[uintptr]uintptr) error {
	found := 0
	for i, b := range h.bins {
		fl, sl := uintptr(i)/slCount, uintptr(i)%slCount
		if b != 0 != (h.slmap[fl]>>sl&1 == 1) || h.slmap[fl] != 0 != (h.flmap>>fl&1 == 1) {
			return fmt.Errorf("arena: check: bitmaps are wrong about bin %d", i)
		}
		for prev := uintptr(0); b != 0; found++ {
			size, ok := free[b]
			if !ok {
				return fmt.Errorf("arena: check: bin %d holds %#x, which is no free block", i, b-h.base())
			}
			if f, s := binOf(size); f != fl || s != sl || *word(b + 16) != prev {
				return fmt.Errorf("arena: check: free block %#x of %d bytes is badly linked in bin %d", b-h.base(), size, i)
			}
			if found > len(free) {
				return fmt.Errorf("arena: check: bin %d is a cycle", i)
			}
			prev, b = b, *word(b + 8)
		}
	}
	if found != len(free) {
		return fmt.Errorf("arena: check: %d free blocks, %d of them in bins", len(free), found)
	}
	return nil
}

func (h *Heap) checkLists(live map[uintptr]bool) error {
	none := h.base() + unsafe.Offsetof(h.none)
	if h.none != (run{}) {
		return fmt.Errorf("arena: check: the empty run was written to: %+v", h.none)
	}
	listed := map[uintptr]bool{}
	for c, addr := range h.cur {
		for prev := uintptr(0); addr != none; {
			r := runAt(addr)
			if !live[addr] || listed[addr] || r.prev != prev || r.listed == 0 || r.cls != uint32(c) {
				return fmt.Errorf("arena: check: list of class %d holds %#x: %+v", c, addr-h.base(), *r)
			}
			listed[addr] = true
			prev, addr = addr, r.next
		}
	}
	var count [classes]uint32
	for addr := range live {
		r := runAt(addr)
		count[r.cls]++
		if r.listed != 0 && !listed[addr] {
			return fmt.Errorf("arena: check: run %#x is not in its list", addr-h.base())
		}
	}
	if count != h.nruns {
		return fmt.Errorf("arena: check: runs of the classes are %v, counted are %v", count, h.nruns)
	}
	return nil
}
