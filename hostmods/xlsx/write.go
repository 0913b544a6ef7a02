package xlsx

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/klauspost/compress/flate"

	"quicksand/bridges"
	"quicksand/hostmods"
	"quicksand/internal/marshal"
)

const (
	xmlHeader     = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	mainNamespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relNamespace  = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packageRels   = "http://schemas.openxmlformats.org/package/2006/relationships"
)

func write(ctx context.Context, c *bridges.Call) (any, error) {
	options := c.Arg(1)
	opt := writeOptions{header: true, autoFit: true}
	for name, to := range map[string]*bool{"header": &opt.header, "autoFitColumns": &opt.autoFit, "freezeHeader": &opt.freeze} {
		if b, ok := options.Field(name).Bool(); ok {
			*to = b
		}
	}
	plans, err := planSheets(c.Arg(0).Ordered(), opt)
	if err == nil {
		var b []byte
		if b, err = writeWorkbook(ctx, plans, opt.autoFit); err == nil {
			return b, nil
		}
	}
	if a, ok := err.(*argumentError); ok {
		return nil, bridges.TypeErrorf(c.Op(), "%s", a.text)
	}
	return nil, guestError(ctx, c.Op(), err)
}

// workbookWriter writes a workbook sheet after sheet. Only the different texts are held in
// memory beside the compressed file.
type workbookWriter struct {
	ctx    context.Context
	zip    *zip.Writer
	styles *styleTable

	texts    []byte         // the shared strings as XML
	textIDs  map[string]int // by text
	textUses int
	textSize int
	formulas bool

	// The cell that is written, for errors.
	name      string // of the sheet
	col, line int

	number []byte // scratch
	buf    []byte // of the part that is written
	out    io.Writer
	err    error
}

// writeWorkbook is a workbook of sheets.
func writeWorkbook(ctx context.Context, plans []*sheetPlan, autoFit bool) ([]byte, error) {
	var file bytes.Buffer
	w := &workbookWriter{ctx: ctx, zip: zip.NewWriter(&file), styles: newStyleTable(), textIDs: map[string]int{}}
	w.zip.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, 5) })
	for i, p := range plans {
		w.begin(fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1))
		if err := w.sheet(p, autoFit); err != nil {
			return nil, err
		}
		w.end()
	}
	w.part("xl/sharedStrings.xml", fmt.Appendf(nil, `%s<sst xmlns="%s" count="%d" uniqueCount="%d">%s</sst>`,
		xmlHeader, mainNamespace, w.textUses, len(w.textIDs), w.texts))
	w.part("xl/styles.xml", w.styles.appendXML(nil))
	w.frame(plans)
	if w.err == nil {
		w.err = w.zip.Close()
	}
	return file.Bytes(), w.err
}

// frame writes the parts that hold the others together.
func (w *workbookWriter) frame(plans []*sheetPlan) {
	const sheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml."
	types := []byte(xmlHeader + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="` + sheetType + `sheet.main+xml"/>` +
		`<Override PartName="/xl/styles.xml" ContentType="` + sheetType + `styles+xml"/>` +
		`<Override PartName="/xl/sharedStrings.xml" ContentType="` + sheetType + `sharedStrings+xml"/>`)
	rels := []byte(xmlHeader + `<Relationships xmlns="` + packageRels + `">`)
	book := []byte(xmlHeader + `<workbook xmlns="` + mainNamespace + `" xmlns:r="` + relNamespace + `"><sheets>`)
	for i, p := range plans {
		types = fmt.Appendf(types, `<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="%sworksheet+xml"/>`, i+1, sheetType)
		rels = fmt.Appendf(rels, `<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%d.xml"/>`, i+1, relNamespace, i+1)
		book = append(book, `<sheet name="`...)
		book = appendEscaped(book, p.name)
		book = fmt.Appendf(book, `" sheetId="%d" r:id="rId%d"/>`, i+1, i+1)
	}
	rels = fmt.Appendf(rels, `<Relationship Id="rId%d" Type="%s/styles" Target="styles.xml"/>`, len(plans)+1, relNamespace)
	rels = fmt.Appendf(rels, `<Relationship Id="rId%d" Type="%s/sharedStrings" Target="sharedStrings.xml"/></Relationships>`, len(plans)+2, relNamespace)
	book = append(book, "</sheets>"...)
	if w.formulas {
		book = append(book, `<calcPr calcId="191029" fullCalcOnLoad="1"/>`...)
	}
	w.part("xl/workbook.xml", append(book, "</workbook>"...))
	w.part("xl/_rels/workbook.xml.rels", rels)
	w.part("_rels/.rels", []byte(xmlHeader+`<Relationships xmlns="`+packageRels+`"><Relationship Id="rId1" Type="`+relNamespace+
		`/officeDocument" Target="xl/workbook.xml"/></Relationships>`))
	w.part("[Content_Types].xml", append(types, "</Types>"...))
}

