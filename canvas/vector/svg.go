package vector

import (
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strconv"

	"quicksand/canvas"
	"quicksand/canvas/geometry"
	"quicksand/canvas/text"
	"quicksand/media/image"
)

// svgWriter writes SVG: definitions first, then shapes. Each shape is a path with its
// transform; what holds in device space (clip, filter, shadow, blend mode) is on a group
// around it, because there it is not transformed.
type svgWriter struct {
	*job
	defs, body []byte
	ids        int
	clip       *canvas.Clip // of the group that is open, nil without one

	clips     map[*canvas.Clip]string
	gradients map[*canvas.Gradient]string
	patterns  map[patternKey]string
	strips    map[*canvas.Pattern]string
	images    map[imageKey]string
	outlines  map[glyphKey]string // of glyphs; "" for one without

	// eraser is the inside of the mask, of what is erased, around all of the body; it ends when
	// the body grows beyond erased.
	eraser   []byte
	eraserID string
	erased   int
}

type glyphKey struct {
	face *text.Face
	id   uint32
	size float64
}

type patternKey struct {
	p      *canvas.Pattern
	smooth bool
}

type imageKey struct {
	s          *image.Surface
	x, y, w, h int
}

func newSVGWriter(j *job) *svgWriter {
	return &svgWriter{
		job: j, clips: map[*canvas.Clip]string{}, gradients: map[*canvas.Gradient]string{},
		patterns: map[patternKey]string{}, strips: map[*canvas.Pattern]string{}, images: map[imageKey]string{}, outlines: map[glyphKey]string{},
	}
}

// mode implements writer. What weakens that which was drawn before becomes a mask around it,
// what is drawn below comes before it.
func (w *svgWriter) mode(d *canvas.Draw) support {
	switch {
	case d.Kind == canvas.DrawClear:
		return wraps
	case d.Mode == image.SourceOver, d.Mode == image.Lighter, d.Mode >= image.Multiply:
		return draws
	case d.Mode == image.DestinationOut, d.Mode == image.DestinationIn, d.Mode == image.DestinationOver, d.Mode == image.Copy:
		return wraps
	}
	return lacks
}

func (w *svgWriter) memory() int64 { return int64(w.size()) }

func (w *svgWriter) size() int { return len(w.defs) + len(w.body) + len(w.eraser) }

func (w *svgWriter) background(c [4]uint8) error {
	w.body = fmt.Appendf(w.body, `<path d="M0 0H%dV%dH0Z"`, w.width, w.height)
	w.body = append(w.body, w.colour("fill", c, 1)...)
	w.body = append(w.body, "/>\n"...)
	return nil
}

