package text

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of the shorthand.
const (
	// maxShorthand is the length in bytes of the longest shorthand that is read.
	maxShorthand = 4096
	// maxSize is the greatest size of a font in pixels, as in Chromium; larger ones become it.
	maxSize = 10000
)

// generics are the generic families of CSS.
var generics = map[string]bool{
	"serif": true, "sans-serif": true, "monospace": true, "cursive": true, "fantasy": true,
	"system-ui": true, "math": true, "emoji": true, "fangsong": true,
	"ui-serif": true, "ui-sans-serif": true, "ui-monospace": true, "ui-rounded": true,
}

// wide are the keywords that every property has.
var wide = map[string]bool{
	"inherit": true, "initial": true, "unset": true, "revert": true, "revert-layer": true, "default": true,
}

// systemFonts are the keywords of fonts of the system. Chromium on Linux has one for all.
var systemFonts = map[string]bool{
	"caption": true, "icon": true, "menu": true, "message-box": true, "small-caption": true, "status-bar": true,
}

var stretches = map[string]float64{
	"ultra-condensed": 50, "extra-condensed": 62.5, "condensed": 75, "semi-condensed": 87.5,
	"semi-expanded": 112.5, "expanded": 125, "extra-expanded": 150, "ultra-expanded": 200,
}

var sizes = map[string]float64{
	"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24,
	"xx-large": 32, "xxx-large": 48, "larger": emSize * 1.2, "smaller": emSize / 1.2,
}

// emSize is the size of the font that relative lengths are relative to.
const emSize = 10

// lengths are the units of length in pixels. Those of a font are those of 10px Liberation Sans.
var lengths = map[string]float64{
	"px": 1, "pt": 96.0 / 72, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 9.6 / 2.54, "q": 2.4 / 2.54,
	"em": emSize, "rem": emSize, "ic": emSize, "ric": emSize,
	"ex": emSize * 1082.0 / 2048, "rex": emSize * 1082.0 / 2048,
	"cap": emSize * 1409.0 / 2048, "rcap": emSize * 1409.0 / 2048,
	"ch": emSize * 1139.0 / 2048, "rch": emSize * 1139.0 / 2048,
	"lh": 11, "rlh": 11,
}

// angles are the units of angles in degrees.
var angles = map[string]float64{"deg": 1, "grad": 0.9, "rad": 180 / math.Pi, "turn": 360}

// fontParser reads the shorthand. t is the token at which it is.
type fontParser struct {
	lexer
	t token
}

func (p *fontParser) advance() { p.t = p.next() }

func (p *fontParser) space() {
	for p.t.kind == spaceToken {
		p.advance()
	}
}

func parseFont(css string) (Font, bool) {
	if len(css) > maxShorthand {
		return Font{}, false
	}
	if strings.IndexByte(css, 0) >= 0 || !utf8.ValidString(css) {
		css = strings.ReplaceAll(strings.ToValidUTF8(css, "\ufffd"), "\x00", "\ufffd")
	}
	p := fontParser{lexer: lexer{s: css}}
	p.advance()
	p.space()
	if p.t.kind == identToken && systemFonts[strings.ToLower(p.t.text)] {
		p.advance()
		p.space()
		f := DefaultFont
		f.Size, f.Families = 16, []Family{{Name: "Arial"}}
		return f, p.t.kind == endToken
	}
	f := Font{Weight: 400, Stretch: 100}
	if !p.prefix(&f) || !p.size(&f) || !p.lineHeight(&f) || !p.families(&f) || p.bad {
		return Font{}, false
	}
	return f, true
}

