package canvas

import "quicksand/canvas/text"

// TextMetrics are those of the HTML Standard, in user space. Distances are positive to the
// left and upwards of the point at which text is drawn, or to the right for Right and
// downwards for Descent.
type TextMetrics struct {
	Width                                             float64
	ActualBoundingBoxLeft, ActualBoundingBoxRight     float64
	ActualBoundingBoxAscent, ActualBoundingBoxDescent float64
	FontBoundingBoxAscent, FontBoundingBoxDescent     float64
	EmHeightAscent, EmHeightDescent                   float64
	HangingBaseline, AlphabeticBaseline               float64
	IdeographicBaseline                               float64
}

// MeasureText measures text as FillText would draw it.
func (c *Context) MeasureText(s string) TextMetrics { panic("x") }

// FillText and StrokeText draw a line of text. White space is spaces.
func (c *Context) FillText(s string, x, y float64) { panic("x") }

// FillTextWithin is FillText, condensed to maxWidth if it is wider. Nothing is drawn unless
// maxWidth is above 0.
func (c *Context) FillTextWithin(s string, x, y, maxWidth float64) { panic("x") }

// StrokeText draws the outlines of a line of text.
func (c *Context) StrokeText(s string, x, y float64) { panic("x") }

// StrokeTextWithin is to StrokeText as FillTextWithin to FillText.
func (c *Context) StrokeTextWithin(s string, x, y, maxWidth float64) { panic("x") }

// ParseFont reads a CSS font shorthand; f.String() is what font reads back.
func ParseFont(css string) (f text.Font, ok bool) { return text.ParseFont(css) }
