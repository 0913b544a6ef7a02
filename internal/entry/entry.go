// Package entry makes a module out of a program.
//
// A program is the body of an asynchronous function: it may use return and await at
// its top level, and import declarations besides. Build turns it into a module in
// which the user's lines and columns stay what they were:
//
//	import a from "a"; import { b } from "b"; export default await (async () => {
//	…the program, its imports blanked…
//	})();
//
// The first line is the header. Everything the user wrote follows on lines of its
// own, so that a position below the header is a position in the program.
// Entry.Position translates the others.
//
// The package reads programs with a scanner of its own that is exact about tokens
// and leaves grammar to the engine. It also checks that brackets balance, so that a
// program cannot close the function around it and go on outside.
//
// # Positions
//
// Lines and columns start at 1, columns count UTF-16 code units. Line terminators are
// LF, CR, CR LF, U+2028 and U+2029 as in ECMAScript. To make the engines agree, the
// built source holds a line feed for a CR alone, and spaces and a line feed for U+2028
// and U+2029 between tokens. Inside of strings and templates the latter two stay, and
// the engines do not count them.
//
// # TypeScript and better messages
//
// A Frontend may be registered; quicksand/typescript does it. Without one, syntax
// errors are the engine's and TypeScript is refused.
//
// All functions are safe for concurrent use; so are the methods of a built Entry.
package entry

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// ErrNoCode is the error for a program that holds nothing but white space.
var ErrNoCode = errors.New("No code provided") //lint:ignore ST1005 the text is the guest contract

// maxSource bounds a program in bytes, so that offsets fit 32 bits with room.
const maxSource = 1 << 30

const (
	opening = "export default await (async () => {\n"
	closing = "\n})();\n"
)

// Import is one static import of a program, or one import or re-export of a module.
type Import struct {
	// Specifier is the decoded text of the specifier. Half a surrogate pair, which no
	// real specifier holds, is U+FFFD.
	Specifier string
	// Line and Column are where the specifier stands.
	Line, Column int
	// Attributes holds the import attributes, such as type: json. Nil when there are
	// none.
	Attributes map[string]string
}

// Entry is a program made into a module.
type Entry struct {
	// Source is the module's text.
	Source string
	// HeaderLines is the number of lines before the user's first one. It is 1.
	HeaderLines int
	// Imports are the static imports in their order. Imports of types are not among
	// them.
	Imports []Import

	code   string // the program, without byte order mark
	lines  int    // of code
	header []headerToken
	// generated is set when the lines below the header are not the user's: Source was
	// generated from TypeScript, and mapping leads back.
	generated bool
	mapping   Mapping
}

// SyntaxError is a program that does not parse.
type SyntaxError struct {
	// Message says what is wrong, without position.
	Message string
	// Line and Column are where, in the program. Column is 0 when only the line is
	// known.
	Line, Column int
	// Hint says what to write instead. It may be empty.
	Hint string
}

func (e *SyntaxError) Error() string {
	text := e.Message
	if e.Hint != "" {
		text += " (" + e.Hint + ")"
	}
	if e.Line > 0 {
		text = fmt.Sprintf("%s at %d:%d", text, e.Line, e.Column)
	}
	return text
}

// Build makes a module of a JavaScript program. The error is ErrNoCode, a
// *SyntaxError, or the cause of ctx when that ended meanwhile. Time and memory are
// linear in the length of code.
//
// Import declarations are moved from the top level of the program into the header.
// Their place holds a semicolon and spaces: the semicolon keeps the statements
// before and after apart. Import declarations elsewhere, and anything else that does
// not parse, is left for the engine to refuse.
func Build(ctx context.Context, code string) (Entry, error) {
	return build(ctx, code, false)
}

