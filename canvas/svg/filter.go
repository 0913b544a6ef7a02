package svg

import (
	"math"
	"slices"
	"strings"

	"quicksand/canvas/geometry"
	effects "quicksand/canvas/internal/paint"
	"quicksand/media/image"
)

// maxPrimitives bounds the primitives of one filter.
const maxPrimitives = 100

// A filter is a filter element, or the functions of CSS where n is nil ("Filter Effects Module
// Level 1").
type filter struct {
	n     *node
	steps []effects.FilterStep
}

// filterOf is the filter of a style.
func (r *renderer) filterOf(st *style) (filter, bool) {
	if st.filter == "" {
		return filter{}, false
	}
	if id, rest, ok := reference(st.filter); ok {
		n := r.doc.ids[id]
		if n == nil || n.name != "filter" || rest != "" {
			return filter{}, false
		}
		return filter{n: n}, true
	}
	steps, ok := effects.ParseFilter(st.filter, st.fontSize)
	return filter{steps: steps}, ok && len(steps) > 0
}

// filterPrimitives are those that are drawn. One that is not passes on what it gets.
var filterPrimitives = map[string]func(*filterRun, *node) (*image.Surface, error){
	"feGaussianBlur":      (*filterRun).blur,
	"feOffset":            (*filterRun).offset,
	"feFlood":             (*filterRun).flood,
	"feColorMatrix":       (*filterRun).colourMatrix,
	"feComponentTransfer": (*filterRun).transfer,
	"feComposite":         (*filterRun).composite,
	"feBlend":             (*filterRun).blend,
	"feMerge":             (*filterRun).merge,
	"feDropShadow":        (*filterRun).dropShadow,
}

// reach is how far in pixels a filter moves colour.
func (c filter) reach(f frame, object rect) float64 {
	sum := 0.0
	if c.n == nil {
		for _, step := range c.steps {
			if d := step.DropShadow; d != nil {
				sum += math.Abs(d.X) + math.Abs(d.Y) + 3*d.Sigma
			} else if step.Kind == image.Blur {
				sum += 3 * step.Amount
			}
		}
		return sum * f.m.MaxScale()
	}
	for _, p := range c.n.children {
		s := (&filterRun{n: c.n, f: f, object: object}).scale()
		for _, name := range []string{"stdDeviation", "dx", "dy"} {
			v, _ := parseNumbers(p.attr(name), 2)
			k := 1.0
			if name == "stdDeviation" {
				k = 3
			}
			for _, n := range v {
				sum += k * math.Abs(n) * max(s.X, s.Y)
			}
		}
		if p.name == "feDropShadow" {
			sum += 10 * max(s.X, s.Y)
		}
	}
	return sum
}

// bounds is the part of b, and what is around it, that a filter works on.
func (c filter) bounds(r *renderer, n *node, f frame, b box, object func() (rect, error)) (box, error) {
	o, err := object()
	if err != nil {
		return b, err
	}
	grow := int(min(math.Ceil(c.reach(f, o))+2, 1<<15))
	if b.empty() {
		return b, nil
	}
	b = box{b.x0 - grow, b.y0 - grow, b.x1 + grow, b.y1 + grow}
	if c.n != nil {
		region, err := r.region(c.n, "filterUnits", f, object)
		if err != nil || region.empty() {
			return box{}, err
		}
		return b.intersect(tight(transformed(region, f.m))), nil
	}
	e, err := r.extent(n, f, true)
	if err != nil {
		return b, err
	}
	around := around(e)
	return b.intersect(box{around.x0 - grow, around.y0 - grow, around.x1 + grow, around.y1 + grow}), nil
}

// tight is the pixels which a region covers, without those at its borders that it only
// touches by rounding.
func tight(e extent) box {
	return around(extent{e.x0 + 1 + 1e-3, e.y0 + 1 + 1e-3, e.x1 - 1 - 1e-3, e.y1 - 1 - 1e-3})
}

