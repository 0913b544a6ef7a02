package entry

import "regexp"

// The engines' errors about names, which are the most frequent ones that carry no
// position or that of something before them.
var (
	missingName     = regexp.MustCompile(`^'?([\p{L}_$][\p{L}\p{N}_$]*)'? is not (?:defined|initialized)$`)
	missingProperty = regexp.MustCompile(`^cannot (?:read|set) property '([\p{L}_$][\p{L}\p{N}_$]*)' of (?:undefined|null)$`)
)

// Locate refines the position that an engine gave for an error. QuickJS-NG notes
// positions at calls, names and the starts of some statements, but not at every
// property access, so that an error has the position of what came before it, or none
// below the header (line 0). The engines also differ in the column of a property.
//
// Locate finds the first use of the name or property that message complains about at
// or after the position; with sameLine only on its line, for engines whose lines are
// exact. When there is none the position stays, and line 0 becomes the first token of
// the program. Without tokens it is 0, 0.
func Locate(code, message string, line, col int, sameLine, typescript bool) (int, int) {
	name, property := "", false
	if m := missingName.FindStringSubmatch(message); m != nil {
		name = m[1]
	} else if m := missingProperty.FindStringSubmatch(message); m != nil {
		name, property = m[1], true
	}
	if name == "" && line > 0 {
		return line, col
	}
	var s scanner
	s.typescript = typescript
	s.init(code)
	c := cursor{src: code, line: 1, col: 1}
	firstLine, firstCol := 0, 0
	for {
		s.nl = s.pos == 0
		if f := s.skip(); f != nil || s.pos >= len(s.src) {
			break
		}
		start, afterDot := s.pos, s.prev == tDot
		if f := s.token(); f != nil {
			break
		}
		if firstLine == 0 {
			if firstLine, firstCol = c.at(start); name == "" {
				break
			}
		}
		if afterDot != property || s.src[start:s.pos] != name {
			continue
		}
		l, k := c.at(start)
		switch {
		case l > line && sameLine && line > 0:
			return line, col
		case l > line, l == line && k >= col:
			return l, k
		}
	}
	if line > 0 {
		return line, col
	}
	return firstLine, firstCol
}
