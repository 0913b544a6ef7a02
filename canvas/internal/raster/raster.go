// Package raster turns polylines into coverage: for each pixel, which part of its area a shape
// covers.
//
// It adds up, for each pixel that an edge crosses, the height of the edge in it and the area
// on the left of the edge; a sum along each row then gives the exact area of every pixel
// without a look at those between the edges. The method is that of R. Levien's font renderers
// and of FreeType's smooth rasterizer; what differs here is where the sums live. They lie in a
// dense block of rows with a bit for each pixel that has been touched, so that adding needs no
// search and no sorting, and a row is read, and cleared for the next shape, by its bits.
//
// Positions are in 1/16384 of a pixel. They are integers so that the edges of neighbours
// cancel exactly and all platforms and divisions into bands give the same bytes.
package raster

import (
	"image"
	"math"
	"math/bits"

	"quicksand/canvas/geometry"
)

// A Rule says which points are inside a shape that crosses itself.
type Rule uint8

// The fill rules of the canvas.
const (
	NonZero Rule = iota
	EvenOdd
)

// A Sink takes coverage: rows in ascending order, pixels of a row in ascending order, each at
// most once, within the clip. Pixels that are not passed are not covered.
type Sink interface {
	// Run is n pixels from (x, y) of one coverage from 1 to 255.
	Run(x, y, n int, cover uint8)

	// Mask is pixels from (x, y) with a coverage each, 0 allowed. The slice is valid until
	// Mask returns.
	Mask(x, y int, cover []uint8)
}

const (
	shift = 14
	one   = 1 << shift // a pixel

	// blockCells is how many pixels have their sums in memory at once: 256 KB of them. From
	// 1<<14 to 1<<17 BenchmarkStrokes takes the same time, above it takes more.
	blockCells = 1 << 15

	// farthest is the distance in pixels from the origin at which edges are cut off, so that
	// products of positions fit into 64 bits.
	farthest = 1 << 22

	// workPerStop is how many rows of edges are done between two looks at Stop.
	workPerStop = 1 << 16

	// keptEdges is how much of a list of edges is kept for the next shape.
	keptEdges = 1 << 14
)

// A cell is the sums of a pixel, in 1/16384: of the heights of the edges in it, and of the
// areas between them and its left border. Downwards counts positive. Shapes that wind 65 536
// times around a pixel make the sums overflow: their coverage is wrong, within 0…255.
type cell struct{ cover, area int32 }

// A Rasterizer computes coverage. The zero value is ready; using one again saves its memory
// (less than 1.5 MB). It must not be used by several goroutines at once, but several may
// rasterize bands of one polyline with one each: the bands of a shape fit together to the bit.
type Rasterizer struct {
	// Stop, if not nil, is asked now and then during long work, about each millisecond. When it
	// returns true, Rasterize returns at once, with what it has passed until then.
	Stop func() bool
	work int // rows of edges since Stop was asked

	// The block: rows from top up to bottom, columns from left, stride cells each, of which
	// the last is for what lies on the right border. All are zero between blocks.
	cells       []cell
	touched     []uint64 // words a row
	left        int
	top, bottom int
	width       int
	stride      int
	words       int

	mask []uint8

	// For a window of several blocks of rows rows, each edge is in the list of the block where
	// it is drawn next. heads is empty if there is one block.
	rows  int
	edges []edge
	heads []int32
}

// An edge goes down from (x0, y0) to (x1, y1), in fixed point; sign is −1 if the polyline goes
// up there.
type edge struct {
	x0, y0, x1, y1 int64
	sign           int32
	next           int32 // in its list, or −1
}

