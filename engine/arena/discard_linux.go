package arena

import "golang.org/x/sys/unix"

// mapNoReserve keeps a large region from counting against overcommit.
const mapNoReserve = unix.MAP_NORESERVE

func discard(mem []byte) error { return unix.Madvise(mem, unix.MADV_DONTNEED) }
