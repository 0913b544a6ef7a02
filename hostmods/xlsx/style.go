package xlsx

import (
	"fmt"
	"strconv"
	"strings"
)

// look is how a cell looks. The zero value is the default.
type look struct {
	bold, italic      bool
	size              float64 // points, 0 is the default
	color, background string  // eight hexadecimal digits, alpha first
	format            string  // of numbers
}

// over is a look with what o sets on top.
func (l look) over(o look) look {
	o.bold = o.bold || l.bold
	o.italic = o.italic || l.italic
	if o.size == 0 {
		o.size = l.size
	}
	if o.color == "" {
		o.color = l.color
	}
	if o.background == "" {
		o.background = l.background
	}
	if o.format == "" {
		o.format = l.format
	}
	return o
}

// Formats of dates that have none.
const (
	formatDate = "yyyy-mm-dd"
	formatTime = "yyyy-mm-dd hh:mm:ss"
)

// styleTable numbers the looks of a workbook; 0 is the default.
type styleTable struct {
	ids   map[look]int
	looks []look
}

func newStyleTable() *styleTable {
	return &styleTable{ids: map[look]int{{}: 0}, looks: []look{{}}}
}

// id is the number of a look.
func (t *styleTable) id(l look) int {
	id, ok := t.ids[l]
	if !ok {
		id = len(t.looks)
		t.ids[l] = id
		t.looks = append(t.looks, l)
	}
	return id
}

// appendXML appends the part of the styles (18.8).
func (t *styleTable) appendXML(b []byte) []byte {
	type font struct {
		bold, italic bool
		size         float64
		color        string
	}
	var numFmts, fonts, fills, xfs []byte
	numFmtIDs, fontIDs, fillIDs := map[string]int{"": 0}, map[font]int{}, map[string]int{"": 0}
	for _, l := range t.looks {
		numFmt, ok := numFmtIDs[l.format]
		if !ok {
			numFmt = 163 + len(numFmtIDs) // definitions begin at 164
			numFmtIDs[l.format] = numFmt
			numFmts = append(numFmts, `<numFmt numFmtId="`...)
			numFmts = strconv.AppendInt(numFmts, int64(numFmt), 10)
			numFmts = append(numFmts, `" formatCode="`...)
			numFmts = append(appendEscaped(numFmts, l.format), `"/>`...)
		}
		f := font{l.bold, l.italic, l.size, l.color}
		fontID, ok := fontIDs[f]
		if !ok {
			fontID = len(fontIDs)
			fontIDs[f] = fontID
			fonts = append(fonts, "<font>"...)
			if f.bold {
				fonts = append(fonts, "<b/>"...)
			}
			if f.italic {
				fonts = append(fonts, "<i/>"...)
			}
			size := f.size
			if size == 0 {
				size = 11
			}
			fonts = append(fonts, `<sz val="`...)
			fonts = append(appendNumber(fonts, size), `"/>`...)
			if f.color != "" {
				fonts = append(append(append(fonts, `<color rgb="`...), f.color...), `"/>`...)
			}
			fonts = append(fonts, `<name val="Calibri"/><family val="2"/></font>`...)
		}
		fillID, ok := fillIDs[l.background]
		if !ok {
			fillID = len(fillIDs) + 1 // behind the two that are required
			fillIDs[l.background] = fillID
			fills = append(append(append(fills, `<fill><patternFill patternType="solid"><fgColor rgb="`...), l.background...), `"/></patternFill></fill>`...)
		}
		xfs = fmt.Appendf(xfs, `<xf numFmtId="%d" fontId="%d" fillId="%d" borderId="0" xfId="0"`, numFmt, fontID, fillID)
		if numFmt > 0 {
			xfs = append(xfs, ` applyNumberFormat="1"`...)
		}
		if fontID > 0 {
			xfs = append(xfs, ` applyFont="1"`...)
		}
		if fillID > 0 {
			xfs = append(xfs, ` applyFill="1"`...)
		}
		xfs = append(xfs, "/>"...)
	}
	b = append(b, xmlHeader+`<styleSheet xmlns="`+mainNamespace+`">`...)
	if n := len(numFmtIDs) - 1; n > 0 {
		b = fmt.Appendf(b, `<numFmts count="%d">%s</numFmts>`, n, numFmts)
	}
	b = fmt.Appendf(b, `<fonts count="%d">%s</fonts>`, len(fontIDs), fonts)
	b = fmt.Appendf(b, `<fills count="%d"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>%s</fills>`, len(fillIDs)+1, fills)
	b = append(b, `<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>`+
		`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>`...)
	b = fmt.Appendf(b, `<cellXfs count="%d">%s</cellXfs>`, len(t.looks), xfs)
	return append(b, `<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`...)
}

// parseColor makes eight digits of six or eight hexadecimal ones behind an optional #.
func parseColor(s string) (string, bool) {
	s = strings.TrimPrefix(s, "#")
	if len(s) != 6 && len(s) != 8 {
		return "", false
	}
	for i := range len(s) {
		if c := s[i] | 0x20; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return "", false
		}
	}
	if len(s) == 6 {
		s = "FF" + s
	}
	return strings.ToUpper(s), true
}

// painting is which looks the cells of a sheet have, by their places.
type painting struct {
	rows map[int][]uint16 // numbers in looks by column
	last int              // row
	// looks are combinations of styles, the first of which is the default, and memo what a
	// style makes of one.
	looks []look
	ids   map[look]uint16
}

// paint lays a look over an area. It reports whether there are too many combinations.
func (p *painting) paint(a area, l look) bool {
	if p.rows == nil {
		p.rows, p.looks, p.ids = map[int][]uint16{}, []look{{}}, map[look]uint16{{}: 0}
	}
	p.last = max(p.last, a.bottom)
	memo := map[uint16]uint16{}
	for y := a.top; y <= a.bottom; y++ {
		r := p.rows[y]
		if n := a.right + 1; len(r) < n {
			r = append(r, make([]uint16, n-len(r))...)
			p.rows[y] = r
		}
		for x := a.left; x <= a.right; x++ {
			old := r[x]
			id, ok := memo[old]
			if !ok {
				both := p.looks[old].over(l)
				if id, ok = p.ids[both]; !ok {
					if len(p.looks) >= maxLooks {
						return false
					}
					id = uint16(len(p.looks))
					p.looks = append(p.looks, both)
					p.ids[both] = id
				}
				memo[old] = id
			}
			r[x] = id
		}
	}
	return true
}

// at is the look of a cell.
func (p *painting) at(col, row int) look {
	if r := p.rows[row]; col < len(r) {
		return p.looks[r[col]]
	}
	return look{}
}
