package xlsx

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"quicksand/internal/marshal"
)

// sheetPlan is a sheet that is to be written.
type sheetPlan struct {
	name    string
	rows    []any
	header  bool
	freeze  bool
	columns []column
	keys    map[string]int // places of columns, with a header
	painted painting
	width   int // columns with values
}

// column is what is said of a column.
type column struct {
	key, title string
	width      float64 // characters, 0 is none
	format     string  // of numbers
}

// writeOptions apply to all sheets that do not say otherwise.
type writeOptions struct {
	header, autoFit, freeze bool
}

// An argumentError is about what a guest gave.
type argumentError struct{ text string }

func (e *argumentError) Error() string { return e.text }

func argumentf(format string, args ...any) error {
	return &argumentError{fmt.Sprintf(format, args...)}
}

// planSheets checks the sheets that a guest gave and decides on their columns.
func planSheets(arg any, opt writeOptions) ([]*sheetPlan, error) {
	var plans []*sheetPlan
	switch arg := arg.(type) {
	case *marshal.Object:
		for _, e := range arg.Entries {
			rows, ok := e.Value.([]any)
			if !ok {
				return nil, argumentf("the rows of sheet %s must be an array", quote(e.Key))
			}
			plans = append(plans, &sheetPlan{name: e.Key, rows: rows, header: opt.header, freeze: opt.freeze})
		}
	case []any:
		if len(arg) > maxWrittenSheets {
			return nil, argumentf("there are %d sheets, more than the limit of %d", len(arg), maxWrittenSheets)
		}
		for i, x := range arg {
			o, ok := x.(*marshal.Object)
			if !ok {
				return nil, argumentf("sheets[%d] must be an object {name, rows}", i)
			}
			p, err := planOf(i, o, opt)
			if err != nil {
				return nil, err
			}
			plans = append(plans, p)
		}
	default:
		return nil, argumentf("sheets must be an object {name: rows} or an array of {name, rows}")
	}
	if len(plans) == 0 {
		return nil, argumentf("there are no sheets to write")
	}
	if len(plans) > maxWrittenSheets {
		return nil, argumentf("there are %d sheets, more than the limit of %d", len(plans), maxWrittenSheets)
	}
	cells := 0
	names := map[string]string{}
	for _, p := range plans {
		name, err := sheetName(p.name)
		if err != nil {
			return nil, err
		}
		if other, ok := names[strings.ToLower(name)]; ok {
			return nil, argumentf("the sheets %s and %s have one name", quote(other), quote(p.name))
		}
		names[strings.ToLower(name)] = p.name
		p.name = name
		n, err := p.layout()
		if err != nil {
			return nil, err
		}
		if cells += n; cells > maxCells {
			return nil, tooManyCells(cells)
		}
	}
	return plans, nil
}

