package cldr

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ListOptions are the options of Intl.ListFormat; empty stands for undefined.
type ListOptions struct {
	Type  string // conjunction, disjunction, unit
	Style string // long, short, narrow
}

// ResolvedList is what a ListFormat uses.
type ResolvedList struct{ Locale, Type, Style string }

// A ListFormat joins lists. Safe for concurrent use.
type ListFormat struct {
	res                      ResolvedList
	pair, start, middle, end [3]string // before, between and after the two places
	// special are rules of a language about the last item: "es" or "he".
	special string
}

// NewListFormat returns the formatter for the first of the tags there are data for.
func NewListFormat(tags []string, o ListOptions) (*ListFormat, error) {
	loc, err := ParseLocales(tags)
	if err != nil {
		return nil, err
	}
	const service = "Intl.ListFormat"
	f := &ListFormat{res: ResolvedList{Locale: loc.Tag}}
	if f.res.Type, err = choose(service, "type", o.Type, "conjunction", "disjunction", "unit"); err != nil {
		return nil, err
	}
	if f.res.Style, err = choose(service, "style", o.Style, "long", "short", "narrow"); err != nil {
		return nil, err
	}
	rec := numbers.record(loc.data)
	key := "list/" + f.res.Type
	if f.res.Style != "long" {
		key += "-" + f.res.Style
	}
	for _, p := range []struct {
		name string
		to   *[3]string
	}{{"2", &f.pair}, {"start", &f.start}, {"middle", &f.middle}, {"end", &f.end}} {
		text := rec.get(key + "/" + p.name)
		var rest string
		p.to[0], rest, _ = strings.Cut(text, "{0}")
		p.to[1], p.to[2], _ = strings.Cut(rest, "{1}")
	}
	if loc.language == "es" || loc.language == "he" {
		f.special = loc.language
	}
	return f, nil
}

// ResolvedOptions returns what the formatter uses.
func (f *ListFormat) ResolvedOptions() ResolvedList { return f.res }

// Format joins the items.
func (f *ListFormat) Format(items []string) string {
	var b strings.Builder
	f.each(items, func(_ bool, s string) { b.WriteString(s) })
	return b.String()
}

// FormatToParts joins the items and returns the parts, "element" and "literal".
func (f *ListFormat) FormatToParts(items []string) []Part {
	out := make([]Part, 0, 2*len(items))
	f.each(items, func(element bool, s string) {
		kind := "literal"
		if element {
			kind = "element"
		} else if s == "" {
			return
		} else if n := len(out); n > 0 && out[n-1].Type == kind {
			out[n-1].Value += s
			return
		}
		out = append(out, Part{Type: kind, Value: s})
	})
	return out
}

// each calls add for the items and for what is between and around them, in order.
func (f *ListFormat) each(items []string, add func(element bool, s string)) {
	n := len(items)
	literal := func(s string) { add(false, s) }
	element := func(i int) { add(true, items[i]) }
	switch n {
	case 0:
	case 1:
		element(0)
	case 2:
		p := f.adjust(f.pair, items[1])
		literal(p[0])
		element(0)
		literal(p[1])
		element(1)
		literal(p[2])
	default:
		// end(middle(…start(0, 1)…), last), without the nesting.
		end := f.adjust(f.end, items[n-1])
		literal(end[0])
		for range n - 3 {
			literal(f.middle[0])
		}
		literal(f.start[0])
		element(0)
		literal(f.start[1])
		element(1)
		literal(f.start[2])
		for i := 2; i < n-1; i++ {
			literal(f.middle[1])
			element(i)
			literal(f.middle[2])
		}
		literal(end[1])
		element(n - 1)
		literal(end[2])
	}
}

// adjust applies the rules that depend on the sound or script of the last item.
func (f *ListFormat) adjust(p [3]string, last string) [3]string {
	switch {
	case f.special == "es" && p[1] == " y " && soundsLikeI(last):
		p[1] = " e "
	case f.special == "es" && p[1] == " o " && soundsLikeO(last):
		p[1] = " u "
	case f.special == "he" && strings.HasSuffix(p[1], "\u05d5"):
		if r, _ := utf8.DecodeRuneInString(last); last != "" && !unicode.Is(unicode.Hebrew, r) {
			p[1] += "-"
		}
	}
	return p
}

// soundsLikeI reports whether a Spanish word begins with the vowel i, not with the
// glide of "hielo" or "hiato".
func soundsLikeI(s string) bool {
	s = strings.ToLower(clip(s))
	if strings.HasPrefix(s, "i") || strings.HasPrefix(s, "í") {
		return true
	}
	rest, ok := strings.CutPrefix(s, "hi")
	return ok && !strings.HasPrefix(rest, "a") && !strings.HasPrefix(rest, "e") || strings.HasPrefix(s, "hí")
}

// soundsLikeO reports whether a Spanish word or number begins with the sound of o:
// 8 and all that begins with it, 11 alone.
func soundsLikeO(s string) bool {
	s = strings.ToLower(clip(s))
	for _, p := range []string{"o", "ó", "ho", "hó", "8"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return s == "11" || strings.HasPrefix(s, "11 ")
}
