package arena

import (
	"encoding/binary"
	"os"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mappedImage is the length from which an image is a file in memory that the region maps
// privately. A run then gets copies of the pages that it writes to, and Restore
// writes back only those, which stay with the heap: the cost of a run follows what runs
// touch instead of what the image holds. Finding the pages costs a run 2 µs, a page 0.12 µs,
// its first write 1.3 µs; copying 1.6 MB costs 120 µs.
const mappedImage = 64 << 10

// A pageImage is an image in a file.
type pageImage struct {
	flags []byte // of the pages of the image, as the kernel tells them
	large int    // restores in a row with copies of more than ownBytes
}

// pagemap tells what stands behind each page of the process. Nil means that the system
// does not show it.
var pagemap = sync.OnceValue(func() *os.File {
	f, err := os.Open("/proc/self/pagemap")
	if err != nil {
		return nil
	}
	return f
})

// Of an entry of the page map.
const (
	pageEntry   = 8
	pagePresent = 1 << 63
	pageSwapped = 1 << 62
	pageOfFile  = 1 << 61
)

// mapFile makes a file of the image, maps it over the region, and reports false when the
// system does not let it.
func (im *Image) mapFile() bool {
	f := pagemap()
	if f == nil {
		return false
	}
	size := (im.len + pageSize - 1) &^ (pageSize - 1)
	fd, err := unix.MemfdCreate("quicksand image", unix.MFD_CLOEXEC)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	if unix.Ftruncate(fd, int64(size)) != nil {
		return false
	}
	data, err := unix.Mmap(fd, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE)
	if err != nil {
		return false
	}
	copy(data, im.r.mem[:im.len])
	if unix.Mprotect(data, unix.PROT_READ) != nil {
		unix.Munmap(data)
		return false
	}
	if _, err := unix.MmapPtr(fd, 0, unsafe.Pointer(unsafe.SliceData(im.r.mem)), size,
		unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_FIXED); err != nil {
		unix.Munmap(data)
		return false
	}
	im.data, im.r.image = data, data
	im.file.flags = make([]byte, size/pageSize*pageEntry)
	if !im.file.trusted(im.r) {
		// The mapping stays: it has the contents of the image, and is restored as a whole.
		im.file.flags = nil
	}
	return true
}

// trusted reports whether the page map tells a page that was written to from one that was not.
// All isolation hangs on it, so that no system is believed without a look.
func (p *pageImage) trusted(r *Region) bool {
	last := uintptr(len(p.flags)/pageEntry - 1)
	if !p.read(r) || copied(p.flags) || copied(p.flags[last*pageEntry:]) {
		return false
	}
	r.mem[0]++
	r.mem[0]--
	return p.read(r) && copied(p.flags) && !copied(p.flags[last*pageEntry:])
}

// read asks for the flags of the image's pages.
func (p *pageImage) read(r *Region) bool {
	n, err := pagemap().ReadAt(p.flags, int64(r.Base()/pageSize*pageEntry))
	return err == nil && n == len(p.flags)
}

// restorePages writes back the pages of the image that the region has copies of. It reports
// false for an image that is no file.
func (im *Image) restorePages() bool {
	flags := im.file.flags
	if flags == nil {
		return false
	}
	if !im.file.read(im.r) {
		im.dropPages()
		return true
	}
	own := uintptr(0)
	for i := 0; i < len(flags); i += pageEntry {
		if !copied(flags[i:]) {
			continue
		}
		own++
		at := uintptr(i/pageEntry) * pageSize
		copy(im.r.mem[at:at+pageSize], im.data[at:at+pageSize])
	}
	// A garbage collection writes to all pages, and few runs see one. But runs that always do
	// must not pay each time for pages that they get back at once.
	if own*pageSize <= ownBytes {
		im.file.large = 0
	} else if im.file.large++; im.file.large == ownRuns {
		im.dropPages()
	}
	return true
}

const (
	// ownBytes is what a heap may have in copied pages: a base image whole.
	ownBytes = 512 << 10
	// ownRuns is for how many runs it may have more.
	ownRuns = 16
)

// copied reports whether a page is a private copy.
func copied(entry []byte) bool {
	e := binary.NativeEndian.Uint64(entry)
	return e&pageSwapped != 0 || e&(pagePresent|pageOfFile) == pagePresent
}

// dropPages makes all pages of an image that is a file those of the file.
func (im *Image) dropPages() {
	if im.file.flags == nil {
		return
	}
	im.file.large = 0
	mem := im.r.mem[:len(im.data)]
	if unix.Madvise(mem, unix.MADV_DONTNEED) != nil {
		copy(mem, im.data)
	}
}

// releaseImage unmaps the file of an image.
func releaseImage(data []byte) error {
	if data == nil {
		return nil
	}
	return unix.Munmap(data)
}
