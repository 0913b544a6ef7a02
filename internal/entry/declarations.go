package entry

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// declaration is an import declaration or an export with a source.
type declaration struct {
	start, end int // the declaration with its semicolon
	specifier  string
	specOff    int
	attributes map[string]string
	typeOnly   bool // import type: erased
}

// header is the generated line with all imports, written token by token.
type header struct {
	text strings.Builder
	col  int // UTF-16 units written
	// from maps columns of the header to offsets in the source.
	from []headerToken
}

type headerToken struct{ col, off int }

func (h *header) write(token string, off int) {
	if h.text.Len() > 0 {
		h.text.WriteByte(' ')
		h.col++
	}
	if off >= 0 {
		h.from = append(h.from, headerToken{h.col + 1, off})
	}
	h.text.WriteString(token)
	h.col += utf16Len(token)
}

// lexeme is a token of an import or export declaration.
type lexeme struct {
	kind       byte // 'i' identifier name, 's' string, 'p' punctuator, 0 end of text
	start, end int
	nl         bool // after a line terminator
}

// lexeme scans one token that can occur in a declaration.
func (s *scanner) lexeme() (lexeme, *fault) {
	s.nl = false
	if f := s.skip(); f != nil {
		return lexeme{}, f
	}
	t := lexeme{start: s.pos, nl: s.nl}
	if s.pos >= len(s.src) {
		t.end = s.pos
		return t, nil
	}
	c := s.src[s.pos]
	switch {
	case classes[c] == cQuote:
		end, f := scanString(s.src, s.pos)
		if f != nil {
			return t, f
		}
		t.kind, t.end = 's', end
	default:
		if classes[c] != cDigit {
			t.end = scanName(s.src, s.pos)
		}
		if t.end > s.pos {
			t.kind = 'i'
			break
		}
		if c < 0x20 || c == 0x7f {
			return t, s.unexpected()
		}
		_, n := utf8.DecodeRuneInString(s.src[s.pos:])
		t.kind, t.end = 'p', s.pos+n
	}
	s.pos = t.end
	return t, nil
}

func (s *scanner) text(t lexeme) string { return s.src[t.start:t.end] }

// expected is the fault for an unsuitable token.
func (s *scanner) expected(what string, t lexeme) *fault {
	if t.kind == 0 {
		return &fault{off: t.start, msg: fmt.Sprintf("expected %s before the end", what)}
	}
	text := s.text(t)
	if len(text) > 40 {
		text = strings.ToValidUTF8(text[:40], "") + "…"
	}
	return &fault{off: t.start, msg: fmt.Sprintf("expected %s but found %s", what, text)}
}

// importWord handles the word import, which starts at off.
func (s *scanner) importWord(f *frame, off int) *fault {
	if s.outline != nil {
		s.noteCall(&s.outline.dynamic, off)
	}
	if len(s.frames) > 1 || !s.atItem(f) {
		s.operand() // import(), import.meta, or an error that the engine reports
		return nil
	}
	back := s.pos
	nl := s.nl
	t, ft := s.lexeme()
	if ft != nil {
		return ft
	}
	if t.kind == 'p' && (s.text(t) == "(" || s.text(t) == ".") {
		s.pos, s.nl = back, nl
		s.separators = dropFrom(s.separators, back)
		s.operand()
		return nil
	}
	d := declParser{s: s, tok: t}
	if ft := d.importDeclaration(off); ft != nil {
		return ft
	}
	s.set(stItem, tOther)
	return nil
}

// dropFrom removes the offsets from off on, which will be scanned again.
func dropFrom(offs []int32, off int) []int32 {
	for len(offs) > 0 && int(offs[len(offs)-1]) >= off {
		offs = offs[:len(offs)-1]
	}
	return offs
}

