package image

import (
	"context"
	"sort"
)

// choosePalette chooses a palette of at most n colours for the opaque pixels of s within r, for
// which skip does not report true. Up to n colours are found exactly. More are divided by
// median cut in the manner of Heckbert (1982), at the box whose squared error is the largest,
// over a histogram of 5 bits a channel that keeps the sums of the full colours; the means of
// the boxes are then moved twice as k-means does.
func choosePalette(ctx context.Context, s *Surface, r area, n int, skip func(x, y int) bool) ([][3]uint8, error) {
	exact := make(map[[3]uint8]int, 2*n)
	histogram := make([]bin, 1<<15)
	for y := r.y0; y < r.y1; y++ {
		if y&63 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		row := s.Row(y)
		for x := r.x0; x < r.x1; x++ {
			c, opaque := gifColour(row[4*x:])
			if !opaque || skip != nil && skip(x, y) {
				continue
			}
			if len(exact) <= n {
				exact[c]++
			}
			b := &histogram[binOf(c)]
			b.n++
			for k := range 3 {
				b.sum[k] += uint64(c[k])
			}
		}
	}
	if len(exact) <= n {
		palette := make([][3]uint8, 0, len(exact))
		for c := range exact {
			palette = append(palette, c)
		}
		sort.Slice(palette, func(i, k int) bool { return string(palette[i][:]) < string(palette[k][:]) })
		return palette, nil
	}
	var bins []point
	for i := range histogram {
		if b := &histogram[i]; b.n > 0 {
			p := point{n: float64(b.n)}
			for k := range 3 {
				p.c[k] = float64(b.sum[k]) / p.n
			}
			bins = append(bins, p)
		}
	}
	palette := medianCut(bins, n)
	for range 2 {
		improve(bins, palette)
	}
	out := make([][3]uint8, len(palette))
	for i, c := range palette {
		for k := range 3 {
			out[i][k] = uint8(c[k] + 0.5)
		}
	}
	return out, ctx.Err()
}

type bin struct {
	n   uint64
	sum [3]uint64
}

func binOf(c [3]uint8) int { return int(c[0]>>3)<<10 | int(c[1]>>3)<<5 | int(c[2]>>3) }

// A point is a colour and the number of its pixels.
type point struct {
	c [3]float64
	n float64
}

// channelWeights are of the channels in distances, about what the eye makes of them.
var channelWeights = [3]float64{2, 4, 1.5}

// A box is some of the points, with what medianCut asks of it.
type box struct {
	points  []point
	err     float64 // squared error against the mean
	channel int     // of the largest part of err
	mean    [3]float64
}

func newBox(points []point) box {
	b := box{points: points}
	var n float64
	var sq [3]float64
	for _, p := range points {
		n += p.n
		for k := range 3 {
			b.mean[k] += p.n * p.c[k]
			sq[k] += p.n * p.c[k] * p.c[k]
		}
	}
	most := -1.0
	for k := range 3 {
		b.mean[k] /= n
		e := channelWeights[k] * (sq[k] - n*b.mean[k]*b.mean[k])
		if b.err += e; e > most {
			most, b.channel = e, k
		}
	}
	return b
}

func medianCut(points []point, n int) [][3]float64 {
	boxes := []box{newBox(points)}
	for len(boxes) < n {
		worst := -1
		for i := range boxes {
			if len(boxes[i].points) > 1 && (worst < 0 || boxes[i].err > boxes[worst].err) {
				worst = i
			}
		}
		if worst < 0 {
			break
		}
		b := boxes[worst]
		k := b.channel
		sort.Slice(b.points, func(i, j int) bool { return b.points[i].c[k] < b.points[j].c[k] })
		// Cut at the mean, which leaves less error than the median.
		cut := sort.Search(len(b.points), func(i int) bool { return b.points[i].c[k] >= b.mean[k] })
		cut = min(max(cut, 1), len(b.points)-1)
		boxes[worst] = newBox(b.points[:cut])
		boxes = append(boxes, newBox(b.points[cut:]))
	}
	palette := make([][3]float64, len(boxes))
	for i := range boxes {
		palette[i] = boxes[i].mean
	}
	return palette
}

// improve moves each colour to the mean of the points that are nearest to it.
func improve(points []point, palette [][3]float64) {
	sums := make([]point, len(palette))
	for _, p := range points {
		best, least := 0, 1e18
		for i := range palette {
			d := 0.0
			for k := range 3 {
				e := p.c[k] - palette[i][k]
				d += channelWeights[k] * e * e
			}
			if d < least {
				best, least = i, d
			}
		}
		sums[best].n += p.n
		for k := range 3 {
			sums[best].c[k] += p.n * p.c[k]
		}
	}
	for i, s := range sums {
		if s.n > 0 {
			for k := range 3 {
				palette[i][k] = s.c[k] / s.n
			}
		}
	}
}

// A matcher finds the nearest colour of a palette. It remembers answers for 5 bits of each
// channel, except for palettes that hold every colour exactly.
type matcher struct {
	palette [][3]uint8
	exact   map[[3]uint8]uint8
	memory  []int16 // by binOf; -1 where nothing is known
}

func newMatcher(palette [][3]uint8) *matcher {
	m := &matcher{palette: palette, exact: make(map[[3]uint8]uint8, len(palette)), memory: make([]int16, 1<<15)}
	for i, c := range palette {
		m.exact[c] = uint8(i)
	}
	for i := range m.memory {
		m.memory[i] = -1
	}
	return m
}

func (m *matcher) nearest(c [3]uint8) uint8 {
	b := binOf(c)
	// A cell with a single colour of the palette near answers alone; the exact colours are
	// asked first, so that a picture of few colours stays as it is.
	if i, ok := m.exact[c]; ok {
		return i
	}
	if i := m.memory[b]; i >= 0 {
		return uint8(i)
	}
	// The middle of the cell stands for all of it.
	mid := [3]int{int(c[0]&^7) + 4, int(c[1]&^7) + 4, int(c[2]&^7) + 4}
	best, least := 0, 1<<30
	for i, p := range m.palette {
		dr, dg, db := mid[0]-int(p[0]), mid[1]-int(p[1]), mid[2]-int(p[2])
		if d := 4*dr*dr + 8*dg*dg + 3*db*db; d < least {
			best, least = i, d
		}
	}
	m.memory[b] = int16(best)
	return uint8(best)
}

// gifColour is a premultiplied pixel as GIF has it: straight and opaque, or transparent
// below half of the alpha.
func gifColour(p []byte) (c [3]uint8, opaque bool) {
	switch a := uint32(p[3]); {
	case a == 255:
		return [3]uint8{p[0], p[1], p[2]}, true
	case a < 128:
		return c, false
	default:
		for k := range 3 {
			c[k] = uint8(min((uint32(p[k])*255+a/2)/a, 255))
		}
		return c, true
	}
}