// planOf reads an entry of an array of sheets.
func planOf(i int, o *marshal.Object, opt writeOptions) (*sheetPlan, error) {
	p := &sheetPlan{header: opt.header, freeze: opt.freeze}
	for _, e := range o.Entries {
		if e.Value == nil || e.Value == marshal.Undefined {
			continue
		}
		ok := true
		switch e.Key {
		case "name":
			p.name, ok = e.Value.(string)
			if !ok {
				return nil, argumentf("sheets[%d].name must be a string", i)
			}
		case "rows":
			if p.rows, ok = e.Value.([]any); !ok {
				return nil, argumentf("sheets[%d].rows must be an array", i)
			}
		case "header":
			if b, ok := e.Value.(bool); ok {
				p.header = b
			}
		case "freezeHeader":
			if b, ok := e.Value.(bool); ok {
				p.freeze = b
			}
		}
	}
	if strings.TrimSpace(p.name) == "" {
		return nil, argumentf("sheets[%d] has no name", i)
	}
	if p.rows == nil {
		return nil, argumentf("sheets[%d].rows must be an array", i)
	}
	if x, ok := o.Get("columns"); ok && x != nil && x != marshal.Undefined {
		list, ok := x.([]any)
		if !ok {
			return nil, argumentf("sheets[%d].columns must be an array", i)
		}
		if len(list) > maxColumns {
			return nil, argumentf("sheets[%d].columns has %d columns, more than the limit of %d", i, len(list), maxColumns)
		}
		p.columns = make([]column, len(list))
		for k, x := range list {
			if err := p.columns[k].read(fmt.Sprintf("sheets[%d].columns[%d]", i, k), x, p.header); err != nil {
				return nil, err
			}
		}
	}
	if x, ok := o.Get("styles"); ok && x != nil && x != marshal.Undefined {
		list, ok := x.([]any)
		if !ok {
			return nil, argumentf("sheets[%d].styles must be an array", i)
		}
		painted := 0
		for k, x := range list {
			where := fmt.Sprintf("sheets[%d].styles[%d]", i, k)
			o, ok := x.(*marshal.Object)
			if !ok {
				return nil, argumentf("%s must be an object {range, bold?, …}", where)
			}
			a, l, err := styleOf(where, o)
			if err != nil {
				return nil, err
			}
			// Rows are painted from their first column on.
			if painted += (a.bottom - a.top + 1) * (a.right + 1); painted > maxPainted {
				return nil, exceeded(limitStyles, maxPainted, int64(painted), "the ranges of styles have more cells than the limit of %d", maxPainted)
			}
			if !p.painted.paint(a, l) {
				return nil, argumentf("%s: there are too many combinations of styles", where)
			}
		}
	}
	return p, nil
}

// read reads an entry of columns: a key, or an object.
func (c *column) read(where string, x any, header bool) error {
	o, ok := x.(*marshal.Object)
	if !ok {
		switch x.(type) {
		case string, float64, bool:
			c.key = keyOf(x)
			c.title = c.key
			return nil
		}
		return argumentf("%s must be a key or an object {key, header?, width?, numberFormat?}", where)
	}
	if key, ok := o.Get("key"); ok {
		c.key = keyOf(key)
	} else if header {
		return argumentf("%s has no key", where)
	}
	c.title = c.key
	if title, ok := o.Get("header"); ok {
		if c.title, ok = title.(string); !ok {
			return argumentf("%s.header must be a string", where)
		}
	}
	if w, ok := o.Get("width"); ok && w != marshal.Undefined && w != nil {
		if c.width, ok = w.(float64); !ok || !(c.width > 0 && c.width <= 255) {
			return argumentf("%s.width must be a number above 0 and up to 255", where)
		}
	}
	if f, ok := o.Get("numberFormat"); ok && f != marshal.Undefined && f != nil {
		if c.format, ok = f.(string); !ok || len(c.format) > 255 {
			return argumentf("%s.numberFormat must be a string of at most 255 bytes", where)
		}
	}
	return nil
}

// styleOf reads an entry of styles.
func styleOf(where string, o *marshal.Object) (area, look, error) {
	var a area
	var l look
	bad := func(format string, args ...any) (area, look, error) {
		return a, l, argumentf("%s%s", where, fmt.Sprintf(format, args...))
	}
	x, _ := o.Get("range")
	ref, _ := x.(string)
	ok := false
	if a, ok = parseArea(ref); !ok {
		return bad(".range must be like A1 or A1:C20, not %s", quote(ref))
	}
	for _, e := range o.Entries {
		if e.Value == nil || e.Value == marshal.Undefined {
			continue
		}
		text, _ := e.Value.(string)
		switch e.Key {
		case "bold":
			l.bold, _ = e.Value.(bool)
		case "italic":
			l.italic, _ = e.Value.(bool)
		case "size":
			if l.size, ok = e.Value.(float64); !ok || !(l.size >= 1 && l.size <= 409) {
				return bad(".size must be a number from 1 to 409")
			}
		case "color":
			if l.color, ok = parseColor(text); !ok {
				return bad(".color must have 6 or 8 hexadecimal digits, not %s", quote(text))
			}
		case "background":
			if l.background, ok = parseColor(text); !ok {
				return bad(".background must have 6 or 8 hexadecimal digits, not %s", quote(text))
			}
		case "numberFormat":
			if l.format = text; text == "" || len(text) > 255 {
				return bad(".numberFormat must be a string of at most 255 bytes")
			}
		}
	}
	return a, l, nil
}