// begin starts a part.
func (w *workbookWriter) begin(name string) {
	out, err := w.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
	if err != nil && w.err == nil {
		w.err = err
	}
	w.out, w.buf = out, w.buf[:0]
}

// end writes what is left of a part.
func (w *workbookWriter) end() { w.flush(0) }

// flush hands on what is written when it is more than a size.
func (w *workbookWriter) flush(size int) {
	if len(w.buf) <= size || w.err != nil {
		return
	}
	_, w.err = w.out.Write(w.buf)
	w.buf = w.buf[:0]
}

func (w *workbookWriter) part(name string, b []byte) {
	w.begin(name)
	if w.err == nil {
		_, w.err = w.out.Write(b)
	}
}

// sheet writes the part of a sheet (18.3.1.99).
func (w *workbookWriter) sheet(p *sheetPlan, autoFit bool) error {
	w.buf = append(w.buf, xmlHeader+`<worksheet xmlns="`+mainNamespace+`">`...)
	if p.freeze {
		w.buf = append(w.buf, `<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`...)
	}
	if err := w.widths(p, autoFit); err != nil {
		return err
	}
	w.buf = append(w.buf, "<sheetData>"...)
	first := 0
	var cells []any
	if p.header {
		first = 1
		if p.width > 0 {
			for i := range p.columns {
				cells = append(cells, p.columns[i].title)
			}
			if err := w.row(p, 0, cells); err != nil {
				return err
			}
		}
	}
	rows := first + len(p.rows)
	for n := first; n < max(rows, p.painted.last+1); n++ {
		if n%rowsEach == 0 {
			if err := w.ctx.Err(); err != nil {
				return err
			}
		}
		cells = cells[:0]
		if n < rows {
			cells = p.values(n-first, cells)
		}
		if err := w.row(p, n, cells); err != nil {
			return err
		}
	}
	w.buf = append(w.buf, "</sheetData></worksheet>"...)
	return w.err
}

// widths writes the widths of columns: those which are set, otherwise what fits the longest value.
func (w *workbookWriter) widths(p *sheetPlan, autoFit bool) error {
	longest := make([]int, p.width)
	if autoFit {
		if p.header {
			for i := range p.columns {
				longest[i] = textLength(p.columns[i].title)
			}
		}
		var cells []any
		for i := range p.rows {
			if i%rowsEach == 0 {
				if err := w.ctx.Err(); err != nil {
					return err
				}
			}
			cells = p.values(i, cells)
			for k, v := range cells {
				longest[k] = max(longest[k], w.valueLength(v))
			}
		}
	}
	n := max(p.width, len(p.columns))
	open := false
	for i := range n {
		width := 0.0
		if i < len(p.columns) {
			width = p.columns[i].width
		}
		if width == 0 && autoFit && i < p.width {
			width = float64(min(max(longest[i]+2, 8), 80))
		}
		if width == 0 {
			continue
		}
		if !open {
			open = true
			w.buf = append(w.buf, "<cols>"...)
		}
		w.buf = fmt.Appendf(w.buf, `<col min="%d" max="%d" width="%s" customWidth="1"/>`, i+1, i+1, numberText(width))
	}
	if open {
		w.buf = append(w.buf, "</cols>"...)
	}
	return nil
}

// valueLength is about how many characters show a value.
func (w *workbookWriter) valueLength(v any) int {
	switch v := v.(type) {
	case string:
		return textLength(v)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 5
		}
		w.number = appendNumber(w.number[:0], v)
		return len(w.number)
	case bool:
		return 5
	case time.Time:
		return len(dateFormat(v))
	}
	return 0
}

