package entry

import "regexp"

// missing recognizes the engines' errors about a name, which are the most frequent
// ones that carry no position.
var missing = regexp.MustCompile(`^'?([\p{L}_$][\p{L}\p{N}_$]*)'? is not (?:defined|initialized)$`)

// Locate finds where an error most likely arose that the engines give no position
// below the header: they note positions at calls and property accesses, so that an
// error before the first of them looks as if it came from the wrapper. It is the
// first use of the name that message complains about, or else the first token of the
// program. Without tokens it is 0, 0.
func Locate(code, message string, typescript bool) (line, col int) {
	name := ""
	if m := missing.FindStringSubmatch(message); m != nil {
		name = m[1]
	}
	var s scanner
	s.typescript = typescript
	s.init(code)
	first := -1
	for {
		s.nl = s.pos == 0
		if f := s.skip(); f != nil || s.pos >= len(s.src) {
			break
		}
		start, afterDot := s.pos, s.prev == tDot
		if f := s.token(); f != nil {
			break
		}
		if first < 0 {
			first = start
			if name == "" {
				break
			}
		}
		if !afterDot && s.src[start:s.pos] == name {
			return position(code, start)
		}
	}
	if first < 0 {
		return 0, 0
	}
	return position(code, first)
}
