package svg

import (
	"math"
	"strings"
	"unicode/utf8"

	"quicksand/canvas"
	"quicksand/canvas/geometry"
	"quicksand/canvas/text"
)

// Limits of text elements.
const (
	maxCharacters = 100_000 // of one text element
	maxPositions  = 10_000  // of one list of x, y, dx, dy or rotate
)

// A run is characters of one style that are set together.
type run struct {
	text       string
	st         *style
	x, y       float64 // absolute position, where hasX and hasY
	hasX, hasY bool
	dx, dy     float64
	rotate     float64 // degrees

	line *text.Line
	// Where the left end of its baseline is, once it is laid out.
	atX, atY float64
}

// textReader makes runs of a text element ("SVG 2", 11).
type textReader struct {
	r     *renderer
	runs  []run
	last  []byte // the text of the last run
	count int    // characters
	// space is true where a space that follows is to be left out.
	space bool
	// open are the elements around the reader, with where their characters begin.
	open []positions
}

// positions are the lists of an element; at is the number of its characters so far.
type positions struct {
	x, y, dx, dy []float64
	rotate       []float64
	at           int
}

func nth(list []float64, i int) (float64, bool) {
	if i < len(list) {
		return list[i], true
	}
	return 0, false
}

func (r *renderer) positions(n *node, f *frame) positions {
	list := func(name string, whole float64) []float64 {
		ls := parseLengths(n.attr(name), maxPositions)
		out := make([]float64, len(ls))
		for i, l := range ls {
			out[i] = l.px(f.st.units(), whole)
		}
		return out
	}
	p := positions{x: list("x", f.port.w), y: list("y", f.port.h), dx: list("dx", f.port.w), dy: list("dy", f.port.h)}
	p.rotate, _ = parseNumbers(n.attr("rotate"), maxPositions)
	return p
}

// read adds the characters of an element, whose style is that of f.
func (t *textReader) read(n *node, f frame) error {
	if t.r.depth++; t.r.depth > MaxDepth {
		return limitError("elements within each other, those of use included,", MaxDepth)
	}
	defer func() { t.r.depth-- }()
	t.open = append(t.open, t.r.positions(n, &f))
	defer func() { t.open = t.open[:len(t.open)-1] }()
	for _, c := range n.children {
		switch c.name {
		case "":
			if err := t.add(c.text, &f.st); err != nil {
				return err
			}
		case "tspan", "a":
			if err := t.r.count(); err != nil {
				return err
			}
			inside := f
			inside.st = f.st.of(c)
			if !inside.st.shown {
				continue
			}
			if err := t.read(c, inside); err != nil {
				return err
			}
		}
	}
	return nil
}

// add adds characters with the positions that the open elements have for them.
func (t *textReader) add(s string, st *style) error {
	fresh := true // a new run at the first character of each piece
	for _, c := range s {
		if c == '\n' || c == '\t' || c == '\r' {
			c = ' '
		}
		if c == ' ' && !st.preserve {
			if t.space {
				continue
			}
			t.space = true
		} else {
			t.space = false
		}
		if t.count++; t.count > maxCharacters {
			return limitError("characters of a text", maxCharacters)
		}
		var next run
		moved := false
		for i := range t.open {
			p := &t.open[i]
			// The innermost element that says something counts.
			if v, ok := nth(p.x, p.at); ok {
				next.x, next.hasX, moved = v, true, true
			}
			if v, ok := nth(p.y, p.at); ok {
				next.y, next.hasY, moved = v, true, true
			}
			if v, ok := nth(p.dx, p.at); ok {
				next.dx, moved = v, true
			}
			if v, ok := nth(p.dy, p.at); ok {
				next.dy, moved = v, true
			}
			if n := len(p.rotate); n > 0 {
				next.rotate, moved = p.rotate[min(p.at, n-1)], true
			}
			p.at++
		}
		if fresh || moved {
			t.flush()
			next.st = st
			t.runs = append(t.runs, next)
			fresh = false
		}
		t.last = utf8.AppendRune(t.last, c)
	}
	t.flush()
	return nil
}

