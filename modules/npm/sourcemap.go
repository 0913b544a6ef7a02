package npm

import (
	"encoding/json"
	"sort"
	"strings"
)

// A sourceMap leads from positions in generated code to those in its sources (ECMA-426).
// The zero value leads nowhere.
type sourceMap struct {
	sources  []string
	segments []segment // by generated position
}

// A segment is where a piece of generated code comes from. Lines and columns count from 0,
// columns in UTF-16 units.
type segment struct {
	line, column     int
	source           int
	toLine, toColumn int
}

// parseSourceMap reads the map of the bundler. Of one that is damaged it reads what comes
// before.
func parseSourceMap(text []byte) sourceMap {
	var v struct {
		Sources  []string
		Mappings string
	}
	if json.Unmarshal(text, &v) != nil {
		return sourceMap{}
	}
	m := sourceMap{sources: v.Sources}
	var source, toLine, toColumn int
	for line, group := range strings.Split(v.Mappings, ";") {
		column := 0
		for one := range strings.SplitSeq(group, ",") {
			fields, ok := vlq(one)
			if !ok || len(fields) == 0 {
				continue
			}
			column += fields[0]
			if len(fields) < 4 {
				continue
			}
			source, toLine, toColumn = source+fields[1], toLine+fields[2], toColumn+fields[3]
			m.segments = append(m.segments, segment{line, column, source, toLine, toColumn})
		}
	}
	return m
}

// vlq decodes the fields of a segment: base64 digits of five bits and a continuation bit,
// the sign in the lowest bit.
func vlq(s string) (fields []int, ok bool) {
	value, shift := 0, 0
	for i := range len(s) {
		digit := strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", s[i])
		if digit < 0 || shift > 30 {
			return nil, false
		}
		value |= digit & 31 << shift
		shift += 5
		if digit&32 != 0 {
			continue
		}
		if value&1 != 0 {
			value = -(value >> 1)
		} else {
			value >>= 1
		}
		fields = append(fields, value)
		value, shift = 0, 0
	}
	return fields, shift == 0
}

// find is where a position comes from.
func (m *sourceMap) find(line, column int) (source string, toLine, toColumn int, ok bool) {
	i := sort.Search(len(m.segments), func(i int) bool {
		s := &m.segments[i]
		return s.line > line || s.line == line && s.column > column
	}) - 1
	if i < 0 || m.segments[i].line != line {
		return "", 0, 0, false
	}
	s := m.segments[i]
	if s.source < 0 || s.source >= len(m.sources) {
		return "", 0, 0, false
	}
	return m.sources[s.source], s.toLine, s.toColumn, true
}
