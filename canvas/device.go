package canvas

import (
	"quicksand/canvas/geometry"
	"quicksand/canvas/internal/paint"
	"quicksand/canvas/text"
	mediaimage "quicksand/media/image"
)

// A Device receives what a context draws instead of its surface, with all state resolved:
// writers of vector formats are devices. The order is that of drawing. An error ends the
// context, whose next Flush returns it.
type Device interface {
	Draw(d *Draw) error
}

// A DrawKind says what a Draw is.
type DrawKind uint8

// Kinds of drawing.
const (
	DrawFill   DrawKind = iota // Path filled by Rule
	DrawStroke                 // Path stroked with Line
	DrawText                   // Text, filled, or stroked with Line if Outline is set
	DrawImage                  // the part Source of Image, stretched to the rectangle Target
	DrawClear                  // the inside of Path becomes transparent: of the rest only Clip counts
	DrawPixels                 // the part Source of Image replaces the pixels at Target, in device space: nothing else counts
	DrawReset                  // all that was drawn is gone, and the background there again
)

// A Shadow is the shadow of a shape, in pixels: the matrix does not count. The standard
// deviation of its blur is half of Blur. Visible says whether there is one.
type Shadow = paint.Shadow

// A FilterStep is one function of a filter: see ParseFilter.
type FilterStep = paint.FilterStep

// A Clip is one of the paths, in device space, all of which what is drawn must be inside of.
// It must not be changed.
type Clip struct {
	Path   *geometry.Path
	Rule   FillRule
	Parent *Clip // nil at the last one
}

// A Draw is one thing that is drawn. It and its Path are valid until Draw returns; nobody
// changes the rest of what it points to.
type Draw struct {
	Kind DrawKind

	// Matrix takes user space to device space, PathMatrix the space of Path to device space:
	// a path may be in either. All other lengths are in user space unless they say otherwise,
	// the line's also.
	Matrix     geometry.Matrix
	Path       *geometry.Path
	PathMatrix geometry.Matrix
	Rule       FillRule
	Line       geometry.StrokeOptions
	Paint      Paint

	// Text is a line whose first glyph's origin on the baseline is X, Y. Horizontally it is
	// scaled by Condense, around X. String is what it was made of.
	Text     *text.Line
	String   string
	Font     text.Font
	X, Y     float64
	Condense float64
	Outline  bool

	Image          *mediaimage.Surface
	Source, Target mediaimage.Rect
	Smoothing      bool
	Quality        Quality

	Alpha  float64
	Mode   mediaimage.BlendMode
	Shadow Shadow
	Filter []FilterStep
	Clip   *Clip // nil without one
}

// NewDeviceContext makes a context that draws on d. It has no pixels: ImageData is
// transparent, and Surface is nil. The background of the options is up to the device.
func NewDeviceContext(width, height int, d Device, o Options) (*Context, error) {
	c, err := newContext(width, height, o)
	if err != nil {
		return nil, err
	}
	c.device = d
	return c, nil
}

// draw gives d to the device, with what all kinds have in common.
func (c *Context) draw(d Draw) {
	if c.err != nil {
		return
	}
	s := &c.state
	d.Matrix = s.Matrix
	d.Alpha, d.Mode, d.Shadow, d.Filter, d.Clip = s.GlobalAlpha, s.Composite, s.shadow(), s.filter, s.clip
	d.Smoothing, d.Quality = s.ImageSmoothing, s.ImageSmoothingQuality
	if err := c.device.Draw(&d); err != nil {
		c.fail(err)
	}
}

func (s *State) shadow() Shadow {
	return Shadow{Colour: s.ShadowColour, Blur: s.ShadowBlur, X: s.ShadowOffsetX, Y: s.ShadowOffsetY}
}

func (s *State) line() geometry.StrokeOptions {
	return geometry.StrokeOptions{
		Width: s.LineWidth, Cap: s.LineCap, Join: s.LineJoin, MiterLimit: s.MiterLimit,
		Dashes: s.LineDash, DashOffset: s.LineDashOffset,
	}
}
