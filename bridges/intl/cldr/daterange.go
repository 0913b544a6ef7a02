package cldr

import (
	"math"
	"strings"
	"sync"
)

// Ranges of dates: UTS 35 part 4, "Interval Formats", with the choices of ICU 78's
// DateIntervalFormat.

// rangePlan is what a formatter keeps for ranges and for day periods.
type rangePlan struct {
	pattern  []patternItem
	override string // numbering systems of the date pattern

	once   sync.Once
	ranges *rangePatterns
}

// onTheHour tells whether the parts of the time that the pattern shows are zero.
func (p *rangePlan) onTheHour(v *moment) bool {
	for _, it := range p.pattern {
		if it.letter == 'm' && v.minute != 0 || it.letter == 's' && v.second != 0 {
			return false
		}
	}
	return true
}

// Fields in which the ends of a range can differ, the largest first.
const (
	rEra = iota
	rYear
	rMonth
	rDate
	rAMPM
	rHour
	rMinute
	rSecond
	rMilli
	rangeFields
)

// levels rank a field among those of a pattern.
var rangeLevels = [rangeFields]int{0, 10, 20, 30, 40, 50, 60, 70, 80}

var rangeLetters = [rangeFields]string{"G", "y", "M", "d", "a", "h", "m", "s", "S"}

func letterLevel(c byte) int {
	switch c {
	case 'y', 'Y', 'u', 'U', 'r':
		return 10
	case 'M', 'L':
		return 20
	case 'd', 'E', 'c', 'e':
		return 30
	case 'a', 'b', 'B':
		return 40
	case 'h', 'H', 'k', 'K':
		return 50
	case 'm':
		return 60
	case 's':
		return 70
	case 'S':
		return 80
	}
	return 0
}

// finer tells whether a pattern or skeleton shows nothing as small as the field.
func finer(pattern []patternItem, field int) bool {
	for _, it := range pattern {
		if it.letter != 0 && rangeLevels[field] <= letterLevel(it.letter) {
			return false
		}
	}
	return true
}

// A rangePattern is the pattern for ranges whose ends differ in one field: two halves,
// or a whole pattern to be written twice.
type rangePattern struct {
	first, second []dateItem
	whole         []dateItem
}

type rangePatterns struct {
	byField    [rangeFields]rangePattern
	single     []patternItem // of one end
	singleItem []dateItem
	// date and clock are the two halves of single when it has both: ends on the same day
	// share the date.
	date, clock []dateItem
	glue        string
	fallback    string
}

// rangeInfo are the interval patterns of a calendar by skeleton and field.
type rangeInfo struct {
	skeletons []string
	patterns  map[string][rangeFields]string
}

func (d *dateData) rangeInfo() *rangeInfo {
	info := &rangeInfo{patterns: map[string][rangeFields]string{}}
	for key := range strings.SplitSeq(dates.record("@").get("intervals"), listSep) {
		skel, letter, _ := strings.Cut(key, "/")
		v, ok := d.pattern("i/" + key)
		if !ok || letter == "" {
			continue
		}
		p, known := info.patterns[skel]
		if !known {
			info.skeletons = append(info.skeletons, skel)
		}
		switch letter {
		case "B":
			letter = "a"
		case "H", "k", "K":
			letter = "h"
		}
		for f, l := range rangeLetters {
			if l == letter {
				p[f] = v
			}
		}
		info.patterns[skel] = p
	}
	return info
}

func letterCounts(skel string) (out [128]int) {
	for i := range len(skel) {
		out[skel[i]&0x7f]++
	}
	return out
}

// How the nearest skeleton differs from the wanted one.
const (
	sameSkeleton  = 0
	otherWidths   = 1
	otherLetters  = 2 // z for v, K for h, and such
	otherFields   = -1
	costField     = 0x1000
	costTextDigit = 0x100
)

// nearest finds the skeleton that has interval patterns and differs least.
func (info *rangeInfo) nearest(skel string) (best string, difference int) {
	in := skel
	if strings.ContainsAny(skel, "zkKab") {
		in = strings.NewReplacer("z", "v", "k", "H", "K", "h", "a", "", "b", "").Replace(skel)
	}
	want := letterCounts(in)
	least := math.MaxInt
	for _, s := range info.skeletons {
		have := letterCounts(s)
		distance, diff := 0, otherWidths
		for c := range want {
			w, h := want[c], have[c]
			switch {
			case w == h:
			case w == 0 || h == 0:
				diff = otherFields
				distance += costField
			case c == 'M' && (w <= 2) != (h <= 2):
				distance += costTextDigit
			default:
				distance += max(w-h, h-w)
			}
		}
		if distance < least {
			best, least, difference = s, distance, diff
		}
		if distance == 0 {
			difference = sameSkeleton
			break
		}
	}
	if in != skel && difference != otherFields {
		difference = otherLetters
	}
	return best, difference
}

