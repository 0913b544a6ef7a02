package arena

import "unsafe"

const imageSlack = 512 << 10

// An Image is a copy of the used prefix of a region, which restores it. It is only
// good for the region that it was taken from: everything in it is an absolute address.
//
// It is used by the goroutine that uses the heap.
type Image struct {
	r    *Region
	data []byte
	warm uintptr // end of the pages that were dirtied and kept
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
	// Slack lets a large image keep what a run like the last one needs.
	zero := min(high, max(smallPages, keep+imageSlack)) - keep
	clear(r.mem[keep : keep+zero])
	if keep+zero < high {
		r.Discard(keep+zero, high-keep-zero)
	}
	im.warm = max(im.warm, keep+zero)
}

// Trim gives back the pages that Restore keeps for the next run, at most a few
// megabytes. It is for heaps that stay idle: the next run pays for it in page faults.
// Call it only after Restore and before anything else is allocated.
func (im *Image) Trim() {
	keep := uintptr(len(im.data))
	if im.warm > keep {
		im.r.Discard(keep, im.warm-keep)
		im.warm = keep
	}
}
