package vector

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"quicksand/canvas"
	"quicksand/canvas/geometry"
	"quicksand/media/image"
)

// replayDraw draws on pixels what a context has given to a device.
func (j *job) replayDraw(c *canvas.Context, d *canvas.Draw) error {
	if d.Kind == canvas.DrawText {
		return eachOfText(j.ctx, d, j.o.Limits, func(one *canvas.Draw) error { return j.replayDraw(c, one) })
	}
	if d.Kind == canvas.DrawPixels {
		s, t := d.Source, d.Target
		c.PutImageData(d.Image, int(t.X-s.X), int(t.Y-s.Y), int(s.X), int(s.Y), int(s.Width), int(s.Height))
		return nil
	}
	c.Save()
	defer c.Restore()
	var clips []*canvas.Clip
	for p := d.Clip; p != nil; p = p.Parent {
		clips = append(clips, p)
	}
	c.ResetTransform()
	for i := len(clips) - 1; i >= 0; i-- {
		c.ClipPath(clips[i].Path, clips[i].Rule)
	}
	if d.Kind == canvas.DrawClear {
		set(c, d.PathMatrix)
		c.SetGlobalCompositeOperation(image.DestinationOut)
		c.SetFillColour([4]uint8{3: 255})
		c.FillPath(d.Path, canvas.NonZero)
		return nil
	}
	set(c, d.Matrix)
	c.SetGlobalAlpha(d.Alpha)
	c.SetGlobalCompositeOperation(d.Mode)
	c.SetFilter(filterCSS(d.Filter))
	c.SetShadowColour(d.Shadow.Colour)
	c.SetShadowBlur(d.Shadow.Blur)
	c.SetShadowOffsetX(d.Shadow.X)
	c.SetShadowOffsetY(d.Shadow.Y)
	c.SetImageSmoothingEnabled(d.Smoothing)
	c.SetImageSmoothingQuality(d.Quality)
	switch d.Kind {
	case canvas.DrawFill:
		if p := inUser(d); p != nil {
			setFill(c, d.Paint)
			c.FillPath(p, d.Rule)
		}
	case canvas.DrawStroke:
		if p := inUser(d); p != nil {
			setStroke(c, d.Paint)
			c.SetLineWidth(d.Line.Width)
			c.SetLineCap(d.Line.Cap)
			c.SetLineJoin(d.Line.Join)
			c.SetMiterLimit(d.Line.MiterLimit)
			c.SetLineDash(d.Line.Dashes)
			c.SetLineDashOffset(d.Line.DashOffset)
			c.StrokePath(p)
		}
	case canvas.DrawImage:
		s, t := d.Source, d.Target
		c.DrawImagePart(d.Image, s.X, s.Y, s.Width, s.Height, t.X, t.Y, t.Width, t.Height)
	}
	return nil
}

func set(c *canvas.Context, m geometry.Matrix) { c.SetTransform(m.A, m.B, m.C, m.D, m.E, m.F) }

func setFill(c *canvas.Context, p canvas.Paint) {
	switch {
	case p.Gradient != nil:
		c.SetFillGradient(p.Gradient)
	case p.Pattern != nil:
		c.SetFillPattern(p.Pattern)
	default:
		c.SetFillColour(p.Colour)
	}
}

func setStroke(c *canvas.Context, p canvas.Paint) {
	switch {
	case p.Gradient != nil:
		c.SetStrokeGradient(p.Gradient)
	case p.Pattern != nil:
		c.SetStrokePattern(p.Pattern)
	default:
		c.SetStrokeColour(p.Colour)
	}
}

// inUser is the path of a draw in user space; nil where that is a line or a point.
func inUser(d *canvas.Draw) *geometry.Path {
	if d.PathMatrix == d.Matrix {
		return d.Path
	}
	inverse, ok := d.Matrix.Inverse()
	if !ok {
		return nil
	}
	p := &geometry.Path{}
	p.Append(d.Path, inverse.Mul(d.PathMatrix))
	return p
}