// exportWord handles the word export, which starts at off.
func (s *scanner) exportWord(f *frame, off int) *fault {
	if len(s.frames) > 1 || !s.atItem(f) {
		s.set(stExpr, tOther)
		return nil
	}
	if !s.module {
		return &fault{off: off, msg: "export is not possible in a program", hint: "return the value instead"}
	}
	back, seps := s.pos, len(s.separators)
	t, ft := s.lexeme()
	if ft != nil {
		return ft
	}
	if t.kind == 'p' && (s.text(t) == "{" || s.text(t) == "*") {
		d := declParser{s: s, tok: t}
		if ft := d.exportDeclaration(off); ft != nil {
			return ft
		}
		s.set(stItem, tOther)
		return nil
	}
	if s.outline != nil {
		s.noteExported(t)
	}
	s.pos, s.separators = back, s.separators[:seps]
	s.set(stItem, tExport)
	return nil
}

// declParser parses one declaration; tok is the current token.
type declParser struct {
	s   *scanner
	tok lexeme
	out []headerPart
}

type headerPart struct {
	text string
	off  int
}

func (d *declParser) advance() *fault {
	t, f := d.s.lexeme()
	d.tok = t
	return f
}

func (d *declParser) is(text string) bool { return d.tok.kind != 's' && d.s.text(d.tok) == text }

func (d *declParser) emit(text string, off int) { d.out = append(d.out, headerPart{text, off}) }

// take emits the current token and goes on.
func (d *declParser) take() *fault {
	d.emit(d.s.text(d.tok), d.tok.start)
	return d.advance()
}

// want takes the token text.
func (d *declParser) want(text string) *fault {
	if !d.is(text) {
		return d.s.expected(strconv.Quote(text), d.tok)
	}
	return d.take()
}

// name takes an identifier.
func (d *declParser) name(what string) *fault {
	if d.tok.kind != 'i' {
		return d.s.expected(what, d.tok)
	}
	return d.take()
}

// moduleName takes an identifier name or a string that names an export.
func (d *declParser) moduleName() *fault {
	if d.tok.kind != 's' {
		return d.name("a name")
	}
	u, f := decodeString(d.s.src, d.tok.start, d.tok.end)
	if f != nil {
		return f
	}
	if !wellFormed(u) {
		return &fault{off: d.tok.start, msg: "the name of an export cannot hold half of a surrogate pair"}
	}
	d.emit(quote(u), d.tok.start)
	return d.advance()
}

func (d *declParser) importDeclaration(off int) *fault {
	s := d.s
	d.emit("import", off)
	typeOnly := false
	if d.tok.kind == 'i' {
		if d.is("defer") || d.is("source") || d.is("type") {
			phase := d.tok
			if f := d.advance(); f != nil {
				return f
			}
			refused, f := d.phase(s.text(phase))
			if f != nil {
				return f
			}
			switch {
			case refused && s.text(phase) != "type":
				return &fault{off: phase.start, msg: fmt.Sprintf("import %s is not supported", s.text(phase)), hint: "use a plain import"}
			case refused && !s.typescript:
				return &fault{off: phase.start, msg: "import type is TypeScript, and this program is JavaScript", hint: "run the program as TypeScript, or remove the import"}
			case refused:
				typeOnly = true
			default:
				d.emit(s.text(phase), phase.start)
			}
		} else if f := d.take(); f != nil {
			return f
		}
	}
	switch {
	case len(d.out) > 1 && d.is("="):
		return &fault{off: off, msg: "import … = … is not possible in a program", hint: `write import … from "…"`}
	case len(d.out) > 1 && !d.is(","):
		// a default import alone
	case len(d.out) == 1 || d.is(","):
		if len(d.out) > 1 {
			if f := d.take(); f != nil {
				return f
			}
			if !d.is("*") && !d.is("{") {
				return s.expected(`"*" or "{"`, d.tok)
			}
		}
		switch {
		case d.is("*"):
			if f := d.take(); f != nil {
				return f
			}
			if f := d.want("as"); f != nil {
				return f
			}
			if f := d.name("a name"); f != nil {
				return f
			}
		case d.is("{"):
			if f := d.namedImports(); f != nil {
				return f
			}
		case d.tok.kind == 's':
			return d.source(off, false, "", typeOnly)
		default:
			return s.expected("a name, \"{\", \"*\" or a specifier in quotes after import", d.tok)
		}
	}
	return d.source(off, true, "", typeOnly)
}