func (w *svgWriter) finish() ([]byte, error) {
	w.group(nil)
	w.endEraser()
	out := fmt.Appendf(nil, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", w.width, w.height, w.width, w.height)
	if len(w.defs) > 0 {
		out = append(out, "<defs>\n"...)
		out = append(out, w.defs...)
		out = append(out, "</defs>\n"...)
	}
	out = append(out, w.body...)
	return append(out, "</svg>\n"...), nil
}

func (w *svgWriter) id(kind string) string {
	w.ids++
	return kind + strconv.Itoa(w.ids)
}

// group closes the group of another clip and opens one for this.
func (w *svgWriter) group(c *canvas.Clip) {
	if c == w.clip {
		return
	}
	if w.clip != nil {
		w.body = append(w.body, "</g>\n"...)
	}
	if w.clip = c; c != nil {
		w.body = fmt.Appendf(w.body, "<g clip-path=\"url(#%s)\">\n", w.clipID(c))
	}
}

func (w *svgWriter) clipID(c *canvas.Clip) string {
	if id := w.clips[c]; id != "" {
		return id
	}
	// From the outermost, so that no stack grows with the guest's calls of clip.
	var list []*canvas.Clip
	for ; c != nil && w.clips[c] == ""; c = c.Parent {
		list = append(list, c)
	}
	id := ""
	for _, c := range slices.Backward(list) {
		id = w.id("c")
		w.clips[c] = id
		w.defs = fmt.Appendf(w.defs, `<clipPath id="%s"`, id)
		if c.Parent != nil {
			w.defs = fmt.Appendf(w.defs, ` clip-path="url(#%s)"`, w.clips[c.Parent])
		}
		w.defs = append(w.defs, `><path d="`...)
		w.defs = appendPath(w.defs, c.Path, false)
		w.defs = append(w.defs, '"')
		if c.Rule == canvas.EvenOdd {
			w.defs = append(w.defs, ` clip-rule="evenodd"`...)
		}
		w.defs = append(w.defs, "/></clipPath>\n"...)
	}
	return id
}

func (w *svgWriter) draw(d *canvas.Draw) error {
	if w.mode(d) == wraps {
		return w.wrap(d)
	}
	style := ""
	if len(d.Filter) > 0 {
		style = filterCSS(d.Filter)
	}
	if d.Shadow.Visible() {
		if style != "" {
			style += " "
		}
		style += dropShadow(d.Shadow.X, d.Shadow.Y, d.Shadow.Blur/2, d.Shadow.Colour)
	}
	if style != "" {
		style = "filter:" + style
	}
	switch {
	case d.Mode == image.Lighter:
		style += ";mix-blend-mode:plus-lighter"
	case d.Mode != image.SourceOver:
		style += ";mix-blend-mode:" + d.Mode.String()
	}
	if style == "" {
		w.group(d.Clip)
		return w.shape(d)
	}
	// A clip on a group around would hide from a blend mode what is behind.
	w.group(nil)
	if style[0] == ';' {
		style = style[1:]
	}
	w.body = fmt.Appendf(w.body, `<g style="%s"`, style)
	if d.Clip != nil {
		w.body = fmt.Appendf(w.body, ` clip-path="url(#%s)"`, w.clipID(d.Clip))
	}
	w.body = append(w.body, ">\n"...)
	if err := w.shape(d); err != nil {
		return err
	}
	w.body = append(w.body, "</g>\n"...)
	return nil
}

// glyphs implements writer: text of one opaque colour, in which glyphs that overlap do not
// show, with nothing around it that has to see it as a whole.
func (w *svgWriter) glyphs(d *canvas.Draw) bool {
	if d.Outline || d.Text.Coloured() || d.Paint.Gradient != nil || d.Paint.Pattern != nil || d.Paint.Colour[3] != 255 || d.Alpha < 1 ||
		d.Mode != image.SourceOver || len(d.Filter) > 0 || d.Shadow.Visible() {
		return false
	}
	w.group(d.Clip)
	start := len(w.body)
	w.body = append(w.body, "<g"...)
	w.body = appendTransform(w.body, "transform", d.Matrix.Mul(geometry.Matrix{A: d.Condense, D: 1, E: d.X, F: d.Y}))
	w.body = append(w.body, w.colour("fill", d.Paint.Colour, 1)...)
	w.body = append(w.body, ">\n"...)
	inked := false
	for i := range d.Text.Glyphs {
		if w.ctx.Err() != nil {
			break // the next draw ends
		}
		g := &d.Text.Glyphs[i]
		key := glyphKey{g.Face, g.ID, g.Size}
		id, known := w.outlines[key]
		if !known {
			one := *g
			one.X, one.Y = 0, 0
			p := &geometry.Path{}
			one.AppendOutline(p, geometry.Identity)
			if !p.Empty() {
				id = w.id("t")
				w.defs = fmt.Appendf(w.defs, `<path id="%s" d="`, id)
				w.defs = appendPath(w.defs, p, false)
				w.defs = append(w.defs, "\"/>\n"...)
			}
			w.outlines[key] = id
		}
		if id != "" {
			inked = true
			w.body = fmt.Appendf(w.body, `<use href="#%s" x="%s"`, id, number(g.X, 7))
			if g.Y != 0 {
				w.body = fmt.Appendf(w.body, ` y="%s"`, number(g.Y, 7))
			}
			w.body = append(w.body, "/>\n"...)
		}
	}
	if w.body = append(w.body, "</g>\n"...); !inked {
		w.body = w.body[:start]
	}
	return true
}

// wrap draws what changes all that was drawn before.
func (w *svgWriter) wrap(d *canvas.Draw) error {
	w.group(nil)
	before := w.body
	w.body = nil
	one := *d
	one.Mode = image.SourceOver
	var err error
	switch {
	case d.Kind == canvas.DrawClear:
		one = canvas.Draw{Kind: canvas.DrawFill, Matrix: d.PathMatrix, PathMatrix: d.PathMatrix, Path: d.Path, Paint: canvas.Paint{Colour: [4]uint8{3: 255}}, Alpha: 1, Clip: d.Clip}
		err = w.draw(&one)
	case d.Kind == canvas.DrawText:
		err = eachOfText(w.ctx, &one, w.o.Limits, w.job.draw)
	default:
		err = w.draw(&one)
	}
	if err != nil {
		return err
	}
	w.group(nil)
	shape := w.body
	w.body = nil
	group := func(attributes string) {
		w.body = append(w.body, "<g "+attributes+">\n"...)
		w.body = append(w.body, before...)
		w.body = append(w.body, "</g>\n"...)
	}
	if d.Kind != canvas.DrawClear && d.Mode == image.DestinationOver {
		w.body = shape
		group(`style="isolation:isolate"`)
		return nil
	}
	if erases(d) {
		if w.eraserID != "" && len(before) == w.erased {
			w.eraser = append(w.eraser, shape...)
			w.body = before
			return nil
		}
		w.endEraser()
		w.eraserID, w.eraser = w.id("m"), shape
		group(fmt.Sprintf(`mask="url(#%s)"`, w.eraserID))
		w.erased = len(w.body)
		return nil
	}
	clip := ""
	if d.Clip != nil {
		clip = w.clipID(d.Clip) // defined before the mask is
	}
	id := w.id("m")
	w.mask(id)
	if clip == "" {
		w.defs = append(w.defs, " style=\"mask-type:alpha\">\n"...)
		w.defs = append(append(w.defs, shape...), "</mask>\n"...)
	} else {
		// White outside of the clip, black inside, and for destination-in the shape in white.
		w.defs = fmt.Appendf(w.defs, "><path d=\"%s\" fill=\"#fff\"/><path d=\"%s\" clip-path=\"url(#%s)\"/>", w.whole(), w.whole(), clip)
		if d.Mode == image.DestinationIn {
			w.defs = append(w.defs, "<g style=\"filter:brightness(0) invert(1)\">\n"...)
			w.defs = append(append(w.defs, shape...), "</g>"...)
		}
		w.defs = append(w.defs, "</mask>\n"...)
	}
	group(fmt.Sprintf(`mask="url(#%s)"`, id))
	if d.Mode == image.Copy {
		w.body = append(w.body, shape...)
	}
	return nil
}

// endEraser defines the mask of what is erased: white, with the shapes in black.
func (w *svgWriter) endEraser() {
	if w.eraserID == "" {
		return
	}
	w.mask(w.eraserID)
	w.defs = fmt.Appendf(w.defs, "><path d=\"%s\" fill=\"#fff\"/><g style=\"filter:brightness(0)\">\n", w.whole())
	w.defs = append(append(w.defs, w.eraser...), "</g></mask>\n"...)
	w.eraserID, w.eraser = "", nil
}

// mask begins the definition of a mask over the whole surface, whose tag is left open.
func (w *svgWriter) mask(id string) {
	w.defs = fmt.Appendf(w.defs, `<mask id="%s" maskUnits="userSpaceOnUse" x="0" y="0" width="%d" height="%d"`, id, w.width, w.height)
}

// whole is path data of the whole surface.
func (w *svgWriter) whole() string { return fmt.Sprintf("M0 0H%dV%dH0Z", w.width, w.height) }

func (w *svgWriter) shape(d *canvas.Draw) error {
	if d.Kind == canvas.DrawImage {
		return w.image(d)
	}
	g := d.Paint.Gradient
	if g != nil && paintsNothing(g) || d.Paint.Pattern == nil && g == nil && d.Paint.Colour[3] == 0 {
		return nil
	}
	if g != nil {
		ok := g.Type == canvas.Linear
		if g.Type == canvas.Radial {
			ok, _ = nested(g.Coords)
		}
		if !ok {
			return w.asPixels(d, "gradients that SVG does not have: the shape is pixels")
		}
	}
	stroke := d.Kind == canvas.DrawStroke
	p, m := d.Path, d.PathMatrix
	if stroke || g != nil || d.Paint.Pattern != nil {
		if p, m = inUser(d), d.Matrix; p == nil {
			return nil
		}
	}
	w.body = append(w.body, `<path d="`...)
	w.body = appendPath(w.body, p, stroke)
	w.body = append(w.body, '"')
	w.body = appendTransform(w.body, "transform", m)
	name := "fill"
	if stroke {
		name = "stroke"
		w.body = append(w.body, ` fill="none"`...)
	}
	switch {
	case g != nil:
		w.body = fmt.Appendf(w.body, ` %s="url(#%s)"`, name, w.gradient(g))
		w.body = append(w.body, opacity(name, d.Alpha)...)
	case d.Paint.Pattern != nil:
		id, err := w.pattern(d.Paint.Pattern, d.Smoothing)
		if err != nil {
			return err
		}
		w.body = fmt.Appendf(w.body, ` %s="url(#%s)"`, name, id)
		w.body = append(w.body, opacity(name, d.Alpha)...)
		if strip := w.strip(d.Paint.Pattern); strip != "" {
			w.body = fmt.Appendf(w.body, ` clip-path="url(#%s)"`, strip)
		}
	default:
		w.body = append(w.body, w.colour(name, d.Paint.Colour, d.Alpha)...)
	}
	if stroke {
		w.body = append(w.body, strokeAttributes(d.Line)...)
	} else if d.Rule == canvas.EvenOdd {
		w.body = append(w.body, ` fill-rule="evenodd"`...)
	}
	w.body = append(w.body, "/>\n"...)
	return nil
}

// asPixels draws one thing as a picture. Shadow and filter are on the group around it.
func (w *svgWriter) asPixels(d *canvas.Draw, note string) error {
	w.note(note)
	one := *d
	one.Filter, one.Shadow = nil, canvas.Shadow{}
	s, x, y, err := w.pixelsOf(&one)
	if err != nil || s == nil {
		return err
	}
	return w.image(whole(s, x, y))
}

// colour is the attributes for a straight colour.
func (w *svgWriter) colour(name string, c [4]uint8, alpha float64) string {
	return fmt.Sprintf(` %s="#%02x%02x%02x"`, name, c[0], c[1], c[2]) + opacity(name, float64(c[3])/255*alpha)
}

func opacity(name string, a float64) string {
	if a >= 1 {
		return ""
	}
	return ` ` + name + `-opacity="` + number(a, 5) + `"`
}

func strokeAttributes(o geometry.StrokeOptions) string {
	s := ` stroke-width="` + number(o.Width, 7) + `"`
	if o.Cap != 0 {
		s += ` stroke-linecap="` + canvas.LineCaps[o.Cap] + `"`
	}
	if o.Join != 0 {
		s += ` stroke-linejoin="` + canvas.LineJoins[o.Join] + `"`
	} else {
		// SVG has no limit below 1; with 1 every corner is a bevel already.
		s += ` stroke-miterlimit="` + number(max(o.MiterLimit, 1), 7) + `"`
	}
	if len(o.Dashes) > 0 {
		s += ` stroke-dasharray="`
		for i, v := range o.Dashes {
			if i > 0 {
				s += " "
			}
			s += number(v, 7)
		}
		s += `"`
		if o.DashOffset != 0 {
			s += ` stroke-dashoffset="` + number(o.DashOffset, 7) + `"`
		}
	}
	return s
}

func (w *svgWriter) gradient(g *canvas.Gradient) string {
	if id := w.gradients[g]; id != "" {
		return id
	}
	id := w.id("g")
	w.gradients[g] = id
	c := g.Coords
	stops := sortedStops(g)
	name := "linearGradient"
	if g.Type == canvas.Linear {
		w.defs = fmt.Appendf(w.defs, `<linearGradient id="%s" gradientUnits="userSpaceOnUse" x1="%s" y1="%s" x2="%s" y2="%s">`, id, number(c[0], 9), number(c[1], 9), number(c[2], 9), number(c[3], 9))
	} else {
		name = "radialGradient"
		if _, swapped := nested(c); swapped {
			// The focal circle is always the inner one.
			c = [6]float64{c[3], c[4], c[5], c[0], c[1], c[2]}
			slices.Reverse(stops)
			for i := range stops {
				stops[i].Offset = 1 - stops[i].Offset
			}
		}
		w.defs = fmt.Appendf(w.defs, `<radialGradient id="%s" gradientUnits="userSpaceOnUse" fx="%s" fy="%s" fr="%s" cx="%s" cy="%s" r="%s">`, id, number(c[0], 9), number(c[1], 9), number(c[2], 9), number(c[3], 9), number(c[4], 9), number(c[5], 9))
	}
	for _, s := range stops {
		w.defs = fmt.Appendf(w.defs, `<stop offset="%s" stop-color="#%02x%02x%02x"%s/>`, number(s.Offset, 9), s.Colour[0], s.Colour[1], s.Colour[2], opacity("stop", float64(s.Colour[3])/255))
	}
	w.defs = append(w.defs, "</"+name+">\n"...)
	return id
}

// sortedStops are the stops by offset, those of one offset in their order.
func sortedStops(g *canvas.Gradient) []canvas.Stop {
	stops := slices.Clone(g.Stops)
	slices.SortStableFunc(stops, func(a, b canvas.Stop) int {
		switch {
		case a.Offset < b.Offset:
			return -1
		case a.Offset > b.Offset:
			return 1
		}
		return 0
	})
	return stops
}

func (w *svgWriter) pattern(p *canvas.Pattern, smooth bool) (string, error) {
	key := patternKey{p, smooth}
	if id := w.patterns[key]; id != "" {
		return id, nil
	}
	picture, err := w.picture(p.Image, 0, 0, p.Image.Width, p.Image.Height)
	if err != nil {
		return "", err
	}
	id := w.id("p")
	w.patterns[key] = id
	w.defs = fmt.Appendf(w.defs, `<pattern id="%s" patternUnits="userSpaceOnUse" width="%d" height="%d"`, id, p.Image.Width, p.Image.Height)
	w.defs = appendTransform(w.defs, "patternTransform", p.Matrix)
	w.defs = fmt.Appendf(w.defs, `><use href="#%s"`, picture)
	if !smooth {
		w.defs = append(w.defs, ` image-rendering="pixelated"`...)
	}
	w.defs = append(w.defs, "/></pattern>\n"...)
	return id, nil
}

// beyond is farther than anything that is seen, in pixels of a picture.
const beyond = 1 << 20

// strip is a clip for a pattern that does not repeat in all directions, "" for one that does.
func (w *svgWriter) strip(p *canvas.Pattern) string {
	if p.Repetition == canvas.Repeat {
		return ""
	}
	if id := w.strips[p]; id != "" {
		return id
	}
	id := w.id("c")
	w.strips[p] = id
	r := stripOf(p)
	w.defs = fmt.Appendf(w.defs, `<clipPath id="%s"><path d="M%s %sH%sV%sH%sZ"`, id, number(r.X0, 7), number(r.Y0, 7), number(r.X1, 7), number(r.Y1, 7), number(r.X0, 7))
	w.defs = appendTransform(w.defs, "transform", p.Matrix)
	w.defs = append(w.defs, "/></clipPath>\n"...)
	return id
}

// stripOf is where a pattern shows, in pixels of its picture.
func stripOf(p *canvas.Pattern) geometry.Rect {
	r := geometry.Rect{X1: float64(p.Image.Width), Y1: float64(p.Image.Height)}
	if p.Repetition == canvas.RepeatX {
		r.X0, r.X1 = -beyond, beyond
	}
	if p.Repetition == canvas.RepeatY {
		r.Y0, r.Y1 = -beyond, beyond
	}
	return r
}

// picture defines a picture of a part of a surface.
func (w *svgWriter) picture(s *image.Surface, x, y, width, height int) (string, error) {
	key := imageKey{s, x, y, width, height}
	if id := w.images[key]; id != "" {
		return id, nil
	}
	if width != s.Width || height != s.Height {
		s = part(s, x, y, width, height)
	}
	data, err := image.FromSurface(s).Encode(w.ctx, image.PNG, [4]uint8{}, image.EncodeOptions{})
	if err != nil {
		return "", err
	}
	if n := w.size() + base64.StdEncoding.EncodedLen(len(data)); n > w.o.MaxBytes {
		return "", w.tooLarge(n)
	}
	id := w.id("i")
	w.images[key] = id
	w.defs = fmt.Appendf(w.defs, `<image id="%s" width="%d" height="%d" href="data:image/png;base64,`, id, width, height)
	w.defs = base64.StdEncoding.AppendEncode(w.defs, data)
	w.defs = append(w.defs, "\"/>\n"...)
	return id, nil
}

// integral is a source rectangle in whole pixels, if it is one.
func integral(r image.Rect, s *image.Surface) (x, y, w, h int, ok bool) {
	x, y, w, h = int(r.X), int(r.Y), int(r.Width), int(r.Height)
	ok = float64(x) == r.X && float64(y) == r.Y && float64(w) == r.Width && float64(h) == r.Height && x >= 0 && y >= 0 && w > 0 && h > 0 && x+w <= s.Width && y+h <= s.Height
	return x, y, w, h, ok
}

func (w *svgWriter) image(d *canvas.Draw) error {
	src, t := d.Source, d.Target
	if src.Width <= 0 || src.Height <= 0 {
		return nil
	}
	x, y, width, height, ok := integral(src, d.Image)
	if !ok {
		x, y, width, height = 0, 0, d.Image.Width, d.Image.Height
	}
	id, err := w.picture(d.Image, x, y, width, height)
	if err != nil {
		return err
	}
	attributes := ""
	if d.Alpha < 1 {
		attributes = ` opacity="` + number(d.Alpha, 5) + `"`
	}
	if !d.Smoothing {
		attributes += ` image-rendering="pixelated"`
	}
	if ok {
		m := d.Matrix.Mul(geometry.Matrix{A: t.Width / src.Width, D: t.Height / src.Height, E: t.X, F: t.Y})
		w.body = fmt.Appendf(w.body, `<use href="#%s"`, id)
		w.body = appendTransform(w.body, "transform", m)
		w.body = append(w.body, attributes+"/>\n"...)
		return nil
	}
	w.body = append(w.body, `<g`...)
	w.body = appendTransform(w.body, "transform", d.Matrix)
	w.body = fmt.Appendf(w.body, `%s><svg x="%s" y="%s" width="%s" height="%s" viewBox="%s %s %s %s" preserveAspectRatio="none"><use href="#%s"/></svg></g>`+"\n", attributes,
		number(t.X, 9), number(t.Y, 9), number(t.Width, 9), number(t.Height, 9), number(src.X, 9), number(src.Y, 9), number(src.Width, 9), number(src.Height, 9), id)
	return nil
}

// number writes a number with so many digits that count.
func number(v float64, digits int) string {
	return string(appendNumber(nil, v, digits))
}

func appendNumber(b []byte, v float64, digits int) []byte {
	if v == 0 || math.IsNaN(v) {
		return append(b, '0') // not -0
	}
	from := len(b)
	b = strconv.AppendFloat(b, v, 'g', digits, 64)
	// Digits after a point may be zeros that say nothing: 'g' leaves them out already. An
	// exponent is written without its sign and zeros.
	if i := slices.Index(b[from:], 'e'); i >= 0 {
		exponent, _ := strconv.Atoi(string(b[from+i+1:]))
		b = append(b[:from+i+1], strconv.Itoa(exponent)...)
	}
	return b
}

// appendPath writes path data. Without dots, subpaths without a length are left out, which SVG
// would draw with round and square ends, and the canvas does not.
func appendPath(b []byte, p *geometry.Path, noDots bool) []byte {
	point := func(q geometry.Point) {
		b = appendNumber(b, q.X, 7)
		if y := appendNumber(nil, q.Y, 7); y[0] == '-' {
			b = append(b, y...)
		} else {
			b = append(append(b, ' '), y...)
		}
	}
	var at, first geometry.Point
	start := len(b) // of the subpath
	dot := true
	flush := func() {
		if noDots && dot {
			b = b[:start]
		}
	}
	last := geometry.Kind(255)
	p.Each(func(k geometry.Kind, q []geometry.Point) {
		switch k {
		case geometry.Move:
			flush()
			start, dot = len(b), true
			b = append(b, 'M')
			first = q[0]
		case geometry.Line:
			b = append(b, 'L')
		case geometry.Quad:
			b = append(b, 'Q')
		case geometry.Cubic:
			if last == geometry.Cubic {
				b = append(b, ' ')
			} else {
				b = append(b, 'C')
			}
		case geometry.Close:
			b = append(b, 'Z')
			at = first
		}
		for i, v := range q {
			if i > 0 {
				b = append(b, ' ')
			}
			point(v)
			if k != geometry.Move && v != at {
				dot = false
			}
		}
		if len(q) > 0 {
			at = q[len(q)-1]
		}
		last = k
	})
	flush()
	return b
}

// appendTransform writes a transform attribute, unless it does nothing.
func appendTransform(b []byte, name string, m geometry.Matrix) []byte {
	if m.IsIdentity() {
		return b
	}
	b = append(b, ' ')
	b = append(b, name...)
	b = append(b, `="matrix(`...)
	for i, v := range [6]float64{m.A, m.B, m.C, m.D, m.E, m.F} {
		if i > 0 {
			b = append(b, ' ')
		}
		b = appendNumber(b, v, 9)
	}
	return append(b, `)"`...)
}
