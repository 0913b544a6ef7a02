package intl

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"quicksand/bridges"
	"quicksand/bridges/intl/cldr"
)

// Defaults are what applies when a guest names no locale or time zone.
type Defaults struct {
	// Locale is a language tag. Empty means en-US.
	Locale string
	// TimeZone is an IANA name or an offset as "+05:30". Empty means UTC.
	TimeZone string
}

//go:embed intl.js
var script string

//go:embed format.js
var formatScript string

// Bridge is the Intl global. It is granted to every run; the value of a grant is a
// Defaults or nil.
var Bridge = &bridges.Bridge{
	Name:        "intl",
	Doc:         "format numbers, dates, relative times and lists by locale: the standard Intl",
	Always:      true,
	Replaceable: true,
	Script:      strings.Replace(script, "$LOCALES", strconv.Itoa(maxLocales), 1),
	Limits:      limits,
	Check:       check,
	Open:        func(_ *bridges.Session, grant any) (any, error) { return open(grant) },
	Funcs: []bridges.Func{
		scripted("Intl.NumberFormat", "a formatter of numbers"),
		scripted("Intl.DateTimeFormat", "a formatter of dates and times"),
		scripted("Intl.PluralRules", "plural rules"),
		scripted("Intl.RelativeTimeFormat", "a formatter of relative times"),
		scripted("Intl.ListFormat", "a formatter of lists"),
		{Name: "Intl.getCanonicalLocales", Doc: "canonical forms of language tags", Result: "an array", Sync: true,
			Params: []bridges.Param{{Name: "locales", Optional: true}}},
		{Name: "Intl.supportedValuesOf", Doc: "calendars, currencies, numbering systems, time zones or units there are", Result: "an array", Sync: true,
			Params: []bridges.Param{{Name: "key", Type: bridges.String}}},
		// What the script uses. A formatter is a key, which stands for its locales and options.
		{Name: "_Intl.new", Sync: true, Call: newFormatter},                    // kind, locales, options: key
		{Name: "_Intl.once", Sync: true, Call: once},                           // kind, locales, options, value: text
		{Name: "_Intl.format", Sync: true, Call: format},                       // key, value, and of relative times the unit: text
		{Name: "_Intl.formatToParts", Sync: true, Call: formatToParts},         // the same: types and values in turn
		{Name: "_Intl.formatRange", Sync: true, Call: formatRange},             // key, start, end: text
		{Name: "_Intl.formatRangeToParts", Sync: true, Call: formatRangeParts}, // the same: types, values and sources in turn
		{Name: "_Intl.resolvedOptions", Sync: true, Call: resolvedOptions},     // key: names and values in turn
		{Name: "_Intl.canonical", Sync: true, Call: canonical},                 // locales: locales
		{Name: "_Intl.tooManyLocales", Sync: true, Call: func(_ context.Context, c *bridges.Call) (any, error) { return nil, tooManyLocales(c.Float(0)) }},
		{Name: "_Intl.supported", Sync: true, Call: supported}, // locales: locales
		{Name: "_Intl.values", Sync: true, Call: values},       // key: an array
	},
}

// Format is the format global, four functions on top of Bridge. It is granted to every
// run and uses the defaults of Bridge.
var Format = &bridges.Bridge{
	Name:   "format",
	Doc:    "format numbers, dates, relative times and lists",
	Always: true,
	Script: formatScript,
	Funcs: []bridges.Func{
		{Name: "format.number", Doc: "format a number", Result: "the text",
			Params: []bridges.Param{{Name: "value"}, {Name: "options", Type: bridges.Object, Optional: true, Doc: "locale, and the options of Intl.NumberFormat"}}},
		{Name: "format.date", Doc: "format a time", Result: "the text",
			Params: []bridges.Param{{Name: "epochMs"}, {Name: "options", Type: bridges.Object, Optional: true, Doc: "locale, and the options of Intl.DateTimeFormat"}}},
		{Name: "format.relativeTime", Doc: "format a time relative to now", Result: "the text",
			Params: []bridges.Param{{Name: "value"}, {Name: "unit", Type: bridges.String, Doc: "second to year, singular or plural"},
				{Name: "options", Type: bridges.Object, Optional: true, Doc: "locale, and the options of Intl.RelativeTimeFormat"}}},
		{Name: "format.list", Doc: "join a list", Result: "the text",
			Params: []bridges.Param{{Name: "items", Type: bridges.Array}, {Name: "options", Type: bridges.Object, Optional: true, Doc: "locale, and the options of Intl.ListFormat"}}},
	},
}

func scripted(name, doc string) bridges.Func {
	return bridges.Func{Name: name, Doc: doc, Result: "an object", Sync: true,
		Params: []bridges.Param{{Name: "locales", Optional: true}, {Name: "options", Type: bridges.Object, Optional: true}}}
}

// open is the state of a run: its defaults.
func open(grant any) (any, error) {
	d, _ := grant.(Defaults)
	return &d, nil
}

func check(grant any) (any, error) {
	var d Defaults
	switch g := grant.(type) {
	case nil:
	case Defaults:
		d = g
	case *Defaults:
		if g != nil {
			d = *g
		}
	default:
		return nil, fmt.Errorf("intl: the grant is a %T, not an intl.Defaults", grant)
	}
	if d.Locale != "" {
		list, err := cldr.Supported([]string{d.Locale})
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("intl: there are no data for the locale %q", d.Locale)
		}
	}
	if d.TimeZone != "" {
		if _, err := cldr.NewDateTimeFormat(nil, cldr.DateTimeOptions{TimeZone: d.TimeZone}); err != nil {
			return nil, fmt.Errorf("intl: %w", err)
		}
	}
	return d, nil
}

// guest makes the guest's error of one of package cldr.
func guest(err error) error {
	var e *cldr.Error
	if errors.As(err, &e) {
		return &bridges.Error{Name: e.Type, Message: e.Msg}
	}
	return err
}

func texts(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// tags are the strings of argument i.
func tags(c *bridges.Call, i int) []string {
	v := c.Arg(i)
	if v.Len() == 0 {
		return nil
	}
	out := make([]string, 0, v.Len())
	for _, e := range v.Elements() {
		s, _ := e.Str()
		out = append(out, s)
	}
	return out
}

func canonical(_ context.Context, c *bridges.Call) (any, error) {
	list, err := cldr.CanonicalList(tags(c, 0))
	if err != nil {
		return nil, guest(err)
	}
	return texts(list), nil
}

func supported(_ context.Context, c *bridges.Call) (any, error) {
	list, err := cldr.Supported(tags(c, 0))
	if err != nil {
		return nil, guest(err)
	}
	return texts(list), nil
}

func values(_ context.Context, c *bridges.Call) (any, error) {
	switch key := c.Str(0); key {
	case "calendar":
		return texts(cldr.Calendars()), nil
	case "collation":
		return []any{}, nil
	case "currency":
		return texts(cldr.Currencies()), nil
	case "numberingSystem":
		return texts(cldr.NumberingSystems()), nil
	case "timeZone":
		return texts(cldr.PrimaryTimeZones()), nil
	case "unit":
		return texts(cldr.Units), nil
	default:
		return nil, &bridges.Error{Name: "RangeError", Message: "Invalid key : " + clip(key)}
	}
}

// clip shortens what a message quotes.
func clip(s string) string {
	const limit = 80
	if r := []rune(s); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return s
}
