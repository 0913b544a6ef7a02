package flac

import (
	"encoding/binary"
	"math/bits"
)

// An effort is how an encoder searches.
type effort struct {
	order     int  // the highest, 0 for fixed predictors only
	windows   int  // how many are tried
	parts     uint // logarithm of how many parts a residual may have
	exact     bool // choose parameters by what they cost, instead of by the mean
	allStereo bool // encode all four channels that two can make, instead of guessing by them
}

// effortOf is that for Options.Effort from 1 to 10.
func effortOf(level int) effort {
	switch {
	case level <= 2:
		return effort{order: 0, parts: 5}
	case level <= 6:
		return effort{order: 8, windows: 1, parts: 8}
	case level <= 8:
		return effort{order: maxSearch, windows: 1, parts: 8, exact: true, allStereo: true}
	}
	return effort{order: maxSearch, windows: 5, parts: 8, exact: true, allStereo: true}
}

// A frameEncoder encodes frames, one at a time. It keeps its memory for the next one.
type frameEncoder struct {
	effort   effort
	depth    uint
	rate     int
	windows  []window // for blocks of as many samples as their length
	chans    [4]*chanEncoder
	windowed []float64
	model    model
	writer   bitWriter
}

// A chanEncoder holds one channel of a block, and how it is best written.
type chanEncoder struct {
	x      []int32 // with lead samples of zero in front
	depth  uint
	wasted uint
	// largest is not less than each sample, or minus one minus it.
	largest uint32
	kind    uint // of the subframe, as it is written
	pred    predictor
	plan    *ricePlan
	res     []uint32
	bits    int // what it takes

	spare    *ricePlan
	spareRes []uint32
	pairs    []int64
}

func newFrameEncoder(e effort, depth, rate, block int) *frameEncoder {
	f := &frameEncoder{effort: e, depth: uint(depth), rate: rate, windowed: make([]float64, lead+block)}
	for i := range f.chans {
		f.chans[i] = &chanEncoder{
			x: make([]int32, lead+block), plan: new(ricePlan), spare: new(ricePlan),
			res: make([]uint32, block), spareRes: make([]uint32, block), pairs: make([]int64, lead+block),
		}
		if i == 1 && !e.allStereo {
			break
		}
	}
	return f
}

// encode makes a frame of planes, one for each channel, all of the same length. The result is
// valid until the next call.
func (f *frameEncoder) encode(number uint64, planes [][]int32) []byte {
	n := len(planes[0])
	if len(f.windows) == 0 || len(f.windows[0].weights) != n {
		f.windows = windows(n, f.effort.windows)
	}
	h := frameHeader{number: number, block: n, rate: f.rate, channels: len(planes), depth: int(f.depth)}
	w := &f.writer
	*w = bitWriter{buf: w.buf}
	if len(planes) != 2 || f.depth == 32 {
		w.room(30 * 8)
		w.pos = len(h.append(w.buf[:0]))
		for _, p := range planes {
			c := f.chans[0]
			c.load(p, f.depth)
			f.analyse(c)
			c.write(w)
		}
	} else {
		a, b := f.stereo(&h, planes[0], planes[1])
		w.room(30 * 8)
		w.pos = len(h.append(w.buf[:0]))
		a.write(w)
		b.write(w)
	}
	out := w.align()
	return binary.BigEndian.AppendUint16(out, crc16(out))
}

// stereo chooses what is written of two channels, and analyses it.
func (f *frameEncoder) stereo(h *frameHeader, left, right []int32) (a, b *chanEncoder) {
	if !f.effort.allStereo {
		a, b = f.chans[0], f.chans[1]
		h.stereo = guessStereo(left, right, f.depth)
		f.loadStereo(a, b, h.stereo, left, right)
		f.analyse(a)
		f.analyse(b)
		return a, b
	}
	l, r, m, s := f.chans[0], f.chans[1], f.chans[2], f.chans[3]
	f.loadStereo(l, r, independent, left, right)
	f.loadStereo(m, s, midSide, left, right)
	for _, c := range f.chans {
		f.analyse(c)
	}
	h.stereo, a, b = independent, l, r
	least := l.bits + r.bits
	for _, o := range []struct {
		mode stereoMode
		a, b *chanEncoder
	}{{leftSide, l, s}, {sideRight, s, r}, {midSide, m, s}} {
		if total := o.a.bits + o.b.bits; total < least {
			h.stereo, a, b, least = o.mode, o.a, o.b, total
		}
	}
	return a, b
}

