package csv

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"quicksand/bridges"
	"quicksand/hostmods"
	"quicksand/internal/marshal"
)

// A table makes the rows of a text, as they cross to the guest.
type table struct {
	ctx context.Context
	dialect
	header  bool
	preview int // rows at most; 0 for all
	typing  func(column string) bool
	limit   int64

	w         marshal.Writer
	rows      int
	columns   []column
	truncated bool

	flaws    []flaw // wrong quotes
	misfits  []flaw // rows with too many or too few fields
	guess    bool   // whether the delimiter was guessed without success
	flawed   int    // how many of all there are
	counted  int    // bytes of the text up to which units counts
	unitsSum int64
}

// A column is one of the fields that rows have.
type column struct {
	key   marshal.Key
	typed bool
}

// A flaw is what is wrong in a text.
type flaw struct {
	kind, code, message string
	row                 int
	index               int64 // in UTF-16 units; -1 without
}

const extraKey = "__parsed_extra"

// read makes the rows.
func (t *table) read(text string) error {
	text = strings.TrimPrefix(text, "\ufeff")
	t.newline = guessNewline(text, t.quote)
	if t.delimiter == "" {
		if t.delimiter = guessDelimiter(text, t.dialect); t.delimiter == "" {
			t.guess = true
			t.delimiter = ","
		}
	}
	t.w.Limit(t.limit)
	t.w.Grow(len(text) + len(text)/4)
	r := newReader(text, t.dialect)
	lines := 0 // rows so far, with the header and those that do not count
	r.flaw = func(code, message string, at int) {
		if t.flawed++; len(t.flaws) < maxErrors {
			t.flaws = append(t.flaws, flaw{"Quotes", code, message, lines, t.units(text, at)})
		}
	}
	extra := marshal.Key{Name: extraKey}
	for first := true; r.next(); lines++ {
		if r.empty() {
			continue
		}
		if first && t.header {
			t.columns = headings(r)
			for i := range t.columns {
				t.columns[i].typed = t.typing != nil && t.typing(t.columns[i].key.Name)
			}
			first = false
			continue
		}
		if t.preview > 0 && t.rows == t.preview {
			t.truncated = true
			break
		}
		if t.header {
			t.record(r, &extra)
		} else {
			t.array(r)
		}
		t.rows++
		if t.rows%1024 == 0 && t.ctx.Err() != nil {
			return t.ctx.Err()
		}
		if t.w.Full() {
			return bridges.Limitf("", hostmods.LimitResult, t.limit, int64(t.w.Len()), "the result is more than the limit of %d bytes", t.limit)
		}
	}
	if r.tooWide {
		return fmt.Errorf("row %d has more than %d fields", lines+1, maxFields)
	}
	return nil
}

// value is the rows for the guest.
func (t *table) value() (marshal.Value, error) {
	t.w.Rows(t.rows)
	return t.w.Value()
}

// units converts a position of the text to UTF-16 units. Positions come in their order.
func (t *table) units(text string, at int) int64 {
	for _, c := range text[t.counted:at] {
		t.unitsSum++
		if c > 0xffff {
			t.unitsSum++
		}
	}
	t.counted = at
	return t.unitsSum
}

// headings are the columns that a header row names: a name that was there before gets a
// number.
func headings(r *reader) []column {
	columns := make([]column, len(r.row))
	used := make(map[string]bool, len(r.row))
	for _, s := range r.row {
		used[r.field(s)] = true
	}
	next := make(map[string]int, len(r.row)) // the number that the next of a name tries first
	for i, s := range r.row {
		name := strings.TrimPrefix(r.field(s), "\ufeff")
		n := next[name]
		if n == 0 {
			next[name] = 1
		} else {
			// Numbers below n are taken, so that n never goes back.
			renamed := name + "_" + strconv.Itoa(n)
			for n++; used[renamed]; n++ {
				renamed = name + "_" + strconv.Itoa(n)
			}
			next[name] = n
			used[name] = true
			name = renamed
		}
		used[name] = true
		columns[i].key.Name = name
	}
	return columns
}

