package csv

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"time"

	"quicksand/bridges"
	"quicksand/hostmods"
	"quicksand/internal/marshal"
)

// Bounds of arrays in cells, which a guest can share so that they are exponentially many.
const (
	maxNesting  = 100       // how deep they lie
	maxElements = 5_000_000 // how many elements they have, in all cells
	maxJSON     = 10 << 20  // how long one is as JSON
)

// A writer writes rows as text.
type writer struct {
	ctx       context.Context
	op        string
	delimiter string
	quote     string
	newline   string
	header    bool
	quoteAll  bool
	formulae  bool // whether cells that a spreadsheet would compute are made texts
	json      bool // whether arrays and objects are written as JSON
	limit     int

	quoteBytes []byte // quote
	out        []byte
	cell       []byte // the text of one cell
	elements   int    // of arrays in cells so far
}

func stringify(ctx context.Context, c *bridges.Call) (any, error) {
	o := c.Options(1)
	w := writer{ctx: ctx, op: c.Op(), newline: "\n", header: hostmods.Truthy(o.Field("header"), true), quoteAll: hostmods.Truthy(o.Field("quotes"), false),
		formulae: hostmods.Truthy(o.Field("escapeFormulae"), false), json: hostmods.Truthy(o.Field("json"), false), limit: maxOutput}
	var err error
	if w.delimiter, err = exactly(c, o, "delimiter", ","); err != nil {
		return nil, err
	}
	if w.quote, err = exactly(c, o, "quote", `"`); err != nil {
		return nil, err
	}
	w.quoteBytes = []byte(w.quote)
	if w.delimiter == w.quote {
		return nil, bridges.TypeErrorf(c.Op(), "options.delimiter and options.quote must differ")
	}
	if v := o.Field("newline"); !v.IsNullish() {
		if w.newline, _ = v.Str(); w.newline != "\n" && w.newline != "\r\n" && w.newline != "\r" {
			return nil, bridges.TypeErrorf(c.Op(), `options.newline must be "\n", "\r\n" or "\r"`)
		}
	}
	rows := c.Arg(0)
	columns, err := w.columns(o.Field("columns"), rows)
	if err != nil {
		return nil, err
	}
	if err := w.rows(rows, columns); err != nil {
		return nil, err
	}
	return string(w.out), nil
}

// exactly is character for an option that may not be empty.
func exactly(c *bridges.Call, o bridges.Options, name, byDefault string) (string, error) {
	if v := o.Field(name); v.Kind() == marshal.KindString && v.Len() == 0 {
		return "", bridges.TypeErrorf(c.Op(), "options.%s must be one character other than a line break", name)
	}
	return character(c, o, name, byDefault)
}

// columns are the keys of records that are written, or nil for rows that are arrays: those
// of the first record, unless the option says which, or "all".
func (w *writer) columns(option, rows marshal.Value) ([]string, error) {
	first := rows.Index(0)
	var columns []string
	switch option.Kind() {
	case marshal.KindUndefined, marshal.KindNull:
		if first.Kind() == marshal.KindObject {
			for k := range first.Fields() {
				columns = append(columns, k)
			}
		}
	case marshal.KindArray:
		for _, e := range option.Elements() {
			s, ok := e.Str()
			if !ok {
				return nil, bridges.TypeErrorf(w.op, "options.columns must hold strings")
			}
			columns = append(columns, s)
		}
		if len(columns) == 0 {
			return nil, bridges.TypeErrorf(w.op, "options.columns is empty")
		}
	default:
		if s, _ := option.Str(); s != "all" {
			return nil, bridges.TypeErrorf(w.op, `options.columns must be a list of keys or "all"`)
		}
		seen := map[string]bool{}
		for _, row := range rows.Elements() {
			if row.Kind() != marshal.KindObject {
				continue
			}
			for k := range row.Fields() {
				if !seen[k] {
					seen[k] = true
					columns = append(columns, k)
				}
			}
		}
	}
	switch first.Kind() {
	case marshal.KindArray:
		return nil, nil
	case marshal.KindUndefined, marshal.KindObject:
		return columns, nil
	}
	return nil, bridges.TypeErrorf(w.op, "rows must hold records or arrays, rows[0] is %s", kindName(first))
}

