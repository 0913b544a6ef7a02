package cldr

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

//go:embed numbers.bin
var numbersData string

var numbers = newSection("numbers.bin", numbersData)

// A Part is a piece of formatted text with its type of ECMA-402.
type Part struct {
	Type, Value string
	// Source is "startRange", "endRange" or "shared" in parts of a range, else empty.
	Source string
	// Unit is the unit of a relative time whose number the part belongs to.
	Unit string
}

// partKind is the type of a part.
type partKind uint8

const (
	kindLiteral partKind = iota
	kindInteger
	kindGroup
	kindDecimal
	kindFraction
	kindMinus
	kindPlus
	kindPercent
	kindCurrency
	kindCompact
	kindExpSeparator
	kindExpMinus
	kindExpInteger
	kindUnit
	kindNaN
	kindInfinity
	kindApprox
)

var kindNames = [...]string{"literal", "integer", "group", "decimal", "fraction", "minusSign", "plusSign", "percentSign",
	"currency", "compact", "exponentSeparator", "exponentMinusSign", "exponentInteger", "unit", "nan", "infinity", "approximatelySign"}

// A span is a piece of text with its kind.
type span struct {
	kind partKind
	text string
}

// output collects formatted text; with marks also where each kind ends.
type output struct {
	buf   []byte
	marks bool
	ends  []mark
}

type mark struct {
	kind   partKind
	source uint8
	end    int
}

func (o *output) add(kind partKind, s string) {
	o.buf = append(o.buf, s...)
	if o.marks {
		o.mark(kind)
	}
}

func (o *output) mark(kind partKind) {
	if n := len(o.ends); len(o.buf) > 0 && (n == 0 || len(o.buf) > o.ends[n-1].end) {
		o.ends = append(o.ends, mark{kind: kind, end: len(o.buf)})
	}
}

func (o *output) spans(list []span) {
	for i := range list {
		o.add(list[i].kind, list[i].text)
	}
}

// trimmed reports whether ICU moves r out of a part at its ends: spaces, bidirectional
// controls and variation selectors.
func trimmed(r rune) bool {
	switch {
	case r == '\t', r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069,
		r >= 0xfe00 && r <= 0xfe0f:
		return true
	}
	return unicode.Is(unicode.Zs, r)
}

// parts returns the marked text as parts, neighbouring literals joined.
func (o *output) parts() []Part {
	text := string(o.buf)
	var out []Part
	sources := [...]string{"", "startRange", "endRange", "shared"}
	add := func(kind, value, source string) {
		if value == "" {
			return
		}
		if n := len(out); n > 0 && kind == "literal" && out[n-1].Type == kind && out[n-1].Source == source {
			out[n-1].Value += value
			return
		}
		out = append(out, Part{Type: kind, Value: value, Source: source})
	}
	start := 0
	for _, m := range o.ends {
		s := text[start:m.end]
		start = m.end
		source := sources[m.source]
		if m.kind == kindLiteral || m.kind == kindGroup {
			add(kindNames[m.kind], s, source)
			continue
		}
		core := strings.TrimLeftFunc(s, trimmed)
		lead := s[:len(s)-len(core)]
		core = strings.TrimRightFunc(core, trimmed)
		add("literal", lead, source)
		add(kindNames[m.kind], core, source)
		add("literal", s[len(lead)+len(core):], source)
	}
	return out
}

// numberSymbols are those of one locale and numbering system.
type numberSymbols struct {
	decimal, group, percent, plus, minus, exp, infinity, nan, approx string
	digits                                                           [10]string
	latin                                                            bool // the digits are 0 to 9
}

func symbolsOf(rec *record, ns string) numberSymbols {
	sym := func(name string) string {
		if v, ok := rec.lookup("sym/" + ns + "/" + name); ok {
			return v
		}
		return rec.get("sym/latn/" + name)
	}
	s := numberSymbols{decimal: sym("decimal"), group: sym("group"), percent: sym("percent"), plus: sym("plus"), minus: sym("minus"),
		exp: sym("exp"), infinity: sym("infinity"), nan: sym("nan"), approx: sym("approx")}
	i := 0
	for _, r := range digitsOf(ns) {
		if i < 10 {
			s.digits[i] = string(r)
			i++
		}
	}
	s.latin = s.digits[0] == "0"
	return s
}

