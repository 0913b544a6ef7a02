package html

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Selectors are those of Selectors Level 4 (https://www.w3.org/TR/selectors-4/) that make
// sense for a page at rest, with the additions of the css-select dialect.

// A selectorList matches what one of its selectors matches.
type selectorList []complexSelector

// A complexSelector is a chain of compounds. Before each but the first stands a combinator;
// before the first too, where the selector is relative.
type complexSelector struct {
	compounds   []compound
	combinators []byte // ' ', '>', '+' or '~'
	picks       []pick // positions among all matches, as in "p:first"
}

// A compound is a test of one element.
type compound struct {
	tag     string // "" for any
	classes []string
	attrs   []attrTest
	pseudos []*pseudo
}

type attrTest struct {
	name, value string
	op          byte // 0 for presence, '=', '!' and the first characters of ~= |= ^= $= *=
	fold        bool // whether case is ignored
}

// A pseudo is a pseudo-class with its argument.
type pseudo struct {
	name string
	list selectorList
	text string
	a, b int
	// matches are the elements of a document that a list or text matches, made before the
	// compound is evaluated.
	matches []bool
}

// A pick takes some of the matches by their position.
type pick struct {
	name string
	n    int
}

// selectorParser parses a selector.
type selectorParser struct {
	s         string
	pos       int
	compounds int
	depth     int
}

func parseSelector(s string) (selectorList, error) {
	if len(s) > maxSelector {
		return nil, fmt.Errorf("it has %d bytes, more than %d", len(s), maxSelector)
	}
	p := &selectorParser{s: s}
	list, err := p.list(false)
	if err != nil {
		return nil, err
	}
	if p.pos < len(s) {
		return nil, fmt.Errorf("%q is not expected at its end", p.rest())
	}
	return list, nil
}

func (p *selectorParser) rest() string { return short(p.s[p.pos:]) }

// space skips white space and comments, and reports whether there was any.
func (p *selectorParser) space() bool {
	start := p.pos
	for p.pos < len(p.s) {
		if c := p.s[p.pos]; c == ' ' || '\t' <= c && c <= '\r' {
			p.pos++
			continue
		}
		if strings.HasPrefix(p.s[p.pos:], "/*") {
			if end := strings.Index(p.s[p.pos+2:], "*/"); end >= 0 {
				p.pos += end + 4
				continue
			}
		}
		break
	}
	return p.pos > start
}

func (p *selectorParser) peek() byte {
	if p.pos < len(p.s) {
		return p.s[p.pos]
	}
	return 0
}

// list parses selectors with commas between them, up to the end or a closing bracket.
func (p *selectorParser) list(relative bool) (selectorList, error) {
	if p.depth++; p.depth > 10 {
		return nil, errors.New("pseudo-classes are nested deeper than 10 levels")
	}
	defer func() { p.depth-- }()
	var list selectorList
	for {
		s, err := p.complex(relative)
		if err != nil {
			return nil, err
		}
		if p.depth > 1 && len(s.picks) > 0 {
			return nil, fmt.Errorf(":%s is not supported inside of another pseudo-class", s.picks[0].name)
		}
		list = append(list, s)
		if p.peek() != ',' {
			return list, nil
		}
		p.pos++
	}
}

func (p *selectorParser) complex(relative bool) (s complexSelector, err error) {
	p.space()
	combinator := byte(' ')
	if c := p.peek(); c == '>' || c == '+' || c == '~' {
		if !relative {
			return s, fmt.Errorf("it begins with %q", c)
		}
		combinator = c
		p.pos++
		p.space()
	}
	for {
		c, picks, err := p.compound()
		if err != nil {
			return s, err
		}
		if p.compounds++; p.compounds > maxCompounds {
			return s, fmt.Errorf("it has more than %d parts", maxCompounds)
		}
		s.compounds = append(s.compounds, c)
		s.combinators = append(s.combinators, combinator)
		s.picks = picks
		combinator = 0
		if p.space() {
			combinator = ' '
		}
		switch c := p.peek(); c {
		case 0, ',', ')':
			return s, nil
		case '>', '+', '~':
			combinator = c
			p.pos++
			p.space()
		case '<', '|':
			return s, fmt.Errorf("the combinator %q is not supported", c)
		}
		if combinator == 0 {
			return s, fmt.Errorf("%q is not expected", p.rest())
		}
		if len(picks) > 0 {
			return s, fmt.Errorf(":%s is supported at the end of a selector only", picks[0].name)
		}
	}
}

func (p *selectorParser) compound() (c compound, picks []pick, err error) {
	start := p.pos
	if p.peek() == '*' {
		p.pos++
	} else if name, ok := p.ident(); ok {
		c.tag = lower(name)
	}
	if p.peek() == '|' && !strings.HasPrefix(p.s[p.pos:], "||") {
		return c, nil, errors.New("namespaces are not supported")
	}
	for {
		switch p.peek() {
		case '#':
			p.pos++
			name, ok := p.name()
			if !ok {
				return c, nil, errors.New("a class is missing behind a point")
			}
			c.attrs = append(c.attrs, attrTest{name: "id", op: '=', value: name})
		case '.':
			p.pos++
			name, ok := p.ident()
			if !ok {
				return c, nil, errors.New("a class is missing behind a point")
			}
			c.classes = append(c.classes, name)
		case '[':
			a, err := p.attr()
			if err != nil {
				return c, nil, err
			}
			c.attrs = append(c.attrs, a)
		case ':':
			if strings.HasPrefix(p.s[p.pos:], "::") {
				return c, nil, errors.New("pseudo-elements are not supported")
			}
			p.pos++
			f, at, err := p.pseudo()
			if err != nil {
				return c, nil, err
			}
			if at.name != "" {
				picks = append(picks, at)
			} else {
				c.pseudos = append(c.pseudos, f)
			}
		default:
			if p.pos == start {
				if p.pos == len(p.s) {
					return c, nil, errors.New("a selector is missing at its end")
				}
				return c, nil, fmt.Errorf("a selector is missing before %q", p.rest())
			}
			return c, picks, nil
		}
	}
}

// ident parses an identifier of CSS.
func (p *selectorParser) ident() (string, bool) {
	i := p.pos
	for i < len(p.s) && p.s[i] == '-' {
		i++
	}
	if i < len(p.s) && '0' <= p.s[i] && p.s[i] <= '9' || i == len(p.s) {
		return "", false
	}
	return p.name()
}

// name parses a name of CSS, with escapes.
func (p *selectorParser) name() (string, bool) {
	var b strings.Builder
	start := p.pos
	for p.pos < len(p.s) {
		c := p.s[p.pos]
		switch {
		case c == '\\' && p.pos+1 < len(p.s):
			p.pos++
			b.WriteString(p.escape())
			continue
		case c == '-' || c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= utf8.RuneSelf:
			b.WriteByte(c)
			p.pos++
			continue
		}
		break
	}
	return b.String(), p.pos > start
}

// escape parses what follows a backslash.
func (p *selectorParser) escape() string {
	end := p.pos
	for end < len(p.s) && end < p.pos+6 && isHex(p.s[end]) {
		end++
	}
	if end == p.pos {
		_, size := utf8.DecodeRuneInString(p.s[p.pos:])
		p.pos += size
		return p.s[p.pos-size : p.pos]
	}
	n, _ := strconv.ParseUint(p.s[p.pos:end], 16, 32)
	p.pos = end
	if c := p.peek(); c == ' ' || '\t' <= c && c <= '\r' {
		p.pos++
	}
	if n == 0 || n > utf8.MaxRune || 0xd800 <= n && n < 0xe000 {
		n = utf8.RuneError
	}
	return string(rune(n))
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

// quoted parses a string in quotes.
func (p *selectorParser) quoted() (string, error) {
	q := p.s[p.pos]
	var b strings.Builder
	for p.pos++; p.pos < len(p.s); {
		switch c := p.s[p.pos]; {
		case c == q:
			p.pos++
			return b.String(), nil
		case c == '\\' && p.pos+1 < len(p.s):
			p.pos++
			b.WriteString(p.escape())
		default:
			b.WriteByte(c)
			p.pos++
		}
	}
	return "", errors.New("a quote is not closed")
}

// foldedAttrs are attributes of HTML whose values are compared without regard to case (HTML
// Standard, "case-sensitivity of selectors").
var foldedAttrs = map[string]bool{}

func init() {
	for name := range strings.FieldsSeq("accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare " +
		"defer dir direction disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref noresize noshade " +
		"nowrap readonly rel rev rules scope scrolling selected shape target text type valign valuetype vlink") {
		foldedAttrs[name] = true
	}
}

// attr parses a test of an attribute.
func (p *selectorParser) attr() (a attrTest, err error) {
	p.pos++
	p.space()
	name, ok := p.ident()
	if !ok {
		return a, errors.New("the name of an attribute is missing behind [")
	}
	if p.peek() == '|' && !strings.HasPrefix(p.s[p.pos:], "|=") {
		return a, errors.New("namespaces are not supported")
	}
	a.name = lower(name)
	a.fold = foldedAttrs[a.name]
	p.space()
	switch c := p.peek(); c {
	case ']':
		p.pos++
		return a, nil
	case '=':
		a.op = c
		p.pos++
	case '~', '|', '^', '$', '*', '!':
		if !strings.HasPrefix(p.s[p.pos+1:], "=") {
			return a, fmt.Errorf("%q is not expected in the test of an attribute", p.rest())
		}
		a.op = c
		p.pos += 2
	default:
		return a, errors.New("the test of an attribute is not closed")
	}
	p.space()
	if c := p.peek(); c == '"' || c == '\'' {
		if a.value, err = p.quoted(); err != nil {
			return a, err
		}
	} else if a.value, ok = p.name(); !ok {
		return a, errors.New("the value of an attribute is missing")
	}
	p.space()
	switch p.peek() {
	case 'i', 'I':
		a.fold = true
		p.pos++
	case 's', 'S':
		a.fold = false
		p.pos++
	}
	p.space()
	if p.peek() != ']' {
		return a, errors.New("the test of an attribute is not closed")
	}
	p.pos++
	return a, nil
}

// plainPseudos take no argument.
var plainPseudos = map[string]bool{"first-child": true, "last-child": true, "only-child": true, "first-of-type": true, "last-of-type": true,
	"only-of-type": true, "root": true, "scope": true, "empty": true, "parent": true, "header": true, "button": true, "checkbox": true, "file": true,
	"image": true, "input": true, "password": true, "radio": true, "reset": true, "selected": true, "submit": true, "text": true, "checked": true,
	"disabled": true, "enabled": true, "required": true, "optional": true, "link": true, "any-link": true,
	// These never match: nobody looks at the page.
	"hover": true, "visited": true, "active": true}

// pseudo parses a pseudo-class behind its colon, or a position.
func (p *selectorParser) pseudo() (*pseudo, pick, error) {
	name, ok := p.ident()
	if !ok {
		return nil, pick{}, errors.New("a class is missing behind a point")
	}
	f := &pseudo{name: lower(name)}
	hasArg := p.peek() == '('
	switch f.name {
	case "first", "last", "even", "odd":
		if !hasArg {
			return nil, pick{name: f.name}, nil
		}
	case "eq", "nth", "lt", "gt":
		arg, err := p.argument(f.name)
		if err != nil {
			return nil, pick{}, err
		}
		n, err := strconv.Atoi(trimSpace(arg))
		if err != nil {
			return nil, pick{}, fmt.Errorf("the argument %q of :%s is no integer", short(arg), f.name)
		}
		return nil, pick{f.name, n}, nil
	case "not", "is", "where", "matches", "has":
		if !hasArg {
			return nil, pick{}, fmt.Errorf(":%s has no argument", f.name)
		}
		p.pos++
		list, err := p.list(f.name == "has")
		if err != nil {
			return nil, pick{}, fmt.Errorf("in :%s: %w", f.name, err)
		}
		if p.peek() != ')' {
			return nil, pick{}, fmt.Errorf(":%s is not closed", f.name)
		}
		p.pos++
		f.list = list
		return f, pick{}, nil
	case "contains", "icontains":
		arg, err := p.argument(f.name)
		if err != nil {
			return nil, pick{}, err
		}
		f.text = trimSpace(arg)
		if n := len(f.text); n > 1 && (f.text[0] == '"' || f.text[0] == '\'') && f.text[0] == f.text[n-1] {
			q := &selectorParser{s: f.text}
			if f.text, err = q.quoted(); err != nil {
				return nil, pick{}, err
			}
		}
		return f, pick{}, nil
	case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
		arg, err := p.argument(f.name)
		if err != nil {
			return nil, pick{}, err
		}
		if f.a, f.b, ok = parseNth(arg); !ok {
			return nil, pick{}, fmt.Errorf("the argument %q of :%s is not understood", short(arg), f.name)
		}
		return f, pick{}, nil
	}
	if !plainPseudos[f.name] {
		return nil, pick{}, fmt.Errorf("the pseudo-class :%s is not supported", short(f.name))
	}
	if hasArg {
		return nil, pick{}, fmt.Errorf(":%s takes no argument", f.name)
	}
	return f, pick{}, nil
}

// argument takes the text up to the closing bracket.
func (p *selectorParser) argument(name string) (string, error) {
	if p.peek() != '(' {
		return "", fmt.Errorf(":%s has no argument", name)
	}
	start := p.pos + 1
	depth := 0
	for ; p.pos < len(p.s); p.pos++ {
		switch p.s[p.pos] {
		case '"', '\'':
			if _, err := p.quoted(); err != nil {
				return "", err
			}
			p.pos--
		case '\\':
			p.pos++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				p.pos++
				return p.s[start : p.pos-1], nil
			}
		}
	}
	p.pos = len(p.s)
	return "", fmt.Errorf(":%s is not closed", name)
}

// parseNth parses an+b.
func parseNth(s string) (a, b int, ok bool) {
	s = lower(trimSpace(s))
	switch s {
	case "odd":
		return 2, 1, true
	case "even":
		return 2, 0, true
	}
	before, after, isN := strings.Cut(s, "n")
	if !isN {
		b, err := strconv.Atoi(s)
		return 0, b, err == nil && bounded(b)
	}
	switch before = trimSpace(before); before {
	case "", "+":
		a = 1
	case "-":
		a = -1
	default:
		var err error
		if a, err = strconv.Atoi(before); err != nil {
			return 0, 0, false
		}
	}
	if after = trimSpace(after); after == "" {
		return a, 0, bounded(a)
	}
	if after[0] != '+' && after[0] != '-' {
		return 0, 0, false
	}
	digits := trimSpace(after[1:])
	b, err := strconv.Atoi(digits)
	if err != nil || digits[0] == '+' || digits[0] == '-' {
		return 0, 0, false
	}
	if after[0] == '-' {
		b = -b
	}
	return a, b, bounded(a) && bounded(b)
}

func bounded(n int) bool { return -1<<30 < n && n < 1<<30 }