func (w *writer) rows(rows marshal.Value, columns []string) error {
	total := rows.Len()
	if len(columns) > 0 && w.header {
		for i, k := range columns {
			if i > 0 {
				w.out = append(w.out, w.delimiter...)
			}
			w.text([]byte(k), true)
		}
		if total > 0 {
			w.out = append(w.out, w.newline...)
		}
	}
	place := make(map[string]int, len(columns))
	for i, k := range columns {
		if _, twice := place[k]; !twice {
			place[k] = i
		}
	}
	cells := make([]marshal.Value, len(columns))
	for i, row := range rows.Elements() {
		if i > 0 {
			w.out = append(w.out, w.newline...)
		}
		if i%256 == 0 && w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		switch {
		case row.IsNullish():
			return bridges.TypeErrorf(w.op, "rows[%d] is %s", i, kindName(row))
		case columns == nil:
			if err := w.list(row); err != nil {
				return err
			}
		default:
			if err := w.record(row, columns, place, cells); err != nil {
				return err
			}
		}
		if err := w.room(); err != nil {
			return err
		}
	}
	return nil
}

// list writes a row that is an array.
func (w *writer) list(row marshal.Value) error {
	for j, v := range row.Elements() {
		if row.Kind() != marshal.KindArray {
			break
		}
		if j > 0 {
			w.out = append(w.out, w.delimiter...)
		}
		if err := w.value(v); err != nil {
			return err
		}
	}
	return nil
}

// record writes a row that is an object: the values of the columns, of which one that occurs
// twice has its value twice.
func (w *writer) record(row marshal.Value, columns []string, place map[string]int, cells []marshal.Value) error {
	clear(cells)
	any, next := false, 0
	for k, v := range row.Fields() {
		any = true
		// Rows mostly have their keys in the order of the columns.
		if next < len(columns) && columns[next] == k {
			cells[next] = v
			next++
			continue
		}
		if i, ok := place[k]; ok {
			cells[i] = v
			next = i + 1
		}
	}
	if !any && row.Kind() == marshal.KindObject {
		return nil // an empty line
	}
	for i := range columns {
		if i > 0 {
			w.out = append(w.out, w.delimiter...)
		}
		v := cells[i]
		if first := place[columns[i]]; v.IsUndefined() && first != i {
			v = cells[first]
		}
		if err := w.value(v); err != nil {
			return err
		}
	}
	return nil
}

// room refuses to go on beyond the limit.
func (w *writer) room() error {
	if n := len(w.out) + len(w.cell); n > w.limit {
		return bridges.Limitf(w.op, hostmods.LimitResult, int64(w.limit), int64(n), "the text is more than the limit of %d bytes", w.limit)
	}
	return nil
}

// value writes a cell.
func (w *writer) value(v marshal.Value) error {
	w.cell = w.cell[:0]
	text := false // whether the cell is neither a number nor a boolean
	switch v.Kind() {
	case marshal.KindUndefined, marshal.KindNull:
		return nil
	case marshal.KindNumber, marshal.KindBigInt, marshal.KindBool:
	case marshal.KindDate:
		if when, ok := v.Any().(time.Time); ok {
			w.out = append(w.out, isoDate(when)...)
		}
		return nil
	case marshal.KindArray, marshal.KindObject, marshal.KindMap, marshal.KindSet:
		text = true
		if w.json {
			b, err := v.AppendJSON(w.cell, maxJSON)
			if err != nil {
				return bridges.TypeErrorf(w.op, "a cell has no JSON text")
			}
			w.cell = b
			w.text(w.cell, text)
			return w.room()
		}
	default:
		text = true
	}
	if err := w.append(v, 0); err != nil {
		return err
	}
	w.text(w.cell, text)
	return w.room()
}