func (f *frameEncoder) loadStereo(a, b *chanEncoder, mode stereoMode, left, right []int32) {
	switch mode {
	case independent:
		a.load(left, f.depth)
		b.load(right, f.depth)
	case leftSide:
		a.load(left, f.depth)
		b.loadSide(left, right, f.depth)
	case sideRight:
		a.loadSide(left, right, f.depth)
		b.load(right, f.depth)
	case midSide:
		a.loadMid(left, right, f.depth)
		b.loadSide(left, right, f.depth)
	}
}

// guessStereo compares the second differences of the four channels that two can make. None
// takes more than all of its bits.
func guessStereo(left, right []int32, depth uint) stereoMode {
	n := len(left)
	right = right[:n]
	if n < 3 {
		return independent
	}
	// Half of a block is enough: a quarter in the middle of each half.
	var sums [4]int // left, right, middle (twice), side
	count := 0
	if n < 1024 {
		count = addDifferences(&sums, left, right)
	} else {
		for _, at := range [...]int{n / 8, n * 5 / 8} {
			count += addDifferences(&sums, left[at:at+n/4], right[at:at+n/4])
		}
	}
	sums[2] /= 2
	var size [4]int
	for i, s := range sums {
		size[i] = min(sumBits(s, count), count*(int(depth)+i/3))
	}
	best, least := independent, size[0]+size[1]
	for _, o := range [...]struct {
		mode stereoMode
		size int
	}{{leftSide, size[0] + size[3]}, {sideRight, size[3] + size[1]}, {midSide, size[2] + size[3]}} {
		if o.size < least {
			best, least = o.mode, o.size
		}
	}
	return best
}

// addDifferences adds the magnitudes of second differences, and says of how many samples.
func addDifferences(sums *[4]int, left, right []int32) int {
	right = right[:len(left)]
	l1, r1 := int(left[1]), int(right[1])
	dl, dr := l1-int(left[0]), r1-int(right[0])
	var s0, s1, s2, s3 int
	for i := 2; i < len(left); i++ {
		l0, r0 := int(left[i]), int(right[i])
		l, r := l0-l1, r0-r1
		a, b := l-dl, r-dr
		l1, r1, dl, dr = l0, r0, l, r
		s0 += abs(a)
		s1 += abs(b)
		s2 += abs(a + b)
		s3 += abs(a - b)
	}
	sums[0] += s0
	sums[1] += s1
	sums[2] += s2
	sums[3] += s3
	return len(left) - 2
}

func abs(x int) int {
	s := x >> 63
	return (x ^ s) - s
}

// sumBits guesses how many bits n residuals take whose magnitudes have a sum.
func sumBits(sum, n int) int {
	_, size := riceParam(2*uint64(sum), n)
	return size
}

// load takes the samples of a channel.
func (c *chanEncoder) load(x []int32, depth uint) {
	c.x = c.x[:lead+len(x)]
	copy(c.x[lead:], x)
	c.depth = depth
}

func (c *chanEncoder) loadSide(left, right []int32, depth uint) {
	c.x = c.x[:lead+len(left)]
	to := c.x[lead:]
	right = right[:len(left)]
	to = to[:len(left)]
	for i, l := range left {
		to[i] = l - right[i]
	}
	c.depth = depth + 1
}

func (c *chanEncoder) loadMid(left, right []int32, depth uint) {
	c.x = c.x[:lead+len(left)]
	to := c.x[lead:]
	right = right[:len(left)]
	to = to[:len(left)]
	for i, l := range left {
		to[i] = (l + right[i]) >> 1
	}
	c.depth = depth
}

// analyse finds how the channel is best written.
func (f *frameEncoder) analyse(c *chanEncoder) {
	x := c.x[lead:]
	n := len(x)
	if constant(x) {
		c.kind, c.wasted, c.bits = 0, 0, 8+int(c.depth)
		return
	}
	largest := int32(0)
	for _, v := range x {
		largest |= v ^ v>>31
	}
	c.largest = uint32(largest)
	if c.wasted = wastedBits(x); c.wasted > 0 {
		c.depth -= c.wasted
		for i := range x {
			x[i] >>= c.wasted
		}
	}
	head := 8 + int(c.wasted)
	c.kind, c.bits = 1, head+n*int(c.depth)
	if n <= 4 {
		return
	}
	// A part of the block is enough to guess whether a fixed predictor is worth a try, but where
	// the coefficients of another one are a good part of the bits.
	part := x
	if f.effort.order > 0 && n >= 1024 {
		part = x[n*7/16 : n*9/16]
	}
	order, sum := bestFixed(part)
	guess := sumBits(sum, len(part))*n/len(part) + order*int(c.depth)
	if f.effort.order > 0 && n > 2*maxSearch {
		precision := precisionOf(c.depth)
		for _, w := range f.windows {
			f.correlate(w.weights, x)
			best := f.model.best(n, w.energy, c.depth+precision)
			if best == 0 {
				continue
			}
			var p predictor
			if !quantize(&p, f.model.coefs[best][:best], precision) {
				continue
			}
			c.try(&p, 31+uint(best), head+9+best*int(precision), f.effort)
		}
	}
	if c.kind < 32 || c.bits < 4*n || guess < c.bits {
		p := fixed(order)
		c.try(&p, 8+uint(order), head, f.effort)
	}
}

