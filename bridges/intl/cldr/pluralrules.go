package cldr

import "slices"

// PluralOptions are the options of Intl.PluralRules; empty and nil stand for undefined.
type PluralOptions struct {
	Type string // cardinal, ordinal
	DigitOptions
	RoundingIncrement   *float64
	RoundingMode        string
	TrailingZeroDisplay string
}

// ResolvedPlural is what PluralRules use. Digits are as in ResolvedNumber.
type ResolvedPlural struct {
	Locale, Type string
	Number       ResolvedNumber // of its fields those about digits and rounding
	Categories   []string
}

// PluralRules select plural categories. Safe for concurrent use.
type PluralRules struct {
	res    ResolvedPlural
	number *NumberFormat
	rules  *pluralRules
}

// NewPluralRules returns the rules for the first of the tags there are data for.
func NewPluralRules(tags []string, o PluralOptions) (*PluralRules, error) {
	loc, err := ParseLocales(tags)
	if err != nil {
		return nil, err
	}
	p := &PluralRules{}
	if p.res.Type, err = choose("Intl.PluralRules", "type", o.Type, "cardinal", "ordinal"); err != nil {
		return nil, err
	}
	p.number, err = newNumberFormat(&loc, &NumberOptions{DigitOptions: o.DigitOptions, RoundingIncrement: o.RoundingIncrement,
		RoundingMode: o.RoundingMode, TrailingZeroDisplay: o.TrailingZeroDisplay, NumberingSystem: "latn"})
	if err != nil {
		return nil, err
	}
	p.rules = pluralsOf(p.res.Type, loc.data)
	p.res.Locale, p.res.Number, p.res.Categories = loc.Tag, p.number.res, p.rules.forms
	return p, nil
}

// ResolvedOptions returns what the rules use. The caller owns the result.
func (p *PluralRules) ResolvedOptions() ResolvedPlural {
	r := p.res
	r.Categories = slices.Clone(r.Categories)
	return r
}

func (p *PluralRules) form(d Decimal) pluralForm {
	if d.nan || d.inf {
		return formOther
	}
	var s scratch
	r := p.number.round(d, &s)
	return p.rules.pick(r.operands())
}

// Select returns the category of d: "zero", "one", "two", "few", "many" or "other".
func (p *PluralRules) Select(d Decimal) string { return formNames[p.form(d)] }

// SelectRange returns the category of the range from a to b. Neither may be NaN.
func (p *PluralRules) SelectRange(a, b Decimal) (string, error) {
	if a.nan {
		return "", rangeError("Invalid startRange : NaN")
	}
	if b.nan {
		return "", rangeError("Invalid endRange : NaN")
	}
	return formNames[p.rules.pickRange(p.form(a), p.form(b))], nil
}
