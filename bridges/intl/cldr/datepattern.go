package cldr

import (
	"math"
	"slices"
	"strings"
)

// Date patterns and the search for one that fits a skeleton: UTS 35 part 4, "Date Format
// Patterns" and "Matching Skeletons", with the choices that ICU 78's
// DateTimePatternGenerator makes where UTS 35 leaves them open.

// A patternItem is a field of n letters, or literal text (letter 0).
type patternItem struct {
	letter byte
	n      int
	text   string
}

// parseDatePattern splits a pattern. It never fails: letters that nobody knows stay fields.
func parseDatePattern(p string) []patternItem {
	var out []patternItem
	var lit strings.Builder
	flush := func() {
		if lit.Len() > 0 {
			out = append(out, patternItem{text: lit.String()})
			lit.Reset()
		}
	}
	quoted := false
	for i := 0; i < len(p); i++ {
		c := p[i]
		switch {
		case c == '\'':
			if i+1 < len(p) && p[i+1] == '\'' {
				lit.WriteByte('\'')
				i++
			} else {
				quoted = !quoted
			}
		case !quoted && isAlpha(c):
			flush()
			n := 1
			for i+1 < len(p) && p[i+1] == c {
				n++
				i++
			}
			out = append(out, patternItem{letter: c, n: n})
		default:
			lit.WriteByte(c)
		}
	}
	flush()
	return out
}

// datePatternString is the inverse of parseDatePattern.
func datePatternString(items []patternItem) string {
	var b strings.Builder
	for _, it := range items {
		if it.letter != 0 {
			for range it.n {
				b.WriteByte(it.letter)
			}
			continue
		}
		b.WriteString(quoteLiteral(it.text))
	}
	return b.String()
}

