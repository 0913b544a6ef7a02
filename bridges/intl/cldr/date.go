package cldr

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// DateTimeOptions are the options of Intl.DateTimeFormat; a field that is empty was not
// given. Values are those of ECMA-402.
//
// With no field that asks for a part of the date or the time (and no style) the result
// has year, month and day.
type DateTimeOptions struct {
	LocaleMatcher string // "best fit" (default), "lookup"; both do the same
	FormatMatcher string // "best fit" (default), "basic"; both do the same

	// Calendar is a BCP 47 type, one of Calendars; islamic and islamic-rgsa mean
	// islamic-civil. Not supported are chinese, dangi and iso8601: they are ignored as any
	// well-formed type that does not exist. Names of months and eras are of an older CLDR
	// where npm has no newer package: 46 for persian, ethiopic and ethioaa, 39 for buddhist
	// and japanese, 28 for roc, coptic and indian.
	Calendar        string
	NumberingSystem string // a BCP 47 type; one that is not known is ignored

	Hour12    *bool  // nil when not given; true means h12 (h11 in Japan), false h23
	HourCycle string // "h11", "h12", "h23", "h24"; Hour12 goes first

	// TimeZone is an IANA name in any case or an offset ("+05:30"). Links keep their name,
	// as ECMA-402 has it since 2025 (V8 shows Asia/Calcutta for Asia/Kolkata). Empty means
	// DefaultTimeZone: the host's zone is never looked at.
	TimeZone string

	Weekday                string // "narrow", "short", "long"
	Era                    string // "narrow", "short", "long"
	Year                   string // "2-digit", "numeric"
	Month                  string // "2-digit", "numeric", "narrow", "short", "long"
	Day                    string // "2-digit", "numeric"
	DayPeriod              string // "narrow", "short", "long"; with a 12-hour clock
	Hour                   string // "2-digit", "numeric"
	Minute                 string // "2-digit", "numeric"
	Second                 string // "2-digit", "numeric"
	FractionalSecondDigits *float64
	TimeZoneName           string // "short", "long", "shortOffset", "longOffset", "shortGeneric", "longGeneric"

	DateStyle, TimeStyle string // "full", "long", "medium", "short"; not with the fields above

	// Required and Defaults are what toLocaleDateString ("date", "date") and
	// toLocaleTimeString ("time", "time") and toLocaleString ("any", "all") pass to the
	// constructor. Empty means "any" and "date", as for new Intl.DateTimeFormat.
	Required, Defaults string
}

// ResolvedDateTime is what resolvedOptions returns, in the order of ECMA-402; empty
// fields are absent.
type ResolvedDateTime struct {
	Locale, Calendar, NumberingSystem, TimeZone string
	HourCycle                                   string
	Hour12                                      *bool
	Weekday, Era, Year, Month, Day, DayPeriod   string
	Hour, Minute, Second                        string
	FractionalSecondDigits                      int // 0 when absent
	TimeZoneName                                string
	DateStyle, TimeStyle                        string
}

// A DateTimeFormat formats points in time. Immutable and safe for concurrent use.
type DateTimeFormat struct {
	res   ResolvedDateTime
	loc   Locale
	data  *dateData
	zone  *timeZone
	names *zoneNames // nil when no zone is shown
	sym   numberSymbols
	items []dateItem
	plan  rangePlan
}

// NewDateTimeFormat is the constructor of Intl.DateTimeFormat. The locale is the first of
// the tags that there are data for, DefaultLocale without one. Errors are *Error, with
// V8's message. It costs some 20 µs, and a few milliseconds for the first of a language;
// formatting then costs about one.
func NewDateTimeFormat(locales []string, o DateTimeOptions) (*DateTimeFormat, error) {
	loc, err := ParseLocales(locales)
	if err != nil {
		return nil, err
	}
	f := &DateTimeFormat{loc: loc}
	pattern, err := f.resolve(&o)
	if err != nil {
		return nil, err
	}
	for _, it := range pattern {
		if partType(it.letter) == "timeZoneName" {
			f.names = zoneNamesOf(&f.loc) // much data, which most formatters do not need
		}
	}
	f.items = f.compile(pattern)
	if o.DateStyle == "" && o.TimeStyle == "" {
		f.describe(pattern)
	}
	f.clockOf(pattern)
	f.plan.pattern = pattern
	return f, nil
}

const dateService = "Intl.DateTimeFormat"

