package cldr

import (
	"strconv"
	"strings"
)

// RelativeOptions are the options of Intl.RelativeTimeFormat; empty stands for
// undefined.
type RelativeOptions struct {
	NumberingSystem string
	Style           string // long, short, narrow
	Numeric         string // always, auto
}

// ResolvedRelative is what a RelativeTimeFormat uses.
type ResolvedRelative struct{ Locale, Style, Numeric, NumberingSystem string }

// A RelativeTimeFormat formats times relative to now. Safe for concurrent use.
type RelativeTimeFormat struct {
	res     ResolvedRelative
	rec     *record
	numbers *NumberFormat
	units   [len(relativeUnits)]relativeUnit
}

type relativeUnit struct {
	future, past [formCount]wrap
	named        map[string]string // "-1": "yesterday"; nil unless numeric is auto
}

var relativeUnits = [...]string{"second", "minute", "hour", "day", "week", "month", "quarter", "year"}

// NewRelativeTimeFormat returns the formatter for the first of the tags there are data
// for.
func NewRelativeTimeFormat(tags []string, o RelativeOptions) (*RelativeTimeFormat, error) {
	loc, err := ParseLocales(tags)
	if err != nil {
		return nil, err
	}
	const service = "Intl.RelativeTimeFormat"
	f := &RelativeTimeFormat{}
	if f.res.NumberingSystem, f.res.Locale, err = resolveNumbering(&loc, o.NumberingSystem); err != nil {
		return nil, err
	}
	if f.res.Style, err = choose(service, "style", o.Style, "long", "short", "narrow"); err != nil {
		return nil, err
	}
	if f.res.Numeric, err = choose(service, "numeric", o.Numeric, "always", "auto"); err != nil {
		return nil, err
	}
	if f.numbers, err = newNumberFormat(&loc, &NumberOptions{NumberingSystem: f.res.NumberingSystem}); err != nil {
		return nil, err
	}
	f.rec = numbers.record(loc.data)
	for i, unit := range relativeUnits {
		key := "rel/" + unit
		if f.res.Style != "long" {
			key += "-" + f.res.Style
		}
		for _, side := range []struct {
			name string
			to   *[formCount]wrap
		}{{"future", &f.units[i].future}, {"past", &f.units[i].past}} {
			fs := parseForms(f.rec.get(key + "/" + side.name))
			for form := range formCount {
				side.to[form] = placeholderWrap(fs.get(form), kindLiteral)
			}
		}
		if f.res.Numeric == "auto" {
			f.units[i].named = map[string]string{}
			for n := -2; n <= 2; n++ {
				if text, ok := f.rec.lookup(key + "/" + strconv.Itoa(n)); ok {
					f.units[i].named[strconv.Itoa(n)] = text
				}
			}
		}
	}
	return f, nil
}

// ResolvedOptions returns what the formatter uses.
func (f *RelativeTimeFormat) ResolvedOptions() ResolvedRelative { return f.res }

// relativeUnitOf returns the index of a unit in the singular or plural.
func relativeUnitOf(unit string) (int, bool) {
	unit = strings.TrimSuffix(unit, "s")
	for i, u := range relativeUnits {
		if u == unit {
			return i, true
		}
	}
	return 0, false
}

// append writes value and returns the unit's name; it is "" when the text has no number.
func (f *RelativeTimeFormat) append(o *output, method string, value float64, unit string) (string, error) {
	d := Float(value)
	if d.nan || d.inf {
		return "", rangeError("Value need to be finite number for Intl.RelativeTimeFormat.prototype." + method + "()")
	}
	i, ok := relativeUnitOf(unit)
	if !ok {
		return "", rangeError("Invalid unit argument for Intl.RelativeTimeFormat.prototype." + method + "() '" + clip(unit) + "'")
	}
	u := &f.units[i]
	if u.named != nil && value >= -2 && value <= 2 && value == float64(int(value)) {
		if text, ok := u.named[strconv.Itoa(int(value))]; ok {
			o.add(kindLiteral, text)
			return "", nil
		}
	}
	wraps := &u.future
	if d.neg {
		wraps = &u.past
		d.neg = false
	}
	var s scratch
	l := f.numbers.layout(d, &s, false)
	w := wraps[f.numbers.plurals.pick(l.num.operands())]
	f.numbers.appendWrapped(o, &l, &w)
	return relativeUnits[i], nil
}

// Format formats value units from now: (-1, "day") is "1 day ago". The unit is in the
// singular or plural, from second to year; value must be finite.
func (f *RelativeTimeFormat) Format(value float64, unit string) (string, error) {
	var buf [96]byte
	o := output{buf: buf[:0]}
	if _, err := f.append(&o, "format", value, unit); err != nil {
		return "", err
	}
	return string(o.buf), nil
}

// FormatToParts is Format in parts; those of the number have the unit.
func (f *RelativeTimeFormat) FormatToParts(value float64, unit string) ([]Part, error) {
	o := output{marks: true}
	name, err := f.append(&o, "formatToParts", value, unit)
	if err != nil {
		return nil, err
	}
	parts := o.parts()
	for i := range parts {
		if parts[i].Type != "literal" {
			parts[i].Unit = name
		}
	}
	return parts, nil
}
