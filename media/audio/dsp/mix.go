package dsp

import (
	"fmt"
	"math"
)

// A Matrix mixes channels: output o is the sum of input i times m[o][i].
type Matrix [][]float32

// The order of the channels of a sound is that of WAVE_FORMAT_EXTENSIBLE: 1 mono; 2 L R;
// 3 L R C; 4 L R Ls Rs; 5 L R C Ls Rs; 6 L R C LFE Ls Rs; 7 L R C LFE Cs Ls Rs;
// 8 L R C LFE Lb Rb Ls Rs.
type speaker int

const (
	left speaker = iota
	right
	centre
	lfe
	leftBack
	rightBack
	backCentre
	leftSide
	rightSide
)

var layouts = [MaxChannels + 1][]speaker{
	1: {centre},
	2: {left, right},
	3: {left, right, centre},
	4: {left, right, leftSide, rightSide},
	5: {left, right, centre, leftSide, rightSide},
	6: {left, right, centre, lfe, leftSide, rightSide},
	7: {left, right, centre, lfe, backCentre, leftSide, rightSide},
	8: {left, right, centre, lfe, leftBack, rightBack, leftSide, rightSide},
}

// MixMatrix is how a sound of so many channels, from 1 to MaxChannels, becomes one of another
// number of them, in the order of WAVE_FORMAT_EXTENSIBLE: 1 mono; 2 L R; 3 L R C; 4 L R Ls
// Rs; 5 L R C Ls Rs; 6 L R C LFE Ls Rs; 7 L R C LFE Cs Ls Rs; 8 L R C LFE Lb Rb Ls Rs.
//
// Mono becomes both channels of stereo as it is, and the centre of what has one. Stereo
// becomes mono as the mean of both, so that mono comes back unchanged. Everything else follows
// ITU-R BS.775 annex 4: what has a speaker of its own stays there; what has none goes to its
// neighbours at −3 dB, which is −6 dB for surround channels in mono; the LFE channel is left
// out. A loud mix of many channels can be louder than full scale; see Normalized.
func MixMatrix(from, to int) (Matrix, error) {
	for _, n := range []int{from, to} {
		if n < 1 || n > MaxChannels {
			return nil, fmt.Errorf("%d channels are outside of the limits of 1 to %d", n, MaxChannels)
		}
	}
	m := make(Matrix, to)
	for o := range m {
		m[o] = make([]float32, from)
	}
	for i, s := range layouts[from] {
		m.route(layouts[to], s, i, 1)
	}
	if from == 2 && to == 1 {
		m[0][0], m[0][1] = 0.5, 0.5
	}
	if from == 1 && to == 2 {
		m[0][0], m[1][0] = 1, 1
	}
	return m, nil
}

// nearest are the speakers that one without its own goes to: all of the first group that
// exists.
var nearest = [...][][]speaker{
	left:       {{centre}},
	right:      {{centre}},
	centre:     {{left, right}},
	leftBack:   {{leftSide}, {left}, {centre}},
	rightBack:  {{rightSide}, {right}, {centre}},
	leftSide:   {{leftBack}, {left}, {centre}},
	rightSide:  {{rightBack}, {right}, {centre}},
	backCentre: {{leftBack, rightBack}, {leftSide, rightSide}, {left, right}, {centre}},
	lfe:        {},
}

func (m Matrix) route(layout []speaker, s speaker, input int, gain float64) {
	index := func(s speaker) int {
		for o, t := range layout {
			if t == s {
				return o
			}
		}
		return -1
	}
	if o := index(s); o >= 0 {
		m[o][input] += float32(gain)
		return
	}
	for _, group := range nearest[s] {
		if index(group[0]) < 0 {
			continue
		}
		g := gain * math.Sqrt2 / 2
		switch {
		case s >= leftBack && s != backCentre && group[0] == centre:
			g = gain / 2 // twice −3 dB: to the front and to the centre
		case (s == leftBack || s == leftSide || s == rightBack || s == rightSide) && group[0] >= leftBack:
			g = gain // from the back to the side is the same place
		case s == backCentre && group[0] == left:
			g = gain / 2 // split to two sides and then to the front
		}
		for _, t := range group {
			m[index(t)][input] += float32(g)
		}
		return
	}
}

// Normalized is the matrix scaled down so far that no output exceeds full scale when no input
// does. It is m itself if that is so already.
func (m Matrix) Normalized() Matrix {
	largest := 1.0
	for _, row := range m {
		sum := 0.0
		for _, g := range row {
			sum += math.Abs(float64(g))
		}
		largest = max(largest, sum)
	}
	if largest == 1 {
		return m
	}
	scaled := make(Matrix, len(m))
	for o, row := range m {
		scaled[o] = make([]float32, len(row))
		for i, g := range row {
			scaled[o][i] = float32(float64(g) / largest)
		}
	}
	return scaled
}

// Apply mixes src, a slice for each input, into dst, a slice for each output, all of the same
// length. They must not overlap.
func (m Matrix) Apply(dst, src [][]float32) {
	for o, row := range m {
		out, first := dst[o], true
		for i, g := range row {
			if g == 0 {
				continue
			}
			in := src[i][:len(out)]
			switch {
			case first && g == 1:
				copy(out, in)
			case first:
				for f, x := range in {
					out[f] = x * g
				}
			default:
				for f, x := range in {
					out[f] += x * g
				}
			}
			first = false
		}
		if first {
			clear(out)
		}
	}
}
