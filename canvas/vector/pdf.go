package vector

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"math"
	"strconv"

	"quicksand/canvas"
	"quicksand/canvas/geometry"
	"quicksand/media/image"
)

// pdfWriter writes PDF 1.7 (ISO 32000-1): one page whose content is in pixels with y
// downwards, under a matrix that makes points of them. It has streams compressed by flate,
// and no fonts, dates or identifiers.
type pdfWriter struct {
	*job
	objects [][]byte // object i+1
	body    bytes.Buffer
	bytes   int

	base geometry.Matrix // pixels to points

	images    map[imageKey]string
	named     map[string]bool // pictures that are resources
	patterns  map[pdfPattern]string
	gradients map[pdfGradient]string
	masks     map[pdfGradient]int // groups whose luminosity is the alpha of a gradient
	shadings  map[shadingKey]string
	states    map[string]string // ExtGState by its dictionary
	resources struct{ xobject, pattern, shading, state []byte }
}

type pdfPattern struct {
	p      *canvas.Pattern
	m      geometry.Matrix
	smooth bool
}

type pdfGradient struct {
	g *canvas.Gradient
	m geometry.Matrix
}

type shadingKey struct {
	g     *canvas.Gradient
	alpha bool
}

// Object numbers of what every file has.
const (
	pdfCatalog = 1 + iota
	pdfPages
	pdfPage
	pdfContent
	pdfResources
)

func newPDFWriter(j *job) *pdfWriter {
	const points = 72.0 / 96
	return &pdfWriter{
		job: j, objects: make([][]byte, pdfResources),
		base:   geometry.Matrix{A: points, D: -points, F: points * float64(j.height)},
		images: map[imageKey]string{}, named: map[string]bool{}, patterns: map[pdfPattern]string{}, gradients: map[pdfGradient]string{}, masks: map[pdfGradient]int{}, shadings: map[shadingKey]string{}, states: map[string]string{},
	}
}

// mode implements writer: PDF has those modes that have a name of their own there.
func (w *pdfWriter) mode(d *canvas.Draw) support {
	if d.Kind != canvas.DrawClear && (d.Mode == image.SourceOver || d.Mode >= image.Multiply) {
		return draws
	}
	return lacks
}

var pdfModes = [...]string{"Multiply", "Screen", "Overlay", "Darken", "Lighten", "ColorDodge", "ColorBurn", "HardLight", "SoftLight", "Difference", "Exclusion", "Hue", "Saturation", "Color", "Luminosity"}

// glyphs implements writer. Paths are compressed, which makes little of glyphs that recur.
func (w *pdfWriter) glyphs(*canvas.Draw) bool { return false }

func (w *pdfWriter) memory() int64 { return int64(w.bytes) + int64(w.body.Cap()) }

func (w *pdfWriter) size() int { return w.bytes + w.body.Len()/4 }

func (w *pdfWriter) put(format string, args ...any) { fmt.Fprintf(&w.body, format, args...) }

// object adds an object and gives its number.
func (w *pdfWriter) object(data []byte) int {
	w.objects = append(w.objects, data)
	w.bytes += len(data)
	return len(w.objects)
}

// stream is an object with a compressed stream. dict is what its dictionary has besides.
// When ctx ends, so does the stream.
func stream(ctx context.Context, dict string, data []byte) []byte {
	var z bytes.Buffer
	c := zlib.NewWriter(&z)
	for len(data) > 0 && ctx.Err() == nil {
		n := min(len(data), 256<<10)
		c.Write(data[:n]) // a buffer takes everything
		data = data[n:]
	}
	c.Close()
	out := fmt.Appendf(nil, "<<%s /Filter /FlateDecode /Length %d>>\nstream\n", dict, z.Len())
	out = append(out, z.Bytes()...)
	return append(out, "\nendstream"...)
}

func (w *pdfWriter) background(c [4]uint8) error {
	p := &geometry.Path{}
	p.Rect(0, 0, float64(w.width), float64(w.height))
	return w.draw(&canvas.Draw{Kind: canvas.DrawFill, Matrix: geometry.Identity, PathMatrix: geometry.Identity, Path: p, Paint: canvas.Paint{Colour: c}, Alpha: 1})
}

