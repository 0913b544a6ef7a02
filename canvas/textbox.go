package canvas

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"quicksand/canvas/text"

	"github.com/go-text/typesetting/segmenter"
)

// TextBoxOptions say how FillTextBox sets text. In a recording they are a JSON object with the
// names below. All have defaults; a JSON text of "" is an empty object. Lengths are in user
// space.
type TextBoxOptions struct {
	// Align is a word of BoxAligns; "" means the context's textAlign. Justified text has its
	// lines, but for the last of a paragraph, stretched to the width between words.
	Align string `json:"align,omitempty"`
	// LineHeight is the distance of baselines as a factor of the font's size. 0 means that of
	// the font shorthand, or 1.2 without one.
	LineHeight float64 `json:"lineHeight,omitempty"`
	// MaxLines and MaxHeight cut the text off after so many lines, or after the last, but not
	// before the first, that fits. 0 means no limit.
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
func ParseTextBoxOptions(options string) (o TextBoxOptions, err error) {
	if options == "" {
		return o, nil
	}
	var fields map[string]any
	if json.Unmarshal([]byte(options), &fields) != nil {
		return o, fmt.Errorf("the options of the text box are not a JSON object")
	}
	number := func(name string, v any) (f float64) {
		f, ok := v.(float64)
		if err == nil && !(ok && f >= 0 && f <= 1e9) {
			err = fmt.Errorf("%s of the text box is not a number from 0 to 1e9", name)
		}
		return f
	}
	word := func(name string, v any, words []string) (s string) {
		s, ok := v.(string)
		if err == nil && !(ok && (words == nil || slices.Contains(words, s))) {
			if words == nil {
				err = fmt.Errorf("%s of the text box is not a string", name)
			} else {
				err = fmt.Errorf("%s of the text box is not one of %s", name, strings.Join(words, ", "))
			}
		}
		return s
	}
	// In order, so that of several errors it is always the same one.
	for _, name := range slices.Sorted(keys(fields)) {
		switch v := fields[name]; name {
		case "align":
			o.Align = word(name, v, BoxAligns)
		case "lineHeight":
			o.LineHeight = number(name, v)
		case "maxLines":
			f := number(name, v)
			if err == nil && f != math.Trunc(f) {
				err = fmt.Errorf("maxLines of the text box is not an integer")
			}
			o.MaxLines = int(f)
		case "maxHeight":
			o.MaxHeight = number(name, v)
		case "ellipsis":
			o.Ellipsis = word(name, v, nil)
		case "verticalAlign":
			o.VerticalAlign = word(name, v, VerticalAligns)
		default:
			err = fmt.Errorf("a text box has no option %.40q", name)
		}
		if err != nil {
			return TextBoxOptions{}, err
		}
	}
	return o, nil
}

func keys(m map[string]any) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// MeasureTextBox sets text without drawing it. The error is that of Shape in package text.
func (c *Context) MeasureTextBox(ctx context.Context, s string, width float64, o TextBoxOptions) (TextBox, error) {
	l, err := c.layOut(ctx, s, width, &o)
	return l.box, err
}

// FillTextBox sets text in lines of at most width, the first of which has its top at y.
// textBaseline does not count. Lines break where "Unicode Line Breaking Algorithm" (UAX 14)
// lets them, at newlines, and within words that are longer than a line.
func (c *Context) FillTextBox(s string, x, y, width float64, o TextBoxOptions) TextBox {
	// A text is measured some times over to be broken.
	if !finite(x, y, width) || c.err != nil || !c.spend(8*slowWork*int64(len(s))) {
		return TextBox{}
	}
	l, err := c.layOut(c.ctx, s, width, &o)
	if err != nil {
		c.fail(err)
		return l.box
	}
	if o.MaxHeight > 0 {
		switch o.VerticalAlign {
		case "middle":
			y += (o.MaxHeight - l.box.Height) / 2
		case "bottom":
			y += o.MaxHeight - l.box.Height
		}
	}
	rtl := c.state.Direction == RTL
	for i, line := range l.lines {
		free := width - line.width
		space := 0.0
		switch align := c.boxAlign(o.Align); {
		case align == "justify" && !line.last && free > 0:
			if n := strings.Count(line.text, " "); n > 0 {
				space, free = free/float64(n), 0
			} else if !rtl {
				free = 0
			}
		case align == "center":
			free /= 2
		case align == "left", !rtl && align != "right" && align != "end", rtl && align == "end":
			free = 0
		}
		if err := c.ctx.Err(); err != nil {
			c.fail(err)
			return l.box
		}
		shaped, err := c.shapeText(c.ctx, line.text, space)
		if err != nil {
			c.fail(err)
			return l.box
		}
		// The line's font box is in the middle of its height.
		m := shaped.Metrics(text.AlignLeft, text.BaselineAlphabetic)
		base := (l.height - m.FontAscent - m.FontDescent) / 2
		c.drawLine(shaped, line.text, x+free, y+float64(i)*l.height+base+m.FontAscent, 1, false)
	}
	return l.box
}

// boxAlign is the word of an alignment.
func (c *Context) boxAlign(word string) string {
	if word == "" {
		return TextAligns[c.state.TextAlign]
	}
	return word
}

// A layout is text in lines.
type layout struct {
	lines  []boxLine
	height float64 // of one
	box    TextBox
}

type boxLine struct {
	text  string
	width float64
	last  bool // of a paragraph
}

// layOut breaks a text into lines.
func (c *Context) layOut(ctx context.Context, s string, width float64, o *TextBoxOptions) (l layout, err error) {
	f := &c.state.Font
	l.height = o.LineHeight * f.Size
	if o.LineHeight == 0 {
		if l.height = f.LineHeight; l.height == 0 {
			l.height = 1.2 * f.Size
		}
	}
	most := math.MaxInt
	if o.MaxLines > 0 {
		most = o.MaxLines
	}
	if o.MaxHeight > 0 && l.height > 0 {
		// Not refused for what rounding has added.
		most = min(most, max(1, int(o.MaxHeight/l.height+1e-9)))
	}
	b := breaker{c: c, ctx: ctx, width: width, most: most}
	rest, err := b.breakText(s)
	if err != nil {
		return l, err
	}
	l.lines = b.lines
	if l.box.Cut = rest != ""; l.box.Cut && len(l.lines) > 0 {
		if err := b.cut(&l.lines[len(l.lines)-1], rest, o.Ellipsis); err != nil {
			return l, err
		}
	}
	for i := range l.lines {
		line := &l.lines[i]
		if line.width, err = b.advance(line.text); err != nil {
			return l, err
		}
		l.box.Width = max(l.box.Width, line.width)
	}
	l.box.Lines = len(l.lines)
	l.box.Height = float64(len(l.lines)) * l.height
	return l, nil
}

// A breaker fills lines with as much as fits.
type breaker struct {
	c     *Context
	ctx   context.Context
	width float64
	most  int // lines
	lines []boxLine
}

// advance is how wide a text is.
func (b *breaker) advance(s string) (float64, error) {
	if s == "" {
		return 0, nil
	}
	// Shaping looks at the context in long texts only.
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	line, err := b.c.shapeText(b.ctx, s, 0)
	if err != nil {
		return 0, err
	}
	return line.Advance, nil
}

// breakText makes lines and returns the text for which there was none.
func (b *breaker) breakText(s string) (rest string, err error) {
	s = strings.ToValidUTF8(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s), "\ufffd")
	for s != "" {
		if len(b.lines) >= b.most {
			return s, nil
		}
		paragraph, after, newline := strings.Cut(s, "\n")
		if rest, err = b.paragraph(paragraph); err != nil {
			return "", err
		}
		if rest != "" {
			if newline {
				rest += "\n" + after
			}
			return rest, nil
		}
		s = after
	}
	return "", nil
}