// prefix reads what stands before the size, each at most once and in any order.
func (p *fontParser) prefix(f *Font) bool {
	var style, variant, weight, stretch bool
	once := func(seen *bool) bool {
		was := *seen
		*seen = true
		return !was
	}
	for n := 0; ; n++ {
		ok, angle := false, false
		word := ""
		if p.t.kind == identToken {
			word = strings.ToLower(p.t.text)
		}
		switch {
		case word == "normal":
			ok = true
		case word == "italic":
			f.Style, ok = Italic, once(&style)
		case word == "oblique":
			f.Style, f.Angle, ok = Oblique, 14, once(&style)
			angle = true
		case word == "small-caps":
			f.SmallCaps, ok = true, once(&variant)
		case word == "bold", word == "bolder":
			f.Weight, ok = 700, once(&weight)
		case word == "lighter":
			f.Weight, ok = 100, once(&weight)
		case stretches[word] != 0:
			f.Stretch, ok = stretches[word], once(&stretch)
		case p.t.kind == numberToken && p.t.number >= 1 && p.t.number <= 1000:
			f.Weight, ok = p.t.number, once(&weight)
		default:
			return true
		}
		if !ok || n == 4 {
			return false
		}
		p.advance()
		p.space()
		if unit := angles[p.t.text]; angle && p.t.kind == dimensionToken && unit != 0 {
			f.Angle = p.t.number * unit
			if !(f.Angle >= -90 && f.Angle <= 90) {
				return false
			}
			p.advance()
			p.space()
		}
	}
}

func (p *fontParser) size(f *Font) bool {
	if p.t.kind == identToken {
		size, ok := sizes[strings.ToLower(p.t.text)]
		f.Size = size
		p.advance()
		return ok
	}
	v, ok := p.value(0)
	if ok && !v.length {
		ok = v.n == 0 && !v.calculated
	}
	if !ok || math.IsNaN(v.n) || v.n < 0 && !v.calculated {
		return false
	}
	f.Size = min(max(v.n, 0), maxSize)
	return true
}

// value is a number, or a length in pixels.
type value struct {
	n          float64
	length     bool
	calculated bool // by a function
}

// maxNesting is how deep functions and parentheses may be nested.
const maxNesting = 32

// value reads a number, a length, a percentage of the em, or a calculation of them.
func (p *fontParser) value(depth int) (v value, ok bool) {
	t := p.t
	switch t.kind {
	case numberToken:
		p.advance()
		return value{n: t.number}, true
	case percentToken:
		p.advance()
		return value{n: t.number / 100 * emSize, length: true}, true
	case dimensionToken:
		p.advance()
		unit, ok := lengths[t.text]
		return value{n: t.number * unit, length: true}, ok
	case functionToken:
		p.advance()
		return p.function(strings.ToLower(t.text), depth+1)
	case delimToken:
		if t.delim == '(' && depth > 0 {
			p.advance()
			return p.function("calc", depth+1)
		}
	}
	return v, false
}

// function reads the arguments of calc(), min(), max() or clamp() and the parenthesis that ends
// them.
func (p *fontParser) function(name string, depth int) (value, bool) {
	if depth > maxNesting {
		return value{}, false
	}
	var args []value
	for {
		v, ok := p.sum(depth)
		if !ok || len(args) > 0 && args[0].length != v.length {
			return v, false
		}
		args = append(args, v)
		if p.t.kind == delimToken && p.t.delim == ',' {
			p.advance()
			continue
		}
		break
	}
	if p.t.kind == delimToken && p.t.delim == ')' {
		p.advance()
	} else if p.t.kind != endToken {
		return value{}, false
	}
	v := args[0]
	v.calculated = true
	switch {
	case name == "calc" && len(args) == 1:
	case name == "min", name == "max":
		for _, a := range args[1:] {
			if name == "min" {
				v.n = min(v.n, a.n)
			} else {
				v.n = max(v.n, a.n)
			}
		}
	case name == "clamp" && len(args) == 3:
		v.n = max(args[0].n, min(args[1].n, args[2].n))
	default:
		return v, false
	}
	return v, true
}

func (p *fontParser) sum(depth int) (value, bool) {
	v, ok := p.product(depth)
	for ok {
		spaced := p.t.kind == spaceToken
		p.space()
		if p.t.kind != delimToken || p.t.delim != '+' && p.t.delim != '-' {
			return v, true
		}
		minus := p.t.delim == '-'
		p.advance()
		if !spaced || p.t.kind != spaceToken {
			return v, false
		}
		var w value
		if w, ok = p.product(depth); w.length != v.length {
			return v, false
		}
		if minus {
			w.n = -w.n
		}
		v.n += w.n
	}
	return v, false
}