// maxSheetName is the length of a sheet's name in UTF-16 units.
const maxSheetName = 31

// sheetName is a name as it is written, cut to what Excel takes.
func sheetName(name string) (string, error) {
	switch {
	case strings.TrimSpace(name) == "":
		return "", argumentf("a sheet has no name")
	case strings.ContainsAny(name, `*?:\/[]`):
		return "", argumentf(`the name of sheet %s has one of * ? : \ / [ ], which Excel does not take`, quote(name))
	case strings.EqualFold(name, "History"):
		return "", argumentf("a sheet cannot have the name History, which Excel keeps for itself")
	}
	if len(utf16.Encode([]rune(name))) > maxSheetName {
		n := 0
		for i, r := range name {
			n += max(1, utf16.RuneLen(r))
			if n > maxSheetName {
				name = name[:i]
				break
			}
		}
	}
	if strings.HasPrefix(name, "'") || strings.HasSuffix(name, "'") {
		return "", argumentf("the name of sheet %s begins or ends with an apostrophe, which Excel does not take", quote(name))
	}
	return name, nil
}

// layout decides on the columns and returns how many cells the sheet has.
func (p *sheetPlan) layout() (int, error) {
	if len(p.rows) >= maxRows {
		return 0, tooManyCells(len(p.rows))
	}
	if !p.header {
		for i, r := range p.rows {
			list, ok := r.([]any)
			if !ok {
				return 0, argumentf("row %d of sheet %s must be an array, since header is false", i, quote(p.name))
			}
			p.width = max(p.width, len(list))
		}
		if p.width > maxColumns {
			return 0, argumentf("sheet %s has a row of %d cells, more than the limit of %d", quote(p.name), p.width, maxColumns)
		}
		return len(p.rows) * max(p.width, 1), nil
	}
	infer := p.columns == nil
	p.keys = make(map[string]int, len(p.columns))
	for i := range p.columns {
		p.keys[p.columns[i].key] = i
	}
	for i, r := range p.rows {
		o, ok := r.(*marshal.Object)
		if !ok {
			return 0, argumentf("row %d of sheet %s must be an object; use header: false for rows that are arrays", i, quote(p.name))
		}
		if !infer {
			continue
		}
		for _, e := range o.Entries {
			if _, ok := p.keys[e.Key]; !ok {
				p.keys[e.Key] = len(p.columns)
				p.columns = append(p.columns, column{key: e.Key, title: e.Key})
			}
		}
		if len(p.columns) > maxColumns {
			return 0, argumentf("sheet %s has more columns than the limit of %d", quote(p.name), maxColumns)
		}
	}
	p.width = len(p.columns)
	return (len(p.rows) + 1) * max(p.width, 1), nil
}

// values puts the values of row i, from 0 and without the header, into buf, nil where there
// is none.
func (p *sheetPlan) values(i int, buf []any) []any {
	if !p.header {
		return append(buf[:0], p.rows[i].([]any)...)
	}
	buf = slices.Grow(buf[:0], p.width)[:p.width]
	clear(buf)
	for _, e := range p.rows[i].(*marshal.Object).Entries {
		if at, ok := p.keys[e.Key]; ok {
			buf[at] = e.Value
		}
	}
	return buf
}

// textLength is how many characters the longest line of a text has.
func textLength(s string) int {
	longest := 0
	for s != "" {
		line, rest, _ := strings.Cut(s, "\n")
		longest = max(longest, utf8.RuneCountInString(line))
		s = rest
	}
	return longest
}