// splitSkeleton separates date from time; normal forms are what interval patterns are
// looked up by.
func splitSkeleton(skel string) (date, clock, normalDate, normalClock string) {
	var d, c, nd, nc strings.Builder
	n := letterCounts(skel)
	hour := byte(0)
	for i := range len(skel) {
		switch ch := skel[i]; ch {
		case 'E', 'd', 'M', 'y':
			d.WriteByte(ch)
		case 'a', 'm', 'z', 'v':
			c.WriteByte(ch)
		case 'h', 'H', 'k', 'K':
			c.WriteByte(ch)
			hour = ch
		case 'V', 'Z', 'j', 's', 'S', 'A', 'O', 'b', 'B':
			c.WriteByte(ch)
			nc.WriteByte(ch)
		default:
			d.WriteByte(ch)
			nd.WriteByte(ch)
		}
	}
	nd.WriteString(strings.Repeat("y", n['y']))
	switch m := n['M']; {
	case m == 0:
	case m < 3:
		nd.WriteByte('M')
	default:
		nd.WriteString(strings.Repeat("M", min(m, 5)))
	}
	switch e := n['E']; {
	case e == 0:
	case e <= 3:
		nd.WriteByte('E')
	default:
		nd.WriteString(strings.Repeat("E", min(e, 5)))
	}
	if n['d'] > 0 {
		nd.WriteByte('d')
	}
	if hour != 0 {
		nc.WriteByte(hour)
	}
	for _, ch := range []byte("mzv") {
		if n[ch] > 0 {
			nc.WriteByte(ch)
		}
	}
	return d.String(), c.String(), nd.String(), nc.String()
}

// rangeBuilder makes the patterns of one formatter.
type rangeBuilder struct {
	f    *DateTimeFormat
	info *rangeInfo
	out  *rangePatterns
	raw  [rangeFields][2]string // halves, as patterns
}

// patterns prepares ranges, at the first use.
func (f *DateTimeFormat) rangePatterns() *rangePatterns {
	f.plan.once.Do(func() { f.plan.ranges = f.buildRanges() })
	return f.plan.ranges
}

func (f *DateTimeFormat) best(skel string) []patternItem {
	return f.data.gen.best(skel, false)
}

func (f *DateTimeFormat) buildRanges() *rangePatterns {
	pattern := datePatternString(f.plan.pattern)
	s := parseSkeleton(pattern)
	skel := s.String()
	b := &rangeBuilder{f: f, info: f.data.rangeInfo(), out: &rangePatterns{}}
	out := b.out
	out.single = f.best(skel)
	out.fallback, _ = f.data.pattern("if")
	date, clock, normalDate, normalClock := splitSkeleton(skel)
	if date != "" && clock != "" {
		out.glue, _ = f.data.pattern("x")
	}
	found := b.separate(normalDate, normalClock)
	switch {
	case clock == "":
	case date == "":
		b.fallback(f.best("yMd"+clock), rDate, rMonth, rYear)
		b.fallback(f.best("GyMd"+clock), rEra)
	case found:
		s := skel
		for _, e := range []struct {
			letter string
			field  int
		}{{"d", rDate}, {"M", rMonth}, {"y", rYear}, {"G", rEra}} {
			if !strings.Contains(date, e.letter) {
				s = e.letter + s
				b.fallback(f.best(s), e.field)
			}
		}
		datePattern := datePatternString(f.best(date))
		for _, field := range []int{rAMPM, rHour, rMinute} {
			if r := &b.raw[field]; r[0] != "" {
				b.set(field, fillTemplate(out.glue, r[0]+r[1], datePattern))
			}
		}
	}
	for field, r := range b.raw {
		if r[0] != "" {
			out.byField[field].first = f.compile(parseDatePattern(r[0]))
			out.byField[field].second = f.compile(parseDatePattern(r[1]))
		}
	}
	out.singleItem = f.compile(out.single)
	return out
}

func (b *rangeBuilder) fallback(pattern []patternItem, fields ...int) {
	items := b.f.compile(pattern)
	for _, field := range fields {
		b.out.byField[field] = rangePattern{whole: items}
		b.raw[field] = [2]string{}
	}
}

