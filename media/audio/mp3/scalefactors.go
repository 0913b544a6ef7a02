package mp3

// widths are how many bits the scale factors of the lower and the upper bands have
// (ISO/IEC 11172-3 §2.4.2.7).
var widths = [2][16]int{
	{0, 0, 0, 0, 3, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4},
	{0, 1, 2, 3, 0, 1, 2, 3, 1, 2, 3, 1, 2, 3, 2, 3},
}

// scaleFactors reads the factors of a granule: in order of bands, and of windows within short
// ones. before is the first granule of the same frame and channel.
func (h header) scaleFactors(r *bitReader, g, before *granule, channel int) {
	if h.version > 1 {
		h.scaleFactors2(r, g, channel)
		return
	}
	low, high := widths[0][g.compress], widths[1][g.compress]
	at := 0
	read := func(n, width int) {
		for range n {
			g.scale[at] = uint8(r.bits(width))
			at++
		}
	}
	switch {
	case g.block == 2 && g.mixed:
		read(8+3*3, low)
		read(6*3, high)
	case g.block == 2:
		read(6*3, low)
		read(6*3, high)
	default:
		for i, to := range [4]int{6, 11, 16, 21} {
			width := low
			if i >= 2 {
				width = high
			}
			if g.reused>>(3-i)&1 != 0 {
				copy(g.scale[at:to], before.scale[at:to])
				at = to
				continue
			}
			read(to-at, width)
		}
	}
	clear(g.scale[at:])
	g.positions = g.scale
	for i, p := range g.positions {
		if p >= 7 {
			g.positions[i] = 255
		}
	}
}

// groups are how many scale factors of version 2 have the same width, for six ways to divide
// them, and long, short and mixed blocks (ISO/IEC 13818-3 §2.4.3.2).
var groups = [6][3][4]int{
	{{6, 5, 5, 5}, {9, 9, 9, 9}, {6, 9, 9, 9}},
	{{6, 5, 7, 3}, {9, 9, 12, 6}, {6, 9, 12, 6}},
	{{11, 10, 0, 0}, {18, 18, 0, 0}, {15, 18, 0, 0}},
	{{7, 7, 7, 0}, {12, 12, 12, 0}, {6, 15, 12, 0}},
	{{6, 6, 6, 3}, {12, 9, 9, 6}, {6, 12, 9, 6}},
	{{8, 8, 5, 0}, {15, 12, 9, 0}, {6, 18, 9, 0}},
}

func (h header) scaleFactors2(r *bitReader, g *granule, channel int) {
	var (
		width [4]int
		way   int
		n     = g.compress
	)
	if !h.intense || channel == 0 {
		switch {
		case n < 400:
			width, way = [4]int{n >> 4 / 5, n >> 4 % 5, n >> 2 & 3, n & 3}, 0
		case n < 500:
			n -= 400
			width, way = [4]int{n >> 2 / 5, n >> 2 % 5, n & 3, 0}, 1
		default:
			n -= 500
			width, way = [4]int{n / 3, n % 3, 0, 0}, 2
			g.preflag = true
		}
	} else {
		n >>= 1
		switch {
		case n < 180:
			width, way = [4]int{n / 36, n % 36 / 6, n % 6, 0}, 3
		case n < 244:
			n -= 180
			width, way = [4]int{n >> 4 & 3, n >> 2 & 3, n & 3, 0}, 4
		default:
			n -= 244
			width, way = [4]int{n / 3, n % 3, 0, 0}, 5
		}
	}
	kind := 0
	if g.block == 2 {
		kind = 1
		if g.mixed {
			kind = 2
		}
	}
	at := 0
	for i, count := range groups[way][kind] {
		none := 1<<width[i] - 1
		for range count {
			v := r.bits(width[i])
			g.scale[at], g.positions[at] = uint8(v), uint8(v)
			if v == none && none > 0 {
				g.positions[at] = 255
			}
			at++
		}
	}
	clear(g.scale[at:])
	clear(g.positions[at:])
}