func (w *pdfWriter) finish() ([]byte, error) {
	pageW, pageH := pdfNumber(float64(w.width)*w.base.A), pdfNumber(w.base.F)
	w.objects[pdfCatalog-1] = fmt.Appendf(nil, "<</Type /Catalog /Pages %d 0 R>>", pdfPages)
	w.objects[pdfPages-1] = fmt.Appendf(nil, "<</Type /Pages /Count 1 /Kids [%d 0 R]>>", pdfPage)
	// The group says that colours blend as samples of sRGB.
	w.objects[pdfPage-1] = fmt.Appendf(nil, "<</Type /Page /Parent %d 0 R /MediaBox [0 0 %s %s] /Contents %d 0 R /Resources %d 0 R /Group <</S /Transparency /CS /DeviceRGB /I true>>>>", pdfPages, pageW, pageH, pdfContent, pdfResources)
	w.objects[pdfContent-1] = stream(w.ctx, "", append([]byte(matrix(w.base)+" cm\n"), w.body.Bytes()...))
	r := &w.resources
	w.objects[pdfResources-1] = fmt.Appendf(nil, "<</XObject <<%s>> /Pattern <<%s>> /Shading <<%s>> /ExtGState <<%s>>>>", r.xobject, r.pattern, r.shading, r.state)
	out := []byte("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n")
	offsets := make([]int, len(w.objects))
	for i, o := range w.objects {
		offsets[i] = len(out)
		out = fmt.Appendf(out, "%d 0 obj\n", i+1)
		out = append(out, o...)
		out = append(out, "\nendobj\n"...)
	}
	at := len(out)
	out = fmt.Appendf(out, "xref\n0 %d\n0000000000 65535 f \n", len(w.objects)+1)
	for _, o := range offsets {
		out = fmt.Appendf(out, "%010d 00000 n \n", o)
	}
	return fmt.Appendf(out, "trailer\n<</Size %d /Root %d 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(w.objects)+1, pdfCatalog, at), w.ctx.Err()
}

// pdfNumber writes a number without an exponent, which PDF does not have.
func pdfNumber(v float64) string {
	const most = 1e9 // readers hold numbers in 32 bits
	v = min(max(v, -most), most)
	s := strconv.FormatFloat(v, 'f', 5, 64)
	end := len(s)
	for s[end-1] == '0' {
		end--
	}
	if s[end-1] == '.' {
		end--
	}
	if s = s[:end]; s == "-0" {
		return "0"
	}
	return s
}

func matrix(m geometry.Matrix) string {
	s := ""
	for i, v := range [6]float64{m.A, m.B, m.C, m.D, m.E, m.F} {
		if i > 0 {
			s += " "
		}
		// More digits: these multiply coordinates.
		v = min(max(v, -1e9), 1e9)
		s += strconv.FormatFloat(math.Round(v*1e9)/1e9, 'f', -1, 64)
	}
	return s
}

func (w *pdfWriter) draw(d *canvas.Draw) error {
	if len(d.Filter) > 0 {
		return w.asPixels(d, "filters: the shape is pixels")
	}
	if d.Shadow.Visible() {
		w.note("shadows are pixels")
		s, x, y, err := w.shadowOf(d)
		if err != nil {
			return err
		}
		if s != nil {
			one := whole(s, x, y)
			one.Clip, one.Mode = d.Clip, d.Mode
			if err := w.draw(one); err != nil {
				return err
			}
		}
	}
	if d.Kind == canvas.DrawImage {
		return w.image(d)
	}
	g := d.Paint.Gradient
	if g != nil && paintsNothing(g) || d.Paint.Pattern == nil && g == nil && d.Paint.Colour[3] == 0 {
		return nil
	}
	if g != nil && g.Type == canvas.Conic {
		return w.asPixels(d, "conic gradients: the shape is pixels")
	}
	p := inUser(d)
	if p == nil || p.Empty() {
		if d.Kind == canvas.DrawStroke || d.Paint.Pattern != nil || g != nil {
			return nil
		}
	}
	m := d.Matrix
	if d.Kind == canvas.DrawFill && g == nil && d.Paint.Pattern == nil {
		p, m = d.Path, d.PathMatrix
	}
	w.open(d)
	alpha := d.Alpha
	if d.Paint.Pattern == nil && g == nil {
		alpha *= float64(d.Paint.Colour[3]) / 255
	}
	if err := w.state(d.Mode, alpha, g, d.Matrix); err != nil {
		return err
	}
	if pt := d.Paint.Pattern; pt != nil && pt.Repetition != canvas.Repeat {
		strip := stripOf(pt)
		q := &geometry.Path{}
		q.SetTransform(d.Matrix.Mul(pt.Matrix))
		q.Rect(strip.X0, strip.Y0, strip.X1-strip.X0, strip.Y1-strip.Y0)
		w.path(q)
		w.put("W n\n")
	}
	if !m.IsIdentity() {
		w.put("%s cm\n", matrix(m))
	}
	stroke := d.Kind == canvas.DrawStroke
	space, paint := "cs", "scn"
	if stroke {
		space, paint = "CS", "SCN"
	}
	switch {
	case g != nil:
		w.put("/Pattern %s /%s %s\n", space, w.gradient(g, d.Matrix), paint)
	case d.Paint.Pattern != nil:
		name, err := w.pattern(d.Paint.Pattern, d.Matrix, d.Smoothing)
		if err != nil {
			return err
		}
		w.put("/Pattern %s /%s %s\n", space, name, paint)
	default:
		c := d.Paint.Colour
		op := "rg"
		if stroke {
			op = "RG"
		}
		w.put("%s %s %s %s\n", pdfNumber(float64(c[0])/255), pdfNumber(float64(c[1])/255), pdfNumber(float64(c[2])/255), op)
	}
	if stroke {
		w.line(d.Line)
	}
	w.path(p)
	switch {
	case stroke:
		w.put("S\n")
	case d.Rule == canvas.EvenOdd:
		w.put("f*\n")
	default:
		w.put("f\n")
	}
	w.put("Q\n")
	return nil
}

// open saves the state and sets the clip.
func (w *pdfWriter) open(d *canvas.Draw) {
	w.put("q\n")
	for c := d.Clip; c != nil; c = c.Parent {
		w.path(c.Path)
		if c.Path.Empty() {
			w.put("0 0 m\n")
		}
		if c.Rule == canvas.EvenOdd {
			w.put("W* n\n")
		} else {
			w.put("W n\n")
		}
	}
}

// asPixels draws one thing with its alpha, filter and shadow as a picture.
func (w *pdfWriter) asPixels(d *canvas.Draw, note string) error {
	w.note(note)
	s, x, y, err := w.pixelsOf(d)
	if err != nil || s == nil {
		return err
	}
	one := whole(s, x, y)
	one.Clip, one.Mode = d.Clip, d.Mode
	return w.image(one)
}

func (w *pdfWriter) line(o geometry.StrokeOptions) {
	// The same numbers mean the same ends and corners in PDF.
	w.put("%s w %d J %d j %s M [", pdfNumber(o.Width), pdfCaps[o.Cap], pdfJoins[o.Join], pdfNumber(max(o.MiterLimit, 1)))
	for i, v := range o.Dashes {
		if i > 0 {
			w.put(" ")
		}
		w.put("%s", pdfNumber(v))
	}
	offset := o.DashOffset
	if offset < 0 && len(o.Dashes) > 0 {
		// Readers differ about a negative phase.
		sum := 0.0
		for _, v := range o.Dashes {
			sum += v
		}
		if sum > 0 {
			offset = math.Mod(offset, sum) + sum
		}
	}
	w.put("] %s d\n", pdfNumber(offset))
}

var (
	pdfCaps  = [...]int{0, 1, 2} // butt, round, square
	pdfJoins = [...]int{0, 1, 2} // miter, round, bevel
)

// path writes the segments of a path.
func (w *pdfWriter) path(p *geometry.Path) {
	b := w.body.AvailableBuffer()
	point := func(q geometry.Point) {
		b = append(b, pdfNumber(q.X)...)
		b = append(b, ' ')
		b = append(b, pdfNumber(q.Y)...)
		b = append(b, ' ')
	}
	var at, first geometry.Point
	p.Each(func(k geometry.Kind, q []geometry.Point) {
		switch k {
		case geometry.Move:
			point(q[0])
			b = append(b, "m\n"...)
			first = q[0]
		case geometry.Line:
			point(q[0])
			b = append(b, "l\n"...)
		case geometry.Quad:
			// As a cubic.
			c, e := q[0], q[1]
			point(at.Add(c.Sub(at).Mul(2.0 / 3)))
			point(e.Add(c.Sub(e).Mul(2.0 / 3)))
			point(e)
			b = append(b, "c\n"...)
		case geometry.Cubic:
			point(q[0])
			point(q[1])
			point(q[2])
			b = append(b, "c\n"...)
		case geometry.Close:
			b = append(b, "h\n"...)
			at = first
		}
		if len(q) > 0 {
			at = q[len(q)-1]
		}
	})
	w.body.Write(b)
}

// state sets alpha, blend mode and, for a gradient with translucent stops, the mask of its
// alpha.
func (w *pdfWriter) state(m image.BlendMode, alpha float64, g *canvas.Gradient, user geometry.Matrix) error {
	dict := ""
	if alpha < 1 {
		a := pdfNumber(alpha)
		dict += " /ca " + a + " /CA " + a
	}
	if m != image.SourceOver {
		dict += " /BM /" + pdfModes[m-image.Multiply]
	}
	if g != nil && translucent(g) {
		// A group whose luminosity is the alpha.
		shading := w.shading(g, true)
		form := stream(w.ctx, fmt.Sprintf(" /Type /XObject /Subtype /Form /BBox [0 0 %d %d] /Group <</S /Transparency /CS /DeviceGray>> /Resources <</Shading <</S %s>>>>", w.width, w.height, shading),
			[]byte(matrix(user)+" cm /S sh"))
		// The mask is in the space that holds when the state is set: pixels.
		key := pdfGradient{g, user}
		if w.masks[key] == 0 {
			w.masks[key] = w.object(form)
		}
		dict += fmt.Sprintf(" /SMask <</Type /Mask /S /Luminosity /G %d 0 R>>", w.masks[key])
	}
	if dict == "" {
		return nil
	}
	name := w.states[dict]
	if name == "" {
		name = "E" + strconv.Itoa(len(w.states)+1)
		w.states[dict] = name
		w.resources.state = fmt.Appendf(w.resources.state, "/%s <<%s>> ", name, dict)
		w.bytes += len(dict)
	}
	w.put("/%s gs\n", name)
	return nil
}

func translucent(g *canvas.Gradient) bool {
	for _, s := range g.Stops {
		if s.Colour[3] != 255 {
			return true
		}
	}
	return false
}

// shading is a reference to the shading of a gradient, of its colours or of its alpha.
func (w *pdfWriter) shading(g *canvas.Gradient, alpha bool) string {
	key := shadingKey{g, alpha}
	if ref := w.shadings[key]; ref != "" {
		return ref
	}
	c := g.Coords
	kind, coords := 2, fmt.Sprintf("%s %s %s %s", pdfNumber(c[0]), pdfNumber(c[1]), pdfNumber(c[2]), pdfNumber(c[3]))
	if g.Type == canvas.Radial {
		kind, coords = 3, coords+fmt.Sprintf(" %s %s", pdfNumber(c[4]), pdfNumber(c[5]))
	}
	space := "/DeviceRGB"
	if alpha {
		space = "/DeviceGray"
	}
	ref := fmt.Sprintf("%d 0 R", w.object(fmt.Appendf(nil, "<</ShadingType %d /ColorSpace %s /Coords [%s] /Extend [true true] /Function %s>>", kind, space, coords, stopFunction(g, alpha))))
	w.shadings[key] = ref
	return ref
}

// stopFunction is the colours between stops.
func stopFunction(g *canvas.Gradient, alpha bool) string {
	stops := sortedStops(g)
	colour := func(s canvas.Stop) string {
		if alpha {
			return pdfNumber(float64(s.Colour[3]) / 255)
		}
		return pdfNumber(float64(s.Colour[0])/255) + " " + pdfNumber(float64(s.Colour[1])/255) + " " + pdfNumber(float64(s.Colour[2])/255)
	}
	between := func(a, b canvas.Stop) string {
		return "<</FunctionType 2 /Domain [0 1] /C0 [" + colour(a) + "] /C1 [" + colour(b) + "] /N 1>>"
	}
	// The ends are stops, too, and pieces without a length are left out: readers disagree
	// about them.
	stops = append([]canvas.Stop{{Offset: 0, Colour: stops[0].Colour}}, stops...)
	stops = append(stops, canvas.Stop{Offset: 1, Colour: stops[len(stops)-1].Colour})
	var functions, bounds, encode string
	n := 0
	for i := 1; i < len(stops); i++ {
		a, b := stops[i-1], stops[i]
		if b.Offset-a.Offset < 1e-5 {
			continue
		}
		if n > 0 {
			bounds += pdfNumber(a.Offset) + " "
		}
		functions += between(a, b)
		encode += "0 1 "
		n++
	}
	return "<</FunctionType 3 /Domain [0 1] /Functions [" + functions + "] /Bounds [" + bounds + "] /Encode [" + encode + "]>>"
}

// gradient is the name of a pattern with the gradient in user space.
func (w *pdfWriter) gradient(g *canvas.Gradient, user geometry.Matrix) string {
	key := pdfGradient{g, user}
	if name := w.gradients[key]; name != "" {
		return name
	}
	name := "P" + strconv.Itoa(len(w.objects)+1)
	w.gradients[key] = name
	// Patterns are in the space of the page.
	n := w.object(fmt.Appendf(nil, "<</Type /Pattern /PatternType 2 /Shading %s /Matrix [%s]>>", w.shading(g, false), matrix(w.base.Mul(user))))
	w.resources.pattern = fmt.Appendf(w.resources.pattern, "/%s %d 0 R ", name, n)
	return name
}

func (w *pdfWriter) pattern(p *canvas.Pattern, user geometry.Matrix, smooth bool) (string, error) {
	key := pdfPattern{p, user, smooth}
	if name := w.patterns[key]; name != "" {
		return name, nil
	}
	picture, err := w.picture(p.Image, 0, 0, p.Image.Width, p.Image.Height, smooth)
	if err != nil {
		return "", err
	}
	width, height := p.Image.Width, p.Image.Height
	// The unit square of a picture has y upwards.
	content := fmt.Sprintf("%d 0 0 %d 0 %d cm /I Do", width, -height, height)
	n := w.object(stream(w.ctx, fmt.Sprintf(" /Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 %d %d] /XStep %d /YStep %d /Resources <</XObject <</I %s>>>> /Matrix [%s]",
		width, height, width, height, picture, matrix(w.base.Mul(user).Mul(p.Matrix))), []byte(content)))
	name := "P" + strconv.Itoa(n)
	w.patterns[key] = name
	w.resources.pattern = fmt.Appendf(w.resources.pattern, "/%s %d 0 R ", name, n)
	return name, nil
}

// picture is a reference to a picture of a part of a surface.
func (w *pdfWriter) picture(s *image.Surface, x, y, width, height int, smooth bool) (string, error) {
	key := imageKey{s, x, y, width, height}
	if ref := w.images[key]; ref != "" {
		return ref, nil
	}
	if width != s.Width || height != s.Height {
		s = part(s, x, y, width, height)
	}
	straight := make([]byte, len(s.Pix))
	s.Straight(straight)
	rgb := make([]byte, 0, 3*width*height)
	mask := make([]byte, 0, width*height)
	opaque := true
	for i := 0; i < len(straight); i += 4 {
		rgb = append(rgb, straight[i], straight[i+1], straight[i+2])
		mask = append(mask, straight[i+3])
		opaque = opaque && straight[i+3] == 255
	}
	interpolate := ""
	if smooth {
		interpolate = " /Interpolate true"
	}
	dict := fmt.Sprintf(" /Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 8%s", width, height, interpolate)
	extra := ""
	if !opaque {
		extra = fmt.Sprintf(" /SMask %d 0 R", w.object(stream(w.ctx, dict+" /ColorSpace /DeviceGray", mask)))
	}
	ref := fmt.Sprintf("%d 0 R", w.object(stream(w.ctx, dict+" /ColorSpace /DeviceRGB"+extra, rgb)))
	if w.size() > w.o.MaxBytes {
		return "", w.tooLarge(w.size())
	}
	w.images[key] = ref
	return ref, w.ctx.Err()
}

func (w *pdfWriter) image(d *canvas.Draw) error {
	src, t := d.Source, d.Target
	if src.Width <= 0 || src.Height <= 0 {
		return nil
	}
	x, y, width, height, ok := integral(src, d.Image)
	if !ok {
		x, y, width, height = 0, 0, d.Image.Width, d.Image.Height
	}
	ref, err := w.picture(d.Image, x, y, width, height, d.Smoothing)
	if err != nil {
		return err
	}
	name := "I" + ref[:len(ref)-len(" 0 R")]
	if !w.named[name] {
		w.named[name] = true
		w.resources.xobject = fmt.Appendf(w.resources.xobject, "/%s %s ", name, ref)
	}
	w.open(d)
	if err := w.state(d.Mode, d.Alpha, nil, geometry.Identity); err != nil {
		return err
	}
	place := geometry.Matrix{A: t.Width, D: -t.Height, E: t.X, F: t.Y + t.Height}
	if !ok {
		// The whole picture, of which a clip leaves the part.
		q := &geometry.Path{}
		q.SetTransform(d.Matrix)
		q.Rect(t.X, t.Y, t.Width, t.Height)
		w.path(q)
		w.put("W n\n")
		sx, sy := t.Width/src.Width, t.Height/src.Height
		place = geometry.Matrix{A: sx * float64(width), D: -sy * float64(height), E: t.X - src.X*sx, F: t.Y - src.Y*sy + sy*float64(height)}
	}
	// Poppler covers the pixel that a picture ends before, and is kept from it by a thousandth.
	less := 1e-3 / max(d.Matrix.MaxScale(), 1e-6)
	place.A, place.D, place.F = place.A-less, place.D+less, place.F-less
	w.put("%s cm /%s Do\nQ\n", matrix(d.Matrix.Mul(place)), name)
	return nil
}
