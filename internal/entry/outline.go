package entry

import (
	"slices"
	"strings"
	"unicode/utf16"
)

// An Outline is what can be said of a JavaScript module without running it.
type Outline struct {
	// Imports are its static imports and the sources of its re-exports, in their order.
	Imports []Import
	// Exports are the names that it exports, sorted. They are all unless Complete is false:
	// behind export *, or in patterns with defaults, there may be more.
	Exports  []string
	Complete bool
	// DynamicLine is the line of the first import(), and RequireLine that of the first call
	// of something named require. 0 means that there is none.
	DynamicLine, RequireLine int
}

// ReadModule reads the outline of a module. Like all of this package it is exact about
// tokens and imports, and leaves other grammar to the engine. The error is a *SyntaxError.
func ReadModule(code string) (Outline, error) {
	code, err := prepare(code)
	if err == ErrNoCode {
		return Outline{Complete: true}, nil
	}
	if err != nil {
		return Outline{}, err
	}
	o := outline{dynamic: -1, require: -1}
	s := scanner{module: true, outline: &o}
	s.init(code)
	if f := s.start(); f != nil {
		return Outline{}, f.syntaxError(code)
	}
	slices.Sort(o.exports)
	out := Outline{Imports: s.list(), Exports: slices.Compact(o.exports), Complete: !o.partial}
	if o.dynamic >= 0 {
		out.DynamicLine, _ = position(code, o.dynamic)
	}
	if o.require >= 0 {
		out.RequireLine, _ = position(code, o.require)
	}
	return out, nil
}

// outline is what a scanner notes for ReadModule.
type outline struct {
	exports   []string
	partial   bool
	exporting bool // in the list of an exported const, let or var
	dynamic   int  // offsets, -1 for none
	require   int
}

// export notes a name in its spelling.
func (o *outline) export(name string) {
	if strings.Contains(name, `\`) {
		o.partial = true
		return
	}
	o.exports = append(o.exports, name)
}

// noteCall notes import() and require(): the word that starts at off has just been read.
func (s *scanner) noteCall(at *int, off int) {
	if *at < 0 && s.peek() == '(' {
		*at = off
	}
}

// peek is the first byte of the next token, or 0. Nothing moves.
func (s *scanner) peek() byte {
	pos, nl, seps := s.pos, s.nl, len(s.separators)
	f := s.skip()
	var c byte
	if f == nil && s.pos < len(s.src) {
		c = s.src[s.pos]
	}
	s.pos, s.nl, s.separators = pos, nl, s.separators[:seps]
	return c
}

// noteExported looks at what follows the word export, without moving. t is the first token.
func (s *scanner) noteExported(t lexeme) {
	pos, nl, seps := s.pos, s.nl, len(s.separators)
	defer func() { s.pos, s.nl, s.separators = pos, nl, s.separators[:seps] }()
	switch s.text(t) {
	case "default":
		s.outline.export("default")
		return
	case "const", "let", "var":
		return // its names follow
	}
	for range 4 { // async function * name
		if t.kind == 'i' {
			switch w := s.text(t); w {
			case "async", "function", "class":
			default:
				s.outline.export(w)
				return
			}
		}
		var f *fault
		if t, f = s.lexeme(); f != nil {
			return
		}
	}
}

// notePattern notes the names of the pattern at s.pos, without moving.
func (s *scanner) notePattern() {
	pos, nl, seps := s.pos, s.nl, len(s.separators)
	defer func() { s.pos, s.nl, s.separators = pos, nl, s.separators[:seps] }()
	// Names are what is not a key: in an object those not followed by a colon. A default, or
	// a key that is computed, can hold any expression, which ends the reading.
	var open []bool // whether each is an object
	var prev lexeme // a name that may be a key
	for {
		t, f := s.lexeme()
		if f != nil || t.kind == 0 {
			s.outline.partial = true
			return
		}
		w := s.text(t)
		if t.kind == 'p' && w != ":" && prev.kind == 'i' {
			s.outline.export(s.text(prev))
		}
		name := prev
		prev = lexeme{}
		switch {
		case t.kind == 'i':
			prev = t
		case w == "{" || w == "[" && (len(open) == 0 || !open[len(open)-1] || name.kind == 'p'):
			open = append(open, w == "{")
		case w == ":":
			prev.kind = 'p' // a target follows, which may be an array
		case w == "}" || w == "]":
			if open = open[:len(open)-1]; len(open) == 0 {
				return
			}
		case w == "=" || w == "[":
			s.outline.partial = true
			return
		}
	}
}

// exportedName is the text of the current token as the name of an export, or "".
func (d *declParser) exportedName() string {
	switch d.tok.kind {
	case 'i':
		return d.s.text(d.tok)
	case 's':
		if u, f := decodeString(d.s.src, d.tok.start, d.tok.end); f == nil {
			return string(utf16.Decode(u))
		}
	}
	return ""
}
