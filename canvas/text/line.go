package text

import "sync"

// A Line is a shaped string. It is not changed once made: goroutines may share it.
type Line struct {
	// Glyphs are in visual order, from left to right.
	Glyphs []Glyph
	// Advance is the width of the line; it may be negative when the spacing is.
	Advance float64

	rtl     bool
	primary extents // of the first available font, in pixels

	once  sync.Once
	box   box // of the ink, in pixels
	inked bool

	coloured bool
}

// A Glyph is one glyph of a line.
type Glyph struct {
	Face *Face
	// ID is its number in the face; 0 is the box of a missing glyph.
	ID uint32
	// Cluster is the offset in bytes of its first character in the string.
	Cluster int32
	// X and Y are its origin relative to the left end of the baseline.
	X, Y float64
	// Advance is the distance to the origin of the next one.
	Advance float64
	// Size is the em in pixels. It is smaller than that of the font in synthesised small
	// capitals.
	Size float64
}

// Metrics are the TextMetrics of a line, relative to the point at which text is drawn with an
// alignment and a baseline: left, ascent and the baselines grow to the left and upwards, right
// and descent to the right and downwards.
type Metrics struct {
	Width                               float64
	ActualLeft, ActualRight             float64
	ActualAscent, ActualDescent         float64
	FontAscent, FontDescent             float64
	EmAscent, EmDescent                 float64
	HangingBaseline, AlphabeticBaseline float64
	IdeographicBaseline                 float64
}

// extents are vertical measures of a face, all ≥ 0 in common faces: up for ascents and the
// hanging baseline, down for descents and the ideographic baseline.
type extents struct {
	ascent, descent     float64
	emAscent, emDescent float64
	hanging, ideograph  float64
}

type box struct{ x0, y0, x1, y1 float64 }

// Offset returns where the left end of the alphabetic baseline is, relative to the point at
// which the text is drawn.
func (l *Line) Offset(a Align, b Baseline) (dx, dy float64) {
	switch a {
	case AlignStart:
		if l.rtl {
			dx = -l.Advance
		}
	case AlignEnd:
		if !l.rtl {
			dx = -l.Advance
		}
	case AlignRight:
		dx = -l.Advance
	case AlignCenter:
		dx = -l.Advance / 2
	}
	p := l.primary
	switch b {
	case BaselineTop:
		dy = p.emAscent
	case BaselineHanging:
		dy = p.hanging
	case BaselineMiddle:
		dy = (p.emAscent - p.emDescent) / 2
	case BaselineIdeographic:
		dy = -p.ideograph
	case BaselineBottom:
		dy = -p.emDescent
	}
	return dx, dy
}

// Metrics measures the line as it is drawn with this alignment and baseline.
func (l *Line) Metrics(a Align, b Baseline) Metrics {
	dx, dy := l.Offset(a, b)
	p := l.primary
	m := Metrics{
		Width:               l.Advance,
		FontAscent:          p.ascent - dy,
		FontDescent:         p.descent + dy,
		EmAscent:            p.emAscent - dy,
		EmDescent:           p.emDescent + dy,
		HangingBaseline:     p.hanging - dy,
		AlphabeticBaseline:  -dy,
		IdeographicBaseline: -p.ideograph - dy,
	}
	if x0, y0, x1, y1, ok := l.Ink(); ok {
		m.ActualLeft, m.ActualRight = -(x0 + dx), x1+dx
		m.ActualAscent, m.ActualDescent = -(y0 + dy), y1+dy
	}
	return m
}

// Ink returns the smallest rectangle around what the glyphs paint, relative to the left end of
// the baseline. ok is false when they paint nothing.
func (l *Line) Ink() (x0, y0, x1, y1 float64, ok bool) {
	l.once.Do(l.measureInk)
	return l.box.x0, l.box.y0, l.box.x1, l.box.y1, l.inked
}

func (l *Line) measureInk() {
	for i := range l.Glyphs {
		g := &l.Glyphs[i]
		ink, ok := g.ink()
		if !ok {
			continue
		}
		if !l.inked {
			l.box, l.inked = ink, true
			continue
		}
		l.box.add(ink.x0, ink.y0)
		l.box.add(ink.x1, ink.y1)
	}
}