// Rasterize passes the coverage of the polyline, whose open subpaths count as closed, within
// clip to the sink. Pixel (x, y) is the square from (x, y) to (x+1, y+1). Edges outside of the
// clip cost little, whatever their coordinates.
func (r *Rasterizer) Rasterize(pl *geometry.Polyline, rule Rule, clip image.Rectangle, sink Sink) {
	clip = clip.Intersect(image.Rect(-farthest, -farthest, farthest, farthest))
	window, ok := pixels(pl, clip)
	if !ok {
		return
	}
	if r.rectangle(pl, window, sink) {
		return
	}
	r.left, r.width = window.Min.X, window.Dx()
	r.stride = r.width + 1
	r.words = (r.stride + 63) / 64
	rows := min(window.Dy(), max(1, blockCells/r.stride))
	if n := rows * r.stride; n > len(r.cells) {
		r.cells = make([]cell, max(n, min(2*n, blockCells)))
	}
	if n := rows * r.words; n > len(r.touched) {
		r.touched = make([]uint64, max(n, min(2*n, blockCells/64)))
	}
	if len(r.mask) < r.stride {
		r.mask = make([]uint8, max(r.stride, 2048))
	}

	r.top, r.bottom, r.rows = window.Min.Y, window.Max.Y, rows
	r.heads, r.edges = r.heads[:0], r.edges[:0]
	blocks := (window.Dy() + rows - 1) / rows
	if blocks > 1 {
		for range blocks {
			r.heads = append(r.heads, -1)
		}
	}
	if !r.take(pl, window) {
		r.clear()
		return
	}
	if blocks == 1 {
		r.sweep(rule, sink)
		return
	}
	for b := range blocks {
		r.top = window.Min.Y + b*rows
		r.bottom = min(r.top+rows, window.Max.Y)
		end := int64(r.bottom) << shift
		for i := r.heads[b]; i >= 0; {
			e := &r.edges[i]
			r.add(e)
			if r.work > workPerStop && r.stopped() {
				r.clear()
				return
			}
			next := e.next
			if e.y1 > end && b+1 < blocks {
				e.next = r.heads[b+1]
				r.heads[b+1] = i
			}
			i = next
		}
		r.sweep(rule, sink)
	}
	if cap(r.edges) > keptEdges {
		r.edges = nil
	}
}

// stopped asks Stop.
func (r *Rasterizer) stopped() bool {
	r.work = 0
	return r.Stop != nil && r.Stop()
}

// clear forgets what has been added.
func (r *Rasterizer) clear() {
	clear(r.cells)
	clear(r.touched)
	r.edges = nil
}

// pixels is the part of clip that the polyline may cover; false if there is none.
func pixels(pl *geometry.Polyline, clip image.Rectangle) (image.Rectangle, bool) {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range pl.Points {
		if p.X < x0 {
			x0 = p.X
		}
		if p.X > x1 {
			x1 = p.X
		}
		if p.Y < y0 {
			y0 = p.Y
		}
		if p.Y > y1 {
			y1 = p.Y
		}
	}
	if !(x0 < float64(clip.Max.X) && x1 > float64(clip.Min.X) && y0 < float64(clip.Max.Y) && y1 > float64(clip.Min.Y)) {
		return clip, false
	}
	// The clip bounds the values before they become integers. Rounding of positions does not
	// move them over a border of pixels.
	w := image.Rect(
		int(math.Floor(max(x0, float64(clip.Min.X)))), int(math.Floor(max(y0, float64(clip.Min.Y)))),
		int(math.Ceil(min(x1, float64(clip.Max.X)))), int(math.Ceil(min(y1, float64(clip.Max.Y)))))
	return w, !w.Empty()
}

// fixed is v in fixed point.
func fixed(v float64) int64 { return int64(math.Floor(float64(v*one) + 0.5)) }

// take goes through the edges of the polyline that matter for the window: it adds them to the
// only block, or puts them into the lists. False if it has been stopped.
func (r *Rasterizer) take(pl *geometry.Polyline, window image.Rectangle) bool {
	top, bottom := float64(window.Min.Y), float64(window.Max.Y)
	right := float64(window.Max.X)
	from := 0
	for _, end := range pl.Ends {
		points := pl.Points[from:end]
		from = end
		if len(points) < 2 {
			continue
		}
		a := points[len(points)-1]
		for _, b := range points {
			p, q := a, b
			a = b
			if r.work++; r.work > workPerStop && r.stopped() {
				return false
			}
			// Above, below, or on the right: no pixel of the window has it on its left.
			if p.Y <= top && q.Y <= top || p.Y >= bottom && q.Y >= bottom || p.X >= right && q.X >= right {
				continue
			}
			if near(p.X) && near(p.Y) && near(q.X) && near(q.Y) {
				r.takeEdge(p, q)
				continue
			}
			parts, n := far(p, q)
			for i := range n {
				r.takeEdge(parts[i], parts[i+1])
			}
		}
	}
	return true
}

func (r *Rasterizer) takeEdge(p, q geometry.Point) {
	var e edge
	if !e.set(p, q) {
		return
	}
	if len(r.heads) == 0 {
		r.add(&e)
		return
	}
	// A part of a line, or a line that touches the window, may be outside after all.
	if e.y1 <= int64(r.top)<<shift || e.y0 >= int64(r.bottom)<<shift {
		return
	}
	b := max(0, (int(e.y0>>shift)-r.top)/r.rows)
	e.next = r.heads[b]
	r.heads[b] = int32(len(r.edges))
	r.edges = append(r.edges, e)
}

