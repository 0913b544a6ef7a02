package arena

import (
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// CanProtect says whether Protect works on this platform and a goroutine that
// touches a protected region can be recovered (runtime/debug.SetPanicOnFault).
const CanProtect = true

var pageSize = uintptr(os.Getpagesize())

// reserve commits at once, so that no fault handler has to: Windows charges the
// region to the commit limit and still backs pages only when they are touched.
func reserve(size uintptr) ([]byte, error) {
	addr, err := windows.VirtualAlloc(0, size, windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_READWRITE)
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(unsafe.Add(nil, addr)), size), nil
}

func address(mem []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(mem))) }

func protect(mem []byte, access bool) error {
	mode := uint32(windows.PAGE_NOACCESS)
	if access {
		mode = windows.PAGE_READWRITE
	}
	var old uint32
	return windows.VirtualProtect(address(mem), uintptr(len(mem)), mode, &old)
}

func discard(mem []byte) error {
	if err := windows.VirtualFree(address(mem), uintptr(len(mem)), windows.MEM_DECOMMIT); err != nil {
		return err
	}
	// Committing again cannot be left undone: the caller clears the bytes when
	// discard fails, and would fault.
	if _, err := windows.VirtualAlloc(address(mem), uintptr(len(mem)), windows.MEM_COMMIT, windows.PAGE_READWRITE); err != nil {
		panic("arena: discard: pages did not come back: " + err.Error())
	}
	return nil
}

func release(mem []byte) error {
	return windows.VirtualFree(address(mem), 0, windows.MEM_RELEASE)
}
