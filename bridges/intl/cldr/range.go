package cldr

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Sources of parts of a range.
const (
	sourceNone = iota
	sourceStart
	sourceEnd
	sourceShared
)

// source sets the source of what was added since the mark n.
func (o *output) source(n int, s uint8) {
	for i := n; i < len(o.ends); i++ {
		o.ends[i].source = s
	}
}

// FormatRange formats the range from a to b, with what both have in common written
// once. Neither may be NaN.
func (f *NumberFormat) FormatRange(a, b Decimal) (string, error) {
	o := output{}
	if err := f.appendRange(&o, a, b); err != nil {
		return "", err
	}
	return string(o.buf), nil
}

// FormatRangeToParts formats the range from a to b and returns the parts, each with
// its source.
func (f *NumberFormat) FormatRangeToParts(a, b Decimal) ([]Part, error) {
	o := output{marks: true}
	if err := f.appendRange(&o, a, b); err != nil {
		return nil, err
	}
	return o.parts(), nil
}

func (f *NumberFormat) appendRange(o *output, a, b Decimal) error {
	if a.nan {
		return rangeError("Invalid start : NaN")
	}
	if b.nan {
		return rangeError("Invalid end : NaN")
	}
	var sa, sb scratch
	la, lb := f.layout(a, &sa, false), f.layout(b, &sb, false)
	if sameNumber(&la, &lb) {
		la = f.layout(a, &sa, true)
		var w wrap
		if f.wraps != nil {
			w = f.wraps[la.form]
		}
		f.appendWrapped(o, &la, &w)
		o.source(0, sourceShared)
		return nil
	}
	// The unit around a number is always shared. Affixes are when they are equal and
	// longer than one character (the heuristic of ICU).
	first := &la.set.other[la.sign]
	middle := sameAffixes(first, &lb.set.other[lb.sign]) && codePoints(first) > 1
	var outer wrap
	if f.wraps != nil {
		outer = f.wraps[f.plurals.pickRange(la.form, lb.form)]
	}
	before, rest, _ := strings.Cut(f.rng, "{0}")
	infix, after, _ := strings.Cut(rest, "{1}")
	repeated := !middle && codePoints(first) > 0 || f.res.Notation == "scientific" || f.res.Notation == "engineering"
	if repeated {
		if !strings.HasPrefix(infix, " ") {
			infix = " " + infix
		}
		if !strings.HasSuffix(infix, " ") {
			infix += " "
		}
	}
	shared := func(list []span) {
		n := len(o.ends)
		o.spans(list)
		o.source(n, sourceShared)
	}
	shared(outer.prefix)
	if middle {
		shared(la.affix.prefix)
	}
	shared([]span{{kindLiteral, before}})
	f.appendOne(o, &la, sourceStart, !middle)
	shared([]span{{kindLiteral, infix}})
	f.appendOne(o, &lb, sourceEnd, !middle)
	shared([]span{{kindLiteral, after}})
	if middle {
		shared(lb.affix.suffix)
	}
	shared(outer.suffix)
	return nil
}

// appendOne writes an end of a range, with its affixes or without.
func (f *NumberFormat) appendOne(o *output, l *layout, source uint8, affix bool) {
	n := len(o.ends)
	if affix {
		o.spans(l.affix.prefix)
	}
	f.appendNumber(o, l)
	if affix {
		o.spans(l.affix.suffix)
	}
	o.source(n, source)
}

func sameNumber(a, b *layout) bool {
	return a.inf == b.inf && a.num.neg == b.num.neg && a.exponent == b.exponent && a.num.point == b.num.point &&
		bytes.Equal(a.num.digits, b.num.digits) && sameAffixes(&a.affix, &b.affix)
}

func sameAffixes(a, b *affixes) bool {
	same := func(a, b []span) bool {
		if len(a) != len(b) {
			return false
		}
		for i := range a {
			if a[i] != b[i] {
				return false
			}
		}
		return true
	}
	return same(a.prefix, b.prefix) && same(a.suffix, b.suffix)
}

func codePoints(a *affixes) int {
	n := 0
	for _, list := range [2][]span{a.prefix, a.suffix} {
		for _, s := range list {
			n += utf8.RuneCountInString(s.text)
		}
	}
	return n
}
