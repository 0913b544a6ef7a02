package svg

import (
	"slices"
	"strings"
)

// Limits of style sheets.
const (
	MaxSelectors = 20_000     // selectors of a document's style sheets
	maxMatches   = 10_000_000 // comparisons of a selector's part with an element
	maxParts     = 16         // compounds of one selector
)

// A declaration is a property with its value.
type declaration struct {
	name, value string
	important   bool
}

// A compound is what a selector asks of one element.
type compound struct {
	element string // "" for any
	id      string
	classes []string
	child   bool // of the compound before it: parent, not any ancestor
}

// A rule is a selector with its declarations.
type rule struct {
	parts       []compound // from the outermost
	specificity int
	order       int
	decls       []declaration
}

// A sheet is the rules of all style elements, found by the last compound of their selectors.
type sheet struct {
	count                           int
	byID, byClass, byElement, byAny map[string][]*rule
}

func newSheet() *sheet {
	return &sheet{byID: map[string][]*rule{}, byClass: map[string][]*rule{}, byElement: map[string][]*rule{}, byAny: map[string][]*rule{}}
}

// parse adds the rules of a style element. Those with selectors that it does not know, and
// at-rules, are ignored, as CSS asks of what is not known.
func (s *sheet) parse(text string) error {
	text = stripComments(text)
	for {
		text = strings.TrimLeft(text, " \t\r\n\f")
		text = strings.TrimPrefix(text, "<!--")
		text = strings.TrimPrefix(text, "-->")
		if text == "" {
			return nil
		}
		if text[0] == '@' {
			text = skipAtRule(text)
			continue
		}
		open := strings.IndexByte(text, '{')
		if open < 0 {
			return nil
		}
		end := strings.IndexByte(text[open:], '}')
		body := text[open+1:]
		rest := ""
		if end >= 0 {
			body, rest = text[open+1:open+end], text[open+end+1:]
		}
		decls := parseDeclarations(body)
		for selector := range strings.SplitSeq(text[:open], ",") {
			parts, ok := parseSelector(selector)
			if !ok {
				continue
			}
			if s.count++; s.count > MaxSelectors {
				return limitError("selectors", MaxSelectors)
			}
			s.add(&rule{parts: parts, specificity: specificity(parts), order: s.count, decls: decls})
		}
		text = rest
	}
}

func (s *sheet) add(r *rule) {
	switch last := r.parts[len(r.parts)-1]; {
	case last.id != "":
		s.byID[last.id] = append(s.byID[last.id], r)
	case len(last.classes) > 0:
		s.byClass[last.classes[0]] = append(s.byClass[last.classes[0]], r)
	case last.element != "":
		s.byElement[last.element] = append(s.byElement[last.element], r)
	default:
		s.byAny[""] = append(s.byAny[""], r)
	}
}

func stripComments(text string) string {
	if !strings.Contains(text, "/*") {
		return text
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "/*")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteByte(' ')
		_, text, _ = strings.Cut(rest, "*/")
	}
}

// skipAtRule skips an at-rule: up to its semicolon or the end of its block.
func skipAtRule(text string) string {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case ';':
			if depth == 0 {
				return text[i+1:]
			}
		case '{':
			depth++
		case '}':
			if depth--; depth <= 0 {
				return text[i+1:]
			}
		}
	}
	return ""
}

// parseDeclarations reads "name: value; …".
func parseDeclarations(text string) []declaration {
	var list []declaration
	for len(text) > 0 {
		one := text
		// A semicolon within a string or parentheses does not end a declaration.
		depth, quote, i := 0, byte(0), 0
	scan:
		for ; i < len(text); i++ {
			switch c := text[i]; {
			case quote != 0:
				if c == quote {
					quote = 0
				}
			case c == '"' || c == '\'':
				quote = c
			case c == '(':
				depth++
			case c == ')':
				depth--
			case c == ';' && depth <= 0:
				break scan
			}
		}
		one, text = text[:i], text[min(i+1, len(text)):]
		name, value, found := strings.Cut(one, ":")
		if !found {
			continue
		}
		d := declaration{name: strings.ToLower(strings.TrimSpace(name)), value: strings.TrimSpace(value)}
		if before, ok := strings.CutSuffix(strings.ToLower(d.value), "important"); ok {
			if before = strings.TrimRight(before, " \t\r\n"); strings.HasSuffix(before, "!") {
				d.value, d.important = strings.TrimSpace(d.value[:len(before)-1]), true
			}
		}
		list = append(list, d)
	}
	return list
}