func build(ctx context.Context, code string, typescript bool) (Entry, error) {
	code, err := prepare(code)
	if err != nil {
		return Entry{}, err
	}
	var s scanner
	s.typescript = typescript
	s.done = ctx.Done()
	s.init(code)
	if f := s.start(); f == errStopped {
		return Entry{}, context.Cause(ctx)
	} else if f != nil {
		return Entry{}, f.syntaxError(code)
	}
	e := Entry{HeaderLines: 1, code: code, header: s.header.from}
	if len(s.imports) == 0 && len(s.separators) == 0 && code[0] != '#' && strings.IndexByte(code, '\r') < 0 {
		e.Source = opening + code + closing
		e.lines = strings.Count(code, "\n") + 1
		return e, nil
	}
	e.lines, _ = position(code, len(code))
	var b strings.Builder
	b.Grow(s.header.text.Len() + len(opening) + len(code) + len(closing) + 1)
	b.WriteString(s.header.text.String())
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	b.WriteString(opening)
	s.writeBody(&b)
	b.WriteString(closing)
	e.Source = b.String()
	e.Imports = s.list()
	return e, nil
}

// Imports lists the static imports of a JavaScript module and the sources of its
// re-exports, in their order. The error is a *SyntaxError or, for a module without
// any text, nil with no imports.
func Imports(code string) ([]Import, error) {
	code, err := prepare(code)
	if err == ErrNoCode {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var s scanner
	s.module = true
	s.init(code)
	if f := s.start(); f != nil {
		return nil, f.syntaxError(code)
	}
	return s.list(), nil
}

// Nesting estimates from above how deep a recursive parser gets in a program or
// module: in brackets, statements, operators, and in chains of members and calls.
// Text that the scanner refuses has nesting up to where it stopped. A front end whose
// stack is not bounded uses it to refuse text before it parses.
func Nesting(code string) int {
	n, _ := NestingSoFar(code)
	return n
}

// NestingSoFar is Nesting, and whether the scanner got to the end of the text.
func NestingSoFar(code string) (n int, whole bool) {
	var s scanner
	s.module = true
	s.typescript = true
	s.init(code)
	f := s.start() // a fault ends the estimate
	return int(s.nesting), f == nil
}

// prepare drops the byte order mark and refuses what is no program text.
func prepare(code string) (string, error) {
	code = strings.TrimPrefix(code, "\ufeff")
	if len(code) > maxSource {
		return "", &SyntaxError{Message: fmt.Sprintf("the program is %d bytes long, the limit is %d", len(code), maxSource), Line: 1, Column: 1}
	}
	if !utf8.ValidString(code) {
		for i, r := range code {
			if r == utf8.RuneError {
				if _, n := utf8.DecodeRuneInString(code[i:]); n == 1 {
					f := fault{off: i, msg: fmt.Sprintf("the program is not valid UTF-8: byte 0x%02X at offset %d", code[i], i), hint: "is this a text file?"}
					return "", f.syntaxError(code)
				}
			}
		}
	}
	for _, r := range code {
		switch {
		case r == ' ', r >= '\t' && r <= '\r', isSpace(r), isSeparator(r):
			continue
		}
		return code, nil
	}
	return "", ErrNoCode
}

// start scans the text, after the hashbang line if it has one.
func (s *scanner) start() *fault {
	if strings.HasPrefix(s.src, "#!") {
		s.pos = 2
		for s.pos < len(s.src) && s.src[s.pos] != '\n' && s.src[s.pos] != '\r' && !separatorAt(s.src, s.pos) {
			s.pos++
		}
	}
	return s.run()
}

func (s *scanner) list() []Import {
	if len(s.imports) == 0 {
		return nil
	}
	out := make([]Import, 0, len(s.imports))
	c := cursor{src: s.src, line: 1, col: 1}
	for _, d := range s.imports {
		if d.typeOnly {
			continue
		}
		line, col := c.at(d.specOff)
		out = append(out, Import{d.specifier, line, col, d.attributes})
	}
	return out
}

// writeBody writes the program with its imports and hashbang blanked and its line
// terminators levelled.
func (s *scanner) writeBody(b *strings.Builder) {
	src, i, sep := s.src, 0, 0
	if strings.HasPrefix(src, "#!") {
		b.WriteString("//")
		i = 2
	}
	for _, d := range s.imports {
		sep = s.writeText(b, i, d.start, sep)
		b.WriteByte(';')
		for i = d.start + 1; i < d.end; {
			r, n := utf8.DecodeRuneInString(src[i:])
			switch {
			case r == '\n', r == '\r' && src[i+1] == '\n':
				b.WriteByte(byte(r))
			case r == '\r', isSeparator(r):
				b.WriteByte('\n')
			case r >= 0x10000:
				b.WriteString("  ")
			default:
				b.WriteByte(' ')
			}
			i += n
		}
		for sep < len(s.separators) && int(s.separators[sep]) < d.end {
			sep++
		}
	}
	s.writeText(b, i, len(src), sep)
}

// writeText writes src[from:to]; sep is the index of the first separator not before
// from. It returns that of the first not before to.
func (s *scanner) writeText(b *strings.Builder, from, to, sep int) int {
	for sep < len(s.separators) && int(s.separators[sep]) < to {
		at := int(s.separators[sep])
		writeLines(b, s.src[from:at])
		b.WriteString("  \n") // as long as the separator
		from = at + 3
		sep++
	}
	writeLines(b, s.src[from:to])
	return sep
}

// writeLines writes text with a line feed for each CR that stands alone. Inside
// template literals ECMAScript reads both as a line feed.
func writeLines(b *strings.Builder, text string) {
	for {
		i := strings.IndexByte(text, '\r')
		if i < 0 {
			b.WriteString(text)
			return
		}
		b.WriteString(text[:i])
		if i+1 < len(text) && text[i+1] == '\n' {
			b.WriteString("\r\n")
			i++
		} else {
			b.WriteByte('\n')
		}
		text = text[i+1:]
	}
}

// Position translates a position in Source, counted from the line after the header,
// into the program: a position in the header is that of the import there, one behind
// the program's end is the end, and one in text that was generated from TypeScript is
// that of its origin. It returns zeros when a position in generated text has no
// origin. Other positions are returned as they are; column 0 stays 0.
func (e *Entry) Position(line, col int) (int, int) {
	if line < 1 {
		i := len(e.header)
		for i > 0 && e.header[i-1].col > col {
			i--
		}
		if i == 0 {
			if len(e.header) == 0 {
				return 1, 0
			}
			i = 1
		}
		return position(e.code, e.header[i-1].off)
	}
	if e.generated {
		if e.mapping == nil {
			return 0, 0
		}
		return e.mapping.Position(line, col)
	}
	if line > e.lines {
		return e.end()
	}
	return line, col
}

// end is the position just after the last visible character of the program.
func (e *Entry) end() (line, col int) {
	return position(e.code, len(strings.TrimRight(e.code, " \t\r\n\u2028\u2029")))
}

// SyntaxError translates a syntax error that an engine reported for Source, with its
// position counted from the line after the header.
func (e *Entry) SyntaxError(message string, line, col int) *SyntaxError {
	out := &SyntaxError{Message: LevelMessage(message)}
	out.Line, out.Column = e.Position(line, col)
	if !e.generated && line > e.lines {
		// The engine stumbled over the closing of the wrapper.
		out.Message = "unexpected end of the program"
	}
	return out
}

// syntaxError gives a fault its position.
func (f *fault) syntaxError(src string) *SyntaxError {
	line, col := position(src, f.off)
	return &SyntaxError{Message: f.msg, Line: line, Column: col, Hint: f.hint}
}

// cursor finds positions of growing offsets in one pass.
type cursor struct {
	src            string
	off, line, col int
}

func (c *cursor) at(off int) (line, col int) {
	for c.off < off {
		b := c.src[c.off]
		switch {
		case b == '\n', b == '\r' && (c.off+1 >= len(c.src) || c.src[c.off+1] != '\n'):
			c.line++
			c.col = 1
			c.off++
		case b < utf8.RuneSelf:
			c.col++
			c.off++
		default:
			r, n := utf8.DecodeRuneInString(c.src[c.off:])
			c.off += n
			switch {
			case isSeparator(r):
				c.line++
				c.col = 1
			case r >= 0x10000:
				c.col += 2
			default:
				c.col++
			}
		}
	}
	return c.line, c.col
}

// position is the line and column of an offset.
func position(src string, off int) (line, col int) {
	c := cursor{src: src, line: 1, col: 1}
	return c.at(off)
}

func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r >= 0x10000 {
			n++
		}
	}
	return n
}
