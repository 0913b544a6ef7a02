package svg

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"quicksand/canvas"
	"quicksand/canvas/geometry"
	"quicksand/media/image"
)

// properties are those that mean something here.
var properties = map[string]bool{}

func init() {
	for name := range strings.FieldsSeq(`alignment-baseline baseline-shift clip-path clip-rule color
		color-interpolation-filters direction display dominant-baseline fill fill-opacity fill-rule filter
		flood-color flood-opacity font font-family font-size font-stretch font-style font-variant font-weight
		image-rendering isolation letter-spacing lighting-color marker marker-end marker-mid marker-start mask mask-type
		mix-blend-mode opacity overflow paint-order stop-color stop-opacity stroke stroke-dasharray
		stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width
		text-anchor text-decoration text-decoration-line transform vector-effect visibility white-space word-spacing
		x y cx cy r rx ry width height d`) {
		properties[name] = true
	}
}

// prop is the value of a property which the cascade has found, or of an attribute.
func (n *node) prop(name string) string {
	for i := range n.props {
		if n.props[i].name == name {
			return n.props[i].value
		}
	}
	return ""
}

// A paint is what shapes are filled or stroked with.
type paint struct {
	none   bool
	colour [4]uint8
	ref    string // id of a paint server; colour, or none, is what there is if it does not exist
}

// maxDashes bounds the list of dashes.
const maxDashes = 1000

// style is the computed style of an element, with what is inherited.
type style struct {
	color                      [4]uint8
	fill, stroke               paint
	fillOpacity, strokeOpacity float64
	fillRule, clipRule         canvas.FillRule
	strokeWidth                length
	lineCap                    geometry.Cap
	lineJoin                   geometry.Join
	miterLimit                 float64
	dashes                     []length
	dashOffset                 length
	strokeFirst                bool
	visible                    bool
	fontFamily, fontStyle      string
	fontVariant, fontStretch   string
	fontWeight                 float64
	fontSize                   float64
	letterSpacing, wordSpacing float64
	anchor                     string
	rtl                        bool
	preserve                   bool // white space
	baseline                   string
	linearRGB                  bool // of filters
	pixelated                  bool
	markers                    [3]string // ids at start, mid, end

	// What is not inherited.
	shown                  bool // display is not none
	opacity                float64
	clip, mask, filter     string
	blend                  image.BlendMode
	isolated               bool
	overflow               string
	shift                  float64 // of the baseline, upwards
	fixedStroke            bool    // strokes are not scaled
	underline, lineThrough bool
	overline               bool
}

func initialStyle() style {
	black := [4]uint8{3: 255}
	return style{
		color: black, fill: paint{colour: black}, stroke: paint{none: true},
		fillOpacity: 1, strokeOpacity: 1, strokeWidth: length{1, ""}, miterLimit: 4,
		visible: true, fontFamily: "serif", fontWeight: 400, fontSize: defaultFontSize,
		anchor: "start", linearRGB: true, shown: true, opacity: 1,
	}
}

// reference is the id in "url(#id)", with what follows it.
func reference(value string) (id, rest string, ok bool) {
	value = strings.TrimSpace(value)
	if len(value) < 4 || !strings.EqualFold(value[:4], "url(") {
		return "", value, false
	}
	in, rest, found := strings.Cut(value[4:], ")")
	if !found {
		return "", value, false
	}
	in = strings.Trim(strings.TrimSpace(in), `"'`)
	// What is outside of the document does not exist.
	id, _ = strings.CutPrefix(strings.TrimSpace(in), "#")
	if id == in {
		id = ""
	}
	return id, strings.TrimSpace(rest), true
}

func (s *style) colour(value string) ([4]uint8, bool) {
	if strings.EqualFold(value, "currentcolor") {
		return s.color, true
	}
	return canvas.ParseColour(value)
}

func (s *style) paint(value string, old paint) paint {
	if strings.EqualFold(value, "none") {
		return paint{none: true}
	}
	id, rest, ok := reference(value)
	if ok {
		p := paint{ref: id, none: true}
		if c, ok := s.colour(rest); ok {
			p.none, p.colour = false, c
		}
		if id == "" {
			p.ref = "" // like one that does not exist
		}
		return p
	}
	if strings.EqualFold(value, "context-fill") || strings.EqualFold(value, "context-stroke") {
		return old
	}
	if c, ok := s.colour(value); ok {
		return paint{colour: c}
	}
	return old
}

func alphaOf(c [4]uint8, opacity float64) [4]uint8 {
	c[3] = uint8(math.Round(float64(c[3]) * min(max(opacity, 0), 1)))
	return c
}