// flush gives the last run its text.
func (t *textReader) flush() {
	if len(t.last) > 0 {
		t.runs[len(t.runs)-1].text = string(t.last)
		t.last = t.last[:0]
	}
}

// layout makes the runs of a text element and gives each its place.
func (r *renderer) layout(n *node, f frame) ([]run, error) {
	t := &textReader{r: r, space: true}
	if err := t.read(n, f); err != nil {
		return nil, err
	}
	runs := t.runs
	// A space at the end is left out.
	for i := len(runs) - 1; i >= 0 && !runs[i].st.preserve; i-- {
		runs[i].text = strings.TrimSuffix(runs[i].text, " ")
		if runs[i].text != "" {
			break
		}
	}
	x, y := 0.0, 0.0
	for i := 0; i < len(runs); {
		// A chunk ends before the next absolute position.
		end := i + 1
		for end < len(runs) && !runs[end].hasX && !runs[end].hasY {
			end++
		}
		if runs[i].hasX {
			x = runs[i].x
		}
		if runs[i].hasY {
			y = runs[i].y
		}
		start, low, high := x, math.Inf(1), math.Inf(-1)
		for k := i; k < end; k++ {
			q := &runs[k]
			font, ok := canvas.ParseFont(q.st.shorthand())
			if !ok {
				font, _ = canvas.ParseFont("16px serif")
				font.Size = q.st.fontSize
			}
			var err error
			q.line, err = r.o.Fonts.Shape(r.ctx, font, text.Options{LetterSpacing: q.st.letterSpacing, WordSpacing: q.st.wordSpacing, RTL: q.st.rtl}, q.text)
			if err != nil {
				return nil, err
			}
			x, y = x+q.dx, y+q.dy
			q.atX, q.atY = x, y+baselineShift(q)
			low = min(low, x)
			x += q.line.Advance
			high = max(high, x)
		}
		shift := 0.0
		anchor := runs[i].st.anchor
		if runs[i].st.rtl {
			anchor = map[string]string{"start": "end", "end": "start", "middle": "middle"}[anchor]
		}
		switch anchor {
		case "middle":
			shift = start - (low+high)/2
		case "end":
			shift = start - high
		}
		for k := i; k < end; k++ {
			runs[k].atX += shift
		}
		x += shift
		i = end
	}
	return runs, nil
}

// baselineShift is how far below its y a run's alphabetic baseline is.
func baselineShift(q *run) float64 {
	var b text.Baseline
	switch q.st.baseline {
	case "middle":
		// Half of the x height, for which CSS has half of an em when it is not known.
		return q.st.fontSize/4 - q.st.shift
	case "central":
		b = text.BaselineMiddle
	case "hanging":
		b = text.BaselineHanging
	case "text-before-edge", "text-top", "before-edge", "top":
		b = text.BaselineTop
	case "text-after-edge", "text-bottom", "after-edge", "ideographic", "bottom":
		b = text.BaselineIdeographic
	default:
		return -q.st.shift
	}
	_, dy := q.line.Offset(text.AlignLeft, b)
	return dy - q.st.shift
}

// matrix takes the run's own space, with its baseline at the origin, to user space.
func (q *run) matrix() geometry.Matrix {
	m := geometry.Matrix{A: 1, D: 1, E: q.atX, F: q.atY}
	if q.rotate != 0 {
		m = m.Rotate(q.rotate * math.Pi / 180)
	}
	return m
}

// text draws a text element.
func (r *renderer) text(n *node, f frame) error {
	runs, err := r.layout(n, f)
	if err != nil {
		return err
	}
	for i := range runs {
		q := &runs[i]
		if !q.st.visible || q.st.fontSize == 0 {
			continue
		}
		inside := f
		inside.st = *q.st
		if err := r.drawRun(q, runs, inside); err != nil {
			return err
		}
	}
	return nil
}