// append appends to the cell what String makes of a value in JavaScript.
func (w *writer) append(v marshal.Value, depth int) error {
	switch v.Kind() {
	case marshal.KindUndefined, marshal.KindNull:
	case marshal.KindString:
		w.cell = v.AppendStr(w.cell)
	case marshal.KindNumber:
		if n, ok := v.Int(); ok && n != 0 && -1<<53 < n && n < 1<<53 {
			w.cell = strconv.AppendInt(w.cell, n, 10)
			break
		}
		w.cell = append(w.cell, v.String()...)
	case marshal.KindArray:
		if depth == maxNesting {
			return bridges.TypeErrorf(w.op, "a cell has arrays inside of each other, deeper than %d", maxNesting)
		}
		for i, e := range v.Elements() {
			if i > 0 {
				w.cell = append(w.cell, ',')
			}
			if w.elements++; w.elements%4096 == 0 && w.ctx.Err() != nil {
				return w.ctx.Err()
			}
			if w.elements > maxElements {
				return bridges.TypeErrorf(w.op, "the arrays in cells have more than %d elements", maxElements)
			}
			if err := w.room(); err != nil {
				return err
			}
			if err := w.append(e, depth+1); err != nil {
				return err
			}
		}
	case marshal.KindObject:
		w.cell = append(w.cell, "[object Object]"...)
	case marshal.KindMap:
		w.cell = append(w.cell, "[object Map]"...)
	case marshal.KindSet:
		w.cell = append(w.cell, "[object Set]"...)
	case marshal.KindDate:
		if when, ok := v.Any().(time.Time); ok {
			w.cell = append(w.cell, isoDate(when)...)
		}
	case marshal.KindError:
		w.cell = append(w.cell, v.Any().(*marshal.Error).Error()...)
	case marshal.KindRegExp:
		w.cell = append(w.cell, v.Any().(*marshal.RegExp).String()...)
	case marshal.KindBytes:
		w.cell = append(w.cell, "[object Uint8Array]"...)
	case marshal.KindBigInt:
		w.cell = append(w.cell, strings.TrimSuffix(v.String(), "n")...)
	default:
		w.cell = append(w.cell, v.String()...)
	}
	return nil
}

// isoDate is Date.prototype.toISOString.
func isoDate(when time.Time) string {
	if y := when.Year(); y < 0 || y > 9999 {
		sign := "+"
		if y < 0 {
			sign = "-"
		}
		rest := when.Format("-01-02T15:04:05.000Z")
		digits := []byte("000000")
		for i, n := 5, max(y, -y); i >= 0; i, n = i-1, n/10 {
			digits[i] += byte(n % 10)
		}
		return sign + string(digits) + rest
	}
	return when.Format("2006-01-02T15:04:05.000Z")
}

// text writes the text of a cell, in quotes where it needs them. guarded says that it may be
// made a text for spreadsheets.
func (w *writer) text(b []byte, guarded bool) {
	start := len(w.out)
	w.out = append(w.out, w.quote...)
	quotes := w.quoteAll
	if guarded && w.formulae && len(b) > 0 && strings.IndexByte("=+-@\t\r", b[0]) >= 0 {
		w.out = append(w.out, '\'')
		quotes = true
	}
	switch {
	case bytes.Contains(b, w.quoteBytes):
		quotes = true
		w.out = append(w.out, bytes.ReplaceAll(b, w.quoteBytes, []byte(w.quote+w.quote))...)
	default:
		quotes = quotes || w.needsQuotes(b)
		w.out = append(w.out, b...)
	}
	if quotes {
		w.out = append(w.out, w.quote...)
		return
	}
	w.out = append(w.out[:start], b...)
}

// needsQuotes reports whether a text without quotes would be read as something else.
func (w *writer) needsQuotes(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	if b[0] == ' ' || b[len(b)-1] == ' ' {
		return true
	}
	single := w.delimiter[0]
	for i, c := range b {
		switch c {
		case '\r', '\n', '"':
			return true
		case single:
			if len(w.delimiter) == 1 || bytes.HasPrefix(b[i:], []byte(w.delimiter)) {
				return true
			}
		case 0xef: // U+FEFF
			if bytes.HasPrefix(b[i:], []byte("\ufeff")) {
				return true
			}
		}
	}
	return false
}

// kindName names the type of a value in an error.
func kindName(v marshal.Value) string {
	switch k := v.Kind(); k {
	case marshal.KindUndefined, marshal.KindNull:
		return k.String()
	case marshal.KindArray, marshal.KindError:
		return "an " + k.String()
	default:
		return "a " + k.String()
	}
}