// of is the style of an element whose parent has the style s.
func (s *style) of(n *node) style {
	parent := s
	t := *s
	t.shown, t.opacity, t.clip, t.mask, t.filter = true, 1, "", "", ""
	t.blend, t.isolated, t.overflow, t.fixedStroke = image.SourceOver, false, "", false
	if n.name != "tspan" {
		t.shift = 0
		t.underline, t.overline, t.lineThrough = false, false, false
	}
	switch n.attr("xml:space") {
	case "preserve":
		t.preserve = true
	case "default":
		t.preserve = false
	}
	// What others depend on comes first.
	if v := n.prop("font"); v != "" {
		t.font(v)
	}
	if v := n.prop("font-size"); v != "" {
		t.size(v, parent)
	}
	if c, ok := canvas.ParseColour(n.prop("color")); ok {
		t.color = c
	}
	for i := range n.props {
		p := &n.props[i]
		if strings.EqualFold(p.value, "inherit") {
			t.inherit(p.name, parent)
			continue
		}
		t.set(p.name, p.value, parent)
	}
	return t
}

// inherit takes a property, which is otherwise not inherited, from the parent.
func (t *style) inherit(name string, parent *style) {
	switch name {
	case "opacity":
		t.opacity = parent.opacity
	case "display":
		t.shown = parent.shown
	case "clip-path":
		t.clip = parent.clip
	case "mask":
		t.mask = parent.mask
	case "filter":
		t.filter = parent.filter
	case "overflow":
		t.overflow = parent.overflow
	case "mix-blend-mode":
		t.blend = parent.blend
	}
}

func (t *style) set(name, v string, parent *style) {
	number := func(to *float64, low, high float64) {
		if f, ok := parseFraction(v); ok {
			*to = min(max(f, low), high)
		}
	}
	rule := func(to *canvas.FillRule) {
		switch v {
		case "nonzero":
			*to = canvas.NonZero
		case "evenodd":
			*to = canvas.EvenOdd
		}
	}
	url := func(to *string) {
		*to = ""
		if id, _, ok := reference(v); ok {
			*to = id
		}
	}
	switch name {
	case "fill":
		t.fill = t.paint(v, t.fill)
	case "stroke":
		t.stroke = t.paint(v, t.stroke)
	case "fill-opacity":
		number(&t.fillOpacity, 0, 1)
	case "stroke-opacity":
		number(&t.strokeOpacity, 0, 1)
	case "opacity":
		number(&t.opacity, 0, 1)
	case "fill-rule":
		rule(&t.fillRule)
	case "clip-rule":
		rule(&t.clipRule)
	case "stroke-width":
		if l, ok := parseLength(v); ok && l.n >= 0 {
			t.strokeWidth = l
		}
	case "stroke-linecap":
		if i := slices.Index(canvas.LineCaps, v); i >= 0 {
			t.lineCap = geometry.Cap(i)
		}
	case "stroke-linejoin":
		if v == "miter-clip" || v == "arcs" {
			v = "miter"
		}
		if i := slices.Index(canvas.LineJoins, v); i >= 0 {
			t.lineJoin = geometry.Join(i)
		}
	case "stroke-miterlimit":
		if f, ok := parseNumber(v); ok && f >= 1 {
			t.miterLimit = f
		}
	case "stroke-dasharray":
		t.dashes = nil
		if v != "none" {
			t.dashes = parseLengths(v, maxDashes)
		}
	case "stroke-dashoffset":
		if l, ok := parseLength(v); ok {
			t.dashOffset = l
		}
	case "paint-order":
		t.strokeFirst = false
		for word := range strings.FieldsSeq(v) {
			if word == "fill" || word == "stroke" {
				t.strokeFirst = word == "stroke"
				break
			}
		}
	case "visibility":
		t.visible = v == "visible"
	case "display":
		t.shown = v != "none"
	case "clip-path":
		url(&t.clip)
	case "mask":
		url(&t.mask)
	case "filter":
		t.filter = v
		if v == "none" {
			t.filter = ""
		}
	case "mix-blend-mode":
		if m, ok := image.ParseBlendMode(v); ok && m >= image.Multiply {
			t.blend = m
		} else if v == "plus-lighter" {
			t.blend = image.Lighter
		} else {
			t.blend = image.SourceOver
		}
	case "vector-effect":
		t.fixedStroke = v == "non-scaling-stroke"
	case "isolation":
		t.isolated = v == "isolate"
	case "overflow":
		t.overflow = v
	case "font-family":
		t.fontFamily = v
	case "font-style":
		t.fontStyle = v
	case "font-variant":
		t.fontVariant = v
	case "font-stretch":
		t.fontStretch = v
	case "font-weight":
		switch v {
		case "normal":
			t.fontWeight = 400
		case "bold":
			t.fontWeight = 700
		case "bolder":
			t.fontWeight = relativeWeight(parent.fontWeight, 350, 550, 400, 700, 900)
		case "lighter":
			t.fontWeight = relativeWeight(parent.fontWeight, 550, 750, 100, 400, 700)
		default:
			if f, ok := parseNumber(v); ok && f >= 1 && f <= 1000 {
				t.fontWeight = f
			}
		}
	case "letter-spacing", "word-spacing":
		to := &t.letterSpacing
		if name[0] == 'w' {
			to = &t.wordSpacing
		}
		if v == "normal" {
			*to = 0
		} else if l, ok := parseLength(v); ok {
			*to = l.px(t.units(), 0)
		}
	case "text-anchor":
		if v == "start" || v == "middle" || v == "end" {
			t.anchor = v
		}
	case "direction":
		t.rtl = v == "rtl"
	case "white-space":
		t.preserve = strings.HasPrefix(v, "pre") || v == "break-spaces"
	case "dominant-baseline", "alignment-baseline":
		t.baseline = v
	case "baseline-shift":
		switch v {
		case "baseline":
			t.shift = parent.shift
		case "sub":
			t.shift = parent.shift - parent.fontSize*0.2
		case "super":
			t.shift = parent.shift + parent.fontSize/3
		default:
			if l, ok := parseLength(v); ok {
				t.shift = parent.shift + l.px(t.units(), t.fontSize)
			}
		}
	case "text-decoration", "text-decoration-line":
		for word := range strings.FieldsSeq(v) {
			switch word {
			case "underline":
				t.underline = true
			case "overline":
				t.overline = true
			case "line-through":
				t.lineThrough = true
			case "none":
				t.underline, t.overline, t.lineThrough = false, false, false
			}
		}
	case "color-interpolation-filters":
		t.linearRGB = v != "sRGB"
	case "image-rendering":
		t.pixelated = v == "pixelated" || v == "crisp-edges" || v == "optimizeSpeed"
	case "marker":
		url(&t.markers[0])
		t.markers[1], t.markers[2] = t.markers[0], t.markers[0]
	case "marker-start":
		url(&t.markers[0])
	case "marker-mid":
		url(&t.markers[1])
	case "marker-end":
		url(&t.markers[2])
	}
}

