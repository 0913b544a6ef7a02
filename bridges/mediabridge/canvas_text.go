package mediabridge

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"quicksand/bridges"
	"quicksand/bridges/assets"
	"quicksand/canvas"
	"quicksand/canvas/text"
)

// faces are the fonts of the run, nil for the bundled ones.
func (d *canvases) faces() (*text.Fonts, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.facesLocked()
}

func (d *canvases) facesLocked() (*text.Fonts, error) {
	if d.fonts != nil {
		return d.fonts, nil
	}
	return d.options.fonts()
}

// parsing makes a function of the bridge of one that reads text of CSS. What it does not know
// is null for the guest, and a warning.
func parsing(what string, parse func(s string) (any, bool)) func(ctx context.Context, c *bridges.Call) (any, error) {
	return asking(func(k *call, d *canvases) (any, error) {
		if v, ok := parse(k.Str(0)); ok {
			return v, nil
		}
		d.ignored(what, k.Str(0))
		return nil, nil
	})
}

// maxIgnored is how many values that are ignored the logs of a run show.
const maxIgnored = 20

// ignored warns of a value that means nothing, as browsers do not.
func (d *canvases) ignored(what, value string) {
	d.mu.Lock()
	line := "canvas: the " + what + " " + strconv.Quote(cut(value, 60)) + " is ignored"
	n := len(d.unknown)
	known := d.unknown[line]
	if n <= maxIgnored {
		d.unknown[line] = true
	}
	d.mu.Unlock()
	switch {
	case known:
	case n < maxIgnored:
		d.session.Warn(line)
	case n == maxIgnored:
		d.session.Warn("canvas: more values are ignored")
	}
}

func parseColour(s string) (any, bool) {
	c, ok := canvas.ParseColour(s)
	if !ok {
		return nil, false
	}
	n := uint32(c[0])<<24 | uint32(c[1])<<16 | uint32(c[2])<<8 | uint32(c[3])
	return []any{float64(n), canvas.SerializeColour(c)}, true
}

func parseFont(s string) (any, bool) {
	f, ok := canvas.ParseFont(s)
	if !ok {
		return nil, false
	}
	return f.String(), true
}

func parseFilter(s string) (any, bool) {
	// Whether it can be read does not depend on the font.
	_, ok := canvas.ParseFilter(s, 10)
	return s, ok
}

func parseLength(s string) (any, bool) {
	l, ok := canvas.ParseLength(s)
	if !ok {
		return nil, false
	}
	return l.String(), true
}

// measuring calls f with a context that has the state of text which a guest gives: the order
// is that of textState in canvas.js.
func (d *canvases) measuring(k *call, v bridges.Value, f func(c *canvas.Context) (any, error)) (any, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.scratch == nil {
		fonts, err := d.facesLocked()
		if err != nil {
			return nil, err
		}
		if d.scratch, err = canvas.NewContext(1, 1, canvas.Options{Fonts: fonts}); err != nil {
			return nil, err
		}
	}
	c := d.scratch
	str := func(i int) string { s, _ := v.Index(i).Str(); return s }
	word := func(i int, list []string) uint8 {
		n, ok := v.Index(i).Int()
		if !ok || n < 0 || n >= int64(len(list)) {
			return 0
		}
		return uint8(n)
	}
	c.SetFont("10px sans-serif")
	c.SetFont(str(0))
	c.SetTextAlign(text.Align(word(1, canvas.TextAligns)))
	c.SetTextBaseline(text.Baseline(word(2, canvas.TextBaselines)))
	c.SetDirection(canvas.Direction(word(3, canvas.Directions)))
	c.SetLetterSpacing("0px")
	c.SetLetterSpacing(str(4))
	c.SetWordSpacing("0px")
	c.SetWordSpacing(str(5))
	c.SetFontKerning(text.Kerning(word(6, canvas.FontKernings)))
	c.SetFontStretch(word(7, canvas.FontStretches))
	c.SetFontVariantCaps(text.Caps(word(8, canvas.FontVariantCaps)))
	c.SetTextRendering(text.Rendering(word(9, canvas.TextRenderings)))
	c.SetLang(str(10))
	out, err := f(c)
	if c.Err() != nil {
		err = c.Err()
		c.Close()
		d.scratch = nil
	}
	return out, err
}

// checkLength refuses a text that is longer than a recording may have.
func (d *canvases) checkLength(s string) error {
	if most := d.options.Limits.WithDefaults().Text; len(s) > most {
		return &canvas.LimitError{Name: "Text", What: "bytes of text", Limit: int64(most), Value: int64(len(s))}
	}
	return nil
}

// measureState measures a line, in the order of metricNames in canvas.js.
func measureState(k *call, d *canvases) (any, error) {
	if err := d.checkLength(k.Str(1)); err != nil {
		return nil, err
	}
	return d.measuring(k, k.Arg(0), func(c *canvas.Context) (any, error) {
		m, err := c.MeasureText(k.ctx, k.Str(1))
		if err != nil {
			return nil, err
		}
		return []any{m.Width, m.ActualLeft, m.ActualRight, m.FontAscent, m.FontDescent, m.ActualAscent,
			m.ActualDescent, m.EmAscent, m.EmDescent, m.HangingBaseline, m.AlphabeticBaseline, m.IdeographicBaseline}, nil
	})
}

