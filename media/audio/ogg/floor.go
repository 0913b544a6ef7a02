package ogg

import (
	"math"
	"math/bits"
	"slices"

	"quicksand/media/audio"
)

// A floor is a curve of type 1: lines between points (Vorbis I §7). Type 0 was never written
// by an encoder that was released.
type floor struct {
	partitions []int // their classes
	classes    []floorClass
	multiplier int
	width      int   // of a height in the packet, in bits
	x          []int // of the points, in the order of the packet
	order      []int // the points from left to right
	low, high  []int // of each, the neighbours among those before it
}

type floorClass struct {
	dims  int
	bits  int
	book  int // which tells the others
	books []int
}

// floorRanges are how many heights there are, by multiplier.
var floorRanges = [5]int{1: 256, 2: 128, 3: 86, 4: 64}

// decibels are the values of the heights: 0 to −139.45 dB in equal steps (Vorbis I §10.1).
var decibels = func() (t [256]float32) {
	for i := range t {
		t[i] = float32(math.Pow(10, 140.0/256/20*float64(i-255)))
	}
	return t
}()

// maxPoints of a floor (Vorbis I §7.2.2).
const maxPoints = 65

func (f *floor) read(r *bitReader, books []codebook) error {
	if kind := r.bits(16); kind == 0 {
		return audio.FormatError("Vorbis with floor curves of type 0 is not supported")
	} else if kind != 1 {
		return errVorbis
	}
	f.partitions = make([]int, r.bits(5))
	classes := 0
	for i := range f.partitions {
		f.partitions[i] = r.bits(4)
		classes = max(classes, f.partitions[i]+1)
	}
	f.classes = make([]floorClass, classes)
	for i := range f.classes {
		c := &f.classes[i]
		c.dims, c.bits = r.bits(3)+1, r.bits(2)
		if c.bits > 0 {
			if c.book = r.bits(8); c.book >= len(books) {
				return errVorbis
			}
		}
		c.books = make([]int, 1<<c.bits)
		for k := range c.books {
			if c.books[k] = r.bits(8) - 1; c.books[k] >= len(books) {
				return errVorbis
			}
		}
	}
	f.multiplier = r.bits(2) + 1
	f.width = bits.Len(uint(floorRanges[f.multiplier] - 1))
	width := r.bits(4)
	f.x = append(f.x, 0, 1<<width)
	for _, class := range f.partitions {
		for range f.classes[class].dims {
			f.x = append(f.x, r.bits(width))
		}
	}
	if len(f.x) > maxPoints || r.over() {
		return errVorbis
	}
	f.low, f.high = make([]int, len(f.x)), make([]int, len(f.x))
	for i, x := range f.x {
		f.order = append(f.order, i)
		f.low[i], f.high[i] = 0, 1
		for k, v := range f.x[:i] {
			switch {
			case v == x:
				return errVorbis
			case v < x && v > f.x[f.low[i]]:
				f.low[i] = k
			case v > x && v < f.x[f.high[i]]:
				f.high[i] = k
			}
		}
	}
	slices.SortFunc(f.order, func(a, b int) int { return f.x[a] - f.x[b] })
	return nil
}

// heights reads a curve into y. It reports false if the channel is silent.
func (f *floor) heights(r *bitReader, books []codebook, y *[maxPoints]int) bool {
	if !r.bit() {
		return false
	}
	y[0], y[1] = r.bits(f.width), r.bits(f.width)
	at := 2
	for _, class := range f.partitions {
		c := &f.classes[class]
		which := 0
		if c.bits > 0 {
			n, ok := books[c.book].decode(r)
			if !ok {
				return false
			}
			which = n
		}
		for range c.dims {
			y[at] = 0
			if b := c.books[which&(1<<c.bits-1)]; b >= 0 {
				n, ok := books[b].decode(r)
				if !ok {
					return false
				}
				y[at] = n
			}
			which >>= c.bits
			at++
		}
	}
	return !r.over()
}

// apply multiplies the lines with the curve (Vorbis I §7.2.4).
func (f *floor) apply(y *[maxPoints]int, lines []float32) {
	var used [maxPoints]bool
	used[0], used[1] = true, true
	size := floorRanges[f.multiplier]
	for i := 2; i < len(f.x); i++ {
		l, h := f.low[i], f.high[i]
		predicted := y[l] + (y[h]-y[l])*(f.x[i]-f.x[l])/(f.x[h]-f.x[l])
		above, below := size-predicted, predicted
		v := y[i]
		if v == 0 {
			y[i] = predicted
			continue
		}
		used[l], used[h], used[i] = true, true, true
		switch {
		case v >= 2*min(above, below):
			if above > below {
				y[i] = v - below + predicted
			} else {
				y[i] = predicted - v + above - 1
			}
		case v&1 != 0:
			y[i] = predicted - (v+1)/2
		default:
			y[i] = predicted + v/2
		}
		// A packet that is not damaged does not need this.
		y[i] = min(max(y[i], 0), size-1)
	}
	x0, y0 := 0, min(y[0], size-1)*f.multiplier
	for _, i := range f.order[1:] {
		if !used[i] {
			continue
		}
		x1, y1 := f.x[i], min(y[i], size-1)*f.multiplier
		line(x0, y0, x1, y1, lines)
		x0, y0 = x1, y1
	}
	if x0 < len(lines) {
		v := decibels[y0&255]
		for i := range lines[x0:] {
			lines[x0+i] *= v
		}
	}
}

// line multiplies the lines from x0 to before x1 (Vorbis I §9.2.7).
func line(x0, y0, x1, y1 int, lines []float32) {
	dx, dy := x1-x0, y1-y0
	base := dy / dx
	step, rest := 1, dy-base*dx
	if dy < 0 {
		step, rest = -1, -rest
	}
	if x0 >= len(lines) {
		return
	}
	y, e := y0, 0
	part := lines[x0:min(x1, len(lines))]
	for i := range part {
		part[i] *= decibels[y&255]
		y += base
		if e += rest; e >= dx {
			e -= dx
			y += step
		}
	}
}
