package xml

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"quicksand/bridges"
	"quicksand/hostmods"
	"quicksand/internal/marshal"
)

// A builder writes XML.
type builder struct {
	ctx    context.Context
	op     string
	format bool
	indent string

	out   []byte
	depth int // elements around the current position
	count int // elements so far
	text  []byte
}

func stringify(ctx context.Context, c *bridges.Call) (any, error) {
	o := c.Options(1)
	b := builder{ctx: ctx, op: c.Op(), format: hostmods.Truthy(o.Field("format"), false), indent: "  "}
	if v := o.Field("indent"); !v.IsNullish() {
		s, ok := v.Str()
		if !ok || len(s) > 16 || strings.Trim(s, " \t") != "" {
			return nil, bridges.TypeErrorf(c.Op(), "options.indent must be up to 16 spaces or tabs")
		}
		b.indent = s
	}
	if hostmods.Truthy(o.Field("declaration"), false) {
		b.out = append(b.out, `<?xml version="1.0" encoding="UTF-8"?>`...)
	}
	var err error
	switch v := c.Arg(0); v.Kind() {
	case marshal.KindObject:
		_, err = b.children(v)
	case marshal.KindArray:
		_, err = b.list(v)
	default:
		err = bridges.TypeErrorf(c.Op(), "value must be an object, or the array of parse with preserveOrder, not %s", bridges.Describe(v))
	}
	if err != nil {
		return nil, err
	}
	return string(b.out), nil
}

// begin counts an element and refuses to go on beyond the limits.
func (b *builder) begin() error {
	if b.count++; b.count > maxNodes {
		return bridges.TypeErrorf(b.op, "value has more than %d elements", maxNodes)
	}
	if b.count%1024 == 0 && b.ctx.Err() != nil {
		return b.ctx.Err()
	}
	if len(b.out) > maxOutput {
		return bridges.Limitf(b.op, hostmods.LimitResult, maxOutput, int64(len(b.out)), "the text is more than the limit of %d bytes", maxOutput)
	}
	if b.depth > maxDepth {
		return bridges.TypeErrorf(b.op, "value has elements nested deeper than %d levels", maxDepth)
	}
	return nil
}

// children writes what an object holds, apart from its attributes. It reports whether that
// ends with an element.
func (b *builder) children(v marshal.Value) (elements bool, err error) {
	for key, child := range v.Fields() {
		switch {
		case strings.HasPrefix(key, prefix):
			if b.depth == 0 {
				return false, bridges.TypeErrorf(b.op, "the attribute %q stands outside of an element", short(key))
			}
			continue
		case key == "#text":
			if b.depth == 0 {
				return false, bridges.TypeErrorf(b.op, "text stands outside of an element")
			}
			if err := b.scalar(child, false); err != nil {
				return false, err
			}
			elements = false
			continue
		}
		elements = true
		if child.Kind() != marshal.KindArray {
			if err := b.element(key, child); err != nil {
				return false, err
			}
			continue
		}
		for _, item := range child.Elements() {
			if item.Kind() == marshal.KindArray {
				return false, bridges.TypeErrorf(b.op, "the element %q has an array inside of an array", short(key))
			}
			if err := b.element(key, item); err != nil {
				return false, err
			}
		}
	}
	return elements, nil
}

// mixed reports whether an object has text.
func mixed(v marshal.Value) bool { return !v.Field("#text").IsNullish() }

// element writes an element, or with a name that begins with "?" a processing instruction.
func (b *builder) element(name string, v marshal.Value) error {
	b.depth++
	defer func() { b.depth-- }()
	if err := b.begin(); err != nil {
		return err
	}
	if instruction, ok := strings.CutPrefix(name, "?"); ok {
		return b.instruction(instruction, v)
	}
	if err := b.open(name); err != nil {
		return err
	}
	if v.Kind() != marshal.KindObject {
		start := len(b.out)
		b.out = append(b.out, '>')
		if err := b.scalar(v, false); err != nil {
			return err
		}
		if len(b.out) == start+1 {
			b.out = append(b.out[:start], "/>"...)
			return nil
		}
		b.close(name, false)
		return nil
	}
	if err := b.attributes(v); err != nil {
		return err
	}
	start := len(b.out)
	b.out = append(b.out, '>')
	format := b.format
	b.format = format && !mixed(v) // white space would be text
	elements, err := b.children(v)
	if err != nil {
		return err
	}
	if len(b.out) == start+1 {
		b.out = append(b.out[:start], "/>"...)
	} else {
		b.close(name, elements)
	}
	b.format = format
	return nil
}

// line begins a new line for what has depth elements around it.
func (b *builder) line(depth int) {
	if !b.format || len(b.out) == 0 {
		return
	}
	b.out = append(b.out, '\n')
	for range depth {
		b.out = append(b.out, b.indent...)
	}
}

// open begins a start tag.
func (b *builder) open(name string) error {
	if n := nameLength(name); n == 0 || n < len(name) {
		return bridges.TypeErrorf(b.op, "%q is no name of an element", short(name))
	}
	b.line(b.depth - 1)
	b.out = append(append(b.out, '<'), name...)
	return nil
}

func (b *builder) close(name string, elements bool) {
	if elements {
		b.line(b.depth - 1)
	}
	b.out = append(append(append(b.out, "</"...), name...), '>')
}

// attributes writes the attributes among the entries of an object.
func (b *builder) attributes(v marshal.Value) error {
	for key, value := range v.Fields() {
		name, ok := strings.CutPrefix(key, prefix)
		if !ok || value.IsUndefined() {
			continue
		}
		if n := nameLength(name); n == 0 || n < len(name) {
			return bridges.TypeErrorf(b.op, "%q is no name of an attribute", short(name))
		}
		b.out = append(append(append(b.out, ' '), name...), '=', '"')
		if err := b.scalar(value, true); err != nil {
			return err
		}
		b.out = append(b.out, '"')
	}
	return nil
}

