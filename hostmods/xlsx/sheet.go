package xlsx

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"quicksand/internal/marshal"
)

// readOptions say how a sheet is read.
type readOptions struct {
	header   bool
	rename   bool      // duplicate headers
	formulas bool      // formulas as objects
	once     bool      // values of merged ranges in their first cell only
	dates    dateStyle // what dates become
	area     *area     // what is read; nil is everything
}

// dateStyle is what dates become.
type dateStyle uint8

const (
	datesISO dateStyle = iota // strings
	datesTyped
	datesNumbers
)

// area is a range of cells: columns and rows from 0, the last ones included.
type area struct{ left, top, right, bottom int }

func (a area) cells() int { return (a.right - a.left + 1) * (a.bottom - a.top + 1) }

// parseArea reads a reference such as A1 or A1:C20, with its corners in any order.
func parseArea(s string) (area, bool) {
	from, to, two := strings.Cut(s, ":")
	if !two {
		to = from
	}
	c1, r1, ok1 := parseCell([]byte(strings.ReplaceAll(from, "$", "")))
	c2, r2, ok2 := parseCell([]byte(strings.ReplaceAll(to, "$", "")))
	return area{min(c1, c2), min(r1, r2), max(c1, c2), max(r1, r2)}, ok1 && ok2
}

// parseCell reads a reference such as AB12 as column and row from 0.
func parseCell(s []byte) (col, row int, ok bool) {
	i := 0
	for ; i < len(s) && i < 4; i++ {
		c := s[i] &^ 0x20
		if c < 'A' || c > 'Z' {
			break
		}
		col = col*26 + int(c-'A') + 1
	}
	digits := s[i:]
	if i == 0 || len(digits) == 0 || len(digits) > 7 || digits[0] == '0' {
		return 0, 0, false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, 0, false
		}
		row = row*10 + int(c-'0')
	}
	return col - 1, row - 1, col <= maxColumns && row <= maxRows
}

// appendCell appends the reference of a cell.
func appendCell(b []byte, col, row int) []byte {
	return strconv.AppendInt(appendColumn(b, col), int64(row)+1, 10)
}

func appendColumn(b []byte, col int) []byte {
	if col >= 26 {
		b = appendColumn(b, col/26-1)
	}
	return append(b, byte('A'+col%26))
}

// row is the cells of a row that have a value, in the order of their columns.
type row struct {
	n     int // from 0
	cells []cell
}

type cell struct {
	col   int
	value any
}

// sheetReader reads the cells of one sheet.
type sheetReader struct {
	ctx    context.Context
	w      *workbook
	opt    *readOptions
	left   *allowance
	s      *scanner
	rows   []row
	merged []area
	buf    []byte
	shared map[int]string // the cells of shared formulas by their numbers
}

// rowsEach is how many rows are read between two looks at the context.
const rowsEach = 64

// allowance is what a call may still read: cells with a value, and bytes of texts in them.
type allowance struct{ cells, text int }

// read reads a sheet's cells with values, in the order of rows and columns.
func (w *workbook) read(ctx context.Context, info *sheetInfo, opt *readOptions, left *allowance) ([]row, error) {
	b, err := w.c.read(info.part)
	if err != nil {
		return nil, err
	}
	r := &sheetReader{ctx: ctx, w: w, opt: opt, left: left, s: newScanner(b), shared: map[int]string{}}
	if err := r.sheet(); err != nil {
		return nil, err
	}
	if r.s.err != nil {
		return nil, damaged(info.part, r.s.err)
	}
	r.tidy()
	if !opt.once && len(r.merged) > 0 {
		if err := r.repeatMerged(); err != nil {
			return nil, err
		}
		r.tidy()
	}
	return r.rows, nil
}

func (r *sheetReader) sheet() error {
	s := r.s
	n, seen := -1, 0
	for t := s.next(); t != tokenEnd; t = s.next() {
		if t != tokenOpen {
			continue
		}
		switch string(s.name) {
		case "row":
			if seen++; seen%rowsEach == 0 {
				if err := r.ctx.Err(); err != nil {
					return err
				}
			}
			if n = s.attrInt("r", n+2) - 1; n < 0 || n >= maxRows {
				return fmt.Errorf("the workbook is damaged: a sheet has a row %d", n+1)
			}
			if err := r.row(n); err != nil {
				return err
			}
		case "mergeCell":
			if a, ok := parseArea(s.attrText("ref")); ok {
				if r.merged = append(r.merged, a); len(r.merged) > maxCells {
					return tooManyCells(len(r.merged))
				}
			}
		}
	}
	return nil
}