// drawRun draws a run with its decoration.
func (r *renderer) drawRun(q *run, runs []run, f frame) error {
	if q.st.underline || q.st.overline {
		// Of the font's own measures none is at hand; these are common.
		if err := r.decorate(q, q.st.underline, 0.1, f); err != nil {
			return err
		}
		if err := r.decorate(q, q.st.overline, -0.9, f); err != nil {
			return err
		}
	}
	if q.rotate == 0 && r.plain(q) {
		if err := r.plainRun(q, f); err != nil {
			return err
		}
	} else {
		p := &geometry.Path{}
		q.line.AppendOutline(p, q.matrix())
		if r.segments += p.Len(); r.segments > MaxSegments {
			return limitError("segments of paths", MaxSegments)
		}
		if !p.Empty() {
			// Paints relate to the box of the whole text.
			of := &geometry.Path{}
			e := nowhere
			for i := range runs {
				e = e.union(transformed(runs[i].box(), runs[i].matrix()))
			}
			of.Rect(e.x0, e.y0, e.x1-e.x0, e.y1-e.y0)
			f.st.fillRule = canvas.NonZero
			do := func(stroke bool) error {
				if !stroke {
					return r.fillPath(p, of, f.st.fill, f.st.fillOpacity, canvas.NonZero, f)
				}
				if w := f.st.strokeWidth.px(f.st.units(), diagonal(f.port)); w > 0 {
					return r.strokePath(p, w, f)
				}
				return nil
			}
			if err := do(f.st.strokeFirst); err != nil {
				return err
			}
			if err := do(!f.st.strokeFirst); err != nil {
				return err
			}
		}
	}
	return r.decorate(q, q.st.lineThrough, -0.3, f)
}

// plain reports whether a run is only filled, with a colour.
func (r *renderer) plain(q *run) bool {
	return q.st.stroke.none && q.st.stroke.ref == "" && q.st.fill.ref == ""
}

func (r *renderer) plainRun(q *run, f frame) error {
	c := alphaOf(q.st.fill.colour, q.st.fillOpacity)
	if q.st.fill.none || c[3] == 0 {
		return nil
	}
	r.c.Save()
	defer r.c.Restore()
	r.matrix(f.m)
	if !r.c.SetFont(q.st.shorthand()) {
		s := *q.st
		s.fontFamily = "serif"
		r.c.SetFont(s.shorthand())
	}
	r.c.SetFillColour(c)
	r.c.SetTextAlign(text.AlignLeft)
	r.c.SetLetterSpacing(canvas.Length{Value: q.st.letterSpacing, Unit: "px"}.String())
	r.c.SetWordSpacing(canvas.Length{Value: q.st.wordSpacing, Unit: "px"}.String())
	if q.st.rtl {
		r.c.SetDirection(canvas.RTL)
	}
	r.c.FillText(q.text, q.atX, q.atY)
	return r.ctx.Err()
}

// decorate draws a line along a run, at a part of its font's size below the baseline.
func (r *renderer) decorate(q *run, on bool, at float64, f frame) error {
	if !on || q.line.Advance <= 0 {
		return nil
	}
	s := q.st.fontSize
	p := &geometry.Path{}
	p.SetTransform(q.matrix())
	p.Rect(0, at*s, q.line.Advance, s*0.06)
	return r.fillPath(p, p, f.st.fill, f.st.fillOpacity, canvas.NonZero, f)
}

// box is the rectangle of a run in its own space: its advance by its font's height.
func (q *run) box() rect {
	m := q.line.Metrics(text.AlignLeft, text.BaselineAlphabetic)
	return rect{0, -m.FontAscent, q.line.Advance, m.FontAscent + m.FontDescent}
}

// textExtent is the extent of a text element.
func (r *renderer) textExtent(n *node, f frame, ink bool) (extent, error) {
	runs, err := r.layout(n, f)
	if err != nil {
		return nowhere, err
	}
	e := nowhere
	for i := range runs {
		if runs[i].text == "" {
			continue
		}
		b := transformed(runs[i].box(), f.m.Mul(runs[i].matrix()))
		if ink {
			// Glyphs may be larger than their advance.
			b = b.grown((runs[i].st.fontSize + runs[i].st.strokeWidth.px(f.st.units(), diagonal(f.port))*2) * f.m.MaxScale())
		}
		e = e.union(b)
	}
	return e, nil
}
