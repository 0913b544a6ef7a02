package xlsx

import (
	"context"
	_ "embed"
	"errors"

	"quicksand/bridges"
	"quicksand/hostmods"
	"quicksand/internal/marshal"
)

//go:embed SKILL.md
var skill string

func init() { hostmods.Register(module) }

var bytesParam = hostmods.BytesParam("bytes", "the .xlsx file")

var module = &hostmods.Module{
	ID:    "xlsx",
	Doc:   "reads and writes Excel workbooks (.xlsx)",
	Skill: skill,
	// Two calls at a time, since a part of a workbook may take 64 MB.
	Limits: hostmods.Limits{Concurrency: 2, MemoryPerByte: 24},
	Funcs: []bridges.Func{{
		Name: "parse", Doc: "the rows of a workbook's sheets", Result: "{sheet: rows}, or rows with options.sheet",
		Params: []bridges.Param{bytesParam,
			{Name: "options", Type: bridges.Any, Optional: true, Doc: "{header?, sheet?, range?, dates?, formulas?, duplicates?, merged?}"}},
		Call: parse,
	}, {
		Name: "sheets", Doc: "the sheets of a workbook", Result: "[{name, state, rows, columns}]",
		Params: []bridges.Param{bytesParam},
		Call:   sheets,
	}, {
		Name: "write", Doc: "a workbook with the rows of sheets", Result: "the .xlsx file as a Uint8Array",
		Params: []bridges.Param{
			{Name: "sheets", Type: bridges.Any, Doc: "{name: rows} or [{name, rows, header?, columns?, styles?, freezeHeader?}]"},
			{Name: "options", Type: bridges.Any, Optional: true, Doc: "{header?, autoFitColumns?, freezeHeader?}"}},
		Call: write,
	}},
}

// guestError is an error of a call as the guest sees it.
func guestError(ctx context.Context, op string, err error) error {
	var limit *limitError
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case errors.As(err, &limit):
		return bridges.Limitf(op, limit.limit, limit.value, limit.used, "%s", limit.text)
	}
	return bridges.Errorf(op, "%v", err)
}

func parse(ctx context.Context, c *bridges.Call) (any, error) {
	b, err := hostmods.Bytes(c, 0)
	if err != nil {
		return nil, err
	}
	options := c.Arg(1)
	opt, err := readOptionsOf(c.Op(), options)
	if err != nil {
		return nil, err
	}
	only := options.Field("sheet")
	name, ok := only.Str()
	if !ok && !only.IsNullish() {
		return nil, bridges.TypeErrorf(c.Op(), "options.sheet must be the name of a sheet")
	}
	out, err := parseWorkbook(ctx, b, opt, name, ok)
	return out, guestError(ctx, c.Op(), err)
}

// readOptionsOf reads the options of parse.
func readOptionsOf(op string, v bridges.Value) (*readOptions, error) {
	opt := &readOptions{header: true}
	if h, ok := v.Field("header").Bool(); ok {
		opt.header = h
	}
	opt.formulas, _ = v.Field("formulas").Bool()
	words := func(name string, words ...string) (int, error) {
		f := v.Field(name)
		if f.IsNullish() {
			return 0, nil
		}
		s, _ := f.Str()
		for i, w := range words {
			if s == w {
				return i, nil
			}
		}
		list := ""
		for i, w := range words {
			if i > 0 {
				list += " or "
			}
			list += `"` + w + `"`
		}
		return 0, bridges.TypeErrorf(op, "options.%s must be %s", name, list)
	}
	dates, err := words("dates", "iso", "date", "number")
	if err != nil {
		return nil, err
	}
	rename, err := words("duplicates", "last", "rename")
	if err != nil {
		return nil, err
	}
	once, err := words("merged", "repeat", "first")
	if err != nil {
		return nil, err
	}
	opt.dates, opt.rename, opt.once = dateStyle(dates), rename == 1, once == 1
	if f := v.Field("range"); !f.IsNullish() {
		s, _ := f.Str()
		a, ok := parseArea(s)
		if !ok {
			return nil, bridges.TypeErrorf(op, "options.range must be like A1:F100")
		}
		opt.area = &a
	}
	return opt, nil
}

// parseWorkbook is the rows of all sheets by their names, or of one.
func parseWorkbook(ctx context.Context, b []byte, opt *readOptions, name string, one bool) (any, error) {
	w, err := openWorkbook(b)
	if err != nil {
		return nil, err
	}
	list := w.sheets
	if one {
		s, err := w.sheet(name)
		if err != nil {
			return nil, err
		}
		list = []sheetInfo{*s}
	}
	if err := w.loadValues(); err != nil {
		return nil, err
	}
	var all marshal.Object
	readable, left := allowance{maxCells, maxAllText}, maxCells
	for i := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows, err := w.read(ctx, &list[i], opt, &readable)
		if err != nil {
			return nil, err
		}
		t, err := table(rows, opt, &left)
		if err != nil {
			return nil, err
		}
		if one {
			return t, nil
		}
		all.Entries = append(all.Entries, marshal.Entry{Key: list[i].name, Value: t})
	}
	return &all, nil
}

func sheets(ctx context.Context, c *bridges.Call) (any, error) {
	b, err := hostmods.Bytes(c, 0)
	if err != nil {
		return nil, err
	}
	list, err := sheetList(ctx, b)
	return list, guestError(ctx, c.Op(), err)
}

func sheetList(ctx context.Context, b []byte) ([]any, error) {
	w, err := openWorkbook(b)
	if err != nil {
		return nil, err
	}
	out := make([]any, len(w.sheets))
	for i := range w.sheets {
		info := &w.sheets[i]
		rows, columns, err := w.extent(ctx, info)
		if err != nil {
			return nil, err
		}
		out[i] = &marshal.Object{Entries: []marshal.Entry{{Key: "name", Value: info.name}, {Key: "state", Value: info.state},
			{Key: "rows", Value: rows}, {Key: "columns", Value: columns}}}
	}
	return out, nil
}

// extent is the last row and the last column in which a sheet has a cell, from 1. It looks at
// the cells: what a file says of its dimension is often wrong.
func (w *workbook) extent(ctx context.Context, info *sheetInfo) (rows, columns int, err error) {
	b, err := w.c.read(info.part)
	if err != nil {
		return 0, 0, err
	}
	s := newScanner(b)
	n, col, seen := 0, 0, 0
	for t := s.next(); t != tokenEnd; t = s.next() {
		if t != tokenOpen {
			continue
		}
		switch string(s.name) {
		case "row":
			if seen++; seen%rowsEach == 0 {
				if err := ctx.Err(); err != nil {
					return 0, 0, err
				}
			}
			n, col = s.attrInt("r", n+1), 0
		case "c":
			col++
			if ref, ok := s.attr("r"); ok {
				if c, _, ok := parseCell(ref); ok {
					col = c + 1
				}
			}
			rows, columns = max(rows, n), max(columns, col)
		}
	}
	if s.err != nil {
		return 0, 0, damaged(info.part, s.err)
	}
	return min(rows, maxRows), min(columns, maxColumns), nil
}
