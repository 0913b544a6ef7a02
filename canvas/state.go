package canvas

import (
	"math"
	"slices"

	"quicksand/canvas/geometry"
	"quicksand/canvas/internal/paint"
	"quicksand/canvas/text"
	mediaimage "quicksand/media/image"
)

// A FillRule says what is inside of a path, an index of FillRules.
type FillRule uint8

// Fill rules.
const (
	NonZero FillRule = iota
	EvenOdd
)

// A Direction is an index of Directions. Inherit is from left to right.
type Direction uint8

// Directions of text.
const (
	LTR Direction = iota
	RTL
	Inherit
)

// A Quality is an index of SmoothingQualities.
type Quality uint8

// Qualities of image smoothing.
const (
	Low Quality = iota
	Medium
	High
)

// A State is what save puts aside: all properties of a context, with its matrix. The clip is
// part of it, too, but not to be seen.
type State struct {
	Matrix geometry.Matrix // user space to device space, which is pixels

	Fill, Stroke Paint

	LineWidth      float64
	LineCap        geometry.Cap
	LineJoin       geometry.Join
	MiterLimit     float64
	LineDash       []float64 // not to be changed
	LineDashOffset float64

	GlobalAlpha float64
	Composite   mediaimage.BlendMode
	Filter      string // as it was set; "none"

	ShadowColour                             [4]uint8
	ShadowBlur, ShadowOffsetX, ShadowOffsetY float64

	ImageSmoothing        bool
	ImageSmoothingQuality Quality

	Font                       text.Font
	TextAlign                  text.Align
	TextBaseline               text.Baseline
	Direction                  Direction
	LetterSpacing, WordSpacing Length
	FontKerning                text.Kerning
	FontStretch                uint8 // an index of FontStretches
	FontVariantCaps            text.Caps
	TextRendering              text.Rendering
	Lang                       string

	filter     []FilterStep
	clip       *Clip
	cover      *paint.Clip // what clip covers, nil without one
	coverBytes int64       // of its mask, taken from the budget
}

func newState() State {
	return State{
		Matrix:         geometry.Identity,
		Fill:           Paint{Colour: [4]uint8{3: 255}},
		Stroke:         Paint{Colour: [4]uint8{3: 255}},
		LineWidth:      1,
		MiterLimit:     10,
		GlobalAlpha:    1,
		Filter:         "none",
		ImageSmoothing: true,
		Font:           text.DefaultFont,
		Direction:      Inherit,
		LetterSpacing:  Length{Unit: "px"},
		WordSpacing:    Length{Unit: "px"},
		Lang:           "inherit",
	}
}

// State is a copy of the state.
func (c *Context) State() State { return c.state }

// Save puts a copy of the state aside.
func (c *Context) Save() {
	if len(c.saved) >= c.limits.SaveDepth {
		c.fail(&LimitError{"SaveDepth", "saved states", int64(c.limits.SaveDepth), int64(len(c.saved)) + 1})
		return
	}
	c.saved = append(c.saved, c.state)
}

// Restore takes back the state that was put aside last, if there is one.
func (c *Context) Restore() {
	if n := len(c.saved); n > 0 {
		c.dropCover()
		c.state = c.saved[n-1]
		c.saved[n-1] = State{}
		c.saved = c.saved[:n-1]
		c.path.SetTransform(c.state.Matrix)
	}
}

func finite(values ...float64) bool {
	for _, v := range values {
		// The difference is NaN for what is not finite.
		if v-v != 0 {
			return false
		}
	}
	return true
}

// Translate, Rotate, Scale and Transform change the matrix as if by multiplying it from the
// right: what is drawn afterwards is transformed first by them. Calls with what is not finite
// are ignored.
func (c *Context) Translate(x, y float64) { c.Transform(1, 0, 0, 1, x, y) }

// Rotate turns clockwise by an angle in radians.
func (c *Context) Rotate(angle float64) {
	if finite(angle) {
		sin, cos := math.Sincos(angle)
		c.Transform(cos, sin, -sin, cos, 0, 0)
	}
}