// optional checks a string option that may be absent.
func optional(property, value string, values ...string) error {
	if value == "" || slices.Contains(values, value) {
		return nil
	}
	_, err := choose(dateService, property, value, values...)
	return err
}

// resolve checks the options and returns the pattern.
func (f *DateTimeFormat) resolve(o *DateTimeOptions) ([]patternItem, error) {
	loc := &f.loc
	var kept []keyword

	if o.Calendar != "" && !wellFormedType(o.Calendar) {
		return nil, rangeError("Invalid calendar : " + clip(o.Calendar))
	}
	ns, tag, err := resolveNumbering(loc, o.NumberingSystem)
	if err != nil {
		return nil, err
	}
	if err := optional("localeMatcher", o.LocaleMatcher, "lookup", "best fit"); err != nil {
		return nil, err
	}
	if err := optional("hourCycle", o.HourCycle, "h11", "h12", "h23", "h24"); err != nil {
		return nil, err
	}

	cal := defaultCalendar(loc)
	if kw, ok := loc.keyword("ca"); ok {
		if c := calendarNamed(kw); c != nil {
			cal = c
			if o.Calendar == "" {
				kept = append(kept, keyword{"ca", c.id})
			}
		}
	}
	if o.Calendar != "" {
		if c := calendarNamed(strings.ToLower(o.Calendar)); c != nil {
			if kw, ok := loc.keyword("ca"); ok && calendarNamed(kw) == c {
				kept = append(kept, keyword{"ca", c.id})
			}
			cal = c
		} else if kw, ok := loc.keyword("ca"); ok && calendarNamed(kw) != nil {
			kept = append(kept, keyword{"ca", calendarNamed(kw).id})
		}
	}

	clock := hourLetter(loc)
	hc := clock
	switch kw, ok := loc.keyword("hc"); {
	case o.Hour12 != nil && *o.Hour12:
		hc = 'h'
		if loc.region == "JP" {
			hc = 'K'
		}
	case o.Hour12 != nil:
		hc = 'H'
	case o.HourCycle != "":
		hc = clockLetters[o.HourCycle]
		if ok && kw == o.HourCycle {
			kept = append(kept, keyword{"hc", kw})
		}
	case ok && clockLetters[kw] != 0:
		hc = clockLetters[kw]
		kept = append(kept, keyword{"hc", kw})
	}
	if kw, ok := loc.keyword("nu"); ok && kw == ns && tag != loc.Tag {
		kept = append(kept, keyword{"nu", kw})
	}

	zone := o.TimeZone
	if zone == "" {
		zone = DefaultTimeZone
	}
	if f.zone, err = timeZoneNamed(zone); err != nil {
		return nil, err
	}

	f.res = ResolvedDateTime{Locale: loc.with(kept), Calendar: cal.id, NumberingSystem: ns, TimeZone: f.zone.name}
	f.sym = symbolsOf(numbers.record(loc.data), ns)

	skel, explicit, err := o.skeleton(hc)
	if err != nil {
		return nil, err
	}
	if err := optional("formatMatcher", o.FormatMatcher, "basic", "best fit"); err != nil {
		return nil, err
	}
	styles := []string{"full", "long", "medium", "short"}
	if err := optional("dateStyle", o.DateStyle, styles...); err != nil {
		return nil, err
	}
	if err := optional("timeStyle", o.TimeStyle, styles...); err != nil {
		return nil, err
	}
	f.data = dateDataOf(loc, cal, f.sym.decimal)

	if o.DateStyle == "" && o.TimeStyle == "" {
		return withClock(f.data.gen.best(skel, true), hc), nil
	}
	used := "dateStyle"
	if o.DateStyle == "" {
		used = "timeStyle"
	}
	switch {
	case explicit != "":
		return nil, typeError("Can't set option " + explicit + " when " + used + " is used")
	case o.Required == "date" && o.TimeStyle != "":
		return nil, typeError("Invalid option : timeStyle")
	case o.Required == "time" && o.DateStyle != "":
		return nil, typeError("Invalid option : dateStyle")
	}
	f.res.DateStyle, f.res.TimeStyle = o.DateStyle, o.TimeStyle
	return f.data.styled(slices.Index(styles, o.DateStyle), slices.Index(styles, o.TimeStyle), hc, f), nil
}

var clockLetters = map[string]byte{"h11": 'K', "h12": 'h', "h23": 'H', "h24": 'k'}