// signs of an affix.
const (
	signNone = iota
	signMinus
	signPlus
	signCount
)

// A pattern is a parsed number pattern (UTS 35 part 3 §3).
type pattern struct {
	prefix, suffix       []token // positive
	negPrefix, negSuffix []token
	hasNegative          bool
	negativeHasMinus     bool
	positiveHasPlus      bool
	primary, secondary   int // sizes of groups, 0 for none
	zeros                int // integer digits at least
	noNumber             bool
}

// A token is a literal (kind 'l') or a placeholder: - + % ¤ ~.
type token struct {
	kind rune
	text string
}

func parsePattern(s string) *pattern {
	p := &pattern{}
	positive, negative, has := cutUnquoted(s, ';')
	var number string
	p.prefix, number, p.suffix = splitPattern(positive)
	if has {
		p.hasNegative = true
		p.negPrefix, _, p.negSuffix = splitPattern(negative)
		p.negativeHasMinus = hasToken(p.negPrefix, '-') || hasToken(p.negSuffix, '-')
	}
	p.positiveHasPlus = hasToken(p.prefix, '+') || hasToken(p.suffix, '+')
	whole, _, _ := strings.Cut(number, ".")
	if i := strings.LastIndexByte(whole, ','); i >= 0 {
		p.primary = len(whole) - i - 1
		p.secondary = p.primary
		if j := strings.LastIndexByte(whole[:i], ','); j >= 0 {
			p.secondary = i - j - 1
		}
	}
	p.zeros = strings.Count(whole, "0")
	p.noNumber = number == ""
	return p
}

func hasToken(list []token, kind rune) bool {
	return slices.ContainsFunc(list, func(t token) bool { return t.kind == kind })
}

func cutUnquoted(s string, sep byte) (before, after string, found bool) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\'':
			quoted = !quoted
		case s[i] == sep && !quoted:
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

func splitPattern(s string) (prefix []token, number string, suffix []token) {
	list := &prefix
	var lit []rune
	flush := func() {
		if len(lit) > 0 {
			*list = append(*list, token{'l', string(lit)})
			lit = lit[:0]
		}
	}
	quoted := false
	rs := []rune(s)
	for i := 0; i < len(rs); i++ {
		r := rs[i]
		switch {
		case r == '\'':
			if i+1 < len(rs) && rs[i+1] == '\'' {
				lit = append(lit, '\'')
				i++
				continue
			}
			quoted = !quoted
		case quoted:
			lit = append(lit, r)
		case strings.ContainsRune("#0123456789,.@", r) && list == &prefix || number != "" && strings.ContainsRune("#0123456789,.@", r) && len(lit) == 0 && len(suffix) == 0:
			flush()
			list = &suffix
			number += string(r)
		case r == '-' || r == '+' || r == '%' || r == '¤' || r == '~':
			flush()
			if r == '¤' {
				for i+1 < len(rs) && rs[i+1] == '¤' {
					i++
				}
			}
			*list = append(*list, token{kind: r})
		default:
			lit = append(lit, r)
		}
	}
	flush()
	return
}

// affixes are the text before and after a number, or instead of it.
type affixes struct {
	prefix, suffix []span
	alone          bool // the pattern has no place for a number: "mille"
}

// affixStyle is what turns tokens into text.
type affixStyle struct {
	sym      *numberSymbols
	currency string
	percent  partKind // kind of a percent sign
	literal  partKind // kind of literals: compact ones have their own
}