// set makes e the edge from p to q; false if it is level.
func (e *edge) set(p, q geometry.Point) bool {
	e.x0, e.y0, e.x1, e.y1 = fixed(p.X), fixed(p.Y), fixed(q.X), fixed(q.Y)
	e.sign = 1
	if e.y0 > e.y1 {
		e.x0, e.y0, e.x1, e.y1 = e.x1, e.y1, e.x0, e.y0
		e.sign = -1
	}
	return e.y0 != e.y1
}

func near(v float64) bool { return v > -farthest && v < farthest }

// far returns the ends of the n parts of a line with an end far away: what is above and below
// becomes level, and what is on the left or the right a vertical line there, which winds the
// same way. The cuts do not depend on the window, and so bands fit together.
func far(p, q geometry.Point) (ends [6]geometry.Point, n int) {
	// No Path makes a NaN or an infinity, but a polyline may come from elsewhere.
	sane := func(v float64) float64 {
		if v != v {
			return 0
		}
		return max(-1e90, min(1e90, v))
	}
	p, q = geometry.Point{X: sane(p.X), Y: sane(p.Y)}, geometry.Point{X: sane(q.X), Y: sane(q.Y)}
	// Where the line crosses the borders, in order.
	var cuts [6]float64
	n = 1
	for _, t := range [4]float64{
		(-farthest - p.X) / (q.X - p.X), (farthest - p.X) / (q.X - p.X),
		(-farthest - p.Y) / (q.Y - p.Y), (farthest - p.Y) / (q.Y - p.Y),
	} {
		if t > 0 && t < 1 {
			i := n
			for ; i > 1 && cuts[i-1] > t; i-- {
				cuts[i] = cuts[i-1]
			}
			cuts[i] = t
			n++
		}
	}
	clamp := func(v float64) float64 { return max(-farthest, min(farthest, v)) }
	for i, t := range cuts[:n+1] {
		e := geometry.Point{X: p.X + float64((q.X-p.X)*t), Y: p.Y + float64((q.Y-p.Y)*t)}
		if i == n {
			e = q
		}
		ends[i] = geometry.Point{X: clamp(e.X), Y: clamp(e.Y)}
	}
	return ends, n
}

// add adds the part of an edge within the block to its cells.
func (r *Rasterizer) add(e *edge) {
	top, bottom := int64(r.top)<<shift, int64(r.bottom)<<shift
	if e.y1 <= top || e.y0 >= bottom {
		return
	}
	origin := int64(r.left) << shift
	right := int64(r.width) << shift
	x0, x1 := e.x0-origin, e.x1-origin
	if x0 >= right && x1 >= right {
		return
	}
	if x0 <= 0 && x1 <= 0 {
		x0, x1 = 0, 0
	}
	sign := e.sign
	first, last := int(e.y0>>shift), int((e.y1-1)>>shift)
	y := max(first, r.top)
	until := min(last, r.bottom-1)
	r.work += until - y
	base := (y - r.top) * r.stride

	if x0 == x1 {
		col := int(x0 >> shift)
		fx := int32(x0 & (one - 1))
		bit := uint64(1) << (col & 63)
		word := (y-r.top)*r.words + col>>6
		for ; y <= until; y++ {
			h := int32(one)
			if y == last {
				h = int32(e.y1 - int64(y)<<shift)
			}
			if y == first {
				h -= int32(e.y0 & (one - 1))
			}
			c := &r.cells[base+col]
			c.cover += sign * h
			c.area += sign * (h * fx >> shift)
			r.touched[word] |= bit
			base += r.stride
			word += r.words
		}
		return
	}

	dx, dy := float64(x1-x0), float64(e.y1-e.y0)
	// The height for each unit to the right, with 32 more bits. Steeper edges cross one column
	// border in a row at most, and there the whole height is on one side.
	rise := int64(math.Min(math.Abs(dy/dx), one) * (1 << 32))
	if first == last {
		r.row(y, min(x0, x1), max(x0, x1), int32(e.y1-e.y0), sign, rise)
		return
	}
	// The positions at the borders of the rows, with 16 more bits, come from integer steps
	// from the first border on, wherever the block starts.
	slope := dx / dy
	fy := e.y0 & (one - 1)
	x := x0<<16 + int64(slope*float64((one-fy)<<16))
	step := int64(slope * (one << 16))
	from, to := x0, x>>16
	if y > first {
		x += int64(y-first-1) * step
		from = x >> 16
		x += step
		to = x >> 16
	}
	words := (y - r.top) * r.words
	for ; y <= until; y++ {
		h := int32(one)
		if y == last {
			to = x1
			h = int32(e.y1 - int64(y)<<shift)
		}
		if y == first {
			h -= int32(fy)
		}
		a, b := from, to
		if a > b {
			a, b = b, a
		}
		// Most pieces lie within one column or two.
		col, more := a>>shift, b>>shift-a>>shift
		if more > 1 || a < 0 || b >= right {
			r.row(y, a, b, h, sign, rise)
		} else if fa, fb := a&(one-1), b&(one-1); more == 0 {
			c := &r.cells[base+int(col)]
			c.cover += sign * h
			c.area += sign * int32(int64(h)*(fa+fb)>>(shift+1))
			r.touched[words+int(col>>6)] |= 1 << (col & 63)
		} else {
			d := min(int32((one-fa)*rise>>32), h)
			c := r.cells[base+int(col):][:2]
			c[0].cover += sign * d
			c[0].area += sign * int32(int64(d)*(fa+one)>>(shift+1))
			d = h - d
			c[1].cover += sign * d
			c[1].area += sign * int32(int64(d)*fb>>(shift+1))
			r.touched[words+int(col>>6)] |= 1 << (col & 63)
			col++
			r.touched[words+int(col>>6)] |= 1 << (col & 63)
		}
		from = to
		x += step
		to = x >> 16
		base += r.stride
		words += r.words
	}
}

