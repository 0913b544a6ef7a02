package cldr

// Keys of dates.bin. Lists are joined with "|". A pattern may be followed by a tab and
// the numbering systems it wants ("hebr", "y=jpanyear").
//
// Of each calendar, after its prefix (g, n for generic, or a name); what a calendar has
// not is taken from generic, then from gregorian, and an empty value stops the search:
//
//	d0…d3 t0…t3 a0…a3   date and time formats full to short; what joins them
//	x                   what joins a date and a range of times
//	f/SKELETON          available formats
//	i/SKELETON/LETTER   interval formats by the largest field that differs; if = fallback
//	ai                  append items in the order of appendOrder
//	m/CW w/CW p/CW e/W  names of months, days, day periods and eras; C is f for format or
//	                    s for stand-alone (absent when the same), W a, w or n
//
// And fields: names of fields in the order of nameOrder. In the record "@": skeletons,
// intervals (all that occur), periods/LANG (index in the names, from, before;…),
// hours/REGION (preferred and allowed letters), calendar/REGION, japanese (first days).

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed dates.bin
var datesData string

var dates = newSection("dates.bin", datesData)

const listSep = "|"

var (
	appendOrder = []int{fEra, fYear, fQuarter, fMonth, fWeek, fWeekday, fDay, fHour, fMinute, fSecond, fZone}
	nameOrder   = []int{fEra, fYear, fQuarter, fMonth, fWeek, fWeekday, fDay, fDayPeriod, fHour, fMinute, fSecond, fZone}
)

// Indices of day periods in the lists of their names.
const (
	periodMidnight = iota
	periodAM
	periodNoon
	periodPM
	periodMorning1
	periodCount = 12
)

// Widths of names.
const (
	wideName = iota
	shortName
	narrowName
	nameWidths
)

var widthLetters = [nameWidths]string{"w", "a", "n"}

// A nameSet has the names in both contexts.
type nameSet struct {
	format, alone [nameWidths][]string
}

// dateData is what the formatters of one locale and calendar share. Immutable.
type dateData struct {
	rec *record
	cal *calendar
	gen *generator

	months, periods, days nameSet
	eras                  [nameWidths][]string
	hasPeriod             [periodCount]bool
	flexible              [24]byte // index of the day period of each hour
}

// A data key is bounded: the ids of records and calendars are.
type dateKey struct{ locale, region, cal, decimal string }

var dateCache sync.Map // dateKey to *dateData

// pattern returns the value of a key of the calendar.
func (d *dateData) pattern(key string) (string, bool) {
	return calendarValue(d.rec, d.cal, key)
}

func calendarValue(rec *record, cal *calendar, key string) (string, bool) {
	v, ok := "", false
	if cal.data != "g" {
		if v, ok = rec.lookup(cal.data + key); !ok {
			v, ok = rec.lookup("n" + key)
		}
	}
	if !ok {
		v, ok = rec.lookup("g" + key)
	}
	return v, ok && v != ""
}

// dateDataOf returns the data for a locale. The decimal separator is the one for
// fractions of seconds.
func dateDataOf(loc *Locale, cal *calendar, decimal string) *dateData {
	key := dateKey{loc.data, loc.language + "-" + loc.region, cal.id, decimal}
	if d, ok := dateCache.Load(key); ok {
		return d.(*dateData)
	}
	d := &dateData{rec: dates.record(loc.data), cal: cal}
	d.months = d.names("m/")
	d.days = d.names("w/")
	d.periods = d.names("p/")
	for w, l := range widthLetters {
		v, _ := d.pattern("e/" + l)
		d.eras[w] = splitNames(v)
	}
	d.readPeriods(loc)
	d.gen = d.generator(loc, decimal)
	kept, _ := dateCache.LoadOrStore(key, d)
	return kept.(*dateData)
}

func (d *dateData) names(key string) (s nameSet) {
	prefix := d.cal.data
	if _, ok := d.rec.lookup(prefix + key + "fw"); !ok {
		prefix = "g"
	}
	for w, l := range widthLetters {
		s.format[w] = splitNames(d.rec.get(prefix + key + "f" + l))
		if v, ok := d.rec.lookup(prefix + key + "s" + l); ok {
			s.alone[w] = splitNames(v)
		} else {
			s.alone[w] = s.format[w]
		}
	}
	return s
}