// paragraph is breakText for a text without newlines. Each piece between two places where a
// line may break is measured once: words are shaped one by one, so that their widths add up.
func (b *breaker) paragraph(s string) (rest string, err error) {
	var seg segmenter.Segmenter
	if err := seg.InitWithString(s); err != nil {
		return "", err // it is UTF-8: this does not happen
	}
	from := 0    // where the line begins
	width := 0.0 // of what it has
	for pieces := seg.LineIterator(); pieces.Next(); {
		p := pieces.Line()
		at, end := p.OffsetInBytes, p.OffsetInBytes+p.LengthInBytes
		ink := strings.TrimRight(s[at:end], blanks)
		wide, err := b.advance(ink)
		if err != nil {
			return "", err
		}
		if width+wide > b.width {
			if at > from {
				if !b.add(s[from:at], false) {
					return s[from:], nil
				}
				from, width = at, 0
			}
			if wide > b.width {
				if from, err = b.split(s[:at+len(ink)], from); err != nil {
					return "", err
				}
				if len(b.lines) >= b.most {
					return s[from:], nil
				}
				if wide, err = b.advance(s[from : at+len(ink)]); err != nil {
					return "", err
				}
			}
		}
		blank, err := b.advance(s[at+len(ink) : end])
		if err != nil {
			return "", err
		}
		width += wide + blank
		if p.IsMandatoryBreak && end < len(s) {
			if !b.add(s[from:end], true) {
				return s[from:], nil
			}
			from, width = end, 0
		}
	}
	if !b.add(s[from:], true) {
		return s[from:], nil
	}
	return "", nil
}