// affixesOf returns the affixes of p for a sign.
func affixesOf(p *pattern, sign int, approx bool, st *affixStyle) affixes {
	plus := sign == signPlus && !p.positiveHasPlus
	useNegative := p.hasNegative && (sign == signMinus || p.negativeHasMinus && (plus || approx))
	prefix, suffix := p.prefix, p.suffix
	if useNegative {
		prefix, suffix = p.negPrefix, p.negSuffix
	}
	signs := func() []span {
		var list []span
		if approx {
			list = append(list, span{kindApprox, st.sym.approx})
		}
		switch {
		case plus:
			list = append(list, span{kindPlus, st.sym.plus})
		case sign == signMinus:
			list = append(list, span{kindMinus, st.sym.minus})
		}
		return list
	}
	build := func(list []token) []span {
		var out []span
		for _, t := range list {
			switch t.kind {
			case 'l':
				out = append(out, span{st.literal, t.text})
			case '-':
				out = append(out, signs()...)
			case '+':
				out = append(out, span{kindPlus, st.sym.plus})
			case '%':
				out = append(out, span{st.percent, st.sym.percent})
			case '¤':
				out = append(out, span{kindCurrency, st.currency})
			}
		}
		return out
	}
	a := affixes{prefix: build(prefix), suffix: build(suffix), alone: p.noNumber}
	if !useNegative {
		a.prefix = append(signs(), a.prefix...)
	} else if approx && !p.negativeHasMinus {
		a.prefix = append([]span{{kindApprox, st.sym.approx}}, a.prefix...)
	}
	return a
}

// spaced puts a no-break space between a currency that is not a symbol and a digit next
// to it (CLDR's currencySpacing, the same in all locales).
func (a affixes) spaced() affixes {
	const space = "\u00a0"
	plain := func(r rune) bool { return r != utf8.RuneError && !unicode.IsSymbol(r) && !unicode.Is(unicode.Z, r) }
	if n := len(a.prefix); n > 0 && a.prefix[n-1].kind == kindCurrency {
		if r, _ := utf8.DecodeLastRuneInString(a.prefix[n-1].text); plain(r) {
			a.prefix = append(slices.Clone(a.prefix), span{kindLiteral, space})
		}
	}
	if len(a.suffix) > 0 && a.suffix[0].kind == kindCurrency {
		if r, _ := utf8.DecodeRuneInString(a.suffix[0].text); plain(r) {
			a.suffix = append([]span{{kindLiteral, space}}, a.suffix...)
		}
	}
	return a
}

// A signSet holds affixes for each sign, with and without currency spacing: that
// applies only where the number begins or ends with a digit.
type signSet struct {
	digit, other [signCount]affixes
	approx       [signCount]affixes
}

func newSignSet(p *pattern, st *affixStyle) *signSet {
	s := &signSet{}
	for sign := range signCount {
		a := affixesOf(p, sign, false, st)
		s.other[sign] = a
		s.digit[sign] = a.spaced()
		s.approx[sign] = affixesOf(p, sign, true, st).spaced()
	}
	return s
}

// A wrap is the text around a number, or instead of it: of a unit, or the name of a
// currency.
type wrap struct {
	prefix, suffix []span
	alone          bool
}

// A NumberFormat formats numbers. Safe for concurrent use.
type NumberFormat struct {
	res    ResolvedNumber
	digits digitSettings
	mode   roundingMode
	strip  bool
	sym    numberSymbols

	percentScale       bool
	primary, secondary int // 0: no grouping
	minGroup           int

	sets    *signSet // affixes of the standard pattern
	plurals *pluralRules
	compact []compactPower // by magnitude, nil unless compact
	wraps   *[formCount]wrap
	rng     string // the pattern of a range
}

// compactPower is how numbers of one magnitude are written.
type compactPower struct {
	exponent int // power of ten that is divided out
	forms    *[formCount]*signSet
	zero     *signSet // for exactly 0 and 1
	one      *signSet
}

// NewNumberFormat returns the formatter for the first of the tags there are data for.
func NewNumberFormat(tags []string, o NumberOptions) (*NumberFormat, error) {
	loc, err := ParseLocales(tags)
	if err != nil {
		return nil, err
	}
	return newNumberFormat(&loc, &o)
}