// Scale multiplies both axes.
func (c *Context) Scale(x, y float64) { c.Transform(x, 0, 0, y, 0, 0) }

// Transform multiplies the matrix with another one: see Translate.
func (c *Context) Transform(a, b, cc, d, e, f float64) {
	if finite(a, b, cc, d, e, f) {
		c.setMatrix(c.state.Matrix.Mul(geometry.Matrix{A: a, B: b, C: cc, D: d, E: e, F: f}))
	}
}

// SetTransform replaces the matrix.
func (c *Context) SetTransform(a, b, cc, d, e, f float64) {
	if finite(a, b, cc, d, e, f) {
		c.setMatrix(geometry.Matrix{A: a, B: b, C: cc, D: d, E: e, F: f})
	}
}

// setMatrix keeps what has overflowed out of all that follows: nothing is drawn with a matrix
// that takes everything to one point.
func (c *Context) setMatrix(m geometry.Matrix) {
	if !finite(m.A, m.B, m.C, m.D, m.E, m.F) {
		m = geometry.Matrix{}
	}
	c.state.Matrix = m
	c.path.SetTransform(m)
}

// ResetTransform makes user space device space.
func (c *Context) ResetTransform() { c.setMatrix(geometry.Identity) }

// Matrix is the transformation from user space to device space.
func (c *Context) Matrix() geometry.Matrix { return c.state.Matrix }

// SetFillColour, SetFillGradient and SetFillPattern set the fill style.
func (c *Context) SetFillColour(colour [4]uint8) { c.state.Fill = Paint{Colour: colour} }

// SetFillGradient sets the fill style.
func (c *Context) SetFillGradient(g *Gradient) { c.state.Fill = Paint{Gradient: g} }

// SetFillPattern sets the fill style.
func (c *Context) SetFillPattern(p *Pattern) { c.state.Fill = Paint{Pattern: p} }

// SetStrokeColour, SetStrokeGradient and SetStrokePattern set the stroke style.
func (c *Context) SetStrokeColour(colour [4]uint8) { c.state.Stroke = Paint{Colour: colour} }

// SetStrokeGradient sets the stroke style.
func (c *Context) SetStrokeGradient(g *Gradient) { c.state.Stroke = Paint{Gradient: g} }

// SetStrokePattern sets the stroke style.
func (c *Context) SetStrokePattern(p *Pattern) { c.state.Stroke = Paint{Pattern: p} }

// SetLineWidth sets the width of lines in user space; ignored unless it is above 0 and finite.
func (c *Context) SetLineWidth(w float64) {
	if w > 0 && finite(w) {
		c.state.LineWidth = w
	}
}

// SetLineCap sets the ends of lines.
func (c *Context) SetLineCap(e geometry.Cap) { c.state.LineCap = e }

// SetLineJoin sets the corners of lines.
func (c *Context) SetLineJoin(j geometry.Join) { c.state.LineJoin = j }

// SetMiterLimit is ignored unless the limit is above 0 and finite.
func (c *Context) SetMiterLimit(l float64) {
	if l > 0 && finite(l) {
		c.state.MiterLimit = l
	}
}

// SetLineDash sets the lengths of dashes and gaps, of which there is an even number once a
// list of an odd one is doubled. It is ignored when one is negative or not finite; none makes
// lines solid.
func (c *Context) SetLineDash(list []float64) {
	for _, v := range list {
		if v < 0 || !finite(v) {
			return
		}
	}
	dash := slices.Clone(list)
	if len(dash)%2 == 1 {
		dash = append(dash, list...)
	}
	c.state.LineDash = dash
}

// SetLineDashOffset sets where in its dashes a line begins.
func (c *Context) SetLineDashOffset(o float64) {
	if finite(o) {
		c.state.LineDashOffset = o
	}
}