// row writes a row; cells are its values.
func (w *workbookWriter) row(p *sheetPlan, n int, cells []any) error {
	painted := len(p.painted.rows[n])
	begun := false
	for col := range max(len(cells), painted) {
		l := p.painted.at(col, n)
		if col < len(p.columns) && l.format == "" && (!p.header || n > 0) {
			l.format = p.columns[col].format
		}
		var v any
		if col < len(cells) {
			v = cells[col]
		}
		if v == marshal.Undefined || v == marshal.InvalidDate {
			v = nil
		}
		if v == nil && (col >= painted || p.painted.rows[n][col] == 0) {
			continue
		}
		if !begun {
			begun = true
			w.buf = append(w.buf, `<row r="`...)
			w.buf = append(strconv.AppendInt(w.buf, int64(n)+1, 10), `">`...)
		}
		if err := w.cell(p, col, n, l, v); err != nil {
			return err
		}
	}
	if begun {
		w.buf = append(w.buf, "</row>"...)
	}
	w.flush(64 << 10)
	return w.err
}

// dateFormat is the format of a date that has no other.
func dateFormat(t time.Time) string {
	if t.UnixMilli()%msPerDay == 0 {
		return formatDate
	}
	return formatTime
}

// cell writes a cell.
func (w *workbookWriter) cell(p *sheetPlan, col, row int, l look, v any) error {
	if t, ok := v.(time.Time); ok {
		// Before 1900 workbooks have no dates.
		if s := toSerial(t); s >= 1 && s < lastDateDay {
			if l.format == "" {
				l.format = dateFormat(t)
			}
			v = s
		} else {
			v = t.UTC().Format("2006-01-02T15:04:05.000Z")
		}
	}
	if n, ok := v.(*big.Int); ok && n.IsInt64() && n.Int64() >= -1<<53 && n.Int64() <= 1<<53 {
		v = float64(n.Int64())
	}
	b := append(w.buf, `<c r="`...)
	b = append(appendCell(b, col, row), '"')
	if id := w.styles.id(l); id > 0 {
		if id >= maxLooks {
			return argumentf("there are too many combinations of styles and formats")
		}
		b = append(b, ` s="`...)
		b = append(strconv.AppendInt(b, int64(id), 10), '"')
	}
	w.name, w.col, w.line = p.name, col, row
	switch x := v.(type) {
	case nil:
		w.buf = append(b, "/>"...)
		return nil
	case float64:
		w.buf = append(appendScalar(b, x), "</c>"...)
		return nil
	case bool:
		w.buf = append(appendScalar(b, x), "</c>"...)
		return nil
	case *marshal.Object:
		if f, ok := x.Get("formula"); ok {
			if formula, ok := f.(string); ok {
				result, _ := x.Get("result")
				return w.formula(b, formula, result)
			}
		}
	case []byte, marshal.Buffer, marshal.View, marshal.Uint8Clamped:
		return argumentf("%s holds bytes: write them as text, for example in base64", w.where())
	}
	text, err := w.cellText(v)
	if err != nil {
		return err
	}
	id, err := w.text(text)
	if err != nil {
		return err
	}
	b = append(b, ` t="s"><v>`...)
	w.buf = append(strconv.AppendInt(b, int64(id), 10), "</v></c>"...)
	return nil
}

// where is the cell that is written, in an error.
func (w *workbookWriter) where() string {
	return fmt.Sprintf("cell %s of sheet %s", appendCell(nil, w.col, w.line), quote(w.name))
}

// appendScalar appends the type and the value of a cell with a number or a boolean, behind
// its other attributes.
func appendScalar(b []byte, v any) []byte {
	switch v := v.(type) {
	case bool:
		if v {
			return append(b, ` t="b"><v>1</v>`...)
		}
		return append(b, ` t="b"><v>0</v>`...)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return append(b, ` t="e"><v>#NUM!</v>`...)
		}
		b = append(b, "><v>"...)
		return append(appendNumber(b, v), "</v>"...)
	}
	return b
}