func newNumberFormat(loc *Locale, o *NumberOptions) (*NumberFormat, error) {
	res, digits, err := resolveNumber(loc, o)
	if err != nil {
		return nil, err
	}
	rec := numbers.record(loc.data)
	ns := res.NumberingSystem
	f := &NumberFormat{res: res, digits: digits, mode: roundingModes[res.RoundingMode],
		strip: res.TrailingZeroDisplay == "stripIfInteger", sym: symbolsOf(rec, ns), plurals: pluralsOf("cardinal", loc.data)}
	pat := func(name string) string {
		if v, ok := rec.lookup("pat/" + ns + "/" + name); ok {
			return v
		}
		return rec.get("pat/latn/" + name)
	}
	f.rng = pat("range")
	st := &affixStyle{sym: &f.sym, percent: kindPercent}
	name, wide := "dec", false
	percentUnit := res.Style == "unit" && res.Unit == "percent" && res.UnitDisplay != "long"
	f.percentScale = res.Style == "percent"
	switch {
	case (f.percentScale || percentUnit) && res.Notation == "compact":
		f.wraps = unitWraps(rec, "short", "percent")
	case f.percentScale:
		name = "pct"
	case percentUnit:
		name = "pct"
		st.percent = kindUnit
	case res.Style == "currency":
		f.currencySymbols(rec, ns, st)
		switch {
		case res.CurrencyDisplay == "name":
			wide = true
			f.wraps = currencyWraps(rec, pat("curname"), res.Currency)
		case res.CurrencySign == "accounting":
			name = "acc"
		default:
			name = "cur"
		}
	case res.Style == "unit":
		f.wraps = unitWraps(rec, res.UnitDisplay, res.Unit)
	}
	p := parsePattern(pat(name))
	f.sets = newSignSet(p, st)
	f.grouping(rec, p)
	if res.Notation == "compact" {
		long := res.CompactDisplay == "long"
		f.readCompact(rec, ns, st, res.Style == "currency" && !wide, long)
	}
	return f, nil
}

// currencySymbols sets the currency's text and the symbols that go with it.
func (f *NumberFormat) currencySymbols(rec *record, ns string, st *affixStyle) {
	code := f.res.Currency
	st.currency = code
	switch f.res.CurrencyDisplay {
	case "symbol":
		if s, ok := rec.lookup("cur/" + code); ok {
			st.currency = s
		}
	case "narrowSymbol":
		if s, ok := rec.lookup("curn/" + code); ok {
			st.currency = s
		} else if s, ok := rec.lookup("cur/" + code); ok {
			st.currency = s
		}
	}
	for _, ns := range [2]string{"latn", ns} {
		if _, own := rec.lookup("sym/" + ns + "/decimal"); !own {
			continue
		}
		if s, ok := rec.lookup("sym/" + ns + "/curdecimal"); ok {
			f.sym.decimal = s
		}
		if s, ok := rec.lookup("sym/" + ns + "/curgroup"); ok {
			f.sym.group = s
		}
	}
	if s, ok := rec.lookup("curdec/" + code); ok {
		f.sym.decimal = s
	}
	if s, ok := rec.lookup("curgrp/" + code); ok {
		f.sym.group = s
	}
}

func (f *NumberFormat) grouping(rec *record, p *pattern) {
	f.primary, f.secondary = p.primary, p.secondary
	f.minGroup, _ = strconv.Atoi(rec.get("mingroup"))
	f.minGroup = max(f.minGroup, 1)
	switch f.res.UseGrouping {
	case "false":
		f.primary, f.secondary = 0, 0
	case "always":
		f.minGroup = 1
		if f.primary == 0 {
			f.primary, f.secondary = 3, 3
		}
	case "min2":
		f.minGroup = max(f.minGroup, 2)
	}
}

// placeholderWrap turns "about {0} km" into a wrap.
func placeholderWrap(s string, kind partKind) wrap {
	before, after, ok := strings.Cut(s, "{0}")
	if !ok {
		return wrap{suffix: []span{{kind, s}}, alone: true}
	}
	var w wrap
	if before != "" {
		w.prefix = []span{{kind, before}}
	}
	if after != "" {
		w.suffix = []span{{kind, after}}
	}
	return w
}