func quoteLiteral(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r == '\'' || r < 128 && isAlpha(byte(r)) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// Fields in the order in which they decide between patterns.
const (
	fEra = iota
	fYear
	fQuarter
	fMonth
	fWeek
	fWeekOfMonth
	fWeekday
	fDayOfYear
	fDayOfWeekInMonth
	fDay
	fDayPeriod
	fHour
	fMinute
	fSecond
	fFraction
	fZone
	fieldCount
)

const (
	dateMask   = 1<<fDayPeriod - 1
	timeMask   = 1<<fieldCount - 1 - dateMask
	secondMask = 1<<fSecond | 1<<fFraction
)

// Types of fields: numbers are positive, names negative and ordered by their length.
// Letters for one field differ by steps of delta.
const (
	typeNarrow  = -0x101
	typeShorter = -0x102
	typeShort   = -0x103
	typeLong    = -0x104
	typeNumeric = 0x100
	typeDelta   = 0x10
)

const (
	costExtra   = 0x10000
	costMissing = 0x1000
)

type fieldType struct {
	letter byte
	field  int
	kind   int
	min    int // letters
}

var fieldTypes = []fieldType{
	{'G', fEra, typeShort, 1}, {'G', fEra, typeLong, 4}, {'G', fEra, typeNarrow, 5},
	{'y', fYear, typeNumeric, 1},
	{'Y', fYear, typeNumeric + typeDelta, 1},
	{'u', fYear, typeNumeric + 2*typeDelta, 1},
	{'r', fYear, typeNumeric + 3*typeDelta, 1},
	{'U', fYear, typeShort, 1}, {'U', fYear, typeLong, 4}, {'U', fYear, typeNarrow, 5},
	{'Q', fQuarter, typeNumeric, 1}, {'Q', fQuarter, typeShort, 3}, {'Q', fQuarter, typeLong, 4}, {'Q', fQuarter, typeNarrow, 5},
	{'M', fMonth, typeNumeric, 1}, {'M', fMonth, typeShort, 3}, {'M', fMonth, typeLong, 4}, {'M', fMonth, typeNarrow, 5},
	{'L', fMonth, typeNumeric + typeDelta, 1}, {'L', fMonth, typeShort - typeDelta, 3}, {'L', fMonth, typeLong - typeDelta, 4}, {'L', fMonth, typeNarrow - typeDelta, 5},
	{'E', fWeekday, typeShort, 1}, {'E', fWeekday, typeLong, 4}, {'E', fWeekday, typeNarrow, 5}, {'E', fWeekday, typeShorter, 6},
	{'c', fWeekday, typeNumeric + 2*typeDelta, 1}, {'c', fWeekday, typeShort - 2*typeDelta, 3}, {'c', fWeekday, typeLong - 2*typeDelta, 4}, {'c', fWeekday, typeNarrow - 2*typeDelta, 5}, {'c', fWeekday, typeShorter - 2*typeDelta, 6},
	{'e', fWeekday, typeNumeric + typeDelta, 1}, {'e', fWeekday, typeShort - typeDelta, 3}, {'e', fWeekday, typeLong - typeDelta, 4}, {'e', fWeekday, typeNarrow - typeDelta, 5}, {'e', fWeekday, typeShorter - typeDelta, 6},
	{'d', fDay, typeNumeric, 1},
	{'a', fDayPeriod, typeShort, 1}, {'a', fDayPeriod, typeLong, 4}, {'a', fDayPeriod, typeNarrow, 5},
	{'b', fDayPeriod, typeShort - typeDelta, 1}, {'b', fDayPeriod, typeLong - typeDelta, 4}, {'b', fDayPeriod, typeNarrow - typeDelta, 5},
	{'B', fDayPeriod, typeShort - 3*typeDelta, 1}, {'B', fDayPeriod, typeLong - 3*typeDelta, 4}, {'B', fDayPeriod, typeNarrow - 3*typeDelta, 5},
	{'H', fHour, typeNumeric + 10*typeDelta, 1},
	{'k', fHour, typeNumeric + 11*typeDelta, 1},
	{'h', fHour, typeNumeric, 1},
	{'K', fHour, typeNumeric + typeDelta, 1},
	{'m', fMinute, typeNumeric, 1},
	{'s', fSecond, typeNumeric, 1},
	{'A', fSecond, typeNumeric + 2*typeDelta, 1},
	{'S', fFraction, typeNumeric, 1},
	{'v', fZone, typeShort - 2*typeDelta, 1}, {'v', fZone, typeLong - 2*typeDelta, 4},
	{'z', fZone, typeShort, 1}, {'z', fZone, typeLong, 4},
	{'Z', fZone, typeNarrow - typeDelta, 1}, {'Z', fZone, typeLong - typeDelta, 4}, {'Z', fZone, typeShort - typeDelta, 5},
	{'O', fZone, typeShort - typeDelta, 1}, {'O', fZone, typeLong - typeDelta, 4},
	{'V', fZone, typeShort - typeDelta, 1}, {'V', fZone, typeLong - typeDelta, 2},
	{'X', fZone, typeNarrow - typeDelta, 1}, {'X', fZone, typeShort - typeDelta, 2}, {'X', fZone, typeLong - typeDelta, 4},
	{'x', fZone, typeNarrow - typeDelta, 1}, {'x', fZone, typeShort - typeDelta, 2}, {'x', fZone, typeLong - typeDelta, 4},
}

// fieldTypeOf returns the row of a field of n letters, or nil.
func fieldTypeOf(letter byte, n int) *fieldType {
	var best *fieldType
	for i := range fieldTypes {
		if t := &fieldTypes[i]; t.letter == letter {
			if best != nil && t.min > n {
				break
			}
			best = t
		} else if best != nil {
			break
		}
	}
	return best
}

// A skeleton is the set of fields of a pattern with the width of each.
type skeleton struct {
	kind   [fieldCount]int // 0 where the field is missing
	letter [fieldCount]byte
	n      [fieldCount]int
	base   [fieldCount]string // the shortest spelling of the type
	addedA bool               // the day period is not written, the 12-hour clock implies it
}

func parseSkeleton(p string) skeleton {
	var s skeleton
	for _, it := range parseDatePattern(p) {
		t := fieldTypeOf(it.letter, it.n)
		if it.letter == 0 || t == nil {
			continue
		}
		s.set(t, it.letter, it.n)
	}
	if s.kind[fMinute] != 0 && s.kind[fFraction] != 0 && s.kind[fSecond] == 0 {
		s.set(fieldTypeOf('s', 1), 's', 1)
	}
	if s.kind[fHour] != 0 {
		if c := s.letter[fHour]; c == 'h' || c == 'K' {
			if s.kind[fDayPeriod] == 0 {
				s.set(fieldTypeOf('a', 1), 'a', 1)
				s.addedA = true
			}
		} else {
			s.kind[fDayPeriod], s.letter[fDayPeriod], s.n[fDayPeriod], s.base[fDayPeriod] = 0, 0, 0, ""
		}
	}
	return s
}

func (s *skeleton) set(t *fieldType, letter byte, n int) {
	f := t.field
	s.letter[f], s.n[f] = letter, n
	s.base[f] = strings.Repeat(string(t.letter), t.min)
	s.kind[f] = t.kind
	if t.kind > 0 {
		s.kind[f] += n
	}
}

// basePattern is what patterns that would be chosen for the same reason share.
func (s *skeleton) basePattern() string {
	var b strings.Builder
	for _, p := range s.base {
		b.WriteString(p)
	}
	return b.String()
}

func (s *skeleton) String() string {
	var b strings.Builder
	for f := range s.letter {
		if f == fDayPeriod && s.addedA {
			continue
		}
		for range s.n[f] {
			b.WriteByte(s.letter[f])
		}
	}
	return b.String()
}

func (s *skeleton) mask() int {
	m := 0
	for f, k := range s.kind {
		if k != 0 {
			m |= 1 << f
		}
	}
	return m
}

// distance from the wanted fields in mask to a candidate; missing are those fields it lacks.
func (s *skeleton) distance(c *skeleton, mask int) (d, missing int) {
	for f := range s.kind {
		want := s.kind[f]
		if mask>>f&1 == 0 {
			want = 0
		}
		have := c.kind[f]
		switch {
		case want == have:
		case want == 0:
			d += costExtra
		case have == 0:
			d += costMissing
			missing |= 1 << f
		default:
			d += max(want-have, have-want)
		}
	}
	return d, missing
}

// candidate is a pattern that can be chosen.
type candidate struct {
	base      string
	skel      skeleton
	pattern   []patternItem
	specified bool // the skeleton comes with the pattern and was not made from it
}

// A generator finds the pattern for a skeleton in the data of one locale and calendar.
// Immutable after newGenerator.
type generator struct {
	candidates []candidate // those with capital letters first, else as they were added
	glue       [4]string   // by style, full first
	appendItem [fieldCount]string
	fieldName  [fieldCount]string
	decimal    string
	clock      byte // H, h, K or k: what the region prefers
}

type generatorBuilder struct {
	byLetter [128][]candidate
}

// add enters a pattern. With key, that is the skeleton, and the entry replaces what was
// derived from a standard pattern; else an entry that exists stays.
func (b *generatorBuilder) add(pattern, key string) {
	c := candidate{pattern: parseDatePattern(pattern), specified: key != ""}
	if key == "" {
		key = pattern
	}
	c.skel = parseSkeleton(key)
	c.base = c.skel.basePattern()
	if c.base == "" {
		return
	}
	list := &b.byLetter[c.base[0]]
	for i := range *list {
		if e := &(*list)[i]; e.base == c.base {
			if !e.specified && !c.specified {
				return
			}
			break
		}
	}
	for i := range *list {
		if e := &(*list)[i]; e.skel.letter == c.skel.letter && e.skel.n == c.skel.n {
			if !c.specified || e.specified {
				return
			}
			break
		}
	}
	for i := range *list {
		if e := &(*list)[i]; e.base == c.base && e.skel.kind == c.skel.kind {
			e.pattern, e.specified = c.pattern, c.specified
			return
		}
	}
	*list = append(*list, c)
}

func (b *generatorBuilder) done() []candidate {
	var out []candidate
	for _, list := range b.byLetter {
		out = append(out, list...)
	}
	return slices.Clip(out)
}

// canonicalFields are patterns of one field each, so that every field can be made.
var canonicalFields = []string{"G", "y", "Q", "M", "w", "W", "E", "d", "D", "F", "a", "H", "m", "s", "S", "v"}

// best returns the pattern that ICU would choose for the skeleton, with the width of the
// hour as asked for when exactHour.
func (g *generator) best(wanted string, exactHour bool) []patternItem {
	want := parseSkeleton(wanted)
	mask := want.mask()
	c, missing := g.nearest(&want, mask)
	if missing == 0 {
		return g.adjust(&want, c, exactHour, false)
	}
	date := g.appending(&want, mask&dateMask, exactHour)
	clock := g.appending(&want, mask&timeMask, exactHour)
	switch {
	case date == nil:
		return clock
	case clock == nil:
		return date
	}
	style := 3
	switch want.kind[fMonth] {
	case 0:
	default:
		switch n := len(want.base[fMonth]); {
		case n == 4 && want.kind[fWeekday] != 0:
			style = 0
		case n == 4:
			style = 1
		case n == 3:
			style = 2
		}
	}
	return parseDatePattern(fillTemplate(g.glue[style], datePatternString(clock), datePatternString(date)))
}

// fillTemplate replaces {0}, {1} and {2}.
func fillTemplate(t string, args ...string) string {
	var b strings.Builder
	for i := 0; i < len(t); i++ {
		if t[i] == '{' && i+2 < len(t) && t[i+2] == '}' {
			if n := int(t[i+1] - '0'); n >= 0 && n < len(args) {
				b.WriteString(args[n])
				i += 2
				continue
			}
		}
		b.WriteByte(t[i])
	}
	return b.String()
}

func (g *generator) nearest(want *skeleton, mask int) (*candidate, int) {
	var best *candidate
	bestDistance, bestMissing := math.MaxInt, -1
	for i := range g.candidates {
		c := &g.candidates[i]
		d, missing := want.distance(&c.skel, mask)
		if d < bestDistance || d == bestDistance && bestMissing < missing {
			best, bestDistance, bestMissing = c, d, missing
			if d == 0 {
				break
			}
		}
	}
	return best, bestMissing
}

// appending makes a pattern for the fields in mask: the nearest candidate, with what it
// lacks appended.
func (g *generator) appending(want *skeleton, mask int, exactHour bool) []patternItem {
	if mask == 0 {
		return nil
	}
	c, missing := g.nearest(want, mask)
	out := g.adjust(want, c, exactHour, false)
	last := 0
	for missing != 0 && missing != last {
		if missing&secondMask == 1<<fFraction && mask&secondMask == secondMask {
			out = g.adjustItems(want, out, c, exactHour, true)
			missing &^= 1 << fFraction
			continue
		}
		last = missing
		start := missing
		var next *candidate
		next, missing = g.nearest(want, missing)
		add := g.adjust(want, next, exactHour, false)
		top := 0
		for f := range fieldCount {
			if (start&^missing)>>f&1 != 0 {
				top = f
			}
		}
		out = parseDatePattern(fillTemplate(g.appendItem[top], datePatternString(out), datePatternString(add), quoteLiteral(g.fieldName[top])))
	}
	return out
}

func (g *generator) adjust(want *skeleton, c *candidate, exactHour, fraction bool) []patternItem {
	return g.adjustItems(want, c.pattern, c, exactHour, fraction)
}

// adjustItems gives the fields of a pattern the widths that were asked for. With
// fraction it only adds the fraction to the second.
func (g *generator) adjustItems(want *skeleton, pattern []patternItem, c *candidate, exactHour, fraction bool) []patternItem {
	out := make([]patternItem, 0, len(pattern)+2)
	for _, it := range pattern {
		t := fieldTypeOf(it.letter, it.n)
		if it.letter == 0 || t == nil {
			out = append(out, it)
			continue
		}
		f := t.field
		if fraction && f == fSecond {
			out = append(out, it, patternItem{text: g.decimal}, patternItem{letter: 'S', n: want.n[fFraction]})
			continue
		}
		if want.kind[f] == 0 {
			out = append(out, it)
			continue
		}
		asked, n := want.letter[f], want.n[f]
		if asked == 'E' && n < 3 {
			n = 3
		}
		width := n
		switch {
		case f == fHour && !exactHour, f == fMinute, f == fSecond:
			width = it.n
		case c.specified && asked != 'c' && asked != 'e':
			numeric, keyNumeric := t.kind > 0, c.skel.kind[f] > 0
			if c.skel.n[f] == n || numeric != keyNumeric {
				width = it.n
			}
		}
		letter := it.letter
		switch {
		case f == fHour, f == fMonth, f == fWeekday, f == fYear && asked != 'Y':
		default:
			letter = asked
		}
		if letter == 'E' && width < 3 {
			letter = 'e'
		}
		if f == fHour && asked == g.clock {
			letter = asked
		}
		out = append(out, patternItem{letter: letter, n: width})
	}
	return out
}