// separate finds the interval patterns for the date or, if there is one, the time.
func (b *rangeBuilder) separate(date, clock string) bool {
	skel := date
	if clock != "" {
		skel = clock
	}
	best, diff := b.info.nearest(skel)
	if best == "" {
		return false
	}
	if date != "" && clock != "" {
		b.out.date = b.f.compile(b.f.best(date))
		b.out.clock = b.f.compile(b.f.best(clock))
	}
	if diff == otherFields {
		return false
	}
	if clock != "" {
		for _, field := range []int{rMinute, rHour, rAMPM} {
			b.interval(field, skel, best, diff, false)
		}
		return true
	}
	b.interval(rDate, skel, best, diff, true)
	if s, e, extended := b.interval(rMonth, skel, best, diff, true); extended {
		skel, best = s, e
	}
	b.interval(rYear, skel, best, diff, true)
	b.interval(rEra, skel, best, diff, true)
	return true
}

// interval sets the pattern for one field. With extend, a pattern of a skeleton with one
// field more serves where there is none; then it returns the skeletons so extended.
func (b *rangeBuilder) interval(field int, skel, best string, diff int, extend bool) (extSkel, extBest string, extended bool) {
	pattern := b.info.patterns[best][field]
	if pattern == "" {
		if finer(parseDatePattern(best), field) {
			return "", "", false
		}
		if field == rAMPM {
			// On a 24-hour clock the halves of the day differ as hours do.
			if p := b.info.patterns[best][rHour]; p != "" {
				b.set(field, adjustWidths(skel, best, p, diff))
			}
			return "", "", false
		}
		if extend {
			extSkel, extBest = rangeLetters[field]+skel, rangeLetters[field]+best
			pattern = b.info.patterns[extBest][field]
			if pattern == "" && diff == sameSkeleton {
				if near, d := b.info.nearest(extBest); near != "" && d != otherFields {
					pattern = b.info.patterns[near][field]
					best, diff = near, d
				}
			}
		}
	}
	if pattern == "" {
		return "", "", false
	}
	if diff != sameSkeleton {
		pattern = adjustWidths(skel, best, pattern, diff)
	}
	b.set(field, pattern)
	return extSkel, extBest, extSkel != ""
}

// set splits an interval pattern before the first field that occurs again.
func (b *rangeBuilder) set(field int, pattern string) {
	items := parseDatePattern(pattern)
	seen := map[byte]bool{}
	for i, it := range items {
		if it.letter == 0 {
			continue
		}
		if seen[it.letter] {
			b.raw[field] = [2]string{datePatternString(items[:i]), datePatternString(items[i:])}
			return
		}
		seen[it.letter] = true
	}
	b.raw[field] = [2]string{datePatternString(items), ""}
}

// adjustWidths widens the fields of a pattern for best to what skel asks for.
func adjustWidths(skel, best, pattern string, diff int) string {
	want, have := letterCounts(skel), letterCounts(best)
	items := parseDatePattern(pattern)
	for i := range items {
		it := &items[i]
		if it.letter == 0 {
			continue
		}
		if diff == otherLetters {
			switch {
			case it.letter == 'v' && want['z'] > 0:
				it.letter = 'z'
			case it.letter == 'h' && want['K'] > 0:
				it.letter = 'K'
			case it.letter == 'H' && want['k'] > 0:
				it.letter = 'k'
			case it.letter == 'a' && want['b'] > 0:
				it.letter = 'b'
			}
		}
		key := it.letter
		if key == 'L' {
			key = 'M'
		}
		h := have[key]
		if key == 'a' && h == 0 {
			h = 1
		}
		if h == it.n && want[key] > h {
			it.n = want[key]
		}
	}
	return datePatternString(items)
}

// rangePiece is a piece of a formatted range.
type rangePiece struct {
	letter byte
	text   string
}

func (f *DateTimeFormat) pieces(out []rangePiece, items []dateItem, v *moment) []rangePiece {
	for i := range items {
		if s := f.field(nil, &items[i], v); len(s) > 0 {
			out = append(out, rangePiece{items[i].letter, string(s)})
		}
	}
	return out
}