func currencyWraps(rec *record, pat, code string) *[formCount]wrap {
	outer := parseForms(pat)
	name := rec.get("curname/" + code)
	if name == "" {
		name = code
	}
	names := parseForms(name)
	var out [formCount]wrap
	for form := range formCount {
		text := outer.get(form)
		before, after, _ := strings.Cut(text, "{0}")
		expand := func(s string) []span {
			a, b, ok := strings.Cut(s, "{1}")
			if !ok {
				if s == "" {
					return nil
				}
				return []span{{kindLiteral, s}}
			}
			var list []span
			if a != "" {
				list = append(list, span{kindLiteral, a})
			}
			list = append(list, span{kindCurrency, names.get(form)})
			if b != "" {
				list = append(list, span{kindLiteral, b})
			}
			return list
		}
		out[form] = wrap{prefix: expand(before), suffix: expand(after)}
	}
	return &out
}

func unitWraps(rec *record, style, unit string) *[formCount]wrap {
	var out [formCount]wrap
	text, ok := rec.lookup("unit/" + style + "/" + unit)
	if ok {
		f := parseForms(text)
		for form := range formCount {
			out[form] = placeholderWrap(f.get(form), kindUnit)
		}
		return &out
	}
	num, den, compound := strings.Cut(unit, "-per-")
	if !compound {
		for form := range formCount {
			out[form] = placeholderWrap("{0} "+unit, kindUnit)
		}
		return &out
	}
	f := parseForms(rec.get("unit/" + style + "/" + num))
	per, ok := rec.lookup("unitper/" + style + "/" + den)
	if !ok {
		// The compound pattern with the denominator's singular, without its number.
		d := parseForms(rec.get("unit/" + style + "/" + den)).get(formOne)
		d = strings.TrimFunc(strings.Replace(d, "{0}", "", 1), func(r rune) bool { return trimmed(r) || unicode.IsSpace(r) })
		per = strings.Replace(rec.get("unitper/"+style), "{1}", d, 1)
	}
	for form := range formCount {
		out[form] = placeholderWrap(strings.Replace(per, "{0}", f.get(form), 1), kindUnit)
	}
	return &out
}

// compactMax is the largest magnitude that any locale has a pattern for.
const compactMax = 20

func (f *NumberFormat) readCompact(rec *record, ns string, st *affixStyle, currency, long bool) {
	kind := "short"
	switch {
	case currency:
		kind = "cur" // there are no long ones
	case long:
		kind = "long"
	}
	inner := *st
	inner.literal = kindCompact
	read := func(key string, mag int) (string, bool) {
		if v, ok := rec.lookup("compact/" + ns + "/" + key + "/" + strconv.Itoa(mag)); ok {
			return v, true
		}
		return rec.lookup("compact/latn/" + key + "/" + strconv.Itoa(mag))
	}
	f.compact = make([]compactPower, 0, compactMax)
	for mag := range compactMax {
		text, ok := read(kind, mag)
		if !ok && kind == "long" {
			text, ok = read("short", mag)
		}
		if !ok {
			last := compactPower{}
			if mag > 3 {
				last = f.compact[mag-1]
			}
			f.compact = append(f.compact, last)
			continue
		}
		var c compactPower
		pf := parseForms(text)
		zeros := parsePattern(pf.get(formOther)).zeros
		if pf.get(formOther) != "0" {
			c.exponent = mag - zeros + 1
			c.forms = &[formCount]*signSet{}
			made := map[string]*signSet{}
			set := func(text string) *signSet {
				if s, ok := made[text]; ok {
					return s
				}
				made[text] = newSignSet(parsePattern(text), &inner)
				return made[text]
			}
			for form := range formCount {
				c.forms[form] = set(pf.get(form))
			}
			if pf.zero != "" {
				c.zero = set(pf.zero)
			}
			if pf.one != "" {
				c.one = set(pf.one)
			}
		}
		f.compact = append(f.compact, c)
	}
}

// ResolvedOptions returns what the formatter uses.
func (f *NumberFormat) ResolvedOptions() ResolvedNumber { return f.res }

// scratch is what formatting one number needs besides its output.
type scratch struct {
	float, round, other [40]byte
}

// Format formats d.
func (f *NumberFormat) Format(d Decimal) string {
	var buf [96]byte
	o := output{buf: buf[:0]}
	var s scratch
	f.append(&o, d, &s)
	return string(o.buf)
}