// precisionOf is how many bits coefficients have. Two less than 14 would save 0.03 % of music,
// and cost half of what pure tones take; those of small samples need not be better than they.
func precisionOf(depth uint) uint { return min(max(depth, 5), 14) }

func constant(x []int32) bool {
	for _, v := range x {
		if v != x[0] {
			return false
		}
	}
	return true
}

// wastedBits is how many of the lowest bits are zero in all samples, of which one is not zero.
func wastedBits(x []int32) uint {
	any := int32(0)
	for _, v := range x {
		if any |= v; any&1 != 0 {
			return 0
		}
	}
	return uint(bits.TrailingZeros32(uint32(any)))
}

// correlate makes the model of a windowed channel.
func (f *frameEncoder) correlate(w []float64, x []int32) {
	f.windowed = f.windowed[:lead+len(x)]
	y := f.windowed[lead:]
	y = y[:len(w)]
	x = x[:len(w)]
	for i, v := range w {
		y[i] = float64(x[i]) * v
	}
	var r [maxSearch + 1]float64
	autocorrelation(&r, f.windowed, f.effort.order)
	f.model.solve(&r, f.effort.order)
}

// bestFixed is the fixed predictor that misses least, and the sum of what it misses.
func bestFixed(x []int32) (order, sum int) {
	var s [5]int
	a := int(x[3])
	b := a - int(x[2])
	c := b - int(x[2]) + int(x[1])
	d := c - (int(x[2]) - 2*int(x[1]) + int(x[0]))
	for _, v := range x[4:] {
		a1 := int(v)
		b1 := a1 - a
		c1 := b1 - b
		d1 := c1 - c
		s[0] += abs(a1)
		s[1] += abs(b1)
		s[2] += abs(c1)
		s[3] += abs(d1)
		s[4] += abs(d1 - d)
		a, b, c, d = a1, b1, c1, d1
	}
	for i, v := range s {
		if v < s[order] {
			order = i
		}
	}
	return order, s[order]
}

// try plans how to write the channel with a predictor, and takes that if it is the best yet.
// head is how many bits come in front of the residual, besides warm-up samples.
func (c *chanEncoder) try(p *predictor, kind uint, head int, e effort) {
	n := len(c.x) - lead
	res := c.spareRes[:n]
	if !p.residual(res, c.x, c.largest, c.pairs) {
		return
	}
	c.spare.plan(res, p.order, e.parts)
	total := head + p.order*int(c.depth) + c.spare.bits
	// The estimate errs by up to half a bit a sample, which matters where there are few of
	// them, and beside all of a sample's bits. Everywhere it would cost 0.8 ns a sample for
	// 0.01 % of music.
	if e.exact || c.spare.bits < 4*n || c.kind == 1 && total > c.bits-c.bits/8 {
		c.spare.refine(res, p.order)
		total = head + p.order*int(c.depth) + c.spare.bits
	}
	if total >= c.bits {
		return
	}
	c.kind, c.bits, c.pred = kind, total, *p
	c.plan, c.spare = c.spare, c.plan
	c.res, c.spareRes = res, c.res[:cap(c.res)]
}

// write writes the subframe.
func (c *chanEncoder) write(w *bitWriter) {
	x := c.x[lead:]
	head := uint64(c.kind << 1)
	w.room(c.bits + len(x)) // an estimate may be half a bit too low for each
	if c.wasted == 0 {
		w.put(head, 8)
	} else {
		w.put(head|1, 8)
		w.put(1, c.wasted)
	}
	switch {
	case c.kind == 0:
		w.signed(int64(x[0]), c.depth)
		return
	case c.kind == 1:
		for _, v := range x {
			w.signed(int64(v), c.depth)
		}
		return
	}
	for _, v := range x[:c.pred.order] {
		w.signed(int64(v), c.depth)
	}
	if c.kind >= 32 {
		precision := precisionOf(c.depth)
		w.put(uint64(precision-1), 4)
		w.put(uint64(c.pred.shift), 5)
		for _, k := range c.pred.coefs[:c.pred.order] {
			w.signed(int64(k), precision)
		}
	}
	c.plan.write(w, c.res, c.pred.order)
}
