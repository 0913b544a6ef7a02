package arena

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapNoReserve keeps a large region from counting against overcommit.
const mapNoReserve = unix.MAP_NORESERVE

// advise asks for huge pages from smallPages on: a heap that has grown so far is likely
// to grow on, and faulting in two megabytes at once costs a tenth of doing it page by
// page (in virtual machines less). Below, an idle heap would waste them.
func advise(mem []byte) {
	base := uintptr(unsafe.Pointer(unsafe.SliceData(mem)))
	from := (base+smallPages+hugePage-1)&^(hugePage-1) - base
	if from < uintptr(len(mem)) {
		_ = unix.Madvise(mem[from:], unix.MADV_HUGEPAGE) // kernels without them refuse
	}
}

func discard(mem []byte) error { return unix.Madvise(mem, unix.MADV_DONTNEED) }
