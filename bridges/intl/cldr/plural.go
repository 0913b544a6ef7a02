package cldr

import (
	"strconv"
	"strings"
	"sync"
)

// pluralForm is the index of a plural category.
type pluralForm uint8

const (
	formOther pluralForm = iota
	formZero
	formOne
	formTwo
	formFew
	formMany
	formCount
)

var formNames = [formCount]string{"other", "zero", "one", "two", "few", "many"}

func formOf(name string) pluralForm {
	for i, n := range formNames {
		if n == name {
			return pluralForm(i)
		}
	}
	return formOther
}

// forms holds a text for each plural category; "" for one without its own.
type forms struct {
	text [formCount]string
	zero string // for exactly 0, of compact patterns
	one  string // for exactly 1
}

// parseForms reads what gen/numbers.js writes: the form "other", then "\x1fname=form".
func parseForms(s string) *forms {
	f := &forms{}
	for i, part := range strings.Split(s, "\x1f") {
		if i == 0 {
			f.text[formOther] = part
			continue
		}
		name, text, _ := strings.Cut(part, "=")
		switch name {
		case "0":
			f.zero = text
		case "1":
			f.one = text
		default:
			f.text[formOf(name)] = text
		}
	}
	return f
}

func (f *forms) get(p pluralForm) string {
	if t := f.text[p]; t != "" {
		return t
	}
	return f.text[formOther]
}

// operands are those of the plural rules (UTS 35 part 3 §5.1). As in ICU, integers are
// cut to their last 18 digits. The exponent of compact notation (c and e) is always 0:
// forms are those of the number in full.
type operands struct {
	i       uint64 // integer digits
	v, w    int    // visible fraction digits, with and without trailing zeros
	f, t    uint64 // the fraction as a number, with and without trailing zeros
	integer bool   // n = i
}

func (r *rounded) operands() operands {
	o := operands{v: r.frac, integer: true}
	for p := min(r.point-1, 17); p >= 0; p-- {
		o.i = o.i*10 + uint64(r.at(p))
	}
	for k := 1; k <= r.frac; k++ {
		c := uint64(r.at(-k))
		if k <= 18 {
			o.f = o.f*10 + c
		}
		if c != 0 {
			o.w = k
			o.integer = false
			if k <= 18 {
				o.t = o.f
			}
		}
	}
	return o
}

// A pluralRule is a condition in disjunctive normal form.
type pluralRule struct {
	form pluralForm
	or   [][]relation
}

type relation struct {
	operand byte
	mod     uint64
	not     bool
	ranges  [][2]uint64
}

type pluralRules struct {
	rules  []pluralRule
	forms  []string // in the order of V8: zero one two few many other
	ranges map[[2]pluralForm]pluralForm
}

var pluralCache sync.Map // kind + "/" + data locale to *pluralRules

// pluralsOf returns the rules of a data locale; kind is "cardinal" or "ordinal".
func pluralsOf(kind, data string) *pluralRules {
	key := kind + "/" + data
	if p, ok := pluralCache.Load(key); ok {
		return p.(*pluralRules)
	}
	sup := core.record("@")
	p := &pluralRules{ranges: map[[2]pluralForm]pluralForm{}}
	for id := data; id != "" && p.rules == nil; id = cutLast(id) {
		if text, ok := sup.lookup("plural/" + kind + "/" + id); ok {
			p.rules = parsePluralRules(text)
		}
	}
	has := [formCount]bool{formOther: true}
	for _, r := range p.rules {
		has[r.form] = true
	}
	for _, f := range [...]pluralForm{formFew, formMany, formOne, formTwo, formZero, formOther} {
		if has[f] {
			p.forms = append(p.forms, formNames[f])
		}
	}
	for id := data; id != ""; id = cutLast(id) {
		if text, ok := sup.lookup("plural/range/" + id); ok {
			for _, r := range strings.Split(text, ";") {
				pair, to, _ := strings.Cut(r, "=")
				from, until, _ := strings.Cut(pair, "+")
				p.ranges[[2]pluralForm{formOf(from), formOf(until)}] = formOf(to)
			}
			break
		}
	}
	kept, _ := pluralCache.LoadOrStore(key, p)
	return kept.(*pluralRules)
}

func cutLast(id string) string {
	if i := strings.LastIndexByte(id, '-'); i >= 0 {
		return id[:i]
	}
	return ""
}

func parsePluralRules(text string) []pluralRule {
	out := []pluralRule{}
	for _, part := range strings.Split(text, ";") {
		name, cond, ok := strings.Cut(part, ":")
		if !ok {
			continue // "other"
		}
		rule := pluralRule{form: formOf(name)}
		for _, or := range strings.Split(cond, " or ") {
			var list []relation
			for _, and := range strings.Split(or, " and ") {
				list = append(list, parseRelation(and))
			}
			rule.or = append(rule.or, list)
		}
		out = append(out, rule)
	}
	return out
}

func parseRelation(s string) relation {
	f := strings.Fields(s) // n % 10 = 1..3,5
	r := relation{operand: f[0][0]}
	f = f[1:]
	if f[0] == "%" {
		r.mod, _ = strconv.ParseUint(f[1], 10, 64)
		f = f[2:]
	}
	r.not = f[0] == "!="
	for _, part := range strings.Split(f[1], ",") {
		from, to, ok := strings.Cut(part, "..")
		if !ok {
			to = from
		}
		a, _ := strconv.ParseUint(from, 10, 64)
		b, _ := strconv.ParseUint(to, 10, 64)
		r.ranges = append(r.ranges, [2]uint64{a, b})
	}
	return r
}

func (r *relation) holds(o *operands) bool {
	var v uint64
	whole := true
	switch r.operand {
	case 'n':
		v, whole = o.i, o.integer
	case 'i':
		v = o.i
	case 'v':
		v = uint64(o.v)
	case 'w':
		v = uint64(o.w)
	case 'f':
		v = o.f
	case 't':
		v = o.t
	case 'e', 'c':
		v = 0
	}
	in := false
	if whole {
		if r.mod != 0 {
			v %= r.mod
		}
		for _, x := range r.ranges {
			if v >= x[0] && v <= x[1] {
				in = true
				break
			}
		}
	}
	return in != r.not
}

func (p *pluralRules) pick(o operands) pluralForm {
	for i := range p.rules {
	or:
		for _, and := range p.rules[i].or {
			for k := range and {
				if !and[k].holds(&o) {
					continue or
				}
			}
			return p.rules[i].form
		}
	}
	return formOther
}

func (p *pluralRules) pickRange(a, b pluralForm) pluralForm {
	if f, ok := p.ranges[[2]pluralForm{a, b}]; ok {
		return f
	}
	return formOther
}
