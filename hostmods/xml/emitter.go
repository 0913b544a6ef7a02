package xml

import (
	"context"
	"strconv"
	"strings"

	"quicksand/internal/marshal"
)

// An emitter writes the tree of a document as a value for guests.
type emitter struct {
	ctx      context.Context
	arrays   map[string]bool // the elements that are arrays even if there is only one
	numbers  bool
	booleans bool

	p     *parser
	w     marshal.Writer
	keys  []marshal.Key // of the names
	text  marshal.Key
	attrs marshal.Key
	lists []bool  // whether a name is among arrays
	seen  []int32 // the first sibling of a name, and below the last, valid where turn is this
	last  []int32
	turn  []int32
	turns int32
	heads []int32 // stack of the first siblings of each name
	steps int
	full  bool
}

func (e *emitter) emit(p *parser, ordered bool) (marshal.Value, error) {
	e.p = p
	n := len(p.names)
	e.keys = make([]marshal.Key, n)
	e.lists = make([]bool, n)
	for i, name := range p.names {
		e.keys[i].Name = name
		e.lists[i] = e.arrays[name]
	}
	e.text.Name, e.attrs.Name = "#text", ":@"
	e.seen, e.last, e.turn = make([]int32, n), make([]int32, n), make([]int32, n)
	e.w.Limit(maxOutput)
	e.w.Grow(len(p.text) + len(p.text)/4)
	if ordered {
		e.list(&p.nodes[0])
	} else {
		e.object(&p.nodes[0])
	}
	if err := e.ctx.Err(); err != nil {
		return marshal.Value{}, err
	}
	return e.w.Value()
}

// stop reports whether to write no more: the result is too large, or the call has ended.
func (e *emitter) stop() bool {
	if e.steps++; e.steps%4096 == 0 {
		e.full = e.full || e.ctx.Err() != nil || e.w.Full()
	}
	return e.full
}

// element writes what an element is: its text where it has nothing else.
func (e *emitter) element(n *node) {
	first := n.first
	switch {
	case n.attrs > 0:
		e.object(n)
	case first == 0:
		e.w.String("")
	case e.p.nodes[first].name == isText && e.p.nodes[first].next == 0:
		e.value(e.p.nodes[first].text)
	case e.onlyTexts(first):
		e.value(e.joined(first))
	default:
		e.object(n)
	}
}

func (e *emitter) onlyTexts(first int32) bool {
	for i := first; i != 0; i = e.p.nodes[i].next {
		if e.p.nodes[i].name != isText {
			return false
		}
	}
	return true
}

// joined is all the text among siblings.
func (e *emitter) joined(first int32) string {
	var b strings.Builder
	for i := first; i != 0; i = e.p.nodes[i].next {
		if n := &e.p.nodes[i]; n.name == isText {
			b.WriteString(n.text)
		}
	}
	return b.String()
}

// object writes the children of an element, each name once, its text and its attributes.
func (e *emitter) object(n *node) {
	nodes := e.p.nodes
	base := len(e.heads)
	e.turns++
	texts, text := 0, ""
	for i := n.first; i != 0; i = nodes[i].next {
		name := nodes[i].name
		if name == isText {
			texts++
			text = nodes[i].text
			continue
		}
		nodes[i].same, nodes[i].count = 0, 1
		if e.turn[name] != e.turns {
			e.turn[name] = e.turns
			e.seen[name] = i
			e.heads = append(e.heads, i)
		} else {
			nodes[e.last[name]].same = i
			nodes[e.seen[name]].count++
		}
		e.last[name] = i
	}
	end := len(e.heads)
	e.w.Object()
	for h := base; h < end && !e.stop(); h++ {
		i := e.heads[h]
		head := &nodes[i]
		e.w.Key(&e.keys[head.name])
		if head.count > 1 || e.lists[head.name] {
			e.w.Array(int(head.count))
		}
		for ; i != 0; i = nodes[i].same {
			e.element(&nodes[i])
			if e.stop() {
				return // the value is of no use any more
			}
		}
	}
	e.heads = e.heads[:base]
	if texts > 1 {
		text = e.joined(n.first)
	}
	if texts > 0 {
		e.w.Key(&e.text)
		e.value(text)
	}
	e.attributes(n)
	e.w.End()
}

func (e *emitter) attributes(n *node) {
	for i := range n.attrs {
		a := &e.p.attrs[n.attr+i]
		e.w.Key(&e.keys[a.name])
		e.value(a.value)
	}
}

// list writes the children of an element in their order, each as an object of its own.
func (e *emitter) list(n *node) {
	nodes := e.p.nodes
	count := 0
	for i := n.first; i != 0; i = nodes[i].next {
		count++
	}
	e.w.Array(count)
	for i := n.first; i != 0; i = nodes[i].next {
		if e.stop() {
			return
		}
		c := &nodes[i]
		e.w.Object()
		if c.name == isText {
			e.w.Key(&e.text)
			e.value(c.text)
		} else {
			e.w.Key(&e.keys[c.name])
			e.list(c)
			if c.attrs > 0 {
				e.w.Key(&e.attrs)
				e.w.Object()
				e.attributes(c)
				e.w.End()
			}
		}
		e.w.End()
	}
}

// value writes a text, or what it means where the options ask for that.
func (e *emitter) value(s string) {
	if e.booleans && (s == "true" || s == "false") {
		e.w.Bool(s == "true")
		return
	}
	if e.numbers && isNumber(s) {
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			e.w.Float(f)
			return
		}
	}
	e.w.String(s)
}

// isNumber reports whether s is a decimal number as JavaScript and JSON write them, with at
// most 15 digits, so that it is the same number again: numbers with leading zeros and long
// ones are identifiers.
func isNumber(s string) bool {
	if len(s) > 32 {
		return false
	}
	s = strings.TrimPrefix(s, "-")
	digits := func() (n int) {
		for n < len(s) && '0' <= s[n] && s[n] <= '9' {
			n++
		}
		return n
	}
	n := digits()
	if n == 0 || n > 1 && s[0] == '0' {
		return false
	}
	total := n
	s = s[n:]
	if strings.HasPrefix(s, ".") {
		s = s[1:]
		if n = digits(); n == 0 {
			return false
		}
		total += n
		s = s[n:]
	}
	if s != "" && s[0]|0x20 == 'e' {
		s = s[1:]
		if s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		if n = digits(); n == 0 {
			return false
		}
		s = s[n:]
	}
	return s == "" && total <= 15
}