// row reads the cells of a row.
func (r *sheetReader) row(n int) error {
	s := r.s
	out := row{n: n}
	col := -1
	for outer := s.depth; s.depth >= outer; {
		switch s.next() {
		case tokenEnd:
			return nil
		case tokenOpen:
			if string(s.name) != "c" {
				s.skip()
				continue
			}
			col++
			if ref, ok := s.attr("r"); ok {
				c, at, ok := parseCell(ref)
				if !ok || at != n {
					return fmt.Errorf("the workbook is damaged: row %d has a cell %s", n+1, quote(string(ref)))
				}
				col = c
			}
			if col >= maxColumns {
				return fmt.Errorf("the workbook is damaged: row %d has more than %d columns", n+1, maxColumns)
			}
			v := r.cell(col, n)
			if v == nil || !r.opt.wants(col, n) {
				continue
			}
			if err := r.take(1, v); err != nil {
				return err
			}
			out.cells = append(out.cells, cell{col, v})
		}
	}
	if len(out.cells) > 0 {
		r.rows = append(r.rows, out)
	}
	return nil
}

// take counts n cells with a value against what may be read. Cells can share a text, which the
// guest has in each of them.
func (r *sheetReader) take(n int, v any) error {
	if r.left.cells -= n; r.left.cells < 0 {
		return tooManyCells(maxCells - r.left.cells)
	}
	if s, ok := v.(string); ok {
		if r.left.text -= n * len(s); r.left.text < 0 {
			return tooMuchText()
		}
	}
	return nil
}

// wants reports whether a cell is read.
func (o *readOptions) wants(col, row int) bool {
	a := o.area
	return a == nil || col >= a.left && col <= a.right && row >= a.top && row <= a.bottom
}

// cell reads a cell to its end: its value, nil when it is empty.
func (r *sheetReader) cell(col, row int) any {
	s := r.s
	kind := ""
	if t, ok := s.attr("t"); ok {
		kind = string(t)
	}
	style := s.attrInt("s", 0)
	if s.close {
		return nil
	}
	var formula, master string
	var hasFormula, hasValue bool
	r.buf = r.buf[:0]
	for outer := s.depth; s.depth >= outer; {
		switch s.next() {
		case tokenEnd:
			return nil
		case tokenOpen:
			switch string(s.name) {
			case "v":
				hasValue = true
				r.buf = s.content(r.buf[:0])
			case "is":
				hasValue = true
				r.buf = s.runs(r.buf[:0])
			case "f":
				hasFormula = true
				number := -1
				if t, _ := s.attr("t"); string(t) == "shared" {
					number = s.attrInt("si", -1)
				}
				formula = unescape(nil, s.content(nil))
				if number < 0 {
					continue
				}
				if formula != "" && len(r.shared) < maxCells {
					r.shared[number] = string(appendCell(nil, col, row))
				} else {
					master = r.shared[number]
				}
			default:
				s.skip()
			}
		}
	}
	var v any
	if hasValue {
		v = r.value(kind, style)
	}
	if !hasFormula {
		return v
	}
	if r.opt.formulas {
		key, text := "formula", formula
		if formula == "" && master != "" {
			key, text = "sharedFormula", master
		}
		return &marshal.Object{Entries: []marshal.Entry{{Key: key, Value: text}, {Key: "result", Value: v}}}
	}
	if v == nil && formula != "" {
		return "=" + formula
	}
	return v
}