// phase decides, after one of the words defer, source and type, whether it is a
// modifier of the import or the name of a default import. A name that was read on
// the way is emitted.
func (d *declParser) phase(word string) (modifier bool, f *fault) {
	switch {
	case d.tok.kind == 'p':
		switch word {
		case "defer":
			return d.is("*"), nil
		case "type":
			return d.is("*") || d.is("{"), nil
		}
		return false, nil
	case d.tok.kind != 'i':
		return false, nil
	case !d.is("from"):
		if word == "type" {
			return true, d.take()
		}
		return word == "source", nil
	}
	// "import type from" is followed by a specifier, or by another from.
	from, back, seps := d.tok, d.s.pos, len(d.s.separators)
	if f := d.advance(); f != nil {
		return false, f
	}
	if d.is("from") || word == "type" && d.is("=") {
		d.emit("from", from.start)
		return word != "defer", nil
	}
	d.s.pos, d.s.separators = back, d.s.separators[:seps]
	d.tok = from
	return false, nil
}

// namedImports takes the list in braces. Specifiers marked type are left out.
func (d *declParser) namedImports() *fault {
	if f := d.take(); f != nil {
		return f
	}
	for !d.is("}") {
		mark := len(d.out)
		types, f := d.importSpecifier()
		if f != nil {
			return f
		}
		if types && !d.s.typescript {
			return &fault{off: d.out[mark].off, msg: "import type is TypeScript, and this program is JavaScript", hint: "run the program as TypeScript, or remove the import"}
		}
		if types {
			d.out = d.out[:mark]
		}
		if d.is("}") {
			break
		}
		if !d.is(",") {
			return d.s.expected(`"," or "}"`, d.tok)
		}
		if types {
			if f := d.advance(); f != nil {
				return f
			}
		} else if f := d.take(); f != nil {
			return f
		}
	}
	return d.take()
}

// importSpecifier takes one specifier: name, name as name, "string" as name, in
// TypeScript each with type in front.
func (d *declParser) importSpecifier() (typeOnly bool, f *fault) {
	first := d.tok
	isType := d.is("type")
	if f := d.moduleName(); f != nil {
		return false, f
	}
	if isType && d.tok.kind != 'p' && d.tok.kind != 0 {
		// type X, type as, type as as, type as as X, type X as Y, type "s" as X
		if !d.is("as") {
			if f := d.moduleName(); f != nil {
				return false, f
			}
			if d.is("as") {
				if f := d.take(); f != nil {
					return false, f
				}
				return true, d.name("a name")
			}
			return true, nil
		}
		if f := d.take(); f != nil { // as
			return false, f
		}
		if d.tok.kind != 'i' {
			return true, nil // type as
		}
		if !d.is("as") {
			return false, d.take() // type as X
		}
		if f := d.take(); f != nil { // as
			return false, f
		}
		if d.tok.kind != 'i' {
			return false, nil // type as as
		}
		return true, d.take() // type as as X
	}
	if d.is("as") {
		if f := d.take(); f != nil {
			return false, f
		}
		return false, d.name("a name")
	}
	if first.kind == 's' {
		return false, d.s.expected(`"as" after the name in quotes`, d.tok)
	}
	return false, nil
}

