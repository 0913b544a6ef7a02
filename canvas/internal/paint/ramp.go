package paint

import (
	"encoding/binary"
	"math"
	"slices"
	"sync"
)

// A Stop is a colour of a gradient.
type Stop struct {
	Offset float64  // 0 to 1
	Colour [4]uint8 // straight RGBA
}

// rampSize is the number of steps a gradient has. Where two stops have the same offset it
// has one more, so that the edge lies exactly where it should.
const rampSize = 1024

// mostEdges is how many such edges are exact; others lie at the next step.
const mostEdges = 64

// A Ramp is the colours of a gradient, without its geometry. It may be used by several
// goroutines and by any number of gradients; its table is computed when it is first needed.
type Ramp struct {
	stops []Stop
	once  sync.Once
	// colours are little-endian premultiplied RGBA: that below 0, of each step, and that from
	// 1 on.
	colours []uint32
	edges   []float64 // offsets within steps at which a step is divided, in order
}

// NewRamp makes the ramp of stops, which it sorts by offset, those with the same offset
// staying in order. Between stops straight colours are interpolated and then premultiplied;
// before the first and after the last it has their colours. Offsets outside 0 to 1 are
// clamped. Without stops a gradient paints nothing.
func NewRamp(stops []Stop) *Ramp {
	r := &Ramp{stops: make([]Stop, 0, len(stops))}
	for _, s := range stops {
		if !math.IsNaN(s.Offset) {
			s.Offset = min(max(s.Offset, 0), 1)
			r.stops = append(r.stops, s)
		}
	}
	slices.SortStableFunc(r.stops, func(a, b Stop) int {
		switch {
		case a.Offset < b.Offset:
			return -1
		case a.Offset > b.Offset:
			return 1
		}
		return 0
	})
	return r
}

// empty reports whether gradients of the ramp paint nothing.
func (r *Ramp) empty() bool { return len(r.stops) == 0 }

func (r *Ramp) build() {
	r.once.Do(func() {
		for i := 1; i < len(r.stops); i++ {
			t := r.stops[i].Offset
			if t == r.stops[i-1].Offset && t > 0 && t < 1 && t*rampSize != math.Floor(t*rampSize) &&
				len(r.edges) < mostEdges && (len(r.edges) == 0 || r.edges[len(r.edges)-1] != t) {
				r.edges = append(r.edges, t)
			}
		}
		r.colours = make([]uint32, 0, rampSize+len(r.edges)+2)
		first, last := r.stops[0], r.stops[len(r.stops)-1]
		r.colours = append(r.colours, packed(colour(first.Colour).premultiplied(1)))
		if len(r.edges) == 0 {
			r.smooth()
		} else {
			r.divided()
		}
		r.colours = append(r.colours, packed(colour(last.Colour).premultiplied(1)))
	})
}

// divided appends the steps, some of which are divided.
func (r *Ramp) divided() {
	k, e := 0, 0 // the stop after the middle of the step; the edge
	for i := range rampSize {
		from, to := float64(i)/rampSize, float64(i+1)/rampSize
		for e < len(r.edges) && r.edges[e] < to {
			r.colours = append(r.colours, r.at((from+r.edges[e])/2, &k))
			from = r.edges[e]
			e++
		}
		r.colours = append(r.colours, r.at((from+to)/2, &k))
	}
}

// smooth appends the steps when none is divided. From one to the next a colour changes by the
// same amount, in integers that takes a quarter of the time.
func (r *Ramp) smooth() {
	const bits, half = 20, 1 << 19
	steps := r.colours[1 : rampSize+1]
	r.colours = r.colours[:rampSize+1]
	// step is the first one whose middle is at t or after.
	step := func(t float64) int { return min(int(math.Ceil(t*rampSize-0.5)), rampSize) }
	first, last := r.stops[0], r.stops[len(r.stops)-1]
	fill := func(steps []uint32, c [4]uint8) {
		p := packed(colour(c).premultiplied(1))
		for i := range steps {
			steps[i] = p
		}
	}
	fill(steps[:step(first.Offset)], first.Colour)
	for k := 1; k < len(r.stops); k++ {
		a, b := &r.stops[k-1], &r.stops[k]
		from, to := step(a.Offset), step(b.Offset)
		if from >= to {
			continue
		}
		width := (b.Offset - a.Offset) * rampSize
		start := (float64(from) + 0.5 - a.Offset*rampSize) / width
		var v, d [4]int64
		for c := range v {
			change := float64(b.Colour[c]) - float64(a.Colour[c])
			v[c] = int64((float64(a.Colour[c])+float64(change*start))*(1<<bits) + 0.5)
			d[c] = int64(math.Round(change / width * (1 << bits)))
		}
		if a.Colour[3] == 255 && b.Colour[3] == 255 {
			for i := range steps[from:to] {
				steps[from+i] = uint32((v[0]+half)>>bits&255|(v[1]+half)>>bits&255<<8|(v[2]+half)>>bits&255<<16) | 0xFF000000
				v[0], v[1], v[2] = v[0]+d[0], v[1]+d[1], v[2]+d[2]
			}
			continue
		}
		for i := range steps[from:to] {
			alpha := (v[3] + half) >> bits
			p := uint32(alpha) << 24
			for c := range 3 {
				p |= uint32(min((v[c]*v[3]/255+half<<bits)>>(2*bits), alpha)) << (8 * c)
				v[c] += d[c]
			}
			v[3] += d[3]
			steps[from+i] = p
		}
	}
	fill(steps[step(last.Offset):], last.Colour)
}

// at is the colour at t. The stop k is not after the first one beyond t; at moves it there.
func (r *Ramp) at(t float64, k *int) uint32 {
	for *k < len(r.stops) && r.stops[*k].Offset <= t {
		*k++
	}
	switch *k {
	case 0:
		return packed(colour(r.stops[0].Colour).premultiplied(1))
	case len(r.stops):
		return packed(colour(r.stops[*k-1].Colour).premultiplied(1))
	}
	a, b := &r.stops[*k-1], &r.stops[*k]
	f := (t - a.Offset) / (b.Offset - a.Offset)
	alpha := float64(a.Colour[3]) + float64((float64(b.Colour[3])-float64(a.Colour[3]))*f)
	out := uint32(alpha+0.5) << 24
	for c := range 3 {
		v := float64(a.Colour[c]) + float64((float64(b.Colour[c])-float64(a.Colour[c]))*f)
		out |= uint32(float64(v*alpha)/255+0.5) << (8 * c)
	}
	return out
}

// index is where in colours t is, which may be anything.
func (r *Ramp) index(t float64) int {
	if !(t >= 0) {
		return 0
	}
	if t >= 1 {
		return len(r.colours) - 1
	}
	i := 1 + int(t*rampSize)
	if r.edges != nil {
		i += r.divisions(t)
	}
	return i
}

// divisions is the number of divided steps up to t.
func (r *Ramp) divisions(t float64) int {
	n := 0
	for n < len(r.edges) && r.edges[n] <= t {
		n++
	}
	return n
}

// opaque reports whether all colours are.
func (r *Ramp) opaque() bool {
	for _, s := range r.stops {
		if s.Colour[3] != 255 {
			return false
		}
	}
	return true
}

func packed(p [4]uint8) uint32 { return binary.LittleEndian.Uint32(p[:]) }