// formula writes the rest of a cell with a formula and what it showed last.
func (w *workbookWriter) formula(b []byte, formula string, result any) error {
	if len(formula) > 0 && formula[0] == '=' {
		formula = formula[1:]
	}
	if formula == "" || len(formula) > maxFormula {
		return argumentf("%s has a formula of %d bytes, not between 1 and %d", w.where(), len(formula), maxFormula)
	}
	w.formulas = true
	if t, ok := result.(time.Time); ok {
		result = toSerial(t)
	}
	value := []byte(">")
	switch r := result.(type) {
	case float64, bool:
		value = appendScalar(nil, r)
	case string:
		if len(r) > maxCellText {
			return w.tooLong(len(r))
		}
		value = append(appendEscaped([]byte(` t="str"><v>`), r), "</v>"...)
	}
	open := bytes.IndexByte(value, '>') + 1
	b = append(b, value[:open]...)
	b = append(appendEscaped(append(b, "<f>"...), formula), "</f>"...)
	w.buf = append(append(b, value[open:]...), "</c>"...)
	return nil
}

// cellText is a value as the text of a cell: strings as they are, other objects as JSON.
func (w *workbookWriter) cellText(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case *big.Int:
		if v.BitLen() > 4*maxCellText {
			return "", w.tooLong(v.BitLen() / 3)
		}
		return v.String(), nil
	}
	value, err := marshal.NewValue(v, marshal.EncodeOptions{RefuseCycles: true, MaxSize: 8 * maxCellText})
	if err != nil {
		return "", argumentf("%s holds an object that contains itself or is too large for a cell", w.where())
	}
	b, err := value.AppendJSON(nil, 8*maxCellText)
	if err != nil {
		return "", argumentf("%s holds an object that is too large for a cell", w.where())
	}
	if w.textSize += len(b); w.textSize > maxAllText {
		return "", tooMuchText()
	}
	return string(b), nil
}

func (w *workbookWriter) tooLong(n int) error {
	return exceeded(limitCellText, maxCellText, int64(n), "%s has more characters than the limit of %d", w.where(), maxCellText)
}

func tooMuchText() error {
	return exceeded(hostmods.LimitResult, maxAllText, maxAllText+1, "the texts have more bytes than the limit of %d", maxAllText)
}

// text is the number of a shared string.
func (w *workbookWriter) text(s string) (int, error) {
	w.textUses++
	if id, ok := w.textIDs[s]; ok {
		return id, nil
	}
	if len(s) > maxCellText {
		n := 0
		for _, r := range s {
			n += max(1, utf16.RuneLen(r))
		}
		if n > maxCellText {
			return 0, w.tooLong(n)
		}
	}
	if w.textSize += len(s); w.textSize > maxAllText {
		return 0, tooMuchText()
	}
	id := len(w.textIDs)
	w.textIDs[s] = id
	w.texts = append(w.texts, "<si><t"...)
	if s != "" && (s[0] <= ' ' || s[len(s)-1] <= ' ') {
		w.texts = append(w.texts, ` xml:space="preserve"`...)
	}
	w.texts = append(w.texts, '>')
	w.texts = append(appendEscaped(w.texts, s), "</t></si>"...)
	return id, nil
}

// appendEscaped appends a text for an element or an attribute. Characters that XML cannot
// hold, or changes, are written as _xHHHH_, and so is the underscore of what looks like that.
func appendEscaped(b []byte, s string) []byte {
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		n, put := 1, ""
		switch {
		case c == '&':
			put = "&amp;"
		case c == '<':
			put = "&lt;"
		case c == '>':
			put = "&gt;"
		case c == '"':
			put = "&quot;"
		case c == '_' && isEscape(s[i:]):
			put = "_x005F_"
		case c < ' ' && c != '\n' && c != '\t':
			put = fmt.Sprintf("_x%04X_", c)
		case c >= utf8.RuneSelf:
			var r rune
			r, n = utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				put = "\uFFFD"
			} else if r == 0xFFFE || r == 0xFFFF {
				put = fmt.Sprintf("_x%04X_", r)
			}
		}
		if put != "" {
			b = append(append(b, s[from:i]...), put...)
			from = i + n
		}
		i += n
	}
	return append(b, s[from:]...)
}

// isEscape reports whether a text begins like _xHHHH_.
func isEscape(s string) bool {
	if len(s) < 7 || s[1] != 'x' || s[6] != '_' {
		return false
	}
	_, err := strconv.ParseUint(s[2:6], 16, 16)
	return err == nil
}
