package arena

import "unsafe"

// imageSlack is what an image that reaches beyond the small pages keeps of the pages
// above it.
const imageSlack = 512 << 10

// An Image is a copy of the used prefix of a region, which restores it. It is only
// good for the region that it was taken from: everything in it is an absolute address.
//
// It is used by the goroutine that uses the heap.
type Image struct {
	r    *Region
	data []byte
	len  uintptr   // of the prefix; data may be longer by zeros
	warm uintptr   // end of the pages that were dirtied and kept
	file pageImage // zero when the prefix is copied as a whole
}

// Snapshot copies the heap at the base of r. It first forgets what lies free at its
// end, so that the image is no longer than it must be. It may be called once for a region.
func Snapshot(r *Region) *Image {
	h := At(r)
	base := r.Base()
	r.forget(h.top-base, h.high-base)
	h.high, h.nothigh = h.top, ^h.top
	h.peak = h.used
	h.refused = 0
	im := &Image{r: r, len: h.high - base}
	if im.len >= mappedImage && im.mapFile() {
		return im
	}
	im.data = make([]byte, im.len)
	copy(im.data, r.mem)
	return im
}

// Len is the length of the image in bytes.
func (im *Image) Len() int { return int(im.len) }

// Restore makes the region what it was when the image was taken: the prefix byte for
// byte, the rest zero up to where the heap was in use since. The region must be
// accessible. Writes above HighWater, which no allocation covers, are not undone
// unless the heap's own record of it was destroyed too.
func (im *Image) Restore() {
	r := im.r
	h := (*Heap)(unsafe.Pointer(unsafe.SliceData(r.mem)))
	keep, size := uintptr(len(im.data)), r.Size()
	high := h.high - r.Base()
	if h.nothigh != ^h.high || high < im.len || high > size {
		high = size
	}
	if !im.restorePages() {
		copy(r.mem, im.data)
	}
	high = max(high, keep)
	zero := min(high, max(smallPages, keep+imageSlack)) - keep
	clear(r.mem[keep : keep+zero])
	r.forget(keep+zero, high)
	im.warm = max(im.warm, keep+zero)
}

// Trim gives back the pages that Restore keeps for the next run, at most a few
// megabytes. It is for heaps that stay idle: the next run pays for it in page faults.
// Call it only after Restore and before anything else is allocated.
func (im *Image) Trim() {
	keep := uintptr(len(im.data))
	im.r.forget(keep, im.warm)
	im.warm = keep
	im.dropPages()
}

// forget discards from from to to, above which everything is zero. The page at the end
// may be a huge one that reaches further, and must not be touched to clear half of it.
func (r *Region) forget(from, to uintptr) {
	if from < to {
		to = min((to+hugePage)&^(pageSize-1), r.Size())
		r.Discard(from, to-from)
	}
}