// row adds a piece of an edge within one row: from a to b (a ≤ b) in fixed point from the left
// of the block, of height h.
func (r *Rasterizer) row(y int, a, b int64, h, sign int32, rise int64) {
	right := int64(r.width) << shift
	if a >= right {
		return
	}
	y -= r.top
	cells := r.cells[y*r.stride : (y+1)*r.stride]
	touched := r.touched[y*r.words : (y+1)*r.words]
	if a < 0 {
		left := h
		if b > 0 {
			left = height(-a, rise, h)
		}
		cells[0].cover += sign * left
		touched[0] |= 1
		if h -= left; h == 0 || b <= 0 {
			return
		}
		a = 0
	}
	if b > right {
		h = height(right-a, rise, h)
		b = right
	}
	i, last := int(a>>shift), int(b>>shift)
	fa, fb := a&(one-1), b&(one-1)
	if i == last {
		cells[i].cover += sign * h
		cells[i].area += sign * int32(int64(h)*(fa+fb)>>(shift+1))
		touched[i>>6] |= 1 << (i & 63)
		return
	}
	done := height(one-fa, rise, h)
	cells[i].cover += sign * done
	cells[i].area += sign * int32(int64(done)*(fa+one)>>(shift+1))
	touched[i>>6] |= 1 << (i & 63)
	at := (one - fa) * rise
	for i++; i < last; i++ {
		at += rise << shift
		d := min(int32(at>>32), h) - done
		cells[i].cover += sign * d
		cells[i].area += sign * (d >> 1)
		touched[i>>6] |= 1 << (i & 63)
		done += d
	}
	d := h - done
	cells[i].cover += sign * d
	cells[i].area += sign * int32(int64(d)*fb>>(shift+1))
	touched[i>>6] |= 1 << (i & 63)
}

// height is how far a piece of height h rises over a width.
func height(width, rise int64, h int32) int32 {
	// The width may be that of everything left of the block.
	if v := float64(width) * float64(rise) / (1 << 32); v < float64(h) {
		return int32(v)
	}
	return h
}

// nonZero and evenOdd are the coverage of a sum of signed areas.
func nonZero(v int32) uint8 {
	if v < 0 {
		v = -v
	}
	if v >= one || v < 0 {
		return 255
	}
	return uint8((v*255 + one/2) >> shift)
}

func evenOdd(v int32) uint8 {
	v &= 2*one - 1
	if v > one {
		v = 2*one - v
	}
	return uint8((v*255 + one/2) >> shift)
}

// shortRun is the length up to which pixels of one coverage go into a mask with their
// neighbours rather than into a run of their own, and shortGap the same for no coverage.
const (
	shortRun = 8
	shortGap = 4
)