// FormatFloat formats a float, as Format(Float(x)) does but with fewer allocations.
func (f *NumberFormat) FormatFloat(x float64) string {
	var buf [96]byte
	o := output{buf: buf[:0]}
	var s scratch
	d, _ := float(x, s.float[:0])
	f.append(&o, d, &s)
	return string(o.buf)
}

// FormatToParts formats d and returns the parts.
func (f *NumberFormat) FormatToParts(d Decimal) []Part {
	o := output{marks: true}
	var s scratch
	f.append(&o, d, &s)
	return o.parts()
}

// A layout is a number that is ready to be written.
type layout struct {
	num      rounded
	nan, inf bool
	affix    affixes
	set      *signSet // where affix is from
	sign     int
	exponent int // of scientific notation
	form     pluralForm
}

func (f *NumberFormat) append(o *output, d Decimal, s *scratch) {
	l := f.layout(d, s, false)
	var w wrap
	if f.wraps != nil {
		w = f.wraps[l.form]
	}
	f.appendWrapped(o, &l, &w)
}

func (f *NumberFormat) appendWrapped(o *output, l *layout, w *wrap) {
	o.spans(w.prefix)
	if !w.alone {
		o.spans(l.affix.prefix)
		f.appendNumber(o, l)
		o.spans(l.affix.suffix)
	}
	o.spans(w.suffix)
}

// layout rounds d and chooses what goes around it.
func (f *NumberFormat) layout(d Decimal, s *scratch, approx bool) layout {
	l := layout{nan: d.nan, inf: d.inf}
	set := f.sets
	if d.nan || d.inf {
		l.set, l.sign = set, f.sign(d.neg && !d.nan, d.nan)
		l.affix = set.other[l.sign]
		if approx {
			l.affix = set.approx[l.sign]
		}
		return l
	}
	if f.percentScale && len(d.digits) > 0 {
		d.point += 2
	}
	var power *compactPower
	exponent := 0
	if f.wraps != nil {
		// As ICU does: the form of the number in full, rounded without its exponent.
		full := f.round(d, s)
		l.form = f.plurals.pick(full.operands())
	}
	switch f.res.Notation {
	case "standard":
		l.num = f.round(d, s)
	default:
		exponent, power = f.exponent(d, s)
		if len(d.digits) > 0 {
			d.point -= exponent
		}
		l.num = f.round(d, s)
	}
	if power != nil && power.forms != nil {
		form := f.plurals.pick(l.num.operands())
		set = power.forms[form]
		if len(l.num.digits) == 1 && l.num.point == 1 && l.num.digits[0] == 1 && l.num.frac == 0 && power.one != nil {
			set = power.one
		} else if l.num.isZero() && power.zero != nil {
			set = power.zero
		}
	}
	if power == nil {
		l.exponent = exponent
	}
	l.set, l.sign = set, f.sign(d.neg, l.num.isZero())
	l.affix = set.digit[l.sign]
	if approx {
		l.affix = set.approx[l.sign]
	}
	return l
}

// sign decides which sign is shown.
func (f *NumberFormat) sign(neg, zero bool) int {
	switch f.res.SignDisplay {
	case "never":
		return signNone
	case "always":
		if neg {
			return signMinus
		}
		return signPlus
	case "exceptZero":
		switch {
		case zero:
			return signNone
		case neg:
			return signMinus
		}
		return signPlus
	case "negative":
		if neg && !zero {
			return signMinus
		}
		return signNone
	}
	if neg {
		return signMinus
	}
	return signNone
}

// exponent returns the power of ten that is divided out in scientific, engineering and
// compact notation (ComputeExponent of ECMA-402).
func (f *NumberFormat) exponent(d Decimal, s *scratch) (int, *compactPower) {
	if len(d.digits) == 0 {
		e, p := f.exponentFor(0)
		return e, p
	}
	mag := d.point - 1
	e, p := f.exponentFor(mag)
	d.point -= e
	r := f.round(d, s)
	if r.isZero() || r.point-1 == mag-e {
		return e, p
	}
	return f.exponentFor(mag + 1)
}

