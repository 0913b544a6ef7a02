package xml

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A node is an element, a processing instruction or a text. Nodes refer to each other by
// their place in parser.nodes, where 0 is the document: as a first child or a next sibling
// it means none.
type node struct {
	text string
	name int32 // of an element, an index of parser.names; isText for a text
	// The children are first, its next and so on.
	first, last, next int32
	// attrs of parser.attrs, from attr on.
	attr, attrs int32
	// same is the next sibling of the same name, and count how many there are from the first
	// of them on; both are made when the parent is emitted.
	same, count int32
}

const isText = -1

type attribute struct {
	name  int32
	value string
}

// A parser makes the tree of a document.
type parser struct {
	ctx        context.Context
	attributes bool // whether they count
	html       bool // whether numeric references and entities of HTML count
	trim       bool // whether white space at the ends of texts and attributes is dropped
	dropPrefix bool // whether prefixes of namespaces are dropped
	strict     bool // whether there must be one root alone

	text  string
	pos   int
	nodes []node
	attrs []attribute
	names []string
	index map[string]int32

	open     []int32 // the elements around the current position; 0 is the document
	starts   []int   // where their tags begin
	closed   bool    // whether a root with an end tag has been
	roots    int
	pending  string // text since the last markup
	more     []byte // pending, if a comment has been in it
	entities map[string]string
	doctype  bool
	expanded int

	tagNames []string        // the attributes of the current tag, as they are written
	tagSet   map[string]bool // the same, if they are many
}

// A syntaxError is what is wrong at a place.
type syntaxError struct {
	message   string
	line, col int
}

func (e *syntaxError) Error() string {
	return fmt.Sprintf("%s (line %d, column %d)", e.message, e.line, e.col)
}

// fail is the error for what stands at pos.
func (p *parser) fail(pos int, format string, args ...any) error {
	line, col := p.place(pos)
	return &syntaxError{fmt.Sprintf(format, args...), line, col}
}

// place is the line of a position and its column in UTF-16 units, both from 1 on.
func (p *parser) place(pos int) (line, col int) {
	before := p.text[:min(pos, len(p.text))]
	line = 1 + strings.Count(before, "\n")
	col = 1
	for _, r := range before[strings.LastIndexByte(before, '\n')+1:] {
		col++
		if r > 0xffff {
			col++
		}
	}
	return line, col
}

// document reads a whole document.
func (p *parser) document(text string) error {
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	p.text = text
	p.nodes = append(make([]node, 0, len(text)/32+16), node{})
	p.index = make(map[string]int32)
	p.open = append(p.open, 0)
	p.starts = append(p.starts, 0)
	for steps := 0; p.pos < len(text); steps++ {
		if steps%4096 == 0 && p.ctx.Err() != nil {
			return p.ctx.Err()
		}
		if err := p.step(); err != nil {
			return err
		}
		if len(p.nodes) > maxNodes {
			return fmt.Errorf("the document has more than %d elements and texts", maxNodes)
		}
	}
	switch {
	case len(p.open) > 1:
		at := p.nodes[p.open[len(p.open)-1]]
		return p.fail(p.starts[len(p.starts)-1], "unclosed tag '%s'", short(p.names[at.name]))
	case p.roots == 0:
		return errors.New("start tag expected")
	case p.strict && p.roots > 1:
		return errors.New("more than one root element")
	}
	return nil
}

// step reads the text up to the next markup, and that.
func (p *parser) step() error {
	rest := p.text[p.pos:]
	i := strings.IndexByte(rest, '<')
	if i != 0 {
		if i < 0 {
			i = len(rest)
		}
		if err := p.addText(rest[:i]); err != nil {
			return err
		}
		p.pos += i
		return nil
	}
	switch {
	case strings.HasPrefix(rest, "</"):
		return p.endTag()
	case strings.HasPrefix(rest, "<!--"):
		end := strings.Index(rest[4:], "-->")
		if end < 0 {
			return p.fail(p.pos, "comment is not closed")
		}
		p.pos += 4 + end + 3
		return nil
	case strings.HasPrefix(rest, "<![CDATA["):
		end := strings.Index(rest, "]]>")
		if end < 0 {
			return p.fail(p.pos, "CDATA is not closed")
		}
		if len(p.open) == 1 {
			return p.fail(p.pos, "CDATA is not expected outside of elements")
		}
		if err := p.endText(); err != nil {
			return err
		}
		p.addTextNode(rest[9:end])
		p.pos += end + 3
		return nil
	case strings.HasPrefix(rest, "<!DOCTYPE"):
		if len(p.nodes) > 1 && p.roots > 0 || len(p.open) > 1 {
			return p.fail(p.pos, "DOCTYPE is not expected behind the start of an element")
		}
		if p.doctype {
			return p.fail(p.pos, "multiple DOCTYPE declarations found")
		}
		p.doctype = true
		return p.doctypeDecl()
	case strings.HasPrefix(rest, "<?"):
		return p.instruction()
	case strings.HasPrefix(rest, "<!"):
		return p.fail(p.pos, "'<!' is not expected")
	}
	return p.startTag()
}

