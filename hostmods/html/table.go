package html

import (
	"bytes"
	"slices"
	"strings"
)

// table is a table as GitHub Flavored Markdown has it
// (https://github.github.com/gfm/#tables-extension-): one line for each row, the first of
// which is the head. Tables inside of cells are text.
func (w *markdown) table(i int32) ([]byte, error) {
	w.inTable++
	defer func() { w.inTable-- }()
	var rows [][]int32
	var before []byte
	head := false
	end := w.pieces[i].end
	for j := i + 1; j < end; j++ {
		p := &w.pieces[j]
		switch p.name {
		case "table":
			j = p.end - 1
		case "caption":
			b, err := w.content(j)
			if err != nil {
				return nil, err
			}
			before = join(before, paragraph(b))
			j = p.end - 1
		case "tr":
			if up := w.pieces[p.parent].name; len(rows) == 0 && up == "thead" {
				head = true
			}
			rows = append(rows, nil)
		case "td", "th":
			if len(rows) == 0 {
				rows = append(rows, nil)
			}
			rows[len(rows)-1] = append(rows[len(rows)-1], j)
			j = p.end - 1
		}
	}
	rows = slices.DeleteFunc(rows, func(r []int32) bool { return len(r) == 0 })
	width := 0
	for _, r := range rows {
		width = max(width, len(r))
	}
	if width == 0 {
		content, err := w.content(i)
		return paragraph(content), err
	}
	if !head {
		head = true
		for _, j := range rows[0] {
			head = head && w.pieces[j].name == "th"
		}
	}
	if !head {
		rows = append([][]int32{nil}, rows...)
	}
	var b []byte
	for r, row := range rows {
		b = append(b, '|')
		cells := len(row)
		if r == 0 {
			cells = width // others may be shorter
		}
		for k := range cells {
			b = append(b, ' ')
			if k < len(row) {
				cell, err := w.cell(row[k])
				if err != nil {
					return nil, err
				}
				b = append(b, cell...)
			}
			b = append(b, " |"...)
		}
		b = append(b, '\n')
		if r == 0 {
			b = append(b, '|')
			for k := range width {
				b = append(b, w.alignment(rows, k)...)
			}
			b = append(b, '\n')
		}
		if len(b) > maxOutput {
			return b, nil // content says that it is too long
		}
	}
	return join(before, paragraph(b)), nil
}

// cell is a cell in one line.
func (w *markdown) cell(i int32) ([]byte, error) {
	b, err := w.content(i)
	if err != nil {
		return nil, err
	}
	b = bytes.TrimFunc(b, isSpace)
	var out []byte
	for line := range bytes.SplitSeq(b, []byte("\n")) {
		if line = bytes.TrimFunc(line, isSpace); len(line) == 0 {
			continue
		}
		if len(out) > 0 {
			out = append(out, ' ')
		}
		out = append(out, bytes.ReplaceAll(line, []byte("|"), []byte(`\|`))...)
	}
	return out, nil
}

// alignment is the delimiter below the head of a column, by the first of its cells in the
// head and the row below that says how it is aligned.
func (w *markdown) alignment(rows [][]int32, column int) string {
	for _, row := range rows[:min(len(rows), 2)] {
		if column >= len(row) {
			continue
		}
		n := w.pieces[row[column]].node
		align, _ := attribute(n, "align")
		if style, ok := attribute(n, "style"); ok && align == "" {
			if _, value, ok := strings.Cut(lower(style), "text-align:"); ok {
				align, _, _ = strings.Cut(value, ";")
			}
		}
		switch strings.TrimSpace(lower(align)) {
		case "left":
			return " :--- |"
		case "right":
			return " ---: |"
		case "center":
			return " :---: |"
		}
	}
	return " --- |"
}