// sweep passes the coverage of the block to the sink and clears the block.
func (r *Rasterizer) sweep(rule Rule, sink Sink) {
	mask := r.mask
	for y := r.top; y < r.bottom; y++ {
		row := y - r.top
		cells := r.cells[row*r.stride : (row+1)*r.stride]
		touched := r.touched[row*r.words : (row+1)*r.words]
		// The mask that is not yet passed is columns from until next, where nothing is known.
		from, next := 0, 0
		var sum int32
		for w, word := range touched {
			if word == 0 {
				continue
			}
			touched[w] = 0
			for ; word != 0; word &= word - 1 {
				x := w<<6 + bits.TrailingZeros64(word)
				c := cells[x]
				cells[x] = cell{}
				if n := x - next; n > 0 {
					cover := coverage(rule, sum)
					if cover == 0 && n <= shortGap && from < next || cover != 0 && n <= shortRun {
						gap := mask[next:x]
						for i := range gap {
							gap[i] = cover
						}
					} else {
						if from < next {
							sink.Mask(r.left+from, y, mask[from:next])
						}
						if cover != 0 {
							sink.Run(r.left+next, y, n, cover)
						}
						from = x
					}
				}
				sum += c.cover
				mask[x] = coverage(rule, sum-c.area)
				next = x + 1
			}
		}
		// The column right of the window is for edges that lie on its border.
		next = min(next, r.width)
		if from < next {
			sink.Mask(r.left+from, y, mask[from:next])
		}
		if cover := coverage(rule, sum); cover != 0 && next < r.width {
			sink.Run(r.left+next, y, r.width-next, cover)
		}
	}
}

func coverage(rule Rule, v int32) uint8 {
	if rule == EvenOdd {
		return evenOdd(v)
	}
	return nonZero(v)
}

// rectangle rasterizes a polyline that is one rectangle along the axes, to the same coverage
// as the general way does; false if it is not one.
func (r *Rasterizer) rectangle(pl *geometry.Polyline, window image.Rectangle, sink Sink) bool {
	if len(pl.Ends) != 1 {
		return false
	}
	p := pl.Points[:pl.Ends[0]]
	if len(p) == 5 && p[4] == p[0] {
		p = p[:4]
	}
	if len(p) != 4 {
		return false
	}
	a, c := p[0], p[2]
	if !(p[1].X == c.X && p[1].Y == a.Y && p[3].X == a.X && p[3].Y == c.Y) &&
		!(p[1].X == a.X && p[1].Y == c.Y && p[3].X == c.X && p[3].Y == a.Y) {
		return false
	}
	// What is outside of the window is cut off; its borders are whole pixels.
	left, right := int64(window.Min.X)<<shift, int64(window.Max.X)<<shift
	top, bottom := int64(window.Min.Y)<<shift, int64(window.Max.Y)<<shift
	side := func(v float64, low, high int64) int64 {
		if !near(v) {
			if v > 0 {
				return high
			}
			return low
		}
		return min(max(fixed(v), low), high)
	}
	x0, x1 := side(min(a.X, c.X), left, right), side(max(a.X, c.X), left, right)
	y0, y1 := side(min(a.Y, c.Y), top, bottom), side(max(a.Y, c.Y), top, bottom)
	if x0 >= x1 || y0 >= y1 {
		return true
	}
	// The first and the last column, and what is free of the first on the left and covered of
	// the last.
	first, last := int(x0>>shift), int((x1-1)>>shift)
	free, end := x0&(one-1), (x1-1)&(one-1)+1
	if len(r.mask) == 0 {
		r.mask = make([]uint8, 2048)
	}
	mask := r.mask[:1]
	for y := int(y0 >> shift); int64(y)<<shift < y1; y++ {
		h := min(y1, int64(y+1)<<shift) - max(y0, int64(y)<<shift)
		x, until := first, last+1
		if first == last && (free != 0 || end != one) {
			if mask[0] = nonZero(int32(h*end>>shift - h*free>>shift)); mask[0] != 0 {
				sink.Mask(x, y, mask)
			}
			continue
		}
		if free != 0 {
			if mask[0] = nonZero(int32(h - h*free>>shift)); mask[0] != 0 {
				sink.Mask(x, y, mask)
			}
			x++
		}
		if end != one {
			until--
		}
		if cover := nonZero(int32(h)); cover != 0 && x < until {
			sink.Run(x, y, until-x, cover)
		}
		if end != one {
			if mask[0] = nonZero(int32(h * end >> shift)); mask[0] != 0 {
				sink.Mask(last, y, mask)
			}
		}
	}
	return true
}
