// Package csv is the module "csv" for guests: rows out of comma-separated text and text out
// of rows, with the answers of papaparse 5.7. The grammar is that of RFC 4180 and what
// programs make of it: any delimiter, any line break, quotes where they should not be.
//
// It differs from papaparse in that names of columns which occur twice are numbered in the row
// that is the header, not in the first line when that is skipped as empty, and in that rows of
// more than a million fields are refused.
//
// Importing the package registers the module. It has no state; all of it may be used by any
// number of goroutines.
package csv

import (
	"context"
	_ "embed"
	"unicode/utf16"
	"unicode/utf8"

	"quicksand/bridges"
	"quicksand/hostmods"
	"quicksand/internal/marshal"
)

//go:embed SKILL.md
var skill string

func init() {
	hostmods.Register(&hostmods.Module{
		Limits: hostmods.Limits{MemoryPerByte: 24},
		ID:     "csv",
		Doc:    "Rows out of CSV text and CSV text out of rows.",
		Skill:  skill,
		Funcs: []bridges.Func{
			{Name: "parse", Result: "the rows, or with errors: true an object with rows, errors and meta",
				Doc:    "Reads the rows of a text with a delimiter between the fields.",
				Params: []bridges.Param{hostmods.TextParam("text", "the CSV text, or its UTF-8"), hostmods.OptionsParam("header, delimiter, quote, dynamicTyping, comments, skipEmptyLines, preview, errors")},
				Call:   parse},
			{Name: "stringify", Result: "the text, without a line break at its end",
				Doc:    "Writes rows: records (objects) or arrays.",
				Params: []bridges.Param{{Name: "rows", Type: bridges.Array, Doc: "records or arrays"}, hostmods.OptionsParam("header, delimiter, quote, quotes, newline, columns, escapeFormulae, json")},
				Call:   stringify},
		},
	})
}

// Limits of a call.
const (
	maxFields = 1_000_000 // of one row
	maxErrors = 1000      // that are reported
	maxOutput = hostmods.DefaultResult
)

func parse(ctx context.Context, c *bridges.Call) (any, error) {
	text, err := hostmods.Text(c, 0)
	if err != nil {
		return nil, err
	}
	o := c.Options(1)
	d := dialect{quote: `"`, skipEmpty: skipEmpty}
	if d.delimiter, err = character(c, o, "delimiter", ""); err != nil {
		return nil, err
	}
	if d.quote, err = character(c, o, "quote", `"`); err != nil {
		return nil, err
	}
	switch v := o.Field("comments"); v.Kind() {
	case marshal.KindUndefined, marshal.KindNull:
	case marshal.KindBool:
		if yes, _ := v.Bool(); yes {
			d.comments = "#"
		}
	case marshal.KindString:
		d.comments, _ = v.Str()
	default:
		return nil, bridges.TypeErrorf(c.Op(), "options.comments must be a string or true")
	}
	switch v := o.Field("skipEmptyLines"); v.Kind() {
	case marshal.KindUndefined, marshal.KindNull:
	case marshal.KindBool:
		if yes, _ := v.Bool(); !yes {
			d.skipEmpty = keepEmpty
		}
	default:
		if s, _ := v.Str(); s != "greedy" {
			return nil, bridges.TypeErrorf(c.Op(), `options.skipEmptyLines must be true, false or "greedy"`)
		}
		d.skipEmpty = skipBlank
	}
	switch {
	case d.delimiter != "" && d.delimiter == d.quote:
		return nil, bridges.TypeErrorf(c.Op(), "options.delimiter and options.quote must differ")
	case d.comments != "" && (d.comments == d.delimiter || d.comments == d.quote):
		return nil, bridges.TypeErrorf(c.Op(), "options.comments must differ from the delimiter and the quote")
	}
	t := table{ctx: ctx, dialect: d, header: hostmods.Truthy(o.Field("header"), true), limit: maxOutput}
	if v := o.Field("preview"); !v.IsNullish() {
		n, ok := v.Int()
		if !ok || n < 0 {
			return nil, bridges.TypeErrorf(c.Op(), "options.preview must be a number of rows")
		}
		t.preview = int(min(n, hostmods.MaxBytes))
	}
	if t.typing, err = typingOf(c, o.Field("dynamicTyping")); err != nil {
		return nil, err
	}
	if err := t.read(text); err != nil {
		return nil, err
	}
	rows, err := t.value()
	if err != nil || !hostmods.Truthy(o.Field("errors"), false) {
		return rows, err
	}
	return t.report(rows), nil
}

// character is an option of one character, or its default where it is not given or empty.
func character(c *bridges.Call, o bridges.Options, name, byDefault string) (string, error) {
	v := o.Field(name)
	if v.IsNullish() {
		return byDefault, nil
	}
	s, ok := v.Str()
	if !ok {
		return "", bridges.TypeErrorf(c.Op(), "options.%s must be a string", name)
	}
	if s == "" {
		return byDefault, nil
	}
	r, size := utf8.DecodeRuneInString(s)
	if size < len(s) || utf16.RuneLen(r) > 1 || r == '\r' || r == '\n' {
		return "", bridges.TypeErrorf(c.Op(), "options.%s must be one character other than a line break", name)
	}
	return s, nil
}

// typingOf reads the option dynamicTyping: which columns have types.
func typingOf(c *bridges.Call, v bridges.Value) (func(column string) bool, error) {
	names := map[string]bool{}
	switch v.Kind() {
	case marshal.KindUndefined, marshal.KindNull:
		return nil, nil
	case marshal.KindBool:
		if yes, _ := v.Bool(); yes {
			return func(string) bool { return true }, nil
		}
		return nil, nil
	case marshal.KindArray:
		for _, e := range v.Elements() {
			names[e.String()] = true
		}
	case marshal.KindObject:
		for k, e := range v.Fields() {
			names[k] = hostmods.Truthy(e, false)
		}
	default:
		return nil, bridges.TypeErrorf(c.Op(), "options.dynamicTyping must be true, a list of columns, or an object of them")
	}
	return func(column string) bool { return names[column] }, nil
}
