package arena

import "unsafe"

// keepDirty is how much of what a run dirtied beyond the image Restore zeroes by hand;
// pages further up go back to the operating system. Zeroing costs less than taking the
// pages back by faults, but what is kept stays resident in every idle isolate.
const keepDirty = 512 << 10

// An Image is a copy of the used prefix of a region, which restores it. It is only
// good for the region that it was taken from: everything in it is an absolute address.
type Image struct {
	r    *Region
	data []byte
}

// Snapshot copies the heap at the base of r. It first forgets what lies free at its
// end, so that the image is no longer than it must be.
func Snapshot(r *Region) *Image {
	h := At(r)
	base := r.Base()
	if top := h.top; top < h.high {
		r.Discard(top-base, h.high-top)
		h.high, h.nothigh = top, ^top
	}
	h.peak = h.used
	h.refused = 0
	im := &Image{r: r, data: make([]byte, h.high-base)}
	copy(im.data, r.mem)
	return im
}

// Len is the length of the image in bytes.
func (im *Image) Len() int { return len(im.data) }

// Restore makes the region what it was when the image was taken: the prefix byte for
// byte, the rest zero up to where the heap was in use since. The region must be
// accessible. Writes above HighWater, which no allocation covers, are not undone
// unless the heap's own record of it was destroyed too.
func (im *Image) Restore() {
	r := im.r
	h := (*Heap)(unsafe.Pointer(unsafe.SliceData(r.mem)))
	keep, size := uintptr(len(im.data)), r.Size()
	high := h.high - r.Base()
	if h.nothigh != ^h.high || high < keep || high > size {
		high = size
	}
	copy(r.mem, im.data)
	zero := min(high-keep, keepDirty)
	clear(r.mem[keep : keep+zero])
	if keep+zero < high {
		r.Discard(keep+zero, high-keep-zero)
	}
}
