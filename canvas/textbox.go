package canvas

// TextBoxOptions say how FillTextBox sets text. In a recording they are a JSON object with the
// names below. All have defaults; a JSON text of "" is an empty object. Lengths are in user
// space.
type TextBoxOptions struct {
	// Align is a word of BoxAligns; "" means the context's textAlign.
	Align string `json:"align,omitempty"`
	// LineHeight is the distance of baselines as a factor of the font's size. 0 means that of
	// the font shorthand, or 1.2 without one.
	LineHeight float64 `json:"lineHeight,omitempty"`
	// MaxLines and MaxHeight cut the text off after so many lines, or at the last that fits.
	// 0 means no limit.
	MaxLines  int     `json:"maxLines,omitempty"`
	MaxHeight float64 `json:"maxHeight,omitempty"`
	// Ellipsis ends text that was cut off; "" means "…", and "none" that there is none.
	Ellipsis string `json:"ellipsis,omitempty"`
	// VerticalAlign is a word of VerticalAligns, for the place within MaxHeight. "" is top.
	VerticalAlign string `json:"verticalAlign,omitempty"`
}

// A TextBox is what became of a text.
type TextBox struct {
	Width  float64 // of the longest line
	Height float64 // of all lines
	Lines  int
	Cut    bool // text did not fit
}

// ParseTextBoxOptions reads options from JSON. The error is for guests, too.
func ParseTextBoxOptions(json string) (TextBoxOptions, error) { panic("x") }

// MeasureTextBox sets text without drawing it.
func (c *Context) MeasureTextBox(s string, width float64, o TextBoxOptions) TextBox { panic("x") }

// FillTextBox sets text in lines of at most width, the first of which has its top at y.
// textBaseline does not count. Lines break where "Unicode Line Breaking Algorithm" (UAX 14)
// lets them, at newlines, and within words that are longer than a line.
func (c *Context) FillTextBox(s string, x, y, width float64, o TextBoxOptions) TextBox { panic("x") }
