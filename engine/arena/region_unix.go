//go:build unix

package arena

import (
	"os"

	"golang.org/x/sys/unix"
)

// CanProtect says whether Protect works on this platform and a goroutine that
// touches a protected region can be recovered (runtime/debug.SetPanicOnFault).
const CanProtect = true

var pageSize = uintptr(os.Getpagesize())

func reserve(size uintptr) ([]byte, error) {
	mem, err := unix.Mmap(-1, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|mapNoReserve)
	if err == nil {
		advise(mem)
	}
	return mem, err
}

func protect(mem []byte, access bool) error {
	if access {
		return unix.Mprotect(mem, unix.PROT_READ|unix.PROT_WRITE)
	}
	return unix.Mprotect(mem, unix.PROT_NONE)
}

func release(mem []byte) error { return unix.Munmap(mem) }
