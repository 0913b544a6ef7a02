package text

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// tokenKind is a kind of token of CSS ("CSS Syntax Level 3", 4), as far as fonts have them.
type tokenKind uint8

const (
	endToken tokenKind = iota
	spaceToken
	identToken
	functionToken // name( with the name as text
	stringToken
	numberToken
	percentToken
	dimensionToken // the unit as text
	delimToken     // any other character
)

type token struct {
	kind   tokenKind
	text   string
	number float64
	delim  rune
}

// is tells whether the token is the keyword, which is in lower case.
func (t token) is(keyword string) bool {
	return t.kind == identToken && strings.EqualFold(t.text, keyword)
}

// lexer reads tokens. bad is set by what makes a whole declaration invalid.
type lexer struct {
	s   string
	bad bool
}

func (l *lexer) peek(i int) byte {
	if i < len(l.s) {
		return l.s[i]
	}
	return 0
}

// next returns the next token, space and comments being one space token.
func (l *lexer) next() token {
	spaced := false
	for l.s != "" {
		if isCSSSpace(l.s[0]) {
			l.s = l.s[1:]
		} else if strings.HasPrefix(l.s, "/*") {
			_, rest, ok := strings.Cut(l.s[2:], "*/")
			if !ok {
				rest = ""
			}
			l.s = rest
			// A comment separates tokens without being a space; no value of a font tells
			// the difference.
		} else {
			break
		}
		spaced = true
	}
	if spaced {
		return token{kind: spaceToken}
	}
	if l.s == "" {
		return token{}
	}
	c := l.s[0]
	switch {
	case c == '"' || c == '\'':
		return l.str(c)
	case l.startsNumber():
		return l.num()
	case l.startsIdent(0):
		name := l.name()
		if l.peek(0) == '(' {
			l.s = l.s[1:]
			return token{kind: functionToken, text: name}
		}
		return token{kind: identToken, text: name}
	}
	r, n := utf8.DecodeRuneInString(l.s)
	l.s = l.s[n:]
	return token{kind: delimToken, delim: r}
}

func isCSSSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isNameStart(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

func (l *lexer) startsNumber() bool {
	i := 0
	if c := l.peek(0); c == '+' || c == '-' {
		i = 1
	}
	return isDigit(l.peek(i)) || l.peek(i) == '.' && isDigit(l.peek(i+1))
}

func (l *lexer) startsIdent(i int) bool {
	if l.peek(i) == '-' {
		i++
		if l.peek(i) == '-' {
			return true
		}
	}
	return isNameStart(l.peek(i)) || l.startsEscape(i)
}

func (l *lexer) startsEscape(i int) bool {
	return l.peek(i) == '\\' && i+1 < len(l.s) && l.s[i+1] != '\n' && l.s[i+1] != '\r' && l.s[i+1] != '\f'
}

func (l *lexer) name() string {
	var b strings.Builder
	for l.s != "" {
		c := l.s[0]
		if isNameStart(c) || isDigit(c) || c == '-' {
			b.WriteByte(c)
			l.s = l.s[1:]
		} else if l.startsEscape(0) {
			b.WriteRune(l.escape())
		} else {
			break
		}
	}
	return b.String()
}

// escape reads an escape, of which the backslash is next.
func (l *lexer) escape() rune {
	l.s = l.s[1:]
	n := 0
	for n < 6 && n < len(l.s) && strings.IndexByte("0123456789abcdefABCDEF", l.s[n]) >= 0 {
		n++
	}
	if n == 0 {
		r, size := utf8.DecodeRuneInString(l.s)
		l.s = l.s[size:]
		return r
	}
	v, _ := strconv.ParseUint(l.s[:n], 16, 32)
	l.s = l.s[n:]
	if strings.HasPrefix(l.s, "\r\n") {
		l.s = l.s[1:]
	}
	if l.s != "" && isCSSSpace(l.s[0]) {
		l.s = l.s[1:]
	}
	if v == 0 || v > utf8.MaxRune || v >= 0xd800 && v < 0xe000 {
		return utf8.RuneError
	}
	return rune(v)
}

func (l *lexer) str(quote byte) token {
	l.s = l.s[1:]
	var b strings.Builder
	for l.s != "" {
		c := l.s[0]
		switch {
		case c == quote:
			l.s = l.s[1:]
			return token{kind: stringToken, text: b.String()}
		case c == '\n' || c == '\r' || c == '\f':
			l.bad = true
			return token{kind: stringToken}
		case l.startsEscape(0):
			b.WriteRune(l.escape())
		case c == '\\': // at the end, or before a line break, which goes with it
			l.s = strings.TrimPrefix(l.s[1:], "\r")
			if l.s != "" && (l.s[0] == '\n' || l.s[0] == '\f') {
				l.s = l.s[1:]
			}
		default:
			b.WriteByte(c)
			l.s = l.s[1:]
		}
	}
	return token{kind: stringToken, text: b.String()} // the end of the text closes it
}

func (l *lexer) num() token {
	n := 0
	if c := l.s[0]; c == '+' || c == '-' {
		n++
	}
	for isDigit(l.peek(n)) {
		n++
	}
	if l.peek(n) == '.' && isDigit(l.peek(n+1)) {
		for n++; isDigit(l.peek(n)); n++ {
		}
	}
	if l.peek(n)|0x20 == 'e' {
		k := n + 1
		if c := l.peek(k); c == '+' || c == '-' {
			k++
		}
		if isDigit(l.peek(k)) {
			for n = k; isDigit(l.peek(n)); n++ {
			}
		}
	}
	v, _ := strconv.ParseFloat(l.s[:n], 64) // infinite when out of range
	l.s = l.s[n:]
	if l.peek(0) == '%' {
		l.s = l.s[1:]
		return token{kind: percentToken, number: v}
	}
	if l.startsIdent(0) {
		return token{kind: dimensionToken, number: v, text: strings.ToLower(l.name())}
	}
	return token{kind: numberToken, number: v}
}