// blanks are white space that hangs at the end of a line.
const blanks = " \t\v\f\u0085\u2028\u2029"

// split makes lines of a word, s from at on, that is longer than one, and returns where the
// rest begins that fits on a line.
func (b *breaker) split(s string, at int) (int, error) {
	ends := graphemes(s[at:])
	for i, base := 0, at; i < len(ends) && len(b.lines) < b.most; {
		n, err := b.longest(s[at:], ends[i:], at-base, "")
		if err != nil || i+n == len(ends) {
			return at, err
		}
		i += n
		b.add(s[at:base+ends[i-1]], false)
		at = base + ends[i-1]
	}
	return at, nil
}

// add adds a line, if there may be one more.
func (b *breaker) add(s string, last bool) bool {
	if len(b.lines) >= b.most {
		return false
	}
	b.lines = append(b.lines, boxLine{text: strings.TrimRight(s, blanks), last: last})
	return true
}

// longest is up to how many of the ends, less from, a text with a suffix fits on a line; at
// least 1. It does not measure what is much longer than a line.
func (b *breaker) longest(s string, ends []int, from int, suffix string) (int, error) {
	fits := func(n int) (bool, error) {
		w, err := b.advance(strings.TrimRight(s[:ends[n-1]-from], blanks) + suffix)
		return w <= b.width, err
	}
	lo, hi := 1, min(8, len(ends))
	for {
		ok, err := fits(hi)
		if err != nil {
			return 0, err
		}
		if !ok {
			break
		}
		if lo = hi; hi == len(ends) {
			return hi, nil
		}
		hi = min(2*hi, len(ends))
	}
	for lo+1 < hi {
		mid := (lo + hi) / 2
		ok, err := fits(mid)
		if err != nil {
			return 0, err
		}
		if ok {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo, nil
}

// graphemes are the ends of a text's characters as readers see them (UAX 29), in bytes.
func graphemes(s string) (ends []int) {
	var seg segmenter.Segmenter
	if seg.InitWithString(s) != nil {
		return []int{len(s)} // it is UTF-8: this does not happen
	}
	for it := seg.GraphemeIterator(); it.Next(); {
		g := it.Grapheme()
		ends = append(ends, g.OffsetInBytes+g.LengthInBytes)
	}
	return ends
}

// cut ends a line, after which rest is missing, with an ellipsis.
func (b *breaker) cut(line *boxLine, rest, ellipsis string) error {
	line.last = true
	switch ellipsis {
	case "none":
		return nil
	case "":
		ellipsis = "…"
	}
	w, err := b.advance(line.text + ellipsis)
	if err != nil {
		return err
	}
	if w > b.width {
		// Without any of the text, if it has to be.
		ends := append([]int{0}, graphemes(line.text)...)
		n, err := b.longest(line.text, ends, 0, ellipsis)
		if err != nil {
			return err
		}
		line.text = strings.TrimRight(line.text[:ends[n-1]], blanks)
	}
	line.text += ellipsis
	return nil
}
