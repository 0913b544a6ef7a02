package xml

import (
	"fmt"
	"html"
	"strconv"
	"strings"
)

// predefined are the entities that XML has without a declaration.
var predefined = map[string]string{"lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"}

// expand replaces the references of a text. What an entity stands for is text: references
// in it are not looked at.
func (p *parser) expand(s string) (string, error) {
	i := strings.IndexByte(s, '&')
	if i < 0 {
		return s, nil
	}
	var b strings.Builder
	b.Grow(len(s))
	for {
		b.WriteString(s[:i])
		s = s[i:]
		n := referenceLength(s)
		if n == 0 {
			n = 1 // only in attributes, where a lone & was always taken
		}
		with, ok, err := p.reference(s[:n])
		if err != nil {
			return "", err
		}
		if !ok {
			with = s[:n]
		}
		b.WriteString(with)
		s = s[n:]
		if i = strings.IndexByte(s, '&'); i < 0 {
			b.WriteString(s)
			return b.String(), nil
		}
	}
}

// reference is what "&…;" stands for, if that is known.
func (p *parser) reference(ref string) (string, bool, error) {
	if len(ref) < 3 {
		return "", false, nil
	}
	name := ref[1 : len(ref)-1]
	if value, ok := p.entities[name]; ok {
		if p.expanded += len(value); p.expanded > maxExpansion {
			return "", false, fmt.Errorf("entities expand to more than %d bytes", maxExpansion)
		}
		return value, true, nil
	}
	if value, ok := predefined[name]; ok {
		return value, true, nil
	}
	if !p.html {
		return "", false, nil
	}
	if name[0] == '#' {
		digits, base := name[1:], 10
		if strings.HasPrefix(digits, "x") {
			digits, base = digits[1:], 16
		}
		n, err := strconv.ParseUint(digits, base, 32)
		if err != nil || n == 0 || n > 0x10ffff || 0xd800 <= n && n < 0xe000 {
			return "", false, nil
		}
		return string(rune(n)), true, nil
	}
	if len(name) > 40 { // the longest of HTML has 31
		return "", false, nil
	}
	// A name that only begins with one of HTML's keeps its semicolon.
	value := html.UnescapeString(ref)
	if value == ref || strings.HasSuffix(value, ";") && name != "semi" {
		return "", false, nil
	}
	return value, true, nil
}

// doctypeDecl reads "<!DOCTYPE …>" and keeps the entities that it declares.
func (p *parser) doctypeDecl() error {
	start := p.pos
	text := p.text
	unclosed := func() error { return p.fail(start, "unclosed DOCTYPE") }
	i := start + len("<!DOCTYPE")
	for subset := false; i < len(text); {
		rest := text[i:]
		switch c := rest[0]; {
		case !subset && (c == '"' || c == '\''):
			end := strings.IndexByte(rest[1:], c)
			if end < 0 {
				return unclosed()
			}
			i += end + 2
		case !subset && c == '[':
			subset = true
			i++
		case subset && c == ']':
			subset = false
			i++
		case !subset && c == '>':
			p.pos = i + 1
			return nil
		case strings.HasPrefix(rest, "<!--"):
			end := strings.Index(rest[4:], "-->")
			if end < 0 {
				return unclosed()
			}
			i += 4 + end + 3
		case subset && strings.HasPrefix(rest, "<?"):
			end := strings.Index(rest, "?>")
			if end < 0 {
				return unclosed()
			}
			i += end + 2
		case subset && strings.HasPrefix(rest, "<!ENTITY"):
			end, err := p.entityDecl(i)
			if err != nil {
				return err
			}
			i = end
		case subset && (strings.HasPrefix(rest, "<!ELEMENT") || strings.HasPrefix(rest, "<!ATTLIST") || strings.HasPrefix(rest, "<!NOTATION")):
			for i < len(text) && text[i] != '>' {
				if c := text[i]; c == '"' || c == '\'' {
					end := strings.IndexByte(text[i+1:], c)
					if end < 0 {
						return unclosed()
					}
					i += end + 1
				}
				i++
			}
			i++
		case c == '<' || subset && c == '%':
			return p.fail(i, "invalid DOCTYPE")
		default:
			i++
		}
	}
	return unclosed()
}

// entityDecl reads the declaration of an entity and returns the position behind it.
func (p *parser) entityDecl(start int) (int, error) {
	i := start + len("<!ENTITY")
	text := p.text
	space := func() {
		for i < len(text) && isSpace(text[i]) {
			i++
		}
	}
	space()
	if strings.HasPrefix(text[i:], "%") {
		return 0, p.fail(start, "parameter entities are not supported")
	}
	n := nameLength(text[i:])
	if n == 0 {
		return 0, p.fail(start, "invalid entity name")
	}
	name := text[i : i+n]
	i += n
	space()
	if i == len(text) || text[i] != '"' && text[i] != '\'' {
		if rest := text[i:]; strings.HasPrefix(rest, "SYSTEM") || strings.HasPrefix(rest, "PUBLIC") {
			return 0, p.fail(start, "external entities are not supported")
		}
		return 0, p.fail(start, "entity '%s' has no value in quotes", short(name))
	}
	length := strings.IndexByte(text[i+1:], text[i])
	if length < 0 {
		return 0, p.fail(start, "unterminated entity value")
	}
	value := text[i+1 : i+1+length]
	i += length + 2
	space()
	if !strings.HasPrefix(text[i:], ">") {
		return 0, p.fail(start, "invalid declaration of the entity '%s'", short(name))
	}
	switch {
	case length > maxEntity:
		return 0, p.fail(start, "entity '%s' has %d bytes, more than %d", short(name), length, maxEntity)
	case len(p.entities) >= maxEntities:
		return 0, p.fail(start, "more than %d entities are declared", maxEntities)
	case strings.IndexByte(value, '&') < 0: // others would have to be expanded again
		if p.entities == nil {
			p.entities = make(map[string]string)
		}
		p.entities[name] = value
	}
	return i + 1, nil
}