// value is what a cell with the text r.buf holds.
func (r *sheetReader) value(kind string, style int) any {
	text := r.buf
	switch kind {
	case "s":
		i, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 31)
		if err != nil || int(i) >= len(r.w.shared) {
			return nil
		}
		return r.w.shared[i]
	case "inlineStr", "str":
		return xstring(text)
	case "e":
		return string(text)
	case "b":
		return string(text) == "1" || string(text) == "true"
	case "d":
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04", "2006-01-02"} {
			if t, err := time.Parse(layout, string(text)); err == nil {
				return r.date(t)
			}
		}
		return string(text)
	}
	trimmed := strings.TrimSpace(string(text))
	if trimmed == "" {
		return nil
	}
	f, err := strconv.ParseFloat(trimmed, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return trimmed
	}
	if style < len(r.w.dates) && r.w.dates[style] && r.opt.dates != datesNumbers {
		if t, ok := fromSerial(f, r.w.is1904); ok {
			return r.date(t)
		}
	}
	return f
}

func (r *sheetReader) date(t time.Time) any {
	switch r.opt.dates {
	case datesTyped:
		return t
	case datesNumbers:
		return toSerial(t)
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// Days from the epoch of workbooks, as Excel counts them after February 1900, to that of Unix.
const (
	unixDays    = 25569
	days1904    = 1462
	msPerDay    = 86_400_000
	lastDateDay = 2_958_466 // the first day after the year 9999
)

// fromSerial is the time of a serial number, in whole milliseconds and as if it were UTC.
func fromSerial(days float64, is1904 bool) (time.Time, bool) {
	if is1904 {
		days += days1904
	}
	if days < -690_000 || days >= lastDateDay {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(math.Round((days - unixDays) * msPerDay))).UTC(), true
}

// toSerial is the serial number of a time in UTC.
func toSerial(t time.Time) float64 { return float64(t.UnixMilli())/msPerDay + unixDays }

// repeatMerged gives all cells of merged ranges the value of their first one. Rows and cells
// are in order before, and not afterwards.
func (r *sheetReader) repeatMerged() error {
	at := make(map[int]int, len(r.rows)) // rows by number
	own := make([]int, len(r.rows))      // how many cells are those of the sheet
	for i := range r.rows {
		at[r.rows[i].n] = i
		own[i] = len(r.rows[i].cells)
	}
	for k, a := range r.merged {
		if k%rowsEach == 0 {
			if err := r.ctx.Err(); err != nil {
				return err
			}
		}
		first, ok := at[a.top]
		if !ok || first >= len(own) {
			continue
		}
		i, ok := slices.BinarySearchFunc(r.rows[first].cells[:own[first]], a.left, func(c cell, col int) int { return c.col - col })
		if !ok {
			continue
		}
		v := r.rows[first].cells[i].value
		if err := r.take(a.cells()-1, v); err != nil {
			return err
		}
		for y := a.top; y <= a.bottom; y++ {
			i, ok := at[y]
			if !ok {
				i = len(r.rows)
				at[y] = i
				r.rows = append(r.rows, row{n: y})
			}
			for x := a.left; x <= a.right; x++ {
				if (x > a.left || y > a.top) && r.opt.wants(x, y) {
					r.rows[i].cells = append(r.rows[i].cells, cell{x, v})
				}
			}
		}
	}
	return nil
}

// tidy sorts rows and cells. Of two of the same place the later one stays.
func (r *sheetReader) tidy() {
	byNumber := func(a, b row) int { return a.n - b.n }
	if !slices.IsSortedFunc(r.rows, byNumber) {
		slices.SortStableFunc(r.rows, byNumber)
	}
	byColumn := func(a, b cell) int { return a.col - b.col }
	out := r.rows[:0]
	for _, row := range r.rows {
		if len(out) > 0 && out[len(out)-1].n == row.n {
			last := &out[len(out)-1]
			last.cells = append(last.cells, row.cells...)
		} else {
			out = append(out, row)
		}
	}
	kept := out[:0]
	for _, row := range out {
		if !slices.IsSortedFunc(row.cells, byColumn) {
			slices.SortStableFunc(row.cells, byColumn)
		}
		cells := row.cells[:0]
		for _, c := range row.cells {
			if k := len(cells); k > 0 && cells[k-1].col == c.col {
				cells[k-1] = c
			} else {
				cells = append(cells, c)
			}
		}
		if row.cells = cells; len(cells) > 0 {
			kept = append(kept, row)
		}
	}
	r.rows = kept
}