func (f *NumberFormat) exponentFor(mag int) (int, *compactPower) {
	switch f.res.Notation {
	case "scientific":
		return mag, nil
	case "engineering":
		e := mag / 3
		if mag < 0 && mag%3 != 0 {
			e--
		}
		return e * 3, nil
	}
	p := &f.compact[min(max(mag, 0), len(f.compact)-1)]
	return p.exponent, p
}

// round rounds as the digit options say (FormatNumericToString of ECMA-402).
func (f *NumberFormat) round(d Decimal, s *scratch) rounded {
	st := &f.digits
	var r rounded
	switch st.rule {
	case "fraction":
		r = f.roundFraction(d, st.minFrac, st.maxFrac, s.round[:])
	case "significant":
		r = roundSignificant(d, st.minSig, st.maxSig, f.mode, s.round[:])
	default:
		a := roundSignificant(d, st.minSig, st.maxSig, f.mode, s.round[:])
		b := f.roundFraction(d, st.minFrac, st.maxFrac, s.other[:])
		// The place to which each rounds: of significant digits the last of maxSig.
		sig := a.point - st.maxSig
		if a.isZero() {
			sig = 1 - st.maxSig
		}
		significant := (sig <= -st.maxFrac) == (st.rule == "more")
		r = b
		if significant {
			r = a
		}
	}
	if f.strip && len(r.digits) <= r.point {
		r.frac = 0
	}
	return r
}

func (f *NumberFormat) roundFraction(d Decimal, minFrac, maxFrac int, buf []byte) rounded {
	var r rounded
	if f.res.RoundingIncrement > 1 {
		r = roundIncrement(d, maxFrac, f.res.RoundingIncrement, f.mode)
	} else {
		r = round(d, d.point+maxFrac, f.mode, buf)
	}
	r.frac = max(minFrac, len(r.digits)-r.point)
	if r.isZero() {
		r.frac = minFrac
	}
	return r
}

func roundSignificant(d Decimal, minSig, maxSig int, mode roundingMode, buf []byte) rounded {
	r := round(d, maxSig, mode, buf)
	if r.isZero() {
		r.frac = minSig - 1
		return r
	}
	r.frac = max(0, len(r.digits)-r.point, minSig-r.point)
	return r
}

// appendNumber writes the digits, without affixes.
func (f *NumberFormat) appendNumber(o *output, l *layout) {
	switch {
	case l.affix.alone:
		return
	case l.nan:
		o.add(kindNaN, f.sym.nan)
		return
	case l.inf:
		o.add(kindInfinity, f.sym.infinity)
		return
	}
	r := &l.num
	whole := max(r.point, f.digits.minInt, 1)
	if r.point <= 0 && f.digits.minInt == 0 {
		whole = 1
	}
	grouped := f.primary > 0 && whole-f.primary >= f.minGroup
	for p := whole - 1; p >= 0; p-- {
		f.digit(o, r.at(p))
		if grouped && p > 0 && (p == f.primary || p > f.primary && (p-f.primary)%f.secondary == 0) {
			if o.marks {
				o.mark(kindInteger)
			}
			o.add(kindGroup, f.sym.group)
		}
	}
	if o.marks {
		o.mark(kindInteger)
	}
	if r.frac > 0 {
		o.add(kindDecimal, f.sym.decimal)
		for k := 1; k <= r.frac; k++ {
			f.digit(o, r.at(-k))
		}
		if o.marks {
			o.mark(kindFraction)
		}
	}
	if n := f.res.Notation; n == "scientific" || n == "engineering" {
		o.add(kindExpSeparator, f.sym.exp)
		e := l.exponent
		if e < 0 {
			o.add(kindExpMinus, f.sym.minus)
			e = -e
		}
		var b [8]byte
		for _, c := range strconv.AppendInt(b[:0], int64(e), 10) {
			f.digit(o, c-'0')
		}
		if o.marks {
			o.mark(kindExpInteger)
		}
	}
}

func (f *NumberFormat) digit(o *output, c byte) {
	if f.sym.latin {
		o.buf = append(o.buf, '0'+c)
		return
	}
	o.buf = append(o.buf, f.sym.digits[c]...)
}