// parseSelector reads compounds of element, id and class selectors, with the combinators for
// descendants and children.
func parseSelector(s string) ([]compound, bool) {
	var parts []compound
	child := false
	for field := range strings.FieldsSeq(strings.ReplaceAll(s, ">", " > ")) {
		if field == ">" {
			if child || len(parts) == 0 {
				return nil, false
			}
			child = true
			continue
		}
		c := compound{child: child}
		child = false
		kind, start := byte(0), 0
		for i := 0; i <= len(field); i++ {
			if i < len(field) {
				switch b := field[i]; {
				case b == '.' || b == '#':
				case b >= 0x80, b == '-', b == '_', b >= '0' && b <= '9', b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z':
					continue
				case b == '*' && i == 0:
					continue
				default:
					return nil, false
				}
			}
			name := field[start:i]
			switch {
			case kind == 0 && name == "*":
			case kind == 0:
				c.element = name
			case name == "":
				return nil, false
			case kind == '.':
				c.classes = append(c.classes, name)
			default:
				c.id = name
			}
			if i < len(field) {
				kind, start = field[i], i+1
			}
		}
		parts = append(parts, c)
	}
	return parts, len(parts) > 0 && len(parts) <= maxParts && !child
}

func specificity(parts []compound) int {
	n := 0
	for _, c := range parts {
		if c.id != "" {
			n += 1 << 20
		}
		n += len(c.classes) << 8
		if c.element != "" {
			n++
		}
	}
	return n
}

func (c *compound) matches(n *node) bool {
	if c.element != "" && c.element != n.name || c.id != "" && c.id != n.attr("id") {
		return false
	}
	if len(c.classes) == 0 {
		return true
	}
	has := n.attr("class")
	for _, class := range c.classes {
		found := false
		for f := range strings.FieldsSeq(has) {
			found = found || f == class
		}
		if !found {
			return false
		}
	}
	return true
}

// cost is how long it takes to compare an element, in comparisons of short ones.
func (n *node) cost() int { return 1 + len(n.attrs)/8 + len(n.attr("class"))/16 }

// matches reports whether a rule holds for an element. Where ancestors are searched for, the
// nearest one that matches is taken, which is wrong only for a child combinator above a
// descendant one: such a selector then matches less than it should.
func (r *rule) matches(n *node, steps *int) bool {
	i := len(r.parts) - 1
	*steps += n.cost()
	if !r.parts[i].matches(n) {
		return false
	}
	for i > 0 {
		child := r.parts[i].child
		i--
		for n = n.parent; n != nil; n = n.parent {
			*steps += n.cost()
			if r.parts[i].matches(n) {
				break
			}
			if child {
				return false
			}
		}
		if n == nil {
			return false
		}
	}
	return true
}

// cascade finds the declarations that hold for each element ("CSS Cascading and Inheritance
// Level 4", 6): presentation attributes, then rules, then the style attribute, then what is
// important.
func (d *Document) cascade() error {
	if err := d.collect(d.root); err != nil {
		return err
	}
	steps := 0
	return d.apply(d.root, &steps)
}

// collect reads the style elements below n.
func (d *Document) collect(n *node) error {
	if n.name == "style" {
		if t := n.attr("type"); t != "" && !strings.EqualFold(strings.TrimSpace(t), "text/css") {
			return nil
		}
		var text strings.Builder
		for _, c := range n.children {
			text.WriteString(c.text)
		}
		return d.rules.parse(text.String())
	}
	for _, c := range n.children {
		if err := d.collect(c); err != nil {
			return err
		}
	}
	return nil
}

func (d *Document) apply(n *node, steps *int) error {
	if n.name == "" {
		return nil
	}
	set := func(decl declaration) {
		for i := range n.props {
			if p := &n.props[i]; p.name == decl.name {
				if !p.important || decl.important {
					*p = decl
				}
				return
			}
		}
		if properties[decl.name] {
			n.props = append(n.props, decl)
		}
	}
	style := ""
	for _, a := range n.attrs {
		switch {
		case a.name == "style":
			style = a.value
		case properties[a.name]:
			set(declaration{name: a.name, value: strings.TrimSpace(a.value)})
		}
	}
	if d.rules.count > 0 {
		var found []*rule
		try := func(list []*rule) {
			for _, r := range list {
				if *steps <= maxMatches && r.matches(n, steps) {
					found = append(found, r)
				}
			}
		}
		if id := n.attr("id"); id != "" {
			try(d.rules.byID[id])
		}
		seen := map[string]bool{}
		for class := range strings.FieldsSeq(n.attr("class")) {
			if *steps++; !seen[class] {
				seen[class] = true
				try(d.rules.byClass[class])
			}
		}
		try(d.rules.byElement[n.name])
		try(d.rules.byAny[""])
		slices.SortFunc(found, func(a, b *rule) int {
			if a.specificity != b.specificity {
				return a.specificity - b.specificity
			}
			return a.order - b.order
		})
		for _, r := range found {
			*steps += len(r.decls)
			for _, decl := range r.decls {
				set(decl)
			}
		}
		if *steps > maxMatches {
			return limitError("comparisons of selectors with elements", maxMatches)
		}
	}
	for _, decl := range parseDeclarations(style) {
		set(decl)
	}
	for _, c := range n.children {
		if err := d.apply(c, steps); err != nil {
			return err
		}
	}
	return nil
}