// relativeWeight is bolder or lighter ("CSS Fonts Level 4", 2.2.1).
func relativeWeight(of, low, high, a, b, c float64) float64 {
	switch {
	case of < low:
		return a
	case of < high:
		return b
	}
	return c
}

func (t *style) units() units { return units{em: t.fontSize, rem: defaultFontSize} }

// maxFontSize keeps glyphs from being larger than anything can show.
const maxFontSize = 100_000

func (t *style) size(v string, parent *style) {
	words := map[string]float64{"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32, "larger": parent.fontSize * 1.2, "smaller": parent.fontSize / 1.2}
	if s, ok := words[v]; ok {
		t.fontSize = min(s, maxFontSize)
	} else if l, ok := parseLength(v); ok && l.n >= 0 {
		t.fontSize = min(l.px(parent.units(), parent.fontSize), maxFontSize)
	}
}

// font is the shorthand.
func (t *style) font(v string) {
	f, ok := canvas.ParseFont(v)
	if !ok {
		return
	}
	t.fontSize, t.fontWeight = min(f.Size, maxFontSize), f.Weight
	t.fontStyle = [...]string{"normal", "italic", "oblique"}[f.Style]
	t.fontVariant, t.fontStretch = "normal", "normal"
	if f.SmallCaps {
		t.fontVariant = "small-caps"
	}
	var names []string
	for _, family := range f.Families {
		if family.Generic {
			names = append(names, family.Name)
		} else {
			names = append(names, strconv.Quote(family.Name))
		}
	}
	t.fontFamily = strings.Join(names, ", ")
}

// shorthand is the font as ParseFont reads it, without a size that it would not read.
func (t *style) shorthand() string {
	var b strings.Builder
	switch word, _, _ := strings.Cut(t.fontStyle, " "); word {
	case "italic", "oblique":
		b.WriteString(word + " ")
	}
	if t.fontVariant == "small-caps" {
		b.WriteString("small-caps ")
	}
	b.WriteString(strconv.FormatFloat(t.fontWeight, 'f', -1, 64) + " ")
	if i := slices.Index(canvas.FontStretches, t.fontStretch); i > 0 {
		b.WriteString(t.fontStretch + " ")
	}
	b.WriteString(strconv.FormatFloat(t.fontSize, 'f', -1, 64) + "px ")
	b.WriteString(t.fontFamily)
	return b.String()
}
