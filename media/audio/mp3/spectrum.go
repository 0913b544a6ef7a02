package mp3

import "math"

// A band is a run of lines with one scale factor.
type band struct {
	from, to int
	factor   int // index of the scale factor, which for the last band is none
	window   int // of three short ones, else 0
	short    bool
}

// layout is the bands of one kind of block, in the order of the file.
type layout []band

// layouts are those of long, short and mixed blocks, by rate.
var layouts = func() (all [9][3]layout) {
	for rates := range all {
		h := header{version: 1 + rates/3, rates: rates}
		for kind := range 3 {
			var l layout
			long, short := 22, 13
			switch kind {
			case 1:
				long, short = 0, 0
			case 2:
				long, short = h.mixedLong(), 3
			}
			for i := range long {
				l = append(l, band{longBands[rates][i], longBands[rates][i+1], i, 0, false})
			}
			for i, factor := short, long; i < 13; i++ {
				from, to := shortBands[rates][i], shortBands[rates][i+1]
				for w := range 3 {
					at := 3*from + w*(to-from)
					l = append(l, band{at, at + to - from, factor, w, true})
					factor++
				}
			}
			all[rates][kind] = l
		}
	}
	return all
}()

func (h header) layout(g *granule) layout {
	switch {
	case g.block != 2:
		return layouts[h.rates][0]
	case g.mixed:
		return layouts[h.rates][2]
	}
	return layouts[h.rates][1]
}

// emphasis is what preflag adds to scale factors of long bands (ISO/IEC 11172-3 table B.6).
var emphasis = [22]int{11: 1, 1, 1, 1, 2, 2, 3, 3, 3, 2}

// scale multiplies the lines of a granule with their factors.
func (t *tables) scale(h header, g *granule, x *[576]float32) {
	step := 2
	if g.coarse {
		step = 4
	}
	for _, b := range h.layout(g) {
		if b.from >= g.lines {
			break
		}
		n := g.gain - 210
		sf := 0
		if b.factor < len(g.scale) {
			sf = int(g.scale[b.factor])
		}
		if b.short {
			n -= 8 * g.subblock[b.window]
		} else if g.preflag {
			sf += emphasis[b.factor]
		}
		f := t.steps[gainOffset+n-step*sf]
		part := x[b.from:b.to]
		for i := range part {
			part[i] *= f
		}
	}
}

// intensity are the parts of left and right by position, of version 1 (ISO/IEC 11172-3
// §2.4.3.4.9.3).
var intensity = func() (t [7][2]float32) {
	for i := range t[:6] {
		r := math.Tan(float64(i) * math.Pi / 12)
		t[i] = [2]float32{float32(r / (1 + r)), float32(1 / (1 + r))}
	}
	t[6] = [2]float32{1, 0}
	return t
}()

// stereo makes left and right of joint stereo.
func (t *tables) stereo(h header, l, r *granule, x *[2][576]float32) {
	if !h.intense {
		if h.ms {
			middleSide(x[0][:], x[1][:])
			l.lines = max(l.lines, r.lines)
			r.lines = l.lines
		}
		return
	}
	// Intensity holds above the last line of the right channel that is not 0, by window.
	bands := h.layout(r)
	above := [3]bool{true, true, true}
	for i := len(bands) - 1; i >= 0; i-- {
		b := bands[i]
		left, right := x[0][b.from:b.to], x[1][b.from:b.to]
		if above[b.window] {
			for _, v := range right {
				if v != 0 {
					above[b.window] = false
					if !b.short {
						above = [3]bool{}
					}
					break
				}
			}
		}
		if !b.short && (!above[1] || !above[2]) {
			above = [3]bool{}
		}
		position := uint8(255)
		if above[b.window] {
			factor := b.factor
			// The highest band has the position of the one below.
			if b.short && b.to > 3*shortBands[h.rates][12] {
				factor -= 3
			} else if !b.short && factor == 21 {
				factor--
			}
			position = r.positions[factor]
		}
		if position == 255 {
			if h.ms {
				middleSide(left, right)
			}
			continue
		}
		var a, c float32
		if h.version == 1 {
			a, c = intensity[position][0], intensity[position][1]
		} else {
			a, c = 1, 1
			quarters := 1 + r.compress&1 // of an octave, for each step
			f := t.steps[gainOffset-quarters*((int(position)+1)/2)]
			if position&1 != 0 {
				a = f
			} else {
				c = f
			}
		}
		for k, v := range left {
			left[k], right[k] = v*a, v*c
		}
	}
	l.lines, r.lines = 576, 576
}

func middleSide(a, b []float32) {
	const half = math.Sqrt2 / 2
	b = b[:len(a)]
	for i, m := range a {
		s := b[i]
		a[i], b[i] = (m+s)*half, (m-s)*half
	}
}

// reorder sorts the lines of short blocks by frequency, which the inverse transform wants.
func (h header) reorder(g *granule, x *[576]float32) {
	var sorted [576]float32
	bands := h.layout(g)
	for i, b := range bands {
		if !b.short || b.window != 0 {
			continue
		}
		n := b.to - b.from
		for w := range 3 {
			for k, v := range x[b.from+w*n : b.from+(w+1)*n] {
				sorted[b.from+3*k+w] = v
			}
		}
		if i == 0 || !bands[i-1].short {
			copy(sorted[:b.from], x[:b.from])
		}
	}
	*x = sorted
	if g.lines > 0 {
		// The last line of a window may now be as far behind as that of the last one.
		for _, b := range bands {
			if b.short && b.window == 2 && b.from-2*(b.to-b.from) < g.lines {
				g.lines = max(g.lines, b.to)
			}
		}
	}
}