// addText takes text between markup.
func (p *parser) addText(s string) error {
	if len(p.open) == 1 {
		// Text behind an empty root is dropped, as it always was, unless strict.
		if i := strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf || !isSpace(byte(r)) }); i >= 0 && (p.closed || p.roots == 0 || p.strict) {
			if p.roots > 0 {
				return p.fail(p.pos+i, "extra text at the end")
			}
			r, _ := utf8.DecodeRuneInString(s[i:])
			return p.fail(p.pos+i, "char '%c' is not expected", r)
		}
		return nil
	}
	for i := 0; ; {
		j := strings.IndexByte(s[i:], '&')
		if j < 0 {
			break
		}
		i += j
		n := referenceLength(s[i:])
		if n == 0 {
			return p.fail(p.pos+i, "char '&' is not expected")
		}
		i += n
	}
	switch {
	case p.pending == "" && len(p.more) == 0:
		p.pending = s
	default:
		if len(p.more) == 0 {
			p.more = append(p.more, p.pending...)
		}
		p.more = append(p.more, s...)
	}
	return nil
}

// referenceLength is the length of the reference to an entity or character at the start of
// s, or 0.
func referenceLength(s string) int {
	i := 1
	if strings.HasPrefix(s, "&#") {
		i = 2
		hex := strings.HasPrefix(s[i:], "x")
		if hex {
			i++
		}
		for i < len(s) && ('0' <= s[i] && s[i] <= '9' || hex && 'a' <= s[i]|0x20 && s[i]|0x20 <= 'f') {
			i++
		}
	} else {
		// Digits may begin a name here, as they always could.
		for i < len(s) && '0' <= s[i] && s[i] <= '9' {
			i++
		}
		n := nameLength(s[i:])
		if i += n; i == 1 {
			return 0
		}
	}
	if i == len(s) || s[i] != ';' {
		return 0
	}
	return i + 1
}

// endText makes a node of the text since the last markup.
func (p *parser) endText() error {
	s := p.pending
	if len(p.more) > 0 {
		s = string(p.more)
		p.more = p.more[:0]
	}
	p.pending = ""
	if s == "" {
		return nil
	}
	if p.trim {
		s = trimSpace(s)
	}
	s, err := p.expand(s)
	if err != nil {
		return err
	}
	p.addTextNode(s)
	return nil
}

func (p *parser) addTextNode(s string) {
	if s != "" {
		p.addNode(node{name: isText, text: s})
	}
}

// addNode makes a node the last child of the current element.
func (p *parser) addNode(n node) int32 {
	i := int32(len(p.nodes))
	p.nodes = append(p.nodes, n)
	parent := &p.nodes[p.open[len(p.open)-1]]
	if parent.first == 0 {
		parent.first = i
	} else {
		p.nodes[parent.last].next = i
	}
	parent.last = i
	return i
}

// trimSpace is String.prototype.trim.
func trimSpace(s string) string {
	if s[0] > ' ' && s[0] < utf8.RuneSelf && s[len(s)-1] > ' ' && s[len(s)-1] < utf8.RuneSelf {
		return s
	}
	return strings.TrimFunc(s, func(r rune) bool { return r == '\ufeff' || r != '\u0085' && unicode.IsSpace(r) })
}

// name is the number of a name. Names that methods of every object have get "__" in front.
func (p *parser) name(s string) int32 {
	i, ok := p.index[s]
	if !ok {
		i = int32(len(p.names))
		p.names = append(p.names, s)
		p.index[s] = i
	}
	return i
}

// elementName is the number of the name of an element.
func (p *parser) elementName(s string, at int) (int32, error) {
	if i, ok := p.index[s]; ok {
		return i, nil
	}
	key := s
	if p.dropPrefix {
		key = withoutPrefix(s)
	}
	switch key {
	case "__proto__", "constructor", "prototype":
		return 0, p.fail(at, "the element name '%s' is reserved", s)
	case "hasOwnProperty", "toString", "valueOf", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__":
		key = "__" + key
	}
	i := p.name(key)
	p.index[s] = i
	return i, nil
}

