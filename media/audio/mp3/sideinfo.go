package mp3

// A granule is what the side information says of one channel in half a frame, or in a frame
// of version 2 (ISO/IEC 11172-3 §2.4.1.7).
type granule struct {
	length    int // of scale factors and codes, in bits
	pairs     int // of big values
	gain      int // global
	compress  int // of the scale factors
	block     int // 0 long, 1 start, 2 short, 3 stop
	mixed     bool
	tables    [3]int
	subblock  [3]int
	region1   int // where the second table begins to apply, in lines
	region2   int // and the third one
	preflag   bool
	coarse    bool // scale factors are in steps of 6 dB and not 3
	countB    bool // the last part is in table B
	reused    int  // bit 3−i: group i of the scale factors is that of the granule before
	scale     [39]uint8
	positions [39]uint8 // of intensity stereo, 255 for none
	lines     int       // how many may be other than 0
}

// longBands are where bands of scale factors begin in long blocks, by rate, in lines
// (ISO/IEC 11172-3 table B.8; 13818-3 table B.2).
var longBands = [9][23]int{
	{0, 4, 8, 12, 16, 20, 24, 30, 36, 44, 52, 62, 74, 90, 110, 134, 162, 196, 238, 288, 342, 418, 576},
	{0, 4, 8, 12, 16, 20, 24, 30, 36, 42, 50, 60, 72, 88, 106, 128, 156, 190, 230, 276, 330, 384, 576},
	{0, 4, 8, 12, 16, 20, 24, 30, 36, 44, 54, 66, 82, 102, 126, 156, 194, 240, 296, 364, 448, 550, 576},
	{0, 6, 12, 18, 24, 30, 36, 44, 54, 66, 80, 96, 116, 140, 168, 200, 238, 284, 336, 396, 464, 522, 576},
	{0, 6, 12, 18, 24, 30, 36, 44, 54, 66, 80, 96, 114, 136, 162, 194, 232, 278, 330, 394, 464, 540, 576},
	{0, 6, 12, 18, 24, 30, 36, 44, 54, 66, 80, 96, 116, 140, 168, 200, 238, 284, 336, 396, 464, 522, 576},
	{0, 6, 12, 18, 24, 30, 36, 44, 54, 66, 80, 96, 116, 140, 168, 200, 238, 284, 336, 396, 464, 522, 576},
	{0, 6, 12, 18, 24, 30, 36, 44, 54, 66, 80, 96, 116, 140, 168, 200, 238, 284, 336, 396, 464, 522, 576},
	{0, 12, 24, 36, 48, 60, 72, 88, 108, 132, 160, 192, 232, 280, 336, 400, 476, 566, 568, 570, 572, 574, 576},
}

// shortBands are the same of each of three short blocks.
var shortBands = [9][14]int{
	{0, 4, 8, 12, 16, 22, 30, 40, 52, 66, 84, 106, 136, 192},
	{0, 4, 8, 12, 16, 22, 28, 38, 50, 64, 80, 100, 126, 192},
	{0, 4, 8, 12, 16, 22, 30, 42, 58, 78, 104, 138, 180, 192},
	{0, 4, 8, 12, 18, 24, 32, 42, 56, 74, 100, 132, 174, 192},
	{0, 4, 8, 12, 18, 26, 36, 48, 62, 80, 104, 136, 180, 192},
	{0, 4, 8, 12, 18, 26, 36, 48, 62, 80, 104, 134, 174, 192},
	{0, 4, 8, 12, 18, 26, 36, 48, 62, 80, 104, 134, 174, 192},
	{0, 4, 8, 12, 18, 26, 36, 48, 62, 80, 104, 134, 174, 192},
	{0, 8, 16, 24, 36, 52, 72, 96, 124, 160, 162, 164, 166, 192},
}

// mixedLong is how many long bands a mixed block begins with, before short ones from the
// fourth on.
func (h header) mixedLong() int {
	if h.version == 1 {
		return 8
	}
	return 6
}

// sideInfo reads the side information into granules, for each granule and channel. It is how
// many bytes of main data from before the frame belong to it.
func (h header) sideInfo(r *bitReader, granules *[2][2]granule) (back int) {
	channels := h.channels()
	if h.version == 1 {
		back = r.bits(9)
		r.bits([3]int{0, 5, 3}[channels])
		for c := range channels {
			granules[1][c].reused = r.bits(4)
		}
	} else {
		back = r.bits(8)
		r.bits(channels)
	}
	for n := range h.granules {
		for c := range channels {
			g := &granules[n][c]
			if n == 0 {
				g.reused = 0
			}
			g.length, g.pairs, g.gain = r.bits(12), r.bits(9), r.bits(8)
			if h.version == 1 {
				g.compress = r.bits(4)
			} else {
				g.compress = r.bits(9)
			}
			g.block, g.mixed, g.subblock = 0, false, [3]int{}
			if r.bit() {
				g.block, g.mixed = r.bits(2), r.bit()
				g.tables = [3]int{r.bits(5), r.bits(5), 0}
				for i := range g.subblock {
					g.subblock[i] = r.bits(3)
				}
				g.region2 = 576
				if g.block == 2 {
					g.region1 = 3 * shortBands[h.rates][3]
				} else {
					g.mixed = false
					g.region1 = longBands[h.rates][8]
				}
			} else {
				g.tables = [3]int{r.bits(5), r.bits(5), r.bits(5)}
				a := r.bits(4) + 1
				b := min(a+r.bits(3)+1, 22)
				g.region1, g.region2 = longBands[h.rates][a], longBands[h.rates][b]
			}
			g.preflag = h.version == 1 && r.bit()
			g.coarse, g.countB = r.bit(), r.bit()
		}
	}
	return back
}
