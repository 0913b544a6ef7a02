package workspace

import (
	"context"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"quicksand/bridges"
)

// glob is the paths that match a pattern:
//
//   - any characters of a name          ?        one character of a name
//     [a-z]    one character of a set            [!a-z]   one character that is not in it
//     {a,b/c}  one of several patterns           **       as a whole name: any directories
//
// Wildcards do not match a dot at the start of a name, unless dot is set. What stands for
// itself in brackets stands for nothing else: "[*]". Case counts.
func (w *Workspace) glob(ctx context.Context, op, pattern string, dot bool) ([]string, error) {
	if err := checkText(op, pattern); err != nil {
		return nil, err
	}
	text := pattern
	if !w.host {
		text = trimRoot(pattern)
	}
	// The names before the first wildcard are a directory in which to start.
	var names []string
	for _, name := range strings.Split(text, "/") {
		if name != "" && name != "." {
			names = append(names, name)
		}
	}
	if n := int64(len(names)); n > limitPathDepth.Default {
		return nil, over(op, &limitPathDepth, limitPathDepth.Default, n, "a pattern may have %d names: %s", limitPathDepth.Default, show(pattern))
	}
	i := 0
	for i < len(names)-1 && !strings.ContainsAny(names[i], "*?[{") {
		i++
	}
	base, rest := strings.Join(names[:i], "/"), strings.Join(names[i:], "/")
	if slices.Contains(names[i:], "..") {
		return nil, &bridges.Error{Op: op, Name: "TypeError", Code: "EINVAL", Message: `".." can only be in front of what a pattern matches`}
	}
	absolute := w.host && (strings.HasPrefix(text, "/") || i > 0 && (names[0] == "~" || strings.HasSuffix(names[0], ":")))
	if w.host && strings.HasPrefix(text, "/") {
		base = "/" + base
	}
	if base == "" {
		base = "."
	}
	start, err := w.resolve(op, base)
	if err != nil {
		return nil, err
	}
	m, err := compile(op, rest, dot)
	if err != nil {
		return nil, err
	}
	// The states after the directory that is being read; memory for those of all would not
	// be bounded well.
	at, set := "", m.start()
	found, err := w.walk(ctx, op, base, start, false, func(dir, name string) (keep, into bool) {
		if dir != at {
			at, set = dir, m.run(m.start(), dir)
		}
		if dir != "" {
			name = "/" + name
		}
		reached := m.run(set, name)
		return m.matches(reached), len(reached) > 0
	})
	if err != nil {
		if e, ok := err.(*bridges.Error); ok && (e.Code == "ENOENT" || e.Code == "ENOTDIR") {
			return []string{}, nil // there is nothing that could match
		}
		return nil, err
	}
	prefix := start
	if w.host && !absolute {
		prefix = path.Clean(base)
	}
	if prefix = strings.TrimSuffix(prefix, "/") + "/"; prefix == "./" {
		prefix = ""
	}
	return sorted(prefix, found), nil
}

// A matcher is a pattern as a nondeterministic automaton: it reads each name once, whatever
// the pattern, and takes at most one step for each state and character.
type matcher struct {
	states []state
	dot    bool
	mark   []uint32 // of states, equal to turn where a state is in the set being built
	turn   uint32
}

type state struct {
	op   stateOp
	char rune
	set  []rune // pairs of first and last
	not  bool
	to   []int32 // of opAlt; other states go on to the next one
}

type stateOp uint8

const (
	opChar   stateOp = iota // reads char
	opAny                   // reads a character of a name
	opSet                   // reads a character of set, or one that is not
	opStar                  // reads any characters of a name
	opDirs                  // reads directories with their slashes, or nothing
	opInDirs                // is within a name of opDirs
	opAll                   // reads at least one name with what is below
	opInAll                 // is within a name of opAll, and may end
	opAlt                   // reads nothing and goes to all of to
	opMatch
)

// compile makes a matcher of a pattern.
func compile(op, pattern string, dot bool) (*matcher, error) {
	p := parser{text: pattern, m: &matcher{dot: dot}}
	p.sequence(0)
	p.add(state{op: opMatch})
	if n := int64(len(p.m.states)); n > limitPatternStates.Default {
		return nil, over(op, &limitPatternStates, limitPatternStates.Default, n, "the pattern has %d states, more than the limit of %d", n, limitPatternStates.Default)
	}
	p.m.mark = make([]uint32, len(p.m.states))
	return p.m, nil
}

type parser struct {
	text string
	at   int
	m    *matcher
}

func (p *parser) add(s state) int32 {
	p.m.states = append(p.m.states, s)
	return int32(len(p.m.states) - 1)
}

// maxBraces is how deep braces nest; deeper ones stand for themselves.
const maxBraces = 32

