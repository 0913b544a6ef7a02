package html

import (
	"context"
	"sort"
	"strings"
)

// Matching takes time in proportion to the elements times the compounds of the selector,
// whatever they are: for each compound one pass over all elements says which of them end a
// match of the selector up to there. Trying combinators out for each element, as the usual
// matchers do, is exponential in their number.

// find returns the elements that a selector matches, in document order.
func (d *document) find(ctx context.Context, list selectorList) ([]int32, error) {
	all := make([]bool, len(d.elements))
	for i := range list {
		m, err := d.matchComplex(ctx, &list[i])
		if err != nil {
			return nil, err
		}
		if len(list[i].picks) > 0 {
			m = take(m, list[i].picks)
		}
		for j, ok := range m {
			all[j] = all[j] || ok
		}
	}
	var found []int32
	for i, ok := range all {
		if ok {
			found = append(found, int32(i))
		}
	}
	return found, nil
}

// take keeps the matches at some positions.
func take(m []bool, picks []pick) []bool {
	var at []int
	for i, ok := range m {
		if ok {
			at = append(at, i)
		}
	}
	for _, p := range picks {
		var kept []int
		n := p.n
		if n < 0 {
			n += len(at)
		}
		for k, i := range at {
			keep := false
			switch p.name {
			case "first":
				keep = k == 0
			case "last":
				keep = k == len(at)-1
			case "even":
				keep = k%2 == 0
			case "odd":
				keep = k%2 == 1
			case "eq", "nth":
				keep = k == n
			case "lt":
				keep = k < n
			case "gt":
				keep = k > n
			}
			if keep {
				kept = append(kept, i)
			}
		}
		at = kept
	}
	out := make([]bool, len(m))
	for _, i := range at {
		out[i] = true
	}
	return out
}

// matchComplex returns for each element whether a selector matches it.
func (d *document) matchComplex(ctx context.Context, s *complexSelector) ([]bool, error) {
	var before []bool // what the compounds up to here match
	for k := range s.compounds {
		m, err := d.matchCompound(ctx, &s.compounds[k])
		if err != nil {
			return nil, err
		}
		if k > 0 {
			d.restrict(m, before, s.combinators[k])
		}
		before = m
	}
	return before, nil
}

// restrict keeps of m what stands to an element of before as the combinator says.
func (d *document) restrict(m, before []bool, combinator byte) {
	var reached []bool // whether one is further up, or further before
	if combinator == ' ' || combinator == '~' {
		reached = make([]bool, len(m))
	}
	for i := range d.elements {
		e := &d.elements[i]
		from := e.parent
		if combinator == '+' || combinator == '~' {
			from = e.prev
		}
		ok := from >= 0 && (before[from] || reached != nil && reached[from])
		if reached != nil {
			reached[i] = ok
		}
		m[i] = m[i] && ok
	}
}

// matchHas returns for each element whether a relative selector matches something from it.
func (d *document) matchHas(ctx context.Context, s *complexSelector) ([]bool, error) {
	// From the last compound to the first: after says for each element whether the rest of
	// the selector matches something from it.
	var after []bool
	for k := len(s.compounds) - 1; k >= 0; k-- {
		m, err := d.matchCompound(ctx, &s.compounds[k])
		if err != nil {
			return nil, err
		}
		for i := range m {
			m[i] = m[i] && (after == nil || after[i])
		}
		after = make([]bool, len(m))
		for i := len(m) - 1; i >= 0; i-- {
			e := &d.elements[i]
			ok, to := m[i], e.parent
			switch s.combinators[k] {
			case ' ':
				ok = ok || after[i]
			case '+':
				to = e.prev
			case '~':
				to = e.prev
				ok = ok || after[i]
			}
			if ok && to >= 0 {
				after[to] = true
			}
		}
	}
	return after, nil
}

// matchList returns for each element whether one of the selectors matches it.
func (d *document) matchList(ctx context.Context, list selectorList, match func(context.Context, *complexSelector) ([]bool, error)) ([]bool, error) {
	all := make([]bool, len(d.elements))
	for i := range list {
		m, err := match(ctx, &list[i])
		if err != nil {
			return nil, err
		}
		for j, ok := range m {
			all[j] = all[j] || ok
		}
	}
	return all, nil
}

// matchCompound returns for each element whether a compound matches it.
func (d *document) matchCompound(ctx context.Context, c *compound) ([]bool, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, p := range c.pseudos {
		var err error
		switch p.name {
		case "not", "is", "where", "matches":
			p.matches, err = d.matchList(ctx, p.list, d.matchComplex)
		case "has":
			p.matches, err = d.matchList(ctx, p.list, d.matchHas)
		case "contains":
			p.matches = d.containing(d.text, p.text)
		case "icontains":
			p.matches = d.containing(lower(d.text), lower(p.text))
		case "nth-of-type", "nth-last-of-type", "first-of-type", "last-of-type", "only-of-type":
			d.countTypes()
		}
		if err != nil {
			return nil, err
		}
	}
	m := make([]bool, len(d.elements))
	for i := range m {
		if i%65536 == 65535 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m[i] = d.matches(int32(i), c)
	}
	for _, p := range c.pseudos {
		p.matches = nil
	}
	return m, nil
}