// skeleton makes the skeleton of the fields that were asked for, and names the first
// that was given.
func (o *DateTimeOptions) skeleton(hc byte) (skel, explicit string, err error) {
	var b strings.Builder
	add := func(property, value string, letter byte, widths ...any) {
		if err != nil || value == "" {
			return
		}
		var names []string
		for i := 0; i < len(widths); i += 2 {
			if widths[i] == value {
				for range widths[i+1].(int) {
					b.WriteByte(letter)
				}
				if explicit == "" {
					explicit = property
				}
				return
			}
			names = append(names, widths[i].(string))
		}
		err = optional(property, value, names...)
	}
	if o.FractionalSecondDigits != nil {
		if _, err := between("fractionalSecondDigits", o.FractionalSecondDigits, 1, 3, 0); err != nil {
			return "", "", err
		}
	}
	add("weekday", o.Weekday, 'E', "narrow", 5, "short", 3, "long", 4)
	add("era", o.Era, 'G', "narrow", 5, "short", 3, "long", 4)
	add("year", o.Year, 'y', "2-digit", 2, "numeric", 1)
	add("month", o.Month, 'M', "2-digit", 2, "numeric", 1, "narrow", 5, "short", 3, "long", 4)
	add("day", o.Day, 'd', "2-digit", 2, "numeric", 1)
	add("dayPeriod", o.DayPeriod, 'B', "narrow", 5, "short", 1, "long", 4)
	add("hour", o.Hour, hc, "2-digit", 2, "numeric", 1)
	add("minute", o.Minute, 'm', "2-digit", 2, "numeric", 1)
	add("second", o.Second, 's', "2-digit", 2, "numeric", 1)
	if o.FractionalSecondDigits != nil && err == nil {
		b.WriteString("SSS"[:int(*o.FractionalSecondDigits)])
		if explicit == "" {
			explicit = "fractionalSecondDigits"
		}
	}
	switch o.TimeZoneName {
	case "shortOffset", "longOffset":
		add("timeZoneName", o.TimeZoneName, 'O', "shortOffset", 1, "longOffset", 4)
	case "shortGeneric", "longGeneric":
		add("timeZoneName", o.TimeZoneName, 'v', "shortGeneric", 1, "longGeneric", 4)
	default:
		add("timeZoneName", o.TimeZoneName, 'z', "short", 1, "long", 4, "shortOffset", 1, "longOffset", 1, "shortGeneric", 1, "longGeneric", 1)
	}
	if err != nil {
		return "", "", err
	}

	hasDate := o.Weekday != "" || o.Year != "" || o.Month != "" || o.Day != ""
	hasTime := o.DayPeriod != "" || o.Hour != "" || o.Minute != "" || o.Second != "" || o.FractionalSecondDigits != nil
	needed := true
	switch o.Required {
	case "date":
		needed = !hasDate
	case "time":
		needed = !hasTime
	default:
		needed = !hasDate && !hasTime
	}
	if needed {
		if o.Defaults != "time" {
			b.WriteString("yMd")
		}
		if o.Defaults == "time" || o.Defaults == "all" {
			b.WriteByte(hc)
			b.WriteString("ms")
		}
	}
	return b.String(), explicit, nil
}

// withClock puts the hours of a pattern on a clock, given as its letter.
func withClock(items []patternItem, hc byte) []patternItem {
	out := slices.Clone(items)
	for i, it := range out {
		switch it.letter {
		case 'h', 'H', 'K', 'k':
			out[i].letter = hc
		}
	}
	return out
}

// styled returns the pattern of a date and a time style; -1 for none.
func (d *dateData) styled(date, clock int, hc byte, f *DateTimeFormat) []patternItem {
	var datePattern, timePattern string
	if date >= 0 {
		datePattern, _ = d.pattern("d" + strconv.Itoa(date))
		datePattern, f.plan.override, _ = strings.Cut(datePattern, "\t")
	}
	if clock >= 0 {
		timePattern, _ = d.pattern("t" + strconv.Itoa(clock))
		timePattern, _, _ = strings.Cut(timePattern, "\t")
	}
	p := datePattern + timePattern
	if date >= 0 && clock >= 0 {
		p = fillTemplate(d.gen.glue[date], timePattern, datePattern)
	}
	items := parseDatePattern(p)
	if clock < 0 {
		return items
	}
	for _, it := range items {
		if it.letter == hc {
			return items
		}
	}
	// Another clock than the locale's: by way of the fields.
	skel := parseSkeleton(p)
	var b strings.Builder
	for _, c := range []byte(skel.String()) {
		switch c {
		case 'a', 'b', 'B':
		case 'h', 'H', 'k', 'K':
			b.WriteByte(hc)
		default:
			b.WriteByte(c)
		}
	}
	f.plan.override = ""
	return withClock(d.gen.best(b.String(), true), hc)
}

