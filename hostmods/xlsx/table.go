package xlsx

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"quicksand/internal/marshal"
)

// table makes what parse returns of a sheet: records by the first row, or arrays. left is how
// many cells the result may still have, with the empty ones that rows are filled up with.
func table(rows []row, opt *readOptions, left *int) ([]any, error) {
	from := 0
	if opt.area != nil {
		from = opt.area.left
	}
	if opt.header {
		return records(rows, from, opt.rename, left)
	}
	out := make([]any, len(rows))
	for i, r := range rows {
		width := r.cells[len(r.cells)-1].col - from + 1
		if *left -= width; *left < 0 {
			return nil, tooManyCells(maxCells - *left)
		}
		list := make([]any, width)
		for _, c := range r.cells {
			list[c.col-from] = c.value
		}
		out[i] = list
	}
	return out, nil
}

// records makes objects by the keys in the first row. Columns behind its last one count if
// there is a value in them.
func records(rows []row, from int, rename bool, left *int) ([]any, error) {
	out := []any{}
	if len(rows) == 0 {
		return out, nil
	}
	head := rows[0].cells
	width := head[len(head)-1].col - from + 1
	if width > *left {
		return nil, tooManyCells(width)
	}
	columns := make([]int, width) // of the keys, which are in the order of columns
	for i := range columns {
		columns[i] = from + i
	}
	seen := map[int]bool{}
	for _, r := range rows[1:] {
		for _, c := range r.cells {
			if c.col >= from+width && !seen[c.col] {
				seen[c.col] = true
				columns = append(columns, c.col)
			}
		}
	}
	slices.Sort(columns[width:])
	names := make(map[int]string, len(head))
	for _, c := range head {
		names[c.col] = keyOf(c.value)
	}
	// index is the place of a column's key among the keys, of which each occurs once.
	keys := make([]string, 0, len(columns))
	index := make(map[int]int, len(columns))
	place := make(map[string]int, len(columns))
	again := make(map[string]int)
	for _, col := range columns {
		key, ok := names[col]
		if !ok {
			key = fmt.Sprintf("col_%d", col-from+1)
		}
		i, known := place[key]
		if known && rename {
			plain := key
			for known {
				again[plain]++
				key = plain + "_" + strconv.Itoa(again[plain])
				_, known = place[key]
			}
		}
		if !known {
			i = len(keys)
			place[key] = i
			keys = append(keys, key)
		}
		index[col] = i
	}
	if n := len(keys) * (len(rows) - 1); n > *left {
		return nil, tooManyCells(n)
	} else {
		*left -= n
	}
	// Each column has a value or null, and of the columns with one key the last counts.
	last := make([]int, len(keys))
	for _, col := range columns {
		last[index[col]] = col
	}
	keyAt := make([]int32, columns[len(columns)-1]-from+1) // of the key by column, plus 1
	for i, col := range last {
		keyAt[col-from] = int32(i) + 1
	}
	for _, r := range rows[1:] {
		e := make([]marshal.Entry, len(keys))
		for i, k := range keys {
			e[i].Key = k
		}
		for _, c := range r.cells {
			if i := keyAt[c.col-from]; i > 0 {
				e[i-1].Value = c.value
			}
		}
		out = append(out, &marshal.Object{Entries: e})
	}
	return out, nil
}

// keyOf is a value as the key of a record, as JavaScript would have it.
func keyOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return numberText(v)
	case bool:
		return strconv.FormatBool(v)
	case time.Time:
		return v.Format("2006-01-02T15:04:05.000Z")
	case *marshal.Object: // a formula
		if r, _ := v.Get("result"); r != nil {
			return keyOf(r)
		}
		f := v.Entries[0].Value.(string)
		return "=" + f
	}
	return ""
}
