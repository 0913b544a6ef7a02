package intl

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"quicksand/bridges"
	"quicksand/bridges/intl/cldr"
)

// Kinds of formatters, the first byte of a key.
const (
	kindNumber   = 'n'
	kindPlural   = 'p'
	kindRelative = 'r'
	kindList     = 'l'
	kindDate     = 'd'
)

// A spec is what a formatter is made from: a kind, language tags, and options as text
// in the order of the script, where "" is undefined. Its key holds the same in one
// string: guests keep keys, the process keeps formatters.
type spec struct {
	kind    byte
	tags    []string
	options []string
}

const (
	fieldSep = "\x1f"
	tagSep   = ","
)

func (s *spec) key() string {
	n := 1
	for _, t := range s.tags {
		n += len(t) + 1
	}
	for _, o := range s.options {
		n += len(o) + 1
	}
	b := make([]byte, 0, n)
	b = append(b, s.kind)
	for i, t := range s.tags {
		if i > 0 {
			b = append(b, tagSep...)
		}
		b = append(b, t...)
	}
	for _, o := range s.options {
		b = append(b, fieldSep...)
		b = append(b, o...)
	}
	return string(b)
}

func specOf(key string) spec {
	if key == "" {
		return spec{}
	}
	s := spec{kind: key[0]}
	list, rest, ok := strings.Cut(key[1:], fieldSep)
	if list != "" {
		s.tags = strings.Split(list, tagSep)
	}
	if ok {
		s.options = strings.Split(rest, fieldSep)
	}
	return s
}

// maxOption bounds an option's text; no valid one is as long.
const maxOption = 128

// maxTags is how many language tags a key has at most; of more, the first that is
// supported counts.
const maxTags = 4

// readSpec reads the arguments kind, locales and options from i on.
func readSpec(c *bridges.Call, i int) (spec, error) {
	d := c.State.(*Defaults)
	s := spec{tags: tags(c, i+1)}
	if kind := c.Str(i); kind != "" {
		s.kind = kind[0]
	}
	if len(s.tags) > maxTags {
		list, err := cldr.Supported(s.tags)
		if err != nil {
			return s, err
		}
		s.tags = list[:min(len(list), 1)]
	}
	if d.Locale != "" {
		s.tags = append(s.tags, d.Locale)
	}
	v := c.Arg(i + 2)
	s.options = make([]string, 0, v.Len())
	for _, e := range v.Elements() {
		s.options = append(s.options, optionText(e))
	}
	if s.kind == kindDate && d.TimeZone != "" {
		for len(s.options) <= dateTimeZone {
			s.options = append(s.options, "")
		}
		if s.options[dateTimeZone] == "" {
			s.options[dateTimeZone] = d.TimeZone
		}
	}
	return s, nil
}