// pixelsOf draws one thing alone, without clip and mode, and gives the part of the surface
// that has something on it with its place; nil if nothing has.
func (j *job) pixelsOf(d *canvas.Draw) (*image.Surface, int, int, error) {
	one := *d
	one.Mode, one.Clip = image.SourceOver, nil
	n := int64(j.width) * int64(j.height)
	if j.rastered += n; j.rastered > MaxPixels {
		return nil, 0, 0, &canvas.LimitError{Name: "FilePixels", What: "pixels of parts that are no shapes", Limit: MaxPixels, Value: j.rastered}
	}
	c, err := canvas.NewContext(j.width, j.height, canvas.Options{Fonts: j.o.Fonts, Budget: j.o.Budget, Limits: j.o.Limits})
	if err != nil {
		return nil, 0, 0, err
	}
	defer c.Close()
	if err := j.replayDraw(c, &one); err != nil {
		return nil, 0, 0, err
	}
	s, err := c.Surface(j.ctx)
	if err != nil {
		return nil, 0, 0, err
	}
	x0, y0, x1, y1 := s.Width, s.Height, 0, 0
	for y := range s.Height {
		row := s.Row(y)
		for x := 0; x < s.Width; x++ {
			if row[4*x+3] != 0 {
				x0, x1 = min(x0, x), max(x1, x+1)
				y0, y1 = min(y0, y), y+1
			}
		}
	}
	if x0 >= x1 {
		return nil, 0, 0, nil
	}
	return part(s, x0, y0, x1-x0, y1-y0), x0, y0, nil
}

// part is a copy of a part of a surface.
func part(s *image.Surface, x, y, w, h int) *image.Surface {
	out := image.New(w, h)
	for row := range h {
		copy(out.Row(row), s.Row(y + row)[4*x:])
	}
	return out
}

// shadowOf is the shadow of a draw alone, as pixels.
func (j *job) shadowOf(d *canvas.Draw) (*image.Surface, int, int, error) {
	// The shape goes where it is not seen, and its shadow comes back by as much.
	const away = 100_000
	one := *d
	move := geometry.Matrix{A: 1, D: 1, E: away}
	one.Matrix = move.Mul(d.Matrix)
	one.PathMatrix = move.Mul(d.PathMatrix)
	one.Shadow.X -= away
	return j.pixelsOf(&one)
}

// filterCSS writes a filter as ParseFilter reads it.
func filterCSS(steps []canvas.FilterStep) string {
	if len(steps) == 0 {
		return "none"
	}
	var b strings.Builder
	n := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	for i, s := range steps {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch d := s.DropShadow; {
		case d != nil:
			b.WriteString(dropShadow(d.X, d.Y, d.Sigma, d.Colour))
		case s.Kind == image.Blur:
			b.WriteString("blur(" + n(s.Amount) + "px)")
		case s.Kind == image.HueRotate:
			b.WriteString("hue-rotate(" + n(s.Amount) + "deg)")
		default:
			b.WriteString(s.Kind.String() + "(" + n(s.Amount) + ")")
		}
	}
	return b.String()
}

func dropShadow(x, y, sigma float64, c [4]uint8) string {
	n := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	return fmt.Sprintf("drop-shadow(%spx %spx %spx rgba(%d,%d,%d,%s))", n(x), n(y), n(sigma), c[0], c[1], c[2], n(math.Round(float64(c[3])/255*1e4)/1e4))
}

// nested reports whether the circles of a radial gradient lie within each other, and whether
// the first is the outer one.
func nested(c [6]float64) (ok, swapped bool) {
	d := math.Hypot(c[3]-c[0], c[4]-c[1])
	switch {
	case d+c[2] < c[5]:
		return true, false
	case d+c[5] < c[2]:
		return true, true
	}
	return false, false
}

// paintsNothing reports whether a gradient paints nothing ("HTML Standard", 4.12.5.1.11).
func paintsNothing(g *canvas.Gradient) bool {
	c := g.Coords
	switch {
	case len(g.Stops) == 0:
		return true
	case g.Type == canvas.Linear:
		return c[0] == c[2] && c[1] == c[3]
	case g.Type == canvas.Radial:
		return c[0] == c[3] && c[1] == c[4] && c[2] == c[5]
	}
	return false
}