func measureText(k *call, d *canvases) (any, error) {
	if err := d.checkLength(k.Str(0)); err != nil {
		return nil, err
	}
	return d.measuring(k, bridges.Value{}, func(c *canvas.Context) (any, error) {
		if s, ok := k.Arg(1).Str(); ok && !c.SetFont(s) {
			d.mu.Unlock()
			d.ignored("font", s)
			d.mu.Lock()
		}
		m, err := c.MeasureText(k.ctx, k.Str(0))
		if err != nil {
			return nil, err
		}
		return object("width", m.Width, "actualBoundingBoxLeft", m.ActualLeft, "actualBoundingBoxRight", m.ActualRight,
			"actualBoundingBoxAscent", m.ActualAscent, "actualBoundingBoxDescent", m.ActualDescent,
			"fontBoundingBoxAscent", m.FontAscent, "fontBoundingBoxDescent", m.FontDescent), nil
	})
}

// checkBox refuses options of a text box that make no sense.
func checkBox(k *call, _ *canvases) (any, error) {
	if _, err := canvas.ParseTextBoxOptions(k.Str(0)); err != nil {
		return nil, k.wrong("%s", err)
	}
	return bridges.Undefined, nil
}

func measureBox(k *call, d *canvases) (any, error) {
	if err := d.checkLength(k.Str(1)); err != nil {
		return nil, err
	}
	o, err := canvas.ParseTextBoxOptions(k.Str(3))
	if err != nil {
		return nil, k.wrong("%s", err)
	}
	return d.measuring(k, k.Arg(0), func(c *canvas.Context) (any, error) {
		b, err := c.MeasureTextBox(k.ctx, k.Str(1), k.Float(2), o)
		if err != nil {
			return nil, err
		}
		return object("width", b.Width, "height", b.Height, "lines", b.Lines, "cut", b.Cut), nil
	})
}

// Styles of faces, as CSS has them.
var styleNames = []string{text.Normal: "normal", text.Italic: "italic", text.Oblique: "oblique"}

func describeFaces(list []text.FaceInfo) any {
	out := make([]any, len(list))
	for i, f := range list {
		o := object("family", f.Family, "weight", f.Weight, "style", styleNames[f.Style], "bundled", f.Bundled)
		if f.MaxWeight != f.Weight {
			o.Set("maxWeight", f.MaxWeight)
		}
		if f.Stretch != 100 {
			o.Set("stretch", f.Stretch)
		}
		out[i] = o
	}
	return out
}

func listFonts(_ *call, d *canvases) (any, error) {
	fonts, err := d.faces()
	if err != nil {
		return nil, err
	}
	if fonts == nil {
		fonts = text.NewFonts()
	}
	return describeFaces(fonts.List()), nil
}

// codeFont is the code of the error for data that are no font.
const codeFont = "ERR_CANVAS_FONT"

func registerFont(k *call, d *canvases) (any, error) {
	opts := k.Options(1)
	var o text.FaceOptions
	if v := opts.Field("family"); !v.IsNullish() {
		var ok bool
		if o.Family, ok = v.Str(); !ok || o.Family == "" {
			return nil, k.wrong("family must be a name, not %s", shown(v))
		}
	}
	if v := opts.Field("weight"); !v.IsNullish() {
		switch s, _ := v.Str(); s {
		case "normal":
			o.Weight = 400
		case "bold":
			o.Weight = 700
		default:
			if o.Weight = toNumber(v); !(o.Weight >= 1 && o.Weight <= 1000) {
				return nil, k.wrong("weight must be normal, bold or a number from 1 to 1000, not %s", shown(v))
			}
		}
	}
	if v := opts.Field("style"); !v.IsNullish() {
		name, _ := v.Str()
		for i, n := range styleNames {
			if n == name {
				style := text.Style(i)
				o.Style = &style
			}
		}
		if o.Style == nil {
			return nil, k.wrong("style must be normal, italic or oblique, not %s", shown(v))
		}
	}
	data, isBytes := bridges.AsBytes(k.Arg(0))
	if !isBytes {
		if !assets.IsRef(k.Arg(0)) {
			return nil, k.wrong("font must be a Uint8Array of a font file, or a reference")
		}
		var err error
		if data, _, err = assets.Load(k.ctx, k.Session, k.op, k.Arg(0), "", fontLimit.Name, text.MaxFontBytes); err != nil {
			return nil, err
		}
	}
	n := int64(len(data))
	if n > text.MaxFontBytes {
		return nil, bridges.Limitf(k.op, fontLimit.Name, text.MaxFontBytes, n, "a font of %d bytes exceeds the %d byte limit", n, text.MaxFontBytes)
	}
	if err := k.Reserve(n); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	// What a guest adds is for its own run.
	fonts := d.fonts
	if fonts == nil {
		var err error
		if fonts, err = d.options.newFonts(); err != nil {
			return nil, err
		}
		if fonts == nil {
			fonts = text.NewFonts()
		}
	}
	faces, err := fonts.Register(data, o)
	if errors.As(err, new(*text.LimitError)) {
		return nil, err
	}
	if err != nil {
		return nil, &bridges.Error{Op: k.op, Code: codeFont, Message: strings.TrimPrefix(err.Error(), "register font: ")}
	}
	k.taken -= n // the set has it to the end of the run
	d.fonts = fonts
	if d.scratch != nil {
		d.scratch.Close()
		d.scratch = nil
	}
	return describeFaces(faces), nil
}

// cut is s, or its beginning.
func cut(s string, most int) string {
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