// record writes a row as an object.
func (t *table) record(r *reader, extra *marshal.Key) {
	n := min(len(r.row), len(t.columns))
	t.w.Object()
	for i, s := range r.row[:n] {
		c := &t.columns[i]
		t.w.Key(&c.key)
		t.field(r.field(s), c.typed)
	}
	if more := r.row[n:]; len(more) > 0 {
		t.w.Key(extra)
		t.w.Array(len(more))
		typed := t.typing != nil && t.typing(extraKey)
		for _, s := range more {
			t.field(r.field(s), typed)
		}
	}
	t.w.End()
	if len(r.row) == len(t.columns) {
		return
	}
	if t.flawed++; len(t.misfits) < maxErrors {
		few := "few"
		code := "TooFewFields"
		if len(r.row) > len(t.columns) {
			few, code = "many", "TooManyFields"
		}
		t.misfits = append(t.misfits, flaw{"FieldMismatch", code,
			fmt.Sprintf("Too %s fields: expected %d fields but parsed %d", few, len(t.columns), len(r.row)), t.rows, -1})
	}
}

// array writes a row as an array.
func (t *table) array(r *reader) {
	t.w.Array(len(r.row))
	for i, s := range r.row {
		if t.typing == nil {
			t.w.String(r.field(s))
			continue
		}
		for len(t.columns) <= i {
			t.columns = append(t.columns, column{typed: t.typing(strconv.Itoa(len(t.columns)))})
		}
		t.field(r.field(s), t.columns[i].typed)
	}
}

// field writes a field.
func (t *table) field(s string, typed bool) {
	if !typed {
		t.w.String(s)
		return
	}
	switch s {
	case "":
		t.w.Null()
		return
	case "true", "TRUE":
		t.w.Bool(true)
		return
	case "false", "FALSE":
		t.w.Bool(false)
		return
	}
	if f, ok := number(s); ok {
		t.w.Float(f)
		return
	}
	if ms, ok := date(s); ok {
		t.w.Date(ms)
		return
	}
	t.w.String(s)
}

// number reads a decimal number between -2^53 and 2^53, which a float64 holds with all of
// its digits before the point.
func number(s string) (float64, bool) {
	if c := s[0]; c > '9' || len(s) > 400 {
		return 0, false
	}
	s = strings.Trim(s, " \t\n\v\f\r")
	digits, i := 0, 0
	skip := func() {
		for ; i < len(s) && '0' <= s[i] && s[i] <= '9'; i++ {
			digits++
		}
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	skip()
	if i < len(s) && s[i] == '.' {
		i++
		skip()
	}
	if digits == 0 {
		return 0, false
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		if i++; i < len(s) && (s[i] == '-' || s[i] == '+') {
			i++
		}
		digits = 0
		if skip(); digits == 0 {
			return 0, false
		}
	}
	if i != len(s) {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f >= 1<<53 || f <= -1<<53 {
		return 0, false
	}
	return f, true
}

// date reads a date and time of ISO 8601 with a zone, in milliseconds since the epoch.
func date(s string) (float64, bool) {
	if len(s) < len("2006-01-02T15:04Z") || len(s) > 64 || s[4] != '-' || s[10] != 'T' {
		return 0, false
	}
	layout := time.RFC3339
	if s[16] != ':' {
		layout = "2006-01-02T15:04Z07:00"
	}
	when, err := time.Parse(layout, s)
	if err != nil {
		return 0, false
	}
	return float64(when.UnixMilli()), true
}

// report is the result with errors.
func (t *table) report(rows marshal.Value) any {
	list := t.flaws
	if t.guess {
		t.flawed++
		list = append(list, flaw{"Delimiter", "UndetectableDelimiter", "Unable to auto-detect delimiting character; defaulted to ','", -1, -1})
	}
	list = append(list, t.misfits...)
	errors := make([]any, 0, min(len(list), maxErrors))
	for _, f := range list[:min(len(list), maxErrors)] {
		o := &marshal.Object{Entries: []marshal.Entry{{Key: "type", Value: f.kind}, {Key: "code", Value: f.code}, {Key: "message", Value: f.message}}}
		if f.row >= 0 {
			o.Set("row", f.row)
		}
		if f.index >= 0 {
			o.Set("index", f.index)
		}
		errors = append(errors, o)
	}
	meta := &marshal.Object{Entries: []marshal.Entry{{Key: "delimiter", Value: t.delimiter}, {Key: "linebreak", Value: t.newline},
		{Key: "truncated", Value: t.truncated}, {Key: "errors", Value: t.flawed}}}
	if t.header {
		names := make([]string, len(t.columns))
		for i := range t.columns {
			names[i] = t.columns[i].key.Name
		}
		meta.Set("fields", names)
	}
	return &marshal.Object{Entries: []marshal.Entry{{Key: "rows", Value: rows}, {Key: "errors", Value: errors}, {Key: "meta", Value: meta}}}
}