func (p *fontParser) product(depth int) (value, bool) {
	p.space()
	v, ok := p.value(depth)
	for ok {
		mark := *p
		p.space()
		if p.t.kind != delimToken || p.t.delim != '*' && p.t.delim != '/' {
			*p = mark
			return v, true
		}
		divide := p.t.delim == '/'
		p.advance()
		p.space()
		var w value
		w, ok = p.value(depth)
		switch {
		case divide && !w.length:
			v.n /= w.n
		case !divide && !(v.length && w.length):
			v.n *= w.n
			v.length = v.length || w.length
		default:
			return v, false
		}
	}
	return v, false
}

func (p *fontParser) lineHeight(f *Font) bool {
	p.space()
	if p.t.kind != delimToken || p.t.delim != '/' {
		return true
	}
	p.advance()
	p.space()
	if p.t.is("normal") {
		p.advance()
		return true
	}
	percent := p.t.kind == percentToken
	v, ok := p.value(0)
	if !ok || !(v.n >= 0) && !v.calculated {
		return false
	}
	switch {
	case percent:
		v.n *= f.Size / emSize
	case !v.length:
		v.n *= f.Size
	}
	f.LineHeight = min(max(v.n, 0), math.MaxFloat32)
	return true
}

// families reads the list of families up to the end.
func (p *fontParser) families(f *Font) bool {
	for {
		p.space()
		fam, ok := p.family()
		if !ok {
			return false
		}
		f.Families = append(f.Families, fam)
		p.space()
		if p.t.kind == endToken {
			return true
		}
		if p.t.kind != delimToken || p.t.delim != ',' {
			return false
		}
		p.advance()
	}
}

func (p *fontParser) family() (Family, bool) {
	if p.t.kind == stringToken {
		name := p.t.text
		p.advance()
		return Family{Name: name}, true
	}
	var words []string
	for p.t.kind == identToken {
		words = append(words, p.t.text)
		p.advance()
		p.space()
	}
	if len(words) == 0 {
		return Family{}, false
	}
	if first := strings.ToLower(words[0]); generics[first] || len(words) == 1 && wide[first] {
		return Family{Name: first, Generic: true}, len(words) == 1 && generics[first]
	}
	return Family{Name: strings.Join(words, " ")}, true
}

func (f *Font) serialize() string {
	var b strings.Builder
	switch {
	case f.Style == Italic, f.Style == Oblique && (f.Angle == 14 || f.Angle == 0):
		b.WriteString("italic ")
	case f.Style == Oblique:
		b.WriteString("oblique " + shortNumber(f.Angle) + "deg ")
	}
	switch f.Weight {
	case 400:
	case 700:
		b.WriteString("bold ")
	default:
		b.WriteString(strconv.Itoa(int(f.Weight)) + " ")
	}
	if f.SmallCaps {
		b.WriteString("small-caps ")
	}
	for word, percent := range stretches {
		if f.Stretch == percent {
			b.WriteString(word + " ")
		}
	}
	b.WriteString(shortNumber(f.Size) + "px ")
	for i, fam := range f.Families {
		if i > 0 {
			b.WriteString(", ")
		}
		if fam.Generic || isFamilyIdent(fam.Name) {
			b.WriteString(fam.Name)
		} else {
			writeString(&b, fam.Name)
		}
	}
	return b.String()
}

// shortNumber has six digits, as numbers of Chromium's serialisation have.
func shortNumber(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// isFamilyIdent tells whether the name of a family can stand without quotes and means the same.
func isFamilyIdent(name string) bool {
	l := lexer{s: name}
	if !l.startsIdent(0) || strings.HasPrefix(name, "--") {
		return false
	}
	for i := 0; i < len(name); i++ {
		if c := name[i]; !isNameStart(c) && !isDigit(c) && c != '-' {
			return false
		}
	}
	lower := strings.ToLower(name)
	return !generics[lower] && !wide[lower]
}

// writeString writes a string of CSS ("CSSOM", 2.1).
func writeString(b *strings.Builder, s string) {
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			b.WriteString(`\` + strconv.FormatInt(int64(r), 16) + " ")
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}
