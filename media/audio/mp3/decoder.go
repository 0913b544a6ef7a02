package mp3

// A decoder decodes the frames of one file.
type decoder struct {
	t        *tables
	channels int // of the file
	// main is the main data of the last frames, as far as one may go back, with slack behind.
	main     []byte
	granules [2][2]granule
	lines    [2][576]float32
	hybrid   [2]hybrid
	filter   [2]synthesis
	subbands [18][32]float32
	// out has the samples of the last frame.
	out [2][1152]float32
}

// maxBack is the most bytes of main data that a frame uses of those before it.
const maxBack = 511

func newDecoder(channels int) *decoder {
	return &decoder{t: loadTables(), channels: channels}
}

// decode decodes a frame into out.
func (d *decoder) decode(h header, frame []byte) {
	at := h.mainStart() - h.sideSize()
	var side [32 + slack]byte
	copy(side[:], frame[at:at+h.sideSize()])
	back := h.sideInfo(&bitReader{data: side[:]}, &d.granules)
	at += h.sideSize()

	// What is kept of main is the part before this frame.
	old := len(d.main)
	if old >= slack {
		old -= slack
	}
	if old > maxBack {
		old = copy(d.main, d.main[old-maxBack:old])
	}
	d.main = append(append(d.main[:old], frame[at:]...), make([]byte, slack)...)
	r := bitReader{data: d.main, pos: 8 * (old - back)}
	whole := back <= old
	limit := 8 * (len(d.main) - slack)

	channels := h.channels()
	for n := range h.granules {
		for c := range channels {
			g, x := &d.granules[n][c], &d.lines[c]
			end := r.pos + g.length
			if !whole || end > limit {
				// The data that it needs was never there.
				r.pos = end
				g.block, g.mixed, g.lines = 0, false, 0
				clear(g.scale[:])
				clear(x[:])
				continue
			}
			h.scaleFactors(&r, g, &d.granules[0][c], c)
			d.t.lines(&r, g, end, x)
			d.t.scale(h, g, x)
		}
		if channels == 2 && (h.ms || h.intense) {
			d.t.stereo(h, &d.granules[n][0], &d.granules[n][1], &d.lines)
		}
		for c := range channels {
			d.synthesize(h, &d.granules[n][c], c, n)
		}
	}
	switch {
	case channels < d.channels:
		d.out[1] = d.out[0]
	case channels > d.channels:
		for i, v := range d.out[1] {
			d.out[0][i] = (d.out[0][i] + v) / 2
		}
	}
}

// synthesize makes 576 samples of a channel of its lines.
func (d *decoder) synthesize(h header, g *granule, c, n int) {
	x := &d.lines[c]
	long := 0
	if g.block == 2 {
		h.reorder(g, x)
		if g.mixed {
			long = longBands[h.rates][h.mixedLong()] / 18
		}
	}
	active := (g.lines + 17) / 18
	switch {
	case g.block != 2:
		active = min(active+1, 32)
		antialias(x, active)
	case g.mixed:
		active = max(active, long)
		antialias(x, long)
	}
	d.hybrid[c].transform(x, g.block, active, long, &d.subbands)
	for i := range d.subbands {
		d.filter[c].run(&d.subbands[i], (*[32]float32)(d.out[c][576*n+32*i:]))
	}
}