func (b *builder) instruction(name string, v marshal.Value) error {
	if n := nameLength(name); n == 0 || n < len(name) {
		return bridges.TypeErrorf(b.op, "%q is no name of a processing instruction", short(name))
	}
	if name == "xml" && len(b.out) > 0 {
		return bridges.TypeErrorf(b.op, "the XML declaration must be the first entry, and options.declaration false")
	}
	b.line(b.depth - 1)
	b.out = append(append(b.out, "<?"...), name...)
	start := len(b.out)
	switch v.Kind() {
	case marshal.KindObject:
		if err := b.attributes(v); err != nil {
			return err
		}
	case marshal.KindUndefined, marshal.KindNull:
	default:
		b.out = append(b.out, ' ')
		b.text = v.AppendStr(b.text[:0])
		b.out = append(b.out, b.text...)
		if len(b.text) == 0 {
			b.out = b.out[:start]
		}
	}
	if strings.Contains(string(b.out[start:]), "?>") {
		return bridges.TypeErrorf(b.op, "the processing instruction %q holds %q", short(name), "?>")
	}
	b.out = append(b.out, "?>"...)
	return nil
}

// list writes the array of parse with preserveOrder: objects with one entry besides ":@".
func (b *builder) list(v marshal.Value) (elements bool, err error) {
	for i, item := range v.Elements() {
		if item.Kind() != marshal.KindObject {
			return false, bridges.TypeErrorf(b.op, "item %d of a list is no object", i)
		}
		name, content, attrs, found := "", marshal.Value{}, marshal.Value{}, 0
		for k, x := range item.Fields() {
			if k == ":@" {
				attrs = x
				continue
			}
			name, content = k, x
			found++
		}
		if found != 1 {
			return false, bridges.TypeErrorf(b.op, "item %d of a list has %d names, not one", i, found)
		}
		if name == "#text" {
			if b.depth == 0 {
				return false, bridges.TypeErrorf(b.op, "text stands outside of an element")
			}
			if err := b.scalar(content, false); err != nil {
				return false, err
			}
			elements = false
			continue
		}
		elements = true
		if err := b.item(name, content, attrs); err != nil {
			return false, err
		}
	}
	return elements, nil
}

// item writes an element of a list.
func (b *builder) item(name string, content, attrs marshal.Value) error {
	b.depth++
	defer func() { b.depth-- }()
	if err := b.begin(); err != nil {
		return err
	}
	if instruction, ok := strings.CutPrefix(name, "?"); ok {
		return b.instruction(instruction, attrs)
	}
	if err := b.open(name); err != nil {
		return err
	}
	if err := b.attributes(attrs); err != nil {
		return err
	}
	if content.Kind() != marshal.KindArray {
		return bridges.TypeErrorf(b.op, "the content of %q is no list", short(name))
	}
	if content.Len() == 0 {
		b.out = append(b.out, "/>"...)
		return nil
	}
	b.out = append(b.out, '>')
	format := b.format
	for _, item := range content.Elements() {
		b.format = b.format && !mixed(item)
	}
	elements, err := b.list(content)
	if err != nil {
		return err
	}
	b.close(name, elements)
	b.format = format
	return nil
}

// scalar writes a text, or the value of an attribute.
func (b *builder) scalar(v marshal.Value, attribute bool) error {
	switch v.Kind() {
	case marshal.KindUndefined, marshal.KindNull:
		return nil
	case marshal.KindString:
		b.text = v.AppendStr(b.text[:0])
	case marshal.KindNumber, marshal.KindBool:
		b.text = append(b.text[:0], v.String()...)
	case marshal.KindBigInt:
		b.text = append(b.text[:0], strings.TrimSuffix(v.String(), "n")...)
	case marshal.KindDate:
		when, ok := v.Any().(time.Time)
		if !ok {
			return bridges.TypeErrorf(b.op, "a date is invalid")
		}
		b.text = when.AppendFormat(b.text[:0], "2006-01-02T15:04:05.000Z")
	default:
		what := "a text"
		if attribute {
			what = "an attribute"
		}
		return bridges.TypeErrorf(b.op, "%s is of the type %s", what, v.Kind())
	}
	start := 0
	for i := 0; i < len(b.text); i++ {
		c := b.text[i]
		with := ""
		switch {
		case c == '&':
			with = "&amp;"
		case c == '<':
			with = "&lt;"
		case c == '>':
			with = "&gt;"
		case c == '"' && attribute:
			with = "&quot;"
		case c == '\n' && attribute:
			with = "&#10;"
		case c == '\t' && attribute:
			with = "&#9;"
		case c == '\r':
			with = "&#13;"
		case c < ' ' && c != '\n' && c != '\t', c == 0xef && isNonCharacter(b.text[i:]):
			r, _ := utf8.DecodeRune(b.text[i:])
			return bridges.TypeErrorf(b.op, "a text has the character U+%04X, which XML cannot hold", r)
		default:
			continue
		}
		b.out = append(append(b.out, b.text[start:i]...), with...)
		start = i + 1
	}
	b.out = append(b.out, b.text[start:]...)
	return nil
}

// isNonCharacter reports whether a text begins with U+FFFE or U+FFFF.
func isNonCharacter(b []byte) bool {
	r, _ := utf8.DecodeRune(b)
	return r == 0xfffe || r == 0xffff
}