func optionText(v bridges.Value) string {
	if s, ok := v.Str(); ok {
		if len(s) > maxOption {
			s = strings.ToValidUTF8(s[:maxOption], "") + "…"
		}
		if strings.Contains(s, fieldSep) {
			s = strings.ReplaceAll(s, fieldSep, "?")
		}
		if s == "" {
			s = " " // not undefined, and as little an option as the empty string
		}
		return s
	}
	if f, ok := v.Float(); ok {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	if b, ok := v.Bool(); ok {
		return strconv.FormatBool(b)
	}
	return ""
}

// formatters of the process by key. It is emptied when it is full: they are cheap to
// make again, about 20 µs.
var formatters = struct {
	sync.RWMutex
	m map[string]any
}{m: make(map[string]any)}

const maxFormatters = 512

// formatterOf returns the formatter of a key.
func formatterOf(key string) (any, error) {
	formatters.RLock()
	f, ok := formatters.m[key]
	formatters.RUnlock()
	if ok {
		return f, nil
	}
	s := specOf(key)
	f, err := s.build()
	if err != nil {
		return nil, guest(err)
	}
	formatters.Lock()
	if len(formatters.m) >= maxFormatters {
		clear(formatters.m)
	}
	formatters.m[key] = f
	formatters.Unlock()
	return f, nil
}

// reader takes options one after the other.
type reader struct{ list []string }

func (r *reader) text() string {
	if len(r.list) == 0 {
		return ""
	}
	s := r.list[0]
	r.list = r.list[1:]
	return s
}

func (r *reader) number() *float64 {
	s := r.text()
	if s == "" {
		return nil
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return nil
	}
	return &f
}

func (r *reader) boolean() *bool {
	switch r.text() {
	case "true":
		return new(true)
	case "false":
		return new(false)
	}
	return nil
}

// build makes the formatter. The order of the options is that of the script.
func (s *spec) build() (any, error) {
	r := &reader{s.options}
	switch s.kind {
	case kindNumber:
		var o cldr.NumberOptions
		for _, p := range []*string{&o.NumberingSystem, &o.Style, &o.Currency, &o.CurrencyDisplay, &o.CurrencySign, &o.Unit, &o.UnitDisplay, &o.Notation} {
			*p = r.text()
		}
		r.digits(&o.DigitOptions, &o.RoundingIncrement, &o.RoundingMode, &o.TrailingZeroDisplay)
		o.CompactDisplay, o.UseGrouping, o.SignDisplay = r.text(), r.text(), r.text()
		return cldr.NewNumberFormat(s.tags, o)
	case kindPlural:
		o := cldr.PluralOptions{Type: r.text()}
		r.digits(&o.DigitOptions, &o.RoundingIncrement, &o.RoundingMode, &o.TrailingZeroDisplay)
		return cldr.NewPluralRules(s.tags, o)
	case kindRelative:
		return cldr.NewRelativeTimeFormat(s.tags, cldr.RelativeOptions{NumberingSystem: r.text(), Style: r.text(), Numeric: r.text()})
	case kindList:
		return cldr.NewListFormat(s.tags, cldr.ListOptions{Type: r.text(), Style: r.text()})
	case kindDate:
		o := cldr.DateTimeOptions{Calendar: r.text(), NumberingSystem: r.text(), Hour12: r.boolean()}
		for _, p := range []*string{&o.HourCycle, &o.TimeZone, &o.Weekday, &o.Era, &o.Year, &o.Month, &o.Day, &o.DayPeriod, &o.Hour, &o.Minute, &o.Second} {
			*p = r.text()
		}
		o.FractionalSecondDigits = r.number()
		for _, p := range []*string{&o.TimeZoneName, &o.FormatMatcher, &o.DateStyle, &o.TimeStyle, &o.Required, &o.Defaults} {
			*p = r.text()
		}
		return cldr.NewDateTimeFormat(s.tags, o)
	}
	return nil, &bridges.Error{Kind: bridges.KindInternal, Name: "InternalError", Message: "unknown kind of formatter"}
}

// dateTimeZone is the place of timeZone in the options of a date format.
const dateTimeZone = 4

func (r *reader) digits(d *cldr.DigitOptions, increment **float64, mode, zeros *string) {
	for _, p := range []**float64{&d.MinimumIntegerDigits, &d.MinimumFractionDigits, &d.MaximumFractionDigits,
		&d.MinimumSignificantDigits, &d.MaximumSignificantDigits, increment} {
		*p = r.number()
	}
	*mode, d.RoundingPriority, *zeros = r.text(), r.text(), r.text()
}

func newFormatter(_ context.Context, c *bridges.Call) (any, error) {
	s, err := readSpec(c, 0)
	if err != nil {
		return nil, guest(err)
	}
	key, _, err := s.formatter()
	return key, err
}

// formatter returns the formatter of a spec that a guest gave, and its key.
func (s *spec) formatter() (string, any, error) {
	for _, t := range s.tags {
		if strings.Contains(t, tagSep) || strings.Contains(t, fieldSep) || t == "" || len(t) > 255 {
			_, err := cldr.Canonical(t) // says what is wrong
			return "", nil, guest(err)
		}
	}
	key := s.key()
	f, err := formatterOf(key)
	return key, f, err
}

func once(_ context.Context, c *bridges.Call) (any, error) {
	s, err := readSpec(c, 0)
	if err != nil {
		return nil, guest(err)
	}
	_, f, err := s.formatter()
	if err != nil {
		return nil, err
	}
	return formatWith(f, c, 3)
}

// decimal is a value that the script made a number or a decimal string of.
func decimal(v bridges.Value) (cldr.Decimal, error) {
	if s, ok := v.Str(); ok {
		if len(s) > cldr.MaxDigits {
			return cldr.Decimal{}, tooManyDigits(len(s))
		}
		return cldr.ParseDecimal(s), nil
	}
	f, _ := v.Float()
	return cldr.Float(f), nil
}

// decimals are the arguments 1 and 2.
func decimals(c *bridges.Call) (a, b cldr.Decimal, err error) {
	if a, err = decimal(c.Arg(1)); err == nil {
		b, err = decimal(c.Arg(2))
	}
	return a, b, err
}

// items is an argument that the script made an array of strings of.
func items(c *bridges.Call, i int) ([]string, error) {
	if n := c.Arg(i).Len(); n > maxItems {
		return nil, tooManyItems(n)
	}
	return tags(c, i), nil
}

func format(_ context.Context, c *bridges.Call) (any, error) {
	f, err := formatterOf(c.Str(0))
	if err != nil {
		return nil, err
	}
	return formatWith(f, c, 1)
}

// formatWith formats what the arguments from i on are.
func formatWith(f any, c *bridges.Call, i int) (any, error) {
	v := c.Arg(i)
	var text string
	var err error
	switch f := f.(type) {
	case *cldr.NumberFormat:
		if x, ok := v.Float(); ok {
			return f.FormatFloat(x), nil
		}
		d, err := decimal(v)
		if err != nil {
			return nil, err
		}
		return f.Format(d), nil
	case *cldr.PluralRules:
		d, err := decimal(v)
		if err != nil {
			return nil, err
		}
		return f.Select(d), nil
	case *cldr.RelativeTimeFormat:
		text, err = f.Format(c.Float(i), c.Str(i+1))
	case *cldr.ListFormat:
		list, err := items(c, i)
		if err != nil {
			return nil, err
		}
		return f.Format(list), nil
	case *cldr.DateTimeFormat:
		text, err = f.Format(c.Float(i))
	}
	if err != nil {
		return nil, guest(err)
	}
	return text, nil
}

func formatToParts(_ context.Context, c *bridges.Call) (any, error) {
	f, err := formatterOf(c.Str(0))
	if err != nil {
		return nil, err
	}
	var parts []cldr.Part
	unit := false
	switch f := f.(type) {
	case *cldr.NumberFormat:
		d, err := decimal(c.Arg(1))
		if err != nil {
			return nil, err
		}
		parts = f.FormatToParts(d)
	case *cldr.RelativeTimeFormat:
		unit = true
		parts, err = f.FormatToParts(c.Float(1), c.Str(2))
	case *cldr.ListFormat:
		list, err := items(c, 1)
		if err != nil {
			return nil, err
		}
		parts = f.FormatToParts(list)
	case *cldr.DateTimeFormat:
		parts, err = f.FormatToParts(c.Float(1))
	}
	if err != nil {
		return nil, guest(err)
	}
	out := make([]any, 0, 3*len(parts))
	for _, p := range parts {
		out = append(out, p.Type, p.Value)
		if unit {
			out = append(out, p.Unit)
		}
	}
	return out, nil
}

func formatRange(_ context.Context, c *bridges.Call) (any, error) {
	f, err := formatterOf(c.Str(0))
	if err != nil {
		return nil, err
	}
	var text string
	switch f := f.(type) {
	case *cldr.NumberFormat:
		a, b, bad := decimals(c)
		if bad != nil {
			return nil, bad
		}
		text, err = f.FormatRange(a, b)
	case *cldr.PluralRules:
		a, b, bad := decimals(c)
		if bad != nil {
			return nil, bad
		}
		text, err = f.SelectRange(a, b)
	case *cldr.DateTimeFormat:
		text, err = f.FormatRange(c.Float(1), c.Float(2))
	}
	if err != nil {
		return nil, guest(err)
	}
	return text, nil
}

func formatRangeParts(_ context.Context, c *bridges.Call) (any, error) {
	f, err := formatterOf(c.Str(0))
	if err != nil {
		return nil, err
	}
	var parts []cldr.Part
	switch f := f.(type) {
	case *cldr.NumberFormat:
		a, b, bad := decimals(c)
		if bad != nil {
			return nil, bad
		}
		parts, err = f.FormatRangeToParts(a, b)
	case *cldr.DateTimeFormat:
		parts, err = f.FormatRangeToParts(c.Float(1), c.Float(2))
	}
	if err != nil {
		return nil, guest(err)
	}
	out := make([]any, 0, 3*len(parts))
	for _, p := range parts {
		out = append(out, p.Type, p.Value, p.Source)
	}
	return out, nil
}

// pairs collects names and values in turn, without what is empty.
type pairs []any

func (p *pairs) text(name, value string) {
	if value != "" {
		*p = append(*p, name, value)
	}
}

func (p *pairs) digits(r *cldr.ResolvedNumber) {
	*p = append(*p, "minimumIntegerDigits", r.MinimumIntegerDigits)
	if r.MinimumFractionDigits >= 0 {
		*p = append(*p, "minimumFractionDigits", r.MinimumFractionDigits, "maximumFractionDigits", r.MaximumFractionDigits)
	}
	if r.MinimumSignificantDigits > 0 {
		*p = append(*p, "minimumSignificantDigits", r.MinimumSignificantDigits, "maximumSignificantDigits", r.MaximumSignificantDigits)
	}
}

func (p *pairs) rounding(r *cldr.ResolvedNumber) {
	*p = append(*p, "roundingIncrement", r.RoundingIncrement, "roundingMode", r.RoundingMode,
		"roundingPriority", r.RoundingPriority, "trailingZeroDisplay", r.TrailingZeroDisplay)
}

func resolvedOptions(_ context.Context, c *bridges.Call) (any, error) {
	f, err := formatterOf(c.Str(0))
	if err != nil {
		return nil, err
	}
	var p pairs
	switch f := f.(type) {
	case *cldr.NumberFormat:
		r := f.ResolvedOptions()
		p.text("locale", r.Locale)
		p.text("numberingSystem", r.NumberingSystem)
		p.text("style", r.Style)
		p.text("currency", r.Currency)
		p.text("currencyDisplay", r.CurrencyDisplay)
		p.text("currencySign", r.CurrencySign)
		p.text("unit", r.Unit)
		p.text("unitDisplay", r.UnitDisplay)
		p.digits(&r)
		if r.UseGrouping == "false" {
			p = append(p, "useGrouping", false)
		} else {
			p.text("useGrouping", r.UseGrouping)
		}
		p.text("notation", r.Notation)
		p.text("compactDisplay", r.CompactDisplay)
		p.text("signDisplay", r.SignDisplay)
		p.rounding(&r)
	case *cldr.PluralRules:
		r := f.ResolvedOptions()
		p.text("locale", r.Locale)
		p.text("type", r.Type)
		p.digits(&r.Number)
		p = append(p, "pluralCategories", texts(r.Categories))
		p.rounding(&r.Number)
	case *cldr.RelativeTimeFormat:
		r := f.ResolvedOptions()
		p.text("locale", r.Locale)
		p.text("style", r.Style)
		p.text("numeric", r.Numeric)
		p.text("numberingSystem", r.NumberingSystem)
	case *cldr.ListFormat:
		r := f.ResolvedOptions()
		p.text("locale", r.Locale)
		p.text("type", r.Type)
		p.text("style", r.Style)
	case *cldr.DateTimeFormat:
		r := f.ResolvedOptions()
		p.text("locale", r.Locale)
		p.text("calendar", r.Calendar)
		p.text("numberingSystem", r.NumberingSystem)
		p.text("timeZone", r.TimeZone)
		p.text("hourCycle", r.HourCycle)
		if r.Hour12 != nil {
			p = append(p, "hour12", *r.Hour12)
		}
		p.text("weekday", r.Weekday)
		p.text("era", r.Era)
		p.text("year", r.Year)
		p.text("month", r.Month)
		p.text("day", r.Day)
		p.text("dayPeriod", r.DayPeriod)
		p.text("hour", r.Hour)
		p.text("minute", r.Minute)
		p.text("second", r.Second)
		if r.FractionalSecondDigits > 0 {
			p = append(p, "fractionalSecondDigits", r.FractionalSecondDigits)
		}
		p.text("timeZoneName", r.TimeZoneName)
		p.text("dateStyle", r.DateStyle)
		p.text("timeStyle", r.TimeStyle)
	}
	return []any(p), nil
}