// withoutPrefix is a name without the prefix of its namespace.
func withoutPrefix(s string) string {
	if _, local, ok := strings.Cut(s, ":"); ok && local != "" {
		return local
	}
	return s
}

func (p *parser) endTag() error {
	start := p.pos
	end := strings.IndexByte(p.text[start:], '>')
	if end < 0 {
		return p.fail(start, "closing tag doesn't have proper closing")
	}
	name := strings.TrimRight(p.text[start+2:start+end], " \t\n")
	if n := nameLength(name); n == 0 || n < len(name) {
		return p.fail(start, "tag '%s' is an invalid name", short(name))
	}
	if len(p.open) == 1 {
		return p.fail(start, "closing tag '%s' has not been opened", short(name))
	}
	at := p.starts[len(p.starts)-1]
	if opened := p.text[at+1:]; !strings.HasPrefix(opened, name) || nameLength(opened) != len(name) {
		line, col := p.place(at)
		return p.fail(start, "expected closing tag '%s' (opened in line %d, col %d) instead of closing tag '%s'", short(opened[:nameLength(opened)]), line, col, short(name))
	}
	if err := p.endText(); err != nil {
		return err
	}
	p.open = p.open[:len(p.open)-1]
	p.starts = p.starts[:len(p.starts)-1]
	p.closed = p.closed || len(p.open) == 1
	p.pos = start + end + 1
	return nil
}