// rangePieces formats both ends; nil means that they look the same.
func (f *DateTimeFormat) rangePieces(from, to int64) []rangePiece {
	p := f.rangePatterns()
	a, b := f.moment(from), f.moment(to)
	field := -1
	switch {
	case a.civil.era != b.civil.era:
		field = rEra
	case a.civil.year != b.civil.year:
		field = rYear
	case a.civil.month != b.civil.month:
		field = rMonth
	case a.civil.day != b.civil.day:
		field = rDate
	case a.hour/12 != b.hour/12:
		field = rAMPM
	case a.hour != b.hour:
		field = rHour
	case a.minute != b.minute:
		field = rMinute
	case a.second != b.second:
		field = rSecond
	case a.milli != b.milli:
		field = rMilli
	default:
		return nil
	}
	r := &p.byField[field]
	switch {
	case r.first != nil:
		return f.pieces(f.pieces(nil, r.first, &a), r.second, &b)
	case r.whole != nil:
		return f.twice(p.fallback, r.whole, &a, &b)
	case finer(p.single, field):
		return nil
	case field >= rAMPM && p.date != nil:
		return f.template(p.glue, func(out []rangePiece, arg byte) []rangePiece {
			if arg == '0' {
				return append(out, f.twice(p.fallback, p.clock, &a, &b)...)
			}
			return f.pieces(out, p.date, &a)
		})
	}
	return f.twice(p.fallback, p.singleItem, &a, &b)
}

// twice writes both ends with the same items.
func (f *DateTimeFormat) twice(fallback string, items []dateItem, a, b *moment) []rangePiece {
	return f.template(fallback, func(out []rangePiece, arg byte) []rangePiece {
		if arg == '0' {
			return f.pieces(out, items, a)
		}
		return f.pieces(out, items, b)
	})
}

// template writes a template of {0} and {1}.
func (f *DateTimeFormat) template(t string, write func(out []rangePiece, arg byte) []rangePiece) []rangePiece {
	var out []rangePiece
	for _, it := range parseDatePattern(t) {
		for s := it.text; s != ""; {
			i := strings.IndexByte(s, '{')
			if i < 0 || i+2 >= len(s) {
				out = append(out, rangePiece{0, plainSpaces(s)})
				break
			}
			if i > 0 {
				out = append(out, rangePiece{0, plainSpaces(s[:i])})
			}
			out = write(out, s[i+1])
			s = s[i+3:]
		}
	}
	return out
}

// FormatRange formats the range from a to b, both in milliseconds of the epoch. Ends
// that look the same are written once, an a after b is not an error.
func (f *DateTimeFormat) FormatRange(a, b float64) (string, error) {
	from, to, err := clipRange(a, b)
	if err != nil {
		return "", err
	}
	p := f.rangePieces(from, to)
	if !hasSpans(p) {
		return f.Format(a)
	}
	var s strings.Builder
	for _, x := range p {
		s.WriteString(x.text)
	}
	return s.String(), nil
}

// FormatRangeToParts returns the parts of what FormatRange returns, each with its source.
func (f *DateTimeFormat) FormatRangeToParts(a, b float64) ([]Part, error) {
	from, to, err := clipRange(a, b)
	if err != nil {
		return nil, err
	}
	p := f.rangePieces(from, to)
	if !hasSpans(p) {
		out := f.parts(f.items, from)
		for i := range out {
			out[i].Source = "shared"
		}
		return out, nil
	}
	s1, e1, s2, e2 := spansOf(p)
	var out []Part
	for i, x := range p {
		part := Part{Type: partType(x.letter), Value: x.text, Source: "shared"}
		switch {
		case i >= s1 && i <= e1:
			part.Source = "startRange"
		case i >= s2 && i <= e2:
			part.Source = "endRange"
		}
		if n := len(out); n > 0 && part.Type == "literal" && out[n-1].Type == "literal" && out[n-1].Source == part.Source {
			out[n-1].Value += part.Value
			continue
		}
		out = append(out, part)
	}
	return out, nil
}

func clipRange(a, b float64) (from, to int64, err error) {
	if from, err = clipTime(a); err != nil {
		return 0, 0, err
	}
	to, err = clipTime(b)
	return from, to, err
}

func hasSpans(p []rangePiece) bool {
	s, _, _, _ := spansOf(p)
	return s >= 0
}

// spansOf finds the pieces of both ends: from the first to the last of the fields that
// occur twice. s1 is -1 when none does.
func spansOf(p []rangePiece) (s1, e1, s2, e2 int) {
	s1, e1, s2, e2 = -1, -1, -1, -1
	for i, x := range p {
		if x.letter == 0 {
			continue
		}
		for j := i + 1; j < len(p); j++ {
			if p[j].letter != x.letter {
				continue
			}
			if s1 < 0 {
				s1, s2 = i, j
			}
			s1, e1, s2, e2 = min(s1, i), max(e1, i), min(s2, j), max(e2, j)
			break
		}
	}
	return s1, e1, s2, e2
}