// source takes the specifier, after from where there is one, the attributes and the
// end of the declaration, and records it. into is empty for an import.
func (d *declParser) source(off int, from bool, into string, typeOnly bool) *fault {
	s := d.s
	if from {
		if f := d.want("from"); f != nil {
			return f
		}
	}
	if d.tok.kind != 's' {
		return s.expected("a specifier in quotes", d.tok)
	}
	u, f := decodeString(s.src, d.tok.start, d.tok.end)
	if f != nil {
		return f
	}
	decl := declaration{start: off, specifier: string(utf16.Decode(u)), specOff: d.tok.start}
	d.emit(quote(u), d.tok.start)
	end, seps := s.pos, len(s.separators)
	if f := d.advance(); f != nil {
		return f
	}
	if d.is("with") {
		if decl.attributes, f = d.attributes(); f != nil {
			return f
		}
		end, seps = s.pos, len(s.separators)
		if f := d.advance(); f != nil {
			return f
		}
	} else if d.is("assert") && !d.tok.nl {
		return &fault{off: d.tok.start, msg: "import assertions are not part of JavaScript any more", hint: `write with instead of assert`}
	}
	switch {
	case d.is(";"):
		end, seps = s.pos, len(s.separators)
	case d.tok.kind != 0 && !d.tok.nl:
		return s.expected(`";" after the declaration`, d.tok)
	}
	s.pos, s.separators = end, s.separators[:seps]
	decl.end = end
	if into == "" && !typeOnly {
		for _, p := range d.out {
			s.header.write(p.text, p.off)
		}
		s.header.text.WriteByte(';')
		s.header.col++
	}
	decl.typeOnly = typeOnly
	s.imports = append(s.imports, decl)
	return nil
}

// attributes takes with { type: "json" }. The closing brace stays the current token.
func (d *declParser) attributes() (map[string]string, *fault) {
	attrs := map[string]string{}
	if f := d.take(); f != nil {
		return nil, f
	}
	if f := d.want("{"); f != nil {
		return nil, f
	}
	for !d.is("}") {
		if d.tok.kind != 'i' && d.tok.kind != 's' {
			return nil, d.s.expected("the name of an attribute", d.tok)
		}
		key, f := d.attributeText()
		if f != nil {
			return nil, f
		}
		if f := d.want(":"); f != nil {
			return nil, f
		}
		if d.tok.kind != 's' {
			return nil, d.s.expected("a value in quotes", d.tok)
		}
		value, f := d.attributeText()
		if f != nil {
			return nil, f
		}
		attrs[key] = value
		if d.is("}") {
			break
		}
		if f := d.want(","); f != nil {
			return nil, f
		}
	}
	d.emit("}", d.tok.start)
	return attrs, nil
}

func (d *declParser) attributeText() (string, *fault) {
	if d.tok.kind == 'i' {
		text := d.s.text(d.tok)
		return text, d.take()
	}
	u, f := decodeString(d.s.src, d.tok.start, d.tok.end)
	if f != nil {
		return "", f
	}
	d.emit(quote(u), d.tok.start)
	return string(utf16.Decode(u)), d.advance()
}

// exportDeclaration takes export {…} and export *, with or without a source.
func (d *declParser) exportDeclaration(off int) *fault {
	s := d.s
	if d.is("*") {
		if f := d.take(); f != nil {
			return f
		}
		if d.is("as") {
			if f := d.take(); f != nil {
				return f
			}
			if s.outline != nil {
				s.outline.export(d.exportedName())
			}
			if f := d.moduleName(); f != nil {
				return f
			}
		} else if s.outline != nil {
			s.outline.partial = true
		}
		return d.source(off, true, "export", false)
	}
	if f := d.take(); f != nil {
		return f
	}
	for !d.is("}") {
		name := d.exportedName()
		if f := d.moduleName(); f != nil {
			return f
		}
		if d.is("as") {
			if f := d.take(); f != nil {
				return f
			}
			name = d.exportedName()
			if f := d.moduleName(); f != nil {
				return f
			}
		}
		if s.outline != nil {
			s.outline.export(name)
		}
		if d.is("}") {
			break
		}
		if f := d.want(","); f != nil {
			return f
		}
	}
	end, seps := s.pos, len(s.separators)
	if f := d.advance(); f != nil {
		return f
	}
	if d.is("from") {
		return d.source(off, true, "export", false)
	}
	if d.tok.kind != 0 && !d.tok.nl && !d.is(";") {
		return s.expected(`";" or from after the list`, d.tok)
	}
	s.pos, s.separators = end, s.separators[:seps]
	return nil
}