// short is a name for an error.
func short(s string) string {
	const most = 100
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

func (p *parser) startTag() error {
	start := p.pos
	if err := p.endText(); err != nil {
		return err
	}
	i := start + 1
	n := nameLength(p.text[i:])
	end := i + n
	if n == 0 || end < len(p.text) && !isSpace(p.text[end]) && p.text[end] != '>' && p.text[end] != '/' {
		if i == len(p.text) || isSpace(p.text[i]) {
			return p.fail(i, "invalid space after '<'")
		}
		bad := p.text[i:]
		if j := strings.IndexAny(bad, "> \t\n"); j >= 0 {
			bad = bad[:j]
		}
		return p.fail(start, "tag '%s' is an invalid name", short(bad))
	}
	tag := p.text[i:end]
	name, err := p.elementName(tag, start)
	if err != nil {
		return err
	}
	e := node{name: name, attr: int32(len(p.attrs))}
	i, err = p.attributeList(tag, end)
	if err != nil {
		return err
	}
	e.attrs = int32(len(p.attrs)) - e.attr
	empty := p.text[i] == '/'
	if empty {
		i++
	}
	if !empty && p.closed && len(p.open) == 1 {
		return p.fail(start, "multiple possible root nodes found")
	}
	if len(p.open) > maxDepth {
		return p.fail(start, "elements are nested deeper than %d levels", maxDepth)
	}
	if len(p.open) == 1 {
		p.roots++
	}
	at := p.addNode(e)
	if !empty {
		p.open = append(p.open, at)
		p.starts = append(p.starts, start)
	}
	p.pos = i + 1
	return nil
}

// attributeList reads the attributes of a tag and returns the position of what ends it, of
// "/>" or ">".
func (p *parser) attributeList(tag string, i int) (int, error) {
	text := p.text
	first := len(p.attrs)
	p.tagNames = p.tagNames[:0]
	begin := i
	for {
		gap := i
		for i < len(text) && isSpace(text[i]) {
			i++
		}
		switch {
		case i == len(text):
			return 0, p.fail(begin, "tag '%s' is not closed", short(tag))
		case text[i] == '>':
			return i, nil
		case text[i] == '/' && strings.HasPrefix(text[i:], "/>"):
			return i, nil
		}
		n := nameLength(text[i:])
		name := text[i : i+n]
		if n == 0 {
			r, _ := utf8.DecodeRuneInString(text[i:])
			return 0, p.fail(i, "attribute '%c' is an invalid name", r)
		}
		if gap == i {
			return 0, p.fail(i, "attribute '%s' has no space in starting", short(name))
		}
		at := i
		i += n
		for i < len(text) && isSpace(text[i]) {
			i++
		}
		if i == len(text) || text[i] != '=' {
			if i < len(text) && i == at+n && text[i] != '>' && text[i] != '/' {
				return 0, p.fail(at, "attribute '%s' is an invalid name", short(text[at:i+1]))
			}
			return 0, p.fail(at, "boolean attribute '%s' is not allowed", short(name))
		}
		i++
		for i < len(text) && isSpace(text[i]) {
			i++
		}
		if i == len(text) || text[i] != '"' && text[i] != '\'' {
			return 0, p.fail(at, "attribute '%s' is without value", short(name))
		}
		length := strings.IndexByte(text[i+1:], text[i])
		if length < 0 {
			return 0, p.fail(at, "attributes for '%s' have open quote", short(tag))
		}
		value := text[i+1 : i+1+length]
		i += length + 2
		if len(p.tagNames) == maxAttributes {
			return 0, p.fail(at, "element '%s' has more than %d attributes", short(tag), maxAttributes)
		}
		if p.repeated(name) {
			return 0, p.fail(at, "attribute '%s' is repeated", short(name))
		}
		if err := p.addAttribute(first, name, value, false); err != nil {
			return 0, err
		}
	}
}

// repeated reports whether the tag has had an attribute of the name, and notes it.
func (p *parser) repeated(name string) bool {
	const few = 16 // that are compared one by one
	if len(p.tagNames) == few {
		p.tagSet = make(map[string]bool, 2*few)
		for _, n := range p.tagNames {
			p.tagSet[n] = true
		}
	}
	if len(p.tagNames) >= few {
		if p.tagSet[name] {
			return true
		}
		p.tagSet[name] = true
	} else if slices.Contains(p.tagNames, name) {
		return true
	}
	p.tagNames = append(p.tagNames, name)
	return false
}

// prefix is what keys of attributes begin with.
const prefix = "@_"

// addAttribute keeps an attribute. With replace it takes the place of one of its name.
func (p *parser) addAttribute(first int, name, value string, replace bool) error {
	if !p.attributes {
		return nil
	}
	if p.dropPrefix {
		if name == "xmlns" || strings.HasPrefix(name, "xmlns:") {
			return nil
		}
		if local := withoutPrefix(name); local != name {
			name, replace = local, true
		}
	}
	if p.trim && value != "" {
		value = trimSpace(value)
	}
	value, err := p.expand(value)
	if err != nil {
		return err
	}
	key, ok := p.index[prefix+name]
	if !ok {
		key = p.name(prefix + name)
	}
	if replace {
		for i := first; i < len(p.attrs); i++ {
			if p.attrs[i].name == key {
				p.attrs[i].value = value
				return nil
			}
		}
	}
	p.attrs = append(p.attrs, attribute{key, value})
	return nil
}

// instruction reads a processing instruction, of which what looks like attributes is kept.
func (p *parser) instruction() error {
	start := p.pos
	length := strings.Index(p.text[start+2:], "?>")
	if length < 0 {
		return p.fail(start, "processing instruction is not closed")
	}
	body := p.text[start+2 : start+2+length]
	n := nameLength(body)
	if n == 0 || n < len(body) && !isSpace(body[n]) {
		return p.fail(start, "processing instruction without a name")
	}
	if body[:n] == "xml" && start > 0 {
		return p.fail(start, "XML declaration allowed only at the start of the document")
	}
	if err := p.endText(); err != nil {
		return err
	}
	e := node{name: p.name("?" + body[:n]), attr: int32(len(p.attrs))}
	for rest := body[n:]; rest != ""; {
		rest = strings.TrimLeft(rest, " \t\n=")
		n := strings.IndexAny(rest, " \t\n=")
		if n <= 0 {
			break
		}
		name := rest[:n]
		rest = strings.TrimLeft(rest[n:], " \t\n")
		if rest == "" || rest[0] != '=' {
			continue
		}
		rest = strings.TrimLeft(rest[1:], " \t\n")
		if rest == "" || rest[0] != '"' && rest[0] != '\'' {
			continue
		}
		end := strings.IndexByte(rest[1:], rest[0])
		if end < 0 {
			continue
		}
		if len(p.attrs)-int(e.attr) >= 100 { // each is compared with the others
			return p.fail(start, "processing instruction with more than 100 attributes")
		}
		if err := p.addAttribute(int(e.attr), name, rest[1:1+end], true); err != nil {
			return err
		}
		rest = rest[end+2:]
	}
	e.attrs = int32(len(p.attrs)) - e.attr
	p.addNode(e)
	p.pos = start + length + 4
	return nil
}