// apply filters a layer of the pixels of b.
func (c filter) apply(r *renderer, s *image.Surface, b box, f frame, object func() (rect, error)) (*image.Surface, error) {
	if c.n == nil {
		return s, r.functions(c.steps, s, f.m)
	}
	o, err := object()
	if err != nil {
		return nil, err
	}
	run := &filterRun{r: r, n: c.n, f: f, object: o, b: b, source: s}
	run.f.st = ancestry(c.n)
	run.f.st = run.f.st.of(c.n)
	return run.run()
}

// functions applies the functions of CSS in place, whose lengths are in user space.
func (r *renderer) functions(steps []effects.FilterStep, s *image.Surface, m geometry.Matrix) error {
	sx, sy := math.Hypot(m.A, m.B), math.Hypot(m.C, m.D)
	for _, step := range steps {
		if r.layers += int64(s.Width) * int64(s.Height); r.layers > MaxLayerPixels {
			return limitError("pixels of layers", MaxLayerPixels)
		}
		var err error
		switch d := step.DropShadow; {
		case d != nil:
			shadow := shifted(s, m.ApplyVector(geometry.Point{X: d.X, Y: d.Y}))
			c := &image.Surface{Width: 1, Height: 1, Pix: slices.Clone(d.Colour[:])}
			image.Premultiply(c.Pix)
			err = blurBy(r, shadow, d.Sigma*sx, d.Sigma*sy)
			tint(shadow, [4]uint8(c.Pix))
			r.blendOnto(shadow, image.SourceOver, s)
			copy(s.Pix, shadow.Pix)
		case step.Kind == image.Blur:
			err = blurBy(r, s, step.Amount*sx, step.Amount*sy)
		default:
			err = image.Apply(r.ctx, s, []image.Filter{step.Filter})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// filterRun is one application of a filter element.
type filterRun struct {
	r      *renderer
	n      *node
	f      frame
	object rect
	b      box
	source *image.Surface

	st    style // of the primitive
	steps []filterStep
	at    int
}

// filterStep is a primitive with what came of it.
type filterStep struct {
	n       *node
	inputs  []int // indices of steps, or one of the below
	out     *image.Surface
	linear  bool
	lastUse int
}

// What inputs refer to besides results.
const (
	sourceGraphic = -1
	sourceAlpha   = -2
	nothingAtAll  = -3
)

// scale is how many pixels a unit of the primitives is.
func (run *filterRun) scale() geometry.Point {
	m := run.f.m
	s := geometry.Point{X: math.Hypot(m.A, m.B), Y: math.Hypot(m.C, m.D)}
	if run.n.attr("primitiveUnits") == "objectBoundingBox" {
		s.X, s.Y = s.X*run.object.w, s.Y*run.object.h
	}
	return s
}

func (run *filterRun) run() (*image.Surface, error) {
	names := map[string]int{}
	for _, p := range run.n.children {
		if !strings.HasPrefix(p.name, "fe") {
			continue
		}
		if len(run.steps) == maxPrimitives {
			return nil, limitError("primitives of a filter", maxPrimitives)
		}
		i := len(run.steps)
		find := func(n *node, name string) int {
			v := strings.TrimSpace(n.attr(name))
			k, named := names[v]
			switch {
			case v == "SourceGraphic":
				return sourceGraphic
			case v == "SourceAlpha":
				return sourceAlpha
			case v == "BackgroundImage" || v == "BackgroundAlpha" || v == "FillPaint" || v == "StrokePaint":
				return nothingAtAll
			case named:
				return k
			case i == 0:
				return sourceGraphic
			}
			return i - 1
		}
		step := filterStep{n: p, inputs: []int{find(p, "in")}}
		if p.has("in2") {
			step.inputs = append(step.inputs, find(p, "in2"))
		} else {
			step.inputs = append(step.inputs, step.inputs[0])
			if i > 0 {
				step.inputs[1] = i - 1
			}
		}
		if p.name == "feMerge" {
			step.inputs = nil
			for _, c := range p.children {
				if c.name == "feMergeNode" && len(step.inputs) < maxPrimitives {
					step.inputs = append(step.inputs, find(c, "in"))
				}
			}
		}
		for _, k := range step.inputs {
			if k >= 0 {
				run.steps[k].lastUse = i
			}
		}
		if name := p.attr("result"); name != "" {
			names[name] = i
		}
		run.steps = append(run.steps, step)
	}
	if len(run.steps) == 0 {
		// An empty filter shows nothing.
		return run.empty(), nil
	}
	size := int64(run.source.Width) * int64(run.source.Height)
	held := int64(0)
	defer func() { run.r.live -= held }()
	outer := run.f.st
	for i := range run.steps {
		step := &run.steps[i]
		if err := run.r.count(); err != nil {
			return nil, err
		}
		// The result and what is made on the way.
		if held += size; run.r.layers+size > MaxLayerPixels {
			return nil, limitError("pixels of layers", MaxLayerPixels)
		}
		run.r.layers += size
		if run.r.live += size; run.r.live > run.r.maxLive {
			return nil, limitError("pixels of layers on top of each other", int(run.r.maxLive))
		}
		run.at = i
		run.st = outer.of(step.n)
		run.f.st = run.st
		step.linear = run.st.linearRGB
		do := filterPrimitives[step.n.name]
		if do == nil {
			do = func(run *filterRun, n *node) (*image.Surface, error) { return run.input(0), nil }
		}
		out, err := do(run, step.n)
		if err != nil {
			return nil, err
		}
		run.crop(step.n, out)
		step.out = out
		for k := range run.steps[:i] {
			if p := &run.steps[k]; p.out != nil && p.lastUse <= i {
				p.out = nil
				held -= size
				run.r.live -= size
			}
		}
	}
	last := &run.steps[len(run.steps)-1]
	if last.linear {
		run.r.through(last.out, &srgbOf)
	}
	return last.out, run.r.ctx.Err()
}

func (run *filterRun) empty() *image.Surface {
	return image.New(run.source.Width, run.source.Height)
}

// input is a copy of input k of the primitive, in its colour space.
func (run *filterRun) input(k int) *image.Surface {
	step := &run.steps[run.at]
	if k >= len(step.inputs) {
		return run.empty()
	}
	var s *image.Surface
	linear := false
	switch from := step.inputs[k]; from {
	case nothingAtAll:
		return run.empty()
	case sourceGraphic:
		s = run.source.Clone()
	case sourceAlpha:
		s = run.source.Clone()
		for i := 0; i+3 < len(s.Pix); i += 4 {
			s.Pix[i], s.Pix[i+1], s.Pix[i+2] = 0, 0, 0
		}
		return s
	default:
		s, linear = run.steps[from].out.Clone(), run.steps[from].linear
	}
	switch {
	case step.linear && !linear:
		run.r.through(s, &linearOf)
	case !step.linear && linear:
		run.r.through(s, &srgbOf)
	}
	return s
}

// crop makes what is outside of a primitive's subregion transparent.
func (run *filterRun) crop(n *node, s *image.Surface) {
	if !n.has("x") && !n.has("y") && !n.has("width") && !n.has("height") {
		return
	}
	m := run.f.m
	port := run.f.port
	if run.n.attr("primitiveUnits") == "objectBoundingBox" {
		m, port = m.Mul(boxMatrix(run.object)), rect{0, 0, 1, 1}
	}
	inverse, ok := m.Inverse()
	if !ok {
		return
	}
	whole := transformed(rect{float64(run.b.x0), float64(run.b.y0), float64(run.b.x1 - run.b.x0), float64(run.b.y1 - run.b.y0)}, inverse)
	side := func(name string, whole, missing float64) float64 {
		if l, ok := parseLength(n.attr(name)); ok {
			return l.px(run.f.st.units(), whole)
		}
		return missing
	}
	r := rect{x: side("x", port.w, whole.x0), y: side("y", port.h, whole.y0)}
	r.w, r.h = side("width", port.w, whole.x1-r.x), side("height", port.h, whole.y1-r.y)
	keep := tight(transformed(r, m)).intersect(run.b)
	for y := range s.Height {
		row := s.Row(y)
		if keep.empty() || y+run.b.y0 < keep.y0 || y+run.b.y0 >= keep.y1 {
			clear(row)
			continue
		}
		clear(row[:4*(keep.x0-run.b.x0)])
		clear(row[4*(keep.x1-run.b.x0):])
	}
}

func number(n *node, name string, missing float64) float64 {
	if v, ok := parseNumber(n.attr(name)); ok {
		return v
	}
	return missing
}

// deviation is stdDeviation in pixels.
func (run *filterRun) deviation(n *node, missing float64) (x, y float64) {
	x, y = missing, missing
	if v, ok := parseNumbers(n.attr("stdDeviation"), 2); ok && len(v) > 0 {
		x, y = v[0], v[len(v)-1]
	}
	if x < 0 || y < 0 {
		return 0, 0
	}
	s := run.scale()
	return x * s.X, y * s.Y
}

func (run *filterRun) blur(n *node) (*image.Surface, error) {
	s := run.input(0)
	x, y := run.deviation(n, 0)
	return s, blurBy(run.r, s, x, y)
}

// maxDeviation is beyond what leaves anything to be seen.
const maxDeviation = 2000

func blurBy(r *renderer, s *image.Surface, x, y float64) error {
	if x == 0 && y == 0 {
		return nil
	}
	return image.GaussianBlur(r.ctx, s, min(x, maxDeviation), min(y, maxDeviation))
}

// shifted is a surface moved by a vector, to whole pixels.
func shifted(s *image.Surface, d geometry.Point) *image.Surface {
	x, y := int(math.Round(min(max(d.X, -1e6), 1e6))), int(math.Round(min(max(d.Y, -1e6), 1e6)))
	out := image.New(s.Width, s.Height)
	for row := range s.Height {
		if from := row - y; from >= 0 && from < s.Height && x > -s.Width && x < s.Width {
			src, dst := s.Row(from), out.Row(row)
			if x >= 0 {
				copy(dst[4*x:], src[:len(src)-4*x])
			} else {
				copy(dst, src[-4*x:])
			}
		}
	}
	return out
}

// vector is one of the primitives' units in pixels.
func (run *filterRun) vector(dx, dy float64) geometry.Point {
	if run.n.attr("primitiveUnits") == "objectBoundingBox" {
		dx, dy = dx*run.object.w, dy*run.object.h
	}
	return run.f.m.ApplyVector(geometry.Point{X: dx, Y: dy})
}

// tint gives a surface a premultiplied colour, of its alpha.
func tint(s *image.Surface, c [4]uint8) {
	for i := 0; i < len(s.Pix); i += 4 {
		a := uint32(s.Pix[i+3])
		for k := range c {
			s.Pix[i+k] = uint8((uint32(c[k])*a + 127) / 255)
		}
	}
}

func (run *filterRun) offset(n *node) (*image.Surface, error) {
	return shifted(run.input(0), run.vector(number(n, "dx", 0), number(n, "dy", 0))), nil
}

// floodColour is the colour of flood-color and flood-opacity, premultiplied in the space of
// the primitive.
func (run *filterRun) floodColour(n *node) [4]uint8 {
	c := [4]uint8{3: 255}
	if v, ok := run.st.colour(n.prop("flood-color")); ok {
		c = v
	}
	if v, ok := parseFraction(n.prop("flood-opacity")); ok {
		c = alphaOf(c, v)
	}
	one := &image.Surface{Width: 1, Height: 1, Pix: slices.Clone(c[:])}
	image.Premultiply(one.Pix)
	if run.st.linearRGB {
		run.r.through(one, &linearOf)
	}
	return [4]uint8(one.Pix)
}

func (run *filterRun) flood(n *node) (*image.Surface, error) {
	s, c := run.empty(), run.floodColour(n)
	for i := 0; i < len(s.Pix); i += 4 {
		copy(s.Pix[i:], c[:])
	}
	return s, nil
}

func (run *filterRun) dropShadow(n *node) (*image.Surface, error) {
	s := run.input(0)
	c := run.floodColour(n)
	shadow := shifted(s, run.vector(number(n, "dx", 2), number(n, "dy", 2)))
	x, y := run.deviation(n, 2)
	if err := blurBy(run.r, shadow, x, y); err != nil {
		return nil, err
	}
	tint(shadow, c)
	run.r.blendOnto(shadow, image.SourceOver, s)
	return shadow, nil
}

func (run *filterRun) merge(n *node) (*image.Surface, error) {
	out := run.empty()
	for k := range run.steps[run.at].inputs {
		if err := run.r.ctx.Err(); err != nil {
			return nil, err
		}
		run.r.blendOnto(out, image.SourceOver, run.input(k))
	}
	return out, run.r.ctx.Err()
}

func (run *filterRun) blend(n *node) (*image.Surface, error) {
	top, bottom := run.input(0), run.input(1)
	mode, ok := image.ParseBlendMode(n.attr("mode"))
	if !ok || mode < image.Multiply {
		mode = image.SourceOver
	}
	run.r.blendOnto(bottom, mode, top)
	return bottom, nil
}

func (run *filterRun) composite(n *node) (*image.Surface, error) {
	top, bottom := run.input(0), run.input(1)
	mode := image.SourceOver
	switch n.attr("operator") {
	case "in":
		mode = image.SourceIn
	case "out":
		mode = image.SourceOut
	case "atop":
		mode = image.SourceAtop
	case "xor":
		mode = image.Xor
	case "lighter":
		mode = image.Lighter
	case "arithmetic":
		k := [4]float64{number(n, "k1", 0), number(n, "k2", 0), number(n, "k3", 0), number(n, "k4", 0)}
		run.r.eachRow(bottom, func(y int, row []byte) {
			for i, over := 0, top.Row(y); i+3 < len(row); i += 4 {
				var v [4]float64
				for c := range 4 {
					a, b := float64(over[i+c])/255, float64(row[i+c])/255
					v[c] = min(max(k[0]*a*b+k[1]*a+k[2]*b+k[3], 0), 1)
				}
				for c := range 4 {
					row[i+c] = uint8(math.Round(min(v[c], v[3]) * 255))
				}
			}
		})
		return bottom, nil
	}
	run.r.blendOnto(bottom, mode, top)
	return bottom, nil
}

// eachRow gives the rows of a surface until the context ends. What is left then is not looked
// at: the next primitive does not begin.
func (r *renderer) eachRow(s *image.Surface, f func(y int, row []byte)) {
	for y := 0; y < s.Height && r.ctx.Err() == nil; y++ {
		f(y, s.Row(y))
	}
}

// blendOnto blends a surface onto another of its size.
func (r *renderer) blendOnto(dst *image.Surface, mode image.BlendMode, src *image.Surface) {
	r.eachRow(dst, func(y int, row []byte) { mode.Blend(row, src.Row(y), 255) })
}

// eachStraight changes each pixel as straight samples from 0 to 1.
func (r *renderer) eachStraight(s *image.Surface, f func(p *[4]float64)) {
	r.eachRow(s, func(_ int, row []byte) { eachStraight(row, f) })
}

func eachStraight(row []byte, f func(p *[4]float64)) {
	for i := 0; i+3 < len(row); i += 4 {
		p := row[i : i+4 : i+4]
		v := [4]float64{3: float64(p[3]) / 255}
		if p[3] > 0 {
			for c := range 3 {
				v[c] = min(float64(p[c])/float64(p[3]), 1)
			}
		}
		f(&v)
		a := min(max(v[3], 0), 1)
		p[3] = uint8(math.Round(a * 255))
		for c := range 3 {
			p[c] = min(uint8(math.Round(min(max(v[c], 0), 1)*a*255)), p[3])
		}
	}
}

func (run *filterRun) colourMatrix(n *node) (*image.Surface, error) {
	s := run.input(0)
	v, _ := parseNumbers(n.attr("values"), 20)
	var m [20]float64
	for i := range 4 {
		m[6*i] = 1
	}
	switch n.attr("type") {
	case "saturate":
		k := 1.0
		if len(v) == 1 {
			k = v[0]
		}
		m = lumaMatrix([9]float64{0.787, -0.715, -0.072, -0.213, 0.285, -0.072, -0.213, -0.715, 0.928}, k, [9]float64{}, 0)
	case "hueRotate":
		angle := 0.0
		if len(v) == 1 {
			angle = v[0] * math.Pi / 180
		}
		sin, cos := math.Sincos(angle)
		m = lumaMatrix([9]float64{0.787, -0.715, -0.072, -0.213, 0.285, -0.072, -0.213, -0.715, 0.928}, cos,
			[9]float64{-0.213, -0.715, 0.928, 0.143, 0.140, -0.283, -0.787, 0.715, 0.072}, sin)
	case "luminanceToAlpha":
		m = [20]float64{15: 0.2125, 16: 0.7154, 17: 0.0721}
	default:
		if len(v) == 20 {
			m = [20]float64(v)
		}
	}
	run.r.eachStraight(s, func(p *[4]float64) {
		var out [4]float64
		for c := range 4 {
			row := m[5*c : 5*c+5]
			out[c] = row[0]*p[0] + row[1]*p[1] + row[2]*p[2] + row[3]*p[3] + row[4]
		}
		*p = out
	})
	return s, nil
}

// lumaMatrix is the matrix of the weights of luminance and multiples of two others.
func lumaMatrix(a [9]float64, ka float64, b [9]float64, kb float64) (m [20]float64) {
	luma := [3]float64{0.213, 0.715, 0.072}
	for i := range 3 {
		for k := range 3 {
			m[5*i+k] = luma[k] + ka*a[3*i+k] + kb*b[3*i+k]
		}
	}
	m[18] = 1
	return m
}

func (run *filterRun) transfer(n *node) (*image.Surface, error) {
	s := run.input(0)
	var tables [4][256]float64
	for c := range tables {
		for i := range 256 {
			tables[c][i] = float64(i) / 255
		}
	}
	for _, f := range n.children {
		c := slices.Index([]string{"feFuncR", "feFuncG", "feFuncB", "feFuncA"}, f.name)
		if c < 0 {
			continue
		}
		v, _ := parseNumbers(f.attr("tableValues"), 1000)
		for i := range 256 {
			x := float64(i) / 255
			switch f.attr("type") {
			case "table":
				if len(v) == 1 {
					x = v[0]
				} else if len(v) > 1 {
					k := min(int(x*float64(len(v)-1)), len(v)-2)
					x = v[k] + (x*float64(len(v)-1)-float64(k))*(v[k+1]-v[k])
				}
			case "discrete":
				if len(v) > 0 {
					x = v[min(int(x*float64(len(v))), len(v)-1)]
				}
			case "linear":
				x = number(f, "slope", 1)*x + number(f, "intercept", 0)
			case "gamma":
				x = number(f, "amplitude", 1)*math.Pow(x, number(f, "exponent", 1)) + number(f, "offset", 0)
			}
			tables[c][i] = min(max(x, 0), 1)
		}
	}
	run.r.eachStraight(s, func(p *[4]float64) {
		for c := range p {
			p[c] = tables[c][int(math.Round(p[c]*255))]
		}
	})
	return s, nil
}

// linearOf and srgbOf are the samples of linear light for those of sRGB, and back.
var linearOf, srgbOf = func() (l, s [256]float64) {
	for i := range 256 {
		v := float64(i) / 255
		if v <= 0.04045 {
			l[i] = v / 12.92
		} else {
			l[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
		if v <= 0.0031308 {
			s[i] = v * 12.92
		} else {
			s[i] = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
	}
	return l, s
}()

// through gives the colours of a surface through a table.
func (r *renderer) through(s *image.Surface, table *[256]float64) {
	var opaque [256]uint8
	for i, v := range table {
		opaque[i] = uint8(math.Round(v * 255))
	}
	r.eachRow(s, func(_ int, row []byte) { through(row, table, &opaque) })
}

func through(row []byte, table *[256]float64, opaque *[256]uint8) {
	change := func(p *[4]float64) {
		for c := range 3 {
			p[c] = table[int(math.Round(p[c]*255))]
		}
	}
	for i := 0; i+3 < len(row); i += 4 {
		p := row[i : i+4 : i+4]
		switch p[3] {
		case 0:
		case 255:
			p[0], p[1], p[2] = opaque[p[0]], opaque[p[1]], opaque[p[2]]
		default:
			eachStraight(p, change)
		}
	}
}