// decodeString is the value of the string literal at src[start:end], in UTF-16.
func decodeString(src string, start, end int) ([]uint16, *fault) {
	out := make([]uint16, 0, end-start-2)
	i := start + 1
	end--
	for i < end {
		if src[i] != '\\' {
			r, n := utf8.DecodeRuneInString(src[i:])
			out = utf16.AppendRune(out, r)
			i += n
			continue
		}
		at := i
		i++
		r, n := utf8.DecodeRuneInString(src[i:])
		i += n
		switch r {
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'v':
			out = append(out, '\v')
		case '\n', 0x2028, 0x2029:
		case '\r':
			if src[i] == '\n' {
				i++
			}
		case 'x':
			v, ok := hex(src, i, i+2, end)
			if !ok {
				return nil, &fault{off: at, msg: "\\x needs two hexadecimal digits"}
			}
			out = append(out, uint16(v))
			i += 2
		case 'u':
			if src[i] == '{' {
				j := strings.IndexByte(src[i:end], '}')
				v, ok := uint32(0), false
				if j > 1 {
					v, ok = hex(src, i+1, i+j, end)
				}
				if !ok || v > utf8.MaxRune {
					return nil, &fault{off: at, msg: "\\u{…} needs the hexadecimal number of a character up to 10FFFF"}
				}
				if v >= 0x10000 {
					out = utf16.AppendRune(out, rune(v))
				} else {
					out = append(out, uint16(v))
				}
				i += j + 1
				break
			}
			v, ok := hex(src, i, i+4, end)
			if !ok {
				return nil, &fault{off: at, msg: "\\u needs four hexadecimal digits"}
			}
			out = append(out, uint16(v))
			i += 4
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			if r != '0' || classes[src[i]] == cDigit {
				return nil, &fault{off: at, msg: "octal escapes are not possible in a module"}
			}
			out = append(out, 0)
		default:
			out = utf16.AppendRune(out, r)
		}
	}
	return out, nil
}

// hex reads src[i:j] as a hexadecimal number that ends before end.
func hex(src string, i, j, end int) (uint32, bool) {
	if j > end {
		return 0, false
	}
	var v uint32
	for ; i < j; i++ {
		c := src[i]
		if !isHex(c) {
			return 0, false
		}
		d := uint32(c - '0')
		if c > '9' {
			d = uint32(c|0x20-'a') + 10
		}
		if v = v<<4 | d; v > utf8.MaxRune {
			return 0, false
		}
	}
	return v, true
}

func wellFormed(u []uint16) bool {
	for i := 0; i < len(u); i++ {
		switch {
		case u[i] >= 0xd800 && u[i] < 0xdc00:
			if i+1 == len(u) || u[i+1] < 0xdc00 || u[i+1] > 0xdfff {
				return false
			}
			i++
		case u[i] >= 0xdc00 && u[i] <= 0xdfff:
			return false
		}
	}
	return true
}

// quote writes u as a string literal on one line.
func quote(u []uint16) string {
	var b strings.Builder
	b.Grow(len(u) + 2)
	b.WriteByte('"')
	for i := 0; i < len(u); i++ {
		c := u[i]
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(byte(c))
		case c < 0x20 || c == 0x7f || c == 0x2028 || c == 0x2029:
			fmt.Fprintf(&b, "\\u%04x", c)
		case c >= 0xd800 && c < 0xdc00 && i+1 < len(u) && u[i+1] >= 0xdc00 && u[i+1] <= 0xdfff:
			b.WriteRune(utf16.DecodeRune(rune(c), rune(u[i+1])))
			i++
		case c >= 0xd800 && c <= 0xdfff:
			fmt.Fprintf(&b, "\\u%04x", c)
		default:
			b.WriteRune(rune(c))
		}
	}
	b.WriteByte('"')
	return b.String()
}
