package typescript

import (
	"encoding/json"
	"errors"
	"sort"
	"strings"
)

// sourceMap leads from generated text to its origin. It implements entry.Mapping.
//
// Format: ECMA-426, version 3, one source.
type sourceMap struct {
	segments []segment
	// lines[i] is the index of the first segment of generated line i, counted from 0.
	lines []int32
}

// segment says where a generated column comes from; all count from 0.
type segment struct {
	col               int32
	fromLine, fromCol int32
	mapped            bool
}

var errMap = errors.New("typescript: the parser wrote a source map that cannot be read")

// parseMap reads a source map.
func parseMap(text []byte) (*sourceMap, error) {
	var doc struct {
		Mappings string `json:"mappings"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, errMap
	}
	m := &sourceMap{lines: make([]int32, 0, strings.Count(doc.Mappings, ";")+2)}
	m.lines = append(m.lines, 0)
	var line, col, generated int32
	s := doc.Mappings
	for i := 0; i < len(s); {
		switch s[i] {
		case ';':
			m.lines = append(m.lines, int32(len(m.segments)))
			generated = 0
			i++
			continue
		case ',':
			i++
			continue
		}
		var fields [5]int32
		n := 0
		for i < len(s) && s[i] != ',' && s[i] != ';' {
			v, next, ok := vlq(s, i)
			if !ok || n == len(fields) {
				return nil, errMap
			}
			fields[n] = v
			n++
			i = next
		}
		generated += fields[0]
		seg := segment{col: generated}
		if n >= 4 {
			line += fields[2]
			col += fields[3]
			seg.fromLine, seg.fromCol, seg.mapped = line, col, true
		}
		m.segments = append(m.segments, seg)
	}
	m.lines = append(m.lines, int32(len(m.segments)))
	return m, nil
}

// vlq reads one base 64 VLQ number at s[i].
func vlq(s string, i int) (v int32, next int, ok bool) {
	var u uint64
	for shift := 0; i < len(s) && shift <= 30; shift += 5 {
		d := strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", s[i])
		if d < 0 {
			return 0, i, false
		}
		i++
		u |= uint64(d&31) << shift
		if d&32 == 0 {
			v = int32(u >> 1)
			if u&1 != 0 {
				v = -v
			}
			return v, i, true
		}
	}
	return 0, i, false
}

// Position implements entry.Mapping. A position between two mapped ones belongs to
// the one before it on the line, or on a line that starts unmapped to the first.
func (m *sourceMap) Position(line, col int) (int, int) {
	if line < 1 || line >= len(m.lines) {
		return 0, 0
	}
	segs := m.segments[m.lines[line-1]:m.lines[line]]
	i := sort.Search(len(segs), func(i int) bool { return int(segs[i].col) > col-1 })
	for j := i - 1; j >= 0; j-- {
		if segs[j].mapped {
			return m.origin(segs[j], col)
		}
	}
	for ; i < len(segs); i++ {
		if segs[i].mapped {
			return m.origin(segs[i], col)
		}
	}
	return 0, 0
}

func (m *sourceMap) origin(s segment, col int) (int, int) {
	if col < 1 {
		return int(s.fromLine) + 1, 0
	}
	return int(s.fromLine) + 1, int(s.fromCol) + 1
}