func splitNames(list string) []string { return strings.Split(plainSpaces(list), listSep) }

// readPeriods fills in the rules of the flexible day periods; a language without any
// has am and pm.
func (d *dateData) readPeriods(loc *Locale) {
	for h := range d.flexible {
		d.flexible[h] = periodAM
		if h >= 12 {
			d.flexible[h] = periodPM
		}
	}
	sup := dates.record("@")
	rules := ""
	for id := loc.data; id != "" && rules == ""; id = cutLast(id) {
		rules = sup.get("periods/" + id)
	}
	if rules == "" {
		return
	}
	for rule := range strings.SplitSeq(rules, ";") {
		f := strings.Split(rule, ",")
		if len(f) != 3 {
			continue
		}
		p, _ := strconv.Atoi(f[0])
		from, _ := strconv.Atoi(f[1])
		if p < 0 || p >= periodCount {
			continue
		}
		if f[2] == "" {
			d.hasPeriod[p] = true
			continue
		}
		before, _ := strconv.Atoi(f[2])
		for h := from; h%24 != before%24 || h == from; h++ {
			d.flexible[h%24] = byte(p)
		}
	}
}

func (d *dateData) generator(loc *Locale, decimal string) *generator {
	var b generatorBuilder
	for _, c := range canonicalFields {
		b.add(c, "")
	}
	for i := range 4 {
		for _, kind := range [2]string{"d", "t"} {
			v, _ := d.pattern(kind + strconv.Itoa(i))
			v, _, _ = strings.Cut(v, "\t")
			b.add(v, "")
		}
	}
	for key := range strings.SplitSeq(dates.record("@").get("skeletons"), listSep) {
		if v, ok := d.pattern("f/" + key); ok {
			v, _, _ = strings.Cut(v, "\t")
			b.add(v, key)
		}
	}
	g := &generator{candidates: b.done(), decimal: decimal, clock: hourLetter(loc)}
	for i := range g.glue {
		g.glue[i], _ = d.pattern("a" + strconv.Itoa(i))
	}
	for f := range g.appendItem {
		g.appendItem[f] = "{0} ├{2}: {1}┤"
	}
	v, _ := d.pattern("ai")
	for i, s := range strings.Split(v, listSep) {
		if i < len(appendOrder) && s != "" {
			g.appendItem[appendOrder[i]] = s
		}
	}
	for i, s := range strings.Split(d.rec.get("fields"), listSep) {
		if i < len(nameOrder) {
			g.fieldName[nameOrder[i]] = s
		}
	}
	return g
}

// hourLetter returns the letter of the hour that the region prefers.
func hourLetter(loc *Locale) byte {
	sup := dates.record("@")
	for _, k := range [3]string{loc.language + "-" + loc.region, loc.region, "001"} {
		if v, ok := sup.lookup("hours/" + k); ok && v != "" {
			return v[0]
		}
	}
	return 'H'
}

// defaultCalendar is the first that the region prefers and that is supported.
func defaultCalendar(loc *Locale) *calendar {
	sup := dates.record("@")
	for _, k := range [2]string{loc.region, "001"} {
		if v, ok := sup.lookup("calendar/" + k); ok {
			if c := calendarNamed(v); c != nil {
				return c
			}
		}
	}
	return calendars["gregory"]
}

type eraStart struct {
	day  int64
	year int
}

// japaneseEras are the first days of the Japanese eras, in order.
var japaneseEras = sync.OnceValue(func() []eraStart {
	var out []eraStart
	for s := range strings.SplitSeq(dates.record("@").get("japanese"), listSep) {
		f := strings.Split(s, "-")
		if len(f) != 3 {
			continue
		}
		y, _ := strconv.Atoi(f[0])
		m, _ := strconv.Atoi(f[1])
		d, _ := strconv.Atoi(f[2])
		out = append(out, eraStart{dayOf(int64(y), m, d), y})
	}
	return slices.Clip(out)
})