// containing returns for each element whether its text holds a string.
func (d *document) containing(text, s string) []bool {
	var places []int
	for at := 0; s != ""; {
		i := strings.Index(text[at:], s)
		if i < 0 {
			break
		}
		places = append(places, at+i)
		at += i + 1
	}
	m := make([]bool, len(d.elements))
	for i := range m {
		e := &d.elements[i]
		k := sort.SearchInts(places, int(e.from))
		m[i] = s == "" || k < len(places) && places[k]+len(s) <= int(e.to)
	}
	return m
}

// countTypes counts the elements of each name among siblings.
func (d *document) countTypes() {
	if d.ofType != nil {
		return
	}
	d.ofType = make([]ordinals, len(d.elements))
	counts := map[string]int32{}
	for i := range d.elements {
		if d.elements[i].prev >= 0 {
			continue
		}
		clear(counts)
		last := int32(i)
		for j := int32(i); j >= 0; j = d.elements[j].next {
			counts[d.elements[j].name]++
			d.ofType[j].nth = counts[d.elements[j].name]
			last = j
		}
		for j := last; j >= 0; j = d.elements[j].prev {
			d.ofType[j].last = counts[d.elements[j].name] - d.ofType[j].nth + 1
		}
	}
}

func (d *document) matches(i int32, c *compound) bool {
	e := &d.elements[i]
	if c.tag != "" && c.tag != e.name && c.tag != lower(e.name) {
		return false
	}
	if len(c.classes) > 0 {
		class, _ := d.attribute(i, "class")
		for _, name := range c.classes {
			if !hasWord(class, name, false) {
				return false
			}
		}
	}
	for k := range c.attrs {
		if !d.testAttr(i, &c.attrs[k]) {
			return false
		}
	}
	for _, p := range c.pseudos {
		if !d.testPseudo(i, p) {
			return false
		}
	}
	return true
}

// hasWord reports whether a word is among those of a list with white space between them.
func hasWord(list, word string, fold bool) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word || fold && lower(w) == lower(word) {
			return true
		}
	}
	return false
}

func (d *document) testAttr(i int32, a *attrTest) bool {
	value, ok := d.attribute(i, a.name)
	want := a.value
	if a.fold {
		value, want = lower(value), lower(want)
	}
	switch a.op {
	case '!':
		return !ok || value != want
	case 0:
		return ok
	case '=':
		return ok && value == want
	case '~':
		return ok && hasWord(value, want, false)
	case '|':
		return ok && (value == want || strings.HasPrefix(value, want+"-"))
	case '^':
		return ok && want != "" && strings.HasPrefix(value, want)
	case '$':
		return ok && want != "" && strings.HasSuffix(value, want)
	}
	return ok && want != "" && strings.Contains(value, want)
}

// isNth reports whether n is one of a·k+b, k ≥ 0.
func isNth(n int32, a, b int) bool {
	rest := int(n) - b
	if a == 0 {
		return rest == 0
	}
	return rest%a == 0 && rest/a >= 0
}

func (d *document) testPseudo(i int32, p *pseudo) bool {
	e := &d.elements[i]
	has := func(name string) bool { _, ok := d.attribute(i, name); return ok }
	kind := func() string { t, _ := d.attribute(i, "type"); return lower(t) }
	isControl := func() bool {
		switch e.name {
		case "button", "input", "select", "textarea", "optgroup", "option", "fieldset":
			return true
		}
		return false
	}
	switch p.name {
	case "not":
		return !p.matches[i]
	case "is", "where", "matches", "has", "contains", "icontains":
		return p.matches[i]
	case "nth-child":
		return isNth(e.ordinal.nth, p.a, p.b)
	case "nth-last-child":
		return isNth(e.ordinal.last, p.a, p.b)
	case "nth-of-type":
		return isNth(d.ofType[i].nth, p.a, p.b)
	case "nth-last-of-type":
		return isNth(d.ofType[i].last, p.a, p.b)
	case "first-child":
		return e.ordinal.nth == 1
	case "last-child":
		return e.ordinal.last == 1
	case "only-child":
		return e.ordinal.nth == 1 && e.ordinal.last == 1
	case "first-of-type":
		return d.ofType[i].nth == 1
	case "last-of-type":
		return d.ofType[i].last == 1
	case "only-of-type":
		return d.ofType[i].nth == 1 && d.ofType[i].last == 1
	case "root", "scope":
		return e.parent < 0
	case "empty":
		return e.first < 0 && e.from == e.to
	case "parent":
		return e.first >= 0 || e.from < e.to
	case "header":
		return len(e.name) == 2 && e.name[0] == 'h' && '1' <= e.name[1] && e.name[1] <= '6'
	case "button":
		return e.name == "button" || e.name == "input" && kind() == "button"
	case "text":
		k := kind()
		return e.name == "input" && (k == "text" || k == "")
	case "checkbox", "file", "image", "password", "radio", "reset", "submit":
		return (e.name == "input" || e.name == "button" && (p.name == "reset" || p.name == "submit")) && kind() == p.name
	case "input":
		return e.name == "input" || e.name == "textarea" || e.name == "select" || e.name == "button"
	case "selected":
		return e.name == "option" && has("selected")
	case "checked":
		k := kind()
		return e.name == "input" && (k == "checkbox" || k == "radio") && has("checked") || e.name == "option" && has("selected")
	case "disabled":
		return isControl() && has("disabled")
	case "enabled":
		return isControl() && !has("disabled")
	case "required":
		return has("required")
	case "optional":
		return (e.name == "input" || e.name == "select" || e.name == "textarea") && !has("required")
	case "link", "any-link":
		return (e.name == "a" || e.name == "area" || e.name == "link") && has("href")
	}
	return false
}
