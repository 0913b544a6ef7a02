//go:build unix && !linux

package arena

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

const mapNoReserve = 0

func advise([]byte) {}

// discard maps fresh pages over the old ones: only Linux defines that MADV_DONTNEED
// zeroes.
func discard(mem []byte) error {
	_, err := unix.MmapPtr(-1, 0, unsafe.Pointer(unsafe.SliceData(mem)), uintptr(len(mem)),
		unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_FIXED)
	return err
}