// SetGlobalAlpha is ignored unless the factor is from 0 to 1.
func (c *Context) SetGlobalAlpha(a float64) {
	if a >= 0 && a <= 1 {
		c.state.GlobalAlpha = a
	}
}

// SetGlobalCompositeOperation sets how shapes are put on what is there.
func (c *Context) SetGlobalCompositeOperation(m mediaimage.BlendMode) { c.state.Composite = m }

// SetFilter sets the filter of ParseFilter, or does nothing when it does not parse.
func (c *Context) SetFilter(css string) bool {
	steps, ok := ParseFilter(css, c.state.Font.Size)
	if ok {
		c.state.Filter, c.state.filter = css, steps
	}
	return ok
}

// SetShadowColour sets the straight colour of shadows.
func (c *Context) SetShadowColour(colour [4]uint8) { c.state.ShadowColour = colour }

// SetShadowBlur sets twice the standard deviation of the blur of shadows, in pixels. It is
// ignored unless it is at least 0 and finite.
func (c *Context) SetShadowBlur(b float64) {
	if b >= 0 && finite(b) {
		c.state.ShadowBlur = b
	}
}

// SetShadowOffsetX sets how far to the right shadows are, in pixels.
func (c *Context) SetShadowOffsetX(x float64) {
	if finite(x) {
		c.state.ShadowOffsetX = x
	}
}

// SetShadowOffsetY sets how far down shadows are, in pixels.
func (c *Context) SetShadowOffsetY(y float64) {
	if finite(y) {
		c.state.ShadowOffsetY = y
	}
}

// SetImageSmoothingEnabled says whether pictures are interpolated.
func (c *Context) SetImageSmoothingEnabled(on bool) { c.state.ImageSmoothing = on }

// SetImageSmoothingQuality says how.
func (c *Context) SetImageSmoothingQuality(q Quality) { c.state.ImageSmoothingQuality = q }

// SetFont sets the font by a CSS shorthand, or does nothing when it does not parse.
func (c *Context) SetFont(css string) bool {
	f, ok := ParseFont(css)
	if ok {
		c.state.Font = f
	}
	return ok
}

// SetTextAlign sets the side of text that is at its x.
func (c *Context) SetTextAlign(a text.Align) { c.state.TextAlign = a }

// SetTextBaseline sets the line of text that is at its y.
func (c *Context) SetTextBaseline(b text.Baseline) { c.state.TextBaseline = b }

// SetDirection sets the direction of text.
func (c *Context) SetDirection(d Direction) { c.state.Direction = d }

// SetLetterSpacing sets a length of ParseLength, or does nothing when it does not parse.
func (c *Context) SetLetterSpacing(css string) bool {
	l, ok := ParseLength(css)
	if ok {
		c.state.LetterSpacing = l
	}
	return ok
}

// SetWordSpacing is as SetLetterSpacing.
func (c *Context) SetWordSpacing(css string) bool {
	l, ok := ParseLength(css)
	if ok {
		c.state.WordSpacing = l
	}
	return ok
}

// SetFontKerning says whether pairs of glyphs are kerned.
func (c *Context) SetFontKerning(k text.Kerning) { c.state.FontKerning = k }

// SetFontStretch sets an index of FontStretches.
func (c *Context) SetFontStretch(word uint8) { c.state.FontStretch = word }

// SetFontVariantCaps sets which letters are small capitals.
func (c *Context) SetFontVariantCaps(v text.Caps) { c.state.FontVariantCaps = v }

// SetTextRendering says what matters more in setting text.
func (c *Context) SetTextRendering(r text.Rendering) { c.state.TextRendering = r }

// SetLang sets the language of text (BCP 47), "" for none and "inherit".
func (c *Context) SetLang(lang string) { c.state.Lang = lang }

// ParseFilter reads a list of filter functions ("Filter Effects Level 1", W3C) or "none",
// which is no step. Lengths relative to a font are relative to em pixels.
func ParseFilter(css string, em float64) (steps []FilterStep, ok bool) {
	return paint.ParseFilter(css, em)
}
