package dsp

import (
	"math"
	"sync"
)

// kaiserBeta is the parameter of a Kaiser window that makes a filter attenuate by so many dB
// (Kaiser and Schafer, "On the use of the I₀-sinh window for spectrum analysis", 1980).
func kaiserBeta(attenuation float64) float64 { return 0.1102 * (attenuation - 8.7) }

// besselI0 is the modified Bessel function of order 0, by its power series.
func besselI0(x float64) float64 {
	sum, term, y := 1.0, 1.0, x*x/4
	for k := 1.0; term > sum*1e-17; k++ {
		term *= y / (k * k)
		sum += term
	}
	return sum
}

// A lowpass is what determines the filters of a polyphase table: sinc under a Kaiser window.
type lowpass struct {
	taps   int     // of one phase, even
	cutoff float64 // where it is at −6 dB, in parts of half of the input's rate
	beta   float64
	phases int
	// closed tables have one more row, for phase 1, to interpolate between rows.
	closed bool
}

// table computes the taps of all phases, one row after the other. Row p is for an output at
// p/phases between the input samples taps/2−1 and taps/2.
func (l lowpass) table() []float32 {
	rows := l.phases
	if l.closed {
		rows++
	}
	var (
		table = make([]float32, rows*l.taps)
		row   = make([]float64, l.taps)
		half  = float64(l.taps) / 2
		scale = 1 / besselI0(l.beta)
	)
	for p := 0; p <= l.phases/2; p++ {
		sum := 0.0
		for k := range row {
			t := float64(k) - half + 1 - float64(p)/float64(l.phases)
			u := 1 - t*t/(half*half) // from 0 on, as no tap is farther than half
			h := l.cutoff
			if t != 0 {
				h = math.Sin(math.Pi*l.cutoff*t) / (math.Pi * t)
			}
			row[k] = h * besselI0(l.beta*math.Sqrt(u)) * scale
			sum += row[k]
		}
		// Each phase by itself gives 0 Hz back exactly, or there would be a tone of its
		// remainder at multiples of the input's rate.
		for k, h := range row {
			table[p*l.taps+k] = float32(h / sum)
		}
		// The filter is symmetric: row phases−p is row p backwards.
		if q := l.phases - p; q < rows {
			for k := range row {
				table[q*l.taps+l.taps-1-k] = table[p*l.taps+k]
			}
		}
	}
	return table
}

// tables are the last ones that were computed. Short clips would take longer for their table
// than for their samples.
var tables struct {
	sync.Mutex
	list []cachedTable // the last used one last
}

type cachedTable struct {
	lowpass
	table []float32
}

const maxTables = 8

// cached is table, kept for the next time, and not to be changed.
func (l lowpass) cached() []float32 {
	if t := lookup(l, nil); t != nil {
		return t
	}
	// Not under the lock: it takes some 15 ms, which others with tables of their own, or that
	// are there, need not wait for.
	return lookup(l, l.table())
}

// lookup finds a table, or else keeps the one that was computed, if any.
func lookup(l lowpass, computed []float32) []float32 {
	tables.Lock()
	defer tables.Unlock()
	for i, t := range tables.list {
		if t.lowpass == l {
			copy(tables.list[i:], tables.list[i+1:])
			tables.list[len(tables.list)-1] = t
			return t.table
		}
	}
	if computed == nil {
		return nil
	}
	if len(tables.list) == maxTables {
		copy(tables.list, tables.list[1:])
		tables.list = tables.list[:maxTables-1]
	}
	tables.list = append(tables.list, cachedTable{l, computed})
	return computed
}