// sequence reads up to the end, or within braces up to a comma or the end of the braces.
func (p *parser) sequence(depth int) {
	for p.at < len(p.text) {
		c, n := utf8.DecodeRuneInString(p.text[p.at:])
		switch {
		case depth > 0 && (c == ',' || c == '}'):
			return
		case c == '?':
			p.add(state{op: opAny})
		case c == '*':
			p.stars()
			continue
		case c == '[' && p.set():
			continue
		case c == '{' && depth < maxBraces && closes(p.text[p.at:]):
			p.braces(depth + 1)
			continue
		default:
			p.add(state{op: opChar, char: c})
		}
		p.at += n
	}
}

// stars reads one or more stars.
func (p *parser) stars() {
	begin := p.at
	for p.at < len(p.text) && p.text[p.at] == '*' {
		p.at++
	}
	starts := begin == 0 || strings.IndexByte("/{,", p.text[begin-1]) >= 0
	ends := p.at == len(p.text) || strings.IndexByte("/},", p.text[p.at]) >= 0
	switch {
	case p.at-begin != 2 || !starts || !ends:
		p.add(state{op: opStar})
	case p.at < len(p.text) && p.text[p.at] == '/':
		p.at++
		p.add(state{op: opDirs})
		p.add(state{op: opInDirs})
	default:
		p.add(state{op: opAll})
		p.add(state{op: opInAll})
	}
}

// set reads a set, unless it does not end.
func (p *parser) set() bool {
	rest := p.text[p.at+1:]
	s := state{op: opSet}
	if rest != "" && (rest[0] == '!' || rest[0] == '^') {
		s.not = true
		rest = rest[1:]
	}
	next := func() rune {
		c, n := utf8.DecodeRuneInString(rest)
		rest = rest[n:]
		return c
	}
	for first := true; ; first = false {
		if rest == "" || rest[0] == '/' {
			return false
		}
		if rest[0] == ']' && !first {
			break
		}
		low := next()
		high := low
		if len(rest) > 1 && rest[0] == '-' && rest[1] != ']' && rest[1] != '/' {
			next()
			high = next()
		}
		s.set = append(s.set, low, high)
	}
	p.at = len(p.text) - len(rest) + 1
	p.add(s)
	return true
}

// closes reports whether the brace at the start of text is closed.
func closes(text string) bool {
	open := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			open++
		case '}':
			if open--; open == 0 {
				return true
			}
		}
	}
	return false
}

// braces reads alternatives.
func (p *parser) braces(depth int) {
	alt := p.add(state{op: opAlt})
	var ends []int32
	for {
		p.at++ // the brace or comma
		p.m.states[alt].to = append(p.m.states[alt].to, int32(len(p.m.states)))
		p.sequence(depth)
		ends = append(ends, p.add(state{op: opAlt}))
		if p.at == len(p.text) || p.text[p.at] == '}' {
			break
		}
	}
	p.at = min(p.at+1, len(p.text))
	for _, e := range ends {
		p.m.states[e].to = []int32{int32(len(p.m.states))}
	}
}

// start is the states in which a path begins.
func (m *matcher) start() []int32 {
	m.turn++
	return m.enter(nil, 0)
}

// enter adds a state and those that are reached from it without reading.
func (m *matcher) enter(set []int32, s int32) []int32 {
	if m.mark[s] == m.turn {
		return set
	}
	m.mark[s] = m.turn
	set = append(set, s)
	switch m.states[s].op {
	case opAlt:
		for _, t := range m.states[s].to {
			set = m.enter(set, t)
		}
	case opStar, opInAll:
		set = m.enter(set, s+1)
	case opDirs:
		set = m.enter(set, s+2)
	}
	return set
}

// run is the states after more of a path: a name, or a slash and a name.
func (m *matcher) run(set []int32, text string) []int32 {
	first := text == "" || text[0] != '/'
	for _, c := range text {
		m.turn++
		var next []int32
		for _, s := range set {
			st := &m.states[s]
			// What a wildcard reads.
			wild := c != '/' && (c != '.' || !first || m.dot)
			switch st.op {
			case opChar:
				if c == st.char {
					next = m.enter(next, s+1)
				}
			case opAny:
				if wild {
					next = m.enter(next, s+1)
				}
			case opSet:
				if wild && st.holds(c) != st.not {
					next = m.enter(next, s+1)
				}
			case opStar:
				if wild {
					next = m.enter(next, s)
				}
			case opDirs, opAll:
				if wild {
					next = m.enter(next, s+1)
				}
			case opInDirs, opInAll:
				if wild {
					next = m.enter(next, s)
				} else if c == '/' {
					next = m.enter(next, s-1)
				}
			}
		}
		if set = next; len(set) == 0 {
			return nil
		}
		first = c == '/'
	}
	return set
}

func (s *state) holds(c rune) bool {
	for i := 0; i < len(s.set); i += 2 {
		if s.set[i] <= c && c <= s.set[i+1] {
			return true
		}
	}
	return false
}

// matches reports whether a path may end in a set.
func (m *matcher) matches(set []int32) bool {
	return slices.Contains(set, int32(len(m.states)-1))
}