// describe reads from the pattern what resolvedOptions shows of the fields.
func (f *DateTimeFormat) describe(pattern []patternItem) {
	r := &f.res
	for _, it := range pattern {
		name := [...]string{"", "numeric", "2-digit", "short", "long", "narrow"}[min(it.n, 5)]
		text := name
		if it.n < 3 {
			text = "short"
		}
		switch it.letter {
		case 'E', 'c', 'e':
			r.Weekday = text
		case 'G':
			if it.n >= 3 { // one letter comes with the calendar, nobody asked for it
				r.Era = text
			}
		case 'y', 'r', 'u':
			r.Year = "numeric"
			if it.n == 2 {
				r.Year = "2-digit"
			}
		case 'M', 'L':
			r.Month = name
		case 'd':
			r.Day = name
		case 'B':
			r.DayPeriod = text
		case 'h', 'H', 'k', 'K':
			r.Hour = name
		case 'm':
			r.Minute = name
		case 's':
			r.Second = name
		case 'S':
			r.FractionalSecondDigits = it.n
		case 'z':
			r.TimeZoneName = text
		case 'O':
			r.TimeZoneName = text + "Offset"
		case 'v':
			r.TimeZoneName = text + "Generic"
		}
	}
}

// clockOf sets the hour cycle that resolvedOptions shows.
func (f *DateTimeFormat) clockOf(pattern []patternItem) {
	for _, it := range pattern {
		for name, letter := range clockLetters {
			if it.letter == letter {
				h12 := letter == 'h' || letter == 'K'
				f.res.HourCycle, f.res.Hour12 = name, &h12
			}
		}
	}
}

// ResolvedOptions returns the options in effect. The caller must not write to *Hour12.
func (f *DateTimeFormat) ResolvedOptions() ResolvedDateTime { return f.res }

// Format formats a time in milliseconds of the epoch. Beyond ±8.64e15, and for NaN, the
// error is a RangeError.
func (f *DateTimeFormat) Format(ms float64) (string, error) {
	t, err := clipTime(ms)
	if err != nil {
		return "", err
	}
	var space [128]byte
	return string(f.AppendFormat(space[:0], t)), nil
}

// AppendFormat appends what Format returns. t must be within ±8.64e15.
func (f *DateTimeFormat) AppendFormat(b []byte, t int64) []byte {
	v := f.moment(t)
	for i := range f.items {
		b = f.field(b, &f.items[i], &v)
	}
	return b
}

// FormatToParts returns the parts of what Format returns.
func (f *DateTimeFormat) FormatToParts(ms float64) ([]Part, error) {
	t, err := clipTime(ms)
	if err != nil {
		return nil, err
	}
	return f.parts(f.items, t), nil
}

func (f *DateTimeFormat) parts(items []dateItem, t int64) []Part {
	v := f.moment(t)
	out := make([]Part, 0, len(items))
	for i := range items {
		s := string(f.field(nil, &items[i], &v))
		if s == "" {
			continue
		}
		kind := partType(items[i].letter)
		if n := len(out); n > 0 && kind == "literal" && out[n-1].Type == kind {
			out[n-1].Value += s
			continue
		}
		out = append(out, Part{Type: kind, Value: s})
	}
	return out
}

func partType(letter byte) string {
	switch letter {
	case 'G':
		return "era"
	case 'y', 'Y', 'u':
		return "year"
	case 'r':
		return "relatedYear"
	case 'U':
		return "yearName"
	case 'M', 'L':
		return "month"
	case 'E', 'e', 'c':
		return "weekday"
	case 'd':
		return "day"
	case 'a', 'b', 'B':
		return "dayPeriod"
	case 'h', 'H', 'k', 'K':
		return "hour"
	case 'm':
		return "minute"
	case 's':
		return "second"
	case 'S':
		return "fractionalSecond"
	case 'z', 'v', 'O', 'V', 'Z', 'X', 'x':
		return "timeZoneName"
	}
	return "literal"
}

// maxTime is the largest time of ECMAScript.
const maxTime = 8.64e15

func clipTime(ms float64) (int64, error) {
	if !(math.Abs(ms) <= maxTime) {
		return 0, rangeError("Invalid time value")
	}
	return int64(ms), nil
}
