package mediabridge

import (
	"encoding/json"
	"math"

	"quicksand/canvas"
	"quicksand/media/image"

	// SVG is a format that image.* and drawImage read.
	_ "quicksand/canvas/svg"
)

// imageText sets text in a picture that is as large as the text: as canvas.fillTextBox does,
// within a width if there is one.
func imageText(k *call) (*handle, error) {
	text, ok := k.Arg(0).Str()
	if !ok {
		return nil, k.wrong("text must be a string")
	}
	o := k.Options(1)
	out, err := k.output(o)
	if err != nil {
		return nil, err
	}
	font := "16px sans-serif"
	if v := o.Field("font"); !v.IsNullish() {
		if font, ok = v.Str(); !ok {
			return nil, k.wrong("font must be a CSS font like bold 20px sans-serif, not %s", shown(v))
		}
	}
	face, ok := canvas.ParseFont(font)
	if !ok {
		return nil, k.wrong("font must be a CSS font like bold 20px sans-serif, not %s", shown(o.Field("font")))
	}
	colour, err := k.colour(o, "color")
	if err != nil {
		return nil, err
	}
	if colour == nil {
		colour = &[4]uint8{0, 0, 0, 255}
	}
	padding, err := k.between(o, "padding", math.Ceil(face.Size/8), 0, image.MaxEdge)
	if err != nil {
		return nil, err
	}
	width, err := k.between(o, "width", 0, 0, image.MaxEdge)
	if err != nil {
		return nil, err
	}
	inner := width - 2*padding
	if width == 0 {
		inner = 1e6
	} else if inner < 1 {
		return nil, k.wrong("the width %s leaves no room within a padding of %s", plain(width), plain(padding))
	}
	box := map[string]any{}
	for _, name := range []string{"align", "ellipsis", "verticalAlign", "lineHeight", "maxLines", "maxHeight"} {
		if v := o.Field(name); !v.IsNullish() {
			if f, isNumber := v.Float(); isNumber {
				box[name] = f
			} else if s, isText := v.Str(); isText {
				box[name] = s
			} else {
				return nil, k.wrong("%s must be a string or a number, not %s", name, shown(v))
			}
		}
	}
	encoded, err := json.Marshal(box)
	if err != nil {
		return nil, k.wrong("the options of the text must be finite numbers")
	}
	set, err := canvas.ParseTextBoxOptions(string(encoded))
	if err != nil {
		return nil, k.wrong("%s", err)
	}
	state, err := k.Session.State(Canvas)
	if err != nil {
		return nil, err
	}
	d := state.(*canvases)
	if err := d.checkLength(text); err != nil {
		return nil, canvasFailure(k.op, err)
	}
	fonts, err := d.faces()
	if err != nil {
		return nil, err
	}
	options := canvas.Options{Fonts: fonts, Budget: k, Limits: d.options.Limits, Background: out.background}
	ruler, err := canvas.NewContext(1, 1, options)
	if err != nil {
		return nil, err
	}
	ruler.SetFont(font)
	size, err := ruler.MeasureTextBox(k.ctx, text, inner, set)
	ruler.Close()
	if err != nil {
		return nil, canvasFailure(k.op, err)
	}
	w, h := width, math.Ceil(size.Height)+2*padding
	if width == 0 {
		inner = math.Ceil(size.Width)
		w = inner + 2*padding
	}
	if set.MaxHeight > 0 && set.VerticalAlign != "" {
		h = math.Ceil(set.MaxHeight) + 2*padding
	}
	if err := checkSize(k.op, max(round(w), 1), max(round(h), 1)); err != nil {
		return nil, err
	}
	c, err := canvas.NewContext(max(round(w), 1), max(round(h), 1), options)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	c.SetFont(font)
	c.SetFillColour(*colour)
	// Half a pixel of width keeps rounding from breaking a line.
	c.FillTextBox(text, padding, padding, inner+0.5, set)
	s, err := c.Surface(k.ctx)
	if err != nil {
		return nil, canvasFailure(k.op, err)
	}
	n := bytesOf(s.Width, s.Height)
	if err := k.Reserve(n); err != nil {
		return nil, err
	}
	if under, paints := out.under(); paints && !s.Opaque() {
		image.Fill(s, under, image.DestinationOver) // the context draws no more
	}
	return k.keep(&pixels{pic: image.FromSurface(s), reserved: n}, out)
}
