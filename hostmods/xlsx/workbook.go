package xlsx

import (
	"errors"
	"fmt"
	"strings"
)

// workbook is a workbook that is read.
type workbook struct {
	c      *container
	part   string
	rels   map[string]relation
	sheets []sheetInfo
	is1904 bool // dates count from 1904

	// What cells refer to, after loadValues.
	shared []string // strings
	dates  []bool   // whether a cell format shows dates
}

// sheetInfo is a worksheet as the workbook lists it.
type sheetInfo struct {
	name, state string // state is "visible", "hidden" or "veryHidden"
	part        string
}

// openWorkbook reads what sheets there are.
func openWorkbook(b []byte) (*workbook, error) {
	c, err := openContainer(b)
	if err != nil {
		return nil, err
	}
	w := &workbook{c: c, part: "xl/workbook.xml"}
	root, err := c.relations("")
	if err != nil {
		return nil, err
	}
	for _, r := range root {
		if r.kind == "officeDocument" && c.has(r.target) {
			w.part = r.target
		}
	}
	if !c.has(w.part) {
		if c.has("content.xml") || c.has("word/document.xml") || c.has("ppt/presentation.xml") {
			return nil, errors.New("the file is no .xlsx workbook but another kind of document")
		}
		return nil, errors.New("the file is no .xlsx workbook: it is a zip file without one inside")
	}
	if strings.HasSuffix(w.part, ".bin") {
		return nil, errors.New("the file is a binary workbook (.xlsb): save it as .xlsx")
	}
	if w.rels, err = c.relations(w.part); err != nil {
		return nil, err
	}
	b, err = c.read(w.part)
	if err != nil {
		return nil, err
	}
	s := newScanner(b)
	for t := s.next(); t != tokenEnd; t = s.next() {
		if t != tokenOpen {
			continue
		}
		switch string(s.name) {
		case "workbookPr":
			w.is1904 = s.attrBool("date1904")
		case "sheet":
			r := w.rels[s.attrText("id")]
			if r.kind != "worksheet" || r.external {
				continue // of charts, dialogs or macros
			}
			state := s.attrText("state")
			if state == "" {
				state = "visible"
			}
			if w.sheets = append(w.sheets, sheetInfo{s.attrText("name"), state, r.target}); len(w.sheets) > maxSheets {
				return nil, fmt.Errorf("the workbook has more than %d sheets", maxSheets)
			}
		}
	}
	if s.err != nil {
		return nil, damaged(w.part, s.err)
	}
	return w, nil
}

// sheet finds a sheet by its name: the exact one, otherwise in any case, as Excel does.
func (w *workbook) sheet(name string) (*sheetInfo, error) {
	for i := range w.sheets {
		if w.sheets[i].name == name {
			return &w.sheets[i], nil
		}
	}
	names := make([]string, 0, len(w.sheets))
	for i := range w.sheets {
		if strings.EqualFold(w.sheets[i].name, name) {
			return &w.sheets[i], nil
		}
		if len(names) < 64 {
			names = append(names, quote(w.sheets[i].name))
		}
	}
	return nil, fmt.Errorf("there is no sheet %s, only %s", quote(name), strings.Join(names, ", "))
}

// loadValues reads the shared strings and the formats of cells.
func (w *workbook) loadValues() error {
	for _, r := range w.rels {
		if r.external || !w.c.has(r.target) {
			continue
		}
		var err error
		switch r.kind {
		case "sharedStrings":
			if w.shared == nil {
				err = w.loadShared(r.target)
			}
		case "styles":
			if w.dates == nil {
				err = w.loadFormats(r.target)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *workbook) loadShared(part string) error {
	b, err := w.c.read(part)
	if err != nil {
		return err
	}
	s := newScanner(b)
	var buf []byte
	for t := s.next(); t != tokenEnd; t = s.next() {
		if t != tokenOpen || string(s.name) != "si" {
			continue
		}
		buf = s.runs(buf[:0])
		if w.shared = append(w.shared, xstring(buf)); len(w.shared) > maxShared {
			return exceeded(limitStrings, maxShared, int64(len(w.shared)), "the workbook has more strings than the limit of %d", maxShared)
		}
	}
	if s.err != nil {
		return damaged(part, s.err)
	}
	return nil
}

func (w *workbook) loadFormats(part string) error {
	b, err := w.c.read(part)
	if err != nil {
		return err
	}
	s := newScanner(b)
	custom := map[int]bool{}
	inCells := false
	for t := s.next(); t != tokenEnd; t = s.next() {
		switch name := string(s.name); {
		case t == tokenOpen && name == "numFmt" && len(custom) < maxFormats:
			custom[s.attrInt("numFmtId", -1)] = showsDates(s.attrText("formatCode"))
		case name == "cellXfs":
			inCells = t == tokenOpen
		case t == tokenOpen && name == "xf" && inCells && len(w.dates) < maxFormats:
			id := s.attrInt("numFmtId", 0)
			dates, known := custom[id]
			w.dates = append(w.dates, known && dates || !known && builtinDates(id))
		}
	}
	if s.err != nil {
		return damaged(part, s.err)
	}
	return nil
}

// builtinDates reports whether a number format that needs no definition shows dates or times
// (18.8.30).
func builtinDates(id int) bool {
	return id >= 14 && id <= 22 || id >= 27 && id <= 36 || id >= 45 && id <= 47 || id >= 50 && id <= 58
}

// showsDates reports whether a number format has a part of a date or a time outside of
// quoted text, colours and conditions.
func showsDates(format string) bool {
	for i := 0; i < len(format); i++ {
		switch format[i] {
		case '"':
			end := strings.IndexByte(format[i+1:], '"')
			if end < 0 {
				return false
			}
			i += end + 1
		case '[':
			end := strings.IndexByte(format[i:], ']')
			if end < 0 {
				return false
			}
			i += end
		case '\\', '_', '*':
			i++
		case 'y', 'Y', 'm', 'M', 'd', 'D', 'h', 'H', 's', 'S':
			return true
		}
	}
	return false
}
